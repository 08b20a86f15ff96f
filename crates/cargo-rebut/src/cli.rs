//! The arguments of the command.

mod help;

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use help::*;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Tries to refute what you claim about your code.
#[derive(Debug, Parser)]
#[command(
    name = "cargo-rebut",
    bin_name = "cargo rebut",
    version,
    disable_help_subcommand = true,
    after_help = FIRST_STEPS
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Adds Rebut to a crate, with a first property for a function of it
    #[command(after_help = format!("{EXAMPLES_OF_INIT}{INIT_EXIT_CODES}"))]
    Init(Init),
    /// Runs all properties for longer than `cargo test` does, on all cores, and writes a report
    #[command(after_help = format!("{EXAMPLES_OF_TEST}{RUN_EXIT_CODES}"))]
    Test(Test),
    /// Writes what runs went through, as a page or for other programs
    #[command(after_help = format!("{EXAMPLES_OF_REPORT}{RUN_EXIT_CODES}"))]
    Report(Report),
    /// Lists properties and verdicts of the latest run
    #[command(after_help = format!("{EXAMPLES_OF_LIST}{RUN_EXIT_CODES}"))]
    List(List),
    /// Runs one case again
    #[command(after_help = format!("{EXAMPLES_OF_REPLAY}{RUN_EXIT_CODES}"))]
    Replay(Replay),
    /// Says what the code of a verdict means, and what to do
    #[command(after_help = format!("{EXAMPLES_OF_EXPLAIN}{RUN_EXIT_CODES}"))]
    Explain(Explain),
    /// Runs tests with symbols for inputs, to take every path through them
    #[command(after_help = format!("{EXAMPLES_OF_EXPLORE}{EXPLORE_EXIT_CODES}"))]
    Explore(Explore),
    /// Makes tests with parameters from ordinary tests, by the paths that their code takes
    #[command(after_help = format!("{EXAMPLES_OF_GENERALIZE}{GENERALIZE_EXIT_CODES}"))]
    Generalize(Generalize),
    /// Infers what a type does from its code, and writes that as tests
    #[command(after_help = format!("{EXAMPLES_OF_INFER}{INFER_EXIT_CODES}"))]
    Infer(Infer),
    /// Generates inputs from a specification
    #[command(after_help = format!("{EXAMPLES_OF_GENERATE}{GENERATE_EXIT_CODES}"))]
    Generate(Generate),
    /// Writes what a shell needs to complete the command
    #[command(after_help = format!("{EXAMPLES_OF_COMPLETIONS}{FILE_EXIT_CODES}"))]
    Completions(Completions),
    /// Writes manual pages
    #[command(after_help = format!("{EXAMPLES_OF_MAN}{FILE_EXIT_CODES}"))]
    Man(Man),
}

/// `cargo rebut init`
#[derive(Args, Debug)]
pub(crate) struct Init {
    /// The package, if the workspace has several
    #[arg(short, long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    /// The manifest of the package or workspace
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Writes a workflow that runs the properties, unless there is one
    #[arg(long, value_enum, value_name = "SERVICE")]
    pub(crate) ci: Option<Service>,
    /// Writes tasks that run the properties, unless there are some
    #[arg(long, value_enum, value_name = "EDITOR")]
    pub(crate) editor: Option<Editor>,
    /// Does not build the property before it is kept
    #[arg(long)]
    pub(crate) no_build: bool,
    /// How it is said what was done
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
}

/// Where tests run by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Service {
    /// GitHub Actions: `.github/workflows/rebut.yml`
    Github,
}

/// Where code is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Editor {
    /// Visual Studio Code: `.vscode/tasks.json`
    Vscode,
}

/// `cargo rebut test`
#[derive(Args, Debug)]
pub(crate) struct Test {
    /// How long new cases are drawn, in all, such as `500ms`, `30s` or `10min`; every property
    /// has as many as `cargo test` draws, and what time is left goes to those that held
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    pub(crate) time: Duration,
    /// How many cases each property runs at most
    #[arg(long, value_name = "N")]
    pub(crate) cases: Option<u64>,
    /// Where the page is written, if not to `target/rebut/report.html`
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Opens the page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Writes the tests that were printed for failures to the folder `tests` of their packages;
    /// nothing is overwritten
    #[arg(long)]
    pub(crate) emit: bool,
    /// How verdicts are printed
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
    /// Colours in what is printed
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    /// Arguments of `cargo test`, such as `-p my-crate`, and behind another `--` those of the
    /// test binaries
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) rest: Vec<String>,
}

