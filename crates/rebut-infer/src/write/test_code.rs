//! Writes tests as text, with a map from lines to claims.

use crate::read::subject::{Parameter, Subject};
use crate::read::types;
use crate::write::test::{LawTest, TestCall};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A claim of a test, by indices; without a claim, it is the test as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClaimIndex {
    pub(crate) test: usize,
    pub(crate) claim: Option<usize>,
}

/// Returns tests as a module, and for each of its lines the claim that it belongs to.
pub(crate) fn module(
    subject: &Subject,
    name: &str,
    tests: &[LawTest],
) -> (String, Vec<Option<ClaimIndex>>) {
    let mut text = format!(
        "#[cfg(test)]\nmod {name} {{\n{}\n{}",
        subject.module.test_imports(),
        subject.state_items()
    );
    let mut lines: Vec<Option<ClaimIndex>> = text.lines().map(|_| None).collect();
    for (test, law_test) in tests.iter().enumerate() {
        let (code, claims) = law_test.code();
        text.push_str(&code);
        text.push('\n');
        lines.extend(claims.into_iter().map(|claim| Some(ClaimIndex { test, claim })));
        lines.push(None);
    }
    text.push_str("}\n");
    lines.push(None);
    (text, lines)
}

/// Lines of code, each with the index of the claim that it belongs to.
#[derive(Default)]
struct CodeLines {
    text: String,
    claims: Vec<Option<usize>>,
}

impl CodeLines {
    fn push(&mut self, code: &str, claim: Option<usize>) {
        for line in code.lines() {
            let _ = writeln!(self.text, "{line}");
            self.claims.push(claim);
        }
    }
}

impl LawTest {
    /// Returns the test as text, and for each of its lines the claim that it belongs to.
    pub(crate) fn code(&self) -> (String, Vec<Option<usize>>) {
        let mut lines = CodeLines::default();
        lines.push(&format!("/// {}", self.proof), None);
        let settings = if self.is_rare { "(rejections_max = 200)" } else { "" };
        lines.push(&format!("#[rebut::test{settings}]"), None);
        lines.push(&format!("fn {}({}) {{", self.name, self.parameters()), None);
        lines.push(&self.state_lines, None);
        let mut declared: BTreeSet<&str> = BTreeSet::new();
        for variable in &self.guard_variables {
            if declared.insert(&variable.name) {
                lines.push(&format!("let {} = {};", variable.name, variable.value), None);
            }
        }
        for condition in &self.guard {
            lines.push(&format!("rebut::assume!({condition});"), None);
        }
        for variable in self.claims.iter().flat_map(|claim| &claim.variables) {
            if declared.insert(&variable.name) {
                lines.push(&format!("let {} = {};", variable.name, variable.value), None);
            }
        }
        lines.push(&self.call_line(), None);
        for (nth, claim) in self.claims.iter().enumerate() {
            // Its statements may declare variables that others declare, too.
            let has_block = claim.statements.len() > 1 && self.claims.len() > 1;
            if has_block {
                lines.push("{", Some(nth));
            }
            for statement in &claim.statements {
                lines.push(statement, Some(nth));
            }
            if has_block {
                lines.push("}", Some(nth));
            }
        }
        lines.push("}", None);
        (lines.text, lines.claims)
    }

    fn parameters(&self) -> String {
        let mut free: Vec<&Parameter> = Vec::new();
        for parameter in self.free.iter().chain(self.claims.iter().flat_map(|claim| &claim.free)) {
            if !free.iter().any(|known| known.name == parameter.name) {
                free.push(parameter);
            }
        }
        let free = free.iter().map(|free| format!("{}: {}", free.name, types::text(&free.ty)));
        let own = self.state_parameters.iter().chain(&self.call_parameters).cloned();
        own.chain(free).collect::<Vec<_>>().join(", ")
    }

    fn call_line(&self) -> String {
        let has_result = self.claims.iter().any(|claim| claim.has_result);
        match &self.call {
            TestCall::None | TestCall::Panic => String::new(),
            TestCall::Constructor { variable, call } => format!("let {variable} = {call};"),
            TestCall::Modifier { owned_call, .. } if has_result => {
                format!("let result = {owned_call};")
            }
            TestCall::Modifier { call, has_result: true, .. } => format!("let _ = {call};"),
            TestCall::Modifier { call, .. } => format!("{call};"),
        }
    }
}
