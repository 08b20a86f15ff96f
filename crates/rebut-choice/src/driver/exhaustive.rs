//! Walks the tree of all choices, depth first, so that a finite domain is proved and not
//! sampled.

use super::{Driver, Request};
use crate::{Domain, Role, Token};

/// Makes every sequence of choices once: run the case, call [`Exhaustive::advance`], run it
/// again, until that says there is nothing left.
///
/// # Example
/// ```
/// use rebut_choice::{Drive, Exhaustive, Source};
/// let mut walk = Box::new(Exhaustive::default());
/// let mut seen = Vec::new();
/// loop {
///     let mut source = Source::new(Drive::Exhaustive(walk));
///     seen.push((source.boolean(), source.integer(0, 1)));
///     let Drive::Exhaustive(back) = source.into_drive() else { break };
///     walk = back;
///     if !walk.advance() {
///         break;
///     }
/// }
/// assert_eq!(seen, [(false, 0), (false, 1), (true, 0), (true, 1)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Exhaustive {
    /// The choices of the current case: which of the domain's numbers each one is.
    path: Vec<(u128, Domain)>,
    depth: usize,
}

impl Exhaustive {
    /// Goes on to the next case; false if all have been made.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.depth);
        self.depth = 0;
        while let Some((nth, domain)) = self.path.pop() {
            if nth + 1 < domain.size() {
                self.path.push((nth + 1, domain));
                return true;
            }
        }
        false
    }
}

impl Driver for Exhaustive {
    fn choose(&mut self, request: &Request<'_>, _so_far: &[Token]) -> i128 {
        let domain = request.domain;
        if domain.role == Role::Steps {
            return domain.origin;
        }
        let nth = match self.path.get(self.depth) {
            // A generator that is not a function of its choices must not make us leave the
            // domain; the runner's replay reports it as flaky.
            Some(&(nth, _)) => nth.min(domain.size() - 1),
            None => {
                self.path.push((0, domain));
                0
            }
        };
        self.depth += 1;
        domain.nth(nth)
    }

    /// The rejected choices stay on the path: they are one of the inputs that were tried.
    fn can_retry(&self) -> bool {
        false
    }
}
