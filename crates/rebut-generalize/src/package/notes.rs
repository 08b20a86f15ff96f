//! Notes: what injected test code reports to this crate.
//!
//! The test harness prints for people, and a test prints what it likes in between. So code that
//! this crate adds to tests appends notes to a file of its own, which [`VARIABLE`] names. A note is
//! a line of Rust tokens: a word, numbers and string literals. Literals escape line breaks, so a
//! note that was cut off, because the process died, does not parse and is ignored.
//!
//! ```text
//! type 0 1 "alloc::vec::Vec<u8>"            parameter 1 of plan 0 has this type
//! begin 0 3                                 the case of path 3 of plan 0 begins
//! mock 0 3 2 "MockClock::new()"             parameter 2 of the case is this mock
//! panic 0 3 10 "src/lib.rs" "not enough"    the case panics in line 10
//! pass 0 3                                  the case ends
//! fail 0 3
//! ```
//!
//! A case that begins and does not end hung or killed the process.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The environment variable that names the file of notes.
pub(crate) const VARIABLE: &str = "REBUT_NOTES";

/// A test that runs one path of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CaseId {
    pub(crate) plan: usize,
    pub(crate) path: usize,
}

/// A panic of a native run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panic {
    pub(crate) message: String,
    pub(crate) file: String,
    pub(crate) line: usize,
}

/// The run of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CaseRun {
    /// Whether it passed; `None` if it did not end.
    pub(crate) passed: Option<bool>,
    /// The first panic of its thread.
    pub(crate) panic: Option<Panic>,
    /// The mocks as code, with their answers, by the index of the parameter.
    pub(crate) mocks: Vec<(usize, String)>,
}

/// The notes of one or more processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notes {
    /// The names of types, by the indices of the plan and the parameter.
    pub(crate) types: BTreeMap<(usize, usize), String>,
    pub(crate) cases: BTreeMap<CaseId, CaseRun>,
}

impl Notes {
    fn parse(text: &str) -> Notes {
        let mut notes = Notes::default();
        for line in text.lines() {
            // An invalid line was cut off.
            let _ = notes.add(line);
        }
        notes
    }

    fn add(&mut self, line: &str) -> Option<()> {
        let mut fields = Fields(line.parse::<TokenStream>().ok()?.into_iter());
        let word = fields.word()?;
        let plan = fields.number()?;
        if word == "type" {
            let parameter = fields.number()?;
            self.types.insert((plan, parameter), fields.text()?);
            return Some(());
        }
        let case = CaseId { plan, path: fields.number()? };
        match word.as_str() {
            "begin" => {
                self.cases.insert(case, CaseRun::default());
            }
            "mock" => {
                let mock = (fields.number()?, fields.text()?);
                self.cases.get_mut(&case)?.mocks.push(mock);
            }
            "panic" => {
                let (line, file, message) = (fields.number()?, fields.text()?, fields.text()?);
                let panic = Panic { message, file, line };
                self.cases.get_mut(&case)?.panic.get_or_insert(panic);
            }
            "pass" => self.cases.get_mut(&case)?.passed = Some(true),
            "fail" => self.cases.get_mut(&case)?.passed = Some(false),
            _ => {}
        }
        Some(())
    }
}

/// The fields of a note.
struct Fields(proc_macro2::token_stream::IntoIter);

