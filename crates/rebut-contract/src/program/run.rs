//! Runs a program.
//!
//! A call with a false precondition is skipped and counted. Ending the program there would find far
//! fewer bugs. A call that needs an object which was not constructed is skipped too. If a missing
//! value has a generator, the simplest value replaces it. So a statement does not depend on another
//! one only for a number, and shrinking can remove either.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use super::{Argument, Block, Drawn, How, Implementor, Slot, Statement};
use crate::held::{Held, Value};
use crate::implementor::Behavior;
use crate::table::{Called, Mode, Operation, Parameter, Table};

/// The environment of a running body.
#[derive(Default)]
pub(crate) struct Frame<'a> {
    slots: Vec<(Slot, Held<'a>)>,
}

impl<'a> Frame<'a> {
    pub(crate) fn put(&mut self, slot: Slot, held: Held<'a>) {
        self.slots.push((slot, held));
    }

    /// Returns the index of a slot that has a value.
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

/// Runs the statements and returns their result, if there is one.
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

/// Takes the arguments out of the environment, makes the call, and puts them back. Returns `None` if
/// an argument is missing.
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
    // Count the call before it starts, so that a call that never returns is printed.
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

/// Arguments of a statement and their parameters.
type Written<'w> = (&'w [Argument], &'w [Parameter]);

/// An argument, and its index in the environment if it must be put back.
type Taken<'a> = (Held<'a>, Option<usize>);

/// Returns the cell that an argument is a handle to, unless a simplest value replaced the handle.
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

/// Borrows the arguments one after the other and makes the call. It recurs for each cell, because a
/// cell is only borrowed while the closure passed to `open` runs.
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

/// Returns the argument for a value from the environment.
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

/// Borrows the contents of an `Option` or a `Result`.
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
    /// The addresses of the cells that the program on this thread has borrowed.
    static OPEN: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Borrows the contents of a cell. If the program itself has borrowed the cell, the statement is
/// skipped, because the program would be at fault. If the code under test has borrowed it, the code
/// called back with its own state locked, so using that state is a failure.
fn open(cell: &crate::kind::Cell, handle: &dyn Any, mode: Mode, use_it: &mut dyn FnMut(Held<'_>)) {
    if cell.opened.1.is_none() {
        // Shared access is possible any number of times.
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

/// Returns the simplest value for a variable without a value.
fn instead<'a>(table: &Table, written: &Argument, wanted: usize) -> Option<Taken<'a>> {
    match written {
        Argument::Variable { .. } => Some((Held::Owned(table.simplest(wanted)?), None)),
        _ => None,
    }
}

/// Returns the value of an argument, and records whether a variable had a value.
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

/// Creates an implementor with the variables that it captures.
fn made(table: &Rc<Table>, implementor: &Rc<Implementor>, frame: &Frame<'_>) -> Option<Value> {
    let mut captured = Vec::with_capacity(implementor.captures.len());
    for (slot, kind) in &implementor.captures {
        // A missing variable only affects the statements that use it.
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

/// Clones a value whose type only the table knows.
pub(crate) fn copied(table: &Table, value: &dyn Any) -> Option<Value> {
    let kind = table.find(value.type_id())?;
    table.kinds[kind].clone?(value)
}
