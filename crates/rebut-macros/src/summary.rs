//! `#[rebut::summary]`: replaces a function with a proved fact about it during exploration.
//!
//! The item becomes a test: it generates the arguments, calls the function, and checks the
//! summary. For exploration there is a second function of the same type, which generates its result
//! and assumes the summary. Once the test is proved for all arguments, the exploration of other
//! tests calls the second function instead of the first.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use rebut_protocol::wasm::{self, SummaryFunction};
use syn::{FnArg, Ident, ItemFn, Pat, Path, Result, ReturnType, Type};

use crate::facade::Facade;
use crate::name_value::Errors;
use crate::test::next_number;

/// Expands `#[rebut::summary(function)] item`.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let mut errors = Errors::default();
    let of = errors.ok(parse_path(arguments));
    let summary = errors.ok(syn::parse2::<ItemFn>(item).and_then(Summary::parse));
    match (of, summary) {
        (Some(of), Some(summary)) => errors.finish(summary)?.expand(&of),
        _ => errors.finish(TokenStream::new()),
    }
}

fn parse_path(arguments: TokenStream) -> Result<Path> {
    syn::parse2::<Path>(arguments).map_err(|error| {
        syn::Error::new(
            error.span(),
            "expected the function to summarize: `#[rebut::summary(my_crate::root)]`",
        )
    })
}

struct Summary {
    function: ItemFn,
    /// The names of the parameters. The last one is the result.
    names: Vec<Ident>,
    types: Vec<Type>,
}

impl Summary {
    fn parse(function: ItemFn) -> Result<Summary> {
        let signature = &function.sig;
        let returns_bool = match &signature.output {
            ReturnType::Type(_, ty) => ty.to_token_stream().to_string() == "bool",
            ReturnType::Default => false,
        };
        if !returns_bool || signature.asyncness.is_some() || !signature.generics.params.is_empty() {
            return Err(syn::Error::new_spanned(
                signature,
                "a summary is a plain function that returns whether its last argument is a possible \
                 result for the others: `fn root_is_root(n: u32, result: u32) -> bool`",
            ));
        }
        let (mut names, mut types) = (Vec::new(), Vec::new());
        for input in &signature.inputs {
            let (name, ty) = parameter(input)?;
            names.push(name);
            types.push(ty);
        }
        if names.is_empty() {
            return Err(syn::Error::new_spanned(
                &signature.ident,
                "the last parameter of a summary is the result of the function",
            ));
        }
        Ok(Summary { function, names, types })
    }

    fn expand(&self, of: &Path) -> Result<TokenStream> {
        let facade = Facade::default();
        let (path, private) = (facade.path(), facade.private());
        let ItemFn { attrs, vis, sig, block, .. } = &self.function;
        let name = &sig.ident;
        let (inputs, output) = (&sig.inputs, &sig.output);
        let arguments = self.names.len() - 1;
        let (names, result) = (&self.names[..arguments], &self.names[arguments]);
        let (types, result_type) = (&self.types[..arguments], &self.types[arguments]);
        let holds = format_ident!("__{}_holds", name);
        let message = format!("`{name}` is false for a result of `{}`", written(of));
        let symbol = wasm::export_of_summary(&name.to_string(), next_number());
        let original = SummaryFunction::Original.to_wire();
        let clones = quote!(#(::core::clone::Clone::clone(&#names),)*);
        facade.complete(quote! {
            #[cfg(test)]
            fn #holds(#inputs) #output #block

            #[#path::test(crate = #path)]
            #(#attrs)*
            #vis fn #name(#(#names: #types),*) {
                let result: #result_type = #of(#clones);
                ::core::assert!(#holds(#(#names,)* result), #message);
            }

            #[cfg(all(test, target_family = "wasm", target_os = "unknown"))]
            const _: () = {
                fn stand_in(#(#names: #types),*) -> #result_type {
                    let #result = #private::stand_in(|source| {
                        #private::draw(#private::any::<#result_type>(), source)
                    });
                    let copy = ::core::clone::Clone::clone(&#result);
                    #private::assume(#holds(#clones copy), #message);
                    #result
                }
                #[unsafe(export_name = #symbol)]
                extern "C" fn summary(which: u32) -> usize {
                    type Function = fn(#(#types),*) -> #result_type;
                    match which {
                        #original => #of as Function as usize,
                        _ => stand_in as Function as usize,
                    }
                }
            };
        })
    }
}

fn parameter(input: &FnArg) -> Result<(Ident, Type)> {
    let FnArg::Typed(input) = input else {
        return Err(syn::Error::new_spanned(input, "a summary is a function, not a method"));
    };
    if let Some(attribute) = input.attrs.first() {
        return Err(syn::Error::new_spanned(
            attribute,
            "a summary covers all arguments, so its parameters take no attributes; exclude \
             arguments in the body: `n == 0 || ..`",
        ));
    }
    match &*input.pat {
        Pat::Ident(name) => Ok((name.ident.clone(), (*input.ty).clone())),
        other => Err(syn::Error::new_spanned(other, "give the parameter a name")),
    }
}

fn written(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(arguments: TokenStream, item: TokenStream) -> String {
        expand(arguments, item).map_or_else(|error| error.to_string(), |tokens| tokens.to_string())
    }

    #[test]
    fn the_summarized_function_has_to_be_named() {
        let item = quote!(
            fn s(n: u8, result: u8) -> bool {
                n == result
            }
        );
        assert!(refusal(quote!(), item).contains("expected the function to summarize"));
    }

    #[test]
    fn a_summary_is_of_all_arguments() {
        let item = quote!(
            fn s(#[generate(max_value = 3)] n: u8, result: u8) -> bool {
                n == result
            }
        );
        assert!(refusal(quote!(f), item).contains("a summary covers all arguments"));
    }

    #[test]
    fn a_summary_says_yes_or_no() {
        let item = quote!(
            fn s(n: u8, result: u8) {
                assert_eq!(n, result);
            }
        );
        assert!(
            refusal(quote!(f), item).contains("whether its last argument is a possible result")
        );
    }
}
