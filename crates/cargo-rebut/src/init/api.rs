//! The interface of a crate for its tests: types, functions, methods, implementations, constants.

mod read;
mod side_effects;
#[cfg(test)]
mod tests;

pub(super) use read::Viewpoint;

use super::names::ItemPath;
use super::ty::{Bound, Generic, Substitution, Ty, matched};
use std::collections::BTreeMap;

/// The public interface of a crate, as far as its sources show it.
#[derive(Debug, Default)]
pub(super) struct Api {
    /// The name of the crate in tests.
    pub(super) root: String,
    pub(super) types: BTreeMap<ItemPath, TypeDef>,
    pub(super) traits: BTreeMap<ItemPath, TraitDef>,
    pub(super) functions: Vec<Function>,
    pub(super) impls: Vec<TraitImpl>,
    pub(super) constants: Vec<Constant>,
}

/// A type that tests can name.
#[derive(Debug)]
pub(super) struct TypeDef {
    /// From the root of the crate, as tests name it.
    pub(super) path: Vec<String>,
    pub(super) generics: Vec<Generic>,
    pub(super) body: TypeBody,
    pub(super) docs: String,
}

impl TypeDef {
    pub(super) fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}

/// The fields of a struct or variant, with their names if they have any.
pub(super) type Fields = Vec<(Option<String>, Ty)>;

/// The definition of a type, as far as tests can use it.
#[derive(Debug)]
pub(super) enum TypeBody {
    /// A struct that tests can create from its fields, with or without names.
    Fields(Fields),
    /// An enum with these variants.
    Variants(Vec<(String, Fields)>),
    Closed,
}

/// A trait that tests can name.
#[derive(Debug)]
pub(super) struct TraitDef {
    /// From the root of the crate, as tests name it.
    pub(super) path: Vec<String>,
    pub(super) methods: Vec<Function>,
}

/// An implementation of a trait.
#[derive(Clone, Debug)]
pub(super) struct TraitImpl {
    /// The last segment of the trait's path.
    pub(super) name: String,
    /// The trait, if the crate defines it.
    pub(super) own: Option<ItemPath>,
    pub(super) arguments: Vec<Ty>,
    pub(super) on: Ty,
    pub(super) generics: Vec<Generic>,
    pub(super) associated: Substitution,
    pub(super) is_derived: bool,
}

/// How a function is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallStyle {
    /// `path(..)`.
    Free(Vec<String>),
    /// `Type::name(..)`, or `value.name(..)` if it has a receiver.
    Inherent,
    /// `Trait::name(&value, ..)`, by the path of the trait.
    Trait(Vec<String>),
}

/// How a method takes `self`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Receiver {
    Ref,
    RefMut,
    Owned,
}

/// A function or method that tests can call.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) how: CallStyle,
    /// The type `Self`.
    pub(super) owner: Option<Ty>,
    pub(super) receiver: Option<Receiver>,
    pub(super) parameters: Vec<(String, Ty)>,
    pub(super) output: Ty,
    /// Its generic parameters and those of the surrounding `impl`.
    pub(super) generics: Vec<Generic>,
    pub(super) docs: String,
}

/// A constant of a type of the crate.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub(super) path: Vec<String>,
    pub(super) ty: Ty,
}

/// A function with concrete types for all its generic parameters.
#[derive(Clone, Debug)]
pub(super) struct Call<'a> {
    pub(super) function: &'a Function,
    pub(super) owner: Option<Ty>,
    pub(super) parameters: Vec<(String, Ty)>,
    pub(super) output: Ty,
}

/// Bounds that every type meets which `init` selects for a parameter without other bounds.
const MARKERS: &[&str] = &[
    "Sized",
    "Copy",
    "Clone",
    "Debug",
    "Display",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Default",
    "Send",
    "Sync",
    "Unpin",
    "UnwindSafe",
    "RefUnwindSafe",
    "Any",
];

/// The maximum number of types to try for a generic parameter. Arbitrary: each adds tests to
/// compile. Further types are not tried.
const CHOICES_MAX: usize = 3;

