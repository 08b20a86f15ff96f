//! Choices, tapes and drivers: the representation of a test case.
//!
//! A generator draws choices from a [`Source`] and builds a value from them. The recorded
//! choices, with a tree of spans over them, are the test case: a [`Tape`]. A [`Driver`] supplies
//! the choices. [`Random`] draws them with a bias toward values that break programs,
//! [`Exhaustive`] enumerates all of them, and [`Replay`] follows a tape that was recorded or
//! edited.
//!
//! This crate does no I/O, reads no clock, starts no thread and keeps no global state. The
//! choices of a case depend on its driver alone.
//!
//! You need this crate to write an engine, not to write tests.
//!
//! # Examples
//! ```
//! use rebut_choice::{AnyDriver, Label, Random, Source};
//!
//! let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(42))));
//! let list = source.span(Label::SEQUENCE, |source| {
//!     let length = source.length(0, 10);
//!     (0..length).map(|_| source.integer(-5, 5)).collect::<Vec<_>>()
//! });
//! let tape = source.into_tape();
//! assert_eq!(tape.len(), 1 + list.len());
//! ```

mod choice;
mod driver;
mod fail;
pub mod float;
pub mod friendly_mocks;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[doc(hidden)]
pub mod host;
mod label;
mod rng;
mod source;
mod stop;
mod tape;
pub mod text;
pub mod wire;

pub use choice::{Choice, ChoiceKind, Domain, Role};
pub use driver::{
    AnyDriver, ByteDriver, Constants, Driver, Exhaustive, Fallback, Random, Replay, Request,
};
pub use fail::fail_case;
pub use label::{Label, SpanShape};
pub use rng::{Rng, mix};
pub use source::{DistinctKeys, Source};
pub use stop::{Stop, raise_internal_error};
pub use tape::{Sequence, Span, Tape, TapeError, Token};

/// Panics in the sources of this crate, so that a test can see that this is not reported as a failure
/// of the code under test.
#[doc(hidden)]
pub fn canary() -> ! {
    panic!("the canary of rebut-choice")
}
