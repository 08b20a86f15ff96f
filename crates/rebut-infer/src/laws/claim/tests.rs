//! Tests of the meaning of claims. Each template is compared with its evaluation in Rust, for all
//! small values of its slots, in two worlds: one in which all values are constants, as lengths and
//! variants are on a path, and the free world, in which all values are variables.

use rebut_smt::{Model, Value};

use super::super::evaluator::{Plain, is_true, observed};
use super::super::view::{NONE, SOME, Shape};
use super::*;

// The slots: two lists, two numbers, an option and a boolean.
const LIST: u32 = 0;
const OTHER: u32 = 1;
const NUMBER: u32 = 2;
const INDEX: u32 = 3;
const OPTION: u32 = 4;
const BOOLEAN: u32 = 5;

/// The largest length of a list.
const LENGTH_MAX: usize = 2;

fn slot(slot: u32) -> Expr {
    Expr::Slot(slot)
}

fn boxed(slot: u32) -> Box<Expr> {
    Box::new(Expr::Slot(slot))
}

/// Returns all small values of a slot.
fn values(slot: u32) -> Vec<Plain> {
    match slot {
        LIST | OTHER => {
            let mut lists: Vec<Vec<i128>> = vec![Vec::new()];
            for length in 1..=LENGTH_MAX {
                let shorter = lists.clone();
                let shorter = shorter.iter().filter(|list| list.len() == length - 1);
                lists.extend(
                    shorter.flat_map(|list| [0, 1].map(|n| [list.as_slice(), &[n]].concat())),
                );
            }
            lists.into_iter().map(Plain::List).collect()
        }
        NUMBER | INDEX => [0, 1, 2, 3, 255].map(Plain::Number).to_vec(),
        OPTION => [None, Some(0), Some(1)].map(Plain::Maybe).to_vec(),
        _ => [false, true].map(Plain::Boolean).to_vec(),
    }
}

/// Returns all worlds that differ in these slots.
fn worlds(slots: &[u32]) -> Vec<Vec<Plain>> {
    let mut worlds = vec![Vec::new()];
    for slot in LIST..=BOOLEAN {
        let mut values = values(slot);
        values.truncate(if slots.contains(&slot) { values.len() } else { 1 });
        let with = |world: &Vec<Plain>, value: &Plain| {
            [world.as_slice(), std::slice::from_ref(value)].concat()
        };
        worlds = worlds
            .iter()
            .flat_map(|world| values.iter().map(move |value| with(world, value)))
            .collect();
    }
    worlds
}

/// Returns the shape of a slot.
fn shape(slot: u32) -> Shape {
    let number = || Shape::Scalar(Scalar::Unsigned, 8);
    match slot {
        LIST | OTHER => Shape::Sequence(Some(Box::new(number()))),
        NUMBER | INDEX => number(),
        OPTION => Shape::Variant(vec![(NONE, Vec::new()), (SOME, vec![number()])]),
        _ => Shape::Boolean,
    }
}

/// Sets the variables of a view to a value. Elements beyond the length of a list are set, too: no
/// claim may look at them.
fn assign(pool: &Pool, model: &mut Model, view: &View, value: &Plain) {
    let mut set = |term: Term, number: i128| {
        let bits = rebut_smt::Bits::new(pool.width(term), number as u128);
        model.set(term, Value::Bits(bits));
    };
    match (view, value) {
        (View::Scalar(_, term), Plain::Number(number)) => set(*term, *number),
        (View::Boolean(term), Plain::Boolean(truth)) => model.set(*term, Value::Bool(*truth)),
        (View::Sequence { length, items }, Plain::List(list)) => {
            set(*length, list.len() as i128);
            for (n, item) in items.iter().enumerate() {
                let View::Scalar(_, term) = item else { panic!("lists contain numbers") };
                set(*term, list.get(n).copied().unwrap_or(1));
            }
        }
        (View::Variant { tag, held }, Plain::Maybe(content)) => {
            set(*tag, i128::from(if content.is_some() { SOME } else { NONE }));
            for (_, parts) in held {
                for part in parts {
                    let View::Scalar(_, term) = part else { panic!("options contain numbers") };
                    set(*term, content.unwrap_or(1));
                }
            }
        }
        _ => panic!("{value:?} does not fit {view:?}"),
    }
}

