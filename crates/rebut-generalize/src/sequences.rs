//! Texts and lists in conditions.
//!
//! A text is a length and so many characters, so where the draws of the second text begin depends
//! on the length of the first. Conditions of several paths can be compared only if they speak of
//! the same things: so each text has terms of its own for its length and its parts, and every
//! path says which of its draws these are.

use super::paths::Paths;
use super::plan::{Parameter, Plan};
use super::value::{Type, Value};
use rebut_smt::{Bits, Pool, Sort, Term};

/// How wide the lengths and parts of texts are.
const LENGTH: u32 = 32;

/// A text or a list.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    pub(super) length: Term,
    /// The parts; those behind the length mean nothing.
    pub(super) parts: Vec<Term>,
}

/// Something about the elements of a list.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// In Rust.
    pub(super) text: String,
    /// That a value is equal to it.
    pub(super) is_it: Term,
    /// That there is such a thing.
    pub(super) needs: Term,
}

/// The texts and lists of a plan, by the places of the parameters; every path says what they are.
pub(super) fn of(plan: &Plan, paths: &mut Paths) -> Vec<Option<Sequence>> {
    let layouts: Vec<Vec<Option<Vec<usize>>>> =
        (0..paths.all.len()).map(|nth| layout(plan, &paths.all[nth].numbers)).collect();
    let mut all = Vec::new();
    for (nth, parameter) in plan.parameters.iter().enumerate() {
        if !parameter.is_sequence() {
            all.push(None);
            continue;
        }
        let most = layouts.iter().filter_map(|layout| Some(layout[nth].as_ref()?.len() - 1)).max();
        let most = most.unwrap_or(0).max(own_length(parameter));
        let width = width(parameter);
        let pool = &mut paths.pool;
        let length = pool.var(&format!("t{nth}.length"), Sort::BitVec(LENGTH));
        let parts = (0..most)
            .map(|part| pool.var(&format!("t{nth}.{part}"), Sort::BitVec(width)))
            .collect();
        all.push(Some(Sequence { length, parts }));
    }
    for (path, layout) in layouts.iter().enumerate() {
        for (nth, draws) in layout.iter().enumerate() {
            if let (Some(sequence), Some(draws)) = (&all[nth], draws) {
                bind(paths, path, sequence, draws);
            }
        }
    }
    all
}

fn own_length(parameter: &Parameter) -> usize {
    match &parameter.site.value {
        Value::Text(text) => text.chars().count(),
        Value::List(list) => list.len(),
        _ => 0,
    }
}

fn width(parameter: &Parameter) -> u32 {
    match &parameter.of {
        Some(Type::Slice(of) | Type::Vec(of)) => match **of {
            Type::Int { bits, .. } | Type::Float(bits) => bits,
            Type::Bool => 1,
            _ => 32,
        },
        _ => 32,
    }
}

/// Which draws of a path each parameter has: none where it is one choice, or if that cannot be
/// told.
fn layout(plan: &Plan, numbers: &[i128]) -> Vec<Option<Vec<usize>>> {
    let mut next = 0;
    let mut found = Vec::new();
    for parameter in plan.explored() {
        let count = match (parameter.is_sequence(), numbers.get(next)) {
            (true, Some(length)) => 1 + usize::try_from(*length).unwrap_or(0),
            _ if parameter.is_mock() => 0,
            _ => 1,
        };
        let draws = parameter.is_sequence().then(|| (next..next + count).collect::<Vec<_>>());
        found.push((parameter.name().to_owned(), draws));
        next += count;
    }
    let fits = next <= numbers.len();
    let of = |parameter: &Parameter| {
        let (_, draws) = found.iter().find(|(name, _)| name == parameter.name())?;
        draws.clone().filter(|_| fits)
    };
    plan.parameters.iter().map(of).collect()
}

/// Says on a path which draws a text is made of.
fn bind(paths: &mut Paths, path: usize, sequence: &Sequence, draws: &[usize]) {
    let conditions = paths.all[path].conditions.clone();
    let known = paths.pool.variables(&conditions);
    let pool = &mut paths.pool;
    let variable = |pool: &Pool, draw: usize| {
        let name = format!("d{draw}");
        known.iter().copied().find(|term| pool.name(*term) == Some(&name))
    };
    let length = draws.len() - 1;
    let value = pool.bits(LENGTH, length as u128);
    let mut terms = vec![pool.eq(sequence.length, value)];
    let mut values = vec![(sequence.length, Bits::new(LENGTH, length as u128))];
    if let Some(drawn) = variable(pool, draws[0]) {
        let width = pool.width(drawn);
        let value = pool.bits(width, length as u128);
        terms.push(pool.eq(drawn, value));
    }
    for part in &sequence.parts[length.min(sequence.parts.len())..] {
        values.push((*part, Bits::new(pool.width(*part), 0)));
    }
    for (part, draw) in sequence.parts.iter().zip(&draws[1..]) {
        let width = pool.width(*part);
        let number = paths.all[path].numbers[*draw];
        values.push((*part, Bits::new(width, number as u128 & (u128::MAX >> (128 - width)))));
        let Some(drawn) = variable(pool, *draw) else { continue };
        let narrow = pool.width(drawn);
        if narrow <= width {
            let drawn = pool.zero_extend(width - narrow, drawn);
            terms.push(pool.eq(*part, drawn));
        }
    }
    let found = &mut paths.all[path];
    found.conditions.extend(terms);
    for (term, bits) in values {
        found.model.set(term, rebut_smt::Value::Bits(bits));
    }
}

