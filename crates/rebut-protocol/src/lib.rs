//! Defines the data on which several crates and processes of Rebut must agree.
//!
//! A test is compiled with the library, and commands of another build run it, read its events and
//! replay its failures. Each fact that both sides need has one definition here, or in
//! `rebut-choice` if it is about choices:
//!
//! - [`wasm`]: the interface between an explored test and its host,
//! - [`settings`]: the table of all settings, with their names in files, attributes and variables,
//! - [`variables`]: the environment variables that are not settings,
//! - [`verdicts`]: the codes of verdicts, such as `R001`,
//! - [`events`]: the version of event files,
//! - [`test_path`]: the path of a test, taken apart,
//! - [`hash`]: the hash in names of files,
//! - [`near_miss`]: the suggestion for a misspelled name,
//! - [`terminal`]: text that a terminal shows and does not act on.
//!
//! This crate has no dependencies, reads nothing and runs nothing. Every user's test builds it, so
//! it stays small.
//!
//! # Examples
//! ```
//! use rebut_protocol::{settings, verdicts::VerdictCode};
//!
//! assert_eq!(settings::CASES.variable, "REBUT_CASES");
//! assert_eq!(VerdictCode::Failed.as_str(), "R001");
//! ```

pub mod events;
pub mod hash;
pub mod near_miss;
pub mod settings;
pub mod terminal;
pub mod test_path;
pub mod variables;
pub mod verdicts;
pub mod wasm;
