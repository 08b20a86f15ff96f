//! `derive(Generate)` beside the derives of other crates that read a `#[from]` of their own, before
//! fields and before variants.

use std::num::ParseIntError;

use rebut::prelude::*;

#[derive(Clone, Debug, PartialEq, Generate, thiserror::Error)]
#[error("nothing at line {line}")]
struct Missing {
    #[generate(1..=28)]
    line: u8,
}

#[derive(Debug, Generate, thiserror::Error)]
enum ReadError {
    #[error("cannot read a number")]
    Number {
        #[from]
        #[generate(value = "x".parse::<u8>().expect_err("no number"))]
        source: ParseIntError,
    },
    #[error(transparent)]
    Missing(#[from] Missing),
    #[error("too long: {0}")]
    TooLong(#[generate(100..)] usize),
}

#[derive(Clone, Debug, PartialEq, Generate, derive_more::From)]
enum Value {
    #[from]
    Day(#[generate(1..=31)] u8),
    #[from(&str, String)]
    #[generate(weight = 2)]
    Name(#[generate(["Ann", "Bob"])] String),
    #[from(skip)]
    Code(#[generate('a'..='f')] char),
}

#[derive(Clone, Debug, PartialEq, Generate, derive_more::From)]
#[from(u8, u16)]
struct Wide {
    #[generate(..1000)]
    number: u32,
}

#[rebut::test]
fn errors_of_thiserror_are_generated_and_converted(error: ReadError, missing: Missing) {
    match &error {
        ReadError::Number { source } => assert_eq!(Err(source.clone()), "?".parse::<u8>()),
        ReadError::Missing(missing) => assert!((1..=28).contains(&missing.line)),
        ReadError::TooLong(length) => assert!(*length >= 100),
    }
    let converted = ReadError::from(missing.clone());
    assert!(matches!(converted, ReadError::Missing(inner) if inner == missing));
}

#[rebut::test]
fn enums_of_derive_more_are_generated_and_converted(value: Value, wide: Wide, n: u16) {
    match &value {
        Value::Day(day) => assert_eq!(Value::from(*day), value),
        Value::Name(name) => assert_eq!(Value::from(name.as_str()), value),
        Value::Code(code) => assert!(code.is_ascii_hexdigit()),
    }
    assert!(wide.number < 1000);
    assert_eq!(Wide::from(n), Wide { number: u32::from(n) });
}
