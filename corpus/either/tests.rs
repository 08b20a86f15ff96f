//! One of two values.

use either::{for_both, Either, Left, Right};
use rebut::Generator;
use std::io::Read;

fn either<L, R>(value: Result<L, R>) -> Either<L, R> {
    match value {
        Ok(left) => Left(left),
        Err(right) => Right(right),
    }
}

// expect: passed
#[rebut::test]
fn flipping_twice_changes_nothing(value: Result<String, Vec<i64>>) {
    let either = either(value);
    assert_eq!(either.clone().flip().flip(), either);
}

// expect: passed
#[rebut::test]
fn is_a_result_in_disguise(value: Result<char, Option<u8>>) -> bool {
    let either: Either<Option<u8>, char> = value.into();
    Result::from(either) == value && either.is_right() == value.is_ok()
}

// expect: passed
#[rebut::test]
fn mapping_a_side_leaves_the_other(value: Result<u8, i16>, change: impl Fn(u8) -> bool) {
    let mapped = either(value).map_left(&change);
    match value {
        Ok(left) => assert_eq!(mapped, Left(change(left))),
        Err(right) => assert_eq!(mapped, Right(right)),
    }
}

// A side is never less than the other by its value.
// expect: failed
#[rebut::test]
fn order_is_that_of_the_values(one: Result<u8, u8>, other: Result<u8, u8>) {
    let (a, b) = (either(one), either(other));
    let (x, y) = (a.into_inner(), b.into_inner());
    assert_eq!(a.cmp(&b), x.cmp(&y), "{x} and {y}");
}

// expect: failed: called `Either::unwrap_left()` on a `Right` value
#[rebut::test]
fn left_or_right_is_left(values: Vec<Result<bool, &str>>) {
    for value in values {
        let _ = either(value).unwrap_left();
    }
}

// expect: passed
#[rebut::test]
fn both_iterate(value: Result<Vec<u32>, Option<u32>>) {
    let expected: Vec<u32> = match &value {
        Ok(list) => list.clone(),
        Err(option) => option.iter().copied().collect(),
    };
    let either = either(value);
    assert_eq!(for_both!(&either, side => side.clone().into_iter().count()), expected.len());
    assert_eq!(either.factor_into_iter().map(Either::into_inner).collect::<Vec<_>>(), expected);
}

// expect: passed
#[rebut::test]
fn factoring_out_an_error(value: Result<Result<u8, char>, Result<bool, char>>) -> Result<(), String> {
    let factored = either(value).factor_err();
    match (value, factored) {
        (Ok(Err(c)) | Err(Err(c)), Err(d)) if c == d => Ok(()),
        (Ok(Ok(byte)), Ok(Left(known))) if byte == known => Ok(()),
        (Err(Ok(flag)), Ok(Right(known))) if flag == known => Ok(()),
        (_, other) => Err(format!("{other:?}")),
    }
}

// A reader may return less than there is, but it does not.
// expect: failed
#[rebut::test]
fn reads_are_of_the_same_length(value: Result<Vec<u8>, Vec<u8>>, size: u8) {
    let bytes = value.as_ref().unwrap_or_else(|bytes| bytes).clone();
    let mut reader: Either<&[u8], std::io::Empty> = if value.is_ok() { Left(&bytes) } else { Right(std::io::empty()) };
    let mut buffer = vec![0; size.into()];
    assert_eq!(reader.read(&mut buffer).unwrap(), bytes.len().min(size.into()));
}

// expect: proved: 516
#[rebut::test]
fn text_is_that_of_the_value(value: Result<bool, u8>, sign: bool) {
    let text = if sign { format!("{:+}", either(value).map_left(u8::from)) } else { either(value).to_string() };
    let expected = match (value, sign) {
        (Ok(flag), true) => format!("+{}", u8::from(flag)),
        (Err(byte), true) => format!("+{byte}"),
        (Ok(flag), false) => flag.to_string(),
        (Err(byte), false) => byte.to_string(),
    };
    assert_eq!(text, expected);
}

#[rebut::mock(of = std::io::Read)]
trait Source {
    #[from(rebut::integers().max_value(buf.len()).map(Ok))]
    fn read(&mut self, #[drawn(*result.as_ref().unwrap_or(&0))] buf: &mut [u8]) -> std::io::Result<usize>;
}

// One call of `read` need not fill the buffer.
// expect: failed
#[rebut::test]
fn headers_are_read_at_once(source: MockSource, is_left: bool) {
    let mut reader: Either<MockSource, &[u8]> = if is_left { Left(source) } else { Right(b"abcd") };
    let mut header = [0; 4];
    assert_eq!(reader.read(&mut header).unwrap(), 4);
}
