//! Languages of strings: which strings are legal, and which of them to try.
//!
//! - A [`Regex`] is a regular expression *as written*, with its alternatives, optional parts,
//!   ranges and repetitions. Two ways to write the same language are two regexes.
//! - A [`Language`] is a set of strings. You build languages from regexes and from other
//!   languages (union, intersection, complement, lengths, prefixes, edit distance) and query
//!   their members. All answers are exact: a list that ends contains every member.
//! - A [`Cover`] lists one string for each *structural class* of a regex: for each
//!   combination of alternatives, ranges and numbers of repetitions.
//!
//! This crate never calls a solver, does I/O, reads a clock or uses a random number generator;
//! every list is a function of the arguments and the seed. Building and combining languages is
//! cheap; the first query builds an automaton. If the automaton would have too many states, the
//! answer is [`TooComplex`], never a wrong one.
//!
//! # Examples
//! ```
//! use rebut_text::{Cover, Language, Regex};
//!
//! let path = Regex::parse(r"^[A-Za-z0-9_-]+(:[A-Za-z0-9_-]+)*$")?;
//! assert!(path.is_match("usr:local:bin"));
//!
//! // The short strings of the language that do not contain a hyphen.
//! let short = path.language().of_length(..=3).difference(&Language::containing("-"));
//! assert_eq!(short.shortest()?.as_deref(), Some("a"));
//! assert!(short.is_finite()?);
//!
//! // One string for each combination of choices in the regex.
//! let cover: Vec<String> = Cover::new(&path).within(&short).words()?.take(5).collect();
//! assert_eq!(cover, ["X", "k", "6", "_", "X:J"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//! | to get | call |
//! |---|---|
//! | whether a string is legal | [`Regex::is_match`], [`Language::contains`] |
//! | whether any string is legal, and how many are | [`Language::is_empty`], [`Language::count`] |
//! | all strings, shortest first | [`Language::words`] |
//! | one string of each length | [`Language::lengths`] |
//! | strings that look different | [`Language::spread`] |
//! | strings that are many edits apart | [`Language::far_apart`] |
//! | one string for each combination of choices | [`Cover::words`] |

mod cover;
mod distance;
mod language;
mod order;
mod regex;
mod symbols;

pub use cover::{Classifier, Cover, CoverWords, Repeats, StructuralClass};
pub use distance::{FarApart, edit_distance};
pub use language::{Count, Language, Lengths, Spread, TooComplex, Witness, Words};
pub use regex::{Regex, RegexError, RegexParser};
