//! Which functions a test is likely to come to.
//!
//! A test crate has all its tests in it, and the harness of the standard library. What a test
//! calls by name is easily followed. A call through the table comes to a function whose place in
//! the table somebody knows: code that has it as a constant, or a table of methods among the data
//! that code has the address of. Numbers that happen to look like one make the answer larger than
//! need be. Whoever computes such a number otherwise comes to a function that is not there, and
//! asks for it: so this need not be right, only mostly.

use std::collections::{BTreeSet, HashMap};

use wasmparser::{DataKind, DataSectionReader, Operator};

use super::module::Code;
use super::{Layout, Unfit};

/// Alignments are not greater, as a rule.
const ALIGN_MAX: u32 = 64;

/// A table of methods has no more words.
const METHODS_MAX: u32 = 64;

/// The data of a module, as words by their addresses.
pub(super) type Words = HashMap<u32, u32>;

/// Reads the data that the memory has at the start.
pub(super) fn words(section: &DataSectionReader<'_>) -> Result<Words, Unfit> {
    let mut words = Words::new();
    for segment in section.clone() {
        let segment = segment?;
        let DataKind::Active { offset_expr, .. } = &segment.kind else { continue };
        let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else {
            continue;
        };
        let start = value as u32;
        let first = start.next_multiple_of(4);
        let bytes = segment.data.get((first - start) as usize..).unwrap_or_default();
        let (all, _) = bytes.as_chunks::<4>();
        words.extend((first..).step_by(4).zip(all.iter().map(|word| u32::from_le_bytes(*word))));
    }
    Ok(words)
}

/// The functions that are likely to be called if these are.
pub(super) fn reachable(
    layout: &Layout,
    codes: &[Code<'_>],
    words: &Words,
    roots: &[u32],
) -> BTreeSet<u32> {
    let mut search = Search { layout, words, open: roots.to_vec(), numbers: BTreeSet::new() };
    let mut seen = BTreeSet::new();
    while let Some(function) = search.open.pop() {
        let own = function.checked_sub(layout.imports);
        let Some(code) = own.and_then(|place| codes.get(place as usize)) else { continue };
        if seen.insert(function) {
            code.operators.iter().for_each(|(operator, _)| search.follow(operator));
        }
    }
    seen
}

struct Search<'m> {
    layout: &'m Layout,
    words: &'m Words,
    open: Vec<u32>,
    /// Constants that were looked at.
    numbers: BTreeSet<u32>,
}

impl Search<'_> {
    fn follow(&mut self, operator: &Operator<'_>) {
        match operator {
            Operator::Call { function_index } | Operator::RefFunc { function_index } => {
                self.open.push(*function_index);
            }
            Operator::I32Const { value } => self.known(*value as u32),
            _ => {}
        }
    }

    /// A number that somebody has: a place in the table, or the address of a table of methods.
    fn known(&mut self, number: u32) {
        if self.numbers.insert(number) {
            self.open.extend(self.listed(number));
            self.open.extend(self.methods(number));
        }
    }

    /// The function at a place of the table.
    fn listed(&self, place: u32) -> Option<u32> {
        self.layout.table.get(place as usize).copied().flatten()
    }

    /// What a table of methods has, if there is one: how to drop, size, alignment, functions.
    fn methods(&self, address: u32) -> Vec<u32> {
        let word = |nth: u32| self.words.get(&address.wrapping_add(4 * nth)).copied();
        let (Some(drop), Some(size), Some(align)) = (word(0), word(1), word(2)) else {
            return Vec::new();
        };
        let is_table = (drop == 0 || self.listed(drop).is_some())
            && align.is_power_of_two()
            && align <= ALIGN_MAX
            && size % align == 0;
        if !is_table {
            return Vec::new();
        }
        let methods = (3..METHODS_MAX).map_while(|nth| self.listed(word(nth)?));
        methods.chain(self.listed(drop)).collect()
    }
}
