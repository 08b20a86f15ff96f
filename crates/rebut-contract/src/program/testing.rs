//! A hand-written table for the tests of programs.
//!
//! `#[rebut::contract]` cannot write it: the code that it generates names the built crate, whose
//! table is another type than that of the crate under test.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use rebut_choice::{AnyDriver, Random, Source, Tape};

use super::{GeneratedProgram, draw, print, run};
use crate::call_argument::CallArgument;
use crate::table::{
    CallCounts, CallOutcome, Contracted, Effect, Mode, Operation, Parameter, Table,
};
use crate::template::Piece;
use crate::trait_detection::*;
use crate::type_info::{Interface, Signature, TypeInfo};

/// An object that is not `Clone`, so a program moves or borrows it.
#[derive(Debug, Default)]
pub(super) struct Stack {
    items: Vec<u8>,
}

/// The number of items at which `Stack::push` is no longer allowed.
const CAPACITY: usize = 2;

/// A handle that callbacks can capture.
type Shared = Rc<RefCell<Stack>>;
type Callback = Box<dyn Fn(u8) -> u8>;

impl Contracted for Stack {
    fn register(table: &mut Table) {
        if table.mark_registered::<Stack>() {
            return;
        }
        let [u8, u16] = [number::<u8>(table, "u8"), number::<u16>(table, "u16")];
        let stack = table.add_type(plain::<Stack>("Stack", |_| String::new()));
        let shared = table.add_type(TypeInfo {
            clone: (&&Probe::<Shared>::new()).cloner(),
            is_handle: true,
            cell: (&&Probe::<Shared>::new()).cell(),
            ..plain::<Shared>("Rc<RefCell<Stack>>", |_| String::new())
        });
        let option = table.add_type(TypeInfo {
            contents: (&&Probe::<Option<Stack>>::new()).contents(),
            ..plain::<Option<Stack>>("Option<Stack>", |_| String::new())
        });
        let callback =
            table.add_type(plain::<Callback>("Box<dyn Fn(u8) -> u8>", |_| String::new()));
        if let Some(info) = table.type_mut(callback) {
            info.interface = Some(Rc::new(interface(u8)));
        }
        // Tapes of tests name an operation by its position in this list.
        let operations = [
            function("Stack::new", Effect::Constructs, &[], Some(stack), |_| {
                returned(Stack::default())
            }),
            Operation {
                requires: &[&[Piece::Argument(0), Piece::Code(".len() < 2")]],
                clauses: &["`Stack::push` requires `self.len() < 2`"],
                counts: CallCounts::new(1),
                ..method("push", Effect::Mutates, &[lent(stack, Mode::Mut), value(u8)], None, push)
            },
            method("len", Effect::Reads, &[lent(stack, Mode::Ref)], Some(u16), len),
            function("share", Effect::Constructs, &[value(stack)], Some(shared), share),
            function("Stack::try_new", Effect::Constructs, &[value(u8)], Some(option), try_new),
            method(
                "absorb",
                Effect::Mutates,
                &[lent(stack, Mode::Mut), lent(stack, Mode::Ref)],
                None,
                absorb,
            ),
            function("apply", Effect::Reads, &[value(callback)], Some(u8), apply),
        ];
        operations.into_iter().for_each(|operation| table.add_operation(operation));
    }
}

