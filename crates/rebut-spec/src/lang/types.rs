//! The types of blanks: `?Integer`, `?(Option Date)`, `?(List event 1 3)`, `?timeSuff`.

use super::interpret::Interpreter;
use super::item::Item;
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::ir::{Choices, Expr, Shape, Sort};
use crate::syntax::{Datum, DatumKind};
use crate::{dates, zones};
use std::sync::Arc;

/// The default maximum length of a list. Arbitrary; the file can set another one.
pub(crate) const LIST_SIZE_MAX: usize = 5;

/// The greatest length of a list. Arbitrary; each item has its own variables. A larger one is an
/// error.
const LIST_SIZE_LIMIT: usize = 1000;

pub(crate) const TYPE_NAMES: &[&str] = &[
    "Integer", "Long", "Real", "String", "Boolean", "Date", "Day", "Location", "Object", "Option",
    "List", "Enum", "Either", "Null",
];

/// The type of a blank.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Integer {
        min: i128,
        max: i128,
    },
    Real,
    String,
    Boolean,
    Date,
    Day,
    Location,
    Object,
    Option(Box<Type>),
    List {
        element: Box<Type>,
        min: usize,
        max: usize,
    },
    Enum(Arc<Choices>),
    Either(Vec<Type>),
    /// A copy of a declared value, with new variables.
    Named(Arc<str>, Span),
}

impl Type {
    pub(crate) const INTEGER: Self = Self::Integer { min: i32::MIN as i128, max: i32::MAX as i128 };
    pub(crate) const LONG: Self = Self::Integer { min: i64::MIN as i128, max: i64::MAX as i128 };
}

