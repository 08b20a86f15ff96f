//! Runs a program.
//!
//! A call whose pre-condition is false is skipped and counted: ending the program there would
//! find far less. So is a call that needs an object that was not made. Where a value is missing
//! that can be drawn, the simplest takes its place: so a statement does not depend on another for
//! nothing more than a number, and either can go when the program is shrunk.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use super::{Argument, Block, Drawn, How, Implementor, Slot, Statement};
use crate::held::{Held, Value};
use crate::implementor::Behavior;
use crate::table::{Called, Mode, Operation, Parameter, Table};

/// The environment of a body that runs.
#[derive(Default)]
pub(crate) struct Frame<'a> {
    slots: Vec<(Slot, Held<'a>)>,
}

impl<'a> Frame<'a> {
    pub(crate) fn put(&mut self, slot: Slot, held: Held<'a>) {
        self.slots.push((slot, held));
    }

    /// Where a slot is, if there is something in it.
    fn find(&self, slot: Slot) -> Option<usize> {
        let at = self.slots.iter().rposition(|(known, _)| *known == slot)?;
        self.slots[at].1.is_there().then_some(at)
    }

    fn value(&self, slot: Slot) -> Option<&dyn Any> {
        self.slots[self.find(slot)?].1.any()
    }
}

/// Runs a whole program.
pub(super) fn main(drawn: &Drawn) {
    block(&drawn.table, &drawn.main, &mut Frame::default());
}

/// Runs statements; what they give back, if that is there.
pub(crate) fn block(table: &Rc<Table>, block: &Block, frame: &mut Frame<'_>) -> Option<Value> {
    for statement in &block.statements {
        step(table, statement, frame);
    }
    let result = block.result.as_ref()?;
    match argument(table, result, Mode::Value, frame)?.0 {
        Held::Owned(value) => Some(value),
        _ => None,
    }
}

fn step(table: &Rc<Table>, statement: &Statement, frame: &mut Frame<'_>) {
    let operation = &table.operations[statement.operation];
    match call(table, operation, statement, frame) {
        Some(Called::Returned(value)) => {
            statement.done.set(statement.done.get().saturating_add(1));
            if let (Some(slot), Some(value)) = (statement.result, value) {
                frame.put(slot, Held::Owned(value));
            }
        }
        Some(Called::Skipped(clause)) => {
            if let Some(skipped) = operation.tries.skipped.get(clause) {
                skipped.set(skipped.get() + 1);
            }
            skip(statement);
        }
        Some(Called::Unfit) => rebut_choice::Stop::Internal(format!(
            "the arguments of {} are not what its table says",
            operation.path
        ))
        .raise(),
        None => skip(statement),
    }
}

fn skip(statement: &Statement) {
    statement.skipped.set(statement.skipped.get().saturating_add(1));
}

/// Takes what the call needs out of the environment, calls, and puts it back. None if
/// something is not there.
fn call(
    table: &Rc<Table>,
    operation: &Operation,
    statement: &Statement,
    frame: &mut Frame<'_>,
) -> Option<Called> {
    let mut taken = Vec::with_capacity(operation.parameters.len());
    for (written, parameter) in statement.arguments.iter().zip(&operation.parameters) {
        let found = argument(table, written, parameter.mode, frame);
        match found.or_else(|| instead(table, written, parameter.kind)) {
            Some(found) => taken.push(found),
            None => {
                put_back(&mut taken, frame);
                return None;
            }
        }
    }
    operation.tries.all.set(operation.tries.all.get() + 1);
    // Set before, so that a call that never returns is printed.
    statement.done.set(statement.done.get().saturating_add(1));
    statement.is_open.set(true);
    if rebut_run::is_reporting() {
        rebut_run::show_again();
    }
    let mut called = None;
    let args = Vec::with_capacity(taken.len());
    let mut call = |args: &mut [Held<'_>]| called = Some((operation.call)(args));
    let written = (statement.arguments.as_slice(), operation.parameters.as_slice());
    lend(table, &mut taken, written, args, &mut call);
    statement.done.set(statement.done.get().saturating_sub(1));
    statement.is_open.set(false);
    put_back(&mut taken, frame);
    called
}

/// Arguments as they are written, and the parameters that they are for.
type Written<'w> = (&'w [Argument], &'w [Parameter]);

/// An argument, and where in the environment it belongs if it is only lent.
type Taken<'a> = (Held<'a>, Option<usize>);

