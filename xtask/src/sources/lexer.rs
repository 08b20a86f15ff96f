//! A lexer for Rust that distinguishes comments, strings and code.
//!
//! It splits a file into tokens that, together with the whitespace between them, are the whole
//! file. It does not check that the file is valid Rust: an open string or comment extends to the
//! end of the file.

/// The kind of a token.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum TokenKind {
    /// `//` or `/* */`, neither of them documentation.
    Comment,
    /// `///` or `/** */`.
    OuterDoc,
    /// `//!` or `/*! */`.
    InnerDoc,
    /// `".."`, `b".."` or `c".."`.
    String,
    /// `r".."`, `r#".."#` and the same after `b` or `c`.
    RawString,
    /// `'a'` or `b'a'`.
    Char,
    /// `'a`.
    Lifetime,
    /// An identifier, a keyword or a number; `r#type` too.
    Word,
    /// One character of anything else.
    Punctuation,
}

/// A token of a Rust file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    /// The token with its delimiters, such as the quotes of a string.
    pub(crate) text: &'a str,
    /// The line on which the token starts, from 1.
    pub(crate) line: usize,
}

impl<'a> Token<'a> {
    /// The text between the delimiters of a comment or string.
    pub(crate) fn content(&self) -> &'a str {
        match self.kind {
            TokenKind::Comment | TokenKind::OuterDoc | TokenKind::InnerDoc => {
                comment_content(self.text)
            }
            TokenKind::String | TokenKind::RawString => string_content(self.text),
            _ => self.text,
        }
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Punctuation) && self.text == text
    }
}

/// Splits a Rust file into tokens.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else {
            let (kind, length) = token(rest, first);
            (Some(kind), length)
        };
        let (text, after) = rest.split_at(length);
        tokens.extend(kind.map(|kind| Token { kind, text, line }));
        line += text.matches('\n').count();
        rest = after;
    }
    tokens
}

/// The kind and the length of the token at the start of `rest`.
fn token(rest: &str, first: char) -> (TokenKind, usize) {
    if let Some(comment) = comment(rest) {
        return comment;
    }
    if let Some(string) = string(rest) {
        return string;
    }
    if let Some(quoted) = rest.strip_prefix("b'") {
        return (TokenKind::Char, 2 + char_length(quoted).unwrap_or(quoted.len()));
    }
    if let Some(quoted) = rest.strip_prefix('\'') {
        return match char_length(quoted) {
            Some(length) => (TokenKind::Char, 1 + length),
            None => (TokenKind::Lifetime, 1 + word_length(quoted)),
        };
    }
    if is_word(first) {
        let prefix = if rest.starts_with("r#") { 2 } else { 0 };
        return (TokenKind::Word, prefix + word_length(&rest[prefix..]));
    }
    (TokenKind::Punctuation, first.len_utf8())
}

fn comment(rest: &str) -> Option<(TokenKind, usize)> {
    if rest.starts_with("//") {
        let length = rest.find('\n').unwrap_or(rest.len());
        let kind = match &rest.as_bytes()[2..length] {
            [b'!', ..] => TokenKind::InnerDoc,
            [b'/', b'/', ..] => TokenKind::Comment,
            [b'/', ..] => TokenKind::OuterDoc,
            _ => TokenKind::Comment,
        };
        return Some((kind, length));
    }
    if rest.starts_with("/*") {
        let length = block_length(rest);
        let kind = match &rest.as_bytes()[2..length] {
            [b'!', ..] => TokenKind::InnerDoc,
            [b'*', b'*' | b'/', ..] => TokenKind::Comment,
            [b'*', ..] => TokenKind::OuterDoc,
            _ => TokenKind::Comment,
        };
        return Some((kind, length));
    }
    None
}

/// The length of a block comment, which may contain others.
fn block_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

fn string(rest: &str) -> Option<(TokenKind, usize)> {
    let prefix = usize::from(rest.starts_with(['b', 'c']));
    let after = &rest[prefix..];
    if let Some(quoted) = after.strip_prefix('"') {
        return Some((TokenKind::String, prefix + 1 + escaped_length(quoted, '"')));
    }
    let hashes = after.strip_prefix('r')?;
    let quoted = hashes.trim_start_matches('#');
    let count = hashes.len() - quoted.len();
    let quoted = quoted.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(count));
    let start = rest.len() - quoted.len();
    let length = quoted.find(&end).map_or(quoted.len(), |length| length + end.len());
    Some((TokenKind::RawString, start + length))
}

/// The length up to and including the first `end` that is not escaped.
fn escaped_length(quoted: &str, end: char) -> usize {
    let mut is_escaped = false;
    for (at, char) in quoted.char_indices() {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if char == end => return at + char.len_utf8(),
            _ => {}
        }
    }
    quoted.len()
}

/// The length of a character literal after its opening quote; `None` for a lifetime.
fn char_length(quoted: &str) -> Option<usize> {
    let first = quoted.chars().next()?;
    if first == '\\' {
        return Some(escaped_length(quoted, '\''));
    }
    quoted[first.len_utf8()..].starts_with('\'').then_some(first.len_utf8() + 1)
}

fn word_length(rest: &str) -> usize {
    rest.find(|char| !is_word(char)).unwrap_or(rest.len())
}

fn is_word(char: char) -> bool {
    char == '_' || char.is_alphanumeric()
}

