//! The pages that list rows.
//!
//! ````text
//! # Title of the area
//! <!-- project: peers -->
//! ## 39: pretty_assertions shows its diff
//! <!-- slice -->
//! ```console
//! $ cargo test -p output --test pretty
//! Diff < left / right > :
//! ! \u{1b}
//! [exit 101]
//! ```
//! ````
//!
//! The lines below a command must be in its output, in any order, each as a part of another line;
//! `[..]` stands for any text. The text after `! ` must be nowhere in the output. `[exit N]` is the exit
//! code, which is 0 otherwise. A project applies to all rows below it. Rows with `<!-- slice -->`
//! run in `cargo xtask test`. `<!-- impossible -->` marks rows that show a message instead of the
//! behavior that a user may hope for.

use std::fs;
use std::path::Path;

/// A setting that was tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// The number in the heading.
    pub(super) id: String,
    /// The name of the page.
    pub(super) area: String,
    pub(super) title: String,
    /// The directory in `compat/projects`.
    pub(super) project: String,
    pub(super) is_in_slice: bool,
    pub(super) is_impossible: bool,
    pub(super) steps: Vec<Step>,
}

/// A command and what its output must have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) command: String,
    /// Parts of lines.
    pub(super) expected: Vec<String>,
    pub(super) refused: Vec<String>,
    pub(super) exit_code: i32,
}

/// Reads all pages, in the order of their names.
pub(super) fn rows(directory: &Path) -> Result<Vec<Row>, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("{directory:?}: {error}"))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let area = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).map_err(|error| format!("{path:?}: {error}"))?;
        all.extend(parse(&area, &text).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    Ok(all)
}

fn parse(area: &str, text: &str) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Vec::new();
    let mut project = String::new();
    let mut in_console = false;
    for (nth, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("line {}: {what}: `{line}`", nth + 1);
        if in_console {
            let row = rows.last_mut().ok_or_else(|| wrong("a block before the first row"))?;
            match line {
                "```" => in_console = false,
                _ => read_console(row, line).map_err(wrong)?,
            }
        } else if let Some(heading) = line.strip_prefix("## ") {
            let (id, title) =
                heading.split_once(": ").ok_or_else(|| wrong("expected `## NUMBER: TITLE`"))?;
            rows.push(Row {
                id: id.to_owned(),
                area: area.to_owned(),
                title: title.to_owned(),
                project: project.clone(),
                ..Row::default()
            });
        } else if line == "```console" {
            in_console = true;
        } else if let Some(comment) = line.strip_prefix("<!-- ") {
            let comment = comment.strip_suffix(" -->").ok_or_else(|| wrong("an open comment"))?;
            match (comment.split_once(": "), rows.last_mut()) {
                (Some(("project", name)), row) => {
                    name.clone_into(&mut project);
                    // In a section without commands yet, the comment is about this section.
                    if let Some(row) = row.filter(|row| row.steps.is_empty()) {
                        name.clone_into(&mut row.project);
                    }
                }
                (None, Some(row)) if comment == "slice" => row.is_in_slice = true,
                (None, Some(row)) if comment == "impossible" => row.is_impossible = true,
                _ => return Err(wrong("an unknown comment")),
            }
        }
    }
    match rows.iter().find(|row| row.steps.is_empty() || row.project.is_empty()) {
        Some(row) => Err(format!("row {} has no command or no project", row.id)),
        None => Ok(rows),
    }
}

/// Reads a line of a console block.
fn read_console(row: &mut Row, line: &str) -> Result<(), &'static str> {
    if let Some(command) = line.strip_prefix("$ ") {
        row.steps.push(Step { command: command.to_owned(), ..Step::default() });
        return Ok(());
    }
    let step = row.steps.last_mut().ok_or("expected a command, `$ ..`")?;
    if let Some(code) = line.strip_prefix("[exit ").and_then(|line| line.strip_suffix(']')) {
        step.exit_code = code.parse().ok().ok_or("expected a number")?;
    } else if let Some(text) = line.strip_prefix("! ") {
        step.refused.push(text.to_owned());
    } else {
        step.expected.push(line.trim().to_owned());
    }
    Ok(())
}

/// Returns the part of the output that a step does not expect, or expects in vain.
pub(super) fn difference(step: &Step, output: &str) -> Option<String> {
    if let Some(text) = step.refused.iter().find(|text| output.contains(text.as_str())) {
        return Some(format!("`{}` prints `{text}`", step.command));
    }
    // In any order, because tests run in parallel.
    let mut lines: Vec<&str> = output.lines().collect();
    for expected in &step.expected {
        match lines.iter().position(|line| matches(line, expected)) {
            Some(at) => lines.remove(at),
            None => return Some(format!("`{}` does not print `{expected}`", step.command)),
        };
    }
    None
}

/// Returns whether a line contains the text, in which `[..]` stands for any text.
fn matches(line: &str, expected: &str) -> bool {
    let mut rest = line;
    expected.split("[..]").all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Area\n<!-- project: peers -->\n## 1: one\n<!-- slice -->\nText.\n\
        ```console\n$ first\n  a [..] c\n! bad\n[exit 101]\n$ second\n```\n\
        ## 2: two\n<!-- project: other -->\n<!-- impossible -->\n```console\n$ third\n```\n";

    #[test]
    fn pages_are_parsed_into_rows() {
        let rows = parse("area", PAGE).expect("a page");
        let [one, two] = rows.as_slice() else { panic!("{rows:?}") };
        assert_eq!((one.id.as_str(), one.project.as_str()), ("1", "peers"));
        assert!(one.is_in_slice && !one.is_impossible);
        let first = Step {
            command: "first".to_owned(),
            expected: vec!["a [..] c".to_owned()],
            refused: vec!["bad".to_owned()],
            exit_code: 101,
        };
        let second = Step { command: "second".to_owned(), ..Step::default() };
        assert_eq!(one.steps, [first, second]);
        assert_eq!((two.id.as_str(), two.project.as_str()), ("2", "other"));
        assert!(two.is_impossible && !two.is_in_slice);
    }

    #[test]
    fn mistakes_in_a_page_are_reported() {
        for (page, expected) in [
            ("## 1 one\n", "expected `## NUMBER: TITLE`"),
            ("## 1: one\n", "has no command or no project"),
            ("<!-- project: a -->\n## 1: one\n```console\nout\n```\n", "expected a command"),
            ("<!-- slcie -->\n", "an unknown comment"),
        ] {
            let error = parse("area", page).expect_err(page);
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn output_has_each_expected_line_once() {
        let step = parse("area", PAGE).expect("a page")[0].steps[0].clone();
        assert_eq!(difference(&step, "x\n> a b c d\ny\n"), None);
        assert!(difference(&step, "a b\n").is_some_and(|text| text.contains("does not print")));
        assert!(
            difference(&step, "a b c\nbad\n").is_some_and(|text| text.contains("prints `bad`"))
        );
        let two = Step { expected: vec!["a".to_owned(), "a".to_owned()], ..Step::default() };
        assert!(difference(&two, "a\nb\n").is_some());
        assert_eq!(difference(&two, "a\nb\na\n"), None);
    }
}
