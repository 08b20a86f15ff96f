//! Printed programs compile, and fail as the generated programs did.
//!
//! Each subject in `printed/subjects` is a small module with a contract. Its functions count their
//! calls, and the call with a given number panics ([`fault`]). So a printed program that makes one
//! call more, one call less, or another call fails elsewhere. Some clauses are false too.
//!
//! The test generates failing programs for each subject from seeds, half of them shrunk. It writes
//! all printed programs to a crate, compiles it with `#![deny(warnings)]` for two editions, and runs
//! them. Each must fail at the same place with the same message. `REBUT_PRINTED_SEEDS` sets the
//! number of seeds for each subject, `REBUT_PRINTED_FIRST` the first one, and `REBUT_PRINTED_ONLY`
//! the subject.

#![allow(missing_docs, unreachable_pub, dead_code, clippy::all, clippy::unwrap_used)]

#[path = "printed/fault.rs"]
pub mod fault;
#[path = "printed/scratch.rs"]
mod scratch;

use std::fmt::Write as _;

use rebut::report::{Counterexample, Verdict};
use rebut::{Check, Contracted, Program};

use scratch::Scratch;

#[path = "printed"]
mod subjects {
    macro_rules! subjects {
        ($($module:ident = $path:literal: $subject:ty;)+) => {
            $(#[path = $path] pub mod $module;)+


            /// The name of each subject, its file, and the search for failing programs.
            pub const ALL: &[(&str, &str, fn(u64) -> Vec<crate::Failing>)] = &[$(
                (stringify!($module), include_str!(concat!("printed/", $path)), |seed| {
                    use $module::*;
                    crate::failing::<$subject>(stringify!($subject), seed)
                }),
            )+];
        };
    }

    subjects! {
        account = "subjects/account.rs": Account;
        adaptors = "subjects/adaptors.rs": Steps;
        aliased = "subjects/aliased.rs": Node;
        builder = "subjects/builder.rs": Request;
        called = "subjects/called.rs": Registry;
        cells = "subjects/cells.rs": Room;
        clocks = "subjects/clocks.rs": Bucket<MockClock>;
        constant = "subjects/constant.rs": Window<4>;
        copies = "subjects/copies.rs": Stack;
        foreign = "subjects/foreign.rs": Deque;
        free = "subjects/free.rs": (divide, largest, count, pairs, option, nested);
        generated = "subjects/generated.rs": (Both, Once<Option<u8>>);
        generic = "subjects/generic.rs": Stack<u16, String>;
        handles = "subjects/handles.rs": (push, numbers, hidden, (made, all, some, raised));
        hooks = "subjects/hooks.rs": Bus;
        loops = "subjects/loops.rs": Counter;
        modeled = "subjects/modeled.rs": Ledger;
        named = "subjects/named.rs": Level;
        objects = "subjects/objects.rs": (square, total, shared, celled, changed, dyn Shape);
        observed = "subjects/observed.rs": Subject;
        operators = "subjects/operators.rs": Point;
        plain_model = "subjects/plain_model.rs": Queue;
        private = "subjects/private.rs": Meter<'static>;
        remembered = "subjects/remembered.rs": Bank;
        shadows = "subjects/shadows.rs": (format, vec, r#match, apply, (a0, fuel, some));
        shapes = "subjects/shapes.rs": Even;
        streams = "subjects/streams.rs": Machine;
        sums = "subjects/sums.rs": Vault;
        texts = "subjects/texts.rs": Texts;
        threads = "subjects/threads.rs": Pool;
        underscores = "subjects/underscores.rs": (Program_, double, even);
    }
}

/// A program that failed, and how.
#[derive(Debug)]
pub struct Failing {
    /// The type of the subject.
    subject: &'static str,
    /// The number of the call that fails.
    fault: u32,
    /// The program, as reports print it.
    code: String,
    file: String,
    line: u32,
    message: String,
}

/// Returns programs that fail with this seed.
fn failing<S: Contracted + ?Sized + 'static>(subject: &'static str, seed: u64) -> Vec<Failing> {
    let fault = 1 + (seed * 7 % 23) as u32;
    let report = Check::new(subject)
        .seed(seed)
        .cases(300)
        .configure(|settings| {
            settings.database = false;
            settings.explain = false;
            // Programs that are not shrunk use more of the printer.
            settings.shrink_max = if seed % 2 == 0 { 0 } else { 2_000 };
        })
        .run(|case| {
            fault::set(fault);
            case.draw_as("program", Program::<S>::any()).run();
        });
    match report.verdict {
        Verdict::Failed(all) => all.iter().map(|one| Failing::new(subject, fault, one)).collect(),
        Verdict::Passed { .. } => Vec::new(),
        _ => panic!("{subject}, seed {seed}: {report}"),
    }
}

impl Failing {
    fn new(subject: &'static str, fault: u32, found: &Counterexample) -> Failing {
        let location = found.failure.location.as_ref().expect("a location");
        let file = location.file.rsplit('/').next().unwrap_or_default().to_owned();
        let [program] = found.values.as_slice() else { panic!("one value") };
        let message = found.failure.message.clone();
        Failing { subject, fault, code: program.code.clone(), file, line: location.line, message }
    }

