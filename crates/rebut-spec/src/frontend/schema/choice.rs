//! Choices between types and between objects: `anyOf`, `oneOf`, and several `type`s.
//!
//! If all alternatives have the same simple type, they differ only in values and become
//! assertions. Otherwise the choice becomes an `Either`: each alternative is declared on its own,
//! together with the keywords next to the choice. A value of `oneOf` must not match another
//! alternative. For simple values that is an assertion; for objects it must follow from their
//! properties, or it is an error.

use super::Schemas;
use super::keywords::start_of;
use crate::diagnostic::Diagnostic;
use crate::frontend::build::At;
use crate::frontend::json::{Json, JsonKind};
use crate::syntax::Datum;

/// The maximum number of alternatives in a schema. `allOf` combines each choice with each other one,
/// so a few lines can have more of them than any memory. Arbitrary; those in use have hundreds.
const ALTERNATIVES_MAX: usize = 2000;

/// A choice in a schema.
pub(super) struct Choice {
    alternatives: Vec<Json>,
    /// Whether a value must match exactly one alternative.
    is_exclusive: bool,
}

const SIMPLE: [&str; 4] = ["string", "integer", "number", "boolean"];

/// Keywords that do not restrict values.
const ANNOTATIONS: [&str; 6] =
    ["title", "description", "$comment", "default", "examples", "example"];

impl Schemas<'_, '_> {
    /// The types that a schema allows. Empty if it does not restrict types.
    pub(super) fn types(&self, schema: &Json) -> Vec<String> {
        let parts = self.parts(schema);
        let mut types: Option<Vec<String>> = None;
        for part in &parts {
            let Some(named) = part.get("type") else { continue };
            let mut own: Vec<String> = match &named.kind {
                JsonKind::Text(kind) => vec![kind.clone()],
                _ => named.items().iter().filter_map(Json::text).map(str::to_owned).collect(),
            };
            if part.get("nullable").is_some_and(Json::is_true) {
                own.push("null".to_owned());
            }
            types = Some(match types {
                None => own,
                Some(known) => intersection(&known, &own),
            });
        }
        let refused: Vec<String> = parts.iter().filter_map(refused_type).collect();
        if let Some(mut types) = types {
            types.retain(|kind| !refused.contains(kind));
            return types;
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
        let is_present = |word: &str| parts.iter().any(|part| part.get(word).is_some());
        let known = implied.iter().find(|(word, _)| is_present(word));
        known.map(|(_, kind)| (*kind).to_owned()).into_iter().collect()
    }

    /// Returns the first choice of a schema that is not only between values.
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
                rest.retain(is_constraining);
                let merged: Vec<Json> =
                    alternatives.items().iter().map(|one| merged(&rest, one)).collect();
                if !merged.is_empty() && !self.differ_in_values(&merged) {
                    return Some(Choice { alternatives: merged, is_exclusive: word == "oneOf" });
                }
            }
        }
        let types = self.types(schema);
        if types.len() < 2 || self.values(schema).is_some() {
            return None;
        }
        let of = |kind: &String| {
            let span = start_of(schema);
            let named = Json { span, kind: JsonKind::Text(kind.clone()) };
            let only = vec![("type".to_owned(), span, named)];
            let fits = self.parts(schema).into_iter().map(|part| fitting(part, kind));
            merged(&fits.collect::<Vec<Json>>(), &Json { span, kind: JsonKind::Object(only) })
        };
        Some(Choice { alternatives: types.iter().map(of).collect(), is_exclusive: false })
    }

    /// Whether all alternatives have the same simple type, so that assertions can express them.
    fn differ_in_values(&self, alternatives: &[Json]) -> bool {
        let kind = |schema: &Json| {
            let plain = schema.get("$ref").is_none()
                && !["format", "enum", "const", "oneOf", "anyOf"]
                    .iter()
                    .any(|word| self.get(schema, word).is_some());
            let types = self.types(schema);
            types
                .first()
                .cloned()
                .filter(|kind| plain && types.len() == 1 && SIMPLE.contains(&kind.as_str()))
        };
        let first = alternatives.first().and_then(kind);
        first.is_some() && alternatives.iter().all(|one| kind(one) == first)
    }

    /// Returns the type of a choice, or `None` if no alternative has a value.
    pub(super) fn either(&mut self, name: &str, schema: &Json, choice: Choice) -> Option<Datum> {
        let at = At(start_of(schema));
        if self.alternatives > ALTERNATIVES_MAX {
            return None;
        }
        self.alternatives += choice.alternatives.len();
        if self.alternatives > ALTERNATIVES_MAX {
            let message = "this schema has too many combinations of alternatives";
            let help = "write the combinations that you want as one `oneOf`";
            self.diagnostics.push(Diagnostic::error(start_of(schema), message).help(help));
            return None;
        }
        let mut declared = Vec::new();
        for (number, one) in choice.alternatives.iter().enumerate() {
            let mut own = one.clone();
            if choice.is_exclusive {
                for (_, other) in
                    choice.alternatives.iter().enumerate().filter(|(other, _)| *other != number)
                {
                    own = self.excluding(own, one, other);
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

    /// Returns a schema without the values that match another one.
    fn excluding(&mut self, own: Json, one: &Json, other: &Json) -> Json {
        let (one, other) = (self.resolved(one), self.resolved(other));
        if self.are_disjoint(&one, &other) {
            return own;
        }
        let (mine, theirs) = (self.types(&one), self.types(&other));
        let simple = |types: &[String]| types.len() == 1 && SIMPLE.contains(&types[0].as_str());
        // The pattern of a format is incomplete: a string that does not match may still have the
        // format.
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
        self.diagnostics.push(Diagnostic::error(start_of(&other), message).help(help));
        own
    }

    fn resolved(&self, schema: &Json) -> Json {
        let target = schema.text_of("$ref").and_then(|reference| self.find(reference));
        target.unwrap_or(schema).clone()
    }

    /// Whether types, values and properties show that no value generated for one schema matches
    /// the other.
    fn are_disjoint(&self, one: &Json, other: &Json) -> bool {
        let (one, other) = (&self.resolved(one), &self.resolved(other));
        if let (Some(mine), Some(theirs)) = (self.values(one), self.values(other)) {
            return !mine.iter().any(|value| theirs.iter().any(|known| known.kind == value.kind));
        }
        let (mine, theirs) = (self.types(one), self.types(other));
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
                        (*must || *is_there) && self.are_disjoint(own, property)
                    }
                }
            })
    }
}

