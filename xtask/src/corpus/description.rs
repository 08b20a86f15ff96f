//! The directory of a crate in `corpus/`: its version, and the expected results.

use std::fs;
use std::path::{Path, PathBuf};

use syn::spanned::Spanned as _;

/// One directory of the corpus.
#[derive(Clone, Debug, Default)]
pub(super) struct Description {
    /// The directory, which is the name of the crate unless the description names another one.
    pub(super) home: PathBuf,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) styles: Vec<String>,
    pub(super) features: Vec<String>,
    /// Whether the package is a member of a workspace.
    pub(super) is_member: bool,
    /// Whether `cargo xtask test` checks the crate.
    pub(super) is_in_slice: bool,
    /// Whether the code of the package denies warnings that its compiler did not have.
    pub(super) caps_lints: bool,
    /// Whether the package is part of this repository, and not fetched.
    pub(super) is_local: bool,
}

impl Description {
    /// Reads all descriptions, sorted by the names of their directories.
    pub(super) fn all(corpus: &Path) -> Result<Vec<Description>, String> {
        let entries = fs::read_dir(corpus).map_err(|error| format!("{corpus:?}: {error}"))?;
        let mut homes: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        homes.retain(|home| home.join("corpus.toml").is_file());
        homes.sort();
        homes.iter().map(|home| Description::read(home)).collect()
    }

    fn read(home: &Path) -> Result<Description, String> {
        let path = home.join("corpus.toml");
        let text = fs::read_to_string(&path).map_err(|error| format!("{path:?}: {error}"))?;
        let directory = home.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut description =
            Description { home: home.to_owned(), name: directory, ..Description::default() };
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            description.set(line).map_err(|why| format!("{}: {why}", path.display()))?;
        }
        match description.version.as_str() {
            "" if !description.is_local => Err(format!("{} has no version", path.display())),
            _ => Ok(description),
        }
    }

    fn set(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once('=').ok_or_else(|| format!("no `=` in `{line}`"))?;
        let value = value.trim();
        let text = || value.trim_matches('"').to_owned();
        let list = || -> Vec<String> {
            let inside = value.trim_matches(['[', ']']);
            let words = inside.split(',').map(|word| word.trim().trim_matches('"').to_owned());
            words.filter(|word| !word.is_empty()).collect()
        };
        match key.trim() {
            "name" => self.name = text(),
            "version" => self.version = text(),
            "styles" => self.styles = list(),
            "features" => self.features = list(),
            "layout" => self.is_member = text() == "workspace",
            "lints" => self.caps_lints = text() == "cap",
            "slice" => self.is_in_slice = value == "true",
            "local" => self.is_local = value == "true",
            "comment" => {}
            other => return Err(format!("unknown key `{other}`")),
        }
        Ok(())
    }

    /// The name of the directory, which is unique.
    pub(super) fn directory(&self) -> String {
        self.home.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// A file with properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suite {
    /// An integration test.
    Tests,
    /// A module of the crate.
    Unit,
}

impl Suite {
    pub(super) const ALL: [Suite; 2] = [Suite::Tests, Suite::Unit];

    /// The name of the file in the corpus.
    pub(super) fn source(self) -> &'static str {
        match self {
            Suite::Tests => "tests.rs",
            Suite::Unit => "unit.rs",
        }
    }

    /// The path of the file in the package.
    pub(super) fn path(self) -> &'static str {
        match self {
            Suite::Tests => "tests/corpus.rs",
            Suite::Unit => "src/corpus.rs",
        }
    }

    /// The arguments of cargo that select the target.
    pub(super) fn selection(self) -> &'static [&'static str] {
        match self {
            Suite::Tests => &["--test", "corpus"],
            Suite::Unit => &["--lib"],
        }
    }

    /// The name of a test in its harness.
    pub(super) fn test_name(self, function: &str) -> String {
        match self {
            Suite::Tests => function.to_owned(),
            Suite::Unit => format!("corpus::{function}"),
        }
    }
}

/// A property of a file, with its expected result.
#[derive(Clone)]
pub(super) struct Property {
    pub(super) name: String,
    /// The expected verdict.
    pub(super) verdict: String,
    /// A part of the expected message, or the expected number of inputs of a proof.
    pub(super) detail: String,
    pub(super) function: syn::ItemFn,
    /// The line of its first attribute, from 1.
    pub(super) first_line: usize,
}

