//! Where code comes from: file, line and function of an offset in a module.
//!
//! Tests are built with tables of lines (DWARF). Their addresses count from the beginning of the
//! code section, offsets of instructions from the beginning of the module. Code that was inlined
//! has several places, one for each function that it is in.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};

use addr2line::Context;
use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use wasmparser::{Parser, Payload};

/// Which files have the code under test.
#[derive(Clone, Debug, Default)]
pub struct UnderTest {
    /// The folder of the workspace as the compiler saw it.
    pub root: PathBuf,
    /// The folders of its packages, relative to it.
    pub packages: Vec<PathBuf>,
    /// Folders of packages in it that are not under test.
    pub others: Vec<PathBuf>,
}

impl UnderTest {
    /// The file relative to the workspace, if it is one of those under test.
    fn relative<'f>(&self, file: &'f str) -> Option<&'f str> {
        let path = Path::new(file);
        let relative = if path.is_absolute() { path.strip_prefix(&self.root).ok()? } else { path };
        let depth = |folders: &[PathBuf]| {
            let around = folders.iter().filter(|folder| relative.starts_with(folder));
            around.map(|folder| folder.components().count()).max()
        };
        let is_nearer = depth(&self.packages)? >= depth(&self.others).unwrap_or(0);
        is_nearer.then(|| relative.to_str()).flatten()
    }
}

/// A line of code.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file: relative to the workspace if it is under test; else with the name of the
    /// library in front.
    pub file: String,
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
    /// The function; empty if it is not known.
    pub function: String,
    /// Whether it is code under test, not that of a library.
    pub is_under_test: bool,
}

type Reader<'w> = EndianSlice<'w, LittleEndian>;

/// The places of a module.
pub struct Places<'w> {
    context: Context<Reader<'w>>,
    /// Where the code section begins.
    base: u64,
    under_test: UnderTest,
}

impl std::fmt::Debug for Places<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Places").field("under_test", &self.under_test).finish_non_exhaustive()
    }
}

impl<'w> Places<'w> {
    /// The places of a module; none if it has no tables of lines that can be read.
    #[must_use]
    pub fn read(wasm: &'w [u8], under_test: UnderTest) -> Option<Places<'w>> {
        let mut sections: HashMap<&str, &[u8]> = HashMap::new();
        let mut base = None;
        for payload in Parser::new(0).parse_all(wasm) {
            match payload.ok()? {
                Payload::CodeSectionStart { range, .. } => base = Some(range.start as u64),
                Payload::CustomSection(section) => {
                    sections.insert(section.name(), section.data());
                }
                _ => {}
            }
        }
        let load = |id: SectionId| {
            let data = sections.get(id.name()).copied().unwrap_or_default();
            Ok::<_, addr2line::gimli::Error>(Reader::new(data, LittleEndian))
        };
        let context = Context::from_dwarf(Dwarf::load(load).ok()?).ok()?;
        Some(Places { context, base: base?, under_test })
    }

    /// The places of an instruction, that of the innermost function first.
    #[must_use]
    pub fn of(&self, offset: u32) -> Vec<Place> {
        let Some(address) = u64::from(offset).checked_sub(self.base) else { return Vec::new() };
        let Ok(mut frames) = self.context.find_frames(address).skip_all_loads() else {
            return Vec::new();
        };
        let mut places = Vec::new();
        while let Ok(Some(frame)) = frames.next() {
            let name = frame
                .function
                .as_ref()
                .and_then(|function| Some(without_hash(&function.demangle().ok()?).to_owned()));
            let location = frame.location;
            let file = location.as_ref().and_then(|location| location.file).unwrap_or_default();
            let (file, is_under_test) = self.file(file);
            let number = |number: Option<u32>| number.unwrap_or(0);
            places.push(Place {
                file: file.into_owned(),
                line: number(location.as_ref().and_then(|location| location.line)),
                column: number(location.as_ref().and_then(|location| location.column)),
                function: name.unwrap_or_default(),
                is_under_test,
            });
        }
        places
    }

    /// The innermost place in the code under test; without one, the innermost at all.
    #[must_use]
    pub fn nearest(&self, offset: u32) -> Option<Place> {
        let places = self.of(offset);
        let own = places.iter().position(|place| place.is_under_test && place.line > 0);
        places.into_iter().nth(own.unwrap_or(0))
    }

    /// Whether some of this code comes from the code under test.
    #[must_use]
    pub fn has_code_under_test(&self, code: Range<u32>) -> bool {
        let mut found = false;
        self.rows(code, &mut |_, place| found |= place.is_some());
        found
    }

    /// The lines under test that this code comes from. What was inlined from a library counts
    /// for the line that calls it.
    pub(crate) fn lines(&self, code: Range<u32>) -> BTreeSet<(String, u32)> {
        let mut lines = BTreeSet::new();
        self.rows(code, &mut |offset, place| {
            let line = place.or_else(|| {
                let place = self.nearest(offset).filter(|place| place.is_under_test)?;
                Some((place.file, place.line))
            });
            lines.extend(line.filter(|(_, line)| *line > 0));
        });
        lines
    }

    /// The rows of the table of lines for this code: where each begins, and what file and line
    /// under test it names, if it does.
    fn rows(&self, code: Range<u32>, each: &mut dyn FnMut(u32, Option<(String, u32)>)) {
        let address = |offset: u32| u64::from(offset).saturating_sub(self.base);
        let (start, end) = (address(code.start), address(code.end));
        let Ok(rows) = self.context.find_location_range(start, end) else { return };
        for (row, _, location) in rows {
            let offset = (row.max(start) + self.base) as u32;
            let file = location.file.and_then(|file| self.under_test.relative(file));
            each(offset, file.map(|file| (file.to_owned(), location.line.unwrap_or(0))));
        }
    }

    fn file<'f>(&self, file: &'f str) -> (Cow<'f, str>, bool) {
        match self.under_test.relative(file) {
            Some(own) => (Cow::Borrowed(own), true),
            None => (library(file), false),
        }
    }
}

