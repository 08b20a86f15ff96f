//! Finds the name of the dependency `rebut` in the manifest of the package being compiled.
//!
//! A manifest is read as a list of keys with their values, as far as dependencies need it. A
//! crate that parses all of TOML would multiply the time to build the macros.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::written;

/// The name of `rebut` in a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dependency {
    Named(String),
    /// The manifest at this path has no such dependency.
    Missing(String),
    /// There is no manifest to read.
    Unknown,
}

/// Returns the name of the crate `rebut` in the package being compiled.
pub(super) fn dependency() -> Dependency {
    thread_local! {
        static FOUND: RefCell<HashMap<PathBuf, (Rc<str>, Dependency)>> = RefCell::default();
    }
    if !proc_macro::is_available() {
        return Dependency::Unknown;
    }
    let Some(directory) = std::env::var_os("CARGO_MANIFEST_DIR") else {
        return Dependency::Unknown;
    };
    let path = Path::new(&directory).join("Cargo.toml");
    let Some(text) = written::read(&path) else { return Dependency::Unknown };
    FOUND.with_borrow_mut(|found| match found.get(&path) {
        // The text is the same object until the file changes.
        Some((seen, dependency)) if Rc::ptr_eq(seen, &text) => dependency.clone(),
        _ => {
            let read = |path: &Path| written::read(path).map(|text| text.to_string());
            let dependency = find(&path, &text, &read);
            found.insert(path, (text, dependency.clone()));
            dependency
        }
    })
}

/// Finds the dependency in a manifest. `read` reads the manifests in the directories above it.
fn find(path: &Path, text: &str, read: &dyn Fn(&Path) -> Option<String>) -> Dependency {
    let entries = entries(text);
    let value = |path: &[&str]| entries.iter().find(|entry| entry.path == path);
    if value(&["package", "name"]).is_some_and(|name| name.value == "rebut") {
        return Dependency::Named("rebut".to_owned());
    }
    let mut names: Vec<&str> = Vec::new();
    for entry in &entries {
        let Some((name, field)) = in_dependencies(&entry.path) else { continue };
        let is_package = match field {
            Some("package") => entry.value == "rebut",
            _ => name == "rebut" && !is_renamed(&entries, &entry.path, name),
        };
        let is_inherited = || {
            field == Some("workspace")
                && entry.value == "true"
                && package_in_workspace(path, &entries, name, read).as_deref() == Some("rebut")
        };
        if is_package || (name != "rebut" && is_inherited()) {
            names.push(name);
        }
    }
    let own = names.iter().find(|name| **name == "rebut").or(names.first());
    match own {
        Some(name) => Dependency::Named(name.replace('-', "_")),
        None => Dependency::Missing(path.display().to_string()),
    }
}

/// Returns whether the dependency of this name is another package. `path` leads to one of its
/// fields.
fn is_renamed(entries: &[Entry], path: &[String], name: &str) -> bool {
    let table = path.iter().position(|key| key == name).unwrap_or(0);
    entries.iter().any(|entry| {
        entry.path.len() == table + 2
            && entry.path[..=table] == path[..=table]
            && entry.path[table + 1] == "package"
            && entry.value != name
    })
}

/// Returns the name and the field of a dependency, if the path leads into a table of dependencies:
/// `dependencies.name`, `target.'cfg(unix)'.dev-dependencies.name.package`.
fn in_dependencies(path: &[String]) -> Option<(&str, Option<&str>)> {
    let path = match path {
        [target, _, rest @ ..] if target == "target" => rest,
        path => path,
    };
    match path {
        [table, name, fields @ ..] if is_table(table) => {
            Some((name, fields.first().map(String::as_str)))
        }
        _ => None,
    }
}

fn is_table(name: &str) -> bool {
    name.strip_prefix("dev")
        .or(name.strip_prefix("build"))
        .map_or(name, |rest| rest.trim_start_matches(['-', '_']))
        == "dependencies"
}

