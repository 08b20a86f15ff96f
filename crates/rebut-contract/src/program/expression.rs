//! Expressions of printed programs.
//!
//! The printer decides late how an argument is used: passed to a call, as the receiver of a method,
//! or only read in a condition. So an expression is a tree until then.

use crate::template::{Piece, Template};

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    /// A name, a call, or other code that can be followed by `.method()`.
    Code(String),
    /// A number literal. As a receiver it needs its type.
    Number { code: String, type_name: &'static str },
    /// Code that needs parentheses before `.method()` and behind `&`.
    Open(String),
    /// A reference to an expression.
    Borrow { is_mut: bool, of: Box<Expression> },
    /// The target of a reference.
    Deref(Box<Expression>),
}

impl Expression {
    pub(super) fn borrow(self, is_mut: bool) -> Expression {
        Expression::Borrow { is_mut, of: Box::new(self) }
    }

    pub(super) fn deref(self) -> Expression {
        Expression::Deref(Box::new(self))
    }

    /// Returns a list without `vec!`, for a reference to a slice.
    pub(super) fn into_slice(self) -> Expression {
        match &self {
            Expression::Code(code) => match code.strip_prefix("vec!") {
                Some(list) if list.starts_with('[') => Expression::Code(list.to_owned()),
                _ => self,
            },
            _ => self,
        }
    }

    /// Returns the expression without a reference around it.
    pub(super) fn place(self) -> Expression {
        match self {
            Expression::Borrow { of, .. } => *of,
            other => other,
        }
    }

    /// Adds code such as `.clone()`.
    pub(super) fn then(self, code: &str) -> Expression {
        match code.is_empty() {
            true => self,
            false => Expression::Code(format!("{}{code}", self.receiver())),
        }
    }

    /// Returns the code of an argument.
    pub(super) fn code(&self) -> String {
        match self {
            Expression::Code(code) | Expression::Number { code, .. } | Expression::Open(code) => {
                code.clone()
            }
            Expression::Borrow { of, .. } if matches!(**of, Expression::Open(_)) => {
                let by = if matches!(self, Expression::Borrow { is_mut: true, .. }) {
                    "mut "
                } else {
                    ""
                };
                format!("&{by}({})", of.code())
            }
            Expression::Borrow { is_mut: false, of } => format!("&{}", of.code()),
            Expression::Borrow { is_mut: true, of } => format!("&mut {}", of.code()),
            Expression::Deref(of) => format!("*{}", of.code()),
        }
    }

    /// Returns the code before `.method()`, which borrows and dereferences automatically.
    pub(super) fn receiver(&self) -> String {
        match self {
            Expression::Code(code) => code.clone(),
            Expression::Open(code) => format!("({code})"),
            Expression::Number { code, type_name } if code.starts_with('-') => {
                format!("({code}_{type_name})")
            }
            Expression::Number { code, type_name } => format!("{code}_{type_name}"),
            Expression::Borrow { of, .. } | Expression::Deref(of) => of.receiver(),
        }
    }

    /// Returns the code as an operand after or before these pieces of code.
    fn operand(&self, before: &str, after: &str) -> String {
        let is_method = after.starts_with('.') && !after.starts_with("..");
        if is_method || after.starts_with(['[', '?']) {
            return self.receiver();
        }
        let code = match self {
            // A function for several types, such as `u32::from`, does not determine the type of a number.
            Expression::Number { code, type_name } if is_after_path(before) => {
                format!("{code}_{type_name}")
            }
            _ => self.code(),
        };
        let is_unary = before.ends_with(['-', '!', '*', '&']) || after.starts_with(" as ");
        let is_simple = matches!(self, Expression::Code(_)) || code.starts_with(char::is_numeric);
        if is_unary && !is_simple { format!("({code})") } else { code }
    }
}

/// Returns whether the code ends with `path::function(`.
fn is_after_path(before: &str) -> bool {
    let Some(function) = before.trim_end_matches('&').strip_suffix('(') else { return false };
    let is_part = |c: char| c == ':' || c == '_' || c.is_alphanumeric();
    function.rsplit(|c| !is_part(c)).next().is_some_and(|path| path.contains("::"))
}

/// Returns the code of a template with its arguments.
pub(super) fn filled(template: Template, arguments: &[Expression], model: &str) -> String {
    let mut text = String::new();
    for (nth, piece) in template.iter().enumerate() {
        let after = match template.get(nth + 1) {
            Some(Piece::Code(code)) => code,
            _ => "",
        };
        match piece {
            Piece::Code(code) => text.push_str(code),
            Piece::Model => text.push_str(model),
            Piece::Argument(nth) => {
                let code = arguments.get(*nth).map(|argument| argument.operand(&text, after));
                text.push_str(&code.unwrap_or_default());
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_written_as_their_place_needs() {
        let list = Expression::Code("list".to_owned()).borrow(true);
        let text = Expression::Code("\"{0}\"".to_owned());
        let n = Expression::Number { code: "-1".to_owned(), type_name: "i8" };
        let arguments = [list, text, n];
        let add: Template = &[
            Piece::Argument(0),
            Piece::Code(".add("),
            Piece::Argument(1),
            Piece::Code(", "),
            Piece::Argument(0),
            Piece::Code(")"),
        ];
        assert_eq!(filled(add, &arguments, ""), "list.add(\"{0}\", &mut list)");
        let signs: Template =
            &[Piece::Code("-"), Piece::Argument(2), Piece::Code(" < "), Piece::Argument(2)];
        assert_eq!(filled(signs, &arguments, ""), "-(-1) < -1");
        let method: Template = &[Piece::Argument(2), Piece::Code(".abs() < "), Piece::Model];
        assert_eq!(filled(method, &arguments, "m"), "(-1_i8).abs() < m");
    }
}
