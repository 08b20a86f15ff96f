//! Writes the code that creates the state in which a call starts. Probes, tests and contracts share
//! it.
//!
//! There are three ways to create a state ([`StateSource`]). For a `Stack` they are, as the first
//! lines of a test:
//!
//! ```text
//! fn test(mut stack: Stack)        { rebut::assume!(..);                  // generator
//! fn test(state: State)            { let mut stack = state.stack();       // fields and invariant
//! fn test(steps: Vec<Step>)        { let mut stack = reached(steps);      // constructor
//! ```
//!
//! `State` is a struct with the fields of the type, and `Step` an enum of its modifiers, each with
//! its arguments; [`Subject::state_items`] writes both.

use crate::read::subject::{Method, Parameter, StateSource, Subject};
use crate::read::types;
use std::fmt::Write as _;
use syn::Type;

/// The largest size that is passed to a constructor. Arbitrary: large enough to be filled by a few
/// steps, and small enough that a constructor can allocate it. Laws are proved up to this size, and
/// tests state that.
const SIZE_MAX: u32 = 8;

impl Subject {
    /// Returns the parameters of a test that create a state.
    pub(crate) fn state_parameters(&self) -> Vec<String> {
        let variable = self.variable();
        match &self.states {
            StateSource::Generator(_) => vec![format!("mut {variable}: {}", types::text(&self.ty))],
            StateSource::Fields(..) => vec![format!("state: {}", self.helper_name("State"))],
            StateSource::Constructor(constructor) => {
                let arguments = constructor.parameters.iter().map(|parameter| {
                    let (limit, ty) = (size_limit(parameter), types::text(&parameter.ty));
                    format!("{limit}first_{}: {ty}", parameter.name)
                });
                let steps = format!("steps: Vec<{}>", self.helper_name("Step"));
                arguments.chain([steps]).collect()
            }
        }
    }

    /// Returns the first lines of a test, which create the state.
    pub(crate) fn state_lines(&self) -> String {
        let variable = self.variable();
        match &self.states {
            StateSource::Generator(conditions) => self.assumptions(conditions, &variable),
            StateSource::Fields(..) => format!("let mut {variable} = state.{variable}();\n"),
            StateSource::Constructor(constructor) => {
                let arguments = constructor.parameters.iter();
                let arguments = arguments.map(|parameter| format!("first_{}, ", parameter.name));
                format!("let mut {variable} = reached({}steps);\n", arguments.collect::<String>())
            }
        }
    }

    /// Returns the items that the first lines of tests use.
    pub(crate) fn state_items(&self) -> String {
        match &self.states {
            StateSource::Generator(_) => String::new(),
            StateSource::Fields(fields, conditions) => self.fields_item(fields, conditions),
            StateSource::Constructor(constructor) => self.steps_items(constructor),
        }
    }

    /// Returns the name of a helper type that is not the name of the type itself.
    fn helper_name(&self, name: &str) -> String {
        if self.name == name { format!("{name}Of{name}") } else { name.to_owned() }
    }

    fn fields_item(
        &self,
        fields: &[(String, Type)],
        conditions: &[proc_macro2::TokenStream],
    ) -> String {
        let (name, variable, ty) =
            (self.helper_name("State"), self.variable(), types::text(&self.ty));
        let declared: String =
            fields.iter().map(|(field, ty)| format!("{field}: {},\n", types::text(ty))).collect();
        let names: Vec<&str> = fields.iter().map(|(field, _)| field.as_str()).collect();
        let names = names.join(", ");
        let assumed = self.assumptions(conditions, &variable);
        format!(
            "/// The fields of any `{}`.\n#[derive(Debug, rebut::Generate)]\nstruct {name} {{\n\
             {declared}}}\n\nimpl {name} {{\nfn {variable}(self) -> {ty} {{\n\
             let {name} {{ {names} }} = self;\nlet {variable} = {} {{ {names} }};\n{assumed}\
             {variable}\n}}\n}}\n\n",
            self.name, self.name,
        )
    }

