extern crate rebut;
extern crate roman;

use rebut::prelude::*;
use std::collections::HashMap;

fn digits(numeral: &str) -> Vec<char> {
    numeral.chars().collect()
}

/// Fails unless the symbols of a numeral occur at most three times in a row.
fn check_runs(numeral: &str) {
    let digits = digits(numeral);
    for four in digits.windows(4) {
        assert!(!four.iter().all(|c| *c == four[0]), "four in a row in {}", numeral);
    }
}

// expect: proved: 3999
#[rebut::test]
fn all_numbers_round_trip(#[from(1..=3999)] n: i32) {
    let text = roman::to(n).expect("in range");
    check_runs(&text);
    assert_eq!(roman::from(&text), Some(n));
}

// expect: proved: 3999
#[rebut::test]
fn runs_are_short(#[from(1..=roman::MAX)] n: i32) {
    if let Some(text) = roman::to(n) {
        check_runs(&text);
    }
}

// 3888 has 15 symbols.
// expect: failed: MMMDCCCLXXXVIII
#[rebut::test]
fn numerals_have_at_most_fourteen_symbols(#[from(1..4000)] n: i32) {
    let text = roman::to(n).unwrap();
    assert!(text.len() <= 14, "{}", text);
}

// expect: failed
#[rebut::test]
fn larger_numbers_have_longer_numerals(a: u8, b: u8) -> Result<(), String> {
    let (Some(short), Some(long)) = (roman::to(i32::from(a)), roman::to(i32::from(b))) else {
        return Ok(());
    };
    if a < b && short.len() > long.len() {
        return Err(format!("{} is longer than {}", short, long));
    }
    Ok(())
}

// expect: passed
#[rebut::test]
fn other_numbers_have_no_numeral(n: i32) {
    match roman::to(n) {
        Some(text) => assert!(n >= 1 && n <= roman::MAX && !text.is_empty()),
        None => assert!(n < 1 || n > roman::MAX),
    }
}

/// The number of symbols, counted with too much recursion.
fn count(text: &str, depth: u64) -> u64 {
    let frame = [depth; 64];
    let mut chars = text.chars();
    match chars.next() {
        None if depth > 300 => count("M", std::hint::black_box(frame)[7] + 1),
        None => 0,
        Some(_) => 1 + count(chars.as_str(), depth + frame[3] / depth.max(1)),
    }
}

// expect: failed
#[rebut::test]
fn counting_recursively_terminates(#[from(0..1000_u64)] depth: u64, #[from(1..40)] n: i32) {
    let text = roman::to(n).unwrap();
    assert_eq!(count(&text, depth), text.len() as u64);
}

// expect: failed
#[rebut::test]
fn no_date_aborts(day: u8, month: Option<u8>, notes: Vec<String>) {
    let text = roman::to(i32::from(day)).unwrap_or_default();
    if text.ends_with("XIII") && month.is_some() && notes.len() < 3 {
        std::process::abort();
    }
    assert!(text.len() < 20);
}

// expect: failed
#[rebut::test(deadline = "300ms")]
fn subtracting_ends(n: u16, #[from(["I", "V", "X"])] unit: &str) {
    let step = roman::from(unit).unwrap();
    let mut rest = i32::from(n);
    // Some seconds of work, also on a busy machine.
    let mut rounds = 0_u32;
    while rest != 0 {
        rounds += 1;
        assert!(rounds < 300_000_000, "an ordinary test ends");
        rest -= step;
        if rest < -1_000_000 {
            rest = -1;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Generate)]
enum Symbol {
    I,
    V,
    X,
    L,
}

impl Symbol {
    fn letter(self) -> char {
        match self {
            Symbol::I => 'I',
            Symbol::V => 'V',
            Symbol::X => 'X',
            Symbol::L => 'L',
        }
    }
}

// Only the first numeral has to be accepted, and most lists are none.
// expect: passed
#[rebut::test]
fn numerals_of_symbols_are_canonical(symbols: Vec<Symbol>) {
    let text: String = symbols.iter().map(|symbol| symbol.letter()).collect();
    let Some(n) = roman::from(&text) else { return };
    assert_eq!(roman::to(n), Some(text));
}

// Symbols may repeat.
// expect: failed
#[rebut::test]
fn every_order_of_symbols_is_a_numeral(symbols: [Symbol; 3], _names: HashMap<Symbol, &str>) -> bool {
    let text: String = symbols.iter().map(|symbol| symbol.letter()).collect();
    roman::from(&text).is_some()
}

// Each pair of four symbols.
// expect: proved: 16
#[rebut::test]
fn two_symbols_have_a_sum_or_a_difference(first: Symbol, second: Symbol) {
    let value = |symbol: Symbol| roman::from(&symbol.letter().to_string()).unwrap();
    let text: String = [first, second].iter().map(|s| s.letter()).collect();
    if let Some(n) = roman::from(&text) {
        assert!(n == value(first) + value(second) || n == value(second) - value(first));
    }
}

// No numeral has a line break.
// expect: vacuous
#[rebut::test]
fn numerals_with_a_line_break_are_positive(text: String, at: u8) {
    let mut text = text;
    text.push('\n');
    if let Some(n) = roman::from(&text) {
        assert!(n > i32::from(at));
    }
}

/// A counter that is shown with roman numerals.
#[derive(Debug, Clone, PartialEq)]
pub struct Chapter(i32);

#[rebut::contract]
#[invariant(self.0 >= 1, "chapters start at one")]
impl Chapter {
    pub fn first() -> Chapter {
        Chapter(1)
    }

    pub fn parse(text: &str) -> Option<Chapter> {
        roman::from(text).map(Chapter)
    }

    #[ensures(result.0 > self.0)]
    pub fn next(&self) -> Chapter {
        Chapter(self.0 + 1)
    }

    #[ensures(result.is_some() == (self.0 <= 3999))]
    pub fn title(&self) -> Option<String> {
        roman::to(self.0)
    }

    /// Consumes both.
    #[ensures(result.0 > 0)]
    pub fn join(self, other: Chapter) -> Chapter {
        Chapter(self.0 - other.0)
    }

    pub fn skip(&mut self, count: impl Into<i32>) {
        let count: i32 = count.into();
        self.0 = self.0.saturating_add(count.max(0));
    }
}

// expect: failed: Chapter::join
#[rebut::test]
fn chapters_keep_their_contract(program: rebut::Program<Chapter>) {
    program.run();
}
