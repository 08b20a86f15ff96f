//! The width of `usize` and `isize`: arithmetic, conversions, bits and text.

use std::num::{NonZeroIsize, NonZeroUsize, Wrapping};
use std::ops::ControlFlow;
use std::time::Duration;

// false (easy): 0
#[rebut::test]
fn words_have_four_bytes(_n: u8) {
    assert_eq!(size_of::<usize>(), 4);
}

// false (easy): 0
#[rebut::test]
fn words_have_thirty_two_bits(_n: u8) {
    assert_eq!(usize::BITS, 32);
}

// false (hidden): 0xDEAD_BEEF_0000_0001
#[rebut::test]
fn the_upper_half_of_a_word_is_never_this(n: u64) {
    assert_ne!((n as usize as u64) >> 32, 0xDEAD_BEEF);
}

// false (hidden): 12_345_678_901_234
#[rebut::test]
fn no_offset_is_twelve_trillion(n: u64) {
    assert_ne!(n as usize as u64, 12_345_678_901_234);
}

// false (easy): 1 << 40
#[rebut::test]
fn offsets_are_below_two_to_the_forty(offset: usize) {
    assert!((offset as u64) < 1 << 40);
}

// false (easy): 5_000_000_000
#[rebut::test]
fn only_small_numbers_convert(n: u64) {
    assert_eq!(usize::try_from(n).is_ok(), n <= u64::from(u32::MAX));
}

// false (rare): 6_700_417_000_000
#[rebut::test]
fn this_large_number_does_not_convert(n: u64) {
    if n == 6_700_417_000_000 {
        assert!(usize::try_from(n).is_err());
    }
}

// false (easy): 3_000_000_000
#[rebut::test]
fn only_small_numbers_convert_to_signed_words(n: u32) {
    assert_eq!(isize::try_from(n).is_ok(), n < 1 << 31);
}

// false (easy): 0
#[rebut::test]
fn the_largest_word_is_that_of_u32(_n: u8) {
    assert_eq!(usize::MAX as u64, u64::from(u32::MAX));
}

// false (rare): 271_828_182
#[rebut::test]
fn sums_at_the_limit_of_32_bits_wrap(n: usize) {
    if n == 271_828_182 {
        assert!(n.checked_add(4_294_967_295_u32 as usize).is_none());
    }
}

// false (hidden): 5_123_456_789
#[rebut::test]
fn saturated_sums_stay_below(n: u64) {
    let sum = (n as usize).saturating_add(1);
    assert_ne!(sum as u64, 5_123_456_790);
}

// false (easy): 1
#[rebut::test]
fn small_words_have_at_most_32_leading_zeros(n: usize) {
    assert!(n.leading_zeros() <= 32);
}

// false (rare): 0x0001_8000
#[rebut::test]
fn this_word_has_fifteen_leading_zeros(n: u32) {
    if n == 0x0001_8000 {
        assert_eq!((n as usize).leading_zeros(), 15);
    }
}

// false (easy): 0
#[rebut::test]
fn no_word_has_thirty_two_zeros_behind_its_last_bit_or_more(n: usize) {
    assert!(n.trailing_zeros() <= 32);
}

// false (rare): 0xABCD_0000_0000_0000
#[rebut::test]
fn words_of_this_number_are_zero(n: u64) {
    if n == 0xABCD_0000_0000_0000 {
        assert_eq!(n as usize, 0);
    }
}

// false (hidden): 0x9999_0000_0000_0007
#[rebut::test]
fn swapped_bytes_never_end_in_9999(n: u64) {
    let swapped = (n as usize).swap_bytes() as u64;
    assert!(n & 0xFFFF_FFFF != 7 || swapped & 0xFFFF != 0x9999);
}

// false (easy): 1
#[rebut::test]
fn words_are_four_bytes_in_memory(n: usize) {
    assert_eq!(n.to_ne_bytes().len(), 4);
}

// false (easy): 0
#[rebut::test]
fn shifts_by_forty_are_refused(n: usize) {
    assert_eq!(n.checked_shl(40), None);
}

// false (hidden): 0x5A5A_7777
#[rebut::test]
fn wrapped_shifts_by_forty_keep_low_bits(n: u32) {
    let shifted = (n as usize).wrapping_shl(40) as u64;
    assert_ne!(shifted, 0x5A5A_7777_u64 << 40);
}

// false (hidden): 0x1357_9BDF
#[rebut::test]
fn rotations_are_those_of_32_bits(n: u32) {
    let rotated = (n as usize).rotate_left(16) as u64;
    assert_ne!(rotated, 0x1357_9BDF_u64 << 16);
}

