//! Trees of XML.

use rebut::prelude::*;
use roxmltree::{Document, Node, NodeType, ParsingOptions, TextPos};
use std::collections::BTreeMap;

const NAMES: [&str; 3] = ["a", "b", "c-1"];

#[derive(Debug, Clone, PartialEq, Generate)]
enum Content {
    Text(#[generate(strings().min_size(1).max_size(6))] String),
    Comment { words: Option<(u8, u8)> },
    Child(Box<Element>),
}

#[derive(Debug, Clone, PartialEq, Generate)]
struct Element {
    #[generate(NAMES)]
    name: &'static str,
    id: Option<Result<u8, i16>>,
    #[generate(max_size = 3)]
    contents: Vec<Content>,
}

/// Replaces the characters that have a meaning.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

impl Element {
    fn write(&self, text: &mut String) {
        *text += &format!("<{}", self.name);
        match self.id {
            Some(Ok(id)) => *text += &format!(" id='{id}'"),
            Some(Err(id)) => *text += &format!(" wrong=\"{id}\""),
            None => {}
        }
        text.push('>');
        for content in &self.contents {
            match content {
                Content::Text(inner) => *text += &escaped(inner),
                Content::Comment { words: None } => *text += "<!---->",
                Content::Comment { words: Some((one, other)) } => *text += &format!("<!--{one} {other}-->"),
                Content::Child(child) => child.write(text),
            }
        }
        *text += &format!("</{}>", self.name);
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }
}

/// Asserts that a node and its children are an element.
fn assert_same(node: Node<'_, '_>, element: &Element) {
    assert_eq!(node.tag_name().name(), element.name);
    let id = element.id.and_then(Result::ok).map(|id| id.to_string());
    assert_eq!(node.attribute("id"), id.as_deref());
    let children = element.contents.iter().filter_map(|content| match content {
        Content::Child(child) => Some(&**child),
        _ => None,
    });
    let nodes = node.children().filter(Node::is_element);
    nodes.zip(children).for_each(|(node, child)| assert_same(node, child));
}

// Control characters are not allowed, not even as references.
// expect: failed
#[rebut::test]
fn escaped_text_parses(element: Element) -> Result<(), roxmltree::Error> {
    let text = element.text();
    let document = Document::parse(&text)?;
    assert_same(document.root_element(), &element);
    Ok(())
}

// expect: passed
#[rebut::test]
fn what_parses_is_what_was_written(element: Element) {
    let text = element.text();
    if let Ok(document) = Document::parse(&text) {
        assert_same(document.root_element(), &element);
        assert_eq!(document.input_text(), text);
    }
}

// A tag cannot be closed twice.
// expect: vacuous
#[rebut::test]
fn two_ends_are_one(#[from(NAMES)] name: &str, count: u16) {
    let text = format!("<{name}>{count}</{name}></{name}>");
    if let Ok(document) = Document::parse(&text) {
        assert_eq!(document.root_element().text(), Some(count.to_string().as_str()));
    }
}

// The position is in bytes, and can be inside of a character.
// expect: failed: is not a char boundary
#[rebut::test]
fn every_position_has_a_line(text: &str, at: usize) {
    let text = format!("<a>{}</a>", escaped(text));
    let Ok(document) = Document::parse(&text) else { return };
    let TextPos { row, col } = document.text_pos_at(at);
    assert!(row >= 1 && col >= 1);
}

// Line breaks of other systems become those of Unix.
// expect: failed
#[rebut::test]
fn text_is_kept(#[from(strings().alphabet(chars().one_of("ab<&\r\n\t ")).min_size(1))] text: String) {
    let source = ["<p>", &escaped(&text), "</p>"].concat();
    let document = Document::parse(&source).unwrap();
    assert_eq!(document.root_element().text(), Some(text.as_str()));
}

// Two attributes must have two names.
// expect: failed: DuplicatedAttribute
#[rebut::test]
fn attributes_are_found(attributes: Vec<(char, bool)>) {
    let mut source = "<p".to_owned();
    let attributes: Vec<(char, bool)> = attributes.into_iter().filter(|(c, _)| c.is_ascii_alphabetic()).collect();
    for (name, value) in &attributes {
        source = source + &format!(" {name}='{value}'");
    }
    source += "/>";
    let document = Document::parse(&source).unwrap();
    let expected: BTreeMap<String, String> =
        attributes.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    for attribute in document.root_element().attributes() {
        assert_eq!(expected.get(attribute.name()).map(|value| &**value), Some(attribute.value()));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Generate)]
enum Quote {
    Single,
    Double,
}

// expect: proved
#[rebut::test]
fn quotes_do_not_matter(quotes: (Quote, Option<Quote>), closed: bool) {
    let quoted = |quote: Quote| if quote == Quote::Single { "'1'" } else { "\"1\"" };
    let mut text = format!("<a b={}", quoted(quotes.0));
    if let Some(quote) = quotes.1 {
        text = format!("{text} c={}", quoted(quote));
    }
    text += if closed { "/>" } else { "></a>" };
    let document = Document::parse(&text).unwrap();
    assert_eq!(document.root_element().attributes().len(), 1 + usize::from(quotes.1.is_some()));
    assert!(document.root_element().attributes().all(|attribute| attribute.value() == "1"));
}

// expect: passed
#[rebut::test]
fn siblings_know_each_other(element: Element) {
    let text = element.text();
    let Ok(document) = Document::parse(&text) else { return };
    for node in document.descendants() {
        let next = node.next_sibling();
        assert!(next.is_none_or(|next| next.prev_sibling() == Some(node)));
        let mut count = 0;
        while let Some(child) = node.children().nth(count) {
            assert_eq!(child.parent(), Some(node));
            count += 1;
        }
        assert!(count == 0 || node.node_type() == NodeType::Element || node.is_root());
    }
}

// The root is a node, and texts and comments are nodes.
// expect: failed: NodesLimitReached
#[rebut::test]
fn the_limit_is_the_number_of_elements(#[from(1..20_usize)] children: usize, spaced: bool) {
    let inner = if spaced { " <b/>" } else { "<b/>" }.repeat(children);
    let text = format!("<a>{inner}</a>");
    let options = ParsingOptions { nodes_limit: children as u32 + 2, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options).unwrap();
    assert_eq!(document.root_element().children().filter(|node| node.is_element()).count(), children);
}

/// Two attributes of an element, as a reader of a file has them.
#[derive(Debug, Clone, PartialEq, Generate)]
struct Pair<'a> {
    first: &'a str,
    second: Option<&'a str>,
}

