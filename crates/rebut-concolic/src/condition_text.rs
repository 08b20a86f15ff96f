//! Writes conditions as Rust code, in terms of the parameters of the test.
//!
//! Terms are about bit vectors, as the machine computes. The text looks like the Rust code that
//! they came from: extensions to wider words are left out, comparisons have the sign of their
//! operands, negations are pushed into comparisons. It is for people, so large terms are
//! abbreviated.

use rebut_choice::ChoiceKind;
use rebut_smt::{Op, Pool, Sort, Term, Value};

use crate::draw_id::DrawId;
use crate::draw_names::Draw;

/// The largest nesting depth. Deeper parts are written as `…`. Arbitrary.
const DEPTH_MAX: u32 = 16;
/// The largest number of parts. Further parts are written as `…`. Arbitrary.
const PARTS_MAX: u32 = 120;

/// Returns a condition as code. `draws` are the draws of a case, in the order of their
/// [`DrawId`].
#[must_use]
pub fn condition(pool: &Pool, term: Term, draws: &[Draw]) -> String {
    Writer { pool, draws, parts: 0, depth: 0 }.write(term, Reading::Unsigned, Precedence::None)
}

/// How a number is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Unsigned,
    Signed,
    Char,
}

/// The precedence of an operator, the loosest first. A part with a lower precedence than its
/// context gets parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    None,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Unary,
}

struct Writer<'p> {
    pool: &'p Pool,
    draws: &'p [Draw],
    parts: u32,
    depth: u32,
}

