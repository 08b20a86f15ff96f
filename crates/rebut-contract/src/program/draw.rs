//! Draws a program.
//!
//! A statement is an operation of the table. Each argument is a literal, a variable, the result of
//! another call, or a new implementor. The list of operations does not depend on the environment, so
//! a tape keeps most of its meaning after shrinking removes a statement. Missing values are
//! constructed first. The budget limits the number of statements, not the depth: the programs of
//! Klein, Flatt and Findler (2010), which are limited by depth, grow exponentially with it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rebut_choice::{Label, Source};

use super::{Argument, Block, Conversion, Implementor, Slot, Statement};
use crate::table::{Makers, Mode, Parameter, Table};
use crate::type_info::Interface;

// The values below were measured in November 2026 with the three stacks of `bench programs` that have
// a bug: how many random programs of at most 10 statements find it once. That was one in 10.6, 25.4 and
// 70.7 before `WEIGHTS_OF_LOANS` changed. Half and twice a value are in its comment. Their origin is
// arbitrary where no paper is named.

/// The maximum depth of calls that construct arguments, and of callbacks in callbacks. At this depth
/// only literals and variables are drawn, and a call without them is dropped. 2: one in 11.3, 28.6
/// and 98.5; 8: 10.6, 25.4 and 71.2.
const NESTED_MAX: u32 = 4;
/// The maximum number of statements in the body of a callback. 2: one in 10.9, 33.2 and 113.6; 8:
/// 10.5, 23.8 and 60.4.
const BODY_MAX: usize = 4;
/// The maximum number of times that the bodies of one implementor run. After that, a default body or
/// the simplest value replaces them. 2: one in 10.6, 26.4 and 77.2; 8: 10.5, 25.1 and 68.0.
const FUEL_MAX: i128 = 4;
/// A program has up to this many times its maximum size in statements, because those that construct
/// arguments are not counted. Not measured.
const BUDGET_FACTOR: usize = 2;

const STATEMENT: Label = Label::recursive("statement");
const IMPLEMENTOR: Label = Label::group("implementor");
const METHOD: Label = Label::group("method");

/// The maximum number of elements in a list of arguments. Arbitrary: two equal elements and one
/// between them are the longest pattern that a test of a list usually needs.
const ELEMENTS_MAX: usize = 3;

/// The weights of a literal, a variable, the result of a call, an implementor and a list of arguments.
/// Calls only for an argument are rare, because calls are common as statements of their own. 4 for a
/// literal: one in 7.0, 24.2 and 50.9; 16: 17.6, 26.1 and 115.6. 1 for a variable: 11.4, 25.7 and
/// 73.8; 6: 9.8, 25.0 and 67.1. 2 for a call: 7.0, 23.8 and 51.7. Implementors are never drawn
/// against the others in these programs.
const WEIGHTS: [u32; 5] = [8, 3, 1, 6, 4];
/// The same weights for borrowed arguments: programs reuse objects more often than they construct
/// new ones. With 12 for a variable, one in 13 calls would construct a new object, and no object of a
/// long program would have a long history: the planted bugs of everyday code in `bench programs` are
/// found in 82 of 120 runs with 12, and in 101 with 48.
const WEIGHTS_OF_LOANS: [u32; 5] = [1, 48, 1, 6, 1];

/// Draws the statements of a program.
pub(super) fn main(table: &Table, weights: &[u32], max_size: usize, source: &mut Source) -> Block {
    let mut drawer = Drawer {
        table,
        weights,
        source,
        slots: Vec::with_capacity(16),
        scope: 0,
        is_send: false,
        is_copied: false,
        statements: Vec::with_capacity(max_size),
        captures: Vec::new(),
        fitting: Vec::with_capacity(16),
        budget: BUDGET_FACTOR * max_size,
        depth: 0,
    };
    if !table.operations.is_empty() {
        drawer.sequence(max_size);
    }
    Block { given: Vec::new(), statements: drawer.statements, result: None }
}

