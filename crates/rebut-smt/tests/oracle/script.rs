//! Prints a graph as an SMT-LIB script. Floats use SMT-LIB's own theory, so the script contains
//! none of the circuits under test.

use std::fmt::Write as _;

use crate::graph::{Graph, Id, Node, Op, Shape, Sort};

/// Prints a script that checks whether all claims can be true at once.
pub(crate) fn query(graph: &Graph, claims: &[Id]) -> String {
    let mut text = String::new();
    for id in graph.reachable(claims) {
        let node = &graph.nodes[id];
        let sort = sort(node.sort);
        let _ = match node.op {
            Op::Var => writeln!(text, "(declare-const v{id} {sort})"),
            _ => writeln!(text, "(define-fun v{id} () {sort} {})", body(graph, node)),
        };
    }
    for claim in claims {
        let _ = writeln!(text, "(assert v{claim})");
    }
    text + "(check-sat)\n"
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
    }
}

fn body(graph: &Graph, node: &Node) -> String {
    let args: Vec<String> = node.args.iter().map(|arg| format!("v{arg}")).collect();
    let all = args.join(" ");
    let width = node.args.first().map_or(0, |arg| match graph.sort(*arg) {
        Sort::Bits(width) => width,
        Sort::Bool => 0,
    });
    let word = match node.op {
        Op::Const(number) => return constant(node.sort, number),
        Op::Extract { high, low } => return format!("((_ extract {high} {low}) {all})"),
        Op::ZeroExtend(by) => return format!("((_ zero_extend {by}) {all})"),
        Op::SignExtend(by) => return format!("((_ sign_extend {by}) {all})"),
        Op::Lookup(shape) => return lookup(shape, &all),
        Op::Popcount => return popcount(&all, width),
        Op::Clz => return zeros(&all, width, (0..width).rev()),
        Op::Ctz => return zeros(&all, width, 0..width),
        Op::RotL => return rotated(&args, width, "bvshl", "bvlshr"),
        Op::RotR => return rotated(&args, width, "bvlshr", "bvshl"),
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::BvNot => "bvnot",
        Op::Neg => "bvneg",
        Op::Add => "bvadd",
        Op::Sub => "bvsub",
        Op::Mul => "bvmul",
        Op::Udiv => "bvudiv",
        Op::Urem => "bvurem",
        Op::Sdiv => "bvsdiv",
        Op::Srem => "bvsrem",
        Op::Smod => "bvsmod",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::Shl => "bvshl",
        Op::Lshr => "bvlshr",
        Op::Ashr => "bvashr",
        Op::Concat => "concat",
        Op::Ult => "bvult",
        Op::Ule => "bvule",
        Op::Slt => "bvslt",
        Op::Sle => "bvsle",
        op => return float(op, &args, width),
    };
    format!("({word} {all})")
}

fn constant(sort: Sort, number: u128) -> String {
    match sort {
        Sort::Bits(width) => bits(width, number),
        Sort::Bool => (number == 1).to_string(),
    }
}

fn bits(width: u32, number: u128) -> String {
    format!("(_ bv{number} {width})")
}

/// Prints the entry of a table by the formula that defines the table.
fn lookup(shape: Shape, a: &str) -> String {
    let between =
        |first: u8, last: u8| format!("(and (bvule #x{first:02x} {a}) (bvule {a} #x{last:02x}))");
    let (capital, small) = (between(b'A', b'Z'), between(b'a', b'z'));
    match shape {
        Shape::Digit => format!(
            "(ite {} (bvsub {a} #x30) (ite {capital} (bvsub {a} #x37) \
             (ite {small} (bvsub {a} #x57) #xff)))",
            between(b'0', b'9')
        ),
        Shape::Letter => format!("(ite (or {capital} {small}) #x01 #x00)"),
        Shape::Linear => format!("(bvxor {a} (bvshl {a} #x01) (bvlshr {a} #x03) #x5a)"),
        Shape::Permutation => format!("(bvadd (bvmul {a} #xa7) #x0d)"),
        Shape::Square => format!("(bvlshr (bvmul {a} {a}) #x01)"),
    }
}

fn popcount(a: &str, width: u32) -> String {
    (0..width).fold(bits(width, 0), |sum, bit| {
        let digit = format!("((_ zero_extend {}) ((_ extract {bit} {bit}) {a}))", width - 1);
        format!("(bvadd {sum} {digit})")
    })
}

/// Counts the zeros before the first set bit, in the given order of bits.
fn zeros(a: &str, width: u32, bits_in_order: impl DoubleEndedIterator<Item = u32>) -> String {
    let order: Vec<u32> = bits_in_order.collect();
    let mut text = bits(width, width.into());
    for (count, bit) in order.into_iter().enumerate().rev() {
        let is_set = format!("(= ((_ extract {bit} {bit}) {a}) #b1)");
        text = format!("(ite {is_set} {} {text})", bits(width, count as u128));
    }
    text
}

fn rotated(args: &[String], width: u32, there: &str, back: &str) -> String {
    let (a, b, all) = (&args[0], &args[1], bits(width, width.into()));
    let by = format!("(bvurem {b} {all})");
    format!("(bvor ({there} {a} {by}) ({back} {a} (bvsub {all} {by})))")
}

/// Returns the conversion from bits to a format.
fn format_of(width: u32) -> &'static str {
    if width == 32 { "(_ to_fp 8 24)" } else { "(_ to_fp 11 53)" }
}

/// Prints the bits of a float, with a NaN as the canonical one.
fn back(width: u32, float: &str) -> String {
    let nan = bits(width, if width == 32 { 0x7fc0_0000 } else { 0x7ff8_0000_0000_0000 });
    format!("(let ((f {float})) (ite (fp.isNaN f) {nan} (fp.to_ieee_bv f)))")
}

