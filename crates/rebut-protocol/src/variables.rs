//! Names the environment variables that are not settings. Rebut sets them for its own processes.
//!
//! [`settings`](crate::settings) has the variables that users set.

/// The start of every environment variable of Rebut.
///
/// # Examples
/// ```
/// use rebut_protocol::{settings, variables};
/// assert!(settings::SEED.variable.starts_with(variables::PREFIX));
/// ```
pub const PREFIX: &str = "REBUT_";

/// The version of the command that starts `cargo-rebut-explore`, which refuses other versions.
///
/// # Examples
/// ```
/// assert_eq!(rebut_protocol::variables::COMMAND_VERSION, "REBUT_COMMAND_VERSION");
/// ```
pub const COMMAND_VERSION: &str = "REBUT_COMMAND_VERSION";

/// The directory with regression tests to compile next to the tests that they were printed from.
/// `#[rebut::test]` reads it when it is expanded.
///
/// # Examples
/// ```
/// assert_eq!(rebut_protocol::variables::PRINTED, "REBUT_PRINTED");
/// ```
pub const PRINTED: &str = "REBUT_PRINTED";

/// The target of a child process: the path of a test, or the location of a check.
///
/// # Examples
/// ```
/// use rebut_protocol::variables;
/// assert!(variables::CHILD_MARK.starts_with(variables::CHILD));
/// assert!(variables::CHILD_MEMORY.starts_with(variables::CHILD));
/// ```
pub const CHILD: &str = "REBUT_CHILD";

/// The mark at the start of each reply of a child process.
///
/// # Examples
/// ```
/// assert_eq!(rebut_protocol::variables::CHILD_MARK, "REBUT_CHILD_MARK");
/// ```
pub const CHILD_MARK: &str = "REBUT_CHILD_MARK";

/// The memory limit of a child process, in bytes.
///
/// # Examples
/// ```
/// assert_eq!(rebut_protocol::variables::CHILD_MEMORY, "REBUT_CHILD_MEMORY");
/// ```
pub const CHILD_MEMORY: &str = "REBUT_CHILD_MEMORY";

/// The directory for the events of a test that a command runs to read its result. It replaces the
/// one below `target/rebut/`, where only the latest runs are kept.
///
/// # Examples
/// ```
/// assert_eq!(rebut_protocol::variables::EVENTS_DIR, "REBUT_EVENTS_DIR");
/// ```
pub const EVENTS_DIR: &str = "REBUT_EVENTS_DIR";

/// How often a test process was started again, and the directory for the reports of its earlier
/// copies. A report that no file can keep is in a variable whose name begins with this one.
///
/// # Examples
/// ```
/// assert_eq!(rebut_protocol::variables::RESTART, "REBUT_RESTART");
/// ```
pub const RESTART: &str = "REBUT_RESTART";

/// The file with the inputs that a test runs, and nothing else: the replay strings, one on each line.
/// The test writes an event for each of them, and reports no failure.
///
/// # Examples
/// ```
/// assert_eq!(rebut_protocol::variables::REPLAYS, "REBUT_REPLAYS");
/// ```
pub const REPLAYS: &str = "REBUT_REPLAYS";

/// The number of inputs up to which a run tries all of them instead of random ones.
///
/// # Examples
/// ```
/// assert_eq!(rebut_protocol::variables::INPUTS_MAX, "REBUT_INPUTS_MAX");
/// ```
pub const INPUTS_MAX: &str = "REBUT_INPUTS_MAX";