impl Api {
    /// The code that names a type. In an expression, `::` precedes generic arguments.
    fn code(&self, ty: &Ty, in_expression: bool) -> Option<String> {
        let each = |parts: &[Ty]| -> Option<Vec<String>> {
            let named = parts.iter().filter(|part| **part != Ty::Omitted);
            named.map(|part| self.code(part, false)).collect()
        };
        let with = |path: String, parts: &[Ty]| -> Option<String> {
            let parts = each(parts)?;
            let between = if in_expression { "::" } else { "" };
            Some(match parts.is_empty() {
                true => path,
                false => format!("{path}{between}<{}>", parts.join(", ")),
            })
        };
        match ty {
            Ty::Unit => Some("()".to_owned()),
            Ty::Plain(name) => Some((*name).to_owned()),
            Ty::Str => Some("str".to_owned()),
            Ty::String => Some("String".to_owned()),
            Ty::Slice(of) => Some(format!("[{}]", self.code(of, false)?)),
            Ty::Array(of, length) => {
                Some(format!("[{}; {}]", self.code(of, false)?, self.code(length, false)?))
            }
            Ty::Tuple(parts) if parts.len() == 1 => Some(format!("({},)", each(parts)?.join(", "))),
            Ty::Tuple(parts) => Some(format!("({})", each(parts)?.join(", "))),
            Ty::Std(path, parts) => with((*path).to_owned(), parts),
            Ty::Own(item, parts) => with(self.path(&self.types.get(item)?.path), parts),
            Ty::Ref(of) => Some(format!("&{}", self.code(of, false)?)),
            Ty::RefMut(of) => Some(format!("&mut {}", self.code(of, false)?)),
            Ty::Const(text) => Some(text.clone()),
            Ty::Param(_) | Ty::Impl(_) | Ty::Omitted | Ty::Unknown(_) => None,
        }
    }

    /// The code of a type where a type is expected.
    pub(super) fn type_code(&self, ty: &Ty) -> Option<String> {
        self.code(ty, false)
    }

    /// The code of a type before `::name`.
    pub(super) fn path_code(&self, ty: &Ty) -> Option<String> {
        match ty {
            Ty::Own(..) | Ty::String | Ty::Plain(_) => self.code(ty, true),
            Ty::Std(..) => self.code(ty, true),
            ty => Some(format!("<{}>", self.code(ty, false)?)),
        }
    }

    /// A path from the root of the crate, as tests write it.
    pub(super) fn path(&self, path: &[String]) -> String {
        let mut code = self.root.clone();
        for part in path {
            code.push_str("::");
            code.push_str(&raw(part));
        }
        code
    }

    /// The type that tests use for a type of the crate: `Stack<u8>` for `Stack<T>`.
    pub(super) fn instance(&self, item: &ItemPath) -> Option<Ty> {
        let definition = self.types.get(item)?;
        let arguments = definition.generics.iter().map(|generic| {
            if generic.has_default {
                Some(Ty::Omitted)
            } else {
                self.choices(generic).into_iter().next()
            }
        });
        Some(Ty::Own(item.clone(), arguments.collect::<Option<Vec<Ty>>>()?))
    }

    /// Types that meet the bounds of a generic parameter, the best first.
    pub(super) fn choices(&self, generic: &Generic) -> Vec<Ty> {
        if generic.is_const {
            // Small, so that collections with inline storage overflow to the heap.
            return vec![Ty::Const("4".to_owned())];
        }
        self.bounded(&generic.bounds)
    }

    fn bounded(&self, bounds: &[Bound]) -> Vec<Ty> {
        let mut found: Option<Vec<Ty>> = None;
        for bound in bounds {
            if bound.own.is_none() && MARKERS.contains(&bound.name.as_str()) {
                continue;
            }
            let types = self.meeting(bound);
            found = Some(match found {
                None => types,
                Some(known) => known.into_iter().filter(|ty| types.contains(ty)).collect(),
            });
        }
        let mut found = found.unwrap_or_else(|| vec![Ty::Plain("u8")]);
        found.truncate(CHOICES_MAX);
        found
    }

    /// Types that meet one bound.
    fn meeting(&self, bound: &Bound) -> Vec<Ty> {
        let text = || Ty::Ref(Box::new(Ty::Str));
        let of = bound.arguments.first();
        if let Some(own) = &bound.own {
            return self.implementors(own);
        }
        match (bound.name.as_str(), of) {
            ("AsRef" | "Borrow", Some(Ty::Str)) => vec![text()],
            ("AsRef" | "Borrow", Some(Ty::Slice(of))) if of.is_generated() => {
                vec![Ty::Ref(Box::new(Ty::Slice(of.clone())))]
            }
            ("AsRef" | "Borrow", Some(Ty::Param(_))) => vec![Ty::Plain("u8")],
            ("Into", Some(Ty::String)) | ("ToString", None) => vec![text()],
            ("Into", Some(ty)) if ty.cow() == Some(&Ty::Str) => vec![text()],
            ("Into", Some(Ty::Std("Vec", of))) if of.first() == Some(&Ty::Plain("u8")) => {
                vec![Ty::Std("Vec", of.clone())]
            }
            ("Into", Some(ty @ Ty::Plain(_))) => vec![ty.clone()],
            ("Into", Some(ty @ Ty::Own(..))) => self.sources(ty),
            ("IntoIterator", _) => {
                let item = bound.associated.iter().find(|(name, _)| name == "Item");
                match item {
                    Some((_, item)) if item.is_generated() => {
                        vec![Ty::Std("Vec", vec![item.clone()])]
                    }
                    Some((_, Ty::Param(_))) | None => {
                        vec![Ty::Std("Vec", vec![Ty::Plain("u8")])]
                    }
                    _ => Vec::new(),
                }
            }
            // A bound such as `Equivalent<K>`: the type of `K` itself is the best guess.
            (_, Some(Ty::Param(_))) => vec![Ty::Plain("u8")],
            _ => Vec::new(),
        }
    }

