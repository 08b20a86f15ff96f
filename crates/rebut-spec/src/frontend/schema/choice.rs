//! Choices between types and between objects.
//!
//! Alternatives that are all of one simple type differ in values only; they are assertions. All
//! others become an `Either`: each is declared by itself, together with what is said beside the
//! choice. `oneOf` wants a value that fits no other alternative; that is asserted of simple
//! values, and of objects it has to be seen from their properties.

use super::Schemas;
use super::words::place;
use crate::diagnostic::Diagnostic;
use crate::frontend::build::At;
use crate::frontend::json::{Json, JsonKind};
use crate::syntax::Datum;

/// A choice that a schema has.
pub(super) struct Choice {
    alternatives: Vec<Json>,
    /// Must a value fit just one of them?
    is_exclusive: bool,
}

const SIMPLE: [&str; 4] = ["string", "integer", "number", "boolean"];

/// Words that say something about values.
const SILENT: [&str; 6] = ["title", "description", "$comment", "default", "examples", "example"];

impl Schemas<'_, '_> {
    /// The types that a schema allows; none if it says nothing about types.
    pub(super) fn kinds(&self, schema: &Json) -> Vec<String> {
        let parts = self.parts(schema);
        let mut kinds: Option<Vec<String>> = None;
        for part in &parts {
            let Some(named) = part.get("type") else { continue };
            let mut own: Vec<String> = match &named.kind {
                JsonKind::Text(kind) => vec![kind.clone()],
                _ => named.items().iter().filter_map(Json::text).map(str::to_owned).collect(),
            };
            if part.get("nullable").is_some_and(Json::is_true) {
                own.push("null".to_owned());
            }
            kinds = Some(match kinds {
                None => own,
                Some(known) => intersection(&known, &own),
            });
        }
        let refused: Vec<String> = parts.iter().filter_map(refused_kind).collect();
        if let Some(mut kinds) = kinds {
            kinds.retain(|kind| !refused.contains(kind));
            return kinds;
        }
        let implied = [
            ("properties", "object"),
            ("additionalProperties", "object"),
            ("required", "object"),
            ("items", "array"),
            ("minItems", "array"),
            ("pattern", "string"),
            ("minLength", "string"),
            ("maxLength", "string"),
            ("format", "string"),
            ("minimum", "number"),
            ("maximum", "number"),
            ("exclusiveMinimum", "number"),
            ("exclusiveMaximum", "number"),
            ("multipleOf", "number"),
        ];
        let is_said = |word: &str| parts.iter().any(|part| part.get(word).is_some());
        let known = implied.iter().find(|(word, _)| is_said(word));
        known.map(|(_, kind)| (*kind).to_owned()).into_iter().collect()
    }

    /// The choice that comes first in a schema, if it is one between more than values.
    pub(super) fn choice(&self, schema: &Json) -> Option<Choice> {
        if schema.get("$ref").is_some() {
            return None;
        }
        let parts = self.parts(schema);
        for (at, part) in parts.iter().enumerate() {
            for word in ["oneOf", "anyOf"] {
                let Some(alternatives) = part.get(word) else { continue };
                let mut rest = parts.clone();
                rest[at] = part.without(word);
                rest.retain(says_something);
                let merged: Vec<Json> =
                    alternatives.items().iter().map(|one| merged(&rest, one)).collect();
                if !merged.is_empty() && !self.differ_in_values(&merged) {
                    return Some(Choice { alternatives: merged, is_exclusive: word == "oneOf" });
                }
            }
        }
        let kinds = self.kinds(schema);
        if kinds.len() < 2 || self.values(schema).is_some() {
            return None;
        }
        let of = |kind: &String| {
            let span = place(schema);
            let named = Json { span, kind: JsonKind::Text(kind.clone()) };
            let only = vec![("type".to_owned(), span, named)];
            let fits = self.parts(schema).into_iter().map(|part| fitting(part, kind));
            merged(&fits.collect::<Vec<Json>>(), &Json { span, kind: JsonKind::Object(only) })
        };
        Some(Choice { alternatives: kinds.iter().map(of).collect(), is_exclusive: false })
    }

    /// Are all of them of one simple type, so that they are assertions about a value?
    fn differ_in_values(&self, alternatives: &[Json]) -> bool {
        let kind = |schema: &Json| {
            let plain = schema.get("$ref").is_none()
                && !["format", "enum", "const", "oneOf", "anyOf"]
                    .iter()
                    .any(|word| self.get(schema, word).is_some());
            let kinds = self.kinds(schema);
            kinds
                .first()
                .cloned()
                .filter(|kind| plain && kinds.len() == 1 && SIMPLE.contains(&kind.as_str()))
        };
        let first = alternatives.first().and_then(kind);
        first.is_some() && alternatives.iter().all(|one| kind(one) == first)
    }

    /// A blank for a choice; none if no alternative has a value.
    pub(super) fn either(&mut self, name: &str, schema: &Json, choice: Choice) -> Option<Datum> {
        let at = At(place(schema));
        let mut declared = Vec::new();
        for (number, one) in choice.alternatives.iter().enumerate() {
            let mut own = one.clone();
            if choice.is_exclusive {
                for (_, other) in
                    choice.alternatives.iter().enumerate().filter(|(other, _)| *other != number)
                {
                    own = self.apart(own, one, other);
                }
            }
            let helper = self.fresh(&format!("{name}-{}", number + 1));
            if self.declare(&helper, &own) {
                declared.push(at.name(&helper));
            }
        }
        match declared.len() {
            0 | 1 => declared.pop(),
            _ => Some(at.form("Either", declared)),
        }
    }

