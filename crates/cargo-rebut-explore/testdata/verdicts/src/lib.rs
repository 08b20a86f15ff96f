//! Properties of every kind, to see what `cargo rebut explore` says of them.

#[cfg(feature = "broken")]
compile_error!("with this feature nothing is built");

use std::time::{Duration, Instant};

/// Whether something takes no longer than that.
pub fn is_quick(limit: Duration, work: impl FnOnce()) -> bool {
    let begin = Instant::now();
    work();
    begin.elapsed() <= limit
}

/// The sum, by a thread.
pub fn sum(numbers: Vec<u8>) -> u32 {
    let add = move || numbers.iter().map(|&number| u32::from(number)).sum();
    std::thread::spawn(add).join().unwrap_or_default()
}

/// The larger of two numbers.
pub fn larger(a: i32, b: i32) -> i32 {
    if a < b { b } else { a }
}

/// A price with what is added to it.
pub fn price(net: u8, rates: &dyn Rates) -> u16 {
    let rate = u16::from(rates.rate());
    assert!(rate <= 100, "no rate is more than all");
    u16::from(net) + u16::from(net) * rate / 100
}

/// Somebody who knows rates.
#[cfg_attr(test, rebut::mock)]
pub trait Rates {
    /// A rate in percent.
    fn rate(&self) -> u8;
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut::prelude::*;

    #[rebut::test]
    fn holds(a: i32, b: i32) {
        assert!(larger(a, b) >= a);
    }

    #[rebut::test]
    fn fails(number: u32) {
        assert!(number.wrapping_mul(7) ^ 0x55 != 12345);
    }

    #[rebut::test]
    fn has_lists_without_end(list: Vec<bool>) {
        assert!(list.iter().filter(|flag| **flag).count() <= list.len());
    }

    #[rebut::test]
    fn says_nothing(number: u8) {
        assume!(number > 200 && number < 100);
        assert!(number > 3);
    }

    #[rebut::exists]
    fn is_found(number: u32) -> bool {
        number ^ 0x1234_5678 == 7
    }

    #[rebut::exists]
    fn is_not_there(number: u8) -> bool {
        number > 100 && number < 50
    }

    #[rebut::not_exists]
    fn is_there_after_all(number: u32) -> bool {
        number ^ 0x1234_5678 == 8
    }

    #[rebut::not_exists]
    fn is_nowhere(number: u8) -> bool {
        number > 100 && number < 50
    }

    #[rebut::test]
    #[ignore = "slow"]
    fn is_ignored(number: u8) {
        assert!(number != 77);
    }

    #[rebut::test]
    #[should_panic]
    fn is_to_panic(number: u8) {
        assert!(number > 10);
    }

    #[rebut::test]
    fn is_never_reached(_number: u8) {
        unreachable!("whatever the number");
    }

    #[rebut::test]
    fn has_what_is_never_reached(number: u8) {
        if u16::from(number) * 2 == 255 {
            unreachable!("an even number is not odd");
        }
    }

    #[rebut::test]
    fn reads_the_clock(number: u8) {
        if number > 100 {
            assert!(is_quick(Duration::from_secs(60), || ()));
        }
    }

    #[rebut::test]
    fn starts_a_thread(number: u8) {
        if number == 9 {
            assert_eq!(sum(vec![number, 1]), 10);
        }
    }

    #[rebut::test]
    fn wild_rates_are_refused(net: u8, #[from(MockRates::wild())] rates: MockRates) {
        assert!(price(net, &rates) >= u16::from(net));
    }

    #[rebut::test]
    fn friendly_rates_are_accepted(net: u8, #[from(MockRates::friendly())] rates: MockRates) {
        assert!(price(net, &rates) >= u16::from(net));
    }

    #[rebut::test]
    fn friendly_rates_do_not_hide_other_faults(
        net: u8,
        #[from(MockRates::friendly())] rates: MockRates,
    ) {
        let _ = price(net, &rates);
        assert!(net != 200);
    }
}
