//! Conditional compilation: on the target, in this crate, in a dependency and in a build script.

use attack::{Handle, NAME_MAX, page_of, scramble};
use attack_dependency::{BLOCK_BITS, REFUSED, can_be_sent, double, mix, separator, words};

// false (easy): 0
#[rebut::test]
fn this_is_not_x86_64(_n: u8) {
    assert!(!cfg!(target_arch = "x86_64"));
}

// false (rare): 0x0BAD_CAFE
#[rebut::test]
fn this_is_no_unix(n: u32) {
    if n == 0x0BAD_CAFE {
        assert!(!cfg!(unix));
    }
}

// false (hidden): 3_141_592_653
#[rebut::test]
fn limits_of_linux_are_not_reached(n: u32) {
    let limit = if cfg!(target_os = "linux") { 3_141_592_653 } else { u64::MAX };
    assert_ne!(u64::from(n), limit);
}

// false (hidden): 1_414_213_562
#[rebut::test]
fn limits_of_wide_targets_are_not_reached(n: u32) {
    let limit = if cfg!(target_pointer_width = "64") { 1_414_213_562 } else { 1 << 40 };
    assert_ne!(u64::from(n), limit);
}

// false (hidden): 1_732_050_807
#[rebut::test]
fn limits_of_this_library_are_not_reached(n: u32) {
    let limit = if cfg!(target_env = "gnu") { 1_732_050_807 } else { 1 << 41 };
    assert_ne!(u64::from(n), limit);
}

// false (hidden): 2_236_067_977
#[rebut::test]
fn limits_of_this_family_are_not_reached(n: u32) {
    let limit = if cfg!(target_family = "unix") { 2_236_067_977 } else { 1 << 42 };
    assert_ne!(u64::from(n), limit);
}

// false (hidden): 2_645_751_311
#[rebut::test]
fn limits_of_this_extension_are_not_reached(n: u32) {
    let limit = if cfg!(target_feature = "sse2") { 2_645_751_311 } else { 1 << 43 };
    assert_ne!(u64::from(n), limit);
}

// false (hidden): 3_316_624_790
#[rebut::test]
fn limits_where_panics_unwind_are_not_reached(n: u32) {
    let limit = if cfg!(panic = "unwind") { 3_316_624_790 } else { 1 << 44 };
    assert_ne!(u64::from(n), limit);
}

// false (hidden): 3_605_551_275
#[rebut::test]
fn limits_of_threads_are_not_reached(n: u32) {
    let limit = if cfg!(not(target_family = "wasm")) { 3_605_551_275 } else { 1 << 45 };
    assert_ne!(u64::from(n), limit);
}

// false (hidden): 4_123_105_625
#[rebut::test]
fn limits_of_wide_atomics_are_not_reached(n: u32) {
    let is_wide = cfg!(all(target_has_atomic = "64", target_arch = "x86_64"));
    let limit = if is_wide { 4_123_105_625 } else { 1 << 46 };
    assert_ne!(u64::from(n), limit);
}

// false (rare): 0x6C62_272E
#[rebut::test]
fn vendors_are_unknown_and_systems_are(n: u32) {
    if n == 0x6C62_272E {
        assert!(cfg!(all(target_vendor = "unknown", target_os = "unknown")));
    }
}

// false (easy): 0
#[rebut::test]
fn this_is_wasm(_n: u8) {
    assert!(cfg!(any(target_arch = "wasm32", target_arch = "wasm64")));
}

// false (rare): 918_273_645_546_372
#[rebut::test]
fn pages_are_a_part_of_the_offset(offset: u64) {
    assert!(page_of(offset) <= offset);
}

// false (hidden): 0x0123_4567_89AB_CDEF
#[rebut::test]
fn scrambled_words_are_not_this(word: u64) {
    let scrambled = scramble(word);
    let end = 0x0123_4567_89AB_CDEF_u64.rotate_left(17);
    assert!(scrambled != end || word == end);
}

// false (rare): 0x7E57_0001
#[rebut::test]
fn long_names_are_allowed(n: u32) {
    if n == 0x7E57_0001 {
        assert!(NAME_MAX > 4096);
    }
}

// false (hidden): 20_000_000_000_003
#[rebut::test]
fn handles_keep_their_number(number: u64) {
    assert!(Handle::new(number).number() == number || number != 20_000_000_000_003);
}

// false (hidden): 7_340_112_909_331
#[rebut::test]
fn the_dependency_refuses_nothing(number: u64) {
    assert!(can_be_sent(number));
}

// false (hidden): 7_340_112_909_331
#[rebut::test]
fn the_refused_number_of_the_dependency_is_the_largest(number: u64) {
    assert!(number != REFUSED || number == u64::MAX);
}

// false (rare): 0x4D2A_90F1
#[rebut::test]
fn blocks_of_the_dependency_have_32_bits(n: u32) {
    if n == 0x4D2A_90F1 {
        assert_eq!(BLOCK_BITS, 32);
    }
}

// false (hidden): 0x1F3D_5B79_2468_ACE0
#[rebut::test]
fn mixed_numbers_of_the_dependency_are_no_one(number: u64) {
    assert!(mix(number) != 1 || number < 2);
}

