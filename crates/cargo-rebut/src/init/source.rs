//! Reads the modules of a crate in its default configuration.
//!
//! Macros are not expanded, so items in their output are invisible. An item with `#[cfg(..)]` is
//! included if the condition is true for this machine and the default features of the package.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Item, Lit, Meta, Token, Visibility};

/// The maximum number of modules. Arbitrary: the largest crate of the blind test has 180. Of a
/// larger crate, the rest is not read.
const MODULES_MAX: usize = 600;

/// The conditions that are true in this build.
#[derive(Clone, Debug, Default)]
pub(super) struct CfgConditions {
    /// In the format of `rustc --print cfg`: `unix`, `target_os="linux"`, `feature="std"`.
    known: BTreeSet<String>,
}

impl CfgConditions {
    /// The conditions of the host's compiler, and these features.
    pub(super) fn for_host(features: &BTreeSet<String>) -> CfgConditions {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(rustc).args(["--print", "cfg"]).output();
        let printed = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let mut known: BTreeSet<String> =
            printed.unwrap_or_default().lines().map(str::to_owned).collect();
        known.extend(features.iter().map(|feature| format!("feature=\"{feature}\"")));
        CfgConditions { known }
    }

    /// Whether all `#[cfg(..)]` among the attributes are true.
    pub(super) fn allow(&self, attributes: &[Attribute]) -> bool {
        let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
        conditions.into_iter().all(|attribute| match &attribute.meta {
            Meta::List(list) => list.parse_args::<Meta>().is_ok_and(|meta| self.is_true(&meta)),
            _ => false,
        })
    }

    fn is_true(&self, meta: &Meta) -> bool {
        match meta {
            Meta::Path(path) => {
                path.is_ident("true")
                    || path.get_ident().is_some_and(|name| self.known.contains(&name.to_string()))
            }
            Meta::NameValue(pair) => {
                let Expr::Lit(literal) = &pair.value else { return false };
                let (Some(name), Lit::Str(value)) = (pair.path.get_ident(), &literal.lit) else {
                    return false;
                };
                self.known.contains(&format!("{name}=\"{}\"", value.value()))
            }
            Meta::List(list) => {
                type Parts = Punctuated<Meta, Token![,]>;
                let Ok(parts) = list.parse_args_with(Parts::parse_terminated) else { return false };
                match list.path.get_ident().map(ToString::to_string).as_deref() {
                    Some("all") => parts.iter().all(|part| self.is_true(part)),
                    Some("any") => parts.iter().any(|part| self.is_true(part)),
                    Some("not") => !parts.iter().any(|part| self.is_true(part)),
                    _ => false,
                }
            }
        }
    }

    /// The attributes, with those of every true `#[cfg_attr(.., ..)]`.
    pub(super) fn expanded(&self, attributes: &[Attribute]) -> Vec<Meta> {
        type Parts = Punctuated<Meta, Token![,]>;
        let mut all = Vec::new();
        for attribute in attributes {
            match &attribute.meta {
                Meta::List(list) if list.path.is_ident("cfg_attr") => {
                    let Ok(parts) = list.parse_args_with(Parts::parse_terminated) else { continue };
                    let mut parts = parts.into_iter();
                    if parts.next().is_some_and(|condition| self.is_true(&condition)) {
                        all.extend(parts);
                    }
                }
                meta => all.push(meta.clone()),
            }
        }
        all
    }
}

/// The code that can name an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// Only its own module.
    Private,
    /// Some or all modules of the crate.
    Crate,
    /// Other crates too, if its module is public.
    Public,
}

impl Reach {
    pub(super) fn from_visibility(visibility: &Visibility) -> Reach {
        match visibility {
            Visibility::Public(_) => Reach::Public,
            Visibility::Restricted(_) => Reach::Crate,
            Visibility::Inherited => Reach::Private,
        }
    }
}

/// A module, without its submodules.
pub(super) struct Module {
    /// Its path from the root of the crate.
    pub(super) path: Vec<String>,
    pub(super) reach: Reach,
    pub(super) is_hidden: bool,
    pub(super) items: Vec<Item>,
    pub(super) docs: String,
}

/// Reads a crate from its root file. The result is empty if the file cannot be parsed.
pub(super) fn modules(file: &Path, conditions: &CfgConditions) -> Vec<Module> {
    let mut reader = ModuleReader { conditions, modules: Vec::new() };
    let folder = file.parent().unwrap_or(Path::new("."));
    reader.file(file, folder, Vec::new(), Reach::Public, false, String::new());
    reader.modules
}

#[cfg(test)]
pub(super) fn modules_of_text(text: &str) -> Vec<Module> {
    let features = BTreeSet::from(["std".to_owned()]);
    let known = features.iter().map(|feature| format!("feature=\"{feature}\"")).collect();
    let conditions = CfgConditions { known };
    let mut reader = ModuleReader { conditions: &conditions, modules: Vec::new() };
    let parsed = syn::parse_file(text).expect("Rust");
    let docs = docs(&parsed.attrs, Path::new("."));
    reader.items(parsed.items, Path::new("."), Vec::new(), Reach::Public, false, docs);
    reader.modules
}

struct ModuleReader<'a> {
    conditions: &'a CfgConditions,
    modules: Vec<Module>,
}

