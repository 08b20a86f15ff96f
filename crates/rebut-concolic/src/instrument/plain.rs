//! A function as it is, but for a mark that it leaves when it is called.

use wasmparser::Operator;

use super::module::{Code, Mapper};
use super::quick::Dead;
use super::writer::Writer;
use super::{Layout, Unfit};
use crate::hooks::Hook;

/// Writes the plain version of a function.
pub(super) fn write<'m>(layout: &'m Layout, code: &Code<'_>) -> Result<Writer<'m>, Unfit> {
    let mut writer = Writer::new(layout, code.locals);
    writer.mark(layout.mode(code.function));
    if layout.beyond.contains_key(&code.function) {
        writer.out().i32_const(code.function as i32);
        writer.call(Hook::Beyond);
    }
    if layout.panics.contains(&code.function) {
        writer.call(Hook::Panicking);
    }
    let mut mapper = Mapper { layout };
    let mut dead = Dead::default();
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
