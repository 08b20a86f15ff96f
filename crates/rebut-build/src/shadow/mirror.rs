//! The files of a shadow: links to those of the user, and files with other contents.
//!
//! Cargo compares times of modification. A link to an old file would seem older than the artifacts
//! that were built while the shadow had other contents there. A file that was once written in a
//! shadow is therefore never a link again: it is a copy that follows the user's file.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Problem;

/// Names that are not linked: the shadow has its own manifests, and the directories are large and
/// unused.
const OWN: [&str; 5] = ["Cargo.toml", "Cargo.lock", "Cargo.lock.original", "target", ".git"];

/// Fills a shadow with links to the files and directories in `root`. The directories above the
/// package, and those above files with other contents, are created instead of linked.
pub(super) struct Mirror<'a> {
    pub(super) root: &'a Path,
    pub(super) shadow: &'a Path,
    /// The directory of the package, relative to `root`.
    pub(super) package_path: &'a Path,
    /// The files with other contents, by path relative to `root`.
    pub(super) files: &'a BTreeMap<PathBuf, &'a str>,
}

impl Mirror<'_> {
    /// Fills the directory `at`, a path relative to the root.
    pub(super) fn fill(&self, at: &Path) -> Result<(), Problem> {
        let (folder, shadow) = (self.root.join(at), self.shadow.join(at));
        if shadow.is_symlink() {
            remove(&shadow)?;
        }
        fs::create_dir_all(&shadow).map_err(|error| Problem::file("create", &shadow, &error))?;
        let mut names: BTreeSet<OsString> = self.created_names(at).collect();
        // A directory that contains only added files does not exist in the root.
        if folder.is_dir() {
            names.extend(entries(&folder)?);
        }
        for name in names.iter().filter(|name| !self.is_own(at, name)) {
            self.mirror_entry(&at.join(name))?;
        }
        for name in entries(&shadow)? {
            if !names.contains(&name) && !self.is_own(at, &name) {
                remove(&shadow.join(name))?;
            }
        }
        Ok(())
    }

    /// Creates one entry of the shadow: a file with other contents, a directory or a link.
    fn mirror_entry(&self, at: &Path) -> Result<(), Problem> {
        let (from, to) = (self.root.join(at), self.shadow.join(at));
        if let Some(text) = self.files.get(at) {
            return write(&to, text);
        }
        let was_written = !to.is_symlink() && to.exists();
        if self.is_created(at) || (was_written && from.is_dir() && to.is_dir()) {
            return self.fill(at);
        }
        if was_written && from.is_file() && to.is_file() {
            let text = fs::read(&from).map_err(|error| Problem::file("read", &from, &error))?;
            return write(&to, text);
        }
        link(&from, &to)
    }

    fn is_own(&self, at: &Path, name: &OsString) -> bool {
        self.package_path.starts_with(at) && OWN.iter().any(|own| name == own)
    }

    /// The paths above which directories are created.
    fn created_paths(&self) -> impl Iterator<Item = &Path> {
        [self.package_path].into_iter().chain(self.files.keys().map(PathBuf::as_path))
    }

    fn is_created(&self, at: &Path) -> bool {
        self.created_paths().any(|path| path.starts_with(at))
    }

    /// The names of the entries of `at` that are created.
    fn created_names(&self, at: &Path) -> impl Iterator<Item = OsString> {
        let below = self.created_paths().filter_map(move |path| path.strip_prefix(at).ok());
        below.filter_map(|path| Some(path.components().next()?.as_os_str().to_owned()))
    }
}

fn entries(folder: &Path) -> Result<Vec<OsString>, Problem> {
    let entries = fs::read_dir(folder).map_err(|error| Problem::file("read", folder, &error))?;
    Ok(entries.flatten().map(|entry| entry.file_name()).collect())
}

/// Removes an entry of a shadow. Of a link, it removes only the link, never its target.
fn remove(path: &Path) -> Result<(), Problem> {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    let removed = match is_folder {
        true => fs::remove_dir_all(path),
        // On some systems a link to a directory is removed like a directory.
        false => fs::remove_file(path).or_else(|_| fs::remove_dir(path)),
    };
    removed.map_err(|error| Problem::file("remove", path, &error))
}

