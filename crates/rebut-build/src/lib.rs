//! Builds the tests of a crate for WebAssembly, where Rebut explores them.
//!
//! [`Toolchain::find`] looks for a compiler with the sources of its standard library. It builds the
//! library for `wasm64-unknown-unknown` once and keeps it in the user's cache directory. Where that
//! is not possible, it falls back to `wasm32-unknown-unknown`, for which compilers have a library,
//! and where a `usize` has 32 bits ([`Toolchain::pointer_width`]). [`build`] then runs cargo, which
//! builds each test target of the packages that use Rebut as one [`Module`].
//!
//! Some dev-dependencies cannot be built for WebAssembly: a benchmark harness, an executor of
//! futures, C code. The package is then built again from a shadow, a copy whose manifest omits
//! those dependencies. A target that needs them is [skipped](SkippedTarget), with the reason.
//!
//! This crate never changes sources and manifests of the user. It writes only to the target
//! directory and the cache directory. It downloads nothing except through cargo, and installs
//! nothing.
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

mod build;
mod cargo;
mod conditional;
mod fingerprints;
mod module;
mod native;
mod overlay;
mod package;
mod platform;
mod problem;
mod shadow;
mod shadow_cache;
mod standard;
mod test_file;
mod toolchain;
mod unsupported;
mod workspace;

pub use build::{Built, SkippedTarget, build};
pub use conditional::{ConditionalCode, ExecutedLines, TargetDifference};
pub use module::{ForeignFunction, Module};
pub use native::{CompilerError, NativePackage, SourceSpan, TestPrograms};
pub use overlay::Overlay;
pub use package::Target;
pub use problem::Problem;
pub use standard::cache_folder;
pub use test_file::TestFile;
pub use toolchain::Toolchain;
pub use unsupported::unsupported_call;
pub use workspace::{Features, Request};
