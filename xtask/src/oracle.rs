//! Compares the embedded solver with z3 on many queries. The results are with those of the benches.

use crate::setup::{self, python};
use crate::{cargo, root, run as step};

/// `cargo xtask oracle [PATHS]`: a path has four to nine queries.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let paths = match arguments {
        [] => "2400",
        [paths] if paths.parse::<u64>().is_ok() => paths,
        other => {
            return Err(format!("`oracle` takes a number of paths, not `{}`", other.join(" ")));
        }
    };
    let mut command = cargo(&["test", "--release", "--package", "rebut-smt", "--test", "oracle"]);
    command.args(["--", "the_solver_and_z3_agree", "--exact", "--nocapture"]);
    python::install_unless("z3", &root().join("bench/solve/requirements.txt"))?;
    command.env("PATH", setup::path()).env("REBUT_ORACLE_PATHS", paths);
    if arguments.is_empty() {
        let table = root().join("bench").join("results").join("solver-oracle.md");
        command.env("REBUT_ORACLE_TABLE", table);
    }
    step(&mut command)
}