fn comment_content(text: &str) -> &str {
    if let Some(line) = text.strip_prefix("//") {
        return line.strip_prefix('!').unwrap_or_else(|| line.trim_start_matches('/'));
    }
    let block = text.trim_start_matches("/*").trim_start_matches(['*', '!']);
    block.strip_suffix("*/").unwrap_or(block)
}

fn string_content(text: &str) -> &str {
    let content = text.find('"').map_or("", |start| &text[start + 1..]);
    content.rfind('"').map_or(content, |end| &content[..end])
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, tokens};
    use crate::sources::files;

    /// One line a token: its line, its kind and its text.
    fn check(source: &str, expected: &[(usize, TokenKind, &str)]) {
        let found: Vec<_> =
            tokens(source).iter().map(|token| (token.line, token.kind, token.text)).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn distinguishes_comments_from_documentation() {
        check("// a", &[(1, TokenKind::Comment, "// a")]);
        check("/// a", &[(1, TokenKind::OuterDoc, "/// a")]);
        check("//! a", &[(1, TokenKind::InnerDoc, "//! a")]);
        check("//// a", &[(1, TokenKind::Comment, "//// a")]);
        check("//", &[(1, TokenKind::Comment, "//")]);
        check("/* a */", &[(1, TokenKind::Comment, "/* a */")]);
        check("/** a */", &[(1, TokenKind::OuterDoc, "/** a */")]);
        check("/*! a */", &[(1, TokenKind::InnerDoc, "/*! a */")]);
        check("/*** a */", &[(1, TokenKind::Comment, "/*** a */")]);
        check("/**/x", &[(1, TokenKind::Comment, "/**/"), (1, TokenKind::Word, "x")]);
    }

    #[test]
    fn nests_block_comments() {
        let nested = "/* a /* b */ \" ' */";
        check(
            &format!("{nested} x"),
            &[(1, TokenKind::Comment, nested), (1, TokenKind::Word, "x")],
        );
        check("/* a /* b */ x", &[(1, TokenKind::Comment, "/* a /* b */ x")]);
    }

    #[test]
    fn finds_the_end_of_strings() {
        check(
            r#""a \" // b" x"#,
            &[(1, TokenKind::String, r#""a \" // b""#), (1, TokenKind::Word, "x")],
        );
        check(r#""\\" x"#, &[(1, TokenKind::String, r#""\\""#), (1, TokenKind::Word, "x")]);
        check(
            r#"b"a" c"b""#,
            &[(1, TokenKind::String, r#"b"a""#), (1, TokenKind::String, r#"c"b""#)],
        );
        check("\"a\nb\" x", &[(1, TokenKind::String, "\"a\nb\""), (2, TokenKind::Word, "x")]);
    }

    #[test]
    fn finds_the_end_of_raw_strings() {
        check(r##"r"\" x"##, &[(1, TokenKind::RawString, r##"r"\""##), (1, TokenKind::Word, "x")]);
        check(
            r###"r##"a"# b"## x"###,
            &[(1, TokenKind::RawString, r###"r##"a"# b"##"###), (1, TokenKind::Word, "x")],
        );
        check(
            r##"br#"a"# cr"b""##,
            &[(1, TokenKind::RawString, r##"br#"a"#"##), (1, TokenKind::RawString, r##"cr"b""##)],
        );
        check("r#type x", &[(1, TokenKind::Word, "r#type"), (1, TokenKind::Word, "x")]);
    }

    #[test]
    fn distinguishes_characters_from_lifetimes() {
        check(
            "'a' 'a b'\"' 'static",
            &[
                (1, TokenKind::Char, "'a'"),
                (1, TokenKind::Lifetime, "'a"),
                (1, TokenKind::Char, "b'\"'"),
                (1, TokenKind::Lifetime, "'static"),
            ],
        );
        check(
            r"'\'' '\\' '\u{1f4a9}' 'é' '_",
            &[
                (1, TokenKind::Char, r"'\''"),
                (1, TokenKind::Char, r"'\\'"),
                (1, TokenKind::Char, r"'\u{1f4a9}'"),
                (1, TokenKind::Char, "'é'"),
                (1, TokenKind::Lifetime, "'_"),
            ],
        );
    }

    #[test]
    fn content_has_no_delimiters() {
        let contents =
            |source| tokens(source).iter().map(|token| token.content()).collect::<Vec<_>>();
        assert_eq!(contents("// a"), [" a"]);
        assert_eq!(contents("//! a"), [" a"]);
        assert_eq!(contents("/** a */"), [" a "]);
        assert_eq!(contents(r##""a" br#"b"c"# r"""##), ["a", "b\"c", ""]);
    }

    #[test]
    fn brackets_of_every_source_file_balance() {
        let root = crate::root();
        let mut count = 0;
        for path in files::list(&root).expect("files") {
            // Files that must not compile are not Rust either.
            if !path.ends_with(".rs") || path.contains("/ui") {
                continue;
            }
            let source = std::fs::read_to_string(root.join(&path)).expect("a source file");
            let mut open = Vec::new();
            for token in tokens(&source).iter().filter(|token| token.kind == TokenKind::Punctuation)
            {
                match token.text {
                    "(" => open.push(")"),
                    "[" => open.push("]"),
                    "{" => open.push("}"),
                    ")" | "]" | "}" => {
                        assert_eq!(open.pop(), Some(token.text), "{path}:{}", token.line);
                    }
                    _ => {}
                }
            }
            assert!(open.is_empty(), "{path}: {open:?}");
            count += 1;
        }
        assert!(count > 500, "{count} files");
    }
}
