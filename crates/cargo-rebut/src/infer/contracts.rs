//! Laws as contracts: the signatures of functions with `#[requires(..)]` and `#[ensures(..)]`.

use super::emit;
use super::explored::Found;
use super::owned::{bare, owned};
use super::probe::{Probe, Slot};
use super::subject::Subject;
use super::tidy;
use super::types;
use rebut_concolic::infer::{Claim, Law, Names};
use std::collections::BTreeMap;

/// The functions with their contracts, as the block that has them would begin.
pub(crate) fn text(subject: &Subject, all: &[Found]) -> String {
    let mut clauses: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for found in all {
        let name = found.probe.method.name.as_str();
        let calm = emit::calm(all, name);
        let own = clauses.entry(name).or_default();
        for law in tidy::laws(found) {
            let is_told = matches!(law.claim, Claim::Panics(_))
                && calm.is_some_and(|calm| calm.probe.name != found.probe.name);
            if is_told || tidy::is_said_better(subject, all, found, law) {
                continue;
            }
            if let Some(clause) = clause(subject, found, law)
                && !own.contains(&clause)
            {
                own.push(clause);
            }
        }
    }
    for own in clauses.values_mut() {
        without_what_is_required(own);
    }
    let mut text = String::new();
    for method in subject.constructors.iter().chain(&subject.modifiers) {
        let own = clauses.remove(method.name.as_str()).unwrap_or_default();
        if own.is_empty() {
            continue;
        }
        for clause in own {
            text.push_str(&format!("{clause}\n"));
        }
        text.push_str(&format!("{} {{ .. }}\n\n", method.signature));
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
        let call = call.replacen(&self.subject.variable(), "self", 1);
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
