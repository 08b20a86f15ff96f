//! Files of keys and values.

use configparser::ini::Ini;
use rebut::prelude::*;

fn parsed(text: &str) -> Option<Ini> {
    let mut ini = Ini::new();
    ini.read(text.to_owned()).ok().map(|_| ini)
}

// true: numbers are read back.
#[rebut::test]
fn numbers_are_read(n: i64) {
    let ini = parsed(&format!("[a]\nkey = {n}")).expect("it is a file");
    assert_eq!(ini.getint("a", "key"), Ok(Some(n)));
}

// true: keys are lowercase.
#[rebut::test]
fn keys_have_no_case(#[from(strings().alphabet('A'..='C').max_size(2))] key: String) {
    let ini = parsed(&format!("[a]\nx{key} = 1")).expect("it is a file");
    assert_eq!(ini.get("a", &format!("X{key}").to_lowercase()).as_deref(), Some("1"));
}

// false (easy): ";".to_owned()
#[rebut::test]
fn values_are_kept(#[from(strings().alphabet(';'..='>').max_size(2))] value: String) {
    let ini = parsed(&format!("[a]\nkey = x{value}")).expect("it is a file");
    assert_eq!(ini.get("a", "key"), Some(format!("x{value}")));
}

// true: errors are values.
#[rebut::test]
fn parsing_never_panics(#[from(strings().alphabet(';'..=']').max_size(3))] text: String) {
    let _ = parsed(&text);
}