/// A file of a library, without the folder in which libraries are kept.
fn library(file: &str) -> Cow<'_, str> {
    if let Some((_, rest)) = file.split_once("/registry/src/") {
        return Cow::Borrowed(rest.split_once('/').map_or(rest, |(_, rest)| rest));
    }
    if let Some((_, rest)) = file.rsplit_once("/library/") {
        return Cow::Owned(format!("std: {rest}"));
    }
    let package = file.rfind("/src/").and_then(|end| file[..end].rfind('/'));
    Cow::Borrowed(package.map_or(file, |start| &file[start + 1..]))
}

/// The name of a function without the number that makes it unique.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((name, hash))
            if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) =>
        {
            name
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_workspace_are_told_from_libraries() {
        let under_test = UnderTest {
            root: PathBuf::from("/home/me/shop"),
            packages: vec![PathBuf::from(""), PathBuf::from("inner/own")],
            others: vec![PathBuf::from("inner")],
        };
        let own = |file: &str| under_test.relative(file).map(str::to_owned);
        assert_eq!(own("/home/me/shop/src/lib.rs").as_deref(), Some("src/lib.rs"));
        assert_eq!(own("src/lib.rs").as_deref(), Some("src/lib.rs"));
        assert_eq!(own("/home/me/shop/inner/own/a.rs").as_deref(), Some("inner/own/a.rs"));
        assert_eq!(own("/home/me/shop/inner/other/a.rs"), None);
        assert_eq!(own("/rustc/abc/library/core/src/lib.rs"), None);
    }

    #[test]
    fn libraries_are_named_without_where_they_are_kept() {
        assert_eq!(library("/rustc/12ab/library/core/src/num.rs"), "std: core/src/num.rs");
        let kept = "/home/me/.cargo/registry/src/index.crates.io-1949cf8c/serde-1.0.1/src/lib.rs";
        assert_eq!(library(kept), "serde-1.0.1/src/lib.rs");
        assert_eq!(library("/home/me/other/tool/src/a/b.rs"), "tool/src/a/b.rs");
    }

    #[test]
    fn functions_are_named_without_their_numbers() {
        assert_eq!(without_hash("a::b::h0123456789abcdef"), "a::b");
        assert_eq!(without_hash("a::hello"), "a::hello");
    }

    #[test]
    fn a_module_without_tables_has_no_places() {
        let empty = b"\0asm\x01\0\0\0";
        assert!(Places::read(empty, UnderTest::default()).is_none());
    }
}