    /// Whether a type is known that implements a trait of the crate.
    pub(super) fn has_implementors(&self, own: &ItemPath) -> bool {
        !self.implementors(own).is_empty()
    }

    /// Types that implement a trait of the crate: those of other crates, and own types without
    /// parameters.
    fn implementors(&self, own: &ItemPath) -> Vec<Ty> {
        let mut found: Vec<Ty> = Vec::new();
        for one in self.impls.iter().filter(|one| one.own.as_ref() == Some(own)) {
            let mut types = Substitution::new();
            for generic in &one.generics {
                let simple = generic
                    .bounds
                    .iter()
                    .all(|bound| bound.own.is_none() && MARKERS.contains(&bound.name.as_str()));
                if generic.is_const {
                    types.insert(generic.name.clone(), Ty::Const("4".to_owned()));
                } else if simple {
                    types.insert(generic.name.clone(), Ty::Plain("u8"));
                }
            }
            let ty = match one.on.with(&types) {
                Ty::Str => Ty::Ref(Box::new(Ty::Str)),
                ty => ty,
            };
            let is_text = ty == Ty::Ref(Box::new(Ty::Str));
            if (ty.is_generated() || is_text) && !found.contains(&ty) {
                found.push(ty);
            }
        }
        // Prefer text to numbers, and wide numbers to narrow ones: they find more.
        let rank = |ty: &Ty| match ty {
            Ty::Ref(_) | Ty::String => 0,
            Ty::Plain("u64" | "i64" | "f64") => 1,
            Ty::Plain("bool" | "char" | "i128" | "u128") => 3,
            _ => 2,
        };
        found.sort_by_key(rank);
        found
    }

    /// Types that convert into a type of the crate.
    fn sources(&self, ty: &Ty) -> Vec<Ty> {
        let into = self.impls.iter().filter(|one| one.name == "From");
        let mut found = Vec::new();
        for one in into {
            let mut types = Substitution::new();
            let Some(source) = one.arguments.first() else { continue };
            if !matched(&one.on, ty, &mut types) {
                continue;
            }
            let source = source.with(&types);
            if source.is_generated() || source == Ty::Ref(Box::new(Ty::Str)) {
                found.push(source);
            }
        }
        found.sort_by_key(|ty| !ty.is_integer());
        found
    }

    /// Whether a type is known to implement a trait with this name.
    pub(super) fn implements(&self, ty: &Ty, name: &str) -> bool {
        match ty {
            Ty::Own(..) => self.implementation(ty, name).is_some(),
            Ty::Plain(plain) => match name {
                "Eq" | "Ord" | "Hash" => !plain.starts_with('f'),
                _ => true,
            },
            Ty::Std("Option" | "Vec" | "Box" | "Result", parts) => {
                parts.iter().all(|part| self.implements(part, name))
            }
            Ty::Tuple(parts) => parts.iter().all(|part| self.implements(part, name)),
            Ty::Slice(of) | Ty::Array(of, _) | Ty::Ref(of) => self.implements(of, name),
            Ty::Str | Ty::String | Ty::Unit | Ty::Std(..) => true,
            _ => false,
        }
    }

    /// The implementation of a trait for a type of the crate.
    pub(super) fn implementation(&self, ty: &Ty, name: &str) -> Option<(&TraitImpl, Substitution)> {
        self.implementations(ty, name).into_iter().next()
    }

    /// All implementations of a trait for a type, with the types of their generic parameters.
    pub(super) fn implementations(&self, ty: &Ty, name: &str) -> Vec<(&TraitImpl, Substitution)> {
        let mut found = Vec::new();
        for one in self.impls.iter().filter(|one| one.name == name) {
            let mut types = Substitution::new();
            if matched(&one.on, ty, &mut types) {
                for generic in &one.generics {
                    if !types.contains_key(&generic.name)
                        && let Some(choice) = self.choices(generic).into_iter().next()
                    {
                        types.insert(generic.name.clone(), choice);
                    }
                }
                found.push((one, types));
            }
        }
        found
    }

