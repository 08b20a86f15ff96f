//! Splits Rust code into tokens, with the spaces and comments between them.
//!
//! A regression test repeats code of the user. Its lines get another indentation, but a string that
//! spans lines must keep each of its characters. The code comes from a file that compiles, so this
//! need not be exact about other code. Together, the tokens are the code.

use crate::strings;

/// A token, or the spaces or the comment between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'a str,
    /// Its position in the code.
    pub(crate) at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Spaces, or a comment.
    Blank,
    /// A literal of a string, of any kind.
    Text,
    /// A literal of a character or a byte.
    Char,
    Lifetime,
    /// A name, a keyword or a number without its fraction.
    Word,
    /// One character.
    Symbol,
}

impl Token<'_> {
    /// Returns whether this is the word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text == word
    }

    /// Returns whether this is the symbol.
    pub(crate) fn is(&self, symbol: &str) -> bool {
        self.kind == TokenKind::Symbol && self.text == symbol
    }
}

/// Returns all tokens of the code.
#[inline(never)]
pub(crate) fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let (kind, length) = first(&code[at..]);
        tokens.push(Token { kind, text: &code[at..at + length], at });
        at += length;
    }
    tokens
}

/// Returns the tokens of the code without spaces and comments.
pub(crate) fn significant(code: &str) -> Vec<Token<'_>> {
    let mut tokens = tokens(code);
    tokens.retain(|token| token.kind != TokenKind::Blank);
    tokens
}

/// Returns the lines of the code. A string that spans lines does not end the line that it begins
/// in.
#[inline(never)]
pub(crate) fn lines_of_code(code: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut start = 0;
    for token in tokens(code) {
        if token.kind != TokenKind::Blank {
            continue;
        }
        for (within, byte) in token.text.bytes().enumerate() {
            if byte == b'\n' {
                lines.push(&code[start..token.at + within]);
                start = token.at + within + 1;
            }
        }
    }
    if start < code.len() {
        lines.push(&code[start..]);
    }
    lines
}

/// Returns the kind and the length of the first token.
fn first(code: &str) -> (TokenKind, usize) {
    let first = code.chars().next().map_or(1, char::len_utf8);
    let is_blank = |c: char| c.is_whitespace();
    match code.as_bytes()[0] {
        b'"' => (TokenKind::Text, after_quoted(code, b'"')),
        b'\'' => after_tick(code),
        b'/' if code.starts_with("//") => {
            (TokenKind::Blank, strings::find(code, "\n").unwrap_or(code.len()))
        }
        b'/' if code.starts_with("/*") => (TokenKind::Blank, after_comment(code)),
        _ if code.starts_with(is_blank) => (TokenKind::Blank, length_while(code, &is_blank)),
        _ if code.starts_with(is_in_word) => after_word(code),
        _ => (TokenKind::Symbol, first),
    }
}

fn is_in_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn length_while(code: &str, belongs: &dyn Fn(char) -> bool) -> usize {
    code.chars().take_while(|c| belongs(*c)).map(char::len_utf8).sum()
}

/// Returns the length of a literal that begins with a quote.
fn after_quoted(code: &str, quote: u8) -> usize {
    let bytes = code.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    code.len()
}

/// Reads a character or a lifetime.
fn after_tick(code: &str) -> (TokenKind, usize) {
    let mut after = code.chars().skip(1);
    let (one, two) = (after.next(), after.next());
    if one == Some('\\') || two == Some('\'') {
        return (TokenKind::Char, after_character(code));
    }
    (TokenKind::Lifetime, 1 + length_while(&code[1..], &is_in_word))
}

/// Returns the length of a character literal, which may be `'''` in code that is not valid.
fn after_character(code: &str) -> usize {
    let second = code[1..].chars().next().map_or(0, char::len_utf8);
    match code[1..].starts_with('\\') {
        true => after_quoted(code, b'\''),
        false => (1 + second + 1).min(code.len()),
    }
}

