//! Files have a limited length.

use std::collections::BTreeSet;

use super::{CodeFile, House};

/// Lines of code that a file may have; comments, empty lines and tests do not count.
///
/// A product decision: beyond it, a file is a table or has two ideas. Nine in ten files have less
/// than half of it. A longer file fails the check, and must be split or listed in [`TABLES`].
const LINES_MAX: usize = 900;

/// Files that may be longer, with the reason.
const TABLES: &[(&str, &str)] = &[];

pub(super) fn complaints(house: &House<'_>) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in &house.code {
        let count = lines_of_code(file);
        let is_table = TABLES.iter().any(|(path, _)| *path == file.path);
        if count > LINES_MAX && !is_table {
            complaints.push(format!(
                "{}: {count} lines of code, more than {LINES_MAX}; split it, or list it with a \
                 reason in xtask/src/house/length.rs",
                file.path
            ));
        } else if count <= LINES_MAX && is_table {
            complaints.push(format!(
                "{}: {count} lines of code; remove it from `TABLES` in xtask/src/house/length.rs",
                file.path
            ));
        }
    }
    complaints
}

fn lines_of_code(file: &CodeFile<'_>) -> usize {
    let mut lines = BTreeSet::new();
    for index in file.code() {
        let token = file.tokens[index];
        lines.extend(token.line..=token.line + token.text.matches('\n').count());
    }
    lines.len()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{files, workspace};
    use super::{LINES_MAX, lines_of_code};

    fn check(source: &str, expected: usize) {
        let inputs = files(&[("crates/a/src/lib.rs", source)]);
        assert_eq!(lines_of_code(&inputs.house().code[0]), expected, "{source}");
    }

    #[test]
    fn comments_tests_and_empty_lines_are_not_code() {
        check("//! a\n\n// b\nfn c() {\n    d() // e\n}\n", 3);
        check("fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n", 1);
        check("const A: &str = \"b\nc\";\n", 2);
    }

    #[test]
    fn canary_with_too_many_lines_fails() {
        let path = "crates/rebut-choice/src/canary.rs";
        let check = |lines: usize| {
            let text = "fn f() {}\n".repeat(lines);
            let inputs = workspace().below(&["crates/rebut-choice/src"]).with_file(path, &text);
            inputs.complaints("length")
        };
        assert!(check(LINES_MAX).is_empty());
        let complaints = check(LINES_MAX + 1);
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].starts_with(&format!("{path}: 901 lines of code")), "{complaints:?}");
    }
}