impl Writer<'_> {
    fn write(&mut self, term: Term, read: Reading, around: Precedence) -> String {
        self.parts += 1;
        if self.depth >= DEPTH_MAX || self.parts > PARTS_MAX {
            return "…".to_owned();
        }
        self.depth += 1;
        let (text, own) = self.compose(term, read);
        self.depth -= 1;
        if own < around { format!("({text})") } else { text }
    }

    fn compose(&mut self, term: Term, read: Reading) -> (String, Precedence) {
        let pool = self.pool;
        let args = pool.args(term);
        match (pool.op(term), args) {
            (Op::Const(_), _) => (self.constant(term, read), Precedence::Unary),
            (Op::Var(_), _) => (self.variable(term), Precedence::Unary),
            (Op::Not, [inner]) => self.negated(*inner),
            (Op::And, _) => self.joined(args, " && ", Precedence::And),
            (Op::Or, _) => self.joined(args, " || ", Precedence::Or),
            (Op::Eq, [a, b]) => self.compared(*a, "==", *b, None),
            (Op::Distinct, [a, b]) => self.compared(*a, "!=", *b, None),
            (Op::BvUlt, [a, b]) => self.compared(*a, "<", *b, Some(Reading::Unsigned)),
            (Op::BvSlt, [a, b]) => self.compared(*a, "<", *b, Some(Reading::Signed)),
            (Op::BvAdd, _) if self.character(term).is_some() => {
                let name = self.character(term).map(|draw| self.variable(draw));
                (name.unwrap_or_default(), Precedence::Unary)
            }
            (Op::Ite, [c, a, b]) => self.chosen(*c, *a, *b, read),
            (Op::SignExtend(_), [inner]) => self.compose(*inner, Reading::Signed),
            (Op::Concat, [high, low]) => self.concat(*high, *low, read),
            (Op::Extract { high, low }, [inner]) => self.extract(high, low, *inner),
            (Op::BvNot, [inner]) => {
                (format!("!{}", self.write(*inner, read, Precedence::Unary)), Precedence::Unary)
            }
            (Op::BvNeg, [inner]) => (
                format!("-{}", self.write(*inner, Reading::Signed, Precedence::Unary)),
                Precedence::Unary,
            ),
            (Op::Select, [index, _]) => {
                let index = self.write(*index, Reading::Unsigned, Precedence::None);
                (format!("table[{index}]"), Precedence::Unary)
            }
            (op, [a, b]) => match binary(op) {
                Some((sign, own)) => self.computed(op, *a, sign, *b, own, read),
                None => self.called(op, args, read),
            },
            (op, _) => self.called(op, args, read),
        }
    }

    fn draw(&self, term: Term) -> Option<&Draw> {
        self.draws.get(DrawId::of_variable(self.pool, term)?.position())
    }

    fn variable(&self, term: Term) -> String {
        let own = self.pool.name(term).unwrap_or("?").to_owned();
        self.draw(term).map_or(own, |draw| draw.name.clone())
    }

    fn constant(&self, term: Term, read: Reading) -> String {
        match self.pool.value(term) {
            Some(Value::Bool(truth)) => truth.to_string(),
            Some(value) => match value.as_bits() {
                Some(bits) if read == Reading::Signed => bits.signed().to_string(),
                Some(bits) => match char_of(bits.unsigned()).filter(|_| read == Reading::Char) {
                    Some(c) => format!("{c:?}"),
                    None => number(bits.unsigned()),
                },
                None => format!("{value:?}"),
            },
            None => "?".to_owned(),
        }
    }

    /// Returns the term without extensions to a wider word.
    fn narrow(&self, term: Term) -> Term {
        match (self.pool.op(term), self.pool.args(term)) {
            (Op::SignExtend(_), [inner]) => self.narrow(*inner),
            (Op::Concat, [high, low]) if self.is_zero(*high) => self.narrow(*low),
            _ => term,
        }
    }

    fn is_zero(&self, term: Term) -> bool {
        let bits = self.pool.value(term).and_then(Value::as_bits);
        bits.is_some_and(|bits| bits.unsigned() == 0)
    }

    fn kind(&self, term: Term) -> Option<ChoiceKind> {
        Some(self.draw(self.narrow(term))?.kind)
    }

    /// Returns the draw whose character this is: its number, plus the gap of the surrogates if it
    /// is above them.
    fn character(&self, term: Term) -> Option<Term> {
        let term = self.narrow(term);
        let (Op::BvAdd, [a, b]) = (self.pool.op(term), self.pool.args(term)) else { return None };
        let is_gap = |term: Term| match (self.pool.op(term), self.pool.args(term)) {
            (Op::Ite, [_, gap, none]) => {
                let bits = self.pool.value(*gap).and_then(Value::as_bits);
                bits.is_some_and(|bits| bits.unsigned() == 0x800) && self.is_zero(*none)
            }
            _ => false,
        };
        let is_char = |term: Term| self.kind(term) == Some(ChoiceKind::Char);
        match (*a, *b) {
            (a, b) if is_char(a) && is_gap(b) => Some(self.narrow(a)),
            (a, b) if is_char(b) && is_gap(a) => Some(self.narrow(b)),
            _ => None,
        }
    }

    /// Whether a number may be negative, as far as its term shows.
    fn is_signed(&self, term: Term, depth: u32) -> bool {
        if depth > DEPTH_MAX {
            return false;
        }
        let args = self.pool.args(term);
        match self.pool.op(term) {
            Op::Var(_) => self.draw(term).is_some_and(|draw| draw.is_signed),
            Op::SignExtend(_) | Op::BvNeg | Op::BvSdiv | Op::BvSrem | Op::BvAshr => true,
            Op::BvAdd | Op::BvSub | Op::BvMul | Op::Ite => {
                args.iter().any(|arg| self.is_signed(*arg, depth + 1))
            }
            Op::Extract { low: 0, .. } => args.iter().any(|arg| self.is_signed(*arg, depth + 1)),
            _ => false,
        }
    }

    /// Whether a number fits into its lowest `width` bits.
    fn fits(&self, term: Term, width: u32, depth: u32) -> bool {
        if depth > DEPTH_MAX {
            return false;
        }
        match (self.pool.op(term), self.pool.args(term)) {
            (Op::Var(_), _) => self.pool.width(term) <= width,
            (Op::SignExtend(_), [inner]) => self.fits(*inner, width, depth + 1),
            (Op::Concat, [high, low]) => self.is_zero(*high) && self.fits(*low, width, depth + 1),
            (Op::Extract { high, low }, _) => high - low < width,
            (Op::Ite, [_, a, b]) => [a, b].iter().all(|side| self.fits(**side, width, depth + 1)),
            (Op::Const(_), _) => {
                let bits = self.pool.value(term).and_then(Value::as_bits);
                bits.is_some_and(|bits| bits.signed().unsigned_abs() >> (width - 1) == 0)
            }
            _ => false,
        }
    }

    /// Whether a number is the result of an operation that may have gone below zero.
    fn may_wrap(&self, term: Term) -> bool {
        let is_negative = |term: &Term| {
            let bits = self.pool.value(*term).and_then(Value::as_bits);
            bits.is_some_and(|bits| bits.signed() < 0)
        };
        match self.pool.op(term) {
            Op::BvSub | Op::BvNeg => true,
            Op::BvAdd => self.pool.args(term).iter().any(is_negative),
            _ => false,
        }
    }

    fn negated(&mut self, inner: Term) -> (String, Precedence) {
        let args = self.pool.args(inner);
        match (self.pool.op(inner), args) {
            (Op::Eq, [a, b]) => self.compared(*a, "!=", *b, None),
            (Op::BvUlt, [a, b]) => self.compared(*a, ">=", *b, Some(Reading::Unsigned)),
            (Op::BvSlt, [a, b]) => self.compared(*a, ">=", *b, Some(Reading::Signed)),
            _ => (
                format!("!{}", self.write(inner, Reading::Unsigned, Precedence::Unary)),
                Precedence::Unary,
            ),
        }
    }

    fn joined(&mut self, args: &[Term], sign: &str, own: Precedence) -> (String, Precedence) {
        let parts: Vec<String> =
            args.iter().map(|arg| self.write(*arg, Reading::Unsigned, own)).collect();
        (parts.join(sign), own)
    }

    /// Writes a comparison, with the constant on the right.
    fn compared(
        &mut self,
        a: Term,
        sign: &str,
        b: Term,
        how: Option<Reading>,
    ) -> (String, Precedence) {
        let (mut a, mut b, mut sign) = (a, b, sign);
        if self.pool.value(a).is_some() && self.pool.value(b).is_none() {
            (a, b) = (b, a);
            sign = mirrored(sign);
        }
        if let Some(truth) = self.as_truth(a, sign, b) {
            return truth;
        }
        if self.pool.sort(a) == Sort::Bool {
            let [a, b] = [a, b].map(|side| self.write(side, Reading::Unsigned, Precedence::BitOr));
            return (format!("{a} {sign} {b}"), Precedence::Compare);
        }
        let scalar = self.pool.value(b).and_then(Value::as_bits).map(|bits| bits.unsigned());
        let scalar = scalar.and_then(|number| char::from_u32(u32::try_from(number).ok()?));
        if let (Some(character), Some(scalar)) = (self.character(a), scalar) {
            return (
                format!("{} {sign} {scalar:?}", self.variable(character)),
                Precedence::Compare,
            );
        }
        if self.kind(a) == Some(ChoiceKind::Char) || self.kind(b) == Some(ChoiceKind::Char) {
            let [a, b] = [a, b].map(|side| self.write(side, Reading::Char, Precedence::BitOr));
            return (format!("{a} {sign} {b}"), Precedence::Compare);
        }
        let signed = self.is_signed(a, 0) || self.is_signed(b, 0);
        let read = how.unwrap_or(if signed { Reading::Signed } else { Reading::Unsigned });
        let sides = [a, b].map(|side| {
            let is_cast = how == Some(Reading::Unsigned)
                && self.pool.value(side).is_none()
                && (self.is_signed(side, 0) || self.may_wrap(side));
            if is_cast {
                let width = self.pool.width(side);
                let inner = self.write(side, Reading::Signed, Precedence::Cast);
                format!("{inner} as u{width}")
            } else {
                self.write(side, read, Precedence::BitOr)
            }
        });
        let [a, b] = sides;
        // `a as u32 < b` would begin a list of generic arguments.
        let a = if sign.starts_with('<') && a.contains(" as ") { format!("({a})") } else { a };
        (format!("{a} {sign} {b}"), Precedence::Compare)
    }

    /// Writes a comparison of a boolean draw with 0 or 1.
    fn as_truth(&mut self, a: Term, sign: &str, b: Term) -> Option<(String, Precedence)> {
        let number = self.pool.value(b)?.as_bits()?.unsigned();
        let narrow = self.narrow(a);
        let is_boolean = self.draw(narrow)?.kind == ChoiceKind::Boolean;
        if !is_boolean || number > 1 || !matches!(sign, "==" | "!=") {
            return None;
        }
        let name = self.variable(narrow);
        let holds = (number == 1) == (sign == "==");
        Some((if holds { name } else { format!("!{name}") }, Precedence::Unary))
    }

    fn chosen(&mut self, c: Term, a: Term, b: Term, read: Reading) -> (String, Precedence) {
        let bits = |term| self.pool.value(term).and_then(Value::as_bits).map(|b| b.unsigned());
        if let (Some(1), Some(0)) = (bits(a), bits(b)) {
            let width = self.pool.width(a);
            let truth = self.write(c, Reading::Unsigned, Precedence::Cast);
            return (format!("{truth} as u{width}"), Precedence::Cast);
        }
        let condition = self.write(c, Reading::Unsigned, Precedence::None);
        let [a, b] = [a, b].map(|side| self.write(side, read, Precedence::None));
        (format!("if {condition} {{ {a} }} else {{ {b} }}"), Precedence::None)
    }

    fn concat(&mut self, high: Term, low: Term, read: Reading) -> (String, Precedence) {
        if self.is_zero(high) {
            return self.compose(low, if read == Reading::Char { read } else { Reading::Unsigned });
        }
        let by = self.pool.width(low);
        let high = self.write(high, Reading::Unsigned, Precedence::Shift);
        let low = self.write(low, Reading::Unsigned, Precedence::BitXor);
        (format!("{high} << {by} | {low}"), Precedence::BitOr)
    }

    fn extract(&mut self, high: u32, low: u32, inner: Term) -> (String, Precedence) {
        let width = high - low + 1;
        if low == 0 && self.fits(inner, width, 0) {
            return self.compose(inner, Reading::Signed);
        }
        let read = if low == 0 { Reading::Signed } else { Reading::Unsigned };
        if low > 0 && high + 1 == self.pool.width(inner) {
            let text = self.write(inner, read, Precedence::Shift);
            return (format!("{text} >> {low}"), Precedence::Shift);
        }
        let is_word = [8, 16, 32, 64].contains(&width);
        let around = if low > 0 {
            Precedence::Shift
        } else if is_word {
            Precedence::Cast
        } else {
            Precedence::BitAnd
        };
        let mut text = self.write(inner, read, around);
        if low > 0 {
            text = format!("{text} >> {low}");
        }
        if is_word {
            let text = if low > 0 { format!("({text})") } else { text };
            let sign = if low == 0 && self.is_signed(inner, 0) { 'i' } else { 'u' };
            return (format!("{text} as {sign}{width}"), Precedence::Cast);
        }
        (format!("{text} & {}", number(u128::MAX >> (128 - width))), Precedence::BitAnd)
    }

    fn computed(
        &mut self,
        op: Op,
        a: Term,
        sign: &str,
        b: Term,
        own: Precedence,
        read: Reading,
    ) -> (String, Precedence) {
        let (mut a, mut b) = (a, b);
        let is_symmetric =
            matches!(op, Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Add);
        if is_symmetric && self.pool.value(a).is_some() {
            (a, b) = (b, a);
        }
        let read = match op {
            Op::BvSdiv | Op::BvSrem | Op::BvSmod | Op::BvAshr => Reading::Signed,
            Op::BvUdiv | Op::BvUrem | Op::BvLshr | Op::BvAnd | Op::BvOr | Op::BvXor => {
                Reading::Unsigned
            }
            _ if read == Reading::Char => Reading::Unsigned,
            _ => read,
        };
        if op == Op::BvAdd
            && let Some(bits) = self.pool.value(b).and_then(Value::as_bits)
            && bits.signed() < 0
        {
            let a = self.write(a, read, own);
            return (format!("{a} - {}", number(bits.signed().unsigned_abs())), own);
        }
        let left = self.write(a, read, own);
        let inside = if is_symmetric { own } else { next(own) };
        let right = self.write(b, read, inside);
        (format!("{left} {sign} {right}"), own)
    }

    fn called(&mut self, op: Op, args: &[Term], read: Reading) -> (String, Precedence) {
        let parts: Vec<String> =
            args.iter().map(|arg| self.write(*arg, read, Precedence::None)).collect();
        (format!("{op}({})", parts.join(", ")), Precedence::Unary)
    }
}

