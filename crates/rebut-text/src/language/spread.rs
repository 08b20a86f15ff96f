//! Spread.
use super::{Language, TooComplex};

/// See [`crate::Language::spread`].
#[derive(Debug)]
pub struct Spread;
impl Spread {
    pub(crate) fn new(_: &Language, _: u64) -> Result<Spread, TooComplex> {
        unimplemented!()
    }
}
impl Iterator for Spread {
    type Item = String;
    fn next(&mut self) -> Option<String> {
        unimplemented!()
    }
}
