//! The files of the repository.

use std::path::Path;

/// Directories that are built or downloaded.
const OMITTED: &[&str] = &[".git", "target", ".venv", ".rebut", "node_modules", "__pycache__"];

/// The paths of all files below `root`, relative to it, with `/` between their parts.
pub(crate) fn list(root: &Path) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    add(root, "", &mut files)?;
    files.sort();
    Ok(files)
}

fn add(directory: &Path, prefix: &str, files: &mut Vec<String>) -> Result<(), String> {
    let cannot = |error| format!("cannot read {}: {error}", directory.display());
    for entry in std::fs::read_dir(directory).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !OMITTED.contains(name)) else { continue };
        let path = format!("{prefix}{name}");
        let kind = entry.file_type().map_err(cannot)?;
        if kind.is_dir() {
            add(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Whether a path matches a pattern: `*` stands for anything but `/`, and `**` at the end for
/// anything below a directory.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    for part in pattern.split('/') {
        if part == "**" {
            return true;
        }
        let Some(name) = parts.next() else { return false };
        let is_match = match part.split_once('*') {
            Some((before, after)) => {
                name.len() >= before.len() + after.len()
                    && name.starts_with(before)
                    && name.ends_with(after)
            }
            None => name == part,
        };
        if !is_match {
            return false;
        }
    }
    parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn star_does_not_cross_directories() {
        assert!(matches("docs/guide/*.md", "docs/guide/start.md"));
        assert!(!matches("docs/guide/*.md", "docs/guide/old/start.md"));
        assert!(!matches("docs/*.md", "docs/guide/start.md"));
        assert!(matches("crates/*/src/**", "crates/rebut/src/a/b.rs"));
        assert!(!matches("crates/*/src/**", "crates/rebut/tests/a.rs"));
        assert!(!matches("README.md", "bench/README.md"));
    }
}
