//! Which of the candidates are laws, and which of these are worth keeping.
//!
//! A law that follows from others is dropped. To see whether it does, the observations are taken
//! to be anything at all (sequences of a few elements): only the laws connect them, and not the
//! code. So a law is kept as long as it says something that the others do not.

use std::collections::{HashMap, HashSet};

use rebut_smt::{Answer, Sort, Term};

use super::candidates::{Candidates, Effect};
use super::claim::{Claim, Expr, Meaning, World};
use super::paths::{ClaimId, Paths};
use super::{Law, Stage, instances};

/// Sequences that are anything have at most so many elements.
const ITEMS_MAX: usize = 3;

/// So many pairs of conditions are looked at for one slot.
const PAIRS_MAX: usize = 4_000;

/// So many conditions are compared with each other.
const PARTS_MAX: usize = 40;

/// Observations that nothing but laws connects.
pub(super) struct FreeWorld {
    pub(super) world: World,
    constraints: Vec<Term>,
}

impl FreeWorld {
    pub(super) fn new(paths: &mut Paths<'_>) -> FreeWorld {
        let mut constraints = Vec::new();
        let mut views = Vec::new();
        for slot in 0..paths.slots.len() as u32 {
            // What only ever is empty after the call need not have been so before it.
            let twin = paths.slots[slot as usize].twin.and_then(|twin| paths.shape(twin)).cloned();
            let shape = paths.shape(slot).cloned().map(|shape| match twin {
                Some(twin) => shape.join(twin),
                None => shape,
            });
            views.push(shape.map(|shape| shape.any(paths.pool, ITEMS_MAX, &mut constraints)));
        }
        let panics = Some(paths.pool.fresh("panics", Sort::Bool));
        FreeWorld { world: World { views, panics }, constraints }
    }

    fn term(&self, paths: &mut Paths<'_>, claim: &Claim) -> Option<Term> {
        let mut meaning = Meaning { pool: paths.pool, tags: &paths.tags, world: &self.world };
        meaning.of(claim)
    }

    /// What a law says.
    pub(super) fn law(&self, paths: &mut Paths<'_>, law: &Law) -> Option<Term> {
        let mut guard = Vec::new();
        for part in &law.guard {
            guard.push(self.term(paths, part)?);
        }
        let claim = self.term(paths, &law.claim)?;
        if !matches!(law.claim, Claim::Panics(_)) {
            let panics = self.world.panics?;
            guard.push(paths.pool.not(panics));
        }
        let guard = paths.pool.all(&guard);
        Some(paths.pool.implies(guard, claim))
    }

    /// What is so of all functions, as far as observers are some: of equal arguments they show the
    /// same.
    pub(super) fn congruences(&self, paths: &mut Paths<'_>) -> Vec<Term> {
        let arguments = paths.slots_of(Stage::Argument);
        let mut terms = Vec::new();
        for (a, b) in pairs_of_one_type(paths, &arguments) {
            let is_same = Claim::Same(Expr::Slot(a), Expr::Slot(b));
            for stage in [Stage::Before, Stage::After] {
                let slots = paths.slots_of(stage);
                for (one, other) in pairs_of_one_type(paths, &slots) {
                    let shows_same = Claim::Same(Expr::Slot(one), Expr::Slot(other));
                    let law = Law {
                        guard: vec![is_same.clone()],
                        claim: shows_same,
                        unless_it_panics: stage == Stage::After,
                    };
                    let guard = paths.id_of(&is_same);
                    let claim = paths.id_of(&law.claim);
                    if paths.holds(&[guard], claim) {
                        terms.extend(self.law(paths, &law));
                    }
                }
            }
        }
        terms.extend(self.observer_congruences(paths));
        terms
    }

