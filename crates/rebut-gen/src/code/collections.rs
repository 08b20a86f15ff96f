//! Lists, sets, maps, tuples, options and results.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};

use super::{Code, ToCode};

/// The minimum length of a list of equal values that is printed as `[value; length]`. Shorter lists
/// show each value. A product decision.
const REPEAT_MIN: usize = 5;

/// Writes the elements of a list in brackets.
pub(crate) fn brackets<'a, T: ToCode + 'a>(
    code: &mut Code,
    elements: impl IntoIterator<Item = &'a T>,
) {
    let codes = codes(code, elements);
    write_brackets(code, &codes);
}

pub(crate) fn codes<'a, T: ToCode + 'a>(
    code: &mut Code,
    elements: impl IntoIterator<Item = &'a T>,
) -> Vec<String> {
    let mut codes = Vec::new();
    for element in elements {
        add_code(code, &mut codes, element);
    }
    codes
}

/// Separate from `codes`, so that it is compiled once and not for each type.
fn add_code(code: &mut Code, codes: &mut Vec<String>, element: &dyn ToCode) {
    codes.push(code.text_of(element));
}

pub(crate) fn write_brackets(code: &mut Code, elements: &[String]) {
    let repeated = elements.windows(2).all(|pair| pair[0] == pair[1]);
    code.push("[");
    match elements.first() {
        Some(first) if repeated && elements.len() >= REPEAT_MIN && is_literal(first) => {
            code.format(format_args!("{first}; {}", elements.len()));
        }
        _ => write_list(code, elements),
    }
    code.push("]");
}

pub(crate) fn write_list(code: &mut Code, elements: &[String]) {
    for (n, element) in elements.iter().enumerate() {
        code.push(if n > 0 { ", " } else { "" });
        code.push(element);
    }
}

/// Returns whether an expression is a number, a character, a boolean or a string: a value that can
/// be cloned, as `[value; length]` requires.
fn is_literal(code: &str) -> bool {
    let number = code.strip_prefix('-').unwrap_or(code).starts_with(|c: char| c.is_ascii_digit());
    number || code == "true" || code == "false" || code.starts_with(['\'', '"'])
}

/// Writes the elements of an unordered collection, shorter code first.
pub(crate) fn sorted<'a, T: ToCode + 'a>(
    code: &mut Code,
    elements: impl IntoIterator<Item = &'a T>,
) {
    let codes = codes(code, elements);
    write_sorted(code, codes);
}

fn write_sorted(code: &mut Code, elements: Vec<String>) {
    let mut sorted: Vec<String> = Vec::with_capacity(elements.len());
    for element in elements {
        let key = (element.len(), element.as_str());
        let at = sorted.partition_point(|other| (other.len(), other.as_str()) <= key);
        sorted.insert(at, element);
    }
    code.push("[");
    write_list(code, &sorted);
    code.push("]");
}

/// A key and its value, printed as a pair.
pub(crate) struct Entry<'a, K, V>(pub(crate) &'a K, pub(crate) &'a V);

impl<K: ToCode, V: ToCode> ToCode for Entry<'_, K, V> {
    fn to_code(&self, code: &mut Code) {
        code.call("", &[self.0, self.1]);
    }
}

impl<T: ToCode> ToCode for [T] {
    fn to_code(&self, code: &mut Code) {
        brackets(code, self);
    }
}

impl<T: ToCode, const N: usize> ToCode for [T; N] {
    fn to_code(&self, code: &mut Code) {
        brackets(code, self);
    }
}

impl<T: ToCode> ToCode for Vec<T> {
    fn to_code(&self, code: &mut Code) {
        code.push("vec!");
        brackets(code, self);
    }
}

macro_rules! from_array {
    ($($type:ident, $write:ident, $path:literal;)*) => {$(
        impl<T: ToCode> ToCode for $type<T> {
            fn to_code(&self, code: &mut Code) {
                code.push(concat!("std::collections::", $path, "("));
                $write(code, self);
                code.push(")");
            }
        }
    )*};
}
from_array! {
    VecDeque, brackets, "VecDeque::from";
    LinkedList, brackets, "LinkedList::from";
    BinaryHeap, sorted, "BinaryHeap::from";
    BTreeSet, brackets, "BTreeSet::from";
}

