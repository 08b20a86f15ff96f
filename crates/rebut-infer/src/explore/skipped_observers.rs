//! Observers that panic in some states, and probes that observe them in the others.

use crate::explore::ExploredProbe;
use crate::note::{CallStage, Note};
use crate::probe::{self, Probe};
use crate::read::subject::{Method, MethodRole, Subject};
use crate::write::panic_conditions::conditions_without_panic;
use std::collections::BTreeSet;

/// The observers that are not called before a method, because they panic in some states.
#[derive(Default)]
pub(super) struct SkippedObservers {
    all: Vec<SkippedObserver>,
    /// The observers whose own panics are or were explored.
    explored: BTreeSet<String>,
}

/// An application that is left out before a call.
pub(super) struct SkippedObserver {
    /// The name of the probe, and the index of the application in it.
    pub(super) probe: String,
    pub(super) nth: usize,
    pub(super) method: String,
    pub(super) observer: Method,
    pub(super) call: String,
    pub(super) message: String,
    /// Whether another probe observes it, where it does not panic.
    pub(super) is_shown: bool,
}

impl SkippedObservers {
    pub(super) fn push(&mut self, skipped: SkippedObserver) {
        self.all.push(skipped);
    }

    /// Returns the probes to explore next: when observers panic, and once that is known, the
    /// original probes in the states where they do not.
    pub(super) fn next_probes(&mut self, subject: &Subject, done: &[ExploredProbe]) -> Vec<Probe> {
        let mut next = Vec::new();
        for skipped in &mut self.all {
            if self.explored.insert(skipped.observer.name.clone()) {
                next.push(probe::probe_of_observer(subject, &skipped.observer));
                continue;
            }
            let is_original = |explored: &&ExploredProbe| explored.probe.name == skipped.probe;
            let is_of_observer = |explored: &&ExploredProbe| {
                let method = &explored.probe.method;
                method.role == MethodRole::Observer && method.name == skipped.observer.name
            };
            let original = done.iter().find(is_original).map(|explored| &explored.probe);
            let of_observer = done.iter().find(is_of_observer);
            if let (false, Some(original), Some(of_observer)) =
                (skipped.is_shown, original, of_observer)
                && let Some(assumptions) =
                    conditions_without_panic(subject, of_observer, original, skipped.nth)
            {
                skipped.is_shown = true;
                next.push(probe::probe_assuming(subject, original, skipped.nth, assumptions));
            }
        }
        next
    }

    /// Returns notes about the observers that no probe observes.
    pub(super) fn notes(&self, subject: &Subject) -> Vec<Note> {
        let mut notes = Vec::new();
        for skipped in self.all.iter().filter(|skipped| !skipped.is_shown) {
            let SkippedObserver { call, method, message, .. } = skipped;
            let note = Note::SkippedObserver {
                call: call.clone(),
                stage: CallStage::Before,
                method: method.clone(),
                message: message.clone(),
            };
            if !notes.contains(&note) && !subject.notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }
}
