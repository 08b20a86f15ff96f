//! Names of functions and macros, and what they suggest.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::{Expr, Path};

/// Returns the last part of a path.
pub(super) fn last(path: &Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}

/// Returns the name of the function or method that an expression calls; empty if it has none.
pub(super) fn called(expr: &Expr) -> String {
    match expr {
        Expr::MethodCall(call) => call.method.to_string(),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => last(&path.path),
            _ => String::new(),
        },
        Expr::Await(one) => called(&one.base),
        Expr::Paren(one) => called(&one.expr),
        _ => String::new(),
    }
}

/// Returns whether one of the names in a chain of calls is as asked: `assert_that(x).is_empty()`.
pub(super) fn any_called(expr: &Expr, is_one: &dyn Fn(&str) -> bool) -> bool {
    match expr {
        Expr::MethodCall(call) => {
            is_one(&call.method.to_string()) || any_called(&call.receiver, is_one)
        }
        Expr::Call(_) => is_one(&called(expr)),
        Expr::Macro(one) => is_one(&last(&one.mac.path)),
        Expr::Await(one) => any_called(&one.base, is_one),
        Expr::Try(one) => any_called(&one.expr, is_one),
        Expr::Paren(one) => any_called(&one.expr, is_one),
        _ => false,
    }
}

/// Returns the variable that an expression is a part of.
pub(super) fn root(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Path(path) if path.path.get_ident().is_some() => path.to_token_stream(),
        Expr::Field(one) => root(&one.base),
        Expr::Index(one) => root(&one.expr),
        Expr::MethodCall(one) => root(&one.receiver),
        Expr::Paren(one) => root(&one.expr),
        Expr::Reference(one) => root(&one.expr),
        Expr::Unary(one) => root(&one.expr),
        _ => TokenStream::new(),
    }
}

/// Returns whether a macro or a function is an assertion by its name. `assertions()` counts some, and
/// `ensure_capacity()` makes room.
pub(super) fn is_assertion(name: &str) -> bool {
    let asserts = |part: &str| part == "assert";
    name.split('_').any(asserts)
        || ["claim", "ensure"].iter().any(|verb| {
            let rest = name.strip_prefix(verb);
            rest.is_some_and(|rest| ["", "_eq", "_ne", "_that", "_matches"].contains(&rest))
        })
}

/// Returns whether an assertion is compiled only if debug assertions are on.
pub(super) fn is_debug_assertion(name: &str) -> bool {
    name.starts_with("debug_assert")
}

/// Returns whether the name of a function or method suggests that it checks something.
pub(super) fn is_checking(name: &str) -> bool {
    const PARTS: [&str; 17] = [
        "check",
        "verify",
        "valid",
        "test",
        "must",
        "should",
        "compare",
        "require",
        "prove",
        "confirm",
        "round",
        "same",
        "equal",
        "match",
        "law",
        "invariant",
        "compile",
    ];
    if is_unwrap(name) {
        return false;
    }
    is_assertion(name)
        || name.starts_with("run")
        || name.starts_with("expect")
        || PARTS.iter().any(|part| name.contains(part))
}

/// Returns whether a macro always fails.
pub(super) fn is_failure(name: &str) -> bool {
    ["panic", "unreachable", "todo", "unimplemented", "bail", "fail", "panic_any"].contains(&name)
}

/// Returns whether a function always fails, by its name.
pub(super) fn is_failing(name: &str) -> bool {
    const BEGINS: [&str; 6] = ["abort", "bail", "exit", "fail", "panic", "mismatch"];
    // This one returns a result.
    let is_result = name == "failed";
    is_failure(name) || (!is_result && BEGINS.iter().any(|begin| name.starts_with(begin)))
}

/// Returns whether a function or a variable is a failure, by its name.
pub(super) fn is_error(name: &str) -> bool {
    const WORDS: [&str; 7] = ["err", "error", "failure", "failed", "mismatch", "bad", "wrong"];
    name.split('_').any(|word| WORDS.contains(&word))
}

/// Returns whether a method keeps a failure a failure: `Err("no").map_err(Error::from)`.
pub(super) fn keeps_error(name: &str) -> bool {
    ["map", "map_err", "context", "with_context", "into"].contains(&name)
}

/// Returns whether a method of a shared object changes what it contains.
pub(super) fn changes(name: &str) -> bool {
    const NAMES: [&str; 9] =
        ["set", "store", "replace", "swap", "update", "send", "lock", "write", "borrow_mut"];
    NAMES.contains(&name) || name.starts_with("fetch_")
}

/// Returns whether an expression unwraps the result of `write!`, which fails only if the writer
/// does.
pub(super) fn is_write(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(call) => match &*call.receiver {
            Expr::Macro(one) => ["write", "writeln"].contains(&last(&one.mac.path).as_str()),
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether a method fails if there is no value.
pub(super) fn is_unwrap(name: &str) -> bool {
    ["unwrap", "expect", "unwrap_err", "expect_err"].contains(&name)
}

/// Returns whether a function reports a score, which is not a result.
pub(super) fn is_score(name: &str) -> bool {
    ["maximize", "maximize_as", "minimize", "minimize_as", "needed"].contains(&name)
}

/// Returns whether a macro or a function certainly checks nothing: it prints, logs, measures,
/// selects inputs or frees a value.
pub(super) fn is_no_claim(name: &str) -> bool {
    const NAMES: [&str; 44] = [
        "print",
        "println",
        "eprint",
        "eprintln",
        "dbg",
        "write",
        "writeln",
        "format",
        "vec",
        "trace",
        "debug",
        "info",
        "warn",
        "error",
        "log",
        "note",
        "label",
        "cover",
        "classify",
        "collect",
        "tabulate",
        "assume",
        "prop_assume",
        "reject",
        "discard",
        "reset_search",
        "is_reporting",
        "drop",
        "forget",
        "swap",
        "replace",
        "take",
        "sleep",
        "yield_now",
        "black_box",
        "init",
        "try_init",
        "init_logger",
        "setup",
        "Ok",
        "Some",
        "Err",
        "None",
        "identity",
    ];
    NAMES.contains(&name) || is_score(name)
}

/// Returns whether a method of the standard library tests nothing on its own. In a body without
/// assertions, other calls are what the property tests.
pub(super) fn is_trivial(name: &str) -> bool {
    const NAMES: [&str; 40] = [
        "len",
        "is_empty",
        "clone",
        "cloned",
        "copied",
        "iter",
        "iter_mut",
        "into_iter",
        "to_string",
        "to_owned",
        "into",
        "as_str",
        "as_bytes",
        "as_slice",
        "as_ref",
        "as_mut",
        "chars",
        "bytes",
        "lines",
        "to_vec",
        "collect",
        "first",
        "last",
        "get",
        "contains",
        "contains_key",
        "starts_with",
        "ends_with",
        "any",
        "all",
        "min",
        "max",
        "abs",
        "count",
        "is_finite",
        "is_nan",
        "is_ascii",
        "push",
        "insert",
        "extend",
    ];
    NAMES.contains(&name) || name.starts_with(|first: char| first.is_uppercase())
}
