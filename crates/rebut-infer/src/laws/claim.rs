//! The language of templates, and its semantics.
//!
//! A [`Claim`] is about the slots of a probe: true or false for given values. [`Meaning::term`]
//! translates it to a boolean term over a [`World`], which maps each slot to a view of its value.
//! There are two kinds of worlds. In that of a path, lengths and variants are constants and numbers
//! are terms over the inputs. In the free world of `reduce`, everything is unknown. The same
//! translation serves both.
//!
//! `None` means that the claim is meaningless in this world: a slot has no value there, or one of
//! another type. This is not the same as false. A claim that is meaningless on any path is
//! discarded.
//!
//! # Absent values
//!
//! Some expressions have no value in some cases: `[1, 2]` without its element 7, or an insertion
//! beyond the end. In Rust these panic. Here such an expression is an [`OptionalView`] with the
//! condition `is_there` under which it exists, and a comparison is false unless both sides exist.
//! So `Same` and `Different` of an absent value are both false:
//!
//! ```text
//! list = [1, 2], at = 1:  list without element at == [1]   is true
//! list = [1, 2], at = 7:  list without element at == [1]   is false
//!                         list without element at != [1]   is false, too
//! ```
//!
//! [`Claim::not`] maps one to the other anyway. This is sound because negations are only used
//! for guards, and guards contain no expressions that can be absent (`candidates`).
//!
//! `First` and `Last` are never absent: they are options, `None` for an empty sequence. `Truncated`
//! with a length beyond the end is the whole sequence, as `Vec::truncate` defines it. `Reversed`
//! moves an element only within the length; positions beyond it are unspecified, and no comparison
//! looks at them.
//!
//! # Numbers
//!
//! A law such as `len_after = len_before + 1` is about integers, not about words that wrap.
//! [`Meaning::numbers`] therefore extends both sides to 6 bits more than the widest slot or
//! constant, as two's complement. One bit makes an unsigned number signed, one is for the sum or
//! the factor 2, the rest is for the summand of [`Expr::Linear`], which is at most 64
//! (`candidates`). Constants count because those of the code are compared with all slots, and can
//! be wider than some. Terms have at most 128 bits, so arithmetic on 128-bit numbers cannot be
//! extended and is refused (`None`); comparing two slots for equality still works.
//!
//! # Equality of sequences
//!
//! Two sequences are equal if their lengths are, and the elements at each position before the
//! length. `SameElements` compares multisets: equal lengths, and each element of the first occurs
//! equally often in both.
//!
//! Tests compare every template with a direct evaluation in Rust (`evaluator.rs`).

use rebut_smt::{Pool, Term};

use super::view::{
    self, Scalar, Tags, View, index_as_length, index_term, is_index_within, is_tag, length_plus,
};

/// An expression over observed slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Expr {
    /// The value of a slot.
    Slot(u32),
    /// A constant.
    Number(i128),
    /// The smallest number of the type of a slot.
    Least(u32),
    /// The largest number of the type of a slot.
    Greatest(u32),
    /// A multiple of a number, plus a constant.
    Linear {
        /// The number.
        slot: u32,
        /// The factor.
        times: i128,
        /// The summand.
        plus: i128,
    },
    /// The sum of two numbers.
    Sum(u32, u32),
    /// The difference of two numbers.
    Difference(u32, u32),
    /// A variant with one field, such as `Some` or `Ok`.
    Holding(String, Box<Expr>),
    /// The length of a sequence.
    Length(u32),
    /// A sequence with an element appended.
    Appended(u32, Box<Expr>),
    /// A sequence with an element prepended.
    Prepended(u32, Box<Expr>),
    /// A sequence without its last element.
    WithoutLast(u32),
    /// A sequence without its first element.
    WithoutFirst(u32),
    /// A sequence with an element inserted at an index.
    Inserted {
        /// The sequence.
        into: u32,
        /// The index.
        at: u32,
        /// The element.
        item: Box<Expr>,
    },
    /// A sequence without the element at an index.
    Removed {
        /// The sequence.
        from: u32,
        /// The index.
        at: u32,
    },
    /// A sequence with the element at an index replaced.
    Updated {
        /// The sequence.
        of: u32,
        /// The index.
        at: u32,
        /// The element.
        item: Box<Expr>,
    },
    /// A sequence in reverse order.
    Reversed(u32),
    /// The first elements of a sequence, as many as a number; all if it is larger than the length.
    Truncated(u32, u32),
    /// The first element of a sequence, as an option.
    First(u32),
    /// The last element of a sequence, as an option.
    Last(u32),
    /// The empty sequence.
    Empty,
}

