//! Generators that are drawn, and claims about what they draw.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use rebut::Tape;
use rebut::any;
use rebut::choice::{AnyDriver, Stop};
use rebut::generators::Boxed;
use rebut::prelude::*;

/// What a drawn generator draws.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Boolean(bool),
    Integer(i64),
    /// The bits of a float, so that NaN is equal to itself.
    Float(u64),
    Letter(char),
    Text(String),
    Nothing,
    List(Vec<Value>),
    /// The alternative with this number.
    Either(usize, Box<Value>),
}

impl Value {
    /// How many parts it has.
    fn size(&self) -> usize {
        match self {
            Value::List(parts) => 1 + parts.iter().map(Value::size).sum::<usize>(),
            Value::Either(_, inner) => 1 + inner.size(),
            _ => 1,
        }
    }

    fn integers(&self) -> Vec<i64> {
        match self {
            Value::Integer(number) => vec![*number],
            Value::List(parts) => parts.iter().flat_map(Value::integers).collect(),
            Value::Either(_, inner) => inner.integers(),
            _ => Vec::new(),
        }
    }

    fn truths(&self) -> usize {
        match self {
            Value::Boolean(truth) => usize::from(*truth),
            Value::List(parts) => parts.iter().map(Value::truths).sum(),
            Value::Either(_, inner) => inner.truths(),
            _ => 0,
        }
    }
}

/// A description of a generator.
#[derive(Clone, Debug, Generate)]
pub(crate) enum Shape {
    Boolean,
    Integer {
        min: i64,
        #[generate(min..)]
        max: i64,
    },
    Float,
    Letter,
    Text {
        #[generate(max_value = 9)]
        max_size: usize,
    },
    /// May be missing.
    Maybe(Box<Shape>),
    List {
        element: Box<Shape>,
        #[generate(max_value = 2)]
        min_size: usize,
        #[generate(max_value = 4)]
        more: usize,
    },
    Pair(Box<Shape>, Box<Shape>),
    Either(#[generate(min_size = 1, max_size = 3)] Vec<Shape>),
    /// As many as a number says that is drawn before.
    Counted(Box<Shape>),
    /// Only those of an odd size.
    Odd(Box<Shape>),
    /// Twice the same.
    Doubled(Box<Shape>),
}

/// The largest number of a [`Shape::Counted`].
const COUNT_MAX: usize = 3;

impl Shape {
    pub(crate) fn generator(&self) -> Boxed<'static, Value> {
        match self {
            Shape::Boolean => booleans().map(Value::Boolean).boxed(),
            Shape::Integer { min, max } => {
                integers::<i64>().in_range(*min..=*max).map(Value::Integer).boxed()
            }
            Shape::Float => any::<f64>().map(|x| Value::Float(x.to_bits())).boxed(),
            Shape::Letter => chars().map(Value::Letter).boxed(),
            Shape::Text { max_size } => strings().max_size(*max_size).map(Value::Text).boxed(),
            Shape::Maybe(inner) => {
                options(inner.generator()).map(|value| value.unwrap_or(Value::Nothing)).boxed()
            }
            Shape::List { element, min_size, more } => {
                let lists = vecs(element.generator()).min_size(*min_size);
                lists.max_size(min_size + more).map(Value::List).boxed()
            }
            Shape::Pair(left, right) => {
                let pairs = (left.generator(), right.generator());
                pairs.map(|(left, right)| Value::List(vec![left, right])).boxed()
            }
            Shape::Either(inner) => {
                let tagged = |(n, shape): (usize, &Shape)| {
                    shape.generator().map(move |value| Value::Either(n, Box::new(value))).boxed()
                };
                one_of(inner.iter().enumerate().map(tagged).collect::<Vec<_>>()).boxed()
            }
            Shape::Counted(inner) => {
                let inner = inner.generator();
                let counts = integers::<usize>().max_value(COUNT_MAX);
                counts.flat_map(move |n| vecs(inner.clone()).size(n)).map(Value::List).boxed()
            }
            Shape::Odd(inner) => inner.generator().filter(|value| value.size() % 2 == 1).boxed(),
            Shape::Doubled(inner) => {
                inner.generator().map(|value| Value::List(vec![value.clone(), value])).boxed()
            }
        }
    }

