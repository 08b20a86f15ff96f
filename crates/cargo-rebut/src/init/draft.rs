//! Drafts the code of one test: its parameters, the values it creates from them, its statements.

mod recipe;

pub(super) use recipe::Wrapping;

use super::api::{Api, Call, CallStyle, Receiver};
use super::names::ItemPath;
use super::texts::TextSource;
use super::ty::Ty;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Which inputs a draft generates. A test is drafted with a wide domain first, and with narrower
/// ones in case too many inputs are rejected.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputDomain<'a> {
    pub(super) range: ValueRange,
    /// The index of the recipe by which a value is created, among those of its type.
    pub(super) recipe: usize,
    pub(super) texts: &'a BTreeMap<TextConsumer, TextSource>,
}

/// Which numbers and strings are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ValueRange {
    /// All values of the type.
    Any,
    /// 0 to 1000: counts, years, lengths. Text is ASCII.
    Moderate,
    /// 1 to 20: indexes into short lists, digits, days. Text is ASCII.
    Small,
}

/// A parser: it accepts some strings and rejects others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TextConsumer {
    /// `text.parse::<Type>()`.
    Parse(ItemPath),
    /// A function, by the code that names it.
    Function(String),
}

/// A value in the scope of a test.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// Its type, without a reference.
    pub(super) ty: Ty,
    /// Whether the variable is a reference.
    pub(super) is_ref: bool,
}

#[derive(Clone, Debug)]
struct Parameter {
    name: String,
    ty: String,
    from: Option<String>,
    is_mut: bool,
}

/// A test under construction.
#[derive(Clone, Debug)]
pub(super) struct Draft<'a> {
    pub(super) api: &'a Api,
    pub(super) domain: InputDomain<'a>,
    parameters: Vec<Parameter>,
    statements: Vec<String>,
    names: BTreeSet<String>,
    /// Functions that the test needs, such as those that return generators.
    helpers: Vec<String>,
    /// Whether the code depends on the range of the domain.
    has_ranges: bool,
    /// The number of recipes of the first type that needed one.
    recipes: usize,
    is_open: bool,
    /// Whether the test creates a value of a type of the crate.
    has_own_value: bool,
}

/// The code of a finished draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TestCode {
    /// The test itself. Lines with [`PROBE`] are only for trials.
    pub(super) test: String,
    pub(super) helpers: Vec<String>,
    pub(super) has_ranges: bool,
    pub(super) recipes: usize,
    /// Whether a value is created from its fields, without a constructor of its type.
    pub(super) is_open: bool,
}

/// Marks a line that only trials contain. It is followed by an expression whose values are counted,
/// a `let` statement, or [`CHANGE`] and a condition.
pub(super) const PROBE: &str = "//~ ";

/// Marks a condition that must be true in some case, such as that a function changes its argument.
pub(super) const CHANGE: &str = "changes: ";

/// The maximum depth of values that are created from other values. Arbitrary: deeper tests are hard
/// to read. At the limit, a type without a generator has no value.
const DEPTH_MAX: usize = 3;

