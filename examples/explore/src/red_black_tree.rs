//! A search tree that stays balanced: no way down has two red links in a row, and all ways have
//! the same number of black ones. Red links lean to the left (Sedgewick 2008).

/// A set of numbers.
#[derive(Clone, Debug, Default)]
pub struct RedBlackTree {
    root: Link,
}

type Link = Option<Box<Node>>;

#[derive(Clone, Debug)]
struct Node {
    key: i32,
    is_red: bool,
    left: Link,
    right: Link,
}

impl RedBlackTree {
    /// An empty set.
    #[must_use]
    pub fn new() -> RedBlackTree {
        RedBlackTree::default()
    }

    /// Adds a number; whether it is new.
    pub fn insert(&mut self, key: i32) -> bool {
        let (mut root, is_new) = inserted(self.root.take(), key);
        root.is_red = false;
        self.root = Some(root);
        is_new
    }

    /// Whether a number is there.
    #[must_use]
    pub fn contains(&self, key: i32) -> bool {
        let mut here = &self.root;
        while let Some(node) = here {
            if key == node.key {
                return true;
            }
            here = if key < node.key { &node.left } else { &node.right };
        }
        false
    }

    /// Takes out the smallest number.
    pub fn remove_min(&mut self) -> Option<i32> {
        let mut root = self.root.take()?;
        if !is_red(&root.left) && !is_red(&root.right) {
            root.is_red = true;
        }
        let (removed, mut rest) = without_min(root);
        if let Some(root) = &mut rest {
            root.is_red = false;
        }
        self.root = rest;
        Some(removed)
    }

    /// The numbers in order.
    #[must_use]
    pub fn to_vec(&self) -> Vec<i32> {
        let mut keys = Vec::new();
        collect(&self.root, &mut keys);
        keys
    }

    /// Whether the tree is as it has to be: ordered, balanced, with no two red links in a row
    /// and none to the right.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.to_vec().is_sorted_by(|one, next| one < next)
            && !is_red(&self.root)
            && black_links(&self.root).is_some()
    }
}

fn is_red(link: &Link) -> bool {
    link.as_ref().is_some_and(|node| node.is_red)
}

fn inserted(link: Link, key: i32) -> (Box<Node>, bool) {
    let Some(mut node) = link else {
        return (Box::new(Node { key, is_red: true, left: None, right: None }), true);
    };
    if key == node.key {
        return (node, false);
    }
    let is_left = key < node.key;
    let side = if is_left { &mut node.left } else { &mut node.right };
    let (child, is_new) = inserted(side.take(), key);
    *side = Some(child);
    (balanced(node), is_new)
}

/// The smallest key, and what is left. The node or its left child is red.
fn without_min(mut node: Box<Node>) -> (i32, Link) {
    let Some(left) = &node.left else { return (node.key, None) };
    if !left.is_red && !is_red(&left.left) {
        node = with_red_to_the_left(node);
    }
    match node.left.take() {
        None => (node.key, None),
        Some(left) => {
            let (removed, rest) = without_min(left);
            node.left = rest;
            (removed, Some(balanced(node)))
        }
    }
}

/// Makes the left child of a red node, or one of its children, red.
fn with_red_to_the_left(mut node: Box<Node>) -> Box<Node> {
    flip(&mut node);
    if node.right.as_ref().is_some_and(|right| is_red(&right.left)) {
        node.right = node.right.take().map(turned_right);
        node = turned_left(node);
        flip(&mut node);
    }
    node
}

fn balanced(mut node: Box<Node>) -> Box<Node> {
    if is_red(&node.right) && !is_red(&node.left) {
        node = turned_left(node);
    }
    if is_red(&node.left) && node.left.as_ref().is_some_and(|left| is_red(&left.left)) {
        node = turned_right(node);
    }
    if is_red(&node.left) && is_red(&node.right) {
        flip(&mut node);
    }
    node
}

/// Puts the right child in the place of the node.
fn turned_left(mut node: Box<Node>) -> Box<Node> {
    let Some(mut top) = node.right.take() else { return node };
    node.right = top.left.take();
    top.is_red = std::mem::replace(&mut node.is_red, true);
    top.left = Some(node);
    top
}

/// Puts the left child in the place of the node.
fn turned_right(mut node: Box<Node>) -> Box<Node> {
    let Some(mut top) = node.left.take() else { return node };
    node.left = top.right.take();
    top.is_red = std::mem::replace(&mut node.is_red, true);
    top.right = Some(node);
    top
}

/// Exchanges the color of a node with that of its children.
fn flip(node: &mut Node) {
    node.is_red = !node.is_red;
    for child in [&mut node.left, &mut node.right].into_iter().flatten() {
        child.is_red = !child.is_red;
    }
}

fn collect(link: &Link, keys: &mut Vec<i32>) {
    if let Some(node) = link {
        collect(&node.left, keys);
        keys.push(node.key);
        collect(&node.right, keys);
    }
}

/// How many black links are on each way down, if the tree is as it has to be.
fn black_links(link: &Link) -> Option<usize> {
    let Some(node) = link else { return Some(0) };
    let is_lonely = !(node.is_red && is_red(&node.left));
    let (left, right) = (black_links(&node.left)?, black_links(&node.right)?);
    let is_fine = is_lonely && !is_red(&node.right) && left == right;
    is_fine.then_some(left + usize::from(!node.is_red))
}
