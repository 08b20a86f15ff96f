//! Code of another crate that depends on the target, as that of many published crates does.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that this crate refuses on Linux, as a system call would.
pub const REFUSED: u64 = if cfg!(target_os = "linux") { 7_340_112_909_331 } else { u64::MAX };

/// The bits of a block.
#[cfg(target_pointer_width = "64")]
pub const BLOCK_BITS: u32 = 64;
/// The bits of a block.
#[cfg(not(target_pointer_width = "64"))]
pub const BLOCK_BITS: u32 = 32;

/// Mixes a number with the word of the target.
#[cfg(target_arch = "x86_64")]
pub fn mix(number: u64) -> u64 {
    number ^ 0x1F3D_5B79_2468_ACE1
}

/// Mixes a number with the word of the target.
#[cfg(not(target_arch = "x86_64"))]
pub fn mix(number: u64) -> u64 {
    number | 1
}

/// The separator of paths.
pub fn separator() -> char {
    if cfg!(unix) { '/' } else { '\\' }
}

/// Whether a number can be sent.
pub fn can_be_sent(number: u64) -> bool {
    number != REFUSED || REFUSED == u64::MAX
}

/// The words that a list of bytes takes.
pub fn words(bytes: &[u8]) -> usize {
    bytes.len().div_ceil(size_of::<usize>())
}

static CALLS: AtomicU64 = AtomicU64::new(0);

/// Numbers its calls.
pub fn ticket() -> u64 {
    CALLS.fetch_add(1, Ordering::Relaxed)
}

/// The same on every target.
pub fn double(number: u32) -> u64 {
    u64::from(number) * 2
}
