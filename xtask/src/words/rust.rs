//! The sentences of a Rust file: comments, documentation and strings, each with its scope.

use std::ops::Range;

use super::markdown::{self, without_code};
use super::{Piece, Scope};
use crate::sources::attributes::{Marks, attributed_items, test_ranges};
use crate::sources::lexer::{Token, TokenKind, tokens};

/// The sentences of a Rust file, without those of its tests.
pub(super) fn read(source: &str) -> Vec<Piece> {
    let tokens = tokens(source);
    let regions = Regions::find(&tokens);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut last_comment: Option<(usize, TokenKind)> = None;
    for (index, token) in tokens.iter().enumerate() {
        if regions.tests.iter().any(|region| region.contains(&index)) {
            continue;
        }
        let is_help = || regions.help.iter().any(|region| region.contains(&index));
        let scope = match token.kind {
            TokenKind::Comment => Scope::Comments,
            TokenKind::OuterDoc | TokenKind::InnerDoc if is_help() => Scope::Help,
            TokenKind::OuterDoc | TokenKind::InnerDoc => Scope::Rustdoc,
            TokenKind::String | TokenKind::RawString => match regions.scope_of_string(index) {
                Some(scope) => scope,
                None => continue,
            },
            _ => continue,
        };
        let is_comment =
            matches!(token.kind, TokenKind::Comment | TokenKind::OuterDoc | TokenKind::InnerDoc);
        let follows = last_comment == index.checked_sub(1).map(|last| (last, token.kind));
        let end = pieces.last().map(|piece| piece.line + piece.text.matches('\n').count());
        if let Some(piece) = pieces.last_mut()
            && is_comment
            && follows
            && end == Some(token.line - 1)
        {
            piece.text.push('\n');
            piece.text.push_str(token.content());
        } else {
            let text = text(token);
            if is_comment || is_sentence(&text) {
                pieces.push(Piece { scope, line: token.line, text });
            }
        }
        if is_comment {
            last_comment = Some((index, token.kind));
        }
    }
    for piece in &mut pieces {
        piece.text = match piece.scope {
            Scope::Rustdoc | Scope::Help => markdown::prose(&piece.text),
            _ => without_code(&piece.text),
        };
    }
    pieces
}

/// The content of a comment or string; escapes and `{placeholders}` are not words.
fn text(token: &Token<'_>) -> String {
    match token.kind {
        TokenKind::String => without_tags(&without_placeholders(&unescaped(token.content()))),
        TokenKind::RawString => without_tags(&without_placeholders(token.content())),
        _ => {
            let lines = token.content().split('\n');
            let lines = lines.map(|line| line.trim_start().strip_prefix("* ").unwrap_or(line));
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

/// Whether a string is more than a name or a key, such as the fields of an event.
fn is_sentence(text: &str) -> bool {
    text.trim().contains(char::is_whitespace) || text.contains('|')
}

/// A string as it is shown, but with as many line breaks as in the source.
fn unescaped(content: &str) -> String {
    let mut result = String::new();
    let mut chars = content.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            result.push(char);
            continue;
        }
        match chars.next() {
            // The line goes on.
            Some('\n') => result.push('\n'),
            Some('n') => result.push('|'),
            Some('u') => {
                chars.by_ref().take_while(|&char| char != '}').for_each(drop);
                result.push(' ');
            }
            Some(quote @ ('"' | '\'' | '\\')) => result.push(quote),
            _ => result.push(' '),
        }
    }
    result
}

/// Replaces `{name}` and `{0:>8}` by something that is not a word of ours.
fn without_placeholders(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once('{') {
        result.push_str(before);
        match inside.split_once('}') {
            Some((name, after)) if is_placeholder(name) => {
                result.push(markdown::CODE);
                rest = after;
            }
            _ => {
                result.push('{');
                rest = inside;
            }
        }
    }
    result + rest
}

/// Blanks tags of HTML, which have names of classes; the last one may end in another string.
fn without_tags(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        result.push_str(before);
        if tag.starts_with(|char: char| char == '/' || char.is_ascii_lowercase()) {
            let length = tag.find('>').map_or(tag.len(), |at| at + 1);
            result.push('|');
            result.extend(tag[..length].chars().filter(|&char| char == '\n'));
            rest = &tag[length..];
        } else {
            result.push('<');
            rest = tag;
        }
    }
    result + rest
}

fn is_placeholder(inside: &str) -> bool {
    let name = inside.split(':').next().unwrap_or_default();
    inside.len() < 40
        && !inside.contains(['\n', ' '])
        && name.chars().all(|char| char == '_' || char.is_alphanumeric())
}

