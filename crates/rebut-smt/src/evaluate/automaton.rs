//! The automaton of a regular expression: its derivatives are the states.

use super::regex::{Regex, Regexes};
use super::{Evaluator, evaluate_regex};
use crate::{Pool, Term};

/// Expressions with more derivatives than this have no automaton here.
const STATES_MAX: usize = 400;

/// A deterministic automaton that begins in state 0.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    /// Ranges of characters that are treated alike. Every character is in one of them.
    pub(crate) classes: Vec<(char, char)>,
    /// The state after each state and class.
    pub(crate) next: Vec<Vec<usize>>,
    pub(crate) accepting: Vec<bool>,
}

/// The automaton of a regular expression without variables; none if there are some, or too
/// many states.
pub(crate) fn automaton(pool: &Pool, regex: Term) -> Option<Automaton> {
    if !pool.variables(&[regex]).is_empty() {
        return None;
    }
    let (mut regexes, start) = evaluate_regex(pool, regex).ok()?;
    build(&mut regexes, start)
}

fn build(regexes: &mut Regexes, start: Regex) -> Option<Automaton> {
    let classes = regexes.classes();
    let mut states = vec![start];
    let mut next = Vec::new();
    let mut place = 0;
    while place < states.len() {
        let mut row = Vec::new();
        for (low, _) in &classes {
            let after = regexes.derivative(states[place], *low);
            let known = states.iter().position(|state| *state == after);
            row.push(known.unwrap_or_else(|| {
                states.push(after);
                states.len() - 1
            }));
        }
        if states.len() > STATES_MAX {
            return None;
        }
        next.push(row);
        place += 1;
    }
    let accepting = states.iter().map(|state| regexes.is_nullable(*state)).collect();
    Some(Automaton { classes, next, accepting })
}

impl Evaluator<'_> {
    pub(super) fn into_regex(self, root: Term) -> Option<(Regexes, Regex)> {
        let regex = self.regex_of(root).ok()?;
        Some((self.regexes, regex))
    }
}
