//! hegeltest, measured on the shared problems.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bench_measure::{CASES_MAX, Library, Mean, Reporter, Trial};
use bench_problems::bugs::state::{CacheOp, QueueOp};
use bench_problems::challenges::calculator::Expr;
use bench_problems::challenges::heap::Heap;
use bench_problems::shapes::{Customer, Line, Order, Tree};
use bench_problems::{Outcome, Problem, bugs, challenges};
use hegel::generators::{self as gs, Generator, Integer};
use hegel::{HealthCheck, Hegel, Phase, Settings, TestCase, Verbosity};

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    bench_measure::main::<Hegeltest>();
}

struct Hegeltest;

impl Library for Hegeltest {
    const NAME: &'static str = "hegeltest";
    const VERSION: &'static str = "0.51.0";

    fn generate(reporter: &Reporter) {
        time(
            reporter,
            "i64",
            50_000,
            |tc| tc.draw_silent(gs::integers::<i64>()),
            |_| 1,
        );
        time(
            reporter,
            "vec",
            20_000,
            |tc| tc.draw_silent(ints().max_size(12)),
            Vec::len,
        );
        time(
            reporter,
            "vec_default",
            20_000,
            |tc| tc.draw_silent(ints()),
            Vec::len,
        );
        time(
            reporter,
            "string",
            20_000,
            |tc| tc.draw_silent(gs::text()),
            |text| text.chars().count(),
        );
        time(reporter, "struct", 10_000, order, Order::size);
        time(reporter, "tree", 10_000, tree, Tree::size);
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
        let pairs = |tc: &TestCase| {
            (
                tc.draw_silent(within(1, i32::MAX)),
                tc.draw_silent(within(1, i32::MAX)),
            )
        };
        self.run(challenges::BOUND5, |tc| {
            std::array::from_fn(|_| tc.draw_silent(gs::vecs(gs::integers::<i16>())))
        });
        self.run(challenges::LARGE_UNION_LIST, |tc| {
            tc.draw_silent(gs::vecs(ints()))
        });
        self.run(challenges::REVERSE, |tc| tc.draw_silent(ints()));
        self.run(challenges::CALCULATOR, expr);
        self.run(challenges::LENGTHLIST, |tc| {
            let len = tc.draw_silent(within(1, 100_usize));
            tc.draw_silent(gs::vecs(within(0, 1000_u16)).min_size(len).max_size(len))
        });
        self.run(challenges::DIFFERENCE_ZERO, pairs);
        self.run(challenges::DIFFERENCE_SMALL, pairs);
        self.run(challenges::DIFFERENCE_ONE, pairs);
        self.run(challenges::BINHEAP, |tc| heap(tc, i64::MIN, 8));
        self.run(challenges::COUPLING, |tc| {
            tc.draw_silent(gs::vecs(within(0, 10_usize)))
        });
        self.run(challenges::DELETION, |tc| {
            (tc.draw_silent(ints()), tc.draw_silent(within(0, 100_usize)))
        });
        self.run(challenges::DISTINCT, |tc| tc.draw_silent(ints()));
        self.run(challenges::NESTEDLISTS, |tc| {
            tc.draw_silent(gs::vecs(ints()))
        });
    }

    fn bugs(&self) {
        let ints = |tc: &TestCase| tc.draw_silent(gs::vecs(gs::integers::<i32>()));
        let bytes = |tc: &TestCase| tc.draw_silent(gs::vecs(gs::integers::<u8>()));
        let texts = |tc: &TestCase| tc.draw_silent(gs::text());
        self.run(bugs::BINARY_SEARCH, ints);
        self.run(bugs::QUICKSORT_TWINS, ints);
        self.run(bugs::RUN_LENGTH, |tc| {
            tc.draw_silent(gs::vecs(gs::tuples!(
                gs::integers::<u8>(),
                within(0, 300_u16)
            )))
        });
        self.run(bugs::TRUNCATE_UTF8, |tc| {
            (
                tc.draw_silent(gs::text()),
                tc.draw_silent(within(0, 20_usize)),
            )
        });
        self.run(bugs::BUCKET_OF_KEY, |tc| tc.draw_silent(gs::integers()));
        self.run(bugs::LEAP_CENTURY, |tc| tc.draw_silent(within(1, 9999_u16)));
        self.run(bugs::BASE64_TAIL, bytes);
        self.run(bugs::MERGE_TOUCHING, |tc| {
            tc.draw_silent(gs::vecs(gs::tuples!(
                gs::integers::<u8>(),
                gs::integers::<u8>()
            )))
        });
        self.run(bugs::LRU_REFRESH, cache_ops);
        self.run(bugs::TRANSPOSE, |tc| {
            (
                tc.draw_silent(within(1, 8_u8)),
                tc.draw_silent(within(1, 8_u8)),
            )
        });
        self.run(bugs::CSV_QUOTES, |tc| tc.draw_silent(gs::vecs(gs::text())));
        self.run(bugs::UPPER_CASE, texts);
        self.run(bugs::SIGN_OF_ZERO, |tc| tc.draw_silent(gs::floats()));
        self.run(bugs::FAR_DUPLICATE, bytes);
        self.run(bugs::RING_BUFFER, queue_ops);
        self.run(bugs::MAGIC_NUMBER, |tc| tc.draw_silent(gs::integers()));
        self.run(bugs::BARE_WORD, texts);
        self.run(bugs::BLOCK_CHECKSUM, ints);
        self.run(bugs::PATCH_MERGE, |tc| {
            let bytes = || gs::optional(gs::integers::<u8>());
            let patches = || gs::optional(bytes());
            (
                tc.draw_silent(bytes()),
                tc.draw_silent(patches()),
                tc.draw_silent(patches()),
            )
        });
        self.run(bugs::PERCENT_ENCODING, bytes);
    }

