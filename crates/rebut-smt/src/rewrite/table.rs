//! Tables: functions of one index merge into one table.
//!
//! `table[x + 1]` becomes another table of `x`, `other[table[x]]` one table of `x`, and
//! `table[x] + table[x] * 2 == 6` the indices for which that is true. So a lookup and its inverse
//! cancel: the table of both has the value `x` at `x`, and is `x` again.
//!
//! These rules look at the terms that the others built, because those know more about pieces. A
//! zero extension of an entry stays one, for example, so that entries can be put together.

use std::collections::BTreeSet;

use crate::evaluate::fold;
use crate::op::Op;
use crate::value::{Bits, mask};
use crate::{Pool, Sort, Table, Term, Value};

/// The number of entries, or of runs, of a table that a rewrite builds. Arbitrary: it is a tenth of
/// a megabyte. Larger functions stay composed of smaller ones.
const ENTRIES_MAX: usize = 4096;

/// The width of an index of a table with this many entries.
const INDEX_WIDTH_MAX: u32 = ENTRIES_MAX.ilog2();

/// The number of ranges up to which a set of indices is written as comparisons, which more layers
/// of the solver understand. Arbitrary.
const RANGES_MAX: usize = 4;

/// The number of extensions around an entry that rewrites look through. Arbitrary: code extends a
/// byte once or twice.
const EXTENSIONS_MAX: u32 = 4;

/// The first index and the value of each run.
type Runs = Vec<(u32, Value)>;

impl Pool {
    /// Returns the value of a constant table.
    fn table_of(&self, term: Term) -> Option<Table> {
        match self.value(term) {
            Some(Value::Table(table)) => Some(table.clone()),
            _ => None,
        }
    }

    pub(super) fn rewrite_select(&mut self, index: Term, table_term: Term, sort: Sort) -> Term {
        let simpler = self.table_of(table_term).and_then(|table| {
            if table.runs().len() == 1 {
                return Some(self.bits(table.value_width(), table.at(0)));
            }
            self.affine(index, &table).or_else(|| self.absorbed(index, &table))
        });
        simpler.unwrap_or_else(|| self.intern(Op::Select, &[index, table_term], sort))
    }

    /// Writes a table as `step * index + start`, if it is that for all possible indices.
    fn affine(&mut self, index: Term, table: &Table) -> Option<Term> {
        let width = table.value_width();
        let (start, step) = (table.at(0), table.at(1).wrapping_sub(table.at(0)));
        let last = table.last_index().min(u32::try_from(self.greatest(index)).ok()?);
        let fits = |n: u32| {
            let value = start.wrapping_add(step.wrapping_mul(u128::from(n)));
            value & mask(width) == table.at(u128::from(n))
        };
        // Neighbors differ, because the table is not constant; a longer run ends the search.
        if !(0..=last).all(fits) {
            return None;
        }
        let wide = self.resize(index, width);
        let (start, step) = (self.bits(width, start), self.bits(width, step));
        let product = self.bv_mul(wide, step);
        Some(self.bv_add(product, start))
    }

    /// Takes an operation on the index into the table.
    fn absorbed(&mut self, index: Term, table: &Table) -> Option<Term> {
        let (op, args) = (self.op(index), self.args(index).to_vec());
        let width = table.value_width();
        if let (Op::Ite, [condition, then, otherwise]) = (op, &args[..]) {
            if self.is_deep(index)
                || [then, otherwise].iter().all(|arg| self.value(**arg).is_none())
            {
                return None;
            }
            let [then, otherwise] = [then, otherwise].map(|arg| self.select(*arg, table.clone()));
            return Some(self.ite(*condition, then, otherwise));
        }
        let open: Vec<Term> =
            args.iter().copied().filter(|arg| self.value(*arg).is_none()).collect();
        let &[inner] = &open[..] else { return None };
        let inner_width = self.width(inner);
        let absorbed = match (op, self.table_of(*args.last()?)) {
            (Op::Select, Some(first)) => {
                let runs = first.runs().map(|run| (run.first, table.at(run.value)));
                Table::of_runs(inner_width, width, runs)
            }
            (Op::Concat, _) if inner == args[1] && inner_width < table.index_width() => {
                let first = (self.bits_of(args[0])? as u32) << inner_width;
                let last = first | mask(inner_width) as u32;
                let runs = table.runs_between(first, last);
                Table::of_runs(inner_width, width, runs.map(|run| (run.first - first, run.value)))
            }
            _ if inner_width == 0 || inner_width > INDEX_WIDTH_MAX => None,
            _ => {
                let values: Option<Vec<u128>> = (0..=mask(inner_width))
                    .map(|number| {
                        let value = Value::Bits(Bits::new(inner_width, number));
                        let args: Vec<&Value> =
                            args.iter().map(|arg| self.value(*arg).unwrap_or(&value)).collect();
                        let index = fold(op, Sort::BitVec(table.index_width()), &args)?;
                        Some(table.at(index.as_bits()?.unsigned()))
                    })
                    .collect();
                Table::of_values(inner_width, width, &values?)
            }
        }?;
        Some(self.select(inner, absorbed))
    }

