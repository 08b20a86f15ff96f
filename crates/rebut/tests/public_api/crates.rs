//! The documentation of the crates, and the items that their paths lead to.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The crates whose items `rebut` exports.
const PACKAGES: &[&str] = &[
    "rebut",
    "rebut-choice",
    "rebut-contract",
    "rebut-gen",
    "rebut-macros",
    "rebut-run",
    "rebut-search",
];

/// The documentation of each crate, as rustdoc writes it.
pub(crate) struct Crates {
    by_name: BTreeMap<String, Value>,
}

/// An item of one of the crates.
#[derive(Clone, Copy)]
pub(crate) struct Item<'a> {
    pub(crate) of: &'a str,
    pub(crate) id: u64,
    pub(crate) value: &'a Value,
}

impl<'a> Item<'a> {
    /// Returns the kind, as rustdoc calls it, and its details.
    pub(crate) fn inner(self) -> (&'a str, &'a Value) {
        let (kind, details) = self.value["inner"]
            .as_object()
            .and_then(|inner| inner.iter().next())
            .unwrap_or_else(|| panic!("an item without a kind: {}", self.value));
        (kind, details)
    }

    pub(crate) fn name(self) -> &'a str {
        self.value["name"].as_str().unwrap_or_default()
    }
}

impl Crates {
    /// Documents the crates in a directory of their own: `RUSTC_BOOTSTRAP` would make cargo build
    /// everything in `target` again.
    pub(crate) fn document(folder: &Path) -> Result<Crates, String> {
        let mut command = Command::new(env!("CARGO"));
        command.args(["doc", "--quiet", "--offline", "--no-deps", "--all-features"]);
        for package in PACKAGES {
            command.args(["--package", package]);
        }
        command.arg("--target-dir").arg(folder).current_dir(env!("CARGO_MANIFEST_DIR"));
        command.env("RUSTC_BOOTSTRAP", "1").env_remove("CARGO_ENCODED_RUSTDOCFLAGS");
        command.env("RUSTDOCFLAGS", "-Z unstable-options --output-format json --cap-lints allow");
        let output = command.output().map_err(|error| format!("cargo does not start: {error}"))?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!("rustdoc cannot write JSON:\n{errors}"));
        }
        let mut by_name = BTreeMap::new();
        for package in PACKAGES {
            let name = package.replace('-', "_");
            let file = folder.join("doc").join(format!("{name}.json"));
            let text = std::fs::read(&file).map_err(|error| format!("{file:?}: {error}"))?;
            let json = serde_json::from_slice(&text).map_err(|e| format!("{file:?}: {e}"))?;
            by_name.insert(name, json);
        }
        Ok(Crates { by_name })
    }

    pub(crate) fn root(&self, name: &str) -> Option<Item<'_>> {
        let (name, json) = self.by_name.get_key_value(name)?;
        self.item(name, json["root"].as_u64()?)
    }

    pub(crate) fn item<'a>(&'a self, of: &'a str, id: u64) -> Option<Item<'a>> {
        let value = self.by_name.get(of)?["index"].get(id.to_string())?;
        Some(Item { of, id, value })
    }

    pub(crate) fn items<'a>(&'a self, of: &'a str, ids: &'a Value) -> Vec<Item<'a>> {
        let ids = ids.as_array().map(Vec::as_slice).unwrap_or_default();
        ids.iter().filter_map(|id| self.item(of, id.as_u64()?)).collect()
    }

    /// Returns the public items of a module with their names, those of `pub use` included.
    pub(crate) fn children<'a>(&'a self, module: Item<'a>) -> Vec<(&'a str, Item<'a>)> {
        let mut children = Vec::new();
        for item in self.items(module.of, &module.inner().1["items"]) {
            let (kind, details) = item.inner();
            if kind != "use" {
                children.push((item.name(), item));
                continue;
            }
            let targets = self.targets(item, details);
            if details["is_glob"] == true {
                targets.iter().for_each(|target| children.extend(self.children(*target)));
            } else {
                let name = details["name"].as_str().unwrap_or_default();
                children.extend(targets.into_iter().map(|target| (name, target)));
            }
        }
        children
    }

    /// Returns the items that a `use` imports: a name can stand for a function and a macro.
    fn targets<'a>(&'a self, import: Item<'a>, details: &'a Value) -> Vec<Item<'a>> {
        let local = details["id"].as_u64().and_then(|id| self.item(import.of, id));
        if let Some(local) = local {
            return match local.inner() {
                ("use", details) => self.targets(local, details),
                _ => vec![local],
            };
        }
        let source = details["source"].as_str().unwrap_or_default();
        let mut names = source.split("::");
        let mut found: Vec<Item<'_>> =
            names.next().and_then(|of| self.root(of)).into_iter().collect();
        for name in names {
            let modules = found.into_iter().filter(|item| item.inner().0 == "module");
            let children = modules.flat_map(|module| self.children(module));
            found = children.filter(|child| child.0 == name).map(|child| child.1).collect();
        }
        assert!(!found.is_empty(), "`use {source}` leads to no crate of {PACKAGES:?}");
        found
    }
}
