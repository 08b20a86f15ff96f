use rebut::prelude::*;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::num::NonZeroU8;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

mod inner {
    use rebut::prelude::*;

    /// A point whose fields are private.
    #[derive(Debug, Clone, Copy, PartialEq, Generate)]
    pub struct Point {
        x: i8,
        y: i8,
    }

    impl Point {
        pub fn x(&self) -> i8 {
            self.x
        }
        pub fn sum(&self) -> i16 {
            i16::from(self.x) + i16::from(self.y)
        }
    }

    #[derive(Debug, Clone, PartialEq, Generate)]
    pub struct Open {
        pub name: String,
        pub kind: Kind,
    }

    #[derive(Debug, Clone, PartialEq, Generate)]
    pub enum Kind {
        Small,
        Large(u8),
    }

    pub fn check_small(n: u16) {
        assert!(n < 5000, "{n} is large");
    }
}

// expect: failed
#[rebut::test]
fn private_fields(point: inner::Point) {
    assert!(point.x() < 10 || point.sum() < 0);
}

// expect: failed
#[rebut::test]
fn types_that_are_not_imported(open: inner::Open, more: Vec<inner::Kind>) {
    assert!(open.name.len() < 3 || matches!(open.kind, inner::Kind::Small) || more.len() < 2);
}

// expect: failed: is large
#[rebut::test]
fn helper_in_a_module(n: u16) {
    inner::check_small(n);
}

