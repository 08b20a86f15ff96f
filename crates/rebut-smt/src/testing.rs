//! Random terms for the tests: bytes are read as a recipe. The same bytes build the same term in
//! every pool. Fewer or smaller bytes build a smaller term, so failures shrink.

use crate::{Bits, Model, Op, Pool, Rational, Sort, Table, Term, Value};

/// Bytes that describe how to build terms.
pub(crate) struct Recipe<'a> {
    bytes: &'a [u8],
    /// The width of the bit-vector variables.
    width: u32,
    has_ints: bool,
    has_tables: bool,
}

const BINARY: [Op; 14] = [
    Op::BvAdd,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvSub,
    Op::BvMul,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
];

impl<'a> Recipe<'a> {
    pub(crate) fn new(bytes: &'a [u8], width: u32, has_ints: bool) -> Recipe<'a> {
        Recipe { bytes, width, has_ints, has_tables: true }
    }

    /// Builds other terms in place of lookups in tables.
    pub(crate) fn without_tables(self) -> Recipe<'a> {
        Recipe { has_tables: false, ..self }
    }

    pub(crate) fn is_used_up(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the next byte modulo `below`, or zero after the last.
    fn next(&mut self, below: u8) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        first % below
    }

    pub(crate) fn boolean(&mut self, pool: &mut Pool, depth: u32) -> Term {
        if depth == 0 {
            return pool.var("p", Sort::Bool);
        }
        let depth = depth - 1;
        match self.next(if self.has_ints { 15 } else { 11 }) {
            0 => {
                let which = self.next(4);
                match which {
                    0 | 1 => pool.bool(which == 1),
                    2 => pool.var("p", Sort::Bool),
                    _ => pool.var("q", Sort::Bool),
                }
            }
            1 => {
                let a = self.boolean(pool, depth);
                pool.not(a)
            }
            2 => {
                let (a, b) = (self.boolean(pool, depth), self.boolean(pool, depth));
                pool.and(a, b)
            }
            3 => {
                let terms = [(); 3].map(|()| self.boolean(pool, depth));
                pool.any(&terms)
            }
            4 => {
                let (a, b) = (self.boolean(pool, depth), self.boolean(pool, depth));
                pool.eq(a, b)
            }
            5 => {
                let [a, b, c] = [(); 3].map(|()| self.boolean(pool, depth));
                pool.ite(a, b, c)
            }
            6 => {
                let width = self.some_width();
                let terms = [(); 3].map(|()| self.bits(pool, width, depth));
                pool.distinct(&terms)
            }
            7 | 8 => {
                let width = self.some_width();
                let (a, b) = (self.bits(pool, width, depth), self.bits(pool, width, depth));
                pool.eq(a, b)
            }
            9 => {
                let width = self.some_width();
                let (a, b) = (self.bits(pool, width, depth), self.bits(pool, width, depth));
                pool.bv_ult(a, b)
            }
            10 => {
                let width = self.some_width();
                let (a, b) = (self.bits(pool, width, depth), self.bits(pool, width, depth));
                pool.bv_sle(a, b)
            }
            11 | 12 => {
                let (a, b) = (self.int(pool, depth), self.int(pool, depth));
                pool.lt(a, b)
            }
            13 => {
                let (a, b) = (self.int(pool, depth), self.int(pool, depth));
                pool.eq(a, b)
            }
            _ => {
                let (a, b) = (self.int(pool, depth), self.int(pool, depth));
                let third = Rational::new(1, 3).map(|third| pool.real(third));
                let a = pool.to_real(a);
                let a = third.map_or(a, |third| pool.mul(third, a));
                let a = pool.to_int(a);
                pool.le(a, b)
            }
        }
    }

    fn some_width(&mut self) -> u32 {
        match self.next(3) {
            0 => self.width,
            1 => self.width + 2,
            _ => 1,
        }
    }

