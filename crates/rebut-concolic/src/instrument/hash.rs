//! The hasher of the standard library, in a form that solvers can bear.
//!
//! A symbolic key that goes through SipHash comes out as an expression that no solver inverts.
//! But the standard library promises nothing of the values of its hashes: only that equal keys
//! have equal ones. So a hasher under which all keys are alike is as good as any, and under it a
//! map compares keys and does nothing else with them. The functions that hash a key are replaced
//! by one that gives 0, and what was concluded so is told as an assumption.
//!
//! This is right only if all hashes are made that way. If some code has the hasher inlined, or
//! uses it on its own, nothing is replaced.

use std::collections::HashMap;

use wasmparser::Operator;

use super::Layout;
use super::module::Code;
use crate::op::Type;

/// The first word of SipHash's state: "somepseu".
const INITIAL: i64 = 0x736f_6d65_7073_6575;

/// The functions that hash one key, if there is no other way to the hasher.
pub(super) fn hashers(
    layout: &Layout,
    codes: &[Code<'_>],
    names: &HashMap<u32, String>,
) -> Vec<u32> {
    let is_named = |function: u32| {
        let name = names.get(&function);
        name.is_some_and(|name| name.contains("BuildHasher8hash_one"))
    };
    let begin: Vec<u32> = beginning(codes).collect();
    let calls_one = |code: &&Code<'_>| {
        code.operators.iter().any(|(operator, _)| {
            matches!(operator, Operator::Call { function_index } if begin.contains(function_index))
        })
    };
    let callers = codes.iter().filter(calls_one).map(|code| code.function);
    let inlined = begin.iter().copied().filter(|function| is_named(*function));
    let hashers: Vec<u32> = inlined.chain(callers.filter(|function| is_named(*function))).collect();
    let is_hash = |function: &u32| {
        let signature = layout.signature(*function);
        signature.results == [Some(Type::I64)]
    };
    if hashers.iter().all(is_hash) { hashers } else { Vec::new() }
}

/// Functions other than the hashers that come to the hasher's state.
pub(super) fn others(codes: &[Code<'_>], hashers: &[u32]) -> Vec<u32> {
    beginning(codes).filter(|function| !hashers.contains(function)).collect()
}

/// The functions that set up the hasher's state.
fn beginning<'c>(codes: &'c [Code<'_>]) -> impl Iterator<Item = u32> + 'c {
    let begins = |code: &&Code<'_>| {
        code.operators.iter().any(
            |(operator, _)| matches!(operator, Operator::I64Const { value } if *value == INITIAL),
        )
    };
    codes.iter().filter(begins).map(|code| code.function)
}
