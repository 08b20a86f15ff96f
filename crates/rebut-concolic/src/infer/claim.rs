//! What may be claimed of observations: the language of templates, and what its sentences mean.

use rebut_smt::{Pool, Term};

use super::view::{self, Scalar, Tags, View, as_length, is_before, is_tag, longer, place};

/// An expression over what was observed, by slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Expr {
    /// A value that was observed.
    Slot(u32),
    /// A number.
    Number(i128),
    /// The least number of the type of a slot.
    Least(u32),
    /// The greatest number of the type of a slot.
    Greatest(u32),
    /// A multiple of a number, and so much more.
    Linear {
        /// The number.
        slot: u32,
        /// How many times.
        times: i128,
        /// How much more.
        plus: i128,
    },
    /// The sum of two numbers.
    Sum(u32, u32),
    /// The difference of two numbers.
    Difference(u32, u32),
    /// An alternative that holds a value: `Some`, `Ok`.
    Holding(String, Box<Expr>),
    /// How many elements a sequence has.
    Length(u32),
    /// A sequence with one more element behind it.
    Appended(u32, Box<Expr>),
    /// A sequence with one more element before it.
    Prepended(u32, Box<Expr>),
    /// A sequence without its last element.
    WithoutLast(u32),
    /// A sequence without its first element.
    WithoutFirst(u32),
    /// A sequence with an element put in at a place.
    Inserted {
        /// The sequence.
        into: u32,
        /// The place.
        at: u32,
        /// The element.
        item: Box<Expr>,
    },
    /// A sequence without the element at a place.
    Removed {
        /// The sequence.
        from: u32,
        /// The place.
        at: u32,
    },
    /// A sequence with another element at a place.
    Updated {
        /// The sequence.
        of: u32,
        /// The place.
        at: u32,
        /// The element.
        item: Box<Expr>,
    },
    /// A sequence from behind.
    Reversed(u32),
    /// The first elements of a sequence, as many as a number says.
    Truncated(u32, u32),
    /// The first element of a sequence, if there is one.
    First(u32),
    /// The last element of a sequence, if there is one.
    Last(u32),
    /// No elements.
    Empty,
}

/// What can be so or not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Claim {
    /// The call panics with a message that begins like this.
    Panics(String),
    /// A truth value is this one.
    Truth(u32, bool),
    /// Both are the same.
    Same(Expr, Expr),
    /// They are not the same.
    Different(Expr, Expr),
    /// The first is less.
    Less(Expr, Expr),
    /// The first is not more.
    AtMost(Expr, Expr),
    /// A value is this variant.
    Is(u32, String),
    /// A value is not this variant.
    IsNot(u32, String),
    /// A sequence has this element.
    Contains(u32, Expr),
    /// A sequence does not have this element.
    Lacks(u32, Expr),
    /// The first sequence begins with the second.
    StartsWith(u32, u32),
    /// Two sequences have the same elements, each as often.
    SameElements(u32, u32),
    /// One is so where the other is.
    Iff(Box<Claim>, Box<Claim>),
}

