//! Finds the functions and types of a crate that a first property can be about.
//!
//! Files are read as they stand; what a macro writes is not seen. Functions that touch what lies
//! outside of the program are passed over: nobody wants them called with arguments that were
//! drawn.

use super::value::{Gives, Names, Taken};
use rebut_native::{flatten, text_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Fields, FnArg, GenericParam, Generics, ImplItem, Item, ItemImpl, Pat, Safety,
    Signature, Type, TypeParamBound, Visibility,
};

/// What there is to make claims about.
#[derive(Debug, Default)]
pub(super) struct Crate {
    pub(super) functions: Vec<Function>,
    pub(super) printed: Vec<Printed>,
}

/// A function that others can call.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// From the root of the crate: `["codec", "encode"]`.
    pub(super) path: Vec<String>,
    pub(super) parameters: Vec<(String, Taken)>,
    pub(super) gives: Gives,
    /// Its documentation says when it panics.
    pub(super) says_it_panics: bool,
}

impl Function {
    pub(super) fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}

/// A type that is printed and read again.
#[derive(Clone, Debug)]
pub(super) struct Printed {
    pub(super) path: Vec<String>,
    /// Whether two values can be compared and shown.
    pub(super) compares: bool,
    /// Its fields, if others can make one from them.
    pub(super) fields: Option<Vec<(String, Taken)>>,
}

/// A module, and what it is made of.
struct Module {
    path: Vec<String>,
    is_seen: bool,
    source: Rc<str>,
    items: Vec<Item>,
}

/// A crate with more files is read only in part.
const FILES_MAX: usize = 400;

/// What others see of a library.
pub(super) fn library(file: &Path) -> Crate {
    crate_of(&modules(file), false)
}

/// What tests inside of a program see of it.
pub(super) fn program(file: &Path) -> Crate {
    crate_of(&modules(file), true)
}

/// All files with Rust code below a folder, in order.
pub(super) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn modules(file: &Path) -> Vec<Module> {
    let mut modules = Vec::new();
    let folder = file.parent().unwrap_or(Path::new("."));
    read(file, folder, Vec::new(), true, &mut modules);
    modules
}

/// Reads the file of a module, whose modules have their files in `folder`.
fn read(file: &Path, folder: &Path, path: Vec<String>, is_seen: bool, modules: &mut Vec<Module>) {
    let Ok(text) = fs::read_to_string(file) else { return };
    let Ok(parsed) = syn::parse_file(&text) else { return };
    take(parsed.items, &Rc::from(text), folder, path, is_seen, modules);
}

fn take(
    items: Vec<Item>,
    source: &Rc<str>,
    folder: &Path,
    path: Vec<String>,
    is_seen: bool,
    modules: &mut Vec<Module>,
) {
    let mut inside = Vec::new();
    let (nested, items): (Vec<Item>, Vec<Item>) =
        items.into_iter().partition(|item| matches!(item, Item::Mod(_)));
    modules.push(Module { path: path.clone(), is_seen, source: Rc::clone(source), items });
    for item in nested {
        let Item::Mod(module) = item else { continue };
        if !is_plain(&module.attrs) || modules.len() > FILES_MAX {
            continue;
        }
        let name = module.ident.to_string();
        let is_seen = is_seen && matches!(module.vis, Visibility::Public(_));
        let path: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
        let folder = folder.join(&name);
        match module.content {
            Some((_, items)) => inside.push((items, folder, path, is_seen)),
            None => {
                let beside = folder.with_extension("rs");
                let file = if beside.is_file() { beside } else { folder.join("mod.rs") };
                read(&file, &folder, path, is_seen, modules);
            }
        }
    }
    for (items, folder, path, is_seen) in inside {
        take(items, source, &folder, path, is_seen, modules);
    }
}

/// Whether an item is there whatever the configuration, and meant to be used.
fn is_plain(attributes: &[Attribute]) -> bool {
    let is_odd = |attribute: &Attribute| {
        let path = attribute.path();
        ["cfg", "cfg_attr", "deprecated", "test", "path", "no_mangle"]
            .iter()
            .any(|name| path.is_ident(name))
    };
    !attributes.iter().any(is_odd)
}

