//! What a solver says.

use std::fmt;
use std::time::Duration;

use crate::{Model, Pool, Sort, Term};

/// Whether some values make all assertions true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These do. They were put into the assertions by the reference evaluator.
    Sat(Model),
    /// None do, and that is proved.
    Unsat,
    /// Neither was found out.
    Unknown(Reason),
}

impl Answer {
    /// The values, if there are any.
    pub fn model(&self) -> Option<&Model> {
        match self {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    why: Why,
    term: Option<Term>,
    assertion: Option<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The conflicts that were allowed are used up.
    Budget,
    /// The embedded solver does not know an operator of this sort.
    Unsupported(Sort),
    /// An assertion is of this sort.
    NotABool(Sort),
    /// Not all values were tried, and those that were do not fit.
    Unbounded,
    /// A number needs too many bits.
    TooLarge,
    /// An external solver did not answer as it should.
    External(String),
    /// An external solver said that it does not know.
    SaidUnknown(String),
    /// An external solver did not answer within this time.
    Time(Duration),
    /// A solver gave values that do not satisfy the assertions.
    WrongModel,
}

impl Reason {
    pub(crate) fn new(why: Why) -> Reason {
        Reason { why, term: None, assertion: None }
    }

    /// A reason in words, for what is noticed about an external solver elsewhere.
    pub fn other(words: String) -> Reason {
        Reason::new(Why::External(words))
    }

    pub(crate) fn about(why: Why, term: Term) -> Reason {
        Reason { why, term: Some(term), assertion: None }
    }

    /// The term that is at fault, if it is one.
    pub fn term(&self) -> Option<Term> {
        self.term
    }

    /// The assertion that this term is in.
    pub fn assertion(&self) -> Option<Term> {
        self.assertion
    }

    pub(crate) fn within(mut self, pool: &Pool, assertions: &[Term]) -> Reason {
        if let Some(term) = self.term {
            let has = |assertion: &&Term| pool.reachable(&[**assertion]).contains(&term);
            self.assertion = assertions.iter().find(has).copied();
        }
        self
    }

    /// Whether more conflicts, or more time, may bring an answer.
    pub fn is_budget(&self) -> bool {
        matches!(self.why, Why::Budget | Why::Time(_))
    }

    /// Whether only an external solver could answer.
    pub fn needs_external(&self) -> bool {
        matches!(self.why, Why::Unsupported(_) | Why::Unbounded | Why::TooLarge)
    }

    /// Whether an external solver is missing, ended or said what is no answer, so that asking
    /// it something easier is of no use.
    pub fn is_trouble(&self) -> bool {
        matches!(self.why, Why::External(_))
    }

    /// Whether a solver gave values that the reference evaluator refused.
    pub fn is_wrong_model(&self) -> bool {
        self.why == Why::WrongModel
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Budget => f.write_str("the solver's budget is used up"),
            Why::Unsupported(sort) => {
                write!(
                    f,
                    "the embedded solver does not support this for {sort}; an SMT-LIB solver may"
                )
            }
            Why::NotABool(sort) => write!(f, "expected an assertion of sort Bool, found {sort}"),
            Why::Unbounded => f.write_str(
                "none of the small values that were tried satisfies it, which proves nothing",
            ),
            Why::TooLarge => f.write_str("a number needs too many bits"),
            Why::External(problem) => f.write_str(problem),
            Why::SaidUnknown(why) => write!(f, "the solver answered `unknown`: {why}"),
            Why::Time(time) => write!(f, "the solver did not answer within {time:?}"),
            Why::WrongModel => {
                f.write_str("the solver returned values that do not satisfy the assertions")
            }
        }
    }
}
