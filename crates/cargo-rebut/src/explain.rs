//! `cargo rebut explain`.

use crate::cli::{Explain, Shape};
use crate::words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::pretty;
use rebut_cli::output::to_stdout;
use rebut_report::{Code, codes, explain};
use serde_json::json;

pub(crate) fn run(arguments: &Explain) -> Result<Exit, Failure> {
    let text = match &arguments.code {
        None if arguments.format == Shape::Json => pretty(&codes().iter().map(object).collect()),
        None => codes().iter().map(|code| format!("{:10}  {}\n", code.code, code.title)).collect(),
        Some(asked) => {
            let code = explain(asked).ok_or_else(|| {
                let known: Vec<&str> = codes().iter().map(|code| code.code).collect();
                Failure::new(Exit::Usage, words::explain::no_code(asked, &known))
            })?;
            match arguments.format {
                Shape::Json => pretty(&object(code)),
                Shape::Text => words::explain::explanation(code),
            }
        }
    };
    to_stdout(&text)?;
    Ok(Exit::Success)
}

fn object(code: &Code) -> serde_json::Value {
    let Code { code, title, meaning, advice, .. } = code;
    json!({"code": code, "title": title, "meaning": meaning, "advice": advice})
}
