//! Arithmetic and logic of bit-vectors.
//!
//! Constants move outward so that they meet: `(x + 3) + 4` becomes `x + 7`. Compilers write a
//! remainder as `a - a / k * k`; it becomes `a % k` again.

use crate::op::Op;
use crate::value::mask;
use crate::{Pool, Sort, Term};

impl Pool {
    pub(super) fn rewrite_bits(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let simpler = match (op, args) {
            (Op::Concat, [a, b]) => return self.rewrite_concat(*a, *b),
            (Op::Extract { high, low }, [a]) => return self.rewrite_extract(high, low, *a),
            (Op::SignExtend(by), [a]) => return self.rewrite_sign_extend(by, *a),
            (Op::BvNot | Op::BvNeg, [a]) => self.rewrite_unary(op, *a),
            (Op::BvAnd | Op::BvOr | Op::BvXor, [a, b]) => return self.rewrite_logic(op, *a, *b),
            (Op::BvAdd, [a, b]) => return self.rewrite_add(*a, *b, sort),
            (Op::BvSub, [a, b]) => self.rewrite_sub(*a, *b),
            (Op::BvMul, [a, b]) => return self.rewrite_mul(*a, *b, sort),
            (Op::BvShl | Op::BvLshr | Op::BvAshr, [a, b]) => self.rewrite_shift(op, *a, *b),
            (_, [a, b]) => self.rewrite_division(op, *a, *b),
            _ => None,
        };
        simpler.unwrap_or_else(|| self.intern(op, args, sort))
    }

    fn rewrite_unary(&mut self, op: Op, a: Term) -> Option<Term> {
        if self.op(a) == op {
            return Some(self.args(a)[0]);
        }
        match (op, self.op(a)) {
            (Op::BvNeg, Op::BvSub) => Some(self.bv_sub(self.args(a)[1], self.args(a)[0])),
            // -(x + k) = -k - x, and ~(x + k) = ~k - x.
            (_, Op::BvAdd) => {
                let (x, added) = self.split_added(a)?;
                let width = self.width(a);
                let number = if op == Op::BvNeg { added.wrapping_neg() } else { !added };
                let constant = self.bits(width, number);
                Some(self.bv_sub(constant, x))
            }
            _ => None,
        }
    }

    /// Orders operands: a constant comes second, otherwise the older term comes first.
    fn in_order(&self, a: Term, b: Term) -> (Term, Term) {
        let swap = self.value(a).is_some() || (self.value(b).is_none() && a > b);
        if swap { (b, a) } else { (a, b) }
    }

    fn rewrite_logic(&mut self, op: Op, a: Term, b: Term) -> Term {
        let (a, b) = self.in_order(a, b);
        let width = self.width(a);
        let simpler = self
            .logic_of_same(op, a, b)
            .or_else(|| self.logic_with_constant(op, a, b, width))
            .or_else(|| self.by_pieces(op, a, b));
        simpler.unwrap_or_else(|| self.intern(op, &[a, b], Sort::BitVec(width)))
    }

    fn logic_of_same(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b {
            return Some(if op == Op::BvXor { self.bits(width, 0) } else { a });
        }
        let opposite = |pool: &Pool, a, b| pool.parts(a, Op::BvNot) == Some([b]);
        if opposite(self, a, b) || opposite(self, b, a) {
            let number = if op == Op::BvAnd { 0 } else { u128::MAX };
            return Some(self.bits(width, number));
        }
        match (op, self.parts(a, Op::BvNot), self.parts(b, Op::BvNot)) {
            (Op::BvXor, Some([x]), Some([y])) => Some(self.bv_xor(x, y)),
            _ => None,
        }
    }

    fn logic_with_constant(&mut self, op: Op, a: Term, b: Term, width: u32) -> Option<Term> {
        let number = self.bits_of(b)?;
        let ones = mask(width);
        match op {
            Op::BvAnd if number == 0 => return Some(b),
            Op::BvAnd if number == ones => return Some(a),
            Op::BvOr | Op::BvXor if number == 0 => return Some(a),
            Op::BvOr if number == ones => return Some(b),
            Op::BvXor if number == ones => return Some(self.bv_not(a)),
            _ => {}
        }
        if self.op(a) == op
            && let Some(inner) = self.bits_of(self.args(a)[1])
        {
            let x = self.args(a)[0];
            let both = match op {
                Op::BvAnd => inner & number,
                Op::BvOr => inner | number,
                _ => inner ^ number,
            };
            let constant = self.bits(width, both);
            return Some(self.rewrite(op, &[x, constant], Sort::BitVec(width)));
        }
        if op == Op::BvAnd { self.run_of_ones(a, number, width) } else { None }
    }

    /// Turns a mask with one run of ones into a piece between zeros.
    fn run_of_ones(&mut self, a: Term, number: u128, width: u32) -> Option<Term> {
        let low = number.trailing_zeros();
        let run = (number >> low).trailing_ones();
        if mask(run) << low != number {
            return None;
        }
        let piece = self.extract(low + run - 1, low, a);
        Some(self.between_zeros(width - low - run, piece, low))
    }

