//! Programs of the input language, run and timed.

use std::fs;
use std::path::{Path, PathBuf};

use bench_measure::{children_cpu_ns, own_cpu_ns};
use rebut_spec::{Options, Outcome, Program, eval, generate};

/// A program, as text.
pub(crate) struct Source {
    pub(crate) name: String,
    text: String,
}

impl Source {
    /// All programs of a folder, by name.
    pub(crate) fn all(folder: &Path) -> Result<Vec<Self>, String> {
        let entries = fs::read_dir(folder).map_err(|why| format!("cannot read {folder:?}: {why}"))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "rebut"));
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|why| format!("cannot read {path:?}: {why}"))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, text })
    }

    pub(crate) fn parse(&self) -> Result<Program, String> {
        let program = Program::parse(&self.name, &self.text);
        match program.diagnostics.first() {
            Some(diagnostic) => Err(format!("{}.rebut: {}", self.name, diagnostic.message)),
            None => Ok(program),
        }
    }

    /// Reads the program, makes the models of its first outline and has them judged, all of
    /// which is timed: CPU nanoseconds of this process and of solvers it started.
    pub(crate) fn run(&self, options: &Options) -> Result<(Outcome, u64), String> {
        let start_ns = own_cpu_ns() + children_cpu_ns();
        let program = self.parse()?;
        let outcome = generate(&program.environments[0], options);
        let cpu_ns = own_cpu_ns() + children_cpu_ns() - start_ns;
        let outcome = outcome.map_err(|refused| format!("{}.rebut: {refused}", self.name))?;
        // `generate` judges by itself; nobody has to take its word for it.
        let judged = eval::check(&program.environments[0], &outcome.models);
        judged.map_err(|violation| format!("{}.rebut: {violation:?}", self.name))?;
        Ok((outcome, cpu_ns))
    }
}
