//! The hasher of the standard library, in a form that solvers can bear.
//!
//! A symbolic key that goes through SipHash comes out as an expression that no solver inverts.
//! But the standard library promises nothing of the values of its hashes: only that equal keys
//! have equal ones. So a hasher under which all keys are alike is as good as any, and under it a
//! map compares keys and does nothing else with them. The functions that hash a key are replaced
//! by one that gives 0, and what was concluded so is told as an assumption.
//!
//! This is right only if all hashes are made that way. As soon as other code that has the hasher
//! inlined, or uses it on its own, is called, hashes become what they are and the exploration
//! starts anew.

use std::collections::HashMap;

use wasmparser::Operator;

use super::Layout;
use super::module::Code;
use crate::op::Type;

/// The first word of SipHash's state: "somepseu".
const INITIAL: i64 = 0x736f_6d65_7073_6575;

/// The functions that hash one key, and the others that come to the hasher's state.
pub(super) fn hashers(
    layout: &Layout,
    codes: &[Code<'_>],
    names: &HashMap<u32, String>,
) -> (Vec<u32>, Vec<u32>) {
    let is_hash = |function: u32| {
        let name = names.get(&function);
        name.is_some_and(|name| name.contains("BuildHasher8hash_one"))
            && layout.signature(function).results == [Some(Type::I64)]
    };
    let begins = |code: &&Code<'_>| {
        code.operators.iter().any(
            |(operator, _)| matches!(operator, Operator::I64Const { value } if *value == INITIAL),
        )
    };
    let begin: Vec<u32> = codes.iter().filter(begins).map(|code| code.function).collect();
    let calls_one = |code: &&Code<'_>| {
        code.operators.iter().any(|(operator, _)| {
            matches!(operator, Operator::Call { function_index } if begin.contains(function_index))
        })
    };
    let (inlined, others): (Vec<u32>, Vec<u32>) = begin.iter().partition(|f| is_hash(**f));
    let callers = codes.iter().filter(calls_one).map(|code| code.function);
    (inlined.into_iter().chain(callers.filter(|f| is_hash(*f))).collect(), others)
}
