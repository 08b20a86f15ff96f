use rebut::prelude::*;
use rust_decimal::prelude::*;
use rust_decimal::{Error, RoundingStrategy};
use std::collections::BTreeMap;
use std::ops::Add;

/// An amount of money, with few decimal places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Generate)]
struct Amount {
    cents: i32,
    #[generate(0..=4)]
    scale: u32,
}

impl From<Amount> for Decimal {
    fn from(amount: Amount) -> Decimal {
        Decimal::new(amount.cents.into(), amount.scale)
    }
}

fn sum<T: Into<Decimal> + Copy>(list: &[T]) -> Decimal {
    list.iter().fold(Decimal::ZERO, |total, one| total + (*one).into())
}

/// Requires that two decimals are equal and are displayed in the same way.
#[track_caller]
fn assert_same(one: Decimal, other: Decimal) {
    assert_eq!(one, other);
    assert_eq!(one.to_string(), other.to_string(), "displayed");
}

// expect: passed
#[rebut::test]
fn display_then_parse(amount: Amount) -> Result<(), Error> {
    let decimal = Decimal::from(amount);
    assert_same(Decimal::from_str(&decimal.to_string())?, decimal);
    Ok(())
}

// Zeros at the end are displayed.
// expect: failed: displayed
#[rebut::test]
fn normalizing_changes_nothing(amount: Amount, _currency: &str) {
    let decimal = Decimal::from(amount);
    assert_same(decimal.normalize(), decimal);
}

// expect: failed: Addition overflowed
#[rebut::test]
fn addition_never_panics(parts: [(u32, u32, u32); 2], negative: bool) {
    let [one, other] = parts.map(|(lo, mid, hi)| Decimal::from_parts(lo, mid, hi, negative, 0));
    let _ = one.add(other);
}

// The scale of the first zero is kept.
// expect: failed: displayed
#[rebut::test]
fn checked_addition_commutes(one: (i64, u8), other: (i64, u8)) {
    let decimal = |(number, scale): (i64, u8)| Decimal::new(number, u32::from(scale % 29));
    let (one, other) = (decimal(one), decimal(other));
    match (one.checked_add(other), other.checked_add(one)) {
        (Some(sum), Some(same)) => assert_same(sum, same),
        (None, None) => {}
        different => panic!("{different:?}"),
    }
}

// Digits are lost.
// expect: failed
#[rebut::test]
fn addition_is_associative(a: Amount, b: Amount, #[from(0..=28)] scale: u32, c: i64) -> bool {
    let (a, b, c) = (Decimal::from(a), Decimal::from(b), Decimal::new(c, scale));
    (a + b) + c == a + (b + c)
}

// expect: failed
#[rebut::test]
fn division_is_undone_by_multiplication(one: Amount, other: Amount) {
    let (one, other) = (Decimal::from(one), Decimal::from(other));
    if let Some(quotient) = one.checked_div(other) {
        assert_eq!(quotient * other, one, "the quotient is {quotient}");
    }
}

// expect: failed: Division by zero
#[rebut::test]
fn shares_are_at_most_the_total(list: Vec<Amount>) {
    assume!(list.iter().all(|amount| amount.cents >= 0));
    let total = sum(&list);
    for one in &list {
        let share = Decimal::from(*one) / total;
        assert!(share <= Decimal::ONE);
    }
}

// expect: passed
#[rebut::test]
fn sums_do_not_depend_on_the_order(mut list: Vec<Amount>) {
    let before = sum(&list);
    list.sort();
    let mut after = Decimal::ZERO;
    while let Some(one) = list.pop() {
        after += Decimal::from(one);
    }
    assert_eq!(before, after);
}

// Half of a cent goes to the even neighbor.
// expect: failed
#[rebut::test]
fn rounding_goes_away_from_zero(#[from(-1000..1000)] mills: i64) {
    let decimal = Decimal::new(mills, 3);
    let expected = decimal.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
    assert_eq!(decimal.round_dp(2), expected);
}

