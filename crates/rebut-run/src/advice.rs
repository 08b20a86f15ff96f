//! Advice about messages of other crates.
//!
//! Some assertions of other crates do not work in a property: a property runs its body many times,
//! on a thread of Rebut. Their messages do not say so, because their authors cannot know.

use crate::strings::find;

/// A part of a message, and the advice for it.
const ADVICE: [(&str, &str); 2] = [
    (
        "does not allow inline snapshot assertions in loops",
        "a property runs its body for many inputs; write `insta::allow_duplicates! { .. }` around the assertion",
    ),
    (
        "No test context found",
        "a property has no context of `#[gtest]`, which `expect_that!` needs; write `assert_that!(..)`, or return `verify_that!(..)`",
    ),
];

/// Returns what to write instead, if the message of a failure is known.
pub(crate) fn about(message: &str) -> Option<&'static str> {
    ADVICE.iter().find(|(part, _)| find(message, part).is_some()).map(|(_, advice)| *advice)
}
