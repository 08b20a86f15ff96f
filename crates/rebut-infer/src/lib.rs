//! `cargo rebut infer`: finds laws of a type, and writes them as tests or contracts.
//!
//! Functions that take `&self` are *observers*, those that take `&mut self` are *modifiers*. For
//! each modifier there is a probe (`probe`): a test that brings an object into any state, observes
//! it, calls the modifier and observes it again. The paths of probes are explored (`explore`), and
//! [laws] are what all paths of a probe have in common. They are written (`write`) as tests with
//! parameters or as contracts, compiled and run natively (`check`), and printed.
//!
//! After Tillmann, Chen and Schulte (2006), "Discovering likely method specifications".
//!
//! Reading order: `read` (the type), `probe`, `explore`, `laws`, `write`, `check`.

mod check;
mod explore;
pub mod laws;
mod nondeterminism;
mod note;
mod probe;
mod read;
mod report;
mod states;
mod words;
mod write;

use crate::check::contract::check_contracts;
use crate::check::test::check_tests;
use crate::explore::explore_probes;
use crate::read::find_type::find_type;
use crate::read::subject::Subject;
use crate::words::say;
use crate::write::contract::{contracts, contracts_text};
use crate::write::panic_conditions::constructor_conditions;
use crate::write::test::law_tests;
use rebut_cli::arguments::{Infer, InferAs, Shape};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::print;
use rebut_cli::status::{path_on_one_line, status};
use rebut_explore::pool;
use rebut_native::formatted;

/// Infers laws of a type, prints or writes them as tests or contracts, and returns the exit code.
///
/// # Errors
/// If the type is not found, cannot be built, or has no laws.
pub fn run(arguments: &Infer) -> Result<Exit, Failure> {
    // Showing the values of tests recurses deeply.
    pool::run_command(|| infer(arguments))
}

fn infer(arguments: &Infer) -> Result<Exit, Failure> {
    if let Some(path) = arguments.out.as_deref().filter(|path| path.exists()) {
        return Err(Failure::new(Exit::File, words::not_overwritten(path)));
    }
    let (package, mut subject) = find_type(arguments)?;
    let explored = explore_probes(arguments, &package, &mut subject)?;
    subject.constructor_conditions = constructor_conditions(&subject, &explored);
    let mut notes = std::mem::take(&mut subject.notes);
    notes.extend(report::notes(&subject, &explored));
    let text = if arguments.what == InferAs::Contracts && arguments.format != Shape::Json {
        let mut contracts = contracts(&subject, &explored);
        notes.extend(check_contracts(arguments, &package, &subject, &mut contracts)?);
        contracts_text(&subject, &contracts)
    } else {
        let mut tests = law_tests(&subject, &explored);
        notes.extend(check_tests(arguments, &package, &subject, &mut tests)?);
        if arguments.format == Shape::Json {
            let text = report::json(&package, &subject, &explored, &tests, &notes);
            print(arguments.out.as_deref(), &text)?;
            return Ok(Exit::Success);
        }
        match tests.as_slice() {
            [] => String::new(),
            tests => write::module(&subject, &module_name(&subject), tests).0,
        }
    };
    for note in &notes {
        say(&words::note(&note.to_string()));
    }
    if text.is_empty() {
        return Err(Failure::new(Exit::Inconclusive, words::nothing_inferred(&subject.name)));
    }
    print(arguments.out.as_deref(), &formatted(&text).unwrap_or(text))?;
    if let Some(path) = &arguments.out {
        status("Created", path_on_one_line(path));
    }
    Ok(Exit::Success)
}

/// Returns a name for the module of tests that no other module next to the type has.
fn module_name(subject: &Subject) -> String {
    let is_taken = |name: &str| {
        let mut items = subject.module.items.iter();
        items.any(|item| matches!(item, syn::Item::Mod(module) if module.ident == name))
    };
    let others = (2..).map(|number| format!("inferred_{number}"));
    let mut names = ["inferred".to_owned()].into_iter().chain(others);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}
