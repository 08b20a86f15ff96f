//! Formats all results except the tests: notes for people, and JSON for programs.

use crate::explore::ExploredProbe;
use crate::laws::Proof;
use crate::nondeterminism::{Nondeterminism, nondeterministic_methods};
use crate::note::Note;
use crate::probe::ProbeSlot;
use crate::read::subject::{Method, Subject};
use crate::read::types;
use crate::write::panic_conditions::simplest_panic_condition;
use crate::write::test::LawTest;
use rebut_concolic::ShownValue;
use serde_json::{Value, json};

/// Returns the notes about explored probes: nondeterminism, opaque results, unpredictable panics.
pub(crate) fn notes(subject: &Subject, all: &[ExploredProbe]) -> Vec<Note> {
    let methods = nondeterministic_methods(subject, all);
    let mut notes: Vec<Note> =
        methods.iter().map(|method| nondeterminism_note(subject, method)).collect();
    let add = |notes: &mut Vec<Note>, note: Note| {
        if !notes.contains(&note) {
            notes.push(note);
        }
    };
    for explored in all {
        for number in &explored.inferred.opaque {
            if let Some(note) = opaque_note(explored, *number) {
                add(&mut notes, note);
            }
        }
        let method = &explored.probe.method.name;
        if explored.inferred.laws.iter().any(|law| law.unless_it_panics)
            && simplest_panic_condition(all, method).is_none()
        {
            add(&mut notes, Note::UnpredictablePanic { method: method.clone() });
        }
    }
    notes
}

fn nondeterminism_note(subject: &Subject, method: &Nondeterminism<'_>) -> Note {
    Note::Nondeterminism {
        type_name: subject.name.clone(),
        method: method.method.to_owned(),
        shown_by: method.shown_by.clone(),
        states: method.states.each_ref().map(|state| let_lines(state)),
    }
}

fn opaque_note(explored: &ExploredProbe, number: u32) -> Option<Note> {
    let function = match explored.probe.slot(number)? {
        ProbeSlot::Before(nth) | ProbeSlot::After(nth) => {
            &explored.probe.applications[nth].observer
        }
        ProbeSlot::Result => &explored.probe.method,
        ProbeSlot::Argument(_) | ProbeSlot::Free(_) => return None,
    };
    let ty = types::text(function.output.as_ref()?);
    Some(Note::OpaqueResult { function: function.name.clone(), ty })
}

fn let_lines(values: &[ShownValue]) -> String {
    values.iter().map(|value| format!("    let {} = {};\n", value.name, value.code)).collect()
}

/// Returns all results as JSON.
pub(crate) fn json(
    package: &str,
    subject: &Subject,
    all: &[ExploredProbe],
    tests: &[LawTest],
    notes: &[Note],
) -> String {
    let names = |methods: &[Method]| -> Vec<String> {
        methods.iter().map(|method| method.name.clone()).collect()
    };
    let probes: Vec<Value> = all.iter().map(probe_json).collect();
    let tests: Vec<Value> = tests.iter().map(test_json).collect();
    let unsteady: Vec<Value> = nondeterministic_methods(subject, all)
        .iter()
        .map(|Nondeterminism { method, shown_by, states }| {
            let states = states.each_ref().map(|state| let_lines(state));
            json!({ "function": method, "by": shown_by, "states": states })
        })
        .collect();
    let all = json!({
        "package": package,
        "type": types::text(&subject.ty),
        "constructors": names(&subject.constructors),
        "observers": names(&subject.observers),
        "modifiers": names(&subject.modifiers),
        "paths": all.iter().map(|explored| explored.inferred.paths).sum::<usize>(),
        "probes": probes,
        "tests": tests,
        "unsteady": unsteady,
        "notes": notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    format!("{all}\n")
}

fn test_json(test: &LawTest) -> Value {
    let claims: Vec<String> = test.claims.iter().map(|claim| claim.statements.join(" ")).collect();
    json!({
        "name": test.name,
        "function": test.method,
        "guard": test.guard,
        "claims": claims,
        "proof": test.proof,
        "text": test.code().0,
    })
}

fn probe_json(explored: &ExploredProbe) -> Value {
    let inferred = &explored.inferred;
    let proof = match inferred.proof {
        Proof::All => "all".to_owned(),
        Proof::UpTo(length) => format!("at most {length} elements"),
        Proof::Held(_) => "held".to_owned(),
    };
    json!({
        "name": explored.probe.name,
        "function": explored.probe.method.name,
        "assumed": explored.probe.assumptions,
        "paths": inferred.paths,
        "groups": inferred.groups,
        "laws": inferred.laws.len(),
        "proof": proof,
    })
}
