//! Vectors and strings with a fixed capacity: types of the crate `arrayvec`.

use arrayvec::{ArrayString, ArrayVec};
use rebut_choice::Source;

use super::fixed_capacity::{draw_elements, draw_text_in_bytes};
use crate::code::collections::brackets;
use crate::{Code, Generate, ToCode};

/// Generates up to `N` elements.
impl<T: Generate, const N: usize> Generate for ArrayVec<T, N> {
    fn generate(source: &mut Source) -> Self {
        draw_elements(source, N).into_iter().collect()
    }
}

impl<T: ToCode, const N: usize> ToCode for ArrayVec<T, N> {
    fn to_code(&self, code: &mut Code) {
        code.push("arrayvec::ArrayVec::from_iter(");
        brackets(code, self);
        code.push(")");
    }
}

/// Generates strings of up to `N` bytes.
impl<const N: usize> Generate for ArrayString<N> {
    fn generate(source: &mut Source) -> Self {
        let mut text = ArrayString::new();
        draw_text_in_bytes(source, N, |character| text.push(character));
        text
    }
}

impl<const N: usize> ToCode for ArrayString<N> {
    fn to_code(&self, code: &mut Code) {
        code.call("arrayvec::ArrayString::from", &[&self.as_str()]);
        code.push(".unwrap()");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, prints_as, replays};
    use crate::{any, simplest};

    #[test]
    fn vectors_are_empty_full_and_anything_between() {
        fn check<const N: usize>(count: u64) {
            let all = drawn(&any::<ArrayVec<u8, N>>(), count);
            for length in 0..=N {
                assert!(all.iter().any(|list| list.len() == length), "{length} of {N}");
            }
        }
        check::<0>(1);
        check::<1>(100);
        check::<7>(500);
        check::<40>(5000);
        replays(&any::<ArrayVec<String, 3>>());
    }

    #[test]
    fn strings_have_every_number_of_bytes_up_to_their_capacity() {
        fn check<const N: usize>() {
            let all = drawn(&any::<ArrayString<N>>(), 2000);
            for bytes in 0..=N {
                assert!(all.iter().any(|text| text.len() == bytes), "{bytes} of {N}");
            }
            let wide = all.iter().flat_map(|text| text.chars()).map(char::len_utf8).max();
            assert_eq!(wide, Some(N.min(4)).filter(|&bytes| bytes > 0));
        }
        check::<0>();
        check::<1>();
        check::<3>();
        check::<10>();
        replays(&any::<ArrayString<9>>());
    }

    #[test]
    fn unneeded_elements_are_deleted() {
        let full = rebut::find(rebut::any::<ArrayVec<u8, 3>>(), |list| list.is_full());
        assert_eq!(full.as_deref(), Some(&[0, 0, 0][..]));
        let full = rebut::find(rebut::any::<ArrayString<3>>(), |text| text.is_full());
        assert_eq!(full.as_deref(), Some("\u{800}"));
        let wide = rebut::find(rebut::any::<ArrayString<8>>(), |text| !text.is_ascii());
        assert_eq!(wide.as_deref(), Some("\u{80}"));
        assert_eq!(simplest(&any::<ArrayVec<u8, 3>>()).len(), 0);
    }

    #[test]
    fn vectors_and_strings_are_printed_for_any_capacity() {
        prints_as!(ArrayVec<u8, 3>, arrayvec::ArrayVec::from_iter([]));
        prints_as!(ArrayVec<u8, 3>, arrayvec::ArrayVec::from_iter([1, 2]));
        prints_as!(ArrayString<5>, arrayvec::ArrayString::from("").unwrap());
        prints_as!(ArrayString<5>, arrayvec::ArrayString::from("a\"b").unwrap());
    }
}
