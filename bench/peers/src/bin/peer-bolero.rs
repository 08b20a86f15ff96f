//! bolero, measured on the shared problems.
//!
//! Generation is timed through `check!()`, bolero's normal runner. Finding is
//! not: that runner seeds every case from the operating system, and
//! `BOLERO_RANDOM_SEED` names one case, not a run. So finding drives bolero's
//! generators with the driver its runner uses, one per case, seeded from ours.
//! Shrinking is left out: its budget is wall-clock time, so executions are no
//! figure of its own choosing.

use std::hint::black_box;
use std::panic::RefUnwindSafe;

use bench_measure::{CASES_MAX, Library, Mean, Reporter};
use bench_problems::bugs::state::{CacheOp, QueueOp};
use bench_problems::challenges::calculator::Expr;
use bench_problems::challenges::heap::Heap;
use bench_problems::shapes::{Customer, Line, Order, Tree};
use bench_problems::{Outcome, Problem, bugs, challenges};
use bolero::bolero_engine::rng::Recommended;
use bolero::generator::bolero_generator::driver::{Options, Rng};
use bolero::{Driver, TypeGenerator, ValueGenerator, constant, one_of, produce, produce_with};
use rand_core::{RngCore, SeedableRng};

fn main() {
    bench_measure::main::<Bolero>();
}

struct Bolero;

impl Library for Bolero {
    const NAME: &'static str = "bolero";
    const VERSION: &'static str = "0.13.7";

    fn generate(reporter: &Reporter) {
        let twelve = produce_with::<Vec<i64>>().len(0..=12_usize);
        time(reporter, "i64", 1_000_000, produce::<i64>(), |_| 1);
        time(reporter, "vec", 500_000, twelve, Vec::len);
        time(
            reporter,
            "vec_default",
            100_000,
            produce::<Vec<i64>>(),
            Vec::len,
        );
        time(reporter, "string", 50_000, produce::<String>(), |text| {
            text.chars().count()
        });
        time(reporter, "struct", 50_000, Orders, Order::size);
        time(reporter, "tree", 50_000, produce::<Trees>(), Trees::size);
    }

    fn find(reporter: &Reporter) {
        find_challenges(reporter);
        find_bugs(reporter);
    }

    fn shrink(_: &Reporter) {}
}

fn find_challenges(reporter: &Reporter) {
    let pairs = || (1..=i32::MAX, 1..=i32::MAX);
    let lengths = produce_with::<Vec<u16>>()
        .len(1..=100_usize)
        .values(0..=1000_u16);
    let indices = produce_with::<Vec<usize>>().values(0..=10_usize);
    find(reporter, challenges::BOUND5, produce::<[Vec<i16>; 5]>());
    find(
        reporter,
        challenges::LARGE_UNION_LIST,
        produce::<Vec<Vec<i64>>>(),
    );
    find(reporter, challenges::REVERSE, produce::<Vec<i64>>());
    find(
        reporter,
        challenges::CALCULATOR,
        produce::<Exprs>().map_gen(Expr::from),
    );
    find(reporter, challenges::LENGTHLIST, lengths);
    find(reporter, challenges::DIFFERENCE_ZERO, pairs());
    find(reporter, challenges::DIFFERENCE_SMALL, pairs());
    find(reporter, challenges::DIFFERENCE_ONE, pairs());
    find(
        reporter,
        challenges::BINHEAP,
        Heaps {
            min_value: i64::MIN,
            depth: 8,
        },
    );
    find(reporter, challenges::COUPLING, indices);
    find(
        reporter,
        challenges::DELETION,
        (produce::<Vec<i64>>(), 0..=100_usize),
    );
    find(reporter, challenges::DISTINCT, produce::<Vec<i64>>());
    find(
        reporter,
        challenges::NESTEDLISTS,
        produce::<Vec<Vec<i64>>>(),
    );
}

fn find_bugs(reporter: &Reporter) {
    let runs = produce_with::<Vec<(u8, u16)>>().values((produce::<u8>(), 0..=300_u16));
    let gets = (0..=7_u8).map_gen(CacheOp::Get);
    let puts = (0..=7_u8, produce::<u8>()).map_gen(|(key, value)| CacheOp::Put(key, value));
    let pushes = produce::<u8>().map_gen(QueueOp::Push);
    find(reporter, bugs::BINARY_SEARCH, produce::<Vec<i32>>());
    find(reporter, bugs::QUICKSORT_TWINS, produce::<Vec<i32>>());
    find(reporter, bugs::RUN_LENGTH, runs);
    find(
        reporter,
        bugs::TRUNCATE_UTF8,
        (produce::<String>(), 0..=20_usize),
    );
    find(reporter, bugs::BUCKET_OF_KEY, produce::<i32>());
    find(reporter, bugs::LEAP_CENTURY, 1..=9999_u16);
    find(reporter, bugs::BASE64_TAIL, produce::<Vec<u8>>());
    find(reporter, bugs::MERGE_TOUCHING, produce::<Vec<(u8, u8)>>());
    find(reporter, bugs::LRU_REFRESH, lists(one_of((gets, puts))));
    find(reporter, bugs::TRANSPOSE, (1..=8_u8, 1..=8_u8));
    find(reporter, bugs::CSV_QUOTES, produce::<Vec<String>>());
    find(reporter, bugs::UPPER_CASE, produce::<String>());
    find(reporter, bugs::SIGN_OF_ZERO, produce::<f64>());
    find(reporter, bugs::FAR_DUPLICATE, produce::<Vec<u8>>());
    find(
        reporter,
        bugs::RING_BUFFER,
        lists(one_of((pushes, constant(QueueOp::Pop)))),
    );
    find(reporter, bugs::MAGIC_NUMBER, produce::<u32>());
    find(reporter, bugs::BARE_WORD, produce::<String>());
    find(reporter, bugs::BLOCK_CHECKSUM, produce::<Vec<i32>>());
    find(
        reporter,
        bugs::PATCH_MERGE,
        produce::<(Option<u8>, Option<Option<u8>>, Option<Option<u8>>)>(),
    );
    find(reporter, bugs::PERCENT_ENCODING, produce::<Vec<u8>>());
}

