//! Types with attributes of serde.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, rebut::Generate)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Inner {
    some_name: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    maybe_text: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, rebut::Generate)]
#[serde(tag = "kind", content = "value")]
enum Outer {
    Unit,
    #[serde(rename = "one")]
    One(Inner),
    Two { list: Vec<i64>, flag: bool },
}

#[rebut::test]
fn json_round_trips(outer: Outer) {
    let text = serde_json::to_string(&outer).expect("a text");
    assert_eq!(serde_json::from_str::<Outer>(&text).expect("a value"), outer);
}
