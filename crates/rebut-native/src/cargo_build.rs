//! Builds test programs with cargo, and finds them by cargo's JSON messages.

use crate::program::{TestName, TestProgram};
use crate::words;
use rebut_cli::exit::{self, Exit};
use rebut_cli::runs::cargo;
use rebut_protocol::variables::PRINTED;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A test program that cargo has built.
#[derive(Debug)]
pub struct BuiltProgram {
    /// The program.
    pub program: TestProgram,
    /// The path of the executable.
    pub path: PathBuf,
    /// The flags with which cargo builds only this program, such as `-p demo --lib`.
    pub selection: Vec<String>,
}

/// Builds tests while cargo prints its progress and errors. `arguments` are those of `cargo test`.
///
/// # Errors
/// If cargo cannot be started, or the tests do not build.
pub fn build(arguments: &[String]) -> Result<Vec<BuiltProgram>, exit::Failure> {
    let mut command = cargo();
    command.args(["test", "--no-run", "--message-format=json-render-diagnostics"]).args(arguments);
    let output = output_of(command.stderr(Stdio::inherit()))?;
    match output.status.success() {
        true => Ok(messages(&output).iter().filter_map(built_program).collect()),
        false => Err(exit::Failure::new(Exit::Build, words::not_built())),
    }
}

/// Builds tests in a directory, as many as possible. Returns the programs, and the output of cargo if
/// some do not build. `arguments` are those of `cargo test`.
///
/// # Errors
/// If cargo cannot be started.
pub fn build_in(
    directory: &Path,
    arguments: &[String],
) -> Result<(Vec<BuiltProgram>, Option<String>), exit::Failure> {
    let mut command = cargo();
    command.current_dir(directory).args(["test", "--quiet", "--no-run", "--no-fail-fast"]);
    command.arg("--message-format=json-render-diagnostics").args(arguments);
    let output = output_of(command.stderr(Stdio::piped()))?;
    let programs = messages(&output).iter().filter_map(built_program).collect();
    let why = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((programs, (!output.status.success()).then_some(why)))
}

/// Builds tests without printing anything, and returns the compiler's first error if they do not
/// build. Regression tests in the directory `printed` are built next to their properties. Cargo runs
/// in `directory`, or in the current one.
pub(crate) fn build_quietly(
    arguments: &[String],
    printed: Option<&Path>,
    directory: Option<&Path>,
) -> Result<Result<Vec<BuiltProgram>, String>, exit::Failure> {
    let mut command = cargo();
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    command.args(["test", "--no-run", "--quiet", "--message-format=json"]).args(arguments);
    match printed {
        Some(printed) => command.env(PRINTED, printed),
        None => command.env_remove(PRINTED),
    };
    let output = output_of(command.stderr(Stdio::piped()))?;
    let messages = messages(&output);
    if output.status.success() {
        return Ok(Ok(messages.iter().filter_map(built_program).collect()));
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Ok(Err(first_error(&messages).unwrap_or_else(|| stderr.trim().to_owned())))
}

fn output_of(command: &mut Command) -> Result<Output, exit::Failure> {
    command
        .output()
        .map_err(|error| exit::Failure::new(Exit::MissingTool, words::cargo_not_started(error)))
}

fn messages(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Returns the first error among the messages of the compiler, in one line.
fn first_error(messages: &[Value]) -> Option<String> {
    let is_error = |message: &&Value| {
        message["reason"] == "compiler-message" && message["message"]["level"] == "error"
    };
    let text = messages.iter().find(is_error)?["message"]["message"].as_str()?;
    Some(text.lines().next().unwrap_or_default().to_owned())
}

/// Returns the program that a message is about; `None` if it is not a test program.
fn built_program(message: &Value) -> Option<BuiltProgram> {
    let is_test = message["profile"]["test"].as_bool() == Some(true);
    let path = PathBuf::from(message["executable"].as_str().filter(|_| is_test)?);
    let directory = Path::new(message["manifest_path"].as_str()?).parent()?;
    let name = package_name(message["package_id"].as_str()?);
    let program = TestProgram::new(&path, directory, name);
    Some(BuiltProgram { program, path, selection: selection(message).unwrap_or_default() })
}

/// Returns the flags with which cargo builds only the target of a message.
fn selection(message: &Value) -> Option<Vec<String>> {
    let package = package_name(message["package_id"].as_str()?);
    let target = &message["target"];
    let flag = match target["kind"][0].as_str()? {
        "bin" => "--bin",
        "example" => "--example",
        "test" => "--test",
        "bench" => "--bench",
        _ => return Some(["-p", package, "--lib"].map(str::to_owned).into()),
    };
    Some(["-p", package, flag, target["name"].as_str()?].map(str::to_owned).into())
}

/// Returns the name in a package id: `path+file:///home/me/demo#0.1.0`, whose name is that of its
/// directory, or `path+file:///home/me/demo#name@0.1.0`.
fn package_name(id: &str) -> &str {
    let (url, fragment) = id.rsplit_once('#').unwrap_or((id, ""));
    match fragment.split_once('@') {
        Some((name, _)) => name,
        None => url.trim_end_matches('/').rsplit('/').next().unwrap_or(url),
    }
}

/// Returns the program that has a test: the one with this selection, if the selection is known.
pub(crate) fn find<'a>(
    programs: &'a [BuiltProgram],
    selection: &[String],
    test: &TestName,
) -> Option<&'a TestProgram> {
    let has_test = |built: &&BuiltProgram| {
        let is_selected = selection.is_empty() || built.selection == selection;
        is_selected && built.program.tests().contains(test)
    };
    programs.iter().find(has_test).map(|built| &built.program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_name_their_package_and_target() {
        let selected = |id: &str, kind: &str| {
            let message = json!({"package_id": id, "target": {"kind": [kind], "name": "it"}});
            selection(&message).expect("a target").join(" ")
        };
        assert_eq!(selected("path+file:///home/me/demo#0.1.0", "test"), "-p demo --test it");
        assert_eq!(selected("path+file:///home/me/a#demo@0.1.0", "lib"), "-p demo --lib");
        assert_eq!(selected("path+file:///home/me/a#demo@0.1.0", "bin"), "-p demo --bin it");
        assert_eq!(selected("path+file:///home/me/demo/#0.1.0", "proc-macro"), "-p demo --lib");
    }
}
