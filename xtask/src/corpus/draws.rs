//! Generates values of a type as Rust expressions, without any code of Rebut.

use syn::{Expr, Lit, Type};

use super::parts::{Definitions, generic, simple_name};

/// A generator of pseudorandom numbers (splitmix64, Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }
}

/// How deep values are nested.
const DEPTH_MAX: u32 = 6;

/// Returns a value of a type as an expression; `None` if the type is unknown.
pub(super) fn draw(
    ty: &Type,
    definitions: &Definitions,
    random: &mut Random,
    depth: u32,
) -> Option<String> {
    let ty = definitions.resolve(ty);
    if depth > DEPTH_MAX {
        return None;
    }
    let inside = |ty: &Type, random: &mut Random| draw(ty, definitions, random, depth + 1);
    match ty {
        Type::Paren(ty) => inside(&ty.elem, random),
        Type::Group(ty) => inside(&ty.elem, random),
        Type::Tuple(ty) => {
            let elements: Option<Vec<String>> =
                ty.elems.iter().map(|ty| inside(ty, random)).collect();
            let elements = elements?;
            let last = if elements.len() == 1 { "," } else { "" };
            Some(format!("({}{last})", elements.join(", ")))
        }
        Type::Array(ty) => {
            let Expr::Lit(length) = &ty.len else { return None };
            let Lit::Int(length) = &length.lit else { return None };
            let length: usize = length.base10_parse().ok()?;
            let elements: Option<Vec<String>> =
                (0..length).map(|_| inside(&ty.elem, random)).collect();
            Some(format!("[{}]", elements?.join(", ")))
        }
        Type::Reference(reference) if simple_name(&reference.elem).as_deref() == Some("str") => {
            Some(literal(&text(random)))
        }
        Type::Reference(reference) if reference.mutability.is_none() => match &*reference.elem {
            Type::Slice(slice) => {
                let length = random.below(5);
                let elements: Option<Vec<String>> =
                    (0..length).map(|_| inside(&slice.elem, random)).collect();
                Some(format!("&[{}]", elements?.join(", ")))
            }
            elem => Some(format!("&{}", inside(elem, random)?)),
        },
        _ => match simple_name(ty) {
            Some(name) => {
                scalar(&name, random).or_else(|| defined(&name, definitions, random, depth))
            }
            None => container(ty, definitions, random, depth),
        },
    }
}

fn container(
    ty: &Type,
    definitions: &Definitions,
    random: &mut Random,
    depth: u32,
) -> Option<String> {
    let (name, types) = generic(ty)?;
    let inside =
        |nth: usize, random: &mut Random| draw(types.get(nth)?, definitions, random, depth + 1);
    let elements = |count: usize, random: &mut Random| -> Option<Vec<String>> {
        let length = random.below(5);
        (0..length)
            .map(|_| match count {
                1 => inside(0, random),
                _ => Some(format!("({}, {})", inside(0, random)?, inside(1, random)?)),
            })
            .collect()
    };
    match name.as_str() {
        "Option" if random.below(3) == 0 => Some("None".to_owned()),
        "Option" => Some(format!("Some({})", inside(0, random)?)),
        "Result" if random.below(2) == 0 => Some(format!("Err({})", inside(1, random)?)),
        "Result" => Some(format!("Ok({})", inside(0, random)?)),
        "Box" => Some(format!("Box::new({})", inside(0, random)?)),
        "Vec" => Some(format!("Vec::from([{}])", elements(1, random)?.join(", "))),
        "BTreeSet" | "HashSet" | "VecDeque" => {
            Some(format!("Vec::from([{}]).into_iter().collect()", elements(1, random)?.join(", ")))
        }
        "BTreeMap" | "HashMap" => {
            Some(format!("Vec::from([{}]).into_iter().collect()", elements(2, random)?.join(", ")))
        }
        _ => None,
    }
}

