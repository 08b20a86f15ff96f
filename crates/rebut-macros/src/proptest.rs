//! `proptest!`: runs properties in the syntax of proptest as `#[rebut::test]` runs its own.
//!
//! The parameters are drawn from strategies, whose types the macro does not know. So the body stays
//! a closure, as in proptest, and there is no regression test, which needs the types.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Block, Error, Expr, Pat, Result, Token, Type, Visibility};

use crate::claims::{self, BodyOwner, MarkedBody, ResultKind};
use crate::facade::Facade;
use crate::name_value::{Errors, local};
use crate::test::expected_panic;
use crate::written;

/// Expands `proptest! { .. }`.
pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let block: PropertyBlock = syn::parse2(input)?;
    let facade = Facade::default();
    let private = facade.private();
    facade.complete(match block {
        PropertyBlock::Functions(config, functions) => {
            let config = config.map_or_else(|| default_config(&private), |c| quote!((#c).clone()));
            functions.iter().map(|function| function.expand(&private, &config)).collect()
        }
        PropertyBlock::Closure(config, closure) => {
            let config = config.map_or_else(|| default_config(&private), |c| quote!((#c).clone()));
            closure.check(&private, &config)
        }
    })
}

fn default_config(private: &TokenStream) -> TokenStream {
    quote!(<#private::proptest::Config as ::core::default::Default>::default())
}

/// The input of the macro.
enum PropertyBlock {
    /// Functions, and the argument of `#![proptest_config(..)]`.
    Functions(Option<Expr>, Vec<Function>),
    /// A closure, and the configuration before it.
    Closure(Option<Expr>, Closure),
}

/// A function of the block.
struct Function {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    closure: Closure,
}

/// The parameters and the body of a property.
struct Closure {
    is_move: Option<Token![move]>,
    parameters: Vec<Parameter>,
    body: TokenStream,
}

/// `pattern in strategy` or `pattern: type`.
struct Parameter {
    pattern: Pat,
    origin: Origin,
}

enum Origin {
    Strategy(Expr),
    Type(Type),
}

impl Parse for PropertyBlock {
    fn parse(input: ParseStream<'_>) -> Result<PropertyBlock> {
        let is_closure = |input: ParseStream<'_>| input.peek(Token![|]) || input.peek(Token![move]);
        if is_closure(input) {
            return Ok(PropertyBlock::Closure(None, Closure::parse(input)?));
        }
        if input.is_empty() || input.peek(Token![#]) || is_function(input) {
            let config = config(input)?;
            let mut functions = Vec::new();
            while !input.is_empty() {
                functions.push(input.parse()?);
            }
            return Ok(PropertyBlock::Functions(config, functions));
        }
        let config = input.parse()?;
        input.parse::<Token![,]>()?;
        if !is_closure(input) {
            return Err(input.error("expected a closure: `|(x in 0..10)| { .. }`"));
        }
        Ok(PropertyBlock::Closure(Some(config), Closure::parse(input)?))
    }
}

fn is_function(input: ParseStream<'_>) -> bool {
    input.peek(Token![fn])
        || input.peek(Token![pub])
        || (input.peek(Token![async]) && input.peek2(Token![fn]))
}

/// Parses `#![proptest_config(..)]`, if there is one.
fn config(input: ParseStream<'_>) -> Result<Option<Expr>> {
    let mut config = None;
    let mut errors = Errors::default();
    for attribute in input.call(Attribute::parse_inner)? {
        if !attribute.path().is_ident("proptest_config") {
            errors.push(&attribute, "expected `#![proptest_config(..)]`");
        } else if config.is_some() {
            errors.push(&attribute, "the configuration is set twice; keep one of the attributes");
        } else {
            config = errors.ok(attribute.parse_args());
        }
    }
    errors.finish(config)
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Function> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if let Some(asyncness) = input.parse::<Option<Token![async]>>()? {
            let message = "proptest has no async properties; write `#[rebut::test(runtime = ..)]` \
                           with `#[from(rebut::strategies(..))]` on the parameters";
            return Err(Error::new_spanned(asyncness, message));
        }
        input.parse::<Token![fn]>()?;
        let name = input.parse()?;
        let inside;
        let parentheses = syn::parenthesized!(inside in input);
        let parameters = parameters(&inside, parentheses.span.join())?;
        if input.peek(Token![->]) {
            let message = "a property in `proptest!` has no return type; use `?` in its body, or \
                           return `Ok(())` or `Err(..)`";
            return Err(input.error(message));
        }
        let body: Group = input.parse()?;
        let closure = Closure { is_move: None, parameters, body: body.into_token_stream() };
        Ok(Function { attributes, visibility, name, closure })
    }
}

impl Parse for Closure {
    fn parse(input: ParseStream<'_>) -> Result<Closure> {
        let is_move = input.parse()?;
        input.parse::<Token![|]>()?;
        let inside;
        let parentheses = syn::parenthesized!(inside in input);
        let parameters = parameters(&inside, parentheses.span.join())?;
        input.parse::<Token![|]>()?;
        let body: Expr = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Closure { is_move, parameters, body: body.into_token_stream() })
    }
}

fn parameters(inside: ParseStream<'_>, place: Span) -> Result<Vec<Parameter>> {
    let parameters = Punctuated::<Parameter, Token![,]>::parse_terminated(inside)?;
    if parameters.is_empty() {
        let message = "a property needs a parameter: `x in 0..10` or `x: u8`";
        return Err(Error::new(place, message));
    }
    Ok(parameters.into_iter().collect())
}

impl Parse for Parameter {
    fn parse(input: ParseStream<'_>) -> Result<Parameter> {
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let origin = if input.parse::<Option<Token![in]>>()?.is_some() {
            Origin::Strategy(input.parse()?)
        } else if input.parse::<Option<Token![:]>>()?.is_some() {
            Origin::Type(input.parse()?)
        } else {
            return Err(input.error("expected `in` and a strategy, or `:` and a type"));
        };
        Ok(Parameter { pattern, origin })
    }
}

impl Function {
    fn expand(&self, private: &TokenStream, config: &TokenStream) -> TokenStream {
        let Function { attributes, visibility, name, closure } = self;
        let run = if attributes.iter().any(is_test) {
            let marked = self.marked();
            let sites = marked.as_ref().and_then(|marked| marked.declaration(private));
            let test = self.description(private, config, marked.as_ref());
            quote!(#sites #private::run_test(&#test))
        } else {
            // A function that is not a test cannot be found by its name.
            closure.check(private, config)
        };
        quote! {
            #(#attributes)*
            #visibility fn #name() {
                #run
            }
        }
    }

    fn description(
        &self,
        private: &TokenStream,
        config: &TokenStream,
        marked: Option<&MarkedBody>,
    ) -> TokenStream {
        let Function { attributes, name, closure, .. } = self;
        let (place, path) = (name.span(), name.to_string());
        let settings = local("settings");
        // A failure is expected and need not be saved.
        let expected = attributes.iter().find_map(expected_panic);
        let database = expected.is_some().then(|| quote!(#settings.database = false;));
        let claim = match expected {
            Some(expected) => quote!(#private::Claim::Panics(#expected)),
            None => quote!(#private::Claim::ForAll),
        };
        let strategies = closure.strategies(private, config);
        let body = marked.map(|marked| marked.block.to_token_stream());
        let run = closure.run(private, None, &strategies, body.as_ref());
        let line_of = claims::line_by("__std::line");
        let claims = marked.map_or_else(
            || quote!(::core::option::Option::None),
            |marked| marked.description(private, &line_of, true),
        );
        let parameters = closure.parameters.len();
        let file = quote_spanned!(place=> __std::file!());
        let line = quote_spanned!(place=> __std::line!());
        let column = quote_spanned!(place=> __std::column!());
        quote! {
            #private::Test {
                path: ::core::concat!(::core::module_path!(), "::", #path),
                file: #file,
                line: #line,
                column: #column,
                target: #private::cargo_target!(),
                body: "",
                attributes: "",
                has_prelude: || true,
                edition: 2024,
                return_type: "",
                constants: "",
                claim: #claim,
                configure: |#settings: &mut #private::Settings| {
                    #private::proptest::configure(#config, #settings);
                    #database
                },
                run: #run,
                parameters: #parameters,
                inputs: ::core::option::Option::None,
                claims: #claims,
                examples: &[],
            }
        }
    }
}

impl Function {
    /// Returns the body with marks where it checks something; `None` if there are none.
    fn marked(&self) -> Option<MarkedBody> {
        if self.attributes.iter().any(|one| one.path().is_ident("should_panic")) {
            return None;
        }
        let block: Block = syn::parse2(self.closure.body.clone()).ok()?;
        let patterns = self.closure.parameters.iter().map(|parameter| &parameter.pattern);
        let owner = BodyOwner {
            name: format_ident!("__REBUT_SITES"),
            parameters: claims::patterns(patterns),
            result: ResultKind::Truth { good: true },
            has_tail: false,
        };
        Some(claims::mark(&block, owner))
    }
}

/// Returns whether an attribute makes a function a test.
fn is_test(attribute: &Attribute) -> bool {
    let last = attribute.path().segments.last();
    let names_test = |tokens: TokenStream| {
        tokens.into_iter().any(|tree| matches!(tree, TokenTree::Ident(name) if name == "test"))
    };
    match &attribute.meta {
        syn::Meta::List(list) if attribute.path().is_ident("cfg_attr") => {
            names_test(list.tokens.clone())
        }
        _ => last.is_some_and(|segment| segment.ident == "test"),
    }
}

impl Closure {
    /// Returns the expression that runs the property where it stands, as `rebut::check` does.
    fn check(&self, private: &TokenStream, config: &TokenStream) -> TokenStream {
        let settings = local("settings");
        let shared = local("config");
        let strategies = self.strategies(private, &quote!(#shared.clone()));
        let run = self.run(private, self.is_move, &TokenStream::new(), None);
        quote! {{
            let #shared = #config;
            #strategies
            #private::check_configured(
                &|#settings: &mut #private::Settings| {
                    #private::proptest::configure(#shared.clone(), #settings);
                },
                #run,
            )
        }}
    }

    /// Returns the statements that evaluate the strategies.
    fn strategies(&self, private: &TokenStream, config: &TokenStream) -> TokenStream {
        let strategies = self.parameters.iter().enumerate().map(|(n, parameter)| {
            let variable = strategy(n);
            let strategy = match &parameter.origin {
                Origin::Strategy(strategy) => quote!(#strategy),
                Origin::Type(ty) => quote!(#private::proptest::any::<#ty>()),
            };
            quote!(let #variable = #private::proptest::strategies(#strategy, #config);)
        });
        strategies.collect()
    }

    /// Returns the closure that draws the parameters and calls the body.
    fn run(
        &self,
        private: &TokenStream,
        is_move: Option<Token![move]>,
        strategies: &TokenStream,
        marked: Option<&TokenStream>,
    ) -> TokenStream {
        let case = local("case");
        let parameters = || self.parameters.iter().enumerate();
        let draws = parameters().map(|(n, parameter)| {
            let (strategy, argument) = (strategy(n), argument(n));
            let name = written::type_text(&parameter.pattern.to_token_stream());
            quote! {
                let #argument = #private::Generator::draw(&#strategy, #case.begin_argument());
                if #case.end_argument() {
                    (&&&#private::Shown(&#argument)).write(#case.code());
                    #case.show_argument(#name, "");
                }
            }
        });
        let patterns = parameters().map(|(n, parameter)| {
            let (pattern, argument) = (&parameter.pattern, argument(n));
            // A new value, so that `ref mut` can borrow it.
            quote!(let #pattern = ::core::convert::identity(#argument);)
        });
        let body = marked.unwrap_or(&self.body);
        quote! {
            #is_move |#case: &mut #private::Case| -> ::core::option::Option<__std::string::String> {
                use #private::show::*;
                #strategies
                #(#draws)*
                #private::proptest::outcome((|| -> #private::proptest::TestCaseResult {
                    #(#patterns)*
                    let (): () = #body;
                    ::core::result::Result::Ok(())
                })())
            }
        }
    }
}

fn strategy(n: usize) -> Ident {
    format_ident!("strategy_{n}", span = Span::mixed_site())
}

fn argument(n: usize) -> Ident {
    format_ident!("argument_{n}", span = Span::mixed_site())
}
