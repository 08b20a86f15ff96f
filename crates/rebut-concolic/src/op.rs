//! The numeric instructions of WebAssembly, by opcode.
//!
//! Instrumentation treats all of them alike: it looks up how many operands of which type an opcode
//! takes, and passes the opcode to a hook. Only `record` knows what each one computes. Opcodes are
//! those of the WebAssembly core specification (section "Instructions" of the binary format).

/// The type of a number on WebAssembly's stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// 32 bits.
    I32,
    /// 64 bits.
    I64,
    /// A float of 32 bits; terms are about its bits.
    F32,
    /// A float of 64 bits.
    F64,
}

impl Type {
    /// Returns the number of bits of a value.
    #[must_use]
    pub fn width(self) -> u32 {
        match self {
            Type::I32 | Type::F32 => 32,
            Type::I64 | Type::F64 => 64,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    /// Returns the number by which hooks of instrumented code receive the type.
    pub(crate) fn to_code(self) -> i32 {
        self as i32
    }

    /// Returns the type with this code, which instrumented code wrote.
    pub(crate) fn from_code(code: i32) -> Type {
        let all = [Type::I32, Type::I64, Type::F32, Type::F64];
        all.into_iter().find(|ty| ty.to_code() == code).unwrap_or(Type::F64)
    }

    /// Converts from wasmparser's type; `None` for vectors and references.
    pub(crate) fn of(ty: wasmparser::ValType) -> Option<Type> {
        match ty {
            wasmparser::ValType::I32 => Some(Type::I32),
            wasmparser::ValType::I64 => Some(Type::I64),
            wasmparser::ValType::F32 => Some(Type::F32),
            wasmparser::ValType::F64 => Some(Type::F64),
            _ => None,
        }
    }
}

/// The types of a numeric instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpTypes {
    /// The type of the operand, or of both operands.
    pub(crate) operand: Type,
    /// Whether there are two operands.
    pub(crate) is_binary: bool,
    /// The type of the result.
    pub(crate) result: Type,
}

/// Opcodes with the prefix 0xFC are numbered from here.
pub(crate) const PREFIXED: u32 = 0x100;

/// Opcodes of functions that are recorded like an instruction: the lesser and the greater of two
/// floats, for 32 and for 64 bits. WebAssembly's own instructions treat NaNs in another way.
pub(crate) const LESSER_F32: u32 = 0x200;
pub(crate) const GREATER_F32: u32 = 0x201;
pub(crate) const LESSER_F64: u32 = 0x202;
pub(crate) const GREATER_F64: u32 = 0x203;

/// Returns the opcode of a function of C's mathematical library that returns the lesser or greater
/// of two floats. `f64::min` is a call of it.
pub(crate) fn extreme(symbol: &str) -> Option<u32> {
    match symbol {
        "fminf" => Some(LESSER_F32),
        "fmaxf" => Some(GREATER_F32),
        "fmin" => Some(LESSER_F64),
        "fmax" => Some(GREATER_F64),
        _ => None,
    }
}

/// Returns the types of a numeric opcode; `None` for any other instruction.
pub(crate) fn op_types(opcode: u32) -> Option<OpTypes> {
    use Type::{F32, F64, I32, I64};
    let unary = |operand, result| Some(OpTypes { operand, is_binary: false, result });
    let binary = |operand, result| Some(OpTypes { operand, is_binary: true, result });
    match opcode {
        0x45 => unary(I32, I32),
        0x46..=0x4F => binary(I32, I32),
        0x50 => unary(I64, I32),
        0x51..=0x5A => binary(I64, I32),
        0x5B..=0x60 => binary(F32, I32),
        0x61..=0x66 => binary(F64, I32),
        0x67..=0x69 => unary(I32, I32),
        0x6A..=0x78 => binary(I32, I32),
        0x79..=0x7B => unary(I64, I64),
        0x7C..=0x8A => binary(I64, I64),
        0x8B..=0x91 => unary(F32, F32),
        0x92..=0x98 => binary(F32, F32),
        0x99..=0x9F => unary(F64, F64),
        0xA0..=0xA6 => binary(F64, F64),
        0xA7 => unary(I64, I32),
        0xA8 | 0xA9 => unary(F32, I32),
        0xAA | 0xAB => unary(F64, I32),
        0xAC | 0xAD => unary(I32, I64),
        0xAE | 0xAF => unary(F32, I64),
        0xB0 | 0xB1 => unary(F64, I64),
        0xB2 | 0xB3 => unary(I32, F32),
        0xB4 | 0xB5 => unary(I64, F32),
        0xB6 => unary(F64, F32),
        0xB7 | 0xB8 => unary(I32, F64),
        0xB9 | 0xBA => unary(I64, F64),
        0xBB => unary(F32, F64),
        0xBC => unary(F32, I32),
        0xBD => unary(F64, I64),
        0xBE => unary(I32, F32),
        0xBF => unary(I64, F64),
        0xC0 | 0xC1 => unary(I32, I32),
        0xC2..=0xC4 => unary(I64, I64),
        0x100 | 0x101 => unary(F32, I32),
        0x102 | 0x103 => unary(F64, I32),
        0x104 | 0x105 => unary(F32, I64),
        0x106 | 0x107 => unary(F64, I64),
        LESSER_F32 | GREATER_F32 => binary(F32, F32),
        LESSER_F64 | GREATER_F64 => binary(F64, F64),
        _ => None,
    }
}

/// Whether the result of a numeric opcode depends on each bit of its operands, also if they are the
/// bits of a NaN. Instructions on floats treat all NaNs alike, and reinterpretations only move
/// bits.
pub(crate) fn uses_bits(opcode: u32) -> bool {
    let is_on_integers = op_types(opcode).is_some_and(|types| !types.operand.is_float());
    is_on_integers && !matches!(opcode, 0xBE | 0xBF)
}

/// Whether a float opcode has different results for zeros of different signs, other than by copying
/// the sign.
pub(crate) fn shows_sign_of_zero(opcode: u32) -> bool {
    matches!(opcode, 0x8D..=0x97 | 0x9B..=0xA5 | 0xB6 | 0xBB)
}

pub(crate) fn is_copysign(opcode: u32) -> bool {
    matches!(opcode, 0x98 | 0xA6)
}

/// Whether this converts a float to an integer and traps if it does not fit.
pub(crate) fn is_trapping_truncation(opcode: u32) -> bool {
    matches!(opcode, 0xA8..=0xAB | 0xAE..=0xB1)
}

/// The value that a load or a store transfers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// The type on the stack.
    pub(crate) ty: Type,
    /// The number of bytes in the memory.
    pub(crate) bytes: u32,
    /// Whether the loaded value is sign-extended.
    pub(crate) is_signed: bool,
}

