//! The record of one run: its decisions, its draws and how it ended.

use std::collections::BTreeSet;

use rebut_choice::Tape;
use rebut_smt::{Model, Term};

use crate::doubt::Doubt;
use crate::hooks::Site;
use crate::observe::Observation;
use crate::record::OpenCondition;

/// One decision of a run that depends on draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The location of the decision.
    pub site: Site,
    /// The condition, as it was true in this run.
    pub condition: Term,
    /// The kind of decision.
    pub kind: DecisionKind,
    /// The number of draws before it.
    pub drawn: usize,
}

/// The kind of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecisionKind {
    /// A branch with two sides.
    Branch,
    /// One of several: a jump through a table, or a value that was concretized.
    Alternative,
    /// The domain of a draw. It is true of every input, so it has no other side.
    Domain,
}

/// A draw of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The variable that stands for the drawn number.
    pub variable: Term,
    /// Whether the variable is read as two's complement.
    pub is_signed: bool,
    /// The number drawn in this run.
    pub number: i128,
}

impl Input {
    /// Returns the number of the draw in a model, or that of this run if the model has none.
    #[must_use]
    pub fn number_in(&self, model: &Model) -> i128 {
        let number = model.get(self.variable).and_then(|value| {
            let bits = value.as_bits()?;
            Some(if self.is_signed { bits.signed() } else { bits.unsigned() as i128 })
        });
        number.unwrap_or(self.number)
    }
}

/// An approximation: behavior that a run did not distinguish. With any loss, an exploration proves
/// nothing about all inputs ([`Loss::Length`]: about longer collections).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Loss {
    /// An expression became too large and was replaced by its value (`TERM_SIZE_MAX` in `record.rs`).
    TooLarge,
    /// A float instruction (its opcode) without an exact term.
    Float(u32),
    /// Collections with more elements than this were not explored.
    Length(usize),
    /// The path became too long; later decisions were not recorded (`STEPS_MAX` in `record.rs`).
    TooLong,
}

impl Loss {
    /// Whether a value lost its expression. Decisions that depend on it are then missing in the
    /// path; the other losses end the path or bound a draw.
    pub(crate) fn is_value(&self) -> bool {
        matches!(self, Loss::TooLarge | Loss::Float(_))
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The body returned.
    Passed,
    /// The case was rejected by an assumption, for this reason.
    Rejected(String),
    /// An input that `exists` looks for.
    Found,
    /// A panic or a trap.
    Failed(Failure),
    /// The fuel of the run is used up.
    Exhausted,
    /// The test needs something unsupported, named here.
    Unsupported(String),
    /// The test misuses Rebut's API.
    Misuse(String),
    /// An internal error of Rebut.
    Internal(String),
}

/// The failure of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Failure {
    /// The message of the panic, or the description of the trap.
    pub message: String,
    /// The file of the panic; empty for a trap.
    pub file: String,
    /// The line of the panic.
    pub line: u32,
    /// The column of the panic.
    pub column: u32,
}

/// The record of one run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The decisions, in order.
    pub steps: Vec<Step>,
    /// The draws, in order.
    pub inputs: Vec<Input>,
    /// The same draws as a test case that can be run natively.
    pub tape: Tape,
    /// The values that a probe observed.
    pub observations: Vec<Observation>,
    /// How the run ended.
    pub outcome: Outcome,
    /// If the run needed something unsupported, the call stack at that point, the innermost call
    /// first.
    pub calls: Vec<Site>,
    /// The approximations that the run made.
    pub losses: Vec<Loss>,
    /// The number of steps before the first value that lost its expression. Other inputs that take
    /// the same decisions reach these steps; later ones they may not.
    pub exact_steps: usize,
    /// The differences from the native program that the run met.
    pub doubts: BTreeSet<Doubt>,
    /// The conditions of the path in which values with open bits occur.
    pub(crate) open_conditions: Vec<OpenCondition>,
    /// The fuel that the run used: rounds of loops.
    pub fuel: u64,
}
