//! Values that are promoted, and the types of the parameters that they become.

use rebut_choice::float;

/// A value as it stands in a test.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Int(i128),
    Float(f64),
    Bool(bool),
    Char(char),
    Text(String),
    List(Vec<Value>),
    /// Something that implements a trait, as it is written.
    Object,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// Whether it has a sign, and its width where tests are explored.
    Int {
        name: String,
        is_signed: bool,
        bits: u32,
    },
    Float(u32),
    Bool,
    Char,
    /// `&str`
    Text,
    /// `&[T]`
    Slice(Box<Type>),
    /// `Vec<T>`
    Vec(Box<Type>),
    /// A mock, by the path of its type. It draws when it is asked, and nothing before.
    Mock(String),
}

impl Type {
    /// Reads what the compiler calls a type; none if there are no parameters of it.
    pub(super) fn read(name: &str) -> Option<Type> {
        let name = name.trim();
        if let Some(inner) = name.strip_prefix("alloc::vec::Vec<") {
            return Type::element(inner.strip_suffix('>')?).map(Type::Vec);
        }
        if let Some(inner) = name.strip_prefix("&[") {
            let inner = inner.strip_suffix(']')?;
            let element = inner.split_once(';').map_or(inner, |(element, _)| element);
            return Type::element(element).map(Type::Slice);
        }
        match name {
            "&str" | "&'static str" => Some(Type::Text),
            _ => Type::scalar(name),
        }
    }

    fn element(name: &str) -> Option<Box<Type>> {
        Type::scalar(name.trim()).map(Box::new)
    }

    fn scalar(name: &str) -> Option<Type> {
        match name {
            "bool" => return Some(Type::Bool),
            "char" => return Some(Type::Char),
            "f32" => return Some(Type::Float(32)),
            "f64" => return Some(Type::Float(64)),
            _ => {}
        }
        let is_signed = name.starts_with('i');
        let bits = match name.strip_prefix(['i', 'u'])? {
            // As wide as a pointer in WebAssembly.
            "size" => 32,
            bits => bits.parse().ok().filter(|bits| [8, 16, 32, 64, 128].contains(bits))?,
        };
        Some(Type::Int { name: name.to_owned(), is_signed, bits })
    }

    /// As it is written before a parameter.
    pub(super) fn code(&self) -> String {
        match self {
            Type::Int { name, .. } => name.clone(),
            Type::Float(bits) => format!("f{bits}"),
            Type::Bool => "bool".to_owned(),
            Type::Char => "char".to_owned(),
            Type::Text => "&str".to_owned(),
            Type::Slice(element) => format!("&[{}]", element.code()),
            Type::Vec(element) => format!("Vec<{}>", element.code()),
            Type::Mock(path) => path.clone(),
        }
    }

    /// The code of the number of a choice.
    pub(super) fn code_of(&self, number: i128) -> Option<String> {
        match self {
            Type::Int { .. } => Some(number.to_string()),
            Type::Bool => Some((number != 0).to_string()),
            _ => None,
        }
    }

    /// Whether a value of it is one choice.
    pub(super) fn is_scalar(&self) -> bool {
        !self.is_sequence() && !matches!(self, Type::Mock(_))
    }

    /// Whether a value of it is a length and so many parts.
    pub(super) fn is_sequence(&self) -> bool {
        matches!(self, Type::Text | Type::Slice(_) | Type::Vec(_))
    }

    /// Whether only half of its values are one choice; these are explored.
    pub(super) fn is_halved(&self) -> bool {
        matches!(self, Type::Int { is_signed: false, bits: 128, .. })
    }

    pub(super) fn is_int(&self) -> bool {
        matches!(self, Type::Int { .. })
    }
}