/// The type that a schema excludes, if its `not` is just a type.
fn refused_type(part: &Json) -> Option<String> {
    match part.get("not")?.fields() {
        [(word, _, kind)] if word == "type" => kind.text().map(str::to_owned),
        _ => None,
    }
}

pub(super) fn refuses_a_type(part: &Json) -> bool {
    refused_type(part).is_some()
}

/// The types that both lists allow; an integer is a number.
fn intersection(left: &[String], right: &[String]) -> Vec<String> {
    let both =
        |kind: &&String| right.contains(kind) || (*kind == "integer" && has(right, "number"));
    let mut types: Vec<String> = left.iter().filter(both).cloned().collect();
    if has(left, "number") && has(right, "integer") && !has(&types, "integer") {
        types.push("integer".to_owned());
    }
    types
}

fn has(types: &[String], kind: &str) -> bool {
    types.iter().any(|known| known == kind)
}

fn is_constraining(schema: &Json) -> bool {
    schema.fields().iter().any(|(word, ..)| !ANNOTATIONS.contains(&word.as_str()))
}

/// An alternative, merged with the keywords next to the choice.
fn merged(beside: &[Json], alternative: &Json) -> Json {
    let beside: Vec<Json> = beside.iter().filter(|part| is_constraining(part)).cloned().collect();
    if beside.is_empty() {
        return alternative.clone();
    }
    let span = alternative.span;
    let all: Vec<Json> = beside.into_iter().chain([alternative.clone()]).collect();
    let all = Json { span, kind: JsonKind::Array(all) };
    Json { span, kind: JsonKind::Object(vec![("allOf".to_owned(), span, all)]) }
}

/// The keywords of a schema that apply to values of one type.
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
