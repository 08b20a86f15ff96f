//! Writes laws as contracts: signatures with `#[requires(..)]` and `#[ensures(..)]`.
//!
//! A law `guard => claim` becomes `#[ensures(!old(guard) || claim)]`. Observations before the call
//! are in `old(..)`, and the object is `self`, or `result` for a constructor. When a call panics
//! becomes `#[requires(..)]`: callers must not call it then. Laws about free values have no clause,
//! because a contract can only use the arguments of its function.

use crate::explore::ExploredProbe;
use crate::laws::{Claim, Law};
use crate::probe::{Probe, ProbeSlot};
use crate::read::subject::Subject;
use crate::read::types;
use crate::write::claim_code::SlotCode;
use crate::write::owned_value::owned;
use crate::write::selection;
use std::fmt::Write as _;

/// The contract of a function.
pub(crate) struct Contract<'a> {
    /// A probe of the function.
    pub(crate) probe: &'a Probe,
    /// The clauses, as attributes.
    pub(crate) clauses: Vec<String>,
}

/// Returns the contracts of all functions that have clauses.
pub(crate) fn contracts<'a>(subject: &Subject, all: &'a [ExploredProbe]) -> Vec<Contract<'a>> {
    let mut contracts: Vec<Contract<'a>> = Vec::new();
    for method in subject.constructors.iter().chain(&subject.modifiers) {
        let own = all.iter().filter(|explored| explored.probe.method.name == method.name);
        let mut clauses = Vec::new();
        for explored in own.clone() {
            add_clauses(subject, all, explored, &mut clauses);
        }
        drop_required_guards(&mut clauses);
        if let (Some(explored), false) = (own.clone().next(), clauses.is_empty()) {
            contracts.push(Contract { probe: &explored.probe, clauses });
        }
    }
    contracts
}

fn add_clauses(
    subject: &Subject,
    all: &[ExploredProbe],
    explored: &ExploredProbe,
    clauses: &mut Vec<String>,
) {
    for law in selection::selected_laws(subject, all, explored) {
        if let Some(clause) = clause(subject, explored, law)
            && !clauses.contains(&clause)
        {
            clauses.push(clause);
        }
    }
}

/// Returns the functions with their contracts, as an `impl` block without bodies.
pub(crate) fn contracts_text(subject: &Subject, contracts: &[Contract<'_>]) -> String {
    let mut text = String::new();
    for Contract { probe, clauses } in contracts {
        for clause in clauses {
            let _ = writeln!(text, "{clause}");
        }
        let _ = writeln!(text, "{} {{ .. }}\n", probe.method.signature);
    }
    if text.is_empty() {
        return text;
    }
    format!("#[rebut::contract]\nimpl {} {{\n{text}}}\n", types::text(&subject.ty))
}

/// Drops guards that the preconditions of the same function contain already.
fn drop_required_guards(clauses: &mut [String]) {
    let required: Vec<String> =
        clauses.iter().filter_map(|clause| required_condition(clause)).map(str::to_owned).collect();
    for clause in clauses {
        for condition in &required {
            let alone = format!("!old({condition}) || ");
            *clause = clause.replacen(&alone, "", 1);
            *clause = clause.replacen(&format!("!old({condition} && "), "!old(", 1);
        }
    }
}

/// Returns the condition of a `requires` clause.
pub(crate) fn required_condition(clause: &str) -> Option<&str> {
    clause.strip_prefix("#[requires(")?.strip_suffix(")]")
}

/// Returns a law as a clause; `None` if it uses values that are not arguments of the function.
fn clause(subject: &Subject, explored: &ExploredProbe, law: &Law) -> Option<String> {
    let probe = &explored.probe;
    let mut slots = law.guard.iter().chain([&law.claim]).flat_map(Claim::slots);
    let is_expressible = |number: u32| match probe.slot(number) {
        None | Some(ProbeSlot::Free(_)) => false,
        Some(ProbeSlot::Before(nth) | ProbeSlot::After(nth)) => {
            probe.free_arguments(nth).is_empty() && probe.earlier_arguments(nth).is_empty()
        }
        Some(ProbeSlot::Argument(_) | ProbeSlot::Result) => true,
    };
    if !slots.all(is_expressible) {
        return None;
    }
    let before = ContractSlots { subject, explored, is_after: false };
    let variable = format!("{}.", subject.variable());
    let assumptions = probe.assumptions.iter();
    let assumptions = assumptions.map(|condition| condition.replace(&variable, "self."));
    let guard = law.guard.iter().map(|part| part.condition(&before));
    let guard = assumptions.chain(guard).collect::<Vec<_>>().join(" && ");
    let negated_guard = match law.guard.as_slice() {
        [one] => one.not().map(|contrary| contrary.condition(&before)),
        _ => None,
    };
    if let Claim::Panics(_) = &law.claim {
        return Some(match (guard.is_empty(), negated_guard) {
            (true, _) => "#[requires(false)]".to_owned(),
            (false, Some(negated)) => format!("#[requires({negated})]"),
            (false, None) => format!("#[requires(!({guard}))]"),
        });
    }
    let claim = law.claim.condition(&ContractSlots { subject, explored, is_after: true });
    Some(match (guard.is_empty(), negated_guard.filter(|_| probe.assumptions.is_empty())) {
        (true, _) => format!("#[ensures({claim})]"),
        (false, Some(negated)) => format!("#[ensures(old({negated}) || {claim})]"),
        (false, None) => format!("#[ensures(!old({guard}) || {claim})]"),
    })
}

/// Writes slots in a contract.
struct ContractSlots<'a> {
    subject: &'a Subject,
    explored: &'a ExploredProbe,
    /// Whether the expression is evaluated after the call, so that observations before it need
    /// `old(..)`.
    is_after: bool,
}

impl ContractSlots<'_> {
    fn application(&self, nth: usize, number: u32) -> String {
        let probe = &self.explored.probe;
        let call = probe.application_code(self.subject, nth);
        let object = if probe.is_constructor() { "result" } else { "self" };
        let call = call.replacen(&self.subject.variable(), object, 1);
        owned(&call, self.explored.slot_type(number))
    }
}

impl SlotCode for ContractSlots<'_> {
    fn code(&self, number: u32) -> String {
        let probe = &self.explored.probe;
        match probe.slot(number) {
            Some(ProbeSlot::Argument(nth)) => {
                let parameter = &probe.method.parameters[nth];
                match types::is_copied(&parameter.ty) || !self.is_after {
                    true => parameter.name.clone(),
                    false => format!("old({}.clone())", parameter.name),
                }
            }
            Some(ProbeSlot::Before(nth)) if self.is_after => {
                format!("old({})", self.application(nth, number))
            }
            Some(ProbeSlot::Before(nth) | ProbeSlot::After(nth)) => self.application(nth, number),
            Some(ProbeSlot::Result) => "result".to_owned(),
            Some(ProbeSlot::Free(_)) | None => String::new(),
        }
    }

    fn type_of(&self, number: u32) -> String {
        self.explored.owned_type(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_do_not_repeat_preconditions() {
        let mut clauses = [
            "#[requires(self.count() != 0)]",
            "#[ensures(!old(self.count() != 0) || result == old(self.peek()))]",
            "#[ensures(!old(self.count() != 0 && self.is_on()) || result == 1)]",
        ]
        .map(str::to_owned);
        drop_required_guards(&mut clauses);
        assert_eq!(
            clauses,
            [
                "#[requires(self.count() != 0)]",
                "#[ensures(result == old(self.peek()))]",
                "#[ensures(!old(self.is_on()) || result == 1)]",
            ]
        );
    }
}
