//! The answers of mocks: the part of `#[rebut::mock]` that does not depend on the trait.
//!
//! A mock has no behavior of its own. Each answer is drawn when the code under test asks for it, as
//! with a generated [function](crate::functions). So only the calls that happen are on the tape.
//! The idea is that of "symbolic mock objects" (Tillmann and Schulte 2006), where each call returns
//! a new symbol. After the run, a mock is printed as an implementor that counts its calls.
//!
//! Many traits are `Send + Sync`, so their mocks must be too, but a [`Source`] is not. Therefore a
//! mock only contains a number. The thread that drew the mock stores the rest under this number,
//! and only this thread can call the mock.

mod print;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use rebut_choice::{Label, Source, Stop, internal_error};

use crate::code::Noted;
use crate::{Code, Generator};

/// The label of the answers of mocks.
pub const ANSWER: Label = Label::group("mock answer");

/// The label of the answers of friendly mocks. If a case fails, the runner tries other answers with
/// this label and rejects the case if it passes with them.
pub use rebut_choice::friendly_mocks::FRIENDLY;

/// A description of a trait, shared by all of its mocks.
#[derive(Debug)]
pub struct Interface {
    /// The name of the mock type.
    pub mock: &'static str,
    /// The trait, as written after `impl`.
    pub implemented: &'static str,
    /// The associated types, as code.
    pub types: &'static [&'static str],
    /// The methods with generated answers.
    pub methods: &'static [Method],
    /// Whether implementors must be `Sync`.
    pub is_sync: bool,
}

/// A method with generated answers.
#[derive(Debug)]
pub struct Method {
    /// The name of the method.
    pub name: &'static str,
    /// The code before the body.
    pub signature: &'static str,
    /// The code before a body that does not use the parameters.
    pub signature_unused: &'static str,
    /// The code before a body that uses only the parameters that it writes to.
    pub signature_filled: &'static str,
    /// The expression to match on, if the answers depend on the arguments only.
    pub matched: Option<&'static str>,
}

/// A mock: the number under which its thread stores it.
pub struct Mock {
    number: u64,
}

/// The condition and the code of an answer.
type PrintedAnswer = Noted<(String, String)>;

struct Script {
    interface: &'static Interface,
    source: Source,
    label: Label,
    /// Whether to record the answers for a report.
    is_shown: Cell<bool>,
    /// The number of calls of each method.
    counts: RefCell<Vec<usize>>,
    /// The recorded arguments and answers of each method, as code.
    answers: RefCell<Vec<Vec<PrintedAnswer>>>,
    /// The remembered calls of methods: a `Vec<(A, R)>` each.
    memories: RefCell<Vec<(usize, RememberedCalls)>>,
}

struct RememberedCalls {
    calls: Rc<dyn Any>,
    /// Removes all calls.
    clear: Rc<dyn Fn()>,
    /// Whether the method is pure, so that a change of the mock clears the calls.
    is_pure: bool,
}

type Calls<A, R> = Rc<RefCell<Vec<(A, R)>>>;

thread_local! {
    /// The mocks of the running case, by number. There are few, so a list is enough.
    static SCRIPTS: RefCell<Vec<(u64, Rc<Script>)>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<u64> = const { Cell::new(1) };
    /// The number of rules being evaluated, nested in each other.
    static RULES: Cell<usize> = const { Cell::new(0) };
    /// The functions that undo what was remembered while a rule was evaluated.
    static JOURNAL: RefCell<Vec<Box<dyn FnOnce()>>> = const { RefCell::new(Vec::new()) };
}

/// Returns a value as code.
pub type Show<T> = fn(&T) -> String;

/// Draws an answer, or returns `None` if the answer violates a rule.
pub type Draw<'a, R> = &'a mut dyn FnMut(&mut Source) -> Option<R>;

impl Mock {
    /// Creates a mock that draws its answers from the source.
    #[must_use]
    pub fn drawn(source: &Source, interface: &'static Interface, is_friendly: bool) -> Mock {
        source.note_answers();
        let number = NEXT.get();
        NEXT.set(number + 1);
        let methods = interface.methods.len();
        let script = Script {
            interface,
            source: source.clone(),
            label: if is_friendly { FRIENDLY } else { ANSWER },
            is_shown: Cell::new(false),
            counts: RefCell::new(vec![0; methods]),
            answers: RefCell::new(vec![Vec::new(); methods]),
            memories: RefCell::default(),
        };
        SCRIPTS.with_borrow_mut(|scripts| scripts.push((number, Rc::new(script))));
        Mock { number }
    }

