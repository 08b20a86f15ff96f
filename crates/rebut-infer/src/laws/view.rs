//! Values as claims see them. On a path, lengths and variants are known and numbers are terms. In
//! the free world (`reduce`), all of it is terms.

use rebut_concolic::ObservedValue;
use rebut_smt::{Pool, Sort, Term};

/// The width of the length of a sequence, in bits. Arbitrary: far above any length that is
/// explored.
const LENGTH_BITS: u32 = 16;

/// The width of the number of a variant, in bits. Arbitrary: enough for 256 names of variants in
/// one probe.
const TAG_BITS: u32 = 8;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// An integer, a character or a float: its bits.
    Scalar(Scalar, Term),
    /// A boolean.
    Boolean(Term),
    /// The first elements; those beyond the length are unspecified.
    Sequence { length: Term, items: Vec<View> },
    /// A tuple.
    Tuple(Vec<View>),
    /// The variant, and the fields of each variant that it may be.
    Variant { tag: Term, held: Vec<(u32, Vec<View>)> },
}

/// How the bits of a scalar are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Signed,
    Unsigned,
    Character,
    Float,
}

/// The names of the variants that were seen; a tag is an index into them.
#[derive(Clone, Debug)]
pub(super) struct Tags(Vec<String>);

impl Default for Tags {
    fn default() -> Tags {
        Tags(vec!["None".to_owned(), "Some".to_owned()])
    }
}

impl Tags {
    /// Returns the tag of a name; adds it if it is new.
    pub(super) fn add(&mut self, name: &str) -> u32 {
        self.find(name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() as u32 - 1
        })
    }

    /// Returns the tag of a name, if it was seen.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.0.iter().position(|known| known == name).map(|tag| tag as u32)
    }

    pub(super) fn name(&self, tag: u32) -> &str {
        self.0.get(tag as usize).map_or("", String::as_str)
    }
}

/// The tags of an `Option`.
pub(super) const NONE: u32 = 0;
pub(super) const SOME: u32 = 1;

/// The common shape of a value on all paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar(Scalar, u32),
    Boolean,
    Sequence(Option<Box<Shape>>),
    Tuple(Vec<Shape>),
    Variant(Vec<(u32, Vec<Shape>)>),
}

impl View {
    /// Converts an observed value; `None` if a part of it cannot be observed.
    pub(super) fn from_observed(
        pool: &mut Pool,
        tags: &mut Tags,
        value: &ObservedValue,
    ) -> Option<View> {
        let all = |pool: &mut Pool, tags: &mut Tags, parts: &[ObservedValue]| {
            parts
                .iter()
                .map(|part| View::from_observed(pool, tags, part))
                .collect::<Option<Vec<_>>>()
        };
        Some(match value {
            ObservedValue::Number { term, is_signed: true } => View::Scalar(Scalar::Signed, *term),
            ObservedValue::Number { term, is_signed: false } => {
                View::Scalar(Scalar::Unsigned, *term)
            }
            ObservedValue::Character(term) => View::Scalar(Scalar::Character, *term),
            ObservedValue::Float(term) => View::Scalar(Scalar::Float, *term),
            ObservedValue::Boolean(term) => {
                let zero = pool.bits(pool.width(*term), 0);
                View::Boolean(pool.ne(*term, zero))
            }
            ObservedValue::Sequence(parts)
            | ObservedValue::Text(parts)
            | ObservedValue::Iterated(_, parts) => {
                let length = pool.bits(LENGTH_BITS, parts.len() as u128);
                View::Sequence { length, items: all(pool, tags, parts)? }
            }
            ObservedValue::Tuple(parts) => View::Tuple(all(pool, tags, parts)?),
            ObservedValue::Variant(name, parts) => {
                let number = tags.add(name);
                let tag = pool.bits(TAG_BITS, u128::from(number));
                View::Variant { tag, held: vec![(number, all(pool, tags, parts)?)] }
            }
            ObservedValue::Opaque => return None,
        })
    }

    /// Returns the shape of the value.
    pub(super) fn shape(&self, pool: &Pool) -> Shape {
        let all =
            |parts: &[View]| parts.iter().map(|part| part.shape(pool)).collect::<Vec<Shape>>();
        match self {
            View::Scalar(scalar, term) => Shape::Scalar(*scalar, pool.width(*term)),
            View::Boolean(_) => Shape::Boolean,
            View::Sequence { items, .. } => {
                let shapes = items.iter().map(|item| item.shape(pool));
                Shape::Sequence(shapes.reduce(Shape::join).map(Box::new))
            }
            View::Tuple(parts) => Shape::Tuple(all(parts)),
            View::Variant { held, .. } => {
                Shape::Variant(held.iter().map(|(tag, parts)| (*tag, all(parts))).collect())
            }
        }
    }

