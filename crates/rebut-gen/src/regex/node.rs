//! The parts of a pattern, and how to draw them.

use std::ops::RangeInclusive;

use rebut_choice::{Label, Source};

use crate::class::Class;
use crate::integers::MEMBERS_MAX;

/// A part of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// Exactly these bytes, without a choice. Empty for the empty pattern.
    Literal(Vec<u8>),
    /// One of these characters.
    Chars(Class),
    /// One of these bytes, each as the character with this number.
    Bytes(Class),
    /// All nodes in order.
    Concat(Vec<Node>),
    /// One of the nodes.
    Alternation(Vec<Node>),
    /// The node or nothing.
    Optional(Box<Node>),
    /// The node, repeated a number of times within the range.
    Repeat(Box<Node>, RangeInclusive<usize>),
    /// A condition on a position in the string.
    Assert(Assertion),
    /// A node that matches nothing.
    Never,
}

const ALTERNATION: Label = Label::group("alternation");
const OPTIONAL: Label = Label::group("optional");
const REPEAT: Label = Label::group("repeat");

impl Node {
    /// Draws a string, appends it to `bytes`, and adds its assertions with their positions to
    /// `checks`.
    pub(super) fn draw(
        &self,
        source: &mut Source,
        bytes: &mut Vec<u8>,
        checks: &mut Vec<(usize, Assertion)>,
    ) {
        match self {
            Node::Literal(literal) => bytes.extend_from_slice(literal),
            Node::Chars(class) => push_char(bytes, class.draw(source)),
            Node::Bytes(class) => bytes.push(class.draw(source) as u8),
            Node::Concat(nodes) => {
                for node in nodes {
                    node.draw(source, bytes, checks);
                }
            }
            Node::Alternation(nodes) => source.span(ALTERNATION, |source| {
                let index = source.alternative(nodes.len(), &[], nodes.len());
                source.span(Label::ALTERNATIVE, |source| nodes[index].draw(source, bytes, checks));
            }),
            Node::Optional(node) => source.span(OPTIONAL, |source| {
                if source.presence(1, 1) {
                    node.draw(source, bytes, checks);
                }
            }),
            Node::Repeat(node, times) => node.draw_repeated(times, source, bytes, checks),
            Node::Assert(assertion) => checks.push((bytes.len(), *assertion)),
            Node::Never => source.reject("a pattern that nothing matches"),
        }
    }

    fn draw_repeated(
        &self,
        times: &RangeInclusive<usize>,
        source: &mut Source,
        bytes: &mut Vec<u8>,
        checks: &mut Vec<(usize, Assertion)>,
    ) {
        let (min, max) = (*times.start(), *times.end());
        let label = match self {
            _ if min == max => REPEAT,
            Node::Chars(class) if class.is_range() => Label::TEXT,
            _ => Label::SEQUENCE,
        };
        let single = matches!(self, Node::Chars(_) | Node::Bytes(_));
        source.span(label, |source| {
            let length = if min == max { min } else { source.length(min, max) };
            for _ in 0..length {
                if single {
                    self.draw(source, bytes, checks);
                } else {
                    source.span(Label::ELEMENT, |source| self.draw(source, bytes, checks));
                }
            }
        });
    }

    /// Returns whether the node contains an assertion.
    pub(super) fn asserts(&self) -> bool {
        match self {
            Node::Assert(_) => true,
            Node::Concat(nodes) | Node::Alternation(nodes) => nodes.iter().any(Node::asserts),
            Node::Optional(node) | Node::Repeat(node, _) => node.asserts(),
            Node::Literal(_) | Node::Chars(_) | Node::Bytes(_) | Node::Never => false,
        }
    }