    /// That an observer shows the same of the same, whatever it is applied to.
    fn observer_congruences(&self, paths: &mut Paths<'_>) -> Vec<Term> {
        let mut terms = Vec::new();
        for (a, b, pairs) in instances::pairs_of_one_observer(paths.slots) {
            let is_same = |(a, b): (u32, u32)| Claim::Same(Expr::Slot(a), Expr::Slot(b));
            let mut guard = Vec::new();
            for pair in pairs {
                guard.push(self.term(paths, &is_same(pair)));
            }
            let guard: Option<Vec<Term>> = guard.into_iter().collect();
            if let (Some(guard), Some(shows_same)) = (guard, self.term(paths, &is_same((a, b)))) {
                let guard = paths.pool.all(&guard);
                terms.push(paths.pool.implies(guard, shows_same));
            }
        }
        terms
    }

    /// What a law says of values that it does not name: it is so of any value.
    fn instances(&self, paths: &mut Paths<'_>, law: &Law, slot: u32) -> Vec<(u32, Term)> {
        let mut terms = Vec::new();
        for other in instances::substitutions(paths) {
            let map = |slot: u32| instances::substitute(paths.slots, &other, slot);
            let guard: Option<Vec<Claim>> =
                law.guard.iter().map(|part| part.with_slots(&map)).collect();
            let (Some(guard), Some(claim), Some(slot)) =
                (guard, law.claim.with_slots(&map), map(slot))
            else {
                continue;
            };
            if claim != law.claim || guard != law.guard {
                let instance = Law { guard, claim, unless_it_panics: law.unless_it_panics };
                terms.extend(self.law(paths, &instance).map(|term| (slot, term)));
            }
        }
        terms
    }

    /// What is so in all states, of that before the call.
    fn states_before(&self, paths: &mut Paths<'_>, states: &[Claim]) -> Vec<Term> {
        let mut terms = self.constraints.clone();
        terms.extend(states.iter().filter_map(|claim| self.term(paths, claim)));
        terms
    }

    /// What is so in all states, before the call and after it.
    pub(super) fn states(&self, paths: &mut Paths<'_>, states: &[Claim]) -> Vec<Term> {
        let mut terms = self.states_before(paths, states);
        for claim in states {
            if let Some(later) = after_call(paths, claim)
                && let Some(term) = self.term(paths, &later)
                && let Some(panics) = self.world.panics
            {
                terms.push(paths.pool.or(panics, term));
            }
        }
        terms
    }
}

/// All pairs of slots of one type.
fn pairs_of_one_type(paths: &Paths<'_>, slots: &[u32]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (n, &a) in slots.iter().enumerate() {
        let others = slots[n + 1..].iter().filter(|b| paths.type_of(a) == paths.type_of(**b));
        pairs.extend(others.map(|b| (a, *b)));
    }
    pairs
}

/// Whether something follows from these, whatever the observations are.
fn follows(paths: &mut Paths<'_>, from: &[Term], claim: Term) -> bool {
    let mut question = from.to_vec();
    question.push(paths.pool.not(claim));
    matches!(paths.solver.check_assuming(paths.pool, &question), Answer::Unsat)
}

/// The same claim about the state after the call.
fn after_call(paths: &Paths<'_>, claim: &Claim) -> Option<Claim> {
    let later = |slot: u32| {
        let this = paths.slots.get(slot as usize)?;
        match this.stage {
            Stage::Before => this.twin.filter(|twin| paths.shape(*twin).is_some()),
            Stage::Argument => Some(slot),
            Stage::Call | Stage::After => None,
        }
    };
    claim.with_slots(&later)
}

