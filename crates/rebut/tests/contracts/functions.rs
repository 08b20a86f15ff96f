//! What a contract keeps of the function that it checks: its parameters, its caller, its result.

#![deny(warnings)]
#![expect(clippy::needless_arbitrary_self_type, reason = "this shape of receivers is tested too")]

use std::cell::{Cell, RefCell};
use std::panic::Location;

use rebut::prelude::*;
use rebut::{any, sample};

use super::blamed;

/// Runs some programs.
fn run<S: rebut::Contracted + 'static>() -> Vec<String> {
    let programs = (0..300).map(|seed| sample(&any::<Program<S>>(), seed));
    let written = |program: Program<S>| {
        program.run();
        program.written()
    };
    programs.map(written).collect()
}

pub struct Exit(u8);

#[rebut::contract]
#[invariant(self.0 < 10)]
impl Exit {
    pub fn new() -> Exit {
        Exit(0)
    }

    pub fn fail(&self) -> ! {
        panic!("failed with {}", self.0)
    }

    #[requires(code > 0)]
    pub fn exit(self, code: u8) -> ! {
        panic!("left with {code}")
    }
}

pub struct Gone(u8);

#[rebut::contract]
impl Gone {
    pub fn new() -> Gone {
        Gone(0)
    }

    pub fn fail(&self) -> ! {
        panic!("failed with {}", self.0)
    }
}

#[test]
fn functions_that_never_return_are_called() {
    assert_eq!(blamed(|| Exit::new().fail()), "failed with 0");
    assert!(blamed(|| Exit::new().exit(0)).contains("`Exit::exit` requires `code > 0`"));
    assert_eq!(blamed(|| Gone::new().fail()), "failed with 0");
    let fails = |seed| {
        let program = sample(&any::<Program<Gone>>(), seed);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| program.run())).is_err()
    };
    assert!((0..300).any(fails));
}

#[derive(Clone, Copy, Debug, PartialEq, Generate)]
pub struct Point {
    x: u8,
    y: u8,
}

#[derive(Debug)]
pub struct Range(u8);

#[rebut::contract]
#[model(Ends)]
impl Range {
    pub fn new() -> Range {
        Range(0)
    }

    #[requires(low <= high)]
    #[model(model.resize((low, high)))]
    pub fn set(&mut self, (low, high): (u8, u8)) {
        self.0 = high - low;
    }

    #[requires(x < y, x != 7)]
    #[ensures(result == y)]
    pub fn between(&self, Point { x, mut y }: Point) -> u8 {
        assert!(x < y);
        y -= x;
        y + x
    }

    #[requires(first > 0, self.0 < 200)]
    pub fn first(&self, (first, _): (u8, u8)) -> u8 {
        first
    }
}

#[derive(Debug)]
pub struct Ends(u8);

impl Ends {
    pub fn new() -> Ends {
        Ends(0)
    }

    pub fn resize(&mut self, (low, high): (u8, u8)) {
        self.0 = high - low;
    }

    pub fn between(&self, point: Point) -> u8 {
        point.y
    }

    pub fn first(&self, pair: (u8, u8)) -> u8 {
        pair.0
    }
}

#[test]
fn preconditions_name_the_variables_of_patterns() {
    let written = run::<Range>().concat();
    for call in [".set(", ".between(", ".first("] {
        assert!(written.contains(call), "{written}");
    }
}

#[derive(Debug, Default)]
pub struct Number(u8);

#[rebut::contract]
#[model(Sink)]
impl Number {
    #[model(Sink)]
    pub fn new() -> Number {
        Number(0)
    }

    #[model(model.take(&change))]
    pub fn change(&mut self, change: impl Fn(u8) -> u8) {
        self.0 = change(self.0);
    }

    #[model(model.take(change))]
    pub fn change_by<F: Fn(u8) -> u8>(&mut self, change: F) {
        self.0 = change(self.0);
    }
}

#[derive(Debug)]
pub struct Sink;

impl Sink {
    pub fn take(&mut self, _: impl Fn(u8) -> u8) {}
}

#[test]
fn models_share_callbacks() {
    let written = run::<Number>().concat();
    assert!(written.contains(".change(") && written.contains(".change_by("), "{written}");
}

pub struct Same;

#[rebut::contract]
impl Same {
    #[ensures(result == n)]
    pub fn number(&self, mut n: u8) -> u8 {
        n = n.wrapping_add(1);
        n
    }

    #[ensures(result == low)]
    pub fn lower(&self, (mut low, high): (u8, u8)) -> u8 {
        low = low.max(high);
        low
    }