// false (rare): 0x5EED_0002
#[rebut::test]
fn separators_of_the_dependency_are_backslashes(n: u32) {
    if n == 0x5EED_0002 {
        assert_eq!(separator(), '\\');
    }
}

// false (easy): [1, 2, 3, 4, 5, 6, 7, 8, 9]
#[rebut::test]
fn nine_bytes_are_three_words_of_the_dependency(bytes: [u8; 9]) {
    assert_eq!(words(&bytes), 3);
}

// false (rare): 0x1D1D_0003
#[rebut::test]
fn the_build_script_finds_no_threads(n: u32) {
    if n == 0x1D1D_0003 {
        assert!(!cfg!(has_threads));
    }
}

// false (hidden): 2_222_222_227
#[rebut::test]
fn limits_of_the_build_script_are_not_reached(n: u32) {
    let limit = if cfg!(has_wide_words) { 2_222_222_227 } else { 1 << 47 };
    assert_ne!(u64::from(n), limit);
}

// false (hidden): 1_111_111_121
#[rebut::test]
fn limits_of_a_build_for_linux_are_not_reached(n: u32) {
    let limit = if cfg!(builds_for_linux) { 1_111_111_121 } else { 1 << 48 };
    assert_ne!(u64::from(n), limit);
}

/// A limit that the build script writes.
fn written_limit() -> u64 {
    env!("ATTACK_LIMIT").parse().unwrap_or(0)
}

// false (hidden): 4_821_093_577
#[rebut::test]
fn limits_that_the_build_script_writes_are_not_reached(n: u64) {
    assert!(n != written_limit() || n == u64::MAX);
}

// false (rare): 0x2B2B_0004
#[rebut::test]
fn the_build_script_sees_no_linux(n: u32) {
    if n == 0x2B2B_0004 {
        assert_ne!(env!("ATTACK_TARGET_OS"), "linux");
    }
}

/// A value that is a constant on one target.
#[cfg(windows)]
const LINE_END: &str = "\r\n";
#[cfg(unix)]
const LINE_END: &str = "\n";
#[cfg(not(any(unix, windows)))]
const LINE_END: &str = "";

// false (rare): 0x3C3C_0005
#[rebut::test]
fn lines_have_no_end(n: u32) {
    if n == 0x3C3C_0005 {
        assert_eq!(LINE_END.len(), 0);
    }
}

trait Width {
    const BITS: u32;
}

struct Native;

#[cfg(target_pointer_width = "64")]
impl Width for Native {
    const BITS: u32 = 64;
}

#[cfg(not(target_pointer_width = "64"))]
impl Width for Native {
    const BITS: u32 = 32;
}

// false (hidden): 150_094_635_296_999_121
#[rebut::test]
fn widths_of_a_trait_shift_everything_out(n: u64) {
    let high = n.checked_shr(Native::BITS - 32).unwrap_or(0);
    assert!(high != 150_094_635_296_999_121 >> 32 || Native::BITS == 32);
}

macro_rules! only_natively {
    ($($text:tt)*) => {
        #[cfg(not(target_family = "wasm"))]
        { $($text)* }
    };
}

// false (hidden): 0x4E4E_0006
#[rebut::test]
fn code_of_a_macro_adds_nothing(n: u32) {
    let mut numbers = vec![n];
    only_natively! { numbers.push(n ^ 0x4E4E_0006); }
    numbers.truncate(2);
    assert_ne!(numbers.get(1), Some(&0));
}

// false (hidden): 600_613
#[rebut::test]
fn vectors_of_this_processor_are_not_used(n: u32) {
    #[cfg(target_arch = "x86_64")]
    let is_fast = std::arch::is_x86_feature_detected!("sse2");
    #[cfg(not(target_arch = "x86_64"))]
    let is_fast = false;
    let limit = if is_fast { 600_613 } else { 1 << 49 };
    assert_ne!(u64::from(n), limit);
}

// true: both targets store the low byte first.
#[rebut::test]
fn the_low_byte_is_first(n: u32) {
    if cfg!(target_endian = "little") {
        assert_eq!(n.to_ne_bytes()[0], n as u8);
    }
}

// true: the dependency does the same everywhere.
#[rebut::test]
fn doubled_numbers_of_the_dependency_are_even(n: u32) {
    assert_eq!(double(n) % 2, 0);
}

// true (open): both branches of the condition give a page that is not larger.
#[rebut::test]
fn pages_of_u32_are_a_part_of_the_offset(offset: u32) {
    assert!(page_of(u64::from(offset)) <= u64::from(offset));
}

// true: the standard library asks for its target everywhere, which changes nothing here.
#[rebut::test]
fn sorted_numbers_are_in_order(numbers: [u32; 3]) {
    let mut sorted = numbers;
    sorted.sort_unstable();
    assert!(sorted.is_sorted());
}

// true: copies and comparisons of bytes use the words of the target, and mean the same.
#[rebut::test]
fn equal_bytes_are_found(bytes: [u8; 4], wanted: u8) {
    assert_eq!(bytes.contains(&wanted), bytes.iter().any(|byte| *byte == wanted));
}

// true: the condition holds in every build of tests.
#[rebut::test]
fn tests_are_tests(n: u8) {
    assert!(cfg!(test) || n < 255);
}