fn defined(
    name: &str,
    definitions: &Definitions,
    random: &mut Random,
    depth: u32,
) -> Option<String> {
    if let Some(fields) = definitions.structs.get(name) {
        return with_fields(name, fields, definitions, random, depth);
    }
    let variants = definitions.enums.get(name)?;
    let variant = &variants[random.below(variants.len() as u64) as usize];
    let path = format!("{name}::{}", variant.ident);
    with_fields(&path, &variant.fields, definitions, random, depth)
}

fn with_fields(
    path: &str,
    fields: &syn::Fields,
    definitions: &Definitions,
    random: &mut Random,
    depth: u32,
) -> Option<String> {
    let mut values = Vec::new();
    for field in fields {
        let value = draw(&field.ty, definitions, random, depth + 1)?;
        values.push(match &field.ident {
            Some(name) => format!("{name}: {value}"),
            None => value,
        });
    }
    let values = values.join(", ");
    Some(match fields {
        syn::Fields::Named(_) => format!("{path} {{ {values} }}"),
        syn::Fields::Unnamed(_) => format!("{path}({values})"),
        syn::Fields::Unit => path.to_owned(),
    })
}

fn scalar(name: &str, random: &mut Random) -> Option<String> {
    let (bits, is_signed) = match name {
        "u8" => (8, false),
        "u16" => (16, false),
        "u32" => (32, false),
        "u64" | "usize" => (64, false),
        "u128" => (128, false),
        "i8" => (8, true),
        "i16" => (16, true),
        "i32" => (32, true),
        "i64" | "isize" => (64, true),
        "i128" => (128, true),
        "bool" => return Some((random.below(2) == 0).to_string()),
        "char" => return Some(format!("{:?}", character(random))),
        "String" => return Some(format!("String::from({})", literal(&text(random)))),
        "f32" | "f64" => return Some(float(name, random)),
        _ => return None,
    };
    Some(integer(bits, is_signed, name, random))
}

/// Returns numbers of all magnitudes, and the bounds of the type.
fn integer(bits: u32, is_signed: bool, name: &str, random: &mut Random) -> String {
    match random.below(8) {
        0 => return format!("{name}::MAX"),
        1 => return format!("{name}::MIN"),
        _ => {}
    }
    let width = random.below(u64::from(bits - u32::from(is_signed))) as u32 + 1;
    let wide = u128::from(random.next()) << 64 | u128::from(random.next());
    let number = wide >> (128 - width);
    let sign = if is_signed && random.below(2) == 0 { "-" } else { "" };
    format!("{sign}{number}{name}")
}

fn float(name: &str, random: &mut Random) -> String {
    let special = ["NAN", "INFINITY", "NEG_INFINITY", "MAX", "MIN", "EPSILON", "MIN_POSITIVE"];
    match random.below(4) {
        0 => format!("{name}::{}", special[random.below(special.len() as u64) as usize]),
        1 => format!("{}.0{name}", random.below(1000) as i64 - 500),
        2 => format!("{}.{}{name}", random.below(10), random.below(1000)),
        _ if name == "f32" => format!("f32::from_bits({})", random.next() as u32),
        _ => format!("f64::from_bits({})", random.next()),
    }
}

fn character(random: &mut Random) -> char {
    match random.below(8) {
        0 => char::from_u32(random.below(0x11_0000) as u32).unwrap_or('\u{FFFD}'),
        1 => char::from_u32(0xA0 + random.below(0x400) as u32).unwrap_or('é'),
        2 => ['\n', '\0', '"', '\\', '\'', ' ', '/', '.'][random.below(8) as usize],
        _ => char::from(0x20 + random.below(0x5F) as u8),
    }
}

/// Returns a string of up to nine characters.
pub(super) fn text(random: &mut Random) -> String {
    (0..random.below(10)).map(|_| character(random)).collect()
}

/// Returns a string of a length.
pub(super) fn text_of(length: usize, random: &mut Random) -> String {
    (0..length).map(|_| character(random)).collect()
}

