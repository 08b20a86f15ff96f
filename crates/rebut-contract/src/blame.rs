//! Finds the party that is to blame for a violated contract.
//!
//! Every call of code with a contract, and every call of a generated callback, is an entry on a
//! stack of the thread: the function, and the party that it belongs to. A violated `requires` is
//! the fault of the immediate caller. A violated `ensures` is the fault of the party that was
//! called. Findler and Felleisen (2002) find the party by wrapping values and swapping blame at
//! each arrow. Here the next entry of the stack is the swap, so it is correct at any depth and needs
//! no wrapper.
//!
//! # Examples
//! ```
//! use rebut_contract::blame::{self, Callee, Party};
//!
//! const PUSH: &Callee = &Callee { path: "Stack::push", party: Party::Code("Stack") };
//!
//! let call = blame::enter(true, PUSH);
//! assert!(call.is_checked());
//! assert_eq!(call.caller(), Party::Outside);
//! ```

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::resume_unwind;

use rebut_run::ContractViolation;

/// A party that can be to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// The code under test: the type, trait or function that has the contract.
    Code(&'static str),
    /// The generated program, with its callbacks.
    Program,
    /// Code without a contract, such as a test or `main`.
    Outside,
}

/// A function and the party that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callee {
    /// The path of the function, such as `BoundedStack::push`.
    pub path: &'static str,
    /// The party that the function belongs to.
    pub party: Party,
}

/// The path of closures that programs pass.
pub const CLOSURE: &str = "a callback";
/// The generated program itself.
const PROGRAM: &Callee = &Callee { path: "the program", party: Party::Program };
/// An unused entry.
const UNUSED: &Callee = &Callee { path: "", party: Party::Outside };

/// The maximum number of entries. Calls that are nested deeper are only counted, and have the party
/// of the last entry. Arbitrary: it takes 2 KiB of each thread, and only recursion of the code under
/// test nests that deep.
const ENTRIES_MAX: usize = 256;

/// The bit of `depth` that is set while calls are not tracked. One load reads both.
const UNTRACKED_BIT: usize = 1 << (usize::BITS - 1);
/// The index of a call that is not tracked.
const UNTRACKED: usize = usize::MAX;

/// The stack of a thread. It never grows and needs no destructor, because every call of code with a
/// contract uses it.
struct Stack {
    /// The number of entries, with [`UNTRACKED_BIT`] if calls are not tracked.
    depth: Cell<usize>,
    entries: [Cell<&'static Callee>; ENTRIES_MAX],
}

thread_local! {
    static STACK: Stack = const {
        Stack {
            depth: Cell::new(0),
            entries: [const { Cell::new(UNUSED) }; ENTRIES_MAX],
        }
    };
    static ENDED_BY: RefCell<Option<String>> = const { RefCell::new(None) };
    /// Whether the running program evaluated a clause whose violation is a failure.
    static HAS_CHECKED: Cell<bool> = const { Cell::new(false) };
}

impl Stack {
    #[inline]
    fn push(&self, entry: &'static Callee) -> usize {
        let depth = self.depth.get();
        if depth & UNTRACKED_BIT != 0 {
            return UNTRACKED;
        }
        if let Some(slot) = self.entries.get(depth) {
            slot.set(entry);
        }
        self.depth.set(depth + 1);
        depth
    }

    #[inline]
    fn at(&self, nth: usize) -> &'static Callee {
        self.entries[nth.min(ENTRIES_MAX - 1)].get()
    }
}

/// A call in progress. It ends when it is dropped, also by unwinding.
#[derive(Debug)]
pub struct Call {
    /// The number of entries below this one, or [`UNTRACKED`].
    below: usize,
}

/// Begins a call. Calls that a clause of a contract makes are not tracked.
#[inline]
#[must_use]
pub fn enter(is_active: bool, callee: &'static Callee) -> Call {
    let below = if is_active { STACK.with(|stack| stack.push(callee)) } else { UNTRACKED };
    Call { below }
}

