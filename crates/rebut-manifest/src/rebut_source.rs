//! The source from which a package gets Rebut.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use toml_edit::{DocumentMut, InlineTable, Item, TomlError, Value};

use crate::ManifestError;
use crate::edit::last_table;

/// The source from which a package gets Rebut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RebutSource {
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

impl RebutSource {
    /// The source of this program: its source directory, if that still exists. Otherwise the Git
    /// repository that it was installed from, or the repository of its package, or the registry.
    #[must_use]
    pub fn of_this_program() -> RebutSource {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(|all| all.join("rebut"));
        let directory = directory.filter(|directory| directory.join("Cargo.toml").is_file());
        match directory {
            // Cargo may delete its own checkouts at any time.
            Some(directory) if is_checkout(&directory) => {
                installed().unwrap_or(RebutSource::Directory(directory))
            }
            Some(directory) => RebutSource::Directory(directory),
            None => installed()
                .or_else(repository)
                .unwrap_or_else(|| RebutSource::Version(env!("CARGO_PKG_VERSION").to_owned())),
        }
    }

    /// The address from which other machines can get Rebut, if there is one.
    #[must_use]
    pub fn git(&self) -> Option<String> {
        match self {
            RebutSource::Git { url, .. } => Some(url.clone()),
            RebutSource::Version(_) => None,
            // The address in the crates' metadata may not exist yet, so use that of the clone.
            RebutSource::Directory(directory) => remote(directory),
        }
    }

    /// Returns the text of a manifest with Rebut among the dev-dependencies; the same text if
    /// they contain it already.
    ///
    /// # Errors
    /// If the text is not a manifest.
    pub fn added_to(&self, manifest: &str) -> Result<String, ManifestError> {
        let mut document: DocumentMut =
            manifest.parse().map_err(|error: TomlError| ManifestError(error.to_string()))?;
        self.add_to(&mut document);
        Ok(document.to_string())
    }

    /// Adds Rebut to the dev-dependencies, unless they contain it.
    pub fn add_to(&self, manifest: &mut DocumentMut) {
        let key = match manifest.contains_key("dev_dependencies") {
            true => "dev_dependencies",
            false => "dev-dependencies",
        };
        if !manifest.contains_key(key) {
            let table = last_table(manifest);
            manifest.insert(key, Item::Table(table));
        }
        let table = &mut manifest[key];
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
            RebutSource::Version(version) => return version.as_str().into(),
            RebutSource::Directory(directory) => {
                table.insert("path", directory.display().to_string().into());
            }
            RebutSource::Git { url, rev } => {
                table.insert("git", url.as_str().into());
                if let Some(rev) = rev {
                    table.insert("rev", rev.as_str().into());
                }
            }
        }
        Value::InlineTable(table)
    }
}

/// Formats an inline table. Otherwise the space before the closing brace ends up in front of the
/// comma of an added entry.
pub(crate) fn tidy(item: &mut Item) {
    if let Some(table) = item.as_inline_table_mut() {
        table.fmt();
    }
}

/// Whether a directory is a checkout of cargo.
fn is_checkout(directory: &Path) -> bool {
    let parts: Vec<_> = directory.components().map(|part| part.as_os_str()).collect();
    parts.windows(2).any(|pair| pair[0] == "git" && pair[1] == "checkouts")
}

/// The repository that this program was installed from, according to cargo's list of installed
/// programs.
fn installed() -> Option<RebutSource> {
    let root = std::env::current_exe().ok()?.parent()?.parent()?.to_owned();
    let text = fs::read_to_string(root.join(".crates.toml")).ok()?;
    from_list(&text)
}

/// The repository of `cargo-rebut` in a list such as
/// `"cargo-rebut 0.1.0 (git+https://example.org/rebut#0123)" = ["cargo-rebut"]`.
fn from_list(text: &str) -> Option<RebutSource> {
    let document: DocumentMut = text.parse().ok()?;
    let list = document.get("v1")?.as_table_like()?;
    let entry = list.iter().map(|(key, _)| key).find(|key| key.starts_with("cargo-rebut "))?;
    let source = entry.split_once("(git+")?.1.strip_suffix(')')?;
    let (address, rev) = match source.split_once('#') {
        Some((address, rev)) => (address, Some(rev.to_owned())),
        None => (source, None),
    };
    let url = address.split('?').next().unwrap_or(address).to_owned();
    Some(RebutSource::Git { url, rev })
}

/// The repository in the metadata of this package.
fn repository() -> Option<RebutSource> {
    let url = env!("CARGO_PKG_REPOSITORY");
    (!url.is_empty()).then(|| RebutSource::Git { url: url.to_owned(), rev: None })
}

/// The address of a clone's remote, if it is public.
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

/// Whether an address contains a user name or password, which must not be written to files.
fn has_secret(url: &str) -> bool {
    url.split_once("://").is_some_and(|(_, rest)| {
        rest.split('/').next().unwrap_or_default().contains('@') && !url.starts_with("ssh://")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_rebut_changes_nothing_else() {
        let version = RebutSource::Version("1.2.3".to_owned());
        let added = |text: &str| version.added_to(text).expect("a manifest");
        assert_eq!(
            added("[package]\nname = \"a\" # mine\n"),
            "[package]\nname = \"a\" # mine\n\n[dev-dependencies]\nrebut = \"1.2.3\"\n"
        );
        let commented = "[dependencies]\na = \"1\"\n# b = \"2\"\n\n# the end\n";
        assert_eq!(
            added(commented),
            format!("{commented}\n[dev-dependencies]\nrebut = \"1.2.3\"\n")
        );
        let before = "[dependencies]\na = \"1\"\n";
        let after = "# releases are small\n[profile.release]\nstrip = true\n";
        let with_profile = added(&format!("{before}\n{after}"));
        assert!(with_profile.starts_with(&format!("{before}\n{after}")), "{with_profile}");
        let existing = "[dev-dependencies]\nrebut.workspace = true\n";
        assert_eq!(added(existing), existing);
        let directory = RebutSource::Directory("/src/rebut".into());
        assert_eq!(
            directory.added_to("[dev-dependencies]\na = \"1\"\n").expect("a manifest"),
            "[dev-dependencies]\na = \"1\"\nrebut = { path = \"/src/rebut\" }\n"
        );
        let git = RebutSource::Git {
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
        let version = RebutSource::Version("1".to_owned());
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
    fn the_source_directory_is_preferred() {
        assert!(
            matches!(RebutSource::of_this_program(), RebutSource::Directory(directory) if directory.ends_with("rebut"))
        );
        assert!(is_checkout(Path::new("/home/me/.cargo/git/checkouts/rebut-1f/0a1b/crates/rebut")));
        assert!(!is_checkout(Path::new("/home/me/git/rebut/crates/rebut")));
    }

    #[test]
    fn the_list_of_installed_programs_names_the_repository() {
        let list = "[v1]\n\"other 1.0.0 (registry+https://example.org)\" = [\"other\"]\n\
                    \"cargo-rebut 0.1.0 (git+https://example.org/rebut?branch=main#0a1b)\" = [\"rebut\"]\n";
        let found = RebutSource::Git {
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
