//! A lenient JSON reader with spans.
//!
//! It accepts JSON as people write it: commas and the outermost braces may be missing, `//` starts
//! a comment, and unknown escapes are kept, so that a pattern may contain `\d`. That, and the
//! spans, is why it does not use `serde_json`.

use crate::diagnostic::{Diagnostic, Span};

/// A value and its span.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Json {
    pub(super) span: Span,
    pub(super) kind: JsonKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum JsonKind {
    Null,
    Bool(bool),
    /// As the file writes it.
    Number(String),
    Text(String),
    Array(Vec<Json>),
    /// Names with their spans, in the order of the file.
    Object(Vec<(String, Span, Json)>),
}

impl Json {
    pub(super) fn fields(&self) -> &[(String, Span, Json)] {
        match &self.kind {
            JsonKind::Object(fields) => fields,
            _ => &[],
        }
    }

    pub(super) fn items(&self) -> &[Json] {
        match &self.kind {
            JsonKind::Array(items) => items,
            _ => &[],
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Json> {
        self.fields().iter().find(|(field, _, _)| field == name).map(|(_, _, value)| value)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            JsonKind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn text_of(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    /// Whether this is `true` or the string "true".
    pub(super) fn is_true(&self) -> bool {
        self.kind == JsonKind::Bool(true) || self.text() == Some("true")
    }

    /// Whether this is `false` or the string "false".
    pub(super) fn is_false(&self) -> bool {
        self.kind == JsonKind::Bool(false) || self.text() == Some("false")
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self.kind, JsonKind::Object(_))
    }
}

/// The depth of nested values. Arbitrary; deep enough for schemas, and small enough for the
/// stack. Deeper values are an error.
const DEPTH_MAX: usize = 100;

/// Reads a file. Syntax errors are reported, and the broken parts are left out.
pub(super) fn read(file: u32, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Json {
    let mut reader = Reader { file, text, at: 0, depth: 0, diagnostics };
    reader.skip();
    let start = reader.at;
    if reader.peek() == Some('"') {
        // Without outermost braces.
        let fields = reader.fields(None);
        return Json { span: reader.span(start), kind: JsonKind::Object(fields) };
    }
    let json = reader.value();
    reader.skip();
    if reader.peek().is_some() {
        let at = reader.at;
        reader.error(at, at + 1, "this is more than one value", "remove what follows the first");
    }
    json.unwrap_or(Json { span: Span::new(file, 0, text.len().min(1)), kind: JsonKind::Null })
}

struct Reader<'a, 'd> {
    file: u32,
    text: &'a str,
    at: usize,
    depth: usize,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Reader<'_, '_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn error(&mut self, start: usize, end: usize, message: &str, help: &str) {
        let span = Span::new(self.file, start, end.min(self.text.len()));
        self.diagnostics.push(Diagnostic::error(span, message).help(help));
    }

    fn skip(&mut self) {
        loop {
            let trimmed = self.rest().trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            self.at = self.text.len() - trimmed.len();
            if !self.rest().starts_with("//") {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn value(&mut self) -> Option<Json> {
        self.skip();
        let start = self.at;
        let kind = match self.peek()? {
            '{' | '[' if self.depth >= DEPTH_MAX => {
                self.error(
                    start,
                    start + 1,
                    "this is nested too deep",
                    "give inner parts names of their own",
                );
                self.at = self.text.len();
                return None;
            }
            '{' => {
                self.at += 1;
                self.depth += 1;
                let fields = self.fields(Some(start));
                self.depth -= 1;
                JsonKind::Object(fields)
            }
            '[' => {
                self.at += 1;
                self.depth += 1;
                let items = self.array(start);
                self.depth -= 1;
                JsonKind::Array(items)
            }
            '"' => JsonKind::Text(self.string()),
            _ => self.word(),
        };
        Some(Json { span: self.span(start), kind })
    }

    fn fields(&mut self, open: Option<usize>) -> Vec<(String, Span, Json)> {
        let mut fields: Vec<(String, Span, Json)> = Vec::new();
        loop {
            self.skip();
            let start = self.at;
            match (self.peek(), open) {
                (Some('}'), Some(_)) => {
                    self.at += 1;
                    return fields;
                }
                (None, Some(open)) => {
                    self.error(open, open + 1, "this object never ends", "close it with `}`");
                    return fields;
                }
                (None, None) => return fields,
                (Some('"'), _) => {
                    let name = self.string();
                    let span = self.span(start);
                    self.skip();
                    if self.peek() == Some(':') {
                        self.at += 1;
                    } else {
                        self.error(
                            start,
                            self.at,
                            "this name has no value",
                            "write `\"name\": value`",
                        );
                        continue;
                    }
                    if let Some(value) = self.value() {
                        fields.push((name, span, value));
                    }
                }
                (Some(other), _) => {
                    let end = start + other.len_utf8();
                    self.error(
                        start,
                        end,
                        "expected a name in double quotes",
                        "write `\"name\": value`",
                    );
                    self.at = end;
                }
            }
        }
    }

    fn array(&mut self, open: usize) -> Vec<Json> {
        let mut items = Vec::new();
        loop {
            self.skip();
            match self.peek() {
                Some(']') => {
                    self.at += 1;
                    return items;
                }
                Some('}') | None => {
                    self.error(open, open + 1, "this list never ends", "close it with `]`");
                    return items;
                }
                Some(_) => items.extend(self.value()),
            }
        }
    }

    fn string(&mut self) -> String {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.text[start + 1..].char_indices();
        while let Some((offset, next)) = chars.next() {
            match next {
                '"' => {
                    self.at = start + 1 + offset + 1;
                    return text;
                }
                '\\' => match chars.next().map(|(_, escaped)| escaped) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('b') => text.push('\u{8}'),
                    Some('f') => text.push('\u{c}'),
                    Some(plain @ ('"' | '\\' | '/')) => text.push(plain),
                    Some('u') => {
                        let digits: String =
                            chars.by_ref().take(4).map(|(_, digit)| digit).collect();
                        let character =
                            u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                        text.push(character.unwrap_or('\u{fffd}'));
                    }
                    Some(other) => text.extend(['\\', other]),
                    None => break,
                },
                other => text.push(other),
            }
        }
        self.error(start, start + 1, "this string never ends", "close it with `\"`");
        self.at = self.text.len();
        text
    }

    fn word(&mut self) -> JsonKind {
        let start = self.at;
        let ends =
            |c: char| c.is_whitespace() || matches!(c, ',' | '}' | ']' | ':' | '"' | '{' | '[');
        let length = self.rest().find(ends).unwrap_or(self.rest().len());
        self.at += length.max(self.peek().map_or(0, char::len_utf8));
        let word = &self.text[start..self.at];
        match word {
            "null" => JsonKind::Null,
            "true" => JsonKind::Bool(true),
            "false" => JsonKind::Bool(false),
            _ if crate::number::Real::parse(word).is_some() => JsonKind::Number(word.to_owned()),
            _ => {
                let (end, message) = (self.at, format!("`{word}` is not a value"));
                self.error(
                    start,
                    end,
                    &message,
                    "values are strings, numbers, true, false, null, {..} and [..]",
                );
                JsonKind::Null
            }
        }
    }
}
