//! Checks that a generated value is the one in the document.
//!
//! The driver answers a generator from the document, but the generator may map or shift the
//! answers. This module therefore looks at the value as the report would show it: every literal
//! in its code must occur in the document, and everything in the document must be a literal or
//! the name of a variant in the code.

use super::json::Json;
use super::names::same_name;

/// Returns whether the code of a value agrees with a document.
pub(super) fn agrees(code: &str, json: &Json) -> bool {
    let Some(all) = literals(code) else { return false };
    let (mut words, mut values) = (Vec::new(), Vec::new());
    // In reverse, so that the next literal is at the end.
    for literal in all.into_iter().rev() {
        match literal {
            Literal::Word(_) => words.push(literal),
            _ => values.push(literal),
        }
    }
    let mut document = DocumentLeaves::default();
    document.add(json);
    let is_there = |leaf: &Json, values: &mut Vec<Literal>, words: &mut Vec<Literal>| {
        take(values, leaf) || (leaf.as_text().is_some() && take(words, leaf))
    };
    if !document.leaves.iter().all(|leaf| is_there(leaf, &mut values, &mut words)) {
        return false;
    }
    // The name of a field is a literal in the code only if the object is a map.
    for key in document.keys {
        if values.is_empty() {
            break;
        }
        take(&mut values, &Json::Text(key));
    }
    values.is_empty()
}

/// Removes the next literal that equals this leaf. Returns whether there is one.
fn take(literals: &mut Vec<Literal>, leaf: &Json) -> bool {
    let found = literals.iter().rposition(|literal| literal.matches_leaf(leaf));
    found.map(|at| literals.remove(at)).is_some()
}

/// The content of a document.
#[derive(Default)]
struct DocumentLeaves {
    leaves: Vec<Json>,
    /// The names of fields, which are literals in the code if the object is a map.
    keys: Vec<String>,
}

