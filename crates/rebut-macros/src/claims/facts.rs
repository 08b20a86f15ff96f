//! Conditions that are known to hold, and assertions that contradict them.
//!
//! In `if m != n { eprintln!("{m}"); assert_eq!(m, n); }` the assertion always fails, so the
//! condition is the check. Both are compared as tokens: a fact that is not recognized is lost, and
//! then the assertion counts as one that may pass.

use std::cmp::Ordering::{self, Equal, Greater, Less};

use proc_macro2::TokenTree;
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{BinOp, Expr, ExprLit, Lit, Macro, Token, UnOp};

use super::names;

/// A condition that holds, or that an assertion claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// How two expressions compare.
    Compare { left: String, right: String, orders: Vec<Ordering> },
    /// Whether an expression is true.
    Is(String, bool),
}

/// Returns the facts that hold if an expression has this value.
pub(super) fn facts(expr: &Expr, is_true: bool) -> Vec<Fact> {
    match expr {
        Expr::Paren(one) => facts(&one.expr, is_true),
        Expr::Group(one) => facts(&one.expr, is_true),
        Expr::Unary(one) if matches!(one.op, UnOp::Not(_)) => facts(&one.expr, !is_true),
        Expr::Binary(one) => match (&one.op, is_true) {
            (BinOp::And(_), true) | (BinOp::Or(_), false) => {
                let mut both = facts(&one.left, is_true);
                both.extend(facts(&one.right, is_true));
                both
            }
            (operator, _) => match orders(operator) {
                Some(orders) => vec![compare(&one.left, &one.right, &orders, is_true)],
                None => Vec::new(),
            },
        },
        Expr::MethodCall(one) if one.args.is_empty() => {
            let receiver = text(&one.receiver);
            match one.method.to_string().as_str() {
                "is_some" => vec![Fact::Is(present(&receiver), is_true)],
                "is_none" => vec![Fact::Is(present(&receiver), !is_true)],
                "is_ok" => vec![Fact::Is(good(&receiver), is_true)],
                "is_err" => vec![Fact::Is(good(&receiver), !is_true)],
                _ => vec![Fact::Is(text(expr), is_true)],
            }
        }
        Expr::Path(_) | Expr::Field(_) | Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) => {
            vec![Fact::Is(text(expr), is_true)]
        }
        _ => Vec::new(),
    }
}

/// Returns the facts that an assertion claims: `assert_eq!(a, b)`.
pub(super) fn claimed_by_macro(mac: &Macro) -> Vec<Fact> {
    let name = names::last(&mac.path);
    if !names::is_assertion(&name) {
        return Vec::new();
    }
    let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
    let Ok(arguments) = parser.parse2(mac.tokens.clone()) else { return Vec::new() };
    let mut arguments = arguments.iter();
    match (arguments.next(), arguments.next()) {
        (Some(left), Some(right)) if name.ends_with("_eq") => {
            vec![compare(left, right, &[Equal], true)]
        }
        (Some(left), Some(right)) if name.ends_with("_ne") => {
            vec![compare(left, right, &[Equal], false)]
        }
        (Some(condition), _) if name.ends_with("assert") => facts(condition, true),
        _ => Vec::new(),
    }
}

/// Returns the facts without which a call fails: `result.unwrap()`.
pub(super) fn claimed_by_call(expr: &Expr) -> Vec<Fact> {
    let Expr::MethodCall(call) = expr else { return Vec::new() };
    let receiver = text(&call.receiver);
    match call.method.to_string().as_str() {
        "unwrap" | "expect" => {
            vec![Fact::Is(present(&receiver), true), Fact::Is(good(&receiver), true)]
        }
        "unwrap_err" | "expect_err" => vec![Fact::Is(good(&receiver), false)],
        _ => Vec::new(),
    }
}

/// Returns the facts without which a result is a failure: `return ok`.
pub(super) fn claimed_by_result(expr: &Expr) -> Vec<Fact> {
    let mut claimed = vec![Fact::Is(good(&text(expr)), true)];
    claimed.extend(facts(expr, true));
    claimed
}

/// Returns whether an assertion always fails: `assert!(false, "no")`.
pub(super) fn always_fails(mac: &Macro) -> bool {
    let name = names::last(&mac.path);
    if !names::is_assertion(&name) || !name.ends_with("assert") {
        return false;
    }
    let first = mac
        .tokens
        .clone()
        .into_iter()
        .take_while(|tree| !matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ','));
    let condition: Result<Expr, _> = syn::parse2(first.collect());
    condition.is_ok_and(|condition| truth(&condition) == Some(false))
}

/// Returns the value of a condition that is a literal.
pub(super) fn truth(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Bool(lit), .. }) => Some(lit.value),
        Expr::Paren(one) => truth(&one.expr),
        Expr::Unary(one) if matches!(one.op, UnOp::Not(_)) => truth(&one.expr).map(|value| !value),
        _ => None,
    }
}

/// Returns the fact that a variable is an error.
pub(super) fn is_bad(variable: &str) -> Fact {
    Fact::Is(good(variable), false)
}

/// Returns whether one of these claims is false if these facts hold.
pub(super) fn contradict(known: &[Fact], claimed: &[Fact]) -> bool {
    claimed
        .iter()
        .any(|claim| is_impossible(claim) || known.iter().any(|fact| excludes(fact, claim)))
}

