//! Applies operators and definitions by their names.

use super::{Definition, Fault, Reader};
use crate::op::Op;
use crate::smtlib::sexpr::Sexpr;
use crate::{Sort, Term};

/// The number of calls of definitions in one script. Arbitrary: definitions that call each other
/// twice double the work each time. Beyond it, reading fails.
const CALLS_MAX: usize = 100_000;

impl Reader<'_> {
    pub(super) fn application(
        &mut self,
        sexpr: &Sexpr,
        head: &Sexpr,
        args: &[Sexpr],
    ) -> Result<Term, Fault> {
        if let Some([first, rest @ ..]) = head.list() {
            if first.atom() == Some("_")
                && let [name, indices @ ..] = rest
            {
                let terms = self.terms(args)?;
                return self.indexed(sexpr, name.atom().unwrap_or_default(), indices, &terms);
            }
            return Err(Fault::new(head, "this is not an operator"));
        }
        let Some(name) = head.atom() else {
            return Err(Fault::new(head, "an operator is a symbol"));
        };
        if name == "_" {
            return self.indexed_constant(sexpr, args);
        }
        let terms = self.terms(args)?;
        if let Some(Definition::Function(function)) = self.names.get(name).cloned() {
            return self.call(sexpr, &function, &terms);
        }
        self.operator(sexpr, name, terms)
    }

    fn terms(&mut self, args: &[Sexpr]) -> Result<Vec<Term>, Fault> {
        args.iter().map(|arg| self.term(arg)).collect()
    }

    fn call(
        &mut self,
        sexpr: &Sexpr,
        function: &super::Function,
        args: &[Term],
    ) -> Result<Term, Fault> {
        if args.len() != function.parameters.len() {
            let count = function.parameters.len();
            return Err(Fault::new(
                sexpr,
                format!("this takes {count} arguments, not {}", args.len()),
            ));
        }
        self.calls += 1;
        if self.calls > CALLS_MAX {
            return Err(Fault::new(sexpr, "definitions are used too often"));
        }
        // The body sees its parameters and global names, not the names bound at the call.
        let mut inside = Vec::new();
        for ((name, sort), arg) in function.parameters.iter().zip(args) {
            let arg = self.coerced(*arg, *sort);
            if self.pool.sort(arg) != *sort {
                let found = self.pool.sort(arg);
                return Err(Fault::new(sexpr, format!("`{name}` is of sort {sort}, not {found}")));
            }
            inside.push((name.clone(), arg));
        }
        let outside = std::mem::replace(&mut self.bound, inside);
        let result = self.term(&function.body);
        self.bound = outside;
        let result = result.map_err(|fault| Fault { at: sexpr.at, message: fault.message })?;
        Ok(self.coerced(result, function.result))
    }

    /// Reads `(_ char #x41)`. `read_bits` reads the other indexed constant, `(_ bv5 8)`.
    fn indexed_constant(&mut self, sexpr: &Sexpr, args: &[Sexpr]) -> Result<Term, Fault> {
        if let [name, code] = args
            && name.atom() == Some("char")
        {
            let code = code.atom().and_then(|code| code.strip_prefix("#x"));
            let code = code.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            if let Some(character) = code.and_then(char::from_u32) {
                return Ok(self.pool.string(character.encode_utf8(&mut [0; 4])));
            }
        }
        Err(Fault::new(sexpr, "unknown constant"))
    }

    fn indexed(
        &mut self,
        sexpr: &Sexpr,
        name: &str,
        indices: &[Sexpr],
        args: &[Term],
    ) -> Result<Term, Fault> {
        let index = |sexpr: &Sexpr| sexpr.atom().and_then(|atom| atom.parse::<u32>().ok());
        let numbers: Option<Vec<u32>> = indices.iter().map(index).collect();
        let numbers = numbers.unwrap_or_default();
        match (name, &numbers[..], args) {
            ("extract", [high, low], _) => {
                self.fit(sexpr, Op::Extract { high: *high, low: *low }, args)
            }
            ("sign_extend", [by], _) => self.fit(sexpr, Op::SignExtend(*by), args),
            ("int2bv" | "int_to_bv", [width], _) => self.fit(sexpr, Op::IntToBv(*width), args),
            ("re.loop", [min, max], _) => {
                self.fit(sexpr, Op::ReLoop { min: *min, max: *max }, args)
            }
            ("re.^", [count], _) => self.fit(sexpr, Op::ReLoop { min: *count, max: *count }, args),
            ("zero_extend", [0], [only]) => Ok(*only),
            ("zero_extend", [by], [only]) if *by <= Sort::WIDTH_MAX => {
                let zeros = self.pool.bits(*by, 0);
                self.fit(sexpr, Op::Concat, &[zeros, *only])
            }
            ("repeat", [count @ 1..=Sort::WIDTH_MAX], [only]) => {
                let mut term = *only;
                for _ in 1..*count {
                    term = self.fit(sexpr, Op::Concat, &[term, *only])?;
                }
                Ok(term)
            }
            ("rotate_left" | "rotate_right", [by], [only]) if self.pool.width(*only) > 0 => {
                let width = self.pool.width(*only);
                let by = by % width;
                let by = if name == "rotate_left" { by } else { (width - by) % width };
                let by = self.pool.bits(width, u128::from(by));
                Ok(self.pool.bv_rotl(*only, by))
            }
            ("divisible", [divisor], [only]) if *divisor > 0 => {
                let divisor = self.pool.int(i128::from(*divisor));
                let rest = self.fit(sexpr, Op::IntMod, &[*only, divisor])?;
                let zero = self.pool.int(0);
                Ok(self.pool.eq(rest, zero))
            }
            _ => Err(Fault::new(
                sexpr,
                format!("unknown operator `(_ {name} ..)`, or unsupported arguments"),
            )),
        }
    }

    fn fit(&mut self, sexpr: &Sexpr, op: Op, args: &[Term]) -> Result<Term, Fault> {
        self.pool.apply(op, args).map_err(|error| Fault::sorts(sexpr, &error))
    }

    fn operator(&mut self, sexpr: &Sexpr, name: &str, args: Vec<Term>) -> Result<Term, Fault> {
        let args = self.with_reals(name, args);
        if let Some(op) = plain(name) {
            return self.fit(sexpr, op, &args);
        }
        if let Some(op) = left_associative(name) {
            let [first, rest @ ..] = &args[..] else {
                return Err(Fault::new(sexpr, format!("`{name}` takes arguments")));
            };
            return rest.iter().try_fold(*first, |sum, next| self.fit(sexpr, op, &[sum, *next]));
        }
        if let Some((op, swaps, negates)) = comparison(name) {
            return self.chain(sexpr, op, swaps, negates, &args);
        }
        self.derived(sexpr, name, &args)
    }

    /// Converts integer constants to reals if an argument is a real.
    fn with_reals(&mut self, name: &str, args: Vec<Term>) -> Vec<Term> {
        let has_real = args.iter().any(|arg| self.pool.sort(*arg) == Sort::Real);
        if !has_real && name != "/" {
            return args;
        }
        args.into_iter().map(|arg| self.coerced(arg, Sort::Real)).collect()
    }

    /// Expands a chain: `(< a b c)` means `a < b` and `b < c`.
    fn chain(
        &mut self,
        sexpr: &Sexpr,
        op: Op,
        swaps: bool,
        negates: bool,
        args: &[Term],
    ) -> Result<Term, Fault> {
        if args.len() < 2 {
            return Err(Fault::new(sexpr, "a comparison takes at least two arguments"));
        }
        let mut parts = Vec::new();
        for pair in args.windows(2) {
            let pair = if swaps { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
            let part = self.fit(sexpr, op, &pair)?;
            parts.push(if negates { self.pool.not(part) } else { part });
        }
        Ok(self.pool.all(&parts))
    }

    fn derived(&mut self, sexpr: &Sexpr, name: &str, args: &[Term]) -> Result<Term, Fault> {
        match (name, args) {
            ("=>", [conditions @ .., last]) if !conditions.is_empty() => {
                let all = self.fit(sexpr, Op::And, conditions)?;
                let not_all = self.pool.not(all);
                self.fit(sexpr, Op::Or, &[not_all, *last])
            }
            ("xor", [first, rest @ ..]) if !rest.is_empty() => {
                rest.iter().try_fold(*first, |sum, next| {
                    let same = self.fit(sexpr, Op::Eq, &[sum, *next])?;
                    Ok(self.pool.not(same))
                })
            }
            ("-", [only]) if self.pool.sort(*only).is_number() => Ok(self.pool.neg(*only)),
            ("-", [first, rest @ ..]) => rest.iter().try_fold(*first, |sum, next| {
                if !self.pool.sort(*next).is_number() {
                    return Err(Fault::new(sexpr, "`-` takes numbers"));
                }
                let minus = self.pool.neg(*next);
                self.fit(sexpr, Op::Add, &[sum, minus])
            }),
            ("abs", [only]) if self.pool.sort(*only).is_number() => Ok(self.pool.abs(*only)),
            ("is_int", [only]) => {
                let whole = self.fit(sexpr, Op::ToInt, &[*only])?;
                let back = self.pool.to_real(whole);
                Ok(self.pool.eq(back, *only))
            }
            ("bvnand" | "bvnor" | "bvxnor", [_, _]) => {
                let op = match name {
                    "bvnand" => Op::BvAnd,
                    "bvnor" => Op::BvOr,
                    _ => Op::BvXor,
                };
                let term = self.fit(sexpr, op, args)?;
                Ok(self.pool.bv_not(term))
            }
            ("bvcomp", [_, _]) => {
                let same = self.fit(sexpr, Op::Eq, args)?;
                let (one, zero) = (self.pool.bits(1, 1), self.pool.bits(1, 0));
                Ok(self.pool.ite(same, one, zero))
            }
            ("re.+", [only]) => {
                let star = self.fit(sexpr, Op::ReStar, &[*only])?;
                self.fit(sexpr, Op::ReConcat, &[*only, star])
            }
            ("re.opt", [_]) => self.fit(sexpr, Op::ReLoop { min: 0, max: 1 }, args),
            ("re.diff", [first, second]) => {
                let others = self.fit(sexpr, Op::ReComp, &[*second])?;
                self.fit(sexpr, Op::ReInter, &[*first, others])
            }
            ("str.indexof", [_, _, _]) => self.fit(sexpr, Op::StrIndexOf, args),
            ("str.indexof", [text, part]) => {
                let zero = self.pool.int(0);
                self.fit(sexpr, Op::StrIndexOf, &[*text, *part, zero])
            }
            ("str.is_digit", [only]) => {
                let code = self.fit(sexpr, Op::StrToCode, &[*only])?;
                let (low, high) = (self.pool.int(48), self.pool.int(57));
                let (above, below) = (self.pool.le(low, code), self.pool.le(code, high));
                Ok(self.pool.and(above, below))
            }
            _ => Err(Fault::new(
                sexpr,
                format!("unknown operator `{name}`, or unsupported arguments"),
            )),
        }
    }
}

