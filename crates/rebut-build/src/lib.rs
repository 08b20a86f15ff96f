//! Builds the tests of a crate for WebAssembly, where Rebut explores them.
//!
//! A [`Toolchain`] is found: a compiler with a standard library for `wasm32-unknown-unknown`, or
//! one with the sources of its standard library, which is built once and kept in the user's
//! cache folder. [`build`] then has cargo build the tests of the packages that use Rebut, each
//! test target as one [`Module`]. What only the tests of a package depend on and what cannot be
//! built for WebAssembly (a benchmark harness, an executor of futures, C code) does not stop it:
//! the package is built once more from a shadow of it that lacks those dependencies. A target
//! that needs them is [left out](LeftOut), with the reason.
//!
//! The sources and manifests of the user are never changed; all files are written below the
//! target folder and in the cache folder. Nothing is downloaded but what cargo downloads for the
//! user's own build, and nothing is installed.
//!
//! # Example
//! ```no_run
//! use rebut_build::{Request, Toolchain, build};
//!
//! let toolchain = Toolchain::find(&mut |step| eprintln!("{step}"))?;
//! let built = build(&toolchain, &Request::default(), &mut |step| eprintln!("{step}"))?;
//! for module in built.modules {
//!     println!("{} {}: {}", module.package, module.target, module.path.display());
//! }
//! # Ok::<(), rebut_build::Problem>(())
//! ```

mod beyond;
mod build;
mod cargo;
mod fingerprints;
mod memory;
mod module;
mod native;
mod overlay;
mod package;
mod place;
mod problem;
mod shadow;
mod standard;
mod toolchain;

pub use beyond::beyond;
pub use build::{Built, Features, LeftOut, Request, build};
pub use module::{Foreign, Module};
pub use native::{Error, Native, Span, Tests, native};
pub use overlay::Overlay;
pub use package::Target;
pub use place::{Home, home};
pub use problem::Problem;
pub use toolchain::Toolchain;

/// The target that is built for.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";
