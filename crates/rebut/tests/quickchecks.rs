//! Types with QuickCheck's `Arbitrary` as generators.

use quickcheck::{Arbitrary, Gen};
use rebut::{Check, quickcheck_values};

#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Leaf(u8),
    Node(Box<Tree>, Box<Tree>),
}

impl Arbitrary for Tree {
    fn arbitrary(source: &mut Gen) -> Tree {
        if source.size() < 2 || bool::arbitrary(source) {
            return Tree::Leaf(u8::arbitrary(source));
        }
        let mut smaller = Gen::from_size_and_seed(source.size() / 2, u64::arbitrary(source));
        let mut part = || Box::new(Tree::arbitrary(&mut smaller));
        Tree::Node(part(), part())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Tree>> {
        match self {
            Tree::Leaf(number) => Box::new(number.shrink().map(Tree::Leaf)),
            Tree::Node(left, right) => {
                let (l, r) = (left.clone(), right.clone());
                let parts = [(**left).clone(), (**right).clone()].into_iter();
                let lefts = left.shrink().map(move |left| Tree::Node(left, r.clone()));
                let rights = right.shrink().map(move |right| Tree::Node(l.clone(), right));
                Box::new(parts.chain(lefts).chain(rights))
            }
        }
    }
}

impl Tree {
    fn sum(&self) -> u32 {
        match self {
            Tree::Leaf(number) => u32::from(*number),
            Tree::Node(left, right) => left.sum() + right.sum(),
        }
    }
}

fn shrunk<T: Arbitrary + std::fmt::Debug>(seed: u64, passes: impl Fn(&T) -> bool) -> String {
    let report =
        Check::new("values").seed(seed).run(|case| passes(&case.draw(quickcheck_values::<T>())));
    report.verdict.counterexamples()[0].values[0].code.clone()
}

#[test]
fn values_shrink_by_their_own_shrink() {
    for seed in 0..20 {
        assert_eq!(shrunk(seed, |&n: &u64| n < 1000), "1000");
        assert_eq!(shrunk(seed, |list: &Vec<u8>| list.len() < 3), "[0, 0, 0]");
        assert_eq!(shrunk(seed, |tree: &Tree| tree.sum() < 9), "Leaf(9)");
    }
}

#[test]
fn values_that_depend_on_each_other_shrink_further() {
    for seed in 0..20 {
        let report = Check::new("pair").seed(seed).run(|case| {
            let first = case.draw(quickcheck_values::<u32>());
            let second = case.draw(quickcheck_values::<u32>());
            first < second || second < 10
        });
        let values = &report.verdict.counterexamples()[0].values;
        assert_eq!((values[0].code.as_str(), values[1].code.as_str()), ("10", "10"), "{seed}");
    }
}

#[test]
fn replay_repeats_the_value_and_its_simplifications() {
    let check = Check::new("tree").seed(5);
    let property = |case: &mut rebut::Case| case.draw(quickcheck_values::<Tree>()).sum() < 700;
    let report = check.run(property);
    let counterexample = &report.verdict.counterexamples()[0];
    let replayed = check.replay(&counterexample.tape.to_replay_string()).run(property);
    assert_eq!(replayed.verdict.counterexamples()[0].values, counterexample.values);
}

#[rebut::test]
fn parameters_of_tests_use_arbitrary(#[from(quickcheck_values().size(5))] list: Vec<u8>) {
    assert!(list.len() <= 5);
}
