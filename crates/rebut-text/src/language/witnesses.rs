//! Witnesses.
use super::Nfa;
use std::sync::Arc;

/// See [`crate::Language::lengths`].
#[derive(Debug)]
pub struct Lengths;
impl Lengths {
    pub(crate) fn new(_: Arc<Nfa>) -> Lengths {
        unimplemented!()
    }
}
impl Iterator for Lengths {
    type Item = Witness;
    fn next(&mut self) -> Option<Witness> {
        unimplemented!()
    }
}

/// A string that is spelled out when it is displayed (`to_string`) or written.
#[derive(Clone, Debug)]
pub struct Witness;
impl Witness {
    /// How many characters it has.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a text of length zero is a witness too")]
    pub fn len(&self) -> usize {
        unimplemented!()
    }
    /// Appends it to a text.
    pub fn write_to(&self, _: &mut String) {
        unimplemented!()
    }
}
impl std::fmt::Display for Witness {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        unimplemented!()
    }
}
