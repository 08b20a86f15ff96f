//! The functions of the language.

mod compare;
mod differences;
mod lists;
mod numbers;
mod strings;

use super::apply::Call;
use super::interpret::Interpreter;
use super::item::{Difference, Item};
use crate::ir::{Constraint, Relation};

/// A function of the language.
#[derive(Debug)]
pub struct Builtin {
    /// Its names. Messages use the first one.
    pub names: &'static [&'static str],
    /// An example of a call.
    pub usage: &'static str,
    /// The least number of arguments.
    pub(crate) min: usize,
    /// The largest number of arguments.
    pub(crate) max: usize,
    /// Whether the subject can replace a missing argument.
    pub(crate) takes_subject: bool,
    /// Whether the subject is always added, because any number of arguments is valid.
    pub(crate) is_variadic: bool,
    /// Whether the subject becomes the last argument instead of the first one.
    pub(crate) is_subject_last: bool,
    pub(crate) run: fn(&mut Interpreter<'_>, Call<'_>, Vec<Item>) -> Item,
}

impl Builtin {
    /// Describes the number of arguments.
    pub(crate) fn arity(&self) -> String {
        match (self.min, self.max) {
            (1, 1) => "one argument".into(),
            (min, max) if min == max => format!("{min} arguments"),
            (min, usize::MAX) => format!("at least {min} arguments"),
            (min, max) => format!("{min} to {max} arguments"),
        }
    }
}

type Run = fn(&mut Interpreter<'_>, Call<'_>, Vec<Item>) -> Item;

/// A function that can take the subject for its first argument.
const fn function(
    names: &'static [&'static str],
    usage: &'static str,
    min: usize,
    max: usize,
    run: Run,
) -> Builtin {
    Builtin {
        names,
        usage,
        min,
        max,
        takes_subject: true,
        is_variadic: false,
        is_subject_last: false,
        run,
    }
}

/// A function that always needs all of its arguments.
const fn constructor(
    names: &'static [&'static str],
    usage: &'static str,
    min: usize,
    max: usize,
    run: Run,
) -> Builtin {
    Builtin {
        names,
        usage,
        min,
        max,
        takes_subject: false,
        is_variadic: false,
        is_subject_last: false,
        run,
    }
}

/// Any number of arguments.
const MANY: usize = usize::MAX;

