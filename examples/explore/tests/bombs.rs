//! Logic bombs, each with a claim. See `explore_examples::bombs`.
//!
//! Tests with `#[ignore = "fails: .."]` have a failing input that exploring should find; the
//! others hold for all inputs, which exploring should show. Where it cannot, it has to say so.

mod arrays {
    use explore_examples::bombs::arrays::*;
    use rebut::prelude::*;

    /// Fails: field 14 jumps to 13 and on to 6. An index that depends on an index.
    #[ignore = "fails: a field with the remainder 14"]
    #[rebut::test]
    fn two_jumps_never_reach_home(field: u8) {
        assert!(!two_jumps(field));
    }

    /// Fails: from field 2, six jumps. An index that depends on the rounds of a loop.
    #[ignore = "fails: field 2, 6 jumps"]
    #[rebut::test]
    fn many_jumps_never_reach_home(start: u8, jumps: u8) {
        assert!(!jumps_home(start, jumps));
    }

    /// Fails if both cells are the same. A write to a place that depends on the input.
    #[ignore = "fails: the same cell twice"]
    #[rebut::test]
    fn first_write_is_read_back(first: u8, second: u8) {
        assert_eq!(first_of_two_writes(first, second), 1);
    }

    /// Fails for the sizes 5, 12, 19 and 26. An allocation whose size is an input.
    #[ignore = "fails: a size of 5"]
    #[rebut::test]
    fn touch_accepts_every_size(#[generate(max_value = 32)] size: usize) {
        assert!(touch(size) <= 1);
    }

    /// Fails: the third column is taken for the third row, which a low grid has not.
    #[ignore = "fails: a grid that is wider than high"]
    #[rebut::test]
    fn swapped_index_stays_in_the_grid(
        #[from(integers().in_range(1..=4))] width: usize,
        #[from(integers().in_range(1..=4))] height: usize,
        #[from(integers().max_value(width - 1))] column: usize,
        #[from(integers().max_value(height - 1))] row: usize,
    ) {
        assert_eq!(Grid::new(width, height).get_swapped(column, row), 0);
    }

    /// Holds for all of the same grids.
    #[rebut::test]
    fn index_stays_in_the_grid(
        #[from(integers().in_range(1..=4))] width: usize,
        #[from(integers().in_range(1..=4))] height: usize,
        #[from(integers().max_value(width - 1))] column: usize,
        #[from(integers().max_value(height - 1))] row: usize,
    ) {
        assert_eq!(Grid::new(width, height).get(column, row), 0);
    }

    /// Holds for all lists of up to four.
    #[rebut::test]
    fn rotations_add_up(
        #[from(vecs(rebut::any()).max_size(4))] list: Vec<u8>,
        #[generate(max_value = 4)] first: usize,
        #[generate(max_value = 4)] second: usize,
    ) {
        assert_eq!(rotated(&rotated(&list, first), second), rotated(&list, first + second));
    }
}

mod bits {
    use explore_examples::bombs::bits::*;

    /// Fails for zero.
    #[ignore = "fails: 0"]
    #[rebut::test]
    fn is_power_of_two_agrees_with_std(number: u32) {
        assert_eq!(is_power_of_two(number), number.is_power_of_two());
    }

    /// Holds for all: an identity of bits against an addition in a wider type.
    #[rebut::test]
    fn mean_equals_the_exact_mean(a: u32, b: u32) {
        assert_eq!(u64::from(mean(a, b)), (u64::from(a) + u64::from(b)) / 2);
    }

    /// Fails if the sum is too large.
    #[ignore = "fails: a sum above u32::MAX"]
    #[rebut::test]
    fn mean_by_sum_equals_the_exact_mean(a: u32, b: u32) {
        assert_eq!(u64::from(mean_by_sum(a, b)), (u64::from(a) + u64::from(b)) / 2);
    }

    /// Holds for all.
    #[rebut::test]
    fn lowest_bit_matches_trailing_zeros(number: u32) {
        let expected = if number == 0 { 0 } else { 1 << number.trailing_zeros() };
        assert_eq!(lowest_bit(number), expected);
    }

    /// Holds for all.
    #[rebut::test]
    fn from_gray_inverts_gray(number: u16) {
        assert_eq!(from_gray(gray(number)), number);
    }

