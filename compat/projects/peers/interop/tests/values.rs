//! Values of other crates' generators, as parameters.

use fake::Fake as _;
use rand::seq::SliceRandom as _;

#[derive(arbitrary::Arbitrary, Clone, Debug, PartialEq, rebut::ToCode)]
enum Command {
    Push(i32),
    Pop,
    Rename { from: String, to: String },
}

#[rebut::test]
fn by_arbitrary(#[from(rebut::arbitraries())] commands: Vec<Command>) {
    let is_large = |command: &Command| matches!(command, Command::Push(n) if *n >= 100);
    assert!(!commands.iter().any(is_large) || !commands.contains(&Command::Pop));
}

#[rebut::test]
fn by_quickcheck(#[from(rebut::quickcheck_values())] list: Vec<u16>) {
    assert!(list.iter().map(|&n| u32::from(n)).sum::<u32>() < 1000);
}

#[rebut::test]
fn by_proptest(#[from(rebut::strategies(proptest::collection::vec(-100..100i32, 0..9)))] list: Vec<i32>) {
    assert!(list.iter().all(|&n| n > -50));
}

/// Rolls a number of dice.
fn roll(dice: usize, rng: &mut impl rand::Rng) -> Vec<u8> {
    (0..dice).map(|_| rng.random_range(1..=6)).collect()
}

#[rebut::test]
fn by_rand(#[from(1..5)] dice: usize, rng: &mut rebut::ChoiceRng) {
    assert!(roll(dice, rng).iter().filter(|&&eyes| eyes == 6).count() < 2);
}

#[rebut::test]
fn by_rand_08(mut rng: rebut::ChoiceRng) {
    let number = rand_08::Rng::gen_range(&mut rng, 0..1000);
    assert!(number < 500);
}

#[rebut::test]
fn shuffled(mut rng: rebut::ChoiceRng) {
    let mut list = [1, 2, 3, 4];
    list.shuffle(&mut rng);
    assert_ne!(list[0], 3);
}

#[rebut::test]
fn by_fake(mut rng: rebut::ChoiceRng) {
    let text: String = (1..20).fake_with_rng(&mut rng);
    assert!(text.len() < 10);
}