/// Returns the package of a dependency that the root of the workspace describes.
fn package_in_workspace(
    path: &Path,
    entries: &[Entry],
    name: &str,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Option<String> {
    let own = entries.iter().find(|entry| entry.path == ["package", "workspace"]);
    let directory = path.parent()?;
    let given = own.map(|entry| directory.join(&entry.value).join("Cargo.toml"));
    let above = directory.ancestors().map(|directory| directory.join("Cargo.toml"));
    for path in given.into_iter().chain(above) {
        let Some(text) = read(&path) else { continue };
        let root = self::entries(&text);
        let mut described = root.iter().filter(|entry| {
            entry.path.len() > 2 && entry.path[..3] == ["workspace", "dependencies", name]
        });
        let first = described.next();
        let fields = first.into_iter().chain(described);
        let mut package = None;
        for entry in fields {
            package.get_or_insert_with(|| name.to_owned());
            if entry.path.get(3).is_some_and(|field| field == "package") {
                package = Some(entry.value.clone());
            }
        }
        if package.is_some() {
            return package;
        }
    }
    None
}

/// One value of a manifest. Strings have no quotes, and arrays stay as written.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    path: Vec<String>,
    value: String,
}

/// Reads a manifest. Skips a line that it cannot read.
fn entries(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut table: Vec<String> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix('#') {
            rest = after_line(comment);
        } else if let Some(header) = rest.strip_prefix('[') {
            let (path, after) = keys(header.strip_prefix('[').unwrap_or(header));
            table = path;
            rest = after_line(after);
        } else {
            let (path, after) = keys(rest);
            let Some(after) = after.strip_prefix('=') else {
                rest = after_line(after);
                continue;
            };
            let (value, after) = value(after, |letter| letter == '\n');
            let path = [table.as_slice(), &path].concat();
            add(&mut entries, path, value);
            rest = after_line(after);
        }
    }
    entries
}

/// Adds a value, or the values of an inline table.
fn add(entries: &mut Vec<Entry>, path: Vec<String>, value: &str) {
    let Some(inside) = value.strip_prefix('{').and_then(|value| value.strip_suffix('}')) else {
        let value = value.trim_matches(['"', '\'']).to_owned();
        entries.push(Entry { path, value });
        return;
    };
    let mut rest = inside.trim_start_matches(is_space);
    while !rest.is_empty() {
        let (name, after) = keys(rest);
        let Some(after) = after.strip_prefix('=') else { return };
        let (value, after) = self::value(after, |letter| letter == ',');
        add(entries, [path.as_slice(), &name].concat(), value);
        rest = after.trim_start_matches(|letter| letter == ',' || is_space(letter));
    }
}

fn is_space(letter: char) -> bool {
    letter.is_ascii_whitespace()
}

/// Reads a dotted key. Returns it with the text after it.
fn keys(text: &str) -> (Vec<String>, &str) {
    let mut keys = Vec::new();
    let mut rest = text.trim_start_matches([' ', '\t']);
    loop {
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\''));
        let (key, after) = match quote.and_then(|quote| rest[1..].split_once(quote)) {
            Some(quoted) => quoted,
            None => {
                let is_bare = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
                rest.split_at(rest.find(|letter| !is_bare(letter)).unwrap_or(rest.len()))
            }
        };
        keys.push(key.to_owned());
        rest = after.trim_start_matches([' ', '\t']);
        match rest.strip_prefix('.') {
            Some(next) => rest = next.trim_start_matches([' ', '\t']),
            None => return (keys, rest),
        }
    }
}

/// Reads a value up to a character that ends it outside of strings and brackets. Returns it with
/// the text after it.
fn value(text: &str, is_end: impl Fn(char) -> bool) -> (&str, &str) {
    let (mut at, mut depth, mut end) = (0, 0_u32, None);
    while let Some(letter) = text[at..].chars().next() {
        match letter {
            _ if depth == 0 && is_end(letter) => break,
            '"' | '\'' => {
                at += string_length(&text[at..], letter);
                continue;
            }
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            '#' => {
                if depth == 0 {
                    end.get_or_insert(at);
                }
                at = text[at..].find('\n').map_or(text.len(), |line| at + line);
                continue;
            }
            _ => {}
        }
        at += letter.len_utf8();
    }
    (text[..end.unwrap_or(at)].trim(), &text[at..])
}

