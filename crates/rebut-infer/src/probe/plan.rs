//! Decides which observers a probe applies, and to which values.

use crate::probe::{Application, ObserverArgument, Probe, ProbeSlot, ProbeTest};
use crate::read::subject::{Method, MethodRole, Parameter, Subject};
use crate::read::types;
use std::rc::Rc;
use syn::Type;

/// The largest number of applications in one probe. Later ones are left out, and have no laws.
/// Arbitrary: observers with several parameters are applied to all combinations of arguments.
const APPLICATIONS_MAX: usize = 24;

/// The names of observers that return the number of elements.
const LENGTH_NAMES: &[&str] = &["len", "count", "size", "length", "depth", "height"];

/// Returns the observers of each probe. Observers without parameters are in all of them, the
/// others are with those that take the same types.
pub(super) fn observer_groups(subject: &Subject) -> Vec<Vec<&Method>> {
    let (plain, others): (Vec<&Method>, Vec<&Method>) =
        subject.observers.iter().partition(|observer| observer.parameters.is_empty());
    let mut groups: Vec<(Vec<String>, Vec<&Method>)> = Vec::new();
    for observer in others {
        let types: Vec<String> =
            observer.parameters.iter().map(|parameter| passed_type(&parameter.ty)).collect();
        match groups.iter_mut().find(|(known, _)| *known == types) {
            Some((_, group)) => group.push(observer),
            None => groups.push((types, vec![observer])),
        }
    }
    if groups.is_empty() {
        return vec![plain];
    }
    groups.into_iter().map(|(_, group)| plain.iter().copied().chain(group).collect()).collect()
}

/// Returns one name for all types whose values can be passed for each other.
fn passed_type(ty: &Type) -> String {
    match types::text(types::without_reference(ty)).as_str() {
        "str" => "String".to_owned(),
        other => other.to_owned(),
    }
}

/// A probe before its code is written.
pub(super) struct ProbePlan<'s> {
    subject: &'s Subject,
    method: &'s Method,
    free: Vec<Parameter>,
    pub(super) assumptions: Vec<String>,
    pub(super) focus: Option<usize>,
    /// The code, if it is written already.
    test: Option<Rc<ProbeTest>>,
}

impl<'s> ProbePlan<'s> {
    pub(super) fn new(subject: &'s Subject, method: &'s Method) -> ProbePlan<'s> {
        let (free, assumptions) = (Vec::new(), Vec::new());
        ProbePlan { subject, method, free, assumptions, focus: None, test: None }
    }

    /// Returns the plan of a probe that has the same code.
    pub(super) fn from_probe(subject: &'s Subject, probe: &'s Probe) -> ProbePlan<'s> {
        let Probe { method, free, assumptions, focus, test, .. } = probe;
        let (free, assumptions, test) = (free.clone(), assumptions.clone(), Some(Rc::clone(test)));
        ProbePlan { subject, method, free, assumptions, focus: *focus, test }
    }

    /// Applies each observer to all combinations of its possible arguments.
    pub(super) fn applications(&mut self, observers: &[&Method]) -> Vec<Application> {
        let mut applications: Vec<Application> = Vec::new();
        for observer in observers {
            let mut combinations: Vec<Vec<ObserverArgument>> = vec![Vec::new()];
            for parameter in &observer.parameters {
                let candidates = self.candidates(parameter, &applications);
                combinations = combinations
                    .iter()
                    .flat_map(|first| {
                        candidates
                            .iter()
                            .map(|next| first.iter().copied().chain([*next]).collect::<Vec<_>>())
                    })
                    .collect();
            }
            for arguments in combinations {
                let observer = (*observer).clone();
                let (is_before, is_after) = (true, true);
                applications.push(Application { observer, arguments, is_before, is_after });
            }
        }
        applications.truncate(APPLICATIONS_MAX);
        applications
    }

    /// Returns the values that a parameter of an observer can have.
    fn candidates(
        &mut self,
        parameter: &Parameter,
        applications: &[Application],
    ) -> Vec<ObserverArgument> {
        let wanted_type = passed_type(&parameter.ty);
        let own = self.method.parameters.iter().enumerate();
        let fitting = own.filter(|(_, own)| passed_type(&own.ty) == wanted_type);
        let mut candidates: Vec<ObserverArgument> =
            fitting.map(|(nth, _)| ObserverArgument::Argument(nth)).collect();
        if types::is_integer(&parameter.ty) && self.method.role != MethodRole::Constructor {
            let is_length = |(_, application): &(usize, &Application)| {
                let Method { name, parameters, output, .. } = &application.observer;
                let is_fitting =
                    output.as_ref().is_some_and(|output| passed_type(output) == wanted_type);
                parameters.is_empty() && is_fitting && LENGTH_NAMES.contains(&name.as_str())
            };
            if let Some((length, _)) = applications.iter().enumerate().find(is_length) {
                candidates.push(ObserverArgument::Earlier(length));
            }
        }
        candidates.push(ObserverArgument::Free(self.free_value(parameter, &wanted_type)));
        candidates
    }

    /// Returns the free value of a type; adds it if it is new.
    fn free_value(&mut self, parameter: &Parameter, wanted_type: &str) -> usize {
        let known = self.free.iter().position(|free| passed_type(&free.ty) == wanted_type);
        known.unwrap_or_else(|| {
            let name = format!("other_{}", parameter.name.trim_start_matches("r#"));
            self.free.push(Parameter { name, ty: parameter.ty.clone() });
            self.free.len() - 1
        })
    }

    /// Builds the probe. Writes its code, unless the plan is that of another probe.
    pub(super) fn probe(mut self, name: &str, applications: Vec<Application>) -> Probe {
        let is_used = |nth: usize| {
            let observed = applications.iter().filter(|one| one.is_before || one.is_after);
            let mut arguments = observed.flat_map(|one| &one.arguments);
            arguments.any(|argument| *argument == ObserverArgument::Free(nth))
        };
        // Arguments are indices into the free values, so only unused ones at the end are dropped.
        let used = (0..self.free.len()).filter(|nth| is_used(*nth)).max().map_or(0, |nth| nth + 1);
        self.free.truncate(used);
        let slots = self.slots(&applications);
        let mut probe = Probe {
            name: name.to_owned(),
            test: self.test.clone().unwrap_or_default(),
            method: self.method.clone(),
            assumptions: self.assumptions,
            focus: self.focus,
            applications,
            free: self.free,
            slots,
        };
        if self.test.is_none() {
            let (slots, code) = (probe.slots.clone(), probe.test_code(self.subject));
            probe.test = Rc::new(ProbeTest { name: name.to_owned(), slots, code });
        }
        probe
    }

    fn slots(&self, applications: &[Application]) -> Vec<ProbeSlot> {
        let mut slots: Vec<ProbeSlot> =
            (0..self.method.parameters.len()).map(ProbeSlot::Argument).collect();
        slots.extend((0..self.free.len()).map(ProbeSlot::Free));
        if self.method.role != MethodRole::Constructor {
            let is_observed = |nth: &usize| applications[*nth].is_before;
            slots.extend((0..applications.len()).filter(is_observed).map(ProbeSlot::Before));
        }
        slots.push(ProbeSlot::Result);
        let is_observed = |nth: &usize| applications[*nth].is_after;
        slots.extend((0..applications.len()).filter(is_observed).map(ProbeSlot::After));
        slots
    }
}
