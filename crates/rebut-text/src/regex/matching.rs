//! Whether a text matches, straight from the tree.
//!
//! This is the definition that the automata are held against, and shares nothing with them:
//! from a set of positions in the text, each node leads to the set of positions behind it.

use super::{Node, Regex};
use crate::order;
use crate::symbols::Symbol;

impl Regex {
    /// Whether the whole of a text matches. This walks the tree and builds no automaton, so it
    /// can check what others have generated. It takes time in proportion to the length of the
    /// text times the size of the regex, in all but odd cases.
    ///
    /// # Example
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
        self.behind(&symbols, &start)[symbols.len()]
    }

    fn behind(&self, text: &[Symbol], from: &[bool]) -> Vec<bool> {
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
                parts.iter().fold(from.to_vec(), |from, part| part.behind(text, &from))
            }
            Node::Union(alternatives) => {
                let mut to = vec![false; from.len()];
                for alternative in alternatives {
                    join(&mut to, &alternative.behind(text, from));
                }
                to
            }
            Node::Repeat { inner, min, max } => repeated(inner, *min, *max, text, from),
        }
    }
}

/// After as many rounds as there are positions nothing new can come, and without a position
/// left nothing at all.
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
        let next = inner.behind(text, &current);
        rounds = if next == current { min } else { rounds + 1 };
        current = next;
    }
    join(&mut to, &current);
    while max.is_none_or(|max| rounds < max) && current.contains(&true) {
        current = inner.behind(text, &current);
        if !join(&mut to, &current) {
            break;
        }
        rounds += 1;
    }
    to
}

/// Adds positions; says whether any was new.
fn join(to: &mut [bool], from: &[bool]) -> bool {
    let mut news = false;
    for (to, from) in to.iter_mut().zip(from) {
        news |= *from && !*to;
        *to |= *from;
    }
    news
}