/// What is so in all states.
pub(super) fn states(paths: &mut Paths<'_>, candidates: &[Claim]) -> Vec<Claim> {
    let free_world = FreeWorld::new(paths);
    let mut known = free_world.constraints.clone();
    let mut states = Vec::new();
    for claim in candidates {
        let id = paths.id_of(claim);
        let later = after_call(paths, claim).map(|later| paths.id_of(&later));
        let Some(term) = free_world.term(paths, claim) else { continue };
        if has_constant_side(paths, claim)
            || !paths.is_defined(id, true)
            || !paths.holds(&[], id)
            || !later.is_none_or(|later| paths.holds(&[], later))
            || follows(paths, &known, term)
        {
            continue;
        }
        known.push(term);
        states.push(claim.clone());
    }
    // What came later may say what came before.
    let mut place = states.len();
    while place > 0 {
        place -= 1;
        let mut others = free_world.constraints.clone();
        for (n, other) in states.iter().enumerate() {
            if n != place {
                others.extend(free_world.term(paths, other));
            }
        }
        if let Some(term) = free_world.term(paths, &states[place])
            && follows(paths, &others, term)
        {
            states.remove(place);
        }
    }
    states
}

/// Whether two things are said to come to the same of which one was never seen to change.
fn has_constant_side(paths: &mut Paths<'_>, claim: &Claim) -> bool {
    let Claim::Iff(a, b) = claim else { return false };
    [a, b].into_iter().any(|side| {
        let id = paths.id_of(side);
        let seen = paths.pattern(id);
        !(seen.contains(&Some(true)) && seen.contains(&Some(false)))
    })
}

/// What a guard may be made of, the ones first that a person would name.
struct Guards(Vec<(Claim, ClaimId)>);

impl Guards {
    /// The conditions and their contraries, each of which holds in some cases and not in others.
    /// Two that come to the same in all states are one.
    fn new(
        paths: &mut Paths<'_>,
        conditions: &[Claim],
        free_world: &FreeWorld,
        background: &[Term],
    ) -> Guards {
        let mut guards: Vec<(Claim, ClaimId)> = Vec::new();
        let mut alike: HashMap<Vec<Option<bool>>, Vec<Term>> = HashMap::new();
        for condition in conditions {
            for claim in [Some(condition.clone()), condition.not()].into_iter().flatten() {
                let id = paths.id_of(&claim);
                let pattern = paths.pattern(id).to_vec();
                let says_something = pattern.contains(&Some(true))
                    && pattern.contains(&Some(false))
                    && !pattern.contains(&None);
                let Some(term) = free_world.term(paths, &claim).filter(|_| says_something) else {
                    continue;
                };
                let known = alike.entry(pattern).or_default();
                let mut is_known = false;
                for other in known.iter() {
                    let is_same = paths.pool.eq(term, *other);
                    is_known |= follows(paths, background, is_same);
                }
                if !is_known {
                    known.push(term);
                    guards.push((claim, id));
                }
            }
        }
        Guards(guards)
    }
}

/// A law with what decides whether it is kept.
struct LawCandidate {
    law: Law,
    slot: u32,
    is_exact: bool,
    term: Term,
    /// What it says of values that it does not name, with the slots that this is about.
    instances: Vec<(u32, Term)>,
}

/// What a call does.
pub(super) struct Laws {
    pub(super) laws: Vec<Law>,
    /// Under which guards it panics, if that can be told exactly.
    pub(super) panics_if: Option<Vec<Vec<Claim>>>,
    /// The slots of which it is known in all cases what they are.
    pub(super) determined: Vec<u32>,
}

