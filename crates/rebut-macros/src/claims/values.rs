//! The results of a property, and branches that fail.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Arm, BinOp, Block, Expr, ExprLit, Lit, Macro, Pat, ReturnType, Stmt, Type, UnOp};

use super::facts::{self, Fact};
use super::names;

/// The kind of result of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultKind {
    Nothing,
    /// A value that says whether the case passed. For `not_exists`, `false` is the good result.
    Truth {
        good: bool,
    },
}

/// Returns what a function with this return type returns.
pub(crate) fn result_kind(output: &ReturnType, good: bool) -> ResultKind {
    match output {
        ReturnType::Default => ResultKind::Nothing,
        ReturnType::Type(_, ty) => match &**ty {
            Type::Tuple(tuple) if tuple.elems.is_empty() => ResultKind::Nothing,
            _ => ResultKind::Truth { good },
        },
    }
}

/// The meaning of a result that is known without evaluating it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    /// It says that nothing is wrong, so it checks nothing.
    Good,
    /// It says that the property fails.
    Bad,
    /// It depends on something.
    Other,
}

/// Reads a result.
pub(super) fn literal(expr: &Expr, kind: ResultKind) -> Literal {
    let good = !matches!(kind, ResultKind::Truth { good: false });
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Bool(lit), .. }) => {
            if lit.value == good {
                Literal::Good
            } else {
                Literal::Bad
            }
        }
        Expr::Unary(_) if facts::truth(expr).is_some() => {
            if facts::truth(expr) == Some(good) {
                Literal::Good
            } else {
                Literal::Bad
            }
        }
        Expr::Tuple(tuple) if tuple.elems.is_empty() => Literal::Good,
        // `Err("no").map_err(Error::from)`, `None.ok_or("no")`
        Expr::MethodCall(call) if names::keeps_error(&call.method.to_string()) => {
            match literal(&call.receiver, kind) {
                Literal::Bad => Literal::Bad,
                _ => Literal::Other,
            }
        }
        Expr::MethodCall(call) if call.method == "ok_or" || call.method == "ok_or_else" => {
            match &*call.receiver {
                Expr::Path(path) if names::last(&path.path) == "None" => Literal::Bad,
                _ => Literal::Other,
            }
        }
        Expr::Paren(one) => literal(&one.expr, kind),
        Expr::Group(one) => literal(&one.expr, kind),
        Expr::Path(path) => match names::last(&path.path).as_str() {
            "SUCCESS" => Literal::Good,
            "FAILURE" => Literal::Bad,
            name if names::is_error(name) => Literal::Bad,
            _ => Literal::Other,
        },
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => Literal::Good,
        Expr::Call(call) => match (names::called(expr).as_str(), call.args.first()) {
            ("Ok" | "Some", Some(inner)) => literal(inner, kind),
            ("Err", Some(inner)) if mentions(inner.to_token_stream(), &is_rejection) => {
                Literal::Good
            }
            ("Err", _) => Literal::Bad,
            ("passed" | "discard", None) => Literal::Good,
            // An exit code.
            ("from", Some(Expr::Lit(ExprLit { lit: Lit::Int(code), .. }))) => {
                match code.base10_digits() {
                    "0" => Literal::Good,
                    _ => Literal::Bad,
                }
            }
            (name, _) if names::is_error(name) || names::is_failing(name) => Literal::Bad,
            _ => Literal::Other,
        },
        _ => Literal::Other,
    }
}

fn is_rejection(name: &str) -> bool {
    name == "reject" || name == "Reject"
}

/// A branch, and the conditions that hold in it.
#[derive(Clone, Copy)]
pub(super) struct Branch<'a> {
    /// Whether its value is the result of the property.
    pub(super) is_result: bool,
    pub(super) kind: ResultKind,
    /// The conditions that hold in it.
    pub(super) known: &'a [Fact],
}

/// Returns whether a branch fails the property, without a further condition.
pub(super) fn fails(block: &Block, branch: Branch<'_>) -> bool {
    one_fails(block.stmts.iter(), branch)
}

/// Returns whether one of the statements at the end of a block fails the property.
pub(super) fn one_fails<'a>(
    statements: impl ExactSizeIterator<Item = &'a Stmt>,
    branch: Branch<'_>,
) -> bool {
    let last = statements.len().saturating_sub(1);
    for (nth, statement) in statements.enumerate() {
        let is_result = branch.is_result && nth == last;
        if statement_fails(statement, Branch { is_result, ..branch }) {
            return true;
        }
        if ends_here(statement) {
            return false;
        }
    }
    false
}

