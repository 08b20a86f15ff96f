//! Measures queries about floats: `cargo run --release -p rebut-smt --example floats
//! [-- 'x * x']`.
//!
//! Each query gets a fresh solver with the default budget, first for floats of 32 bits, then for
//! 64. With an argument, only queries whose name contains it run.
#![expect(clippy::print_stdout, reason = "a program that prints what it measured")]

use std::time::Instant;

use rebut_smt::{Answer, Pool, Solver, Sort, Term};

/// Builds the claims of a query about three floats.
type BuildQuery = fn(&mut FloatQuery) -> Vec<Term>;

const QUERIES: [(&str, BuildQuery); 25] = [
    ("x + 0.1 == 0.3", |query| {
        let (tenth, wanted) = (query.number(0.1), query.number(0.3));
        let sum = query.pool.float_add(query.x, tenth);
        vec![query.pool.float_eq(sum, wanted)]
    }),
    ("x + 1 == x", |query| {
        let one = query.number(1.0);
        let sum = query.pool.float_add(query.x, one);
        vec![query.pool.float_eq(sum, query.x)]
    }),
    ("x + 1 < x", |query| {
        let one = query.number(1.0);
        let sum = query.pool.float_add(query.x, one);
        vec![query.pool.float_lt(sum, query.x)]
    }),
    ("x + y == 12.5, x < y, 3 < x", |query| {
        let (three, wanted) = (query.number(3.0), query.number(12.5));
        let sum = query.pool.float_add(query.x, query.y);
        let equal = query.pool.float_eq(sum, wanted);
        let less = query.pool.float_lt(query.x, query.y);
        vec![equal, less, query.pool.float_lt(three, query.x)]
    }),
    ("0 < x, 0 < y, x + y < x", |query| {
        let zero = query.number(0.0);
        let sum = query.pool.float_add(query.x, query.y);
        let positive = [query.pool.float_lt(zero, query.x), query.pool.float_lt(zero, query.y)];
        let less = query.pool.float_lt(sum, query.x);
        vec![positive[0], positive[1], less]
    }),
    ("(x + y) + z != x + (y + z), all in 1..2", |query| {
        let mut claims = query.between(1.0, 2.0);
        let left = query.pool.float_add(query.x, query.y);
        let left = query.pool.float_add(left, query.z);
        let right = query.pool.float_add(query.y, query.z);
        let right = query.pool.float_add(query.x, right);
        let same = query.pool.float_eq(left, right);
        claims.push(query.pool.not(same));
        claims
    }),
    ("x - y == 0, x != y", |query| {
        let zero = query.number(0.0);
        let difference = query.pool.float_sub(query.x, query.y);
        let same = query.pool.float_eq(query.x, query.y);
        vec![query.pool.float_eq(difference, zero), query.pool.not(same)]
    }),
    ("x * x == 2.25", |query| {
        let wanted = query.number(2.25);
        let square = query.pool.float_mul(query.x, query.x);
        vec![query.pool.float_eq(square, wanted)]
    }),
    ("x * x == 2", |query| {
        let wanted = query.number(2.0);
        let square = query.pool.float_mul(query.x, query.x);
        vec![query.pool.float_eq(square, wanted)]
    }),
    ("x * 1.8 + 32 == 212", |query| {
        let (factor, more, wanted) = (query.number(1.8), query.number(32.0), query.number(212.0));
        let product = query.pool.float_mul(query.x, factor);
        let sum = query.pool.float_add(product, more);
        vec![query.pool.float_eq(sum, wanted)]
    }),
    ("x * 0.1 != x / 10, x in 1..2", |query| {
        let mut claims = query.between(1.0, 2.0);
        let (tenth, ten) = (query.number(0.1), query.number(10.0));
        let product = query.pool.float_mul(query.x, tenth);
        let quotient = query.pool.float_div(query.x, ten);
        let same = query.pool.float_eq(product, quotient);
        claims.push(query.pool.not(same));
        claims
    }),
    ("(x - 32) * 5 / 9 == 37", |query| {
        let [less, five, nine, wanted] = [32.0, 5.0, 9.0, 37.0].map(|number| query.number(number));
        let difference = query.pool.float_sub(query.x, less);
        let product = query.pool.float_mul(difference, five);
        let quotient = query.pool.float_div(product, nine);
        vec![query.pool.float_eq(quotient, wanted)]
    }),
    ("x * (1 / x) != 1, x in 1..100", |query| {
        let mut claims = query.between(1.0, 100.0);
        let one = query.number(1.0);
        let inverse = query.pool.float_div(one, query.x);
        let product = query.pool.float_mul(query.x, inverse);
        let same = query.pool.float_eq(product, one);
        claims.push(query.pool.not(same));
        claims
    }),
    ("x * y < x, 1 <= x, 1 <= y", |query| {
        let one = query.number(1.0);
        let product = query.pool.float_mul(query.x, query.y);
        let claims = [query.pool.float_le(one, query.x), query.pool.float_le(one, query.y)];
        vec![claims[0], claims[1], query.pool.float_lt(product, query.x)]
    }),
    ("x * y == 6, x < y, 1 < x", |query| {
        let (one, wanted) = (query.number(1.0), query.number(6.0));
        let product = query.pool.float_mul(query.x, query.y);
        let equal = query.pool.float_eq(product, wanted);
        let less = query.pool.float_lt(query.x, query.y);
        vec![equal, less, query.pool.float_lt(one, query.x)]
    }),
    ("x * x < 0", |query| {
        let zero = query.number(0.0);
        let square = query.pool.float_mul(query.x, query.x);
        vec![query.pool.float_lt(square, zero)]
    }),
    ("x / y == 3, 2 < y", |query| {
        let (two, wanted) = (query.number(2.0), query.number(3.0));
        let quotient = query.pool.float_div(query.x, query.y);
        vec![query.pool.float_eq(quotient, wanted), query.pool.float_lt(two, query.y)]
    }),
    ("x / 3 == 0.5", |query| {
        let (three, wanted) = (query.number(3.0), query.number(0.5));
        let quotient = query.pool.float_div(query.x, three);
        vec![query.pool.float_eq(quotient, wanted)]
    }),
    ("1 / x == 0.3", |query| {
        let (one, wanted) = (query.number(1.0), query.number(0.3));
        let quotient = query.pool.float_div(one, query.x);
        vec![query.pool.float_eq(quotient, wanted)]
    }),
    ("x / y is NaN, x != 0, both finite", |query| {
        let (zero, limit) = (query.number(0.0), query.number(1e30));
        let quotient = query.pool.float_div(query.x, query.y);
        let is_zero = query.pool.float_eq(query.x, zero);
        let mut claims = vec![query.pool.float_is_nan(quotient), query.pool.not(is_zero)];
        for term in [query.x, query.y] {
            let size = query.pool.float_abs(term);
            claims.push(query.pool.float_lt(size, limit));
        }
        claims
    }),
    ("sqrt(x) == 1.5", |query| {
        let wanted = query.number(1.5);
        let root = query.pool.float_sqrt(query.x);
        vec![query.pool.float_eq(root, wanted)]
    }),
    ("sqrt(x * x + y * y) == 5, x == 3, 0 < y", |query| {
        let (zero, three, wanted) = (query.number(0.0), query.number(3.0), query.number(5.0));
        let square = query.pool.float_mul(query.x, query.x);
        let other = query.pool.float_mul(query.y, query.y);
        let sum = query.pool.float_add(square, other);
        let root = query.pool.float_sqrt(sum);
        let equal = query.pool.float_eq(root, wanted);
        let side = query.pool.float_eq(query.x, three);
        vec![equal, side, query.pool.float_lt(zero, query.y)]
    }),
    ("x as i32 == 7, x != 7", |query| {
        let (seven, wanted) = (query.number(7.0), query.pool.bits(32, 7));
        let whole = query.pool.float_to_signed_saturating(32, query.x);
        let is_whole = query.pool.float_eq(query.x, seven);
        vec![query.pool.eq(whole, wanted), query.pool.not(is_whole)]
    }),
    ("nearest(x) == 4, x < 4", |query| {
        let wanted = query.number(4.0);
        let nearest = query.pool.float_nearest(query.x);
        vec![query.pool.float_eq(nearest, wanted), query.pool.float_lt(query.x, wanted)]
    }),
    ("n as float as n != n, n an i32", |query| {
        let n = query.pool.var("n", Sort::BitVec(32));
        let width = query.pool.width(query.x);
        let float = query.pool.float_from_signed(width, n);
        let back = query.pool.float_to_signed_saturating(32, float);
        vec![query.pool.ne(back, n)]
    }),
];

