//! Builds probes, explores them and infers what each of them tells.
//!
//! An observer that panics ends the run before the call is seen. So it is taken out where it
//! does, and its probe is explored once more. If it can be said when it panics, the probe is
//! explored with it as well, without the cases in which it does. All of this is done with the
//! same code: a probe asks which of its observers are wanted. Steps on the way to a state that
//! panic are taken out, and only then probes are built anew.

use super::emit;
use super::probe::{self, Call, MODULE, Probe, Slot};
use super::subject::{Method, Subject};
use crate::words::{self, say};
use rebut_build::{Overlay, Request, Toolchain};
use rebut_cli::arguments::Infer;
use rebut_cli::exit::{Exit, Failure};
use rebut_concolic::infer::{Application, Inferred, Slot as Told, Stage};
use rebut_concolic::{
    Budget, Machine, ModuleError, Outcome, Quality, Scout, ShownValue, WatchedSlots,
};
use rebut_explore::problem;
use rebut_protocol::wasm;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The stack of a thread that runs tests: more than the tests may use of it.
const STACK: usize = 64 << 20;

/// How often probes are written anew without what panics.
const ROUNDS_MAX: usize = 6;

/// What a probe has told.
pub(crate) struct Found {
    pub(crate) probe: Probe,
    pub(crate) inferred: Inferred,
    /// Whether some run ended before anything was observed.
    fails_early: Option<String>,
    /// The two states that look alike and become different, as values of parameters.
    pub(crate) pair: Option<[Vec<ShownValue>; 2]>,
    /// Whether all keys of hash tables were given the same hash.
    pub(crate) assumes_hashes: bool,
}

/// The request for a build of the package with other text in the file of the type.
pub(crate) fn request(arguments: &Infer, package: &str, subject: &Subject, added: &str) -> Request {
    let module = &subject.module;
    let (before, after) = module.text.split_at(module.end);
    let text = format!("{before}{added}{after}");
    Request {
        manifest: arguments.manifest_path.clone(),
        packages: vec![package.to_owned()],
        features: rebut_explore::features(&arguments.features),
        overlay: Overlay { files: [(module.file.clone(), text)].into(), adds_rebut: true },
        ..Request::default()
    }
}

/// Explores all probes of a type. What had to be left out is added to its notes.
pub(crate) fn all(
    arguments: &Infer,
    package: &str,
    subject: &mut Subject,
) -> Result<Vec<Found>, Failure> {
    let mut step = |step: &str| say(step);
    let toolchain = Toolchain::find(&mut step).map_err(problem)?;
    let mut explorer = built(arguments, package, subject, &toolchain)?;
    let mut open = probe::all(subject);
    let mut done: Vec<Found> = Vec::new();
    let mut hidden = Hidden::default();
    for _ in 0..ROUNDS_MAX {
        let found = explorer.all(open).map_err(internal)?;
        let (complete, partial): (Vec<Found>, Vec<Found>) =
            found.into_iter().partition(|found| found.inferred.panicking_observers.is_empty());
        done.extend(complete);
        open = partial.iter().map(|found| without_partial(subject, found, &mut hidden)).collect();
        if leave_out_steps(subject, &done) {
            explorer = built(arguments, package, subject, &toolchain)?;
            open = probe::all(subject);
            done.clear();
            hidden = Hidden::default();
        }
        open.extend(hidden.next(subject, &done));
        if open.is_empty() {
            break;
        }
    }
    for probe in open.iter().filter(|probe| probe.call != Call::Observer) {
        subject.notes.push(words::always_panics(&probe.method.name));
    }
    subject.notes.extend(hidden.notes(subject));
    done.retain(|found| found.probe.call != Call::Observer);
    let order = |found: &Found| {
        let all = subject.constructors.iter().chain(&subject.modifiers);
        let place = all.into_iter().position(|method| method.name == found.probe.method.name);
        (place, found.probe.name.clone())
    };
    done.sort_by_key(order);
    Ok(done)
}