/// Decodes a load; `None` for any other instruction.
pub(crate) fn load(opcode: u32) -> Option<Access> {
    use Type::{F32, F64, I32, I64};
    let (ty, bytes, is_signed) = match opcode {
        0x28 => (I32, 4, false),
        0x29 => (I64, 8, false),
        0x2A => (F32, 4, false),
        0x2B => (F64, 8, false),
        0x2C => (I32, 1, true),
        0x2D => (I32, 1, false),
        0x2E => (I32, 2, true),
        0x2F => (I32, 2, false),
        0x30 => (I64, 1, true),
        0x31 => (I64, 1, false),
        0x32 => (I64, 2, true),
        0x33 => (I64, 2, false),
        0x34 => (I64, 4, true),
        0x35 => (I64, 4, false),
        _ => return None,
    };
    Some(Access { ty, bytes, is_signed })
}

/// Decodes a store; `None` for any other instruction.
pub(crate) fn store(opcode: u32) -> Option<Access> {
    use Type::{F32, F64, I32, I64};
    let (ty, bytes) = match opcode {
        0x36 => (I32, 4),
        0x37 => (I64, 8),
        0x38 => (F32, 4),
        0x39 => (F64, 8),
        0x3A => (I32, 1),
        0x3B => (I32, 2),
        0x3C => (I64, 1),
        0x3D => (I64, 2),
        0x3E => (I64, 4),
        _ => return None,
    };
    Some(Access { ty, bytes, is_signed: false })
}
