//! Functions that undo others: `decode(encode(value)) == value`.

use super::super::api::{Api, Call, CallStyle, Receiver};
use super::super::draft::{Draft, Variable, Wrapping, snake_case};
use super::super::ty::Ty;
use super::values::type_name;
use super::{ClaimBasis, Law, LawFinder, LawKind, test_name, words};

/// The argument of a call that the inverse returns again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RoundTripArgument {
    Receiver,
    Parameter(usize),
}

impl RoundTripArgument {
    fn ty<'c>(self, call: &'c Call<'_>) -> Option<&'c Ty> {
        match self {
            RoundTripArgument::Receiver => call.owner.as_ref(),
            RoundTripArgument::Parameter(nth) => call.parameters.get(nth).map(|(_, ty)| ty),
        }
    }

    /// All arguments of a call. The parameters are first, because a receiver is often a
    /// configuration.
    fn arguments(call: &Call<'_>) -> Vec<RoundTripArgument> {
        let parameters = (0..call.parameters.len()).map(RoundTripArgument::Parameter);
        let receiver = call.function.receiver.map(|_| RoundTripArgument::Receiver);
        parameters.chain(receiver).collect()
    }
}

impl<'a> LawFinder<'a> {
    pub(super) fn inverses(&self, laws: &mut Vec<Law<'a>>) {
        for there in &self.calls {
            for back in &self.calls {
                let names = (back.function.name.as_str(), there.function.name.as_str());
                let likeness = inverse_score(names.0, names.1);
                if likeness > 0 && belong_together(there, back) {
                    laws.extend(self.inverse(there, back, likeness));
                }
            }
            laws.extend(self.printed_number(there));
        }
    }

