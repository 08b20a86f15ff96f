//! Compiles the regression tests that Rebut wrote, next to the test that failed.
//!
//! A regression test uses the names that are visible at the original test. To confirm that it fails,
//! `cargo rebut` sets `REBUT_PRINTED` to a directory of such tests, and the macro includes them in a
//! module next to the original test. Without the environment variable, nothing happens.
//!
//! The compiler reads the files itself. Tokens of a macro would have the edition of this crate, and
//! most lints ignore them, so a test could compile here and not where it is pasted.

use rebut_protocol::test_path::TestPath;
use rebut_protocol::variables::PRINTED;
use std::fs;
use std::path::PathBuf;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;

use crate::written;

/// Returns the modules with the regression tests for the test at this path, such as `name`, of a
/// function.
pub(crate) fn beside(function: &Ident, test: &str) -> TokenStream {
    let Ok(directory) = std::env::var(PRINTED) else { return TokenStream::new() };
    let Some(path) = written::file_of(function.span()) else { return TokenStream::new() };
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let line = function.span().unwrap().start().line();
    let function = function.unraw().to_string();
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| PrintedFile::read(entry.path()));
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let files: Vec<PrintedFile> = files
        .filter(|file| is_package(file.text.lines().nth(1), &package))
        .filter(|file| file.head().is_some_and(|head| head.is_of(test)))
        .collect();
    let found = |is_ours: &dyn Fn(&FailedTestHead<'_>) -> bool| -> Vec<&PrintedFile> {
        files.iter().filter(|file| file.head().as_ref().is_some_and(is_ours)).collect()
    };
    let mut ours = found(&|place| place.is_at(&file, line));
    if ours.is_empty() {
        ours = found(&|place| !place.has_function(&function));
    }
    ours.into_iter().filter_map(PrintedFile::module).collect()
}

/// A file of regression tests.
struct PrintedFile {
    /// Its path, which is absolute: the compiler would look for another one next to the test.
    path: PathBuf,
    text: String,
}

impl PrintedFile {
    fn read(path: PathBuf) -> Option<PrintedFile> {
        let text = fs::read_to_string(&path).ok()?;
        Some(PrintedFile { path: std::path::absolute(path).ok()?, text })
    }

    fn head(&self) -> Option<FailedTestHead<'_>> {
        FailedTestHead::of(&self.text)
    }

    /// Returns the module with these regression tests.
    fn module(&self) -> Option<TokenStream> {
        let module = format_ident!("{}", TestPath::new(self.head()?.path).printed_module());
        let path = self.path.to_str()?;
        Some(quote! {
            #[cfg(test)]
            mod #module {
                use super::*;
                ::core::include!(#path);
            }
        })
    }
}

/// The test that failed: `// krate::module::name (src/module.rs:3)` in the first line.
struct FailedTestHead<'a> {
    path: &'a str,
    file: &'a str,
    line: usize,
}

impl FailedTestHead<'_> {
    fn of(text: &str) -> Option<FailedTestHead<'_>> {
        let (path, place) = text.lines().next()?.strip_prefix("// ")?.split_once(" (")?;
        let (file, line) = place.strip_suffix(')')?.rsplit_once(':')?;
        Some(FailedTestHead { path, file, line: line.parse().ok()? })
    }

    /// Returns whether the test has this path in its module.
    fn is_of(&self, test: &str) -> bool {
        let path = self.path.replace("r#", "");
        path.strip_suffix(test).is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
    }

    /// Returns whether the test is in this line of a file with this name.
    fn is_at(&self, file: &str, line: usize) -> bool {
        self.line == line && self.file.rsplit(['/', '\\']).next() == Some(file)
    }

    /// Returns whether a function with this name is written there. If not, a macro of the user
    /// writes the test: the line is that of its call, and the span is in its definition. The
    /// compiler runs in the directory to which the path is relative.
    fn has_function(&self, name: &str) -> bool {
        let source = fs::read_to_string(self.file).unwrap_or_default();
        let line = source.lines().nth(self.line.saturating_sub(1)).unwrap_or_default();
        let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '#'));
        words.any(|word| word.trim_start_matches("r#") == name)
    }
}

/// Returns whether a second line, `// cargo test -p krate --lib`, names this package or none.
fn is_package(second: Option<&str>, package: &str) -> bool {
    let named = second.and_then(|line| line.strip_prefix("// cargo test -p "));
    named.is_none_or(|named| named.split(' ').next() == Some(package))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_names_the_property() {
        let head = FailedTestHead::of("// krate::lists::r#match (krate/src/lists.rs:12)")
            .expect("a place");
        assert!(head.is_of("match") && head.is_of("lists::match"));
        assert!(!head.is_of("atch") && !head.is_of("lists") && !head.is_of("other::match"));
        assert!(head.is_at("lists.rs", 12));
        assert!(!head.is_at("lists.rs", 13) && !head.is_at("other.rs", 12));
        assert!(FailedTestHead::of("").is_none() && FailedTestHead::of("// a (b)").is_none());
    }

    #[test]
    fn functions_that_a_macro_writes_are_not_at_their_place() {
        let path = std::env::temp_dir().join(format!("rebut-printed-{}.rs", std::process::id()));
        fs::write(&path, "make!(u8 u16);\nfn crash() {}\n").expect("a file");
        let file = path.to_str().expect("UTF-8");
        let has_function =
            |line, name| FailedTestHead { path: "a::crash", file, line }.has_function(name);
        assert!(!has_function(1, "crash") && has_function(2, "crash"));
        assert!(!has_function(2, "cras") && !has_function(9, "crash"));
        let _ = fs::remove_file(&path);
    }

    #[test]
    fn the_second_line_names_the_package() {
        assert!(is_package(Some("// cargo test -p krate --lib"), "krate"));
        assert!(!is_package(Some("// cargo test -p krate-two --lib"), "krate"));
        assert!(is_package(Some("// panic: something"), "krate"));
        assert!(is_package(None, "krate"));
    }
}
