//! Decides when output is colored.
//!
//! `--color` decides first. Without it, the environment does, as for cargo: a non-empty
//! `NO_COLOR` switches colors off, `CLICOLOR_FORCE` (other than `0`) switches them on, and
//! `CARGO_TERM_COLOR` is `always`, `never` or `auto`. Otherwise only a terminal gets colors.

use clap::ValueEnum;
use std::io::IsTerminal;
use std::process::Command;
use std::sync::OnceLock;

/// When to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless the environment says otherwise
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The value of `--color`, for everything that this process prints.
static CHOSEN: OnceLock<Color> = OnceLock::new();

/// Applies `--color` to all output from here on. Only the first call has an effect.
pub fn choose(color: Color) {
    let _ = CHOSEN.set(color);
}

/// Returns whether to color the standard error.
#[must_use]
pub fn colored(color: Color) -> bool {
    is_colored(color, std::io::stderr().is_terminal(), |name| std::env::var(name).ok())
}

/// Returns whether to color the standard output.
#[must_use]
pub fn colored_stdout(color: Color) -> bool {
    is_colored(color, std::io::stdout().is_terminal(), |name| std::env::var(name).ok())
}

/// Sets whether a command that Rebut starts colors its output, and that of the tests it runs: only
/// if the output is passed on to a terminal or a reader that wants colors.
pub fn pass_on(command: &mut Command, is_colored: bool) -> &mut Command {
    match is_colored {
        true => command.env_remove("NO_COLOR").env("CARGO_TERM_COLOR", "always"),
        false => command.env("NO_COLOR", "1").env("CARGO_TERM_COLOR", "never"),
    }
}

fn is_colored(color: Color, is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> bool {
    let chosen = CHOSEN.get().copied().unwrap_or(Color::Auto);
    match if color == Color::Auto { chosen } else { color } {
        Color::Always => return true,
        Color::Never => return false,
        Color::Auto => {}
    }
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    if is_set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE").as_deref() != Some("0") {
        return true;
    }
    match variable("CARGO_TERM_COLOR").as_deref() {
        Some("always") => true,
        Some("never") => false,
        _ => is_terminal,
    }
}

/// Removes the colors from a line, to compare it with plain output.
#[must_use]
pub fn without_colors(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        // A sequence ends with its first letter.
        let end = after.find(|c: char| c.is_ascii_alphabetic());
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_removed_from_a_line() {
        let line = "\u{1b}[1m\u{1b}[91merror\u{1b}[0m: 1 target failed:";
        assert_eq!(without_colors(line), "error: 1 target failed:");
        assert_eq!(without_colors("plain"), "plain");
        assert_eq!(without_colors("cut \u{1b}[3"), "cut ");
    }

    #[test]
    fn commands_whose_output_is_read_have_no_colors() {
        let mut command = Command::new("test");
        pass_on(&mut command, false);
        let variables: Vec<_> = command.get_envs().collect();
        assert!(variables.contains(&("NO_COLOR".as_ref(), Some("1".as_ref()))), "{variables:?}");
        pass_on(&mut command, true);
        let variables: Vec<_> = command.get_envs().collect();
        assert!(variables.contains(&("NO_COLOR".as_ref(), None)), "{variables:?}");
    }

    #[test]
    fn the_option_beats_the_environment_and_the_environment_beats_the_terminal() {
        let check = |color, is_terminal, variables: &[(&str, &str)], expected| {
            let variable = |name: &str| {
                let found = variables.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(is_colored(color, is_terminal, variable), expected, "{variables:?}");
        };
        check(Color::Auto, true, &[], true);
        check(Color::Auto, false, &[], false);
        check(Color::Auto, true, &[("NO_COLOR", "1")], false);
        check(Color::Auto, true, &[("NO_COLOR", "")], true);
        check(Color::Auto, false, &[("CLICOLOR_FORCE", "1")], true);
        check(Color::Auto, false, &[("CLICOLOR_FORCE", "0")], false);
        check(Color::Auto, false, &[("CARGO_TERM_COLOR", "always")], true);
        check(Color::Auto, true, &[("CARGO_TERM_COLOR", "never")], false);
        check(Color::Auto, true, &[("CARGO_TERM_COLOR", "auto")], true);
        check(Color::Auto, false, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false);
        check(Color::Always, false, &[("NO_COLOR", "1")], true);
        check(Color::Never, true, &[("CARGO_TERM_COLOR", "always")], false);
    }
}
