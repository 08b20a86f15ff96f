//! The JSON specification of Figure 2 of the paper: names with types.
//!
//! - `{"type": "Regex", "pat": ..}` is a regular expression, in which `$name` refers to another
//!   one.
//! - `{"type": "Str" | "Integer" | "Real" | "Boolean" | "Date" | "Day" | "Location"}` is a blank. It
//!   can have `pat`, `minLength`, `maxLength`, `minimum`, `maximum`, `values` (for an "Enum") and
//!   `items` (for a "List"). `"req": "false"` makes it optional.
//! - An object without a type has fields.
//! - A string is the name of another entry.

use super::build::At;
use super::error_at;
use super::json::{Json, JsonKind};
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::syntax::{Datum, DatumKind};

const TYPES: &[&str] = &[
    "Regex", "Str", "String", "Integer", "Long", "Real", "Number", "Boolean", "Date", "Day",
    "Location", "Enum", "List",
];

/// Translates a specification to statements.
pub(super) fn translate(json: &Json, diagnostics: &mut Vec<Diagnostic>) -> Vec<Datum> {
    let mut translation =
        Translation { statements: Vec::new(), diagnostics, known: Vec::new(), used: Vec::new() };
    if !json.is_object() {
        translation.diagnostics.push(error_at(
            json,
            "a specification is an object",
            "write {\"name\": {\"type\": \"Str\"}}",
        ));
        return Vec::new();
    }
    translation.known = json.fields().iter().map(|(name, _, _)| name.clone()).collect();
    for (name, span, entry) in json.fields() {
        translation.entry(name, *span, entry);
    }
    let roots: Vec<&(String, Span, Json)> = json
        .fields()
        .iter()
        .filter(|(name, _, entry)| {
            !translation.used.contains(name) && entry.text_of("type") != Some("Regex")
        })
        .collect();
    if let Some((_, span, _)) = roots.first() {
        let at = At(*span);
        let output = at.form("output", roots.iter().map(|(name, span, _)| At(*span).name(name)));
        let outline = at.form("generate", [at.name("all"), at.int(10), output]);
        translation.statements.push(outline);
    }
    translation.statements
}

struct Translation<'d> {
    statements: Vec<Datum>,
    diagnostics: &'d mut Vec<Diagnostic>,
    known: Vec<String>,
    /// Names that other entries refer to.
    used: Vec<String>,
}

