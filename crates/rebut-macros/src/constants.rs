//! Collects literals of the code under test.
//!
//! A program that treats 4096 or `"null"` in a special way usually contains the literal. The macro
//! collects the literals of the file that contains the test. For a file outside of `src/`, it also
//! reads the sources of the crate. The random driver tries these values and their neighbors.
//! Hypothesis and the dictionaries of libFuzzer do the same. Literals are only hints: if a file
//! cannot be read, it has none.

mod mine;

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::{env, fs};

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Error, LitStr, Result};

use crate::facade::Facade;
use crate::written;

/// The maximum number of files to read for one test.
const FILES_MAX: usize = 64;
/// The maximum number of bytes to read for one test.
const BYTES_MAX: usize = 1 << 20;
const INTEGERS_MAX: usize = 256;
const FLOATS_MAX: usize = 64;
const TEXTS_MAX: usize = 64;

/// Distinct literals, in the order of their first occurrence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MinedLiterals {
    pub(crate) integers: Vec<i128>,
    pub(crate) floats: Vec<f64>,
    pub(crate) texts: Vec<String>,
}

impl MinedLiterals {
    fn extend(&mut self, other: &MinedLiterals) {
        add(&mut self.integers, &other.integers, INTEGERS_MAX);
        add(&mut self.floats, &other.floats, FLOATS_MAX);
        add(&mut self.texts, &other.texts, TEXTS_MAX);
    }

    /// Returns all of them in one string, which `rebut_run::mined` parses.
    pub(crate) fn literal(&self) -> String {
        let integers = self.integers.iter().map(|integer| format!("i{integer}"));
        let floats = self.floats.iter().map(|float| format!("f{float:e}"));
        let texts = self.texts.iter().filter(|text| !text.contains(SEPARATOR));
        let texts = texts.map(|text| format!("t{text}"));
        let all: Vec<String> = integers.chain(floats).chain(texts).collect();
        all.join(SEPARATOR)
    }
}

/// The separator. A string that contains it is left out.
const SEPARATOR: &str = "\u{1F}";

fn add<T: Clone + PartialEq>(all: &mut Vec<T>, more: &[T], max: usize) {
    for value in more {
        if all.len() < max && !all.contains(value) {
            all.push(value.clone());
        }
    }
}

/// Returns the literals for a test at `span`.
pub(crate) fn around(span: Span) -> MinedLiterals {
    let mut mined = MinedLiterals::default();
    let Some(file) = written::file_of(span) else { return mined };
    let mut bytes = 0;
    for path in files_around(&file).iter().take(FILES_MAX) {
        let Some(text) = written::read(path) else { continue };
        bytes += text.len();
        if bytes > BYTES_MAX {
            break;
        }
        mined.extend(&literals_of_file(path, &text));
    }
    mined
}

/// Expands `mined_constants!()`, for the literals around the call, and `mined_constants!("src")`,
/// for those of all Rust files below a directory of the package.
pub(crate) fn expand(arguments: TokenStream) -> Result<TokenStream> {
    let mined = if arguments.is_empty() {
        around(Span::call_site())
    } else {
        let directory: LitStr = syn::parse2(arguments)?;
        below(&directory)?
    };
    let mined = mined.literal();
    let facade = Facade::default();
    let private = facade.private();
    facade.complete(quote!(#private::mined(#mined)))
}

fn below(directory: &LitStr) -> Result<MinedLiterals> {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let path = package.join(directory.value());
    if !path.is_dir() {
        let message = format!(
            "the package has no directory `{}`; write `mined_constants!()` for the literals of this file",
            directory.value()
        );
        return Err(Error::new(directory.span(), message));
    }
    let mut mined = MinedLiterals::default();
    for path in modules_of(&path).iter().take(FILES_MAX) {
        if let Some(text) = written::read(path) {
            mined.extend(&literals_of_file(path, &text));
        }
    }
    Ok(mined)
}

/// Returns the literals of one file, cached until the file changes.
fn literals_of_file(path: &Path, text: &Rc<str>) -> Rc<MinedLiterals> {
    type CachedLiterals = (Rc<str>, Rc<MinedLiterals>);
    thread_local! {
        static MINED: RefCell<HashMap<PathBuf, CachedLiterals>> = RefCell::default();
    }
    MINED.with_borrow_mut(|all| {
        if let Some((seen, mined)) = all.get(path)
            && Rc::ptr_eq(seen, text)
        {
            return Rc::clone(mined);
        }
        let mut mined = MinedLiterals::default();
        mined.extend(&mine::literals(text));
        let mined = Rc::new(mined);
        all.insert(path.to_owned(), (Rc::clone(text), Rc::clone(&mined)));
        mined
    })
}

/// Returns the file itself, then the files that it is likely to test.
fn files_around(file: &Path) -> Vec<PathBuf> {
    let mut files = vec![file.to_owned()];
    let Some(package) = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) else { return files };
    let source = package.join("src");
    let absolute = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let is_source = source.canonicalize().is_ok_and(|source| absolute.starts_with(source));
    if !is_source {
        files.extend(modules_of(&source));
    } else if file.file_stem().is_some_and(|stem| stem == "tests" || stem == "test") {
        // The tests of a module in a separate file.
        let directory = file.parent().unwrap_or(Path::new(""));
        files.push(directory.with_extension("rs"));
        files.extend(["mod.rs", "lib.rs", "main.rs"].map(|name| directory.join(name)));
    }
    files
}

/// Returns all Rust files below a directory: the crate roots first, then level by level.
fn modules_of(source: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = ["lib.rs", "main.rs"].map(|name| source.join(name)).into();
    let mut directories = vec![source.to_owned()];
    while let Some(directory) = directories.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                directories.insert(0, path);
            } else if path.extension().is_some_and(|ext| ext == "rs") && !files.contains(&path) {
                files.push(path);
            }
        }
        if files.len() > FILES_MAX {
            break;
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_modules_of_a_crate_roots_first() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let files = modules_of(&source);
        assert_eq!(files[0], source.join("lib.rs"));
        assert!(files.contains(&source.join("constants/mine.rs")));
    }

    #[test]
    fn keeps_each_literal_once_and_not_too_many() {
        let mut mined = MinedLiterals::default();
        let many: Vec<i128> = (0..1000).map(|n| n / 2).collect();
        mined.extend(&MinedLiterals { integers: many, ..MinedLiterals::default() });
        assert_eq!(mined.integers, (0..256).collect::<Vec<_>>());
    }

    #[test]
    fn writes_literals_back() {
        let mined = MinedLiterals {
            integers: vec![-5, 4096],
            floats: vec![1.5],
            texts: vec!["a\"b".to_owned()],
        };
        assert_eq!(mined.literal(), "i-5\u{1f}i4096\u{1f}f1.5e0\u{1f}ta\"b");
    }
}