/// What the call does, and under which guards it panics.
pub(super) fn laws(paths: &mut Paths<'_>, candidates: &Candidates, states: &[Claim]) -> Laws {
    let free_world = FreeWorld::new(paths);
    let congruences = free_world.congruences(paths);
    let mut known = free_world.states(paths, states);
    let mut before = free_world.states_before(paths, states);
    known.extend(&congruences);
    before.extend(&congruences);
    let mut background = Background { before, known, unconditional: Vec::new() };
    let guards = Guards::new(paths, candidates.conditions(), &free_world, &background.known);
    let panicking = panic_guards(paths, &guards);
    let mut found = Vec::new();
    if let Some(cases) = &panicking {
        let mut alternatives = Vec::new();
        for case in cases {
            let law = Law {
                guard: case.clone(),
                claim: Claim::Panics(common_message(paths, case)),
                unless_it_panics: false,
            };
            let parts: Vec<Term> =
                case.iter().filter_map(|part| free_world.term(paths, part)).collect();
            alternatives.push(paths.pool.all(&parts));
            found.push(law);
        }
        if let Some(panics) = free_world.world.panics {
            let any = paths.pool.any(&alternatives);
            let tells = paths.pool.eq(panics, any);
            background.before.push(tells);
            background.known.push(tells);
        }
    }
    let (effects, determined) = effects(paths, candidates, &guards, &free_world);
    let unconditional = effects.iter().filter(|found| found.is_exact && found.law.guard.is_empty());
    background.unconditional = unconditional.map(|found| (found.slot, found.term)).collect();
    let implied = implications_between_guards(paths, &free_world, &effects);
    background.before.extend(&implied);
    background.known.extend(&implied);
    found.extend(drop_entailed(paths, effects, &background));
    for law in &mut found {
        if !matches!(law.claim, Claim::Panics(_)) {
            let guard: Vec<ClaimId> = law.guard.iter().map(|part| paths.id_of(part)).collect();
            let panicking: Vec<usize> =
                (0..paths.len()).filter(|path| paths.is_panic(*path)).collect();
            law.unless_it_panics = panicking.into_iter().any(|path| paths.can_hold(path, &guard));
        }
    }
    Laws { laws: found, panics_if: panicking, determined }
}

/// The guards under which a call panics: one of them holds on each path that does, and none on
/// any other.
fn panic_guards(paths: &mut Paths<'_>, guards: &Guards) -> Option<Vec<Vec<Claim>>> {
    let mut open: Vec<usize> = (0..paths.len()).filter(|path| paths.is_panic(*path)).collect();
    if open.is_empty() {
        return Some(Vec::new());
    }
    let panics = paths.id_of(&Claim::Panics(String::new()));
    if open.len() == paths.len() {
        return Some(vec![Vec::new()]);
    }
    let mut cases: Vec<Vec<(Claim, ClaimId)>> = Vec::new();
    let singles = guards.0.iter().map(|one| vec![one.clone()]);
    let pairs = guards.0.iter().enumerate().flat_map(|(n, one)| {
        guards.0[n + 1..].iter().map(move |other| vec![one.clone(), other.clone()])
    });
    for case in singles.chain(pairs.take(PAIRS_MAX)) {
        if open.is_empty() {
            break;
        }
        let ids: Vec<ClaimId> = case.iter().map(|(_, id)| *id).collect();
        let reached = paths.paths_with_sample(&ids);
        if !open.iter().any(|path| reached.contains(path)) || !paths.holds(&ids, panics) {
            continue;
        }
        cases.push(case);
        open.retain(|path| !is_covered_by(paths, *path, &cases));
    }
    if !open.is_empty() {
        return None;
    }
    // What came later may cover what came before.
    let mut place = 0;
    while place < cases.len() {
        let case = cases.remove(place);
        let mut all = (0..paths.len()).filter(|path| paths.is_panic(*path)).collect::<Vec<_>>();
        all.retain(|path| !is_covered_by(paths, *path, &cases));
        if !all.is_empty() {
            cases.insert(place, case);
            place += 1;
        }
    }
    let claims = |case: Vec<(Claim, ClaimId)>| case.into_iter().map(|(claim, _)| claim).collect();
    Some(cases.into_iter().map(claims).collect())
}

fn is_covered_by(paths: &mut Paths<'_>, path: usize, cases: &[Vec<(Claim, ClaimId)>]) -> bool {
    let ids = cases.iter().map(|case| case.iter().map(|(_, id)| *id).collect());
    paths.is_covered_by(path, &ids.collect::<Vec<Vec<ClaimId>>>())
}