/// Returns whether a statement fails the property.
fn statement_fails(statement: &Stmt, branch: Branch<'_>) -> bool {
    match statement {
        Stmt::Expr(expr, semicolon) => {
            let is_result = branch.is_result && semicolon.is_none();
            expression_fails(expr, Branch { is_result, ..branch })
        }
        Stmt::Macro(one) => macro_fails(&one.mac, branch),
        Stmt::Local(local) => match &local.init {
            Some(init) => expression_fails(&init.expr, Branch { is_result: false, ..branch }),
            None => false,
        },
        Stmt::Item(_) => false,
    }
}

/// Like [`fails`], for a branch that is an expression.
pub(super) fn expression_fails(expr: &Expr, branch: Branch<'_>) -> bool {
    match expr {
        Expr::Macro(one) => macro_fails(&one.mac, branch),
        Expr::Return(one) => {
            one.expr.as_ref().is_some_and(|expr| is_failure(expr, branch.known, branch.kind))
        }
        // `Err("no")?`
        Expr::Try(one) if literal(&one.expr, branch.kind) == Literal::Bad => true,
        Expr::Block(block) => fails(&block.block, branch),
        Expr::Unsafe(block) => fails(&block.block, branch),
        Expr::Call(_) | Expr::MethodCall(_) if names::is_failing(&names::called(expr)) => true,
        Expr::MethodCall(_) if facts::contradict(branch.known, &facts::claimed_by_call(expr)) => {
            true
        }
        expr => branch.is_result && is_failure(expr, branch.known, branch.kind),
    }
}

fn macro_fails(mac: &Macro, branch: Branch<'_>) -> bool {
    names::is_failing(&names::last(&mac.path))
        || facts::always_fails(mac)
        || facts::contradict(branch.known, &facts::claimed_by_macro(mac))
}

/// Returns whether a result is certainly a failure: a literal, or `ok` where `ok` is false.
fn is_failure(expr: &Expr, known: &[Fact], kind: ResultKind) -> bool {
    literal(expr, kind) == Literal::Bad
        || (kind == ResultKind::Truth { good: true }
            && matches!(expr, Expr::Path(_))
            && facts::contradict(known, &facts::claimed_by_result(expr)))
}

/// Returns whether no statement after this one can run.
pub(super) fn ends_here(statement: &Stmt) -> bool {
    match statement {
        Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _) => true,
        Stmt::Expr(Expr::Macro(one), _) => names::is_failure(&names::last(&one.mac.path)),
        Stmt::Macro(one) => names::is_failure(&names::last(&one.mac.path)),
        _ => false,
    }
}

/// Returns whether a block calls something for its effect.
pub(super) fn calls(block: &Block) -> bool {
    block.stmts.iter().any(|statement| match statement {
        Stmt::Expr(expr, _) => {
            let is_call = match expr {
                Expr::Await(one) => matches!(*one.base, Expr::Call(_) | Expr::MethodCall(_)),
                expr => matches!(expr, Expr::Call(_) | Expr::MethodCall(_)),
            };
            is_call && !names::is_no_claim(&names::called(expr))
        }
        _ => false,
    })
}

/// Returns whether a block ends with a call that may not return: `give_up(n);`.
pub(super) fn ends_in_call(block: &Block, is_result: bool) -> bool {
    match block.stmts.last() {
        Some(Stmt::Expr(expr, semicolon)) => {
            (semicolon.is_some() || !is_result) && may_not_return(expr)
        }
        Some(Stmt::Macro(one)) => is_message(&one.mac),
        _ => false,
    }
}

/// Returns whether an unknown macro takes only a message, so that it may be a `panic!`.
fn is_message(mac: &Macro) -> bool {
    let name = names::last(&mac.path);
    let is_known = names::is_no_claim(&name) || names::is_checking(&name);
    let first = mac.tokens.clone().into_iter().next();
    let is_text = matches!(&first, Some(TokenTree::Literal(one)) if one.to_string().contains('"'));
    !is_known && (first.is_none() || is_text)
}

