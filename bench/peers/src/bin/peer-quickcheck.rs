//! quickcheck, measured on the shared problems.
//!
//! Shrinking is left out: quickcheck shrinks by the `Arbitrary` instance that
//! its user writes, so the figure would measure ours.

use std::hint::black_box;
use std::rc::Rc;

use bench_measure::{CASES_MAX, Library, Mean, Reporter, Trial};
use bench_problems::bugs::state::{CacheOp, QueueOp};
use bench_problems::challenges::calculator::Expr;
use bench_problems::challenges::heap::Heap;
use bench_problems::shapes::{Customer, Line, Order, Tree};
use bench_problems::{Outcome, Problem, bugs, challenges};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};

fn main() {
    bench_measure::main::<Quickcheck>();
}

/// The default of the library.
const SIZE: usize = 100;

struct Quickcheck;

impl Library for Quickcheck {
    const NAME: &'static str = "quickcheck";
    const VERSION: &'static str = "1.1.0";

    fn generate(reporter: &Reporter) {
        time::<i64>(reporter, "i64", 1_000_000, |_| 1);
        time::<Twelve>(reporter, "vec", 500_000, |list| list.0.len());
        time::<Vec<i64>>(reporter, "vec_default", 100_000, Vec::len);
        time::<String>(reporter, "string", 50_000, |text| text.chars().count());
        time::<Orders>(reporter, "struct", 50_000, |order| order.0.size());
        time::<Trees>(reporter, "tree", 50_000, |tree| tree.0.size());
    }

    fn find(reporter: &Reporter) {
        find_challenges(reporter);
        find_bugs(reporter);
    }

    fn shrink(_: &Reporter) {}
}

fn find_challenges(reporter: &Reporter) {
    let pairs = |g: &mut Gen| {
        (
            within(g, 1, i32::MAX as u64) as i32,
            within(g, 1, i32::MAX as u64) as i32,
        )
    };
    find(reporter, challenges::BOUND5, |g| {
        std::array::from_fn(|_| Vec::arbitrary(g))
    });
    find(reporter, challenges::LARGE_UNION_LIST, Arbitrary::arbitrary);
    find(reporter, challenges::REVERSE, Arbitrary::arbitrary);
    find(reporter, challenges::CALCULATOR, |g| expr(g, 4));
    find(reporter, challenges::LENGTHLIST, |g| {
        let len = within(g, 1, 100);
        (0..len).map(|_| within(g, 0, 1000) as u16).collect()
    });
    find(reporter, challenges::DIFFERENCE_ZERO, pairs);
    find(reporter, challenges::DIFFERENCE_SMALL, pairs);
    find(reporter, challenges::DIFFERENCE_ONE, pairs);
    find(reporter, challenges::BINHEAP, |g| heap(g, i64::MIN, 8));
    find(reporter, challenges::COUPLING, |g| {
        list(g, |g| within(g, 0, 10) as usize)
    });
    find(reporter, challenges::DELETION, |g| {
        (Vec::arbitrary(g), within(g, 0, 100) as usize)
    });
    find(reporter, challenges::DISTINCT, Arbitrary::arbitrary);
    find(reporter, challenges::NESTEDLISTS, Arbitrary::arbitrary);
}

fn find_bugs(reporter: &Reporter) {
    find(reporter, bugs::BINARY_SEARCH, Arbitrary::arbitrary);
    find(reporter, bugs::QUICKSORT_TWINS, Arbitrary::arbitrary);
    find(reporter, bugs::RUN_LENGTH, |g| {
        list(g, |g| (u8::arbitrary(g), within(g, 0, 300) as u16))
    });
    find(reporter, bugs::TRUNCATE_UTF8, |g| {
        (String::arbitrary(g), within(g, 0, 20) as usize)
    });
    find(reporter, bugs::BUCKET_OF_KEY, Arbitrary::arbitrary);
    find(reporter, bugs::LEAP_CENTURY, |g| within(g, 1, 9999) as u16);
    find(reporter, bugs::BASE64_TAIL, Arbitrary::arbitrary);
    find(reporter, bugs::MERGE_TOUCHING, Arbitrary::arbitrary);
    find(reporter, bugs::LRU_REFRESH, |g| list(g, cache_op));
    find(reporter, bugs::TRANSPOSE, |g| {
        (within(g, 1, 8) as u8, within(g, 1, 8) as u8)
    });
    find(reporter, bugs::CSV_QUOTES, Arbitrary::arbitrary);
    find(reporter, bugs::UPPER_CASE, Arbitrary::arbitrary);
    find(reporter, bugs::SIGN_OF_ZERO, Arbitrary::arbitrary);
    find(reporter, bugs::FAR_DUPLICATE, Arbitrary::arbitrary);
    find(reporter, bugs::RING_BUFFER, |g| list(g, queue_op));
    find(reporter, bugs::MAGIC_NUMBER, Arbitrary::arbitrary);
    find(reporter, bugs::BARE_WORD, Arbitrary::arbitrary);
    find(reporter, bugs::BLOCK_CHECKSUM, Arbitrary::arbitrary);
    find(reporter, bugs::PATCH_MERGE, Arbitrary::arbitrary);
    find(reporter, bugs::PERCENT_ENCODING, Arbitrary::arbitrary);
}

