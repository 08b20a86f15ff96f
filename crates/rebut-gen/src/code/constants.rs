//! Finds the expressions whose references live forever.

/// Returns whether `&code` lives forever: the expression only has literals, constants, and
/// constructors of tuples, structs and variants. The compiler promotes it to a static value then.
pub(crate) fn is_constant(code: &str) -> bool {
    let mut rest = code;
    let mut last_word = "";
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => literal_length(rest, first),
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            // A call of a function. Constructors have uppercase letters.
            '(' if last_word.starts_with(|c: char| c.is_lowercase() || c == '_') => return false,
            '.' if rest.starts_with("..=") => return false,
            '.' if rest[1..].starts_with(|c: char| c.is_alphabetic()) => return false,
            // Macros, closures, comments, operators, and code that is only known after the run.
            '!' | '|' | '/' | '+' | '*' | '\u{E000}' => return false,
            '-' if rest[1..].starts_with(' ') => return false,
            _ => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        last_word = if is_word(first) { word } else { "" };
        rest = after;
    }
    true
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Returns the length of the string or character at the beginning.
fn literal_length(code: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in code.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_no_calls() {
        for code in [
            "1",
            "-1.5e300",
            "f64::NAN",
            "\"a(b).c()!\"",
            r"'\''",
            "'\"'",
            "None",
            "()",
            "Some((1, \"x\"))",
            "[1, 2]",
            "Point { x: -1, y: 2 }",
            "a::Color::Red",
            "(1..2)",
        ] {
            assert!(is_constant(code), "{code}");
        }
        for code in [
            "\"a\".to_string()",
            "vec![]",
            "Box::new(1)",
            "(1..=2)",
            "|x| x",
            "std::sync::Arc::<[_]>::from([1])",
            "(std::time::UNIX_EPOCH - D)",
            "/* in use */",
            "c\"a\".to_owned()",
        ] {
            assert!(!is_constant(code), "{code}");
        }
    }
}
