//! Drivers supply the choices.
//!
//! A generator requests a number and a driver answers. All bias is in drivers, keyed by the
//! domain, the role and the label of the span. A generator therefore means the same to random
//! testing, a proof by enumeration, a search and a solver.

mod bytes;
mod exhaustive;
mod random;
mod replay;

pub use bytes::ByteDriver;
pub use exhaustive::Exhaustive;
pub use random::{Constants, Random};
pub use replay::{Fallback, Replay};

use crate::{Choice, Domain, Label, Token};

/// A request of a generator for one number.
///
/// # Examples
/// ```
/// use rebut_choice::{Domain, Request, Source, Tape};
/// let domain = Domain::integers(0, 2);
/// let request = Request { weights: &[1, 1, 8], ..Request::plain(domain) };
/// let mut source = Source::replay(&Tape::from_text("i2").unwrap());
/// assert_eq!(source.choose(&request), 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The allowed numbers.
    pub domain: Domain,
    /// For an alternative or a boolean: the relative frequency of each answer; empty if all are
    /// equally likely. Only random drivers use this hint.
    pub weights: &'a [u32],
    /// For an alternative of a recursive type: the number of alternatives, from the first on,
    /// that do not recur. A driver that wants to end the recursion takes one of them.
    pub leaves: u32,
    /// For an alternative: the name of each, or empty if they have no names. Only drivers that
    /// follow a document use it.
    pub names: &'a [&'a str],
    /// For an alternative with weights: whether a random case may omit some, as it does if there are
    /// no weights.
    pub may_omit: bool,
}

impl Request<'_> {
    /// Requests any number of a domain, without hints.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Domain, Request};
    /// assert!(Request::plain(Domain::booleans()).weights.is_empty());
    /// ```
    #[must_use]
    pub fn plain(domain: Domain) -> Request<'static> {
        Request { domain, weights: &[], leaves: u32::MAX, names: &[], may_omit: false }
    }
}

/// Supplies the choices of a test case.
///
/// Implement it to add an engine of your own: a solver, the bytes of a fuzzer, functions imported
/// into a WebAssembly module. The [`Source`](crate::Source) moves answers outside of the domain
/// to the nearest number in it.
///
/// # Examples
/// ```
/// use rebut_choice::{AnyDriver, Driver, Request, Source, Token};
///
/// #[derive(Debug)]
/// struct AlwaysLargest;
/// impl Driver for AlwaysLargest {
///     fn choose(&mut self, request: &Request<'_>, _so_far: &[Token]) -> i128 {
///         request.domain.max
///     }
/// }
/// let mut source = Source::new(AnyDriver::Other(Box::new(AlwaysLargest)));
/// assert_eq!(source.integer(0, 99), 99);
/// ```
pub trait Driver: std::fmt::Debug {
    /// Answers a request. `so_far` contains the tokens that the case has recorded.
    fn choose(&mut self, request: &Request<'_>, so_far: &[Token]) -> i128;

    /// Called when a span begins.
    fn open(&mut self, _label: Label, _so_far: &[Token]) {}

    /// Called when the innermost span ends. Its tokens are the last ones of `so_far`.
    fn close(&mut self, _so_far: &[Token]) {}

    /// Called when a filter rejected the tokens from index `kept` on. They are no longer on
    /// the tape.
    fn rewind(&mut self, _kept: usize) {}

    /// Called when the token at index `at`, the last one, was replaced by this choice, because its
    /// answer meant nothing; see [`Source::trail`](crate::Source::trail) and
    /// [`Source::distinct`](crate::Source::distinct).
    fn replace_last(&mut self, _at: usize, _choice: Choice) {}

    /// Returns whether the next key may take the place of one that a collection has already. A
    /// driver that follows a document returns false, because the collection would not be the one
    /// of the document.
    fn accepts_next_key(&self) -> bool {
        true
    }

    /// Called before a value with parts of these names, in this order: the fields of a struct,
    /// or the parts `0`, `1` and so on of a tuple. The tape does not record the names. Drivers
    /// that follow a document use them.
    fn announce_fields(&mut self, _names: &[&str]) {}

    /// Returns the string to generate next, if this driver follows a document that has one here.
    /// The caller finds the choices that generate it and [supplies](Driver::supply) them.
    fn expected_text(&mut self) -> Option<String> {
        None
    }

    /// Like [`Driver::expected_text`], but for a single character.
    fn expected_char(&mut self) -> Option<char> {
        None
    }

    /// Receives the answers to the next requests.
    fn supply(&mut self, _numbers: Vec<i128>) {}

    /// Returns whether another attempt after a rejection can get other answers.
    fn can_retry(&self) -> bool {
        true
    }
}

/// A driver of a [`Source`](crate::Source).
///
/// The common drivers are variants of their own, so that drawing a random number needs no dynamic
/// dispatch.
///
/// # Examples
/// ```
/// use rebut_choice::{AnyDriver, Source};
/// let mut source = Source::new(AnyDriver::Simplest);
/// assert_eq!(source.integer(3, 9), 3);
/// ```
#[derive(Debug)]
pub enum AnyDriver {
    /// Draws random choices.
    Random(Box<Random>),
    /// Follows a tape.
    Replay(Box<Replay>),
    /// Enumerates all choices.
    Exhaustive(Box<Exhaustive>),
    /// Always answers with the simplest number.
    Simplest,
    /// Asks the host of the WebAssembly module; see [`host`](crate::host).
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    Host,
    /// Any other driver.
    Other(Box<dyn Driver>),
}

macro_rules! forward {
    ($self:ident, $driver:ident => $call:expr, $simplest:expr) => {
        match $self {
            AnyDriver::Simplest => $simplest,
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            AnyDriver::Host => $simplest,
            AnyDriver::Random($driver) => $call,
            AnyDriver::Replay($driver) => $call,
            AnyDriver::Exhaustive($driver) => $call,
            AnyDriver::Other($driver) => $call,
        }
    };
}

impl AnyDriver {
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

    /// Returns whether a key of this many tokens may be replaced by the next one.
    pub(crate) fn accepts_replacement(&self, tokens: usize) -> bool {
        match self {
            // Another driver can forward its answers, and it learns only of a new last token.
            AnyDriver::Other(driver) => tokens == 1 && driver.accepts_next_key(),
            AnyDriver::Random(_) | AnyDriver::Replay(_) | AnyDriver::Simplest => true,
            AnyDriver::Exhaustive(_) => false,
            // The host has the tape.
            #[cfg(all(target_family = "wasm", target_os = "unknown"))]
            AnyDriver::Host => false,
        }
    }
}
