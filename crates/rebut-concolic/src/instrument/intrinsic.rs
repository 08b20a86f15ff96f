//! Functions of the standard library whose results have a term of their own.
//!
//! A property of a character, such as [`char::is_alphabetic`], is a search through compressed
//! tables. Recorded instruction by instruction it opens a path for each range of characters, some
//! 1,500, although it is a function of 21 bits: a constant table. The product of two 128-bit
//! numbers is a sum of products of halves, in which no solver finds the product again.
//!
//! The full version of such a function first calls the quick version, which computes the plain
//! result, and then a hook, which records its term. If the hook has none, the function runs as any
//! other.
//!
//! # Why the terms are right
//!
//! A table is not written down here: the hook calls the function itself for every character. That
//! is all it can do, because its name is that of a function of the standard library that reads
//! nothing but constants. For the product, the hook compares the plain result with the product of
//! the plain operands.

use std::collections::{BTreeMap, HashMap};

use wasm_encoder::BlockType;

use super::Layout;
use super::writer::Writer;
use crate::hooks::Hook;
use crate::op::Type;

/// A function whose result has a term of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intrinsic {
    /// A number for each character: `fn(char) -> u32`.
    CharacterProperty,
    /// Up to three characters for each: `fn(&mut [char; 3], char)`.
    CharacterMapping,
    /// The wrapping product: `fn(&mut u128, u128, u128)`.
    Product,
}

/// Returns the name under which a function is exported, so that it can be called for all
/// characters.
pub(crate) fn export_name(function: u32) -> String {
    format!("rebut-intrinsic-{function}")
}

/// Finds the functions whose results have terms of their own.
pub(super) fn intrinsics(
    layout: &Layout,
    names: &HashMap<u32, String>,
) -> BTreeMap<u32, Intrinsic> {
    let defined = names.iter().filter(|(function, _)| **function >= layout.imports);
    let intrinsic = |(function, name): (&u32, &String)| {
        let intrinsic = intrinsic_of_name(name)?;
        has_signature(layout, *function, intrinsic).then_some((*function, intrinsic))
    };
    defined.filter_map(intrinsic).collect()
}

fn intrinsic_of_name(name: &str) -> Option<Intrinsic> {
    if name == "__multi3" {
        return Some(Intrinsic::Product);
    }
    let (_, in_core) = name.split_once("_4core7unicode12unicode_data")?;
    if in_core.starts_with("11conversions8to_lower")
        || in_core.starts_with("11conversions8to_upper")
    {
        return Some(Intrinsic::CharacterMapping);
    }
    (in_core.contains("6lookup") || in_core.contains("11lookup_slow"))
        .then_some(Intrinsic::CharacterProperty)
}

fn has_signature(layout: &Layout, function: u32, intrinsic: Intrinsic) -> bool {
    let signature = layout.signature(function);
    let is_pointer = |ty: &Option<Type>| matches!(ty, Some(Type::I32 | Type::I64));
    let (short, long) = (Some(Type::I32), Some(Type::I64));
    match (intrinsic, &signature.params[..], &signature.results[..]) {
        (Intrinsic::CharacterProperty, params, results) => params == [short] && results == [short],
        (Intrinsic::CharacterMapping, [pointer, rest @ ..], []) => {
            is_pointer(pointer) && rest == [short]
        }
        (Intrinsic::Product, [pointer, rest @ ..], []) => is_pointer(pointer) && rest == [long; 4],
        _ => false,
    }
}

/// Writes the call of the quick version and of the hook, if the function is an intrinsic.
/// `shadows` are the locals with the shadows of its parameters.
pub(super) fn write(writer: &mut Writer<'_>, function: u32, shadows: &[u32]) {
    let layout = writer.layout;
    let Some(intrinsic) = layout.intrinsics.get(&function).copied() else { return };
    let params = layout.signature(function).params.clone();
    let first = usize::from(intrinsic != Intrinsic::CharacterProperty);
    let [result, shadow] = [0, 1].map(|n| writer.temporary(Type::I32, n));
    let mut out = writer.out();
    // A value is symbolic, and the pointer is not.
    for (n, local) in shadows[first..params.len()].iter().enumerate() {
        out.local_get(*local);
        if n > 0 {
            out.i32_or();
        }
    }
    if first == 1 {
        out.i32_const(0).i32_ne().local_get(shadows[0]).i32_eqz().i32_and();
    }
    out.if_(BlockType::Empty);
    for n in 0..params.len() as u32 {
        out.local_get(n);
    }
    out.call(layout.function(function));
    match intrinsic {
        Intrinsic::CharacterProperty => {
            out.local_set(result).i32_const(function as i32).i32_const(0);
            out.local_get(shadows[0]).local_get(0);
            writer.call(Hook::Character);
        }
        Intrinsic::CharacterMapping => {
            out.i32_const(function as i32);
            pointer(writer, params[0]);
            writer.out().local_get(shadows[1]).local_get(1);
            writer.call(Hook::Character);
        }
        Intrinsic::Product => {
            pointer(writer, params[0]);
            for n in 1..5 {
                writer.out().local_get(shadows[n as usize]).local_get(n);
            }
            writer.call(Hook::Product);
        }
    }
    let mut out = writer.out();
    out.local_tee(shadow).i32_const(-1).i32_ne().if_(BlockType::Empty);
    if intrinsic == Intrinsic::CharacterProperty {
        out.local_get(shadow).global_set(layout.result(0)).local_get(result);
    }
    out.return_().end().end();
}

/// Pushes the first argument, a pointer, as 32 bits.
fn pointer(writer: &mut Writer<'_>, ty: Option<Type>) {
    writer.out().local_get(0);
    if ty == Some(Type::I64) {
        writer.out().i32_wrap_i64();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_core_are_known_by_their_mangled_names() {
        let alphabetic =
            "_RNvNtNtNtCsbot7nVrDnLj_4core7unicode12unicode_data10alphabetic11lookup_slow";
        let to_lower = "_RNvNtNtNtCsbot7nVrDnLj_4core7unicode12unicode_data11conversions8to_lower";
        let own = "_RNvNtNtNtCsbot7nVrDnLj_4mine7unicode12unicode_data10alphabetic6lookup";
        assert_eq!(intrinsic_of_name(alphabetic), Some(Intrinsic::CharacterProperty));
        assert_eq!(intrinsic_of_name(to_lower), Some(Intrinsic::CharacterMapping));
        assert_eq!(intrinsic_of_name("__multi3"), Some(Intrinsic::Product));
        assert_eq!(intrinsic_of_name(own), None);
    }
}
