//! The properties every library is measured on, written once.
//!
//! There are two kinds. The thirteen [`challenges`] come from the public
//! shrinking challenge and have a known normal form; the twenty [`bugs`] are
//! ordinary mistakes of varied difficulty, for measuring how many cases a
//! library needs to find them. [`shapes`] holds the values whose generation is
//! timed. Each property is a plain function of a plain type, and its doc says
//! from which domain the input is to be drawn; "any" means the library's own
//! default for the type, with no help.
//!
//! This crate has no dependencies and knows no library.
//!
//! ```
//! use bench_problems::{Outcome, challenges};
//!
//! let problem = challenges::REVERSE;
//! assert_eq!((problem.check)(&vec![0, 1]), Outcome::Failed);
//! assert!(problem.is_normal_form(&vec![0, 1]));
//! ```

#![expect(
    clippy::ptr_arg,
    reason = "a property takes a reference to the very type that is drawn"
)]

pub mod challenges;

pub mod bugs;

pub mod shapes;

/// What a property says about one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The property held.
    Held,
    /// The property is broken by this input.
    Failed,
    /// The input does not meet the property's assumption.
    Skipped,
}

impl Outcome {
    /// `Held` when the claim is true, `Failed` otherwise.
    pub fn held_if(claim: bool) -> Self {
        if claim { Self::Held } else { Self::Failed }
    }
}

/// A named property over inputs of type `T`.
#[derive(Debug)]
pub struct Problem<T: 'static> {
    /// The name in reports.
    pub name: &'static str,
    /// The property itself.
    pub check: fn(&T) -> Outcome,
    /// Whether an input is the smallest failing one; `None` where no normal
    /// form is laid down.
    pub normal_form: Option<fn(&T) -> bool>,
}

impl<T> Clone for Problem<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Problem<T> {}

impl<T> Problem<T> {
    /// A property with a known normal form.
    pub const fn challenge(
        name: &'static str,
        check: fn(&T) -> Outcome,
        normal_form: fn(&T) -> bool,
    ) -> Self {
        Self {
            name,
            check,
            normal_form: Some(normal_form),
        }
    }

    /// A property that only has to be broken.
    pub const fn bug(name: &'static str, check: fn(&T) -> Outcome) -> Self {
        Self {
            name,
            check,
            normal_form: None,
        }
    }

    /// Whether `input` is this problem's normal form.
    pub fn is_normal_form(&self, input: &T) -> bool {
        self.normal_form.is_some_and(|is_normal| is_normal(input))
    }
}

/// The names of the thirteen challenges, in the order of the table.
pub const CHALLENGES: [&str; 13] = [
    "bound5",
    "large_union_list",
    "reverse",
    "calculator",
    "lengthlist",
    "difference_zero",
    "difference_small",
    "difference_one",
    "binheap",
    "coupling",
    "deletion",
    "distinct",
    "nestedlists",
];

/// The names of the twenty bugs, in the order of the table.
pub const BUGS: [&str; 20] = [
    "binary_search",
    "quicksort_twins",
    "run_length",
    "truncate_utf8",
    "bucket_of_key",
    "leap_century",
    "base64_tail",
    "merge_touching",
    "lru_refresh",
    "transpose",
    "csv_quotes",
    "upper_case",
    "sign_of_zero",
    "far_duplicate",
    "ring_buffer",
    "magic_number",
    "bare_word",
    "block_checksum",
    "patch_merge",
    "percent_encoding",
];

/// The names of the timed shapes, in the order of the table.
///
/// `vec` is the official comparison: a list of 0 to 12 integers, so that every
/// library does the same work per case. `vec_default` has whatever length the
/// library prefers.
pub const SHAPES: [&str; 6] = ["i64", "vec", "vec_default", "string", "struct", "tree"];
