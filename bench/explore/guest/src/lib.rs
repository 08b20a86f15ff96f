//! Ordinary work of different kinds. Each function does as much of it as it is told to and
//! returns a number that depends on all of it.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

mod digest;

pub use digest::{crc32, sha256};

/// Numbers that look random.
fn numbers(count: usize) -> impl Iterator<Item = u32> {
    let mut state = 0x2545_F491_u32;
    (0..count).map(move |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    })
}

/// Sorts numbers with the standard library.
pub fn sorting(count: usize) -> u64 {
    let mut list: Vec<u32> = numbers(count).collect();
    list.sort();
    weighted(list.iter().map(|number| u64::from(*number)))
}

/// Inserts numbers into a tree of the standard library, looks up and removes some.
pub fn tree(count: usize) -> u64 {
    let mut tree = BTreeMap::new();
    for (place, number) in numbers(count).enumerate() {
        *tree.entry(number % 5000).or_insert(0) += place as u64;
    }
    for number in numbers(count / 2) {
        tree.remove(&(number % 7000));
    }
    weighted(tree.iter().map(|(key, value)| u64::from(*key) ^ value))
}

/// Counts numbers in a hash map of the standard library.
pub fn hash_map(count: usize) -> u64 {
    let mut counts: HashMap<u32, u64> = HashMap::new();
    for number in numbers(count) {
        *counts.entry(number % 200).or_default() += 1;
    }
    weighted((0..200).map(|key| counts.get(&key).copied().unwrap_or(0)))
}

/// The digest of so many bytes, by SHA-256.
pub fn digesting(count: usize) -> u64 {
    let bytes: Vec<u8> = numbers(count).map(|number| number as u8).collect();
    weighted(sha256(&bytes).iter().map(|byte| u64::from(*byte)))
}

/// The checksum of so many bytes, by a table.
pub fn checking(count: usize) -> u64 {
    let bytes: Vec<u8> = numbers(count).map(|number| number as u8).collect();
    u64::from(crc32(&bytes))
}

/// The product of two matrices of floats with so many rows.
pub fn matrices(rows: usize) -> u64 {
    let matrix = |seed: usize| -> Vec<Vec<f64>> {
        let cell = |row: usize, column: usize| ((row * 31 + column * 17 + seed) % 97) as f64 / 8.0;
        (0..rows).map(|row| (0..rows).map(|column| cell(row, column)).collect()).collect()
    };
    let (a, b) = (matrix(3), matrix(5));
    let mut sum = 0.0;
    for row in &a {
        for column in 0..rows {
            let products = row.iter().zip(&b).map(|(x, other)| x * other[column]);
            sum += products.sum::<f64>() / (1.0 + column as f64).sqrt();
        }
    }
    (sum * 16.0) as u64
}

/// Reads lines of words and numbers, as those of a configuration.
pub fn parsing(lines: usize) -> u64 {
    let mut text = String::new();
    for (place, number) in numbers(lines).enumerate() {
        text.push_str(["width = ", "height=", "  depth =", "# size = "][place % 4]);
        text.push_str(["12", "-7 ", "40961", "1e"][number as usize % 4]);
        text.push('\n');
    }
    let mut values = Vec::new();
    for line in text.lines() {
        let Some((name, value)) = line.split_once('=') else { continue };
        if name.trim_start().starts_with('#') {
            continue;
        }
        let length = name.trim().len() as i64;
        values.push(value.trim().parse::<i64>().map_or(-1, |value| value * length));
    }
    weighted(values.into_iter().map(|value| value as u64))
}

/// Primes below a limit.
pub fn sieve(limit: usize) -> u64 {
    let mut is_prime = vec![true; limit];
    for number in (2..limit).take_while(|number| number * number < limit) {
        if is_prime[number] {
            for multiple in (number * number..limit).step_by(number) {
                is_prime[multiple] = false;
            }
        }
    }
    weighted((2..limit).filter(|number| is_prime[*number]).map(|number| number as u64))
}

/// Ways to place so many queens, by recursion.
pub fn queens(size: u32) -> u64 {
    fn place(size: u32, row: u32, columns: u32, rising: u32, falling: u32) -> u64 {
        if row == size {
            return 1;
        }
        let mut ways = 0;
        for column in 0..size {
            let (up, down) = (1 << (row + column), 1 << (size + row - column));
            if columns & (1 << column) == 0 && rising & up == 0 && falling & down == 0 {
                ways += place(size, row + 1, columns | 1 << column, rising | up, falling | down);
            }
        }
        ways
    }
    place(size, 0, 0, 0, 0)
}

/// Builds texts with `format!` and by pushing.
pub fn writing(lines: usize) -> u64 {
    let mut text = String::new();
    for (place, number) in numbers(lines).enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{place}: {number:>12} {:x};", number >> 7);
        if text.len() > 4096 {
            text = text.chars().rev().filter(|letter| !letter.is_whitespace()).take(64).collect();
        }
    }
    weighted(text.bytes().map(u64::from))
}

/// Objects behind a trait, in boxes: how large they are, so many times.
pub fn dispatching(times: usize) -> u64 {
    let mut shapes: Vec<Box<dyn Shape>> = Vec::new();
    for number in numbers(300) {
        let side = u64::from(number % 1000);
        match number % 3 {
            0 => shapes.push(Box::new(Square(side))),
            1 => shapes.push(Box::new(Oblong(side, 3))),
            _ => shapes.push(Box::new(Two(Box::new(Square(side)), Box::new(Oblong(side, 5))))),
        }
    }
    weighted((0..times).flat_map(|_| shapes.iter().map(|shape| shape.area())))
}

trait Shape {
    fn area(&self) -> u64;
}

struct Square(u64);
struct Oblong(u64, u64);
struct Two(Box<dyn Shape>, Box<dyn Shape>);

impl Shape for Square {
    fn area(&self) -> u64 {
        self.0 * self.0
    }
}

impl Shape for Oblong {
    fn area(&self) -> u64 {
        self.0 * self.1
    }
}

impl Shape for Two {
    fn area(&self) -> u64 {
        self.0.area() + self.1.area()
    }
}

/// A number that depends on all of these and on their order.
pub fn weighted(values: impl IntoIterator<Item = u64>) -> u64 {
    let step = |sum: u64, value: u64| sum.wrapping_mul(31).wrapping_add(value) % 1_000_003;
    values.into_iter().fold(7, step)
}
