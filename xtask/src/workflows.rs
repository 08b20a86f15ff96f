//! What the workflows for GitHub must have. `actionlint` knows more, and CI runs it; these tests
//! need nothing that is not here, and know this project.

use saphyr_parser::{Parser, StrInput};

use crate::dist::ArchiveNames;
use crate::workspace::packages;
use crate::{USAGE, root};

/// Names and texts of all workflows.
fn workflows() -> Vec<(String, String)> {
    let directory = root().join(".github").join("workflows");
    let entries = std::fs::read_dir(directory).expect("workflows");
    let mut workflows: Vec<(String, String)> = entries
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.display().to_string(), std::fs::read_to_string(path).expect("a file")))
        .collect();
    workflows.sort();
    assert!(workflows.len() >= 2, "{workflows:?}");
    workflows
}

/// What follows `key` on lines that have it, with a `- ` before it or not.
fn values<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let lines = text.lines().map(|line| line.trim_start().trim_start_matches("- "));
    lines.filter_map(|line| line.strip_prefix(key)).map(str::trim).collect()
}

#[test]
fn workflows_are_yaml() {
    for (name, text) in workflows() {
        for event in Parser::new(StrInput::new(&text)) {
            if let Err(error) = event {
                panic!("{name}: {error}");
            }
        }
    }
}

#[test]
fn actions_are_pinned_to_a_version() {
    let is_version = |version: &str| {
        let digits = version.trim_start_matches('v').replace('.', "");
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
    };
    for (name, text) in workflows() {
        for action in values(&text, "uses:") {
            let separator = if action.starts_with("docker://") { ':' } else { '@' };
            let version = action.rsplit_once(separator).map_or("", |(_, version)| version);
            assert!(is_version(version), "{name}: {action}");
        }
    }
}

#[test]
fn jobs_end_and_have_few_rights() {
    for (name, text) in workflows() {
        let jobs = values(&text, "runs-on:").len();
        assert_eq!(values(&text, "timeout-minutes:").len(), jobs, "{name}: a job has no bound");
        assert!(text.contains("\npermissions:\n  contents: read\n"), "{name}");
    }
}

#[test]
fn workflows_call_chores_that_exist() {
    for (name, text) in workflows() {
        for command in values(&text, "run: cargo xtask") {
            let chore = command.split(' ').next().expect("a word");
            assert!(USAGE.contains(&format!("cargo xtask {chore} ")), "{name}: {command}");
        }
    }
}

#[test]
fn every_target_of_a_release_has_an_archive() {
    let (_, release) = workflows()
        .into_iter()
        .find(|(name, _)| name.ends_with("release.yml"))
        .expect("a workflow for releases");
    let targets = values(&release, "{ target:").into_iter();
    let targets: Vec<&str> = targets.filter_map(|rest| Some(rest.split_once(',')?.0)).collect();
    for system in ["linux-gnu", "linux-musl", "apple-darwin", "windows-msvc"] {
        assert!(targets.iter().any(|target| target.ends_with(system)), "{targets:?}");
    }
    let packages = packages().expect("cargo metadata");
    let is_command = |name: &str| name.starts_with("cargo-rebut");
    for package in packages.iter().filter(|package| is_command(package.name())) {
        for target in &targets {
            let names = ArchiveNames::read(package, target).expect("names");
            let extension = if target.contains("windows") { ".zip" } else { ".tgz" };
            assert!(names.archive.ends_with(extension), "{names:?}");
        }
    }
}
