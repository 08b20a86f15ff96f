//! Measures path conditions: `cargo run --release -p rebut-smt --example path_conditions [-- z3]`.
//!
//! 200 queries like those of symbolic execution: 3 to 30 constraints over 4 to 16 variables of 32
//! bits. Each constraint compares small expressions (sums, differences, masks, shifts, products
//! with constants, bytes), mostly with constants. A hidden assignment satisfies all constraints,
//! as for a path that was taken. Then the last one is negated, as for the other branch, so some
//! queries have no solution. Each query gets a fresh solver, so caches do not help. With an
//! argument, the same queries go to that SMT-LIB solver, in one process.
#![expect(clippy::print_stdout, reason = "a program that prints what it measured")]

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rebut_smt::smtlib::Process;
use rebut_smt::{Answer, Bits, Model, Options, Pool, Solver, Sort, Term, Value};

const QUERIES: u64 = 200;

fn main() {
    let mut external = std::env::args().nth(1).map(|command| Process::new(&command));
    for (name, is_hard) in [("path conditions", false), ("with products of variables", true)] {
        let mut queries: Vec<(Pool, Vec<Term>)> = (0..QUERIES)
            .map(|seed| {
                let mut pool = Pool::new();
                let query = QueryGenerator { state: seed * 7919 + 1 }.query(&mut pool, is_hard);
                (pool, query)
            })
            .collect();
        let before = cpu_time();
        let answers: Vec<Answer> =
            queries.iter_mut().map(|(pool, query)| solve(pool, query, external.as_mut())).collect();
        // The CPU time of a child is available once it has ended.
        external.iter_mut().for_each(Process::stop);
        print(name, &answers, cpu_time() - before);
    }
    if external.is_none() {
        sort_five();
    }
}

/// Finds all paths through an insertion sort of five numbers, by negating one condition after the
/// other, with one solver.
fn sort_five() {
    let before = Instant::now();
    let mut pool = Pool::new();
    let mut solver = Solver::new();
    let numbers: Vec<Term> = (0..5).map(|n| pool.var(&format!("n{n}"), Sort::BitVec(32))).collect();
    let mut paths = 0;
    let mut queue: Vec<(Model, usize)> = vec![(Model::default(), 0)];
    while let Some((model, depth)) = queue.pop() {
        paths += 1;
        let conditions = run_sort(&mut pool, &numbers, &model);
        for index in depth..conditions.len() {
            let mut other = conditions[..=index].to_vec();
            other[index] = pool.not(other[index]);
            if let Answer::Sat(model) = solver.check_assuming(&mut pool, &other) {
                queue.push((model, index + 1));
            }
        }
    }
    let time = before.elapsed().as_secs_f64() * 1000.0;
    println!("sorting five numbers: {paths} paths, {time:.1} ms; {:?}", solver.statistics());
}

/// Runs the sort on a model, and returns the conditions of its path.
fn run_sort(pool: &mut Pool, numbers: &[Term], model: &Model) -> Vec<Term> {
    let mut sorted: Vec<Term> = Vec::new();
    let mut conditions = Vec::new();
    for number in numbers {
        let mut place = sorted.len();
        while place > 0 {
            let less = pool.bv_slt(*number, sorted[place - 1]);
            let holds = model.evaluate(pool, less) == Ok(Value::Bool(true));
            conditions.push(if holds { less } else { pool.not(less) });
            if !holds {
                break;
            }
            place -= 1;
        }
        sorted.insert(place, *number);
    }
    conditions
}

fn solve(pool: &mut Pool, query: &[Term], external: Option<&mut Process>) -> Answer {
    match external {
        Some(process) => process.check(pool, query),
        None => {
            let options = Options { conflicts_max: 1_000_000, ..Options::default() };
            Solver::with_options(options).check_assuming(pool, query)
        }
    }
}