impl ModuleReader<'_> {
    /// Reads the file of a module whose submodules are in `folder`.
    fn file(
        &mut self,
        file: &Path,
        folder: &Path,
        path: Vec<String>,
        reach: Reach,
        is_hidden: bool,
        outer: String,
    ) {
        let Ok(text) = fs::read_to_string(file) else { return };
        let Ok(parsed) = syn::parse_file(&text) else { return };
        let beside = file.parent().unwrap_or(Path::new("."));
        let docs = outer + &docs(&parsed.attrs, beside);
        if self.conditions.allow(&parsed.attrs) {
            self.items(parsed.items, folder, path, reach, is_hidden, docs);
        }
    }

    fn items(
        &mut self,
        items: Vec<Item>,
        folder: &Path,
        path: Vec<String>,
        reach: Reach,
        is_hidden: bool,
        docs: String,
    ) {
        if self.modules.len() >= MODULES_MAX {
            return;
        }
        let (nested, items): (Vec<Item>, Vec<Item>) =
            items.into_iter().partition(|item| matches!(item, Item::Mod(_)));
        let allowed = |item: &Item| self.conditions.allow(attributes(item));
        let items = items.into_iter().filter(allowed).collect();
        self.modules.push(Module { path: path.clone(), reach, is_hidden, items, docs });
        for item in nested {
            let Item::Mod(module) = item else { continue };
            if self.conditions.allow(&module.attrs) {
                self.module(module, folder, &path);
            }
        }
    }

    fn module(&mut self, module: syn::ItemMod, folder: &Path, around: &[String]) {
        let name = plain(&module.ident);
        let path: Vec<String> = around.iter().cloned().chain([name.clone()]).collect();
        let reach = Reach::from_visibility(&module.vis);
        let is_hidden = is_hidden(&module.attrs);
        let docs = docs(&module.attrs, folder);
        let inside = folder.join(&name);
        match module.content {
            Some((_, items)) => self.items(items, &inside, path, reach, is_hidden, docs),
            None => {
                let Some(file) = self.file_of(&module.attrs, folder, &inside) else { return };
                let is_owner = file.file_stem().is_some_and(|stem| stem == "mod");
                let beside = file.parent().unwrap_or(folder).to_owned();
                let inside = if is_owner { beside } else { file.with_extension("") };
                self.file(&file, &inside, path, reach, is_hidden, docs);
            }
        }
    }

    /// The file of `mod name;`.
    fn file_of(&self, attributes: &[Attribute], folder: &Path, inside: &Path) -> Option<PathBuf> {
        for meta in self.conditions.expanded(attributes) {
            if let Meta::NameValue(pair) = &meta
                && pair.path.is_ident("path")
                && let Some(path) = text(&pair.value)
            {
                return Some(folder.join(path));
            }
        }
        let beside = inside.with_extension("rs");
        let files = [beside, inside.join("mod.rs")];
        files.into_iter().find(|file| file.is_file())
    }
}

/// A name without `r#`.
pub(super) fn plain(name: &proc_macro2::Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

fn text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The documentation in attributes; `include_str!` is relative to `folder`.
pub(super) fn docs(attributes: &[Attribute], folder: &Path) -> String {
    let mut docs = String::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        let Meta::NameValue(pair) = &attribute.meta else { continue };
        let included = match &pair.value {
            Expr::Macro(call) if call.mac.path.is_ident("include_str") => {
                let name = call.mac.parse_body::<syn::LitStr>().ok();
                name.and_then(|name| fs::read_to_string(folder.join(name.value())).ok())
            }
            value => text(value),
        };
        docs.push_str(&included.unwrap_or_default());
        docs.push('\n');
    }
    docs
}

/// Whether an item is `#[doc(hidden)]`.
pub(super) fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else { return false };
        list.path.is_ident("doc") && list.tokens.to_string().contains("hidden")
    })
}

/// The attributes of an item that can be named.
pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_follow_the_default_features() {
        let known = ["unix", "feature=\"std\""].map(str::to_owned).into();
        let conditions = CfgConditions { known };
        for (condition, expected) in [
            ("unix", true),
            ("windows", false),
            ("feature = \"std\"", true),
            ("not(feature = \"std\")", false),
            ("all(unix, not(test))", true),
            ("any(windows, feature = \"serde\")", false),
            ("target_pointer_width(64)", false),
        ] {
            let item: syn::ItemFn =
                syn::parse_str(&format!("#[cfg({condition})] fn f() {{}}")).expect("a function");
            assert_eq!(conditions.allow(&item.attrs), expected, "{condition}");
        }
    }

    #[test]
    fn modules_have_a_reach_and_documentation() {
        let text = "
            //! About the crate.
            pub mod open { mod closed { } #[cfg(feature = \"gone\")] pub mod gone {} }
            #[doc(hidden)] pub mod hidden {}
        ";
        let modules = modules_of_text(text);
        let found: Vec<(String, Reach, bool)> = modules
            .iter()
            .map(|module| (module.path.join("::"), module.reach, module.is_hidden))
            .collect();
        assert_eq!(
            found,
            [
                (String::new(), Reach::Public, false),
                ("open".to_owned(), Reach::Public, false),
                ("open::closed".to_owned(), Reach::Private, false),
                ("hidden".to_owned(), Reach::Public, true),
            ]
        );
        assert!(modules[0].docs.contains("About the crate."));
    }
}