/// All functions of the language.
pub static BUILTINS: &[Builtin] = &[
    function(&["=", "eq", "equal", "equals"], "(= x y)", 2, MANY, compare::eq),
    function(&["≠", "!=", "neq", "not="], "(≠ x y)", 2, 2, compare::ne),
    function(&["<", "lt", "before"], "(< x y)", 2, MANY, compare::lt),
    function(&["<=", "≤", "lte", "le", "at-most"], "(<= x y)", 2, MANY, compare::le),
    function(&[">", "gt", "after"], "(> x y)", 2, MANY, compare::gt),
    function(&[">=", "≥", "gte", "ge", "at-least"], "(>= x y)", 2, MANY, compare::ge),
    function(&["between"], "(between x min max)", 3, 3, compare::between),
    Builtin {
        is_variadic: true,
        ..function(&["one-of"], "(one-of x a b c)", 2, MANY, compare::one_of)
    },
    function(&["member", "in"], "(member x (list a b c))", 2, 2, compare::member),
    Builtin {
        is_variadic: true,
        ..function(&["distinct", "unique"], "(distinct x y z)", 1, MANY, compare::distinct)
    },
    function(&["is-some", "present"], "(is-some x)", 1, 1, compare::is_some),
    function(&["is-none", "absent"], "(is-none x)", 1, 1, compare::is_none),
    constructor(&["value"], "(value x)", 1, 1, compare::value),
    constructor(&["+"], "(+ x y)", 1, MANY, numbers::add),
    constructor(&["-"], "(- x y)", 1, 2, numbers::sub),
    constructor(&["*"], "(* x y)", 1, MANY, numbers::mul),
    constructor(&["/"], "(/ x y)", 2, 2, numbers::divide),
    constructor(&["div", "quotient"], "(div x y)", 2, 2, numbers::div),
    constructor(&["mod", "modulo", "remainder"], "(mod x y)", 2, 2, numbers::modulo),
    constructor(&["abs"], "(abs x)", 1, 1, numbers::abs),
    constructor(&["min"], "(min x y)", 1, MANY, numbers::min),
    constructor(&["max"], "(max x y)", 1, MANY, numbers::max),
    function(&["divisible-by", "multiple-of"], "(divisible-by x 5)", 2, 2, numbers::divisible),
    constructor(&["seconds"], "(seconds 30)", 1, 1, numbers::seconds),
    constructor(&["minutes"], "(minutes 5)", 1, 1, numbers::minutes),
    constructor(&["hours"], "(hours 2)", 1, 1, numbers::hours),
    constructor(&["days"], "(days 7)", 1, 1, numbers::days),
    constructor(&["weeks"], "(weeks 2)", 1, 1, numbers::weeks),
    constructor(&["date"], "(date \"2017-10-21T10:00:00Z\")", 1, 1, numbers::date),
    constructor(&["day"], "(day \"2017-10-21\")", 1, 1, numbers::day),
    constructor(&["length", "string-length", "size"], "(length x)", 1, 1, strings::length),
    function(&["min-length", "min-size"], "(min-length x 3)", 2, 2, strings::min_length),
    function(&["max-length", "max-size"], "(max-length x 10)", 2, 2, strings::max_length),
    function(&["has-length", "has-size"], "(has-length x 8)", 2, 2, strings::has_length),
    constructor(
        &["string-append", "string-concat"],
        "(string-append s t)",
        1,
        MANY,
        strings::append,
    ),
    function(&["starts-with", "prefix"], "(starts-with s \"ab\")", 2, 2, strings::starts_with),
    function(&["ends-with", "suffix"], "(ends-with s \"yz\")", 2, 2, strings::ends_with),
    function(&["contains"], "(contains s \"mid\")", 2, 2, strings::contains),
    function(&["matches"], "(matches s r)", 2, 2, strings::matches),
    constructor(&["re-union", "re-or"], "(re-union r1 r2)", 1, MANY, strings::re_union),
    constructor(&["re-concat", "re-++"], "(re-concat r1 r2)", 1, MANY, strings::re_concat),
    constructor(&["concat", "re-join"], "(concat \":\" hh mm)", 2, MANY, strings::re_join),
    constructor(&["re-?", "re-optional", "re-opt"], "(re-? r)", 1, 1, strings::re_optional),
    constructor(&["re-*", "re-star"], "(re-* r)", 1, 1, strings::re_star),
    constructor(&["re-+", "re-plus"], "(re-+ r)", 1, 1, strings::re_plus),
    constructor(&["re-repeat", "re-loop"], "(re-repeat r 2 4)", 2, 3, strings::re_repeat),
    constructor(&["re-range"], "(re-range \"a\" \"z\")", 2, 2, strings::re_range),
    constructor(&["re-literal", "re-text"], "(re-literal \"a.b\")", 1, 1, strings::re_literal),
    constructor(&["relation"], "(relation x not-equal)", 1, 2, differences::relation),
    constructor(&["coverage"], "(coverage x (cover-regexp r))", 1, 2, differences::relation),
    constructor(
        &["numeric-distance"],
        "(numeric-distance 10)",
        1,
        1,
        differences::numeric_distance,
    ),
    constructor(&["edit-distance"], "(edit-distance 3)", 1, 2, differences::edit_distance),
    constructor(&["cover-regexp"], "(cover-regexp r)", 1, 2, differences::cover_regexp),
    constructor(
        &["cover-regexp-unrolled"],
        "(cover-regexp-unrolled r)",
        1,
        2,
        differences::cover_unrolled,
    ),
    constructor(&["cover-json"], "(cover-json x)", 1, 1, differences::cover_json),
    constructor(&["cover-enum"], "(cover-enum x)", 1, 1, differences::cover_enum),
    constructor(&["cover-boundaries"], "(cover-boundaries x)", 1, 1, differences::cover_boundaries),
    constructor(&["map"], "(map f items)", 2, 3, lists::map),
    constructor(&["filter"], "(filter f items)", 2, 2, lists::filter),
    constructor(&["foldl", "fold"], "(foldl f start items)", 3, 3, lists::fold),
    constructor(&["append"], "(append items more)", 1, MANY, lists::append),
    constructor(&["cons"], "(cons first rest)", 2, 2, lists::cons),
    constructor(&["first", "car"], "(first items)", 1, 1, lists::first),
    constructor(&["rest", "cdr"], "(rest items)", 1, 1, lists::rest),
    constructor(&["nth", "list-ref"], "(nth items 0)", 2, 2, lists::nth),
    constructor(&["range"], "(range 10)", 1, 2, lists::range),
    constructor(&["empty?", "null?"], "(empty? items)", 1, 1, lists::is_empty),
    constructor(&["curry"], "(curry f x)", 1, MANY, lists::curry),
    Builtin {
        is_subject_last: true,
        ..function(&["every", "for-all"], "(every f items)", 2, 2, lists::every)
    },
    Builtin {
        is_subject_last: true,
        ..function(&["any", "exists"], "(any f items)", 2, 2, lists::any)
    },
    constructor(&["sum"], "(sum items)", 1, 1, lists::sum),
];