/// What is said by all panics under a guard; nothing if they differ.
fn common_message(paths: &mut Paths<'_>, guard: &[Claim]) -> String {
    let ids: Vec<ClaimId> = guard.iter().map(|part| paths.id_of(part)).collect();
    let reached = paths.paths_with_sample(&ids);
    let mut messages: Vec<String> =
        reached.iter().filter_map(|path| paths.message(*path)).collect();
    messages.dedup();
    match messages.as_slice() {
        [one] => one.clone(),
        _ => String::new(),
    }
}

/// All laws about effects, the most general first, and the slots that they determine.
fn effects(
    paths: &mut Paths<'_>,
    candidates: &Candidates,
    guards: &Guards,
    free_world: &FreeWorld,
) -> (Vec<LawCandidate>, Vec<u32>) {
    let mut search = Search { paths, guards, free_world, found: Vec::new(), is_coarse: false };
    let mut determined: HashSet<u32> = HashSet::new();
    let mut others = Vec::new();
    for effect in candidates.effects() {
        let id = search.paths.id_of(&effect.claim);
        if determined.contains(&effect.slot) && !effect.is_exact() {
            continue;
        }
        if search.paths.is_defined(id, false) && search.paths.holds(&[], id) {
            if effect.is_exact() {
                determined.insert(effect.slot);
            }
            search.add(&[], effect);
        } else {
            others.push((effect, id));
        }
    }
    others.retain(|(effect, _)| !determined.contains(&effect.slot));
    let mut slots: Vec<u32> = others.iter().map(|(effect, _)| effect.slot).collect();
    slots.dedup();
    for slot in slots {
        let effects: Vec<(&Effect, ClaimId)> =
            others.iter().filter(|(effect, _)| effect.slot == slot).copied().collect();
        if search.with_conditions(&effects) {
            determined.insert(slot);
        } else if search.paths.slots[slot as usize].stage == Stage::Call {
            // When a call succeeds is worth knowing even if what it gives then is not known.
            search.is_coarse = true;
            let is_coarse =
                |(effect, _): &&(&Effect, ClaimId)| matches!(effect.claim, Claim::Is(..));
            let coarse: Vec<_> = effects.iter().filter(is_coarse).copied().collect();
            search.with_conditions(&coarse);
            search.is_coarse = false;
        }
    }
    let mut determined: Vec<u32> = determined.into_iter().collect();
    determined.sort_unstable();
    (search.found, determined)
}

/// What the conditions of laws say of each other: that one of them, or its contrary, is never so
/// without another.
fn implications_between_guards(
    paths: &mut Paths<'_>,
    free_world: &FreeWorld,
    found: &[LawCandidate],
) -> Vec<Term> {
    let mut parts: Vec<Claim> = Vec::new();
    for part in found.iter().flat_map(|found| &found.law.guard) {
        for claim in [Some(part.clone()), part.not()].into_iter().flatten() {
            if !parts.contains(&claim) && parts.len() < PARTS_MAX {
                parts.push(claim);
            }
        }
    }
    let mut terms = Vec::new();
    for one in &parts {
        for other in parts.iter().filter(|other| *other != one) {
            let (guard, claim) = (paths.id_of(one), paths.id_of(other));
            if paths.is_always(guard, claim)
                && let (Some(guard), Some(claim)) =
                    (free_world.term(paths, one), free_world.term(paths, other))
            {
                terms.push(paths.pool.implies(guard, claim));
            }
        }
    }
    terms
}

/// The search for laws with conditions.
struct Search<'s, 'a> {
    paths: &'s mut Paths<'a>,
    guards: &'s Guards,
    free_world: &'s FreeWorld,
    found: Vec<LawCandidate>,
    /// Whether it is enough to know which variant something is.
    is_coarse: bool,
}

