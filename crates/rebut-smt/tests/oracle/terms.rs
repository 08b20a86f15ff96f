//! Builds the terms of a graph for the solver under test.

use rebut_smt::{Pool, Table, Term};

use crate::graph::{Graph, Id, Node, Op, Sort};
use crate::native;

/// A deliberate bug that the comparison must notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Builds `b - a` for `a - b`.
    Difference,
    /// Compares signed numbers as unsigned.
    Signs,
    /// Divides by zero to zero.
    Division,
    /// Ignores the sign of zero in `min`.
    Zeros,
}

/// The term of each node.
pub(crate) struct Terms {
    terms: Vec<Term>,
}

impl Terms {
    /// Builds the terms of all nodes.
    pub(crate) fn new(pool: &mut Pool, graph: &Graph, fault: Option<Fault>) -> Terms {
        let mut terms = Terms { terms: Vec::new() };
        for (id, node) in graph.nodes.iter().enumerate() {
            let args: Vec<Term> = node.args.iter().map(|arg| terms.of(*arg)).collect();
            let term = match fault.and_then(|fault| faulty(pool, fault, node.op, &args)) {
                Some(term) => term,
                None => correct(pool, id, node, &args),
            };
            terms.terms.push(term);
        }
        terms
    }

    pub(crate) fn of(&self, id: Id) -> Term {
        self.terms[id]
    }
}

fn correct(pool: &mut Pool, id: Id, node: &Node, args: &[Term]) -> Term {
    match (node.op, args) {
        (Op::Var, _) => {
            let sort = match node.sort {
                Sort::Bool => rebut_smt::Sort::Bool,
                Sort::Bits(width) => rebut_smt::Sort::BitVec(width),
            };
            pool.var(&format!("v{id}"), sort)
        }
        (Op::Const(number), _) => match node.sort {
            Sort::Bits(width) => pool.bits(width, number),
            Sort::Bool => pool.bool(number == 1),
        },
        (op, [a]) => unary(pool, op, *a),
        (op, [a, b]) => binary(pool, op, *a, *b),
        (_, [a, b, c]) => pool.ite(*a, *b, *c),
        (op, _) => panic!("{op:?} of {} arguments", args.len()),
    }
}

fn unary(pool: &mut Pool, op: Op, a: Term) -> Term {
    match op {
        Op::Not => pool.not(a),
        Op::BvNot => pool.bv_not(a),
        Op::Neg => pool.bv_neg(a),
        Op::Lookup(shape) => {
            let values = (0..=255).map(|index| native::lookup(shape, index).into());
            let table = Table::of_values(8, 8, &values.collect::<Vec<u128>>());
            pool.select(a, table.expect("256 bytes"))
        }
        Op::Popcount => pool.bv_popcount(a),
        Op::Clz => pool.bv_clz(a),
        Op::Ctz => pool.bv_ctz(a),
        Op::Extract { high, low } => pool.extract(high, low, a),
        Op::ZeroExtend(by) => pool.zero_extend(by, a),
        Op::SignExtend(by) => pool.sign_extend(by, a),
        Op::FloatSqrt => pool.float_sqrt(a),
        Op::FloatCeil => pool.float_ceil(a),
        Op::FloatFloor => pool.float_floor(a),
        Op::FloatTrunc => pool.float_trunc(a),
        Op::FloatNearest => pool.float_nearest(a),
        Op::FloatAbs => pool.float_abs(a),
        Op::FloatNeg => pool.float_neg(a),
        Op::FloatIsNan => pool.float_is_nan(a),
        Op::FromSigned(width) => pool.float_from_signed(width, a),
        Op::FromUnsigned(width) => pool.float_from_unsigned(width, a),
        Op::ToSigned(width) => {
            let (traps, number) =
                (pool.float_to_signed_traps(width, a), pool.float_to_signed(width, a));
            let zero = pool.bits(width, 0);
            pool.ite(traps, zero, number)
        }
        Op::ToUnsigned(width) => {
            let traps = pool.float_to_unsigned_traps(width, a);
            let (zero, number) = (pool.bits(width, 0), pool.float_to_unsigned(width, a));
            pool.ite(traps, zero, number)
        }
        Op::TrapsSigned(width) => pool.float_to_signed_traps(width, a),
        Op::TrapsUnsigned(width) => pool.float_to_unsigned_traps(width, a),
        Op::SaturatingSigned(width) => pool.float_to_signed_saturating(width, a),
        Op::SaturatingUnsigned(width) => pool.float_to_unsigned_saturating(width, a),
        Op::Promote => pool.float_promote(a),
        Op::Demote => pool.float_demote(a),
        other => panic!("{other:?} of one argument"),
    }
}

fn binary(pool: &mut Pool, op: Op, a: Term, b: Term) -> Term {
    let build: fn(&mut Pool, Term, Term) -> Term = match op {
        Op::And => Pool::and,
        Op::Or => Pool::or,
        Op::Eq => Pool::eq,
        Op::Add => Pool::bv_add,
        Op::Sub => Pool::bv_sub,
        Op::Mul => Pool::bv_mul,
        Op::Udiv => Pool::bv_udiv,
        Op::Urem => Pool::bv_urem,
        Op::Sdiv => Pool::bv_sdiv,
        Op::Srem => Pool::bv_srem,
        Op::Smod => Pool::bv_smod,
        Op::BvAnd => Pool::bv_and,
        Op::BvOr => Pool::bv_or,
        Op::BvXor => Pool::bv_xor,
        Op::Shl => Pool::bv_shl,
        Op::Lshr => Pool::bv_lshr,
        Op::Ashr => Pool::bv_ashr,
        Op::RotL => Pool::bv_rotl,
        Op::RotR => Pool::bv_rotr,
        Op::Concat => Pool::concat,
        Op::Ult => Pool::bv_ult,
        Op::Ule => Pool::bv_ule,
        Op::Slt => Pool::bv_slt,
        Op::Sle => Pool::bv_sle,
        Op::FloatAdd => Pool::float_add,
        Op::FloatSub => Pool::float_sub,
        Op::FloatMul => Pool::float_mul,
        Op::FloatDiv => Pool::float_div,
        Op::FloatMin => Pool::float_min,
        Op::FloatMax => Pool::float_max,
        Op::FloatCopysign => Pool::float_copysign,
        Op::FloatEq => Pool::float_eq,
        Op::FloatLt => Pool::float_lt,
        Op::FloatLe => Pool::float_le,
        other => panic!("{other:?} of two arguments"),
    };
    build(pool, a, b)
}

fn faulty(pool: &mut Pool, fault: Fault, op: Op, args: &[Term]) -> Option<Term> {
    Some(match (fault, op, args) {
        (Fault::Difference, Op::Sub, [a, b]) => pool.bv_sub(*b, *a),
        (Fault::Signs, Op::Slt, [a, b]) => pool.bv_ult(*a, *b),
        (Fault::Division, Op::Udiv, [a, b]) => {
            let zero = pool.bits(pool.width(*b), 0);
            let (is_zero, quotient) = (pool.eq(*b, zero), pool.bv_udiv(*a, *b));
            pool.ite(is_zero, zero, quotient)
        }
        (Fault::Zeros, Op::FloatMin, [a, b]) => {
            let is_less = pool.float_lt(*b, *a);
            let least = pool.ite(is_less, *b, *a);
            let (nan_a, nan_b) = (pool.float_is_nan(*a), pool.float_is_nan(*b));
            let (is_nan, sum) = (pool.or(nan_a, nan_b), pool.float_add(*a, *b));
            pool.ite(is_nan, sum, least)
        }
        _ => return None,
    })
}
