//! One method of a mock: how to generate its answer, its rules, and what it remembers.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Error, Expr, FnArg, GenericParam, Meta, Pat, ReceiverKind, Result, ReturnType,
    Signature, Token, TraitItemFn, Type,
};

use super::filled::FilledParameter;
use super::options::Options;
use crate::contract::{borrows, mentions_self_alone, needs_sized};
use crate::draw::Draw;
use crate::name_value::{Errors, as_text, local};
use crate::written;

pub(super) struct MockMethod {
    /// The signature, with a name for each parameter.
    signature: Signature,
    draw: Draw,
    rules: Vec<Rule>,
    /// The parameters that the method writes to.
    filled: Vec<FilledParameter>,
    is_pure: bool,
}

/// One condition of `#[assume(..)]`.
struct Rule {
    condition: Expr,
    text: String,
}

impl MockMethod {
    /// Removes the attributes of a method and parses them. Returns `None` if the method keeps its
    /// default body.
    pub(super) fn take(options: &Options, method: &mut TraitItemFn) -> Result<Option<MockMethod>> {
        let mut errors = Errors::default();
        let draw = errors.ok(Draw::from_attributes(&method.attrs));
        let rules = errors.ok(rules(&method.attrs));
        let pure = errors.ok(pure(&method.attrs));
        let filled = errors.ok(FilledParameter::take(&mut method.sig));
        let has_attributes = method.attrs.iter().any(is_ours)
            || filled.as_ref().is_some_and(|filled| !filled.is_empty());
        method.attrs.retain(|attribute| !is_ours(attribute));
        if method.default.is_some() && !has_attributes {
            return errors.finish(None);
        }
        errors.ok(check(&method.sig));
        let (Some(draw), Some(rules), Some(pure), Some(filled)) = (draw, rules, pure, filled)
        else {
            return errors.finish(None);
        };
        let signature = named(&method.sig);
        let is_pure = pure || options.is_pure && !takes_mut(&signature);
        if let (true, Some(filled)) = (is_pure, filled.first()) {
            errors.push(
                &filled.name,
                "a pure method changes nothing; remove `#[drawn]` or `#[pure]`",
            );
        }
        let method = MockMethod { signature, draw, rules, filled, is_pure };
        if method.is_remembered() {
            errors.ok(method.check_arguments());
        }
        errors.finish(Some(method))
    }

    pub(super) fn name(&self) -> &Ident {
        &self.signature.ident
    }

    /// Returns the signature for a body that does not use its parameters.
    pub(super) fn written_unused(&self, options: &Options) -> String {
        self.written_except(options, &[])
    }

    /// Returns the signature for a body that uses only the parameters that it writes to.
    pub(super) fn written_filled(&self, options: &Options) -> String {
        self.written_except(options, &self.filled)
    }

    fn written_except(&self, options: &Options, used: &[FilledParameter]) -> String {
        let mut signature = self.signature.clone();
        for input in &mut signature.inputs {
            if let FnArg::Typed(input) = input
                && let Pat::Ident(pat) = &mut *input.pat
                && !used.iter().any(|used| used.name == pat.ident)
            {
                let name = pat.ident.unraw();
                pat.ident = format_ident!("_{name}", span = Span::call_site());
            }
        }
        on_one_line(&options.substituted(signature.to_token_stream()))
    }

    /// Returns the signature as code on one line.
    pub(super) fn written(&self, options: &Options) -> String {
        on_one_line(&options.substituted(self.signature.to_token_stream()))
    }

    /// Returns whether the mock remembers the calls of the method.
    fn is_remembered(&self) -> bool {
        self.is_pure || self.mentions("earlier")
    }

    fn mentions(&self, name: &str) -> bool {
        self.rules.iter().any(|rule| mentions(rule.condition.to_token_stream(), name))
    }

