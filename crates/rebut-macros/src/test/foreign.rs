//! Attributes of other test crates next to `#[rebut::test]`.
//!
//! An attribute below is still an attribute, and the error names what to write instead. An
//! attribute above has expanded before: it left its traces in the body, and often removed the
//! parameters.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::{Attribute, Error, ItemFn, Meta};

use super::Claim;
use super::settings::Settings;

/// Returns the error about an attribute of another test crate.
pub(super) fn error(claim: Claim, function: &ItemFn, settings: Option<&Settings>) -> Option<Error> {
    let is_test = |attribute: &&Attribute| is_foreign(attribute);
    let attribute = function.attrs.iter().find(is_test);
    let advice = match attribute {
        Some(attribute) => below(claim, attribute, settings)
            .or_else(|| above(claim, function))
            .unwrap_or_else(|| {
                format!(
                    "`{}` makes the function a test already; remove this attribute",
                    claim.attribute()
                )
            }),
        // Without parameters there is nothing to generate, so nothing but traces.
        None if function.sig.inputs.is_empty() => above(claim, function)?,
        None => return None,
    };
    let span = attribute.map_or_else(Span::call_site, |attribute| attribute.span());
    Some(match attribute {
        Some(attribute) => Error::new_spanned(attribute, advice),
        None => Error::new(span, advice),
    })
}

/// Returns whether an attribute would turn the function into a second test.
fn is_foreign(attribute: &Attribute) -> bool {
    let names = ["test", "exists", "not_exists", "rstest", "gtest", "fixture", "quickcheck"];
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| names.iter().any(|name| segment.ident == name))
}

/// Returns the advice about an attribute below `#[rebut::test]`.
fn below(claim: Claim, attribute: &Attribute, settings: Option<&Settings>) -> Option<String> {
    let segments = &attribute.path().segments;
    let name = segments.last()?.ident.to_string();
    let krate = match segments.len() {
        1 => String::new(),
        _ => segments.first()?.ident.to_string(),
    };
    let arguments = match &attribute.meta {
        Meta::List(list) => list.tokens.to_string(),
        _ => String::new(),
    };
    match (krate.as_str(), name.as_str()) {
        ("tokio", "test") => Some(with_runtime(claim, "tokio", &arguments, settings)),
        ("async_std", "test") => Some(with_runtime(claim, "async_std", "", settings)),
        ("smol_potat" | "macro_rules_attribute", "test") => {
            Some(with_runtime(claim, "smol", "", settings))
        }
        ("pollster", "test") => Some(with_runtime(claim, "pollster", "", settings)),
        ("actix_rt" | "actix_web", "test") => Some(with_runtime(claim, "actix_rt", "", settings)),
        ("test_log", "test") => Some(logged(claim)),
        (_, "rstest") => Some(rows(claim)),
        (_, "fixture") => Some(format!(
            "`{}` runs no fixtures; call the function that makes the value in the body",
            claim.attribute()
        )),
        ("googletest", "test") | (_, "gtest") => Some(expectations(claim)),
        (_, "quickcheck") => Some(format!(
            "`{}` generates the arguments already; remove this attribute",
            claim.attribute()
        )),
        _ => None,
    }
}

