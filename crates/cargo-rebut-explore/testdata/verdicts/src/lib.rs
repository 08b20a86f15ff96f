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
pub fn price(net: u32, rates: &dyn Rates) -> u64 {
    let rate = u64::from(rates.rate());
    assert!(rate <= 100, "no rate is more than all");
    u64::from(net) + u64::from(net) * rate / 100
}

/// Whether a code is the special one. Random numbers hit it once in four billion cases.
pub fn is_special(code: u32) -> bool {
    code.wrapping_mul(7) ^ 0x55 == 12345
}

/// The double of a number, with a fault that a feature has.
pub fn double(number: u32) -> u32 {
    if cfg!(feature = "loud") && is_special(number) { 0 } else { number.wrapping_mul(2) }
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
    fn sorts_three_numbers(numbers: [u32; 3]) {
        let mut sorted = numbers;
        sorted.sort();
        assert!(sorted.is_sorted());
    }

    #[rebut::test]
    fn fails(number: u32) {
        assert!(!is_special(number));
    }

    #[rebut::test]
    fn doubles_unless_loud(number: u32) {
        assert_eq!(double(number), number.wrapping_mul(2));
    }

    #[rebut::test]
    fn has_two_faults(a: u32, b: u32) {
        assert!(!is_special(a), "the first");
        assert!(!is_special(b.wrapping_add(1)), "the second");
    }

    #[rebut::test]
    fn is_tried_with_all_inputs(a: u8, b: u8) {
        assert!(a.max(b) >= a);
    }

    #[rebut::test]
    fn is_refuted_by_an_ordinary_run(number: u32) {
        assert!(number < 1000);
    }

    #[rebut::test]
    fn is_rejected_in_webassembly_alone(number: u32) {
        if is_special(number) {
            assume!(cfg!(not(target_family = "wasm")));
        }
        assert!(double(number) % 2 == 0);
    }

    const LIMIT: u32 = if cfg!(target_family = "wasm") { 4_000_000_000 } else { 4_000_000_001 };

    #[rebut::test]
    fn draws_from_more_natively(#[generate(max_value = LIMIT)] number: u32) {
        assert!(number <= LIMIT);
    }

    #[rebut::test]
    fn is_refuted_natively_alone(number: u32) {
        if is_special(number) {
            // The branch must exist in both builds.
            std::hint::black_box(number);
            assert!(cfg!(target_family = "wasm"), "only natively");
        }
    }

    #[rebut::test]
    fn is_refuted_in_webassembly_alone(number: u32) {
        if is_special(number) {
            assert!(cfg!(not(target_family = "wasm")), "only in WebAssembly");
        }
    }

    #[rebut::test]
    fn assumes_an_order_of_keys(a: u32, b: u32) {
        let set: std::collections::HashSet<u32> = [a, b].into();
        assert!(set.len() <= 2);
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
    fn reads_the_clock(number: u32) {
        if number > 100 {
            assert!(is_quick(Duration::from_secs(60), || ()));
        }
    }

    #[rebut::test]
    fn starts_a_thread(number: u32) {
        if number == 9 {
            assert_eq!(sum(vec![9, 1]), 10);
        }
    }

    #[rebut::test]
    fn wild_rates_are_refused(net: u32, #[from(MockRates::wild())] rates: MockRates) {
        assert!(price(net, &rates) >= u64::from(net));
    }

    #[rebut::test]
    fn friendly_rates_are_accepted(net: u32, #[from(MockRates::friendly())] rates: MockRates) {
        assert!(price(net, &rates) >= u64::from(net));
    }

    #[rebut::test]
    fn friendly_rates_do_not_hide_other_faults(
        net: u32,
        #[from(MockRates::friendly())] rates: MockRates,
    ) {
        let _ = price(net, &rates);
        assert!(!is_special(net));
    }
}
