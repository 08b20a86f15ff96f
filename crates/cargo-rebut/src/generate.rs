//! `cargo rebut generate`.

use crate::cli::{Format, Generate};
use crate::formats;
use crate::input_cache::{InputCache, Inputs};
use crate::render::render;
use crate::words::{self, say};
use rebut_cli::color::{Color, colored};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::print;
use rebut_spec::{Environment, Finder, Options, Program, Verdict, explain, output};
use std::path::Path;
use std::time::Duration;

pub(crate) fn run(arguments: &Generate) -> Result<Exit, Failure> {
    let program = load(arguments)?;
    let environments = selected_outlines(arguments, &program)?;
    let options = Options {
        seed: arguments.seed,
        count: arguments.number,
        solver: arguments.solver.clone(),
        solver_time_max: Duration::from_secs(arguments.solver_time),
        encoding: arguments.encoding.map(Into::into),
        ..Options::default()
    };
    if arguments.explain_plan {
        let plans: Vec<String> =
            environments.iter().map(|environment| explain(environment, &options)).collect();
        return print(arguments.out.as_deref(), &plans.join("\n")).map(|()| Exit::Success);
    }
    let names: Vec<&str> = environments.iter().map(|environment| &*environment.name).collect();
    if let (Format::Csv, 2..) = (arguments.format, names.len()) {
        return Err(Failure::new(Exit::Usage, words::generate::one_outline("csv", &names)));
    }
    let mut exit = Exit::Success;
    let mut finder = Finder::new(options.clone());
    let mut all = Vec::new();
    for environment in environments {
        let inputs = inputs(arguments, &program, environment, &options, &mut finder)?;
        let requested = options.count.unwrap_or(environment.count);
        if let Some(message) = words::generate::verdict(
            &environment.name,
            inputs.models.len(),
            requested,
            &inputs.verdict,
        ) {
            say(&message);
        }
        exit = exit.max(exit_code(&inputs.verdict));
        all.push((environment, inputs));
    }
    print(arguments.out.as_deref(), &formats::format(arguments.format, &all))?;
    Ok(exit)
}

fn exit_code(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::Complete | Verdict::Largest | Verdict::Covered(_) => Exit::Success,
        Verdict::Unsatisfiable(_) => Exit::Nothing,
        Verdict::Unproved(_) => Exit::Inconclusive,
        Verdict::Missing(_) => Exit::MissingTool,
    }
}

fn read(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| format!("the file is not UTF-8: {error}"))
}

fn load(arguments: &Generate) -> Result<Program, Failure> {
    let file = &arguments.file;
    let text = read(file)
        .map_err(|why| Failure::new(Exit::File, words::file_failed(file, "read", why)))?;
    let program = match &arguments.differ {
        None => Program::load_with(file, &text, &read),
        Some(differ) => {
            let path = file.with_file_name(DIFFER);
            Program::load_with(&path, &with_other_constraint(file, differ), &read)
        }
    };
    let color = colored(Color::Auto);
    for diagnostic in program.diagnostics.iter().take(SHOWN_MAX) {
        say(&render(&program.sources, diagnostic, color));
    }
    if program.diagnostics.len() > SHOWN_MAX {
        say(&words::generate::more_messages(program.diagnostics.len() - SHOWN_MAX));
    }
    let errors = program.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    if errors > 0 {
        let message = words::generate::summary(&rebut_cli::status::path_on_one_line(file), errors);
        return Err(Failure::new(Exit::Specification, message));
    }
    Ok(program)
}

/// Show at most this many errors and warnings. Arbitrary: more are hardly read, and a file that is
/// not a specification has one for each of its words.
const SHOWN_MAX: usize = 50;

/// The file name that errors show for a constraint from the command line.
pub(crate) const DIFFER: &str = "--differ";

/// A program that imports a file and replaces the constraint between its models.
fn with_other_constraint(file: &Path, differ: &str) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let constraint = match differ.trim_start().starts_with("(constrain-solutions") {
        true => differ.to_owned(),
        false => format!("(constrain-solutions {differ})"),
    };
    format!("(import \"{name}\")\n{constraint}\n")
}

fn selected_outlines<'a>(
    arguments: &Generate,
    program: &'a Program,
) -> Result<Vec<&'a Environment>, Failure> {
    let Some(name) = &arguments.name else { return Ok(program.environments.iter().collect()) };
    match program.environment(name) {
        Some(environment) => Ok(vec![environment]),
        None => {
            let known: Vec<&str> =
                program.environments.iter().map(|environment| &*environment.name).collect();
            Err(Failure::new(Exit::Usage, words::generate::no_outline(name, &known)))
        }
    }
}

fn inputs(
    arguments: &Generate,
    program: &Program,
    environment: &Environment,
    options: &Options,
    finder: &mut Finder,
) -> Result<Inputs, Failure> {
    let differ = arguments.differ.as_deref().unwrap_or_default();
    let cache = InputCache::new(&arguments.file, differ, program, environment, options);
    if !arguments.fresh
        && let Some(inputs) = cache.load()
    {
        say(&words::generate::reused(&environment.name, &cache.path));
        return Ok(inputs);
    }
    let outcome = finder
        .find(environment)
        .map_err(|refused| Failure::new(Exit::Internal, words::generate::internal(refused)))?;
    for note in &outcome.notes {
        say(&words::generate::solver_note(&environment.name, note));
    }
    let models = outcome.models.iter().map(|model| output::json(environment, model)).collect();
    let inputs = Inputs { models, verdict: outcome.verdict };
    // If the external solver failed, the embedded one found these inputs. Store them as such, so
    // that the next run tries the external solver again.
    let cache = match outcome.notes.is_empty() {
        true => cache,
        false => {
            let embedded = Options { solver: None, ..options.clone() };
            InputCache::new(&arguments.file, differ, program, environment, &embedded)
        }
    };
    if let Err(error) = cache.save(&inputs) {
        // Not fatal: the inputs are printed, and the next run generates them again.
        say(&words::file_failed(&cache.path, "write", error));
    }
    Ok(inputs)
}
