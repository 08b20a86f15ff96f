//! A property as the runner sees it.

use rebut_choice::Constants;

use crate::{Case, Claim, Inputs, Settings};

/// A test with parameters, as `#[rebut::test]` describes it: nothing but static data and
/// plain functions, so that it can be run on any thread and in any process.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// Path of the function: `crate::module::name`.
    pub path: &'static str,
    /// Where the function is.
    pub file: &'static str,
    /// The line of its name.
    pub line: u32,
    /// The folder of the crate's manifest when it was built.
    pub manifest_dir: &'static str,
    /// The function's body as written, without its braces, for the emitted test; empty if
    /// there can be none.
    pub body: &'static str,
    /// What comes between the parameters and the body in the emitted test: the return type
    /// as written, empty if there is none.
    pub return_type: &'static str,
    /// Literals of the file under test.
    pub constants: fn() -> Constants,
    /// What it claims about its inputs.
    pub claim: Claim,
    /// What the attribute sets.
    pub configure: fn(&mut Settings),
    /// Draws the parameters and runs the body; the failure, if it returned one.
    pub run: fn(&mut Case) -> Option<String>,
    /// The inputs that a specification generates, if there is one.
    pub inputs: Option<Inputs>,
    /// The explicit examples: what was written, and a run with these values.
    pub examples: &'static [Example],
}

/// One `#[example(..)]` of a test.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The values as written.
    pub written: &'static str,
    /// The line it stands in.
    pub line: u32,
    /// Runs the body with the values.
    pub run: fn(&mut Case) -> Option<String>,
}