fn crate_of(modules: &[Module], sees_all: bool) -> Crate {
    let own = own_types(modules);
    let mut found = Crate::default();
    for module in modules {
        let places =
            if sees_all || module.is_seen { vec![module.path.clone()] } else { Vec::new() };
        let reexports = reexports(modules, module, sees_all);
        for item in &module.items {
            let places = |name: &str| {
                let named = reexports.iter().filter(|(_, leaf)| leaf == name || leaf == "*");
                places.iter().chain(named.map(|(place, _)| place)).next().cloned()
            };
            collect(item, module, &own, sees_all, &places, &mut found);
        }
    }
    let public: BTreeSet<&str> =
        read_types(modules).intersection(&shown_types(modules)).copied().collect();
    found
        .printed
        .retain(|printed| printed.path.last().is_some_and(|name| public.contains(name.as_str())));
    found
}

/// Where else the items of a module that cannot be seen itself are named: the module, and a name.
fn reexports(modules: &[Module], module: &Module, sees_all: bool) -> Vec<(Vec<String>, String)> {
    if module.is_seen || sees_all {
        return Vec::new();
    }
    let mut found = Vec::new();
    for other in modules.iter().filter(|other| other.is_seen) {
        for item in &other.items {
            let Item::Use(item) = item else { continue };
            if !matches!(item.vis, Visibility::Public(_)) {
                continue;
            }
            let mut paths = Vec::new();
            flatten(&item.tree, &mut Vec::new(), &mut paths);
            for path in paths {
                let Some((leaf, before)) = path.split_last() else { continue };
                if resolved(before, &other.path) == module.path {
                    found.push((other.path.clone(), leaf.clone()));
                }
            }
        }
    }
    found
}

/// A path as it is written in some module, from the root.
fn resolved(path: &[String], module: &[String]) -> Vec<String> {
    let mut around = module.to_vec();
    for part in path {
        match part.as_str() {
            "crate" => around.clear(),
            "self" => {}
            "super" => {
                around.pop();
            }
            name => around.push(name.to_owned()),
        }
    }
    around
}

/// The types that the crate has, and whether they can be compared and shown.
fn own_types(modules: &[Module]) -> BTreeMap<String, bool> {
    let mut own = BTreeMap::new();
    for item in modules.iter().flat_map(|module| &module.items) {
        let (name, attributes) = match item {
            Item::Struct(item) => (&item.ident, &item.attrs),
            Item::Enum(item) => (&item.ident, &item.attrs),
            Item::Union(item) => (&item.ident, &item.attrs),
            Item::Type(item) => (&item.ident, &item.attrs),
            Item::Trait(item) => (&item.ident, &item.attrs),
            _ => continue,
        };
        let compares = derives(attributes, "PartialEq") && derives(attributes, "Debug");
        own.insert(name.to_string(), compares);
    }
    own
}

fn derives(attributes: &[Attribute], name: &str) -> bool {
    let mut found = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta.path.segments.last().is_some_and(|last| last.ident == name);
            Ok(())
        });
    }
    found
}

/// The types that a trait with one of these names is implemented for.
fn implementors<'a>(modules: &'a [Module], names: &[&str]) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    for module in modules {
        for item in &module.items {
            let Item::Impl(item) = item else { continue };
            let Some(implemented) = &item.trait_ else { continue };
            let last = implemented.0.segments.last();
            let is_one = last.is_some_and(|last| names.iter().any(|name| last.ident == name));
            if is_one && let Some(name) = name_of(item, &module.source) {
                found.insert(name);
            }
        }
    }
    found
}

fn read_types(modules: &[Module]) -> BTreeSet<&str> {
    implementors(modules, &["FromStr"])
}

fn shown_types(modules: &[Module]) -> BTreeSet<&str> {
    implementors(modules, &["Display", "ToString"])
}

/// The type of an `impl`, if it is a plain name.
fn name_of<'a>(item: &ItemImpl, source: &'a str) -> Option<&'a str> {
    let Type::Path(path) = item.self_ty.as_ref() else { return None };
    let ident = path.path.get_ident()?;
    source.get(ident.span().byte_range())
}

