//! The word list: refuses antique and translated words in everything that a user or contributor
//! reads, and names the better word.
//!
//! `words/table.rs` has the words, the scopes where each is refused, its exceptions, and the paths
//! that each scope covers today. A word belongs into the table only if a hit is nearly always a
//! sentence to rewrite.

mod find;
mod markdown;
mod rust;
mod table;

use std::path::Path;

use find::{Finder, Speller};
use table::{COVERED, EXCLUDED, SPELLINGS, WORDS};

use crate::sources::{self, SourceFile, files};

/// The kind of text that a sentence belongs to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Scope {
    /// A page in Markdown, outside of code.
    Prose,
    /// A string of the program.
    Messages,
    /// Documentation of arguments, which `--help` prints.
    Help,
    /// The script and style of the HTML report.
    Page,
    /// Documentation of Rust items, outside of code.
    Rustdoc,
    /// Other comments.
    Comments,
}

impl Scope {
    /// The scope that the table names.
    fn counts_as(self) -> Scope {
        match self {
            Scope::Help | Scope::Page => Scope::Messages,
            other => other,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Scope::Prose => "prose",
            Scope::Messages => "message",
            Scope::Help => "help",
            Scope::Page => "page",
            Scope::Rustdoc => "rustdoc",
            Scope::Comments => "comment",
        }
    }
}

/// Connected text of one scope. Its line breaks are those of the file.
#[derive(Clone, Debug)]
struct Piece {
    scope: Scope,
    /// The line on which it starts, from 1.
    line: usize,
    text: String,
}

/// `cargo xtask words [PATH..]`. With paths, checks every scope of the files there, whether it is
/// covered or not.
pub(crate) fn run(paths: &[&str]) -> Result<(), String> {
    let lines = check(&crate::root(), paths)?;
    for line in &lines {
        println!("{line}");
    }
    match lines.len() {
        0 => Ok(()),
        1 => Err("1 word to replace; the table is xtask/src/words/table.rs".to_owned()),
        count => Err(format!("{count} words to replace; the table is xtask/src/words/table.rs")),
    }
}

/// Checks the files below `root`, or those at or below `paths`. Returns one line for each hit.
fn check(root: &Path, paths: &[&str]) -> Result<Vec<String>, String> {
    let paths: Vec<&str> =
        paths.iter().map(|path| path.trim_start_matches("./").trim_end_matches('/')).collect();
    let sources = sources::read(root)?;
    for path in &paths {
        if !sources.iter().any(|file| is_below(&file.path, path)) {
            return Err(format!("no file at or below `{path}`"));
        }
    }
    let tests = sources::test_files(&sources);
    let (finder, speller) = (Finder::new(WORDS), Speller::new(SPELLINGS));
    let mut lines = Vec::new();
    for SourceFile { path, text } in &sources {
        let is_wanted = paths.is_empty() || paths.iter().any(|wanted| is_below(path, wanted));
        if is_wanted && !is_excluded(path) {
            let mut hits = spelling_hits(&speller, text);
            let scopes = [Scope::Prose, Scope::Messages, Scope::Rustdoc, Scope::Comments];
            let has_scope =
                !paths.is_empty() || scopes.iter().any(|&scope| is_covered(scope, path));
            if has_scope && !tests.contains(path) {
                let pieces = pieces(path, text).into_iter();
                let covered = |piece: &Piece| !paths.is_empty() || is_covered(piece.scope, path);
                hits.extend(
                    pieces.filter(covered).flat_map(|piece| word_hits(&finder, &piece, path)),
                );
            }
            hits.sort();
            lines.extend(hits.iter().map(|(line, hit)| format!("{path}:{line}: {hit}")));
        }
    }
    Ok(lines)
}

fn is_below(file: &str, path: &str) -> bool {
    let rest = file.strip_prefix(path);
    path == "." || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The lines with British spellings, and what to write.
fn spelling_hits(speller: &Speller<'_>, text: &str) -> Vec<(usize, String)> {
    let mut hits = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for (word, better) in speller.misspelled(line) {
            hits.push((index + 1, format!("\"{word}\": write \"{better}\" (American spelling)")));
        }
    }
    hits
}

/// The lines with refused words, and what to write.
fn word_hits(finder: &Finder<'_>, piece: &Piece, path: &str) -> Vec<(usize, String)> {
    let hits = finder.find(&piece.text, piece.scope, path).into_iter();
    let message = |hit: find::Hit<'_>| {
        let better: Vec<String> =
            hit.word.better.iter().map(|word| format!("\"{word}\"")).collect();
        let (better, scope) = (better.join(" or "), piece.scope.name());
        (piece.line + hit.line, format!("\"{}\": write {better} ({scope})", hit.found))
    };
    hits.map(message).collect()
}

/// The pieces of connected text in a file.
fn pieces(path: &str, text: &str) -> Vec<Piece> {
    let whole = |scope, text| vec![Piece { scope, line: 1, text }];
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("md") => whole(Scope::Prose, markdown::prose(text)),
        Some("rs") => rust::read(text),
        Some("js" | "css") if path.contains("/html/") => {
            whole(Scope::Page, markdown::without_code(text))
        }
        _ => Vec::new(),
    }
}

fn is_covered(scope: Scope, path: &str) -> bool {
    let is_named = |paths: &[&str]| paths.iter().any(|pattern| files::matches(pattern, path));
    let covers = |covered: &table::Covered| covered.scopes.contains(&scope.counts_as());
    COVERED.iter().any(|covered| covers(covered) && is_named(covered.paths))
}

