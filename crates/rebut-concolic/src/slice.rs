//! Groups the conditions of a path by the variables that they share.
//!
//! Two conditions are in one slice if they share a variable, directly or through other conditions.
//! To negate a condition, only its slice has to be solved; all other draws keep their values. (This
//! is the constraint independence of EXE and KLEE: Cadar et al. 2006, 2008.)

use std::collections::HashMap;
use std::rc::Rc;

use rebut_smt::{Pool, Term};

/// Caches the variables of terms.
#[derive(Debug, Default)]
pub struct VariableCache {
    known: HashMap<Term, Rc<[Term]>>,
}

impl VariableCache {
    /// Returns the variables of a term.
    pub fn of_term(&mut self, pool: &Pool, term: Term) -> Rc<[Term]> {
        let known = self.known.entry(term).or_insert_with(|| pool.variables(&[term]).into());
        Rc::clone(known)
    }
}

/// Conditions in slices: a union-find over variables, built one condition at a time.
///
/// A query about some terms needs only the conditions that [`relevant`](Slices::relevant) returns
/// for their variables. Its model has no values for the other draws; copy these from an input that
/// takes the path.
#[derive(Debug, Default)]
pub struct Slices {
    /// The slice of each variable, to be resolved through `parents`.
    owners: HashMap<Term, usize>,
    parents: Vec<usize>,
    conditions: Vec<Vec<Term>>,
}

impl Slices {
    pub(crate) fn clear(&mut self) {
        self.owners.clear();
        self.parents.clear();
        self.conditions.clear();
    }

    /// Adds a condition with its variables.
    pub fn add(&mut self, variables: &[Term], condition: Term) {
        let mut target = None;
        for variable in variables {
            let owner = self.owner(*variable);
            target = Some(match target {
                None => owner,
                Some(target) => self.join(target, owner),
            });
        }
        if let Some(target) = target {
            self.conditions[target].push(condition);
        }
    }

    /// Returns the conditions in the slices of these variables.
    pub fn relevant(&mut self, variables: &[Term]) -> Vec<Term> {
        let mut owners: Vec<usize> = variables.iter().map(|v| self.owner(*v)).collect();
        owners.sort_unstable();
        owners.dedup();
        owners.into_iter().flat_map(|owner| self.conditions[owner].iter().copied()).collect()
    }

    fn owner(&mut self, variable: Term) -> usize {
        let next = self.parents.len();
        let place = *self.owners.entry(variable).or_insert(next);
        if place == next {
            self.parents.push(next);
            self.conditions.push(Vec::new());
        }
        self.find(place)
    }

    fn find(&mut self, mut place: usize) -> usize {
        while self.parents[place] != place {
            self.parents[place] = self.parents[self.parents[place]];
            place = self.parents[place];
        }
        place
    }

    /// Joins two slices: the smaller moves into the larger.
    fn join(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return a;
        }
        let (large, small) =
            if self.conditions[a].len() < self.conditions[b].len() { (b, a) } else { (a, b) };
        let moved = std::mem::take(&mut self.conditions[small]);
        self.conditions[large].extend(moved);
        self.parents[small] = large;
        large
    }
}

#[cfg(test)]
mod tests {
    use rebut_smt::Sort;

    use super::*;

    #[test]
    fn unrelated_conditions_are_left_out() {
        let mut pool = Pool::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| pool.var(name, Sort::BitVec(8)));
        let [ab, cd] = [pool.bv_ult(a, b), pool.bv_ult(c, d)];
        let mut slices = Slices::default();
        slices.add(&[a, b], ab);
        slices.add(&[c, d], cd);
        assert_eq!(slices.relevant(&[a]), [ab]);
        assert_eq!(slices.relevant(&[d]), [cd]);
        let bc = pool.bv_ult(b, c);
        slices.add(&[b, c], bc);
        assert_eq!(slices.relevant(&[a]).len(), 3);
    }
}