/// Takes up an item that can be called from one of the places.
fn collect(
    item: &Item,
    module: &Module,
    own: &BTreeMap<String, bool>,
    sees_all: bool,
    places: &dyn Fn(&str) -> Option<Vec<String>>,
    found: &mut Crate,
) {
    let is_seen = |visibility: &Visibility| sees_all || matches!(visibility, Visibility::Public(_));
    match item {
        Item::Fn(function) if is_seen(&function.vis) && is_plain(&function.attrs) => {
            let name = function.sig.ident.to_string();
            let Some(place) = places(&name) else { return };
            let body = text_of(&module.source, function.block.span()).unwrap_or_default();
            let context = Context { module, own, this: None };
            found.functions.extend(context.function(&function.sig, &function.attrs, &body, place));
        }
        Item::Impl(item) if item.trait_.is_none() && is_plain(&item.attrs) => {
            let Some(this) = name_of(item, &module.source) else { return };
            let Some(mut place) = places(this) else { return };
            place.push(this.to_owned());
            let context = Context { module, own, this: Some(this) };
            for item in &item.items {
                let ImplItem::Fn(function) = item else { continue };
                if is_seen(&function.vis) && is_plain(&function.attrs) {
                    let body = text_of(&module.source, function.block.span()).unwrap_or_default();
                    let made =
                        context.function(&function.sig, &function.attrs, &body, place.clone());
                    found.functions.extend(made);
                }
            }
        }
        Item::Struct(item) if is_seen(&item.vis) && is_plain(&item.attrs) => {
            let name = item.ident.to_string();
            let Some(mut place) = places(&name) else { return };
            place.push(name.clone());
            if !item.generics.params.is_empty() {
                return;
            }
            let compares = own.get(&name).copied().unwrap_or(false);
            let is_closed = item.attrs.iter().any(|one| one.path().is_ident("non_exhaustive"));
            let context = Context { module, own, this: Some(&name) };
            let fields = context.fields(&item.fields, sees_all).filter(|_| !is_closed);
            found.printed.push(Printed { path: place, compares, fields });
        }
        Item::Enum(item) if is_seen(&item.vis) && is_plain(&item.attrs) => {
            let name = item.ident.to_string();
            let Some(mut place) = places(&name) else { return };
            place.push(name.clone());
            let compares = own.get(&name).copied().unwrap_or(false);
            if item.generics.params.is_empty() {
                found.printed.push(Printed { path: place, compares, fields: None });
            }
        }
        _ => {}
    }
}

/// What code means in some place.
struct Context<'a> {
    module: &'a Module,
    own: &'a BTreeMap<String, bool>,
    this: Option<&'a str>,
}

/// Functions that say one of these words touch what is outside of the program, or are not done.
const OUTSIDE: &[&str] = &[
    "fs",
    "File",
    "OpenOptions",
    "Command",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "exit",
    "abort",
    "stdin",
    "set_var",
    "remove_var",
    "sleep",
    "spawn",
    "unsafe",
    "todo",
    "unimplemented",
];

impl Context<'_> {
    /// A function without `self` and without anything odd.
    fn function(
        &self,
        signature: &Signature,
        attributes: &[Attribute],
        body: &str,
        mut path: Vec<String>,
    ) -> Option<Function> {
        let is_odd = signature.asyncness.is_some()
            || matches!(signature.safety, Safety::Unsafe(_))
            || signature.abi.is_some()
            || signature.variadic.is_some();
        let goes_outside = body
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| OUTSIDE.contains(&word));
        if is_odd || goes_outside || signature.ident == "main" {
            return None;
        }
        let any = any_type(&signature.generics)?;
        let source: &str = &self.module.source;
        let names = Names { source, own: self.own, this: self.this, any: &any };
        let mut parameters: Vec<(String, Taken)> = Vec::new();
        for (nth, input) in signature.inputs.iter().enumerate() {
            let FnArg::Typed(input) = input else { return None };
            let name = match input.pat.as_ref() {
                Pat::Ident(pattern) => pattern.ident.to_string().trim_start_matches('_').to_owned(),
                _ => String::new(),
            };
            let is_used = parameters.iter().any(|(known, _)| *known == name);
            let name = if name.is_empty() || is_used { format!("value_{nth}") } else { name };
            parameters.push((name, names.taken(&input.ty)));
        }
        path.push(signature.ident.to_string());
        Some(Function {
            path,
            parameters,
            gives: names.given(&signature.output),
            says_it_panics: attributes.iter().any(|attribute| {
                let text = text_of(source, attribute.span()).unwrap_or_default();
                text.contains("# Panics")
            }),
        })
    }

    /// Fields that have names, if all are seen and can be drawn.
    fn fields(&self, fields: &Fields, sees_all: bool) -> Option<Vec<(String, Taken)>> {
        let Fields::Named(fields) = fields else { return None };
        let any = BTreeSet::new();
        let names =
            Names { source: &self.module.source, own: self.own, this: self.this, any: &any };
        let field = |field: &syn::Field| {
            let is_seen = sees_all || matches!(field.vis, Visibility::Public(_));
            let taken = names.taken(&field.ty);
            let name = field.ident.as_ref()?.to_string();
            (is_seen && taken.value.is_drawn).then_some((name, taken))
        };
        fields.named.iter().map(field).collect()
    }
}

