//! Collections that behave like those of the standard library: any sequence of operations has the
//! same results for both.

use super::super::api::{Call, Receiver};
use super::super::draft::{Draft, Variable};
use super::super::ty::Ty;
use super::values::{last_segment, type_name};
use super::{ClaimBasis, Law, LawFinder, LawKind};
use std::fmt::Write as _;

/// A collection of the standard library that serves as a model.
struct ModelCollection {
    /// Its name in names of tests.
    name: &'static str,
    path: &'static str,
    /// The number of type arguments: one for items, two for keys and values.
    arguments: usize,
    operations: &'static [Operation],
    /// How the contents are compared at the end.
    contents: ContentOrder,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ContentOrder {
    /// In iteration order.
    Ordered,
    /// After sorting.
    Sorted,
}

/// The argument of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentKind {
    Item,
    ItemRef,
    Key,
    KeyRef,
    Value,
    /// The index of an existing item; the operation is skipped if there is none.
    Index,
    /// An index where an item can be inserted.
    Gap,
    /// Any small number.
    Count,
}

/// The return value of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReturnKind {
    Nothing,
    Item,
    Bool,
    Count,
    /// `Option` of an item or value.
    Maybe,
    /// `Option` of a reference to one.
    MaybeRef,
}

struct Operation {
    name: &'static str,
    takes: &'static [ArgumentKind],
    gives: ReturnKind,
    /// Whether it adds an item. Without such an operation, the collection stays empty.
    adds: bool,
}

const fn operation(
    name: &'static str,
    takes: &'static [ArgumentKind],
    gives: ReturnKind,
) -> Operation {
    Operation { name, takes, gives, adds: false }
}

const fn adding(
    name: &'static str,
    takes: &'static [ArgumentKind],
    gives: ReturnKind,
) -> Operation {
    Operation { name, takes, gives, adds: true }
}

const MODELS: &[ModelCollection] = &[
    ModelCollection {
        name: "vec",
        path: "Vec",
        arguments: 1,
        operations: &[
            adding("push", &[ArgumentKind::Item], ReturnKind::Nothing),
            adding("insert", &[ArgumentKind::Gap, ArgumentKind::Item], ReturnKind::Nothing),
            operation("pop", &[], ReturnKind::Maybe),
            operation("remove", &[ArgumentKind::Index], ReturnKind::Item),
            operation("swap_remove", &[ArgumentKind::Index], ReturnKind::Item),
            operation("truncate", &[ArgumentKind::Count], ReturnKind::Nothing),
            operation("clear", &[], ReturnKind::Nothing),
            operation("get", &[ArgumentKind::Count], ReturnKind::MaybeRef),
            operation("contains", &[ArgumentKind::ItemRef], ReturnKind::Bool),
            operation("first", &[], ReturnKind::MaybeRef),
            operation("last", &[], ReturnKind::MaybeRef),
            operation("len", &[], ReturnKind::Count),
            operation("is_empty", &[], ReturnKind::Bool),
        ],
        contents: ContentOrder::Ordered,
    },
    ModelCollection {
        name: "vec_deque",
        path: "std::collections::VecDeque",
        arguments: 1,
        operations: &[
            adding("push_back", &[ArgumentKind::Item], ReturnKind::Nothing),
            adding("push_front", &[ArgumentKind::Item], ReturnKind::Nothing),
            operation("pop_back", &[], ReturnKind::Maybe),
            operation("pop_front", &[], ReturnKind::Maybe),
            operation("front", &[], ReturnKind::MaybeRef),
            operation("back", &[], ReturnKind::MaybeRef),
            operation("get", &[ArgumentKind::Count], ReturnKind::MaybeRef),
            operation("clear", &[], ReturnKind::Nothing),
            operation("contains", &[ArgumentKind::ItemRef], ReturnKind::Bool),
            operation("len", &[], ReturnKind::Count),
            operation("is_empty", &[], ReturnKind::Bool),
        ],
        contents: ContentOrder::Ordered,
    },
    ModelCollection {
        name: "btree_map",
        path: "std::collections::BTreeMap",
        arguments: 2,
        operations: &[
            adding("insert", &[ArgumentKind::Key, ArgumentKind::Value], ReturnKind::Maybe),
            operation("remove", &[ArgumentKind::KeyRef], ReturnKind::Maybe),
            operation("get", &[ArgumentKind::KeyRef], ReturnKind::MaybeRef),
            operation("contains_key", &[ArgumentKind::KeyRef], ReturnKind::Bool),
            operation("clear", &[], ReturnKind::Nothing),
            operation("len", &[], ReturnKind::Count),
            operation("is_empty", &[], ReturnKind::Bool),
        ],
        contents: ContentOrder::Sorted,
    },
    ModelCollection {
        name: "btree_set",
        path: "std::collections::BTreeSet",
        arguments: 1,
        operations: &[
            adding("insert", &[ArgumentKind::Item], ReturnKind::Bool),
            operation("remove", &[ArgumentKind::ItemRef], ReturnKind::Bool),
            operation("contains", &[ArgumentKind::ItemRef], ReturnKind::Bool),
            operation("clear", &[], ReturnKind::Nothing),
            operation("len", &[], ReturnKind::Count),
            operation("is_empty", &[], ReturnKind::Bool),
        ],
        contents: ContentOrder::Sorted,
    },
    ModelCollection {
        name: "binary_heap",
        path: "std::collections::BinaryHeap",
        arguments: 1,
        operations: &[
            adding("push", &[ArgumentKind::Item], ReturnKind::Nothing),
            operation("pop", &[], ReturnKind::Maybe),
            operation("peek", &[], ReturnKind::MaybeRef),
            operation("clear", &[], ReturnKind::Nothing),
            operation("len", &[], ReturnKind::Count),
            operation("is_empty", &[], ReturnKind::Bool),
        ],
        contents: ContentOrder::Sorted,
    },
];