    /// Holds for all: neighbors differ by one bit.
    #[rebut::test]
    fn gray_codes_of_neighbors_differ_by_one_bit(number: u16) {
        assert_eq!((gray(number) ^ gray(number.wrapping_add(1))).count_ones(), 1);
    }

    /// Fails for 256 numbers, such as 0x12345678.
    #[ignore = "fails: 0x12345678"]
    #[rebut::test]
    fn no_number_has_this_xor_with_its_rotation(number: u32) {
        assert!(!turned(number));
    }

    /// Fails for numbers with the bits 4 and 29 and three between them.
    #[ignore = "fails: bits 4 and 29 and three between"]
    #[rebut::test]
    fn no_number_has_this_profile(number: u32) {
        assert!(!profile(number));
    }

    /// Fails for 40377 alone.
    #[ignore = "fails: 40377"]
    #[rebut::test]
    fn no_number_is_mirrored_with_this_end(number: u16) {
        assert!(!mirrored(number));
    }

    /// Fails for 1_048_264 and others.
    #[ignore = "fails: 1_048_264"]
    #[rebut::test]
    fn no_large_number_ends_with_this_byte(number: i64) {
        assert!(!last_byte(number));
    }

    /// Fails for negative numbers.
    #[ignore = "fails: -1"]
    #[rebut::test]
    fn to_byte_keeps_the_number(number: i64) {
        assert!(to_byte(number).is_none_or(|byte| i64::from(byte) == number));
    }

    /// Fails for one number of 128 bits.
    #[ignore = "fails: one number"]
    #[rebut::test]
    fn no_wide_number_matches(number: u128) {
        assert!(!wide(number));
    }

    /// Fails for 14 and 2 to the power of 63, and a few others: factors, in 128 bits.
    #[ignore = "fails: 14 and 1 << 63"]
    #[rebut::test]
    fn no_product_has_these_halves(a: u64, b: u64) {
        assert!(!wide_product(a, b));
    }

    /// Holds for all.
    #[rebut::test]
    fn halves_rebuild_the_number(number: u128) {
        assert_eq!(halves(number), number);
    }
}

mod numbers {
    use explore_examples::bombs::numbers::*;

    /// Fails if the sum overflows.
    #[ignore = "fails: a sum above i32::MAX"]
    #[rebut::test]
    fn midpoint_is_between_bounds(low: i32, high: i32) {
        rebut::assume!(low <= high);
        assert!((low..=high).contains(&middle(low, high)));
    }

    /// Fails for the lowest number.
    #[ignore = "fails: i32::MIN"]
    #[rebut::test]
    fn distance_is_never_negative(number: i32) {
        assert!(distance(number) >= 0);
    }

    /// Fails for 32767 and 32769.
    #[ignore = "fails: 32767"]
    #[rebut::test]
    fn one_has_no_other_square_root(number: u16) {
        assert!(!root_of_one(number));
    }

    /// Fails for 83 and 97.
    #[ignore = "fails: 83 and 97"]
    #[rebut::test]
    fn this_number_is_prime(a: u16, b: u16) {
        assert!(!factors(a, b));
    }

    /// Fails if there is nobody, and for `i32::MIN` and -1: two failures, told apart.
    #[ignore = "fails: nobody; i32::MIN among -1"]
    #[rebut::test]
    fn share_is_at_most_the_amount(amount: i32, people: i32, guests: i32) {
        assert!(share(amount, people, guests).unsigned_abs() <= amount.unsigned_abs());
    }

    /// Fails for 100369 and others.
    #[ignore = "fails: 100369"]
    #[rebut::test]
    fn no_number_leaves_these_remainders(number: u32) {
        assert!(!remainders(number));
    }

    /// Fails if the sum is cut off.
    #[ignore = "fails: a sum above 255"]
    #[rebut::test]
    fn there_and_back_ends_at_the_start(start: u8, by: u8) {
        assert_eq!(there_and_back(start, by), start);
    }

    /// Fails: a chain of checked operations.
    #[ignore = "fails: (225 + 0) * 1 - 200, divided by 25"]
    #[rebut::test]
    fn no_chain_ends_with_one(a: u8, b: u8, c: u8, d: u8) {
        assert!(!chain(a, b, c, d));
    }

    /// Fails for 100 and other full centuries.
    #[ignore = "fails: 100"]
    #[rebut::test]
    fn is_leap_agrees_with_the_gregorian_calendar(
        #[generate(min_value = 1, max_value = 4000)] year: u16,
    ) {
        assert_eq!(is_leap(year), is_leap_gregorian(year));
    }