    /// Merges an operation on entries of one index into one table of that index.
    pub(super) fn fused(&mut self, term: Term) -> Option<Term> {
        let (op, sort) = (self.op(term), self.sort(term));
        let args = self.args(term);
        let is_fusible = match op {
            Op::BvNot | Op::BvNeg | Op::Extract { .. } => true,
            // Pieces next to constants stay pieces.
            Op::Concat => args.iter().all(|arg| self.value(*arg).is_none()),
            Op::Eq | Op::BvUlt | Op::BvSlt => true,
            Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvSub | Op::BvMul => true,
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => true,
            Op::BvShl | Op::BvLshr | Op::BvAshr => true,
            _ => false,
        };
        if !is_fusible || self.is_bit_of_table(term) {
            return None;
        }
        let index = args.iter().find_map(|arg| self.index_of(*arg))?;
        let runs = self.runs_of(op, sort, args, index, EXTENSIONS_MAX)?;
        match sort {
            Sort::Bool => Some(self.is_one_of(index, &runs)),
            _ => {
                let width = sort.width()?;
                let runs = runs
                    .iter()
                    .map(|(first, value)| (*first, value.as_bits().map_or(0, Bits::unsigned)));
                let table = Table::of_runs(self.width(index), width, runs)?;
                Some(self.select(index, table))
            }
        }
    }

    /// Whether this is `table[index] == 1` for a table of single bits.
    fn is_bit_of_table(&self, term: Term) -> bool {
        let Some([a, b]) = self.parts::<2>(term, Op::Eq) else { return false };
        self.op(a) == Op::Select && self.width(a) == 1 && self.bits_of(b) == Some(1)
    }

    /// Returns the index of an entry, which may be extended.
    pub(super) fn index_of(&self, mut term: Term) -> Option<Term> {
        for _ in 0..=EXTENSIONS_MAX {
            let args = self.args(term);
            term = match (self.op(term), args) {
                (Op::Select, [index, _]) => return Some(*index),
                (Op::SignExtend(_), [inner]) => *inner,
                (Op::Concat, [a, b]) if self.value(*a).is_some() => *b,
                (Op::Concat, [a, b]) if self.value(*b).is_some() => *a,
                _ => return None,
            };
        }
        None
    }

    /// Computes an operation for all values of the index. `None` if its arguments depend on
    /// anything else, or if there are too many runs.
    fn runs_of(
        &self,
        op: Op,
        sort: Sort,
        args: &[Term],
        index: Term,
        extensions: u32,
    ) -> Option<Runs> {
        let all: Vec<Runs> = args
            .iter()
            .map(|arg| self.runs_of_arg(*arg, index, extensions))
            .collect::<Option<_>>()?;
        let starts: BTreeSet<u32> = all.iter().flatten().map(|run| run.0).collect();
        if starts.len() > ENTRIES_MAX {
            return None;
        }
        let mut places = vec![0; all.len()];
        let mut runs = Runs::new();
        for start in starts {
            for (runs, place) in all.iter().zip(&mut places) {
                while runs.get(*place + 1).is_some_and(|next| next.0 <= start) {
                    *place += 1;
                }
            }
            let values: Vec<&Value> =
                all.iter().zip(&places).map(|(runs, place)| &runs[*place].1).collect();
            let value = fold(op, sort, &values)?;
            if runs.last().is_none_or(|last| last.1 != value) {
                runs.push((start, value));
            }
        }
        Some(runs)
    }