/// An operation that a type of the crate has in common with the model.
struct SharedOperation<'a> {
    operation: &'static Operation,
    call: Call<'a>,
}

impl<'a> LawFinder<'a> {
    pub(super) fn models(&self, laws: &mut Vec<Law<'a>>) {
        for ty in self.types() {
            for model in MODELS {
                laws.extend(self.behaves_like(&ty, model));
            }
        }
    }

    fn behaves_like(&self, ty: &Ty, model: &'static ModelCollection) -> Option<Law<'a>> {
        let mut contents: [Option<Ty>; 2] = [None, None];
        let mut shared: Vec<SharedOperation<'a>> = Vec::new();
        for operation in model.operations {
            let calls = self.calls.iter().filter(|call| {
                call.owner.as_ref() == Some(ty) && call.function.name == operation.name
            });
            for call in calls {
                if fits(operation, call, &mut contents) {
                    shared.push(SharedOperation { operation, call: call.clone() });
                    break;
                }
            }
        }
        // A type with only `insert` and `len` could be anything.
        let adds = shared.iter().filter(|one| one.operation.adds).count();
        let asks = shared.iter().filter(|one| one.operation.gives != ReturnKind::Nothing).count();
        let has_types = contents.iter().flatten().count() >= model.arguments;
        if adds == 0 || asks < 2 || !has_types {
            return None;
        }
        let code = self.api.type_code(ty)?;
        let score = 84 + 2 * i32::try_from(shared.len()).unwrap_or(9) + self.weight(&code);
        let name = type_name(ty);
        let about = format!("`{code}` behaves like `{}`", last_segment(model.path));
        let owned = ty.clone();
        let write = move |draft: &mut Draft<'a>| {
            draft.has_variants(2);
            write_comparison(draft, &owned, model, &shared, &contents)
        };
        Some(Law {
            kind: LawKind::Model,
            name: format!("{name}_behaves_like_{}", model.name),
            subject: code,
            about,
            basis: ClaimBasis::Guessed,
            score: score.min(108),
            write: Box::new(write),
        })
    }
}