    /// Adds `above` zeros above a piece and `below` zeros below it.
    fn between_zeros(&mut self, above: u32, piece: Term, below: u32) -> Term {
        let piece = match below {
            0 => piece,
            _ => {
                let zeros = self.bits(below, 0);
                self.concat(piece, zeros)
            }
        };
        self.zero_extend(above, piece)
    }

    fn rewrite_add(&mut self, a: Term, b: Term, sort: Sort) -> Term {
        let (a, b) = self.in_order(a, b);
        let width = self.width(a);
        if self.bits_of(b) == Some(0) {
            return a;
        }
        if a == b {
            let one = self.bits(width, 1);
            return self.bv_shl(a, one);
        }
        if let Some(simpler) = self.canceled(a, b).or_else(|| self.canceled(b, a)) {
            return simpler;
        }
        if let Some(simpler) = self.constants_outwards(a, b, width) {
            return simpler;
        }
        if let Some(simpler) = self.by_pieces(Op::BvAdd, a, b) {
            return simpler;
        }
        if let Some(simpler) = self.merged_sum(a, b) {
            return simpler;
        }
        self.intern(Op::BvAdd, &[a, b], sort)
    }

    /// Simplifies `a + -y`, `(x - b) + b`, `~x + 1`, `(k - x) + l` and `a + a / k * -k`.
    fn canceled(&mut self, a: Term, b: Term) -> Option<Term> {
        if let Some((quotient, divisor)) = self.negated_multiple(b) {
            return self.remainder(a, quotient, divisor);
        }
        match (self.op(b), self.args(b)) {
            (Op::BvNeg, [y]) => Some(self.bv_sub(a, *y)),
            (Op::BvSub, [x, y]) if *y == a => Some(*x),
            (Op::BvNot, [x]) => {
                let number = self.bits_of(a)?;
                let (x, width) = (*x, self.width(a));
                let constant = self.bits(width, number.wrapping_sub(1));
                Some(self.bv_sub(constant, x))
            }
            (Op::BvSub, [k, y]) => {
                let y = *y;
                let sum = self.bits_of(*k)?.wrapping_add(self.bits_of(a)?);
                let width = self.width(a);
                let constant = self.bits(width, sum);
                Some(self.bv_sub(constant, y))
            }
            _ => None,
        }
    }

    /// Rewrites `(x + k) + y` to `(x + y) + k`, so that constants meet.
    fn constants_outwards(&mut self, a: Term, b: Term, width: u32) -> Option<Term> {
        let (x, k) = self.split_added(a).unwrap_or((a, 0));
        let (y, l) = match self.bits_of(b) {
            Some(_) if k == 0 => return None,
            Some(number) => (None, number),
            None => {
                let (y, l) = self.split_added(b).unwrap_or((b, 0));
                (Some(y), l)
            }
        };
        if y.is_some() && k == 0 && l == 0 {
            return None;
        }
        let sum = match y {
            Some(y) => self.bv_add(x, y),
            None => x,
        };
        let constant = self.bits(width, k.wrapping_add(l));
        Some(self.bv_add(sum, constant))
    }

    /// Splits a sum into a term and a constant.
    fn split_added(&self, term: Term) -> Option<(Term, u128)> {
        let [x, k] = self.parts(term, Op::BvAdd)?;
        Some((x, self.bits_of(k)?))
    }

    fn rewrite_sub(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if a == b {
            return Some(self.bits(width, 0));
        }
        if let Some(choice) = self.three_way(a, b) {
            return Some(choice);
        }
        if let Some([product, factor]) = self.parts(b, Op::BvMul)
            && let Some(remainder) = self.remainder(a, product, factor)
        {
            return Some(remainder);
        }
        if let Some(number) = self.bits_of(b) {
            let minus = self.bits(width, number.wrapping_neg());
            return Some(self.bv_add(a, minus));
        }
        match (self.bits_of(a), self.op(b)) {
            (Some(0), _) => return Some(self.bv_neg(b)),
            (Some(u128::MAX), _) if width == 128 => return Some(self.bv_not(b)),
            (Some(number), _) if number == mask(width) => return Some(self.bv_not(b)),
            (_, Op::BvNeg) => return Some(self.bv_add(a, self.args(b)[0])),
            _ => {}
        }
        if let Some([x, y]) = self.parts(a, Op::BvAdd) {
            if y == b {
                return Some(x);
            }
            if x == b {
                return Some(y);
            }
        }
        let (x, k) = self.split_added(a).unwrap_or((a, 0));
        let (y, l) = self.split_added(b).unwrap_or((b, 0));
        if k == 0 && l == 0 {
            return None;
        }
        let difference = self.bv_sub(x, y);
        let constant = self.bits(width, k.wrapping_sub(l));
        Some(self.bv_add(difference, constant))
    }

