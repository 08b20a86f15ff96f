use crate::*;
use rebut::prelude::*;

// A version in use is odd.
// expect: failed: right: 2
#[rebut::test]
fn versions_are_kept(index: u32, #[from(1..)] version: u32) {
    let key = KeyData::new(index, version);
    assert_eq!(key.version.get() & 1, 1);
    assert_eq!(key.idx, index);
    assert_eq!(key.version.get(), version);
}

// A key has a version.
// expect: failed: version > 0
#[rebut::test]
fn foreign_keys_round_trip(index: u32, version: u32) {
    let key = KeyData::new(index, version);
    assert_eq!(KeyData::from_ffi(key.as_ffi()), key);
    assert_eq!(key.as_ffi() as u32, index);
}

// Versions wrap around.
// expect: failed: one < other
#[rebut::test]
fn older_versions_are_smaller(one: u32, other: u32) {
    assume!(one != other);
    if crate::util::is_older_version(one, other) {
        assert!(one < other);
    }
}