/// Returns the operator of a name that takes its arguments unchanged.
fn plain(name: &str) -> Option<Op> {
    Some(match name {
        "not" => Op::Not,
        "and" => Op::And,
        "or" => Op::Or,
        "distinct" => Op::Distinct,
        "ite" => Op::Ite,
        "+" => Op::Add,
        "bvnot" => Op::BvNot,
        "bvneg" => Op::BvNeg,
        "bvsub" => Op::BvSub,
        "bvudiv" => Op::BvUdiv,
        "bvurem" => Op::BvUrem,
        "bvsdiv" => Op::BvSdiv,
        "bvsrem" => Op::BvSrem,
        "bvsmod" => Op::BvSmod,
        "bvshl" => Op::BvShl,
        "bvlshr" => Op::BvLshr,
        "bvashr" => Op::BvAshr,
        "bv2nat" | "ubv_to_int" => Op::BvToInt,
        "mod" => Op::IntMod,
        "to_real" => Op::ToReal,
        "to_int" => Op::ToInt,
        "str.++" => Op::StrConcat,
        "str.len" => Op::StrLen,
        "str.at" => Op::StrAt,
        "str.substr" => Op::StrSubstr,
        "str.prefixof" => Op::StrPrefixOf,
        "str.suffixof" => Op::StrSuffixOf,
        "str.contains" => Op::StrContains,
        "str.replace" => Op::StrReplace,
        "str.to_int" | "str.to.int" => Op::StrToInt,
        "str.from_int" | "int.to.str" => Op::StrFromInt,
        "str.to_code" => Op::StrToCode,
        "str.from_code" => Op::StrFromCode,
        "str.in_re" | "str.in.re" => Op::InRe,
        "str.to_re" | "str.to.re" => Op::ReLiteral,
        "re.range" => Op::ReRange,
        "re.++" => Op::ReConcat,
        "re.union" => Op::ReUnion,
        "re.inter" => Op::ReInter,
        "re.comp" => Op::ReComp,
        "re.*" => Op::ReStar,
        _ => return None,
    })
}

