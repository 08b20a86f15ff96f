//! One parameter of a test.
//!
//! A reference borrows a generated value: `&str` borrows a `String`, `&[T]` a `Vec<T>`, `&T` a `T`.
//! `impl Fn(A) -> B` and `&dyn Fn(A) -> B` are generated as a function pointer. The value is in a local variable with the name of the parameter, so that generators of later
//! parameters can use it.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Error, Expr, LitStr, Pat, PatIdent, PatType, Result, Type, TypeReference};

use super::{rows, shadow};
use crate::draw::{self, Draw, is_named};
use crate::facade::Facade;
use crate::name_value::{Errors, as_text, local};
use crate::written;

pub(super) struct Parameter {
    /// The pattern, as written.
    name: String,
    type_name: String,
    /// The type, with `'_` for the lifetimes of the function.
    ty: Type,
    draw: Draw,
    loan: Option<Loan>,
    variable: Ident,
    /// The name in `#[blank("name")]`.
    blank: Option<LitStr>,
    pattern: Pat,
    /// Whether rows have the values.
    is_fixed: bool,
}

/// A parameter that is a reference.
struct Loan {
    mutability: Option<syn::Token![mut]>,
    /// The type to generate, if it follows from the type of the parameter.
    owned: Option<Type>,
    /// The type behind the reference.
    lent: Type,
}

impl Parameter {
    /// Parses parameter number `n` of a function with these lifetimes. A fixed parameter has its
    /// values in rows.
    pub(super) fn new(
        n: usize,
        input: &PatType,
        lifetimes: &[Ident],
        is_fixed: bool,
    ) -> Result<Parameter> {
        let mut errors = Errors::default();
        for attribute in input.attrs.iter().filter(|attribute| !is_known(attribute)) {
            errors.push(
                attribute,
                "expected one of `#[from(generator)]`, `#[generate(..)]`, `#[blank(\"name\")]`, \
                 `#[case]`, `#[values(..)]` or `#[cfg(..)]`",
            );
        }
        let draw = errors.ok(Draw::from_attributes(&input.attrs));
        let blank = errors.ok(blank(input)).flatten();
        let ty = errors.ok(open_lifetimes(&input.ty, lifetimes));
        let (Some(draw), Some(ty)) = (draw, ty) else {
            return Err(errors.finish(()).err().unwrap_or_else(|| unreadable(input)));
        };
        let named = match &ty {
            Type::ImplTrait(ty) => draw::function_pointer(&ty.bounds),
            _ => None,
        };
        // The type of a variable cannot be `impl Trait`.
        let type_name = named.as_ref().map_or(input.ty.to_token_stream(), Type::to_token_stream);
        let mut pattern = input.pat.to_token_stream();
        if let (Some(_), Pat::Ident(PatIdent { by_ref: None, ident, .. })) = (&named, &*input.pat) {
            // A function pointer needs no `mut` to be called.
            pattern = ident.to_token_stream();
        }
        let ty = named.unwrap_or(ty);
        if is_fixed
            && let Some(own) = input.attrs.iter().find(|one| is_own(one) && !rows::is_value(one))
        {
            errors.push(
                own,
                "this parameter has its values in rows, so it is not generated; remove this",
            );
        }
        let loan = if is_fixed { None } else { errors.ok(loan(&ty, &draw)) };
        let parameter = Parameter {
            name: written::type_text(&pattern),
            type_name: written::type_text(&type_name),
            variable: variable(n, &input.pat),
            ty,
            draw,
            loan: loan.flatten(),
            blank,
            pattern: (*input.pat).clone(),
            is_fixed,
        };
        errors.finish(parameter)
    }

    /// Returns whether rows have the values.
    pub(super) fn is_fixed(&self) -> bool {
        self.is_fixed
    }

