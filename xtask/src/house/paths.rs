//! Paths in the documents for contributors exist.
//!
//! A document names a file in full where it introduces it, and shorter afterwards. A short path is
//! looked for near the paths that the same section, paragraph or row named before it.

use super::House;
use super::document::{area_of, code_spans};

const DOCUMENTS: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Endings of files that the documents name without a directory.
const ENDINGS: &[&str] = &[".rs", ".md", ".toml", ".js", ".css", ".html", ".lock", ".json", ".yml"];

/// Paths that are not in the repository, with the reason. A path below one of them is not either.
const NOT_HERE: &[(&str, &str)] = &[
    (".rebut/", "written by runs"),
    ("target/rebut/", "written by runs"),
    ("target", "written by cargo"),
    ("tests/", "a directory of a user's package"),
    ("report.html", "written by a command"),
    ("rebut.toml", "a file of users"),
    ("bench/results/NAME.md", "a pattern"),
    ("foo.rs", "an example"),
    ("foo/", "an example"),
    ("mod.rs", "there must be none"),
    ("src/name.rs", "a pattern"),
];

pub(super) fn complaints(house: &House<'_>) -> Vec<String> {
    let mut complaints = Vec::new();
    for document in DOCUMENTS {
        let text = house.text(document);
        let missing = missing(house, text).into_iter();
        complaints.extend(missing.map(|(line, path)| {
            format!(
                "{document}:{line}: `{path}` does not exist, or is not near a path that the text \
                 named before"
            )
        }));
    }
    let texts: Vec<&str> = DOCUMENTS.iter().map(|document| house.text(document)).collect();
    for (path, _) in NOT_HERE {
        if !texts.iter().any(|text| text.contains(path)) {
            complaints.push(format!(
                "no document names `{path}`; remove it from `NOT_HERE` in xtask/src/house/paths.rs"
            ));
        }
    }
    complaints
}

/// The paths that a document names and that are not there, with their lines.
fn missing<'a>(house: &House<'_>, text: &'a str) -> Vec<(usize, &'a str)> {
    let mut missing = Vec::new();
    let mut near = Near::default();
    let mut is_code = false;
    for (index, line) in text.lines().enumerate() {
        is_code ^= line.trim_start().starts_with("```");
        if is_code {
            continue;
        }
        let area = area_of(line);
        if line.starts_with('#') || area.is_some() {
            near = Near::default();
        }
        near.start_row(line.starts_with('|'));
        if let Some(area) = area.filter(|area| house.has_path(area)) {
            near.add(area);
        }
        for target in link_targets(line) {
            match near.find(house, target) {
                Some(path) => near.add(&path),
                None => missing.push((index + 1, target)),
            }
        }
        for span in code_spans(line) {
            if let Some(name) = crate_name(house, span) {
                near.add(&format!("crates/{name}"));
            } else if !is_path(span) {
                continue;
            } else if let Some(path) = near.find(house, span) {
                near.add(&path);
            } else if !is_not_here(span) {
                missing.push((index + 1, span));
            }
        }
    }
    missing
}

/// The crate that `rebut-run` or `rebut_run::run_test` names.
fn crate_name(house: &House<'_>, span: &str) -> Option<String> {
    let name = span.split("::").next().unwrap_or_default().replace('_', "-");
    house.has_path(&format!("crates/{name}")).then_some(name)
}

fn is_not_here(path: &str) -> bool {
    NOT_HERE
        .iter()
        .any(|(known, _)| path == *known || known.ends_with('/') && path.starts_with(known))
}

/// Whether inline code is a path.
fn is_path(span: &str) -> bool {
    let is_plain = span.chars().all(|char| char.is_ascii_alphanumeric() || "_-./".contains(char));
    let is_file = span.contains('/') || ENDINGS.iter().any(|ending| span.ends_with(ending));
    is_plain && is_file && !span.contains("..") && !span.starts_with(['/', '-'])
}

/// The targets of links to files.
fn link_targets(line: &str) -> Vec<&str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let files = targets.map(|target| target.split('#').next().unwrap_or_default());
    files.filter(|file| !file.is_empty() && !file.contains("://")).collect()
}

/// The directories in which a short path is looked for.
#[derive(Clone, Debug, Default)]
struct Near {
    directories: Vec<String>,
    /// How many of them are from text before the row of a table.
    before_row: Option<usize>,
}