fn left_associative(name: &str) -> Option<Op> {
    Some(match name {
        "bvand" => Op::BvAnd,
        "bvor" => Op::BvOr,
        "bvxor" => Op::BvXor,
        "bvadd" => Op::BvAdd,
        "bvmul" => Op::BvMul,
        "concat" => Op::Concat,
        "*" => Op::Mul,
        "div" => Op::IntDiv,
        "/" => Op::RealDiv,
        _ => return None,
    })
}

/// Returns the operator of a comparison, whether to swap its arguments, and whether to negate it.
fn comparison(name: &str) -> Option<(Op, bool, bool)> {
    Some(match name {
        "=" => (Op::Eq, false, false),
        "<" => (Op::Lt, false, false),
        ">" => (Op::Lt, true, false),
        "<=" => (Op::Lt, true, true),
        ">=" => (Op::Lt, false, true),
        "bvult" => (Op::BvUlt, false, false),
        "bvugt" => (Op::BvUlt, true, false),
        "bvule" => (Op::BvUlt, true, true),
        "bvuge" => (Op::BvUlt, false, true),
        "bvslt" => (Op::BvSlt, false, false),
        "bvsgt" => (Op::BvSlt, true, false),
        "bvsle" => (Op::BvSlt, true, true),
        "bvsge" => (Op::BvSlt, false, true),
        "str.<" => (Op::StrLt, false, false),
        "str.<=" => (Op::StrLt, true, true),
        _ => return None,
    })
}
