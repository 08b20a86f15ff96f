//! Literal values, and the types of the parameters that they become.

use rebut_choice::float;
use rebut_concolic::TypeName;

/// A value as a test writes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LiteralValue {
    Int(i128),
    Float(f64),
    Bool(bool),
    Char(char),
    Text(String),
    List(Vec<LiteralValue>),
    /// An object that implements a trait. Its code is in the test.
    Object,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ParameterType {
    /// An integer, with its width.
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
    Slice(Box<ParameterType>),
    /// `Vec<T>`
    Vec(Box<ParameterType>),
    /// A mock, by the path of its type. It draws its answers when it is called, and nothing before.
    Mock(String),
}

impl ParameterType {
    /// Parses a type from `std::any::type_name`. `None` if no parameter can have it.
    pub(crate) fn parse(name: &str) -> Option<ParameterType> {
        let boxed = |element: &TypeName| ParameterType::scalar(element).map(Box::new);
        match &TypeName::parse(name) {
            TypeName::Reference { is_mutable: false, target } => match &**target {
                TypeName::Slice(element) | TypeName::Array(element, _) => {
                    boxed(element).map(ParameterType::Slice)
                }
                target => target.is("str").then_some(ParameterType::Text),
            },
            name => match name.arguments("alloc::vec::Vec") {
                Some([element]) => boxed(element).map(ParameterType::Vec),
                _ => ParameterType::scalar(name),
            },
        }
    }

    fn scalar(name: &TypeName) -> Option<ParameterType> {
        let TypeName::Path { path: name, arguments } = name else { return None };
        if !arguments.is_empty() {
            return None;
        }
        match name.as_str() {
            "bool" => return Some(ParameterType::Bool),
            "char" => return Some(ParameterType::Char),
            "f32" => return Some(ParameterType::Float(32)),
            "f64" => return Some(ParameterType::Float(64)),
            _ => {}
        }
        let is_signed = name.starts_with('i');
        let bits = match name.strip_prefix(['i', 'u'])? {
            // Where explored sizes have only 32 bits, they are widened.
            "size" => 64,
            bits => bits.parse().ok().filter(|bits| [8, 16, 32, 64, 128].contains(bits))?,
        };
        Some(ParameterType::Int { name: name.to_owned(), is_signed, bits })
    }

    /// Returns the type as Rust code.
    pub(crate) fn code(&self) -> String {
        match self {
            ParameterType::Int { name, .. } => name.clone(),
            ParameterType::Float(bits) => format!("f{bits}"),
            ParameterType::Bool => "bool".to_owned(),
            ParameterType::Char => "char".to_owned(),
            ParameterType::Text => "&str".to_owned(),
            ParameterType::Slice(element) => format!("&[{}]", element.code()),
            ParameterType::Vec(element) => format!("Vec<{}>", element.code()),
            ParameterType::Mock(path) => path.clone(),
        }
    }

    /// Returns the value of one choice as Rust code. `None` for types that are rarely readable.
    pub(crate) fn code_of_choice(&self, number: i128) -> Option<String> {
        match self {
            ParameterType::Int { .. } => Some(number.to_string()),
            ParameterType::Bool => Some((number != 0).to_string()),
            _ => None,
        }
    }

    /// Whether one choice generates a value.
    pub(crate) fn is_scalar(&self) -> bool {
        !self.is_sequence() && !matches!(self, ParameterType::Mock(_))
    }

    /// Whether a value is a length, followed by that many elements.
    pub(crate) fn is_sequence(&self) -> bool {
        matches!(self, ParameterType::Text | ParameterType::Slice(_) | ParameterType::Vec(_))
    }

    /// Whether only the lower half of its values fits into a choice. Only these are explored.
    pub(crate) fn is_half_explored(&self) -> bool {
        matches!(self, ParameterType::Int { is_signed: false, bits: 128, .. })
    }

    pub(crate) fn is_int(&self) -> bool {
        matches!(self, ParameterType::Int { .. })
    }
}

impl LiteralValue {
    /// Builds the value of a parameter from its choices.
    pub(crate) fn from_choices(
        ty: &ParameterType,
        numbers: &mut impl Iterator<Item = i128>,
    ) -> Option<LiteralValue> {
        let mut next = || numbers.next();
        Some(match ty {
            ParameterType::Int { .. } => LiteralValue::Int(next()?),
            ParameterType::Bool => LiteralValue::Bool(next()? != 0),
            ParameterType::Char => LiteralValue::Char(char_of_choice(next()?)?),
            ParameterType::Float(32) => LiteralValue::Float(float::f32_of(next()?).into()),
            ParameterType::Float(_) => LiteralValue::Float(float::f64_of(next()?)),
            ParameterType::Text => {
                let characters = (0..next()?).map(|_| char_of_choice(next()?));
                LiteralValue::Text(characters.collect::<Option<_>>()?)
            }
            ParameterType::Slice(element) | ParameterType::Vec(element) => {
                let mut list = Vec::new();
                for _ in 0..next()? {
                    list.push(LiteralValue::from_choices(element, &mut *numbers)?);
                }
                LiteralValue::List(list)
            }
            ParameterType::Mock(_) => LiteralValue::Object,
        })
    }

