//! Why a test stays unchanged, and notes about a test that changed.
//!
//! Code compares these values; only `words` turns them into sentences.

use rebut_concolic::Outcome;
use std::path::PathBuf;

/// Why a test stays unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WhyKept {
    /// It has `#[ignore]`.
    Ignored,
    /// It is `async`.
    Async,
    /// It returns something other than `()` or a `Result`.
    OtherReturnType,
    /// It has parameters already.
    HasParameters,
    /// It has no literals, and no object that a mock could replace.
    NoLiterals,
    /// Its literals have types that cannot be generated.
    NoTypes,
    /// Its crate is of the 2015 edition, and its file is not the root of the crate.
    OldEdition,
    /// `cargo test` does not build it.
    NotBuilt,
    /// It fails before any change.
    FailsUnchanged,
    /// It hung or ended the process before any change.
    DidNotFinish,
    /// It does not compile: the message of the compiler.
    DoesNotCompile(String),
    /// It does not compile with parameters: the message of the compiler.
    DoesNotCompileWithParameters(String),
    /// It does not compile with parameters, after too many attempts.
    TooManyErrors,
    /// It was not built for WebAssembly: the reason, if there is one.
    NoModule(Option<String>),
    /// The file of its WebAssembly module cannot be read: the error.
    UnreadableModule(PathBuf, String),
    /// Its WebAssembly module cannot be instrumented: the error.
    UnsupportedModule(String),
    /// Exploration did not take the path of the original values.
    OwnPathLost,
    /// The original values do not pass in WebAssembly, and end like this.
    OwnPathEnds(Outcome),
    /// It passes only with its original values.
    OnlyOwnValues,
    /// No simple condition separates passing from failing inputs.
    NoSimpleCondition,
    /// An object of it cannot be a mock, and it has no other values.
    ObjectKept(ObjectKept),
    /// Another attempt at the same test has a result already. Never printed.
    HasResult,
}

/// A note about a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// No simple condition was found, so the test runs its examples only.
    ExamplesOnly,
    /// Too few generated inputs satisfy the condition, so the test runs its examples only.
    TooFewInputs,
    /// The test fails for this input, so it runs its examples only. Each value is a `let`
    /// statement without its semicolon.
    FailsFor(Vec<String>),
    /// Not all paths were explored.
    UnexploredPaths,
    /// The code under test rejects inputs, but no test can be written for that.
    NoTestOfRejections,
    /// The native runs of this number of paths end differently than in WebAssembly.
    OtherNativeEnds(usize),
    /// This number of kinds of paths have no example.
    MoreExamples(usize),
    /// A written test was dropped.
    DraftDropped { name: String, why: WhyDropped },
    /// An object is not replaced by a mock.
    ObjectKept(ObjectKept),
}

/// Why a written test was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WhyDropped {
    /// It does not compile: the message of the compiler.
    DoesNotCompile(String),
    /// It rejects too many inputs: the reason for the verdict.
    Rejects(String),
    /// It fails: the message of the failure, if it is known.
    Fails(Option<String>),
    /// It hung or ended the process.
    DidNotFinish,
}

/// An object that is not replaced by a mock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ObjectKept {
    /// The code that creates it.
    pub(crate) code: String,
    pub(crate) trait_name: String,
    pub(crate) why: WhyObjectKept,
}

/// Why an object is not replaced by a mock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WhyObjectKept {
    /// Its trait has no mock.
    NoMock,
    /// Its trait cannot have a mock: the message of the compiler.
    MockRefused(String),
    /// The test fails if the mock returns something else.
    OtherAnswersFail,
    /// The test with the mock stays unchanged, for this reason.
    TestKept(Box<WhyKept>),
}
