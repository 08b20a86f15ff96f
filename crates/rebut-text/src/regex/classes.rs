//! Splits a character class into its parts, as written.
//!
//! Each range and each single character is a part. A named class (`\w`, `\d`, `[[:alpha:]]`) is
//! split into small letters, capitals, digits, other ASCII and the rest: an author who writes `\w`
//! does not consider `a`, `_` and `é` alike. A negated class is one part.
//!
//! The character sets themselves come from `regex-syntax`, so they are those of the crate `regex`.

use std::ops::Range;

use regex_syntax::ast::{
    self, Ast, ClassAscii, ClassBracketed, ClassPerl, ClassPerlKind, ClassSet, ClassSetBinaryOp,
    ClassSetBinaryOpKind, ClassSetItem, ClassUnicode, HexLiteralKind, Literal, LiteralKind,
};
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{self, HirKind};

use super::error::RegexError;
use super::{Class, Regex};
use crate::order;
use crate::symbols::Symbols;

/// The flags at a position of the pattern that character classes depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClassFlags {
    pub(super) ignore_case: bool,
    pub(super) dot_all: bool,
    pub(super) crlf: bool,
    pub(super) unicode: bool,
}

/// Reads the character classes of a pattern under one set of flags.
pub(super) struct ClassReader<'a> {
    pub(super) flags: ClassFlags,
    /// The pattern, for error messages.
    pub(super) pattern: &'a str,
}

/// The parts of a character class.
type Parts = Result<Vec<Symbols>, RegexError>;

impl ClassReader<'_> {
    pub(super) fn literal(&self, literal: &Literal) -> Result<Regex, RegexError> {
        let symbols = self.folded(&[self.char(literal)?].map(|char| (char, char)));
        Ok(Regex::from_node(super::Node::Class(Class::new([symbols]))))
    }

    pub(super) fn dot(&self) -> Regex {
        let excluded: &[(char, char)] = match (self.flags.dot_all, self.flags.crlf) {
            (true, _) => &[],
            (false, true) => &[('\n', '\n'), ('\r', '\r')],
            (false, false) => &[('\n', '\n')],
        };
        let symbols = order::symbols_of(excluded).complement(order::LAST);
        Regex::from_node(super::Node::Class(Class::new([symbols])))
    }

    pub(super) fn perl(&self, class: &ClassPerl) -> Parts {
        if self.flags.unicode {
            let positive = ClassPerl { negated: false, ..class.clone() };
            let symbols = self.library(Ast::class_perl(positive))?;
            return Ok(named(symbols, class.negated));
        }
        let ranges: &[(char, char)] = match class.kind {
            ClassPerlKind::Digit => &[('0', '9')],
            ClassPerlKind::Space => &[('\t', '\r'), (' ', ' ')],
            ClassPerlKind::Word => &[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')],
        };
        Ok(named(order::symbols_of(ranges), class.negated))
    }

    pub(super) fn unicode(&self, class: &ClassUnicode) -> Parts {
        if !self.flags.unicode {
            let help = "leave out the flag `-u`, or write the ranges that are meant";
            let feature = "a Unicode class without the flag `u`";
            return Err(RegexError::unsupported(feature, help, self.pattern, range(&class.span)));
        }
        let symbols = self.library(Ast::class_unicode(class.clone()))?;
        Ok(named(symbols, false))
    }

    fn ascii(&self, class: &ClassAscii) -> Parts {
        let item = ClassSetItem::Ascii(ClassAscii { negated: false, ..class.clone() });
        let bracketed =
            ClassBracketed { span: class.span, negated: false, kind: ClassSet::Item(item) };
        let symbols = self.library(Ast::class_bracketed(bracketed))?;
        Ok(named(symbols, class.negated))
    }

    pub(super) fn bracketed(&self, class: &ClassBracketed) -> Parts {
        let parts = self.set(&class.kind)?;
        Ok(if class.negated { vec![joined(&parts).complement(order::LAST)] } else { parts })
    }

    fn set(&self, set: &ClassSet) -> Parts {
        match set {
            ClassSet::Item(item) => self.item(item),
            ClassSet::BinaryOp(operation) => self.operation(operation),
        }
    }

    fn item(&self, item: &ClassSetItem) -> Parts {
        match item {
            ClassSetItem::Empty(_) => Ok(Vec::new()),
            ClassSetItem::Literal(literal) => {
                let char = self.char(literal)?;
                Ok(vec![self.folded(&[(char, char)])])
            }
            ClassSetItem::Range(written) => {
                let ends = (self.char(&written.start)?, self.char(&written.end)?);
                let symbols = self.folded(&[ends]);
                Ok(if self.flags.ignore_case { groups(&symbols) } else { vec![symbols] })
            }
            ClassSetItem::Ascii(class) => self.ascii(class),
            ClassSetItem::Unicode(class) => self.unicode(class),
            ClassSetItem::Perl(class) => self.perl(class),
            ClassSetItem::Bracketed(class) => self.bracketed(class),
            ClassSetItem::Union(union) => {
                let mut parts = Vec::new();
                for item in &union.items {
                    parts.extend(self.item(item)?);
                }
                Ok(parts)
            }
        }
    }

    fn operation(&self, operation: &ClassSetBinaryOp) -> Parts {
        let (left, right) = (self.set(&operation.lhs)?, self.set(&operation.rhs)?);
        let (all_left, all_right) = (joined(&left), joined(&right));
        let mut parts: Vec<Symbols> = match operation.kind {
            ClassSetBinaryOpKind::Intersection => {
                left.iter().map(|part| part.intersection(&all_right)).collect()
            }
            _ => left.iter().map(|part| part.difference(&all_right)).collect(),
        };
        if operation.kind == ClassSetBinaryOpKind::SymmetricDifference {
            parts.extend(right.iter().map(|part| part.difference(&all_left)));
        }
        Ok(parts)
    }

    /// Returns the character of a literal. A byte that is not ASCII is not a character.
    fn char(&self, literal: &Literal) -> Result<char, RegexError> {
        let is_byte = literal.kind == LiteralKind::HexFixed(HexLiteralKind::X);
        if !self.flags.unicode && is_byte && !literal.c.is_ascii() {
            let help = "write the character, such as `\\u{FF}`, with the flag `u`";
            let feature = "a byte that is not text";
            let span = range(&literal.span);
            return Err(RegexError::unsupported(feature, help, self.pattern, span));
        }
        Ok(literal.c)
    }

    /// Adds, with the flag `i`, the characters that differ only in case.
    fn folded(&self, ranges: &[(char, char)]) -> Symbols {
        if !self.flags.ignore_case {
            return order::symbols_of(ranges);
        }
        let class_ranges =
            ranges.iter().map(|&(first, last)| hir::ClassUnicodeRange::new(first, last));
        let mut class = hir::ClassUnicode::new(class_ranges);
        if self.flags.unicode {
            // This fails only without the Unicode tables, which this crate enables.
            let _ = class.try_case_fold_simple();
            return unicode_symbols(&class);
        }
        let mut bytes = hir::ClassBytes::new(ascii_ranges(ranges));
        bytes.case_fold_simple();
        unicode_symbols(&class).union(&byte_symbols(&bytes))
    }

    /// Returns the characters of a class according to `regex-syntax`.
    fn library(&self, ast: Ast) -> Result<Symbols, RegexError> {
        let mut translator = TranslatorBuilder::new()
            .utf8(false)
            .case_insensitive(self.flags.ignore_case)
            .unicode(self.flags.unicode)
            .build();
        let hir = translator.translate(self.pattern, &ast).map_err(|error| {
            let message = error.kind().to_string();
            RegexError::syntax(message, self.pattern, range(error.span()))
        })?;
        Ok(match hir.into_kind() {
            HirKind::Class(hir::Class::Unicode(class)) => unicode_symbols(&class),
            HirKind::Class(hir::Class::Bytes(class)) => byte_symbols(&class),
            HirKind::Literal(hir::Literal(bytes)) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                Symbols::new(
                    order::symbols_in(&text).into_iter().map(|symbol| (symbol, symbol)).collect(),
                )
            }
            _ => Symbols::none(),
        })
    }
}

