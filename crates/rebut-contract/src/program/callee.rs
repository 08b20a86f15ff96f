//! How calls are written in printed programs.

use super::expression::Expression;
use super::{Argument, Statement};
use crate::table::{Operation, Table};

/// The way to write a call.
pub(super) enum Callee {
    /// No call: the argument itself.
    Declaration,
    /// `object.name(..)`
    Method(&'static str),
    /// `path(..)`, with the receiver among the arguments.
    Path(&'static str),
}

impl Callee {
    pub(super) fn of(table: &Table, operation: &Operation, statement: &Statement) -> Callee {
        if operation.is_declaration() {
            return Callee::Declaration;
        }
        // The call that did not end may have failed in a check, which the printed program then needs.
        // All other checks passed.
        if statement.is_open.get() && !operation.checked_path.is_empty() {
            return Callee::Path(operation.checked_path);
        }
        // An empty list has no type as a receiver.
        let is_untyped = match statement.arguments.first() {
            Some(Argument::Literal { type_index, .. }) => {
                table.type_at(*type_index).name.contains('<')
            }
            _ => false,
        };
        match operation.is_method && !operation.needs_path(table) && !is_untyped {
            true => Callee::Method(operation.name),
            false => Callee::Path(operation.printed_path),
        }
    }

    /// Returns the call without the code after it.
    pub(super) fn call(&self, arguments: &[Expression]) -> String {
        let list = |arguments: &[Expression]| {
            arguments.iter().map(Expression::code).collect::<Vec<_>>().join(", ")
        };
        match (self, arguments.split_first()) {
            (Callee::Declaration, Some((object, _))) => object.code(),
            (Callee::Method(name), Some((receiver, rest))) => {
                format!("{}.{name}({})", receiver.receiver(), list(rest))
            }
            (Callee::Method(path) | Callee::Path(path), _) => {
                format!("{path}({})", list(arguments))
            }
            (Callee::Declaration, None) => String::new(),
        }
    }
}
