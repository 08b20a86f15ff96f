//! Matching by derivatives (Brzozowski 1964).
//!
//! The derivative of a regular expression by a character matches what may follow that character.
//! For example, the derivative of `ab|ac` by `a` is `b|c`. A string matches if the derivative by
//! all of its characters matches the empty string (is nullable). Complement and intersection
//! need no construction of their own: the derivative of `!r` is the complement of that of `r`.
//!
//! Expressions are hash-consed and normalized: unions and intersections are flat, sorted and
//! without duplicates. That keeps the number of different derivatives finite and small.

use std::collections::HashMap;

use super::EvaluateError;
use crate::op::Op;

/// An expression of a [`Regexes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Regex(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    /// Matches nothing.
    None,
    /// Matches the empty string.
    Empty,
    /// One character of this range.
    Range(char, char),
    Concat(Regex, Regex),
    Union(Vec<Regex>),
    Inter(Vec<Regex>),
    Comp(Regex),
    Star(Regex),
    /// Between this many and that many repetitions.
    Loop(Regex, u32, u32),
}

/// The number of expressions. Arbitrary: it bounds memory. Beyond it the match cannot be computed.
const NODES_MAX: usize = 200_000;

/// An arena of expressions and a cache of their derivatives.
#[derive(Debug)]
pub(super) struct Regexes {
    nodes: Vec<Node>,
    /// Whether each expression matches the empty string.
    nullable: Vec<bool>,
    indices: HashMap<Node, Regex>,
    derivatives: HashMap<(Regex, char), Regex>,
}

impl Regexes {
    pub(super) fn new() -> Regexes {
        Regexes {
            nodes: Vec::new(),
            nullable: Vec::new(),
            indices: HashMap::new(),
            derivatives: HashMap::new(),
        }
    }

    pub(super) fn text(&mut self, text: &str) -> Regex {
        let mut regex = self.node(Node::Empty);
        for character in text.chars().rev() {
            let first = self.node(Node::Range(character, character));
            regex = self.concat(first, regex);
        }
        regex
    }

    /// As in SMT-LIB, matches no string if an end is not exactly one character.
    pub(super) fn range(&mut self, low: &str, high: &str) -> Regex {
        let only = |text: &str| {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        };
        match (only(low), only(high)) {
            (Some(low), Some(high)) if low <= high => self.node(Node::Range(low, high)),
            _ => self.node(Node::None),
        }
    }

    pub(super) fn apply(&mut self, op: Op, parts: &[Regex]) -> Result<Regex, EvaluateError> {
        Ok(match (op, parts) {
            (Op::ReNone, _) => self.node(Node::None),
            (Op::ReAll, _) => self.all(),
            (Op::ReAllChar, _) => self.node(Node::Range('\0', char::MAX)),
            (Op::ReConcat, parts) => {
                let empty = self.node(Node::Empty);
                parts.iter().rev().fold(empty, |rest, part| self.concat(*part, rest))
            }
            (Op::ReUnion, parts) => self.union(parts),
            (Op::ReInter, parts) => self.inter(parts),
            (Op::ReComp, [part]) => self.comp(*part),
            (Op::ReStar, [part]) => self.star(*part),
            (Op::ReLoop { min, max }, [part]) => self.times(*part, min, max),
            _ => return Err(EvaluateError::NO_VALUE),
        })
    }

    /// Returns the ranges of characters that no expression distinguishes.
    pub(super) fn classes(&self) -> Vec<(char, char)> {
        let mut begins = vec!['\0'];
        for node in &self.nodes {
            if let Node::Range(low, high) = node {
                begins.push(*low);
                // The iterator skips the surrogates.
                begins.extend((*high..=char::MAX).nth(1));
            }
        }
        begins.sort_unstable();
        begins.dedup();
        let before = |begin: &char| ('\0'..*begin).next_back().unwrap_or(*begin);
        let ends = begins[1..].iter().map(before).chain([char::MAX]);
        begins.iter().copied().zip(ends).collect()
    }

