//! Runs a program.
//!
//! A call with a false precondition is skipped and counted. Ending the program there would leave out
//! all calls after it. A call that needs an object which was not constructed is skipped too. If a
//! missing value has a generator, the simplest value replaces it. A statement therefore does not
//! depend on another one only for a number, and shrinking can remove either.
//!
//! Invariant: while a call borrows a variable, its slot is empty. A callback that the call runs has
//! its own frame, so it cannot reach the variable, as in the printed program.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rebut_choice::{internal_assert, internal_error};
use rebut_gen::code::Noted;

use super::{Argument, Block, Conversion, GeneratedProgram, Implementor, Slot, Statement};
use crate::blame;
use crate::call_argument::{CallArgument, Value};
use crate::implementor::Behavior;
use crate::table::{CallOutcome, Mode, Operation, Parameter, Table};
use crate::type_info::{CellAccess, ContentsAccess};

/// The environment of a running body.
#[derive(Default)]
pub(crate) struct Frame<'a> {
    slots: Vec<(Slot, CallArgument<'a>)>,
}

impl<'a> Frame<'a> {
    pub(crate) fn put(&mut self, slot: Slot, argument: CallArgument<'a>) {
        self.slots.push((slot, argument));
    }

    /// Returns the index of a slot that has a value.
    fn find(&self, slot: Slot) -> Option<usize> {
        // A slot is there at most once. Statements mostly use recent ones, which are at the end.
        let at = self.slots.iter().rposition(|(one, _)| *one == slot)?;
        self.slots[at].1.has_value().then_some(at)
    }

    fn value(&self, slot: Slot) -> Option<&dyn Any> {
        self.slots[self.find(slot)?].1.any()
    }
}

/// The maximum number of statements that a program executes, with those in callbacks. A body runs again
/// in each call that the code under test makes, and bodies create further implementors, each with fuel
/// of its own. 100 times the 200 statements that a program of the default size has with the calls for
/// its arguments.
const EXECUTED_MAX: u32 = 20_000;

thread_local! {
    /// The number of statements that the program on this thread has executed.
    static EXECUTED: Cell<u32> = const { Cell::new(0) };
}

/// Counts a statement. Ends the program, without a failure, if it has executed too many.
fn count_executed() {
    let executed = EXECUTED.get() + 1;
    EXECUTED.set(executed);
    if executed > EXECUTED_MAX {
        blame::end_program(format!("the program executed {EXECUTED_MAX} statements"));
    }
}

/// Runs a whole program.
pub(super) fn main(program: &GeneratedProgram) {
    EXECUTED.set(0);
    block(&program.table, &program.main, &mut Frame::default());
}

/// Runs the statements and returns their result, if there is one.
pub(crate) fn block(table: &Rc<Table>, block: &Block, frame: &mut Frame<'_>) -> Option<Value> {
    for statement in &block.statements {
        step(table, statement, frame);
    }
    let result = block.result.as_ref()?;
    match argument(table, result, Mode::Value, frame)?.0 {
        CallArgument::Owned(value) => Some(value),
        _ => None,
    }
}