    /// Fails if two sides are long: a sum overflows.
    #[ignore = "fails: two sides above 127"]
    #[rebut::test]
    fn triangle_ignores_the_order_of_sides(a: u8, b: u8, c: u8) {
        assert_eq!(triangle(a, b, c), triangle(c, a, b));
    }
}

mod loops {
    use explore_examples::bombs::loops::*;
    use rebut::prelude::*;

    /// Fails for 97, which takes 118 steps.
    #[ignore = "fails: 97"]
    #[rebut::test]
    fn collatz_ends_within_117_steps(#[generate(min_value = 1, max_value = 100)] number: u32) {
        assert!(collatz(number) < 118);
    }

    /// Fails for 5, which comes round to itself again.
    #[ignore = "fails: 5"]
    #[rebut::test]
    fn five_n_plus_one_ends(#[generate(min_value = 1, max_value = 32)] number: u64) {
        assert!(five_n_plus_one(number, 40).is_some());
    }

    /// Fails for 999 alone.
    #[ignore = "fails: 999"]
    #[rebut::test]
    fn digit_sum_is_below_27(#[generate(max_value = 999)] number: u32) {
        assert!(digit_sum(number) < 27);
    }

    /// Holds for all: the sum of the digits leaves the same remainder.
    #[rebut::test]
    fn digit_sum_keeps_the_remainder_by_nine(#[generate(max_value = 999)] number: u32) {
        assert_eq!(digit_sum(number) % 9, number % 9);
    }

    /// Fails for 13.
    #[ignore = "fails: 13"]
    #[rebut::test]
    fn no_triangular_number_is_91(#[generate(max_value = 20)] number: u32) {
        assert!(triangular(number) != 91);
    }

    /// Holds for all numbers up to 15.
    #[rebut::test]
    fn common_divisor_divides_both_numbers(
        #[generate(max_value = 15)] a: u8,
        #[generate(max_value = 15)] b: u8,
    ) {
        let divisor = common_divisor(a, b);
        assert_eq!(divisor, common_divisor(b, a));
        assert!(divisor == 0 || (a.is_multiple_of(divisor) && b.is_multiple_of(divisor)));
    }

    /// Holds for all: bisection, and a multiplication to check it.
    #[rebut::test]
    fn root_is_the_largest_whose_square_fits(number: u16) {
        let root = u32::from(root(number));
        assert!(root * root <= number.into() && u32::from(number) < (root + 1) * (root + 1));
    }

    /// Fails for three up, five down, two up.
    #[ignore = "fails: three up, five down, two up"]
    #[rebut::test]
    fn no_walk_returns_to_its_start(#[from(vecs(rebut::any()).max_size(10))] steps: Vec<bool>) {
        assert!(!walk(&steps));
    }
}

mod hashes {
    use explore_examples::bombs::hashes::*;
    use rebut::prelude::*;

    /// Fails for 0018 and many others.
    #[ignore = "fails: 0018"]
    #[rebut::test]
    fn no_card_that_ends_in_8_is_valid(#[from(arrays(integers().max_value(9)))] digits: [u8; 4]) {
        assert!(!(luhn(&digits) && digits[3] == 8));
    }

    /// Holds for all: one wrong digit is noticed.
    #[rebut::test]
    fn luhn_notices_a_wrong_digit(
        #[from(arrays(integers().max_value(9)))] digits: [u8; 3],
        #[generate(max_value = 2)] place: usize,
        #[generate(max_value = 9)] digit: u8,
    ) {
        let mut wrong = digits;
        wrong[place] = digit;
        assert!(wrong == digits || !luhn(&digits) || !luhn(&wrong));
    }

    /// Fails for the bytes 1, 2, 3 and many others.
    #[ignore = "fails: [1, 2, 3]"]
    #[rebut::test]
    fn no_bytes_have_this_crc(bytes: [u8; 3]) {
        assert!(crc8(&bytes) != 72);
    }

    /// Fails for `b"rust"`.
    #[ignore = "fails: b\"rust\""]
    #[rebut::test]
    fn no_bytes_have_this_adler_sum(bytes: [u8; 4]) {
        assert!(adler(&bytes) != 0x0485_01CF);
    }

