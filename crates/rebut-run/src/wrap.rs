//! Breaks a Rust expression that is too long for one line, in the style of rustfmt.
//!
//! The expressions are those that Rebut prints for values: calls, macros, struct literals,
//! tuples, closures and literals. They need no real parser, which would be far larger than this
//! crate can afford: this module adds only white space and trailing commas, so it only has to
//! know where brackets open and close and where elements end. It never breaks strings, and leaves
//! code with unbalanced brackets unchanged.

use std::ops::Range;

use crate::strings;

/// The maximum width of a line, the default of rustfmt.
const LINE_MAX: usize = 100;
/// Elements this short share lines; `short_array_element_width_threshold` of rustfmt.
const SHORT_MAX: usize = 10;
/// The maximum length of a wrapped expression. Longer ones are too long to read, and stay on one
/// line. Arbitrary.
const LENGTH_MAX: usize = 1 << 16;
/// The maximum depth of broken brackets, so that no value can overflow the stack. Arbitrary. Deeper
/// brackets stay on one line.
const DEPTH_MAX: usize = 64;
const INDENT: usize = 4;

/// An expression on one or several lines.
#[derive(Debug)]
pub(crate) struct Wrapped {
    /// The code. Every line but the first has its indentation.
    pub(crate) text: String,
    /// The positions of the bytes of the expression in the text.
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    bytes: Range<usize>,
    at: usize,
}

impl Wrapped {
    /// Returns the positions of some bytes of the expression in the text, one for each line, without
    /// the spaces around them.
    pub(crate) fn find(&self, bytes: &Range<usize>) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for piece in &self.pieces {
            let start = piece.bytes.start.max(bytes.start);
            let end = piece.bytes.end.min(bytes.end);
            if start < end {
                let at = piece.at + start - piece.bytes.start;
                self.add_lines(at..at + end - start, &mut found);
            }
        }
        found
    }

    /// Adds the lines of a range of the text. Pieces on one line are separated by what wrapping
    /// added, such as commas, and become one range.
    fn add_lines(&self, range: Range<usize>, found: &mut Vec<Range<usize>>) {
        let mut start = range.start;
        for line in strings::split(&self.text[range], "\n") {
            let from = start + line.len() - line.trim_start().len();
            let end = from + line.trim().len();
            start += line.len() + 1;
            match found.last_mut() {
                _ if from == end => {}
                Some(last) if strings::find(&self.text[last.end..from], "\n").is_none() => {
                    last.end = end;
                }
                _ => found.push(from..end),
            }
        }
    }
}

/// Wraps an expression that begins in this column of a line with this indentation.
#[inline(never)]
pub(crate) fn wrap(code: &str, column: usize, indent: usize) -> Wrapped {
    let mut layout = Layout { code, wrapped: Wrapped { text: String::new(), pieces: Vec::new() } };
    let whole = 0..code.len();
    // A semicolon follows.
    let is_short = column + strings::count(code) < LINE_MAX;
    let is_broken_already = strings::find(code, "\n").is_some();
    if is_short || is_broken_already || code.len() > LENGTH_MAX || !is_balanced(code) {
        layout.take(whole);
    } else {
        layout.expression(whole, column, indent, 1, 0);
    }
    layout.wrapped
}

struct Layout<'a> {
    code: &'a str,
    wrapped: Wrapped,
}

/// A pair of brackets and the elements between them.
#[derive(Clone, Debug)]
struct Group {
    open: usize,
    /// The position of the closing bracket.
    close: usize,
    elements: Vec<Range<usize>>,
    /// Whether elements are separated by commas alone.
    has_commas_only: bool,
}

