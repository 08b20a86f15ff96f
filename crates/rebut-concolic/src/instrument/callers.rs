//! Where a run was, in terms of the module that was instrumented.
//!
//! A runtime knows which functions of the instrumented module are being called and at which
//! instruction each of them is. Instrumentation keeps the order of calls and leaves none out that
//! can be reached, so the third call of some function there is the third one here.

use std::collections::HashMap;

use wasmparser::{FunctionBody, Operator, Parser, Payload};

use super::quick::Dead;
use super::{Beyond, Kept, Layout, Plan, Unfit, instrument};
use crate::hooks::{Hook, Site};

/// A call that has not returned: the function of the instrumented module that makes it, and the
/// offset of the instruction in that module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    pub(crate) function: u32,
    pub(crate) offset: u32,
}

/// Where these calls are in the module that was instrumented, in the same order. Those that
/// instrumentation has added are left out.
pub(crate) fn callers(
    wasm: &[u8],
    plan: &Plan,
    beyond: Option<Beyond>,
    frames: &[Frame],
) -> Result<Vec<Site>, Unfit> {
    let instrumented = instrument(wasm, plan, beyond)?;
    let layout = &instrumented.layout;
    let (before, after) = (bodies(wasm)?, bodies(&instrumented.bytes)?);
    let origins = origins(layout);
    let mut sites = Vec::new();
    for frame in frames {
        let Some(origin) = origins.get(&frame.function) else { continue };
        let Some(body) = after.get(&frame.function) else { continue };
        let Some((callee, nth)) = called(body, frame.offset)? else { continue };
        // What is called by a function that was there is one that was there, or a hook.
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

/// Whom an instruction calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Callee {
    Function(u32),
    /// One of those in a table.
    Table,
}

fn callee(operator: &Operator<'_>) -> Option<Callee> {
    match operator {
        Operator::Call { function_index } => Some(Callee::Function(*function_index)),
        Operator::CallIndirect { .. } => Some(Callee::Table),
        _ => None,
    }
}

/// Of which function each of the instrumented module is a version.
fn origins(layout: &Layout) -> HashMap<u32, u32> {
    let mut origins = HashMap::new();
    for function in layout.imports..layout.functions.len() as u32 {
        origins.insert(layout.function(function), function);
        if layout.kept(function) == Kept::Full {
            origins.insert(layout.full(function), function);
        }
    }
    debug_assert!(!origins.contains_key(&layout.hook(Hook::Unary)), "hooks are imports");
    origins
}

fn bodies(wasm: &[u8]) -> Result<HashMap<u32, FunctionBody<'_>>, Unfit> {
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

/// Whom the instruction at an offset calls, and how many such calls are before it.
fn called(body: &FunctionBody<'_>, offset: u32) -> Result<Option<(Callee, usize)>, Unfit> {
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

/// Where the call with a number is that calls this.
fn nth_call(body: &FunctionBody<'_>, wanted: Callee, nth: usize) -> Result<Option<Site>, Unfit> {
    let mut dead = Dead::default();
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
