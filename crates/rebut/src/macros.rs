//! Macros for the body of a property.

/// Gives the case up if a condition is false: it says nothing about the property.
///
/// Prefer a generator that makes only what is wanted; cases that are given up cost time.
///
/// # Example
/// ```
/// # use rebut::assume;
/// #[rebut::test]
/// fn division_is_the_inverse_of_multiplication(a: i32, b: i32) {
///     assume!(b != 0, "nothing can be divided by zero");
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

/// Claims that code panics, with a message that contains one of the given texts; with any, if
/// none is given.
///
/// Unlike `#[should_panic]`, which one case is enough for, this is claimed of every case.
/// `cargo rebut explore` cannot go on behind a panic, so there such a property seems to fail.
///
/// # Example
/// ```
/// # use rebut::{assert_panics, assume};
/// #[rebut::test]
/// fn there_is_nothing_behind_the_end(list: Vec<u8>, index: usize) {
///     assume!(index >= list.len());
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

/// Says something that is shown under the values of the case if it fails. Takes what `format!`
/// takes.
///
/// # Example
/// ```
/// # use rebut::note;
/// #[rebut::test]
/// fn halves_add_up(n: u32) {
///     let half = n / 2;
///     note!("half of it is {half}");
///     assert_eq!(half + half + n % 2, n);
/// }
/// ```
#[macro_export]
macro_rules! note {
    ($($arguments:tt)+) => {
        $crate::__private::note(::core::format_args!($($arguments)+))
    };
}

/// Counts the case under a name, so that the report says how cases were distributed. Takes
/// what `format!` takes.
///
/// # Example
/// ```
/// # use rebut::label;
/// #[rebut::test]
/// fn reversing_twice_changes_nothing(list: Vec<u8>) {
///     label!("{} elements", list.len());
///     let twice: Vec<u8> = list.iter().rev().rev().copied().collect();
///     assert_eq!(twice, list);
/// }
/// ```
#[macro_export]
macro_rules! label {
    ($($arguments:tt)+) => {
        $crate::__private::label(::core::format_args!($($arguments)+))
    };
}

/// Claims that a condition is met by at least so many of a hundred cases, or, without a
/// number, by some. The test fails if that is not so: it would test less than it seems to.
///
/// # Example
/// ```
/// # use rebut::cover;
/// #[rebut::test]
/// fn parts_are_not_longer_than_the_whole(text: String) {
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

/// Tells whoever explores a probe what an expression is: first which one, so that a panic on the
/// way is known to be its own, then its value. What nobody wants to know is not computed. Probes
/// are written by `cargo rebut infer`.
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

/// As `__observe!`, for what a probe is about: that is always computed.
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

/// A number that a probe observes and needs later on. If nobody wants to know it, nobody wants to
/// know what needs it either.
#[doc(hidden)]
#[macro_export]
macro_rules! __observed {
    ($slot:literal, $value:expr) => {
        if $crate::__private::observe::is_wanted($slot) { $value } else { 0 }
    };
}
