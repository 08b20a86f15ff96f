//! Shrinking of values from `Arbitrary`, compared with the generators of Rebut.
//!
//! The types have both. Each problem runs with several seeds, and all must end in the same value.

use std::collections::BTreeMap;

use arbitrary::{Arbitrary, Unstructured};
use rebut::choice::{AnyDriver, Random, Source};
use rebut::{Check, Generator, ToCode, arbitraries, from_fn};

#[derive(Arbitrary, rebut::Generate, Clone, Debug, PartialEq)]
enum Expr {
    Number(i32),
    Negate(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
}

impl Expr {
    fn size(&self) -> usize {
        match self {
            Expr::Number(_) => 1,
            Expr::Negate(a) => 1 + a.size(),
            Expr::Add(a, b) => 1 + a.size() + b.size(),
        }
    }

    fn sum(&self) -> i64 {
        match self {
            Expr::Number(n) => i64::from(*n),
            Expr::Negate(a) => -a.sum(),
            Expr::Add(a, b) => a.sum() + b.sum(),
        }
    }
}

#[derive(Arbitrary, rebut::Generate, Clone, Copy, Debug, PartialEq)]
enum Color {
    Red,
    Green,
    Blue,
    Black,
    White,
}

#[derive(Arbitrary, rebut::Generate, Clone, Debug, PartialEq)]
enum Command {
    Stop,
    Push(u16),
    Rename { from: String, to: String },
    Paint(Vec<Color>),
}

#[derive(Arbitrary, rebut::Generate, Clone, Debug, PartialEq)]
struct User {
    id: u32,
    name: String,
    email: Option<String>,
    scores: Vec<i16>,
}

#[derive(Arbitrary, rebut::Generate, Clone, Debug, PartialEq)]
struct Mixed {
    kind: u8,
    size: u32,
    flag: bool,
}

#[derive(Arbitrary, rebut::Generate, Clone, Debug, PartialEq)]
struct Tree {
    value: i32,
    left: Option<Box<Tree>>,
    right: Option<Box<Tree>>,
}

impl Tree {
    fn size(&self) -> usize {
        1 + self.left.as_ref().map_or(0, |t| t.size()) + self.right.as_ref().map_or(0, |t| t.size())
    }
}

/// Returns the values that the seeds end in, as code.
fn shrunk<T: ToCode>(generator: impl Generator<Value = T>, fails: &dyn Fn(&T) -> bool) -> String {
    let mut values: Vec<String> = Vec::new();
    for seed in 1..=4 {
        let report = Check::new("a value shrinks").seed(seed).cases(5000).run(|case| {
            let value = case.draw_as("value", from_fn(|source| generator.draw(source)));
            assert!(!fails(&value));
        });
        let text = report.to_string();
        let value = text.split("let value = ").nth(1).and_then(|rest| rest.split(";\n").next());
        let is_line_of_value = |line: &&str| !line.contains("other values tried here");
        let lines = value.unwrap_or("nothing").lines().filter(is_line_of_value);
        let value = lines.map(str::trim).collect::<Vec<_>>().join(" ");
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values.join(" or ")
}

/// Both generators end in the same value.
#[track_caller]
fn check<T>(fails: impl Fn(&T) -> bool, expected: &str)
where
    T: rebut::Generate + for<'a> Arbitrary<'a> + ToCode + 'static,
{
    assert_eq!(shrunk(rebut::any::<T>(), &fails), expected, "with `any`");
    assert_eq!(shrunk(arbitraries::<T>(), &fails), expected, "with `arbitraries`");
}

#[test]
fn numbers_shrink_to_thresholds() {
    check::<u32>(|&n| n >= 1000, "1000");
    check::<i64>(|&n| n < -100, "-101");
    check::<(u32, u32)>(|&(a, b)| a > 9 && b > 99, "(10, 100)");
    check::<Mixed>(
        |mixed| mixed.size >= 1000 && mixed.flag,
        "Mixed { kind: 0, size: 1000, flag: true }",
    );
}

#[test]
fn lists_lose_elements_in_the_middle() {
    check::<Vec<u16>>(|list| list.iter().map(|&n| u64::from(n)).sum::<u64>() > 1000, "vec![1001]");
    check::<Vec<i32>>(
        |list| list.windows(2).any(|pair| pair[0] > 10 && pair[1] < -10),
        "vec![11, -11]",
    );
    check::<Vec<Vec<u8>>>(
        |lists| lists.iter().filter(|list| !list.is_empty()).count() >= 2,
        "vec![vec![0], vec![0]]",
    );
}

#[test]
fn strings_shrink_as_strings() {
    check::<String>(
        |text| text.chars().count() >= 3 && text.contains(|c: char| c.is_ascii_digit()),
        "\"aa0\".to_string()",
    );
    check::<BTreeMap<String, i32>>(
        |map| map.len() > 1 && map.values().all(|&n| n < -3),
        "std::collections::BTreeMap::from([(\"\".to_string(), -4), (\"a\".to_string(), -4)])",
    );
}

#[test]
fn variants_and_nested_structs_shrink() {
    check::<Color>(|&color| color == Color::Black, "Color::Black");
    check::<Vec<Command>>(
        |commands| {
            let renames =
                |command: &Command| matches!(command, Command::Rename { to, .. } if !to.is_empty());
            let pushes = |command: &Command| matches!(command, Command::Push(n) if *n > 99);
            commands.iter().any(renames) && commands.iter().any(pushes)
        },
        "vec![ Command::Push(100), \
         Command::Rename { from: \"\".to_string(), to: \"a\".to_string() }, ]",
    );
    check::<User>(
        |user| user.id > 50 && user.email.is_some() && user.scores.iter().any(|&score| score < 0),
        "User { id: 51, name: \"\".to_string(), email: Some(\"\".to_string()), scores: vec![-1], }",
    );
}

/// The values of recursive types have several minimal forms, so only their size is fixed.
#[test]
fn recursive_values_shrink_to_the_smallest_size() {
    for seed in 1..=4 {
        let found = |generator: &dyn Fn(&mut Source) -> Expr| {
            let sizes = std::cell::RefCell::new(Vec::new());
            Check::new("an expression shrinks").seed(seed).run(|case| {
                let expression = case.draw_as("expression", from_fn(generator));
                if expression.sum() > 100 && expression.size() > 1 {
                    sizes.borrow_mut().push(expression.size());
                    panic!("too much");
                }
            });
            sizes.into_inner().into_iter().min()
        };
        assert!(found(&|source| rebut::any().draw(source)) <= Some(3), "seed {seed}");
        assert!(found(&|source| arbitraries().draw(source)) <= Some(3), "seed {seed}");
    }
    let smallest = rebut::find(arbitraries::<Tree>(), |tree| tree.size() >= 3);
    assert_eq!(smallest.map(|tree| tree.size()), Some(3));
}

fn random(seed: u64) -> Source {
    Source::new(AnyDriver::Random(Box::new(Random::new(seed))))
}

#[test]
fn a_tape_replays_and_is_not_larger_than_the_value_needs() {
    for seed in 0..100 {
        let mut source = random(seed);
        let user = arbitraries::<User>().draw(&mut source);
        let tape = source.into_tape();
        assert_eq!(arbitraries::<User>().draw(&mut Source::replay(&tape)), user, "seed {seed}");
        // Two choices for a number; a length for the name and the scores; whether there is an email.
        let texts = user.name.chars().count() + user.email.iter().flat_map(|e| e.chars()).count();
        let expected =
            2 + 1 + 1 + 1 + usize::from(user.email.is_some()) + texts + 2 * user.scores.len();
        assert_eq!(tape.len(), expected, "seed {seed}: {user:?}");
    }
}

/// Reads all there is, as many hand-written implementations do.
#[derive(Debug, PartialEq)]
struct Script(Vec<u8>);

impl<'a> Arbitrary<'a> for Script {
    fn arbitrary(unstructured: &mut Unstructured<'a>) -> arbitrary::Result<Script> {
        let mut commands = Vec::new();
        while !unstructured.is_empty() {
            commands.push(unstructured.int_in_range(0..=9)?);
        }
        Ok(Script(commands))
    }
}

/// The first variant recurs, so zeros never end a value.
#[derive(Arbitrary, Debug)]
enum Endless {
    Node(Box<Endless>, Box<Endless>),
    Leaf,
}

impl Endless {
    fn leaves(&self) -> usize {
        match self {
            Endless::Node(left, right) => left.leaves() + right.leaves(),
            Endless::Leaf => 1,
        }
    }
}

#[test]
fn implementations_that_read_everything_get_a_list_of_bytes() {
    let found = rebut::find(arbitraries::<Script>(), |script| script.0.iter().any(|&n| n > 6));
    assert_eq!(found, Some(Script(vec![7])));
    let found = rebut::find(arbitraries::<Endless>(), |tree| tree.leaves() == 2);
    assert_eq!(found.map(|tree| tree.leaves()), Some(2));
}

/// Has a length of its own kind, and refuses some numbers.
#[derive(Debug, PartialEq)]
struct Packet {
    version: u32,
    payload: Vec<u8>,
}

impl<'a> Arbitrary<'a> for Packet {
    fn arbitrary(unstructured: &mut Unstructured<'a>) -> arbitrary::Result<Packet> {
        let version = u32::arbitrary(unstructured)?;
        if version == 0 {
            return Err(arbitrary::Error::IncorrectFormat);
        }
        let size = unstructured.arbitrary_len::<u8>()?;
        Ok(Packet { version, payload: unstructured.bytes(size)?.to_vec() })
    }
}

#[test]
fn refused_numbers_are_avoided_and_lengths_shrink() {
    assert_eq!(rebut::simplest(&arbitraries::<Packet>()), Packet { version: 1, payload: vec![] });
    let found = rebut::find(arbitraries::<Packet>(), |packet| packet.payload.len() == 2);
    assert_eq!(found, Some(Packet { version: 1, payload: vec![0, 0] }));
}

#[derive(Debug)]
struct Impossible;

impl<'a> Arbitrary<'a> for Impossible {
    fn arbitrary(_: &mut Unstructured<'a>) -> arbitrary::Result<Impossible> {
        Err(arbitrary::Error::IncorrectFormat)
    }
}

#[test]
fn a_case_is_rejected_if_every_attempt_is_an_error() {
    let draw = || arbitraries::<Impossible>().draw(&mut random(1));
    let payload = std::panic::catch_unwind(draw).expect_err("it cannot be drawn");
    let stop = payload.downcast::<rebut::choice::Stop>().expect("a reason");
    assert_eq!(stop.to_string(), "rejected: `Arbitrary::arbitrary` returns an error");
}
