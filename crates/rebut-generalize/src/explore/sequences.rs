//! Strings and lists in conditions.
//!
//! A string is drawn as a length, followed by that many characters. So the first draw of the second
//! text depends on the length of the first. Conditions of several paths can be compared only if
//! they are about the same variables. So each text has its own variables for its length and its
//! elements, and every path has conditions that make them equal to its draws.

use crate::explore::paths::ExploredPaths;
use crate::plan::{Parameter, Plan};
use crate::read::value::ParameterType;
use rebut_concolic::DrawId;
use rebut_smt::{Bits, Pool, Sort, Term};

/// The width of lengths: that of a `usize` in [`ParameterType`].
const LENGTH: u32 = 64;

/// The width of elements that are characters.
const CHARACTER: u32 = 32;

/// The variables of a string or list.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    pub(crate) length: Term,
    /// The elements. Those after the length have no meaning.
    pub(crate) elements: Vec<Term>,
}

/// An element of a list that a value may be equal to.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Its Rust code.
    pub(crate) text: String,
    /// The condition that the value is equal to it.
    pub(crate) is_equal: Term,
    /// The condition that it exists.
    pub(crate) exists: Term,
}

/// Returns the variables of the strings and lists of a plan, by parameter. Adds conditions to every
/// path that make them equal to its draws.
pub(crate) fn sequence_terms(plan: &Plan, paths: &mut ExploredPaths) -> Vec<Option<Sequence>> {
    let layouts: Vec<Vec<Option<Vec<usize>>>> =
        (0..paths.all.len()).map(|nth| layout(plan, &paths.all[nth].numbers)).collect();
    let mut all = Vec::new();
    for (nth, parameter) in plan.parameters.iter().enumerate() {
        if !parameter.is_sequence() {
            all.push(None);
            continue;
        }
        let most = layouts.iter().filter_map(|layout| Some(layout[nth].as_ref()?.len() - 1)).max();
        let most = most.unwrap_or(0).max(parameter.site.value.length());
        let width = element_width(parameter);
        let pool = &mut paths.pool;
        let length = pool.var(&format!("t{nth}.length"), Sort::BitVec(LENGTH));
        let elements = (0..most)
            .map(|element| pool.var(&format!("t{nth}.{element}"), Sort::BitVec(width)))
            .collect();
        all.push(Some(Sequence { length, elements }));
    }
    for (path, layout) in layouts.iter().enumerate() {
        for (nth, draws) in layout.iter().enumerate() {
            if let (Some(sequence), Some(draws)) = (&all[nth], draws) {
                bind_to_draws(paths, path, sequence, draws);
            }
        }
    }
    all
}

fn element_width(parameter: &Parameter) -> u32 {
    match &parameter.ty {
        Some(ParameterType::Slice(ty) | ParameterType::Vec(ty)) => match **ty {
            ParameterType::Int { bits, .. } | ParameterType::Float(bits) => bits,
            ParameterType::Bool => 1,
            _ => CHARACTER,
        },
        _ => CHARACTER,
    }
}

/// Returns the draws of each text and list on a path. `None` for other parameters, and if the path
/// has too few draws.
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
    let draws_of = |parameter: &Parameter| {
        let (_, draws) = found.iter().find(|(name, _)| name == parameter.name())?;
        draws.clone().filter(|_| fits)
    };
    plan.parameters.iter().map(draws_of).collect()
}

/// Adds conditions to a path that make a sequence equal to these draws.
fn bind_to_draws(paths: &mut ExploredPaths, path: usize, sequence: &Sequence, draws: &[usize]) {
    let ExploredPaths { all, pool, .. } = paths;
    let found = &mut all[path];
    let length = draws.len() - 1;
    let value = pool.bits(LENGTH, length as u128);
    let mut terms = vec![pool.eq(sequence.length, value)];
    let mut values = vec![(sequence.length, Bits::new(LENGTH, length as u128))];
    if let Some(drawn) = found.draw(DrawId::new(draws[0])) {
        let width = pool.width(drawn);
        let value = pool.bits(width, length as u128);
        terms.push(pool.eq(drawn, value));
    }
    for element in &sequence.elements[length.min(sequence.elements.len())..] {
        values.push((*element, Bits::new(pool.width(*element), 0)));
    }
    for (element, draw) in sequence.elements.iter().zip(&draws[1..]) {
        let width = pool.width(*element);
        let number = found.numbers[*draw];
        values.push((*element, Bits::of_i128(width, number)));
        let Some(drawn) = found.draw(DrawId::new(*draw)) else { continue };
        let narrow = pool.width(drawn);
        if narrow <= width {
            let drawn = pool.zero_extend(width - narrow, drawn);
            terms.push(pool.eq(*element, drawn));
        }
    }
    found.conditions.extend(terms);
    for (term, bits) in values {
        found.model.set(term, rebut_smt::Value::Bits(bits));
    }
}

