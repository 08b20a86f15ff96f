//! Records the command and the commit of a campaign, for the head of its report.

use crate::words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::{self, Workspace};
use serde_json::json;
use std::fs;
use std::time::SystemTime;

/// Writes the command and the commit to a file in the directory of the group, if a test has created
/// that directory.
pub(super) fn record(workspace: &Workspace, group: &str, begun: SystemTime) -> Result<(), Failure> {
    let Some(directory) = runs::directory_of_group(&workspace.home(), group) else {
        return Ok(());
    };
    let since = begun.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let line = json!({
        "event": "run",
        "version": 1,
        "rebut": env!("CARGO_PKG_VERSION"),
        "start": rebut_report::rfc3339(since),
        "group": group,
        "process": std::process::id(),
        "manifest_dir": workspace.root,
        "command": command(std::env::args()),
        "commit": runs::commit(&workspace.root),
    });
    let path = directory.join("command.jsonl");
    let failed = |error| Failure::new(Exit::File, words::file_failed(&path, "write", error));
    fs::write(&path, format!("{line}\n")).map_err(failed)?;
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