/// Checks a claim in all small worlds.
fn check(claim: &Claim) {
    let tags = Tags::default();
    let mut free_pool = Pool::new();
    let views = (LIST..=BOOLEAN)
        .map(|slot| Some(shape(slot).any(&mut free_pool, LENGTH_MAX, &mut Vec::new())));
    let free_world = World { views: views.collect(), panics: None };
    let free_term = Meaning { pool: &mut free_pool, tags: &tags, world: &free_world }.term(claim);
    let free_term = free_term.expect("the claim has a meaning");
    for world in worlds(&claim.slots()) {
        let expected = is_true(claim, &world, false);
        let mut pool = Pool::new();
        let mut tags = Tags::default();
        let views = world.iter().map(|value| {
            let value = observed(&mut pool, value);
            View::from_observed(&mut pool, &mut tags, &value)
        });
        let constants = World { views: views.collect(), panics: None };
        let term = Meaning { pool: &mut pool, tags: &tags, world: &constants }.term(claim);
        let meant = term.and_then(|term| pool.value(term)?.as_bool());
        assert_eq!(meant, Some(expected), "{claim:?} of constants {world:?}");
        let mut model = Model::default();
        for (view, value) in free_world.views.iter().flatten().zip(&world) {
            assign(&free_pool, &mut model, view, value);
        }
        let meant = model.evaluate(&free_pool, free_term).expect("all variables have values");
        assert_eq!(meant.as_bool(), Some(expected), "{claim:?} of variables {world:?}");
    }
}

/// Checks all comparisons of a number with an expression.
fn check_number(expr: &Expr) {
    check(&Claim::Same(slot(NUMBER), expr.clone()));
    check(&Claim::Different(slot(NUMBER), expr.clone()));
    check(&Claim::Less(slot(NUMBER), expr.clone()));
    check(&Claim::Less(expr.clone(), slot(NUMBER)));
    check(&Claim::AtMost(slot(NUMBER), expr.clone()));
    check(&Claim::AtMost(expr.clone(), slot(NUMBER)));
}

/// Checks that a list is equal to an expression, and that it is not.
fn check_list(expr: &Expr) {
    check(&Claim::Same(slot(LIST), expr.clone()));
    check(&Claim::Different(slot(LIST), expr.clone()));
}

#[test]
fn booleans_have_values() {
    check(&Claim::Boolean(BOOLEAN, true));
    check(&Claim::Boolean(BOOLEAN, false));
}

#[test]
fn variants_are_distinguished() {
    for name in ["Some", "None"] {
        check(&Claim::Is(OPTION, name.to_owned()));
        check(&Claim::IsNot(OPTION, name.to_owned()));
    }
}

#[test]
fn slots_are_compared() {
    check_number(&slot(INDEX));
    check_list(&slot(OTHER));
}

#[test]
fn constants_are_compared() {
    check_number(&Expr::Number(2));
    check_number(&Expr::Number(-1));
    // In 14 bits, these would be 1 and -1.
    check_number(&Expr::Number((1 << 14) + 1));
    check_number(&Expr::Number((1 << 14) - 1));
    check_number(&Expr::Least(INDEX));
    check_number(&Expr::Greatest(INDEX));
}

#[test]
fn linear_expressions_do_not_wrap() {
    check_number(&Expr::Linear { slot: INDEX, times: 1, plus: 1 });
    check_number(&Expr::Linear { slot: INDEX, times: 2, plus: -3 });
}

#[test]
fn sums_and_differences_do_not_wrap() {
    check_number(&Expr::Sum(NUMBER, INDEX));
    check_number(&Expr::Difference(INDEX, NUMBER));
}

#[test]
fn lengths_are_numbers() {
    check_number(&Expr::Length(LIST));
}

#[test]
fn a_variant_holds_a_value() {
    let holding = || Expr::Holding("Some".to_owned(), boxed(NUMBER));
    check(&Claim::Same(slot(OPTION), holding()));
    check(&Claim::Different(slot(OPTION), holding()));
}

#[test]
fn the_first_and_the_last_element_are_options() {
    check(&Claim::Same(slot(OPTION), Expr::First(LIST)));
    check(&Claim::Same(slot(OPTION), Expr::Last(LIST)));
}

#[test]
fn the_empty_list_has_no_elements() {
    check_list(&Expr::Empty);
}

