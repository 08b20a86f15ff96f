//! Other text for some files of a package, and where Rebut comes from if the package lacks it.
//!
//! A tool that writes tests wants to know what they do before it shows them. So a package can be
//! built as if some of its files had another text: by way of a [shadow](crate::shadow), in which
//! these files are written and all others are links. The user's files stay as they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, InlineTable, Item, Table, Value};

use crate::Problem;

/// Files of one package that are built with other text than the user's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlay {
    /// The files with their text, by their paths: absolute, or from the folder of the package.
    /// Those that exist are replaced, others are added.
    pub files: BTreeMap<PathBuf, String>,
    /// Whether the package gets `rebut` as a dependency of its tests, if it has none.
    pub adds_rebut: bool,
}

impl Overlay {
    /// Whether the package is built as it is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.adds_rebut
    }

    /// The files by their paths from a folder, for the package whose folder is `home`.
    pub(crate) fn from<'a>(
        &'a self,
        root: &Path,
        home: &Path,
    ) -> Result<BTreeMap<PathBuf, &'a str>, Problem> {
        let mut files = BTreeMap::new();
        for (path, text) in &self.files {
            let whole = home.join(path);
            let resolved = resolved(&whole);
            let inside = [&whole, &resolved].into_iter().find_map(|path| {
                path.starts_with(home).then(|| path.strip_prefix(root).ok()).flatten()
            });
            let inside = inside.ok_or_else(|| {
                Problem::request(format!(
                    "{} is not in the folder of the package, {}",
                    path.display(),
                    home.display()
                ))
            })?;
            files.insert(inside.to_owned(), text.as_str());
        }
        Ok(files)
    }
}

/// A path without links and `..`, also of a file that does not exist yet.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => resolved(folder).join(name),
        _ => path.to_owned(),
    }
}

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

    /// The text of a manifest with Rebut among the dependencies of tests; the same text if it is
    /// there already.
    ///
    /// # Errors
    /// If the text is no manifest.
    pub fn added_to(&self, manifest: &str) -> Result<String, Problem> {
        let mut document: DocumentMut = manifest
            .parse()
            .map_err(|error| Problem::cargo(format!("the manifest cannot be read: {error}")))?;
        self.add_to(&mut document);
        Ok(document.to_string())
    }

    pub(crate) fn add_to(&self, manifest: &mut DocumentMut) {
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
    fn files_of_other_folders_are_refused() {
        let overlay = |path: &str| Overlay {
            files: [(PathBuf::from(path), "text".to_owned())].into(),
            adds_rebut: false,
        };
        let from = |path: &str| {
            let overlay = overlay(path);
            let files = overlay.from(Path::new("/all"), Path::new("/all/one"));
            files.map(|files| files.into_keys().next().expect("a file").display().to_string())
        };
        assert_eq!(from("src/lib.rs"), Ok("one/src/lib.rs".to_owned()));
        assert_eq!(from("/all/one/tests/new.rs"), Ok("one/tests/new.rs".to_owned()));
        let problem = from("/all/two/src/lib.rs").expect_err("another package");
        assert!(problem.is_request() && problem.to_string().contains("/all/one"), "{problem}");
    }

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
