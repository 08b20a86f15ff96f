//! The arguments of the commands that need an engine: `explore`, `generalize` and `infer`.
//!
//! `cargo rebut` parses them too, so that help, completions and errors work without the second
//! binary, and then passes them on as they were typed.

use crate::exit::Exit;
use clap::{Args, Subcommand, ValueEnum};
use rebut_protocol::terminal;
use std::path::PathBuf;
use std::time::Duration;

/// The commands of the second binary, `cargo-rebut-explore`.
#[derive(Debug, Subcommand)]
pub enum Engine {
    /// Explore every path through your tests with a solver
    #[command(after_help = format!("{EXPLORE_EXAMPLES}{}", Exit::table(&EXPLORE_EXITS)))]
    Explore(Explore),
    /// Turn unit tests into parameterized tests
    #[command(after_help = format!("{GENERALIZE_EXAMPLES}{}", Exit::table(&GENERALIZE_EXITS)))]
    Generalize(Generalize),
    /// Infer tests or contracts from the implementation of a type
    #[command(after_help = format!("{INFER_EXAMPLES}{}", Exit::table(&INFER_EXITS)))]
    Infer(Infer),
}

/// `cargo rebut explore`
#[derive(Args, Debug)]
pub struct Explore {
    /// Explore only tests whose path contains one of these
    #[arg(value_name = "TEST", value_parser = name)]
    pub tests: Vec<String>,
    /// Package to explore [default: every package that uses Rebut]
    #[arg(short, long, value_name = "PACKAGE", value_parser = name)]
    pub package: Vec<String>,
    /// Path to Cargo.toml
    #[arg(long, value_name = "FILE")]
    pub manifest_path: Option<PathBuf>,
    /// The features to build with.
    #[command(flatten)]
    pub features: Features,
    /// Maximum amount of work per test; one unit takes about one second of processor time
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub effort: u64,
    /// Time limit of the exploration of all tests, such as `30s` or `5m` [default: none]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// Maximum number of executions per test
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub runs: usize,
    /// Maximum number of executions after the first failure [default: 200, and 0 after a failure of
    /// the native run]
    #[arg(long, value_name = "N")]
    pub runs_after_failure: Option<usize>,
    /// Maximum length of collections
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub length: usize,
    /// Solver budget per query, in conflicts
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub conflicts: u64,
    /// Solver budget in total, in terms
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub terms: u64,
    /// SMT-LIB 2 solver for queries that the embedded solver gives up: z3, cvc5, any command that
    /// reads from its standard input, or `auto` for bitwuzla, z3 or cvc5 if one is installed
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,
    /// Time limit of that solver per query, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub solver_time: u64,
    /// Output format
    #[arg(long, value_enum, default_value_t = ExploreFormat::Text)]
    pub format: ExploreFormat,
    /// Print which lines of the code under test were reached, and why others were not
    #[arg(long)]
    pub coverage: bool,
    /// Write events and an HTML report with the path tree to `target/rebut/report.html`
    #[arg(long)]
    pub report: bool,
    /// Open the HTML report in a browser
    #[arg(long, requires = "report")]
    pub open: bool,
    /// Keep the inputs that together cover every branch: print them as `#[example(..)]` lines, or
    /// write them as tests to `tests/`; never overwrites
    #[arg(long, value_enum, value_name = "HOW")]
    pub emit: Option<Emit>,
    /// Exit with code 5 unless every test is proved or fails
    #[arg(long)]
    pub require_proof: bool,
}

/// Which features of the packages are built.
#[derive(Args, Clone, Debug, Default)]
pub struct Features {
    /// Space or comma separated list of features to activate
    #[arg(short = 'F', long = "features", value_name = "FEATURES", value_delimiter = ',', value_parser = name)]
    pub names: Vec<String>,
    /// Activate all available features
    #[arg(long)]
    pub all_features: bool,
    /// Do not activate the `default` feature
    #[arg(long)]
    pub no_default_features: bool,
}

/// `cargo rebut infer`
#[derive(Args, Debug)]
pub struct Infer {
    /// Name of the type; with its module path if the name is ambiguous, and with its arguments if
    /// it is generic
    #[arg(value_name = "TYPE", value_parser = name)]
    pub subject: String,
    /// Methods that take `&self` and observe the state [default: all public ones]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = name)]
    pub observers: Vec<String>,
    /// Methods that take `&mut self`, to write tests for [default: all public ones]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = name)]
    pub modifiers: Vec<String>,
    /// Package of the type
    #[arg(short, long, value_name = "PACKAGE", value_parser = name)]
    pub package: Option<String>,
    /// Path to Cargo.toml
    #[arg(long, value_name = "FILE")]
    pub manifest_path: Option<PathBuf>,
    /// The features to build with.
    #[command(flatten)]
    pub features: Features,
    /// Maximum length of collections
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub length: usize,
    /// Maximum number of executions per method; collections grow as long as the budget suffices
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub runs: usize,
    /// Solver budget per query, in conflicts
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub conflicts: u64,
    /// What to write
    #[arg(long = "as", value_enum, value_name = "WHAT", default_value_t = InferAs::Tests)]
    pub what: InferAs,
    /// Output format
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub format: Shape,
    /// Write to a new file instead of the standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// The output of `infer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InferAs {
    /// A module of parameterized tests
    Tests,
    /// Methods with `#[requires(..)]` and `#[ensures(..)]`
    Contracts,
}

