//! Pastes what the reports offer, compiles it and runs it.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;

use crate::corpus::{Home, KEEP, Subject, TEST};
use crate::report::{self, Offer};
use crate::workspace::{Problem, Workspace};

/// The number of properties whose replay command runs in a shell. Each takes a start of cargo.
const REPLAYS: usize = 6;
/// The number of times that the crates are built again without what did not compile: the compiler
/// reports problems of syntax, names, types and lints in turn.
const ROUNDS: usize = 8;

/// What is wrong.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) properties: usize,
    pub(crate) failed: usize,
    pub(crate) artifacts: usize,
    pub(crate) tests: usize,
    pub(crate) withheld: Vec<String>,
    pub(crate) wrong: Vec<String>,
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for withheld in &self.withheld {
            writeln!(f, "withheld: {withheld}")?;
        }
        for wrong in &self.wrong {
            writeln!(f, "wrong: {wrong}")?;
        }
        let Findings { properties, failed, artifacts, tests, withheld, wrong } = self;
        write!(
            f,
            "{properties} properties, {failed} failed, {artifacts} artifacts ({tests} tests), {} \
             withheld, {} wrong",
            withheld.len(),
            wrong.len()
        )
    }
}

/// An artifact of a subject.
#[derive(Debug)]
struct Artifact {
    subject: usize,
    /// The text of an attribute or of a file.
    text: String,
    kind: ArtifactKind,
    failure: String,
    /// The names of the tests in the text, or of the property.
    names: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArtifactKind {
    Keep,
    Test,
}

/// Runs the properties and checks what they offer. `change` changes the files of tests.
pub(crate) fn check(
    workspace: &Workspace,
    subjects: &[Subject],
    change: &dyn Fn(String) -> String,
) -> Findings {
    let mut findings = Findings { properties: subjects.len(), ..Findings::default() };
    let texts: Vec<String> = subjects.iter().map(|one| plain(&one.text)).collect();
    workspace.write(subjects, &texts);
    let built = workspace.build();
    assert!(
        built.problems.is_empty(),
        "the generated crates have {} problems, the first one:\n{}",
        built.problems.len(),
        built.problems[0].text
    );
    let mut artifacts = Vec::new();
    let mut replays = Vec::new();
    for (nth, subject) in subjects.iter().enumerate() {
        let Some(output) =
            workspace.run(subject.home, &built.programs[&subject.home], &subject.path)
        else {
            continue;
        };
        findings.failed += 1;
        let offers = report::offers(&output);
        if offers.is_empty() {
            findings.wrong.push(format!("{}: no report\n{output}", subject.path));
        }
        collect(workspace, subjects, nth, &offers, change, &mut artifacts, &mut findings);
        for offer in offers.into_iter().take(1) {
            replays.extend(offer.replay.map(|replay| (nth, replay, offer.failure)));
        }
    }
    findings.artifacts = artifacts.len();
    findings.tests = artifacts.iter().filter(|one| one.kind == ArtifactKind::Test).count();
    let step = (replays.len() / REPLAYS).max(1);
    for (nth, replay, failure) in replays.iter().step_by(step) {
        findings.artifacts += 1;
        check_replay(workspace, &subjects[*nth], replay, failure, &mut findings);
    }
    check_artifacts(workspace, subjects, artifacts, &mut findings);
    findings
}

fn plain(text: &str) -> String {
    text.replace(&format!("{KEEP}\n"), "").replace(&format!("{TEST}\n"), "")
}

fn collect(
    workspace: &Workspace,
    subjects: &[Subject],
    nth: usize,
    offers: &[Offer],
    change: &dyn Fn(String) -> String,
    artifacts: &mut Vec<Artifact>,
    findings: &mut Findings,
) {
    let subject = &subjects[nth];
    let mut path = None;
    for Offer { failure, keep, test, .. } in offers {
        for (name, line) in [("keep", keep), ("test", test)] {
            let is_there =
                line.as_ref().is_some_and(|line| !line.contains(' ') || line.starts_with("#["));
            let is_long = name == "keep" && line.is_none();
            if !is_there {
                let text = line.clone().unwrap_or_else(|| format!("no {name}"));
                findings.withheld.push(format!("{}: {text}", subject.path));
                if subject.is_sure && !is_long {
                    findings.wrong.push(format!(
                        "{}: nothing to {name}: {text}\n{}",
                        subject.path, subject.text
                    ));
                }
            }
        }
        // An attribute cannot be pasted into a macro.
        let can_paste = subject.text.contains(KEEP);
        if let Some(keep) = keep.as_ref().filter(|keep| can_paste && keep.starts_with("#[")) {
            artifacts.push(Artifact {
                subject: nth,
                text: keep.clone(),
                kind: ArtifactKind::Keep,
                failure: failure.clone(),
                names: vec![subject.path.clone()],
            });
        }
        if path.is_none() {
            path = test.clone().filter(|test| test.ends_with(".rs"));
        }
    }
    let Some(path) = path else { return };
    let Ok(text) = fs::read_to_string(workspace.root.join(&path)) else {
        findings.wrong.push(format!("{}: there is no {path}", subject.path));
        return;
    };
    let text = change(text);
    let module = subject.path.rsplit_once("::").expect("a module").0;
    let functions = text.lines().filter_map(|line| line.strip_prefix("fn "));
    let names = functions.map(|rest| {
        let name = rest.split('(').next().unwrap_or_default();
        format!("{module}::{name}")
    });
    let names = names.collect();
    let failure = offers.iter().map(|offer| offer.failure.as_str()).collect::<Vec<_>>().join("\n");
    artifacts.push(Artifact { subject: nth, text, kind: ArtifactKind::Test, failure, names });
}

/// Runs a replay command in a shell.
fn check_replay(
    workspace: &Workspace,
    subject: &Subject,
    replay: &str,
    failure: &str,
    findings: &mut Findings,
) {
    let mut shell = workspace.cargo();
    let cargo = shell.get_program().to_owned();
    let environment: Vec<_> =
        shell.get_envs().map(|(k, v)| (k.to_owned(), v.map(|v| v.to_owned()))).collect();
    let command = replay.replacen(" cargo ", &format!(" {} ", cargo.to_string_lossy()), 1);
    shell = std::process::Command::new("sh");
    for (name, value) in environment {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.env("CARGO_NET_OFFLINE", "true");
    let output =
        shell.arg("-c").arg(&command).current_dir(&workspace.root).output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let offers = report::offers(&text);
    if output.status.success() || offers.first().is_none_or(|offer| offer.failure != failure) {
        findings
            .wrong
            .push(format!("{}: `{replay}` does not fail with {failure}:\n{text}", subject.path));
    }
}

/// Compiles artifacts, all together, and runs each. Those that do not compile are left out until
/// the rest does.
fn check_artifacts(
    workspace: &Workspace,
    subjects: &[Subject],
    mut artifacts: Vec<Artifact>,
    findings: &mut Findings,
) {
    for _ in 0..ROUNDS {
        let (mut texts, mut spans) = (Vec::new(), Vec::new());
        for (nth, subject) in subjects.iter().enumerate() {
            let (text, lines) = pasted(subject, nth, &artifacts);
            texts.push(text);
            spans.push(lines);
        }
        let files = workspace.write(subjects, &texts);
        let built = workspace.build();
        if built.problems.is_empty() {
            for artifact in &artifacts {
                run(workspace, subjects, artifact, &built.programs, findings);
            }
            return;
        }
        let mut culprits: BTreeMap<usize, String> = BTreeMap::new();
        for problem in &built.problems {
            let found = culprits_of(problem, &files, &spans, subjects);
            assert!(!found.is_empty(), "a problem outside of the artifacts:\n{}", problem.text);
            for nth in found {
                culprits.entry(nth).or_insert_with(|| problem.text.clone());
            }
        }
        for (nth, text) in culprits.iter().rev() {
            let artifact = artifacts.remove(*nth);
            let subject = &subjects[artifact.subject];
            findings.wrong.push(format!(
                "{}: {:?} does not compile cleanly\n{text}",
                subject.path, artifact.kind
            ));
        }
    }
    panic!("the artifacts have problems after {ROUNDS} rounds");
}

/// The lines of each artifact in the text of a subject.
type ArtifactLines = Vec<(std::ops::Range<usize>, usize)>;

/// Returns the text of a subject with its artifacts, and their lines.
fn pasted(subject: &Subject, nth: usize, artifacts: &[Artifact]) -> (String, ArtifactLines) {
    let mut lines = Vec::new();
    let mut text = String::new();
    for line in subject.text.lines() {
        let kind = match line {
            KEEP => Some(ArtifactKind::Keep),
            TEST => Some(ArtifactKind::Test),
            _ => None,
        };
        let Some(kind) = kind else {
            text.push_str(line);
            text.push('\n');
            continue;
        };
        let own =
            artifacts.iter().enumerate().filter(|(_, one)| one.subject == nth && one.kind == kind);
        for (index, artifact) in own {
            let begin = text.matches('\n').count();
            text.push_str(&artifact.text);
            text.push_str(if artifact.text.ends_with('\n') { "" } else { "\n" });
            lines.push((begin..text.matches('\n').count(), index));
        }
    }
    (text, lines)
}

fn culprits_of(
    problem: &Problem,
    files: &BTreeMap<Home, Vec<(usize, usize)>>,
    spans: &[ArtifactLines],
    subjects: &[Subject],
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut near = Vec::new();
    for line in &problem.lines {
        let Some(&(first, nth)) =
            files[&problem.home].iter().rev().find(|(first, _)| first <= line)
        else {
            continue;
        };
        let is_marked =
            (subjects[nth].home.edition, subjects[nth].home.is_integration_test) == ("2015", false);
        let at = line - first - usize::from(is_marked);
        for (range, index) in &spans[nth] {
            if range.contains(&at) {
                found.push(*index);
            }
            near.push(*index);
        }
    }
    // The macro may report an example at the function, or the module is at fault.
    if found.is_empty() { near } else { found }
}

fn run(
    workspace: &Workspace,
    subjects: &[Subject],
    artifact: &Artifact,
    programs: &BTreeMap<Home, std::path::PathBuf>,
    findings: &mut Findings,
) {
    let subject = &subjects[artifact.subject];
    let mut failures = artifact.failure.lines();
    for name in &artifact.names {
        let expected = failures.next().unwrap_or_default();
        let output = workspace.run(subject.home, &programs[&subject.home], name);
        let kind = artifact.kind;
        let mut wrong = |why: &str| {
            let text = format!(
                "{name}: {kind:?} {why}, expected `{expected}`:\n{}\n{}",
                artifact.text,
                output.as_deref().unwrap_or_default()
            );
            findings.wrong.push(text);
        };
        match &output {
            None => wrong("passes"),
            Some(output) if kind == ArtifactKind::Keep => {
                let offers = report::offers(output);
                let is_same = offers.iter().any(|offer| offer.failure == expected);
                if !is_same || !output.contains("found by: example") {
                    wrong("fails otherwise");
                }
            }
            Some(output) if !output.contains(expected) => wrong("fails otherwise"),
            Some(_) => {}
        }
    }
}