fn push(args: &mut [CallArgument<'_>]) -> CallOutcome {
    let [stack, item] = args else { return CallOutcome::WrongTypes };
    let (Some(stack), Some(item)) = (stack.by_mut::<Stack>(), item.take::<u8>()) else {
        return CallOutcome::WrongTypes;
    };
    if stack.items.len() >= CAPACITY {
        return CallOutcome::Skipped(0);
    }
    stack.items.push(item);
    CallOutcome::Returned(None)
}

fn len(args: &mut [CallArgument<'_>]) -> CallOutcome {
    let [stack] = args else { return CallOutcome::WrongTypes };
    let Some(stack) = stack.by_ref::<Stack>() else { return CallOutcome::WrongTypes };
    returned(stack.items.len() as u16)
}

fn share(args: &mut [CallArgument<'_>]) -> CallOutcome {
    let [stack] = args else { return CallOutcome::WrongTypes };
    let Some(stack) = stack.take::<Stack>() else { return CallOutcome::WrongTypes };
    returned(Rc::new(RefCell::new(stack)))
}

fn try_new(args: &mut [CallArgument<'_>]) -> CallOutcome {
    let [size] = args else { return CallOutcome::WrongTypes };
    let Some(size) = size.take::<u8>() else { return CallOutcome::WrongTypes };
    returned((size < 9).then(Stack::default))
}

fn absorb(args: &mut [CallArgument<'_>]) -> CallOutcome {
    let [into, from] = args else { return CallOutcome::WrongTypes };
    let (Some(into), Some(from)) = (into.by_mut::<Stack>(), from.by_ref::<Stack>()) else {
        return CallOutcome::WrongTypes;
    };
    into.items.extend(&from.items);
    CallOutcome::Returned(None)
}

/// Calls the callback twice, so that its fuel can run out.
fn apply(args: &mut [CallArgument<'_>]) -> CallOutcome {
    let [callback] = args else { return CallOutcome::WrongTypes };
    let Some(callback) = callback.take::<Callback>() else { return CallOutcome::WrongTypes };
    returned(callback(1).wrapping_add(callback(2)))
}

/// A subject with a bug of Rebut, made on purpose: its table says that the argument is a `u8`.
pub(super) enum Mistyped {}

impl Contracted for Mistyped {
    fn register(table: &mut Table) {
        let u8 = number::<u8>(table, "u8");
        table.add_operation(function("mistyped", Effect::Reads, &[value(u8)], None, |args| {
            match args {
                [text] if text.by_ref::<String>().is_some() => CallOutcome::Returned(None),
                _ => CallOutcome::WrongTypes,
            }
        }));
    }
}

/// Adds an integer type, of which programs know everything.
fn number<T: rebut_gen::Generate + Copy + std::fmt::Debug + 'static>(
    table: &mut Table,
    name: &'static str,
) -> usize {
    let code =
        |value: &dyn Any| value.downcast_ref::<T>().map_or_else(String::new, |n| format!("{n:?}"));
    table.add_type(TypeInfo {
        draw: (&&Probe::<T>::new()).drawer(),
        clone: (&&Probe::<T>::new()).cloner(),
        is_copy: true,
        is_frozen: true,
        ..plain::<T>(name, code)
    })
}

/// The interface of a closure from `u8` to `u8`, as `#[rebut::contract]` describes it.
fn interface(u8: usize) -> Interface {
    Interface {
        name: "",
        methods: vec![Signature {
            written: &[Piece::Code("move |"), Piece::Argument(0), Piece::Code(": u8| -> u8")],
            names: &["n"],
            parameters: vec![value(u8)],
            result: Some(u8),
            default: None,
        }],
        make: |behavior| {
            let callback: Callback = Box::new(move |n| {
                if !behavior.begins(0) {
                    return behavior.simplest::<u8>(0);
                }
                let given = vec![CallArgument::Owned(Box::new(n))];
                behavior.run::<u8>(0, given).unwrap_or_else(|| behavior.simplest::<u8>(0))
            });
            Box::new(callback)
        },
        is_send: false,
        derives: "",
        attribute: "",
        around: ("Box::new(", ")"),
    }
}

fn value(type_index: usize) -> Parameter {
    Parameter::value(type_index)
}

fn lent(type_index: usize, mode: Mode) -> Parameter {
    Parameter { mode, ..Parameter::value(type_index) }
}

fn returned<T: 'static>(value: T) -> CallOutcome {
    CallOutcome::Returned(Some(Box::new(value)))
}

fn function(
    path: &'static str,
    effect: Effect,
    parameters: &[Parameter],
    result: Option<usize>,
    call: crate::table::Thunk,
) -> Operation {
    Operation {
        path,
        printed_path: path,
        module: "",
        checked_path: "",
        name: path,
        is_method: false,
        effect,
        parameters: parameters.to_vec(),
        result,
        after: "",
        is_ignorable: true,
        is_collected: false,
        requires: &[],
        clauses: &[],
        can_fail: false,
        model: None,
        call,
        counts: CallCounts::new(0),
    }
}

fn method(
    name: &'static str,
    effect: Effect,
    parameters: &[Parameter],
    result: Option<usize>,
    call: crate::table::Thunk,
) -> Operation {
    Operation { is_method: true, ..function(name, effect, parameters, result, call) }
}

/// Draws a program of at most `max_size` statements.
fn drawn(max_size: usize, source: &mut Source) -> GeneratedProgram {
    let table = Table::for_subject::<Stack>();
    let main = draw::main(&table, &table.weights, max_size, source);
    GeneratedProgram { table, main }
}

/// Draws the program of a tape. The labels of its spans do not matter.
pub(super) fn from_tape(tape: &str) -> GeneratedProgram {
    let tape = Tape::from_text(tape).expect("a tape");
    drawn(10, &mut Source::replay(&tape))
}

/// Draws random programs.
pub(super) fn random(count: u64) -> impl Iterator<Item = GeneratedProgram> {
    (0..count)
        .map(|seed| drawn(10, &mut Source::new(AnyDriver::Random(Box::new(Random::new(seed))))))
}

/// Runs a program and returns it as code.
pub(super) fn run_and_print(program: &GeneratedProgram) -> String {
    run::main(program);
    print::statements(program, 0)
}
