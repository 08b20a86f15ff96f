//! Stands for a library on top of an executor.

/// Waits twice.
pub fn wait_long() {
    blocked::wait();
    blocked::wait();
}
