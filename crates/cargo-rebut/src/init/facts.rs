//! Facts that the sources do not show, checked by the compiler.
//!
//! Macros are not expanded, so implementations in their output are invisible: `Integer` for all
//! numbers, `Array` for arrays, `Debug` for a type of flags. For each possible implementation, a
//! function is written that compiles only if it exists. One build checks all of them.

use super::api::{Api, TraitImpl};
use super::names::ItemPath;
use super::ty::{Generic, Substitution, Ty};
use std::collections::BTreeSet;

/// A possible implementation of a trait.
#[derive(Clone, Debug)]
pub(super) struct FactCheck {
    pub(super) fact: TraitImpl,
    /// Code that compiles only if the implementation exists.
    pub(super) code: String,
}

/// The maximum number of checks of each kind. Arbitrary: they must compile in a few seconds. The
/// rest is not checked.
const CHECKS_MAX: usize = 300;

/// Types of the standard library for which crates often implement their own traits.
fn usual_types() -> Vec<Ty> {
    let byte = || Ty::Plain("u8");
    let mut all: Vec<Ty> =
        ["u64", "i64", "f64", "u8", "u32", "i32", "usize", "bool", "char"].map(Ty::Plain).into();
    all.extend([
        Ty::String,
        Ty::Ref(Box::new(Ty::Str)),
        Ty::Str,
        Ty::Std("Vec", vec![byte()]),
        Ty::Array(Box::new(byte()), Box::new(Ty::Const("4".to_owned()))),
        Ty::Ref(Box::new(Ty::Slice(Box::new(byte())))),
        Ty::Tuple(vec![byte(), byte()]),
    ]);
    all
}

/// Checks which usual types implement those traits of the crate that bound its own functions.
pub(super) fn trait_checks(api: &Api) -> Vec<FactCheck> {
    let functions = api.functions.iter().flat_map(|function| &function.generics);
    let types = api.types.values().flat_map(|definition| &definition.generics);
    let wanted: BTreeSet<ItemPath> = functions
        .chain(types)
        .flat_map(|generic: &Generic| &generic.bounds)
        .filter_map(|bound| bound.own.clone())
        .collect();
    let mut questions = Vec::new();
    for item in wanted {
        let Some(definition) = api.traits.get(&item) else { continue };
        if api.has_implementors(&item) {
            continue;
        }
        for ty in usual_types() {
            let Some(code) = api.type_code(&ty) else { continue };
            let path = api.path(&definition.path);
            let name = definition.path.last().cloned().unwrap_or_default();
            questions.push(FactCheck {
                code: implements(&code, &path),
                fact: fact(name, Some(item.clone()), ty),
            });
        }
    }
    questions.truncate(CHECKS_MAX);
    questions
}

/// Checks which traits of the standard library the types of the crate implement.
pub(super) fn type_checks(api: &Api) -> Vec<FactCheck> {
    const TRAITS: &[(&str, &str)] = &[
        ("Debug", "std::fmt::Debug"),
        ("PartialEq", "PartialEq"),
        ("Clone", "Clone"),
        ("Copy", "Copy"),
        ("Display", "std::fmt::Display"),
        ("FromStr", "std::str::FromStr"),
        ("Default", "Default"),
    ];
    let mut questions = Vec::new();
    for item in api.types.keys() {
        let Some(ty) = api.instance(item) else { continue };
        let Some(code) = api.type_code(&ty) else { continue };
        for (name, path) in TRAITS {
            if !api.implements(&ty, name) {
                questions.push(FactCheck {
                    code: implements(&code, path),
                    fact: fact((*name).to_owned(), None, ty.clone()),
                });
            }
        }
    }
    questions.truncate(CHECKS_MAX);
    questions
}

fn implements(ty: &str, path: &str) -> String {
    format!("pub fn fact() {{ fn is<T: {path} + ?Sized>() {{}} is::<{ty}>(); }}\n")
}

fn fact(name: String, own: Option<ItemPath>, on: Ty) -> TraitImpl {
    TraitImpl {
        name,
        own,
        arguments: Vec::new(),
        on,
        generics: Vec::new(),
        associated: Substitution::new(),
        // A macro usually writes what a derive would.
        is_derived: true,
    }
}