    /// A schema without the values that fit another one.
    fn apart(&mut self, own: Json, one: &Json, other: &Json) -> Json {
        let (one, other) = (self.resolved(one), self.resolved(other));
        if self.are_apart(&one, &other) {
            return own;
        }
        let (mine, theirs) = (self.kinds(&one), self.kinds(&other));
        let simple = |kinds: &[String]| kinds.len() == 1 && SIMPLE.contains(&kinds[0].as_str());
        // Texts of a format are generated from a part of it, so what is not in that part may
        // still have the format.
        let is_valued = [&one, &other]
            .into_iter()
            .any(|schema| self.values(schema).is_some() || self.get(schema, "format").is_some());
        if simple(&mine) && simple(&theirs) && !is_valued && other.get("$ref").is_none() {
            let span = other.span;
            let mut refused = other.clone();
            if mine[0] == "number" && theirs[0] == "integer" {
                let number = Json { span, kind: JsonKind::Number("1".to_owned()) };
                let whole = vec![("multipleOf".to_owned(), span, number)];
                refused = Json::all_of([refused, Json { span, kind: JsonKind::Object(whole) }]);
            }
            let not = vec![("not".to_owned(), span, refused)];
            return Json::all_of([own, Json { span, kind: JsonKind::Object(not) }]);
        }
        let message = "a value may match several of these, but `oneOf` requires exactly one";
        let help = "distinguish them by a required property with a `const`, or write `anyOf`";
        self.diagnostics.push(Diagnostic::error(place(&other), message).help(help));
        own
    }

    fn resolved(&self, schema: &Json) -> Json {
        let target = schema.text_of("$ref").and_then(|reference| self.find(reference));
        target.unwrap_or(schema).clone()
    }

    /// Is it seen from types, values and properties that what is generated for one schema
    /// does not fit the other?
    fn are_apart(&self, one: &Json, other: &Json) -> bool {
        let (one, other) = (&self.resolved(one), &self.resolved(other));
        if let (Some(mine), Some(theirs)) = (self.values(one), self.values(other)) {
            return !mine.iter().any(|value| theirs.iter().any(|known| known.kind == value.kind));
        }
        let (mine, theirs) = (self.kinds(one), self.kinds(other));
        if mine.is_empty() || theirs.is_empty() {
            return false;
        }
        if intersection(&mine, &theirs).is_empty() {
            return true;
        }
        if mine != ["object"] || theirs != ["object"] {
            return false;
        }
        let (mine, theirs) = (self.properties(one), self.properties(other));
        let closed = self.get(other, "additionalProperties").is_some_and(|more| more.is_false());
        let unknown = |name: &str| !theirs.iter().any(|(known, ..)| known == name);
        let is_extra = mine.iter().any(|(name, _, _, must)| *must && closed && unknown(name));
        is_extra
            || theirs.iter().any(|(name, _, property, must)| {
                match mine.iter().find(|(known, ..)| known == name) {
                    None => *must,
                    Some((_, _, own, is_there)) => {
                        (*must || *is_there) && self.are_apart(own, property)
                    }
                }
            })
    }
}

/// The type that a schema refuses, if `not` says just that.
fn refused_kind(part: &Json) -> Option<String> {
    match part.get("not")?.fields() {
        [(word, _, kind)] if word == "type" => kind.text().map(str::to_owned),
        _ => None,
    }
}

pub(super) fn refuses_a_type(part: &Json) -> bool {
    refused_kind(part).is_some()
}

/// The types that both have; whole numbers are numbers.
fn intersection(left: &[String], right: &[String]) -> Vec<String> {
    let both =
        |kind: &&String| right.contains(kind) || (*kind == "integer" && has(right, "number"));
    let mut kinds: Vec<String> = left.iter().filter(both).cloned().collect();
    if has(left, "number") && has(right, "integer") && !has(&kinds, "integer") {
        kinds.push("integer".to_owned());
    }
    kinds
}

fn has(kinds: &[String], kind: &str) -> bool {
    kinds.iter().any(|known| known == kind)
}

fn says_something(schema: &Json) -> bool {
    schema.fields().iter().any(|(word, ..)| !SILENT.contains(&word.as_str()))
}

/// An alternative together with what is said beside the choice.
fn merged(beside: &[Json], alternative: &Json) -> Json {
    let beside: Vec<Json> = beside.iter().filter(|part| says_something(part)).cloned().collect();
    if beside.is_empty() {
        return alternative.clone();
    }
    let span = alternative.span;
    let all: Vec<Json> = beside.into_iter().chain([alternative.clone()]).collect();
    let all = Json { span, kind: JsonKind::Array(all) };
    Json { span, kind: JsonKind::Object(vec![("allOf".to_owned(), span, all)]) }
}

/// What a part of a schema says about values of one type.
fn fitting(part: Json, kind: &str) -> Json {
    let words: &[(&str, &[&str])] = &[
        ("string", &["minLength", "maxLength", "pattern", "format"]),
        ("object", &["properties", "required", "additionalProperties", "patternProperties"]),
        ("array", &["items", "minItems", "maxItems", "uniqueItems"]),
        ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ];
    let group = if kind == "integer" { "number" } else { kind };
    let foreign = words.iter().filter(|(name, _)| *name != group).flat_map(|(_, words)| *words);
    let of_type = ["type", "nullable"].iter().chain(foreign);
    of_type.fold(part, |part, word| part.without(word))
}
