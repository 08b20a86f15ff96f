//! How much of a validator is reached, by how many inputs.

use crate::{Branches, Validator};
use rebut_spec::{Environment, Options, Program, generate, output};

/// An approach to making inputs: a pattern, and what makes two inputs different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approach {
    /// The outline in `inputs/<name>.rebut`.
    pub outline: &'static str,
    /// What it is called in a table.
    pub heading: &'static str,
}

/// The five approaches of the paper.
pub const APPROACHES: [Approach; 5] = [
    Approach { outline: "basic-different", heading: "basic, not-equal" },
    Approach { outline: "black-different", heading: "black box, not-equal" },
    Approach { outline: "black-cover", heading: "black box, cover" },
    Approach { outline: "white-different", heading: "white box, not-equal" },
    Approach { outline: "white-cover", heading: "white box, cover" },
];

/// The inputs that one approach makes for a validator.
///
/// # Errors
/// If the program is wrong, or the inputs were refused.
pub fn inputs(validator: &Validator, approach: Approach, seed: u64) -> Result<Vec<String>, String> {
    let (name, text) = match approach.outline {
        "basic-different" => ("basic", include_str!("../inputs/basic.rebut")),
        _ => (validator.name, validator.program),
    };
    let program = Program::parse(&format!("{name}.rebut"), text);
    if let Some(diagnostic) = program.diagnostics.first() {
        return Err(format!("{name}.rebut: {}", diagnostic.message));
    }
    let environment = program
        .environment(approach.outline)
        .ok_or_else(|| format!("{name}.rebut has no outline `{}`", approach.outline))?;
    texts(environment, seed).map_err(|why| format!("{name}.rebut: {why}"))
}

fn texts(environment: &Environment, seed: u64) -> Result<Vec<String>, String> {
    let options = Options { seed, ..Options::default() };
    let outcome = generate(environment, &options).map_err(|refused| refused.to_string())?;
    let text = |model| output::json(environment, model)["text"].as_str().map(str::to_owned);
    outcome.models.iter().map(|model| text(model).ok_or("an input is a text".to_owned())).collect()
}

/// The branches of a validator that inputs reach.
#[derive(Clone, Debug)]
pub struct Study {
    /// How many branches the validator has.
    pub all: usize,
    /// How many branches are taken after each input.
    pub taken: Vec<usize>,
}

impl Study {
    /// Runs a validator on inputs.
    #[must_use]
    pub fn new(validator: &Validator, inputs: &[String]) -> Self {
        let mut branches = Branches::default();
        let mut taken = Vec::new();
        for input in inputs {
            let _ = (validator.judge)(input, &mut branches);
            taken.push(branches.taken());
        }
        Self { all: validator.branches(), taken }
    }

    /// How many branches are taken in all.
    #[must_use]
    pub fn reached(&self) -> usize {
        self.taken.last().copied().unwrap_or_default()
    }

    /// After how many inputs so many branches are taken.
    #[must_use]
    pub fn needed(&self, branches: usize) -> Option<usize> {
        self.taken.iter().position(|taken| *taken >= branches).map(|at| at + 1)
    }
}
