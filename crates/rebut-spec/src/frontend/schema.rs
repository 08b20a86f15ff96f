//! JSON Schema (2020-12, and what OpenAPI 3.0 makes of it).
//!
//! Each schema becomes a blank with a name, and what it asserts is specified of that blank;
//! a schema that uses another one has a fresh copy of it. What cannot be honoured is an error
//! with its place, and not left out in silence. Annotations (`title`, `description`, ..) say
//! nothing about values.

use super::build::At;
use super::json::{Json, JsonKind};
use super::simple::{literal, whole};
use super::unknown;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::Datum;

/// Numbers without bounds are those that every JSON reader keeps exactly.
const WHOLE_MAX: i128 = 1 << 53;

/// Lists without a bound have at most so many items.
const ITEMS_MAX: i128 = 4;

/// The statements of a schema.
pub(super) fn translate(json: &Json, diagnostics: &mut Vec<Diagnostic>) -> Vec<Datum> {
    let mut schemas = Schemas::new(json, diagnostics);
    let name = json.text_of("title").map_or_else(|| "value".to_owned(), identifier);
    schemas.declare(&name, json);
    let at = At(Span { end: json.span.start + 1, ..json.span });
    let output = at.form("output", [at.name(&name)]);
    let mut statements = schemas.statements;
    statements.push(at.form("generate", [at.name("all"), at.int(10), output]));
    statements
}

/// A title or a path as a name.
pub(super) fn identifier(text: &str) -> String {
    let name: String =
        text.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let name = name.trim_matches('-').to_owned();
    if name.is_empty() { "value".to_owned() } else { name }
}

/// Schemas that were declared, and the statements that do it.
pub(super) struct Schemas<'j, 'd> {
    root: &'j Json,
    pub(super) statements: Vec<Datum>,
    pub(super) diagnostics: &'d mut Vec<Diagnostic>,
    /// References that were declared, with their names.
    declared: Vec<(String, String)>,
    /// References that are being declared: one of them again is a recursion.
    open: Vec<String>,
}

/// Words that say nothing about values, or that are read elsewhere.
const QUIET: &[&str] = &[
    "$schema",
    "$id",
    "$defs",
    "$comment",
    "$anchor",
    "definitions",
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentMediaType",
    "contentEncoding",
    "externalDocs",
    "xml",
    "discriminator",
    "type",
    "properties",
    "required",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "enum",
    "const",
    "allOf",
    "$ref",
    "additionalProperties",
    "nullable",
    "unevaluatedProperties",
    "anyOf",
    "oneOf",
    "not",
];

impl<'j, 'd> Schemas<'j, 'd> {
    pub(super) fn new(root: &'j Json, diagnostics: &'d mut Vec<Diagnostic>) -> Self {
        Self { root, statements: Vec::new(), diagnostics, declared: Vec::new(), open: Vec::new() }
    }

    /// Declares a schema under a name.
    pub(super) fn declare(&mut self, name: &str, schema: &Json) {
        let at = At(place(schema));
        let blank = self.blank(name, schema);
        self.statements.push(at.form("declare", [at.name(name), at.blank(blank)]));
        let assertions = self.assertions(schema);
        if !assertions.is_empty() {
            self.statements.push(at.form("specify", [at.name(name)].into_iter().chain(assertions)));
        }
        self.fields(name, schema);
        self.refuse(schema);
    }

    fn refuse(&mut self, schema: &Json) {
        for (word, span, _) in schema.fields() {
            if !QUIET.contains(&word.as_str()) && !word.starts_with("x-") {
                let error = Diagnostic::error(*span, format!("`{word}` cannot be honoured"));
                self.diagnostics.push(
                    error.help("leave it out, or say it in a program that imports this file"),
                );
            }
        }
    }