/// Returns the advice about an attribute above `#[rebut::test]`, by what it left in the body.
fn above(claim: Claim, function: &ItemFn) -> Option<String> {
    let body = function.block.to_token_stream();
    let has = |words: &[&str]| has_in_a_row(&body, words);
    let attribute = claim.attribute();
    if has(&["tokio", ":", ":", "runtime", ":", ":", "Builder"]) {
        return Some(with_runtime(claim, "tokio", &settings_of_tokio(&body), None));
    }
    if has(&["async_std", ":", ":", "task", ":", ":", "block_on"]) {
        return Some(with_runtime(claim, "async_std", "", None));
    }
    for (krate, runtime) in
        [("smol_potat", "smol"), ("pollster", "pollster"), ("actix_rt", "actix_rt")]
    {
        // The body of a property that blocks by itself has parameters and no other attribute.
        if has(&[krate, ":", ":", "block_on"]) || has(&[krate, ":", ":", "System"]) {
            return Some(with_runtime(claim, runtime, "", None));
        }
    }
    if has(&["test_log", ":", ":"]) {
        return Some(logged(claim));
    }
    if has(&["googletest", ":", ":", "internal"]) {
        return Some(expectations(claim));
    }
    if has(&["serial_test", ":", ":"]) {
        return Some(format!(
            "`#[serial]` above `{attribute}` removes the parameters; write it below"
        ));
    }
    if has(&["let", "_result", "=", "super", ":", ":"]) {
        return Some(format!(
            "`#[test_case]` above `{attribute}` calls the function before its other arguments \
             are generated; write `{attribute}` above it"
        ));
    }
    fixture_in(&body).map(|fixture| {
        format!("`#[rstest]` takes the parameter `{fixture}` for a fixture; {}", rows(claim))
    })
}

/// Returns the advice to name the runtime of an async test.
fn with_runtime(
    claim: Claim,
    runtime: &str,
    arguments: &str,
    settings: Option<&Settings>,
) -> String {
    let attribute = claim.attribute().trim_end_matches(']');
    if settings.is_some_and(|settings| settings.runtime.is_some()) {
        return "`runtime` runs the function already; remove this attribute".to_owned();
    }
    let arguments = match arguments {
        "" => String::new(),
        arguments => format!("({arguments})"),
    };
    format!("instead of this attribute, write `{attribute}(runtime = {runtime}{arguments})]`")
}

fn logged(claim: Claim) -> String {
    let inside = claim.attribute().trim_start_matches("#[").trim_end_matches(']');
    format!("write `#[test_log::test({inside})]` instead of both attributes")
}

fn rows(claim: Claim) -> String {
    let attribute = claim.attribute();
    format!(
        "remove `#[rstest]`: `{attribute}` reads `#[case(..)]` and `#[values(..)]`, and generates \
         the other parameters; for fixtures, keep `#[rstest]` and call `rebut::check` in the body"
    )
}

fn expectations(claim: Claim) -> String {
    format!(
        "`{}` does not see the expectations of `#[gtest]`; remove that attribute, and write \
         `assert_that!(..)` or `verify_that!(..)?`",
        claim.attribute()
    )
}

/// Returns the settings that `#[tokio::test]` turned into calls.
fn settings_of_tokio(body: &TokenStream) -> String {
    let mut settings = Vec::new();
    if has_in_a_row(body, &["new_multi_thread"]) {
        settings.push("flavor = \"multi_thread\"".to_owned());
    }
    for name in ["worker_threads", "start_paused"] {
        if let Some(value) = argument_of(body, name) {
            settings.push(format!("{name} = {value}"));
        }
    }
    settings.join(", ")
}

/// Returns the argument of the first call of `.name(..)`.
fn argument_of(tokens: &TokenStream, name: &str) -> Option<String> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let here = trees.windows(3).find_map(|trees| match trees {
        [TokenTree::Punct(_), TokenTree::Ident(method), TokenTree::Group(arguments)]
            if method == name =>
        {
            // The value is a number of tokio's own type.
            let value = arguments.stream().to_string();
            Some(value.trim_end_matches("usize").to_owned())
        }
        _ => None,
    });
    here.or_else(|| trees.iter().find_map(|tree| argument_of(&inside(tree)?, name)))
}

/// Returns the name in `let name = name::default();`, as `#[rstest]` asks for a fixture.
fn fixture_in(tokens: &TokenStream) -> Option<String> {
    let words = flat(tokens);
    let fixture = words.windows(7).find(|words| {
        words[0] == "let"
            && words[2] == "="
            && words[1] == words[3]
            && words[4..] == [":", ":", "default"]
    });
    fixture.map(|words| words[1].clone())
}