impl Claim {
    /// What is so where this is not.
    #[must_use]
    pub fn not(&self) -> Option<Claim> {
        Some(match self {
            Claim::Truth(slot, holds) => Claim::Truth(*slot, !holds),
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

    /// The slots that are spoken of.
    #[must_use]
    pub fn slots(&self) -> Vec<u32> {
        let mut slots = match self {
            Claim::Panics(_) => Vec::new(),
            Claim::Truth(slot, _) | Claim::Is(slot, _) | Claim::IsNot(slot, _) => vec![*slot],
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
    /// The slots that are spoken of.
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

/// What was observed on a path, or anywhere, by slots.
#[derive(Clone, Debug, Default)]
pub(super) struct World {
    pub(super) views: Vec<Option<View>>,
    /// Whether the call panics, if that is known: the message.
    pub(super) panics: Option<Term>,
}

/// Finds out what claims mean in a world.
pub(super) struct Meaning<'a> {
    pub(super) pool: &'a mut Pool,
    pub(super) tags: &'a Tags,
    pub(super) world: &'a World,
}

/// A value, and where there is one.
struct Valued {
    view: View,
    is_there: Term,
}

impl Meaning<'_> {
    /// Where a claim is so; nothing if it makes no sense there.
    pub(super) fn of(&mut self, claim: &Claim) -> Option<Term> {
        match claim {
            Claim::Panics(_) => self.world.panics,
            Claim::Truth(slot, holds) => {
                let View::Truth(term) = self.slot(*slot)? else { return None };
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
                let (a, b) = (self.of(a)?, self.of(b)?);
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
        let is_so = if holds { is_same } else { self.pool.not(is_same) };
        Some(self.pool.all(&[a.is_there, b.is_there, is_so]))
    }

    /// Two numbers with so many bits that nothing wraps.
    fn numbers(&mut self, a: &Expr, b: &Expr) -> Option<(Term, Term)> {
        let widths = [a, b].map(|expr| self.width(expr));
        let widest = widths.into_iter().flatten().max()?;
        // A multiple or a sum needs more; of numbers with 128 bits there are none with more.
        let width = if widest < 128 { (widest + 6).min(128) } else { return None };
        Some((self.number(a, width)?, self.number(b, width)?))
    }

    /// The bits of the numbers in an expression.
    fn width(&self, expr: &Expr) -> Option<u32> {
        let mut widest = None;
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

    /// A number as two's complement of so many bits.
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

    fn value(&mut self, expr: &Expr) -> Option<Valued> {
        let always = self.pool.bool(true);
        let there = |view: View| Some(Valued { view, is_there: always });
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
                Some(Valued { view, is_there: held.is_there })
            }
            Expr::Empty => {
                let length = place(self.pool, 0);
                there(View::Sequence { length, items: Vec::new() })
            }
            Expr::Appended(slot, item) => {
                let (length, items) = self.sequence(*slot)?;
                self.inserted(length, &items, length, item)
            }
            Expr::Prepended(slot, item) => {
                let (length, items) = self.sequence(*slot)?;
                let first = place(self.pool, 0);
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
                let last = longer(self.pool, length, -1);
                self.removed(length, &items, last)
            }
            Expr::WithoutFirst(slot) => {
                let (length, items) = self.sequence(*slot)?;
                let first = place(self.pool, 0);
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
                    let here = place(self.pool, n);
                    let is_here = self.pool.eq(here, at);
                    new.push(View::choose(self.pool, is_here, &item.view, old)?);
                }
                let is_inside = self.pool.bv_ult(at, length);
                let is_there = self.pool.all(&[is_small, is_inside, item.is_there]);
                Some(Valued { view: View::Sequence { length, items: new }, is_there })
            }
            Expr::Reversed(slot) => {
                let (length, items) = self.sequence(*slot)?;
                let mut new = Vec::new();
                for n in 0..items.len() {
                    // Behind the end anything will do.
                    let mut item = items.get(n)?.clone();
                    for (from, old) in items.iter().enumerate() {
                        let total = place(self.pool, n + from + 1);
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
                let first = place(self.pool, 0);
                self.element(length, &items, first)
            }
            Expr::Last(slot) => {
                let (length, items) = self.sequence(*slot)?;
                let last = longer(self.pool, length, -1);
                self.element(length, &items, last)
            }
            _ => None,
        }
    }

    fn only_where(&mut self, valued: Valued, condition: Term) -> Valued {
        let is_there = self.pool.and(valued.is_there, condition);
        Valued { is_there, ..valued }
    }

    fn sequence(&self, slot: u32) -> Option<(Term, Vec<View>)> {
        match self.slot(slot)? {
            View::Sequence { length, items } => Some((length, items)),
            _ => None,
        }
    }

    /// A number as a place in a sequence, and whether it is small enough to be one.
    fn index(&mut self, slot: u32) -> Option<(Term, Term)> {
        match self.slot(slot)? {
            View::Scalar(Scalar::Unsigned, term) => Some(as_length(self.pool, term)),
            View::Scalar(Scalar::Signed, term) => {
                let zero = self.pool.bits(self.pool.width(term), 0);
                let is_positive = self.pool.bv_sle(zero, term);
                let (place, is_small) = as_length(self.pool, term);
                Some((place, self.pool.and(is_positive, is_small)))
            }
            _ => None,
        }
    }

    fn inserted(&mut self, length: Term, items: &[View], at: Term, item: &Expr) -> Option<Valued> {
        let item = self.value(item)?;
        let mut new = Vec::new();
        for n in 0..=items.len() {
            let here = place(self.pool, n);
            let before = items.get(n).unwrap_or(&item.view);
            let after = n.checked_sub(1).and_then(|n| items.get(n)).unwrap_or(&item.view);
            let is_here = self.pool.eq(here, at);
            let from_here = View::choose(self.pool, is_here, &item.view, after)?;
            let is_before = self.pool.bv_ult(here, at);
            new.push(View::choose(self.pool, is_before, before, &from_here)?);
        }
        let is_inside = view::at_most(self.pool, at, length);
        let is_there = self.pool.and(is_inside, item.is_there);
        let length = longer(self.pool, length, 1);
        Some(Valued { view: View::Sequence { length, items: new }, is_there })
    }

    fn removed(&mut self, length: Term, items: &[View], at: Term) -> Option<Valued> {
        let mut new = Vec::new();
        for n in 0..items.len().saturating_sub(1) {
            let here = place(self.pool, n);
            let is_before = self.pool.bv_ult(here, at);
            new.push(View::choose(self.pool, is_before, &items[n], &items[n + 1])?);
        }
        let is_there = self.pool.bv_ult(at, length);
        let length = longer(self.pool, length, -1);
        Some(Valued { view: View::Sequence { length, items: new }, is_there })
    }

    /// The element at a place of a sequence that may be empty.
    fn element(&mut self, length: Term, items: &[View], at: Term) -> Option<Valued> {
        let is_there = self.pool.bool(true);
        let none = View::Tuple(Vec::new()).some(self.pool);
        let View::Variant { tag: some, .. } = none else { return None };
        let none = self.pool.bits(self.pool.width(some), u128::from(view::NONE));
        let Some((first, others)) = items.split_first() else {
            let view = View::Variant { tag: none, held: vec![(view::NONE, Vec::new())] };
            return Some(Valued { view, is_there });
        };
        let mut item = first.clone();
        for (n, other) in others.iter().enumerate() {
            let here = place(self.pool, n + 1);
            let is_here = self.pool.eq(here, at);
            item = View::choose(self.pool, is_here, other, &item)?;
        }
        let any = is_before(self.pool, 0, length);
        let tag = self.pool.ite(any, some, none);
        let held = vec![(view::NONE, Vec::new()), (view::SOME, vec![item])];
        Some(Valued { view: View::Variant { tag, held }, is_there })
    }

    fn contains(&mut self, slot: u32, item: &Expr) -> Option<Term> {
        let (length, items) = self.sequence(slot)?;
        let item = self.value(item)?;
        let mut ways = Vec::new();
        for (n, one) in items.iter().enumerate() {
            let is_there = is_before(self.pool, n, length);
            let is_it = one.eq(self.pool, &item.view)?;
            ways.push(self.pool.and(is_there, is_it));
        }
        let any = self.pool.any(&ways);
        Some(self.pool.and(any, item.is_there))
    }

    fn starts_with(&mut self, whole: u32, part: u32) -> Option<Term> {
        let (length, items) = self.sequence(whole)?;
        let (part_length, parts) = self.sequence(part)?;
        let mut all = vec![view::at_most(self.pool, part_length, length)];
        for (n, (one, other)) in items.iter().zip(&parts).enumerate() {
            let is_there = is_before(self.pool, n, part_length);
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
            let is_there = is_before(self.pool, n, length);
            let is_as_often = self.pool.eq(here, there);
            all.push(self.pool.implies(is_there, is_as_often));
        }
        Some(self.pool.all(&all))
    }

    fn count(&mut self, length: Term, items: &[View], item: &View) -> Option<Term> {
        let mut count = self.pool.bits(8, 0);
        let (zero, one) = (self.pool.bits(8, 0), self.pool.bits(8, 1));
        for (n, other) in items.iter().enumerate() {
            let is_there = is_before(self.pool, n, length);
            let is_it = other.eq(self.pool, item)?;
            let counts = self.pool.and(is_there, is_it);
            let more = self.pool.ite(counts, one, zero);
            count = self.pool.bv_add(count, more);
        }
        Some(count)
    }
}

/// Whether an expression has to be computed with numbers that do not wrap.
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