/// Begins a call of a callback, which belongs to the party that passed it. `callees` has the entries
/// for code under test, for the program and for other code.
#[inline]
#[must_use]
pub fn enter_callback(is_active: bool, callees: &'static [Callee; 3], giver: Party) -> Call {
    let [code, program, outside] = callees;
    let callee = match giver {
        Party::Code(_) => code,
        Party::Program => program,
        Party::Outside => outside,
    };
    enter(is_active, callee)
}

impl Drop for Call {
    #[inline]
    fn drop(&mut self) {
        if self.below != UNTRACKED {
            STACK.with(|stack| stack.depth.set(self.below));
        }
    }
}

impl Call {
    /// Returns whether to check the clauses of this call.
    #[inline]
    #[must_use]
    pub fn is_checked(&self) -> bool {
        self.below != UNTRACKED
    }

    /// Returns whether the caller belongs to another party.
    #[inline]
    #[must_use]
    pub fn is_from_outside(&self) -> bool {
        self.is_checked() && self.entry().own() != self.entry().caller()
    }

    /// Returns the party of the caller, which passed the arguments of this call.
    #[inline]
    #[must_use]
    pub fn caller(&self) -> Party {
        self.entry().caller()
    }

    /// Evaluates a clause that is the duty of the caller.
    #[inline]
    pub fn caller_holds(&self, condition: impl FnOnce() -> bool) -> bool {
        self.note_check(self.entry().caller());
        holds(condition)
    }

    /// Evaluates a clause that is the duty of this function.
    #[inline]
    pub fn callee_holds(&self, condition: impl FnOnce() -> bool) -> bool {
        self.note_check(self.entry().own());
        holds(condition)
    }

    /// Notes that a clause is evaluated. If the program is to blame for it, it cannot fail.
    #[inline]
    fn note_check(&self, blame: Party) {
        if blame != Party::Program {
            HAS_CHECKED.set(true);
        }
    }

    /// Panics because a `requires` is false. If the generated program is to blame, it ends the
    /// program instead, which is not a failure.
    #[inline(always)]
    #[track_caller]
    pub fn break_requires(&self, clause: &str, object: &dyn Fn() -> Option<String>) -> ! {
        self.entry().fail(Entry::broken_requires, clause, object)
    }

    /// Panics because an `ensures` is false; see [`break_requires`](Call::break_requires).
    #[inline(always)]
    #[track_caller]
    pub fn break_ensures(&self, clause: &str, object: &dyn Fn() -> Option<String>) -> ! {
        self.entry().fail(Entry::broken_ensures, clause, object)
    }

    /// Panics because an invariant is false; see [`break_requires`](Call::break_requires).
    #[inline(always)]
    #[track_caller]
    pub fn break_invariant(&self, clause: &str, object: &dyn Fn() -> Option<String>) -> ! {
        self.entry().fail(Entry::broken_invariant, clause, object)
    }

    /// Panics because an invariant is false before this call; see
    /// [`break_requires`](Call::break_requires). A call that has not ended broke it, or an earlier
    /// one whose end could not be checked, because its result borrows the object.
    #[inline(always)]
    #[track_caller]
    pub fn break_invariant_before(&self, clause: &str, object: &dyn Fn() -> Option<String>) -> ! {
        self.entry().fail(Entry::broken_before, clause, object)
    }

    /// Returns the entry of the call. Rare operations work on a copy, so that the call itself stays
    /// in registers.
    #[inline(always)]
    fn entry(&self) -> Entry {
        Entry { below: self.below }
    }
}

/// The position of a call on the stack.
#[derive(Clone, Copy, Debug)]
struct Entry {
    below: usize,
}

