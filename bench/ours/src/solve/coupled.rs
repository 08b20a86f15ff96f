//! Programs that the class enumerators cannot take: with the embedded solver, and with z3 in
//! its place for all that is coupled.

use std::path::Path;
use std::time::Duration;

use rebut_spec::{Coupled, Options, Verdict, explain};
use serde_json::json;

use crate::programs::Source;

/// What z3 may take for one question.
const QUESTION_MAX: Duration = Duration::from_secs(10);

pub(crate) fn measure(folder: &Path, z3: Option<&str>) -> Result<(), String> {
    for source in Source::all(&folder.join("coupled"))? {
        let program = source.parse()?;
        let plan = explain(&program.environments[0], &Options::default());
        if !plan.contains("coupled") {
            return Err(format!("{}.rebut couples nothing:\n{plan}", source.name));
        }
        run(&source, "embedded", &Options::default())?;
        if let Some(command) = z3 {
            let solver = Some(command.to_owned());
            let options = Options {
                solver,
                solver_time_max: QUESTION_MAX,
                coupled: Coupled::Solver,
                ..Options::default()
            };
            run(&source, "z3", &options)?;
        }
    }
    Ok(())
}

fn run(source: &Source, solver: &str, options: &Options) -> Result<(), String> {
    let (outcome, cpu_ns) = source.run(options)?;
    let line = json!({
        "part": "coupled",
        "program": source.name,
        "solver": solver,
        "models": outcome.models.len(),
        "is_answered": outcome.verdict == Verdict::Complete,
        "verdict": format!("{:?}", outcome.verdict),
        "cpu_ns": cpu_ns,
    });
    println!("{line}");
    Ok(())
}
