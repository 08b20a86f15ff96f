//! Source locations: file, line and function of an offset in a module.
//!
//! Tests are built with line tables (DWARF). Their addresses count from the beginning of the code
//! section; offsets of instructions count from the beginning of the module. Inlined code has
//! several locations, one for each function that it was inlined into.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};

use addr2line::Context;
use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use wasmparser::{Parser, Payload};

/// The files that contain the code under test.
#[derive(Clone, Debug, Default)]
pub struct UnderTest {
    /// The directory of the workspace, as the compiler saw it.
    pub root: PathBuf,
    /// The directories of the packages under test, relative to the workspace.
    pub packages: Vec<PathBuf>,
    /// The directories of packages in the workspace that are not under test.
    pub others: Vec<PathBuf>,
}

impl UnderTest {
    /// Returns the path relative to the workspace if the file is under test. The nearest enclosing
    /// package decides.
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

/// A location in the sources.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceLocation {
    /// The file: relative to the workspace if it is under test, otherwise prefixed with the name of
    /// its library.
    pub file: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The function; empty if unknown.
    pub function: String,
    /// Whether it is code under test, and not that of a library.
    pub is_under_test: bool,
}

type Reader<'w> = EndianSlice<'w, LittleEndian>;

/// The line table of a module.
pub struct LineTable<'w> {
    context: Context<Reader<'w>>,
    /// The offset of the code section.
    base: u64,
    under_test: UnderTest,
}

impl std::fmt::Debug for LineTable<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LineTable").field("under_test", &self.under_test).finish_non_exhaustive()
    }
}

impl<'w> LineTable<'w> {
    /// Reads the line table of a module; `None` if it has none, or one that cannot be read.
    #[must_use]
    pub fn read(wasm: &'w [u8], under_test: UnderTest) -> Option<LineTable<'w>> {
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
        Some(LineTable { context, base: base?, under_test })
    }

    /// Returns the locations of an instruction, the innermost inlined function first.
    #[must_use]
    pub fn of(&self, offset: u32) -> Vec<SourceLocation> {
        let Some(address) = u64::from(offset).checked_sub(self.base) else { return Vec::new() };
        let Ok(mut frames) = self.context.find_frames(address).skip_all_loads() else {
            return Vec::new();
        };
        let mut locations = Vec::new();
        while let Ok(Some(frame)) = frames.next() {
            let name = frame
                .function
                .as_ref()
                .and_then(|function| Some(without_hash(&function.demangle().ok()?).to_owned()));
            let location = frame.location;
            let file = location.as_ref().and_then(|location| location.file).unwrap_or_default();
            let (file, is_under_test) = self.file(file);
            let number = |number: Option<u32>| number.unwrap_or(0);
            locations.push(SourceLocation {
                file: file.into_owned(),
                line: number(location.as_ref().and_then(|location| location.line)),
                column: number(location.as_ref().and_then(|location| location.column)),
                function: name.unwrap_or_default(),
                is_under_test,
            });
        }
        locations
    }

    /// Returns the innermost location in the code under test; without one, the innermost location.
    #[must_use]
    pub fn nearest(&self, offset: u32) -> Option<SourceLocation> {
        let locations = self.of(offset);
        let own = locations.iter().position(|location| location.is_under_test && location.line > 0);
        locations.into_iter().nth(own.unwrap_or(0))
    }

    /// Whether any of this code comes from the code under test.
    #[must_use]
    pub fn has_code_under_test(&self, code: Range<u32>) -> bool {
        let mut found = false;
        self.rows(code, &mut |_, location| found |= location.is_some());
        found
    }

    /// Returns the lines under test that this code comes from. Code inlined from a library counts
    /// for the line that calls it.
    pub(crate) fn lines(&self, code: Range<u32>) -> BTreeSet<(String, u32)> {
        let mut lines = BTreeSet::new();
        self.rows(code, &mut |offset, location| {
            let line = location.or_else(|| {
                let location = self.nearest(offset).filter(|location| location.is_under_test)?;
                Some((location.file, location.line))
            });
            lines.extend(line.filter(|(_, line)| *line > 0));
        });
        lines
    }

    /// Returns the lines of all files that this code comes from, also those of libraries.
    #[must_use]
    pub fn all_lines(&self, code: Range<u32>) -> BTreeMap<PathBuf, BTreeSet<u32>> {
        let address = |offset: u32| u64::from(offset).saturating_sub(self.base);
        let mut lines: BTreeMap<PathBuf, BTreeSet<u32>> = BTreeMap::new();
        let (start, end) = (address(code.start), address(code.end));
        let Ok(rows) = self.context.find_location_range(start, end) else { return lines };
        for (_, _, location) in rows {
            if let (Some(file), Some(line)) = (location.file, location.line) {
                lines.entry(self.under_test.root.join(file)).or_default().insert(line);
            }
        }
        lines
    }

    /// Visits the rows of the line table for this code: the offset of each, and its file and line
    /// if they are under test.
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

/// Returns the path of a library's file without the directory of the registry or the toolchain.
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

/// Returns the name of a function without the hash that makes it unique.
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
    fn workspace_files_are_distinguished_from_libraries() {
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
    fn library_files_are_shown_without_their_directory() {
        assert_eq!(library("/rustc/12ab/library/core/src/num.rs"), "std: core/src/num.rs");
        let kept = "/home/me/.cargo/registry/src/index.crates.io-1949cf8c/serde-1.0.1/src/lib.rs";
        assert_eq!(library(kept), "serde-1.0.1/src/lib.rs");
        assert_eq!(library("/home/me/other/tool/src/a/b.rs"), "tool/src/a/b.rs");
    }

    #[test]
    fn function_names_have_no_hash() {
        assert_eq!(without_hash("a::b::h0123456789abcdef"), "a::b");
        assert_eq!(without_hash("a::hello"), "a::hello");
    }

    #[test]
    fn a_module_without_dwarf_has_no_line_table() {
        let empty = b"\0asm\x01\0\0\0";
        assert!(LineTable::read(empty, UnderTest::default()).is_none());
    }
}
