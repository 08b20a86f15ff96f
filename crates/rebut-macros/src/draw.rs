//! How to generate one parameter or field: `#[from(..)]` and `#[generate(..)]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Error, Expr, GenericArgument, Ident, Meta, MetaList, PathArguments, Result, Type,
    TypeFnPtr, TypeParamBound,
};

use crate::facade::Facade;
use crate::name_value::{Errors, Setting, as_text, local};
use crate::needs;

/// The origin of a value.
pub(crate) enum Draw {
    /// The generator of the type.
    Type,
    /// `#[from(generator)]` or `#[generate(generator)]`, and the span for errors about it.
    From(Expr, Span),
    /// `#[generate(value = expression)]`.
    Value(Expr),
    /// `#[generate(default)]`.
    Default,
    /// `#[generate(min_size = 1)]`: the usual generator of the type, refined by these methods.
    Refined(Vec<(Ident, Expr)>),
    /// `#[generate("regex")]` or `#[generate(matches = "regex")]`.
    Matches(Expr),
}

const SETTINGS: &[&str] =
    &["default", "value", "min_value", "max_value", "min_size", "max_size", "matches"];

impl Draw {
    /// Returns whether an attribute is `#[from]` or `#[generate]`.
    pub(crate) fn owns(attribute: &Attribute) -> bool {
        attribute.path().is_ident("from") || attribute.path().is_ident("generate")
    }

