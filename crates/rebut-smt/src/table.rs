//! Constant tables: functions from one bit-vector to another, written as runs of equal values.
//!
//! A read from constant memory at a symbolic index is such a function. As a term it is
//! `select(index, table)`, whatever the number of entries. As nested `ite`s it would be as large as
//! the table, and no rewrite could see what the entries have in common.

use std::sync::Arc;

use crate::value::mask;

/// A function from every bit-vector of one width to bit-vectors of another.
///
/// # Examples
/// ```
/// use rebut_smt::Table;
///
/// let table = Table::of_values(8, 16, &[7, 7, 9]).expect("8 bits index it");
/// assert_eq!(table.at(1), 7);
/// // The last value is repeated.
/// assert_eq!(table.at(200), 9);
/// assert_eq!(table.runs().count(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    index_width: u32,
    value_width: u32,
    /// The first index and the value of each run, ascending. The first run begins at 0, and
    /// neighbors have different values, so equal functions are equal tables.
    runs: Arc<[(u32, u128)]>,
    greatest: u128,
}

/// Indices that have the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableRun {
    /// The first index.
    pub first: u32,
    /// The last index.
    pub last: u32,
    /// The value of each of them.
    pub value: u128,
}

impl Table {
    /// The maximum width of an index.
    pub const INDEX_WIDTH_MAX: u32 = 32;

    /// Builds a table from the values of the first indices; the last one is repeated. `None`
    /// without values, if there are more values than indices, or if a width is out of range.
    pub fn of_values(index_width: u32, value_width: u32, values: &[u128]) -> Option<Table> {
        let fits = values.len() as u128 <= mask(index_width.min(64)) + 1;
        let runs = values.iter().enumerate().map(|(index, value)| (index as u32, *value));
        if fits { Table::of_runs(index_width, value_width, runs) } else { None }
    }

    /// Builds a table from the first index and the value of each run, ascending. `None` if the
    /// first run does not begin at 0, or if a width is out of range.
    pub fn of_runs(
        index_width: u32,
        value_width: u32,
        runs: impl IntoIterator<Item = (u32, u128)>,
    ) -> Option<Table> {
        let are_widths = (1..=Table::INDEX_WIDTH_MAX).contains(&index_width)
            && (1..=crate::Sort::WIDTH_MAX).contains(&value_width);
        let mut merged: Vec<(u32, u128)> = Vec::new();
        for (first, value) in runs {
            let value = value & mask(value_width);
            if merged.last().is_none_or(|last| last.1 != value) {
                merged.push((first, value));
            }
        }
        let begins = merged.first().is_some_and(|run| run.0 == 0);
        let ascends = merged.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let ends = merged.last().is_some_and(|run| u128::from(run.0) <= mask(index_width));
        let greatest = merged.iter().map(|run| run.1).max()?;
        (are_widths && begins && ascends && ends).then(|| Table {
            index_width,
            value_width,
            runs: merged.into(),
            greatest,
        })
    }

    /// Returns the width of an index.
    pub fn index_width(&self) -> u32 {
        self.index_width
    }

    /// Returns the width of a value.
    pub fn value_width(&self) -> u32 {
        self.value_width
    }

    /// Returns the greatest index.
    pub fn last_index(&self) -> u32 {
        mask(self.index_width) as u32
    }

    /// Returns the value at an index; that of the last one for greater numbers.
    pub fn at(&self, index: u128) -> u128 {
        let after = self.runs.partition_point(|run| u128::from(run.0) <= index);
        self.runs[after - 1].1
    }

    /// Returns the greatest value.
    pub(crate) fn greatest(&self) -> u128 {
        self.greatest
    }

    /// Iterates over the runs, from index 0 to the last one.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = TableRun> + ExactSizeIterator + '_ {
        self.runs_from(0, self.runs.len())
    }

    /// Iterates over the runs that have an index between two, cut to them.
    pub(crate) fn runs_between(
        &self,
        first: u32,
        last: u32,
    ) -> impl DoubleEndedIterator<Item = TableRun> + '_ {
        let begin = self.runs.partition_point(|run| run.0 <= first) - 1;
        let end = self.runs.partition_point(|run| run.0 <= last);
        self.runs_from(begin, end.max(begin)).map(move |run| TableRun {
            first: run.first.max(first),
            last: run.last.min(last),
            value: run.value,
        })
    }

    fn runs_from(
        &self,
        begin: usize,
        end: usize,
    ) -> impl DoubleEndedIterator<Item = TableRun> + ExactSizeIterator + '_ {
        (begin..end).map(|n| {
            let (first, value) = self.runs[n];
            let last = self.runs.get(n + 1).map_or(self.last_index(), |next| next.0 - 1);
            TableRun { first, last, value }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_are_equal_tables() {
        let by_value = Table::of_values(2, 4, &[1, 1, 3, 3]);
        let by_run = Table::of_runs(2, 4, [(0, 17), (2, 3)]);
        assert!(by_value.is_some());
        assert_eq!(by_value, by_run);
    }

    #[test]
    fn runs_between_two_indices_are_cut() {
        let table = Table::of_values(4, 8, &[5, 6, 6, 6, 7]).expect("widths that fit");
        let runs: Vec<(u32, u32, u128)> =
            table.runs_between(2, 9).map(|run| (run.first, run.last, run.value)).collect();
        assert_eq!(runs, [(2, 3, 6), (4, 9, 7)]);
        let last = table.runs().next_back().map(|run| run.last);
        assert_eq!(last, Some(15));
    }

    #[test]
    fn tables_that_no_index_fits_are_refused() {
        assert_eq!(Table::of_values(1, 8, &[1, 2, 3]), None);
        assert_eq!(Table::of_values(33, 8, &[1]), None);
        assert_eq!(Table::of_runs(4, 8, [(1, 1)]), None);
        assert_eq!(Table::of_runs(4, 8, [(0, 1), (16, 2)]), None);
    }
}