    /// Recognizes `a - a / k * k`, which is how compilers write a remainder.
    fn remainder(&mut self, a: Term, quotient: Term, factor: Term) -> Option<Term> {
        let (op, [x, k]) = match self.op(quotient) {
            Op::BvUdiv => (Op::BvUrem, self.parts(quotient, Op::BvUdiv)?),
            Op::BvSdiv => (Op::BvSrem, self.parts(quotient, Op::BvSdiv)?),
            _ => return None,
        };
        let is_remainder = x == a && k == factor && self.bits_of(k)? != 0;
        is_remainder.then(|| self.rewrite(op, &[x, k], self.sort(x)))
    }

    /// Recognizes `a / k * -k`, and returns the quotient and `k`.
    fn negated_multiple(&self, sum: Term) -> Option<(Term, Term)> {
        let [quotient, factor] = self.parts(sum, Op::BvMul)?;
        let k = *self.args(quotient).get(1)?;
        let minus = self.bits_of(k)?.wrapping_neg() & mask(self.width(k));
        (self.bits_of(factor)? == minus).then_some((quotient, k))
    }

    fn rewrite_mul(&mut self, a: Term, b: Term, sort: Sort) -> Term {
        let (a, b) = self.in_order(a, b);
        let width = self.width(a);
        match self.bits_of(b) {
            Some(0) => return b,
            Some(1) => return a,
            Some(number) if number == mask(width) => return self.bv_neg(a),
            Some(number) if number.is_power_of_two() => {
                let amount = self.bits(width, u128::from(number.trailing_zeros()));
                return self.bv_shl(a, amount);
            }
            Some(number) => {
                if let Some([x, k]) = self.parts(a, Op::BvMul)
                    && let Some(inner) = self.bits_of(k)
                {
                    let product = self.bits(width, inner.wrapping_mul(number));
                    return self.bv_mul(x, product);
                }
                if let Some(sum) = self.spread(a, b) {
                    return sum;
                }
            }
            None => {}
        }
        self.intern(Op::BvMul, &[a, b], sort)
    }

    fn rewrite_division(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let number = self.bits_of(b)?;
        let power = number.is_power_of_two().then(|| number.trailing_zeros());
        match (op, number, power) {
            (Op::BvUdiv, 0, _) => Some(self.bits(width, u128::MAX)),
            (Op::BvUrem | Op::BvSrem | Op::BvSmod, 0, _) => Some(a),
            (Op::BvUdiv | Op::BvUrem, ..) if self.is_extended(a) => {
                Some(self.narrow_division(op, a, number))
            }
            (Op::BvUdiv, _, Some(power)) => {
                let amount = self.bits(width, u128::from(power));
                Some(self.bv_lshr(a, amount))
            }
            (Op::BvUrem, _, Some(_)) => {
                let low = self.bits(width, number - 1);
                Some(self.bv_and(a, low))
            }
            (Op::BvUdiv, ..) => {
                let [x, k] = self.parts(a, Op::BvUdiv)?;
                let inner = self.bits_of(k).filter(|inner| *inner != 0)?;
                let product = inner.checked_mul(number).filter(|n| *n <= mask(width));
                Some(match product {
                    Some(product) => {
                        let product = self.bits(width, product);
                        self.bv_udiv(x, product)
                    }
                    None => self.bits(width, 0),
                })
            }
            // A single set bit is -1 if there is only one bit.
            (Op::BvSdiv, 1, _) if width > 1 => Some(a),
            (Op::BvSrem | Op::BvSmod, 1, _) => Some(self.bits(width, 0)),
            _ => None,
        }
    }

    /// Whether a number is zero-extended.
    pub(super) fn is_extended(&self, a: Term) -> bool {
        self.parts::<2>(a, Op::Concat).is_some_and(|[top, _]| self.bits_of(top) == Some(0))
    }

    /// Divides a zero-extended number by a constant without the extension.
    fn narrow_division(&mut self, op: Op, a: Term, number: u128) -> Term {
        let [top, low] = [self.args(a)[0], self.args(a)[1]];
        let (width, above) = (self.width(low), self.width(top));
        if number > mask(width) {
            return if op == Op::BvUrem { a } else { self.bits(width + above, 0) };
        }
        let divisor = self.bits(width, number);
        let narrow = self.rewrite(op, &[low, divisor], self.sort(low));
        self.zero_extend(above, narrow)
    }

    /// Turns a shift by a constant into a piece and zeros, or a piece and copies of the sign.
    fn rewrite_shift(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if self.bits_of(a) == Some(0) {
            return Some(a);
        }
        let by = u32::try_from(self.bits_of(b)?).ok().filter(|by| *by < width);
        match (op, by) {
            (_, Some(0)) => Some(a),
            (Op::BvShl, Some(by)) => {
                let kept = self.extract(width - by - 1, 0, a);
                Some(self.between_zeros(0, kept, by))
            }
            (Op::BvLshr, Some(by)) => {
                let kept = self.extract(width - 1, by, a);
                Some(self.between_zeros(by, kept, 0))
            }
            (Op::BvAshr, by) => {
                let by = by.unwrap_or(width - 1);
                let kept = self.extract(width - 1, by, a);
                Some(self.sign_extend(by, kept))
            }
            _ => Some(self.bits(width, 0)),
        }
    }
}
