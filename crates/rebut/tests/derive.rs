//! `#[derive(Generate)]` as users write it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Debug;
use std::marker::PhantomData;

use rebut::prelude::*;
use rebut::{Code, Tape, any, sample, simplest};

fn samples<T: Generate>() -> Vec<T> {
    (0..300).map(|seed| sample(&any::<T>(), seed)).collect()
}

/// The value that follows from a tape.
fn from_tape<T: Generate>(tape: &str) -> T {
    T::generate(&mut Source::replay(&Tape::from_text(tape).expect("a tape")))
}

#[derive(Clone, Debug, PartialEq, Generate)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Debug, PartialEq, Generate)]
struct Pair(u8, bool);

#[derive(Debug, PartialEq, Generate)]
struct Unit;

#[derive(Debug, PartialEq, Generate)]
struct Braces {}

#[test]
fn structs_draw_their_fields_in_order() {
    assert_eq!(from_tape::<Point>("i3 i-4"), Point { x: 3, y: -4 });
    assert_eq!(from_tape::<Pair>("i3 b1"), Pair(3, true));
    assert_eq!((from_tape::<Unit>(""), from_tape::<Braces>("")), (Unit, Braces {}));
}

#[test]
fn values_print_as_code() {
    assert_eq!(Code::of(&Point { x: 1, y: -2 }), "Point { x: 1, y: -2 }");
    assert_eq!(Code::of(&Pair(1, true)), "Pair(1, true)");
    assert_eq!((Code::of(&Unit), Code::of(&Braces {})), ("Unit".into(), "Braces {}".into()));
    assert_eq!(Code::of(&Shape::Circle(1.0)), "Shape::Circle(1.0)");
    assert_eq!(Code::of(&Shape::Nothing), "Shape::Nothing");
    let shape = Shape::Box { corners: [Point { x: 0, y: 0 }, Point { x: 1, y: 1 }], name: None };
    assert_eq!(
        Code::of(&shape),
        "Shape::Box { corners: [Point { x: 0, y: 0 }, Point { x: 1, y: 1 }], name: None }"
    );
}

#[derive(Debug, PartialEq, Generate)]
enum Shape {
    Nothing,
    Circle(f64),
    Box { corners: [Point; 2], name: Option<String> },
}

#[test]
fn enums_draw_every_variant_and_shrink_to_the_first() {
    let samples = samples::<Shape>();
    assert!(samples.iter().any(|shape| matches!(shape, Shape::Nothing)));
    assert!(samples.iter().any(|shape| matches!(shape, Shape::Circle(_))));
    assert!(samples.iter().any(|shape| matches!(shape, Shape::Box { .. })));
    assert_eq!(simplest(&any::<Shape>()), Shape::Nothing);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Generate)]
enum Suit {
    Clubs,
    Diamonds,
    #[generate(simplest)]
    Hearts,
    #[generate(skip)]
    #[expect(dead_code, reason = "skipped")]
    Joker,
}

#[test]
fn enums_without_fields_know_their_members() {
    let members = Suit::members().expect("members");
    assert_eq!(members, [Suit::Hearts, Suit::Clubs, Suit::Diamonds]);
    assert_eq!(samples::<Suit>().into_iter().collect::<HashSet<_>>().len(), 3);
    assert_eq!(from_tape::<Suit>("i1"), Suit::Clubs);
}

#[derive(Debug, PartialEq, Generate)]
#[generate(filter = |suit| *suit != Weekday::Sunday)]
enum Weekday {
    Sunday,
    Monday,
    #[generate(weight = 50)]
    Tuesday,
}

#[test]
fn filters_hold_for_values_and_members() {
    assert_eq!(Weekday::members(), Some(vec![Weekday::Monday, Weekday::Tuesday]));
    assert!(samples::<Weekday>().iter().all(|day| *day != Weekday::Sunday));
}

#[test]
fn weights_are_respected() {
    let tuesdays = samples::<Weekday>().iter().filter(|day| **day == Weekday::Tuesday).count();
    assert!(tuesdays > 200, "{tuesdays}");
}

#[derive(Debug, Generate)]
struct Everything {
    #[generate(..=9)]
    digit: u8,
    #[generate(digit..)]
    not_less: u8,
    #[generate(just("a"))]
    name: &'static str,
    #[generate(min_value = 1.0, max_value = 2.0)]
    ratio: f64,
    #[generate(min_size = 1)]
    #[generate(max_size = 3)]
    list: Vec<Point>,
    #[generate(max_size = 2)]
    text: String,
    #[generate(default)]
    nothing: Opaque,
    #[generate(value = digit + 1)]
    next: u8,
}

#[derive(Default)]
struct Opaque;

impl Debug for Opaque {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Opaque")
    }
}

