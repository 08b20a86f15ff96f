//! The operators of terms, and which sorts they take.
//!
//! There is one operator per idea: what SMT-LIB calls `bvule`, `>=` or `str.<=` is made of
//! these by the constructors of [`Pool`](crate::Pool), so that a rewrite, the evaluator and the
//! bit-blaster each meet an idea once.

use std::fmt;

use crate::Sort;

/// What a term does with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant; see [`Pool::value`](crate::Pool::value).
    Const(u32),
    /// A variable; see [`Pool::name`](crate::Pool::name).
    Var(u32),

    /// The negation of a truth value.
    Not,
    /// All arguments hold.
    And,
    /// At least one argument holds.
    Or,
    /// Both arguments are the same.
    Eq,
    /// No two arguments are the same.
    Distinct,
    /// The second argument if the first holds, else the third.
    Ite,

    /// Every bit flipped.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Sum, wrapping.
    BvAdd,
    /// Difference, wrapping.
    BvSub,
    /// Product, wrapping.
    BvMul,
    /// Unsigned quotient; all ones if the divisor is zero.
    BvUdiv,
    /// Unsigned remainder; the dividend if the divisor is zero.
    BvUrem,
    /// Signed quotient, rounded toward zero.
    BvSdiv,
    /// Signed remainder with the sign of the dividend.
    BvSrem,
    /// Signed remainder with the sign of the divisor.
    BvSmod,
    /// Shift to the left; zero from the width on.
    BvShl,
    /// Shift to the right with zeros.
    BvLshr,
    /// Shift to the right with copies of the sign.
    BvAshr,
    /// The bits of the first argument above those of the second.
    Concat,
    /// Bits `high` down to `low`.
    Extract {
        /// The uppermost bit taken.
        high: u32,
        /// The lowermost bit taken.
        low: u32,
    },
    /// So many copies of the sign on top.
    SignExtend(u32),
    /// Less than, unsigned.
    BvUlt,
    /// Less than, signed.
    BvSlt,
    /// A bit-vector as a whole number that is not negative.
    BvToInt,
    /// A whole number modulo two to the width.
    IntToBv(u32),

    /// The sum of numbers.
    Add,
    /// The product of two numbers.
    Mul,
    /// The quotient such that the remainder is not negative; zero if the divisor is zero.
    IntDiv,
    /// The remainder, never negative; the dividend if the divisor is zero.
    IntMod,
    /// The quotient of reals; zero if the divisor is zero.
    RealDiv,
    /// A whole number as a real.
    ToReal,
    /// The greatest whole number that is not greater.
    ToInt,
    /// Less than, of numbers.
    Lt,

    /// Texts joined.
    StrConcat,
    /// How many characters a text has.
    StrLen,
    /// The character at a place as a text; nothing outside of the text.
    StrAt,
    /// So many characters from a place on.
    StrSubstr,
    /// The second text begins with the first.
    StrPrefixOf,
    /// The second text ends with the first.
    StrSuffixOf,
    /// The first text has the second in it.
    StrContains,
    /// Where the second text is in the first, from a place on; -1 if nowhere.
    StrIndexOf,
    /// The first occurrence of the second text in the first replaced by the third.
    StrReplace,
    /// Before, in the order of the characters' codes.
    StrLt,
    /// The number that the decimal digits of a text say; -1 if there is anything else.
    StrToInt,
    /// A number in decimal digits; nothing if it is negative.
    StrFromInt,
    /// The code of the only character of a text; -1 if there is not just one.
    StrToCode,
    /// The text of one character with this code; nothing if there is none.
    StrFromCode,
    /// The text is one of those that the regular expression describes.
    InRe,

    /// Just this text.
    ReText,
    /// No text.
    ReNone,
    /// Every text.
    ReAll,
    /// Every text of one character.
    ReAllChar,
    /// Every text of one character between these two.
    ReRange,
    /// A text of each, joined.
    ReConcat,
    /// A text of any of them.
    ReUnion,
    /// A text that each of them has.
    ReInter,
    /// Every other text.
    ReComp,
    /// So many times or more, joined.
    ReStar,
    /// Between `min` and `max` times.
    ReLoop {
        /// At least so many times.
        min: u32,
        /// At most so many times.
        max: u32,
    },
}

/// An operator was given arguments of sorts that it does not take.
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
    /// The sort of the result, if these sorts of arguments fit.
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
            Op::ReText => are(&[String], RegLan),
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

    /// What the operator takes, in words.
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
            Op::StrLen | Op::StrToInt | Op::StrToCode | Op::ReText => "a String",
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
            Op::BvNot | Op::BvNeg => "a bit-vector",
            Op::BvToInt => "a bit-vector of at most 127 bits",
            Op::Concat => "two bit-vectors of at most 128 bits together",
            Op::Extract { .. } => "a bit-vector that has these bits",
            Op::SignExtend(_) => "a bit-vector that is then at most 128 bits wide",
            _ => "two bit-vectors of one width",
        }
    }
}

/// As SMT-LIB writes it.
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
            Op::ReText => "str.to_re",
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
