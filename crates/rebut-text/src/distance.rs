//! Distance.
use crate::language::{Language, Nfa, TooComplex};

/// How many insertions, deletions and replacements of a character make one text of the other.
#[must_use]
pub fn edit_distance(left: &str, right: &str) -> usize {
    let _ = (left, right);
    unimplemented!()
}

pub(crate) fn automaton(_: &str, _: usize) -> Nfa {
    unimplemented!()
}

/// See [`Language::far_apart`].
#[derive(Debug)]
pub struct FarApart;
impl FarApart {
    pub(crate) fn new(_: &Language, _: usize, _: u64) -> Result<FarApart, TooComplex> {
        unimplemented!()
    }
}
impl Iterator for FarApart {
    type Item = String;
    fn next(&mut self) -> Option<String> {
        unimplemented!()
    }
}
