extern crate bit_vec;
extern crate rebut;

use bit_vec::BitVec;
use rebut::prelude::*;
use std::ffi::{CStr, CString};

#[derive(Debug, Clone, PartialEq, Generate)]
enum Op {
    Push(bool),
    Pop,
    Set(usize, bool),
    Grow { count: u8, value: bool },
    Truncate(usize),
    Negate,
    SetAll,
}

fn bits(list: &[bool]) -> BitVec {
    list.iter().cloned().collect()
}

// expect: passed
#[rebut::test]
fn bits_agree_with_a_list(start: Vec<u8>, ops: Vec<Op>) {
    let mut bits = BitVec::from_bytes(&start);
    let of_byte =
        |byte: &u8| -> Vec<bool> { (0..8).map(|at| *byte >> (7 - at) & 1 == 1).collect() };
    let mut model: Vec<bool> = start.iter().flat_map(of_byte).collect();
    for op in ops {
        match op {
            Op::Push(value) => {
                bits.push(value);
                model.push(value);
            }
            Op::Pop => assert_eq!(bits.pop(), model.pop()),
            Op::Set(at, value) => {
                if at < model.len() {
                    bits.set(at, value);
                    model[at] = value;
                }
            }
            Op::Grow { count, value } => {
                bits.grow(count.into(), value);
                let len = model.len() + usize::from(count);
                model.resize(len, value);
            }
            Op::Truncate(len) => {
                bits.truncate(len);
                model.truncate(len);
            }
            Op::Negate => {
                bits.negate();
                model.iter_mut().for_each(|value| *value = !*value);
            }
            Op::SetAll => {
                bits.set_all();
                model.iter_mut().for_each(|value| *value = true);
            }
        }
        assert_eq!(bits.len(), model.len());
        assert_eq!(bits.all(), model.iter().all(|value| *value), "{:?}", bits);
        assert_eq!(bits.none(), model.iter().all(|value| !*value));
        assert!(bits.eq_vec(&model));
    }
}

// expect: passed
#[rebut::test]
fn bytes_round_trip(bytes: &[u8]) {
    assert_eq!(BitVec::from_bytes(bytes).to_bytes(), bytes);
}

// expect: failed
#[rebut::test]
fn functions_set_no_bit(count: u8, is_set: impl Fn(usize) -> bool) {
    let bits = BitVec::from_fn(count.into(), &is_set);
    assert!((0..usize::from(count)).all(|at| bits[at] == is_set(at)));
    assert!(!bits.any() || bits.len() < 4, "{:?}", bits);
}

// expect: failed: `at` out of bounds
#[rebut::test]
fn parts_are_joined_again(list: Vec<bool>, at: u8) {
    let mut first = bits(&list);
    let mut rest = first.split_off(at.into());
    first.append(&mut rest);
    assert!(first.eq_vec(&list));
}

// expect: passed
#[rebut::test]
fn and_works_on_bytes(one: u8, other: u8) {
    let mut bits = BitVec::from_bytes(&[one]);
    bits.and(&BitVec::from_bytes(&[other]));
    assert_eq!(bits.to_bytes(), [one & other]);
}

// expect: failed
#[rebut::test]
fn nor_is_and(one: u8, other: u8) {
    let mut bits = BitVec::from_bytes(&[one]);
    bits.nor(&BitVec::from_bytes(&[other]));
    assert_eq!(bits.to_bytes(), [one & other]);
}

// expect: passed
#[rebut::test]
fn order_is_that_of_lists(one: Vec<bool>, other: Vec<bool>) -> bool {
    bits(&one).cmp(&bits(&other)) == one.cmp(&other)
}

// expect: failed
#[rebut::test]
fn lengths_can_differ(one: Vec<bool>, other: Vec<bool>) {
    let mut union = bits(&one);
    union.union(&bits(&other));
    assert!(union.len() >= other.len());
}

// In edition 2015, `c"a"` is not a literal.
// expect: failed
#[rebut::test]
fn c_strings_begin_with_zero(one: CString, other: &CStr) {
    let mut bits = BitVec::from_bytes(one.as_bytes());
    bits.append(&mut BitVec::from_bytes(other.to_bytes()));
    assert!(one.as_bytes().is_empty() || other.to_bytes().is_empty() || !bits[0]);
}