impl Layout<'_> {
    /// Copies a part of the expression.
    fn take(&mut self, bytes: Range<usize>) {
        let at = self.wrapped.text.len();
        self.wrapped.text.push_str(&self.code[bytes.clone()]);
        self.wrapped.pieces.push(Piece { bytes, at });
    }

    fn new_line(&mut self, indent: usize) {
        strings::push(&mut self.wrapped.text, '\n');
        for _ in 0..indent {
            strings::push(&mut self.wrapped.text, ' ');
        }
    }

    fn width(&self, bytes: &Range<usize>) -> usize {
        strings::count(&self.code[bytes.clone()])
    }

    /// Writes an expression that `tail` more characters follow. Breaks its widest pair of
    /// brackets if it does not fit.
    fn expression(
        &mut self,
        bytes: Range<usize>,
        column: usize,
        indent: usize,
        tail: usize,
        depth: usize,
    ) {
        let fits = column + self.width(&bytes) + tail <= LINE_MAX;
        let group = if fits || depth >= DEPTH_MAX { None } else { self.widest_group(&bytes) };
        let Some(group) = group else { return self.take(bytes) };
        self.take(bytes.start..group.open + 1);
        let column = column + self.width(&(bytes.start..group.open + 1));
        match group.elements.as_slice() {
            [only] if self.can_stay_inside(&group, only) => {
                let tail = tail + self.width(&(group.close..bytes.end));
                self.expression(only.clone(), column, indent, tail, depth + 1);
            }
            _ => self.broken(&group, indent, depth),
        }
        self.take(group.close..bytes.end);
    }

    /// Writes the elements of a group on separate lines.
    fn broken(&mut self, group: &Group, indent: usize, depth: usize) {
        let inside = indent + INDENT;
        let is_list = &self.code[group.open..=group.open] == "[" && group.has_commas_only;
        let is_packed = is_list && group.elements.iter().all(|one| self.width(one) <= SHORT_MAX);
        let mut column = LINE_MAX;
        let last = group.elements.len() - 1;
        for (nth, element) in group.elements.iter().enumerate() {
            let width = self.width(element) + 1;
            if is_packed && column + 1 + width <= LINE_MAX {
                strings::push(&mut self.wrapped.text, ' ');
                column += 1;
            } else {
                self.new_line(inside);
                column = inside;
            }
            self.expression(element.clone(), inside, inside, 1, depth + 1);
            column += width;
            match self.code.as_bytes()[element.end] {
                b';' => strings::push(&mut self.wrapped.text, ';'),
                b',' => strings::push(&mut self.wrapped.text, ','),
                _ if nth == last && self.takes_trailing_comma(group) => {
                    strings::push(&mut self.wrapped.text, ',');
                }
                _ => {}
            }
        }
        self.new_line(indent);
    }

    /// Returns whether a comma after the last element does not change the meaning.
    fn takes_trailing_comma(&self, group: &Group) -> bool {
        let Some(last) = group.elements.last() else { return false };
        let last = &self.code[last.clone()];
        if !group.has_commas_only || last.starts_with("..") {
            return false;
        }
        let before = self.code.as_bytes()[..group.open].last().copied().unwrap_or(b' ');
        match self.code.as_bytes()[group.open] {
            b'[' => true,
            // Around one expression it would make a tuple.
            b'(' => group.elements.len() > 1 || is_in_name(before) || before == b'>',
            // A block has no commas; fields and arms do.
            _ => group.elements.len() > 1 || is_field(last) || strings::find(last, "=>").is_some(),
        }
    }

    /// Returns the widest of the outermost pairs of brackets.
    fn widest_group(&self, bytes: &Range<usize>) -> Option<Group> {
        let mut widest: Option<Group> = None;
        let mut at = bytes.start;
        while at < bytes.end {
            if is_open(self.code.as_bytes()[at]) {
                let group = group_at(self.code, at)?;
                at = group.close + 1;
                let is_wider = |known: &Group| group.close - group.open > known.close - known.open;
                if !group.elements.is_empty() && widest.as_ref().is_none_or(is_wider) {
                    widest = Some(group);
                }
            } else {
                at = next(self.code, at);
            }
        }
        widest
    }

    /// Returns whether the only element of a group ends with brackets that can be broken in
    /// place, as in `Some(vec![..])`.
    fn can_stay_inside(&self, group: &Group, only: &Range<usize>) -> bool {
        let is_alone = only.start == group.open + 1 && only.end == group.close;
        is_alone && self.widest_group(only).is_some_and(|inner| inner.close + 1 == only.end)
    }
}