/// A property over values that a function draws, so that a problem's domain
/// needs no type of its own.
struct Drawn<T: 'static> {
    draw: fn(&mut Gen) -> T,
    trial: Rc<Trial<T>>,
}

impl<T: Clone> Testable for Drawn<T> {
    fn result(&self, g: &mut Gen) -> TestResult {
        match self.trial.run(&(self.draw)(g)) {
            Outcome::Held => TestResult::passed(),
            Outcome::Failed => TestResult::failed(),
            Outcome::Skipped => TestResult::discard(),
        }
    }
}

fn find<T: Clone + std::fmt::Debug>(
    reporter: &Reporter,
    problem: Problem<T>,
    draw: fn(&mut Gen) -> T,
) {
    reporter.find(problem, |seed, trial| {
        let trial = Rc::clone(trial);
        let result = runner(seed, CASES_MAX).quicktest(Drawn { draw, trial });
        drop(result);
    });
}

fn runner(seed: u64, cases: u64) -> QuickCheck {
    let rng = Gen::from_size_and_seed(SIZE, seed);
    QuickCheck::new().rng(rng).tests(cases).max_tests(cases)
}

fn time<T: Arbitrary + std::fmt::Debug>(
    reporter: &Reporter,
    shape: &str,
    cases: u64,
    size: fn(&T) -> usize,
) {
    fn holds<T>(value: T) -> bool {
        black_box(&value);
        true
    }
    let mean = Mean::of(|mean| {
        let mut g = Gen::from_size_and_seed(SIZE, 0);
        (0..cases / 10).for_each(|_| mean.add(size(&T::arbitrary(&mut g))));
    });
    reporter.time(shape, cases, &mean, |cases| {
        let passed = runner(0, cases).quicktest(holds::<T> as fn(T) -> bool);
        assert!(passed.is_ok(), "a property that holds failed");
    });
}

/// An integer in a range, the way the library's documentation does it.
fn within(g: &mut Gen, min_value: u64, max_value: u64) -> u64 {
    min_value + u64::arbitrary(g) % (max_value - min_value + 1)
}

/// A list as long as the library's own.
fn list<T>(g: &mut Gen, element: fn(&mut Gen) -> T) -> Vec<T> {
    let len = within(g, 0, SIZE as u64 - 1);
    (0..len).map(|_| element(g)).collect()
}

/// A length in `0..=12`, evenly, where integers of the library are not even.
fn length(g: &mut Gen) -> usize {
    let lengths = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    g.choose(&lengths).copied().unwrap_or_default()
}

#[derive(Clone, Debug)]
struct Twelve(Vec<i64>);

impl Arbitrary for Twelve {
    fn arbitrary(g: &mut Gen) -> Self {
        let len = length(g);
        Self((0..len).map(|_| i64::arbitrary(g)).collect())
    }
}

#[derive(Clone, Debug)]
struct Orders(Order);

impl Arbitrary for Orders {
    fn arbitrary(g: &mut Gen) -> Self {
        let customer = Customer {
            name: text(g),
            email: bool::arbitrary(g).then(|| text(g)),
            age: u8::arbitrary(g),
        };
        let line = |g: &mut Gen| Line {
            sku: u32::arbitrary(g),
            quantity: u16::arbitrary(g),
        };
        let lines = (0..within(g, 0, 4)).map(|_| line(g)).collect();
        Self(Order {
            id: u64::arbitrary(g),
            customer,
            lines,
            paid: bool::arbitrary(g),
        })
    }
}

fn text(g: &mut Gen) -> String {
    let len = length(g);
    (0..len).map(|_| char::arbitrary(g)).collect()
}

#[derive(Clone, Debug)]
struct Trees(Tree);

impl Arbitrary for Trees {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(tree(g, 4))
    }
}

fn tree(g: &mut Gen, depth: u32) -> Tree {
    if depth == 0 || bool::arbitrary(g) {
        return Tree::Leaf(i64::arbitrary(g));
    }
    let len = within(g, 0, 4);
    Tree::Node((0..len).map(|_| tree(g, depth - 1)).collect())
}

fn expr(g: &mut Gen, depth: u32) -> Expr {
    if depth == 0 || bool::arbitrary(g) {
        return Expr::Int(i64::arbitrary(g));
    }
    let (left, right) = (expr(g, depth - 1), expr(g, depth - 1));
    if bool::arbitrary(g) {
        Expr::sum(left, right)
    } else {
        Expr::quotient(left, right)
    }
}

fn heap(g: &mut Gen, min_value: i64, depth: u32) -> Option<Box<Heap>> {
    if depth == 0 || bool::arbitrary(g) {
        return None;
    }
    let span = min_value.abs_diff(i64::MAX);
    let offset = u64::arbitrary(g)
        .checked_rem(span.saturating_add(1))
        .unwrap_or_default();
    let head = min_value.wrapping_add_unsigned(offset);
    Heap::node(head, heap(g, head, depth - 1), heap(g, head, depth - 1))
}

fn cache_op(g: &mut Gen) -> CacheOp {
    let key = within(g, 0, 7) as u8;
    if bool::arbitrary(g) {
        CacheOp::Get(key)
    } else {
        CacheOp::Put(key, u8::arbitrary(g))
    }
}

fn queue_op(g: &mut Gen) -> QueueOp {
    if bool::arbitrary(g) {
        QueueOp::Push(u8::arbitrary(g))
    } else {
        QueueOp::Pop
    }
}
