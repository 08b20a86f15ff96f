//! Remembers which parts of a package a shadow must omit.
//!
//! Finding out that a dependency cannot be built takes as long as building it up to its error. This
//! cache stores the result for the next build, under a hash of everything that it depends on.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::BlockedDependency;
use rebut_protocol::hash::fnv1a;

use crate::shadow::OmittedParts;

/// The cache file of one package.
#[derive(Debug)]
pub(crate) struct ShadowCache {
    path: PathBuf,
    /// The first line of the file. An entry with another key is out of date.
    key: String,
}

impl ShadowCache {
    /// `texts` are everything that decides whether a dependency builds: manifests, the lock file,
    /// features and the compiler.
    pub(crate) fn new(path: PathBuf, texts: &[String]) -> ShadowCache {
        let bytes: Vec<u8> = texts.iter().flat_map(|text| text.bytes().chain([0xFF])).collect();
        let hash = fnv1a(&bytes);
        ShadowCache { path, key: format!("rebut shadow 1 {hash:016x}") }
    }

    /// Reads the file; `None` if there is none, or if it was written for other contents.
    pub(crate) fn load(&self) -> Option<(OmittedParts, Vec<BlockedDependency>)> {
        let text = fs::read_to_string(&self.path).ok()?;
        let mut lines = text.lines();
        if lines.next()? != self.key {
            return None;
        }
        let (mut omitted, mut blocked) = (OmittedParts::default(), Vec::new());
        for line in lines {
            let mut words = line.splitn(4, '\t');
            match (words.next()?, words.next(), words.next(), words.next()) {
                ("programs", ..) => omitted.programs = true,
                ("lacks", Some(name), ..) => omitted.dependencies.push(name.to_owned()),
                ("culprit", Some(name), Some(failed), Some(reason)) => {
                    blocked.push(BlockedDependency {
                        name: name.to_owned(),
                        failed_package: failed.to_owned(),
                        reason: reason.to_owned(),
                    });
                }
                _ => return None,
            }
        }
        Some((omitted, blocked))
    }

    /// Writes the file. A file that cannot be written costs only time in the next build.
    pub(crate) fn store(&self, omitted: &OmittedParts, blocked: &[BlockedDependency]) {
        let mut text = format!("{}\n", self.key);
        if omitted.programs {
            text.push_str("programs\n");
        }
        for name in &omitted.dependencies {
            text.push_str(&format!("lacks\t{name}\n"));
        }
        for BlockedDependency { name, failed_package, reason } in blocked {
            let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
            text.push_str(&format!("culprit\t{name}\t{failed_package}\t{reason}\n"));
        }
        let _ = fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")));
        let _ = fs::write(&self.path, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_valid_until_a_manifest_changes() {
        let path = std::env::temp_dir().join(format!("rebut-shadow-{}", std::process::id()));
        let cache = ShadowCache::new(path.clone(), &["a".to_owned(), "b".to_owned()]);
        assert!(cache.load().is_none());
        let omitted = OmittedParts { dependencies: vec!["tokio".to_owned()], programs: true };
        let blocked = BlockedDependency {
            name: "tokio".into(),
            failed_package: "mio".into(),
            reason: "not\nhere".into(),
        };
        cache.store(&omitted, &[blocked]);
        let (loaded, blocked) = cache.load().expect("it was stored");
        assert_eq!(loaded, omitted);
        assert_eq!(blocked[0].reason, "not here");
        let other = ShadowCache::new(path.clone(), &["ab".to_owned(), String::new()]);
        assert!(other.load().is_none());
        let _ = fs::remove_file(path);
    }
}
