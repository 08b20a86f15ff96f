//! `#[drawn]` on a `&mut` parameter: the mock also generates what it writes there.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, Expr, FnArg, Meta, Pat, PatType, Result, Signature, Type};

use crate::setting::{Errors, local};

/// A parameter that a mock writes to.
pub(super) struct Filled {
    pub(super) name: Ident,
    to: To,
}

enum To {
    /// `&mut T`.
    One(Type),
    /// `&mut [T]`, and the number of elements to write, or all.
    Slice(Type, Option<Expr>),
}

impl Filled {
    /// Removes the attributes from a signature and parses them.
    pub(super) fn take(signature: &mut Signature) -> Result<Vec<Filled>> {
        let mut errors = Errors::default();
        let mut filled = Vec::new();
        for input in &mut signature.inputs {
            let FnArg::Typed(input) = input else { continue };
            if let Some(Some(parameter)) = errors.ok(Filled::of(input)) {
                filled.push(parameter);
            }
            input.attrs.retain(|attribute| !attribute.path().is_ident("drawn"));
        }
        errors.finish(filled)
    }

    fn of(input: &PatType) -> Result<Option<Filled>> {
        let drawn = input.attrs.iter().find(|attribute| attribute.path().is_ident("drawn"));
        let Some(attribute) = drawn else { return Ok(None) };
        let unfit = "`#[drawn]` needs a named parameter of type \
                     `&mut T` or `&mut [T]`";
        let (Pat::Ident(pat), Type::Reference(reference)) = (&*input.pat, &*input.ty) else {
            return Err(Error::new_spanned(attribute, unfit));
        };
        if reference.mutability.is_none() {
            return Err(Error::new_spanned(attribute, unfit));
        }
        let count = match &attribute.meta {
            Meta::Path(_) => None,
            Meta::List(list) => Some(list.parse_args()?),
            Meta::NameValue(other) => {
                let message = "write `#[drawn]`, or how many elements: `#[drawn(result)]`";
                return Err(Error::new_spanned(other, message));
            }
        };
        let to = match (&*reference.elem, count) {
            (Type::Slice(slice), count) => To::Slice((*slice.elem).clone(), count),
            (ty, None) => To::One(ty.clone()),
            (_, Some(count)) => {
                let message = "this is one value, not a slice, so it has no length";
                return Err(Error::new_spanned(count, message));
            }
        };
        Ok(Some(Filled { name: pat.ident.clone(), to }))
    }

    /// Returns the variable with the contents to write.
    pub(super) fn contents(&self) -> Ident {
        local(&format_ident!("contents_of_{}", self.name).to_string())
    }

    /// Returns the type of that variable.
    pub(super) fn ty(&self) -> TokenStream {
        match &self.to {
            To::One(ty) => quote!(#ty),
            To::Slice(ty, _) => quote!(::std::vec::Vec<#ty>),
        }
    }

    /// Returns the statement that generates the contents.
    pub(super) fn draw(&self, private: &TokenStream) -> TokenStream {
        let (name, contents, source) = (&self.name, self.contents(), local("source"));
        match &self.to {
            To::One(ty) => {
                quote!(let #contents = <#ty as #private::Generate>::generate(#source);)
            }
            To::Slice(ty, count) => {
                let count = count
                    .as_ref()
                    .map(|count| quote!(.min(::core::primitive::usize::from(#count))));
                quote! {
                    let #contents: ::std::vec::Vec<#ty> = (0..#name.len() #count)
                        .map(|_| <#ty as #private::Generate>::generate(#source))
                        .collect();
                }
            }
        }
    }

    /// Returns the statement that writes the contents.
    pub(super) fn fill(&self) -> TokenStream {
        let (name, contents) = (&self.name, self.contents());
        match &self.to {
            To::One(_) => quote!(*#name = #contents;),
            To::Slice(..) => quote! {
                #name.iter_mut().zip(#contents).for_each(|(place, drawn)| *place = drawn);
            },
        }
    }

    /// Returns the expression that prints the writing statement.
    pub(super) fn show(&self, shown: &dyn Fn(&TokenStream) -> TokenStream) -> TokenStream {
        let (name, contents) = (self.name.to_string(), self.contents());
        let code = shown(&quote!(#contents));
        match &self.to {
            To::One(_) => quote!(::std::format!("*{} = {}; ", #name, #code)),
            To::Slice(..) => quote! {
                ::std::format!("{}[..{}].clone_from_slice(&{}); ", #name, #contents.len(), #code)
            },
        }
    }
}