/// The cell that an argument is a handle of, unless something else was found instead.
fn handle_of<'h>(
    table: &Table,
    argument: &Argument,
    held: &'h Held<'_>,
) -> Option<(crate::kind::Cell, &'h dyn Any)> {
    let Argument::Variable { kind, how: How::Lent, .. } = argument else { return None };
    let handle = held.any().filter(|handle| (**handle).type_id() == table.kinds[*kind].id)?;
    Some((table.kinds[*kind].cell?, handle))
}

fn inside_of(table: &Table, argument: &Argument) -> Option<crate::kind::Inside> {
    match argument {
        Argument::Variable { kind, how: How::Inside, .. } => table.kinds[*kind].inside,
        _ => None,
    }
}

fn put_back<'a>(taken: &mut Vec<Taken<'a>>, frame: &mut Frame<'a>) {
    for (held, from) in taken.drain(..) {
        if let Some(at) = from {
            frame.slots[at].1 = held;
        }
    }
}

/// Lends what was taken, one argument after the other, because a cell stays open only as long
/// as the one who opened it waits.
fn lend<'t>(
    table: &Table,
    mut taken: &'t mut [Taken<'_>],
    mut written: Written<'_>,
    mut args: Vec<Held<'t>>,
    use_them: &mut dyn FnMut(&mut [Held<'_>]),
) {
    while let (
        Some(((held, from), others)),
        ([argument, arguments @ ..], [parameter, parameters @ ..]),
    ) = (taken.split_first_mut(), written)
    {
        taken = others;
        written = (arguments, parameters);
        if let (Some(inside), Some(_)) = (inside_of(table, argument), *from) {
            args.push(passed_inside(inside, held));
            continue;
        }
        if let Some((cell, handle)) = handle_of(table, argument, held) {
            return open(&cell, handle, parameter.mode, &mut |inside| {
                let mut args = shortened(std::mem::take(&mut args));
                args.push(inside);
                lend(table, taken, written, args, use_them);
            });
        }
        args.push(passed(parameter.mode, held));
    }
    use_them(&mut args);
}

/// What is passed of something that was taken.
fn passed<'t>(mode: Mode, held: &'t mut Held<'_>) -> Held<'t> {
    match (mode, held) {
        (Mode::Value, held) => match std::mem::take(held) {
            Held::Owned(value) => Held::Owned(value),
            _ => Held::Nothing,
        },
        (_, Held::Owned(value)) => Held::Mut(&mut **value),
        (_, Held::Mut(value)) => Held::Mut(&mut **value),
        (_, Held::Ref(value)) => Held::Ref(*value),
        (_, Held::Object(object)) => Held::Object(Box::new(&mut **object)),
        (_, Held::Nothing) => Held::Nothing,
    }
}

/// What is lent of an `Option` or a `Result`.
fn passed_inside<'t>(inside: crate::kind::Inside, held: &'t mut Held<'_>) -> Held<'t> {
    let lent = match held {
        Held::Owned(value) => (inside.lend_mut)(&mut **value).map(Held::Mut),
        Held::Mut(value) => (inside.lend_mut)(*value).map(Held::Mut),
        Held::Ref(value) => (inside.lend)(*value).map(Held::Ref),
        Held::Object(_) | Held::Nothing => None,
    };
    lent.unwrap_or_default()
}

fn shortened<'a, 'b: 'a>(args: Vec<Held<'b>>) -> Vec<Held<'a>> {
    args
}

