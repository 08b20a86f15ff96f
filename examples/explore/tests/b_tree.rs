//! The B-tree on which WASP and Owi are measured: keys of which some are known to come in order
//! and others are not. The more keys without an order, the more paths there are.
//!
//! All of these hold for all inputs.

use std::collections::BTreeSet;

use explore_examples::b_tree::BTree;
use rebut::assume;

/// The keys that are known to be in order, and behind them the others.
fn keys<const N: usize, const M: usize>(ordered: [i32; N], unordered: [i32; M]) -> Vec<i32> {
    assume!(ordered.is_sorted_by(|one, next| one < next));
    [ordered.as_slice(), &unordered].concat()
}

/// Inserts keys into a tree of ours, which stays as it has to be and has all of them.
fn own<const N: usize, const M: usize>(ordered: [i32; N], unordered: [i32; M]) {
    let keys = keys(ordered, unordered);
    let mut tree = BTree::new();
    for key in &keys {
        let is_new = !tree.contains(*key);
        assert_eq!(tree.insert(*key), is_new);
    }
    assert!(tree.levels().is_some());
    assert!(tree.to_vec().is_sorted_by(|one, next| one < next));
    assert!(keys.iter().all(|key| tree.contains(*key)));
}

/// The same with the set of the standard library.
fn library<const N: usize, const M: usize>(ordered: [i32; N], unordered: [i32; M]) {
    let keys = keys(ordered, unordered);
    let mut tree = BTreeSet::new();
    for key in &keys {
        let is_new = !tree.contains(key);
        assert_eq!(tree.insert(*key), is_new);
    }
    assert!(tree.iter().is_sorted_by(|one, next| one < next));
    assert!(keys.iter().all(|key| tree.contains(key)));
}

/// So many keys in order and so many others, for both trees.
macro_rules! curve {
    ($($name:ident: $ordered:literal and $unordered:literal;)*) => {
        mod of_ours {
            $(
                /// Holds for all.
                #[rebut::test(cases = 20, rejections_max = 100_000)]
                fn $name(ordered: [i32; $ordered], unordered: [i32; $unordered]) {
                    super::own(ordered, unordered);
                }
            )*
        }

        mod of_the_library {
            $(
                /// Holds for all.
                #[rebut::test(cases = 20, rejections_max = 100_000)]
                fn $name(ordered: [i32; $ordered], unordered: [i32; $unordered]) {
                    super::library(ordered, unordered);
                }
            )*
        }
    };
}

curve! {
    ordered_2_unordered_1: 2 and 1;
    ordered_2_unordered_2: 2 and 2;
    ordered_2_unordered_3: 2 and 3;
    ordered_3_unordered_1: 3 and 1;
    ordered_3_unordered_2: 3 and 2;
    ordered_3_unordered_3: 3 and 3;
    ordered_4_unordered_1: 4 and 1;
    ordered_4_unordered_2: 4 and 2;
    ordered_4_unordered_3: 4 and 3;
    ordered_5_unordered_1: 5 and 1;
    ordered_5_unordered_2: 5 and 2;
    ordered_6_unordered_1: 6 and 1;
    ordered_6_unordered_2: 6 and 2;
}
