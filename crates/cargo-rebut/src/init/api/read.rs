//! Reads the interface of a crate from its modules.

use super::super::names::{ItemPath, Names, Resolved, name_of};
use super::super::source::{Conditions, Module, Reach, attributes, docs, is_hidden, plain};
use super::super::ty::{Bound, Generic, Substitution, Ty, std_type};
use super::{Api, Body, Constant, Function, How, Receiver, TraitDef, TraitImpl, TypeDef};
use quote::ToTokens as _;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::{
    Attribute, Fields, FnArg, GenericArgument, GenericParam, Generics, ImplItem, Item, ItemImpl,
    Meta, Pat, PathArguments, ReceiverKind, ReturnType, Safety, Signature, TraitItem, Type,
    TypeParamBound, WherePredicate,
};

/// From where tests look at the crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum View {
    /// From another crate, which calls it by this name in code.
    Outside,
    /// From a module at the root.
    Inside,
}

impl Api {
    /// The interface of a crate; `root` is what tests call it.
    pub(in super::super) fn read(
        modules: &[Module],
        conditions: &Conditions,
        root: &str,
        view: View,
    ) -> Api {
        let names = Names::new(modules);
        let paths = match view {
            View::Outside => names.public_paths(),
            View::Inside => names.inner_paths(),
        };
        let outside = outside(modules);
        let mut reader = Reader {
            modules,
            names: &names,
            paths: &paths,
            conditions,
            view,
            outside: &outside,
            aliases: aliases(modules),
            api: Api { root: root.to_owned(), ..Api::default() },
        };
        reader.types();
        reader.traits();
        reader.items();
        reader.methods_of_traits();
        reader.api
    }
}

struct Reader<'a> {
    modules: &'a [Module],
    names: &'a Names<'a>,
    paths: &'a BTreeMap<ItemPath, Vec<String>>,
    conditions: &'a Conditions,
    view: View,
    outside: &'a BTreeSet<String>,
    aliases: BTreeMap<ItemPath, (&'a Generics, &'a Type, &'a Module)>,
    api: Api,
}

/// Aliases can name each other in circles.
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

/// What names mean in some place.
struct Place<'a> {
    module: &'a Module,
    this: Option<Ty>,
    generics: BTreeSet<String>,
    associated: Substitution,
    depth: usize,
}

