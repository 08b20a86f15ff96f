//! Bit-vectors as adjacent pieces: `concat`, `extract`, extension, and the operators that work on
//! each piece alone.
//!
//! A program that assembles a word from bytes computes `b0 | b1 << 8`. As pieces this is
//! `concat(0, b0) | concat(b1, 0)`. Both sides are cut at the same positions, and in each pair of
//! pieces one is zero, so the `or` is `concat(b1, b0)`. If `b1` and `b0` are `extract`s of
//! adjacent bits of `x`, they merge into one `extract`, and into `x` itself if these are all.

use crate::op::Op;
use crate::value::mask;
use crate::{Pool, Sort, Term};

impl Pool {
    pub(super) fn rewrite_concat(&mut self, high: Term, low: Term) -> Term {
        if let Some([first, second]) = self.parts(high, Op::Concat) {
            let rest = self.concat(second, low);
            return self.concat(first, rest);
        }
        if let Some([next, rest]) = self.parts(low, Op::Concat)
            && let Some(merged) = self.merge_neighbors(high, next)
        {
            return self.concat(merged, rest);
        }
        if let Some(merged) = self.merge_neighbors(high, low) {
            return merged;
        }
        let simpler = self.number_of_low_bits(high, low);
        if let Some(simpler) = simpler.or_else(|| self.extended_sum(high, low)) {
            return simpler;
        }
        let width = self.width(high) + self.width(low);
        self.intern(Op::Concat, &[high, low], Sort::BitVec(width))
    }

    /// Merges two adjacent pieces, if both are constants or adjacent bits of one term.
    fn merge_neighbors(&mut self, high: Term, low: Term) -> Option<Term> {
        if let (Some(a), Some(b)) = (self.bits_of(high), self.bits_of(low)) {
            let (high_width, low_width) = (self.width(high), self.width(low));
            return Some(self.bits(high_width + low_width, a << low_width | b));
        }
        let (a, top, middle) = self.slice_of(high)?;
        let (b, under, bottom) = self.slice_of(low)?;
        (a == b && middle == under + 1).then(|| self.extract(top, bottom, a))
    }

    /// Returns the term that an `extract` takes bits from, and which ones.
    fn slice_of(&self, term: Term) -> Option<(Term, u32, u32)> {
        match self.op(term) {
            Op::Extract { high, low } => Some((self.args(term)[0], high, low)),
            _ => None,
        }
    }

