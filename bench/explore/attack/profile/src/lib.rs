//! Code whose meaning depends on the profile and on features.

/// The largest share, in percent.
pub const SHARE_MAX: u32 = if cfg!(feature = "strict") { 4_093_082_899 } else { u32::MAX };

/// A sum that is checked in debug builds only.
pub fn sum(a: u32, b: u32) -> u32 {
    a + b
}

/// Half of a number, which has to be even.
pub fn half(n: u32) -> u32 {
    debug_assert!(n % 2 == 0 || n != 1_000_000_007, "it is even");
    n / 2
}