/// Returns the length of a comment, which may contain others.
fn after_comment(code: &str) -> usize {
    let bytes = code.as_bytes();
    let (mut at, mut depth) = (0, 0);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    code.len()
}

/// Reads a word, or a literal with a prefix.
fn after_word(code: &str) -> (TokenKind, usize) {
    let length = length_while(code, &is_in_word);
    let (word, rest) = code.split_at(length);
    let next = rest.as_bytes().first().copied().unwrap_or(b' ');
    match (word, next) {
        ("b" | "c", b'"') => (TokenKind::Text, length + after_quoted(rest, b'"')),
        ("b", b'\'') => (TokenKind::Char, length + after_character(rest)),
        ("r" | "br" | "cr", b'"' | b'#') => match after_raw(rest) {
            Some(end) => (TokenKind::Text, length + end),
            // A raw identifier.
            None if word == "r" && rest[1..].starts_with(is_in_word) => {
                (TokenKind::Word, length + 1 + length_while(&rest[1..], &is_in_word))
            }
            None => (TokenKind::Word, length),
        },
        _ => (TokenKind::Word, length),
    }
}

/// Returns the length of a raw string after its prefix; `None` if it is none.
fn after_raw(code: &str) -> Option<usize> {
    let hashes = code.len() - code.trim_start_matches('#').len();
    let inside = code[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", &code[..hashes]);
    Some(strings::find(inside, &end).map_or(code.len(), |at| hashes + 1 + at + end.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(code: &str, kind: TokenKind) -> Vec<&str> {
        let found = tokens(code).into_iter().filter(|token| token.kind == kind);
        found.map(|token| token.text).collect()
    }

    #[test]
    fn literals_are_one_token() {
        let code =
            r####"f("a\"", b"\\", c"c", r"\", br#"a"b"#, cr##"a"#b"##, 'a', '\'', b'"', '"')"####;
        assert_eq!(
            texts(code, TokenKind::Text),
            [r#""a\"""#, r#"b"\\""#, r#"c"c""#, r#"r"\""#, r##"br#"a"b"#"##, r###"cr##"a"#b"##"###]
        );
        assert_eq!(texts(code, TokenKind::Char), ["'a'", r"'\''", "b'\"'", "'\"'"]);
    }

    #[test]
    fn lifetimes_and_raw_identifiers_begin_no_literal() {
        let code = "fn r#type<'a>(x: &'a str) -> &'static str { 'outer: loop { r#loop } }";
        assert_eq!(texts(code, TokenKind::Lifetime), ["'a", "'a", "'static", "'outer"]);
        assert!(texts(code, TokenKind::Text).is_empty());
        assert!(texts(code, TokenKind::Word).contains(&"r#type"));
    }

    #[test]
    fn comments_have_no_literals() {
        let code = "/* \" /* it's */ \" */ a // don't \"\nb";
        assert_eq!(texts(code, TokenKind::Word), ["a", "b"]);
        assert!(texts(code, TokenKind::Text).is_empty());
    }

    #[test]
    fn lines_end_outside_of_strings() {
        let code = "a(\"1\n2\");\n/* 3\n4 */ b(r#\"5\"\n6\"#);\n\nc";
        let lines = ["a(\"1\n2\");", "/* 3", "4 */ b(r#\"5\"\n6\"#);", "", "c"];
        assert_eq!(lines_of_code(code), lines);
        assert_eq!(lines_of_code("a\n"), ["a"]);
    }

    #[test]
    fn tokens_are_the_code() {
        let pieces = ["\"", "'", "/*", "*/", "//", "r#", "br\"", "\\", "\n", "ä", "a", "1.5", " "];
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let code = format!("{first}{second}{third}");
                    let all: String = tokens(&code).iter().map(|token| token.text).collect();
                    assert_eq!(all, code);
                }
            }
        }
    }
}
