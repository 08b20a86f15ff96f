//! The directories that Rebut writes to: `.rebut`, for saved failures, and `target`.

mod target;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rebut_protocol::hash::fnv1a;
use rebut_protocol::terminal::path_on_one_line;

use crate::database::faults;
use crate::strings;

pub(crate) use target::{is_profile, no_target, target, triple_of};

/// Returns the `.rebut` directory of a crate.
pub(crate) fn rebut_dir(manifest_dir: &str) -> PathBuf {
    current_manifest_dir(manifest_dir).join(".rebut")
}

/// Returns the directory of a crate's manifest. It may have moved since the build; cargo and
/// nextest set a variable with its current location.
pub(crate) fn current_manifest_dir(manifest_dir: &str) -> PathBuf {
    let built = PathBuf::from(manifest_dir);
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(running) if !built.is_dir() => PathBuf::from(running),
        _ => built,
    }
}

/// Returns the root of the workspace of a test. The compiler's path of its file is relative to
/// it.
#[inline(never)]
pub(crate) fn workspace_root(manifest_dir: &str, file: &str) -> Option<PathBuf> {
    let home = current_manifest_dir(manifest_dir);
    if Path::new(file).is_absolute() {
        return home.is_absolute().then_some(home);
    }
    let has_file = |root: &&Path| root.is_absolute() && root.join(file).is_file();
    home.ancestors().find(has_file).map(Path::to_owned)
}

/// Returns a path as a report shows it: relative to the root of the workspace if it is below
/// that.
pub(crate) fn display_path(path: &Path, root: Option<&Path>) -> String {
    match root.and_then(|root| path.strip_prefix(root).ok()) {
        Some(relative) => shown(relative),
        None => without_home(&shown(path)),
    }
}

/// Returns a path as a message shows it.
pub(crate) fn shown(path: &Path) -> String {
    path_on_one_line(path)
}

/// Replaces the user's home directory with `~`, because its name does not belong in a bug report.
pub(crate) fn without_home(path: &str) -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    replaced_home(path, &home).unwrap_or_else(|| path.to_owned())
}

fn replaced_home(path: &str, home: &str) -> Option<String> {
    let home = home.strip_suffix('/').unwrap_or(home);
    let rest = path.strip_prefix(home).filter(|_| !home.is_empty())?;
    rest.starts_with('/').then(|| format!("~{rest}"))
}

/// Creates the directory for the journals of running tests and keeps it out of version control.
/// Failures are meant to be committed, but without failures nothing must show up.
pub(crate) fn create_running(manifest_dir: &str) -> io::Result<PathBuf> {
    let rebut = rebut_dir(manifest_dir);
    create_ignored(&rebut, RUNNING)
}

/// The directory below `.rebut` for files of running tests.
pub(crate) const RUNNING: &str = "running";

/// Creates a directory below `.rebut`. If the directory of the manifest does not exist, that is
/// an error: the binary runs on a machine without the sources.
pub(crate) fn create_below(rebut: &Path, name: &str) -> io::Result<PathBuf> {
    match faults::at("create").and_then(|()| fs::create_dir(rebut)) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(naming(rebut)(error));
        }
        _ => {}
    }
    let folder = rebut.join(name);
    fs::create_dir_all(&folder).map_err(naming(&folder))?;
    Ok(folder)
}

/// Returns a function that puts a path in front of an error: those of the system have none.
pub(crate) fn naming(path: &Path) -> impl FnOnce(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{}: {error}", shown(path)))
}

/// Creates a directory below `.rebut` with a `.gitignore` that keeps it out of version control.
pub(crate) fn create_ignored(rebut: &Path, name: &str) -> io::Result<PathBuf> {
    let folder = create_below(rebut, name)?;
    let ignore = folder.join(IGNORE);
    // It is empty if the disk was full, or if the process was killed while it wrote.
    let is_written = fs::metadata(&ignore).is_ok_and(|file| !file.is_file() || file.len() > 0);
    if !is_written {
        fs::write(&ignore, "*\n").map_err(naming(&ignore))?;
    }
    Ok(folder)
}

/// Reads a regular file of at most `length_max` bytes. Opening a pipe would block forever.
pub(crate) fn read(path: &Path, length_max: u64) -> io::Result<String> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if metadata.len() > length_max {
        return Err(io::Error::other(format!("larger than {length_max} bytes")));
    }
    let bytes = fs::read(path)?;
    String::from_utf8(bytes).map_err(|error| io::Error::other(format!("not valid UTF-8: {error}")))
}

/// The file that keeps a directory out of version control.
pub(crate) const IGNORE: &str = ".gitignore";

