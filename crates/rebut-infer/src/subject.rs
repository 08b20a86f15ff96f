//! The type whose behavior is inferred: where it is, how it begins, what looks at it and what
//! changes it. All of it is read from the sources.

use super::sources::Module;
use super::types::{self, Bindings};
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Expr, ExprLit, Fields, FnArg, GenericArgument, GenericParam, Generics, ImplItem,
    ImplItemFn, Item, ItemImpl, Lit, Meta, Pat, PathArguments, ReceiverKind, ReturnType, Token,
    Type, TypePath, Visibility,
};

/// A type and what can be done with it.
#[derive(Clone)]
pub(crate) struct Subject {
    /// Its name alone: `Stack`.
    pub(crate) name: String,
    /// The type with its arguments: `Stack<i32>`.
    pub(crate) ty: Type,
    /// The module it is in.
    pub(crate) module: Module,
    /// How states of it are made.
    pub(crate) start: Start,
    pub(crate) constructors: Vec<Method>,
    pub(crate) observers: Vec<Method>,
    pub(crate) modifiers: Vec<Method>,
    /// All that change it and can be called, also those that were not asked for.
    pub(crate) steps: Vec<Method>,
    /// Conditions on the arguments of the constructor that states begin with: those without which
    /// it panics. They are known when it has been explored.
    pub(crate) begun_if: Vec<String>,
    /// What was taken for granted or left out, in words.
    pub(crate) notes: Vec<String>,
}

/// How states are made.
#[derive(Clone)]
pub(crate) enum Start {
    /// The type has a generator; these conditions on `self` hold.
    Drawn(Vec<TokenStream>),
    /// The fields are drawn, and these conditions on `self` hold.
    Fields(Vec<(String, Type)>, Vec<TokenStream>),
    /// A constructor is called, then what changes it.
    Reached(Box<Method>),
}

/// A function of the type.
#[derive(Clone)]
pub(crate) struct Method {
    pub(crate) name: String,
    /// Without `self`.
    pub(crate) parameters: Vec<Parameter>,
    /// What it gives back; none if nothing.
    pub(crate) output: Option<Type>,
    /// Its signature as in the source, for contracts.
    pub(crate) signature: String,
    /// Where it is in the source; nowhere if it was derived.
    pub(crate) home: Option<Home>,
    kind: Kind,
}

/// Where a function is in the source.
#[derive(Clone, Debug)]
pub(crate) struct Home {
    pub(crate) file: PathBuf,
    /// The text of the file.
    pub(crate) text: Rc<str>,
    /// Where its block begins.
    pub(crate) block: usize,
    /// Where it begins itself.
    pub(crate) function: usize,
    /// Whether the block has contracts.
    pub(crate) has_contracts: bool,
}

/// A parameter of a function.
#[derive(Clone)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) ty: Type,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Constructor,
    Observer,
    Modifier,
    Other,
}

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) observers: Vec<String>,
    pub(crate) modifiers: Vec<String>,
}

/// Why no subject was found.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The modules have no type of this name.
    UnknownType(String),
    /// The name is ambiguous or not a type, or the type cannot be used.
    Other(String),
}

impl Refusal {
    /// The message for the user.
    pub(crate) fn message(self) -> String {
        match self {
            Refusal::UnknownType(message) | Refusal::Other(message) => message,
        }
    }
}

/// Finds the type of this name.
///
/// # Errors
/// If there is no such type, if there are several, or if it cannot be used.
pub(crate) fn find(modules: &[Module], asked: &str, wanted: &Wanted) -> Result<Subject, Refusal> {
    let path: TypePath = syn::parse_str(asked).map_err(|_error| {
        Refusal::Other(format!(
            "`{asked}` is not a type; write its name, such as `Stack` or `module::Stack<u8>`"
        ))
    })?;
    let names: Vec<String> = path.path.segments.iter().map(|one| one.ident.to_string()).collect();
    let found: Vec<Definition<'_>> =
        definitions(modules).into_iter().filter(|definition| definition.is(&names)).collect();
    match found.as_slice() {
        [definition] => {
            Reader { modules, definition, wanted }.subject(&path).map_err(Refusal::Other)
        }
        [] => Err(Refusal::UnknownType(no_type(modules, asked))),
        several => {
            let paths = several.iter().map(|one| format!("`{}`", one.path()));
            let paths = paths.collect::<Vec<_>>().join(", ");
            Err(Refusal::Other(format!(
                "several types are named `{asked}`; specify one of {paths}"
            )))
        }
    }
}

