extern crate inflector;
extern crate rebut;

use inflector::numbers::deordinalize::deordinalize;
use inflector::numbers::ordinalize::ordinalize;
use inflector::{Inflector, InflectorNumbers};
use rebut::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Generate)]
enum Case {
    Snake,
    Kebab,
    Camel,
    Pascal,
    Title,
}

impl Case {
    fn apply(self, text: &str) -> String {
        match self {
            Case::Snake => text.to_snake_case(),
            Case::Kebab => text.to_kebab_case(),
            Case::Camel => text.to_camel_case(),
            Case::Pascal => text.to_pascal_case(),
            Case::Title => text.to_title_case(),
        }
    }
}

// Empty text has no last character.
// expect: failed: attempt to subtract with overflow
#[rebut::test]
fn ordinalize_never_panics(text: &str) {
    ordinalize(text);
}

// expect: passed
#[rebut::test]
fn ordinals_round_trip(number: u32) {
    let text = number.to_string();
    assert_eq!(deordinalize(&ordinalize(&text)), text);
}

// expect: proved: 1000
#[rebut::test]
fn ordinals_have_two_letters(#[from(0..1000u16)] number: u16) {
    let text = i32::from(number).ordinalize();
    assert_eq!(text.len(), number.to_string().len() + 2);
    assert_eq!(text.ends_with("th"), number / 10 % 10 == 1 || number % 10 == 0 || number % 10 > 3);
}

// expect: failed
#[rebut::test]
fn a_case_is_idempotent(case: Case, #[from(strings().alphabet(chars().one_of("abAB1_- ")).max_size(8))] text: String) {
    let once = case.apply(&text);
    assert_eq!(case.apply(&once), once);
}

// expect: failed
#[rebut::test]
fn converted_text_has_its_case(words: Vec<String>) -> bool {
    let text = words.join(" ");
    text.to_snake_case().is_snake_case()
}

// expect: failed
#[rebut::test]
fn plurals_differ(#[from(strings().alphabet('a'..='z').min_size(1).max_size(5))] word: String, _count: Option<u8>) {
    assert_ne!(word.to_plural(), word);
}

// expect: failed
#[rebut::test]
fn a_plural_has_a_singular(#[from(strings().alphabet(chars().one_of("aeistnxy")).min_size(2).max_size(5))] word: String) {
    assert_eq!(word.to_plural().to_singular(), word);
}

// expect: passed
#[rebut::test]
fn snake_case_has_no_upper_case((first, second): (u8, u8), #[from(strings().alphabet(chars().ascii_alphabetic()))] name: String) {
    let text = format!("{}{}{}", first, name, second);
    assert!(!text.to_snake_case().bytes().any(|byte| byte.is_ascii_uppercase()));
}