impl Entry {
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn fail(
        self,
        broken: fn(Entry, &str, Option<String>) -> Violation,
        clause: &str,
        object: &dyn Fn() -> Option<String>,
    ) -> ! {
        // Print the object before the stack changes, and without tracking its calls.
        let object = untracked(object);
        let violation = broken(self, clause, object);
        if rebut_run::is_reporting() {
            rebut_run::note_violation(violation.parts());
        }
        panic!("{violation}")
    }

    fn broken_requires(self, clause: &str, object: Option<String>) -> Violation {
        self.broken("requires", clause, self.caller(), true, object)
    }

    fn broken_ensures(self, clause: &str, object: Option<String>) -> Violation {
        self.broken("ensures", clause, self.own(), false, object)
    }

    fn broken_invariant(self, clause: &str, object: Option<String>) -> Violation {
        self.broken("keeps", clause, self.own(), false, object)
    }

    fn broken_before(self, clause: &str, object: Option<String>) -> Violation {
        // A call of the same party that has not ended calls back with an object that is broken.
        let own = self.own();
        let is_open = |nth: &usize| Entry::party_at(*nth) == own;
        let open = (0..self.below.min(ENTRIES_MAX)).rev().find(is_open);
        let at_fault = open.map(|nth| STACK.with(|stack| stack.at(nth).path));
        Violation { at_fault, is_before: true, ..self.broken("keeps", clause, own, false, object) }
    }

    fn party_at(nth: usize) -> Party {
        STACK.with(|stack| stack.at(nth).party)
    }

    fn caller(self) -> Party {
        match self.below {
            0 | UNTRACKED => Party::Outside,
            below => Entry::party_at(below - 1),
        }
    }

    fn own(self) -> Party {
        if self.below == UNTRACKED { Party::Outside } else { Entry::party_at(self.below) }
    }

    fn broken(
        self,
        verb: &'static str,
        clause: &str,
        blame: Party,
        is_caller: bool,
        object: Option<String>,
    ) -> Violation {
        let path = self.path();
        let called = path.last().copied().unwrap_or("?");
        if blame == Party::Program {
            end_program(format!("`{called}` {verb} `{clause}`"));
        }
        let at_fault = match path.len() {
            n if is_caller && n >= 2 => Some(path[n - 2]),
            _ if is_caller => None,
            _ => Some(called),
        };
        let object = object.and_then(|object| shown_object(&object));
        let clause = clause.to_owned();
        Violation { called, verb, clause, blame, at_fault, is_before: false, object, path }
    }

    fn path(self) -> Vec<&'static str> {
        let end = if self.below == UNTRACKED { 0 } else { self.below + 1 };
        STACK.with(|stack| (0..end.min(ENTRIES_MAX)).map(|nth| stack.at(nth).path).collect())
    }
}

/// A violated contract and the details for its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    called: &'static str,
    verb: &'static str,
    clause: String,
    blame: Party,
    /// The function at fault; `None` if the caller is unknown.
    at_fault: Option<&'static str>,
    /// Whether the clause was false before the call, which is then not at fault.
    is_before: bool,
    object: Option<String>,
    /// The calls that led here, the outermost first.
    path: Vec<&'static str>,
}

impl Violation {
    /// Returns the party that is to blame.
    #[must_use]
    pub fn blame(&self) -> Party {
        self.blame
    }

