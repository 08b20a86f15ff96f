//! The same functions on systems without signals: most do nothing.

use std::time::Duration;

pub(crate) fn install() -> bool {
    false
}

pub(crate) fn notice_forks() {}

#[inline]
pub(crate) fn leave_if_forked() {}

pub(crate) fn end_process(code: i32) -> ! {
    std::process::exit(code)
}

thread_local! {
    /// The first thread-local value of a worker, so that it is the last one to be destroyed.
    static AT_END: std::cell::Cell<Option<AtEnd>> = const { std::cell::Cell::new(None) };
}

struct AtEnd(Option<Box<dyn FnOnce()>>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        if let Some(run) = self.0.take() {
            run();
        }
    }
}

pub(super) fn call_at_end(run: Box<dyn FnOnce()>) {
    AT_END.set(Some(AtEnd(Some(run))));
}

pub(super) fn use_handler_stack() {}

pub(in crate::isolate) fn thread_id() -> i32 {
    0
}

pub(in crate::isolate) fn lower_priority(_thread: i32) {}

pub(in crate::isolate) fn keep_installed() {}

pub(in crate::isolate) fn sleep(time: Duration) {
    std::thread::sleep(time);
}

pub(in crate::isolate) fn work_of_process() -> Duration {
    Duration::ZERO
}

pub(in crate::isolate) fn work_of_thread(_thread: i32) -> Duration {
    Duration::ZERO
}

pub(in crate::isolate) fn limit_memory(_bytes: u64) {}

pub(in crate::isolate) fn forbid_core_dumps() {}
