//! Parses JSON (RFC 8259).
//!
//! Numbers keep their spelling: a whole number of any size and a decimal fraction keep their
//! exact value instead of the nearest float. A crate would do the same, but every user of Rebut
//! would have to build it.

use crate::strings;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// A number, with its original spelling.
    Number(String),
    Text(String),
    List(Vec<Json>),
    /// The fields, in the order of the file.
    Object(Vec<(String, Json)>),
}

/// The maximum nesting depth, so that no document overflows the stack. Arbitrary; deeper is an
/// error.
const DEPTH_MAX: usize = 128;

impl Json {
    /// Parses a value. The error describes what is wrong.
    pub(crate) fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let value = reader.value()?;
        reader.skip_space();
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err(reader.error("nothing more")),
        }
    }

    /// Returns a field of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(fields) = self else { return None };
        let (_, value) = fields.iter().find(|(field, _)| field == name)?;
        Some(value)
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Json]> {
        match self {
            Json::List(list) => Some(list),
            _ => None,
        }
    }

    /// Returns the kind of value, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Number(_) => "a number",
            Json::Text(_) => "a string",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }

    /// Formats the value as JSON, for messages.
    pub(crate) fn show(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        match self {
            Json::Null => text.push_str("null"),
            Json::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
            Json::Number(number) => text.push_str(number),
            Json::Text(value) => write_text(value, text),
            Json::List(list) => {
                text.push('[');
                for (n, item) in list.iter().enumerate() {
                    text.push_str(if n > 0 { ", " } else { "" });
                    item.write(text);
                }
                text.push(']');
            }
            Json::Object(fields) => {
                text.push('{');
                for (n, (name, value)) in fields.iter().enumerate() {
                    text.push_str(if n > 0 { ", " } else { "" });
                    write_text(name, text);
                    text.push_str(": ");
                    value.write(text);
                }
                text.push('}');
            }
        }
    }
}

