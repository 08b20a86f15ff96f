//! Errors as code.
//!
//! `syn` writes `::core::compile_error!`. In the 2015 edition, that is a path in the crate of the user,
//! which has no `core`, and the compiler reports that instead of the message. The macro without a
//! path is known everywhere, except in modules that ask for no prelude.

use proc_macro2::{TokenStream, TokenTree};

/// Returns the calls of `compile_error!` for all messages of an error.
pub(crate) fn of(error: &syn::Error) -> TokenStream {
    let mut is_path = false;
    let without_path = error.to_compile_error().into_iter().filter(|tree| {
        is_path = match tree {
            TokenTree::Punct(punct) => punct.as_char() == ':',
            TokenTree::Ident(name) => name == "core",
            _ => false,
        };
        !is_path
    });
    without_path.collect()
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    #[test]
    fn messages_have_no_path() {
        let mut error = syn::Error::new(Span::call_site(), "one: ::core::a");
        error.combine(syn::Error::new(Span::call_site(), "two"));
        let expected = "compile_error ! { \"one: ::core::a\" } compile_error ! { \"two\" }";
        assert_eq!(of(&error).to_string(), expected);
    }
}
