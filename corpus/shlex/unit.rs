extern crate rebut;

use super::*;
use self::rebut::prelude::*;

// expect: passed
#[rebut::test]
fn a_single_quotation_ends_at_the_next_quote(text: &str) {
    let mut shlex = Shlex::new(text);
    let mut result = Vec::new();
    match shlex.parse_single(&mut result) {
        Ok(()) => assert_eq!(text.as_bytes()[result.len()], b'\''),
        Err(()) => assert_eq!(result, text.as_bytes()),
    }
}

// A backslash takes the next character.
// expect: failed
#[rebut::test]
fn a_double_quotation_ends_at_the_next_quote(#[from(strings().alphabet(chars().one_of("ab\\\"$")))] text: &str) {
    let mut shlex = Shlex::new(text);
    let mut result = Vec::new();
    if shlex.parse_double(&mut result).is_ok() {
        assert_eq!(text.find('"'), Some(result.len()));
    }
}

// expect: failed
#[rebut::test]
fn a_word_has_a_character(text: &str, #[from(b'a'..=b'z')] first: u8) {
    let mut shlex = Shlex::new(text);
    if let Some(word) = shlex.parse_word(first) {
        assert_eq!(word.len(), 1 + text.trim_end().len(), "{}", word);
    }
}

/// Splits text that arrives in pieces.
#[derive(Debug)]
pub struct Script {
    text: String,
    lines: usize,
}

#[rebut::contract]
#[invariant(self.lines >= 1)]
impl Script {
    pub fn new() -> Script {
        Script { text: String::new(), lines: 1 }
    }

    #[requires(!line.contains('\n'), "a line has no line break")]
    #[ensures(self.lines == old(self.lines) + 1)]
    pub fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines += 1;
    }

    #[ensures(result == self.lines)]
    pub fn count(&self) -> usize {
        let mut shlex = Shlex::new(&self.text);
        while shlex.next().is_some() {}
        shlex.line_no
    }
}

// expect: passed
#[rebut::test]
fn scripts_have_lines(program: rebut::Program<Script>) {
    program.run();
}
