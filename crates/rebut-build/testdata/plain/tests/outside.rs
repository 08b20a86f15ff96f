//! Two tests with the same name.
#![forbid(unsafe_code)]

macro_rules! of_types {
    ($($name:ident)*) => {$(
        mod $name {
            #[properties::test(crate = ::properties)]
            fn is_itself(value: $name) {
                assert_eq!(value, value);
            }
        }
    )*};
}
of_types!(u8 i64);
