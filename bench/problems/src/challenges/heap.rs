//! A binary heap whose conversion to a sorted list forgets to keep merging.

use crate::Outcome;

/// A node of a binary heap: both children's keys are at least `head`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heap {
    /// The least key of the heap.
    pub head: i64,
    /// The left child.
    pub left: Option<Box<Heap>>,
    /// The right child.
    pub right: Option<Box<Heap>>,
}

impl Heap {
    /// A heap of a key and two heaps of greater or equal keys.
    pub fn node(head: i64, left: Option<Box<Self>>, right: Option<Box<Self>>) -> Option<Box<Self>> {
        Some(Box::new(Self { head, left, right }))
    }

    /// A heap of one key.
    pub fn leaf(head: i64) -> Option<Box<Self>> {
        Self::node(head, None, None)
    }
}

/// The heap's list comes out sorted. Input: empty or a node, with equal
/// chance; a node's head is any integer (at the root) or any integer at least
/// the parent's head; children are drawn after it in the same way, and are
/// empty below a depth of eight.
pub fn sorts(heap: &Option<Box<Heap>>) -> Outcome {
    let list = wrong_sorted_list(heap.as_deref());
    Outcome::held_if(list.is_sorted())
}

/// `(0, None, (0, (0), (1)))`.
pub fn normal_form() -> Option<Box<Heap>> {
    Heap::node(0, None, Heap::node(0, Heap::leaf(0), Heap::leaf(1)))
}

/// Whether a heap is the [`normal_form`].
pub fn is_normal(heap: &Option<Box<Heap>>) -> bool {
    *heap == normal_form()
}

/// The bug: only the first step merges, the rest is a plain traversal.
fn wrong_sorted_list(heap: Option<&Heap>) -> Vec<i64> {
    let Some(heap) = heap else {
        return Vec::new();
    };
    let rest = merge(heap.left.as_deref(), heap.right.as_deref());
    let mut list = vec![heap.head];
    list.extend(to_list(rest.as_deref()));
    list
}

fn merge(a: Option<&Heap>, b: Option<&Heap>) -> Option<Box<Heap>> {
    let (a, b) = match (a, b) {
        (None, other) | (other, None) => return other.map(|heap| Box::new(heap.clone())),
        (Some(a), Some(b)) => (a, b),
    };
    let (top, other) = if a.head <= b.head { (a, b) } else { (b, a) };
    Heap::node(
        top.head,
        merge(top.right.as_deref(), Some(other)),
        top.left.clone(),
    )
}

fn to_list(heap: Option<&Heap>) -> Vec<i64> {
    let mut list = Vec::new();
    let mut stack = vec![heap];
    while let Some(next) = stack.pop() {
        let Some(heap) = next else { continue };
        list.push(heap.head);
        stack.push(heap.left.as_deref());
        stack.push(heap.right.as_deref());
    }
    list
}