struct Drawer<'a> {
    table: &'a Table,
    weights: &'a [u32],
    source: &'a mut Source,
    /// The environment. The number of a slot is its index.
    slots: Vec<SlotInfo>,
    /// The first slot of the body that is being drawn. The body captures slots before it.
    scope: usize,
    /// Whether the body that is being drawn must be `Send`.
    is_send: bool,
    /// Whether the body that is being drawn runs for an object and for its model.
    is_copied: bool,
    statements: Vec<Statement>,
    /// The slots that the body captures, with their types.
    captures: Vec<(Slot, usize)>,
    /// The slots that fit the argument that is being drawn. A field, to reuse its memory.
    fitting: Vec<(Slot, Conversion)>,
    /// The number of statements that may still be added.
    budget: usize,
    /// The number of arguments around the one that is being drawn.
    depth: u32,
}

/// The state of a slot.
#[derive(Clone, Copy)]
struct SlotInfo {
    type_index: usize,
    /// The way in which the body received the value.
    mode: Mode,
    has_value: bool,
    /// Whether it is a borrowed trait object, so that only its methods can be called.
    is_object: bool,
}

/// The argument to draw.
#[derive(Clone, Copy)]
struct ParameterRequest {
    parameter: Parameter,
    /// Whether it is the receiver of a method of a trait object. A program does not implement a
    /// trait only to call its methods.
    is_receiver: bool,
    /// Whether the call on the model gets a copy.
    is_copied: bool,
}