fn float(op: Op, args: &[String], width: u32) -> String {
    let numbers: Vec<String> =
        args.iter().map(|arg| format!("({} {arg})", format_of(width))).collect();
    let (x, all) = (&numbers[0], numbers.join(" "));
    let rounded = |word: &str| back(width, &format!("({word} RNE {all})"));
    let integral = |mode: &str| back(width, &format!("(fp.roundToIntegral {mode} {x})"));
    let sign = bits(width, 1 << (width - 1));
    match op {
        Op::FloatIsNan => format!("(fp.isNaN {x})"),
        Op::FloatEq => format!("(fp.eq {all})"),
        Op::FloatLt => format!("(fp.lt {all})"),
        Op::FloatLe => format!("(fp.leq {all})"),
        Op::FloatAdd => rounded("fp.add"),
        Op::FloatSub => rounded("fp.sub"),
        Op::FloatMul => rounded("fp.mul"),
        Op::FloatDiv => rounded("fp.div"),
        Op::FloatSqrt => rounded("fp.sqrt"),
        Op::FloatCeil => integral("RTP"),
        Op::FloatFloor => integral("RTN"),
        Op::FloatTrunc => integral("RTZ"),
        Op::FloatNearest => integral("RNE"),
        Op::FloatMin => extreme("fp.min", "bvor", args, &numbers, width),
        Op::FloatMax => extreme("fp.max", "bvand", args, &numbers, width),
        Op::FloatAbs => format!("(bvand {} (bvnot {sign}))", args[0]),
        Op::FloatNeg => format!("(bvxor {} {sign})", args[0]),
        Op::FloatCopysign => {
            format!("(bvor (bvand {} (bvnot {sign})) (bvand {} {sign}))", args[0], args[1])
        }
        Op::FromSigned(to) => back(to, &format!("({} RNE {})", format_of(to), args[0])),
        Op::FromUnsigned(to) => {
            let format =
                if to == 32 { "(_ to_fp_unsigned 8 24)" } else { "(_ to_fp_unsigned 11 53)" };
            back(to, &format!("({format} RNE {})", args[0]))
        }
        Op::Promote => back(64, &format!("((_ to_fp 11 53) RNE {x})")),
        Op::Demote => back(32, &format!("((_ to_fp 8 24) RNE {x})")),
        Op::TrapsSigned(to) => traps(x, width, to, true),
        Op::TrapsUnsigned(to) => traps(x, width, to, false),
        Op::ToSigned(to) => whole(x, width, to, true),
        Op::ToUnsigned(to) => whole(x, width, to, false),
        Op::SaturatingSigned(to) => saturated(x, width, to, true),
        Op::SaturatingUnsigned(to) => saturated(x, width, to, false),
        other => panic!("{other:?} is not of floats"),
    }
}

/// SMT-LIB prefers a number to NaN and does not order the zeros; WebAssembly does neither.
fn extreme(word: &str, zeros: &str, args: &[String], numbers: &[String], width: u32) -> String {
    let ([a, b], [x, y]) = (args, numbers) else { panic!("{word} of two") };
    let number = back(width, &format!("({word} {x} {y})"));
    let nan = back(width, "(_ NaN E S)").replace("E S", if width == 32 { "8 24" } else { "11 53" });
    format!(
        "(ite (or (fp.isNaN {x}) (fp.isNaN {y})) {nan} \
         (ite (and (fp.isZero {x}) (fp.isZero {y})) ({zeros} {a} {b}) {number}))"
    )
}

/// Prints the bounds of an integer as floats. The upper one is exclusive.
fn limits(width: u32, to: u32, is_signed: bool) -> (String, String) {
    let power = |exponent: u32| {
        let number = 2f64.powi(exponent as i32);
        if width == 32 { u128::from((number as f32).to_bits()) } else { number.to_bits().into() }
    };
    let as_float = |number: u128| format!("({} {})", format_of(width), bits(width, number));
    if is_signed {
        let limit = power(to - 1);
        (as_float(limit | 1 << (width - 1)), as_float(limit))
    } else {
        (as_float(0), as_float(power(to)))
    }
}

fn traps(x: &str, width: u32, to: u32, is_signed: bool) -> String {
    let (least, limit) = limits(width, to, is_signed);
    let number = format!("(fp.roundToIntegral RTZ {x})");
    format!("(let ((n {number})) (or (fp.isNaN n) (fp.lt n {least}) (fp.geq n {limit})))")
}

fn convert(x: &str, to: u32, is_signed: bool) -> String {
    let word = if is_signed { "fp.to_sbv" } else { "fp.to_ubv" };
    format!("((_ {word} {to}) RTZ {x})")
}

fn whole(x: &str, width: u32, to: u32, is_signed: bool) -> String {
    let traps = traps(x, width, to, is_signed);
    format!("(ite {traps} {} {})", bits(to, 0), convert(x, to, is_signed))
}

fn saturated(x: &str, width: u32, to: u32, is_signed: bool) -> String {
    let (least, limit) = limits(width, to, is_signed);
    let (min, max) = if is_signed {
        (bits(to, 1 << (to - 1)), bits(to, (1 << (to - 1)) - 1))
    } else {
        (bits(to, 0), bits(to, (1 << to) - 1))
    };
    let number = convert(x, to, is_signed);
    format!(
        "(ite (fp.isNaN {x}) {} (ite (fp.leq {x} {least}) {min} \
         (ite (fp.geq {x} {limit}) {max} {number})))",
        bits(to, 0)
    )
}