/// A true-or-false statement about observed values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Claim {
    /// The call panics with a message that begins like this.
    Panics(String),
    /// A boolean slot has this value.
    Boolean(u32, bool),
    /// Both are equal.
    Same(Expr, Expr),
    /// They are not equal.
    Different(Expr, Expr),
    /// The first is less than the second.
    Less(Expr, Expr),
    /// The first is at most the second.
    AtMost(Expr, Expr),
    /// A slot is this variant.
    Is(u32, String),
    /// A slot is not this variant.
    IsNot(u32, String),
    /// A sequence contains this element.
    Contains(u32, Expr),
    /// A sequence does not contain this element.
    Lacks(u32, Expr),
    /// The first sequence starts with the second.
    StartsWith(u32, u32),
    /// Two sequences have the same elements, each equally often.
    SameElements(u32, u32),
    /// Both are true or both are false.
    Iff(Box<Claim>, Box<Claim>),
}

impl Claim {
    /// Returns the negation, if templates can express it.
    #[must_use]
    pub fn not(&self) -> Option<Claim> {
        Some(match self {
            Claim::Boolean(slot, holds) => Claim::Boolean(*slot, !holds),
            Claim::Same(a, b) => Claim::Different(a.clone(), b.clone()),
            Claim::Different(a, b) => Claim::Same(a.clone(), b.clone()),
            Claim::Less(a, b) => Claim::AtMost(b.clone(), a.clone()),
            Claim::AtMost(a, b) => Claim::Less(b.clone(), a.clone()),
            Claim::Is(slot, name) => Claim::IsNot(*slot, name.clone()),
            Claim::IsNot(slot, name) => Claim::Is(*slot, name.clone()),
            Claim::Contains(slot, item) => Claim::Lacks(*slot, item.clone()),
            Claim::Lacks(slot, item) => Claim::Contains(*slot, item.clone()),
            Claim::Panics(_) | Claim::StartsWith(..) | Claim::SameElements(..) | Claim::Iff(..) => {
                return None;
            }
        })
    }

    /// Returns the slots that occur in it.
    #[must_use]
    pub fn slots(&self) -> Vec<u32> {
        let mut slots = match self {
            Claim::Panics(_) => Vec::new(),
            Claim::Boolean(slot, _) | Claim::Is(slot, _) | Claim::IsNot(slot, _) => vec![*slot],
            Claim::Same(a, b)
            | Claim::Different(a, b)
            | Claim::Less(a, b)
            | Claim::AtMost(a, b) => [a.slots(), b.slots()].concat(),
            Claim::Contains(slot, item) | Claim::Lacks(slot, item) => {
                [vec![*slot], item.slots()].concat()
            }
            Claim::StartsWith(a, b) | Claim::SameElements(a, b) => vec![*a, *b],
            Claim::Iff(a, b) => [a.slots(), b.slots()].concat(),
        };
        slots.sort_unstable();
        slots.dedup();
        slots
    }
}

impl Expr {
    /// Returns the slots that occur in it.
    #[must_use]
    pub fn slots(&self) -> Vec<u32> {
        match self {
            Expr::Slot(slot)
            | Expr::Least(slot)
            | Expr::Greatest(slot)
            | Expr::Linear { slot, .. }
            | Expr::Length(slot)
            | Expr::WithoutLast(slot)
            | Expr::WithoutFirst(slot)
            | Expr::Reversed(slot)
            | Expr::First(slot)
            | Expr::Last(slot) => vec![*slot],
            Expr::Sum(a, b) | Expr::Difference(a, b) | Expr::Truncated(a, b) => vec![*a, *b],
            Expr::Holding(_, held) => held.slots(),
            Expr::Appended(slot, item) | Expr::Prepended(slot, item) => {
                [vec![*slot], item.slots()].concat()
            }
            Expr::Inserted { into, at, item } => [vec![*into, *at], item.slots()].concat(),
            Expr::Removed { from, at } => vec![*from, *at],
            Expr::Updated { of, at, item } => [vec![*of, *at], item.slots()].concat(),
            Expr::Number(_) | Expr::Empty => Vec::new(),
        }
    }
}