    fn run<T: Clone + std::fmt::Debug>(&self, problem: Problem<T>, draw: fn(&TestCase) -> T) {
        if self.shrinks {
            let phases = [Phase::Generate, Phase::Shrink];
            self.reporter
                .shrink(problem, |seed, trial| check(&phases, seed, draw, trial));
        } else {
            let phases = [Phase::Generate];
            self.reporter
                .find(problem, |seed, trial| check(&phases, seed, draw, trial));
        }
    }
}

fn settings(cases: u64, seed: u64) -> Settings {
    Settings::from_profile("base")
        .test_cases(cases)
        .seed(Some(seed))
        .database(None)
        .suppress_health_check(HealthCheck::all())
        .verbosity(Verbosity::Quiet)
        .print_blob(false)
}

fn check<T: Clone>(phases: &[Phase], seed: u64, draw: fn(&TestCase) -> T, trial: &Trial<T>) {
    let settings = settings(CASES_MAX, seed).phases(phases.iter().copied());
    let property = |tc: TestCase| match trial.run(&draw(&tc)) {
        Outcome::Held => {}
        Outcome::Failed => panic!("failed"),
        Outcome::Skipped => tc.reject(),
    };
    // A failure is a panic, and the trial has counted it.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        Hegel::new(property).settings(settings).run()
    }));
}

fn time<T>(
    reporter: &Reporter,
    shape: &str,
    cases: u64,
    draw: fn(&TestCase) -> T,
    size: fn(&T) -> usize,
) {
    let run = |cases: u64, body: &dyn Fn(&T)| {
        let property = |tc: TestCase| body(black_box(&draw(&tc)));
        Hegel::new(property).settings(settings(cases, 0)).run();
    };
    let mean = Mean::of(|mean| run(cases / 10, &|value| mean.add(size(value))));
    reporter.time(shape, cases, &mean, |cases| run(cases, &|_| {}));
}

fn ints() -> gs::VecGenerator<gs::IntegerGenerator<i64>, i64> {
    gs::vecs(gs::integers::<i64>())
}

fn within<T: Integer>(min_value: T, max_value: T) -> gs::IntegerGenerator<T> {
    gs::integers::<T>()
        .min_value(min_value)
        .max_value(max_value)
}

fn order(tc: &TestCase) -> Order {
    let texts = || gs::text().max_size(12);
    let lines = gs::tuples!(gs::integers::<u32>(), gs::integers::<u16>())
        .map(|(sku, quantity)| Line { sku, quantity });
    Order {
        id: tc.draw_silent(gs::integers()),
        customer: Customer {
            name: tc.draw_silent(texts()),
            email: tc.draw_silent(gs::optional(texts())),
            age: tc.draw_silent(gs::integers()),
        },
        lines: tc.draw_silent(gs::vecs(lines).max_size(4)),
        paid: tc.draw_silent(gs::booleans()),
    }
}

fn tree(tc: &TestCase) -> Tree {
    let leaves = gs::integers::<i64>().map(Tree::Leaf);
    tc.draw_silent(gs::recursive(leaves, |trees| {
        gs::vecs(trees).max_size(4).map(Tree::Node)
    }))
}

fn expr(tc: &TestCase) -> Expr {
    let leaves = gs::integers::<i64>().map(Expr::Int);
    tc.draw_silent(gs::recursive(leaves, |exprs| {
        hegel::one_of!(
            gs::tuples!(exprs.clone(), exprs.clone()).map(|(left, right)| Expr::sum(left, right)),
            gs::tuples!(exprs.clone(), exprs).map(|(left, right)| Expr::quotient(left, right)),
        )
    }))
}

fn heap(tc: &TestCase, min_value: i64, depth: u32) -> Option<Box<Heap>> {
    if depth == 0 || !tc.draw_silent(gs::booleans()) {
        return None;
    }
    let head = tc.draw_silent(gs::integers::<i64>().min_value(min_value));
    Heap::node(head, heap(tc, head, depth - 1), heap(tc, head, depth - 1))
}

fn cache_ops(tc: &TestCase) -> Vec<CacheOp> {
    tc.draw_silent(gs::vecs(hegel::one_of!(
        within(0, 7_u8).map(CacheOp::Get),
        gs::tuples!(within(0, 7_u8), gs::integers::<u8>())
            .map(|(key, value)| CacheOp::Put(key, value)),
    )))
}

fn queue_ops(tc: &TestCase) -> Vec<QueueOp> {
    tc.draw_silent(gs::vecs(hegel::one_of!(
        gs::integers::<u8>().map(QueueOp::Push),
        gs::just(QueueOp::Pop),
    )))
}
