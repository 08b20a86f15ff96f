//! Texts for a solver that knows none: a text is a length, and a place among the texts of that
//! length.

use crate::ir::{Value, VarId};
use rebut_text::Language;
use std::collections::{BTreeMap, HashMap};

/// So many texts of a length are told apart by the embedded solver.
pub(super) const PLACES_MAX: i128 = 50;

/// The texts behind lengths and places.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) languages: BTreeMap<VarId, Language>,
    known: HashMap<(VarId, i128), Vec<Value>>,
    /// Were there more lengths than are told apart?
    pub(super) cut: bool,
}

impl Texts {
    pub(super) fn text(
        &mut self,
        id: VarId,
        length: i128,
        place: i128,
        seed: u64,
    ) -> Option<Value> {
        let language = self.languages.get(&id)?;
        let texts = self.known.entry((id, length)).or_insert_with(|| {
            let length = usize::try_from(length).unwrap_or_default();
            let words = language.of_length(length..=length).spread(seed);
            words.map_or_else(
                |_| Vec::new(),
                |words| {
                    words.take(PLACES_MAX as usize).map(|word| Value::from(word.as_str())).collect()
                },
            )
        });
        texts.get(usize::try_from(place).ok()?).cloned()
    }
}