/// Returns the literal of a string.
pub(super) fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// Returns the number of values of a type, if it is finite and known.
pub(super) fn count(ty: &Type, definitions: &Definitions) -> Option<u128> {
    let ty = definitions.resolve(ty);
    let of_fields = |fields: &syn::Fields| -> Option<u128> {
        fields
            .iter()
            .try_fold(1_u128, |product, field| product.checked_mul(count(&field.ty, definitions)?))
    };
    match ty {
        Type::Tuple(ty) => ty
            .elems
            .iter()
            .try_fold(1_u128, |product, ty| product.checked_mul(count(ty, definitions)?)),
        Type::Reference(reference) => count(&reference.elem, definitions),
        Type::Paren(ty) => count(&ty.elem, definitions),
        Type::Array(ty) => {
            let Expr::Lit(length) = &ty.len else { return None };
            let Lit::Int(length) = &length.lit else { return None };
            count(&ty.elem, definitions)?.checked_pow(length.base10_parse().ok()?)
        }
        _ => {
            match simple_name(ty).as_deref() {
                Some("bool") => Some(2),
                Some("u8" | "i8") => Some(1 << 8),
                Some("u16" | "i16") => Some(1 << 16),
                Some(name) => match definitions.structs.get(name) {
                    Some(fields) => of_fields(fields),
                    None => definitions.enums.get(name)?.iter().try_fold(0_u128, |sum, variant| {
                        sum.checked_add(of_fields(&variant.fields)?)
                    }),
                },
                None => match generic(ty)? {
                    (name, types) if name == "Option" => {
                        count(types.first()?, definitions)?.checked_add(1)
                    }
                    // Each element is there or not.
                    (name, types) if name == "BTreeSet" || name == "HashSet" => {
                        2_u128.checked_pow(count(types.first()?, definitions)?.try_into().ok()?)
                    }
                    // Each key has one of the values or is not there.
                    (name, types) if name == "BTreeMap" || name == "HashMap" => {
                        let keys = count(types.first()?, definitions)?.try_into().ok()?;
                        let values = count(types.get(1)?, definitions)?;
                        values.checked_add(1)?.checked_pow(keys)
                    }
                    _ => None,
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(text: &str) -> Type {
        syn::parse_str(text).expect("a type")
    }

    #[test]
    fn draws_are_expressions() {
        let items = "enum Op { Push(u8), Pop { n: i64 }, Clear } struct S(Op, f32);";
        let definitions = Definitions::of(&syn::parse_file(items).expect("items").items);
        let mut random = Random::new(1);
        for name in [
            "Vec<(S, Option<String>)>",
            "&str",
            "Option<&u8>",
            "Vec<&[i8]>",
            "[char; 3]",
            "BTreeMap<u8, Op>",
            "i128",
        ] {
            for _ in 0..50 {
                let code = draw(&ty(name), &definitions, &mut random, 0).expect("a known type");
                assert!(syn::parse_str::<Expr>(&code).is_ok(), "{code}");
            }
        }
        assert_eq!(draw(&ty("Unknown"), &definitions, &mut random, 0), None);
    }

    #[test]
    fn values_of_small_types_are_counted() {
        let items = "enum Op { Push(u8), Pop } struct S { a: bool, b: Op }";
        let definitions = Definitions::of(&syn::parse_file(items).expect("items").items);
        let counted = |name: &str| count(&ty(name), &definitions);
        assert_eq!(counted("(u8, bool)"), Some(512));
        assert_eq!(counted("S"), Some(514));
        assert_eq!(counted("Option<i8>"), Some(257));
        assert_eq!(counted("[(bool, Option<bool>); 2]"), Some(36));
        assert_eq!(counted("(BTreeSet<bool>, HashMap<bool, bool>)"), Some(36));
        assert_eq!(counted("BTreeSet<u8>"), None);
        assert_eq!(counted("String"), None);
    }
}
