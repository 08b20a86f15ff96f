//! Fills in the templates with the observed slots.
//!
//! Only slots of the same type are compared. Claims are generated in the order in which a person
//! would prefer them: of two that mean the same, the first is kept.

use rebut_concolic::TypeName;

use super::claim::{Claim, Expr};
use super::paths::{Paths, element_type};
use super::view::{Scalar, Shape};
use super::{Slot, Stage};

/// Constant differences that are tried even if no sample shows them.
const STEPS: [i128; 2] = [1, -1];

/// The largest constant difference that is taken from samples. Arbitrary: a larger one is more
/// likely to be chance. A law with a larger step is not found.
const STEP_MAX: i128 = 64;

/// The largest number of constants that are tried for one slot, the most frequent in samples first.
/// Arbitrary. A law with a rarer constant is not found.
const CONSTANTS_MAX: usize = 8;

/// The largest magnitude of a constant that is taken from samples. Arbitrary: a larger one is more
/// likely to be chance. A law with a larger constant is not found.
const CONSTANT_MAX: u128 = 1 << 16;

/// The largest number of constants of the code that are tried as borders, those of the most paths
/// first. Arbitrary: each one adds two guards for each number. A law with another border is not
/// found.
const CODE_CONSTANTS_MAX: usize = 4;

/// All candidate claims.
pub(super) struct Candidates {
    /// Claims about slots after the call.
    effects: Vec<Effect>,
    /// Claims about slots before the call and about arguments.
    conditions: Vec<Claim>,
    states: Vec<Claim>,
}

/// A claim about the value of a slot after the call.
#[derive(Clone, Debug)]
pub(super) struct Effect {
    pub(super) slot: u32,
    pub(super) claim: Claim,
}

impl Effect {
    /// Whether the claim determines the value.
    pub(super) fn is_exact(&self) -> bool {
        matches!(self.claim, Claim::Same(..) | Claim::Boolean(..))
            || matches!(&self.claim, Claim::Is(_, name) if name == "None")
    }
}

impl Candidates {
    /// Fills in all templates. With `with_code_constants`, constants of the code may be
    /// borders. They may not if lengths were limited: then the limit itself is a border, and it is
    /// not in the code.
    pub(super) fn new(paths: &mut Paths<'_>, with_code_constants: bool) -> Candidates {
        let mut filler = TemplateFiller::new(paths);
        filler.code_constants = if with_code_constants {
            filler.paths.constants(CODE_CONSTANTS_MAX)
        } else {
            Vec::new()
        };
        let effects = filler.effects();
        let conditions = filler.conditions();
        let states = filler.states(&conditions);
        Candidates { effects, conditions, states }
    }

    pub(super) fn effects(&self) -> &[Effect] {
        &self.effects
    }

    pub(super) fn conditions(&self) -> &[Claim] {
        &self.conditions
    }

    pub(super) fn state_claims(&self) -> &[Claim] {
        &self.states
    }
}

struct TemplateFiller<'p, 'a> {
    paths: &'p mut Paths<'a>,
    arguments: Vec<u32>,
    before: Vec<u32>,
    call: Vec<u32>,
    after: Vec<u32>,
    code_constants: Vec<i128>,
}

impl<'p, 'a> TemplateFiller<'p, 'a> {
    fn new(paths: &'p mut Paths<'a>) -> TemplateFiller<'p, 'a> {
        let [arguments, before, call, after] =
            [Stage::Argument, Stage::Before, Stage::Call, Stage::After]
                .map(|stage| paths.slots_of(stage));
        TemplateFiller { paths, arguments, before, call, after, code_constants: Vec::new() }
    }

    fn type_of(&self, slot: u32) -> Option<&TypeName> {
        self.paths.type_of(slot)
    }

    fn has_type(&self, slot: u32, path: &str) -> bool {
        self.type_of(slot).is_some_and(|name| name.is(path))
    }

    fn is_number(&self, slot: u32) -> bool {
        let shape = self.paths.shape(slot);
        matches!(shape, Some(Shape::Scalar(Scalar::Signed | Scalar::Unsigned, 0..=64)))
    }

    fn is_boolean(&self, slot: u32) -> bool {
        self.paths.shape(slot) == Some(&Shape::Boolean)
    }

    /// Whether a slot is a list. A string is not: its bytes cannot be pushed.
    fn is_list(&self, slot: u32) -> bool {
        matches!(self.paths.shape(slot), Some(Shape::Sequence(_))) && !self.has_type(slot, "str")
    }

    fn is_sequence(&self, slot: u32) -> bool {
        matches!(self.paths.shape(slot), Some(Shape::Sequence(_)))
    }

    fn is_size(&self, slot: u32) -> bool {
        self.is_number(slot) && self.has_type(slot, "usize")
    }

