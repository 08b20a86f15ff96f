//! Random types of parameters, with the definitions that they need.
//!
//! Each type has a score: an expression of type `usize` that reads a reference to a value. A
//! property fails if the score of its values is large enough, so every part of a value can matter.

use crate::random::Random;

/// A type, as it is written at a property.
pub(crate) struct DrawnType {
    pub(crate) text: String,
    score: Box<dyn Fn(&str) -> String>,
    /// Whether the code of all its values is known to compile: none is printed by `Debug`, and none
    /// has fields that are private elsewhere.
    pub(crate) is_sure: bool,
    /// Whether its values can be compared and hashed.
    is_key: bool,
    has_debug: bool,
}

impl DrawnType {
    fn new(
        text: impl Into<String>,
        is_key: bool,
        score: impl Fn(&str) -> String + 'static,
    ) -> Self {
        DrawnType {
            text: text.into(),
            score: Box::new(score),
            is_sure: true,
            is_key,
            has_debug: true,
        }
    }

    /// Returns the score of an expression whose type is a reference to this type.
    pub(crate) fn score(&self, reference: &str) -> String {
        (self.score)(reference)
    }

    /// Returns a type around this one.
    fn wrapped(
        self,
        text: String,
        score: impl Fn(&dyn Fn(&str) -> String, &str) -> String + 'static,
    ) -> DrawnType {
        let inner = self.score;
        DrawnType {
            text,
            score: Box::new(move |reference| score(&inner, reference)),
            is_sure: self.is_sure,
            is_key: self.is_key,
            has_debug: self.has_debug,
        }
    }
}

/// The definitions around a property.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    /// Items in the module of the property.
    pub(crate) here: String,
    /// Items of the module `shapes` in it.
    pub(crate) shapes: String,
    /// Items of the module around it, which it imports with `use super::*`.
    pub(crate) outside: String,
    count: usize,
}

/// Draws types.
pub(crate) struct TypeDrawer<'a> {
    pub(crate) random: &'a mut Random,
    pub(crate) definitions: &'a mut Definitions,
    /// A number that no other property of the crate has.
    pub(crate) id: usize,
}

