//! Builds and runs a file of tests with other text, natively and for WebAssembly.

use super::subject::{Part, Subject};
use crate::words::{self, say};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use rebut_build::{Module, NativePackage, Overlay, Request, TestFile, TestPrograms, Toolchain};
use rebut_cli::exit::Failure;
use rebut_explore::problem;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use syn::spanned::Spanned as _;

/// Test programs that say nothing for longer hang.
const SILENCE_MAX: Duration = Duration::from_secs(15);
/// So many tests may hang or end the program before the rest is left.
const STUCK_MAX: usize = 6;

/// The file whose tests are generalized.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) home: TestFile,
    pub(super) request: Request,
    /// The file as it is.
    pub(super) original: String,
    /// The same, with the crates that tests with parameters need.
    pub(super) text: String,
    /// These crates.
    pub(super) crates: Vec<String>,
    /// What code calls Rebut.
    pub(super) rebut: String,
    /// What gives traits a mock in `text`.
    pub(super) given: Vec<Given>,
}

/// What gives a trait a mock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given {
    /// The trait.
    pub(super) of: String,
    /// What its mock is called.
    pub(super) mock: String,
    /// Where it is put, in the file as it is.
    pub(super) part: Part,
    /// How it stands in the text that is built.
    pub(super) inserted: String,
    /// How it stands in the text that is shown.
    pub(super) shown: String,
    /// What stands there if no test has the mock.
    pub(super) absent: String,
    /// How much of the trait is behind that: what is wrong there is about the mock, too.
    pub(super) rest: usize,
}

/// A test program that was built from other text.
#[derive(Debug)]
pub(super) struct Program {
    native: NativePackage,
    path: PathBuf,
    /// The tests, as the program calls them.
    tests: Vec<String>,
}

/// What did not compile: where, in the text that was built, and what the compiler says.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    /// The places in the file; none if it is about something else.
    pub(super) parts: Vec<Part>,
    pub(super) message: String,
}

