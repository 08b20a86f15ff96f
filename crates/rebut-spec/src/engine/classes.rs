//! Class enumerators: values of one variable, any two of which satisfy the constraint.
//!
//! A [`Grouping`] divides the domain into groups such that two values of a group do not differ,
//! and the enumerator lists one value per group. So no larger set exists, which is the proof
//! that [`ListEnd::Largest`] needs. For `different-lengths`, for example, a group is all strings
//! of one length, and the list is one string per length.
//!
//! Edit distance is the exception. Its list is chosen greedily: no string can be added to it,
//! but another choice may be longer.

use super::domain::Domain;
use super::intervals::Intervals;
use super::list::{List, ListEnd, Values};
use super::{Options, simplest_model};
use crate::eval;
use crate::ir::{
    Constraint, CoverMode, Environment, Expr, Op, Pattern, Relation, Sort, Value, VarId,
};
use crate::number::Real;
use crate::zones;
use rebut_text::{Cover, Language, Repeats, TooComplex};
use std::collections::HashSet;
use std::sync::Arc;

/// The number of values that are tried against assertions that are not part of the domain.
/// Arbitrary; 20 values per requested model are tried in any case. At the limit the list ends as
/// unproved.
const TRIES_MAX: usize = 1_000_000;

/// Lists different values of one variable.
#[derive(Clone, Debug)]
pub(crate) struct ClassEnumerator {
    pub(crate) id: VarId,
    pub(crate) sort: Sort,
    pub(crate) domain: Domain,
    pub(crate) grouping: Grouping,
    /// Assertions about the variable that the domain does not express. Each value is tested.
    pub(crate) filter: Vec<Expr>,
}

/// The property that all values of a group share.
#[derive(Clone, Debug)]
pub(crate) enum Grouping {
    /// The value.
    Value,
    /// The length of the string.
    Length,
    /// They are closer than this distance.
    Distance(Real),
    /// They are fewer edits apart than this.
    EditDistance(u32),
    /// The time zone.
    TimeZone,
    /// The way through a regular expression.
    Structure(Arc<Pattern>, CoverMode),
    /// The value of an expression over the variable.
    Expression(Expr),
}

