//! Explores built probes on all processors.

use crate::explore::ExploredProbe;
use crate::laws::{self, Application, Inferred, Slot, Stage};
use crate::probe::{MODULE, Probe, ProbeSlot};
use crate::words;
use rebut_cli::arguments::Infer;
use rebut_concolic::{
    Budget, Machine, ModuleError, Outcome, Quality, Scout, ShownValue, WatchedSlots,
};
use rebut_explore::pool;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// The probes of a type, ready to run.
pub(super) struct Explorer<'a> {
    arguments: &'a Infer,
    scout: Arc<Scout>,
    /// By the name of the test: its export, and the machine that runs it.
    machines: BTreeMap<String, (String, Mutex<Machine>)>,
}

/// A probe, as the threads need it.
struct ProbeTask {
    test: String,
    slots: Vec<Slot>,
    watched: WatchedSlots,
}

/// The result of exploring a probe.
struct TaskResult {
    inferred: Inferred,
    early_panic: Option<String>,
    nondeterministic_states: Option<[Vec<ShownValue>; 2]>,
    assumes_hashes: bool,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(
        arguments: &'a Infer,
        wasm: Arc<[u8]>,
        entries: &[String],
    ) -> Result<Explorer<'a>, ModuleError> {
        let scout = Arc::new(Scout::new(wasm, rebut_build::unsupported_call)?);
        let mut names = Vec::new();
        for entry in entries {
            if let Ok(description) = scout.describe(entry)
                && let Some((_, name)) = description.path.split_once(&format!("{MODULE}::"))
            {
                names.push((name.to_owned(), entry.as_str()));
            }
        }
        let own: Vec<&str> = names.iter().map(|(_, entry)| *entry).collect();
        let machines = Machine::for_tests(&scout, &own, Quality::Draft)?;
        let machines = names
            .into_iter()
            .zip(machines)
            .map(|((name, entry), machine)| (name, (entry.to_owned(), Mutex::new(machine))));
        let machines = machines.collect();
        Ok(Explorer { arguments, scout, machines })
    }

    /// Explores probes, and returns them in the same order.
    ///
    /// # Errors
    /// If a probe is not in the build.
    pub(super) fn explore(&self, probes: Vec<Probe>) -> Result<Vec<ExploredProbe>, String> {
        let task = |probe: &Probe| ProbeTask {
            test: probe.test.name.clone(),
            slots: law_slots(probe),
            watched: probe.watched_slots(),
        };
        let tasks: Vec<ProbeTask> = probes.iter().map(task).collect();
        let results = pool::map(&tasks, |task| self.run(task));
        probes
            .into_iter()
            .zip(results)
            .map(|(probe, result)| {
                let TaskResult { inferred, early_panic, nondeterministic_states, assumes_hashes } =
                    result?;
                Ok(ExploredProbe {
                    probe,
                    inferred,
                    early_panic,
                    nondeterministic_states,
                    assumes_hashes,
                })
            })
            .collect()
    }

    fn run(&self, task: &ProbeTask) -> Result<TaskResult, String> {
        let ProbeTask { test, slots, watched } = task;
        let (entry, machine) = self.machines.get(test).ok_or_else(|| words::probe_missing(test))?;
        let budget = Budget {
            runs: self.arguments.runs,
            runs_after_failure: self.arguments.runs,
            length: self.arguments.length,
            conflicts: self.arguments.conflicts,
            ..Budget::default()
        };
        let mut machine = machine.lock().unwrap_or_else(PoisonError::into_inner);
        machine.watch(watched.clone());
        let mut exploration = laws::explore_growing(&mut machine, &budget);
        let assumes_hashes = machine.assumes_hashes();
        drop(machine);
        let early_panic = exploration.leaves.iter().find_map(|leaf| match &leaf.outcome {
            Outcome::Failed(failure) if leaf.observations.is_empty() => {
                Some(failure.message.clone())
            }
            _ => None,
        });
        let inferred = laws::infer(&mut exploration, slots, &mut budget.solver());
        let nondeterministic_states = inferred
            .nondeterminism
            .as_ref()
            .map(|pair| pair.tapes.each_ref().map(|tape| self.scout.show(entry, tape)));
        Ok(TaskResult { inferred, early_panic, nondeterministic_states, assumes_hashes })
    }
}

/// Returns the slots of a probe, as inference needs them.
fn law_slots(probe: &Probe) -> Vec<Slot> {
    let names: BTreeSet<&str> =
        probe.applications.iter().map(|one| one.observer.name.as_str()).collect();
    let shown_by = |nth: usize| {
        let (name, arguments) = probe.shown_by(nth);
        let observer = names.iter().position(|known| *known == name)?;
        let arguments: Option<Vec<u32>> =
            arguments.into_iter().map(|slot| probe.slot_number(slot)).collect();
        Some(Application { observer, arguments: arguments? })
    };
    let law_slot = |slot: &ProbeSlot| {
        let (stage, twin, shown_by) = match slot {
            ProbeSlot::Argument(_) | ProbeSlot::Free(_) => (Stage::Argument, None, None),
            ProbeSlot::Before(nth) => {
                (Stage::Before, probe.slot_number(ProbeSlot::After(*nth)), shown_by(*nth))
            }
            ProbeSlot::Result => (Stage::Call, None, None),
            ProbeSlot::After(nth) => {
                (Stage::After, probe.slot_number(ProbeSlot::Before(*nth)), shown_by(*nth))
            }
        };
        Slot { stage, twin, shown_by, is_free: matches!(slot, ProbeSlot::Free(_)) }
    };
    probe.slots.iter().map(law_slot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::probes_of_type;
    use crate::read::subject_reader::subject_in;

    #[test]
    fn slots_name_the_slots_of_their_arguments() {
        let text = "
            #[derive(Generate)] struct Bag { items: Vec<u8> }
            impl Bag {
                pub fn add(&mut self, item: u8) -> bool { true }
                pub fn has(&self, item: u8) -> bool { true }
            }
        ";
        let probes = probes_of_type(&subject_in(text, "Bag"));
        let [probe] = probes.as_slice() else { panic!("one group of observers") };
        let slots = law_slots(probe);
        let number = |slot: ProbeSlot| probe.slot_number(slot).expect("a slot");
        let (argument, free) = (number(ProbeSlot::Argument(0)), number(ProbeSlot::Free(0)));
        let slot = |number: u32| &slots[number as usize];
        assert!(slot(free).is_free && !slot(argument).is_free);
        assert_eq!(slot(number(ProbeSlot::Result)).stage, Stage::Call);
        for (nth, of) in [(0, argument), (1, free)] {
            let (before, after) = (number(ProbeSlot::Before(nth)), number(ProbeSlot::After(nth)));
            assert_eq!(slot(before).twin, Some(after));
            assert_eq!(slot(after).twin, Some(before));
            let arguments = vec![of];
            assert_eq!(slot(after).shown_by, Some(Application { observer: 0, arguments }));
        }
    }
}
