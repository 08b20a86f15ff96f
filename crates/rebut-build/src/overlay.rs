//! Other contents for some files of a package.
//!
//! A tool that writes tests must run them before it shows them. A package can therefore be built as
//! if some of its files had other contents: in a [shadow](crate::shadow), these files are written
//! and all others are links. The user's files do not change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rebut_protocol::terminal::path_on_one_line;

use crate::Problem;

/// Files of one package that are built with other contents than the user's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlay {
    /// Contents by path; a path is absolute or relative to the directory of the package. Files that
    /// exist are replaced, others are added.
    pub files: BTreeMap<PathBuf, String>,
    /// Whether to add `rebut` to the dev-dependencies, if the package does not depend on it.
    pub adds_rebut: bool,
}

impl Overlay {
    /// Whether the package is built unchanged.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.adds_rebut
    }

    /// The files by path relative to `root`, for the package in the directory `home`.
    pub(crate) fn relative_to<'a>(
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
                    "{} is not in the directory of the package, {}",
                    path_on_one_line(path),
                    path_on_one_line(home)
                ))
            })?;
            files.insert(inside.to_owned(), text.as_str());
        }
        Ok(files)
    }
}

/// Resolves links and `..` in a path, even if the file does not exist yet.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => resolved(folder).join(name),
        _ => path.to_owned(),
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
            let files = overlay.relative_to(Path::new("/all"), Path::new("/all/one"));
            files.map(|files| files.into_keys().next().expect("a file").display().to_string())
        };
        assert_eq!(from("src/lib.rs"), Ok("one/src/lib.rs".to_owned()));
        assert_eq!(from("/all/one/tests/new.rs"), Ok("one/tests/new.rs".to_owned()));
        let problem = from("/all/two/src/lib.rs").expect_err("another package");
        assert!(problem.is_request() && problem.to_string().contains("/all/one"), "{problem}");
    }
}