    /// A schema with those of `allOf` and behind `$ref` taken together.
    fn parts<'a>(&self, schema: &'a Json) -> Vec<&'a Json>
    where
        'j: 'a,
    {
        let mut parts = vec![schema];
        for part in schema.get("allOf").map(Json::items).unwrap_or_default() {
            let target = part.text_of("$ref").and_then(|reference| self.find(reference));
            parts.extend(self.parts(target.unwrap_or(part)));
        }
        parts
    }

    fn find(&self, reference: &str) -> Option<&'j Json> {
        let path = reference.strip_prefix('#')?;
        path.split('/')
            .filter(|step| !step.is_empty())
            .try_fold(self.root, |json, step| json.get(&step.replace("~1", "/").replace("~0", "~")))
    }

    fn get<'a>(&self, schema: &'a Json, word: &str) -> Option<&'a Json>
    where
        'j: 'a,
    {
        self.parts(schema).into_iter().find_map(|part| part.get(word))
    }

    /// The type of a blank for a schema; schemas within it are declared.
    fn blank(&mut self, name: &str, schema: &Json) -> Datum {
        let at = At(place(schema));
        if let Some(reference) = schema.text_of("$ref") {
            return self.reference(reference, schema);
        }
        if let Some(values) = self.get(schema, "enum") {
            let values: Vec<Datum> = values.items().iter().filter_map(literal).collect();
            return at.form("Enum", values);
        }
        if let Some(value) = self.get(schema, "const").and_then(literal) {
            return at.form("Enum", [value]);
        }
        let kinds = self.kinds(schema);
        let optional = kinds.iter().any(|kind| kind == "null")
            || schema.get("nullable").is_some_and(Json::is_true);
        let kind = kinds.iter().find(|kind| *kind != "null").map(String::as_str);
        let inner = match kind {
            Some("string") => match self.get(schema, "format").and_then(Json::text) {
                Some("date-time") => at.name("Date"),
                Some("date") => at.name("Day"),
                _ => at.name("String"),
            },
            Some("integer") => at.form("Integer", [at.int(-WHOLE_MAX), at.int(WHOLE_MAX)]),
            Some("number") => at.name("Real"),
            Some("boolean") => at.name("Boolean"),
            Some("object") => at.name("Object"),
            Some("array") => self.array(name, schema),
            Some(other) => {
                let error = unknown(
                    schema,
                    format!("there is no type `{other}`"),
                    "types are string, integer, number, boolean, object, array and null",
                );
                self.diagnostics.push(error);
                at.name("String")
            }
            None => {
                let help = "say which type it has; a choice between types cannot be honoured";
                self.diagnostics
                    .push(Diagnostic::error(place(schema), "this schema has no type").help(help));
                at.name("String")
            }
        };
        if optional { at.form("Option", [inner]) } else { inner }
    }

    fn kinds(&self, schema: &Json) -> Vec<String> {
        let named = self.get(schema, "type").map(|kind| match &kind.kind {
            JsonKind::Text(kind) => vec![kind.clone()],
            _ => kind.items().iter().filter_map(Json::text).map(str::to_owned).collect(),
        });
        if let Some(kinds) =
            named.filter(|kinds| kinds.iter().filter(|kind| *kind != "null").count() <= 1)
        {
            return kinds;
        }
        let implied = [
            ("properties", "object"),
            ("items", "array"),
            ("pattern", "string"),
            ("maxLength", "string"),
            ("minimum", "number"),
        ];
        let known = implied.iter().find(|(word, _)| self.get(schema, word).is_some());
        known.map(|(_, kind)| (*kind).to_owned()).into_iter().collect()
    }

    fn reference(&mut self, reference: &str, schema: &Json) -> Datum {
        let at = At(place(schema));
        if let Some((_, name)) = self.declared.iter().find(|(known, _)| known == reference) {
            return at.name(name);
        }
        let Some(target) = self.find(reference) else {
            let message = format!("`{reference}` is nowhere in this file");
            self.diagnostics
                .push(Diagnostic::error(place(schema), message).help("references start with `#/`"));
            return at.name("String");
        };
        if self.open.iter().any(|open| open == reference) {
            let message = format!("`{reference}` contains itself");
            self.diagnostics.push(
                Diagnostic::error(place(schema), message)
                    .help("schemas that contain themselves cannot be honoured"),
            );
            return at.name("String");
        }
        let name = identifier(reference.rsplit('/').next().unwrap_or(reference));
        self.open.push(reference.to_owned());
        self.declare(&name, target);
        self.open.pop();
        self.declared.push((reference.to_owned(), name.clone()));
        at.name(&name)
    }

    fn array(&mut self, name: &str, schema: &Json) -> Datum {
        let at = At(place(schema));
        let element = format!("{name}-item");
        match self.get(schema, "items") {
            Some(items) => self.declare(&element, items),
            None => {
                let help = "say what its items are: \"items\": {\"type\": \"string\"}";
                self.diagnostics
                    .push(Diagnostic::error(place(schema), "this array has no `items`").help(help));
                self.statements
                    .push(at.form("declare", [at.name(&element), at.blank(at.name("String"))]));
            }
        }
        let size = |word: &str| self.get(schema, word).and_then(whole);
        let min = size("minItems").unwrap_or(0);
        let max = size("maxItems").unwrap_or(ITEMS_MAX.max(min));
        at.form("List", [at.name(&element), at.int(min), at.int(max)])
    }

    fn fields(&mut self, name: &str, schema: &Json) {
        let required: Vec<String> = self
            .parts(schema)
            .into_iter()
            .filter_map(|part| part.get("required"))
            .flat_map(Json::items)
            .filter_map(Json::text)
            .map(str::to_owned)
            .collect();
        let all: Vec<(String, Span, Json)> = self
            .parts(schema)
            .into_iter()
            .filter_map(|part| part.get("properties"))
            .flat_map(|properties| properties.fields().to_vec())
            .collect();
        for (field, span, property) in all {
            let at = At(span);
            let helper = format!("{name}-{}", identifier(&field));
            self.declare(&helper, &property);
            let inner = at.name(&helper);
            let blank = if required.contains(&field) { inner } else { at.form("Option", [inner]) };
            let with = at.form("with", [at.text(&field), at.blank(blank)]);
            self.statements.push(at.form("specify", [at.name(name), with]));
        }
    }

    /// What a schema asserts of its values, as assertions about a subject.
    fn assertions(&mut self, schema: &Json) -> Vec<Datum> {
        let mut assertions = Vec::new();
        for part in self.parts(schema) {
            own_assertions(part, &mut assertions);
        }
        for (word, joined) in [("anyOf", "or"), ("oneOf", "or")] {
            let parts = schema.get(word).map(Json::items).unwrap_or_default();
            let each: Vec<Datum> = parts.iter().map(|part| self.conjunction(part)).collect();
            if !each.is_empty() {
                assertions.push(At(place(schema)).form(joined, each));
            }
        }
        if let Some(not) = schema.get("not") {
            let inner = self.conjunction(not);
            assertions.push(At(place(not)).form("not", [inner]));
        }
        assertions
    }

    fn conjunction(&mut self, schema: &Json) -> Datum {
        let has_fields = schema.get("properties").is_some() || schema.get("$ref").is_some();
        if has_fields {
            let help = "a choice between objects cannot be honoured; write one schema for each";
            self.diagnostics.push(
                Diagnostic::error(place(schema), "these schemas differ in more than values")
                    .help(help),
            );
        }
        let parts = self.assertions(schema);
        At(place(schema)).form("and", parts)
    }
}

