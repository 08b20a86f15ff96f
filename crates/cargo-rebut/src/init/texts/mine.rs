//! Collects the string literals of a package: those of its code, tests and documentation.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use syn::Lit;

/// The string literals of a package.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Literals {
    /// All of them, in the order in which they were found.
    pub(in super::super) all: Vec<String>,
    seen: BTreeMap<String, usize>,
}

/// The maximum length of a literal in bytes. Arbitrary: longer ones are documents rather than
/// values, and are ignored.
const LENGTH_MAX: usize = 100;

/// The maximum number of literals. Arbitrary: each is tried with every parser. Further ones are
/// ignored.
const COUNT_MAX: usize = 4000;

/// The maximum size of a file in bytes. Arbitrary: larger files are data, and are ignored.
const FILE_MAX: u64 = 2_000_000;

/// The literals of the package in a directory.
pub(in super::super) fn literals(folder: &Path) -> Literals {
    let mut literals = Literals::default();
    // Read documentation and tests first: they contain values, while sources contain messages.
    let mut files: Vec<PathBuf> = Vec::new();
    for name in ["README.md", "Readme.md", "readme.md"] {
        files.extend(Some(folder.join(name)).filter(|file| file.is_file()));
    }
    for name in ["tests", "examples", "src", "benches"] {
        collect(&folder.join(name), &mut files, 0);
    }
    for file in files {
        let is_short = fs::metadata(&file).is_ok_and(|metadata| metadata.len() <= FILE_MAX);
        let Ok(text) = fs::read_to_string(&file) else { continue };
        if is_short && literals.all.len() < COUNT_MAX {
            match file.extension().is_some_and(|extension| extension == "md") {
                true => literals.markdown(&text),
                false => literals.rust(&text),
            }
        }
    }
    literals
}

/// The maximum depth of directories. Arbitrary: it only ends a cycle of links. Deeper files are
/// ignored.
const DEPTH_MAX: usize = 8;

fn collect(folder: &Path, files: &mut Vec<PathBuf>, depth: usize) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() && depth < DEPTH_MAX {
            collect(&path, files, depth + 1);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

impl Literals {
    fn add(&mut self, text: &str) {
        if text.is_empty() || text.len() > LENGTH_MAX || text.contains('\n') {
            return;
        }
        let count = self.seen.entry(text.to_owned()).or_default();
        *count += 1;
        if *count == 1 && self.all.len() < COUNT_MAX {
            self.all.push(text.to_owned());
        }
    }

    /// Adds the literals of a Rust file, those in its documentation first.
    fn rust(&mut self, text: &str) {
        let mut docs = String::new();
        for line in text.lines() {
            let line = line.trim_start();
            let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
            match comment {
                Some(comment) => {
                    docs.push_str(comment.strip_prefix(' ').unwrap_or(comment));
                    docs.push('\n');
                }
                None if !docs.is_empty() => {
                    self.markdown(&docs);
                    docs.clear();
                }
                None => {}
            }
        }
        self.markdown(&docs);
        self.code(text);
    }

    /// Adds the literals of code blocks, and the strings between backticks.
    fn markdown(&mut self, text: &str) {
        let mut block: Option<String> = None;
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                block = match block.take() {
                    Some(code) => {
                        self.code(&code);
                        None
                    }
                    None => Some(String::new()),
                };
            } else if let Some(code) = &mut block {
                // Lines that begin with `# ` are hidden code.
                let shown = line.trim_start();
                code.push_str(shown.strip_prefix("# ").unwrap_or(line));
                code.push('\n');
            } else {
                for (nth, span) in line.split('`').enumerate() {
                    if nth % 2 == 1 {
                        self.add(span.trim_matches('"'));
                    }
                }
            }
        }
    }

    fn code(&mut self, code: &str) {
        let Ok(tokens) = code.parse::<TokenStream>() else { return };
        self.tokens(tokens);
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                // A documentation comment; its examples were already read as Markdown.
                TokenTree::Group(group) if is_doc(&group.stream()) => {}
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => match Lit::new(literal) {
                    Lit::Str(text) => self.add(&text.value()),
                    Lit::ByteStr(bytes) => {
                        if let Ok(text) = String::from_utf8(bytes.value()) {
                            self.add(&text);
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// The literals in those examples of some documentation that name a type or function.
    pub(in super::super) fn in_examples_of(docs: &str, name: &str) -> Vec<String> {
        let mut found = Literals::default();
        let mut block: Option<String> = None;
        for line in docs.lines() {
            if line.trim_start().starts_with("```") {
                block = match block.take() {
                    Some(code) if code.contains(name) => {
                        found.code(&code);
                        None
                    }
                    Some(_) => None,
                    None => Some(String::new()),
                };
            } else if let Some(code) = &mut block {
                code.push_str(line.trim_start().strip_prefix("# ").unwrap_or(line));
                code.push('\n');
            }
        }
        found.all
    }
}

/// Whether the inside of an attribute is `doc = ".."`.
fn is_doc(tokens: &TokenStream) -> bool {
    let mut tokens = tokens.clone().into_iter();
    let is_named = matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "doc");
    is_named && matches!(tokens.next(), Some(TokenTree::Punct(sign)) if sign.as_char() == '=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_code_and_documentation_are_collected() {
        let mut literals = Literals::default();
        literals.rust(
            "/// Parses `1.2.3`.\n/// ```\n/// # let hidden = \"0.0.1\";\n/// parse(\"4.5.6\");\n\
             /// ```\nfn parse(text: &str) { assert_eq!(text, \"7\"); f(b\"raw\", 'c', \"\") }\n",
        );
        assert_eq!(literals.all, ["1.2.3", "0.0.1", "4.5.6", "7", "raw"]);
    }

    #[test]
    fn examples_of_other_types_are_ignored() {
        let docs = "```\nA::parse(\"1\")\n```\ntext\n```\nB::parse(\"2\")\n```\n";
        assert_eq!(Literals::in_examples_of(docs, "B::"), ["2"]);
    }
}
