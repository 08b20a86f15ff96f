mod inner;
#[path = "../common/mod.rs"]
mod common;

#[rebut::test]
fn outer(number: u32) {
    common::is_small(number);
}
