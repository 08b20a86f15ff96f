//! Edits manifests: adds Rebut to the dev-dependencies of a package, and test targets.
//!
//! A package gets Rebut from the source of the running command ([`RebutSource`]): a clone while it
//! exists, otherwise a Git address or the registry. Comments and order do not change.
//!
//! ```
//! use rebut_manifest::RebutSource;
//! let source = RebutSource::Version("0.1.0".to_owned());
//! let manifest = source.added_to("[package]\nname = \"demo\"\n").expect("a manifest");
//! assert!(manifest.ends_with("[dev-dependencies]\nrebut = \"0.1.0\"\n"));
//! ```

mod edit;
mod rebut_source;

pub use edit::{with_feature, with_test, with_workspace, without_feature};
pub use rebut_source::RebutSource;

use std::fmt;

/// The oldest version of Rust that builds the crate `rebut`.
pub const RUST_VERSION: &str = "1.89";

/// The text is not a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError(String);

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read the manifest: {}", self.0)
    }
}

impl std::error::Error for ManifestError {}