impl Grouping {
    /// Returns the grouping of a constraint on a single variable, or `None` if there is no
    /// enumerator for it.
    pub(crate) fn for_constraint(constraint: &Constraint, id: VarId) -> Option<Self> {
        match constraint {
            Constraint::Relate { subject, guard, relation } if guard.is_true() => {
                Self::for_relation(subject, relation, id)
            }
            Constraint::Cover { subject, guard, pattern, mode }
                if guard.is_true() && subject.as_var() == Some(id) =>
            {
                Some(Self::Structure(pattern.clone(), *mode))
            }
            // One difference is enough, and different values are one.
            Constraint::Some(parts) => {
                let each: Option<Vec<Self>> =
                    parts.iter().map(|part| Self::for_constraint(part, id)).collect();
                each?.into_iter().find(|class| matches!(class, Self::Value))
            }
            // If anything else differs, so do the values.
            Constraint::All(parts) => {
                let each: Option<Vec<Self>> =
                    parts.iter().map(|part| Self::for_constraint(part, id)).collect();
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

    fn for_relation(subject: &Expr, relation: &Relation, id: VarId) -> Option<Self> {
        let plain = subject.as_var() == Some(id);
        match relation {
            Relation::NotEqual if plain => Some(Self::Value),
            Relation::NotEqual => match (subject.op(), subject.args()) {
                (Op::Length, [text]) if text.as_var() == Some(id) => Some(Self::Length),
                _ => Some(Self::Expression(subject.clone())),
            },
            Relation::DifferentLengths if plain => Some(Self::Length),
            Relation::NumericDistance(distance) if plain => Some(Self::Distance(*distance)),
            Relation::EditDistance(edits) if plain => Some(Self::EditDistance(*edits)),
            Relation::DifferentTimeZones if plain => Some(Self::TimeZone),
            _ => None,
        }
    }

    /// Returns the largest of several distances. Other groupings cannot be combined.
    fn farthest(classes: &[Self]) -> Option<Self> {
        let distances: Option<Vec<Real>> = classes
            .iter()
            .map(|class| match class {
                Self::Distance(distance) => Some(*distance),
                _ => None,
            })
            .collect();
        distances?.into_iter().max().map(Self::Distance)
    }
}

impl ClassEnumerator {
    /// Lists at most `count` values.
    pub(crate) fn list(&self, environment: &Environment, options: &Options, count: usize) -> List {
        match self.try_list(environment, options, count) {
            Ok(list) => list,
            Err(error) => {
                let name =
                    environment.variable(self.id).map_or("a variable", |variable| &variable.name);
                List {
                    items: Vec::new(),
                    end: ListEnd::Missing(format!(
                        "the specification of `{name}` is too complex: {error}"
                    )),
                }
            }
        }
    }

    /// Lists values, or fails if the automaton of a language becomes too large.
    fn try_list(
        &self,
        environment: &Environment,
        options: &Options,
        count: usize,
    ) -> Result<List, TooComplex> {
        let seed = options.seed ^ u64::from(self.id.0).wrapping_mul(0x2545_f491_4f6c_dd1d);
        if let Grouping::Distance(distance) = &self.grouping
            && self.filter.is_empty()
            && let Some(list) = self.steps(*distance, seed, count)
        {
            return Ok(list);
        }
        if let (Grouping::Distance(distance), Domain::Ints(set)) = (&self.grouping, &self.domain) {
            return Ok(self.filtered_steps(environment, set, *distance, count));
        }
        if let Grouping::EditDistance(edits) = &self.grouping {
            return self.far_apart(environment, *edits, seed, count);
        }
        let candidates = self.candidates(seed)?;
        let mut model = simplest_model(environment);
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
            if !self.filter.is_empty() || matches!(self.grouping, Grouping::Expression(_)) {
                model.0[self.id.index()] = value.clone();
            }
            if self
                .filter
                .iter()
                .any(|assertion| eval::truth(assertion, &model, None) != Some(true))
            {
                return false;
            }
            match &self.grouping {
                Grouping::Expression(subject) => {
                    eval::value(subject, &model, None).is_some_and(|said| keys.insert(said))
                }
                Grouping::Distance(distance) => {
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
        let end = match (&self.grouping, items.len() == count) {
            (_, true) => ListEnd::CountReached,
            _ if gave_up => self.gave_up(environment),
            (Grouping::Distance(_), _) => {
                ListEnd::Unproved("numbers at a distance were chosen greedily".into())
            }
            (_, false) if self.lists_all() => ListEnd::Largest,
            _ => ListEnd::Unproved(format!(
                "not all values of `{}` were tried",
                self.name(environment)
            )),
        };
        Ok(List { items, end })
    }

    fn name<'e>(&self, environment: &'e Environment) -> &'e str {
        environment.variable(self.id).map_or("a variable", |variable| &variable.name)
    }

    /// Whether the candidates include every value of the domain.
    fn lists_all(&self) -> bool {
        match &self.domain {
            Domain::Reals(set) => set.is_finite(),
            _ => true,
        }
    }

    /// Candidate values in a spread order: one per group where the domain can be listed by
    /// groups, otherwise all values.
    fn candidates(&self, seed: u64) -> Result<Box<dyn Iterator<Item = Value>>, TooComplex> {
        let text = |word: String| Value::from(word.as_str());
        let filtered = !self.filter.is_empty();
        Ok(match (&self.domain, &self.grouping) {
            (Domain::Bool { no, yes }, _) => {
                let both = [(*no, false), (*yes, true)].into_iter();
                Box::new(both.filter(|(can, _)| *can).map(|(_, value)| Value::Bool(value)))
            }
            (Domain::Ints(set), Grouping::TimeZone) => {
                let set = set.clone();
                let mut seen = HashSet::new();
                let places =
                    (0..zones::locations().len() as i128).filter(move |at| set.contains(*at));
                Box::new(
                    places
                        .filter(move |at| zones::class(*at).is_some_and(|zone| seen.insert(zone)))
                        .map(Value::Int),
                )
            }
            (Domain::Ints(set), _) if matches!(self.sort, Sort::Location | Sort::Enum(_)) => {
                // Locations are already spread; enumerations keep the order of the file.
                let set = set.clone();
                Box::new((0..set.size()).filter_map(move |at| set.nth(at)).map(Value::Int))
            }
            (Domain::Ints(set), _) => Box::new(set.spread(seed).map(Value::Int)),
            (Domain::Reals(set), _) => Box::new(set.spread(seed).map(Value::Real)),
            (Domain::Strings(language), Grouping::Length) if !filtered => {
                by_length(language, seed)?
            }
            (Domain::Strings(language), Grouping::Structure(pattern, mode)) => {
                let repeats = match mode {
                    CoverMode::Structure => Repeats::Few,
                    CoverMode::Unrolled => Repeats::Concatenation,
                };
                let cover =
                    Cover::new(pattern.regex()).repeats(repeats).seed(seed).within(language);
                Box::new(cover.words()?.map(text))
            }
            (Domain::Strings(language), _) => spread_texts(language, seed)?,
        })
    }

    /// Integers at a distance that pass the filter. Always taking the least one that is far
    /// enough is optimal, as in [`Intervals::steps`].
    fn filtered_steps(
        &self,
        environment: &Environment,
        set: &Intervals,
        distance: Real,
        count: usize,
    ) -> List {
        let mut model = simplest_model(environment);
        let mut items: Vec<Values> = Vec::new();
        let mut from = set.nth(0);
        for _ in 0..TRIES_MAX.max(count.saturating_mul(20)) {
            let Some(number) = from.and_then(|from| set.next_from(from)) else {
                return List { items, end: ListEnd::Largest };
            };
            model.0[self.id.index()] = Value::Int(number);
            let holds = |assertion: &Expr| eval::truth(assertion, &model, None) == Some(true);
            let fits = self.filter.iter().all(holds);
            if fits {
                items.push(vec![(self.id, Value::Int(number))]);
                if items.len() == count {
                    return List { items, end: ListEnd::CountReached };
                }
            }
            from = number.checked_add(if fits { distance.ceil() } else { 1 });
        }
        List { items, end: self.gave_up(environment) }
    }

    fn gave_up(&self, environment: &Environment) -> ListEnd {
        ListEnd::Unproved(format!(
            "only {TRIES_MAX} values of `{}` were tried",
            self.name(environment)
        ))
    }

    /// Numbers at a distance, without a filter.
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
                let end = if items.len() == count || !all {
                    ListEnd::CountReached
                } else {
                    ListEnd::Largest
                };
                Some(List { items, end })
            }
            _ => None,
        }
    }

