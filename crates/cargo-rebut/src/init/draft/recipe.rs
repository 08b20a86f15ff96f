//! Recipes: ways to create a value of a type of the crate.

use super::super::api::{Call, Constant, TypeBody};
use super::super::ty::Ty;
use super::{DEPTH_MAX, Draft, TextConsumer, Variable, snake_case};

type Fields = Vec<(Option<String>, Ty)>;

/// One way to create a value.
#[derive(Clone, Debug)]
enum Recipe<'a> {
    /// A struct from its fields.
    Fields(Fields),
    /// One of several variants, whose fields are all generated.
    Variants(Vec<(String, Fields)>),
    /// A function that returns the value, possibly in `Ok` or `Some`.
    Call(Call<'a>, Wrapping),
    /// `Type::from(value)`.
    From(Ty),
    /// `Type::try_from(value)`.
    TryFrom(Ty),
    /// `values.into_iter().collect()`.
    Collect(Ty),
    /// `text.parse()`.
    Parse,
    /// A constant of the crate.
    Constant(Constant),
    /// `Type::default()`.
    Default,
}

/// The wrapper in which a function returns a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Wrapping {
    Plain,
    Ok,
    Some,
}

impl Wrapping {
    /// Splits the return type of a function into the wrapper and the type inside.
    pub(in super::super) fn split(output: &Ty) -> (Wrapping, &Ty) {
        match output {
            Ty::Std("Result", parts) if !parts.is_empty() => (Wrapping::Ok, &parts[0]),
            Ty::Std("Option", parts) if parts.len() == 1 => (Wrapping::Some, &parts[0]),
            ty => (Wrapping::Plain, ty),
        }
    }

    pub(in super::super) fn pattern(self) -> &'static str {
        match self {
            Wrapping::Plain => "",
            Wrapping::Ok => "Ok",
            Wrapping::Some => "Some",
        }
    }
}

/// The maximum number of constants to try: a law may not hold for the first. Arbitrary. Further
/// constants are not tried.
const CONSTANTS_MAX: usize = 3;

impl<'a> Draft<'a> {
    /// Adds a variable with a value of a type of the crate.
    pub(super) fn create(&mut self, ty: &Ty, hint: &str, depth: usize) -> Option<Variable> {
        if depth >= DEPTH_MAX {
            return None;
        }
        let recipes = self.recipes(ty);
        let first = if depth == 0 { self.domain.recipe } else { 0 };
        if depth == 0 && self.recipes == 0 {
            self.recipes = recipes.len();
        }
        // A recipe fails if it needs a value that no recipe creates; then try the next one.
        for recipe in recipes.iter().skip(first) {
            let before = self.clone();
            match self.follow(recipe, ty, hint, depth) {
                Some(var) => return Some(var),
                None => *self = before,
            }
        }
        None
    }