fn binary(op: Op) -> Option<(&'static str, Precedence)> {
    Some(match op {
        Op::BvAnd => ("&", Precedence::BitAnd),
        Op::BvOr => ("|", Precedence::BitOr),
        Op::BvXor => ("^", Precedence::BitXor),
        Op::BvAdd => ("+", Precedence::Sum),
        Op::BvSub => ("-", Precedence::Sum),
        Op::BvMul => ("*", Precedence::Product),
        Op::BvUdiv | Op::BvSdiv => ("/", Precedence::Product),
        Op::BvUrem | Op::BvSrem => ("%", Precedence::Product),
        Op::BvShl => ("<<", Precedence::Shift),
        Op::BvLshr | Op::BvAshr => (">>", Precedence::Shift),
        _ => return None,
    })
}

/// Returns the next higher precedence of arithmetic, for right operands.
fn next(binding: Precedence) -> Precedence {
    match binding {
        Precedence::Shift => Precedence::Sum,
        Precedence::Sum => Precedence::Product,
        Precedence::Product => Precedence::Cast,
        other => other,
    }
}

fn mirrored(sign: &str) -> &'static str {
    match sign {
        "<" => ">",
        ">=" => "<=",
        "!=" => "!=",
        _ => "==",
    }
}

/// Returns the character that a number of a character domain stands for.
fn char_of(number: u128) -> Option<char> {
    // The first surrogate. Numbers of characters close the gap of 0x800 surrogates.
    const GAP_START: u32 = 0xD800;
    let number = u32::try_from(number).ok()?;
    char::from_u32(if number >= GAP_START { number.checked_add(0x800)? } else { number })
}