    /// Creates a mock that is never called, because a given implementor answers instead.
    #[must_use]
    pub const fn idle() -> Mock {
        Mock { number: 0 }
    }

    /// Returns a new answer of a method. `rule` describes the rules of the method for rejections; it
    /// is empty if there are none.
    pub fn call<R>(
        &self,
        method: usize,
        rule: &'static str,
        draw: Draw<'_, R>,
        show: Show<R>,
    ) -> R {
        let script = self.script();
        if RULES.get() > 0 {
            Stop::Misuse(format!(
                "a rule calls `{}`, which may return something else each time; a rule can only call \
                 methods with `#[pure]`",
                script.name(method)
            ))
            .raise();
        }
        let answer = script.draw(rule, draw);
        script.note(method, || (String::new(), show(&answer)));
        answer
    }

    /// Returns the answer of a pure method: the same for the same arguments, until the mock changes.
    pub fn call_pure<A: PartialEq + 'static, R: Clone + 'static>(
        &self,
        method: usize,
        arguments: A,
        rule: &'static str,
        draw: Draw<'_, R>,
        (show_arguments, show): (Show<A>, Show<R>),
    ) -> R {
        let script = self.script();
        let shown = script.is_shown.get().then(|| show_arguments(&arguments));
        let calls = script.memory::<A, R>(method, true);
        let is_it = |(known, _): &&(A, R)| *known == arguments;
        let known = calls.borrow().iter().find(is_it).map(|(_, answer)| answer.clone());
        let answer = known.unwrap_or_else(|| {
            let answer = script.draw(rule, draw);
            keep(&calls, arguments, answer.clone());
            answer
        });
        if RULES.get() == 0 {
            script.note(method, || (shown.unwrap_or_default(), show(&answer)));
        }
        answer
    }

    /// Returns the arguments and answers of earlier calls of a method that remembers them.
    #[must_use]
    pub fn earlier<A: Clone + 'static, R: Clone + 'static>(
        &self,
        method: usize,
        is_pure: bool,
    ) -> Vec<(A, R)> {
        self.script().memory::<A, R>(method, is_pure).borrow().clone()
    }

    /// Remembers a call.
    pub fn remember<A: 'static, R: 'static>(&self, method: usize, arguments: A, answer: R) {
        keep(&self.script().memory(method, false), arguments, answer);
    }

    /// Returns the number of earlier calls of a method.
    #[must_use]
    pub fn count(&self, method: usize) -> usize {
        self.script().counts.borrow().get(method).copied().unwrap_or_default()
    }

    /// Forgets the answers of pure methods, because a call may have changed the state.
    pub fn change(&self) {
        let script = self.script();
        let pure: Vec<Rc<dyn Fn()>> = {
            let memories = script.memories.borrow();
            let pure = memories.iter().filter(|(_, memory)| memory.is_pure);
            pure.map(|(_, memory)| Rc::clone(&memory.clear)).collect()
        };
        pure.iter().for_each(|clear| clear());
    }

    /// Writes the mock as an implementor with the same answers.
    pub fn to_code(&self, code: &mut Code) {
        if self.number == 0 {
            return code.push("/* a mock that was given */");
        }
        let script = self.script();
        script.is_shown.set(true);
        code.later(move || {
            let answers = script.answers.borrow();
            let printed = answers.iter().map(|method| method.iter().map(|one| one.code().clone()));
            let printed: Vec<Vec<(String, String)>> = printed.map(Iterator::collect).collect();
            print::mock(script.interface, &printed)
        });
    }

    fn script(&self) -> Rc<Script> {
        let is_it = |(number, _): &&(u64, Rc<Script>)| *number == self.number;
        let found = SCRIPTS
            .with_borrow(|scripts| scripts.iter().find(is_it).map(|(_, script)| Rc::clone(script)));
        found.unwrap_or_else(|| {
            Stop::Misuse(
                "a mock was called on another thread than that of the test; only that thread can \
                 call it, because a mock generates return values in the order of calls"
                    .to_owned(),
            )
            .raise()
        })
    }
}

