//! `#[rebut::contract(of = other::Type)]`: contracts for types of other crates.
//!
//! The user lists signatures with clauses, as a trait without bodies:
//!
//! ```text
//! #[rebut::contract(of = indexmap::IndexMap<u8, u8>)]
//! trait Map {
//!     fn new() -> Self;
//!     #[ensures(self.contains_key(&key))]
//!     fn insert(&mut self, key: u8, value: u8) -> Option<u8>;
//! }
//! ```
//!
//! Neither the type nor `Contracted` is of this crate, so the macro cannot implement one for the other.
//! It makes a type `Map` instead, which selects the functions in `Program<Map>`. A hidden trait has the
//! checks around each call (paths are shortened):
//!
//! ```text
//! enum Map {}
//! const _: () = {
//!     trait Checked: Sized { fn __rebut_checked_insert(&mut self, key: u8, value: u8) -> Option<u8>; .. }
//!     impl Checked for indexmap::IndexMap<u8, u8> {
//!         fn __rebut_checked_insert(&mut self, key: u8, value: u8) -> Option<u8> {
//!             // .. checks around
//!             <indexmap::IndexMap<u8, u8>>::insert(self, key, value)
//!         }
//!     }
//!     impl Contracted for Map { .. }
//! };
//! ```
//!
//! Printed programs call the functions of the type itself, which check nothing. Only the call that
//! failed may have failed in a check. It is printed as `Map::insert(&mut map, 1, 2)`, a function of the
//! type `Map` that calls the one with the checks.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Error, FnArg, Ident, ItemTrait, Pat, ReceiverKind, Result, ReturnType, Signature, TraitItem,
    TraitItemFn, Type, Visibility,
};

use super::checked::{self, CheckedFunction, Subject};
use super::clause::{self, Clauses};
use super::generic;
use super::interface::hidden_name;
use super::model::{Model, ModelCounterpart};
use super::operation::{self, FunctionAttributes, OperationWriter, Owner, ProgramHints};
use super::{Options, with_errors};
use crate::name_value::Errors;
use crate::{generated, written};

