//! Writes JSON (RFC 8259), one object per line.
//!
//! A crate for JSON is an alternative, but this module parses nothing and writes few shapes. A
//! crate that does both for any type takes longer to build than all the rest of the runner.

use std::fmt::Write as _;

use crate::strings;

/// An object that is being written at the end of a string.
#[derive(Debug)]
pub(super) struct Object<'a> {
    text: &'a mut String,
    is_empty: bool,
}

impl<'a> Object<'a> {
    pub(super) fn begin(text: &'a mut String) -> Object<'a> {
        strings::push(text, '{');
        Object { text, is_empty: true }
    }

    pub(super) fn end(self) {
        strings::push(self.text, '}');
    }

    /// Writes a key that needs no escapes.
    fn key(&mut self, key: &str) {
        if !self.is_empty {
            strings::push(self.text, ',');
        }
        self.is_empty = false;
        strings::push(self.text, '"');
        self.text.push_str(key);
        self.text.push_str("\":");
    }

    pub(super) fn text(&mut self, key: &str, value: &str) -> &mut Self {
        self.key(key);
        string(self.text, value);
        self
    }

    pub(super) fn number(&mut self, key: &str, value: f64) -> &mut Self {
        self.key(key);
        number(self.text, value);
        self
    }

    pub(super) fn count(&mut self, key: &str, value: u64) -> &mut Self {
        self.key(key);
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{value}");
        self
    }

    pub(super) fn flag(&mut self, key: &str, value: bool) -> &mut Self {
        self.key(key);
        self.text.push_str(if value { "true" } else { "false" });
        self
    }

    /// Writes a list. `write` writes the element with the given index.
    pub(super) fn list(
        &mut self,
        key: &str,
        length: usize,
        write: &mut dyn FnMut(&mut String, usize),
    ) -> &mut Self {
        self.key(key);
        strings::push(self.text, '[');
        for nth in 0..length {
            if nth > 0 {
                strings::push(self.text, ',');
            }
            write(self.text, nth);
        }
        strings::push(self.text, ']');
        self
    }

    /// Writes an object inside this one.
    pub(super) fn object(
        &mut self,
        key: &str,
        write: &mut dyn FnMut(&mut Object<'_>),
    ) -> &mut Self {
        self.key(key);
        let mut object = Object::begin(self.text);
        write(&mut object);
        object.end();
        self
    }
}

/// Writes a string. Escapes all control characters, and the two characters that end a line in
/// older JavaScript engines.
pub(super) fn string(text: &mut String, value: &str) {
    strings::push(text, '"');
    let is_plain = |b: &u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\');
    let value = match value.as_bytes().iter().all(is_plain) {
        true => {
            text.push_str(value);
            ""
        }
        false => value,
    };
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                let _ = write!(text, "\\u{:04x}", u32::from(c));
            }
            c => strings::push(text, c),
        }
    }
    strings::push(text, '"');
}

/// Writes a number. JSON has only finite numbers: the others become the strings `"NaN"`, `"inf"`
/// and `"-inf"`.
pub(super) fn number(text: &mut String, value: f64) {
    let float = strings::float(value);
    let _ = if value.is_finite() { write!(text, "{float}") } else { write!(text, "\"{float}\"") };
}

/// Writes a number or `null`.
pub(super) fn number_or_null(text: &mut String, value: Option<f64>) {
    match value {
        Some(value) => number(text, value),
        None => text.push_str("null"),
    }
}

#[cfg(test)]
mod tests {
    use rebut_gen::{floats, strings};
    use serde_json::Value;

    use super::*;
    use crate::Check;

    fn written(write: impl FnOnce(&mut String)) -> String {
        let mut text = String::new();
        write(&mut text);
        text
    }

    #[test]
    fn every_string_reads_back_as_it_was() {
        let report = Check::new("strings").seed(1).run(|case| {
            let value = case.draw_as("value", strings());
            let text = written(|text| string(text, &value));
            assert!(!text.contains(char::is_control), "{text:?}");
            serde_json::from_str::<String>(&text).is_ok_and(|read| read == value)
        });
        assert!(report.verdict.is_success(), "{report}");
    }

    #[test]
    fn every_number_reads_back_as_it_was() {
        let report = Check::new("numbers").seed(1).run(|case| {
            let value = case.draw_as("value", floats::<f64>());
            let text = written(|text| number(text, value));
            match serde_json::from_str(&text).expect("JSON") {
                // This parser reads numbers only approximately.
                Value::Number(_) => text.parse() == Ok(value),
                Value::String(read) => !value.is_finite() && read == value.to_string(),
                _ => false,
            }
        });
        assert!(report.verdict.is_success(), "{report}");
    }

    #[test]
    fn objects_are_written_without_spaces() {
        let text = written(|text| {
            let mut object = Object::begin(text);
            object.text("a", "\u{1}\n").number("b", 1e300).number("c", f64::NEG_INFINITY);
            object.count("d", u64::MAX).flag("e", true).object("g", &mut |object| {
                object.list("h", 2, &mut |text, nth| number_or_null(text, [Some(0.5), None][nth]));
            });
            object.end();
        });
        let expected = r#"{"a":"\u0001\n","b":1e300,"c":"-inf","d":18446744073709551615,"e":true,"g":{"h":[0.5,null]}}"#;
        assert_eq!(text, expected);
    }
}