/// Applications that panic in some states, so that they are not seen before a call.
#[derive(Default)]
struct Hidden {
    all: Vec<Lost>,
    /// The observers whose panics are or were looked at.
    asked: BTreeSet<String>,
}

/// An application that is left out before a call.
struct Lost {
    /// The name of the probe, and its application.
    probe: String,
    nth: usize,
    method: String,
    observer: Method,
    call: String,
    message: String,
    is_shown: bool,
}

impl Hidden {
    /// What to explore next: when observers panic, and once that is known, the probes in which
    /// they do not.
    fn next(&mut self, subject: &Subject, done: &[Found]) -> Vec<Probe> {
        let mut next = Vec::new();
        for lost in &mut self.all {
            if self.asked.insert(lost.observer.name.clone()) {
                next.push(probe::of_observer(subject, &lost.observer));
                continue;
            }
            let is_own = |found: &&Found| found.probe.name == lost.probe;
            let is_about = |found: &&Found| {
                found.probe.call == Call::Observer && found.probe.method.name == lost.observer.name
            };
            let own = done.iter().find(is_own).map(|found| &found.probe);
            let about = done.iter().find(is_about);
            if let (false, Some(own), Some(about)) = (lost.is_shown, own, about)
                && let Some(assumed) = emit::shown_if(subject, about, own, lost.nth)
            {
                lost.is_shown = true;
                next.push(probe::assuming(subject, own, lost.nth, assumed));
            }
        }
        next
    }

    /// What is not seen after all.
    fn notes(&self, subject: &Subject) -> Vec<String> {
        let mut notes = Vec::new();
        for lost in self.all.iter().filter(|lost| !lost.is_shown) {
            let Lost { call, method, message, .. } = lost;
            let note = words::partial_observer(call, "before", method, message);
            if !notes.contains(&note) && !subject.notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }
}

/// A probe without the observers that panic, and only where they do.
fn without_partial(subject: &mut Subject, found: &Found, hidden: &mut Hidden) -> Probe {
    let probe = &found.probe;
    let mut slots = Vec::new();
    for partial in &found.inferred.panicking_observers {
        let Some(slot) = probe.slots.get(partial.slot as usize).copied() else { continue };
        slots.push(slot);
        let (Slot::Before(nth) | Slot::After(nth)) = slot else { continue };
        let call = probe.application(subject, nth);
        let (method, message) = (probe.method.name.clone(), partial.message.clone());
        let is_kept = probe.call == Call::Modifier && probe.focus.is_none();
        match slot {
            Slot::Before(_) if is_kept && probe.needed_by(nth).is_empty() => {
                let observer = probe.applications[nth].observer.clone();
                let (probe, is_shown) = (probe.name.clone(), false);
                hidden.all.push(Lost { probe, nth, method, observer, call, message, is_shown });
            }
            _ if is_kept => {
                let when = if matches!(slot, Slot::Before(_)) { "before" } else { "after" };
                let note = words::partial_observer(&call, when, &method, &message);
                if !subject.notes.contains(&note) {
                    subject.notes.push(note);
                }
            }
            _ => {}
        }
    }
    probe::without(subject, probe, &slots)
}

/// Takes out the steps that may panic, if some state cannot be reached; whether there are any.
fn leave_out_steps(subject: &mut Subject, done: &[Found]) -> bool {
    let Some(message) = done.iter().find_map(|found| found.fails_early.clone()) else {
        return false;
    };
    let panics = |name: &str| {
        let mut own = done.iter().filter(|found| found.probe.method.name == name);
        own.any(|found| !found.inferred.panics.is_empty())
    };
    let before = subject.steps.len();
    let mut left_out = Vec::new();
    subject.steps.retain(|step| {
        let stays = !panics(&step.name);
        if !stays {
            left_out.push(step.name.clone());
        }
        stays
    });
    for name in left_out {
        subject.notes.push(words::step_left_out(&name, &message));
    }
    subject.steps.len() < before
}

fn internal(why: String) -> Failure {
    Failure::new(Exit::Internal, words::error(why))
}

/// Builds all probes of a type, and those of its observers, and makes them ready.
fn built<'a>(
    arguments: &'a Infer,
    package: &str,
    subject: &Subject,
    toolchain: &Toolchain,
) -> Result<Explorer<'a>, Failure> {
    let mut probes = probe::all(subject);
    probes.extend(subject.observers.iter().map(|observer| probe::of_observer(subject, observer)));
    let request = request(arguments, package, subject, &probe::module(subject, &probes));
    let mut step = |step: &str| say(step);
    let built = rebut_build::build(toolchain, &request, &mut step).map_err(problem)?;
    let Some(module) = built.modules.first() else {
        let why = built.skipped.first().map(|one| one.reason.clone()).unwrap_or_default();
        return Err(Failure::new(Exit::Build, words::probes_not_built(&why)));
    };
    let wasm: Arc<[u8]> = fs::read(&module.path)
        .map_err(|error| Failure::new(Exit::File, words::file_failed(&module.path, "read", error)))?
        .into();
    let is_probe = |entry: &&String| {
        let name = wasm::test_of_export(entry);
        name.is_some_and(|name| probes.iter().any(|probe| probe.test.name == name))
    };
    let entries: Vec<String> = module.entries.iter().filter(is_probe).cloned().collect();
    Explorer::new(arguments, wasm, &entries).map_err(|unfit| internal(unfit.to_string()))
}