/// Returns the group that opens at this position, or `None` if it does not close.
fn group_at(code: &str, open: usize) -> Option<Group> {
    let bytes = code.as_bytes();
    let mut group = Group { open, close: open, elements: Vec::new(), has_commas_only: true };
    let mut from = open + 1;
    let mut at = from;
    loop {
        let byte = *bytes.get(at)?;
        let is_end = is_close(byte);
        if is_end || byte == b',' || byte == b';' {
            let element = trimmed(code, from..at);
            if !element.is_empty() {
                group.elements.push(element);
            }
            group.has_commas_only &= byte != b';';
            from = at + 1;
        }
        if is_end {
            group.close = at;
            return Some(group);
        }
        at = if is_open(byte) {
            skip_group(code, at)?
        } else if byte == b'|' && is_first(code, from, at) {
            // Parameters of a closure have commas of their own.
            strings::find(&code[at + 1..], "|").map_or(at + 1, |end| at + 1 + end + 1)
        } else {
            next(code, at)
        };
    }
}

/// Returns the position after the group that opens here.
fn skip_group(code: &str, open: usize) -> Option<usize> {
    let bytes = code.as_bytes();
    let mut depth = 0;
    let mut at = open;
    loop {
        let byte = *bytes.get(at)?;
        if is_open(byte) {
            depth += 1;
        } else if is_close(byte) {
            depth -= 1;
            if depth == 0 {
                return Some(at + 1);
            }
        }
        at = next(code, at);
    }
}

/// Returns whether every bracket has its counterpart.
fn is_balanced(code: &str) -> bool {
    let bytes = code.as_bytes();
    let mut open = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            byte if is_close(byte) && open.pop() != Some(byte) => return false,
            _ => {}
        }
        at = next(code, at);
    }
    open.is_empty()
}

/// Returns whether the code has a comment in place of a value that is not shown, so that it does not
/// compile.
pub(crate) fn has_comment(code: &str) -> bool {
    let mut at = 0;
    while at < code.len() {
        if code[at..].starts_with("/*") {
            return true;
        }
        at = next(code, at);
    }
    false
}

/// Returns the position after the character, string, comment or list of generic arguments that is
/// here.
pub(crate) fn next(code: &str, at: usize) -> usize {
    let rest = &code[at..];
    let bytes = rest.as_bytes();
    let length = match bytes[0] {
        b'"' => after_string(bytes),
        b'\'' => after_character(rest),
        b'r' if !is_after_name(code, at) => after_raw_string(rest),
        b'/' if rest.starts_with("/*") => strings::find(rest, "*/").map(|end| end + 2),
        b':' if rest.starts_with("::<") => Some(after_generics(bytes)),
        _ => None,
    };
    let first = rest.chars().next().map_or(1, char::len_utf8);
    at + length.unwrap_or(first)
}

fn after_string(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// Returns the length of a character literal, or `None` if the quote begins a lifetime.
fn after_character(text: &str) -> Option<usize> {
    let inside = &text[1..];
    if let Some(escape) = inside.strip_prefix('\\') {
        // The escaped character may be a quote.
        let escaped = escape.chars().next()?.len_utf8();
        return strings::find(&escape[escaped..], "'").map(|end| 2 + escaped + end + 1);
    }
    let length = inside.chars().next()?.len_utf8();
    inside[length..].starts_with('\'').then_some(length + 2)
}

fn after_raw_string(text: &str) -> Option<usize> {
    let hashes = text[1..].len() - text[1..].trim_start_matches('#').len();
    let inside = text[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    strings::find(inside, &end).map(|at| 1 + hashes + 1 + at + end.len())
}

/// Returns the length of `::<..>`.
fn after_generics(bytes: &[u8]) -> usize {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if bytes[at - 1] != b'-' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            // Generic arguments are types, and printed types contain none of these.
            b'"' | b'{' | b';' => break,
            _ => {}
        }
    }
    1
}

/// Returns whether at most a `move` comes before this position in the element.
fn is_first(code: &str, from: usize, at: usize) -> bool {
    matches!(code[from..at].trim(), "" | "move")
}

/// Returns whether an element of braces is a field: `name: value`.
fn is_field(element: &str) -> bool {
    let end = element.bytes().position(|byte| !is_in_name(byte)).unwrap_or(element.len());
    let rest = &element[end..];
    end > 0 && rest.starts_with(':') && !rest.starts_with("::")
}

fn trimmed(code: &str, bytes: Range<usize>) -> Range<usize> {
    let text = &code[bytes.clone()];
    let start = bytes.start + text.len() - text.trim_start().len();
    start..(start + text.trim().len())
}

fn is_after_name(code: &str, at: usize) -> bool {
    at > 0 && is_in_name(code.as_bytes()[at - 1])
}

fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'!' || !byte.is_ascii()
}

