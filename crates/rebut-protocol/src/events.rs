//! Defines the version of event files.
//!
//! `rebut-run` and `rebut-explore` write events; `rebut-report` reads them. `docs/guide/events.md`
//! describes the format.

/// The version of the format. It grows when an old reader would misunderstand a new file; new
/// fields alone do not change it.
///
/// # Examples
/// ```
/// let line = format!(r#"{{"event":"run","version":{}}}"#, rebut_protocol::events::VERSION);
/// assert!(line.starts_with(r#"{"event":"run","version":"#));
/// ```
pub const VERSION: u64 = 1;
