//! Models as JSON.

use crate::eval;
use crate::ir::{Environment, Expr, Model, Shape, Sort, Value};
use crate::{dates, zones};
use serde_json::Value as Json;

/// Returns the outputs of a model as a JSON object. A field that is absent is left out.
#[must_use]
pub fn json(environment: &Environment, model: &Model) -> Json {
    let fields = environment
        .outputs
        .iter()
        .map(|(name, shape)| (name.to_string(), shape_json(shape, model)));
    Json::Object(fields.collect())
}

fn shape_json(shape: &Shape, model: &Model) -> Json {
    match shape {
        Shape::Leaf(expr) => leaf_json(expr, model),
        Shape::Object(fields) => {
            let present = fields.iter().filter(|(_, field)| is_present(field, model));
            Json::Object(
                present.map(|(name, field)| (name.to_string(), shape_json(field, model))).collect(),
            )
        }
        Shape::Option { present, inner } => {
            if eval::truth(present, model, None) == Some(true) {
                shape_json(inner, model)
            } else {
                Json::Null
            }
        }
        Shape::Either { which, alternatives } => {
            let which = eval::value(which, model, None).and_then(|value| value.as_int());
            let chosen = which.and_then(|at| usize::try_from(at).ok());
            let chosen = chosen.and_then(|at| alternatives.get(at));
            chosen.map_or(Json::Null, |shape| shape_json(shape, model))
        }
        Shape::List { length, items } => {
            let length = eval::value(length, model, None)
                .and_then(|value| value.as_int())
                .unwrap_or_default();
            let length = usize::try_from(length).unwrap_or_default();
            Json::Array(items.iter().take(length).map(|item| shape_json(item, model)).collect())
        }
    }
}

fn is_present(shape: &Shape, model: &Model) -> bool {
    match shape {
        Shape::Option { present, .. } => eval::truth(present, model, None) == Some(true),
        _ => true,
    }
}

fn leaf_json(expr: &Expr, model: &Model) -> Json {
    match eval::value(expr, model, None) {
        Some(value) => value_json(&value, expr.sort()),
        None => Json::Null,
    }
}

/// Returns a value of a sort as JSON. A Real without a finite decimal form is a string such as
/// `"1/3"`.
#[must_use]
pub fn value_json(value: &Value, sort: &Sort) -> Json {
    match (value, sort) {
        (Value::Bool(value), _) => Json::Bool(*value),
        (Value::Str(text), _) => Json::String(text.to_string()),
        (Value::Real(real), _) => match real.decimal() {
            Some(decimal) => number(&decimal),
            None => Json::String(real.to_string()),
        },
        (Value::Int(seconds), Sort::Date) => Json::String(dates::show_date(*seconds)),
        (Value::Int(days), Sort::Day) => Json::String(dates::show_day(*days)),
        (Value::Int(at), Sort::Location) => {
            let place = usize::try_from(*at).ok().and_then(|at| zones::locations().get(at));
            place.map_or(Json::Null, |place| Json::String(place.name.clone()))
        }
        (Value::Int(at), Sort::Enum(choices)) => {
            let written = usize::try_from(*at).ok().and_then(|at| choices.json.get(at));
            written.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Json::Null)
        }
        (Value::Int(value), _) => number(&value.to_string()),
    }
}

fn number(text: &str) -> Json {
    serde_json::from_str::<serde_json::Number>(text)
        .map_or_else(|_| Json::String(text.to_owned()), Json::Number)
}