    /// Fails for `b"ru"`: a hash with multiplications.
    #[ignore = "fails: b\"ru\""]
    #[rebut::test]
    fn no_two_bytes_have_this_fnv_hash(bytes: [u8; 2]) {
        assert!(fnv(&bytes) != 0x4854_5C20);
    }

    /// Fails for `b"rust"`: four rounds of it.
    #[ignore = "fails: b\"rust\""]
    #[rebut::test]
    fn no_four_bytes_have_this_fnv_hash(bytes: [u8; 4]) {
        assert!(fnv(&bytes) != 0x1D3F_BDE7);
    }

    /// Fails: two texts of two bytes with the same hash.
    #[ignore = "fails: b\"ab\" and b\"bA\""]
    #[rebut::test]
    fn different_bytes_have_different_hashes(one: [u8; 2], other: [u8; 2]) {
        assert!(one == other || times_33(&one) != times_33(&other));
    }

    /// Fails for one state: three rounds of shifts are undone.
    #[ignore = "fails: 20060315"]
    #[rebut::test]
    fn no_state_shifts_to_this_value(state: u32) {
        assert!(xorshift(xorshift(xorshift(state))) != 0x4209_0C6F);
    }

    /// Fails for one state: three multiplications are undone.
    #[ignore = "fails: 20060315"]
    #[rebut::test]
    fn no_state_multiplies_to_this_value(state: u32) {
        assert!(congruential(congruential(congruential(state))) != 0x721E_5720);
    }

    /// Fails for the key 7, 77, 17, 71.
    #[ignore = "fails: [7, 77, 17, 71]"]
    #[rebut::test]
    fn no_key_encrypts_rust_to_these_bytes(key: [u8; 4]) {
        assert!(ciphered(*b"rust", key) != [203, 22, 36, 221]);
    }
}

mod floats {
    use explore_examples::bombs::floats::*;

    /// Fails for small fractions, very large numbers and infinity.
    #[ignore = "fails: a number that one more makes no difference to"]
    #[rebut::test]
    fn adding_and_subtracting_one_changes_nothing(number: f64) {
        rebut::assume!(number.is_finite());
        assert!(plus_and_minus_one(number) == number);
    }

    /// Fails for NaN.
    #[ignore = "fails: NaN"]
    #[rebut::test]
    fn left_side_has_only_negative_floats(x: f32) {
        assert!(side(x) != Side::Left || x < 0.0);
    }

    /// Fails for 200.5.
    #[ignore = "fails: 200.5"]
    #[rebut::test]
    fn no_float_is_halfway(number: f64) {
        assert!(!halfway(number));
    }

    /// Fails for 16777217, which has no room in 24 bits.
    #[ignore = "fails: 16777217"]
    #[rebut::test]
    fn i32_round_trips_through_f32(number: i32) {
        assert_eq!(number as f32 as i32, number);
    }

    /// Holds for all: 24 bits are enough.
    #[rebut::test]
    fn i16_round_trips_through_f32(number: i16) {
        assert_eq!(f32::from(number) as i16, number);
    }

    /// Fails for numbers such as 41: rounding.
    #[ignore = "fails: 41"]
    #[rebut::test]
    fn number_times_its_reciprocal_is_one(#[generate(min_value = 1.0, max_value = 100.0)] x: f32) {
        assert!(times_reciprocal(x) == 1.0);
    }

    /// Fails for 98.6: the factors are those of a thermometer.
    #[ignore = "fails: 98.6"]
    #[rebut::test]
    fn no_temperature_is_37_degrees(fahrenheit: f64) {
        assert!(celsius(fahrenheit) != 37.0);
    }

    /// Holds for all: two has no root among the floats.
    #[rebut::test]
    fn no_square_is_two(x: f64) {
        assert!(x * x != 2.0);
    }
}

mod control {
    use explore_examples::bombs::control::*;
    use rebut::prelude::*;

    /// Fails for square, one more, one more, square: 121. Function pointers, chosen by index.
    #[ignore = "fails: [2, 0, 0, 2]"]
    #[rebut::test]
    fn no_operations_lead_from_3_to_121(#[from(arrays(integers().max_value(3)))] list: [u8; 4]) {
        assert!(applied(3, &list) != 121);
    }

    /// Fails for Or and And. Trait objects, chosen by number.
    #[ignore = "fails: 1 and 0"]
    #[rebut::test]
    fn no_gates_distinguish_last_and_any(first: u8, second: u8) {
        assert!(!tells_last_and_any(&*gate(first), &*gate(second)));
    }