/// How covering inputs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// Lines to paste above the property
    Examples,
    /// Ordinary tests that do not need Rebut
    Tests,
}

/// The output formats of `explore`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExploreFormat {
    /// Human-readable
    Text,
    /// Machine-readable, one line per test
    Json,
    /// The path tree, for Graphviz
    Dot,
}

/// `cargo rebut generalize`
#[derive(Args, Debug)]
pub struct Generalize {
    /// Files with tests, or directories of such files; `::TEST` selects one test
    #[arg(value_name = "PATH[::TEST]", required = true)]
    pub paths: Vec<String>,
    /// Write the files
    #[arg(long)]
    pub apply: bool,
    /// Path to Cargo.toml [default: the one above the file]
    #[arg(long, value_name = "FILE")]
    pub manifest_path: Option<PathBuf>,
    /// The features to build with.
    #[command(flatten)]
    pub features: Features,
    /// Maximum number of executions per test
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub runs: usize,
    /// Maximum length of strings and collections during exploration
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub length: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    pub format: Shape,
}

/// The output formats that most commands have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// Human-readable
    Text,
    /// Machine-readable
    Json,
}

const EXPLORE_EXAMPLES: &str = "\
Examples:
  cargo rebut explore                        every property of the package or workspace
  cargo rebut explore -p my-crate parses     properties of a package whose path contains `parses`
  cargo rebut explore --effort 600 --runs 100000 --length 16
  cargo rebut explore sorts --coverage       which lines were reached, and why others were not
  cargo rebut explore sorts --report --open  the path tree as an HTML report
  cargo rebut explore sorts --emit tests     one ordinary test per branch that the inputs cover
  cargo rebut explore sorts --format dot | dot -Tsvg > paths.svg

Properties are built for WebAssembly and run there. Failures are confirmed by a native run before
they are reported. Collections longer than `--length` are left to `cargo test`.

";

/// Parses a duration such as `1h30m`: one or more numbers with units, the larger unit first.
///
/// # Errors
/// If the text is not a duration.
pub fn time(text: &str) -> Result<Duration, String> {
    let wrong =
        || format!("expected a time such as `500ms`, `30s`, `5m` or `1h30m`, found `{text}`");
    let mut seconds = 0.0;
    let mut unit_before = f64::INFINITY;
    let mut rest = text;
    while !rest.is_empty() {
        let is_number = |c: char| c == '.' || c.is_ascii_digit();
        let end = rest.find(|c| !is_number(c)).ok_or_else(wrong)?;
        let (number, after) = rest.split_at(end);
        let end = after.find(is_number).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let unit = match unit.trim() {
            "us" => 1e-6,
            "ms" => 1e-3,
            "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return Err(wrong()),
        };
        if unit >= unit_before {
            return Err(wrong());
        }
        seconds += number.parse::<f64>().ok().ok_or_else(wrong)? * unit;
        (unit_before, rest) = (unit, after);
    }
    let time = Duration::try_from_secs_f64(seconds).ok().ok_or_else(wrong)?;
    if time.is_zero() || time > TIME_MAX {
        return Err(wrong());
    }
    Ok(time)
}

/// A year: arbitrary, but no campaign is meant to run longer, and it keeps sums of times finite.
const TIME_MAX: Duration = Duration::from_secs(366 * 24 * 3600);

/// Parses the name of a test, a type, a method, a package or a feature. Messages repeat it, so what a
/// terminal would act on is escaped; no name contains such characters.
#[expect(clippy::unnecessary_wraps, reason = "clap calls it")]
fn name(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(terminal::one_line(text))
}

const GENERALIZE_EXAMPLES: &str = "\
Examples:
  cargo rebut generalize src/list.rs               all tests of a file
  cargo rebut generalize src/list.rs::tests::adds  one of them
  cargo rebut generalize tests/ --format json      all tests below a directory, machine-readable
  cargo rebut generalize src/list.rs --apply       write the file
  cargo rebut generalize src/list.rs | git apply   the same

Literals in a test become parameters, and the test is explored. Every test that is printed was
built and run, in a copy of your package. Your files change only with `--apply`.

";

const INFER_EXAMPLES: &str = "\
Examples:
  cargo rebut infer Stack                  print tests that describe what a `Stack` does
  cargo rebut infer -p my-crate 'list::List<String>'
  cargo rebut infer Stack --modifiers push,pop --observers len
  cargo rebut infer Stack --as contracts   the same as `#[ensures(..)]`

The tests say what the code does. You decide whether it should. Nothing is written unless `--out`
names a file.

";

const EXPLORE_EXITS: [Exit; 12] = [
    Exit::Success,
    Exit::Internal,
    Exit::Usage,
    Exit::Nothing,
    Exit::Inconclusive,
    Exit::MissingTool,
    Exit::File,
    Exit::Failed,
    Exit::Build,
    Exit::Metadata,
    Exit::Interrupted,
    Exit::Terminated,
];

const GENERALIZE_EXITS: [Exit; 9] = [
    Exit::Success,
    Exit::Internal,
    Exit::Usage,
    Exit::Nothing,
    Exit::MissingTool,
    Exit::File,
    Exit::Failed,
    Exit::Build,
    Exit::Metadata,
];

const INFER_EXITS: [Exit; 8] = [
    Exit::Success,
    Exit::Internal,
    Exit::Usage,
    Exit::Inconclusive,
    Exit::MissingTool,
    Exit::File,
    Exit::Build,
    Exit::Metadata,
];
