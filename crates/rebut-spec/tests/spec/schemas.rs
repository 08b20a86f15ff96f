//! Models of JSON schemas, validated by another implementation of JSON Schema.

use crate::common::{files, load};
use rebut::any;
use rebut::prelude::*;
use rebut_spec::{Environment, Options, Program, generate, output};
use serde_json::{Value, json};

/// The models of an environment with one output, as values.
fn values(environment: &Environment, count: usize) -> Vec<Value> {
    let options = Options { count: Some(count), ..Options::default() };
    let outcome = generate(environment, &options).expect("models");
    let model = |model| match output::json(environment, model) {
        Value::Object(fields) => fields.into_iter().next().map(|(_, value)| value),
        _ => None,
    };
    outcome.models.iter().filter_map(model).collect()
}

fn assert_valid(schema: &Value, value: &Value) {
    let validator = jsonschema::options().should_validate_formats(true).build(schema);
    let validator = validator.expect("a schema");
    let errors: Vec<String> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{value}\n{errors:?}\n{schema}");
}

#[test]
fn models_of_the_examples_are_valid() {
    let mut checked = 0;
    for path in files("frontends") {
        let text = std::fs::read_to_string(&path).expect("a file");
        let schema: Value = match serde_json::from_str(&text) {
            Ok(schema) => schema,
            Err(_) => continue,
        };
        if schema.get("$schema").is_none() {
            continue;
        }
        for value in values(&load(&path).environments[0], 60) {
            assert_valid(&schema, &value);
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked}");
}

/// A random schema.
#[derive(Clone, Debug, Generate)]
enum RandomSchema {
    Text(#[generate(0..=3)] u8, #[generate(3..=6)] u8),
    Pattern(#[generate(["^[a-c]+$", "x", "^[0-9]{2}", "(ab|cd)e?$"])] &'static str),
    Format(#[generate(["date", "email", "uuid", "ipv4", "time", "hostname"])] &'static str),
    Whole(#[generate(-3..=3)] i8, #[generate(3..=9)] i8),
    Real(#[generate(-3..=3)] i8),
    Even,
    Yes,
    Null,
    Names(#[generate(vecs(["a", "b", "c"]).min_size(1).max_size(3))] Vec<&'static str>),
    Mixed,
    Nothing,
    List(Box<RandomSchema>, #[generate(0..=2)] u8),
    Object(#[generate(vecs(any::<(bool, RandomSchema)>()).max_size(3))] Vec<(bool, RandomSchema)>),
    Map(Box<RandomSchema>),
    TextOrWhole,
    MaybeNull(Box<RandomSchema>),
    AnyOf(Box<RandomSchema>, Box<RandomSchema>),
    OneOf(Box<RandomSchema>, Box<RandomSchema>),
    Both(#[generate(0..=4)] i8, #[generate(2..=9)] i8),
}

impl RandomSchema {
    fn json(&self) -> Value {
        match self {
            Self::Text(min, max) => json!({"type": "string", "minLength": min, "maxLength": max}),
            Self::Pattern(pattern) => json!({"type": "string", "pattern": pattern}),
            Self::Format(format) => json!({"type": "string", "format": format}),
            Self::Whole(min, max) => json!({"type": "integer", "minimum": min, "maximum": max}),
            Self::Real(min) => json!({"type": "number", "exclusiveMinimum": min, "maximum": 10}),
            Self::Even => json!({"type": "integer", "multipleOf": 2, "minimum": 0}),
            Self::Yes => json!({"const": true}),
            Self::Null => json!({"type": "null"}),
            Self::Names(names) => {
                let mut names = names.clone();
                names.sort_unstable();
                names.dedup();
                json!({ "enum": names })
            }
            Self::Mixed => json!({"enum": [1, "one", null, false]}),
            Self::Nothing => json!({}),
            Self::List(items, min) => {
                json!({"type": "array", "items": items.json(), "minItems": min, "maxItems": 2})
            }
            Self::Object(fields) => {
                let names = ["first", "second", "third"];
                let all = names.iter().zip(fields);
                let required: Vec<&str> =
                    all.clone().filter(|(_, (must, _))| *must).map(|(name, _)| *name).collect();
                let properties: serde_json::Map<String, Value> =
                    all.map(|(name, (_, random))| ((*name).to_owned(), random.json())).collect();
                json!({"type": "object", "properties": properties, "required": required})
            }
            Self::Map(values) => json!({"type": "object", "additionalProperties": values.json()}),
            Self::TextOrWhole => {
                json!({"type": ["string", "integer"], "maxLength": 3, "minimum": 0})
            }
            Self::MaybeNull(inner) => json!({"anyOf": [inner.json(), {"type": "null"}]}),
            Self::AnyOf(left, right) => json!({"anyOf": [left.json(), right.json()]}),
            Self::OneOf(left, right) => json!({"oneOf": [left.json(), right.json()]}),
            Self::Both(min, max) => {
                json!({"allOf": [{"type": "integer", "minimum": min}, {"maximum": max}]})
            }
        }
    }
}

#[rebut::test(cases = 300, deadline = "2min")]
#[example(RandomSchema::OneOf(
    Box::new(RandomSchema::Format("hostname")),
    Box::new(RandomSchema::Text(0, 3))
))]
fn models_of_random_schemas_are_valid(random: RandomSchema) {
    let mut schema = random.json();
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    let program = Program::parse("random.json", &schema.to_string());
    // Rebut rejects a `oneOf` whose alternatives may overlap.
    assume!(!program.has_errors());
    for value in values(&program.environments[0], 8) {
        assert_valid(&schema, &value);
    }
}
