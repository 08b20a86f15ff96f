//! Generates paths: claims that a hidden assignment satisfies, like the conditions of a test run.
//!
//! Exploration takes a path and negates one of its conditions. So a query consists of the first
//! claims of a path and the negation of the next one. Both answers must be common. Therefore
//! claims share a few terms, compare with numbers near the hidden values, and some are laws of
//! arithmetic or nearly so.

mod floats;
mod laws;
mod words;

use rebut::any;
use rebut::prelude::*;

use crate::graph::{Graph, Id, Op, Sort};

/// The kind of claims of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Family {
    /// All operators on bit-vectors of 1 to 64 bits.
    Bits,
    /// The same, up to 128 bits.
    Wide,
    /// Code as compiled to WebAssembly: comparisons as numbers, masks, extensions.
    Words,
    /// Inputs compared with each other.
    Order,
    /// Bounded inputs, shifted, scaled and masked.
    Domains,
    /// Laws of arithmetic, some of them altered.
    Laws,
    Float32,
    Float64,
    /// Between integers and floats of both widths.
    Conversions,
}

pub(crate) const FAMILIES: [Family; 9] = [
    Family::Bits,
    Family::Wide,
    Family::Words,
    Family::Order,
    Family::Domains,
    Family::Laws,
    Family::Float32,
    Family::Float64,
    Family::Conversions,
];

/// A path: claims about variables.
#[derive(Debug)]
pub(crate) struct Path {
    pub(crate) graph: Graph,
    /// The bounds of the variables. They are part of every query.
    pub(crate) given: Vec<Id>,
    /// The conditions of the path, in the order of the run.
    pub(crate) claims: Vec<Id>,
}

pub(crate) struct PathGenerator<'a> {
    case: &'a mut rebut::Case,
    graph: Graph,
    variables: Vec<Id>,
    given: Vec<Id>,
}

/// Generates a path of a family.
pub(crate) fn path(case: &mut rebut::Case, family: Family) -> Path {
    let mut generator =
        PathGenerator { case, graph: Graph::default(), variables: vec![], given: vec![] };
    generator.declare(family);
    let count = generator.between(2, 8);
    let mut claims = Vec::new();
    for _ in 0..count {
        let claim = generator.claim(family);
        let claim = generator.as_wasm_condition(claim);
        claims.push(generator.made_true(claim));
    }
    Path { graph: generator.graph, given: generator.given, claims }
}

