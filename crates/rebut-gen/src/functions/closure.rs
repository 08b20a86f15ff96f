//! Printing a table of arguments and results as a closure.

/// How a closure takes its arguments.
pub(super) struct Parameters {
    names: &'static str,
    ignored: &'static str,
    /// The value to compare with the arguments of the table.
    value: &'static str,
}

impl Parameters {
    pub(super) const NONE: Parameters = Parameters { names: "", ignored: "", value: "()" };
    pub(super) const ONE: Parameters = Parameters { names: "x", ignored: "_", value: "x" };
    pub(super) const TWO: Parameters =
        Parameters { names: "a, b", ignored: "_, _", value: "(a, b)" };
    pub(super) const THREE: Parameters =
        Parameters { names: "a, b, c", ignored: "_, _, _", value: "(a, b, c)" };
    pub(super) const ONE_REFERENCE: Parameters =
        Parameters { names: "x", ignored: "_", value: "x.to_owned()" };
    pub(super) const TWO_REFERENCES: Parameters =
        Parameters { names: "a, b", ignored: "_, _", value: "(a.to_owned(), b.to_owned())" };
}

/// Returns a closure with these results. Each entry is an argument and its result, as code. The
/// closure returns the most frequent result for all other arguments.
pub(super) fn written(entries: &[(String, String)], parameters: &Parameters) -> String {
    let Parameters { names, ignored, value } = parameters;
    let Some(usual) = usual(entries) else {
        return format!("|{ignored}| unreachable!(\"never called\")");
    };
    let others: Vec<(&str, &str)> = entries
        .iter()
        .filter(|(_, answer)| answer != usual)
        .map(|(argument, answer)| (argument.as_str(), answer.as_str()))
        .collect();
    let is_plain = names == value;
    if others.is_empty() {
        format!("|{ignored}| {usual}")
    } else if others.iter().all(|(argument, _)| is_pattern(argument)) {
        format!("|{names}| match {value} {{ {}_ => {usual} }}", arms(others))
    } else if let Some(texts) = others.iter().map(|&(a, b)| Some((text(a)?, b))).collect() {
        let string = if is_plain { ": String" } else { "" };
        format!("|{names}{string}| match {value}.as_str() {{ {}_ => {usual} }}", arms(texts))
    } else {
        let branch = |(argument, answer)| format!("if {} {{ {answer} }} else ", equals(argument));
        let mut branches: String = others.into_iter().map(branch).collect();
        branches.push_str(&format!("{{ {usual} }}"));
        if is_plain {
            format!("|{names}| {branches}")
        } else {
            format!("|{names}| {{ let x = {value}; {branches} }}")
        }
    }
}

/// Returns a comparison of `x` with the argument. The type of an empty list is ambiguous in
/// `x == vec![]`; as an element of an array that is searched for `x`, it has the type of `x`. Nor
/// can a struct follow `==` in the condition of an `if`.
fn equals(argument: &str) -> String {
    if argument.contains("[]") || argument.contains('{') {
        format!("[{argument}].contains(&x)")
    } else {
        format!("x == {argument}")
    }
}

/// Returns a `match` on an expression with these results, or `None` if the arguments cannot be
/// distinguished by patterns; see [`written`].
pub(crate) fn matched(entries: &[(String, String)], matched: &str) -> Option<String> {
    let usual = usual(entries)?;
    let mut others: Vec<(&str, &str)> = Vec::new();
    for (argument, answer) in entries {
        // A method can return another answer for the same argument after a change.
        if entries.iter().any(|(known, other)| known == argument && other != answer) {
            return None;
        }
        let pattern = text(argument).or_else(|| is_pattern(argument).then_some(argument))?;
        if answer != usual && !others.iter().any(|(known, _)| *known == pattern) {
            others.push((pattern, answer));
        }
    }
    Some(format!("match {matched} {{ {}_ => {usual} }}", arms(others)))
}

fn arms(entries: Vec<(&str, &str)>) -> String {
    entries.into_iter().map(|(argument, answer)| format!("{argument} => {answer}, ")).collect()
}

/// Returns the most frequent result, and the shortest of several such.
fn usual(entries: &[(String, String)]) -> Option<&String> {
    let count = |answer: &String| entries.iter().filter(|(_, other)| other == answer).count();
    let answers = entries.iter().map(|(_, answer)| answer);
    answers.min_by_key(|answer| (usize::MAX - count(answer), answer.len()))
}

/// Returns the literal in `"..".to_string()`.
fn text(code: &str) -> Option<&str> {
    code.strip_suffix(".to_string()").filter(|literal| is_one_string(literal))
}

