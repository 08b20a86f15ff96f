//! Types that derive `Generate`, in the forms that people write.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

#[cfg_attr(test, derive(rebut::Generate))]
#[derive(Clone, Debug)]
struct Conditional {
    #[cfg_attr(test, generate(max_value = 9))]
    small: u8,
    #[cfg(any())]
    missing: Missing,
}

#[derive(Clone, Debug, rebut::Generate)]
struct Unit;

#[derive(Clone, Debug, rebut::Generate)]
struct Generic<T, const N: usize, const B: bool = true>
where
    T: Clone + Debug,
{
    array: [T; N],
    marker: PhantomData<fn(String)>,
}

#[derive(Clone, Debug, rebut::Generate)]
#[non_exhaustive]
#[repr(u8)]
enum Tree {
    Leaf = 3,
    Node(Box<Tree>, Box<Tree>) = 5,
    Many { r#type: u8, children: Vec<Tree>, maybe: Option<Box<Tree>> },
    Named(HashMap<String, Tree>, BTreeMap<u8, Tree>),
}

#[derive(Clone, Debug, rebut::Generate)]
enum Even {
    Zero,
    Next(Box<Odd>),
}

#[derive(Clone, Debug, rebut::Generate)]
struct Odd(Even);

#[derive(Clone, Debug, rebut::Generate)]
struct Shared {
    counted: Rc<RefCell<u8>>,
    locked: Arc<Mutex<Vec<u8>>>,
}

trait Speak {
    fn speak(&self) -> String;
}

impl Speak for u8 {
    fn speak(&self) -> String {
        self.to_string()
    }
}

#[derive(rebut::Generate)]
struct Speaker {
    #[generate(rebut::Generator::map(rebut::any::<u8>(), |n| Box::new(n) as Box<dyn Speak>))]
    inner: Box<dyn Speak>,
    wide: (u8, u8),
}

#[rebut::test]
fn conditional(value: Conditional) {
    assert!(value.small < 10);
}

#[rebut::test]
fn generic(_unit: Unit, value: Generic<u8, 3>) {
    assert!(value.array.iter().all(|&n| n < 200));
}

fn depth(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf => 1,
        Tree::Node(a, b) => 1 + depth(a).max(depth(b)),
        Tree::Many { children, maybe, .. } => {
            1 + children.iter().chain(maybe.as_deref()).map(depth).max().unwrap_or(0)
        }
        Tree::Named(a, b) => 1 + a.values().chain(b.values()).map(depth).max().unwrap_or(0),
    }
}

#[rebut::test]
fn recursive(tree: Tree) {
    assert!(depth(&tree) < 3);
}

#[rebut::test]
fn mutual(even: Even) {
    assert!(!matches!(even, Even::Next(_)));
}

#[rebut::test]
fn shared(value: Shared) {
    assert!(*value.counted.borrow() < 200 || value.locked.lock().unwrap().is_empty());
}

#[rebut::test]
fn without_debug(speaker: Speaker) {
    assert!(speaker.inner.speak().len() < 3 || speaker.wide.0 < 5);
}
