use quote::{format_ident, quote};
use syn::ItemFn;

use super::*;
use crate::testing::check;

/// Compares a function with marks with the expected one.
#[track_caller]
fn marks(function: TokenStream, expected: &str) {
    let mut function: ItemFn = syn::parse2(function).expect("a function");
    let patterns = function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(input) => Some(&*input.pat),
        syn::FnArg::Receiver(_) => None,
    });
    let owner = BodyOwner {
        name: format_ident!("SITES"),
        parameters: patterns.map(ToTokens::to_token_stream).collect(),
        result: result_kind(&function.sig.output, true),
        has_tail: true,
    };
    let marked = mark(&function.block, owner);
    *function.block = marked.block;
    let expected = syn::parse_str(expected).expect("a file");
    check(Ok(quote!(#function)), &prettyplease::unparse(&expected));
}

#[test]
fn marks_stand_before_the_statements_that_check() {
    marks(
        quote! {
            fn f(s: String) {
                let x = match parse(&s) {
                    Ok(x) => x,
                    Err(_) => return,
                };
                assert_eq!(write(&x), s);
            }
        },
        "fn f(s: String) {
            let x = match parse(&s) {
                Ok(x) => x,
                Err(_) => return,
            };
            SITES.reach(0u32);
            assert_eq!(write(& x), s);
        }",
    );
}

#[test]
fn arms_and_closures_with_a_check_become_blocks() {
    marks(
        quote! {
            fn f(s: String) {
                match parse(&s) {
                    Ok(x) => assert!(x.is_valid()),
                    Err(_) => {}
                }
                s.chars().for_each(|c| assert!(c.is_alphabetic()));
            }
        },
        "fn f(s: String) {
            match parse(&s) {
                Ok(x) => { SITES.reach(0u32); assert!(x.is_valid()) }
                Err(_) => {}
            }
            s.chars().for_each(|c| { SITES.reach(1u32); assert!(c.is_alphabetic()) });
        }",
    );
}

#[test]
fn results_that_are_not_literals_are_marked() {
    marks(
        quote! {
            fn f(s: String) -> bool {
                if s.is_empty() { return true; }
                if s.len() > 9 { return false; }
                let Ok(x) = parse(&s) else { return true };
                if x > 3 { true } else { x == 2 }
            }
        },
        "fn f(s: String) -> bool {
            if s.is_empty() { return true; }
            SITES.reach(0u32);
            if s.len() > 9 { return false; }
            let Ok(x) = parse(&s) else { return true };
            if x > 3 { true } else { SITES.reach(1u32); x == 2 }
        }",
    );
}

#[test]
fn constants_items_and_unreachable_statements_have_no_marks() {
    marks(
        quote! {
            fn f(s: String) {
                const { assert!(usize::MAX > 1) }
                fn helper() { assert!(true); }
                if s.is_empty() {
                    assert!(s.len() == 0);
                    return;
                    assert!(false);
                }
            }
        },
        "fn f(s: String) {
            const { assert!(usize::MAX > 1) }
            fn helper() { assert!(true); }
            if s.is_empty() {
                SITES.reach(0u32);
                assert!(s.len() == 0);
                return;
                assert!(false);
            }
        }",
    );
}

#[test]
fn later_places_share_the_last_mark() {
    let many = (0..70).map(|_| quote!(assert!(true);));
    let function: ItemFn = syn::parse2(quote!(fn f(s: String) { #(#many)* })).expect("a function");
    let owner = BodyOwner {
        name: format_ident!("SITES"),
        parameters: Vec::new(),
        result: ResultKind::Nothing,
        has_tail: true,
    };
    let marked = mark(&function.block, owner);
    assert_eq!(marked.sites.len(), SITES_MAX);
    let text = marked.block.to_token_stream().to_string();
    assert_eq!(text.matches("reach (63u32)").count(), 7);
    assert!(!text.contains("reach (64u32)"), "{text}");
}
