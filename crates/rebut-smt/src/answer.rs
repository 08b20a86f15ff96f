//! The answer of a solver, and the reason for a missing one.

use std::fmt;
use std::time::Duration;

use crate::{Model, Pool, Sort, Term};

/// The answer to a query: can all assertions be true at once?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, with these values. The reference evaluator has checked them.
    Sat(Model),
    /// No; this is proved.
    Unsat,
    /// Neither was decided.
    Unknown(Reason),
}

impl Answer {
    /// Returns the values of an [`Answer::Sat`].
    pub fn model(&self) -> Option<&Model> {
        match self {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }
}

/// Why a query was not decided. Its `Display` is a message for users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    kind: ReasonKind,
    term: Option<Term>,
    assertion: Option<Term>,
}

/// The private kind of a [`Reason`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReasonKind {
    /// The conflict budget is used up.
    Budget,
    /// The embedded solver does not support an operator on this sort.
    Unsupported(Sort),
    /// An assertion has this sort and not `Bool`.
    NotABool(Sort),
    /// The values that were tried do not fit, and others were not tried.
    Unbounded,
    /// A number needs too many bits.
    TooLarge,
    /// An external solver failed, as described.
    External(String),
    /// An external solver answered `unknown`, for this reason.
    SaidUnknown(String),
    /// An external solver did not answer within this time.
    Time(Duration),
    /// A solver returned values that do not satisfy the assertions.
    WrongModel,
}

impl Reason {
    pub(crate) fn new(kind: ReasonKind) -> Reason {
        Reason { kind, term: None, assertion: None }
    }

    /// Creates a reason from a message, for a failure of an external solver that the caller
    /// noticed.
    pub fn external_failure(message: String) -> Reason {
        Reason::new(ReasonKind::External(message))
    }

    pub(crate) fn about(kind: ReasonKind, term: Term) -> Reason {
        Reason { kind, term: Some(term), assertion: None }
    }

    /// Returns the term that could not be handled, if there is a single one.
    pub fn term(&self) -> Option<Term> {
        self.term
    }

    /// Returns the assertion that contains this term.
    pub fn assertion(&self) -> Option<Term> {
        self.assertion
    }

    /// Records the first assertion that contains the term.
    pub(crate) fn within(mut self, pool: &Pool, assertions: &[Term]) -> Reason {
        if let Some(term) = self.term {
            let has = |assertion: &&Term| pool.reachable(&[**assertion]).contains(&term);
            self.assertion = assertions.iter().find(has).copied();
        }
        self
    }

    /// Whether a larger budget of conflicts or time may bring an answer.
    pub fn is_budget(&self) -> bool {
        matches!(self.kind, ReasonKind::Budget | ReasonKind::Time(_))
    }

    /// Whether only an external solver could answer.
    pub fn needs_external(&self) -> bool {
        matches!(
            self.kind,
            ReasonKind::Unsupported(_) | ReasonKind::Unbounded | ReasonKind::TooLarge
        )
    }

    /// Whether an external solver is missing, ended or sent something other than an answer. An
    /// easier query does not help then.
    pub fn is_external_failure(&self) -> bool {
        matches!(self.kind, ReasonKind::External(_))
    }

    /// Whether a solver returned values that the reference evaluator rejected.
    pub fn is_wrong_model(&self) -> bool {
        self.kind == ReasonKind::WrongModel
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ReasonKind::Budget => f.write_str("the solver's budget is used up"),
            ReasonKind::Unsupported(sort) => {
                write!(
                    f,
                    "the embedded solver does not support this for {sort}; an SMT-LIB solver may"
                )
            }
            ReasonKind::NotABool(sort) => {
                write!(f, "expected an assertion of sort Bool, found {sort}")
            }
            ReasonKind::Unbounded => f.write_str(
                "none of the small values that were tried satisfies it, which proves nothing",
            ),
            ReasonKind::TooLarge => f.write_str("a number needs too many bits"),
            ReasonKind::External(problem) => f.write_str(problem),
            ReasonKind::SaidUnknown(why) => write!(f, "the solver answered `unknown`: {why}"),
            ReasonKind::Time(time) => write!(f, "the solver did not answer within {time:?}"),
            ReasonKind::WrongModel => {
                f.write_str("the solver returned values that do not satisfy the assertions")
            }
        }
    }
}
