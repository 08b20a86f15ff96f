//! The automaton of a regular expression. Its states are the derivatives of the expression.
//!
//! For example, `a*b` has three states: `a*b` itself, the empty string after `b`, and the
//! expression that matches nothing after any other character.

use super::regex::{Regex, Regexes};
use super::{Evaluator, evaluate_regex};
use crate::{Pool, Term};

/// The number of states. Arbitrary: the circuit of a match has one literal per state and
/// character. A larger automaton makes the query unknown.
const STATES_MAX: usize = 400;

/// A deterministic automaton that starts in state 0.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    /// Ranges of characters with the same transitions. They cover all characters.
    pub(crate) classes: Vec<(char, char)>,
    /// The next state, by state and class.
    pub(crate) next: Vec<Vec<usize>>,
    pub(crate) accepting: Vec<bool>,
}

/// Builds the automaton of a regular expression. `None` if the expression has variables or too
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
    let mut done = 0;
    while done < states.len() {
        let mut row = Vec::new();
        for (low, _) in &classes {
            let after = regexes.derivative(states[done], *low);
            let index = states.iter().position(|state| *state == after);
            row.push(index.unwrap_or_else(|| {
                states.push(after);
                states.len() - 1
            }));
        }
        if states.len() > STATES_MAX {
            return None;
        }
        next.push(row);
        done += 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn states_are_the_different_derivatives() {
        let mut pool = Pool::new();
        let [a, b] = ["a", "b"].map(|text| pool.string(text));
        let [a, b] = [a, b].map(|text| pool.re_literal(text));
        let star = pool.re_star(a);
        let regex = pool.re_concat(&[star, b]);
        let automaton = automaton(&pool, regex).expect("few states");
        assert_eq!(automaton.accepting.iter().filter(|accepts| **accepts).count(), 1);
        assert_eq!(automaton.next.len(), 3);
        let step = |state: usize, character: char| {
            let class = automaton
                .classes
                .iter()
                .position(|(low, high)| (*low..=*high).contains(&character));
            automaton.next[state][class.expect("classes cover all characters")]
        };
        assert_eq!(step(0, 'a'), 0);
        assert!(automaton.accepting[step(0, 'b')]);
        assert!(!automaton.accepting[step(step(0, 'b'), 'b')]);
    }

    #[test]
    fn expressions_with_variables_or_many_states_have_no_automaton() {
        let mut pool = Pool::new();
        let variable = pool.var("s", Sort::String);
        let regex = pool.re_literal(variable);
        assert!(automaton(&pool, regex).is_none());
        let any = pool.re_allchar();
        let long = pool.re_loop(STATES_MAX as u32, STATES_MAX as u32, any);
        assert!(automaton(&pool, long).is_none());
    }
}
