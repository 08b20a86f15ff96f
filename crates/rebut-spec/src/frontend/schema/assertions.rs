//! Translates the keywords of a schema to assertions about its values.

use super::Schemas;
use super::choice::refuses_a_type;
use super::keywords::start_of;
use crate::diagnostic::Diagnostic;
use crate::frontend::build::At;
use crate::frontend::formats::{format_pattern, unanchored};
use crate::frontend::json::Json;
use crate::frontend::simple::{integer, literal};
use crate::syntax::Datum;

impl Schemas<'_, '_> {
    /// Returns the assertions of a schema, without their subject.
    pub(super) fn assertions(&mut self, schema: &Json) -> Vec<Datum> {
        let mut assertions = Vec::new();
        for part in self.parts(schema) {
            own_assertions(&part, &mut assertions);
            if let Some(alternatives) = part.get("anyOf") {
                let each = self.conjunctions(alternatives);
                assertions.push(At(start_of(alternatives)).form("or", each));
            }
            if let Some(alternatives) = part.get("oneOf") {
                let each = self.conjunctions(alternatives);
                assertions.push(exactly_one(At(start_of(alternatives)), &each));
            }
            if let Some(not) = part.get("not").filter(|_| !refuses_a_type(&part)) {
                let inner = self.conjunction(not);
                assertions.push(At(start_of(not)).form("not", [inner]));
            }
        }
        assertions
    }

    fn conjunctions(&mut self, alternatives: &Json) -> Vec<Datum> {
        alternatives.items().iter().map(|part| self.conjunction(part)).collect()
    }

    /// The conjunction of an alternative's assertions about a simple value.
    fn conjunction(&mut self, schema: &Json) -> Datum {
        let at = At(start_of(schema));
        // The pattern of a format is incomplete, so it cannot be negated.
        let structural = ["properties", "$ref", "items", "required", "format"];
        if structural.iter().any(|word| self.get(schema, word).is_some()) {
            let help = "only bounds, lengths and patterns are supported here";
            self.diagnostics.push(
                Diagnostic::error(start_of(schema), "these schemas differ in more than values")
                    .help(help),
            );
        }
        let mut parts = self.assertions(schema);
        if let Some(values) = self.values(schema) {
            parts.push(at.form("one-of", values.iter().filter_map(literal)));
        }
        at.form("and", parts)
    }

    /// Asserts which fields of an object are present: `minProperties`, `maxProperties`,
    /// `dependentRequired`.
    pub(super) fn about_fields(&mut self, name: &str, schema: &Json, fields: &[(String, bool)]) {
        let at = At(start_of(schema));
        let is_some =
            |field: &str| at.form("is-some", [at.form("get", [at.name(name), at.text(field)])]);
        for (word, order) in [("minProperties", ">="), ("maxProperties", "<=")] {
            let Some(limit) = self.get(schema, word).as_ref().and_then(integer) else { continue };
            let required = fields.iter().filter(|(_, must)| *must).count() as i128;
            let optional = fields.iter().filter(|(_, must)| !must);
            let each =
                optional.map(|(field, _)| at.form("ite", [is_some(field), at.int(1), at.int(0)]));
            let count = at.form("+", [at.int(required), at.int(0)].into_iter().chain(each));
            self.statements.push(at.form("assert", [at.form(order, [count, at.int(limit)])]));
        }
        let dependent = self.get(schema, "dependentRequired");
        for (field, _, needed) in dependent.iter().flat_map(Json::fields) {
            let state = |name: &str| fields.iter().find(|(known, _)| known == name);
            let Some((_, is_always)) = state(field) else { continue };
            for other in needed.items().iter().filter_map(Json::text) {
                let there = match state(other) {
                    Some((_, true)) => continue,
                    Some((_, false)) => is_some(other),
                    None => at.name("false"),
                };
                let assertion = match is_always {
                    true => there,
                    false => at.form("implies", [is_some(field), there]),
                };
                self.statements.push(at.form("assert", [assertion]));
            }
        }
    }
}

/// The assertion that exactly one of several holds.
fn exactly_one(at: At, each: &[Datum]) -> Datum {
    let only = |chosen: usize| {
        let others = each.iter().enumerate().filter(|(other, _)| *other != chosen);
        let refused = others.map(|(_, other)| at.form("not", [other.clone()]));
        at.form("and", [each[chosen].clone()].into_iter().chain(refused))
    };
    at.form("or", (0..each.len()).map(only))
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
            assertions.push(At(start_of(limit)).form(assertion, [number]));
        }
    }
    if let Some(pattern) = schema.get("pattern") {
        let at = At(pattern.span);
        let source = unanchored(pattern.text().unwrap_or_default());
        assertions.push(at.form("matches", [at.regex(&source)]));
    }
    if let Some(format) = schema.get("format")
        && let Some(pattern) = format.text().and_then(format_pattern)
    {
        let at = At(format.span);
        assertions.push(at.form("matches", [at.regex(pattern)]));
    }
    if schema.get("uniqueItems").is_some_and(Json::is_true) {
        assertions.push(At(start_of(schema)).name("distinct"));
    }
}
