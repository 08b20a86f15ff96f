//! The inputs that exploring has to find: each sets its bomb off. They are written here and not
//! beside the properties, because the literals around a property are tried by random testing.

use std::panic::{UnwindSafe, catch_unwind};

use explore_examples::bombs::{arrays, bits, control, floats, hashes, loops, numbers, texts};

/// Whether a computation panics.
fn panics<T>(compute: impl FnOnce() -> T + UnwindSafe) -> bool {
    catch_unwind(move || drop(compute())).is_err()
}

#[test]
fn the_first_things_fail() {
    assert_eq!(SOLUTION.wrapping_mul(7) ^ 0x55, 12_345);
    assert_eq!("-731".parse::<i32>(), Ok(-731));
    assert_eq!(707.to_string(), "707");
}

/// The number that solves the equation of `prototype.rs`.
const SOLUTION: u32 = 1_227_135_284;

#[test]
fn arrays_go_off() {
    assert!(arrays::two_jumps(14));
    assert!(arrays::jumps_home(2, 6));
    assert_eq!(arrays::first_of_two_writes(3, 3), 2);
    for size in [5, 12, 19, 26] {
        assert!(panics(|| arrays::touch(size)));
    }
    assert!(panics(|| arrays::Grid::new(3, 1).get_swapped(2, 0)));
}

#[test]
fn bits_go_off() {
    assert!(bits::is_power_of_two(0) && !0_u32.is_power_of_two());
    assert!(panics(|| bits::mean_by_sum(u32::MAX, 1)));
    assert!(bits::turned(0x1234_5678));
    assert!(bits::profile(1 << 4 | 1 << 29 | 0b111 << 10));
    assert!(bits::mirrored(40_377));
    assert!(bits::last_byte(1_048_264));
    assert_eq!(bits::to_byte(-1), Some(255));
    assert!(bits::wide(0x4444_4444_47FF_FFFF_FFFF_FFFF_FC44_4444));
    assert!(bits::wide_product(14, 1 << 63));
}

#[test]
fn numbers_go_off() {
    assert!(panics(|| numbers::middle(i32::MAX, i32::MAX)));
    assert!(panics(|| numbers::distance(i32::MIN)));
    assert!(numbers::root_of_one(32_767) && numbers::root_of_one(32_769));
    assert!(numbers::factors(83, 97));
    assert!(panics(|| numbers::share(1, 1, -1)));
    assert!(panics(|| numbers::share(i32::MIN, 0, -1)));
    assert!(numbers::remainders(100_369));
    assert_eq!(numbers::there_and_back(200, 100), 155);
    assert!(numbers::chain(225, 0, 1, 25));
    assert!(numbers::is_leap(100) != numbers::is_leap_gregorian(100));
    assert!(panics(|| numbers::triangle(200, 200, 1)));
}

#[test]
fn loops_go_off() {
    assert_eq!(loops::collatz(97), 118);
    assert_eq!(loops::five_n_plus_one(5, 40), None);
    assert_eq!(loops::digit_sum(999), 27);
    assert_eq!(loops::triangular(13), 91);
    let steps = [[true; 3].as_slice(), &[false; 5], &[true; 2]].concat();
    assert!(loops::walk(&steps));
}

#[test]
fn hashes_go_off() {
    assert!(hashes::luhn(&[0, 0, 1, 8]));
    assert_eq!(hashes::crc8(&[1, 2, 3]), 72);
    assert_eq!(hashes::adler(b"rust"), 0x0485_01CF);
    assert_eq!(hashes::fnv(b"ru"), 0x4854_5C20);
    assert_eq!(hashes::fnv(b"rust"), 0x1D3F_BDE7);
    assert_eq!(hashes::times_33(b"ab"), hashes::times_33(b"bA"));
    let seed = 20_060_315;
    assert_eq!(hashes::xorshift(hashes::xorshift(hashes::xorshift(seed))), 0x4209_0C6F);
    let advance = hashes::congruential;
    assert_eq!(advance(advance(advance(seed))), 0x721E_5720);
    assert_eq!(hashes::ciphered(*b"rust", [7, 77, 17, 71]), [203, 22, 36, 221]);
}

#[test]
fn floats_go_off() {
    assert!(floats::plus_and_minus_one(1e-20) == 0.0);
    assert!(panics(|| floats::side(f32::NAN)));
    assert!(floats::halfway(200.5));
    assert_eq!(16_777_217_i32 as f32 as i32, 16_777_216);
    assert!(floats::times_reciprocal(41.0) != 1.0);
    assert!(floats::celsius(98.6) == 37.0);
}

/// The two floats between which the root of two is, and the squares of which are on both sides.
#[test]
fn two_has_no_root_among_the_floats() {
    let below = 2_f64.sqrt().next_down();
    let above = [below.next_up(), below.next_up().next_up()];
    assert!(below * below < 2.0 && above.iter().all(|root| root * root > 2.0));
}

#[test]
fn control_goes_off() {
    assert_eq!(control::applied(3, &[2, 0, 0, 2]), 121);
    assert!(control::tells_last_and_any(&*control::gate(1), &*control::gate(0)));
    assert_eq!(control::ackermann(2, 3), 9);
    assert_eq!(control::fibonacci(10), 55);
    let lock = [3, 1, 2, 0].into_iter().fold(control::Lock::Closed(0), control::Lock::pressed);
    assert_eq!(lock, control::Lock::Open);
    use control::Command::{Copy, Divide, Push};
    assert!(panics(|| control::run(&[Push(0), Copy, Divide])));
    assert_eq!(control::find(&[1, 2, 3], 3), None);
    assert!(control::has_ends(&[1, 70, 7, 9]));
    assert!(panics(|| control::has_ends(&[1, 255, 1, 9])));
    assert!(control::is_peaceful(&[1, 3, 0, 2]));
    assert_eq!(control::lights(0b101_010_101), 511);
}

#[test]
fn texts_go_off() {
    assert_eq!(texts::atoi("4711"), 4711);
    assert!(texts::spells_seven_oddly("+7") && texts::spells_seven_oddly("07"));
    assert!(texts::opens_the_cave(" OPEN"));
    assert_eq!(format!("{:x}", 48_879), "beef");
    assert!(texts::is_palindrome(616) && 616 % 8 == 0);
    assert_eq!(std::str::from_utf8(&[0xE2, 0x82, 0xAC]), Ok("€"));
    assert_eq!(texts::decoded(&[0xC0, 0x80]), Some(('\0', 2)));
    assert!(texts::is_balanced_by_counting("([)]") && !texts::is_balanced("([)]"));
    assert_eq!(texts::from_hex("cafe"), Some(vec![0xCA, 0xFE]));
    assert_eq!(texts::roman(42), "XLII");
    assert!(texts::matches(b"a*c?*b", b"acxb"));
}

#[test]
fn collections_have_bugs() {
    use explore_examples::array_list::ArrayList;
    use explore_examples::enumerator::{Enumerator, Walked as _};
    use explore_examples::linked_list::LinkedList;

    let mut full = ArrayList::<true>::new(1);
    full.add(1);
    assert_eq!(full.insert(0, 2), Ok(()));
    assert_eq!(full.get(1), Ok(0));

    let mut list = ArrayList::<false>::new(1);
    list.add(1);
    let mut walk = Enumerator::new(&list);
    assert_eq!(list.drop_last::<true>(), Some(1));
    assert_eq!(walk.move_next(&list), Ok(false));

    let mut linked = LinkedList::<true>::new();
    linked.add(0);
    linked.add(1);
    assert!(linked.remove(1));
    linked.add(2);
    assert_eq!(linked.to_vec(), [0]);
}
