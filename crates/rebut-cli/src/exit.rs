//! The exit codes: one table for all commands.
//!
//! 0 to 7 are Rebut's own; 100 to 102 are those of cargo-nextest, so that a script can treat
//! `cargo rebut test` and `cargo nextest run` alike. 130 and 143 are those of a shell for a program that
//! a signal ended.

use std::process::ExitCode;

/// Why a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// The command did what was asked, and no test failed.
    Success = 0,
    /// An error in Rebut itself.
    Internal = 1,
    /// The command line is wrong. `clap` ends with the same code.
    Usage = 2,
    /// The specification has errors.
    Specification = 3,
    /// There is nothing to run or to report, or no input satisfies the specification.
    Nothing = 4,
    /// The question was not decided: there may be more inputs, or a proof was required and not
    /// found.
    Inconclusive = 5,
    /// A tool that the command needs is missing: cargo, a solver, a compiler for WebAssembly.
    MissingTool = 6,
    /// A file cannot be read or written.
    File = 7,
    /// A test failed.
    Failed = 100,
    /// The tests do not build.
    Build = 101,
    /// `cargo metadata` failed: most often, there is no package here.
    Metadata = 102,
    /// A campaign or an exploration was interrupted with Ctrl-C: 128 and the number of SIGINT, as shells have it.
    Interrupted = 130,
    /// A campaign or an exploration was ended by SIGTERM.
    Terminated = 143,
}

impl Exit {
    /// Every exit, in the order of the codes.
    pub const ALL: [Exit; 13] = [
        Exit::Success,
        Exit::Internal,
        Exit::Usage,
        Exit::Specification,
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

    /// The meaning of the code, in the words of the help and the guide.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Exit::Success => "success",
            Exit::Internal => "internal error; please report it",
            Exit::Usage => "the command line is wrong",
            Exit::Specification => "the specification has errors",
            Exit::Nothing => "nothing to run or to report, or no input exists",
            Exit::Inconclusive => "inconclusive",
            Exit::MissingTool => "a required tool is missing",
            Exit::File => "a file cannot be read or written",
            Exit::Failed => "a test failed",
            Exit::Build => "the tests do not build",
            Exit::Metadata => "`cargo metadata` failed; is there a package here?",
            Exit::Interrupted => "interrupted",
            Exit::Terminated => "terminated",
        }
    }

    /// Returns the section of a help text that lists some of the codes.
    #[must_use]
    pub fn table(exits: &[Exit]) -> String {
        let line = |exit: &Exit| format!("\n  {:<3}  {}", *exit as u8, exit.meaning());
        format!("Exit codes:{}", exits.iter().map(line).collect::<String>())
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The reason why a command stops, with a message for people.
#[derive(Debug)]
pub struct Failure {
    /// The code to end with.
    pub exit: Exit,
    /// The message for the user.
    pub message: String,
}

impl Failure {
    /// Creates a failure.
    #[must_use]
    pub fn new(exit: Exit, message: String) -> Self {
        Self { exit, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_lists_every_code() {
        let page = include_str!("../../../docs/guide/commands.md");
        for exit in Exit::ALL {
            let row = format!("| {} | {} |\n", exit as u8, exit.meaning());
            assert!(page.contains(&row), "docs/guide/commands.md lacks {row}");
        }
    }

    #[test]
    fn codes_are_listed_in_order_and_none_is_missing() {
        assert!(Exit::ALL.is_sorted_by(|one, next| (*one as u8) < (*next as u8)));
        assert_eq!(
            Exit::table(&[Exit::Success, Exit::Failed]),
            "Exit codes:\n  0    success\n  100  a test failed"
        );
    }
}
