//! Locations in documentation tests.
//!
//! Rustdoc copies the code of a documentation test into a file of its own, and the compiler
//! reports lines of that file. The name of a closure in the test shows which test it is:
//!
//! - `rust_out::main::_doctest_main_src_lib_rs_5_0::{{closure}}` is in the code block that begins
//!   at line 5 of `src/lib.rs`. The compiler names the user's file, with lines of the copy.
//! - `doctest_bundle_2024::__doctest_1::main::{{closure}}` is in a file that has the tests of many
//!   code blocks. `doctest_runner_2024.rs` in the same directory has the file and the line of each.
//!
//! The copy has some lines before the code, which differ between versions of rustdoc. So this
//! module looks for the line that calls `check` in the code block. That determines the distance
//! between the two files. If it does not find the line, it reports no line.

use std::path::Path;
use std::sync::OnceLock;

use crate::folder;
use crate::outcome::Location;
use crate::strings;

/// A documentation test that calls `check`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DocTest {
    /// The user's file, as rustdoc names it.
    pub(crate) file: String,
    /// The path of the documented item, if it is known and not the root of the crate.
    pub(crate) item: String,
    /// The number of the code block in the file, if it is known. It changes less often than its
    /// line.
    pub(crate) number: usize,
    /// The file that the compiler reports.
    compiled_file: String,
    /// The lines of the user's file; empty if it cannot be read.
    source: Vec<String>,
    /// The line that begins the code block, and the one that ends it; 0 if unknown.
    begin: usize,
    end: usize,
    /// The difference between a line of the user's file and of the compiled one, if it is known.
    distance: Option<isize>,
}

static RUNNING: OnceLock<DocTest> = OnceLock::new();

/// Returns the documentation test that this process runs, if it runs one. `closure` is the name of
/// the type of a closure in the test, and `caller` the compiler's location of a call of `check`.
pub(crate) fn running(closure: &str, caller: &Location) -> Option<&'static DocTest> {
    let root = closure.split("::").next()?;
    if root != "rust_out" && !root.starts_with("doctest_bundle") {
        return None;
    }
    let manifest_dir = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    Some(RUNNING.get_or_init(|| DocTest::find(closure, caller, &manifest_dir)))
}

/// Replaces the compiler's location by the one in the user's file, if this process runs a
/// documentation test.
pub(crate) fn in_source(location: Location) -> Location {
    match RUNNING.get() {
        Some(test) => test.location(location),
        None => location,
    }
}

/// The maximum size of a source file in bytes. Arbitrary: larger files are not written by hand.
const SOURCE_MAX: u64 = 16 << 20;

impl DocTest {
    #[inline(never)]
    fn find(closure: &str, caller: &Location, manifest_dir: &str) -> DocTest {
        let mut test = DocTest { compiled_file: caller.file.clone(), ..DocTest::default() };
        let mut text = None;
        if let Some(number) = number_after(closure, "::__doctest_") {
            let compiled = folder::read(Path::new(&caller.file), SOURCE_MAX).unwrap_or_default();
            text = strings::lines(&compiled)
                .get(caller.line as usize - 1)
                .map(|&line| line.to_owned());
            let runner = strings::replaced(&caller.file, "doctest_bundle", "doctest_runner");
            let runner = folder::read(Path::new(&runner), SOURCE_MAX).unwrap_or_default();
            test.read_runner(&runner, number);
        } else {
            test.file.clone_from(&caller.file);
            test.begin = number_in_function(closure).unwrap_or_default();
        }
        let root = folder::workspace_root(manifest_dir, &test.file);
        let path = root.unwrap_or_default().join(&test.file);
        let source = folder::read(&path, SOURCE_MAX).unwrap_or_default();
        test.source = strings::lines(&source).into_iter().map(str::to_owned).collect();
        test.find_block();
        test.find_distance(caller, text.as_deref());
        test
    }

    /// Reads the name of the test with this number from the file that runs all of them.
    fn read_runner(&mut self, runner: &str, number: usize) {
        let module = format!("mod __doctest_{number} {{");
        let Some((_, rest)) = strings::split_once(runner, &module) else { return };
        let Some(name) = strings::split(rest, "\"").get(1).copied() else { return };
        // `src/lib.rs - module::item (line 5)`
        let Some((file, rest)) = strings::split_once(name, " - ") else { return };
        let Some((item, line)) = rest.rsplit_once("(line ") else { return };
        self.file = file.to_owned();
        self.item = item.trim().to_owned();
        self.begin = strings::number(line.trim_end_matches(')')).unwrap_or_default() as usize;
    }

    /// Finds the end of the code block, and its number in the file.
    fn find_block(&mut self) {
        let is_fence = |line: &str| without_marker(line).trim_start().starts_with("```");
        let lines = self.source.iter().enumerate();
        let fences: Vec<usize> =
            lines.filter(|(_, line)| is_fence(line)).map(|(nth, _)| nth + 1).collect();
        match fences.iter().position(|&line| line == self.begin) {
            Some(nth) => {
                self.number = nth / 2 + 1;
                self.end = fences.get(nth + 1).copied().unwrap_or(self.source.len() + 1);
            }
            None => self.begin = 0,
        }
    }