    /// Whether `assert_eq!` can compare and print values of a type.
    pub(super) fn compares(&self, ty: &Ty) -> bool {
        self.implements(ty, "PartialEq") && self.implements(ty, "Debug")
    }

    /// Whether values of a type can be cloned or copied.
    pub(super) fn clones(&self, ty: &Ty) -> bool {
        ty.is_copy() || self.implements(ty, "Clone")
    }

    /// A function with types for its generic parameters, once for each choice of types.
    pub(super) fn calls<'a>(&self, function: &'a Function) -> Vec<Call<'a>> {
        let mut all = vec![Substitution::new()];
        for generic in &function.generics {
            let choices = match self.is_default_argument(function, &generic.name) {
                true => vec![Ty::Omitted],
                false => self.choices(generic),
            };
            let mut next = Vec::new();
            for types in &all {
                for choice in &choices {
                    let mut types = types.clone();
                    types.insert(generic.name.clone(), choice.clone());
                    self.project(generic, choice, &mut types);
                    next.push(types);
                }
            }
            next.truncate(CHOICES_MAX);
            all = next;
        }
        all.iter().filter_map(|types| self.call(function, types)).collect()
    }

    /// Adds associated types such as `T::Item` for the type selected for `T`.
    fn project(&self, generic: &Generic, choice: &Ty, types: &mut Substitution) {
        let name = &generic.name;
        if let Some(of) = choice.element() {
            types.insert(format!("{name}::Item"), of.clone());
        }
        for bound in &generic.bounds {
            let impls = self.impls.iter().filter(|one| one.own == bound.own && bound.own.is_some());
            for one in impls {
                let mut found = Substitution::new();
                if matched(&one.on, choice, &mut found) {
                    for (associated, ty) in &one.associated {
                        types.insert(format!("{name}::{associated}"), ty.with(&found));
                    }
                }
            }
        }
    }

    /// Whether a generic parameter of the owner has a default.
    fn is_default_argument(&self, function: &Function, name: &str) -> bool {
        let Some(Ty::Own(item, arguments)) = &function.owner else { return false };
        let Some(definition) = self.types.get(item) else { return false };
        let pairs = definition.generics.iter().zip(arguments);
        pairs.into_iter().any(|(generic, argument)| {
            generic.has_default && *argument == Ty::Param(name.to_owned())
        })
    }

    fn call<'a>(&self, function: &'a Function, types: &Substitution) -> Option<Call<'a>> {
        let concrete = |ty: &Ty| -> Option<Ty> {
            match ty.with(types) {
                Ty::Impl(bounds) => self.bounded(&bounds).into_iter().next(),
                ty => ty.is_concrete().then_some(ty),
            }
        };
        let parameters = function.parameters.iter();
        let parameters = parameters.map(|(name, ty)| Some((name.clone(), concrete(ty)?)));
        let owner = match &function.owner {
            None => None,
            Some(Ty::Own(item, arguments)) => {
                let definition = self.types.get(item)?;
                let arguments = arguments.iter().zip(&definition.generics).map(|(ty, generic)| {
                    let ty = ty.with(types);
                    if generic.has_default && !ty.is_concrete() { Ty::Omitted } else { ty }
                });
                Some(Ty::Own(item.clone(), arguments.collect()))
            }
            Some(ty) => Some(ty.with(types)),
        };
        Some(Call {
            function,
            owner: owner.filter(Ty::is_concrete),
            parameters: parameters.collect::<Option<Vec<_>>>()?,
            output: function.output.with(types),
        })
        .filter(|call| call.owner.is_some() == function.owner.is_some())
    }
}

/// A name as code writes it: `r#type` for `type`.
fn raw(name: &str) -> String {
    // In practice, modules and functions have only these keywords as names.
    const KEYWORDS: &[&str] = &[
        "as", "async", "await", "box", "dyn", "else", "enum", "extern", "fn", "for", "gen", "if",
        "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
        "static", "struct", "trait", "true", "false", "try", "type", "unsafe", "use", "where",
        "while", "yield", "abstract", "final", "macro", "override", "priv", "typeof", "virtual",
        "become", "do", "unsized", "break", "const", "continue",
    ];
    if KEYWORDS.contains(&name) { format!("r#{name}") } else { name.to_owned() }
}

impl Function {
    /// Whether the documentation mentions inputs that the function does not accept.
    pub(super) fn has_conditions(&self) -> bool {
        let docs = self.docs.to_lowercase();
        ["panic", "must ", "must be", "should not", "undefined", "overflow", "abort", "assert"]
            .iter()
            .any(|word| docs_outside_examples(&docs).contains(word))
    }
}

/// Documentation without its code blocks.
fn docs_outside_examples(docs: &str) -> String {
    let mut is_code = false;
    let mut text = String::new();
    for line in docs.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}