#[test]
fn attributes_say_how_fields_are_drawn() {
    for value in samples::<Everything>() {
        assert!(value.digit <= 9 && value.not_less >= value.digit && value.next == value.digit + 1);
        assert!(value.name == "a" && (1.0..=2.0).contains(&value.ratio));
        assert!((1..=3).contains(&value.list.len()) && value.text.chars().count() <= 2);
        assert!(Code::of(&value).contains("nothing: Opaque, next: "));
    }
}

#[derive(Debug, Generate)]
struct Date {
    #[generate(r"\d{4}-\d\d")]
    month: String,
    #[generate(matches = r"\d{4}-\d\d")]
    other_month: String,
    #[generate(matches = r"(?-u)\xFF+")]
    bytes: Vec<u8>,
}

#[test]
fn texts_match_regular_expressions() {
    for date in samples::<Date>() {
        for month in [&date.month, &date.other_month] {
            assert!(month.chars().count() == 7 && month.contains('-'), "{date:?}");
        }
        assert!(!date.bytes.is_empty() && date.bytes.iter().all(|byte| *byte == 0xFF));
    }
}

const WEEKDAYS: [&str; 2] = ["Mon", "Tue"];

#[derive(Debug, Generate)]
struct Appointment {
    #[generate(1..=28)]
    day: u8,
    #[generate(0.5..1.5)]
    hours: f64,
    #[generate(WEEKDAYS)]
    weekday: &'static str,
    #[generate(["Ann", "Bob"])]
    with: String,
    #[generate(options((day..29, 'a'..='c')))]
    moved_to: Option<(u8, char)>,
}

#[test]
fn fields_take_ranges_and_lists_of_values() {
    for appointment in samples::<Appointment>() {
        let Appointment { day, hours, weekday, with, moved_to } = &appointment;
        assert!((1..=28).contains(day) && (0.5..1.5).contains(hours), "{appointment:?}");
        assert!(WEEKDAYS.contains(weekday) && ["Ann", "Bob"].contains(&with.as_str()));
        let is_later = |(other, room): &(u8, char)| other >= day && ('a'..='c').contains(room);
        assert!(moved_to.as_ref().is_none_or(is_later), "{appointment:?}");
    }
}

#[derive(Generate)]
struct Newtype(char);

#[test]
fn single_choices_are_known() {
    assert!(Suit::is_single() && Newtype::is_single());
    assert!(!Weekday::is_single() && !Point::is_single() && !Tree::is_single());
}

#[derive(Debug, Generate)]
struct Ordered(u8, #[generate(_0..)] u8);

#[test]
fn fields_of_tuples_are_numbered() {
    assert!(samples::<Ordered>().iter().all(|ordered| ordered.0 <= ordered.1));
}

#[derive(Clone, Debug, PartialEq, Generate)]
enum Tree {
    Node(Box<Tree>, Box<Tree>),
    Leaf(u8),
}

impl Tree {
    fn depth(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::Node(left, right) => 1 + left.depth().max(right.depth()),
        }
    }
}

#[test]
fn recursive_enums_end() {
    let depths: HashSet<_> = samples::<Tree>().iter().map(Tree::depth).collect();
    assert!(depths.contains(&1) && depths.len() > 2, "{depths:?}");
    assert_eq!(simplest(&any::<Tree>()), Tree::Leaf(0));
    let tree = Tree::Node(Box::new(Tree::Leaf(1)), Box::new(Tree::Leaf(2)));
    assert_eq!(Code::of(&tree), "Tree::Node(Box::new(Tree::Leaf(1)), Box::new(Tree::Leaf(2)))");
}

#[derive(Debug, PartialEq, Generate)]
struct Folder {
    name: char,
    inside: Vec<Folder>,
    link: Option<Box<Self>>,
}

#[test]
fn recursive_structs_end() {
    assert!(samples::<Folder>().iter().any(|folder| !folder.inside.is_empty()));
    let simplest = simplest(&any::<Folder>());
    assert_eq!((simplest.inside.len(), simplest.link), (0, None));
}

#[derive(Debug, PartialEq, Generate)]
enum Expression {
    Closure(Box<Statement>),
    Number(i8),
}

#[derive(Debug, PartialEq, Generate)]
enum Statement {
    Block(Vec<Statement>),
    Return(Expression),
    Nothing,
}

#[test]
fn types_that_contain_each_other_end() {
    assert_eq!(simplest(&any::<Expression>()), Expression::Number(0));
    assert_eq!(simplest(&any::<Statement>()), Statement::Nothing);
    assert!(samples::<Expression>().iter().any(|e| matches!(e, Expression::Closure(_))));
    let nested = samples::<Statement>().into_iter().any(|statement| match statement {
        Statement::Block(inside) => {
            inside.iter().any(|inner| matches!(inner, Statement::Return(_)))
        }
        _ => false,
    });
    assert!(nested);
}

