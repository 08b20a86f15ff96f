//! Names of types and tests that explain themselves.

use super::{CodeFile, House};
use crate::sources::attributes::{AttributedItem, attributed_items};
use crate::sources::lexer::TokenKind;

/// Words that say nothing about the type that they name.
const GENERIC_TYPES: &[&str] = &[
    "Kind", "Known", "Found", "Place", "Part", "Said", "Told", "Way", "Drawn", "Taken", "Kept",
    "Given", "Wanted", "Wrong", "Tried", "Asked", "Lost", "Done", "Names", "Walk",
];

/// Types that have such a name for a reason: a path, a name, the reason.
const GENERIC_FOR_A_REASON: &[(&str, &str, &str)] = &[
    ("crates/rebut-build/src/problem.rs", "Kind", PRIVATE_KIND),
    ("crates/rebut-gen/src/regex/error.rs", "Kind", PRIVATE_KIND),
    ("crates/rebut-smt/src/evaluate.rs", "Kind", PRIVATE_KIND),
    ("crates/rebut-spec/src/builder.rs", "Kind", PRIVATE_KIND),
];
const PRIVATE_KIND: &str = "the private kind behind an error struct is an idiom";

/// A test is a claim about its subject, so its name starts with the subject.
const WORDS_BEFORE_SUBJECT: &[&str] = &["what", "who", "of", "that", "how", "which", "where"];

pub(super) fn complaints(house: &House<'_>) -> Vec<String> {
    let mut complaints = Vec::new();
    // Programs in test data are as users write them.
    let is_ours = |file: &&CodeFile<'_>| {
        !["/testdata/", "/tests/ui/"].iter().any(|part| file.path.contains(part))
    };
    for file in house.code.iter().filter(is_ours) {
        complaints.extend(type_complaints(file));
        complaints.extend(test_complaints(file));
    }
    for (path, name, _) in GENERIC_FOR_A_REASON {
        let file = house.code.iter().find(|file| file.path == *path);
        if !file.is_some_and(|file| types(file).any(|(_, found)| found == *name)) {
            complaints.push(format!(
                "{path}: no type `{name}`; remove it from `GENERIC_FOR_A_REASON` in \
                 xtask/src/house/names.rs"
            ));
        }
    }
    complaints
}

fn type_complaints<'a>(file: &'a CodeFile<'_>) -> impl Iterator<Item = String> + 'a {
    let is_excepted = |name: &str| {
        GENERIC_FOR_A_REASON
            .iter()
            .any(|(path, excepted, _)| *path == file.path && *excepted == name)
    };
    let generic = types(file).filter(|(_, name)| GENERIC_TYPES.contains(name));
    generic.filter(move |(_, name)| !is_excepted(name)).map(|(line, name)| {
        format!("{}:{line}: a type called `{name}`; say which: `{name}` of what?", file.path)
    })
}

/// The types that a file defines, with their lines.
fn types<'a>(file: &'a CodeFile<'_>) -> impl Iterator<Item = (usize, &'a str)> {
    let is_keyword = |text: &str| matches!(text, "struct" | "enum" | "trait" | "union" | "type");
    file.tokens.windows(2).filter_map(move |pair| {
        let is_definition = pair[0].kind == TokenKind::Word
            && is_keyword(pair[0].text)
            && pair[1].kind == TokenKind::Word;
        is_definition.then_some((pair[1].line, pair[1].text))
    })
}

fn test_complaints(file: &CodeFile<'_>) -> Vec<String> {
    let mut complaints = Vec::new();
    for item in attributed_items(&file.tokens).iter().filter(|item| is_test(file, item)) {
        let declaration = &file.tokens[item.first..];
        let Some(at) = declaration.iter().position(|token| token.is("fn")) else { continue };
        let Some(name) = declaration.get(at + 1) else { continue };
        let first = name.text.split('_').next().unwrap_or_default();
        if WORDS_BEFORE_SUBJECT.contains(&first) {
            complaints.push(format!(
                "{}:{}: the test `{}` begins with \"{first}\"; begin with the subject of the claim",
                file.path, name.line, name.text
            ));
        }
    }
    complaints
}

/// Whether an item is a test or a property.
fn is_test(file: &CodeFile<'_>, item: &AttributedItem) -> bool {
    let attributes = item.attributes.iter().filter(|attribute| !attribute.is_inner);
    attributes.map(|attribute| attribute.words(&file.tokens)).any(|words| {
        matches!(words.as_slice(), ["test"] | ["rebut", "test" | "exists" | "not_exists", ..])
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{files, workspace};

    /// Complaints about one file, without those about exceptions of the table.
    fn complaints(source: &str) -> Vec<String> {
        let path = "crates/a/src/lib.rs";
        let complaints = files(&[(path, source)]).complaints("names").into_iter();
        complaints.filter(|complaint| complaint.starts_with(path)).collect()
    }

    #[test]
    fn generic_types_fail_wherever_they_are_defined() {
        assert_eq!(complaints("struct Walk;\nmod a { pub(crate) enum Kind<T> {} }").len(), 2);
        assert_eq!(complaints("struct TreeWalk;\nfn f(kind: Kind) -> Walk {}").len(), 0);
        assert_eq!(complaints("// struct Walk;\nconst A: &str = \"struct Walk;\";").len(), 0);
    }

    #[test]
    fn tests_and_properties_begin_with_their_subject() {
        let source = "#[test]\nfn what_is_sorted_stays() {}\n#[rebut::test(cases = 3)]\npub fn \
                      that_it_is(a: u8) {}\nfn how_it_is() {}\n#[test]\nfn offers_more() {}";
        let expected = [
            "crates/a/src/lib.rs:2: the test `what_is_sorted_stays` begins with \"what\"; begin \
             with the subject of the claim",
            "crates/a/src/lib.rs:4: the test `that_it_is` begins with \"that\"; begin with the \
             subject of the claim",
        ];
        assert_eq!(complaints(source), expected);
    }

    #[test]
    fn canary_with_a_generic_name_fails() {
        let path = "crates/rebut-build/src/problem.rs";
        let text = "enum Kind {}\nstruct Told;";
        let inputs = workspace().below(&["crates/rebut-choice/src"]).with_file(path, text);
        let complaints = inputs.complaints("names");
        let about_path: Vec<_> = complaints.iter().filter(|one| one.starts_with(path)).collect();
        assert_eq!(about_path.len(), 1, "{complaints:?}");
        assert!(about_path[0].contains("`Told`"), "{complaints:?}");
    }
}
