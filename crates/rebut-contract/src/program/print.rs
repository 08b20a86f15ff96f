//! Writes a program as Rust that needs no Rebut.
//!
//! What was never done is not written. What a callback did in one call and skipped in another
//! stands behind its pre-condition, and fuel is written where it ran out: so the text does what
//! the program did.

use std::collections::HashSet;
use std::rc::Rc;

use super::names::Names;
use super::{Argument, Block, Drawn, How, Implementor, Slot, Statement};
use crate::implementor::simplest;
use crate::kind::Signature;
use crate::table::{Mode, Operation, Table};

/// The statements of a program, indented by so many steps of four.
pub(super) fn statements(drawn: &Drawn, depth: usize) -> String {
    let mut printer = Printer {
        table: &drawn.table,
        names: Names::default(),
        changed: HashSet::new(),
        used: HashSet::new(),
        lent: HashSet::new(),
        optional: HashSet::new(),
        cells: HashSet::new(),
        text: String::new(),
        depth,
    };
    printer.look(&drawn.main);
    printer.block(&drawn.main);
    printer.text
}

struct Printer<'a> {
    table: &'a Table,
    names: Names,
    /// Slots that are lent to be changed.
    changed: HashSet<Slot>,
    /// Slots that are used at all.
    used: HashSet<Slot>,
    /// Slots that are references already.
    lent: HashSet<Slot>,
    /// Slots that hold an `Option`, because what makes them is not always done.
    optional: HashSet<Slot>,
    /// Slots that are fields of an implementor.
    cells: HashSet<Slot>,
    text: String,
    depth: usize,
}