fn find<G: ValueGenerator>(reporter: &Reporter, problem: Problem<G::Output>, generator: G)
where
    G::Output: Clone + std::fmt::Debug,
{
    reporter.find(problem, |seed, trial| {
        values(seed, CASES_MAX, &generator).any(|value| trial.run(&value) == Outcome::Failed);
    });
}

/// What bolero's runner would test, case by case.
fn values<G: ValueGenerator>(
    seed: u64,
    cases: u64,
    generator: &G,
) -> impl Iterator<Item = G::Output> {
    let options = Options::default().with_max_len(usize::MAX);
    let mut seeds = Recommended::seed_from_u64(seed);
    (0..cases).filter_map(move |_| {
        let mut case_seed = [0; 16];
        seeds.fill_bytes(&mut case_seed);
        let mut driver = Rng::new(Recommended::from_seed(case_seed), &options);
        generator.generate(&mut driver)
    })
}

fn time<G: ValueGenerator + RefUnwindSafe>(
    reporter: &Reporter,
    shape: &str,
    cases: u64,
    generator: G,
    size: fn(&G::Output) -> usize,
) where
    G::Output: std::fmt::Debug + RefUnwindSafe,
{
    let mean = Mean::of(|mean| {
        values(0, cases / 10, &generator).for_each(|value| mean.add(size(&value)));
    });
    reporter.time(shape, cases, &mean, |cases| {
        bolero::check!()
            .with_iterations(cases as usize)
            .with_generator(&generator)
            .for_each(|value| {
                black_box(value);
            });
    });
}

/// A list of any default length of values of a type that is not ours to
/// implement `TypeGenerator` for.
fn lists<G: ValueGenerator>(elements: G) -> Lists<G> {
    Lists(elements)
}

struct Lists<G>(G);

impl<G: ValueGenerator> ValueGenerator for Lists<G> {
    type Output = Vec<G::Output>;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Self::Output> {
        let len = (0..=64_usize).generate(driver)?;
        (0..len).map(|_| self.0.generate(driver)).collect()
    }
}

#[derive(Clone)]
struct Orders;

impl ValueGenerator for Orders {
    type Output = Order;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Order> {
        let texts = || produce_with::<String>().len(0..=12_usize);
        let lines = produce_with::<Vec<(u32, u16)>>()
            .len(0..=4_usize)
            .generate(driver)?;
        let has_email = driver.produce::<bool>()?;
        Some(Order {
            id: driver.produce::<u64>()?,
            customer: Customer {
                name: texts().generate(driver)?,
                email: if has_email {
                    Some(texts().generate(driver)?)
                } else {
                    None
                },
                age: driver.produce::<u8>()?,
            },
            lines: lines
                .into_iter()
                .map(|(sku, quantity)| Line { sku, quantity })
                .collect(),
            paid: driver.produce::<bool>()?,
        })
    }
}

/// [`Tree`] with a derived generator.
#[derive(Clone, Debug, TypeGenerator)]
enum Trees {
    Leaf(i64),
    Node(#[generator(produce_with::<Vec<Trees>>().len(0..=4_usize))] Vec<Trees>),
}

impl Trees {
    fn size(&self) -> usize {
        Tree::from(self.clone()).size()
    }
}

impl From<Trees> for Tree {
    fn from(trees: Trees) -> Self {
        match trees {
            Trees::Leaf(value) => Self::Leaf(value),
            Trees::Node(children) => Self::Node(children.into_iter().map(Self::from).collect()),
        }
    }
}

/// [`Expr`] with a derived generator.
#[derive(Clone, Debug, TypeGenerator)]
enum Exprs {
    Int(i64),
    Add(Box<Exprs>, Box<Exprs>),
    Div(Box<Exprs>, Box<Exprs>),
}

impl From<Exprs> for Expr {
    fn from(exprs: Exprs) -> Self {
        match exprs {
            Exprs::Int(value) => Self::Int(value),
            Exprs::Add(left, right) => Self::sum(Self::from(*left), Self::from(*right)),
            Exprs::Div(left, right) => Self::quotient(Self::from(*left), Self::from(*right)),
        }
    }
}

struct Heaps {
    min_value: i64,
    depth: u32,
}

impl ValueGenerator for Heaps {
    type Output = Option<Box<Heap>>;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Self::Output> {
        if self.depth == 0 || driver.produce::<bool>()? {
            return Some(None);
        }
        let head = (self.min_value..=i64::MAX).generate(driver)?;
        let children = Self {
            min_value: head,
            depth: self.depth - 1,
        };
        Some(Heap::node(
            head,
            children.generate(driver)?,
            children.generate(driver)?,
        ))
    }
}
