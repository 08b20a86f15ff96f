//! JSON Schema (2020-12, and the dialect of OpenAPI 3.0).
//!
//! Each schema becomes a named blank, and its keywords become assertions about that blank. A
//! schema that refers to another one contains a copy of it; a recursive schema is copied to a
//! limited depth. A choice between types or objects is an `Either` (`choice.rs`).
//!
//! Invariant: no keyword is ignored silently. One that cannot be translated is an error, an
//! unknown one a warning. So every generated value is valid; not every valid value is generated.

mod assertions;
mod choice;
mod keywords;

use super::build::At;
use super::error_at;
use super::json::{Json, JsonKind};
use super::simple::{integer, literal};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::Datum;
use keywords::start_of;

/// The bound of integers without a `minimum` or `maximum`: 2^53, up to which every JSON reader is
/// exact (RFC 8259, section 6).
const WHOLE_MAX: i128 = 1 << 53;

/// The length of arrays without `maxItems`. Arbitrary. Longer arrays are not generated.
const ITEMS_MAX: i128 = 4;

/// The number of copies of a recursive schema within itself. Arbitrary. Deeper values are not
/// generated.
const COPIES_MAX: usize = 2;

/// The number of references in `allOf` that are followed one after the other. Arbitrary. Further
/// parts are ignored, which is harmless for a schema that refers to itself: its parts repeat.
const PARTS_MAX: usize = 30;

/// The names of generated fields for `additionalProperties` with a schema.
const EXTRA: [&str; 2] = ["extra", "other"];

/// Translates a schema to statements.
pub(super) fn translate(json: &Json, diagnostics: &mut Vec<Diagnostic>) -> Vec<Datum> {
    let mut schemas = Schemas::new(json, diagnostics);
    let name = json.text_of("title").map_or_else(|| "value".to_owned(), identifier);
    schemas.declare_whole(&name, json);
    let at = At(Span { end: json.span.start + 1, ..json.span });
    let output = at.form("output", [at.name(&name)]);
    let mut statements = schemas.statements;
    statements.push(at.form("generate", [at.name("all"), at.int(10), output]));
    statements
}

/// Converts a title or a path to a name of the language.
pub(super) fn identifier(text: &str) -> String {
    let name: String =
        text.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let name = name.trim_matches('-').to_owned();
    if name.is_empty() { "value".to_owned() } else { name }
}

/// Translates the schemas of a file.
pub(super) struct Schemas<'j, 'd> {
    root: &'j Json,
    pub(super) statements: Vec<Datum>,
    pub(super) diagnostics: &'d mut Vec<Diagnostic>,
    /// References that were declared, with their depth within themselves and their names.
    declared: Vec<(String, usize, String)>,
    /// References that are being declared.
    open: Vec<String>,
    /// The names used so far.
    names: Vec<String>,
    /// The number of alternatives of all choices so far.
    alternatives: usize,
}

impl<'j, 'd> Schemas<'j, 'd> {
    pub(super) fn new(root: &'j Json, diagnostics: &'d mut Vec<Diagnostic>) -> Self {
        Self {
            root,
            statements: Vec::new(),
            diagnostics,
            declared: Vec::new(),
            open: Vec::new(),
            names: Vec::new(),
            alternatives: 0,
        }
    }

    /// Declares a schema under a name. A schema without a finite value is an error.
    pub(super) fn declare_whole(&mut self, name: &str, schema: &Json) {
        if self.declare(name, schema) {
            return;
        }
        let message = "no value is finite: this schema always contains itself";
        let help = "leave the inner one out of `required`, or allow an empty array or null";
        self.diagnostics.push(Diagnostic::error(start_of(schema), message).help(help));
        let at = At(start_of(schema));
        self.statements.push(at.form("declare", [at.name(name), at.blank(at.name("String"))]));
    }

    /// Declares a schema under a name. Returns `false`, and declares nothing, if the schema has no
    /// value within the remaining depth.
    pub(super) fn declare(&mut self, name: &str, schema: &Json) -> bool {
        let before = (self.statements.len(), self.open.len());
        self.open.extend(self.references_in(schema));
        let too_deep = self.open[before.1..]
            .iter()
            .any(|own| self.open.iter().filter(|open| *open == own).count() > COPIES_MAX + 1);
        let is_declared = !too_deep && self.declare_parts(name, schema);
        self.open.truncate(before.1);
        if !is_declared {
            self.statements.truncate(before.0);
        }
        is_declared
    }

