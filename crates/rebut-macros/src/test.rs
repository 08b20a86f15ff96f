//! `#[rebut::test]`: turns a function with parameters into a test that runs it with many values.
//!
//! The function moves, with its body, name and spans, into a function without parameters. So
//! `return` and `?` keep their meaning, and errors point to the user's code. The outer function
//! contains no other named item, because its name could clash with one of the user's.

mod foreign;
mod parameter;
mod rows;
mod runtime;
mod scope;
mod settings;
mod shadow;

use std::sync::atomic::{AtomicUsize, Ordering};

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use rebut_protocol::variables::PRINTED;
use rebut_protocol::wasm::{self, EntryFlags};
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{
    AttrStyle, Attribute, Error, Expr, FnArg, GenericArgument, GenericParam, Item, ItemFn, Meta,
    PathArguments, Result, ReturnType, Safety, Token, Type,
};

use self::parameter::Parameter;
use self::rows::{Row, Rows};
use self::settings::Settings;
use crate::claims::{self, BodyOwner, MarkedBody};
use crate::name_value::{Errors, local};
use crate::{compiler, constants, generated, printed, written};

/// The claim of a test, which corresponds to its attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    ForAll,
    Exists,
    NotExists,
}

impl Claim {
    fn attribute(self) -> &'static str {
        match self {
            Claim::ForAll => "#[rebut::test]",
            Claim::Exists => "#[rebut::exists]",
            Claim::NotExists => "#[rebut::not_exists]",
        }
    }
}

/// Expands `#[rebut::test(arguments)] item`, or the attribute of another claim.
pub(crate) fn expand(
    claim: Claim,
    arguments: TokenStream,
    item: TokenStream,
) -> Result<TokenStream> {
    let mut function = function(claim, item)?;
    let inner_attributes = take_inner_attributes(&mut function);
    let mut errors = Errors::default();
    errors.ok(check_signature(claim, &function));
    let written = written::text(&arguments);
    let settings = errors.ok(Settings::parse(claim, arguments));
    let foreign = foreign::error(claim, &function, &written, settings.as_ref());
    let is_foreign = foreign.is_some();
    foreign.into_iter().for_each(|error| errors.add(error));
    let rows = errors.ok(Rows::take(&mut function));
    let parameters = errors.ok(parameters(&function, rows.as_ref()));
    let rows = rows.and_then(|rows| errors.ok(rows.tests(&function)));
    let examples = errors.ok(examples(&function));
    let (Some(settings), Some(mut rows), Some(mut parameters), Some(mut examples)) =
        (settings, rows, parameters, examples)
    else {
        return errors.finish(TokenStream::new());
    };
    // Without the other attribute, the function may be another one.
    if !is_foreign {
        errors.ok(check_runtime(&function, &settings));
    }
    errors.ok(check_blanks(&parameters, &settings));
    let generated = parameters.iter().filter(|parameter| !parameter.is_fixed()).count();
    for example in &examples {
        errors.ok(example.check_count(generated));
    }
    errors.ok(shadow::separate(&function.sig.ident, &mut parameters, &mut examples, &mut rows));
    let marked = marked(claim, &function, !rows.is_empty());
    let property =
        Property { claim, function, inner_attributes, marked, settings, parameters, examples };
    let property = errors.finish(property)?;
    let expanded = match rows.as_slice() {
        [] => property.expand(),
        rows => property.expand_rows(rows),
    };
    property.settings.facade.complete(expanded?)
}

fn function(claim: Claim, item: TokenStream) -> Result<ItemFn> {
    syn::parse2(item.clone()).map_err(|error| match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(_)) | Err(_) => error,
        Ok(_) => Error::new_spanned(
            item.into_iter().next(),
            format!("`{}` can only be applied to a function with parameters", claim.attribute()),
        ),
    })
}

/// A parsed test.
struct Property {
    claim: Claim,
    function: ItemFn,
    /// The attributes at the beginning of the body: `#![allow(..)]`.
    inner_attributes: Vec<Attribute>,
    /// Its body, with marks where it checks something.
    marked: MarkedBody,
    settings: Settings,
    parameters: Vec<Parameter>,
    examples: Vec<Example>,
}

/// One `#[example(..)]`.
struct Example {
    attribute: Attribute,
    written: String,
    values: Vec<Expr>,
}