fn own_assertions(schema: &Json, assertions: &mut Vec<Datum>) {
    let limits = [
        ("minLength", "min-length"),
        ("maxLength", "max-length"),
        ("minimum", "gte"),
        ("maximum", "lte"),
        ("exclusiveMinimum", "gt"),
        ("exclusiveMaximum", "lt"),
        ("multipleOf", "divisible-by"),
    ];
    for (word, assertion) in limits {
        let Some(limit) = schema.get(word) else { continue };
        // In OpenAPI 3.0 `exclusiveMinimum` is true, and the number is `minimum`.
        let number = if limit.is_true() {
            schema.get(if word == "exclusiveMinimum" { "minimum" } else { "maximum" })
        } else {
            Some(limit)
        };
        if let Some(number) = number.and_then(literal).filter(|_| !limit.is_false()) {
            assertions.push(At(place(limit)).form(assertion, [number]));
        }
    }
    if let Some(pattern) = schema.get("pattern") {
        let at = At(pattern.span);
        let source = anywhere(pattern.text().unwrap_or_default());
        assertions.push(at.form("matches", [at.regex(&source)]));
    }
    if let Some(format) = schema.get("format")
        && let Some(pattern) = format.text().and_then(format_pattern)
    {
        let at = At(format.span);
        assertions.push(at.form("matches", [at.regex(pattern)]));
    }
    if schema.get("uniqueItems").is_some_and(Json::is_true) {
        assertions.push(At(place(schema)).name("distinct"));
    }
}

/// A pattern of JSON Schema may match anywhere; here all of a text has to match.
fn anywhere(pattern: &str) -> String {
    let start = if pattern.starts_with('^') { "" } else { "(?s:.*)" };
    let escaped = pattern.chars().rev().skip(1).take_while(|c| *c == '\\').count() % 2 == 1;
    let end = if pattern.ends_with('$') && !escaped { "" } else { "(?s:.*)" };
    if start.is_empty() && end.is_empty() {
        return pattern.to_owned();
    }
    let inner = pattern.strip_prefix('^').unwrap_or(pattern);
    let inner = if end.is_empty() { inner.strip_suffix('$').unwrap_or(inner) } else { inner };
    format!("{start}(?:{inner}){end}")
}

/// Formats as regular expressions, in the part of them that is commonly used.
fn format_pattern(format: &str) -> Option<&'static str> {
    Some(match format {
        "uuid" => "[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
        "email" => "[a-z0-9]+([._+-][a-z0-9]+)*@[a-z0-9]+(-[a-z0-9]+)*(\\.[a-z]{2,6}){1,2}",
        "hostname" => "[a-z0-9]+(-[a-z0-9]+)*(\\.[a-z0-9]+(-[a-z0-9]+)*)*",
        "ipv4" => {
            "((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
        }
        "uri" | "url" => {
            "https?://[a-z0-9]+(-[a-z0-9]+)*(\\.[a-z]{2,6}){1,2}(:[1-9][0-9]{1,3})?(/[a-zA-Z0-9_.~-]+)*/?(\\?[a-z]+=[a-zA-Z0-9]*)?"
        }
        "time" => "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z",
        "byte" => "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?",
        _ => return None,
    })
}

fn place(json: &Json) -> Span {
    // The brace at which it starts, and not all of it.
    Span { end: (json.span.start + 1).min(json.span.end), ..json.span }
}
