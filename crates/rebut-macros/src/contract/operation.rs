//! Turns functions into operations that programs call.
//!
//! A program knows a function only through its entry in the table of operations: the types of its
//! parameters by their numbers, and one function pointer. So the code that generates, runs and
//! prints programs is compiled once, whatever the types are. Below
//!
//! ```text
//! #[rebut::contract]
//! impl Stack {
//!     #[requires(n > 0)]
//!     pub fn push(&mut self, n: u8) -> bool { .. }
//! }
//! ```
//!
//! this module adds the entry (paths are shortened):
//!
//! ```text
//! let parameters = vec![/* Stack by `&mut`, u8 by value */];
//! let result = Some(/* the number of bool */);
//! table.add_operation(Operation {
//!     path: "Stack::push",
//!     is_method: true,
//!     effect: Effect::Mutates,
//!     requires: &[&[Piece::Argument(1), Piece::Code(" > 0")]],
//!     call: |held: &mut [CallArgument<'_>]| {
//!         let [held_0, held_1] = held else { return CallOutcome::WrongTypes };
//!         let Some(this) = held_0.by_mut::<Stack>() else { return CallOutcome::WrongTypes };
//!         let Some(n) = held_1.take::<u8>() else { return CallOutcome::WrongTypes };
//!         if !blame::holds(|| n > 0) {
//!             return CallOutcome::Skipped(0);
//!         }
//!         CallOutcome::Returned(Some(Box::new(<Stack>::push(this, n))))
//!     },
//!     ..
//! });
//! ```
//!
//! The preconditions are checked here too, although the function itself checks them: a program that
//! violates one is not a counterexample, and must skip the statement before the call begins.
//!
//! A method of a trait has an entry in the table of the trait. Its closure does not name the type of
//! the receiver. It passes the number of the method to `dispatch_ref` or `dispatch_mut`, which the
//! module `interface` writes.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};
use syn::{
    Attribute, Error, GenericArgument, Meta, PathArguments, ReceiverKind, Result, ReturnType,
    Signature, Type,
};

use super::Options;
use super::clause::{Clause, Clauses};
use super::generic;
use super::kept::ResultStorage;
use super::model::{Model, ModelCallWriter, ModelCounterpart, copy_of};
use super::passing::{Passing, PassingMode, contents_of};
use super::pattern::TakenApart;
use super::substitute::{self, Template};
use crate::generated::code;
use crate::written;

/// The settings in `#[program(..)]` on a function.
#[derive(Clone, Copy, Default)]
pub(super) struct ProgramHints {
    /// Programs do not call the function.
    pub(super) skip: bool,
    /// The function changes state although it takes `&self`.
    changes: bool,
    /// The function has `#[must_use]`.
    must_use: bool,
}

impl ProgramHints {
    pub(super) fn take(attributes: &mut Vec<Attribute>) -> Result<ProgramHints> {
        let mut hints = ProgramHints::default();
        let mut error = None;
        hints.must_use = attributes.iter().any(|one| one.path().is_ident("must_use"));
        attributes.retain(|attribute| {
            if !attribute.path().is_ident("program") {
                return true;
            }
            let word = match &attribute.meta {
                Meta::List(list) => list.tokens.to_string(),
                _ => String::new(),
            };
            match word.as_str() {
                "skip" => hints.skip = true,
                "changes" => hints.changes = true,
                _ => {
                    error = Some(Error::new_spanned(
                        attribute,
                        "write `#[program(skip)]` if programs must not call this, or \
                         `#[program(changes)]` if it changes state through `&self`",
                    ));
                }
            }
            false
        });
        error.map_or(Ok(hints), Err)
    }
}

/// The owner of a function.
#[derive(Clone, Copy)]
pub(super) enum Owner<'a> {
    /// A type, through an impl block, with its model if there is one.
    Type(Option<&'a Model>),
    /// A type of another crate, whose functions are called through the hidden trait `Checked`. The
    /// path of the function with the checks is empty if it has none.
    Foreign(Option<&'a Model>, &'a str),
    /// A trait, with the number of the method among those that programs call.
    Trait(usize),
    /// A free function has no owner.
    None,
}

/// Writes the entry of a function that programs can call.
#[derive(Clone, Copy)]
pub(super) struct OperationWriter<'a> {
    pub(super) options: &'a Options,
    pub(super) self_ty: &'a Type,
    pub(super) type_name: &'a str,
    pub(super) owner: Owner<'a>,
    /// The types for type parameters.
    pub(super) with: &'a [(Ident, Type)],
    /// The lifetimes of the impl block, which are `'static` in programs.
    pub(super) lifetimes: &'a [String],
    /// The traits of the type parameters of the impl block.
    pub(super) traits: &'a [(Ident, syn::Path)],
}

