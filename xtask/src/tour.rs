//! The second half of the tour: the engines of `cargo rebut`, which take minutes to build. The
//! first half is `cargo run --example tour`.

#[path = "../../examples/tour/story.rs"]
mod story;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{cargo, root, run as step, target};
use story::{Arguments, Guide, Output, PREAMBLE, Step, Story, test};

const STORIES: [Story; 5] = [
    Story {
        number: 7,
        question: "Does any coupon pay more than the price?",
        file: "examples/coupons/src/lib.rs",
        items: &["pub fn rebate", "fn rebate_is_at_most_the_price"],
        steps: &[
            test("cargo test -p coupon-examples rebate"),
            rebut("cargo rebut explore -p coupon-examples rebate --report"),
        ],
        finds: &[
            "rebate_is_at_most_the_price ... ok",
            "let code: u32 = 1227135284;",
            "let day: u8 = 31;",
        ],
        conclusion: "Yes, one code in four billion, on one day of the month. 1000 random inputs \
                     miss it. Exploration solves the condition instead of guessing.",
    },
    Story {
        number: 8,
        question: "Does `sort` sort every five numbers?",
        file: "examples/coupons/src/lib.rs",
        items: &["fn sort_orders_five_numbers"],
        steps: &[rebut("cargo rebut explore -p coupon-examples sort --report")],
        finds: &["120 paths"],
        conclusion: "Yes. There is one path for each of the 120 orders, and exploration took them \
                     all. That is a proof for 2^160 inputs.",
    },
    Story {
        number: 9,
        question: "For which other inputs does this unit test pass?",
        file: "examples/generalize/src/prices.rs",
        items: &["pub fn total", "fn few_items_cost_their_price"],
        steps: &[Step {
            line: "cargo rebut generalize \
                   examples/generalize/src/prices.rs::tests::few_items_cost_their_price",
            run: |guide, line| guide.output(line, |output| without_manifest(&output.stdout)),
        }],
        finds: &[
            "+    fn few_items_cost_their_price(price: u16, amount: u16) {",
            "u32::from(price) * u32::from(amount)",
            "+    fn few_items_cost_their_price_panics(",
        ],
        conclusion: "Rebut turned the literals into parameters and the result into a formula. It \
                     also found the case that panics, and the discount.",
    },
    Story {
        number: 10,
        question: "What do `push` and `pop` do to a `Stack`?",
        file: "examples/infer/src/stack.rs",
        items: &["pub fn push", "pub fn pop"],
        steps: &[Step {
            line: "cargo rebut infer Stack -p infer-examples",
            run: |guide, line| guide.output(line, |output| two_tests(&output.stdout)),
        }],
        finds: &["fn push_increments_count(", "fn pop_decrements_count("],
        conclusion: "Rebut wrote tests that say what the code does (two of them are shown). You \
                     decide whether it should.",
    },
    Story {
        number: 11,
        question: "Where can I see all of that at a glance?",
        file: "",
        items: &[],
        steps: &[Step { line: REPORT, run: report }],
        finds: &["tour.html"],
        conclusion: "The report has every property of the tour that has run, in both halves. With \
                     `--open`, the tour opens it.",
    },
];

/// The story that does not need a compiler for WebAssembly.
const REPORTED: usize = 11;

const REPORT: &str = "cargo rebut report tour --out target/rebut/tour.html";

/// A step that runs Rebut.
const fn rebut(line: &'static str) -> Step {
    Step { line, run: |guide, line| guide.output(line, |output| output.stdout.clone()) }
}

/// Writes the report; prints where it is.
fn report(guide: &Guide, line: &str) -> Result<String, String> {
    let directory = root().join("target/rebut");
    std::fs::create_dir_all(&directory).map_err(|why| format!("{}: {why}", directory.display()))?;
    guide.output(line, |output| match output.status.success() {
        true => format!("{}\n", directory.join("tour.html").display()),
        false => String::new(),
    })
}

/// `cargo xtask tour [--list] [--story N] [--open] [--check]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let words: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
    let (mut is_opened, mut is_checked) = (false, false);
    let arguments = Arguments::parse(&words, &STORIES, |word| {
        is_opened |= word == "--open";
        is_checked |= word == "--check";
        matches!(word, "--open" | "--check")
    })?;
    if arguments.is_list {
        story::list(&STORIES);
        return Ok(());
    }
    let guide = Guide::new(root(), Some(build()?));
    let has_wasm = find_toolchain()?;
    if is_checked && !has_wasm {
        return Err("without a compiler for WebAssembly there is nothing to check".to_owned());
    }
    println!("\n{PREAMBLE}");
    let begun = Instant::now();
    let mut told = 0;
    for story in arguments.wanted(&STORIES) {
        match story.number {
            _ if has_wasm => guide.tell(story)?,
            REPORTED => guide.tell(&Story { steps: WITHOUT_WASM, ..*story })?,
            _ => continue,
        }
        told += 1;
    }
    if is_checked {
        compare_generated(&guide)?;
    }
    println!("\n{}", story::summary(told, begun.elapsed()));
    match is_opened {
        true => step(&mut guide.command(&format!("{REPORT} --open"))),
        false => Ok(()),
    }
}

