//! The source of Rebut for packages that lack it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use toml_edit::{DocumentMut, InlineTable, Item, Table, TomlError, Value};

use crate::ManifestError;

/// Where a package that lacks Rebut gets it from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The directory of the sources that this program was built from.
    Directory(PathBuf),
    /// A Git repository, at the revision that this program was built from if that is known.
    Git {
        /// Its address.
        url: String,
        /// The revision.
        rev: Option<String>,
    },
    /// The registry, in this version.
    Version(String),
}

impl Origin {
    /// The sources that this program was built from, if they are still there. Otherwise the Git
    /// repository that it was installed from, or the one that its package names. If nothing is
    /// known, the registry.
    #[must_use]
    pub fn own() -> Origin {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(|all| all.join("rebut"));
        let directory = directory.filter(|directory| directory.join("Cargo.toml").is_file());
        match directory {
            // Cargo may delete its own checkouts at any time.
            Some(directory) if is_checkout(&directory) => {
                installed().unwrap_or(Origin::Directory(directory))
            }
            Some(directory) => Origin::Directory(directory),
            None => installed()
                .or_else(repository)
                .unwrap_or_else(|| Origin::Version(env!("CARGO_PKG_VERSION").to_owned())),
        }
    }

    /// The address from which others can get Rebut, if there is one.
    #[must_use]
    pub fn git(&self) -> Option<String> {
        match self {
            Origin::Git { url, .. } => Some(url.clone()),
            Origin::Version(_) => None,
            // The address in the crates' metadata may not exist yet; a clone knows where it is from.
            Origin::Directory(directory) => remote(directory),
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
        tidy(table);
    }

    fn requirement(&self) -> Value {
        let mut table = InlineTable::new();
        match self {
            Origin::Version(version) => return version.as_str().into(),
            Origin::Directory(directory) => {
                table.insert("path", directory.display().to_string().into());
            }
            Origin::Git { url, rev } => {
                table.insert("git", url.as_str().into());
                if let Some(rev) = rev {
                    table.insert("rev", rev.as_str().into());
                }
            }
        }
        Value::InlineTable(table)
    }
}

/// Formats an inline table. A new entry would otherwise have the space of the closing brace before
/// its comma.
pub(crate) fn tidy(item: &mut Item) {
    if let Some(table) = item.as_inline_table_mut() {
        table.fmt();
    }
}

/// Whether cargo checked out this directory to build from it.
fn is_checkout(directory: &Path) -> bool {
    let parts: Vec<_> = directory.components().map(|part| part.as_os_str()).collect();
    parts.windows(2).any(|pair| pair[0] == "git" && pair[1] == "checkouts")
}

/// The repository that `cargo install` got this program from, by cargo's list of installed
/// programs.
fn installed() -> Option<Origin> {
    let root = std::env::current_exe().ok()?.parent()?.parent()?.to_owned();
    let text = fs::read_to_string(root.join(".crates.toml")).ok()?;
    from_list(&text)
}

/// The repository of `cargo-rebut` in a list such as
/// `"cargo-rebut 0.1.0 (git+https://example.org/rebut#0123)" = ["cargo-rebut"]`.
fn from_list(text: &str) -> Option<Origin> {
    let document: DocumentMut = text.parse().ok()?;
    let list = document.get("v1")?.as_table_like()?;
    let entry = list.iter().map(|(key, _)| key).find(|key| key.starts_with("cargo-rebut "))?;
    let source = entry.split_once("(git+")?.1.strip_suffix(')')?;
    let (address, rev) = match source.split_once('#') {
        Some((address, rev)) => (address, Some(rev.to_owned())),
        None => (source, None),
    };
    let url = address.split('?').next().unwrap_or(address).to_owned();
    Some(Origin::Git { url, rev })
}

/// The repository that the package of this program names.
fn repository() -> Option<Origin> {
    let url = env!("CARGO_PKG_REPOSITORY");
    (!url.is_empty()).then(|| Origin::Git { url: url.to_owned(), rev: None })
}

/// The address that a clone was made from, if others can reach it.
fn remote(directory: &Path) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(directory)
        .args(["config", "--get", "remote.origin.url"])
        .output()
        .ok()?;
    let url = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    let is_public = ["https://", "http://", "ssh://", "git@"].iter().any(|it| url.starts_with(it));
    (is_public && !has_secret(&url)).then_some(url)
}

/// Whether an address has a user name or password in it, which must not be written to files.
fn has_secret(url: &str) -> bool {
    url.split_once("://").is_some_and(|(_, rest)| {
        rest.split('/').next().unwrap_or_default().contains('@') && !url.starts_with("ssh://")
    })
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
        let directory = Origin::Directory("/src/rebut".into());
        assert_eq!(
            directory.added_to("[dev-dependencies]\na = \"1\"\n").expect("a manifest"),
            "[dev-dependencies]\na = \"1\"\nrebut = { path = \"/src/rebut\" }\n"
        );
        let git = Origin::Git {
            url: "https://example.org/rebut".to_owned(),
            rev: Some("0a1b".to_owned()),
        };
        assert_eq!(
            git.added_to("").expect("a manifest"),
            "[dev-dependencies]\nrebut = { git = \"https://example.org/rebut\", rev = \"0a1b\" }\n"
        );
    }

    #[test]
    fn dev_dependencies_keep_their_spelling() {
        let version = Origin::Version("1".to_owned());
        for (before, after) in [
            (
                "[dev-dependencies.a]\nversion = \"1\"\n",
                "[dev-dependencies]\nrebut = \"1\"\n[dev-dependencies.a]\nversion = \"1\"\n",
            ),
            (
                "dev-dependencies = { a = \"1\" }\n",
                "dev-dependencies = { a = \"1\", rebut = \"1\" }\n",
            ),
            (
                "dev-dependencies.a = \"1\"\n",
                "dev-dependencies.a = \"1\"\ndev-dependencies.rebut = \"1\"\n",
            ),
            ("[dev_dependencies]\na = \"1\"\n", "[dev_dependencies]\na = \"1\"\nrebut = \"1\"\n"),
        ] {
            assert_eq!(version.added_to(before).as_deref(), Ok(after), "{before}");
        }
    }

    #[test]
    fn the_sources_are_taken_while_they_are_there() {
        assert!(
            matches!(Origin::own(), Origin::Directory(directory) if directory.ends_with("rebut"))
        );
        assert!(is_checkout(Path::new("/home/me/.cargo/git/checkouts/rebut-1f/0a1b/crates/rebut")));
        assert!(!is_checkout(Path::new("/home/me/git/rebut/crates/rebut")));
    }

    #[test]
    fn the_list_of_installed_programs_names_the_repository() {
        let list = "[v1]\n\"other 1.0.0 (registry+https://example.org)\" = [\"other\"]\n\
                    \"cargo-rebut 0.1.0 (git+https://example.org/rebut?branch=main#0a1b)\" = [\"rebut\"]\n";
        let found = Origin::Git {
            url: "https://example.org/rebut".to_owned(),
            rev: Some("0a1b".to_owned()),
        };
        assert_eq!(from_list(list), Some(found));
        assert_eq!(from_list("[v1]\n\"cargo-rebut 0.1.0 (path+file:///x)\" = []\n"), None);
        assert_eq!(from_list("no list"), None);
    }

    #[test]
    fn addresses_with_passwords_are_not_passed_on() {
        assert!(has_secret("https://me:secret@example.org/rebut"));
        assert!(!has_secret("https://example.org/rebut") && !has_secret("git@example.org:rebut"));
    }
}
