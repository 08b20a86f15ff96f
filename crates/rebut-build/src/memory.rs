//! What was found out about a package, kept for the next build.
//!
//! To find out that a dependency cannot be built takes as long as to build it up to its error.
//! So what a shadow has to lack is written down, with the manifests that this was found out for.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::Culprit;
use crate::shadow::{Lacks, fnv1a};

/// The file in which it is kept.
#[derive(Debug)]
pub(crate) struct Memory {
    path: PathBuf,
    /// What it was found out for.
    key: String,
}

impl Memory {
    /// The memory of a package; `texts` are what its dependencies follow from.
    pub(crate) fn new(path: PathBuf, texts: &[String]) -> Memory {
        let hash = fnv1a(texts.iter().flat_map(|text| text.bytes().chain([0xFF])));
        Memory { path, key: format!("rebut shadow 1 {hash:016x}") }
    }

    /// What was found out; none if nothing was, or for other manifests.
    pub(crate) fn recall(&self) -> Option<(Lacks, Vec<Culprit>)> {
        let text = fs::read_to_string(&self.path).ok()?;
        let mut lines = text.lines();
        if lines.next()? != self.key {
            return None;
        }
        let (mut lacks, mut culprits) = (Lacks::default(), Vec::new());
        for line in lines {
            let mut words = line.splitn(4, '\t');
            match (words.next()?, words.next(), words.next(), words.next()) {
                ("programs", ..) => lacks.programs = true,
                ("lacks", Some(name), ..) => lacks.dependencies.push(name.to_owned()),
                ("culprit", Some(name), Some(failed), Some(why)) => culprits.push(Culprit {
                    name: name.to_owned(),
                    failed: failed.to_owned(),
                    why: why.to_owned(),
                }),
                _ => return None,
            }
        }
        Some((lacks, culprits))
    }

    /// Keeps what was found out. Nothing is lost but time if it cannot be written.
    pub(crate) fn keep(&self, lacks: &Lacks, culprits: &[Culprit]) {
        let mut text = format!("{}\n", self.key);
        if lacks.programs {
            text.push_str("programs\n");
        }
        for name in &lacks.dependencies {
            text.push_str(&format!("lacks\t{name}\n"));
        }
        for Culprit { name, failed, why } in culprits {
            let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
            text.push_str(&format!("culprit\t{name}\t{failed}\t{why}\n"));
        }
        let _ = fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")));
        let _ = fs::write(&self.path, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_out_is_known_until_the_manifest_changes() {
        let path = std::env::temp_dir().join(format!("rebut-memory-{}", std::process::id()));
        let memory = Memory::new(path.clone(), &["a".to_owned(), "b".to_owned()]);
        assert!(memory.recall().is_none());
        let lacks = Lacks { dependencies: vec!["tokio".to_owned()], programs: true };
        let culprit =
            Culprit { name: "tokio".into(), failed: "mio".into(), why: "not\nhere".into() };
        memory.keep(&lacks, &[culprit]);
        let (recalled, culprits) = memory.recall().expect("it was kept");
        assert_eq!(recalled, lacks);
        assert_eq!(culprits[0].why, "not here");
        let other = Memory::new(path.clone(), &["ab".to_owned(), String::new()]);
        assert!(other.recall().is_none());
        let _ = fs::remove_file(path);
    }
}
