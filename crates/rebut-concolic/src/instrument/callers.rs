//! Translates a call stack of the instrumented module into sites of the original one.
//!
//! A runtime reports which functions of the instrumented module are active and at which instruction
//! each of them is. Instrumentation keeps the order of calls and drops only unreachable ones. So
//! the third call of some function in the instrumented body is the third reachable one in the
//! original body.

use std::collections::HashMap;

use wasmparser::{FunctionBody, Operator, Parser, Payload};

use super::quick::DeadCode;
use super::{FunctionVersions, Layout, ModuleError, Plan, UnsupportedCall, instrument};
use crate::hooks::{Hook, Site};

/// An active call: the function of the instrumented module that makes it, and the offset of the
/// call instruction in that module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    pub(crate) offset: u32,
}

/// Returns the sites of these calls in the original module, in the same order. Calls that
/// instrumentation added are dropped.
pub(crate) fn callers(
    wasm: &[u8],
    plan: &Plan,
    unsupported: Option<UnsupportedCall>,
    frames: &[Frame],
) -> Result<Vec<Site>, ModuleError> {
    let instrumented = instrument(wasm, plan, unsupported)?;
    let layout = &instrumented.layout;
    let (before, after) = (bodies(wasm)?, bodies(&instrumented.bytes)?);
    let origins = origins(layout);
    let mut sites = Vec::new();
    for frame in frames {
        let Some(origin) = origins.get(&frame.function) else { continue };
        let Some(body) = after.get(&frame.function) else { continue };
        let Some((callee, nth)) = called(body, frame.offset)? else { continue };
        // A call that the original contains has an original function as its target; all others are
        // hooks or calls of full versions.
        let callee = match callee {
            Callee::Function(index) if index < layout.imports => Callee::Function(index),
            Callee::Function(index) => match origins.get(&index) {
                Some(callee) if layout.function(*callee) == index => Callee::Function(*callee),
                _ => continue,
            },
            Callee::Table => Callee::Table,
        };
        if let Some(body) = before.get(origin) {
            sites.extend(nth_call(body, callee, nth)?);
        }
    }
    Ok(sites)
}

/// The target of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Callee {
    Function(u32),
    /// A function in a table.
    Table,
}

fn callee(operator: &Operator<'_>) -> Option<Callee> {
    match operator {
        Operator::Call { function_index } => Some(Callee::Function(*function_index)),
        Operator::CallIndirect { .. } => Some(Callee::Table),
        _ => None,
    }
}

/// The original function of each function of the instrumented module.
fn origins(layout: &Layout) -> HashMap<u32, u32> {
    let mut origins = HashMap::new();
    for function in layout.imports..layout.functions.len() as u32 {
        origins.insert(layout.function(function), function);
        if layout.versions(function) == FunctionVersions::QuickAndFull {
            origins.insert(layout.full(function), function);
        }
    }
    debug_assert!(!origins.contains_key(&layout.hook(Hook::Unary)), "hooks are imports");
    origins
}

fn bodies(wasm: &[u8]) -> Result<HashMap<u32, FunctionBody<'_>>, ModuleError> {
    let mut bodies = HashMap::new();
    let mut next = 0;
    for payload in Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    next += u32::from(matches!(import?.ty, wasmparser::TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => {
                bodies.insert(next, body);
                next += 1;
            }
            _ => {}
        }
    }
    Ok(bodies)
}

/// The target of the call at an offset, and the number of calls of the same target before it.
fn called(body: &FunctionBody<'_>, offset: u32) -> Result<Option<(Callee, usize)>, ModuleError> {
    let mut before: Vec<Callee> = Vec::new();
    for operator in body.get_operators_reader()?.into_iter_with_offsets() {
        let (operator, at) = operator?;
        let Some(callee) = callee(&operator) else { continue };
        if at == offset as usize {
            let nth = before.iter().filter(|other| **other == callee).count();
            return Ok(Some((callee, nth)));
        }
        before.push(callee);
    }
    Ok(None)
}

/// The site of the `nth` reachable call of a target.
fn nth_call(
    body: &FunctionBody<'_>,
    wanted: Callee,
    nth: usize,
) -> Result<Option<Site>, ModuleError> {
    let mut dead = DeadCode::default();
    let mut left = nth;
    for operator in body.get_operators_reader()?.into_iter_with_offsets() {
        let (operator, at) = operator?;
        if dead.skips(&operator) || callee(&operator) != Some(wanted) {
            continue;
        }
        if left == 0 {
            return Ok(Some(at as Site));
        }
        left -= 1;
    }
    Ok(None)
}