/// The forms of the language: their arguments are not all evaluated.
pub static FORMS: &[&str] = &[
    "λ",
    "lambda",
    "if",
    "ite",
    "cond",
    "let",
    "let*",
    "match",
    "quote",
    "and",
    "∧",
    "or",
    "∨",
    "not",
    "¬",
    "implies",
    "=>",
    "all-of",
    "some-of",
    "combine",
    "pairwise",
    "list",
    "enumerate*",
    "enumerate-linear",
    "with",
    "get",
    "field",
    "evaluate",
    "model",
    "else",
    "define",
    "define-relation",
];

/// Returns the function with a name.
pub(crate) fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.names.contains(&name))
}

/// The names of [`constant`], for suggestions.
const CONSTANTS: &[&str] = &[
    "always",
    "never",
    "not-equal",
    "different-lengths",
    "different-time-zones",
    "cover-json",
    "cover-enum",
    "cover-boundaries",
    "true_A",
    "true_a",
    "trueA",
    "empty",
    "null",
];

/// Returns the value of a constant of the language.
pub(crate) fn constant(name: &str) -> Option<Item> {
    let relation = |relation| Item::Difference(Difference::Relation(relation));
    Some(match name {
        "always" => Item::constraint(Constraint::Always),
        "never" => Item::constraint(Constraint::Never),
        "not-equal" => relation(Relation::NotEqual),
        "different-lengths" => relation(Relation::DifferentLengths),
        "different-time-zones" => relation(Relation::DifferentTimeZones),
        "cover-json" => Item::Difference(Difference::Json),
        "cover-enum" => Item::Difference(Difference::Enum),
        "cover-boundaries" => Item::Difference(Difference::Boundaries),
        "true_A" | "true_a" | "trueA" => Item::bool(true),
        "empty" | "null" => Item::list(Vec::new()),
        _ => return None,
    })
}

/// All names of the language.
pub(crate) fn names<'a>() -> impl Iterator<Item = &'a str> {
    let builtins = BUILTINS.iter().flat_map(|builtin| builtin.names.iter().copied());
    builtins.chain(FORMS.iter().copied()).chain(CONSTANTS.iter().copied())
}
