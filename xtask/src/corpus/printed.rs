//! Reads the reports of failures from the output of `cargo test`, as a person does.
//!
//! Nothing here is shared with the code that prints reports. A report that cannot be read this way
//! is an artifact that is wrong.

use std::collections::BTreeMap;
use std::ops::Range;

/// A printed failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PrintedFailure {
    /// The name of the test in its harness.
    pub(super) name: String,
    /// The stable code, such as `R001`.
    pub(super) code: String,
    /// The file and line of the property.
    pub(super) place: String,
    /// The `let` statements, without marks and without their indentation.
    pub(super) values: String,
    /// The marked bytes of `values`.
    pub(super) marks: Vec<Range<usize>>,
    /// How it failed: the first line of that paragraph.
    pub(super) outcome: String,
    /// The lines after it.
    pub(super) message: String,
    /// `found by`, `replay`, `keep`, `test` and their values.
    pub(super) labels: BTreeMap<String, String>,
}

impl PrintedFailure {
    pub(super) fn label(&self, name: &str) -> Option<&str> {
        self.labels.get(name).map(String::as_str)
    }

    /// The file and line of a panic, if it is one.
    pub(super) fn panic_place(&self) -> Option<(&str, usize)> {
        let place = self.outcome.strip_prefix("panicked at ")?.trim_end_matches(':');
        let (place, _column) = place.rsplit_once(':')?;
        let (file, line) = place.rsplit_once(':')?;
        Some((file, line.parse().ok()?))
    }
}

/// Returns all failures in the output of a test binary.
pub(super) fn failures(output: &str) -> Vec<PrintedFailure> {
    let lines: Vec<&str> = output.lines().collect();
    let starts = (0..lines.len()).filter(|&nth| lines[nth].starts_with("error[R"));
    starts.filter_map(|start| failure(&lines[start..])).collect()
}

fn failure(lines: &[&str]) -> Option<PrintedFailure> {
    let is_end = |line: &&str| {
        line.starts_with("error[R")
            || line.starts_with("---- ")
            || line.starts_with("failures:")
            || line.starts_with("test result:")
            || line.starts_with("error: ")
    };
    let count = 1 + lines[1..].iter().take_while(|line| !is_end(line)).count();
    let lines = &lines[..count];
    let mut failure = PrintedFailure {
        code: lines[0].strip_prefix("error[")?.split(']').next()?.to_owned(),
        name: lines[0].split('`').nth(1)?.to_owned(),
        place: lines.get(1)?.trim().strip_prefix("--> ")?.to_owned(),
        ..PrintedFailure::default()
    };
    let is_paragraph = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let rest = &lines[2..];
    let values = rest.iter().take_while(|line| !is_paragraph(line)).count();
    failure.read_values(&rest[..values]);
    let rest = &rest[values..];
    failure.outcome = rest.first().map(|line| line.trim().to_owned()).unwrap_or_default();
    let message = rest.iter().skip(1).take_while(|line| !line.is_empty() && !is_paragraph(line));
    let message: Vec<&str> =
        message.map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    failure.message = message.join("\n");
    const LABELS: [&str; 7] = ["found by", "saved to", "replay", "keep", "test", "flaky", "draft"];
    for line in rest.iter().skip(1).filter(|line| is_paragraph(line)) {
        if let Some((label, text)) = line.trim().split_once(':')
            && LABELS.contains(&label)
        {
            failure.labels.insert(label.to_owned(), text.trim().to_owned());
        }
    }
    Some(failure)
}

impl PrintedFailure {
    fn read_values(&mut self, lines: &[&str]) {
        let mut last_start = 0;
        for line in lines {
            if line.is_empty() && self.values.is_empty() {
                continue;
            }
            if let Some(columns) = marked_columns(line) {
                let above = self.values[last_start..].trim_end_matches('\n').to_owned();
                let offset = |column: usize| {
                    let byte = above.char_indices().nth(column.saturating_sub(INDENT));
                    last_start + byte.map_or(above.len(), |(byte, _)| byte)
                };
                self.marks
                    .extend(columns.iter().map(|range| offset(range.start)..offset(range.end)));
                continue;
            }
            let line = line.strip_prefix("    ").unwrap_or(line);
            // Comments are notes, and not values.
            if line.starts_with("// ") {
                continue;
            }
            last_start = self.values.len();
            self.values.push_str(line);
            self.values.push('\n');
        }
        self.values.truncate(self.values.trim_end().len());
    }
}

/// The indentation of values.
const INDENT: usize = 4;

/// Returns the columns of the `^` in a line of marks.
fn marked_columns(line: &str) -> Option<Vec<Range<usize>>> {
    if !line.trim_start().starts_with('^') {
        return None;
    }
    let mut columns: Vec<Range<usize>> = Vec::new();
    for (column, c) in line.chars().enumerate() {
        match (c, columns.last_mut()) {
            ('^', Some(last)) if last.end == column => last.end += 1,
            ('^', _) => columns.push(column..column + 1),
            (' ', _) => {}
            _ => break,
        }
    }
    Some(columns)
}

