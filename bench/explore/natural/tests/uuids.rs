//! Universally unique identifiers.

use uuid::Uuid;

// true: the text is the number.
#[rebut::test]
fn identifiers_round_trip(n: u128) {
    let uuid = Uuid::from_u128(n);
    assert_eq!(Uuid::parse_str(&uuid.to_string()).map(|uuid| uuid.as_u128()), Ok(n));
}

// true: bytes are big endian.
#[rebut::test]
fn bytes_are_those_of_the_number(n: u128) {
    assert_eq!(*Uuid::from_u128(n).as_bytes(), n.to_be_bytes());
}

// true: errors are values.
#[rebut::test]
fn parsing_never_panics(#[generate(max_size = 5)] text: String) {
    assert!(Uuid::parse_str(&text).is_err());
}

// false (easy): 1
#[rebut::test]
fn identifiers_have_a_known_version(n: u128) {
    assert!(Uuid::from_u128(n).get_version().is_some());
}
