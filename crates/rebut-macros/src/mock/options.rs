//! The settings in the parentheses of `#[rebut::mock(..)]`.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Error, GenericParam, ItemTrait, Path, Result, Token, TraitItem, Type, TypeParamBound};

use crate::facade::Facade;
use crate::name_value::{Errors, TypeAssignment};

#[derive(Default)]
pub(super) struct Options {
    pub(super) facade: Facade,
    pub(super) name: Option<Ident>,
    /// The trait to mock, if the item only describes it.
    pub(super) of: Option<Path>,
    /// Whether all methods with `&self` are pure.
    pub(super) is_pure: bool,
    pub(super) is_friendly: bool,
    /// The types for the type parameters and the associated types of the trait.
    pub(super) parameters: Vec<(Ident, Type)>,
    /// The names of those that are type parameters.
    pub(super) generic: Vec<Ident>,
}

impl Options {
    pub(super) fn parse(arguments: TokenStream) -> Result<Options> {
        let mut options = Options::default();
        let list = Punctuated::<MockOption, Token![,]>::parse_terminated.parse2(arguments)?;
        for word in list {
            match word {
                MockOption::Facade(path) => options.facade = Facade::at(&path),
                MockOption::Name(name) => options.name = Some(name),
                MockOption::Of(path) => options.of = Some(path),
                MockOption::Pure => options.is_pure = true,
                MockOption::Friendly => options.is_friendly = true,
                MockOption::With(types) => {
                    options.parameters.extend(types.into_iter().map(|one| (one.name, one.ty)));
                }
            }
        }
        Ok(options)
    }

    /// Returns the type for a name in `with(..)`.
    pub(super) fn concrete_type(&self, name: &Ident) -> Option<&Type> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, concrete)| concrete)
    }

    /// Checks that `with(..)` has every type parameter and associated type of the trait, and nothing
    /// else.
    pub(super) fn check(&self, item: &ItemTrait) -> Result<()> {
        let mut errors = Errors::default();
        let mut names = Vec::new();
        for parameter in &item.generics.params {
            match parameter {
                GenericParam::Type(parameter) => names.push(&parameter.ident),
                other => errors.push(
                    other,
                    "a trait with lifetime or const parameters cannot be mocked; remove the parameter",
                ),
            }
        }
        for bound in &item.supertraits {
            // Methods of these take or return `Self`.
            let closed =
                ["Clone", "Copy", "Default", "Eq", "Ord", "PartialEq", "PartialOrd", "Sized"];
            let TypeParamBound::Trait(of_trait) = bound else { continue };
            let last = of_trait.path.segments.last();
            if let Some(last) = last.filter(|last| closed.iter().any(|name| last.ident == name)) {
                let message = format!(
                    "a trait with the supertrait `{}` is not dyn compatible, so it cannot be \
                     mocked; remove it",
                    last.ident
                );
                errors.push(bound, message);
            }
        }
        for inside in &item.items {
            if let TraitItem::Type(ty) = inside {
                names.push(&ty.ident);
            }
        }
        for name in names.iter().filter(|name| self.concrete_type(name).is_none()) {
            let message = format!(
                "a mock needs concrete types; specify this one: \
                 `#[rebut::mock(with({name} = u8))]`"
            );
            errors.push(name, message);
        }
        for (name, _) in &self.parameters {
            if !names.contains(&name) {
                errors.push(
                    name,
                    format!("the trait has no type parameter or associated type `{name}`"),
                );
            }
        }
        errors.finish(())
    }
}

enum MockOption {
    Facade(Path),
    Name(Ident),
    Of(Path),
    Pure,
    Friendly,
    With(Punctuated<TypeAssignment, Token![,]>),
}

impl Parse for MockOption {
    fn parse(input: ParseStream<'_>) -> Result<MockOption> {
        let name = input.call(Ident::parse_any)?;
        let equals = |input: ParseStream<'_>| input.parse::<Token![=]>();
        Ok(match name.to_string().as_str() {
            "crate" => MockOption::Facade(equals(input).and_then(|_| input.parse())?),
            "name" => MockOption::Name(equals(input).and_then(|_| input.parse())?),
            "of" => MockOption::Of(equals(input).and_then(|_| input.parse())?),
            "pure" => MockOption::Pure,
            "friendly" => MockOption::Friendly,
            "with" => {
                let inside;
                syn::parenthesized!(inside in input);
                MockOption::With(Punctuated::parse_terminated(&inside)?)
            }
            _ => {
                let message = format!(
                    "unknown setting `{name}`; expected one of `name = MockReader`, `pure`, \
                     `friendly`, `with(T = u8)`, `of = std::io::Read`, `crate = ::rebut`"
                );
                return Err(Error::new_spanned(name.to_token_stream(), message));
            }
        })
    }
}
