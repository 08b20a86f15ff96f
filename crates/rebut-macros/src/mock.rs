//! `#[rebut::mock]`: implements a trait with generated answers.
//!
//! The macro adds a type that contains a `Mock` of the runtime, or a given implementor as a trait
//! object. Reports print a mock with a given implementor, so the trait must be dyn compatible. A
//! method with a default body keeps it, unless an attribute describes its answers.

mod filled;
mod method;
mod options;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{GenericParam, Item, ItemTrait, PathArguments, Result, TraitItem, TypeParamBound};

use self::method::MockMethod;
use self::options::Options;
use crate::contract::substitute;
use crate::name_value::Errors;
use crate::written;

/// Expands `#[rebut::mock(arguments)] item`.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let mut errors = Errors::default();
    let options = errors.ok(Options::parse(arguments));
    let item = errors.ok(trait_of(item));
    let (Some(mut options), Some(mut item)) = (options, item) else {
        return errors.finish(TokenStream::new());
    };
    options.generic =
        item.generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    errors.ok(options.check(&item));
    let methods: Vec<MockMethod> = item
        .items
        .iter_mut()
        .filter_map(|inside| errors.ok(method_of(&options, inside))?)
        .collect();
    let mock = Mock { options: &options, item: &item, methods };
    let generated = errors.finish(mock)?.expand();
    let described = options.of.is_none().then_some(&item);
    options.facade.complete(quote!(#described #generated))
}

fn trait_of(item: TokenStream) -> Result<ItemTrait> {
    match syn::parse2::<Item>(item.clone())? {
        Item::Trait(item) => Ok(item),
        _ => Err(syn::Error::new_spanned(
            item.into_iter().next(),
            "`#[rebut::mock]` can only be applied to a trait; for a trait of another crate, describe it: \
             `#[rebut::mock(of = std::io::Read)] trait Read { .. }`",
        )),
    }
}

/// Parses one item of a trait. Returns `None` if the mock keeps the item.
fn method_of(options: &Options, inside: &mut TraitItem) -> Result<Option<MockMethod>> {
    match inside {
        TraitItem::Fn(method) => MockMethod::take(options, method),
        TraitItem::Const(constant) if constant.default.is_none() => Err(syn::Error::new_spanned(
            &constant.ident,
            "a trait with constants is not dyn compatible, so it cannot be mocked; turn the constant into a method",
        )),
        _ => Ok(None),
    }
}

/// A parsed mock.
struct Mock<'a> {
    options: &'a Options,
    item: &'a ItemTrait,
    methods: Vec<MockMethod>,
}

