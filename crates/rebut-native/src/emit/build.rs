//! Builds test binaries and runs single tests of them.

use super::Outcome;
use crate::words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::cargo;
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A test that takes longer is one that hangs.
const TIME_MAX: Duration = Duration::from_secs(10);

/// A test binary, and the folder of its package.
#[derive(Debug)]
pub(super) struct Binary {
    path: PathBuf,
    package: PathBuf,
    /// The flags with which cargo builds it alone.
    target: Vec<String>,
    tests: Vec<String>,
}

/// Builds tests, with those in the folder `printed` beside their properties; an error of the
/// compiler if they do not build. Cargo runs in `folder`, if there is one.
pub(super) fn tests(
    arguments: &[String],
    printed: Option<&Path>,
    folder: Option<&Path>,
) -> Result<Result<Vec<Binary>, String>, Failure> {
    let mut command = cargo();
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    command.args(["test", "--no-run", "--quiet", "--message-format=json"]).args(arguments);
    match printed {
        Some(folder) => command.env("REBUT_PRINTED", folder),
        None => command.env_remove("REBUT_PRINTED"),
    };
    let output = command
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let messages: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Ok(Err(first_error(&messages).unwrap_or_else(|| said.trim().to_owned())));
    }
    Ok(Ok(messages.iter().filter_map(binary).collect()))
}

/// The first error among the messages of the compiler, in one line.
fn first_error(messages: &[Value]) -> Option<String> {
    let is_error = |message: &&Value| {
        message["reason"] == "compiler-message" && message["message"]["level"] == "error"
    };
    let text = messages.iter().find(is_error)?["message"]["message"].as_str()?;
    Some(text.lines().next().unwrap_or_default().to_owned())
}

fn binary(message: &Value) -> Option<Binary> {
    let is_test = message["profile"]["test"].as_bool() == Some(true);
    let path = PathBuf::from(message["executable"].as_str().filter(|_| is_test)?);
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let package = manifest.parent()?.to_owned();
    let output = Command::new(&path).args(["--list", "--format", "terse"]).output().ok()?;
    let listed = String::from_utf8_lossy(&output.stdout);
    let tests = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    let tests = tests.map(str::to_owned).collect();
    Some(Binary { path, package, target: target(message).unwrap_or_default(), tests })
}

/// The flags with which cargo builds only the target of a message.
fn target(message: &Value) -> Option<Vec<String>> {
    let package = package_name(message["package_id"].as_str()?);
    let target = &message["target"];
    let words = match (target["kind"][0].as_str()?, target["name"].as_str()?) {
        (kind @ ("bin" | "example" | "test" | "bench"), name) => {
            vec!["-p", package, flag(kind), name]
        }
        _ => vec!["-p", package, "--lib"],
    };
    Some(words.into_iter().map(str::to_owned).collect())
}

fn flag(kind: &str) -> &'static str {
    match kind {
        "bin" => "--bin",
        "example" => "--example",
        "test" => "--test",
        _ => "--bench",
    }
}

/// The name in the identifier of a package: `path+file:///home/me/demo#0.1.0`, which is called as
/// its directory is, or `path+file:///home/me/demo#name@0.1.0`.
fn package_name(id: &str) -> &str {
    let (url, fragment) = id.rsplit_once('#').unwrap_or((id, ""));
    match fragment.split_once('@') {
        Some((name, _)) => name,
        None => url.trim_end_matches('/').rsplit('/').next().unwrap_or(url),
    }
}

/// The text as `rustfmt` writes it; none if there is no `rustfmt`.
pub fn formatted(text: &str) -> Option<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().filter(|text| !text.is_empty())
}

/// Runs one test of the binary that has it; of the one that was built with these flags, if they are
/// not empty.
pub(super) fn run(binaries: &[Binary], target: &[String], test: &str) -> Outcome {
    let has = |binary: &&Binary| {
        let is_target = target.is_empty() || binary.target == target;
        is_target && binary.tests.iter().any(|name| name == test)
    };
    let Some(binary) = binaries.iter().find(has) else { return Outcome::Missing };
    let child = Command::new(&binary.path)
        .args(["--exact", test])
        .current_dir(&binary.package)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    child.map_or(Outcome::Missing, wait)
}

/// Waits for the end, but not for ever.
fn wait(mut child: Child) -> Outcome {
    // Nobody reads what it says, but it must not wait for someone to.
    if let Some(mut said) = child.stderr.take() {
        std::thread::spawn(move || {
            let mut ignored = Vec::new();
            let _ = said.read_to_end(&mut ignored);
        });
    }
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Outcome::Passes,
            Ok(Some(_)) => return Outcome::Fails,
            Ok(None) if begun.elapsed() < TIME_MAX => {
                std::thread::sleep(Duration::from_millis(5));
            }
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Outcome::Hangs;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_name_their_package_and_target() {
        let of = |id: &str, kind: &str| {
            let message = json!({"package_id": id, "target": {"kind": [kind], "name": "it"}});
            target(&message).expect("a target").join(" ")
        };
        assert_eq!(of("path+file:///home/me/demo#0.1.0", "test"), "-p demo --test it");
        assert_eq!(of("path+file:///home/me/a#demo@0.1.0", "lib"), "-p demo --lib");
        assert_eq!(of("path+file:///home/me/a#demo@0.1.0", "bin"), "-p demo --bin it");
        assert_eq!(of("path+file:///home/me/demo/#0.1.0", "proc-macro"), "-p demo --lib");
    }
}
