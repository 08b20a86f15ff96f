//! How many columns of a terminal a text takes.

use rebut::prelude::*;
use rebut::Program;
use std::collections::BTreeMap;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Sum of the widths of all characters.
fn sum(text: &str) -> usize {
    text.chars().filter_map(UnicodeWidthChar::width).sum()
}

// expect: passed
#[rebut::test]
fn printable_ascii_is_narrow(#[from(strings().alphabet(chars().ascii_printable()))] text: String) {
    assert_eq!(text.width(), text.len());
    assert_eq!(text.width(), sum(&text));
}

// Control characters have a width in a string only.
// expect: failed
#[rebut::test]
fn the_width_is_the_sum_of_characters(text: String) -> bool {
    text.width() == sum(&text)
}

// Some pairs are shown as one character.
// expect: failed
#[rebut::test]
fn widths_add_up(
    #[from(strings().alphabet(chars().one_of("a1\u{2764}\u{fe0f}\u{6f22}\u{200d}\u{20e3}")))] one: String,
    #[from(strings().alphabet(chars().one_of("b\u{fe0f}\u{1f469}\u{200d}")))] other: String,
) {
    assert_eq!((one.clone() + &other).width(), one.width() + other.width());
}

// expect: passed
#[rebut::test]
fn east_asian_widths_are_not_smaller(c: char) {
    match (c.width(), c.width_cjk()) {
        (Some(width), Some(cjk)) => assert!(width <= cjk, "{c:?}: {width} and {cjk}"),
        (None, None) => assert!(c.is_control()),
        other => panic!("{c:?}: {other:?}"),
    }
}

// expect: proved
#[rebut::test]
fn latin_characters_have_a_width_if_they_are_shown(byte: u8) {
    let c = char::from(byte);
    assert_eq!(c.width().is_none(), c.is_control(), "{:?}", c);
}

// No character is that wide.
// expect: vacuous
#[rebut::test]
fn very_wide_characters_are_letters(c: char, text: &str) {
    let widest = text.chars().chain([c]).filter(|c| c.width() >= Some(9)).max();
    if let Some(widest) = widest {
        assert!(widest.is_alphabetic());
    }
}

/// Fills a text with spaces.
fn padded(text: &str, width: usize) -> String {
    let missing = width - text.width();
    text.to_owned() + &" ".repeat(missing)
}

// The text can be too long.
// expect: failed: attempt to subtract with overflow
#[rebut::test]
fn padded_text_has_its_width(text: &str, #[from(..40_usize)] width: usize) {
    assert_eq!(padded(text, width).width(), width);
}

/// The first characters of a text that fit.
fn cut(text: &str, width: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > width {
            return &text[..at];
        }
    }
    text
}

// The sum of two characters is not their width.
// expect: failed
#[rebut::test]
fn cut_text_fits(#[from(strings().alphabet(chars().one_of("1\u{2764}\u{fe0f}\u{20e3}x")))] text: &str, #[from(0..5_usize)] width: usize) {
    let cut = cut(text, width);
    assert!(text.starts_with(cut));
    assert!(cut.width() <= width, "{:?} is {} wide", cut, cut.width());
}

#[rebut::mock]
pub trait Terminal {
    #[from(..200_u16)]
    fn columns(&self) -> u16;

    fn write(&mut self, line: &str) -> Result<(), String>;
}

/// Writes a text in lines.
fn wrap(terminal: &mut dyn Terminal, text: &str) -> Result<usize, String> {
    let columns = usize::from(terminal.columns());
    let lines = text.width().div_ceil(columns);
    for line in 0..lines {
        let rest: String = text.chars().skip(line * columns).take(columns).collect();
        terminal.write(&rest)?;
    }
    Ok(lines)
}

// A terminal can have no columns.
// expect: failed: attempt to divide by zero
#[rebut::test]
fn wrapping_needs_a_column(mut terminal: MockTerminal, text: &str) {
    if let Ok(lines) = wrap(&mut terminal, text) {
        assert!(lines <= text.width());
    }
}

/// Writes numbers in a column.
#[rebut::contract]
pub trait Style {
    #[ensures(result.is_some_and(|c| c.width() == Some(1)) || result.is_none())]
    fn fill(&self, column: u8) -> Option<char>;
}

/// A table with a title for each column.
#[derive(Debug)]
pub struct Table {
    titles: Vec<String>,
    widths: BTreeMap<u8, usize>,
}

#[rebut::contract]
impl Table {
    pub fn new() -> Table {
        Table { titles: Vec::new(), widths: BTreeMap::new() }
    }

    #[ensures(self.titles.len() == old(self.titles.len()) + 1)]
    pub fn add(&mut self, title: impl Into<String> + Clone) {
        let title = title.into();
        self.widths.insert(self.titles.len() as u8, title.width());
        self.titles.push(title);
    }

    pub fn title(&self, column: usize) -> Option<&str> {
        self.titles.get(column).map(|title| title.as_str())
    }

    #[requires(usize::from(column) < self.titles.len())]
    #[ensures(result.width() == width.max(self.titles[usize::from(column)].width()))]
    pub fn cell(&self, column: u8, width: usize, style: &dyn Style) -> String {
        let width = width % 20;
        let mut cell = self.titles[usize::from(column)].clone();
        while cell.width() < width {
            cell.push(style.fill(column).unwrap_or(' '));
        }
        cell
    }
}

// The width is limited.
// expect: failed: `Table::cell` ensures
#[rebut::test]
fn table_keeps_its_contract(program: Program<Table>) {
    program.run();
}

/// Width of the widest text.
#[rebut::contract(with(T = String))]
#[ensures(texts.iter().all(|text| text.as_ref().width() <= result))]
pub fn widest<T: AsRef<str>>(texts: &[T]) -> usize {
    texts.iter().map(|text| sum(text.as_ref())).max().unwrap_or(0)
}

// expect: failed
#[rebut::test]
fn the_widest_text_is_found(program: Program<widest>) {
    program.run();
}