    /// Holds for all: two such gates are not enough.
    #[rebut::test]
    fn no_gates_distinguish_equal(first: u8, second: u8) {
        assert!(!tells_equal(&*gate(first), &*gate(second)));
    }

    /// Fails for 2 and 3. Recursion.
    #[ignore = "fails: 2 and 3"]
    #[rebut::test]
    fn ackermann_is_never_nine(
        #[generate(max_value = 2)] m: u32,
        #[generate(max_value = 4)] n: u32,
    ) {
        assert!(ackermann(m, n) != 9);
    }

    /// Fails for 10.
    #[ignore = "fails: 10"]
    #[rebut::test]
    fn fibonacci_is_never_55(#[generate(max_value = 12)] index: u32) {
        assert!(fibonacci(index) != 55);
    }

    /// Fails for 3, 1, 2, 0. A machine of states.
    #[ignore = "fails: [3, 1, 2, 0]"]
    #[rebut::test]
    fn lock_stays_closed(#[from(vecs(integers().max_value(3)).max_size(5))] buttons: Vec<u8>) {
        let lock = buttons.iter().fold(Lock::Closed(0), |lock, button| lock.pressed(*button));
        assert!(lock != Lock::Open);
    }

    /// Holds for all: three buttons are not enough.
    #[rebut::test]
    fn lock_stays_closed_for_three_buttons(
        #[from(vecs(rebut::any()).max_size(3))] buttons: Vec<u8>,
    ) {
        let lock = buttons.iter().fold(Lock::Closed(0), |lock, button| lock.pressed(*button));
        assert!(lock != Lock::Open);
    }

    /// The command with this number.
    fn command((code, number): (u8, i8)) -> Command {
        match code {
            0 => Command::Push(number),
            1 => Command::Add,
            2 => Command::Divide,
            _ => Command::Copy,
        }
    }

    /// Fails for a division by zero: push 0, copy, divide.
    #[ignore = "fails: push 0, copy, divide"]
    #[rebut::test]
    fn every_program_ends_in_range(
        #[from(vecs((integers().max_value(3), rebut::any())).max_size(3))] program: Vec<(u8, i8)>,
    ) {
        let program: Vec<Command> = program.into_iter().map(command).collect();
        assert!(run(&program).is_none_or(|top| (-1000..1000).contains(&top)));
    }

    /// Fails for a list of one, and for whatever stands last.
    #[ignore = "fails: the last number of a list"]
    #[rebut::test]
    fn find_agrees_with_contains(list: [i8; 3], wanted: i8) {
        let mut sorted = list;
        sorted.sort();
        assert_eq!(find(&sorted, wanted).is_some(), list.contains(&wanted));
    }

    /// Holds for all: the search of the standard library, after its sort.
    #[rebut::test]
    fn std_binary_search_agrees_with_contains(list: [i8; 3], wanted: i8) {
        let mut sorted = list;
        sorted.sort();
        assert_eq!(sorted.binary_search(&wanted).is_ok(), list.contains(&wanted));
    }

    /// Fails for 1, 70, 7, 9. Patterns over slices; the sum overflows for others.
    #[ignore = "fails: [1, 70, 7, 9]; [1, 255, 1, 9]"]
    #[rebut::test]
    fn no_list_has_these_ends(#[from(vecs(rebut::any()).max_size(5))] list: Vec<u8>) {
        assert!(!has_ends(&list));
    }

    /// Fails for 1, 3, 0, 2.
    #[ignore = "fails: [1, 3, 0, 2]"]
    #[rebut::test]
    fn four_queens_always_attack_each_other(
        #[from(arrays(integers().max_value(3)))] rows: [u8; 4],
    ) {
        assert!(!is_peaceful(&rows));
    }

    /// Holds for all: there is no such board of three.
    #[rebut::test]
    fn three_queens_always_attack_each_other(
        #[from(arrays(integers().max_value(2)))] rows: [u8; 3],
    ) {
        assert!(!is_peaceful(&rows));
    }

    /// Fails for the corners and the middle.
    #[ignore = "fails: 0b101_010_101"]
    #[rebut::test]
    fn no_presses_light_all(#[generate(max_value = 511)] presses: u16) {
        assert!(lights(presses) != 511);
    }
}

mod texts {
    use explore_examples::bombs::texts::*;
    use rebut::prelude::*;

