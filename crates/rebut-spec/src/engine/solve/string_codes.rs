//! Strings for the embedded solver, which has none: a string is its length and its rank among
//! the strings of that length.
//!
//! The solver chooses two integers; this table turns them into a string. The strings of a length
//! are listed only once the solver has chosen that length.

use crate::ir::{Value, VarId};
use rebut_text::Language;
use std::collections::{BTreeMap, HashMap};

/// The number of strings of a length that the embedded solver may choose from. Arbitrary. Others
/// are not found, so the list ends as unproved.
pub(super) const PLACES_MAX: i128 = 50;

/// The strings behind lengths and ranks.
#[derive(Default)]
pub(super) struct StringCodes {
    pub(super) languages: BTreeMap<VarId, Language>,
    known: HashMap<(VarId, i128), Vec<Value>>,
    /// Whether a language has more lengths than the solver may choose from.
    pub(super) cut: bool,
}

impl StringCodes {
    /// The string of a length and a rank.
    pub(super) fn string(
        &mut self,
        id: VarId,
        length: i128,
        rank: i128,
        seed: u64,
    ) -> Option<Value> {
        let language = self.languages.get(&id)?;
        let strings = self.known.entry((id, length)).or_insert_with(|| {
            let length = usize::try_from(length).unwrap_or_default();
            let words = language.of_length(length..=length).spread(seed);
            words.map_or_else(
                |_| Vec::new(),
                |words| {
                    words.take(PLACES_MAX as usize).map(|word| Value::from(word.as_str())).collect()
                },
            )
        });
        strings.get(usize::try_from(rank).ok()?).cloned()
    }
}