/// Removes what differs between two runs of the same test, or between two ways to print a message:
/// times, the number of programs that ran within a second, addresses, the order of hash maps, and whether characters are escaped.
pub(super) fn normalized(text: &str) -> String {
    let mut normalized = String::new();
    for line in text.lines() {
        let line = match line.split_once("; finished in ") {
            Some((before, _)) => before.to_owned(),
            None if line.contains(" programs ran, ") => {
                line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).to_owned()
            }
            None => escaped(&with_sorted_braces(&without_addresses(line))),
        };
        normalized.push_str(&line);
        normalized.push('\n');
    }
    normalized
}

fn without_addresses(line: &str) -> String {
    let mut parts = line.split("0x");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str("0x_");
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    text
}

/// Sorts what is inside of each pair of braces: a hash map is printed in any order.
fn with_sorted_braces(line: &str) -> String {
    let mut open: Vec<Vec<String>> = vec![vec![String::new()]];
    let push = |open: &mut Vec<Vec<String>>, text: &str| {
        if let Some(last) = open.last_mut().and_then(|parts| parts.last_mut()) {
            last.push_str(text);
        }
    };
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        match c {
            '{' => {
                push(&mut open, "{");
                open.push(vec![String::new()]);
            }
            '}' if open.len() > 1 => {
                let closed = sorted(open.pop().unwrap_or_default());
                push(&mut open, &closed);
                push(&mut open, "}");
            }
            ',' if open.len() > 1 && rest.starts_with(", ") => {
                open.last_mut().into_iter().for_each(|parts| parts.push(String::new()));
                rest = &rest[1..];
            }
            _ => push(&mut open, c.encode_utf8(&mut [0; 4])),
        }
        rest = &rest[rest.chars().next().map_or(0, char::len_utf8)..];
    }
    while open.len() > 1 {
        let unclosed = open.pop().unwrap_or_default().join(", ");
        push(&mut open, &unclosed);
    }
    open.concat().concat()
}

fn sorted(mut parts: Vec<String>) -> String {
    // Structs have a space inside of their braces.
    let trimmed = parts.iter_mut().map(|part| part.trim().to_owned());
    let mut parts: Vec<String> = trimmed.collect();
    parts.sort();
    parts.join(", ")
}

/// Escapes characters as reports do, where a message may not.
fn escaped(line: &str) -> String {
    let mut text = String::new();
    for c in line.chars() {
        match c == '\t' || (c.is_ascii() && !c.is_control()) {
            true => text.push(c),
            false => text.extend(c.escape_unicode()),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_cannot_be_seen_are_compared_as_escapes() {
        assert_eq!(normalized("a\u{80}\tb\u{200B}"), "a\\u{80}\tb\\u{200b}\n");
        assert_eq!(normalized("at 0x7ff"), "at 0x_\n");
    }

    const OUTPUT: &str = "\
running 1 test
---- second stdout ----
error[R001]: `second` failed (failure 1 of 2)
  --> tests/corpus.rs:8:8

    let s: &str = \"a\";
    let (c, d): (i8, char) = (0, 'a');
                              ^  ^^^ other values tried here fail too
    // before shrinking: s = \"ab\", c = (1, 'b')

  panicked at src/lib.rs:8:87:
    bad
    
    news

  found by: random testing, case 13, seed 4; shrunk in 3 runs
  replay:   REBUT_REPLAY=r1.AsI cargo test -p t1 --lib second -- --exact
  keep:     #[example(\"a\", (0, 'a'))]


failures:
    second
";

    #[test]
    fn a_report_is_read_as_printed() {
        let [failure] = &failures(OUTPUT)[..] else { panic!("one failure") };
        assert_eq!((failure.name.as_str(), failure.code.as_str()), ("second", "R001"));
        assert_eq!(failure.values, "let s: &str = \"a\";\nlet (c, d): (i8, char) = (0, 'a');");
        let marked: Vec<&str> =
            failure.marks.iter().map(|mark| &failure.values[mark.clone()]).collect();
        assert_eq!(marked, ["0", "'a'"]);
        assert_eq!(failure.message, "bad\n\nnews");
        assert_eq!(failure.panic_place(), Some(("src/lib.rs", 8)));
        assert_eq!(failure.label("keep"), Some("#[example(\"a\", (0, 'a'))]"));
        assert_eq!(failure.label("test"), None);
    }

    #[test]
    fn times_and_addresses_are_not_compared() {
        let one = "ok; finished in 0.18s\nat 0x7ffe12\n";
        assert_eq!(normalized(one), "ok\nat 0x_\n");
        assert_eq!(normalized(one), normalized("ok; finished in 3s\nat 0x99\n"));
        assert_eq!(normalized("  12 programs ran, and"), normalized("  9 programs ran, and"));
        assert_ne!(normalized("a 1"), normalized("a 2"));
        assert_eq!(normalized("x {b: {2, 1}, a: 1} {"), normalized("x {a: 1, b: {1, 2}} {"));
        assert_ne!(normalized("{a: 1, b: 2}"), normalized("{a: 2, b: 1}"));
        assert_ne!(normalized("[1, 2]"), normalized("[2, 1]"));
        assert_eq!(normalized("a \\u{80}"), normalized("a \u{80}"));
    }
}