impl Near {
    /// Forgets the directories of the row before.
    fn start_row(&mut self, is_row: bool) {
        if let Some(count) = self.before_row.take() {
            self.directories.truncate(count);
        }
        self.before_row = is_row.then_some(self.directories.len());
    }

    /// Adds a path, the directory that it is in, the directory of a module, and its crate.
    fn add(&mut self, path: &str) {
        let path = path.trim_end_matches('/');
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let mut parts = path.split('/');
        let package = match (parts.next(), parts.next()) {
            (Some("crates"), Some(name)) => format!("crates/{name}"),
            (Some(first), _) => first.to_owned(),
            _ => String::new(),
        };
        for directory in [path.trim_end_matches(".rs"), parent, &package] {
            // Everything is near the root and the directory of all crates.
            if !["", "crates"].contains(&directory)
                && !self.directories.iter().any(|known| known == directory)
            {
                self.directories.push(directory.to_owned());
            }
        }
    }

    /// The full path of a path that was written in full or as its last parts.
    fn find(&self, house: &House<'_>, path: &str) -> Option<String> {
        let full = [path.to_owned(), format!("crates/{path}")];
        if let Some(path) = full.into_iter().find(|path| house.has_path(path)) {
            return Some(path);
        }
        let end = format!("/{}", path.trim_end_matches('/'));
        self.directories.iter().rev().find_map(|directory| {
            let files = house.sources.iter().map(|file| file.path.as_str());
            let inside = files.filter(|file| super::is_at_or_below(file, directory));
            inside.filter_map(|file| ending_with(file, directory.len(), &end)).next()
        })
    }
}

/// The path of the file, or of a directory that it is in, that ends like this.
fn ending_with(file: &str, start: usize, end: &str) -> Option<String> {
    let at = start + file[start..].find(end)?;
    let length = at + end.len();
    let is_whole = matches!(file.as_bytes().get(length), None | Some(b'/'));
    is_whole.then(|| file[..length].to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{files, workspace};
    use super::{is_path, missing};

    fn check(text: &str, expected: &[&str]) {
        let inputs = files(&[
            ("crates/a/src/b.rs", ""),
            ("crates/a/src/b/c.rs", ""),
            ("crates/d/src/e.rs", ""),
            ("docs/f.md", ""),
        ]);
        let found = missing(&inputs.house(), text);
        let paths: Vec<&str> = found.iter().map(|(_, path)| *path).collect();
        assert_eq!(paths, expected, "{text}");
    }

    #[test]
    fn full_paths_exist_below_the_root_or_the_crates() {
        check("`crates/a/src/b.rs` `a/src/b/` `docs/f.md` [f](docs/f.md#x)", &[]);
        check(
            "`crates/a/src/x.rs` `a/x/` [f](docs/x.md) [x](https://x.md)",
            &["docs/x.md", "crates/a/src/x.rs", "a/x/"],
        );
    }

    #[test]
    fn short_paths_are_near_a_path_before_them() {
        check("`c.rs` then `a/src/b.rs` and `c.rs`, `b/c.rs`", &["c.rs"]);
        check("`a/src/b.rs`\n\n# Next\n\n`c.rs`", &["c.rs"]);
        check("**`crates/a`** has `c.rs`.\nInvariant: `e.rs`", &["e.rs"]);
        check("`d` has `e.rs`, `a::b` has `c.rs`", &[]);
    }

    #[test]
    fn rows_of_a_table_do_not_see_each_other() {
        check("| `a/src/b.rs` | `c.rs` |\n| `e.rs` | `d/src/e.rs` | `e.rs` |", &["e.rs"]);
    }

    #[test]
    fn code_blocks_and_other_code_are_not_paths() {
        check("```\n`x.rs`\n```", &[]);
        assert!(is_path("driver/random") && is_path("mood.rs"));
        for other in ["(0..10).map(..)", "cargo test", "a::b", "Domain", "--out", "crates/.."] {
            assert!(!is_path(other), "{other}");
        }
    }

    #[test]
    fn canary_with_a_missing_path_fails() {
        let old = "**`crates/rebut-text`** ";
        let inputs = workspace().with_edit("ARCHITECTURE.md", old, &format!("{old}`canary.rs` "));
        let complaints = inputs.without_code().complaints("paths");
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].contains("`canary.rs` does not exist"), "{complaints:?}");
    }
}
