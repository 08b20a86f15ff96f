//! Finds the part of some printed code that changes with a part of the tape.
//!
//! Values do not know which choices made them, so Rebut prints a value again with other choices
//! and compares the code. Both codes are trees: an expression has words, strings and groups in
//! brackets, and a group has expressions. Where the trees have the same form, the comparison goes
//! down to the groups; where they differ, the whole expression differs. The *positions* of a
//! difference are ranges of bytes in the old code. The *region* of several differences is the
//! smallest expression that contains all positions, or a range of characters inside a string.
//!
//! The road not taken: to compare the codes as text. A common prefix ends in the middle of a
//! number, and elements of maps and sets move when one of them changes.

use std::ops::Range;

use crate::strings;
use crate::wrap;

/// The maximum length of code that is compared. Marks in longer values do not help, and the report
/// truncates them. Arbitrary.
const LENGTH_MAX: usize = 1 << 14;
/// The maximum depth of brackets, so that no value can overflow the stack. Arbitrary. Deeper code
/// is one word.
const DEPTH_MAX: usize = 64;

/// An expression: an element of a group, or all of the code.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    /// The text before the value of a field or a variable: `name:` or `let name =`.
    label: Range<usize>,
    /// The range of the value.
    pub(crate) bytes: Range<usize>,
    items: Vec<Item>,
}

#[derive(Clone, Debug)]
enum Item {
    /// Names, numbers, characters and punctuation.
    Word(Range<usize>),
    /// A string in plain quotes.
    Text(Range<usize>),
    Group(Group),
}

#[derive(Clone, Debug)]
struct Group {
    bytes: Range<usize>,
    elements: Vec<Expression>,
    /// The separator after each element: a comma, a semicolon, an arrow, the dots of a range, a line
    /// break, or the bracket.
    ends: Vec<u8>,
}

/// Parses printed code. Returns `None` if it is too long or its brackets do not match.
pub(crate) fn parse(code: &str) -> Option<Expression> {
    if code.len() > LENGTH_MAX {
        return None;
    }
    let mut parser = Parser { code, at: 0 };
    let (elements, _) = parser.elements(None, 0)?;
    match elements.len() {
        1 => elements.into_iter().next(),
        // Several statements or a list without brackets.
        _ => None,
    }
}

struct Parser<'a> {
    code: &'a str,
    at: usize,
}

impl Parser<'_> {
    /// Parses the elements up to the closing bracket, or up to the end.
    fn elements(&mut self, close: Option<u8>, depth: usize) -> Option<(Vec<Expression>, Vec<u8>)> {
        let bytes = self.code.as_bytes();
        let (mut elements, mut ends) = (Vec::new(), Vec::new());
        let (mut from, mut items) = (self.at, Vec::new());
        loop {
            let byte = bytes.get(self.at).copied();
            let is_end = byte == close;
            // A block on several lines ends its statements with semicolons or brackets.
            let separators = [",", ";", "\n", "=>", "..=", ".."];
            let rest = &self.code[self.at..];
            let separator = separators.into_iter().find(|text| rest.starts_with(text));
            if is_end || separator.is_some() {
                if let Some(element) = self.expression(from..self.at, std::mem::take(&mut items)) {
                    elements.push(element);
                    ends.push(byte.unwrap_or(0));
                }
                if is_end {
                    return Some((elements, ends));
                }
                self.at += separator.map_or(0, str::len);
                from = self.at;
                continue;
            }
            let byte = byte?;
            match byte {
                b')' | b']' | b'}' => return None,
                b'(' | b'[' | b'{' => {
                    if depth >= DEPTH_MAX {
                        return None;
                    }
                    let start = self.at;
                    let close = match byte {
                        b'(' => b')',
                        b'[' => b']',
                        _ => b'}',
                    };
                    self.at += 1;
                    let (elements, ends) = self.elements(Some(close), depth + 1)?;
                    self.at += 1;
                    items.push(Item::Group(Group { bytes: start..self.at, elements, ends }));
                }
                _ => {
                    let end = wrap::next(self.code, self.at);
                    let here = self.at..end;
                    self.at = end;
                    match items.last_mut() {
                        _ if byte == b'"' => items.push(Item::Text(here)),
                        Some(Item::Word(word)) => word.end = end,
                        _ => items.push(Item::Word(here)),
                    }
                }
            }
        }
    }

    fn expression(&self, bytes: Range<usize>, mut items: Vec<Item>) -> Option<Expression> {
        let text = &self.code[bytes.clone()];
        let start = bytes.start + text.len() - text.trim_start().len();
        let end = start + text.trim().len();
        if start == end {
            return None;
        }
        let label = start..start + label_length(&self.code[start..end]);
        let from = end - self.code[label.end..end].trim_start().len();
        let is_before = |item: &Item| item.bytes().end <= from;
        items.retain(|item| !is_before(item));
        if let Some(Item::Word(word)) = items.first_mut() {
            word.start = word.start.max(from);
        }
        if let Some(Item::Word(word)) = items.last_mut() {
            word.end = word.end.min(end);
        }
        items.retain(|item| !item.bytes().is_empty());
        Some(Expression { label, bytes: from..end, items })
    }
}

