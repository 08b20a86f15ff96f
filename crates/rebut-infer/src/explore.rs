//! Builds the probes of a type, explores them, and infers the laws of each.
//!
//! An observer that panics ends the run before the call is observed. It is dropped from that side
//! of the call on which it panics, and the probe is explored again. A probe of the observer itself
//! finds when it panics; if guards describe that, the original probe is explored once more with the
//! observer, in the states where it does not panic (`skipped_observers`). All of this uses the same
//! build: the explorer chooses the slots of a probe.
//!
//! If a step toward a state panics, the method is no longer used as a step. Only then are the
//! probes built again.

mod explorer;
mod skipped_observers;

use crate::laws::Inferred;
use crate::note::{CallStage, Note};
use crate::probe::{self, Probe, ProbeSlot};
use crate::read::subject::{MethodRole, Subject};
use crate::words::{self, say};
use explorer::Explorer;
use rebut_build::{Overlay, Request, Toolchain};
use rebut_cli::arguments::Infer;
use rebut_cli::exit::{Exit, Failure};
use rebut_concolic::{ShownValue, TypeName};
use rebut_explore::problem;
use rebut_protocol::wasm;
use skipped_observers::{SkippedObserver, SkippedObservers};
use std::fs;
use std::sync::Arc;

/// The largest number of rounds in which probes are explored again without observers that panic.
/// Arbitrary: one round finds all panics on one side of the call, so few types need more than
/// three. At the limit, the method is skipped with a note.
const ROUNDS_MAX: usize = 6;

/// A probe with its laws.
pub(crate) struct ExploredProbe {
    pub(crate) probe: Probe,
    pub(crate) inferred: Inferred,
    /// The message of a panic before anything was observed, if a run ended that way.
    early_panic: Option<String>,
    /// Two states that look alike before the call and not after it, as values of parameters.
    pub(crate) nondeterministic_states: Option<[Vec<ShownValue>; 2]>,
    /// Whether all keys of hash tables had the same hash.
    pub(crate) assumes_hashes: bool,
}

impl ExploredProbe {
    /// Returns the type of a slot, if it was observed.
    pub(crate) fn slot_type(&self, number: u32) -> Option<&TypeName> {
        self.inferred.types.get(number as usize)?.as_ref()
    }

    /// Returns the type of a slot as code, without references: for `i32::MAX`.
    pub(crate) fn owned_type(&self, number: u32) -> String {
        let type_name = self.slot_type(number).map(TypeName::without_references);
        type_name.map(ToString::to_string).unwrap_or_default()
    }
}

#[cfg(test)]
impl ExploredProbe {
    /// Returns a probe with these laws, proved on one path, and slots of these types.
    pub(crate) fn with_laws(
        probe: Probe,
        laws: Vec<crate::laws::Law>,
        types: &[&str],
    ) -> ExploredProbe {
        let inferred = Inferred {
            laws,
            determined: Vec::new(),
            states: Vec::new(),
            panics: Vec::new(),
            panics_if: Some(Vec::new()),
            nondeterminism: None,
            is_deterministic: true,
            panicking_observers: Vec::new(),
            opaque: Vec::new(),
            types: types.iter().map(|name| Some(TypeName::parse(name))).collect(),
            proof: crate::laws::Proof::All,
            paths: 1,
            groups: 1,
        };
        let (early_panic, nondeterministic_states) = (None, None);
        ExploredProbe {
            probe,
            inferred,
            early_panic,
            nondeterministic_states,
            assumes_hashes: false,
        }
    }
}

/// Returns the request for a build of the package with code added to the type's module.
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

