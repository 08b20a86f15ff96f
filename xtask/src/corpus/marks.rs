//! Checks the marks in a report: other values of a marked part must fail in the same way.
//!
//! For each failing property, a test is written that contains the body of the property, and runs
//! it with other values instead of each part. The values come from `draws.rs`, so no code of
//! Rebut decides which values are tried or whether they fail.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Lit};

use super::description::{Property, Returned};
use super::draws::{self, Random};
use super::parts::{self, Definitions, PartType, ShownValue, ValuePart};
use super::printed::PrintedFailure;

/// The number of values to try for each part.
const DRAWS: usize = 200;

/// A test that tries other values.
#[derive(Clone)]
pub(super) struct MarksTest {
    /// The name of the test function.
    pub(super) name: String,
    pub(super) code: String,
    /// The line of the code, from 0, with the first line of the body.
    pub(super) body_line: usize,
    /// For each group of the output, the marks that it tries.
    pub(super) groups: Vec<Group>,
}

impl MarksTest {
    /// Imports what the values use in a crate without the standard prelude, which may not even name
    /// the standard library. The paths are right in all editions.
    pub(super) fn with_prelude(mut self) -> MarksTest {
        let name = &self.name;
        let imports = format!(
            "use self::{name}_std::std::{{borrow::ToOwned, boxed::Box, format, \
             string::{{String, ToString}}, vec, vec::Vec}};"
        );
        let module = format!("mod {name}_std {{ pub extern crate std; }}\n");
        self.code = self.code.replacen("{\n", &format!("{{ {imports}\n"), 1) + &module;
        self
    }
}

/// Values that are tried together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The code of the part, for messages.
    pub(super) shown: String,
    pub(super) is_marked: bool,
}

/// The reason why the marks of a failure are not checked.
pub(super) type Unchecked = &'static str;

/// Writes the test of a failure.
pub(super) fn test_of(
    property: &Property,
    failure: &PrintedFailure,
    definitions: &Definitions,
    source: &str,
) -> Result<MarksTest, Unchecked> {
    if !property.function.sig.generics.params.is_empty()
        || property.function.sig.asyncness.is_some()
    {
        return Err("the function is generic or async");
    }
    let parameters = property.function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(input) => Some((*input.ty).clone()),
        syn::FnArg::Receiver(_) => None,
    });
    let parameters: Vec<syn::Type> = parameters.collect();
    let shown = parts::shown_values(&failure.values, &parameters)
        .ok_or("there is not one statement for each parameter")?;
    let mut alternatives: Vec<(ValuePart, bool, usize)> = Vec::new();
    for (nth, (value, input)) in shown.iter().zip(&property.function.sig.inputs).enumerate() {
        let marks: Vec<&Range<usize>> =
            failure.marks.iter().filter(|mark| is_inside(mark, &value.code)).collect();
        let found = parts::parts(&value.expression, &value.ty, definitions);
        let attributes: &[syn::Attribute] = match input {
            syn::FnArg::Typed(input) => &input.attrs,
            syn::FnArg::Receiver(_) => &[],
        };
        let is_restricted = !attributes.is_empty();
        for mark in &marks {
            let part = match is_restricted {
                true => range_of(attributes)
                    .filter(|_| **mark == value.code)
                    .map(|ty| ValuePart { bytes: value.code.clone(), ty })
                    .ok_or("a marked parameter has a generator of its own")?,
                false => match part_of(mark, &found)
                    .or_else(|| converted_part(mark, &found, &failure.values))
                {
                    Some(part) => part,
                    None if definitions.restricts(&value.expression) => {
                        return Err("a marked field has a generator of its own");
                    }
                    None => inferred_part(mark, &failure.values)
                        .ok_or("a marked part is not an expression")?,
                },
            };
            alternatives.push((part, true, nth));
        }
        let is_apart = |part: &ValuePart| {
            marks.iter().all(|mark| !is_inside(mark, &part.bytes) && !is_inside(&part.bytes, mark))
        };
        if !is_restricted {
            let unmarked = found.into_iter().filter(is_apart);
            let typed = unmarked.filter(|part| matches!(part.ty, PartType::Of(_)));
            alternatives.extend(typed.map(|part| (part, false, nth)));
        }
    }
    MarksTestWriter { property, failure, definitions, source, shown: &shown }.write(&alternatives)
}

fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Returns the part that a mark is about.
fn part_of(mark: &Range<usize>, parts: &[ValuePart]) -> Option<ValuePart> {
    if let Some(part) = parts.iter().find(|part| part.bytes == *mark) {
        return Some(part.clone());
    }
    let literal = parts.iter().find_map(|part| match &part.ty {
        PartType::Text { literal, .. } if is_inside(mark, literal) => Some(literal.clone()),
        _ => None,
    })?;
    // A mark under characters without the quotes is about strings of this length.
    let is_whole = mark.start == literal.start && mark.end >= literal.end;
    Some(ValuePart { bytes: mark.clone(), ty: PartType::Text { literal, is_whole } })
}

/// Returns the part that a marked list is converted to, as in `HashMap::from([])`. An empty list
/// alone has no type.
fn converted_part(mark: &Range<usize>, parts: &[ValuePart], values: &str) -> Option<ValuePart> {
    let is_converted = |part: &&ValuePart| {
        let before = values.get(part.bytes.start..mark.start).unwrap_or_default();
        before.ends_with("::from(")
            && before.matches('(').count() == 1
            && part.bytes.end == mark.end + 1
    };
    parts.iter().find(is_converted).cloned()
}

/// Returns a part whose type the compiler infers.
fn inferred_part(mark: &Range<usize>, values: &str) -> Option<ValuePart> {
    let literals = string_literals(values.parse().ok()?);
    if let Some(literal) = literals.iter().find(|literal| is_inside(mark, literal)) {
        let is_whole = literal == mark;
        let ty = PartType::Text { literal: literal.clone(), is_whole };
        return Some(ValuePart { bytes: mark.clone(), ty });
    }
    let expression: Expr = syn::parse_str(values.get(mark.clone())?).ok()?;
    // The name of a variable or a variant stands for one value.
    let is_value = !matches!(expression, Expr::Path(_));
    is_value.then(|| ValuePart { bytes: mark.clone(), ty: PartType::Inferred })
}

/// Returns the bytes of all string literals.
fn string_literals(tokens: TokenStream) -> Vec<Range<usize>> {
    let mut literals = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => literals.extend(string_literals(group.stream())),
            TokenTree::Literal(literal) if literal.to_string().starts_with('"') => {
                literals.push(literal.span().byte_range());
            }
            _ => {}
        }
    }
    literals
}

/// Returns the integers of `#[from(1..=9)]`.
fn range_of(attributes: &[syn::Attribute]) -> Option<PartType> {
    let [attribute] = attributes else { return None };
    let Ok(Expr::Range(range)) = attribute.parse_args() else { return None };
    let low = integer(range.start.as_deref()?)?;
    let end = integer(range.end.as_deref()?)?;
    let high = match range.limits {
        syn::RangeLimits::HalfOpen(_) => end - 1,
        syn::RangeLimits::Closed(_) => end,
    };
    attribute.path().is_ident("from").then_some(PartType::Within { low, high })
}

fn integer(expression: &Expr) -> Option<i128> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        Expr::Unary(one) => integer(&one.expr).map(|number| -number),
        _ => None,
    }
}

struct MarksTestWriter<'a> {
    property: &'a Property,
    failure: &'a PrintedFailure,
    definitions: &'a Definitions,
    source: &'a str,
    shown: &'a [ShownValue],
}

/// The values that take the place of a part.
struct Replacement {
    bytes: Range<usize>,
    /// The type of the list of values; `None` if the compiler infers it, and the test generates the values.
    ty: Option<String>,
    values: Vec<String>,
    /// The code that uses the variable of the value.
    by: &'static str,
}