    /// Strings that are some edits apart, chosen greedily.
    fn far_apart(
        &self,
        environment: &Environment,
        edits: u32,
        seed: u64,
        count: usize,
    ) -> Result<List, TooComplex> {
        let Domain::Strings(language) = &self.domain else { return Ok(List::empty()) };
        let mut model = simplest_model(environment);
        let far = language.far_apart(edits as usize, seed)?.map(|word| Value::from(word.as_str()));
        let kept = far.filter(|value| {
            model.0[self.id.index()] = value.clone();
            self.filter.iter().all(|assertion| eval::truth(assertion, &model, None) == Some(true))
        });
        let items: Vec<Values> = kept.take(count).map(|value| vec![(self.id, value)]).collect();
        let end = match items.len() {
            found if found == count => ListEnd::CountReached,
            0 => ListEnd::Largest,
            _ => ListEnd::Unproved(
                "a different choice of strings may allow more at that edit distance".into(),
            ),
        };
        Ok(List { items, end })
    }
}

/// Lists one string of each length. The first ones are readable and varied. For the many others
/// the shortest way is used: the previous string and some more characters.
fn by_length(
    language: &Language,
    seed: u64,
) -> Result<Box<dyn Iterator<Item = Value>>, TooComplex> {
    // Arbitrary. Later strings look alike, but cost next to nothing.
    const VARIED_MAX: usize = 50;
    let mut readable = language.spread(seed).ok();
    let lengths = language.lengths()?.enumerate();
    Ok(Box::new(lengths.map(move |(at, witness)| {
        let length = witness.len();
        let own = (at < VARIED_MAX).then(|| readable.as_mut()?.of_length(length)).flatten();
        Value::from(own.unwrap_or_else(|| witness.to_string()).as_str())
    })))
}

/// Lists varied strings, readable ones first.
fn spread_texts(
    language: &Language,
    seed: u64,
) -> Result<Box<dyn Iterator<Item = Value>>, TooComplex> {
    let words = language.spread(seed)?;
    Ok(Box::new(words.map(|word| Value::from(word.as_str()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Program, Verdict, generate, output};

    /// The values of `x` that a constraint lists, and what their number means.
    fn listed(declaration: &str, constraint: &str) -> (Vec<serde_json::Value>, Verdict) {
        let text = format!(
            "{declaration} (generate g 1000 (constrain-solutions x {constraint}) (output x))"
        );
        let program = Program::parse("test.rebut", &text);
        assert_eq!(program.diagnostics, []);
        let environment = &program.environments[0];
        let outcome = generate(environment, &Options::default()).expect("valid models");
        let value = |model| output::json(environment, model)["x"].clone();
        (outcome.models.iter().map(value).collect(), outcome.verdict)
    }

    #[test]
    fn there_is_one_value_per_group() {
        let strings = "(declare x ?String) (specify x (matches \"a{2,4}|b{3}\"))";
        let (values, verdict) = listed(strings, "different-lengths");
        let mut lengths: Vec<usize> =
            values.iter().filter_map(|value| value.as_str()).map(str::len).collect();
        lengths.sort_unstable();
        assert_eq!((lengths, verdict), (vec![2, 3, 4], Verdict::Largest));
        let remainders = "(declare x ?(Integer 0 99))";
        let (values, verdict) = listed(remainders, "(≠ (mod x 7) (mod (evaluate x model) 7))");
        assert_eq!((values.len(), verdict), (7, Verdict::Largest));
    }

    #[test]
    fn distances_with_a_filter_are_proved() {
        let squares = "(declare x ?(Integer 0 5000)) (specify x (λ (x) (= (mod (* x x) 16) 9)))";
        let (values, verdict) = listed(squares, "(numeric-distance 1000)");
        assert_eq!(verdict, Verdict::Largest);
        assert_eq!(values, [3, 1003, 2003, 3003, 4003].map(serde_json::Value::from));
    }

    #[test]
    fn edit_distances_are_greedy_and_unproved() {
        let strings = "(declare x ?String) (specify x (matches \"[ab]{3}\"))";
        let (values, verdict) = listed(strings, "(edit-distance 2)");
        assert!(values.len() >= 2, "{values:?}");
        assert!(matches!(verdict, Verdict::Unproved(_)), "{verdict:?}");
    }
}
