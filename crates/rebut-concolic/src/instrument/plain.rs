//! The plain version of a function: unchanged, except that it sets its flag when it is called and
//! counts the rounds of its loops.

use wasmparser::Operator;

use super::module::{Code, Mapper};
use super::quick::DeadCode;
use super::writer::Writer;
use super::{Layout, ModuleError};
use crate::hooks::Hook;

/// Writes the plain version of a function.
pub(super) fn write<'m>(layout: &'m Layout, code: &Code<'_>) -> Result<Writer<'m>, ModuleError> {
    let mut writer = Writer::new(layout, code.locals);
    writer.mark(layout.function_flag(code.function));
    if layout.notes_calls_of(code.function) {
        writer.out().i32_const(code.function as i32);
        writer.call(Hook::Unsupported);
    }
    if layout.panics.contains(&code.function) {
        writer.call(Hook::Panicking);
    }
    let mut mapper = Mapper { layout };
    let mut dead = DeadCode::default();
    for (operator, _) in &code.operators {
        if dead.skips(operator) {
            continue;
        }
        writer.raw(&mapper.encode(operator)?);
        if let Operator::Loop { .. } = operator {
            writer.count();
        }
    }
    Ok(writer)
}