    /// Returns the statement that sets the parameter to the value of a row.
    pub(super) fn set_to(&self, value: &Expr) -> TokenStream {
        let (variable, value) = (&self.variable, self.converted(value));
        let annotation = self.annotation().map(|ty| quote!(: #ty));
        quote!(let #variable #annotation = #value;)
    }

    /// Returns the statement that declares the parameter with the value of a row, as code.
    pub(super) fn declaration(&self, value: &Expr) -> String {
        let value = rows::text_of(value, is_named(&self.ty, "String"));
        match self.annotation() {
            Some(_) => format!("let {}: {} = {value};", self.name, self.type_name),
            None => format!("let {} = {value};", self.name),
        }
    }

    /// Returns `name = value` for the value of a row.
    pub(super) fn assignment(&self, value: &Expr) -> String {
        format!("{} = {}", self.name, rows::text_of(value, false))
    }

    /// Returns the type, if a variable can have it.
    fn annotation(&self) -> Option<&Type> {
        (!matches!(self.ty, Type::ImplTrait(_))).then_some(&self.ty)
    }

    /// Returns a value that the user wrote. A string literal is also a `String`.
    fn converted(&self, value: &Expr) -> TokenStream {
        let ty = &self.ty;
        match as_text(value) {
            Some(text) if is_named(ty, "String") => {
                quote!(<#ty as ::core::convert::From<&str>>::from(#text))
            }
            _ => quote!(#value),
        }
    }

    /// Returns the local variable for the value.
    pub(super) fn variable(&self) -> &Ident {
        &self.variable
    }

    /// Gives the variable a name that hides no function of the same name.
    pub(super) fn separate_variable(&mut self) {
        self.variable = shadow::separated(&self.variable);
    }

    /// Returns whether a name before parentheses can be this parameter.
    pub(super) fn is_callable(&self) -> bool {
        let names_function = |tree: TokenTree| {
            let text = tree.to_string();
            text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .any(|word| ["fn", "Fn", "FnMut", "FnOnce"].contains(&word))
        };
        self.ty.to_token_stream().into_iter().any(names_function)
    }

    /// Returns the expressions that generate the value.
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.draw.expressions()
    }

    /// Replaces the expressions that generate the value.
    pub(super) fn change_expressions(
        &mut self,
        change: &dyn Fn(&Expr) -> Result<Expr>,
    ) -> Result<()> {
        self.draw.change_expressions(change)
    }

    /// Returns the name in `#[blank("name")]`.
    pub(super) fn said_blank(&self) -> Option<&LitStr> {
        self.blank.as_ref()
    }

    /// Returns the blank of the specification that the parameter receives.
    pub(super) fn blank(&self) -> Result<String> {
        match (&self.blank, &self.pattern) {
            (Some(blank), _) => Ok(blank.value()),
            (None, Pat::Ident(PatIdent { ident, .. })) => Ok(ident.unraw().to_string()),
            (None, pattern) => Err(Error::new_spanned(
                pattern,
                "this parameter has no name; name its blank in the specification: \
                 `#[blank(\"name\")]`",
            )),
        }
    }

    /// Returns the statements that generate the parameter from the local variable `case`.
    ///
    /// They are compiled for each parameter of each test. So the generator and the printing of the
    /// value are the only generic calls.
    pub(super) fn drawn(&self, facade: &Facade) -> Result<TokenStream> {
        let (private, case, source) = (facade.private(), local("case"), local("source"));
        let Parameter { name, type_name, variable, .. } = self;
        let (owned, mutability) = match &self.loan {
            None => (Some(&self.ty), None),
            Some(loan) => (loan.owned.as_ref(), loan.mutability),
        };
        let draw = self.draw.expression(facade, owned.unwrap_or(&self.ty))?;
        let annotation = owned.map(|owned| quote!(: #owned));
        let draw = if self.draw.is_written() {
            // A closure, because otherwise `?` would leave the test.
            let returned = match owned {
                Some(owned) => quote!(-> #owned { #draw }),
                None => draw,
            };
            quote! {
                let #mutability #variable #annotation =
                    (|#source: &mut #private::Source| #returned)(#case.begin_argument());
            }
        } else {
            quote! {
                let #source = #case.begin_argument();
                let #mutability #variable #annotation = #draw;
            }
        };
        let show = self.shown(facade, &quote!(&));
        Ok(quote! {
            #draw
            if #case.end_argument() {
                #show
                #case.show_argument(#name, #type_name);
            }
        })
    }

    /// Returns the statements that set the parameter to the value of an example.
    pub(super) fn given(&self, facade: &Facade, value: &Expr) -> TokenStream {
        let case = local("case");
        let Parameter { name, type_name, variable, ty, .. } = self;
        let value = self.converted(value);
        let borrow = if self.loan.is_some() { quote!(&*) } else { quote!(&) };
        let show = self.shown(facade, &borrow);
        quote! {
            let #variable: #ty = #value;
            if #case.is_shown() {
                #show
                #case.show_given(#name, #type_name);
            }
        }
    }

    /// Returns the statements that print the variable of the parameter as code.
    fn shown(&self, facade: &Facade, borrow: &TokenStream) -> TokenStream {
        let (private, case, variable) = (facade.private(), local("case"), &self.variable);
        let Some(Loan { mutability, lent, .. }) = &self.loan else {
            return quote!((&&&#private::Shown(#borrow #variable)).write(#case.code()););
        };
        if is_named(lent, "str") {
            return quote!((&&&#private::Shown::<str>(#borrow #variable)).write(#case.code()););
        }
        if mutability.is_none() && is_unsized(lent) {
            let lent_variable = local("lent");
            return quote! {{
                let #lent_variable: &#lent = #borrow #variable;
                (&&&#private::Shown(&#lent_variable)).write(#case.code());
            }};
        }
        let before = if mutability.is_some() { "&mut " } else { "&" };
        let shown = matches!(lent, Type::Slice(_)).then(|| quote!(::<#lent>));
        quote! {
            #case.code().push(#before);
            (&&&#private::Shown #shown (#borrow #variable)).write(#case.code());
        }
    }

    /// Returns the argument of the call after [`Parameter::drawn`].
    pub(super) fn lent(&self) -> TokenStream {
        let variable = &self.variable;
        match &self.loan {
            None => quote!(#variable),
            Some(Loan { mutability, .. }) => quote!(&#mutability #variable),
        }
    }

    /// Returns the argument of the call after [`Parameter::given`].
    pub(super) fn passed(&self) -> TokenStream {
        self.variable.to_token_stream()
    }
}

/// Returns the name in `#[blank("name")]`.
fn blank(input: &PatType) -> Result<Option<LitStr>> {
    let Some(attribute) = input.attrs.iter().find(|attribute| is_blank(attribute)) else {
        return Ok(None);
    };
    let text: Result<LitStr> = attribute.parse_args();
    match text {
        Ok(text) if !text.value().is_empty() => Ok(Some(text)),
        _ => Err(Error::new_spanned(
            attribute,
            "expected the name of a blank of the specification: `#[blank(\"event.title\")]`",
        )),
    }
}

/// Returns whether an attribute is `#[blank(..)]`.
fn is_blank(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("blank")
}

/// Returns whether an attribute is for `#[rebut::test]`.
pub(super) fn is_own(attribute: &syn::Attribute) -> bool {
    Draw::owns(attribute) || is_blank(attribute) || rows::is_value(attribute)
}

/// Returns whether an attribute is allowed on a parameter.
fn is_known(attribute: &syn::Attribute) -> bool {
    // A `cfg_attr` with an attribute of ours was evaluated before.
    let builtin = ["allow", "expect", "warn", "deny", "forbid", "cfg_attr"];
    is_own(attribute) || builtin.iter().any(|name| attribute.path().is_ident(name))
}

fn unreadable(input: &PatType) -> Error {
    Error::new_spanned(input, "this parameter could not be read")
}

/// Returns the name of the variable for the generated value.
fn variable(n: usize, pattern: &Pat) -> Ident {
    match pattern {
        Pat::Ident(PatIdent { by_ref: None, subpat: None, ident, .. }) => ident.clone(),
        _ => format_ident!("argument_{n}", span = Span::mixed_site()),
    }
}

fn loan(ty: &Type, draw: &Draw) -> Result<Option<Loan>> {
    match ty {
        Type::Group(group) => loan(&group.elem, draw),
        Type::Paren(paren) => loan(&paren.elem, draw),
        Type::ImplTrait(ty) => Err(Error::new_spanned(
            ty.impl_token,
            "Rebut generates values by the type of the parameter, and `impl` does not name \
             one; write a type, `impl Fn(A) -> B`, or `&dyn Trait` with `#[from(generator)]`",
        )),
        Type::Reference(reference) => borrowed(reference, draw),
        _ => Ok(None),
    }
}

fn borrowed(reference: &TypeReference, draw: &Draw) -> Result<Option<Loan>> {
    if reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static") {
        return Ok(None);
    }
    let lent = (*reference.elem).clone();
    let owned = match &lent {
        Type::TraitObject(object) => match (draw, draw::function_pointer(&object.bounds)) {
            (Draw::From(..) | Draw::Value(_) | Draw::Matches(_), _) => None,
            (_, Some(pointer)) => Some(pointer),
            (_, None) => {
                return Err(Error::new_spanned(
                    object,
                    "Rebut cannot generate a trait object; add `#[from(generator)]`, or \
                     generate a mock by `#[rebut::mock]` on the trait",
                ));
            }
        },
        Type::Slice(slice) => {
            let element = &slice.elem;
            Some(syn::parse_quote!(__std::vec::Vec<#element>))
        }
        ty if is_named(ty, "str") => match draw {
            Draw::From(..) | Draw::Value(_) | Draw::Matches(_) => None,
            _ => Some(syn::parse_quote!(__std::string::String)),
        },
        Type::Paren(paren) if matches!(*paren.elem, Type::TraitObject(_)) => {
            let elem = paren.elem.clone();
            return borrowed(&TypeReference { elem, ..reference.clone() }, draw);
        }
        ty if is_unsized(ty) || is_named(ty, "Utf8Path") => {
            Some(syn::parse_quote!(<#ty as __std::borrow::ToOwned>::Owned))
        }
        // A `BString` dereferences to a `Vec<u8>`.
        ty if is_named(ty, "BStr") => Some(syn::parse_quote!(__std::boxed::Box<#ty>)),
        ty => Some(ty.clone()),
    };
    Ok(Some(Loan { mutability: reference.mutability, owned, lent }))
}

/// Returns whether a type has the name of a type without a size whose references have their own
/// form of code.
fn is_unsized(ty: &Type) -> bool {
    ["Path", "OsStr", "CStr"].iter().any(|name| is_named(ty, name))
}

/// Replaces the lifetimes of the function with `'_`, because they are unknown outside of it.
fn open_lifetimes(ty: &Type, lifetimes: &[Ident]) -> Result<Type> {
    if lifetimes.is_empty() {
        return Ok(ty.clone());
    }
    syn::parse2(open(ty.to_token_stream(), lifetimes)).map_err(|error| Error::new(ty.span(), error))
}

fn open(tokens: TokenStream, lifetimes: &[Ident]) -> TokenStream {
    let mut after_tick = false;
    let trees = tokens.into_iter().map(|tree| {
        let was_after_tick = std::mem::take(&mut after_tick);
        match tree {
            TokenTree::Punct(punct) => {
                after_tick = punct.as_char() == '\'';
                TokenTree::Punct(punct)
            }
            TokenTree::Ident(ident) if was_after_tick && lifetimes.contains(&ident) => {
                TokenTree::Ident(Ident::new("_", ident.span()))
            }
            TokenTree::Group(group) => {
                let mut opened =
                    proc_macro2::Group::new(group.delimiter(), open(group.stream(), lifetimes));
                opened.set_span(group.span());
                TokenTree::Group(opened)
            }
            tree => tree,
        }
    });
    trees.collect()
}