impl Property {
    /// Returns whether the function returns nothing, as most properties do.
    pub(super) fn returns(&self) -> Returned {
        match &self.function.sig.output {
            syn::ReturnType::Default => Returned::Nothing,
            syn::ReturnType::Type(_, ty) => {
                let ty = quote::quote!(#ty).to_string();
                if ty == "bool" { Returned::Bool } else { Returned::Result }
            }
        }
    }

    /// Returns whether the body contains an assertion macro. One that is always false only runs
    /// when the property fails.
    pub(super) fn has_assertion(&self) -> bool {
        let block = &self.function.block;
        let text = quote::quote!(#block).to_string().replace("assert ! (false", "");
        ["assert !", "assert_eq !", "assert_ne !"].iter().any(|name| text.contains(name))
    }
}

/// The kind of value that a property returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    Nothing,
    Bool,
    Result,
}

/// The properties and types of a file.
pub(super) struct SuiteSource {
    pub(super) text: String,
    pub(super) properties: Vec<Property>,
    pub(super) items: Vec<syn::Item>,
}

impl SuiteSource {
    pub(super) fn parse(text: &str) -> Result<SuiteSource, String> {
        let file = syn::parse_file(text).map_err(|error| {
            let at = error.span().start();
            format!("cannot be parsed, {}:{}: {error}", at.line, at.column)
        })?;
        let lines: Vec<&str> = text.lines().collect();
        let mut properties = Vec::new();
        for item in &file.items {
            let syn::Item::Fn(function) = item else { continue };
            if !function.attrs.iter().any(is_property) {
                continue;
            }
            let first = function.attrs.iter().map(|attribute| attribute.span().start().line);
            let first_line = first.min().unwrap_or(1);
            let name = function.sig.ident.to_string();
            let (verdict, detail) = expectation(&lines[..first_line - 1])
                .ok_or_else(|| format!("`{name}` has no comment `// expect: ..` above it"))?;
            let function = function.clone();
            properties.push(Property { name, verdict, detail, function, first_line });
        }
        Ok(SuiteSource { text: text.to_owned(), properties, items: file.items })
    }
}

fn is_property(attribute: &syn::Attribute) -> bool {
    let path = attribute.path();
    let words: Vec<String> = path.segments.iter().map(|word| word.ident.to_string()).collect();
    matches!(
        words.iter().map(String::as_str).collect::<Vec<_>>().as_slice(),
        ["rebut", "test" | "exists" | "not_exists"]
    )
}

/// Reads the comment in the lines that end right above the attributes of a property.
fn expectation(above: &[&str]) -> Option<(String, String)> {
    let comments = above.iter().rev().take_while(|line| line.trim_start().starts_with("//"));
    let expected =
        comments.filter_map(|line| line.trim_start().strip_prefix("// expect:")).next()?;
    let (verdict, detail) = expected.split_once(':').unwrap_or((expected, ""));
    Some((verdict.trim().to_owned(), detail.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_a_description_are_read() {
        let mut description = Description::default();
        for line in ["version = \"1.2.3\"", "styles = [\"text\", \"no_std\"]", "slice = true"] {
            description.set(line).expect("a known key");
        }
        assert_eq!(description.version, "1.2.3");
        assert_eq!(description.styles, ["text", "no_std"]);
        assert!(description.is_in_slice && !description.is_member);
        assert!(description.set("versoin = 1").is_err());
    }

    #[test]
    fn expectations_are_above_properties() {
        let text = "fn helper() {}\n\n// expect: failed: a: b\n/// Documentation.\n\
                    #[rebut::test]\nfn one(x: u8) {}\n// expect: proved\n#[rebut::test]\nfn two() {}\n";
        let source = SuiteSource::parse(text).expect("valid code");
        let of = |nth: usize| {
            let property = &source.properties[nth];
            (property.name.as_str(), property.verdict.as_str(), property.detail.as_str())
        };
        assert_eq!(of(0), ("one", "failed", "a: b"));
        assert_eq!(of(1), ("two", "proved", ""));
        assert_eq!(source.properties[0].first_line, 4);
        assert!(SuiteSource::parse("#[rebut::test]\nfn one() {}").is_err());
    }
}
