//! Class enumerators: the values of one variable, any two of which are different as asked.
//!
//! Each divides the domain into as many groups as it lists values, and no two values of a
//! group are different. So no larger set exists, and that stays true for products and zips
//! of enumerators. Edit distance is the exception: its list is only known to be one that
//! cannot be added to.

use super::domain::Domain;
use super::intervals::Intervals;
use super::list::{End, List, Values};
use super::{Options, scratch};
use crate::eval;
use crate::ir::{
    Constraint, CoverMode, Environment, Expr, Op, Pattern, Relation, Sort, Value, VarId,
};
use crate::number::Real;
use crate::zones;
use rebut_text::{Cover, Language, Repeats, TooComplex};
use std::collections::HashSet;
use std::sync::Arc;

/// So many values are tried where a filter cannot be turned into a domain.
const TRIES_MAX: usize = 1_000_000;

/// A list of values of one variable to make.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    pub(crate) id: VarId,
    pub(crate) sort: Sort,
    pub(crate) domain: Domain,
    pub(crate) class: Class,
    /// Assertions about the variable that are no part of the domain.
    pub(crate) filter: Vec<Expr>,
}

/// What is the same for two values that are not different.
#[derive(Clone, Debug)]
pub(crate) enum Class {
    /// The value.
    Value,
    /// The length of the text.
    Length,
    /// Being nearer than a distance.
    Near(Real),
    /// Being fewer edits apart.
    Edits(u32),
    /// The time zone.
    Zone,
    /// The kind of text that a regular expression has.
    Kind(Arc<Pattern>, CoverMode),
    /// What an expression says of the value.
    Said(Expr),
}

impl Class {
    /// What a constraint asks of a single variable, if it is something that can be listed.
    pub(crate) fn of(constraint: &Constraint, id: VarId) -> Option<Self> {
        match constraint {
            Constraint::Relate { subject, guard, relation } if guard.is_true() => {
                Self::of_relation(subject, relation, id)
            }
            Constraint::Cover { subject, guard, pattern, mode }
                if guard.is_true() && subject.as_var() == Some(id) =>
            {
                Some(Self::Kind(pattern.clone(), *mode))
            }
            // Whatever else makes a difference, different values do.
            Constraint::Some(parts) => {
                let each: Option<Vec<Self>> = parts.iter().map(|part| Self::of(part, id)).collect();
                each?.into_iter().find(|class| matches!(class, Self::Value))
            }
            // Whatever else must differ, the values do then as well.
            Constraint::All(parts) => {
                let each: Option<Vec<Self>> = parts.iter().map(|part| Self::of(part, id)).collect();
                let mut rest: Vec<Self> =
                    each?.into_iter().filter(|class| !matches!(class, Self::Value)).collect();
                match rest.len() {
                    0 => Some(Self::Value),
                    1 => rest.pop(),
                    _ => Self::farthest(&rest),
                }
            }
            _ => None,
        }
    }

    fn of_relation(subject: &Expr, relation: &Relation, id: VarId) -> Option<Self> {
        let plain = subject.as_var() == Some(id);
        match relation {
            Relation::NotEqual if plain => Some(Self::Value),
            Relation::NotEqual => match (subject.op(), subject.args()) {
                (Op::Length, [text]) if text.as_var() == Some(id) => Some(Self::Length),
                _ => Some(Self::Said(subject.clone())),
            },
            Relation::DifferentLengths if plain => Some(Self::Length),
            Relation::NumericDistance(distance) if plain => Some(Self::Near(*distance)),
            Relation::EditDistance(edits) if plain => Some(Self::Edits(*edits)),
            Relation::DifferentTimeZones if plain => Some(Self::Zone),
            _ => None,
        }
    }

    /// Of several distances the largest; other differences cannot be asked for at once.
    fn farthest(classes: &[Self]) -> Option<Self> {
        let distances: Option<Vec<Real>> = classes
            .iter()
            .map(|class| match class {
                Self::Near(distance) => Some(*distance),
                _ => None,
            })
            .collect();
        distances?.into_iter().max().map(Self::Near)
    }
}

impl Classes {
    /// Makes the list.
    pub(crate) fn list(&self, environment: &Environment, options: &Options, count: usize) -> List {
        match self.try_list(environment, options, count) {
            Ok(list) => list,
            Err(error) => {
                let name =
                    environment.variable(self.id).map_or("a variable", |variable| &variable.name);
                List {
                    items: Vec::new(),
                    end: End::Missing(format!(
                        "the specification of `{name}` is too complex: {error}"
                    )),
                }
            }
        }
    }

