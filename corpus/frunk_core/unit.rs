//! Inside of the crate, which has no standard library.

extern crate std;

use crate::hlist::*;
use rebut::prelude::*;
use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

#[derive(Debug, Clone, PartialEq, Generate)]
enum Expr {
    Number(u8),
    Minus(Box<Expr>),
}

// expect: failed
#[rebut::test]
fn popping_gives_short_texts(head: u8, texts: Vec<String>) {
    let (popped, rest) = h_cons(head, h_cons(texts.clone(), HNil)).pop();
    assert_eq!(popped, head);
    assert_eq!(rest.head, texts);
    assert!(rest.head.iter().all(|text| text.len() < 5) || popped > 3);
}

// expect: proved: 512
#[rebut::test]
fn lists_have_a_length(a: bool, b: u8) {
    assert_eq!(h_cons(a, h_cons(b, HNil)).len(), 2);
}

// expect: passed
#[rebut::test]
fn lists_are_ordered_as_tuples(a: (u8, u8), b: (u8, u8)) {
    let (x, y) = (h_cons(a.0, h_cons(a.1, HNil)), h_cons(b.0, h_cons(b.1, HNil)));
    assert_eq!(x.cmp(&y), a.cmp(&b));
}

// expect: failed
#[rebut::test]
fn expressions_are_numbers(expr: Expr, more: Option<Box<str>>) {
    let list = h_cons(expr, h_cons(more, HNil));
    assert!(matches!(list.head, Expr::Number(_)) || list.tail.head.is_none());
}