fn step(table: &Rc<Table>, statement: &Statement, frame: &mut Frame<'_>) {
    count_executed();
    let operation = table.operation_at(statement.operation);
    match call(table, operation, statement, frame) {
        Some(CallOutcome::ReturnedNothing) => {
            statement.done.set(statement.done.get().saturating_add(1));
            operation.counts.completed.set(operation.counts.completed.get() + 1);
        }
        Some(CallOutcome::Returned(value)) => {
            statement.done.set(statement.done.get().saturating_add(1));
            statement.returned.set(statement.returned.get().saturating_add(1));
            operation.counts.completed.set(operation.counts.completed.get() + 1);
            if let (Some(slot), Some(value)) = (statement.result, value) {
                frame.put(slot, CallArgument::Owned(value));
            }
        }
        Some(CallOutcome::Skipped(clause)) => {
            if let Some(skipped) = operation.counts.skipped.get(clause) {
                skipped.set(skipped.get() + 1);
            }
            skip(statement);
        }
        Some(CallOutcome::WrongTypes) => {
            internal_error!("arguments of `{}` do not have the types of its table", operation.path)
        }
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
) -> Option<CallOutcome> {
    let copied = operation.copied();
    let mut lent = Vec::with_capacity(operation.parameters.len() + copied.len());
    for (nth, (written, parameter)) in
        statement.arguments.iter().zip(&operation.parameters).enumerate()
    {
        // The effect of a call on a copy does not change the variable.
        let mode = match parameter.mode {
            Mode::Mut if copied.contains(&nth) => Mode::Value,
            mode => mode,
        };
        let found = argument(table, written, mode, frame);
        match found.or_else(|| replacement(table, written, parameter.type_index)) {
            Some(found) => lent.push(found),
            None => {
                put_back(&mut lent, frame);
                return None;
            }
        }
    }
    for nth in copied {
        match copy(table, &statement.arguments[*nth], operation.parameters[*nth], frame) {
            Some(copy) => lent.push(copy),
            None => {
                put_back(&mut lent, frame);
                return None;
            }
        }
    }
    operation.counts.attempts.set(operation.counts.attempts.get() + 1);
    // Count the call before it starts, so that a call that never returns is printed.
    statement.done.set(statement.done.get().saturating_add(1));
    statement.is_open.set(true);
    if rebut_run::is_reporting() {
        rebut_run::show_again();
    }
    let mut outcome = None;
    let args = Vec::with_capacity(lent.len());
    let mut call = |args: &mut [CallArgument<'_>]| outcome = Some((operation.call)(args));
    let written = (statement.arguments.as_slice(), operation.parameters.as_slice());
    let modes = copied.iter().map(|nth| operation.parameters[*nth].mode).collect::<Vec<_>>();
    lend(table, &mut lent, (written, &modes), args, &mut call);
    statement.done.set(statement.done.get().saturating_sub(1));
    statement.is_open.set(false);
    put_back(&mut lent, frame);
    outcome
}

/// Returns the argument of a call on a model: a value of its own, or
/// [`CallArgument::Nothing`] for calls that may share a reference.
fn copy<'a>(
    table: &Rc<Table>,
    written: &Argument,
    parameter: Parameter,
    frame: &mut Frame<'a>,
) -> Option<LentArgument<'a>> {
    let mode = match written {
        Argument::Variable { .. } if parameter.mode == Mode::Ref && parameter.view.is_none() => {
            return Some((CallArgument::Nothing, None));
        }
        Argument::Variable { .. } => Mode::Value,
        Argument::Literal { type_index, tape, .. }
            if table.type_at(*type_index).clone.is_none() =>
        {
            let value = table.type_at(*type_index).redrawn(tape.as_ref())?;
            return Some((CallArgument::Owned(value), None));
        }
        _ => parameter.mode,
    };
    argument(table, written, mode, frame)
        .or_else(|| replacement(table, written, parameter.type_index))
}

/// Arguments of a statement and their parameters, and how to pass the copies after them.
type WrittenArguments<'w> = ((&'w [Argument], &'w [Parameter]), &'w [Mode]);

/// An argument, and its index in the environment if it must be put back.
type LentArgument<'a> = (CallArgument<'a>, Option<usize>);

/// Returns the cell that an argument is a handle to, unless a simplest value replaced the handle.
fn handle_of<'h>(
    table: &Table,
    argument: &Argument,
    value: &'h CallArgument<'_>,
) -> Option<(CellAccess, &'h dyn Any)> {
    let Argument::Variable { type_index, conversion: Conversion::OpenCell, .. } = argument else {
        return None;
    };
    let info = table.type_at(*type_index);
    let handle = value.any().filter(|handle| (**handle).type_id() == info.id)?;
    Some((info.cell?, handle))
}

/// Returns the access to the contents, if the argument is the contents of an `Option` or a `Result`.
fn contents_of(table: &Table, argument: &Argument) -> Option<ContentsAccess> {
    match argument {
        Argument::Variable { type_index, conversion: Conversion::Unwrap, .. } => {
            table.type_at(*type_index).contents
        }
        _ => None,
    }
}

fn put_back<'a>(lent: &mut Vec<LentArgument<'a>>, frame: &mut Frame<'a>) {
    for (argument, from) in lent.drain(..) {
        if let Some(at) = from {
            let (slot, place) = &mut frame.slots[at];
            internal_assert!(!place.has_value(), "variable {slot} was borrowed by two calls");
            *place = argument;
        }
    }
}

