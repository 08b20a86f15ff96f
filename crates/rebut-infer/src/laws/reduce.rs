//! Decides which candidates are laws, and which laws are worth keeping.
//!
//! # The free world
//!
//! On the paths of a probe, every law is true, so there each law follows from nothing at all. To
//! see what a law *adds*, one needs a world in which the code is forgotten: the [`FreeWorld`]. It
//! has an unconstrained value for each slot (sequences have at most [`ITEMS_MAX`] elements), and an
//! unconstrained boolean for "the call panics". Only the laws connect the slots. A law is redundant
//! if it follows from the others there, which is one solver query.
//!
//! Two kinds of facts are true in the free world from the start, or nearly every law would look
//! independent ([`Background`]). State claims: what is true in all states, such as `len ==
//! items.len()`. Congruences: an observer returns equal results for equal arguments, which is what
//! makes it a function.
//!
//! # From candidates to laws
//!
//! 1. [`states`] keeps the claims that are true in all states, before and after the call, and drops
//!    those that follow from the others.
//! 2. [`Guards`] are the conditions that are true in some samples and false in others. Of
//!    conditions that are equivalent in all states, the first is kept, so the order of `candidates`
//!    decides how a law reads.
//! 3. [`panic_guards`] looks for guards that describe exactly when the call panics.
//! 4. [`effects`] finds, for each slot, first a claim that is true unconditionally. If no exact one
//!    exists, it tries claims under one guard until each path is *explained* by an exact claim,
//!    then claims under two guards. Pairs are kept only if they explain all remaining paths. There
//!    are thousands of pairs, and some of them fit by chance; a pair that does not complete the
//!    description of a slot is about special cases, and does not describe how the slot changes.
//! 5. [`drop_entailed`] drops laws that follow from others.
//!
//! # Which law is dropped
//!
//! If each of two laws follows from the other, the order decides. [`drop_entailed`] adds laws in
//! the order of the sort key `(more than one guard, vague, number of guards)`: unconditional exact
//! laws, exact laws with one guard, vague laws (`<`, `!=`, ..) without and with one guard, then
//! laws with two guards. So an exact law under a condition is preferred to a vague one that is
//! always true. A second pass goes backward, vague laws first, and drops those that follow from
//! laws that were added after them.
//!
//! [`premises`] limits what a law may follow from, because a law is not redundant to a reader just
//! because it is entailed:
//!
//! - In general, from all others with at most as many guards (at least one): a simple law is never
//!   dropped in favor of complicated ones. A law for one number of an argument (`x == 3`) is
//!   dropped in favor of any law.
//! - A law about how an observation changes, in any case or in which direction (`len' == len + 1`),
//!   is what people look for. It follows from `items' == items ++ [x]` and the state claim `len' ==
//!   items'.len()`, but it is kept. So state claims after the call are not among its premises, and
//!   of the laws about other slots only unconditional exact ones are.
//!
//! # Example
//!
//! A counter `x` grows below 10, stays from 10 on, and panics at 3
//! (`laws_of_a_counter_read_naturally` in `oracle.rs`). Unconditionally true: `x <= x'`, which is
//! vague. Guards: `x == 3`, `x < 10`, `10 <= x` and others. Panics: exactly if `x == 3`. Under `x <
//! 10`, the exact claim `x' == x + 1` explains one path, under `10 <= x`, `x' == x` explains the
//! other. The two exact laws are added first; then `x <= x'` follows from both together, though
//! from neither alone, and is dropped. Three laws are left:
//!
//! ```text
//! x == 3   =>  panics
//! x < 10   =>  x' == x + 1
//! 10 <= x  =>  x' == x
//! ```

use std::collections::{HashMap, HashSet};

use rebut_smt::{Answer, Sort, Term};

use super::candidates::{Candidates, Effect};
use super::claim::{Claim, Expr, Meaning, World};
use super::paths::{ClaimId, Paths};
use super::{Law, Stage, instances};

/// The largest length of a sequence in the free world. Arbitrary. A law that differs from others
/// only on longer sequences is dropped as redundant; larger values multiply the terms of each
/// query.
const ITEMS_MAX: usize = 3;

/// The largest number of pairs of guards that are tried for one slot, and for panics. At the limit,
/// the slot stays undetermined, or the panics are reported without a condition. Arbitrary.
const PAIRS_MAX: usize = 4_000;

