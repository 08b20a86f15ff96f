//! How programs pass arguments to a call, and how callbacks receive theirs.
//!
//! A program contains `'static` values, each in a `Box<dyn Any>`. A parameter of another type is
//! passed from the value that owns its contents:
//!
//! | parameter | value in the program | taken from the argument `held` | passed |
//! |---|---|---|---|
//! | `T` | `T` | `held.take::<T>()` | `name` |
//! | `&T` | `T` | `held.by_ref::<T>()` | `name` |
//! | `&mut [T]` | `Vec<T>` | `held.by_mut::<Vec<T>>()` | `&mut **name` |
//! | `&str` | `String` | `held.by_ref::<String>()` | `&**name` |
//! | `&mut dyn Trait` | `Box<dyn Trait>` | `held.object_mut::<dyn Trait>()` | `name` |
//! | `impl Fn(A) -> B` | `Box<dyn Fn(A) -> B>` | `held.take::<Box<dyn Fn(A) -> B>>()` | `name` |
//!
//! A value of the second column has one of three origins: its generator, a call that returned it,
//! or a generated implementation. The last one exists for closures, and for objects of a trait with
//! a contract ([`Implementation`]).
//!
//! The macro sees tokens and not types. It cannot know whether `T` has a generator or is `Clone`, so
//! the generated code finds out: `Probe` has methods that are chosen by the traits of `T`. The
//! references in `(&&Probe::<T>::new())` give the more specific method precedence ("autoref
//! specialization").

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, ReturnType, Type, TypeParamBound};

use super::Options;
use super::generic::may_be_unsized;
use super::kept::copy_of;
use super::substitute::Template;
use super::view::View;
use crate::generated::code;
use crate::written;

/// Whether a call gets an argument, or borrows it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PassingMode {
    Value,
    Ref,
    Mut,
}

