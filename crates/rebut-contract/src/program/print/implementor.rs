//! The code of implementors: values whose methods have generated bodies.

use std::collections::HashSet;
use std::rc::Rc;

use super::super::expression::{Expression, filled};
use super::super::{Argument, Block, Implementor, Slot};
use super::{Printer, Purpose, Side};
use crate::call_argument::Value;
use crate::table::{Mode, Parameter};
use crate::type_info::{Interface, Signature};

/// The code for fuel.
struct FuelCode {
    ty: &'static str,
    new: &'static str,
    get: &'static str,
    /// The code around the counter that subtracts one.
    less: (&'static str, &'static str),
}

impl FuelCode {
    fn of_interface(interface: &Interface) -> &'static FuelCode {
        const CELL: FuelCode = FuelCode {
            ty: "std::cell::Cell<u32>",
            new: "std::cell::Cell::new",
            get: ".get()",
            less: (".set(", ".get() - 1);"),
        };
        const ATOMIC: FuelCode = FuelCode {
            ty: "std::sync::atomic::AtomicU32",
            new: "std::sync::atomic::AtomicU32::new",
            get: ".load(std::sync::atomic::Ordering::Relaxed)",
            less: (".fetch_sub(1, std::sync::atomic::Ordering::Relaxed);", ""),
        };
        if interface.is_send { &ATOMIC } else { &CELL }
    }
}

