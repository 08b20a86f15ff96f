//! Byte strings of the crate `bstr`.

use bstr::{BStr, BString};
use rebut_choice::{Label, Source};

use crate::sequences::draw_sequence;
use crate::size::SIZE_MAX;
use crate::{Code, Generate, ToCode};

/// Generates text, any bytes, or text with bytes in it that are not UTF-8.
impl Generate for BString {
    #[inline]
    fn generate(source: &mut Source) -> BString {
        source.span(Label::group("BString"), |source| {
            let kind = source.alternative(3, &[4, 1, 2], 3);
            source.span(Label::ALTERNATIVE, |source| match kind {
                0 => String::generate(source).into(),
                1 => Vec::<u8>::generate(source).into(),
                _ => draw_sequence(source, (0, SIZE_MAX), false, draw_mixed).concat().into(),
            })
        })
    }
}

/// Draws a character, or a byte that is only a part of one or invalid everywhere.
fn draw_mixed(source: &mut Source) -> Vec<u8> {
    let is_byte = source.alternative(2, &[3, 1], 2) == 1;
    source.span(Label::ALTERNATIVE, |source| {
        if is_byte {
            return vec![source.integer(0x80, 0xFF) as u8];
        }
        String::from(char::generate(source)).into_bytes()
    })
}

impl Generate for Box<BStr> {
    #[inline]
    fn generate(source: &mut Source) -> Box<BStr> {
        Vec::from(BString::generate(source)).into_boxed_slice().into()
    }
}

impl ToCode for BString {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.push("bstr::BString::from(");
        write_literal(code, self);
        code.push(")");
    }
}

impl ToCode for Box<BStr> {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.push("Box::<bstr::BStr>::from(Box::<[u8]>::from(*");
        write_literal(code, self);
        code.push("))");
    }
}

impl ToCode for &BStr {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.push("bstr::BStr::new(");
        write_literal(code, self);
        code.push(")");
    }
}

fn write_literal(code: &mut Code, bytes: &[u8]) {
    code.format(format_args!("b\"{}\"", bytes.escape_ascii()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use bstr::ByteSlice as _;
    use rebut::find;

    #[test]
    fn text_and_invalid_text_are_drawn() {
        let all = drawn(&any::<BString>(), 2000);
        assert!(all.iter().any(|bytes| bytes.to_str().is_ok_and(|text| !text.is_ascii())));
        let is_mixed =
            |bytes: &&BString| bytes.to_str().is_err() && bytes.chars().any(|c| c.is_alphabetic());
        assert!(all.iter().filter(is_mixed).count() > 100);
        replays(&any::<(BString, Box<BStr>)>());
    }

    #[test]
    fn byte_strings_shrink_to_the_empty_one() {
        assert_eq!(find(rebut::any::<BString>(), |_| true), Some(BString::default()));
        let invalid = find(rebut::any(), |bytes: &BString| bytes.to_str().is_err());
        assert_eq!(invalid, Some(BString::from([0x80])));
        let long = find(rebut::any(), |bytes: &BString| bytes.chars().count() > 2);
        assert_eq!(long, Some(BString::from("aaa")));
    }

    #[rebut::test]
    fn references_to_byte_strings_are_generated(bytes: &BStr) {
        assert_eq!(bytes.to_owned(), bytes);
    }

    #[test]
    fn byte_strings_are_printed_as_literals() {
        prints!(bstr::BString::from(b"a\xff\""));
        prints!(bstr::BString::from(b""));
        prints!(Box::<bstr::BStr>::from(Box::<[u8]>::from(*b"a")));
        prints!(bstr::BStr::new(b"\n"));
    }
}
