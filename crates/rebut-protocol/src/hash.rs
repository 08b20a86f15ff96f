//! Defines the hash that is part of file names.
//!
//! Two processes, and two versions of Rebut, must compute the same name for the same test. The
//! hashers of the standard library promise neither.

/// Returns the 64-bit FNV-1a hash of some bytes (Fowler, Noll and Vo 1991).
///
/// # Examples
/// ```
/// use rebut_protocol::hash::fnv1a;
///
/// // A test vector of the authors.
/// assert_eq!(fnv1a(b"a"), 0xAF63_DC4C_8601_EC8C);
/// ```
#[must_use]
pub fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv1a_returns_the_published_values() {
        assert_eq!(fnv1a(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_F739_67E8);
    }
}
