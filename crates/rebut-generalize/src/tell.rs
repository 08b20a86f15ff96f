//! Says what became of tests: for people, for programs, and as a patch.

use super::bench::Bench;
use super::drafts::{Finding, Outcome};
use super::kinds::End;
use super::paths::Paths;
use super::plan::Plan;
use super::write::{Draft, Drawn, Kind};
use crate::words;
use rebut_manifest::RebutSource;
use serde_json::{Value, json};
use similar::TextDiff;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What became of one test.
#[derive(Debug)]
pub(super) struct Told<'a> {
    pub(super) bench: &'a Bench,
    pub(super) plan: &'a Plan,
    pub(super) paths: Option<&'a Paths>,
    pub(super) outcome: Option<&'a Outcome>,
}

impl Told<'_> {
    fn status(&self) -> &'static str {
        let drafts = self.outcome.map(|outcome| outcome.drafts.as_slice()).unwrap_or_default();
        let passing = drafts.iter().find(|draft| draft.kind == Kind::Passes);
        match passing {
            Some(draft) if draft.drawn == Drawn::None => "table",
            Some(_) => "generalized",
            None if !drafts.is_empty() => "added",
            None => "kept",
        }
    }

    /// Why a test stays as it is.
    fn why_not(&self) -> Option<String> {
        if let Some(why) = &self.plan.why_not {
            return Some(why.clone());
        }
        let outcome = self.outcome?;
        let is_kept = outcome.drafts.iter().all(|draft| draft.kind != Kind::Passes);
        let why = || outcome.why_not.clone().or_else(|| outcome.notes.last().cloned());
        is_kept.then(why).flatten()
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let place = format!("{}:{}", self.bench.file().display(), self.plan.subject.line);
        let mut text = format!("{} ({place})", self.plan.subject.full_path());
        let (Some(paths), Some(outcome)) = (self.paths, self.outcome) else {
            let why = self.why_not().unwrap_or_default();
            let _ = writeln!(text, ": unchanged: {why}");
            return text;
        };
        let counted: Vec<String> = outcome
            .counts
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(end, count)| words::ends(*count, end.word()))
            .collect();
        let (before, after) = paths.sides;
        let _ = writeln!(text, ": {}", counted.join(", "));
        let _ = writeln!(text, "  {}", words::sides(before, after));
        for (draft, proof) in outcome.drafts.iter().zip(&outcome.proofs) {
            let _ = writeln!(text, "  {}", self.draft(draft, *proof));
        }
        let why_not = self.why_not();
        if let Some(why) = &why_not {
            let _ = writeln!(text, "  unchanged: {why}");
        }
        for note in outcome.notes.iter().filter(|note| Some(*note) != why_not.as_ref()) {
            let _ = writeln!(text, "  note: {note}");
        }
        for finding in &outcome.findings {
            text.push_str(&found(finding));
        }
        text
    }

    fn draft(&self, draft: &Draft, proof: Option<bool>) -> String {
        let does = match draft.kind {
            Kind::Passes => "passes",
            Kind::Panics(_) => "panics",
            Kind::Opposite(_) => "asserts the opposite",
        };
        let draft = &draft.compacted(self.bench, self.plan);
        let signature = format!("{}({})", draft.name, draft.names(self.plan).join(", "));
        let is_proved = proof.unwrap_or(false);
        let when = match (&draft.assumption, draft.drawn) {
            (_, Drawn::None) => words::for_examples(draft.examples.len()),
            (text, _) => words::when(text.as_deref(), is_proved),
        };
        format!("{signature} {does} {when}")
    }

    /// For programs: an object in a line.
    pub(super) fn json(&self) -> Value {
        let parameters: Vec<Value> = self
            .plan
            .parameters
            .iter()
            .map(|parameter| {
                let of = parameter.of.as_ref().map(super::value::Type::code);
                let site = &parameter.site;
                let value = &self.bench.text[site.part.clone()];
                json!({
                    "name": site.name, "type": of, "value": value, "expected": parameter.is_expected(),
                    "places": parameter.also.len() + 1,
                })
            })
            .collect();
        let outcome = self.outcome;
        let counts = |end: End| {
            let all = outcome.map(|outcome| outcome.counts.as_slice()).unwrap_or_default();
            all.iter().find(|(known, _)| *known == end).map_or(0, |(_, count)| *count)
        };
        let tests: Vec<Value> = outcome
            .map(|outcome| outcome.drafts.iter().zip(&outcome.proofs))
            .into_iter()
            .flatten()
            .map(|(draft, proof)| {
                json!({
                    "name": draft.name,
                    "kind": match draft.kind {
                        Kind::Passes => "passes",
                        Kind::Panics(_) => "panics",
                        Kind::Opposite(_) => "opposite",
                    },
                    "parameters": draft.parameters(self.plan).len(),
                    "assumption": draft.assumption,
                    "proved": proof,
                    "examples": draft.examples.len(),
                    "cases": if draft.drawn == Drawn::None { "examples" } else { "drawn" },
                })
            })
            .collect();
        let findings: Vec<Value> = outcome
            .map(|outcome| outcome.findings.as_slice())
            .unwrap_or_default()
            .iter()
            .map(|finding| {
                let input: serde_json::Map<String, Value> = finding
                    .input
                    .iter()
                    .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
                    .collect();
                json!({
                    "message": finding.panic.message,
                    "file": finding.panic.file,
                    "line": finding.panic.line,
                    "input": input,
                })
            })
            .collect();
        json!({
            "test": self.plan.subject.full_path(),
            "file": self.bench.file().display().to_string(),
            "line": self.plan.subject.line,
            "status": self.status(),
            "why_not": self.why_not(),
            "values": self.plan.subject.found.sites.len(),
            "parameters": parameters,
            "paths": {
                "all": self.paths.map_or(0, |paths| paths.all.len()),
                "complete": self.paths.map(|paths| paths.is_complete),
                "runs": self.paths.map_or(0, |paths| paths.runs),
                "passes": counts(End::Passes),
                "refuses": counts(End::Refuses),
                "assertion": counts(End::Assertion),
                "mistake": counts(End::Mistake),
                "unknown": counts(End::Unknown),
            },
            "sides": {
                "before": self.paths.map(|paths| paths.sides.0),
                "after": self.paths.map(|paths| paths.sides.1),
            },
            "tests": tests,
            "findings": findings,
            "notes": outcome.map(|outcome| outcome.notes.clone()).unwrap_or_default(),
        })
    }
}

