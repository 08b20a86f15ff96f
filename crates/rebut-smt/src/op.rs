//! The operators of terms, and the sorts that they accept.
//!
//! There is one operator per idea. The constructors of [`Pool`](crate::Pool) build SMT-LIB's
//! `bvule`, `>=` or `str.<=` from these, so rewrites, the evaluator and the bit-blaster handle
//! each idea once.

use std::fmt;

use crate::Sort;

/// The operator of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant; see [`Pool::value`](crate::Pool::value).
    Const(u32),
    /// A variable; see [`Pool::name`](crate::Pool::name).
    Var(u32),

    /// The negation of a boolean.
    Not,
    /// The conjunction of its arguments.
    And,
    /// The disjunction of its arguments.
    Or,
    /// Equality of two arguments.
    Eq,
    /// No two arguments are equal.
    Distinct,
    /// The second argument if the first is true, else the third.
    Ite,

    /// Every bit flipped.
    BvNot,
    /// The negation in two's complement.
    BvNeg,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// The wrapping sum.
    BvAdd,
    /// The wrapping difference.
    BvSub,
    /// The wrapping product.
    BvMul,
    /// The unsigned quotient; all ones if the divisor is zero.
    BvUdiv,
    /// The unsigned remainder; the dividend if the divisor is zero.
    BvUrem,
    /// The signed quotient, rounded toward zero.
    BvSdiv,
    /// The signed remainder with the sign of the dividend.
    BvSrem,
    /// The signed remainder with the sign of the divisor.
    BvSmod,
    /// The left shift; zero if the amount is at least the width.
    BvShl,
    /// The right shift that fills with zeros.
    BvLshr,
    /// The right shift that fills with the sign.
    BvAshr,
    /// The bits of the first argument above those of the second.
    Concat,
    /// Bits `high` down to `low`.
    Extract {
        /// The highest bit, inclusive.
        high: u32,
        /// The lowest bit, inclusive.
        low: u32,
    },
    /// The argument with this many copies of the sign on top.
    SignExtend(u32),
    /// Less than, unsigned.
    BvUlt,
    /// Less than, signed.
    BvSlt,
    /// The value of a constant table, the second argument, at an index.
    Select,
    /// An unsigned bit-vector as an integer.
    BvToInt,
    /// An integer modulo two to the power of the width.
    IntToBv(u32),

    /// The sum of its arguments.
    Add,
    /// The product of two numbers.
    Mul,
    /// The Euclidean quotient; zero if the divisor is zero.
    IntDiv,
    /// The Euclidean remainder, never negative; the dividend if the divisor is zero.
    IntMod,
    /// The quotient of reals; zero if the divisor is zero.
    RealDiv,
    /// An integer as a real.
    ToReal,
    /// A real, rounded down.
    ToInt,
    /// Less than, for numbers.
    Lt,

    /// The concatenation of strings.
    StrConcat,
    /// The number of characters of a string.
    StrLen,
    /// The string of the character at an index; empty if there is none.
    StrAt,
    /// The substring with a start index and a maximum length.
    StrSubstr,
    /// The second string starts with the first.
    StrPrefixOf,
    /// The second string ends with the first.
    StrSuffixOf,
    /// The first string contains the second.
    StrContains,
    /// The index of the second string in the first, from an index on; -1 if there is none.
    StrIndexOf,
    /// The first string with the first occurrence of the second replaced by the third.
    StrReplace,
    /// Lexicographic order by the codes of the characters.
    StrLt,
    /// The number in decimal digits; -1 if there is anything else.
    StrToInt,
    /// A number in decimal digits; empty if it is negative.
    StrFromInt,
    /// The code of the only character of a string; -1 if there is not exactly one.
    StrToCode,
    /// The string of the character with this code; empty if there is none.
    StrFromCode,
    /// The whole string matches the regular expression.
    InRe,

    /// Exactly this string.
    ReLiteral,
    /// No string.
    ReNone,
    /// Every string.
    ReAll,
    /// Every string of one character.
    ReAllChar,
    /// Every string of one character between two.
    ReRange,
    /// The parts one after the other.
    ReConcat,
    /// The strings of any part.
    ReUnion,
    /// The strings of all parts.
    ReInter,
    /// All other strings.
    ReComp,
    /// Any number of repetitions.
    ReStar,
    /// Between `min` and `max` repetitions.
    ReLoop {
        /// The minimum number of repetitions.
        min: u32,
        /// The maximum number of repetitions.
        max: u32,
    },
}

/// The error that an operator does not accept the sorts of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortError {
    message: String,
}

