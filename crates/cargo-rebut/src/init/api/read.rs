//! Reads the interface of a crate from its modules.

mod types;

use super::super::names::{ItemPath, NameResolver, Resolved, item_name};
use super::super::source::{CfgConditions, Module, Reach, attributes, docs, is_hidden, plain};
use super::super::ty::{Generic, Substitution, Ty};
use super::side_effects::functions_with_side_effects;
use super::{Api, CallStyle, Constant, Function, Receiver, TraitDef, TraitImpl, TypeBody, TypeDef};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::{
    Attribute, Fields, FnArg, ImplItem, Item, ItemConst, ItemImpl, ItemStatic, Meta, Pat,
    ReceiverKind, ReturnType, Safety, Signature, TraitItem,
};
use types::{NameScope, TypeReader};

/// Where the tests of a crate are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Viewpoint {
    /// In another crate.
    Outside,
    /// In a module at the root of the crate.
    Inside,
}

impl Api {
    /// Reads the interface of a crate; `root` is its name in tests.
    pub(in super::super) fn read(
        modules: &[Module],
        conditions: &CfgConditions,
        root: &str,
        view: Viewpoint,
    ) -> Api {
        let names = NameResolver::new(modules);
        let paths = match view {
            Viewpoint::Outside => names.public_paths(),
            Viewpoint::Inside => names.inner_paths(),
        };
        let side_effects = functions_with_side_effects(modules);
        let mut reader = ApiReader {
            modules,
            names: &names,
            type_reader: TypeReader::new(modules, &names),
            paths: &paths,
            conditions,
            view,
            side_effects: &side_effects,
            api: Api { root: root.to_owned(), ..Api::default() },
        };
        reader.types();
        reader.traits();
        reader.read_items();
        reader.trait_methods();
        reader.api
    }
}

struct ApiReader<'a> {
    modules: &'a [Module],
    names: &'a NameResolver<'a>,
    type_reader: TypeReader<'a>,
    paths: &'a BTreeMap<ItemPath, Vec<String>>,
    conditions: &'a CfgConditions,
    view: Viewpoint,
    side_effects: &'a BTreeSet<String>,
    api: Api,
}

impl<'a> ApiReader<'a> {
    fn item_path(module: &Module, name: String) -> ItemPath {
        module.path.iter().cloned().chain([name]).collect()
    }

    /// The path by which tests name an item; `None` for hidden and deprecated items.
    fn test_path(&self, module: &Module, item: &Item) -> Option<(ItemPath, Vec<String>)> {
        let item_path = Self::item_path(module, item_name(item)?);
        let is_offered = !is_hidden(attributes(item)) && !is_deprecated(attributes(item));
        let path = self.paths.get(&item_path).filter(|_| is_offered)?.clone();
        Some((item_path, path))
    }

