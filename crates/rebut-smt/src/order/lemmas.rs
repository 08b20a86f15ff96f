//! Orders as such, for a solver that sees bits only.
//!
//! A minimum, or a node of a tree that was chosen by comparing, is a choice between variables
//! whose conditions are comparisons. That `a < b` and `b < c` give `a < c` takes a solver of bits
//! thousands of conflicts to find out, each time. So comparisons with choices are taken apart
//! until they are between variables and constants, and then are truth values without bits, of
//! which is said what holds for any three numbers in an order. If that cannot be, neither can
//! the assertions; if it can, the order is filled with numbers, which often fit.

use std::collections::HashMap;

use crate::op::Op;
use crate::{Bits, Model, Pool, Sort, Term, Value};

/// With fewer there is nothing to say, with more there is too much.
const COMPARED: std::ops::RangeInclusive<usize> = 3..=12;

/// A choice between more values than this is left as it is.
const LEAVES_MAX: usize = 24;

/// Assertions about an order, without the numbers that are in it.
#[derive(Debug)]
pub(crate) struct Abstract {
    /// What has to hold of which is less than which: comparisons are truth values of their own.
    pub(crate) assertions: Vec<Term>,
    /// The numbers, and whether they are read as signed.
    compared: Vec<Term>,
    is_signed: bool,
    /// The truth values that stand for comparisons.
    stand_ins: HashMap<Term, Term>,
}

/// The assertions as ones about an order; nothing if order plays no part in them.
pub(crate) fn abstracted(pool: &mut Pool, assertions: &[Term]) -> Option<Abstract> {
    let mut lift = Rebuild { pool, known: HashMap::new(), stand_ins: None };
    let all: Vec<Term> = assertions.iter().map(|term| lift.term(*term)).collect();
    let (is_signed, compared) = [true, false]
        .into_iter()
        .map(|is_signed| (is_signed, compared(pool, &all, is_signed)))
        .find(|(_, compared)| COMPARED.contains(&compared.len()))?;
    let stand_ins = stand_ins(pool, &all, &compared, is_signed);
    let mut rebuild = Rebuild { pool, known: HashMap::new(), stand_ins: Some(&stand_ins) };
    let mut assertions: Vec<Term> = all.iter().map(|term| rebuild.term(*term)).collect();
    // Said of the truth values: of comparisons a pool knows them, and leaves them out.
    assertions.extend(lemmas(pool, &compared, is_signed, |pool, term| {
        let mut rebuild = Rebuild { pool, known: HashMap::new(), stand_ins: Some(&stand_ins) };
        rebuild.term(term)
    }));
    Some(Abstract { assertions, compared, is_signed, stand_ins })
}

impl Abstract {
    /// Numbers in the order of a model.
    pub(crate) fn realized(&self, pool: &mut Pool, model: &Model) -> Model {
        let mut order = Vec::new();
        for a in &self.compared {
            let below = self.compared.iter().filter(|b| {
                let term = less(pool, **b, *a, self.is_signed);
                let (term, is_plain) = match pool.op(term) {
                    Op::Not => (pool.args(term)[0], false),
                    _ => (term, true),
                };
                let value = pool.value(term).or_else(|| model.get(*self.stand_ins.get(&term)?));
                value == Some(&Value::Bool(is_plain))
            });
            order.push((below.count(), *a));
        }
        order.sort();
        let numbers = spread(pool, &order, self.is_signed);
        let own = model.iter().filter(|(term, _)| !self.stand_ins.values().any(|s| s == term));
        let own = own.map(|(term, value)| (term, value.clone())).collect::<Vec<_>>();
        let width = |term: Term| pool.width(term);
        let placed = order.iter().zip(numbers).filter(|((_, term), _)| is_variable(pool, *term));
        let placed = placed
            .map(|((_, term), number)| {
                (*term, Value::Bits(Bits::new(width(*term), number as u128)))
            })
            .collect::<Vec<_>>();
        Model::new(own.into_iter().chain(placed))
    }
}

/// A number for each place of an order, constants as they are, and others next to them.
fn spread(pool: &Pool, order: &[(usize, Term)], is_signed: bool) -> Vec<i128> {
    let constant = |term: Term| {
        let bits = pool.value(term)?.as_bits()?;
        Some(if is_signed { bits.signed() } else { bits.unsigned() as i128 })
    };
    // Each run of equal ones gets one number.
    let mut numbers: Vec<Option<i128>> = order.iter().map(|(_, term)| constant(*term)).collect();
    for n in 0..order.len() {
        let same = (0..order.len()).filter(|m| order[*m].0 == order[n].0);
        numbers[n] = numbers[n].or_else(|| same.filter_map(|m| constant(order[m].1)).next());
    }
    let first = numbers.iter().position(Option::is_some);
    let (first, base) = match first {
        Some(first) => (first, numbers[first].unwrap_or_default()),
        None => (0, 0),
    };
    let mut placed = vec![base; order.len()];
    for n in first + 1..order.len() {
        let is_next = order[n].0 > order[n - 1].0;
        placed[n] = numbers[n].unwrap_or(placed[n - 1] + i128::from(is_next));
    }
    for n in (0..first).rev() {
        let is_next = order[n].0 < order[n + 1].0;
        placed[n] = placed[n + 1] - i128::from(is_next);
    }
    placed
}

