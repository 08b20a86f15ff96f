//! The keywords of JSON Schema: which are supported, and which are reported.

use super::Schemas;
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::frontend::formats;
use crate::frontend::json::{Json, JsonKind};
use rebut_text::Regex;

/// Keywords that are translated, or that do not restrict values.
const SUPPORTED: &[&str] = &[
    "$schema",
    "$id",
    "$defs",
    "$comment",
    "$anchor",
    "$vocabulary",
    "$dynamicAnchor",
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
    "patternProperties",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "nullable",
    "unevaluatedProperties",
    "unevaluatedItems",
    "anyOf",
    "oneOf",
    "not",
];

/// Keywords that restrict values and cannot be translated.
const UNSUPPORTED: &[&str] = &[
    "if",
    "then",
    "else",
    "contains",
    "minContains",
    "maxContains",
    "prefixItems",
    "additionalItems",
    "propertyNames",
    "dependentSchemas",
    "dependencies",
    "$dynamicRef",
    "$recursiveRef",
    "contentSchema",
];

impl Schemas<'_, '_> {
    /// Reports the keywords of a schema that are not translated.
    pub(super) fn report_keywords(&mut self, schema: &Json) {
        for (word, span, value) in schema.fields() {
            if UNSUPPORTED.contains(&word.as_str()) {
                let error = Diagnostic::error(*span, format!("`{word}` is not supported"));
                let help = "remove it, or express it in a program that imports this file";
                self.diagnostics.push(error.help(help));
            } else if !SUPPORTED.contains(&word.as_str()) && !word.starts_with("x-") {
                let help =
                    nearest(word, SUPPORTED.iter().copied().chain(UNSUPPORTED.iter().copied()));
                let help = help.map(|near| format!("did you mean `{near}`?"));
                let message = format!("`{word}` is not a JSON Schema keyword; it is ignored");
                self.diagnostics.push(Diagnostic::warning(*span, message).maybe_help(help));
            }
            if word == "format" {
                self.report_format(value);
            }
            if word == "patternProperties" {
                self.report_patterns(schema, value);
            }
        }
    }

    fn report_format(&mut self, format: &Json) {
        let Some(name) = format.text() else { return };
        if formats::format_pattern(name).is_some() || formats::WITHOUT_PATTERN.contains(&name) {
            return;
        }
        let message = format!("unknown format `{name}`; generated strings may not have it");
        let help = "write it as a `pattern`";
        self.diagnostics.push(Diagnostic::warning(format.span, message).help(help));
    }

    /// Reports `patternProperties` that match a named property. No other name is generated, except
    /// those of `EXTRA`.
    fn report_patterns(&mut self, schema: &Json, patterns: &Json) {
        for (pattern, span, _) in patterns.fields() {
            let regex = Regex::parser().unicode(false).parse(&formats::unanchored(pattern));
            let names = self.properties(schema);
            let matched = names
                .iter()
                .find(|(name, ..)| regex.as_ref().map_or(true, |regex| regex.is_match(name)));
            if let Some((name, ..)) = matched {
                let message = format!("this constraint on `{name}` is not supported");
                let help = "write it in `properties`";
                self.diagnostics.push(Diagnostic::error(*span, message).help(help));
            }
        }
    }
}

/// The span of the first character of a value, which is enough to point at it.
pub(super) fn start_of(json: &Json) -> Span {
    Span { end: (json.span.start + 1).min(json.span.end), ..json.span }
}

impl Json {
    /// Creates the schema `{"allOf": [..]}`.
    pub(super) fn all_of<const N: usize>(schemas: [Self; N]) -> Self {
        let span = schemas.first().map(|schema| schema.span).unwrap_or_default();
        let all = Self { span, kind: JsonKind::Array(schemas.into()) };
        Self { span, kind: JsonKind::Object(vec![("allOf".to_owned(), span, all)]) }
    }

    /// Removes a keyword.
    pub(super) fn without(&self, word: &str) -> Self {
        let mut rest = self.clone();
        if let JsonKind::Object(fields) = &mut rest.kind {
            fields.retain(|(field, _, _)| field != word);
        }
        rest
    }

    /// Whether this value has a type of JSON Schema.
    pub(super) fn is_of(&self, kind: &str) -> bool {
        match &self.kind {
            JsonKind::Null => kind == "null",
            JsonKind::Bool(_) => kind == "boolean",
            JsonKind::Text(_) => kind == "string",
            JsonKind::Array(_) => kind == "array",
            JsonKind::Object(_) => kind == "object",
            JsonKind::Number(number) => {
                kind == "number" || (kind == "integer" && number.parse::<i128>().is_ok())
            }
        }
    }
}