fn no_type(modules: &[Module], asked: &str) -> String {
    let known: Vec<String> = definitions(modules)
        .iter()
        .filter(|definition| impls(modules, definition).next().is_some())
        .map(|definition| format!("`{}`", definition.path()))
        .collect();
    match known.as_slice() {
        [] => format!("no type named `{asked}`, and no other type has methods"),
        known => format!("no type named `{asked}`; available: {}", known.join(", ")),
    }
}

/// A type that the crate defines.
struct Definition<'m> {
    module: &'m Module,
    name: String,
    generics: &'m Generics,
    attributes: &'m [Attribute],
    /// Those of a structure.
    fields: Option<&'m Fields>,
}

impl Definition<'_> {
    fn path(&self) -> String {
        self.module.path_to(&self.name)
    }

    /// Whether a path may mean it: its own, or the end of it.
    fn is(&self, names: &[String]) -> bool {
        let own: Vec<&str> =
            self.module.path.iter().map(String::as_str).chain([self.name.as_str()]).collect();
        let names = match names {
            [first, rest @ ..] if first == "crate" => return own == rest,
            names => names,
        };
        own.len() >= names.len() && own[own.len() - names.len()..] == *names
    }
}

/// All types that the crate defines.
fn definitions<'m>(modules: &'m [Module]) -> Vec<Definition<'m>> {
    let of = |module: &'m Module| {
        module.items.iter().filter_map(move |item| match item {
            Item::Struct(item) => Some(Definition {
                module,
                name: item.ident.to_string(),
                generics: &item.generics,
                attributes: &item.attrs,
                fields: Some(&item.fields),
            }),
            Item::Enum(item) => Some(Definition {
                module,
                name: item.ident.to_string(),
                generics: &item.generics,
                attributes: &item.attrs,
                fields: None,
            }),
            _ => None,
        })
    };
    modules.iter().flat_map(of).collect()
}

/// The implementations of a type. Others of the same name are told apart by their modules.
fn impls<'m>(
    modules: &'m [Module],
    definition: &Definition<'m>,
) -> impl Iterator<Item = (&'m Module, &'m ItemImpl)> {
    let name = definition.name.clone();
    let is_only = definitions(modules).iter().filter(|other| other.name == name).count() == 1;
    let home = definition.module.path.clone();
    let of = move |module: &'m Module| {
        let (name, is_near) = (name.clone(), is_only || module.path == home);
        module.items.iter().filter_map(move |item| match item {
            Item::Impl(item) if is_near => {
                let is_it = types::last_name(&item.self_ty).as_deref() == Some(&name);
                is_it.then_some((module, item))
            }
            _ => None,
        })
    };
    modules.iter().flat_map(of)
}

/// The names of types that can be drawn.
fn generated(modules: &[Module]) -> BTreeSet<String> {
    let derived =
        definitions(modules).into_iter().filter(|one| derives(one.attributes, "Generate"));
    let mut names: BTreeSet<String> = derived.map(|one| one.name).collect();
    for item in modules.iter().flat_map(|module| &module.items) {
        if let Item::Impl(item) = item
            && trait_of(item).as_deref() == Some("Generate")
        {
            names.extend(types::last_name(&item.self_ty));
        }
    }
    names
}

fn trait_of(item: &ItemImpl) -> Option<String> {
    item.trait_.as_ref()?.0.segments.last().map(|last| last.ident.to_string())
}

