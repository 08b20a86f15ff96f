//! The sentences of a Rust file: comments, documentation and strings, each with its scope.

use std::ops::Range;

use super::lexer::{Kind, Token, tokens};
use super::markdown::{self, without_code};
use super::{Piece, Scope};

/// The sentences of a Rust file, and the modules that it declares for tests only.
#[derive(Debug, Default)]
pub(super) struct RustFile {
    pub(super) pieces: Vec<Piece>,
    /// The names of `#[cfg(test)] mod name;`.
    pub(super) test_modules: Vec<String>,
}

/// Reads a Rust file, without its tests.
pub(super) fn read(source: &str) -> RustFile {
    let tokens = tokens(source);
    let regions = Regions::of(&tokens);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut last_comment: Option<(usize, Kind)> = None;
    for (index, token) in tokens.iter().enumerate() {
        if regions.tests.iter().any(|region| region.contains(&index)) {
            continue;
        }
        let is_help = || regions.help.iter().any(|region| region.contains(&index));
        let scope = match token.kind {
            Kind::Comment => Scope::Comments,
            Kind::OuterDoc | Kind::InnerDoc if is_help() => Scope::Help,
            Kind::OuterDoc | Kind::InnerDoc => Scope::Rustdoc,
            Kind::String | Kind::RawString => match regions.scope_of_string(index) {
                Some(scope) => scope,
                None => continue,
            },
            _ => continue,
        };
        let is_comment = matches!(token.kind, Kind::Comment | Kind::OuterDoc | Kind::InnerDoc);
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
    RustFile { pieces, test_modules: regions.test_modules }
}

/// The content of a comment or string; escapes and `{placeholders}` are no words.
fn text(token: &Token<'_>) -> String {
    match token.kind {
        Kind::String => without_tags(&without_placeholders(&unescaped(token.content()))),
        Kind::RawString => without_tags(&without_placeholders(token.content())),
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
    test_modules: Vec<String>,
}

/// What the attributes of an item say about it.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    is_test: bool,
    is_help: bool,
}

impl Regions {
    fn of(tokens: &[Token<'_>]) -> Regions {
        let mut regions = Regions::default();
        let (mut marks, mut start) = (Marks::default(), None);
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            match token.kind {
                Kind::OuterDoc => {
                    start.get_or_insert(index);
                }
                Kind::Comment | Kind::InnerDoc => {}
                _ if token.is("#") && opens_attribute(tokens, index) => {
                    let end = end_of_group(tokens, index);
                    let is_inner = tokens[index + 1].is("!");
                    start.get_or_insert(index);
                    regions.attribute(&tokens[index..end], index, is_inner, tokens, &mut marks);
                    index = end;
                    continue;
                }
                _ => {
                    if let Some(start) = start.take() {
                        regions.item(tokens, start, index, marks);
                    }
                    marks = Marks::default();
                }
            }
            index += 1;
        }
        regions
    }

    fn attribute(
        &mut self,
        attribute: &[Token<'_>],
        index: usize,
        is_inner: bool,
        tokens: &[Token<'_>],
        marks: &mut Marks,
    ) {
        let words: Vec<&str> = attribute
            .iter()
            .filter(|token| token.kind == Kind::Word)
            .map(|token| token.text)
            .collect();
        let scope = match words.as_slice() {
            ["doc", ..] => Some(Scope::Rustdoc),
            ["allow" | "expect" | "warn" | "deny", ..] => Some(Scope::Comments),
            ["cfg" | "cfg_attr" | "path" | "serde", ..] => None,
            _ => Some(Scope::Messages),
        };
        self.attributes.push((index..index + attribute.len(), scope));
        let is_test =
            matches!(words.as_slice(), ["test"] | ["cfg", "test"] | ["cfg", "all", "test", ..]);
        if is_inner {
            if is_test {
                self.tests.push(0..tokens.len());
            }
            return;
        }
        marks.is_test |= is_test;
        let is_clap = |word: &&str| matches!(*word, "Parser" | "Args" | "Subcommand" | "ValueEnum");
        marks.is_help |= words.first() == Some(&"derive") && words.iter().any(is_clap);
    }

    fn item(&mut self, tokens: &[Token<'_>], start: usize, first: usize, marks: Marks) {
        if !marks.is_test && !marks.is_help {
            return;
        }
        let end = end_of_item(tokens, first);
        if marks.is_help {
            self.help.push(start..end);
        }
        if marks.is_test {
            self.tests.push(start..end);
            let item = &tokens[first..end];
            if let Some(module) = item.iter().position(|token| token.is("mod"))
                && let [_, name, semicolon, ..] = &item[module..]
                && semicolon.is(";")
            {
                self.test_modules.push(name.text.to_owned());
            }
        }
    }

    /// The scope of a string: that of the attribute around it, or else a message.
    fn scope_of_string(&self, index: usize) -> Option<Scope> {
        let attribute = self.attributes.iter().find(|(range, _)| range.contains(&index));
        attribute.map_or(Some(Scope::Messages), |(_, scope)| *scope)
    }
}

fn opens_attribute(tokens: &[Token<'_>], index: usize) -> bool {
    let is = |at: usize, text: &str| tokens.get(index + at).is_some_and(|token| token.is(text));
    is(1, "[") || is(1, "!") && is(2, "[")
}

/// The index behind the first group of brackets at or after `index`.
fn end_of_group(tokens: &[Token<'_>], index: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(index) {
        if is_any(token, ["(", "[", "{"]) {
            depth += 1;
        } else if is_any(token, [")", "]", "}"]) {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at + 1;
            }
        }
    }
    tokens.len()
}

/// The index behind an item: behind its first `{..}` or its semicolon, whichever comes first.
fn end_of_item(tokens: &[Token<'_>], first: usize) -> usize {
    let mut at = first;
    while let Some(token) = tokens.get(at) {
        if token.is("{") {
            return end_of_group(tokens, at);
        } else if is_any(token, ["(", "[", "("]) {
            at = end_of_group(tokens, at);
            continue;
        } else if token.is(";") {
            return at + 1;
        } else if is_any(token, [")", "]", "}"]) {
            return at;
        }
        at += 1;
    }
    tokens.len()
}

fn is_any(token: &Token<'_>, texts: [&str; 3]) -> bool {
    texts.into_iter().any(|text| token.is(text))
}

#[cfg(test)]
mod tests {
    use super::{Scope, read};

    /// Lines, scopes and sentences.
    fn check(source: &str, expected: &[(usize, Scope, &str)]) {
        let file = read(source);
        let found: Vec<_> = file
            .pieces
            .iter()
            .map(|piece| (piece.line, piece.scope, piece.text.as_str()))
            .collect();
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
        assert_eq!(read("#[cfg(test)]\nmod one;\nmod two;").test_modules, ["one"]);
    }

    #[test]
    fn documentation_of_arguments_is_help() {
        check(
            "/// a\n#[derive(Debug, Args)]\nstruct A {\n/// b\nb: u8 }\n/// c\nstruct C;",
            &[(1, Scope::Help, " a"), (4, Scope::Help, " b"), (6, Scope::Rustdoc, " c")],
        );
    }
}
