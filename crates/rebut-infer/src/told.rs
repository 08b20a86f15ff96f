//! What was found out besides tests: states that look alike and do not stay so, functions of which
//! nothing is known, and all of it for programs.

use super::emit::{self, Test};
use super::explored::Found;
use super::probe::Slot;
use super::subject::{Method, Subject};
use super::types;
use rebut_concolic::ShownValue;
use rebut_concolic::infer::Proof;
use serde_json::{Value, json};

/// Two states that no observer tells apart, until something is called.
pub(crate) struct Unsteady<'f> {
    pub(crate) method: &'f str,
    /// The observer that tells them apart then; none if one of the calls panics.
    pub(crate) by: Option<String>,
    pub(crate) states: &'f [Vec<ShownValue>; 2],
}

/// Where the type is not observably deterministic. Observers that take something are looked at
/// for a few values only, so what they show for others may well decide it: they are not told.
/// And what one probe of a function does not determine, another may.
pub(crate) fn unsteady<'f>(subject: &Subject, all: &'f [Found]) -> Vec<Unsteady<'f>> {
    let mut told: Vec<Unsteady<'f>> = Vec::new();
    for found in all {
        let method = found.probe.method.name.as_str();
        if told.iter().any(|known| known.method == method) {
            continue;
        }
        let own = || all.iter().filter(|other| other.probe.method.name == method);
        let Some(what) = shown_by(subject, found) else { continue };
        let agree = own().all(|other| shown_by(subject, other).as_ref() == Some(&what));
        if let (true, Some(states)) = (agree, &found.pair) {
            told.push(Unsteady { method, by: what, states });
        }
    }
    told
}

/// What tells two states apart that looked alike; none if nothing does.
fn shown_by(subject: &Subject, found: &Found) -> Option<Option<String>> {
    let unsteady = found.inferred.nondeterminism.as_ref()?;
    let Some(slot) = unsteady.slot else { return Some(None) };
    match found.probe.slots.get(slot as usize)? {
        Slot::After(nth) if found.probe.applications[*nth].takes_nothing() => {
            Some(Some(found.probe.application(subject, *nth)))
        }
        Slot::Result => Some(Some(found.probe.call_text(subject))),
        _ => None,
    }
}

/// What people should know besides the tests.
pub(crate) fn notes(subject: &Subject, all: &[Found]) -> Vec<String> {
    let mut notes: Vec<String> =
        unsteady(subject, all).iter().map(|one| one.text(subject)).collect();
    let mut opaque: Vec<String> = Vec::new();
    for found in all {
        for slot in &found.inferred.opaque {
            let of = match found.probe.slots.get(*slot as usize) {
                Some(Slot::Before(nth) | Slot::After(nth)) => {
                    let observer = &found.probe.applications[*nth].observer;
                    (&observer.name, &observer.output)
                }
                Some(Slot::Result) => (&found.probe.method.name, &found.probe.method.output),
                _ => continue,
            };
            let (name, Some(output)) = of else { continue };
            let note = format!(
                "not comparing results of `{name}`: Rebut cannot look inside a `{}`",
                types::text(output)
            );
            if !opaque.contains(&note) {
                opaque.push(note);
            }
        }
        let name = &found.probe.method.name;
        if found.inferred.laws.iter().any(|law| law.unless_it_panics)
            && emit::calm(all, name).is_none()
        {
            let note = format!(
                "dropped some laws of `{name}`: no observable condition predicts when it panics"
            );
            if !opaque.contains(&note) {
                opaque.push(note);
            }
        }
    }
    notes.extend(opaque);
    notes
}

impl Unsteady<'_> {
    fn text(&self, subject: &Subject) -> String {
        let told = match &self.by {
            Some(by) => format!("after `{}`, `{by}` differs", self.method),
            None => format!("`{}` panics only in one of them", self.method),
        };
        let state = |nth: usize| lines(&self.states[nth]);
        format!(
            "`{}` is not observably deterministic: no observer distinguishes these two states, but \
             {told}\n  one:\n{}  the other:\n{}  An observer is missing, or one shows a detail \
             that callers should not rely on.",
            subject.name,
            state(0),
            state(1)
        )
    }
}

fn lines(values: &[ShownValue]) -> String {
    values.iter().map(|value| format!("    let {} = {};\n", value.name, value.code)).collect()
}

/// All of it for programs.
pub(crate) fn json(
    package: &str,
    subject: &Subject,
    all: &[Found],
    tests: &[Test],
    notes: &[String],
) -> String {
    let names = |methods: &[Method]| -> Vec<String> {
        methods.iter().map(|method| method.name.clone()).collect()
    };
    let probes: Vec<Value> = all.iter().map(probe).collect();
    let tests: Vec<Value> = tests
        .iter()
        .map(|test| {
            let claims: Vec<String> =
                test.claims.iter().map(|claim| claim.statements.join(" ")).collect();
            json!({
                "name": test.name,
                "function": test.method,
                "guard": test.guard,
                "claims": claims,
                "proof": test.proof,
                "text": test.write().0,
            })
        })
        .collect();
    let unsteady: Vec<Value> = unsteady(subject, all)
        .iter()
        .map(|one| {
            json!({ "function": one.method, "by": one.by, "states": one.states.each_ref().map(|state| lines(state)) })
        })
        .collect();
    let all = json!({
        "package": package,
        "type": types::text(&subject.ty),
        "constructors": names(&subject.constructors),
        "observers": names(&subject.observers),
        "modifiers": names(&subject.modifiers),
        "paths": all.iter().map(|found| found.inferred.paths).sum::<usize>(),
        "probes": probes,
        "tests": tests,
        "unsteady": unsteady,
        "notes": notes,
    });
    format!("{all}\n")
}

fn probe(found: &Found) -> Value {
    let inferred = &found.inferred;
    let proof = match inferred.proof {
        Proof::All => "all".to_owned(),
        Proof::UpTo(length) => format!("at most {length} elements"),
        Proof::Held(_) => "held".to_owned(),
    };
    json!({
        "name": found.probe.name,
        "function": found.probe.method.name,
        "assumed": found.probe.assumed,
        "paths": inferred.paths,
        "groups": inferred.groups,
        "laws": inferred.laws.len(),
        "proof": proof,
    })
}