#[derive(Debug, PartialEq, Generate)]
struct Wrapper<T, const N: usize>
where
    T: Clone,
{
    items: [T; N],
    more: Vec<(T, u8)>,
}

#[derive(Debug, PartialEq, Generate)]
enum Either<L, R> {
    Left(L),
    Right(R),
}

#[derive(Debug, PartialEq, Generate)]
struct Typed<T> {
    id: u8,
    of: PhantomData<T>,
}

#[derive(Generate)]
#[generate(bound = "I: Iterator, I::Item: Generate + ToCode")]
struct Bounded<I: Iterator> {
    first: I::Item,
}

#[derive(Generate)]
struct Inferred<I: Iterator> {
    first: Option<I::Item>,
}

struct NotGenerate;

#[test]
fn generic_types_bound_what_they_use() {
    assert_eq!(simplest(&any::<Wrapper<u8, 2>>()), Wrapper { items: [0, 0], more: vec![] });
    assert_eq!(Code::of(&Either::<u8, bool>::Right(true)), "Either::Right(true)");
    assert_eq!(simplest(&any::<Either<u8, bool>>()), Either::Left(0));
    assert_eq!(simplest(&any::<Typed<NotGenerate>>()).id, 0);
    assert_eq!(simplest(&any::<Bounded<std::vec::IntoIter<u8>>>()).first, 0);
    assert_eq!(simplest(&any::<Inferred<std::vec::IntoIter<u8>>>()).first, None);
    assert_eq!(Code::of(&Bounded::<std::vec::IntoIter<u8>> { first: 3 }), "Bounded { first: 3 }");
}

#[derive(Clone, Debug, PartialEq, Generate)]
struct Borrowing<'a, 'b, T: Clone> {
    text: Cow<'a, str>,
    name: &'b str,
    items: &'a [T],
    list: Cow<'b, [T]>,
    next: Option<&'a Borrowing<'a, 'b, T>>,
}

#[derive(Debug, PartialEq, Generate)]
enum BorrowingEnum<'a, T> {
    One(&'a T),
    Many(Vec<BorrowingEnum<'a, T>>),
    Nested { inner: Borrowing<'a, 'a, u8>, word: &'static str },
}

#[test]
fn types_with_lifetimes_borrow_values_that_are_never_freed() {
    let value: Borrowing<'_, '_, bool> = from_tape("");
    assert_eq!(
        Code::of(&value),
        "Borrowing { text: std::borrow::Cow::Borrowed(\"\"), name: \"\", items: &[][..], \
         list: std::borrow::Cow::Borrowed(&[][..]), next: None }"
    );
    assert!(samples::<Borrowing<'_, '_, bool>>().iter().any(|value| value.next.is_some()));
    let all = samples::<BorrowingEnum<'_, String>>();
    assert!(all.iter().any(|value| matches!(value, BorrowingEnum::Many(list) if list.len() > 1)));
    assert!(all.iter().any(|value| matches!(value, BorrowingEnum::One(text) if !text.is_empty())));
}

#[derive(Debug, PartialEq, Generate)]
#[generate(no_code, filter = Even::is_valid)]
struct Even(u8);

impl Even {
    fn is_valid(&self) -> bool {
        self.0.is_multiple_of(2)
    }
}

impl ToCode for Even {
    fn to_code(&self, code: &mut Code) {
        code.push("even");
    }
}

#[test]
fn code_can_be_written_by_hand() {
    assert_eq!(Code::of(&Even(2)), "even");
    assert!(samples::<Even>().iter().all(Even::is_valid));
}

#[derive(ToCode)]
struct OnlyCode {
    list: Vec<u8>,
}

#[test]
fn code_can_be_derived_alone() {
    assert_eq!(Code::of(&OnlyCode { list: vec![1] }), "OnlyCode { list: vec![1] }");
}

mod hygiene {
    #![no_implicit_prelude]
    #![forbid(warnings, clippy::all)]

    #[derive(::rebut::Generate)]
    struct Nothing;

    #[derive(::rebut::Generate)]
    struct Constant {
        #[generate(value = 3)]
        n: u8,
    }

    #[::rebut::test]
    #[example()]
    fn nothing_is_drawn() {}

    #[::rebut::test]
    fn nothing_is_warned_about(_: Nothing, constant: Constant) -> bool {
        constant.n == 3
    }

    #[derive(::rebut::Generate)]
    pub(crate) enum ClashingNames {
        Case { source: u8, code: u8, value: u8 },
        Self_,
    }

    #[::rebut::test]
    fn nothing_is_taken_from_the_prelude(
        names: ClashingNames,
        #[from(::rebut::just(1))] n: u8,
    ) -> bool {
        match names {
            ClashingNames::Case { source, code, value } => (source, code, value) >= (0, 0, 0),
            ClashingNames::Self_ => n == 1,
        }
    }
}