impl SortError {
    pub(crate) fn new(message: String) -> SortError {
        SortError { message }
    }
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SortError {}

impl Op {
    /// Returns the sort of the result, or an error that names the accepted sorts.
    pub(crate) fn result(self, sorts: &[Sort]) -> Result<Sort, SortError> {
        self.fit(sorts).ok_or_else(|| {
            let given: Vec<String> = sorts.iter().map(Sort::to_string).collect();
            let given = if given.is_empty() { "nothing".to_owned() } else { given.join(", ") };
            SortError::new(format!("`{self}` takes {}, not {given}", self.takes()))
        })
    }

    fn fit(self, sorts: &[Sort]) -> Option<Sort> {
        use Sort::{Bool, Int, Real, RegLan, String};
        let all = |sort: Sort| sorts.iter().all(|s| *s == sort);
        let are = |wanted: &[Sort], result: Sort| (sorts == wanted).then_some(result);
        match self {
            Op::Const(_) | Op::Var(_) => None,
            Op::Not => are(&[Bool], Bool),
            Op::And | Op::Or => all(Bool).then_some(Bool),
            Op::Eq => match sorts {
                [a, b] if a == b && *a != RegLan => Some(Bool),
                _ => None,
            },
            Op::Distinct => (all(*sorts.first()?) && sorts[0] != RegLan).then_some(Bool),
            Op::Ite => match sorts {
                [Bool, a, b] if a == b => Some(*a),
                _ => None,
            },
            Op::Add => (sorts.first()?.is_number() && all(sorts[0])).then_some(sorts[0]),
            Op::Mul => match sorts {
                [a, b] if a == b && a.is_number() => Some(*a),
                _ => None,
            },
            Op::IntDiv | Op::IntMod => are(&[Int, Int], Int),
            Op::RealDiv => are(&[Real, Real], Real),
            Op::ToReal => are(&[Int], Real),
            Op::ToInt => are(&[Real], Int),
            Op::Lt => match sorts {
                [a, b] if a == b && a.is_number() => Some(Bool),
                _ => None,
            },
            Op::StrConcat => all(String).then_some(String),
            Op::StrLen | Op::StrToInt | Op::StrToCode => are(&[String], Int),
            Op::StrAt => are(&[String, Int], String),
            Op::StrSubstr => are(&[String, Int, Int], String),
            Op::StrPrefixOf | Op::StrSuffixOf | Op::StrContains | Op::StrLt => {
                are(&[String, String], Bool)
            }
            Op::StrIndexOf => are(&[String, String, Int], Int),
            Op::StrReplace => are(&[String, String, String], String),
            Op::StrFromInt | Op::StrFromCode => are(&[Int], String),
            Op::InRe => are(&[String, RegLan], Bool),
            Op::ReLiteral => are(&[String], RegLan),
            Op::ReNone | Op::ReAll | Op::ReAllChar => are(&[], RegLan),
            Op::ReRange => are(&[String, String], RegLan),
            Op::ReConcat | Op::ReUnion | Op::ReInter => {
                (!sorts.is_empty() && all(RegLan)).then_some(RegLan)
            }
            Op::ReComp | Op::ReStar => are(&[RegLan], RegLan),
            Op::ReLoop { .. } => are(&[RegLan], RegLan),
            _ => self.fit_bits(sorts),
        }
    }

    fn fit_bits(self, sorts: &[Sort]) -> Option<Sort> {
        let one = || match sorts {
            [Sort::BitVec(width)] => Some(*width),
            _ => None,
        };
        let same = || match sorts {
            [Sort::BitVec(a), Sort::BitVec(b)] if a == b => Some(*a),
            _ => None,
        };
        let fits = |width: u32| (1..=Sort::WIDTH_MAX).contains(&width);
        match self {
            Op::BvNot | Op::BvNeg => one().map(Sort::BitVec),
            Op::BvUlt | Op::BvSlt => same().map(|_| Sort::Bool),
            Op::BvToInt => one().filter(|width| *width < 128).map(|_| Sort::Int),
            Op::IntToBv(width) => {
                (sorts == [Sort::Int] && fits(width)).then_some(Sort::BitVec(width))
            }
            Op::Select => match sorts {
                [Sort::BitVec(width), Sort::Table { index, value }] if width == index => {
                    Some(Sort::BitVec(*value))
                }
                _ => None,
            },
            Op::Concat => match sorts {
                [Sort::BitVec(a), Sort::BitVec(b)] if fits(a + b) => Some(Sort::BitVec(a + b)),
                _ => None,
            },
            Op::Extract { high, low } => {
                one().filter(|width| low <= high && high < *width)?;
                Some(Sort::BitVec(high - low + 1))
            }
            Op::SignExtend(by) => {
                let width = one()?.checked_add(by)?;
                fits(width).then_some(Sort::BitVec(width))
            }
            _ => same().map(Sort::BitVec),
        }
    }