fn is_one_string(literal: &str) -> bool {
    let Some(inside) = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return false;
    };
    let mut escaped = false;
    inside.chars().all(|c| {
        let allowed = escaped || c != '"';
        escaped = !escaped && c == '\\';
        allowed
    })
}

/// Returns whether an expression is also a pattern: an integer, a character, a boolean, or a tuple,
/// option or result of these.
fn is_pattern(code: &str) -> bool {
    let mut rest = code;
    while !rest.is_empty() {
        match pattern_word(rest) {
            0 => return false,
            length => rest = &rest[length..],
        }
    }
    !code.is_empty()
}

/// Returns the length of the first token of a pattern, or 0 if the code is not a pattern.
fn pattern_word(code: &str) -> usize {
    if code.starts_with(['(', ')', ',', ' ', '-']) {
        return 1;
    }
    if let Some(inside) = code.strip_prefix('\'') {
        let is_end = |&(at, c): &(usize, char)| c == '\'' && !is_escaped(inside, at);
        return inside.char_indices().find(is_end).map_or(0, |(at, _)| at + 2);
    }
    let length = code.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(code.len());
    let word = &code[..length];
    let number = word.bytes().all(|b| b.is_ascii_digit());
    if number || ["true", "false", "None", "Some", "Ok", "Err"].contains(&word) {
        length
    } else {
        0
    }
}

/// Returns whether a backslash escapes the character at `at`.
fn is_escaped(text: &str, at: usize) -> bool {
    text[..at].bytes().rev().take_while(|&b| b == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(entries: &[(&str, &str)], expected: &str) {
        let own = |&(a, b): &(&str, &str)| (a.to_owned(), b.to_owned());
        let entries: Vec<_> = entries.iter().map(own).collect();
        assert_eq!(written(&entries, &Parameters::ONE), expected);
    }

    #[test]
    fn a_table_is_written_in_the_shortest_form_that_compiles() {
        check(&[], "|_| unreachable!(\"never called\")");
        check(&[("1", "2")], "|_| 2");
        check(&[("1", "2"), ("3", "2")], "|_| 2");
        check(&[("3", "0"), ("1", "1"), ("2", "1")], "|x| match x { 3 => 0, _ => 1 }");
        check(
            &[("\"a\".to_string()", "10"), ("\"b\".to_string()", "2")],
            "|x: String| match x.as_str() { \"a\" => 10, _ => 2 }",
        );
        check(&[("1.0", "10"), ("2.5", "2")], "|x| if x == 1.0 { 10 } else { 2 }");
        check(
            &[("vec![]", "10"), ("vec![1]", "20"), ("vec![2]", "3")],
            "|x| if [vec![]].contains(&x) { 10 } else if x == vec![1] { 20 } else { 3 }",
        );
        check(
            &[("P { x: 1 }", "10"), ("P { x: 2 }", "2")],
            "|x| if [P { x: 1 }].contains(&x) { 10 } else { 2 }",
        );
    }

    #[test]
    fn a_table_is_a_match_if_arguments_are_patterns() {
        let check = |entries: &[(&str, &str)], expected: Option<&str>| {
            let own = |&(a, b): &(&str, &str)| (a.to_owned(), b.to_owned());
            let entries: Vec<_> = entries.iter().map(own).collect();
            assert_eq!(matched(&entries, "x").as_deref(), expected);
        };
        check(
            &[("1", "2"), ("3", "0"), ("4", "2"), ("3", "0")],
            Some("match x { 3 => 0, _ => 2 }"),
        );
        check(&[("(1, 2)", "true"), ("(2, 1)", "()")], Some("match x { (1, 2) => true, _ => () }"));
        check(
            &[("\"a\".to_string()", "10"), ("\"b\".to_string()", "2")],
            Some("match x { \"a\" => 10, _ => 2 }"),
        );
        check(&[("1", "2"), ("1", "3")], None);
        check(&[("1", "2"), ("1", "3"), ("0", "3")], None);
        check(&[("vec![1]", "20"), ("vec![2]", "3")], None);
    }

    #[test]
    fn patterns_are_distinguished_from_other_expressions() {
        for pattern in ["1", "-1", "'a'", r"'\''", r"'\\'", "(1, 'x')", "Some(true)", "None", "()"]
        {
            assert!(is_pattern(pattern), "{pattern}");
        }
        for other in ["1.0", "f64::NAN", "\"a\"", "vec![1]", "Some(1.5)", "x", "", "'"] {
            assert!(!is_pattern(other), "{other}");
        }
        assert!(is_one_string(r#""a\"b""#) && !is_one_string(r#""a" + "b""#));
    }
}
