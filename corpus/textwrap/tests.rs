extern crate rebut;
extern crate textwrap;

use rebut::prelude::*;
use textwrap::{dedent, fill, indent, wrap, NoHyphenation, WordSplitter, Wrapper};

fn prose() -> impl Generator<Value = String> {
    strings().alphabet(chars().one_of("ab- ")).max_size(30)
}

// expect: failed
#[rebut::test]
fn lines_fit(#[from(prose())] text: String, #[from(0..12usize)] width: usize) {
    for line in wrap(&text, width) {
        assert!(line.len() <= width, "{:?}", line);
    }
}

// A space at the end of the text stays.
// expect: failed
#[rebut::test]
fn lines_fit_if_words_may_break(#[from(prose())] text: String, #[from(1..12usize)] width: usize) {
    assert!(wrap(&text, width).iter().all(|line| line.len() <= width));
}

// expect: passed
#[rebut::test]
fn indentation_never_panics(text: &str, #[from(0..10usize)] width: usize, prefix: (String, String)) {
    let wrapper = Wrapper::new(width).initial_indent(&prefix.0).subsequent_indent(&prefix.1);
    wrapper.fill(text);
}

// expect: passed
#[rebut::test]
fn filling_never_panics(text: &str, width: usize) {
    fill(text, width);
}

// Spaces at the end of lines are removed.
// expect: failed
#[rebut::test]
fn no_character_is_lost(#[from(prose())] text: String, #[from(1..20usize)] width: usize) {
    let lines = wrap(&text, width);
    assert_eq!(lines.iter().map(|line| line.len()).sum::<usize>(), text.len());
}

// expect: failed
#[rebut::test]
fn filling_twice_changes_nothing(#[from(prose())] text: String, #[from(1..20usize)] width: usize) -> bool {
    let once = fill(&text, width);
    fill(&once, width) == once
}

// expect: passed
#[rebut::test]
fn dedent_undoes_indent(lines: Vec<Option<u8>>, #[from(1..4usize)] spaces: usize) {
    let text: String = lines.iter().map(|line| line.map_or(String::new(), |n| n.to_string()) + "\n").collect();
    assert_eq!(dedent(&indent(&text, &" ".repeat(spaces))), text);
}

// expect: failed
#[rebut::test]
fn every_line_gets_the_prefix(text: String, _note: Option<char>) {
    let indented = indent(&text, "> ");
    assert_eq!(indented.matches("> ").count(), text.lines().count());
}

/// Text that is wrapped to a column.
#[derive(Debug)]
pub struct Column {
    width: usize,
    words: Vec<String>,
}

#[rebut::contract]
#[invariant(self.width > 0)]
impl Column {
    #[requires(width > 0 && width < 100)]
    pub fn new(width: usize) -> Column {
        Column { width: width, words: vec![] }
    }

    #[requires(word.len() <= self.width, "a word fits into the column")]
    #[requires(!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric()))]
    pub fn push(&mut self, word: String) {
        self.words.push(word);
    }

    #[ensures(result.iter().all(|line| line.len() <= self.width))]
    #[ensures(result.len() <= self.words.len().max(1), "a line has a word")]
    pub fn lines(&self) -> Vec<String> {
        let text = self.words.join(" ");
        let wrapper = Wrapper::with_splitter(self.width, NoHyphenation);
        wrapper.wrap(&text).into_iter().map(|line| line.into_owned()).collect()
    }

    #[ensures(result >= self.words.len(), "each word has a line")]
    pub fn height(&self) -> usize {
        self.lines().len()
    }
}

// expect: failed: each word has a line
#[rebut::test]
fn columns_keep_their_contract(program: rebut::Program<Column>) {
    program.run();
}

// expect: passed
#[rebut::test]
fn splits_are_parts_of_the_word(#[from(strings().alphabet(chars().one_of("ab-")))] word: String) {
    for (head, hyphen, tail) in textwrap::HyphenSplitter.split(&word) {
        assert_eq!(format!("{}{}{}", head, hyphen, tail), word);
    }
}
