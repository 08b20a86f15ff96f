//! The changes of files, and their patch.

use crate::package::edited_package::EditedPackage;
use rebut_manifest::RebutSource;
use similar::TextDiff;
use std::fs;
use std::path::{Path, PathBuf};

/// A file with its old and new text.
#[derive(Debug)]
pub(crate) struct FileChange {
    pub(crate) path: PathBuf,
    old: String,
    pub(crate) new: String,
}

/// Returns the changed files: the file of the tests, and the manifest if it does not name Rebut.
pub(crate) fn file_changes(package: &EditedPackage, text: &str) -> Vec<FileChange> {
    let mut changes = Vec::new();
    if text == package.original {
        return changes;
    }
    if package.home.rebut.is_none() {
        let path = package.home.folder.join("Cargo.toml");
        let old = fs::read_to_string(&path).unwrap_or_default();
        if let Ok(new) = RebutSource::of_this_program().added_to(&old) {
            changes.push(FileChange { path, old, new });
        }
    }
    changes.push(FileChange {
        path: package.home.folder.join(&package.home.file),
        old: package.original.clone(),
        new: text.to_owned(),
    });
    changes
}

/// Returns changes as a patch, with paths relative to the workspace.
pub(crate) fn patch(root: &Path, changes: &[FileChange]) -> String {
    let mut text = String::new();
    for FileChange { path, old, new } in changes {
        let path = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
        let diff = TextDiff::from_lines(old.as_str(), new.as_str());
        let mut unified = diff.unified_diff();
        unified.context_radius(3).header(&format!("a/{path}"), &format!("b/{path}"));
        text.push_str(&unified.to_string());
    }
    text
}