/// What a run of tests said.
#[derive(Debug, Default)]
pub(super) struct Ran {
    /// By the names of the program; none for one that did not come to an end.
    pub(super) passed: HashMap<String, bool>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Bench {
    /// The file as the compiler names it.
    pub(super) fn file(&self) -> PathBuf {
        let place = self.home.folder.strip_prefix(&self.home.root).unwrap_or(Path::new(""));
        place.join(&self.home.file)
    }

    /// Whether the file is the root of a crate, as far as its path says.
    pub(super) fn is_root(&self) -> bool {
        let file = &self.home.file;
        let folder = file.parent().unwrap_or(Path::new(""));
        file == Path::new("src/lib.rs") || file == Path::new("src/main.rs") || folder == "tests"
    }

    /// The root of a crate says which crates there are in the edition 2015, and whether there is a
    /// standard library; what tests with parameters need is added. Lines stay where they are;
    /// [`Bench::finished`] has the same in lines of its own.
    pub(super) fn with_extern_crates(self) -> Bench {
        let Ok(file) = syn::parse_file(&self.text) else { return self };
        let Some(first) = file.items.first().filter(|_| self.is_root()) else { return self };
        let is_without_std =
            file.attrs.iter().any(|attribute| has_word(attribute.meta.to_token_stream(), "no_std"));
        // The compiler adds one of the two by itself.
        let other = if is_without_std { "std" } else { "core" };
        let mut needed = match self.home.edition.as_str() {
            "2015" => vec![self.rebut.clone(), other.to_owned()],
            _ if is_without_std => vec![other.to_owned()],
            _ => Vec::new(),
        };
        needed.retain(|name| !self.text.contains(&format!("extern crate {name}")));
        let bench = Bench { crates: needed, ..self };
        let (before, behind) = bench.text.split_at(first.span().byte_range().start);
        let text = format!("{before}{}{behind}", bench.extern_crates(" "));
        Bench { text, ..bench }
    }

    fn extern_crates(&self, between: &str) -> String {
        let one = |name: &String| format!("#[cfg(test)]{between}extern crate {name};{between}");
        self.crates.iter().map(one).collect()
    }

    /// A text that was made of that of the file, as it is shown.
    pub(super) fn finished(&self, text: &str) -> String {
        if text == self.text {
            return self.original.clone();
        }
        let [one, lines] = [" ", "\n"].map(|between| self.extern_crates(between));
        let text = text.replacen(&one, &lines, 1);
        self.with_mocks_used(text)
    }

    /// What gives a trait a mock.
    pub(super) fn mock_attribute(&self) -> String {
        let setting = match self.rebut.as_str() {
            "rebut" => String::new(),
            other => format!("(crate = ::{other})"),
        };
        format!("#[cfg_attr(test, {}::mock{setting})]", self.rebut)
    }

    /// Without the mocks that no test has, and with what gives others theirs in lines of its own.
    fn with_mocks_used(&self, mut text: String) -> String {
        for Given { mock, inserted, shown, absent, .. } in &self.given {
            let is_used = text.contains(mock.as_str());
            text = text.replace(inserted, if is_used { shown } else { absent });
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

    /// Builds the tests natively; what does not compile otherwise.
    pub(super) fn program(&self, text: &str) -> Result<Result<Program, Vec<Wrong>>, Failure> {
        let native = NativePackage::prepare(&self.request(text)).map_err(problem)?;
        let TestPrograms { programs, errors, .. } = native.build(&mut |_| ()).map_err(problem)?;
        let file = self.file();
        let wrong = |error: rebut_build::CompilerError| Wrong {
            parts: error
                .spans
                .iter()
                .filter(|span| span.file == file || native.home.join(&self.home.file) == span.file)
                .map(|span| span.start..span.end)
                .collect(),
            message: error.message,
        };
        let Some(path) = programs.get(&self.home.target).filter(|_| errors.is_empty()) else {
            return Ok(Err(errors.into_iter().map(wrong).collect()));
        };
        let listed = native.command(path).args(["--list", "--format", "terse"]).output();
        let listed = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let tests = listed.unwrap_or_default();
        let tests = tests.lines().filter_map(|line| line.strip_suffix(": test"));
        let tests = tests.map(str::to_owned).collect();
        Ok(Ok(Program { path: path.clone(), tests, native }))
    }

    /// Builds the tests for WebAssembly; none, with the reason, if that cannot be done.
    pub(super) fn module(
        &self,
        toolchain: &Toolchain,
        text: &str,
    ) -> Result<Result<Module, String>, Failure> {
        let mut step = |step: &str| say(step);
        let built = rebut_build::build(toolchain, &self.request(text), &mut step);
        let built = built.map_err(problem)?;
        let why = built.skipped.first().map(ToString::to_string);
        let module = built.modules.into_iter().find(|module| module.target == self.home.target);
        Ok(module.ok_or_else(|| why.unwrap_or_else(|| words::NO_TESTS_WERE_BUILT.to_owned())))
    }
}

impl Program {
    /// The tests of this path in the file; more than one if modules of other files end alike.
    pub(super) fn names(&self, path: &str) -> Vec<String> {
        let ends = format!("::{path}");
        let is_it = |name: &&String| *name == path || name.ends_with(&ends);
        self.tests.iter().filter(is_it).cloned().collect()
    }

    /// Of a subject.
    pub(super) fn names_of(&self, subject: &Subject) -> Vec<String> {
        self.names(&subject.full_path())
    }

    /// Runs tests, one after the other. One that hangs or ends the program does not keep the
    /// others from being run.
    pub(super) fn run(&self, names: &[String], variables: &[(&str, &str)]) -> Ran {
        let mut ran = Ran::default();
        let mut left = names.to_vec();
        for _ in 0..=STUCK_MAX {
            if left.is_empty() {
                break;
            }
            let (stdout, stderr) = self.run_once(&left, variables);
            let (passed, stuck) = verdicts(&stdout, &left);
            ran.passed.extend(passed);
            ran.stdout.push_str(&stdout);
            ran.stderr.push_str(&stderr);
            let before = left.len();
            left.retain(|name| !ran.passed.contains_key(name) && stuck.as_ref() != Some(name));
            if left.len() == before {
                break;
            }
        }
        ran
    }

    fn run_once(&self, names: &[String], variables: &[(&str, &str)]) -> (String, String) {
        let mut command = self.native.command(&self.path);
        command.args(["--exact", "--nocapture", "--test-threads=1"]).args(names);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("REBUT_") {
                command.env_remove(&name);
            }
        }
        command
            .env("RUST_BACKTRACE", "0")
            .env("REBUT_EVENTS", "off")
            .env("REBUT_DATABASE", "false");
        command.envs(variables.iter().copied());
        outputs(&mut command)
    }
}

/// Whether a word is among tokens, or within their groups.
fn has_word(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Group(group) => has_word(group.stream(), word),
        _ => false,
    })
}