impl PathGenerator<'_> {
    fn below(&mut self, count: usize) -> usize {
        self.case.draw(integers::<usize>().max_value(count - 1))
    }

    fn between(&mut self, least: usize, greatest: usize) -> usize {
        least + self.below(greatest - least + 1)
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Returns true once in `count` times, and never in the simplest case.
    fn rarely(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    fn apply(&mut self, op: Op, args: &[Id]) -> Id {
        self.graph.apply(op, args)
    }

    fn constant(&mut self, width: u32, number: u128) -> Id {
        self.graph.constant(width, number)
    }

    fn not(&mut self, a: Id) -> Id {
        self.apply(Op::Not, &[a])
    }

    /// Returns the claim or its negation, whichever the hidden assignment satisfies.
    fn made_true(&mut self, claim: Id) -> Id {
        if self.graph.holds(claim) { claim } else { self.not(claim) }
    }

    /// Generates a number that is likely to be at a boundary.
    fn number(&mut self, width: u32) -> u128 {
        let bit = |place: usize| 1u128 << (place as u32 % width);
        match self.below(7) {
            0 => self.below(4) as u128,
            1 => bit(self.below(128)),
            2 => bit(self.below(128)).wrapping_sub(1),
            3 => bit(self.below(128)).wrapping_neg(),
            4 => (self.below(4) as u128).wrapping_neg(),
            5 => self.case.draw(any::<u8>()).into(),
            _ => self.case.draw(any::<u128>()),
        }
    }

    fn declare(&mut self, family: Family) {
        let count = match family {
            Family::Order => self.between(3, 6),
            Family::Float32 | Family::Float64 => self.between(1, 2),
            _ => self.between(1, 4),
        };
        let first = self.width_of_variables(family);
        for n in 0..count {
            let width = if n == 0 { first } else { self.another_width(family, first) };
            let number = match family {
                Family::Float32 => self.float(32),
                Family::Float64 => self.float(64),
                _ => self.number(width),
            };
            let variable = self.graph.var(Sort::Bits(width), number);
            self.variables.push(variable);
            match family {
                Family::Domains => self.bounded(variable),
                Family::Words | Family::Order if self.rarely(3) => self.bounded(variable),
                _ => {}
            }
        }
    }

    fn width_of_variables(&mut self, family: Family) -> u32 {
        match family {
            Family::Bits => match self.below(3) {
                0 => self.between(1, 5) as u32,
                1 => self.one_of(&[8, 16, 32, 64]),
                _ => self.between(1, 64) as u32,
            },
            Family::Wide => self.between(65, 128) as u32,
            Family::Words | Family::Conversions => self.one_of(&[8, 32, 64]),
            Family::Order => self.one_of(&[2, 3, 8, 32, 64, 126, 127, 128]),
            Family::Domains => self.one_of(&[5, 8, 12, 32, 64]),
            Family::Laws => self.one_of(&[3, 1, 2, 4, 5, 6, 7, 8, 32, 64]),
            Family::Float32 => 32,
            Family::Float64 => 64,
        }
    }

    fn another_width(&mut self, family: Family, first: u32) -> u32 {
        match family {
            Family::Order if self.rarely(8) => self.one_of(&[8, 32, 64]).min(first),
            Family::Bits | Family::Words | Family::Conversions if self.rarely(3) => {
                self.width_of_variables(family)
            }
            _ => first,
        }
    }

    /// Adds bounds around the hidden value of a variable, signed or unsigned.
    fn bounded(&mut self, variable: Id) {
        let width = self.graph.width(variable);
        let (at, sort) = (self.graph.hidden[variable], Sort::Bits(width));
        let op = if self.below(2) == 0 { Op::Ule } else { Op::Sle };
        let down = 1u128 << self.below(6);
        let up = 1u128 << self.below(6);
        let around = [at.wrapping_sub(down - 1), at.wrapping_add(up - 1)];
        let bounds = around.map(|number| crate::native::cut(sort, number));
        let [least, greatest] = bounds.map(|number| self.constant(width, number));
        for (a, b) in [(least, variable), (variable, greatest)] {
            let claim = self.apply(op, &[a, b]);
            // At the limits of the type the bound may have wrapped around.
            if self.graph.holds(claim) {
                self.given.push(claim);
            }
        }
    }

    fn claim(&mut self, family: Family) -> Id {
        match family {
            Family::Bits | Family::Wide => self.bits_claim(),
            Family::Words => self.words_claim(),
            Family::Order => self.order_claim(),
            Family::Domains => self.domain_claim(),
            Family::Laws => self.law(),
            Family::Float32 => self.float_claim(32),
            Family::Float64 => self.float_claim(64),
            Family::Conversions => self.conversion_claim(),
        }
    }

    /// Sometimes writes a boolean as WebAssembly does: as a number that is compared with zero.
    fn as_wasm_condition(&mut self, claim: Id) -> Id {
        if !self.rarely(3) {
            return claim;
        }
        let width = self.one_of(&[32, 1, 8]);
        let (one, zero) = (self.constant(width, 1), self.constant(width, 0));
        let number = self.apply(Op::Ite, &[claim, one, zero]);
        let is_zero = self.apply(Op::Eq, &[number, zero]);
        if self.below(2) == 0 {
            return self.not(is_zero);
        }
        let number = self.apply(Op::Ite, &[is_zero, one, zero]);
        self.apply(Op::Eq, &[number, zero])
    }

    /// Compares a term with another one, or with a number near its hidden value.
    fn compared(&mut self, a: Id, b: Option<Id>) -> Id {
        let width = self.graph.width(a);
        let b = b.unwrap_or_else(|| {
            let near = (self.below(5) as u128).wrapping_sub(2);
            let number = match self.below(4) {
                0 => self.number(width),
                _ => self.graph.hidden[a].wrapping_add(near),
            };
            self.constant(width, number)
        });
        let op = self.one_of(&[Op::Eq, Op::Ult, Op::Slt, Op::Ule, Op::Sle]);
        if self.below(2) == 0 { self.apply(op, &[a, b]) } else { self.apply(op, &[b, a]) }
    }

    fn bits_claim(&mut self) -> Id {
        let widest = self.widest();
        let width = match self.below(3) {
            0 => self.between(1, widest as usize) as u32,
            _ => widest,
        };
        self.bits_truth(width, 2)
    }

    fn widest(&self) -> u32 {
        self.variables.iter().map(|v| self.graph.width(*v)).max().unwrap_or(1)
    }

    fn bits_truth(&mut self, width: u32, depth: u32) -> Id {
        match self.below(if depth == 0 { 4 } else { 6 }) {
            0 | 1 => {
                let a = self.bits(width, depth);
                self.compared(a, None)
            }
            2 | 3 => {
                let (a, b) = (self.bits(width, depth), self.bits(width, depth));
                self.compared(a, Some(b))
            }
            kind => {
                let (a, b) = (self.bits_truth(width, depth - 1), self.bits_truth(width, depth - 1));
                self.apply(if kind == 4 { Op::And } else { Op::Or }, &[a, b])
            }
        }
    }

    /// Generates a term of `width` bits.
    fn bits(&mut self, width: u32, depth: u32) -> Id {
        if self.rarely(4) {
            let known = |id: &Id| self.graph.sort(*id) == Sort::Bits(width);
            let shared: Vec<Id> = (0..self.graph.nodes.len()).filter(known).collect();
            if !shared.is_empty() {
                return self.one_of(&shared);
            }
        }
        if depth == 0 || self.below(5) == 0 {
            return self.leaf(width);
        }
        match self.below(5) {
            0 => self.reshaped(width, depth - 1),
            1 => {
                let op = self.one_of(&[Op::BvNot, Op::Neg, Op::Popcount, Op::Clz, Op::Ctz]);
                let a = self.bits(width, depth - 1);
                self.apply(op, &[a])
            }
            2 if depth > 1 => {
                let condition = self.bits_truth(width, depth - 2);
                let (a, b) = (self.bits(width, depth - 1), self.bits(width, depth - 1));
                self.apply(Op::Ite, &[condition, a, b])
            }
            _ => self.arithmetic(width, depth - 1),
        }
    }

    /// Generates a variable, cut or extended to the width, or a number.
    fn leaf(&mut self, width: u32) -> Id {
        if self.rarely(4) {
            let number = self.number(width);
            return self.constant(width, number);
        }
        let variables = self.variables.clone();
        let variable = self.one_of(&variables);
        self.fitted(variable, width)
    }

    fn fitted(&mut self, a: Id, width: u32) -> Id {
        let given = self.graph.width(a);
        if given > width {
            let low = self.below((given - width) as usize + 1) as u32;
            return self.apply(Op::Extract { high: low + width - 1, low }, &[a]);
        }
        if given == width {
            return a;
        }
        let by = width - given;
        let op = if self.below(2) == 0 { Op::ZeroExtend(by) } else { Op::SignExtend(by) };
        self.apply(op, &[a])
    }

    /// Concatenates parts, or takes a part of a wider term.
    fn reshaped(&mut self, width: u32, depth: u32) -> Id {
        if self.below(2) == 0 && width > 1 {
            let low = self.between(1, width as usize - 1) as u32;
            let (a, b) = (self.bits(width - low, depth), self.bits(low, depth));
            return self.apply(Op::Concat, &[a, b]);
        }
        let other = self.between(1, (2 * width as usize).min(128)) as u32;
        let a = self.bits(other, depth);
        self.fitted(a, width)
    }

    fn arithmetic(&mut self, width: u32, depth: u32) -> Id {
        let op = self.one_of(&[
            Op::Add,
            Op::Sub,
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::Shl,
            Op::Lshr,
            Op::Ashr,
            Op::RotL,
            Op::RotR,
            Op::Mul,
            Op::Udiv,
            Op::Urem,
            Op::Sdiv,
            Op::Srem,
            Op::Smod,
        ]);
        let a = self.bits(width, depth);
        let is_expensive = matches!(
            op,
            Op::Mul | Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem | Op::Smod | Op::RotL | Op::RotR
        );
        let b = if is_expensive && width > 8 && !self.rarely(8) {
            let number = self.number(width);
            self.constant(width, number)
        } else {
            self.bits(width, depth)
        };
        self.apply(op, &[a, b])
    }
}