    /// Returns the value as Rust code. Empty for an object.
    pub(crate) fn code(&self) -> String {
        match self {
            LiteralValue::Int(number) => number.to_string(),
            LiteralValue::Float(number) if number.is_nan() => "0.0 / 0.0".to_owned(),
            LiteralValue::Float(number) if number.is_infinite() => {
                format!("{:?} / 0.0", number.signum())
            }
            LiteralValue::Float(number) => format!("{number:?}"),
            LiteralValue::Bool(truth) => truth.to_string(),
            LiteralValue::Char(character) => format!("{character:?}"),
            LiteralValue::Text(text) => format!("{text:?}"),
            LiteralValue::Object => String::new(),
            LiteralValue::List(list) => {
                let elements: Vec<String> = list.iter().map(LiteralValue::code).collect();
                format!("vec![{}]", elements.join(", "))
            }
        }
    }

    /// Returns the length of a string or list; 0 for other values.
    pub(crate) fn length(&self) -> usize {
        match self {
            LiteralValue::Text(text) => text.chars().count(),
            LiteralValue::List(list) => list.len(),
            _ => 0,
        }
    }

    /// Returns the choices that generate the value for a parameter of this type. `None` if the
    /// value is not of this type.
    pub(crate) fn choices(&self, ty: &ParameterType) -> Option<Vec<i128>> {
        Some(match (self, ty) {
            (LiteralValue::Int(number), ParameterType::Int { .. }) => vec![*number],
            (LiteralValue::Float(number), ParameterType::Float(32)) => {
                vec![float::number_of_f32(*number as f32)]
            }
            (LiteralValue::Float(number), ParameterType::Float(_)) => {
                vec![float::number_of_f64(*number)]
            }
            (LiteralValue::Bool(truth), ParameterType::Bool) => vec![i128::from(*truth)],
            (LiteralValue::Char(character), ParameterType::Char) => {
                vec![choice_of_char(*character)]
            }
            (LiteralValue::Text(text), ParameterType::Text) => {
                let characters = text.chars().map(choice_of_char);
                [text.chars().count() as i128].into_iter().chain(characters).collect()
            }
            (
                LiteralValue::List(list),
                ParameterType::Slice(element) | ParameterType::Vec(element),
            ) => {
                let mut numbers = vec![list.len() as i128];
                for value in list {
                    numbers.extend(value.choices(element)?);
                }
                numbers
            }
            (LiteralValue::Object, ParameterType::Mock(_)) => Vec::new(),
            _ => return None,
        })
    }
}

/// Returns the choice of a character. Choices have no gap for surrogates.
fn choice_of_char(character: char) -> i128 {
    let scalar = i128::from(u32::from(character));
    if scalar >= 0xE000 { scalar - 0x800 } else { scalar }
}

/// Returns the character of a choice.
fn char_of_choice(number: i128) -> Option<char> {
    let scalar = u32::try_from(number).ok()?;
    char::from_u32(if scalar >= 0xD800 { scalar + 0x800 } else { scalar })
}

/// Returns the numbers of a type that are choices: the lower half of `u128`, and all of the others.
pub(crate) fn integer_range(is_signed: bool, bits: u32) -> std::ops::RangeInclusive<i128> {
    match is_signed {
        true => i128::MIN >> (128 - bits)..=i128::MAX >> (128 - bits),
        false => 0..=i128::MAX >> 127_u32.saturating_sub(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_range_is_that_of_the_type() {
        assert_eq!(integer_range(true, 8), -128..=127);
        assert_eq!(integer_range(false, 8), 0..=255);
        assert_eq!(integer_range(false, 64), 0..=i128::from(u64::MAX));
        assert_eq!(integer_range(true, 128), i128::MIN..=i128::MAX);
        assert_eq!(integer_range(false, 128), 0..=i128::MAX);
    }

    #[test]
    fn types_are_parsed_from_the_compilers_names() {
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
            assert_eq!(ParameterType::parse(name).map(|ty| ty.code()).as_deref(), code, "{name}");
        }
    }

    #[test]
    fn values_and_their_choices_convert_to_each_other() {
        let list = LiteralValue::List(vec![LiteralValue::Int(3), LiteralValue::Int(-1)]);
        let ty = ParameterType::parse("alloc::vec::Vec<i8>").expect("a type");
        assert_eq!(list.choices(&ty), Some(vec![2, 3, -1]));
        let text = LiteralValue::Text("a\u{E000}".to_owned());
        assert_eq!(text.choices(&ParameterType::Text), Some(vec![2, 97, 0xD800]));
        assert_eq!(text.choices(&ParameterType::Bool), None);
        let mock = ParameterType::Mock("MockClock".to_owned());
        assert_eq!(
            LiteralValue::Object.choices(&mock),
            Some(Vec::new()),
            "it draws when it is called"
        );
        for (value, ty) in [(list, ty), (text, ParameterType::Text)] {
            let numbers = value.choices(&ty).expect("choices");
            assert_eq!(LiteralValue::from_choices(&ty, &mut numbers.into_iter()), Some(value));
        }
    }
}
