//! The package of a file of tests, with edits of that file.

use crate::package::edit::TextRange;
use crate::package::test_program::TestProgram;
use crate::reasons::WhyKept;
use crate::words::say;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use rebut_build::{Module, NativePackage, Overlay, Request, TestFile, TestPrograms, Toolchain};
use rebut_cli::exit::Failure;
use rebut_explore::problem;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned as _;

/// The package whose tests are generalized, with edits of one file.
#[derive(Debug)]
pub(crate) struct EditedPackage {
    pub(crate) home: TestFile,
    pub(crate) request: Request,
    /// The file of the tests, as the user wrote it.
    pub(crate) original: String,
    /// The file with `crates` and `added_mocks`. Lines keep their numbers.
    pub(crate) text: String,
    /// The crates that tests with parameters need, and that the file does not name.
    pub(crate) crates: Vec<String>,
    /// The name of Rebut in code.
    pub(crate) rebut: String,
    pub(crate) added_mocks: Vec<AddedMock>,
}

/// Code that gives a trait a mock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AddedMock {
    pub(crate) trait_name: String,
    /// The name of the mock.
    pub(crate) mock: String,
    /// The range of the file that it replaces.
    pub(crate) range: TextRange,
    /// Its code in the text that is built, on one line.
    pub(crate) built: String,
    /// Its code in the text that is shown, on several lines.
    pub(crate) shown: String,
    /// The code that is shown instead if no test uses the mock.
    pub(crate) shown_unused: String,
    /// The length of the trait after `range`. An error there is also about the mock.
    pub(crate) trait_rest: usize,
}

/// An error of the compiler.
#[derive(Clone, Debug)]
pub(crate) struct BuildError {
    /// The ranges of the edited file that it is about; empty if it is about another file.
    pub(crate) ranges: Vec<TextRange>,
    pub(crate) message: String,
}

impl EditedPackage {
    /// Returns the path of the file as the compiler prints it.
    pub(crate) fn file(&self) -> PathBuf {
        let folder = self.home.folder.strip_prefix(&self.home.root).unwrap_or(Path::new(""));
        folder.join(&self.home.file)
    }

    /// Whether the file is the root of a crate, judged by its path.
    pub(crate) fn is_root(&self) -> bool {
        let file = &self.home.file;
        let folder = file.parent().unwrap_or(Path::new(""));
        file == Path::new("src/lib.rs") || file == Path::new("src/main.rs") || folder == "tests"
    }

    /// Adds the `extern crate` items that tests with parameters need. Crates of the 2015 edition
    /// and crates without the standard library need some in their root. Lines keep their numbers;
    /// [`EditedPackage::shown_text`] moves the items to lines of their own.
    pub(crate) fn with_extern_crates(self) -> EditedPackage {
        let Ok(file) = syn::parse_file(&self.text) else { return self };
        let Some(first) = file.items.first().filter(|_| self.is_root()) else { return self };
        let is_without_std = file
            .attrs
            .iter()
            .any(|attribute| has_ident(attribute.meta.to_token_stream(), "no_std"));
        // The compiler adds the other one of the two.
        let other = if is_without_std { "std" } else { "core" };
        let mut needed = match self.home.edition.as_str() {
            "2015" => vec![self.rebut.clone(), other.to_owned()],
            _ if is_without_std => vec![other.to_owned()],
            _ => Vec::new(),
        };
        needed.retain(|name| !self.text.contains(&format!("extern crate {name}")));
        let package = EditedPackage { crates: needed, ..self };
        let (before, after) = package.text.split_at(first.span().byte_range().start);
        let text = format!("{before}{}{after}", package.extern_crates(" "));
        EditedPackage { text, ..package }
    }

    fn extern_crates(&self, separator: &str) -> String {
        let item =
            |name: &String| format!("#[cfg(test)]{separator}extern crate {name};{separator}");
        self.crates.iter().map(item).collect()
    }

    /// Turns an edited text into the text that is shown: added items have lines of their own.
    pub(crate) fn shown_text(&self, text: &str) -> String {
        if text == self.text {
            return self.original.clone();
        }
        let [line, lines] = [" ", "\n"].map(|separator| self.extern_crates(separator));
        let text = text.replacen(&line, &lines, 1);
        self.with_used_mocks(text)
    }

    /// Returns the attribute that gives a trait a mock.
    pub(crate) fn mock_attribute(&self) -> String {
        let setting = match self.rebut.as_str() {
            "rebut" => String::new(),
            other => format!("(crate = ::{other})"),
        };
        format!("#[cfg_attr(test, {}::mock{setting})]", self.rebut)
    }

    /// Removes the mocks that no test uses, and shows the others on lines of their own.
    fn with_used_mocks(&self, mut text: String) -> String {
        for AddedMock { mock, built, shown, shown_unused, .. } in &self.added_mocks {
            let is_used = text.contains(mock.as_str());
            text = text.replace(built, if is_used { shown } else { shown_unused });
        }
        text
    }

    fn request(&self, text: &str) -> Request {
        let files = BTreeMap::from([(self.home.file.clone(), text.to_owned())]);
        Request {
            packages: vec![self.home.package.clone()],
            targets: vec![self.home.target.clone()],
            overlay: Overlay { files, adds_rebut: true },
            ..self.request.clone()
        }
    }

    /// Builds the tests natively with another text of the file. The inner error has the errors of
    /// the compiler.
    pub(crate) fn program(
        &self,
        text: &str,
    ) -> Result<Result<TestProgram, Vec<BuildError>>, Failure> {
        let native = NativePackage::prepare(&self.request(text)).map_err(problem)?;
        let TestPrograms { programs, errors, .. } = native.build(&mut |_| ()).map_err(problem)?;
        let file = self.file();
        let build_error = |error: rebut_build::CompilerError| BuildError {
            ranges: error
                .spans
                .iter()
                .filter(|span| span.file == file || native.home.join(&self.home.file) == span.file)
                .map(|span| span.start..span.end)
                .collect(),
            message: error.message,
        };
        let Some(path) = programs.get(&self.home.target).filter(|_| errors.is_empty()) else {
            return Ok(Err(errors.into_iter().map(build_error).collect()));
        };
        Ok(Ok(TestProgram::new(&native, path)))
    }

    /// Builds the tests for WebAssembly with another text of the file. The inner error has the
    /// reason why that is impossible.
    pub(crate) fn module(
        &self,
        toolchain: &Toolchain,
        text: &str,
    ) -> Result<Result<Module, WhyKept>, Failure> {
        let mut step = |step: &str| say(step);
        let built = rebut_build::build(toolchain, &self.request(text), &mut step);
        let built = built.map_err(problem)?;
        let why = built.skipped.first().map(ToString::to_string);
        let module = built.modules.into_iter().find(|module| module.target == self.home.target);
        Ok(module.ok_or(WhyKept::NoModule(why)))
    }
}

/// Whether tokens contain an identifier, also within groups.
fn has_ident(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => has_ident(group.stream(), name),
        _ => false,
    })
}