impl Search<'_, '_> {
    fn add(&mut self, guard: &[&(Claim, ClaimId)], effect: &Effect) {
        let guard: Vec<Claim> = guard.iter().map(|(claim, _)| claim.clone()).collect();
        let law = Law { guard, claim: effect.claim.clone(), unless_it_panics: false };
        if let Some(term) = self.free_world.law(self.paths, &law) {
            let (slot, is_exact) = (effect.slot, self.is_exact(effect));
            let instances = self.free_world.instances(self.paths, &law, slot);
            self.found.push(LawCandidate { law, slot, is_exact, term, instances });
        }
    }

    /// Laws about one slot: as many as it takes until an exact one speaks of each path. What is
    /// said of a path again under another condition is chance, or follows. Two conditions at once
    /// are worth it only if nothing is left to be said then: otherwise they tell of some cases
    /// and not of what becomes of the slot. Whether all is said.
    fn with_conditions(&mut self, effects: &[(&Effect, ClaimId)]) -> bool {
        let all = (0..self.paths.len()).filter(|path| !self.paths.is_panic(*path));
        let mut open: Vec<usize> = all.collect();
        let guards = self.guards;
        for one in &guards.0 {
            self.with_guard(&[one], effects, &mut open);
        }
        let may_be_explained = |path: &usize| {
            let mut exact = effects.iter().filter(|(effect, _)| self.is_exact(effect));
            exact.any(|(_, id)| self.paths.holds_in_all_samples(*path, *id))
        };
        if !open.iter().all(may_be_explained) {
            return false;
        }
        let with_one = self.found.len();
        let pairs = guards.0.iter().enumerate();
        let pairs = pairs.flat_map(|(n, one)| guards.0[n + 1..].iter().map(move |b| [one, b]));
        let mut tried = 0;
        for pair in pairs {
            if open.is_empty() || tried == PAIRS_MAX {
                break;
            }
            tried += usize::from(self.with_guard(&pair, effects, &mut open));
        }
        if !open.is_empty() {
            self.found.truncate(with_one);
        }
        open.is_empty()
    }

    /// Laws under one guard, if it holds on a path that is open; closes those that it explains.
    fn with_guard(
        &mut self,
        guard: &[&(Claim, ClaimId)],
        effects: &[(&Effect, ClaimId)],
        open: &mut Vec<usize>,
    ) -> bool {
        let ids: Vec<ClaimId> = guard.iter().map(|(_, id)| *id).collect();
        let reached = self.paths.paths_with_sample(&ids);
        if !open.iter().any(|path| reached.contains(path)) {
            return false;
        }
        // What something is says more than that it is what it was.
        let is_boolean = |effect: &Effect| matches!(effect.claim, Claim::Boolean(..));
        let (said, others): (Vec<_>, Vec<_>) = effects
            .iter()
            .filter(|(effect, _)| self.is_exact(effect))
            .partition(|(effect, _)| is_boolean(effect));
        let mut exact = said.into_iter().chain(others);
        if let Some((effect, _)) = exact.find(|(_, id)| self.paths.holds(&ids, *id)) {
            self.add(guard, effect);
            open.retain(|path| !self.paths.is_covered_by(*path, std::slice::from_ref(&ids)));
        } else if let [_] = guard {
            let mut vague = effects.iter();
            let law = vague.find(|(effect, id)| {
                self.compares_with_before(effect) && self.paths.holds(&ids, *id)
            });
            if let Some((effect, _)) = law {
                self.add(guard, effect);
            }
        }
        true
    }

    /// Whether an effect says what a value is, as exactly as it is asked for.
    fn is_exact(&self, effect: &Effect) -> bool {
        effect.is_exact() || (self.is_coarse && matches!(effect.claim, Claim::Is(..)))
    }

    /// Whether an effect compares an observation with the same one before the call.
    fn compares_with_before(&self, effect: &Effect) -> bool {
        let twin = self.paths.slots.get(effect.slot as usize).and_then(|slot| slot.twin);
        !effect.is_exact() && twin.is_some_and(|twin| effect.claim.slots().contains(&twin))
    }
}