    /// Returns all strings that match, simplest first, if there are few.
    pub(super) fn members(&self) -> Option<Vec<Vec<u8>>> {
        let members = match self {
            Node::Literal(literal) => vec![literal.clone()],
            Node::Chars(class) | Node::Bytes(class) if class.len() as u128 > MEMBERS_MAX => {
                return None;
            }
            Node::Chars(class) => class.iter().map(|c| c.to_string().into_bytes()).collect(),
            Node::Bytes(class) => class.iter().map(|c| vec![c as u8]).collect(),
            Node::Concat(nodes) => nodes
                .iter()
                .try_fold(vec![Vec::new()], |before, node| product(&before, &node.members()?))?,
            Node::Alternation(nodes) => {
                let all: Option<Vec<_>> = nodes.iter().map(Node::members).collect();
                all?.concat()
            }
            Node::Optional(node) => [vec![Vec::new()], node.members()?].concat(),
            Node::Repeat(node, times) => {
                let once = node.members()?;
                let mut power = vec![Vec::new()];
                let mut all = Vec::new();
                for count in 0..=*times.end() {
                    if count > 0 {
                        power = product(&power, &once)?;
                    }
                    if times.contains(&count) {
                        all.extend(power.iter().cloned());
                    }
                    if all.len() as u128 > MEMBERS_MAX {
                        return None;
                    }
                }
                all
            }
            Node::Assert(_) | Node::Never => return None,
        };
        (members.len() as u128 <= MEMBERS_MAX).then_some(members)
    }
}

/// Returns every string of the first list followed by every one of the second, if there are few.
fn product(firsts: &[Vec<u8>], seconds: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    let few = firsts.len() as u128 * seconds.len() as u128 <= MEMBERS_MAX;
    let pair = |first: &Vec<u8>, second: &Vec<u8>| [first.as_slice(), second].concat();
    few.then(|| {
        firsts.iter().flat_map(|first| seconds.iter().map(move |s| pair(first, s))).collect()
    })
}

fn push_char(bytes: &mut Vec<u8>, character: char) {
    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// A condition on a position in the string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    StartText,
    EndText,
    StartLine { crlf: bool },
    EndLine { crlf: bool },
    Word { edge: Edge, unicode: bool },
}

/// The kind of a word boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Any,
    None,
    Start,
    End,
    StartHalf,
    EndHalf,
}

impl Assertion {
    /// Returns whether the condition is true at a position.
    pub(super) fn holds(self, bytes: &[u8], at: usize) -> bool {
        let (before, after) = bytes.split_at(at.min(bytes.len()));
        match self {
            Assertion::StartText => before.is_empty(),
            Assertion::EndText => after.is_empty(),
            Assertion::StartLine { crlf } => match before.last() {
                None | Some(b'\n') => true,
                Some(b'\r') => crlf && after.first() != Some(&b'\n'),
                Some(_) => false,
            },
            Assertion::EndLine { crlf } => match after.first() {
                None => true,
                Some(b'\n') => !crlf || before.last() != Some(&b'\r'),
                Some(b'\r') => crlf,
                Some(_) => false,
            },
            Assertion::Word { edge, unicode } => {
                let left = last_char(before).is_some_and(|c| is_word(c, unicode));
                let right = first_char(after).is_some_and(|c| is_word(c, unicode));
                match edge {
                    Edge::Any => left != right,
                    Edge::None => left == right,
                    Edge::Start => !left && right,
                    Edge::End => left && !right,
                    Edge::StartHalf => !left,
                    Edge::EndHalf => !right,
                }
            }
        }
    }
}

fn is_word(character: char, unicode: bool) -> bool {
    if unicode {
        regex_syntax::try_is_word_character(character).unwrap_or(false)
    } else {
        character.is_ascii_alphanumeric() || character == '_'
    }
}

fn first_char(bytes: &[u8]) -> Option<char> {
    let mut ends = (1..=bytes.len().min(4)).map(|length| &bytes[..length]);
    ends.find_map(only_char)
}

fn last_char(bytes: &[u8]) -> Option<char> {
    let mut starts = (1..=bytes.len().min(4)).map(|length| &bytes[bytes.len() - length..]);
    starts.find_map(only_char)
}

fn only_char(bytes: &[u8]) -> Option<char> {
    std::str::from_utf8(bytes).ok()?.chars().next()
}
