extern crate rebut;

use super::*;
use self::rebut::prelude::*;

// Many units before a larger one.
// expect: failed
#[rebut::test]
fn lax_numbers_are_positive(#[from(strings().alphabet(chars().one_of("IVX")))] text: String) {
    if let Some(n) = from_lax(&text) {
        assert!(n >= 0, "{} is {}", text, n);
    }
}

// expect: passed
#[rebut::test]
fn strict_numbers_are_lax_numbers(#[from(strings().alphabet(chars().one_of("IVXLCDM")).max_size(4))] text: &str) {
    if let Some(n) = from(text) {
        assert_eq!(from_lax(text), Some(n));
        assert!(ROMAN_PAIRS.iter().any(|&(_, value)| value <= n));
    }
}

// expect: proved: 7
#[rebut::test]
fn symbols_are_numerals(#[from(0..7)] nth: usize) {
    let (letter, value) = ROMAN[nth];
    let text = letter.to_string();
    for _ in 0..2 {
        assert_eq!(from(&text), Some(value));
    }
}

/// A source of numerals.
#[rebut::mock]
pub trait Inscription {
    fn next(&mut self) -> Option<char>;

    #[pure]
    fn year(&self, line: u8) -> i32;
}

fn read(inscription: &mut Inscription) -> i32 {
    let mut text = String::new();
    while let Some(c) = inscription.next() {
        text.push(c);
        if text.len() > 8 {
            break;
        }
    }
    from_lax(&text).map_or(0, |n| 100 / n)
}

// The empty text is zero.
// expect: failed: attempt to divide by zero
#[rebut::test]
fn reading_never_panics(mut inscription: MockInscription) {
    read(&mut inscription);
}

// expect: failed
#[rebut::test]
fn years_are_numerals(inscription: MockInscription, lines: &[u8]) {
    for &line in lines {
        let year = inscription.year(line);
        assert_eq!(to(year).is_some(), inscription.year(line) == year, "line {}", line);
    }
}