/// The parameters of a function for which any type will do; none if there are others.
fn any_type(generics: &Generics) -> Option<BTreeSet<String>> {
    const KNOWN: &[&str] = &[
        "Ord",
        "PartialOrd",
        "Eq",
        "PartialEq",
        "Clone",
        "Copy",
        "Debug",
        "Hash",
        "Default",
        "Display",
        "Send",
        "Sync",
    ];
    let mut any = BTreeSet::new();
    if generics.where_clause.is_some() {
        return None;
    }
    for parameter in &generics.params {
        match parameter {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(parameter) => {
                let is_known = |bound: &TypeParamBound| match bound {
                    TypeParamBound::Trait(bound) => bound
                        .path
                        .segments
                        .last()
                        .is_some_and(|last| KNOWN.iter().any(|name| last.ident == name)),
                    TypeParamBound::Lifetime(_) => true,
                    _ => false,
                };
                if !parameter.bounds.iter().all(is_known) {
                    return None;
                }
                any.insert(parameter.ident.to_string());
            }
            GenericParam::Const(_) => return None,
        }
    }
    Some(any)
}

#[cfg(test)]
pub(super) fn of_text(text: &str) -> Crate {
    let items = syn::parse_file(text).expect("Rust").items;
    let mut modules = Vec::new();
    take(items, &Rc::from(text), Path::new("/nowhere"), Vec::new(), true, &mut modules);
    crate_of(&modules, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        of_text(text).functions.iter().map(|function| function.path.join("::")).collect()
    }

    #[test]
    fn functions_are_found_where_others_see_them() {
        let text = "
            pub fn open(n: u8) {}
            fn hidden() {}
            pub mod inner { pub fn deep() {} mod private { pub fn lost() {} } }
            mod codec { pub fn encode() {} pub fn unnamed() {} }
            pub use codec::encode;
            mod all { pub fn of() {} pub struct It; impl It { pub fn them() {} fn not() {} } }
            pub use self::all::*;
            #[cfg(test)] mod tests { pub fn test() {} }
            #[deprecated] pub fn old() {}
        ";
        assert_eq!(names(text), ["open", "inner::deep", "encode", "of", "It::them"]);
    }

    #[test]
    fn functions_that_reach_outside_are_passed_over() {
        let text = "
            pub fn deletes(name: &str) { std::fs::remove_file(name); }
            pub fn stops() { std::process::exit(1) }
            pub unsafe fn risky() {}
            pub async fn later() {}
            pub fn generic<T: Read>(t: T) {}
            pub fn ordered<T: Ord + Clone>(t: &mut [T]) {}
        ";
        assert_eq!(names(text), ["ordered"]);
    }

    #[test]
    fn types_that_are_printed_and_read_are_found() {
        let text = "
            #[derive(Debug, PartialEq)] pub struct Version { pub major: u64, pub minor: u64 }
            pub struct Other { pub n: u8 }
            impl std::str::FromStr for Version {}
            impl std::fmt::Display for Version {}
            impl FromStr for Other {}
        ";
        let printed = of_text(text).printed;
        assert_eq!(printed.len(), 1);
        assert!(printed[0].compares);
        assert_eq!(printed[0].fields.as_ref().map(Vec::len), Some(2));
    }
}
