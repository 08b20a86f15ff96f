//! The pool of terms: a hash-consed graph in an arena.
//!
//! A [`Term`] is an index into its [`Pool`]. Building the same term again returns the same index,
//! so memory and work are proportional to the graph and not to the tree.
//!
//! Invariant: the arguments of a term have smaller indices than the term. A loop in the order of
//! indices therefore visits arguments first, without recursion that a deep term could overflow.
//!
//! Constructors rewrite (see the module `rewrite`): the result has the value of the requested
//! term, and often a smaller form. Terms are never freed, because any [`Term`] may still be in
//! use; callers drop whole pools.

mod make;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::op::{Op, SortError};
use crate::{Sort, Value};

/// A term of a [`Pool`]. It is meaningful only in the pool that built it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// Returns the index in the pool. Arguments have smaller indices than their terms.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An arena of terms.
///
/// # Examples
/// ```
/// use rebut_smt::{Pool, Sort};
///
/// let mut pool = Pool::new();
/// let x = pool.var("x", Sort::BitVec(32));
/// let seven = pool.bits(32, 7);
/// let sum = pool.bv_add(x, seven);
/// assert_eq!(pool.bv_sub(sum, seven), x);
/// ```
#[derive(Clone, Debug)]
pub struct Pool {
    id: PoolId,
    nodes: Vec<Node>,
    args: Vec<Term>,
    values: Vec<Value>,
    variables: Vec<Variable>,
    /// The hash table: the first node of each chain. Its length is a power of two.
    buckets: Vec<u32>,
    constants: HashMap<Value, Term>,
    names: HashMap<(Arc<str>, Sort), Term>,
    rewrites: Rewrites,
}

/// The identity of a pool, for caches that outlive a query.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PoolId(u64);

impl PoolId {
    fn new() -> PoolId {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        PoolId(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn number(&self) -> u64 {
        self.0
    }
}

/// A clone gets another id: the next term of each pool has the same index in both, but the terms
/// may differ.
impl Clone for PoolId {
    fn clone(&self) -> PoolId {
        PoolId::new()
    }
}

/// Whether constructors rewrite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rewrites {
    All,
    None,
    /// With one wrong rule, to test that the property of rewrites notices it.
    #[cfg(test)]
    Wrong,
}

/// A term in the arena. Its arguments are a range of `Pool::args`.
#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    sort: Sort,
    first_arg: u32,
    arg_count: u32,
    /// The number of nodes as a tree, saturating.
    tree: u32,
    /// Like `tree`, but shared parts of an operation on floats count once, and those of terms that
    /// were counted.
    size: u32,
    depth: u32,
    /// The next node in the chain of the hash table.
    next: u32,
}

#[derive(Clone, Debug)]
struct Variable {
    name: Arc<str>,
}

/// The end of a chain of the hash table.
const END: u32 = u32::MAX;

/// The depth of terms that recursive rewrites enter. Arbitrary: it must keep the recursion within
/// a thread's stack (`terms_just_below_the_depth_limit_do_not_overflow_the_stack`). A deeper term
/// stays as it is built.
const DEPTH_MAX: u32 = 100;

/// The size, as a tree, of terms that recursive rewrites enter. Arbitrary: a small graph can be a
/// huge tree, and rewrites walk the tree. A larger term stays as it is built.
const SIZE_MAX: u32 = 1000;

impl Default for Pool {
    fn default() -> Pool {
        Pool::new()
    }
}

impl Pool {
    /// Creates a pool without terms.
    pub fn new() -> Pool {
        Pool::with_rewrites(Rewrites::All)
    }

    /// Creates a pool that does not rewrite, for comparison with one that does.
    pub fn without_rewrites() -> Pool {
        Pool::with_rewrites(Rewrites::None)
    }