    /// Parses the attributes of a parameter or a field.
    pub(crate) fn from_attributes<'a>(
        attributes: impl IntoIterator<Item = &'a Attribute>,
    ) -> Result<Draw> {
        let mut draw = Draw::Type;
        let mut errors = Errors::default();
        for attribute in attributes.into_iter().filter(|attribute| Draw::owns(attribute)) {
            let Some(next) = errors.ok(Draw::from_attribute(attribute)) else { continue };
            match (&mut draw, next) {
                (_, Draw::Type) => {}
                (Draw::Type, next) => draw = next,
                (Draw::Refined(all), Draw::Refined(more)) => all.extend(more),
                _ => errors
                    .push(attribute, "this value has two generators; keep one of the attributes"),
            }
        }
        errors.finish(draw)
    }

    fn from_attribute(attribute: &Attribute) -> Result<Draw> {
        if attribute.path().is_ident("from") {
            return match &attribute.meta {
                Meta::List(list) if !list.tokens.is_empty() => Draw::from_generator(list),
                _ => Err(Error::new_spanned(
                    attribute,
                    "`#[from]` needs a range or a generator: `#[from(1..10)]`",
                )),
            };
        }
        if let Meta::List(list) = &attribute.meta
            && is_generator(&list.tokens)
        {
            return Draw::from_generator(list);
        }
        let mut draw = Draw::Type;
        let mut errors = Errors::default();
        for setting in Setting::from_attribute(attribute)? {
            let Some(next) = errors.ok(Draw::from_setting(&setting)) else { continue };
            match (&mut draw, next) {
                (Draw::Type, next) => draw = next,
                (Draw::Refined(all), Draw::Refined(more)) => all.extend(more),
                _ => errors.push(
                    &setting.name,
                    format!("`{}` cannot be combined with the setting before it", setting.name),
                ),
            }
        }
        errors.finish(draw)
    }

    /// Parses the only expression in the parentheses of an attribute.
    fn from_generator(list: &MetaList) -> Result<Draw> {
        let (generator, rest) = list.parse_args_with(|input: syn::parse::ParseStream<'_>| {
            Ok((input.parse::<Expr>()?, input.parse::<TokenStream>()?))
        })?;
        if !rest.is_empty() {
            return Err(Error::new_spanned(
                rest,
                "expected one generator: remove this, or call the generator's methods, as in \
                 `vecs(1..10).max_size(5)`",
            ));
        }
        Ok(match as_text(&generator) {
            Some(_) => Draw::Matches(generator),
            None => Draw::From(generator, list.delimiter.span().join()),
        })
    }

    fn from_setting(setting: &Setting) -> Result<Draw> {
        Ok(match setting.name.to_string().as_str() {
            "value" => Draw::Value(setting.value("42")?.clone()),
            "matches" => Draw::Matches(setting.value("\"[a-z]+\"")?.clone()),
            "min_value" | "max_value" | "min_size" | "max_size" => {
                Draw::Refined(vec![(setting.name.clone(), setting.value("10")?.clone())])
            }
            "default" => {
                setting.flag()?;
                Draw::Default
            }
            _ => return Err(setting.unknown(SETTINGS)),
        })
    }

    /// Returns the expressions of the user.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (one, methods): (_, &[(Ident, Expr)]) = match self {
            Draw::From(expression, _) | Draw::Value(expression) | Draw::Matches(expression) => {
                (Some(expression), &[])
            }
            Draw::Refined(methods) => (None, methods),
            Draw::Type | Draw::Default => (None, &[]),
        };
        one.into_iter().chain(methods.iter().map(|(_, value)| value))
    }

    /// Replaces the expressions of the user.
    pub(crate) fn change_expressions(
        &mut self,
        change: &dyn Fn(&Expr) -> Result<Expr>,
    ) -> Result<()> {
        match self {
            Draw::From(expression, _) | Draw::Value(expression) | Draw::Matches(expression) => {
                *expression = change(expression)?;
            }
            Draw::Refined(methods) => {
                for (_, value) in methods {
                    *value = change(value)?;
                }
            }
            Draw::Type | Draw::Default => {}
        }
        Ok(())
    }

    /// Returns whether the type needs a generator of its own.
    pub(crate) fn uses_type(&self) -> bool {
        matches!(self, Draw::Type | Draw::Refined(_))
    }

    /// Returns whether the generated code evaluates an expression of the user.
    pub(crate) fn is_written(&self) -> bool {
        !matches!(self, Draw::Type | Draw::Default)
    }

    /// Returns whether the value is constant.
    pub(crate) fn is_constant(&self) -> bool {
        matches!(self, Draw::Value(_) | Draw::Default)
    }

    /// Returns the expression that generates a value from the local variable `source`.
    pub(crate) fn expression(&self, facade: &Facade, ty: &Type) -> Result<TokenStream> {
        let private = facade.private();
        let source = local("source");
        if let (Draw::Matches(_) | Draw::Refined(_), Some((lent, owned))) = (self, owned_form(ty)) {
            let (value, owned) = (local("value"), self.expression(facade, &owned)?);
            return Ok(quote!({
                let #value = #owned;
                #private::lend::<#lent>(#source, #value.into())
            }));
        }
        Ok(match self {
            Draw::Type => {
                check_function(ty)?;
                let generate = generate_trait(&private, ty);
                quote!(<#ty as #generate>::generate(#source))
            }
            Draw::From(generator, place) => {
                let generator = owned_texts(generator, ty).unwrap_or_else(|| quote!(#generator));
                drawn(&private, &generator, *place)
            }
            Draw::Value(value) => quote!(#value),
            Draw::Default => quote!(<#ty as ::core::default::Default>::default()),
            Draw::Matches(pattern) => {
                let function =
                    local(if is_bytes(ty) { "bytes_matching" } else { "strings_matching" });
                drawn(&private, &quote!(#private::#function(#pattern)), pattern.span())
            }
            Draw::Refined(methods) => {
                let generator = usual_generator(&private, ty).ok_or_else(|| unbounded(ty))?;
                let calls = methods.iter().map(|(name, value)| quote!(.#name(#value)));
                drawn(&private, &quote!(#generator #(#calls)*), ty.span())
            }
        })
    }
}

/// Returns the trait that a type must implement to be generated. It is `Generate`, or a trait whose
/// error message names the feature of the type's crate.
pub(crate) fn generate_trait(private: &TokenStream, ty: &Type) -> TokenStream {
    match needs::module(quote!(#ty)) {
        Some(module) => quote!(#private::needs::#module::Generate),
        None => quote!(#private::Generate),
    }
}

/// Checks the parameters of a function pointer. The error of the compiler about one that mixes
/// references and values would be about lifetimes.
fn check_function(ty: &Type) -> Result<()> {
    let Type::FnPtr(TypeFnPtr { inputs, .. }) = ty else { return Ok(()) };
    let is_borrowed = |ty: &Type| match ty {
        Type::Reference(reference) => {
            reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static")
        }
        _ => false,
    };
    let borrowed = inputs.iter().filter(|input| is_borrowed(&input.ty)).count();
    if (borrowed == 0 && inputs.len() <= 3) || (borrowed == inputs.len() && borrowed <= 2) {
        return Ok(());
    }
    Err(Error::new_spanned(
        inputs,
        "Rebut generates functions of up to three values, or of one or two references; for \
         other functions, take a `rebut::Function<A, B>`",
    ))
}

/// Returns the type behind a reference, and its owned form, if that has a generator with bounds.
fn owned_form(ty: &Type) -> Option<(&Type, Type)> {
    let Type::Reference(reference) = ty else { return None };
    let owned = match &*reference.elem {
        Type::Slice(slice) => {
            let element = &slice.elem;
            syn::parse_quote!(__std::vec::Vec<#element>)
        }
        ty if is_named(ty, "str") => syn::parse_quote!(__std::string::String),
        _ => return None,
    };
    Some((&reference.elem, owned))
}

/// Returns `fn(A) -> B` for the bounds of `impl Fn(A) -> B` or `dyn Fn(A) -> B`. A function pointer
/// implements all traits of this kind.
pub(crate) fn function_pointer<'a>(
    bounds: impl IntoIterator<Item = &'a TypeParamBound>,
) -> Option<Type> {
    bounds.into_iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last()?;
        let PathArguments::Parenthesized(arguments) = &last.arguments else { return None };
        let (lifetimes, inputs) = (&bound.lifetimes, &arguments.inputs);
        let output = &arguments.output;
        Some(syn::parse_quote!(#lifetimes fn(#inputs) #output))
    })
}

/// Returns whether `#[generate(..)]` contains a generator and not a list of settings. A single name
/// is a setting, unless it has an uppercase letter, as constants do.
fn is_generator(tokens: &TokenStream) -> bool {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (None, _) => false,
        (Some(TokenTree::Ident(name)), None) => name.to_string().contains(char::is_uppercase),
        (Some(TokenTree::Ident(_)), Some(TokenTree::Punct(next))) => {
            !matches!(next.as_char(), '=' | ',')
        }
        _ => true,
    }
}

/// Converts a list of string literals for a `String`, as `#[example("a")]` does.
fn owned_texts(generator: &Expr, ty: &Type) -> Option<TokenStream> {
    let Expr::Array(array) = generator else { return None };
    let texts: Vec<_> = array.elems.iter().map(as_text).collect::<Option<_>>()?;
    is_named(ty, "String")
        .then(|| quote!([#(<#ty as ::core::convert::From<&str>>::from(#texts)),*]))
}

/// Returns whether a type is a path that ends with the name.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == name),
        _ => false,
    }
}

fn is_bytes(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    let arguments = &last.arguments;
    last.ident == "Vec" && quote!(#arguments).to_string().replace(' ', "") == "<u8>"
}

/// Returns the expression that generates a value with a generator. Type errors about it are shown
/// at `place`.
fn drawn(private: &TokenStream, generator: &TokenStream, place: Span) -> TokenStream {
    let source = local("source");
    let place = place.resolved_at(Span::mixed_site());
    // The compiler reports an expression at its first token.
    let private = private.clone().into_iter().map(|mut token| {
        token.set_span(place);
        token
    });
    let private: TokenStream = private.collect();
    quote_spanned!(place=> #private::draw(#generator, #source))
}

fn unbounded(ty: &Type) -> Error {
    Error::new_spanned(
        ty,
        "bounds work for numbers, characters, `String` and standard collections; for this \
         type, write a generator: `#[generate(generator)]`",
    )
}

/// Returns the generator of a type that has bounds, by the name of the type.
fn usual_generator(private: &TokenStream, ty: &Type) -> Option<TokenStream> {
    let Type::Path(path) = ty else { return None };
    let segment = path.path.segments.last()?;
    let name = segment.ident.to_string();
    let elements: Vec<&Type> = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    let function = match (name.as_str(), elements.len()) {
        (
            "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128"
            | "usize",
            0,
        ) => return Some(quote!(#private::integers::<#ty>())),
        ("f32" | "f64", 0) => return Some(quote!(#private::floats::<#ty>())),
        ("char", 0) => return Some(quote!(#private::chars())),
        ("String", 0) => return Some(quote!(#private::strings())),
        ("Vec", 1) => "vecs",
        ("VecDeque", 1) => "vec_deques",
        ("HashSet", 1) => "hash_sets",
        ("BTreeSet", 1) => "btree_sets",
        ("HashMap", 2) => "hash_maps",
        ("BTreeMap", 2) => "btree_maps",
        _ => return None,
    };
    let function = local(function);
    Some(quote!(#private::#function(#(#private::any::<#elements>()),*)))
}