/// Writes the beginning of a hashed collection. `FromIterator` is not in the prelude of editions
/// before 2021, and only the usual hasher has `From`.
fn write_hashed<S>(code: &mut Code, name: &str) {
    if std::any::type_name::<S>().ends_with("::RandomState") {
        code.format(format_args!("std::collections::{name}::from("));
    } else {
        code.push("std::iter::FromIterator::from_iter(");
    }
}

impl<T: ToCode, S> ToCode for HashSet<T, S> {
    fn to_code(&self, code: &mut Code) {
        write_hashed::<S>(code, "HashSet");
        sorted(code, self);
        code.push(")");
    }
}

impl<K: ToCode, V: ToCode> ToCode for BTreeMap<K, V> {
    fn to_code(&self, code: &mut Code) {
        code.push("std::collections::BTreeMap::from(");
        let entries: Vec<Entry<'_, K, V>> = self.iter().map(|(k, v)| Entry(k, v)).collect();
        brackets(code, &entries);
        code.push(")");
    }
}

impl<K: ToCode, V: ToCode, S> ToCode for HashMap<K, V, S> {
    fn to_code(&self, code: &mut Code) {
        write_hashed::<S>(code, "HashMap");
        let entries: Vec<Entry<'_, K, V>> = self.iter().map(|(k, v)| Entry(k, v)).collect();
        sorted(code, &entries);
        code.push(")");
    }
}

impl<T: ToCode> ToCode for Option<T> {
    fn to_code(&self, code: &mut Code) {
        match self {
            None => code.push("None"),
            Some(value) => code.call("Some", &[value]),
        }
    }
}

impl<T: ToCode, E: ToCode> ToCode for Result<T, E> {
    fn to_code(&self, code: &mut Code) {
        match self {
            Ok(value) => code.call("Ok", &[value]),
            Err(error) => code.call("Err", &[error]),
        }
    }
}

impl<T: ToCode> ToCode for (T,) {
    fn to_code(&self, code: &mut Code) {
        code.push("(");
        self.0.to_code(code);
        code.push(",)");
    }
}

macro_rules! tuple {
    ($($name:ident $index:tt),+) => {
        impl<$($name: ToCode),+> ToCode for ($($name,)+) {
            fn to_code(&self, code: &mut Code) {
                code.call("", &[$(&self.$index),+]);
            }
        }
    };
}
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11, M 12, N 13, O 14, P 15);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_of_equal_elements_are_abbreviated() {
        assert_eq!(Code::of(&vec![0, 1]), "vec![0, 1]");
        assert_eq!(Code::of(&vec![0; 11]), "vec![0; 11]");
        assert_eq!(Code::of(&vec![(); 11]).len(), "vec![]".len() + 11 * 2 + 10 * 2);
        assert_eq!(Code::of(&[1.0, 2.5]), "[1.0, 2.5]");
        assert_eq!(Code::of(&Vec::<u8>::new()), "vec![]");
        assert_eq!(Code::of(&VecDeque::from([1])), "std::collections::VecDeque::from([1])");
    }

    #[test]
    fn sets_and_maps_are_printed_in_a_fixed_order() {
        assert_eq!(
            Code::of(&HashSet::from([10, 2, 33, 4])),
            "std::collections::HashSet::from([2, 4, 10, 33])"
        );
        assert_eq!(
            Code::of(&BTreeMap::from([(1, 'a'), (2, 'b')])),
            "std::collections::BTreeMap::from([(1, 'a'), (2, 'b')])"
        );
        assert_eq!(
            Code::of(&HashMap::from([(true, Some("x"))])),
            "std::collections::HashMap::from([(true, Some(\"x\"))])"
        );
    }

    #[test]
    fn tuples_of_one_keep_their_comma() {
        assert_eq!(Code::of(&(1,)), "(1,)");
        assert_eq!(Code::of(&(1, 'x', Ok::<_, ()>(2))), "(1, 'x', Ok(2))");
    }
}