// Quotes are not escaped.
// expect: failed
#[rebut::test]
fn attributes_are_kept(pair: Pair<'_>, #[from(NAMES)] name: &str) {
    rebut::assume!(!pair.first.chars().chain(pair.second.unwrap_or("").chars()).any(char::is_control));
    let text = format!("<{name} first='{}' second='{}'/>", escaped(pair.first), escaped(pair.second.unwrap_or("")));
    let document = Document::parse(&text).expect("a document");
    let [first, second] = ["first", "second"].map(|name| document.root_element().attribute(name));
    assert_eq!((first, second), (Some(pair.first), Some(pair.second.unwrap_or_default())));
}

/// Writes a document.
#[derive(Debug, Default)]
pub struct Writer {
    text: String,
    open: Vec<char>,
}

#[rebut::contract]
#[invariant(self.text.matches("</").count() <= self.text.matches('<').count())]
impl Writer {
    pub fn new() -> Writer {
        let mut writer = Writer::default();
        writer.begin('r');
        writer
    }

    #[requires(name.is_ascii_lowercase(), "the name is a name")]
    #[ensures(self.open.len() == old(self.open.len()) + 1)]
    pub fn begin(&mut self, name: char) {
        self.open.push(name);
        self.text += &format!("<{name}>");
    }

    #[requires(self.open.len() > 1)]
    pub fn end(&mut self) {
        let name = self.open.pop().unwrap();
        self.text += &format!("</{name}>");
    }

    pub fn inside(&mut self, write: impl FnOnce(&mut Writer)) {
        let depth = self.open.len();
        self.begin('i');
        write(self);
        while self.open.len() > depth {
            self.end();
        }
    }

    pub fn number(&mut self, number: Option<i8>) {
        self.text += &number.map_or("none".to_owned(), |number| number.to_string());
    }

    /// The whole document.
    #[ensures(Document::parse(&result).is_ok(), "the document parses")]
    pub fn finish(&self) -> String {
        let ends: String = self.open.iter().rev().map(|name| format!("</{name}>")).collect();
        format!("{}{ends}", self.text)
    }
}

// expect: passed
#[rebut::test]
fn writer_keeps_its_contract(program: rebut::Program<Writer>) {
    program.run();
}
