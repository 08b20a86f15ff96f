//! The items of a Rust file that have documentation or attributes, and which of them are tests.

use std::ops::Range;

use super::lexer::{Token, TokenKind};

/// An item with documentation or attributes, as indices of tokens.
#[derive(Clone, Debug)]
pub(crate) struct AttributedItem {
    /// The first token of its documentation and attributes.
    pub(crate) start: usize,
    /// The first token after its documentation and attributes.
    pub(crate) first: usize,
    pub(crate) attributes: Vec<Attribute>,
}

/// `#[..]` or `#![..]`.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) tokens: Range<usize>,
    /// Whether it is about the file or block that it is in.
    pub(crate) is_inner: bool,
}

impl AttributedItem {
    /// The index behind the item.
    pub(crate) fn end(&self, tokens: &[Token<'_>]) -> usize {
        end_of_item(tokens, self.first)
    }

    pub(crate) fn has_documentation(&self, tokens: &[Token<'_>]) -> bool {
        let before = &tokens[self.start..self.first];
        before.iter().any(|token| token.kind == TokenKind::OuterDoc)
    }
}

impl Attribute {
    /// The identifiers in it: `cfg`, `test` in `#[cfg(test)]`.
    pub(crate) fn words<'a>(&self, tokens: &[Token<'a>]) -> Vec<&'a str> {
        let tokens = tokens[self.tokens.clone()].iter();
        tokens.filter(|token| token.kind == TokenKind::Word).map(|token| token.text).collect()
    }
}

/// Properties of an item that its attributes show.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Marks {
    /// Only `cargo test` compiles it.
    pub(crate) is_test: bool,
    /// Clap prints its documentation.
    pub(crate) is_help: bool,
}

impl Marks {
    pub(crate) fn of_item(item: &AttributedItem, tokens: &[Token<'_>]) -> Marks {
        let mut marks = Marks::default();
        for attribute in item.attributes.iter().filter(|attribute| !attribute.is_inner) {
            let words = attribute.words(tokens);
            marks.is_test |= is_test(&words);
            let is_clap =
                |word: &&str| matches!(*word, "Parser" | "Args" | "Subcommand" | "ValueEnum");
            marks.is_help |= words.first() == Some(&"derive") && words.iter().any(is_clap);
        }
        marks
    }
}

fn is_test(words: &[&str]) -> bool {
    matches!(words, ["test"] | ["cfg", "test"] | ["cfg", "all", "test", ..])
}

/// The ranges of tokens that only `cargo test` compiles.
pub(crate) fn test_ranges(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for item in attributed_items(tokens) {
        let mut inner = item.attributes.iter().filter(|attribute| attribute.is_inner);
        if inner.any(|attribute| is_test(&attribute.words(tokens))) {
            return std::iter::once(0..tokens.len()).collect();
        }
        if Marks::of_item(&item, tokens).is_test {
            ranges.push(item.start..item.end(tokens));
        }
    }
    ranges
}

/// All items with documentation or attributes, in the order of the file.
pub(crate) fn attributed_items(tokens: &[Token<'_>]) -> Vec<AttributedItem> {
    let mut items = Vec::new();
    let mut attributes: Vec<Attribute> = Vec::new();
    let mut start = None;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        match token.kind {
            TokenKind::OuterDoc => {
                start.get_or_insert(index);
            }
            TokenKind::Comment | TokenKind::InnerDoc => {}
            _ if token.is("#") && opens_attribute(tokens, index) => {
                let end = end_of_group(tokens, index);
                start.get_or_insert(index);
                let is_inner = tokens[index + 1].is("!");
                attributes.push(Attribute { tokens: index..end, is_inner });
                index = end;
                continue;
            }
            _ => {
                if let Some(start) = start.take() {
                    let attributes = std::mem::take(&mut attributes);
                    items.push(AttributedItem { start, first: index, attributes });
                }
            }
        }
        index += 1;
    }
    // Attributes of a file without items.
    if let Some(start) = start {
        items.push(AttributedItem { start, first: tokens.len(), attributes });
    }
    items
}

fn opens_attribute(tokens: &[Token<'_>], index: usize) -> bool {
    let is = |at: usize, text: &str| tokens.get(index + at).is_some_and(|token| token.is(text));
    is(1, "[") || is(1, "!") && is(2, "[")
}

/// The index behind the first group of brackets at or after `index`.
pub(crate) fn end_of_group(tokens: &[Token<'_>], index: usize) -> usize {
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
    use super::{attributed_items, test_ranges};
    use crate::sources::lexer::tokens;

    /// The tokens that only `cargo test` compiles, one string per range.
    fn check_tests(source: &str, expected: &[&str]) {
        let tokens = tokens(source);
        let text = |range: std::ops::Range<usize>| {
            tokens[range].iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
        };
        let found: Vec<String> = test_ranges(&tokens).into_iter().map(text).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn test_items_end_with_their_block_or_semicolon() {
        check_tests("a #[test] fn f() { x } b", &["# [ test ] fn f ( ) { x }"]);
        check_tests("#[cfg(test)] mod a; mod b;", &["# [ cfg ( test ) ] mod a ;"]);
        check_tests("#[cfg(not(test))] fn f() {}", &[]);
    }

    #[test]
    fn inner_attribute_makes_the_whole_file_a_test() {
        check_tests("#![cfg(test)] a", &["# ! [ cfg ( test ) ] a"]);
        check_tests("#![cfg(test)]", &["# ! [ cfg ( test ) ]"]);
    }

    #[test]
    fn documentation_belongs_to_the_next_item() {
        let tokens = tokens("/// a\n#[b]\nconst C: u8 = 1;\nconst D: u8 = 2;\n#[b]\nfn e() {}");
        let items = attributed_items(&tokens);
        let shown: Vec<_> = items
            .iter()
            .map(|item| (tokens[item.first + 1].text, item.has_documentation(&tokens)))
            .collect();
        assert_eq!(shown, [("C", true), ("e", false)]);
    }
}
