//! Names of the user that are those of the standard library, and of Rebut's own variables.
#![allow(dead_code, non_camel_case_types, unused_macros)]

mod std {}
mod core {}
mod alloc {}
struct Option;
struct Some;
struct Vec;
struct Box;
struct String;
struct Result;
trait Debug {}
trait Clone {}
trait Default {}
trait Iterator {}
macro_rules! assert {
    ($($tokens:tt)*) => {};
}
macro_rules! panic {
    ($($tokens:tt)*) => {};
}
macro_rules! vec {
    ($($tokens:tt)*) => {};
}
macro_rules! format {
    ($($tokens:tt)*) => {};
}
macro_rules! concat {
    ($($tokens:tt)*) => {};
}

#[derive(rebut::Generate)]
enum Shape {
    Point,
    Circle { radius: u16 },
}

#[rebut::mock]
trait Clock {
    fn now(&self) -> u64;
}

struct Counter(u32);

#[rebut::contract]
impl Counter {
    fn new() -> Counter {
        Counter(0)
    }

    #[ensures(self.0 == old(self.0) + 1)]
    fn add(&mut self) {
        self.0 += 1;
    }
}

#[rebut::test]
fn shapes(shape: Shape, clock: MockClock) -> bool {
    match shape {
        Shape::Point => clock.now() < 10,
        Shape::Circle { radius } => radius < 100,
    }
}

#[rebut::test]
fn counts(program: rebut::Program<Counter>) {
    program.run();
}

#[rebut::test]
fn variables(case: u8, source: u8, values: u8, run: u8, report: u8, result: u8, context: u8, draw: u8) -> bool {
    let all = [case, source, values, run, report, result, context, draw];
    all.iter().all(|&n| n < 200)
}