fn print(name: &str, answers: &[Answer], time: Duration) {
    let count = |wanted: fn(&Answer) -> bool| answers.iter().filter(|a| wanted(a)).count();
    println!(
        "{name}: {:.2} ms a query; {} sat, {} unsat, {} unknown",
        time.as_secs_f64() * 1000.0 / answers.len() as f64,
        count(|answer| matches!(answer, Answer::Sat(_))),
        count(|answer| matches!(answer, Answer::Unsat)),
        count(|answer| matches!(answer, Answer::Unknown(_))),
    );
}

/// Returns the CPU time of this process and its ended children, or the wall time if the system
/// does not report it.
fn cpu_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    let ticks = || -> Option<u64> {
        let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
        // User and system time, and those of children, in hundredths of a second.
        let fields = stat.rsplit(") ").next()?.split(' ').skip(11).take(4);
        fields.map(|field| field.parse::<u64>().ok()).sum()
    };
    ticks().map_or_else(|| start.elapsed(), |ticks| Duration::from_millis(ticks * 10))
}

/// Generates queries from a seed.
struct QueryGenerator {
    state: u64,
}

impl QueryGenerator {
    fn below(&mut self, count: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % count
    }

    fn query(&mut self, pool: &mut Pool, is_hard: bool) -> Vec<Term> {
        let variables: Vec<Term> =
            (0..4 + self.below(13)).map(|n| pool.var(&format!("x{n}"), Sort::BitVec(32))).collect();
        let hidden = Model::new(variables.iter().map(|variable| {
            let number = self.below(1 << 32) >> (self.below(4) * 8);
            (*variable, Value::Bits(Bits::new(32, number.into())))
        }));
        let count = 3 + self.below(28);
        let mut query: Vec<Term> = Vec::new();
        while (query.len() as u64) < count {
            let claim = self.claim(pool, &variables, is_hard, &hidden);
            let holds = hidden.evaluate(pool, claim) == Ok(Value::Bool(true));
            query.push(if holds { claim } else { pool.not(claim) });
        }
        if let Some(last) = query.pop() {
            query.push(pool.not(last));
        }
        query
    }

    /// Generates a comparison, in half of the cases with a number near the hidden value.
    fn claim(
        &mut self,
        pool: &mut Pool,
        variables: &[Term],
        is_hard: bool,
        hidden: &Model,
    ) -> Term {
        let a = self.expression(pool, variables, 2, is_hard);
        let b = match self.below(4) {
            0 => self.expression(pool, variables, 1, is_hard),
            1 => pool.bits(32, self.below(256).into()),
            _ => {
                let value = hidden.evaluate(pool, a).ok().and_then(|value| value.as_bits());
                let near = value.map_or(0, Bits::unsigned).wrapping_add(self.below(3).into());
                pool.bits(32, near)
            }
        };
        match self.below(3) {
            0 => pool.eq(a, b),
            1 => pool.bv_ult(a, b),
            _ => pool.bv_slt(a, b),
        }
    }

    fn expression(
        &mut self,
        pool: &mut Pool,
        variables: &[Term],
        depth: u32,
        is_hard: bool,
    ) -> Term {
        let variable = variables[self.below(variables.len() as u64) as usize];
        if depth == 0 || self.below(3) == 0 {
            return variable;
        }
        let a = self.expression(pool, variables, depth - 1, is_hard);
        let small = pool.bits(32, (1 + self.below(100)).into());
        match self.below(if is_hard { 11 } else { 10 }) {
            0 | 1 => pool.bv_add(a, small),
            2 => pool.bv_add(a, variable),
            3 => pool.bv_sub(a, variable),
            4 => pool.bv_xor(a, variable),
            5 => {
                let mask = pool.bits(32, (1 << self.below(32)) - 1);
                pool.bv_and(a, mask)
            }
            6 => {
                let places = pool.bits(32, self.below(32).into());
                pool.bv_shl(a, places)
            }
            7 => {
                let byte = self.below(4) as u32 * 8;
                let byte = pool.extract(byte + 7, byte, a);
                pool.zero_extend(24, byte)
            }
            8 => pool.bv_mul(a, small),
            9 => pool.bv_lshr(a, small),
            _ => pool.bv_mul(a, variable),
        }
    }
}
