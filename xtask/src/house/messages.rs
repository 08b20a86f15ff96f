//! Paths in messages are on one line.
//!
//! A file name may contain line breaks and characters that a terminal acts on. So the code that
//! prints messages formats paths with `rebut_protocol::terminal::path_on_one_line`. A path for a
//! program, such as a flag or a field of JSON, is `to_string_lossy`.

use super::{CodeFile, House};

/// The crates that print paths.
const PRINTING: &[&str] = &[
    "crates/cargo-rebut-explore/src",
    "crates/cargo-rebut/src",
    "crates/rebut-build/src",
    "crates/rebut-cli/src",
    "crates/rebut-explore/src",
    "crates/rebut-generalize/src",
    "crates/rebut-infer/src",
    "crates/rebut-native/src",
    "crates/rebut-run/src",
];

pub(super) fn complaints(house: &House<'_>) -> Vec<String> {
    let prints = |path: &str| PRINTING.iter().any(|start| super::is_at_or_below(path, start));
    let files = house.code.iter().filter(|file| prints(file.path));
    files.flat_map(displayed_paths).collect()
}

fn displayed_paths(file: &CodeFile<'_>) -> Vec<String> {
    let is_call = |index: &usize| {
        let words = [".", "display", "(", ")"];
        let tokens = file.tokens.iter().skip(*index).map(|token| token.text);
        tokens.take(words.len()).eq(words)
    };
    file.code()
        .filter(is_call)
        .map(|index| {
            format!(
                "{}:{}: a path is displayed; use `path_on_one_line` for people, or \
                 `to_string_lossy` for programs",
                file.path, file.tokens[index].line
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::files;

    fn check(path: &str, source: &str, expected: usize) {
        let inputs = files(&[(path, source)]);
        assert_eq!(inputs.complaints("messages").len(), expected, "{source}");
    }

    #[test]
    fn paths_in_messages_are_on_one_line() {
        check("crates/rebut-build/src/a.rs", "fn a() { b(path.display()) }", 1);
        check("crates/rebut-build/src/a.rs", "fn a() { b(path_on_one_line(path)) }", 0);
        check("crates/rebut-smt/src/a.rs", "fn a() { b(path.display()) }", 0);
    }
}