struct FloatQuery {
    pool: Pool,
    x: Term,
    y: Term,
    z: Term,
}

impl FloatQuery {
    fn new(width: u32) -> FloatQuery {
        let mut pool = Pool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.var(name, Sort::BitVec(width)));
        FloatQuery { pool, x, y, z }
    }

    fn number(&mut self, number: f64) -> Term {
        match self.pool.width(self.x) {
            32 => self.pool.f32(number as f32),
            _ => self.pool.f64(number),
        }
    }

    /// Claims that all three are at least `low` and less than `high`.
    fn between(&mut self, low: f64, high: f64) -> Vec<Term> {
        let (low, high) = (self.number(low), self.number(high));
        let mut claims = Vec::new();
        for term in [self.x, self.y, self.z] {
            claims.push(self.pool.float_le(low, term));
            claims.push(self.pool.float_lt(term, high));
        }
        claims
    }

    fn show(&self, answer: &Answer) -> String {
        let Answer::Sat(model) = answer else {
            return if matches!(answer, Answer::Unsat) { "none" } else { "unknown" }.to_owned();
        };
        let values = model.iter().map(|(term, value)| {
            let name = self.pool.name(term).unwrap_or_default();
            let bits = value.as_bits().map_or(0, |bits| bits.unsigned());
            match (name, self.pool.width(term)) {
                ("n", _) => format!("n = {bits}"),
                (name, 32) => format!("{name} = {:?}", f32::from_bits(bits as u32)),
                (name, _) => format!("{name} = {:?}", f64::from_bits(bits as u64)),
            }
        });
        values.collect::<Vec<String>>().join(", ")
    }
}

fn main() {
    let part = std::env::args().nth(1).unwrap_or_default();
    for width in [32, 64] {
        println!("floats of {width} bits");
        for (name, build) in QUERIES.iter().filter(|(name, _)| name.contains(&part)) {
            let mut query = FloatQuery::new(width);
            let claims = build(&mut query);
            let terms = query.pool.graph_size(&claims);
            let before = Instant::now();
            let mut solver = Solver::new();
            let answer = solver.check_assuming(&mut query.pool, &claims);
            let conflicts = solver.statistics().conflicts;
            let time = before.elapsed().as_secs_f64() * 1000.0;
            let shown = query.show(&answer);
            println!("  {name:42} {terms:5} terms {conflicts:7} conflicts {time:9.1} ms  {shown}");
        }
    }
}
