//! Numbers of the engines have a comment that explains them.

use super::{CodeFile, House};
use crate::sources::attributes::attributed_items;
use crate::sources::lexer::{Token, TokenKind};

/// The directories in which a number is probably a heuristic or a limit.
const ENGINES: &[&str] = &[
    "crates/rebut-build/src",
    "crates/rebut-choice/src",
    "crates/rebut-concolic/src",
    "crates/rebut-contract/src",
    "crates/rebut-explore/src",
    "crates/rebut-gen/src",
    "crates/rebut-generalize/src",
    "crates/rebut-infer/src",
    "crates/rebut-run/src",
    "crates/rebut-search/src",
    "crates/rebut-smt/src",
    "crates/rebut-spec/src",
    "crates/rebut-text/src",
];

/// Words that an expression of numbers may have.
const NUMERIC_WORDS: &[&str] = &[
    "as",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "f32",
    "f64",
    "Duration",
    "from_secs",
    "from_millis",
    "std",
    "time",
    "MAX",
    "MIN",
    "NonZero",
];

pub(super) fn complaints(house: &House<'_>) -> Vec<String> {
    let is_engine = |path: &str| ENGINES.iter().any(|start| super::is_at_or_below(path, start));
    let files = house.code.iter().filter(|file| is_engine(file.path));
    files.flat_map(|file| undocumented(file)).collect()
}

fn undocumented(file: &CodeFile<'_>) -> Vec<String> {
    let documented: Vec<usize> = attributed_items(&file.tokens)
        .iter()
        .filter(|item| item.has_documentation(&file.tokens))
        .map(|item| item.first)
        .collect();
    let mut complaints = Vec::new();
    // The line of the last constant with a comment.
    let mut explained_line = None;
    for index in file.code().filter(|&index| file.tokens[index].is("const")) {
        let Some((name, is_zero)) = numeric_constant(&file.tokens[index..]) else { continue };
        let line = file.tokens[index].line;
        let start = start_of_item(&file.tokens, index);
        let is_explained = documented.contains(&start)
            || has_comment_above(&file.tokens, start)
            // One comment can be about several constants.
            || explained_line == Some(line - 1);
        if is_explained {
            explained_line = Some(line);
        } else if !is_zero {
            // Zero limits nothing.
            complaints.push(format!(
                "{}:{line}: the constant `{name}` has no comment: say what it limits and where its \
                 value comes from",
                file.path
            ));
        }
    }
    complaints
}

/// The index of the first token of `pub(crate) const`.
fn start_of_item(tokens: &[Token<'_>], keyword: usize) -> usize {
    let before = tokens[..keyword].iter().rev().take_while(|token| is_visibility(token));
    keyword - before.count()
}

/// Whether the line above has a comment and nothing else. Documentation of a local constant would
/// not be shown anywhere, so a plain comment is enough.
fn has_comment_above(tokens: &[Token<'_>], start: usize) -> bool {
    let Some(comment) = start.checked_sub(1).map(|before| &tokens[before]) else { return false };
    let is_alone = start < 2 || tokens[start - 2].line < comment.line;
    comment.kind == TokenKind::Comment && comment.line + 1 == tokens[start].line && is_alone
}

fn is_visibility(token: &Token<'_>) -> bool {
    matches!(token.text, "pub" | "(" | ")" | "crate" | "super")
}

/// The name of `const NAME: Type = numbers;`, and whether the value is zero.
fn numeric_constant<'a>(tokens: &[Token<'a>]) -> Option<(&'a str, bool)> {
    let [_, name, colon, rest @ ..] = tokens else { return None };
    let end = rest.iter().position(|token| token.is(";"))?;
    let value = rest[..end].iter().rposition(|token| token.is("="))?;
    let value = &rest[value + 1..end];
    let is_number = |token: &Token<'_>| token.text.starts_with(|char: char| char.is_ascii_digit());
    let is_numeric = |token: &Token<'_>| match token.kind {
        TokenKind::Word => is_number(token) || NUMERIC_WORDS.contains(&token.text),
        TokenKind::Punctuation => "+-*/<>(),.:_".contains(token.text),
        _ => false,
    };
    let is_constant = name.kind == TokenKind::Word
        && name.text != "_"
        && colon.is(":")
        && value.iter().all(is_numeric)
        && value.iter().any(is_number);
    let is_zero = matches!(value, [zero] if zero.text == "0");
    is_constant.then_some((name.text, is_zero))
}

#[cfg(test)]
mod tests {
    use super::super::tests::files;

    fn check(source: &str, expected: &[&str]) {
        let inputs = files(&[("crates/rebut-smt/src/lib.rs", source)]);
        let complaints = inputs.complaints("constants");
        let names: Vec<&str> =
            complaints.iter().filter_map(|complaint| complaint.split('`').nth(1)).collect();
        assert_eq!(names, expected, "{source}");
    }

    #[test]
    fn numbers_need_a_comment() {
        check("const A: u8 = 1;\n\npub(crate) const B: usize = 1 << 20;", &["A", "B"]);
        check(
            "/// A limit.\n#[allow(x)]\npub(super) const A: u8 = 1;\n\nconst B: f64 = -1.5;",
            &["B"],
        );
        check("impl A {\n    const B: Duration = Duration::from_secs(60);\n}", &["B"]);
        check("let a = 1; // Not about B.\nconst B: u8 = 1;", &["B"]);
    }

    #[test]
    fn plain_comments_and_comments_of_a_group_count() {
        check("fn f() {\n    // A limit.\n    const A: u8 = 1;\n}", &[]);
        check("/// Two limits.\nconst A: u8 = 1;\nconst B: u8 = 2;\n\nconst C: u8 = 3;", &["C"]);
    }

    #[test]
    fn other_constants_and_tests_need_none() {
        check(
            "const A: &str = \"1\";\nconst B: &[u8] = &[1];\nconst fn c() {}\nconst D: u8 = f();",
            &[],
        );
        check("#[cfg(test)]\nmod tests {\n    const A: u8 = 1;\n}", &[]);
    }

    #[test]
    fn zero_needs_no_comment() {
        check("const A: u8 = 0;\nconst B: u8 = 1;", &["B"]);
        check("/// Numbers.\nconst A: u8 = 0;\nconst B: u8 = 1;", &[]);
    }

    #[test]
    fn canary_without_a_comment_is_reported_only_in_engines() {
        let source = "const CANARY: u8 = 1;";
        let inputs = files(&[("crates/rebut-smt/src/a.rs", source), ("xtask/src/a.rs", source)]);
        assert_eq!(inputs.complaints("constants").len(), 1);
    }
}