/// The largest number of guards that are compared with each other for implications. Without an
/// implication, a redundant law may be kept. Arbitrary; the work is quadratic.
const PARTS_MAX: usize = 40;

/// Unconstrained observations: only laws connect them.
pub(super) struct FreeWorld {
    pub(super) world: World,
    constraints: Vec<Term>,
}

impl FreeWorld {
    pub(super) fn new(paths: &mut Paths<'_>) -> FreeWorld {
        let mut constraints = Vec::new();
        let mut views = Vec::new();
        for slot in 0..paths.slots.len() as u32 {
            // A sequence that is always empty after the call need not be empty before it.
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
        meaning.term(claim)
    }

    /// Returns a law as a term. A law that is not about panics only constrains calls that do not
    /// panic.
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

    /// Returns the congruences: an observer returns equal results for equal arguments.
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

    /// Returns the congruences of slots that the same observer shows.
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

    /// Returns the instances of a law: free values replaced by known ones, each with its slot.
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

    /// Returns the state claims about the state before the call.
    fn states_before(&self, paths: &mut Paths<'_>, states: &[Claim]) -> Vec<Term> {
        let mut terms = self.constraints.clone();
        terms.extend(states.iter().filter_map(|claim| self.term(paths, claim)));
        terms
    }

    /// Returns the state claims about the states before and after the call.
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

/// Returns all pairs of slots of one type.
fn pairs_of_one_type(paths: &Paths<'_>, slots: &[u32]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (n, &a) in slots.iter().enumerate() {
        let others = slots[n + 1..].iter().filter(|b| paths.type_of(a) == paths.type_of(**b));
        pairs.extend(others.map(|b| (a, *b)));
    }
    pairs
}

/// Whether the claim follows from these terms, whatever the observations are.
fn follows(paths: &mut Paths<'_>, from: &[Term], claim: Term) -> bool {
    let mut question = from.to_vec();
    question.push(paths.pool.not(claim));
    matches!(paths.solver.check_assuming(paths.pool, &question), Answer::Unsat)
}

/// Returns the same claim about the state after the call.
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

/// Returns the claims that are true in all states and do not follow from the others.
pub(super) fn states(paths: &mut Paths<'_>, candidates: &[Claim]) -> Vec<Claim> {
    let free_world = FreeWorld::new(paths);
    let mut facts = free_world.constraints.clone();
    let mut states = Vec::new();
    for claim in candidates {
        let id = paths.id_of(claim);
        let later = after_call(paths, claim).map(|later| paths.id_of(&later));
        let Some(term) = free_world.term(paths, claim) else { continue };
        if has_constant_side(paths, claim)
            || !paths.is_defined(id, true)
            || !paths.holds(&[], id)
            || !later.is_none_or(|later| paths.holds(&[], later))
            || follows(paths, &facts, term)
        {
            continue;
        }
        facts.push(term);
        states.push(claim.clone());
    }
    // A later claim may imply an earlier one.
    let mut index = states.len();
    while index > 0 {
        index -= 1;
        let mut others = free_world.constraints.clone();
        for (n, other) in states.iter().enumerate() {
            if n != index {
                others.extend(free_world.term(paths, other));
            }
        }
        if let Some(term) = free_world.term(paths, &states[index])
            && follows(paths, &others, term)
        {
            states.remove(index);
        }
    }
    states
}

/// Whether one side of an `Iff` is constant in all samples: then the equivalence adds nothing.
fn has_constant_side(paths: &mut Paths<'_>, claim: &Claim) -> bool {
    let Claim::Iff(a, b) = claim else { return false };
    [a, b].into_iter().any(|side| {
        let id = paths.id_of(side);
        let pattern = paths.pattern(id);
        !(pattern.contains(&Some(true)) && pattern.contains(&Some(false)))
    })
}

/// The conditions that guards are made of, those first that read best.
struct Guards(Vec<(Claim, ClaimId)>);

impl Guards {
    /// Collects the conditions and their negations that are true in some samples and false in
    /// others. Of those that are equivalent in all states, keeps the first.
    fn new(
        paths: &mut Paths<'_>,
        conditions: &[Claim],
        free_world: &FreeWorld,
        facts: &[Term],
    ) -> Guards {
        let mut guards: Vec<(Claim, ClaimId)> = Vec::new();
        let mut alike: HashMap<Vec<Option<bool>>, Vec<Term>> = HashMap::new();
        for condition in conditions {
            for claim in [Some(condition.clone()), condition.not()].into_iter().flatten() {
                let id = paths.id_of(&claim);
                let pattern = paths.pattern(id).to_vec();
                let is_informative = pattern.contains(&Some(true))
                    && pattern.contains(&Some(false))
                    && !pattern.contains(&None);
                let Some(term) = free_world.term(paths, &claim).filter(|_| is_informative) else {
                    continue;
                };
                let same_pattern = alike.entry(pattern).or_default();
                let mut is_duplicate = false;
                for other in same_pattern.iter() {
                    let is_same = paths.pool.eq(term, *other);
                    is_duplicate |= follows(paths, facts, is_same);
                }
                if !is_duplicate {
                    same_pattern.push(term);
                    guards.push((claim, id));
                }
            }
        }
        Guards(guards)
    }
}

/// A law, and what decides whether it is kept.
struct LawCandidate {
    law: Law,
    slot: u32,
    is_exact: bool,
    term: Term,
    /// Its instances for known values, each with its slot.
    instances: Vec<(u32, Term)>,
}

/// The laws of a call.
pub(super) struct Laws {
    pub(super) laws: Vec<Law>,
    /// The guards under which it panics, if they are exact.
    pub(super) panics_if: Option<Vec<Vec<Claim>>>,
    /// The slots that the laws determine in all cases.
    pub(super) determined: Vec<u32>,
}

/// Returns the laws of the call, and the guards under which it panics.
pub(super) fn laws(paths: &mut Paths<'_>, candidates: &Candidates, states: &[Claim]) -> Laws {
    let free_world = FreeWorld::new(paths);
    let congruences = free_world.congruences(paths);
    let mut facts = free_world.states(paths, states);
    let mut before = free_world.states_before(paths, states);
    facts.extend(&congruences);
    before.extend(&congruences);
    let mut background = Background { before, facts, unconditional: Vec::new() };
    let guards = Guards::new(paths, candidates.conditions(), &free_world, &background.facts);
    let panic_cases = panic_guards(paths, &guards);
    let mut laws = Vec::new();
    if let Some(cases) = &panic_cases {
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
            laws.push(law);
        }
        if let Some(panics) = free_world.world.panics {
            let any = paths.pool.any(&alternatives);
            let equivalence = paths.pool.eq(panics, any);
            background.before.push(equivalence);
            background.facts.push(equivalence);
        }
    }
    let (effects, determined) = effects(paths, candidates, &guards, &free_world);
    let unconditional =
        effects.iter().filter(|candidate| candidate.is_exact && candidate.law.guard.is_empty());
    background.unconditional =
        unconditional.map(|candidate| (candidate.slot, candidate.term)).collect();
    let implied = implications_between_guards(paths, &free_world, &effects);
    background.before.extend(&implied);
    background.facts.extend(&implied);
    laws.extend(drop_entailed(paths, effects, &background));
    for law in &mut laws {
        if !matches!(law.claim, Claim::Panics(_)) {
            let guard: Vec<ClaimId> = law.guard.iter().map(|part| paths.id_of(part)).collect();
            let panicking_paths: Vec<usize> =
                (0..paths.len()).filter(|path| paths.is_panic(*path)).collect();
            law.unless_it_panics =
                panicking_paths.into_iter().any(|path| paths.can_hold(path, &guard));
        }
    }
    Laws { laws, panics_if: panic_cases, determined }
}

