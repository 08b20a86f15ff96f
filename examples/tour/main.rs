//! A tour of Rebut: each engine answers a question.
//!
//! `cargo run --example tour` tells the stories that need the library only; `--list` prints their
//! questions, `--story 3` tells one of them. `cargo xtask tour` tells the others.
//!
//! The properties are ordinary `#[rebut::test]`s in the files beside this one, and some of them
//! fail. `cargo test` does not run the tests of an example unless it is asked to:
//! `cargo test --example tour`. That is what the tour does.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the tour is what it prints")]

#[cfg(test)]
mod cache;
#[cfg(test)]
mod divisors;
#[cfg(test)]
mod midpoint;
#[cfg(test)]
mod quicksort;
#[cfg(test)]
mod shorten;

mod story;

use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use story::{Arguments, Guide, PREAMBLE, Step, Story, test};

const STORIES: [Story; 6] = [
    Story {
        number: 1,
        question: "Does `shorten` work for every string?",
        file: "examples/tour/shorten.rs",
        items: &[],
        steps: &[test("cargo test --example tour shorten")],
        finds: &["let text: &str = \"\\u{80}\";", "let max: usize = 1;"],
        conclusion: "No. It cuts a character in half. Rebut found such a string at random and shrank \
                     it to one character.",
    },
    Story {
        number: 2,
        question: "Is this average right for every pair of bytes?",
        file: "examples/tour/midpoint.rs",
        items: &[],
        steps: &[test(
            "REBUT_VERBOSITY=verbose cargo test --example tour midpoint -- --show-output",
        )],
        finds: &["65536 inputs"],
        conclusion: "Yes. There are few enough pairs to try them all, so this is a proof.",
    },
    Story {
        number: 3,
        question: "How many comparisons can a quicksort of twelve numbers take?",
        file: "examples/tour/quicksort.rs",
        items: &["fn comparisons", "fn quicksort_is_quick"],
        steps: &[
            test(
                "REBUT_SEARCH=off REBUT_VERBOSITY=verbose cargo test --example tour quicksort -- \
                 --show-output",
            ),
            test("cargo test --example tour quicksort"),
        ],
        finds: &["1000 cases", "let list: Vec<u8> = vec!["],
        conclusion: "1000 random lists come nowhere near 66 comparisons, the worst case. One list \
                     in 233,885 reaches it, and `maximize` leads Rebut there.",
    },
    Story {
        number: 4,
        question: "Can a callback break the cache, and whose fault is that?",
        file: "examples/contracts/src/lru.rs",
        items: &["pub fn insert"],
        steps: &[test("cargo test --example tour cache")],
        finds: &["lru.on_evict(Box::new(", "`Lru::insert` ensures `self.len() <= self.capacity`"],
        conclusion: "Yes. Rebut wrote a program with a callback that inserts. Nothing forbids \
                     that, so `insert` is at fault.",
    },
    Story {
        number: 5,
        question: "Which inputs satisfy all conditions and still differ?",
        file: "examples/tour/shift.rebut",
        items: &[],
        steps: &[
            Step {
                line: "cargo rebut generate examples/tour/shift.rebut shifts --format jsonl",
                run: |_, _| generated("shifts"),
            },
            Step {
                line: "cargo rebut generate examples/tour/shift.rebut late --format jsonl",
                run: |_, _| generated("late"),
            },
        ],
        finds: &["{\"name\":\"Dr ", "{\"start\":23,\"hours\":1}", "proved"],
        conclusion: "The names cover every way through the expression. Only three shifts start \
                     at 22 or later, and Rebut proves that there are no others.",
    },
    Story {
        number: 6,
        question: "What if the code overflows the stack, or never returns?",
        file: "examples/tour/divisors.rs",
        items: &["fn gcd_by_recursion", "fn gcd_by_loop"],
        steps: &[test("cargo test --example tour divisors")],
        finds: &[
            "equal_numbers_are_their_own_divisor ... ok",
            "recursion_returns_a_divisor ... FAILED",
            "loop_returns_a_divisor ... FAILED",
            "overflowed its stack",
            "500ms",
        ],
        conclusion: "Both are ordinary failures with the smallest input, and the other tests go on.",
    },
];

/// The number of the story that needs processes as only Unix has them.
const CRASHES: usize = 6;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Arguments::parse(&words, &STORIES, |_| false).and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    if arguments.is_list {
        story::list(&STORIES);
        return Ok(());
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = Guide::new(here.parent().unwrap_or(here).to_owned(), None);
    println!("{PREAMBLE}");
    build(&guide)?;
    let begun = Instant::now();
    let mut told = 0;
    for story in arguments.wanted(&STORIES) {
        if cfg!(not(unix)) && story.number == CRASHES {
            println!("\n{CRASHES}. Rebut catches crashes and hangs on Unix only.");
            continue;
        }
        guide.tell(story)?;
        told += 1;
    }
    println!("\n{}", story::summary(told, begun.elapsed()));
    println!("Exploration needs the command: run `cargo xtask tour`.");
    Ok(())
}

/// Builds the properties, so that the stories do not have to wait for the compiler.
fn build(guide: &Guide) -> Result<(), String> {
    let mut command = guide.command("cargo test --quiet --example tour --no-run");
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    match status.map_err(|why| format!("cannot run cargo: {why}"))?.success() {
        true => Ok(()),
        false => Err("the properties of the tour do not build".to_owned()),
    }
}

/// Says that a step does not run its command.
const CALLED: &str = "(The tour does not build this command. It calls the same library.)";

/// What `cargo rebut generate` prints for an outline of the specification: the command calls the
/// same library, but takes longer to build than all stories together.
fn generated(outline: &str) -> Result<String, String> {
    let text = include_str!("shift.rebut");
    let no_import = |path: &Path| Err(format!("{} is not there", path.display()));
    let program = rebut_spec::Program::load_with("shift.rebut".as_ref(), text, &no_import);
    let environment = program.environment(outline).ok_or("the specification has errors")?;
    let outcome = rebut_spec::generate(environment, &rebut_spec::Options::default());
    let outcome = outcome.map_err(|refused| refused.to_string())?;
    let lines = outcome
        .models
        .iter()
        .map(|model| format!("{}\n", rebut_spec::output::json(environment, model)));
    let lines = format!("{CALLED}\n{}", lines.collect::<String>());
    let found = outcome.models.len();
    Ok(match outcome.verdict {
        rebut_spec::Verdict::Complete => lines,
        rebut_spec::Verdict::Largest => {
            let asked = environment.count;
            format!("{lines}{outline}: {found} of {asked}; proved: no others\n")
        }
        other => return Err(format!("{outline}: {other:?}")),
    })
}
