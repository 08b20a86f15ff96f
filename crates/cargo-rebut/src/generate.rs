//! `cargo rebut generate`.

use crate::cli::{Format, Generate};
use crate::formats;
use crate::render::render;
use crate::store::{Inputs, Place};
use crate::words::{self, say};
use rebut_cli::color::{Color, colored};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::print;
use rebut_spec::{Environment, Finder, Options, Program, Verdict, explain, output};
use std::path::Path;
use std::time::Duration;

pub(crate) fn run(arguments: &Generate) -> Result<Exit, Failure> {
    let program = load(arguments)?;
    let environments = chosen(arguments, &program)?;
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
        return Err(Failure::new(Exit::Usage, words::one_outline("csv", &names)));
    }
    let mut exit = Exit::Success;
    let mut finder = Finder::new(options.clone());
    let mut all = Vec::new();
    for environment in environments {
        let inputs = inputs(arguments, &program, environment, &options, &mut finder)?;
        let asked = options.count.unwrap_or(environment.count);
        if let Some(message) =
            words::verdict(&environment.name, inputs.models.len(), asked, &inputs.verdict)
        {
            say(&message);
        }
        exit = exit.max(exit_of(&inputs.verdict));
        all.push((environment, inputs));
    }
    print(arguments.out.as_deref(), &formats::format(arguments.format, &all))?;
    Ok(exit)
}

fn exit_of(verdict: &Verdict) -> Exit {
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
            Program::load_with(&path, &differing(file, differ), &read)
        }
    };
    let color = colored(Color::Auto);
    for diagnostic in &program.diagnostics {
        say(&render(&program.sources, diagnostic, color));
    }
    let errors = program.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    if errors > 0 {
        let message = words::summary(&file.display().to_string(), errors);
        return Err(Failure::new(Exit::Specification, message));
    }
    Ok(program)
}

/// What a constraint of the command line is called where its errors are shown.
pub(crate) const DIFFER: &str = "--differ";

/// A program that takes all of a file but its outlines, and has models differ in another way.
fn differing(file: &Path, differ: &str) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let constraint = match differ.trim_start().starts_with("(constrain-solutions") {
        true => differ.to_owned(),
        false => format!("(constrain-solutions {differ})"),
    };
    format!("(import \"{name}\")\n{constraint}\n")
}

fn chosen<'a>(arguments: &Generate, program: &'a Program) -> Result<Vec<&'a Environment>, Failure> {
    let Some(name) = &arguments.name else { return Ok(program.environments.iter().collect()) };
    match program.environment(name) {
        Some(environment) => Ok(vec![environment]),
        None => {
            let known: Vec<&str> =
                program.environments.iter().map(|environment| &*environment.name).collect();
            Err(Failure::new(Exit::Usage, words::no_outline(name, &known)))
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
    let place = Place::new(&arguments.file, differ, program, environment, options);
    if !arguments.fresh
        && let Some(inputs) = place.load()
    {
        say(&words::reused(&environment.name, &place.path));
        return Ok(inputs);
    }
    let outcome = finder
        .find(environment)
        .map_err(|refused| Failure::new(Exit::Internal, words::internal(refused)))?;
    for note in &outcome.notes {
        say(&words::survived(&environment.name, note));
    }
    let models = outcome.models.iter().map(|model| output::json(environment, model)).collect();
    let inputs = Inputs { models, verdict: outcome.verdict };
    // If the solver failed it is asked again next time, and these are those of the embedded one.
    let place = match outcome.notes.is_empty() {
        true => place,
        false => {
            let embedded = Options { solver: None, ..options.clone() };
            Place::new(&arguments.file, differ, program, environment, &embedded)
        }
    };
    if let Err(error) = place.save(&inputs) {
        // The inputs are there all the same; they will be made anew next time.
        say(&words::file_failed(&place.path, "write", error));
    }
    Ok(inputs)
}