/// Whether `derive(..)` names a trait, also in `cfg_attr`.
fn derives(attributes: &[Attribute], name: &str) -> bool {
    let names = |meta: &Meta| {
        let Meta::List(list) = meta else { return false };
        let parse = Punctuated::<syn::Path, Token![,]>::parse_terminated;
        let paths = list.parse_args_with(parse).unwrap_or_default();
        list.path.is_ident("derive")
            && paths.iter().any(|path| path.segments.last().is_some_and(|last| last.ident == name))
    };
    attributes.iter().flat_map(|attribute| metas(&attribute.meta)).any(|meta| names(&meta))
}

/// An attribute, or those that `cfg_attr` puts in its place.
fn metas(meta: &Meta) -> Vec<Meta> {
    match meta {
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
            let parsed = list.parse_args_with(parse).unwrap_or_default();
            parsed.iter().skip(1).flat_map(metas).collect()
        }
        other => vec![other.clone()],
    }
}

/// The conditions of `#[invariant(..)]`.
fn invariants(attributes: &[Attribute]) -> Vec<TokenStream> {
    let mut conditions = Vec::new();
    for meta in attributes.iter().flat_map(|attribute| metas(&attribute.meta)) {
        let Meta::List(list) = meta else { continue };
        if list.path.segments.last().is_none_or(|last| last.ident != "invariant") {
            continue;
        }
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        for expression in list.parse_args_with(parse).unwrap_or_default() {
            if !matches!(&expression, Expr::Lit(ExprLit { lit: Lit::Str(_), .. })) {
                conditions.push(expression.to_token_stream());
            }
        }
    }
    conditions
}

struct Reader<'m> {
    modules: &'m [Module],
    definition: &'m Definition<'m>,
    wanted: &'m Wanted,
}