/// `cargo rebut explore`
#[derive(Args, Debug)]
pub(crate) struct Explore {
    /// Only tests whose path contains one of these
    #[arg(value_name = "TEST")]
    pub(crate) tests: Vec<String>,
    /// The package whose tests are explored; all that use Rebut if none is named
    #[arg(short, long, value_name = "PACKAGE")]
    pub(crate) package: Vec<String>,
    /// The manifest of the package or workspace
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest_path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) features: Features,
    /// How often a test runs at most
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) runs: usize,
    /// How often it runs at most after it has failed, to see whether it fails otherwise too
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) runs_after_failure: usize,
    /// How many elements a collection has at most
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) length: usize,
    /// How many conflicts the solver may have for one question
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) conflicts: u64,
    /// How large all questions to the solver are together, in terms
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) terms: u64,
    /// An SMT-LIB 2 solver for what the embedded one gives up: z3, cvc5, or any command that
    /// reads from its standard input
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Option<String>,
    /// How many seconds that solver may think about one question
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) solver_time: u64,
    /// How what was found is printed
    #[arg(long, value_enum, default_value_t = Paths::Text)]
    pub(crate) format: Paths,
    /// Says which lines of the code under test were reached, and why not the others
    #[arg(long)]
    pub(crate) coverage: bool,
    /// Writes events and a page with the tree of paths and the lines that were reached, to
    /// `target/rebut/report.html`
    #[arg(long)]
    pub(crate) report: bool,
    /// Opens the page in a browser
    #[arg(long, requires = "report")]
    pub(crate) open: bool,
    /// Keeps the inputs that together take all sides of decisions: prints them as
    /// `#[example(..)]` lines to paste, or writes them as tests to the folder `tests` of the
    /// package; nothing is overwritten
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) emit: Option<Emit>,
}

/// What of the packages is built.
#[derive(Args, Debug)]
pub(crate) struct Features {
    /// Features of the packages, as for `cargo test`
    #[arg(short = 'F', long = "features", value_name = "FEATURES", value_delimiter = ',')]
    names: Vec<String>,
    /// All features of the packages
    #[arg(long)]
    all_features: bool,
    /// Not the features that are on by default
    #[arg(long)]
    no_default_features: bool,
}

impl Features {
    pub(crate) fn asked(&self) -> rebut_build::Features {
        rebut_build::Features {
            all: self.all_features,
            no_default: self.no_default_features,
            names: self.names.clone(),
        }
    }
}

/// `cargo rebut infer`
#[derive(Args, Debug)]
pub(crate) struct Infer {
    /// The type: its name, with its modules if there are several, and its arguments if it is
    /// generic
    #[arg(value_name = "TYPE")]
    pub(crate) subject: String,
    /// What is looked at: functions that take `&self`; those that are public if none is named
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) observers: Vec<String>,
    /// What is described: functions that take `&mut self`; those that are public if none is named
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) modifiers: Vec<String>,
    /// The package of the type
    #[arg(short, long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    /// The manifest of the package or workspace
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest_path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) features: Features,
    /// How many elements a collection has at most
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) length: usize,
    /// How often each function runs at most; collections grow as long as that suffices
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) runs: usize,
    /// How many conflicts the solver may have for one question
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) conflicts: u64,
    /// What is written
    #[arg(long = "as", value_enum, value_name = "WHAT", default_value_t = InferAs::Tests)]
    pub(crate) what: InferAs,
    /// How it is printed
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
    /// Writes to a new file instead of the standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// What is written of what was inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InferAs {
    /// A module of tests with parameters
    Tests,
    /// Functions with `#[requires(..)]` and `#[ensures(..)]`
    Contracts,
}

/// How inputs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// Lines to paste above the property
    Examples,
    /// Tests that need no Rebut
    Tests,
}

/// How an exploration is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Paths {
    /// Verdicts and failures
    Text,
    /// All of it for programs, one line for each test
    Json,
    /// The tree of paths, for Graphviz
    Dot,
}

/// `cargo rebut report`
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// Runs: files of events, folders of runs, or groups; the latest group if none is named
    #[arg(value_name = "RUN|FILE")]
    pub(crate) runs: Vec<String>,
    /// Another run, to see what changed since
    #[arg(long, value_name = "RUN|FILE")]
    pub(crate) against: Option<String>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t = ReportFormat::Html)]
    pub(crate) format: ReportFormat,
    /// Writes to this file; a page goes to `report.html` without it, all else to the standard
    /// output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Opens the page in a browser
    #[arg(long)]
    pub(crate) open: bool,
}

/// `cargo rebut generalize`
#[derive(Args, Debug)]
pub(crate) struct Generalize {
    /// Files with tests, or folders of such files; behind `::`, the path of one test
    #[arg(value_name = "PATH[::TEST]", required = true)]
    pub(crate) paths: Vec<String>,
    /// Writes the files
    #[arg(long)]
    pub(crate) apply: bool,
    /// The manifest of the package or workspace, if not the one above the file
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest_path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) features: Features,
    /// How often each test is run at most
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub(crate) runs: usize,
    /// How long texts and lists are at most while it is explored
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) length: usize,
    /// How it is printed
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// A page: one file that needs no other
    Html,
    /// All of it for programs
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
    /// Runs: files of events, folders of runs, or groups; the latest group if none is named
    #[arg(value_name = "RUN|FILE")]
    pub(crate) runs: Vec<String>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
    /// Colours in what is printed
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// `cargo rebut replay`
#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// The number of an input in `cargo rebut list`, or a replay string
    #[arg(value_name = "NUMBER|WORD")]
    pub(crate) case: String,
    /// The test, if a replay string is given
    #[arg(value_name = "TEST")]
    pub(crate) test: Option<String>,
    /// Writes the test that was printed for the failure to the folder `tests` of its package;
    /// nothing is overwritten
    #[arg(long)]
    pub(crate) emit: bool,
    /// What is printed besides what the test says
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
}

