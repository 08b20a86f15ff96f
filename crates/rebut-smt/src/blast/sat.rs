//! The CDCL solver (batsat): literals, clauses, a conflict budget, and random start values.
//!
//! Only this file knows batsat.

use std::cell::Cell;

use batsat::{Callbacks, SolverInterface, SolverOpts, Var, clause::Kind, lbool};

use crate::random::Random;

/// A variable or its negation. Variable 0 is the constant `true`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) const TRUE: Lit = Lit(0);
    pub(super) const FALSE: Lit = Lit(1);

    pub(super) fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    pub(super) fn is_constant(self) -> bool {
        self.0 < 2
    }

    pub(super) fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    fn inner(self) -> batsat::Lit {
        batsat::Lit::new(Var::unsafe_from_idx(self.0 >> 1), !self.is_negative())
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SatResult {
    Sat,
    Unsat,
    OutOfBudget,
}

/// A CDCL solver for one query.
pub(super) struct Sat {
    solver: batsat::Solver<Budget>,
    variables: u32,
    buffer: Vec<batsat::Lit>,
    random: Random,
    /// Whether there is a seed, so that models must be spread.
    is_spread: bool,
}

/// The conflict budget. It counts learned clauses, because there is one per conflict.
struct Budget {
    conflicts: Cell<u64>,
    conflicts_max: u64,
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _clause: &[batsat::Lit], kind: Kind) {
        if matches!(kind, Kind::Learnt) {
            self.conflicts.set(self.conflicts.get() + 1);
        }
    }

    fn stop(&self) -> bool {
        self.conflicts.get() > self.conflicts_max
    }
}

impl Sat {
    /// Creates a solver. With a seed, the search starts from random values instead of zeros.
    pub(super) fn new(conflicts_max: u64, seed: Option<u64>) -> Sat {
        let budget = Budget { conflicts: Cell::new(0), conflicts_max };
        let solver = batsat::Solver::new(SolverOpts::default(), budget);
        let random = Random::new(seed.unwrap_or(0));
        let buffer = Vec::new();
        let mut sat = Sat { solver, variables: 0, buffer, random, is_spread: seed.is_some() };
        let truth = sat.fresh();
        sat.clause(&[truth]);
        sat
    }

    pub(super) fn fresh(&mut self) -> Lit {
        let lit = Lit(self.variables * 2);
        self.solver.new_var_default();
        self.variables += 1;
        lit
    }

    /// Creates a literal for one bit of a variable. The solver tries `false` first. To spread
    /// models, half of the literals are negations of the solver's variables.
    pub(super) fn input(&mut self) -> Lit {
        let lit = self.fresh();
        if self.is_spread && self.random.bit() { !lit } else { lit }
    }

    pub(super) fn clause(&mut self, lits: &[Lit]) {
        self.buffer.clear();
        self.buffer.extend(lits.iter().map(|lit| lit.inner()));
        self.solver.add_clause_reuse(&mut self.buffer);
    }

    pub(super) fn solve(&mut self) -> SatResult {
        match self.solver.solve_limited(&[]) {
            result if result == lbool::TRUE => SatResult::Sat,
            result if result == lbool::FALSE => SatResult::Unsat,
            _ => SatResult::OutOfBudget,
        }
    }

    /// Returns the number of variables.
    pub(super) fn variables(&self) -> u32 {
        self.variables
    }

    pub(super) fn conflicts(&self) -> u64 {
        self.solver.num_conflicts()
    }

    /// Returns the value of a literal, after [`SatResult::Sat`].
    pub(super) fn value(&self, lit: Lit) -> bool {
        self.solver.value_lit(lit.inner()) == lbool::TRUE
    }
}