/// Explores all probes of a type. Adds the observers and methods that were left out to its notes.
///
/// # Errors
/// If the probes cannot be built.
pub(crate) fn explore_probes(
    arguments: &Infer,
    package: &str,
    subject: &mut Subject,
) -> Result<Vec<ExploredProbe>, Failure> {
    let mut step = |step: &str| say(step);
    let toolchain = Toolchain::find(&mut step).map_err(problem)?;
    let mut explorer = build_explorer(arguments, package, subject, &toolchain)?;
    let mut open = probe::probes_of_type(subject);
    let mut done: Vec<ExploredProbe> = Vec::new();
    let mut skipped = SkippedObservers::default();
    for _ in 0..ROUNDS_MAX {
        let explored = explorer.explore(open).map_err(internal)?;
        let (complete, partial): (Vec<ExploredProbe>, Vec<ExploredProbe>) =
            explored.into_iter().partition(|one| one.inferred.panicking_observers.is_empty());
        done.extend(complete);
        open = partial
            .iter()
            .map(|explored| without_panicking_observers(subject, explored, &mut skipped))
            .collect();
        if drop_panicking_steps(subject, &done) {
            explorer = build_explorer(arguments, package, subject, &toolchain)?;
            open = probe::probes_of_type(subject);
            done.clear();
            skipped = SkippedObservers::default();
        }
        open.extend(skipped.next_probes(subject, &done));
        if open.is_empty() {
            break;
        }
    }
    for probe in open.iter().filter(|probe| probe.method.role != MethodRole::Observer) {
        subject.notes.push(Note::NoObserverAfter { method: probe.method.name.clone() });
    }
    subject.notes.extend(skipped.notes(subject));
    done.retain(|explored| explored.probe.method.role != MethodRole::Observer);
    let order = |explored: &ExploredProbe| {
        let mut methods = subject.constructors.iter().chain(&subject.modifiers);
        let index = methods.position(|method| method.name == explored.probe.method.name);
        (index, explored.probe.name.clone())
    };
    done.sort_by_key(order);
    Ok(done)
}

/// Returns a probe without the observers that panic, on the side of the call where they do.
fn without_panicking_observers(
    subject: &mut Subject,
    explored: &ExploredProbe,
    skipped: &mut SkippedObservers,
) -> Probe {
    let probe = &explored.probe;
    let mut slots = Vec::new();
    for panicking in &explored.inferred.panicking_observers {
        let Some(slot) = probe.slot(panicking.slot) else { continue };
        slots.push(slot);
        let (nth, stage) = match slot {
            ProbeSlot::Before(nth) => (nth, CallStage::Before),
            ProbeSlot::After(nth) => (nth, CallStage::After),
            _ => continue,
        };
        if probe.method.role != MethodRole::Modifier || probe.focus.is_some() {
            continue;
        }
        let call = probe.application_code(subject, nth);
        let (method, message) = (probe.method.name.clone(), panicking.message.clone());
        if stage == CallStage::Before && probe.earlier_arguments(nth).is_empty() {
            skipped.push(SkippedObserver {
                probe: probe.name.clone(),
                nth,
                method,
                observer: probe.applications[nth].observer.clone(),
                call,
                message,
                is_shown: false,
            });
        } else {
            let note = Note::SkippedObserver { call, stage, method, message };
            if !subject.notes.contains(&note) {
                subject.notes.push(note);
            }
        }
    }
    probe::probe_without(subject, probe, &slots)
}

/// Drops the steps that may panic, if some state was not reached. Returns whether there are any.
fn drop_panicking_steps(subject: &mut Subject, done: &[ExploredProbe]) -> bool {
    let Some(message) = done.iter().find_map(|explored| explored.early_panic.clone()) else {
        return false;
    };
    let panics = |name: &str| {
        let mut own = done.iter().filter(|explored| explored.probe.method.name == name);
        own.any(|explored| !explored.inferred.panics.is_empty())
    };
    let dropped: Vec<String> =
        subject.steps.extract_if(.., |step| panics(&step.name)).map(|step| step.name).collect();
    let has_dropped = !dropped.is_empty();
    let note = |method| Note::SkippedStep { method, message: message.clone() };
    subject.notes.extend(dropped.into_iter().map(note));
    has_dropped
}

fn internal(why: String) -> Failure {
    Failure::new(Exit::Internal, words::error(why))
}

/// Builds all probes of a type and of its observers.
fn build_explorer<'a>(
    arguments: &'a Infer,
    package: &str,
    subject: &Subject,
    toolchain: &Toolchain,
) -> Result<Explorer<'a>, Failure> {
    let mut probes = probe::probes_of_type(subject);
    let observers = subject.observers.iter();
    probes.extend(observers.map(|observer| probe::probe_of_observer(subject, observer)));
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
    Explorer::new(arguments, wasm, &entries).map_err(|error| internal(error.to_string()))
}
