//! Calls, recursion, dispatch and states.

use std::cmp::Ordering;

/// What an operation does to a number.
pub type Operation = fn(u32) -> u32;

/// Operations to be chosen by index.
pub const OPERATIONS: [Operation; 4] =
    [|n| n.wrapping_add(1), |n| n.wrapping_mul(2), |n| n.wrapping_mul(n), |n| n.wrapping_sub(3)];

/// Applies operations, chosen by index, one after the other.
#[must_use]
pub fn applied(start: u32, indices: &[u8]) -> u32 {
    indices.iter().fold(start, |number, index| OPERATIONS[usize::from(index % 4)](number))
}

/// Something with two inputs and one output.
pub trait Gate {
    /// The output.
    fn output(&self, a: bool, b: bool) -> bool;
}

struct And;
struct Or;
struct Xor;
struct Not<G>(G);

impl Gate for And {
    fn output(&self, a: bool, b: bool) -> bool {
        a && b
    }
}

impl Gate for Or {
    fn output(&self, a: bool, b: bool) -> bool {
        a || b
    }
}

impl Gate for Xor {
    fn output(&self, a: bool, b: bool) -> bool {
        a != b
    }
}

impl<G: Gate> Gate for Not<G> {
    fn output(&self, a: bool, b: bool) -> bool {
        !self.0.output(a, b)
    }
}

/// A gate that is chosen by number.
#[must_use]
pub fn gate(number: u8) -> Box<dyn Gate> {
    match number % 6 {
        0 => Box::new(And),
        1 => Box::new(Or),
        2 => Box::new(Xor),
        3 => Box::new(Not(And)),
        4 => Box::new(Not(Or)),
        _ => Box::new(Not(Xor)),
    }
}

/// Whether two gates, one behind the other, say yes just if all of three inputs are equal.
#[must_use]
pub fn tells_equal(first: &dyn Gate, second: &dyn Gate) -> bool {
    let inputs = (0..8_u8).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0));
    inputs.fold(true, |so_far, (a, b, c)| {
        so_far && second.output(first.output(a, b), c) == (a == b && b == c)
    })
}

/// Whether two gates, one behind the other, say yes just if the last of three inputs is set and
/// another too.
#[must_use]
pub fn tells_last_and_any(first: &dyn Gate, second: &dyn Gate) -> bool {
    let inputs = (0..8_u8).map(|bits| (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0));
    inputs.fold(true, |so_far, (a, b, c)| {
        so_far && second.output(first.output(a, b), c) == ((a || b) && c)
    })
}

/// Ackermann's function, which recurses deeply.
#[must_use]
pub fn ackermann(m: u32, n: u32) -> u32 {
    match (m, n) {
        (0, _) => n + 1,
        (_, 0) => ackermann(m - 1, 1),
        _ => ackermann(m - 1, ackermann(m, n - 1)),
    }
}

/// A Fibonacci number, by definition.
#[must_use]
pub fn fibonacci(index: u32) -> u32 {
    if index < 2 { index } else { fibonacci(index - 1) + fibonacci(index - 2) }
}

/// A lock with four buttons that opens after 3, 1, 2, 0, pressed in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// Closed, with so many buttons pressed rightly.
    Closed(u8),
    /// Open for good.
    Open,
}

impl Lock {
    /// The lock after one button was pressed.
    #[must_use]
    pub fn pressed(self, button: u8) -> Lock {
        match (self, button) {
            (Lock::Closed(1), 1) => Lock::Closed(2),
            (Lock::Closed(2), 2) => Lock::Closed(3),
            (Lock::Closed(3), 0) | (Lock::Open, _) => Lock::Open,
            (_, 3) => Lock::Closed(1),
            _ => Lock::Closed(0),
        }
    }
}

/// What a small machine with a stack is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Puts a number on the stack.
    Push(i8),
    /// Takes two numbers, puts their sum.
    Add,
    /// Takes two numbers, puts the quotient of the first and the second.
    Divide,
    /// Puts what is on top once more.
    Copy,
}

/// Runs a program; what is on top at its end, if anything. Commands that lack numbers do nothing.
///
/// The mistake: divisors may be zero.
#[must_use]
pub fn run(program: &[Command]) -> Option<i32> {
    let mut stack: Vec<i32> = Vec::new();
    for command in program {
        match (command, stack.as_mut_slice()) {
            (Command::Push(number), _) => stack.push((*number).into()),
            (Command::Copy, [.., top]) => {
                let top = *top;
                stack.push(top);
            }
            (Command::Add, [.., first, second]) => {
                *first += *second;
                stack.pop();
            }
            (Command::Divide, [.., first, second]) => {
                *first /= *second;
                stack.pop();
            }
            _ => {}
        }
    }
    stack.last().copied()
}

/// Where a number stands in a sorted list.
///
/// The mistake: the last place is never looked at.
#[must_use]
pub fn find(sorted: &[i8], wanted: i8) -> Option<usize> {
    let (mut low, mut high) = (0, sorted.len().checked_sub(1)?);
    while low < high {
        let middle = usize::midpoint(low, high);
        match sorted[middle].cmp(&wanted) {
            Ordering::Equal => return Some(middle),
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    None
}

/// Goes off for lists with these ends and this inside.
#[must_use]
pub fn has_ends(list: &[u8]) -> bool {
    match list {
        [1, inside @ .., 9] if inside.len() == 2 => inside.iter().sum::<u8>() == 77,
        _ => false,
    }
}

/// Whether queens on these rows, one in each column, leave each other alone.
#[must_use]
pub fn is_peaceful(rows: &[u8]) -> bool {
    let pairs = || (0..rows.len()).flat_map(|left| (0..left).map(move |right| (left, right)));
    pairs().all(|(left, right)| {
        let apart = rows[left].abs_diff(rows[right]);
        apart != 0 && usize::from(apart) != left - right
    })
}

/// The lights of a board of three times three after some were pressed: each switches its
/// neighbors too.
#[must_use]
pub fn lights(presses: u16) -> u16 {
    let mut lights = 0;
    for place in 0..9_u16 {
        if presses & (1 << place) != 0 {
            let (row, column) = (place / 3, place % 3);
            lights ^= 1 << place;
            lights ^= if row > 0 { 1 << (place - 3) } else { 0 };
            lights ^= if row < 2 { 1 << (place + 3) } else { 0 };
            lights ^= if column > 0 { 1 << (place - 1) } else { 0 };
            lights ^= if column < 2 { 1 << (place + 1) } else { 0 };
        }
    }
    lights
}
