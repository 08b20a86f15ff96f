//! The code that makes a call on the model of an object, and compares both.

use super::super::expression::{Expression, filled};
use super::super::{Argument, Statement};
use super::{Printer, Purpose, Side};
use crate::table::{Mode, Operation, Parameter};
use crate::template::{Piece, Template};

/// The code for the model of a statement.
#[derive(Default)]
pub(super) struct ModelCode {
    pub(super) type_name: &'static str,
    pub(super) call: String,
    pub(super) is_compared: bool,
    /// Whether the model has a function of the same name.
    pub(super) is_same: bool,
}

impl Printer<'_> {
    /// Collects the objects whose models the code of a statement uses.
    pub(super) fn collect_model_uses(&mut self, statement: &Statement, operation: &Operation) {
        let Some(of_model) = operation.model else { return };
        let has_relations = !of_model.relations.is_empty() && crate::model::is_parted();
        if let (Some(slot), true) = (statement.result, has_relations && !operation.is_method) {
            self.used_models.insert(slot);
        }
        for (nth, argument) in statement.arguments.iter().enumerate() {
            let is_used = match nth == 0 && operation.is_method {
                true => has_relations || of_model.call.contains(&Piece::Model),
                false => of_model.call.contains(&Piece::Argument(nth)),
            };
            if is_used {
                self.collect_models_in(argument);
            }
        }
    }

    fn collect_models_in(&mut self, argument: &Argument) {
        match argument {
            Argument::Variable { slot, .. } => {
                self.used_models.insert(*slot);
            }
            Argument::Elements { elements, .. } => {
                elements.iter().for_each(|element| self.collect_models_in(element));
            }
            // Their statements are collected like others.
            Argument::Implementor(_) | Argument::Literal { .. } => {}
        }
    }

    /// Returns the code for the model.
    pub(super) fn model(&mut self, statement: &Statement, operation: &Operation) -> ModelCode {
        let Some(of_model) = operation.model else { return ModelCode::default() };
        let mut arguments = self.arguments(statement, operation, Side::Model, Purpose::Pass);
        let written = statement.arguments.iter().zip(&operation.parameters);
        for (nth, (code, (argument, parameter))) in arguments.iter_mut().zip(written).enumerate() {
            if self.needs_name(argument, *parameter, of_model.call, nth) {
                *code = self.named(code, *parameter);
            }
        }
        let receiver = arguments.first().map_or_else(String::new, Expression::receiver);
        let call = filled(of_model.call, &arguments, &receiver);
        let is_same = match of_model.call {
            [Piece::Model, Piece::Code(code), ..] => {
                code.strip_prefix('.').is_some_and(|code| code.starts_with(operation.name))
            }
            _ => false,
        };
        let (type_name, is_compared) = (of_model.type_name, of_model.is_compared);
        ModelCode { type_name, call, is_compared, is_same }
    }

    /// Returns whether an argument must be a variable, because it would be another value at each use.
    fn needs_name(
        &self,
        argument: &Argument,
        parameter: Parameter,
        call: Template,
        nth: usize,
    ) -> bool {
        let is_it = |piece: &Piece| *piece == Piece::Argument(nth);
        let uses = call.iter().filter(|piece| is_it(piece)).count();
        let is_changed =
            parameter.mode == Mode::Mut || !self.table.type_at(parameter.type_index).is_frozen;
        match argument {
            Argument::Variable { slot, .. } => {
                // The variable may have no value here, and the call is guarded.
                let is_pair = self.table.type_at(parameter.type_index).is_modeled;
                uses > 1 && is_changed && !is_pair && !self.optional.contains(slot)
            }
            Argument::Literal { .. } => uses > 1 && is_changed,
            // A closure is called, or passed by a closure of the model, which runs several times.
            Argument::Implementor(_) | Argument::Elements { .. } => {
                let at = call.iter().position(is_it);
                let code = |nth: Option<usize>| match nth.and_then(|nth| call.get(nth)) {
                    Some(Piece::Code(code)) => *code,
                    _ => "",
                };
                let before = code(at.and_then(|at| at.checked_sub(1)));
                let after = code(at.map(|at| at + 1));
                let is_passed = before.ends_with(['(', ' ', '&']) && after.starts_with([')', ',']);
                let is_closure =
                    |piece: &Piece| matches!(piece, Piece::Code(code) if code.contains('|'));
                uses > 1 || uses == 1 && (!is_passed || call.iter().any(is_closure))
            }
        }
    }

    /// Declares a variable with the type of the parameter.
    fn named(&mut self, value: &Expression, parameter: Parameter) -> Expression {
        let type_name = self.table.type_at(parameter.type_index).name;
        let name = self.names.new_variable(type_name);
        let target = type_name.strip_prefix("Box<").and_then(|name| name.strip_suffix('>'));
        let target = target.filter(|_| parameter.is_object).unwrap_or(type_name);
        let annotated = match parameter.mode {
            _ if parameter.is_unsized || parameter.view.is_some() => String::new(),
            Mode::Value => format!(": {target}"),
            Mode::Ref => format!(": &{target}"),
            Mode::Mut => format!(": &mut {target}"),
        };
        self.line(&format!("let {name}{annotated} = {};", value.code()));
        Expression::Code(name)
    }

    /// Prints the relations between an object and its model after the statement.
    pub(super) fn relations(
        &mut self,
        statement: &Statement,
        operation: &Operation,
        real: &[Expression],
    ) {
        let Some(of_model) = operation.model.filter(|_| crate::model::is_parted()) else { return };
        let (object, model) = match (statement.result, operation.is_method) {
            (_, true) => {
                let receiver = statement.arguments.first().zip(operation.parameters.first());
                let model = receiver.map(|(argument, parameter)| {
                    self.argument(argument, *parameter, true, Side::Model, Purpose::Pass)
                });
                (real.first().cloned().map(Expression::place), model.map(|one| one.receiver()))
            }
            (Some(slot), false) if self.used.contains(&slot) => {
                let name = self.names.of_slot(slot).to_owned();
                (Some(Expression::Code(name.clone())), Some(format!("{name}_model")))
            }
            _ => return,
        };
        let (Some(object), Some(model)) = (object, model) else { return };
        for relation in of_model.relations {
            let relation = filled(relation, std::slice::from_ref(&object), &model);
            self.line(&format!("assert!({relation});"));
        }
    }
}

/// Returns whether the call on the model contains the argument.
pub(super) fn is_in_model(operation: &Operation, nth: usize) -> bool {
    let is_receiver = nth == 0 && operation.is_method;
    let call = operation.model.map_or(&[][..], |model| model.call);
    is_receiver || call.contains(&Piece::Argument(nth))
}