/// Returns guards under which a call panics: at least one is true on each path that panics, and
/// none on any other. `None` if there are no such guards.
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
    // A later guard may cover an earlier one.
    let mut index = 0;
    while index < cases.len() {
        let case = cases.remove(index);
        let mut all = (0..paths.len()).filter(|path| paths.is_panic(*path)).collect::<Vec<_>>();
        all.retain(|path| !is_covered_by(paths, *path, &cases));
        if !all.is_empty() {
            cases.insert(index, case);
            index += 1;
        }
    }
    let claims = |case: Vec<(Claim, ClaimId)>| case.into_iter().map(|(claim, _)| claim).collect();
    Some(cases.into_iter().map(claims).collect())
}

fn is_covered_by(paths: &mut Paths<'_>, path: usize, cases: &[Vec<(Claim, ClaimId)>]) -> bool {
    let ids = cases.iter().map(|case| case.iter().map(|(_, id)| *id).collect());
    paths.is_covered_by(path, &ids.collect::<Vec<Vec<ClaimId>>>())
}

/// Returns the message of all panics under a guard; empty if they differ.
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

/// Returns all laws about effects, the most general first, and the slots that they determine.
fn effects(
    paths: &mut Paths<'_>,
    candidates: &Candidates,
    guards: &Guards,
    free_world: &FreeWorld,
) -> (Vec<LawCandidate>, Vec<u32>) {
    let mut search = EffectSearch { paths, guards, free_world, laws: Vec::new(), is_coarse: false };
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
            // A law about when a call succeeds is useful even if its result is unknown.
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
    (search.laws, determined)
}

