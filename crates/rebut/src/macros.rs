//! Macros for the body of a test.

/// Rejects the input if a condition is false.
///
/// A rejected input neither passes nor fails. A string after the condition replaces it in the
/// statistics of the report. If most inputs are rejected, the test fails.
///
/// Prefer a generator that only generates what you need: every rejected input costs time.
///
/// # Examples
/// ```test_harness
/// use rebut::assume;
///
/// #[rebut::test]
/// fn division_undoes_multiplication(a: i32, b: i32) {
///     assume!(b != 0, "division by zero");
///     assert_eq!((i64::from(a) * i64::from(b)) / i64::from(b), i64::from(a));
/// }
/// ```
#[macro_export]
macro_rules! assume {
    ($condition:expr $(,)?) => {
        $crate::__private::assume($condition, ::core::stringify!($condition))
    };
    ($condition:expr, $why:literal $(,)?) => {
        $crate::__private::assume($condition, $why)
    };
}

/// Asserts that an expression panics.
///
/// If you give strings after the expression, the panic message must contain one of them.
///
/// The macro checks every input. `#[should_panic]` on the test is satisfied as soon as one input
/// panics. `cargo rebut explore` cannot continue after a panic, so it reports such a test as
/// failing.
///
/// # Examples
/// ```test_harness
/// use rebut::prelude::*;
///
/// #[rebut::test]
/// fn indexing_panics_past_the_end(list: Vec<u8>, #[from(list.len()..)] index: usize) {
///     assert_panics!({ list[index] }, "out of bounds");
/// }
/// ```
#[macro_export]
macro_rules! assert_panics {
    ($code:expr $(, $message:literal)* $(,)?) => {
        $crate::__private::expect_panic(
            ::core::stringify!($code),
            &[$($message),*],
            || {
                let _ = $code;
            },
        )
    };
}

/// Adds a line to the report if the input fails.
///
/// Takes the arguments of [`format!`]. The report prints the line below the values of the input.
///
/// # Examples
/// ```
/// use rebut::{Check, integers, note};
///
/// let report = Check::new("halves add up").seed(1).run(|case| {
///     let number = case.draw_as("number", integers::<u32>());
///     let half = number / 2;
///     note!("half of it is {half}");
///     half + half == number
/// });
/// assert!(report.to_string().contains("let number = 1;"));
/// assert!(report.to_string().contains("half of it is 0"));
/// ```
#[macro_export]
macro_rules! note {
    ($($arguments:tt)+) => {
        $crate::__private::note(::core::format_args!($($arguments)+))
    };
}

/// Counts the input under a name.
///
/// Takes the arguments of [`format!`]. With `verbosity = verbose`, the report prints the share of
/// each name, so you see how the inputs are distributed.
///
/// # Examples
/// ```
/// use rebut::{Check, integers, label};
///
/// let report = Check::new("absolute values").run(|case| {
///     let number = case.draw(integers::<i8>());
///     label!("{}", if number < 0 { "negative" } else { "not negative" });
///     number.unsigned_abs() <= 128
/// });
/// let labels = &report.statistics.labels;
/// assert_eq!((labels[0].name.as_str(), labels[0].cases), ("not negative", 128));
/// assert_eq!((labels[1].name.as_str(), labels[1].cases), ("negative", 128));
/// ```
#[macro_export]
macro_rules! label {
    ($($arguments:tt)+) => {
        $crate::__private::label(::core::format_args!($($arguments)+))
    };
}

/// Requires that a condition is true for a share of the inputs.
///
/// `at_least 5 %` sets the share. Without it, one input is enough. A string before the condition
/// replaces it in the report. If the inputs do not reach the share, the test fails, because it
/// tests less than you think.
///
/// # Examples
/// ```test_harness
/// use rebut::cover;
///
/// #[rebut::test]
/// fn trim_never_adds_bytes(text: String) {
///     cover!(text.is_empty());
///     cover!("not only ASCII", !text.is_ascii(), at_least 5 %);
///     assert!(text.trim().len() <= text.len());
/// }
/// ```
#[macro_export]
macro_rules! cover {
    ($name:literal, $condition:expr $(,)?) => {
        $crate::__private::cover($name, $condition, 0.0)
    };
    ($name:literal, $condition:expr, at_least $percent:literal % $(,)?) => {
        $crate::__private::cover($name, $condition, $percent as f64)
    };
    ($condition:expr $(,)?) => {
        $crate::__private::cover(::core::stringify!($condition), $condition, 0.0)
    };
    ($condition:expr, at_least $percent:literal % $(,)?) => {
        $crate::__private::cover(::core::stringify!($condition), $condition, $percent as f64)
    };
}

/// Reports the value of an expression to exploration.
///
/// It first reports the slot, so that a panic of the expression is attributed to it, and then the
/// value. An expression that exploration does not need is not evaluated. `cargo rebut infer`
/// writes these calls into its probes.
#[doc(hidden)]
#[macro_export]
macro_rules! __observe {
    ($slot:literal, $value:ident) => {
        $crate::__observe!($slot, (&$value))
    };
    ($slot:literal, $value:expr) => {
        if $crate::__private::observe::is_wanted($slot) {
            $crate::__observe_call!($slot, $value);
        }
    };
}

/// Like `__observe!`, for the call that the probe is about: it is always evaluated.
#[doc(hidden)]
#[macro_export]
macro_rules! __observe_call {
    ($slot:literal, $value:expr) => {{
        use $crate::__private::observe::how::*;
        $crate::__private::observe::begin($slot);
        let value = $crate::__private::observe::Observed::new($value);
        (&&&&&value).observe();
    }};
}

/// Evaluates a number that later expressions of the probe use. If exploration does not need the
/// slot, it does not need those expressions either, so any number will do.
#[doc(hidden)]
#[macro_export]
macro_rules! __observed {
    ($slot:literal, $value:expr) => {
        if $crate::__private::observe::is_wanted($slot) { $value } else { 0 }
    };
}
