//! Laws of collections, and of types that process data in several steps.

use super::super::api::{Call, Receiver};
use super::super::draft::{Draft, Wrapping};
use super::super::ty::Ty;
use super::values::type_name;
use super::{ClaimBasis, Law, LawFinder, LawKind};

impl<'a> LawFinder<'a> {
    pub(super) fn collections(&self, laws: &mut Vec<Law<'a>>) {
        for ty in self.types() {
            laws.extend(self.length(&ty));
            laws.extend(self.collected(&ty));
            laws.extend(self.incremental(&ty));
        }
    }

    /// A method of a type without further arguments.
    pub(super) fn method(&self, ty: &Ty, name: &str) -> Option<&Call<'a>> {
        self.calls.iter().find(|call| {
            call.owner.as_ref() == Some(ty)
                && call.function.name == name
                && call.function.receiver.is_some()
        })
    }

    /// `len` equals the number of items of `iter`.
    fn length(&self, ty: &Ty) -> Option<Law<'a>> {
        let length = self.method(ty, "len").filter(|call| call.output == Ty::Plain("usize"))?;
        let iter = self.method(ty, "iter").filter(|call| call.parameters.is_empty());
        let reference = Ty::Ref(Box::new(ty.clone()));
        let iterates = iter.is_some() || self.api.implements(&reference, "IntoIterator");
        if !iterates || !length.parameters.is_empty() {
            return None;
        }
        let code = self.api.type_code(ty)?;
        let score = 62 + self.weight(&code);
        let has_iter = iter.is_some();
        let (owned, has_empty) = (ty.clone(), self.method(ty, "is_empty").is_some());
        let write = move |draft: &mut Draft<'a>| {
            let var = draft.value(&owned, &type_name(&owned))?;
            let name = &var.name;
            draft.probe(&format!("{name}.len()"));
            let count = match has_iter {
                true => format!("{name}.iter().count()"),
                false => format!("(&{name}).into_iter().count()"),
            };
            draft.line(format!("assert_eq!({name}.len(), {count});"));
            if has_empty {
                draft.line(format!("assert_eq!({name}.is_empty(), {name}.len() == 0);"));
            }
            draft.has_parameters().then_some(())
        };
        Some(Law {
            kind: LawKind::Items,
            name: format!("{}_len_counts_its_items", type_name(ty)),
            about: format!("`{code}::len` counts the items"),
            subject: code,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }

    /// Collected items are iterated again, as in a list or a sorted set.
    fn collected(&self, ty: &Ty) -> Option<Law<'a>> {
        let (one, types) = self.api.implementation(ty, "FromIterator")?;
        let of = one.arguments.first()?.with(&types);
        let comes_out = self.api.implements(ty, "IntoIterator");
        if !of.is_generated() || !comes_out || of.has_floats() {
            return None;
        }
        let code = self.api.type_code(ty)?;
        let element = self.api.type_code(&of)?;
        let score = 74 + self.weight(&code);
        let (name, owned) = (type_name(ty), ty.clone());
        let write = move |draft: &mut Draft<'a>| {
            // The first variant expects a list with all items in order, the second a set.
            let is_set = draft.domain.recipe == 1;
            draft.has_variants(2);
            let items = draft.value(&Ty::Std("Vec", vec![of.clone()]), "items")?.name;
            let var = draft.new_name(&type_name(&owned));
            let path = draft.api.type_code(&owned)?;
            draft.line(format!("let {var}: {path} = {items}.iter().cloned().collect();"));
            match is_set {
                false => {
                    draft.line(format!(
                        "let collected: Vec<{element}> = {var}.into_iter().collect();"
                    ));
                    draft.probe("&collected");
                    draft.line(format!("assert_eq!(collected, {items});"));
                }
                true => {
                    let set = "std::collections::BTreeSet";
                    draft.line(format!(
                        "let collected: {set}<{element}> = {var}.into_iter().collect();"
                    ));
                    draft.probe("&collected");
                    draft.line(format!("assert_eq!(collected, {items}.into_iter().collect());"));
                }
            }
            Some(())
        };
        Some(Law {
            kind: LawKind::Items,
            name: format!("{name}_returns_the_items_it_collected"),
            about: format!("`{code}` returns the items that it collected"),
            subject: code,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }

    /// Writing in two parts equals writing at once: checksums, hashes, buffers.
    fn incremental(&self, ty: &Ty) -> Option<Law<'a>> {
        const TAKE: &[&str] = &[
            "update",
            "write",
            "write_slice",
            "push",
            "feed",
            "append",
            "input",
            "extend",
            "add",
            "push_str",
            "write_str",
            "write_bytes",
            "extend_from_slice",
            "process",
            "consume",
        ];
        const GIVE: &[&str] = &[
            "finish",
            "finalize",
            "checksum",
            "digest",
            "sum",
            "result",
            "value",
            "hash",
            "get",
            "as_str",
            "as_slice",
            "to_vec",
            "into_vec",
            "into_string",
            "build",
            "state",
            "clone",
        ];
        let of_type = |call: &&Call<'a>| call.owner.as_ref() == Some(ty);
        let take = self.calls.iter().filter(of_type).find(|call| {
            let is_part =
                matches!(call.parameters.as_slice(), [(_, of)] if of.is_bytes() || of.is_text());
            TAKE.contains(&call.function.name.as_str())
                && call.function.receiver == Some(Receiver::RefMut)
                && is_part
        })?;
        let give = self.calls.iter().filter(of_type).find(|call| {
            let out = Wrapping::split(&call.output).1;
            GIVE.contains(&call.function.name.as_str())
                && call.parameters.is_empty()
                && call.function.receiver != Some(Receiver::RefMut)
                && call.function.receiver.is_some()
                && self.api.compares(out)
                && *out != Ty::Unit
        })?;
        let code = self.api.type_code(ty)?;
        let score = 90 + self.weight(&code);
        let name = type_name(ty);
        let (take, give, owned) = (take.clone(), give.clone(), ty.clone());
        let about = format!("`{code}` gives the same result when it is fed in parts");
        let write = move |draft: &mut Draft<'a>| {
            let (_, part) = take.parameters.first()?;
            let first = draft.value(part, "first")?;
            let second = draft.value(part, "second")?;
            let parts = draft.empty(&owned, "in_parts")?;
            draft.mutable(&parts.name);
            let whole = draft.empty(&owned, "at_once")?;
            draft.mutable(&whole.name);
            let statement = |code: &str| match take.output {
                Ty::Unit => format!("{code};"),
                _ => format!("let _ = {code};"),
            };
            for var in [&first, &second] {
                let argument = draft.pass(var, part, false)?;
                let code = draft.call(&take, Some(&parts.name), &[argument])?;
                draft.line(statement(&code));
            }
            let joined = draft.new_name("joined");
            draft.line(format!("let {joined} = [{}, {}].concat();", first.name, second.name));
            let argument = if matches!(part, Ty::Ref(_)) { format!("&{joined}") } else { joined };
            let code = draft.call(&take, Some(&whole.name), &[argument])?;
            draft.line(statement(&code));
            let one = draft.call(&give, Some(&parts.name), &[])?;
            let other = draft.call(&give, Some(&whole.name), &[])?;
            draft.line(format!("let expected = {other};"));
            draft.probe("&expected");
            draft.line(format!("assert_eq!({one}, expected);"));
            Some(())
        };
        Some(Law {
            kind: LawKind::Parts,
            name: format!("{name}_can_be_fed_in_parts"),
            about,
            subject: code,
            basis: ClaimBasis::Guessed,
            score,
            write: Box::new(write),
        })
    }
}
