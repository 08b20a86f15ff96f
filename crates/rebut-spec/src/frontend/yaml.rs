//! YAML as JSON with spans.
//!
//! The events of `saphyr-parser` become the same values as those of a JSON file. Plain words are
//! interpreted by the core schema of YAML 1.2, so `no` is a string. Aliases copy the value of
//! their anchor, up to a limit.

use super::json::{Json, JsonKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::number::Real;
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::collections::HashMap;

/// The number of values of a file, copies of anchors included. Arbitrary; it stops files whose
/// aliases expand exponentially. A larger file is an error.
const SIZE_MAX: usize = 1_000_000;

/// The depth of nested values, as for JSON. Arbitrary. Deeper values are an error.
const DEPTH_MAX: usize = 100;

/// Reads the first document of a file. A syntax error is reported, and the result is null.
pub(super) fn read(file: u32, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Json {
    let offsets = ByteOffsets::new(file, text);
    let mut builder = Builder { open: Vec::new(), anchors: HashMap::new(), size: 0, root: None };
    let nothing = Json { span: Span::new(file, 0, text.len().min(1)), kind: JsonKind::Null };
    for event in Parser::new_from_str(text) {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => {
                let at = offsets.span(error.marker().index(), error.marker().index() + 1);
                let message = format!("this is not valid YAML: {}", error.info());
                diagnostics.push(Diagnostic::error(at, message));
                return nothing;
            }
        };
        let span = offsets.span(span.start.index(), span.end.index());
        if let Err(message) = builder.take(event, span) {
            diagnostics.push(Diagnostic::error(span, message));
            return nothing;
        }
        if builder.root.is_some() {
            break;
        }
    }
    builder.root.unwrap_or(nothing)
}

/// The byte offset of each character, because the parser counts characters.
struct ByteOffsets {
    file: u32,
    bytes: Vec<usize>,
}

impl ByteOffsets {
    fn new(file: u32, text: &str) -> Self {
        let bytes = text.char_indices().map(|(byte, _)| byte).chain([text.len()]).collect();
        Self { file, bytes }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        let last = self.bytes.len() - 1;
        let byte = |at: usize| self.bytes[at.min(last)];
        Span::new(self.file, byte(start), byte(end.max(start)))
    }
}

/// A list or an object that is being read.
enum Open {
    Array {
        anchor: usize,
        span: Span,
        items: Vec<Json>,
    },
    Object {
        anchor: usize,
        span: Span,
        fields: Vec<(String, Span, Json)>,
        name: Option<(String, Span)>,
    },
}

struct Builder {
    open: Vec<Open>,
    anchors: HashMap<usize, Json>,
    size: usize,
    root: Option<Json>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), String> {
        match event {
            Event::Alias(anchor) => {
                let known = self.anchors.get(&anchor).cloned();
                let json = known.ok_or("this anchor contains itself, or is unknown")?;
                self.size += size(&json);
                self.add(Json { span, ..json }, 0)
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                let kind = if is_plain { plain(&text) } else { JsonKind::Text(text.into_owned()) };
                self.add(Json { span, kind }, anchor)
            }
            Event::SequenceStart(anchor, _) => {
                self.enter(Open::Array { anchor, span, items: Vec::new() })
            }
            Event::MappingStart(anchor, _) => {
                self.enter(Open::Object { anchor, span, fields: Vec::new(), name: None })
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let (json, anchor) = match self.open.pop() {
                    Some(Open::Array { anchor, span, items }) => {
                        (Json { span, kind: JsonKind::Array(items) }, anchor)
                    }
                    Some(Open::Object { anchor, span, fields, .. }) => {
                        (Json { span, kind: JsonKind::Object(fields) }, anchor)
                    }
                    None => return Ok(()),
                };
                self.add(json, anchor)
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn enter(&mut self, open: Open) -> Result<(), String> {
        if self.open.len() >= DEPTH_MAX {
            return Err("this is nested too deep".to_owned());
        }
        self.open.push(open);
        Ok(())
    }

    /// Adds a complete value to the innermost open one.
    fn add(&mut self, json: Json, anchor: usize) -> Result<(), String> {
        self.size += 1;
        if self.size > SIZE_MAX {
            return Err("with all copies of its anchors, this file is too large".to_owned());
        }
        if anchor > 0 {
            self.anchors.insert(anchor, json.clone());
        }
        match self.open.last_mut() {
            None => self.root = Some(json),
            Some(Open::Array { items, .. }) => items.push(json),
            Some(Open::Object { fields, name, .. }) => match name.take() {
                Some((name, place)) => fields.push((name, place, json)),
                None => *name = Some((key(&json), json.span)),
            },
        }
        Ok(())
    }
}

/// The number of values in a value, itself included.
fn size(json: &Json) -> usize {
    match &json.kind {
        JsonKind::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        JsonKind::Object(fields) => {
            1 + fields.iter().map(|(_, _, value)| size(value)).sum::<usize>()
        }
        _ => 1,
    }
}

/// Converts a key to a string; it may be a number, as in `200:`.
fn key(json: &Json) -> String {
    match &json.kind {
        JsonKind::Text(text) | JsonKind::Number(text) => text.clone(),
        JsonKind::Bool(value) => value.to_string(),
        _ => "null".to_owned(),
    }
}

/// Interprets a plain word by the core schema.
fn plain(text: &str) -> JsonKind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return JsonKind::Null,
        "true" | "True" | "TRUE" => return JsonKind::Bool(true),
        "false" | "False" | "FALSE" => return JsonKind::Bool(false),
        _ => {}
    }
    let radix = |digits: &str, radix| i128::from_str_radix(digits, radix).ok();
    let whole = match text.get(..2) {
        Some("0x") => radix(&text[2..], 16),
        Some("0o") => radix(&text[2..], 8),
        _ => None,
    };
    if let Some(whole) = whole {
        return JsonKind::Number(whole.to_string());
    }
    let is_number = !text.contains('/') && Real::parse(text).is_some();
    match is_number {
        true => JsonKind::Number(text.strip_prefix('+').unwrap_or(text).to_owned()),
        false => JsonKind::Text(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut diagnostics = Vec::new();
        let json = read(0, text, &mut diagnostics);
        let said: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
        if said.is_empty() { show(&json) } else { said.join("; ") }
    }

    fn show(json: &Json) -> String {
        match &json.kind {
            JsonKind::Null => "null".to_owned(),
            JsonKind::Bool(value) => value.to_string(),
            JsonKind::Number(number) => number.clone(),
            JsonKind::Text(text) => format!("{text:?}"),
            JsonKind::Array(items) => {
                format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", "))
            }
            JsonKind::Object(fields) => {
                let fields =
                    fields.iter().map(|(name, _, value)| format!("{name}: {}", show(value)));
                format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
            }
        }
    }

    #[test]
    fn plain_words_follow_the_core_schema() {
        let text =
            "a: no\nb: 0x1F\nc: -1.5\nd: '1'\ne: [~, true, 2020-01-01]\n200: ok\nf: |\n  é\n";
        assert_eq!(
            shown(text),
            "{a: \"no\", b: 31, c: -1.5, d: \"1\", e: [null, true, \"2020-01-01\"], 200: \"ok\", f: \"é\\n\"}"
        );
    }

    #[test]
    fn spans_are_byte_offsets_of_the_file() {
        let text = "é: x\nname: value\n";
        let json = read(0, text, &mut Vec::new());
        let text_of = |span: Span| &text[span.start as usize..span.end as usize];
        let (_, name, value) = &json.fields()[1];
        assert_eq!((text_of(*name), text_of(value.span)), ("name", "value"));
    }

    #[test]
    fn aliases_copy_anchors_up_to_a_limit() {
        assert_eq!(shown("a: &x [1, 2]\nb: *x\n"), "{a: [1, 2], b: [1, 2]}");
        let mut bomb = String::from("a0: &a0 [x, x]\n");
        for at in 1..40 {
            bomb += &format!("a{at}: &a{at} [*a{0}, *a{0}]\n", at - 1);
        }
        assert_eq!(shown(&bomb), "with all copies of its anchors, this file is too large");
        assert!(shown(&"[".repeat(150)).contains("nested too deep"));
        assert!(shown("a: [1,\nb: }").contains("not valid YAML"));
    }
}