impl Mock<'_> {
    fn expand(&self) -> TokenStream {
        let private = self.options.facade.private();
        let runtime = quote!(#private::mocks);
        let name = self.options.name(&self.item.ident);
        let (visibility, object) = (&self.item.vis, self.object());
        let doc = format!("A mock of [`{}`] with generated return values.", self.item.ident);
        let constructors = self.constructors(&name);
        let methods = self.methods.iter().enumerate();
        let methods = methods.map(|(nth, method)| method.expand(self.options, nth));
        let (implemented, types) = (self.implemented(), self.types());
        let interface = self.interface(&name);
        let is_friendly = self.options.is_friendly;
        let shown = format!("{name} {{ .. }}");
        quote! {
            #[doc = #doc]
            #visibility struct #name {
                mock: #runtime::Mock,
                given: ::core::option::Option<__std::boxed::Box<dyn #object>>,
            }

            const _: () = {
                static __REBUT_INTERFACE: #runtime::Interface = #interface;

                #constructors

                impl #implemented for #name {
                    #(#types)*
                    #(#methods)*
                }

                impl #private::Generate for #name {
                    fn generate(source: &mut #private::Source) -> #name {
                        #name::drawn(source, #is_friendly)
                    }
                }

                impl #private::ToCode for #name {
                    fn to_code(&self, code: &mut #private::Code) {
                        self.mock.to_code(code);
                    }
                }

                impl ::core::fmt::Debug for #name {
                    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        f.write_str(#shown)
                    }
                }
            };
        }
    }

    fn constructors(&self, name: &Ident) -> TokenStream {
        let private = self.options.facade.private();
        let runtime = quote!(#private::mocks);
        let (visibility, object) = (&self.item.vis, self.object());
        quote! {
            impl #name {
                /// Creates a mock that forwards all calls. Reports print generated mocks this way.
                #[must_use]
                #visibility fn new(answers: impl #object + 'static) -> #name {
                    #name {
                        mock: #runtime::Mock::idle(),
                        given: ::core::option::Option::Some(__std::boxed::Box::new(answers)),
                    }
                }

                /// Generates friendly mocks: a failure does not count if the test passes with
                /// other answers.
                #[must_use]
                #visibility fn friendly() -> #runtime::Mocks<#name> {
                    #runtime::Mocks::new(#name::drawn, true)
                }

                /// Generates mocks that are not friendly: every answer counts.
                #[must_use]
                #visibility fn wild() -> #runtime::Mocks<#name> {
                    #runtime::Mocks::new(#name::drawn, false)
                }

                fn drawn(source: &#private::Source, is_friendly: bool) -> #name {
                    #name {
                        mock: #runtime::Mock::drawn(source, &__REBUT_INTERFACE, is_friendly),
                        given: ::core::option::Option::None,
                    }
                }
            }
        }
    }

    /// Returns the trait to implement, with types for its parameters.
    fn implemented(&self) -> TokenStream {
        if let Some(of) = &self.options.of {
            return quote!(#of);
        }
        let name = &self.item.ident;
        let arguments = self.arguments();
        if arguments.is_empty() { quote!(#name) } else { quote!(#name<#(#arguments),*>) }
    }

    fn arguments(&self) -> Vec<TokenStream> {
        let parameters = self.item.generics.params.iter();
        let concrete = parameters.filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => self.options.concrete_type(&parameter.ident),
            _ => None,
        });
        concrete.map(ToTokens::to_token_stream).collect()
    }

    /// Returns the trait as written after `dyn`, with its associated types.
    fn object(&self) -> TokenStream {
        let belonging = self.item.items.iter().filter_map(|inside| match inside {
            TraitItem::Type(ty) => {
                let (name, concrete) = (&ty.ident, self.options.concrete_type(&ty.ident)?);
                Some(quote!(#name = #concrete))
            }
            _ => None,
        });
        let belonging: Vec<TokenStream> = belonging.collect();
        match &self.options.of {
            Some(of) => with_arguments(of, &belonging),
            None => {
                let name = &self.item.ident;
                let all = [self.arguments(), belonging].concat();
                if all.is_empty() { quote!(#name) } else { quote!(#name<#(#all),*>) }
            }
        }
    }

    /// Returns the associated types: `type Error = String;`.
    fn types(&self) -> Vec<TokenStream> {
        let types = self.item.items.iter().filter_map(|inside| match inside {
            TraitItem::Type(ty) => {
                let (name, concrete) = (&ty.ident, self.options.concrete_type(&ty.ident)?);
                Some(quote!(type #name = #concrete;))
            }
            _ => None,
        });
        types.collect()
    }

    fn interface(&self, name: &Ident) -> TokenStream {
        let private = self.options.facade.private();
        let runtime = quote!(#private::mocks);
        let name = name.to_string();
        let implemented = written::type_text(&self.implemented());
        let types = self.types();
        let types = types.iter().map(|ty| written::type_text(ty).replace(" ;", ";"));
        let methods = self.methods.iter().map(|method| {
            let (name, signature) = (method.name().to_string(), method.written(self.options));
            let matched = match method.matched() {
                Some(matched) => quote!(::core::option::Option::Some(#matched)),
                None => quote!(::core::option::Option::None),
            };
            let unused = method.written_unused(self.options);
            let filled = method.written_filled(self.options);
            quote! {
                #runtime::Method {
                    name: #name,
                    signature: #signature,
                    signature_unused: #unused,
                    signature_filled: #filled,
                    matched: #matched,
                }
            }
        });
        let is_sync = self.item.supertraits.iter().any(is_sync);
        quote! {
            #runtime::Interface {
                mock: #name,
                implemented: #implemented,
                types: &[#(#types),*],
                methods: &[#(#methods),*],
                is_sync: #is_sync,
            }
        }
    }
}

/// Returns the path of a trait with more arguments, after those that it has.
fn with_arguments(path: &syn::Path, more: &[TokenStream]) -> TokenStream {
    let mut path = path.clone();
    let Some(last) = path.segments.last_mut().filter(|_| !more.is_empty()) else {
        return quote!(#path);
    };
    let known = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
        _ => Vec::new(),
    };
    let arguments = syn::parse_quote!(<#(#known,)* #(#more),*>);
    last.arguments = PathArguments::AngleBracketed(arguments);
    quote!(#path)
}

fn is_sync(bound: &TypeParamBound) -> bool {
    match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| last.ident == "Sync")
        }
        _ => false,
    }
}

impl Options {
    /// Returns the name of the mock.
    fn name(&self, of_trait: &Ident) -> Ident {
        self.name.clone().unwrap_or_else(|| format_ident!("Mock{of_trait}"))
    }

    /// Replaces the type parameters of the trait with the types in `with(..)`.
    fn substituted(&self, item: TokenStream) -> TokenStream {
        let substitute_type = |tokens, (name, concrete): &(Ident, syn::Type)| {
            substitute::named(tokens, &name.to_string(), &concrete.to_token_stream())
        };
        let generic = self.parameters.iter().filter(|(name, _)| self.generic.contains(name));
        generic.fold(item, substitute_type)
    }
}
