use json::number::Number;
use json::JsonValue;
use rebut::prelude::*;
use std::collections::{BTreeMap, HashMap};

#[derive(Debug, Clone, PartialEq, Generate)]
enum Tree {
    Null,
    Flag(bool),
    Whole(i32),
    Real(f64),
    Text(String),
    List(Vec<Tree>),
    Record(BTreeMap<String, Tree>),
}

fn build(tree: &Tree) -> JsonValue {
    match tree {
        Tree::Null => JsonValue::Null,
        Tree::Flag(flag) => (*flag).into(),
        Tree::Whole(number) => (*number).into(),
        Tree::Real(number) => (*number).into(),
        Tree::Text(text) => text.as_str().into(),
        Tree::List(list) => JsonValue::Array(list.iter().map(build).collect()),
        Tree::Record(fields) => {
            let mut object = JsonValue::new_object();
            for (name, field) in fields {
                object[name.as_str()] = build(field);
            }
            object
        }
    }
}

// NaN and infinity are written as null.
// expect: failed
#[rebut::test]
fn values_round_trip(tree: Tree) -> json::Result<()> {
    let value = build(&tree);
    assert_eq!(json::parse(&value.dump())?, value);
    Ok(())
}

// The conversion of the smallest integers overflows.
// expect: failed: attempt to negate with overflow
#[rebut::test]
fn pretty_text_has_the_same_value(tree: Tree, #[from(0..9u16)] spaces: u16) {
    let value = build(&tree);
    let Ok(parsed) = json::parse(&value.dump()) else { return };
    assert_eq!(json::parse(&value.pretty(spaces)).unwrap(), parsed);
}

// expect: passed
#[rebut::test]
fn parsing_never_panics(#[from(strings().alphabet(chars().one_of("[]{}\",:0123456789eE+-.\\ntrufals ")))] text: String) {
    let _ = json::parse(&text);
}

// expect: rarely checked
#[rebut::test]
fn objects_start_with_a_brace(text: String) {
    if let Ok(JsonValue::Object(object)) = json::parse(&text) {
        assert!(text.trim_start().starts_with('{'), "{}", object.len());
    }
}

// expect: failed
#[rebut::test]
fn parts_of_numbers_round_trip(positive: bool, mantissa: u64, exponent: i16) {
    let number = Number::from_parts(positive, mantissa, exponent);
    assert_eq!(number.as_parts(), (positive, mantissa, exponent));
}

// expect: failed: attempt to add with overflow
#[rebut::test]
fn fixed_points_never_panic(number: (bool, u64, i16), point: u16) {
    let (positive, mantissa, exponent) = number;
    let number = Number::from_parts(positive, mantissa, exponent);
    let _ = number.as_fixed_point_u64(point);
    let _ = number.as_fixed_point_i64(point);
}

// Numbers above 2^53 stay exact, but those of f64 do not.
// expect: failed
#[rebut::test]
fn integers_are_floats(number: u64, _other: Option<Vec<u8>>) -> bool {
    JsonValue::from(number) == JsonValue::from(number as f64)
}

// expect: passed
#[rebut::test]
fn objects_are_maps(fields: HashMap<String, u32>, removed: &str) {
    let mut object = json::object::Object::new();
    for (name, &value) in &fields {
        object.insert(name, value.into());
    }
    assert_eq!(object.len(), fields.len());
    assert_eq!(object.remove(removed).and_then(|value| value.as_u32()), fields.get(removed).copied());
    for (name, value) in object.iter() {
        assert_eq!(value.as_u32(), Some(fields[name]));
    }
}

// The last of two equal keys wins.
// expect: failed
#[rebut::test]
fn every_key_is_kept(keys: &[String]) {
    let mut object = JsonValue::new_object();
    for key in keys {
        object.insert(key, json::Null).unwrap();
    }
    assert_eq!(object.len(), keys.len());
}

// expect: failed: attempt to negate with overflow
#[rebut::test]
fn booleans_and_numbers_differ(flag: bool, number: i64) {
    assert!(JsonValue::from(flag) != JsonValue::from(number));
}

/// A JSON object, without its types.
#[derive(Debug)]
pub struct Document {
    object: json::object::Object,
}

#[rebut::contract]
#[model(BTreeMap<String, u8>, self.object.len() == model.len())]
impl Document {
    pub fn new() -> Document {
        Document { object: json::object::Object::new() }
    }

    #[model({ model.insert(key.to_string(), value); })]
    pub fn put(&mut self, key: &str, value: u8) {
        self.object.insert(key, value.into());
    }

    #[model(model.get(key).copied())]
    pub fn find(&self, key: &str) -> Option<u8> {
        self.object.get(key).and_then(|value| value.as_u8())
    }

    #[model(model.remove(key))]
    pub fn take(&mut self, key: &str) -> Option<u8> {
        self.object.remove(key).and_then(|value| value.as_u8())
    }

    /// The keys come in the order of insertion.
    #[model(model.keys().cloned().collect::<Vec<String>>())]
    pub fn keys(&self) -> Vec<String> {
        self.object.iter().map(|(key, _)| key.to_string()).collect()
    }
}

// Objects keep the order of insertion, and the model sorts.
// expect: failed: broken model: `Document::keys`
#[rebut::test]
fn documents_match_maps(program: rebut::Program<Document>) {
    program.run();
}
