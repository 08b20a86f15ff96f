//! Lookups in constant tables as circuits.
//!
//! Bits of the result that are exclusive ors of bits of the index are built from those: all bits of
//! a table for cyclic redundancy checks are. The others are a decision tree over the bits of the
//! index, the highest first. Gates are shared, so it becomes a graph that decides each question
//! once (Bryant 1986).

use super::gates::Gates;
use super::sat::Lit;
use super::words::Word;
use crate::Table;
use crate::value::mask;

/// The width of an index up to which exclusive ors are looked for. Arbitrary: the search visits
/// each index.
const LINEAR_WIDTH_MAX: u32 = 12;

impl Gates {
    /// Returns the value of a table at an index.
    pub(super) fn select(&mut self, index: &[Lit], table: &Table) -> Word {
        let linear = linear_bits(table);
        let mut word = self.decision_tree(index, table, 0, !linear);
        for (bit, out) in word.iter_mut().enumerate() {
            if linear >> bit & 1 == 1 {
                *out = self.linear_bit(index, table, bit);
            }
        }
        word
    }

    /// Decides between the values of all indices that begin at `first`. Only the bits in `kept` are
    /// right.
    fn decision_tree(&mut self, index: &[Lit], table: &Table, first: u32, kept: u128) -> Word {
        let last = first | mask(index.len() as u32) as u32;
        let mut values = table.runs_between(first, last).map(|run| run.value & kept);
        let value = values.next().unwrap_or_default();
        let is_same = values.all(|other| other == value);
        let width = table.value_width() as usize;
        match index.split_last() {
            Some((highest, lower)) if !is_same => {
                let half = 1 << lower.len();
                if *highest == Lit::FALSE {
                    return self.decision_tree(lower, table, first, kept);
                }
                let above = self.decision_tree(lower, table, first + half, kept);
                if *highest == Lit::TRUE {
                    return above;
                }
                let below = self.decision_tree(lower, table, first, kept);
                self.choose_word(*highest, &above, &below)
            }
            _ => Gates::constant(width, value),
        }
    }

    fn linear_bit(&mut self, index: &[Lit], table: &Table, bit: usize) -> Lit {
        let at = |place: u128| table.at(place) >> bit & 1 == 1;
        let start = at(0);
        let flipping = (0..index.len()).filter(|n| at(1 << n) != start);
        flipping.fold(Lit::constant(start), |out, n| self.xor(out, index[n]))
    }
}

/// Returns the bits of the values that are exclusive ors of bits of the index, and a constant.
fn linear_bits(table: &Table) -> u128 {
    if table.index_width() > LINEAR_WIDTH_MAX {
        return 0;
    }
    let start = table.at(0);
    let mut linear = mask(table.value_width());
    for index in 1..=u128::from(table.last_index()) {
        let lowest = index & index.wrapping_neg();
        let flipped = table.at(index) ^ table.at(index ^ lowest);
        linear &= !(flipped ^ table.at(lowest) ^ start);
        if linear == 0 {
            break;
        }
    }
    linear
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_bits_are_found_one_by_one() {
        // Bit 0 is the parity of the index, bit 1 is a conjunction, bit 2 is constant.
        let value = |n: u128| (n.count_ones() as u128 & 1) | u128::from(n & 3 == 3) << 1 | 4;
        let values: Vec<u128> = (0..16).map(value).collect();
        let table = Table::of_values(4, 3, &values).expect("16 values");
        assert_eq!(linear_bits(&table), 0b101);
    }
}
