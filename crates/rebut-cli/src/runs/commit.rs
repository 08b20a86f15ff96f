//! Finds the commit that is checked out by reading the files of Git. A line in a report is not worth
//! starting a process.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the commit that is checked out in the repository around a directory, or `None` if there
/// is no repository or its files have an unknown format.
///
/// ```
/// assert_eq!(rebut_cli::runs::commit(std::path::Path::new("/")), None);
/// ```
#[must_use]
pub fn commit(directory: &Path) -> Option<String> {
    let git = directory.ancestors().map(|directory| directory.join(".git"));
    let git = git.into_iter().find(|git| git.exists())?;
    let own = if git.is_dir() { git } else { linked(&git)? };
    let head = fs::read_to_string(own.join("HEAD")).ok()?;
    let Some(name) = head.trim().strip_prefix("ref: ") else { return plain(&head) };
    // The branches of a linked worktree are in the repository that it belongs to.
    let common = fs::read_to_string(own.join("commondir")).ok();
    let common = common.map_or_else(|| own.clone(), |common| own.join(common.trim()));
    if let Ok(text) = fs::read_to_string(common.join(name)) {
        return plain(&text);
    }
    let packed = fs::read_to_string(common.join("packed-refs")).ok()?;
    let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(_, known)| *known == name).and_then(|(commit, _)| plain(commit))
}

/// Returns the directory of a linked worktree's files, from a file with `gitdir: PATH`.
fn linked(git: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(git).ok()?;
    let path = text.trim().strip_prefix("gitdir: ")?;
    Some(git.parent()?.join(path))
}

/// Returns the text if it is the name of a commit.
fn plain(text: &str) -> Option<String> {
    let text = text.trim();
    let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
    is_hash.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn commits_are_found_as_git_keeps_them() {
        let home = std::env::temp_dir().join(format!("rebut-commit-{}", std::process::id()));
        let _ = fs::remove_dir_all(&home);
        let check = |files: &[(&str, &str)], expected: Option<&str>| {
            for (name, text) in files {
                let path = home.join(name);
                fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
                fs::write(path, text).expect("a file");
            }
            assert_eq!(commit(&home.join("crates/a")).as_deref(), expected, "{files:?}");
            fs::remove_dir_all(&home).expect("removed");
        };
        check(&[(".git/HEAD", &format!("{HASH}\n"))], Some(HASH));
        let branch = (".git/HEAD", "ref: refs/heads/main\n");
        check(&[branch, (".git/refs/heads/main", &format!("{HASH}\n"))], Some(HASH));
        let packed = format!("# pack-refs with: peeled\n{HASH} refs/heads/main\n");
        check(&[branch, (".git/packed-refs", &packed)], Some(HASH));
        check(&[branch], None);
        check(&[(".git/HEAD", "nonsense")], None);
        check(
            &[
                (".git", "gitdir: repository/worktrees/a\n"),
                ("repository/worktrees/a/HEAD", "ref: refs/heads/b\n"),
                ("repository/worktrees/a/commondir", "../..\n"),
                ("repository/refs/heads/b", HASH),
            ],
            Some(HASH),
        );
    }
}
