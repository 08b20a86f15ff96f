//! Reads the failure block that a test prints, in the output of a test harness.
//!
//! The block is for people, and every command that reads it does so here. It begins with
//! `error[CODE]: `; values are `let` statements, and a long one has several lines.
//!
//! ```
//! let output = "error[R001]: `sorts` failed\n  --> src/lib.rs:7:4\n\n    let n: u8 = 3;\n";
//! assert_eq!(rebut_cli::block::code(output), Some("R001"));
//! assert_eq!(rebut_cli::block::values(output), ["let n: u8 = 3;"]);
//! ```

/// The most characters of a value; the rest is of no use in a sentence.
const VALUE_MAX: usize = 200;

/// The code of the first block in the output of a test.
#[must_use]
pub fn code(output: &str) -> Option<&str> {
    parts(output).map(|(code, _)| code)
}

/// The first line of the first block, after the code.
#[must_use]
pub fn title(output: &str) -> Option<&str> {
    let (_, rest) = parts(output)?;
    rest.lines().next().map(str::trim).filter(|title| !title.is_empty())
}

fn parts(output: &str) -> Option<(&str, &str)> {
    let (_, rest) = output.split_once("error[")?;
    rest.split_once("]:")
}

/// The values of the blocks in the output of a test, each as a `let` statement on one line.
#[must_use]
pub fn values(output: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut lines = output.lines().map(str::trim);
    while let Some(first) = lines.next() {
        if !first.starts_with("let ") {
            continue;
        }
        let mut value = first.to_owned();
        while !value.ends_with(';') {
            // An empty line is the end of all values.
            let Some(line) = lines.next().filter(|line| !line.is_empty()) else { break };
            if !line.starts_with('^') {
                append(&mut value, line);
            }
        }
        values.push(shortened(&value));
    }
    values
}

/// Puts a line of a broken expression behind what came before it.
fn append(value: &mut String, line: &str) {
    let closes = line.starts_with([')', ']']);
    if (closes || line.starts_with('}')) && value.ends_with(',') {
        value.pop();
    }
    if !closes && !value.ends_with(['(', '[']) {
        value.push(' ');
    }
    value.push_str(line);
}

fn shortened(value: &str) -> String {
    match value.char_indices().nth(VALUE_MAX) {
        Some((end, _)) => format!("{} ..", &value[..end]),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "
running 1 test

---- a::b stdout ----
error[R001]: `a::b` failed (failure 1 of 2)
  --> src/lib.rs:7:4

    let list: Vec<u32> = vec![
        1, 2,
           ^ other values tried here fail too
        3,
    ];
    let point = Point {
        x: 1,
        y: vec![
            4,
        ],
    };
    // let this be a note

  panicked at src/lib.rs:9:5:
    too much
";

    #[test]
    fn values_on_several_lines_are_joined() {
        assert_eq!(
            values(OUTPUT),
            ["let list: Vec<u32> = vec![1, 2, 3];", "let point = Point { x: 1, y: vec![4] };"]
        );
    }

    #[test]
    fn the_first_line_has_a_code_and_a_title() {
        assert_eq!(code(OUTPUT), Some("R001"));
        assert_eq!(title(OUTPUT), Some("`a::b` failed (failure 1 of 2)"));
        assert_eq!((code("ok"), title("error[E0"), values("fn")), (None, None, Vec::new()));
    }

    #[test]
    fn output_that_ends_early_is_no_problem() {
        assert_eq!(values("let a = vec!["), ["let a = vec!["]);
        let long = format!("let a = \"{}\";", "é".repeat(300));
        assert_eq!(values(&long)[0].chars().count(), VALUE_MAX + 3);
    }
}