// false (easy): 70_000
#[rebut::test]
fn squares_of_large_words_overflow(n: u32) {
    let n = n as usize;
    assert_eq!(n.checked_mul(n).is_none(), n > 65_535);
}

// false (hidden): 123_457, 654_323
#[rebut::test]
fn no_product_is_this(a: u32, b: u32) {
    let product = (a as usize).wrapping_mul(b as usize);
    assert_ne!(product as u64, 80_780_754_611);
}

// false (rare): 31_337
#[rebut::test]
fn the_square_of_31337_to_the_fourth_overflows(n: u32) {
    if n == 31_337 {
        assert!((n as usize).checked_pow(4).is_none());
    }
}

// false (rare): 4_444_444_445
#[rebut::test]
fn this_many_gigabytes_are_fewer(count: u64) {
    if count == 4_444_444_445 {
        assert!(attack::gigabytes(count) < 1 << 31);
    }
}

// false (hidden): 40
#[rebut::test]
fn gigabytes_fit_into_u32(count: u64) {
    assert_ne!(attack::gigabytes(count) as u64, 40 << 30);
}

// false (easy): 0
#[rebut::test]
fn signed_words_start_at_minus_two_billion(_n: u8) {
    assert_eq!(isize::MIN as i64, i64::from(i32::MIN));
}

// false (hidden): 0x8765_4321
#[rebut::test]
fn signed_words_of_u32_are_negative_where_the_sign_is_set(n: u32) {
    let word = n as isize as i64;
    assert_ne!(word, 0x8765_4321);
}

// false (rare): -5_000_000_000
#[rebut::test]
fn this_negative_number_is_positive(n: i64) {
    if n == -5_000_000_000 {
        assert!(n as isize as i64 > -4_000_000_000);
    }
}

// false (rare): 8_589_934_592
#[rebut::test]
fn two_to_the_33_is_no_nonzero_word(n: u64) {
    if n == 8_589_934_592 {
        assert!(NonZeroUsize::new(n as usize).is_none());
    }
}

// false (rare): 25_769_803_776
#[rebut::test]
fn six_times_two_to_the_32_is_no_signed_nonzero_word(n: i64) {
    if n == 25_769_803_776 {
        assert!(NonZeroIsize::new(n as isize).is_none());
    }
}

// false (easy): 0
#[rebut::test]
fn nonzero_words_have_32_bits(n: u8) {
    assert_eq!(NonZeroUsize::MIN.leading_zeros(), 31, "{n}");
}

// false (rare): 7_654_321
#[rebut::test]
fn texts_of_words_have_at_most_ten_digits(n: u32) {
    if n == 7_654_321 {
        assert!(usize::MAX.to_string().len() <= 10);
    }
}

// false (rare): 9
#[rebut::test]
fn ten_digits_do_not_always_parse(digit: u64) {
    if digit == 9 {
        assert!("9999999999".parse::<usize>().is_err());
    }
}

// false (easy): 0
#[rebut::test]
fn hexadecimal_words_have_eight_digits(n: u8) {
    assert_eq!(format!("{:x}", !usize::from(n)).len(), 8);
}

// false (rare): 86_400_007
#[rebut::test]
fn this_many_seconds_are_too_many_milliseconds(seconds: u32) {
    if seconds == 86_400_007 {
        let milliseconds = Duration::from_secs(seconds.into()).as_millis();
        assert!(usize::try_from(milliseconds).is_err());
    }
}

// false (easy): 10
#[rebut::test]
fn nanoseconds_fit_a_word_only_below_five_seconds(seconds: u16) {
    let fits = usize::try_from(Duration::from_secs(seconds.into()).as_nanos()).is_ok();
    assert_eq!(fits, seconds < 5);
}

// false (hidden): 4_294_967_296 + 77
#[rebut::test]
fn wrapped_words_are_those_of_u32(n: u64) {
    let word = Wrapping(n as usize) + Wrapping(1);
    assert!(n >> 32 != 1 || word.0 as u64 != (1 << 32) + 78);
}

// false (rare): 1_073_741_831
#[rebut::test]
fn four_times_this_wraps_to_28(n: u32) {
    if n == 1_073_741_831 {
        assert_eq!((n as usize).wrapping_mul(4), 28);
    }
}

// false (easy): 2
#[rebut::test]
fn overflow_panics_where_it_does_in_32_bits(n: u32) {
    let product = (n as usize).overflowing_mul(1 << 31);
    assert_eq!(product.1, n >= 2);
}

