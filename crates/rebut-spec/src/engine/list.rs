//! Lists of partial models, any two of which are different as asked, and what their end
//! means.

use crate::ir::{Value, VarId};

/// Values of some variables.
pub(crate) type Values = Vec<(VarId, Value)>;

/// So many as were asked for, or fewer.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) items: Vec<Values>,
    pub(crate) end: End,
}

/// Why a list ends where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// So many were asked for.
    Asked,
    /// No set with the same property is larger, and the values can be divided into as many
    /// groups within which no two are different.
    Largest,
    /// What was asked for is all there, and more was not asked for.
    Covered(String),
    /// There may be a larger one.
    Unproved(String),
    /// There may be any number; what is needed to find them is missing.
    Missing(String),
}

impl List {
    pub(crate) fn empty() -> Self {
        Self { items: Vec::new(), end: End::Largest }
    }

    /// One item, with no values: there is nothing to decide.
    pub(crate) fn unit() -> Self {
        Self { items: vec![Vec::new()], end: End::Largest }
    }

    /// Takes at most so many items; whether there were more decides what the end means.
    pub(crate) fn take_from(items: impl Iterator<Item = Values>, count: usize) -> Self {
        let mut items = items;
        let taken: Vec<Values> = items.by_ref().take(count).collect();
        let end = if taken.len() == count { End::Asked } else { End::Largest };
        Self { items: taken, end }
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.end == End::Largest
    }
}

/// The larger doubt of two.
pub(crate) fn worse(left: End, right: End) -> End {
    let rank = |end: &End| match end {
        End::Largest => 0,
        End::Asked => 1,
        End::Covered(_) => 2,
        End::Unproved(_) => 3,
        End::Missing(_) => 4,
    };
    if rank(&right) > rank(&left) { right } else { left }
}

/// Each with each: `some-of` of what is independent. Any two tuples differ in one factor.
///
/// The order is that of a zip that starts anew one step further each time, so that a short
/// prefix has all items of all factors.
pub(crate) fn product(lists: Vec<List>, count: usize) -> List {
    let mut factors = lists.into_iter();
    let first = factors.next().unwrap_or_else(List::unit);
    factors.fold(first, |left, right| pairs(&left, &right, count))
}

fn pairs(left: &List, right: &List, count: usize) -> List {
    let (a, b) = (left.items.len(), right.items.len());
    if a == 0 || b == 0 {
        let end = if a == 0 { left.end.clone() } else { right.end.clone() };
        return List { items: Vec::new(), end };
    }
    let total = a.saturating_mul(b);
    let lcm = a / gcd(a, b) * b;
    let items = (0..total.min(count)).map(|at| {
        let mut values = left.items[at % a].clone();
        values.extend(right.items[(at + at / lcm) % b].iter().cloned());
        values
    });
    let end = match worse(left.end.clone(), right.end.clone()) {
        _ if total >= count => End::Asked,
        end => end,
    };
    List { items: items.collect(), end }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// One of each: `all-of` of what is independent. Any two tuples differ in all factors, and
/// there cannot be more than the shortest factor has groups.
pub(crate) fn zip(lists: Vec<List>, count: usize) -> List {
    let Some(shortest) = lists.iter().map(|list| list.items.len()).min() else {
        return List::unit();
    };
    let length = shortest.min(count);
    let items = (0..length)
        .map(|at| lists.iter().flat_map(|list| list.items[at].iter().cloned()).collect());
    let items = items.collect();
    let limits = lists.iter().filter(|list| list.items.len() == shortest);
    let proved = limits.clone().any(List::is_complete);
    let end = match limits.map(|list| list.end.clone()).next() {
        _ if length == count => End::Asked,
        _ if proved => End::Largest,
        Some(end) => end,
        None => End::Largest,
    };
    List { items, end }
}

/// Gives each item further values that do not matter, in turn.
pub(crate) fn extended(mut list: List, free: &List) -> List {
    if free.items.is_empty() {
        return List { items: Vec::new(), end: free.end.clone() };
    }
    for (at, item) in list.items.iter_mut().enumerate() {
        item.extend(free.items[at % free.items.len()].iter().cloned());
    }
    list
}
