//! The summary of one test, as text for people and as JSON for programs.

use crate::decide::drafts::{Decision, Finding};
use crate::decide::path_end::PathEnd;
use crate::explore::paths::ExploredPaths;
use crate::package::edited_package::EditedPackage;
use crate::plan::Plan;
use crate::read::value::ParameterType;
use crate::words;
use crate::write::draft::{Draft, DraftKind, GeneratedInputs};
use rebut_cli::status::path_on_one_line;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// All there is to print about one test.
#[derive(Debug)]
pub(crate) struct TestSummary<'a> {
    pub(crate) package: &'a EditedPackage,
    pub(crate) plan: &'a Plan,
    pub(crate) paths: Option<&'a ExploredPaths>,
    pub(crate) decision: Option<&'a Decision>,
}

impl TestSummary<'_> {
    /// Returns the text for people.
    pub(crate) fn text(&self) -> String {
        let location =
            format!("{}:{}", path_on_one_line(&self.package.file()), self.plan.unit_test.line);
        let mut text = format!("{} ({location})", self.plan.unit_test.full_path());
        let (Some(paths), Some(decision)) = (self.paths, self.decision) else {
            let why = self.why_kept().unwrap_or_default();
            let _ = writeln!(text, ": unchanged: {why}");
            return text;
        };
        let counts: Vec<String> = decision
            .end_counts
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(end, count)| words::path_ends(*count, *end))
            .collect();
        let _ = writeln!(text, ": {}", counts.join(", "));
        let _ = writeln!(text, "  {}", words::branch_sides(paths.branch_sides));
        for (draft, proof) in decision.drafts.iter().zip(&decision.proofs) {
            let _ = writeln!(text, "  {}", self.draft_line(draft, *proof));
        }
        let why_kept = self.why_kept();
        if let Some(why) = &why_kept {
            let _ = writeln!(text, "  unchanged: {why}");
        }
        for note in self.notes().into_iter().filter(|note| Some(note) != why_kept.as_ref()) {
            let _ = writeln!(text, "  note: {note}");
        }
        for finding in &decision.findings {
            text.push_str(&finding_text(finding));
        }
        text
    }

    /// Returns why the test stays unchanged. Without another reason, this is the last note.
    fn why_kept(&self) -> Option<String> {
        if let Some(why) = &self.plan.why_kept {
            return Some(words::why_kept(why));
        }
        let decision = self.decision?;
        let is_kept = decision.drafts.iter().all(|draft| draft.kind != DraftKind::Passes);
        let why = || match &decision.why_kept {
            Some(why) => Some(words::why_kept(why)),
            None => decision.notes.last().map(words::note_about_test),
        };
        is_kept.then(why).flatten()
    }

    fn notes(&self) -> Vec<String> {
        let notes = self.decision.map(|decision| decision.notes.as_slice()).unwrap_or_default();
        notes.iter().map(words::note_about_test).collect()
    }

    fn draft_line(&self, draft: &Draft, proof: Option<bool>) -> String {
        let claim = match draft.kind {
            DraftKind::Passes => "passes",
            DraftKind::Panics(_) => "panics",
            DraftKind::Opposite(_) => "asserts the opposite",
        };
        let draft = &draft.compacted(self.package, self.plan);
        let signature = format!("{}({})", draft.name, draft.names(self.plan).join(", "));
        let is_proved = proof.unwrap_or(false);
        let when = match (&draft.assumption, draft.generated) {
            (_, GeneratedInputs::None) => words::for_examples(draft.examples.len()),
            (text, _) => words::when(text.as_deref(), is_proved),
        };
        format!("{signature} {claim} {when}")
    }

    /// Returns the JSON object for programs.
    pub(crate) fn json(&self) -> Value {
        let decision = self.decision;
        let parameters: Vec<Value> = self
            .plan
            .parameters
            .iter()
            .map(|parameter| {
                let ty = parameter.ty.as_ref().map(ParameterType::code);
                let site = &parameter.site;
                let value = &self.package.text[site.range.clone()];
                json!({
                    "name": site.name, "type": ty, "value": value,
                    "expected": parameter.is_expected(),
                    "places": parameter.other_sites.len() + 1,
                })
            })
            .collect();
        let count = |end: PathEnd| {
            let all = decision.map(|decision| decision.end_counts.as_slice()).unwrap_or_default();
            all.iter().find(|(known, _)| *known == end).map_or(0, |(_, count)| *count)
        };
        let tests: Vec<Value> = decision
            .map(|decision| decision.drafts.iter().zip(&decision.proofs))
            .into_iter()
            .flatten()
            .map(|(draft, proof)| self.draft_json(draft, *proof))
            .collect();
        let findings = decision.map(|decision| decision.findings.as_slice()).unwrap_or_default();
        let findings: Vec<Value> = findings.iter().map(finding_json).collect();
        json!({
            "test": self.plan.unit_test.full_path(),
            "file": self.package.file().to_string_lossy(),
            "line": self.plan.unit_test.line,
            "status": self.status(),
            "why_not": self.why_kept(),
            "values": self.plan.unit_test.values.sites.len(),
            "parameters": parameters,
            "paths": {
                "all": self.paths.map_or(0, |paths| paths.all.len()),
                "complete": self.paths.map(|paths| paths.is_complete),
                "runs": self.paths.map_or(0, |paths| paths.runs),
                "passes": count(PathEnd::Passes),
                "refuses": count(PathEnd::Refuses),
                "assertion": count(PathEnd::Assertion),
                "mistake": count(PathEnd::Mistake),
                "unknown": count(PathEnd::Unknown),
            },
            "sides": {
                "before": self.paths.map(|paths| paths.branch_sides.before),
                "after": self.paths.map(|paths| paths.branch_sides.after),
            },
            "tests": tests,
            "findings": findings,
            "notes": self.notes(),
        })
    }

    fn status(&self) -> &'static str {
        let drafts = self.decision.map(|decision| decision.drafts.as_slice()).unwrap_or_default();
        let passing = drafts.iter().find(|draft| draft.kind == DraftKind::Passes);
        match passing {
            Some(draft) if draft.generated == GeneratedInputs::None => "table",
            Some(_) => "generalized",
            None if !drafts.is_empty() => "added",
            None => "kept",
        }
    }

    fn draft_json(&self, draft: &Draft, proof: Option<bool>) -> Value {
        json!({
            "name": draft.name,
            "kind": match draft.kind {
                DraftKind::Passes => "passes",
                DraftKind::Panics(_) => "panics",
                DraftKind::Opposite(_) => "opposite",
            },
            "parameters": draft.parameters(self.plan).len(),
            "assumption": draft.assumption,
            "proved": proof,
            "examples": draft.examples.len(),
            "cases": if draft.generated == GeneratedInputs::None { "examples" } else { "drawn" },
        })
    }
}

fn finding_text(finding: &Finding) -> String {
    let mut text = format!("  finding: {}\n", words::one_line(&finding.panic.message));
    let _ = writeln!(text, "    at {}:{}", finding.panic.file, finding.panic.line);
    for (name, value) in &finding.input {
        // Further lines of a value are indented like the body of a function.
        let value = value.replace('\n', "\n  ");
        let _ = writeln!(text, "      let {name} = {value};");
    }
    if finding.has_mocks {
        let _ = writeln!(text, "    {}", words::HELP_FOR_MOCKS);
    }
    text
}

fn finding_json(finding: &Finding) -> Value {
    let input: Map<String, Value> = finding
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
}
