//! Checks that observations determine observations.
//!
//! If two states look alike to all observers, they should still look alike after the same call with
//! the same arguments. Otherwise no observer shows some part of the state, or an observer shows
//! something that is not meant to be seen. Mostly the laws alone decide this: they define the new
//! observations in terms of the old ones. Where they do not, pairs of paths are queried for two
//! such states.

use std::collections::HashMap;

use rebut_choice::Tape;
use rebut_smt::{Answer, Model, Term};

use super::claim::Claim;
use super::paths::Paths;
use super::reduce::FreeWorld;
use super::view::View;
use super::{Law, Stage};

/// The largest number of pairs of paths that are queried. At the limit, determinism is neither
/// proved nor refuted. Arbitrary; the number of pairs is quadratic in the paths.
const PAIRS_MAX: usize = 1_000;

/// Two states that look alike before a call, and not after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NondeterministicPair {
    /// The slot that distinguishes them after the call; `None` if only one of the calls panics.
    pub slot: Option<u32>,
    /// Inputs that lead to them.
    pub tapes: [Tape; 2],
}

/// The result of the check.
pub(super) struct Determinism {
    pub(super) is_proved: bool,
    pub(super) nondeterminism: Option<NondeterministicPair>,
}

/// Looks for two states that no observer distinguishes before the call, and one does after it.
///
/// `panics_are_characterized`: guards describe exactly when the call panics.
pub(super) fn check(
    paths: &mut Paths<'_>,
    laws: &[Law],
    states: &[Claim],
    panics_are_characterized: bool,
) -> Determinism {
    let mut targets = open_targets(paths, laws, states);
    if !panics_are_characterized {
        targets.insert(0, None);
    }
    if targets.is_empty() {
        return Determinism { is_proved: true, nondeterminism: None };
    }
    let mut queries = 0;
    let mut is_proved = true;
    let mut renamed = RenamedVariables::default();
    for a in 0..paths.len() {
        for b in a..paths.len() {
            if !has_same_lengths(paths, a, b) {
                continue;
            }
            if queries == PAIRS_MAX {
                return Determinism { is_proved: false, nondeterminism: None };
            }
            queries += 1;
            match pair(paths, &mut renamed, &targets, a, b) {
                Ok(None) => {}
                Ok(Some(nondeterminism)) => {
                    return Determinism { is_proved: false, nondeterminism: Some(nondeterminism) };
                }
                Err(Undecided) => is_proved = false,
            }
        }
    }
    Determinism { is_proved, nondeterminism: None }
}

/// The solver does not know, or two values cannot be compared.
struct Undecided;

/// Returns the slots that the laws alone do not determine.
fn open_targets(paths: &mut Paths<'_>, laws: &[Law], states: &[Claim]) -> Vec<Option<u32>> {
    let worlds = [FreeWorld::new(paths), FreeWorld::new(paths)];
    let mut known = Vec::new();
    for world in &worlds {
        known.extend(world.states(paths, states));
        known.extend(world.congruences(paths));
        for law in laws {
            known.extend(world.law(paths, law));
        }
    }
    let [first, second] = &worlds;
    for slot in seen_before(paths) {
        if let (Some(a), Some(b)) =
            (view(&first.world.views, slot), view(&second.world.views, slot))
            && let Some(is_same) = a.eq(paths.pool, b)
        {
            known.push(is_same);
        }
    }
    let mut open = Vec::new();
    for world in &worlds {
        if let Some(panics) = world.world.panics {
            known.push(paths.pool.not(panics));
        }
    }
    for slot in seen_after(paths) {
        let (Some(a), Some(b)) = (view(&first.world.views, slot), view(&second.world.views, slot))
        else {
            continue;
        };
        let Some(is_same) = a.eq(paths.pool, b) else { continue };
        let mut question = known.clone();
        question.push(paths.pool.not(is_same));
        if !matches!(paths.solver.check_assuming(paths.pool, &question), Answer::Unsat) {
            open.push(Some(slot));
        }
    }
    open
}

fn view(views: &[Option<View>], slot: u32) -> Option<&View> {
    views.get(slot as usize)?.as_ref()
}

fn seen_before(paths: &Paths<'_>) -> Vec<u32> {
    [paths.slots_of(Stage::Argument), paths.slots_of(Stage::Before)].concat()
}

fn seen_after(paths: &Paths<'_>) -> Vec<u32> {
    [paths.slots_of(Stage::Call), paths.slots_of(Stage::After)].concat()
}

