//! Records the command and the commit of a campaign, for the head of its report.

use crate::words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::{self, Workspace};
use rebut_report::{Event, RunLine, rfc3339};
use std::fs;
use std::time::SystemTime;

/// Writes the command and the commit to a file in the directory of the group, if a test has created
/// that directory.
pub(super) fn record(workspace: &Workspace, group: &str, begun: SystemTime) -> Result<(), Failure> {
    let Some(directory) = runs::directory_of_group(&workspace.home(), group) else {
        return Ok(());
    };
    let since = begun.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let line = Event::Run(RunLine {
        start: rfc3339(since),
        group: group.to_owned(),
        process: std::process::id().into(),
        manifest_dir: workspace.root.to_string_lossy().into_owned(),
        command: Some(command(std::env::args())),
        commit: runs::commit(&workspace.root),
        ..RunLine::new(env!("CARGO_PKG_VERSION"))
    });
    let path = directory.join("command.jsonl");
    let failed = |error| Failure::new(Exit::File, words::file_failed(&path, "write", error));
    fs::write(&path, line.to_line(None)).map_err(failed)?;
    runs::prune_campaigns(&workspace.home());
    Ok(())
}

/// The command as a user would type it.
fn command(words: impl Iterator<Item = String>) -> String {
    let mut command = "cargo rebut".to_owned();
    // Cargo passes the name of the subcommand as the first argument.
    for word in words.skip(1).skip_while(|word| word == "rebut") {
        let is_plain = |c: char| c.is_alphanumeric() || "-_=./:,+@".contains(c);
        match !word.is_empty() && word.chars().all(is_plain) {
            true => command += &format!(" {word}"),
            false => command += &format!(" '{}'", word.replace('\'', "'\\''")),
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_pasted_into_a_shell() {
        let pasted = |words: &[&str]| command(words.iter().map(|word| (*word).to_owned()));
        assert_eq!(pasted(&["cargo-rebut", "rebut", "test"]), "cargo rebut test");
        assert_eq!(pasted(&["rebut", "test", "--time", "5s"]), "cargo rebut test --time 5s");
        assert_eq!(
            pasted(&["x", "test", "a b", "it's", ""]),
            "cargo rebut test 'a b' 'it'\\''s' ''"
        );
    }
}
