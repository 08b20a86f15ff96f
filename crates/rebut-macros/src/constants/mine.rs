//! Finds the literals in Rust code.
//!
//! It skips literals that a program does not compare with its input: documentation, attributes that
//! configure tests and lints, and the messages of assertions and formatting macros.

use super::MinedLiterals;
use crate::lexer::{Piece, PieceKind, pieces};

/// The maximum length of a string. Longer ones are usually prose.
const TEXT_LENGTH_MAX: usize = 64;

/// Returns all literals in the code, in order.
pub(super) fn literals(text: &str) -> MinedLiterals {
    let pieces = pieces(text);
    let mut mined = MinedLiterals::default();
    let mut contexts = vec![Context::Code];
    for (n, piece) in pieces.iter().enumerate() {
        let context = contexts.last().copied().unwrap_or(Context::Code);
        match piece.kind {
            PieceKind::Open => contexts.push(context.inside(&pieces, n)),
            PieceKind::Close => {
                contexts.pop();
            }
            _ if context == Context::Skipped => {}
            PieceKind::Number => number(&pieces, n, &mut mined),
            PieceKind::Char => mined.integers.extend(character(piece.text)),
            PieceKind::Text if context == Context::Code => {
                let known =
                    string(piece.text).filter(|text| text.chars().count() <= TEXT_LENGTH_MAX);
                mined.texts.extend(known.filter(|text| !text.is_empty()));
            }
            _ => {}
        }
    }
    mined
}

/// The meaning of the brackets around a literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Code,
    /// The strings are messages.
    Messages,
    /// All literals are skipped.
    Skipped,
}

