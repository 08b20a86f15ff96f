//! Prints a program as Rust code that needs no Rebut.
//!
//! Statements that never ran are left out. A statement that ran in one call of a callback and was
//! skipped in another is guarded by its precondition. Fuel is printed if it ran out. The code
//! therefore does the same as the program did.
//!
//! The printer takes two passes. The first collects how each slot is used, because `let mut` and the
//! name of a variable depend on later statements. The second writes lines. It evaluates nothing: all
//! that depends on the run, such as whether a variable had a value, was recorded by `run.rs`.
//!
//! The road not taken: printing a log of the executed calls. It would be longer wherever a callback
//! runs twice, and it could not show the callback as a closure.

use std::collections::HashSet;
use std::rc::Rc;

use super::variable_names::VariableNames;
use super::{Argument, Block, Conversion, GeneratedProgram, Implementor, Slot, Statement};
use crate::table::{Mode, Operation, Parameter, Table};
use crate::type_info::{Interface, Signature};

/// Returns the statements of a program, indented by `depth` levels of four spaces.
pub(super) fn statements(program: &GeneratedProgram, depth: usize) -> String {
    let mut printer = Printer {
        table: &program.table,
        names: VariableNames::default(),
        changed: HashSet::new(),
        used: HashSet::new(),
        lent: HashSet::new(),
        optional: HashSet::new(),
        cells: HashSet::new(),
        text: String::new(),
        depth,
    };
    printer.collect_uses(&program.main);
    printer.block(&program.main);
    printer.text
}

struct Printer<'a> {
    table: &'a Table,
    names: VariableNames,
    /// The slots that are borrowed mutably.
    changed: HashSet<Slot>,
    /// The slots that are used.
    used: HashSet<Slot>,
    /// The slots that are references.
    lent: HashSet<Slot>,
    /// The slots that are an `Option`, because the call that sets them does not always run.
    optional: HashSet<Slot>,
    /// The slots that are fields of an implementor.
    cells: HashSet<Slot>,
    text: String,
    depth: usize,
}

/// Whether to print the arguments of the object or of its model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Real,
    Model,
}

/// The code for fuel.
struct FuelCode {
    ty: &'static str,
    new: &'static str,
    get: &'static str,
    less: &'static str,
}

impl FuelCode {
    fn of_interface(interface: &Interface) -> &'static FuelCode {
        const CELL: FuelCode = FuelCode {
            ty: "std::cell::Cell<u32>",
            new: "std::cell::Cell::new",
            get: ".get()",
            less: ".set({place}.get() - 1)",
        };
        const ATOMIC: FuelCode = FuelCode {
            ty: "std::sync::atomic::AtomicU32",
            new: "std::sync::atomic::AtomicU32::new",
            get: ".load(std::sync::atomic::Ordering::Relaxed)",
            less: ".fetch_sub(1, std::sync::atomic::Ordering::Relaxed)",
        };
        if interface.is_send { &ATOMIC } else { &CELL }
    }
}

/// The way to pass a variable.
struct VariableUse<'a> {
    conversion: Conversion,
    mode: Mode,
    /// The code before the variable: `&` or `&mut `.
    by: &'a str,
    /// The value to pass if the variable has none.
    instead: Option<String>,
}

impl VariableUse<'_> {
    /// Returns the code after a variable that may have no value.
    fn unwrap(&self) -> String {
        match (&self.instead, self.mode) {
            (None, _) => ".unwrap()".to_owned(),
            (Some(instead), Mode::Value) => format!(".unwrap_or({instead})"),
            (Some(instead), Mode::Ref) => format!(".unwrap_or(&{instead})"),
            (Some(instead), Mode::Mut) => format!(".unwrap_or(&mut {instead})"),
        }
    }
}

/// The code for the model of a statement.
#[derive(Default)]
struct ModelCode {
    type_name: &'static str,
    call: String,
    is_compared: bool,
}

