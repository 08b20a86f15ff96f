//! The libraries and how to run their measurements.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::options::Bench;
use crate::place::{self, Place};

/// The name of our own column.
pub(crate) const OURS: &str = "rebut";

/// Hypothesis runs fewer seeds: a miss takes it seconds.
const HYPOTHESIS_SEEDS: u64 = 20;

/// A library, ours or a peer.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) name: &'static str,
    /// The binary, or the script's interpreter.
    program: Program,
    /// What is measured of it.
    benches: &'static [Bench],
}

#[derive(Debug)]
enum Program {
    /// A binary of this workspace, with its source file if it is a peer.
    Binary(&'static str),
    /// The script for Hypothesis, run in the virtual environment.
    Script,
}

/// Every library, in the order of columns.
pub(crate) const LIBRARIES: [Library; 6] = {
    use Bench::{Find, Generate, Shrink};
    [
        Library {
            name: OURS,
            program: Program::Binary("rebut-bench"),
            benches: &[Generate, Shrink, Find],
        },
        Library {
            name: "proptest",
            program: Program::Binary("peer-proptest"),
            benches: &[Generate, Shrink, Find],
        },
        Library {
            name: "quickcheck",
            program: Program::Binary("peer-quickcheck"),
            benches: &[Generate, Find],
        },
        Library {
            name: "hegeltest",
            program: Program::Binary("peer-hegel"),
            benches: &[Generate, Shrink, Find],
        },
        Library {
            name: "bolero",
            program: Program::Binary("peer-bolero"),
            benches: &[Generate, Find],
        },
        Library {
            name: "hypothesis",
            program: Program::Script,
            benches: &[Generate, Shrink, Find],
        },
    ]
};

impl Library {
    /// Whether this is one of the benches measured of the library.
    pub(crate) fn has(&self, bench: Bench) -> bool {
        self.benches.contains(&bench)
    }

    /// Whether the library can be run here: our binary once it exists,
    /// Hypothesis once it is installed.
    pub(crate) fn is_present(&self, place: &Place) -> bool {
        self.path(place).exists()
    }

    /// How many seeds it runs under when `seeds` are asked for.
    pub(crate) fn seeds(&self, seeds: u64) -> u64 {
        match self.program {
            Program::Binary(_) => seeds,
            Program::Script => seeds.min(HYPOTHESIS_SEEDS),
        }
    }

    /// Runs a bench and gives back its lines.
    pub(crate) fn run(&self, place: &Place, bench: Bench, seeds: u64) -> Result<String, String> {
        eprintln!("    Measuring {bench} of {}", self.name);
        let mut command = Command::new(self.path(place));
        if matches!(self.program, Program::Script) {
            command.arg(place.join("hypothesis/bench.py"));
        }
        command.arg(bench.name()).arg("--seeds").arg(self.seeds(seeds).to_string());
        place::output(command.current_dir(&place.bench))
    }

    /// What its counts depend on: the code of the problems, of its binary, and
    /// the versions it is built with. Comments and layout do not count.
    pub(crate) fn fingerprint(&self, place: &Place) -> Result<String, String> {
        let mut paths = match self.program {
            Program::Binary(name) => vec![
                place.join("problems/src"),
                place.join("measure/src"),
                place.join(&format!("peers/src/bin/{name}.rs")),
                place.join("peers/Cargo.toml"),
            ],
            Program::Script => vec![place.join("hypothesis")],
        };
        let mut hash = Hash::default();
        while let Some(path) = paths.pop() {
            if path.is_dir() {
                paths.extend(sorted_entries(&path)?);
            } else if ["rs", "py", "txt", "toml"]
                .iter()
                .any(|ext| path.extension().is_some_and(|x| x == *ext))
            {
                hash.add_code(&read(&path)?);
            }
        }
        Ok(hash.to_string())
    }

    fn path(&self, place: &Place) -> PathBuf {
        match self.program {
            Program::Binary(name) => place.target().join("release").join(name),
            Program::Script => place.join(".venv/bin/python"),
        }
    }
}

/// Builds our binaries when their crate exists, and those of the peers if they are wanted.
pub(crate) fn build_all(place: &Place, with_peers: bool) -> Result<(), String> {
    eprintln!("    Building the measured binaries");
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--release", "--quiet"]);
    if with_peers {
        command.args(["-p", "bench-peers"]);
    }
    if place.join("ours/Cargo.toml").exists() {
        command.args(["-p", "bench-ours"]);
    }
    command.env("CARGO_TARGET_DIR", place.target());
    place::output(command.current_dir(&place.bench)).map(drop)
}

fn sorted_entries(path: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(path).map_err(|error| format!("cannot read {path:?}: {error}"))?;
    let mut entries: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    Ok(entries)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {path:?}: {error}"))
}

/// FNV-1a: enough to notice an edit.
pub(crate) struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub(crate) fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn add_code(&mut self, code: &str) {
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().map(str::trim);
        for line in lines.filter(|line| !line.starts_with("//") && !line.starts_with('#')) {
            line.split_whitespace().for_each(|word| self.add(word));
        }
    }
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(code: &str) -> String {
        let mut hash = Hash::default();
        hash.add_code(code);
        hash.to_string()
    }

    #[test]
    fn comments_layout_and_tests_do_not_change_a_fingerprint() {
        assert_eq!(
            hash("// why\nlet x = 1;\n"),
            hash("let x =\n    1;\n#[cfg(test)]\nmod tests {}")
        );
        assert_ne!(hash("let x = 1;"), hash("let x = 2;"));
    }
}
