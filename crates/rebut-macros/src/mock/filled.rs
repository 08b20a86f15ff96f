//! `#[drawn]` on a `&mut` parameter: the mock also generates what it writes there.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, Expr, FnArg, Meta, Pat, PatType, Result, Signature, Type};

use crate::name_value::{Errors, local};

/// A parameter that a mock writes to.
pub(super) struct FilledParameter {
    pub(super) name: Ident,
    target: FillTarget,
}

enum FillTarget {
    /// `&mut T`.
    One(Type),
    /// `&mut [T]`, and the number of elements to write, or all.
    Slice(Type, Option<Expr>),
}

impl FilledParameter {
    /// Removes the attributes from a signature and parses them.
    pub(super) fn take(signature: &mut Signature) -> Result<Vec<FilledParameter>> {
        let mut errors = Errors::default();
        let mut filled = Vec::new();
        for input in &mut signature.inputs {
            let FnArg::Typed(input) = input else { continue };
            if let Some(Some(parameter)) = errors.ok(FilledParameter::parse(input)) {
                filled.push(parameter);
            }
            input.attrs.retain(|attribute| !attribute.path().is_ident("drawn"));
        }
        errors.finish(filled)
    }

    fn parse(input: &PatType) -> Result<Option<FilledParameter>> {
        let drawn = input.attrs.iter().find(|attribute| attribute.path().is_ident("drawn"));
        let Some(attribute) = drawn else { return Ok(None) };
        let unsupported = "`#[drawn]` needs a named parameter of type \
                     `&mut T` or `&mut [T]`";
        let (Pat::Ident(pat), Type::Reference(reference)) = (&*input.pat, &*input.ty) else {
            return Err(Error::new_spanned(attribute, unsupported));
        };
        if reference.mutability.is_none() {
            return Err(Error::new_spanned(attribute, unsupported));
        }
        let count = match &attribute.meta {
            Meta::Path(_) => None,
            Meta::List(list) => Some(list.parse_args()?),
            Meta::NameValue(other) => {
                let message = "write `#[drawn]`, or how many elements: `#[drawn(result)]`";
                return Err(Error::new_spanned(other, message));
            }
        };
        let target = match (&*reference.elem, count) {
            (Type::Slice(slice), count) => FillTarget::Slice((*slice.elem).clone(), count),
            (ty, None) => FillTarget::One(ty.clone()),
            (_, Some(count)) => {
                let message = "this is one value, not a slice, so it has no length";
                return Err(Error::new_spanned(count, message));
            }
        };
        Ok(Some(FilledParameter { name: pat.ident.clone(), target }))
    }

    /// Returns the variable with the contents to write.
    pub(super) fn contents(&self) -> Ident {
        local(&format_ident!("contents_of_{}", self.name).to_string())
    }

    /// Returns the type of that variable.
    pub(super) fn ty(&self) -> TokenStream {
        match &self.target {
            FillTarget::One(ty) => quote!(#ty),
            FillTarget::Slice(ty, _) => quote!(__std::vec::Vec<#ty>),
        }
    }

    /// Returns the statement that generates the contents.
    pub(super) fn draw(&self, private: &TokenStream) -> TokenStream {
        let (name, contents, source) = (&self.name, self.contents(), local("source"));
        match &self.target {
            FillTarget::One(ty) => {
                quote!(let #contents = <#ty as #private::Generate>::generate(#source);)
            }
            FillTarget::Slice(ty, count) => {
                let count = count
                    .as_ref()
                    .map(|count| quote!(.min(::core::primitive::usize::from(#count))));
                quote! {
                    let #contents: __std::vec::Vec<#ty> = (0..#name.len() #count)
                        .map(|_| <#ty as #private::Generate>::generate(#source))
                        .collect();
                }
            }
        }
    }

    /// Returns the statement that writes the contents.
    pub(super) fn fill(&self) -> TokenStream {
        let (name, contents) = (&self.name, self.contents());
        match &self.target {
            FillTarget::One(_) => quote!(*#name = #contents;),
            FillTarget::Slice(..) => quote! {
                #name.iter_mut().zip(#contents).for_each(|(place, drawn)| *place = drawn);
            },
        }
    }

    /// Returns the expression that prints the writing statement.
    pub(super) fn show(&self, shown: &dyn Fn(&TokenStream) -> TokenStream) -> TokenStream {
        let (name, contents) = (self.name.to_string(), self.contents());
        let code = shown(&quote!(#contents));
        match &self.target {
            FillTarget::One(_) => quote!(__std::format!("*{} = {}; ", #name, #code)),
            FillTarget::Slice(..) => quote! {
                __std::format!("{}[..{}].clone_from_slice(&{}); ", #name, #contents.len(), #code)
            },
        }
    }
}
