//! Code of the user that lints take for generated code.
//!
//! Generated code has no `#[allow(..)]`: in a crate that forbids the lint, the attribute itself
//! would be an error. Lints ignore code whose outermost tokens come from a macro.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Block, Signature};

/// Returns code like `quote!`, whose variables are not those of the user: an expression of the user in
/// it, such as a condition, does not see them. So it finds the user's function of the same name.
macro_rules! code {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}
pub(crate) use code;

/// Returns a block whose braces come from the macro. Its contents stay the user's.
pub(crate) fn block(block: &Block) -> TokenStream {
    let trees = block.to_token_stream().into_iter().map(|tree| match tree {
        TokenTree::Group(group) => {
            let mut generated = Group::new(group.delimiter(), group.stream());
            generated.set_span(span(group.span()));
            TokenTree::Group(generated)
        }
        tree => tree,
    });
    trees.collect()
}

/// Makes the first token of a function come from the macro.
pub(crate) fn mark(signature: &mut Signature) {
    if let Some(asyncness) = &mut signature.asyncness {
        asyncness.span = span(asyncness.span);
    }
    signature.fn_token.span = span(signature.fn_token.span);
}

/// Returns the name of an item that comes from the macro.
pub(crate) fn name(written: &Ident) -> Ident {
    // A clone keeps the `r#` of a raw name.
    let mut name = written.clone();
    name.set_span(span(written.span()));
    name
}

/// Returns the same place, in code of the macro.
pub(crate) fn span(written: Span) -> Span {
    written.resolved_at(Span::mixed_site())
}
