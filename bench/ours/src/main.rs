//! Rebut, measured on the shared problems.

use std::hint::black_box;

use bench_measure::{CASES_MAX, Library, Mean, Reporter, Trial};
use bench_problems::bugs::state::{CacheOp, QueueOp};
use bench_problems::challenges::calculator::Expr;
use bench_problems::challenges::heap::Heap;
use bench_problems::shapes::{Customer, Line, Order, Tree};
use bench_problems::{Outcome, Problem, bugs, challenges};
use rebut::choice::Constants;
use rebut::{
    Case, Check, Generator, Label, Source, any, arrays, from_fn, integers, just, one_of, options,
    recursive, strings, vecs,
};

fn main() {
    bench_measure::main::<Rebut>();
}

struct Rebut;

impl Library for Rebut {
    const NAME: &'static str = "rebut";
    const VERSION: &'static str = "0.1.0";

    fn generate(reporter: &Reporter) {
        time(reporter, "i64", 1_000_000, any::<i64>(), |_| 1);
        time(reporter, "vec", 500_000, vecs(any::<i64>()).max_size(12), Vec::len);
        time(reporter, "vec_default", 100_000, any::<Vec<i64>>(), Vec::len);
        time(reporter, "string", 50_000, any::<String>(), |text| text.chars().count());
        time(reporter, "struct", 50_000, from_fn(order), Order::size);
        time(reporter, "tree", 50_000, trees(), Tree::size);
    }

    fn find(reporter: &Reporter) {
        let bench = Bench { reporter, shrinks: false };
        bench.challenges();
        bench.bugs();
    }

    fn shrink(reporter: &Reporter) {
        Bench { reporter, shrinks: true }.challenges();
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
        let pairs = || {
            let positive = || integers::<i32>().min_value(1);
            (positive(), positive())
        };
        let lengths = integers::<usize>()
            .in_range(1..=100)
            .flat_map(|size| vecs(integers::<u16>().max_value(1000)).size(size));
        self.run(challenges::BOUND5, arrays::<5, _>(any::<Vec<i16>>()));
        self.run(challenges::LARGE_UNION_LIST, any());
        self.run(challenges::REVERSE, any());
        self.run(challenges::CALCULATOR, from_fn(expr));
        self.run(challenges::LENGTHLIST, lengths);
        self.run(challenges::DIFFERENCE_ZERO, pairs());
        self.run(challenges::DIFFERENCE_SMALL, pairs());
        self.run(challenges::DIFFERENCE_ONE, pairs());
        self.run(challenges::BINHEAP, heaps(i64::MIN, 8));
        self.run(challenges::COUPLING, vecs(integers().max_value(10)));
        self.run(challenges::DELETION, (any(), integers().max_value(100)));
        self.run(challenges::DISTINCT, any());
        self.run(challenges::NESTEDLISTS, any());
    }

    fn bugs(&self) {
        let cells = || integers::<u8>().in_range(1..=8);
        self.run(bugs::BINARY_SEARCH, any());
        self.run(bugs::QUICKSORT_TWINS, any());
        self.run(bugs::RUN_LENGTH, vecs((any(), integers().max_value(300))));
        self.run(bugs::TRUNCATE_UTF8, (any(), integers().max_value(20)));
        self.run(bugs::BUCKET_OF_KEY, any());
        self.run(bugs::LEAP_CENTURY, integers().in_range(1..=9999));
        self.run(bugs::BASE64_TAIL, any());
        self.run(bugs::MERGE_TOUCHING, any());
        self.run(bugs::LRU_REFRESH, vecs(cache_ops()));
        self.run(bugs::TRANSPOSE, (cells(), cells()));
        self.run(bugs::CSV_QUOTES, any());
        self.run(bugs::UPPER_CASE, any());
        self.run(bugs::SIGN_OF_ZERO, any());
        self.run(bugs::FAR_DUPLICATE, any());
        self.run(bugs::RING_BUFFER, vecs(queue_ops()));
        self.run(bugs::MAGIC_NUMBER, any());
        self.run(bugs::BARE_WORD, any());
        self.run(bugs::BLOCK_CHECKSUM, any());
        self.run(bugs::PATCH_MERGE, any());
        self.run(bugs::PERCENT_ENCODING, any());
    }

