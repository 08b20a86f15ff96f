//! Whoever supplies the choices.
//!
//! A generator asks, a driver answers. All bias lives in drivers, keyed by the domain, the
//! role and the label of the span; so a generator means the same to a random run, a proof by
//! enumeration, a search and a solver.

mod exhaustive;
mod random;
mod replay;

pub use exhaustive::Exhaustive;
pub use random::{Constants, Random};
pub use replay::{Fallback, Replay};

use crate::{Domain, Label, Token};

/// What a generator asks for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The numbers that are allowed.
    pub domain: Domain,
    /// For an alternative or a boolean: how often each should be taken, relative to the
    /// others; empty if all are alike. A hint that only random drivers heed.
    pub weights: &'a [u32],
    /// For an alternative of a recursive type: the first so many do not recur, so a driver
    /// that wants to end takes one of them.
    pub leaves: u32,
    /// For an alternative: what each is called, empty if they have no names. Of use to
    /// drivers that follow a document; no other heeds it.
    pub names: &'a [&'a str],
}

impl Request<'_> {
    /// Any number of a domain.
    #[must_use]
    pub fn plain(domain: Domain) -> Request<'static> {
        Request { domain, weights: &[], leaves: u32::MAX, names: &[] }
    }
}

/// Supplies choices.
///
/// Implement it to plug in an engine of your own: a solver, a fuzzer's bytes, functions
/// imported into a WebAssembly module. Answers outside the domain are brought into it by the
/// [`Source`](crate::Source).
///
/// # Example
/// ```
/// use rebut_choice::{Drive, Driver, Request, Source, Token};
///
/// #[derive(Debug)]
/// struct AlwaysLargest;
/// impl Driver for AlwaysLargest {
///     fn choose(&mut self, request: &Request<'_>, _so_far: &[Token]) -> i128 {
///         request.domain.max
///     }
/// }
/// let mut source = Source::new(Drive::Other(Box::new(AlwaysLargest)));
/// assert_eq!(source.integer(0, 99), 99);
/// ```
pub trait Driver: std::fmt::Debug {
    /// Answers a request; `so_far` is what this case has recorded.
    fn choose(&mut self, request: &Request<'_>, so_far: &[Token]) -> i128;

    /// A span begins.
    fn open(&mut self, _label: Label, _so_far: &[Token]) {}

    /// The innermost span ends; its tokens are the last of `so_far`.
    fn close(&mut self, _so_far: &[Token]) {}

    /// The choices from token `kept` on were rejected by a filter and are forgotten.
    fn rewind(&mut self, _kept: usize) {}

    /// A value of these parts follows, in this order: a tuple, whose parts are called `0`, `1`
    /// and so on, or a struct. Not recorded; for drivers that follow a document.
    fn record(&mut self, _parts: &[&str]) {}

    /// The text that has to be drawn next, if this driver follows a document that has one
    /// there. Whoever asks finds out which choices make it, and [supplies](Driver::supply)
    /// them.
    fn expected_text(&mut self) -> Option<String> {
        None
    }

    /// As [`Driver::expected_text`] for a single character.
    fn expected_char(&mut self) -> Option<char> {
        None
    }

    /// The answers to the next requests.
    fn supply(&mut self, _numbers: Vec<i128>) {}

    /// Whether asking again after a rejection can give another answer.
    fn can_retry(&self) -> bool {
        true
    }
}

/// A driver in its place. The common ones are known by type, so that the way from a draw to
/// its random number has no dynamic dispatch.
#[derive(Debug)]
pub enum Drive {
    /// Draws at random.
    Random(Box<Random>),
    /// Follows a tape.
    Replay(Box<Replay>),
    /// Walks all choices.
    Exhaustive(Box<Exhaustive>),
    /// Always the simplest.
    Simplest,
    /// Asks the host of the WebAssembly module; see [`host`](crate::host).
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    Host,
    /// Anything else.
    Other(Box<dyn Driver>),
}

macro_rules! forward {
    ($self:ident, $driver:ident => $call:expr, $simplest:expr) => {
        match $self {
            Drive::Simplest => $simplest,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            Drive::Host => $simplest,
            Drive::Random($driver) => $call,
            Drive::Replay($driver) => $call,
            Drive::Exhaustive($driver) => $call,
            Drive::Other($driver) => $call,
        }
    };
}

impl Drive {
    #[inline]
    pub(crate) fn choose(&mut self, request: &Request<'_>, so_far: &[Token]) -> i128 {
        forward!(self, driver => driver.choose(request, so_far), request.domain.origin)
    }

    #[inline]
    pub(crate) fn open(&mut self, label: Label, so_far: &[Token]) {
        forward!(self, driver => driver.open(label, so_far), ());
    }

    #[inline]
    pub(crate) fn close(&mut self, so_far: &[Token]) {
        forward!(self, driver => driver.close(so_far), ());
    }

    pub(crate) fn rewind(&mut self, kept: usize) {
        forward!(self, driver => driver.rewind(kept), ());
    }

    pub(crate) fn can_retry(&self) -> bool {
        forward!(self, driver => driver.can_retry(), false)
    }
}