/// Writes small numbers in decimal, large ones in hexadecimal.
fn number(number: u128) -> String {
    if number < 1 << 24 { number.to_string() } else { format!("{number:#x}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(name: &str, kind: ChoiceKind, is_signed: bool) -> Draw {
        Draw { name: name.to_owned(), kind, is_signed }
    }

    /// Checks the text of a term over three draws: a signed number, an unsigned number and a
    /// character.
    fn check(build: impl FnOnce(&mut Pool, [Term; 3]) -> Term, expected: &str) {
        let mut pool = Pool::new();
        let [x, y, c] = [(0, 32), (1, 8), (2, 21)]
            .map(|(position, bits)| DrawId::new(position).variable(&mut pool, bits));
        let terms = [pool.sign_extend(32, x), pool.zero_extend(56, y), pool.zero_extend(11, c)];
        let term = build(&mut pool, terms);
        let draws = [
            draw("x", ChoiceKind::Integer, true),
            draw("values[1]", ChoiceKind::Integer, false),
            draw("text[0]", ChoiceKind::Char, false),
        ];
        assert_eq!(condition(&pool, term, &draws), expected);
    }

    #[test]
    fn comparisons_have_the_sign_of_their_operands() {
        check(
            |pool, [x, ..]| {
                let five = pool.bits(64, 5);
                pool.bv_slt(five, x)
            },
            "x > 5",
        );
        check(
            |pool, [x, ..]| {
                let minus = pool.bits(64, (-5_i128) as u128);
                let is_less = pool.bv_slt(x, minus);
                pool.not(is_less)
            },
            "x >= -5",
        );
        check(
            |pool, [_, y, _]| {
                let ten = pool.bits(64, 10);
                pool.bv_ult(y, ten)
            },
            "values[1] < 10",
        );
    }

    #[test]
    fn arithmetic_has_no_redundant_parentheses() {
        check(
            |pool, [x, y, _]| {
                let seven = pool.bits(64, 7);
                let product = pool.bv_mul(x, seven);
                let sum = pool.bv_add(y, seven);
                let both = pool.bv_mul(product, sum);
                let number = pool.bits(64, 12_345);
                pool.eq(both, number)
            },
            "x * 7 * (values[1] + 7) == 12345",
        );
    }

    #[test]
    fn casts_are_written_where_they_change_something() {
        let greater = |pool: &mut Pool, x: Term, y: Term| {
            let is_less = pool.bv_slt(x, y);
            pool.ite(is_less, y, x)
        };
        check(
            |pool, [x, y, _]| {
                let most = greater(pool, x, y);
                let most = pool.extract(31, 0, most);
                let least = pool.extract(31, 0, x);
                pool.bv_slt(most, least)
            },
            "(if x < values[1] { values[1] } else { x }) < x",
        );
        check(
            |pool, [x, y, _]| {
                let sum = pool.bv_add(x, y);
                let byte = pool.extract(7, 0, sum);
                let zero = pool.bits(8, 0);
                pool.eq(byte, zero)
            },
            "values[1] + x as i8 == 0",
        );
    }

    #[test]
    fn characters_are_written_as_literals() {
        check(
            |pool, [_, _, c]| {
                let r = pool.bits(32, 114);
                let is_r = pool.eq(c, r);
                pool.not(is_r)
            },
            "text[0] != 'r'",
        );
    }

    #[test]
    fn characters_above_the_surrogates_are_not_sums() {
        check(
            |pool, [_, _, c]| {
                let (last, gap, none) =
                    (pool.bits(32, 0xD7FF), pool.bits(32, 0x800), pool.bits(32, 0));
                let is_above = pool.bv_ult(last, c);
                let gap = pool.ite(is_above, gap, none);
                let scalar = pool.bv_add(c, gap);
                let limit = pool.bits(32, 0x1_0000);
                pool.bv_ult(scalar, limit)
            },
            "text[0] < '\u{10000}'",
        );
    }

    #[test]
    fn booleans_are_not_compared() {
        let mut pool = Pool::new();
        let flag = DrawId::new(0).variable(&mut pool, 1);
        let one = pool.bits(1, 1);
        let is_set = pool.eq(flag, one);
        let is_not = pool.not(is_set);
        let draws = [draw("flag", ChoiceKind::Boolean, false)];
        assert_eq!(condition(&pool, is_set, &draws), "flag");
        assert_eq!(condition(&pool, is_not, &draws), "!flag");
        assert_eq!(condition(&pool, is_not, &[]), "d0 != 1");
    }

    #[test]
    fn booleans_as_numbers_are_casts() {
        check(
            |pool, [x, y, _]| {
                let (zero, one, no) = (pool.bits(64, 0), pool.bits(32, 1), pool.bits(32, 0));
                let (is_zero, is_none) = (pool.eq(x, zero), pool.eq(y, zero));
                let a = pool.ite(is_zero, one, no);
                let b = pool.ite(is_none, one, no);
                let both = pool.bv_and(a, b);
                pool.bv_ult(both, one)
            },
            "(x == 0) as u32 & (values[1] == 0) as u32 == 0",
        );
    }

    #[test]
    fn large_terms_are_abbreviated() {
        let mut pool = Pool::without_rewrites();
        let mut term = DrawId::new(0).variable(&mut pool, 32);
        for _ in 0..10_000 {
            term = pool.bv_mul(term, term);
        }
        let zero = pool.bits(32, 0);
        let claim = pool.eq(term, zero);
        let text = condition(&pool, claim, &[]);
        assert!(text.contains('…') && text.len() < 2000, "{}", text.len());
    }
}
