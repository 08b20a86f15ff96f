//! Domains contain the values of all models.

use rebut::any;
use rebut::prelude::*;

use super::{Domain, Ranges};
use crate::testing::{Recipe, assignments};
use crate::{Pool, Value};

fn contains(domain: Domain, value: &Value) -> bool {
    domain.meet(Domain::only(value)).is_ok()
}

#[rebut::test(cases = 600)]
fn domains_contain_the_values_of_every_model(
    #[from(vecs(any::<u8>()).max_size(40))] bytes: Vec<u8>,
    #[from(integers().min_value(1).max_value(3))] width: u32,
    has_rewrites: bool,
) {
    let mut pool = if has_rewrites { Pool::new() } else { Pool::without_rewrites() };
    let mut recipe = Recipe::new(&bytes, width, true);
    let mut assertions = vec![recipe.boolean(&mut pool, 3)];
    while !recipe.is_used_up() && assertions.len() < 4 {
        assertions.push(recipe.boolean(&mut pool, 3));
    }
    let ranges = Ranges::infer(&pool, &assertions).expect("few terms");
    let terms = pool.reachable(&assertions);
    let models = assignments(&pool, &assertions, -6..=6);
    // About a hundred of them, evenly spread.
    let step = models.len() / 100 + 1;
    for model in models.step_by(step).filter(|model| model.satisfies(&pool, &assertions)) {
        let Ok(ranges) = &ranges else { panic!("not empty: {model:?}") };
        for (term, value) in terms.iter().zip(model.evaluate_all(&pool, &terms).expect("values")) {
            assert!(contains(ranges.domain(*term), &value), "{model:?} {value}");
        }
    }
}

#[test]
fn comparisons_with_constants_narrow_a_variable() {
    let mut pool = Pool::new();
    let x = pool.var("x", crate::Sort::BitVec(8));
    let (low, high) = (pool.bits(8, 0xf0), pool.bits(8, 5));
    let assertions = [pool.bv_slt(low, x), pool.bv_slt(x, high)];
    let ranges = Ranges::infer(&pool, &assertions).expect("few terms").expect("not empty");
    let Domain::Bits(range) = ranges.domain(x) else { panic!("a bit-vector") };
    assert_eq!((range.signed_min, range.signed_max), (-15, 4));
}

#[test]
fn sums_bound_their_summands() {
    let mut pool = Pool::new();
    let (x, y) = (pool.var("x", crate::Sort::Int), pool.var("y", crate::Sort::Int));
    let (zero, ten) = (pool.int(0), pool.int(10));
    let sum = pool.add(x, y);
    let assertions = [pool.eq(sum, ten), pool.lt(zero, x), pool.lt(x, y)];
    let ranges = Ranges::infer(&pool, &assertions).expect("few terms").expect("not empty");
    let bounds = ranges.bounds();
    let ends = [x, y].map(|variable| (bounds[&variable].min, bounds[&variable].max));
    assert_eq!(ends, [(1, 8), (2, 9)]);
}

#[test]
fn contradictions_leave_an_empty_domain() {
    let mut pool = Pool::new();
    let x = pool.var("x", crate::Sort::BitVec(32));
    let (low, high) = (pool.bits(32, 10), pool.bits(32, 12));
    let eleven = pool.bits(32, 11);
    let assertions = [pool.bv_ult(low, x), pool.bv_ult(x, high), pool.ne(x, eleven)];
    assert!(Ranges::infer(&pool, &assertions).expect("few terms").is_err());
}
