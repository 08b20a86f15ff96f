use rebut::prelude::*;
use similar::{
    Algorithm, ChangeTag, DiffOp, TextDiff, capture_diff_slices, diff_ratio, group_diff_ops,
};

#[derive(Debug, Clone, Copy, PartialEq, Generate)]
enum Method {
    Myers,
    Patience,
    Lcs,
}

impl From<Method> for Algorithm {
    fn from(method: Method) -> Algorithm {
        match method {
            Method::Myers => Algorithm::Myers,
            Method::Patience => Algorithm::Patience,
            Method::Lcs => Algorithm::Lcs,
        }
    }
}

fn lists() -> impl Generator<Value = Vec<u8>> {
    vecs(0..3_u8).max_size(8)
}

fn is_change(op: &&DiffOp) -> bool {
    !matches!(op, DiffOp::Equal { .. })
}

// expect: passed
#[rebut::test]
fn changes_contain_both_texts(method: Method, old: &str, new: &str) {
    let diff = TextDiff::configure().algorithm(method.into()).diff_chars(old, new);
    let (mut before, mut after) = (String::new(), String::new());
    for change in diff.iter_all_changes() {
        if change.tag() != ChangeTag::Insert {
            before.push_str(change.value());
        }
        if change.tag() != ChangeTag::Delete {
            after.push_str(change.value());
        }
    }
    assert_eq!((before.as_str(), after.as_str()), (old, new));
}

// expect: passed
#[rebut::test]
fn the_longest_common_part_is_symmetric(old: Vec<u8>, new: Vec<u8>) {
    let there = capture_diff_slices(Algorithm::Lcs, &old, &new);
    let back = capture_diff_slices(Algorithm::Lcs, &new, &old);
    assert_eq!(diff_ratio(&there, old.len(), new.len()), diff_ratio(&back, new.len(), old.len()));
}

// Patience keeps what is unique, and so less of the rest.
// expect: failed
#[rebut::test]
fn methods_keep_the_same_number(
    one: Method,
    other: Method,
    #[from(lists())] old: Vec<u8>,
    #[from(lists())] new: Vec<u8>,
) {
    let kept = |method: Method| -> usize {
        let ops = capture_diff_slices(method.into(), &old, &new);
        ops.iter().filter(|op| !is_change(op)).map(|op| op.new_range().len()).sum()
    };
    assert_eq!(kept(one), kept(other));
}

// The double of the context is computed.
// expect: failed: attempt to multiply with overflow
#[rebut::test]
fn groups_keep_changes(old: Vec<bool>, new: Vec<bool>, context: usize) {
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let groups = group_diff_ops(ops.clone(), context);
    assert_eq!(
        groups.iter().flatten().filter(is_change).count(),
        ops.iter().filter(is_change).count()
    );
}

// expect: failed: returned false
#[rebut::test]
fn patches_are_ascii(old: String, new: String) -> bool {
    TextDiff::from_lines(old.as_str(), new.as_str()).unified_diff().to_string().is_ascii()
}

// expect: passed
#[rebut::test]
fn equal_texts_have_an_empty_patch(old: &str, new: &str, radius: Option<u8>) {
    let diff = TextDiff::from_lines(old, new);
    let text =
        diff.unified_diff().context_radius(radius.unwrap_or(3).into()).header("a", "b").to_string();
    assert_eq!(text.is_empty(), old == new);
}

// A text of the list can have words itself.
// expect: failed
#[rebut::test]
fn each_text_has_one_word(texts: Vec<(String, char)>) {
    let text: String = texts.iter().map(|(text, end)| format!("{text}{end}")).collect();
    let diff = TextDiff::from_words(text.as_str(), text.as_str());
    assert!(diff.old_len() <= texts.len() * 2);
}

// No ratio is above one.
// expect: failed
#[rebut::test]
fn a_word_is_close_to_itself(word: String, cutoff: f32) {
    let list = ["apple", "pear", word.as_str()];
    let found = similar::get_close_matches(word.as_str(), &list, 3, cutoff);
    assert!(found.contains(&word.as_str()));
}

// expect: failed: equal: 1
#[rebut::test]
fn ratios_are_below_one(one: Vec<Option<char>>, other: Vec<Option<char>>) {
    let ratio =
        diff_ratio(&capture_diff_slices(Algorithm::Patience, &one, &other), one.len(), other.len());
    assert!((0.0..=1.0).contains(&ratio));
    assert!(ratio < 1.0 || one.is_empty(), "equal: {ratio}");
}

// expect: failed: attempt to divide by zero
#[rebut::test]
fn changes_are_divided_by_lines(total: u32, lines: u32) {
    let each = total / lines;
    assert!(each <= total);
}

fn err<T>(reason: String) -> Result<T, String> {
    Err(reason)
}

// expect: passed
#[rebut::test]
fn ranges_end_with_the_texts(old: Vec<i8>, new: Vec<i8>) -> Result<(), String> {
    let ops = capture_diff_slices(Algorithm::Lcs, &old, &new);
    let (mut from, mut to) = (0, 0);
    for op in &ops {
        if (op.old_range().start, op.new_range().start) != (from, to) {
            return err(format!("a gap before {op:?}"));
        }
        (from, to) = (op.old_range().end, op.new_range().end);
    }
    if (from, to) == (old.len(), new.len()) {
        Ok(())
    } else {
        err(format!("it ends at {from} and {to}"))
    }
}

// expect: passed
#[rebut::test]
fn neighbors_have_different_tags(old: Vec<u8>, new: Vec<u8>) {
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    for pair in ops.windows(2) {
        debug_assert_ne!(pair[0].tag(), pair[1].tag());
    }
}