    /// Returns the parts of the message, for events.
    fn parts(&self) -> ContractViolation {
        let party = match self.blame {
            Party::Code(_) => "code",
            Party::Program => "program",
            Party::Outside => "outside",
        };
        ContractViolation {
            message: self.to_string(),
            function: self.called.to_owned(),
            clause: self.verb.to_owned(),
            condition: self.clause.clone(),
            party: party.to_owned(),
            at_fault: self.at_fault.map(str::to_owned),
            object: self.object.clone(),
            calls: self.path.iter().map(|call| (*call).to_owned()).collect(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { called, verb, clause, at_fault, .. } = self;
        let at_fault = at_fault.unwrap_or("?");
        match self.is_before {
            true => writeln!(f, "contract violated: `{clause}` is false before `{called}`")?,
            false => writeln!(f, "contract violated: `{called}` {verb} `{clause}`")?,
        }
        match self.blame {
            Party::Code(_) if self.at_fault.is_none() => {
                writeln!(f, "  at fault: an earlier call (code under test)")?;
            }
            Party::Code(_) => writeln!(f, "  at fault: `{at_fault}` (code under test)")?,
            Party::Program => writeln!(f, "  at fault: the generated program")?,
            Party::Outside if self.at_fault.is_none() => writeln!(f, "  at fault: its caller")?,
            Party::Outside => writeln!(f, "  at fault: an argument of `{at_fault}`")?,
        }
        if let Some(object) = &self.object {
            writeln!(f, "  object: {object}")?;
        }
        // An ordinary test with the same statements has no program and no generated closure.
        let is_code = |call: &&&str| **call != PROGRAM.path && **call != CLOSURE;
        let calls: Vec<&str> = self.path.iter().filter(is_code).copied().collect();
        write!(f, "  call path: {}", calls.join(" > "))
    }
}

/// Returns the object of a message. The check is in the `impl` block, where the traits of
/// `Stack<T>` depend on the bounds of the block, whatever the type derives.
fn shown_object(object: &str) -> Option<String> {
    match rebut_gen::code::unshown_type(object) {
        None => Some(shortened(object)),
        // A generated implementor, whose name is hidden.
        Some(name) if name.contains("::_::") => None,
        Some(name) => Some(format!(
            "cannot be shown, because the `impl` block does not know `Debug` for `{name}`"
        )),
    }
}

/// Returns the beginning of a string that may be long.
fn shortened(text: &str) -> String {
    // Two lines of a terminal. A product decision.
    const SHOWN_MAX: usize = 160;
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns whether a condition of a contract is true. Calls that it makes are not tracked.
#[inline]
pub fn holds(condition: impl FnOnce() -> bool) -> bool {
    untracked(condition)
}

/// Evaluates a part of a contract. Calls that it makes are not tracked.
#[inline]
pub fn untracked<T>(evaluate: impl FnOnce() -> T) -> T {
    let depth = STACK.with(|stack| stack.depth.replace(stack.depth.get() | UNTRACKED_BIT));
    let _restore = Restore(depth);
    evaluate()
}

/// Calls the body of a function with a contract. The compiler then knows that it is called once, so
/// the result may borrow from what the body captured.
#[inline(always)]
pub fn call_once<T>(body: impl FnOnce() -> T) -> T {
    body()
}

/// Restores the depth when it is dropped.
struct Restore(usize);

impl Drop for Restore {
    #[inline]
    fn drop(&mut self) {
        STACK.with(|stack| stack.depth.set(self.0));
    }
}

/// The panic payload that ends a program which is itself to blame.
#[derive(Debug)]
pub(crate) struct EndOfProgram;

/// Ends the running program, because it violated a contract itself.
#[cold]
pub(crate) fn end_program(why: String) -> ! {
    // WebAssembly cannot catch a panic, so the whole case is rejected.
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        rebut_choice::Stop::Rejected(why.into()).raise()
    }
    ENDED_BY.set(Some(why));
    resume_unwind(Box::new(EndOfProgram))
}

/// Returns the clause that the last program violated, if one did.
pub(crate) fn ended_by() -> Option<String> {
    ENDED_BY.take()
}

/// Returns whether the last program evaluated a clause whose violation is a failure.
pub(crate) fn has_checked() -> bool {
    HAS_CHECKED.get()
}

/// Begins a generated program. The entries of the thread are set aside until it ends, so a program
/// that runs another program is not one of its callers.
pub(crate) fn enter_program() -> ProgramCall {
    HAS_CHECKED.set(false);
    STACK.with(|stack| {
        let depth = stack.depth.replace(0);
        let aside =
            (0..(depth & !UNTRACKED_BIT).min(ENTRIES_MAX)).map(|nth| stack.at(nth)).collect();
        stack.push(PROGRAM);
        ProgramCall { aside, depth }
    })
}

/// A generated program in progress.
#[derive(Debug)]
pub(crate) struct ProgramCall {
    aside: Vec<&'static Callee>,
    depth: usize,
}

impl ProgramCall {
    /// Returns the number of calls of the program that have begun and not ended.
    pub(crate) fn open_calls(&self) -> usize {
        // The program itself is the first entry.
        STACK.with(|stack| (stack.depth.get() & !UNTRACKED_BIT).saturating_sub(1))
    }
}

impl Drop for ProgramCall {
    fn drop(&mut self) {
        STACK.with(|stack| {
            for (slot, entry) in stack.entries.iter().zip(&self.aside) {
                slot.set(*entry);
            }
            stack.depth.set(self.depth);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violated_requires_is_the_fault_of_the_immediate_caller() {
        let _outer = enter(true, &Callee { path: "Stack::push_n", party: Party::Code("Stack") });
        let inner = enter(true, &Callee { path: "Stack::push", party: Party::Code("Stack") });
        let broken = inner.entry().broken_requires("self.capacity() >= 1", Some("a stack".into()));
        assert_eq!(
            broken.to_string(),
            "contract violated: `Stack::push` requires `self.capacity() >= 1`\n  \
             at fault: `Stack::push_n` (code under test)\n  \
             object: a stack\n  \
             call path: Stack::push_n > Stack::push"
        );
    }

    #[test]
    fn a_call_from_a_test_blames_the_test() {
        let call = enter(true, &Callee { path: "Stack::pop", party: Party::Code("Stack") });
        let broken = call.entry().broken_requires("!self.is_empty()", None);
        assert_eq!(broken.blame(), Party::Outside);
        assert!(broken.to_string().contains("at fault: its caller"));
        assert_eq!(call.entry().broken_ensures("true", None).blame(), Party::Code("Stack"));
    }

    /// The party alternates with the depth: the program calls the code, which calls a callback of
    /// the program, which calls the code again, and so on.
    #[test]
    fn blame_changes_sides_at_each_depth() {
        let _program = enter_program();
        const CODE: &Callee = &Callee { path: "step", party: Party::Code("Code") };
        let callees = [CODE, PROGRAM];
        let mut calls = Vec::new();
        for depth in 1..=4 {
            let own = callees[(depth - 1) % 2].party;
            let caller = callees[depth % 2].party;
            calls.push(enter(true, callees[(depth - 1) % 2]));
            let call = calls[depth - 1].entry();
            assert_eq!((call.own(), call.caller()), (own, caller), "depth {depth}");
            let blamed = |violate: fn(Entry) -> Violation| {
                let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    violate(call).blame()
                }));
                judged.unwrap_or(Party::Program)
            };
            assert_eq!(blamed(|call| call.broken_requires("x", None)), caller, "depth {depth}");
            assert_eq!(blamed(|call| call.broken_ensures("x", None)), own, "depth {depth}");
        }
    }

    #[test]
    fn calls_end_when_they_unwind_and_clauses_are_not_tracked() {
        let unwound = std::panic::catch_unwind(|| {
            let _call = enter(true, &Callee { path: "f", party: Party::Code("f") });
            resume_unwind(Box::new(()));
        });
        assert!(unwound.is_err());
        let call = enter(true, &Callee { path: "g", party: Party::Code("g") });
        assert_eq!(call.entry().path(), ["g"]);
        assert!(
            holds(|| !enter(true, &Callee { path: "h", party: Party::Code("h") }).is_checked())
        );
        assert!(enter(true, &Callee { path: "h", party: Party::Code("h") }).is_checked());
        assert!(!enter(false, &Callee { path: "h", party: Party::Code("h") }).is_checked());
    }
}