impl Interpreter<'_> {
    /// Reads a type.
    pub(crate) fn type_of(&mut self, datum: &Datum) -> Option<Type> {
        match &datum.kind {
            DatumKind::Symbol(name) => Some(self.simple_type(name, datum.span)),
            DatumKind::Blank(inner) => self.type_of(inner),
            DatumKind::List(items) => self.compound_type(items, datum.span),
            DatumKind::Broken => None,
            _ => {
                let help = "write a type: Integer, String, (Option Date), (Enum a b c), ..";
                self.report(
                    Diagnostic::error(datum.span, format!("`{datum}` is not a type")).help(help),
                );
                None
            }
        }
    }

    fn simple_type(&mut self, name: &Arc<str>, span: Span) -> Type {
        match &**name {
            "Integer" | "Int" => Type::INTEGER,
            "Long" => Type::LONG,
            "Real" | "Number" => Type::Real,
            "String" | "Str" => Type::String,
            "Boolean" | "Bool" => Type::Boolean,
            "Date" => Type::Date,
            "Day" => Type::Day,
            "Location" => Type::Location,
            "Object" => Type::Object,
            "Null" => {
                let names = vec![Arc::from("null")];
                Type::Enum(Arc::new(Choices { names, json: vec!["null".to_owned()] }))
            }
            _ => Type::Named(name.clone(), span),
        }
    }

    fn compound_type(&mut self, items: &[Datum], span: Span) -> Option<Type> {
        let head = items.first().and_then(Datum::symbol).unwrap_or_default();
        match (head, &items[1.min(items.len())..]) {
            ("Option", [inner]) => Some(Type::Option(Box::new(self.type_of(inner)?))),
            ("List", [inner]) => self.list_type(inner, 0, LIST_SIZE_MAX as i128, span),
            ("List", [inner, Datum { kind: DatumKind::Int(max), .. }]) => {
                self.list_type(inner, 0, *max, span)
            }
            (
                "List",
                [
                    inner,
                    Datum { kind: DatumKind::Int(min), .. },
                    Datum { kind: DatumKind::Int(max), .. },
                ],
            ) => self.list_type(inner, *min, *max, span),
            (
                "Integer" | "Int" | "Long",
                [Datum { kind: DatumKind::Int(min), .. }, Datum { kind: DatumKind::Int(max), .. }],
            ) => Some(Type::Integer { min: *min, max: *max }),
            ("Either", [_, _, ..]) => {
                let each: Option<Vec<Type>> =
                    items[1..].iter().map(|inner| self.type_of(inner)).collect();
                Some(Type::Either(each?))
            }
            ("Enum", names) if !names.is_empty() => self.enum_type(names),
            ("", _) => {
                self.report(
                    Diagnostic::error(span, "a type starts with its name")
                        .help("as in ?(Option Date)"),
                );
                None
            }
            (name, _) => {
                self.wrong_compound(name, span);
                None
            }
        }
    }

    fn wrong_compound(&mut self, name: &str, span: Span) {
        let forms = "expected (Option T), (List T), (List T max), (List T min max), (Enum a b ..), (Either T U ..) or (Integer min max)";
        let help = match nearest(name, ["Option", "List", "Enum", "Either", "Integer"]) {
            Some(near) if near != name => format!("did you mean `{near}`? {forms}"),
            _ => forms.to_owned(),
        };
        self.report(
            Diagnostic::error(span, format!("`{name}` does not take arguments like these"))
                .help(help),
        );
    }

    fn list_type(&mut self, inner: &Datum, min: i128, max: i128, span: Span) -> Option<Type> {
        let element = Box::new(self.type_of(inner)?);
        let sizes = usize::try_from(min).ok().zip(usize::try_from(max).ok());
        match sizes.filter(|(min, max)| min <= max && *max <= LIST_SIZE_LIMIT) {
            Some((min, max)) => Some(Type::List { element, min, max }),
            None => {
                let message = format!("a list cannot have from {min} to {max} items");
                let help =
                    format!("write the least number first; there can be at most {LIST_SIZE_LIMIT}");
                self.report(Diagnostic::error(span, message).help(help));
                None
            }
        }
    }

    fn enum_type(&mut self, names: &[Datum]) -> Option<Type> {
        let mut known: Vec<Arc<str>> = Vec::new();
        let mut json: Vec<String> = Vec::new();
        for name in names {
            let text: Arc<str> = match &name.kind {
                DatumKind::Symbol(text) | DatumKind::Str(text) => text.clone(),
                DatumKind::Int(_) | DatumKind::Real(_) | DatumKind::Bool(_) => {
                    name.to_string().into()
                }
                DatumKind::Blank(inner) if inner.symbol() == Some("Null") => "null".into(),
                _ => {
                    let message = format!("`{name}` is not a valid name");
                    self.report(
                        Diagnostic::error(name.span, message)
                            .help("names of an Enum are words or strings"),
                    );
                    return None;
                }
            };
            if known.contains(&text) {
                self.report(
                    Diagnostic::error(name.span, format!("`{text}` occurs twice"))
                        .help("remove one"),
                );
                return None;
            }
            json.push(match &name.kind {
                // Numbers and Booleans stay what they are in JSON.
                DatumKind::Symbol(_) | DatumKind::Str(_) => {
                    serde_json::Value::from(&*text).to_string()
                }
                _ => text.to_string(),
            });
            known.push(text);
        }
        Some(Type::Enum(Arc::new(Choices { names: known, json })))
    }

    /// Creates a blank of a type, with new variables.
    pub(crate) fn blank(&mut self, blank: &Type, name: &str) -> Item {
        let world = &mut self.world;
        let leaf = match blank {
            Type::Integer { min, max } => world.variable(name, Sort::Int, Some((*min, *max))),
            Type::Real => world.variable(name, Sort::Real, None),
            Type::String => world.variable(name, Sort::Str, None),
            Type::Boolean => world.variable(name, Sort::Bool, None),
            Type::Date => world.variable(name, Sort::Date, Some(dates::DATE_BOUNDS)),
            Type::Day => world.variable(name, Sort::Day, Some(dates::DAY_BOUNDS)),
            Type::Location => world.variable(
                name,
                Sort::Location,
                Some((0, zones::locations().len() as i128 - 1)),
            ),
            Type::Enum(choices) => {
                let last = choices.names.len() as i128 - 1;
                world.variable(name, Sort::Enum(choices.clone()), Some((0, last)))
            }
            Type::Object => {
                world.objects.push(Vec::new());
                return Item::Object(world.objects.len() - 1);
            }
            Type::Option(inner) => {
                let present = world.variable(&format!("{name}.present"), Sort::Bool, None);
                let inner = Box::new(self.blank(inner, name));
                return Item::Option { present, inner };
            }
            Type::Either(types) => return self.blank_either(types, name),
            Type::List { element, min, max } => return self.blank_list(element, *min, *max, name),
            Type::Named(other, span) => return self.blank_like(other, *span, name),
        };
        Item::Expr(leaf)
    }

    /// Creates a blank with alternatives. The assertions about an alternative apply only if it is
    /// chosen.
    fn blank_either(&mut self, types: &[Type], name: &str) -> Item {
        let last = types.len() as i128 - 1;
        let which = self.world.variable(&format!("{name}.kind"), Sort::Int, Some((0, last)));
        let mut alternatives = Vec::new();
        for (at, one) in types.iter().enumerate() {
            let before = self.world.assertions.len();
            alternatives.push(self.blank(one, name));
            for (assertion, _) in &mut self.world.assertions[before..] {
                *assertion = Shape::is(&which, at).implies(assertion.clone());
            }
        }
        Item::Either { which, alternatives: alternatives.into() }
    }

    fn blank_list(&mut self, element: &Type, min: usize, max: usize, name: &str) -> Item {
        let bounds = Some((min as i128, max as i128));
        let length = if min == max {
            Expr::int(max as i128)
        } else {
            self.world.variable(&format!("{name}.length"), Sort::Int, bounds)
        };
        let items = (0..max).map(|at| self.blank(element, &format!("{name}[{at}]"))).collect();
        Item::Sequence { length, items }
    }

    /// Creates a copy of a declared value. A declared regular expression is a type of strings.
    fn blank_like(&mut self, other: &Arc<str>, span: Span, name: &str) -> Item {
        let item = self.world.names.get(other).cloned();
        match item {
            Some(Item::Pattern(pattern)) => {
                let text = self.world.variable(name, Sort::Str, None);
                self.world.assertions.push((text.clone().matches(pattern), span));
                Item::Expr(text)
            }
            Some(item) if item.is_symbolic() => match self.world.instantiate(&item, name) {
                Some(copy) => copy,
                None => {
                    let message = format!("`{other}` contains itself");
                    self.report(
                        Diagnostic::error(span, message)
                            .help("make the inner one a ?(List ..) of something smaller"),
                    );
                    Item::Poison
                }
            },
            Some(item) if item.known_str().is_some() => {
                let pattern = self.pattern(&item, span);
                match pattern {
                    Some(pattern) => {
                        let text = self.world.variable(name, Sort::Str, None);
                        self.world.assertions.push((text.clone().matches(pattern), span));
                        Item::Expr(text)
                    }
                    None => Item::Poison,
                }
            }
            Some(Item::Poison) => Item::Poison,
            Some(item) => {
                let message = format!("expected a type, found `{other}`, which is {}", item.kind());
                self.report(
                    Diagnostic::error(span, message)
                        .help("a blank has a type, or the name of another blank"),
                );
                Item::Poison
            }
            None => {
                let known: Vec<Arc<str>> = self.world.declared.clone();
                let near = nearest(
                    other,
                    TYPE_NAMES.iter().copied().chain(known.iter().map(|name| &**name)),
                );
                let help = near.map(|near| format!("did you mean `?{near}`?"));
                let help = help.unwrap_or_else(|| {
                    format!(
                        "types are {}, and the names of blanks declared before",
                        TYPE_NAMES.join(", ")
                    )
                });
                self.report(Diagnostic::error(span, format!("unknown type `{other}`")).help(help));
                Item::Poison
            }
        }
    }
}
