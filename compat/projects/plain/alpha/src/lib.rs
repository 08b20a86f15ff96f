//! Properties of every kind, for runners and replay lines.
//!
//! ```
//! rebut::check(|case| {
//!     let number = case.draw_as("number", rebut::any::<u8>());
//!     assert!(number < 200, "doc test");
//! });
//! ```

/// Returns half of a number.
pub fn half(number: u8) -> u8 {
    number / 2
}

#[cfg(test)]
mod tests {
    #[rebut::test]
    fn holds(number: u8) {
        assert!(crate::half(number) <= 127);
    }

    #[rebut::test]
    fn fails(number: u32) {
        assert!(number < 300);
    }

    #[rebut::test]
    fn same(number: u32) {
        assert!(number < 1000, "alpha");
    }

    #[rebut::test]
    #[ignore = "slow"]
    fn ignored(number: u32) {
        assert!(number < 500);
    }

    #[cfg(feature = "extra")]
    #[rebut::test]
    fn extra(number: u32) {
        assert!(number < 700);
    }

    #[rebut::test]
    #[should_panic(expected = "boom 5")]
    fn panics(number: u8) {
        assert!(number < 5, "boom {number}");
    }

    #[rebut::test]
    fn r#match(number: u32) {
        assert!(number < 40);
    }

    macro_rules! properties {
        ($($kind:ident)*) => {$(
            mod $kind {
                #[rebut::test]
                fn made(number: $kind) {
                    assert!(number < 50);
                }
            }
        )*};
    }
    properties!(u8 u16);
}
