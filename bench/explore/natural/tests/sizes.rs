//! Sizes in bytes.

use bytesize::ByteSize;

// true: a plain number is parsed as it is.
#[rebut::test]
fn plain_numbers_parse(n: u64) {
    assert_eq!(n.to_string().parse::<ByteSize>(), Ok(ByteSize(n)));
}

// true: a unit multiplies, and saturates.
#[rebut::test]
fn kibibytes_are_1024_bytes(n: u32) {
    assert_eq!(format!("{n} KiB").parse::<ByteSize>(), Ok(ByteSize(u64::from(n) * 1024)));
}

// false (easy): 1100
#[rebut::test]
fn printed_sizes_parse_to_the_same(n: u32) {
    let size = ByteSize(n.into());
    assert_eq!(size.to_string().parse::<ByteSize>(), Ok(size));
}

// true: errors are values.
#[rebut::test]
fn parsing_never_panics(#[generate(max_size = 4)] text: String) {
    let _ = text.parse::<ByteSize>();
}
