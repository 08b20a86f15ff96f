//! The lines of the list: `path: kind signature`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::crates::{Crates, Item};
use super::signature;

/// Returns the lines, sorted and without duplicates.
pub(crate) fn lines(crates: &Crates) -> Vec<String> {
    let root = crates.root("rebut").expect("rebut is documented");
    let mut listing = Listing { crates, lines: BTreeSet::new(), paths: BTreeMap::new() };
    listing.module("rebut", root);
    listing.lines.into_iter().collect()
}

struct Listing<'a> {
    crates: &'a Crates,
    lines: BTreeSet<String>,
    /// The path under which an item is described; others refer to it.
    paths: BTreeMap<(&'a str, u64), String>,
}

impl<'a> Listing<'a> {
    fn line(&mut self, path: &str, text: &str) {
        self.lines.insert(format!("{path}: {text}"));
    }

    /// Lists a module. Items come before modules, so that each is described at its shortest path,
    /// and the prelude is last because it has no items of its own.
    fn module(&mut self, path: &str, module: Item<'a>) {
        let mut children = self.crates.children(module);
        let order =
            |(name, item): &(&str, Item<'_>)| (item.inner().0 == "module", *name == "prelude");
        children.sort_by_key(order);
        for (name, item) in children {
            let path = format!("{path}::{name}");
            match item.inner().0 {
                "module" => {
                    self.line(&path, "mod");
                    self.module(&path, item);
                }
                _ => self.item(&path, item),
            }
        }
    }

    fn item(&mut self, path: &str, item: Item<'a>) {
        if let Some(first) = self.paths.get(&(item.of, item.id)) {
            if first != path {
                let text = format!("same as {first}");
                self.line(path, &text);
            }
            return;
        }
        self.paths.insert((item.of, item.id), path.to_owned());
        let (kind, details) = item.inner();
        match kind {
            "struct" => self.structure(path, item, details),
            "enum" => {
                let text = format!(
                    "{}enum{}",
                    attributes(item),
                    signature::generics(&details["generics"])
                );
                self.line(path, &text);
                for variant in self.crates.items(item.of, &details["variants"]) {
                    self.variant(&format!("{path}::{}", variant.name()), variant);
                }
                self.impls(path, item, &details["impls"]);
            }
            "trait" => self.interface(path, item, details),
            _ => {
                let text = describe(item);
                self.line(path, &text);
            }
        }
    }

    fn structure(&mut self, path: &str, item: Item<'a>, details: &'a Value) {
        let kind = &details["kind"];
        let private = match (&kind["plain"], &kind["tuple"]) {
            (Value::Object(plain), _) => plain["has_stripped_fields"] == true,
            (_, Value::Array(fields)) => fields.contains(&Value::Null),
            _ => false,
        };
        let generics = signature::generics(&details["generics"]);
        let private = if private { ", private fields" } else { "" };
        let text = format!("{}struct{generics}{private}", attributes(item));
        self.line(path, &text);
        self.fields(path, item, &kind["plain"]["fields"]);
        self.fields(path, item, &kind["tuple"]);
        self.impls(path, item, &details["impls"]);
    }

    fn fields(&mut self, path: &str, item: Item<'a>, ids: &'a Value) {
        for field in self.crates.items(item.of, ids) {
            let text = format!("field {}", signature::ty(field.inner().1));
            self.line(&format!("{path}::{}", field.name()), &text);
        }
    }

    fn variant(&mut self, path: &str, variant: Item<'a>) {
        let kind = &variant.inner().1["kind"];
        let fields = self.crates.items(variant.of, &kind["tuple"]);
        let types: Vec<_> = fields.iter().map(|field| signature::ty(field.inner().1)).collect();
        let types =
            if types.is_empty() { String::new() } else { format!("({})", types.join(", ")) };
        let text = format!("{}variant{types}", attributes(variant));
        self.line(path, &text);
        self.fields(path, variant, &kind["struct"]["fields"]);
    }

    fn interface(&mut self, path: &str, item: Item<'a>, details: &'a Value) {
        let bounds = signature::bounds(&details["bounds"]);
        let bounds = if bounds.is_empty() { bounds } else { format!(": {bounds}") };
        let text = format!("trait{}{bounds}", signature::generics(&details["generics"]));
        self.line(path, &text);
        for member in self.crates.items(item.of, &details["items"]) {
            let (kind, inner) = member.inner();
            let is_provided = match kind {
                "function" => inner["has_body"] == true,
                "assoc_const" => !inner["value"].is_null(),
                _ => !inner["type"].is_null(),
            };
            let text = format!(
                "{} {}",
                if is_provided { "provided" } else { "required" },
                describe(member)
            );
            self.line(&format!("{path}::{}", member.name()), &text);
        }
        // Types of the crate list their own implementations.
        for implementation in self.crates.items(item.of, &details["implementations"]) {
            let target = &implementation.inner().1["for"]["resolved_path"]["id"];
            let is_local =
                target.as_u64().is_some_and(|id| self.crates.item(item.of, id).is_some());
            if !is_local {
                self.implementation(path, implementation);
            }
        }
    }

    fn impls(&mut self, path: &str, item: Item<'a>, ids: &'a Value) {
        let mut threads = Vec::new();
        for implementation in self.crates.items(item.of, ids) {
            let details = implementation.inner().1;
            let name = details["trait"]["path"].as_str();
            if details["is_synthetic"] == true {
                if let Some(name @ ("Send" | "Sync")) = name {
                    threads.push(format!(
                        "{}{name}",
                        if details["is_negative"] == true { "!" } else { "" }
                    ));
                }
            } else if name.is_some() {
                self.implementation(path, implementation);
            } else {
                self.methods(path, implementation);
            }
        }
        threads.sort();
        if !threads.is_empty() {
            let text = format!("auto {}", threads.join(", "));
            self.line(path, &text);
        }
    }

    fn implementation(&mut self, path: &str, implementation: Item<'a>) {
        let details = implementation.inner().1;
        // The compiler adds `StructuralPartialEq` to each derived `PartialEq`.
        let is_internal = details["trait"]["path"] == "StructuralPartialEq";
        if details["blanket_impl"].is_null() && !is_internal {
            let text = signature::implementation(details);
            self.line(path, &text);
        }
    }

    /// Lists the functions of an `impl` block without a trait, with the bounds of the block.
    fn methods(&mut self, path: &str, block: Item<'a>) {
        let details = block.inner().1;
        let generics = signature::generics(&details["generics"]);
        let block_text = match generics.contains(':') || generics.contains("where") {
            true => format!(" in {}", signature::implementation(details)),
            false => String::new(),
        };
        for member in self.crates.items(block.of, &details["items"]) {
            let text = format!("{}{block_text}", describe(member));
            self.line(&format!("{path}::{}", member.name()), &text);
        }
    }
}

fn attributes(item: Item<'_>) -> &'static str {
    match item.value["attrs"].to_string().contains("non_exhaustive") {
        true => "#[non_exhaustive] ",
        false => "",
    }
}

/// Returns kind and signature of an item without parts of its own.
fn describe(item: Item<'_>) -> String {
    let (kind, details) = item.inner();
    match kind {
        "function" => signature::function(details),
        "constant" => format!("const {}", signature::ty(&details["type"])),
        "assoc_const" => format!("const {}", signature::ty(&details["type"])),
        "type_alias" => format!("type {}", signature::ty(&details["type"])),
        "assoc_type" => {
            let bounds = signature::bounds(&details["bounds"]);
            format!("type{}{bounds}", if bounds.is_empty() { "" } else { ": " })
        }
        "macro" => squeezed(details.as_str().unwrap_or_default()),
        "proc_macro" => {
            let helpers = details["helpers"].as_array().map(Vec::as_slice).unwrap_or_default();
            let helpers: Vec<&str> = helpers.iter().filter_map(Value::as_str).collect();
            let kind = details["kind"].as_str().unwrap_or_default();
            format!("{kind} macro {}", helpers.join(", ")).trim_end().to_owned()
        }
        other => panic!("`{}` is a {other}, which the list does not describe yet", item.name()),
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