impl Drawer<'_> {
    fn sequence(&mut self, max_size: usize) {
        let mut source = self.source.clone();
        source.span(Label::SEQUENCE, |source| {
            let length = source.length(0, max_size);
            for _ in 0..length {
                source.span(STATEMENT, |_| self.statement());
            }
        });
    }

    fn statement(&mut self) {
        let operation = self.source.operation(self.weights);
        self.budget = self.budget.saturating_sub(1);
        self.call(operation);
    }

    /// Adds a call, after the calls that construct its arguments, and returns the slot of its
    /// result. Returns `None` if an argument cannot be constructed.
    fn call(&mut self, operation: usize) -> Option<Slot> {
        let table = self.table;
        let parameters = &table.operation_at(operation).parameters;
        let is_method = table.operation_at(operation).is_method;
        let mut arguments = Vec::with_capacity(parameters.len());
        let mut lent = Vec::new();
        for (nth, parameter) in parameters.iter().enumerate() {
            let is_receiver = nth == 0 && is_method && parameter.is_object;
            let is_copied = table.operation_at(operation).copied().contains(&nth);
            let request = ParameterRequest { parameter: *parameter, is_receiver, is_copied };
            arguments.push(self.argument(request, &mut lent)?);
        }
        let result = table.operation_at(operation).result;
        let result = result.map(|type_index| self.new_slot(Parameter::value(type_index)));
        let (done, skipped, is_open) = (Cell::new(0), Cell::new(0), Cell::new(false));
        let returned = Cell::new(0);
        self.statements.push(Statement {
            operation,
            arguments,
            result,
            done,
            returned,
            skipped,
            is_open,
        });
        result
    }

    fn new_slot(&mut self, parameter: Parameter) -> Slot {
        let Parameter { type_index, mode, is_object, .. } = parameter;
        self.slots.push(SlotInfo { type_index, mode, has_value: true, is_object });
        (self.slots.len() - 1) as Slot
    }

    /// Draws an argument, and adds the slots that it borrows to `lent`.
    fn argument(&mut self, request: ParameterRequest, lent: &mut Vec<Slot>) -> Option<Argument> {
        let mut source = self.source.clone();
        // The label lets replay find the argument again if another call replaces this one.
        let label = self.table.label_at(request.parameter.type_index);
        self.depth += 1;
        let argument = source.span(label, |_| self.argument_in_span(request, lent));
        self.depth -= 1;
        argument
    }

    fn argument_in_span(
        &mut self,
        request: ParameterRequest,
        lent: &mut Vec<Slot>,
    ) -> Option<Argument> {
        let parameter = request.parameter;
        let info = self.table.type_at(parameter.type_index);
        // A body runs any number of times, and a literal that is not `Clone` is gone after the first.
        let is_in_body = self.scope > 0;
        let element = self.element_of(parameter.type_index, request.is_copied, lent);
        self.find_variables(request, lent);
        let has_variables = !self.fitting.is_empty();
        // Without a value of the type, a call that takes one would need the same call again.
        let makers = match has_variables {
            true => &self.table.makers[parameter.type_index],
            false => &self.table.first_makers[parameter.type_index],
        };
        // A type with neither a generator nor an interface comes from calls alone, so a statement
        // that needs it may exceed the budget. The depth still limits it.
        let is_only_made = info.draw.is_none() && info.interface.is_none();
        let may_call = self.depth < NESTED_MAX && (self.budget > 0 || is_only_made);
        let is_result = !request.is_copied || info.has_copies(&parameter);
        // An object that is borrowed is declared first, so that later calls find it.
        let is_declared = may_call
            && is_result
            && parameter.mode != Mode::Value
            && self.table.has_declaration(parameter.type_index);
        let possible = [
            info.draw.is_some() && (info.clone.is_some() || !is_in_body) && !is_declared,
            has_variables,
            makers.is_any && may_call && is_result,
            info.interface.is_some() && self.depth < NESTED_MAX && !request.is_receiver,
            element.is_some() && self.depth < NESTED_MAX,
        ];
        match self.kind_of_argument(possible, parameter.mode != Mode::Value)? {
            0 => self.literal(parameter.type_index),
            1 => self.variable(parameter, lent),
            2 => self.result_of_new_call(makers, parameter, lent),
            3 => self.implementor(parameter.type_index, request.is_copied),
            _ => self.elements(parameter.type_index, element?, request.is_copied),
        }
    }

    /// Returns the type of the elements, if a list of arguments can be better than a literal: if the
    /// program has a value for an element, or if elements are not generated.
    fn element_of(&mut self, type_index: usize, is_copied: bool, lent: &[Slot]) -> Option<usize> {
        let elements = self.table.type_at(type_index).elements?;
        let element = self.table.find_type((elements.id)())?;
        let parameter = Parameter::value(element);
        self.find_variables(ParameterRequest { parameter, is_receiver: false, is_copied }, lent);
        let is_known = !self.fitting.is_empty();
        (is_known || self.table.type_at(element).draw.is_none()).then_some(element)
    }

    fn elements(&mut self, type_index: usize, element: usize, is_copied: bool) -> Option<Argument> {
        let is_optional = self.table.type_at(type_index).elements?.is_optional;
        let max_size = if is_optional { 1 } else { ELEMENTS_MAX };
        let parameter = Parameter::value(element);
        let mut source = self.source.clone();
        let elements = source.span(Label::SEQUENCE, |source| {
            let length = source.length(0, max_size);
            let request = ParameterRequest { parameter, is_receiver: false, is_copied };
            (0..length).filter_map(|_| self.argument(request, &mut Vec::new())).collect()
        });
        Some(Argument::Elements { type_index, elements })
    }

    /// Draws one of the possible kinds of argument, as an index into the weights.
    fn kind_of_argument(&mut self, possible: [bool; 5], is_loan: bool) -> Option<usize> {
        // Draw even if only one is possible. The possibilities depend on earlier statements, and a
        // tape must keep its meaning when shrinking removes one of them.
        let mut weights = if is_loan { WEIGHTS_OF_LOANS } else { WEIGHTS };
        for (weight, is_possible) in weights.iter_mut().zip(possible) {
            *weight *= u32::from(is_possible);
        }
        self.source.weighted_alternative(&weights)
    }

    fn literal(&mut self, type_index: usize) -> Option<Argument> {
        let info = self.table.type_at(type_index);
        let start = self.source.tape_len();
        let value = (info.draw?)(self.source);
        let tape = if info.is_deep() { None } else { self.source.tape_since(start) };
        let (value, code) = (RefCell::new(Some(value)), RefCell::default());
        Some(Argument::Literal { type_index, value, tape, code })
    }

    /// Finds the slots that can be passed. A slot that an earlier argument of the same call borrows
    /// is not one of them: the compiler would reject the printed program.
    fn find_variables(&mut self, request: ParameterRequest, lent: &[Slot]) {
        let mut found = std::mem::take(&mut self.fitting);
        found.clear();
        for (number, slot_info) in self.slots.iter().enumerate() {
            let slot = number as Slot;
            if !slot_info.has_value || lent.contains(&slot) {
                continue;
            }
            if let Some(conversion) = self.conversion_to(request, slot, *slot_info) {
                found.push((slot, conversion));
            }
        }
        self.fitting = found;
    }

    /// Returns how to pass a slot for a parameter, or `None` if the printed program would not
    /// compile.
    fn conversion_to(
        &self,
        request: ParameterRequest,
        slot: Slot,
        slot_info: SlotInfo,
    ) -> Option<Conversion> {
        let parameter = request.parameter;
        if slot_info.is_object && !request.is_receiver {
            return None;
        }
        let info = self.table.type_at(slot_info.type_index);
        let wanted = self.table.type_at(parameter.type_index);
        // A callback outlives the statement that creates it, so it keeps copies and handles only.
        let is_captured = (slot as usize) < self.scope;
        let is_shared = info.is_handle
            && info.clone.is_some()
            && !self.is_send
            && (info.is_frozen || !self.is_copied);
        if is_captured && !(info.is_copy || is_shared) {
            return None;
        }
        if request.is_copied && !info.has_copies(&parameter) {
            return None;
        }
        // A body may run again, so it must not move a value out of its environment.
        let can_move = slot_info.mode == Mode::Value && self.scope == 0;
        // A callback cannot change a variable that it captured.
        let can_mutate = slot_info.mode != Mode::Ref && !is_captured;
        if slot_info.type_index == parameter.type_index {
            let fits = match parameter.mode {
                Mode::Value => info.is_copy || info.clone.is_some() || can_move,
                Mode::Ref => true,
                Mode::Mut => can_mutate,
            };
            return fits.then_some(Conversion::AsIs);
        }
        if parameter.mode == Mode::Value && info.integer.is_some() && wanted.integer.is_some() {
            return Some(Conversion::ToInteger(parameter.type_index));
        }
        if self.table.is_or_contains(slot_info.type_index, parameter.type_index) {
            let fits = match parameter.mode {
                Mode::Value => info.clone.is_some() || can_move,
                Mode::Ref => true,
                Mode::Mut => can_mutate,
            };
            return fits.then_some(Conversion::Unwrap);
        }
        if parameter.is_object && info.object.is_some() && info.object == wanted.object {
            return (parameter.mode == Mode::Ref).then_some(Conversion::AsIs);
        }
        let cell = info.cell.filter(|cell| (cell.contents)() == wanted.id)?;
        let fits = match parameter.mode {
            Mode::Value => false,
            Mode::Ref => true,
            Mode::Mut => cell.opened.1.is_some(),
        };
        fits.then_some(Conversion::OpenCell)
    }

    fn variable(&mut self, parameter: Parameter, lent: &mut Vec<Slot>) -> Option<Argument> {
        // Variables of the exact type take precedence over numbers of other types.
        let is_exact =
            |(_, conversion): &&(Slot, Conversion)| !matches!(conversion, Conversion::ToInteger(_));
        let exact = self.fitting.iter().filter(is_exact).count();
        let index = self.source.index(if exact == 0 { self.fitting.len() } else { exact });
        let mut candidates = self.fitting.iter().filter(|one| exact == 0 || is_exact(one));
        let (slot, conversion) = *candidates.nth(index)?;
        Some(self.pass(slot, parameter, conversion, lent))
    }

    /// Passes a slot, and records that it is captured, borrowed or moved.
    fn pass(
        &mut self,
        slot: Slot,
        parameter: Parameter,
        conversion: Conversion,
        lent: &mut Vec<Slot>,
    ) -> Argument {
        let type_index = self.slots[slot as usize].type_index;
        let info = self.table.type_at(type_index);
        let is_captured = (slot as usize) < self.scope;
        if is_captured && !self.captures.iter().any(|(captured, _)| *captured == slot) {
            self.captures.push((slot, type_index));
        }
        let is_number = matches!(conversion, Conversion::ToInteger(_));
        if parameter.mode != Mode::Value {
            lent.push(slot);
        } else if !is_number && !info.is_copy && info.clone.is_none() {
            self.slots[slot as usize].has_value = false;
        }
        Argument::Variable {
            slot,
            type_index,
            conversion,
            was_there: Cell::new(false),
            was_missing: Cell::new(false),
            code: RefCell::default(),
        }
    }

    /// Adds a call only for its result.
    fn result_of_new_call(
        &mut self,
        makers: &Makers,
        parameter: Parameter,
        lent: &mut Vec<Slot>,
    ) -> Option<Argument> {
        let mut source = self.source.clone();
        self.budget = self.budget.saturating_sub(1);
        // The call has the label of a statement, so that it can replace the statement around it.
        // The operation is drawn even if only one is possible. Otherwise a new object would be
        // shorter on the tape than a variable, which has an index.
        let slot = source.span(STATEMENT, |source| {
            let operation = source.weighted_alternative(&makers.weights)?;
            self.call(operation)
        })?;
        let type_index = self.slots[slot as usize].type_index;
        let is_exact = type_index == parameter.type_index;
        let conversion = if is_exact { Conversion::AsIs } else { Conversion::Unwrap };
        Some(self.pass(slot, parameter, conversion, lent))
    }

    fn implementor(&mut self, type_index: usize, is_copied: bool) -> Option<Argument> {
        let interface = Rc::clone(self.table.type_at(type_index).interface.as_ref()?);
        let mut source = self.source.clone();
        let outer_is_copied = self.is_copied;
        self.is_copied |= is_copied;
        let implementor = source.span(IMPLEMENTOR, |_| self.bodies(interface));
        self.is_copied = outer_is_copied;
        Some(Argument::Implementor(Rc::new(implementor)))
    }

    fn bodies(&mut self, interface: Rc<Interface>) -> Implementor {
        let fuel = self.source.integer(1, FUEL_MAX) as u32;
        let outer_scope = std::mem::replace(&mut self.scope, self.slots.len());
        let outer_captures = std::mem::take(&mut self.captures);
        let outer_is_sent = self.is_send;
        self.is_send |= interface.is_send;
        let mut bodies = Vec::new();
        for method in &interface.methods {
            let mut source = self.source.clone();
            bodies.push(source.span(METHOD, |source| {
                let is_overridden = method.default.is_none() || source.presence(1, 1);
                is_overridden.then(|| self.body(&method.parameters, method.result))
            }));
        }
        self.scope = outer_scope;
        self.is_send = outer_is_sent;
        let captures = std::mem::replace(&mut self.captures, outer_captures);
        // The outer callback must capture what the inner one captures from further out.
        for (slot, type_index) in &captures {
            let is_further_out = (*slot as usize) < self.scope;
            if is_further_out && !self.captures.iter().any(|(captured, _)| captured == slot) {
                self.captures.push((*slot, *type_index));
            }
        }
        Implementor { interface, fuel, bodies, captures, ran_dry: Cell::new(false) }
    }

    fn body(&mut self, parameters: &[Parameter], result: Option<usize>) -> Block {
        let outer = std::mem::take(&mut self.statements);
        let first = self.slots.len();
        let given = parameters.iter().map(|parameter| self.new_slot(*parameter)).collect();
        self.sequence(BODY_MAX.min(self.budget));
        let result = result.and_then(|type_index| {
            let parameter = Parameter::value(type_index);
            let request = ParameterRequest { parameter, is_receiver: false, is_copied: false };
            self.argument(request, &mut Vec::new())
        });
        // The variables of a body end with it. Their numbers stay taken, so that each slot has one
        // meaning in the whole program.
        for slot_info in &mut self.slots[first..] {
            slot_info.has_value = false;
        }
        Block { given, statements: std::mem::replace(&mut self.statements, outer), result }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{from_tape, random};
    use super::super::{GeneratedProgram, size_of_block};
    use super::*;
    use crate::type_info::TypeInfo;

    /// Calls `visit` with each call, those in callbacks before the call that passes them.
    fn visit_calls(block: &Block, visit: &mut dyn FnMut(&Statement)) {
        for statement in &block.statements {
            for argument in &statement.arguments {
                if let Argument::Implementor(implementor) = argument {
                    let bodies = implementor.bodies.iter().flatten();
                    bodies.for_each(|body| visit_calls(body, visit));
                }
            }
            visit(statement);
        }
    }

    fn type_of(program: &GeneratedProgram, type_index: usize) -> &TypeInfo {
        program.table.type_at(type_index)
    }

    #[test]
    fn an_empty_tape_draws_an_empty_program() {
        assert_eq!(size_of_block(&from_tape("").main), 0);
    }

    #[test]
    fn a_missing_receiver_is_constructed_first() {
        let program = from_tape("(s0 i1 (r0 i1 ) )");
        let paths = program
            .main
            .statements
            .iter()
            .map(|statement| program.table.operation_at(statement.operation).path);
        assert_eq!(paths.collect::<Vec<_>>(), ["Stack::new", "push"]);
    }

    #[test]
    fn no_call_borrows_a_variable_twice() {
        for program in random(300) {
            visit_calls(&program.main, &mut |statement| {
                let parameters = &program.table.operation_at(statement.operation).parameters;
                let mut lent = Vec::new();
                for (argument, parameter) in statement.arguments.iter().zip(parameters) {
                    if let (Argument::Variable { slot, .. }, true) =
                        (argument, parameter.mode != Mode::Value)
                    {
                        assert!(!lent.contains(slot), "slot {slot} is borrowed twice");
                        lent.push(*slot);
                    }
                }
            });
        }
    }

    #[test]
    fn a_moved_variable_is_not_used_again() {
        for program in random(300) {
            let mut moved: Vec<Slot> = Vec::new();
            visit_calls(&program.main, &mut |statement| {
                let parameters = &program.table.operation_at(statement.operation).parameters;
                for (argument, parameter) in statement.arguments.iter().zip(parameters) {
                    let Argument::Variable { slot, type_index, conversion, .. } = argument else {
                        continue;
                    };
                    assert!(!moved.contains(slot), "slot {slot} is used after it was moved");
                    let info = type_of(&program, *type_index);
                    let is_number = matches!(conversion, Conversion::ToInteger(_));
                    if parameter.mode == Mode::Value && info.clone.is_none() && !is_number {
                        moved.push(*slot);
                    }
                }
            });
        }
    }

    #[test]
    fn callbacks_capture_only_copies_and_handles() {
        let mut captured = 0;
        for program in random(300) {
            visit_calls(&program.main, &mut |statement| {
                for argument in &statement.arguments {
                    let Argument::Implementor(implementor) = argument else { continue };
                    for (_, type_index) in &implementor.captures {
                        let info = type_of(&program, *type_index);
                        assert!(
                            info.is_copy || (info.is_handle && info.clone.is_some()),
                            "{info:?}"
                        );
                        captured += 1;
                    }
                }
            });
        }
        assert!(captured > 0);
    }

    #[test]
    fn programs_stay_near_their_budget() {
        // At most 10 statements and 10 more for arguments. A stack comes from calls alone, so a
        // call may exceed the budget by those that construct its two stacks.
        let largest = random(1000).map(|program| size_of_block(&program.main)).max();
        assert!(largest.is_some_and(|size| (11..=40).contains(&size)), "{largest:?}");
    }
}