/// Returns implications between guards, or their negations, that are true on all paths.
fn implications_between_guards(
    paths: &mut Paths<'_>,
    free_world: &FreeWorld,
    laws: &[LawCandidate],
) -> Vec<Term> {
    let mut parts: Vec<Claim> = Vec::new();
    for part in laws.iter().flat_map(|candidate| &candidate.law.guard) {
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

/// The search for laws with guards.
struct EffectSearch<'s, 'a> {
    paths: &'s mut Paths<'a>,
    guards: &'s Guards,
    free_world: &'s FreeWorld,
    laws: Vec<LawCandidate>,
    /// Whether it is enough to determine the variant of a value.
    is_coarse: bool,
}

impl EffectSearch<'_, '_> {
    fn add(&mut self, guard: &[&(Claim, ClaimId)], effect: &Effect) {
        let guard: Vec<Claim> = guard.iter().map(|(claim, _)| claim.clone()).collect();
        let law = Law { guard, claim: effect.claim.clone(), unless_it_panics: false };
        if let Some(term) = self.free_world.law(self.paths, &law) {
            let (slot, is_exact) = (effect.slot, self.is_exact(effect));
            let instances = self.free_world.instances(self.paths, &law, slot);
            self.laws.push(LawCandidate { law, slot, is_exact, term, instances });
        }
    }

    /// Finds laws about one slot until an exact one explains each path, first under one guard, then
    /// under two. An explained path needs no further law: another one is chance, or follows. Laws
    /// under two guards are kept only if they explain all remaining paths. Returns whether all
    /// paths are explained.
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
        let with_one = self.laws.len();
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
            self.laws.truncate(with_one);
        }
        open.is_empty()
    }

    /// Finds a law under one guard if the guard is true on an open path, and closes the paths that
    /// it explains. Returns whether the guard was tried.
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
        // A constant is more specific than equality with the value before.
        let is_boolean = |effect: &Effect| matches!(effect.claim, Claim::Boolean(..));
        let (constant, others): (Vec<_>, Vec<_>) = effects
            .iter()
            .filter(|(effect, _)| self.is_exact(effect))
            .partition(|(effect, _)| is_boolean(effect));
        let mut exact = constant.into_iter().chain(others);
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

    /// Whether an effect determines a value, as exactly as the search requires.
    fn is_exact(&self, effect: &Effect) -> bool {
        effect.is_exact() || (self.is_coarse && matches!(effect.claim, Claim::Is(..)))
    }

    /// Whether an effect is vague and compares an observation with the same one before the call.
    fn compares_with_before(&self, effect: &Effect) -> bool {
        let twin = self.paths.slots.get(effect.slot as usize).and_then(|slot| slot.twin);
        !effect.is_exact() && twin.is_some_and(|twin| effect.claim.slots().contains(&twin))
    }
}

