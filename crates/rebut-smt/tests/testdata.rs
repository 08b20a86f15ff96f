//! Runs the scripts of `testdata/`, which contain their answers, through every engine.
//!
//! After a comment `; embedded: unknown`, only an external solver finds the proof.

use std::path::PathBuf;

use rebut_smt::smtlib::{Process, Query, Status, print_script, read_script};
use rebut_smt::{Answer, Pool, Solver};

/// Returns the names and texts of the scripts, sorted.
fn scripts() -> Vec<(String, String)> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let entries = std::fs::read_dir(directory).expect("the folder of scripts");
    let mut scripts: Vec<(String, String)> = entries
        .map(|entry| entry.expect("a file").path())
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a script");
            (path.display().to_string(), text)
        })
        .collect();
    scripts.sort();
    assert!(scripts.len() >= 10);
    scripts
}

/// Calls a function with all queries of all scripts.
fn for_each_query(mut run: impl FnMut(&mut Pool, &Query, bool, &str)) {
    for (name, text) in scripts() {
        let mut pool = Pool::new();
        let script = read_script(&mut pool, &text).unwrap_or_else(|error| panic!("{name}:{error}"));
        // The comment is about the next query.
        let parts: Vec<&str> = text.split("(check-sat)").collect();
        for (query, part) in script.queries.iter().zip(parts) {
            run(&mut pool, query, part.contains("; embedded: unknown"), &name);
        }
    }
}

#[track_caller]
fn check(answer: &Answer, query: &Query, name: &str) {
    match (answer, query.status) {
        (Answer::Sat(_), Some(Status::Sat)) | (Answer::Unsat, Some(Status::Unsat)) => {}
        _ => panic!("{name}: {:?} was wanted, not {answer:?}", query.status),
    }
}

#[test]
fn embedded_solver_gives_the_expected_answers() {
    for_each_query(|pool, query, is_unknown, name| {
        let answer = Solver::new().check_assuming(pool, &query.assertions);
        match (&answer, is_unknown) {
            (Answer::Unknown(_), true) => {}
            _ => check(&answer, query, name),
        }
    });
}

#[test]
fn external_solvers_give_the_expected_answers() {
    for program in ["z3", "cvc5"] {
        let mut process = Process::new(program);
        let mut is_installed = true;
        for_each_query(|pool, query, _, name| {
            if !is_installed {
                return;
            }
            match process.check(pool, &query.assertions) {
                Answer::Unknown(reason) if reason.to_string().contains("not found") => {
                    rebut_testkit::missing(program, &reason.to_string());
                    is_installed = false;
                }
                answer => check(&answer, query, &format!("{program} {name}")),
            }
        });
    }
}

#[test]
fn printed_scripts_have_the_same_answers() {
    for_each_query(|pool, query, is_unknown, name| {
        let printed = print_script(pool, &query.assertions);
        let again = read_script(pool, &printed).unwrap_or_else(|error| panic!("{name}:{error}"));
        if !is_unknown {
            let answer = Solver::new().check_assuming(pool, &again.queries[0].assertions);
            check(&answer, query, name);
        }
    });
}