impl Reader<'_> {
    fn subject(&self, asked: &TypePath) -> Result<Subject, String> {
        let name = self.definition.name.clone();
        let (ty, mut notes) = self.instantiated(asked)?;
        let all = self.methods(&ty);
        let generated = generated(self.modules);
        let mut can_be_called = Vec::new();
        for (method, is_public) in &all {
            match self.why_not_called(method, &generated) {
                None => can_be_called.push((method.clone(), *is_public)),
                Some(why) if self.is_wanted(method, *is_public) => {
                    notes.push(format!("skipping `{}`: {why}", method.name));
                }
                Some(_) => {}
            }
        }
        let of = |kind: Kind| {
            let fits =
                move |(method, is_public): &&(Method, bool)| method.kind == kind && *is_public;
            can_be_called.iter().filter(fits).map(|(method, _)| method.clone()).collect::<Vec<_>>()
        };
        let observers = self.told(&self.wanted.observers, Kind::Observer, &all, &can_be_called)?;
        let modifiers = self.told(&self.wanted.modifiers, Kind::Modifier, &all, &can_be_called)?;
        let constructors = of(Kind::Constructor);
        let start = self.start(&ty, &constructors, &generated)?;
        let subject = Subject {
            name,
            ty,
            module: self.definition.module.clone(),
            start,
            constructors,
            observers,
            modifiers,
            steps: of(Kind::Modifier),
            begun_if: Vec::new(),
            notes,
        };
        subject.checked()
    }

    /// The type with its arguments, and what was taken for those that were not given.
    fn instantiated(&self, asked: &TypePath) -> Result<(Type, Vec<String>), String> {
        let name = &self.definition.name;
        let mut given = given_arguments(asked);
        let mut notes = Vec::new();
        let mut arguments: Vec<TokenStream> = Vec::new();
        for parameter in &self.definition.generics.params {
            let next = match parameter {
                GenericParam::Lifetime(_) => quote!('static),
                GenericParam::Type(parameter) => match (given.pop(), &parameter.default) {
                    (Some(given), _) => given,
                    (None, Some((_, default))) => default.to_token_stream(),
                    (None, None) => {
                        notes.push(format!(
                            "using `i32` for `{}` of `{name}`; for another type, write `{name}<..>`",
                            parameter.ident
                        ));
                        quote!(i32)
                    }
                },
                GenericParam::Const(parameter) => match (given.pop(), &parameter.default) {
                    (Some(given), _) => given,
                    (None, Some((_, default))) => default.to_token_stream(),
                    (None, None) => {
                        return Err(format!(
                            "`{name}` has a constant parameter `{}`; specify it, as in `{name}<4>`",
                            parameter.ident
                        ));
                    }
                },
            };
            arguments.push(next);
        }
        if !given.is_empty() {
            let own = match self.definition.generics.params.len() {
                0 => "no parameters".to_owned(),
                1 => "one parameter".to_owned(),
                several => format!("{several} parameters"),
            };
            return Err(format!("`{name}` has {own}, but more were given"));
        }
        let name = quote::format_ident!("{}", name);
        let tokens =
            if arguments.is_empty() { quote!(#name) } else { quote!(#name<#(#arguments),*>) };
        let ty = syn::parse2(tokens).map_err(|error| format!("this is not a type: {error}"))?;
        Ok((ty, notes))
    }

    /// All functions of the type, and whether others see them.
    fn methods(&self, ty: &Type) -> Vec<(Method, bool)> {
        let mut methods = Vec::new();
        for (module, item) in impls(self.modules, self.definition) {
            if item.trait_.is_some() {
                continue;
            }
            let Some(bindings) = bindings(item, ty) else { continue };
            for one in &item.items {
                if let ImplItem::Fn(function) = one {
                    let is_public = !matches!(function.vis, Visibility::Inherited);
                    let mut method = method(module, function, &bindings, ty);
                    method.home = Some(home(module, item, function));
                    methods.push((method, is_public));
                }
            }
        }
        methods
    }

    /// Whether a function would be taken if it could be called.
    fn is_wanted(&self, method: &Method, is_public: bool) -> bool {
        let Wanted { observers, modifiers } = self.wanted;
        match method.kind {
            Kind::Observer if !observers.is_empty() => observers.contains(&method.name),
            Kind::Modifier if !modifiers.is_empty() => modifiers.contains(&method.name),
            Kind::Observer | Kind::Modifier => is_public,
            _ => false,
        }
    }

    fn why_not_called(&self, method: &Method, generated: &BTreeSet<String>) -> Option<String> {
        if let Some(why) = method.signature.strip_prefix("!") {
            return Some(why.to_owned());
        }
        method
            .parameters
            .iter()
            .find_map(|parameter| types::why_not_drawn(&parameter.ty, generated))
    }

    /// Those that were named, or all of a kind that others see.
    fn told(
        &self,
        names: &[String],
        kind: Kind,
        all: &[(Method, bool)],
        can_be_called: &[(Method, bool)],
    ) -> Result<Vec<Method>, String> {
        let methods = can_be_called.iter();
        if names.is_empty() {
            let of_kind = methods.filter(|(method, is_public)| method.kind == kind && *is_public);
            return Ok(of_kind.map(|(method, _)| method.clone()).collect());
        }
        let mut told = Vec::new();
        for name in names {
            let found = methods.clone().find(|(method, _)| method.name == *name);
            match found {
                Some((method, _)) if method.kind == kind => told.push(method.clone()),
                Some((method, _)) => return Err(method.is_no(kind)),
                None => return Err(self.no_method(name, kind, all)),
            }
        }
        Ok(told)
    }

    fn no_method(&self, name: &str, kind: Kind, all: &[(Method, bool)]) -> String {
        let generated = generated(self.modules);
        if let Some((method, _)) = all.iter().find(|(method, _)| method.name == name) {
            let why = self.why_not_called(method, &generated).unwrap_or_default();
            return format!("`{name}` cannot be called: {why}");
        }
        let of_kind = all.iter().filter(|(method, _)| method.kind == kind);
        let names: Vec<String> = of_kind.map(|(method, _)| format!("`{}`", method.name)).collect();
        let known = match names.as_slice() {
            [] => String::new(),
            names => format!("; available: {}", names.join(", ")),
        };
        let what = if kind == Kind::Observer { "takes `&self`" } else { "takes `&mut self`" };
        format!("`{}` has no function `{name}` that {what}{known}", self.definition.name)
    }

    fn start(
        &self,
        ty: &Type,
        constructors: &[Method],
        generated: &BTreeSet<String>,
    ) -> Result<Start, String> {
        let own = impls(self.modules, self.definition);
        let conditions: Vec<TokenStream> = own
            .filter(|(_, item)| item.trait_.is_none())
            .flat_map(|(_, item)| invariants(&item.attrs))
            .collect();
        if generated.contains(&self.definition.name) {
            return Ok(Start::Drawn(conditions));
        }
        if !conditions.is_empty()
            && let Some(fields) = self.drawn_fields(ty, generated)
        {
            return Ok(Start::Fields(fields, conditions));
        }
        let is_simple = |method: &&Method| {
            let sizes = method.parameters.iter().filter(|one| types::is_integer(&one.ty)).count();
            (sizes, method.parameters.len(), method.name != "new")
        };
        if let Some(constructor) = constructors.iter().min_by_key(is_simple) {
            return Ok(Start::Reached(Box::new(constructor.clone())));
        }
        if self.has_default() {
            return Ok(Start::Reached(Box::new(Method {
                name: "default".to_owned(),
                parameters: Vec::new(),
                output: Some(ty.clone()),
                signature: String::new(),
                home: None,
                kind: Kind::Constructor,
            })));
        }
        let name = &self.definition.name;
        Err(format!(
            "cannot create a `{name}`: it has no generator, and no callable function returns one; \
             write `#[cfg_attr(test, derive(Debug, rebut::Generate))]` before it"
        ))
    }

    fn has_default(&self) -> bool {
        let mut own = impls(self.modules, self.definition);
        derives(self.definition.attributes, "Default")
            || own.any(|(_, item)| trait_of(item).as_deref() == Some("Default"))
    }

    /// The named fields, if all of them can be drawn.
    fn drawn_fields(&self, ty: &Type, generated: &BTreeSet<String>) -> Option<Vec<(String, Type)>> {
        let Some(Fields::Named(fields)) = self.definition.fields else { return None };
        let bindings = bound(self.definition.generics, ty);
        let fields = fields.named.iter().map(|field| {
            let ty = types::substituted_type(&field.ty, &bindings);
            let can =
                types::why_not_drawn(&ty, generated).is_none() && !matches!(ty, Type::Reference(_));
            can.then(|| Some((field.ident.as_ref()?.to_string(), ty)))?
        });
        fields.collect()
    }
}

/// The arguments in a path, the last first.
fn given_arguments(path: &TypePath) -> Vec<TokenStream> {
    let last = path.path.segments.last().map(|last| &last.arguments);
    let Some(PathArguments::AngleBracketed(arguments)) = last else { return Vec::new() };
    let is_given = |argument: &&GenericArgument| !matches!(argument, GenericArgument::Lifetime(_));
    let given = arguments.args.iter().filter(is_given);
    let mut given: Vec<TokenStream> = given.map(|given| given.to_token_stream()).collect();
    given.reverse();
    given
}

/// What stands for the parameters of a definition in a type, and for `Self`.
fn bound(generics: &Generics, ty: &Type) -> Bindings {
    let mut bindings = Bindings::from([("Self".to_owned(), ty.to_token_stream())]);
    let arguments = all_arguments(ty);
    for (parameter, argument) in generics.params.iter().zip(arguments) {
        let name = match parameter {
            GenericParam::Type(parameter) => parameter.ident.to_string(),
            GenericParam::Const(parameter) => parameter.ident.to_string(),
            GenericParam::Lifetime(_) => continue,
        };
        bindings.insert(name, argument.to_token_stream());
    }
    bindings
}

fn all_arguments(ty: &Type) -> Vec<GenericArgument> {
    let Type::Path(path) = ty else { return Vec::new() };
    match path.path.segments.last().map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => arguments.args.iter().cloned().collect(),
        _ => Vec::new(),
    }
}

/// What stands for the parameters of an implementation; none if it is one for other types.
fn bindings(item: &ItemImpl, ty: &Type) -> Option<Bindings> {
    let mut bindings = Bindings::from([("Self".to_owned(), ty.to_token_stream())]);
    let parameters: BTreeSet<String> = item
        .generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
            GenericParam::Const(parameter) => Some(parameter.ident.to_string()),
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    let (theirs, ours) = (all_arguments(&item.self_ty), all_arguments(ty));
    for (theirs, ours) in theirs.iter().zip(&ours) {
        let (theirs, ours_text) = (types::text(theirs), types::text(ours));
        if parameters.contains(&theirs) {
            bindings.insert(theirs, ours.to_token_stream());
        } else if theirs != ours_text && !theirs.starts_with('\'') {
            return None;
        }
    }
    Some(bindings)
}

/// Bounds on a function's own parameter that `i32` meets.
const MET_BY_I32: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "Display",
    "Default",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Send",
    "Sync",
];

