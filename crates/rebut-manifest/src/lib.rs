//! Edits manifests: adds Rebut to the dev-dependencies of a package.
//!
//! A package that lacks Rebut gets it from where the running command came from: a clone, as long as
//! the clone is there, otherwise the registry. Comments and order in the manifest stay as they are.
//!
//! ```
//! use rebut_manifest::Origin;
//! let origin = Origin::Version("0.1.0".to_owned());
//! let manifest = origin.added_to("[package]\nname = \"demo\"\n").expect("a manifest");
//! assert!(manifest.ends_with("[dev-dependencies]\nrebut = \"0.1.0\"\n"));
//! ```

use std::fmt;
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, InlineTable, Item, Table, TomlError, Value};

/// The text is not a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError(String);

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the manifest cannot be read: {}", self.0)
    }
}

impl std::error::Error for ManifestError {}

/// Where a package that lacks Rebut gets it from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The folder of the sources that this program was built from.
    Folder(PathBuf),
    /// The registry, in this version.
    Version(String),
}

impl Origin {
    /// The sources that this program was built from, if they are still there; otherwise the
    /// registry has the same version.
    #[must_use]
    pub fn own() -> Origin {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(|all| all.join("rebut"));
        match folder.filter(|folder| folder.join("Cargo.toml").is_file()) {
            Some(folder) => Origin::Folder(folder),
            None => Origin::Version(env!("CARGO_PKG_VERSION").to_owned()),
        }
    }

    /// Returns the text of a manifest with Rebut among the dev-dependencies; the same text if it is
    /// there already.
    ///
    /// # Errors
    /// If the text is not a manifest.
    pub fn added_to(&self, manifest: &str) -> Result<String, ManifestError> {
        let mut document: DocumentMut =
            manifest.parse().map_err(|error: TomlError| ManifestError(error.to_string()))?;
        self.add_to(&mut document);
        Ok(document.to_string())
    }

    /// Adds Rebut to the dev-dependencies, unless it is there already.
    pub fn add_to(&self, manifest: &mut DocumentMut) {
        let key = match manifest.contains_key("dev_dependencies") {
            true => "dev_dependencies",
            false => "dev-dependencies",
        };
        let table = manifest.entry(key).or_insert_with(|| Item::Table(Table::new()));
        if let Some(table) = table.as_table_like_mut()
            && !table.contains_key("rebut")
        {
            table.insert("rebut", Item::Value(self.requirement()));
        }
    }

    fn requirement(&self) -> Value {
        match self {
            Origin::Version(version) => version.as_str().into(),
            Origin::Folder(folder) => {
                let mut table = InlineTable::new();
                table.insert("path", folder.display().to_string().into());
                Value::InlineTable(table)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rebut_is_added_where_it_is_missing_and_nothing_else_changes() {
        let version = Origin::Version("1.2.3".to_owned());
        let added = |text: &str| version.added_to(text).expect("a manifest");
        assert_eq!(
            added("[package]\nname = \"a\" # mine\n"),
            "[package]\nname = \"a\" # mine\n\n[dev-dependencies]\nrebut = \"1.2.3\"\n"
        );
        let there = "[dev-dependencies]\nrebut.workspace = true\n";
        assert_eq!(added(there), there);
        let folder = Origin::Folder("/src/rebut".into());
        assert_eq!(
            folder.added_to("[dev-dependencies]\na = \"1\"\n").expect("a manifest"),
            "[dev-dependencies]\na = \"1\"\nrebut = { path = \"/src/rebut\" }\n"
        );
    }

    #[test]
    fn the_sources_are_taken_while_they_are_there() {
        assert!(matches!(Origin::own(), Origin::Folder(folder) if folder.ends_with("rebut")));
    }
}