/// The steps for the report where nothing can be explored.
const WITHOUT_WASM: &[Step] =
    &[test("cargo test -p coupon-examples"), Step { line: REPORT, run: report }];

/// The time is that of a debug build: eight minutes of CPU time.
const BUILDING: &str = "\
Building `cargo rebut` and its engines. The first time, this takes about five minutes on two cores,
because they contain a compiler for WebAssembly and a solver. Stories 7 and 9 then build Rebut
itself for WebAssembly, also once.";

/// Builds the command and its engines; the path of the command.
///
/// Features and development dependencies are those of `cargo xtask test`, so that neither builds
/// again what the other has built. The example is what brings the development dependencies.
fn build() -> Result<PathBuf, String> {
    eprintln!("{BUILDING}");
    let what = ["build", "--workspace", "--all-features", "--bin", "cargo-rebut"];
    let more = ["--bin", "cargo-rebut-explore", "--example", "toolchain"];
    step(cargo(&what).args(more))?;
    // The stories time themselves without what only the first of them would build.
    step(&mut cargo(&["test", "--no-run", "--package", "coupon-examples"]))?;
    Ok(built("cargo-rebut"))
}

/// A program that cargo has built.
fn built(name: &str) -> PathBuf {
    target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Whether tests can be built for WebAssembly; if not, prints what to run.
fn find_toolchain() -> Result<bool, String> {
    let mut command = Command::new(built("examples/toolchain"));
    // Its standard error says that it builds a standard library, or what to install.
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    let has_toolchain =
        status.map_err(|why| format!("cannot look for a compiler: {why}"))?.success();
    if !has_toolchain {
        println!("Stories 7 to 10 need that. The tour goes on without them.");
    }
    Ok(has_toolchain)
}

/// Without the part of a patch that adds Rebut to `Cargo.toml`.
fn without_manifest(patch: &str) -> String {
    let (report, files) = patch.split_once("\n--- a/").unwrap_or((patch, ""));
    let is_source = |file: &&str| file.lines().next().is_some_and(|path| path.ends_with(".rs"));
    let source = files.split("\n--- a/").find(is_source);
    match source {
        Some(source) => format!("{report}\n...\n--- a/{source}\n"),
        None => format!("{report}\n"),
    }
}

/// Two of the tests that were inferred.
fn two_tests(module: &str) -> String {
    let is_shown = |test: &&str| {
        test.contains("fn push_increments_count(") || test.contains("fn pop_decrements_count(")
    };
    let shown: Vec<&str> = module.split("\n\n").filter(is_shown).collect();
    match shown.is_empty() {
        true => String::new(),
        false => format!("...\n{}\n...\n", shown.join("\n\n")),
    }
}

/// The first half of the tour calls a library in place of `cargo rebut generate`: both must print
/// the same inputs.
fn compare_generated(guide: &Guide) -> Result<(), String> {
    // The command stores its results next to the file, and they do not belong next to this one.
    let directory = root().join("target/rebut/tour");
    let failed = |why: std::io::Error| format!("{}: {why}", directory.display());
    std::fs::create_dir_all(&directory).map_err(failed)?;
    let file = root().join("examples/tour/shift.rebut");
    std::fs::copy(file, directory.join("shift.rebut")).map_err(failed)?;
    let stdout = |output: &Output| output.stdout.clone();
    let told = guide.output("cargo run --quiet --example tour -- --story 5", stdout)?;
    for outline in ["shifts", "late"] {
        let line =
            format!("cargo rebut generate target/rebut/tour/shift.rebut {outline} --format jsonl");
        let found = guide.output(&line, stdout)?;
        if let Some(missing) = found.lines().find(|input| !told.contains(input)) {
            return Err(format!("`cargo rebut generate` finds {missing}, the tour does not"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stories_show_code_that_is_there_and_short() {
        let guide = Guide::new(root(), None);
        for story in STORIES.iter().filter(|story| !story.file.is_empty()) {
            let code = guide.code(story);
            assert!(code.is_ok(), "story {}: {code:?}", story.number);
        }
    }

    #[test]
    fn patches_are_printed_without_the_manifest() {
        let patch = "1 path\n\n--- a/Cargo.toml\n+++ b/Cargo.toml\n+rebut\n\
                     --- a/src/lib.rs\n+++ b/src/lib.rs\n+fn\n";
        let shown = "1 path\n\n...\n--- a/src/lib.rs\n+++ b/src/lib.rs\n+fn\n\n";
        assert_eq!(without_manifest(patch), shown);
        assert_eq!(without_manifest("1 path\n"), "1 path\n\n");
    }

    #[test]
    fn two_of_the_inferred_tests_are_printed() {
        let module = "mod inferred {\n\n    fn push_increments_count(a) {}\n\n    fn other() {}\n\n    \
                      fn pop_decrements_count(b) {}\n}\n";
        let shown = two_tests(module);
        assert!(shown.contains("fn push_increments_count(a)"), "{shown}");
        assert!(shown.contains("fn pop_decrements_count(b)"), "{shown}");
        assert!(!shown.contains("other"), "{shown}");
        assert_eq!(two_tests("error"), "");
    }
}
