//! Helpers for the tests of this crate.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rebut_choice::{AnyDriver, Exhaustive, Random, Source, Stop, Tape};

use crate::AsGenerator;

/// Returns a random source.
pub(crate) fn random(seed: u64) -> Source {
    Source::new(AnyDriver::Random(Box::new(Random::new(seed))))
}

/// Returns the values of `count` random cases.
pub(crate) fn drawn<G: AsGenerator>(generator: &G, count: u64) -> Vec<G::Value> {
    (0..count).map(|seed| crate::sample(generator, seed)).collect()
}

/// Returns all values of a finite generator.
pub(crate) fn exhausted<G: AsGenerator>(generator: &G) -> Vec<G::Value> {
    let mut walk = Box::new(Exhaustive::default());
    let mut values = Vec::new();
    loop {
        let mut source = Source::new(AnyDriver::Exhaustive(walk));
        match catch_unwind(AssertUnwindSafe(|| generator.draw_value(&mut source))) {
            Ok(value) => values.push(value),
            Err(payload) => match payload.downcast_ref() {
                Some(Stop::Rejected(_)) => {}
                _ => std::panic::resume_unwind(payload),
            },
        }
        let AnyDriver::Exhaustive(back) = source.into_driver() else { return values };
        walk = back;
        if !walk.advance() {
            return values;
        }
    }
}

/// Returns the value that a tape, written as text, generates.
pub(crate) fn from_tape<G: AsGenerator>(generator: &G, tape: &str) -> G::Value {
    generator.draw_value(&mut Source::replay(&Tape::from_text(tape).expect("a valid tape")))
}

/// Returns the message of the misuse that drawing raises.
pub(crate) fn misuse_of<G: AsGenerator>(generator: &G) -> String {
    let draw = AssertUnwindSafe(|| drop(generator.draw_value(&mut random(1))));
    let payload = catch_unwind(draw).expect_err("drawing should have been refused");
    match payload.downcast_ref() {
        Some(Stop::Misuse(text)) => text.clone(),
        other => panic!("expected a misuse, found {other:?}"),
    }
}

/// Asserts that random values are generated again from their tapes.
#[track_caller]
pub(crate) fn replays<G: AsGenerator>(generator: &G)
where
    G::Value: PartialEq + std::fmt::Debug,
{
    for seed in 0..50 {
        let mut source = random(seed);
        let Ok(value) = catch_unwind(AssertUnwindSafe(|| generator.draw_value(&mut source))) else {
            continue;
        };
        let again = generator.draw_value(&mut Source::replay(&source.into_tape()));
        assert_eq!(value, again, "seed {seed}");
    }
}

/// Asserts that whichever value turns up first, it shrinks to `minimal` if the condition holds for
/// both. The generator is that of the crate `rebut`, which has the runner.
#[allow(dead_code, reason = "only types of other crates use it, each behind its feature")]
#[track_caller]
pub(crate) fn shrinks_to<T: rebut::Generate + PartialEq + std::fmt::Debug>(
    minimal: &T,
    condition: impl Fn(&T) -> bool,
) {
    for seed in 1..=10 {
        let check = rebut::Check::new("shrinks_to").seed(seed).cases(10_000);
        let report = check.run(|case| !condition(&case.draw(rebut::any::<T>())));
        let found = report.verdict.counterexamples().first().expect("a value");
        let mut source = Source::replay(&found.tape);
        let value: T = source.span(rebut_choice::Label::ARGUMENT, T::generate);
        assert_eq!(value, *minimal, "seed {seed}");
    }
}

/// Asserts that an expression of this type is printed as it is written.
#[allow(unused_macros, reason = "only types of other crates use it, each behind its feature")]
macro_rules! prints_as {
    ($type:ty, $code:expr) => {{
        #[allow(clippy::unwrap_used, reason = "printed code may unwrap")]
        let value: $type = $code;
        let printed = $crate::Code::of(&value);
        let written = stringify!($code);
        assert_eq!($crate::testing::squeezed(&printed), $crate::testing::squeezed(written));
    }};
}
#[allow(unused_imports, reason = "as above")]
pub(crate) use prints_as;

/// Asserts that an expression has the value of the second one, and that this value is printed as
/// the first expression. With one expression, asserts that its value is printed as it is written.
#[allow(unused_macros, reason = "as above")]
macro_rules! prints {
    ($code:expr) => {
        prints!($code, $code)
    };
    ($code:expr, $value:expr) => {{
        #[allow(clippy::unwrap_used, reason = "printed code unwraps")]
        let [written, value] = [$code, $value];
        assert_eq!(written, value);
        let (printed, written) = (crate::Code::of(&value), stringify!($code));
        assert_eq!(crate::testing::squeezed(&printed), crate::testing::squeezed(written));
    }};
}
#[allow(unused_imports, reason = "as above")]
pub(crate) use prints;

/// Returns code without spaces and line breaks.
#[allow(dead_code, reason = "as above")]
pub(crate) fn squeezed(code: &str) -> String {
    code.split_whitespace().collect()
}