    pub(crate) fn with_rewrites(rewrites: Rewrites) -> Pool {
        Pool {
            id: PoolId::new(),
            nodes: Vec::new(),
            args: Vec::new(),
            values: Vec::new(),
            variables: Vec::new(),
            buckets: vec![END; 256],
            constants: HashMap::new(),
            names: HashMap::new(),
            rewrites,
        }
    }

    /// Returns a number that no other pool has.
    pub(crate) fn id(&self) -> u64 {
        self.id.number()
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the pool has no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the term with an index; see [`Term::index`].
    pub fn at(&self, index: usize) -> Option<Term> {
        (index < self.nodes.len()).then_some(Term(index as u32))
    }

    /// Returns the operator of a term.
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }

    /// Returns the arguments of a term.
    pub fn args(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.index()];
        &self.args[node.first_arg as usize..(node.first_arg + node.arg_count) as usize]
    }

    /// Returns the sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    /// Returns the width of a bit-vector, or 0 for other sorts.
    pub fn width(&self, term: Term) -> u32 {
        self.sort(term).width().unwrap_or(0)
    }

    /// Returns an upper bound of the number of different parts of a term: the number of nodes as a
    /// tree, saturating, except where [`Pool::count_shared_parts_once`] was called. An operation on
    /// floats counts each of its parts once, because as a tree it is astronomically large. This is
    /// a lookup.
    pub fn size(&self, term: Term) -> u32 {
        self.nodes[term.index()].size
    }

    /// Whether a recursive rewrite must not enter this term, because it could overflow the stack
    /// or take the time of a tree that is much larger than the graph.
    pub(crate) fn is_deep(&self, term: Term) -> bool {
        let node = &self.nodes[term.index()];
        node.depth > DEPTH_MAX || node.tree > SIZE_MAX
    }

    /// Makes the parts of an operation on floats count once in its size. `before` is the number
    /// of terms in the pool before the operation was built.
    pub(crate) fn count_parts_once(
        &mut self,
        before: usize,
        operands: &[Term],
        term: Term,
    ) -> Term {
        if term.index() >= before {
            let parts = self.built_since(before, term);
            let size = operands.iter().fold(parts, |sum, a| sum.saturating_add(self.size(*a)));
            let node = &mut self.nodes[term.index()];
            node.size = node.size.min(size);
        }
        term
    }

    /// Counts the different parts of a term, itself included, and makes that its size. The sizes of
    /// terms that are built from it later begin there, so to ask again costs little in all.
    pub fn count_shared_parts_once(&mut self, term: Term) -> u32 {
        let size = self.built_since(0, term);
        let node = &mut self.nodes[term.index()];
        node.size = node.size.min(size);
        node.size
    }

    /// Counts the parts of a term, itself included, whose index is at least `first`.
    fn built_since(&self, first: usize, term: Term) -> u32 {
        let mut seen = TermSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if term.index() >= first && seen.insert(term) {
                stack.extend(self.args(term));
            }
        }
        seen.len() as u32
    }

    /// Counts the different parts of some terms, themselves included.
    pub fn graph_size(&self, terms: &[Term]) -> usize {
        self.reachable(terms).len()
    }

    /// Returns the value of a constant.
    pub fn value(&self, term: Term) -> Option<&Value> {
        match self.op(term) {
            Op::Const(index) => self.values.get(index as usize),
            _ => None,
        }
    }

    /// Returns the name of a variable.
    pub fn name(&self, term: Term) -> Option<&str> {
        match self.op(term) {
            Op::Var(index) => self.variables.get(index as usize).map(|v| &*v.name),
            _ => None,
        }
    }

    /// Returns all parts of some terms, themselves included, arguments first.
    pub fn reachable(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = TermSet::default();
        let mut stack = roots.to_vec();
        let mut found = Vec::new();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                found.push(term);
                stack.extend(self.args(term));
            }
        }
        found.sort_unstable();
        found
    }

    /// Returns the variables in some terms, oldest first.
    pub fn variables(&self, roots: &[Term]) -> Vec<Term> {
        let mut terms = self.reachable(roots);
        terms.retain(|term| matches!(self.op(*term), Op::Var(_)));
        terms
    }

    /// Substitutes parts of terms. `replacements` maps parts to their replacements; the call adds
    /// every part that it rebuilt, so that the map can be used again.
    pub fn replaced(
        &mut self,
        roots: &[Term],
        replacements: &mut HashMap<Term, Term>,
    ) -> Vec<Term> {
        for part in self.reachable(roots) {
            if replacements.contains_key(&part) {
                continue;
            }
            let old = self.args(part).to_vec();
            let new: Vec<Term> =
                old.iter().map(|part| replacements.get(part).copied().unwrap_or(*part)).collect();
            let rebuilt = match new == old {
                true => part,
                false => self.apply(self.op(part), &new).unwrap_or(part),
            };
            replacements.insert(part, rebuilt);
        }
        roots.iter().map(|root| replacements.get(root).copied().unwrap_or(*root)).collect()
    }

    /// Builds a constant.
    pub fn constant(&mut self, value: Value) -> Term {
        if let Some(term) = self.constants.get(&value) {
            return *term;
        }
        let op = Op::Const(self.values.len() as u32);
        self.values.push(value.clone());
        let term = self.push(op, &[], value.sort(), 0);
        self.constants.insert(value, term);
        term
    }

    /// Builds the variable with this name and sort. The same name with another sort is another
    /// variable.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        let key = (Arc::from(name), sort);
        if let Some(term) = self.names.get(&key) {
            return *term;
        }
        let op = Op::Var(self.variables.len() as u32);
        self.variables.push(Variable { name: Arc::clone(&key.0) });
        let term = self.push(op, &[], sort, 0);
        self.names.insert(key, term);
        term
    }

    /// Builds a new variable whose name starts with `prefix`.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        let mut number = self.variables.len();
        loop {
            let name = format!("{prefix}!{number}");
            if !self.names.contains_key(&(Arc::from(&*name), sort)) {
                return self.var(&name, sort);
            }
            number += 1;
        }
    }

    /// Applies an operator to arguments.
    ///
    /// # Errors
    /// If the sorts do not fit. The message names the accepted sorts.
    pub fn apply(&mut self, op: Op, args: &[Term]) -> Result<Term, SortError> {
        let sorts: Vec<Sort> = args.iter().map(|arg| self.sort(*arg)).collect();
        let sort = op.result(&sorts)?;
        Ok(self.build(op, args, sort))
    }

    /// Like [`apply`](Pool::apply), but panics if the sorts do not fit.
    #[track_caller]
    fn must(&mut self, op: Op, args: &[Term]) -> Term {
        match self.apply(op, args) {
            Ok(term) => term,
            Err(error) => panic!("{error}"),
        }
    }

    fn build(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        match self.rewrites {
            Rewrites::None => self.intern(op, args, sort),
            Rewrites::All => self.rewrite(op, args, sort),
            #[cfg(test)]
            Rewrites::Wrong => crate::rewrite::canary(self, op, args, sort),
        }
    }

    /// Builds the term with exactly this operator and these arguments.
    pub(crate) fn intern(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let hash = hash(op, args);
        let mut at = self.buckets[hash as usize & (self.buckets.len() - 1)];
        while at != END {
            let node = &self.nodes[at as usize];
            if node.op == op && self.args(Term(at)) == args {
                return Term(at);
            }
            at = node.next;
        }
        self.push(op, args, sort, hash)
    }

    fn push(&mut self, op: Op, args: &[Term], sort: Sort, hash: u64) -> Term {
        let term = Term(self.nodes.len() as u32);
        let node = |arg: &Term| &self.nodes[arg.index()];
        let tree = args.iter().map(node).fold(1u32, |sum, arg| sum.saturating_add(arg.tree));
        let size = args.iter().map(node).fold(1u32, |sum, arg| sum.saturating_add(arg.size));
        let depth = args.iter().map(|arg| node(arg).depth + 1).max().unwrap_or(0);
        let first_arg = self.args.len() as u32;
        self.args.extend_from_slice(args);
        let arg_count = args.len() as u32;
        self.nodes.push(Node { op, sort, first_arg, arg_count, tree, size, depth, next: END });
        if !matches!(op, Op::Const(_) | Op::Var(_)) {
            self.enter(term, hash);
        }
        term
    }

    fn enter(&mut self, term: Term, hash: u64) {
        if self.nodes.len() > self.buckets.len() {
            self.grow();
            return;
        }
        let bucket = hash as usize & (self.buckets.len() - 1);
        self.nodes[term.index()].next = self.buckets[bucket];
        self.buckets[bucket] = term.0;
    }

    fn grow(&mut self) {
        self.buckets = vec![END; self.buckets.len() * 4];
        for index in 0..self.nodes.len() {
            let op = self.nodes[index].op;
            if !matches!(op, Op::Const(_) | Op::Var(_)) {
                let hash = hash(op, self.args(Term(index as u32)));
                let bucket = hash as usize & (self.buckets.len() - 1);
                self.nodes[index].next = self.buckets[bucket];
                self.buckets[bucket] = index as u32;
            }
        }
    }
}

