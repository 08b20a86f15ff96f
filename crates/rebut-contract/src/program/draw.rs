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

use super::{Argument, Block, How, Implementor, Slot, Statement};
use crate::kind::Interface;
use crate::table::{Makers, Mode, Parameter, Table};

/// The maximum depth of calls that construct arguments, and of callbacks in callbacks.
const NESTED_MAX: u32 = 4;
/// The maximum number of statements in the body of a callback.
const BODY_MAX: usize = 4;
/// The maximum number of times that the bodies of one implementor run.
const FUEL_MAX: i128 = 4;

const STATEMENT: Label = Label::recursive("statement");
const IMPLEMENTOR: Label = Label::group("implementor");
const METHOD: Label = Label::group("method");

/// The weights of a literal, a variable, the result of a call and an implementor as an argument.
/// Calls only for an argument are rare, because calls are common as statements of their own.
const WEIGHTS: [u32; 4] = [8, 3, 1, 6];
/// The same weights for borrowed arguments: programs reuse objects more often than they construct
/// new ones.
const WEIGHTS_OF_LOANS: [u32; 4] = [1, 12, 1, 6];

/// Draws the statements of a program.
pub(super) fn main(table: &Table, weights: &[u32], max_size: usize, source: &mut Source) -> Block {
    let mut drawer = Drawer {
        table,
        weights,
        source,
        slots: Vec::with_capacity(16),
        scope: 0,
        is_sent: false,
        statements: Vec::with_capacity(max_size),
        captures: Vec::new(),
        fitting: Vec::with_capacity(16),
        left: 2 * max_size,
        nested: 0,
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
    slots: Vec<Known>,
    /// The first slot of the body that is being drawn.
    scope: usize,
    /// Whether the body that is being drawn must be `Send`.
    is_sent: bool,
    statements: Vec<Statement>,
    captures: Vec<(Slot, usize)>,
    /// The slots that fit the argument that is being drawn. A field, to reuse its memory.
    fitting: Vec<(Slot, How)>,
    left: usize,
    nested: u32,
}

/// The state of a slot.
#[derive(Clone, Copy)]
struct Known {
    kind: usize,
    /// The way in which the body received the value.
    mode: Mode,
    is_there: bool,
    /// Whether it is a borrowed trait object, so that only its methods can be called.
    is_object: bool,
}

/// The argument to draw.
#[derive(Clone, Copy)]
struct Wanted {
    parameter: Parameter,
    /// Whether it is the receiver of a method of a trait object. A program does not implement a
    /// trait only to call its methods.
    is_receiver: bool,
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
        let count = self.table.operations.len();
        let operation = self.source.alternative(count, self.weights, count);
        self.left = self.left.saturating_sub(1);
        self.call(operation);
    }

    /// Adds a call, after the calls that construct its arguments, and returns the slot of its
    /// result. Returns `None` if an argument cannot be constructed.
    fn call(&mut self, operation: usize) -> Option<Slot> {
        let table = self.table;
        let parameters = &table.operations[operation].parameters;
        let is_method = table.operations[operation].is_method;
        let mut arguments = Vec::with_capacity(parameters.len());
        let mut lent = Vec::new();
        for (nth, parameter) in parameters.iter().enumerate() {
            let is_receiver = nth == 0 && is_method && parameter.is_object;
            let wanted = Wanted { parameter: *parameter, is_receiver };
            arguments.push(self.argument(wanted, &mut lent)?);
        }
        let result = table.operations[operation].result;
        let result = result.map(|kind| self.slot(Parameter::value(kind)));
        let (done, skipped, is_open) = (Cell::new(0), Cell::new(0), Cell::new(false));
        self.statements.push(Statement { operation, arguments, result, done, skipped, is_open });
        result
    }

    fn slot(&mut self, parameter: Parameter) -> Slot {
        let Parameter { kind, mode, is_object } = parameter;
        self.slots.push(Known { kind, mode, is_there: true, is_object });
        (self.slots.len() - 1) as Slot
    }

    fn argument(&mut self, wanted: Wanted, lent: &mut Vec<Slot>) -> Option<Argument> {
        let mut source = self.source.clone();
        // The label lets replay find the argument again if another call takes the place of this one.
        let label = self.table.labels[wanted.parameter.kind];
        self.nested += 1;
        let argument = source.span(label, |_| self.argument_inside(wanted, lent));
        self.nested -= 1;
        argument
    }

    fn argument_inside(&mut self, wanted: Wanted, lent: &mut Vec<Slot>) -> Option<Argument> {
        let parameter = wanted.parameter;
        let kind = &self.table.kinds[parameter.kind];
        let is_repeated = self.scope > 0;
        self.find_variables(wanted, lent);
        let has_variables = !self.fitting.is_empty();
        let makers = match has_variables {
            true => &self.table.makers[parameter.kind],
            false => &self.table.first_makers[parameter.kind],
        };
        let is_object = kind.draw.is_none() && kind.interface.is_none();
        let may_call = self.nested < NESTED_MAX && (self.left > 0 || is_object);
        let possible = [
            kind.draw.is_some() && (kind.clone.is_some() || !is_repeated),
            has_variables,
            makers.is_any && may_call,
            kind.interface.is_some() && self.nested < NESTED_MAX && !wanted.is_receiver,
        ];
        match self.way(possible, parameter.mode != Mode::Value)? {
            0 => self.literal(parameter.kind),
            1 => self.variable(parameter, lent),
            2 => self.made(makers, parameter, lent),
            _ => self.implementor(parameter.kind),
        }
    }

    /// Draws one of the possible kinds of argument.
    fn way(&mut self, possible: [bool; 4], is_loan: bool) -> Option<usize> {
        // Draw even if only one is possible. The possibilities depend on earlier statements, and a
        // tape must keep its meaning when shrinking removes one of them.
        let mut weights = if is_loan { WEIGHTS_OF_LOANS } else { WEIGHTS };
        for (weight, is_possible) in weights.iter_mut().zip(possible) {
            *weight *= u32::from(is_possible);
        }
        self.source.weighted_alternative(&weights)
    }

    fn literal(&mut self, kind: usize) -> Option<Argument> {
        let value = self.table.kinds[kind].draw?(self.source);
        Some(Argument::Literal { kind, value: RefCell::new(Some(value)) })
    }

    /// Finds the slots that can be passed.
    fn find_variables(&mut self, wanted: Wanted, lent: &[Slot]) {
        let mut found = std::mem::take(&mut self.fitting);
        found.clear();
        for (number, known) in self.slots.iter().enumerate() {
            let slot = number as Slot;
            if !known.is_there || lent.contains(&slot) {
                continue;
            }
            if let Some(how) = self.fits(number, *known, wanted) {
                found.push((slot, how));
            }
        }
        self.fitting = found;
    }

    fn fits(&self, number: usize, known: Known, wanted: Wanted) -> Option<How> {
        let parameter = wanted.parameter;
        if known.is_object && !wanted.is_receiver {
            return None;
        }
        let kind = &self.table.kinds[known.kind];
        let wanted = &self.table.kinds[parameter.kind];
        let is_kept = number < self.scope;
        let is_shared = kind.is_handle && kind.clone.is_some() && !self.is_sent;
        if is_kept && !(kind.is_copy || is_shared) {
            return None;
        }
        if known.kind == parameter.kind {
            let fits = match parameter.mode {
                Mode::Value => {
                    kind.is_copy
                        || kind.clone.is_some()
                        || (known.mode == Mode::Value && self.scope == 0)
                }
                Mode::Ref => true,
                // A callback cannot change a variable that it captured.
                Mode::Mut => known.mode != Mode::Ref && !is_kept,
            };
            return fits.then_some(How::AsIs);
        }
        if parameter.mode == Mode::Value && kind.number.is_some() && wanted.number.is_some() {
            return Some(How::Number(parameter.kind));
        }
        if self.table.is_or_has(known.kind, parameter.kind) {
            let fits = match parameter.mode {
                Mode::Value => {
                    kind.clone.is_some() || (known.mode == Mode::Value && self.scope == 0)
                }
                Mode::Ref => true,
                Mode::Mut => known.mode != Mode::Ref && !is_kept,
            };
            return fits.then_some(How::Inside);
        }
        if parameter.is_object && kind.object.is_some() && kind.object == wanted.object {
            return (parameter.mode == Mode::Ref).then_some(How::AsIs);
        }
        let cell = kind.cell.filter(|cell| (cell.inside)() == wanted.id)?;
        let fits = match parameter.mode {
            Mode::Value => false,
            Mode::Ref => true,
            Mode::Mut => cell.opened.1.is_some(),
        };
        fits.then_some(How::Lent)
    }

    fn variable(&mut self, parameter: Parameter, lent: &mut Vec<Slot>) -> Option<Argument> {
        // Variables of the exact type take precedence over numbers of other types.
        let is_exact = |(_, how): &&(Slot, How)| !matches!(how, How::Number(_));
        let exact = self.fitting.iter().filter(is_exact).count();
        let index = self.source.index(if exact == 0 { self.fitting.len() } else { exact });
        let mut candidates = self.fitting.iter().filter(|one| exact == 0 || is_exact(one));
        let (slot, how) = *candidates.nth(index)?;
        self.used(slot, parameter, how, lent);
        Some(variable(slot, self.slots[slot as usize].kind, how))
    }

    fn used(&mut self, slot: Slot, parameter: Parameter, how: How, lent: &mut Vec<Slot>) {
        let known = self.slots[slot as usize];
        let kind = &self.table.kinds[known.kind];
        if (slot as usize) < self.scope && !self.captures.iter().any(|(kept, _)| *kept == slot) {
            self.captures.push((slot, known.kind));
        }
        if parameter.mode != Mode::Value {
            lent.push(slot);
        } else if !matches!(how, How::Number(_)) && !kind.is_copy && kind.clone.is_none() {
            self.slots[slot as usize].is_there = false;
        }
    }

    /// Draws a call only for its result.
    fn made(
        &mut self,
        makers: &Makers,
        parameter: Parameter,
        lent: &mut Vec<Slot>,
    ) -> Option<Argument> {
        let mut source = self.source.clone();
        self.left = self.left.saturating_sub(1);
        // The call has the label of a statement, so that it can replace the statement around it.
        // The operation is drawn even if only one is possible. Otherwise a new object would be
        // shorter on the tape than a variable, which has an index.
        let slot = source.span(STATEMENT, |source| {
            let operation = source.weighted_alternative(&makers.weights)?;
            self.call(operation)
        })?;
        let kind = self.slots[slot as usize].kind;
        let how = if kind == parameter.kind { How::AsIs } else { How::Inside };
        self.used(slot, parameter, how, lent);
        Some(variable(slot, kind, how))
    }

    fn implementor(&mut self, kind: usize) -> Option<Argument> {
        let interface = Rc::clone(self.table.kinds[kind].interface.as_ref()?);
        let mut source = self.source.clone();
        let implementor = source.span(IMPLEMENTOR, |_| self.bodies(interface));
        Some(Argument::Implementor(Rc::new(implementor)))
    }

    fn bodies(&mut self, interface: Rc<Interface>) -> Implementor {
        let fuel = self.source.integer(1, FUEL_MAX) as u32;
        let outer_scope = std::mem::replace(&mut self.scope, self.slots.len());
        let outer_captures = std::mem::take(&mut self.captures);
        let outer_is_sent = self.is_sent;
        self.is_sent |= interface.is_sent;
        let mut bodies = Vec::new();
        for method in &interface.methods {
            let mut source = self.source.clone();
            bodies.push(source.span(METHOD, |source| {
                let is_overridden = !method.has_default || source.presence(1, 1);
                is_overridden.then(|| self.body(&method.parameters, method.result))
            }));
        }
        self.scope = outer_scope;
        self.is_sent = outer_is_sent;
        let captures = std::mem::replace(&mut self.captures, outer_captures);
        // The outer callback must capture what the inner one captures from further out.
        for (slot, kind) in &captures {
            let is_further_out = (*slot as usize) < self.scope;
            if is_further_out && !self.captures.iter().any(|(kept, _)| kept == slot) {
                self.captures.push((*slot, *kind));
            }
        }
        Implementor { interface, fuel, bodies, captures, ran_dry: Cell::new(false) }
    }

    fn body(&mut self, parameters: &[Parameter], result: Option<usize>) -> Block {
        let outer = std::mem::take(&mut self.statements);
        let first = self.slots.len();
        let given = parameters.iter().map(|parameter| self.slot(*parameter)).collect();
        self.sequence(BODY_MAX.min(self.left));
        let wanted = |kind| Wanted { parameter: Parameter::value(kind), is_receiver: false };
        let result = result.and_then(|kind| self.argument(wanted(kind), &mut Vec::new()));
        for known in &mut self.slots[first..] {
            known.is_there = false;
        }
        Block { given, statements: std::mem::replace(&mut self.statements, outer), result }
    }
}

fn variable(slot: Slot, kind: usize, how: How) -> Argument {
    Argument::Variable {
        slot,
        kind,
        how,
        was_there: Cell::new(false),
        was_missing: Cell::new(false),
    }
}
