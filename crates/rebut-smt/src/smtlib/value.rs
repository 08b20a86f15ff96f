//! Reads values as solvers write them.

use super::sexpr::{Sexpr, SexprKind};
use crate::{Bits, Rational, Sort, Value};

/// Reads a value of this sort. `None` if it is another sort or cannot be represented.
pub(super) fn read_value(sexpr: &Sexpr, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => match sexpr.atom()? {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        Sort::BitVec(width) => read_bits(sexpr).filter(|b| b.width() == width).map(Value::Bits),
        Sort::Int => {
            let number = read_number(sexpr)?;
            (number.denominator() == 1).then(|| Value::Int(number.numerator()))
        }
        Sort::Real => read_number(sexpr).map(Value::Real),
        Sort::String => match &sexpr.kind {
            SexprKind::Text(text) => read_string(text).map(|text| Value::from(&*text)),
            _ => None,
        },
        Sort::RegLan | Sort::Table { .. } => None,
    }
}

/// Reads `#x1f`, `#b101` or `(_ bv5 8)`.
pub(super) fn read_bits(sexpr: &Sexpr) -> Option<Bits> {
    if let Some([underscore, number, width]) = sexpr.list() {
        let number = number.atom()?.strip_prefix("bv")?.parse().ok()?;
        let width = width.atom()?.parse().ok().filter(|width| is_width(*width))?;
        return (underscore.atom() == Some("_")).then(|| Bits::new(width, number));
    }
    let atom = sexpr.atom()?;
    let (digits, radix, bits) = match (atom.strip_prefix("#x"), atom.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 16, 4),
        (_, Some(digits)) => (digits, 2, 1),
        _ => return None,
    };
    let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
    let number = u128::from_str_radix(digits, radix).ok()?;
    is_width(width).then(|| Bits::new(width, number))
}

fn is_width(width: u32) -> bool {
    (1..=Sort::WIDTH_MAX).contains(&width)
}

/// Reads numbers such as `5`, `1.5`, `(- 5)`, `(/ 1 3)`, `(- (/ 1.0 3.0))` and `(to_real 5)`.
pub(super) fn read_number(sexpr: &Sexpr) -> Option<Rational> {
    if let Some(atom) = sexpr.atom() {
        return read_decimal(atom);
    }
    match sexpr.list()? {
        [minus, number] if minus.atom() == Some("-") => {
            read_number(number)?.mul(Rational::whole(-1))
        }
        [to_real, number] if to_real.atom() == Some("to_real") => read_number(number),
        [slash, above, below] if slash.atom() == Some("/") => {
            read_number(above)?.div(read_number(below)?)
        }
        _ => None,
    }
}

/// Reads `12` or `12.50`.
fn read_decimal(atom: &str) -> Option<Rational> {
    let (whole, fraction) = atom.split_once('.').unwrap_or((atom, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let fraction = fraction.trim_end_matches('0');
    let above: i128 = format!("{whole}{fraction}").parse().ok()?;
    Rational::new(above, 10i128.checked_pow(u32::try_from(fraction.len()).ok()?)?)
}

/// Replaces escapes such as `\u{1f}` and `\u001f`. `None` for surrogates, which SMT-LIB allows and
/// Rust does not.
pub(super) fn read_string(written: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = written;
    while let Some(start) = rest.find("\\u") {
        text.push_str(&rest[..start]);
        let after = &rest[start + 2..];
        match escape(after) {
            Some((code, length)) => {
                text.push(char::from_u32(code)?);
                rest = &after[length..];
            }
            None => {
                text.push_str("\\u");
                rest = after;
            }
        }
    }
    text.push_str(rest);
    Some(text)
}

/// Reads the code after `\u`, and returns its length too. `None` if this is not an escape.
fn escape(after: &str) -> Option<(u32, usize)> {
    let hex = |digits: &str| {
        let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hex { u32::from_str_radix(digits, 16).ok() } else { None }
    };
    if let Some(braced) = after.strip_prefix('{') {
        let length = braced.find('}').filter(|length| *length <= 5)?;
        return Some((hex(&braced[..length])?, length + 2));
    }
    Some((hex(after.get(..4)?)?, 4))
}