    fn types(&mut self) {
        for module in self.modules {
            for item in &module.items {
                let Some((item_path, path)) = self.test_path(module, item) else { continue };
                let (generics, attributes) = match item {
                    Item::Struct(item) => (&item.generics, &item.attrs),
                    Item::Enum(item) => (&item.generics, &item.attrs),
                    Item::Union(item) => (&item.generics, &item.attrs),
                    _ => continue,
                };
                let scope = NameScope::new(module).with(generics);
                let definition = TypeDef {
                    path,
                    generics: self.type_reader.generics(&scope, generics),
                    body: TypeBody::Closed,
                    docs: docs(attributes, Path::new(".")),
                };
                self.api.types.insert(item_path.clone(), definition);
            }
        }
        // Fields name other types, so a second pass reads them.
        for module in self.modules {
            for item in &module.items {
                let (body, attributes, item_path) = match item {
                    Item::Struct(item) => {
                        let scope = NameScope::new(module).with(&item.generics);
                        let fields = self.fields(&scope, &item.fields, false);
                        let path = Self::item_path(module, plain(&item.ident));
                        (fields.map(TypeBody::Fields), &item.attrs, path)
                    }
                    Item::Enum(item) => {
                        let scope = NameScope::new(module).with(&item.generics);
                        let variants = item.variants.iter().map(|variant| {
                            let fields = self.fields(&scope, &variant.fields, true)?;
                            Some((plain(&variant.ident), fields))
                        });
                        let path = Self::item_path(module, plain(&item.ident));
                        (variants.collect::<Option<_>>().map(TypeBody::Variants), &item.attrs, path)
                    }
                    _ => continue,
                };
                let is_closed = attributes.iter().any(|one| one.path().is_ident("non_exhaustive"));
                let is_struct = matches!(item, Item::Struct(_));
                let Some(definition) = self.api.types.get_mut(&item_path) else { continue };
                if !(is_closed && is_struct && self.view == Viewpoint::Outside) {
                    definition.body = body.unwrap_or(TypeBody::Closed);
                }
                let derived = derived(&self.conditions.expanded(attributes));
                let generics = definition.generics.clone();
                let arguments = generics.iter().map(|generic| Ty::Param(generic.name.clone()));
                let on = Ty::Own(item_path, arguments.collect());
                for name in derived {
                    self.api.impls.push(TraitImpl {
                        name,
                        own: None,
                        arguments: Vec::new(),
                        on: on.clone(),
                        generics: generics.clone(),
                        associated: Substitution::new(),
                        is_derived: true,
                    });
                }
            }
        }
    }

    /// The fields, if tests can access all of them.
    fn fields(
        &self,
        scope: &NameScope<'_>,
        fields: &Fields,
        is_variant: bool,
    ) -> Option<Vec<(Option<String>, Ty)>> {
        let field = |field: &syn::Field| {
            let reach = Reach::from_visibility(&field.vis);
            let is_open = match self.view {
                Viewpoint::Outside => reach == Reach::Public,
                Viewpoint::Inside => reach != Reach::Private || scope.module.path.is_empty(),
            };
            let name = field.ident.as_ref().map(plain);
            (is_variant || is_open).then(|| (name, self.type_reader.ty(scope, &field.ty)))
        };
        let allowed = fields.iter().filter(|field| self.conditions.allow(&field.attrs));
        let read: Option<Vec<_>> = allowed.map(field).collect();
        read.filter(|read| is_variant || !read.is_empty())
    }

    fn traits(&mut self) {
        let mut found = Vec::new();
        for module in self.modules {
            for item in &module.items {
                let Item::Trait(definition) = item else { continue };
                let Some((item_path, path)) = self.test_path(module, item) else { continue };
                let mut scope = NameScope::new(module).with(&definition.generics);
                scope.this = Some(Ty::Param("Self".to_owned()));
                let mut methods = Vec::new();
                for inner in &definition.items {
                    let TraitItem::Fn(method) = inner else { continue };
                    if is_deprecated(&method.attrs) || !self.conditions.allow(&method.attrs) {
                        continue;
                    }
                    let how = CallStyle::Trait(path.clone());
                    let read = self.function(&scope, &method.sig, &method.attrs, how, &[]);
                    methods.extend(read);
                }
                // A call of a trait with parameters needs more than its path.
                if definition.generics.params.is_empty() {
                    found.push((item_path, TraitDef { path, methods }));
                }
            }
        }
        self.api.traits.extend(found);
    }

    /// Reads the functions, constants and methods of all modules.
    fn read_items(&mut self) {
        for module in self.modules {
            for item in &module.items {
                match item {
                    Item::Fn(function) => {
                        let Some((_, path)) = self.test_path(module, item) else { continue };
                        let scope = NameScope::new(module);
                        let how = CallStyle::Free(path);
                        let (signature, attributes) = (&function.sig, &function.attrs);
                        let read = self.function(&scope, signature, attributes, how, &[]);
                        self.api.functions.extend(read);
                    }
                    Item::Const(ItemConst { ty, .. }) | Item::Static(ItemStatic { ty, .. }) => {
                        let Some((_, path)) = self.test_path(module, item) else { continue };
                        let ty = self.type_reader.ty(&NameScope::new(module), ty);
                        self.constant(path, ty);
                    }
                    Item::Impl(block) => self.implementation(module, block),
                    _ => {}
                }
            }
        }
    }

