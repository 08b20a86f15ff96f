//! Status lines as cargo prints them: a verb, right-aligned and green, and its object.

use crate::color::{Color, colored};
use crate::words::say;
pub use rebut_protocol::terminal::path_on_one_line;
use std::fmt::Display;
use std::path::Path;

/// The column at which cargo's verbs end, so that lines of both programs align.
const VERB_WIDTH: usize = 12;

/// Prints a status line on the standard error.
pub fn status(verb: &str, about: impl Display) {
    say(&line(verb, about, colored(Color::Auto)));
}

/// Returns a status line.
#[must_use]
pub fn line(verb: &str, about: impl Display, is_colored: bool) -> String {
    match is_colored {
        true => format!("\u{1b}[1;32m{verb:>VERB_WIDTH$}\u{1b}[0m {about}"),
        false => format!("{verb:>VERB_WIDTH$} {about}"),
    }
}

/// Formats a path for people: relative if it is in the current directory.
#[must_use]
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let inside = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    match inside {
        Some(inside) if !inside.as_os_str().is_empty() => path_on_one_line(inside),
        _ => path_on_one_line(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_end_in_one_column() {
        assert_eq!(line("Created", "tests/a.rs", false), "     Created tests/a.rs");
        assert_eq!(line("Created", "a", true), "\u{1b}[1;32m     Created\u{1b}[0m a");
    }

    #[test]
    fn paths_below_the_current_directory_are_relative() {
        let here = std::env::current_dir().expect("a directory");
        let inside = here.join("target").join("report.html");
        let shown_inside = Path::new("target").join("report.html").display().to_string();
        assert_eq!(shown(&inside), shown_inside);
        assert_eq!(shown(&here), here.display().to_string());
        assert_eq!(shown(Path::new("elsewhere.rs")), "elsewhere.rs");
    }
}