/// A function, with `i32` for parameters of its own. If it cannot be called at all, its signature
/// is the reason with a `!` before it.
fn method(module: &Module, function: &ImplItemFn, outer: &Bindings, ty: &Type) -> Method {
    let mut bindings = outer.clone();
    let signature = &function.sig;
    let mut why_not = None;
    for parameter in &signature.generics.params {
        if let GenericParam::Type(parameter) = parameter {
            let bounds = parameter.bounds.iter().map(types::text);
            let unmet = bounds.into_iter().find(|bound| !MET_BY_I32.contains(&bound.as_str()));
            if let Some(bound) = unmet {
                let name = &parameter.ident;
                why_not =
                    Some(format!("Rebut does not know which `{name}: {bound}` to call it with"));
            }
            bindings.insert(parameter.ident.to_string(), quote!(i32));
        }
    }
    if signature.generics.where_clause.is_some() && !signature.generics.params.is_empty() {
        why_not = Some("Rebut does not support its `where` clause".to_owned());
    }
    if signature.asyncness.is_some() {
        why_not = Some("it is `async`".to_owned());
    }
    if !matches!(types::text(&signature.safety).as_str(), "" | "safe") {
        why_not = Some("it is `unsafe`".to_owned());
    }
    let has_condition = |attribute: &Attribute| attribute.path().is_ident("cfg");
    if function.attrs.iter().any(has_condition) {
        why_not = Some("it has a `#[cfg]`".to_owned());
    }
    let name = signature.ident.to_string();
    let parameters = parameters(function, &bindings);
    let output = output(&signature.output, &bindings);
    let kind = kind_of(function, output.as_ref(), ty);
    let signature = match why_not {
        Some(why) => format!("!{why}"),
        None => {
            let shown = module.text_of(&function.vis).to_owned();
            format!("{shown} {}", module.text_of(&function.sig)).trim().to_owned()
        }
    };
    Method { name, parameters, output, signature, home: None, kind }
}