    /// Fails for `"4711"`.
    #[ignore = "fails: \"4711\""]
    #[rebut::test]
    fn no_string_begins_with_4711(#[from(strings().max_size(5))] text: String) {
        assert!(atoi(&text) != 4711);
    }

    /// Fails for `"+7"` and `"07"`.
    #[ignore = "fails: \"+7\""]
    #[rebut::test]
    fn seven_has_one_spelling(#[from(strings().max_size(3))] text: String) {
        assert!(!spells_seven_oddly(&text));
    }

    /// Fails for `" OPEN"`.
    #[ignore = "fails: \" OPEN\""]
    #[rebut::test]
    fn cave_stays_shut(#[from(strings().max_size(6))] text: String) {
        assert!(!opens_the_cave(&text));
    }

    /// Fails for 48879.
    #[ignore = "fails: 48879"]
    #[rebut::test]
    fn no_number_is_beef_in_hexadecimal(number: u32) {
        assert!(format!("{number:x}") != "beef");
    }

    /// Holds for all: reading undoes writing.
    #[rebut::test]
    fn i16_round_trips_through_text(number: i16) {
        assert_eq!(number.to_string().parse(), Ok(number));
    }

    /// Fails for 616 and others.
    #[ignore = "fails: 616"]
    #[rebut::test]
    fn no_palindrome_is_a_multiple_of_eight(
        #[generate(min_value = 500, max_value = 999)] number: u32,
    ) {
        assert!(!is_palindrome(number) || !number.is_multiple_of(8));
    }

    /// Fails for `[0xE2, 0x82, 0xAC]`: the decoder of the standard library.
    #[ignore = "fails: [0xE2, 0x82, 0xAC]"]
    #[rebut::test]
    fn no_bytes_decode_to_a_euro_sign(bytes: [u8; 3]) {
        assert!(std::str::from_utf8(&bytes) != Ok("€"));
    }

    /// Fails for `[0xC0, 0x80]`: too long a form of a zero.
    #[ignore = "fails: [0xC0, 0x80]"]
    #[rebut::test]
    fn decoder_accepts_only_utf_8(bytes: [u8; 2]) {
        if let Some((letter, 2)) = decoded(&bytes) {
            assert_eq!(
                std::str::from_utf8(&bytes).map(str::chars).ok().and_then(|mut it| it.next()),
                Some(letter)
            );
        }
    }

    /// Holds for all: what is encoded is decoded.
    #[rebut::test]
    fn decoder_inverts_encoding(#[from(chars().max_value('\u{FFFF}'))] letter: char) {
        let mut bytes = [0; 4];
        let size = letter.encode_utf8(&mut bytes).len();
        assert_eq!(decoded(&bytes), Some((letter, size)));
    }

    /// Fails for `"([)]"`.
    #[ignore = "fails: \"([)]\""]
    #[rebut::test]
    fn counting_brackets_is_enough(
        #[from(strings().alphabet(sampled_from(['(', ')', '[', ']'])).max_size(4))] text: String,
    ) {
        assert_eq!(is_balanced_by_counting(&text), is_balanced(&text));
    }

    /// Holds for all: with one sort of brackets, counting is enough.
    #[rebut::test]
    fn counting_round_brackets_is_enough(
        #[from(strings().alphabet(sampled_from(['(', ')'])).max_size(4))] text: String,
    ) {
        assert_eq!(is_balanced_by_counting(&text), is_balanced(&text));
    }

    /// Fails for `"cafe"` and `"CAFE"`.
    #[ignore = "fails: \"cafe\""]
    #[rebut::test]
    fn no_digits_spell_cafe(#[from(strings().max_size(4))] text: String) {
        assert!(from_hex(&text) != Some(vec![0xCA, 0xFE]));
    }

    /// Fails for 42.
    #[ignore = "fails: 42"]
    #[rebut::test]
    fn no_roman_numeral_is_xlii(#[generate(max_value = 60)] number: u8) {
        assert!(roman(number) != "XLII");
    }

    /// Fails for `"a?b"` with anything between: a matcher that backtracks.
    #[ignore = "fails: a text that begins with a, ends with b, and has c between"]
    #[rebut::test]
    fn no_string_matches(#[from(vecs(rebut::any()).max_size(4))] text: Vec<u8>) {
        assert!(!matches(b"a*c?*b", &text));
    }
}