    fn try_list(
        &self,
        environment: &Environment,
        options: &Options,
        count: usize,
    ) -> Result<List, TooComplex> {
        let seed = options.seed ^ u64::from(self.id.0).wrapping_mul(0x2545_f491_4f6c_dd1d);
        if let Class::Near(distance) = &self.class
            && self.filter.is_empty()
            && let Some(list) = self.steps(*distance, seed, count)
        {
            return Ok(list);
        }
        if let (Class::Near(distance), Domain::Ints(set)) = (&self.class, &self.domain) {
            return Ok(self.filtered_steps(environment, set, *distance, count));
        }
        if let Class::Edits(edits) = &self.class {
            return self.far_apart(environment, *edits, seed, count);
        }
        let candidates = self.candidates(seed)?;
        let mut model = scratch(environment);
        let mut keys: HashSet<Value> = HashSet::new();
        let mut near: Vec<Real> = Vec::new();
        let mut tries = 0_usize;
        let mut gave_up = false;
        let fresh = candidates.take_while(|_| {
            tries += 1;
            gave_up = tries > TRIES_MAX.max(count.saturating_mul(20));
            !gave_up
        });
        let fresh = fresh.filter(|value| {
            if !self.filter.is_empty() || matches!(self.class, Class::Said(_)) {
                model.0[self.id.index()] = value.clone();
            }
            if self
                .filter
                .iter()
                .any(|assertion| eval::truth(assertion, &model, None) != Some(true))
            {
                return false;
            }
            match &self.class {
                Class::Said(subject) => {
                    eval::value(subject, &model, None).is_some_and(|said| keys.insert(said))
                }
                Class::Near(distance) => {
                    let Some(number) = value.as_real() else { return false };
                    let far = |other: &Real| {
                        number.minus(*other).is_some_and(|apart| apart.abs() >= *distance)
                    };
                    let is_far = near.iter().all(far);
                    if is_far {
                        near.push(number);
                    }
                    is_far
                }
                _ => true,
            }
        });
        let items: Vec<Values> = fresh.take(count).map(|value| vec![(self.id, value)]).collect();
        let end = match (&self.class, items.len() == count) {
            (_, true) => End::Asked,
            _ if gave_up => self.gave_up(environment),
            (Class::Near(_), _) => {
                End::Unproved("numbers at a distance were chosen greedily".into())
            }
            (_, false) if self.lists_all() => End::Largest,
            _ => {
                End::Unproved(format!("not all values of `{}` were tried", self.name(environment)))
            }
        };
        Ok(List { items, end })
    }