impl Printer<'_> {
    /// Finds out how slots are used.
    fn look(&mut self, block: &Block) {
        for statement in block.statements.iter().filter(|statement| statement.done.get() > 0) {
            let operation = &self.table.operations[statement.operation];
            for (argument, parameter) in statement.arguments.iter().zip(&operation.parameters) {
                self.look_at(argument, parameter.mode);
            }
        }
        if let Some(result) = &block.result {
            self.look_at(result, Mode::Value);
        }
    }

    fn look_at(&mut self, argument: &Argument, mode: Mode) {
        match argument {
            Argument::Literal { .. } => {}
            Argument::Variable { slot, how, .. } => {
                self.used.insert(*slot);
                if mode == Mode::Mut && *how == How::AsIs {
                    self.changed.insert(*slot);
                }
            }
            Argument::Implementor(implementor) => {
                implementor.bodies.iter().flatten().for_each(|body| self.look(body));
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
        let table = self.table;
        let operation = &table.operations[statement.operation];
        let mut arguments = Vec::new();
        for (argument, parameter) in statement.arguments.iter().zip(&operation.parameters) {
            arguments.push(self.argument(argument, parameter.mode, operation, arguments.len()));
        }
        let call = written_call(operation, &arguments);
        let guard = self.guard(statement, operation, &arguments);
        let Some(slot) = statement.result.filter(|slot| self.used.contains(slot)) else {
            return match guard {
                None => self.line(&format!("{call};")),
                Some(guard) => {
                    self.line(&format!("if {guard} {{"));
                    self.depth += 1;
                    self.line(&format!("{call};"));
                    self.depth -= 1;
                    self.line("}");
                }
            };
        };
        let is_made = operation.effect == crate::table::Effect::Makes;
        let kind = operation.result.map_or("value", |kind| table.kinds[kind].name);
        self.names.give(slot, if is_made { kind } else { operation.name });
        let mutable = if self.changed.contains(&slot) { "mut " } else { "" };
        let name = self.names.of(slot).to_owned();
        match guard {
            None => self.line(&format!("let {mutable}{name} = {call};")),
            Some(guard) => {
                self.optional.insert(slot);
                self.line(&format!(
                    "let {mutable}{name} = if {guard} {{ Some({call}) }} else {{ None }};"
                ));
            }
        }
    }

    /// What has to hold for a statement to be done, if it was not always.
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
            if let Argument::Variable { slot, .. } = argument
                && self.optional.contains(slot)
            {
                conditions.push(format!("{}.is_some()", self.names.of(*slot)));
            }
        }
        for clause in operation.requires {
            conditions.push(filled(clause, arguments));
        }
        (!conditions.is_empty()).then(|| conditions.join(" && "))
    }

    fn argument(
        &mut self,
        argument: &Argument,
        mode: Mode,
        operation: &Operation,
        nth: usize,
    ) -> String {
        let is_receiver = operation.is_method && nth == 0;
        let by = match mode {
            _ if is_receiver => "",
            Mode::Value => "",
            Mode::Ref => "&",
            Mode::Mut => "&mut ",
        };
        match argument {
            Argument::Literal { kind, value } => {
                let code =
                    value.borrow().as_ref().map(|value| (self.table.kinds[*kind].code)(&**value));
                format!("{by}{}", code.unwrap_or_else(|| "/* a value that was used up */".into()))
            }
            Argument::Implementor(implementor) => {
                let code = self.implementor(implementor);
                format!("{by}{code}")
            }
            Argument::Variable { slot, kind, how } => self.variable(*slot, *kind, *how, mode, by),
        }
    }

    fn variable(&self, slot: Slot, kind: usize, how: How, mode: Mode, by: &str) -> String {
        let mut name = self.names.of(slot).to_owned();
        if self.cells.contains(&slot) {
            name = format!("self.{name}");
        }
        if self.optional.contains(&slot) {
            let lend = match mode {
                Mode::Value => "",
                Mode::Ref => ".as_ref()",
                Mode::Mut => ".as_mut()",
            };
            return format!("{name}{lend}.unwrap()");
        }
        let kind = &self.table.kinds[kind];
        match (how, mode) {
            (How::Number(wanted), _) => {
                format!("{}::try_from({name}).unwrap()", self.table.kinds[wanted].name)
            }
            (How::Lent, Mode::Mut) => format!("{by}{name}.borrow_mut()"),
            (How::Lent, _) => format!("{by}{name}.borrow()"),
            (How::AsIs, Mode::Value) if kind.is_copy && self.lent.contains(&slot) => {
                format!("*{name}")
            }
            (How::AsIs, Mode::Value) if kind.is_copy => name,
            (How::AsIs, Mode::Value) if kind.clone.is_some() => format!("{name}.clone()"),
            (How::AsIs, Mode::Value) => name,
            (How::AsIs, _) if self.lent.contains(&slot) => name,
            (How::AsIs, _) => format!("{by}{name}"),
        }
    }

    /// Declares an implementor before the statement that makes it; the expression that does.
    fn implementor(&mut self, implementor: &Rc<Implementor>) -> String {
        let interface = &implementor.interface;
        let (before, after) = interface.around;
        if interface.name.is_empty() {
            return format!("{before}{}{after}", self.closure(implementor));
        }
        let name = self.names.of_type(&format!("Generated{}", short(interface.name)));
        let fields = self.fields(implementor);
        let declared: Vec<String> =
            fields.iter().map(|(name, ty, _)| format!("{name}: {ty}")).collect();
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

    /// Name, type and value of what an implementor keeps.
    fn fields(&self, implementor: &Implementor) -> Vec<(String, String, String)> {
        let mut fields = Vec::new();
        if self.is_fuelled(implementor) {
            let value = format!("std::cell::Cell::new({})", implementor.fuel);
            fields.push(("fuel".to_owned(), "std::cell::Cell<u32>".to_owned(), value));
        }
        for (slot, kind) in &implementor.captures {
            if !self.used.contains(slot) {
                continue;
            }
            let name = self.names.of(*slot).to_owned();
            let place =
                if self.cells.contains(slot) { format!("self.{name}") } else { name.clone() };
            let kind = &self.table.kinds[*kind];
            let value = if kind.is_copy { place } else { format!("{place}.clone()") };
            fields.push((name, kind.name.to_owned(), value));
        }
        fields
    }

    fn method(&mut self, implementor: &Implementor, signature: &Signature, body: &Block) {
        let kept: Vec<Slot> = implementor.captures.iter().map(|(slot, _)| *slot).collect();
        let outer = std::mem::replace(&mut self.cells, kept.into_iter().collect());
        let is_fuelled = self.is_fuelled(implementor);
        let is_empty = !is_fuelled && signature.result.is_none() && !does_anything(body);
        if is_empty {
            self.line(&format!("{} {{}}", signature.written));
        } else {
            self.line(&format!("{} {{", signature.written));
            self.depth += 1;
            if is_fuelled {
                self.fuel("self.fuel", signature);
            }
            self.inside(signature, body);
            self.depth -= 1;
            self.line("}");
        }
        self.cells = outer;
    }

    /// Whether fuel ran out, and something was not done for want of it.
    fn is_fuelled(&self, implementor: &Implementor) -> bool {
        let differs = |(signature, body): (&Signature, &Option<Block>)| {
            let Some(body) = body else { return false };
            let is_simplest = match (&body.result, signature.result) {
                (Some(Argument::Literal { kind, value }), _) => {
                    let code = self.table.kinds[*kind].code;
                    let value = value.borrow();
                    value.as_ref().is_some_and(|value| code(&**value) == self.simplest(*kind))
                }
                (None, _) => true,
                _ => false,
            };
            signature.has_default || does_anything(body) || !is_simplest
        };
        implementor.ran_dry.get()
            && implementor.interface.methods.iter().zip(&implementor.bodies).any(differs)
    }

    fn fuel(&mut self, place: &str, signature: &Signature) {
        let result = match signature.has_default {
            true => Some(super_call(signature)),
            false => signature.result.map(|kind| self.simplest(kind)),
        };
        self.line(&format!("if {place}.get() == 0 {{"));
        self.depth += 1;
        self.line(&match result {
            Some(result) => format!("return {result};"),
            None => "return;".to_owned(),
        });
        self.depth -= 1;
        self.line("}");
        self.line(&format!("{place}.set({place}.get() - 1);"));
    }

    fn simplest(&self, kind: usize) -> String {
        let value = simplest(self.table, kind);
        value.map_or_else(
            || "unreachable!()".to_owned(),
            |value| (self.table.kinds[kind].code)(&*value),
        )
    }

    fn inside(&mut self, signature: &Signature, body: &Block) {
        for ((slot, parameter), name) in
            body.given.iter().zip(&signature.parameters).zip(signature.names)
        {
            self.names.fix(*slot, name);
            if parameter.mode != Mode::Value {
                self.lent.insert(*slot);
            }
        }
        self.block(body);
        if let Some(kind) = signature.result {
            let result = match &body.result {
                Some(result) => self.result(result),
                None => self.simplest(kind),
            };
            self.line(&result);
        }
    }

    fn result(&mut self, result: &Argument) -> String {
        match result {
            Argument::Literal { kind, value } => {
                let code =
                    value.borrow().as_ref().map(|value| (self.table.kinds[*kind].code)(&**value));
                code.unwrap_or_default()
            }
            Argument::Implementor(implementor) => self.implementor(implementor),
            Argument::Variable { slot, kind, how } => {
                self.variable(*slot, *kind, *how, Mode::Value, "")
            }
        }
    }

    /// A closure, as one expression of several lines.
    fn closure(&mut self, implementor: &Implementor) -> String {
        let (Some(signature), Some(Some(body))) =
            (implementor.interface.methods.first(), implementor.bodies.first())
        else {
            return "|| {}".to_owned();
        };
        let is_fuelled = self.is_fuelled(implementor);
        if is_fuelled {
            self.line(&format!("let fuel = std::cell::Cell::new({});", implementor.fuel));
        }
        let outer = std::mem::take(&mut self.text);
        self.depth += 1;
        if is_fuelled {
            self.fuel("fuel", signature);
        }
        self.inside(signature, body);
        self.depth -= 1;
        let inside = std::mem::replace(&mut self.text, outer);
        let end = "    ".repeat(self.depth);
        format!("{} {{\n{inside}{end}}}", signature.written)
    }
}

/// The call of the default body, which `#[rebut::contract]` keeps under another name.
fn super_call(signature: &Signature) -> String {
    let behind_fn = signature.written.split("fn ").nth(1).unwrap_or_default();
    let name = behind_fn.split(['(', '<']).next().unwrap_or_default().trim();
    format!("self.__super_{name}({})", signature.names.join(", "))
}

/// Whether a body did anything.
fn does_anything(body: &Block) -> bool {
    body.statements.iter().any(|statement| statement.done.get() > 0)
}

/// The name of a trait without the path before it.
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

/// A clause with the arguments in their places.
fn filled(clause: &str, arguments: &[String]) -> String {
    let mut text = clause.to_owned();
    for (nth, argument) in arguments.iter().enumerate() {
        let argument = argument.trim_start_matches("&mut ");
        text = text.replace(&format!("{{{nth}}}"), argument);
    }
    text
}
