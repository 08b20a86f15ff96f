//! Queries as a graph of operators, independent of any solver.
//!
//! Three translations that share no code read it: `terms.rs` builds terms of the solver under
//! test, `script.rs` prints SMT-LIB with its theory of floats, and `native.rs` computes with the
//! numbers of Rust. Each node also has its value under one assignment, the hidden one, so that
//! the generator can make claims that are true, or nearly true.

use crate::native;

/// The sort of a node: a boolean, or a bit-vector of a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Bool,
    Bits(u32),
}

/// An operator. Floats are bit-vectors, as in WebAssembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Var,
    Const(u128),
    Not,
    And,
    Or,
    Eq,
    Ite,
    BvNot,
    Neg,
    Popcount,
    Clz,
    Ctz,
    Extract {
        high: u32,
        low: u32,
    },
    ZeroExtend(u32),
    SignExtend(u32),
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Smod,
    BvAnd,
    BvOr,
    BvXor,
    Shl,
    Lshr,
    Ashr,
    RotL,
    RotR,
    Concat,
    Ult,
    Ule,
    Slt,
    Sle,
    FloatAdd,
    FloatSub,
    FloatMul,
    FloatDiv,
    FloatMin,
    FloatMax,
    FloatCopysign,
    FloatSqrt,
    FloatCeil,
    FloatFloor,
    FloatTrunc,
    FloatNearest,
    FloatAbs,
    FloatNeg,
    FloatIsNan,
    FloatEq,
    FloatLt,
    FloatLe,
    FromSigned(u32),
    FromUnsigned(u32),
    /// The truncated float, or zero if it does not fit.
    ToSigned(u32),
    ToUnsigned(u32),
    TrapsSigned(u32),
    TrapsUnsigned(u32),
    SaturatingSigned(u32),
    SaturatingUnsigned(u32),
    Promote,
    Demote,
    /// A constant table of 256 bytes, indexed by a byte.
    Lookup(Shape),
}

/// The content of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The digit that a letter stands for, in base 36; 255 for other characters.
    Digit,
    /// 1 for letters, 0 for other characters.
    Letter,
    /// Exclusive ors of bits of the index.
    Linear,
    /// A permutation.
    Permutation,
    /// Squares, without regularity in their upper bits.
    Square,
}

/// A node of a [`Graph`].
pub(crate) type Id = usize;

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) args: Vec<Id>,
    pub(crate) sort: Sort,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    /// The values under the hidden assignment; a boolean is 0 or 1.
    pub(crate) hidden: Vec<u128>,
}

impl Graph {
    pub(crate) fn var(&mut self, sort: Sort, hidden: u128) -> Id {
        self.push(Op::Var, &[], sort, native::cut(sort, hidden))
    }

    pub(crate) fn constant(&mut self, width: u32, number: u128) -> Id {
        let sort = Sort::Bits(width);
        let number = native::cut(sort, number);
        self.push(Op::Const(number), &[], sort, number)
    }

    pub(crate) fn apply(&mut self, op: Op, args: &[Id]) -> Id {
        let sorts: Vec<Sort> = args.iter().map(|arg| self.sort(*arg)).collect();
        let values: Vec<u128> = args.iter().map(|arg| self.hidden[*arg]).collect();
        let sort = result(op, &sorts);
        let value = native::apply(op, &sorts, &values);
        self.push(op, args, sort, value)
    }

    fn push(&mut self, op: Op, args: &[Id], sort: Sort, value: u128) -> Id {
        self.nodes.push(Node { op, args: args.to_vec(), sort });
        self.hidden.push(value);
        self.nodes.len() - 1
    }

    pub(crate) fn sort(&self, id: Id) -> Sort {
        self.nodes[id].sort
    }

    pub(crate) fn width(&self, id: Id) -> u32 {
        match self.sort(id) {
            Sort::Bits(width) => width,
            Sort::Bool => panic!("a truth value has no width"),
        }
    }

    pub(crate) fn holds(&self, id: Id) -> bool {
        self.hidden[id] == 1
    }

    /// Computes the values of all nodes from those of the variables.
    pub(crate) fn evaluate(&self, variable: impl Fn(Id) -> u128) -> Vec<u128> {
        let mut values: Vec<u128> = Vec::with_capacity(self.nodes.len());
        for (id, node) in self.nodes.iter().enumerate() {
            let value = match node.op {
                Op::Var => variable(id),
                Op::Const(number) => number,
                op => {
                    let sorts: Vec<Sort> = node.args.iter().map(|arg| self.sort(*arg)).collect();
                    let args: Vec<u128> = node.args.iter().map(|arg| values[*arg]).collect();
                    native::apply(op, &sorts, &args)
                }
            };
            values.push(value);
        }
        values
    }

    /// Returns all parts of some nodes, arguments first.
    pub(crate) fn reachable(&self, roots: &[Id]) -> Vec<Id> {
        let mut is_needed = vec![false; self.nodes.len()];
        roots.iter().for_each(|root| is_needed[*root] = true);
        for id in (0..self.nodes.len()).rev() {
            if is_needed[id] {
                self.nodes[id].args.iter().for_each(|arg| is_needed[*arg] = true);
            }
        }
        (0..self.nodes.len()).filter(|id| is_needed[*id]).collect()
    }
}

fn result(op: Op, sorts: &[Sort]) -> Sort {
    let width = |n: usize| match sorts.get(n) {
        Some(Sort::Bits(width)) => *width,
        other => panic!("{op:?} of {other:?}"),
    };
    match op {
        Op::Not | Op::And | Op::Or | Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => Sort::Bool,
        Op::FloatIsNan | Op::FloatEq | Op::FloatLt | Op::FloatLe => Sort::Bool,
        Op::TrapsSigned(_) | Op::TrapsUnsigned(_) => Sort::Bool,
        Op::Ite => sorts[1],
        Op::Extract { high, low } => Sort::Bits(high - low + 1),
        Op::ZeroExtend(by) | Op::SignExtend(by) => Sort::Bits(width(0) + by),
        Op::Concat => Sort::Bits(width(0) + width(1)),
        Op::FromSigned(to) | Op::FromUnsigned(to) | Op::ToSigned(to) | Op::ToUnsigned(to) => {
            Sort::Bits(to)
        }
        Op::SaturatingSigned(to) | Op::SaturatingUnsigned(to) => Sort::Bits(to),
        Op::Promote => Sort::Bits(64),
        Op::Demote => Sort::Bits(32),
        _ => sorts[0],
    }
}
