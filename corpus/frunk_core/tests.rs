use frunk_core::{Coprod, HList, hlist, hlist_pat};
use rebut::prelude::*;
use std::fmt::Debug;

type Row = HList![u8, String, Option<bool>];

#[derive(Debug, Clone, PartialEq, Generate)]
struct Chain<A, B = char> {
    head: A,
    marks: Vec<B>,
    rest: Option<Box<Chain<A, B>>>,
}

impl<A, B> Chain<A, B> {
    fn depth(&self) -> usize {
        1 + self.rest.as_deref().map_or(0, Chain::depth)
    }
}

fn same<T: PartialEq + Debug>(one: T, other: T) {
    assert_eq!(one, other, "not the same");
}

// expect: passed
#[rebut::test]
fn reversing_twice_changes_nothing(a: u8, b: String, c: Option<bool>) {
    let row: Row = hlist![a, b, c];
    same(row.clone().into_reverse().into_reverse(), row);
}

// expect: failed: not the same
#[rebut::test]
fn reversing_once_changes_nothing(a: u8, b: (u8, bool), c: u8) {
    let row = hlist![a, b.0, c];
    same(row.clone().into_reverse(), row);
}

// expect: failed: has three bytes
#[rebut::test]
fn plucking_leaves_short_texts(a: i8, b: char, c: &str) {
    let (plucked, rest): (char, _) = hlist![a, b, c].pluck();
    let hlist_pat![first, text] = rest;
    assert!(plucked == b && first == a);
    assert!(text.len() < 3 || b.is_ascii(), "{text} has three bytes");
}

// expect: failed: text.len() < 4
#[rebut::test]
fn coproducts_keep_their_value(number: u8, text: Result<String, bool>) {
    type Value = Coprod!(u8, String, bool);
    let value: Value = match text.clone() {
        Ok(text) if number % 2 == 0 => Value::inject(text),
        Ok(_) => Value::inject(number),
        Err(flag) => Value::inject(flag),
    };
    if let Some(kept) = value.get::<String, _>() {
        assert_eq!(Ok(kept), text.as_ref());
        let text = kept;
        assert!(text.len() < 4);
    }
    if let Ok(flag) = value.uninject::<bool, _>() {
        assert_eq!(Err(flag), text);
    }
}

// expect: failed
#[rebut::test]
fn folding_keeps_the_sign(n: u16, m: i32, x: Option<f64>) {
    let sum = hlist![n, m, x].foldl(
        hlist![
            |sum: i64, n: u16| sum + i64::from(n),
            |sum: i64, m: i32| sum + i64::from(m),
            |sum: i64, x: Option<f64>| if x.is_some_and(f64::is_nan) { -1 } else { sum }
        ],
        0_i64,
    );
    assert!(sum >= 0 || m < 0);
}

// expect: failed
#[rebut::test]
fn long_chains_have_no_marks(chain: Chain<i16>) {
    let row = hlist![chain.depth(), chain.head];
    assert!(row.head < 3 || row.tail.head < 10 || chain.marks.is_empty());
}

// expect: failed: < 500
#[rebut::test]
fn zipped_numbers_are_small(a: (u8, i8), b: (u8, i8)) {
    let hlist_pat![(x, y), (v, w)] = hlist![a.0, a.1].zip(hlist![b.0, b.1]);
    assert_eq!((x, y, v, w), (a.0, b.0, a.1, b.1));
    assert!(u16::from(x) + u16::from(y) < 500);
}

// expect: failed
#[rebut::test]
fn mapping_makes_nothing_larger(n: u8, f: fn(u8) -> Option<u8>, flag: bool) {
    let hlist_pat![x, y] = hlist![n, flag].map(hlist![|n| f(n), |flag: bool| !flag]);
    assert_eq!(y, !flag);
    assert!(x.is_none_or(|x| x <= n), "{x:?} > {n}");
}

// expect: failed: attempt to calculate the remainder with a divisor of zero
#[rebut::test]
fn remainders_are_smaller(a: i32, b: i32) {
    let hlist_pat![x, _y] = hlist![a % b, b];
    assert!(x <= a.max(0));
}