impl Claim {
    /// Returns the claim with its slots replaced; `None` if a slot has no replacement.
    pub(super) fn with_slots(&self, replace: &dyn Fn(u32) -> Option<u32>) -> Option<Claim> {
        let expr = |expr: &Expr| expr.with_slots(replace);
        Some(match self {
            Claim::Panics(message) => Claim::Panics(message.clone()),
            Claim::Boolean(slot, holds) => Claim::Boolean(replace(*slot)?, *holds),
            Claim::Same(a, b) => Claim::Same(expr(a)?, expr(b)?),
            Claim::Different(a, b) => Claim::Different(expr(a)?, expr(b)?),
            Claim::Less(a, b) => Claim::Less(expr(a)?, expr(b)?),
            Claim::AtMost(a, b) => Claim::AtMost(expr(a)?, expr(b)?),
            Claim::Is(slot, name) => Claim::Is(replace(*slot)?, name.clone()),
            Claim::IsNot(slot, name) => Claim::IsNot(replace(*slot)?, name.clone()),
            Claim::Contains(slot, item) => Claim::Contains(replace(*slot)?, expr(item)?),
            Claim::Lacks(slot, item) => Claim::Lacks(replace(*slot)?, expr(item)?),
            Claim::StartsWith(a, b) => Claim::StartsWith(replace(*a)?, replace(*b)?),
            Claim::SameElements(a, b) => Claim::SameElements(replace(*a)?, replace(*b)?),
            Claim::Iff(a, b) => {
                Claim::Iff(Box::new(a.with_slots(replace)?), Box::new(b.with_slots(replace)?))
            }
        })
    }
}

impl Expr {
    /// Returns the expression with its slots replaced; `None` if a slot has no replacement.
    fn with_slots(&self, replace: &dyn Fn(u32) -> Option<u32>) -> Option<Expr> {
        let boxed = |expr: &Expr| expr.with_slots(replace).map(Box::new);
        Some(match self {
            Expr::Slot(slot) => Expr::Slot(replace(*slot)?),
            Expr::Number(number) => Expr::Number(*number),
            Expr::Least(slot) => Expr::Least(replace(*slot)?),
            Expr::Greatest(slot) => Expr::Greatest(replace(*slot)?),
            Expr::Linear { slot, times, plus } => {
                Expr::Linear { slot: replace(*slot)?, times: *times, plus: *plus }
            }
            Expr::Sum(a, b) => Expr::Sum(replace(*a)?, replace(*b)?),
            Expr::Difference(a, b) => Expr::Difference(replace(*a)?, replace(*b)?),
            Expr::Holding(name, held) => Expr::Holding(name.clone(), boxed(held)?),
            Expr::Length(slot) => Expr::Length(replace(*slot)?),
            Expr::Appended(slot, item) => Expr::Appended(replace(*slot)?, boxed(item)?),
            Expr::Prepended(slot, item) => Expr::Prepended(replace(*slot)?, boxed(item)?),
            Expr::WithoutLast(slot) => Expr::WithoutLast(replace(*slot)?),
            Expr::WithoutFirst(slot) => Expr::WithoutFirst(replace(*slot)?),
            Expr::Inserted { into, at, item } => {
                Expr::Inserted { into: replace(*into)?, at: replace(*at)?, item: boxed(item)? }
            }
            Expr::Removed { from, at } => {
                Expr::Removed { from: replace(*from)?, at: replace(*at)? }
            }
            Expr::Updated { of, at, item } => {
                Expr::Updated { of: replace(*of)?, at: replace(*at)?, item: boxed(item)? }
            }
            Expr::Reversed(slot) => Expr::Reversed(replace(*slot)?),
            Expr::Truncated(slot, to) => Expr::Truncated(replace(*slot)?, replace(*to)?),
            Expr::First(slot) => Expr::First(replace(*slot)?),
            Expr::Last(slot) => Expr::Last(replace(*slot)?),
            Expr::Empty => Expr::Empty,
        })
    }
}

