//! What the library of another member depends on.

/// Twice as much.
pub fn twice(number: u8) -> u32 {
    u32::from(number) * 2
}