    pub(super) fn matches(&mut self, regex: Regex, text: &str) -> Result<bool, EvaluateError> {
        let mut rest = regex;
        for character in text.chars() {
            rest = self.derivative(rest, character);
            if self.nodes.len() > NODES_MAX {
                return Err(EvaluateError::TOO_COMPLEX);
            }
        }
        Ok(self.is_nullable(rest))
    }

    fn node(&mut self, node: Node) -> Regex {
        if let Some(regex) = self.indices.get(&node) {
            return *regex;
        }
        let regex = Regex(self.nodes.len() as u32);
        let nullable = match &node {
            Node::None | Node::Range(..) => false,
            Node::Empty | Node::Star(_) => true,
            Node::Concat(a, b) => self.is_nullable(*a) && self.is_nullable(*b),
            Node::Union(parts) => parts.iter().any(|part| self.is_nullable(*part)),
            Node::Inter(parts) => parts.iter().all(|part| self.is_nullable(*part)),
            Node::Comp(part) => !self.is_nullable(*part),
            Node::Loop(part, min, _) => *min == 0 || self.is_nullable(*part),
        };
        self.nullable.push(nullable);
        self.nodes.push(node.clone());
        self.indices.insert(node, regex);
        regex
    }

    pub(super) fn is_nullable(&self, regex: Regex) -> bool {
        self.nullable[regex.0 as usize]
    }

    fn is_none(&self, regex: Regex) -> bool {
        self.nodes[regex.0 as usize] == Node::None
    }

    fn all(&mut self) -> Regex {
        let none = self.node(Node::None);
        self.node(Node::Comp(none))
    }

    /// Concatenates, with chains that nest to the right. A chain can be as long as a string, so
    /// this must not recurse.
    fn concat(&mut self, a: Regex, b: Regex) -> Regex {
        let mut heads = Vec::new();
        let mut tail = a;
        while let Node::Concat(head, rest) = self.nodes[tail.0 as usize] {
            heads.push(head);
            tail = rest;
        }
        heads.push(tail);
        heads.into_iter().rev().fold(b, |rest, head| self.link(head, rest))
    }

    fn link(&mut self, a: Regex, b: Regex) -> Regex {
        match (&self.nodes[a.0 as usize], &self.nodes[b.0 as usize]) {
            (Node::None, _) | (_, Node::None) => self.node(Node::None),
            (Node::Empty, _) => b,
            (_, Node::Empty) => a,
            _ => self.node(Node::Concat(a, b)),
        }
    }

    /// Derives a chain: its first part, and the following ones while those before are nullable.
    fn derivative_of_chain(&mut self, regex: Regex, by: char) -> Regex {
        let mut alternatives = Vec::new();
        let mut rest = regex;
        while let Node::Concat(head, tail) = self.nodes[rest.0 as usize] {
            let first = self.derivative(head, by);
            alternatives.push(self.concat(first, tail));
            if !self.is_nullable(head) {
                return self.union(&alternatives);
            }
            rest = tail;
        }
        alternatives.push(self.derivative(rest, by));
        self.union(&alternatives)
    }

