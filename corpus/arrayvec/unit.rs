//! Inside of the crate: characters are encoded into raw memory.

use super::char::encode_utf8;

// expect: passed
#[rebut::test]
fn encodes_as_core_does(c: char) {
    let mut buffer = [0_u8; 4];
    let written = unsafe { encode_utf8(c, buffer.as_mut_ptr(), 4) };
    let mut expected = [0_u8; 4];
    let expected = c.encode_utf8(&mut expected).as_bytes();
    assert_eq!(written.ok(), Some(expected.len()));
    assert_eq!(&buffer[..expected.len()], expected);
}

// Not every character takes two bytes or fewer.
// expect: failed
#[rebut::test]
fn two_bytes_are_enough(c: char, byte: u8) -> bool {
    let mut buffer = [byte; 2];
    unsafe { encode_utf8(c, buffer.as_mut_ptr(), 2) }.is_ok()
}