    #[ensures(result == n)]
    pub fn with_callback(
        &self,
        mut n: u8,
        #[ensures(result > 0)] mut change: impl FnMut(u8) -> u8,
    ) -> u8 {
        n = change(n);
        n
    }
}

#[rebut::contract(only_checks)]
#[ensures(result == n)]
pub fn same(mut n: u8) -> u8 {
    n = n.wrapping_add(1);
    n
}

#[rebut::contract(only_checks)]
pub trait Keeps {
    #[ensures(result == n)]
    fn keep(&self, n: u8) -> u8;

    #[ensures(result == n)]
    fn keep_too(&self, mut n: u8) -> u8 {
        n = n.wrapping_add(1);
        n
    }
}

#[rebut::contract]
impl Keeps for Same {
    fn keep(&self, mut n: u8) -> u8 {
        n = n.wrapping_add(1);
        n
    }
}

#[test]
fn postconditions_see_arguments_as_passed() {
    let broken = "ensures `result == ";
    assert!(blamed(|| Same.number(1)).contains(broken));
    assert!(blamed(|| Same.lower((1, 2))).contains(broken));
    assert!(blamed(|| Same.with_callback(1, |n| n + 1)).contains(broken));
    assert!(blamed(|| same(1)).contains(broken));
    assert!(blamed(|| Same.keep(1)).contains(broken));
    assert!(blamed(|| Same.keep_too(1)).contains(broken));
}

#[derive(Debug)]
pub struct Tracked(u8);

#[rebut::contract]
#[invariant(self.0 < 10)]
impl Tracked {
    pub fn new() -> Tracked {
        Tracked(0)
    }

    #[track_caller]
    pub fn line(&self) -> u32 {
        Location::caller().line()
    }

    #[track_caller]
    #[ensures(*result < 255)]
    pub fn line_of<const N: usize, T: Default>(&mut self, mut all: [T; N]) -> &u32 {
        all[0] = T::default();
        Box::leak(Box::new(Location::caller().line() % 255))
    }

    #[track_caller]
    #[ensures(result > 0)]
    pub fn line_by(&self, #[requires(_0 > 0)] shift: impl Fn(u32) -> u32) -> u32 {
        shift(Location::caller().line())
    }
}

#[track_caller]
#[rebut::contract(only_checks)]
#[ensures(result > 0)]
pub fn line<T>(_: T, (mut shift, _by): (u32, u32)) -> u32 {
    shift += 0;
    assert_eq!(shift, 0);
    Location::caller().line()
}

#[test]
fn callers_are_those_of_the_function() {
    assert_eq!(Tracked::new().line(), line!());
    assert_eq!(*Tracked::new().line_of([1]), line!() % 255);
    assert_eq!(Tracked::new().line_by(|line| line), line!());
    assert_eq!(line(1, (0, 0)), line!());
}

#[derive(Debug)]
pub struct Limiter {
    available: Cell<u8>,
    max: Cell<u8>,
    log: RefCell<Vec<u8>>,
}

#[rebut::contract]
#[invariant(self.available.get() <= self.max.get())]
#[invariant(self.log.borrow().len() < 9)]
impl Limiter {
    pub fn new() -> Limiter {
        let (available, max) = (Cell::new(2), Cell::new(2));
        Limiter { available, max, log: RefCell::default() }
    }

    pub fn set_max(&self, max: u8) {
        self.max.set(max);
    }

    pub fn reset(&self) -> u8 {
        // The invariant is broken between the two calls, which are not from outside.
        self.set_max(0);
        self.available.set(0);
        0
    }

    /// A guard, beside which the object cannot be used.
    pub fn log(&self) -> std::cell::RefMut<'_, Vec<u8>> {
        self.log.borrow_mut()
    }

    pub fn lent(&self, max: u8) -> &Cell<u8> {
        self.max.set(max);
        &self.max
    }

    pub fn kept(self: &Self, max: u8) -> bool {
        self.max.set(max);
        true
    }
}

#[test]
fn invariants_are_checked_after_shared_calls() {
    let broken = |name: &str| format!("`Limiter::{name}` keeps `self.available.get()");
    assert!(blamed(|| Limiter::new().set_max(1)).contains(&broken("set_max")));
    assert!(blamed(|| _ = Limiter::new().lent(1)).contains(&broken("lent")));
    assert!(blamed(|| Limiter::new().kept(1)).contains(&broken("kept")));
    let limiter = Limiter::new();
    assert_eq!(limiter.reset(), 0);
    limiter.log().push(1);
}