/// The maximum length of a name. All file systems accept 255 bytes, and other code adds to the
/// name. A longer name is truncated, and a hash keeps it unique.
const NAME_MAX: usize = 160;

/// Returns the name of a test as a file name: `::` becomes `__`. Adds a hash if that loses
/// information.
pub(crate) fn file_name(test: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let plain = strings::replaced(test, "::", "__");
    let is_short = (1..=NAME_MAX).contains(&plain.len());
    if is_short && plain.chars().all(is_plain) && !plain.starts_with('.') {
        return plain;
    }
    let mut kept = String::new();
    for c in plain.chars().take(NAME_MAX) {
        if c != '.' || !kept.is_empty() {
            strings::push(&mut kept, if is_plain(c) { c } else { '-' });
        }
    }
    format!("{kept}-{}", hash(test))
}

/// Returns a hash that is the same in every process and version.
pub(crate) fn hash(text: &str) -> String {
    format!("{:016x}", fnv1a(text.as_bytes()))
}

/// A directory for one of our own tests, removed when it ends.
#[cfg(test)]
pub(crate) mod scratch {
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicU32, Ordering};

    #[derive(Debug)]
    pub(crate) struct Scratch(PathBuf);

    impl Scratch {
        pub(crate) fn new() -> Scratch {
            static NEXT: AtomicU32 = AtomicU32::new(0);
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("rebut-run-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&path).expect("the directory for temporary files");
            Scratch(path)
        }

        pub(crate) fn path(&self) -> &Path {
            &self.0
        }

        pub(crate) fn text(&self) -> &str {
            self.0.to_str().expect("a directory with a UTF-8 name")
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests_become_valid_file_names() {
        assert_eq!(file_name("a::b::c_d"), "a__b__c_d");
        assert_eq!(file_name("src/a.rs:3"), format!("src-a.rs-3-{}", hash("src/a.rs:3")));
        assert_ne!(file_name("a::größe"), file_name("a::gräße"));
        assert!(!file_name("../../x").starts_with('.'));
        let long = "x".repeat(10_000);
        assert!(file_name(&long).len() < 200);
        assert_ne!(file_name(&long), file_name(&format!("{long}y")));
        assert!(!file_name("").is_empty());
    }

    #[test]
    fn paths_are_relative_to_the_workspace() {
        let scratch = scratch::Scratch::new();
        let file = ["crates", "one", "src", "lib.rs"].join(std::path::MAIN_SEPARATOR_STR);
        let member = scratch.path().join("crates").join("one");
        fs::create_dir_all(member.join("src")).expect("a directory");
        fs::write(scratch.path().join(&file), "").expect("a file");
        let root = workspace_root(member.to_str().expect("UTF-8"), &file);
        assert_eq!(root.as_deref(), Some(scratch.path()));
        let below = member.join(".rebut");
        let expected = ["crates", "one", ".rebut"].join(std::path::MAIN_SEPARATOR_STR);
        assert_eq!(display_path(&below, root.as_deref()), expected);
        assert_eq!(workspace_root(member.to_str().expect("UTF-8"), "elsewhere.rs"), None);
    }

    #[test]
    fn home_directories_are_replaced() {
        let shown = |path: &str, home: &str| replaced_home(path, home);
        assert_eq!(shown("/home/me/demo/a.rs", "/home/me").as_deref(), Some("~/demo/a.rs"));
        assert_eq!(shown("/home/me/demo/a.rs", "/home/me/").as_deref(), Some("~/demo/a.rs"));
        assert_eq!(shown("/home/meadow/a.rs", "/home/me"), None);
        assert_eq!(shown("src/a.rs", "/home/me"), None);
        assert_eq!(shown("/a.rs", ""), None);
        assert_eq!(shown("/a.rs", "/"), None);
    }

    #[test]
    fn ignore_files_are_repaired_if_they_are_empty() {
        let scratch = scratch::Scratch::new();
        let ignored = || {
            let folder = create_ignored(scratch.path(), "running").expect("a directory");
            fs::read_to_string(folder.join(IGNORE)).expect("a file")
        };
        assert_eq!(ignored(), "*\n");
        let write = |text: &str| {
            fs::write(scratch.path().join("running").join(IGNORE), text).expect("a file");
        };
        write("");
        assert_eq!(ignored(), "*\n");
        write("# ours\n");
        assert_eq!(ignored(), "# ours\n", "a file that was edited is kept");
    }

    #[test]
    fn hashes_never_change() {
        assert_eq!(hash(""), "cbf29ce484222325");
        assert_eq!(hash("a"), "af63dc4c8601ec8c");
    }
}