    fn inverse(&self, there: &Call<'a>, back: &Call<'a>, likeness: usize) -> Option<Law<'a>> {
        let (main, back_main) = round_trip_arguments(self.api, there, back)?;
        let [first, second] = [there, back].map(|call| self.subject(call));
        let is_exact = words::inverse_score(&back.function.name, &there.function.name) == 2;
        let is_strong = words::is_strong(&there.function.name);
        let is_plain = there.parameters.len() == 1
            && back.parameters.len() == 1
            && !there.function.has_conditions()
            && !back.function.has_conditions()
            && !has_receiver_state(there);
        let basis = match is_exact && is_strong && is_plain {
            true => ClaimBasis::Promised,
            false => ClaimBasis::Guessed,
        };
        let (there, back) = (there.clone(), back.clone());
        let score = if likeness == 2 { 98 } else { 84 };
        // Among many pairs, prefer the one with the fewest parameters.
        let extra = i32::try_from(there.parameters.len() + back.parameters.len()).unwrap_or(9);
        let score = score - 2 * extra + self.weight(&first).min(self.weight(&second));
        let is_one_type = there.owner.is_some() && there.owner == back.owner;
        let first_name = match is_one_type {
            true => snake_case(&there.function.name),
            false => test_name(&there),
        };
        let name = format!("{}_inverts_{first_name}", test_name(&back));
        let write = move |draft: &mut Draft<'a>| inverse(draft, &there, &back, main, back_main);
        Some(Law {
            kind: LawKind::Inverse,
            name,
            about: format!("`{second}` inverts `{first}`"),
            subject: first,
            basis,
            score,
            write: Box::new(write),
        })
    }

    /// The standard library parses a printed number as the same number.
    fn printed_number(&self, call: &Call<'a>) -> Option<Law<'a>> {
        let [(parameter, number)] = call.parameters.as_slice() else { return None };
        let (wrapping, printed) = Wrapping::split(&call.output);
        let prints_text = printed.is_text()
            || (matches!(printed, Ty::Own(..)) && self.api.implements(printed, "Display"));
        let is_number = number.is_integer() || number.is_float();
        if !prints_text || !is_number || !words::prints(&call.function.name) {
            return None;
        }
        let code = self.api.type_code(number)?;
        let subject = self.subject(call);
        let (call, parameter) = (call.clone(), parameter.clone());
        let name = format!("{}_parses_back_to_the_same_number", test_name(&call));
        let about = format!("the output of `{subject}` parses back to the same number");
        let score = 94 + self.weight(&subject);
        let write = move |draft: &mut Draft<'a>| {
            let (_, number) = &call.parameters[0];
            let receiver = receiver_or_empty(draft, &call)?;
            let var = draft.value(number, &parameter)?;
            if number.is_float() {
                draft.line(format!("assume!({}.is_finite());", var.name));
            }
            let receiver = match &receiver {
                Some(receiver) => Some(draft.pass_receiver(&call, receiver, true)?),
                None => None,
            };
            let argument = draft.pass(&var, number, false)?;
            let code_of_call = draft.call(&call, receiver.as_deref(), &[argument])?;
            let text = Ty::String;
            let (_, printed) = Wrapping::split(&call.output);
            let printed_var = draft.bind_unwrapped(
                wrapping,
                "printed",
                &text,
                &code_of_call,
                &format!("`{}` accepts the number", call.function.name),
            )?;
            let shown = match printed {
                Ty::Own(..) => format!("{}.to_string()", printed_var.name),
                _ => printed_var.name.clone(),
            };
            draft.probe(&shown);
            draft.line(format!("assert_eq!({shown}.parse::<{code}>(), Ok({}));", var.name));
            Some(())
        };
        Some(Law {
            kind: LawKind::Number,
            name,
            subject,
            about,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }
}

/// How clearly the names show that `back` is the inverse of `there`.
fn inverse_score(back: &str, there: &str) -> usize {
    // A constructor and a getter: `from_bits` with `bits` or `to_bits`.
    let from = there.strip_prefix("from_");
    let is_constructor = from.is_some_and(|rest| {
        let prefixes = ["", "to_", "as_", "into_", "get_"];
        prefixes.iter().any(|prefix| back.strip_prefix(prefix) == Some(rest))
    });
    words::inverse_score(back, there).max(usize::from(is_constructor))
}

/// Whether a call changes its receiver.
fn has_receiver_state(call: &Call<'_>) -> bool {
    call.function.receiver == Some(Receiver::RefMut)
}

/// Whether two functions are in the same module, type or trait, or one of them is at the root.
fn belong_together(there: &Call<'_>, back: &Call<'_>) -> bool {
    match (&there.function.how, &back.function.how) {
        (CallStyle::Free(one), CallStyle::Free(other)) => {
            // Each module of a crate is often a codec of its own.
            one[..one.len() - 1] == other[..other.len() - 1] || one.len() == 1 || other.len() == 1
        }
        (CallStyle::Free(_), _) | (_, CallStyle::Free(_)) => false,
        _ => there.owner == back.owner,
    }
}

/// The arguments of the round trip, if the types allow it.
fn round_trip_arguments(
    api: &Api,
    there: &Call<'_>,
    back: &Call<'_>,
) -> Option<(RoundTripArgument, RoundTripArgument)> {
    let (_, out_there) = Wrapping::split(&there.output);
    let (_, out_back) = Wrapping::split(&back.output);
    let is_stateful =
        *out_there == Ty::Unit && has_receiver_state(there) && has_receiver_state(back);
    for main in RoundTripArgument::arguments(there) {
        let given = main.ty(there)?;
        let is_borrowed_state = matches!(given, Ty::RefMut(_));
        if is_borrowed_state || !is_comparable(api, out_back, given) {
            continue;
        }
        if is_stateful {
            let is_same = there.owner == back.owner && main != RoundTripArgument::Receiver;
            if is_same && back.parameters.is_empty() {
                return Some((main, RoundTripArgument::Receiver));
            }
            continue;
        }
        for back_main in RoundTripArgument::arguments(back) {
            let wanted = back_main.ty(back)?;
            if converted(api, "x", out_there, wanted).is_some() {
                return Some((main, back_main));
            }
        }
    }
    None
}

/// Whether the result of the inverse can be compared with the original argument.
fn is_comparable(api: &Api, out: &Ty, given: &Ty) -> bool {
    let collects = |of: &str| {
        let item = api
            .implementation(out, "Iterator")
            .map(|(one, types)| one.associated.get("Item").map(|item| item.with(&types)));
        item.flatten().is_some_and(|item| item == Ty::Plain("u8") && of == "u8")
    };
    if given.has_floats() {
        return false;
    }
    if given.is_text() {
        return out.is_text() || out.is_bytes() || collects("u8");
    }
    if given.is_bytes() {
        return out.is_bytes() || collects("u8");
    }
    out.bare() == given.bare() && api.compares(given.bare()) && !matches!(out, Ty::RefMut(_))
}

/// The code that converts a value to the type of a parameter.
fn converted(api: &Api, name: &str, from: &Ty, wanted: &Ty) -> Option<String> {
    let is_ref = matches!(from, Ty::Ref(_));
    let lent = || if is_ref { name.to_owned() } else { format!("&{name}") };
    if wanted.is_text() && !matches!(wanted, Ty::RefMut(_)) {
        let is_owned = !matches!(wanted, Ty::Ref(_) | Ty::Str);
        return match from.bare() {
            Ty::Own(..) if api.implements(from.bare(), "Display") => Some(match is_owned {
                true => format!("{name}.to_string()"),
                false => format!("&{name}.to_string()"),
            }),
            ty if ty.is_text() && is_owned => Some(format!("{name}.to_string()")),
            ty if ty.is_text() => Some(lent()),
            _ => None,
        };
    }
    if wanted.is_bytes() && matches!(wanted, Ty::Ref(_)) {
        return match from.bare() {
            ty if ty.is_text() => Some(format!("{name}.as_bytes()")),
            ty if ty.is_bytes() => Some(lent()),
            Ty::Array(of, _) if **of == Ty::Plain("u8") => Some(lent()),
            _ => None,
        };
    }
    match wanted {
        Ty::Ref(of) if **of == *from.bare() => Some(lent()),
        Ty::RefMut(_) => None,
        wanted if wanted == from && !is_ref => Some(name.to_owned()),
        wanted if *wanted == *from.bare() && is_ref && wanted.is_copy() => Some(format!("*{name}")),
        _ => None,
    }
}

/// The receiver of a call: an empty value, if the type has one.
fn receiver_or_empty<'a>(draft: &mut Draft<'a>, call: &Call<'a>) -> Option<Option<Variable>> {
    if call.function.receiver.is_none() {
        return Some(None);
    }
    let owner = call.owner.clone()?;
    if matches!(owner, Ty::Own(..))
        && let Some(var) = draft.empty(&owner, &type_name(&owner))
    {
        return Some(Some(var));
    }
    draft.receiver(call)
}