impl Script {
    fn name(&self, method: usize) -> &'static str {
        self.interface.methods.get(method).map_or("a method", |method| method.name)
    }

    fn draw<R>(&self, rule: &'static str, draw: Draw<'_, R>) -> R {
        let mut source = self.source.clone();
        if RULES.get() == 0 {
            // Earlier rules are done: they passed, or ended their case.
            JOURNAL.take();
        }
        source.span(self.label, |source| {
            if rule.is_empty()
                && let Some(answer) = draw(source)
            {
                return answer;
            }
            source.attempt(rule, |source| {
                let mark = JOURNAL.with_borrow(Vec::len);
                let answer = draw(source);
                if answer.is_none() {
                    undo_since(mark);
                }
                answer
            })
        })
    }

    fn note(&self, method: usize, show: impl FnOnce() -> (String, String)) {
        if let Some(count) = self.counts.borrow_mut().get_mut(method) {
            *count += 1;
        }
        if self.is_shown.get() {
            let shown = Noted::of(show);
            if let Some(answers) = self.answers.borrow_mut().get_mut(method) {
                answers.push(shown);
            }
        }
    }

    fn memory<A: 'static, R: 'static>(&self, method: usize, is_pure: bool) -> Calls<A, R> {
        let mut memories = self.memories.borrow_mut();
        if let Some((_, memory)) = memories.iter().find(|(known, _)| *known == method) {
            return Rc::clone(&memory.calls).downcast().unwrap_or_else(|_| {
                internal_error!("the calls of `{}` have different types", self.name(method))
            });
        }
        let calls: Calls<A, R> = Rc::default();
        let cleared = Rc::clone(&calls);
        let clear = Rc::new(move || cleared.borrow_mut().clear());
        memories.push((
            method,
            RememberedCalls { calls: Rc::<RefCell<_>>::clone(&calls), clear, is_pure },
        ));
        calls
    }
}

/// Remembers a call. If a rule is being evaluated and rejects the answer, the call is forgotten.
fn keep<A: 'static, R: 'static>(calls: &Calls<A, R>, arguments: A, answer: R) {
    calls.borrow_mut().push((arguments, answer));
    if RULES.get() > 0 {
        let calls = Rc::clone(calls);
        let undo = Box::new(move || drop(calls.borrow_mut().pop()));
        JOURNAL.with_borrow_mut(|journal| journal.push(undo));
    }
}

fn undo_since(mark: usize) {
    let undone = JOURNAL.with_borrow_mut(|journal| journal.split_off(mark.min(journal.len())));
    undone.into_iter().rev().for_each(|undo| undo());
}

/// Returns whether an answer satisfies a rule. Calls that the rule makes are not counted as calls of
/// the code under test.
pub fn holds(rule: impl FnOnce() -> bool) -> bool {
    struct RuleGuard;
    impl Drop for RuleGuard {
        fn drop(&mut self) {
            RULES.set(RULES.get() - 1);
        }
    }
    RULES.set(RULES.get() + 1);
    let _guard = RuleGuard;
    rule()
}

impl Drop for Mock {
    fn drop(&mut self) {
        // Drop the script outside of the borrow: its destructors may run any code.
        let script = SCRIPTS.try_with(|scripts| {
            let mut scripts = scripts.try_borrow_mut().ok()?;
            let index = scripts.iter().position(|(number, _)| *number == self.number)?;
            Some(scripts.swap_remove(index))
        });
        drop(script);
    }
}

impl fmt::Debug for Mock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mock { .. }")
    }
}

/// Generates mocks with a function that takes the source and whether they are friendly. For
/// generated code.
#[derive(Clone, Copy)]
pub struct Mocks<M> {
    make: fn(&Source, bool) -> M,
    is_friendly: bool,
}

impl<M> Mocks<M> {
    /// Creates a generator of mocks.
    #[must_use]
    pub const fn new(make: fn(&Source, bool) -> M, is_friendly: bool) -> Mocks<M> {
        Mocks { make, is_friendly }
    }
}

impl<M> Generator for Mocks<M> {
    type Value = M;

    fn draw(&self, source: &mut Source) -> M {
        (self.make)(source, self.is_friendly)
    }
}

impl<M> fmt::Debug for Mocks<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("mocks")
    }
}
