//! Keeps cargo from reusing what it built from another directory.
//!
//! Cargo names the artifacts of a path package after its name, its version and its path *relative
//! to the workspace*, and compares only the times of files to see whether they are up to date. A
//! package and its [shadow](crate::shadow), or two packages of one name in a shared target
//! directory, therefore have the same artifacts. After `cargo rebut explore`, `generalize` would
//! get the module of the user's package, in which its own edits are missing.
//!
//! So this module records from which manifest each package was built last, and deletes cargo's
//! fingerprints of a package that was built from another one. Cargo then builds that package again
//! and keeps its dependencies. A target directory for each shadow would also work, but would build
//! the dependencies once more for each of them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The directory, below the target directory, with one record for each package name.
const RECORDS: &str = "built-from";

/// The right to build in a target directory, until it is dropped.
///
/// Cargo takes a lock of its own only when it starts, so another build could come between the
/// record and cargo.
#[derive(Debug)]
pub(crate) struct BuildLock {
    _lock: Option<File>,
}

/// Prepares a target directory for a build of a package from a manifest.
///
/// Without a record, which may be impossible to write, the next build starts over.
pub(crate) fn lock(target_directory: &Path, package: &str, manifest: &Path) -> BuildLock {
    let records = target_directory.join(RECORDS);
    let _ = fs::create_dir_all(&records);
    let _lock = File::create(records.join(".lock")).ok().filter(|file| file.lock().is_ok());
    let record = records.join(package);
    let manifest = manifest.to_string_lossy();
    if fs::read_to_string(&record).is_ok_and(|recorded| recorded == manifest) {
        return BuildLock { _lock };
    }
    for fingerprint in fingerprints(target_directory, package) {
        let _ = fs::remove_dir_all(fingerprint);
    }
    let _ = fs::write(record, manifest.as_bytes());
    BuildLock { _lock }
}

/// Cargo's fingerprint directories of a package, of every profile and target platform.
fn fingerprints(target_directory: &Path, package: &str) -> Vec<PathBuf> {
    let profiles = entries(target_directory);
    let profiles = profiles.iter().flat_map(|entry| entries(entry)).chain(profiles.clone());
    profiles
        .flat_map(|profile| entries(&profile.join(".fingerprint")))
        .filter(|path| {
            path.file_name().is_some_and(|name| belongs_to(package, &name.to_string_lossy()))
        })
        .collect()
}

/// Whether a fingerprint directory, such as `demo-cfceff706f87ab02`, belongs to a package.
fn belongs_to(package: &str, directory: &str) -> bool {
    directory.rsplit_once('-').is_some_and(|(name, _hash)| name == package)
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_manifest_deletes_the_fingerprints_of_the_package_alone() {
        let target =
            std::env::temp_dir().join(format!("rebut-fingerprints-{}", std::process::id()));
        let fingerprint = |profile: &str, name: &str| {
            let directory = target.join(profile).join(".fingerprint").join(name);
            fs::create_dir_all(&directory).expect("a directory");
            directory
        };
        let own = [
            fingerprint("debug", "demo-0123456789abcdef"),
            fingerprint("wasm64-unknown-unknown/debug", "demo-0123456789abcdef"),
        ];
        let other = fingerprint("debug", "demo-extra-0123456789abcdef");
        drop(lock(&target, "demo", Path::new("/a/Cargo.toml")));
        assert!(own.iter().all(|directory| !directory.exists()), "nothing was recorded before");
        fingerprint("debug", "demo-0123456789abcdef");
        drop(lock(&target, "demo", Path::new("/a/Cargo.toml")));
        assert!(own[0].exists(), "the same manifest built it");
        drop(lock(&target, "demo", Path::new("/b/Cargo.toml")));
        assert!(!own[0].exists(), "another manifest builds it now");
        assert!(other.exists());
        fs::remove_dir_all(&target).expect("a directory");
    }
}
