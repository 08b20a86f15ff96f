//! Contracts, and programs generated from them.
//!
//! A contract defines what a call requires and what it ensures. It is an oracle for the code under
//! test, and it defines which calls a program may make. So Rebut generates whole programs that call
//! the code, pass results to further calls, and pass callbacks whose bodies are generated too
//! (Klein, Flatt and Findler, "Random testing for higher-order, stateful programs", 2010). A
//! violated contract names the side at fault. It is a counterexample only if the code under test is
//! at fault.
//!
//! A program is generated from a [`Source`](rebut_choice::Source) like any other value. So it is
//! shrunk, replayed and stored like any other, and it is printed as Rust code that fails without
//! Rebut.
//!
//! This crate never starts a process and never prints. Users need [`Program`], [`Contracted`] and
//! [`Programs`](program::Programs), through the crate `rebut`. Everything else is for the code that
//! `#[rebut::contract]` generates: it fills a [`table`] of operations, passes arguments as [`call_argument`]
//! values, and reports calls to [`blame`].
//!
//! # Examples
//! ```
//! use rebut_contract::blame::{self, Callee, Party};
//!
//! const HALF: &Callee = &Callee { path: "half", party: Party::Code("half") };
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
pub mod call_argument;
pub mod implementor;
pub mod kept_result;
pub mod made_object;
pub mod model;
pub mod owner;
pub mod program;
pub mod sendable;
pub mod table;
pub mod template;
pub mod trait_detection;
pub mod type_info;

pub use implementor::Behavior;
pub use program::Program;
pub use table::{Contracted, Table};

/// Whether contracts are checked in all builds, not only in tests and with debug assertions.
pub const ALWAYS: bool = cfg!(feature = "always");

/// Panics in the sources of this crate, so that a test can see that this is not reported as a failure
/// of the code under test.
#[doc(hidden)]
pub fn canary() -> ! {
    panic!("the canary of rebut-contract")
}