impl Sequence {
    /// Returns the condition that the sequence has these choices.
    pub(crate) fn equals_choices(&self, pool: &mut Pool, numbers: &[i128]) -> Term {
        let (length, elements) = (numbers.first().copied().unwrap_or(0), numbers.get(1..));
        let value = pool.bits(LENGTH, length as u128);
        let mut all = pool.eq(self.length, value);
        for (element, number) in self.elements.iter().zip(elements.unwrap_or_default()) {
            let width = pool.width(*element);
            let value = pool.bits_of_i128(width, *number);
            let is_it = pool.eq(*element, value);
            all = pool.and(all, is_it);
        }
        all
    }

    /// Returns the condition that the sequence is equal to another.
    pub(crate) fn is_equal(&self, pool: &mut Pool, other: &Sequence) -> Term {
        let mut all = pool.eq(self.length, other.length);
        for (nth, (a, b)) in self.elements.iter().zip(&other.elements).enumerate() {
            let has_element = self.is_longer(pool, nth);
            let is_absent = pool.not(has_element);
            let is_same = pool.eq(*a, *b);
            let is_fine = pool.or(is_absent, is_same);
            all = pool.and(all, is_fine);
        }
        all
    }

    /// Returns the code and the term of the length, if the length has this type. The code counts
    /// the bytes of a string. Explored strings are mostly ASCII, where that is the number of
    /// characters; `Draft::count_characters` corrects the others.
    pub(crate) fn length_as(&self, name: &str, ty: &ParameterType) -> Option<(String, Term)> {
        let is_size = matches!(ty, ParameterType::Int { name, .. } if name == "usize");
        is_size.then(|| (format!("{name}.len()"), self.length))
    }

    /// Returns the first and the last element of a list, to compare them with a value.
    pub(crate) fn first_and_last(&self, pool: &mut Pool, name: &str, value: Term) -> [Element; 2] {
        let mut last = value;
        for (nth, element) in self.elements.iter().enumerate() {
            let count = pool.bits(LENGTH, nth as u128 + 1);
            let ends_here = pool.eq(self.length, count);
            last = pool.ite(ends_here, *element, last);
        }
        let first = self.elements.first().copied().unwrap_or(value);
        let exists = self.is_longer(pool, 0);
        [(format!("{name}[0]"), first), (format!("{name}[{name}.len() - 1]"), last)]
            .map(|(text, term)| Element { text, is_equal: pool.eq(term, value), exists })
    }

    /// Returns the condition that there are more elements than this.
    pub(crate) fn is_longer(&self, pool: &mut Pool, than: usize) -> Term {
        let than = pool.bits(LENGTH, than as u128);
        pool.bv_ult(than, self.length)
    }

    /// Returns the condition that this element is this character.
    pub(crate) fn has_at(&self, pool: &mut Pool, nth: usize, character: char) -> Term {
        let Some(element) = self.elements.get(nth) else { return pool.bool(false) };
        let value = pool.bits(pool.width(*element), u128::from(u32::from(character)));
        let is_it = pool.eq(*element, value);
        let is_there = self.is_longer(pool, nth);
        pool.and(is_it, is_there)
    }

    /// Returns the condition that some element is this character.
    pub(crate) fn has(&self, pool: &mut Pool, character: char) -> Term {
        let mut any = pool.bool(false);
        for nth in 0..self.elements.len() {
            let is_it = self.has_at(pool, nth, character);
            any = pool.or(any, is_it);
        }
        any
    }

    /// Returns the condition that every element is an ASCII digit.
    pub(crate) fn has_only_digits(&self, pool: &mut Pool) -> Term {
        let mut all = pool.bool(true);
        for (nth, element) in self.elements.iter().enumerate() {
            let width = pool.width(*element);
            let [first, last] = ['0', '9'].map(|c| pool.bits(width, u128::from(u32::from(c))));
            let (low, high) = (pool.bv_ult(*element, first), pool.bv_ult(last, *element));
            let is_other = pool.or(low, high);
            let is_there = self.is_longer(pool, nth);
            let is_wrong = pool.and(is_other, is_there);
            let is_fine = pool.not(is_wrong);
            all = pool.and(all, is_fine);
        }
        all
    }
}
