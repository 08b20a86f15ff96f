//! Code of the user that lints take for generated code.
//!
//! Generated code has no `#[allow(..)]`: in a crate that forbids the lint, the attribute itself
//! would be an error. Lints ignore code whose outermost tokens come from a macro.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Block, Signature};

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
    Ident::new(&written.to_string(), span(written.span()))
}

/// Returns the same place, in code of the macro.
fn span(written: Span) -> Span {
    written.resolved_at(Span::mixed_site())
}
