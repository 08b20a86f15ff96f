//! proptest, measured on the shared problems.

use std::hint::black_box;

use bench_measure::{CASES_MAX, Library, Mean, Reporter, Trial};
use bench_problems::bugs::state::{CacheOp, QueueOp};
use bench_problems::challenges::calculator::Expr;
use bench_problems::challenges::heap::Heap;
use bench_problems::shapes::{Customer, Line, Order, Tree};
use bench_problems::{Outcome, Problem, bugs, challenges};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

fn main() {
    bench_measure::main::<Proptest>();
}

struct Proptest;

impl Library for Proptest {
    const NAME: &'static str = "proptest";
    const VERSION: &'static str = "1.12.0";

    fn generate(reporter: &Reporter) {
        time(reporter, "i64", 1_000_000, any::<i64>(), |_| 1);
        time(
            reporter,
            "vec",
            500_000,
            vec(any::<i64>(), 0..=12),
            Vec::len,
        );
        time(
            reporter,
            "vec_default",
            100_000,
            any::<Vec<i64>>(),
            Vec::len,
        );
        time(reporter, "string", 50_000, any::<String>(), |text| {
            text.chars().count()
        });
        time(reporter, "struct", 50_000, orders(), Order::size);
        time(reporter, "tree", 50_000, trees(), Tree::size);
    }

    fn find(reporter: &Reporter) {
        let bench = Bench {
            reporter,
            shrinks: false,
        };
        bench.challenges();
        bench.bugs();
    }

    fn shrink(reporter: &Reporter) {
        Bench {
            reporter,
            shrinks: true,
        }
        .challenges();
    }
}

/// Runs each problem through the library, to its first failure or to the end
/// of shrinking.
struct Bench<'a> {
    reporter: &'a Reporter,
    shrinks: bool,
}

impl Bench<'_> {
    fn challenges(&self) {
        let ints = any::<Vec<i64>>;
        let lists = any::<Vec<Vec<i64>>>;
        let pairs = || (1..=i32::MAX, 1..=i32::MAX);
        let lengths = (1..=100_usize).prop_flat_map(|len| vec(0..=1000_u16, len));
        self.run(challenges::BOUND5, any::<[Vec<i16>; 5]>());
        self.run(challenges::LARGE_UNION_LIST, lists());
        self.run(challenges::REVERSE, ints());
        self.run(challenges::CALCULATOR, exprs());
        self.run(challenges::LENGTHLIST, lengths);
        self.run(challenges::DIFFERENCE_ZERO, pairs());
        self.run(challenges::DIFFERENCE_SMALL, pairs());
        self.run(challenges::DIFFERENCE_ONE, pairs());
        self.run(challenges::BINHEAP, heaps(i64::MIN, 8));
        self.run(challenges::COUPLING, vec(0..=10_usize, 0..100));
        self.run(challenges::DELETION, (ints(), 0..=100_usize));
        self.run(challenges::DISTINCT, ints());
        self.run(challenges::NESTEDLISTS, lists());
    }

    fn bugs(&self) {
        let runs = vec((any::<u8>(), 0..=300_u16), 0..100);
        self.run(bugs::BINARY_SEARCH, any::<Vec<i32>>());
        self.run(bugs::QUICKSORT_TWINS, any::<Vec<i32>>());
        self.run(bugs::RUN_LENGTH, runs);
        self.run(bugs::TRUNCATE_UTF8, (any::<String>(), 0..=20_usize));
        self.run(bugs::BUCKET_OF_KEY, any::<i32>());
        self.run(bugs::LEAP_CENTURY, 1..=9999_u16);
        self.run(bugs::BASE64_TAIL, any::<Vec<u8>>());
        self.run(bugs::MERGE_TOUCHING, any::<Vec<(u8, u8)>>());
        self.run(bugs::LRU_REFRESH, vec(cache_ops(), 0..100));
        self.run(bugs::TRANSPOSE, (1..=8_u8, 1..=8_u8));
        self.run(bugs::CSV_QUOTES, any::<Vec<String>>());
        self.run(bugs::UPPER_CASE, any::<String>());
        self.run(bugs::SIGN_OF_ZERO, any::<f64>());
        self.run(bugs::FAR_DUPLICATE, any::<Vec<u8>>());
        self.run(bugs::RING_BUFFER, vec(queue_ops(), 0..100));
        self.run(bugs::MAGIC_NUMBER, any::<u32>());
        self.run(bugs::BARE_WORD, any::<String>());
        self.run(bugs::BLOCK_CHECKSUM, any::<Vec<i32>>());
        self.run(
            bugs::PATCH_MERGE,
            any::<(Option<u8>, Option<Option<u8>>, Option<Option<u8>>)>(),
        );
        self.run(bugs::PERCENT_ENCODING, any::<Vec<u8>>());
    }

    fn run<S: Strategy>(&self, problem: Problem<S::Value>, strategy: S)
    where
        S::Value: Clone,
    {
        if self.shrinks {
            let config = config(CASES_MAX);
            self.reporter.shrink(problem, |seed, trial| {
                check(&config, seed, &strategy, trial)
            });
        } else {
            let config = Config {
                max_shrink_iters: 0,
                ..config(CASES_MAX)
            };
            self.reporter.find(problem, |seed, trial| {
                check(&config, seed, &strategy, trial)
            });
        }
    }
}