    /// Returns the test, as the runner writes it: a property that only runs the program needs no
    /// Rebut.
    fn test(&self, name: &str, is_bare: bool) -> String {
        let Failing { subject, code, .. } = self;
        let inside = code
            .strip_prefix("rebut::Program::new(|| {\n")
            .and_then(|code| code.strip_suffix("    })"))
            .unwrap_or_else(|| panic!("no program: {code}"));
        match is_bare {
            true => format!("#[test]\npub fn {name}() {{\n{inside}}}\n"),
            false => format!(
                "#[test]\npub fn {name}() {{\n    \
                 let program: rebut::Program<{subject}> = {code};\n    program.run();\n}}\n"
            ),
        }
    }

    /// Returns the entry in the list of all tests.
    fn entry(&self, path: &str) -> String {
        let Failing { fault, file, line, message, .. } = self;
        format!("    ({path:?}, {path}, {fault}, {file:?}, {line}, {message:?}),\n")
    }
}

/// The number of seeds for each subject. More take longer to compile.
fn seeds() -> u64 {
    let wanted = std::env::var("REBUT_PRINTED_SEEDS").ok();
    wanted.map_or(6, |seeds| seeds.parse().expect("a number of seeds"))
}

/// Returns the files of a crate with all printed programs, and their number.
fn files(seeds: u64, change: impl Fn(&str, String) -> String) -> (Vec<(String, String)>, usize) {
    let mut files = vec![("src/fault.rs".to_owned(), include_str!("printed/fault.rs").to_owned())];
    let mut modules = String::new();
    let mut list = String::new();
    let mut count = 0;
    let first = std::env::var("REBUT_PRINTED_FIRST").map_or(0, |n| n.parse().expect("a number"));
    let only = std::env::var("REBUT_PRINTED_ONLY").ok();
    for (name, source, search) in subjects::ALL {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let mut printed = String::from("#[allow(unused_imports)]\nuse super::*;\n\n");
        let mut found = 0;
        for seed in first..first + seeds {
            for failing in search(seed) {
                let test = format!("program_{found}");
                printed.push_str(&change(name, failing.test(&test, found % 2 == 0)));
                list.push_str(&failing.entry(&format!("subjects::{name}::printed::{test}")));
                found += 1;
            }
        }
        assert!(found > 0, "no program of `{name}` fails");
        count += found;
        let _ = writeln!(modules, "    pub mod {name};");
        // Below the source, so that its lines keep their numbers.
        let source = format!("{source}\n#[cfg(test)]\npub mod printed;\n");
        files.push((format!("src/subjects/{name}.rs"), source));
        files.push((format!("src/subjects/{name}/printed.rs"), printed));
    }
    let library = include_str!("printed/library.rs");
    let library = library.replace("// MODULES\n", &modules).replace("// LIST\n", &list);
    files.push(("src/lib.rs".to_owned(), library));
    (files, count)
}

#[test]
fn printed_programs_compile_and_fail_alike() {
    let (files, count) = files(seeds(), |_, test| test);
    for edition in ["2021", "2024"] {
        let said = Scratch::new(edition).run(&files).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(said.contains(&format!("{count} of {count} fail alike")), "{edition}:\n{said}");
    }
}

/// The canary: a printer that prints a call too many, and one whose code has a warning.
#[test]
fn wrong_programs_are_noticed() {
    let scratch = Scratch::new("2024");
    let twice = |name: &str, test: String| match name {
        "account" => test.replacen("Account::new()", "{ Account::new(); Account::new() }", 1),
        _ => test,
    };
    let said = scratch.run(&files(2, twice).0).expect("no error");
    assert!(said.contains("subjects::account::printed::program_"), "{said}");
    let warns = |_: &str, test: String| test.replacen("() {\n", "() {\n    let x = 1;\n", 1);
    let errors = scratch.run(&files(1, warns).0).expect_err("a warning");
    assert!(errors.contains("unused variable: `x`"), "{errors}");
}