fn write_text(value: &str, text: &mut String) {
    strings::push(text, '"');
    for c in value.chars() {
        match c {
            '"' | '\\' => {
                strings::push(text, '\\');
                strings::push(text, c);
            }
            c if c < ' ' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => strings::push(text, c),
        }
    }
    strings::push(text, '"');
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn error(&self, expected: &str) -> String {
        let before = &self.text.as_bytes()[..self.at.min(self.text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        format!("expected {expected} in line {line}, at byte {}", self.at)
    }

    /// Consumes this byte, after any white space. Returns whether it was there.
    fn take(&mut self, byte: u8) -> bool {
        self.skip_space();
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn value(&mut self) -> Result<Json, String> {
        self.skip_space();
        match self.peek() {
            Some(b'"') => self.string().map(Json::Text),
            Some(b'[') => self.nested(Reader::list),
            Some(b'{') => self.nested(Reader::object),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                let words = [
                    ("null", Json::Null),
                    ("true", Json::Bool(true)),
                    ("false", Json::Bool(false)),
                ];
                for (word, value) in words {
                    if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                Err(self.error("a value"))
            }
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Json, String>) -> Result<Json, String> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.error("at most 128 levels of nesting"));
        }
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Result<Json, String> {
        let mut list = Vec::new();
        if self.take(b']') {
            return Ok(Json::List(list));
        }
        loop {
            list.push(self.value()?);
            if self.take(b']') {
                return Ok(Json::List(list));
            }
            if !self.take(b',') {
                return Err(self.error("`,` or `]`"));
            }
        }
    }

    fn object(&mut self) -> Result<Json, String> {
        let mut fields = Vec::new();
        if self.take(b'}') {
            return Ok(Json::Object(fields));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.error("the name of a field"));
            }
            let name = self.string()?;
            if !self.take(b':') {
                return Err(self.error("`:`"));
            }
            fields.push((name, self.value()?));
            if self.take(b'}') {
                return Ok(Json::Object(fields));
            }
            if !self.take(b',') {
                return Err(self.error("`,` or `}`"));
            }
        }
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        let number = &self.text[start..self.at];
        match number.parse::<f64>() {
            Ok(_) => Ok(Json::Number(number.to_owned())),
            Err(_) => Err(self.error("a number")),
        }
    }

    /// Parses a string that begins with the next byte, an opening quote.
    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(c) = self.text[self.at..].chars().next() else {
                return Err(self.error("the end of a string"));
            };
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(text),
                '\\' => strings::push(&mut text, self.escaped()?),
                c if c < ' ' => return Err(self.error("no control character in a string")),
                c => strings::push(&mut text, c),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        let byte = self.peek();
        self.at += 1;
        Ok(match byte {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'u') => {
                let mut number = self.hex()?;
                // A character beyond 16 bits is written as two halves.
                if (0xD800..0xDC00).contains(&number) && self.text[self.at..].starts_with("\\u") {
                    self.at += 2;
                    let low = self.hex()?;
                    if !(0xDC00..0xE000).contains(&low) {
                        return Err(self.error("the second half of a character"));
                    }
                    number = 0x1_0000 + ((number - 0xD800) << 10) + (low - 0xDC00);
                }
                char::from_u32(number).ok_or_else(|| self.error("a character"))?
            }
            _ => return Err(self.error("a valid escape")),
        })
    }

    fn hex(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.at += 4;
        number.ok_or_else(|| "expected four hexadecimal digits after `\\u`".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, shown: &str) {
        assert_eq!(Json::parse(text).map_or_else(|error| error, |json| json.show()), shown);
    }

    #[test]
    fn values_are_read_and_numbers_kept_as_written() {
        check(" null ", "null");
        check("[true, false, []]", "[true, false, []]");
        check(
            "[-0, 1.50, 1e400, 340282366920938463463374607431768211455]",
            "[-0, 1.50, 1e400, 340282366920938463463374607431768211455]",
        );
        check(r#"{"a": {"b": "c"}, "d": {}}"#, r#"{"a": {"b": "c"}, "d": {}}"#);
    }

    #[test]
    fn escapes_are_characters() {
        let text = Json::parse(r#""\"\\\/\n\u00e4\ud83d\ude00""#).expect("a string");
        assert_eq!(text.as_text(), Some("\"\\/\nä😀"));
    }

    #[test]
    fn no_text_makes_it_panic() {
        let parts = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d800", "e4", "-", ".", "1", "t",
            "rue", "null", " ", "\n", "ä", "😀", "a",
        ];
        let texts = rebut_gen::vecs(rebut_gen::sampled_from(parts));
        let report = crate::Check::new("reads or refuses").seed(1).run(|case| {
            let text = case.draw(&texts).concat();
            // The output of `show` parses to the same value.
            match Json::parse(&text) {
                Ok(json) => Json::parse(&json.show()).is_ok_and(|again| again == json),
                Err(why) => !why.is_empty(),
            }
        });
        assert!(report.verdict.is_success(), "{report}");
    }

    #[test]
    fn errors_have_a_position() {
        check("", "expected a value in line 1, at byte 0");
        check("[1,\n2", "expected `,` or `]` in line 2, at byte 5");
        check("{\"a\" 1}", "expected `:` in line 1, at byte 5");
        check("{a: 1}", "expected the name of a field in line 1, at byte 1");
        check("1 2", "expected nothing more in line 1, at byte 2");
        check("1-", "expected a number in line 1, at byte 2");
        check("\"abc", "expected the end of a string in line 1, at byte 4");
        check("\"\\ud800\"", "expected a character in line 1, at byte 7");
        check(
            "\"\\ud800\\u0041\"",
            "expected the second half of a character in line 1, at byte 13",
        );
        check("\"\\ux\"", "expected four hexadecimal digits after `\\u`");
        check("\"\\x\"", "expected a valid escape in line 1, at byte 3");
        check(
            &"[".repeat(100_000),
            "expected at most 128 levels of nesting in line 1, at byte 128",
        );
    }
}