    pub(super) fn rewrite_extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        let width = self.width(a);
        if low == 0 && high + 1 == width {
            return a;
        }
        if low > 0 && self.greatest(a) <= mask(low) {
            return self.bits(high - low + 1, 0);
        }
        if self.is_deep(a) {
            return self.keep_extract(high, low, a);
        }
        let args = self.args(a);
        let (first, second) = (args.first().copied(), args.get(1).copied());
        match (self.op(a), first, second) {
            (Op::Extract { low: inner, .. }, Some(x), _) => {
                self.extract(high + inner, low + inner, x)
            }
            (Op::Concat, Some(x), Some(y)) => self.extract_of_concat(high, low, x, y),
            (Op::SignExtend(_), Some(x), _) => self.extract_of_extended(high, low, x),
            (Op::BvNot, Some(x), _) => {
                let x = self.extract(high, low, x);
                self.bv_not(x)
            }
            (Op::BvAnd | Op::BvOr | Op::BvXor, Some(x), Some(y)) => {
                self.extract_of_pair(high, low, self.op(a), x, y)
            }
            // The lower half of a product that does not wrap: next to it, code looks at the upper
            // half to find out whether it overflows.
            (Op::BvMul, Some(x), Some(y)) if self.is_extended(x) && self.is_extended(y) => {
                self.keep_extract(high, low, a)
            }
            (Op::BvAdd | Op::BvSub | Op::BvMul, Some(x), Some(y)) if low == 0 => {
                self.extract_of_pair(high, low, self.op(a), x, y)
            }
            (Op::BvNeg, Some(x), _) if low == 0 => {
                let x = self.extract(high, low, x);
                self.bv_neg(x)
            }
            (Op::Ite, ..) => self.extract_of_ite(high, low, a),
            _ => self.keep_extract(high, low, a),
        }
    }

    fn keep_extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.intern(Op::Extract { high, low }, &[a], Sort::BitVec(high - low + 1))
    }

    fn extract_of_pair(&mut self, high: u32, low: u32, op: Op, x: Term, y: Term) -> Term {
        let x = self.extract(high, low, x);
        let y = self.extract(high, low, y);
        self.rewrite(op, &[x, y], Sort::BitVec(high - low + 1))
    }

    fn extract_of_concat(&mut self, high: u32, low: u32, x: Term, y: Term) -> Term {
        let split = self.width(y);
        if high < split {
            self.extract(high, low, y)
        } else if low >= split {
            self.extract(high - split, low - split, x)
        } else {
            let upper = self.extract(high - split, 0, x);
            let lower = self.extract(split - 1, low, y);
            self.concat(upper, lower)
        }
    }

    fn extract_of_extended(&mut self, high: u32, low: u32, x: Term) -> Term {
        let width = self.width(x);
        if high < width {
            return self.extract(high, low, x);
        }
        // All bits from the sign upward equal the sign.
        let wanted = high - low + 1;
        let kept = self.extract(width - 1, low.min(width - 1), x);
        let have = self.width(kept);
        self.sign_extend(wanted - have, kept)
    }

    fn extract_of_ite(&mut self, high: u32, low: u32, a: Term) -> Term {
        match self.parts(a, Op::Ite) {
            Some([condition, x, y]) if self.value(x).is_some() || self.value(y).is_some() => {
                let x = self.extract(high, low, x);
                let y = self.extract(high, low, y);
                self.ite(condition, x, y)
            }
            _ => self.keep_extract(high, low, a),
        }
    }

    pub(super) fn rewrite_sign_extend(&mut self, by: u32, a: Term) -> Term {
        if by == 0 {
            return a;
        }
        if let Op::SignExtend(inner) = self.op(a) {
            return self.sign_extend(by + inner, self.args(a)[0]);
        }
        if let Some([top, _]) = self.parts(a, Op::Concat)
            && let Some(bits) = self.value(top).and_then(crate::Value::as_bits)
        {
            let sign = if bits.signed() < 0 { mask(by) } else { 0 };
            let extension = self.bits(by, sign);
            return self.concat(extension, a);
        }
        let width = self.width(a) + by;
        self.intern(Op::SignExtend(by), &[a], Sort::BitVec(width))
    }

    /// Returns the positions where the pieces of either term begin. `None` if neither has pieces
    /// or there are too many.
    fn cuts(&self, a: Term, b: Term) -> Option<Vec<u32>> {
        let (a_cuts, b_cuts) = (self.boundaries(a), self.boundaries(b));
        let mut cuts = [a_cuts, b_cuts].concat();
        cuts.sort_unstable();
        cuts.dedup();
        (1..=PIECES_MAX).contains(&cuts.len()).then_some(cuts)
    }

    /// Returns the positions where one piece ends and the next begins.
    fn boundaries(&self, term: Term) -> Vec<u32> {
        let mut boundaries = Vec::new();
        let mut rest = term;
        while let Some([_, tail]) = self.parts(rest, Op::Concat) {
            boundaries.push(self.width(tail));
            rest = tail;
        }
        boundaries
    }

    /// Cuts both terms at the same positions, highest piece first.
    fn cut_alike(&mut self, a: Term, b: Term) -> Option<Vec<(Term, Term)>> {
        let mut cuts = self.cuts(a, b)?;
        let width = self.width(a);
        cuts.insert(0, 0);
        let mut pairs = Vec::new();
        let mut high = width;
        for low in cuts.into_iter().rev() {
            let x = self.extract(high - 1, low, a);
            let y = self.extract(high - 1, low, b);
            pairs.push((x, y));
            high = low;
        }
        Some(pairs)
    }

    /// Splits an equation into one per piece, if the other side is a constant or has the same
    /// boundaries.
    pub(super) fn eq_of_pieces(&mut self, a: Term, b: Term) -> Option<Term> {
        let is_cut = |pool: &Pool, term| pool.op(term) == Op::Concat;
        let against_constant = self.value(b).is_some() && is_cut(self, a);
        let alike = is_cut(self, a) && self.boundaries(a) == self.boundaries(b);
        if !against_constant && !alike {
            return None;
        }
        let pairs = self.cut_alike(a, b)?;
        let parts: Vec<Term> = pairs.into_iter().map(|(x, y)| self.eq(x, y)).collect();
        Some(self.all(&parts))
    }

    /// Applies `and`, `or` or `xor` piece by piece, if each pair of pieces has a constant; and `+`,
    /// if each pair has a zero, so that nothing carries.
    pub(super) fn by_pieces(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        if self.op(a) != Op::Concat {
            return None;
        }
        if self.value(b).is_none() && self.op(b) != Op::Concat {
            return None;
        }
        let pairs = self.cut_alike(a, b)?;
        let zero = |pool: &Pool, term| pool.bits_of(term) == Some(0);
        let fits = pairs.iter().all(|(x, y)| match op {
            Op::BvAdd => zero(self, *x) || zero(self, *y),
            _ => self.value(*x).is_some() || self.value(*y).is_some(),
        });
        if !fits {
            return None;
        }
        let mut joined: Option<Term> = None;
        for (x, y) in pairs {
            let width = self.width(x);
            let piece = self.rewrite(op, &[x, y], Sort::BitVec(width));
            joined = Some(match joined {
                Some(high) => self.concat(high, piece),
                None => piece,
            });
        }
        joined
    }
}

/// The number of cuts of a pair of terms. Arbitrary; a word of 128 bits has 15 between its bytes.
/// Terms with more pieces are not split.
const PIECES_MAX: usize = 32;