fn is_open(byte: u8) -> bool {
    matches!(byte, b'(' | b'[' | b'{')
}

fn is_close(byte: u8) -> bool {
    matches!(byte, b')' | b']' | b'}')
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use rebut_choice::Source;
    use rebut_gen::{Generator as _, any, from_fn, strings};

    use super::*;
    use crate::Check;

    #[track_caller]
    fn check(code: &str, expected: Expect) {
        let before = "let value: T = ";
        let wrapped = wrap(code, before.len(), 0);
        expected.assert_eq(&format!("{before}{};\n", wrapped.text));
    }

    #[test]
    fn comments_in_strings_are_not_comments() {
        for yes in ["/* a secret */", "Login { name: \"a\", password: /* a secret */ }"] {
            assert!(has_comment(yes), "{yes}");
        }
        for no in ["", "\"/* a */\".to_string()", "vec!['/', '*']", "a / *b", "b\"\\\"/*\""] {
            assert!(!has_comment(no), "{no}");
        }
    }

    #[test]
    fn leaves_short_values_on_one_line() {
        check(
            "vec![1, 2]",
            expect![[r#"
                    let value: T = vec![1, 2];
            "#]],
        );
    }

    #[test]
    fn fills_lines_with_short_elements() {
        let numbers: Vec<String> = (0..50).map(|n| (n * 37 % 1000).to_string()).collect();
        check(
            &format!("vec![{}]", numbers.join(", ")),
            expect![[r#"
                let value: T = vec![
                    0, 37, 74, 111, 148, 185, 222, 259, 296, 333, 370, 407, 444, 481, 518, 555, 592, 629, 666, 703,
                    740, 777, 814, 851, 888, 925, 962, 999, 36, 73, 110, 147, 184, 221, 258, 295, 332, 369, 406,
                    443, 480, 517, 554, 591, 628, 665, 702, 739, 776, 813,
                ];
            "#]],
        );
    }

    #[test]
    fn puts_long_elements_on_lines_of_their_own() {
        let line = r#"Line { item: "AA0, [".to_string(), amount: 1, returned: Some('"') }"#;
        check(
            &format!("Order::Lines(vec![{line}, {line}])"),
            expect![[r#"
                    let value: T = Order::Lines(vec![
                        Line { item: "AA0, [".to_string(), amount: 1, returned: Some('"') },
                        Line { item: "AA0, [".to_string(), amount: 1, returned: Some('"') },
                    ]);
            "#]],
        );
        check(
            &format!("({line}, {line}, )"),
            expect![[r#"
                    let value: T = (
                        Line { item: "AA0, [".to_string(), amount: 1, returned: Some('"') },
                        Line { item: "AA0, [".to_string(), amount: 1, returned: Some('"') },
                    );
            "#]],
        );
    }

    #[test]
    fn keeps_one_element_tuples_and_blocks_unchanged() {
        let long = "1234567890, ".repeat(12);
        check(
            &format!("(vec![{long}],)"),
            expect![[r#"
                    let value: T = (
                        vec![
                            1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890,
                            1234567890, 1234567890, 1234567890, 1234567890, 1234567890,
                        ],
                    );
            "#]],
        );
        check(
            &format!("Held {{ only: vec![{long}] }}"),
            expect![[r#"
                    let value: T = Held {
                        only: vec![
                            1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890,
                            1234567890, 1234567890, 1234567890, 1234567890, 1234567890,
                        ],
                    };
            "#]],
        );
        check(
            &format!("Some(&(vec![{long}]))"),
            expect![[r#"
                let value: T = Some(&(vec![
                    1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890,
                    1234567890, 1234567890, 1234567890, 1234567890,
                ]));
            "#]],
        );
        check(
            &format!("{{ let mut list = vec![{long}]; list.sort(); list }}"),
            expect![[r#"
                    let value: T = {
                        let mut list = vec![
                            1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890, 1234567890,
                            1234567890, 1234567890, 1234567890, 1234567890, 1234567890,
                        ];
                        list.sort();
                        list
                    };
            "#]],
        );
        check(
            &format!("[\"{}\".to_string(); 3]", "x".repeat(90)),
            expect![[r#"
                    let value: T = [
                        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".to_string();
                        3
                    ];
            "#]],
        );
    }

    #[test]
    fn breaks_arms_and_not_parameters() {
        let arms = "1 => vec![1, 2, 3], 2 => vec![4, 5, 6], ".repeat(2);
        let code = format!("rebut::Function::new(|key, other| match key {{ {arms}_ => vec![] }})");
        check(
            &code,
            expect![[r#"
                    let value: T = rebut::Function::new(|key, other| match key {
                        1 => vec![1, 2, 3],
                        2 => vec![4, 5, 6],
                        1 => vec![1, 2, 3],
                        2 => vec![4, 5, 6],
                        _ => vec![],
                    });
            "#]],
        );
        let pairs = "(BTreeMap::<u8, char>::new(), 'a', '\\'', \"}\\\"\"), ".repeat(3);
        check(
            &format!("HashMap::from([{pairs}])"),
            expect![[r#"
                    let value: T = HashMap::from([
                        (BTreeMap::<u8, char>::new(), 'a', '\'', "}\""),
                        (BTreeMap::<u8, char>::new(), 'a', '\'', "}\""),
                        (BTreeMap::<u8, char>::new(), 'a', '\'', "}\""),
                    ]);
            "#]],
        );
    }

    #[test]
    fn leaves_unbalanced_code_unchanged() {
        let long = format!("vec![{}", "1234567890, ".repeat(12));
        assert_eq!(wrap(&long, 0, 0).text, long);
        let closed = format!("vec![{}}}", "1234567890, ".repeat(12));
        assert_eq!(wrap(&closed, 0, 0).text, closed);
    }

    /// Generates a random expression of at most this depth.
    fn expression(source: &mut Source, depth: i128) -> String {
        let some = |source: &mut Source, before: &str| {
            let mut elements = Vec::new();
            for _ in 0..source.integer(0, 5) {
                elements.push(format!("{before}{}", expression(source, depth - 1)));
            }
            elements.join(", ")
        };
        match source.integer(0, if depth > 0 { 7 } else { 2 }) {
            0 => source.integer(-1_000_000_000, 1_000_000_000).to_string(),
            1 => format!("{:?}", strings().max_size(40).draw(source)),
            2 => format!("{:?}", any::<char>().draw(source)),
            3 => format!("vec![{}]", some(source, "")),
            4 => format!("Name {{ {} }}", some(source, "field: ")),
            5 => format!("name({})", some(source, "")),
            6 => format!("({},)", expression(source, depth - 1)),
            _ => format!("({})", expression(source, depth - 1)),
        }
    }

    /// Returns the code without spaces between tokens and without redundant commas.
    fn essence(code: &str) -> String {
        let mut text = String::new();
        let mut at = 0;
        while at < code.len() {
            let end = next(code, at);
            let token = &code[at..end];
            let is_list = |group: Group| group.elements.len() > 1 || is_name_before(code, &group);
            if is_close(token.as_bytes()[0]) && text.ends_with(',') {
                let open = (0..at).filter(|&open| is_open(code.as_bytes()[open]));
                let groups = open.filter_map(|open| group_at(code, open));
                if groups.filter(|group| group.close == at).any(is_list) {
                    text.pop();
                }
            }
            text.push_str(token.trim());
            at = end;
        }
        text
    }

    fn is_name_before(code: &str, group: &Group) -> bool {
        group.open > 0 && is_in_name(code.as_bytes()[group.open - 1])
            || code.as_bytes()[group.open] != b'('
    }

    #[test]
    fn changes_nothing_but_spaces_and_trailing_commas() {
        let check = Check::new("wrapping").seed(3).cases(400);
        let report = check.run(|case| {
            let parts = from_fn(|source| [(); 6].map(|()| expression(source, 4)).join(", "));
            let code = format!("vec![{}]", case.draw_as("parts", parts));
            let wrapped = wrap(&code, 10, 4);
            assert_eq!(essence(&wrapped.text), essence(&code), "{}", wrapped.text);
            for piece in &wrapped.pieces {
                let found = wrapped.find(&piece.bytes);
                let [found] = found.as_slice() else { panic!("{found:?} for a piece") };
                assert_eq!(wrapped.text[found.clone()], *code[piece.bytes.clone()].trim());
            }
            let is_broken = wrapped.text.contains('\n');
            crate::label(format_args!("{}", if is_broken { "broken" } else { "whole" }));
        });
        report.assert_success();
        assert!(
            report.statistics.labels.iter().any(|label| label.name == "broken" && label.cases > 40)
        );
    }
}