/// Returns whether tokens unwrap something, as the arguments of `format!` may.
pub(super) fn unwraps(tokens: TokenStream) -> bool {
    let mut is_method = false;
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => unwraps(group.stream()),
        TokenTree::Ident(name) => {
            let was_method = std::mem::replace(&mut is_method, false);
            was_method && names::is_unwrap(&name.to_string())
        }
        TokenTree::Punct(punct) => {
            is_method = punct.as_char() == '.';
            false
        }
        TokenTree::Literal(_) => false,
    })
}

/// Returns whether an expression is a call of an unknown function, which may not return.
pub(super) fn may_not_return(expr: &Expr) -> bool {
    if let Expr::Macro(one) = expr {
        return is_message(&one.mac);
    }
    let name = names::called(expr);
    let is_known = names::is_no_claim(&name)
        || names::is_trivial(&name)
        || names::any_called(expr, &names::is_checking);
    matches!(expr, Expr::Call(_) | Expr::MethodCall(_)) && !is_known
}

/// Returns whether tokens contain `return`.
pub(super) fn returns(tokens: TokenStream) -> bool {
    mentions(tokens, &|name| name == "return")
}

fn mentions(tokens: TokenStream, is_one: &dyn Fn(&str) -> bool) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => mentions(group.stream(), is_one),
        TokenTree::Ident(name) => is_one(&name.to_string()),
        _ => false,
    })
}

/// Returns whether tokens contain `#[cfg(..)]` or `#[cfg_attr(..)]`, so that parts of them may not
/// be compiled.
pub(super) fn has_cfg(tokens: TokenStream) -> bool {
    let mut is_attribute = false;
    tokens.into_iter().any(|tree| {
        let found = match &tree {
            TokenTree::Group(group) => {
                let first = group.stream().into_iter().next();
                let is_cfg = matches!(&first, Some(TokenTree::Ident(name)) if *name == "cfg" || *name == "cfg_attr");
                (is_attribute && is_cfg) || has_cfg(group.stream())
            }
            _ => false,
        };
        is_attribute = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == '#');
        found
    })
}

/// Returns whether an argument of a call is a function that may check: `map(Result::unwrap)`,
/// `for_each(check)`, `unwrap_or_else(give_up)`.
pub(super) fn passes_check(expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else { return false };
    let method = call.method.to_string();
    let calls_for_effect = ["for_each", "try_for_each", "inspect", "unwrap_or_else", "map_or_else"]
        .contains(&method.as_str());
    call.args.iter().any(|argument| match argument {
        Expr::Path(path) => {
            let name = names::last(&path.path);
            names::is_unwrap(&name)
                || names::is_checking(&name)
                || (calls_for_effect && !names::is_trivial(&name) && !names::is_no_claim(&name))
        }
        _ => false,
    })
}

/// Returns whether an expression searches for an element for which something is not true, which is
/// probably what the property claims of all elements: `list.iter().find(|x| again(x) != **x)`.
pub(super) fn searches(expr: &Expr) -> bool {
    const NAMES: [&str; 5] = ["find", "position", "rfind", "rposition", "find_any"];
    match expr {
        Expr::MethodCall(call) => {
            NAMES.contains(&call.method.to_string().as_str())
                && call.args.iter().any(|argument| match argument {
                    Expr::Closure(closure) => is_negation(&closure.body),
                    _ => false,
                })
        }
        Expr::Paren(one) => searches(&one.expr),
        Expr::Reference(one) => searches(&one.expr),
        _ => false,
    }
}

fn is_negation(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(one) => matches!(one.op, UnOp::Not(_)),
        Expr::Binary(one) => matches!(one.op, BinOp::Ne(_)),
        Expr::MethodCall(call) => call.method == "is_err" || call.method == "is_none",
        Expr::Paren(one) => is_negation(&one.expr),
        _ => false,
    }
}

/// Returns the variable of an arm that takes all results except `Ok(..)`: `other => return other`.
pub(super) fn error_variable(arms: &[Arm], nth: usize) -> Option<String> {
    let takes_good = |arm: &Arm| match &arm.pat {
        Pat::TupleStruct(pattern) => names::last(&pattern.path) == "Ok",
        _ => false,
    };
    match &arms[nth].pat {
        Pat::Ident(name) if arms[..nth].iter().any(takes_good) => Some(name.ident.to_string()),
        _ => None,
    }
}
