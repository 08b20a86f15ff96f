//! Words.
use super::Nfa;
use std::sync::Arc;

/// See [`crate::Language::words`].
#[derive(Debug)]
pub struct Words;
impl Words {
    pub(crate) fn new(_: Arc<Nfa>) -> Words {
        unimplemented!()
    }
}
impl Iterator for Words {
    type Item = String;
    fn next(&mut self) -> Option<String> {
        unimplemented!()
    }
}