/// Whether a method has the signature of an operation. The first method with an item determines the
/// item type in `contents`.
fn fits(operation: &Operation, call: &Call<'_>, contents: &mut [Option<Ty>; 2]) -> bool {
    let parameters: Vec<&Ty> = call.parameters.iter().map(|(_, ty)| ty).collect();
    if parameters.len() != operation.takes.len() || call.function.receiver.is_none() {
        return false;
    }
    if call.function.receiver == Some(Receiver::Owned) {
        return false;
    }
    let mut found = contents.clone();
    for (takes, ty) in operation.takes.iter().zip(parameters) {
        let nth = usize::from(*takes == ArgumentKind::Value);
        let is_it = match takes {
            ArgumentKind::Index | ArgumentKind::Gap | ArgumentKind::Count => {
                *ty == Ty::Plain("usize")
            }
            ArgumentKind::Item
            | ArgumentKind::Key
            | ArgumentKind::Value
            | ArgumentKind::ItemRef
            | ArgumentKind::KeyRef => {
                let bare = ty.bare().clone();
                let is_taken = matches!(ty, Ty::Ref(_))
                    == matches!(takes, ArgumentKind::ItemRef | ArgumentKind::KeyRef)
                    || bare.is_copy();
                match &found[nth] {
                    Some(known) => *known == bare && is_taken,
                    None => {
                        found[nth] = Some(bare.clone());
                        is_element(&bare) && is_taken
                    }
                }
            }
        };
        if !is_it {
            return false;
        }
    }
    let of_map = operation
        .takes
        .iter()
        .any(|takes| matches!(takes, ArgumentKind::Key | ArgumentKind::KeyRef));
    let item = found[usize::from(of_map)].clone();
    let is_given = match (&operation.gives, &call.output) {
        (ReturnKind::Nothing, ty) => *ty == Ty::Unit,
        (ReturnKind::Bool, ty) => *ty == Ty::Plain("bool"),
        (ReturnKind::Count, ty) => *ty == Ty::Plain("usize"),
        (ReturnKind::Item, ty) => Some(ty) == item.as_ref(),
        (ReturnKind::Maybe, Ty::Std("Option", of)) => of.first() == item.as_ref(),
        (ReturnKind::MaybeRef, Ty::Std("Option", of)) => {
            matches!(of.first(), Some(Ty::Ref(of)) if Some(of.as_ref()) == item.as_ref())
        }
        _ => false,
    };
    if is_given {
        *contents = found;
    }
    is_given
}

/// Whether a byte can be converted to a value of a type.
fn is_element(ty: &Ty) -> bool {
    ty.is_integer() && *ty != Ty::Plain("i8") || *ty == Ty::String || *ty == Ty::Plain("char")
}

/// The code that converts a byte to an item. There are few bytes, so items repeat.
fn converted(name: &str, ty: &Ty) -> String {
    match ty {
        Ty::Plain("u8") => name.to_owned(),
        Ty::String => format!("{name}.to_string()"),
        Ty::Plain(ty) => format!("{ty}::from({name})"),
        _ => name.to_owned(),
    }
}

fn camel(name: &str) -> String {
    let capital = |word: &str| {
        let mut characters = word.chars();
        characters.next().map_or(String::new(), |first| {
            first.to_uppercase().chain(characters).collect::<String>()
        })
    };
    name.split('_').map(capital).collect()
}

