//! Inside of the crate.

use super::*;

// expect: passed
#[rebut::test]
fn arrays_have_the_length_of_their_capacity(items: [u16; 3]) {
  let array: [u16; 3] = Default::default();
  assert_eq!(<[u16; 3] as Array>::CAPACITY, array.len());
  let list = ArrayVec::from(items);
  assert_eq!(list.into_inner(), items);
}

// expect: failed
#[rebut::test]
fn default_arrays_differ_from_others(items: [i8; 2], more: &[i8]) -> bool {
  <[i8; 2] as Array>::default() != items || !more.is_empty()
}
