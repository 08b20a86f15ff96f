//! What a mock of a trait answers: the part of `#[rebut::mock]` that does not depend on the trait.
//!
//! A mock has no behavior of its own. Each answer is drawn when it is asked for, as that of a
//! drawn [function](crate::functions) is, so only what the code under test asks is on the tape
//! ("symbolic mock objects" of Tillmann and Schulte 2006, where each call gives a new symbol).
//! It is shown after the run as an implementor that counts its calls.
//!
//! A mock holds a number and no [`Source`], which is not [`Send`]: many traits are `Send + Sync`,
//! and so is what implements them. What the number stands for is kept by the thread that drew the
//! mock, the only one on which it answers.

mod written;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use rebut_choice::{Label, Source, Stop};

use crate::{Code, Generator};

/// The label of the answers of mocks.
pub const ANSWER: Label = Label::group("mock answer");

/// The label of the answers of friendly mocks: whoever runs a case that fails may look for other
/// answers with which it does not.
pub use rebut_choice::friendly::FRIENDLY;

/// What is the same for all mocks of a trait.
#[derive(Debug)]
pub struct Interface {
    /// The type of the mock.
    pub mock: &'static str,
    /// The trait, as it stands behind `impl`.
    pub implemented: &'static str,
    /// What stands before the methods: the types that belong to the trait.
    pub types: &'static [&'static str],
    /// The methods whose answers are drawn.
    pub methods: &'static [Method],
    /// Whether implementors have to be `Sync`.
    pub is_sync: bool,
}

/// A method whose answers are drawn.
#[derive(Debug)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// All before its body.
    pub signature: &'static str,
    /// The expression by which arguments are told apart, if answers depend on them alone.
    pub matched: Option<&'static str>,
}

/// One mock: a number under which its thread knows it.
pub struct Mock {
    number: u64,
}

struct Script {
    interface: &'static Interface,
    source: Source,
    label: Label,
    /// Whether somebody wants to see the answers.
    is_shown: Cell<bool>,
    /// How often each method was called.
    counts: RefCell<Vec<usize>>,
    /// The arguments and answers of each method as code, if they are to be shown.
    answers: RefCell<Vec<Vec<(String, String)>>>,
    /// What methods remember: a `Vec<(A, R)>` each.
    memories: RefCell<Vec<(usize, Memory)>>,
}

struct Memory {
    calls: Rc<dyn Any>,
    /// Makes it empty.
    clear: Rc<dyn Fn()>,
    /// Whether it stands for a state that others change.
    is_pure: bool,
}

type Calls<A, R> = Rc<RefCell<Vec<(A, R)>>>;

thread_local! {
    /// The mocks of the running case, by their numbers: there are few.
    static SCRIPTS: RefCell<Vec<(u64, Rc<Script>)>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<u64> = const { Cell::new(1) };
    /// How many rules are being tried, one inside the other.
    static RULES: Cell<usize> = const { Cell::new(0) };
    /// Takes back what was remembered while a rule was tried.
    static JOURNAL: RefCell<Vec<Box<dyn FnOnce()>>> = const { RefCell::new(Vec::new()) };
}

/// Writes a value as code.
pub type Show<T> = fn(&T) -> String;

/// Draws an answer; none if it breaks a rule.
pub type Draw<'a, R> = &'a mut dyn FnMut(&mut Source) -> Option<R>;

impl Mock {
    /// A mock that draws from a source.
    #[must_use]
    pub fn drawn(source: &Source, interface: &'static Interface, is_friendly: bool) -> Mock {
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

    /// A mock that is never asked, because something else answers.
    #[must_use]
    pub const fn idle() -> Mock {
        Mock { number: 0 }
    }

    /// A new answer of a method. `rule` says what may keep an answer from being taken; it is
    /// empty if nothing does.
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

    /// The answer of a method that is the same for the same arguments, until the mock changes.
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

    /// The earlier calls of a method that remembers them: arguments and answers.
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

    /// How often a method was called before.
    #[must_use]
    pub fn count(&self, method: usize) -> usize {
        self.script().counts.borrow().get(method).copied().unwrap_or_default()
    }

    /// Something is done to the mock after which it may answer otherwise.
    pub fn change(&self) {
        let script = self.script();
        let pure: Vec<Rc<dyn Fn()>> = {
            let memories = script.memories.borrow();
            let pure = memories.iter().filter(|(_, memory)| memory.is_pure);
            pure.map(|(_, memory)| Rc::clone(&memory.clear)).collect()
        };
        pure.iter().for_each(|clear| clear());
    }

    /// Writes the mock as an implementor that answers as it did.
    pub fn to_code(&self, code: &mut Code) {
        if self.number == 0 {
            return code.push("/* a mock that was given */");
        }
        let script = self.script();
        script.is_shown.set(true);
        code.later(move || written::mock(script.interface, &script.answers.borrow()));
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
            // Rules that were kept, or ended their case.
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
                    take_back(mark);
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
            let shown = show();
            if let Some(answers) = self.answers.borrow_mut().get_mut(method) {
                answers.push(shown);
            }
        }
    }

    fn memory<A: 'static, R: 'static>(&self, method: usize, is_pure: bool) -> Calls<A, R> {
        let mut memories = self.memories.borrow_mut();
        if let Some((_, memory)) = memories.iter().find(|(known, _)| *known == method) {
            // Each method has calls of one type only.
            return Rc::clone(&memory.calls).downcast().unwrap_or_default();
        }
        let calls: Calls<A, R> = Rc::default();
        let cleared = Rc::clone(&calls);
        let clear = Rc::new(move || cleared.borrow_mut().clear());
        memories.push((method, Memory { calls: Rc::<RefCell<_>>::clone(&calls), clear, is_pure }));
        calls
    }
}

/// Remembers a call, until the rule that is being tried refuses what it was made for.
fn keep<A: 'static, R: 'static>(calls: &Calls<A, R>, arguments: A, answer: R) {
    calls.borrow_mut().push((arguments, answer));
    if RULES.get() > 0 {
        let calls = Rc::clone(calls);
        let undo = Box::new(move || drop(calls.borrow_mut().pop()));
        JOURNAL.with_borrow_mut(|journal| journal.push(undo));
    }
}

fn take_back(mark: usize) {
    let undone = JOURNAL.with_borrow_mut(|journal| journal.split_off(mark.min(journal.len())));
    undone.into_iter().rev().for_each(|undo| undo());
}

/// Whether an answer keeps a rule. What the rule asks of mocks is not counted as a call of the
/// code under test.
pub fn holds(rule: impl FnOnce() -> bool) -> bool {
    struct Tried;
    impl Drop for Tried {
        fn drop(&mut self) {
            RULES.set(RULES.get() - 1);
        }
    }
    RULES.set(RULES.get() + 1);
    let _tried = Tried;
    rule()
}

impl Drop for Mock {
    fn drop(&mut self) {
        // What a script holds is dropped outside of the borrow: it may be anything.
        let script = SCRIPTS.try_with(|scripts| {
            let mut scripts = scripts.try_borrow_mut().ok()?;
            let place = scripts.iter().position(|(number, _)| *number == self.number)?;
            Some(scripts.swap_remove(place))
        });
        drop(script);
    }
}

impl fmt::Debug for Mock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mock { .. }")
    }
}

/// Mocks, made by a function that takes the source and whether they are friendly. For the code
/// that macros make.
#[derive(Clone, Copy)]
pub struct Mocks<M> {
    make: fn(&Source, bool) -> M,
    is_friendly: bool,
}

impl<M> Mocks<M> {
    /// Mocks that are all friendly, or none of them.
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
