//! Resolves the names in a crate, and finds the paths by which tests name its items.

use super::source::{Module, Reach, attributes, is_hidden, plain};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use syn::{Item, UseTree};

/// The path of an item from the root of the crate, through the modules that define it.
pub(super) type ItemPath = Vec<String>;

/// The meaning of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    /// An item or module of the crate, and the rest of the path after it.
    Own(ItemPath, Vec<String>),
    /// A path into another crate.
    Outside(Vec<String>),
}

/// The maximum number of imports that are followed for one path. Arbitrary: it only ends a cycle of
/// re-exports. A longer chain is not resolved.
const DEPTH_MAX: usize = 12;

/// Resolves the names in the modules of a crate.
pub(super) struct NameResolver<'a> {
    modules: BTreeMap<&'a [String], &'a Module>,
    imports: BTreeMap<&'a [String], Vec<Import>>,
}

/// One name that a `use` imports.
#[derive(Clone, Debug)]
struct Import {
    path: Vec<String>,
    /// `*` for a glob.
    name: String,
    reach: Reach,
}

impl<'a> NameResolver<'a> {
    pub(super) fn new(modules: &'a [Module]) -> NameResolver<'a> {
        let imports = modules.iter().map(|module| (module.path.as_slice(), imports(module)));
        NameResolver {
            imports: imports.collect(),
            modules: modules.iter().map(|module| (module.path.as_slice(), module)).collect(),
        }
    }

    /// Resolves a path that is written in a module.
    pub(super) fn resolve(&self, module: &[String], path: &[String]) -> Resolved {
        self.resolve_path(module, path, 0).unwrap_or_else(|| Resolved::Outside(path.to_vec()))
    }

    fn resolve_path(&self, module: &[String], path: &[String], depth: usize) -> Option<Resolved> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" | "$crate" => self.resolve_inside(&[], rest, depth),
            "self" => self.resolve_inside(module, rest, depth),
            "super" => {
                self.resolve_inside(module.get(..module.len().checked_sub(1)?)?, rest, depth)
            }
            "std" | "core" | "alloc" => Some(Resolved::Outside(path.to_vec())),
            name => {
                let found = self.resolve_name(module, name, depth);
                match found? {
                    Resolved::Own(item, _) => self.resolve_inside(&item, rest, depth),
                    Resolved::Outside(before) => {
                        Some(Resolved::Outside(before.into_iter().chain(rest.to_vec()).collect()))
                    }
                }
            }
        }
    }

    /// Resolves the rest of a path, after an item.
    fn resolve_inside(&self, item: &[String], rest: &[String], depth: usize) -> Option<Resolved> {
        let Some((name, behind)) = rest.split_first() else {
            return Some(Resolved::Own(item.to_vec(), Vec::new()));
        };
        if name == "super" {
            return self.resolve_inside(item.get(..item.len().checked_sub(1)?)?, behind, depth);
        }
        if !self.modules.contains_key(item) {
            return Some(Resolved::Own(item.to_vec(), rest.to_vec()));
        }
        match self.resolve_name(item, name, depth)? {
            Resolved::Own(found, _) => self.resolve_inside(&found, behind, depth),
            Resolved::Outside(before) => {
                Some(Resolved::Outside(before.into_iter().chain(behind.to_vec()).collect()))
            }
        }
    }

    /// Resolves a single name in a module.
    fn resolve_name(&self, module: &[String], name: &str, depth: usize) -> Option<Resolved> {
        if depth > DEPTH_MAX {
            return None;
        }
        let own: Vec<String> = module.iter().cloned().chain([name.to_owned()]).collect();
        let is_item = self.modules.contains_key(own.as_slice())
            || self
                .modules
                .get(module)?
                .items
                .iter()
                .any(|item| item_name(item) == Some(name.into()));
        if is_item {
            return Some(Resolved::Own(own, Vec::new()));
        }
        let imports = self.imports.get(module)?;
        for import in imports.iter().filter(|import| import.name == name) {
            // `use name;` would resolve to itself.
            if import.path != [name] || module.is_empty() {
                let absolute = self.resolve_import(module, &import.path, depth + 1);
                return absolute.or_else(|| Some(Resolved::Outside(import.path.clone())));
            }
        }
        imports.iter().filter(|import| import.name == "*").find_map(|import| {
            match self.resolve_import(module, &import.path, depth + 1)? {
                Resolved::Own(item, rest) if rest.is_empty() => {
                    self.resolve_name(&item, name, depth + 1)
                }
                _ => None,
            }
        })
    }

    /// Resolves the path of an import. In edition 2015, it starts at the root.
    fn resolve_import(&self, module: &[String], path: &[String], depth: usize) -> Option<Resolved> {
        let begins_with_itself = path.len() > 1 && module.last() == path.first();
        let here = if begins_with_itself { None } else { self.resolve_path(module, path, depth) };
        here.or_else(|| self.resolve_inside(&[], path, depth))
    }

    /// The shortest path by which other crates name each item.
    pub(super) fn public_paths(&self) -> BTreeMap<ItemPath, Vec<String>> {
        let mut found: BTreeMap<ItemPath, Vec<String>> = BTreeMap::new();
        let mut seen: BTreeSet<(ItemPath, Vec<String>)> = BTreeSet::new();
        let mut queue = VecDeque::from([(ItemPath::new(), Vec::new())]);
        while let Some((module, place)) = queue.pop_front() {
            if place.len() > DEPTH_MAX || !seen.insert((module.clone(), place.clone())) {
                continue;
            }
            let Some(read) = self.modules.get(module.as_slice()) else { continue };
            let named = |name: &str| place.iter().cloned().chain([name.to_owned()]).collect();
            for item in &read.items {
                let Some(name) = item_name(item) else { continue };
                if reach(item) == Reach::Public && !is_hidden(attributes(item)) {
                    let path: ItemPath = module.iter().cloned().chain([name.clone()]).collect();
                    keep_shorter(&mut found, path, named(&name));
                }
            }
            for (path, inner) in &self.modules {
                let is_child = path.len() == module.len() + 1 && path.starts_with(&module);
                if is_child && inner.reach == Reach::Public && !inner.is_hidden {
                    queue.push_back((path.to_vec(), named(&path[path.len() - 1])));
                }
            }
            let imports = self.imports.get(module.as_slice()).into_iter().flatten();
            for import in imports.filter(|import| import.reach == Reach::Public) {
                let Some(Resolved::Own(item, rest)) = self.resolve_import(&module, &import.path, 0)
                else {
                    continue;
                };
                if !rest.is_empty() {
                    continue;
                }
                let is_module = self.modules.contains_key(item.as_slice());
                match import.name.as_str() {
                    "*" if is_module => queue.push_back((item, place.clone())),
                    "*" | "_" => {}
                    name if is_module => queue.push_back((item, named(name))),
                    name => keep_shorter(&mut found, item, named(name)),
                }
            }
        }
        found
    }

    /// The paths by which a module at the root of the crate names each item.
    pub(super) fn inner_paths(&self) -> BTreeMap<ItemPath, Vec<String>> {
        let mut found = BTreeMap::new();
        for (path, module) in &self.modules {
            for item in &module.items {
                let Some(name) = item_name(item) else { continue };
                if path.is_empty() || reach(item) != Reach::Private {
                    let path: ItemPath = path.iter().cloned().chain([name]).collect();
                    found.insert(path.clone(), path);
                }
            }
        }
        found
    }
}