/// The probes of a type, ready to run.
struct Explorer<'a> {
    arguments: &'a Infer,
    scout: Arc<Scout>,
    /// By the name of the test: its export, and what runs it.
    machines: BTreeMap<String, (String, Mutex<Machine>)>,
}

/// A probe, for the threads that explore.
struct Task {
    test: String,
    slots: Vec<Told>,
    watch: WatchedSlots,
}

impl<'a> Explorer<'a> {
    fn new(
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

    /// Explores on all processors, in order.
    fn all(&self, probes: Vec<Probe>) -> Result<Vec<Found>, String> {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(probes.len());
        let task = |probe: &Probe| Task {
            test: probe.test.name.clone(),
            slots: told(probe),
            watch: probe.watch(),
        };
        let tasks: Vec<Task> = probes.iter().map(task).collect();
        let next = AtomicUsize::new(0);
        let told: Mutex<Vec<(usize, Result<Explored, String>)>> = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..threads {
                let worker = || loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(number) else { break };
                    let explored = self.one(task);
                    told.lock().unwrap_or_else(PoisonError::into_inner).push((number, explored));
                };
                let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
                if let Err(error) = spawned {
                    say(&words::error(error));
                }
            }
        });
        let mut told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
        told.sort_by_key(|(number, _)| *number);
        if told.len() < probes.len() {
            return Err(words::WORKER_DIED.to_owned());
        }
        let explored = told.into_iter().map(|(_, explored)| explored);
        probes
            .into_iter()
            .zip(explored)
            .map(|(probe, explored)| {
                let Explored { inferred, fails_early, pair, assumes_hashes } = explored?;
                Ok(Found { probe, inferred, fails_early, pair, assumes_hashes })
            })
            .collect()
    }

    fn one(&self, task: &Task) -> Result<Explored, String> {
        let Task { test, slots, watch } = task;
        let (entry, machine) = self.machines.get(test).ok_or_else(|| words::probe_missing(test))?;
        let budget = Budget {
            runs: self.arguments.runs,
            runs_after_failure: self.arguments.runs,
            length: self.arguments.length,
            conflicts: self.arguments.conflicts,
            ..Budget::default()
        };
        let mut machine = machine.lock().unwrap_or_else(PoisonError::into_inner);
        machine.watch(watch.clone());
        let mut exploration = rebut_concolic::infer::explore_growing(&mut machine, &budget);
        let assumes_hashes = machine.assumes_hashes();
        drop(machine);
        let early = exploration.leaves.iter().find_map(|leaf| match &leaf.outcome {
            Outcome::Failed(failure) if leaf.observations.is_empty() => Some(&failure.message),
            _ => None,
        });
        let fails_early = early.cloned();
        let inferred = rebut_concolic::infer::infer(&mut exploration, slots, &mut budget.solver());
        let unsteady = inferred.nondeterminism.as_ref();
        let pair = unsteady
            .map(|unsteady| [0, 1].map(|nth: usize| self.scout.show(entry, &unsteady.tapes[nth])));
        Ok(Explored { inferred, fails_early, pair, assumes_hashes })
    }
}