impl Context {
    /// Returns the context inside the brackets that piece number `n` opens.
    fn inside(self, pieces: &[Piece<'_>], n: usize) -> Context {
        let before = |back: usize| n.checked_sub(back).map_or("", |at| pieces[at].text);
        let after = pieces.get(n + 1).map_or("", |piece| piece.text);
        let is_attribute = before(1) == "#" || (before(2) == "#" && before(1) == "!");
        if self == Context::Skipped || (is_attribute && IDLE_ATTRIBUTES.contains(&after)) {
            Context::Skipped
        } else if (before(1) == "!" && MESSAGE_MACROS.contains(&before(2)))
            || (before(2) == "." && before(1) == "expect")
        {
            Context::Messages
        } else {
            Context::Code
        }
    }
}

#[rustfmt::skip]
const IDLE_ATTRIBUTES: &[&str] = &[
    "allow", "cfg", "cfg_attr", "deny", "deprecated", "derive", "doc", "example", "expect",
    "feature", "from", "generate", "ignore", "must_use", "path", "rebut", "repr", "should_panic",
    "test", "warn",
];

#[rustfmt::skip]
const MESSAGE_MACROS: &[&str] = &[
    "anyhow", "assert", "assert_eq", "assert_ne", "assume", "bail", "cover", "debug",
    "debug_assert", "debug_assert_eq", "debug_assert_ne", "ensure", "eprint", "eprintln", "error",
    "format", "format_args", "include_bytes", "include_str", "info", "label", "note", "panic",
    "print", "println", "todo", "trace", "unimplemented", "unreachable", "warn", "write",
    "writeln",
];

fn number(pieces: &[Piece<'_>], n: usize, mined: &mut MinedLiterals) {
    let text: String = pieces[n].text.chars().filter(|c| *c != '_').collect();
    let is_negative = n.checked_sub(1).is_some_and(|before| pieces[before].text == "-");
    if let Some(integer) = integer(&text) {
        // Every driver tries 0 and 1 anyway.
        if integer > 1 {
            mined.integers.push(integer);
            mined.integers.extend(is_negative.then_some(-integer));
        }
    } else if let Some(float) = float(&text) {
        mined.floats.push(float);
    }
}

fn integer(text: &str) -> Option<i128> {
    let (radix, digits) = match text.get(..2) {
        Some("0x") => (16, &text[2..]),
        Some("0o") => (8, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ => (10, text),
    };
    let suffix = digits.find(['i', 'u']).unwrap_or(digits.len());
    i128::from_str_radix(&digits[..suffix], radix).ok()
}

fn float(text: &str) -> Option<f64> {
    let digits = text.trim_end_matches("f32").trim_end_matches("f64");
    digits.parse().ok().filter(|float: &f64| float.is_finite() && *float != 0.0)
}

/// Returns the number of a character or byte in a choice.
fn character(literal: &str) -> Option<i128> {
    let inside = literal.trim_start_matches('b').strip_prefix('\'')?.strip_suffix('\'')?;
    let mut characters = unescape(inside)?.into_iter();
    let scalar = u32::from(characters.next()?);
    let gap = if scalar < 0xD800 { 0 } else { 0x800 };
    characters.next().is_none().then(|| i128::from(scalar - gap))
}

fn string(literal: &str) -> Option<String> {
    let quoted = literal.trim_start_matches(['b', 'c']);
    match quoted.strip_prefix('r') {
        Some(raw) => Some(raw.trim_matches('#').strip_prefix('"')?.strip_suffix('"')?.to_owned()),
        None => {
            let inside = quoted.strip_prefix('"')?.strip_suffix('"')?;
            Some(unescape(inside)?.into_iter().collect())
        }
    }
}

/// Resolves the escapes in the contents of a literal.
fn unescape(inside: &str) -> Option<Vec<char>> {
    let mut characters = Vec::new();
    let mut rest = inside.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            characters.push(c);
            continue;
        }
        match rest.next()? {
            'n' => characters.push('\n'),
            'r' => characters.push('\r'),
            't' => characters.push('\t'),
            '0' => characters.push('\0'),
            'x' => {
                let digits: String = rest.by_ref().take(2).collect();
                characters.push(char::from(u8::from_str_radix(&digits, 16).ok()?));
            }
            'u' => {
                let digits: String =
                    rest.by_ref().skip(1).take_while(|c| *c != '}').filter(|c| *c != '_').collect();
                characters.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
            }
            '\n' => while rest.next_if(|c| c.is_whitespace()).is_some() {},
            other => characters.push(other),
        }
    }
    Some(characters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, integers: &[i128], floats: &[f64], texts: &[&str]) {
        let texts = texts.iter().map(|&text| text.to_owned()).collect();
        let expected =
            MinedLiterals { integers: integers.to_vec(), floats: floats.to_vec(), texts };
        assert_eq!(literals(text), expected);
    }

    #[test]
    fn reads_numbers_in_every_form() {
        check("f(0, 1, 4_096u64, 0xFF, 0b101, 0o17i8, -7)", &[4096, 255, 5, 15, 7, -7], &[], &[]);
        check("1.5 + 1e3 * 2f32 - 0.25_f64", &[], &[1.5, 1000.0, 2.0, 0.25], &[]);
    }

    #[test]
    fn reads_characters_and_texts() {
        check(r"match c { 'a' => 1, '\u{E000}' => b'\n' }", &[97, 0xD800, 10], &[], &[]);
        check(
            r##"("null", b"GET", r#"a"b"#, "é\t\x41", "")"##,
            &[],
            &[],
            &["null", "GET", "a\"b", "é\tA"],
        );
    }

    #[test]
    fn leaves_out_messages_but_not_what_is_called_in_them() {
        check(
            r#"assert_eq!(parse("12"), 34, "parsed {}", 56); x.expect("always")"#,
            &[34, 56],
            &[],
            &["12"],
        );
    }

    #[test]
    fn leaves_out_settings_of_tests_but_not_other_attributes() {
        check(
            r#"#[rebut::test(cases = 77)] #[example(5)] /// 9
               #[serde(rename = "kind")] fn t(#[from(integers().max_value(8))] n: u8) {}"#,
            &[],
            &[],
            &["kind"],
        );
    }
}
