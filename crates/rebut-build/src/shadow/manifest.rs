//! The manifests of a shadow.

use std::path::Path;

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

use super::OmittedParts;

/// Removes parts from the manifest of a package, and makes its paths absolute.
pub(super) fn omit_parts(manifest: &mut DocumentMut, home: &Path, omitted: &OmittedParts) {
    if let Some(package) = manifest.get_mut("package").and_then(Item::as_table_like_mut) {
        package.remove("workspace");
        if let Some(build) = package.get_mut("build") {
            make_outside_path_absolute(build, home);
        }
        if omitted.programs {
            package.insert("autobins", toml_edit::value(false));
            package.remove("default-run");
        }
    }
    if omitted.programs {
        manifest.remove("bin");
    }
    for DependencyTable { table, is_for_tests } in dependency_tables(manifest) {
        if is_for_tests {
            for name in &omitted.dependencies {
                table.remove(name);
            }
        }
        make_paths_absolute(table, home);
    }
    for kind in ["lib", "bin", "test", "example", "bench"] {
        match manifest.get_mut(kind) {
            Some(Item::ArrayOfTables(targets)) => {
                let paths = targets.iter_mut().filter_map(|target| target.get_mut("path"));
                paths.for_each(|path| make_outside_path_absolute(path, home));
            }
            Some(target) => {
                if let Some(path) = target.get_mut("path") {
                    make_outside_path_absolute(path, home);
                }
            }
            None => {}
        }
    }
}

/// A table such as `[dependencies]` or `[target.'cfg(unix)'.dev-dependencies]`.
struct DependencyTable<'a> {
    table: &'a mut dyn TableLike,
    is_for_tests: bool,
}

/// All dependency tables of a manifest.
fn dependency_tables(manifest: &mut DocumentMut) -> Vec<DependencyTable<'_>> {
    let mut found = Vec::new();
    for (key, item) in manifest.as_table_mut().iter_mut() {
        let key = key.get().to_owned();
        if key == "target" {
            let targets = item.as_table_like_mut().into_iter().flat_map(TableLike::iter_mut);
            for (_, target) in targets {
                let tables = target.as_table_like_mut().into_iter().flat_map(TableLike::iter_mut);
                for (key, item) in tables {
                    found.extend(dependency_table(key.get(), item));
                }
            }
        } else {
            found.extend(dependency_table(&key, item));
        }
    }
    found
}

fn dependency_table<'a>(key: &str, item: &'a mut Item) -> Option<DependencyTable<'a>> {
    let is_for_tests = match key {
        "dependencies" | "build-dependencies" | "build_dependencies" => false,
        "dev-dependencies" | "dev_dependencies" => true,
        _ => return None,
    };
    item.as_table_like_mut().map(|table| DependencyTable { table, is_for_tests })
}

/// Reduces a workspace to one member: the package at `member`, or with `None` the package of the
/// manifest itself.
pub(super) fn set_workspace(manifest: &mut DocumentMut, root: &Path, member: Option<&Path>) {
    let workspace = manifest.entry("workspace").or_insert_with(|| Item::Table(Table::new()));
    if let Some(workspace) = workspace.as_table_like_mut() {
        for key in ["members", "exclude", "default-members"] {
            workspace.remove(key);
        }
        if let Some(member) = member {
            let mut members = Array::new();
            members.push(member.to_string_lossy().replace('\\', "/"));
            workspace.insert("members", toml_edit::value(members));
        }
        if let Some(table) = workspace.get_mut("dependencies").and_then(Item::as_table_like_mut) {
            make_paths_absolute(table, root);
        }
    }
    for key in ["patch", "replace"] {
        let sources = manifest.get_mut(key).and_then(Item::as_table_like_mut);
        for (_, item) in sources.into_iter().flat_map(TableLike::iter_mut) {
            if let Some(table) = item.as_table_like_mut() {
                make_paths_absolute(table, root);
            }
        }
    }
}

/// Makes the paths of dependencies absolute.
fn make_paths_absolute(table: &mut dyn TableLike, home: &Path) {
    for (_, dependency) in table.iter_mut() {
        let dependency = dependency.as_table_like_mut();
        if let Some(path) = dependency.and_then(|dependency| dependency.get_mut("path")) {
            make_absolute(path, home);
        }
    }
}

/// Makes a path absolute if it leaves the package. Other paths are links in the shadow.
fn make_outside_path_absolute(path: &mut Item, home: &Path) {
    if path.as_str().is_some_and(|path| path.contains("..")) {
        make_absolute(path, home);
    }
}

fn make_absolute(path: &mut Item, home: &Path) {
    if let Some(relative) = path.as_str() {
        let joined = home.join(relative).to_string_lossy().into_owned();
        *path = Item::Value(Value::from(joined));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(manifest: &str, omitted: &OmittedParts) -> String {
        let mut manifest: DocumentMut = manifest.parse().expect("a manifest");
        omit_parts(&mut manifest, Path::new("/home/demo"), omitted);
        manifest.to_string()
    }

    #[test]
    fn only_dev_dependencies_are_omitted() {
        let manifest = "\
[dependencies]
tokio = \"1\"

[dev-dependencies]
tokio = \"1\"
rebut = { path = \"../rebut\" }

[target.'cfg(unix)'.dev-dependencies]
tokio = { version = \"1\" }
";
        let omitted = OmittedParts { dependencies: vec!["tokio".to_owned()], programs: false };
        let text = without(manifest, &omitted);
        assert_eq!(text.matches("tokio").count(), 1, "{text}");
        assert!(text.contains("rebut = { path = \"/home/demo/../rebut\" }"), "{text}");
    }

    #[test]
    fn programs_can_be_omitted() {
        let manifest = "[package]\nname = \"demo\"\ndefault-run = \"a\"\n[[bin]]\nname = \"a\"\n";
        let text = without(manifest, &OmittedParts { programs: true, ..OmittedParts::default() });
        assert!(text.contains("autobins = false") && !text.contains("[[bin]]"), "{text}");
        assert!(!text.contains("default-run"), "{text}");
    }

    #[test]
    fn a_workspace_has_one_member_left() {
        let manifest = "\
[workspace]
members = [\"a\", \"b\"]
exclude = [\"c\"]

[workspace.dependencies]
a = { path = \"a\", version = \"1\" }

[patch.crates-io]
c = { path = \"c\" }
";
        let mut manifest: DocumentMut = manifest.parse().expect("a manifest");
        set_workspace(&mut manifest, Path::new("/home/demo"), Some(Path::new("b")));
        let text = manifest.to_string();
        assert!(text.contains("members = [\"b\"]") && !text.contains("exclude"), "{text}");
        assert!(text.contains("path = \"/home/demo/a\""), "{text}");
        assert!(text.contains("path = \"/home/demo/c\""), "{text}");
    }
}