    fn constant(&mut self, path: Vec<String>, ty: Ty) {
        if matches!(ty.bare(), Ty::Own(..)) {
            self.api.constants.push(Constant { path, ty });
        }
    }

    fn implementation(&mut self, module: &'a Module, block: &'a ItemImpl) {
        let mut scope = NameScope::new(module).with(&block.generics);
        let this = self.type_reader.ty(&scope, &block.self_ty);
        scope.this = Some(this.clone());
        for inner in &block.items {
            if let ImplItem::Type(associated) = inner {
                let ty = self.type_reader.ty(&scope, &associated.ty);
                scope.associated.insert(plain(&associated.ident), ty);
            }
        }
        let generics = self.type_reader.generics(&scope, &block.generics);
        let Some(implemented) = &block.trait_ else {
            self.inherent(&scope, block, &generics, &this);
            return;
        };
        let path = &implemented.0;
        let Some(last) = path.segments.last() else { return };
        let written: Vec<String> =
            path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let own = match self.names.resolve(&module.path, &written) {
            Resolved::Own(item, rest) if rest.is_empty() => Some(item),
            _ => None,
        };
        self.api.impls.push(TraitImpl {
            name: plain(&last.ident),
            own,
            arguments: self.type_reader.arguments(&scope, &last.arguments),
            on: this,
            generics,
            associated: scope.associated.clone(),
            is_derived: false,
        });
    }

    fn inherent(
        &mut self,
        scope: &NameScope<'_>,
        block: &ItemImpl,
        generics: &[Generic],
        this: &Ty,
    ) {
        let Ty::Own(item, _) = this else { return };
        let Some(path) = self.api.types.get(item).map(|definition| definition.path.clone()) else {
            return;
        };
        let is_root = scope.module.path.is_empty();
        let is_seen =
            |visibility: &syn::Visibility| match (self.view, Reach::from_visibility(visibility)) {
                (Viewpoint::Outside, reach) => reach == Reach::Public,
                (Viewpoint::Inside, reach) => reach != Reach::Private || is_root,
            };
        let mut functions = Vec::new();
        let mut constants = Vec::new();
        for inner in &block.items {
            match inner {
                ImplItem::Fn(function) if is_seen(&function.vis) => {
                    let attributes = &function.attrs;
                    let is_offered = self.conditions.allow(attributes)
                        && !is_hidden(attributes)
                        && !is_deprecated(attributes);
                    if is_offered {
                        let how = CallStyle::Inherent;
                        let signature = &function.sig;
                        functions
                            .extend(self.function(scope, signature, attributes, how, generics));
                    }
                }
                ImplItem::Const(constant)
                    if is_seen(&constant.vis) && self.conditions.allow(&constant.attrs) =>
                {
                    let mut path = path.clone();
                    path.push(plain(&constant.ident));
                    constants.push((path, self.type_reader.ty(scope, &constant.ty)));
                }
                _ => {}
            }
        }
        self.api.functions.extend(functions);
        for (path, ty) in constants {
            // A constant of a generic type cannot be named without arguments.
            if generics.is_empty() {
                self.constant(path, ty);
            }
        }
    }

