//! Matches a string by walking the tree.
//!
//! This is the definition that the automata are tested against, and shares no code with them:
//! each node maps the set of positions where a match may start to those where it may end.

use super::{Node, Regex};
use crate::order;
use crate::symbols::Symbol;

impl Regex {
    /// Returns whether a whole string matches.
    ///
    /// This walks the tree and builds no automaton, so it can check generated strings
    /// independently. The time is usually proportional to the length of the string times the
    /// size of the regex.
    ///
    /// # Examples
    /// ```
    /// use rebut_text::Regex;
    /// assert!(Regex::parse("(a|b)*a(a|b){16}")?.is_match(&"ba".repeat(9)));
    /// # Ok::<(), rebut_text::RegexError>(())
    /// ```
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        let symbols = order::symbols_in(text);
        let mut start = vec![false; symbols.len() + 1];
        start[0] = true;
        self.match_ends(&symbols, &start)[symbols.len()]
    }

    fn match_ends(&self, text: &[Symbol], from: &[bool]) -> Vec<bool> {
        match self.node() {
            Node::Empty => from.to_vec(),
            Node::Class(class) => {
                let mut to = vec![false; from.len()];
                for (at, symbol) in text.iter().enumerate() {
                    to[at + 1] = from[at] && class.parts.iter().any(|part| part.contains(*symbol));
                }
                to
            }
            Node::Concat(parts) => {
                parts.iter().fold(from.to_vec(), |from, part| part.match_ends(text, &from))
            }
            Node::Union(alternatives) => {
                let mut to = vec![false; from.len()];
                for alternative in alternatives {
                    join(&mut to, &alternative.match_ends(text, from));
                }
                to
            }
            Node::Repeat { inner, min, max } => repeated(inner, *min, *max, text, from),
        }
    }
}

/// Matches a repetition. Stops when a round adds no position, which happens after at most as many
/// rounds as there are positions, so large bounds cost nothing.
fn repeated(
    inner: &Regex,
    min: u32,
    max: Option<u32>,
    text: &[Symbol],
    from: &[bool],
) -> Vec<bool> {
    let mut to = vec![false; from.len()];
    if max.is_some_and(|max| max < min) {
        return to;
    }
    let mut current = from.to_vec();
    let mut rounds = 0;
    while rounds < min && current.contains(&true) {
        let next = inner.match_ends(text, &current);
        rounds = if next == current { min } else { rounds + 1 };
        current = next;
    }
    join(&mut to, &current);
    while max.is_none_or(|max| rounds < max) && current.contains(&true) {
        current = inner.match_ends(text, &current);
        if !join(&mut to, &current) {
            break;
        }
        rounds += 1;
    }
    to
}

/// Adds positions. Returns whether any was new.
fn join(to: &mut [bool], from: &[bool]) -> bool {
    let mut has_new = false;
    for (to, from) in to.iter_mut().zip(from) {
        has_new |= *from && !*to;
        *to |= *from;
    }
    has_new
}