fn found(finding: &Finding) -> String {
    let mut text = format!("  finding: {}\n", words::one_line(&finding.panic.message));
    let _ = writeln!(text, "    at {}:{}", finding.panic.file, finding.panic.line);
    for (name, value) in &finding.input {
        // Lines behind the first are as deep as those of a function's body.
        let value = value.replace('\n', "\n  ");
        let _ = writeln!(text, "      let {name} = {value};");
    }
    if finding.has_mocks {
        let _ = writeln!(text, "    {}", words::ANSWERS_OF_MOCKS);
    }
    text
}

/// Files with their new text: that of the tests, and the manifest if it has to name Rebut.
pub(super) fn changes(bench: &Bench, text: &str) -> Vec<(PathBuf, String, String)> {
    let mut changes = Vec::new();
    if text == bench.original {
        return changes;
    }
    if bench.home.rebut.is_none() {
        let manifest = bench.home.folder.join("Cargo.toml");
        let old = std::fs::read_to_string(&manifest).unwrap_or_default();
        if let Ok(new) = RebutSource::of_this_program().added_to(&old) {
            changes.push((manifest, old, new));
        }
    }
    changes.push((
        bench.home.folder.join(&bench.home.file),
        bench.original.clone(),
        text.to_owned(),
    ));
    changes
}

/// Changes as a patch, with paths from the folder of the workspace.
pub(super) fn patch(root: &Path, changes: &[(PathBuf, String, String)]) -> String {
    let mut text = String::new();
    for (path, old, new) in changes {
        let path = path.strip_prefix(root).unwrap_or(path).display().to_string();
        let diff = TextDiff::from_lines(old.as_str(), new.as_str());
        let mut unified = diff.unified_diff();
        unified.context_radius(3).header(&format!("a/{path}"), &format!("b/{path}"));
        text.push_str(&unified.to_string());
    }
    text
}