/// Whether two paths have the same lengths and variants before the call, so that their states can
/// look alike.
fn has_same_lengths(paths: &Paths<'_>, a: usize, b: usize) -> bool {
    seen_before(paths).into_iter().all(|slot| {
        match (view(&paths.world(a).views, slot), view(&paths.world(b).views, slot)) {
            (
                Some(View::Sequence { length: mine, .. }),
                Some(View::Sequence { length: theirs, .. }),
            ) => mine == theirs,
            (Some(View::Variant { tag: mine, .. }), Some(View::Variant { tag: theirs, .. })) => {
                mine == theirs
            }
            (Some(_), Some(_)) => true,
            _ => false,
        }
    })
}

/// The variables of the second state: fresh copies of those of the first.
#[derive(Default)]
struct RenamedVariables {
    known: HashMap<Term, Term>,
}

impl RenamedVariables {
    fn terms(&mut self, paths: &mut Paths<'_>, terms: &[Term]) -> Vec<Term> {
        for variable in paths.pool.variables(terms) {
            let sort = paths.pool.sort(variable);
            let known = self.known.entry(variable);
            known.or_insert_with(|| paths.pool.fresh("other", sort));
        }
        paths.pool.replaced(terms, &mut self.known)
    }

    fn view(&mut self, paths: &mut Paths<'_>, view: &View) -> View {
        let one = |this: &mut RenamedVariables, paths: &mut Paths<'_>, term: Term| {
            this.terms(paths, &[term]).first().copied().unwrap_or(term)
        };
        match view {
            View::Scalar(how, term) => View::Scalar(*how, one(self, paths, *term)),
            View::Boolean(term) => View::Boolean(one(self, paths, *term)),
            View::Sequence { length, items } => View::Sequence {
                length: *length,
                items: items.iter().map(|item| self.view(paths, item)).collect(),
            },
            View::Tuple(parts) => {
                View::Tuple(parts.iter().map(|part| self.view(paths, part)).collect())
            }
            View::Variant { tag, held } => View::Variant {
                tag: *tag,
                held: held
                    .iter()
                    .map(|(number, parts)| {
                        (*number, parts.iter().map(|part| self.view(paths, part)).collect())
                    })
                    .collect(),
            },
        }
    }
}

/// Queries for two states, one on each path, that look alike before the call and not after it.
fn pair(
    paths: &mut Paths<'_>,
    renamed: &mut RenamedVariables,
    targets: &[Option<u32>],
    a: usize,
    b: usize,
) -> Result<Option<NondeterministicPair>, Undecided> {
    let mut question = Vec::new();
    for slot in seen_before(paths) {
        let mine = view(&paths.world(a).views, slot).cloned().ok_or(Undecided)?;
        let theirs = view(&paths.world(b).views, slot).cloned().ok_or(Undecided)?;
        let theirs = renamed.view(paths, &theirs);
        question.push(mine.eq(paths.pool, &theirs).ok_or(Undecided)?);
    }
    let all = paths.all_conditions(a);
    question.extend(all);
    let theirs = paths.all_conditions(b);
    question.extend(renamed.terms(paths, &theirs));
    for target in targets {
        let is_other = match target {
            None => {
                let differs = paths.is_panic(a) != paths.is_panic(b);
                paths.pool.bool(differs)
            }
            Some(_) if paths.is_panic(a) || paths.is_panic(b) => continue,
            Some(slot) => {
                let mine = view(&paths.world(a).views, *slot).cloned().ok_or(Undecided)?;
                let theirs = view(&paths.world(b).views, *slot).cloned().ok_or(Undecided)?;
                let theirs = renamed.view(paths, &theirs);
                let is_same = mine.eq(paths.pool, &theirs).ok_or(Undecided)?;
                paths.pool.not(is_same)
            }
        };
        question.push(is_other);
        match paths.solver.check_assuming(paths.pool, &question) {
            Answer::Unsat => {}
            Answer::Unknown(_) => return Err(Undecided),
            Answer::Sat(model) => {
                let other = other_model(renamed, &model);
                let tapes = [paths.tape_with(a, &model), paths.tape_with(b, &other)];
                return Ok(Some(NondeterministicPair { slot: *target, tapes }));
            }
        }
        question.pop();
    }
    Ok(None)
}

/// Returns the values of the second state, by the variables of the first.
fn other_model(renamed: &RenamedVariables, model: &Model) -> Model {
    let values = renamed.known.iter();
    Model::new(values.filter_map(|(mine, other)| Some((*mine, model.get(*other)?.clone()))))
}
