//! Functions as parameters.

use rebut::Function;

#[rebut::test]
fn function(function: Function<u8, u8>, number: u8) {
    assert_eq!(function.call(number), function.call(0));
}

#[rebut::test]
fn boxed(function: Box<dyn Fn(u8) -> u8>, number: u8) {
    assert_eq!(function(number), function(0));
}

#[rebut::test]
fn pointer(function: fn(u8) -> u8, number: u8) {
    assert_eq!(function(number), function(0));
}

#[rebut::test]
fn opaque(function: impl Fn(u8, bool) -> u8, number: u8) {
    assert_eq!(function(number, true), function(0, false));
}

#[rebut::test]
fn borrowed(function: &dyn Fn(u8) -> u8, number: u8) {
    assert_eq!(function(number), function(0));
}

#[rebut::test]
fn changing(function: &mut dyn FnMut(u8) -> bool, list: Vec<u8>) {
    assert!(list.into_iter().filter(|&n| function(n)).count() < 2);
}

#[derive(rebut::Generate)]
struct Rule {
    limit: u8,
    check: Box<dyn Fn(u8) -> bool>,
}

#[rebut::test]
fn fields(rule: Rule) {
    assert!(!(rule.check)(rule.limit));
}
