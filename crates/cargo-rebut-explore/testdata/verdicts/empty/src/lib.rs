//! A crate that could have properties and has none.

#[test]
fn is_no_property() {}