    fn twin(&self, slot: u32) -> Option<u32> {
        let twin = self.paths.slots.get(slot as usize).and_then(|slot: &Slot| slot.twin);
        twin.filter(|twin| self.paths.shape(*twin).is_some())
    }

    /// Returns the other slots of the same type among these.
    fn alike(&self, slot: u32, among: &[u32]) -> Vec<u32> {
        let wanted_type = self.type_of(slot);
        let is_alike = |other: &u32| *other != slot && self.type_of(*other) == wanted_type;
        among.iter().copied().filter(is_alike).collect()
    }

    /// Returns the variants that a slot was seen to have, and whether they have fields.
    fn variants(&self, slot: u32) -> Vec<(String, bool)> {
        let Some(Shape::Variant(all)) = self.paths.shape(slot) else { return Vec::new() };
        let name = |(tag, parts): &(u32, Vec<Shape>)| {
            (self.paths.tags.name(*tag).to_owned(), !parts.is_empty())
        };
        all.iter().map(name).collect()
    }

    /// Returns the slots that could be an element or the content of a slot.
    fn fitting(&self, slot: u32, among: &[u32]) -> Vec<u32> {
        let Some(wanted_type) = self.type_of(slot).and_then(element_type) else {
            return Vec::new();
        };
        let is_fitting = |other: &u32| self.type_of(*other) == Some(wanted_type);
        among.iter().copied().filter(is_fitting).collect()
    }

    fn effects(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        let targets: Vec<u32> = self.call.iter().chain(&self.after).copied().collect();
        for target in targets {
            let mut slots: Vec<u32> = Vec::new();
            slots.extend(self.twin(target));
            slots.extend(self.before.iter().filter(|slot| Some(**slot) != self.twin(target)));
            slots.extend(&self.arguments);
            if !self.call.contains(&target) {
                slots.extend(&self.call);
            }
            let claims = self.effects_on(target, &slots);
            effects.extend(claims.into_iter().map(|claim| Effect { slot: target, claim }));
        }
        effects
    }

    fn effects_on(&mut self, target: u32, slots: &[u32]) -> Vec<Claim> {
        let this = || Expr::Slot(target);
        let mut claims = Vec::new();
        let mut sources = self.alike(target, slots);
        if self.is_boolean(target) {
            // Two booleans are often equal by chance, so only the twin is compared; values come next.
            let twin = self.twin(target);
            let own = sources.extract_if(.., |source| Some(*source) == twin);
            claims.extend(own.map(|source| Claim::Same(this(), Expr::Slot(source))));
            claims.extend([Claim::Boolean(target, true), Claim::Boolean(target, false)]);
        }
        for source in sources {
            claims.push(Claim::Same(this(), Expr::Slot(source)));
        }
        if self.is_number(target) {
            claims.extend(self.numbers(target, slots));
        }
        for (name, holds_something) in self.variants(target) {
            if holds_something {
                for source in self.fitting(target, slots) {
                    let holding = Expr::Holding(name.clone(), Box::new(Expr::Slot(source)));
                    claims.push(Claim::Same(this(), holding));
                }
            }
            claims.push(Claim::Is(target, name));
        }
        claims.extend(self.ends_of_lists(target, slots));
        if self.is_sequence(target) {
            claims.push(Claim::Same(this(), Expr::Empty));
        }
        if self.is_list(target) {
            claims.extend(self.lists(target, slots));
        }
        claims
    }

    /// Returns claims about a number.
    fn numbers(&self, target: u32, slots: &[u32]) -> Vec<Claim> {
        let this = || Expr::Slot(target);
        let mut claims = Vec::new();
        let sources = self.alike(target, slots);
        for number in self.constants(target) {
            claims.push(Claim::Same(this(), Expr::Number(number)));
        }
        for &source in &sources {
            let mut steps = STEPS.to_vec();
            steps.extend(self.step(target, source, 1));
            for plus in steps {
                let linear = Expr::Linear { slot: source, times: 1, plus };
                claims.push(Claim::Same(this(), linear));
            }
            let doubled = self.step(target, source, 2);
            for plus in [0, 1].into_iter().chain(doubled) {
                let linear = Expr::Linear { slot: source, times: 2, plus };
                claims.push(Claim::Same(this(), linear));
            }
        }
        for (n, &a) in sources.iter().enumerate() {
            for &b in &sources[n + 1..] {
                claims.push(Claim::Same(this(), Expr::Sum(a, b)));
                claims.push(Claim::Same(this(), Expr::Difference(a, b)));
                claims.push(Claim::Same(this(), Expr::Difference(b, a)));
            }
        }
        if self.is_size(target) {
            let lists = slots.iter().filter(|slot| self.is_list(**slot));
            claims.extend(lists.map(|list| Claim::Same(this(), Expr::Length(*list))));
        }
        for &source in &sources {
            claims.push(Claim::Less(Expr::Slot(source), this()));
            claims.push(Claim::Less(this(), Expr::Slot(source)));
            claims.push(Claim::AtMost(Expr::Slot(source), this()));
            claims.push(Claim::AtMost(this(), Expr::Slot(source)));
            claims.push(Claim::Different(this(), Expr::Slot(source)));
        }
        claims
    }