/// Returns whether a claim is never true: `assert_ne!(m, m)`.
fn is_impossible(claim: &Fact) -> bool {
    match claim {
        Fact::Compare { left, right, orders } => left == right && !orders.contains(&Equal),
        Fact::Is(..) => false,
    }
}

fn excludes(fact: &Fact, claim: &Fact) -> bool {
    match (fact, claim) {
        (Fact::Is(one, is_true), Fact::Is(other, is_claimed)) => {
            one == other && is_true != is_claimed
        }
        (
            Fact::Compare { left, right, orders },
            Fact::Compare { left: first, right: second, orders: claimed },
        ) => {
            if left == first && right == second {
                !orders.iter().any(|order| claimed.contains(order))
            } else if left == second && right == first {
                !orders.iter().any(|order| claimed.contains(&order.reverse()))
            } else {
                false
            }
        }
        _ => false,
    }
}

fn compare(left: &Expr, right: &Expr, orders: &[Ordering], is_true: bool) -> Fact {
    let orders = [Less, Equal, Greater].into_iter().filter(|one| orders.contains(one) == is_true);
    Fact::Compare { left: text(left), right: text(right), orders: orders.collect() }
}

/// Returns the orders for which an operator is true.
fn orders(operator: &BinOp) -> Option<Vec<Ordering>> {
    match operator {
        BinOp::Eq(_) => Some(vec![Equal]),
        BinOp::Ne(_) => Some(vec![Less, Greater]),
        BinOp::Lt(_) => Some(vec![Less]),
        BinOp::Le(_) => Some(vec![Less, Equal]),
        BinOp::Gt(_) => Some(vec![Greater]),
        BinOp::Ge(_) => Some(vec![Greater, Equal]),
        _ => None,
    }
}

fn present(receiver: &str) -> String {
    format!("{receiver} . is_some ()")
}

fn good(receiver: &str) -> String {
    format!("{receiver} . is_ok ()")
}

/// Returns the tokens of an expression, without borrows and parentheses around it.
fn text(expr: &Expr) -> String {
    match expr {
        Expr::Paren(one) => text(&one.expr),
        Expr::Group(one) => text(&one.expr),
        Expr::Reference(one) => text(&one.expr),
        Expr::Unary(one) if matches!(one.op, UnOp::Deref(_)) => text(&one.expr),
        expr => expr.to_token_stream().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contradiction(condition: &str, assertion: &str) -> bool {
        let condition: Expr = syn::parse_str(condition).expect("a condition");
        let assertion: Expr = syn::parse_str(assertion).expect("an expression");
        let claimed = match &assertion {
            Expr::Macro(one) => claimed_by_macro(&one.mac),
            other => claimed_by_call(other),
        };
        contradict(&facts(&condition, true), &claimed)
    }

    #[test]
    fn assertions_of_the_opposite_contradict() {
        for (condition, assertion) in [
            ("m != n", "assert_eq!(m, n)"),
            ("m != Ok(n)", "assert_eq!(Ok(n), m, \"{n}\")"),
            ("*k != last.1", "assert_eq!(last.1, *k)"),
            ("a == b", "assert_ne!(a, b)"),
            ("x > m", "assert!(x <= m)"),
            ("x > m", "assert!(m >= x)"),
            ("x >= m", "debug_assert!(x < m)"),
            ("!(a == b)", "assert!(a == b)"),
            ("!ok", "assert!(ok)"),
            ("bad.is_empty() && !ok(&x)", "prop_assert!(ok(&x))"),
            ("!(a || b)", "assert!(b)"),
            ("r.is_none()", "assert!(r.is_some())"),
            ("unknown", "assert_ne!(m, m)"),
            ("r.is_err()", "r.unwrap()"),
            ("r.is_none()", "r.expect(\"some\")"),
            ("r.is_ok()", "r.unwrap_err()"),
            ("!matches!(n, 0..=8)", "assert!(matches!(n, 0..=8))"),
        ] {
            assert!(contradiction(condition, assertion), "{condition}: {assertion}");
        }
    }

    #[test]
    fn other_assertions_do_not_contradict() {
        for (condition, assertion) in [
            ("m == n", "assert_eq!(m, n)"),
            ("m != n", "assert_eq!(m, k)"),
            ("m != n", "assert!(m < n)"),
            ("x >= m", "assert!(x <= m)"),
            ("a || !b", "assert!(b)"),
            ("r.is_ok()", "r.unwrap()"),
            ("is_valid(&s)", "assert!(parse(&s).is_ok())"),
            ("m != n", "check!(m == n)"),
        ] {
            assert!(!contradiction(condition, assertion), "{condition}: {assertion}");
        }
    }

    #[test]
    fn literal_conditions_fail_always() {
        let fails = |text: &str| {
            let Ok(Expr::Macro(one)) = syn::parse_str(text) else { panic!("a macro") };
            always_fails(&one.mac)
        };
        assert!(fails("assert!(false)") && fails("assert!((!true), \"{x}, {y}\")"));
        assert!(fails("debug_assert!(false, \"no\")"));
        assert!(!fails("assert!(x, false)") && !fails("assert_eq!(false, x)"));
    }
}
