//! Order abstraction: comparisons become booleans with the laws of an order.
//!
//! A minimum, or a node of a search tree, is an `ite` between variables whose condition is a
//! comparison. A bit-level solver needs thousands of conflicts to learn that `a < b` and `b < c`
//! imply `a < c`, and it learns it again for each triple. So this module:
//!
//! 1. pushes comparisons into `ite`s until they are between variables and constants (`lift`);
//! 2. replaces each comparison `a < b` and `a == b` by a boolean variable, its proxy;
//! 3. adds the laws of a total order for any two and any three of the compared terms.
//!
//! If the result has no model, neither have the assertions. If it has one, the order in it is
//! filled with numbers (`concretize`), and the evaluator decides whether they fit.
//!
//! For example, a loop computes the minimum `m` of `a`, `b` and `c`, and a path claims `a < m`.
//! Lifting makes that `(if b < a { c < b } else { c < a }) && a < c`. With proxies, the first
//! branch contradicts transitivity (`c < b` and `b < a` imply `c < a`), and the second one
//! contradicts `a < c`. No bit of the variables takes part, whatever their width is.
//!
//! The removal from a red-black tree took 270 conflicts with this module in place of 136,745
//! (commit 4c6442c). Comparisons of other expressions keep their bits, which are unrelated to the
//! proxies. That only weakens the abstraction: its contradictions stay valid.

use std::collections::HashMap;

use crate::op::Op;
use crate::{Bits, Model, Pool, Sort, Term, Value};

/// How many terms must be compared for the abstraction to be used. Arbitrary. With two terms
/// there are no triples to learn about; the number of laws grows with the cube, and 12 terms
/// have 2,904. Outside of the range the bit-blaster decides alone.
const COMPARED: std::ops::RangeInclusive<usize> = 3..=12;

/// The number of nodes in the `ite`s of both sides of a comparison. Arbitrary. Lifting multiplies
/// the leaves of both sides; a larger comparison keeps its bits.
const NODES_MAX: usize = 24;

/// Assertions about an order, without the bits of the ordered numbers.
#[derive(Debug)]
pub(crate) struct OrderAbstraction {
    /// The assertions with proxies for comparisons, and the laws of the order.
    pub(crate) assertions: Vec<Term>,
    /// The terms that are compared.
    compared: Vec<Term>,
    /// Whether comparisons are signed.
    is_signed: bool,
    /// The boolean variable for each comparison.
    proxies: HashMap<Term, Term>,
}

/// Abstracts assertions to the order of their variables; `None` if they compare too few or too
/// many terms.
pub(crate) fn abstract_order(pool: &mut Pool, assertions: &[Term]) -> Option<OrderAbstraction> {
    let mut lift = Rebuilder { pool, rebuilt: HashMap::new(), proxies: None };
    let all: Vec<Term> = assertions.iter().map(|term| lift.term(*term)).collect();
    let (is_signed, compared) = [true, false]
        .into_iter()
        .map(|is_signed| (is_signed, compared(pool, &all, is_signed)))
        .find(|(_, compared)| COMPARED.contains(&compared.len()))?;
    let proxies = proxies(pool, &all, &compared, is_signed);
    let mut rebuilder = Rebuilder { pool, rebuilt: HashMap::new(), proxies: Some(&proxies) };
    let mut assertions: Vec<Term> = all.iter().map(|term| rebuilder.term(*term)).collect();
    // The laws are about proxies. About comparisons, rewriting would see that they are true and
    // drop them.
    assertions.extend(order_laws(pool, &compared, is_signed, |pool, term| {
        let mut rebuilder = Rebuilder { pool, rebuilt: HashMap::new(), proxies: Some(&proxies) };
        rebuilder.term(term)
    }));
    Some(OrderAbstraction { assertions, compared, is_signed, proxies })
}