impl Fields {
    fn word(&mut self) -> Option<String> {
        match self.0.next()? {
            TokenTree::Ident(word) => Some(word.to_string().trim_start_matches("r#").to_owned()),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<usize> {
        match syn::Lit::new(self.literal()?) {
            syn::Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<String> {
        match syn::Lit::new(self.literal()?) {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        }
    }

    fn literal(&mut self) -> Option<proc_macro2::Literal> {
        match self.0.next()? {
            TokenTree::Literal(literal) => Some(literal),
            _ => None,
        }
    }
}

/// Returns the name of the module with the functions that write the notes of a plan.
fn module_name(plan: usize) -> String {
    format!("rebut_notes_{plan}")
}

/// Returns the module with the functions that write the notes of a plan, on one line. It works in
/// every edition, and in crates without the standard library.
pub(crate) fn module_code(plan: usize) -> String {
    let name = module_name(plan);
    format!(
        " #[allow(warnings)] mod {name} {{ pub extern crate std as rebut_std; \
         pub fn note(line: rebut_std::fmt::Arguments<'_>) {{ \
         let path = match rebut_std::env::var_os({VARIABLE:?}) {{ \
         Some(path) => path, None => return }}; \
         let file = rebut_std::fs::OpenOptions::new().create(true).append(true).open(path); \
         if let Ok(mut file) = file {{ let line = rebut_std::format!(\"{{}}\\n\", line); \
         let _ = rebut_std::io::Write::write_all(&mut file, line.as_bytes()); }} }} \
         pub fn value<T>(parameter: usize, value: T) -> T {{ \
         note(rebut_std::format_args!(\"type {plan} {{}} {{:?}}\", parameter, \
         rebut_std::any::type_name::<T>())); value }} \
         pub fn mock(path: usize, parameter: usize, code: &str) {{ \
         note(rebut_std::format_args!(\"mock {plan} {{}} {{}} {{:?}}\", path, parameter, code)); }} \
         pub fn run<F: FnOnce()>(path: usize, body: F) {{ \
         note(rebut_std::format_args!(\"begin {plan} {{}}\", path)); \
         let thread = rebut_std::thread::current().id(); \
         let before = rebut_std::panic::take_hook(); \
         rebut_std::panic::set_hook(rebut_std::boxed::Box::new(move |info| {{ \
         if rebut_std::thread::current().id() != thread {{ return; }} \
         let payload = info.payload(); \
         let message = match payload.downcast_ref::<&'static str>() {{ \
         Some(text) => *text, \
         None => match payload.downcast_ref::<rebut_std::string::String>() {{ \
         Some(text) => text.as_str(), None => \"Box<dyn Any>\" }} }}; \
         let (file, line) = match info.location() {{ \
         Some(location) => (location.file(), location.line()), None => (\"\", 0) }}; \
         note(rebut_std::format_args!(\"panic {plan} {{}} {{}} {{:?}} {{:?}}\", \
         path, line, file, message)); }})); \
         let end = rebut_std::panic::catch_unwind(rebut_std::panic::AssertUnwindSafe(body)); \
         rebut_std::panic::set_hook(before); \
         match end {{ \
         Ok(()) => note(rebut_std::format_args!(\"pass {plan} {{}}\", path)), \
         Err(payload) => {{ note(rebut_std::format_args!(\"fail {plan} {{}}\", path)); \
         rebut_std::panic::resume_unwind(payload) }} }} }} }}"
    )
}

/// Returns an expression that has a value, and notes its type.
pub(crate) fn value_code(plan: usize, parameter: usize, value: &str) -> String {
    format!("{}::value({parameter}, {value})", module_name(plan))
}

/// Returns a statement that runs a case, and notes how it ends.
pub(crate) fn run_code(case: CaseId, body: &str) -> String {
    format!("{}::run({}, move || {{ {body} }});", module_name(case.plan), case.path)
}

/// Returns statements that make a call, and then note the codes of mocks, even if the call panics.
/// `codes` is an array of pairs of a parameter's index and a code, and `resolve` the function that
/// turns such a code into text.
pub(crate) fn mocks_code(case: CaseId, codes: &str, resolve: &str, call: &str) -> String {
    let (module, path) = (module_name(case.plan), case.path);
    let panic = format!("{module}::rebut_std::panic");
    format!(
        "let rebut_codes = {codes}; let rebut_end = {panic}::catch_unwind(\
         {panic}::AssertUnwindSafe(move || {{ {call} }})); \
         for (parameter, code) in rebut_codes {{ \
         {module}::mock({path}, parameter, &{resolve}(&code)); }} \
         if let Err(payload) = rebut_end {{ {panic}::resume_unwind(payload) }}"
    )
}

/// A file for the notes of one or more processes. It is deleted when the value is dropped.
#[derive(Debug)]
pub(crate) struct NotesFile(PathBuf);

impl NotesFile {
    /// Chooses a new file in a directory. The first note creates it.
    pub(crate) fn new(directory: &Path) -> io::Result<NotesFile> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let nth = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!("rebut-notes-{}-{nth}", std::process::id()));
        // A process with the same id may have left one behind.
        let _ = fs::remove_file(&path);
        // The program runs in another directory.
        Ok(NotesFile(std::path::absolute(path)?))
    }

    pub(crate) fn path(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }

    /// Reads the notes so far; there are none before the first.
    pub(crate) fn read(&self) -> Notes {
        let bytes = fs::read(&self.0).unwrap_or_default();
        Notes::parse(&String::from_utf8_lossy(&bytes))
    }
}

impl Drop for NotesFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROKEN: CaseId = CaseId { plan: 2, path: 7 };

    #[test]
    fn notes_are_parsed_up_to_the_line_that_was_cut_off() {
        let text = "type 0 1 \"alloc::vec::Vec<u8>\"\nbegin 2 5\nmock 2 5 1 \"Mock::new(\\\"a\\\")\"\n\
                    pass 2 5\nbegin 2 7\npanic 2 7 10 \"src/lib.rs\" \"two\\nlines\"\n\
                    panic 2 7 11 \"src/lib.rs\" \"second\"\nfail 2 7\nbegin 2 8\npanic 2 8 1 \"sr";
        let notes = Notes::parse(text);
        assert_eq!(notes.types[&(0, 1)], "alloc::vec::Vec<u8>");
        let passed = &notes.cases[&CaseId { plan: 2, path: 5 }];
        assert_eq!(passed.passed, Some(true));
        assert_eq!(passed.mocks, [(1, "Mock::new(\"a\")".to_owned())]);
        let (file, message) = ("src/lib.rs".to_owned(), "two\nlines".to_owned());
        let failed = &notes.cases[&BROKEN];
        assert_eq!(failed.passed, Some(false));
        assert_eq!(failed.panic, Some(Panic { message, file, line: 10 }), "the first one counts");
        assert_eq!(notes.cases[&CaseId { plan: 2, path: 8 }], CaseRun::default(), "it did not end");
    }
}