impl<'a> Draft<'a> {
    pub(super) fn new(api: &'a Api, domain: InputDomain<'a>) -> Draft<'a> {
        Draft {
            api,
            domain,
            parameters: Vec::new(),
            statements: Vec::new(),
            names: BTreeSet::new(),
            helpers: Vec::new(),
            has_ranges: false,
            recipes: 0,
            is_open: false,
            has_own_value: false,
        }
    }

    /// A new name for a variable, as similar to `wanted` as possible.
    pub(super) fn new_name(&mut self, wanted: &str) -> String {
        // A single letter explains nothing, and the name of a module would clash.
        let wanted = match wanted {
            "" | "_" | "self" | "crate" | "super" => "value",
            "fn" | "type" | "ref" | "match" | "in" | "mut" | "mod" | "use" | "move" | "box"
            | "loop" | "for" | "if" | "let" | "as" | "impl" | "where" | "dyn" | "try" | "gen" => {
                "value"
            }
            name => name,
        };
        let mut name = wanted.to_owned();
        let mut nth = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wanted}_{nth}");
            nth += 1;
        }
        name
    }

    pub(super) fn line(&mut self, code: impl Into<String>) {
        self.statements.push(code.into());
    }

    /// Declares that the recipe of the domain selects one of `count` ways to write the test.
    pub(super) fn has_variants(&mut self, count: usize) {
        self.recipes = count;
    }

    /// Adds an item that the test needs.
    pub(super) fn helper(&mut self, code: String) {
        if !self.helpers.contains(&code) {
            self.helpers.push(code);
        }
    }

    /// Adds a probe of a value. It reveals a test that always compares the same value.
    pub(super) fn probe(&mut self, expression: &str) {
        self.statements.push(format!("{PROBE}{expression}"));
    }

    /// Adds a probe of a change. It reveals a law about a function that does nothing.
    pub(super) fn probe_change(&mut self, condition: &str) {
        self.probe(&format!("{CHANGE}{condition}"));
    }

    /// Adds a statement that probes need.
    pub(super) fn probe_statement(&mut self, statement: &str) {
        self.probe(statement);
    }

    /// Adds a probe of a value, if its type implements `Debug`.
    pub(super) fn probe_if_shown(&mut self, expression: &str, ty: &Ty) {
        if self.api.implements(ty, "Debug") {
            self.probe(expression);
        }
    }

    /// The code of a reference to a variable.
    pub(super) fn by_ref(&self, var: &Variable) -> String {
        if var.is_ref { var.name.clone() } else { format!("&{}", var.name) }
    }

    /// Adds a parameter of the test, and returns its name.
    pub(super) fn parameter(&mut self, name: &str, ty: String, from: Option<String>) -> String {
        let name = self.new_name(name);
        self.parameters.push(Parameter { name: name.clone(), ty, from, is_mut: false });
        name
    }

    /// Makes a variable mutable.
    pub(super) fn mutable(&mut self, name: &str) {
        if let Some(parameter) = self.parameters.iter_mut().find(|one| one.name == name) {
            parameter.is_mut = true;
            return;
        }
        let (plain, wanted) = (format!("let {name} "), format!("let mut {name} "));
        let (typed, wanted_typed) = (format!("let {name}: "), format!("let mut {name}: "));
        for statement in &mut self.statements {
            if statement.starts_with(&plain) {
                *statement = statement.replacen(&plain, &wanted, 1);
            } else if statement.starts_with(&typed) {
                *statement = statement.replacen(&typed, &wanted_typed, 1);
            } else {
                for pattern in ["Ok", "Some"] {
                    let plain = format!("let {pattern}({name})");
                    let wanted = format!("let {pattern}(mut {name})");
                    *statement = statement.replacen(&plain, &wanted, 1);
                }
            }
        }
    }

    /// Adds a value of a type, created from parameters of the test.
    pub(super) fn value(&mut self, ty: &Ty, hint: &str) -> Option<Variable> {
        self.value_at(ty, hint, 0)
    }

    fn value_at(&mut self, ty: &Ty, hint: &str, depth: usize) -> Option<Variable> {
        match ty {
            Ty::Str => {
                let from = self.text_generator();
                let name = self.parameter(hint, "&str".to_owned(), from);
                Some(Variable { name, ty: Ty::Str, is_ref: true })
            }
            Ty::Slice(of) if of.is_generated() => {
                let code = self.api.type_code(of)?;
                let name = self.parameter(hint, format!("&[{code}]"), None);
                Some(Variable { name, ty: ty.clone(), is_ref: true })
            }
            Ty::Ref(of) => self.value_at(of, hint, depth),
            Ty::RefMut(of) => {
                let owned = match of.as_ref() {
                    Ty::Slice(of) => Ty::Std("Vec", vec![(**of).clone()]),
                    Ty::Str => return None,
                    ty => ty.clone(),
                };
                let var = self.value_at(&owned, hint, depth)?;
                self.mutable(&var.name);
                Some(var)
            }
            Ty::Own(..) => {
                self.has_own_value = true;
                self.create(ty, hint, depth)
            }
            ty if ty.is_generated() => {
                let code = self.api.type_code(ty)?;
                let from = self.generator(ty, hint, depth > 0);
                let name = self.parameter(hint, code, from);
                Some(Variable { name, ty: ty.clone(), is_ref: false })
            }
            _ => None,
        }
    }

    /// The generator of a string: any text, or only ASCII.
    fn text_generator(&mut self) -> Option<String> {
        self.has_ranges = true;
        match self.domain.range {
            ValueRange::Any => None,
            _ => Some("strings().alphabet(chars().ascii_printable())".to_owned()),
        }
    }

    /// The generator of a parameter; `None` if any value of its type is fine.
    fn generator(&mut self, ty: &Ty, hint: &str, is_constructor: bool) -> Option<String> {
        if *ty == Ty::String {
            return self.text_generator();
        }
        let is_narrow = matches!(ty, Ty::Plain("u8" | "i8"));
        // A number for a type of the crate is mostly an index or a size.
        let is_index = is_constructor || self.has_own_value || is_size(hint);
        let is_size = *ty == Ty::Plain("usize") && is_index;
        match ty {
            ty if ty.is_integer() => {
                self.has_ranges |= !is_narrow;
                match self.domain.range {
                    ValueRange::Small => Some("integers().in_range(1..=20)".to_owned()),
                    ValueRange::Moderate if !is_narrow => {
                        Some("integers().in_range(0..=1000)".into())
                    }
                    // A list of 2^60 elements does not fit in memory.
                    _ if is_size => Some("integers().in_range(0..=100)".to_owned()),
                    _ => None,
                }
            }
            Ty::Std(path @ ("Vec" | "std::collections::BTreeSet"), of)
                if of.first() == Some(&Ty::Plain("usize")) =>
            {
                let name = if *path == "Vec" { "vecs" } else { "btree_sets" };
                Some(format!("{name}(integers().in_range(0..=255))"))
            }
            ty if ty.is_float() && self.domain.range != ValueRange::Any => {
                Some("floats().in_range(-1000.0..=1000.0)".to_owned())
            }
            ty => {
                self.has_ranges |= ty.is_float();
                None
            }
        }
    }

    /// Adds a string that a parser accepts, if such strings are known. `name` is the name for their
    /// generator, and `accepts` the end of a sentence that begins with "strings that".
    pub(super) fn accepted_text(
        &mut self,
        consumer: &TextConsumer,
        name: &str,
        accepts: &str,
    ) -> Option<Variable> {
        let source = self.domain.texts.get(consumer)?;
        let generator = match source.inline() {
            Some(generator) => generator,
            None => {
                let function = format!("{name}_strings");
                self.helper(source.function(&function, accepts));
                format!("{function}()")
            }
        };
        let name = self.parameter("text", "&str".to_owned(), Some(generator));
        Some(Variable { name, ty: Ty::Str, is_ref: true })
    }

    /// Adds a string that a parser accepts or nearly accepts, if such strings are known.
    pub(super) fn near_accepted_text(
        &mut self,
        consumer: &TextConsumer,
        name: &str,
        accepts: &str,
    ) -> Option<Variable> {
        let source = self.domain.texts.get(consumer)?;
        if *source == TextSource::Any {
            return None;
        }
        let var = self.accepted_text(consumer, name, accepts)?;
        let parameter = self.parameters.last_mut()?;
        let known = parameter.from.take()?;
        parameter.from = Some(format!("one_of!({known}, strings())"));
        Some(var)
    }

    /// The code that passes a variable to a parameter. At its last use, the variable can be moved.
    pub(super) fn pass(&mut self, var: &Variable, wanted: &Ty, is_last: bool) -> Option<String> {
        let name = &var.name;
        Some(match wanted {
            Ty::RefMut(_) => {
                if var.is_ref {
                    return None;
                }
                self.mutable(name);
                format!("&mut {name}")
            }
            Ty::Ref(of) => match (of.as_ref(), var.is_ref) {
                (Ty::Ref(_), _) => return None,
                (_, true) => name.clone(),
                (_, false) => format!("&{name}"),
            },
            // A generic parameter with a reference as its type, or an unsized receiver.
            Ty::Str | Ty::Slice(_) => match var.is_ref {
                true => name.clone(),
                false => format!("&{name}"),
            },
            ty if var.is_ref => match (ty, &var.ty) {
                (Ty::String, Ty::Str) => format!("{name}.to_owned()"),
                (Ty::Std("Vec", _), Ty::Slice(_)) => format!("{name}.to_vec()"),
                (ty, other) if ty == other && ty.is_copy() => format!("*{name}"),
                (ty, other) if ty == other && self.api.clones(ty) => format!("{name}.clone()"),
                _ => return None,
            },
            ty if ty.is_copy() || is_last || self.is_copy(&var.ty) => name.clone(),
            ty if self.api.clones(ty) => format!("{name}.clone()"),
            _ => return None,
        })
    }

    pub(super) fn is_copy(&self, ty: &Ty) -> bool {
        ty.is_copy() || (matches!(ty, Ty::Own(..)) && self.api.implements(ty, "Copy"))
    }

    /// Adds a string that a function accepts, if text is its only argument.
    pub(super) fn text_for(&mut self, call: &Call<'_>) -> Option<Variable> {
        let [(_, ty)] = call.parameters.as_slice() else { return None };
        let path = match (&call.function.how, call.function.receiver) {
            (CallStyle::Free(path), _) => self.api.path(path),
            (CallStyle::Inherent, None) => {
                format!("{}::{}", self.api.path_code(call.owner.as_ref()?)?, call.function.name)
            }
            _ => return None,
        };
        let name = match &call.owner {
            Some(Ty::Own(item, _)) => snake_case(item.last()?),
            _ => snake_case(&call.function.name),
        };
        let accepts = format!("`{path}` accepts");
        let is_text = matches!(ty, Ty::Ref(of) if **of == Ty::Str) || *ty == Ty::String;
        let consumer = TextConsumer::Function(path);
        if is_text { self.accepted_text(&consumer, &name, &accepts) } else { None }
    }

    /// Adds values for all parameters of a function.
    pub(super) fn arguments(&mut self, call: &Call<'_>) -> Option<Vec<Variable>> {
        let parameters = call.parameters.iter();
        parameters.map(|(name, ty)| self.value(ty, name)).collect()
    }

    /// Adds the value that a method is called on; `Some(None)` for a function without a receiver.
    pub(super) fn receiver(&mut self, call: &Call<'_>) -> Option<Option<Variable>> {
        let (Some(receiver), Some(owner)) = (call.function.receiver, &call.owner) else {
            return Some(None);
        };
        let hint = match owner {
            Ty::Own(item, _) => snake_case(item.last()?),
            Ty::Str => "text".to_owned(),
            Ty::Slice(_) => "list".to_owned(),
            _ => "value".to_owned(),
        };
        let wanted = match receiver {
            Receiver::RefMut => Ty::RefMut(Box::new(owner.clone())),
            _ => owner.clone(),
        };
        self.value(&wanted, &hint).map(Some)
    }

    /// The code of a call, from the code of the receiver and the arguments.
    pub(super) fn call(
        &self,
        call: &Call<'_>,
        receiver: Option<&str>,
        arguments: &[String],
    ) -> Option<String> {
        let name = &call.function.name;
        let all = |first: Option<&str>| {
            let all: Vec<&str> =
                first.into_iter().chain(arguments.iter().map(String::as_str)).collect();
            all.join(", ")
        };
        Some(match (&call.function.how, receiver) {
            (CallStyle::Free(path), _) => format!("{}({})", self.api.path(path), all(None)),
            (CallStyle::Inherent, Some(receiver)) => {
                let receiver = receiver.trim_start_matches("&mut ").trim_start_matches('&');
                format!("{receiver}.{name}({})", all(None))
            }
            (CallStyle::Inherent, None) => {
                let owner = self.api.path_code(call.owner.as_ref()?)?;
                format!("{owner}::{name}({})", all(None))
            }
            (CallStyle::Trait(path), Some(receiver)) => {
                format!("{}::{name}({})", self.api.path(path), all(Some(receiver)))
            }
            (CallStyle::Trait(path), None) => {
                let owner = self.api.type_code(call.owner.as_ref()?)?;
                format!("<{owner} as {}>::{name}({})", self.api.path(path), all(None))
            }
        })
    }

    /// The code of a receiver.
    pub(super) fn pass_receiver(
        &mut self,
        call: &Call<'_>,
        var: &Variable,
        is_last: bool,
    ) -> Option<String> {
        let owner = call.owner.clone()?;
        let wanted = match call.function.receiver? {
            Receiver::Ref => Ty::Ref(Box::new(owner)),
            Receiver::RefMut => Ty::RefMut(Box::new(owner)),
            Receiver::Owned => owner,
        };
        self.pass(var, &wanted, is_last)
    }

    /// Binds the value in `Ok` or `Some` to a name, and rejects the case if there is none.
    pub(super) fn unwrap_or_reject(
        &mut self,
        pattern: &str,
        name: &str,
        expression: &str,
        why: &str,
    ) {
        self.line(format!(
            "let {pattern}({name}) = {expression} else {{ return assume!(false, {why:?}) }};"
        ));
    }

    /// Finishes the test, with this name and documentation.
    pub(super) fn finish(self, name: &str, docs: &str) -> TestCode {
        let mut test = String::new();
        let _ = writeln!(test, "/// {docs}");
        let _ = writeln!(test, "#[rebut::test]");
        let parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|parameter| {
                let from = parameter.from.as_ref();
                let from = from.map_or(String::new(), |from| format!("#[from({from})] "));
                let mutable = if parameter.is_mut { "mut " } else { "" };
                format!("{from}{mutable}{}: {}", parameter.name, parameter.ty)
            })
            .collect();
        let _ = writeln!(test, "fn {name}({}) {{", parameters.join(", "));
        for statement in &self.statements {
            for line in statement.lines() {
                let _ = writeln!(test, "    {line}");
            }
        }
        test.push_str("}\n");
        TestCode {
            test,
            helpers: self.helpers,
            has_ranges: self.has_ranges,
            recipes: self.recipes,
            is_open: self.is_open,
        }
    }

    /// Whether the test has inputs.
    pub(super) fn has_parameters(&self) -> bool {
        !self.parameters.is_empty()
    }
}

/// Whether a parameter with this name determines how much memory or time is used.
fn is_size(name: &str) -> bool {
    const SIZES: &[&str] = &[
        "capacity",
        "additional",
        "len",
        "length",
        "size",
        "count",
        "n",
        "times",
        "width",
        "cap",
        "amount",
        "num",
        "indent",
        "depth",
        "limit",
        "reserve",
        "bits",
        "nbits",
        "new_len",
        "precision",
        "padding",
    ];
    name.split('_').any(|word| SIZES.contains(&word))
}

/// Converts a name to snake case: `HttpVersion` becomes `http_version`.
pub(super) fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut before = '_';
    for character in name.chars() {
        let starts_word = character.is_uppercase() && !before.is_uppercase();
        if starts_word && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        if character.is_alphanumeric() || character == '_' {
            snake.extend(character.to_lowercase());
        } else if !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        before = character;
    }
    snake.trim_matches('_').to_owned()
}