    fn declare_parts(&mut self, name: &str, schema: &Json) -> bool {
        let at = At(start_of(schema));
        self.report_keywords(schema);
        if let Some(choice) = self.choice(schema) {
            let Some(blank) = self.either(name, schema, choice) else { return false };
            self.statements.push(at.form("declare", [at.name(name), at.blank(blank)]));
            return true;
        }
        let Some(blank) = self.blank(name, schema) else { return false };
        self.statements.push(at.form("declare", [at.name(name), at.blank(blank)]));
        let assertions = self.assertions(schema);
        if !assertions.is_empty() {
            self.statements.push(at.form("specify", [at.name(name)].into_iter().chain(assertions)));
        }
        self.fields(name, schema)
    }

    /// The references in the `allOf` of a schema.
    fn references_in(&self, schema: &Json) -> Vec<String> {
        let all = schema.get("allOf").map(Json::items).unwrap_or_default();
        all.iter().filter_map(|part| part.text_of("$ref")).map(str::to_owned).collect()
    }

    /// The schema and, recursively, those of its `allOf`, with references resolved.
    fn parts(&self, schema: &Json) -> Vec<Json> {
        let mut parts = Vec::new();
        self.parts_within(schema, PARTS_MAX, &mut parts);
        parts
    }

    fn parts_within(&self, schema: &Json, depth: usize, parts: &mut Vec<Json>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        parts.push(schema.without("allOf"));
        for part in schema.get("allOf").map(Json::items).unwrap_or_default() {
            let target = part.text_of("$ref").and_then(|reference| self.find(reference));
            self.parts_within(target.unwrap_or(part), depth, parts);
        }
    }