/// Returns the laws that do not follow from others (see the module documentation).
fn drop_entailed(
    paths: &mut Paths<'_>,
    mut candidates: Vec<LawCandidate>,
    background: &Background,
) -> Vec<Law> {
    // A law that follows from the background is not news.
    candidates.retain(|law| !follows(paths, &background.facts, law.term));
    // An exact law under one guard is better than a vague one under none.
    candidates.sort_by_key(|candidate| {
        let conditions = candidate.law.guard.len();
        (conditions > 1, !candidate.is_exact, conditions)
    });
    let mut kept: Vec<LawCandidate> = Vec::new();
    for candidate in candidates {
        let others: Vec<&LawCandidate> = kept.iter().collect();
        let assumed = premises(paths, background, &others, &candidate);
        if !follows(paths, &assumed, candidate.term) {
            kept.push(candidate);
        }
    }
    // Vague laws are dropped first.
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_key(|index| (kept[*index].is_exact, std::cmp::Reverse(*index)));
    let mut dropped: HashSet<usize> = HashSet::new();
    for index in order {
        let others = kept.iter().enumerate();
        let others = others.filter(|(n, _)| *n != index && !dropped.contains(n));
        let others: Vec<&LawCandidate> = others.map(|(_, other)| other).collect();
        let assumed = premises(paths, background, &others, &kept[index]);
        if follows(paths, &assumed, kept[index].term) {
            dropped.insert(index);
        }
    }
    let kept = kept.into_iter().enumerate().filter(|(index, _)| !dropped.contains(index));
    let mut laws: Vec<Law> = kept.map(|(_, candidate)| candidate.law).collect();
    laws.sort_by_key(|law| law.guard.len());
    laws
}

/// Returns the terms that a law may follow from (see the module documentation).
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
        let terms = others
            .flat_map(|other| other.instances.iter().map(|(_, term)| *term).chain([other.term]));
        return background.facts.iter().copied().chain(terms).collect();
    }
    let others = others.iter().filter(|other| other.law.guard.len() <= most);
    let terms =
        others.flat_map(|other| other.instances.iter().copied().chain([(other.slot, other.term)]));
    let others = terms.filter(|(slot, _)| *slot == law.slot).map(|(_, term)| term);
    let unconditional = background.unconditional.iter().filter(|(slot, _)| *slot != law.slot);
    let before = background.before.iter().copied().chain(unconditional.map(|(_, term)| *term));
    before.chain(others).collect()
}

/// Whether a condition fixes an argument to a number.
fn pins_an_argument(paths: &Paths<'_>, part: &Claim) -> bool {
    let Claim::Same(Expr::Slot(slot), Expr::Number(_)) = part else { return false };
    paths.slots.get(*slot as usize).is_some_and(|slot| slot.stage == Stage::Argument)
}

impl LawCandidate {
    /// Whether the law compares an observation with the same one before the call.
    fn compares_with_before(&self, paths: &Paths<'_>) -> bool {
        let twin = paths.slots.get(self.slot as usize).and_then(|slot| slot.twin);
        twin.is_some_and(|twin| self.law.claim.slots().contains(&twin))
    }
}

/// The facts that are known before any law.
struct Background {
    /// State claims before the call, congruences, and when it panics.
    before: Vec<Term>,
    /// The same, and state claims after the call.
    facts: Vec<Term>,
    /// Exact unconditional laws, with their slots.
    unconditional: Vec<(u32, Term)>,
}

#[cfg(test)]
mod tests {
    use rebut_concolic::{Budget, DecisionKind, Exploration, ObservedValue, Step};
    use rebut_smt::Pool;

    use super::super::oracle::{counter, leaf_with};
    use super::super::{Slot, infer};
    use super::*;

    #[test]
    fn a_law_can_follow_from_two_others_and_from_neither_alone() {
        let (mut exploration, slots) = counter();
        let mut solver = Budget::default().solver();
        let mut paths = Paths::new(&mut exploration, &slots, &mut solver);
        let free_world = FreeWorld::new(&mut paths);
        let [before, after] = [1, 3].map(Expr::Slot);
        let border = || Expr::Number(10);
        let grown = Expr::Linear { slot: 1, times: 1, plus: 1 };
        let mut term = |guard: Vec<Claim>, claim: Claim| {
            let law = Law { guard, claim, unless_it_panics: false };
            let id = paths.id_of(&law.claim);
            let guard: Vec<ClaimId> = law.guard.iter().map(|part| paths.id_of(part)).collect();
            assert!(paths.holds(&guard, id), "all are laws of the counter");
            free_world.law(&mut paths, &law).expect("it has a meaning")
        };
        let is_below = Claim::Less(before.clone(), border());
        let is_above = Claim::AtMost(border(), before.clone());
        let grows = term(vec![is_below], Claim::Same(after.clone(), grown));
        let stays = term(vec![is_above], Claim::Same(after.clone(), before.clone()));
        let never_shrinks = term(Vec::new(), Claim::AtMost(before, after));
        for premises in [vec![], vec![grows], vec![stays]] {
            assert!(!follows(&mut paths, &premises, never_shrinks));
        }
        assert!(follows(&mut paths, &[grows, stays], never_shrinks));
    }