/// `cargo rebut explain`
#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// A code such as `R001`; without it, all codes are listed
    pub(crate) code: Option<String>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
}

/// For people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shape {
    /// For people
    Text,
    /// For programs
    Json,
}

/// `cargo rebut generate`
#[derive(Args, Debug)]
pub(crate) struct Generate {
    /// The specification: a program of the input language
    pub(crate) file: PathBuf,
    /// The outline to generate, if not all of the file
    pub(crate) name: Option<String>,
    /// How many models, instead of the number in the file
    #[arg(short = 'n', long = "number", value_name = "N")]
    pub(crate) number: Option<usize>,
    /// What makes two models different, instead of what the file says: what follows
    /// `constrain-solutions`, as in `title different-lengths`, or whole statements
    #[arg(long, value_name = "CONSTRAINT", conflicts_with = "name")]
    pub(crate) differ: Option<String>,
    /// How models are written
    #[arg(long, value_enum, default_value_t = Format::Json)]
    pub(crate) format: Format,
    /// Another seed gives other models
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// An SMT-LIB 2 solver for what couples variables: z3, cvc5, or any command that reads
    /// from its standard input
    #[arg(long, value_name = "COMMAND")]
    pub(crate) solver: Option<String>,
    /// How many seconds that solver may think about one question
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(crate) solver_time: u64,
    /// How a solver is asked for several models, if not as is thought best
    #[arg(long, value_enum)]
    pub(crate) encoding: Option<Encoding>,
    /// Says how models will be found, and finds none
    #[arg(long)]
    pub(crate) explain_plan: bool,
    /// Writes to a file instead of the standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Generates anew, even if the specification has not changed
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Colours in messages
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// `cargo rebut completions`
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// `cargo rebut man`
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// Where the pages are written, one for each command; without it, the first page goes to the
    /// standard output
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// How it is said which files were written
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub(crate) format: Shape,
}

/// How a solver is asked for several models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Encoding {
    /// One model after the other, each different from those before
    Loop,
    /// All models in one question, in which one thing is `distinct`
    Distinct,
    /// All models in one question, each two of them different
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

/// How models are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// An array of objects; of several outlines, an object of arrays
    Json,
    /// An object a line
    Jsonl,
    /// A table
    Csv,
    /// For people
    Text,
    /// A constant for Rust code
    Rust,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A time as the setting `time_budget` takes it.
fn time(text: &str) -> Result<Duration, String> {
    let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let seconds = match unit {
        "us" => Some(1e-6),
        "ms" => Some(1e-3),
        "s" => Some(1.0),
        "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let number = number.parse::<f64>().ok().filter(|number| *number > 0.0);
    let time = number.zip(seconds).map(|(number, seconds)| number * seconds);
    time.and_then(|time| Duration::try_from_secs_f64(time).ok())
        .filter(|time| *time <= Duration::from_secs(TIME_MAX_SECONDS))
        .ok_or_else(|| "write a number with `ms`, `s`, `min` or `h`, such as `30s`".to_owned())
}

/// A year; who wants more wants something else.
const TIME_MAX_SECONDS: u64 = 366 * 24 * 3600;

/// The command line, read; whoever asks for help, or is wrong, is answered here.
pub(crate) fn parse(all: impl Iterator<Item = OsString>) -> Cli {
    let all: Vec<OsString> = all.collect();
    let mut command = command(called_by(&all));
    let matches = command.try_get_matches_from_mut(arguments(all));
    let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.unwrap_or_else(|error| error.format(&mut command).exit())
}

/// The command under a name of its own, which stands in its help too.
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

/// What the command is called in texts.
pub(crate) const CARGO_REBUT: &str = "cargo rebut";

/// The name it was called by: `rebut`, or the usual one.
fn called_by(all: &[OsString]) -> &'static str {
    let program = all.first().map(Path::new).and_then(Path::file_stem);
    if program.is_some_and(|stem| stem == "rebut") { "rebut" } else { CARGO_REBUT }
}

/// The arguments without the `rebut` that cargo puts in front.
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
        for (good, milliseconds) in
            [("500ms", 500), ("10s", 10_000), ("1.5min", 90_000), ("2h", 7_200_000)]
        {
            assert_eq!(time(good), Ok(Duration::from_millis(milliseconds)));
        }
        for bad in ["10", "s", "-1s", "0s", "10 parsecs", "", "1e300h", "99999999h"] {
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
        assert!(help.contains("Usage: rebut <COMMAND>"), "{help}");
        assert!(help.contains("  rebut init ") && !help.contains("cargo rebut"), "{help}");
        let help = command(CARGO_REBUT).render_help().to_string();
        assert!(help.contains("Usage: cargo rebut <COMMAND>"), "{help}");
    }

    /// The commands in a text of examples: what stands before a remark, a pipe or a file.
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