/// Returns the length of the string at the start of the text.
fn string_length(text: &str, quote: char) -> usize {
    let long = if quote == '"' { "\"\"\"" } else { "'''" };
    let (open, close) = if text.starts_with(long) { (3, long) } else { (1, &long[..1]) };
    let mut at = open;
    while at < text.len() {
        if text[at..].starts_with(close) {
            return at + close.len();
        }
        let mut letters = text[at..].chars();
        let letter = letters.next();
        at += letter.map_or(1, char::len_utf8);
        if quote == '"' && letter == Some('\\') {
            at += letters.next().map_or(0, char::len_utf8);
        }
    }
    text.len()
}

fn after_line(text: &str) -> &str {
    text.find('\n').map_or("", |end| &text[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(manifest: &str, expected: &str) {
        let root = "[workspace]\nmembers = [\"a\"]\n[workspace.dependencies]\n\
                    rb = { version = \"1\", package = \"rebut\" }\nrebut = \"1\"\nother = \"2\"\n";
        let read = |path: &Path| (path == Path::new("/w/Cargo.toml")).then(|| root.to_owned());
        let found = find(Path::new("/w/a/Cargo.toml"), manifest, &read);
        let expected = match expected {
            "" => Dependency::Missing("/w/a/Cargo.toml".to_owned()),
            name => Dependency::Named(name.to_owned()),
        };
        assert_eq!(found, expected, "{manifest}");
    }

    #[test]
    fn a_dependency_has_the_name_of_its_key() {
        check("[dev-dependencies]\nrebut = \"0.1\"\n", "rebut");
        check("[dependencies]\nrebut = { path = \"..\", features = [\n\"a\", # b ]\n] }", "rebut");
        check("[package]\nname = \"rebut\"\n", "rebut");
        check("[dev-dependencies]\nrb = { version = '1', package = 'rebut' }", "rb");
        check("[dev-dependencies]\nmy-rebut.package = \"rebut\" # renamed\r\n", "my_rebut");
        check("[dev-dependencies.rb]\nversion = \"1\"\npackage = \"rebut\"\n", "rb");
        check("[target.'cfg(a = \"b\")'.dev-dependencies]\nrb = { package = \"rebut\" }", "rb");
        check("[target.x86_64-unknown-linux-gnu.dependencies.rebut]\npath = \".\"", "rebut");
        check("dependencies = { a = \"1\", rb = { package = \"rebut\" } }", "rb");
        check("[dependencies]\na = \"1\"\r\n[dev_dependencies]\r\nrebut = \"1\"\r\n", "rebut");
    }

    #[test]
    fn the_key_rebut_is_taken_first() {
        check("[dependencies]\nrb = { package = \"rebut\" }\nrebut = \"1\"", "rebut");
        check(
            "[dependencies]\nrebut = { package = \"other\" }\nrb = { package = \"rebut\" }",
            "rb",
        );
    }

    #[test]
    fn a_workspace_can_rename_the_dependency() {
        check("[dev-dependencies]\nrb.workspace = true", "rb");
        check("[dev-dependencies]\nrb = { workspace = true, features = [\"regex\"] }", "rb");
        check("[dev-dependencies]\nrebut.workspace = true", "rebut");
        check("[dev-dependencies]\nother.workspace = true", "");
        check("[package]\nworkspace = \"..\"\n[dev-dependencies]\nrb.workspace = true", "rb");
    }

    #[test]
    fn other_tables_have_no_dependencies() {
        check("[features]\nrebut = []\n[package.metadata.dependencies]\nrebut = 1", "");
        check("description = \"\"\"\n[dependencies]\nrebut = 1\n\"\"\"\n", "");
        check("# [dependencies]\n# rebut = 1\n[dependencies]\n\"a\" = \"rebut\"", "");
        check("", "");
    }

    #[test]
    fn broken_manifests_are_read_to_their_end() {
        for text in ["[", "a", "a =", "a = \"", "a = {", "a = [", "[a.", "= 3", "a = { b", "é = 'é"]
        {
            let _ = entries(text);
        }
    }
}