#[test]
fn elements_are_appended_and_prepended() {
    check_list(&Expr::Appended(OTHER, boxed(NUMBER)));
    check_list(&Expr::Prepended(OTHER, boxed(NUMBER)));
}

#[test]
fn elements_at_the_ends_are_removed() {
    check_list(&Expr::WithoutLast(OTHER));
    check_list(&Expr::WithoutFirst(OTHER));
}

#[test]
fn elements_are_inserted_at_an_index() {
    check_list(&Expr::Inserted { into: OTHER, at: INDEX, item: boxed(NUMBER) });
}

#[test]
fn elements_are_removed_at_an_index() {
    check_list(&Expr::Removed { from: OTHER, at: INDEX });
}

#[test]
fn elements_are_updated_at_an_index() {
    check_list(&Expr::Updated { of: OTHER, at: INDEX, item: boxed(NUMBER) });
}

#[test]
fn lists_are_reversed() {
    check_list(&Expr::Reversed(OTHER));
}

#[test]
fn lists_are_truncated() {
    check_list(&Expr::Truncated(OTHER, INDEX));
}

#[test]
fn lists_contain_or_lack_elements() {
    check(&Claim::Contains(LIST, slot(NUMBER)));
    check(&Claim::Lacks(LIST, slot(NUMBER)));
}

#[test]
fn lists_start_with_lists() {
    check(&Claim::StartsWith(LIST, OTHER));
}

#[test]
fn lists_with_the_same_elements_may_differ_in_order() {
    check(&Claim::SameElements(LIST, OTHER));
}

#[test]
fn conditions_are_equivalent() {
    let is_empty = Claim::Same(slot(LIST), Expr::Empty);
    check(&Claim::Iff(Box::new(Claim::Boolean(BOOLEAN, true)), Box::new(is_empty)));
}

#[test]
fn panics_are_those_of_the_world() {
    let mut pool = Pool::new();
    let claim = Claim::Panics("any message".to_owned());
    for panics in [false, true] {
        let world = World { views: Vec::new(), panics: Some(pool.bool(panics)) };
        let tags = Tags::default();
        let term = Meaning { pool: &mut pool, tags: &tags, world: &world }.term(&claim);
        assert_eq!(term.and_then(|term| pool.value(term)?.as_bool()), Some(panics));
    }
}

/// Whether a claim is true of unsigned numbers of this width; `None` if it is meaningless.
fn is_true_of_numbers(width: u32, numbers: &[u128], claim: &Claim) -> Option<bool> {
    let mut pool = Pool::new();
    let view = |number: &u128| Some(View::Scalar(Scalar::Unsigned, pool.bits(width, *number)));
    let world = World { views: numbers.iter().map(view).collect(), panics: None };
    let tags = Tags::default();
    let term = Meaning { pool: &mut pool, tags: &tags, world: &world }.term(claim)?;
    pool.value(term).and_then(Value::as_bool)
}

#[test]
fn numbers_of_128_bits_are_only_compared_for_equality() {
    let [a, b] = [0, 1].map(Expr::Slot);
    let is_true = |numbers: &[u128], claim: &Claim| is_true_of_numbers(128, numbers, claim);
    assert_eq!(is_true(&[1, 2], &Claim::Less(a.clone(), b.clone())), None);
    assert_eq!(is_true(&[1, 2], &Claim::Same(a.clone(), Expr::Number(1))), None);
    assert_eq!(is_true(&[2, 2], &Claim::Same(a, b)), Some(true));
}

#[test]
fn a_claim_about_another_type_is_meaningless() {
    assert_eq!(is_true_of_numbers(8, &[1], &Claim::Boolean(0, true)), None);
    assert_eq!(is_true_of_numbers(8, &[1], &Claim::Contains(0, Expr::Slot(0))), None);
}

#[test]
fn a_negated_claim_is_true_where_the_claim_is_false() {
    let [a, b] = [0, 1].map(Expr::Slot);
    for claim in [Claim::Less(a.clone(), b.clone()), Claim::Same(a, b)] {
        let negated = claim.not().expect("templates can express it");
        assert_eq!(negated.not(), Some(claim.clone()));
        for numbers in [[1, 2], [2, 1], [2, 2]] {
            let [own, other] =
                [&claim, &negated].map(|claim| is_true_of_numbers(8, &numbers, claim));
            assert_ne!(own, other);
        }
    }
}