impl Property {
    fn expand(&self) -> Result<TokenStream> {
        let name = &self.function.sig.ident;
        let attributes = self.function.attrs.iter().filter(|attribute| !is_example(attribute));
        let vis = &self.function.vis;
        let inner = self.inner();
        let sites = self.marked.declaration(&self.settings.facade.private());
        let run = self.statements(None)?;
        let entry = self.entry(name, &[]);
        let printed = printed::beside(name, &name.unraw().to_string());
        // The test keeps the span of the user's name, so that tools find it there.
        Ok(quote! {
            #(#attributes)*
            #[::core::prelude::v1::test]
            #vis fn #name() {
                #sites
                #inner
                #run
            }
            #entry
            #printed
        })
    }

    /// Returns the function, and next to it a function that runs each row. The tests are in a
    /// module, because their names are short. All code of the user stays outside of it, where its
    /// paths have their meaning.
    fn expand_rows(&self, rows: &[Row]) -> Result<TokenStream> {
        let name = &self.function.sig.ident;
        let attributes = || self.function.attrs.iter().filter(|attribute| !is_example(attribute));
        let with = |of: &'static [AttributeOwner]| {
            move |attribute: &&Attribute| of.contains(&AttributeOwner::of(attribute))
        };
        let cfg: Vec<_> = attributes().filter(with(&[AttributeOwner::All])).collect();
        let of_function = attributes().filter(with(&[AttributeOwner::Function]));
        let inner = self.inner();
        let sites = self.marked.declaration(&self.settings.facade.private());
        let sites = sites.map(|sites| quote!(#(#cfg)* #[cfg(test)] #sites));
        let (mut runs, mut tests) = (TokenStream::new(), Vec::new());
        for row in rows {
            let path = row.name(name);
            let run = format_ident!("__rebut_{}", path.replace("::", "_").replace("r#", ""));
            let statements = self.statements(Some(row))?;
            let entry = self.entry(&run, &row.attributes);
            let all = || attributes().chain(&row.attributes);
            let of_run = all().filter(with(&[AttributeOwner::Run]));
            let of_test = all().filter(with(&[AttributeOwner::Test]));
            runs.extend(quote! {
                #(#cfg)*
                #[cfg(test)]
                #(#of_run)*
                fn #run() { #statements }
                #entry
            });
            let (last, outer) = (row.path.last(), row.path.iter().map(|_| quote!(super::)));
            let printed = printed::beside(name, &path);
            let imports = (!printed.is_empty()).then(|| {
                quote!(
                    use super::*;
                )
            });
            let test = quote! {
                #(#of_test)*
                #[::core::prelude::v1::test]
                fn #last() { #(#outer)* #run() }
                #imports
                #printed
            };
            tests.push((row.path.as_slice(), test));
        }
        let tests = modules(&tests, 0);
        Ok(quote! {
            #sites
            #(#cfg)*
            #[cfg(test)]
            #(#of_function)*
            #inner
            #runs
            #(#cfg)*
            #[cfg(test)]
            mod #name { #tests }
        })
    }

    /// Returns the statements of the function that runs the property.
    fn statements(&self, row: Option<&Row>) -> Result<TokenStream> {
        let private = self.settings.facade.private();
        let test = self.description(row)?;
        let printed_variable = PRINTED;
        Ok(quote! {
            // The position of these macros is that of all their tokens, paths included.
            use __std::{column as __rebut_column, file as __rebut_file, line as __rebut_line};
            // Makes cargo recompile when the variable changes.
            const _: ::core::option::Option<&str> = ::core::option_env!(#printed_variable);
            #private::run_test(&#test)
        })
    }

    /// Returns the function that exploration calls. Crates that forbid unsafe code accept it,
    /// because the unsafe attribute comes from a macro of another crate.
    fn entry(&self, run: &Ident, of_row: &[Attribute]) -> TokenStream {
        let private = self.settings.facade.private();
        let attributes = || self.function.attrs.iter().chain(of_row);
        let is_there = attributes().filter(|attribute| attribute.path().is_ident("cfg"));
        let has = |name| attributes().any(|attribute| attribute.path().is_ident(name));
        let flags = EntryFlags::default()
            .with(EntryFlags::SHOULD_PANIC, has("should_panic"))
            .with(EntryFlags::IGNORED, has("ignore"))
            .0;
        let symbol = wasm::export_of_test(&run.unraw().to_string(), next_number());
        quote! {
            #(#is_there)*
            #[cfg(all(test, target_family = "wasm", target_os = "unknown"))]
            const _: () = {
                #[unsafe(export_name = #symbol)]
                extern "C" fn entry(command: u32) {
                    #private::enter(command, #flags, #run);
                }
            };
        }
    }

    /// Returns the function without the attributes of the test.
    fn inner(&self) -> TokenStream {
        let mut inner = self.function.clone();
        generated::mark(&mut inner.sig);
        for input in &mut inner.sig.inputs {
            if let FnArg::Typed(input) = input {
                input.attrs.retain(|attribute| !parameter::is_own(attribute));
            }
        }
        let (signature, block) = (&inner.sig, generated::block(&self.marked.block));
        // As outer attributes they mean the same.
        let attributes = self.inner_attributes.iter().map(outer);
        quote!(#(#attributes)* #signature #block)
    }

    fn description(&self, row: Option<&Row>) -> Result<TokenStream> {
        let private = self.settings.facade.private();
        let name = &self.function.sig.ident;
        let place = name.span();
        let (has_prelude, edition) = (self.has_prelude(), compiler::edition());
        let path = row.map_or_else(|| name.to_string(), |row| row.name(name));
        let body = self.body(row);
        let lints = self.lints();
        let output = written::type_text(&self.function.sig.output.to_token_stream());
        let constants = self.constants();
        let of_row = row.into_iter().flat_map(|row| &row.attributes);
        let mut attributes = self.function.attrs.iter().chain(of_row);
        // With `#[should_panic]`, a failure is expected and need not be saved.
        let is_saved = !attributes.any(|attribute| attribute.path().is_ident("should_panic"));
        let configure = self.settings.configure(is_saved);
        let of_row = row.into_iter().flat_map(|row| &row.attributes);
        let expected = self.function.attrs.iter().chain(of_row).find_map(expected_panic);
        let claim = match (self.claim, expected) {
            (Claim::ForAll | Claim::NotExists, Some(expected)) => {
                quote!(#private::Claim::Panics(#expected))
            }
            (claim, _) => claim_path(claim, &private),
        };
        let run = self.run(row)?;
        let generated = || self.parameters.iter().filter(|parameter| !parameter.is_fixed());
        let blanks: Vec<String> =
            generated().filter_map(|parameter| parameter.blank().ok()).collect();
        let inputs = self.settings.wanted_inputs(&blanks);
        let parameters = generated().count();
        let examples = self.examples.iter().map(|example| self.example(row, example));
        // The values of a row may decide that there is nothing to check.
        let is_required = row.is_none() && parameters > 0;
        let claims =
            self.marked.description(&private, &claims::line_by("__rebut_line"), is_required);
        let file = quote_spanned!(place=> __rebut_file!());
        let line = quote_spanned!(place=> __rebut_line!());
        let column = quote_spanned!(place=> __rebut_column!());
        Ok(quote! {
            #private::Test {
                path: ::core::concat!(::core::module_path!(), "::", #path),
                file: #file,
                line: #line,
                column: #column,
                target: #private::cargo_target!(),
                body: #body,
                attributes: #lints,
                has_prelude: #has_prelude,
                edition: #edition,
                return_type: #output,
                constants: #constants,
                claim: #claim,
                configure: #configure,
                run: #run,
                parameters: #parameters,
                inputs: #inputs,
                claims: #claims,
                examples: const { &[#(#examples),*] },
            }
        })
    }

    /// Returns a closure that finds out whether the names of the prelude are in scope.
    fn has_prelude(&self) -> TokenStream {
        let private = self.settings.facade.private();
        if compiler::is_no_std() {
            // Modules may import some of the names.
            return quote!(|| false);
        }
        quote! {
            || {
                use #private::prelude::MissingToString as __Missing;
                let _ = <&'static str as __Missing>::to_string;
                #private::prelude::is_string(&"".to_string())
            }
        }
    }

    fn constants(&self) -> String {
        let mined = match self.parameters.as_slice() {
            [] => constants::MinedLiterals::default(),
            _ => constants::around(self.function.sig.ident.span()),
        };
        mined.literal()
    }

    /// Returns the body for the regression test, which begins with the values of the row.
    fn body(&self, row: Option<&Row>) -> String {
        let mut body = written::inside(&block_group(&self.function));
        if let Some(row) = row {
            let lines = self.fixed(row).map(|(parameter, value)| parameter.declaration(value));
            body = before(&lines.collect::<Vec<_>>(), &body);
        }
        match &self.settings.runtime {
            Some(runtime) => runtime.body(&body),
            None => body,
        }
    }

    /// Returns the attributes of the function that set levels of lints, one per line. The regression
    /// test has the same body, so it needs them too.
    fn lints(&self) -> String {
        let names = ["allow", "expect", "warn"];
        let attributes = self.function.attrs.iter().chain(&self.inner_attributes);
        let lints = attributes.filter(|one| names.iter().any(|name| one.path().is_ident(name)));
        let lines = lints.map(|attribute| match &attribute.meta {
            // A lint that is expected here need not occur in the regression test.
            Meta::List(list) if list.path.is_ident("expect") => {
                format!("#[allow({})]", written::text(&list.tokens))
            }
            meta => format!("#[{}]", written::text(&meta.to_token_stream())),
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the parameters that have their values in a row.
    fn fixed<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = (&'a Parameter, &'a Expr)> {
        let values = self.parameters.iter().zip(&row.values);
        values.filter_map(|(parameter, value)| Some((parameter, value.as_ref()?)))
    }

    /// Returns the function that generates the parameters and calls the test.
    fn run(&self, row: Option<&Row>) -> Result<TokenStream> {
        let facade = &self.settings.facade;
        let mut errors = Errors::default();
        let mut statements = self.note(row);
        let mut arguments = Vec::new();
        for (n, parameter) in self.parameters.iter().enumerate() {
            match row.and_then(|row| row.values[n].as_ref()) {
                Some(value) => {
                    statements.push(parameter.set_to(value));
                    arguments.push(parameter.passed());
                }
                None => {
                    statements.extend(errors.ok(parameter.drawn(facade)));
                    arguments.push(parameter.lent());
                }
            }
        }
        let call = self.call(arguments.into_iter());
        errors.finish(runner(&facade.private(), &self.scoped(statements), &call))
    }

    /// Returns the statements after one that sets the names that the test can use.
    fn scoped(&self, statements: Vec<TokenStream>) -> Vec<TokenStream> {
        if self.parameters.is_empty() {
            return statements;
        }
        let (case, names) = (local("case"), scope::names(&self.function));
        let scope = quote!(#case.enter_scope(::core::module_path!(), #names););
        [scope].into_iter().chain(statements).collect()
    }

    /// Returns the statement that shows the row in the report.
    fn note(&self, row: Option<&Row>) -> Vec<TokenStream> {
        let private = self.settings.facade.private();
        let Some(row) = row else { return Vec::new() };
        let values = self.fixed(row).map(|(parameter, value)| parameter.assignment(value));
        let text = values.collect::<Vec<_>>().join(", ");
        vec![quote!(#private::note(::core::format_args!("{}", #text));)]
    }

    fn example(&self, row: Option<&Row>, example: &Example) -> TokenStream {
        let facade = &self.settings.facade;
        let private = facade.private();
        let mut values = example.values.iter();
        let mut statements = self.note(row);
        statements.push(prelude_of_examples(&example.values));
        for (n, parameter) in self.parameters.iter().enumerate() {
            match row.and_then(|row| row.values[n].as_ref()) {
                Some(value) => statements.push(parameter.set_to(value)),
                None => {
                    statements.extend(values.next().map(|value| parameter.given(facade, value)))
                }
            }
        }
        let call = self.call(self.parameters.iter().map(Parameter::passed));
        let run = runner(&private, &self.scoped(statements), &call);
        let written = &example.written;
        let line = quote_spanned!(example.attribute.span()=> __rebut_line!());
        quote! {
            #private::Example {
                written: #written,
                line: #line,
                run: #run,
            }
        }
    }

    /// Returns the call of the function and the conversion of its result to a failure.
    fn call(&self, arguments: impl Iterator<Item = TokenStream>) -> TokenStream {
        let private = self.settings.facade.private();
        let signature = &self.function.sig;
        let name = &signature.ident;
        let mut call = quote!(#name(#(#arguments),*));
        if let Some(runtime) = &self.settings.runtime {
            call = runtime.run(&call);
        }
        if self.claim != Claim::ForAll {
            return match &signature.output {
                ReturnType::Type(_, ty) if !matches!(**ty, Type::ImplTrait(_) | Type::Never(_)) => {
                    quote!(<#ty as #private::WitnessResult>::into_witness(#call))
                }
                _ => quote!(#private::WitnessResult::into_witness(#call)),
            };
        }
        match &signature.output {
            ReturnType::Default => quote!(<() as #private::PropertyResult>::into_failure(#call)),
            ReturnType::Type(_, ty) => match &**ty {
                Type::Never(_) => call,
                ty if is_plain(ty) => {
                    quote!(<#ty as #private::PropertyResult>::into_failure(#call))
                }
                ty => {
                    // Type errors are shown at the type.
                    let place = ty.span().resolved_at(Span::mixed_site());
                    let failure = quote_spanned!(place=> (&&&&&Returned::new(#call)).failure());
                    quote!({ use #private::returned::*; #failure })
                }
            },
        }
    }
}

fn claim_path(claim: Claim, private: &TokenStream) -> TokenStream {
    match claim {
        Claim::ForAll => quote!(#private::Claim::ForAll),
        Claim::Exists => quote!(#private::Claim::Exists),
        Claim::NotExists => quote!(#private::Claim::NotExists),
    }
}

/// Returns the text that the message of a panic must contain, if this is `#[should_panic]`. The
/// compiler complains about other forms of the attribute.
pub(crate) fn expected_panic(attribute: &Attribute) -> Option<TokenStream> {
    if !attribute.path().is_ident("should_panic") {
        return None;
    }
    let mut expected = quote!("");
    match &attribute.meta {
        Meta::NameValue(given) => expected = given.value.to_token_stream(),
        Meta::List(list) => {
            let _ = list.parse_nested_meta(|meta| {
                expected = meta.value()?.parse::<syn::Expr>()?.to_token_stream();
                Ok(())
            });
        }
        Meta::Path(_) => {}
    }
    Some(expected)
}

/// Returns the body with marks where it checks something. A search for an input, and a test that
/// must fail, cannot pass without a check.
fn marked(claim: Claim, function: &ItemFn, has_rows: bool) -> MarkedBody {
    let name = &function.sig.ident;
    // The static of a test with rows is next to other items of the module.
    let name = match has_rows {
        true => format_ident!("__REBUT_SITES_{}", name.unraw().to_string().to_uppercase()),
        false => format_ident!("__REBUT_SITES"),
    };
    let has_marks = claim != Claim::Exists
        && !function.attrs.iter().any(|attribute| attribute.path().is_ident("should_panic"));
    if !has_marks {
        return MarkedBody::without_marks(&function.block, name);
    }
    let patterns = function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(&*input.pat),
        FnArg::Receiver(_) => None,
    });
    claims::mark(
        &function.block,
        BodyOwner {
            name,
            parameters: claims::patterns(patterns),
            result: claims::result_kind(&function.sig.output, claim != Claim::NotExists),
            has_tail: true,
        },
    )
}

/// Returns whether a type is `bool`, or a `Result` of `()` or `bool`. Other types need a trait that
/// the compiler selects.
fn is_plain(ty: &Type) -> bool {
    let Type::Path(path) = ty else {
        return matches!(ty, Type::Tuple(unit) if unit.elems.is_empty());
    };
    let Some(last) = path.path.segments.last() else { return false };
    match &last.arguments {
        PathArguments::None => last.ident == "bool",
        PathArguments::AngleBracketed(arguments) if last.ident == "Result" => {
            matches!(arguments.args.first(), Some(GenericArgument::Type(ty)) if is_plain(ty))
        }
        _ => false,
    }
}

/// Returns a number that is unique in the crate: the compiler loads the macros again for each
/// crate. It is always 0 in our own tests, which compare the output and run in any order.
pub(crate) fn next_number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    if cfg!(test) { 0 } else { NEXT.fetch_add(1, Ordering::Relaxed) }
}

/// Returns a closure with the parameter `case`.
fn runner(private: &TokenStream, statements: &[TokenStream], call: &TokenStream) -> TokenStream {
    let case = local("case");
    let traits = (!statements.is_empty()).then(|| quote!(use #private::show::*;));
    quote! {
        |#case: &mut #private::Case| -> ::core::option::Option<__std::string::String> {
            #traits
            let _ = &#case;
            #(#statements)*
            #call
        }
    }
}

/// Which item of a test with rows has an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AttributeOwner {
    All,
    /// The function of the user.
    Function,
    /// The test that the harness calls.
    Test,
    /// The function that the test calls.
    Run,
}

impl AttributeOwner {
    fn of(attribute: &Attribute) -> AttributeOwner {
        let is_one = |names: &[&str]| names.iter().any(|name| attribute.path().is_ident(name));
        if is_one(&["cfg"]) {
            AttributeOwner::All
        } else if is_one(&["doc", "allow", "expect", "warn", "deny", "forbid"]) {
            AttributeOwner::Function
        } else if is_one(&["ignore", "should_panic", "cfg_attr"]) {
            AttributeOwner::Test
        } else {
            AttributeOwner::Run
        }
    }
}

/// Returns tests in nested modules. All paths have the same first `depth` names.
fn modules(tests: &[(&[Ident], TokenStream)], depth: usize) -> TokenStream {
    let mut tokens = TokenStream::new();
    let mut rest = tests;
    while let Some((path, test)) = rest.first() {
        if path.len() == depth + 1 {
            tokens.extend(test.clone());
            rest = &rest[1..];
            continue;
        }
        let end = rest.iter().take_while(|(other, _)| other[depth] == path[depth]).count();
        let (name, inside) = (&path[depth], modules(&rest[..end], depth + 1));
        tokens.extend(quote!(mod #name { #inside }));
        rest = &rest[end..];
    }
    tokens
}

/// Returns a body with statements before it, at the indentation of its first line.
fn before(statements: &[String], body: &str) -> String {
    let after_brace = body.trim_start_matches([' ', '\r']);
    let first = after_brace.strip_prefix('\n').unwrap_or(body);
    let indentation = &first[..first.len() - first.trim_start_matches(' ').len()];
    let separator = if after_brace.starts_with('\n') { "\n" } else { "" };
    let lines = statements.iter().map(|line| format!("{separator}{indentation}{line}"));
    lines.collect::<String>() + body
}

impl Example {
    fn check_count(&self, expected: usize) -> Result<()> {
        let given = self.values.len();
        if given == expected {
            return Ok(());
        }
        let parameters = if expected == 1 { "parameter" } else { "parameters" };
        let values = if given == 1 { "value" } else { "values" };
        let message = format!(
            "the function has {expected} {parameters}, this example {given} {values}; give one \
             for each parameter, in order"
        );
        match self.values.get(expected) {
            Some(extra) => Err(Error::new_spanned(extra, message)),
            None => Err(Error::new_spanned(&self.attribute, message)),
        }
    }
}

fn is_example(attribute: &Attribute) -> bool {
    attribute.path().is_ident("example")
}

fn examples(function: &ItemFn) -> Result<Vec<Example>> {
    let mut errors = Errors::default();
    let attributes = function.attrs.iter().filter(|attribute| is_example(attribute));
    let examples = attributes.filter_map(|attribute| errors.ok(example(attribute))).collect();
    errors.finish(examples)
}

fn example(attribute: &Attribute) -> Result<Example> {
    let Meta::List(list) = &attribute.meta else {
        let message = "expected a value for each parameter, in order: `#[example(1, \"a\")]`";
        return Err(Error::new_spanned(attribute, message));
    };
    let values = list.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
    Ok(Example {
        attribute: attribute.clone(),
        written: written::text(&list.tokens),
        values: values.into_iter().collect(),
    })
}

fn parameters(function: &ItemFn, rows: Option<&Rows>) -> Result<Vec<Parameter>> {
    let mut errors = Errors::default();
    let lifetimes: Vec<_> =
        function.sig.generics.lifetimes().map(|lifetime| lifetime.lifetime.ident.clone()).collect();
    let parameters = function.sig.inputs.iter().enumerate().filter_map(|(n, input)| match input {
        FnArg::Typed(input) => {
            let is_fixed = rows.is_none_or(|rows| rows.contain(n, input));
            errors.ok(Parameter::new(n, input, &lifetimes, is_fixed))
        }
        FnArg::Receiver(receiver) => {
            errors.push(
                &receiver.self_token,
                "a property cannot take `self`; make it a free function with the value as a \
                 parameter: `value: Type`",
            );
            None
        }
    });
    let parameters = parameters.collect();
    errors.finish(parameters)
}

fn check_signature(claim: Claim, function: &ItemFn) -> Result<()> {
    let signature = &function.sig;
    let mut errors = Errors::default();
    if claim != Claim::ForAll && matches!(signature.output, ReturnType::Default) {
        errors.push(
            &signature.ident,
            format!(
                "`{}` looks for an input for which the function returns true; let it return \
                 `bool`",
                claim.attribute()
            ),
        );
    }
    for parameter in &signature.generics.params {
        match parameter {
            GenericParam::Lifetime(_) => {}
            _ => errors.push(
                parameter,
                "a property cannot be generic; write the type you want to test with",
            ),
        }
    }
    if let Safety::Unsafe(unsafety) = &signature.safety {
        errors.push(unsafety, "a property cannot be unsafe; put `unsafe { .. }` into its body");
    }
    if let Some(abi) = &signature.abi {
        errors.push(abi, "a property is an ordinary function; remove `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        errors.push(variadic, "a property has a fixed number of parameters; write a `Vec<..>`");
    }
    errors.finish(())
}

/// Checks that the test has a specification if its parameters name blanks.
fn check_blanks(parameters: &[Parameter], settings: &Settings) -> Result<()> {
    let mut errors = Errors::default();
    for parameter in parameters.iter().filter(|parameter| !parameter.is_fixed()) {
        if settings.has_spec() {
            errors.ok(parameter.blank());
        } else if let Some(blank) = parameter.said_blank() {
            errors.push(
                blank,
                "this is a blank, but the test has no specification: \
                 `#[rebut::test(spec = \"calendar.json\")]`",
            );
        }
    }
    errors.finish(())
}

fn check_runtime(function: &ItemFn, settings: &Settings) -> Result<()> {
    match (&function.sig.asyncness, &settings.runtime) {
        (Some(asyncness), None) => Err(Error::new_spanned(
            asyncness,
            "an async property needs a runtime: write `#[rebut::test(runtime = tokio)]`; instead of \
             `tokio`, also `smol`, `async_std`, `pollster`, or any function that takes a future \
             and returns its output",
        )),
        (None, Some(runtime)) => Err(Error::new(
            runtime.place,
            "`runtime` is only for an `async fn`; remove `runtime` or write `async fn`",
        )),
        _ => Ok(()),
    }
}

/// Takes the attributes at the beginning of the body, which the parser lists with those before the
/// function.
fn take_inner_attributes(function: &mut ItemFn) -> Vec<Attribute> {
    let attributes = std::mem::take(&mut function.attrs).into_iter();
    let (inner, outer) = attributes.partition(|one| matches!(one.style, AttrStyle::Inner(_)));
    function.attrs = outer;
    inner
}

/// Returns the imports with which the values of an example compile in a crate with `#![no_std]`.
fn prelude_of_examples(values: &[Expr]) -> TokenStream {
    let list = calls_vec(quote!(#(#values),*)).then(|| {
        quote!(
            use __std::vec;
        )
    });
    quote! {
        use __std::{borrow::ToOwned as __ToOwned, string::ToString as __ToString};
        let _ = (<str as __ToOwned>::to_owned, <str as __ToString>::to_string);
        #list
    }
}

/// Returns whether `vec![..]` occurs in tokens, and `vec` does not mean anything else there.
fn calls_vec(tokens: TokenStream) -> bool {
    fn walk(tokens: TokenStream, calls: &mut bool, is_other: &mut bool) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Group(group) => walk(group.stream(), calls, is_other),
                TokenTree::Ident(name) if name == "vec" => match tokens.peek() {
                    Some(TokenTree::Punct(next)) if next.as_char() == '!' => *calls = true,
                    _ => *is_other = true,
                },
                _ => {}
            }
        }
    }
    let (mut calls, mut is_other) = (false, false);
    walk(tokens, &mut calls, &mut is_other);
    calls && !is_other
}

/// Returns an attribute in the form of attributes of items.
fn outer(attribute: &Attribute) -> Attribute {
    Attribute { style: AttrStyle::Outer, ..attribute.clone() }
}

/// Returns the body as one group with its own span.
fn block_group(function: &ItemFn) -> Group {
    let tokens = function.block.to_token_stream();
    match tokens.into_iter().next() {
        Some(TokenTree::Group(group)) => group,
        _ => {
            let mut group = Group::new(proc_macro2::Delimiter::Brace, TokenStream::new());
            group.set_span(Span::call_site());
            group
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_function_moves_into_a_test() {
        check(
            expand(
                Claim::ForAll,
                quote!(cases = 9),
                quote! {
                    /// Documented.
                    #[should_panic]
                    #[example("a")]
                    pub fn holds(#[from(strings())] text: &str) -> bool {
                        text.len() > 1
                    }
                },
            ),
            r#"
            /// Documented.
            #[should_panic]
            #[::core::prelude::v1::test]
            pub fn holds() {
                fn holds(text: &str) -> bool {
                    text.len() > 1
                }
                use ::rebut::__private::std::{
                    column as __rebut_column, file as __rebut_file, line as __rebut_line,
                };
                const _: ::core::option::Option<&str> = ::core::option_env!("REBUT_PRINTED");
                ::rebut::__private::run_test(
                    &::rebut::__private::Test {
                        path: ::core::concat!(::core::module_path!(), "::", "holds"),
                        file: __rebut_file!(),
                        line: __rebut_line!(),
                        column: __rebut_column!(),
                        target: ::rebut::__private::cargo_target!(),
                        body: "text . len () > 1",
                        attributes: "",
                        has_prelude: || {
                            use ::rebut::__private::prelude::MissingToString as __Missing;
                            let _ = <&'static str as __Missing>::to_string;
                            ::rebut::__private::prelude::is_string(&"".to_string())
                        },
                        edition: 2024u16,
                        return_type: "-> bool",
                        constants: "",
                        claim: ::rebut::__private::Claim::Panics(""),
                        configure: |settings: &mut ::rebut::__private::Settings| {
                            settings.cases = ::core::option::Option::Some(9);
                            settings.database = false;
                        },
                        run: |
                            case: &mut ::rebut::__private::Case,
                        | -> ::core::option::Option<::rebut::__private::std::string::String> {
                            use ::rebut::__private::show::*;
                            let _ = &case;
                            case.enter_scope(::core::module_path!(), "");
                            let text = (|source: &mut ::rebut::__private::Source| ::rebut::__private::draw(
                                strings(),
                                source,
                            ))(case.begin_argument());
                            if case.end_argument() {
                                (&&&::rebut::__private::Shown::<str>(&text)).write(case.code());
                                case.show_argument("text", "&str");
                            }
                            <bool as ::rebut::__private::PropertyResult>::into_failure(holds(&text))
                        },
                        parameters: 1usize,
                        inputs: ::core::option::Option::None,
                        claims: ::core::option::Option::None,
                        examples: const {
                            &[
                                ::rebut::__private::Example {
                                    written: "\"a\"",
                                    line: __rebut_line!(),
                                    run: |
                                        case: &mut ::rebut::__private::Case,
                                    | -> ::core::option::Option<
                                        ::rebut::__private::std::string::String,
                                    > {
                                        use ::rebut::__private::show::*;
                                        let _ = &case;
                                        case.enter_scope(::core::module_path!(), "");
                                        use ::rebut::__private::std::{
                                            borrow::ToOwned as __ToOwned, string::ToString as __ToString,
                                        };
                                        let _ = (
                                            <str as __ToOwned>::to_owned,
                                            <str as __ToString>::to_string,
                                        );
                                        let text: &str = "a";
                                        if case.is_shown() {
                                            (&&&::rebut::__private::Shown::<str>(&*text))
                                                .write(case.code());
                                            case.show_given("text", "&str");
                                        }
                                        <bool as ::rebut::__private::PropertyResult>::into_failure(
                                            holds(text),
                                        )
                                    },
                                },
                            ]
                        },
                    },
                )
            }
            #[cfg(all(test, target_family = "wasm", target_os = "unknown"))]
            const _: () = {
                #[unsafe(export_name = "rebut_test_holds_0")]
                extern "C" fn entry(command: u32) {
                    ::rebut::__private::enter(command, 8u32, holds);
                }
            };
            "#,
        );
    }

    #[test]
    fn all_errors_are_reported_together() {
        check(
            expand(
                Claim::ForAll,
                quote!(case = 9),
                quote! {
                    #[test]
                    #[example(1)]
                    unsafe extern "C" fn f<T>(&self, #[form(x)] a: T, b: impl Copy) {}
                },
            ),
            "error: a property cannot be generic; \
                 write the type you want to test with
             error: a property cannot be unsafe; put `unsafe { .. }` into its body
             error: a property is an ordinary function; remove `extern`
             error: unknown setting `case`; did you mean `cases`?
             error: `#[rebut::test]` makes the function a test already; remove this attribute
             error: a property cannot take `self`; make it a free function with the value as a \
                 parameter: `value: Type`
             error: expected one of `#[from(generator)]`, `#[generate(..)]`, \
                 `#[blank(\"name\")]`, `#[case]`, `#[values(..)]` or `#[cfg(..)]`
             error: Rebut generates values by the type of the parameter, and `impl` does not \
              name one; write a type, `impl Fn(A) -> B`, or `&dyn Trait` with \
              `#[from(generator)]`",
        );
    }
}
