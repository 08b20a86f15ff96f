//! A fault that strikes after a number of calls, at the call that it strikes.

use std::cell::Cell;

thread_local! {
    static REST: Cell<u32> = const { Cell::new(0) };
}

/// Lets the call with this number panic.
pub fn set(calls: u32) {
    REST.set(calls);
}

/// Counts one call. Clauses must not call it: a program evaluates some of them twice.
#[track_caller]
pub fn tick(what: &str) {
    let rest = REST.get().saturating_sub(1);
    REST.set(rest);
    assert!(rest > 0, "fault in {what}");
}