thread_local! {
    /// The cells that this thread's program has open.
    static OPEN: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Lends what is in a cell. If the program itself has it open, the statement is skipped: it
/// would be the program's fault. If the code under test has, it called back with its own state
/// locked, and whoever uses that state fails.
fn open(cell: &crate::kind::Cell, handle: &dyn Any, mode: Mode, use_it: &mut dyn FnMut(Held<'_>)) {
    if cell.opened.1.is_none() {
        // What is only ever read is lent as often as one likes.
        (cell.lend)(handle, false, use_it);
        return;
    }
    let address = (cell.address)(handle);
    if OPEN.with_borrow(|open| open.contains(&address)) {
        return;
    }
    let _closing = Closing::of(address);
    let is_lent = (cell.lend)(handle, mode == Mode::Mut, use_it);
    if !is_lent {
        panic!(
            "a RefCell was borrowed while code outside of it was called, which borrows it again"
        );
    }
}

struct Closing;

impl Closing {
    fn of(address: usize) -> Closing {
        OPEN.with_borrow_mut(|open| open.push(address));
        Closing
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        OPEN.with_borrow_mut(Vec::pop);
    }
}

/// What is passed in place of a value that is missing.
fn instead<'a>(table: &Table, written: &Argument, wanted: usize) -> Option<Taken<'a>> {
    match written {
        Argument::Variable { .. } => Some((Held::Owned(table.simplest(wanted)?), None)),
        _ => None,
    }
}

/// What is passed for an argument.
fn argument<'a>(
    table: &Rc<Table>,
    written: &Argument,
    mode: Mode,
    frame: &mut Frame<'a>,
) -> Option<Taken<'a>> {
    let found = found(table, written, mode, frame);
    if let Argument::Variable { was_there, was_missing, .. } = written {
        let seen = if found.is_some() { was_there } else { was_missing };
        seen.set(true);
    }
    found
}

fn found<'a>(
    table: &Rc<Table>,
    written: &Argument,
    mode: Mode,
    frame: &mut Frame<'a>,
) -> Option<Taken<'a>> {
    match written {
        Argument::Literal { kind, value } => {
            let clone = table.kinds[*kind].clone;
            let value = match clone {
                Some(clone) => clone(&**value.borrow().as_ref()?),
                None => value.take(),
            };
            Some((Held::Owned(value?), None))
        }
        Argument::Implementor(implementor) => {
            Some((Held::Owned(made(table, implementor, frame)?), None))
        }
        Argument::Variable { slot, kind, how: How::Number(wanted), .. } => {
            let number = (table.kinds[*kind].number?.read)(frame.value(*slot)?)?;
            Some((Held::Owned((table.kinds[*wanted].number?.make)(number)?), None))
        }
        Argument::Variable { slot, kind, how: How::Lent, .. } => {
            let handle = table.kinds[*kind].clone?(frame.value(*slot)?)?;
            Some((Held::Owned(handle), None))
        }
        Argument::Variable { slot, kind, how: How::Inside, .. } => {
            let inside = table.kinds[*kind].inside?;
            let at = frame.find(*slot)?;
            (inside.lend)(frame.slots[at].1.any()?)?;
            if mode != Mode::Value {
                return Some((std::mem::take(&mut frame.slots[at].1), Some(at)));
            }
            let whole = match table.kinds[*kind].clone {
                Some(clone) => clone(frame.slots[at].1.any()?)?,
                None => match std::mem::take(&mut frame.slots[at].1) {
                    Held::Owned(value) => value,
                    _ => return None,
                },
            };
            Some((Held::Owned((inside.take)(whole)?), None))
        }
        Argument::Variable { slot, kind, how: How::AsIs, .. } => {
            let at = frame.find(*slot)?;
            if mode != Mode::Value {
                return Some((std::mem::take(&mut frame.slots[at].1), Some(at)));
            }
            let held = match table.kinds[*kind].clone {
                Some(clone) => Held::Owned(clone(frame.slots[at].1.any()?)?),
                None => std::mem::take(&mut frame.slots[at].1),
            };
            Some((held, None))
        }
    }
}

/// A new implementor, with what it keeps of the environment.
fn made(table: &Rc<Table>, implementor: &Rc<Implementor>, frame: &Frame<'_>) -> Option<Value> {
    let mut captured = Vec::with_capacity(implementor.captures.len());
    for (slot, kind) in &implementor.captures {
        // What is not there is missed only by the statements that use it.
        if let Some(value) = frame.value(*slot) {
            captured.push((*slot, table.kinds[*kind].clone?(value)?));
        }
    }
    Some((implementor.interface.make)(Behavior {
        table: Rc::clone(table),
        written: Rc::clone(implementor),
        fuel: std::cell::Cell::new(implementor.fuel),
        captured,
    }))
}

/// A copy of a value of which the type is only known to the table.
pub(crate) fn copied(table: &Table, value: &dyn Any) -> Option<Value> {
    let kind = table.find(value.type_id())?;
    table.kinds[kind].clone?(value)
}
