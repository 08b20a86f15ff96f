//! Strings and regular expressions: only simple rules. Anything harder is left to the external
//! solver.

use crate::op::Op;
use crate::{Pool, Sort, Term, Value};

impl Pool {
    pub(super) fn rewrite_string(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let simpler = match (op, args) {
            (Op::StrConcat, args) => Some(self.rewrite_join(args)),
            (Op::StrLen, [a]) => self.rewrite_length(*a),
            (Op::StrPrefixOf | Op::StrSuffixOf, [part, whole])
            | (Op::StrContains, [whole, part])
                if part == whole || self.is_empty_string(*part) =>
            {
                Some(self.bool(true))
            }
            (Op::StrLt, [a, b]) if a == b || self.is_empty_string(*b) => Some(self.bool(false)),
            (Op::InRe, [text, regex]) => self.rewrite_membership(*text, *regex),
            (Op::ReConcat | Op::ReUnion | Op::ReInter, [only]) => Some(*only),
            (Op::ReUnion | Op::ReInter, args) => self.rewrite_alternatives(op, args),
            (Op::ReComp, [a]) => self.parts(*a, Op::ReComp).map(|[inner]| inner),
            (Op::ReLoop { min: 1, max: 1 }, [a]) => Some(*a),
            (Op::ReLoop { min, max }, _) if min > max => Some(self.re_none()),
            _ => None,
        };
        simpler.unwrap_or_else(|| self.intern(op, args, sort))
    }

    fn is_empty_string(&self, term: Term) -> bool {
        self.value(term).and_then(Value::as_str) == Some("")
    }

    fn rewrite_join(&mut self, args: &[Term]) -> Term {
        let mut flat: Vec<Term> = Vec::new();
        for arg in args {
            let parts = match self.op(*arg) {
                Op::StrConcat => self.args(*arg).to_vec(),
                _ => vec![*arg],
            };
            for part in parts {
                let last = flat.last().and_then(|last| self.value(*last)).and_then(Value::as_str);
                let next = self.value(part).and_then(Value::as_str);
                match (last, next) {
                    (_, Some("")) => {}
                    (Some(last), Some(next)) => {
                        let joined = format!("{last}{next}");
                        flat.pop();
                        flat.push(self.string(&joined));
                    }
                    _ => flat.push(part),
                }
            }
        }
        match &flat[..] {
            [] => self.string(""),
            [only] => *only,
            _ => self.intern(Op::StrConcat, &flat, Sort::String),
        }
    }

    fn rewrite_length(&mut self, a: Term) -> Option<Term> {
        if self.op(a) != Op::StrConcat {
            return None;
        }
        let lengths: Vec<Term> =
            self.args(a).to_vec().into_iter().map(|part| self.str_len(part)).collect();
        Some(self.sum(&lengths))
    }

    fn rewrite_membership(&mut self, text: Term, regex: Term) -> Option<Term> {
        match (self.op(regex), self.args(regex)) {
            (Op::ReNone, _) => return Some(self.bool(false)),
            (Op::ReAll, _) => return Some(self.bool(true)),
            (Op::ReLiteral, [only]) => return Some(self.eq(text, *only)),
            _ => {}
        }
        self.value(text)?;
        if !self.variables(&[regex]).is_empty() {
            return None;
        }
        let membership = self.intern(Op::InRe, &[text, regex], Sort::Bool);
        let value = crate::Model::default().evaluate(self, membership).ok()?;
        Some(self.constant(value))
    }

    fn rewrite_alternatives(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        let mut parts = args.to_vec();
        let mut seen = std::collections::HashSet::new();
        parts.retain(|part| seen.insert(*part));
        let (neutral, deciding) = match op {
            Op::ReUnion => (Op::ReNone, Op::ReAll),
            _ => (Op::ReAll, Op::ReNone),
        };
        if let Some(part) = parts.iter().find(|part| self.op(**part) == deciding) {
            return Some(*part);
        }
        parts.retain(|part| self.op(*part) != neutral);
        match &parts[..] {
            [] => args.first().copied(),
            [only] => Some(*only),
            _ => Some(self.intern(op, &parts, Sort::RegLan)),
        }
    }
}
