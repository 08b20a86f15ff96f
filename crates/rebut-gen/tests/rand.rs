//! Random numbers as choices, with the real methods of `rand`.

use real_rand::distr::{Alphanumeric, SampleString as _, weighted::WeightedIndex};
use real_rand::prelude::*;
use rebut::{Check, ChoiceRng, Generator, find, rngs};

/// Returns the simplest result of a function for which `predicate` is true.
fn shrunk<T: std::fmt::Debug>(
    function: impl Fn(&mut ChoiceRng) -> T,
    predicate: impl Fn(&T) -> bool,
) -> Option<T> {
    find(rngs().map(|mut rng| function(&mut rng)), predicate)
}

#[test]
fn methods_of_rand_shrink_to_their_simplest_results() {
    assert_eq!(shrunk(|rng| rng.random_range(10..1000), |&n| n > 99), Some(100));
    assert_eq!(shrunk(|rng| rng.random_range(-5i64..=5), |&n| n > -3), Some(-2));
    assert_eq!(shrunk(|rng| rng.random::<u8>(), |&n| n > 9), Some(10));
    assert_eq!(shrunk(|rng| rng.random::<bool>(), |_| true), Some(false));
    assert_eq!(shrunk(|rng| rng.random_bool(0.3), |&yes| !yes), Some(false));
    assert_eq!(
        shrunk(|rng| rng.random::<f64>(), |&x| x > 0.5).map(|x| (x * 1e6).round()),
        Some(5e5)
    );
    assert_eq!(shrunk(|rng| *[3, 4, 5].choose(rng).expect("not empty"), |&n| n > 3), Some(4));
    let list = |rng: &mut ChoiceRng| {
        let size = rng.random_range(0..20);
        (0..size).map(|_| rng.random_range(0..100)).collect::<Vec<u32>>()
    };
    assert_eq!(shrunk(list, |list| list.iter().sum::<u32>() > 150), Some(vec![52, 99]));
    let text = |rng: &mut ChoiceRng| Alphanumeric.sample_string(rng, 3);
    assert_eq!(shrunk(text, |text| text.contains('b')), Some("AAb".to_owned()));
    let index = WeightedIndex::new([5, 1, 1]).expect("weights");
    assert_eq!(shrunk(|rng| index.sample(rng), |&index| index > 0), Some(1));
}

#[test]
fn shuffled_lists_are_permutations_and_all_of_them_occur() {
    let shuffled = |rng: &mut ChoiceRng| {
        let mut list = [1, 2, 3];
        list.shuffle(rng);
        list
    };
    for wanted in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        assert_eq!(shrunk(shuffled, |list| *list == wanted), Some(wanted));
    }
}

#[test]
fn other_versions_of_rand_draw_the_same_words() {
    let old = |rng: &mut ChoiceRng| real_rand_08::Rng::gen_range(rng, 10..1000);
    assert_eq!(shrunk(old, |&n: &i32| n > 99), Some(100));
    let new = |rng: &mut ChoiceRng| real_rand_010::RngExt::random_range(rng, 10..1000);
    assert_eq!(shrunk(new, |&n: &i32| n > 99), Some(100));
}

#[test]
fn fake_data_shrinks_to_the_first_words() {
    use fake::Fake as _;
    use fake::faker::{name::en::FirstName, number::en::Digit};
    let names = |rng: &mut ChoiceRng| -> Vec<String> {
        let count = real_rand_010::RngExt::random_range(rng, 0..5);
        (0..count).map(|_| FirstName().fake_with_rng(rng)).collect()
    };
    let first: String = FirstName().fake_with_rng(&mut ChoiceRng::new([]));
    let found = shrunk(names, |names| names.len() >= 2);
    assert_eq!(found, Some(vec![first.clone(), first]));
    let digit = |rng: &mut ChoiceRng| -> String { Digit().fake_with_rng(rng) };
    assert_eq!(shrunk(digit, |digit| digit.as_str() > "3"), Some("4".to_owned()));
}

#[test]
fn a_seeded_generator_is_a_function_of_the_choices() {
    let seeded = |rng: &mut ChoiceRng| StdRng::from_rng(rng).random_range(0..10);
    assert_eq!(shrunk(seeded, |&n: &u8| n == 7), Some(7));
}

#[test]
fn bytes_are_drawn_as_words() {
    let bytes = |rng: &mut ChoiceRng| {
        let mut bytes = [0; 10];
        rng.fill_bytes(&mut bytes);
        bytes
    };
    assert_eq!(shrunk(bytes, |bytes| bytes[9] > 3), Some([0, 0, 0, 0, 0, 0, 0, 0, 0, 4]));
}

#[test]
fn a_clone_returns_the_same_numbers() {
    Check::new("clones").run(|case| {
        let mut rng = case.draw(rngs());
        rng.next_u32();
        let mut copy = rng.clone();
        assert_eq!(copy.next_u64(), rng.next_u64());
        assert_eq!(rng.random_range(0..100), copy.random_range(0..100));
    });
}

#[test]
fn a_report_prints_the_words_that_were_requested() {
    let report = Check::new("dice").seed(1).run(|case| {
        let mut rng: ChoiceRng = case.draw_as("rng", rngs());
        let dice = [rng.random_range(1..=6), rng.random_range(1..=6), rng.random_range(1..=6)];
        assert_ne!(dice, [1, 3, 1]);
    });
    let report = report.to_string();
    assert!(report.contains("let rng = rebut::ChoiceRng::new([0, 0x55555556]);"), "{report}");
    let mut rng = ChoiceRng::new([0, 0x5555_5556]);
    let dice = [(); 3].map(|()| rng.random_range(1..=6));
    assert_eq!(dice, [1, 3, 1]);
}