fn link(from: &Path, to: &Path) -> Result<(), Problem> {
    if fs::read_link(to).is_ok_and(|linked| linked == from) {
        return Ok(());
    }
    if to.is_symlink() || to.exists() {
        remove(to)?;
    }
    #[cfg(unix)]
    let linked = std::os::unix::fs::symlink(from, to);
    #[cfg(windows)]
    let linked = if from.is_dir() {
        std::os::windows::fs::symlink_dir(from, to)
    } else {
        std::os::windows::fs::symlink_file(from, to)
    };
    #[cfg(not(any(unix, windows)))]
    let linked: std::io::Result<()> = Err(std::io::ErrorKind::Unsupported.into());
    linked.map_err(|error| Problem::file("create the link", to, &error))
}

/// Writes a file, unless it has these contents already: cargo rebuilds by time of modification.
pub(super) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Problem> {
    let text = text.as_ref();
    if path.is_symlink() {
        // Writing through the link would change the user's file.
        remove(path)?;
    } else if fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(|error| Problem::file("write", path, &error))
}

/// Writes a file that cargo then changes, unless it was written before from the same text.
pub(super) fn write_once(path: &Path, text: &str) -> Result<(), Problem> {
    let original = path.with_extension("lock.original");
    if path.is_file() && fs::read_to_string(&original).is_ok_and(|old| old == text) {
        return Ok(());
    }
    write(path, text)?;
    write(&original, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A temporary directory with a package in `root` and its shadow in `shadow`.
    struct TestFolder(PathBuf);

    impl TestFolder {
        fn new(name: &str) -> TestFolder {
            let folder = std::env::temp_dir().join(format!("rebut-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(folder.join("root/one/src/deep")).expect("a folder");
            for file in ["one/src/lib.rs", "one/src/other.rs", "one/src/deep/a.rs"] {
                fs::write(folder.join("root").join(file), "user").expect("a file");
            }
            TestFolder(folder)
        }

        fn fill(&self, files: &[(&str, &'static str)]) {
            let files = files.iter().map(|(path, text)| (PathBuf::from(path), *text)).collect();
            let (root, shadow) = (self.0.join("root"), self.0.join("shadow"));
            let mirror = Mirror {
                root: &root,
                shadow: &shadow,
                package_path: Path::new("one"),
                files: &files,
            };
            mirror.fill(Path::new("")).expect("a shadow");
        }

        fn text(&self, file: &str) -> Option<String> {
            fs::read_to_string(self.0.join("shadow").join(file)).ok()
        }
    }

    impl Drop for TestFolder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn overlaid_files_do_not_change_the_users_files() {
        let folder = TestFolder::new("overlaid");
        folder.fill(&[]);
        assert!(folder.0.join("shadow/one/src").is_symlink());
        folder.fill(&[("one/src/deep/a.rs", "other"), ("one/tests/new.rs", "new")]);
        assert_eq!(folder.text("one/src/deep/a.rs").as_deref(), Some("other"));
        assert_eq!(folder.text("one/tests/new.rs").as_deref(), Some("new"));
        assert!(folder.0.join("shadow/one/src/lib.rs").is_symlink());
        let user = fs::read_to_string(folder.0.join("root/one/src/deep/a.rs"));
        assert_eq!(user.expect("the file"), "user");
        assert!(!folder.0.join("root/one/tests").exists());
    }

    #[test]
    fn files_without_an_overlay_are_copied_and_not_linked_again() {
        let folder = TestFolder::new("stale");
        folder.fill(&[("one/src/lib.rs", "other"), ("one/tests/new.rs", "new")]);
        folder.fill(&[]);
        assert_eq!(folder.text("one/src/lib.rs").as_deref(), Some("user"));
        assert!(!folder.0.join("shadow/one/src/lib.rs").is_symlink());
        assert_eq!(folder.text("one/tests/new.rs"), None);
        fs::remove_file(folder.0.join("root/one/src/other.rs")).expect("a file");
        folder.fill(&[]);
        assert!(!folder.0.join("shadow/one/src/other.rs").is_symlink());
    }
}
