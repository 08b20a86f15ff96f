//! Lists of `name = value`, as in `#[rebut::test(cases = 100)]`, and errors reported together.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use rebut_protocol::near_miss;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprLit, ExprPath, Lit, LitStr, Meta, Result, Token, Type};

/// One `name = value`, or a `name` without a value.
pub(crate) struct Setting {
    pub(crate) name: Ident,
    pub(crate) value: Option<Expr>,
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> Result<Setting> {
        let name = input.call(Ident::parse_any)?;
        let equals = input.parse::<Option<Token![=]>>()?;
        let value = equals.map(|_| input.parse()).transpose()?;
        Ok(Setting { name, value })
    }
}

impl Setting {
    /// Parses a list of settings, each at most once.
    pub(crate) fn list(tokens: TokenStream) -> Result<Vec<Setting>> {
        let list = Punctuated::<Setting, Token![,]>::parse_terminated.parse2(tokens)?;
        let settings: Vec<Setting> = list.into_iter().collect();
        let mut errors = Errors::default();
        for (n, setting) in settings.iter().enumerate() {
            if settings[..n].iter().any(|earlier| earlier.name == setting.name) {
                errors.push(&setting.name, format!("`{}` is set twice", setting.name));
            }
        }
        errors.finish(settings)
    }

    /// Parses the settings of `#[generate(..)]`.
    pub(crate) fn from_attribute(attribute: &Attribute) -> Result<Vec<Setting>> {
        match &attribute.meta {
            Meta::List(list) => Setting::list(list.tokens.clone()),
            meta => Err(Error::new_spanned(
                meta,
                "`#[generate(..)]` is empty; write a generator or a setting",
            )),
        }
    }

    /// Returns the value, or an error that shows `example`.
    pub(crate) fn value(&self, example: &str) -> Result<&Expr> {
        let message = || format!("`{}` needs a value: `{} = {example}`", self.name, self.name);
        self.value.as_ref().ok_or_else(|| Error::new(self.name.span(), message()))
    }

    /// Returns an error if there is a value.
    pub(crate) fn flag(&self) -> Result<()> {
        match &self.value {
            None => Ok(()),
            Some(value) => {
                let message = format!("`{}` takes no value: write it alone", self.name);
                Err(Error::new_spanned(value, message))
            }
        }
    }

    /// Returns the value, which must be a string literal.
    pub(crate) fn text(&self, example: &str) -> Result<LitStr> {
        let value = self.value(example)?;
        as_text(value).cloned().ok_or_else(|| {
            let message = format!("`{}` takes a string: `{} = {example}`", self.name, self.name);
            Error::new_spanned(value, message)
        })
    }

    /// Returns the value, which must be a path.
    pub(crate) fn path(&self, example: &str) -> Result<syn::Path> {
        match self.value(example)? {
            Expr::Path(ExprPath { qself: None, path, .. }) => Ok(path.clone()),
            value => {
                let message = format!("`{}` takes a path: `{} = {example}`", self.name, self.name);
                Err(Error::new_spanned(value, message))
            }
        }
    }

    /// Returns the error for an unknown setting, with a suggestion or the list of known ones.
    pub(crate) fn unknown(&self, known: &[&str]) -> Error {
        let advice = match near_miss::nearest(&self.name.to_string(), known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("expected one of {}", known.join(", ")),
        };
        Error::new(self.name.span(), format!("unknown setting `{}`; {advice}", self.name))
    }
}

/// `T = u8` in `with(..)`: the type that replaces a type parameter.
pub(crate) struct TypeAssignment {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
}

impl Parse for TypeAssignment {
    fn parse(input: ParseStream<'_>) -> Result<TypeAssignment> {
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        // The value of a const parameter: `N = 4`.
        if input.peek(Lit) || input.peek(syn::token::Brace) {
            let value: Expr = input.parse()?;
            return Ok(TypeAssignment { name, ty: Type::Verbatim(value.into_token_stream()) });
        }
        Ok(TypeAssignment { name, ty: input.parse()? })
    }
}

/// Returns an expression as a string literal, if it is one.
pub(crate) fn as_text(value: &Expr) -> Option<&LitStr> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}

/// Errors to report together.
#[derive(Default)]
pub(crate) struct Errors {
    all: Option<Error>,
}

impl Errors {
    /// Adds an error at `tokens`.
    pub(crate) fn push(&mut self, tokens: &impl ToTokens, message: impl std::fmt::Display) {
        self.add(Error::new_spanned(tokens, message));
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.all {
            Some(all) => all.combine(error),
            None => self.all = Some(error),
        }
    }

    /// Returns the value of a result, or adds its error and returns `None`.
    pub(crate) fn ok<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// Returns the value, or all errors if there are any.
    pub(crate) fn finish<T>(self, value: T) -> Result<T> {
        self.all.map_or(Ok(value), Err)
    }
}

/// Returns the name of a local variable that cannot clash with a name of the user.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn refuses_a_setting_that_is_given_twice() {
        let error = Setting::list(quote!(cases = 1, cases = 2)).err().expect("an error");
        assert_eq!(error.to_string(), "`cases` is set twice");
    }
}