    fn union(&mut self, parts: &[Regex]) -> Regex {
        let all = self.all();
        let mut flat = Vec::new();
        for part in parts {
            match &self.nodes[part.0 as usize] {
                Node::Union(inner) => flat.extend_from_slice(inner),
                Node::None => {}
                _ => flat.push(*part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&all) {
            return all;
        }
        match &flat[..] {
            [] => self.node(Node::None),
            [only] => *only,
            _ => self.node(Node::Union(flat)),
        }
    }

    fn inter(&mut self, parts: &[Regex]) -> Regex {
        let all = self.all();
        let mut flat = Vec::new();
        for part in parts {
            match &self.nodes[part.0 as usize] {
                Node::Inter(inner) => flat.extend_from_slice(inner),
                _ if *part == all => {}
                _ => flat.push(*part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        if flat.iter().any(|part| self.is_none(*part)) {
            return self.node(Node::None);
        }
        match &flat[..] {
            [] => all,
            [only] => *only,
            _ => self.node(Node::Inter(flat)),
        }
    }

    fn comp(&mut self, part: Regex) -> Regex {
        match self.nodes[part.0 as usize] {
            Node::Comp(inner) => inner,
            _ => self.node(Node::Comp(part)),
        }
    }

    fn star(&mut self, part: Regex) -> Regex {
        match self.nodes[part.0 as usize] {
            Node::None | Node::Empty => self.node(Node::Empty),
            Node::Star(_) => part,
            _ => self.node(Node::Star(part)),
        }
    }

    fn times(&mut self, part: Regex, min: u32, max: u32) -> Regex {
        match (min, max) {
            _ if min > max => self.node(Node::None),
            (_, 0) => self.node(Node::Empty),
            (1, 1) => part,
            _ => self.node(Node::Loop(part, min, max)),
        }
    }

    pub(super) fn derivative(&mut self, regex: Regex, by: char) -> Regex {
        if let Some(derived) = self.derivatives.get(&(regex, by)) {
            return *derived;
        }
        let derived = match self.nodes[regex.0 as usize].clone() {
            Node::None | Node::Empty => self.node(Node::None),
            Node::Range(low, high) if (low..=high).contains(&by) => self.node(Node::Empty),
            Node::Range(..) => self.node(Node::None),
            Node::Concat(..) => self.derivative_of_chain(regex, by),
            Node::Union(parts) => {
                let parts: Vec<Regex> = parts.iter().map(|p| self.derivative(*p, by)).collect();
                self.union(&parts)
            }
            Node::Inter(parts) => {
                let parts: Vec<Regex> = parts.iter().map(|p| self.derivative(*p, by)).collect();
                self.inter(&parts)
            }
            Node::Comp(part) => {
                let part = self.derivative(part, by);
                self.comp(part)
            }
            Node::Star(part) => {
                let first = self.derivative(part, by);
                self.concat(first, regex)
            }
            // If the part is nullable, earlier repetitions may be empty, and taking the first one
            // is enough.
            Node::Loop(part, min, max) => {
                let first = self.derivative(part, by);
                let rest = self.times(part, min.saturating_sub(1), max - 1);
                self.concat(first, rest)
            }
        };
        self.derivatives.insert((regex, by), derived);
        derived
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivative_of_a_union_keeps_what_follows() {
        let mut regexes = Regexes::new();
        let [ab, ac, b, c] = ["ab", "ac", "b", "c"].map(|text| regexes.text(text));
        let (union, rest) = (regexes.union(&[ab, ac]), regexes.union(&[b, c]));
        assert_eq!(regexes.derivative(union, 'a'), rest);
        let after_b = regexes.derivative(union, 'b');
        assert!(regexes.is_none(after_b));
    }

    #[test]
    fn complement_and_intersection_match_by_their_definition() {
        let mut regexes = Regexes::new();
        let (letter, ab) = (regexes.range("a", "b"), regexes.text("ab"));
        let (word, other) = (regexes.star(letter), regexes.comp(ab));
        let both = regexes.inter(&[word, other]);
        for (text, wanted) in [("", true), ("ab", false), ("aba", true), ("abc", false)] {
            assert_eq!(regexes.matches(both, text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn loops_of_nullable_parts_count_repetitions() {
        let mut regexes = Regexes::new();
        let a = regexes.text("a");
        let optional = regexes.times(a, 0, 1);
        let exactly_three = regexes.times(optional, 3, 3);
        for (text, wanted) in [("", true), ("aa", true), ("aaa", true), ("aaaa", false)] {
            assert_eq!(regexes.matches(exactly_three, text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn classes_cover_all_characters_without_gaps() {
        let mut regexes = Regexes::new();
        regexes.range("b", "d");
        let classes = regexes.classes();
        assert_eq!(classes, [('\0', 'a'), ('b', 'd'), ('e', char::MAX)]);
    }
}