fn home(module: &Module, block: &ItemImpl, function: &ImplItemFn) -> Home {
    let is_contract =
        |meta: &Meta| meta.path().segments.last().is_some_and(|last| last.ident == "contract");
    let all = block.attrs.iter().flat_map(|attribute| metas(&attribute.meta));
    Home {
        file: module.file.clone(),
        text: Rc::clone(&module.text),
        block: block.span().byte_range().start,
        function: function.span().byte_range().start,
        has_contracts: all.into_iter().any(|meta| is_contract(&meta)),
    }
}

fn parameters(function: &ImplItemFn, bindings: &Bindings) -> Vec<Parameter> {
    let typed = function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    let parameter = |(nth, typed): (usize, &syn::PatType)| Parameter {
        name: match &*typed.pat {
            Pat::Ident(ident) => {
                let name = ident.ident.to_string();
                let trimmed = name.trim_start_matches('_');
                if trimmed.is_empty() { format!("argument_{nth}") } else { trimmed.to_owned() }
            }
            _ => format!("argument_{nth}"),
        },
        ty: without_lifetimes(types::substituted_type(&typed.ty, bindings)),
    };
    typed.enumerate().map(parameter).collect()
}

/// A type whose reference has no name for its lifetime: that of the function is not known outside.
fn without_lifetimes(mut ty: Type) -> Type {
    if let Type::Reference(reference) = &mut ty {
        reference.lifetime = None;
    }
    ty
}