    #[test]
    fn the_panics_of_a_counter_have_one_guard() {
        let (mut exploration, slots) = counter();
        let mut solver = Budget::default().solver();
        let mut paths = Paths::new(&mut exploration, &slots, &mut solver);
        let free_world = FreeWorld::new(&mut paths);
        let is = |number| Claim::Same(Expr::Slot(1), Expr::Number(number));
        let guards = Guards::new(&mut paths, &[is(0), is(3)], &free_world, &[]);
        assert_eq!(guards.0.len(), 4, "both conditions and their negations");
        assert_eq!(panic_guards(&mut paths, &guards), Some(vec![vec![is(3)]]));
        let guards = Guards::new(&mut paths, &[is(0)], &free_world, &[]);
        assert_eq!(panic_guards(&mut paths, &guards), None, "no guard singles out 3");
    }
    // The slots of a probe of a list to which an item is appended.
    const ITEM: u32 = 0;
    const ITEMS: u32 = 1;
    const LENGTH: u32 = 2;
    const ITEMS_AFTER: u32 = 4;
    const LENGTH_AFTER: u32 = 5;

    /// Returns that probe, for lists of at most two elements.
    fn growing_list() -> (Exploration, Vec<Slot>) {
        let mut pool = Pool::new();
        let inputs = ["d0", "d1", "d2", "d3"].map(|name| pool.var(name, Sort::BitVec(8)));
        let [size, item, first, second] = inputs;
        let mut runs = Vec::new();
        for length in 0..=2_u32 {
            let mut steps = Vec::new();
            for site in 0..=length.min(1) {
                let number = pool.bits(8, site.into());
                let is_it = pool.eq(size, number);
                let condition = if site == length { is_it } else { pool.not(is_it) };
                steps.push(Step { site, condition, kind: DecisionKind::Branch, drawn: 4 });
            }
            let number = |term: Term| ObservedValue::Number { term, is_signed: false };
            let list = |terms: &[Term]| {
                ObservedValue::Sequence(terms.iter().copied().map(number).collect())
            };
            let before = &[first, second][..length as usize];
            let after = [before, &[item]].concat();
            let lengths = [length, length + 1].map(|n| number(pool.bits(32, n.into())));
            let [old_length, new_length] = lengths;
            let observed = vec![
                ("u8", Some(number(item))),
                ("&[u8]", Some(list(before))),
                ("usize", Some(old_length)),
                ("()", Some(ObservedValue::Tuple(Vec::new()))),
                ("&[u8]", Some(list(&after))),
                ("usize", Some(new_length)),
            ];
            let inputs: Vec<(Term, i128)> =
                inputs.into_iter().zip([i128::from(length), 5, 6, 7]).collect();
            runs.push((steps, leaf_with(&inputs, observed, None)));
        }
        let slot = |stage, twin| Slot { stage, twin, shown_by: None, is_free: false };
        let slots = vec![
            slot(Stage::Argument, None),
            slot(Stage::Before, Some(ITEMS_AFTER)),
            slot(Stage::Before, Some(LENGTH_AFTER)),
            slot(Stage::Call, None),
            slot(Stage::After, Some(ITEMS)),
            slot(Stage::After, Some(LENGTH)),
        ];
        (Exploration::from_all_runs(pool, runs), slots)
    }

    #[test]
    fn the_change_of_an_observation_is_kept_although_it_follows() {
        let (mut exploration, slots) = growing_list();
        let inferred = infer(&mut exploration, &slots, &mut Budget::default().solver());
        let slot = Expr::Slot;
        let length_is_shown = Claim::Same(slot(LENGTH), Expr::Length(ITEMS));
        assert_eq!(inferred.states, [length_is_shown]);
        let appended = Expr::Appended(ITEMS, Box::new(slot(ITEM)));
        let grown = Expr::Linear { slot: LENGTH, times: 1, plus: 1 };
        let claims: Vec<Claim> = inferred.laws.into_iter().map(|law| law.claim).collect();
        // The length follows from the list and the state claim, but readers look for it. That the
        // list starts with the old one, or contains the item, follows too, and is dropped.
        let expected =
            [Claim::Same(slot(ITEMS_AFTER), appended), Claim::Same(slot(LENGTH_AFTER), grown)];
        assert_eq!(claims, expected);
    }
}