    fn inputs(&self) -> impl Iterator<Item = (Ident, &Type)> {
        self.signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(input) => match &*input.pat {
                Pat::Ident(pat) => Some((pat.ident.clone(), &*input.ty)),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        })
    }

    /// Checks that the arguments can be stored, because remembered arguments outlive the call.
    fn check_arguments(&self) -> Result<()> {
        let mut errors = Errors::default();
        for (_, ty) in self.inputs() {
            let inside = match ty {
                Type::Reference(reference) => &*reference.elem,
                ty => ty,
            };
            if borrows(inside) || matches!(inside, Type::TraitObject(_)) {
                errors.push(
                    ty,
                    "a pure method, or one whose rule uses `earlier`, must store its \
                     arguments; this one borrows or is a trait object",
                );
            }
        }
        errors.finish(())
    }

    /// Returns the implementation of the method, which is number `nth` of the mocked ones.
    pub(super) fn expand(&self, options: &Options, nth: usize) -> TokenStream {
        let signature = &self.signature;
        let name = self.name();
        let names: Vec<Ident> = self.inputs().map(|(name, _)| name).collect();
        let given = local("given");
        let lent = if takes_mut(signature) { quote!(&mut self.given) } else { quote!(&self.given) };
        let change = (takes_mut(signature) && !self.is_pure).then(|| quote!(self.mock.change();));
        let body = match self.body(options, nth) {
            Ok(body) => body,
            Err(error) => crate::compile_errors::of(&error),
        };
        options.substituted(quote! {
            #signature {
                if let ::core::option::Option::Some(#given) = #lent {
                    return #given.#name(#(#names),*);
                }
                #change
                #body
            }
        })
    }

    fn body(&self, options: &Options, nth: usize) -> Result<TokenStream> {
        let private = options.facade.private();
        let (source, answer) = (local("source"), local("answer"));
        let (output, parts) = (self.output(), self.parts());
        let tried = self.tried(options, nth)?;
        let rule = self.rules.iter().map(|rule| rule.text.as_str()).collect::<Vec<_>>().join("; ");
        let draw = quote! {
            &mut |#source: &mut #private::Source| -> ::core::option::Option<#output> { #tried }
        };
        let show = self.show(&private);
        let arguments = self.arguments();
        if self.is_pure {
            let given = self.show_arguments(&private);
            return Ok(quote! {
                self.mock.call_pure(#nth, #arguments, #rule, #draw, (#given, #show))
            });
        }
        let kept = local("kept");
        let (keep, remember) = match self.is_remembered() {
            true => (
                quote!(let #kept = #arguments;),
                quote! {
                    self.mock.remember(#nth, #kept, ::core::clone::Clone::clone(&#answer));
                },
            ),
            false => (quote!(), quote!()),
        };
        let fill = self.filled.iter().map(FilledParameter::fill);
        Ok(quote! {
            #keep
            let #parts = self.mock.call(#nth, #rule, #draw, #show);
            #(#fill)*
            #remember
            #answer
        })
    }

    /// Returns the closure that prints an answer, after the statements that write to parameters.
    fn show(&self, private: &TokenStream) -> TokenStream {
        let (answer, output, parts) = (local("answer"), self.output(), self.parts());
        let shown = |value: &TokenStream| quote!((&&&#private::Shown(#value)).show());
        let last = shown(&answer.to_token_stream());
        let written = match self.filled.as_slice() {
            [] => last,
            filled => {
                let writes = filled.iter().map(|filled| filled.show(&shown));
                quote!(__std::format!("{{ {}{} }}", [#(#writes),*].concat(), #last))
            }
        };
        quote! {
            |#parts: &#output| -> __std::string::String {
                use #private::show::*;
                #written
            }
        }
    }

    /// Returns the closure that prints the arguments of a pure method.
    fn show_arguments(&self, private: &TokenStream) -> TokenStream {
        let (arguments, kept) = (local("arguments"), self.kept());
        quote! {
            |#arguments: &#kept| -> __std::string::String {
                use #private::show::*;
                (&&&#private::Shown(#arguments)).show()
            }
        }
    }

    /// Returns the expression to match on that distinguishes the arguments of a pure method.
    pub(super) fn matched(&self) -> Option<String> {
        if !self.is_pure {
            return None;
        }
        let is_text = |ty: &Type, name: &str| ty.to_token_stream().to_string() == name;
        let inputs: Vec<(Ident, &Type)> = self.inputs().collect();
        let parts: Option<Vec<String>> = inputs
            .iter()
            .map(|(name, ty)| match ty {
                ty if is_text(ty, "String") => Some(format!("{name}.as_str()")),
                ty if is_text(ty, "& str") => Some(name.to_string()),
                Type::Reference(reference) => match &*reference.elem {
                    Type::Path(_) | Type::Tuple(_) => Some(format!("*{name}")),
                    _ => None,
                },
                _ => Some(name.to_string()),
            })
            .collect();
        let parts = parts?;
        match parts.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            // In a tuple, a string has no pattern: the report counts calls instead.
            parts => Some(format!("({})", parts.join(", "))),
        }
    }

    /// Returns the pattern for the answer, or for a tuple of the answer and the contents to write.
    fn parts(&self) -> TokenStream {
        let answer = local("answer");
        let contents = self.filled.iter().map(FilledParameter::contents);
        match self.filled.is_empty() {
            true => quote!(#answer),
            false => quote!((#answer, #(#contents),*)),
        }
    }

    /// Returns the code that generates an answer and checks the rules.
    fn tried(&self, options: &Options, nth: usize) -> Result<TokenStream> {
        let private = options.facade.private();
        let ty = match &self.signature.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        };
        let drawn = self.draw.expression(&options.facade, &ty)?;
        if self.rules.is_empty() && self.filled.is_empty() {
            return Ok(quote!(::core::option::Option::Some(#drawn)));
        }
        let name = |name: &str| Ident::new(name, Span::call_site());
        let (result, earlier, count) = (name("result"), name("earlier"), name("nth"));
        let (kept, is_pure) = (self.kept(), self.is_pure);
        let earlier = self
            .mentions("earlier")
            .then(|| quote!(let #earlier = self.mock.earlier::<#kept, #ty>(#nth, #is_pure);));
        let count =
            self.mentions("nth").then(|| quote!(let #count: usize = self.mock.count(#nth);));
        let conditions = self.rules.iter().map(|rule| &rule.condition);
        let check = (!self.rules.is_empty()).then(|| {
            quote! {
                if !#private::mocks::holds(|| #((#conditions))&&*) {
                    return ::core::option::Option::None;
                }
            }
        });
        let contents = self.filled.iter().map(|filled| filled.draw(&private));
        let names = self.filled.iter().map(FilledParameter::contents);
        let all = match self.filled.is_empty() {
            true => quote!(#result),
            false => quote!((#result, #(#names),*)),
        };
        Ok(quote! {
            let #result: #ty = #drawn;
            #earlier
            #count
            #check
            #(#contents)*
            ::core::option::Option::Some(#all)
        })
    }

    /// Returns the type of everything that is generated for a call.
    fn output(&self) -> TokenStream {
        let ty = match &self.signature.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) => quote!(#ty),
        };
        let contents = self.filled.iter().map(FilledParameter::ty);
        match self.filled.is_empty() {
            true => ty,
            false => quote!((#ty, #(#contents),*)),
        }
    }

    /// Returns the type of the remembered arguments: that of the only one, or a tuple.
    fn kept(&self) -> TokenStream {
        let types: Vec<TokenStream> = self
            .inputs()
            .map(|(_, ty)| match ty {
                Type::Reference(reference) => {
                    let inside = &reference.elem;
                    quote!(<#inside as __std::borrow::ToOwned>::Owned)
                }
                ty => quote!(#ty),
            })
            .collect();
        alone_or_tuple(&types)
    }

    fn arguments(&self) -> TokenStream {
        let values: Vec<TokenStream> = self
            .inputs()
            .map(|(name, ty)| match ty {
                Type::Reference(_) => quote!(__std::borrow::ToOwned::to_owned(&*#name)),
                _ => quote!(::core::clone::Clone::clone(&#name)),
            })
            .collect();
        alone_or_tuple(&values)
    }
}

fn alone_or_tuple(parts: &[TokenStream]) -> TokenStream {
    match parts {
        [one] => one.clone(),
        parts => quote!((#(#parts),*)),
    }
}

fn is_ours(attribute: &Attribute) -> bool {
    let path = attribute.path();
    Draw::owns(attribute) || path.is_ident("assume") || path.is_ident("pure")
}

fn pure(attributes: &[Attribute]) -> Result<bool> {
    let pure = attributes.iter().find(|attribute| attribute.path().is_ident("pure"));
    match pure.map(|attribute| &attribute.meta) {
        None => Ok(false),
        Some(Meta::Path(_)) => Ok(true),
        Some(meta) => Err(Error::new_spanned(meta, "`#[pure]` takes no arguments")),
    }
}

fn rules(attributes: &[Attribute]) -> Result<Vec<Rule>> {
    let mut rules = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("assume")) {
        rules.extend(rules_of(attribute)?);
    }
    Ok(rules)
}

/// Parses the conditions of an attribute. A string after them replaces them in reports.
fn rules_of(attribute: &Attribute) -> Result<Vec<Rule>> {
    let say_what = || {
        let message = "expected a condition on the result: `#[assume(result <= max)]`";
        Error::new_spanned(attribute, message)
    };
    let Meta::List(list) = &attribute.meta else { return Err(say_what()) };
    let conditions = list.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
    let mut conditions: Vec<Expr> = conditions.into_iter().collect();
    let message = conditions.last().and_then(as_text).map(syn::LitStr::value);
    if message.is_some() {
        conditions.pop();
    }
    if conditions.is_empty() {
        return Err(say_what());
    }
    let rule = |condition: Expr| {
        let written = || written::text(&condition.to_token_stream());
        let text = message.clone().unwrap_or_else(written);
        Rule { condition, text }
    };
    Ok(conditions.into_iter().map(rule).collect())
}

const KEEPS: &str = "or give it a default body, which the mock keeps";
const SIZED: &str = "or give it `where Self: Sized` and a default body, which the mock keeps";

/// Checks that the method can be mocked.
fn check(signature: &Signature) -> Result<()> {
    let mut errors = Errors::default();
    let receiver = signature.receiver();
    if !receiver.is_some_and(|receiver| matches!(receiver.kind, ReceiverKind::Reference(..))) {
        let message = format!("a mocked method needs `&self` or `&mut self`; add one, {KEEPS}");
        match receiver {
            Some(receiver) => errors.push(receiver, message),
            None => errors.push(&signature.ident, message),
        }
    }
    if needs_sized(signature) {
        let message = "this method is not dyn compatible, so it cannot be mocked; give it a \
         default body, which the mock keeps";
        errors.push(&signature.ident, message);
    }
    for parameter in &signature.generics.params {
        if !matches!(parameter, GenericParam::Lifetime(_)) {
            let message = format!(
                "a generic method is not dyn compatible, so it cannot be mocked; use a \
                 concrete type, {SIZED}"
            );
            errors.push(parameter, message);
        }
    }
    if let Some(asyncness) = &signature.asyncness {
        let message = "an async method is not dyn compatible, so it cannot be mocked; return \
         an owned future, or mock what it awaits";
        errors.push(asyncness, message);
    }
    errors.ok(check_types(signature));
    errors.finish(())
}

fn check_types(signature: &Signature) -> Result<()> {
    let mut errors = Errors::default();
    for input in &signature.inputs {
        let FnArg::Typed(input) = input else { continue };
        let ty = &input.ty;
        if mentions_self_alone(ty) || matches!(**ty, Type::ImplTrait(_)) {
            let message = format!(
                "a method that takes this is not dyn compatible, so it cannot be mocked; \
                 take `&dyn Trait` or a concrete type, {SIZED}"
            );
            errors.push(ty, message);
        }
    }
    if let ReturnType::Type(_, ty) = &signature.output {
        if mentions_self_alone(ty) || ty.to_token_stream().to_string().contains("impl ") {
            let message = format!(
                "a method that returns this is not dyn compatible, so it cannot be mocked; \
                 return a concrete type, {SIZED}"
            );
            errors.push(ty, message);
        } else if borrows(ty) {
            let message = format!(
                "a mock generates a value for each call, so the result cannot be borrowed; \
                 return an owned value such as `String` or `Vec<T>`, {KEEPS}"
            );
            errors.push(ty, message);
        }
    }
    errors.finish(())
}

fn on_one_line(tokens: &TokenStream) -> String {
    let text = written::type_text(tokens);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace("( ", "(").replace(", )", ")").replace(" : ", ": ")
}

fn takes_mut(signature: &Signature) -> bool {
    signature
        .receiver()
        .is_some_and(|receiver| matches!(receiver.kind, ReceiverKind::Reference(_, _, Some(_))))
}

/// Returns the signature with a plain name for each parameter.
fn named(signature: &Signature) -> Signature {
    let mut signature = signature.clone();
    for (nth, input) in signature.inputs.iter_mut().enumerate() {
        let FnArg::Typed(input) = input else { continue };
        input.attrs.clear();
        let name = match &*input.pat {
            Pat::Ident(pat) => pat.ident.clone(),
            other => format_ident!("argument_{nth}", span = other.span()),
        };
        *input.pat = syn::parse_quote!(#name);
    }
    signature
}

fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}
