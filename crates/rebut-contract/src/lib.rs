//! Contracts that generate programs.
//!
//! A contract says what a call requires and what it ensures. It is an oracle for the code under
//! test, and it says what programs may do: so whole programs are drawn that call the code, feed
//! results back, and hand over callbacks whose bodies are drawn too (Klein, Flatt and Findler,
//! "Random testing for higher-order, stateful programs", 2010). A broken contract names who is
//! to blame; only what the code under test is to blame for is a counterexample.
//!
//! A program is drawn from a [`Source`](rebut_choice::Source) like any other value, so it is
//! shrunk, replayed and stored like any other, and is written as Rust that fails without Rebut.
//!
//! This crate never starts a process and never prints. The macro `#[rebut::contract]` writes
//! the tables that programs are drawn from; what it names is in [`table`], [`held`] and
//! [`blame`].
//!
//! # Examples
//! ```
//! use rebut_contract::blame::{self, Party, Place};
//!
//! const HALF: &Place = &Place { called: "half", party: Party::Code("half") };
//!
//! fn half(n: u32) -> u32 {
//!     let call = blame::enter(true, HALF);
//!     if !blame::holds(|| n % 2 == 0) {
//!         call.break_requires("n % 2 == 0", &|| None);
//!     }
//!     n / 2
//! }
//! assert_eq!(half(4), 2);
//! assert!(std::panic::catch_unwind(|| half(3)).is_err());
//! ```

pub mod blame;
pub mod held;
pub mod implementor;
pub mod kind;
pub mod model;
pub mod probe;
pub mod program;
pub mod sent;
pub mod table;

pub use implementor::Behavior;
pub use program::Program;
pub use table::{Subject, Table};

/// Whether contracts are checked in every build.
pub const ALWAYS: bool = cfg!(feature = "always");
