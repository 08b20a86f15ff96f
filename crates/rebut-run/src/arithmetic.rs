//! Finds out whether the compiler may refuse a regression test because it can compute that an
//! operation fails.
//!
//! The parameters of a property are constants in its regression test. If the body divides by one
//! that is 0, the compiler knows that the test panics. Two lints turn that into an error. The test
//! must compile and panic, so it allows them. It does so only where they can occur, because every
//! other line of a test should be needed.

use crate::case_log::ShownValue;
use crate::strings;
use crate::tokens::{Token, TokenKind, significant};

/// The attribute of a test that the compiler may refuse.
pub(crate) const ATTRIBUTE: &str = "#[allow(arithmetic_overflow, unconditional_panic)]";

/// Macros that compute nothing with their arguments.
const MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "assume",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprintln",
    "format",
    "matches",
    "panic",
    "print",
    "println",
    "prop_assert",
    "prop_assert_eq",
    "prop_assert_ne",
    "prop_assume",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Keywords that no operand ends with.
const KEYWORDS: &[&str] = &[
    "as", "await", "box", "break", "const", "dyn", "else", "for", "if", "impl", "in", "let",
    "match", "move", "mut", "ref", "return", "static", "unsafe", "where", "while", "yield",
];

/// Words of values that the compiler cannot compute, such as those of lists and strings.
const WORDS_OF_CALLS: &[&str] = &[
    "String",
    "Vec",
    "Box",
    "alloc",
    "boxed",
    "from",
    "new",
    "std",
    "string",
    "to_owned",
    "to_string",
    "vec",
];

/// Returns whether an operation in the body may fail in a way that the compiler can compute from
/// these values.
#[inline(never)]
pub(crate) fn may_be_refused(body: &str, values: &[ShownValue]) -> bool {
    // The values of a row are constants at the beginning of the body: `let n: u8 = 1;`.
    let (first, _) = strings::split_once(body, "=").unwrap_or_default();
    let may_have_row =
        first.trim_start().starts_with("let ") && strings::find(first, ":").is_some();
    (may_have_row || values.iter().any(|value| may_be_known(&value.code))) && computes(body)
}

/// Returns whether the compiler may know the value, or a part of it.
fn may_be_known(code: &str) -> bool {
    let tokens = significant(code);
    let mut depth_of_list = 0_usize;
    tokens.iter().enumerate().any(|(nth, token)| {
        // The elements of a list are on the heap.
        let is_list = nth >= 2 && tokens[nth - 2].is_word("vec") && tokens[nth - 1].is("!");
        match token.text {
            "[" | "(" | "{" if depth_of_list > 0 || is_list => depth_of_list += 1,
            "]" | ")" | "}" if depth_of_list > 0 => depth_of_list -= 1,
            _ if depth_of_list > 0 => {}
            text => match token.kind {
                TokenKind::Char => return true,
                TokenKind::Word => return !WORDS_OF_CALLS.contains(&text),
                _ => {}
            },
        }
        false
    })
}

/// Returns whether the code has an arithmetic operator or an index, or calls a macro that may have
/// one.
fn computes(body: &str) -> bool {
    let tokens = significant(body);
    let at = |nth: usize| tokens.get(nth).map_or("", |token| token.text);
    tokens.iter().enumerate().any(|(nth, token)| {
        if token.kind != TokenKind::Symbol {
            return false;
        }
        let is_after_operand = nth > 0 && ends_operand(&tokens[nth - 1]);
        // The characters of an operator have no space between them.
        let is_twice = at(nth + 1) == token.text && tokens[nth + 1].at == token.at + 1;
        match token.text {
            "-" if at(nth + 1) == ">" => false,
            // A number with a sign is a literal.
            "-" => is_after_operand || !at(nth + 1).starts_with(|c: char| c.is_ascii_digit()),
            "+" | "*" | "/" | "%" | "[" => is_after_operand,
            "<" => is_after_operand && is_twice,
            // Lists of generic arguments end in the same way, but without a space.
            ">" => is_twice && body[..token.at].ends_with(|c: char| c.is_whitespace()),
            "!" => {
                let is_call = matches!(at(nth + 1), "(" | "[" | "{");
                is_call && is_after_operand && !MACROS.contains(&at(nth - 1))
            }
            _ => false,
        }
    })
}

/// Returns whether an operand may end with the token.
fn ends_operand(token: &Token<'_>) -> bool {
    match token.kind {
        TokenKind::Word => !KEYWORDS.contains(&token.text),
        TokenKind::Char | TokenKind::Text => true,
        TokenKind::Symbol => matches!(token.text, ")" | "]" | "}" | "?"),
        TokenKind::Blank | TokenKind::Lifetime => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_and_indices_compute() {
        for yes in [
            "100 / n",
            "a % b",
            "t[i]",
            "f()[i]",
            "1u32 << n",
            "n >> 9",
            "n + 200",
            "a - b",
            "w*h",
            "n += 1",
            "n <<= 9",
            "-n",
            "-(n)",
            "(a) - 1",
            "a -1",
            "assert!(n * 2 > 1)",
            "double!(n)",
            "n? + 1",
            "self::double! { n }",
        ] {
            assert!(computes(yes), "{yes}");
        }
    }

    #[test]
    fn other_symbols_compute_nothing() {
        for no in [
            "*n = -1",
            "f(-1, &*n)",
            "|x| -> u8 { *x }",
            "let v: Vec<Vec<u8>> = vec![1]",
            "let [a, b] = *n",
            "return *n",
            "&'a [u8]",
            "#[cfg(x)] f()",
            "use a::*;",
            "n != 3",
            "!f(\"a + b\") // 1 + n",
            "for x in [1, 2] { f(x) }",
            "assert!(n < 5)",
            "f::<Vec<u8>>(n)",
            "as *const u8",
            "if !(n) { }",
        ] {
            assert!(!computes(no), "{no}");
        }
    }

    #[test]
    fn lists_and_strings_are_not_known() {
        for no in ["vec![1, 2]", "\"a\"", "\"1\".to_string()", "vec![(1, vec![])]", "String::new()"]
        {
            assert!(!may_be_known(no), "{no}");
        }
        for yes in ["0", "-1", "(vec![1], 2)", "true", "'a'", "[1]", "Color::Red", "Some(1)"] {
            assert!(may_be_known(yes), "{yes}");
        }
    }
}