impl TypeDrawer<'_> {
    /// Draws a type with at most `depth` levels.
    pub(crate) fn draw(&mut self, depth: usize) -> DrawnType {
        match (depth, self.random.below(10)) {
            (0, _) | (_, 0..=2) => self.scalar(),
            (_, 3..=6) => self.container(depth - 1),
            _ => self.own(depth - 1),
        }
    }

    fn scalar(&mut self) -> DrawnType {
        let integer = |name: &'static str, test: &'static str| {
            DrawnType::new(name, true, move |value| format!("usize::from(*{value} {test})"))
        };
        match self.random.below(30) {
            0 => integer("u8", "> 9"),
            1 => integer("i8", "== i8::MIN"),
            2 => integer("u16", "> 999"),
            3 => integer("i32", "< 0"),
            4 => integer("u64", "> 5"),
            5 => integer("i128", "< -5"),
            6 => integer("u128", "> u128::from(u64::MAX)"),
            7 => integer("usize", "> 3"),
            8 => integer("isize", "< -1"),
            9 => integer("char", "> '~'"),
            10 => integer("bool", "== true"),
            11 => DrawnType::new("f64", false, |value| format!("usize::from({value}.is_nan())")),
            12 => {
                DrawnType::new("f32", false, |value| format!("usize::from({value}.is_infinite())"))
            }
            13 => DrawnType::new("f64", false, |value| format!("usize::from(*{value} < 0.0)")),
            14 => DrawnType::new("()", true, |value| format!("usize::from(*{value} == ())")),
            15 => DrawnType::new("std::time::Duration", true, |value| {
                format!("usize::from({value}.as_millis() > 3)")
            }),
            16 => DrawnType::new("std::num::NonZeroU8", true, |value| {
                format!("usize::from({value}.get() > 1)")
            }),
            17 => DrawnType::new("std::num::NonZeroI64", true, |value| {
                format!("usize::from({value}.get() < 0)")
            }),
            18 => DrawnType::new("std::path::PathBuf", true, |value| {
                format!("usize::from(!{value}.as_os_str().is_empty())")
            }),
            19 => DrawnType::new("std::ffi::OsString", true, |value| {
                format!("usize::from(!{value}.is_empty())")
            }),
            20 => DrawnType::new("std::borrow::Cow<'static, str>", true, |value| {
                format!("{value}.len()")
            }),
            21 => DrawnType::new("std::cmp::Ordering", true, |value| {
                format!("usize::from(*{value} != std::cmp::Ordering::Equal)")
            }),
            22 => DrawnType::new("std::net::Ipv4Addr", true, |value| {
                format!("usize::from({value}.octets()[0] > 1)")
            }),
            23 => DrawnType::new("std::ops::Range<u16>", false, |value| {
                format!("usize::from({value}.end > 1)")
            }),
            24 => DrawnType::new("std::ops::RangeInclusive<i8>", false, |value| {
                format!("usize::from(*{value}.end() < 0)")
            }),
            25 => DrawnType::new("std::time::SystemTime", true, |value| {
                format!("usize::from(*{value} > std::time::UNIX_EPOCH)")
            }),
            _ => DrawnType::new("String", true, |value| format!("{value}.chars().count()")),
        }
    }

    fn container(&mut self, depth: usize) -> DrawnType {
        let list = |score: &dyn Fn(&str) -> String, value: &str| {
            format!("{value}.iter().map(|e| 1 + {}).sum::<usize>()", score("e"))
        };
        let pointed = |score: &dyn Fn(&str) -> String, value: &str| score(&format!("(&**{value})"));
        let kind = self.random.below(22);
        let inner = match kind {
            5..=9 => self.key(depth),
            _ => self.draw(depth),
        };
        let text = inner.text.clone();
        match kind {
            0 | 1 => inner.wrapped(format!("Vec<{text}>"), list),
            2 => inner.wrapped(format!("[{text}; 2]"), list),
            3 => inner.wrapped(format!("std::collections::VecDeque<{text}>"), list),
            4 => inner.wrapped(format!("std::collections::LinkedList<{text}>"), list),
            5 => inner.wrapped(format!("std::collections::BTreeSet<{text}>"), list),
            6 | 7 => {
                let name = if kind == 6 { "HashSet" } else { "BinaryHeap" };
                let text = format!("std::collections::{name}<{text}>");
                DrawnType { is_key: false, ..inner.wrapped(text, list) }
            }
            8 | 9 => {
                let value = self.draw(depth);
                let map = if kind == 8 { "BTreeMap" } else { "HashMap" };
                let text = format!("std::collections::{map}<{text}, {}>", value.text);
                let has_debug = inner.has_debug && value.has_debug;
                let (is_sure, of_value) = (inner.is_sure && value.is_sure, value.score);
                let mut both = inner.wrapped(text, move |score, map| {
                    let (key, value) = (score("key"), of_value("value"));
                    format!("{map}.iter().map(|(key, value)| 1 + {key} + {value}).sum::<usize>()")
                });
                (both.is_sure, both.is_key, both.has_debug) = (is_sure, false, has_debug);
                both
            }
            10 | 11 => inner.wrapped(format!("Option<{text}>"), |score, value| {
                format!("{value}.as_ref().map_or(0, |e| 1 + {})", score("e"))
            }),
            12 => inner.wrapped(format!("Result<{text}, u8>"), |score, value| {
                format!("{value}.as_ref().map_or(0, |e| 1 + {})", score("e"))
            }),
            13 => inner.wrapped(format!("Box<{text}>"), pointed),
            14 => inner.wrapped(format!("std::rc::Rc<{text}>"), pointed),
            15 => inner.wrapped(format!("std::sync::Arc<{text}>"), pointed),
            16 => DrawnType {
                is_key: false,
                ..inner.wrapped(format!("std::cell::RefCell<{text}>"), |score, value| {
                    format!("Some({value}.borrow()).map_or(0, |e| {})", score("(&*e)"))
                })
            },
            17 => inner.wrapped(format!("Option<Box<{text}>>"), |score, value| {
                format!("{value}.as_ref().map_or(0, |e| 1 + {})", score("(&**e)"))
            }),
            18 => inner.wrapped(format!("(u8, {text})"), |score, value| {
                format!("usize::from({value}.0 > 3) + {}", score(&format!("(&{value}.1)")))
            }),
            19 => {
                inner.wrapped(format!("({text},)"), |score, value| score(&format!("(&{value}.0)")))
            }
            20 => inner.wrapped(format!("std::cmp::Reverse<{text}>"), |score, value| {
                score(&format!("(&{value}.0)"))
            }),
            _ => inner.wrapped(format!("Vec<Vec<{text}>>"), |score, value| {
                format!("{value}.iter().flatten().map(|e| 1 + {}).sum::<usize>()", score("e"))
            }),
        }
    }

    fn key(&mut self, depth: usize) -> DrawnType {
        for _ in 0..4 {
            let before = self.definitions.clone();
            let drawn = self.draw(depth);
            if drawn.is_key {
                return drawn;
            }
            *self.definitions = before;
        }
        DrawnType::new("u8", true, |value| format!("usize::from(*{value} > 2)"))
    }

    /// Draws a definition of a type.
    fn own(&mut self, depth: usize) -> DrawnType {
        let name = format!("T{}x{}", self.id, self.definitions.count);
        self.definitions.count += 1;
        let place = self.random.below(6);
        let shape = self.random.below(6);
        // The types of fields are written where the definition is, and all of them are used.
        let is_simple = place >= 3 || shape == 2 || shape == 5;
        let inner = if is_simple { self.scalar() } else { self.draw(depth) };
        let other = self.scalar();
        let (a, b) = (inner.text.clone(), other.text.clone());
        let is_private = place == 3 && self.random.chance(30);
        let vis = if is_private { "" } else { "pub " };
        let is_key = inner.is_key && other.is_key;
        let (first, second) = (inner.score("(&self.0)"), other.score("(&self.1)"));
        let (in_a, in_b) = (inner.score("a"), other.score("b"));
        let (parameter, argument) =
            if shape == 4 { ("<A>", format!("<{a}>")) } else { ("", String::new()) };
        let (body, score) = match shape {
            0 => (format!("pub struct {name}({vis}{a}, {vis}{b});"), format!("{first} + {second}")),
            1 => (
                format!("pub struct {name} {{ {vis}a: {a}, {vis}r#type: {b} }}"),
                format!("{{ let (a, b) = (&self.a, &self.r#type); {in_a} + {in_b} }}"),
            ),
            2 => (format!("pub struct {name};"), "1".to_owned()),
            3 => (
                format!("pub enum {name} {{ Empty, One({a}), Two {{ a: {a}, b: {b} }} }}"),
                format!(
                    "match self {{ {name}::Empty => 0, {name}::One(a) => 1 + {in_a}, \
                     {name}::Two {{ a, b }} => 1 + {in_a} + {in_b} }}"
                ),
            ),
            4 => (
                format!("pub struct {name}<A> {{ {vis}list: Vec<A>, {vis}b: {b} }}"),
                format!("{{ let b = &self.b; self.list.len() + {in_b} }}"),
            ),
            _ => (
                format!("pub enum {name} {{ Leaf({b}), Node(Vec<{name}>) }}"),
                format!(
                    "match self {{ {name}::Leaf(b) => {in_b}, \
                     {name}::Node(list) => 1 + list.iter().map(|e| e.score()).sum::<usize>() }}"
                ),
            ),
        };
        let keys = if is_key && shape != 4 { ", PartialEq, Eq, PartialOrd, Ord, Hash" } else { "" };
        // A value without `ToCode` is printed by `Debug`.
        let provenance = self.random.below(10);
        let is_debug_only = provenance < 2 && shape <= 1 && inner.has_debug;
        let has_debug = is_debug_only || (provenance > 3 && inner.has_debug);
        let mut derives = Vec::new();
        derives.extend((!is_debug_only).then_some("rebut::Generate"));
        derives.extend(has_debug.then_some("Debug"));
        let mut definition = format!(
            "#[derive({}{keys})]\n{body}\n#[allow(dead_code)]\nimpl{parameter} {name}{parameter} {{ \
             pub fn score(&self) -> usize {{ {score} }} }}\n",
            derives.join(", ")
        );
        if is_debug_only {
            let built = if shape == 0 {
                format!("{name}(a, b)")
            } else {
                format!("{name} {{ a, r#type: b }}")
            };
            definition += &format!(
                "impl rebut::Generate for {name} {{ fn generate(source: &mut rebut::Source) -> \
                 Self {{ let a = rebut::Generate::generate(source); \
                 let b = rebut::Generate::generate(source); {built} }} }}\n"
            );
        }
        let written = match place {
            0..=2 => {
                self.definitions.here += &definition;
                name.clone()
            }
            3 => {
                self.definitions.shapes += &definition;
                let choice = self.random.below(3);
                match choice {
                    0 => {
                        self.definitions.here += &format!("use self::shapes::{name};\n");
                        name.clone()
                    }
                    1 => {
                        self.definitions.here +=
                            &format!("use self::shapes::{name} as Known{name};\n");
                        format!("Known{name}")
                    }
                    _ => format!("shapes::{name}"),
                }
            }
            4 => {
                self.definitions.outside += &definition;
                name.clone()
            }
            _ => {
                self.definitions.outside += &definition;
                self.definitions.here += &format!("type Alias{name}<A> = Vec<A>;\n");
                let text = format!("Alias{name}<{name}{argument}>");
                return DrawnType {
                    text,
                    score: Box::new(|value| {
                        format!("{value}.iter().map(|e| 1 + e.score()).sum::<usize>()")
                    }),
                    is_sure: !is_debug_only,
                    is_key: is_key && shape != 4,
                    has_debug,
                };
            }
        };
        DrawnType {
            text: format!("{written}{argument}"),
            score: Box::new(|value| format!("{value}.score()")),
            is_sure: inner.is_sure && other.is_sure && !is_debug_only && !is_private,
            is_key: is_key && shape != 4,
            has_debug,
        }
    }
}