impl OrderAbstraction {
    /// Turns a model of the abstraction into one of the assertions: the compared variables get
    /// numbers in the order of the model.
    pub(crate) fn concretize(&self, pool: &mut Pool, model: &Model) -> Model {
        let mut order = Vec::new();
        for a in &self.compared {
            let below = self.compared.iter().filter(|b| {
                let term = less(pool, **b, *a, self.is_signed);
                let (term, is_plain) = match pool.op(term) {
                    Op::Not => (pool.args(term)[0], false),
                    _ => (term, true),
                };
                let value = pool.value(term).or_else(|| model.get(*self.proxies.get(&term)?));
                value == Some(&Value::Bool(is_plain))
            });
            order.push((below.count(), *a));
        }
        order.sort();
        let numbers = numbers_in_order(pool, &order, self.is_signed);
        let own = model.iter().filter(|(term, _)| !self.proxies.values().any(|s| s == term));
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

/// Chooses a number for each rank of an order. Constants keep their value, and variables follow
/// the nearest one in steps of one. The numbers may collide with a second constant, so the caller
/// must check them.
fn numbers_in_order(pool: &Pool, order: &[(usize, Term)], is_signed: bool) -> Vec<i128> {
    let constant = |term: Term| {
        let bits = pool.value(term)?.as_bits()?;
        Some(if is_signed { bits.signed() } else { bits.unsigned() as i128 })
    };
    // Terms of equal rank get one number.
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

/// Creates a boolean variable for each comparison between compared terms.
fn proxies(
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
    let mut proxies = HashMap::new();
    for term in pool.reachable(&terms) {
        let op = pool.op(term);
        let is_ours = pool.args(term).iter().all(|side| compared.contains(side));
        if (op == comparison || op == Op::Eq) && is_ours {
            let name = format!("order{}", term.index());
            proxies.insert(term, pool.var(&name, Sort::Bool));
        }
    }
    proxies
}

fn is_variable(pool: &Pool, term: Term) -> bool {
    matches!(pool.op(term), Op::Var(_))
}

fn less(pool: &mut Pool, a: Term, b: Term, is_signed: bool) -> Term {
    if is_signed { pool.bv_slt(a, b) } else { pool.bv_ult(a, b) }
}

/// Rebuilds terms bottom-up. Without proxies, it pushes comparisons into `ite`s; with proxies, it
/// replaces comparisons.
struct Rebuilder<'p> {
    pool: &'p mut Pool,
    rebuilt: HashMap<Term, Term>,
    proxies: Option<&'p HashMap<Term, Term>>,
}

impl Rebuilder<'_> {
    fn term(&mut self, root: Term) -> Term {
        for term in self.pool.reachable(&[root]) {
            if self.rebuilt.contains_key(&term) {
                continue;
            }
            let old = self.pool.args(term).to_vec();
            let new: Vec<Term> =
                old.iter().map(|part| self.rebuilt.get(part).copied().unwrap_or(*part)).collect();
            let op = self.pool.op(term);
            let proxy = self.proxies.and_then(|all| all.get(&term)).copied();
            let lifted = match (op, &new[..]) {
                _ if proxy.is_some() => proxy,
                (Op::Eq | Op::BvUlt | Op::BvSlt, &[a, b]) if self.proxies.is_none() => {
                    self.comparison(op, a, b)
                }
                _ if new == old => None,
                _ => self.pool.apply(op, &new).ok(),
            };
            self.rebuilt.insert(term, lifted.unwrap_or(term));
        }
        self.rebuilt.get(&root).copied().unwrap_or(root)
    }

    /// Pushes a comparison into both sides if they are variables, constants, or `ite`s of those.
    fn comparison(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let mut budget = NODES_MAX;
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

/// Whether a term is a variable, a constant, or an `ite` of those, with at most `budget` nodes.
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

/// Collects the variables and constants of one width that are compared in this reading. Empty if
/// they are only compared for equality.
fn compared(pool: &Pool, assertions: &[Term], is_signed: bool) -> Vec<Term> {
    let comparison = if is_signed { Op::BvSlt } else { Op::BvUlt };
    let is_simple = |term: &Term| is_variable(pool, *term) || pool.value(*term).is_some();
    let mut terms: Vec<Term> = Vec::new();
    let mut is_compared = false;
    for term in pool.reachable(assertions) {
        let op = pool.op(term);
        if op != comparison && op != Op::Eq {
            continue;
        }
        let &[a, b] = pool.args(term) else { continue };
        if ![a, b].iter().all(is_simple) || !has_width(pool, &terms, a) {
            continue;
        }
        is_compared |= op == comparison;
        for side in [a, b] {
            if !terms.contains(&side) {
                terms.push(side);
            }
        }
    }
    if is_compared { terms } else { Vec::new() }
}

fn has_width(pool: &Pool, terms: &[Term], term: Term) -> bool {
    let width = pool.sort(term).width();
    width.is_some() && terms.first().is_none_or(|first| pool.sort(*first).width() == width)
}

/// The laws of a total order: any two terms are less, equal or greater, and exactly one of these;
/// any three are transitive.
fn order_laws(
    pool: &mut Pool,
    compared: &[Term],
    is_signed: bool,
    proxy: impl Fn(&mut Pool, Term) -> Term,
) -> Vec<Term> {
    let mut less_than = HashMap::new();
    for a in compared {
        for b in compared.iter().filter(|b| *b != a) {
            let term = less(pool, *a, *b, is_signed);
            less_than.insert((*a, *b), proxy(pool, term));
        }
    }
    let mut laws = Vec::new();
    for (n, a) in compared.iter().enumerate() {
        for b in &compared[n + 1..] {
            let (ab, ba) = (less_than[&(*a, *b)], less_than[&(*b, *a)]);
            let same = pool.eq(*a, *b);
            let same = proxy(pool, same);
            let (not_ab, not_ba, not_same) = (pool.not(ab), pool.not(ba), pool.not(same));
            laws.push(pool.any(&[ab, ba, same]));
            laws.push(pool.any(&[not_ab, not_ba]));
            laws.push(pool.any(&[not_ab, not_same]));
            laws.push(pool.any(&[not_ba, not_same]));
        }
    }
    for a in compared {
        for b in compared.iter().filter(|b| *b != a) {
            for c in compared.iter().filter(|c| *c != a && *c != b) {
                let (ab, bc, ac) =
                    (less_than[&(*a, *b)], less_than[&(*b, *c)], less_than[&(*a, *c)]);
                let (not_ab, not_bc) = (pool.not(ab), pool.not(bc));
                laws.push(pool.any(&[not_ab, not_bc, ac]));
                // If a < c, then b is greater than a or less than c.
                let not_ac = pool.not(ac);
                laws.push(pool.any(&[not_ac, ab, bc]));
            }
        }
    }
    laws
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Solver};

    /// Builds the minimum of some variables as a loop in a program computes it.
    fn least(pool: &mut Pool, variables: &[Term]) -> Term {
        let mut least = variables[0];
        for variable in &variables[1..] {
            let is_less = pool.bv_slt(*variable, least);
            least = pool.ite(is_less, *variable, least);
        }
        least
    }

    #[test]
    fn minimum_of_eight_is_proved_within_500_conflicts() {
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
    fn order_laws_hold_for_all_numbers() {
        let mut pool = Pool::without_rewrites();
        let all = ["a", "b", "c"].map(|name| pool.var(name, Sort::BitVec(3)));
        for is_signed in [false, true] {
            let laws = order_laws(&mut pool, &all, is_signed, |_, term| term);
            for numbers in 0..512u128 {
                let values = all.iter().enumerate().map(|(n, variable)| {
                    let bits = crate::Bits::new(3, numbers >> (3 * n) & 7);
                    (*variable, crate::Value::Bits(bits))
                });
                assert!(crate::Model::new(values).satisfies(&pool, &laws), "{numbers}");
            }
        }
    }

    #[test]
    fn abstraction_of_a_minimum_is_contradictory_without_bits() {
        let mut pool = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.var(name, Sort::BitVec(32)));
        let minimum = least(&mut pool, &[a, b, c]);
        let claim = pool.bv_slt(a, minimum);
        let order = abstract_order(&mut pool, &[claim]).expect("three compared terms");
        let variables = pool.variables(&order.assertions);
        assert!(variables.iter().all(|variable| pool.sort(*variable) == Sort::Bool));
        assert_eq!(Solver::new().check_assuming(&mut pool, &order.assertions), Answer::Unsat);
        let claim = pool.bv_slt(a, b);
        assert!(abstract_order(&mut pool, &[claim]).is_none());
    }

    #[test]
    fn numbers_follow_the_nearest_constant() {
        let mut pool = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| pool.var(name, Sort::BitVec(8)));
        let seven = pool.bits(8, 7);
        // a < 7 == b < c
        let order = [(0, a), (1, seven), (1, b), (3, c)];
        assert_eq!(numbers_in_order(&pool, &order, false), [6, 7, 7, 8]);
    }
}