/// A truth value for each comparison of two that are compared.
fn stand_ins(
    pool: &mut Pool,
    assertions: &[Term],
    compared: &[Term],
    is_signed: bool,
) -> HashMap<Term, Term> {
    let comparison = if is_signed { Op::BvSlt } else { Op::BvUlt };
    let mut terms = assertions.to_vec();
    for (n, a) in compared.iter().enumerate() {
        for b in &compared[n + 1..] {
            terms.extend([
                less(pool, *a, *b, is_signed),
                less(pool, *b, *a, is_signed),
                pool.eq(*a, *b),
            ]);
        }
    }
    let mut stand_ins = HashMap::new();
    for term in pool.reachable(&terms) {
        let op = pool.op(term);
        let is_ours = pool.args(term).iter().all(|side| compared.contains(side));
        if (op == comparison || op == Op::Eq) && is_ours {
            let name = format!("order{}", term.index());
            stand_ins.insert(term, pool.var(&name, Sort::Bool));
        }
    }
    stand_ins
}

fn is_variable(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::Var(_))
}

fn less(pool: &mut Pool, a: Term, b: Term, is_signed: bool) -> Term {
    if is_signed { pool.bv_slt(a, b) } else { pool.bv_ult(a, b) }
}

/// Takes comparisons of choices apart, or puts truth values in their place.
struct Rebuild<'p> {
    pool: &'p mut Pool,
    known: HashMap<Term, Term>,
    stand_ins: Option<&'p HashMap<Term, Term>>,
}

impl Rebuild<'_> {
    fn term(&mut self, root: Term) -> Term {
        for term in self.pool.reachable(&[root]) {
            if self.known.contains_key(&term) {
                continue;
            }
            let old = self.pool.args(term).to_vec();
            let new: Vec<Term> =
                old.iter().map(|part| self.known.get(part).copied().unwrap_or(*part)).collect();
            let op = self.pool.op(term);
            let stand_in = self.stand_ins.and_then(|all| all.get(&term)).copied();
            let lifted = match (op, &new[..]) {
                _ if stand_in.is_some() => stand_in,
                (Op::Eq | Op::BvUlt | Op::BvSlt, &[a, b]) if self.stand_ins.is_none() => {
                    self.comparison(op, a, b)
                }
                _ if new == old => None,
                _ => self.pool.apply(op, &new).ok(),
            };
            self.known.insert(term, lifted.unwrap_or(term));
        }
        self.known.get(&root).copied().unwrap_or(root)
    }

    /// A comparison of which at least one side is a choice between variables and constants.
    fn comparison(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let mut budget = LEAVES_MAX;
        let is_plain = is_choice(self.pool, a, &mut budget) && is_choice(self.pool, b, &mut budget);
        if is_plain { Some(self.compare(op, a, b)) } else { self.pool.apply(op, &[a, b]).ok() }
    }

    fn compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        for (choice, is_first) in [(a, true), (b, false)] {
            if self.pool.op(choice) == Op::Ite
                && let &[condition, then, otherwise] = self.pool.args(choice)
            {
                let [then, otherwise] = [then, otherwise].map(|side| {
                    if is_first { self.compare(op, side, b) } else { self.compare(op, a, side) }
                });
                return self.pool.ite(condition, then, otherwise);
            }
        }
        match op {
            Op::BvUlt => self.pool.bv_ult(a, b),
            Op::BvSlt => self.pool.bv_slt(a, b),
            _ => self.pool.eq(a, b),
        }
    }
}

/// Whether a term is a variable, a constant, or a choice between such.
fn is_choice(pool: &Pool, term: Term, budget: &mut usize) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    match pool.op(term) {
        Op::Const(_) | Op::Var(_) => pool.sort(term).width().is_some(),
        Op::Ite => {
            let &[_, then, otherwise] = pool.args(term) else { return false };
            is_choice(pool, then, budget) && is_choice(pool, otherwise, budget)
        }
        _ => false,
    }
}