/// Hashes an operator and its arguments. Speed matters more than resistance to attacks: an
/// attacker who can choose terms can as well choose hard queries.
fn hash(op: Op, args: &[Term]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut mixer = Mixer(0);
    op.hash(&mut mixer);
    args.iter().for_each(|arg| mixer.write_u32(arg.0));
    mixer.finish()
}

/// A fast hasher for terms: FxHash's rotate, xor and multiply, with the constant of SplitMix64.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

/// Builds the hasher of maps whose keys are terms.
pub(crate) type Mixing = std::hash::BuildHasherDefault<Mixer>;

/// A set of terms.
pub(crate) type TermSet = std::collections::HashSet<Term, Mixing>;

/// A map from terms.
pub(crate) type TermMap<T> = HashMap<Term, T, Mixing>;

impl std::hash::Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u32(number as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_the_same_index() {
        let mut pool = Pool::new();
        let x = pool.var("x", Sort::BitVec(8));
        let built: Vec<Term> = (0..2000)
            .map(|n| {
                let constant = pool.bits(8, n);
                let product = pool.bv_mul(x, x);
                pool.bv_xor(product, constant)
            })
            .collect();
        let again: Vec<Term> = (0..2000)
            .map(|n| {
                let constant = pool.bits(8, n);
                let product = pool.bv_mul(x, x);
                pool.bv_xor(constant, product)
            })
            .collect();
        assert_eq!(built, again);
    }

    #[test]
    fn one_name_with_two_sorts_is_two_variables() {
        let mut pool = Pool::new();
        assert_ne!(pool.var("x", Sort::Int), pool.var("x", Sort::Bool));
        assert_eq!(pool.var("x", Sort::Int), pool.var("x", Sort::Int));
        let fresh = pool.fresh("x", Sort::Int);
        assert_ne!(pool.fresh("x", Sort::Int), fresh);
    }

    #[test]
    fn operations_on_floats_count_their_parts_once() {
        let mut pool = Pool::new();
        let (x, y) = (pool.var("x", Sort::BitVec(32)), pool.var("y", Sort::BitVec(32)));
        let sum = pool.float_add(x, y);
        assert_eq!(pool.size(sum) as usize, pool.graph_size(&[sum]));
        let product = pool.float_mul(sum, sum);
        assert!(pool.size(product) < 1000, "{}", pool.size(product));
        assert!(pool.is_deep(product));
    }

    #[test]
    fn sort_errors_name_the_accepted_sorts() {
        let mut pool = Pool::new();
        let number = pool.int(1);
        let text = pool.string("a");
        let error = pool.apply(Op::Add, &[number, text]).expect_err("an error");
        assert_eq!(error.to_string(), "`+` takes numbers of one sort, not Int, String");
    }
}
