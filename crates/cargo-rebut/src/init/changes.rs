//! Records the files that `init` changes, so that it can restore them.

use crate::words::init as words;
use rebut_cli::exit::{Exit, Failure};
use std::fs;
use std::path::{Path, PathBuf};

/// The changed files with their original contents.
#[derive(Debug, Default)]
pub(super) struct Changes {
    files: Vec<(PathBuf, Option<Vec<u8>>)>,
    /// Directories that did not exist before.
    folders: Vec<PathBuf>,
}

impl Changes {
    /// Records the contents of a file, or its absence, before it is written.
    pub(super) fn remember(&mut self, path: &Path) {
        if self.files.iter().any(|(known, _)| known == path) {
            return;
        }
        let missing = path.ancestors().skip(1).take_while(|folder| !folder.exists());
        self.folders.extend(missing.map(Path::to_owned));
        self.files.push((path.to_owned(), fs::read(path).ok()));
    }

    /// Records that a directory does not exist, so that it can be removed.
    pub(super) fn remember_folder(&mut self, path: &Path) {
        if !path.exists() {
            self.folders.push(path.to_owned());
        }
    }

    /// Writes a file, and records its previous contents.
    pub(super) fn write(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        let failed =
            |error: std::io::Error| Failure::new(Exit::File, words::not_written(path, error));
        if fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly()) {
            return Err(Failure::new(Exit::File, words::read_only(path)));
        }
        self.remember(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        fs::write(path, text).map_err(failed)
    }

    /// Restores a file.
    pub(super) fn revert(&mut self, path: &Path) {
        let Some(at) = self.files.iter().position(|(known, _)| known == path) else { return };
        let (path, before) = self.files.remove(at);
        restore(&path, before.as_deref());
        self.remove_folders();
    }

    /// Restores all files.
    pub(super) fn revert_all(&mut self) {
        for (path, before) in self.files.drain(..).rev() {
            restore(&path, before.as_deref());
        }
        self.remove_folders();
    }

    /// Removes the directories that did not exist before, if they are empty.
    fn remove_folders(&self) {
        let mut folders: Vec<&PathBuf> = self.folders.iter().collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
        for folder in folders {
            // This fails if the directory contains other files, as it should.
            let _ = fs::remove_dir(folder);
        }
    }

    /// Removes a directory with its contents, if it did not exist before.
    pub(super) fn remove_folder(&self, path: &Path) {
        if self.folders.iter().any(|folder| folder == path) {
            let _ = fs::remove_dir_all(path);
        }
    }
}

fn restore(path: &Path, before: Option<&[u8]>) {
    let _ = match before {
        Some(bytes) => fs::write(path, bytes),
        None => fs::remove_file(path),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_restored() {
        let home = std::env::temp_dir().join(format!("rebut-changes-{}", std::process::id()));
        fs::create_dir_all(&home).expect("a folder");
        fs::write(home.join("old"), "before").expect("a file");
        let mut changes = Changes::default();
        changes.write(&home.join("old"), "after").expect("written");
        changes.write(&home.join("old"), "later").expect("written");
        changes.write(&home.join("deep/er/new"), "new").expect("written");
        changes.revert_all();
        assert_eq!(fs::read_to_string(home.join("old")).expect("a file"), "before");
        assert!(!home.join("deep").exists());
        fs::remove_dir_all(&home).expect("the folder");
    }
}
