//! Reads the functions of a type. Type parameters in their signatures are replaced by the arguments
//! that the type is used with.

use crate::read::definitions::metas;
use crate::read::sources::Module;
use crate::read::subject::{FunctionSource, Method, MethodRole, Parameter, Uncallable};
use crate::read::types::{self, Bindings};
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, FnArg, GenericArgument, GenericParam, Generics, ImplItemFn, ItemImpl, Meta, Pat,
    PathArguments, ReceiverKind, ReturnType, Type, TypePath,
};

/// Reads a function. Its own type parameters are replaced by `i32`.
pub(crate) fn method(
    module: &Module,
    block: &ItemImpl,
    function: &ImplItemFn,
    outer: &Bindings,
    ty: &Type,
) -> Method {
    let mut bindings = outer.clone();
    let signature = &function.sig;
    for parameter in &signature.generics.params {
        if let GenericParam::Type(parameter) = parameter {
            bindings.insert(parameter.ident.to_string(), quote!(i32));
        }
    }
    let output = output(&signature.output, &bindings);
    let visibility = module.text_of(&function.vis).to_owned();
    Method {
        name: signature.ident.to_string(),
        parameters: parameters(function, &bindings),
        role: role(function, output.as_ref(), ty),
        output,
        signature: format!("{visibility} {}", module.text_of(signature)).trim().to_owned(),
        source: Some(function_source(module, block, function)),
        uncallable: uncallable(function),
    }
}

/// Bounds that `i32` satisfies. It replaces type parameters of functions.
const BOUNDS_OF_I32: &[&str] = &[
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

/// Returns why a function cannot be called, whatever its parameters are.
fn uncallable(function: &ImplItemFn) -> Option<Uncallable> {
    let signature = &function.sig;
    let has_condition = |attribute: &Attribute| attribute.path().is_ident("cfg");
    if function.attrs.iter().any(has_condition) {
        return Some(Uncallable::Conditional);
    }
    if !matches!(types::text(&signature.safety).as_str(), "" | "safe") {
        return Some(Uncallable::Unsafe);
    }
    if signature.asyncness.is_some() {
        return Some(Uncallable::Async);
    }
    if signature.generics.where_clause.is_some() && !signature.generics.params.is_empty() {
        return Some(Uncallable::WhereClause);
    }
    signature.generics.params.iter().rev().find_map(|parameter| {
        let GenericParam::Type(parameter) = parameter else { return None };
        let mut bounds = parameter.bounds.iter().map(types::text);
        let bound = bounds.find(|bound| !BOUNDS_OF_I32.contains(&bound.as_str()))?;
        Some(Uncallable::UnknownBound { parameter: parameter.ident.to_string(), bound })
    })
}

fn function_source(module: &Module, block: &ItemImpl, function: &ImplItemFn) -> FunctionSource {
    let is_contract =
        |meta: &Meta| meta.path().segments.last().is_some_and(|last| last.ident == "contract");
    let mut attributes = block.attrs.iter().flat_map(|attribute| metas(&attribute.meta));
    FunctionSource {
        file: module.file.clone(),
        text: Rc::clone(&module.text),
        block_start: block.span().byte_range().start,
        function_start: function.span().byte_range().start,
        has_contracts: attributes.any(|meta| is_contract(&meta)),
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

/// Removes the lifetime of a reference: outside of the function, its name has no meaning.
fn without_lifetimes(mut ty: Type) -> Type {
    if let Type::Reference(reference) = &mut ty {
        reference.lifetime = None;
    }
    ty
}

/// Returns the type of the result; `None` for `()` and `!`.
fn output(output: &ReturnType, bindings: &Bindings) -> Option<Type> {
    let ReturnType::Type(_, ty) = output else { return None };
    let ty = types::substituted_type(ty, bindings);
    let is_unit = matches!(&ty, Type::Tuple(tuple) if tuple.elems.is_empty());
    (!is_unit && !matches!(ty, Type::Never(_))).then_some(ty)
}

fn role(function: &ImplItemFn, output: Option<&Type>, ty: &Type) -> MethodRole {
    let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first() else {
        let returns_self = output.is_some_and(|output| types::text(output) == types::text(ty));
        return if returns_self { MethodRole::Constructor } else { MethodRole::Other };
    };
    match (&receiver.kind, output) {
        (ReceiverKind::Reference(_, _, Some(_)), _) => MethodRole::Modifier,
        (ReceiverKind::Reference(_, _, None), Some(_)) => MethodRole::Observer,
        _ => MethodRole::Other,
    }
}

/// Returns the arguments in a path, the last first.
pub(crate) fn given_arguments(path: &TypePath) -> Vec<TokenStream> {
    let last = path.path.segments.last().map(|last| &last.arguments);
    let Some(PathArguments::AngleBracketed(arguments)) = last else { return Vec::new() };
    let is_given = |argument: &&GenericArgument| !matches!(argument, GenericArgument::Lifetime(_));
    let given = arguments.args.iter().filter(is_given);
    let mut given: Vec<TokenStream> = given.map(|given| given.to_token_stream()).collect();
    given.reverse();
    given
}

/// Returns the replacements of the parameters of a definition, and of `Self`.
pub(crate) fn definition_bindings(generics: &Generics, ty: &Type) -> Bindings {
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

/// Returns the replacements of the parameters of an implementation. `None` if it is for other
/// arguments of the type.
pub(crate) fn impl_bindings(item: &ItemImpl, ty: &Type) -> Option<Bindings> {
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
