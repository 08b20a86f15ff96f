//! Laws of single types: text, order, getters and conversions.

use super::super::api::Receiver;
use super::super::draft::{Draft, Wrapping, snake_case};
use super::super::ty::Ty;
use super::{ClaimBasis, Law, LawFinder, LawKind};

impl<'a> LawFinder<'a> {
    /// The types of the crate, with concrete type arguments.
    pub(super) fn types(&self) -> Vec<Ty> {
        self.api.types.keys().filter_map(|item| self.api.instance(item)).collect()
    }

    /// A printed value is parsed as the same value.
    pub(super) fn round_trips(&self, laws: &mut Vec<Law<'a>>) {
        for ty in self.types() {
            let prints = self.api.implements(&ty, "Display");
            if !prints || !self.api.implements(&ty, "FromStr") {
                continue;
            }
            let Some(code) = self.api.type_code(&ty) else { continue };
            let name = type_name(&ty);
            let score = 100 + self.weight(&code);
            let path = code.clone();
            let write = move |draft: &mut Draft<'a>| {
                let var = draft.value(&ty, &type_name(&ty))?;
                let printed = draft.new_name("printed");
                draft.line(format!("let {printed} = {}.to_string();", var.name));
                draft.probe(&printed);
                if draft.api.compares(&ty) && !var.is_ref {
                    draft.line(format!(
                        "assert_eq!({printed}.parse::<{path}>().ok(), Some({}));",
                        var.name
                    ));
                } else {
                    draft.line(format!(
                        "let again = {printed}.parse::<{path}>().map(|parsed| parsed.to_string());"
                    ));
                    draft.line(format!("assert_eq!(again.ok(), Some({printed}));"));
                }
                draft.has_parameters().then_some(())
            };
            laws.push(Law {
                kind: LawKind::Text,
                name: format!("{name}_round_trips_through_text"),
                subject: code.clone(),
                about: format!("`{code}` round-trips through text"),
                basis: ClaimBasis::Promised,
                score,
                write: Box::new(write),
            });
        }
    }

    /// The same, for a function that parses in place of `FromStr`.
    pub(super) fn parsers(&self, laws: &mut Vec<Law<'a>>) {
        for call in &self.calls {
            let (wrapping, ty) = Wrapping::split(&call.output);
            let [(_, wanted)] = call.parameters.as_slice() else { continue };
            let parses = wrapping != Wrapping::Plain
                && call.function.receiver.is_none()
                && wanted.is_text()
                && matches!(ty, Ty::Own(..))
                && self.api.implements(ty, "Display")
                && !self.api.implements(ty, "FromStr");
            if !parses {
                continue;
            }
            let subject = self.subject(call);
            let score = 96 + self.weight(&subject);
            let name = format!("{}_round_trips_through_text", type_name(ty));
            let about = format!("values from `{subject}` round-trip through text");
            let (call, ty) = (call.clone(), ty.clone());
            let write = move |draft: &mut Draft<'a>| {
                let (_, wanted) = &call.parameters[0];
                let text = draft.text_for(&call)?;
                let argument = draft.pass(&text, wanted, false)?;
                let code = draft.call(&call, None, &[argument])?;
                let why = format!("`{}` accepts the text", call.function.name);
                let var = draft.bind_unwrapped(wrapping, &type_name(&ty), &ty, &code, &why)?;
                let printed = draft.new_name("printed");
                draft.line(format!("let {printed} = {}.to_string();", var.name));
                draft.probe(&format!("&{printed}"));
                let again = match wanted {
                    Ty::Ref(_) => format!("&{printed}"),
                    _ => format!("{printed}.clone()"),
                };
                let again = draft.call(&call, None, &[again])?;
                let map = if wrapping == Wrapping::Ok { ".ok()" } else { "" };
                draft.line(match draft.api.compares(&ty) {
                    true => format!("assert_eq!({again}{map}, Some({}));", var.name),
                    false => format!(
                        "assert_eq!({again}{map}.map(|parsed| parsed.to_string()), \
                         Some({printed}.clone()));"
                    ),
                });
                draft.has_parameters().then_some(())
            };
            laws.push(Law {
                kind: LawKind::Text,
                name,
                subject,
                about,
                basis: ClaimBasis::Promised,
                score,
                write: Box::new(write),
            });
        }
    }

    pub(super) fn values(&self, laws: &mut Vec<Law<'a>>) {
        for ty in self.types() {
            self.order(&ty, laws);
            self.conversions(&ty, laws);
            self.getters(&ty, laws);
        }
    }

    /// A hand-written `Ord` is consistent with itself and with `==`.
    fn order(&self, ty: &Ty, laws: &mut Vec<Law<'a>>) {
        let is_written =
            |name: &str| self.api.implementation(ty, name).is_some_and(|(one, _)| !one.is_derived);
        let is_ordered = is_written("PartialEq") && self.api.implements(ty, "Ord");
        if !is_written("Ord") && !is_ordered {
            return;
        }
        let Some(code) = self.api.type_code(ty) else { return };
        let name = type_name(ty);
        let owned = ty.clone();
        let write = move |draft: &mut Draft<'a>| {
            let one = draft.value(&owned, "one")?;
            let other = draft.value(&owned, "other")?;
            let (a, b) = (draft.by_ref(&one), draft.by_ref(&other));
            draft.line(format!("let order = Ord::cmp({a}, {b});"));
            draft.probe("order");
            draft.line(format!("assert_eq!(Ord::cmp({b}, {a}), order.reverse());"));
            draft.line(format!("assert_eq!({a} == {b}, order == std::cmp::Ordering::Equal);"));
            draft.has_parameters().then_some(())
        };
        laws.push(Law {
            kind: LawKind::Order,
            name: format!("{name}_order_agrees_with_equality"),
            subject: code.clone(),
            about: format!("the order of `{code}` agrees with its equality"),
            basis: ClaimBasis::Promised,
            score: 70 + self.weight(&code),
            write: Box::new(write),
        });
    }

    /// Converting to another type and back returns the same value.
    fn conversions(&self, ty: &Ty, laws: &mut Vec<Law<'a>>) {
        let Some(code) = self.api.type_code(ty) else { return };
        for name in ["From", "TryFrom"] {
            for (one, types) in self.api.implementations(ty, name) {
                let Some(source) = one.arguments.first().map(|source| source.with(&types)) else {
                    continue;
                };
                let Some(via) = self.api.type_code(&source) else { continue };
                let back =
                    self.api.implementations(&source, "From").into_iter().any(|(one, types)| {
                        one.arguments.first().is_some_and(|of| of.with(&types) == *ty)
                    });
                let is_owned = source.is_generated() || matches!(source, Ty::Own(..));
                if !back || !is_owned || !self.api.compares(ty) || source == *ty {
                    continue;
                }
                let is_fallible = name == "TryFrom";
                let (ty, path, to) = (ty.clone(), code.clone(), via.clone());
                let target = self.api.path_code(&source);
                let write = move |draft: &mut Draft<'a>| {
                    let target = target.as_ref()?;
                    let var = draft.value(&ty, &type_name(&ty))?;
                    let first = draft.pass(&var, &ty, false)?;
                    draft.line(format!("let converted = {target}::from({first});"));
                    draft.probe_if_shown("converted", &source);
                    let call = match is_fallible {
                        true => format!("{path}::try_from(converted).ok()"),
                        false => format!("Some({path}::from(converted))"),
                    };
                    let last = draft.pass(&var, &ty, true)?;
                    draft.line(match is_fallible {
                        true => format!("assert_eq!({call}, Some({last}));"),
                        false => format!("assert_eq!({path}::from(converted), {last});"),
                    });
                    draft.has_parameters().then_some(())
                };
                let type_name = type_name_of(&code);
                laws.push(Law {
                    kind: LawKind::Conversion,
                    name: format!(
                        "{type_name}_round_trips_through_{}",
                        snake_case(&last_segment(&via))
                    ),
                    subject: code.clone(),
                    about: format!("`{code}` round-trips through `{to}`"),
                    basis: ClaimBasis::Guessed,
                    score: 88 + self.weight(&code),
                    write: Box::new(write),
                });
            }
        }
    }

    /// A getter returns the argument of the constructor.
    fn getters(&self, ty: &Ty, laws: &mut Vec<Law<'a>>) {
        let Some(code) = self.api.type_code(ty) else { return };
        for constructor in &self.calls {
            let (wrapping, made) = Wrapping::split(&constructor.output);
            let is_constructor = constructor.function.receiver.is_none()
                && made == ty
                && constructor.owner.as_ref() == Some(ty)
                && !constructor.parameters.is_empty();
            if !is_constructor {
                continue;
            }
            for (nth, (parameter, of)) in constructor.parameters.iter().enumerate() {
                let getter = self.calls.iter().find(|call| {
                    let name = call.function.name.as_str();
                    call.owner.as_ref() == Some(ty)
                        && call.function.receiver == Some(Receiver::Ref)
                        && call.parameters.is_empty()
                        && (name == parameter || name.strip_prefix("get_") == Some(parameter))
                        && call.output.bare() == of.bare()
                        && !of.has_floats()
                });
                let Some(getter) = getter.cloned() else { continue };
                let (constructor, owned) = (constructor.clone(), ty.clone());
                let name = format!("{}_returns_its_{parameter}", type_name(ty));
                let about = format!(
                    "`{code}::{}` returns what `{}` was given",
                    getter.function.name, constructor.function.name
                );
                let write = move |draft: &mut Draft<'a>| {
                    let vars = draft.arguments(&constructor)?;
                    let mut arguments = Vec::new();
                    for (var, (_, wanted)) in vars.iter().zip(&constructor.parameters) {
                        arguments.push(draft.pass(var, wanted, false)?);
                    }
                    let made = draft.call(&constructor, None, &arguments)?;
                    let hint = type_name(&owned);
                    let why = format!("`{}` accepts the input", constructor.function.name);
                    let var = draft.bind_unwrapped(wrapping, &hint, &owned, &made, &why)?;
                    let got = draft.call(&getter, Some(&var.name), &[])?;
                    let given = vars.get(nth)?;
                    let expected = match (&getter.output, given.is_ref) {
                        (Ty::Ref(_), true) => given.name.clone(),
                        (Ty::Ref(_), false) => format!("&{}", given.name),
                        (_, false) => given.name.clone(),
                        (_, true) => return None,
                    };
                    draft.probe(&got);
                    draft.line(format!("assert_eq!({got}, {expected});"));
                    draft.has_parameters().then_some(())
                };
                laws.push(Law {
                    kind: LawKind::Getter,
                    name,
                    subject: code.clone(),
                    about,
                    basis: ClaimBasis::Guessed,
                    score: 55 + self.weight(&code),
                    write: Box::new(write),
                });
            }
        }
    }
}

/// The name of a type in names of tests and variables.
pub(super) fn type_name(ty: &Ty) -> String {
    match ty.bare() {
        Ty::Own(item, _) => snake_case(item.last().map_or("value", String::as_str)),
        _ => "value".to_owned(),
    }
}

fn type_name_of(code: &str) -> String {
    snake_case(&last_segment(code))
}

/// The last segment of a path, without generic arguments.
pub(super) fn last_segment(code: &str) -> String {
    let plain = code.split('<').next().unwrap_or(code);
    plain.rsplit("::").next().unwrap_or(plain).to_owned()
}