impl Item {
    fn bytes(&self) -> &Range<usize> {
        match self {
            Item::Word(bytes) | Item::Text(bytes) => bytes,
            Item::Group(group) => &group.bytes,
        }
    }
}

/// Returns the length of `name:` or `let name =` at the start of an element.
fn label_length(element: &str) -> usize {
    if element.starts_with("let ")
        && let Some(at) = strings::find(element, " = ")
        && !element[..at].contains(['(', '{', '"', '\''])
    {
        return at + 2;
    }
    let end = element.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(element.len());
    let is_field = end > 0 && element[end..].starts_with(": ");
    if is_field { end + 1 } else { 0 }
}

/// A code and its tree.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) code: String,
    tree: Expression,
}

impl Parsed {
    pub(crate) fn new(code: &str) -> Option<Parsed> {
        Some(Parsed { code: code.to_owned(), tree: parse(code)? })
    }

    /// Returns the ranges of this code that differ in the other one. With `is_length`, the length of
    /// a sequence differs, so all of a string that became longer or shorter differs.
    pub(crate) fn positions(&self, other: &str, is_length: bool) -> Vec<Range<usize>> {
        let mut positions = Vec::new();
        if self.code == other {
            return positions;
        }
        match parse(other) {
            Some(tree) => {
                let mut comparison = Comparison {
                    old: &self.code,
                    new: other,
                    positions: &mut positions,
                    is_length,
                };
                comparison.expressions(&self.tree, &tree, false);
            }
            None => positions.push(self.tree.bytes.clone()),
        }
        positions
    }

    /// Returns the smallest part of the code that contains these positions: a range of characters
    /// inside a string, a string, or an expression. Returns `None` if there are no positions.
    pub(crate) fn region(&self, positions: &[Range<usize>]) -> Option<Range<usize>> {
        let start = positions.iter().map(|place| place.start).min()?;
        let end = positions.iter().map(|place| place.end).max()?;
        Some(region_in(&self.tree, &(start..end)).unwrap_or_else(|| self.tree.bytes.clone()))
    }

    /// Returns the repeated element if this region is an expression like `vec![0; 5]`.
    pub(crate) fn repeated_element(&self, region: &Range<usize>) -> Option<Range<usize>> {
        let expression = find_expression(&self.tree, region)?;
        match expression.items.last() {
            Some(Item::Group(Group { elements, ends, .. })) if ends.first() == Some(&b';') => {
                (elements.len() == 2).then(|| elements[0].bytes.clone())
            }
            _ => None,
        }
    }

    /// Returns the characters between the quotes, if this region is a string or a part of it.
    pub(crate) fn text_around(&self, region: &Range<usize>) -> Option<Range<usize>> {
        let text = find_text(&self.tree, region)?;
        Some(text.start + 1..text.end - 1)
    }

    /// Returns whether the region has brackets, so that it is more than a name or a literal.
    pub(crate) fn has_brackets(&self, region: &Range<usize>) -> bool {
        self.code[region.clone()].contains(['(', '[', '{'])
    }
}

/// Returns the smallest part of an expression that contains a range.
fn region_in(expression: &Expression, range: &Range<usize>) -> Option<Range<usize>> {
    if !contains(&expression.bytes, range) {
        return None;
    }
    for item in &expression.items {
        match item {
            Item::Text(text) if contains(text, range) => {
                let is_inside = text.start < range.start && range.end < text.end;
                return Some(if is_inside { range.clone() } else { text.clone() });
            }
            Item::Group(group) => {
                for element in &group.elements {
                    if let Some(region) = region_in(element, range) {
                        return Some(region);
                    }
                }
            }
            _ => {}
        }
    }
    Some(expression.bytes.clone())
}

fn find_expression<'a>(
    expression: &'a Expression,
    region: &Range<usize>,
) -> Option<&'a Expression> {
    if expression.bytes == *region {
        return Some(expression);
    }
    for item in &expression.items {
        let Item::Group(group) = item else { continue };
        for element in &group.elements {
            if let Some(found) = find_expression(element, region) {
                return Some(found);
            }
        }
    }
    None
}