fn keep_shorter(found: &mut BTreeMap<ItemPath, Vec<String>>, item: ItemPath, path: Vec<String>) {
    match found.get(&item) {
        Some(known) if known.len() <= path.len() => {}
        _ => {
            found.insert(item, path);
        }
    }
}

/// The name of an item, if it can be part of a path.
pub(super) fn item_name(item: &Item) -> Option<String> {
    Some(plain(match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    }))
}

fn reach(item: &Item) -> Reach {
    Reach::from_visibility(match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        Item::Union(item) => &item.vis,
        _ => return Reach::Private,
    })
}

fn imports(module: &Module) -> Vec<Import> {
    let mut found = Vec::new();
    for item in &module.items {
        match item {
            Item::Use(item) => {
                let reach = Reach::from_visibility(&item.vis);
                flatten(&item.tree, &mut Vec::new(), reach, &mut found);
            }
            Item::ExternCrate(item) => {
                let name = plain(&item.ident);
                let renamed = item.rename.as_ref().map(|(_, name)| plain(name));
                let called = renamed.unwrap_or_else(|| name.clone());
                found.push(Import { path: vec![name], name: called, reach: Reach::Private });
            }
            _ => {}
        }
    }
    found
}

fn flatten(tree: &UseTree, before: &mut Vec<String>, reach: Reach, found: &mut Vec<Import>) {
    let with = |last: String| before.iter().cloned().chain([last]).collect::<Vec<_>>();
    match tree {
        UseTree::Path(path) => {
            before.push(plain(&path.ident));
            flatten(&path.tree, before, reach, found);
            before.pop();
        }
        UseTree::Name(name) if name.ident == "self" => {
            let name = before.last().cloned().unwrap_or_default();
            found.push(Import { path: before.clone(), name, reach });
        }
        UseTree::Name(name) => {
            let name = plain(&name.ident);
            found.push(Import { path: with(name.clone()), name, reach });
        }
        UseTree::Rename(rename) => {
            let name = plain(&rename.rename);
            let path = match rename.ident == "self" {
                true => before.clone(),
                false => with(plain(&rename.ident)),
            };
            found.push(Import { path, name, reach });
        }
        UseTree::Glob(_) => {
            found.push(Import { path: before.clone(), name: "*".to_owned(), reach });
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, reach, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::modules_of_text;
    use super::*;

    #[test]
    fn public_paths_follow_reexports() {
        let modules = modules_of_text(
            "
            pub fn open() {}
            fn closed() {}
            pub mod inner { pub fn deep() {} mod private { pub fn lost() {} } }
            mod codec { pub fn encode() {} pub fn unnamed() {} }
            pub use codec::encode;
            mod all { pub struct It; pub mod under { pub struct Below; } }
            pub use self::all::*;
            mod renamed { pub struct Old; }
            pub use crate::renamed::Old as New;
            #[doc(hidden)] pub fn secret() {}
            pub mod prelude { pub use crate::encode; }
            ",
        );
        let names = NameResolver::new(&modules);
        let mut public: Vec<String> =
            names.public_paths().values().map(|path| path.join("::")).collect();
        public.sort();
        assert_eq!(public, ["It", "New", "encode", "inner::deep", "open", "under::Below"]);
    }

    #[test]
    fn names_resolve_through_circular_imports() {
        let modules = modules_of_text(
            "
            pub mod a { pub use super::b::*; pub struct One; }
            pub mod b { pub use super::a::*; pub struct Two; }
            use a::One as First;
            use std::collections::HashMap;
            ",
        );
        let names = NameResolver::new(&modules);
        let resolve = |module: &[&str], path: &str| {
            let module: Vec<String> = module.iter().map(|&part| part.to_owned()).collect();
            let path: Vec<String> = path.split("::").map(str::to_owned).collect();
            match names.resolve(&module, &path) {
                Resolved::Own(item, _) => item.join("::"),
                Resolved::Outside(path) => format!("outside {}", path.join("::")),
            }
        };
        assert_eq!(resolve(&[], "First"), "a::One");
        assert_eq!(resolve(&["a"], "Two"), "b::Two");
        assert_eq!(resolve(&["a"], "super::b::Two"), "b::Two");
        assert_eq!(resolve(&["b"], "Nowhere"), "outside Nowhere");
        assert_eq!(resolve(&[], "HashMap"), "outside std::collections::HashMap");
        assert_eq!(resolve(&["a"], "String"), "outside String");
    }
}