    fn run<G: Generator>(&self, problem: Problem<G::Value>, generator: G)
    where
        G::Value: Clone + std::fmt::Debug,
    {
        if self.shrinks {
            self.reporter.shrink(problem, |seed, trial| check(seed, &generator, trial, 20_000));
        } else {
            self.reporter.find(problem, |seed, trial| check(seed, &generator, trial, 0));
        }
    }
}

/// What a `#[rebut::test]` in the tests folder of the code under test would know of it.
fn constants() -> Constants {
    rebut::mined_constants!("../problems/src")
}

/// One failure, shrunk but not explained: executions for an explanation are no part of
/// shrinking.
fn check<G: Generator>(seed: u64, generator: &G, trial: &Trial<G::Value>, shrink_max: u64)
where
    G::Value: Clone + std::fmt::Debug,
{
    let check = Check::new("problem").cases(CASES_MAX).seed(seed).constants(constants());
    let check = check.configure(|settings| {
        settings.failures_max = 1;
        settings.explain = false;
        settings.shrink_max = shrink_max;
        settings.rejections_max = CASES_MAX;
    });
    check.run(|case| {
        let value = draw(case, generator);
        match trial.run(&value) {
            Outcome::Held => true,
            Outcome::Failed => false,
            Outcome::Skipped => case.reject("skipped"),
        }
    });
}

/// Draws as a parameter of a test is drawn.
fn draw<G: Generator>(case: &mut Case, generator: &G) -> G::Value {
    let value = generator.draw(case.begin_argument());
    if case.end_argument() {
        case.show_argument("value", "");
    }
    value
}

fn time<G: Generator>(
    reporter: &Reporter,
    shape: &str,
    cases: u64,
    generator: G,
    size: fn(&G::Value) -> usize,
) {
    let run = |cases: u64, body: &dyn Fn(&G::Value)| {
        let report = Check::new(shape).cases(cases).seed(0).run(|case| {
            body(black_box(&draw(case, &generator)));
        });
        assert!(report.verdict.is_success(), "a property that holds failed");
    };
    let mean = Mean::of(|mean| run(cases / 10, &|value| mean.add(size(value))));
    reporter.time(shape, cases, &mean, |cases| run(cases, &|_| {}));
}

fn order(source: &mut Source) -> Order {
    let texts = strings().max_size(12);
    Order {
        id: any().draw(source),
        customer: Customer {
            name: texts.draw(source),
            email: options(texts).draw(source),
            age: any().draw(source),
        },
        lines: vecs(from_fn(line)).max_size(4).draw(source),
        paid: any().draw(source),
    }
}

fn line(source: &mut Source) -> Line {
    Line { sku: any().draw(source), quantity: any().draw(source) }
}

fn trees() -> impl Generator<Value = Tree> {
    recursive(any().map(Tree::Leaf), |trees| vecs(trees).max_size(4).map(Tree::Node))
}

/// As `#[derive(Generate)]` draws it.
fn expr(source: &mut Source) -> Expr {
    source.span(Label::recursive("Expr"), |source| {
        let nth = source.alternative(3, &[], 1);
        source.span(Label::ALTERNATIVE, |source| match nth {
            0 => Expr::Int(any().draw(source)),
            1 => Expr::sum(expr(source), expr(source)),
            _ => Expr::quotient(expr(source), expr(source)),
        })
    })
}

fn heaps(min_value: i64, depth: u32) -> impl Generator<Value = Option<Box<Heap>>> {
    from_fn(move |source| heap(source, min_value, depth))
}

fn heap(source: &mut Source, min_value: i64, depth: u32) -> Option<Box<Heap>> {
    if depth == 0 || !source.presence(1, 1) {
        return None;
    }
    let head = integers().min_value(min_value).draw(source);
    let children = (from_fn(|source| heap(source, head, depth - 1)), from_fn(|source| heap(source, head, depth - 1)));
    let (left, right) = children.draw(source);
    Heap::node(head, left, right)
}

fn cache_ops() -> impl Generator<Value = CacheOp> {
    let keys = || integers::<u8>().max_value(7);
    one_of([
        keys().map(CacheOp::Get).boxed(),
        (keys(), any()).map(|(key, value)| CacheOp::Put(key, value)).boxed(),
    ])
}

fn queue_ops() -> impl Generator<Value = QueueOp> {
    one_of([any().map(QueueOp::Push).boxed(), just(QueueOp::Pop).boxed()])
}
