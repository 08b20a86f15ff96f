//! Walks the tree of all choices, depth first, so that a property with few inputs is proved
//! instead of sampled.

use std::ops::Range;

use super::{Driver, Request};
use crate::{Domain, Token};

/// Makes every sequence of choices exactly once.
///
/// Run the case, call [`Exhaustive::advance`], and run the case again until it returns false.
///
/// # Examples
/// ```
/// use rebut_choice::{AnyDriver, Exhaustive, Source};
/// let mut walk = Box::new(Exhaustive::default());
/// let mut seen = Vec::new();
/// loop {
///     let mut source = Source::new(AnyDriver::Exhaustive(walk));
///     seen.push((source.boolean(), source.integer(0, 1)));
///     let AnyDriver::Exhaustive(back) = source.into_driver() else { break };
///     walk = back;
///     if !walk.advance() {
///         break;
///     }
/// }
/// assert_eq!(seen, [(false, 0), (false, 1), (true, 0), (true, 1)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Exhaustive {
    /// The choices of the current case: the position of each in its domain, and the domain.
    path: Vec<(u128, Domain)>,
    depth: usize,
    is_skipped: bool,
}

impl Exhaustive {
    /// Advances to the next case. Returns false if there are no more cases.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Exhaustive, Source};
    /// let mut source = Source::new(AnyDriver::Exhaustive(Box::new(Exhaustive::default())));
    /// source.integer(5, 5);
    /// let AnyDriver::Exhaustive(mut walk) = source.into_driver() else { panic!() };
    /// assert!(!walk.advance(), "there is only one case");
    /// ```
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.depth);
        self.depth = 0;
        self.is_skipped = false;
        while let Some((nth, domain)) = self.path.pop() {
            if nth + 1 < domain.size() {
                self.path.push((nth + 1, domain));
                return true;
            }
        }
        false
    }

    /// Returns whether the case was ended because another one has the same input. It is none of
    /// the inputs then.
    ///
    /// # Examples
    /// ```
    /// assert!(!rebut_choice::Exhaustive::default().is_skipped());
    /// ```
    #[must_use]
    pub fn is_skipped(&self) -> bool {
        self.is_skipped
    }

    /// Marks the case as one that is not an input.
    pub(crate) fn skip(&mut self) {
        self.is_skipped = true;
    }

    /// Starts where a case made these choices.
    pub(crate) fn at(tokens: &[Token]) -> Exhaustive {
        let mut walk = Exhaustive::default();
        for token in tokens {
            if let Token::Choice(choice) = token
                && !choice.domain.role.is_walk()
            {
                walk.path.push((choice.domain.position(choice.number), choice.domain));
            }
        }
        walk.depth = walk.path.len();
        walk
    }

    /// Returns the number of choices that the current case has made.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns whether one part of the path comes after another one in the order of the
    /// enumeration.
    pub(crate) fn is_later(&self, part: &Range<usize>, other: &Range<usize>) -> bool {
        let numbers = |range: &Range<usize>| {
            self.path.get(range.clone()).unwrap_or_default().iter().map(|(nth, _)| *nth)
        };
        numbers(part).gt(numbers(other))
    }
}

impl Driver for Exhaustive {
    fn choose(&mut self, request: &Request<'_>, _so_far: &[Token]) -> i128 {
        let domain = request.domain;
        if domain.role.is_walk() {
            return domain.origin;
        }
        let nth = match self.path.get(self.depth) {
            // A generator that depends on more than its choices must not lead out of the domain.
            // The replay of the runner reports it as flaky.
            Some(&(nth, _)) => nth.min(domain.size() - 1),
            None => {
                self.path.push((0, domain));
                0
            }
        };
        self.depth += 1;
        domain.nth(nth)
    }

    /// The rejected choices stay on the path: they are one of the tested inputs.
    fn can_retry(&self) -> bool {
        false
    }
}