/// Borrows the arguments one after the other and makes the call. It recurs for each cell, because a
/// cell is only borrowed while the closure passed to `open` runs.
fn lend<'t>(
    table: &Table,
    mut lent: &'t mut [LentArgument<'_>],
    mut written: WrittenArguments<'_>,
    mut args: Vec<CallArgument<'t>>,
    use_them: &mut dyn FnMut(&mut [CallArgument<'_>]),
) {
    while let ([argument, arguments @ ..], [parameter, parameters @ ..]) = written.0 {
        let Some(((value, from), others)) = std::mem::take(&mut lent).split_first_mut() else {
            break;
        };
        lent = others;
        written.0 = (arguments, parameters);
        // A value that is not put back is already the contents, or a replacement for them.
        if let (Some(contents), Some(_)) = (contents_of(table, argument), *from) {
            args.push(lend_contents(contents, value));
            continue;
        }
        if let Some((cell, handle)) = handle_of(table, argument, value) {
            return open(&cell, handle, parameter.mode, &mut |contents| {
                let mut args = shorten_lifetime(std::mem::take(&mut args));
                args.push(contents);
                lend(table, lent, written, args, use_them);
            });
        }
        args.push(pass(parameter.mode, value));
    }
    for ((copy, _), mode) in lent.iter_mut().zip(written.1) {
        args.push(pass(*mode, copy));
    }
    use_them(&mut args);
}

/// Returns the argument for a value from the environment.
fn pass<'t>(mode: Mode, argument: &'t mut CallArgument<'_>) -> CallArgument<'t> {
    match (mode, argument) {
        (Mode::Value, argument) => match std::mem::take(argument) {
            CallArgument::Owned(value) => CallArgument::Owned(value),
            _ => CallArgument::Nothing,
        },
        (_, CallArgument::Owned(value)) => CallArgument::Mut(&mut **value),
        (_, CallArgument::Mut(value)) => CallArgument::Mut(&mut **value),
        (_, CallArgument::Ref(value)) => CallArgument::Ref(*value),
        (_, CallArgument::Object(object)) => CallArgument::Object(Box::new(&mut **object)),
        (_, CallArgument::Nothing) => CallArgument::Nothing,
    }
}

/// Borrows the contents of an `Option` or a `Result`.
fn lend_contents<'t>(
    contents: ContentsAccess,
    argument: &'t mut CallArgument<'_>,
) -> CallArgument<'t> {
    let lent = match argument {
        CallArgument::Owned(value) => (contents.lend_mut)(&mut **value).map(CallArgument::Mut),
        CallArgument::Mut(value) => (contents.lend_mut)(*value).map(CallArgument::Mut),
        CallArgument::Ref(value) => (contents.lend)(*value).map(CallArgument::Ref),
        CallArgument::Object(_) | CallArgument::Nothing => None,
    };
    lent.unwrap_or_default()
}

/// Shortens the lifetime of arguments, so that the contents of a cell can join them.
fn shorten_lifetime<'a, 'b: 'a>(args: Vec<CallArgument<'b>>) -> Vec<CallArgument<'a>> {
    args
}

thread_local! {
    /// The addresses of the cells that the program on this thread has borrowed.
    static OPEN: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Borrows the contents of a cell. If the program itself has borrowed the cell, the statement is
/// skipped, because the program would be at fault. If the code under test has borrowed it, the code
/// called back with its own state locked, so using that state is a failure.
fn open(cell: &CellAccess, handle: &dyn Any, mode: Mode, use_it: &mut dyn FnMut(CallArgument<'_>)) {
    if cell.opened.1.is_none() {
        // Shared access is possible any number of times.
        (cell.lend)(handle, false, use_it);
        return;
    }
    let address = (cell.address)(handle);
    if OPEN.with_borrow(|open| open.contains(&address)) {
        return;
    }
    let _open = OpenCellGuard::new(address);
    let is_lent = (cell.lend)(handle, mode == Mode::Mut, use_it);
    if !is_lent {
        rebut_choice::fail_case(
            "a RefCell was borrowed while code outside of it was called, which borrows it again",
        );
    }
}

/// Marks a cell as borrowed by the program until it is dropped.
struct OpenCellGuard;

impl OpenCellGuard {
    fn new(address: usize) -> OpenCellGuard {
        OPEN.with_borrow_mut(|open| open.push(address));
        OpenCellGuard
    }
}

impl Drop for OpenCellGuard {
    fn drop(&mut self) {
        OPEN.with_borrow_mut(Vec::pop);
    }
}

/// Returns the simplest value for a variable without a value.
fn replacement<'a>(table: &Table, written: &Argument, wanted: usize) -> Option<LentArgument<'a>> {
    match written {
        Argument::Variable { .. } => Some((CallArgument::Owned(table.simplest(wanted)?), None)),
        _ => None,
    }
}

/// Returns the value of an argument, and records whether a variable had a value.
fn argument<'a>(
    table: &Rc<Table>,
    written: &Argument,
    mode: Mode,
    frame: &mut Frame<'a>,
) -> Option<LentArgument<'a>> {
    let found = resolve(table, written, mode, frame);
    if let Argument::Variable { conversion, was_there, was_missing, code, .. } = written {
        if rebut_run::is_reporting() && *conversion != Conversion::AsIs {
            let seen = found.as_ref().and_then(|found| literal(table, found));
            // The literal replaces the variable only if it was the same each time.
            let is_first = !was_there.get() && !was_missing.get();
            if is_first || *code.borrow() != seen {
                code.replace(seen.filter(|_| is_first));
            }
        }
        let seen = if found.is_some() { was_there } else { was_missing };
        seen.set(true);
    }
    found
}

