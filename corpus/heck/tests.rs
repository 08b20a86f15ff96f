use heck::*;
use rebut::prelude::*;

/// Which convention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Generate)]
enum Case {
    Snake,
    Kebab,
    Camel(bool),
    Title,
}

fn convert(case: Case, text: &str) -> String {
    match case {
        Case::Snake => text.to_snake_case(),
        Case::Kebab => text.to_kebab_case(),
        Case::Camel(true) => text.to_upper_camel_case(),
        Case::Camel(false) => text.to_lower_camel_case(),
        Case::Title => text.to_title_case(),
    }
}

fn identifiers() -> impl Generator<Value = String> {
    strings().alphabet(chars().one_of("abAB1_- ")).max_size(10)
}

// expect: passed
#[rebut::test]
fn conversions_are_idempotent_in_ascii(#[from(identifiers())] text: String, upper: bool) {
    let case = if upper { Case::Title } else { Case::Snake };
    let once = convert(case, &text);
    assert_eq!(convert(case, &once), once);
}

// Adjacent single letters become one word.
// expect: failed
#[rebut::test]
fn every_conversion_is_idempotent(case: Case, #[from(identifiers())] text: &str) {
    let once = convert(case, text);
    assert_eq!(convert(case, &once), once);
}

// expect: failed
#[rebut::test]
fn snake_case_survives_camel_case(words: Vec<(char, u8)>) {
    let text: Vec<String> = words.iter().map(|(letter, number)| format!("{letter}{number}")).collect();
    let snake = text.join("_").to_snake_case();
    assert_eq!(snake.to_upper_camel_case().to_snake_case(), snake);
}

// Mathematical capitals have no lower case.
// expect: failed
#[rebut::test]
fn snake_case_has_no_upper_case(before: String, #[from('\u{1d3ff}'..='\u{1d436}')] letter: char) -> bool {
    let text = format!("{before}{letter}");
    text.to_snake_case().chars().all(|c| !c.is_uppercase())
}

// expect: passed
#[rebut::test]
fn conversions_never_panic(case: Case, text: &str) {
    convert(case, text);
}

// expect: passed
#[rebut::test]
fn shouting_is_upper_case_of_snake(#[from(identifiers())] text: String) {
    assert_eq!(text.to_shouty_snake_case(), text.to_snake_case().to_uppercase());
    assert_eq!(AsShoutySnakeCase(&text).to_string(), text.to_shouty_snake_case());
}

// expect: proved: 128
#[rebut::test]
fn one_ascii_letter_stays(#[from(..128u8)] byte: u8) {
    let text = char::from(byte).to_string();
    let expected = if byte.is_ascii_alphanumeric() { text.to_ascii_lowercase() } else { String::new() };
    assert_eq!(text.to_snake_case(), expected);
}

/// A table of names.
#[derive(Debug, Default)]
pub struct Names {
    names: Vec<String>,
}

#[rebut::contract]
#[invariant(self.names.iter().all(|name| *name == name.to_snake_case()))]
impl Names {
    pub fn new() -> Names {
        Names::default()
    }

    #[requires(name.is_ascii())]
    #[ensures(result < self.names.len())]
    #[ensures(self.names.len() == old(self.names.len()) + 1, "each name is another")]
    pub fn intern(&mut self, name: &str) -> usize {
        let name = name.to_snake_case();
        if let Some(found) = self.names.iter().position(|each| *each == name) {
            return found;
        }
        self.names.push(name);
        self.names.len() - 1
    }

    #[requires(index < self.names.len())]
    pub fn rename(&mut self, index: usize, rename: impl FnOnce(&str) -> String) {
        self.names[index] = rename(&self.names[index]).to_snake_case();
    }
}

// Two names can be the same in snake case.
// expect: failed: each name is another
#[rebut::test]
fn names_keep_their_contract(program: rebut::Program<Names>) {
    program.run();
}