impl Printer<'_> {
    /// Collects how the slots of a block are used.
    fn collect_uses(&mut self, block: &Block) {
        for statement in block.statements.iter().filter(|statement| statement.done.get() > 0) {
            let operation = self.table.operation_at(statement.operation);
            for (argument, parameter) in statement.arguments.iter().zip(&operation.parameters) {
                self.collect_argument_uses(argument, parameter.mode);
            }
        }
        if let Some(result) = &block.result {
            self.collect_argument_uses(result, Mode::Value);
        }
    }

    fn collect_argument_uses(&mut self, argument: &Argument, mode: Mode) {
        match argument {
            Argument::Literal { .. } => {}
            Argument::Variable { was_there, .. } if !was_there.get() => {}
            Argument::Variable { slot, conversion, .. } => {
                self.used.insert(*slot);
                if mode == Mode::Mut && matches!(conversion, Conversion::AsIs | Conversion::Unwrap)
                {
                    self.changed.insert(*slot);
                }
            }
            Argument::Implementor(implementor) => {
                implementor.bodies.iter().flatten().for_each(|body| self.collect_uses(body));
            }
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(&"    ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn block(&mut self, block: &Block) {
        for statement in block.statements.iter().filter(|statement| statement.done.get() > 0) {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        // The arguments come first: an implementor prints its declaration before the call.
        let operation = self.table.operation_at(statement.operation);
        let arguments = self.arguments(statement, operation, Side::Real);
        let call = written_call(operation, &arguments);
        let guard = self.guard(statement, operation, &arguments);
        let model = match operation.model {
            Some(_) => self.model(statement, operation),
            None => ModelCode::default(),
        };
        match statement.result.filter(|slot| self.used.contains(slot)) {
            Some(slot) => self.call_with_result(slot, operation, &call, guard, &model),
            None => self.call_without_result(&call, guard, &model),
        }
        // The failure is in the statement that has not ended. If a relation to the model failed, the
        // printed program must check it too, or it would pass.
        if statement.is_open.get() {
            self.relations(statement, operation, &arguments);
        }
    }

    fn arguments(
        &mut self,
        statement: &Statement,
        operation: &Operation,
        side: Side,
    ) -> Vec<String> {
        let mut arguments = Vec::new();
        for (nth, argument) in statement.arguments.iter().enumerate() {
            let is_receiver = operation.is_method && nth == 0;
            let parameter = operation.parameters[nth];
            arguments.push(self.argument(argument, parameter, is_receiver, side));
        }
        arguments
    }

    /// Returns the code for the model.
    fn model(&mut self, statement: &Statement, operation: &Operation) -> ModelCode {
        let Some(of_model) = operation.model else { return ModelCode::default() };
        let arguments = self.arguments(statement, operation, Side::Model);
        let receiver = arguments.first().map_or("", String::as_str);
        let call = filled(of_model.call, &arguments).replace("{model}", receiver);
        ModelCode { type_name: of_model.type_name, call, is_compared: of_model.is_compared }
    }

    /// Prints the relations between an object and its model after the statement.
    fn relations(&mut self, statement: &Statement, operation: &Operation, real: &[String]) {
        let Some(of_model) = operation.model.filter(|_| crate::model::is_parted()) else { return };
        let (object, model) = match (statement.result, operation.is_method) {
            (_, true) => {
                let models = self.arguments(statement, operation, Side::Model);
                (real.first().cloned(), models.into_iter().next())
            }
            (Some(slot), false) if self.used.contains(&slot) => {
                let name = self.names.of_slot(slot).to_owned();
                (Some(name.clone()), Some(format!("{name}_model")))
            }
            _ => return,
        };
        let (Some(object), Some(model)) = (object, model) else { return };
        for relation in of_model.relations {
            let relation = filled(relation, std::slice::from_ref(&object));
            self.line(&format!("assert!({});", relation.replace("{model}", &model)));
        }
    }

    /// Prints a call whose result is not used.
    fn call_without_result(&mut self, call: &str, guard: Option<String>, model: &ModelCode) {
        if let Some(guard) = &guard {
            self.line(&format!("if {guard} {{"));
            self.depth += 1;
        }
        if model.is_compared {
            self.line(&format!("assert_eq!({call}, {});", model.call));
        } else {
            self.line(&format!("{call};"));
            if !model.call.is_empty() {
                self.line(&format!("{};", model.call));
            }
        }
        if guard.is_some() {
            self.depth -= 1;
            self.line("}");
        }
    }

    /// Prints a call whose result is used.
    fn call_with_result(
        &mut self,
        slot: Slot,
        operation: &Operation,
        call: &str,
        guard: Option<String>,
        model: &ModelCode,
    ) {
        let info = operation.result.map(|type_index| self.table.type_at(type_index));
        let type_name = info.map_or("value", |info| info.name);
        let idea = if operation.is_method { operation.name } else { type_name };
        self.names.assign(slot, idea);
        let mutable = if self.changed.contains(&slot) { "mut " } else { "" };
        let name = self.names.of_slot(slot).to_owned();
        let is_pair = info.is_some_and(|info| info.is_modeled);
        let (pattern, value) = match is_pair && guard.is_some() {
            true => (
                format!("({mutable}{name}, {mutable}{name}_model)"),
                format!("(Some({call}), Some({}{}))", model.call, operation.after),
            ),
            false if guard.is_some() => (format!("{mutable}{name}"), format!("Some({call})")),
            false => (format!("{mutable}{name}"), call.to_owned()),
        };
        match &guard {
            None => self.line(&format!("let {pattern} = {value};")),
            Some(guard) => {
                self.optional.insert(slot);
                let nothing = if is_pair { "(None, None)" } else { "None" };
                self.line(&format!(
                    "let {pattern} = if {guard} {{ {value} }} else {{ {nothing} }};"
                ));
            }
        }
        match (is_pair, &guard) {
            (true, None) => {
                let ModelCode { type_name, call, .. } = model;
                let is_plain = call.starts_with(&format!("<{type_name}>"));
                let annotated = if is_plain { String::new() } else { format!(": {type_name}") };
                // If the object is unwrapped, its model is unwrapped too.
                let after = operation.after;
                self.line(&format!("let {mutable}{name}_model{annotated} = {call}{after};"));
            }
            (true, Some(_)) => {}
            (false, None) if model.is_compared => {
                self.line(&format!("assert_eq!({name}, {});", model.call));
            }
            (false, _) if model.call.is_empty() => {}
            (false, None) => self.line(&format!("{};", model.call)),
            (false, Some(_)) if model.is_compared => self.line(&format!(
                "if {name}.is_some() {{ assert_eq!({name}.as_ref(), Some(&{})); }}",
                model.call
            )),
            (false, Some(_)) => {
                self.line(&format!("if {name}.is_some() {{ {}; }}", model.call));
            }
        }
    }

    /// Returns the condition under which a statement runs, if it was skipped at least once.
    fn guard(
        &self,
        statement: &Statement,
        operation: &Operation,
        arguments: &[String],
    ) -> Option<String> {
        if statement.skipped.get() == 0 {
            return None;
        }
        let mut conditions = Vec::new();
        for argument in &statement.arguments {
            if let Argument::Variable { slot, was_missing, .. } = argument
                && self.optional.contains(slot)
                && !(was_missing.get() && self.is_drawn(argument, operation, statement))
            {
                conditions.push(format!("{}.is_some()", self.names.of_slot(*slot)));
            }
        }
        // A condition only needs shared references.
        let read = |argument: &String| argument.replacen("&mut ", "&", 1);
        let arguments: Vec<String> = arguments.iter().map(read).collect();
        for clause in operation.requires {
            conditions.push(filled(clause, &arguments));
        }
        (!conditions.is_empty()).then(|| conditions.join(" && "))
    }

    fn argument(
        &mut self,
        argument: &Argument,
        parameter: Parameter,
        is_receiver: bool,
        side: Side,
    ) -> String {
        let by = match parameter.mode {
            _ if is_receiver => "",
            Mode::Value => "",
            Mode::Ref => "&",
            Mode::Mut => "&mut ",
        };
        match argument {
            Argument::Literal { type_index, value } => {
                let code = self.table.type_at(*type_index).code;
                let code = value.borrow().as_ref().map(|value| code(&**value));
                format!("{by}{}", code.unwrap_or_else(|| "/* a value that was used up */".into()))
            }
            Argument::Implementor(implementor) => {
                let code = self.implementor(implementor, parameter.is_object);
                format!("{by}{code}")
            }
            Argument::Variable { slot, type_index, conversion, was_there, was_missing } => {
                let wanted = parameter.type_index;
                let is_drawn = self.table.type_at(wanted).draw.is_some();
                let instead = (was_missing.get() && is_drawn).then(|| self.simplest(wanted));
                // A variable that never had a value has no declaration to refer to.
                if let (Some(instead), false) = (&instead, was_there.get()) {
                    return format!("{by}{instead}");
                }
                let by = match by {
                    // The program has a pointer, and the parameter is a reference to its target.
                    "&" if parameter.is_object => "&*",
                    "&mut " if parameter.is_object => "&mut *",
                    by => by,
                };
                let mode = parameter.mode;
                let variable_use = VariableUse { conversion: *conversion, mode, by, instead };
                self.variable(*slot, *type_index, &variable_use, side)
            }
        }
    }

    fn variable(
        &self,
        slot: Slot,
        type_index: usize,
        variable_use: &VariableUse<'_>,
        side: Side,
    ) -> String {
        let VariableUse { conversion, mode, by, .. } = *variable_use;
        let info = self.table.type_at(type_index);
        let mut name = self.names.of_slot(slot).to_owned();
        if side == Side::Model && info.is_modeled {
            name.push_str("_model");
        }
        if self.cells.contains(&slot) {
            name = format!("self.{name}");
        }
        let is_cloned = !info.is_copy && info.clone.is_some() && mode == Mode::Value;
        let lend = match mode {
            Mode::Value if is_cloned => ".clone()",
            Mode::Value => "",
            Mode::Ref => ".as_ref()",
            Mode::Mut => ".as_mut()",
        };
        let is_lent = self.lent.contains(&slot);
        let (unwrap, is_optional) = (variable_use.unwrap(), self.optional.contains(&slot));
        match conversion {
            Conversion::ToInteger(wanted) => {
                let ty = self.table.type_at(wanted).name;
                match is_optional {
                    true => format!("{name}.and_then(|n| {ty}::try_from(n).ok()){unwrap}"),
                    false if is_lent => format!("{ty}::try_from(*{name}){unwrap}"),
                    false => format!("{ty}::try_from({name}){unwrap}"),
                }
            }
            Conversion::OpenCell => {
                let (to_read, to_change) = info.cell.map_or(("", None), |cell| cell.opened);
                let opened = if mode == Mode::Mut { to_change } else { Some(to_read) };
                let unwrapped = if is_optional { ".as_ref().unwrap()" } else { "" };
                format!("{by}{name}{unwrapped}{}", opened.unwrap_or_default())
            }
            Conversion::Unwrap => {
                let opened = info.contents.map_or("", |contents| contents.opened);
                let inner = if mode == Mode::Value { "" } else { lend };
                match is_optional {
                    true => format!("{name}{lend}.and_then(|one| one{inner}{opened}){unwrap}"),
                    false => format!("{name}{lend}{opened}{unwrap}"),
                }
            }
            Conversion::AsIs if is_optional => format!("{name}{lend}{unwrap}"),
            Conversion::AsIs if mode == Mode::Value && info.is_copy && is_lent => {
                format!("*{name}")
            }
            Conversion::AsIs if mode == Mode::Value => format!("{name}{lend}"),
            Conversion::AsIs if is_lent => name,
            Conversion::AsIs => format!("{by}{name}"),
        }
    }

    /// Returns whether the simplest value replaces a missing argument.
    fn is_drawn(&self, argument: &Argument, operation: &Operation, statement: &Statement) -> bool {
        let nth = statement.arguments.iter().position(|one| std::ptr::eq(one, argument));
        let parameter = nth.and_then(|nth| operation.parameters.get(nth));
        parameter.is_some_and(|parameter| self.table.type_at(parameter.type_index).draw.is_some())
    }

    /// Prints the declaration of an implementor and returns the expression that constructs it.
    fn implementor(&mut self, implementor: &Rc<Implementor>, is_lent: bool) -> String {
        let interface = &implementor.interface;
        let (before, after) = if is_lent { ("", "") } else { interface.around };
        if interface.name.is_empty() {
            return self.closure(implementor, (before, after));
        }
        let name = self.names.new_type(&format!("Generated{}", short(interface.name)));
        let fields = self.fields(implementor);
        let declared: Vec<String> =
            fields.iter().map(|(name, ty, _)| format!("{name}: {ty}")).collect();
        if !interface.derives.is_empty() {
            self.line(&format!("#[derive({})]", interface.derives));
        }
        match declared.is_empty() {
            true => self.line(&format!("struct {name};")),
            false => {
                self.line(&format!("struct {name} {{"));
                self.depth += 1;
                declared.iter().for_each(|field| self.line(&format!("{field},")));
                self.depth -= 1;
                self.line("}");
            }
        }
        if implementor.bodies.iter().all(Option::is_none) {
            self.line(&format!("impl {} for {name} {{}}", interface.name));
        } else {
            self.line(&format!("impl {} for {name} {{", interface.name));
            self.depth += 1;
            for (signature, body) in interface.methods.iter().zip(&implementor.bodies) {
                if let Some(body) = body {
                    self.method(implementor, signature, body);
                }
            }
            self.depth -= 1;
            self.line("}");
        }
        let given: Vec<String> =
            fields.iter().map(|(name, _, value)| format!("{name}: {value}")).collect();
        let made = match given.is_empty() {
            true => name,
            false => format!("{name} {{ {} }}", given.join(", ")),
        };
        format!("{before}{made}{after}")
    }

    /// Returns the name, type and value of each field of an implementor.
    fn fields(&self, implementor: &Implementor) -> Vec<(String, String, String)> {
        let mut fields = Vec::new();
        if self.is_fueled(implementor) {
            let FuelCode { ty, new, .. } = FuelCode::of_interface(&implementor.interface);
            let value = format!("{new}({})", implementor.fuel);
            fields.push(("fuel".to_owned(), (*ty).to_owned(), value));
        }
        for (slot, ty, value) in self.captured(implementor) {
            fields.push((self.names.of_slot(slot).to_owned(), ty.to_owned(), value));
        }
        fields
    }

    /// Returns the slot, type and value of each variable that an implementor captures.
    fn captured(&self, implementor: &Implementor) -> Vec<(Slot, &'static str, String)> {
        let captures = implementor.captures.iter().filter(|(slot, _)| self.used.contains(slot));
        let describe = |(slot, type_index): &(Slot, usize)| {
            let name = self.names.of_slot(*slot);
            let is_field = self.cells.contains(slot);
            let place = if is_field { format!("self.{name}") } else { name.to_owned() };
            let info = self.table.type_at(*type_index);
            let value = if info.is_copy { place } else { format!("{place}.clone()") };
            (*slot, info.name, value)
        };
        captures.map(describe).collect()
    }

    fn method(&mut self, implementor: &Implementor, signature: &Signature, body: &Block) {
        // Inside of a method, captured variables are fields. Those of an outer implementor are not in
        // scope: a method cannot refer to the `self` of another.
        let kept: Vec<Slot> = implementor.captures.iter().map(|(slot, _)| *slot).collect();
        let outer = std::mem::replace(&mut self.cells, kept.into_iter().collect());
        let is_fueled = self.is_fueled(implementor);
        let is_empty = !is_fueled && signature.result.is_none() && !does_anything(body);
        if is_empty {
            self.line(&format!("{} {{}}", signature.written));
        } else {
            self.line(&format!("{} {{", signature.written));
            self.depth += 1;
            if is_fueled {
                self.fuel("self.fuel", FuelCode::of_interface(&implementor.interface), signature);
            }
            self.inside(signature, body);
            self.depth -= 1;
            self.line("}");
        }
        self.cells = outer;
    }

    /// Returns whether fuel ran out and a body was skipped that would have done something.
    fn is_fueled(&self, implementor: &Implementor) -> bool {
        // Without fuel, a method returns the simplest value. A body that does only that needs none.
        let differs = |(signature, body): (&Signature, &Option<Block>)| {
            let Some(body) = body else { return false };
            let is_simplest = match (&body.result, signature.result) {
                (Some(Argument::Literal { type_index, value }), _) => {
                    let code = self.table.type_at(*type_index).code;
                    let value = value.borrow();
                    value.as_ref().is_some_and(|value| code(&**value) == self.simplest(*type_index))
                }
                (None, _) => true,
                _ => false,
            };
            signature.has_default || does_anything(body) || !is_simplest
        };
        implementor.ran_dry.get()
            && implementor.interface.methods.iter().zip(&implementor.bodies).any(differs)
    }

    fn fuel(&mut self, place: &str, fuel: &FuelCode, signature: &Signature) {
        let result = match signature.has_default {
            true => Some(super_call(signature)),
            false => signature.result.map(|type_index| self.simplest(type_index)),
        };
        let FuelCode { get, less, .. } = fuel;
        self.line(&format!("if {place}{get} == 0 {{"));
        self.depth += 1;
        self.line(&match result {
            Some(result) => format!("return {result};"),
            None => "return;".to_owned(),
        });
        self.depth -= 1;
        self.line("}");
        self.line(&format!("{place}{};", less.replace("{place}", place)));
    }

    /// Returns the code of the simplest value of a type.
    fn simplest(&self, type_index: usize) -> String {
        let value = self.table.simplest(type_index);
        value.map_or_else(
            || "unreachable!()".to_owned(),
            |value| (self.table.type_at(type_index).code)(&*value),
        )
    }

    fn inside(&mut self, signature: &Signature, body: &Block) {
        for ((slot, parameter), name) in
            body.given.iter().zip(&signature.parameters).zip(signature.names)
        {
            self.names.assign_exactly(*slot, name);
            if parameter.mode != Mode::Value {
                self.lent.insert(*slot);
            }
        }
        self.block(body);
        if let Some(type_index) = signature.result {
            let result = match &body.result {
                Some(result) => {
                    self.argument(result, Parameter::value(type_index), false, Side::Real)
                }
                None => self.simplest(type_index),
            };
            self.line(&result);
        }
    }

    /// Returns a closure as one expression of several lines. It clones the handles that it
    /// captures.
    fn closure(&mut self, implementor: &Implementor, around: (&str, &str)) -> String {
        let mut kept = Vec::new();
        for (slot, _, value) in self.captured(implementor) {
            if value != self.names.of_slot(slot) {
                kept.push((slot, format!("let {} = {value};", self.names.of_slot(slot))));
            }
        }
        let (before, after) = around;
        if kept.is_empty() {
            return format!("{before}{}{after}", self.bare_closure(implementor));
        }
        // The clones below shadow the fields of an implementor around the closure, so that the closure
        // refers to them by name and not through `self`.
        let own: Vec<Slot> =
            kept.iter().map(|(slot, _)| *slot).filter(|slot| self.cells.remove(slot)).collect();
        self.depth += 1;
        let inside = "    ".repeat(self.depth);
        let closure = self.bare_closure(implementor);
        self.depth -= 1;
        self.cells.extend(own);
        let mut text = String::from("{\n");
        for (_, line) in &kept {
            text.push_str(&format!("{inside}{line}\n"));
        }
        let end = "    ".repeat(self.depth);
        text.push_str(&format!("{inside}{before}{closure}{after}\n{end}}}"));
        text
    }

    fn bare_closure(&mut self, implementor: &Implementor) -> String {
        let (Some(signature), Some(Some(body))) =
            (implementor.interface.methods.first(), implementor.bodies.first())
        else {
            return "|| {}".to_owned();
        };
        let is_fueled = self.is_fueled(implementor);
        if is_fueled {
            let new = FuelCode::of_interface(&implementor.interface).new;
            self.line(&format!("let fuel = {new}({});", implementor.fuel));
        }
        // Lines go to the end of the text. Set it aside, because a closure is part of a line.
        let outer = std::mem::take(&mut self.text);
        self.depth += 1;
        if is_fueled {
            self.fuel("fuel", FuelCode::of_interface(&implementor.interface), signature);
        }
        self.inside(signature, body);
        self.depth -= 1;
        let inside = std::mem::replace(&mut self.text, outer);
        if inside.is_empty() {
            return format!("{} {{}}", signature.written);
        }
        let end = "    ".repeat(self.depth);
        format!("{} {{\n{inside}{end}}}", signature.written)
    }
}

/// Returns the call of the default body, which `#[rebut::contract]` moves to a method of another
/// name.
fn super_call(signature: &Signature) -> String {
    let behind_fn = signature.written.split("fn ").nth(1).unwrap_or_default();
    let name = behind_fn.split(['(', '<']).next().unwrap_or_default().trim();
    format!("self.__super_{name}({})", signature.names.join(", "))
}

/// Returns whether a statement of the body ran.
fn does_anything(body: &Block) -> bool {
    body.statements.iter().any(|statement| statement.done.get() > 0)
}

/// Returns the name of a trait without its path.
fn short(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

fn written_call(operation: &Operation, arguments: &[String]) -> String {
    let after = operation.after;
    match arguments.split_first() {
        Some((receiver, rest)) if operation.is_method => {
            format!("{receiver}.{}({}){after}", operation.name, rest.join(", "))
        }
        _ => format!("{}({}){after}", operation.path, arguments.join(", ")),
    }
}

/// Replaces the placeholders in code with the arguments. Before a method call, it strips the
/// reference from an argument.
fn filled(template: &str, arguments: &[String]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let place = after.split_once('}');
        let argument = place.and_then(|(nth, _)| arguments.get(nth.parse::<usize>().ok()?));
        let (Some(argument), Some((_, behind))) = (argument, place) else {
            text.push('{');
            rest = after;
            continue;
        };
        let plain = argument.trim_start_matches('&').trim_start_matches("mut ");
        match behind.starts_with('.') {
            true => text.push_str(plain.trim_start_matches('*')),
            false => text.push_str(argument),
        }
        rest = behind;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::super::testing::{from_tape, run_and_print};
    use super::*;

    /// Draws the program of a tape, runs it, and compares its code.
    fn check(statements: &[&str], expected: &str) {
        let tape = format!("(s0 i{} {} )", statements.len(), statements.join(" "));
        assert_eq!(run_and_print(&from_tape(&tape)), expected);
    }

    const NEW: &str = "(r0 i0 )";
    /// `Stack::try_new(9)`, which returns `None`.
    const NONE: &str = "(r0 i4 (r0 i0 i9 ) )";
    /// Pushes 7 to the first stack.
    const PUSH: &str = "(r0 i1 (r0 i1 i0 ) (r0 i0 i7 ) )";
    const LEN: &str = "(r0 i2 (r0 i1 i0 ) )";

    #[test]
    fn only_variables_that_are_changed_are_mutable() {
        check(&[NEW, PUSH], "let mut stack = Stack::new();\nstack.push(7);\n");
        check(&[NEW, LEN], "let stack = Stack::new();\nstack.len();\n");
    }

    #[test]
    fn results_that_are_not_used_have_no_name() {
        check(&[NEW, NEW, LEN], "let stack = Stack::new();\nStack::new();\nstack.len();\n");
    }

    #[test]
    fn calls_that_never_ran_are_left_out() {
        check(
            &[NEW, PUSH, PUSH, PUSH],
            "let mut stack = Stack::new();\nstack.push(7);\nstack.push(7);\n",
        );
        check(&[NONE, PUSH], "Stack::try_new(9);\n");
    }

    #[test]
    fn numbers_of_another_type_are_converted() {
        let push_len = "(r0 i1 (r0 i1 i0 ) (r0 i1 i0 ) )";
        check(
            &[NEW, LEN, push_len],
            "let mut stack = Stack::new();\n\
             let len = stack.len();\n\
             stack.push(u8::try_from(len).unwrap());\n",
        );
    }

    #[test]
    fn the_simplest_value_is_printed_for_a_missing_number() {
        let push_len = "(r0 i1 (r0 i1 i1 ) (r0 i1 i0 ) )";
        check(
            &[NONE, LEN, NEW, push_len],
            "Stack::try_new(9);\nlet mut stack = Stack::new();\nstack.push(0);\n",
        );
    }

    #[test]
    fn contents_of_options_and_cells_are_borrowed() {
        let some = "(r0 i4 (r0 i0 i3 ) )";
        check(
            &[some, PUSH],
            "let mut stack = Stack::try_new(3);\nstack.as_mut().unwrap().push(7);\n",
        );
        let share = "(r0 i3 (r0 i1 i0 ) )";
        check(
            &[NEW, share, PUSH],
            "let stack = Stack::new();\n\
             let stack_2 = share(stack);\n\
             stack_2.borrow_mut().push(7);\n",
        );
    }

    #[test]
    fn fuel_is_printed_only_if_it_ran_out() {
        // `apply` calls the callback twice. Its body returns its parameter.
        let apply =
            |fuel: u32| format!("(r0 i6 (r0 i3 (g0 i{fuel} (g0 (s0 i0 ) (r0 i1 i0 ) ) ) ) )");
        check(&[&apply(2)], "apply(Box::new(move |n: u8| -> u8 {\n    n\n}));\n");
        check(
            &[&apply(1)],
            "let fuel = std::cell::Cell::new(1);\n\
             apply(Box::new(move |n: u8| -> u8 {\n    \
             if fuel.get() == 0 {\n        return 0;\n    }\n    \
             fuel.set(fuel.get() - 1);\n    n\n}));\n",
        );
    }

    #[test]
    fn a_call_that_ran_in_one_round_only_is_guarded() {
        // The callback runs twice and pushes to a stack that has room for one more.
        let push = "(r0 i1 (r0 i1 i0 ) (r0 i0 i5 ) )";
        let share = "(r0 i3 (r0 i1 i0 ) )";
        let body = format!("(g0 (s0 i1 {push} ) (r0 i0 i1 ) )");
        let apply = format!("(r0 i6 (r0 i3 (g0 i4 {body} ) ) )");
        check(
            &[NEW, PUSH, share, &apply],
            "let mut stack = Stack::new();\n\
             stack.push(7);\n\
             let stack_2 = share(stack);\n\
             apply({\n    \
             let stack_2 = stack_2.clone();\n    \
             Box::new(move |n: u8| -> u8 {\n        \
             if stack_2.borrow_mut().len() < 2 {\n            \
             stack_2.borrow_mut().push(5);\n        }\n        \
             1\n    })\n});\n",
        );
    }

    #[test]
    fn arguments_are_filled_in_once() {
        let arguments = ["&mut list".to_owned(), "\"{0}\"".to_owned()];
        assert_eq!(filled("{0}.add({1})", &arguments), "list.add(\"{0}\")");
        assert_eq!(
            filled("{model}.all(|x| { x < {1} })", &arguments),
            "{model}.all(|x| { x < \"{0}\" })"
        );
    }
}