fn find_text(expression: &Expression, region: &Range<usize>) -> Option<Range<usize>> {
    for item in &expression.items {
        match item {
            Item::Text(text) if contains(text, region) => return Some(text.clone()),
            // `"a".to_string()`
            Item::Text(text) if expression.bytes == *region => return Some(text.clone()),
            Item::Group(group) => {
                for element in &group.elements {
                    if let Some(found) = find_text(element, region) {
                        return Some(found);
                    }
                }
            }
            _ => {}
        }
    }
    None
}

pub(crate) fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

struct Comparison<'a> {
    old: &'a str,
    new: &'a str,
    positions: &'a mut Vec<Range<usize>>,
    is_length: bool,
}

impl Comparison<'_> {
    fn expressions(&mut self, old: &Expression, new: &Expression, is_unordered: bool) {
        if !self.have_same_form(old, new) {
            self.positions.push(old.bytes.clone());
            return;
        }
        let is_unordered = is_unordered || self.is_unordered(old);
        for (a, b) in old.items.iter().zip(&new.items) {
            match (a, b) {
                (Item::Text(a), Item::Text(b)) => self.texts(a, b),
                (Item::Group(a), Item::Group(b)) => self.groups(a, b, is_unordered),
                _ => {}
            }
        }
    }

    /// Returns whether two expressions have the same words, and groups of the same size.
    fn have_same_form(&self, old: &Expression, new: &Expression) -> bool {
        let same = |a: &Range<usize>, b: &Range<usize>| self.old[a.clone()] == self.new[b.clone()];
        old.items.len() == new.items.len()
            && same(&old.label, &new.label)
            && old.items.iter().zip(&new.items).all(|items| match items {
                (Item::Word(a), Item::Word(b)) => same(a, b),
                (Item::Text(_), Item::Text(_)) => true,
                (Item::Group(a), Item::Group(b)) => {
                    let (a_open, b_open) = (a.bytes.start, b.bytes.start);
                    a.ends == b.ends && self.old.as_bytes()[a_open] == self.new.as_bytes()[b_open]
                }
                _ => false,
            })
    }

    /// Returns whether the elements of a collection have no order of their own.
    fn is_unordered(&self, expression: &Expression) -> bool {
        match expression.items.first() {
            Some(Item::Word(word)) => {
                let name = &self.old[word.clone()];
                let name = name.strip_suffix("_iter").unwrap_or(name);
                ["Map::from", "Set::from", "Heap::from"].iter().any(|end| name.ends_with(end))
            }
            _ => false,
        }
    }

    fn groups(&mut self, old: &Group, new: &Group, is_unordered: bool) {
        if !is_unordered || self.old.as_bytes()[old.bytes.start] != b'[' {
            for (a, b) in old.elements.iter().zip(&new.elements) {
                // `from([..])`: the brackets are in an element of the parentheses.
                self.expressions(a, b, is_unordered);
            }
            return;
        }
        // Other elements may have moved.
        let mut left: Vec<&Expression> = Vec::new();
        for element in &new.elements {
            left.push(element);
        }
        let mut changed = Vec::new();
        for element in &old.elements {
            let is_same = |other: &&Expression| {
                self.old[element.bytes.clone()] == self.new[other.bytes.clone()]
            };
            match left.iter().position(is_same) {
                Some(at) => drop(left.remove(at)),
                None => changed.push(element),
            }
        }
        match (changed.as_slice(), left.as_slice()) {
            ([a], [b]) => self.expressions(a, b, false),
            _ => self.positions.extend(changed.iter().map(|element| element.bytes.clone())),
        }
    }

    fn texts(&mut self, old: &Range<usize>, new: &Range<usize>) {
        let a = units(self.old, old);
        let b = units(self.new, new);
        let same = |x: &Range<usize>, y: &Range<usize>| self.old[x.clone()] == self.new[y.clone()];
        let shorter = a.len().min(b.len());
        let prefix = (0..shorter).take_while(|&n| same(&a[n], &b[n])).count();
        let is_same_at_end = |n: &usize| same(&a[a.len() - 1 - n], &b[b.len() - 1 - n]);
        let suffix = (0..shorter - prefix).take_while(is_same_at_end).count();
        if prefix == a.len() && a.len() == b.len() {
            return;
        }
        let is_insertion = prefix + suffix == a.len();
        let is_other_length = self.is_length && a.len() != b.len();
        self.positions.push(if is_insertion || is_other_length {
            old.clone()
        } else {
            a[prefix].start..a[a.len() - suffix - 1].end
        });
    }
}