fn inverse<'a>(
    draft: &mut Draft<'a>,
    there: &Call<'a>,
    back: &Call<'a>,
    main: RoundTripArgument,
    back_main: RoundTripArgument,
) -> Option<()> {
    let is_stateful = has_receiver_state(there);
    let receiver = match main {
        RoundTripArgument::Receiver => draft.receiver(there)?,
        RoundTripArgument::Parameter(_) if is_stateful => receiver_or_empty(draft, there)?,
        RoundTripArgument::Parameter(_) => draft.receiver(there)?,
    };
    let mut vars = Vec::new();
    for (name, ty) in &there.parameters {
        vars.push(draft.value(ty, name)?);
    }
    let main_var = match main {
        RoundTripArgument::Receiver => receiver.clone()?,
        RoundTripArgument::Parameter(nth) => vars.get(nth)?.clone(),
    };
    let passed = match &receiver {
        Some(var) => Some(draft.pass_receiver(there, var, false)?),
        None => None,
    };
    let mut arguments = Vec::new();
    for (var, (_, wanted)) in vars.iter().zip(&there.parameters) {
        arguments.push(draft.pass(var, wanted, false)?);
    }
    let code = draft.call(there, passed.as_deref(), &arguments)?;
    let (wrapping, out) = Wrapping::split(&there.output);
    let mut middle = None;
    if is_stateful && *out == Ty::Unit {
        draft.line(format!("{code};"));
    } else {
        let hint = result_name(&there.function.name);
        let why = format!("`{}` accepts the input", there.function.name);
        let var = draft.bind_unwrapped(wrapping, hint, out, &code, &why)?;
        draft.probe_if_shown(&var.name, out.bare());
        middle = Some(var);
    }
    // Configuration arguments are the same for the inverse.
    let back_receiver = match (back.function.receiver, back_main) {
        (None, _) => None,
        (Some(_), RoundTripArgument::Receiver) => match &middle {
            Some(middle) => Some(middle.clone()),
            None => receiver.clone(),
        },
        (Some(_), RoundTripArgument::Parameter(_)) => match receiver.clone() {
            Some(receiver) if there.owner == back.owner => Some(receiver),
            _ => draft.receiver(back)?,
        },
    };
    let mut back_arguments = Vec::new();
    for (nth, (name, wanted)) in back.parameters.iter().enumerate() {
        if back_main == RoundTripArgument::Parameter(nth) {
            let middle = middle.as_ref()?;
            back_arguments.push(converted(draft.api, &middle.name, out, wanted)?);
            continue;
        }
        let known = there
            .parameters
            .iter()
            .zip(&vars)
            .find(|((known, ty), _)| known == name && ty == wanted);
        let var = match known {
            Some((_, var)) => var.clone(),
            None => draft.value(wanted, name)?,
        };
        back_arguments.push(draft.pass(&var, wanted, false)?);
    }
    let back_passed = match &back_receiver {
        Some(var) => Some(draft.pass_receiver(back, var, true)?),
        None => None,
    };
    let call = draft.call(back, back_passed.as_deref(), &back_arguments)?;
    let line = assertion(draft, &call, back, &main_var)?;
    draft.line(line);
    draft.has_parameters().then_some(())
}

