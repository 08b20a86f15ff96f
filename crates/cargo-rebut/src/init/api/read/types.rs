//! Reads types and generic parameters as they are written in a crate.

use super::super::super::names::{ItemPath, NameResolver, Resolved};
use super::super::super::source::{Module, plain};
use super::super::super::ty::{Bound, Generic, Substitution, Ty, std_type};
use quote::ToTokens as _;
use std::collections::{BTreeMap, BTreeSet};
use syn::{
    GenericArgument, GenericParam, Generics, Item, PathArguments, Type, TypeParamBound,
    WherePredicate,
};

/// Resolves the names in types.
pub(super) struct TypeReader<'a> {
    names: &'a NameResolver<'a>,
    aliases: BTreeMap<ItemPath, (&'a Generics, &'a Type, &'a Module)>,
}

/// The names that are in scope where a type is written.
pub(super) struct NameScope<'a> {
    pub(super) module: &'a Module,
    /// The type `Self`.
    pub(super) this: Option<Ty>,
    /// The names of generic parameters.
    pub(super) generics: BTreeSet<String>,
    /// The associated types of the surrounding `impl`.
    pub(super) associated: Substitution,
    /// How many type aliases surround the type.
    alias_depth: usize,
}

impl<'a> NameScope<'a> {
    pub(super) fn new(module: &'a Module) -> NameScope<'a> {
        NameScope {
            module,
            this: None,
            generics: BTreeSet::new(),
            associated: Substitution::new(),
            alias_depth: 0,
        }
    }

    /// The scope of a function inside this one.
    pub(super) fn of_function(&self, generics: &Generics) -> NameScope<'a> {
        NameScope {
            module: self.module,
            this: self.this.clone(),
            generics: self.generics.clone(),
            associated: self.associated.clone(),
            alias_depth: 0,
        }
        .with(generics)
    }

    /// Adds generic parameters.
    pub(super) fn with(mut self, generics: &Generics) -> NameScope<'a> {
        self.generics.extend(generic_names(generics));
        self
    }
}

fn generic_names(generics: &Generics) -> impl Iterator<Item = String> + '_ {
    generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Type(parameter) => Some(plain(&parameter.ident)),
        GenericParam::Const(parameter) => Some(plain(&parameter.ident)),
        GenericParam::Lifetime(_) => None,
    })
}

/// The maximum number of aliases that are followed for one type. Arbitrary: it only ends a cycle of
/// aliases. A type behind more of them is unknown.
const ALIAS_DEPTH_MAX: usize = 8;

fn aliases(modules: &[Module]) -> BTreeMap<ItemPath, (&Generics, &Type, &Module)> {
    let mut found = BTreeMap::new();
    for module in modules {
        for item in &module.items {
            if let Item::Type(alias) = item {
                let path = module.path.iter().cloned().chain([plain(&alias.ident)]).collect();
                found.insert(path, (&alias.generics, alias.ty.as_ref(), module));
            }
        }
    }
    found
}

impl<'a> TypeReader<'a> {
    pub(super) fn new(modules: &'a [Module], names: &'a NameResolver<'a>) -> TypeReader<'a> {
        TypeReader { names, aliases: aliases(modules) }
    }

    /// Generic parameters with their bounds, including those of the `where` clause.
    pub(super) fn generics(&self, scope: &NameScope<'_>, generics: &Generics) -> Vec<Generic> {
        let mut found = Vec::new();
        for parameter in &generics.params {
            match parameter {
                GenericParam::Type(parameter) => found.push(Generic {
                    name: plain(&parameter.ident),
                    is_const: false,
                    has_default: parameter.default.is_some(),
                    bounds: self.bounds(scope, &parameter.bounds),
                }),
                GenericParam::Const(parameter) => found.push(Generic {
                    name: plain(&parameter.ident),
                    is_const: true,
                    has_default: parameter.default.is_some(),
                    bounds: Vec::new(),
                }),
                GenericParam::Lifetime(_) => {}
            }
        }
        let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        for clause in clauses {
            let WherePredicate::Type(clause) = clause else { continue };
            let Type::Path(path) = &clause.bounded_ty else { continue };
            let bounds = self.bounds(scope, &clause.bounds);
            let Some(name) = path.path.get_ident().map(plain) else { continue };
            match found.iter_mut().find(|generic| generic.name == name) {
                Some(generic) => generic.bounds.extend(bounds),
                // A method can bound a parameter of its `impl`.
                None if scope.generics.contains(&name) => {
                    found.push(Generic { name, is_const: false, has_default: false, bounds })
                }
                None => {}
            }
        }
        found
    }

    fn bounds<'b>(
        &self,
        scope: &NameScope<'_>,
        bounds: impl IntoIterator<Item = &'b TypeParamBound>,
    ) -> Vec<Bound> {
        let mut found = Vec::new();
        for bound in bounds {
            let TypeParamBound::Trait(bound) = bound else { continue };
            let Some(last) = bound.path.segments.last() else { continue };
            // `?Sized` requires nothing.
            if plain(&last.ident) == "Sized" {
                continue;
            }
            let written: Vec<String> =
                bound.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
            let own = match self.names.resolve(&scope.module.path, &written) {
                Resolved::Own(item, rest) if rest.is_empty() => Some(item),
                _ => None,
            };
            let mut associated = Vec::new();
            if let PathArguments::AngleBracketed(all) = &last.arguments {
                for argument in &all.args {
                    if let GenericArgument::AssocType(one) = argument {
                        associated.push((plain(&one.ident), self.ty(scope, &one.ty)));
                    }
                }
            }
            found.push(Bound {
                name: plain(&last.ident),
                own,
                arguments: self.arguments(scope, &last.arguments),
                associated,
            });
        }
        found
    }