/// The variables and constants of one width that are compared with each other, read this way.
fn compared(pool: &Pool, assertions: &[Term], is_signed: bool) -> Vec<Term> {
    let comparison = if is_signed { Op::BvSlt } else { Op::BvUlt };
    let is_simple = |term: &Term| is_variable(pool, *term) || pool.value(*term).is_some();
    let mut found: Vec<Term> = Vec::new();
    let mut is_compared = false;
    for term in pool.reachable(assertions) {
        let op = pool.op(term);
        if op != comparison && op != Op::Eq {
            continue;
        }
        let &[a, b] = pool.args(term) else { continue };
        if ![a, b].iter().all(is_simple) || !has_width(pool, &found, a) {
            continue;
        }
        is_compared |= op == comparison;
        for side in [a, b] {
            if !found.contains(&side) {
                found.push(side);
            }
        }
    }
    if is_compared { found } else { Vec::new() }
}

fn has_width(pool: &Pool, found: &[Term], term: Term) -> bool {
    let width = pool.sort(term).width();
    width.is_some() && found.first().is_none_or(|first| pool.sort(*first).width() == width)
}

/// What holds of any two and of any three.
fn lemmas(
    pool: &mut Pool,
    compared: &[Term],
    is_signed: bool,
    stand_in: impl Fn(&mut Pool, Term) -> Term,
) -> Vec<Term> {
    let mut less_than = HashMap::new();
    for a in compared {
        for b in compared.iter().filter(|b| *b != a) {
            let term = less(pool, *a, *b, is_signed);
            less_than.insert((*a, *b), stand_in(pool, term));
        }
    }
    let mut lemmas = Vec::new();
    for (n, a) in compared.iter().enumerate() {
        for b in &compared[n + 1..] {
            let (ab, ba) = (less_than[&(*a, *b)], less_than[&(*b, *a)]);
            let same = pool.eq(*a, *b);
            let same = stand_in(pool, same);
            let (not_ab, not_ba, not_same) = (pool.not(ab), pool.not(ba), pool.not(same));
            lemmas.push(pool.any(&[ab, ba, same]));
            lemmas.push(pool.any(&[not_ab, not_ba]));
            lemmas.push(pool.any(&[not_ab, not_same]));
            lemmas.push(pool.any(&[not_ba, not_same]));
        }
    }
    for a in compared {
        for b in compared.iter().filter(|b| *b != a) {
            for c in compared.iter().filter(|c| *c != a && *c != b) {
                let (ab, bc, ac) =
                    (less_than[&(*a, *b)], less_than[&(*b, *c)], less_than[&(*a, *c)]);
                let (not_ab, not_bc) = (pool.not(ab), pool.not(bc));
                lemmas.push(pool.any(&[not_ab, not_bc, ac]));
                // If a is less than c, then b is above the one or below the other.
                let not_ac = pool.not(ac);
                lemmas.push(pool.any(&[not_ac, ab, bc]));
            }
        }
    }
    lemmas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Solver};

    /// The least of some variables, as a program finds it.
    fn least(pool: &mut Pool, variables: &[Term]) -> Term {
        let mut least = variables[0];
        for variable in &variables[1..] {
            let is_less = pool.bv_slt(*variable, least);
            least = pool.ite(is_less, *variable, least);
        }
        least
    }

    #[test]
    fn the_least_of_eight_is_no_greater_than_any_and_that_is_seen_at_once() {
        let mut pool = Pool::new();
        let all: Vec<Term> = (0..8).map(|n| pool.var(&format!("v{n}"), Sort::BitVec(32))).collect();
        let least = least(&mut pool, &all);
        let less: Vec<Term> = all.iter().map(|variable| pool.bv_slt(*variable, least)).collect();
        let claim = pool.any(&less);
        let mut solver = Solver::new();
        assert!(matches!(solver.check_assuming(&mut pool, &[claim]), Answer::Unsat));
        assert!(solver.statistics().conflicts < 500, "{:?}", solver.statistics());
    }

    #[test]
    fn what_is_said_is_true_of_all_numbers() {
        let mut pool = Pool::without_rewrites();
        let all = ["a", "b", "c"].map(|name| pool.var(name, Sort::BitVec(3)));
        for is_signed in [false, true] {
            let lemmas = lemmas(&mut pool, &all, is_signed, |_, term| term);
            for numbers in 0..512u128 {
                let values = all.iter().enumerate().map(|(n, variable)| {
                    let bits = crate::Bits::new(3, numbers >> (3 * n) & 7);
                    (*variable, crate::Value::Bits(bits))
                });
                assert!(crate::Model::new(values).satisfies(&pool, &lemmas), "{numbers}");
            }
        }
    }
}