struct Explored {
    inferred: Inferred,
    fails_early: Option<String>,
    pair: Option<[Vec<ShownValue>; 2]>,
    assumes_hashes: bool,
}

/// The slots of a probe, for those who infer.
fn told(probe: &Probe) -> Vec<Told> {
    let place = |wanted: Slot| {
        let found = probe.slots.iter().position(|slot| *slot == wanted);
        found.and_then(|place| u32::try_from(place).ok())
    };
    let names: BTreeSet<&str> =
        probe.applications.iter().map(|one| one.observer.name.as_str()).collect();
    let shown_by = |nth: usize| {
        let (name, arguments) = probe.shown_by(nth);
        let observer = names.iter().position(|known| *known == name)?;
        let arguments: Option<Vec<u32>> = arguments.into_iter().map(place).collect();
        Some(Application { observer, arguments: arguments? })
    };
    let told = |slot: &Slot| {
        let (stage, twin, shown_by) = match slot {
            Slot::Given(_) | Slot::Free(_) => (Stage::Argument, None, None),
            Slot::Before(nth) => (Stage::Before, place(Slot::After(*nth)), shown_by(*nth)),
            Slot::Result => (Stage::Call, None, None),
            Slot::After(nth) => (Stage::After, place(Slot::Before(*nth)), shown_by(*nth)),
        };
        Told { stage, twin, shown_by, is_free: matches!(slot, Slot::Free(_)) }
    };
    probe.slots.iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sources::Module;
    use super::super::subject::{Wanted, find};
    use super::*;
    use std::path::PathBuf;
    use std::rc::Rc;

    fn probes(text: &str, name: &str) -> Vec<Probe> {
        let items = syn::parse_file(text).expect("a file").items;
        let (text, end) = (Rc::from(text), text.len());
        let module =
            Module { path: Vec::new(), file: PathBuf::new(), text, end, items, is_no_std: false };
        probe::all(&find(&[module], name, &Wanted::default()).expect("a subject"))
    }

    #[test]
    fn what_is_observed_is_told_with_what_it_is_observed_of() {
        let text = "
            #[derive(Generate)] struct Bag { items: Vec<u8> }
            impl Bag {
                pub fn add(&mut self, item: u8) -> bool { true }
                pub fn has(&self, item: u8) -> bool { true }
            }
        ";
        let probes = probes(text, "Bag");
        let [probe] = probes.as_slice() else { panic!("one group of observers") };
        let told = told(probe);
        let place = |slot: Slot| probe.slots.iter().position(|own| *own == slot).expect("a slot");
        let (given, free) = (place(Slot::Given(0)), place(Slot::Free(0)));
        assert!(told[free].is_free && !told[given].is_free);
        assert_eq!(told[place(Slot::Result)].stage, Stage::Call);
        for (nth, of) in [(0, given), (1, free)] {
            let (before, after) = (place(Slot::Before(nth)), place(Slot::After(nth)));
            assert_eq!(told[before].twin, Some(after as u32));
            assert_eq!(told[after].twin, Some(before as u32));
            let arguments = vec![of as u32];
            assert_eq!(told[after].shown_by, Some(Application { observer: 0, arguments }));
        }
    }
}