    /// Describes the accepted arguments.
    fn takes(self) -> &'static str {
        match self {
            Op::Const(_) | Op::Var(_) => {
                "no arguments; use the constructors of constants and variables"
            }
            Op::Not => "one Bool",
            Op::And | Op::Or => "Bools",
            Op::Eq => "two terms of one sort other than RegLan",
            Op::Distinct => "terms of one sort other than RegLan",
            Op::Ite => "a Bool and two terms of one sort",
            Op::Add => "numbers of one sort",
            Op::Mul | Op::Lt => "two numbers of one sort",
            Op::IntDiv | Op::IntMod => "two Ints",
            Op::RealDiv => "two Reals",
            Op::ToReal | Op::IntToBv(_) => "an Int (and a width from 1 to 128)",
            Op::ToInt => "a Real",
            Op::StrConcat => "Strings",
            Op::StrLen | Op::StrToInt | Op::StrToCode | Op::ReLiteral => "a String",
            Op::StrAt => "a String and an Int",
            Op::StrSubstr => "a String and two Ints",
            Op::StrPrefixOf | Op::StrSuffixOf | Op::StrContains | Op::StrLt | Op::ReRange => {
                "two Strings"
            }
            Op::StrIndexOf => "two Strings and an Int",
            Op::StrReplace => "three Strings",
            Op::StrFromInt | Op::StrFromCode => "an Int",
            Op::InRe => "a String and a RegLan",
            Op::ReNone | Op::ReAll | Op::ReAllChar => "nothing",
            Op::ReConcat | Op::ReUnion | Op::ReInter => "at least one RegLan",
            Op::ReComp | Op::ReStar | Op::ReLoop { .. } => "a RegLan",
            Op::Select => "a bit-vector and a table with indices of that width",
            Op::BvNot | Op::BvNeg => "a bit-vector",
            Op::BvToInt => "a bit-vector of at most 127 bits",
            Op::Concat => "two bit-vectors of at most 128 bits together",
            Op::Extract { .. } => "a bit-vector that has these bits",
            Op::SignExtend(_) => "a bit-vector that is then at most 128 bits wide",
            _ => "two bit-vectors of one width",
        }
    }
}

/// Writes the operator in SMT-LIB syntax.
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Op::Const(_) => "constant",
            Op::Var(_) => "variable",
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Eq => "=",
            Op::Distinct => "distinct",
            Op::Ite => "ite",
            Op::BvNot => "bvnot",
            Op::BvNeg => "bvneg",
            Op::BvAnd => "bvand",
            Op::BvOr => "bvor",
            Op::BvXor => "bvxor",
            Op::BvAdd => "bvadd",
            Op::BvSub => "bvsub",
            Op::BvMul => "bvmul",
            Op::BvUdiv => "bvudiv",
            Op::BvUrem => "bvurem",
            Op::BvSdiv => "bvsdiv",
            Op::BvSrem => "bvsrem",
            Op::BvSmod => "bvsmod",
            Op::BvShl => "bvshl",
            Op::BvLshr => "bvlshr",
            Op::BvAshr => "bvashr",
            Op::Concat => "concat",
            Op::Extract { high, low } => return write!(f, "(_ extract {high} {low})"),
            Op::SignExtend(by) => return write!(f, "(_ sign_extend {by})"),
            Op::BvUlt => "bvult",
            Op::BvSlt => "bvslt",
            Op::Select => "select",
            Op::BvToInt => "bv2nat",
            Op::IntToBv(width) => return write!(f, "(_ int2bv {width})"),
            Op::Add => "+",
            Op::Mul => "*",
            Op::IntDiv => "div",
            Op::IntMod => "mod",
            Op::RealDiv => "/",
            Op::ToReal => "to_real",
            Op::ToInt => "to_int",
            Op::Lt => "<",
            Op::StrConcat => "str.++",
            Op::StrLen => "str.len",
            Op::StrAt => "str.at",
            Op::StrSubstr => "str.substr",
            Op::StrPrefixOf => "str.prefixof",
            Op::StrSuffixOf => "str.suffixof",
            Op::StrContains => "str.contains",
            Op::StrIndexOf => "str.indexof",
            Op::StrReplace => "str.replace",
            Op::StrLt => "str.<",
            Op::StrToInt => "str.to_int",
            Op::StrFromInt => "str.from_int",
            Op::StrToCode => "str.to_code",
            Op::StrFromCode => "str.from_code",
            Op::InRe => "str.in_re",
            Op::ReLiteral => "str.to_re",
            Op::ReNone => "re.none",
            Op::ReAll => "re.all",
            Op::ReAllChar => "re.allchar",
            Op::ReRange => "re.range",
            Op::ReConcat => "re.++",
            Op::ReUnion => "re.union",
            Op::ReInter => "re.inter",
            Op::ReComp => "re.comp",
            Op::ReStar => "re.*",
            Op::ReLoop { min, max } => return write!(f, "(_ re.loop {min} {max})"),
        };
        f.write_str(word)
    }
}
