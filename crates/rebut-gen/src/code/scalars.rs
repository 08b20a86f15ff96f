//! Numbers, characters and strings.

use std::num::NonZero;

use super::{Code, ToCode};

macro_rules! displayed {
    ($($type:ty)*) => {$(
        impl ToCode for $type {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                code.format(format_args!("{self}"));
            }
        }
    )*};
}
displayed!(bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! non_zero {
    ($($type:ident)*) => {$(
        impl ToCode for NonZero<$type> {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                let name = stringify!($type);
                code.format(format_args!("std::num::NonZero::<{name}>::new({self}).unwrap()"));
            }
        }
    )*};
}
non_zero!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! float {
    ($($type:ident)*) => {$(
        impl ToCode for $type {
            #[inline]
            fn to_code(&self, code: &mut Code) {
                let name = stringify!($type);
                if self.is_nan() {
                    code.format(format_args!("{name}::NAN"));
                } else if self.is_infinite() {
                    let sign = if *self < 0.0 { "NEG_" } else { "" };
                    code.format(format_args!("{name}::{sign}INFINITY"));
                } else {
                    code.format(format_args!("{self:?}"));
                }
            }
        }
    )*};
}
float!(f32 f64);

impl ToCode for char {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        push_literal(code, &format!("{self:?}"));
    }
}

impl ToCode for str {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        push_literal(code, &format!("{self:?}"));
    }
}

/// Writes a literal with its right-to-left characters escaped. A terminal or an editor would show
/// them, and the code and marks after them, in another order.
#[inline(never)]
fn push_literal(code: &mut Code, literal: &str) {
    for c in literal.chars() {
        match is_right_to_left(c) {
            true => code.format(format_args!("{}", c.escape_unicode())),
            false => code.push(c.encode_utf8(&mut [0; 4])),
        }
    }
}

/// Returns whether a character is in one of the blocks that Unicode reserves for scripts written
/// from right to left.
fn is_right_to_left(c: char) -> bool {
    matches!(
        u32::from(c),
        0x0590..=0x08FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFF | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF
    )
}

impl ToCode for &str {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        str::to_code(self, code);
    }
}

impl ToCode for String {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        str::to_code(self, code);
        code.push(".to_string()");
    }
}

impl ToCode for () {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.push("()");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_literals() {
        assert_eq!(Code::of(&i128::MIN), "-170141183460469231731687303715884105728");
        assert_eq!(Code::of(&true), "true");
        assert_eq!(Code::of(&'\n'), r"'\n'");
        assert_eq!(Code::of("a\"b"), r#""a\"b""#);
        assert_eq!(Code::of(&"a\n".to_string()), r#""a\n".to_string()"#);
        assert_eq!(Code::of(&NonZero::<u8>::MAX), "std::num::NonZero::<u8>::new(255).unwrap()");
        assert_eq!(Code::of(&()), "()");
    }

    #[test]
    fn right_to_left_characters_are_escaped() {
        assert_eq!(Code::of("a\u{800}é"), r#""a\u{800}é""#);
        assert_eq!(Code::of(&'\u{5D0}'), r"'\u{5d0}'");
        assert_eq!(Code::of("αжあ"), r#""αжあ""#);
    }

    #[test]
    fn floats_keep_their_point_their_sign_and_their_names() {
        let code = |float: f64| Code::of(&float);
        assert_eq!([code(1.0), code(-0.0), code(1e300)], ["1.0", "-0.0", "1e300"]);
        assert_eq!(code(f64::NAN), "f64::NAN");
        assert_eq!(code(f64::NEG_INFINITY), "f64::NEG_INFINITY");
        assert_eq!(Code::of(&f32::INFINITY), "f32::INFINITY");
    }

    #[test]
    fn confusing_text_is_escaped() {
        assert_eq!(Code::of("\u{202E}\u{200B}\0"), r#""\u{202e}\u{200b}\0""#);
    }
}