/// Returns the code of a converted value, if it is a value of its own that a literal can replace.
fn literal(table: &Table, (value, from): &LentArgument<'_>) -> Option<Noted> {
    let (CallArgument::Owned(value), None) = (value, from) else { return None };
    let info = table.type_at(table.find_type((**value).type_id())?);
    // A literal would be another object than the one that the variable shares.
    let is_value = info.draw.is_some() && info.clone.is_some() && info.is_frozen;
    is_value.then(|| Noted::of(|| (info.code)(&**value)))
}

fn resolve<'a>(
    table: &Rc<Table>,
    written: &Argument,
    mode: Mode,
    frame: &mut Frame<'a>,
) -> Option<LentArgument<'a>> {
    match written {
        Argument::Literal { type_index, value, tape, code } => {
            let info = table.type_at(*type_index);
            let value = match info.clone {
                // The printed program constructs the value each time.
                Some(_) => match info.redrawn(tape.as_ref()) {
                    Some(value) => Some(value),
                    None => info.cloned(&**value.borrow().as_ref()?),
                },
                None => {
                    let value = value.take();
                    // The value is gone when the program is printed. A mock also has to know that it
                    // is printed before it is called.
                    if let (true, Some(value)) = (rebut_run::is_reporting(), &value) {
                        code.replace(Some(Noted::of(|| (info.code)(&**value))));
                    }
                    value
                }
            };
            Some((CallArgument::Owned(value?), None))
        }
        Argument::Elements { type_index, elements } => {
            let make = table.type_at(*type_index).elements?.make;
            // An element without a value is left out.
            let owned = |element: &Argument| match argument(table, element, Mode::Value, frame)?.0 {
                CallArgument::Owned(value) => Some(value),
                _ => None,
            };
            Some((CallArgument::Owned(make(elements.iter().filter_map(owned).collect())?), None))
        }
        Argument::Implementor(implementor) => {
            Some((CallArgument::Owned(create_implementor(table, implementor, frame)?), None))
        }
        Argument::Variable {
            slot, type_index, conversion: Conversion::ToInteger(wanted), ..
        } => {
            let number = (table.type_at(*type_index).integer?.read)(frame.value(*slot)?)?;
            Some((CallArgument::Owned((table.type_at(*wanted).integer?.make)(number)?), None))
        }
        Argument::Variable { slot, type_index, conversion: Conversion::OpenCell, .. } => {
            let handle = table.type_at(*type_index).cloned(frame.value(*slot)?)?;
            Some((CallArgument::Owned(handle), None))
        }
        Argument::Variable { slot, type_index, conversion: Conversion::Unwrap, .. } => {
            let contents = table.type_at(*type_index).contents?;
            let at = frame.find(*slot)?;
            (contents.lend)(frame.slots[at].1.any()?)?;
            if mode != Mode::Value {
                return Some((std::mem::take(&mut frame.slots[at].1), Some(at)));
            }
            let info = table.type_at(*type_index);
            let whole = match info.clone {
                Some(_) => info.cloned(frame.slots[at].1.any()?)?,
                None => match std::mem::take(&mut frame.slots[at].1) {
                    CallArgument::Owned(value) => value,
                    _ => return None,
                },
            };
            Some((CallArgument::Owned((contents.take)(whole)?), None))
        }
        Argument::Variable { slot, type_index, conversion: Conversion::AsIs, .. } => {
            let at = frame.find(*slot)?;
            if mode != Mode::Value {
                return Some((std::mem::take(&mut frame.slots[at].1), Some(at)));
            }
            let info = table.type_at(*type_index);
            let argument = match info.clone {
                Some(_) => CallArgument::Owned(info.cloned(frame.slots[at].1.any()?)?),
                None => std::mem::take(&mut frame.slots[at].1),
            };
            Some((argument, None))
        }
    }
}