/// Returns the ranges of the characters and escape sequences of a string.
fn units(code: &str, text: &Range<usize>) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    let mut at = text.start + 1;
    let end = text.end - 1;
    while at < end {
        let rest = &code[at..end];
        let length = if rest.starts_with("\\u{") || rest.starts_with("\\x") {
            match rest.find('}') {
                Some(close) if rest.starts_with("\\u{") => close + 1,
                _ => 4,
            }
        } else if let Some(escaped) = rest.strip_prefix('\\') {
            1 + escaped.chars().next().map_or(0, char::len_utf8)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        let next = (at + length).min(end);
        units.push(at..next);
        at = next;
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the region in which some codes differ from the first one.
    #[track_caller]
    fn check(codes: &[&str], expected: &str) {
        let old = Parsed::new(codes[0]).expect("code");
        let mut positions = Vec::new();
        for new in &codes[1..] {
            positions.extend(old.positions(new, false));
        }
        let region = old.region(&positions).map_or("", |region| &codes[0][region]);
        assert_eq!(region, expected, "{codes:?}");
    }

    #[test]
    fn regions_are_the_smallest_expressions() {
        check(&["vec![0, 2]", "vec![17, 2]"], "0");
        check(&["vec![10, 2]", "vec![-17, 2]"], "10");
        check(&["vec![10, 2]", "vec![17, 3]"], "vec![10, 2]");
        check(&["vec![0, 2]", "vec![]"], "vec![0, 2]");
        check(&["Some(0)", "None"], "Some(0)");
        check(&["P { a: Some(0), b: -1 }", "P { a: None, b: -1 }"], "Some(0)");
        check(&["P { a: Some(0), b: -1 }", "P { a: Some(0), b: 7 }"], "-1");
        check(&["P { a: 0, b: 1 }", "P { a: 0, b: 2 }", "P { a: 3, b: 1 }"], "P { a: 0, b: 1 }");
        check(&["f(Kind::A, 1)", "f(Kind::B, 1)"], "Kind::A");
        check(&["vec![0; 5]", "vec![0, 7, 0, 0, 0]"], "vec![0; 5]");
        check(&["('a', f64::NAN)", "('a', 1.5)"], "f64::NAN");
        check(&["(a::<u8, i8>(1), 2)", "(a::<u8, i8>(3), 2)"], "1");
        check(&["(3..0, 1)", "(3..7, 1)"], "0");
        check(&["f((-3..=0))", "f((5..=0))"], "-3");
        check(&["(1.5..2.5)", "(1.5..f64::NAN)"], "2.5");
        check(&["1", "1"], "");
    }

    #[test]
    fn characters_of_strings_are_regions() {
        check(&[r#""abc".to_string()"#, r#""aXc".to_string()"#], "b");
        check(&[r#""a\"\u{301}c""#, r#""a\"yc""#], "\\u{301}");
        check(&[r#"("ab", "cd")"#, r#"("ab", "cX")"#], "d");
        check(&[r#""日本""#, r#""日x""#], "本");
        check(&[r#""ab""#, r#""abX""#], "\"ab\"");
        check(&[r#""ab""#, r#""Xb""#, r#""""#], "ab");
        check(&[r#"vec!["a", "b"]"#, r#"vec!["x", "b"]"#], "a");
    }

    #[test]
    fn elements_of_sets_and_maps_may_move() {
        check(&["HashSet::from([1, 2])", "HashSet::from([2, 9])"], "1");
        check(&["a::BTreeMap::from([(1, 5), (2, 6)])", "a::BTreeMap::from([(2, 6), (3, 5)])"], "1");
        check(&["HashSet::from_iter([1, 2])", "HashSet::from_iter([2, 9])"], "1");
        check(&["vec![1, 2]", "vec![2, 9]"], "vec![1, 2]");
    }

    #[test]
    fn literals_of_statements_are_regions() {
        let program =
            |n: &str| format!("new(|| {{\n    let a = List::new();\n    a.push({n});\n}})");
        check(&[&program("1"), &program("22")], "1");
        let variable = |n: &str| format!("{{\n    let a = {n};\n    a.push(&a);\n}}");
        check(&[&variable("1"), &variable("-1")], "1");
        check(&["match x { 1 => 2, _ => 0 }", "match x { 1 => 3, _ => 0 }"], "2");
    }

    #[test]
    fn code_that_is_no_tree_has_no_regions() {
        for code in ["vec![1", "a)", "1, 2", ""] {
            assert!(parse(code).is_none(), "{code}");
        }
    }
}