impl Printer<'_> {
    /// Prints the declaration of an implementor and returns the expression that constructs it.
    pub(super) fn implementor(&mut self, implementor: &Rc<Implementor>, is_lent: bool) -> String {
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
        let has_bodies = implementor.bodies.iter().any(Option::is_some);
        if has_bodies && !interface.attribute.is_empty() {
            self.line(&format!("#[{}]", interface.attribute));
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
            fields.push((FUEL.to_owned(), (*ty).to_owned(), value));
        }
        for (slot, ty, value) in self.captured(implementor) {
            fields.push((self.names.of_slot(slot).to_owned(), ty.to_owned(), value));
        }
        fields
    }

    /// Returns the slots that the bodies of an implementor use.
    fn used_inside(&self, implementor: &Implementor) -> HashSet<Slot> {
        let mut inside = Printer::new(self.table, 0);
        implementor.bodies.iter().flatten().for_each(|body| inside.collect_uses(body));
        inside.used
    }

    /// Returns the slot, type and value of each variable that an implementor captures.
    fn captured(&self, implementor: &Implementor) -> Vec<(Slot, &'static str, String)> {
        let used = self.used_inside(implementor);
        let captures = implementor.captures.iter().filter(|(slot, _)| used.contains(slot));
        let describe = |(slot, type_index): &(Slot, usize)| {
            let place = self.place(*slot);
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
        let scope = self.names.enter_item(&implementor.captures);
        let is_fueled = self.is_fueled(implementor);
        let is_empty = !is_fueled && signature.result.is_none() && !does_anything(body);
        let is_super = is_fueled && signature.default.is_some();
        let written = self.parameters(signature, body, is_super);
        if is_empty {
            self.line(&format!("{written} {{}}"));
        } else {
            self.line(&format!("{written} {{"));
            self.depth += 1;
            if is_fueled {
                self.fuel(
                    &format!("self.{FUEL}"),
                    FuelCode::of_interface(&implementor.interface),
                    signature,
                    &body.given,
                );
            }
            self.inside(signature, body);
            self.depth -= 1;
            self.line("}");
        }
        self.names.leave(scope);
        self.cells = outer;
    }

    /// Names the parameters and returns the signature. A parameter that is not used has an underscore.
    fn parameters(&mut self, signature: &Signature, body: &Block, are_used: bool) -> String {
        let mut names = Vec::new();
        for ((slot, parameter), name) in
            body.given.iter().zip(&signature.parameters).zip(signature.names)
        {
            let is_used = are_used || self.used.contains(slot);
            let name = if is_used { (*name).to_owned() } else { format!("_{name}") };
            self.names.assign_parameter(*slot, &name, is_used);
            let is_mut = parameter.mode == Mode::Value && !parameter.is_unsized;
            let mutable = if is_mut && self.changed.contains(slot) { "mut " } else { "" };
            names.push(Expression::Code(format!("{mutable}{}", self.names.of_slot(*slot))));
            if parameter.mode != Mode::Value || (parameter.is_unsized && !self.owned.contains(slot))
            {
                self.lent.insert(*slot);
            }
        }
        filled(signature.written, &names, "")
    }

    /// Returns whether fuel ran out and a body was skipped that would have done something.
    fn is_fueled(&self, implementor: &Implementor) -> bool {
        // Without fuel, a method returns the simplest value. A body that does only that needs none.
        let differs = |(signature, body): (&Signature, &Option<Block>)| {
            let Some(body) = body else { return false };
            let is_simplest = match (&body.result, signature.result) {
                (Some(Argument::Literal { type_index, value, .. }), _) => {
                    let value = value.borrow();
                    let is_it = |value: &Value| {
                        self.literal(*type_index, &**value) == self.simplest(*type_index)
                    };
                    value.as_ref().is_some_and(is_it)
                }
                (None, _) => true,
                _ => false,
            };
            signature.default.is_some() || does_anything(body) || !is_simplest
        };
        implementor.ran_dry.get()
            && implementor.interface.methods.iter().zip(&implementor.bodies).any(differs)
    }

    fn fuel(&mut self, place: &str, fuel: &FuelCode, signature: &Signature, given: &[Slot]) {
        let result = match signature.default {
            Some(default) => {
                let names: Vec<&str> = given.iter().map(|slot| self.names.of_slot(*slot)).collect();
                Some(format!("self.{default}({})", names.join(", ")))
            }
            None => signature.result.map(|type_index| self.simplest(type_index).code()),
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
        let (before, after) = less;
        let inside = if after.is_empty() { "" } else { place };
        self.line(&format!("{place}{before}{inside}{after}"));
    }

    /// Returns the code of the simplest value of a type.
    pub(super) fn simplest(&self, type_index: usize) -> Expression {
        match self.table.simplest(type_index) {
            Some(value) => self.literal(type_index, &*value),
            None => Expression::Code("unreachable!()".to_owned()),
        }
    }

    fn inside(&mut self, signature: &Signature, body: &Block) {
        for (slot, parameter) in body.given.iter().zip(&signature.parameters) {
            // The body has a copy of its own.
            if parameter.is_unsized && self.owned.contains(slot) {
                let name = self.names.of_slot(*slot).to_owned();
                let mutable = if self.changed.contains(slot) { "mut " } else { "" };
                self.line(&format!("let {mutable}{name} = {name}.to_owned();"));
            }
        }
        self.block(body);
        if let Some(type_index) = signature.result {
            let result = match &body.result {
                // The body never ended, so its result is unknown.
                Some(Argument::Variable { was_there, was_missing, .. })
                    if !was_there.get() && !was_missing.get() =>
                {
                    self.simplest(type_index)
                }
                Some(result) => {
                    let parameter = Parameter::value(type_index);
                    self.argument(result, parameter, false, Side::Real, Purpose::Pass)
                }
                None => self.simplest(type_index),
            };
            self.line(&result.code());
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
        let mut fuel = String::new();
        if is_fueled {
            let new = FuelCode::of_interface(&implementor.interface).new;
            fuel = self.names.new_name("fuel");
            self.line(&format!("let {fuel} = {new}({});", implementor.fuel));
        }
        let scope = self.names.scope();
        let written = self.parameters(signature, body, false);
        // Lines go to the end of the text. Set it aside, because a closure is part of a line.
        let outer = std::mem::take(&mut self.text);
        self.depth += 1;
        if is_fueled {
            self.fuel(
                &fuel,
                FuelCode::of_interface(&implementor.interface),
                signature,
                &body.given,
            );
        }
        self.inside(signature, body);
        self.depth -= 1;
        let inside = std::mem::replace(&mut self.text, outer);
        self.names.leave(scope);
        if inside.is_empty() {
            return format!("{written} {{}}");
        }
        let end = "    ".repeat(self.depth);
        format!("{written} {{\n{inside}{end}}}")
    }
}

/// The field with the fuel of an implementor. No variable has this name.
const FUEL: &str = "fuel";

/// Returns whether a statement of the body ran.
fn does_anything(body: &Block) -> bool {
    body.statements.iter().any(|statement| statement.done.get() > 0)
}

/// Returns the name of a trait without its path.
fn short(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}