/// The parsed attributes of a function.
pub(super) struct FunctionAttributes<'a> {
    pub(super) clauses: &'a Clauses,
    /// Whether the function has a clause that can fail: its own, of its type or of a callback.
    pub(super) can_fail: bool,
    pub(super) hints: ProgramHints,
    pub(super) model: &'a ModelCounterpart,
}

impl OperationWriter<'_> {
    /// Returns the statement that registers the function, or records why programs cannot call it.
    pub(super) fn entry(
        &self,
        signature: &Signature,
        attributes: &FunctionAttributes<'_>,
    ) -> Result<TokenStream> {
        match self.with_types(signature) {
            Err(reason) => Ok(self.left_out(signature, &reason)),
            Ok(with) => OperationWriter { with: &with, ..*self }.callable(signature, attributes),
        }
    }

    /// Returns the types for the parameters of the function, or the reason why no program calls it.
    fn with_types(&self, signature: &Signature) -> std::result::Result<Vec<(Ident, Type)>, String> {
        if signature.asyncness.is_some() {
            return Err("it is async".to_owned());
        }
        if let syn::Safety::Unsafe(_) = signature.safety {
            return Err("it is unsafe, and no contract says which calls are sound".to_owned());
        }
        if let Some(receiver) = signature.receiver()
            && let ReceiverKind::Reference(_, Some(lifetime), _) = &receiver.kind
            && self.lifetimes.iter().any(|known| lifetime.ident == known)
        {
            return Err(format!("it borrows `self` for as long as `{lifetime}`"));
        }
        generic::assignments(signature, self.with)
    }

    fn left_out(&self, signature: &Signature, reason: &str) -> TokenStream {
        let (runtime, path) = (self.options.runtime(), self.path(&signature.ident.to_string()));
        let output = signature.output.to_token_stream();
        let own = self.self_ty.to_token_stream().to_string();
        let returns_own =
            super::clause::names(&output, "Self") || output.to_string().contains(&own);
        let role = match self.owner {
            Owner::Trait(_) => code!(OfTrait),
            _ if returns_own && signature.receiver().is_none() => code!(Constructor),
            _ => code!(Other),
        };
        code!(table.leave_out(#path, #reason, #runtime::table::Role::#role);)
    }

    fn callable(
        &self,
        signature: &Signature,
        attributes: &FunctionAttributes<'_>,
    ) -> Result<TokenStream> {
        let inputs = match self.inputs(signature)? {
            Ok(inputs) => inputs,
            Err(reason) => return Ok(self.left_out(signature, &reason)),
        };
        let storage = self.storage(signature)?;
        let modeled = self.modeled(signature, &storage, &inputs, attributes)?;
        let runtime = self.options.runtime();
        let registered: Vec<TokenStream> =
            inputs.iter().map(|(_, passing)| self.registered(passing)).collect();
        let is_method = signature.receiver().is_some();
        let effect = self.effect(signature, &inputs, &storage, attributes.hints);
        let thunk = match self.owner {
            Owner::Trait(nth) => self.dispatched(nth, &inputs),
            _ => self.thunk(signature, attributes.clauses, &storage, &inputs, modeled.as_ref()),
        };
        let names = argument_names(&inputs, is_method);
        let clauses = &attributes.clauses.requires;
        let requires: Vec<TokenStream> = clauses
            .iter()
            .map(|clause| requires_template(signature, clause, &names).tokens(&runtime))
            .collect();
        let count = requires.len();
        let name = signature.ident.to_string();
        let path = self.path(&name);
        let printed_path = self.printed_path(&name);
        let can_fail = attributes.can_fail;
        let module = match self.owner {
            Owner::Type(_) => code!(::core::module_path!()),
            _ => code!(""),
        };
        let checked_path = match self.owner {
            Owner::Foreign(_, checked_path) => checked_path,
            _ => "",
        };
        let is_collected = matches!(storage, ResultStorage::Collected(..));
        let is_ignorable = !attributes.hints.must_use && is_ignorable(signature);
        let descriptions =
            clauses.iter().map(|clause| format!("`{path}` requires `{}`", clause.text));
        let (result, after) = self.result(&storage);
        let model = modeled.map_or_else(
            || code!(::core::option::Option::None),
            |modeled| modeled.description(&runtime),
        );
        Ok(code! {{
            let parameters = __std::vec::Vec::from([#(#registered),*]);
            let result = #result;
            table.add_operation(#runtime::table::Operation {
                path: #path,
                printed_path: #printed_path,
                module: #module,
                checked_path: #checked_path,
                name: #name,
                is_method: #is_method,
                effect: #effect,
                parameters,
                after: #after,
                is_ignorable: #is_ignorable,
                is_collected: #is_collected,
                result,
                requires: &[#(#requires),*],
                clauses: &[#(#descriptions),*],
                can_fail: #can_fail,
                model: #model,
                call: #thunk,
                counts: #runtime::table::CallCounts::new(#count),
            });
        }})
    }

    fn registered(&self, passing: &Passing) -> TokenStream {
        let kind = match self.owner {
            // A method of a trait may take a value that programs cannot construct. Then they do not
            // call it.
            Owner::Trait(_) => passing.register_known(self.options),
            _ => passing.register(self.options),
        };
        passing.parameter(self.options, &kind)
    }

    fn path(&self, name: &str) -> String {
        match self.owner {
            Owner::None => name.to_owned(),
            _ => format!("{}::{name}", self.type_name),
        }
    }

    /// Returns the path as code outside of the block, where the parameters of the type have values:
    /// `Stack::<u8>::new`.
    fn printed_path(&self, name: &str) -> String {
        let path = self.path(name);
        let (Owner::Type(_), Ok(Type::Path(own))) = (self.owner, self.concrete_self()) else {
            return path;
        };
        let Some(last) = own.path.segments.last() else { return path };
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return path };
        let is_lifetime =
            |argument: &GenericArgument| matches!(argument, GenericArgument::Lifetime(_));
        if arguments.args.iter().all(is_lifetime) {
            return path;
        }
        let arguments = written::type_text(&arguments.args.to_token_stream());
        format!("{}::<{arguments}>::{name}", last.ident)
    }

    fn model(&self) -> Option<&Model> {
        match self.owner {
            Owner::Type(model) | Owner::Foreign(model, _) => model,
            _ => None,
        }
    }

    /// Returns the corresponding call on the model.
    fn modeled(
        &self,
        signature: &Signature,
        storage: &ResultStorage,
        inputs: &[(Ident, Passing)],
        attributes: &FunctionAttributes<'_>,
    ) -> Result<Option<ModelCallWriter<'_>>> {
        let Some(model) = self.model() else { return Ok(None) };
        let is_constructor = match storage {
            ResultStorage::Value(ty) | ResultStorage::Contents(ty) => {
                is_same_type(ty, &self.concrete_self().ok())
            }
            _ => false,
        };
        let path = self.path(&signature.ident.to_string());
        ModelCallWriter::new(
            model,
            path,
            signature,
            inputs,
            attributes.model,
            storage,
            is_constructor,
        )
        .map(Some)
    }

    fn concrete(&self, ty: &Type) -> Result<Type> {
        syn::parse2(self.concrete_tokens(ty.to_token_stream()))
    }

    fn concrete_self(&self) -> Result<Type> {
        self.concrete(self.self_ty)
    }

    /// Returns the parameters and how to pass them, the receiver first; or the reason why a program
    /// cannot pass one of them.
    fn inputs(
        &self,
        signature: &Signature,
    ) -> Result<std::result::Result<Vec<(Ident, Passing)>, String>> {
        let mut inputs = Vec::new();
        if let Some(receiver) = signature.receiver() {
            let own = self.concrete_self()?;
            let ty: Type = match &receiver.kind {
                ReceiverKind::Reference(_, _, Some(_)) => syn::parse_quote!(&mut #own),
                ReceiverKind::Reference(_, _, None) => syn::parse_quote!(&#own),
                ReceiverKind::Typed(_, ty) => self.concrete(ty)?,
                _ => own,
            };
            inputs.push((this(), self.passing(&ty)));
        }
        for (n, input) in super::checked::typed(signature).enumerate() {
            let name = match &*input.pat {
                syn::Pat::Ident(pat) => pat.ident.clone(),
                _ => format_ident!("argument_{n}", span = Span::mixed_site()),
            };
            let ty = generic::without_lifetimes_of(signature, input.ty.to_token_stream());
            let ty = self.concrete(&syn::parse2(ty)?)?;
            let ty = match generic::without_impl(&ty, self.with) {
                Ok(ty) => ty,
                Err(reason) => return Ok(Err(reason)),
            };
            inputs.push((name, self.passing(&ty)));
        }
        match inputs.iter().find_map(|(_, passing)| passing.obstacle()) {
            Some(reason) => Ok(Err(reason)),
            None => Ok(Ok(inputs)),
        }
    }

    /// Returns how to pass a value of this type. An object is passed with its model, if it has one.
    fn passing(&self, ty: &Type) -> Passing {
        let (Some(model), Ok(own)) = (self.model(), self.concrete_self()) else {
            return Passing::for_type(ty);
        };
        let (mode, plain) = match ty {
            Type::Reference(reference) if reference.mutability.is_some() => {
                (PassingMode::Mut, &*reference.elem)
            }
            Type::Reference(reference) => (PassingMode::Ref, &*reference.elem),
            ty => (PassingMode::Value, ty),
        };
        match is_same_type(plain, &Some(own.clone())) {
            true => Passing::with_model(&model.modeled_type(&own, self.options), mode),
            false => Passing::for_type(ty),
        }
    }

    fn effect(
        &self,
        signature: &Signature,
        inputs: &[(Ident, Passing)],
        storage: &ResultStorage,
        hints: ProgramHints,
    ) -> TokenStream {
        let runtime = self.options.runtime();
        let takes_self = signature
            .receiver()
            .is_some_and(|receiver| matches!(receiver.kind, ReceiverKind::Value));
        let changes = hints.changes
            || takes_self
            || inputs.iter().any(|(_, passing)| passing.mode == PassingMode::Mut)
            // A function without a result is called for its effect.
            || matches!(signature.output, ReturnType::Default);
        let is_constructor = signature.receiver().is_none()
            && match storage {
                ResultStorage::Value(ty) | ResultStorage::Contents(ty) => {
                    is_same_type(ty, &self.concrete_self().ok())
                }
                _ => false,
            };
        match (is_constructor, changes) {
            (true, _) => code!(#runtime::table::Effect::Constructs),
            (_, true) => code!(#runtime::table::Effect::Mutates),
            _ => code!(#runtime::table::Effect::Reads),
        }
    }

    fn storage(&self, signature: &Signature) -> Result<ResultStorage> {
        let ReturnType::Type(_, ty) = &signature.output else { return Ok(ResultStorage::Nothing) };
        let concrete = self.concrete(ty)?;
        if matches!(concrete, Type::Never(_)) {
            return Ok(ResultStorage::Never);
        }
        if concrete.to_token_stream().to_string() == "()" {
            return Ok(ResultStorage::Nothing);
        }
        // A fallible constructor: programs need the object, and skip the statement if there is none.
        if let Some(inside) = contents_of(&concrete)
            && is_same_type(&inside, &self.concrete_self().ok())
        {
            return Ok(ResultStorage::Contents(inside));
        }
        Ok(ResultStorage::for_type(&concrete))
    }

    /// Returns the number of the result type, and the code after the call. Both are evaluated after
    /// the types of the parameters are registered.
    fn result(&self, storage: &ResultStorage) -> (TokenStream, TokenStream) {
        let runtime = self.options.runtime();
        let register = |ty: &Type| {
            let kind = self.passing_of_result(ty).register_known(self.options);
            match storage.copied_type() {
                None => code!(::core::option::Option::Some(#kind)),
                // A copy that cannot be cloned was never made.
                Some(_) => code!({
                    use #runtime::trait_detection::methods::*;
                    let number = #kind;
                    (&&#runtime::trait_detection::Probe::<#ty>::new()).cloner().map(|_| number)
                }),
            }
        };
        let if_kept = |after: &str| match storage.copied_type() {
            None => code!(#after),
            Some(_) => code!(if result.is_some() { #after } else { "" }),
        };
        match storage {
            ResultStorage::Nothing | ResultStorage::Never | ResultStorage::Dropped => {
                (code!(::core::option::Option::None), code!(""))
            }
            ResultStorage::Value(ty) => (register(ty), code!("")),
            ResultStorage::Copy(ty, after) | ResultStorage::Collected(ty, after, _) => {
                (register(ty), if_kept(after))
            }
            ResultStorage::Contents(ty) => (register(ty), code!(".unwrap()")),
        }
    }

    /// Returns how a result is kept: as the value itself, which is never converted.
    fn passing_of_result(&self, ty: &Type) -> Passing {
        match generic::keeps_a_borrow(ty) || matches!(ty, Type::Reference(_)) {
            true => Passing::plain(ty),
            false => self.passing(ty),
        }
    }

    /// Returns the closure that takes the arguments, checks the preconditions and calls the function.
    fn thunk(
        &self,
        signature: &Signature,
        clauses: &Clauses,
        storage: &ResultStorage,
        inputs: &[(Ident, Passing)],
        modeled: Option<&ModelCallWriter<'_>>,
    ) -> TokenStream {
        let runtime = self.options.runtime();
        let copied = modeled.map_or(&[][..], |modeled| &modeled.copied);
        let taken = self.take_arguments(inputs, copied);
        let checks = self.checks_of(signature, clauses, inputs);
        let function = &signature.ident;
        let function = match (self.owner, self.concrete_self()) {
            (Owner::Type(_), Ok(own)) => code!(<#own>::#function),
            (Owner::Foreign(..), Ok(own)) => {
                let hidden = super::interface::hidden_name(function);
                code!(<#own as __RebutChecked>::#hidden)
            }
            _ => code!(called),
        };
        // A parameter may have the name of the function.
        let name = &signature.ident;
        let called = matches!(self.owner, Owner::None).then(|| code!(let called = #name;));
        let call = match modeled {
            None => {
                let passed = inputs.iter().map(|(name, passing)| passing.argument(&code!(#name)));
                let returned = store_result(storage, &code!(#function(#(#passed),*)), &runtime);
                code!(#checks #returned)
            }
            Some(modeled) => modeled.call_both(self.options, &function, storage, inputs, &checks),
        };
        code! {
            |held: &mut [#runtime::call_argument::CallArgument<'_>]| {
                #called
                #taken
                #call
            }
        }
    }

    /// Returns the statements that move the arguments from `held` into variables, and the copies of
    /// some of them after these.
    fn take_arguments(&self, inputs: &[(Ident, Passing)], copied: &[usize]) -> TokenStream {
        let runtime = self.options.runtime();
        let helds: Vec<Ident> = (0..inputs.len())
            .map(|n| format_ident!("held_{n}", span = Span::mixed_site()))
            .collect();
        let lets = inputs.iter().zip(&helds).map(|((name, passing), held)| {
            let (taken, converted) = (passing.take_argument(held), passing.convert(name));
            code! {
                let ::core::option::Option::Some(#name) = #taken else {
                    return #runtime::table::CallOutcome::WrongTypes;
                };
                #converted
            }
        });
        let copies: Vec<Ident> = copied.iter().map(|nth| copy_of(&inputs[*nth].0)).collect();
        let lets_of_copies = copied.iter().zip(&copies).map(|(nth, copy)| {
            let (name, passing) = &inputs[*nth];
            let (taken, converted) = (passing.take_argument(copy), passing.convert(copy));
            let taken = code! {
                let ::core::option::Option::Some(#copy) = #taken else {
                    return #runtime::table::CallOutcome::WrongTypes;
                };
            };
            match passing.is_shared() {
                false => code!(#taken #converted),
                true => code!(let #copy = if #copy.has_value() { #taken #copy } else { #name };),
            }
        });
        let all = helds.iter().chain(&copies);
        code! {
            let [#(#all),*] = held else { return #runtime::table::CallOutcome::WrongTypes };
            #(#lets)*
            #(#lets_of_copies)*
        }
    }

    /// Returns the statements that skip the call if a precondition is false, for a function whose
    /// parameters may be patterns.
    fn checks_of(
        &self,
        signature: &Signature,
        clauses: &Clauses,
        inputs: &[(Ident, Passing)],
    ) -> TokenStream {
        let first = usize::from(signature.receiver().is_some());
        let names = inputs.iter().skip(first);
        let patterns = super::checked::typed(signature).map(|input| TakenApart::of(&input.pat));
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        let mut others = Vec::new();
        for ((name, passing), pattern) in names.zip(patterns) {
            let Some(pattern) = pattern else { continue };
            match &pattern.whole {
                Some(whole) if passing.is_value() => {
                    let tokens = self.concrete_tokens(pattern.pattern.to_token_stream());
                    let whole = self.concrete_tokens(whole.clone());
                    before.extend(code!(let #tokens = #name;));
                    after.extend(code!(let #name = #whole;));
                }
                // The function itself checks such a condition. The program ends if it is false.
                _ => others.push(pattern),
            }
        }
        let is_checked =
            |clause: &Clause| !others.iter().any(|pattern| pattern.is_named_in(&clause.condition));
        let checks = self.checks(clauses, &is_checked);
        match checks.is_empty() {
            true => checks,
            false => code!(#before #checks #after),
        }
    }

    /// Returns the statements that skip the call if a precondition is false.
    fn checks(&self, clauses: &Clauses, is_checked: &dyn Fn(&Clause) -> bool) -> TokenStream {
        let (runtime, this) = (self.options.runtime(), this());
        let numbered = clauses.requires.iter().enumerate();
        let checks = numbered.filter(|(_, clause)| is_checked(clause)).map(|(n, clause)| {
            let condition = substitute::named(clause.condition.clone(), "self", &code!(#this));
            let condition = self.concrete_tokens(condition);
            code! {
                if !#runtime::blame::holds(|| #condition) {
                    return #runtime::table::CallOutcome::Skipped(#n);
                }
            }
        });
        code!(#(#checks)*)
    }

    /// Returns the closure that calls a method of a trait object, borrowed or owned.
    fn dispatched(&self, nth: usize, inputs: &[(Ident, Passing)]) -> TokenStream {
        let (runtime, this) = (self.options.runtime(), this());
        let Some((_, receiver)) = inputs.first() else { return code!() };
        let held = Ident::new("receiver", Span::mixed_site());
        let taken = receiver.take_argument(&held);
        let dispatch = dispatch(receiver.mode);
        code! {
            |held: &mut [#runtime::call_argument::CallArgument<'_>]| {
                let [#held, rest @ ..] = held else { return #runtime::table::CallOutcome::WrongTypes };
                if let #runtime::call_argument::CallArgument::Object(object) = #held {
                    return object.call(#nth, rest);
                }
                let ::core::option::Option::Some(#this) = #taken else {
                    return #runtime::table::CallOutcome::WrongTypes;
                };
                #dispatch(#this, #nth, rest)
            }
        }
    }

    /// Returns the match arm that calls the method on the trait object `this`.
    pub(super) fn arm(&self, signature: &Signature, clauses: &Clauses) -> Result<TokenStream> {
        let (runtime, this) = (self.options.runtime(), this());
        let storage = self.storage(signature)?;
        let inputs =
            self.inputs(signature)?.map_err(|reason| Error::new_spanned(signature, reason))?;
        let rest = inputs.get(1..).unwrap_or_default();
        let (taken, checks) = (self.take_arguments(rest, &[]), self.checks(clauses, &|_| true));
        let passed = rest.iter().map(|(name, passing)| passing.argument(&code!(#name)));
        let function = &signature.ident;
        let returned = store_result(&storage, &code!(#this.#function(#(#passed),*)), &runtime);
        Ok(code!({ #taken #checks #returned }))
    }

    /// Replaces `Self`, type parameters and lifetimes of the block.
    fn concrete_tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut tokens = generic::without_self(tokens, &self.self_ty.to_token_stream());
        tokens = generic::qualified(tokens, self.traits);
        for (name, concrete) in self.with {
            tokens = substitute::named(tokens, &name.to_string(), &concrete.to_token_stream());
        }
        generic::with_static(tokens, self.lifetimes)
    }
}

/// Returns a precondition for printed programs. The variables of a pattern are declared in it.
fn requires_template(signature: &Signature, clause: &Clause, names: &[String]) -> Template {
    let first = usize::from(signature.receiver().is_some());
    let mut template = Template::default();
    for (nth, input) in super::checked::typed(signature).enumerate() {
        let pattern = TakenApart::of(&input.pat);
        if let Some(pattern) = pattern.filter(|pattern| pattern.is_named_in(&clause.condition)) {
            let written = written::type_text(&pattern.pattern.to_token_stream());
            template.code(&format!("{{ let {written} = "));
            template.argument(first + nth);
            template.code("; ");
        }
    }
    let is_block = template != Template::default();
    template.append(Template::of(&clause.condition, names, false));
    template.code(if is_block { " }" } else { "" });
    template
}

/// Returns the names of the arguments in clauses.
pub(super) fn argument_names(inputs: &[(Ident, Passing)], is_method: bool) -> Vec<String> {
    let mut names: Vec<String> = inputs.iter().map(|(name, _)| name.to_string()).collect();
    if let (Some(own), true) = (names.first_mut(), is_method) {
        *own = "self".to_owned();
    }
    names
}

/// Returns whether the compiler never warns if the result is not used. A type of the user may have
/// `#[must_use]`.
fn is_ignorable(signature: &Signature) -> bool {
    match &signature.output {
        ReturnType::Default => true,
        ReturnType::Type(_, ty) => is_ignorable_type(ty),
    }
}

fn is_ignorable_type(ty: &Type) -> bool {
    const PLAIN: [&str; 20] = [
        "bool", "char", "str", "String", "Vec", "Option", "u8", "u16", "u32", "u64", "u128",
        "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
    ];
    match ty {
        Type::Reference(reference) => is_ignorable_type(&reference.elem),
        Type::Slice(slice) => is_ignorable_type(&slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_ignorable_type),
        Type::Never(_) => true,
        Type::Path(path) => {
            let segments = &path.path.segments;
            let is_plain = |ident: &Ident| PLAIN.iter().any(|name| ident == name);
            segments.len() == 1 && segments.first().is_some_and(|one| is_plain(&one.ident))
        }
        _ => false,
    }
}

/// Returns the name of the function that calls methods of a trait object by number.
pub(super) fn dispatch(mode: PassingMode) -> Ident {
    let name = if mode == PassingMode::Mut { "dispatch_mut" } else { "dispatch_ref" };
    Ident::new(name, Span::mixed_site())
}

/// Returns the name of the receiver in generated calls.
pub(super) fn this() -> Ident {
    Ident::new("this", Span::mixed_site())
}

fn store_result(storage: &ResultStorage, call: &TokenStream, runtime: &TokenStream) -> TokenStream {
    let some = code!(::core::option::Option::Some);
    match storage {
        ResultStorage::Never => call.clone(),
        ResultStorage::Nothing | ResultStorage::Dropped => code!({
            let _ = #call;
            #runtime::table::CallOutcome::Returned(::core::option::Option::None)
        }),
        ResultStorage::Value(_) => code!(
            #runtime::table::CallOutcome::Returned(#some(__std::boxed::Box::new(#call)))
        ),
        ResultStorage::Copy(..) | ResultStorage::Collected(..) => {
            let run = storage.run();
            let kept = storage.keep(&code!(#call #run), runtime);
            code!(#runtime::table::CallOutcome::Returned(#kept))
        }
        ResultStorage::Contents(_) => code!(
            match ::core::iter::IntoIterator::into_iter(#call).next() {
                #some(made) => #runtime::table::CallOutcome::Returned(#some(__std::boxed::Box::new(made))),
                ::core::option::Option::None => #runtime::table::CallOutcome::ReturnedNothing,
            }
        ),
    }
}

pub(super) fn is_same_type(ty: &Type, other: &Option<Type>) -> bool {
    let text = |ty: &Type| ty.to_token_stream().to_string();
    other.as_ref().is_some_and(|other| text(ty) == text(other))
}

/// Returns the implementation of `Contracted` for a type.
pub(super) fn subject(
    options: &Options,
    self_ty: &Type,
    lifetimes: &[String],
    operations: &[TokenStream],
) -> TokenStream {
    let runtime = options.runtime();
    let concrete = substitute::in_type(self_ty, self_ty, &options.with);
    let concrete = generic::with_static(concrete, lifetimes);
    code! {
        const _: () = {
            impl #runtime::Contracted for #concrete {
                fn register(table: &mut #runtime::Table) {
                    if table.mark_registered::<Self>() {
                        return;
                    }
                    #(#operations)*
                }
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(text: &str) -> Signature {
        syn::parse_str(text).expect("a signature")
    }

    /// Calls a function with the writer for methods of the type `Own`.
    fn with_writer<T>(act: impl FnOnce(&OperationWriter<'_>) -> T) -> T {
        let (options, self_ty) = (Options::default(), syn::parse_quote!(Own));
        let owner = Owner::Type(None);
        act(&OperationWriter {
            options: &options,
            self_ty: &self_ty,
            type_name: "Own",
            owner,
            with: &options.with,
            lifetimes: &[],
            traits: &[],
        })
    }

    /// Code without whitespace.
    fn compact(text: &str) -> String {
        text.split_whitespace().collect()
    }

    /// Checks how programs store the result of a function.
    #[track_caller]
    fn check_storage(output: &str, expected: &str) {
        let signature = signature(&format!("fn f(&self) {output}"));
        let found = with_writer(|writer| match writer.storage(&signature) {
            Ok(ResultStorage::Nothing) => "nothing".to_owned(),
            Ok(ResultStorage::Never) => "never".to_owned(),
            Ok(ResultStorage::Dropped) => "dropped".to_owned(),
            Ok(ResultStorage::Collected(ty, after, _)) => {
                format!("list {} by {after}", ty.to_token_stream())
            }
            Ok(ResultStorage::Value(ty)) => format!("value {}", ty.to_token_stream()),
            Ok(ResultStorage::Copy(ty, method)) => {
                format!("copy {} by {method}", ty.to_token_stream())
            }
            Ok(ResultStorage::Contents(ty)) => format!("contents {}", ty.to_token_stream()),
            Err(_) => "an error".to_owned(),
        });
        let plain = |text: &str| {
            ["__std::string::", "__std::vec::", "::core::option::", "::core::result::"]
                .iter()
                .fold(text.replace(' ', ""), |text, path| text.replace(path, ""))
        };
        assert_eq!(plain(&found), plain(expected), "{output}");
    }

    #[test]
    fn owned_results_are_stored_as_they_are() {
        check_storage("-> u8", "value u8");
        check_storage("-> Self", "value Own");
        check_storage("-> Option<u8>", "value Option<u8>");
        check_storage("-> &'static str", "value &'static str");
        check_storage("", "nothing");
        check_storage("-> ()", "nothing");
        check_storage("-> !", "never");
    }

    #[test]
    fn fallible_constructors_store_the_object() {
        check_storage("-> Option<Self>", "contents Own");
        check_storage("-> Result<Own, String>", "contents Own");
    }

    #[test]
    fn borrowed_results_are_copied() {
        check_storage("-> &u8", "copy u8 by .to_owned()");
        check_storage("-> &str", "copy String by .to_owned()");
        check_storage("-> &[u8]", "copy Vec<u8> by .to_owned()");
        check_storage("-> &mut u8", "copy u8 by .to_owned()");
        check_storage("-> Option<&u8>", "copy Option<u8> by .cloned()");
        check_storage("-> Option<&mut u8>", "copy Option<u8> by .map(|one| one.clone())");
        check_storage("-> Option<&str>", "copy Option<String> by .map(|one| one.to_owned())");
        check_storage("-> Result<&[u8], E>", "copy Result<Vec<u8>, E> by .map(|one| one.to_vec())");
        check_storage(
            "-> Option<(u8, &str)>",
            "copy Option<(u8, String)> by .map(|(a0, a1)| (a0, a1.to_owned()))",
        );
        check_storage("-> Cow<'_, str>", "copy String by .into_owned()");
    }

    #[test]
    fn iterators_run_and_their_elements_are_kept() {
        let owned = "list Vec<u8> by .take(100).collect::<Vec<_>>()";
        check_storage("-> impl Iterator<Item = u8>", owned);
        check_storage("-> Box<dyn Iterator<Item = u8> + '_>", owned);
        let copied = "list Vec<u8> by .take(100).cloned().collect::<Vec<_>>()";
        check_storage("-> impl Iterator<Item = &u8> + '_", copied);
    }

    #[test]
    fn results_without_a_copy_are_dropped() {
        check_storage("-> &dyn T", "dropped");
        check_storage("-> Iter<'_, u8>", "dropped");
        check_storage("-> impl Fn(u8) -> u8", "dropped");
        check_storage("-> Result<u8, &E>", "dropped");
    }

    /// Checks the effect of a function on objects of the type `Own`.
    #[track_caller]
    fn check_effect(text: &str, expected: &str) {
        let signature = signature(text);
        let found = with_writer(|writer| {
            let storage = writer.storage(&signature).expect("a storage");
            let inputs = writer.inputs(&signature).expect("types").expect("parameters");
            writer.effect(&signature, &inputs, &storage, ProgramHints::default()).to_string()
        });
        assert!(found.ends_with(&format!("Effect :: {expected}")), "{text}: {found}");
    }

    #[test]
    fn effect_follows_from_the_signature() {
        check_effect("fn new() -> Self", "Constructs");
        check_effect("fn parse(text: &str) -> Option<Self>", "Constructs");
        check_effect("fn push(&mut self, n: u8) -> bool", "Mutates");
        check_effect("fn into_inner(self) -> u8", "Mutates");
        check_effect("fn swap(&self, other: &mut u8) -> u8", "Mutates");
        check_effect("fn clear(&self)", "Mutates");
        check_effect("fn len(&self) -> usize", "Reads");
        // Not a constructor: it has a receiver.
        check_effect("fn doubled(&self) -> Self", "Reads");
    }

    #[test]
    fn hint_overrides_a_shared_receiver() {
        let signature = signature("fn increment(&self) -> u8");
        let hints = ProgramHints { changes: true, ..ProgramHints::default() };
        let effect = with_writer(|writer| {
            let storage = writer.storage(&signature).expect("a storage");
            let inputs = writer.inputs(&signature).expect("types").expect("parameters");
            writer.effect(&signature, &inputs, &storage, hints).to_string()
        });
        assert!(effect.ends_with("Effect :: Mutates"), "{effect}");
    }

    #[test]
    fn closure_takes_arguments_checks_preconditions_and_stores_the_result() {
        let signature = signature("fn push(&mut self, n: u8) -> bool");
        let mut attributes = vec![syn::parse_quote!(#[requires(n > 0 && self.is_open())])];
        let clauses = Clauses::take(&mut attributes).expect("clauses");
        let found = with_writer(|writer| {
            let storage = writer.storage(&signature).expect("a storage");
            let inputs = writer.inputs(&signature).expect("types").expect("parameters");
            writer.thunk(&signature, &clauses, &storage, &inputs, None).to_string()
        });
        let expected = "|held: &mut [RT::call_argument::CallArgument<'_>]| {
            let [held_0, held_1] = held else { return RT::table::CallOutcome::WrongTypes };
            let ::core::option::Option::Some(this) = held_0.by_mut::<Own>() else {
                return RT::table::CallOutcome::WrongTypes;
            };
            let ::core::option::Option::Some(n) = held_1.take::<u8>() else {
                return RT::table::CallOutcome::WrongTypes;
            };
            if !RT::blame::holds(|| n > 0 && this.is_open()) {
                return RT::table::CallOutcome::Skipped(0usize);
            }
            RT::table::CallOutcome::Returned(::core::option::Option::Some(
                __std::boxed::Box::new(<Own>::push(this, n))))
        }";
        let expected = expected.replace("RT", "::rebut::__private::contract");
        assert_eq!(compact(&found), compact(&expected));
    }

    #[test]
    fn generic_functions_need_a_type_for_each_parameter() {
        let signature = signature("fn f<T: Shop>(value: T) -> T");
        let (clauses, hints) = (Clauses::default(), ProgramHints::default());
        let attributes = FunctionAttributes {
            clauses: &clauses,
            can_fail: false,
            hints,
            model: &ModelCounterpart::Same,
        };
        let entry = with_writer(|writer| writer.entry(&signature, &attributes)).expect("no error");
        assert!(entry.to_string().starts_with("table . leave_out (\"Own::f\""), "{entry}");
        let options: Options = syn::parse_quote!(with(T = u8));
        let self_ty = syn::parse_quote!(Own);
        let writer = OperationWriter {
            options: &options,
            self_ty: &self_ty,
            type_name: "Own",
            owner: Owner::Type(None),
            with: &options.with,
            lifetimes: &[],
            traits: &[],
        };
        let entry = writer.entry(&signature, &attributes).expect("no error");
        assert!(entry.to_string().contains("held_0 . take :: < u8 > ()"), "{entry}");
    }
}
