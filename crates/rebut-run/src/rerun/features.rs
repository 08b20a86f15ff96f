//! The flags that select the features of a build.

use super::unit::Features;
use crate::strings;

/// Returns the flags with which cargo builds a package with these features, as short as the
/// manifest of the package allows.
#[inline(never)]
pub(crate) fn flags(features: &Features, manifest: &str) -> Vec<String> {
    let has = |list: &[String], name: &str| list.iter().any(|one| one == name);
    let table = Table::read(manifest);
    let mut flags = Vec::new();
    let mut given = Vec::new();
    if has(&features.active, DEFAULT) {
        given.push(DEFAULT.to_owned());
    } else if has(&features.declared, DEFAULT) {
        flags.push("--no-default-features".to_owned());
    }
    let mut asked: Vec<String> = Vec::new();
    for name in &features.active {
        // Events and reports show the command, and people paste it.
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.');
        if name != DEFAULT && !name.is_empty() && name.chars().all(is_plain) {
            asked.push(name.clone());
        }
    }
    // Leave out each feature that the others enable.
    let mut nth = 0;
    while nth < asked.len() {
        let mut others = given.clone();
        others.extend(
            asked.iter().enumerate().filter(|(n, _)| *n != nth).map(|(_, one)| one.clone()),
        );
        if has(&table.enabled_by(others), &asked[nth]) {
            asked.remove(nth);
        } else {
            nth += 1;
        }
    }
    if !asked.is_empty() {
        flags.push(format!("--features {}", strings::joined(&asked, ",")));
    }
    flags
}

const DEFAULT: &str = "default";

/// The table `[features]` of a manifest.
struct Table {
    /// Each feature with the features that it enables.
    rows: Vec<(String, Vec<String>)>,
}

impl Table {
    /// Reads the table. A row in an unusual form is missing, so its features are listed one by
    /// one in a command.
    fn read(manifest: &str) -> Table {
        let mut rows = Vec::new();
        let mut is_inside = false;
        let mut row = String::new();
        for line in strings::lines(manifest) {
            let line = without_comment(line).trim();
            if row.is_empty() && line.starts_with('[') {
                is_inside = line == "[features]";
                continue;
            }
            if !is_inside {
                continue;
            }
            row.push_str(line);
            if row.ends_with(']') {
                if let Some((name, list)) = strings::split_once(&row, "=") {
                    let name = name.trim().trim_matches('"').to_owned();
                    rows.push((name, quoted(list).iter().filter_map(|one| feature(one)).collect()));
                }
                row.clear();
            }
        }
        Table { rows }
    }

    /// Returns these features, and all that they enable.
    fn enabled_by(&self, mut features: Vec<String>) -> Vec<String> {
        let mut nth = 0;
        while nth < features.len() {
            let row = self.rows.iter().find(|(name, _)| *name == features[nth]);
            for enabled in row.map(|(_, enabled)| enabled.as_slice()).unwrap_or_default() {
                if !features.contains(enabled) {
                    features.push(enabled.clone());
                }
            }
            nth += 1;
        }
        features
    }
}

/// Returns a line without its comment. The name of a feature has no `#`.
fn without_comment(line: &str) -> &str {
    strings::split_once(line, "#").map_or(line, |(before, _)| before)
}

/// Returns the strings in a list. All are in the same kind of quotes.
fn quoted(list: &str) -> Vec<&str> {
    let quote = if strings::find(list, "\"").is_some() { "\"" } else { "'" };
    strings::split(list, quote).into_iter().skip(1).step_by(2).collect()
}

/// Returns the feature that an entry enables: `a` for `a` and `a/b`. `dep:a` and `a?/b` enable
/// none.
fn feature(entry: &str) -> Option<String> {
    let name = strings::split_once(entry, "/").map_or(entry, |(package, _)| package);
    let enables = !name.starts_with("dep:") && !name.ends_with('?');
    enables.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"
[package]
name = "demo" # [features]

[features]
default = ["std"] # the usual ones
std = [
    "alloc",
    "serde?/std",
    "dep:libc",
]
alloc = []
extra = ["alloc"]
full = ["extra", "serde/derive"]
"serde" = ["dep:serde"]

[dependencies]
list = ["full"]
"#;

    #[track_caller]
    fn check(active: &[&str], declared: &[&str], expected: &str) {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let features = Features { active: owned(active), declared: owned(declared) };
        assert_eq!(flags(&features, MANIFEST).join(" "), expected);
    }

    #[test]
    fn features_that_others_enable_are_left_out() {
        let all = ["default", "std", "alloc", "extra", "full", "serde"];
        check(&["default", "std", "alloc"], &all, "");
        check(&["default", "std", "alloc", "extra"], &all, "--features extra");
        check(&["alloc"], &all, "--no-default-features --features alloc");
        check(&[], &all, "--no-default-features");
        check(&all, &all, "--features full");
        check(&["alloc", "serde", "std"], &all, "--no-default-features --features serde,std");
        check(&[], &[], "");
        check(&["a", "$(rm)"], &["a", "$(rm)"], "--features a");
    }

    #[test]
    fn features_are_listed_if_the_manifest_cannot_be_read() {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let active = owned(&["default", "std"]);
        let features = Features { declared: owned(&["default", "std"]), active };
        assert_eq!(flags(&features, "").join(" "), "--features std");
        assert_eq!(flags(&features, "[features]\ndefault = [").join(" "), "--features std");
    }
}
