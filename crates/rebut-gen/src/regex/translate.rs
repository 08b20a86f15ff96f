//! Translates a pattern to nodes.

use std::ops::Range;

use regex_syntax::ast::{
    self, AssertionKind, Ast, Flag, Flags, FlagsItemKind, GroupKind, RepetitionKind,
    RepetitionRange,
};
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{self, HirKind};

use super::error::{Kind, RegexError};
use super::node::{Assertion, Edge, Node};
use crate::class::Class;

/// The maximum number of repetitions beyond the lower bound, if the pattern has no upper bound. Longer
/// strings match too, but are never generated. Arbitrary: random lengths are mostly below 32, and a
/// repetition of a repetition has up to the square of this number.
const REPEAT_MAX: usize = 100;

/// Parses a pattern. With `utf8`, every match must be valid UTF-8.
pub(super) fn translate(pattern: &str, utf8: bool) -> Result<Node, RegexError> {
    let ast = ast::parse::Parser::new().parse(pattern).map_err(|error| {
        let kind = match error.kind() {
            ast::ErrorKind::UnsupportedBackreference | ast::ErrorKind::UnsupportedLookAround => {
                Kind::Unsupported
            }
            _ => Kind::Syntax,
        };
        RegexError::new(kind, error.kind().to_string(), pattern, range(error.span()))
    })?;
    let node = AstTranslator { pattern, utf8, mode: Mode::default() }.node(&ast)?;
    let node = without_anchors(node, true, true);
    if matches!(node, Node::Never) {
        let message = "nothing matches this pattern".to_owned();
        return Err(RegexError::new(Kind::Empty, message, pattern, 0..pattern.len()));
    }
    Ok(node)
}

fn range(span: &ast::Span) -> Range<usize> {
    span.start.offset..span.end.offset
}

/// The flags at a position of the pattern.
#[derive(Clone, Copy, Debug)]
struct Mode {
    ignore_case: bool,
    multi_line: bool,
    dot_all: bool,
    crlf: bool,
    unicode: bool,
}

impl Default for Mode {
    fn default() -> Mode {
        let (ignore_case, multi_line, dot_all, crlf) = (false, false, false, false);
        Mode { ignore_case, multi_line, dot_all, crlf, unicode: true }
    }
}

impl Mode {
    fn set(&mut self, flags: &Flags) {
        let mut value = true;
        for item in &flags.items {
            match item.kind {
                FlagsItemKind::Negation => value = false,
                FlagsItemKind::Flag(Flag::CaseInsensitive) => self.ignore_case = value,
                FlagsItemKind::Flag(Flag::MultiLine) => self.multi_line = value,
                FlagsItemKind::Flag(Flag::DotMatchesNewLine) => self.dot_all = value,
                FlagsItemKind::Flag(Flag::CRLF) => self.crlf = value,
                FlagsItemKind::Flag(Flag::Unicode) => self.unicode = value,
                // Greediness does not change the language, and the parser handles whitespace.
                FlagsItemKind::Flag(Flag::SwapGreed | Flag::IgnoreWhitespace) => {}
            }
        }
    }
}

/// Translates the syntax tree, with the flags that are set at each node.
struct AstTranslator<'a> {
    pattern: &'a str,
    utf8: bool,
    mode: Mode,
}

impl AstTranslator<'_> {
    fn node(&mut self, ast: &Ast) -> Result<Node, RegexError> {
        Ok(match ast {
            Ast::Empty(_) => Node::Literal(Vec::new()),
            Ast::Flags(set) => {
                self.mode.set(&set.flags);
                Node::Literal(Vec::new())
            }
            Ast::Literal(_)
            | Ast::Dot(_)
            | Ast::ClassUnicode(_)
            | Ast::ClassPerl(_)
            | Ast::ClassBracketed(_) => self.class(ast)?,
            Ast::Assertion(assertion) => Node::Assert(self.assertion(&assertion.kind)),
            Ast::Repetition(repetition) => {
                let node = self.node(&repetition.ast)?;
                repeated(node, &repetition.op.kind)
            }
            Ast::Group(group) => {
                let around = self.mode;
                if let GroupKind::NonCapturing(flags) = &group.kind {
                    self.mode.set(flags);
                }
                let node = self.node(&group.ast);
                self.mode = around;
                node?
            }
            Ast::Alternation(alternation) => alternation_of(self.nodes(&alternation.asts)?),
            Ast::Concat(concat) => concat_of(self.nodes(&concat.asts)?),
        })
    }

    fn nodes(&mut self, asts: &[Ast]) -> Result<Vec<Node>, RegexError> {
        asts.iter().map(|ast| self.node(ast)).collect()
    }

    /// Translates a part that is one character, with the translator of `regex_syntax`.
    fn class(&self, ast: &Ast) -> Result<Node, RegexError> {
        let mode = self.mode;
        let mut translator = TranslatorBuilder::new()
            .utf8(self.utf8)
            .case_insensitive(mode.ignore_case)
            .multi_line(mode.multi_line)
            .dot_matches_new_line(mode.dot_all)
            .crlf(mode.crlf)
            .unicode(mode.unicode)
            .build();
        let hir = translator.translate(self.pattern, ast).map_err(|error| {
            let message = error.kind().to_string();
            RegexError::new(Kind::Syntax, message, self.pattern, range(error.span()))
        })?;
        let byte = |byte: u8| char::from(byte);
        match hir.into_kind() {
            HirKind::Empty => Ok(Node::Literal(Vec::new())),
            HirKind::Literal(hir::Literal(bytes)) => Ok(Node::Literal(bytes.into())),
            HirKind::Class(hir::Class::Unicode(class)) => {
                let ranges: Vec<(char, char)> =
                    class.iter().map(|range| (range.start(), range.end())).collect();
                Ok(class_of(Class::new(&ranges), Node::Chars))
            }
            HirKind::Class(hir::Class::Bytes(class)) => {
                let ranges: Vec<(char, char)> =
                    class.iter().map(|range| (byte(range.start()), byte(range.end()))).collect();
                Ok(class_of(Class::new(&ranges), Node::Bytes))
            }
            other => {
                let message = format!("this is not a class of characters: {other:?}");
                Err(RegexError::new(Kind::Unsupported, message, self.pattern, range(ast.span())))
            }
        }
    }

    fn assertion(&self, kind: &AssertionKind) -> Assertion {
        let Mode { multi_line, crlf, unicode, .. } = self.mode;
        let word = |edge| Assertion::Word { edge, unicode };
        match kind {
            AssertionKind::StartLine if multi_line => Assertion::StartLine { crlf },
            AssertionKind::EndLine if multi_line => Assertion::EndLine { crlf },
            AssertionKind::StartLine | AssertionKind::StartText => Assertion::StartText,
            AssertionKind::EndLine | AssertionKind::EndText => Assertion::EndText,
            AssertionKind::WordBoundary => word(Edge::Any),
            AssertionKind::NotWordBoundary => word(Edge::None),
            AssertionKind::WordBoundaryStart | AssertionKind::WordBoundaryStartAngle => {
                word(Edge::Start)
            }
            AssertionKind::WordBoundaryEnd | AssertionKind::WordBoundaryEndAngle => word(Edge::End),
            AssertionKind::WordBoundaryStartHalf => word(Edge::StartHalf),
            AssertionKind::WordBoundaryEndHalf => word(Edge::EndHalf),
        }
    }
}

