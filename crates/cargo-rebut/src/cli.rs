//! The arguments of the command.

mod help;
mod selection;

pub(crate) use rebut_cli::arguments::Shape;
pub(crate) use rebut_cli::color::Color;
pub(crate) use selection::{LocationFlags, Selection};

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use help::*;
use rebut_cli::arguments::{Engine, time};
use rebut_cli::exit::Exit;
use rebut_protocol::terminal;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Find inputs that break your tests.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-rebut",
    bin_name = "cargo rebut",
    version,
    after_help = FIRST_STEPS
)]
pub(crate) struct Cli {
    /// Coloring: auto, always, never
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t = Color::Auto,
        hide_possible_values = true
    )]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Add Rebut to a package and write a first test
    #[command(after_help = format!("{INIT_EXAMPLES}{}", Exit::table(&INIT_EXITS)))]
    Init(Init),
    /// Run all properties within a time budget, on all cores, and write a report
    #[command(after_help = format!("{TEST_EXAMPLES}{}", Exit::table(&TEST_EXITS)))]
    Test(Box<Test>),
    /// Write a report (HTML, JSON, JUnit, SARIF, Tyche)
    #[command(after_help = format!("{REPORT_EXAMPLES}{}", Exit::table(&REPORT_EXITS)))]
    Report(Report),
    /// List properties and the results of their latest runs
    #[command(after_help = format!("{LIST_EXAMPLES}{}", Exit::table(&REPORT_EXITS)))]
    List(List),
    /// Rerun one failure
    #[command(after_help = format!("{REPLAY_EXAMPLES}{}", Exit::table(&TEST_EXITS)))]
    Replay(Replay),
    /// Explain a result code such as R004
    #[command(after_help = format!("{EXPLAIN_EXAMPLES}{}", Exit::table(&FILE_EXITS[..2])))]
    Explain(Explain),
    #[command(flatten)]
    Engine(Engine),
    /// Generate inputs from a specification, JSON Schema or OpenAPI file
    #[command(after_help = format!("{GENERATE_EXAMPLES}{}", Exit::table(&GENERATE_EXITS)))]
    Generate(Generate),
    /// Print a shell completion script
    #[command(after_help = format!("{COMPLETIONS_EXAMPLES}{}", Exit::table(&FILE_EXITS)))]
    Completions(Completions),
    /// Write manual pages
    #[command(after_help = format!("{MAN_EXAMPLES}{}", Exit::table(&FILE_EXITS)))]
    Man(Man),
}

/// `cargo rebut init`
#[derive(Args, Debug)]
pub(crate) struct Init {
    /// Package to set up, if the workspace has several
    #[arg(short, long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    /// Path to Cargo.toml
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Write a workflow that runs the properties, unless there is one
    #[arg(long, value_enum, value_name = "SERVICE")]
    pub(crate) ci: Option<Service>,
    /// Write tasks that run the properties, unless there are some
    #[arg(long, value_enum, value_name = "EDITOR")]
    pub(crate) editor: Option<Editor>,
    /// Write the test without building it first
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
}

/// The CI services that `init` writes a workflow for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Service {
    /// GitHub Actions: `.github/workflows/rebut.yml`
    Github,
}

/// The editors that `init` writes tasks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Editor {
    /// Visual Studio Code: `.vscode/tasks.json`
    Vscode,
}

/// `cargo rebut test`
#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Run only tests whose path contains one of these
    #[arg(value_name = "NAME")]
    pub(crate) filters: Vec<String>,
    /// Time budget for all properties together, such as `500ms`, `30s`, `5m` or `1h30m`; every
    /// property runs at least as many cases as under `cargo test`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    pub(crate) time: Duration,
    /// Maximum number of cases per property
    #[arg(long, value_name = "N")]
    pub(crate) cases: Option<u64>,
    /// Number of properties to run at once, and of build jobs [default: number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Write the HTML report to this file [default: `target/rebut/report.html`]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Open the HTML report in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Write a regression test for each failure to `tests/`; never overwrites
    #[arg(long)]
    pub(crate) emit: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// Arguments for the test binaries, such as `--include-ignored` or `--skip slow`
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) rest: Vec<String>,
}

/// `cargo rebut report`
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// Event files, run directories or run groups [default: the latest run of each property]
    #[arg(value_name = "RUN|FILE")]
    pub(crate) runs: Vec<String>,
    /// Compare with another run (HTML only)
    #[arg(long, value_name = "RUN|FILE")]
    pub(crate) against: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Html)]
    pub(crate) format: ReportFormat,
    /// Write to this file [default: `report.html` for HTML, the standard output for the rest]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Open the HTML report in a browser
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) location: LocationFlags,
}