fn write_comparison<'a>(
    draft: &mut Draft<'a>,
    ty: &Ty,
    model: &ModelCollection,
    shared: &[SharedOperation<'a>],
    contents: &[Option<Ty>; 2],
) -> Option<()> {
    // The second variant does not compare the contents, because not all types can be iterated.
    let looks_inside = draft.domain.recipe == 0;
    let type_code = draft.api.type_code(ty)?;
    let step = format!("{}Step", last_segment(&type_code));
    let steps: Vec<&SharedOperation<'a>> =
        shared.iter().filter(|one| !["len", "is_empty"].contains(&one.operation.name)).collect();
    let mut variants = String::new();
    for one in &steps {
        let count = one.operation.takes.len();
        let fields = vec!["u8"; count].join(", ");
        let name = camel(one.operation.name);
        // Operations that add items are as frequent as all others together.
        let weight = match one.operation.adds {
            true => format!("    #[generate(weight = {})]\n", steps.len().div_ceil(2).max(2)),
            false => String::new(),
        };
        let _ = match count {
            0 => writeln!(variants, "{weight}    {name},"),
            _ => writeln!(variants, "{weight}    {name}({fields}),"),
        };
    }
    draft.helper(format!(
        "/// One operation on a `{type_code}`.\n#[derive(Clone, Debug, Generate)]\nenum {step} \
         {{\n{variants}}}\n"
    ));
    let list = draft.parameter("steps", format!("Vec<{step}>"), None);
    let var = draft.empty(ty, &type_name(ty))?;
    draft.mutable(&var.name);
    let types: Vec<String> = contents
        .iter()
        .flatten()
        .take(model.arguments)
        .map(|ty| draft.api.type_code(ty))
        .collect::<Option<_>>()?;
    draft.line(format!("let mut model = {}::<{}>::new();", model.path, types.join(", ")));
    let mut body = format!("for step in {list} {{\n    match step {{\n");
    for one in &steps {
        body.push_str(&match_arm(one, &step, &var, contents)?);
    }
    body.push_str("    }\n");
    for one in shared.iter().filter(|one| ["len", "is_empty"].contains(&one.operation.name)) {
        let name = one.operation.name;
        let _ = writeln!(body, "    assert_eq!({}.{name}(), model.{name}());", var.name);
    }
    body.push('}');
    draft.line(body);
    draft.probe("model.len()");
    if looks_inside {
        let (all, expected) = match model.contents {
            ContentOrder::Ordered => (
                format!("let items: Vec<_> = {}.into_iter().collect();", var.name),
                "assert_eq!(items, model.into_iter().collect::<Vec<_>>());".to_owned(),
            ),
            ContentOrder::Sorted => (
                format!("let mut items: Vec<_> = {}.into_iter().collect();", var.name),
                "items.sort();\nlet mut expected: Vec<_> = model.into_iter().collect();\n\
                 expected.sort();\nassert_eq!(items, expected);"
                    .to_owned(),
            ),
        };
        draft.line(all);
        draft.line(expected);
    }
    Some(())
}

/// The match arm that applies one operation to both collections.
fn match_arm(
    one: &SharedOperation<'_>,
    step: &str,
    var: &Variable,
    contents: &[Option<Ty>; 2],
) -> Option<String> {
    let name = one.operation.name;
    let mut patterns = Vec::new();
    let mut ours = Vec::new();
    let mut models = Vec::new();
    let mut condition = None;
    let mut before = String::new();
    for (takes, (_, wanted)) in one.operation.takes.iter().zip(&one.call.parameters) {
        let item = contents[usize::from(*takes == ArgumentKind::Value)].clone()?;
        let (pattern, code) = match takes {
            ArgumentKind::Item | ArgumentKind::ItemRef => ("item", converted("item", &item)),
            ArgumentKind::Key | ArgumentKind::KeyRef => ("key", converted("key", &item)),
            ArgumentKind::Value => ("value", converted("value", &item)),
            ArgumentKind::Count => ("index", "usize::from(index)".to_owned()),
            ArgumentKind::Gap => {
                before = "let index = usize::from(index) % (model.len() + 1);\n".to_owned();
                ("index", "index".to_owned())
            }
            ArgumentKind::Index => {
                condition = Some("!model.is_empty()");
                before = "let index = usize::from(index) % model.len();\n".to_owned();
                ("index", "index".to_owned())
            }
        };
        patterns.push(pattern);
        let lent = |is_ref: bool| if is_ref { format!("&{code}") } else { code.clone() };
        ours.push(lent(matches!(wanted, Ty::Ref(_))));
        models.push(lent(matches!(takes, ArgumentKind::ItemRef | ArgumentKind::KeyRef)));
    }
    let our_call = format!("{}.{name}({})", var.name, ours.join(", "));
    let model_call = format!("model.{name}({})", models.join(", "));
    let pattern = match patterns.is_empty() {
        true => String::new(),
        false => format!("({})", patterns.join(", ")),
    };
    let statement = match one.operation.gives {
        ReturnKind::Nothing => format!("{our_call};\n{model_call};\n"),
        _ => format!("assert_eq!({our_call}, {model_call});\n"),
    };
    let mut body = format!("{before}{statement}");
    if let Some(condition) = condition {
        body = format!("if {condition} {{\n{body}}}\n");
    }
    let inside: String = body.lines().map(|line| format!("            {line}\n")).collect();
    Some(format!("        {step}::{}{pattern} => {{\n{inside}        }}\n", camel(name)))
}