/// The values of all slots, on one path or in the free world.
#[derive(Clone, Debug, Default)]
pub(super) struct World {
    pub(super) views: Vec<Option<View>>,
    /// Whether the call panics, if that is known.
    pub(super) panics: Option<Term>,
}

/// Translates claims to terms in a world.
pub(super) struct Meaning<'a> {
    pub(super) pool: &'a mut Pool,
    pub(super) tags: &'a Tags,
    pub(super) world: &'a World,
}

/// A value and the condition under which it exists.
struct OptionalView {
    view: View,
    is_there: Term,
}

impl Meaning<'_> {
    /// Returns the claim as a term; `None` if it is meaningless in this world.
    pub(super) fn term(&mut self, claim: &Claim) -> Option<Term> {
        match claim {
            Claim::Panics(_) => self.world.panics,
            Claim::Boolean(slot, holds) => {
                let View::Boolean(term) = self.slot(*slot)? else { return None };
                Some(if *holds { term } else { self.pool.not(term) })
            }
            Claim::Same(a, b) => self.same(a, b, true),
            Claim::Different(a, b) => self.same(a, b, false),
            Claim::Less(a, b) => {
                let (a, b) = self.numbers(a, b)?;
                Some(self.pool.bv_slt(a, b))
            }
            Claim::AtMost(a, b) => {
                let (a, b) = self.numbers(a, b)?;
                Some(self.pool.bv_sle(a, b))
            }
            Claim::Is(slot, name) => self.is(*slot, name),
            Claim::IsNot(slot, name) => {
                let is = self.is(*slot, name)?;
                Some(self.pool.not(is))
            }
            Claim::Contains(slot, item) => self.contains(*slot, item),
            Claim::Lacks(slot, item) => {
                let contains = self.contains(*slot, item)?;
                Some(self.pool.not(contains))
            }
            Claim::StartsWith(whole, part) => self.starts_with(*whole, *part),
            Claim::SameElements(a, b) => self.same_elements(*a, *b),
            Claim::Iff(a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                Some(self.pool.eq(a, b))
            }
        }
    }

    fn slot(&self, slot: u32) -> Option<View> {
        self.world.views.get(slot as usize)?.clone()
    }

    fn is(&mut self, slot: u32, name: &str) -> Option<Term> {
        let View::Variant { tag, .. } = self.slot(slot)? else { return None };
        let number = self.tags.find(name)?;
        Some(is_tag(self.pool, tag, number))
    }

    fn same(&mut self, a: &Expr, b: &Expr, holds: bool) -> Option<Term> {
        if is_arithmetic(a) || is_arithmetic(b) {
            let (a, b) = self.numbers(a, b)?;
            return Some(if holds { self.pool.eq(a, b) } else { self.pool.ne(a, b) });
        }
        let (a, b) = (self.value(a)?, self.value(b)?);
        let is_same = a.view.eq(self.pool, &b.view)?;
        let is_true = if holds { is_same } else { self.pool.not(is_same) };
        Some(self.pool.all(&[a.is_there, b.is_there, is_true]))
    }

    /// Returns two numbers, widened so that nothing wraps.
    fn numbers(&mut self, a: &Expr, b: &Expr) -> Option<(Term, Term)> {
        let widths = [a, b].map(|expr| self.width(expr));
        let widest = widths.into_iter().flatten().max()?;
        // Terms have at most 128 bits.
        let width = if widest < 128 { (widest + 6).min(128) } else { return None };
        Some((self.number(a, width)?, self.number(b, width)?))
    }

    /// Returns the width of the widest number in an expression.
    fn width(&self, expr: &Expr) -> Option<u32> {
        let mut widest = match expr {
            Expr::Number(number) => Some(i128::BITS - number.unsigned_abs().leading_zeros()),
            _ => None,
        };
        for slot in expr.slots() {
            let width = match self.slot(slot)? {
                View::Scalar(Scalar::Signed | Scalar::Unsigned, term) => self.pool.width(term),
                View::Sequence { .. } => 32,
                _ => return None,
            };
            widest = widest.max(Some(width));
        }
        widest
    }

    /// Returns a number in two's complement with `width` bits.
    fn number(&mut self, expr: &Expr, width: u32) -> Option<Term> {
        Some(match expr {
            Expr::Slot(slot) => self.widened(*slot, width)?,
            Expr::Number(number) => self.pool.bits(width, *number as u128),
            Expr::Least(slot) => {
                let (bits, is_signed) = self.range(*slot)?;
                let least = if is_signed { -(1i128 << (bits - 1)) } else { 0 };
                self.pool.bits(width, least as u128)
            }
            Expr::Greatest(slot) => {
                let (bits, is_signed) = self.range(*slot)?;
                let greatest = (1i128 << (bits - u32::from(is_signed))) - 1;
                self.pool.bits(width, greatest as u128)
            }
            Expr::Linear { slot, times, plus } => {
                let number = self.widened(*slot, width)?;
                let times = self.pool.bits(width, *times as u128);
                let plus = self.pool.bits(width, *plus as u128);
                let product = self.pool.bv_mul(number, times);
                self.pool.bv_add(product, plus)
            }
            Expr::Sum(a, b) => {
                let (a, b) = (self.widened(*a, width)?, self.widened(*b, width)?);
                self.pool.bv_add(a, b)
            }
            Expr::Difference(a, b) => {
                let (a, b) = (self.widened(*a, width)?, self.widened(*b, width)?);
                self.pool.bv_sub(a, b)
            }
            Expr::Length(slot) => {
                let length = self.slot(*slot)?.length(self.pool)?;
                let View::Scalar(_, term) = length else { return None };
                self.pool.zero_extend(width - 32, term)
            }
            _ => return None,
        })
    }

    fn range(&self, slot: u32) -> Option<(u32, bool)> {
        let View::Scalar(how, term) = self.slot(slot)? else { return None };
        match how {
            Scalar::Signed => Some((self.pool.width(term), true)),
            Scalar::Unsigned => Some((self.pool.width(term), false)),
            Scalar::Character | Scalar::Float => None,
        }
    }

    fn widened(&mut self, slot: u32, width: u32) -> Option<Term> {
        let View::Scalar(how, term) = self.slot(slot)? else { return None };
        let by = width.checked_sub(self.pool.width(term))?;
        match how {
            Scalar::Signed => Some(self.pool.sign_extend(by, term)),
            Scalar::Unsigned => Some(self.pool.zero_extend(by, term)),
            Scalar::Character | Scalar::Float => None,
        }
    }

    fn value(&mut self, expr: &Expr) -> Option<OptionalView> {
        let always = self.pool.bool(true);
        let there = |view: View| Some(OptionalView { view, is_there: always });
        match expr {
            Expr::Slot(slot) => there(self.slot(*slot)?),
            Expr::Holding(name, held) => {
                let held = self.value(held)?;
                let number = self.tags.find(name)?;
                let tag = View::Tuple(Vec::new()).some(self.pool);
                let View::Variant { tag: some, .. } = tag else { return None };
                let width = self.pool.width(some);
                let tag = self.pool.bits(width, u128::from(number));
                let view = View::Variant { tag, held: vec![(number, vec![held.view])] };
                Some(OptionalView { view, is_there: held.is_there })
            }
            Expr::Empty => {
                let length = index_term(self.pool, 0);
                there(View::Sequence { length, items: Vec::new() })
            }
            Expr::Appended(slot, item) => {
                let (length, items) = self.sequence(*slot)?;
                self.inserted(length, &items, length, item)
            }
            Expr::Prepended(slot, item) => {
                let (length, items) = self.sequence(*slot)?;
                let first = index_term(self.pool, 0);
                self.inserted(length, &items, first, item)
            }
            Expr::Inserted { into, at, item } => {
                let (length, items) = self.sequence(*into)?;
                let (at, is_small) = self.index(*at)?;
                let inserted = self.inserted(length, &items, at, item)?;
                Some(self.only_where(inserted, is_small))
            }
            Expr::WithoutLast(slot) => {
                let (length, items) = self.sequence(*slot)?;
                let last = length_plus(self.pool, length, -1);
                self.removed(length, &items, last)
            }
            Expr::WithoutFirst(slot) => {
                let (length, items) = self.sequence(*slot)?;
                let first = index_term(self.pool, 0);
                self.removed(length, &items, first)
            }
            Expr::Removed { from, at } => {
                let (length, items) = self.sequence(*from)?;
                let (at, is_small) = self.index(*at)?;
                let removed = self.removed(length, &items, at)?;
                Some(self.only_where(removed, is_small))
            }
            Expr::Updated { of, at, item } => {
                let (length, items) = self.sequence(*of)?;
                let (at, is_small) = self.index(*at)?;
                let item = self.value(item)?;
                let mut new = Vec::new();
                for (n, old) in items.iter().enumerate() {
                    let here = index_term(self.pool, n);
                    let is_here = self.pool.eq(here, at);
                    new.push(View::choose(self.pool, is_here, &item.view, old)?);
                }
                let is_inside = self.pool.bv_ult(at, length);
                let is_there = self.pool.all(&[is_small, is_inside, item.is_there]);
                Some(OptionalView { view: View::Sequence { length, items: new }, is_there })
            }
            Expr::Reversed(slot) => {
                let (length, items) = self.sequence(*slot)?;
                let mut new = Vec::new();
                for n in 0..items.len() {
                    // Beyond the length any value will do.
                    let mut item = items.get(n)?.clone();
                    for (from, old) in items.iter().enumerate() {
                        let total = index_term(self.pool, n + from + 1);
                        let is_it = self.pool.eq(total, length);
                        item = View::choose(self.pool, is_it, old, &item)?;
                    }
                    new.push(item);
                }
                there(View::Sequence { length, items: new })
            }
            Expr::Truncated(slot, to) => {
                let (length, items) = self.sequence(*slot)?;
                let (to, is_small) = self.index(*to)?;
                let is_shorter = self.pool.bv_ult(to, length);
                let is_cut = self.pool.and(is_small, is_shorter);
                let length = self.pool.ite(is_cut, to, length);
                there(View::Sequence { length, items })
            }
            Expr::First(slot) => {
                let (length, items) = self.sequence(*slot)?;
                let first = index_term(self.pool, 0);
                self.element(length, &items, first)
            }
            Expr::Last(slot) => {
                let (length, items) = self.sequence(*slot)?;
                let last = length_plus(self.pool, length, -1);
                self.element(length, &items, last)
            }
            _ => None,
        }
    }

    fn only_where(&mut self, optional: OptionalView, condition: Term) -> OptionalView {
        let is_there = self.pool.and(optional.is_there, condition);
        OptionalView { is_there, ..optional }
    }

    fn sequence(&self, slot: u32) -> Option<(Term, Vec<View>)> {
        match self.slot(slot)? {
            View::Sequence { length, items } => Some((length, items)),
            _ => None,
        }
    }

    /// Returns a number as an index, and the condition that it fits into one.
    fn index(&mut self, slot: u32) -> Option<(Term, Term)> {
        match self.slot(slot)? {
            View::Scalar(Scalar::Unsigned, term) => Some(index_as_length(self.pool, term)),
            View::Scalar(Scalar::Signed, term) => {
                let zero = self.pool.bits(self.pool.width(term), 0);
                let is_positive = self.pool.bv_sle(zero, term);
                let (index, is_small) = index_as_length(self.pool, term);
                Some((index, self.pool.and(is_positive, is_small)))
            }
            _ => None,
        }
    }

    fn inserted(
        &mut self,
        length: Term,
        items: &[View],
        at: Term,
        item: &Expr,
    ) -> Option<OptionalView> {
        let item = self.value(item)?;
        let mut new = Vec::new();
        for n in 0..=items.len() {
            let here = index_term(self.pool, n);
            let before = items.get(n).unwrap_or(&item.view);
            let after = n.checked_sub(1).and_then(|n| items.get(n)).unwrap_or(&item.view);
            let is_here = self.pool.eq(here, at);
            let from_here = View::choose(self.pool, is_here, &item.view, after)?;
            let is_before = self.pool.bv_ult(here, at);
            new.push(View::choose(self.pool, is_before, before, &from_here)?);
        }
        let is_inside = view::at_most(self.pool, at, length);
        let is_there = self.pool.and(is_inside, item.is_there);
        let length = length_plus(self.pool, length, 1);
        Some(OptionalView { view: View::Sequence { length, items: new }, is_there })
    }

    fn removed(&mut self, length: Term, items: &[View], at: Term) -> Option<OptionalView> {
        let mut new = Vec::new();
        for n in 0..items.len().saturating_sub(1) {
            let here = index_term(self.pool, n);
            let is_before = self.pool.bv_ult(here, at);
            new.push(View::choose(self.pool, is_before, &items[n], &items[n + 1])?);
        }
        let is_there = self.pool.bv_ult(at, length);
        let length = length_plus(self.pool, length, -1);
        Some(OptionalView { view: View::Sequence { length, items: new }, is_there })
    }

    /// Returns the element at an index as an option: `None` if the sequence is empty.
    fn element(&mut self, length: Term, items: &[View], at: Term) -> Option<OptionalView> {
        let is_there = self.pool.bool(true);
        let none = View::Tuple(Vec::new()).some(self.pool);
        let View::Variant { tag: some, .. } = none else { return None };
        let none = self.pool.bits(self.pool.width(some), u128::from(view::NONE));
        let Some((first, others)) = items.split_first() else {
            let view = View::Variant { tag: none, held: vec![(view::NONE, Vec::new())] };
            return Some(OptionalView { view, is_there });
        };
        let mut item = first.clone();
        for (n, other) in others.iter().enumerate() {
            let here = index_term(self.pool, n + 1);
            let is_here = self.pool.eq(here, at);
            item = View::choose(self.pool, is_here, other, &item)?;
        }
        let any = is_index_within(self.pool, 0, length);
        let tag = self.pool.ite(any, some, none);
        let held = vec![(view::NONE, Vec::new()), (view::SOME, vec![item])];
        Some(OptionalView { view: View::Variant { tag, held }, is_there })
    }

    fn contains(&mut self, slot: u32, item: &Expr) -> Option<Term> {
        let (length, items) = self.sequence(slot)?;
        let item = self.value(item)?;
        let mut alternatives = Vec::new();
        for (n, one) in items.iter().enumerate() {
            let is_there = is_index_within(self.pool, n, length);
            let is_it = one.eq(self.pool, &item.view)?;
            alternatives.push(self.pool.and(is_there, is_it));
        }
        let any = self.pool.any(&alternatives);
        Some(self.pool.and(any, item.is_there))
    }

    fn starts_with(&mut self, whole: u32, part: u32) -> Option<Term> {
        let (length, items) = self.sequence(whole)?;
        let (part_length, parts) = self.sequence(part)?;
        let mut all = vec![view::at_most(self.pool, part_length, length)];
        for (n, (one, other)) in items.iter().zip(&parts).enumerate() {
            let is_there = is_index_within(self.pool, n, part_length);
            let is_same = one.eq(self.pool, other)?;
            all.push(self.pool.implies(is_there, is_same));
        }
        Some(self.pool.all(&all))
    }

    fn same_elements(&mut self, a: u32, b: u32) -> Option<Term> {
        let (length, items) = self.sequence(a)?;
        let (other_length, others) = self.sequence(b)?;
        let mut all = vec![self.pool.eq(length, other_length)];
        for (n, item) in items.iter().enumerate() {
            let here = self.count(length, &items, item)?;
            let there = self.count(other_length, &others, item)?;
            let is_there = is_index_within(self.pool, n, length);
            let is_as_often = self.pool.eq(here, there);
            all.push(self.pool.implies(is_there, is_as_often));
        }
        Some(self.pool.all(&all))
    }

    fn count(&mut self, length: Term, items: &[View], item: &View) -> Option<Term> {
        let mut count = self.pool.bits(8, 0);
        let (zero, one) = (self.pool.bits(8, 0), self.pool.bits(8, 1));
        for (n, other) in items.iter().enumerate() {
            let is_there = is_index_within(self.pool, n, length);
            let is_it = other.eq(self.pool, item)?;
            let counts = self.pool.and(is_there, is_it);
            let more = self.pool.ite(counts, one, zero);
            count = self.pool.bv_add(count, more);
        }
        Some(count)
    }
}

/// Whether an expression has to be computed without wrapping.
fn is_arithmetic(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Number(_)
            | Expr::Least(_)
            | Expr::Greatest(_)
            | Expr::Linear { .. }
            | Expr::Sum(..)
            | Expr::Difference(..)
            | Expr::Length(_)
    )
}

#[cfg(test)]
mod tests;
