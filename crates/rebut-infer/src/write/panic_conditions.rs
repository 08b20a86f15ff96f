//! Writes the conditions under which a call does not panic.

use crate::explore::ExploredProbe;
use crate::laws::Claim;
use crate::probe::{Probe, ProbeSlot};
use crate::read::subject::{StateSource, Subject};
use crate::write::claim_code::SlotCode;
use crate::write::owned_value::owned;
use crate::write::test_slots::{Moment, TestSlots};

/// Returns the conditions under which an application of a probe does not panic, in terms of other
/// observers. `of_observer` is the explored probe of the observer itself. `None` if no guards
/// describe its panics.
pub(crate) fn conditions_without_panic(
    subject: &Subject,
    of_observer: &ExploredProbe,
    probe: &Probe,
    nth: usize,
) -> Option<Vec<String>> {
    let cases = of_observer.inferred.panics_if.as_ref()?;
    let slots = ApplicationSlots { subject, of_observer, probe, nth };
    Some(cases.iter().map(|case| negated(case, &slots)).collect())
}

/// Writes the slots of the probe of an observer as those of one application of that observer.
struct ApplicationSlots<'a> {
    subject: &'a Subject,
    of_observer: &'a ExploredProbe,
    probe: &'a Probe,
    nth: usize,
}

impl SlotCode for ApplicationSlots<'_> {
    fn code(&self, number: u32) -> String {
        match self.of_observer.probe.slot(number) {
            Some(ProbeSlot::Argument(parameter)) => {
                self.probe.application_argument(self.nth, parameter).unwrap_or_default()
            }
            Some(ProbeSlot::Before(nth)) => {
                let call = self.of_observer.probe.application_code(self.subject, nth);
                owned(&call, self.of_observer.slot_type(number))
            }
            _ => String::new(),
        }
    }

    fn type_of(&self, number: u32) -> String {
        self.of_observer.owned_type(number)
    }
}

/// Returns the conditions under which the constructor of states does not panic, in terms of its
/// parameters. Empty if it never panics, or if no guards describe its panics.
pub(crate) fn constructor_conditions(subject: &Subject, all: &[ExploredProbe]) -> Vec<String> {
    let StateSource::Constructor(constructor) = &subject.states else { return Vec::new() };
    let Some(explored) = simplest_panic_condition(all, &constructor.name) else {
        return Vec::new();
    };
    let slots = TestSlots::new(subject, explored, Moment::BeforeCall);
    let cases = explored.inferred.panics_if.iter().flatten();
    cases.map(|case| negated(case, &slots)).collect()
}

/// Returns the probe of a method with the simplest condition for a panic. All tests of a method
/// use the same condition, so that those with the same guard can be merged.
pub(crate) fn simplest_panic_condition<'p>(
    all: &'p [ExploredProbe],
    method: &str,
) -> Option<&'p ExploredProbe> {
    let uses_free_value = |explored: &ExploredProbe, claim: &Claim| {
        claim.slots().iter().any(|number| match explored.probe.slot(*number) {
            Some(ProbeSlot::Free(_)) => true,
            Some(ProbeSlot::Before(nth)) => !explored.probe.free_arguments(nth).is_empty(),
            _ => false,
        })
    };
    let effort = |explored: &&ExploredProbe| {
        let cases = explored.inferred.panics_if.iter().flatten();
        let conditions: Vec<&Claim> = cases.flatten().collect();
        let has_free_value = conditions.iter().any(|claim| uses_free_value(explored, claim));
        (has_free_value, conditions.len())
    };
    let own = all.iter().filter(|explored| explored.probe.method.name == method);
    let described = own
        .filter(|explored| explored.inferred.panics_if.is_some() && explored.probe.focus.is_none());
    described.min_by_key(effort)
}

/// Returns the condition that not all of these claims are true.
pub(crate) fn negated(case: &[Claim], slots: &dyn SlotCode) -> String {
    match case {
        [one] => match one.not() {
            Some(contrary) => contrary.condition(slots),
            None => format!("!({})", one.condition(slots)),
        },
        several => {
            let parts: Vec<String> = several.iter().map(|part| part.condition(slots)).collect();
            format!("!({})", parts.join(" && "))
        }
    }
}