    /// Finds the line of a call of `check`. `text` is that line in the compiled file, if the file
    /// can be read.
    fn find_distance(&mut self, caller: &Location, text: Option<&str>) {
        if self.begin == 0 {
            return;
        }
        let is_call = |line: &str| match text {
            Some(text) => !text.trim().is_empty() && line.trim_end().ends_with(text.trim()),
            None => {
                let code = without_marker(line);
                let code = code.strip_prefix(' ').unwrap_or(code);
                let call = code.get(caller.column as usize - 1..).unwrap_or_default();
                call.split('(').next().is_some_and(|name| name.ends_with("check"))
            }
        };
        let block = self.begin + 1..self.end;
        let calls = block.filter(|&line| is_call(&self.source[line - 1]));
        let distances = calls.map(|line| line as isize - caller.line as isize);
        // The lines of a file with many tests say nothing about those of one.
        let lines_before = |distance: isize| self.begin as isize - distance;
        let fits = |distance: &isize| {
            text.is_some() || (1..=LINES_BEFORE_MAX).contains(&lines_before(*distance))
        };
        let fitting: Vec<isize> = distances.filter(fits).collect();
        if let [only] = fitting.as_slice() {
            self.distance = Some(*only);
        }
    }

    /// Returns a part of the name of the test. Rustdoc splits filters at spaces, and takes a test
    /// that has any of the parts.
    pub(crate) fn filter(&self) -> &str {
        let has_item = !self.item.is_empty() && !self.item.contains(' ');
        if has_item { &self.item } else { &self.file }
    }

    /// Returns whether the code block has the word `should_panic`, so that rustdoc expects the test
    /// to fail.
    pub(crate) fn should_panic(&self) -> bool {
        let fence = self.begin.checked_sub(1).and_then(|nth| self.source.get(nth));
        let words = fence.map_or("", |line| without_marker(line).trim()).trim_start_matches('`');
        words.split([',', ' ']).any(|word| word.trim() == "should_panic")
    }

    /// Replaces the compiler's location of a call of `check` by the one in the user's file.
    pub(crate) fn call(&self, compiled: &Location) -> Location {
        let line = self.line_in_source(compiled);
        self.at(line, compiled.column)
    }

    /// Replaces the compiler's location of a panic by the one in the user's file.
    fn location(&self, compiled: Location) -> Location {
        if compiled.file != self.compiled_file {
            return compiled;
        }
        let line = self.line_in_source(&compiled);
        if self.compiled_file != self.file || self.distance.is_none() {
            return self.at(line, compiled.column);
        }
        // The library may have failed in a line with the same number.
        let own = self.source.get(compiled.line as usize - 1).map_or("", String::as_str);
        let at_column = own.get(compiled.column as usize - 1..).unwrap_or_default();
        let is_code = !own.trim_start().starts_with("//")
            && at_column.starts_with(|c: char| !c.is_whitespace());
        match (line, is_code) {
            (Some(_), true) => self.at(None, 0),
            (Some(_), false) => self.at(line, compiled.column),
            (None, _) => compiled,
        }
    }

    /// Returns the line of the user's file, if it is in the code block.
    fn line_in_source(&self, compiled: &Location) -> Option<usize> {
        let line = (compiled.line as usize).checked_add_signed(self.distance?)?;
        (self.begin + 1..self.end).contains(&line).then_some(line)
    }

    /// Returns a location in the user's file. `column` is that in the compiled file.
    fn at(&self, line: Option<usize>, column: u32) -> Location {
        let file = self.file.clone();
        let text = line.and_then(|line| self.source.get(line - 1));
        let (Some(line), Some(text)) = (line, text) else {
            return Location { file, line: 0, column: 0 };
        };
        let code = without_marker(text);
        let before = strings::count(text) - strings::count(code);
        let space = usize::from(before > 0 && code.starts_with(' '));
        Location { file, line: line as u32, column: column + (before + space) as u32 }
    }
}

/// The maximum number of lines that rustdoc puts before the code of a test: attributes, the name
/// of the crate and the function around the code.
const LINES_BEFORE_MAX: isize = 8;

/// Returns a line without the mark of its comment. In another file, such as a README, there is
/// none.
fn without_marker(line: &str) -> &str {
    let text = line.trim_start();
    for marker in ["///", "//!", "*"] {
        if let Some(rest) = text.strip_prefix(marker) {
            return rest;
        }
    }
    line
}

/// Returns the number after a part of a name.
fn number_after(name: &str, part: &str) -> Option<usize> {
    let (_, rest) = strings::split_once(name, part)?;
    let digits = rest.split("::").next()?;
    Some(strings::number(digits)? as usize)
}

