//! Arrays that are indexed by enums.

use enum_map::{enum_len, enum_map, Enum, EnumMap};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Enum, rebut::Generate)]
enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum, rebut::Generate)]
enum Card {
    Joker,
    Plain(Suit, bool),
    Trump { suit: Suit, higher: bool },
}

// expect: passed
#[rebut::test]
fn holds_what_was_assigned(assignments: Vec<(Suit, i32)>) {
    let mut map: EnumMap<Suit, Option<i32>> = EnumMap::default();
    let mut model = BTreeMap::new();
    for &(suit, number) in &assignments {
        map[suit] = Some(number);
        model.insert(suit, number);
    }
    for (suit, number) in map {
        assert_eq!(number, model.get(&suit).copied());
    }
}

// expect: proved: 17
#[rebut::test]
fn every_card_has_an_index(card: Card) {
    let index = card.into_usize();
    assert!(index < enum_len::<Card>());
    assert_eq!(Card::from_usize(index), card);
}

// expect: proved: 289
#[rebut::test]
fn cards_of_a_suit_are_neighbors(one: Card, other: Card) -> bool {
    let suit = |card: Card| match card {
        Card::Joker => None,
        Card::Plain(suit, _) | Card::Trump { suit, .. } => Some(suit),
    };
    suit(one) != suit(other) || one.into_usize().abs_diff(other.into_usize()) < 16
}

// expect: passed
#[rebut::test]
fn mapping_is_that_of_arrays(values: [u8; 4], change: impl Fn(u8) -> char) {
    let map = EnumMap::<Suit, u8>::from_array(values);
    let mapped = map.map(|_, value| change(value));
    assert_eq!(mapped.into_array(), values.map(|value| change(value)));
}

// expect: failed: attempt to add with overflow
#[rebut::test]
fn points_can_be_summed(hands: Vec<(Suit, u8)>, bonus: Option<Suit>) {
    let mut points: EnumMap<Suit, u8> = enum_map! { _ => 0 };
    for (suit, number) in hands {
        points[suit] += number;
    }
    if let Some(suit) = bonus {
        points[suit] = points[suit].saturating_add(1);
    }
    let total: u32 = points.values().map(|&points| u32::from(points)).sum();
    assert!(total <= 4 * 255);
}

// The index of a byte is the byte, that of a signed one is not: it has no index.
// expect: proved: 512
#[rebut::test]
fn bytes_and_flags_are_enums(byte: u8, flag: bool) {
    assert_eq!(byte.into_usize(), usize::from(byte));
    assert_eq!(bool::from_usize(flag.into_usize()), flag);
}

// The joker comes first, so the others have larger indices than their suits.
// expect: failed
#[rebut::test]
fn cards_have_the_index_of_their_suit(suit: Option<Suit>, high: bool, _unused: u32) {
    let card = suit.map_or(Card::Joker, |suit| Card::Plain(suit, high));
    assert_eq!(card.into_usize(), suit.map_or(0, Suit::into_usize));
}

// expect: passed
#[rebut::test]
fn swapping_twice_changes_nothing(values: [String; 4], one: Suit, other: Suit) -> Result<(), [String; 4]> {
    let mut map = EnumMap::<Suit, String>::from_array(values.clone());
    map.swap(one, other);
    map.swap(other, one);
    if map.as_array() == &values { Ok(()) } else { Err(map.into_array()) }
}

// expect: failed
#[rebut::test]
fn maps_are_ordered_by_their_sums(one: [i8; 4], other: [i8; 4]) {
    let (a, b) = (EnumMap::<Suit, i8>::from_array(one), EnumMap::<Suit, i8>::from_array(other));
    let sum = |map: &EnumMap<Suit, i8>| map.values().map(|&value| i32::from(value)).sum::<i32>();
    rebut::assume!(sum(&a) != sum(&b));
    assert_eq!(a.as_slice() < b.as_slice(), sum(&a) < sum(&b));
}

/// Votes by suit.
#[derive(Debug, Default)]
pub struct Votes {
    map: EnumMap<Color, u32>,
    count: u32,
}

/// What can be voted for.
#[derive(Debug, Clone, Copy, PartialEq, Enum, rebut::Generate)]
pub enum Color {
    Red,
    Green,
    Other(bool),
}

#[rebut::contract]
#[invariant(self.map.values().sum::<u32>() == self.count)]
impl Votes {
    pub fn new() -> Votes {
        Votes::default()
    }

    #[ensures(self.map[color] == old(self.map[color]) + 1)]
    pub fn vote(&mut self, color: Color) {
        self.map[color] += 1;
        self.count += 1;
    }

    #[requires(self.map[color] > 0)]
    pub fn withdraw(&mut self, color: Color) {
        self.map[color] -= 1;
        self.count -= 1;
    }

    /// The first color with the most votes. A plausible claim, but not if nobody voted.
    #[ensures(self.map[result] > 0, "the winner has votes")]
    pub fn winner(&self) -> Color {
        let best = self.map.values().max().copied().unwrap_or(0);
        self.map.iter().find(|(_, votes)| **votes == best).map(|(color, _)| color).unwrap()
    }
}

// expect: failed: `Votes::winner` ensures `the winner has votes`
#[rebut::test]
fn votes_are_counted(program: rebut::Program<Votes>) {
    program.run();
}

// Names of cards are rare in random text.
// expect: vacuous
#[rebut::test]
fn names_of_suits_are_long(name: String) {
    let suits: EnumMap<Suit, String> = EnumMap::from_fn(|suit| format!("{suit:?}"));
    if let Some((suit, _)) = suits.iter().find(|(_, known)| **known == name) {
        assert!(name.len() > suit.into_usize());
    }
}