/// Ranges of tokens that matter for the scope of a sentence.
#[derive(Debug, Default)]
struct Regions {
    /// Items with `#[test]` or `#[cfg(test)]`.
    tests: Vec<Range<usize>>,
    /// Items whose documentation clap prints.
    help: Vec<Range<usize>>,
    /// Attributes, with the scope of the strings in them.
    attributes: Vec<(Range<usize>, Option<Scope>)>,
}

impl Regions {
    fn find(tokens: &[Token<'_>]) -> Regions {
        let mut regions = Regions { tests: test_ranges(tokens), ..Regions::default() };
        for item in attributed_items(tokens) {
            for attribute in &item.attributes {
                let scope = scope_in_attribute(&attribute.words(tokens));
                regions.attributes.push((attribute.tokens.clone(), scope));
            }
            if Marks::of_item(&item, tokens).is_help {
                regions.help.push(item.start..item.end(tokens));
            }
        }
        regions
    }

    /// The scope of a string: that of the attribute around it, or else a message.
    fn scope_of_string(&self, index: usize) -> Option<Scope> {
        let attribute = self.attributes.iter().find(|(range, _)| range.contains(&index));
        attribute.map_or(Some(Scope::Messages), |(_, scope)| *scope)
    }
}

/// The scope of strings in an attribute with these words; `None` if they are not sentences.
fn scope_in_attribute(words: &[&str]) -> Option<Scope> {
    match words {
        ["doc", ..] => Some(Scope::Rustdoc),
        ["allow" | "expect" | "warn" | "deny", ..] => Some(Scope::Comments),
        ["cfg" | "cfg_attr" | "path" | "serde", ..] => None,
        _ => Some(Scope::Messages),
    }
}

#[cfg(test)]
mod tests {
    use super::{Scope, read};

    /// Lines, scopes and sentences.
    fn check(source: &str, expected: &[(usize, Scope, &str)]) {
        let pieces = read(source);
        let found: Vec<_> =
            pieces.iter().map(|piece| (piece.line, piece.scope, piece.text.as_str())).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn comments_on_consecutive_lines_are_one_piece() {
        check(
            "// a\n// b\n\n// c\nx; // d\n// e",
            &[
                (1, Scope::Comments, " a\n b"),
                (4, Scope::Comments, " c"),
                (5, Scope::Comments, " d\n e"),
            ],
        );
        check(
            "/// a\n// b\n//! c",
            &[(1, Scope::Rustdoc, " a"), (2, Scope::Comments, " b"), (3, Scope::Rustdoc, " c")],
        );
    }

    #[test]
    fn code_in_documentation_is_no_sentence() {
        check(
            "/// a\n/// ```\n/// b\n/// ```\n/// c `d`",
            &[(1, Scope::Rustdoc, " a\n\n\n\n c ¤")],
        );
    }

    #[test]
    fn strings_are_messages_without_escapes_and_placeholders() {
        check(
            r#"f("place", "a\tb {c:>2} {{d}} `e`\u{1f}!")"#,
            &[(1, Scope::Messages, "a b ¤ {¤} ¤ !")],
        );
        check(
            "f(\"a \\\n   b\", r\"\\n c\")",
            &[(1, Scope::Messages, "a \n   b"), (2, Scope::Messages, "\\n c")],
        );
    }

    #[test]
    fn tags_are_no_words() {
        check(
            r#"f("<b class=\"told\">c d</b> <i class=\"told")"#,
            &[(1, Scope::Messages, "|c d| |")],
        );
        check(r#"f("a < b")"#, &[(1, Scope::Messages, "a < b")]);
    }

    #[test]
    fn strings_in_attributes_have_the_scope_of_the_attribute() {
        check(
            r#"#[doc = "a x"] #[expect(x, reason = "b x")] #[error("c x")] #[cfg(feature = "d")] fn f() {}"#,
            &[(1, Scope::Rustdoc, "a x"), (1, Scope::Comments, "b x"), (1, Scope::Messages, "c x")],
        );
    }

    #[test]
    fn tests_are_left_out() {
        check(
            "#[cfg(test)]\nmod tests { fn f() { \"a x\" } }\n\"b x\"",
            &[(3, Scope::Messages, "b x")],
        );
        check(
            "/// a\n#[test]\nfn f() -> [u8; 2] { \"a x\" }\n\"b x\"",
            &[(4, Scope::Messages, "b x")],
        );
        check("#![cfg(test)]\n\"a x\"", &[]);
        check("#[cfg(not(test))]\nfn f() { \"a x\" }", &[(2, Scope::Messages, "a x")]);
    }

    #[test]
    fn documentation_of_arguments_is_help() {
        check(
            "/// a\n#[derive(Debug, Args)]\nstruct A {\n/// b\nb: u8 }\n/// c\nstruct C;",
            &[(1, Scope::Help, " a"), (4, Scope::Help, " b"), (6, Scope::Rustdoc, " c")],
        );
    }
}