/// The formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// A self-contained HTML report
    Html,
    /// Machine-readable, complete
    Json,
    /// JUnit XML
    Junit,
    /// SARIF 2.1.0
    Sarif,
    /// Observations as Hypothesis writes them, for Tyche
    Tyche,
}

/// `cargo rebut list`
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Event files, run directories or run groups [default: the latest run of each property]
    #[arg(value_name = "RUN|FILE")]
    pub(crate) runs: Vec<String>,
    /// List stored failures of tests that no longer exist
    #[arg(long, conflicts_with = "runs")]
    pub(crate) stale: bool,
    /// Remove these failures
    #[arg(long, requires = "stale")]
    pub(crate) remove: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
    #[command(flatten)]
    pub(crate) location: LocationFlags,
}

/// `cargo rebut replay`
#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// Number of a failure in `cargo rebut list`, or a replay string
    #[arg(value_name = "NUMBER|STRING")]
    pub(crate) case: String,
    /// Path of the test, if a replay string is given
    #[arg(value_name = "TEST")]
    pub(crate) test: Option<String>,
    /// Write a regression test for the failure to `tests/`; never overwrites
    #[arg(long)]
    pub(crate) emit: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
    #[command(flatten)]
    pub(crate) selection: Selection,
}

/// `cargo rebut explain`
#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// Code to explain, such as `R001` [default: list all codes]
    pub(crate) code: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
}

/// `cargo rebut generate`
#[derive(Args, Debug)]
pub(crate) struct Generate {
    /// Specification file: `.rebut`, JSON Schema or OpenAPI
    pub(crate) file: PathBuf,
    /// Outline to generate [default: all outlines of the file]
    pub(crate) name: Option<String>,
    /// Number of inputs [default: the number in the file]
    #[arg(short = 'n', long = "number", value_name = "N")]
    pub(crate) number: Option<usize>,
    /// Constraint between two inputs, instead of the file's own: the part after
    /// `constrain-solutions`, as in `title different-lengths`, or whole statements
    #[arg(long, value_name = "CONSTRAINT", conflicts_with = "name")]
    pub(crate) differ: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Json)]
    pub(crate) format: Format,
    /// Seed; another seed gives other inputs
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// SMT-LIB 2 solver for coupled variables: z3, cvc5, or any command that reads from its
    /// standard input
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Option<String>,
    /// Time limit of that solver per query, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) solver_time: u64,
    /// How to query the solver for several models [default: chosen automatically]
    #[arg(long, value_enum)]
    pub(crate) encoding: Option<Encoding>,
    /// Print the plan without generating anything
    #[arg(long)]
    pub(crate) explain_plan: bool,
    /// Write to a file instead of the standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Ignore prepared inputs and generate again
    #[arg(long)]
    pub(crate) fresh: bool,
}

/// `cargo rebut completions`
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// Shell to print the script for
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// `cargo rebut man`
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// Directory for the manual pages, one per command [default: print the first page]
    #[arg(value_name = "DIRECTORY")]
    pub(crate) folder: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
}

/// How a solver is queried for several models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Encoding {
    /// One model after the other, each different from those before
    Loop,
    /// All models in one query, with `distinct` on one value
    Distinct,
    /// All models in one query, with every two of them different
    AllAtOnce,
}

impl From<Encoding> for rebut_spec::Encoding {
    fn from(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Loop => Self::Loop,
            Encoding::Distinct => Self::Distinct,
            Encoding::AllAtOnce => Self::AllAtOnce,
        }
    }
}

/// The formats of generated inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// An array of objects; of several outlines, an object of arrays
    Json,
    /// One object per line
    Jsonl,
    /// A table
    Csv,
    /// Human-readable
    Text,
    /// A constant for Rust code
    Rust,
}

/// Parses the command line. After a request for help or a wrong argument, it prints and
/// ends the process.
///
/// The second value is the list of arguments as typed, without the name of the program.
pub(crate) fn parse(all: impl Iterator<Item = OsString>) -> (Cli, Vec<OsString>) {
    let all: Vec<OsString> = all.collect();
    let mut command = command(called_by(&all));
    let all = arguments(all);
    let matches = command.try_get_matches_from_mut(&all);
    let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = parsed.unwrap_or_else(|error| {
        // The message repeats an argument, which may contain anything.
        let plain = all.iter().map(|one| terminal::one_line(&one.to_string_lossy()));
        let error = command.try_get_matches_from_mut(plain).err().unwrap_or(error);
        exit(&error.format(&mut command))
    });
    (cli, all.into_iter().skip(1).collect())
}

