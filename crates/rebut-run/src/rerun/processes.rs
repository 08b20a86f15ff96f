//! The processes that started this one, where the system shows them.

use std::path::PathBuf;

use crate::strings;

/// A process above this one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ancestor {
    /// The name of its program, such as `cargo`.
    pub(crate) program: String,
    /// The directory that it was started in.
    pub(crate) directory: PathBuf,
    pub(crate) arguments: Vec<String>,
}

/// The maximum number of processes to look at. Usually the first one is cargo; a runner, a
/// debugger or rustdoc can come between.
const DEPTH_MAX: usize = 6;

/// Returns the processes above this one, the nearest first. Only Linux shows them in files;
/// elsewhere there are none.
#[inline(never)]
pub(crate) fn ancestors() -> Vec<Ancestor> {
    let mut all = Vec::new();
    let mut process = parent();
    while process > 1 && all.len() < DEPTH_MAX {
        let file = |name: &str| format!("/proc/{process}/{name}");
        let text = |name: &str| {
            let bytes = std::fs::read(file(name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let Some((program, parent)) = program_and_parent(&text("stat")) else { break };
        let arguments = text("cmdline");
        let arguments = strings::split(arguments.trim_end_matches('\0'), "\0");
        all.push(Ancestor {
            program,
            directory: std::fs::read_link(file("cwd")).unwrap_or_default(),
            arguments: arguments.into_iter().map(str::to_owned).collect(),
        });
        process = parent;
    }
    all
}

#[cfg(target_os = "linux")]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(target_os = "linux"))]
fn parent() -> u32 {
    0
}

/// Parses `12 (cargo) S 3 ..`. The name may contain parentheses.
fn program_and_parent(stat: &str) -> Option<(String, u32)> {
    let (before, after) = stat.rsplit_once(')')?;
    let (_, program) = strings::split_once(before, "(")?;
    let parent = strings::number(after.split_whitespace().nth(1)?)?;
    Some((program.to_owned(), u32::try_from(parent).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs_may_have_parentheses() {
        let expected = |name: &str| Some((name.to_owned(), 3));
        assert_eq!(program_and_parent("12 (cargo) S 3 12 1"), expected("cargo"));
        assert_eq!(program_and_parent("12 (a) (b) S 3 12 1"), expected("a) (b"));
        assert_eq!(program_and_parent(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_a_parent() {
        let parent = ancestors().into_iter().next().expect("a parent");
        assert!(!parent.program.is_empty() && !parent.arguments.is_empty());
        assert!(parent.directory.is_absolute(), "{parent:?}");
    }
}