impl DocumentLeaves {
    fn add(&mut self, json: &Json) {
        match json {
            Json::Null => {}
            Json::List(list) => {
                for item in list {
                    self.add(item);
                }
            }
            Json::Object(fields) => {
                for (name, value) in fields {
                    self.keys.push(name.clone());
                    self.add(value);
                }
            }
            leaf => self.leaves.push(leaf.clone()),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Literal {
    /// A number without its suffix.
    Number(String),
    Text(String),
    Bool(bool),
    /// An identifier.
    Word(String),
}

impl Literal {
    fn matches_leaf(&self, leaf: &Json) -> bool {
        match (self, leaf) {
            (Literal::Number(a), Json::Number(b)) => same_number(a, b),
            (Literal::Text(a), Json::Text(b)) => a == b,
            (Literal::Word(a), Json::Text(b)) => same_name(a, b),
            (Literal::Bool(a), Json::Bool(b)) => a == b,
            _ => false,
        }
    }
}

fn same_number(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    if let (Some(a), Some(b)) = (whole(a), whole(b)) {
        return a == b;
    }
    a.parse::<f64>().is_ok_and(|a| b.parse::<f64>().is_ok_and(|b| a == b))
}

/// Returns the sign and the digits of a whole number, without redundant zeros, or `None` if it is
/// not whole.
fn whole(number: &str) -> Option<(bool, &str)> {
    let (negative, digits) = match number.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, number),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    Some((negative && !digits.is_empty(), digits))
}

/// Returns the literals and names in an expression, or `None` if a part of it is not understood.
fn literals(code: &str) -> Option<Vec<Literal>> {
    let mut found: Vec<Literal> = Vec::new();
    let mut rest = code;
    let mut repeats = false;
    let mut negative = false;
    while let Some(c) = rest.chars().next() {
        let is_name = |c: char| c == '_' || c.is_alphanumeric();
        if c.is_ascii_digit() {
            let (number, after) = number(rest);
            rest = after;
            if std::mem::take(&mut repeats) {
                let copies = number.parse::<usize>().ok()?;
                let copied = last_literal(&found)?.clone();
                for _ in 1..copies {
                    found.push(copied.clone());
                }
            } else {
                found.push(Literal::Number(format!("{}{number}", if negative { "-" } else { "" })));
            }
        } else if is_name(c) {
            let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
            found.push(match &rest[..end] {
                "true" => Literal::Bool(true),
                "false" => Literal::Bool(false),
                word => Literal::Word(word.to_owned()),
            });
            rest = &rest[end..];
        } else if c == '"' || c == '\'' {
            let (text, after) = quoted(rest, c)?;
            found.push(Literal::Text(text));
            rest = after;
        } else {
            rest = &rest[c.len_utf8()..];
            repeats = c == ';' || (repeats && c == ' ');
        }
        negative = c == '-';
    }
    Some(found)
}

/// Returns the literal that `[value; 5]` repeats.
fn last_literal(found: &[Literal]) -> Option<&Literal> {
    found.iter().rev().find(|literal| !matches!(literal, Literal::Word(_)))
}

/// Splits a string into the number at its start, without a suffix, and the rest.
fn number(text: &str) -> (String, &str) {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let part = match bytes[end] {
            b'0'..=b'9' | b'_' => true,
            b'.' | b'e' => bytes.get(end + 1).is_some_and(|&b| b.is_ascii_digit() || b == b'-'),
            b'-' => bytes[end - 1] == b'e',
            _ => false,
        };
        if !part {
            break;
        }
        end += 1;
    }
    let number = text[..end].chars().filter(|&c| c != '_').collect();
    let rest = text[end..].trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    (number, rest)
}

/// Splits a string into the unescaped text between quotes, as `Debug` writes it, and the rest.
fn quoted(text: &str, quote: char) -> Option<(String, &str)> {
    let mut chars = text.char_indices().skip(1);
    let mut unescaped = String::new();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some((unescaped, &text[at + 1..]));
        }
        let mut next = c;
        if c == '\\' {
            let (_, escaped) = chars.next()?;
            next = match escaped {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                '0' => '\0',
                'u' => {
                    let mut number = 0u32;
                    for (_, digit) in chars.by_ref().skip(1) {
                        if digit == '}' {
                            break;
                        }
                        number = number.checked_mul(16)?.checked_add(digit.to_digit(16)?)?;
                    }
                    char::from_u32(number)?
                }
                other => other,
            };
        }
        unescaped.push(next);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, json: &str, expected: bool) {
        let json = Json::parse(json).expect("JSON");
        assert_eq!(agrees(code, &json), expected, "{code} and {}", json.show());
    }

    #[test]
    fn values_agree_with_their_documents() {
        check("-7", "-7", true);
        check("300", "3e2", true);
        check("1.5", "1.50", true);
        check("true", "true", true);
        check("\"a\\n\\u{202e}\\\"\".to_string()", "\"a\\n\\u202e\\\"\"", true);
        check("'x'", "\"x\"", true);
        check("vec![1, 2, 3]", "[1, 2, 3]", true);
        check("vec![0; 5]", "[0, 0, 0, 0, 0]", true);
        check("vec![\"a\".to_string(); 5]", "[\"a\",\"a\",\"a\",\"a\",\"a\"]", true);
        check("None", "null", true);
        check("Some(Event { title: \"a\".to_string(), at: 5 })", r#"{"title":"a","at":5}"#, true);
        check("Color::DarkRed", "\"dark-red\"", true);
        check("std::collections::BTreeMap::from([(\"a\".to_string(), 1)])", r#"{"a": 1}"#, true);
        check(
            "340282366920938463463374607431768211455",
            "340282366920938463463374607431768211455",
            true,
        );
    }

    #[test]
    fn no_code_makes_it_panic() {
        let parts = [
            "\"", "'", "\\", "u{", "}", "1", "9", "_", "e", "-", ".", ";", " ", "u8", "true", "ä",
            "[", "n",
        ];
        let codes = rebut_gen::vecs(rebut_gen::sampled_from(parts));
        let report = crate::Check::new("agrees or not").seed(1).run(|case| {
            let code = case.draw(&codes).concat();
            let _ = agrees(&code, &Json::Number("1".to_owned()));
            true
        });
        assert!(report.verdict.is_success(), "{report}");
    }

    #[test]
    fn other_values_disagree_with_documents() {
        check("8", "4", false);
        check("9007199254740993", "9007199254740992", false);
        check("-4", "4", false);
        check("vec![1, 2]", "[1, 2, 2]", false);
        check("vec![1, 2, 2]", "[1, 2]", false);
        check("\"A\".to_string()", "\"a\"", false);
        check("Duration::from_secs(3)", "\"3\"", false);
        check("/* a T, which has neither ToCode nor Debug */", "1", false);
        check("Celsius(277)", "4", false);
        check("\"unclosed", "\"unclosed\"", false);
    }
}