/// Prints an error or a requested help text, and ends.
fn exit(error: &clap::Error) -> ! {
    if error.use_stderr() {
        let is_colored = rebut_cli::color::colored(rebut_cli::color::Color::Auto);
        let text = error.render();
        let text = if is_colored { text.ansi().to_string() } else { text.to_string() };
        crate::words::say(text.trim_end());
        std::process::exit(error.exit_code())
    }
    error.exit()
}

/// The command, with the name by which it was called; `--help` shows that name.
pub(crate) fn command(name: &'static str) -> clap::Command {
    let mut command = Cli::command().bin_name(name);
    if name != CARGO_REBUT {
        command = renamed(command, name).mut_subcommands(|command| renamed(command, name));
    }
    command
}

fn renamed(command: clap::Command, name: &str) -> clap::Command {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    command.after_help(help.replace(CARGO_REBUT, name)).mut_args(|argument| {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        argument.help(help.replace(CARGO_REBUT, name))
    })
}

/// The name of the command in `--help`.
pub(crate) const CARGO_REBUT: &str = "cargo rebut";

/// The name by which it was called: `rebut`, or by default `cargo rebut`.
fn called_by(all: &[OsString]) -> &'static str {
    let program = all.first().map(Path::new).and_then(Path::file_stem);
    if program.is_some_and(|stem| stem == "rebut") { "rebut" } else { CARGO_REBUT }
}

/// The arguments without the `rebut` that cargo passes first.
fn arguments(mut all: Vec<OsString>) -> Vec<OsString> {
    if all.get(1).is_some_and(|first| first == "rebut") {
        all.remove(1);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_fit_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn times_have_a_unit() {
        for (good, milliseconds) in [
            ("500ms", 500),
            ("10s", 10_000),
            ("1.5min", 90_000),
            ("5m", 300_000),
            ("2h", 7_200_000),
            ("1h30m", 5_400_000),
            ("1h 30m", 5_400_000),
        ] {
            assert_eq!(time(good), Ok(Duration::from_millis(milliseconds)));
        }
        for bad in
            ["10", "s", "-1s", "0s", "10 parsecs", "", "1e300h", "99999999h", "30m1h", "1h2", "."]
        {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn cargo_puts_its_word_in_front() {
        let given = |words: &[&str]| arguments(words.iter().map(OsString::from).collect());
        assert_eq!(
            given(&["cargo-rebut", "rebut", "generate"]),
            given(&["cargo-rebut", "generate"])
        );
    }

    #[test]
    fn it_is_called_what_it_was_called_by() {
        let of = |program: &str| called_by(&[OsString::from(program)]);
        assert_eq!(of("/home/me/.cargo/bin/rebut"), "rebut");
        assert_eq!(of("cargo-rebut"), "cargo rebut");
        assert_eq!(called_by(&[]), "cargo rebut");
        let help = command("rebut").render_help().to_string();
        assert!(help.contains("Usage: rebut [OPTIONS] <COMMAND>"), "{help}");
        assert!(help.contains("  rebut init ") && !help.contains("cargo rebut"), "{help}");
        let help = command(CARGO_REBUT).render_help().to_string();
        assert!(help.contains("Usage: cargo rebut [OPTIONS] <COMMAND>"), "{help}");
    }

    /// The commands in a text of examples, without comments, pipes and redirections.
    fn examples(help: &str) -> Vec<Vec<String>> {
        let lines = help.lines().filter_map(|line| line.strip_prefix("  cargo rebut "));
        let command = |line: &str| {
            let end = ["  ", " | ", " > ", " >> "].iter().filter_map(|end| line.find(end)).min();
            let words = line[..end.unwrap_or(line.len())].split(' ');
            ["cargo-rebut"].into_iter().chain(words).map(str::to_owned).collect()
        };
        lines.map(command).collect()
    }

    #[test]
    fn every_command_has_examples_that_can_be_typed() {
        let all = command(CARGO_REBUT);
        let texts = all.get_subcommands().chain([&all]).map(|command| {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            (command.get_name().to_owned(), help)
        });
        for (name, help) in texts {
            let examples = examples(&help);
            assert!(help.starts_with("Examples:\n") && examples.len() >= 2, "{name}: {help}");
            for words in examples {
                let parsed = Cli::try_parse_from(&words);
                assert!(parsed.is_ok(), "{}: {:?}", words.join(" "), parsed.err());
                assert!(name == "cargo-rebut" || words[1] == name, "{name}: {words:?}");
            }
        }
    }

    #[test]
    fn every_command_says_with_what_codes_it_ends() {
        for command in command(CARGO_REBUT).get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Exit codes:\n  0 "), "{}: {help}", command.get_name());
        }
    }
}