fn is_excluded(path: &str) -> bool {
    EXCLUDED.iter().any(|(pattern, _)| files::matches(pattern, path))
}

#[cfg(test)]
mod tests {
    use super::table::{EXCLUDED, SPELLINGS, WORDS};
    use super::{Scope, Speller, check, find, is_covered};

    /// Writes files, checks them, and removes them.
    fn check_files(name: &str, files: &[(&str, &str)], paths: &[&str]) -> Vec<String> {
        let root = std::env::temp_dir().join(format!("rebut-words-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            std::fs::write(path, text).expect("a file");
        }
        let lines = check(&root, paths);
        std::fs::remove_dir_all(&root).expect("the directory is removed");
        lines.expect("the check runs")
    }

    #[test]
    fn refuses_a_word_of_every_scope() {
        let behavior = format!("behavi{}r", "ou");
        let files = [
            ("README.md", "Mend it.\n"),
            ("docs/guide/start.md", "A `mend` is\nseldom code.\n"),
            ("crates/rebut-gen/src/lib.rs", "/// Folders.\nfn f() {} // anew\n"),
            ("examples/tour/a.rs", "/// Folders.\nfn f() { g(\"it is told\") }\n"),
            (
                "crates/cargo-rebut/src/cli.rs",
                "#[derive(Args)]\nstruct A {\n    /// Write for ever\n    a: u8,\n}\n",
            ),
            ("crates/rebut-report/src/html/report.js", "show(\"nought\");\n"),
            ("examples/a.rs", &format!("fn is_{behavior}() {{}}\n")),
        ];
        let expected = [
            "README.md:1: \"Mend\": write \"fix\" (prose)",
            "crates/cargo-rebut/src/cli.rs:3: \"for ever\": write \"forever\" or \"always\" (help)",
            "crates/rebut-gen/src/lib.rs:1: \"Folders\": write \"directory\" (rustdoc)",
            "crates/rebut-gen/src/lib.rs:2: \"anew\": write \"again\" (comment)",
            "crates/rebut-report/src/html/report.js:1: \"nought\": write \"zero\" (page)",
            "docs/guide/start.md:2: \"seldom\": write \"rarely\" (prose)",
            &format!("examples/a.rs:1: \"{behavior}\": write \"behavior\" (American spelling)"),
            "examples/tour/a.rs:2: \"told\": write \"report\" or \"print\" or \
             \"distinguish\" (message)",
        ];
        assert_eq!(check_files("scopes", &files, &[]), expected);
    }

    #[test]
    fn named_paths_are_checked_in_every_scope() {
        let files = [("examples/src/lib.rs", "/// Folders.\n"), ("README.md", "Mend it.\n")];
        let expected = ["examples/src/lib.rs:1: \"Folders\": write \"directory\" (rustdoc)"];
        assert_eq!(check_files("paths", &files, &["./examples/"]), expected);
    }

    #[test]
    fn tests_may_say_anything() {
        let files = [
            ("crates/a/src/lib.rs", "#[cfg(test)]\nmod tried;\nmod other;\n"),
            ("crates/a/src/tried.rs", "fn f() { g(\"it is told\") }\n"),
            ("crates/a/src/tried/deep.rs", "fn f() { g(\"it is told\") }\n"),
            ("crates/a/tests/b.rs", "fn f() { g(\"it is told\") }\n"),
        ];
        assert!(check_files("tests", &files, &[]).is_empty());
    }

    #[test]
    fn every_word_is_found_and_its_exceptions_are_not() {
        for word in WORDS {
            for phrase in word.phrases {
                let sentence = example(phrase);
                let scope = word.scopes[0];
                let finder = find::Finder::new(std::slice::from_ref(word));
                assert!(!finder.find(&sentence, scope, "a").is_empty(), "{phrase}: {sentence}");
                assert!(!word.better.is_empty(), "{phrase}");
            }
            for (exception, reason) in word.exceptions {
                let finder = find::Finder::new(std::slice::from_ref(word));
                let hits = finder.find(&example(exception), word.scopes[0], "a");
                assert!(hits.is_empty(), "{exception}: {hits:?}");
                assert!(!reason.is_empty(), "{exception}");
            }
        }
    }

    /// A sentence that has the phrase.
    fn example(phrase: &str) -> String {
        let word = |part: &str| match part {
            "*" => "word".to_owned(),
            "<" => String::new(),
            ">" => ".".to_owned(),
            "`" => "¤".to_owned(),
            words => words.split('|').next().unwrap_or_default().to_owned(),
        };
        phrase.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn american_spellings_pass_their_own_check() {
        for spelling in SPELLINGS {
            let is_verb = matches!(spelling, super::table::Spelling::Ise(_));
            let word = format!("{}{}", spelling.british(), if is_verb { "ation" } else { "" });
            let american = spelling.american(&word).expect("a spelling");
            assert!(Speller::new(SPELLINGS).misspelled(&american).is_empty(), "{word}: {american}");
        }
    }

    #[test]
    fn paths_of_the_tables_exist() {
        let files = super::files::list(&crate::root()).expect("files");
        let covered = super::COVERED.iter().flat_map(|covered| covered.paths);
        let terms = WORDS.iter().flat_map(|word| word.terms).map(|(path, _)| path);
        let excluded = EXCLUDED.iter().map(|(path, _)| path);
        for pattern in covered.chain(terms).chain(excluded) {
            assert!(files.iter().any(|path| super::files::matches(pattern, path)), "{pattern}");
        }
        assert!(is_covered(Scope::Help, "crates/cargo-rebut/src/cli.rs"));
    }
}