/// Those that do not follow from others. What a law says of how one observation changes in any
/// case, or in which direction, is kept even if it could be computed from the changes of others:
/// it is what people look for.
fn drop_entailed(
    paths: &mut Paths<'_>,
    mut found: Vec<LawCandidate>,
    background: &Background,
) -> Vec<Law> {
    // What is so in all states is no news.
    found.retain(|found| !follows(paths, &background.known, found.term));
    // What is exact under one condition is better than what is vague under none.
    found.sort_by_key(|found| {
        let conditions = found.law.guard.len();
        (conditions > 1, !found.is_exact, conditions)
    });
    let mut kept: Vec<LawCandidate> = Vec::new();
    for candidate in found {
        let others: Vec<&LawCandidate> = kept.iter().collect();
        let known = premises(paths, background, &others, &candidate);
        if !follows(paths, &known, candidate.term) {
            kept.push(candidate);
        }
    }
    // What is vague is dropped first.
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_key(|place| (kept[*place].is_exact, std::cmp::Reverse(*place)));
    let mut dropped: HashSet<usize> = HashSet::new();
    for place in order {
        let others = kept.iter().enumerate();
        let others = others.filter(|(n, _)| *n != place && !dropped.contains(n));
        let others: Vec<&LawCandidate> = others.map(|(_, other)| other).collect();
        let known = premises(paths, background, &others, &kept[place]);
        if follows(paths, &known, kept[place].term) {
            dropped.insert(place);
        }
    }
    let kept = kept.into_iter().enumerate().filter(|(place, _)| !dropped.contains(place));
    let mut laws: Vec<Law> = kept.map(|(_, found)| found.law).collect();
    laws.sort_by_key(|law| law.guard.len());
    laws
}

/// What a law may be found to follow from: not from laws with more conditions than it has, or
/// than one, because it is simpler than these, unless it is of one value of an argument alone. How
/// one observation changes in any case, or in which direction, may follow from how it changes
/// elsewhere, and from what others are in any case.
fn premises(
    paths: &Paths<'_>,
    background: &Background,
    others: &[&LawCandidate],
    law: &LawCandidate,
) -> Vec<Term> {
    let is_special = law.law.guard.iter().any(|part| pins_an_argument(paths, part));
    let most = if is_special { usize::MAX } else { law.law.guard.len().max(1) };
    let is_of_some_cases = law.is_exact && !law.law.guard.is_empty();
    if !law.compares_with_before(paths) || is_of_some_cases {
        let others = others.iter().filter(|other| other.law.guard.len() <= most);
        let said = others
            .flat_map(|other| other.instances.iter().map(|(_, term)| *term).chain([other.term]));
        return background.known.iter().copied().chain(said).collect();
    }
    let others = others.iter().filter(|other| other.law.guard.len() <= most);
    let said =
        others.flat_map(|other| other.instances.iter().copied().chain([(other.slot, other.term)]));
    let others = said.filter(|(slot, _)| *slot == law.slot).map(|(_, term)| term);
    let unconditional = background.unconditional.iter().filter(|(slot, _)| *slot != law.slot);
    let known = background.before.iter().copied().chain(unconditional.map(|(_, term)| *term));
    known.chain(others).collect()
}

/// Whether a condition says of an argument that it is a certain number.
fn pins_an_argument(paths: &Paths<'_>, part: &Claim) -> bool {
    let Claim::Same(Expr::Slot(slot), Expr::Number(_)) = part else { return false };
    paths.slots.get(*slot as usize).is_some_and(|slot| slot.stage == Stage::Argument)
}

impl LawCandidate {
    /// Whether the law says how an observation comes from the same one before the call.
    fn compares_with_before(&self, paths: &Paths<'_>) -> bool {
        let twin = paths.slots.get(self.slot as usize).and_then(|slot| slot.twin);
        twin.is_some_and(|twin| self.law.claim.slots().contains(&twin))
    }
}

