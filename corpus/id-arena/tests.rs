//! An arena that hands out ids.

use id_arena::{Arena, ArenaBehavior, DefaultArenaBehavior, Id};
use rebut::prelude::*;

// expect: passed
#[rebut::test]
fn ids_are_numbered_in_order(values: Vec<[u8; 2]>) {
    let mut arena = Arena::<[u8; 2]>::new();
    for (nth, value) in values.iter().enumerate() {
        let next = arena.next_id();
        let id = arena.alloc(*value);
        assert_eq!((id, id.index()), (next, nth));
    }
    assert!(arena.iter().map(|(_, value)| *value).eq(values));
}

// expect: passed
#[rebut::test]
fn ids_of_other_arenas_find_nothing(value: Option<u32>, others: Vec<Option<u32>>) -> bool {
    let mut one = Arena::<Option<u32>>::new();
    let id = one.alloc(value);
    let mut two = Arena::<Option<u32>>::new();
    for other in others {
        two.alloc(other);
    }
    two.get(id).is_none()
}

// A clone of an arena has the same ids, so ids of one are valid in the other.
// expect: failed
#[rebut::test]
fn ids_of_clones_find_nothing(values: Vec<char>, extra: char) {
    let mut arena: Arena<char> = Arena::with_capacity(values.len());
    for value in values {
        arena.alloc(value);
    }
    let id = arena.alloc(extra);
    let copy = arena.clone();
    assert_eq!(copy.get(id), None, "{:?} is known", id);
}

// Arenas with equal values have different ids, and are not equal.
// expect: failed
#[rebut::test]
fn equal_values_make_equal_arenas(values: &[i8]) {
    let fill = || {
        let mut arena: Arena<i8> = Arena::new();
        for value in values {
            arena.alloc(*value);
        }
        arena
    };
    assert_eq!(fill().len(), fill().len());
    assert!(fill() == fill());
}

#[derive(Debug, Clone, PartialEq, rebut::Generate)]
enum Expr {
    Number(i8),
    Negate(Box<Expr>),
    Add(Box<Expr>, Box<Expr>),
}

enum Node {
    Number(i8),
    Negate(Id<Node>),
    Add(Id<Node>, Id<Node>),
}

fn store(arena: &mut Arena<Node>, expr: &Expr) -> Id<Node> {
    let node = match expr {
        Expr::Number(number) => Node::Number(*number),
        Expr::Negate(inner) => Node::Negate(store(arena, inner)),
        Expr::Add(left, right) => {
            let left = store(arena, left);
            Node::Add(left, store(arena, right))
        }
    };
    arena.alloc(node)
}

fn load(arena: &Arena<Node>, id: Id<Node>) -> Expr {
    match &arena[id] {
        Node::Number(number) => Expr::Number(*number),
        Node::Negate(inner) => Expr::Negate(Box::new(load(arena, *inner))),
        Node::Add(left, right) => Expr::Add(Box::new(load(arena, *left)), Box::new(load(arena, *right))),
    }
}

fn value(arena: &Arena<Node>, id: Id<Node>) -> i8 {
    match &arena[id] {
        Node::Number(number) => *number,
        Node::Negate(inner) => -value(arena, *inner),
        Node::Add(left, right) => value(arena, *left) + value(arena, *right),
    }
}

// expect: passed
#[rebut::test]
fn trees_round_trip(expr: Expr) {
    let mut arena = Arena::new();
    let id = store(&mut arena, &expr);
    assert_eq!(load(&arena, id), expr);
    assert_eq!(id.index() + 1, arena.len());
}

// There are two bugs in it: sums, and the number without a negative.
// expect: failed: attempt to
#[rebut::test]
fn trees_have_a_value(expr: Expr, name: Option<String>) {
    let mut arena = Arena::new();
    let id = store(&mut arena, &expr);
    assert!(value(&arena, id) <= i8::MAX, "{name:?}");
}

// expect: proved: 4000
#[rebut::test]
fn behavior_keeps_index_and_arena(#[from(0..40)] arena_id: u32, #[from(0..100)] index: usize) {
    let id = DefaultArenaBehavior::<u8>::new_id(arena_id, index);
    assert_eq!(DefaultArenaBehavior::<u8>::index(id), index);
    assert_eq!(DefaultArenaBehavior::<u8>::arena_id(id), arena_id);
}

// expect: failed: index out of bounds
#[rebut::test]
fn next_id_can_be_used(values: Vec<u8>, default: u8) {
    let mut arena = Arena::<u8>::new();
    let mut sum = 0_u8;
    for value in values {
        let id = arena.next_id();
        sum = sum.wrapping_add(if sum == 7 { arena[id] } else { default });
        arena.alloc(value);
    }
}

// Ids are never made from texts, and these are no numbers.
// expect: passed
#[rebut::test]
fn numbers_in_texts_are_indices(text: String) {
    let mut arena = Arena::<()>::new();
    if let Ok(index) = text.trim().parse::<u8>() {
        for _ in 0..=index {
            arena.alloc(());
        }
        assume!(arena.len() > 0);
        assert_eq!(arena.len(), usize::from(index) + 1);
    }
}
