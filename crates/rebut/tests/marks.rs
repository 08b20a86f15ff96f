//! Checks the marks of reports against an oracle.
//!
//! The oracle knows nothing of tapes. It has its own printer, which remembers the range of each
//! part of a value, and its own random values. A mark is true if 200 random values in its place
//! fail in the same way, alone and together with the other marks. A part without a mark is missing
//! if none of 3000 random and special values in its place passes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use rebut::report::Report;
use rebut::{Case, Check, Generate, Generator as _, any, integers, vecs};

/// A small random number generator (xorshift), independent of Rebut's.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 8) % bound
    }
}

/// A printed value, and the range of each part.
#[derive(Default)]
struct Printed {
    text: String,
    parts: Vec<(Vec<usize>, Range<usize>)>,
    path: Vec<usize>,
}

impl Printed {
    fn part(&mut self, nth: usize, print: impl FnOnce(&mut Printed)) {
        self.path.push(nth);
        let start = self.text.len();
        let at = self.parts.len();
        self.parts.push((self.path.clone(), start..start));
        print(self);
        self.parts[at].1.end = self.text.len();
        self.path.pop();
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// The index of the part `0` of `vec![0; 9]`: all elements.
const EACH: usize = usize::MAX;

/// A value whose parts can be replaced. The path of a part has an index for each level.
trait Parts: Clone {
    fn random(dice: &mut Dice) -> Self;
    fn print(&self, out: &mut Printed);
    /// Replaces a part of the value; the empty path is the value itself.
    fn vary(&mut self, path: &[usize], dice: &mut Dice) {
        assert!(path.is_empty(), "no such part");
        *self = Self::random(dice);
    }
}

macro_rules! integers {
    ($($int:ty),*) => { $(
        impl Parts for $int {
            fn random(dice: &mut Dice) -> $int {
                match dice.below(4) {
                    0 => dice.below(4) as $int,
                    1 => [<$int>::MIN, <$int>::MAX, 0, 1, 100][dice.below(5) as usize],
                    _ => dice.next() as $int,
                }
            }
            fn print(&self, out: &mut Printed) {
                out.push(&self.to_string());
            }
        }
    )* };
}

integers!(u8, i32, u32, u64, i64);

impl Parts for bool {
    fn random(dice: &mut Dice) -> bool {
        dice.below(2) == 0
    }
    fn print(&self, out: &mut Printed) {
        out.push(&self.to_string());
    }
}

impl Parts for char {
    fn random(dice: &mut Dice) -> char {
        match dice.below(3) {
            0 => char::from(b' ' + dice.below(95) as u8),
            1 => ['0', 'a', '"', '\\', '日', '😀', '\u{301}', '\n'][dice.below(8) as usize],
            _ => char::from_u32(dice.below(0xD800) as u32).expect("a character"),
        }
    }
    fn print(&self, out: &mut Printed) {
        out.push(&format!("{self:?}"));
    }
}

impl Parts for String {
    fn random(dice: &mut Dice) -> String {
        (0..dice.below(7)).map(|_| char::random(dice)).collect()
    }
    fn print(&self, out: &mut Printed) {
        out.push("\"");
        for (nth, c) in self.chars().enumerate() {
            let code = format!("{:?}", c.to_string());
            out.part(nth, |out| out.push(&code[1..code.len() - 1]));
        }
        out.push("\".to_string()");
    }
    fn vary(&mut self, path: &[usize], dice: &mut Dice) {
        match path {
            [] => *self = String::random(dice),
            [at] => {
                let mut chars: Vec<char> = self.chars().collect();
                chars[*at] = char::random(dice);
                *self = chars.into_iter().collect();
            }
            _ => panic!("no such part"),
        }
    }
}

impl<T: Parts> Parts for Option<T> {
    fn random(dice: &mut Dice) -> Option<T> {
        (dice.below(3) > 0).then(|| T::random(dice))
    }
    fn print(&self, out: &mut Printed) {
        match self {
            Some(value) => {
                out.push("Some(");
                out.part(0, |out| value.print(out));
                out.push(")");
            }
            None => out.push("None"),
        }
    }
    fn vary(&mut self, path: &[usize], dice: &mut Dice) {
        match path {
            [] => *self = Option::random(dice),
            [_, rest @ ..] => self.as_mut().expect("a value").vary(rest, dice),
        }
    }
}

fn print_list<T>(elements: &[T], out: &mut Printed, print: impl Fn(&T, &mut Printed)) {
    out.push("[");
    for (nth, element) in elements.iter().enumerate() {
        out.push(if nth > 0 { ", " } else { "" });
        out.part(nth, |out| print(element, out));
    }
    out.push("]");
}

impl<T: Parts> Parts for Vec<T> {
    fn random(dice: &mut Dice) -> Vec<T> {
        (0..dice.below(6)).map(|_| T::random(dice)).collect()
    }
    fn print(&self, out: &mut Printed) {
        out.push("vec!");
        let code = |element: &T| {
            let mut printed = Printed::default();
            element.print(&mut printed);
            printed.text
        };
        let first = self.first().map(code).unwrap_or_default();
        let is_repeated = self.len() >= 8 && self.iter().all(|element| code(element) == first);
        if is_repeated && first.starts_with(|c: char| c.is_ascii_digit()) {
            out.push("[");
            out.part(EACH, |out| out.push(&first));
            out.push(&format!("; {}]", self.len()));
        } else {
            print_list(self, out, |element, out| element.print(out));
        }
    }
    fn vary(&mut self, path: &[usize], dice: &mut Dice) {
        match path {
            [] => *self = Vec::random(dice),
            [EACH] => self.iter_mut().for_each(|element| element.vary(&[], dice)),
            [at, rest @ ..] => self[*at].vary(rest, dice),
        }
    }
}

impl<K: Parts + Ord, V: Parts> Parts for BTreeMap<K, V> {
    fn random(dice: &mut Dice) -> BTreeMap<K, V> {
        (0..dice.below(5)).map(|_| (K::random(dice), V::random(dice))).collect()
    }
    fn print(&self, out: &mut Printed) {
        out.push("std::collections::BTreeMap::from(");
        let entries: Vec<(K, V)> = self.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
        print_list(&entries, out, |entry, out| entry.print(out));
        out.push(")");
    }
    fn vary(&mut self, path: &[usize], dice: &mut Dice) {
        match path {
            [] => *self = BTreeMap::random(dice),
            // An earlier part has become a copy of another one.
            [at, ..] if *at >= self.len() => {}
            [at, rest @ ..] => {
                let mut entries: Vec<(K, V)> = std::mem::take(self).into_iter().collect();
                let other = entries[dice.below(entries.len() as u64) as usize].0.clone();
                entries[*at].vary(rest, dice);
                // The key may be one that is in the map already.
                if dice.below(8) == 0 && !matches!(rest, [1, ..]) {
                    entries[*at].0 = other;
                }
                *self = entries.into_iter().collect();
            }
        }
    }
}

impl<T: Parts + Ord> Parts for BTreeSet<T> {
    fn random(dice: &mut Dice) -> BTreeSet<T> {
        (0..dice.below(5)).map(|_| T::random(dice)).collect()
    }
    fn print(&self, out: &mut Printed) {
        out.push("std::collections::BTreeSet::from(");
        let elements: Vec<T> = self.iter().cloned().collect();
        print_list(&elements, out, |element, out| element.print(out));
        out.push(")");
    }
    fn vary(&mut self, path: &[usize], dice: &mut Dice) {
        match path {
            [] => *self = BTreeSet::random(dice),
            [at, ..] if *at >= self.len() => {}
            [at, rest @ ..] => {
                let mut elements: Vec<T> = std::mem::take(self).into_iter().collect();
                let other = elements[dice.below(elements.len() as u64) as usize].clone();
                elements[*at].vary(rest, dice);
                if dice.below(8) == 0 {
                    elements[*at] = other;
                }
                *self = elements.into_iter().collect();
            }
        }
    }
}

macro_rules! product {
    ($({$($generics:tt)*})? $name:ty, $open:literal, $close:literal,
     $($label:literal $index:literal $field:tt),*; $make:expr) => {
        impl $(<$($generics)*>)? Parts for $name {
            fn random(dice: &mut Dice) -> Self {
                let make: fn(&mut Dice) -> Self = $make;
                make(dice)
            }
            fn print(&self, out: &mut Printed) {
                out.push($open);
                $(
                    out.push($label);
                    out.part($index, |out| self.$field.print(out));
                )*
                out.push($close);
            }
            fn vary(&mut self, path: &[usize], dice: &mut Dice) {
                match path {
                    [] => *self = Self::random(dice),
                    $([$index, rest @ ..] => self.$field.vary(rest, dice),)*
                    _ => panic!("no such part"),
                }
            }
        }
    };
}

product!({A: Parts, B: Parts} (A, B), "(", ")", "" 0 0, ", " 1 1;
    |dice| (A::random(dice), B::random(dice)));

#[derive(Clone, Debug, Generate)]
struct Order {
    id: u32,
    name: String,
    gift: Option<u8>,
    tags: Vec<bool>,
}

product!(Order, "Order { ", " }", "id: " 0 id, ", name: " 1 name, ", gift: " 2 gift,
", tags: " 3 tags;
|dice| Order {
    id: Parts::random(dice),
    name: Parts::random(dice),
    gift: Parts::random(dice),
    tags: Parts::random(dice),
});

#[derive(Clone, Debug, Generate, PartialEq)]
enum Shape {
    Point,
    Circle(u32),
    Square(u32),
    Text { text: String, bold: bool },
}

impl Parts for Shape {
    fn random(dice: &mut Dice) -> Shape {
        match dice.below(4) {
            0 => Shape::Point,
            1 => Shape::Circle(Parts::random(dice)),
            2 => Shape::Square(Parts::random(dice)),
            _ => Shape::Text { text: Parts::random(dice), bold: Parts::random(dice) },
        }
    }
    fn print(&self, out: &mut Printed) {
        match self {
            Shape::Point => out.push("Shape::Point"),
            Shape::Circle(n) | Shape::Square(n) => {
                let is_circle = matches!(self, Shape::Circle(_));
                out.push(if is_circle { "Shape::Circle(" } else { "Shape::Square(" });
                out.part(0, |out| n.print(out));
                out.push(")");
            }
            Shape::Text { text, bold } => {
                out.push("Shape::Text { text: ");
                out.part(0, |out| text.print(out));
                out.push(", bold: ");
                out.part(1, |out| bold.print(out));
                out.push(" }");
            }
        }
    }
    fn vary(&mut self, path: &[usize], dice: &mut Dice) {
        match (path, self) {
            ([], this) => *this = Shape::random(dice),
            ([_, rest @ ..], Shape::Circle(n) | Shape::Square(n)) => n.vary(rest, dice),
            ([0, rest @ ..], Shape::Text { text, .. }) => text.vary(rest, dice),
            ([_, rest @ ..], Shape::Text { bold, .. }) => bold.vary(rest, dice),
            _ => panic!("no such part"),
        }
    }
}

#[derive(Clone, Copy, Debug, Generate, PartialEq)]
enum Color {
    Red,
    Green,
    Blue,
}

impl Parts for Color {
    fn random(dice: &mut Dice) -> Color {
        [Color::Red, Color::Green, Color::Blue][dice.below(3) as usize]
    }
    fn print(&self, out: &mut Printed) {
        out.push(&format!("Color::{self:?}"));
    }
}

/// A property of one or two parameters. It returns 0 if the values pass; other numbers are
/// different failures.
type Failure<T> = fn(&T) -> u32;

/// The result of the oracle: false marks, and parts that should be marked.
#[derive(Debug, Default)]
struct Judgment {
    wrong: Vec<String>,
    missing: Vec<String>,
}

/// A parameter of a failing case, with its marks.
struct Parameter<'a, T> {
    value: T,
    code: &'a str,
    marks: Vec<Range<usize>>,
    /// The parts of the value, with the ranges of their code.
    parts: Vec<(Vec<usize>, Range<usize>)>,
}

impl<'a, T: Parts> Parameter<'a, T> {
    fn new(value: T, code: &'a str, marks: Vec<Range<usize>>) -> Parameter<'a, T> {
        let mut printed = Printed::default();
        value.print(&mut printed);
        assert_eq!(printed.text, code, "the oracle prints another value");
        let mut parts = vec![(Vec::new(), 0..code.len())];
        parts.append(&mut printed.parts);
        for (_, range) in &mut parts {
            *range = without_call(code, range);
        }
        Parameter { value, code, marks, parts }
    }

    /// Returns the largest parts in a mark, and whether they are all of it.
    fn parts_in(&self, mark: &Range<usize>) -> (Vec<&[usize]>, bool) {
        let mark = without_call(self.code, mark);
        let mut inside: Vec<&[usize]> = Vec::new();
        let mut covered = 0;
        for (path, range) in &self.parts {
            let is_inside = mark.start <= range.start && range.end <= mark.end;
            if is_inside && !inside.iter().any(|outer| path.starts_with(outer)) {
                inside.push(path);
                covered += range.len();
            }
        }
        (inside, covered == mark.len())
    }

    fn is_marked(&self, range: &Range<usize>) -> bool {
        self.marks.iter().any(|mark| mark.start <= range.start && range.end <= mark.end)
    }

    /// Returns whether the parts of a tuple are marked, which are all of it.
    fn has_marked_parts(&self, path: &[usize], range: &Range<usize>) -> bool {
        let is_tuple = |range: &Range<usize>| self.code[range.clone()].starts_with('(');
        let is_inner = |other: &[usize]| other.len() > path.len() && other.starts_with(path);
        is_tuple(range)
            && self
                .parts
                .iter()
                .filter(|(other, _)| is_inner(other))
                .all(|(_, range)| self.is_marked(range) || is_tuple(range))
    }

    /// Replaces all marked parts.
    fn varied(&self, dice: &mut Dice) -> T {
        let mut value = self.value.clone();
        for mark in &self.marks {
            self.parts_in(mark).0.iter().for_each(|path| value.vary(path, dice));
        }
        value
    }

    /// Judges the marks. `fails` runs the property with another value; the second one also replaces
    /// all marked parts of the other parameters.
    fn judge(
        &self,
        fails: &dyn Fn(&T) -> bool,
        fails_together: &dyn Fn(&T, &mut Dice) -> bool,
        judgment: &mut Judgment,
    ) {
        let code = self.code;
        for mark in &self.marks {
            let (inside, is_all) = self.parts_in(mark);
            let name = &code[mark.clone()];
            if !is_all {
                judgment.wrong.push(format!("`{name}` in `{code}` is not a part"));
                continue;
            }
            let dice = &mut Dice(0x9E37_79B9_7F4A_7C15 ^ mark.start as u64);
            let all_fail = (0..200).all(|_| {
                let mut other = self.value.clone();
                inside.iter().for_each(|path| other.vary(path, dice));
                fails(&other)
            });
            if !all_fail {
                judgment.wrong.push(format!("`{name}` in `{code}` matters"));
            }
        }
        let dice = &mut Dice(77);
        if !(0..200).all(|_| fails_together(&self.varied(dice), dice)) {
            judgment.wrong.push(format!("the marks in `{code}` matter together"));
        }
        let mut missing = Vec::new();
        for (path, range) in &self.parts {
            if self.is_marked(range) || self.has_marked_parts(path, range) || range.is_empty() {
                continue;
            }
            // Also together with the marks: of two parts of which only one is free at a time, one
            // has a mark.
            let dice = &mut Dice(99);
            let all_fail = (0..3_000).all(|nth| {
                let mut other = if nth % 2 == 0 { self.value.clone() } else { self.varied(dice) };
                // A marked part may have been inside of this one.
                other = if path.is_empty() { T::random(dice) } else { other };
                if !path.is_empty() {
                    if has_part(&other, path) {
                        other.vary(path, dice);
                    } else {
                        return true;
                    }
                }
                if nth % 2 == 0 { fails(&other) } else { fails_together(&other, dice) }
            });
            if all_fail {
                missing.push(range.clone());
            }
        }
        // All characters of a string together have no mark: it would not say that the length matters.
        let is_without_mark = |range: &Range<usize>| {
            let texts = self.parts.iter().filter(|(_, text)| code[text.clone()].starts_with('"'));
            let mut insides = texts.map(|(_, text)| without_call(code, text));
            insides.any(|text| {
                let inside = text.start + 1..text.end - 1;
                let is_inside =
                    |part: &Range<usize>| inside.start <= part.start && part.end <= inside.end;
                let free =
                    missing.iter().filter(|part| is_inside(part)).map(ExactSizeIterator::len);
                is_inside(range) && free.sum::<usize>() == inside.len()
            })
        };
        for range in missing.iter().filter(|range| !is_without_mark(range)) {
            judgment.missing.push(format!("`{}` in `{code}`", &code[range.clone()]));
        }
    }
}

fn has_part<T: Parts>(value: &T, path: &[usize]) -> bool {
    let mut printed = Printed::default();
    value.print(&mut printed);
    printed.parts.iter().any(|(other, _)| other == path)
}

/// Returns the range of a string without the call after its literal.
fn without_call(code: &str, range: &Range<usize>) -> Range<usize> {
    let call = if code[range.clone()].ends_with(".to_string()") { ".to_string()".len() } else { 0 };
    range.start..range.end - call
}

/// The number of an input that an assumption rejects. Such a value in place of a part does not fail.
const REJECTED: u32 = 3;

fn raise(failure: u32) {
    match failure {
        0 => {}
        1 => panic!("one"),
        _ => panic!("two"),
    }
}

/// Runs a property of one parameter, and judges the marks.
fn check_one<T: Parts + Generate + rebut::ToCode>(failure: Failure<T>, seed: u64) -> Judgment {
    check_two(move |a: &T, (): &()| failure(a), seed)
}

impl Parts for () {
    fn random(_: &mut Dice) {}
    fn print(&self, out: &mut Printed) {
        out.push("()");
    }
}

fn check_two<A, B>(failure: impl Fn(&A, &B) -> u32, seed: u64) -> Judgment
where
    A: Parts + Generate + rebut::ToCode,
    B: Parts + Generate + rebut::ToCode,
{
    let values = std::cell::RefCell::new(None);
    let run = |case: &mut Case| {
        let (a, b) = (case.draw_as("a", any::<A>()), case.draw_as("b", any::<B>()));
        let failure = failure(&a, &b);
        rebut::assume!(failure != REJECTED);
        if failure != 0 {
            *values.borrow_mut() = Some((a, b));
        }
        raise(failure);
    };
    let report = Check::new("marks").seed(seed).cases(50_000).run(run);
    let mut judgment = Judgment::default();
    for found in report.verdict.counterexamples() {
        assert!(!report.to_string().contains("marks may be missing"), "{report}");
        let word = found.tape.to_replay_string();
        let again = Check::new("marks").replay(&word).configure(|settings| {
            settings.explain = false;
            settings.shrink_max = 0;
        });
        again.run(run);
        let (a, b) = values.borrow().clone().expect("the minimal values");
        let class = failure(&a, &b);
        let marks = |nth: usize| -> Vec<Range<usize>> {
            let here = found.free.iter().filter(|part| part.value == nth);
            here.map(|part| part.bytes.clone()).collect()
        };
        let a = Parameter::new(a, &found.values[0].code, marks(0));
        let b = Parameter::new(b, &found.values[1].code, marks(1));
        a.judge(
            &|other| failure(other, &b.value) == class,
            &|other, dice| failure(other, &b.varied(dice)) == class,
            &mut judgment,
        );
        if std::any::type_name::<B>() != "()" {
            b.judge(
                &|other| failure(&a.value, other) == class,
                &|other, dice| failure(&a.varied(dice), other) == class,
                &mut judgment,
            );
        }
    }
    assert!(!report.verdict.counterexamples().is_empty(), "the property has not failed");
    judgment
}

#[test]
fn marks_are_true_and_complete() {
    let mut judgments: Vec<(&str, u64, Judgment)> = Vec::new();
    macro_rules! one {
        ($($name:literal: |$v:ident: $ty:ty| $body:expr;)*) => { $(
            for seed in 1..=2 {
                let failure: Failure<$ty> = |$v| u32::from($body);
                judgments.push(($name, seed, check_one(failure, seed)));
            }
        )* };
    }
    macro_rules! two {
        ($($name:literal: |$a:ident: $ta:ty, $b:ident: $tb:ty| $body:expr;)*) => { $(
            for seed in 1..=2 {
                let failure = |$a: &$ta, $b: &$tb| u32::from($body);
                judgments.push(($name, seed, check_two(failure, seed)));
            }
        )* };
    }
    one! {
        "any number": |_v: i32| true;
        "large number": |v: u64| *v > 1000;
        "not one number": |v: u8| *v != 7;
        "any text": |_v: String| true;
        "long text": |v: String| v.chars().count() >= 3;
        "text of length three": |v: String| v.chars().count() == 3;
        "text with a second letter": |v: String| v.chars().nth(1) == Some('x');
        "text that starts with a letter, of length three":
            |v: String| v.starts_with('b') && v.chars().count() == 3;
        "text with a letter": |v: String| v.contains('z');
        "some": |v: Option<u32>| v.is_some();
        "none": |v: Option<u32>| v.is_none();
        "any option": |_v: Option<String>| true;
        "nested option": |v: Option<Option<u8>>| v.is_some();
        "long list": |v: Vec<i32>| v.len() >= 3;
        "list of length two": |v: Vec<i32>| v.len() == 2;
        "sum of a list": |v: Vec<u8>| v.iter().map(|&n| u32::from(n)).sum::<u32>() > 300;
        "last element": |v: Vec<u8>| v.len() >= 3 && v.last() > Some(&5);
        "list of lists": |v: Vec<Vec<u8>>| v.len() == 2 && v[1].len() == 2;
        "list of texts": |v: Vec<String>| v.len() == 2 && v[1].starts_with('q');
        "long list of equal elements": |v: Vec<u32>| v.len() == 9;
        "order of any content": |_v: Order| true;
        "order with an id": |v: Order| v.id > 9;
        "order with a gift": |v: Order| v.gift.is_some() && v.tags.len() == 1;
        "order with a name": |v: Order| v.name.chars().count() == 2 && v.gift.is_none();
        "list of orders": |v: Vec<Order>| v.len() == 2 && v[0].id == 3;
        "any shape": |_v: Shape| true;
        "a circle": |v: Shape| matches!(v, Shape::Circle(_));
        "a circle or a square":
            |v: Shape| matches!(v, Shape::Circle(_) | Shape::Square(_));
        "bold text": |v: Shape| matches!(v, Shape::Text { bold: true, .. });
        "a large square": |v: Shape| matches!(v, Shape::Square(n) if *n > 100);
        "two shapes": |v: (Shape, Color)| v.1 == Color::Blue;
        "a color and a number": |v: (Color, u8)| v.1 == 200;
        "colors": |v: Vec<Color>| v.len() == 3 && v[1] == Color::Green;
        "map with two entries": |v: BTreeMap<u8, i32>| v.len() == 2;
        "map with a key": |v: BTreeMap<u8, i32>| v.contains_key(&9);
        "map with a value": |v: BTreeMap<u32, bool>| v.len() >= 2 && v.values().any(|b| *b);
        "set": |v: BTreeSet<u32>| v.len() == 2;
        "set with a number": |v: BTreeSet<u8>| v.len() == 2 && v.contains(&77);
        "character": |v: char| v.is_alphabetic();
        "character in a tuple": |v: (char, bool)| v.1;
        "nested tuples": |v: ((u8, i64), (bool, String))| v.0.0 == 5;
        "boolean": |_v: bool| true;
        "one of two numbers by assumption":
            |v: u8| if [0, 5].contains(v) { 1 } else { REJECTED };
        "even numbers by assumption": |v: u32| if v % 2 == 0 { 1 } else { REJECTED };
        "list by assumption": |v: Vec<u8>| if v.is_empty() { REJECTED } else { 1 };
    }
    two! {
        "second number": |_a: i32, b: i32| *b == 5;
        "equal numbers": |a: u8, b: u8| a == b;
        "different numbers": |a: u32, b: u32| a != b;
        "different texts": |a: String, b: String| a != b;
        "one of two": |a: bool, b: bool| *a || *b;
        "not both": |a: u32, b: u32| !(*a > 5 && *b > 5);
        "sum is not seven": |a: u8, b: u8| a.wrapping_add(*b) != 7;
        "two failures": |a: u8, b: Shape| if *a > 3 { 1u32 } else { 2 * u32::from(*b == Shape::Point) };
        "different numbers by assumption":
            |a: u8, b: u8| if a == b { REJECTED } else { u32::from(*a > 5) };
        "ordered numbers by assumption":
            |a: u32, b: u32| if a > b { u32::from(*a >= 50) } else { REJECTED };
        "one small number by assumption":
            |a: u32, b: u32| if *a > 99 && *b > 99 { REJECTED } else { 1 };
        "assumption about another parameter": |_a: u8, b: bool| if *b { 1 } else { REJECTED };
        "text and list": |a: String, b: Vec<u8>| a.chars().count() == b.len() && a.len() > 1;
    }
    let mut wrong = Vec::new();
    for (name, seed, judgment) in &judgments {
        for what in &judgment.wrong {
            wrong.push(format!("{name}, seed {seed}: false mark: {what}"));
        }
        for what in &judgment.missing {
            wrong.push(format!("{name}, seed {seed}: no mark: {what}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_oracle_finds_false_and_missing_marks() {
    let value = (5u8, "ab".to_owned());
    let code = r#"(5, "ab".to_string())"#;
    let judge = |marks: &[Range<usize>], fails: &dyn Fn(&(u8, String)) -> bool| {
        let mut judgment = Judgment::default();
        let parameter = Parameter::new(value.clone(), code, marks.to_vec());
        parameter.judge(fails, &|other, _| fails(other), &mut judgment);
        (judgment.wrong.len(), judgment.missing.len())
    };
    // The number matters, and the first letter.
    let fails = |v: &(u8, String)| v.0 == 5 && v.1.starts_with('a') && v.1.chars().count() == 2;
    assert_eq!(judge(std::slice::from_ref(&(6..7)), &fails), (0, 0));
    assert_eq!(judge(&[], &fails), (0, 1), "the second letter is free");
    assert_eq!(judge(std::slice::from_ref(&(5..7)), &fails), (2, 0), "the first letter matters");
    assert_eq!(judge(&[1..2, 6..7], &fails), (2, 0), "the number matters");
    assert_eq!(
        judge(std::slice::from_ref(&(0..3)), &fails).0,
        2,
        "not a part, and the number in it matters"
    );
    // Each is free, but not both.
    let either = |v: &(u8, String)| v.0 == 5 || v.1 == "ab";
    assert_eq!(judge(&[1..2, 4..8], &either), (1, 0));
}

/// Returns the marked parts of the only failure.
fn marked(run: impl Fn(&mut Case)) -> (Report, Vec<String>) {
    let report = Check::new("marks").seed(1).cases(50_000).run(run);
    let mut texts = Vec::new();
    let [found] = report.verdict.counterexamples() else { panic!("{report}") };
    for part in &found.free {
        texts.push(found.values[part.value].code[part.bytes.clone()].to_owned());
    }
    (report, texts)
}

#[test]
fn code_that_depends_on_other_choices_has_no_mark() {
    // Both halves of a large number, and both sides of a sum, show in one literal.
    let (_, texts) = marked(|case| assert!(case.draw_as("n", any::<u128>()) < 1 << 70));
    assert!(texts.is_empty(), "{texts:?}");
    let sums = || (any::<u64>(), any::<bool>()).map(|(a, b)| a / 2 + u64::from(b));
    let (_, texts) = marked(|case| assert!(case.draw_as("n", sums()) < 1 << 40));
    assert!(texts.is_empty(), "{texts:?}");
    // The elements have marks, the length does not.
    let lists =
        || integers::<usize>().max_value(9).flat_map(|n| vecs(any::<u8>()).min_size(n).max_size(n));
    let (_, texts) = marked(|case| assert!(case.draw_as("list", lists()).len() < 3));
    assert_eq!(texts, ["0", "0", "0"]);
    // The table of the function depends on the number: of `3`, it would be another one.
    let (report, texts) = marked(|case| {
        let f = case.draw_as("f", any::<rebut::Function<u8, u8>>());
        let x = case.draw_as("x", any::<u8>());
        assert!(f.call(x) < 5 || f.call(3) > 200);
    });
    assert!(texts.is_empty(), "{report}");
}

#[test]
fn sides_of_ranges_and_values_of_hash_maps_have_marks() {
    let (_, texts) = marked(|case| {
        assert!(case.draw_as("range", any::<Range<u32>>()).start < 3);
    });
    assert_eq!(texts, ["0"]);
    let (_, texts) = marked(|case| {
        let map = case.draw_as("map", any::<HashMap<u32, u8>>());
        assert!(map.len() != 2 || map.values().all(|value| *value != 9));
    });
    // If one key is written twice, the map is smaller.
    assert_eq!(texts, ["0"], "the value of the other entry");
}

#[test]
fn rejected_values_count_against_a_mark() {
    let (_, texts) = marked(|case| {
        let (a, b) = (case.draw_as("a", any::<u32>()), case.draw_as("b", any::<u32>()));
        rebut::assume!(a > b);
        assert!(a < 50);
    });
    assert!(texts.is_empty(), "{texts:?}");
    let (_, texts) = marked(|case| {
        let n = case.draw_as("n", any::<u32>());
        rebut::assume!(n == 0 || n == 1);
        panic!("{n}");
    });
    assert!(texts.is_empty(), "{texts:?}");
}

/// Returns the text above each group of `^`. A wide character takes two columns.
fn text_above_marks(report: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let lines: Vec<&str> = report.lines().collect();
    for pair in lines.windows(2) {
        let marks = pair[1].trim_end_matches("other values tried here fail too").trim_end();
        if marks.is_empty() || !marks.chars().all(|c| c == ' ' || c == '^') {
            continue;
        }
        let mut column = 0;
        let mut text = String::new();
        for c in pair[0].chars() {
            let is_marked = marks.as_bytes().get(column) == Some(&b'^');
            column += if ('\u{1100}'..'\u{A000}').contains(&c) { 2 } else { 1 };
            if is_marked {
                text.push(c);
            } else if !text.is_empty() {
                texts.push(std::mem::take(&mut text));
            }
        }
        texts.extend(Some(text).filter(|text| !text.is_empty()));
    }
    texts
}

#[test]
fn marks_are_under_the_marked_text() {
    let kanji = || rebut::strings().alphabet(['日', '本']);
    let check = |run: &dyn Fn(&mut Case), expected: &[&str]| {
        let (report, texts) = marked(run);
        let above = text_above_marks(&report.to_string());
        assert_eq!(above, expected, "{report}");
        let without_spaces = |texts: &[String]| texts.concat().replace([' ', ','], "");
        assert_eq!(without_spaces(&above), without_spaces(&texts), "{report}");
    };
    // Wide characters before the mark, in the mark, and in several marks.
    check(
        &|case| {
            let (text, n) = case.draw_as("pair", (kanji().min_size(3), any::<u8>()));
            assert!(text.chars().nth(1) != Some('本'), "{n}");
        },
        &["日", "日", "0"],
    );
    // An expression on several lines.
    let long = || {
        (rebut::just("x".repeat(60)), any::<Vec<(Color, String)>>(), rebut::just("y".repeat(60)))
    };
    check(
        &|case| {
            let (_, list, _) = case.draw_as("long", long());
            assert!(list.len() < 2 || list[1].0 == Color::Red);
        },
        &["(Color::Red, \"\".to_string())", "\"\""],
    );
    let wide = || {
        rebut::from_fn(|source| {
            let n = source.integer(0, 1000);
            (n.to_string() + &"x".repeat(60), n, n.to_string() + &"y".repeat(60))
        })
    };
    check(
        &|case| {
            case.draw_as("wide", wide());
            panic!("always");
        },
        &[
            "(",
            &format!("\"0{}\".to_string()", "x".repeat(60)),
            "0",
            &format!("\"0{}\".to_string()", "y".repeat(60)),
            ")",
        ],
    );
}

#[test]
fn a_note_says_that_marks_may_be_missing() {
    let run = |case: &mut Case| {
        let list = case.draw_as("list", vecs(any::<u64>()).min_size(90).max_size(90));
        assert!(list[0] < 5);
    };
    let (report, texts) = marked(run);
    assert!(report.to_string().contains("// marks may be missing: stopped after "), "{report}");
    assert!(!texts.is_empty() && texts.len() < 89, "{report}");
}