// expect: proved: 2000
#[rebut::test]
fn rounding_is_near(#[from(-1000..1000)] mills: i64) {
    let decimal = Decimal::new(mills, 3);
    for digits in 0..3 {
        let rounded = decimal.round_dp(digits);
        assert!((rounded - decimal).abs() <= Decimal::new(5, digits + 1));
    }
}

// expect: failed
#[rebut::test]
fn floats_are_kept(number: f64) {
    let Some(decimal) = Decimal::from_f64(number) else { return };
    assert_eq!(decimal.to_f64(), Some(number));
}

// expect: failed
#[rebut::test]
fn every_text_with_digits_is_a_decimal(#[from(strings().alphabet(chars().one_of("0123456789._-+eE")).min_size(1))] text: &str) {
    if text.contains(char::is_numeric) {
        let parsed = text.parse::<Decimal>();
        assert!(parsed.is_ok(), "{text}: {parsed:?}");
    }
}

// Nothing is larger than the maximum.
// expect: vacuous
#[rebut::test]
fn large_decimals_are_positive(lo: u32, mid: u32, hi: u32, scale: Option<u8>) {
    let decimal = Decimal::from_parts(lo, mid, hi, false, scale.map_or(0, u32::from) % 29);
    if decimal > Decimal::MAX {
        assert!(decimal.is_sign_positive());
    }
}

// expect: passed
#[rebut::test]
fn serialized_bytes_are_read(number: i128, #[from(0..=28)] scale: u32) {
    let decimal = Decimal::try_from_i128_with_scale(number, scale);
    assume!(decimal.is_ok());
    let decimal = decimal.unwrap();
    assert_same(Decimal::deserialize(decimal.serialize()), decimal);
}

/// An account in several currencies.
#[derive(Debug, Clone)]
pub struct Account {
    balances: BTreeMap<char, Decimal>,
    history: Vec<Decimal>,
}

#[rebut::contract]
#[invariant(self.balances.values().all(|balance| !balance.is_sign_negative()), "no balance is negative")]
impl Account {
    pub fn open() -> Account {
        Account { balances: BTreeMap::new(), history: Vec::new() }
    }

    #[requires(cents > 0)]
    #[ensures(self.balance(currency) > old(self.balance(currency)))]
    pub fn deposit(&mut self, currency: char, cents: i64, #[requires(_0 > Decimal::ZERO)] log: &mut dyn FnMut(Decimal)) {
        let amount = Decimal::new(cents, 2);
        log(amount);
        *self.balances.entry(currency).or_default() += amount;
        self.history.push(amount);
    }

    /// Takes the amount back if the callback says no.
    #[requires(cents > 0)]
    #[ensures(result.is_ok() || self.balance(currency) == old(self.balance(currency)))]
    pub fn withdraw(&mut self, currency: char, cents: i64, confirm: impl Fn(&Account) -> bool) -> Result<(), String> {
        let amount = Decimal::new(cents, 2);
        let balance = self.balances.get_mut(&currency).ok_or("no such currency")?;
        if *balance < amount {
            return Err(format!("{amount} is too much"));
        }
        *balance -= amount;
        if !confirm(self) {
            return Err("not confirmed".to_owned());
        }
        self.history.push(-amount);
        Ok(())
    }

    #[program(skip)]
    pub fn balance(&self, currency: char) -> Decimal {
        self.balances.get(&currency).copied().unwrap_or_default()
    }

    pub fn last(&self) -> Option<&Decimal> {
        self.history.last()
    }

    #[ensures(result.iter().sum::<Decimal>() == result.iter().rev().sum::<Decimal>())]
    pub fn close(self) -> Vec<Decimal> {
        self.history.clone()
    }
}

// The amount is not given back.
// expect: failed: Account::withdraw
#[rebut::test]
fn accounts_keep_their_contract(program: rebut::Program<Account>) {
    program.run();
}
