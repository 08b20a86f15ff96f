//! A vector that stores a few elements inline.

use smallvec::{smallvec, SmallVec};

type Small<T> = SmallVec<[T; 4]>;

// expect: passed
#[rebut::test]
fn round_trips_through_vec(items: Vec<(u16, Option<char>)>) {
    let small: Small<(u16, Option<char>)> = SmallVec::from_vec(items.clone());
    assert_eq!(small.into_vec(), items);
}

// expect: passed
#[rebut::test]
fn spills_only_if_it_has_more_than_the_inline_size(items: &[u8]) -> bool {
    let small: Small<u8> = items.iter().copied().collect();
    small.spilled() == (items.len() > small.inline_size())
}

#[derive(Debug, Clone, rebut::Generate)]
enum Step {
    Push(i8),
    Pop,
    Insert { at: usize, value: i8 },
    Remove(usize),
    Truncate(#[generate(..8)] usize),
    Extend(Vec<i8>),
    Dedup,
}

fn apply(small: &mut Small<i8>, model: &mut Vec<i8>, step: &Step) {
    match step.clone() {
        Step::Push(value) => {
            small.push(value);
            model.push(value);
        }
        Step::Pop => assert_eq!(small.pop(), model.pop()),
        Step::Insert { at, value } => {
            let at = at % (model.len() + 1);
            small.insert(at, value);
            model.insert(at, value);
        }
        Step::Remove(at) if !model.is_empty() => {
            let at = at % model.len();
            assert_eq!(small.remove(at), model.remove(at));
        }
        Step::Remove(_) => {}
        Step::Truncate(len) => {
            small.truncate(len);
            model.truncate(len);
        }
        Step::Extend(values) => {
            small.extend_from_slice(&values);
            model.extend(values);
        }
        Step::Dedup => {
            small.dedup();
            model.dedup();
        }
    }
}

// expect: passed
#[rebut::test]
fn behaves_like_vec(steps: Vec<Step>) {
    let (mut small, mut model) = (Small::new(), Vec::new());
    for step in &steps {
        apply(&mut small, &mut model, step);
        assert_eq!(small.as_slice(), model, "after {step:?}");
    }
}

// `shrink_to_fit` may leave a capacity that is the inline size.
// expect: failed: shrunk to
#[rebut::test]
fn shrink_to_fit_leaves_no_room(mut small_items: Vec<String>, spare: u8) {
    small_items.truncate(9);
    let mut small: Small<String> = smallvec![];
    small.reserve(usize::from(spare));
    small.extend(small_items);
    small.shrink_to_fit();
    assert_eq!(small.capacity(), small.len(), "shrunk to {}", small.capacity());
}

// Once spilled, a vector stays on the heap.
// expect: failed
#[rebut::test]
fn is_inline_when_it_is_short(items: Vec<u32>, #[from(0..=4)] keep: usize, label: Option<&str>) {
    let mut small: Small<u32> = items.into_iter().collect();
    small.truncate(keep);
    assert!(!small.spilled(), "{label:?}: {} of {keep}", small.len());
}

// expect: failed: index <= old_len
#[rebut::test]
fn insert_many_accepts_any_index(items: Vec<u8>, more: [char; 2], at: u8) {
    let mut small: SmallVec<[char; 4]> = items.iter().map(|&byte| char::from(byte)).collect();
    small.insert_many(at.into(), more);
    assert_eq!(small.len(), items.len() + 2);
}

// expect: passed
#[rebut::test]
fn retain_keeps_what_filter_keeps(items: Vec<i16>, keep: impl Fn(i16) -> bool) {
    let mut small: Small<i16> = SmallVec::from_slice(&items);
    small.retain(|item| keep(*item));
    let kept: Vec<i16> = items.into_iter().filter(|item| keep(*item)).collect();
    assert_eq!(&small[..], kept);
}

// Order is that of slices, so a prefix is smaller: the length decides only then.
// expect: failed
#[rebut::test]
fn longer_vectors_are_greater(left: Vec<u8>, right: Vec<u8>) -> Result<(), String> {
    let (one, other) = (Small::from_vec(left), Small::from_vec(right));
    if one.len() < other.len() && one > other {
        return Err(format!("{one:?} is greater than {other:?}"));
    }
    Ok(())
}

// expect: proved: 1024
#[rebut::test]
fn resize_gives_the_length(#[from(0..16)] len: usize, #[from(0..16)] new_len: usize, value: Option<Option<bool>>) {
    let mut small: Small<Option<Option<bool>>> = SmallVec::from_elem(None, len);
    small.resize(new_len, value);
    assert_eq!(small.len(), new_len);
    assert!(small.iter().skip(len).all(|&item| item == value));
}

// Practically no text is a list of numbers in brackets.
// expect: vacuous
#[rebut::test]
fn parsed_lists_are_not_spilled(text: String) {
    let Some(inner) = text.strip_prefix("smallvec![").and_then(|rest| rest.strip_suffix(']')) else {
        return;
    };
    let small: Small<u8> = inner.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    assert!(!small.spilled());
}
