//! Recursive values.
//!
//! Each level is a span with a recursive label named after the type, so shrinking can replace an
//! outer value with an inner one. The driver decides how deep a value is: it knows which
//! alternatives do not recur.

use std::any::type_name;
use std::fmt;
use std::rc::{Rc, Weak};

use rebut_choice::{Label, Source};

use crate::misuse::misuse;
use crate::{AsGenerator, Boxed, Generator};

/// Generates recursive values: a leaf, or a branch made of further values. Shrinks to a leaf.
///
/// `branch` receives the generator of the whole value and returns the generator of a branch.
/// Mutually recursive generators can use [`deferred`].
///
/// # Examples
/// ```
/// use rebut::{Generator, any, recursive, simplest, vecs};
///
/// #[derive(Debug, PartialEq)]
/// enum Json {
///     Number(i64),
///     List(Vec<Json>),
/// }
///
/// let values = recursive(any::<i64>().map(Json::Number), |inner| vecs(inner).map(Json::List));
/// assert_eq!(simplest(&values), Json::Number(0));
/// let found = rebut::find(values, |value| matches!(value, Json::List(list) if list.len() == 1));
/// assert_eq!(found, Some(Json::List(vec![Json::Number(0)])));
/// ```
#[must_use]
pub fn recursive<'a, T: 'a, L, B, F>(leaf: L, branch: F) -> Recursive<'a, T>
where
    L: AsGenerator<Value = T> + 'a,
    B: AsGenerator<Value = T> + 'a,
    F: FnOnce(RecursiveRef<'a, T>) -> B,
{
    let node = Rc::new_cyclic(|whole: &Weak<Node<'a, T>>| Node {
        leaf: Boxed::new(leaf),
        branch: Boxed::new(branch(RecursiveRef { whole: Weak::clone(whole) })),
    });
    Recursive { node, weights: [1, 1] }
}

struct Node<'a, T> {
    leaf: Boxed<'a, T>,
    branch: Boxed<'a, T>,
}

impl<T> Node<'_, T> {
    fn draw(&self, source: &mut Source, weights: &[u32]) -> T {
        source.span(Label::recursive(type_name::<T>()), |source| {
            let is_branch = source.alternative(2, weights, 1) == 1;
            let chosen = if is_branch { &self.branch } else { &self.leaf };
            source.span(Label::ALTERNATIVE, |source| chosen.draw(source))
        })
    }
}

/// The generator that [`recursive`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Recursive;
/// use rebut::{Generator, just, recursive, simplest};
///
/// fn nested() -> Recursive<'static, String> {
///     recursive(just("x".to_string()), |inner| inner.map(|text| format!("({text})")))
/// }
/// assert_eq!(simplest(&nested()), "x");
/// ```
pub struct Recursive<'a, T> {
    node: Rc<Node<'a, T>>,
    weights: [u32; 2],
}

impl<T> Recursive<'_, T> {
    /// Sets the relative frequencies of a leaf and a branch as the outermost value.
    ///
    /// Weights are a hint to random runs. The driver decides where the inner values end.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Generator, just, recursive, sample};
    ///
    /// let nested = recursive(just(0), |inner| inner.map(|depth| depth + 1)).weights(0, 1);
    /// assert!((0..100).all(|seed| sample(&nested, seed) >= 1));
    /// ```
    #[must_use]
    pub fn weights(mut self, leaf: u32, branch: u32) -> Self {
        self.weights = [leaf, branch];
        self
    }
}

impl<T> Generator for Recursive<'_, T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        if self.weights == [0, 0] {
            misuse("recursive().weights", &(0, 0), "weights of which one is above zero");
        }
        self.node.draw(source, &self.weights)
    }
}

impl<T> Clone for Recursive<'_, T> {
    fn clone(&self) -> Self {
        Recursive { node: Rc::clone(&self.node), weights: self.weights }
    }
}

/// The generator of the whole value, which the `branch` function of [`recursive`] receives.
///
/// # Examples
/// ```
/// use rebut::generators::RecursiveRef;
/// use rebut::{Generator, just, recursive, simplest};
///
/// fn pair(inner: RecursiveRef<'_, String>) -> impl Generator<Value = String> {
///     (inner.clone(), inner).map(|(left, right)| format!("({left} {right})"))
/// }
/// assert_eq!(simplest(&recursive(just("x".to_string()), pair)), "x");
/// ```
pub struct RecursiveRef<'a, T> {
    whole: Weak<Node<'a, T>>,
}

