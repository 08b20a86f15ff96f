//! The arguments of the command.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

const RUN_EXIT_CODES: &str = "\
Exit codes:
  0   what was asked for was done; of `test`, every property holds; of `replay`, the case passes
  1   an error of Rebut itself
  2   the command line is wrong
  7   a file cannot be read or written
  8   a property does not hold, or a test fails (`test`, `replay`)
  9   there are no events to report
  10  cargo cannot be run, or the tests do not build";

const EXAMPLES_OF_REPORT: &str = "\
Examples:
  cargo rebut report --open                      the latest run as a page
  cargo rebut report nightly --out nightly.html  the run of `REBUT_RUN=nightly cargo test`
  cargo rebut report --against before            what changed since another run
  cargo rebut report --format junit --out junit.xml
  cargo rebut report --format sarif --out rebut.sarif
  cargo rebut report --format tyche > observations.jsonl

";

const EXAMPLES_OF_EXPLORE: &str = "\
Examples:
  cargo rebut explore                      every property of the package or workspace
  cargo rebut explore -p my-crate parses   those of one package whose path has `parses` in it
  cargo rebut explore --runs 100000 --length 16
  cargo rebut explore sorts --coverage     which lines were reached, and why not the others
  cargo rebut explore sorts --report --open  the tree of paths as a page
  cargo rebut explore sorts --emit tests   the inputs that take all sides of decisions, as tests
  cargo rebut explore sorts --format dot | dot -Tsvg > paths.svg

A property is built for WebAssembly and runs there; whatever fails is run natively before it
is told. Collections longer than `--length` are left to `cargo test`.

";

const EXPLORE_EXIT_CODES: &str = "\
Exit codes:
  0   no property fails
  1   an error of Rebut itself
  2   the command line is wrong, or there is no such test
  6   no compiler for WebAssembly was found
  8   a property fails
  10  cargo cannot be run, or the tests do not build";

const EXAMPLES_OF_GENERALIZE: &str = "\
Examples:
  cargo rebut generalize src/list.rs                  all tests of the file
  cargo rebut generalize src/list.rs::tests::adds     one of them
  cargo rebut generalize tests/ --format json         all tests below a folder, for programs
  cargo rebut generalize src/list.rs --apply          writes the file
  cargo rebut generalize src/list.rs | git apply      the same

The values in a test become parameters, and the test is explored. What is printed was built and
run, on copies of your files; these are not changed without `--apply`.

";

const GENERALIZE_EXIT_CODES: &str = "\
Exit codes:
  0   what was asked for was done
  1   an error of Rebut itself
  2   the command line is wrong, or there is no such test
  6   no compiler for WebAssembly was found
  7   a file cannot be read or written
  8   the code under test has a mistake: an input of a test that makes it panic
  10  cargo cannot be run, or the tests do not build";

const EXIT_CODES: &str = "\
Exit codes:
  0  as many models as were asked for, or provably all there are
  1  an error of Rebut itself
  2  the command line is wrong
  3  the specification has errors
  4  there is no model
  5  fewer models than were asked for, and it is not proved that there are no more
  6  a solver is needed and was not named
  7  a file cannot be read or written";

/// Tries to refute what you claim about your code.
#[derive(Debug, Parser)]
#[command(name = "cargo rebut", bin_name = "cargo rebut", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Runs all properties for longer than `cargo test` does, and writes a report
    #[command(after_help = RUN_EXIT_CODES)]
    Test(Test),
    /// Writes what runs went through, as a page or for other programs
    #[command(after_help = format!("{EXAMPLES_OF_REPORT}{RUN_EXIT_CODES}"))]
    Report(Report),
    /// Lists properties and verdicts of the latest run
    #[command(after_help = RUN_EXIT_CODES)]
    List(List),
    /// Runs one case again
    #[command(after_help = RUN_EXIT_CODES)]
    Replay(Replay),
    /// Says what the code of a verdict means, and what to do
    #[command(after_help = RUN_EXIT_CODES)]
    Explain(Explain),
    /// Runs tests with symbols for inputs, to take every path through them
    #[command(after_help = format!("{EXAMPLES_OF_EXPLORE}{EXPLORE_EXIT_CODES}"))]
    Explore(Explore),
    /// Makes tests with parameters from ordinary tests, by the paths that their code takes
    #[command(after_help = format!("{EXAMPLES_OF_GENERALIZE}{GENERALIZE_EXIT_CODES}"))]
    Generalize(Generalize),
    /// Generates inputs from a specification
    #[command(after_help = EXIT_CODES)]
    Generate(Generate),
}

/// `cargo rebut test`
#[derive(Args, Debug)]
pub(crate) struct Test {
    /// How long each property draws new cases, such as `500ms`, `10s` or `1min`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    pub(crate) time: String,
    /// How many cases each property runs at most; every one is written to the events
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) cases: u64,
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
    /// Features of the packages, as for `cargo test`
    #[arg(short = 'F', long, value_name = "FEATURES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// All features of the packages
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Not the features that are on by default
    #[arg(long)]
    pub(crate) no_default_features: bool,
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
    /// Features of the package, as for `cargo test`
    #[arg(short = 'F', long, value_name = "FEATURES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// All features of the package
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Not the default features
    #[arg(long)]
    pub(crate) no_default_features: bool,
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
fn time(text: &str) -> Result<String, String> {
    let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let is_number = number.parse::<f64>().is_ok_and(|number| number > 0.0);
    if is_number && ["us", "ms", "s", "min", "h"].contains(&unit) {
        Ok(text.to_owned())
    } else {
        Err("write a number with `ms`, `s`, `min` or `h`, such as `30s`".to_owned())
    }
}

/// The arguments without the `rebut` that cargo puts in front.
pub(crate) fn arguments(all: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = all.collect();
    if arguments.get(1).is_some_and(|first| first == "rebut") {
        arguments.remove(1);
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_fit_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn times_have_a_unit() {
        for good in ["500ms", "10s", "1.5min", "2h"] {
            assert_eq!(time(good).as_deref(), Ok(good));
        }
        for bad in ["10", "s", "-1s", "0s", "10 parsecs", ""] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn cargo_puts_its_word_in_front() {
        let given = |words: &[&str]| arguments(words.iter().map(OsString::from));
        assert_eq!(
            given(&["cargo-rebut", "rebut", "generate"]),
            given(&["cargo-rebut", "generate"])
        );
    }
}