impl Sequence {
    /// That it is this.
    pub(super) fn is(&self, pool: &mut Pool, numbers: &[i128]) -> Term {
        let (length, parts) = (numbers.first().copied().unwrap_or(0), numbers.get(1..));
        let value = pool.bits(LENGTH, length as u128);
        let mut all = pool.eq(self.length, value);
        for (part, number) in self.parts.iter().zip(parts.unwrap_or_default()) {
            let width = pool.width(*part);
            let value = pool.bits(width, *number as u128 & (u128::MAX >> (128 - width)));
            let is_it = pool.eq(*part, value);
            all = pool.and(all, is_it);
        }
        all
    }

    /// That it is the same as another.
    pub(super) fn is_same(&self, pool: &mut Pool, other: &Sequence) -> Term {
        let mut all = pool.eq(self.length, other.length);
        for (nth, (a, b)) in self.parts.iter().zip(&other.parts).enumerate() {
            let is_behind = self.ends_before(pool, nth);
            let is_same = pool.eq(*a, *b);
            let is_fine = pool.or(is_behind, is_same);
            all = pool.and(all, is_fine);
        }
        all
    }

    /// Its length, if that is of this type: with how it is written. Of texts, that is the number
    /// of bytes, which are as many as characters as far as texts are explored.
    pub(super) fn length_as(&self, name: &str, of: &Type) -> Option<(String, Term)> {
        let is_size = matches!(of, Type::Int { name, .. } if name == "usize");
        is_size.then(|| (format!("{name}.len()"), self.length))
    }

    /// That a value is the first or the last of a list: how that is written, what it means, and
    /// what has to be so that it can be said.
    pub(super) fn elements(&self, pool: &mut Pool, name: &str, value: Term) -> [Element; 2] {
        let mut last = value;
        for (nth, part) in self.parts.iter().enumerate() {
            let count = pool.bits(LENGTH, nth as u128 + 1);
            let ends_here = pool.eq(self.length, count);
            last = pool.ite(ends_here, *part, last);
        }
        let first = self.parts.first().copied().unwrap_or(value);
        let needs = self.is_longer(pool, 0);
        [(format!("{name}[0]"), first), (format!("{name}[{name}.len() - 1]"), last)]
            .map(|(text, term)| Element { text, is_it: pool.eq(term, value), needs })
    }

    /// That there is no part of this number.
    fn ends_before(&self, pool: &mut Pool, nth: usize) -> Term {
        let more = self.is_longer(pool, nth);
        pool.not(more)
    }

    /// That there are more parts than this.
    pub(super) fn is_longer(&self, pool: &mut Pool, than: usize) -> Term {
        let than = pool.bits(LENGTH, than as u128);
        pool.bv_ult(than, self.length)
    }

    /// That a part is this character.
    pub(super) fn has_at(&self, pool: &mut Pool, nth: usize, character: char) -> Term {
        let Some(part) = self.parts.get(nth) else { return pool.bool(false) };
        let value = pool.bits(pool.width(*part), u128::from(u32::from(character)));
        let is_it = pool.eq(*part, value);
        let is_there = self.is_longer(pool, nth);
        pool.and(is_it, is_there)
    }

    /// That some part is this character.
    pub(super) fn has(&self, pool: &mut Pool, character: char) -> Term {
        let mut any = pool.bool(false);
        for nth in 0..self.parts.len() {
            let is_it = self.has_at(pool, nth, character);
            any = pool.or(any, is_it);
        }
        any
    }

    /// That every part is a digit.
    pub(super) fn has_only_digits(&self, pool: &mut Pool) -> Term {
        let mut all = pool.bool(true);
        for (nth, part) in self.parts.iter().enumerate() {
            let width = pool.width(*part);
            let [first, last] = ['0', '9'].map(|c| pool.bits(width, u128::from(u32::from(c))));
            let (low, high) = (pool.bv_ult(*part, first), pool.bv_ult(last, *part));
            let is_other = pool.or(low, high);
            let is_there = self.is_longer(pool, nth);
            let is_wrong = pool.and(is_other, is_there);
            let is_fine = pool.not(is_wrong);
            all = pool.and(all, is_fine);
        }
        all
    }
}