    /// Whether the generator may draw this.
    pub(crate) fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Shape::Boolean, Value::Boolean(_))
            | (Shape::Float, Value::Float(_))
            | (Shape::Letter, Value::Letter(_))
            | (Shape::Maybe(_), Value::Nothing) => true,
            (Shape::Integer { min, max }, Value::Integer(number)) => (min..=max).contains(&number),
            (Shape::Text { max_size }, Value::Text(text)) => text.chars().count() <= *max_size,
            (Shape::Maybe(inner), value) => inner.contains(value),
            (Shape::List { element, min_size, more }, Value::List(parts)) => {
                (*min_size..=min_size + more).contains(&parts.len())
                    && parts.iter().all(|part| element.contains(part))
            }
            (Shape::Pair(left, right), Value::List(parts)) => {
                matches!(&parts[..], [a, b] if left.contains(a) && right.contains(b))
            }
            (Shape::Either(inner), Value::Either(n, value)) => {
                inner.get(*n).is_some_and(|shape| shape.contains(value))
            }
            (Shape::Counted(inner), Value::List(parts)) => {
                parts.len() <= COUNT_MAX && parts.iter().all(|part| inner.contains(part))
            }
            (Shape::Odd(inner), value) => value.size() % 2 == 1 && inner.contains(value),
            (Shape::Doubled(inner), Value::List(parts)) => {
                matches!(&parts[..], [a, b] if a == b && inner.contains(a))
            }
            _ => false,
        }
    }

    /// A similar shape whose inputs may be few enough to be counted.
    pub(crate) fn tamed(self) -> Shape {
        let boxed = |shape: Box<Shape>| Box::new(shape.tamed());
        match self {
            Shape::Boolean | Shape::Float => Shape::Boolean,
            Shape::Integer { min, max } => {
                Shape::Integer { min, max: max.min(min.saturating_add(4)) }
            }
            Shape::Letter => Shape::Integer { min: -1, max: 1 },
            Shape::Text { .. } => Shape::Either(vec![Shape::Boolean, Shape::Letter.tamed()]),
            Shape::Maybe(inner) => Shape::Maybe(boxed(inner)),
            Shape::List { element, min_size, more } => {
                Shape::List { element: boxed(element), min_size, more: more.min(2) }
            }
            Shape::Pair(left, right) => Shape::Pair(boxed(left), boxed(right)),
            Shape::Either(inner) => Shape::Either(inner.into_iter().map(Shape::tamed).collect()),
            Shape::Counted(inner) => Shape::Counted(boxed(inner)),
            Shape::Odd(inner) => inner.tamed(),
            Shape::Doubled(inner) => Shape::Doubled(boxed(inner)),
        }
    }

    /// How many inputs a tame shape has, saturating.
    pub(crate) fn size(&self) -> u128 {
        let powers = |base: u128, sizes: std::ops::RangeInclusive<usize>| {
            let power = |size: usize| base.saturating_pow(u32::try_from(size).unwrap_or(u32::MAX));
            sizes.map(power).fold(0, u128::saturating_add)
        };
        match self {
            Shape::Boolean => 2,
            Shape::Integer { min, max } => u128::from(max.abs_diff(*min)) + 1,
            Shape::Maybe(inner) => inner.size().saturating_add(1),
            Shape::List { element, min_size, more } => {
                powers(element.size(), *min_size..=min_size + more)
            }
            Shape::Pair(left, right) => left.size().saturating_mul(right.size()),
            Shape::Either(inner) => inner.iter().map(Shape::size).fold(0, u128::saturating_add),
            Shape::Counted(inner) => powers(inner.size(), 0..=COUNT_MAX),
            Shape::Doubled(inner) => inner.size(),
            Shape::Float | Shape::Letter | Shape::Text { .. } | Shape::Odd(_) => u128::MAX,
        }
    }
}

/// Something that may be claimed of a value.
#[derive(Clone, Debug, Generate)]
pub(crate) enum Claim {
    Nothing,
    HasFewerParts(#[generate(min_value = 1, max_value = 8)] usize),
    HasNoIntegerAbove(i64),
    HasNoTwoEqualIntegers,
    IntegersAreSorted,
    SumIsBelow(#[generate(min_value = 0)] i64),
    HasFewerTruths(#[generate(min_value = 1, max_value = 3)] usize),
    /// Neither simple nor monotonous.
    HashIsNot(#[generate(max_value = 3)] u32),
}

impl Claim {
    pub(crate) fn holds(&self, value: &Value) -> bool {
        let integers = value.integers();
        match self {
            Claim::Nothing => false,
            Claim::HasFewerParts(size) => value.size() < *size,
            Claim::HasNoIntegerAbove(max) => integers.iter().all(|number| number <= max),
            Claim::HasNoTwoEqualIntegers => {
                (1..integers.len()).all(|n| !integers[..n].contains(&integers[n]))
            }
            Claim::IntegersAreSorted => integers.is_sorted(),
            Claim::SumIsBelow(max) => {
                integers.iter().fold(0, |sum: i64, n| sum.saturating_add(*n)) <= *max
            }
            Claim::HasFewerTruths(count) => value.truths() < *count,
            Claim::HashIsNot(hash) => {
                let text = format!("{value:?}");
                let mixed =
                    text.bytes().fold(7_u32, |hash, byte| hash.wrapping_mul(31) ^ u32::from(byte));
                mixed >> 30 != *hash
            }
        }
    }
}

/// Draws a value, none if a filter rejects it, and its tape.
pub(crate) fn draw(generator: &Boxed<'_, Value>, drive: AnyDriver) -> (Option<Value>, Tape) {
    draw_from(generator, &mut Source::new(drive))
}

/// As [`draw`] from a source that can be asked for its driver afterward.
pub(crate) fn draw_from(
    generator: &Boxed<'_, Value>,
    source: &mut Source,
) -> (Option<Value>, Tape) {
    let value = match catch_unwind(AssertUnwindSafe(|| generator.draw(source))) {
        Ok(value) => Some(value),
        Err(payload) => match payload.downcast_ref() {
            Some(Stop::Rejected(_) | Stop::TooLarge) => None,
            _ => resume_unwind(payload),
        },
    };
    (value, source.tape())
}