/// A variable name for the result of a function.
fn result_name(function: &str) -> &'static str {
    match function {
        name if name.contains("encode") => "encoded",
        name if name.contains("escape") => "escaped",
        name if name.contains("compress") => "compressed",
        name if name.contains("format") || name.contains("print") => "printed",
        name if name.contains("encrypt") => "encrypted",
        _ => "converted",
    }
}

/// The assertion that a call returns the original value.
fn assertion(
    draft: &mut Draft<'_>,
    call: &str,
    back: &Call<'_>,
    main: &Variable,
) -> Option<String> {
    let (wrapping, out) = Wrapping::split(&back.output);
    let name = &main.name;
    let unwrapped = match wrapping {
        Wrapping::Ok => format!("{call}.ok()"),
        _ => call.to_owned(),
    };
    if main.ty.is_text() || main.ty.is_bytes() {
        let is_own = matches!(out.bare(), Ty::Own(..));
        let expected = match main.ty.is_text() && !out.is_text() {
            true => format!("{name}.as_bytes()"),
            false if main.is_ref => name.clone(),
            false if main.ty == Ty::String => format!("{name}.as_str()"),
            false => format!("{name}.as_slice()"),
        };
        return Some(match wrapping {
            _ if is_own && wrapping == Wrapping::Plain => {
                format!("assert_eq!({call}.collect::<Vec<u8>>(), {expected});")
            }
            _ if is_own => return None,
            Wrapping::Plain => format!("assert_eq!({call}, {expected});"),
            _ if matches!(out, Ty::Ref(_)) => {
                format!("assert_eq!({unwrapped}, Some({expected}));")
            }
            _ => format!("assert_eq!({unwrapped}.as_deref(), Some({expected}));"),
        });
    }
    let expected = match (out, main.is_ref) {
        (Ty::Ref(_), false) => format!("&{name}"),
        (Ty::Ref(_), true) => name.clone(),
        (ty, _) => draft.pass(main, ty, true)?,
    };
    Some(match wrapping {
        Wrapping::Plain => format!("assert_eq!({call}, {expected});"),
        _ => format!("assert_eq!({unwrapped}, Some({expected}));"),
    })
}
