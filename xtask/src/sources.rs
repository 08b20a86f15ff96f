//! The files of the repository as text, and which of them only tests need.
//!
//! The checks of `words` and `house` share this. They read tokens and not syntax trees, because a
//! lexer is enough for them and takes a tenth of a second for the whole repository.

pub(crate) mod attributes;
pub(crate) mod files;
pub(crate) mod lexer;

use std::collections::BTreeSet;
use std::path::Path;

use attributes::{Marks, attributed_items};

/// A text file of the repository.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    /// Relative to the root, with `/` between its parts.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl SourceFile {
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

/// The text files below `root`. A file that is not UTF-8 has no words and no code.
pub(crate) fn read(root: &Path) -> Result<Vec<SourceFile>, String> {
    let read = |path: String| {
        let text = std::fs::read_to_string(root.join(&path)).ok()?;
        Some(SourceFile { path, text })
    };
    Ok(files::list(root)?.into_iter().filter_map(read).collect())
}

/// The paths of the Rust files that only tests need.
pub(crate) fn test_files(sources: &[SourceFile]) -> BTreeSet<String> {
    let mut modules = Vec::new();
    // Most files declare no module for tests, and need not be lexed to know that.
    let declares = |text: &str| text.contains("(test)]") || text.contains("(test,");
    for SourceFile { path, text } in
        sources.iter().filter(|file| file.is_rust() && declares(&file.text))
    {
        let directory = path.trim_end_matches(".rs");
        let directory = ["/lib", "/main", "/mod"]
            .iter()
            .find_map(|root| directory.strip_suffix(root))
            .unwrap_or(directory);
        modules.extend(test_modules(text).iter().map(|name| format!("{directory}/{name}")));
    }
    let is_in_module = |path: &str| {
        modules.iter().any(|module| {
            let rest = path.strip_prefix(module.as_str());
            rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
        })
    };
    let is_test = |path: &&String| {
        let is_named =
            ["/tests/", "/benches/", "/testdata/"].iter().any(|part| path.contains(part));
        is_named || path.ends_with("/tests.rs") || is_in_module(path)
    };
    sources.iter().map(|file| &file.path).filter(is_test).cloned().collect()
}

/// The names of `#[cfg(test)] mod name;`.
fn test_modules(text: &str) -> Vec<String> {
    let tokens = lexer::tokens(text);
    let mut names = Vec::new();
    for item in attributed_items(&tokens) {
        let declaration = &tokens[item.first..item.end(&tokens)];
        if Marks::of_item(&item, &tokens).is_test
            && let Some(module) = declaration.iter().position(|token| token.is("mod"))
            && let [_, name, semicolon, ..] = &declaration[module..]
            && semicolon.is(";")
        {
            names.push(name.text.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{SourceFile, test_files, test_modules};

    #[test]
    fn modules_with_a_file_and_a_test_attribute_are_test_modules() {
        assert_eq!(test_modules("#[cfg(test)]\nmod one;\nmod two;"), ["one"]);
        assert_eq!(test_modules("#[cfg(test)]\nmod one {}\n#[cfg(unix)]\nmod two;"), [""; 0]);
    }

    #[test]
    fn files_of_test_modules_and_test_directories_are_test_files() {
        let file =
            |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
        let sources = [
            file("a/src/lib.rs", "#[cfg(test)]\nmod oracle;\nmod other;"),
            file("a/src/oracle.rs", ""),
            file("a/src/oracle/deep.rs", ""),
            file("a/src/other.rs", ""),
            file("a/src/other/tests.rs", ""),
            file("a/tests/b.rs", ""),
        ];
        let expected =
            ["a/src/oracle.rs", "a/src/oracle/deep.rs", "a/src/other/tests.rs", "a/tests/b.rs"];
        assert_eq!(test_files(&sources).into_iter().collect::<Vec<_>>(), expected);
    }
}
