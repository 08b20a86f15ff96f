//! Languages of strings: which strings are legal, and which of them to try.
//!
//! - A [`Regex`] is a regular expression *as it is written*: which alternatives, optional
//!   parts, ranges and repetitions there are. Two ways to write the same language are two
//!   regexes.
//! - A [`Language`] is a set of strings. Languages are built from regexes and from each other
//!   (union, intersection, complement, lengths, prefixes, edit distance) and asked about their
//!   members. All answers are exact: a list that ends has named every member.
//! - A [`Cover`] lists one string for each *structural class* of a regex: for each
//!   combination of alternatives, ranges and numbers of repetitions.
//!
//! Nothing here calls a solver, does I/O, reads a clock or draws a random number; what is
//! listed is a function of the arguments and the seed. Building and combining languages costs
//! next to nothing; the first question builds an automaton. Where that would have too many
//! states, the answer is [`TooComplex`], and never a wrong one.
//!
//! # Example
//! ```
//! use rebut_text::{Cover, Language, Regex};
//!
//! let path = Regex::parse(r"^[A-Za-z0-9_-]+(:[A-Za-z0-9_-]+)*$")?;
//! assert!(path.is_match("usr:local:bin"));
//!
//! // All strings of the language that an assertion leaves over.
//! let short = path.language().of_length(..=3).difference(&Language::containing("-"));
//! assert_eq!(short.shortest()?.as_deref(), Some("a"));
//! assert!(short.is_finite()?);
//!
//! // One string for each way in which the regex can be followed.
//! let cover: Vec<String> = Cover::new(&path).within(&short).words()?.take(5).collect();
//! assert_eq!(cover, ["X", "k", "6", "_", "X:J"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What there is
//! | wanted | ask |
//! |---|---|
//! | is this text legal? | [`Regex::is_match`], [`Language::contains`] |
//! | is any text legal? how many are? | [`Language::is_empty`], [`Language::count`] |
//! | all of them, shortest first | [`Language::words`] |
//! | one for each length | [`Language::lengths`] |
//! | some that look different | [`Language::spread`] |
//! | some that are far from each other | [`Language::far_apart`] |
//! | one for each way to follow the regex | [`Cover::words`] |

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
