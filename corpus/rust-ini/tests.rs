use ini::{EscapePolicy, Ini, ParseOption, Properties, WriteOption};
use rebut::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::error::Error;

#[derive(Debug, Clone, Generate, PartialEq)]
enum Op {
    Set(Option<String>, String, String),
    Delete { section: Option<String>, key: String },
    DropSection(Option<String>),
    Clear,
}

fn apply(ini: &mut Ini, op: &Op) {
    match op {
        Op::Set(section, key, value) => {
            ini.with_section(section.clone()).set(key.clone(), value.clone());
        }
        Op::Delete { section, key } => {
            ini.delete_from(section.clone(), key);
        }
        Op::DropSection(section) => {
            ini.delete(section.clone());
        }
        Op::Clear => ini.clear(),
    }
}

fn printed(ini: &Ini) -> String {
    let mut bytes = Vec::new();
    ini.write_to(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn lines() -> impl Generator<Value = String> {
    let value = strings().alphabet(chars().one_of("az;# ")).max_size(4);
    (chars().one_of("ab"), value).map(|(key, value)| format!("{key}={value}"))
}

// Signs of the format are not escaped.
// expect: failed
#[rebut::test]
fn documents_round_trip(ops: Vec<Op>) {
    let mut ini = Ini::new();
    ops.iter().for_each(|op| apply(&mut ini, op));
    let text = printed(&ini);
    let back = Ini::load_from_str(&text).unwrap_or_else(|error| panic!("{error} in {text:?}"));
    assert_eq!(printed(&back), text);
}

// Spaces around a value are not part of it.
// expect: failed
#[rebut::test]
fn all_values_round_trip(map: HashMap<String, String>) {
    let mut ini = Ini::new();
    for (key, value) in &map {
        ini.with_section(Some("s")).set(key.as_str(), value.as_str());
    }
    let back = Ini::load_from_str(&printed(&ini)).unwrap();
    for (key, value) in &map {
        assert_eq!(back.get_from(Some("s"), key), Some(value.as_str()));
    }
}

// expect: passed
#[rebut::test]
fn numbers_round_trip(map: BTreeMap<u8, i16>, section: Option<u8>) {
    let section = section.map(|section| format!("s{section}"));
    let mut ini = Ini::new();
    for (key, value) in &map {
        ini.with_section(section.clone()).set(format!("k{key}"), value.to_string());
    }
    let back = Ini::load_from_str(&printed(&ini)).unwrap();
    for (key, value) in &map {
        let found = back.get_from(section.clone(), &format!("k{key}"));
        assert_eq!(found, Some(value.to_string().as_str()));
    }
}

// expect: passed
#[rebut::test]
fn loading_never_panics(text: &str, enabled_quote: bool, enabled_escape: bool) {
    let options = ParseOption { enabled_quote, enabled_escape, ..ParseOption::default() };
    let _ = Ini::load_from_str_opt(text, options);
}

// An error at the end is in the line after the last one.
// expect: failed
#[rebut::test]
fn errors_are_in_a_line_of_the_text(text: String) {
    if let Err(error) = Ini::load_from_str(&text) {
        assert!(error.line <= text.lines().count(), "{}", error);
        assert!(!error.msg.is_empty());
    }
}

// A key counts once.
// expect: failed
#[rebut::test]
fn each_line_is_a_property(#[from(vecs(lines()).max_size(5))] lines: Vec<String>) {
    let ini = Ini::load_from_str(&lines.join("\n")).unwrap();
    let count: usize = ini.iter().map(|(_, properties)| properties.len()).sum();
    assert_eq!(count, lines.len());
}

// The last value wins.
// expect: failed
#[rebut::test]
fn the_first_value_of_a_key_stays(pairs: Vec<(bool, u8)>, key: bool) {
    let mut properties = Properties::new();
    for (key, value) in &pairs {
        properties.insert(key.to_string(), value.to_string());
    }
    let first = pairs.iter().find(|pair| pair.0 == key).map(|pair| pair.1.to_string());
    assert_eq!(properties.get(key.to_string()).map(str::to_owned), first);
}

// expect: failed: right: 1
#[rebut::test]
fn appending_keeps_all(pairs: Vec<(char, char)>, keep: impl Fn(char) -> bool) {
    let mut properties = Properties::new();
    for (key, value) in pairs.iter().filter(|pair| keep(pair.0)) {
        properties.append(key.to_string(), value.to_string());
    }
    assert_eq!(properties.len(), pairs.len());
}

// expect: failed: NaN is not NaN
#[rebut::test]
fn any_separator_serves(
    #[from(["=", ":", " = "])] separator: &'static str,
    value: f64,
) -> Result<(), Box<dyn Error>> {
    let mut ini = Ini::new();
    ini.with_general_section().set("a", value.to_string());
    let mut bytes = Vec::new();
    let options = WriteOption {
        escape_policy: EscapePolicy::Nothing,
        kv_separator: separator,
        ..Default::default()
    };
    ini.write_to_opt(&mut bytes, options)?;
    let back = Ini::load_from_str(&String::from_utf8(bytes)?)?;
    let found: f64 = back.general_section().get("a").ok_or("lost")?.parse()?;
    if found != value {
        return Err(format!("{found} is not {value}").into());
    }
    Ok(())
}

// The lines of the literal are part of the message.
// expect: failed: host = a
#[rebut::test]
fn ports_have_three_digits(port: u16) {
    let text = format!(
        "[server]
port = {port}
    host = a
  ; the last line"
    );
    let ini = Ini::load_from_str(&text).unwrap();
    assert_eq!(ini.get_from(Some("server"), "host"), Some("a"));
    assert!(ini.get_from(Some("server"), "port").unwrap().len() <= 3, "in {}", text);
}

// expect: passed
#[rebut::test]
fn printed_numbers_are_documents(number: u32) -> Result<(), Box<dyn Error>> {
    let ini = Ini::load_from_str(&format!("a = {number}"))?;
    if printed(&ini).trim_end() != format!("a={number}") {
        Err("another document")?;
    }
    Ok(())
}
