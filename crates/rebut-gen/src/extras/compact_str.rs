//! Strings of the crate `compact_str`.

use compact_str::CompactString;
use rebut_choice::{Label, Source};

use crate::strings::draw_text;
use crate::{Code, Generate, ToCode};

/// The number of bytes that a string has without an allocation.
const INLINE: usize = size_of::<CompactString>();

/// Generates any string. The alternative has about as many bytes as fit without an allocation.
impl Generate for CompactString {
    #[inline]
    fn generate(source: &mut Source) -> CompactString {
        source.span(Label::group("CompactString"), |source| {
            let is_near = source.alternative(2, &[3, 1], 2) == 1;
            source.span(Label::ALTERNATIVE, |source| {
                if !is_near {
                    return String::generate(source).into();
                }
                // The last character can have up to four bytes.
                let sizes = (INLINE - 4, INLINE);
                let mut text = draw_text(source, sizes, |source| source.character(' ', '~'));
                text.push(char::generate(source));
                text.into()
            })
        })
    }
}

impl ToCode for CompactString {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.call("compact_str::CompactString::from", &[&self.as_str()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, prints, replays};
    use rebut::find;

    #[test]
    fn strings_on_both_sides_of_the_limit_are_drawn() {
        let all = drawn(&any::<CompactString>(), 2000);
        for length in [0, 1, INLINE - 1, INLINE, INLINE + 1] {
            assert!(all.iter().any(|text| text.len() == length), "{length}");
        }
        assert!(all.iter().any(|text| text.len() == INLINE && !text.is_ascii()));
        assert!(all.iter().all(|text| text.to_string().parse().as_ref() == Ok(text)));
        assert!(all.iter().any(CompactString::is_heap_allocated));
        replays(&any::<CompactString>());
    }

    #[test]
    fn strings_shrink_to_the_empty_one() {
        assert_eq!(find(rebut::any::<CompactString>(), |_| true).as_deref(), Some(""));
        let heap = find(rebut::any(), CompactString::is_heap_allocated);
        assert_eq!(heap.map(|text| text.len()), Some(INLINE + 1));
        let two = find(rebut::any(), |text: &CompactString| text.chars().count() == 2);
        assert_eq!(two.as_deref(), Some("aa"));
    }

    #[test]
    fn strings_are_printed_as_literals() {
        prints!(compact_str::CompactString::from("a\n"));
    }
}