    pub(super) fn arguments(&self, scope: &NameScope<'_>, arguments: &PathArguments) -> Vec<Ty> {
        let PathArguments::AngleBracketed(all) = arguments else { return Vec::new() };
        let types = all.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(self.ty(scope, ty)),
            GenericArgument::Const(value) => {
                Some(constant_argument(&value.to_token_stream().to_string()))
            }
            _ => None,
        });
        types.collect()
    }

    pub(super) fn ty(&self, scope: &NameScope<'_>, ty: &Type) -> Ty {
        let unknown = || Ty::Unknown(ty.to_token_stream().to_string());
        match ty {
            Type::Paren(inner) => self.ty(scope, &inner.elem),
            Type::Group(inner) => self.ty(scope, &inner.elem),
            Type::Reference(reference) => {
                let of = Box::new(self.ty(scope, &reference.elem));
                if reference.mutability.is_some() { Ty::RefMut(of) } else { Ty::Ref(of) }
            }
            Type::Slice(slice) => Ty::Slice(Box::new(self.ty(scope, &slice.elem))),
            Type::Array(array) => {
                let written = array.len.to_token_stream().to_string();
                let length = match scope.generics.contains(&written) {
                    true => Ty::Param(written),
                    false => constant_argument(&written),
                };
                Ty::Array(Box::new(self.ty(scope, &array.elem)), Box::new(length))
            }
            Type::Tuple(tuple) if tuple.elems.is_empty() => Ty::Unit,
            Type::Tuple(tuple) => {
                Ty::Tuple(tuple.elems.iter().map(|part| self.ty(scope, part)).collect())
            }
            Type::ImplTrait(bounds) => Ty::Impl(self.bounds(scope, &bounds.bounds)),
            Type::Path(path) if path.qself.is_none() => {
                self.named_type(scope, path).unwrap_or_else(unknown)
            }
            _ => unknown(),
        }
    }

    fn named_type(&self, scope: &NameScope<'_>, path: &syn::TypePath) -> Option<Ty> {
        let segments: Vec<String> =
            path.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let last = path.path.segments.last()?;
        let arguments = self.arguments(scope, &last.arguments);
        match segments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["Self"] => return scope.this.clone(),
            ["Self", name] => {
                // In a trait, `Self::Name` depends on the type.
                let known = scope.associated.get(*name).cloned();
                return Some(known.unwrap_or_else(|| Ty::Param((*name).to_owned())));
            }
            [name, associated] if scope.generics.contains(*name) => {
                return Some(Ty::Param(format!("{name}::{associated}")));
            }
            [name] if scope.generics.contains(*name) => return Some(Ty::Param((*name).to_owned())),
            _ => {}
        }
        match self.names.resolve(&scope.module.path, &segments) {
            Resolved::Own(item, rest) if rest.is_empty() => {
                if let Some((generics, ty, module)) = self.aliases.get(&item) {
                    return self.alias(scope, generics, ty, module, arguments);
                }
                Some(Ty::Own(item, arguments))
            }
            Resolved::Own(..) => None,
            Resolved::Outside(path) => {
                let is_std = path.len() == 1
                    || path
                        .first()
                        .is_some_and(|first| ["std", "core", "alloc"].contains(&first.as_str()));
                if !is_std {
                    return None;
                }
                std_type(path.last()?, arguments)
            }
        }
    }

    fn alias(
        &self,
        scope: &NameScope<'_>,
        generics: &Generics,
        ty: &Type,
        module: &Module,
        arguments: Vec<Ty>,
    ) -> Option<Ty> {
        if scope.alias_depth > ALIAS_DEPTH_MAX {
            return None;
        }
        let mut inner = NameScope::new(module).with(generics);
        inner.alias_depth = scope.alias_depth + 1;
        let aliased = self.ty(&inner, ty);
        let types: Substitution = generic_names(generics).zip(arguments).collect();
        Some(aliased.with(&types))
    }
}

fn constant_argument(written: &str) -> Ty {
    let digits = written.trim_end_matches("usize").replace('_', "");
    match digits.parse::<usize>() {
        Ok(number) => Ty::Const(number.to_string()),
        Err(_) => Ty::Unknown(written.to_owned()),
    }
}
