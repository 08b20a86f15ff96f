//! How long questions about floats take: `cargo run --release -p rebut-smt --example floats
//! [-- 'x * x']`.
//!
//! Each question is asked of a fresh solver with the default budget, first about floats of 32
//! bits, then of 64. With an argument, only those with this in their name.
#![expect(clippy::print_stdout, reason = "a program that prints what it measured")]

use std::time::Instant;

use rebut_smt::{Answer, Pool, Solver, Sort, Term};

/// A question about three floats.
type Question = fn(&mut Asking) -> Vec<Term>;

const QUESTIONS: [(&str, Question); 25] = [
    ("x + 0.1 == 0.3", |ask| {
        let (tenth, wanted) = (ask.number(0.1), ask.number(0.3));
        let sum = ask.pool.float_add(ask.x, tenth);
        vec![ask.pool.float_eq(sum, wanted)]
    }),
    ("x + 1 == x", |ask| {
        let one = ask.number(1.0);
        let sum = ask.pool.float_add(ask.x, one);
        vec![ask.pool.float_eq(sum, ask.x)]
    }),
    ("x + 1 < x", |ask| {
        let one = ask.number(1.0);
        let sum = ask.pool.float_add(ask.x, one);
        vec![ask.pool.float_lt(sum, ask.x)]
    }),
    ("x + y == 12.5, x < y, 3 < x", |ask| {
        let (three, wanted) = (ask.number(3.0), ask.number(12.5));
        let sum = ask.pool.float_add(ask.x, ask.y);
        let equal = ask.pool.float_eq(sum, wanted);
        let less = ask.pool.float_lt(ask.x, ask.y);
        vec![equal, less, ask.pool.float_lt(three, ask.x)]
    }),
    ("0 < x, 0 < y, x + y < x", |ask| {
        let zero = ask.number(0.0);
        let sum = ask.pool.float_add(ask.x, ask.y);
        let positive = [ask.pool.float_lt(zero, ask.x), ask.pool.float_lt(zero, ask.y)];
        let less = ask.pool.float_lt(sum, ask.x);
        vec![positive[0], positive[1], less]
    }),
    ("(x + y) + z != x + (y + z), all in 1..2", |ask| {
        let mut claims = ask.between(1.0, 2.0);
        let left = ask.pool.float_add(ask.x, ask.y);
        let left = ask.pool.float_add(left, ask.z);
        let right = ask.pool.float_add(ask.y, ask.z);
        let right = ask.pool.float_add(ask.x, right);
        let same = ask.pool.float_eq(left, right);
        claims.push(ask.pool.not(same));
        claims
    }),
    ("x - y == 0, x != y", |ask| {
        let zero = ask.number(0.0);
        let difference = ask.pool.float_sub(ask.x, ask.y);
        let same = ask.pool.float_eq(ask.x, ask.y);
        vec![ask.pool.float_eq(difference, zero), ask.pool.not(same)]
    }),
    ("x * x == 2.25", |ask| {
        let wanted = ask.number(2.25);
        let square = ask.pool.float_mul(ask.x, ask.x);
        vec![ask.pool.float_eq(square, wanted)]
    }),
    ("x * x == 2", |ask| {
        let wanted = ask.number(2.0);
        let square = ask.pool.float_mul(ask.x, ask.x);
        vec![ask.pool.float_eq(square, wanted)]
    }),
    ("x * 1.8 + 32 == 212", |ask| {
        let (factor, more, wanted) = (ask.number(1.8), ask.number(32.0), ask.number(212.0));
        let product = ask.pool.float_mul(ask.x, factor);
        let sum = ask.pool.float_add(product, more);
        vec![ask.pool.float_eq(sum, wanted)]
    }),
    ("x * 0.1 != x / 10, x in 1..2", |ask| {
        let mut claims = ask.between(1.0, 2.0);
        let (tenth, ten) = (ask.number(0.1), ask.number(10.0));
        let product = ask.pool.float_mul(ask.x, tenth);
        let quotient = ask.pool.float_div(ask.x, ten);
        let same = ask.pool.float_eq(product, quotient);
        claims.push(ask.pool.not(same));
        claims
    }),
    ("(x - 32) * 5 / 9 == 37", |ask| {
        let [less, five, nine, wanted] = [32.0, 5.0, 9.0, 37.0].map(|number| ask.number(number));
        let difference = ask.pool.float_sub(ask.x, less);
        let product = ask.pool.float_mul(difference, five);
        let quotient = ask.pool.float_div(product, nine);
        vec![ask.pool.float_eq(quotient, wanted)]
    }),
    ("x * (1 / x) != 1, x in 1..100", |ask| {
        let mut claims = ask.between(1.0, 100.0);
        let one = ask.number(1.0);
        let inverse = ask.pool.float_div(one, ask.x);
        let product = ask.pool.float_mul(ask.x, inverse);
        let same = ask.pool.float_eq(product, one);
        claims.push(ask.pool.not(same));
        claims
    }),
    ("x * y < x, 1 <= x, 1 <= y", |ask| {
        let one = ask.number(1.0);
        let product = ask.pool.float_mul(ask.x, ask.y);
        let claims = [ask.pool.float_le(one, ask.x), ask.pool.float_le(one, ask.y)];
        vec![claims[0], claims[1], ask.pool.float_lt(product, ask.x)]
    }),
    ("x * y == 6, x < y, 1 < x", |ask| {
        let (one, wanted) = (ask.number(1.0), ask.number(6.0));
        let product = ask.pool.float_mul(ask.x, ask.y);
        let equal = ask.pool.float_eq(product, wanted);
        let less = ask.pool.float_lt(ask.x, ask.y);
        vec![equal, less, ask.pool.float_lt(one, ask.x)]
    }),
    ("x * x < 0", |ask| {
        let zero = ask.number(0.0);
        let square = ask.pool.float_mul(ask.x, ask.x);
        vec![ask.pool.float_lt(square, zero)]
    }),
    ("x / y == 3, 2 < y", |ask| {
        let (two, wanted) = (ask.number(2.0), ask.number(3.0));
        let quotient = ask.pool.float_div(ask.x, ask.y);
        vec![ask.pool.float_eq(quotient, wanted), ask.pool.float_lt(two, ask.y)]
    }),
    ("x / 3 == 0.5", |ask| {
        let (three, wanted) = (ask.number(3.0), ask.number(0.5));
        let quotient = ask.pool.float_div(ask.x, three);
        vec![ask.pool.float_eq(quotient, wanted)]
    }),
    ("1 / x == 0.3", |ask| {
        let (one, wanted) = (ask.number(1.0), ask.number(0.3));
        let quotient = ask.pool.float_div(one, ask.x);
        vec![ask.pool.float_eq(quotient, wanted)]
    }),
    ("x / y is NaN, x != 0, both finite", |ask| {
        let (zero, limit) = (ask.number(0.0), ask.number(1e30));
        let quotient = ask.pool.float_div(ask.x, ask.y);
        let is_zero = ask.pool.float_eq(ask.x, zero);
        let mut claims = vec![ask.pool.float_is_nan(quotient), ask.pool.not(is_zero)];
        for term in [ask.x, ask.y] {
            let size = ask.pool.float_abs(term);
            claims.push(ask.pool.float_lt(size, limit));
        }
        claims
    }),
    ("sqrt(x) == 1.5", |ask| {
        let wanted = ask.number(1.5);
        let root = ask.pool.float_sqrt(ask.x);
        vec![ask.pool.float_eq(root, wanted)]
    }),
    ("sqrt(x * x + y * y) == 5, x == 3, 0 < y", |ask| {
        let (zero, three, wanted) = (ask.number(0.0), ask.number(3.0), ask.number(5.0));
        let square = ask.pool.float_mul(ask.x, ask.x);
        let other = ask.pool.float_mul(ask.y, ask.y);
        let sum = ask.pool.float_add(square, other);
        let root = ask.pool.float_sqrt(sum);
        let equal = ask.pool.float_eq(root, wanted);
        let side = ask.pool.float_eq(ask.x, three);
        vec![equal, side, ask.pool.float_lt(zero, ask.y)]
    }),
    ("x as i32 == 7, x != 7", |ask| {
        let (seven, wanted) = (ask.number(7.0), ask.pool.bits(32, 7));
        let whole = ask.pool.float_to_signed_saturating(32, ask.x);
        let is_whole = ask.pool.float_eq(ask.x, seven);
        vec![ask.pool.eq(whole, wanted), ask.pool.not(is_whole)]
    }),
    ("nearest(x) == 4, x < 4", |ask| {
        let wanted = ask.number(4.0);
        let nearest = ask.pool.float_nearest(ask.x);
        vec![ask.pool.float_eq(nearest, wanted), ask.pool.float_lt(ask.x, wanted)]
    }),
    ("n as float as n != n, n an i32", |ask| {
        let n = ask.pool.var("n", Sort::BitVec(32));
        let width = ask.pool.width(ask.x);
        let float = ask.pool.float_from_signed(width, n);
        let back = ask.pool.float_to_signed_saturating(32, float);
        vec![ask.pool.ne(back, n)]
    }),
];

struct Asking {
    pool: Pool,
    x: Term,
    y: Term,
    z: Term,
}

impl Asking {
    fn new(width: u32) -> Asking {
        let mut pool = Pool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.var(name, Sort::BitVec(width)));
        Asking { pool, x, y, z }
    }

    fn number(&mut self, number: f64) -> Term {
        match self.pool.width(self.x) {
            32 => self.pool.f32(number as f32),
            _ => self.pool.f64(number),
        }
    }

    /// All three are at least `low` and less than `high`.
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
        for (name, question) in QUESTIONS.iter().filter(|(name, _)| name.contains(&part)) {
            let mut asking = Asking::new(width);
            let claims = question(&mut asking);
            let terms = asking.pool.graph_size(&claims);
            let before = Instant::now();
            let mut solver = Solver::new();
            let answer = solver.check_assuming(&mut asking.pool, &claims);
            let conflicts = solver.statistics().conflicts;
            let time = before.elapsed().as_secs_f64() * 1000.0;
            let shown = asking.show(&answer);
            println!("  {name:42} {terms:5} terms {conflicts:7} conflicts {time:9.1} ms  {shown}");
        }
    }
}