fn config(cases: u64) -> Config {
    Config {
        cases: cases as u32,
        failure_persistence: None,
        max_global_rejects: 2 * CASES_MAX as u32,
        ..Config::default()
    }
}

fn check<S: Strategy>(config: &Config, seed: u64, strategy: &S, trial: &Trial<S::Value>)
where
    S::Value: Clone,
{
    let config = Config {
        rng_seed: RngSeed::Fixed(seed),
        ..config.clone()
    };
    let result = TestRunner::new(config).run(strategy, |value| match trial.run(&value) {
        Outcome::Held => Ok(()),
        Outcome::Failed => Err(TestCaseError::fail("failed")),
        Outcome::Skipped => Err(TestCaseError::reject("skipped")),
    });
    if let Err(TestError::Abort(reason)) = result {
        assert!(trial.is_exhausted(), "the run ended early: {reason}");
    }
}

fn time<S: Strategy>(
    reporter: &Reporter,
    shape: &str,
    cases: u64,
    strategy: S,
    size: fn(&S::Value) -> usize,
) {
    let run = |cases: u64, body: &dyn Fn(&S::Value)| {
        let config = Config {
            rng_seed: RngSeed::Fixed(0),
            ..config(cases)
        };
        let result = TestRunner::new(config).run(&strategy, |value| {
            body(black_box(&value));
            Ok(())
        });
        assert!(result.is_ok(), "a property that holds failed");
    };
    let mean = Mean::of(|mean| run(cases / 10, &|value| mean.add(size(value))));
    reporter.time(shape, cases, &mean, |cases| run(cases, &|_| {}));
}

fn orders() -> impl Strategy<Value = Order> {
    let texts = || "\\PC{0,12}";
    let customers = (texts(), option::of(texts()), any::<u8>())
        .prop_map(|(name, email, age)| Customer { name, email, age });
    let lines = (any::<u32>(), any::<u16>()).prop_map(|(sku, quantity)| Line { sku, quantity });
    (any::<u64>(), customers, vec(lines, 0..=4), any::<bool>()).prop_map(
        |(id, customer, lines, paid)| Order {
            id,
            customer,
            lines,
            paid,
        },
    )
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaves = any::<i64>().prop_map(Tree::Leaf);
    leaves.prop_recursive(4, 32, 4, |trees| vec(trees, 0..=4).prop_map(Tree::Node))
}

fn exprs() -> impl Strategy<Value = Expr> {
    any::<i64>()
        .prop_map(Expr::Int)
        .prop_recursive(4, 32, 2, |exprs| {
            let pairs = (exprs.clone(), exprs);
            prop_oneof![
                pairs
                    .clone()
                    .prop_map(|(left, right)| Expr::sum(left, right)),
                pairs.prop_map(|(left, right)| Expr::quotient(left, right)),
            ]
        })
}

fn heaps(min_value: i64, depth: u32) -> BoxedStrategy<Option<Box<Heap>>> {
    if depth == 0 {
        return Just(None).boxed();
    }
    let nodes = (min_value..=i64::MAX).prop_flat_map(move |head| {
        let children = (heaps(head, depth - 1), heaps(head, depth - 1));
        children.prop_map(move |(left, right)| Heap::node(head, left, right))
    });
    prop_oneof![Just(None), nodes].boxed()
}

fn cache_ops() -> impl Strategy<Value = CacheOp> {
    prop_oneof![
        (0..=7_u8).prop_map(CacheOp::Get),
        (0..=7_u8, any::<u8>()).prop_map(|(key, value)| CacheOp::Put(key, value)),
    ]
}

fn queue_ops() -> impl Strategy<Value = QueueOp> {
    prop_oneof![any::<u8>().prop_map(QueueOp::Push), Just(QueueOp::Pop)]
}
