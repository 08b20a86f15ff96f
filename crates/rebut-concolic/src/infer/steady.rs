//! Whether observations determine observations.
//!
//! If two states look alike to all observers, then after the same call with the same arguments
//! they should still look alike. Otherwise there is something that no observer shows,
//! or an observer shows what nobody was meant to see. Mostly the laws alone decide it: they say
//! what the new observations are in terms of the old ones. Where they do not, pairs of paths are
//! asked for two such states.

use std::collections::HashMap;

use rebut_choice::Tape;
use rebut_smt::{Answer, Model, Term};

use super::claim::Claim;
use super::paths::Paths;
use super::reduce::Anything;
use super::view::View;
use super::{Law, Stage};

/// So many pairs of paths are asked.
const PAIRS_MAX: usize = 1_000;

/// Two states that look alike before a call, and not after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsteady {
    /// What tells them apart afterward; nothing if one of the calls panics and the other not.
    pub slot: Option<u32>,
    /// Inputs that lead to them.
    pub tapes: [Tape; 2],
}

/// What was found out.
pub(super) struct Steady {
    pub(super) is_proved: bool,
    pub(super) unsteady: Option<Unsteady>,
}

/// Looks for two states that no observer tells apart until the call.
///
/// `tells_panics` says that guards tell exactly when the call panics.
pub(super) fn check(
    paths: &mut Paths<'_>,
    laws: &[Law],
    states: &[Claim],
    tells_panics: bool,
) -> Steady {
    let mut targets = open_targets(paths, laws, states);
    if !tells_panics {
        targets.insert(0, None);
    }
    if targets.is_empty() {
        return Steady { is_proved: true, unsteady: None };
    }
    let mut asked = 0;
    let mut is_proved = true;
    let mut renamed = Renamed::default();
    for a in 0..paths.len() {
        for b in a..paths.len() {
            if !has_same_lengths(paths, a, b) {
                continue;
            }
            if asked == PAIRS_MAX {
                return Steady { is_proved: false, unsteady: None };
            }
            asked += 1;
            match pair(paths, &mut renamed, &targets, a, b) {
                Ok(None) => {}
                Ok(Some(unsteady)) => {
                    return Steady { is_proved: false, unsteady: Some(unsteady) };
                }
                Err(Unclear) => is_proved = false,
            }
        }
    }
    Steady { is_proved, unsteady: None }
}

/// The solver does not know, or something cannot be compared.
struct Unclear;

/// The slots that the laws alone do not determine.
fn open_targets(paths: &mut Paths<'_>, laws: &[Law], states: &[Claim]) -> Vec<Option<u32>> {
    let worlds = [Anything::new(paths), Anything::new(paths)];
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

/// Whether what was seen before can be the same on two paths, by its outer form.
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

/// Variables of a second state.
#[derive(Default)]
struct Renamed {
    known: HashMap<Term, Term>,
}

impl Renamed {
    fn terms(&mut self, paths: &mut Paths<'_>, terms: &[Term]) -> Vec<Term> {
        for variable in paths.pool.variables(terms) {
            let sort = paths.pool.sort(variable);
            let known = self.known.entry(variable);
            known.or_insert_with(|| paths.pool.fresh("other", sort));
        }
        paths.pool.replaced(terms, &mut self.known)
    }

    fn view(&mut self, paths: &mut Paths<'_>, view: &View) -> View {
        let one = |this: &mut Renamed, paths: &mut Paths<'_>, term: Term| {
            this.terms(paths, &[term]).first().copied().unwrap_or(term)
        };
        match view {
            View::Scalar(how, term) => View::Scalar(*how, one(self, paths, *term)),
            View::Truth(term) => View::Truth(one(self, paths, *term)),
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

/// Asks for two states, one on each path, that look alike before the call and not after it.
fn pair(
    paths: &mut Paths<'_>,
    renamed: &mut Renamed,
    targets: &[Option<u32>],
    a: usize,
    b: usize,
) -> Result<Option<Unsteady>, Unclear> {
    let mut question = Vec::new();
    for slot in seen_before(paths) {
        let mine = view(&paths.world(a).views, slot).cloned().ok_or(Unclear)?;
        let theirs = view(&paths.world(b).views, slot).cloned().ok_or(Unclear)?;
        let theirs = renamed.view(paths, &theirs);
        question.push(mine.eq(paths.pool, &theirs).ok_or(Unclear)?);
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
                let mine = view(&paths.world(a).views, *slot).cloned().ok_or(Unclear)?;
                let theirs = view(&paths.world(b).views, *slot).cloned().ok_or(Unclear)?;
                let theirs = renamed.view(paths, &theirs);
                let is_same = mine.eq(paths.pool, &theirs).ok_or(Unclear)?;
                paths.pool.not(is_same)
            }
        };
        question.push(is_other);
        match paths.solver.check_assuming(paths.pool, &question) {
            Answer::Unsat => {}
            Answer::Unknown(_) => return Err(Unclear),
            Answer::Sat(model) => {
                let other = other_model(renamed, &model);
                let tapes = [paths.tape_with(a, &model), paths.tape_with(b, &other)];
                return Ok(Some(Unsteady { slot: *target, tapes }));
            }
        }
        question.pop();
    }
    Ok(None)
}

/// The values of the second state, by the names that the first has for them.
fn other_model(renamed: &Renamed, model: &Model) -> Model {
    let values = renamed.known.iter();
    Model::new(values.filter_map(|(mine, other)| Some((*mine, model.get(*other)?.clone()))))
}
