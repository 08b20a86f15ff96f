//! A crate that renames Rebut and forbids unsafe code.
#![forbid(unsafe_code)]
#![deny(warnings)]

/// The larger.
pub fn larger(a: u8, b: u8) -> u8 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[properties::test(crate = ::properties)]
    fn the_larger_is_one_of_them(a: u8, b: u8) {
        assert!([a, b].contains(&larger(a, b)));
    }

    #[properties::test(crate = ::properties)]
    #[cfg(feature = "extra")]
    fn the_larger_is_not_smaller(a: u8, b: u8) {
        assert!(larger(a, b) >= a);
    }
}
