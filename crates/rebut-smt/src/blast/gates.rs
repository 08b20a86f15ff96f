//! Gates as clauses (Tseitin 1968): each gate gets a variable that equals its output.
//!
//! For example, `out = a & b` is the clauses `!out | a`, `!out | b` and `out | !a | !b`.
//!
//! Equal gates are built once. Constants, equal inputs and negated inputs are folded first, so
//! that `a & a` and `a ^ !a` need no gate.

use std::collections::HashMap;

use super::sat::{Lit, Sat};
use super::words::{Division, Word};
use crate::pool::Mixing;

/// Builds gates as clauses of a [`Sat`].
pub(super) struct Gates {
    pub(super) sat: Sat,
    outputs: HashMap<Gate, Lit, Mixing>,
    /// The quotient and remainder of each pair of words that was divided.
    pub(super) divisions: HashMap<(Word, Word), Division>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Choose(Lit, Lit, Lit),
    /// The sum bit of a full adder.
    Parity(Lit, Lit, Lit),
    /// The carry bit of a full adder.
    Majority(Lit, Lit, Lit),
}

impl Gates {
    pub(super) fn new(sat: Sat) -> Gates {
        Gates { sat, outputs: HashMap::default(), divisions: HashMap::default() }
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        match (a, b) {
            (Lit::FALSE, _) => return Lit::FALSE,
            (Lit::TRUE, Lit::FALSE) => return Lit::FALSE,
            (Lit::TRUE, _) => return b,
            _ if a == b => return a,
            _ if a == !b => return Lit::FALSE,
            _ => {}
        }
        self.gate(Gate::And(a, b), |sat, out| {
            sat.clause(&[!out, a]);
            sat.clause(&[!out, b]);
            sat.clause(&[out, !a, !b]);
        })
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if a.is_constant() {
            return if a == Lit::TRUE { !b } else { b };
        }
        if b.is_constant() {
            return if b == Lit::TRUE { !a } else { a };
        }
        let flip = a.is_negative() != b.is_negative();
        let (a, b) = (positive(a), positive(b));
        if a == b {
            return Lit::constant(flip);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let out = self.gate(Gate::Xor(a, b), |sat, out| {
            sat.clause(&[!out, a, b]);
            sat.clause(&[!out, !a, !b]);
            sat.clause(&[out, !a, b]);
            sat.clause(&[out, a, !b]);
        });
        if flip { !out } else { out }
    }

    pub(super) fn same(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `then` if `condition`, else `otherwise`.
    pub(super) fn choose(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if condition.is_negative() && !condition.is_constant() {
            return self.choose(!condition, otherwise, then);
        }
        match condition {
            Lit::TRUE => return then,
            Lit::FALSE => return otherwise,
            _ if then == otherwise => return then,
            _ if then == !otherwise => return self.same(condition, then),
            _ => {}
        }
        match (then, otherwise) {
            (Lit::TRUE, _) => return self.or(condition, otherwise),
            (Lit::FALSE, _) => return self.and(!condition, otherwise),
            (_, Lit::TRUE) => return self.or(!condition, then),
            (_, Lit::FALSE) => return self.and(condition, then),
            _ if then == condition => return self.or(condition, otherwise),
            _ if then == !condition => return self.and(!condition, otherwise),
            _ if otherwise == condition => return self.and(condition, then),
            _ if otherwise == !condition => return self.or(!condition, then),
            _ => {}
        }
        self.gate(Gate::Choose(condition, then, otherwise), |sat, out| {
            sat.clause(&[!condition, !then, out]);
            sat.clause(&[!condition, then, !out]);
            sat.clause(&[condition, !otherwise, out]);
            sat.clause(&[condition, otherwise, !out]);
            // Redundant, but they propagate when both branches agree and the condition is open.
            sat.clause(&[!then, !otherwise, out]);
            sat.clause(&[then, otherwise, !out]);
        })
    }

    /// Whether an odd number of the three is true.
    pub(super) fn parity(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let flip = a.is_negative() ^ b.is_negative() ^ c.is_negative();
        let mut lits = [positive(a), positive(b), positive(c)];
        lits.sort_unstable();
        let [x, y, z] = lits;
        // Equal literals cancel. A constant sorts first.
        let out = if x == y {
            z
        } else if y == z {
            x
        } else if x == Lit::TRUE {
            !self.xor(y, z)
        } else {
            self.gate(Gate::Parity(x, y, z), |sat, out| {
                for signs in 0..8u32 {
                    let flipped =
                        |lit: Lit, bit: u32| if signs >> bit & 1 == 1 { !lit } else { lit };
                    let last = if signs.count_ones() % 2 == 0 { !out } else { out };
                    sat.clause(&[flipped(x, 0), flipped(y, 1), flipped(z, 2), last]);
                }
            })
        };
        if flip { !out } else { out }
    }

    /// Whether at least two of the three are true.
    pub(super) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        let [a, b, c] = lits;
        if a == Lit::TRUE {
            return self.or(b, c);
        }
        if a == Lit::FALSE {
            return self.and(b, c);
        }
        if a == b {
            return a;
        }
        if b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        self.gate(Gate::Majority(a, b, c), |sat, out| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                sat.clause(&[!x, !y, out]);
                sat.clause(&[x, y, !out]);
            }
        })
    }

    pub(super) fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut needed: Vec<Lit> = lits.iter().copied().filter(|lit| *lit != Lit::TRUE).collect();
        needed.sort_unstable();
        needed.dedup();
        if needed.contains(&Lit::FALSE) || needed.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        match &needed[..] {
            [] => Lit::TRUE,
            [only] => *only,
            [a, b] => self.and(*a, *b),
            _ => {
                let out = self.sat.fresh();
                for lit in &needed {
                    self.sat.clause(&[!out, *lit]);
                }
                let mut clause: Vec<Lit> = needed.iter().map(|lit| !*lit).collect();
                clause.push(out);
                self.sat.clause(&clause);
                out
            }
        }
    }

    pub(super) fn any(&mut self, lits: &[Lit]) -> Lit {
        let opposite: Vec<Lit> = lits.iter().map(|lit| !*lit).collect();
        !self.all(&opposite)
    }

    fn gate(&mut self, gate: Gate, define: impl FnOnce(&mut Sat, Lit)) -> Lit {
        if let Some(out) = self.outputs.get(&gate) {
            return *out;
        }
        let out = self.sat.fresh();
        define(&mut self.sat, out);
        self.outputs.insert(gate, out);
        out
    }
}

fn positive(lit: Lit) -> Lit {
    if lit.is_negative() { !lit } else { lit }
}
