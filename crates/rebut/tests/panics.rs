//! Panics that are claimed of every case.

use rebut::Check;
use rebut::prelude::*;
use rebut::report::{Report, Verdict};

#[rebut::test]
fn there_is_nothing_behind_the_end(list: Vec<u8>, index: usize) {
    assume!(index >= list.len());
    assert_panics!({ list[index] }, "no such message", "out of bounds");
}

#[rebut::test]
fn any_panic_will_do(n: u8) {
    assert_panics!(u8::try_from(300 + u32::from(n)).expect("a byte"));
}

#[rebut::test]
fn rejections_pass_through_assert_panics(n: u8) {
    assert_panics!({
        assume!(n > 3);
        assert!(n <= 3, "too large");
    });
}

fn message(report: &Report) -> &str {
    match &report.verdict {
        Verdict::Failed(found) => &found[0].failure.message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn code_that_returns_refutes_the_claim() {
    let report = Check::new("divides").run(|case| {
        let n: u8 = case.draw(integers());
        assert_panics!(100 / n, "divide by zero");
    });
    let expected = "expected a panic with \"divide by zero\" from `100 / n`, but it does not panic";
    assert_eq!(message(&report), expected);
}

#[test]
fn another_message_refutes_the_claim() {
    let report = Check::new("divides").run(|case| {
        let _: u8 = case.draw(integers());
        assert_panics!(u8::try_from(300).expect("a byte"), "divide", "overflow");
    });
    let expected = "expected a panic with \"divide\" or \"overflow\" from \
                    `u8::try_from(300).expect(\"a byte\")`, but it panics with \"a byte: \
                    TryFromIntError(())\"";
    assert_eq!(message(&report), expected);
}
