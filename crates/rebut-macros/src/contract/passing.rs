//! How programs pass arguments to a call, and how callbacks receive theirs.
//!
//! A program contains `'static` values, each in a `Box<dyn Any>`. `&str` borrows a `String`,
//! `&mut [T]` a `Vec<T>`, `&mut dyn Trait` a `Box<dyn Trait>`; `impl Fn(..)` is a `Box<dyn Fn(..)>`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{GenericArgument, PathArguments, ReturnType, Type, TypeParamBound};

use super::Options;
use crate::written;

/// The way to pass an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Value,
    Ref,
    Mut,
}

impl Mode {
    pub(super) fn tokens(self, runtime: &TokenStream) -> TokenStream {
        match self {
            Mode::Value => quote!(#runtime::table::Mode::Value),
            Mode::Ref => quote!(#runtime::table::Mode::Ref),
            Mode::Mut => quote!(#runtime::table::Mode::Mut),
        }
    }
}

/// One parameter.
pub(super) struct Passing {
    /// The type of the value in the program.
    pub(super) kind: Type,
    pub(super) mode: Mode,
    /// Whether to pass the target of the value: `&mut **held`.
    is_deref: bool,
    /// Whether the value is an object with its model.
    pub(super) is_modeled: bool,
    /// The implementation that programs can generate for it.
    makes: Option<Makes>,
}

/// An implementation that programs can generate.
enum Makes {
    Closure(Callable),
    /// A trait object, behind these pointers.
    Object {
        object: Type,
        pointers: &'static [&'static str],
    },
}

impl Passing {
    /// Returns how to pass a parameter of this type, which must not contain `Self`.
    pub(super) fn of(ty: &Type) -> Passing {
        match ty {
            Type::Group(group) => Passing::of(&group.elem),
            Type::Paren(paren) => Passing::of(&paren.elem),
            Type::Reference(reference) => {
                let mode = if reference.mutability.is_some() { Mode::Mut } else { Mode::Ref };
                Passing::lent(&reference.elem, mode)
            }
            Type::ImplTrait(object) => match callable(ty) {
                Some(callable) => {
                    let bounds = &object.bounds;
                    let bounds = without_lifetimes(bounds.iter());
                    let kind = syn::parse_quote!(::std::boxed::Box<dyn #(#bounds)+*>);
                    Passing { makes: Some(Makes::Closure(callable)), ..Passing::plain(&kind) }
                }
                None => Passing::plain(ty),
            },
            _ => match behind(ty) {
                Some((pointer, inside)) if callable(&inside).is_some() && pointer == "Box" => {
                    let makes = callable(&inside).map(Makes::Closure);
                    Passing { makes, ..Passing::plain(ty) }
                }
                _ => Passing { makes: object(ty), ..Passing::plain(ty) },
            },
        }
    }

    fn plain(ty: &Type) -> Passing {
        let (mode, kind) = (Mode::Value, ty.clone());
        Passing { kind, mode, is_deref: false, is_modeled: false, makes: None }
    }

    /// Returns how to pass an object together with its model.
    pub(super) fn with_model(kind: &Type, mode: Mode) -> Passing {
        Passing { mode, is_modeled: true, ..Passing::plain(kind) }
    }

    /// Returns the trait object, if the parameter is a reference to one.
    pub(super) fn lent_object(&self) -> Option<&Type> {
        match &self.makes {
            Some(Makes::Object { object, .. }) if self.is_deref => Some(object),
            _ => None,
        }
    }

    /// Returns whether the argument can be passed to two calls in a row.
    pub(super) fn is_for_two(&self) -> bool {
        self.makes.is_none() && (self.mode != Mode::Mut || self.is_modeled)
    }

    /// Returns the description of the parameter for the table. `kind` is the code that registers its
    /// type.
    pub(super) fn parameter(
        &self,
        options: &Options,
        kind: &TokenStream,
        mode: Mode,
    ) -> TokenStream {
        let runtime = options.runtime();
        let is_object = self.is_deref && self.makes.is_some();
        let mode = mode.tokens(&runtime);
        quote!(#runtime::table::Parameter { type_index: #kind, mode: #mode, is_object: #is_object })
    }

    fn lent(elem: &Type, mode: Mode) -> Passing {
        let owned: Type = match elem {
            Type::Paren(paren) => return Passing::lent(&paren.elem, mode),
            Type::Group(group) => return Passing::lent(&group.elem, mode),
            Type::Slice(slice) => {
                let element = &slice.elem;
                syn::parse_quote!(::std::vec::Vec<#element>)
            }
            Type::TraitObject(object) => {
                let bounds = without_lifetimes(object.bounds.iter());
                syn::parse_quote!(::std::boxed::Box<dyn #(#bounds)+*>)
            }
            ty if last_name(ty).is_some_and(|name| name == "str") => {
                syn::parse_quote!(::std::string::String)
            }
            ty if last_name(ty).is_some_and(|name| name == "Path") => {
                syn::parse_quote!(::std::path::PathBuf)
            }
            ty => return Passing { mode, ..Passing::of_inside(ty) },
        };
        Passing { mode, is_deref: true, ..Passing::of(&owned) }
    }

    /// Returns how to pass a type behind a reference, which may be a pointer to a trait object.
    fn of_inside(ty: &Type) -> Passing {
        match ty {
            Type::Reference(_) => Passing::plain(ty),
            _ => Passing::of(ty),
        }
    }

    /// Returns the expression that registers the type and evaluates to its number. If it is a trait
    /// object, the trait must have a contract.
    pub(super) fn register(&self, options: &Options) -> TokenStream {
        self.registered(options, &self.interface(options))
    }

    /// Like [`register`](Passing::register), for a type that programs receive and need not
    /// construct: the trait may lack a contract.
    pub(super) fn register_known(&self, options: &Options) -> TokenStream {
        let interface = match &self.makes {
            Some(Makes::Object { object, .. }) => {
                let runtime = options.runtime();
                quote! {{
                    use #runtime::probe::*;
                    (&&Probe::<#object>::new()).register(table);
                }}
            }
            _ => self.interface(options),
        };
        self.registered(options, &interface)
    }

    fn name(&self) -> String {
        let mut text = written::type_text(&self.kind.to_token_stream());
        if let (true, Some(own)) = (self.is_modeled, first_argument(&self.kind)) {
            text = written::type_text(&own.to_token_stream());
        }
        for path in ["::std::boxed::", "::std::string::", "::std::vec::", "::core::option::"] {
            text = text.replace(path, "");
        }
        text
    }

    fn registered(&self, options: &Options, interface: &TokenStream) -> TokenStream {
        let (runtime, private) = (options.runtime(), options.facade.private());
        let kind = &self.kind;
        let name = self.name();
        let object = match &self.makes {
            Some(Makes::Object { object, .. }) => {
                quote!(info.object = ::core::option::Option::Some(::core::any::TypeId::of::<#object>());)
            }
            _ => quote!(),
        };
        let is_modeled = self.is_modeled.then(|| quote!(info.is_modeled = true;));
        let inside = inside(kind).filter(|ty| !super::clause::borrows(ty)).map(|ty| {
            let register = Passing::of(&ty).register_known(options);
            quote!(let _ = #register;)
        });
        quote! {{
            use #private::show::*;
            use #runtime::probe::*;
            let number = match table.find_type(::core::any::TypeId::of::<#kind>()) {
                ::core::option::Option::Some(known) => known,
                ::core::option::Option::None => {
                    let mut info = #runtime::probe::plain::<#kind>(#name, |value| {
                        match value.downcast_ref::<#kind>() {
                            ::core::option::Option::Some(value) => {
                                (&&&#private::Shown::<#kind>(value)).show()
                            }
                            ::core::option::Option::None => ::std::string::String::new(),
                        }
                    });
                    info.draw = (&&Probe::<#kind>::new()).drawer();
                    info.clone = (&&Probe::<#kind>::new()).cloner();
                    info.is_copy = (&&Probe::<#kind>::new()).is_copy();
                    info.is_handle = (&&Probe::<#kind>::new()).is_handle();
                    info.cell = (&&Probe::<#kind>::new()).cell();
                    info.contents = (&&Probe::<#kind>::new()).contents();
                    #object
                    #is_modeled
                    let number = table.add_type(info);
                    (&&Probe::<#kind>::new()).register(table);
                    (&&Probe::<#kind>::new()).register_contents(table);
                    #inside
                    number
                }
            };
            #interface
            number
        }}
    }

    /// Returns the statement that describes the methods to implement.
    fn interface(&self, options: &Options) -> TokenStream {
        let runtime = options.runtime();
        let kind = &self.kind;
        let interface = match &self.makes {
            None => return quote!(),
            Some(Makes::Closure(callable)) => callable.interface(options, kind),
            Some(Makes::Object { object, pointers }) => {
                let open: String =
                    pointers.iter().map(|pointer| format!("{pointer}::new(")).collect();
                let close = ")".repeat(pointers.len());
                let made = quote!(
                    <#object as #runtime::implementor::Implementable>::implement(behavior));
                let made = pointers.iter().rev().fold(made, |inside, pointer| match *pointer {
                    "Box" => quote!(::std::boxed::Box::new(#inside)),
                    "std::rc::Rc" => quote!(::std::rc::Rc::new(#inside)),
                    "std::sync::Arc" => quote!(::std::sync::Arc::new(#inside)),
                    _ => quote!(::std::cell::RefCell::new(#inside)),
                });
                quote! {
                    <#object as #runtime::implementor::Implementable>::interface(
                        table,
                        |behavior| {
                            let made: #kind = #made;
                            ::std::boxed::Box::new(made)
                        },
                        (#open, #close),
                    )
                }
            }
        };
        quote! {
            if table.mark_described(number) {
                let interface = ::std::rc::Rc::new(#interface);
                if let ::core::option::Option::Some(info) = table.type_mut(number) {
                    info.interface = ::core::option::Option::Some(interface);
                }
            }
        }
    }

    /// Returns the expression that takes the argument from the variable `held`, as an `Option`.
    pub(super) fn taken(&self, held: &Ident) -> TokenStream {
        let kind = &self.kind;
        if let Some(object) = self.lent_object() {
            return match self.mode {
                Mode::Mut => quote!(#held.object_mut::<#object>()),
                _ => quote!(#held.object_ref::<#object>()),
            };
        }
        match self.mode {
            Mode::Value => quote!(#held.take::<#kind>()),
            Mode::Ref => quote!(#held.by_ref::<#kind>()),
            Mode::Mut => quote!(#held.by_mut::<#kind>()),
        }
    }

    /// Returns the expression to pass for the variable `name`, which has the value that was
    /// [taken](Passing::taken).
    pub(super) fn passed(&self, name: &TokenStream) -> TokenStream {
        match (self.mode, self.is_deref && self.lent_object().is_none()) {
            (_, false) | (Mode::Value, _) => quote!(#name),
            (Mode::Ref, true) => quote!(&**#name),
            (Mode::Mut, true) => quote!(&mut **#name),
        }
    }

    /// Returns the expression with which a callback passes its parameter `name` to its body, or
    /// `None` if it cannot.
    pub(super) fn handed(&self, name: &Ident, runtime: &TokenStream) -> Option<TokenStream> {
        let held = quote!(#runtime::call_argument::CallArgument);
        match (self.mode, self.is_deref) {
            (Mode::Value, _) => Some(quote!(#held::Owned(::std::boxed::Box::new(#name)))),
            (Mode::Ref, false) => Some(quote!(#held::Ref(#name))),
            (Mode::Mut, false) => Some(quote!(#held::Mut(#name))),
            (_, true) if self.makes.is_none() => {
                Some(quote!(#held::Owned(::std::boxed::Box::new(#name.to_owned()))))
            }
            (_, true) if self.lent_object().is_some() => Some(quote!({
                use #runtime::probe::*;
                (&&Lend::new(#name)).call_argument()
            })),
            (_, true) => None,
        }
    }

    /// Returns the mode of a callback's parameter. A copy for the body is owned by the body.
    pub(super) fn handed_mode(&self) -> Mode {
        if self.is_deref && self.lent_object().is_none() { Mode::Value } else { self.mode }
    }
}

/// A callable type.
pub(super) struct Callable {
    pub(super) inputs: Vec<Type>,
    pub(super) output: TokenStream,
    is_unit: bool,
    /// Whether the type is `Send` or `Sync`.
    is_sent: bool,
}

/// Parses a callable type: `impl Fn(..)`, `dyn Fn(..)`, or a pointer to one.
pub(super) fn callable(ty: &Type) -> Option<Callable> {
    let bounds = match ty {
        Type::Group(group) => return callable(&group.elem),
        Type::Paren(paren) => return callable(&paren.elem),
        Type::Reference(reference) => return callable(&reference.elem),
        Type::ImplTrait(ty) => &ty.bounds,
        Type::TraitObject(ty) => &ty.bounds,
        _ => {
            let (pointer, inside) = behind(ty)?;
            return (pointer == "Box").then(|| callable(&inside)).flatten();
        }
    };
    let is_sent = bounds.iter().any(is_sent);
    bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last()?;
        if !["Fn", "FnMut", "FnOnce"].iter().any(|name| last.ident == name) {
            return None;
        }
        let PathArguments::Parenthesized(arguments) = &last.arguments else { return None };
        let inputs = arguments.inputs.iter().map(|input| input.ty.clone()).collect();
        let (output, is_unit) = match &arguments.output {
            ReturnType::Default => (quote!(()), true),
            ReturnType::Type(_, ty) => (quote!(#ty), ty.to_token_stream().to_string() == "()"),
        };
        Some(Callable { inputs, output, is_unit, is_sent })
    })
}

impl Callable {
    /// Converts a closure to a value of the type `ty`.
    pub(super) fn wrapped(&self, ty: &Type, closure: &TokenStream) -> TokenStream {
        match ty {
            Type::Group(group) => self.wrapped(&group.elem, closure),
            Type::Paren(paren) => self.wrapped(&paren.elem, closure),
            Type::Reference(reference) if reference.mutability.is_some() => quote!(&mut #closure),
            Type::Reference(_) => quote!(&#closure),
            Type::ImplTrait(_) => closure.clone(),
            _ => quote!(::std::boxed::Box::new(#closure)),
        }
    }

    /// Returns the interface of a closure behind the pointer type `kind`.
    fn interface(&self, options: &Options, kind: &Type) -> TokenStream {
        let runtime = options.runtime();
        let names: Vec<Ident> = (0..self.inputs.len())
            .map(|n| Ident::new(&format!("a{n}"), Span::mixed_site()))
            .collect();
        let passings: Vec<Passing> = self.inputs.iter().map(Passing::of).collect();
        let inputs = &self.inputs;
        let handed = names
            .iter()
            .zip(&passings)
            .filter_map(|(name, passing)| passing.handed(name, &runtime));
        let output = &self.output;
        let mut written = String::from("move |");
        let list: Vec<String> = names
            .iter()
            .zip(inputs)
            .map(|(name, ty)| format!("{name}: {}", written::type_text(&ty.to_token_stream())))
            .collect();
        written.push_str(&list.join(", "));
        written.push('|');
        if !self.is_unit {
            written.push_str(&format!(" -> {}", written::type_text(output)));
        }
        let signature = signature(options, &written, &names, &passings, &self.result_kind(), false);
        let is_sent = self.is_sent;
        let sent = is_sent
            .then(|| quote!(let behavior = #runtime::sendable::SendableBehavior::new(behavior);));
        quote! {{
            let methods = ::std::vec![#signature];
            #runtime::type_info::Interface {
                name: "",
                methods,
                is_send: #is_sent,
                derives: "",
                around: ("Box::new(", ")"),
                make: |behavior| {
                    #sent
                    let made: #kind = ::std::boxed::Box::new(move |#(#names: #inputs),*| -> #output {
                        let _call = #runtime::blame::enter(true, &#runtime::blame::Callee {
                            path: "a callback",
                            party: #runtime::blame::Party::Program,
                        });
                        if !behavior.begins(0) {
                            return behavior.simplest::<#output>(0);
                        }
                        let given = ::std::vec![#(#handed),*];
                        match behavior.run::<#output>(0, given) {
                            ::core::option::Option::Some(result) => result,
                            ::core::option::Option::None => behavior.simplest::<#output>(0),
                        }
                    });
                    ::std::boxed::Box::new(made)
                },
            }
        }}
    }

    fn result_kind(&self) -> Option<Type> {
        if self.is_unit { None } else { syn::parse2(self.output.clone()).ok() }
    }
}

/// Returns the description of a method that programs can implement.
pub(super) fn signature(
    options: &Options,
    written: &str,
    names: &[Ident],
    passings: &[Passing],
    result: &Option<Type>,
    has_default: bool,
) -> TokenStream {
    let runtime = options.runtime();
    let mut parameters = Vec::new();
    let mut kept = Vec::new();
    for (name, passing) in names.iter().zip(passings) {
        if passing.handed(name, &runtime).is_none() {
            continue;
        }
        let kind = passing.register_known(options);
        parameters.push(passing.parameter(options, &kind, passing.handed_mode()));
        kept.push(name.to_string());
    }
    let result = match result {
        None => quote!(::core::option::Option::None),
        Some(ty) => {
            let kind = Passing::of(ty).register(options);
            quote!(::core::option::Option::Some(#kind))
        }
    };
    quote! {{
        let parameters = ::std::vec![#(#parameters),*];
        let result = #result;
        #runtime::type_info::Signature {
            written: #written,
            names: &[#(#kept),*],
            parameters,
            result,
            has_default: #has_default,
        }
    }}
}

/// Parses a pointer to a trait object.
fn object(ty: &Type) -> Option<Makes> {
    let (pointer, inside) = behind(ty)?;
    if matches!(inside, Type::TraitObject(_)) {
        let pointers: &[&str] = match pointer.as_str() {
            "Box" => &["Box"],
            "Rc" => &["std::rc::Rc"],
            "Arc" => &["std::sync::Arc"],
            _ => return None,
        };
        return Some(Makes::Object { object: inside, pointers });
    }
    let (cell, object) = behind(&inside)?;
    let is_shared = pointer == "Rc" && cell == "RefCell";
    (is_shared && matches!(object, Type::TraitObject(_)))
        .then(|| Makes::Object { object, pointers: &["std::rc::Rc", "std::cell::RefCell"] })
}

/// Returns the type of the contents of an `Option` or a `Result`.
pub(super) fn inside(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let is_one = last.ident == "Option" || last.ident == "Result";
    is_one.then(|| first_argument(ty)).flatten()
}

/// Returns the first type argument of a type.
fn first_argument(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}

/// Returns the name of a pointer type and its target.
fn behind(ty: &Type) -> Option<(String, Type)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let name = last.ident.to_string();
    if !["Box", "Rc", "Arc", "RefCell"].contains(&name.as_str()) {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some((name.clone(), ty.clone())),
        _ => None,
    })
}

fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

/// Returns whether a bound is `Send` or `Sync`.
pub(super) fn is_sent(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|last| last.ident == "Send" || last.ident == "Sync")
}

fn without_lifetimes<'a>(
    bounds: impl Iterator<Item = &'a TypeParamBound>,
) -> Vec<&'a TypeParamBound> {
    bounds.filter(|bound| !matches!(bound, TypeParamBound::Lifetime(_))).collect()
}
