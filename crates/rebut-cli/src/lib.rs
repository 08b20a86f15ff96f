//! Code that Rebut's two commands share: arguments, exit codes, output, colors, the location of
//! runs, and the parser of the failure block of a test.
//!
//! `cargo rebut` is the everyday command. `explore`, `generalize` and `infer` need a compiler for
//! WebAssembly and live in a second binary, `cargo-rebut-explore`, so that the first one builds
//! quickly. Both take their arguments from [`arguments`], so help, completions and errors are the
//! same whichever is called.
//!
//! This crate starts no engine. It never depends on one.
//!
//! ```
//! use rebut_cli::exit::Exit;
//! assert_eq!(Exit::Failed as u8, 100);
//! ```

pub mod arguments;
pub mod color;
pub mod exit;
pub mod metadata;
pub mod output;
pub mod runs;
pub mod status;
pub mod words;

/// The environment variable by which `cargo rebut` names its version to the second binary.
pub const VERSION_VARIABLE: &str = rebut_protocol::variables::COMMAND_VERSION;
