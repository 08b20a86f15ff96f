//! Edits of a manifest that keep everything else unchanged.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};

use crate::rebut_source::tidy;

/// Returns a manifest with another test target; `None` if the text is not a manifest.
///
/// This is necessary where cargo does not discover tests: with `autotests = false`, and in edition
/// 2015 with explicit targets.
#[must_use]
pub fn with_test(text: &str, name: &str, path: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let is_table = !matches!(document.get("test"), Some(Item::Value(_)));
    let added = is_table.then(|| test_table(&mut document, name, path));
    match document.get_mut("test") {
        Some(Item::Value(Value::Array(tests))) => {
            let mut table = InlineTable::new();
            table.insert("name", name.into());
            table.insert("path", path.into());
            tests.push(Value::InlineTable(table));
        }
        Some(Item::ArrayOfTables(tests)) => tests.extend(added),
        Some(_) => return None,
        None => {
            let mut tests = ArrayOfTables::new();
            tests.extend(added);
            document.insert("test", Item::ArrayOfTables(tests));
        }
    }
    Some(document.to_string())
}

/// Returns a table to add at the end of a manifest. A comment at the end stays where it is, as the
/// end of the table before.
pub(crate) fn last_table(document: &mut DocumentMut) -> Table {
    let mut table = Table::new();
    let end = document.trailing().as_str().unwrap_or_default().to_owned();
    if !end.trim().is_empty() {
        let line_break = if end.ends_with('\n') { "" } else { "\n" };
        table.decor_mut().set_prefix(format!("{end}{line_break}\n"));
        document.set_trailing("");
    }
    table
}

fn test_table(document: &mut DocumentMut, name: &str, path: &str) -> Table {
    let mut table = last_table(document);
    table.insert("name", toml_edit::value(name));
    table.insert("path", toml_edit::value(path));
    table
}

/// Returns a manifest that is a workspace of its own; `None` if it inherits from a workspace.
#[must_use]
pub fn with_workspace(text: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    if inherits(document.as_item()) || document.contains_key("workspace") {
        return None;
    }
    let table = last_table(&mut document);
    document.insert("workspace", Item::Table(table));
    Some(document.to_string())
}

/// Whether an entry is `.workspace = true`.
fn inherits(item: &Item) -> bool {
    let Some(table) = item.as_table_like() else { return false };
    table
        .iter()
        .any(|(key, item)| (key == "workspace" && item.as_bool() == Some(true)) || inherits(item))
}

/// Returns a manifest whose dev-dependency on Rebut has a feature; `None` if there is no such
/// dependency, or it is inherited from the workspace.
#[must_use]
pub fn with_feature(text: &str, feature: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let item = dependency(&mut document)?;
    if let Some(version) = item.as_str().map(str::to_owned) {
        let mut table = InlineTable::new();
        table.insert("version", version.into());
        *item = Item::Value(Value::InlineTable(table));
    }
    let table = item.as_table_like_mut()?;
    match table.get_mut("features").and_then(Item::as_array_mut) {
        Some(features) => {
            if !features.iter().any(|one| one.as_str() == Some(feature)) {
                features.push(feature);
            }
        }
        None => {
            table.insert("features", toml_edit::value(Array::from_iter([feature])));
        }
    }
    tidy(item);
    Some(document.to_string())
}

/// Returns a manifest whose dev-dependency on Rebut does not have a feature.
#[must_use]
pub fn without_feature(text: &str, feature: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let item = dependency(&mut document)?;
    let table = item.as_table_like_mut()?;
    let features = table.get_mut("features").and_then(Item::as_array_mut)?;
    features.retain(|one| one.as_str() != Some(feature));
    if features.is_empty() {
        table.remove("features");
    }
    tidy(item);
    Some(document.to_string())
}

fn dependency(document: &mut DocumentMut) -> Option<&mut Item> {
    let keys = ["dev-dependencies", "dev_dependencies"];
    let key = keys.into_iter().find(|key| document.contains_key(key))?;
    document.get_mut(key)?.as_table_like_mut()?.get_mut("rebut")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_target_is_added_in_every_spelling() {
        let entry = "[[test]]\nname = \"properties\"\npath = \"tests/properties.rs\"\n";
        let cases = [
            ("[package]\nname = \"a\"\n", format!("[package]\nname = \"a\"\n\n{entry}")),
            ("[[test]]\nname = \"b\"\n", format!("[[test]]\nname = \"b\"\n\n{entry}")),
            (
                "test = [{ name = \"b\" }]\n",
                "test = [{ name = \"b\" }, { name = \"properties\", path = \"tests/properties.rs\" }]\n"
                    .to_owned(),
            ),
        ];
        for (text, expected) in cases {
            let found = with_test(text, "properties", "tests/properties.rs");
            assert_eq!(found.as_deref(), Some(expected.as_str()), "{text}");
        }
        assert_eq!(with_test("test = 1\n", "a", "b"), None);
    }

    #[test]
    fn a_workspace_is_added_unless_one_is_needed() {
        let text = "[package]\nname = \"a\" # mine\n";
        assert_eq!(with_workspace(text), Some(format!("{text}\n[workspace]\n")));
        assert_eq!(with_workspace("[package]\nversion.workspace = true\n"), None);
        assert_eq!(with_workspace("[dependencies]\na = { workspace = true }\n"), None);
    }

    #[test]
    fn comments_stay_where_they_are() {
        let text = "[dependencies]\na = \"1\"\n# b = \"2\"\n";
        assert_eq!(with_workspace(text), Some(format!("{text}\n[workspace]\n")));
        let added = "[[test]]\nname = \"c\"\npath = \"d\"\n";
        assert_eq!(with_test(text, "c", "d"), Some(format!("{text}\n{added}")));
        let text = format!("{added}# the end");
        assert_eq!(with_test(&text, "c", "d"), Some(format!("{text}\n\n{added}")));
    }

    #[test]
    fn features_are_added_and_removed() {
        let text = "[dev-dependencies]\nrebut = { path = \"x\" }\n";
        let with = with_feature(text, "regex").expect("a table");
        assert_eq!(with, "[dev-dependencies]\nrebut = { path = \"x\", features = [\"regex\"] }\n");
        assert_eq!(without_feature(&with, "regex").as_deref(), Some(text));
        let version = with_feature("[dev-dependencies]\nrebut = \"1\"\n", "regex");
        let expected = "[dev-dependencies]\nrebut = { version = \"1\", features = [\"regex\"] }\n";
        assert_eq!(version.as_deref(), Some(expected));
        assert_eq!(with_feature("[dependencies]\n", "regex"), None);
    }
}
