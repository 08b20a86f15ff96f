//! Documents of the crate `serde_json`.

use rebut_choice::{Label, Source};
use serde_json::{Map, Number, Value};

use crate::maps::{Entries, draw_map};
use crate::size::Sizes;
use crate::{Code, Generate, Generator, ToCode, floats};

const VALUE: Label = Label::recursive("serde_json::Value");
/// The first alternatives do not contain other values.
const LEAVES: usize = 4;

impl Generate for Value {
    #[inline]
    fn generate(source: &mut Source) -> Value {
        source.span(VALUE, |source| {
            let kind = source.alternative(6, &[], LEAVES);
            source.span(Label::ALTERNATIVE, |source| match kind {
                0 => Value::Null,
                1 => Value::Bool(bool::generate(source)),
                2 => Value::Number(Number::generate(source)),
                3 => Value::String(String::generate(source)),
                4 => Value::Array(Vec::generate(source)),
                _ => Value::Object(Map::generate(source)),
            })
        })
    }
}

/// Generates integers of an `i64`, larger ones of a `u64`, and finite floats.
impl Generate for Number {
    #[inline]
    fn generate(source: &mut Source) -> Number {
        source.span(Label::group("serde_json::Number"), |source| {
            let kind = source.alternative(3, &[4, 1, 3], 3);
            source.span(Label::ALTERNATIVE, |source| match kind {
                0 => Number::from(i64::generate(source)),
                1 => Number::from(source.integer(1 << 63, (1 << 64) - 1) as u64),
                _ => {
                    let finite = floats::<f64>().allow_nan(false).allow_infinity(false);
                    Number::from_f64(finite.draw(source)).unwrap_or_else(|| Number::from(0))
                }
            })
        })
    }
}

impl Generate for Map<String, Value> {
    #[inline]
    fn generate(source: &mut Source) -> Map<String, Value> {
        draw_map(source, "Map", Sizes::default(), || None, String::generate, Value::generate)
    }
}

impl Entries<String, Value> for Map<String, Value> {
    // With a feature of `serde_json`, the map keeps the order.
    const ANY_ORDER: bool = false;

    fn has(&self, key: &String) -> bool {
        self.contains_key(key)
    }

    fn add(&mut self, key: String, value: Value) {
        self.insert(key, value);
    }

    fn entries(&self) -> usize {
        self.len()
    }
}

/// The maximum number of values in one macro `json!`. It expands value by value, and the compiler
/// limits the depth of an expansion to 128.
const JSON_MAX: usize = 24;

impl ToCode for Value {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        match self {
            Value::Array(values) if values_in(self) > JSON_MAX => {
                code.call("serde_json::Value::Array", &[values]);
            }
            Value::Object(map) if values_in(self) > JSON_MAX => {
                code.call("serde_json::Value::Object", &[map]);
            }
            _ => {
                code.push("serde_json::json!(");
                write_json(code, self);
                code.push(")");
            }
        }
    }
}

/// Returns the number of values in a document, including itself.
fn values_in(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(values_in).sum(),
        Value::Object(map) => map.values().map(values_in).sum(),
        _ => 0,
    }
}

/// Writes the value in the syntax of the macro `json!`.
fn write_json(code: &mut Code, value: &Value) {
    match value {
        Value::Null => code.push("null"),
        Value::Bool(value) => value.to_code(code),
        Value::Number(number) => write_number(code, number),
        Value::String(text) => str::to_code(text, code),
        Value::Array(values) => {
            code.push("[");
            for (n, value) in values.iter().enumerate() {
                code.push(if n > 0 { ", " } else { "" });
                write_json(code, value);
            }
            code.push("]");
        }
        Value::Object(map) => {
            code.push("{");
            for (n, (key, value)) in map.iter().enumerate() {
                code.push(if n > 0 { ", " } else { "" });
                str::to_code(key, code);
                code.push(": ");
                write_json(code, value);
            }
            code.push("}");
        }
    }
}

/// Writes a literal with a suffix where its type does not follow from the context.
fn write_number(code: &mut Code, number: &Number) {
    if let Some(whole) = number.as_i64() {
        let suffix = if i32::try_from(whole).is_ok() { "" } else { "i64" };
        code.format(format_args!("{whole}{suffix}"));
    } else if let Some(whole) = number.as_u64() {
        code.format(format_args!("{whole}u64"));
    } else {
        number.as_f64().unwrap_or_default().to_code(code);
    }
}

impl ToCode for Number {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let whole = self.is_i64() || self.is_u64();
        code.push(if whole {
            "serde_json::Number::from("
        } else {
            "serde_json::Number::from_f64("
        });
        write_number(code, self);
        code.push(if whole { ")" } else { ").unwrap()" });
    }
}

impl ToCode for Map<String, Value> {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        code.push("serde_json::Map::from_iter([");
        for (n, (key, value)) in self.iter().enumerate() {
            code.push(if n > 0 { ", " } else { "" });
            code.call("", &[key, value]);
        }
        code.push("])");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, prints, replays};
    use crate::{any, simplest};
    use serde_json::json;

    #[test]
    fn documents_of_every_kind_are_drawn_and_read_back() {
        let all = drawn(&any::<Value>(), 500);
        for is in [Value::is_null, Value::is_boolean, Value::is_u64, Value::is_f64] {
            assert!(all.iter().any(is));
        }
        assert!(
            all.iter().any(|v| v.as_array().is_some_and(|list| list.iter().any(Value::is_object)))
        );
        assert_eq!(simplest(&any::<Value>()), Value::Null);
        replays(&any::<Value>());
    }

    fn has_float(value: &Value) -> bool {
        match value {
            Value::Number(number) => number.is_f64(),
            Value::Array(values) => values.iter().any(has_float),
            Value::Object(map) => map.values().any(has_float),
            _ => false,
        }
    }

    #[test]
    fn documents_and_numbers_parse_again() {
        for (value, number) in drawn(&any::<(Value, Number)>(), 2000) {
            // The default parser of floats can be off by the last bit.
            if !has_float(&value) {
                assert_eq!(value.to_string().parse::<Value>().ok(), Some(value));
            }
            if !number.is_f64() {
                assert_eq!(serde_json::from_str(&number.to_string()).ok(), Some(number));
            }
        }
    }

    #[test]
    fn documents_shrink_to_null() {
        let found = rebut::find(rebut::any(), |value: &Value| value.is_object());
        assert_eq!(found, Some(json!({})));
        let found = rebut::find(rebut::any(), |value: &Value| value.as_i64() > Some(9));
        assert_eq!(found, Some(json!(10)));
    }

    #[test]
    fn long_documents_are_split_into_several_macros() {
        let long: Value = (0..40).map(Value::from).collect();
        let nested = json!([long, {"a": 1}]);
        let text = Code::of(&nested);
        assert!(text.starts_with("serde_json::Value::Array(vec![serde_json::Value::Array(vec!["));
        assert!(
            text.ends_with("serde_json::json!(39)]), serde_json::json!({\"a\": 1})])"),
            "{text}"
        );
    }

    #[test]
    fn documents_are_written_as_json() {
        prints!(serde_json::json!({"a": [1, null, -2.5], "b": {"c": "d\n"}}));
        prints!(serde_json::json!(18446744073709551615u64));
        prints!(serde_json::json!(-9223372036854775808i64));
        prints!(serde_json::Number::from(7));
        prints!(serde_json::Number::from_f64(0.5).unwrap());
        prints!(serde_json::Map::from_iter([("k".to_string(), serde_json::json!(true))]));
    }
}
