//! Parses the part of TOML that `rebut.toml` needs.
//!
//! It supports comments, tables with bare or quoted names, and `key = value` where the value is a
//! string, an integer or a boolean. All of these fit on one line, so the parser reads line by
//! line. It reports all other syntax of TOML as unsupported and never misreads it.
//!
//! A crate for TOML is an alternative, but every user of Rebut would have to build it, for a file
//! that most of them do not have.

use std::collections::BTreeSet;
use std::fmt;

use crate::strings;

/// A file, as a list of tables. The first table has the keys before any header.
#[derive(Debug, PartialEq)]
pub(super) struct Document {
    pub(super) tables: Vec<Table>,
}

/// A header and the keys below it.
#[derive(Debug, PartialEq)]
pub(super) struct Table {
    /// The parts of the name between dots.
    pub(super) name: Vec<String>,
    pub(super) at: Position,
    pub(super) entries: Vec<Entry>,
}

#[derive(Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) key_at: Position,
    pub(super) value: Value,
    pub(super) value_at: Position,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Integer(i128),
    Boolean(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Integer(number) => number.fmt(f),
            Value::Boolean(truth) => truth.fmt(f),
        }
    }
}

/// A position in the file, starting at 1. Columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// An error and its position.
#[derive(Debug, PartialEq)]
pub(super) struct TomlError {
    pub(super) at: Position,
    pub(super) message: String,
}

/// Parses a file.
#[inline(never)]
pub(super) fn parse(text: &str) -> Result<Document, TomlError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let start = Position { line: 1, column: 1 };
    let mut tables = vec![Table { name: Vec::new(), at: start, entries: Vec::new() }];
    // The names so far, and the keys of the last table.
    let (mut names, mut keys) = (BTreeSet::new(), BTreeSet::new());
    for (index, line) in strings::lines(text).into_iter().enumerate() {
        let mut line = Line::new(line, index + 1);
        match line.read()? {
            Item::Nothing => {}
            Item::Header(table) => {
                if !names.insert(table.name.clone()) {
                    let message =
                        format!("duplicate table `[{}]`", strings::joined(&table.name, "."));
                    return Err(TomlError { at: table.at, message });
                }
                keys.clear();
                tables.push(table);
            }
            Item::Entry(entry) => {
                if !keys.insert(entry.key.clone()) {
                    let message = format!("duplicate key `{}`", entry.key);
                    return Err(TomlError { at: entry.key_at, message });
                }
                if let Some(table) = tables.last_mut() {
                    table.entries.push(entry);
                }
            }
        }
    }
    Ok(Document { tables })
}

enum Item {
    Nothing,
    Header(Table),
    Entry(Entry),
}

struct Line<'a> {
    rest: &'a str,
    position: Position,
}

impl<'a> Line<'a> {
    fn new(text: &'a str, line: usize) -> Line<'a> {
        Line { rest: text, position: Position { line, column: 1 } }
    }

    #[inline(never)]
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    #[inline(never)]
    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.rest = &self.rest[next.len_utf8()..];
        self.position.column += 1;
        Some(next)
    }