impl PassingMode {
    pub(super) fn tokens(self, runtime: &TokenStream) -> TokenStream {
        match self {
            PassingMode::Value => code!(#runtime::table::Mode::Value),
            PassingMode::Ref => code!(#runtime::table::Mode::Ref),
            PassingMode::Mut => code!(#runtime::table::Mode::Mut),
        }
    }
}

/// How programs pass one parameter.
pub(super) struct Passing {
    /// The type of the value in the program.
    pub(super) value_type: Type,
    pub(super) mode: PassingMode,
    /// Whether to pass the target of the value: `&mut **held`.
    is_deref: bool,
    /// Whether the value is an object with its model.
    pub(super) is_modeled: bool,
    /// Set if programs can generate an implementation in place of a value.
    implementation: Option<Implementation>,
    /// The conversion of the value, if the parameter is more than a reference to it.
    view: Option<View>,
    /// The type of the parameter, if there is a view.
    viewed: Option<Type>,
    /// The type behind the reference, if the compiler decides what owns it.
    referent: Option<Type>,
}

/// A type with methods whose bodies programs can generate.
enum Implementation {
    Closure(CallableType),
    /// A trait object, behind these pointers.
    Object {
        object: Type,
        pointers: &'static [&'static str],
    },
}

impl Passing {
    /// Returns how to pass a parameter of this type, which must not contain `Self`.
    pub(super) fn for_type(ty: &Type) -> Passing {
        if let Some(view) = View::for_type(ty) {
            let (mode, viewed) = (view.mode, Some(ty.clone()));
            return Passing { mode, viewed, ..Passing::plain(&view.value_type.clone()) }.with(view);
        }
        match ty {
            Type::Group(group) => Passing::for_type(&group.elem),
            Type::Paren(paren) => Passing::for_type(&paren.elem),
            Type::Reference(reference) => {
                let mode = if reference.mutability.is_some() {
                    PassingMode::Mut
                } else {
                    PassingMode::Ref
                };
                Passing::borrowed(&reference.elem, mode)
            }
            Type::ImplTrait(object) => match callable(ty) {
                Some(callable) => {
                    let bounds = &object.bounds;
                    let bounds = without_lifetimes(bounds.iter());
                    let value_type = syn::parse_quote!(__std::boxed::Box<dyn #(#bounds)+*>);
                    Passing {
                        implementation: Some(Implementation::Closure(callable)),
                        ..Passing::plain(&value_type)
                    }
                }
                None => Passing::plain(ty),
            },
            _ => match pointer_target(ty) {
                Some((pointer, inside)) if callable(&inside).is_some() && pointer == "Box" => {
                    let implementation = callable(&inside).map(Implementation::Closure);
                    Passing { implementation, ..Passing::plain(ty) }
                }
                _ => Passing { implementation: pointer_to_object(ty), ..Passing::plain(ty) },
            },
        }
    }

    pub(super) fn plain(ty: &Type) -> Passing {
        let (mode, value_type) = (PassingMode::Value, ty.clone());
        Passing {
            value_type,
            mode,
            is_deref: false,
            is_modeled: false,
            implementation: None,
            view: None,
            viewed: None,
            referent: None,
        }
    }

    fn with(self, view: View) -> Passing {
        Passing { view: Some(view), ..self }
    }

    /// Returns the reason why a program cannot keep a value for the parameter, if there is one.
    pub(super) fn obstacle(&self) -> Option<String> {
        if let Some(Implementation::Object { object, .. }) = &self.implementation
            && let Some(of_trait) = trait_of_standard_library(object)
        {
            let advice = match callable(object) {
                Some(_) => "take `impl Fn(..)`, `&dyn Fn(..)` or `Box<dyn Fn(..)>`",
                None => "`#[program(skip)]` says that programs need not call this",
            };
            let name = written::type_text(&object.to_token_stream());
            return Some(format!(
                "programs cannot implement `{of_trait}` for `{name}` behind this pointer: {advice}"
            ));
        }
        super::generic::keeps_a_borrow(&self.value_type).then(|| {
            let name = written::type_text(&self.value_type.to_token_stream());
            format!("no program can keep a value of type `{name}`, which borrows")
        })
    }

    /// Returns the statement that converts the value in the variable `name`.
    pub(super) fn convert(&self, name: &Ident) -> TokenStream {
        match &self.view {
            Some(view) => {
                let converted = view.converted(name);
                code!(let #name = #converted;)
            }
            None => TokenStream::new(),
        }
    }

    /// Returns how to pass an object together with its model.
    pub(super) fn with_model(value_type: &Type, mode: PassingMode) -> Passing {
        Passing { mode, is_modeled: true, ..Passing::plain(value_type) }
    }

    /// Returns the trait object, if the parameter is a reference to one.
    pub(super) fn borrowed_object(&self) -> Option<&Type> {
        match &self.implementation {
            Some(Implementation::Object { object, .. }) if self.is_deref => Some(object),
            _ => None,
        }
    }

    /// Returns whether the program passes the value itself.
    pub(super) fn is_value(&self) -> bool {
        self.mode == PassingMode::Value && self.view.is_none() && self.implementation.is_none()
    }

    /// Returns whether the argument can be passed to two calls in a row.
    ///
    /// Calls on an object and on its model take the same arguments. A closure counts its calls, and a
    /// changed value is not the same argument. An object with a model is two values, one per call.
    pub(super) fn is_reusable(&self) -> bool {
        self.implementation.is_none() && (self.mode != PassingMode::Mut || self.is_modeled)
    }

    /// Returns whether two calls may get the same reference.
    pub(super) fn is_shared(&self) -> bool {
        self.mode == PassingMode::Ref && self.view.is_none()
    }

    /// Returns the description of the parameter for the table. `type_index` is the code that registers
    /// its type.
    pub(super) fn parameter(&self, options: &Options, type_index: &TokenStream) -> TokenStream {
        let (runtime, private) = (options.runtime(), options.facade.private());
        let view = match &self.view {
            Some(view) => view.description(&runtime, &private),
            None => code!(::core::option::Option::None),
        };
        self.described(options, type_index, self.mode, &view)
    }

    /// Returns the description of a parameter that the body of a callback receives.
    fn given_parameter(&self, options: &Options, type_index: &TokenStream) -> TokenStream {
        let view = code!(::core::option::Option::None);
        let given = self.described(options, type_index, self.callback_mode(), &view);
        let Some(ty) = &self.referent else { return given };
        let (runtime, is_unsized) = (options.runtime(), self.is_deref);
        let copied = PassingMode::Value.tokens(&runtime);
        code!({
            let mut given = #given;
            if <#ty as #runtime::owner::Referent>::OWNER.is_some() {
                (given.mode, given.is_unsized) = (#copied, #is_unsized);
            }
            given
        })
    }

    fn described(
        &self,
        options: &Options,
        type_index: &TokenStream,
        mode: PassingMode,
        view: &TokenStream,
    ) -> TokenStream {
        let runtime = options.runtime();
        let is_object = self.is_deref && self.implementation.is_some();
        let is_unsized = self.is_deref && self.implementation.is_none();
        let is_unsized = match &self.referent {
            Some(ty) => code!(<#ty as #runtime::owner::Referent>::OWNER.is_some()),
            None => code!(#is_unsized),
        };
        let mode = mode.tokens(&runtime);
        code! {
            #runtime::table::Parameter {
                type_index: #type_index,
                mode: #mode,
                is_object: #is_object,
                is_unsized: #is_unsized,
                view: #view,
            }
        }
    }

    fn borrowed(elem: &Type, mode: PassingMode) -> Passing {
        let owned: Type = match elem {
            Type::Paren(paren) => return Passing::borrowed(&paren.elem, mode),
            Type::Group(group) => return Passing::borrowed(&group.elem, mode),
            Type::Slice(slice) => {
                let element = &slice.elem;
                syn::parse_quote!(__std::vec::Vec<#element>)
            }
            Type::TraitObject(object) => {
                // Values of a program are `'static`, whatever the lifetime of the reference is.
                let bounds = without_lifetimes(object.bounds.iter());
                syn::parse_quote!(__std::boxed::Box<dyn #(#bounds)+*>)
            }
            ty if last_name(ty).is_some_and(|name| name == "str") => {
                syn::parse_quote!(__std::string::String)
            }
            ty if mode == PassingMode::Ref && may_be_unsized(ty) => {
                let owner = syn::parse_quote!(<#ty as __contract::owner::Referent>::Owner);
                return Passing { mode, referent: Some(ty.clone()), ..Passing::plain(&owner) };
            }
            ty => return Passing { mode, ..Passing::behind_reference(ty) },
        };
        Passing { mode, is_deref: true, ..Passing::for_type(&owned) }
    }

    /// Returns how to pass a type behind a reference, which may be a pointer to a trait object.
    fn behind_reference(ty: &Type) -> Passing {
        match ty {
            Type::Reference(_) => Passing::plain(ty),
            _ => Passing::for_type(ty),
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
        let interface = match &self.implementation {
            Some(Implementation::Object { object, .. }) => {
                let runtime = options.runtime();
                code! {{
                    use #runtime::trait_detection::methods::*;
                    (&&#runtime::trait_detection::Probe::<#object>::new()).register(table);
                }}
            }
            _ => self.interface(options),
        };
        self.registered(options, &interface)
    }

    /// Returns the expression for the name of the type.
    fn name(&self, runtime: &TokenStream) -> TokenStream {
        let mut ty = self.value_type.clone();
        if let (true, Some(own)) = (self.is_modeled, first_argument(&ty)) {
            ty = own;
        }
        let mut referents = Vec::new();
        let mut text = written::type_text(&without_owners(ty.to_token_stream(), &mut referents));
        for path in ["__std::boxed::", "__std::string::", "__std::vec::", "::core::option::"] {
            text = text.replace(path, "");
        }
        if referents.is_empty() {
            return code!(#text);
        }
        // The compiler knows the names of the owners.
        let names = referents.iter().map(|ty| {
            let name = written::type_text(ty);
            code!(<#ty as #runtime::owner::Referent>::OWNER.unwrap_or(#name))
        });
        let pieces = text.split(OWNER);
        code!(#runtime::owner::name(&[#(#pieces),*], &[#(#names),*]))
    }

    fn registered(&self, options: &Options, interface: &TokenStream) -> TokenStream {
        let (runtime, private) = (options.runtime(), options.facade.private());
        let value_type = &self.value_type;
        let name = self.name(&runtime);
        let object = match &self.implementation {
            Some(Implementation::Object { object, .. }) => {
                code!(info.object = ::core::option::Option::Some(::core::any::TypeId::of::<#object>());)
            }
            _ => code!(),
        };
        // A program writes bodies of its own for callbacks and implementors, and these bodies call
        // the code under test. A generated function would not.
        let draw = self
            .implementation
            .is_none()
            .then(|| code!(info.draw = (&&#runtime::trait_detection::Probe::<#value_type>::new()).drawer();));
        let is_modeled = self.is_modeled.then(|| code!(info.is_modeled = true;));
        // The generated code adds the type before it registers the contents. Otherwise the
        // registration of a recursive type would not end.
        let contents = contents_of(value_type).or_else(|| element_of(value_type));
        let inside = contents.filter(|ty| !super::generic::keeps_a_borrow(ty)).map(|ty| {
            let register = Passing::for_type(&ty).register_known(options);
            code!(let _ = #register;)
        });
        code! {{
            use #private::show::*;
            use #runtime::trait_detection::methods::*;
            let number = match table.find_type(::core::any::TypeId::of::<#value_type>()) {
                ::core::option::Option::Some(known) => known,
                ::core::option::Option::None => {
                    let mut info = #runtime::trait_detection::plain::<#value_type>(#name, |value| {
                        match value.downcast_ref::<#value_type>() {
                            ::core::option::Option::Some(value) => {
                                (&&&#private::Shown::<#value_type>(value)).show()
                            }
                            ::core::option::Option::None => __std::string::String::new(),
                        }
                    });
                    #draw
                    info.clone = (&&#runtime::trait_detection::Probe::<#value_type>::new()).cloner();
                    info.is_copy = (&&#runtime::trait_detection::Probe::<#value_type>::new()).is_copy();
                    info.is_frozen = (&&#runtime::trait_detection::Probe::<#value_type>::new()).is_frozen();
                    info.is_iterator = (&&#runtime::trait_detection::Probe::<#value_type>::new()).is_iterator();
                    info.is_handle = (&&#runtime::trait_detection::Probe::<#value_type>::new()).is_handle();
                    info.cell = (&&#runtime::trait_detection::Probe::<#value_type>::new()).cell();
                    info.contents = (&&#runtime::trait_detection::Probe::<#value_type>::new()).contents();
                    info.elements = (&&#runtime::trait_detection::Probe::<#value_type>::new()).elements();
                    #object
                    #is_modeled
                    let number = table.add_type(info);
                    (&&#runtime::trait_detection::Probe::<#value_type>::new()).register(table);
                    (&&#runtime::trait_detection::Probe::<#value_type>::new()).register_contents(table);
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
        let value_type = &self.value_type;
        let interface = match &self.implementation {
            None => return code!(),
            Some(Implementation::Closure(callable)) => callable.interface(options, value_type),
            Some(Implementation::Object { object, pointers }) => {
                let open: String =
                    pointers.iter().map(|pointer| format!("{pointer}::new(")).collect();
                let close = ")".repeat(pointers.len());
                let made = code!(
                    <#object as #runtime::implementor::Implementable>::implement(behavior));
                let made = pointers.iter().rev().fold(made, |inside, pointer| match *pointer {
                    "Box" => code!(__std::boxed::Box::new(#inside)),
                    "std::rc::Rc" => code!(__std::rc::Rc::new(#inside)),
                    "std::sync::Arc" => code!(__std::sync::Arc::new(#inside)),
                    _ => code!(__std::cell::RefCell::new(#inside)),
                });
                code! {
                    <#object as #runtime::implementor::Implementable>::interface(
                        table,
                        |behavior| {
                            let made: #value_type = #made;
                            __std::boxed::Box::new(made)
                        },
                        (#open, #close),
                    )
                }
            }
        };
        code! {
            if table.mark_described(number) {
                let interface = __std::rc::Rc::new(#interface);
                if let ::core::option::Option::Some(info) = table.type_mut(number) {
                    info.interface = ::core::option::Option::Some(interface);
                }
            }
        }
    }

    /// Returns the expression that takes the argument from the variable `held`, as an `Option`.
    pub(super) fn take_argument(&self, held: &Ident) -> TokenStream {
        let value_type = &self.value_type;
        if let Some(object) = self.borrowed_object() {
            return match self.mode {
                PassingMode::Mut => code!(#held.object_mut::<#object>()),
                _ => code!(#held.object_ref::<#object>()),
            };
        }
        match self.mode {
            PassingMode::Value => code!(#held.take::<#value_type>()),
            PassingMode::Ref => code!(#held.by_ref::<#value_type>()),
            PassingMode::Mut => code!(#held.by_mut::<#value_type>()),
        }
    }

    /// Returns the expression to pass for the variable `name`, which has the value that was
    /// [taken](Passing::take_argument).
    pub(super) fn argument(&self, name: &TokenStream) -> TokenStream {
        if self.view.is_some() {
            return name.clone();
        }
        if let Some(ty) = &self.referent {
            return code!(<#ty as __contract::owner::Referent>::lend(#name));
        }
        match (self.mode, self.is_deref && self.borrowed_object().is_none()) {
            (_, false) | (PassingMode::Value, _) => code!(#name),
            (PassingMode::Ref, true) => code!(&**#name),
            (PassingMode::Mut, true) => code!(&mut **#name),
        }
    }

    /// Returns the expression with which a callback passes its parameter `name` to its body, or
    /// `None` if it cannot.
    pub(super) fn callback_argument(
        &self,
        name: &Ident,
        runtime: &TokenStream,
    ) -> Option<TokenStream> {
        let held = code!(#runtime::call_argument::CallArgument);
        if self.obstacle().is_some() {
            return None;
        }
        if let Some(viewed) = &self.viewed {
            copy_of(viewed)?;
            return Some(code!({
                use #runtime::kept_result::methods::*;
                (&&#runtime::kept_result::Borrowed::new(#name)).kept().map_or(#held::Nothing, #held::Owned)
            }));
        }
        if let Some(ty) = &self.referent {
            return Some(code!(<#ty as #runtime::owner::Referent>::argument(#name)));
        }
        match (self.mode, self.is_deref) {
            (PassingMode::Value, _) => Some(code!(#held::Owned(__std::boxed::Box::new(#name)))),
            (PassingMode::Ref, false) => Some(code!(#held::Ref(#name))),
            (PassingMode::Mut, false) => Some(code!(#held::Mut(#name))),
            // A body keeps its arguments as values, so `&str` becomes a `String` of its own.
            (_, true) if self.implementation.is_none() => {
                Some(code!(#held::Owned(__std::boxed::Box::new(#name.to_owned()))))
            }
            (_, true) if self.borrowed_object().is_some() => Some(code!({
                use #runtime::trait_detection::methods::*;
                (&&#runtime::trait_detection::Lend::new(#name)).call_argument()
            })),
            // A reference to a closure: its type is not `'static`, and it cannot be copied.
            (_, true) => None,
        }
    }

    /// Returns the mode of a callback's parameter. A copy for the body is owned by the body.
    fn callback_mode(&self) -> PassingMode {
        if self.view.is_some() || self.is_deref && self.borrowed_object().is_none() {
            PassingMode::Value
        } else {
            self.mode
        }
    }
}

/// The placeholder for the name of a type that the compiler knows.
const OWNER: &str = "__owner";

/// Replaces each `<T as __contract::owner::Referent>::Owner` with the placeholder, and adds its `T` to
/// the list.
fn without_owners(tokens: TokenStream, referents: &mut Vec<TokenStream>) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_ident = |at: usize, name: &str| matches!(trees.get(at), Some(TokenTree::Ident(ident)) if ident == name);
    let mut out = TokenStream::new();
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        let is_open = matches!(tree, TokenTree::Punct(punct) if punct.as_char() == '<');
        let is_end = |nth: &usize| is_ident(*nth, "as") && is_ident(nth + 1, "__contract");
        let next =
            |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == '<');
        let inner = trees.iter().skip(at + 1).position(next).map(|nth| at + 1 + nth);
        let end = (at + 1..inner.unwrap_or(trees.len())).find(is_end);
        match (tree, end.filter(|_| is_open)) {
            (_, Some(end)) => {
                referents.push(trees[at + 1..end].iter().cloned().collect());
                out.extend([TokenTree::Ident(Ident::new(OWNER, Span::call_site()))]);
                // `as __contract :: owner :: Referent > :: Owner`
                at = end + 12;
            }
            (TokenTree::Group(group), None) => {
                let inside = without_owners(group.stream(), referents);
                out.extend([TokenTree::Group(Group::new(group.delimiter(), inside))]);
                at += 1;
            }
            (tree, None) => {
                out.extend([tree.clone()]);
                at += 1;
            }
        }
    }
    out
}

/// A callable type.
pub(super) struct CallableType {
    pub(super) inputs: Vec<Type>,
    pub(super) output: TokenStream,
    is_unit: bool,
    /// Whether the type is `Send` or `Sync`.
    is_sendable: bool,
}

/// Parses a callable type: `impl Fn(..)`, `dyn Fn(..)`, or a pointer to one.
pub(super) fn callable(ty: &Type) -> Option<CallableType> {
    let bounds = match ty {
        Type::Group(group) => return callable(&group.elem),
        Type::Paren(paren) => return callable(&paren.elem),
        Type::Reference(reference) => return callable(&reference.elem),
        Type::ImplTrait(ty) => &ty.bounds,
        Type::TraitObject(ty) => &ty.bounds,
        _ => {
            let (pointer, inside) = pointer_target(ty)?;
            return (pointer == "Box").then(|| callable(&inside)).flatten();
        }
    };
    let is_sendable = bounds.iter().any(is_sendable);
    bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last()?;
        ["Fn", "FnMut", "FnOnce"].into_iter().find(|name| last.ident == name)?;
        let PathArguments::Parenthesized(arguments) = &last.arguments else { return None };
        let inputs = arguments.inputs.iter().map(|input| input.ty.clone()).collect();
        let (output, is_unit) = match &arguments.output {
            ReturnType::Default => (code!(()), true),
            ReturnType::Type(_, ty) => (code!(#ty), ty.to_token_stream().to_string() == "()"),
        };
        Some(CallableType { inputs, output, is_unit, is_sendable })
    })
}

impl CallableType {
    /// Converts a closure to a value of the type `ty`.
    pub(super) fn wrap(&self, ty: &Type, closure: &TokenStream) -> TokenStream {
        match ty {
            Type::Group(group) => self.wrap(&group.elem, closure),
            Type::Paren(paren) => self.wrap(&paren.elem, closure),
            Type::Reference(reference) if reference.mutability.is_some() => code!(&mut #closure),
            Type::Reference(_) => code!(&#closure),
            Type::ImplTrait(_) => closure.clone(),
            _ => code!(__std::boxed::Box::new(#closure)),
        }
    }

    /// Returns the interface of a closure behind the pointer type `value_type`.
    fn interface(&self, options: &Options, value_type: &Type) -> TokenStream {
        let runtime = options.runtime();
        let names: Vec<Ident> = (0..self.inputs.len())
            .map(|n| Ident::new(&format!("a{n}"), Span::mixed_site()))
            .collect();
        let passings: Vec<Passing> = self.inputs.iter().map(Passing::for_type).collect();
        let inputs = &self.inputs;
        let handed = names
            .iter()
            .zip(&passings)
            .filter_map(|(name, passing)| passing.callback_argument(name, &runtime));
        let output = &self.output;
        let parameters: Vec<(&Ident, &Type)> = names.iter().zip(inputs).collect();
        let after = match self.is_unit {
            true => "|".to_owned(),
            false => format!("| -> {}", written::type_text(output)),
        };
        let signature = SignatureWriter {
            before: "move |".to_owned(),
            parameters: &parameters,
            after,
            result: self.result_type(),
            default: None,
        };
        let signature = signature.tokens(options);
        let is_sendable = self.is_sendable;
        let sent = is_sendable
            .then(|| code!(let behavior = #runtime::sendable::SendableBehavior::new(behavior);));
        code! {{
            let methods = __std::vec::Vec::from([#signature]);
            #runtime::type_info::Interface {
                name: "",
                methods,
                is_send: #is_sendable,
                derives: "",
                attribute: "",
                around: ("Box::new(", ")"),
                make: |behavior| {
                    #sent
                    let made: #value_type = __std::boxed::Box::new(move |#(#names: #inputs),*| -> #output {
                        let _call = #runtime::blame::enter(true, &#runtime::blame::Callee {
                            path: #runtime::blame::CLOSURE,
                            party: #runtime::blame::Party::Program,
                        });
                        if !behavior.begins(0) {
                            return behavior.simplest::<#output>(0);
                        }
                        let given = __std::vec::Vec::from([#(#handed),*]);
                        match behavior.run::<#output>(0, given) {
                            ::core::option::Option::Some(result) => result,
                            ::core::option::Option::None => behavior.simplest::<#output>(0),
                        }
                    });
                    __std::boxed::Box::new(made)
                },
            }
        }}
    }

    fn result_type(&self) -> Option<Type> {
        if self.is_unit { None } else { syn::parse2(self.output.clone()).ok() }
    }
}

/// Writes the description of a method that programs can implement.
pub(super) struct SignatureWriter<'a> {
    /// The code before the parameters.
    pub(super) before: String,
    pub(super) parameters: &'a [(&'a Ident, &'a Type)],
    /// The code after the parameters.
    pub(super) after: String,
    pub(super) result: Option<Type>,
    /// The method with the default body, if there is one.
    pub(super) default: Option<String>,
}

impl SignatureWriter<'_> {
    pub(super) fn tokens(&self, options: &Options) -> TokenStream {
        let runtime = options.runtime();
        let mut written = Template::default();
        written.code(&self.before);
        let mut parameters = Vec::new();
        let mut names = Vec::new();
        for (nth, (name, ty)) in self.parameters.iter().enumerate() {
            written.code(if nth > 0 { ", " } else { "" });
            let passing = Passing::for_type(ty);
            if passing.callback_argument(name, &runtime).is_some() {
                written.argument(names.len());
                let type_index = passing.register_known(options);
                parameters.push(passing.given_parameter(options, &type_index));
                names.push(name.to_string());
            } else {
                // The body cannot use this parameter, so the program does not know about it.
                written.code("_");
            }
            written.code(&format!(": {}", written::type_text(&ty.to_token_stream())));
        }
        written.code(&self.after);
        let written = written.tokens(&runtime);
        let result = match &self.result {
            None => code!(::core::option::Option::None),
            Some(ty) => {
                let type_index = Passing::for_type(ty).register(options);
                code!(::core::option::Option::Some(#type_index))
            }
        };
        let default = match &self.default {
            None => code!(::core::option::Option::None),
            Some(name) => code!(::core::option::Option::Some(#name)),
        };
        code! {{
            let parameters = __std::vec::Vec::from([#(#parameters),*]);
            let result = #result;
            #runtime::type_info::Signature {
                written: #written,
                names: &[#(#names),*],
                parameters,
                result,
                default: #default,
            }
        }}
    }
}

/// Returns the name of the trait of an object, if it is one of the standard library. Such a trait has no
/// contract, and users cannot add one.
fn trait_of_standard_library(object: &Type) -> Option<String> {
    let Type::TraitObject(object) = object else { return None };
    let main = object.bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) if !is_sendable(&TypeParamBound::Trait(bound.clone())) => {
            Some(&bound.path)
        }
        _ => None,
    })?;
    let last = main.segments.last()?;
    let others = ["Any", "Fn", "FnMut", "FnOnce"];
    let is_other = main.segments.len() == 1 && others.iter().any(|name| last.ident == name);
    (super::is_of_standard_library(main) || is_other).then(|| last.ident.to_string())
}

/// Parses a pointer to a trait object.
fn pointer_to_object(ty: &Type) -> Option<Implementation> {
    let (pointer, inside) = pointer_target(ty)?;
    if matches!(inside, Type::TraitObject(_)) {
        let pointers: &[&str] = match pointer.as_str() {
            "Box" => &["Box"],
            "Rc" => &["std::rc::Rc"],
            "Arc" => &["std::sync::Arc"],
            _ => return None,
        };
        return Some(Implementation::Object { object: inside, pointers });
    }
    let (cell, object) = pointer_target(&inside)?;
    let is_shared = pointer == "Rc" && cell == "RefCell";
    (is_shared && matches!(object, Type::TraitObject(_))).then(|| Implementation::Object {
        object,
        pointers: &["std::rc::Rc", "std::cell::RefCell"],
    })
}

/// Returns the type of the contents of an `Option` or a `Result`.
pub(super) fn contents_of(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let is_one = last.ident == "Option" || last.ident == "Result";
    is_one.then(|| first_argument(ty)).flatten()
}

/// Returns the type of the elements of a `Vec`.
fn element_of(ty: &Type) -> Option<Type> {
    last_name(ty).is_some_and(|name| name == "Vec").then(|| first_argument(ty)).flatten()
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
fn pointer_target(ty: &Type) -> Option<(String, Type)> {
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
pub(super) fn is_sendable(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|last| last.ident == "Send" || last.ident == "Sync")
}

fn without_lifetimes<'a>(
    bounds: impl Iterator<Item = &'a TypeParamBound>,
) -> Vec<&'a TypeParamBound> {
    bounds.filter(|bound| !matches!(bound, TypeParamBound::Lifetime(_))).collect()
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    /// Checks how a parameter is passed: the value in the program, the expressions that take and
    /// pass it, and the argument that a callback with this parameter gives to its body.
    #[track_caller]
    fn check(parameter: &str, expected: [&str; 4]) {
        let passing = Passing::for_type(&syn::parse_str(parameter).expect("a type"));
        let held = Ident::new("held", Span::call_site());
        let name = Ident::new("name", Span::call_site());
        let callback = passing.callback_argument(&name, &quote!(rt)).unwrap_or_default();
        let found = [
            passing.value_type.to_token_stream(),
            passing.take_argument(&held),
            passing.argument(&quote!(name)),
            callback,
        ];
        let plain = |tokens: TokenStream| {
            let text = tokens.to_string().replace(' ', "");
            ["__std::boxed::", "__std::string::", "__std::vec::", "__std::path::"]
                .iter()
                .fold(text, |text, path| text.replace(path, ""))
        };
        assert_eq!(found.map(plain), expected.map(|text| text.replace(' ', "")), "{parameter}");
    }

    #[test]
    fn values_are_moved() {
        let owned = "rt::call_argument::CallArgument::Owned(Box::new(name))";
        check("u8", ["u8", "held.take::<u8>()", "name", owned]);
        check("(Vec<u8>)", ["Vec<u8>", "held.take::<Vec<u8>>()", "name", owned]);
        check("Option<u8>", ["Option<u8>", "held.take::<Option<u8>>()", "name", owned]);
    }

    #[test]
    fn references_borrow_the_value_in_the_program() {
        let argument = "rt::call_argument::CallArgument";
        check("&u8", ["u8", "held.by_ref::<u8>()", "name", &format!("{argument}::Ref(name)")]);
        let by_mut = format!("{argument}::Mut(name)");
        check("&mut Vec<u8>", ["Vec<u8>", "held.by_mut::<Vec<u8>>()", "name", &by_mut]);
    }

    #[test]
    fn unsized_types_are_borrowed_from_their_owner_and_copied_for_bodies() {
        let copy = "rt::call_argument::CallArgument::Owned(Box::new(name.to_owned()))";
        check("&str", ["String", "held.by_ref::<String>()", "&**name", copy]);
        check("&mut [u8]", ["Vec<u8>", "held.by_mut::<Vec<u8>>()", "&mut **name", copy]);
        let owner = "<Path as __contract::owner::Referent>::Owner";
        let take = format!("held.by_ref::<{owner}>()");
        let lent = "<Path as __contract::owner::Referent>::lend(name)";
        let given = "<Path as rt::owner::Referent>::argument(name)";
        check("&Path", [owner, &take, lent, given]);
    }

    #[test]
    fn objects_are_lent_without_their_lifetime() {
        let lent = "{use rt::trait_detection::methods::*; (&&rt::trait_detection::Lend::new(name)).call_argument()}";
        let value = "Box<dyn Trait>";
        check("&dyn Trait", [value, "held.object_ref::<dyn Trait>()", "name", lent]);
        check("&mut (dyn Trait + '_)", [value, "held.object_mut::<dyn Trait>()", "name", lent]);
    }

    #[test]
    fn closures_are_boxed() {
        let value = "Box<dyn Fn(u8) -> bool>";
        let take = format!("held.take::<{value}>()");
        let owned = "rt::call_argument::CallArgument::Owned(Box::new(name))";
        check("impl Fn(u8) -> bool", [value, &take, "name", owned]);
        // A body cannot keep a borrowed closure.
        let by_ref = format!("held.by_ref::<{value}>()");
        check("&dyn Fn(u8) -> bool", [value, &by_ref, "&**name", ""]);
    }

    #[test]
    fn only_known_pointers_have_a_generated_object() {
        let is_object = |text: &str| {
            let passing = Passing::for_type(&syn::parse_str(text).expect("a type"));
            matches!(passing.implementation, Some(Implementation::Object { .. }))
        };
        for pointer in ["Box<dyn T>", "Rc<dyn T>", "Arc<dyn T>", "Rc<RefCell<dyn T>>"] {
            assert!(is_object(pointer), "{pointer}");
        }
        for other in ["Box<T>", "RefCell<dyn T>", "Arc<RefCell<dyn T>>", "Vec<dyn T>"] {
            assert!(!is_object(other), "{other}");
        }
    }

    #[test]
    fn closures_objects_and_changed_values_are_not_reusable() {
        let is_reusable =
            |text: &str| Passing::for_type(&syn::parse_str(text).expect("a type")).is_reusable();
        assert!(is_reusable("u8") && is_reusable("&str"));
        assert!(!is_reusable("&mut u8") && !is_reusable("impl Fn()") && !is_reusable("&dyn T"));
    }

    #[test]
    fn callable_types_are_read_through_pointers_and_references() {
        let callable = |text: &str| callable(&syn::parse_str(text).expect("a type"));
        let found = callable("&mut (dyn FnMut(u8, &str) -> bool + Send)").expect("a callable type");
        assert_eq!(found.inputs.len(), 2);
        assert_eq!(found.output.to_string(), "bool");
        assert!(found.is_sendable && !found.is_unit);
        assert!(callable("Box<dyn FnOnce()>").is_some_and(|found| found.is_unit));
        assert!(callable("Rc<dyn Fn()>").is_none() && callable("fn()").is_none());
    }
}
