//! Splits Rust code into tokens, without comments.
//!
//! The macros read other files only for hints. The lexer of the compiler would report syntax errors
//! in them as errors of the user's build. This one accepts any input, and need not be exact about
//! invalid code.

use std::ops::Range;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) kind: PieceKind,
    pub(crate) text: &'a str,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceKind {
    Ident,
    Lifetime,
    Number,
    Char,
    Text,
    Open,
    Close,
    Punct,
}

/// Returns the tokens of the code.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut lexer = Lexer { text, at: 0 };
    let mut pieces = Vec::new();
    while let Some((kind, range)) = lexer.next_piece() {
        pieces.push(Piece { kind, text: &text[range] });
    }
    pieces
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn next_piece(&mut self) -> Option<(PieceKind, Range<usize>)> {
        self.skip_blanks();
        let start = self.at;
        let kind = match self.peek()? {
            '"' => self.quoted('"', PieceKind::Text),
            '\'' => self.tick(),
            c if c.is_ascii_digit() => self.number(),
            c if is_ident(c) => self.word(),
            c => {
                self.bump();
                match c {
                    '(' | '[' | '{' => PieceKind::Open,
                    ')' | ']' | '}' => PieceKind::Close,
                    _ => PieceKind::Punct,
                }
            }
        };
        Some((kind, start..self.at))
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest().starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if self.rest().starts_with("/*") {
                self.skip_block_comment();
            } else {
                return;
            }
        }
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0;
        while !self.rest().is_empty() {
            if self.rest().starts_with("/*") {
                depth += 1;
                self.at += 2;
            } else if self.rest().starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else {
                self.bump();
            }
        }
    }

    /// Reads from the opening quote past the closing one.
    fn quoted(&mut self, quote: char, kind: PieceKind) -> PieceKind {
        self.bump();
        while let Some(c) = self.peek() {
            self.bump();
            if c == '\\' {
                self.bump();
            } else if c == quote {
                break;
            }
        }
        kind
    }

    /// Reads a raw string from its first `#` or its quote. Returns `None` for a raw identifier.
    fn raw(&mut self) -> Option<PieceKind> {
        let rest = self.rest();
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let inside = rest[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", &rest[..hashes]);
        let length = inside.find(&end).map_or(inside.len(), |length| length + end.len());
        self.at += hashes + 1 + length;
        Some(PieceKind::Text)
    }

    /// Reads a character or a lifetime.
    fn tick(&mut self) -> PieceKind {
        let mut after = self.rest().chars().skip(1);
        match (after.next(), after.next()) {
            (Some('\\'), _) | (_, Some('\'')) => self.quoted('\'', PieceKind::Char),
            _ => {
                self.bump();
                self.take_while(is_ident);
                PieceKind::Lifetime
            }
        }
    }

    /// Reads an identifier, or a literal with a prefix.
    fn word(&mut self) -> PieceKind {
        let word = self.take_while(is_ident);
        match (word, self.peek()) {
            ("b" | "c", Some('"')) => self.quoted('"', PieceKind::Text),
            ("b", Some('\'')) => self.quoted('\'', PieceKind::Char),
            ("r" | "br" | "cr", Some('"' | '#')) => self.raw().unwrap_or_else(|| {
                self.bump();
                self.take_while(is_ident);
                PieceKind::Ident
            }),
            _ => PieceKind::Ident,
        }
    }

    fn number(&mut self) -> PieceKind {
        let digits = self.take_while(is_ident);
        let mut after = self.rest().chars();
        let fraction = after.next() == Some('.')
            && after.next().is_none_or(|c| c != '.' && (c.is_ascii_digit() || !is_ident(c)));
        let radix = ["0x", "0b", "0o"].iter().any(|radix| digits.starts_with(radix));
        let mut last = digits;
        if fraction && !radix {
            self.bump();
            last = self.take_while(is_ident);
        }
        if !radix && last.ends_with(['e', 'E']) && self.rest().starts_with(['+', '-']) {
            self.bump();
            self.take_while(is_ident);
        }
        PieceKind::Number
    }
}

fn is_ident(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(PieceKind, &str)]) {
        let found: Vec<_> = pieces(text).iter().map(|piece| (piece.kind, piece.text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn distinguishes_numbers_from_ranges_and_methods() {
        use PieceKind::{Close, Ident, Number, Open, Punct};
        check(
            "1..2 1.5e-3 1. 0xFFu8 3.max(7)",
            &[
                (Number, "1"),
                (Punct, "."),
                (Punct, "."),
                (Number, "2"),
                (Number, "1.5e-3"),
                (Number, "1."),
                (Number, "0xFFu8"),
                (Number, "3"),
                (Punct, "."),
                (Ident, "max"),
                (Open, "("),
                (Number, "7"),
                (Close, ")"),
            ],
        );
    }

    #[test]
    fn distinguishes_characters_from_lifetimes() {
        use PieceKind::{Char, Lifetime};
        check(
            r"'a 'a' '\'' b'\n' 'static",
            &[
                (Lifetime, "'a"),
                (Char, "'a'"),
                (Char, r"'\''"),
                (Char, r"b'\n'"),
                (Lifetime, "'static"),
            ],
        );
    }

    #[test]
    fn reads_raw_strings_and_raw_identifiers() {
        use PieceKind::{Ident, Text};
        check(
            r####"r#"a"b"# r#type br"\" "\"" c"x""####,
            &[
                (Text, r###"r#"a"b"#"###),
                (Ident, "r#type"),
                (Text, r#"br"\""#),
                (Text, r#""\"""#),
                (Text, r#"c"x""#),
            ],
        );
    }

    #[test]
    fn leaves_comments_out() {
        check("/* a /* b */ c */ x // y", &[(PieceKind::Ident, "x")]);
    }

    #[test]
    fn ends_on_texts_that_do_not_end() {
        for text in ["\"", "'", "/*", "r#\"", "b'", "1.", "'\\", "r#"] {
            pieces(text);
        }
    }
}