    fn eat(&mut self, expected: char) -> bool {
        let is_there = self.peek() == Some(expected);
        if is_there {
            self.next();
        }
        is_there
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.next();
        }
    }

    fn take_while(&mut self, is_part: &dyn Fn(char) -> bool) -> &'a str {
        let rest = self.rest;
        while self.peek().is_some_and(is_part) {
            self.next();
        }
        &rest[..rest.len() - self.rest.len()]
    }

    fn wrong<T>(&self, message: &str) -> Result<T, TomlError> {
        Err(TomlError { at: self.position, message: message.to_owned() })
    }

    fn unsupported<T>(&self, what: &str) -> Result<T, TomlError> {
        self.wrong(&format!(
            "{what} are not supported here; expected a string, an integer or a boolean"
        ))
    }

    fn read(&mut self) -> Result<Item, TomlError> {
        self.skip_blanks();
        let at = self.position;
        let item = match self.peek() {
            None | Some('#') => Item::Nothing,
            Some('[') => Item::Header(Table { name: self.header()?, at, entries: Vec::new() }),
            Some(_) => Item::Entry(self.entry()?),
        };
        self.skip_blanks();
        match self.peek() {
            None | Some('#') => Ok(item),
            Some(c) => self.wrong(&format!("expected the end of the line, found `{c}`")),
        }
    }

    fn header(&mut self) -> Result<Vec<String>, TomlError> {
        self.next();
        if self.peek() == Some('[') {
            return self.wrong(
                "arrays of tables are not supported here; \
                 write `[profile.NAME]` or `[test.\"PATH\"]`",
            );
        }
        let mut name = Vec::new();
        loop {
            self.skip_blanks();
            name.push(self.name("the name of a table")?);
            self.skip_blanks();
            if self.eat(']') {
                return Ok(name);
            }
            if !self.eat('.') {
                return self.wrong("expected `.` or `]`; quote names with other characters");
            }
        }
    }

    fn entry(&mut self) -> Result<Entry, TomlError> {
        let key_at = self.position;
        let key = self.name("`key = value`, `[table]` or a comment")?;
        self.skip_blanks();
        if self.peek() == Some('.') {
            return self
                .wrong("dotted keys are not supported here; write the table as `[profile.NAME]`");
        }
        if !self.eat('=') {
            return self.wrong(&format!("expected `=` after `{key}`"));
        }
        self.skip_blanks();
        let value_at = self.position;
        let value = self.value()?;
        Ok(Entry { key, key_at, value, value_at })
    }

    fn name(&mut self, expected: &str) -> Result<String, TomlError> {
        match self.peek() {
            Some('"') => self.basic_text(),
            Some('\'') => self.literal_text(),
            _ => {
                let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
                let name = self.take_while(&is_bare);
                if !name.is_empty() {
                    return Ok(name.to_owned());
                }
                match self.peek() {
                    Some(c) => self.wrong(&format!("expected {expected}, found `{c}`")),
                    None => self.wrong(&format!("expected {expected}")),
                }
            }
        }
    }

    fn value(&mut self) -> Result<Value, TomlError> {
        match self.peek() {
            Some('"') => self.basic_text().map(Value::Text),
            Some('\'') => self.literal_text().map(Value::Text),
            Some('[') => self.unsupported("arrays"),
            Some('{') => self.unsupported("inline tables"),
            None | Some('#') => self.wrong("expected a value: a string, an integer or a boolean"),
            Some(_) => self.bare_value(),
        }
    }

    #[inline(never)]
    fn bare_value(&mut self) -> Result<Value, TomlError> {
        let start = self.position;
        let word = self.take_while(&|c| !matches!(c, ' ' | '\t' | '#' | ',' | ']' | '}'));
        let at_start = Line { rest: "", position: start };
        match word {
            "true" => return Ok(Value::Boolean(true)),
            "false" => return Ok(Value::Boolean(false)),
            "inf" | "+inf" | "-inf" | "nan" | "+nan" | "-nan" => {
                return at_start.unsupported("floats");
            }
            _ => {}
        }
        if let Some(number) = integer(word) {
            return Ok(Value::Integer(number));
        }
        let has_digit = word.bytes().any(|b| b.is_ascii_digit());
        let is_number = matches!(word.as_bytes().first(), Some(b'0'..=b'9' | b'+' | b'-'));
        if is_number && has_digit && strings::replaced(word, "_", "").parse::<f64>().is_ok() {
            return at_start.unsupported("floats");
        }
        let hyphens = strings::split(word, "-").len() - 1;
        if is_number && (hyphens == 2 || strings::find(word, ":").is_some()) {
            return at_start.unsupported("dates and times");
        }
        if is_number {
            return at_start
                .wrong(&format!("`{word}` is not an integer; quote it if it has a unit"));
        }
        at_start.wrong(&format!("invalid value `{word}`; write strings in quotes"))
    }

    fn literal_text(&mut self) -> Result<String, TomlError> {
        self.next();
        let text = self.take_while(&|c| c != '\'');
        if !self.eat('\'') {
            return self.wrong("expected `'` at the end of the string");
        }
        if text.is_empty() && self.peek() == Some('\'') {
            return self.unsupported("multi-line strings");
        }
        Ok(text.to_owned())
    }

    fn basic_text(&mut self) -> Result<String, TomlError> {
        self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') => break,
                Some('\\') => {
                    let escaped = self.escape()?;
                    strings::push(&mut text, escaped);
                }
                Some(c) => strings::push(&mut text, c),
                None => return self.wrong("expected `\"` at the end of the string"),
            }
        }
        if text.is_empty() && self.peek() == Some('"') {
            return self.unsupported("multi-line strings");
        }
        Ok(text)
    }

    fn escape(&mut self) -> Result<char, TomlError> {
        let at = self.position;
        let digits = match self.next() {
            Some('"') => return Ok('"'),
            Some('\\') => return Ok('\\'),
            Some('b') => return Ok('\u{8}'),
            Some('f') => return Ok('\u{C}'),
            Some('n') => return Ok('\n'),
            Some('r') => return Ok('\r'),
            Some('t') => return Ok('\t'),
            Some('u') => 4,
            Some('U') => 8,
            _ => {
                let message = "invalid escape; in '..' strings, backslashes are literal".to_owned();
                return Err(TomlError { at, message });
            }
        };
        let code =
            self.rest.get(..digits).filter(|code| code.bytes().all(|b| b.is_ascii_hexdigit()));
        match code.and_then(strings::character) {
            Some(c) => {
                self.rest = &self.rest[digits..];
                self.position.column += digits;
                Ok(c)
            }
            None => Err(TomlError {
                at,
                message: format!("expected {digits} hexadecimal digits of a character"),
            }),
        }
    }
}

