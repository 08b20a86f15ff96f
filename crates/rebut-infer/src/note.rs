//! Notes for the user, in addition to the tests: assumptions, and parts that were left out.
//! `words.rs` contains the wording.

use crate::read::subject::Uncallable;

/// A note for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// No argument was specified for this parameter of the type, so it is `i32`.
    AssumedArgument { type_name: String, parameter: String },
    /// A method is not used, because it cannot be called.
    SkippedMethod { method: String, why: Uncallable },
    /// An observer that may panic with this message is not called before or after a method.
    SkippedObserver { call: String, stage: CallStage, method: String, message: String },
    /// A method that may panic with this message does not lead to further states.
    SkippedStep { method: String, message: String },
    /// No observer is left that can be called after this method.
    NoObserverAfter { method: String },
    /// Results of this type cannot be observed.
    OpaqueResult { function: String, ty: String },
    /// No guard describes when a method panics, so laws of it were dropped.
    UnpredictablePanic { method: String },
    /// Two states look alike before a call and not after it.
    Nondeterminism {
        type_name: String,
        method: String,
        /// The call that distinguishes them; `None` if only one of the calls panics.
        shown_by: Option<String>,
        /// The inputs that lead to the states, as `let` lines.
        states: [String; 2],
    },
    /// A claim was dropped from a test.
    DroppedClaim { test: String, claim: String, why: DropReason },
    /// A test was dropped.
    DroppedTest { test: String, why: DropReason },
    /// A clause was dropped from a contract.
    DroppedClause { function: String, clause: String, why: DropReason },
}

/// On which side of a call an observer is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallStage {
    Before,
    After,
}

/// Why a claim, a test or a clause was dropped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DropReason {
    /// It does not compile, with this error.
    NotCompiled(String),
    /// It fails in a native run with these values.
    Fails { values: Vec<String> },
    /// It fails in a native run without values; this is the report.
    FailsWithoutValues { report: String },
}