    /// Adds an empty value, from `new()`, `Default` or a similar constructor.
    pub(in super::super) fn empty(&mut self, ty: &Ty, hint: &str) -> Option<Variable> {
        let is_empty = |recipe: &&Recipe<'a>| match recipe {
            Recipe::Call(call, wrapping) => {
                let is_new = ["new", "empty", "default"].contains(&call.function.name.as_str());
                is_new && call.parameters.is_empty() && *wrapping == Wrapping::Plain
            }
            Recipe::Default => true,
            _ => false,
        };
        let recipes = self.recipes(ty);
        let recipe = recipes.iter().find(is_empty)?;
        // The type annotation fixes the generic arguments.
        let (code, path) = (self.api.type_code(ty)?, self.api.path_code(ty)?);
        let call = match recipe {
            Recipe::Call(call, _) => format!("{path}::{}()", call.function.name),
            _ => format!("{path}::default()"),
        };
        let name = self.new_name(hint);
        let is_generic = matches!(ty, Ty::Own(_, arguments) if !arguments.is_empty());
        self.line(match is_generic {
            true => format!(
                "let {name}: {code} = {};",
                call.replacen(&path, &without_arguments(&path), 1)
            ),
            false => format!("let {name} = {call};"),
        });
        Some(Variable { name, ty: ty.clone(), is_ref: false })
    }

    fn follow(
        &mut self,
        recipe: &Recipe<'a>,
        ty: &Ty,
        hint: &str,
        depth: usize,
    ) -> Option<Variable> {
        let path = self.api.path_code(ty)?;
        match recipe {
            Recipe::Fields(fields) => {
                self.is_open = true;
                let code = self.struct_code(&path, fields, depth)?;
                self.bound(hint, ty, &code)
            }
            Recipe::Variants(variants) => {
                let generator = self.variants_code(&path, variants)?;
                let code = self.api.type_code(ty)?;
                let name = self.parameter(hint, code, Some(generator));
                Some(Variable { name, ty: ty.clone(), is_ref: false })
            }
            Recipe::Call(call, wrapping) => {
                let mut arguments = Vec::new();
                for (name, wanted) in &call.parameters {
                    let accepted = match wrapping {
                        Wrapping::Plain => None,
                        _ => self.text_for(call),
                    };
                    let var = match accepted {
                        Some(var) => var,
                        None => self.value_at(wanted, name, depth + 1)?,
                    };
                    arguments.push(self.pass(&var, wanted, true)?);
                }
                let code = self.call(call, None, &arguments)?;
                let why = format!("`{}` accepts the input", call.function.name);
                self.bind_unwrapped(*wrapping, hint, ty, &code, &why)
            }
            Recipe::From(source) => {
                let var = self.value_at(source, &source_name(source), depth + 1)?;
                let argument = self.pass(&var, source, true)?;
                self.bound(hint, ty, &format!("{path}::from({argument})"))
            }
            Recipe::TryFrom(source) => {
                let var = self.value_at(source, &source_name(source), depth + 1)?;
                let argument = self.pass(&var, source, true)?;
                let code = format!("{path}::try_from({argument})");
                self.bind_unwrapped(Wrapping::Ok, hint, ty, &code, "`try_from` accepts the input")
            }
            Recipe::Collect(of) => {
                let list = Ty::Std("Vec", vec![of.clone()]);
                let var = self.value_at(&list, "items", depth + 1)?;
                let code = self.api.type_code(ty)?;
                let name = self.new_name(hint);
                self.line(format!("let {name}: {code} = {}.into_iter().collect();", var.name));
                Some(Variable { name, ty: ty.clone(), is_ref: false })
            }
            Recipe::Parse => {
                let Ty::Own(item, _) = ty else { return None };
                let consumer = TextConsumer::Parse(item.clone());
                let accepts = format!("are a valid `{}`", item.last()?);
                let text = self.accepted_text(&consumer, &snake_case(item.last()?), &accepts)?;
                let code = format!("{}.parse::<{}>()", text.name, self.api.type_code(ty)?);
                let why = format!("the text is a valid `{}`", item.last()?);
                self.bind_unwrapped(Wrapping::Ok, hint, ty, &code, &why)
            }
            Recipe::Constant(constant) => {
                let name = self.new_name(hint);
                let path = self.api.path(&constant.path);
                let is_static = matches!(constant.ty, Ty::Ref(_));
                let code = if is_static { path } else { format!("&{path}") };
                self.line(format!("let {name} = {code};"));
                Some(Variable { name, ty: ty.clone(), is_ref: true })
            }
            Recipe::Default => self.bound(hint, ty, &format!("{path}::default()")),
        }
    }

    fn bound(&mut self, hint: &str, ty: &Ty, code: &str) -> Option<Variable> {
        let name = self.new_name(hint);
        // Defaults of generic parameters apply only where a type is written.
        let has_defaults = matches!(ty, Ty::Own(_, all) if all.contains(&Ty::Omitted));
        match self.api.type_code(ty).filter(|_| has_defaults) {
            Some(of) => self.line(format!("let {name}: {of} = {code};")),
            None => self.line(format!("let {name} = {code};")),
        }
        Some(Variable { name, ty: ty.clone(), is_ref: false })
    }

    /// Adds a variable with the value of an expression, without its wrapper.
    pub(in super::super) fn bind_unwrapped(
        &mut self,
        wrapping: Wrapping,
        hint: &str,
        ty: &Ty,
        code: &str,
        why: &str,
    ) -> Option<Variable> {
        if wrapping == Wrapping::Plain {
            return self.bound(hint, ty, code);
        }
        let name = self.new_name(hint);
        self.unwrap_or_reject(wrapping.pattern(), &name, code, why);
        Some(Variable { name, ty: ty.clone(), is_ref: false })
    }

    fn struct_code(&mut self, path: &str, fields: &Fields, depth: usize) -> Option<String> {
        let mut written = Vec::new();
        let is_tuple = fields.iter().all(|(name, _)| name.is_none());
        for (name, ty) in fields {
            let var = self.value_at(ty, name.as_deref().unwrap_or("value"), depth + 1)?;
            let argument = self.pass(&var, ty, true)?;
            written.push(match name {
                Some(name) if *name == argument => argument,
                Some(name) => format!("{name}: {argument}"),
                None => argument,
            });
        }
        let inside = written.join(", ");
        Some(if is_tuple { format!("{path}({inside})") } else { format!("{path} {{ {inside} }}") })
    }

    /// The generator of an enum.
    fn variants_code(&self, path: &str, variants: &[(String, Fields)]) -> Option<String> {
        if variants.iter().all(|(_, fields)| fields.is_empty()) {
            let names: Vec<String> =
                variants.iter().map(|(name, _)| format!("{path}::{name}")).collect();
            return Some(format!("sampled_from([{}])", names.join(", ")));
        }
        let generators: Option<Vec<String>> =
            variants.iter().map(|variant| self.variant_code(path, variant)).collect();
        Some(format!("one_of!({})", generators?.join(", ")))
    }

    fn variant_code(&self, path: &str, (name, fields): &(String, Fields)) -> Option<String> {
        let codes = fields.iter().map(|(_, ty)| self.api.type_code(ty));
        let codes: Vec<String> = codes.collect::<Option<_>>()?;
        let path = format!("{path}::{name}");
        if let [(None, _)] = fields.as_slice() {
            return Some(format!("rebut::any::<{}>().map({path})", codes[0]));
        }
        let names: Vec<String> = fields
            .iter()
            .enumerate()
            .map(|(nth, (name, _))| name.clone().unwrap_or(format!("part_{nth}")))
            .collect();
        let inside = names.join(", ");
        let is_tuple = fields.iter().all(|(name, _)| name.is_none());
        let made =
            if is_tuple { format!("{path}({inside})") } else { format!("{path} {{ {inside} }}") };
        Some(match codes.as_slice() {
            [] => format!("just({path})"),
            [code] => format!("rebut::any::<{code}>().map(|{inside}| {made})"),
            codes => format!("rebut::any::<({})>().map(|({inside})| {made})", codes.join(", ")),
        })
    }

    /// All recipes for a type, the best first.
    fn recipes(&self, ty: &Ty) -> Vec<Recipe<'a>> {
        let Ty::Own(item, _) = ty else { return Vec::new() };
        let mut found: Vec<(u32, Recipe<'a>)> = Vec::new();
        found.extend(self.body_recipe(ty));
        self.add_constructors(ty, &mut found);
        self.add_conversions(ty, &mut found);
        if self.domain.texts.contains_key(&TextConsumer::Parse(item.clone())) {
            found.push((12, Recipe::Parse));
        }
        let is_it = |constant: &&Constant| constant.ty.bare() == ty;
        for constant in self.api.constants.iter().filter(is_it).take(CONSTANTS_MAX) {
            found.push((80, Recipe::Constant(constant.clone())));
        }
        if self.api.implements(ty, "Default") {
            found.push((90, Recipe::Default));
        }
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, recipe)| recipe).collect()
    }

    /// The recipe by the definition of the type, with its rank.
    fn body_recipe(&self, ty: &Ty) -> Option<(u32, Recipe<'a>)> {
        let Ty::Own(item, arguments) = ty else { return None };
        let definition = self.api.types.get(item)?;
        let names = definition.generics.iter().map(|generic| generic.name.clone());
        let types = names.zip(arguments.iter().cloned()).collect();
        let with = |fields: &Fields| -> Fields {
            fields.iter().map(|(name, ty)| (name.clone(), ty.with(&types))).collect()
        };
        match &definition.body {
            // Public fields can have values that no constructor would set.
            TypeBody::Fields(fields) => Some((20, Recipe::Fields(with(fields)))),
            TypeBody::Variants(variants) => {
                let variants: Vec<(String, Fields)> = variants
                    .iter()
                    .map(|(name, fields)| (name.clone(), with(fields)))
                    .filter(|(_, fields)| fields.iter().all(|(_, ty)| ty.is_generated()))
                    .collect();
                // An enum with a single usable variant is a constant.
                let is_varied =
                    variants.len() > 1 || variants.iter().any(|(_, fields)| !fields.is_empty());
                let is_possible = is_varied && self.api.implements(ty, "Clone");
                is_possible.then_some((5, Recipe::Variants(variants)))
            }
            TypeBody::Closed => None,
        }
    }

    /// Adds functions that return the type.
    fn add_constructors(&self, ty: &Ty, found: &mut Vec<(u32, Recipe<'a>)>) {
        let api: &'a super::Api = self.api;
        let Ty::Own(item, _) = ty else { return };
        for function in api.functions.iter().filter(|function| function.receiver.is_none()) {
            let returned = Wrapping::split(&function.output).1;
            if !matches!(returned, Ty::Own(other, _) if other == item) {
                continue;
            }
            for call in api.calls(function) {
                let (wrapping, returned) = Wrapping::split(&call.output);
                let is_own = call.owner.as_ref().is_none_or(|owner| owner.bare() == ty);
                // A function that takes the type it returns cannot create a first value.
                let takes_it = call.parameters.iter().any(|(_, of)| of.bare() == ty);
                if returned == ty && is_own && !takes_it {
                    // With strings that are known to be accepted, a parser is as good as a
                    // constructor.
                    let is_known = self.clone().text_for(&call).is_some();
                    let rank = if is_known { 14 } else { rank(&call, wrapping) };
                    found.push((rank, Recipe::Call(call, wrapping)));
                }
            }
        }
    }

    /// Adds `From`, `TryFrom` and `FromIterator`.
    fn add_conversions(&self, ty: &Ty, found: &mut Vec<(u32, Recipe<'a>)>) {
        let sources = |name: &str| -> Vec<Ty> {
            let all = self.api.implementations(ty, name).into_iter();
            all.filter_map(|(one, types)| Some(one.arguments.first()?.with(&types))).collect()
        };
        for source in sources("From") {
            let rank = match &source {
                source if source.is_generated() => 4,
                Ty::Ref(of) if matches!(of.as_ref(), Ty::Str | Ty::Slice(_)) => 4,
                Ty::Own(..) => 50,
                _ => continue,
            };
            if source.bare() != ty {
                found.push((rank, Recipe::From(source)));
            }
        }
        let numbers = |source: &Ty| source.is_generated() && !source.is_text();
        let sources_of_try = sources("TryFrom").into_iter().filter(numbers);
        found.extend(sources_of_try.map(|source| (35, Recipe::TryFrom(source))));
        let elements = sources("FromIterator").into_iter().filter(Ty::is_generated);
        found.extend(elements.map(|of| (6, Recipe::Collect(of))));
    }
}

/// A path without generic arguments.
fn without_arguments(path: &str) -> String {
    path.split("::<").next().unwrap_or(path).to_owned()
}

/// The rank of a constructor; lower is better.
fn rank(call: &Call<'_>, wrapping: Wrapping) -> u32 {
    let name = call.function.name.as_str();
    let rank = match wrapping {
        _ if name.contains("capacity") => 95,
        _ if call.parameters.is_empty() => 85,
        Wrapping::Plain if name == "new" => 0,
        Wrapping::Plain if name.starts_with("from") => 2,
        Wrapping::Plain if name.starts_with("new") => 3,
        Wrapping::Plain if call.owner.is_some() => 7,
        Wrapping::Plain => 9,
        _ if name.starts_with("new") => 25,
        _ => 30,
    };
    // A parser rejects most strings, unless accepted ones are known.
    let takes_text = call.parameters.iter().any(|(_, ty)| ty.is_text() || ty.is_bytes());
    let is_guess = takes_text && wrapping != Wrapping::Plain;
    let has_conditions = call.function.has_conditions();
    rank + if is_guess { 40 } else { 0 } + if has_conditions { 10 } else { 0 }
}

/// A variable name for the source of a conversion.
fn source_name(ty: &Ty) -> String {
    match ty.bare() {
        Ty::Str | Ty::String => "text".to_owned(),
        ty if ty.is_bytes() => "bytes".to_owned(),
        Ty::Slice(_) | Ty::Array(..) => "items".to_owned(),
        Ty::Std(_, parts) if !parts.is_empty() => "items".to_owned(),
        Ty::Std(path, _) => snake_case(path.rsplit("::").next().unwrap_or("value")),
        ty if ty.is_integer() || ty.is_float() => "number".to_owned(),
        Ty::Own(item, _) => snake_case(item.last().map_or("value", String::as_str)),
        _ => "value".to_owned(),
    }
}
