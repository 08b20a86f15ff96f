//! Finds functions with side effects: they reach outside of the program, or stop it.
//!
//! `init` must not call them with generated arguments. The search goes by names in the code, so it
//! may exclude too many functions, and it misses effects behind calls of other crates.

use super::super::source::{Module, plain};
use quote::ToTokens as _;
use std::collections::{BTreeMap, BTreeSet};
use syn::{ImplItem, Item};

/// A function whose code contains one of these names has side effects.
const EFFECTS: &[&str] = &[
    "OpenOptions",
    "Command",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "UnixStream",
    "UnixListener",
    "UnixDatagram",
    "exit",
    "abort",
    "stdin",
    "set_var",
    "remove_var",
    "sleep",
    "spawn",
    "remove_file",
    "remove_dir",
    "remove_dir_all",
    "create_dir",
    "create_dir_all",
    "rename",
    "set_permissions",
    "hard_link",
    "symlink",
    "unlink",
    "mmap",
    "fork",
    "kill",
    "todo",
    "unimplemented",
    "park",
];

/// Names that are a side effect only together.
const EFFECT_PAIRS: &[(&str, &str)] = &[("File", "create"), ("fs", "write"), ("fs", "copy")];

/// The names of all functions with side effects, directly or through other functions of the crate.
pub(super) fn functions_with_side_effects(modules: &[Module]) -> BTreeSet<String> {
    let mut bodies: BTreeMap<String, Vec<BTreeSet<String>>> = BTreeMap::new();
    for module in modules {
        for item in &module.items {
            match item {
                Item::Fn(function) => {
                    let names = names_in(&function.block.to_token_stream());
                    bodies.entry(plain(&function.sig.ident)).or_default().push(names);
                }
                Item::Impl(block) => {
                    for inner in &block.items {
                        let ImplItem::Fn(function) = inner else { continue };
                        let names = names_in(&function.block.to_token_stream());
                        bodies.entry(plain(&function.sig.ident)).or_default().push(names);
                    }
                }
                _ => {}
            }
        }
    }
    let has_effect = |names: &BTreeSet<String>| {
        EFFECTS.iter().any(|word| names.contains(*word))
            || EFFECT_PAIRS
                .iter()
                .any(|(one, other)| names.contains(*one) && names.contains(*other))
    };
    let mut found: BTreeSet<String> = bodies
        .iter()
        .filter(|(_, all)| all.iter().any(has_effect))
        .map(|(name, _)| name.clone())
        .collect();
    loop {
        let before = found.len();
        for (name, all) in &bodies {
            // A name with several definitions does not show which one is called, so it is ignored.
            let calls = |names: &BTreeSet<String>| {
                found.iter().any(|name| {
                    bodies.get(name).is_some_and(|all| all.len() == 1) && names.contains(name)
                })
            };
            if !found.contains(name) && all.iter().any(calls) {
                found.insert(name.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// All identifiers in some code.
fn names_in(code: &proc_macro2::TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left: Vec<proc_macro2::TokenStream> = vec![code.clone()];
    while let Some(stream) = left.pop() {
        for token in stream {
            match token {
                proc_macro2::TokenTree::Ident(ident) => {
                    found.insert(plain(&ident));
                }
                proc_macro2::TokenTree::Group(group) => left.push(group.stream()),
                _ => {}
            }
        }
    }
    found
}
