//! Functions with `#[track_caller]`.
//!
//! The checks run the body of a function in a closure, which cannot have the attribute: the caller would
//! be a line of generated code. So such a body moves to a hidden function with the same attribute, and
//! the checks call that.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::{Attribute, FnArg, GenericParam, Pat, Signature};

use super::pattern::{self, TakenApart};

/// The hidden function with the body.
pub(super) struct TrackedBody {
    /// The attributes.
    pub(super) attributes: Vec<Attribute>,
    pub(super) signature: Signature,
    /// The call of the hidden function.
    pub(super) call: TokenStream,
}

impl TrackedBody {
    /// Returns the function for the body of another one, if that has the attribute and parameters that
    /// can be passed on. `path` is the code before the name of the function.
    pub(super) fn of(
        attributes: &[Attribute],
        signature: &Signature,
        path: &TokenStream,
    ) -> Option<TrackedBody> {
        let is_tracking = |one: &Attribute| one.path().is_ident("track_caller");
        if !attributes.iter().any(is_tracking) {
            return None;
        }
        let mut arguments = Vec::new();
        for (nth, input) in signature.inputs.iter().enumerate() {
            arguments.push(match input {
                FnArg::Receiver(receiver) => receiver.self_token.to_token_stream(),
                FnArg::Typed(input) => match &*input.pat {
                    Pat::Ident(pat) => pat.ident.to_token_stream(),
                    Pat::Wild(_) => pattern::unnamed(nth).to_token_stream(),
                    pat => TakenApart::of(pat)?.whole?,
                },
            });
        }
        let kept = ["track_caller", "cfg", "inline", "cold", "allow", "warn", "deny"];
        let is_kept = |one: &&Attribute| kept.iter().any(|name| one.path().is_ident(name));
        let attributes = attributes.iter().filter(is_kept).cloned().collect();
        let mut hidden = signature.clone();
        hidden.ident = format_ident!("__rebut_tracked_{}", signature.ident);
        let name = &hidden.ident;
        let generics: Vec<&Ident> = signature
            .generics
            .params
            .iter()
            .filter_map(|parameter| match parameter {
                GenericParam::Lifetime(_) => None,
                GenericParam::Type(parameter) => Some(&parameter.ident),
                GenericParam::Const(parameter) => Some(&parameter.ident),
            })
            .collect();
        let generics = (!generics.is_empty()).then(|| quote!(::<#(#generics),*>));
        let call = quote!(#path #name #generics (#(#arguments),*));
        Some(TrackedBody { attributes, signature: hidden, call })
    }

    /// Returns the hidden function as an item.
    pub(super) fn item(&self, body: &syn::Block) -> TokenStream {
        let TrackedBody { attributes, signature, .. } = self;
        quote! {
            #[doc(hidden)]
            #(#attributes)*
            #signature #body
        }
    }
}