    /// Returns the condition that two values are equal; `None` if they cannot be compared.
    pub(super) fn eq(&self, pool: &mut Pool, other: &View) -> Option<Term> {
        match (self, other) {
            (View::Scalar(Scalar::Float, a), View::Scalar(Scalar::Float, b))
                if pool.width(*a) == pool.width(*b) =>
            {
                Some(pool.float_eq(*a, *b))
            }
            (View::Scalar(how, a), View::Scalar(as_well, b))
                if how == as_well && pool.width(*a) == pool.width(*b) =>
            {
                Some(pool.eq(*a, *b))
            }
            (View::Boolean(a), View::Boolean(b)) => Some(pool.eq(*a, *b)),
            (
                View::Sequence { length: a, items: left },
                View::Sequence { length: b, items: right },
            ) => {
                let mut all = vec![pool.eq(*a, *b)];
                for (n, (one, other)) in left.iter().zip(right).enumerate() {
                    let is_there = is_index_within(pool, n, *a);
                    let is_same = one.eq(pool, other)?;
                    all.push(pool.implies(is_there, is_same));
                }
                // Elements beyond the shorter list must not exist.
                let shown = left.len().min(right.len());
                if left.len() != right.len() {
                    let is_longer = is_index_within(pool, shown, *a);
                    all.push(pool.not(is_longer));
                }
                Some(pool.all(&all))
            }
            (View::Tuple(left), View::Tuple(right)) if left.len() == right.len() => {
                let parts: Option<Vec<Term>> =
                    left.iter().zip(right).map(|(a, b)| a.eq(pool, b)).collect();
                Some(pool.all(&parts?))
            }
            (View::Variant { tag: a, held: left }, View::Variant { tag: b, held: right }) => {
                let mut all = vec![pool.eq(*a, *b)];
                for (tag, parts) in left {
                    let Some((_, others)) = right.iter().find(|(other, _)| other == tag) else {
                        continue;
                    };
                    let is_it = is_tag(pool, *a, *tag);
                    for (one, other) in parts.iter().zip(others) {
                        let is_same = one.eq(pool, other)?;
                        all.push(pool.implies(is_it, is_same));
                    }
                }
                Some(pool.all(&all))
            }
            _ => None,
        }
    }

    /// Returns one of two values, by a condition; `None` if they cannot be merged.
    pub(super) fn choose(pool: &mut Pool, first: Term, a: &View, b: &View) -> Option<View> {
        match pool.value(first).and_then(rebut_smt::Value::as_bool) {
            Some(true) => return Some(a.clone()),
            Some(false) => return Some(b.clone()),
            None => {}
        }
        Some(match (a, b) {
            (View::Scalar(how, x), View::Scalar(as_well, y))
                if how == as_well && pool.width(*x) == pool.width(*y) =>
            {
                View::Scalar(*how, pool.ite(first, *x, *y))
            }
            (View::Boolean(x), View::Boolean(y)) => View::Boolean(pool.ite(first, *x, *y)),
            (View::Tuple(left), View::Tuple(right)) if left.len() == right.len() => {
                let parts: Option<Vec<View>> =
                    left.iter().zip(right).map(|(x, y)| View::choose(pool, first, x, y)).collect();
                View::Tuple(parts?)
            }
            _ => return None,
        })
    }

    /// Wraps the value in `Some`.
    pub(super) fn some(self, pool: &mut Pool) -> View {
        let tag = pool.bits(TAG_BITS, u128::from(SOME));
        View::Variant { tag, held: vec![(SOME, vec![self])] }
    }

    /// Returns the length of a sequence, as an unsigned number of 32 bits.
    pub(super) fn length(&self, pool: &mut Pool) -> Option<View> {
        let View::Sequence { length, .. } = self else { return None };
        Some(View::Scalar(Scalar::Unsigned, pool.zero_extend(32 - LENGTH_BITS, *length)))
    }
}