// false (rare): 35_184_372_088_833
#[rebut::test]
fn ends_of_ranges_are_near(n: u64) {
    let range = 0..n as usize;
    if n == 35_184_372_088_833 {
        assert!((range.len() as u64) < 1 << 32);
    }
}

// false (hidden): 15_000_000_001
#[rebut::test]
fn hints_of_steps_are_small(n: u64) {
    let (least, _) = (0..n as usize).step_by(3).size_hint();
    assert_ne!(least as u64, 5_000_000_001);
}

// false (rare): 17_179_869_184
#[rebut::test]
fn an_iterator_over_u64_has_no_exact_hint(n: u64) {
    if n == 17_179_869_184 {
        assert_eq!((0..n).size_hint().1, None);
    }
}

// false (rare): 3_000_000_019
#[rebut::test]
fn skipping_twice_this_leaves_something(n: u32) {
    if n == 3_000_000_019 {
        let skipped = (n as usize).wrapping_mul(2);
        let rest = (0..5_000_000_000_u64).skip(skipped).try_for_each(ControlFlow::Break);
        assert!(rest.is_break());
    }
}

// false (easy): 1_000_000_000_000
#[rebut::test]
fn floats_saturate_at_four_billion(n: u64) {
    let word = n as f64 as usize;
    assert!(word as u64 <= u64::from(u32::MAX));
}

// false (hidden): 0x1_0000_0041
#[rebut::test]
fn indices_from_numbers_stay_in_the_alphabet(n: u64) {
    let alphabet = ['a'; 70];
    let letter = if n >> 32 == 1 { alphabet.get(n as usize) } else { Some(&'a') };
    assert!(letter.is_some() || n & 0xFFFF_FFFF != 0x41);
}

// false (easy): usize::MAX
#[rebut::test]
fn averages_of_words_fit_into_u32(n: usize) {
    assert!(u32::try_from(n).is_ok());
}

// false (hidden): 64_000_000_000_063
#[rebut::test]
fn blocks_of_sixty_four_are_few(bits: u64) {
    assert_ne!((bits as usize).div_ceil(64) as u64, 1_000_000_000_001);
}

// false (rare): 13_000_000_000_000
#[rebut::test]
fn next_powers_of_two_stay_small(n: u64) {
    if n == 13_000_000_000_000 {
        assert!((n as usize).next_power_of_two() as u64 <= 1 << 32);
    }
}

// false (rare): 999_999_999_989
#[rebut::test]
fn logarithms_of_words_are_at_most_nine(n: u64) {
    if n == 999_999_999_989 {
        assert!((n as usize).ilog10() <= 9);
    }
}

// true: what fits into 16 bits fits everywhere.
#[rebut::test]
fn short_numbers_convert_to_words_and_back(n: u16) {
    assert_eq!(u16::try_from(usize::from(n)), Ok(n));
}

// true: an index below a length is a valid one.
#[rebut::test]
fn indices_below_the_length_are_valid(at: usize) {
    let list = [3_u8, 1, 4, 1, 5];
    assert_eq!(list.get(at).is_some(), at < 5);
}

// true: wrapping sums commute in every width.
#[rebut::test]
fn wrapped_sums_of_words_commute(a: usize, b: usize) {
    assert_eq!(a.wrapping_add(b), b.wrapping_add(a));
}

// true: addition of a nonzero number that does not overflow is larger.
#[rebut::test]
fn checked_sums_are_larger(a: usize, b: usize) {
    if let Some(sum) = a.checked_add(b) {
        assert!(sum >= a && sum >= b);
    }
}

// true: the low 32 bits are the same in both widths.
#[rebut::test]
fn low_halves_of_words_are_those_of_the_number(n: u64) {
    assert_eq!(n as usize as u32, n as u32);
}

// true: a product of two bytes fits into 32 bits.
#[rebut::test]
fn areas_of_small_grids_do_not_overflow(width: u8, height: u8) {
    let area = usize::from(width) * usize::from(height);
    assert!(area <= 65_025);
}

// true: a bit and its complement are all.
#[rebut::test]
fn complements_have_the_other_bits(n: usize) {
    assert_eq!(n.count_ones() + n.count_zeros(), usize::BITS);
}

// true: the middle of two small numbers is between them.
#[rebut::test]
fn middles_are_between(low: u16, high: u16) {
    let (low, high) = (usize::from(low.min(high)), usize::from(low.max(high)));
    let middle = low + (high - low) / 2;
    assert!(low <= middle && middle <= high);
}

// true: saturating subtraction never exceeds its left side.
#[rebut::test]
fn saturated_differences_are_not_larger(a: usize, b: usize) {
    assert!(a.saturating_sub(b) <= a);
}
