//! Operators on strings, as defined by SMT-LIB's theory `Strings`. Indices and lengths count
//! characters.

use super::EvaluateError;
use crate::Value;
use crate::op::Op;

pub(super) fn apply(op: Op, args: &[&Value]) -> Result<Value, EvaluateError> {
    Ok(match (op, args) {
        (Op::StrConcat, args) => {
            let texts: Option<String> = args.iter().map(|arg| arg.as_str()).collect();
            Value::from(&*texts.ok_or(EvaluateError::WRONG_SORT)?)
        }
        (Op::StrLen, [Value::String(a)]) => Value::Int(a.chars().count() as i128),
        (Op::StrAt, [Value::String(a), Value::Int(from)]) => substring(a, *from, 1),
        (Op::StrSubstr, [Value::String(a), Value::Int(from), Value::Int(length)]) => {
            substring(a, *from, *length)
        }
        (Op::StrPrefixOf, [Value::String(a), Value::String(b)]) => b.starts_with(&**a).into(),
        (Op::StrSuffixOf, [Value::String(a), Value::String(b)]) => b.ends_with(&**a).into(),
        (Op::StrContains, [Value::String(a), Value::String(b)]) => a.contains(&**b).into(),
        (Op::StrLt, [Value::String(a), Value::String(b)]) => a.chars().lt(b.chars()).into(),
        (Op::StrIndexOf, [Value::String(a), Value::String(b), Value::Int(from)]) => {
            Value::Int(index_of(a, b, *from))
        }
        (Op::StrReplace, [Value::String(a), Value::String(b), Value::String(c)]) => {
            Value::from(&*a.replacen(&**b, c, 1))
        }
        (Op::StrToInt, [Value::String(a)]) => Value::Int(digits(a)?),
        (Op::StrFromInt, [Value::Int(a)]) => match a {
            ..0 => Value::from(""),
            _ => Value::from(&*a.to_string()),
        },
        (Op::StrToCode, [Value::String(a)]) => {
            let mut chars = a.chars();
            match (chars.next(), chars.next()) {
                (Some(only), None) => Value::Int(i128::from(u32::from(only))),
                _ => Value::Int(-1),
            }
        }
        (Op::StrFromCode, [Value::Int(a)]) => {
            let code = u32::try_from(*a).ok().filter(|code| *code <= LAST_CODE);
            match code.and_then(char::from_u32) {
                Some(character) => Value::from(&*character.to_string()),
                None => Value::from(""),
            }
        }
        _ => return Err(EvaluateError::WRONG_SORT),
    })
}

/// The last character of SMT-LIB's theory. `str.from_code` is empty for greater codes.
const LAST_CODE: u32 = 0x2ffff;

fn substring(text: &str, from: i128, length: i128) -> Value {
    let (Ok(from), Ok(length)) = (usize::try_from(from), usize::try_from(length)) else {
        return Value::from("");
    };
    Value::from(&*text.chars().skip(from).take(length).collect::<String>())
}

fn index_of(text: &str, part: &str, from: i128) -> i128 {
    let indices = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
    let found = indices
        .enumerate()
        .filter(|(index, _)| *index as i128 >= from.max(0))
        .find(|(_, byte)| text[*byte..].starts_with(part));
    match found {
        Some((index, _)) if from >= 0 => index as i128,
        _ => -1,
    }
}

fn digits(text: &str) -> Result<i128, EvaluateError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(-1);
    }
    text.parse().ok().ok_or(EvaluateError::TOO_LARGE)
}
