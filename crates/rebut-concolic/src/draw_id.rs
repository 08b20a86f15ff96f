//! The identity of a draw, and its variable.

use std::fmt;

use rebut_smt::{Pool, Sort, Term};

/// A draw of a run, by its position: 0 is the first.
///
/// Runs of a test share a pool. The draws of several runs with the same position and width share a
/// variable, so conditions of different paths can be compared.
///
/// # Examples
/// ```
/// use rebut_concolic::DrawId;
/// use rebut_smt::Pool;
///
/// let mut pool = Pool::new();
/// let variable = DrawId::new(17).variable(&mut pool, 8);
/// assert_eq!(DrawId::of_variable(&pool, variable), Some(DrawId::new(17)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DrawId(u32);

impl DrawId {
    /// Creates the identity of the draw at this position.
    #[must_use]
    pub fn new(position: usize) -> DrawId {
        DrawId(position as u32)
    }

    /// Returns the position of the draw.
    #[must_use]
    pub fn position(self) -> usize {
        self.0 as usize
    }

    /// Returns the variable that represents the draw if it has this width in bits.
    #[must_use]
    pub fn variable(self, pool: &mut Pool, width: u32) -> Term {
        pool.var(&self.to_string(), Sort::BitVec(width))
    }

    /// Returns the draw that a variable represents. `None` for other variables and terms.
    #[must_use]
    pub fn of_variable(pool: &Pool, variable: Term) -> Option<DrawId> {
        // A pool knows variables by name only. This is the one place that parses such a name.
        pool.name(variable)?.strip_prefix('d')?.parse().ok().map(DrawId)
    }
}

impl fmt::Display for DrawId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "d{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_variables_of_draws_have_an_identity() {
        let mut pool = Pool::new();
        let draws = [0, 9, 17].map(DrawId::new);
        for draw in draws {
            let variable = draw.variable(&mut pool, 8);
            assert_eq!(DrawId::of_variable(&pool, variable), Some(draw));
        }
        let others = ["draw", "t0.length", "d", "d1x", "x1"];
        let others = others.map(|name| pool.var(name, Sort::BitVec(8)));
        let number = pool.bits(8, 1);
        for term in others.into_iter().chain([number]) {
            assert_eq!(DrawId::of_variable(&pool, term), None);
        }
    }
}
