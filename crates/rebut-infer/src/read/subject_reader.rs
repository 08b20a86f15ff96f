//! Finds a type in the modules of a crate, and reads its functions.

use crate::note::Note;
use crate::read::definitions::{
    TypeDefinition, definitions, derives, generated_types, impls, invariants, trait_name,
};
use crate::read::methods::{definition_bindings, given_arguments, impl_bindings, method};
use crate::read::sources::Module;
use crate::read::subject::{Method, MethodRole, StateSource, Subject, Uncallable};
use crate::read::types;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use std::collections::BTreeSet;
use syn::{Fields, GenericParam, ImplItem, Type, TypePath, Visibility};

/// The methods that the user named; empty lists mean all public ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestedMethods {
    pub(crate) observers: Vec<String>,
    pub(crate) modifiers: Vec<String>,
}

/// Why a type cannot be used.
#[derive(Debug)]
pub(crate) enum SubjectError {
    /// The name is not the path of a type.
    NotATypeName { asked: String },
    /// No type has this name. These types have methods.
    UnknownType { asked: String, available: Vec<String> },
    /// Several types have this name.
    AmbiguousType { asked: String, paths: Vec<String> },
    /// Several packages have a type of this name.
    AmbiguousPackage { asked: String, packages: Vec<String> },
    /// A constant parameter has no default, and no argument was specified.
    MissingConstant { type_name: String, parameter: String },
    /// More arguments were specified than the type has parameters.
    TooManyArguments { type_name: String, parameters: usize },
    /// The specified arguments are not types.
    NotAType { why: String },
    /// The user named a method that cannot be called.
    Uncallable { method: String, why: Uncallable },
    /// The user named a method that does not exist. These have the role.
    UnknownMethod { type_name: String, method: String, role: MethodRole, available: Vec<String> },
    /// The user named a method that has another role.
    OtherRole { method: String, role: MethodRole },
    /// No state of the type can be created.
    NoStates { type_name: String },
    /// No observer can be called.
    NoObserver { type_name: String, notes: Vec<Note> },
    /// No modifier and no constructor can be called.
    NoModifier { type_name: String, notes: Vec<Note> },
}

/// Finds the type with this name.
///
/// # Errors
/// If there is no such type, if there are several, or if it cannot be used.
pub(crate) fn find(
    modules: &[Module],
    asked: &str,
    requested: &RequestedMethods,
) -> Result<Subject, SubjectError> {
    let path: TypePath = syn::parse_str(asked)
        .map_err(|_error| SubjectError::NotATypeName { asked: asked.to_owned() })?;
    let names: Vec<String> = path.path.segments.iter().map(|one| one.ident.to_string()).collect();
    let matching: Vec<TypeDefinition<'_>> =
        definitions(modules).into_iter().filter(|one| one.matches(&names)).collect();
    match matching.as_slice() {
        [definition] => SubjectReader { modules, definition, requested }.subject(&path),
        [] => {
            let definitions = definitions(modules);
            let has_methods = |one: &&TypeDefinition<'_>| impls(modules, one).next().is_some();
            let available = definitions.iter().filter(has_methods).map(TypeDefinition::path);
            Err(SubjectError::UnknownType {
                asked: asked.to_owned(),
                available: available.collect(),
            })
        }
        several => Err(SubjectError::AmbiguousType {
            asked: asked.to_owned(),
            paths: several.iter().map(TypeDefinition::path).collect(),
        }),
    }
}

struct SubjectReader<'m> {
    modules: &'m [Module],
    definition: &'m TypeDefinition<'m>,
    requested: &'m RequestedMethods,
}

/// A method, and whether it is public.
type VisibleMethod = (Method, bool);