impl Translation<'_> {
    fn entry(&mut self, name: &str, span: Span, entry: &Json) {
        let at = At(span);
        if entry.text_of("type") == Some("Regex") {
            let Some(pattern) = entry.get("pat") else {
                let error = error_at(
                    entry,
                    "this regular expression has no `pat`",
                    "write {\"type\": \"Regex\", \"pat\": \"[a-z]+\"}",
                );
                return self.diagnostics.push(error);
            };
            let regex = At(pattern.span).regex(pattern.text().unwrap_or_default());
            return self.statements.push(at.form("declare", [at.name(name), regex]));
        }
        if entry.text_of("type").is_some() || entry.text().is_some() {
            if let Some(blank) = self.blank(name, span, entry) {
                self.statements.push(at.form("declare", [at.name(name), at.blank(blank)]));
                self.limits(name, span, entry);
            }
            return;
        }
        if !entry.is_object() {
            let error = error_at(
                entry,
                format!("`{name}` is not an entry"),
                "an entry is an object, or the name of another entry",
            );
            return self.diagnostics.push(error);
        }
        self.statements.push(at.form("declare", [at.name(name), at.blank(at.name("Object"))]));
        for (field, span, value) in entry.fields() {
            self.field(name, field, *span, value);
        }
    }

    fn field(&mut self, object: &str, field: &str, span: Span, value: &Json) {
        let at = At(span);
        let path = format!("{object}.{field}");
        let blank = if value.is_object() && value.text_of("type").is_none() {
            self.entry(&path, span, value);
            Some(at.name(&path))
        } else {
            self.blank(&path, span, value)
        };
        let Some(blank) = blank else { return };
        let with = at.form("with", [at.name(field), at.blank(blank)]);
        self.statements.push(at.form("specify", [at.name(object), with]));
        self.limits(&path, span, value);
    }

    /// Returns the type of an entry.
    fn blank(&mut self, name: &str, span: Span, entry: &Json) -> Option<Datum> {
        let at = At(span);
        if let Some(other) = entry.text() {
            if self.known.iter().any(|known| known == other) {
                self.used.push(other.to_owned());
                return Some(At(entry.span).name(other));
            }
            return self.unknown_type(other, entry);
        }
        let kind = entry.text_of("type").unwrap_or_default();
        let inner = match kind {
            "Enum" => {
                let values = entry.get("values").map(Json::items).unwrap_or_default();
                let names: Vec<Datum> = values.iter().filter_map(literal).collect();
                at.form("Enum", names)
            }
            "List" => {
                let Some(items) = entry.get("items") else {
                    self.diagnostics.push(error_at(
                        entry,
                        "this list has no `items`",
                        "write \"items\": {\"type\": \"Str\"}",
                    ));
                    return None;
                };
                let element = format!("{name}-item");
                self.entry(&element, items.span, items);
                self.used.push(element.clone());
                let size =
                    |field: &str, default| entry.get(field).and_then(integer).unwrap_or(default);
                at.form(
                    "List",
                    [at.name(&element), at.int(size("minItems", 0)), at.int(size("maxItems", 5))],
                )
            }
            "Regex" | "Str" => at.name("String"),
            known if TYPES.contains(&known) => at.name(known),
            other if self.known.iter().any(|known| known == other) => {
                self.used.push(other.to_owned());
                at.name(other)
            }
            other => return self.unknown_type(other, entry),
        };
        let optional = entry.get("req").is_some_and(Json::is_false);
        Some(if optional { at.form("Option", [inner]) } else { inner })
    }

    fn unknown_type(&mut self, name: &str, entry: &Json) -> Option<Datum> {
        let known = TYPES.iter().copied().chain(self.known.iter().map(String::as_str));
        let help = nearest(name, known).map(|near| format!("did you mean `{near}`?"));
        let help = help.unwrap_or_else(|| {
            format!("types are {}, and the entries of this file", TYPES.join(", "))
        });
        self.diagnostics.push(error_at(entry, format!("unknown type `{name}`"), &help));
        None
    }

    fn limits(&mut self, name: &str, span: Span, entry: &Json) {
        let at = At(span);
        let mut assertions = Vec::new();
        if let Some(pattern) = entry.get("pat") {
            let regex = At(pattern.span).regex(pattern.text().unwrap_or_default());
            assertions.push(at.form("matches", [regex]));
        }
        for (field, word) in [
            ("minimum", "gte"),
            ("maximum", "lte"),
            ("minLength", "min-length"),
            ("maxLength", "max-length"),
        ] {
            if let Some(limit) = entry.get(field).and_then(literal) {
                assertions.push(at.form(word, [limit]));
            }
        }
        if !assertions.is_empty() {
            self.statements.push(at.form("specify", [at.name(name)].into_iter().chain(assertions)));
        }
    }
}

/// Converts a string, a Boolean or a number to data.
pub(super) fn literal(json: &Json) -> Option<Datum> {
    let at = At(json.span);
    Some(match &json.kind {
        JsonKind::Text(text) => at.text(text),
        JsonKind::Bool(value) => at.datum(DatumKind::Bool(*value)),
        JsonKind::Number(number) => match number.parse::<i128>() {
            Ok(number) => at.int(number),
            Err(_) => at.datum(DatumKind::Real(crate::number::Real::parse(number)?)),
        },
        _ => return None,
    })
}

/// Reads an integer, also from a string.
pub(super) fn integer(json: &Json) -> Option<i128> {
    match &json.kind {
        JsonKind::Number(number) => number.parse().ok(),
        JsonKind::Text(text) => text.parse().ok(),
        _ => None,
    }
}