    fn find(&self, reference: &str) -> Option<&'j Json> {
        let path = reference.strip_prefix('#')?;
        path.split('/').filter(|step| !step.is_empty()).try_fold(self.root, |json, step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            match &json.kind {
                JsonKind::Array(items) => items.get(step.parse::<usize>().ok()?),
                _ => json.get(&step),
            }
        })
    }

    fn get(&self, schema: &Json, word: &str) -> Option<Json> {
        self.parts(schema).into_iter().find_map(|part| part.get(word).cloned())
    }

    /// Returns the type of the blank for a schema, and declares the schemas in it. Returns `None`
    /// if there is no value within the remaining depth.
    fn blank(&mut self, name: &str, schema: &Json) -> Option<Datum> {
        let at = At(start_of(schema));
        if schema.is_false() {
            return None;
        }
        if let Some(reference) = schema.text_of("$ref") {
            return self.reference(reference, schema);
        }
        if let Some(values) = self.values(schema) {
            return self.enumeration(&values, schema);
        }
        let types = self.types(schema);
        let Some(kind) = types.first() else { return Some(anything(at)) };
        Some(match kind.as_str() {
            "string" => match self.get(schema, "format").as_ref().and_then(Json::text) {
                Some("date-time") => at.name("Date"),
                Some("date") => at.name("Day"),
                _ => at.name("String"),
            },
            "integer" => {
                let max = match self.get(schema, "format").as_ref().and_then(Json::text) {
                    Some("int32") => i128::from(i32::MAX),
                    _ => WHOLE_MAX,
                };
                at.form("Integer", [at.int(-max), at.int(max)])
            }
            "number" => at.name("Real"),
            "boolean" => at.name("Boolean"),
            "null" => at.name("Null"),
            "object" => at.name("Object"),
            "array" => self.array(name, schema)?,
            other => {
                let error = error_at(
                    schema,
                    format!("unknown type `{other}`"),
                    "types are string, integer, number, boolean, object, array and null",
                );
                self.diagnostics.push(error);
                at.name("String")
            }
        })
    }

    /// The values of `enum` or `const` that `type` allows.
    fn values(&self, schema: &Json) -> Option<Vec<Json>> {
        let listed = self.get(schema, "enum").map(|values| values.items().to_vec());
        let values = listed.or_else(|| self.get(schema, "const").map(|value| vec![value]))?;
        let types = self.types(schema);
        let fits = |value: &Json| types.is_empty() || types.iter().any(|kind| value.is_of(kind));
        Some(values.into_iter().filter(fits).collect())
    }

    fn enumeration(&mut self, values: &[Json], schema: &Json) -> Option<Datum> {
        let at = At(start_of(schema));
        let mut names = Vec::new();
        for value in values {
            match literal(value) {
                Some(name) => names.push(name),
                None if value.kind == JsonKind::Null => names.push(at.blank(at.name("Null"))),
                None => {
                    let message = "objects and arrays in an `enum` are not supported";
                    let help = "write a schema for each of them, with `const` for its fields";
                    self.diagnostics.push(Diagnostic::error(start_of(value), message).help(help));
                }
            }
        }
        (!names.is_empty()).then(|| at.form("Enum", names))
    }

    fn reference(&mut self, reference: &str, schema: &Json) -> Option<Datum> {
        let at = At(start_of(schema));
        let depth = self.open.iter().filter(|open| *open == reference).count();
        let known = self.declared.iter().find(|known| known.0 == reference && known.1 == depth);
        if let Some((_, _, name)) = known {
            return Some(at.name(name));
        }
        let Some(target) = self.find(reference) else {
            let message = format!("`{reference}` is not in this file");
            self.diagnostics.push(
                Diagnostic::error(start_of(schema), message).help("references start with `#/`"),
            );
            return Some(at.name("String"));
        };
        if depth > COPIES_MAX {
            return None;
        }
        let name = self.fresh(&identifier(reference.rsplit('/').next().unwrap_or(reference)));
        self.open.push(reference.to_owned());
        let is_declared = self.declare(&name, target);
        self.open.pop();
        if !is_declared {
            return None;
        }
        self.declared.push((reference.to_owned(), depth, name.clone()));
        Some(at.name(&name))
    }

    /// Returns an unused name.
    fn fresh(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let fresh = names.find(|name| !self.names.contains(name)).unwrap_or_default();
        self.names.push(fresh.clone());
        fresh
    }

    fn array(&mut self, name: &str, schema: &Json) -> Option<Datum> {
        let at = At(start_of(schema));
        let size = |word: &str| self.get(schema, word).as_ref().and_then(integer);
        let min = size("minItems").unwrap_or(0);
        let max = size("maxItems").unwrap_or(ITEMS_MAX.max(min));
        let element = self.fresh(&format!("{name}-item"));
        let is_declared = match self.get(schema, "items") {
            Some(items) => self.declare(&element, &items),
            None => {
                let declaration = [at.name(&element), at.blank(anything(at))];
                self.statements.push(at.form("declare", declaration));
                true
            }
        };
        if is_declared {
            return Some(at.form("List", [at.name(&element), at.int(min), at.int(max)]));
        }
        // No item has a value, but the empty array does.
        (min == 0).then(|| at.form("List", [at.name("Boolean"), at.int(0), at.int(0)]))
    }

    /// The properties of a schema: name, span, merged schema, and whether it is required.
    fn properties(&self, schema: &Json) -> Vec<(String, Span, Json, bool)> {
        let parts = self.parts(schema);
        let required: Vec<(String, Span)> = parts
            .iter()
            .filter_map(|part| part.get("required"))
            .flat_map(Json::items)
            .filter_map(|name| Some((name.text()?.to_owned(), name.span)))
            .collect();
        let must = |name: &str| required.iter().any(|(known, _)| known == name);
        let mut all: Vec<(String, Span, Json, bool)> = Vec::new();
        for (name, span, property) in
            parts.iter().filter_map(|part| part.get("properties")).flat_map(Json::fields)
        {
            match all.iter_mut().find(|(known, ..)| known == name) {
                Some((_, _, known, _)) => *known = Json::all_of([known.clone(), property.clone()]),
                None => all.push((name.clone(), *span, property.clone(), must(name))),
            }
        }
        let others = parts.iter().find_map(|part| part.get("additionalProperties"));
        let others = others.filter(|others| others.is_object() && !others.fields().is_empty());
        let anything = |span: Span| Json { span, kind: JsonKind::Object(Vec::new()) };
        for (name, span) in &required {
            if !all.iter().any(|(known, ..)| known == name) {
                let schema = others.cloned().unwrap_or_else(|| anything(*span));
                all.push((name.clone(), *span, schema, true));
            }
        }
        for name in EXTRA.iter().filter(|_| others.is_some()) {
            if let Some(others) = others.filter(|_| !all.iter().any(|(known, ..)| known == name)) {
                all.push(((*name).to_owned(), others.span, others.clone(), false));
            }
        }
        all
    }

    /// Adds the fields of an object. Returns `false` if a required one has no value.
    fn fields(&mut self, name: &str, schema: &Json) -> bool {
        if self.types(schema).first().is_none_or(|kind| kind != "object") {
            return true;
        }
        let mut present: Vec<(String, bool)> = Vec::new();
        for (field, span, property, is_required) in self.properties(schema) {
            let at = At(span);
            let helper = self.fresh(&format!("{name}-{}", identifier(&field)));
            if !self.declare(&helper, &property) {
                if is_required {
                    return false;
                }
                continue;
            }
            let inner = at.name(&helper);
            let blank = if is_required { inner } else { at.form("Option", [inner]) };
            let with = at.form("with", [at.text(&field), at.blank(blank)]);
            self.statements.push(at.form("specify", [at.name(name), with]));
            present.push((field, is_required));
        }
        self.about_fields(name, schema, &present);
        true
    }
}

/// The type for a schema that allows anything: one of a few simple types.
fn anything(at: At) -> Datum {
    let types = ["String", "Integer", "Boolean", "Null"];
    at.form("Either", types.map(|kind| at.name(kind)))
}