/// Returns the line in the name of the function around a test: `_doctest_main_src_lib_rs_5_0`.
fn number_in_function(closure: &str) -> Option<usize> {
    let (_, rest) = strings::split_once(closure, "::_doctest_main_")?;
    let mut parts = rest.split("::").next()?.rsplit('_').skip(1);
    Some(strings::number(parts.next()?)? as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;
    use std::fs;

    const SOURCE: &str = "//! A crate.

/// Doubles.
///
/// ```
/// assert_eq!(demo::double(2), 4);
/// ```
///
/// ```
/// # use demo::double;
/// rebut::check(|case| {
///     let n: u8 = case.draw_as(\"n\", rebut::any());
///     assert!(double(n) < 200);
/// });
/// ```
pub fn double(n: u8) -> u16 { u16::from(n) * 2 }
";

    fn location(file: &str, line: u32, column: u32) -> Location {
        Location { file: file.to_owned(), line, column }
    }

    fn package() -> Scratch {
        let home = Scratch::new();
        fs::create_dir_all(home.path().join("src")).expect("a directory");
        fs::write(home.path().join("src/lib.rs"), SOURCE).expect("a file");
        home
    }

    #[test]
    fn tests_in_files_of_their_own_have_lines_of_the_user() {
        let home = package();
        let closure = "rust_out::main::_doctest_main_src_lib_rs_9_0::{{closure}}";
        // `#![allow(unused)]`, `extern crate r#demo;` and the function come first.
        let test = DocTest::find(closure, &location("src/lib.rs", 5, 1), home.text());
        let mapped = |line, column| test.location(location("src/lib.rs", line, column));
        assert_eq!(mapped(5, 1), location("src/lib.rs", 11, 5));
        assert_eq!(mapped(7, 5), location("src/lib.rs", 13, 9));
        assert_eq!(mapped(16, 31), location("src/lib.rs", 16, 31), "not in the test");
        assert_eq!(test.location(location("src/a.rs", 5, 1)), location("src/a.rs", 5, 1));
        assert_eq!((test.number, test.file.as_str()), (2, "src/lib.rs"));
    }

    #[test]
    fn words_of_code_blocks_show_that_a_test_should_panic() {
        for (fence, expected) in [
            ("/// ```should_panic", true),
            ("    //! ```rust, should_panic", true),
            ("``` ignore-wasm32,should_panic ", true),
            ("/// ```", false),
            ("/// ```no_run", false),
        ] {
            let source = vec!["/// Text.".to_owned(), fence.to_owned()];
            let test = DocTest { source, begin: 2, ..DocTest::default() };
            assert_eq!(test.should_panic(), expected, "{fence}");
        }
        assert!(!DocTest::default().should_panic(), "the block is unknown");
    }

    #[test]
    fn tests_in_a_common_file_have_lines_of_the_user() {
        let home = package();
        let bundle = home.path().join("doctest_bundle_2024.rs").display().to_string();
        let code = "#![allow(unused)]
pub mod __doctest_10 {
fn main()  {
use demo::double;
rebut::check(|case| {
    let n: u8 = case.draw_as(\"n\", rebut::any());
    assert!(double(n) < 200);
});
}
}
";
        fs::write(&bundle, code).expect("a file");
        let tests = "mod __doctest_1 {\nTEST = new_doctest(\n\"src/lib.rs - double (line 5)\", 0)}
mod __doctest_10 {\nTEST = new_doctest(\n\"src/lib.rs - double (line 9)\", 0)}";
        fs::write(home.path().join("doctest_runner_2024.rs"), tests).expect("a file");
        let closure = "doctest_bundle_2024::__doctest_10::main::{{closure}}";
        let test = DocTest::find(closure, &location(&bundle, 5, 1), home.text());
        assert_eq!(test.location(location(&bundle, 5, 1)), location("src/lib.rs", 11, 5));
        assert_eq!(test.location(location(&bundle, 7, 5)), location("src/lib.rs", 13, 9));
        assert_eq!(test.location(location("src/lib.rs", 7, 5)), location("src/lib.rs", 7, 5));
        assert_eq!((test.number, test.item.as_str()), (2, "double"));
    }

    #[test]
    fn lines_that_cannot_be_found_are_not_reported() {
        let home = package();
        // The test has a `main` of its own, so its name has no line.
        let test = DocTest::find(
            "rust_out::main::{{closure}}",
            &location("src/lib.rs", 5, 1),
            home.text(),
        );
        let mapped = test.location(location("src/lib.rs", 5, 1));
        assert_eq!(mapped.to_string(), "src/lib.rs");
        assert!(running("demo::tests::f::{{closure}}", &mapped).is_none());
        // Line 16 is code of the library, and could be a line of the test.
        let closure = "rust_out::main::_doctest_main_src_lib_rs_9_0::{{closure}}";
        let test = DocTest {
            distance: Some(-4),
            ..DocTest::find(closure, &location("src/lib.rs", 5, 1), home.text())
        };
        assert_eq!(test.location(location("src/lib.rs", 16, 5)).to_string(), "src/lib.rs");
    }
}