    fn runs_of_arg(&self, arg: Term, index: Term, extensions: u32) -> Option<Runs> {
        if let Some(value) = self.value(arg) {
            return Some(vec![(0, value.clone())]);
        }
        match (self.op(arg), self.args(arg)) {
            (Op::Select, [own, table]) if *own == index => {
                let table = self.table_of(*table)?;
                let width = table.value_width();
                if table.runs().len() > ENTRIES_MAX {
                    return None;
                }
                let value = |number| Value::Bits(Bits::new(width, number));
                Some(table.runs().map(|run| (run.first, value(run.value))).collect())
            }
            (op @ (Op::SignExtend(_) | Op::Concat), args) if extensions > 0 => {
                self.runs_of(op, self.sort(arg), args, index, extensions - 1)
            }
            _ => None,
        }
    }

    /// Builds the condition that an index is in a run with the value `true`.
    fn is_one_of(&mut self, index: Term, runs: &Runs) -> Term {
        let width = self.width(index);
        let last = mask(width) as u32;
        let ranges = |wanted: bool| -> Vec<(u32, u32)> {
            let end = |n: usize| runs.get(n + 1).map_or(last, |next| next.0 - 1);
            let wanted = Value::Bool(wanted);
            let runs = runs.iter().enumerate().filter(|(_, run)| run.1 == wanted);
            runs.map(|(n, run)| (run.0, end(n))).collect()
        };
        for wanted in [true, false] {
            let ranges = ranges(wanted);
            if ranges.len() <= RANGES_MAX {
                let parts: Vec<Term> =
                    ranges.iter().map(|range| self.is_between(index, *range)).collect();
                let any = self.any(&parts);
                return if wanted { any } else { self.not(any) };
            }
        }
        let bit = |value: &Value| u128::from(value.as_bool() == Some(true));
        let runs = runs.iter().map(|(first, value)| (*first, bit(value)));
        let Some(table) = Table::of_runs(width, 1, runs) else { return self.bool(false) };
        let (entry, one) = (self.select(index, table), self.bits(1, 1));
        self.eq(entry, one)
    }

    fn is_between(&mut self, index: Term, (first, last): (u32, u32)) -> Term {
        let width = self.width(index);
        let (first, last) = (self.bits(width, first.into()), self.bits(width, last.into()));
        if first == last {
            return self.eq(index, first);
        }
        let (above, below) = (self.bv_ule(first, index), self.bv_ule(index, last));
        self.and(above, below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(values: &[u128]) -> Table {
        Table::of_values(3, 8, values).expect("at most 8 values")
    }

    #[test]
    fn a_lookup_and_its_inverse_cancel() {
        let mut pool = Pool::new();
        let x = pool.var("x", Sort::BitVec(3));
        let permutation = [3, 5, 0, 7, 1, 6, 2, 4];
        let mut inverse = [0; 8];
        permutation.iter().zip(0..).for_each(|(to, from)| inverse[*to as usize] = from);
        let there = pool.select(x, table(&permutation));
        let low = pool.extract(2, 0, there);
        let back = pool.select(low, table(&inverse));
        assert_eq!(back, pool.zero_extend(5, x));
    }

    #[test]
    fn conditions_on_an_entry_are_ranges_of_the_index() {
        let mut pool = Pool::new();
        let x = pool.var("x", Sort::BitVec(3));
        let entry = pool.select(x, table(&[1, 9, 9, 9, 2, 1, 1, 1]));
        let wide = pool.zero_extend(24, entry);
        let five = pool.bits(32, 5);
        let is_large = pool.bv_ult(five, wide);
        let [one, three] = [1, 3].map(|n| pool.bits(3, n));
        let (above, below) = (pool.bv_ule(one, x), pool.bv_ule(x, three));
        assert_eq!(is_large, pool.and(above, below));
    }

    #[test]
    fn entries_of_one_index_merge() {
        let mut pool = Pool::new();
        let x = pool.var("x", Sort::BitVec(3));
        let [a, b] = [[1, 2, 3, 4, 5, 6, 7, 9], [9, 8, 7, 6, 5, 4, 3, 1]]
            .map(|values| pool.select(x, table(&values)));
        let sum = pool.bv_add(a, b);
        assert_eq!(sum, pool.bits(8, 10));
    }
}
