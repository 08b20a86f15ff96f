//! What a run left behind.

use rebut_choice::Tape;
use rebut_smt::Term;

use crate::hooks::Site;
use crate::observe::Observation;

/// One decision of a run that depends on what was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where.
    pub site: Site,
    /// What held in this run.
    pub condition: Term,
    /// What kind of decision it is.
    pub kind: Kind,
    /// How many choices had been drawn.
    pub drawn: usize,
}

/// The kinds of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Yes or no: a branch.
    Branch,
    /// One of several: a jump through a table, or a value that had to become a plain one.
    Alternative,
    /// Always so: the domain of a draw. There is no other side.
    Given,
}

/// A draw of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The variable that stands for it.
    pub variable: Term,
    /// Whether the variable is read as two's complement.
    pub is_signed: bool,
    /// What was drawn in this run.
    pub number: i128,
}

/// Something that makes a run say less than it could: not all behaviors are told apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Loss {
    /// An expression became too large to reason about, and was taken as the value it had.
    TooLarge,
    /// Arithmetic of floats for which there is no exact term.
    Float(u32),
    /// Longer collections were not looked for.
    Length(usize),
    /// The path became too long; later decisions were not recorded.
    TooLong,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The body returned.
    Passed,
    /// The case does not meet an assumption.
    Rejected(String),
    /// What `exists` looks for.
    Found,
    /// A panic, or a trap.
    Failed(Failure),
    /// The instructions of a run are used up.
    Exhausted,
    /// Rebut cannot run this.
    Unsupported(String),
    /// The test is used wrongly.
    Misuse(String),
    /// A fault of Rebut.
    Internal(String),
}

/// What a failing run died of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Failure {
    /// The message of the panic, or what the trap says.
    pub message: String,
    /// The place of the panic; nothing for a trap.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The decisions, in order.
    pub steps: Vec<Step>,
    /// The draws, in order.
    pub inputs: Vec<Input>,
    /// The same as a test case that can be run natively.
    pub tape: Tape,
    /// What a probe told.
    pub observations: Vec<Observation>,
    /// How it ended.
    pub outcome: Outcome,
    /// Where the run was, the innermost call first, if it needed what does not exist here.
    pub calls: Vec<Site>,
    /// What was not followed exactly.
    pub losses: Vec<Loss>,
    /// How many rounds of loops and calls it took.
    pub fuel: u64,
}
