//! Languages as expressions, and membership by the definition of each operation.
//!
//! [`Expr::contains`] is the reference that the automata are tested against. It works on sets of
//! positions of the string: each operation maps the positions where a match may start to those
//! where it may end. Complement and intersection need to know which start belongs to which end,
//! so there each start is tried alone, which is slower.

use std::sync::Arc;

use super::nfa::Nfa;
use crate::order;
use crate::regex::{Node, Regex};
use crate::symbols::{Symbol, Symbols};

/// An expression with all the operations under which regular languages are closed.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    /// One symbol of a set. The empty set matches nothing.
    Set(Symbols),
    Concat(Vec<Arc<Expr>>),
    Union(Vec<Arc<Expr>>),
    And(Vec<Arc<Expr>>),
    Not(Arc<Expr>),
    /// The inner expression, the minimum number of repetitions, and the maximum if any.
    Repeat(Arc<Expr>, u32, Option<u32>),
    /// The strings that an automaton accepts.
    Machine(Arc<Nfa>),
}

impl Expr {
    pub(crate) fn none() -> Arc<Expr> {
        Arc::new(Expr::Set(Symbols::none()))
    }

    pub(crate) fn any() -> Arc<Expr> {
        Arc::new(Expr::Set(order::all()))
    }

    pub(crate) fn all() -> Arc<Expr> {
        Expr::repeat(&Expr::any(), 0, None)
    }

    /// Returns whether this is the expression of [`Expr::all`]. Other expressions may have the
    /// same language.
    pub(crate) fn is_all(&self) -> bool {
        match self {
            Expr::Repeat(inner, 0, None) => {
                matches!(&**inner, Expr::Set(symbols) if *symbols == order::all())
            }
            _ => false,
        }
    }

    pub(crate) fn set(symbols: Symbols) -> Arc<Expr> {
        Arc::new(Expr::Set(symbols))
    }

    pub(crate) fn literal(text: &str) -> Arc<Expr> {
        let symbols = order::symbols_in(text);
        Expr::concat(symbols.into_iter().map(|symbol| Expr::set(Symbols::one(symbol))))
    }

    pub(crate) fn concat(parts: impl IntoIterator<Item = Arc<Expr>>) -> Arc<Expr> {
        Arc::new(Expr::Concat(parts.into_iter().collect()))
    }

    pub(crate) fn union(parts: impl IntoIterator<Item = Arc<Expr>>) -> Arc<Expr> {
        Arc::new(Expr::Union(parts.into_iter().collect()))
    }

    pub(crate) fn and(parts: impl IntoIterator<Item = Arc<Expr>>) -> Arc<Expr> {
        Arc::new(Expr::And(parts.into_iter().collect()))
    }

    pub(crate) fn not(inner: &Arc<Expr>) -> Arc<Expr> {
        Arc::new(Expr::Not(inner.clone()))
    }

    pub(crate) fn repeat(inner: &Arc<Expr>, min: u32, max: Option<u32>) -> Arc<Expr> {
        Arc::new(Expr::Repeat(inner.clone(), min, max))
    }

    pub(crate) fn machine(nfa: Nfa) -> Arc<Expr> {
        Arc::new(Expr::Machine(Arc::new(nfa)))
    }

    pub(crate) fn regex(regex: &Regex) -> Arc<Expr> {
        match regex.node() {
            Node::Empty => Expr::concat([]),
            Node::Class(class) => Expr::set(class.symbols()),
            Node::Concat(parts) => Expr::concat(parts.iter().map(Expr::regex)),
            Node::Union(alternatives) => Expr::union(alternatives.iter().map(Expr::regex)),
            Node::Repeat { inner, min, max } => Expr::repeat(&Expr::regex(inner), *min, *max),
        }
    }

    /// Returns whether a string belongs to the language.
    pub(crate) fn contains(&self, text: &[Symbol]) -> bool {
        match self {
            Expr::Union(parts) => parts.iter().any(|part| part.contains(text)),
            Expr::And(parts) => parts.iter().all(|part| part.contains(text)),
            Expr::Not(inner) => !inner.contains(text),
            _ => {
                let mut start = vec![false; text.len() + 1];
                start[0] = true;
                self.match_ends(text, &start)[text.len()]
            }
        }
    }

    /// Returns the positions at which a match can end that starts at one of the positions `from`.
    fn match_ends(&self, text: &[Symbol], from: &[bool]) -> Vec<bool> {
        match self {
            Expr::Set(symbols) => {
                let mut to = vec![false; from.len()];
                for (at, symbol) in text.iter().enumerate() {
                    to[at + 1] = from[at] && symbols.contains(*symbol);
                }
                to
            }
            Expr::Concat(parts) => {
                parts.iter().fold(from.to_vec(), |from, part| part.match_ends(text, &from))
            }
            Expr::Union(parts) => {
                let mut to = vec![false; from.len()];
                for part in parts {
                    join(&mut to, &part.match_ends(text, from));
                }
                to
            }
            Expr::Repeat(inner, min, max) => inner.repeated(*min, *max, text, from),
            Expr::Machine(nfa) => nfa.match_ends(text, from),
            Expr::And(_) | Expr::Not(_) => self.match_ends_one_by_one(text, from),
        }
    }

    /// Tries each start alone.
    fn match_ends_one_by_one(&self, text: &[Symbol], from: &[bool]) -> Vec<bool> {
        let mut to = vec![false; from.len()];
        for start in (0..from.len()).filter(|&start| from[start]) {
            for end in start..from.len() {
                to[end] = to[end] || self.contains(&text[start..end]);
            }
        }
        to
    }

    /// Ends early once a round adds no position, so large bounds cost nothing.
    fn repeated(&self, min: u32, max: Option<u32>, text: &[Symbol], from: &[bool]) -> Vec<bool> {
        let mut to = vec![false; from.len()];
        if max.is_some_and(|max| max < min) {
            return to;
        }
        let (mut current, mut rounds) = (from.to_vec(), 0);
        while rounds < min && current.contains(&true) {
            let next = self.match_ends(text, &current);
            rounds = if next == current { min } else { rounds + 1 };
            current = next;
        }
        join(&mut to, &current);
        while max.is_none_or(|max| rounds < max) && current.contains(&true) {
            current = self.match_ends(text, &current);
            if !join(&mut to, &current) {
                break;
            }
            rounds += 1;
        }
        to
    }
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