impl Shape {
    /// Joins two shapes of one type.
    pub(super) fn join(self, other: Shape) -> Shape {
        match (self, other) {
            (Shape::Sequence(a), Shape::Sequence(b)) => Shape::Sequence(match (a, b) {
                (Some(a), Some(b)) => Some(Box::new(a.join(*b))),
                (a, b) => a.or(b),
            }),
            (Shape::Tuple(a), Shape::Tuple(b)) => {
                Shape::Tuple(a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect())
            }
            (Shape::Variant(mut all), Shape::Variant(others)) => {
                for (tag, parts) in others {
                    match all.iter_mut().find(|(known, _)| *known == tag) {
                        Some((_, known)) => {
                            let old = std::mem::take(known);
                            *known = old.into_iter().zip(parts).map(|(a, b)| a.join(b)).collect();
                        }
                        None => all.push((tag, parts)),
                    }
                }
                Shape::Variant(all)
            }
            (shape, _) => shape,
        }
    }

    /// Returns an unconstrained value of this shape, with sequences of at most `items_max`
    /// elements. Adds the constraints of its terms.
    pub(super) fn any(
        &self,
        pool: &mut Pool,
        items_max: usize,
        constraints: &mut Vec<Term>,
    ) -> View {
        match self {
            Shape::Scalar(how, width) => {
                View::Scalar(*how, pool.fresh("any", Sort::BitVec(*width)))
            }
            Shape::Boolean => View::Boolean(pool.fresh("any", Sort::Bool)),
            Shape::Sequence(item) => {
                let length = pool.fresh("length", Sort::BitVec(LENGTH_BITS));
                let max = pool.bits(LENGTH_BITS, items_max as u128);
                constraints.push(pool.bv_ule(length, max));
                // A sequence that was never seen with an element may have some anyway, but nothing
                // is known of them.
                let items = item.iter().flat_map(|item| {
                    (0..items_max)
                        .map(|_| item.any(pool, items_max, constraints))
                        .collect::<Vec<_>>()
                });
                View::Sequence { length, items: items.collect() }
            }
            Shape::Tuple(parts) => View::Tuple(
                parts.iter().map(|part| part.any(pool, items_max, constraints)).collect(),
            ),
            Shape::Variant(variants) => {
                let tag = pool.fresh("tag", Sort::BitVec(TAG_BITS));
                let mut numbers: Vec<u32> = variants.iter().map(|(number, _)| *number).collect();
                if numbers.iter().all(|number| [NONE, SOME].contains(number)) {
                    // An option may be either, though only one was seen.
                    numbers = vec![NONE, SOME];
                }
                let tags: Vec<Term> =
                    numbers.into_iter().map(|number| is_tag(pool, tag, number)).collect();
                constraints.push(pool.any(&tags));
                let held = variants.iter().map(|(number, parts)| {
                    let parts = parts.iter().map(|part| part.any(pool, items_max, constraints));
                    (*number, parts.collect())
                });
                View::Variant { tag, held: held.collect() }
            }
        }
    }
}

/// Whether an index is before the end of a sequence.
pub(super) fn is_index_within(pool: &mut Pool, index: usize, length: Term) -> Term {
    let index = pool.bits(LENGTH_BITS, index as u128);
    pool.bv_ult(index, length)
}

pub(super) fn is_tag(pool: &mut Pool, tag: Term, number: u32) -> Term {
    let number = pool.bits(TAG_BITS, u128::from(number));
    pool.eq(tag, number)
}

/// Returns a length plus a constant.
pub(super) fn length_plus(pool: &mut Pool, length: Term, by: i32) -> Term {
    let by = pool.bits(LENGTH_BITS, u128::from(by as u16));
    pool.bv_add(length, by)
}

/// Returns an index in the width of lengths, and the condition that it fits.
pub(super) fn index_as_length(pool: &mut Pool, index: Term) -> (Term, Term) {
    let width = pool.width(index);
    if width <= LENGTH_BITS {
        let by = LENGTH_BITS - width;
        return (pool.zero_extend(by, index), pool.bool(true));
    }
    let max = pool.bits(width, (1 << LENGTH_BITS) - 1);
    let is_small = pool.bv_ule(index, max);
    (pool.extract(LENGTH_BITS - 1, 0, index), is_small)
}

/// Whether a length or an index is at most another.
pub(super) fn at_most(pool: &mut Pool, a: Term, b: Term) -> Term {
    pool.bv_ule(a, b)
}

pub(super) fn index_term(pool: &mut Pool, index: usize) -> Term {
    pool.bits(LENGTH_BITS, index as u128)
}