impl Value {
    /// The value that a parameter of this type has with the next choices.
    pub(super) fn read(of: &Type, numbers: &mut impl Iterator<Item = i128>) -> Option<Value> {
        let mut next = || numbers.next();
        Some(match of {
            Type::Int { .. } => Value::Int(next()?),
            Type::Bool => Value::Bool(next()? != 0),
            Type::Char => Value::Char(char_of(next()?)?),
            Type::Float(32) => Value::Float(float::f32_of(next()?).into()),
            Type::Float(_) => Value::Float(float::f64_of(next()?)),
            Type::Text => {
                let characters = (0..next()?).map(|_| char_of(next()?));
                Value::Text(characters.collect::<Option<_>>()?)
            }
            Type::Slice(element) | Type::Vec(element) => {
                let mut list = Vec::new();
                for _ in 0..next()? {
                    list.push(Value::read(element, &mut *numbers)?);
                }
                Value::List(list)
            }
            Type::Mock(_) => Value::Object,
        })
    }

    /// The choices that a parameter of this type makes of the value.
    pub(super) fn numbers(&self, of: &Type) -> Option<Vec<i128>> {
        Some(match (self, of) {
            (Value::Int(number), Type::Int { .. }) => vec![*number],
            (Value::Float(number), Type::Float(32)) => vec![float::number_of_f32(*number as f32)],
            (Value::Float(number), Type::Float(_)) => vec![float::number_of_f64(*number)],
            (Value::Bool(truth), Type::Bool) => vec![i128::from(*truth)],
            (Value::Char(character), Type::Char) => vec![char_number(*character)],
            (Value::Text(text), Type::Text) => {
                let characters = text.chars().map(char_number);
                [text.chars().count() as i128].into_iter().chain(characters).collect()
            }
            (Value::List(list), Type::Slice(element) | Type::Vec(element)) => {
                let mut numbers = vec![list.len() as i128];
                for value in list {
                    numbers.extend(value.numbers(element)?);
                }
                numbers
            }
            (Value::Object, Type::Mock(_)) => Vec::new(),
            _ => return None,
        })
    }
}

/// The choice for a character: without the gap of the surrogates.
fn char_number(character: char) -> i128 {
    let scalar = i128::from(u32::from(character));
    if scalar >= 0xE000 { scalar - 0x800 } else { scalar }
}

/// The character of a choice.
fn char_of(number: i128) -> Option<char> {
    let scalar = u32::try_from(number).ok()?;
    char::from_u32(if scalar >= 0xD800 { scalar + 0x800 } else { scalar })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_the_compiler_names_them() {
        for (name, code) in [
            ("i32", Some("i32")),
            ("usize", Some("usize")),
            ("&str", Some("&str")),
            ("alloc::vec::Vec<u8>", Some("Vec<u8>")),
            ("&[u8; 3]", Some("&[u8]")),
            ("&[f64]", Some("&[f64]")),
            ("i128", Some("i128")),
            ("i256", None),
            ("alloc::vec::Vec<alloc::string::String>", None),
            ("isolated", None),
            ("demo::Shape", None),
        ] {
            assert_eq!(Type::read(name).map(|of| of.code()).as_deref(), code, "{name}");
        }
    }

    #[test]
    fn values_are_choices() {
        let list = Value::List(vec![Value::Int(3), Value::Int(-1)]);
        let of = Type::read("alloc::vec::Vec<i8>").expect("a type");
        assert_eq!(list.numbers(&of), Some(vec![2, 3, -1]));
        let text = Value::Text("a\u{E000}".to_owned());
        assert_eq!(text.numbers(&Type::Text), Some(vec![2, 97, 0xD800]));
        assert_eq!(text.numbers(&Type::Bool), None);
        let mock = Type::Mock("MockClock".to_owned());
        assert_eq!(Value::Object.numbers(&mock), Some(Vec::new()), "it draws when it is asked");
        for (value, of) in [(list, of), (text, Type::Text)] {
            let numbers = value.numbers(&of).expect("choices");
            assert_eq!(Value::read(&of, &mut numbers.into_iter()), Some(value));
        }
    }
}