impl SubjectReader<'_> {
    fn subject(&self, asked: &TypePath) -> Result<Subject, SubjectError> {
        let (ty, mut notes) = self.instantiated(asked)?;
        let all = self.methods(&ty);
        let generated = generated_types(self.modules);
        let mut callable = Vec::new();
        for (method, is_public) in &all {
            match uncallable(method, &generated) {
                None => callable.push((method.clone(), *is_public)),
                Some(why) if self.is_requested(method, *is_public) => {
                    notes.push(Note::SkippedMethod { method: method.name.clone(), why });
                }
                Some(_) => {}
            }
        }
        let RequestedMethods { observers, modifiers } = self.requested;
        let observers = self.chosen(observers, MethodRole::Observer, &all, &callable)?;
        let modifiers = self.chosen(modifiers, MethodRole::Modifier, &all, &callable)?;
        let constructors = public_with_role(&callable, MethodRole::Constructor);
        let type_name = self.definition.name.clone();
        let states = self.state_source(&ty, &constructors, &generated)?;
        if observers.is_empty() {
            return Err(SubjectError::NoObserver { type_name, notes });
        }
        if modifiers.is_empty() && constructors.is_empty() {
            return Err(SubjectError::NoModifier { type_name, notes });
        }
        Ok(Subject {
            name: type_name,
            ty,
            module: self.definition.module.clone(),
            states,
            constructors,
            observers,
            modifiers,
            steps: public_with_role(&callable, MethodRole::Modifier),
            constructor_conditions: Vec::new(),
            notes,
        })
    }

    /// Returns the type with its arguments, and notes about those that were assumed.
    fn instantiated(&self, asked: &TypePath) -> Result<(Type, Vec<Note>), SubjectError> {
        let type_name = || self.definition.name.clone();
        let mut given = given_arguments(asked);
        let mut notes = Vec::new();
        let mut arguments: Vec<TokenStream> = Vec::new();
        for parameter in &self.definition.generics.params {
            let argument = match parameter {
                GenericParam::Lifetime(_) => quote!('static),
                GenericParam::Type(parameter) => match (given.pop(), &parameter.default) {
                    (Some(given), _) => given,
                    (None, Some((_, default))) => default.to_token_stream(),
                    (None, None) => {
                        let parameter = parameter.ident.to_string();
                        notes.push(Note::AssumedArgument { type_name: type_name(), parameter });
                        quote!(i32)
                    }
                },
                GenericParam::Const(parameter) => match (given.pop(), &parameter.default) {
                    (Some(given), _) => given,
                    (None, Some((_, default))) => default.to_token_stream(),
                    (None, None) => {
                        let parameter = parameter.ident.to_string();
                        let type_name = type_name();
                        return Err(SubjectError::MissingConstant { type_name, parameter });
                    }
                },
            };
            arguments.push(argument);
        }
        if !given.is_empty() {
            let parameters = self.definition.generics.params.len();
            return Err(SubjectError::TooManyArguments { type_name: type_name(), parameters });
        }
        let name = quote::format_ident!("{}", self.definition.name);
        let tokens =
            if arguments.is_empty() { quote!(#name) } else { quote!(#name<#(#arguments),*>) };
        let ty = syn::parse2(tokens)
            .map_err(|error| SubjectError::NotAType { why: error.to_string() })?;
        Ok((ty, notes))
    }

    fn methods(&self, ty: &Type) -> Vec<VisibleMethod> {
        let mut methods = Vec::new();
        for (module, block) in impls(self.modules, self.definition) {
            if block.trait_.is_some() {
                continue;
            }
            let Some(bindings) = impl_bindings(block, ty) else { continue };
            for item in &block.items {
                if let ImplItem::Fn(function) = item {
                    let is_public = !matches!(function.vis, Visibility::Inherited);
                    methods.push((method(module, block, function, &bindings, ty), is_public));
                }
            }
        }
        methods
    }

    /// Whether a method would be used if it could be called.
    fn is_requested(&self, method: &Method, is_public: bool) -> bool {
        let RequestedMethods { observers, modifiers } = self.requested;
        match method.role {
            MethodRole::Observer if !observers.is_empty() => observers.contains(&method.name),
            MethodRole::Modifier if !modifiers.is_empty() => modifiers.contains(&method.name),
            MethodRole::Observer | MethodRole::Modifier => is_public,
            MethodRole::Constructor | MethodRole::Other => false,
        }
    }

    /// Returns the methods with these names, or all public ones with the role.
    fn chosen(
        &self,
        names: &[String],
        role: MethodRole,
        all: &[VisibleMethod],
        callable: &[VisibleMethod],
    ) -> Result<Vec<Method>, SubjectError> {
        if names.is_empty() {
            return Ok(public_with_role(callable, role));
        }
        let mut chosen = Vec::new();
        for name in names {
            match callable.iter().find(|(method, _)| method.name == *name) {
                Some((method, _)) if method.role == role => chosen.push(method.clone()),
                Some((method, _)) => {
                    return Err(SubjectError::OtherRole { method: method.name.clone(), role });
                }
                None => return Err(self.missing(name, role, all)),
            }
        }
        Ok(chosen)
    }

    /// Returns why no callable method has this name.
    fn missing(&self, name: &str, role: MethodRole, all: &[VisibleMethod]) -> SubjectError {
        let generated = generated_types(self.modules);
        let named = all.iter().find(|(method, _)| method.name == name);
        if let Some(why) = named.and_then(|(method, _)| uncallable(method, &generated)) {
            return SubjectError::Uncallable { method: name.to_owned(), why };
        }
        let with_role = all.iter().filter(|(method, _)| method.role == role);
        SubjectError::UnknownMethod {
            type_name: self.definition.name.clone(),
            method: name.to_owned(),
            role,
            available: with_role.map(|(method, _)| method.name.clone()).collect(),
        }
    }

    /// Decides how states are created. A generator reaches most states; fields are second, but
    /// without an invariant they may be states that no caller can reach.
    fn state_source(
        &self,
        ty: &Type,
        constructors: &[Method],
        generated: &BTreeSet<String>,
    ) -> Result<StateSource, SubjectError> {
        let blocks = impls(self.modules, self.definition);
        let conditions: Vec<TokenStream> = blocks
            .filter(|(_, block)| block.trait_.is_none())
            .flat_map(|(_, block)| invariants(&block.attrs))
            .collect();
        if generated.contains(&self.definition.name) {
            return Ok(StateSource::Generator(conditions));
        }
        if !conditions.is_empty()
            && let Some(fields) = self.generated_fields(ty, generated)
        {
            return Ok(StateSource::Fields(fields, conditions));
        }
        // Integers of constructors are mostly sizes, which limit the states.
        let effort = |method: &&Method| {
            let sizes = method.parameters.iter().filter(|one| types::is_integer(&one.ty)).count();
            (sizes, method.parameters.len(), method.name != "new")
        };
        if let Some(constructor) = constructors.iter().min_by_key(effort) {
            return Ok(StateSource::Constructor(Box::new(constructor.clone())));
        }
        if self.has_default() {
            return Ok(StateSource::Constructor(Box::new(Method {
                name: "default".to_owned(),
                parameters: Vec::new(),
                output: Some(ty.clone()),
                signature: String::new(),
                source: None,
                role: MethodRole::Constructor,
                uncallable: None,
            })));
        }
        Err(SubjectError::NoStates { type_name: self.definition.name.clone() })
    }

    fn has_default(&self) -> bool {
        let mut blocks = impls(self.modules, self.definition);
        derives(self.definition.attributes, "Default")
            || blocks.any(|(_, block)| trait_name(block).as_deref() == Some("Default"))
    }

    /// Returns the named fields, if values of all of them can be generated.
    fn generated_fields(
        &self,
        ty: &Type,
        generated: &BTreeSet<String>,
    ) -> Option<Vec<(String, Type)>> {
        let Some(Fields::Named(fields)) = self.definition.fields else { return None };
        let bindings = definition_bindings(self.definition.generics, ty);
        let fields = fields.named.iter().map(|field| {
            let ty = types::substituted_type(&field.ty, &bindings);
            let is_generated = types::ungenerable_part(&ty, generated).is_none()
                && !matches!(ty, Type::Reference(_));
            is_generated.then(|| Some((field.ident.as_ref()?.to_string(), ty)))?
        });
        fields.collect()
    }
}

/// Returns why a method cannot be called.
fn uncallable(method: &Method, generated: &BTreeSet<String>) -> Option<Uncallable> {
    method.uncallable.clone().or_else(|| {
        let mut parameters = method.parameters.iter();
        let ty =
            parameters.find_map(|parameter| types::ungenerable_part(&parameter.ty, generated))?;
        Some(Uncallable::NoGenerator { ty })
    })
}

fn public_with_role(methods: &[VisibleMethod], role: MethodRole) -> Vec<Method> {
    let public = methods.iter().filter(|(method, is_public)| method.role == role && *is_public);
    public.map(|(method, _)| method.clone()).collect()
}

/// Finds a type in one module of text, with all of its public methods.
#[cfg(test)]
pub(crate) fn subject_in(text: &str, asked: &str) -> Subject {
    let modules = [Module::from_text(&[], text)];
    find(&modules, asked, &RequestedMethods::default()).expect("a usable type")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    fn names(methods: &[Method]) -> Vec<&str> {
        methods.iter().map(|method| method.name.as_str()).collect()
    }

    const STACK: &str = "
        pub struct Stack<T> { items: Vec<T> }
        impl<T: Clone> Stack<T> {
            pub fn new() -> Self { todo() }
            pub fn with_room(room: usize) -> Stack<T> { todo() }
            pub fn push(&mut self, item: T) {}
            pub fn pop(&mut self) -> Option<T> { None }
            pub fn retain(&mut self, keep: impl Fn(&T) -> bool) {}
            pub fn peek(&self) -> Option<&T> { None }
            pub fn len(&self) -> usize { 0 }
            pub fn assert(&self) {}
            fn hidden(&self) -> bool { true }
            pub fn into_vec(self) -> Vec<T> { todo() }
        }
        impl Stack<String> {
            pub fn total(&self) -> usize { 0 }
        }
    ";

    #[test]
    fn receivers_decide_the_roles_of_methods() {
        let modules = [Module::from_text(&["stack"], STACK)];
        let subject = find(&modules, "Stack", &RequestedMethods::default()).expect("a subject");
        assert_eq!(types::text(&subject.ty), "Stack<i32>");
        assert_eq!(names(&subject.constructors), ["new", "with_room"]);
        assert_eq!(names(&subject.observers), ["peek", "len"]);
        assert_eq!(names(&subject.modifiers), ["push", "pop"]);
        assert_eq!(types::text(&subject.modifiers[0].parameters[0].ty), "i32");
        assert!(
            matches!(&subject.states, StateSource::Constructor(method) if method.name == "new")
        );
        let notes: Vec<String> = subject.notes.iter().map(ToString::to_string).collect();
        assert_eq!(
            notes,
            [
                "using `i32` for `T` of `Stack`; for another type, write `Stack<..>`",
                "skipping `retain`: cannot generate values of type `impl Fn(&i32) -> bool`",
            ]
        );
    }

    #[test]
    fn named_methods_are_used() {
        let modules = [Module::from_text(&["stack"], STACK)];
        let requested =
            RequestedMethods { observers: vec!["hidden".to_owned()], modifiers: Vec::new() };
        let subject = find(&modules, "stack::Stack<String>", &requested).expect("a subject");
        assert_eq!(names(&subject.observers), ["hidden"]);
        let all = find(&modules, "crate::stack::Stack<String>", &RequestedMethods::default());
        assert_eq!(names(&all.expect("a subject").observers), ["peek", "len", "total"]);
    }

    #[test]
    fn errors_list_the_alternatives() {
        let modules = [Module::from_text(&["stack"], STACK)];
        let check = |asked: &str, observers: &[&str], expected: &str| {
            let observers = observers.iter().map(|name| (*name).to_owned()).collect();
            let requested = RequestedMethods { observers, modifiers: Vec::new() };
            let error = find(&modules, asked, &requested).err().expect("no subject");
            assert_eq!(words::subject_error(&error), expected);
        };
        check("Queue", &[], "no type named `Queue`; available: `stack::Stack`");
        check(
            "Stack",
            &["size"],
            "`Stack` has no function `size` that takes `&self`; available: `peek`, `len`, `hidden`",
        );
        check(
            "Stack",
            &["push"],
            "`push` is not an observer: an observer takes `&self` and returns a value",
        );
        check(
            "1",
            &[],
            "`1` is not a type; write its name, such as `Stack` or `module::Stack<u8>`",
        );
    }

    #[test]
    fn an_ambiguous_name_is_refused() {
        let text = "pub struct A; impl A { pub fn is(&self) -> bool { true } pub fn set(&mut self) {} pub fn new() -> A { A } }";
        let modules = [Module::from_text(&["one"], text), Module::from_text(&["two"], text)];
        let error = find(&modules, "A", &RequestedMethods::default()).err().expect("two");
        assert_eq!(
            words::subject_error(&error),
            "several types are named `A`; specify one of `one::A`, `two::A`"
        );
        assert!(find(&modules, "two::A", &RequestedMethods::default()).is_ok());
    }

    #[test]
    fn generated_states_satisfy_the_invariants() {
        let text = "
            #[cfg_attr(test, derive(Debug, rebut::Generate))]
            pub struct Counter { n: u8 }
            #[rebut::contract]
            #[invariant(self.n <= 9, \"one digit\")]
            impl Counter { pub fn n(&self) -> u8 { self.n } pub fn up(&mut self) {} }
        ";
        let generated = [Module::from_text(&[], text)];
        let subject = find(&generated, "Counter", &RequestedMethods::default()).expect("a subject");
        let StateSource::Generator(conditions) = &subject.states else { panic!("no generator") };
        assert_eq!(types::text(&conditions[0]), "self.n <= 9");
        let text = text.replace("derive(Debug, rebut::Generate)", "derive(Debug)");
        let fields = [Module::from_text(&[], &text)];
        let subject = find(&fields, "Counter", &RequestedMethods::default()).expect("a subject");
        assert!(matches!(&subject.states, StateSource::Fields(fields, _) if fields[0].0 == "n"));
    }

    #[test]
    fn the_error_of_a_type_without_states_names_the_attribute_to_add() {
        let text =
            "pub struct A; impl A { pub fn is(&self) -> bool { true } pub fn set(&mut self) {} }";
        let error = find(&[Module::from_text(&[], text)], "A", &RequestedMethods::default());
        let message = words::subject_error(&error.err().expect("no states"));
        assert!(message.contains("rebut::Generate"), "{message}");
    }
}
