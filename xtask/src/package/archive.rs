//! The contents of a packed crate.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::root;
use crate::workspace::Package;

/// The files that every package has besides its sources. `Cargo.toml.orig` is the manifest as it
/// was written, and cargo adds the lock file and the commit.
const FILES: [&str; 7] = [
    "Cargo.toml",
    "Cargo.toml.orig",
    "Cargo.lock",
    ".cargo_vcs_info.json",
    "README.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
];

/// Half as much again as the largest package, `rebut-run` with 330 KiB.
/// crates.io takes up to 10 MiB, but every user downloads these packages.
const SIZE_MAX: u64 = 500 << 10;

/// A packed crate.
#[derive(Debug)]
pub(super) struct Archive {
    name: String,
    path: PathBuf,
    /// In bytes.
    size: u64,
    /// Without the directory that all of them are in.
    files: Vec<String>,
}

impl Archive {
    /// Reads the list of its files.
    pub(super) fn read(directory: &Path, package: &Package) -> Result<Archive, String> {
        let stem = format!("{}-{}", package.name(), package.text("version"));
        let path = directory.join(format!("{stem}.crate"));
        let size = path.metadata().map_err(|error| format!("{}: {error}", path.display()))?.len();
        let listed = tar(&path, &["-tzf"], &[])?;
        let listed = String::from_utf8_lossy(&listed).into_owned();
        let prefix = format!("{stem}/");
        let files = listed.lines().filter_map(|line| line.strip_prefix(&prefix));
        let files = files.map(str::to_owned).collect();
        Ok(Archive { name: package.name().to_owned(), path, size, files })
    }

    /// One line.
    pub(super) fn summary(&self) -> String {
        let kib = self.size.div_ceil(1024);
        format!("{:<20} {:>3} files {kib:>4} KiB", self.name, self.files.len())
    }

    /// Problems of the package.
    pub(super) fn complaints(&self) -> Result<Vec<String>, String> {
        let mut complaints = self.list_complaints();
        for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
            if !self.files.iter().any(|file| file == license) {
                continue;
            }
            let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
            let packed = tar(&self.path, &["-xzOf"], &[&format!("{stem}/{license}")])?;
            let ours = std::fs::read(root().join(license)).map_err(|error| error.to_string())?;
            if packed != ours {
                // As happens where git writes symbolic links as files.
                complaints.push(format!("{}: {license} is not that of the workspace", self.name));
            }
        }
        Ok(complaints)
    }

    fn list_complaints(&self) -> Vec<String> {
        let name = &self.name;
        let is_missing = |file: &&str| !self.files.iter().any(|listed| listed == file);
        let wanted = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];
        let mut complaints: Vec<String> = wanted
            .into_iter()
            .filter(is_missing)
            .map(|file| format!("{name}: the package has no {file}"))
            .collect();
        if !self.files.iter().any(|file| file.starts_with("src/")) {
            complaints.push(format!("{name}: the package has no sources"));
        }
        let is_odd = |file: &&String| !file.starts_with("src/") && !FILES.contains(&file.as_str());
        for file in self.files.iter().filter(is_odd) {
            complaints.push(format!("{name}: the package does not need {file}; see `include`"));
        }
        if self.size > SIZE_MAX {
            complaints.push(format!("{name}: {} bytes are more than {SIZE_MAX}", self.size));
        }
        complaints
    }
}

fn tar(path: &Path, flags: &[&str], files: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new("tar").args(flags).arg(path).args(files).output();
    let output = output.map_err(|error| format!("cannot start tar: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(format!("{}: {}", path.display(), String::from_utf8_lossy(&output.stderr)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(change: impl FnOnce(&mut Archive), complaints: &[&str]) {
        let files = [&FILES[..], &["src/lib.rs"]].concat();
        let mut archive = Archive {
            name: "a".to_owned(),
            path: PathBuf::from("a-1.0.0.crate"),
            size: 1000,
            files: files.into_iter().map(str::to_owned).collect(),
        };
        change(&mut archive);
        assert_eq!(archive.list_complaints(), complaints);
    }

    #[test]
    fn packages_hold_sources_and_license_and_nothing_else() {
        check(|_| (), &[]);
        check(
            |archive| archive.files.retain(|file| file != "README.md"),
            &["a: the package has no README.md"],
        );
        check(
            |archive| archive.files.retain(|file| file != "src/lib.rs"),
            &["a: the package has no sources"],
        );
        check(
            |archive| archive.files.push("tests/a.rs".to_owned()),
            &["a: the package does not need tests/a.rs; see `include`"],
        );
        check(|archive| archive.size = 1 << 20, &["a: 1048576 bytes are more than 512000"]);
    }
}
