//! The arguments of the command.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

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
    /// Generates inputs from a specification
    #[command(after_help = EXIT_CODES)]
    Generate(Generate),
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
    fn cargo_puts_its_word_in_front() {
        let given = |words: &[&str]| arguments(words.iter().map(OsString::from));
        assert_eq!(
            given(&["cargo-rebut", "rebut", "generate"]),
            given(&["cargo-rebut", "generate"])
        );
    }
}
