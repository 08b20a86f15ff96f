//! Calls `cargo rebut explore` on a set and collects the verdicts with their times.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::plain::TIMED_OUT;
use super::property::Property;
use super::set::{Set, environment};
use super::verdict::Verdict;
use crate::{cargo, run as step, target};

/// A verdict, and the CPU seconds that passed since the one before.
#[derive(Clone, Debug)]
pub(super) struct TimedVerdict {
    pub(super) verdict: Verdict,
    pub(super) seconds: f64,
}

/// The command that explores.
pub(super) struct Engine {
    program: PathBuf,
    /// Whether it uses one processor, so that the times between verdicts are those of the
    /// properties.
    is_pinned: bool,
}

/// The properties of a set, explored.
#[derive(Debug, Default)]
pub(super) struct Explored {
    pub(super) verdicts: BTreeMap<String, TimedVerdict>,
    /// The warnings of the command.
    pub(super) complaints: Vec<String>,
}

impl Engine {
    /// Builds the command as users have it, or takes another one.
    pub(super) fn new(program: Option<&str>, is_debug: bool) -> Result<Engine, String> {
        if let Some(program) = program {
            let program = std::path::absolute(program).map_err(|error| error.to_string())?;
            return Ok(Engine { program, is_pinned: !is_debug });
        }
        let profile = if is_debug { "debug" } else { "release" };
        let mut build = cargo(&["build", "--quiet", "-p", "cargo-rebut-explore"]);
        if !is_debug {
            build.arg("--release");
        }
        step(&mut build)?;
        let program = target().join(profile).join("cargo-rebut-explore");
        Ok(Engine { program, is_pinned: !is_debug })
    }

    /// Explores properties of one file, with a limit of seconds for each property. After one that takes longer, the others are explored one by one.
    pub(super) fn explore(
        &self,
        set: &Set,
        properties: &[&Property],
        seconds_each: u32,
    ) -> Result<Explored, String> {
        let home = set.copy("explored")?;
        let _ = fs::remove_dir_all(home.join(".rebut"));
        let mut explored = Explored::default();
        let seconds =
            BUILD_SECONDS_MAX + seconds_each * u32::try_from(properties.len()).unwrap_or(1);
        if self.call(set, &home, properties, seconds, &mut explored)? {
            for property in properties {
                if !explored.verdicts.contains_key(&property.path()) {
                    let seconds = seconds_each + NO_BUILD_SECONDS_MAX;
                    self.call(set, &home, &[property], seconds, &mut explored)?;
                }
            }
        }
        Ok(explored)
    }

    /// Explores in one process. Returns whether it ended too early for the others.
    fn call(
        &self,
        set: &Set,
        home: &Path,
        properties: &[&Property],
        seconds_max: u32,
        explored: &mut Explored,
    ) -> Result<bool, String> {
        let errors = home.with_extension("stderr");
        let file = fs::File::create(&errors).map_err(|error| format!("{errors:?}: {error}"))?;
        let mut command = Command::new("timeout");
        environment(&mut command, home);
        command.arg(seconds_max.to_string());
        if self.is_pinned {
            command.args(["taskset", "--cpu-list", "0"]);
        }
        command.arg(&self.program);
        command.args(["explore", "--format", "json"]).args(set.features());
        command.args(properties.iter().map(|property| format!("::{}", property.name)));
        command.stdout(Stdio::piped()).stderr(file);
        let failed = |error: std::io::Error| format!("cannot start {:?}: {error}", self.program);
        let mut child = command.spawn().map_err(failed)?;
        let mut before = 0.0;
        let output = child.stdout.take();
        for line in output.into_iter().flat_map(|output| BufReader::new(output).lines()) {
            let line = line.map_err(|error| error.to_string())?;
            let now = cpu_seconds(child.id()).unwrap_or(before);
            let (test, verdict) = Verdict::parse(&line)?;
            eprintln!("{:>12} {test}: {verdict:?} [{:.1} s]", "Verdict", now - before);
            let timed = TimedVerdict { verdict, seconds: now - before };
            before = now;
            let wanted = properties.iter().find(|property| is_of(&test, property));
            if let Some(property) = wanted {
                explored.verdicts.insert(property.path(), timed);
            }
        }
        let status = child.wait().map_err(failed)?;
        let text = fs::read_to_string(&errors).unwrap_or_default();
        let complaints = text.lines().filter(|line| {
            ["warning", "error", "help", "note"].iter().any(|word| line.starts_with(word))
        });
        explored.complaints.extend(complaints.map(str::to_owned));
        match status.code() {
            Some(TIMED_OUT) => Ok(true),
            Some(code) if EXITS.contains(&code) => Ok(false),
            // `timeout` adds 128 to the number of a signal.
            Some(0..128) => Err(format!("{} ended with {status}: {text}", self.program.display())),
            _ => {
                explored.complaints.push(format!("{} ended with {status}", self.program.display()));
                Ok(properties.len() > 1)
            }
        }
    }
}

/// The documented codes of a command that explored what it could: success, an open verdict, a build
/// that failed, and a failure.
const EXITS: [i32; 4] = [0, 5, 101, 100];

/// How long a first build of a set may take: that of the natural set takes three minutes on two
/// busy processors.
const BUILD_SECONDS_MAX: u32 = 600;

/// How long cargo may take if everything is built. Measured: 2 s, with much load 10 s.
const NO_BUILD_SECONDS_MAX: u32 = 30;

/// Whether a path that is printed is that of a property. Its first word is the test target.
fn is_of(test: &str, property: &Property) -> bool {
    let mut words = test.rsplit("::");
    words.next() == Some(&property.name) && words.next() == Some(&property.file)
}

/// The CPU seconds of a process that runs another one, with those of all its children.
fn cpu_seconds(process: u32) -> Option<f64> {
    const TICKS: f64 = 100.0;
    let own = |process: u32| -> Option<f64> {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
        let ticks = |range: std::ops::Range<usize>| -> Option<f64> {
            fields.get(range)?.iter().map(|field| field.parse::<f64>().ok()).sum()
        };
        Some(ticks(11..15)? / TICKS)
    };
    // `timeout` starts the command as its only child, and waits for it.
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
    let child = children.split_whitespace().next()?.parse().ok()?;
    own(child)
}

#[cfg(test)]
mod tests {
    use super::super::property::Truth;
    use super::*;

    #[test]
    fn paths_name_properties_of_a_file() {
        let property = Property {
            file: "width".to_owned(),
            name: "one".to_owned(),
            truth: Truth::Holds { may_stay_open: false, why: String::new() },
            draws: Vec::new(),
        };
        assert!(is_of("attack::width::one", &property));
        assert!(is_of("width::one", &property));
        assert!(!is_of("attack::state::one", &property));
        assert!(!is_of("attack::width::one_more", &property));
    }
}