// expect: failed
#[rebut::test]
fn names_of_internals(case: u8, result: u8, r#type: u8, value: Option<u8>, args: &str, passed: bool) -> bool {
    let seed = value.unwrap_or(result);
    !(case > 3 && seed > 5 && r#type > 2 && args.len() > 1 && passed)
}

#[derive(Debug, Clone, Generate)]
struct Pair<T> {
    one: T,
    two: T,
}

#[derive(Debug, Clone, PartialEq, Generate)]
struct Unit;

#[derive(Debug, Clone, PartialEq, Generate)]
struct Wrapper(Box<[u16]>, Unit, PhantomKind);

#[derive(Debug, Clone, PartialEq, Generate)]
#[allow(non_camel_case_types)]
enum PhantomKind {
    r#type,
    B { r#fn: u8 },
}

// expect: failed
#[rebut::test]
fn patterns(Pair { one, two }: Pair<u8>, (a, mut b): (u8, Vec<u8>), _: u32, mut c: char, Wrapper(list, ..): Wrapper) {
    b.push(a);
    c.make_ascii_lowercase();
    assert!(one <= two || b.len() < 2 || c != 'b' || list.len() < 2, "{c}");
}

// expect: failed
#[rebut::test]
fn wrappers(pair: Pair<Option<Wrapper>>) {
    if let Some(Wrapper(list, Unit, kind)) = &pair.one {
        assert!(list.is_empty() || *kind == PhantomKind::r#type || pair.two.is_none());
    }
}

// expect: passed
#[rebut::test]
fn strings_with_special_characters(text: String, c: char) {
    assert!(!text.contains('"') || !text.contains('{') || c != '\\', "{text}");
}

// expect: failed
#[rebut::test]
fn std_types(time: Duration, path: PathBuf, cow: Cow<'_, str>, set: BTreeSet<Option<char>>, number: NonZeroU8, list: VecDeque<Rc<str>>) {
    assert!(time.as_millis() < 1500 || path.as_os_str().is_empty() || cow.len() < 2 || set.len() < 2 || number.get() < 3 || list.is_empty());
}

// expect: failed
#[rebut::test]
fn references(list: &mut Vec<u8>, slice: &mut [u16], words: &[&str], maybe: Option<&str>, nested: Vec<(&str, Option<&u8>)>, number: &&u8) {
    list.push(**number);
    slice.reverse();
    assert!(list.len() < 2 || slice.first() < slice.last() || words.len() < 2 || maybe.is_none_or(str::is_empty) || nested.is_empty());
}

// expect: passed
#[rebut::test]
fn functions(keep: fn(u8) -> bool, map: &dyn Fn(u8, bool) -> Option<u8>, count: &mut dyn FnMut() -> u8) {
    let first = map(3, keep(7));
    assert!(first.is_none() || count() < 10 || count() >= 10, "{first:?}");
}

// expect: passed
#[rebut::test]
fn floats(a: f32, b: f64, list: [f64; 2]) {
    assert!(!(a.is_infinite() && b.is_sign_negative() && list[0] > 0.5 && list[0] < 0.75 && list[1] == 0.0), "{a} {b}");
}

// expect: failed
#[rebut::test]
fn large_numbers(a: i128, b: u128, c: i64, d: usize) -> Result<(), Box<dyn std::error::Error>> {
    if a < i128::from(i64::MIN) && b > u128::from(u64::MAX) {
        i32::try_from(c).map(drop)?;
        assert!(d > 0, "{a} {b}");
    }
    Ok(())
}

macro_rules! check_even {
    ($number:expr) => {
        if $number % 2 != 0 && $number > 100 {
            panic!("{} is odd", $number);
        }
    };
}

// expect: failed: is odd
#[rebut::test]
fn own_macro(number: u64, list: Vec<()>) {
    check_even!(number + list.len() as u64);
}

// expect: failed
#[rebut::test]
fn loops_and_continue(lists: Vec<Vec<Result<u8, String>>>) {
    'outer: for list in &lists {
        for entry in list {
            let Ok(number) = entry else { continue 'outer };
            if *number == 0 {
                break;
            }
            assert!(*number < 200, "{number}");
        }
    }
}

// expect: failed
#[rebut::test]
fn question_mark_in_a_closure(map: HashMap<u8, BTreeMap<bool, u8>>) {
    let total = || -> Option<u32> { Some(u32::from(*map.get(&0)?.get(&true)?) + u32::from(*map.get(&1)?.get(&false)?)) };
    if let Some(total) = total() {
        assert!(total < 3);
    }
}

// expect: failed
#[rebut::test]
fn local_items(n: u8) {
    const LIMIT: u8 = 40;
    #[derive(Debug)]
    struct Local(u8);
    impl Local {
        fn check(&self) {
            assert!(self.0 < LIMIT, "{self:?}");
        }
    }
    use std::thread;
    thread::spawn(move || Local(n).check()).join().unwrap();
}

// expect: failed: attempt to subtract with overflow
#[rebut::test]
fn debug_assertions(a: u8, b: u8) {
    let difference = std::panic::catch_unwind(|| a.min(200) - b.min(100));
    if let Err(payload) = difference {
        std::panic::resume_unwind(payload);
    }
}

// The constants of the condition are tried.
// expect: failed
#[rebut::test]
fn early_return(a: u64, b: u64, names: &[String]) -> Result<(), String> {
    if a != b.wrapping_mul(31).wrapping_add(7) {
        return Ok(());
    }
    for name in names {
        assert!(!name.is_empty());
    }
    Ok(())
}

// expect: vacuous
#[rebut::test]
fn while_loop_never_runs(mut n: u64) {
    n |= 1;
    while n == 2_000_000_000_000_001 && n % 2 == 0 {
        assert!(n > 0);
        n += 1;
    }
}

// expect: passed
#[rebut::test]
fn assertion_in_a_match_guard(list: Vec<u8>) {
    match list.as_slice() {
        [] => {}
        [first, ..] if *first > 300u16.min(255) as u8 => unreachable!(),
        [.., last] => assert_eq!(list.last(), Some(last)),
    }
}

// expect: panicked
#[rebut::test]
#[should_panic(expected = "too short")]
fn panics_are_expected(list: Vec<u8>) {
    assert!(list.len() >= 2, "too short");
}

// expect: failed
#[rebut::test]
fn long_values(text: String, lists: Vec<Vec<(u32, String)>>) {
    let total: usize = lists.iter().flatten().map(|(n, s)| *n as usize % 7 + s.len()).sum();
    assert!(total < 60 || text.len() < 20, "{total}");
}

#[derive(Debug, Clone, PartialEq, Generate)]
enum Tree {
    Leaf(i32),
    Node { left: Box<Tree>, right: Box<Tree>, tag: Option<Rc<Tree>> },
}

impl Tree {
    fn size(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::Node { left, right, tag } => left.size() + right.size() + tag.as_ref().map_or(0, |tag| tag.size()),
        }
    }
}

// expect: failed
#[rebut::test]
fn trees_are_small(tree: Tree) {
    assert!(tree.size() < 5);
}

// expect: failed
#[rebut::test]
fn notes_are_printed(a: u8, b: u8) {
    note!("the sum is {}", u16::from(a) + u16::from(b));
    label!("{}", if a > b { "more" } else { "less" });
    assert_ne!(u16::from(a) + u16::from(b), 300, "{a} and {b}");
}