/// Creates an implementor with the variables that it captures.
fn create_implementor(
    table: &Rc<Table>,
    implementor: &Rc<Implementor>,
    frame: &Frame<'_>,
) -> Option<Value> {
    let mut captured = Vec::with_capacity(implementor.captures.len());
    for (slot, type_index) in &implementor.captures {
        // A missing variable only affects the statements that use it.
        if let Some(value) = frame.value(*slot) {
            captured.push((*slot, table.type_at(*type_index).cloned(value)?));
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
pub(crate) fn clone_value(table: &Table, value: &dyn Any) -> Option<Value> {
    let type_index = table.find_type(value.type_id())?;
    table.type_at(type_index).cloned(value)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use rebut_choice::Stop;
    use rebut_run::{Check, Verdict};

    use super::super::Program;
    use super::super::testing::{Mistyped, from_tape};
    use super::*;

    /// How often each statement of the program ran and was skipped.
    fn counts(program: &GeneratedProgram) -> Vec<(u32, u32)> {
        let count = |statement: &Statement| (statement.done.get(), statement.skipped.get());
        program.main.statements.iter().map(count).collect()
    }

    #[test]
    fn a_call_with_a_false_precondition_is_skipped_and_the_program_goes_on() {
        let push = "(r0 i1 (r0 i1 i0 ) (r0 i0 i7 ) )";
        let program = from_tape(&format!("(s0 i5 (r0 i0 ) {push} {push} {push} (r0 i2 ) )"));
        main(&program);
        assert_eq!(counts(&program), [(1, 0), (1, 0), (1, 0), (0, 1), (1, 0)]);
    }

    #[test]
    fn a_call_on_a_missing_object_is_skipped() {
        // `Stack::try_new(9)` returns `None`, so there is no stack to push to.
        let push = "(r0 i1 (r0 i1 i0 ) (r0 i0 i7 ) )";
        let program = from_tape(&format!("(s0 i2 (r0 i4 (r0 i0 i9 ) ) {push} )"));
        main(&program);
        assert_eq!(counts(&program), [(1, 0), (0, 1)]);
    }

    #[test]
    fn the_simplest_value_replaces_a_missing_number() {
        // The length of the missing stack is missing too, and 0 is pushed instead.
        let len_of_missing = "(r0 i4 (r0 i0 i9 ) ) (r0 i2 (r0 i1 i0 ) )";
        let push_len = "(r0 i1 (r0 i1 i1 ) (r0 i1 i0 ) )";
        let program = from_tape(&format!("(s0 i4 {len_of_missing} (r0 i0 ) {push_len} )"));
        main(&program);
        assert_eq!(counts(&program), [(1, 0), (0, 1), (1, 0), (1, 0)]);
    }

    #[test]
    fn borrowed_objects_are_back_after_the_call() {
        let absorb = "(r0 i5 (r0 i1 i0 ) (r0 i1 i0 ) )";
        let program = from_tape(&format!("(s0 i4 (r0 i0 ) (r0 i0 ) {absorb} {absorb} )"));
        main(&program);
        assert_eq!(counts(&program), [(1, 0); 4]);
    }

    #[test]
    fn a_value_that_two_calls_borrow_is_an_internal_error() {
        let mut frame = Frame::default();
        frame.put(0, CallArgument::Owned(Box::new(1_u8)));
        let mut lent = vec![(CallArgument::Owned(Box::new(2_u8)), Some(0))];
        let put = catch_unwind(AssertUnwindSafe(|| put_back(&mut lent, &mut frame)));
        let stop = put.expect_err("it is violated").downcast::<Stop>().expect("a reason");
        assert!(matches!(*stop, Stop::Internal(_)), "{stop}");
    }

    #[test]
    fn a_program_ends_without_a_failure_after_too_many_statements() {
        EXECUTED.set(EXECUTED_MAX - 1);
        count_executed();
        let ended = catch_unwind(count_executed).expect_err("one too many");
        assert!(ended.is::<blame::EndOfProgram>());
        assert!(blame::ended_by().is_some_and(|why| why.contains("20000 statements")));
    }

    #[test]
    fn an_argument_of_the_wrong_type_is_an_internal_error() {
        let report = Check::new("tables describe their operations").run(|case| {
            case.draw(Program::<Mistyped>::any()).run();
        });
        let Verdict::InternalError(message) = report.verdict else { panic!("{report}") };
        assert!(message.starts_with("arguments of `mistyped` do not have the types"), "{message}");
    }
}