fn output(output: &ReturnType, bindings: &Bindings) -> Option<Type> {
    let ReturnType::Type(_, ty) = output else { return None };
    let ty = types::substituted_type(ty, bindings);
    let is_nothing = matches!(&ty, Type::Tuple(tuple) if tuple.elems.is_empty());
    (!is_nothing && !matches!(ty, Type::Never(_))).then_some(ty)
}

fn kind_of(function: &ImplItemFn, output: Option<&Type>, ty: &Type) -> Kind {
    let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first() else {
        let makes_one = output.is_some_and(|output| types::text(output) == types::text(ty));
        return if makes_one { Kind::Constructor } else { Kind::Other };
    };
    match (&receiver.kind, output) {
        (ReceiverKind::Reference(_, _, Some(_)), _) => Kind::Modifier,
        (ReceiverKind::Reference(_, _, None), Some(_)) => Kind::Observer,
        _ => Kind::Other,
    }
}

impl Method {
    /// That it is not what it was taken for.
    fn is_no(&self, kind: Kind) -> String {
        let name = &self.name;
        match kind {
            Kind::Observer => {
                format!(
                    "`{name}` is not an observer: an observer takes `&self` and returns a value"
                )
            }
            _ => format!("`{name}` is not a modifier: a modifier takes `&mut self`"),
        }
    }
}

impl Subject {
    /// A variable of the type: `array_list` of an `ArrayList`.
    pub(crate) fn variable(&self) -> String {
        let mut name = String::new();
        for (nth, letter) in self.name.chars().enumerate() {
            if letter.is_uppercase() && nth > 0 {
                name.push('_');
            }
            name.extend(letter.to_lowercase());
        }
        name
    }

