//! Floats of both widths.

use rebut::any;

use super::PathGenerator;
use crate::graph::{Id, Op, Sort};

const NUMBERS: [f64; 16] = [
    0.0,
    1.0,
    -1.0,
    0.1,
    0.5,
    3.0,
    100.0,
    -2.5,
    1e9,
    2_147_483_648.0,
    -0.0,
    1e-40,
    1e300,
    f64::MIN_POSITIVE,
    f64::INFINITY,
    f64::NAN,
];

impl PathGenerator<'_> {
    /// Generates the bits of a float.
    pub(super) fn float(&mut self, width: u32) -> u128 {
        if self.below(3) == 0 {
            return match width {
                32 => self.case.draw(any::<u32>()).into(),
                _ => self.case.draw(any::<u64>()).into(),
            };
        }
        let number = self.one_of(&NUMBERS);
        if width == 32 { (number as f32).to_bits().into() } else { number.to_bits().into() }
    }

    fn float_leaf(&mut self, width: u32) -> Id {
        let fitting: Vec<Id> = self.variables.clone();
        let variable = self.one_of(&fitting);
        if self.graph.width(variable) == width && !self.rarely(5) {
            return variable;
        }
        let bits = self.float(width);
        self.constant(width, bits)
    }

    fn float_term(&mut self, width: u32, depth: u32) -> Id {
        let a = self.float_leaf(width);
        if depth == 0 {
            return a;
        }
        match self.below(4) {
            0 => a,
            1 => {
                let op = self.one_of(&[
                    Op::FloatAbs,
                    Op::FloatNeg,
                    Op::FloatCeil,
                    Op::FloatFloor,
                    Op::FloatTrunc,
                    Op::FloatNearest,
                    Op::FloatSqrt,
                ]);
                self.apply(op, &[a])
            }
            _ => {
                let op = self.one_of(&[
                    Op::FloatAdd,
                    Op::FloatSub,
                    Op::FloatMin,
                    Op::FloatMax,
                    Op::FloatCopysign,
                    Op::FloatMul,
                    Op::FloatDiv,
                ]);
                let is_expensive = matches!(op, Op::FloatMul | Op::FloatDiv);
                let b = if is_expensive && !self.rarely(4) {
                    let bits = self.float(width);
                    self.constant(width, bits)
                } else {
                    self.float_term(width, depth - 1)
                };
                if self.below(2) == 0 { self.apply(op, &[a, b]) } else { self.apply(op, &[b, a]) }
            }
        }
    }

    /// Compares a float with another one, or with one next to its hidden value.
    fn float_compared(&mut self, a: Id, b: Option<Id>) -> Id {
        let width = self.graph.width(a);
        let b = b.unwrap_or_else(|| {
            let near = (self.below(3) as u128).wrapping_sub(1);
            let bits = self.graph.hidden[a].wrapping_add(near);
            self.constant(width, bits)
        });
        let op = self.one_of(&[Op::FloatEq, Op::FloatLt, Op::FloatLe, Op::Eq]);
        if self.below(2) == 0 { self.apply(op, &[a, b]) } else { self.apply(op, &[b, a]) }
    }

    pub(super) fn float_claim(&mut self, width: u32) -> Id {
        match self.below(7) {
            0 => {
                let a = self.float_term(width, 1);
                self.float_compared(a, None)
            }
            1 => {
                let (a, b) = (self.float_term(width, 1), self.float_leaf(width));
                self.float_compared(a, Some(b))
            }
            2 => {
                let a = self.float_leaf(width);
                self.float_compared(a, None)
            }
            3 => {
                let a = self.float_term(width, 1);
                self.apply(Op::FloatIsNan, &[a])
            }
            4 => self.pinned(width),
            5 => self.float_law(width),
            _ => {
                let (a, b) = (self.float_term(width, 2), self.float_term(width, 0));
                self.float_compared(a, Some(b))
            }
        }
    }

    /// Fixes all but the lowest bits of an input.
    fn pinned(&mut self, width: u32) -> Id {
        let variables = self.variables.clone();
        let a = self.one_of(&variables);
        let width = if self.graph.width(a) == width { width } else { self.graph.width(a) };
        let free = self.between(1, 8.min(width as usize - 1)) as u32;
        let high = self.apply(Op::Extract { high: width - 1, low: free }, &[a]);
        let known = self.graph.hidden[high];
        let known = self.constant(width - free, known);
        self.apply(Op::Eq, &[high, known])
    }

    /// Generates a law that is true of all floats, or of all but a few.
    fn float_law(&mut self, width: u32) -> Id {
        let (a, b) = (self.float_leaf(width), self.float_leaf(width));
        let holds = match self.below(9) {
            0 => {
                let least = self.apply(Op::FloatMin, &[a, b]);
                self.apply(Op::FloatLe, &[least, a])
            }
            1 => {
                let op = self.one_of(&[Op::FloatMax, Op::FloatMin]);
                let (extreme, other) = (self.apply(op, &[a, b]), self.apply(op, &[b, a]));
                self.apply(Op::Eq, &[extreme, other])
            }
            2 => {
                let (down, up) =
                    (self.apply(Op::FloatFloor, &[a]), self.apply(Op::FloatCeil, &[a]));
                self.apply(Op::FloatLe, &[down, up])
            }
            3 => {
                let whole = self.apply(Op::FloatTrunc, &[a]);
                let again = self.apply(Op::FloatNearest, &[whole]);
                self.apply(Op::Eq, &[whole, again])
            }
            4 => {
                let zero = self.constant(width, 0);
                let difference = self.apply(Op::FloatSub, &[a, a]);
                self.apply(Op::FloatEq, &[difference, zero])
            }
            5 => {
                let root = self.apply(Op::FloatSqrt, &[a]);
                let zero = self.constant(width, 0);
                self.apply(Op::FloatLe, &[zero, root])
            }
            6 => {
                let (less, at_most) =
                    (self.apply(Op::FloatLt, &[a, b]), self.apply(Op::FloatLe, &[b, a]));
                let not = self.not(at_most);
                self.apply(Op::Eq, &[less, not])
            }
            7 => {
                let size = self.apply(Op::FloatAbs, &[a]);
                self.apply(Op::FloatLe, &[a, size])
            }
            _ => {
                let (sum, other) =
                    (self.apply(Op::FloatAdd, &[a, b]), self.apply(Op::FloatAdd, &[b, a]));
                self.apply(Op::FloatEq, &[sum, other])
            }
        };
        if self.below(2) == 0 {
            return holds;
        }
        // Most laws exclude NaNs.
        let (nan, other) = (self.apply(Op::FloatIsNan, &[a]), self.apply(Op::FloatIsNan, &[b]));
        let nan = self.apply(Op::Or, &[nan, other]);
        self.apply(Op::Or, &[nan, holds])
    }

    /// Returns an input as an integer of 32 or 64 bits.
    fn integer(&mut self, width: u32) -> Id {
        let variables = self.variables.clone();
        let a = self.one_of(&variables);
        self.fitted(a, width)
    }

    pub(super) fn conversion_claim(&mut self) -> Id {
        let (from, to) = (self.one_of(&[32, 64]), self.one_of(&[32, 64]));
        match self.below(8) {
            0 | 1 => {
                let a = self.integer(from);
                let op = self.one_of(&[Op::FromSigned(to), Op::FromUnsigned(to)]);
                let a = self.apply(op, &[a]);
                self.float_compared(a, None)
            }
            2 => {
                // The round trip returns the same integer, if it fits.
                let a = self.integer(from);
                let float = self.apply(Op::FromSigned(to), &[a]);
                let op = self.one_of(&[Op::SaturatingSigned(from), Op::ToSigned(from)]);
                let back = self.apply(op, &[float]);
                self.apply(Op::Eq, &[back, a])
            }
            3 | 4 => {
                let a = self.integer(from);
                let op = self.one_of(&[
                    Op::ToSigned(to),
                    Op::ToUnsigned(to),
                    Op::SaturatingSigned(to),
                    Op::SaturatingUnsigned(to),
                ]);
                let number = self.apply(op, &[a]);
                self.compared(number, None)
            }
            5 => {
                let a = self.integer(from);
                let op = self.one_of(&[Op::TrapsSigned(to), Op::TrapsUnsigned(to)]);
                self.apply(op, &[a])
            }
            6 => {
                let narrow = self.integer(32);
                let wide = self.apply(Op::Promote, &[narrow]);
                if self.below(2) == 0 {
                    let back = self.apply(Op::Demote, &[wide]);
                    return self.apply(Op::FloatEq, &[back, narrow]);
                }
                self.float_compared(wide, None)
            }
            _ => {
                let a = self.integer(64);
                let narrow = self.apply(Op::Demote, &[a]);
                match self.graph.sort(narrow) {
                    Sort::Bits(_) => self.float_compared(narrow, None),
                    Sort::Bool => narrow,
                }
            }
        }
    }
}
