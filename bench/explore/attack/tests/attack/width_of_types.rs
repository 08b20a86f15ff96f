//! What follows from the width of pointers: sizes, layouts, alignments and limits of capacity.

use std::alloc::Layout;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use attack::Record;

// false (easy): 0
#[rebut::test]
fn references_have_four_bytes(_n: u8) {
    assert_eq!(size_of::<&u8>(), 4);
}

// false (easy): 0
#[rebut::test]
fn slices_have_eight_bytes(_n: u8) {
    assert_eq!(size_of::<&[u8]>(), 8);
}

// false (rare): 31_415_926
#[rebut::test]
fn strings_have_twelve_bytes(n: u32) {
    if n == 31_415_926 {
        assert_eq!(size_of::<String>(), 12);
    }
}

// false (hidden): 2_718_281_852
#[rebut::test]
fn sums_with_the_size_of_a_list_differ(n: u32) {
    assert_ne!(u64::from(n) + size_of::<Vec<u8>>() as u64, 2_718_281_876);
}

// false (hidden): 1_618_033
#[rebut::test]
fn records_take_twelve_bytes_each(count: u32) {
    let bytes = u64::from(count) * size_of::<Record>() as u64;
    assert_ne!(bytes, 1_618_033 * 24);
}

// false (easy): 0
#[rebut::test]
fn records_are_aligned_to_four(_n: u8) {
    assert_eq!(align_of::<Record>(), 4);
}

// false (rare): 0xFACE_B00C
#[rebut::test]
fn boxes_of_traits_have_eight_bytes(n: u32) {
    if n == 0xFACE_B00C {
        assert_eq!(size_of::<Box<dyn Fn()>>(), 8);
    }
}

// false (easy): 3
#[rebut::test]
fn optional_boxes_have_four_bytes(_n: u8) {
    assert_eq!(size_of::<Option<Box<u64>>>(), 4);
}

// false (rare): 505_050_505
#[rebut::test]
fn results_of_words_have_eight_bytes(n: u32) {
    if n == 505_050_505 {
        assert_eq!(size_of::<Result<usize, u8>>(), 8);
    }
}

// false (rare): 606_060_607
#[rebut::test]
fn the_fields_of_records_are_near(n: u32) {
    if n == 606_060_607 {
        assert_eq!(std::mem::offset_of!(Record, flag), 8);
    }
}

// false (rare): 707_070_701
#[rebut::test]
fn arrays_of_words_are_small(n: u32) {
    if n == 707_070_701 {
        assert_eq!(size_of_val(&[0_usize; 9]), 36);
    }
}

// false (rare): 3_221_225_477
#[rebut::test]
fn three_gigabytes_have_no_layout(size: u64) {
    if size == 3_221_225_477 {
        assert!(Layout::from_size_align(size as usize, 1).is_err());
    }
}

// false (easy): 600_000_000
#[rebut::test]
fn large_arrays_of_u64_have_no_layout(count: u32) {
    let layout = Layout::array::<u64>(count as usize);
    assert_eq!(layout.is_ok(), count < 1 << 28);
}

// false (hidden): 909_090_901
#[rebut::test]
fn layouts_of_words_are_those_of_u32(count: u32) {
    let size = Layout::array::<usize>((count >> 4) as usize).map_or(0, |layout| layout.size());
    assert_ne!(size as u64, (909_090_901 >> 4) * 8);
}

// false (rare): 811_811_811
#[rebut::test]
fn reserving_three_gigabytes_is_a_capacity_overflow(n: u32) {
    if n == 811_811_811 {
        let mut list: Vec<u8> = Vec::new();
        assert!(list.try_reserve_exact(3_000_000_000).is_err());
    }
}

// false (rare): 1_234_321
#[rebut::test]
fn lists_of_nothing_are_short(n: u32) {
    if n == 1_234_321 {
        assert!(Vec::<()>::new().capacity() as u64 <= u64::from(u32::MAX));
    }
}

// false (easy): 1
#[rebut::test]
fn capacities_of_nothing_have_32_bits(_n: u8) {
    assert_eq!(vec![(); 3].capacity() as u64, u64::from(u32::MAX));
}

// false (hidden): 4_999_999_999
#[rebut::test]
fn lists_of_nothing_end_where_u32_does(n: u64) {
    let list = [(); usize::MAX];
    let rest = list.len().wrapping_sub(n as usize) as u64;
    assert_ne!(rest, u64::MAX - 4_999_999_999);
}

// false (easy): 9
#[rebut::test]
fn repeated_texts_end_at_four_gigabytes(n: u8) {
    let end = "ab".len().checked_mul(1 << 31);
    assert!(end.is_none(), "{n}");
}

// false (rare): 24_681_357
#[rebut::test]
fn shared_pointers_have_four_bytes(n: u32) {
    if n == 24_681_357 {
        assert_eq!(size_of::<Rc<u8>>() + size_of::<BTreeMap<u8, u8>>(), 16);
    }
}

// false (rare): 13_572_468
#[rebut::test]
fn queues_have_sixteen_bytes(n: u32) {
    if n == 13_572_468 {
        assert_eq!(size_of::<VecDeque<u8>>(), 16);
    }
}

// false (easy): 0
#[rebut::test]
fn functions_have_four_bytes(_n: u8) {
    assert_eq!(size_of::<fn(u8) -> u8>(), 4);
}

// false (rare): 42_424_241
#[rebut::test]
fn shared_headers_pad_to_sixteen_bytes(n: u32) {
    if n == 42_424_241 {
        let (_, offset) = Layout::new::<[usize; 2]>()
            .extend(Layout::new::<u8>())
            .unwrap_or((Layout::new::<u8>(), 0));
        assert_eq!(offset, 8);
    }
}

// false (rare): 19_191_919
#[rebut::test]
fn bit_sets_have_thirty_two_bits_a_word(n: u32) {
    if n == 19_191_919 {
        let words = 100_usize.div_ceil(usize::BITS as usize);
        assert_eq!(words, 4);
    }
}

// false (hidden): 77_007_700
#[rebut::test]
fn bit_positions_use_five_bits(n: u32) {
    let (word, bit) = (n as usize / usize::BITS as usize, n % usize::BITS);
    assert_ne!((word, bit), (77_007_700 / 64, 77_007_700 % 64));
}

// true: these types have the same size everywhere.
#[rebut::test]
fn fixed_types_have_fixed_sizes(n: u32) {
    assert_eq!(size_of_val(&n) + size_of::<u64>() + size_of::<char>() + size_of::<bool>(), 17);
}

// true: an array of bytes has as many bytes.
#[rebut::test]
fn byte_arrays_have_their_length(bytes: [u8; 7]) {
    assert_eq!(size_of_val(&bytes), bytes.len());
}

// true: a layout of small arrays of u16 exists everywhere.
#[rebut::test]
fn small_layouts_exist(count: u16) {
    let layout = Layout::array::<u16>(usize::from(count));
    assert_eq!(layout.map(|layout| layout.size()), Ok(usize::from(count) * 2));
}

// true: a pointer in a box takes as much as the box.
#[rebut::test]
fn optional_boxes_are_as_large_as_boxes(_n: u8) {
    assert_eq!(size_of::<Option<Box<u64>>>(), size_of::<Box<u64>>());
}

// true: a list has what was pushed.
#[rebut::test]
fn lists_keep_what_is_pushed(a: u64, b: u64) {
    let mut list = Vec::with_capacity(1);
    list.push(a);
    list.push(b);
    assert!(list.capacity() >= 2 && list == [a, b]);
}