    fn name<'e>(&self, environment: &'e Environment) -> &'e str {
        environment.variable(self.id).map_or("a variable", |variable| &variable.name)
    }

    /// Does the list of candidates end only where there are no more values?
    fn lists_all(&self) -> bool {
        match &self.domain {
            Domain::Reals(set) => set.is_finite(),
            _ => true,
        }
    }

    /// Values, one for each class where that is easy, in an order that is worth trying.
    fn candidates(&self, seed: u64) -> Result<Box<dyn Iterator<Item = Value>>, TooComplex> {
        let text = |word: String| Value::from(word.as_str());
        let filtered = !self.filter.is_empty();
        Ok(match (&self.domain, &self.class) {
            (Domain::Bool { no, yes }, _) => {
                let both = [(*no, false), (*yes, true)].into_iter();
                Box::new(both.filter(|(can, _)| *can).map(|(_, value)| Value::Bool(value)))
            }
            (Domain::Ints(set), Class::Zone) => {
                let set = set.clone();
                let mut seen = HashSet::new();
                let places = (0..zones::places().len() as i128).filter(move |at| set.contains(*at));
                Box::new(
                    places
                        .filter(move |at| zones::class(*at).is_some_and(|zone| seen.insert(zone)))
                        .map(Value::Int),
                )
            }
            (Domain::Ints(set), _) if matches!(self.sort, Sort::Location | Sort::Enum(_)) => {
                // These lists are already in an order that is worth trying.
                let set = set.clone();
                Box::new((0..set.size()).filter_map(move |at| set.nth(at)).map(Value::Int))
            }
            (Domain::Ints(set), _) => Box::new(set.spread(seed).map(Value::Int)),
            (Domain::Reals(set), _) => Box::new(set.spread(seed).map(Value::Real)),
            (Domain::Texts(language), Class::Length) if !filtered => by_length(language, seed)?,
            (Domain::Texts(language), Class::Kind(pattern, mode)) => {
                let repeats = match mode {
                    CoverMode::Structure => Repeats::Few,
                    CoverMode::Unrolled => Repeats::Concatenation,
                };
                let cover =
                    Cover::new(pattern.regex()).repeats(repeats).seed(seed).within(language);
                Box::new(cover.words()?.map(text))
            }
            (Domain::Texts(language), _) => spread_texts(language, seed)?,
        })
    }

    /// Numbers at a distance that a filter leaves: the least that is far enough is always the
    /// best to take.
    fn filtered_steps(
        &self,
        environment: &Environment,
        set: &Intervals,
        distance: Real,
        count: usize,
    ) -> List {
        let mut model = scratch(environment);
        let mut items: Vec<Values> = Vec::new();
        let mut from = set.nth(0);
        for _ in 0..TRIES_MAX.max(count.saturating_mul(20)) {
            let Some(number) = from.and_then(|from| set.next_from(from)) else {
                return List { items, end: End::Largest };
            };
            model.0[self.id.index()] = Value::Int(number);
            let holds = |assertion: &Expr| eval::truth(assertion, &model, None) == Some(true);
            let fits = self.filter.iter().all(holds);
            if fits {
                items.push(vec![(self.id, Value::Int(number))]);
                if items.len() == count {
                    return List { items, end: End::Asked };
                }
            }
            from = number.checked_add(if fits { distance.ceil() } else { 1 });
        }
        List { items, end: self.gave_up(environment) }
    }

    fn gave_up(&self, environment: &Environment) -> End {
        End::Unproved(format!("only {TRIES_MAX} values of `{}` were tried", self.name(environment)))
    }

    /// Numbers at a distance.
    fn steps(&self, distance: Real, seed: u64, count: usize) -> Option<List> {
        match &self.domain {
            Domain::Ints(set) => {
                let steps = set.steps(u128::try_from(distance.ceil()).ok()?);
                let values = steps.spread(seed).map(|number| vec![(self.id, Value::Int(number))]);
                Some(List::take_from(values, count))
            }
            Domain::Reals(set) => {
                let (numbers, all) = set.steps(distance, count);
                let items: Vec<Values> = numbers
                    .into_iter()
                    .map(|number| vec![(self.id, Value::Real(number))])
                    .collect();
                let end = if items.len() == count || !all { End::Asked } else { End::Largest };
                Some(List { items, end })
            }
            _ => None,
        }
    }

    fn far_apart(
        &self,
        environment: &Environment,
        edits: u32,
        seed: u64,
        count: usize,
    ) -> Result<List, TooComplex> {
        let Domain::Texts(language) = &self.domain else { return Ok(List::empty()) };
        let mut model = scratch(environment);
        let far = language.far_apart(edits as usize, seed)?.map(|word| Value::from(word.as_str()));
        let kept = far.filter(|value| {
            model.0[self.id.index()] = value.clone();
            self.filter.iter().all(|assertion| eval::truth(assertion, &model, None) == Some(true))
        });
        let items: Vec<Values> = kept.take(count).map(|value| vec![(self.id, value)]).collect();
        let end = match items.len() {
            found if found == count => End::Asked,
            0 => End::Largest,
            _ => End::Unproved(
                "a different choice of strings may allow more at that edit distance".into(),
            ),
        };
        Ok(List { items, end })
    }
}

/// A text of each length. The first look different; of the many others, the next is the
/// last one and some more, which costs nothing to find.
fn by_length(
    language: &Language,
    seed: u64,
) -> Result<Box<dyn Iterator<Item = Value>>, TooComplex> {
    const DIFFERENT: usize = 50;
    let mut readable = language.spread(seed).ok();
    let lengths = language.lengths()?.enumerate();
    Ok(Box::new(lengths.map(move |(at, witness)| {
        let length = witness.len();
        let own = (at < DIFFERENT).then(|| readable.as_mut()?.of_length(length)).flatten();
        Value::from(own.unwrap_or_else(|| witness.to_string()).as_str())
    })))
}

/// Texts that look different; those that people can read come first.
fn spread_texts(
    language: &Language,
    seed: u64,
) -> Result<Box<dyn Iterator<Item = Value>>, TooComplex> {
    let words = language.spread(seed)?;
    Ok(Box::new(words.map(|word| Value::from(word.as_str()))))
}
