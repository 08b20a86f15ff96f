//! The result of a run: verdict, counterexamples and statistics.
//!
//! [`Check::run`](crate::Check::run) returns a [`Report`]. `#[rebut::test]` prints it if the test
//! fails.
//!
//! # Examples
//! ```
//! use rebut::report::{FailureKind, Verdict};
//! use rebut::{Check, integers};
//!
//! let report = Check::new("small").seed(1).run(|case| {
//!     assert!(case.draw_as("n", integers::<u16>()) < 500);
//! });
//! let Verdict::Failed(counterexamples) = &report.verdict else { panic!("{report}") };
//! assert_eq!(counterexamples[0].failure.kind, FailureKind::Panic);
//! assert_eq!(counterexamples[0].values[0].code, "500");
//! ```

pub use rebut_run::{
    BestCase, CaseCount, Claim, ContractViolation, Counterexample, CoverCount, Failure, FailureKey,
    FailureKind, FailureRate, FoundBy, FreePart, Location, OperationCount, Outcome, ParetoCase,
    ParetoValue, Report, ShownValue, Statistics, Verdict,
};