    fn steps_items(&self, constructor: &Method) -> String {
        let (name, variable, ty) =
            (self.helper_name("Step"), self.variable(), types::text(&self.ty));
        let (mut variants, mut arms) = (String::new(), String::new());
        for step in &self.steps {
            let variant = camel_case(&step.name);
            let types: Vec<String> =
                step.parameters.iter().map(|parameter| owned_type(&parameter.ty)).collect();
            let names: Vec<&str> =
                step.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let passed: Vec<String> = step
                .parameters
                .iter()
                .map(|parameter| {
                    let is_reference = matches!(parameter.ty, Type::Reference(_));
                    format!("{}{}", if is_reference { "&" } else { "" }, parameter.name)
                })
                .collect();
            let (fields, bound) = if names.is_empty() {
                (String::new(), String::new())
            } else {
                (format!("({})", types.join(", ")), format!("({})", names.join(", ")))
            };
            let call = format!("{variable}.{}({})", step.name, passed.join(", "));
            let ignored = if step.output.is_some() { "_ = " } else { "" };
            let _ = writeln!(variants, "{variant}{fields},");
            let _ = writeln!(arms, "{name}::{variant}{bound} => {ignored}{call},");
        }
        let first = constructor
            .parameters
            .iter()
            .map(|parameter| format!("{}: {}, ", parameter.name, types::text(&parameter.ty)));
        let first: String = first.collect();
        let passed: Vec<&str> =
            constructor.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let called =
            format!("{}::{}({})", path_before_name(self), constructor.name, passed.join(", "));
        let assumed = self
            .constructor_conditions
            .iter()
            .map(|condition| format!("rebut::assume!({condition});\n"));
        let assumed: String = assumed.collect();
        if variants.is_empty() {
            return format!(
                "/// No call modifies `{}`.\n#[derive(Debug, rebut::Generate)]\n\
                 struct {name};\n\nfn reached({first}_steps: Vec<{name}>) -> {ty} {{\n{assumed}{called}\n}}\n\n",
                self.name
            );
        }
        format!(
            "/// A modifying call on `{}`.\n#[derive(Debug, rebut::Generate)]\nenum {name} {{\n{variants}}}\n\n\
             fn reached({first}steps: Vec<{name}>) -> {ty} {{\n{assumed}let mut {variable} = {called};\n\
             for step in steps {{\nmatch step {{\n{arms}}}\n}}\n{variable}\n}}\n\n",
            self.name
        )
    }

    /// Returns the lines that assume conditions on `self`.
    fn assumptions(&self, conditions: &[proc_macro2::TokenStream], variable: &str) -> String {
        let variable = quote::format_ident!("{variable}");
        let bindings = types::Bindings::from([
            ("self".to_owned(), quote::quote!(#variable)),
            ("Self".to_owned(), quote::ToTokens::to_token_stream(&self.ty)),
        ]);
        let lines = conditions.iter().map(|condition| {
            let condition = types::substituted(condition.clone(), &bindings);
            format!("rebut::assume!({});\n", types::text(&condition))
        });
        lines.collect()
    }
}

/// Returns the type of a value that a reference can borrow.
fn owned_type(ty: &Type) -> String {
    let Type::Reference(reference) = ty else { return types::text(ty) };
    match &*reference.elem {
        Type::Slice(slice) => format!("Vec<{}>", types::text(&slice.elem)),
        Type::Path(path) if path.path.is_ident("str") => "String".to_owned(),
        other => types::text(other),
    }
}

fn camel_case(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    name.trim_start_matches("r#").split('_').map(capital).collect()
}

/// Returns the type as it is written before `::`.
pub(crate) fn path_before_name(subject: &Subject) -> String {
    types::text(&subject.ty).replacen('<', "::<", 1)
}

/// Returns the attribute that limits a parameter of a constructor, if it is likely to be a size.
pub(crate) fn size_limit(parameter: &Parameter) -> String {
    match is_size(parameter) {
        true => format!("#[generate(max_value = {SIZE_MAX})] "),
        false => String::new(),
    }
}

/// Whether a parameter of a constructor is likely to decide how much memory it allocates.
fn is_size(parameter: &Parameter) -> bool {
    const NAMES: [&str; 5] = ["capacity", "size", "len", "count", "room"];
    let is_named = NAMES.iter().any(|name| parameter.name.contains(name));
    types::text(&parameter.ty) == "usize" || (is_named && types::is_integer(&parameter.ty))
}

impl Method {
    /// Returns the limit on the arguments of a constructor, as a part of a sentence.
    pub(crate) fn size_limit(&self) -> String {
        match self.parameters.iter().any(is_size) {
            true => format!(" with sizes up to {SIZE_MAX}"),
            false => String::new(),
        }
    }
}