    /// Returns constants that a slot had in samples, the most frequent first, then the smallest.
    fn constants(&self, slot: u32) -> Vec<i128> {
        let mut counts: Vec<(usize, i128)> = Vec::new();
        for sample in 0..self.paths.samples() {
            let Some(number) = self.paths.number(sample, slot) else { continue };
            match counts.iter_mut().find(|(_, other)| *other == number) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, number)),
            }
        }
        counts.sort_by_key(|(count, number)| (std::cmp::Reverse(*count), number.unsigned_abs()));
        let few = counts.into_iter().map(|(_, number)| number);
        few.filter(|number| number.unsigned_abs() <= CONSTANT_MAX).take(CONSTANTS_MAX).collect()
    }

    /// Returns the most frequent difference between a number and a multiple of another in samples.
    fn step(&self, target: u32, source: u32, times: i128) -> Option<i128> {
        let mut counts: Vec<(usize, i128)> = Vec::new();
        for sample in 0..self.paths.samples() {
            let (Some(a), Some(b)) =
                (self.paths.number(sample, target), self.paths.number(sample, source))
            else {
                continue;
            };
            let step = a - times * b;
            match counts.iter_mut().find(|(_, other)| *other == step) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, step)),
            }
        }
        let (_, step) = counts.into_iter().max_by_key(|(count, _)| *count)?;
        let is_new = step != 0 && !STEPS.contains(&step) && step.abs() <= STEP_MAX;
        is_new.then_some(step)
    }

    /// Returns claims that an option is the first or the last element of a list.
    fn ends_of_lists(&self, target: u32, slots: &[u32]) -> Vec<Claim> {
        let mut claims = Vec::new();
        let option = self.type_of(target).and_then(|name| name.arguments("core::option::Option"));
        let Some([held]) = option else { return claims };
        for &list in slots.iter().filter(|slot| self.is_list(**slot)) {
            if self.type_of(list).and_then(element_type) == Some(held) {
                claims.push(Claim::Same(Expr::Slot(target), Expr::First(list)));
                claims.push(Claim::Same(Expr::Slot(target), Expr::Last(list)));
            }
        }
        claims
    }

    /// Returns claims about a list.
    fn lists(&self, target: u32, slots: &[u32]) -> Vec<Claim> {
        let this = || Expr::Slot(target);
        let items = self.fitting(target, slots);
        let item = |slot: u32| Box::new(Expr::Slot(slot));
        let indices: Vec<u32> =
            self.arguments.iter().copied().filter(|slot| self.is_size(*slot)).collect();
        let mut claims = Vec::new();
        for list in self.alike(target, slots) {
            let mut others =
                vec![Expr::WithoutLast(list), Expr::WithoutFirst(list), Expr::Reversed(list)];
            for &value in &items {
                others.push(Expr::Appended(list, item(value)));
                others.push(Expr::Prepended(list, item(value)));
            }
            for &at in &indices {
                others.push(Expr::Removed { from: list, at });
                others.push(Expr::Truncated(list, at));
                for &value in &items {
                    others.push(Expr::Inserted { into: list, at, item: item(value) });
                    others.push(Expr::Updated { of: list, at, item: item(value) });
                }
            }
            claims.extend(others.into_iter().map(|expr| Claim::Same(this(), expr)));
            claims.push(Claim::StartsWith(target, list));
            claims.push(Claim::StartsWith(list, target));
            claims.push(Claim::SameElements(target, list));
        }
        for &value in &items {
            claims.push(Claim::Contains(target, Expr::Slot(value)));
            claims.push(Claim::Lacks(target, Expr::Slot(value)));
        }
        claims
    }

    /// Returns the conditions that may become guards.
    fn conditions(&self) -> Vec<Claim> {
        let slots: Vec<u32> = self.before.iter().chain(&self.arguments).copied().collect();
        let mut claims = Vec::new();
        for &slot in &slots {
            if self.is_boolean(slot) {
                claims.push(Claim::Boolean(slot, true));
            }
        }
        for &slot in &slots {
            for (name, _) in self.variants(slot) {
                claims.push(Claim::Is(slot, name));
            }
        }
        // Equality of two arguments is simpler than equality of what observers return for them.
        for (n, &slot) in self.arguments.iter().enumerate() {
            for other in self.alike(slot, &self.arguments[n + 1..]) {
                if !self.is_boolean(slot) {
                    claims.push(Claim::Same(Expr::Slot(slot), Expr::Slot(other)));
                }
            }
        }
        for (n, &slot) in slots.iter().enumerate() {
            for other in self.alike(slot, &slots[n + 1..]) {
                if !self.arguments.contains(&slot) && !self.is_boolean(slot) {
                    claims.push(Claim::Same(Expr::Slot(slot), Expr::Slot(other)));
                }
                if self.is_number(slot) {
                    claims.push(Claim::Less(Expr::Slot(slot), Expr::Slot(other)));
                    claims.push(Claim::Less(Expr::Slot(other), Expr::Slot(slot)));
                }
            }
            for other in self.fitting(slot, &slots) {
                if self.is_list(slot) {
                    claims.push(Claim::Contains(slot, Expr::Slot(other)));
                } else if let Some((name, _)) = self.variants(slot).iter().find(|(_, has)| *has) {
                    let holding = Expr::Holding(name.clone(), Box::new(Expr::Slot(other)));
                    claims.push(Claim::Same(Expr::Slot(slot), holding));
                }
            }
        }
        for &slot in &slots {
            if self.is_sequence(slot) {
                claims.push(Claim::Same(Expr::Slot(slot), Expr::Empty));
            }
            if self.is_number(slot) {
                claims.push(Claim::Same(Expr::Slot(slot), Expr::Number(0)));
            }
        }
        for &slot in slots.iter().filter(|slot| self.is_size(**slot)) {
            for &list in slots.iter().filter(|slot| self.is_list(**slot)) {
                claims.push(Claim::Less(Expr::Slot(slot), Expr::Length(list)));
                claims.push(Claim::Less(Expr::Length(list), Expr::Slot(slot)));
            }
        }
        for &slot in slots.iter().filter(|slot| self.is_number(**slot)) {
            for &number in &self.code_constants {
                claims.push(Claim::Less(Expr::Slot(slot), Expr::Number(number)));
                claims.push(Claim::Same(Expr::Slot(slot), Expr::Number(number)));
            }
            if matches!(self.paths.shape(slot), Some(Shape::Scalar(Scalar::Signed, _))) {
                claims.push(Claim::Less(Expr::Slot(slot), Expr::Number(0)));
                claims.push(Claim::Same(Expr::Slot(slot), Expr::Least(slot)));
            }
            claims.push(Claim::Same(Expr::Slot(slot), Expr::Greatest(slot)));
        }
        claims
    }

    /// Returns the claims that may be true in all states.
    fn states(&self, conditions: &[Claim]) -> Vec<Claim> {
        let mut claims = Vec::new();
        for &slot in self.before.iter().filter(|slot| self.is_boolean(**slot)) {
            claims.extend([Claim::Boolean(slot, true), Claim::Boolean(slot, false)]);
        }
        for (n, &slot) in self.before.iter().enumerate() {
            for other in self.alike(slot, &self.before) {
                if self.before[n..].contains(&other) {
                    claims.push(Claim::Same(Expr::Slot(slot), Expr::Slot(other)));
                }
                if self.is_number(slot) {
                    claims.push(Claim::Less(Expr::Slot(slot), Expr::Slot(other)));
                    claims.push(Claim::AtMost(Expr::Slot(slot), Expr::Slot(other)));
                }
            }
            if self.is_size(slot) {
                for &list in self.before.iter().filter(|slot| self.is_list(**slot)) {
                    claims.push(Claim::Same(Expr::Slot(slot), Expr::Length(list)));
                    claims.push(Claim::AtMost(Expr::Length(list), Expr::Slot(slot)));
                }
            }
            claims.extend(self.ends_of_lists(slot, &self.before));
            if let [(only, _)] = self.variants(slot).as_slice() {
                claims.push(Claim::Is(slot, only.clone()));
            }
        }
        // A boolean, or a variant, that is equivalent to another condition.
        let is_of_one = |claim: &Claim| match claim {
            Claim::Boolean(slot, true) => self.before.contains(slot).then_some(*slot),
            Claim::Is(slot, name) if name == "Some" || name == "Ok" => {
                self.before.contains(slot).then_some(*slot)
            }
            _ => None,
        };
        for claim in conditions {
            let Some(slot) = is_of_one(claim) else { continue };
            let others = conditions.iter().filter(|other| !other.slots().contains(&slot));
            for other in others {
                let uses_state = other.slots().iter().any(|slot| self.before.contains(slot));
                if !uses_state || is_of_one(other).is_some_and(|other| other < slot) {
                    continue;
                }
                let iff =
                    |other: &Claim| Claim::Iff(Box::new(claim.clone()), Box::new(other.clone()));
                claims.push(iff(other));
                claims.extend(other.not().as_ref().map(iff));
            }
        }
        claims
    }
}