impl<'a> Place<'a> {
    fn new(module: &'a Module) -> Place<'a> {
        Place {
            module,
            this: None,
            generics: BTreeSet::new(),
            associated: Substitution::new(),
            depth: 0,
        }
    }

    fn with(mut self, generics: &Generics) -> Place<'a> {
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

impl<'a> Reader<'a> {
    fn item_path(module: &Module, name: String) -> ItemPath {
        module.path.iter().cloned().chain([name]).collect()
    }

    /// The path by which tests name an item that is meant to be used.
    fn named(&self, module: &Module, item: &Item) -> Option<(ItemPath, Vec<String>)> {
        let item_path = Self::item_path(module, name_of(item)?);
        let is_meant = !is_hidden(attributes(item)) && !is_deprecated(attributes(item));
        let path = self.paths.get(&item_path).filter(|_| is_meant)?.clone();
        Some((item_path, path))
    }

    fn types(&mut self) {
        for module in self.modules {
            for item in &module.items {
                let Some((item_path, path)) = self.named(module, item) else { continue };
                let (generics, attributes) = match item {
                    Item::Struct(item) => (&item.generics, &item.attrs),
                    Item::Enum(item) => (&item.generics, &item.attrs),
                    Item::Union(item) => (&item.generics, &item.attrs),
                    _ => continue,
                };
                let place = Place::new(module).with(generics);
                let definition = TypeDef {
                    path,
                    generics: self.generics(&place, generics),
                    body: Body::Closed,
                    docs: docs(attributes, Path::new(".")),
                };
                self.api.types.insert(item_path.clone(), definition);
            }
        }
        // Fields name other types, so all have to be known first.
        for module in self.modules {
            for item in &module.items {
                let (body, attributes, item_path) = match item {
                    Item::Struct(item) => {
                        let place = Place::new(module).with(&item.generics);
                        let fields = self.fields(&place, &item.fields, false);
                        let path = Self::item_path(module, plain(&item.ident));
                        (fields.map(Body::Fields), &item.attrs, path)
                    }
                    Item::Enum(item) => {
                        let place = Place::new(module).with(&item.generics);
                        let variants = item.variants.iter().map(|variant| {
                            let fields = self.fields(&place, &variant.fields, true)?;
                            Some((plain(&variant.ident), fields))
                        });
                        let path = Self::item_path(module, plain(&item.ident));
                        (variants.collect::<Option<_>>().map(Body::Variants), &item.attrs, path)
                    }
                    _ => continue,
                };
                let is_closed = attributes.iter().any(|one| one.path().is_ident("non_exhaustive"));
                let is_struct = matches!(item, Item::Struct(_));
                let Some(definition) = self.api.types.get_mut(&item_path) else { continue };
                if !(is_closed && is_struct && self.view == View::Outside) {
                    definition.body = body.unwrap_or(Body::Closed);
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

    /// Fields, if tests can write all of them.
    fn fields(
        &self,
        place: &Place<'_>,
        fields: &Fields,
        is_variant: bool,
    ) -> Option<Vec<(Option<String>, Ty)>> {
        let field = |field: &syn::Field| {
            let reach = Reach::of(&field.vis);
            let is_open = match self.view {
                View::Outside => reach == Reach::Public,
                View::Inside => reach != Reach::Private || place.module.path.is_empty(),
            };
            let name = field.ident.as_ref().map(plain);
            (is_variant || is_open).then(|| (name, self.ty(place, &field.ty)))
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
                let Some((item_path, path)) = self.named(module, item) else { continue };
                let mut place = Place::new(module).with(&definition.generics);
                place.this = Some(Ty::Param("Self".to_owned()));
                let mut methods = Vec::new();
                for inner in &definition.items {
                    let TraitItem::Fn(method) = inner else { continue };
                    if is_deprecated(&method.attrs) || !self.conditions.allow(&method.attrs) {
                        continue;
                    }
                    let how = How::Trait(path.clone());
                    let read = self.function(&place, &method.sig, &method.attrs, how, &[]);
                    methods.extend(read);
                }
                // A trait with parameters needs more than its path to be called.
                if definition.generics.params.is_empty() {
                    found.push((item_path, TraitDef { path, methods }));
                }
            }
        }
        self.api.traits.extend(found);
    }

    fn items(&mut self) {
        for module in self.modules {
            for item in &module.items {
                match item {
                    Item::Fn(function) => {
                        let Some((_, path)) = self.named(module, item) else { continue };
                        let place = Place::new(module);
                        let how = How::Free(path);
                        let (signature, attributes) = (&function.sig, &function.attrs);
                        let read = self.function(&place, signature, attributes, how, &[]);
                        self.api.functions.extend(read);
                    }
                    Item::Const(constant) => {
                        let Some((_, path)) = self.named(module, item) else { continue };
                        let ty = self.ty(&Place::new(module), &constant.ty);
                        self.constant(path, ty);
                    }
                    Item::Static(constant) => {
                        let Some((_, path)) = self.named(module, item) else { continue };
                        let ty = self.ty(&Place::new(module), &constant.ty);
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
        let mut place = Place::new(module).with(&block.generics);
        let this = self.ty(&place, &block.self_ty);
        place.this = Some(this.clone());
        for inner in &block.items {
            if let ImplItem::Type(associated) = inner {
                let ty = self.ty(&place, &associated.ty);
                place.associated.insert(plain(&associated.ident), ty);
            }
        }
        let generics = self.generics(&place, &block.generics);
        let Some(implemented) = &block.trait_ else {
            self.inherent(&place, block, &generics, &this);
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
            arguments: self.arguments(&place, &last.arguments),
            on: this,
            generics,
            associated: place.associated.clone(),
            is_derived: false,
        });
    }

    fn inherent(&mut self, place: &Place<'_>, block: &ItemImpl, generics: &[Generic], this: &Ty) {
        let Ty::Own(item, _) = this else { return };
        let Some(path) = self.api.types.get(item).map(|definition| definition.path.clone()) else {
            return;
        };
        let is_root = place.module.path.is_empty();
        let is_seen = |visibility: &syn::Visibility| match (self.view, Reach::of(visibility)) {
            (View::Outside, reach) => reach == Reach::Public,
            (View::Inside, reach) => reach != Reach::Private || is_root,
        };
        let mut functions = Vec::new();
        let mut constants = Vec::new();
        for inner in &block.items {
            match inner {
                ImplItem::Fn(function) if is_seen(&function.vis) => {
                    let attributes = &function.attrs;
                    let is_meant = self.conditions.allow(attributes)
                        && !is_hidden(attributes)
                        && !is_deprecated(attributes);
                    if is_meant {
                        let how = How::Inherent;
                        let signature = &function.sig;
                        functions
                            .extend(self.function(place, signature, attributes, how, generics));
                    }
                }
                ImplItem::Const(constant)
                    if is_seen(&constant.vis) && self.conditions.allow(&constant.attrs) =>
                {
                    let mut path = path.clone();
                    path.push(plain(&constant.ident));
                    constants.push((path, self.ty(place, &constant.ty)));
                }
                _ => {}
            }
        }
        self.api.functions.extend(functions);
        for (path, ty) in constants {
            // A constant of a generic type needs to know its arguments.
            if generics.is_empty() {
                self.constant(path, ty);
            }
        }
    }

    /// Every method of a trait of the crate, for each type that has it.
    fn methods_of_traits(&mut self) {
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
            // What is implemented for everything is implemented for nothing in particular.
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

    /// A function that can be called without care.
    fn function(
        &self,
        place: &Place<'_>,
        signature: &Signature,
        attributes: &[Attribute],
        how: How,
        around: &[Generic],
    ) -> Option<Function> {
        let name = plain(&signature.ident);
        let is_odd = signature.asyncness.is_some()
            || matches!(signature.safety, Safety::Unsafe(_))
            || signature.abi.is_some()
            || signature.variadic.is_some();
        if is_odd || name == "main" || self.outside.contains(&name) {
            return None;
        }
        let inner = Place {
            module: place.module,
            this: place.this.clone(),
            generics: place.generics.clone(),
            associated: place.associated.clone(),
            depth: 0,
        }
        .with(&signature.generics);
        let mut generics: Vec<Generic> = around.to_vec();
        for generic in self.generics(&inner, &signature.generics) {
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
                    parameters.push((name, self.ty(&inner, &input.ty)));
                }
            }
        }
        let output = match &signature.output {
            ReturnType::Default => Ty::Unit,
            ReturnType::Type(_, ty) => self.ty(&inner, ty),
        };
        Some(Function {
            name,
            how,
            owner: place.this.clone(),
            receiver,
            parameters,
            output,
            generics,
            docs: docs(attributes, Path::new(".")),
        })
    }

    /// Generic parameters with their bounds, those of the `where` clause among them.
    fn generics(&self, place: &Place<'_>, generics: &Generics) -> Vec<Generic> {
        let mut found = Vec::new();
        for parameter in &generics.params {
            match parameter {
                GenericParam::Type(parameter) => found.push(Generic {
                    name: plain(&parameter.ident),
                    is_const: false,
                    has_default: parameter.default.is_some(),
                    bounds: self.bounds(place, &parameter.bounds),
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
            let bounds = self.bounds(place, &clause.bounds);
            let Some(name) = path.path.get_ident().map(plain) else { continue };
            match found.iter_mut().find(|generic| generic.name == name) {
                Some(generic) => generic.bounds.extend(bounds),
                // A bound of a method on a parameter of its `impl`.
                None if place.generics.contains(&name) => {
                    found.push(Generic { name, is_const: false, has_default: false, bounds })
                }
                None => {}
            }
        }
        found
    }

    fn bounds<'b>(
        &self,
        place: &Place<'_>,
        bounds: impl IntoIterator<Item = &'b TypeParamBound>,
    ) -> Vec<Bound> {
        let mut found = Vec::new();
        for bound in bounds {
            let TypeParamBound::Trait(bound) = bound else { continue };
            let Some(last) = bound.path.segments.last() else { continue };
            // `?Sized` asks for nothing.
            if plain(&last.ident) == "Sized" {
                continue;
            }
            let written: Vec<String> =
                bound.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
            let own = match self.names.resolve(&place.module.path, &written) {
                Resolved::Own(item, rest) if rest.is_empty() => Some(item),
                _ => None,
            };
            let mut associated = Vec::new();
            if let PathArguments::AngleBracketed(all) = &last.arguments {
                for argument in &all.args {
                    if let GenericArgument::AssocType(one) = argument {
                        associated.push((plain(&one.ident), self.ty(place, &one.ty)));
                    }
                }
            }
            found.push(Bound {
                name: plain(&last.ident),
                own,
                arguments: self.arguments(place, &last.arguments),
                associated,
            });
        }
        found
    }

    fn arguments(&self, place: &Place<'_>, arguments: &PathArguments) -> Vec<Ty> {
        let PathArguments::AngleBracketed(all) = arguments else { return Vec::new() };
        let types = all.args.iter().filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(self.ty(place, ty)),
            GenericArgument::Const(value) => Some(constant(&value.to_token_stream().to_string())),
            _ => None,
        });
        types.collect()
    }

    fn ty(&self, place: &Place<'_>, ty: &Type) -> Ty {
        let unknown = || Ty::Unknown(ty.to_token_stream().to_string());
        match ty {
            Type::Paren(inner) => self.ty(place, &inner.elem),
            Type::Group(inner) => self.ty(place, &inner.elem),
            Type::Reference(reference) => {
                let of = Box::new(self.ty(place, &reference.elem));
                if reference.mutability.is_some() { Ty::RefMut(of) } else { Ty::Ref(of) }
            }
            Type::Slice(slice) => Ty::Slice(Box::new(self.ty(place, &slice.elem))),
            Type::Array(array) => {
                let written = array.len.to_token_stream().to_string();
                let length = match place.generics.contains(&written) {
                    true => Ty::Param(written),
                    false => constant(&written),
                };
                Ty::Array(Box::new(self.ty(place, &array.elem)), Box::new(length))
            }
            Type::Tuple(tuple) if tuple.elems.is_empty() => Ty::Unit,
            Type::Tuple(tuple) => {
                Ty::Tuple(tuple.elems.iter().map(|part| self.ty(place, part)).collect())
            }
            Type::ImplTrait(bounds) => Ty::Impl(self.bounds(place, &bounds.bounds)),
            Type::Path(path) if path.qself.is_none() => {
                self.named_type(place, path).unwrap_or_else(unknown)
            }
            _ => unknown(),
        }
    }

    fn named_type(&self, place: &Place<'_>, path: &syn::TypePath) -> Option<Ty> {
        let segments: Vec<String> =
            path.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let last = path.path.segments.last()?;
        let arguments = self.arguments(place, &last.arguments);
        match segments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["Self"] => return place.this.clone(),
            ["Self", name] => {
                // In a trait, what `Self::Name` is depends on the type.
                let known = place.associated.get(*name).cloned();
                return Some(known.unwrap_or_else(|| Ty::Param((*name).to_owned())));
            }
            [name, associated] if place.generics.contains(*name) => {
                return Some(Ty::Param(format!("{name}::{associated}")));
            }
            [name] if place.generics.contains(*name) => return Some(Ty::Param((*name).to_owned())),
            _ => {}
        }
        match self.names.resolve(&place.module.path, &segments) {
            Resolved::Own(item, rest) if rest.is_empty() => {
                if let Some((generics, ty, module)) = self.aliases.get(&item) {
                    return self.alias(place, generics, ty, module, arguments);
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
        place: &Place<'_>,
        generics: &Generics,
        ty: &Type,
        module: &Module,
        arguments: Vec<Ty>,
    ) -> Option<Ty> {
        if place.depth > ALIAS_DEPTH_MAX {
            return None;
        }
        let mut inner = Place::new(module).with(generics);
        inner.depth = place.depth + 1;
        let meant = self.ty(&inner, ty);
        let types: Substitution = generic_names(generics).zip(arguments).collect();
        Some(meant.with(&types))
    }
}

fn constant(written: &str) -> Ty {
    let digits = written.trim_end_matches("usize").replace('_', "");
    match digits.parse::<usize>() {
        Ok(number) => Ty::Const(number.to_string()),
        Err(_) => Ty::Unknown(written.to_owned()),
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

/// Functions whose code has one of these words reach outside of the program or stop it. Nobody
/// wants them called with generated arguments.
const OUTSIDE: &[&str] = &[
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

/// Words that reach outside only together.
const TOGETHER: &[(&str, &str)] = &[("File", "create"), ("fs", "write"), ("fs", "copy")];

/// The names of all functions that reach outside, directly or through functions of the crate.
fn outside(modules: &[Module]) -> BTreeSet<String> {
    let mut bodies: BTreeMap<String, Vec<BTreeSet<String>>> = BTreeMap::new();
    for module in modules {
        for item in &module.items {
            match item {
                Item::Fn(function) => {
                    let words = words(&function.block.to_token_stream());
                    bodies.entry(plain(&function.sig.ident)).or_default().push(words);
                }
                Item::Impl(block) => {
                    for inner in &block.items {
                        let ImplItem::Fn(function) = inner else { continue };
                        let words = words(&function.block.to_token_stream());
                        bodies.entry(plain(&function.sig.ident)).or_default().push(words);
                    }
                }
                _ => {}
            }
        }
    }
    let reaches = |words: &BTreeSet<String>| {
        OUTSIDE.iter().any(|word| words.contains(*word))
            || TOGETHER.iter().any(|(one, other)| words.contains(*one) && words.contains(*other))
    };
    let mut outside: BTreeSet<String> = bodies
        .iter()
        .filter(|(_, all)| all.iter().any(reaches))
        .map(|(name, _)| name.clone())
        .collect();
    loop {
        let before = outside.len();
        for (name, all) in &bodies {
            // A name with several definitions says little about which one is called.
            let calls = |words: &BTreeSet<String>| {
                outside.iter().any(|name| {
                    bodies.get(name).is_some_and(|all| all.len() == 1) && words.contains(name)
                })
            };
            if !outside.contains(name) && all.iter().any(calls) {
                outside.insert(name.clone());
            }
        }
        if outside.len() == before {
            return outside;
        }
    }
}

/// All identifiers of some code.
fn words(code: &proc_macro2::TokenStream) -> BTreeSet<String> {
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