    pub(crate) fn bits(&mut self, pool: &mut Pool, width: u32, depth: u32) -> Term {
        if depth == 0 || self.bytes.is_empty() {
            return self.leaf(pool, width);
        }
        let depth = depth - 1;
        match self.next(24) {
            0 | 1 => self.leaf(pool, width),
            2 => {
                let number = u128::from(self.next(u8::MAX));
                pool.bits(width, number)
            }
            3 => {
                let a = self.bits(pool, width, depth);
                pool.bv_not(a)
            }
            4 => {
                let a = self.bits(pool, width, depth);
                pool.bv_neg(a)
            }
            5 => {
                let condition = self.boolean(pool, depth);
                let (a, b) = (self.bits(pool, width, depth), self.bits(pool, width, depth));
                pool.ite(condition, a, b)
            }
            6 | 7 if width > 1 => {
                let low = 1 + u32::from(self.next(255)) % (width - 1);
                let (a, b) = (self.bits(pool, width - low, depth), self.bits(pool, low, depth));
                pool.concat(a, b)
            }
            8 if width > 1 => {
                let by = u32::from(self.next(255)) % width;
                let a = self.bits(pool, width - by, depth);
                pool.sign_extend(by, a)
            }
            9 | 10 => {
                let low = u32::from(self.next(4));
                let more = u32::from(self.next(3));
                let a = self.bits(pool, width + low + more, depth);
                pool.extract(low + width - 1, low, a)
            }
            11 if self.has_ints => {
                let a = self.int(pool, depth);
                pool.int_to_bv(width, a)
            }
            12..=14 if self.has_tables => self.entry(pool, width, depth),
            _ => {
                let op = BINARY[usize::from(self.next(BINARY.len() as u8))];
                let (a, b) = (self.bits(pool, width, depth), self.bits(pool, width, depth));
                pool.apply(op, &[a, b]).expect("sorts that fit")
            }
        }
    }

    /// Builds a lookup in a table: of constant values, of a line, or of exclusive ors.
    fn entry(&mut self, pool: &mut Pool, width: u32, depth: u32) -> Term {
        let index_width = 1 + u32::from(self.next(4));
        let index = self.bits(pool, index_width, depth);
        let (shape, seed) = (self.next(4), u128::from(self.next(255)));
        let values: Vec<u128> = (0..1 << index_width)
            .map(|n| match shape {
                0 => seed.wrapping_add(n * (seed >> 3)),
                1 => seed ^ (n << 1) ^ (n >> 1),
                2 => seed >> (n & 3),
                _ => u128::from(self.next(8)),
            })
            .collect();
        let table = Table::of_values(index_width, width, &values).expect("widths that fit");
        pool.select(index, table)
    }

    /// Builds a variable, cut or extended to the width.
    fn leaf(&mut self, pool: &mut Pool, width: u32) -> Term {
        let name = ["x", "y", "z"][usize::from(self.next(3))];
        let variable = pool.var(name, Sort::BitVec(self.width));
        if width <= self.width {
            pool.extract(width - 1, 0, variable)
        } else {
            pool.zero_extend(width - self.width, variable)
        }
    }

    pub(crate) fn int(&mut self, pool: &mut Pool, depth: u32) -> Term {
        let choice = if depth == 0 || self.bytes.is_empty() { 0 } else { self.next(9) };
        let depth = depth.saturating_sub(1);
        match choice {
            0 | 1 => {
                let name = ["m", "n"][usize::from(self.next(2))];
                pool.var(name, Sort::Int)
            }
            2 => {
                let number = i128::from(self.next(12)) - 5;
                pool.int(number)
            }
            3 | 4 => {
                let (a, b) = (self.int(pool, depth), self.int(pool, depth));
                if choice == 3 { pool.add(a, b) } else { pool.sub(a, b) }
            }
            5 => {
                let (a, b) = (self.int(pool, depth), self.int(pool, depth));
                pool.mul(a, b)
            }
            6 => {
                let condition = self.boolean(pool, depth);
                let (a, b) = (self.int(pool, depth), self.int(pool, depth));
                pool.ite(condition, a, b)
            }
            7 => {
                let op = if self.next(2) == 0 { Op::IntDiv } else { Op::IntMod };
                let (a, b) = (self.int(pool, depth), self.int(pool, depth));
                pool.apply(op, &[a, b]).expect("two numbers")
            }
            _ => {
                let width = self.width;
                let a = self.bits(pool, width, depth);
                pool.bv_to_int(a)
            }
        }
    }
}

/// Iterates over all assignments of the variables of some terms, with `Int`s within bounds.
pub(crate) fn assignments(
    pool: &Pool,
    terms: &[Term],
    ints: std::ops::RangeInclusive<i128>,
) -> impl ExactSizeIterator<Item = Model> + use<> {
    let variables: Vec<(Term, Sort)> =
        pool.variables(terms).into_iter().map(|term| (term, pool.sort(term))).collect();
    let first = *ints.start();
    let counts: Vec<usize> = variables
        .iter()
        .map(|(_, sort)| match sort {
            Sort::Bool => 2,
            Sort::BitVec(width) => 1 << width,
            _ => ints.clone().count(),
        })
        .collect();
    let total: usize = counts.iter().product();
    (0..total).map(move |number| {
        let mut rest = number;
        Model::new(variables.iter().zip(&counts).map(|((term, sort), count)| {
            let digit = rest % count;
            rest /= count;
            let value = match sort {
                Sort::Bool => Value::Bool(digit == 1),
                Sort::BitVec(width) => Value::Bits(Bits::new(*width, digit as u128)),
                _ => Value::Int(first + digit as i128),
            };
            (*term, value)
        }))
    })
}
