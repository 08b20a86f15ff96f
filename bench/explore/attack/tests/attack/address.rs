//! Addresses as numbers: their size, alignment and order.

/// The address of a value.
fn address<T>(value: &T) -> usize {
    std::ptr::from_ref(value) as usize
}

// false (easy): 1
#[rebut::test]
fn addresses_fit_into_u32(n: u32) {
    assert!(u32::try_from(address(&n)).is_ok());
}

// false (easy): 1
#[rebut::test]
fn boxes_are_in_the_lower_four_gigabytes(n: u8) {
    let boxed = Box::new(n);
    assert_eq!((address(&*boxed) as u64) >> 32, 0);
}

// false (rare): 14_106_736
#[rebut::test]
fn statics_are_below_the_stack(n: u32) {
    static HERE: u8 = 7;
    if n == 14_106_736 {
        assert!((address(&HERE) as u64) < 1 << 32 && address(&HERE) < usize::MAX);
    }
}

// false (rare): 15_811_388
#[rebut::test]
fn the_heap_is_above_the_stack(n: u32) {
    if n == 15_811_388 {
        let on_heap = Box::new(n);
        assert!(address(&*on_heap) > address(&n));
    }
}

// false (rare): 17_677_669
#[rebut::test]
fn functions_have_small_numbers(n: u32) {
    if n == 17_677_669 {
        let function: fn(&u8) -> usize = address::<u8>;
        assert!((function as usize) < 1_000_000);
    }
}

// false (rare): 18_898_223
#[rebut::test]
fn addresses_are_printed_with_few_digits(n: u32) {
    if n == 18_898_223 {
        assert!(format!("{:p}", &n).len() <= 10);
    }
}

// false (rare): 20_412_414
#[rebut::test]
fn two_words_are_eight_bytes_apart(n: u32) {
    if n == 20_412_414 {
        let words = [1_usize, 2, 3];
        assert_eq!(address(&words[2]) - address(&words[0]), 8);
    }
}

// false (rare): 21_320_071
#[rebut::test]
fn dangling_pointers_of_words_are_four(n: u32) {
    if n == 21_320_071 {
        assert_eq!(std::ptr::NonNull::<usize>::dangling().as_ptr() as usize, 4);
    }
}

// false (rare): 22_941_573
#[rebut::test]
fn references_shifted_by_32_bits_are_gone(n: u32) {
    if n == 22_941_573 {
        assert_eq!(address(&n).checked_shr(32).unwrap_or(0), 0);
    }
}

// true (open): an address is aligned as its type.
#[rebut::test]
fn addresses_are_aligned(n: u64) {
    assert_eq!(address(&n) % align_of::<u64>(), 0);
}

// true: a reference equals itself.
#[rebut::test]
fn references_are_equal_to_themselves(n: u8) {
    let (one, other) = (&n, &n);
    assert!(std::ptr::eq(one, other));
}

// true: elements of an array are next to each other.
#[rebut::test]
fn neighbors_are_next_to_each_other(pair: [u16; 2]) {
    assert_eq!(address(&pair[1]) - address(&pair[0]), 2);
}