pub(super) fn range(span: &ast::Span) -> Range<usize> {
    span.start.offset..span.end.offset
}

fn unicode_symbols(class: &hir::ClassUnicode) -> Symbols {
    let ranges: Vec<_> = class.iter().map(|range| (range.start(), range.end())).collect();
    order::symbols_of(&ranges)
}

fn byte_symbols(class: &hir::ClassBytes) -> Symbols {
    let char = |byte: u8| char::from(byte);
    let ranges: Vec<_> =
        class.iter().map(|range| (char(range.start()), char(range.end().min(0x7F)))).collect();
    order::symbols_of(&ranges)
}

fn ascii_ranges(ranges: &[(char, char)]) -> impl Iterator<Item = hir::ClassBytesRange> {
    ranges.iter().filter_map(|&(first, last)| {
        let first = u8::try_from(first).ok().filter(u8::is_ascii)?;
        let last = u8::try_from(last.min('\x7F')).ok()?;
        Some(hir::ClassBytesRange::new(first, last))
    })
}

fn joined(parts: &[Symbols]) -> Symbols {
    Symbols::new(parts.iter().flat_map(|part| part.intervals().to_vec()).collect())
}

/// Returns the parts of a named class.
fn named(symbols: Symbols, negated: bool) -> Vec<Symbols> {
    if negated { vec![symbols.complement(order::LAST)] } else { groups(&symbols) }
}

/// Splits characters into small letters, capitals, digits, other ASCII and the rest.
fn groups(symbols: &Symbols) -> Vec<Symbols> {
    let ascii = order::symbols_between('\0', '\x7F');
    let alike = [('a', 'z'), ('A', 'Z'), ('0', '9')];
    let mut parts: Vec<Symbols> = alike
        .iter()
        .map(|&(first, last)| symbols.intersection(&order::symbols_between(first, last)))
        .collect();
    let other = order::symbols_of(&alike).complement(order::LAST);
    parts.push(symbols.intersection(&ascii).intersection(&other));
    parts.push(symbols.difference(&ascii));
    parts
}