/// What a program said of each of these tests, and the one that it did not come to the end of.
fn verdicts(stdout: &str, names: &[String]) -> (HashMap<String, bool>, Option<String>) {
    let begun = |line: &str| {
        let (_, rest) = line.split_once("test ")?;
        let (name, rest) = rest.split_once(" ... ")?;
        let name = name.trim_end_matches(" - should panic");
        let name = names.iter().find(|known| *known == name)?;
        Some((name.clone(), rest.to_owned()))
    };
    let verdict = |text: &str| match text.trim_end() {
        text if text.ends_with("ok") => Some(true),
        text if text.ends_with("FAILED") => Some(false),
        _ => None,
    };
    let mut passed = HashMap::new();
    let mut running: Option<String> = None;
    for line in stdout.lines() {
        // What a test prints may stand before its verdict.
        let said = match begun(line) {
            Some((name, rest)) => {
                running = Some(name);
                rest
            }
            None => line.to_owned(),
        };
        if let (Some(passes), Some(_)) = (verdict(&said), &running) {
            passed.extend(running.take().map(|name| (name, passes)));
        }
    }
    (passed, running)
}

/// What a program prints; as far as it came, if it hangs.
fn outputs(command: &mut Command) -> (String, String) {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else { return Default::default() };
    let said = Arc::new(AtomicUsize::new(0));
    let read = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        let said = Arc::clone(&said);
        thread::spawn(move || read_all(pipe, &said))
    };
    let stdout = read(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let stderr = read(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    wait(&mut child, &said);
    (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default())
}

/// Reads to the end, and counts what was read.
fn read_all(pipe: Option<Box<dyn std::io::Read + Send>>, said: &AtomicUsize) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    let mut pipe = pipe;
    while let Some(Ok(count @ 1..)) = pipe.as_mut().map(|pipe| pipe.read(&mut buffer)) {
        bytes.extend_from_slice(&buffer[..count]);
        said.fetch_add(count, Ordering::Relaxed);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for the end, but not for ever.
fn wait(child: &mut Child, said: &AtomicUsize) {
    let (mut since, mut before) = (Instant::now(), 0);
    while matches!(child.try_wait(), Ok(None)) {
        let now = said.load(Ordering::Relaxed);
        if now != before {
            (since, before) = (Instant::now(), now);
        }
        if since.elapsed() > SILENCE_MAX {
            let _ = child.kill();
            let _ = child.wait();
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_without_a_verdict_is_the_one_that_was_running() {
        let names = ["a", "b", "m::c", "d"].map(str::to_owned);
        let said = "running 4 tests\ntest a ... printed\nok\ntest b - should panic ... FAILED\n\
                    test m::c ... it prints";
        let (passed, stuck) = verdicts(said, &names);
        assert_eq!(passed.len(), 2);
        assert_eq!((passed["a"], passed["b"]), (true, false));
        assert_eq!(stuck.as_deref(), Some("m::c"));
    }
}