    /// Adds every method of the crate's traits, for each type that implements the trait.
    fn trait_methods(&mut self) {
        let mut found = Vec::new();
        for one in &self.api.impls {
            let Some(definition) = one.own.as_ref().and_then(|own| self.api.traits.get(own)) else {
                continue;
            };
            let is_named = match &one.on {
                Ty::Own(item, _) => self.api.types.contains_key(item),
                Ty::Str | Ty::Slice(_) => true,
                ty => ty.is_generated(),
            };
            // A blanket implementation has no type to test it with.
            if !is_named {
                continue;
            }
            let mut types = one.associated.clone();
            let owned = match &one.on {
                Ty::Str => Ty::String,
                Ty::Slice(of) => Ty::Std("Vec", vec![(**of).clone()]),
                ty => ty.clone(),
            };
            types.entry("Owned".to_owned()).or_insert(owned);
            types.insert("Self".to_owned(), one.on.clone());
            for method in &definition.methods {
                let ty = |ty: &Ty| ty.with(&types);
                let generics: Vec<Generic> =
                    one.generics.iter().chain(&method.generics).cloned().collect();
                found.push(Function {
                    owner: Some(one.on.clone()),
                    parameters: method
                        .parameters
                        .iter()
                        .map(|(name, of)| (name.clone(), ty(of)))
                        .collect(),
                    output: ty(&method.output),
                    generics,
                    ..method.clone()
                });
            }
        }
        self.api.functions.extend(found);
    }

    /// A function that tests can call; `None` for unsafe and async functions, and those with side
    /// effects.
    fn function(
        &self,
        scope: &NameScope<'_>,
        signature: &Signature,
        attributes: &[Attribute],
        how: CallStyle,
        around: &[Generic],
    ) -> Option<Function> {
        let name = plain(&signature.ident);
        let is_unsupported = signature.asyncness.is_some()
            || matches!(signature.safety, Safety::Unsafe(_))
            || signature.abi.is_some()
            || signature.variadic.is_some();
        if is_unsupported || name == "main" || self.side_effects.contains(&name) {
            return None;
        }
        let inner = scope.of_function(&signature.generics);
        let mut generics: Vec<Generic> = around.to_vec();
        for generic in self.type_reader.generics(&inner, &signature.generics) {
            match generics.iter_mut().find(|known| known.name == generic.name) {
                Some(known) => known.bounds.extend(generic.bounds),
                None => generics.push(generic),
            }
        }
        let mut receiver = None;
        let mut parameters: Vec<(String, Ty)> = Vec::new();
        for (nth, input) in signature.inputs.iter().enumerate() {
            match input {
                FnArg::Receiver(this) => {
                    receiver = Some(match &this.kind {
                        ReceiverKind::Reference(_, _, Some(_)) => Receiver::RefMut,
                        ReceiverKind::Reference(..) => Receiver::Ref,
                        ReceiverKind::Value => Receiver::Owned,
                        _ => return None,
                    });
                }
                FnArg::Typed(input) => {
                    let written = match input.pat.as_ref() {
                        Pat::Ident(pattern) => plain(&pattern.ident),
                        _ => String::new(),
                    };
                    let written = written.trim_start_matches('_');
                    let name = match written.is_empty() {
                        true => format!("value_{nth}"),
                        false => written.to_owned(),
                    };
                    parameters.push((name, self.type_reader.ty(&inner, &input.ty)));
                }
            }
        }
        let output = match &signature.output {
            ReturnType::Default => Ty::Unit,
            ReturnType::Type(_, ty) => self.type_reader.ty(&inner, ty),
        };
        Some(Function {
            name,
            how,
            owner: scope.this.clone(),
            receiver,
            parameters,
            output,
            generics,
            docs: docs(attributes, Path::new(".")),
        })
    }
}

fn is_deprecated(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("deprecated"))
}

fn derived(attributes: &[Meta]) -> Vec<String> {
    let mut found = Vec::new();
    for meta in attributes {
        if let Meta::List(list) = meta
            && list.path.is_ident("derive")
        {
            let _ = list.parse_nested_meta(|meta| {
                found.extend(meta.path.segments.last().map(|last| plain(&last.ident)));
                Ok(())
            });
        }
    }
    found
}
