//! Reports of invalid arguments: the argument, its value and what is expected.

use std::fmt::Debug;

use rebut_choice::Stop;

/// Ends the run: `argument` has a `value` that is not `accepted`.
#[cold]
pub(crate) fn misuse(argument: &str, value: &dyn Debug, accepted: &str) -> ! {
    Stop::Misuse(format!("invalid `{argument}` {value:?}; expected {accepted}")).raise()
}

/// Ends the run: the minimum of a range is above its maximum.
#[cold]
pub(crate) fn crossed(builder: &str, min: &dyn Debug, max: &dyn Debug) -> ! {
    Stop::Misuse(format!(
        "`{builder}` has no values: the minimum is {min:?} and the maximum is {max:?}; \
         expected a minimum that is not above the maximum"
    ))
    .raise()
}

/// Returns a value that exists for all choices, or ends the run with an internal error.
#[cfg(any(
    feature = "camino",
    feature = "chrono",
    feature = "http",
    feature = "ipnet",
    feature = "jiff",
    feature = "ndarray",
    feature = "ordered-float",
    feature = "semver",
    feature = "time",
    feature = "uuid",
))]
#[track_caller]
pub(crate) fn expected<T>(value: Option<T>, what: &str) -> T {
    value.unwrap_or_else(|| Stop::Internal(format!("generated parts do not make {what}")).raise())
}