impl MarksTestWriter<'_> {
    fn write(&self, alternatives: &[(ValuePart, bool, usize)]) -> Result<MarksTest, Unchecked> {
        let mut random = Random::new(7);
        let function = &self.property.function;
        let name = format!("corpus_marks_{}", self.property.name);
        let inputs = function.sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(input) => {
                let (pattern, ty) = (&input.pat, &input.ty);
                Some(quote!(#pattern: #ty).to_string())
            }
            syn::FnArg::Receiver(_) => None,
        });
        let inputs: Vec<String> = inputs.collect();
        let output = &function.sig.output;
        let body = self.source.get(function.block.span().byte_range()).ok_or("no body")?;
        let mut code = format!(
            "\n#[allow(warnings, unused, deprecated, missing_docs)]\n#[test]\nfn {name}() {{\n    fn corpus_body({}) {} {body}\n",
            inputs.join(", "),
            quote!(#output)
        );
        let mut groups = Vec::new();
        let mut marked = Vec::new();
        for (part, is_marked, _) in alternatives {
            let Some(replacement) = self.replacement(part, &mut random) else {
                match is_marked {
                    true => return Err("values of the type of a marked part are unknown"),
                    false => continue,
                }
            };
            code.push_str(&self.group(groups.len(), &[&replacement]));
            let shown = self.failure.values[part.bytes.clone()].to_owned();
            groups.push(Group { shown, is_marked: *is_marked });
            if *is_marked {
                marked.push(replacement);
            }
        }
        if marked.len() > 1 {
            let together: Vec<&Replacement> = marked.iter().collect();
            code.push_str(&self.group(groups.len(), &together));
            groups.push(Group { shown: "all marked parts".to_owned(), is_marked: true });
        }
        code.push_str("}\n");
        Ok(MarksTest { name, code, body_line: 4, groups })
    }

    fn replacement(&self, part: &ValuePart, random: &mut Random) -> Option<Replacement> {
        match &part.ty {
            PartType::Text { literal, is_whole } => {
                let code = &self.failure.values[literal.clone()];
                let bytes = &part.bytes;
                // Escapes make the text longer than its characters, so the mark must be inside of
                // a literal without any.
                let (start, end) = (bytes.start - literal.start, bytes.end - literal.start);
                let text = |random: &mut Random| match is_whole {
                    true => Some(draws::literal(&draws::text(random))),
                    false if code.contains('\\') || !code.starts_with('"') => None,
                    false => {
                        let length = code[start..end].chars().count();
                        let drawn = draws::literal(&draws::text_of(length, random));
                        let inside = drawn.trim_start_matches('"');
                        let inside = inside.strip_suffix('"').unwrap_or(inside);
                        Some(format!("{}{inside}{}", &code[..start], &code[end..]))
                    }
                };
                let values: Option<Vec<String>> = (0..DRAWS).map(|_| text(random)).collect();
                let ty = Some("&'static str".to_owned());
                // Not the variable, because a program does not borrow.
                let by = "list.swap_remove(CORPUS_NTH.with(|nth| nth.get()))";
                Some(Replacement { bytes: literal.clone(), ty, values: values?, by })
            }
            PartType::Inferred => Some(Replacement {
                bytes: part.bytes.clone(),
                ty: None,
                values: Vec::new(),
                by: "corpus_draw(part)",
            }),
            PartType::Within { low, high } => {
                let count = u64::try_from(high - low + 1).ok()?;
                let number = |random: &mut Random| low + i128::from(random.below(count));
                let values = (0..DRAWS).map(|_| number(random).to_string()).collect();
                let ty = Some("_".to_owned());
                Some(Replacement { bytes: part.bytes.clone(), ty, values, by: "part" })
            }
            PartType::Of(ty) => {
                let (ty, by) = owned(self.definitions.resolve(ty));
                let values: Option<Vec<String>> =
                    (0..DRAWS).map(|_| draws::draw(&ty, self.definitions, random, 0)).collect();
                let ty = Some(with_static_references(&quote!(#ty).to_string()));
                Some(Replacement { bytes: part.bytes.clone(), ty, values: values?, by })
            }
        }
    }

    /// Returns the code that runs the body with each of the values, and prints the outcomes.
    fn group(&self, nth: usize, replacements: &[&Replacement]) -> String {
        let mut code = format!(
            "    let mut corpus_counts = CorpusCounts::default();\n    for corpus_nth in 0..{DRAWS}usize {{\n"
        );
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        for (n, replacement) in replacements.iter().enumerate() {
            let by = match replacement.ty {
                Some(_) => {
                    let by = replacement.by.replace("part", &format!("corpus_part_{n}"));
                    by.replace("list.", &format!("corpus_list_{nth}_{n}()."))
                }
                None => replacement.by.replace("part", &n.to_string()),
            };
            edits.push((replacement.bytes.clone(), by));
        }
        edits.sort_by_key(|(bytes, _)| bytes.start);
        // The lists are in functions, so that the compiler does not keep all of them in one frame. They
        // are not written with `vec!`, because a crate may have a macro of this name.
        let mut lists = String::new();
        for (n, replacement) in replacements.iter().enumerate() {
            let Some(ty) = &replacement.ty else { continue };
            let values = replacement.values.join(", ");
            if ty == "_" {
                code.push_str(&format!(
                    "        let mut corpus_part_{n} = Vec::from([{values}]).swap_remove(corpus_nth);\n"
                ));
                continue;
            }
            lists.push_str(&format!(
                "    fn corpus_list_{nth}_{n}() -> Vec<{ty}> {{ Vec::from([{values}]) }}\n"
            ));
            code.push_str(&format!(
                "        let mut corpus_part_{n}: {ty} = corpus_list_{nth}_{n}().swap_remove(corpus_nth);\n"
            ));
        }
        code.push_str("        CORPUS_NTH.with(|nth| nth.set(corpus_nth));\n");
        let mut arguments = Vec::new();
        code.push_str("        corpus_counts.add(corpus_outcome(move || {\n");
        for (n, value) in self.shown.iter().enumerate() {
            // An empty map has no type of its own. `impl Trait` is only a type of parameters.
            let ty = &value.ty;
            let ty = quote!(: #ty).to_string();
            let ty = if ty.contains("impl ") { String::new() } else { ty };
            let expression = self.edited(&value.code, &edits);
            code.push_str(&format!("            let corpus_argument_{n}{ty} = {expression};\n"));
            arguments.push(format!("corpus_argument_{n}"));
        }
        let call = format!("corpus_body({})", arguments.join(", "));
        let result = match self.property.returns() {
            Returned::Nothing => format!("{{ {call}; None }}"),
            Returned::Bool => format!("if {call} {{ None }} else {{ Some(\"false\") }}"),
            Returned::Result => format!("if {call}.is_ok() {{ None }} else {{ Some(\"error\") }}"),
        };
        code.push_str(&format!(
            "            {result}\n        }}));\n    }}\n    corpus_counts.print({:?}, {nth});\n",
            self.property.name
        ));
        lists + &code
    }

    fn edited(&self, bytes: &Range<usize>, edits: &[(Range<usize>, String)]) -> String {
        let mut text = String::new();
        let mut from = bytes.start;
        for (at, by) in edits.iter().filter(|(at, _)| is_inside(at, bytes)) {
            text.push_str(&self.failure.values[from..at.start]);
            text.push_str(by);
            from = at.end;
        }
        text + &self.failure.values[from..bytes.end]
    }
}

/// Returns a type as a function without parameters may return it.
fn with_static_references(ty: &str) -> String {
    let mut parts = ty.split("& ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let has_lifetime = part.starts_with('\'');
        text.push_str(if has_lifetime { "& " } else { "&'static " });
        text.push_str(part);
    }
    text
}

/// Returns the type of an owned value, and how to get the type from it.
fn owned(ty: &syn::Type) -> (syn::Type, &'static str) {
    match ty {
        syn::Type::Reference(reference) => match &*reference.elem {
            syn::Type::Slice(slice) => {
                let element = &slice.elem;
                let by = match reference.mutability {
                    Some(_) => "(&mut part[..])",
                    None => "(&corpus_slice(&part)[..])",
                };
                (syn::parse_quote!(Vec<#element>), by)
            }
            elem if parts::simple_name(elem).as_deref() == Some("str") => (ty.clone(), "part"),
            elem if reference.mutability.is_some() => (elem.clone(), "(&mut part)"),
            elem => (elem.clone(), "(&part)"),
        },
        syn::Type::Slice(slice) => {
            let element = &slice.elem;
            (syn::parse_quote!(Vec<#element>), "part[..]")
        }
        ty => (ty.clone(), "part"),
    }
}

/// The code that all tests of marks use.
pub(super) const SUPPORT: &str = r#"
#[allow(warnings, unused, deprecated, missing_docs)]
#[derive(Default)]
struct CorpusCounts(std::collections::BTreeMap<std::string::String, usize>);
#[allow(warnings, unused, deprecated, missing_docs)]
impl CorpusCounts {
    fn add(&mut self, outcome: std::string::String) {
        *self.0.entry(outcome).or_insert(0) += 1;
    }
    fn print(&self, property: &str, group: usize) {
        for (outcome, count) in &self.0 {
            std::println!("\ncorpus|{}|{}|{}|{}", property, group, count, outcome);
        }
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
fn corpus_slice<T>(values: &std::vec::Vec<T>) -> &std::vec::Vec<T> {
    values
}
std::thread_local! {
    static CORPUS_NTH: std::cell::Cell<usize> = std::cell::Cell::new(0);
}
#[allow(warnings, unused, deprecated, missing_docs)]
fn corpus_draw<T: CorpusDraw>(part: u64) -> T {
    let seed = CORPUS_NTH.with(|nth| nth.get() as u64);
    let mut random = CorpusRandom(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) ^ (part << 40));
    T::corpus_draw(&mut random)
}
#[allow(warnings, unused, deprecated, missing_docs)]
struct CorpusRandom(u64);
#[allow(warnings, unused, deprecated, missing_docs)]
impl CorpusRandom {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
trait CorpusDraw {
    fn corpus_draw(random: &mut CorpusRandom) -> Self;
}
macro_rules! corpus_integers {
    ($($ty:ident)*) => {$(
        #[allow(warnings, unused, deprecated, missing_docs)]
        impl CorpusDraw for $ty {
            fn corpus_draw(random: &mut CorpusRandom) -> $ty {
                match random.below(8) {
                    0 => $ty::MAX,
                    1 => $ty::MIN,
                    _ => {
                        let width = random.below($ty::BITS as u64) as u32;
                        let wide = (random.next() as u128) << 64 | random.next() as u128;
                        (wide as $ty) >> width
                    }
                }
            }
        }
    )*};
}
corpus_integers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
#[allow(warnings, unused, deprecated, missing_docs)]
impl CorpusDraw for bool {
    fn corpus_draw(random: &mut CorpusRandom) -> bool {
        random.below(2) == 0
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
impl CorpusDraw for char {
    fn corpus_draw(random: &mut CorpusRandom) -> char {
        let wide = random.below(0x11_0000) as u32;
        match random.below(8) {
            0 => char::from_u32(wide).unwrap_or('\u{FFFD}'),
            1 => char::from_u32(0xA0 + wide % 0x400).unwrap_or('\u{E9}'),
            2 => ['\n', '\0', '"', '\\', '\'', ' ', '/', '.'][random.below(8) as usize],
            _ => (0x20 + random.below(0x5F) as u8) as char,
        }
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
impl CorpusDraw for f64 {
    fn corpus_draw(random: &mut CorpusRandom) -> f64 {
        match random.below(6) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => random.below(1000) as f64 - 500.0,
            3 => random.below(1000) as f64 / 128.0,
            _ => f64::from_bits(random.next()),
        }
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
impl CorpusDraw for f32 {
    fn corpus_draw(random: &mut CorpusRandom) -> f32 {
        f64::corpus_draw(random) as f32
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
impl CorpusDraw for std::string::String {
    fn corpus_draw(random: &mut CorpusRandom) -> std::string::String {
        (0..random.below(10)).map(|_| char::corpus_draw(random)).collect()
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
impl CorpusDraw for &'static str {
    fn corpus_draw(random: &mut CorpusRandom) -> &'static str {
        std::boxed::Box::leak(std::string::String::corpus_draw(random).into_boxed_str())
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
impl<T: CorpusDraw> CorpusDraw for &'static [T] {
    fn corpus_draw(random: &mut CorpusRandom) -> &'static [T] {
        std::boxed::Box::leak(<std::vec::Vec<T>>::corpus_draw(random).into_boxed_slice())
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
impl<K: CorpusDraw + Eq + std::hash::Hash, V: CorpusDraw> CorpusDraw
    for std::collections::HashMap<K, V>
{
    fn corpus_draw(random: &mut CorpusRandom) -> Self {
        <std::vec::Vec<(K, V)>>::corpus_draw(random).into_iter().collect()
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
impl<T: CorpusDraw> CorpusDraw for Option<T> {
    fn corpus_draw(random: &mut CorpusRandom) -> Option<T> {
        if random.below(3) == 0 { None } else { Some(T::corpus_draw(random)) }
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
impl<T: CorpusDraw> CorpusDraw for std::vec::Vec<T> {
    fn corpus_draw(random: &mut CorpusRandom) -> std::vec::Vec<T> {
        (0..random.below(5)).map(|_| T::corpus_draw(random)).collect()
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
impl<T: CorpusDraw, U: CorpusDraw> CorpusDraw for (T, U) {
    fn corpus_draw(random: &mut CorpusRandom) -> (T, U) {
        (T::corpus_draw(random), U::corpus_draw(random))
    }
}
#[allow(warnings, unused, deprecated, missing_docs)]
fn corpus_outcome(body: impl FnOnce() -> Option<&'static str>) -> std::string::String {
    std::thread_local! {
        static PLACE: std::cell::RefCell<Option<std::string::String>> =
            std::cell::RefCell::new(None);
    }
    PLACE.with(|place| *place.borrow_mut() = None);
    std::panic::set_hook(std::boxed::Box::new(|info| {
        let place = info.location().map(|at| std::format!("{}:{}", at.file(), at.line()));
        let _ = PLACE.try_with(|first| {
            let mut first = first.borrow_mut();
            if first.is_none() {
                *first = place;
            }
        });
    }));
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
    match (ended, PLACE.with(|place| place.borrow_mut().take())) {
        (Ok(None), _) => std::string::String::from("passed"),
        (Ok(Some(outcome)), _) => std::string::String::from(outcome),
        (Err(_), Some(place)) => std::format!("at {}", place),
        (Err(_), None) => std::string::String::from("rejected"),
    }
}
"#;

/// The outcomes of a group: how often each was seen.
pub(super) type Outcomes = Vec<(String, usize)>;

/// Reads the outcomes that a test has printed.
pub(super) fn outcomes(output: &str, property: &str, group: usize) -> Outcomes {
    let mut outcomes = Vec::new();
    for line in output.lines() {
        let Some(rest) = line.strip_prefix("corpus|") else { continue };
        let fields: Vec<&str> = rest.splitn(4, '|').collect();
        let [name, nth, count, outcome] = fields.as_slice() else { continue };
        if *name == property && nth.parse() == Ok(group) {
            outcomes.push(((*outcome).to_owned(), count.parse().unwrap_or(0)));
        }
    }
    outcomes
}