fn class_of(class: Class, make: impl FnOnce(Class) -> Node) -> Node {
    if class.len() == 0 { Node::Never } else { make(class) }
}

fn repeated(node: Node, kind: &RepetitionKind) -> Node {
    let size = |count: u32| count as usize;
    let (min, max) = match kind {
        RepetitionKind::ZeroOrOne => return optional(node),
        RepetitionKind::ZeroOrMore => (0, REPEAT_MAX),
        RepetitionKind::OneOrMore => (1, 1 + REPEAT_MAX),
        RepetitionKind::Range(RepetitionRange::Exactly(count)) => (size(*count), size(*count)),
        RepetitionKind::Range(RepetitionRange::AtLeast(count)) => {
            (size(*count), size(*count) + REPEAT_MAX)
        }
        RepetitionKind::Range(RepetitionRange::Bounded(min, max)) => (size(*min), size(*max)),
    };
    match node {
        Node::Never if min > 0 => Node::Never,
        Node::Never => Node::Literal(Vec::new()),
        node => Node::Repeat(Box::new(node), min..=max),
    }
}

fn optional(node: Node) -> Node {
    match node {
        Node::Never => Node::Literal(Vec::new()),
        node => Node::Optional(Box::new(node)),
    }
}

fn alternation_of(mut nodes: Vec<Node>) -> Node {
    nodes.retain(|node| !matches!(node, Node::Never));
    match nodes.len() {
        0 => Node::Never,
        1 => nodes.remove(0),
        _ => Node::Alternation(nodes),
    }
}

/// Concatenates nodes and joins adjacent literals.
fn concat_of(nodes: Vec<Node>) -> Node {
    let mut joined: Vec<Node> = Vec::with_capacity(nodes.len());
    for node in nodes {
        match (joined.last_mut(), node) {
            (_, Node::Never) => return Node::Never,
            (Some(Node::Literal(before)), Node::Literal(literal)) => before.extend(literal),
            (_, node) => joined.push(node),
        }
    }
    if joined.len() == 1 { joined.remove(0) } else { Node::Concat(joined) }
}

/// Removes the assertions that are always true: the start of the text where nothing comes before,
/// and the end where nothing comes after.
fn without_anchors(node: Node, first: bool, last: bool) -> Node {
    let nothing = || Node::Literal(Vec::new());
    match node {
        Node::Assert(Assertion::StartText | Assertion::StartLine { .. }) if first => nothing(),
        Node::Assert(Assertion::EndText | Assertion::EndLine { .. }) if last => nothing(),
        Node::Alternation(nodes) => {
            let strip = |node| without_anchors(node, first, last);
            Node::Alternation(nodes.into_iter().map(strip).collect())
        }
        Node::Optional(node) => Node::Optional(Box::new(without_anchors(*node, first, last))),
        Node::Concat(nodes) => {
            let is_wide = |node: &Node| match node {
                Node::Literal(bytes) => !bytes.is_empty(),
                node => !matches!(node, Node::Assert(_)),
            };
            let first_wide = nodes.iter().position(is_wide).unwrap_or(nodes.len());
            let last_wide = nodes.iter().rposition(is_wide).map_or(-1, |at| at as isize);
            let strip = |(at, node)| {
                without_anchors(node, first && at <= first_wide, last && at as isize >= last_wide)
            };
            Node::Concat(nodes.into_iter().enumerate().map(strip).collect())
        }
        node => node,
    }
}