/// Expands the list of signatures of the type `of`.
pub(super) fn expand(options: &Options, of: &Type, mut item: ItemTrait) -> Result<TokenStream> {
    let mut errors = Errors::default();
    if let Some(parameter) = item.generics.params.first() {
        errors.push(parameter, "name concrete types after `of`, as in `of = Vec<u8>`; remove this");
    }
    let invariants = errors.ok(Clauses::take(&mut item.attrs)).unwrap_or_default();
    let model = errors.ok(Model::take(&mut item.attrs)).flatten();
    errors.ok(invariants.only_invariants());
    let text = written::type_text(&of.to_token_stream());
    let (mut declared, mut implemented, mut operations) = (Vec::new(), Vec::new(), Vec::new());
    let mut checked = Vec::new();
    for inside in &mut item.items {
        let TraitItem::Fn(function) = inside else {
            errors.push(inside, "only functions can be listed here: `fn len(&self) -> usize;`");
            continue;
        };
        let block = ListedFunction {
            options,
            of,
            text: &text,
            list: &item.ident,
            visibility: &item.vis,
            invariants: &invariants,
        };
        let Some(listed) = errors.ok(block.expand(function, model.as_ref())) else { continue };
        let signature = &listed.signature;
        declared.push(quote!(#signature;));
        let body = &listed.body;
        implemented.push(quote!(#signature #body));
        operations.push(listed.entry);
        checked.extend(listed.checked);
    }
    let (vis, name) = (&item.vis, generated::name(&item.ident));
    let documented = item.attrs.iter().filter(|attribute| attribute.path().is_ident("doc"));
    let subject = operation::subject(options, &syn::parse_quote!(#name), &[], &operations);
    let expanded = quote! {
        #(#documented)*
        #vis enum #name {}
        const _: () = {
            trait __RebutChecked: ::core::marker::Sized {
                #(#declared)*
            }
            impl __RebutChecked for #of {
                #(#implemented)*
            }
            impl #name {
                #(#checked)*
            }
            #subject
        };
    };
    Ok(with_errors(expanded, errors))
}

/// A function of the list.
struct ListedFunction<'a> {
    options: &'a Options,
    of: &'a Type,
    /// The type as written.
    text: &'a str,
    /// The name of the list.
    list: &'a Ident,
    visibility: &'a Visibility,
    invariants: &'a Clauses,
}

/// The generated code for a listed function.
struct Listed {
    /// The signature of the hidden method.
    signature: syn::Signature,
    body: TokenStream,
    entry: TokenStream,
    /// The function with the checks that printed programs call.
    checked: Option<TokenStream>,
}

impl ListedFunction<'_> {
    fn expand(&self, function: &mut TraitItemFn, model: Option<&Model>) -> Result<Listed> {
        if let Some(body) = &function.default {
            return Err(Error::new_spanned(
                body,
                "the type has this function already: write `;` in place of the body",
            ));
        }
        let clauses = Clauses::take(&mut function.attrs)?;
        let parameters = clause::take_callback_clauses(
            &mut function.sig,
            !self.invariants.invariants.is_empty(),
        )?;
        let hints = ProgramHints::take(&mut function.attrs)?;
        let counterpart = ModelCounterpart::take(&mut function.attrs, model.is_some())?;
        clauses.refuse_invariants()?;
        clauses.check_borrows(&function.sig)?;
        checked::check_signature(&function.sig)?;
        let mut signature = function.sig.clone();
        name_parameters(&mut signature);
        let (name, of) = (signature.ident.clone(), self.of);
        let this = signature.receiver().map(|_| quote!(self,));
        let arguments = signature.inputs.iter().filter_map(super::name_of);
        let body: syn::Block = syn::parse_quote!({ <#of>::#name(#this #(#arguments),*) });
        let party = super::short(self.text).to_owned();
        let checked = CheckedFunction {
            options: self.options,
            subject: Subject {
                path: format!("{party}::{name}"),
                party,
                invariants: &self.invariants.invariants,
            },
            clauses: &clauses,
            parameters: &parameters,
            is_visible: true,
        };
        let body = checked.block(&signature, &body);
        let can_fail = clause::can_fail(&clauses, &parameters, self.invariants);
        let checked = can_fail.then(|| self.checked_function(&signature));
        let checked_path = match &checked {
            Some(Some(_)) => format!("{}::{name}", self.list),
            // A call with a comment, which is not printed as a test.
            Some(None) => format!("/* with the checks of `{}` */ {}::{name}", self.list, self.text),
            None => String::new(),
        };
        // In an expression, the arguments of a type come after `::`.
        let type_name = self.text.replacen('<', "::<", 1);
        let writer = OperationWriter {
            options: self.options,
            self_ty: self.of,
            type_name: &type_name,
            owner: Owner::Foreign(model, &checked_path),
            with: &self.options.with,
            lifetimes: &[],
            traits: &[],
        };
        let attributes =
            FunctionAttributes { clauses: &clauses, can_fail, hints, model: &counterpart };
        let entry = writer.entry(&signature, &attributes)?;
        signature.ident = hidden_name(&name);
        Ok(Listed { signature, body, entry, checked: checked.flatten() })
    }

    /// Returns the function of the list that makes the call with its checks, or `None` if its lifetimes
    /// cannot be written.
    fn checked_function(&self, signature: &Signature) -> Option<TokenStream> {
        let (of, visibility) = (self.of, self.visibility);
        let (name, hidden) = (generated::name(&signature.ident), hidden_name(&signature.ident));
        let own = of.to_token_stream();
        let mut function: Signature =
            syn::parse2(generic::without_self(signature.to_token_stream(), &own)).ok()?;
        function.ident = name;
        let this = operation::this();
        if let (Some(receiver), Some(first)) = (signature.receiver(), function.inputs.first_mut()) {
            let mut ty = match &receiver.kind {
                ReceiverKind::Reference(_, lifetime, mutability) => {
                    quote!(&#lifetime #mutability #of)
                }
                ReceiverKind::Typed(_, ty) => generic::without_self(ty.to_token_stream(), &own),
                _ => quote!(#of),
            };
            let mut others = signature.inputs.iter().skip(1);
            let is_ambiguous = others.any(|other| has_lifetime(&other.to_token_stream()));
            // The result of a method borrows from the receiver, that of a function with several
            // references must say what it borrows from.
            if let ReturnType::Type(arrow, output) = &function.output
                && has_lifetime(&ty)
            {
                let lifetime = syn::Lifetime::new("'__this", Span::mixed_site());
                let named = with_lifetime(output.to_token_stream(), &lifetime)?;
                if named.to_string() != output.to_token_stream().to_string() {
                    ty = with_lifetime(ty, &lifetime)?;
                    function.output = ReturnType::Type(*arrow, syn::parse2(named).ok()?);
                    function.generics.params.insert(0, syn::parse_quote!(#lifetime));
                } else if is_ambiguous && may_hide_lifetime(&signature.output.to_token_stream()) {
                    return None;
                }
            }
            *first = syn::parse_quote!(#this: #ty);
        }
        let passed = signature.receiver().map(|_| quote!(#this,));
        let arguments = signature.inputs.iter().filter_map(super::name_of);
        Some(quote! {
            #visibility #function {
                <#of as __RebutChecked>::#hidden(#passed #(#arguments),*)
            }
        })
    }
}

/// Returns whether a type has a reference or a lifetime that is written.
fn has_lifetime(tokens: &TokenStream) -> bool {
    tokens.to_string().contains(['&', '\''])
}

/// Replaces the lifetimes that a type leaves out in references and as `'_`. Returns `None` for the
/// type of a function, which has lifetimes of its own.
fn with_lifetime(tokens: TokenStream, lifetime: &syn::Lifetime) -> Option<TokenStream> {
    let mut out = TokenStream::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(name)
                if ["fn", "Fn", "FnMut", "FnOnce"].iter().any(|function| name == function) =>
            {
                return None;
            }
            TokenTree::Group(group) => {
                let inside = with_lifetime(group.stream(), lifetime)?;
                let mut replaced = proc_macro2::Group::new(group.delimiter(), inside);
                replaced.set_span(group.span());
                out.extend([TokenTree::Group(replaced)]);
            }
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                out.extend([TokenTree::Punct(punct)]);
                let next = trees.peek();
                if !matches!(next, Some(TokenTree::Punct(next)) if next.as_char() == '\'') {
                    lifetime.to_tokens(&mut out);
                }
            }
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                match trees.next_if(|name| name.to_string() == "_") {
                    Some(_) => lifetime.to_tokens(&mut out),
                    None => out.extend([TokenTree::Punct(punct)]),
                }
            }
            tree => out.extend([tree]),
        }
    }
    Some(out)
}

/// Returns whether a type may have a lifetime that is not written, as `Iter<u8>` has.
fn may_hide_lifetime(tokens: &TokenStream) -> bool {
    const OWNED: [&str; 14] = [
        "Self", "Option", "Result", "Box", "Vec", "String", "Rc", "Arc", "HashMap", "HashSet",
        "BTreeMap", "BTreeSet", "VecDeque", "Ordering",
    ];
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Group(group) => may_hide_lifetime(&group.stream()),
        TokenTree::Ident(name) => {
            let name = name.to_string();
            name.starts_with(char::is_uppercase) && !OWNED.contains(&name.as_str())
        }
        _ => false,
    })
}

/// Gives each parameter a name, so that it can be passed on.
fn name_parameters(signature: &mut syn::Signature) {
    for (nth, input) in signature.inputs.iter_mut().enumerate() {
        if let FnArg::Typed(input) = input
            && !matches!(&*input.pat, Pat::Ident(_))
        {
            let name = format_ident!("argument_{nth}", span = Span::call_site());
            *input.pat = syn::parse_quote!(#name);
        }
    }
}