impl<T> Generator for RecursiveRef<'_, T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        match self.whole.upgrade() {
            Some(node) => node.draw(source, &[]),
            None => misuse(
                "inner",
                &"outside of the recursive generator it belongs to",
                "a use in the branch of that generator",
            ),
        }
    }
}

impl<T> Clone for RecursiveRef<'_, T> {
    fn clone(&self) -> Self {
        RecursiveRef { whole: Weak::clone(&self.whole) }
    }
}

impl<T> fmt::Debug for Recursive<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "recursive::<{}>(..)", type_name::<T>())
    }
}

impl<T> fmt::Debug for RecursiveRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RecursiveRef<{}>", type_name::<T>())
    }
}

/// Creates a generator that calls `make` only when it generates a value.
///
/// Use it for functions that return generators and call each other. In `one_of![..]`, write the
/// alternatives that do not recur first.
///
/// # Examples
/// ```
/// use rebut::generators::Boxed;
/// use rebut::{Generator, deferred, just, one_of, simplest};
///
/// fn words() -> Boxed<'static, String> {
///     one_of![just(String::new()), deferred(words).map(|word| word + "a")].boxed()
/// }
/// assert_eq!(simplest(&words()), "");
/// ```
#[must_use]
pub fn deferred<G: AsGenerator, F: Fn() -> G>(make: F) -> Deferred<F> {
    Deferred { make }
}

/// The generator that [`deferred`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::{Booleans, Deferred};
/// use rebut::{booleans, deferred, simplest};
///
/// let later: Deferred<fn() -> Booleans> = deferred(booleans);
/// assert_eq!(simplest(&later), false);
/// ```
#[derive(Clone, Copy)]
pub struct Deferred<F> {
    make: F,
}

impl<G: AsGenerator, F: Fn() -> G> Generator for Deferred<F> {
    type Value = G::Value;

    fn draw(&self, source: &mut Source) -> G::Value {
        let label = Label::recursive(type_name::<G::Value>());
        source.span(label, |source| (self.make)().draw_value(source))
    }
}

impl<F> fmt::Debug for Deferred<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("deferred(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{drawn, misuse_of, replays};
    use crate::{any, just, one_of, simplest};

    #[derive(Clone, Debug, PartialEq)]
    enum Tree {
        Leaf(u8),
        Node(Box<Tree>, Box<Tree>),
    }

    fn depth(tree: &Tree) -> usize {
        match tree {
            Tree::Leaf(_) => 0,
            Tree::Node(left, right) => 1 + depth(left).max(depth(right)),
        }
    }

    fn trees() -> Recursive<'static, Tree> {
        recursive(any::<u8>().map(Tree::Leaf), |inner| {
            (inner.clone(), inner).map(|(left, right)| Tree::Node(left.into(), right.into()))
        })
    }

    #[test]
    fn trees_grow_and_end() {
        let depths: Vec<usize> = drawn(&trees(), 200).iter().map(depth).collect();
        assert!(depths.contains(&0) && depths.iter().any(|&depth| depth >= 3));
        assert!(depths.iter().all(|&depth| depth < 64));
        assert_eq!(simplest(&trees()), Tree::Leaf(0));
        replays(&trees());
    }

    #[test]
    fn generators_can_need_each_other() {
        fn evens() -> Boxed<'static, u32> {
            one_of![just(0), deferred(odds).map(|n| n + 1)].boxed()
        }
        fn odds() -> Boxed<'static, u32> {
            deferred(evens).map(|n| n + 1).boxed()
        }
        assert!(drawn(&evens(), 100).iter().all(|n| n % 2 == 0));
        assert!(drawn(&odds(), 100).iter().all(|n| n % 2 == 1));
    }

    #[test]
    fn an_inner_generator_is_refused_outside_of_its_recursion() {
        let mut escaped = None;
        drop(recursive(any::<u8>(), |inner| {
            escaped = Some(inner.clone());
            inner
        }));
        let text = misuse_of(&escaped.expect("an inner generator"));
        assert!(text.contains("outside of the recursive generator"), "{text}");
    }
}
