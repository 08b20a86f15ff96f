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

mod implementor;
mod model;

use std::any::Any;
use std::collections::HashSet;

use rebut_gen::Code;

use super::callee::Callee;
use super::expression::{Expression, filled};
use super::variable_names::VariableNames;
use super::{Argument, Block, Conversion, GeneratedProgram, Slot, Statement};
use crate::table::{Mode, Operation, Parameter, Table, View};
use model::{ModelCode, is_in_model};

/// Returns the statements of a program, indented by `depth` levels of four spaces.
pub(super) fn statements(program: &GeneratedProgram, depth: usize) -> String {
    let mut printer = Printer::new(&program.table, depth);
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
    /// The slots whose model is used.
    used_models: HashSet<Slot>,
    /// The slots that are used other than by shared reference.
    owned: HashSet<Slot>,
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

/// The code of a variable.
enum VariableCode {
    /// A value to pass unchanged.
    Value(Expression),
    /// A variable or the like, which can be borrowed.
    Place(Expression),
    /// A reference.
    Reference(Expression),
    /// An `Option` or a `Result` of what is to be passed.
    Maybe(Expression),
}

/// The reason to print an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// It is passed to a call.
    Pass,
    /// A condition reads it.
    Read,
}

impl<'a> Printer<'a> {
    fn new(table: &'a Table, depth: usize) -> Printer<'a> {
        Printer {
            table,
            names: VariableNames::for_table(table),
            changed: HashSet::new(),
            used: HashSet::new(),
            used_models: HashSet::new(),
            owned: HashSet::new(),
            lent: HashSet::new(),
            optional: HashSet::new(),
            cells: HashSet::new(),
            text: String::new(),
            depth,
        }
    }
}

impl Printer<'_> {
    /// Collects how the slots of a block are used.
    fn collect_uses(&mut self, block: &Block) {
        for statement in block.statements.iter().filter(|statement| statement.done.get() > 0) {
            let operation = self.table.operation_at(statement.operation);
            self.collect_model_uses(statement, operation);
            for (nth, argument) in statement.arguments.iter().enumerate() {
                let mode = match operation.parameters[nth].mode {
                    // The call gets a clone.
                    Mode::Mut if operation.copied().contains(&nth) => Mode::Ref,
                    mode => mode,
                };
                self.collect_argument_uses(argument, mode);
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
            // A literal replaces the variable, unless another statement uses it.
            Argument::Variable { code, .. } if code.borrow().is_some() => {}
            Argument::Variable { slot, conversion, .. } => {
                self.used.insert(*slot);
                if mode != Mode::Ref {
                    self.owned.insert(*slot);
                }
                if mode == Mode::Mut && matches!(conversion, Conversion::AsIs | Conversion::Unwrap)
                {
                    self.changed.insert(*slot);
                }
            }
            Argument::Implementor(implementor) => {
                implementor.bodies.iter().flatten().for_each(|body| self.collect_uses(body));
            }
            Argument::Elements { elements, .. } => {
                for element in elements {
                    self.collect_argument_uses(element, Mode::Value);
                }
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
        let callee = Callee::of(self.table, operation, statement);
        if let (Callee::Path(path), false) = (&callee, operation.module.is_empty())
            && let Some((type_name, _)) = path.split_once("::")
        {
            rebut_gen::code::note_name(type_name, operation.module);
        }
        let arguments = self.arguments(statement, operation, Side::Real, Purpose::Pass);
        let call = callee.call(&arguments);
        let guard = self.guard(statement, operation);
        let model = match operation.model {
            Some(_) => self.model(statement, operation),
            None => ModelCode::default(),
        };
        let is_empty = statement.returned.get() == 0 && !operation.after.is_empty();
        match statement.result.filter(|slot| self.used.contains(slot)) {
            _ if statement.is_open.get() && operation.returns_contents() => {
                self.construction(&call, &model, operation);
            }
            Some(slot) if !is_empty => {
                self.call_with_result(slot, statement, &call, guard, &model);
            }
            _ => self.call_without_result(operation, &call, guard, &model),
        }
        // The failure is in the statement that has not ended. If a relation to the model failed, the
        // printed program must check it too, or it would pass.
        if statement.is_open.get() {
            self.relations(statement, operation, &arguments);
        }
    }

    /// Prints a call of a constructor that may return nothing, and does not end.
    fn construction(&mut self, call: &str, model: &ModelCode, operation: &Operation) {
        match model.call.is_empty() {
            true => self.line(&format!("{}{call};", ignored(operation))),
            false => {
                let is_some = ".into_iter().next().is_some()";
                let model = &model.call;
                self.line(&format!("assert_eq!({call}{is_some}, {model}{is_some});"));
            }
        }
    }

    fn arguments(
        &mut self,
        statement: &Statement,
        operation: &Operation,
        side: Side,
        purpose: Purpose,
    ) -> Vec<Expression> {
        let mut arguments = Vec::new();
        let is_by_path = side == Side::Real
            && purpose == Purpose::Pass
            && matches!(Callee::of(self.table, operation, statement), Callee::Path(_));
        for (nth, argument) in statement.arguments.iter().enumerate() {
            let is_receiver = operation.is_method && nth == 0 && !is_by_path;
            let parameter = operation.parameters[nth];
            let is_copied = operation.copied().contains(&nth);
            arguments.push(match argument {
                // The code for the model declares what it needs, and no variable of the printed
                // program is unused.
                _ if side == Side::Model && !is_in_model(operation, nth) => {
                    Expression::Code(String::new())
                }
                Argument::Variable { type_index, .. }
                    if parameter.mode == Mode::Mut && is_copied && purpose == Purpose::Pass =>
                {
                    let by_value = Parameter { mode: Mode::Value, ..parameter };
                    let value = self.argument(argument, by_value, false, side, purpose);
                    let is_copy = self.table.type_at(*type_index).is_copy;
                    value.then(if is_copy { ".clone()" } else { "" }).borrow(true)
                }
                _ => self.argument(argument, parameter, is_receiver, side, purpose),
            });
        }
        arguments
    }

    /// Prints a call whose result is not used.
    fn call_without_result(
        &mut self,
        operation: &Operation,
        call: &str,
        guard: Option<String>,
        model: &ModelCode,
    ) {
        if let Some(guard) = &guard {
            self.line(&format!("if {guard} {{"));
            self.depth += 1;
        }
        if model.is_compared {
            self.line(&format!("assert_eq!({call}, {});", model.call));
        } else {
            self.line(&format!("{}{call};", ignored(operation)));
            if !model.call.is_empty() {
                let ignored = if model.is_same { "" } else { "let _ = " };
                self.line(&format!("{ignored}{};", model.call));
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
        statement: &Statement,
        call: &str,
        guard: Option<String>,
        model: &ModelCode,
    ) {
        let operation = self.table.operation_at(statement.operation);
        let info = operation.result.map(|type_index| self.table.type_at(type_index));
        let type_name = info.map_or("value", |info| info.name);
        let idea = if operation.is_method { operation.name } else { type_name };
        let is_pair = info.is_some_and(|info| info.is_modeled);
        self.names.assign(slot, idea, is_pair);
        let mutable = if self.changed.contains(&slot) { "mut " } else { "" };
        let name = self.names.of_slot(slot).to_owned();
        let model_name = match self.used_models.contains(&slot) {
            true => format!("{mutable}{name}_model"),
            false => format!("_{name}_model"),
        };
        // A constructor that returned an object in some rounds only.
        let is_partial =
            operation.returns_contents() && (statement.returned.get() < statement.done.get());
        let after = match is_partial {
            true => ".into_iter().next()",
            false => operation.after,
        };
        let (some, end) = if is_partial { ("", "") } else { ("Some(", ")") };
        let is_guarded = guard.is_some();
        if is_guarded || is_partial {
            self.optional.insert(slot);
        }
        let (pattern, value) = match is_pair && is_guarded {
            true => (
                format!("({mutable}{name}, {model_name})"),
                format!("({some}{call}{after}{end}, {some}{}{after}{end})", model.call),
            ),
            false if is_guarded => {
                (format!("{mutable}{name}"), format!("{some}{call}{after}{end}"))
            }
            // An empty list says nothing about its elements.
            false if operation.is_declaration() && type_name.contains('<') => {
                (format!("{mutable}{name}: {type_name}"), call.to_owned())
            }
            false => (format!("{mutable}{name}"), format!("{call}{after}")),
        };
        let is_copied = !operation.after.is_empty() && !operation.is_collected;
        if model.is_compared && !is_guarded && is_copied {
            // The borrowed results are compared, and the program keeps a copy.
            self.line(&format!("let {name} = {call};"));
            self.line(&format!("assert_eq!({name}, {});", model.call));
            self.line(&format!("let {mutable}{name} = {name}{after};"));
            return;
        }
        match &guard {
            None => self.line(&format!("let {pattern} = {value};")),
            Some(guard) => {
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
                let is_whole = !operation.returns_contents();
                let annotated = match is_plain || !is_whole {
                    true => String::new(),
                    false => format!(": {type_name}"),
                };
                // If the object is unwrapped, its model is unwrapped too.
                self.line(&format!("let {model_name}{annotated} = {call}{after};"));
            }
            (true, Some(_)) => {}
            (false, None) if model.is_compared => {
                self.line(&format!("assert_eq!({name}, {});", model.call));
            }
            (false, _) if model.call.is_empty() => {}
            (false, None) => self.line(&format!("let _ = {};", model.call)),
            (false, Some(_)) if model.is_compared => self.line(&format!(
                "if {name}.is_some() {{ assert_eq!({name}.as_ref(), Some(&{})); }}",
                model.call
            )),
            (false, Some(_)) => {
                self.line(&format!("if {name}.is_some() {{ let _ = {}; }}", model.call));
            }
        }
    }

    /// Returns the condition under which a statement runs, if it was skipped at least once.
    fn guard(&mut self, statement: &Statement, operation: &Operation) -> Option<String> {
        if statement.skipped.get() == 0 {
            return None;
        }
        let mut conditions = Vec::new();
        for argument in &statement.arguments {
            if let Argument::Variable { slot, was_missing, .. } = argument
                && self.optional.contains(slot)
                && !(was_missing.get() && self.is_drawn(argument, operation, statement))
            {
                conditions.push(format!("{}.is_some()", self.place(*slot)));
            }
        }
        if !operation.requires.is_empty() {
            let arguments = self.arguments(statement, operation, Side::Real, Purpose::Read);
            for clause in operation.requires {
                let condition = filled(clause, &arguments, "");
                let is_joined = condition.contains("||") || condition.contains('|');
                let is_one = operation.requires.len() == 1 && conditions.is_empty();
                match is_joined && !is_one {
                    true => conditions.push(format!("({condition})")),
                    false => conditions.push(condition),
                }
            }
        }
        (!conditions.is_empty()).then(|| conditions.join(" && "))
    }

    fn argument(
        &mut self,
        argument: &Argument,
        parameter: Parameter,
        is_receiver: bool,
        side: Side,
        purpose: Purpose,
    ) -> Expression {
        if let Some(view) = parameter.view {
            return self.viewed(argument, parameter, view, side, purpose);
        }
        let mode = match (parameter.mode, purpose) {
            (Mode::Mut, Purpose::Read) => Mode::Ref,
            (mode, _) => mode,
        };
        let passed = |value: Expression| match mode {
            _ if is_receiver => value,
            Mode::Value => value,
            Mode::Ref => value.borrow(false),
            Mode::Mut => value.borrow(true),
        };
        match argument {
            Argument::Literal { type_index, value, code, .. } => {
                let seen = value.borrow();
                let text = code.borrow().as_ref().map(|code| code.code().clone());
                match (seen.as_ref(), text) {
                    (_, Some(text)) => passed(Expression::Code(self.resolved(&text))),
                    (Some(value), None) => match view(&**value, parameter) {
                        Some(view) => view,
                        None => {
                            let literal = self.literal(*type_index, &**value);
                            let is_passed = side == Side::Real && purpose == Purpose::Pass;
                            let is_view = parameter.is_unsized && is_passed;
                            passed(if is_view { literal.into_slice() } else { literal })
                        }
                    },
                    (None, None) => {
                        passed(Expression::Code("/* a value that was used up */".into()))
                    }
                }
            }
            Argument::Implementor(_) if purpose == Purpose::Read => {
                Expression::Code("/* a callback */".to_owned())
            }
            Argument::Implementor(implementor) => {
                let code = self.implementor(implementor, parameter.is_object);
                passed(Expression::Code(code))
            }
            Argument::Elements { type_index, elements } => {
                passed(Expression::Code(self.elements(*type_index, elements, side, purpose)))
            }
            Argument::Variable { slot, type_index, conversion, was_there, was_missing, code } => {
                let wanted = parameter.type_index;
                let is_drawn = self.table.type_at(wanted).draw.is_some();
                let is_missing = was_missing.get() && is_drawn;
                // A variable that never had a value has no declaration to refer to.
                if is_missing && !was_there.get() {
                    return match self.table.simplest(wanted) {
                        Some(value) => view(&*value, parameter)
                            .unwrap_or_else(|| passed(self.literal(wanted, &*value))),
                        None => passed(self.simplest(wanted)),
                    };
                }
                if let Some(code) = code.borrow().as_ref()
                    && !self.used.contains(slot)
                {
                    return passed(self.number(wanted, self.resolved(code.code())));
                }
                let instead = is_missing.then(|| self.simplest(wanted));
                let variable = self.variable(*slot, *type_index, *conversion, mode, side);
                let is_optional = self.optional.contains(slot);
                self.passed_variable(variable, parameter, mode, is_receiver, instead, is_optional)
            }
        }
    }

    /// Returns the argument for a variable. `mode` is how the argument is passed.
    fn passed_variable(
        &self,
        variable: VariableCode,
        parameter: Parameter,
        mode: Mode,
        is_receiver: bool,
        instead: Option<Expression>,
        is_optional: bool,
    ) -> Expression {
        let is_mut = mode == Mode::Mut;
        match variable {
            // An `Option` of what is passed.
            VariableCode::Maybe(maybe) => match (instead, mode) {
                (None, _) => maybe.then(".unwrap()"),
                (Some(instead), Mode::Value) => {
                    maybe.then(&format!(".unwrap_or({})", instead.code()))
                }
                (Some(instead), _) => {
                    maybe.then(&format!(".unwrap_or({})", instead.borrow(is_mut).code()))
                }
            },
            VariableCode::Value(value) => value,
            VariableCode::Reference(reference) if mode == Mode::Value => reference.deref(),
            VariableCode::Reference(reference) => reference,
            VariableCode::Place(place) => {
                let _ = is_optional;
                // The program has a pointer, and the parameter is a reference to its target.
                let place = if parameter.is_object { place.deref() } else { place };
                match mode {
                    _ if is_receiver => place,
                    Mode::Value => place,
                    _ => place.borrow(is_mut),
                }
            }
        }
    }

    /// Returns the code of a slot.
    fn place(&self, slot: Slot) -> String {
        let name = self.names.of_slot(slot);
        if self.cells.contains(&slot) { format!("self.{name}") } else { name.to_owned() }
    }

    /// Returns an argument that is converted for its parameter, such as `text.as_deref()`.
    fn viewed(
        &mut self,
        argument: &Argument,
        parameter: Parameter,
        view: View,
        side: Side,
        purpose: Purpose,
    ) -> Expression {
        if let (Argument::Literal { value, .. }, Some(code)) = (argument, view.literal)
            && let Some(value) = &*value.borrow()
        {
            return Expression::Code(code(&**value));
        }
        // The conversion borrows the value itself, as a method borrows its receiver.
        let plain = Parameter { view: None, ..parameter };
        let mut code = self.argument(argument, plain, true, side, purpose).receiver();
        let is_nothing = code == "None" || code == "vec![]";
        if is_nothing
            && let Some(name) = self.table.type_at(parameter.type_index).name.split_once('<')
        {
            // Nothing else determines the type of the elements.
            let turbofish = format!("::<{}", name.1);
            code = match code.as_str() {
                "None" => format!("None{turbofish}"),
                _ => format!("Vec{turbofish}::new()"),
            };
        }
        let code = view.written.replace("{}", &code);
        if code.starts_with('&') { Expression::Open(code) } else { Expression::Code(code) }
    }

    /// Returns a `Vec` or an `Option` of arguments.
    fn elements(
        &mut self,
        type_index: usize,
        elements: &[Argument],
        side: Side,
        purpose: Purpose,
    ) -> String {
        let Some(access) = self.table.type_at(type_index).elements else { return String::new() };
        let element = self.table.find_type((access.id)()).unwrap_or_default();
        let parameter = Parameter::value(element);
        let mut printed = Vec::new();
        for one in elements {
            let is_there = match one {
                Argument::Variable { was_there, .. } => was_there.get(),
                _ => true,
            };
            if is_there {
                printed.push(self.argument(one, parameter, false, side, purpose).code());
            }
        }
        match (access.is_optional, printed.pop()) {
            (true, None) => "None".to_owned(),
            (true, Some(one)) => format!("Some({one})"),
            (false, last) => {
                printed.extend(last);
                format!("vec![{}]", printed.join(", "))
            }
        }
    }

    fn variable(
        &self,
        slot: Slot,
        type_index: usize,
        conversion: Conversion,
        mode: Mode,
        side: Side,
    ) -> VariableCode {
        let info = self.table.type_at(type_index);
        let mut name = self.place(slot);
        if side == Side::Model && info.is_modeled {
            name.push_str("_model");
        }
        let name = Expression::Code(name);
        let is_cloned = !info.is_copy && info.clone.is_some() && mode == Mode::Value;
        let lend = match mode {
            Mode::Value if is_cloned => ".clone()",
            Mode::Value => "",
            Mode::Ref => ".as_ref()",
            Mode::Mut => ".as_mut()",
        };
        let is_lent = self.lent.contains(&slot);
        let is_optional = self.optional.contains(&slot);
        match conversion {
            Conversion::ToInteger(wanted) => {
                let ty = self.table.type_at(wanted).name;
                let number = if is_lent { name.clone().deref() } else { name.clone() };
                let converted = match is_optional {
                    true => name.then(&format!(".and_then(|n| {ty}::try_from(n).ok())")),
                    false => Expression::Code(format!("{ty}::try_from({})", number.code())),
                };
                match mode {
                    Mode::Value => VariableCode::Maybe(converted),
                    _ => VariableCode::Place(converted.then(".unwrap()")),
                }
            }
            Conversion::OpenCell => {
                let (to_read, to_change) = info.cell.map_or(("", None), |cell| cell.opened);
                let opened = if mode == Mode::Mut { to_change } else { Some(to_read) };
                let unwrapped = if is_optional { ".as_ref().unwrap()" } else { "" };
                VariableCode::Place(name.then(unwrapped).then(opened.unwrap_or_default()))
            }
            Conversion::Unwrap => {
                let opened = info.contents.map_or("", |contents| contents.opened);
                let inner = if mode == Mode::Value { "" } else { lend };
                VariableCode::Maybe(match is_optional {
                    true => name.then(&format!("{lend}.and_then(|one| one{inner}{opened})")),
                    false => name.then(lend).then(opened),
                })
            }
            Conversion::AsIs if is_optional => VariableCode::Maybe(name.then(lend)),
            Conversion::AsIs if mode == Mode::Value && info.is_copy && is_lent => {
                VariableCode::Reference(name)
            }
            Conversion::AsIs if mode == Mode::Value => VariableCode::Value(name.then(lend)),
            Conversion::AsIs if is_lent => VariableCode::Reference(name),
            Conversion::AsIs => VariableCode::Place(name),
        }
    }

    fn literal(&self, type_index: usize, value: &dyn Any) -> Expression {
        let code = (self.table.type_at(type_index).code)(value);
        self.number(type_index, self.resolved(&code))
    }

    /// Returns a literal. If it is a number, it can become a receiver.
    fn number(&self, type_index: usize, code: String) -> Expression {
        let info = self.table.type_at(type_index);
        let is_literal =
            code.trim_start_matches('-').chars().all(|c| c.is_ascii_digit() || c == '.');
        match is_literal && !code.is_empty() {
            true => Expression::Number { code, type_name: info.name },
            // A range has parentheses, and an argument needs none.
            false if info.name.contains("Range") => {
                let inside = code.strip_prefix('(').and_then(|code| code.strip_suffix(')'));
                inside.map_or_else(
                    || Expression::Code(code.clone()),
                    |code| Expression::Open(code.to_owned()),
                )
            }
            false => Expression::Code(code),
        }
    }

    /// Returns code without markers, indented like this line.
    fn resolved(&self, code: &str) -> String {
        let code = rebut_gen::code::resolve(code);
        // A mock is several lines, which begin one level deep.
        let indentation = "    ".repeat(self.depth.saturating_sub(1));
        code.replace('\n', &format!("\n{indentation}"))
    }

    /// Returns whether the simplest value replaces a missing argument.
    fn is_drawn(&self, argument: &Argument, operation: &Operation, statement: &Statement) -> bool {
        let nth = statement.arguments.iter().position(|one| std::ptr::eq(one, argument));
        let parameter = nth.and_then(|nth| operation.parameters.get(nth));
        parameter.is_some_and(|parameter| self.table.type_at(parameter.type_index).draw.is_some())
    }
}

/// Returns the code of text or a list for a parameter such as `&str` or `&[u8]`.
fn view(value: &dyn Any, parameter: Parameter) -> Option<Expression> {
    if !parameter.is_unsized || parameter.mode != Mode::Ref {
        return None;
    }
    let text = value.downcast_ref::<String>()?;
    Some(Expression::Code(Code::of(text.as_str())))
}

/// Returns the code before a call whose result is not used.
fn ignored(operation: &Operation) -> &'static str {
    if operation.is_ignorable { "" } else { "let _ = " }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{from_tape, run_and_print};

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
             Box::new(move |_n: u8| -> u8 {\n        \
             if stack_2.borrow().len() < 2 {\n            \
             stack_2.borrow_mut().push(5);\n        }\n        \
             1\n    })\n});\n",
        );
    }
}
