extern crate rebut;

use super::*;

// expect: passed
#[rebut::test]
fn errors_have_text(a: char, b: [char; 2]) {
    let one: String = a.to_string();
    let two: String = b.iter().cloned().collect();
    let error = hamming(&one, &two).unwrap_err();
    assert_eq!(error, StrSimError::DifferentLengthArgs);
}

/// The closest of some words.
#[derive(Debug)]
pub struct Dictionary {
    words: Vec<String>,
}

#[rebut::contract]
impl Dictionary {
    pub fn new() -> Dictionary {
        Dictionary { words: Vec::new() }
    }

    pub fn learn(&mut self, word: String) {
        self.words.push(word);
    }

    /// The distance of the closest word, by a measure.
    #[requires(!self.words.is_empty())]
    #[ensures(result <= word.chars().count(), "the empty word is not farther away")]
    pub fn closest(&self, word: &str, #[ensures(result <= 3)] weight: impl Fn(usize) -> usize) -> usize {
        let distances = self.words.iter().map(|each| levenshtein(each, word));
        distances.map(|distance| distance + weight(distance)).min().unwrap()
    }
}

// expect: failed: the empty word is not farther away
#[rebut::test]
fn dictionaries_keep_their_contract(program: rebut::Program<Dictionary>) {
    program.run();
}