/// Parses an integer of TOML: a sign, digits with `_` between them, 0x, 0o and 0b.
#[inline(never)]
fn integer(word: &str) -> Option<i128> {
    let (radix, digits) = match word.get(..2) {
        Some("0x") => (16, &word[2..]),
        Some("0o") => (8, &word[2..]),
        Some("0b") => (2, &word[2..]),
        _ => (10, word),
    };
    let is_signed = radix == 10 && matches!(digits.as_bytes().first(), Some(b'+' | b'-'));
    for part in strings::split(&digits[usize::from(is_signed)..], "_") {
        if part.is_empty() || !part.bytes().all(|b| char::from(b).is_digit(radix)) {
            return None;
        }
    }
    strings::integer(&strings::replaced(digits, "_", ""), radix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_value(text: &str, expected: Value) {
        let document = parse(&format!("key = {text}")).expect("valid");
        assert_eq!(document.tables[0].entries[0].value, expected, "{text}");
    }

    fn check_wrong(text: &str, expected: &str) {
        let wrong = parse(text).expect_err("not valid");
        assert_eq!(format!("{}: {}", wrong.at, wrong.message), expected);
    }

    #[test]
    fn values_are_read() {
        check_value("1_000 # a comment", Value::Integer(1000));
        check_value("-5", Value::Integer(-5));
        check_value("0xFF", Value::Integer(255));
        check_value("18446744073709551615", Value::Integer(u64::MAX.into()));
        check_value("true", Value::Boolean(true));
        check_value(r##""a # \"b\"\t\u00e9""##, Value::Text("a # \"b\"\té".into()));
        check_value(r"'C:\x'", Value::Text(r"C:\x".into()));
        check_value("\"\"", Value::Text(String::new()));
    }

    #[test]
    fn tables_are_read() {
        let text = "a = 1\r\n\n[profile.ci]\n[ test . \"a::b*\" ] # here\n\tb-c = 'x'\n";
        let document = parse(text).expect("valid");
        let names: Vec<String> = document.tables.iter().map(|t| t.name.join("/")).collect();
        assert_eq!(names, ["", "profile/ci", "test/a::b*"]);
        assert_eq!(document.tables[2].entries[0].key, "b-c");
        assert_eq!(document.tables[2].entries[0].value_at, Position { line: 5, column: 8 });
    }

    #[test]
    fn errors_have_a_position() {
        check_wrong("cases 5", "1:7: expected `=` after `cases`");
        check_wrong("\n  = 5", "2:3: expected `key = value`, `[table]` or a comment, found `=`");
        check_wrong("a =", "1:4: expected a value: a string, an integer or a boolean");
        check_wrong("a = 1 2", "1:7: expected the end of the line, found `2`");
        check_wrong("a = \"x", "1:7: expected `\"` at the end of the string");
        check_wrong("a = ms", "1:5: invalid value `ms`; write strings in quotes");
        check_wrong("a = 5ms", "1:5: `5ms` is not an integer; quote it if it has a unit");
        check_wrong("a = \"\\q\"", "1:7: invalid escape; in '..' strings, backslashes are literal");
        check_wrong("a = 1\na = 2", "2:1: duplicate key `a`");
        check_wrong("[x]\n[x]", "2:1: duplicate table `[x]`");
        check_wrong("[a:b]", "1:3: expected `.` or `]`; quote names with other characters");
        check_wrong("[a", "1:3: expected `.` or `]`; quote names with other characters");
    }

    #[test]
    fn unsupported_toml_is_named() {
        let tail = "are not supported here; expected a string, an integer or a boolean";
        check_wrong("a = [1, 2]", &format!("1:5: arrays {tail}"));
        check_wrong("a = { b = 1 }", &format!("1:5: inline tables {tail}"));
        check_wrong("a = 1.5", &format!("1:5: floats {tail}"));
        check_wrong("a = 1e6", &format!("1:5: floats {tail}"));
        check_wrong("a = nan", &format!("1:5: floats {tail}"));
        check_wrong("a = 1979-05-27", &format!("1:5: dates and times {tail}"));
        check_wrong("a = \"\"\"x", &format!("1:7: multi-line strings {tail}"));
        let message = "arrays of tables are not supported here; \
                       write `[profile.NAME]` or `[test.\"PATH\"]`";
        check_wrong("[[a]]", &format!("1:2: {message}"));
        let message = "dotted keys are not supported here; write the table as `[profile.NAME]`";
        check_wrong("a.b = 1", &format!("1:2: {message}"));
    }

    #[test]
    fn no_file_makes_it_panic() {
        let parts = ["a", "=", "[", "]", "\"", "'", "\\", "u", "1", "_", "-", ".", "#", "\n", "é"];
        let mut random = rebut_choice::Rng::new(1);
        for _ in 0..20_000 {
            let text: String = (0..12).filter_map(|_| random.pick(&parts).copied()).collect();
            let _ = parse(&text);
        }
    }
}
