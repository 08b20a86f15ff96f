//! Attributes of other test crates next to `#[rebut::test]`.
//!
//! An attribute below is still an attribute, and the error names what to write instead. An
//! attribute above has expanded before: it left its traces in the body, and often removed the
//! parameters.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, Error, ItemFn, Meta};

use super::Claim;
use super::settings::Settings;
use crate::written;

/// Returns the error about an attribute of another test crate. `arguments` are those of
/// `#[rebut::test]`.
pub(super) fn error(
    claim: Claim,
    function: &ItemFn,
    arguments: &str,
    settings: Option<&Settings>,
) -> Option<Error> {
    let here = Here { claim, arguments, has_runtime: settings.is_some_and(Settings::has_runtime) };
    let Some(attribute) = function.attrs.iter().find(|attribute| is_foreign(attribute)) else {
        // Without parameters there is nothing to generate, so an attribute may have removed them.
        let is_empty = function.sig.inputs.is_empty();
        let advice = is_empty.then(|| here.above(function)).flatten()?;
        return Some(Error::new(Span::call_site(), advice));
    };
    let advice = here.below(attribute).or_else(|| here.above(function)).unwrap_or_else(|| {
        format!("`{}` makes the function a test already; remove this attribute", claim.attribute())
    });
    Some(Error::new_spanned(attribute, advice))
}

/// The attribute of Rebut.
struct Here<'a> {
    claim: Claim,
    arguments: &'a str,
    has_runtime: bool,
}

/// Returns whether an attribute would turn the function into a second test.
fn is_foreign(attribute: &Attribute) -> bool {
    let names = ["test", "exists", "not_exists", "rstest", "gtest", "fixture", "quickcheck"];
    let last = attribute.path().segments.last();
    last.is_some_and(|segment| names.iter().any(|name| segment.ident == name))
}

impl Here<'_> {
    /// Returns the advice about an attribute below `#[rebut::test]`.
    fn below(&self, attribute: &Attribute) -> Option<String> {
        let segments = &attribute.path().segments;
        let name = segments.last()?.ident.to_string();
        let krate = match segments.len() {
            1 => String::new(),
            _ => segments.first()?.ident.to_string(),
        };
        let settings = match &attribute.meta {
            Meta::List(list) => written::text(&list.tokens),
            _ => String::new(),
        };
        Some(match (krate.as_str(), name.as_str()) {
            ("tokio", "test") => self.runtime("tokio::test", "tokio", &settings),
            ("async_std", "test") => self.runtime("async_std::test", "async_std", ""),
            ("smol_potat", "test") => self.runtime("smol_potat::test", "smol", ""),
            ("pollster", "test") => self.runtime("pollster::test", "pollster", ""),
            ("actix_rt" | "actix_web", "test") => {
                self.runtime(&format!("{krate}::test"), "actix_rt", "")
            }
            ("test_log", "test") => self.logged(),
            (_, "rstest") => self.rows(),
            (_, "fixture") => format!(
                "`{}` runs no fixtures; call the function that makes the value in the body",
                self.claim.attribute()
            ),
            ("googletest", "test") | (_, "gtest") => self.expectations(),
            _ => return None,
        })
    }

    /// Returns the advice about an attribute above `#[rebut::test]`, by what it left in the body.
    fn above(&self, function: &ItemFn) -> Option<String> {
        let body = function.block.to_token_stream();
        let has = |words: &[&str]| has_in_a_row(&body, words);
        let attribute = self.claim.attribute();
        if has(&["tokio", ":", ":", "runtime", ":", ":", "Builder"]) {
            return Some(self.runtime("tokio::test", "tokio", &settings_of_tokio(&body)));
        }
        if has(&["async_std", ":", ":", "task", ":", ":", "block_on"]) {
            return Some(self.runtime("async_std::test", "async_std", ""));
        }
        for (krate, item, runtime) in [
            ("smol_potat", "block_on", "smol"),
            ("pollster", "block_on", "pollster"),
            ("actix_rt", "System", "actix_rt"),
        ] {
            if has(&[krate, ":", ":", item]) {
                return Some(self.runtime(&format!("{krate}::test"), runtime, ""));
            }
        }
        if has(&["test_log", ":", ":"]) {
            return Some(self.logged());
        }
        if has(&["googletest", ":", ":", "internal"]) {
            return Some(self.expectations());
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
            format!("`#[rstest]` takes the parameter `{fixture}` for a fixture; {}", self.rows())
        })
    }

    /// Returns the advice to name the runtime of an async test.
    fn runtime(&self, attribute: &str, runtime: &str, settings: &str) -> String {
        if self.has_runtime {
            return format!("`runtime` runs the function already; remove `#[{attribute}]`");
        }
        let settings = match settings {
            "" => String::new(),
            settings => format!("({settings})"),
        };
        let line = self.line(&format!("runtime = {runtime}{settings}"));
        format!("instead of `#[{attribute}]`, write `#[{line}]`")
    }

    fn logged(&self) -> String {
        format!("write `#[test_log::test({})]` instead of both attributes", self.line(""))
    }

    fn rows(&self) -> String {
        let attribute = self.claim.attribute();
        format!(
            "remove `#[rstest]`: `{attribute}` reads `#[case(..)]` and `#[values(..)]`, and \
             generates the other parameters; for fixtures, keep `#[rstest]` and call \
             `rebut::check` in the body"
        )
    }

    fn expectations(&self) -> String {
        format!(
            "`{}` does not see the expectations of `#[gtest]`; remove that attribute, and write \
             `assert_that!(..)` or `verify_that!(..)?`",
            self.claim.attribute()
        )
    }

    /// Returns the attribute of Rebut, without brackets, with one more setting.
    fn line(&self, setting: &str) -> String {
        let attribute = self.claim.attribute().trim_start_matches("#[").trim_end_matches(']');
        match (self.arguments.trim_end_matches(','), setting) {
            ("", "") => attribute.to_owned(),
            (one, "") | ("", one) => format!("{attribute}({one})"),
            (arguments, setting) => format!("{attribute}({arguments}, {setting})"),
        }
    }
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
        let found = error(Claim::ForAll, &function, "cases = 3", None);
        assert_eq!(found.map(|error| error.to_string()).unwrap_or_default(), expected);
    }

    #[test]
    fn runtimes_of_other_attributes_are_named() {
        let write = |attribute, runtime| {
            format!(
                "instead of `#[{attribute}]`, write `#[rebut::test(cases = 3, runtime = {runtime})]`"
            )
        };
        check(
            quote!(
                #[tokio::test]
                async fn f(n: u8) {}
            ),
            &write("tokio::test", "tokio"),
        );
        check(
            quote!(
                #[tokio::test(flavor = "multi_thread")]
                async fn f(n: u8) {}
            ),
            &write("tokio::test", "tokio(flavor = \"multi_thread\")"),
        );
        check(
            quote!(
                #[async_std::test]
                async fn f(n: u8) {}
            ),
            &write("async_std::test", "async_std"),
        );
        check(
            quote!(
                #[smol_potat::test]
                async fn f(n: u8) {}
            ),
            &write("smol_potat::test", "smol"),
        );
        check(
            quote!(
                #[actix_rt::test]
                async fn f(n: u8) {}
            ),
            &write("actix_rt::test", "actix_rt"),
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
            &write("tokio::test", "tokio(flavor = \"multi_thread\", worker_threads = 2)"),
        );
        check(
            quote!(
                fn f() {
                    async_std::task::block_on(async {
                        g(n);
                    })
                }
            ),
            &write("async_std::test", "async_std"),
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
