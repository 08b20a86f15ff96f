//! Laws as contracts: the signatures of functions with `#[requires(..)]` and `#[ensures(..)]`.
//! Like tests, they are [compiled and run](tried) before they are shown.

pub(crate) mod tried;

use super::emit;
use super::explored::Found;
use super::owned::{bare, owned};
use super::probe::{Probe, Slot};
use super::subject::Subject;
use super::tidy;
use super::types;
use rebut_concolic::infer::{Claim, Law, Names};

/// The contract of a function.
pub(crate) struct Contract<'a> {
    /// A probe of the function.
    probe: &'a Probe,
    clauses: Vec<String>,
}

/// The contracts of all functions of which something can be said.
pub(crate) fn all<'a>(subject: &Subject, all: &'a [Found]) -> Vec<Contract<'a>> {
    let mut contracts: Vec<Contract<'a>> = Vec::new();
    for method in subject.constructors.iter().chain(&subject.modifiers) {
        let own = all.iter().filter(|found| found.probe.method.name == method.name);
        let mut clauses = Vec::new();
        for found in own.clone() {
            clauses_of(subject, all, found, &mut clauses);
        }
        without_what_is_required(&mut clauses);
        if let (Some(found), false) = (own.clone().next(), clauses.is_empty()) {
            contracts.push(Contract { probe: &found.probe, clauses });
        }
    }
    contracts
}

fn clauses_of(subject: &Subject, all: &[Found], found: &Found, clauses: &mut Vec<String>) {
    let calm = emit::calm(all, &found.probe.method.name);
    for law in tidy::laws(found) {
        let is_told = matches!(law.claim, Claim::Panics(_))
            && calm.is_some_and(|calm| calm.probe.name != found.probe.name);
        if is_told
            || tidy::is_said_better(subject, all, found, law)
            || tidy::is_left_to_hashes(all, found, law)
        {
            continue;
        }
        if let Some(clause) = clause(subject, found, law)
            && !clauses.contains(&clause)
        {
            clauses.push(clause);
        }
    }
}

/// The functions with their contracts, as the block that has them would begin.
pub(crate) fn text(subject: &Subject, contracts: &[Contract<'_>]) -> String {
    let mut text = String::new();
    for Contract { probe, clauses } in contracts {
        for clause in clauses {
            text.push_str(&format!("{clause}\n"));
        }
        text.push_str(&format!("{} {{ .. }}\n\n", probe.method.signature));
    }
    if text.is_empty() {
        return text;
    }
    format!("#[rebut::contract]\nimpl {} {{\n{text}}}\n", types::text(&subject.ty))
}

/// Takes out of the clauses of a function what its pre-condition says already.
fn without_what_is_required(clauses: &mut [String]) {
    let required = clauses.iter().filter_map(|clause| clause.strip_prefix("#[requires("));
    let required: Vec<String> =
        required.filter_map(|clause| clause.strip_suffix(")]")).map(str::to_owned).collect();
    for clause in clauses {
        for condition in &required {
            let alone = format!("!old({condition}) || ");
            *clause = clause.replacen(&alone, "", 1);
            *clause = clause.replacen(&format!("!old({condition} && "), "!old(", 1);
        }
    }
}

/// A law as a clause; none if it speaks of values that the function is not given.
fn clause(subject: &Subject, found: &Found, law: &Law) -> Option<String> {
    let probe = &found.probe;
    let slots = law.guard.iter().chain([&law.claim]).flat_map(Claim::slots);
    for slot in slots {
        let is_beyond =
            |nth: usize| !probe.free_in(nth).is_empty() || !probe.needed_by(nth).is_empty();
        match probe.slots.get(slot as usize)? {
            Slot::Free(_) => return None,
            Slot::Before(nth) | Slot::After(nth) if is_beyond(*nth) => return None,
            _ => {}
        }
    }
    let before = Clause { subject, found, is_old: false };
    let (variable, own) = (format!("{}.", subject.variable()), "self.");
    let assumed = probe.assumed.iter().map(|condition| condition.replace(&variable, own));
    let guard = law.guard.iter().map(|part| part.condition(&before));
    let guard = assumed.chain(guard).collect::<Vec<_>>().join(" && ");
    if let Claim::Panics(_) = &law.claim {
        let negated = match law.guard.as_slice() {
            [one] => one.not().map(|contrary| contrary.condition(&before)),
            _ => None,
        };
        return match (guard.is_empty(), negated) {
            (true, _) => Some("#[requires(false)]".to_owned()),
            (false, Some(negated)) => Some(format!("#[requires({negated})]")),
            (false, None) => Some(format!("#[requires(!({guard}))]")),
        };
    }
    let claim = law.claim.condition(&Clause { subject, found, is_old: true });
    // What does not panic is what it requires.
    let contrary = match law.guard.as_slice() {
        [one] if probe.assumed.is_empty() => one.not().map(|not| not.condition(&before)),
        _ => None,
    };
    Some(match (guard.is_empty(), contrary) {
        (true, _) => format!("#[ensures({claim})]"),
        (false, Some(contrary)) => format!("#[ensures(old({contrary}) || {claim})]"),
        (false, None) => format!("#[ensures(!old({guard}) || {claim})]"),
    })
}

/// Writes slots in a contract.
struct Clause<'a> {
    subject: &'a Subject,
    found: &'a Found,
    /// Whether what was before the call has to say so.
    is_old: bool,
}

impl Clause<'_> {
    fn application(&self, probe: &Probe, nth: usize, slot: u32) -> String {
        let call = probe.application(self.subject, nth);
        // What a constructor makes is what it gives.
        let own = if probe.is_constructor() { "result" } else { "self" };
        let call = call.replacen(&self.subject.variable(), own, 1);
        owned(&call, self.found.inferred.types.get(slot as usize).map_or("", String::as_str))
    }
}

impl Names for Clause<'_> {
    fn code(&self, slot: u32) -> String {
        let probe = &self.found.probe;
        match probe.slots.get(slot as usize) {
            Some(Slot::Given(nth)) => {
                let parameter = &probe.method.parameters[*nth];
                match types::is_copied(&parameter.ty) || !self.is_old {
                    true => parameter.name.clone(),
                    false => format!("old({}.clone())", parameter.name),
                }
            }
            Some(Slot::Before(nth)) if self.is_old => {
                format!("old({})", self.application(probe, *nth, slot))
            }
            Some(Slot::Before(nth) | Slot::After(nth)) => self.application(probe, *nth, slot),
            Some(Slot::Result) => "result".to_owned(),
            Some(Slot::Free(_)) | None => String::new(),
        }
    }

    fn type_of(&self, slot: u32) -> String {
        bare(self.found.inferred.types.get(slot as usize).map_or("", String::as_str))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_not_said_again() {
        let mut clauses = [
            "#[requires(self.count() != 0)]",
            "#[ensures(!old(self.count() != 0) || result == old(self.peek()))]",
            "#[ensures(!old(self.count() != 0 && self.is_on()) || result == 1)]",
        ]
        .map(str::to_owned);
        without_what_is_required(&mut clauses);
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
