//! `cargo rebut infer`: what a type does, in terms of what can be seen of it.
//!
//! Functions that take `&self` are *observers*, those that take `&mut self` *modifiers*. For each
//! modifier there is a probe (`probe.rs`): a test that brings the type into any state, observes it,
//! calls the modifier and observes it again. Its paths are explored, and what they have in common
//! is [inferred](rebut_concolic::infer). These laws are written (`emit.rs`) as tests with parameters,
//! compiled and run (`checked.rs`) natively, and printed.
//!
//! After Tillmann, Chen and Schulte (2006), "Automatic generation of parameterized unit tests".

mod checked;
mod contracts;
mod emit;
mod explored;
mod naming;
mod owned;
mod place;
mod probe;
mod sources;
mod subject;
mod tidy;
mod told;
mod types;
mod words;

use crate::words::say;
use rebut_cli::arguments::{Infer, InferAs, Shape};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::print;
use rebut_cli::status::status;
use rebut_native::formatted;
use std::thread;
use subject::Subject;

/// The stack of the thread that shows values of tests.
const STACK: usize = 64 << 20;

/// Infers laws of a type, prints or writes them as tests or contracts, and returns the exit code.
///
/// # Errors
/// If the type is not found, cannot be built, or has no laws.
pub fn run(arguments: &Infer) -> Result<Exit, Failure> {
    let run = || infer(arguments);
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let internal = |message: String| Failure::new(Exit::Internal, words::error(message));
        let worker = worker.map_err(|error| internal(error.to_string()))?;
        worker.join().unwrap_or_else(|_| Err(internal(words::WORKER_DIED.to_owned())))
    })
}

/// A name for the module of tests that no module beside the type has.
fn free_name(subject: &Subject) -> String {
    let is_taken = |name: &str| {
        let mut items = subject.module.items.iter();
        items.any(|item| matches!(item, syn::Item::Mod(module) if module.ident == name))
    };
    let others = (2..).map(|number| format!("inferred_{number}"));
    let mut names = ["inferred".to_owned()].into_iter().chain(others);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

fn infer(arguments: &Infer) -> Result<Exit, Failure> {
    if let Some(path) = arguments.out.as_deref().filter(|path| path.exists()) {
        return Err(Failure::new(Exit::File, words::not_overwritten(path)));
    }
    let (package, mut subject) = place::find(arguments)?;
    let found = explored::all(arguments, &package, &mut subject)?;
    subject.begun_if = emit::begun_if(&subject, &found);
    let mut notes = std::mem::take(&mut subject.notes);
    notes.extend(told::notes(&subject, &found));
    let text = if arguments.what == InferAs::Contracts && arguments.format != Shape::Json {
        let mut contracts = contracts::all(&subject, &found);
        notes.extend(contracts::tried::check(arguments, &package, &subject, &mut contracts)?);
        contracts::text(&subject, &contracts)
    } else {
        let mut tests = emit::tests(&subject, &found);
        notes.extend(checked::check(arguments, &package, &subject, &mut tests)?);
        if arguments.format == Shape::Json {
            let text = told::json(&package, &subject, &found, &tests, &notes);
            print(arguments.out.as_deref(), &text)?;
            return Ok(Exit::Success);
        }
        match tests.as_slice() {
            [] => String::new(),
            tests => emit::module(&subject, &free_name(&subject), tests).0,
        }
    };
    for note in &notes {
        say(&words::note(note));
    }
    if text.is_empty() {
        return Err(Failure::new(Exit::Inconclusive, words::nothing_inferred(&subject.name)));
    }
    print(arguments.out.as_deref(), &formatted(&text).unwrap_or(text))?;
    if let Some(path) = &arguments.out {
        status("Created", path.display());
    }
    Ok(Exit::Success)
}
