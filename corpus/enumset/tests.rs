use enumset::{EnumSet, EnumSetType};
use rebut::prelude::*;

#[derive(Debug, PartialOrd, EnumSetType, Generate)]
#[enumset(repr = "u64")]
enum Day {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat = 40,
    Sun = 63,
}

#[derive(Debug, Generate, EnumSetType)]
#[enumset(repr = "u16")]
enum Flag {
    A,
    #[generate(weight = 5)]
    B,
    #[generate(skip)]
    C,
    D = 15,
}

fn set(list: &[Day]) -> EnumSet<Day> {
    list.iter().copied().collect()
}

// expect: passed
#[rebut::test]
fn sets_contain_their_elements(list: Vec<Day>, day: Day) {
    assert_eq!(set(&list).contains(day), list.contains(&day));
}

// expect: passed
#[rebut::test]
fn complement_of_a_union_is_an_intersection(one: Vec<Day>, other: Vec<Day>) -> bool {
    !(set(&one) | set(&other)) == (!set(&one) & !set(&other))
}

// expect: proved: 49
#[rebut::test]
fn pairs_have_two_elements(one: Day, other: Day) {
    assert_eq!((one | other).len(), if one == other { 1 } else { 2 });
}

// One of the flags is not generated.
// expect: failed
#[rebut::test]
fn three_flags_contain_c(flags: [Flag; 3]) {
    let set: EnumSet<Flag> = flags.into_iter().collect();
    assert!(set.len() < 3 || set.contains(Flag::C));
}

// Bits without a variant are an error.
// expect: failed: right: Some
#[rebut::test]
fn truncated_bits_are_valid(bits: u64) {
    let set = EnumSet::<Day>::from_repr_truncated(bits);
    assert_eq!(set.as_repr() & !bits, 0);
    assert_eq!(EnumSet::<Day>::try_from_repr(bits), Some(set));
}

// expect: passed
#[rebut::test]
fn valid_bits_round_trip(bits: u16) {
    match EnumSet::<Flag>::try_from_repr(bits) {
        Some(set) => assert_eq!(set.as_repr(), bits),
        None => assert_ne!(bits & !0b1000_0000_0000_0111, 0),
    }
}

// expect: failed
#[rebut::test]
fn one_day_is_kept(list: Vec<Day>, keep: impl Fn(Day) -> bool) {
    let kept: Vec<Day> = set(&list).iter().filter(|day| keep(*day)).collect();
    assert!(kept.is_sorted());
    assert!(kept.len() < 2, "{kept:?}");
}

// expect: failed: nothing left
#[rebut::test]
fn subtracting_leaves_a_rest(list: Vec<Day>, (day, other): (Day, Option<Day>)) {
    let mut rest = set(&list);
    rest -= day | other.unwrap_or(day);
    assert!(!rest.contains(day));
    assert!(rest.is_subset(set(&list)) && rest.len() + 2 >= set(&list).len());
    assert!(list.is_empty() || !rest.is_empty(), "nothing left of {list:?}");
}

// expect: proved: 18
#[rebut::test]
fn complements_miss_their_flag(one: Flag, other: Flag, checks: bool) {
    if checks {
        assert_ne!(EnumSet::only(one).complement(), other | one);
    }
}

// expect: failed: index out of bounds
#[rebut::test]
fn a_week_has_every_day(i: usize) {
    let t = [Day::Mon, Day::Tue, Day::Wed, Day::Thu, Day::Fri, Day::Sat, Day::Sun];
    assert!(EnumSet::<Day>::all().contains(t[i]));
}

// expect: passed
#[rebut::test]
fn days_are_their_only_element(list: Vec<Day>) -> Result<(), &'static str> {
    for day in list {
        if EnumSet::only(day).len() != 1 {
            Err("more than one day")?;
        }
    }
    Ok(())
}

// expect: passed
#[rebut::test]
fn unions_contain_both_parts(one: Vec<Day>, other: Vec<Day>) {
    let union = set(&one) | set(&other);
    debug_assert!(union.is_superset(set(&one)) && union.is_superset(set(&other)));
}
