//! Replaces the hasher of the standard library by a constant.
//!
//! A symbolic key that goes through SipHash becomes an expression that no solver inverts. But the
//! standard library promises nothing about hashes except that equal keys have equal ones. A hasher
//! that returns 0 for every key keeps that promise, and under it a map only compares keys. So the
//! functions that hash one key return 0, and the exploration reports this as an assumption.
//!
//! This is sound only if all hashes are computed that way. As soon as other code is called that
//! contains the hasher inlined or uses it directly, hashers get their real results back and the
//! exploration starts again.

use std::collections::HashMap;

use wasmparser::Operator;

use super::Layout;
use super::module::Code;
use crate::op::Type;

/// The first word of SipHash's initial state ("somepseu"). Code that contains it is taken for a
/// copy of the hasher.
const INITIAL: i64 = 0x736f_6d65_7073_6575;

/// Returns the functions that hash one key, and the other functions that contain the hasher.
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