/// Returns whether these words stand next to each other.
fn has_in_a_row(tokens: &TokenStream, words: &[&str]) -> bool {
    flat(tokens).windows(words.len()).any(|window| window == words)
}

fn flat(tokens: &TokenStream) -> Vec<String> {
    let mut words = Vec::new();
    for tree in tokens.clone() {
        match inside(&tree) {
            Some(inside) => words.extend(flat(&inside)),
            None => words.push(tree.to_string()),
        }
    }
    words
}

fn inside(tree: &TokenTree) -> Option<TokenStream> {
    match tree {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[track_caller]
    fn check(function: TokenStream, expected: &str) {
        let function = syn::parse2(function).expect("a function");
        let found = error(Claim::ForAll, &function, None);
        assert_eq!(found.map(|error| error.to_string()).unwrap_or_default(), expected);
    }

    #[test]
    fn runtimes_of_other_attributes_are_named() {
        let write = |runtime| {
            format!("instead of this attribute, write `#[rebut::test(runtime = {runtime})]`")
        };
        check(
            quote!(
                #[tokio::test]
                async fn f(n: u8) {}
            ),
            &write("tokio"),
        );
        check(
            quote!(
                #[tokio::test(flavor = "multi_thread")]
                async fn f(n: u8) {}
            ),
            &write("tokio(flavor = \"multi_thread\")"),
        );
        check(
            quote!(
                #[async_std::test]
                async fn f(n: u8) {}
            ),
            &write("async_std"),
        );
        check(
            quote!(
                #[smol_potat::test]
                async fn f(n: u8) {}
            ),
            &write("smol"),
        );
        check(
            quote!(
                #[actix_rt::test]
                async fn f(n: u8) {}
            ),
            &write("actix_rt"),
        );
        check(
            quote! {
                #[::core::prelude::v1::test]
                fn f(n: u8) {
                    let body = async {};
                    {
                        use tokio::runtime::Builder;
                        return Builder::new_multi_thread().worker_threads(2usize).enable_all();
                    }
                }
            },
            &write("tokio(flavor = \"multi_thread\", worker_threads = 2)"),
        );
        check(
            quote!(
                fn f() {
                    async_std::task::block_on(async {
                        g(n);
                    })
                }
            ),
            &write("async_std"),
        );
    }

    #[test]
    fn removed_parameters_are_noticed() {
        check(
            quote!(
                fn f() {
                    serial_test::local_serial_core(vec![""], None, || {
                        g(n);
                    });
                }
            ),
            "`#[serial]` above `#[rebut::test]` removes the parameters; write it below",
        );
        check(
            quote!(
                fn test_case_1_x() {
                    let _result = super::f(1);
                    _result
                }
            ),
            "`#[test_case]` above `#[rebut::test]` calls the function before its other arguments \
             are generated; write `#[rebut::test]` above it",
        );
        check(
            quote!(
                fn case_1() {
                    let n = 1;
                    let m = m::default();
                    f(n, m)
                }
            ),
            "`#[rstest]` takes the parameter `m` for a fixture; remove `#[rstest]`: \
             `#[rebut::test]` reads `#[case(..)]` and `#[values(..)]`, and generates the other \
             parameters; for fixtures, keep `#[rstest]` and call `rebut::check` in the body",
        );
    }

    #[test]
    fn ordinary_properties_are_accepted() {
        check(
            quote!(
                #[ignore]
                fn f(n: u8) {
                    let n = n::default();
                }
            ),
            "",
        );
        check(
            quote!(
                fn f() {
                    let list = Vec::default();
                }
            ),
            "",
        );
        check(
            quote!(
                fn f(n: u8) {
                    tokio::runtime::Builder::new_current_thread();
                }
            ),
            "",
        );
    }
}
