//! Scripts with their answers, through every engine that can.
//!
//! A query after a comment `; embedded: unknown` has a proof that only an external solver finds.

use std::path::PathBuf;

use rebut_smt::smtlib::{Process, Query, Status, print_script, read_script};
use rebut_smt::{Answer, Pool, Solver};

/// The scripts with their names, in order.
fn scripts() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let entries = std::fs::read_dir(folder).expect("the folder of scripts");
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

/// Asks all queries of all scripts.
fn ask_all(mut ask: impl FnMut(&mut Pool, &Query, bool, &str)) {
    for (name, text) in scripts() {
        let mut pool = Pool::new();
        let script = read_script(&mut pool, &text).unwrap_or_else(|error| panic!("{name}:{error}"));
        // Where the comment stands decides of which query it speaks.
        let parts: Vec<&str> = text.split("(check-sat)").collect();
        for (query, part) in script.queries.iter().zip(parts) {
            ask(&mut pool, query, part.contains("; embedded: unknown"), &name);
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
fn the_embedded_solver_answers() {
    ask_all(|pool, query, is_unknown, name| {
        let answer = Solver::new().check_assuming(pool, &query.assertions);
        match (&answer, is_unknown) {
            (Answer::Unknown(_), true) => {}
            _ => check(&answer, query, name),
        }
    });
}

#[test]
fn external_solvers_answer() {
    for program in ["z3", "cvc5"] {
        let mut process = Process::new(program);
        let mut is_there = true;
        ask_all(|pool, query, _, name| {
            if !is_there {
                return;
            }
            match process.check(pool, &query.assertions) {
                Answer::Unknown(reason) if reason.to_string().contains("not found") => {
                    rebut_testkit::missing(program, &reason.to_string());
                    is_there = false;
                }
                answer => check(&answer, query, &format!("{program} {name}")),
            }
        });
    }
}

#[test]
fn what_is_printed_asks_the_same() {
    ask_all(|pool, query, is_unknown, name| {
        let printed = print_script(pool, &query.assertions);
        let again = read_script(pool, &printed).unwrap_or_else(|error| panic!("{name}:{error}"));
        if !is_unknown {
            let answer = Solver::new().check_assuming(pool, &again.queries[0].assertions);
            check(&answer, query, name);
        }
    });
}
