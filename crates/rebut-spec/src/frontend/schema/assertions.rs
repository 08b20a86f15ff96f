//! What a schema asserts of its values.

use super::Schemas;
use super::choice::refuses_a_type;
use super::words::place;
use crate::diagnostic::Diagnostic;
use crate::frontend::build::At;
use crate::frontend::formats::{anywhere, format_pattern};
use crate::frontend::json::Json;
use crate::frontend::simple::{literal, whole};
use crate::syntax::Datum;

impl Schemas<'_, '_> {
    /// What a schema asserts of its values, as assertions about a subject.
    pub(super) fn assertions(&mut self, schema: &Json) -> Vec<Datum> {
        let mut assertions = Vec::new();
        for part in self.parts(schema) {
            own_assertions(&part, &mut assertions);
            if let Some(alternatives) = part.get("anyOf") {
                let each = self.conjunctions(alternatives);
                assertions.push(At(place(alternatives)).form("or", each));
            }
            if let Some(alternatives) = part.get("oneOf") {
                let each = self.conjunctions(alternatives);
                assertions.push(just_one(At(place(alternatives)), &each));
            }
            if let Some(not) = part.get("not").filter(|_| !refuses_a_type(&part)) {
                let inner = self.conjunction(not);
                assertions.push(At(place(not)).form("not", [inner]));
            }
        }
        assertions
    }

    fn conjunctions(&mut self, alternatives: &Json) -> Vec<Datum> {
        alternatives.items().iter().map(|part| self.conjunction(part)).collect()
    }

    /// All that an alternative asserts of a simple value.
    fn conjunction(&mut self, schema: &Json) -> Datum {
        let at = At(place(schema));
        // A format is known in part only, so it cannot be denied.
        let structural = ["properties", "$ref", "items", "required", "format"];
        if structural.iter().any(|word| self.get(schema, word).is_some()) {
            let help = "only bounds, lengths and patterns are supported here";
            self.diagnostics.push(
                Diagnostic::error(place(schema), "these schemas differ in more than values")
                    .help(help),
            );
        }
        let mut parts = self.assertions(schema);
        if let Some(values) = self.values(schema) {
            parts.push(at.form("one-of", values.iter().filter_map(literal)));
        }
        at.form("and", parts)
    }

    /// What is said of an object about which fields are there.
    pub(super) fn about_fields(&mut self, name: &str, schema: &Json, fields: &[(String, bool)]) {
        let at = At(place(schema));
        let is_some =
            |field: &str| at.form("is-some", [at.form("get", [at.name(name), at.text(field)])]);
        for (word, order) in [("minProperties", ">="), ("maxProperties", "<=")] {
            let Some(limit) = self.get(schema, word).as_ref().and_then(whole) else { continue };
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

/// One of the assertions holds and no other.
fn just_one(at: At, each: &[Datum]) -> Datum {
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