    /// It, if something can be said of it.
    fn checked(self) -> Result<Subject, String> {
        let name = &self.name;
        let told = self.notes.join("\n");
        if self.observers.is_empty() {
            return Err(format!(
                "`{name}` has no observer: no callable function takes `&self` and returns a \
                 value\n{told}"
            ));
        }
        if self.modifiers.is_empty() && self.constructors.is_empty() {
            return Err(format!(
                "`{name}` has no modifier: no callable function takes `&mut self`\n{told}"
            ));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::rc::Rc;

    fn module(path: &[&str], text: &str) -> Module {
        let items = syn::parse_file(text).expect("a file").items;
        let path = path.iter().map(|part| (*part).to_owned()).collect();
        let (file, end, is_no_std) = (PathBuf::new(), text.len(), false);
        Module { path, file, text: Rc::from(text), end, items, is_no_std }
    }

    fn names(methods: &[Method]) -> Vec<&str> {
        methods.iter().map(|method| method.name.as_str()).collect()
    }

    const STACK: &str = "
        pub struct Stack<T> { items: Vec<T> }
        impl<T: Clone> Stack<T> {
            pub fn new() -> Self { todo() }
            pub fn with_room(room: usize) -> Stack<T> { todo() }
            pub fn push(&mut self, item: T) {}
            pub fn pop(&mut self) -> Option<T> { None }
            pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {}
            pub fn peek(&self) -> Option<&T> { None }
            pub fn len(&self) -> usize { 0 }
            pub fn assert(&self) {}
            fn hidden(&self) -> bool { true }
            pub fn into_vec(self) -> Vec<T> { todo() }
        }
        impl Stack<String> {
            pub fn total(&self) -> usize { 0 }
        }
    ";

    #[test]
    fn methods_are_told_apart_by_what_they_take() {
        let modules = [module(&["stack"], STACK)];
        let subject = find(&modules, "Stack", &Wanted::default()).expect("a subject");
        assert_eq!(types::text(&subject.ty), "Stack<i32>");
        assert_eq!(names(&subject.constructors), ["new", "with_room"]);
        assert_eq!(names(&subject.observers), ["peek", "len"]);
        assert_eq!(names(&subject.modifiers), ["push", "pop"]);
        assert_eq!(types::text(&subject.modifiers[0].parameters[0].ty), "i32");
        assert!(matches!(&subject.start, Start::Reached(method) if method.name == "new"));
        assert_eq!(
            subject.notes,
            [
                "using `i32` for `T` of `Stack`; for another type, write `Stack<..>`",
                "skipping `retain`: cannot generate values of type `impl Fn(&i32) -> bool`",
            ]
        );
    }

    #[test]
    fn what_is_asked_for_is_taken() {
        let modules = [module(&["stack"], STACK)];
        let wanted = Wanted { observers: vec!["hidden".to_owned()], modifiers: Vec::new() };
        let subject = find(&modules, "stack::Stack<String>", &wanted).expect("a subject");
        assert_eq!(names(&subject.observers), ["hidden"]);
        let all = find(&modules, "crate::stack::Stack<String>", &Wanted::default());
        assert_eq!(names(&all.expect("a subject").observers), ["peek", "len", "total"]);
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let modules = [module(&["stack"], STACK)];
        let check = |asked: &str, observers: &[&str], expected: &str| {
            let observers = observers.iter().map(|name| (*name).to_owned()).collect();
            let wanted = Wanted { observers, modifiers: Vec::new() };
            let why = find(&modules, asked, &wanted).err().expect("no subject").message();
            assert_eq!(why, expected);
        };
        check("Queue", &[], "no type named `Queue`; available: `stack::Stack`");
        check(
            "Stack",
            &["size"],
            "`Stack` has no function `size` that takes `&self`; available: `peek`, `len`, `hidden`",
        );
        check(
            "Stack",
            &["push"],
            "`push` is not an observer: an observer takes `&self` and returns a value",
        );
        check(
            "1",
            &[],
            "`1` is not a type; write its name, such as `Stack` or `module::Stack<u8>`",
        );
    }

    #[test]
    fn two_types_of_one_name_have_to_be_told_apart() {
        let text = "pub struct A; impl A { pub fn is(&self) -> bool { true } pub fn set(&mut self) {} pub fn new() -> A { A } }";
        let modules = [module(&["one"], text), module(&["two"], text)];
        let why = find(&modules, "A", &Wanted::default()).err().expect("two").message();
        assert_eq!(why, "several types are named `A`; specify one of `one::A`, `two::A`");
        assert!(find(&modules, "two::A", &Wanted::default()).is_ok());
    }

    #[test]
    fn states_are_drawn_under_the_invariants() {
        let text = "
            #[cfg_attr(test, derive(Debug, rebut::Generate))]
            pub struct Counter { n: u8 }
            #[rebut::contract]
            #[invariant(self.n <= 9, \"one digit\")]
            impl Counter { pub fn n(&self) -> u8 { self.n } pub fn up(&mut self) {} }
        ";
        let drawn = [module(&[], text)];
        let subject = find(&drawn, "Counter", &Wanted::default()).expect("a subject");
        let Start::Drawn(conditions) = &subject.start else { panic!("it is not drawn") };
        assert_eq!(types::text(&conditions[0]), "self.n <= 9");
        let text = text.replace("derive(Debug, rebut::Generate)", "derive(Debug)");
        let fields = [module(&[], &text)];
        let subject = find(&fields, "Counter", &Wanted::default()).expect("a subject");
        assert!(matches!(&subject.start, Start::Fields(fields, _) if fields[0].0 == "n"));
    }

    #[test]
    fn a_type_that_cannot_be_made_says_what_to_write() {
        let text =
            "pub struct A; impl A { pub fn is(&self) -> bool { true } pub fn set(&mut self) {} }";
        let why =
            find(&[module(&[], text)], "A", &Wanted::default()).err().expect("no start").message();
        assert!(why.contains("rebut::Generate"), "{why}");
    }
}
