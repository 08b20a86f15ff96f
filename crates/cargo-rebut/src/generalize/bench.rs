//! Builds and runs a file of tests with other text, natively and for WebAssembly.

use super::subject::{Part, Subject};
use crate::exit::Failure;
use crate::explore::problem;
use crate::words::{self, say};
use rebut_build::{Home, Module, Native, Overlay, Request, Tests, Toolchain};
use std::collections::{BTreeMap, HashMap};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Test programs that take longer hang.
const TIME_MAX: Duration = Duration::from_secs(60);

/// The file whose tests are generalised.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) home: Home,
    pub(super) request: Request,
    /// The file as it is.
    pub(super) text: String,
    /// What code calls Rebut.
    pub(super) rebut: String,
}

/// A test program that was built from other text.
#[derive(Debug)]
pub(super) struct Program {
    native: Native,
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
        let native = rebut_build::native(&self.request(text)).map_err(problem)?;
        let Tests { programs, errors, .. } = native.build(&mut |_| ()).map_err(problem)?;
        let file = self.file();
        let wrong = |error: rebut_build::Error| Wrong {
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
        let why = built.left_out.first().map(ToString::to_string);
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

    /// Runs tests, one after the other.
    pub(super) fn run(&self, names: &[String], variables: &[(&str, &str)]) -> Ran {
        if names.is_empty() {
            return Ran::default();
        }
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
        let (stdout, stderr) = outputs(&mut command);
        let mut passed = HashMap::new();
        for line in stdout.lines() {
            for name in names {
                let told = line.split_once(&format!("test {name} ... "));
                // What a test prints may stand before its verdict.
                if let Some((_, verdict)) = told {
                    passed.insert(name.clone(), verdict.trim_end().ends_with("ok"));
                }
            }
        }
        Ran { passed, stdout, stderr }
    }
}

/// What a program prints; as far as it came, if it hangs.
fn outputs(command: &mut Command) -> (String, String) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = child else { return Default::default() };
    let read = |pipe: Option<Box<dyn std::io::Read + Send>>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut bytes);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let stdout = read(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let stderr = read(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    wait(&mut child);
    (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default())
}

/// Waits for the end, but not for ever.
fn wait(child: &mut Child) {
    let begun = Instant::now();
    while matches!(child.try_wait(), Ok(None)) {
        if begun.elapsed() > TIME_MAX {
            let _ = child.kill();
            let _ = child.wait();
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
}
