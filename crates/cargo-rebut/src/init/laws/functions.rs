//! Laws of single functions: idempotent, commutative, equal to the standard library, no panic.

use super::super::api::{Call, CallStyle, Receiver};
use super::super::draft::{Draft, TextConsumer, ValueRange, Variable, Wrapping};
use super::super::ty::Ty;
use super::{ClaimBasis, Law, LawFinder, LawKind, test_name, words};

impl<'a> LawFinder<'a> {
    pub(super) fn functions(&self, laws: &mut Vec<Law<'a>>) {
        for call in &self.calls {
            laws.extend(self.twice(call));
            laws.extend(self.sorts(call));
            laws.extend(self.commutative(call));
            laws.extend(self.position(call));
            laws.extend(self.same_as_std(call));
            laws.extend(self.agrees(call));
            laws.extend(self.between(call));
            laws.extend(self.adds_up(call));
            laws.extend(self.returns(call));
        }
    }

    /// `f(f(value)) == f(value)`, or `== value`.
    fn twice(&self, call: &Call<'a>) -> Option<Law<'a>> {
        let name = call.function.name.as_str();
        let is_involution = words::is_involution(name);
        if !is_involution && !words::is_idempotent(name) {
            return None;
        }
        let subject = self.subject(call);
        let given = only_argument(call)?;
        let (wrapping, out) = Wrapping::split(&call.output);
        let changes = matches!(given, Ty::RefMut(_)) && *out == Ty::Unit;
        let is_same = wrapping == Wrapping::Plain
            && !matches!(given, Ty::RefMut(_))
            && (out.bare() == given.bare() || (out.is_text() && given.is_text()));
        let compares = self.api.compares(given.bare()) && !given.has_floats();
        if !(changes || is_same) || !compares {
            return None;
        }
        let (name, about) = match is_involution {
            true => (
                format!("{}_is_its_own_inverse", test_name(call)),
                format!("`{subject}` is its own inverse"),
            ),
            false => {
                (format!("{}_is_idempotent", test_name(call)), format!("`{subject}` is idempotent"))
            }
        };
        let score = 86 + self.weight(&subject);
        let call = call.clone();
        let write = move |draft: &mut Draft<'a>| match changes {
            true => changed_twice(draft, &call, is_involution),
            false => returned_twice(draft, &call, is_involution),
        };
        Some(Law {
            kind: LawKind::Twice,
            name,
            subject,
            about,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }

    /// Sorts like the standard library.
    fn sorts(&self, call: &Call<'a>) -> Option<Law<'a>> {
        let given = only_argument(call)?;
        let element = given.element()?;
        if !words::sorts(&call.function.name) || element.has_floats() {
            return None;
        }
        let (_, out) = Wrapping::split(&call.output);
        let changes = matches!(given, Ty::RefMut(_)) && *out == Ty::Unit;
        if !changes && out.element() != Some(element) {
            return None;
        }
        let subject = self.subject(call);
        let (name, score) = (test_name(call), 92 + self.weight(&subject));
        let call = call.clone();
        let write = move |draft: &mut Draft<'a>| {
            let (var, receiver, arguments) = only_variable(draft, &call)?;
            let expected = draft.new_name("expected");
            let copy = if var.is_ref { "to_vec" } else { "clone" };
            draft.line(format!("let mut {expected} = {}.{copy}();", var.name));
            draft.line(format!("{expected}.sort();"));
            draft.probe(&format!("&{expected}"));
            let code = draft.call(&call, receiver.as_deref(), &arguments)?;
            if changes {
                draft.line(format!("{code};"));
                draft.line(format!("assert_eq!({}, {expected});", var.name));
            } else {
                draft.line(format!("assert_eq!({code}, {expected});"));
            }
            Some(())
        };
        Some(Law {
            kind: LawKind::Sort,
            name: format!("{name}_matches_std_sort"),
            about: format!("`{subject}` sorts as the standard library does"),
            subject,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }

    /// `f(a, b) == f(b, a)`.
    fn commutative(&self, call: &Call<'a>) -> Option<Law<'a>> {
        let name = call.function.name.as_str();
        if !words::is_commutative(name) {
            return None;
        }
        let types: Vec<&Ty> = match call.function.receiver {
            None => call.parameters.iter().map(|(_, ty)| ty).collect(),
            Some(Receiver::RefMut) => return None,
            Some(_) => call.owner.iter().chain(call.parameters.iter().map(|(_, ty)| ty)).collect(),
        };
        let [first, second] = types.as_slice() else { return None };
        let (_, out) = Wrapping::split(&call.output);
        let is_same = first.bare() == second.bare() && !matches!(second, Ty::RefMut(_));
        let is_comparable = self.api.compares(out) && !out.has_floats() && *out != Ty::Unit;
        let wrapped = Wrapping::split(&call.output).0 == Wrapping::Ok;
        if !is_same || !is_comparable || wrapped {
            return None;
        }
        let subject = self.subject(call);
        let score = 82 + self.weight(&subject);
        let (name, about) = (test_name(call), format!("`{subject}` is commutative"));
        let call = call.clone();
        let write = move |draft: &mut Draft<'a>| {
            let (one, other) = two_variables(draft, &call)?;
            let forth = call_with_two(draft, &call, &one, &other, false)?;
            let result = draft.new_name("result");
            draft.line(format!("let {result} = {forth};"));
            draft.probe(&format!("&{result}"));
            let back = call_with_two(draft, &call, &other, &one, true)?;
            draft.line(format!("assert_eq!({back}, {result});"));
            Some(())
        };
        Some(Law {
            kind: LawKind::Commutative,
            name: format!("{name}_is_commutative"),
            subject,
            about,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }

    /// A search returns the same index as that of the standard library.
    fn position(&self, call: &Call<'a>) -> Option<Law<'a>> {
        let is_index = call.output == Ty::Std("Option", vec![Ty::Plain("usize")]);
        if !is_index || call.parameters.len() != 2 || call.function.receiver.is_some() {
            return None;
        }
        let types: Vec<&Ty> = call.parameters.iter().map(|(_, ty)| ty).collect();
        let list = types.iter().position(|ty| ty.element().is_some() || ty.is_text())?;
        // Of two lists, the second is usually the needle.
        let (haystack, needle) = (types[list], types[1 - list]);
        let is_text = haystack.is_text() && (needle.is_text() || *needle == Ty::Plain("char"));
        let is_element = haystack.element().is_some_and(|of| of == needle.bare());
        let is_part = haystack.is_bytes() && needle.is_bytes();
        if !is_text && !is_element && !is_part {
            return None;
        }
        let subject = self.subject(call);
        let score = 90 + self.weight(&subject);
        let from_end = call.function.name.split('_').any(|word| {
            word.starts_with('r') || word == "last" || word.starts_with("memr") || word == "end"
        });
        let call = call.clone();
        let name = test_name(&call);
        let write = move |draft: &mut Draft<'a>| {
            let vars = draft.arguments(&call)?;
            let (haystack, needle) = (&vars[list], &vars[1 - list]);
            let (h, n) = (haystack.name.clone(), needle.name.clone());
            let expected = match (is_text, is_element, from_end) {
                (true, _, true) => format!("{h}.rfind({n})"),
                (true, _, false) => format!("{h}.find({n})"),
                (_, true, true) => format!("{h}.iter().rposition(|item| *item == {n})"),
                (_, true, false) => format!("{h}.iter().position(|item| *item == {n})"),
                (_, _, true) => {
                    format!("(0..={h}.len()).rev().find(|at| {h}[*at..].starts_with({n}))")
                }
                (_, _, false) => format!("(0..={h}.len()).find(|at| {h}[*at..].starts_with({n}))"),
            };
            draft.line(format!("let expected = {expected};"));
            draft.probe("expected");
            let mut arguments = Vec::new();
            for (var, (_, wanted)) in vars.iter().zip(&call.parameters) {
                arguments.push(draft.pass(var, wanted, false)?);
            }
            let code = draft.call(&call, None, &arguments)?;
            draft.line(format!("assert_eq!({code}, expected);"));
            Some(())
        };
        let what = if from_end { "last" } else { "first" };
        Some(Law {
            kind: LawKind::Search,
            name: format!("{name}_finds_the_{what}_match"),
            about: format!("`{subject}` finds the {what} match"),
            subject,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }

    /// A function with the name and types of one in the standard library returns the same.
    fn same_as_std(&self, call: &Call<'a>) -> Option<Law<'a>> {
        const METHODS: &[&str] = &[
            "trim",
            "trim_start",
            "trim_end",
            "to_lowercase",
            "to_uppercase",
            "to_ascii_lowercase",
            "to_ascii_uppercase",
            "contains",
            "starts_with",
            "ends_with",
            "eq_ignore_ascii_case",
            "is_ascii",
            "abs",
            "pow",
            "leading_zeros",
            "trailing_zeros",
            "count_ones",
            "is_power_of_two",
            "next_power_of_two",
            "isqrt",
            "abs_diff",
            "reverse_bits",
            "swap_bytes",
            "rem_euclid",
            "div_euclid",
            "ilog2",
            "ilog10",
            "is_sorted",
            "is_char_boundary",
            "is_alphabetic",
            "is_numeric",
            "is_alphanumeric",
            "is_whitespace",
            "is_ascii_digit",
            "is_ascii_alphabetic",
            "len_utf8",
        ];
        let name = call.function.name.as_str();
        let is_free = call.function.receiver.is_none() && call.owner.is_none();
        let given = call.parameters.first().map(|(_, ty)| ty)?;
        let is_std = given.is_text() || matches!(given, Ty::Plain(_)) || given.element().is_some();
        if !METHODS.contains(&name) || !is_free || !is_std || matches!(given, Ty::RefMut(_)) {
            return None;
        }
        if call.output == Ty::Unit || call.output.has_floats() {
            return None;
        }
        let subject = self.subject(call);
        let score = 87 + self.weight(&subject);
        let (call, test_name) = (call.clone(), test_name(call));
        let method = name.to_owned();
        let write = move |draft: &mut Draft<'a>| {
            let vars = draft.arguments(&call)?;
            let mut arguments = Vec::new();
            for (var, (_, wanted)) in vars.iter().zip(&call.parameters) {
                arguments.push(draft.pass(var, wanted, false)?);
            }
            let first = vars.first()?;
            draft.line(format!(
                "let expected = {}.{method}({});",
                first.name,
                arguments[1..].join(", ")
            ));
            draft.probe("&expected");
            let code = draft.call(&call, None, &arguments)?;
            draft.line(format!("assert_eq!({code}, expected);"));
            Some(())
        };
        Some(Law {
            kind: LawKind::Standard,
            name: format!("{test_name}_matches_std_{name}"),
            about: format!("`{subject}` does what the standard library's `{name}` does"),
            subject,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }

    /// `try_f` and `f` agree if both return a value.
    fn agrees(&self, call: &Call<'a>) -> Option<Law<'a>> {
        let name = call.function.name.as_str();
        let (wrapping, out) = Wrapping::split(&call.output);
        let plain = ["try_", "checked_"].iter().find_map(|prefix| name.strip_prefix(prefix));
        let plain = plain.or_else(|| name.strip_suffix("_checked"))?;
        let other = self.calls.iter().find(|other| {
            other.function.name == plain
                && other.owner == call.owner
                && other.function.how == call.function.how
                && other.function.receiver == call.function.receiver
                && other
                    .parameters
                    .iter()
                    .map(|(_, ty)| ty)
                    .eq(call.parameters.iter().map(|(_, ty)| ty))
                && other.output == *out
        })?;
        let is_changing = call.function.receiver == Some(Receiver::RefMut);
        let is_comparable = self.api.compares(out) && !out.has_floats() && *out != Ty::Unit;
        if wrapping == Wrapping::Plain || is_changing || !is_comparable {
            return None;
        }
        let [first, second] = [call, other].map(|call| self.subject(call));
        let score = 83 + self.weight(&first);
        let (call, other) = (call.clone(), other.clone());
        let name = format!("{}_agrees_with_{}", test_name(&other), call.function.name);
        let write = move |draft: &mut Draft<'a>| {
            let receiver = draft.receiver(&call)?;
            let vars = draft.arguments(&call)?;
            let code = call_with(draft, &call, receiver.as_ref(), &vars, false)?;
            let why = format!("`{}` accepts the input", call.function.name);
            let expected =
                draft.bind_unwrapped(wrapping, "expected", &other.output, &code, &why)?;
            draft.probe(&format!("&{}", expected.name));
            let plain = call_with(draft, &other, receiver.as_ref(), &vars, true)?;
            draft.line(format!("assert_eq!({plain}, {});", expected.name));
            draft.has_parameters().then_some(())
        };
        Some(Law {
            kind: LawKind::Agreement,
            name,
            about: format!("`{second}` agrees with `{first}`"),
            subject: second,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }

    /// A ratio or similarity is between 0 and 1.
    fn between(&self, call: &Call<'a>) -> Option<Law<'a>> {
        let is_share = words::is_share(&call.function.name) && call.output.is_float();
        if !is_share || call.parameters.is_empty() {
            return None;
        }
        let subject = self.subject(call);
        let score = 78 + self.weight(&subject);
        let (call, name) = (call.clone(), test_name(call));
        let write = move |draft: &mut Draft<'a>| {
            let receiver = draft.receiver(&call)?;
            let vars = draft.arguments(&call)?;
            let code = call_with(draft, &call, receiver.as_ref(), &vars, true)?;
            draft.line(format!("let result = {code};"));
            draft.probe("result");
            draft.line("assert!((0.0..=1.0).contains(&result), \"result: {}\", result);");
            draft.has_parameters().then_some(())
        };
        Some(Law {
            kind: LawKind::Range,
            name: format!("{name}_is_between_0_and_1"),
            about: format!("`{subject}` is between 0 and 1"),
            subject,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }

    /// The size of two strings or lists together is the sum of their sizes.
    fn adds_up(&self, call: &Call<'a>) -> Option<Law<'a>> {
        let given = only_argument(call)?;
        let is_list = given.is_text() || given.is_bytes();
        let is_own = matches!(given.bare(), Ty::Own(..));
        let is_size = words::is_size(&call.function.name) && call.output.is_integer();
        if !is_list || is_own || !is_size || matches!(given, Ty::RefMut(_)) {
            return None;
        }
        let subject = self.subject(call);
        let score = 76 + self.weight(&subject);
        let (call, name) = (call.clone(), test_name(call));
        let write = move |draft: &mut Draft<'a>| {
            let ty = given.bare().clone();
            // Adjacent characters can combine into one, such as a letter and an accent.
            draft.domain.range = draft.domain.range.max(ValueRange::Moderate);
            let (one, other) = (draft.value(&ty, "first")?, draft.value(&ty, "second")?);
            let joined = draft.new_name("joined");
            draft.line(format!("let {joined} = [{}, {}].concat();", one.name, other.name));
            let of = |name: &str| match call.function.receiver {
                Some(_) => draft.call(&call, Some(name), &[]),
                None => draft.call(&call, None, &[name.to_owned()]),
            };
            let (first, second) = (of(&one.name)?, of(&other.name)?);
            let whole = of(&format!("&*{joined}"))?;
            draft.line(format!("let sum = {first} + {second};"));
            draft.probe("sum");
            draft.line(format!("assert_eq!({whole}, sum);"));
            Some(())
        };
        Some(Law {
            kind: LawKind::Sum,
            name: format!("{name}_is_additive"),
            about: format!("`{subject}` of two inputs together is the sum of both"),
            subject,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }

    /// A call returns instead of panicking.
    fn returns(&self, call: &Call<'a>) -> Option<Law<'a>> {
        let subject = self.subject(call);
        let (wrapping, out) = Wrapping::split(&call.output);
        let takes = |is: &dyn Fn(&Ty) -> bool| call.parameters.iter().any(|(_, ty)| is(ty));
        let is_text = takes(&|ty| ty.is_text() || ty.is_bytes());
        // A getter rarely panics.
        let is_getter = call.parameters.is_empty() && matches!(call.owner, Some(Ty::Own(..)));
        if call.function.has_conditions() || (is_getter && wrapping == Wrapping::Plain) {
            return None;
        }
        // A constructor that only stores its arguments cannot panic.
        let is_constructor = call.function.receiver.is_none() && call.owner.as_ref() == Some(out);
        if is_constructor && wrapping == Wrapping::Plain {
            return None;
        }
        // A function that accepts any type hardly uses the value.
        let is_anything = |(_, ty): &(String, Ty)| match ty {
            Ty::Param(name) => call
                .function
                .generics
                .iter()
                .any(|generic| generic.name == *name && generic.bounds.is_empty()),
            _ => false,
        };
        if !call.parameters.is_empty() && call.function.parameters.iter().all(is_anything) {
            return None;
        }
        let mut score = 20;
        score += if is_text { 6 } else { 0 };
        score += if words::reads(&call.function.name) { 4 } else { 0 };
        score += if wrapping == Wrapping::Plain { 0 } else { 4 };
        score += if *out == Ty::Unit { -6 } else { 0 };
        score += self.weight(&subject);
        let is_promised = wrapping != Wrapping::Plain && *out != Ty::Unit;
        let name = format!("{}_never_panics", test_name(call));
        let about = format!("`{subject}` never panics");
        let (call, code_of) = (call.clone(), subject.clone());
        let write = move |draft: &mut Draft<'a>| {
            let receiver = draft.receiver(&call)?;
            let vars = match call.parameters.as_slice() {
                [(_, ty)] if ty.is_text() => {
                    let consumer = TextConsumer::Function(code_of.clone());
                    let accepts = format!("`{code_of}` accepts");
                    match draft.near_accepted_text(&consumer, &test_name(&call), &accepts) {
                        Some(var) => vec![var],
                        None => draft.arguments(&call)?,
                    }
                }
                _ => draft.arguments(&call)?,
            };
            let code = call_with(draft, &call, receiver.as_ref(), &vars, true)?;
            draft.line(match call.output {
                Ty::Unit => format!("{code};"),
                _ => format!("let _ = {code};"),
            });
            draft.has_parameters().then_some(())
        };
        Some(Law {
            kind: LawKind::Returns,
            name,
            subject,
            about,
            basis: ClaimBasis::Returns { is_promised },
            score,
            write: Box::new(write),
        })
    }
}

/// The type of the only argument or receiver of a call.
fn only_argument(call: &Call<'_>) -> Option<Ty> {
    match (call.function.receiver, call.parameters.as_slice()) {
        (None, [(_, ty)]) => Some(ty.clone()),
        (Some(receiver), []) => {
            let owner = call.owner.clone()?;
            Some(match receiver {
                Receiver::Ref => Ty::Ref(Box::new(owner)),
                Receiver::RefMut => Ty::RefMut(Box::new(owner)),
                Receiver::Owned => owner,
            })
        }
        _ => None,
    }
}

/// Adds a variable for the only argument; returns it with the code of the receiver and of the
/// arguments.
fn only_variable<'a>(
    draft: &mut Draft<'a>,
    call: &Call<'a>,
) -> Option<(Variable, Option<String>, Vec<String>)> {
    if call.function.receiver.is_some() {
        let var = draft.receiver(call)??;
        let passed = draft.pass_receiver(call, &var, false)?;
        return Some((var, Some(passed), Vec::new()));
    }
    let (name, ty) = call.parameters.first()?;
    let var = draft.value(ty, name)?;
    let passed = draft.pass(&var, ty, false)?;
    Some((var, None, vec![passed]))
}

/// The code of a call with variables.
fn call_with<'a>(
    draft: &mut Draft<'a>,
    call: &Call<'a>,
    receiver: Option<&Variable>,
    vars: &[Variable],
    is_last: bool,
) -> Option<String> {
    let receiver = match receiver {
        Some(var) => Some(draft.pass_receiver(call, var, is_last)?),
        None => None,
    };
    let mut arguments = Vec::new();
    for (var, (_, wanted)) in vars.iter().zip(&call.parameters) {
        arguments.push(draft.pass(var, wanted, is_last)?);
    }
    draft.call(call, receiver.as_deref(), &arguments)
}

fn changed_twice<'a>(draft: &mut Draft<'a>, call: &Call<'a>, is_involution: bool) -> Option<()> {
    let (var, receiver, arguments) = only_variable(draft, call)?;
    if !draft.api.clones(&var.ty) {
        return None;
    }
    let code = draft.call(call, receiver.as_deref(), &arguments)?;
    let kept = draft.new_name(if is_involution { "before" } else { "once" });
    let keep = format!("let {kept} = {}.clone();", var.name);
    let change = format!("{code};");
    match is_involution {
        true => {
            draft.line(keep);
            draft.line(change.clone());
            draft.probe_change(&format!("{} != {kept}", var.name));
        }
        false => {
            draft.probe_statement(&format!("let original = {}.clone();", var.name));
            draft.line(change.clone());
            draft.probe_change(&format!("{} != original", var.name));
            draft.line(keep);
        }
    }
    draft.line(change);
    draft.probe(&format!("&{kept}"));
    draft.line(format!("assert_eq!({}, {kept});", var.name));
    draft.has_parameters().then_some(())
}

fn returned_twice<'a>(draft: &mut Draft<'a>, call: &Call<'a>, is_involution: bool) -> Option<()> {
    let (var, receiver, arguments) = only_variable(draft, call)?;
    let code = draft.call(call, receiver.as_deref(), &arguments)?;
    let once = draft.new_name("once");
    draft.line(format!("let {once} = {code};"));
    draft.probe(&format!("&{once}"));
    if call.output.is_text() && var.is_ref {
        draft.probe_change(&format!("&*{once} != {}", var.name));
    }
    let out = call.output.clone();
    let returned =
        Variable { name: once.clone(), ty: out.bare().clone(), is_ref: matches!(out, Ty::Ref(_)) };
    // A `String` is passed as `&str`. For a trait, the type must match exactly.
    let is_trait = matches!(call.function.how, CallStyle::Trait(_));
    let borrowed = match (out.is_text(), returned.is_ref) {
        (true, false) if is_trait => format!("&*{once}"),
        (true, false) => format!("&{once}"),
        (true, true) => once.clone(),
        (false, _) => String::new(),
    };
    let twice = if call.function.receiver.is_some() {
        let passed = match out.is_text() {
            true => borrowed,
            false => draft.pass_receiver(call, &returned, is_involution)?,
        };
        draft.call(call, Some(&passed), &[])?
    } else {
        let (_, wanted) = call.parameters.first()?;
        let passed = match (out.is_text(), wanted) {
            (true, Ty::Ref(_) | Ty::Str) => borrowed,
            (true, _) => format!("{once}.to_string()"),
            (false, wanted) => draft.pass(&returned, wanted, is_involution)?,
        };
        draft.call(call, None, &[passed])?
    };
    let kept = if is_involution { &var } else { &returned };
    let expected = match (&out, kept.is_ref) {
        (Ty::Ref(_), false) => format!("&{}", kept.name),
        (Ty::Ref(_), true) => kept.name.clone(),
        (_, false) => kept.name.clone(),
        (Ty::String, true) => kept.name.clone(),
        (ty, true) if ty.cow().is_some() || ty.element().is_some() => kept.name.clone(),
        (_, true) => format!("*{}", kept.name),
    };
    draft.line(format!("assert_eq!({twice}, {expected});"));
    draft.has_parameters().then_some(())
}

/// Adds variables for the two arguments of a call.
fn two_variables<'a>(draft: &mut Draft<'a>, call: &Call<'a>) -> Option<(Variable, Variable)> {
    match call.parameters.as_slice() {
        [(a, first), (b, second)] => Some((draft.value(first, a)?, draft.value(second, b)?)),
        [(name, ty)] => {
            let one = draft.receiver(call)??;
            Some((one, draft.value(ty, name)?))
        }
        _ => None,
    }
}

/// The code of a call with two variables.
fn call_with_two<'a>(
    draft: &mut Draft<'a>,
    call: &Call<'a>,
    one: &Variable,
    other: &Variable,
    is_last: bool,
) -> Option<String> {
    match call.parameters.as_slice() {
        [_, _] => call_with(draft, call, None, &[one.clone(), other.clone()], is_last),
        _ => call_with(draft, call, Some(one), std::slice::from_ref(other), is_last),
    }
}
