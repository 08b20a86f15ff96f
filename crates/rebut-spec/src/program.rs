//! Programs: reads a file and its imports, evaluates the statements, and returns environments.

use crate::diagnostic::{Diagnostic, Sources};
use crate::frontend;
use crate::ir::Environment;
use crate::lang::{self, Interpreter, Outline, Statement, World};
use crate::syntax;
use std::path::{Path, PathBuf};

/// A program that was read and evaluated: its environments, or its errors.
#[derive(Debug, Default)]
pub struct Program {
    /// The files that were read.
    pub sources: Sources,
    /// Errors and warnings, sorted by location.
    pub diagnostics: Vec<Diagnostic>,
    /// One environment per `generate`, in the order of the file. Empty if there are errors.
    pub environments: Vec<Environment>,
}

/// Reads an imported file: returns its content, or the reason why it cannot be read.
pub type ReadFile<'a> = dyn Fn(&Path) -> Result<String, String> + Sync + 'a;

/// The stack of the thread that evaluates a program. Arbitrary; it must be enough for the depth of
/// calls that the interpreter allows. Memory is only reserved until it is used.
const STACK_SIZE: usize = 512 << 20;

impl Program {
    /// Reads a program from a string. It cannot import files.
    #[must_use]
    pub fn parse(name: &str, text: &str) -> Self {
        Self::load_with(Path::new(name), text, &|path| {
            Err(format!("cannot import {}: this program is not a file", path.display()))
        })
    }

    /// Reads a program that can import files by means of a function.
    #[must_use]
    pub fn load_with(path: &Path, text: &str, read_file: &ReadFile<'_>) -> Self {
        // The depth of calls is limited, but the limit needs more stack than a test thread has.
        let run = || Loader::load(path, text, read_file);
        std::thread::scope(|scope| {
            let thread =
                std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, run);
            match thread.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(program)) => program,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(_) => run(),
            }
        })
    }

    /// Whether there are errors, and therefore no environments.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Returns the environment of the `generate` with this name.
    #[must_use]
    pub fn environment(&self, name: &str) -> Option<&Environment> {
        self.environments.iter().find(|environment| &*environment.name == name)
    }
}

struct Loader<'a> {
    program: Program,
    read_file: &'a ReadFile<'a>,
    /// The files that are being read, outermost first, to detect circular imports.
    open: Vec<PathBuf>,
    done: Vec<PathBuf>,
    statements: Vec<Statement>,
    outlines: Vec<Outline>,
}

impl<'a> Loader<'a> {
    fn load(path: &Path, text: &str, read_file: &'a ReadFile<'a>) -> Program {
        let program = Program::default();
        let mut loader = Self {
            program,
            read_file,
            open: Vec::new(),
            done: Vec::new(),
            statements: Vec::new(),
            outlines: Vec::new(),
        };
        loader.file(path, text, true);
        let Self { mut program, statements, mut outlines, .. } = loader;
        let mut interpreter = Interpreter::new(World::default(), &mut program.diagnostics);
        for statement in &statements {
            interpreter.execute(statement);
        }
        let world = interpreter.world;
        if outlines.is_empty() {
            outlines.push(lang::default_outline());
        }
        for outline in &outlines {
            let environment = lang::environment(&world, outline, &mut program.diagnostics);
            program.environments.push(environment);
        }
        lang::resolve(&statements, &outlines, &mut program.diagnostics);
        program.finish(&outlines)
    }

    fn file(&mut self, path: &Path, text: &str, main: bool) {
        let number = self.program.sources.add(path.display().to_string(), text);
        self.open.push(path.to_owned());
        let data = self.read(number, path, text);
        let (statements, outlines) = lang::split_statements(&data, &mut self.program.diagnostics);
        for statement in statements {
            if &*statement.word == "import" {
                self.import(path, &statement);
            } else {
                self.statements.push(statement);
            }
        }
        // The `generate`s of an imported file are not part of this program.
        if main {
            self.outlines.extend(outlines);
        }
        self.open.pop();
    }

    /// Reads the statements of a file in the language, in JSON or in YAML.
    fn read(&mut self, number: u32, path: &Path, text: &str) -> Vec<syntax::Datum> {
        if let Some(format) = frontend::FileFormat::from_path(path) {
            return frontend::translate(number, text, format, &mut self.program.diagnostics);
        }
        let (data, diagnostics) = syntax::read(number, text);
        self.program.diagnostics.extend(diagnostics);
        data
    }

    fn import(&mut self, from: &Path, statement: &Statement) {
        let span = statement.datum.span;
        let target = statement.datum.list().and_then(|items| items.get(1));
        let Some(syntax::DatumKind::Str(name)) = target.map(|datum| &datum.kind) else {
            let error = Diagnostic::error(span, "this imports nothing");
            return self.program.diagnostics.push(error.help("write (import \"other.rebut\")"));
        };
        let path = from.parent().unwrap_or(Path::new("")).join(&**name);
        if self.done.contains(&path) {
            return;
        }
        if self.open.contains(&path) {
            let error =
                Diagnostic::error(span, format!("`{name}` imports itself through this file"));
            return self
                .program
                .diagnostics
                .push(error.help("move what both need to a third file"));
        }
        match (self.read_file)(&path) {
            Ok(text) => {
                self.file(&path, &text, false);
                self.done.push(path);
            }
            Err(why) => {
                let error = Diagnostic::error(span, format!("cannot read `{name}`: {why}"));
                self.program.diagnostics.push(error.help("paths are relative to this file"));
            }
        }
    }
}

impl Program {
    fn finish(mut self, outlines: &[Outline]) -> Self {
        for (at, outline) in outlines.iter().enumerate() {
            if outlines[..at].iter().any(|earlier| earlier.name == outline.name) {
                let error = Diagnostic::error(
                    outline.span,
                    format!("two outlines are named `{}`", outline.name),
                );
                self.diagnostics.push(error.help("give each `generate` a different name"));
            }
        }
        for (environment, outline) in self.environments.iter().zip(outlines) {
            if environment.outputs.is_empty() && !self.diagnostics.iter().any(Diagnostic::is_error)
            {
                let error = Diagnostic::error(
                    outline.span,
                    format!("`{}` has nothing to generate", outline.name),
                );
                self.diagnostics.push(error.help("declare a blank in it: (declare x ?Integer)"));
            }
        }
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.span, !diagnostic.is_error()));
        self.diagnostics.dedup();
        if self.has_errors() {
            self.environments.clear();
        }
        self
    }
}
