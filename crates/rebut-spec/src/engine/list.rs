//! Lists of partial models, and what the end of a list means.
//!
//! A node of the plan becomes a list: partial models, any two of which satisfy the node's part
//! of the constraint. Lists of independent variables are combined without comparing models:
//! `some-of` is a product, because one difference is enough, and `all-of` is a zip, because all
//! must differ.
//!
//! Invariant: [`ListEnd::Largest`] is a proof. It is claimed only if the values can be divided
//! into as many groups as the list has items, such that no two values of a group differ. Zips
//! and products of such lists have such groups again, so the proof survives them.

use crate::ir::{Value, VarId};

/// Values of some variables.
pub(crate) type Values = Vec<(VarId, Value)>;

/// At most as many partial models as were requested.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) items: Vec<Values>,
    pub(crate) end: ListEnd,
}

/// Why a list is not longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListEnd {
    /// It has the requested number of items.
    CountReached,
    /// Proved: no list is longer (see the module).
    Largest,
    /// Everything that had to be covered is covered; more items would repeat combinations.
    Covered(String),
    /// A longer list may exist; the string is the reason why this is unknown.
    Unproved(String),
    /// Any number may exist; the string names what is missing to find them.
    Missing(String),
}

impl List {
    pub(crate) fn empty() -> Self {
        Self { items: Vec::new(), end: ListEnd::Largest }
    }

    /// One item without values, for a node that has nothing to decide.
    pub(crate) fn unit() -> Self {
        Self { items: vec![Vec::new()], end: ListEnd::Largest }
    }

    /// Takes at most `count` items. An iterator that ends earlier lists all there are.
    pub(crate) fn take_from(items: impl Iterator<Item = Values>, count: usize) -> Self {
        let mut items = items;
        let taken: Vec<Values> = items.by_ref().take(count).collect();
        let end = if taken.len() == count { ListEnd::CountReached } else { ListEnd::Largest };
        Self { items: taken, end }
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.end == ListEnd::Largest
    }
}

/// Returns the end that claims less.
pub(crate) fn weaker(left: ListEnd, right: ListEnd) -> ListEnd {
    let rank = |end: &ListEnd| match end {
        ListEnd::Largest => 0,
        ListEnd::CountReached => 1,
        ListEnd::Covered(_) => 2,
        ListEnd::Unproved(_) => 3,
        ListEnd::Missing(_) => 4,
    };
    if rank(&right) > rank(&left) { right } else { left }
}

/// The Cartesian product: `some-of` of independent lists. Any two tuples differ in one factor.
///
/// The order is that of a zip that starts again one step further after each round. For two
/// items `a b` and two items `x y`, it is `ax by ay bx`. So a short prefix already has every
/// item of every factor.
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
    let end = match weaker(left.end.clone(), right.end.clone()) {
        _ if total >= count => ListEnd::CountReached,
        end => end,
    };
    List { items: items.collect(), end }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// One item of each list: `all-of` of independent lists. Any two tuples differ in all factors.
/// There cannot be more tuples than the shortest factor has groups.
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
        _ if length == count => ListEnd::CountReached,
        _ if proved => ListEnd::Largest,
        Some(end) => end,
        None => ListEnd::Largest,
    };
    List { items, end }
}

/// Adds values that the constraint ignores to each item, taking them in turn.
pub(crate) fn extend_in_turn(mut list: List, free: &List) -> List {
    if free.items.is_empty() {
        return List { items: Vec::new(), end: free.end.clone() };
    }
    for (at, item) in list.items.iter_mut().enumerate() {
        item.extend(free.items[at % free.items.len()].iter().cloned());
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(variable: u32, length: i128, end: ListEnd) -> List {
        let items = (0..length).map(|value| vec![(VarId(variable), Value::Int(value))]);
        List { items: items.collect(), end }
    }

    fn numbers(list: &List) -> Vec<Vec<i128>> {
        let numbers = |values: &Values| {
            values.iter().filter_map(|(_, value)| value.as_int()).collect::<Vec<i128>>()
        };
        list.items.iter().map(numbers).collect()
    }

    #[test]
    fn a_short_prefix_of_a_product_has_every_item() {
        let lists = || vec![list(0, 2, ListEnd::Largest), list(1, 2, ListEnd::Largest)];
        let all = product(lists(), 10);
        assert_eq!(numbers(&all), [[0, 0], [1, 1], [0, 1], [1, 0]]);
        assert_eq!(all.end, ListEnd::Largest);
        assert_eq!(product(lists(), 3).end, ListEnd::CountReached);
    }

    #[test]
    fn a_zip_is_as_long_as_its_shortest_list() {
        let doubt = ListEnd::Unproved("why".into());
        let zipped = zip(vec![list(0, 5, doubt.clone()), list(1, 2, ListEnd::Largest)], 10);
        assert_eq!(numbers(&zipped), [[0, 0], [1, 1]]);
        assert_eq!(zipped.end, ListEnd::Largest);
        let zipped = zip(vec![list(0, 2, doubt.clone()), list(1, 5, ListEnd::Largest)], 10);
        assert_eq!(zipped.end, doubt);
    }
}