/// What is known before any law.
struct Background {
    /// What is so of states before a call, and when it panics.
    before: Vec<Term>,
    /// That, and what is so after it.
    known: Vec<Term>,
    /// What slots are after any call, exactly.
    unconditional: Vec<(u32, Term)>,
}

impl Claim {
    /// The same of other slots; nothing if one of them has no other.
    fn with_slots(&self, other: &dyn Fn(u32) -> Option<u32>) -> Option<Claim> {
        let expr = |expr: &Expr| expr.with_slots(other);
        Some(match self {
            Claim::Panics(message) => Claim::Panics(message.clone()),
            Claim::Boolean(slot, holds) => Claim::Boolean(other(*slot)?, *holds),
            Claim::Same(a, b) => Claim::Same(expr(a)?, expr(b)?),
            Claim::Different(a, b) => Claim::Different(expr(a)?, expr(b)?),
            Claim::Less(a, b) => Claim::Less(expr(a)?, expr(b)?),
            Claim::AtMost(a, b) => Claim::AtMost(expr(a)?, expr(b)?),
            Claim::Is(slot, name) => Claim::Is(other(*slot)?, name.clone()),
            Claim::IsNot(slot, name) => Claim::IsNot(other(*slot)?, name.clone()),
            Claim::Contains(slot, item) => Claim::Contains(other(*slot)?, expr(item)?),
            Claim::Lacks(slot, item) => Claim::Lacks(other(*slot)?, expr(item)?),
            Claim::StartsWith(a, b) => Claim::StartsWith(other(*a)?, other(*b)?),
            Claim::SameElements(a, b) => Claim::SameElements(other(*a)?, other(*b)?),
            Claim::Iff(a, b) => {
                Claim::Iff(Box::new(a.with_slots(other)?), Box::new(b.with_slots(other)?))
            }
        })
    }
}

impl Expr {
    fn with_slots(&self, other: &dyn Fn(u32) -> Option<u32>) -> Option<Expr> {
        let boxed = |expr: &Expr| expr.with_slots(other).map(Box::new);
        Some(match self {
            Expr::Slot(slot) => Expr::Slot(other(*slot)?),
            Expr::Number(number) => Expr::Number(*number),
            Expr::Least(slot) => Expr::Least(other(*slot)?),
            Expr::Greatest(slot) => Expr::Greatest(other(*slot)?),
            Expr::Linear { slot, times, plus } => {
                Expr::Linear { slot: other(*slot)?, times: *times, plus: *plus }
            }
            Expr::Sum(a, b) => Expr::Sum(other(*a)?, other(*b)?),
            Expr::Difference(a, b) => Expr::Difference(other(*a)?, other(*b)?),
            Expr::Holding(name, held) => Expr::Holding(name.clone(), boxed(held)?),
            Expr::Length(slot) => Expr::Length(other(*slot)?),
            Expr::Appended(slot, item) => Expr::Appended(other(*slot)?, boxed(item)?),
            Expr::Prepended(slot, item) => Expr::Prepended(other(*slot)?, boxed(item)?),
            Expr::WithoutLast(slot) => Expr::WithoutLast(other(*slot)?),
            Expr::WithoutFirst(slot) => Expr::WithoutFirst(other(*slot)?),
            Expr::Inserted { into, at, item } => {
                Expr::Inserted { into: other(*into)?, at: other(*at)?, item: boxed(item)? }
            }
            Expr::Removed { from, at } => Expr::Removed { from: other(*from)?, at: other(*at)? },
            Expr::Updated { of, at, item } => {
                Expr::Updated { of: other(*of)?, at: other(*at)?, item: boxed(item)? }
            }
            Expr::Reversed(slot) => Expr::Reversed(other(*slot)?),
            Expr::Truncated(slot, to) => Expr::Truncated(other(*slot)?, other(*to)?),
            Expr::First(slot) => Expr::First(other(*slot)?),
            Expr::Last(slot) => Expr::Last(other(*slot)?),
            Expr::Empty => Expr::Empty,
        })
    }
}
