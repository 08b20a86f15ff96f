//! What users of Kani reported as slow, in words of our own: a text that is split although all
//! of it is known (report 2363 of its tracker), one insertion into a `BTreeMap` (1251), a machine whose state is
//! in maps and vectors (3016), and an index into a vector of texts (1673).
//!
//! All of these hold for all inputs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZero;

use rebut::prelude::*;

/// Holds for all. Nothing in the text is drawn, only which part is looked at.
#[rebut::test]
fn known_string_is_split(#[generate(max_value = 3)] wanted: usize) {
    let parts: Vec<&str> = "name=rebut;kind=tool".split([';', '=']).collect();
    assert_eq!(parts.len(), 4);
    assert_eq!(parts[wanted], ["name", "rebut", "kind", "tool"][wanted]);
}

/// What is in a store, and how many of it.
#[derive(Default)]
struct Inventory {
    items: BTreeMap<u32, NonZero<u32>>,
}

impl Inventory {
    fn update(&mut self, item: u32, quantity: NonZero<u32>) {
        self.items.insert(item, quantity);
    }

    fn quantity(&self, item: u32) -> Option<NonZero<u32>> {
        self.items.get(&item).copied()
    }
}

/// Holds for all.
#[rebut::test]
fn quantity_is_the_one_that_was_set(item: u32, quantity: NonZero<u32>) {
    let mut inventory = Inventory::default();
    inventory.update(item, quantity);
    assert_eq!(inventory.quantity(item), Some(quantity));
}

/// Holds for all: an update changes one item and no other.
#[rebut::test]
fn update_changes_only_one_item(
    first: (u32, NonZero<u32>),
    second: (u32, NonZero<u32>),
    watched: u32,
) {
    let mut inventory = Inventory::default();
    inventory.update(first.0, first.1);
    let before = inventory.quantity(watched);
    inventory.update(second.0, second.1);
    let expected = if watched == second.0 { Some(second.1) } else { before };
    assert_eq!(inventory.quantity(watched), expected);
}

/// A member of a group that decides by vote: its state is in maps, sets and vectors.
#[derive(Default)]
struct Voter {
    votes: HashMap<u8, HashSet<u8>>,
    decided: Vec<u8>,
}

impl Voter {
    /// Of three, two are a majority. Decides once.
    fn receive(&mut self, from: u8, proposal: u8) {
        let votes = self.votes.entry(proposal).or_default();
        votes.insert(from);
        if votes.len() == 2 && self.decided.is_empty() {
            self.decided.push(proposal);
        }
    }
}

/// Holds for all: whoever has heard all three votes, in any order, has decided for the same.
#[rebut::test]
fn voters_agree(
    #[from(arrays(integers().max_value(1)))] proposals: [u8; 3],
    #[from(permutations(vec![0_u8, 1, 2]))] one_order: Vec<u8>,
    #[from(permutations(vec![0_u8, 1, 2]))] other_order: Vec<u8>,
) {
    let decide = |order: &[u8]| {
        let mut voter = Voter::default();
        for from in order {
            voter.receive(*from, proposals[usize::from(*from)]);
        }
        voter.decided
    };
    let decided = decide(&one_order);
    assert_eq!(decided.len(), 1);
    assert_eq!(decided, decide(&other_order));
}

/// Holds for all.
#[rebut::test]
fn every_string_of_a_vector_is_present(#[generate(max_value = 8)] index: usize) {
    let mut texts: Vec<String> = Vec::new();
    for _ in 0..9 {
        texts.push(String::from("abc"));
    }
    assert_eq!(texts[index], "abc");
}
