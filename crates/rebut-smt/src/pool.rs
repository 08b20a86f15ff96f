//! The terms: a hash-consed graph in an arena.
//!
//! A [`Term`] is an index into its [`Pool`]. A term that was built before is found again, so
//! equal terms are the same index, and memory and work are those of the graph and not of the
//! tree. The arguments of a term are always older than it, hence smaller as indices: whoever
//! goes through terms in the order of their indices meets arguments first, with no recursion
//! that a deep term could overflow.
//!
//! Constructors rewrite (see the module `rewrite`): what is built is equal in value to
//! what was asked for, and often smaller.

mod make;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::op::{Op, SortError};
use crate::{Sort, Value};

/// A term of a [`Pool`]. It means something only to the pool that built it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// The place in the pool: arguments have smaller ones than the terms they are in.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The arena of all terms.
///
/// # Example
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
    /// Heads of the chains of nodes with the same hash; the length is a power of two.
    buckets: Vec<u32>,
    constants: HashMap<Value, Term>,
    names: HashMap<(Arc<str>, Sort), Term>,
    rewrites: Rewrites,
}

/// Tells pools apart, for those who remember terms between questions.
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

/// A clone goes its own way: what is built next has the same index in both and is not the same.
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
    /// For the test that shows that a wrong rewrite is noticed.
    #[cfg(test)]
    Wrong,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    sort: Sort,
    first_arg: u32,
    arg_count: u32,
    /// As a tree, at most `u32::MAX`.
    tree: u32,
    /// The same, but for operations on floats: what they are made of counts once.
    size: u32,
    depth: u32,
    next: u32,
}

#[derive(Clone, Debug)]
struct Variable {
    name: Arc<str>,
}

const NOWHERE: u32 = u32::MAX;

/// Rewrites that recurse leave terms alone that are deeper than this.
const DEPTH_MAX: u32 = 100;

/// And those that are larger than this.
const SIZE_MAX: u32 = 1000;

impl Default for Pool {
    fn default() -> Pool {
        Pool::new()
    }
}

impl Pool {
    /// A pool without terms.
    pub fn new() -> Pool {
        Pool::with_rewrites(Rewrites::All)
    }

    /// A pool that builds what is asked for and rewrites nothing: for the comparison with one
    /// that does.
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
            buckets: vec![NOWHERE; 256],
            constants: HashMap::new(),
            names: HashMap::new(),
            rewrites,
        }
    }

    /// A number that no other pool has.
    pub(crate) fn id(&self) -> u64 {
        self.id.number()
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was built yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term at a place of the pool; see [`Term::index`].
    pub fn at(&self, index: usize) -> Option<Term> {
        (index < self.nodes.len()).then_some(Term(index as u32))
    }

    /// What a term does.
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }

    /// What it does it with.
    pub fn args(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.index()];
        &self.args[node.first_arg as usize..(node.first_arg + node.arg_count) as usize]
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }

    /// The width of a bit-vector; 0 for other sorts.
    pub fn width(&self, term: Term) -> u32 {
        self.sort(term).width().unwrap_or(0)
    }

    /// How large a term is if written out as a tree, at most `u32::MAX`; but an operation on
    /// floats counts as many terms as it is made of, since it would fill books as a tree. Costs
    /// nothing.
    pub fn size(&self, term: Term) -> u32 {
        self.nodes[term.index()].size
    }

    /// Whether a rewrite that goes down into this term could overflow the stack, or take the
    /// time of the tree where the graph is small.
    pub(crate) fn is_deep(&self, term: Term) -> bool {
        let node = &self.nodes[term.index()];
        node.depth > DEPTH_MAX || node.tree > SIZE_MAX
    }

    /// Says that a term is one operation on these operands, if it was built after the pool had
    /// so many terms: its parts count once.
    pub(crate) fn as_one(&mut self, before: usize, operands: &[Term], term: Term) -> Term {
        if term.index() >= before {
            let parts = self.built_since(before, term);
            let size = operands.iter().fold(parts, |sum, a| sum.saturating_add(self.size(*a)));
            let node = &mut self.nodes[term.index()];
            node.size = node.size.min(size);
        }
        term
    }

    /// How many of the terms that make up this one are at this place of the pool or behind it.
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

    /// How many different terms make up these, themselves included.
    pub fn graph_size(&self, terms: &[Term]) -> usize {
        self.reachable(terms).len()
    }

    /// The value of a constant.
    pub fn value(&self, term: Term) -> Option<&Value> {
        match self.op(term) {
            Op::Const(index) => self.values.get(index as usize),
            _ => None,
        }
    }

    /// The name of a variable.
    pub fn name(&self, term: Term) -> Option<&str> {
        match self.op(term) {
            Op::Var(index) => self.variables.get(index as usize).map(|v| &*v.name),
            _ => None,
        }
    }

    /// All terms that these are made of, themselves included; arguments come first.
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

    /// The variables in these terms, oldest first.
    pub fn variables(&self, roots: &[Term]) -> Vec<Term> {
        let mut terms = self.reachable(roots);
        terms.retain(|term| matches!(self.op(*term), Op::Var(_)));
        terms
    }

    /// Terms with others put in the place of some of their parts. `known` has these when it is
    /// called and everything that was rebuilt afterward, so it can be used again.
    pub fn replaced(&mut self, roots: &[Term], known: &mut HashMap<Term, Term>) -> Vec<Term> {
        for part in self.reachable(roots) {
            if known.contains_key(&part) {
                continue;
            }
            let old = self.args(part).to_vec();
            let new: Vec<Term> =
                old.iter().map(|part| known.get(part).copied().unwrap_or(*part)).collect();
            let rebuilt = match new == old {
                true => part,
                false => self.apply(self.op(part), &new).unwrap_or(part),
            };
            known.insert(part, rebuilt);
        }
        roots.iter().map(|root| known.get(root).copied().unwrap_or(*root)).collect()
    }

    /// The constant with this value.
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

    /// The variable with this name and sort. The same name with another sort is another
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

    /// A variable that no one has yet, with a name that begins like this.
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

    /// An operator applied to arguments, if their sorts fit.
    ///
    /// # Errors
    /// If they do not fit, in words.
    pub fn apply(&mut self, op: Op, args: &[Term]) -> Result<Term, SortError> {
        let sorts: Vec<Sort> = args.iter().map(|arg| self.sort(*arg)).collect();
        let sort = op.result(&sorts)?;
        Ok(self.build(op, args, sort))
    }

    /// As [`apply`](Pool::apply), for callers who know the sorts.
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

    /// The term with just this operator and these arguments.
    pub(crate) fn intern(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let hash = hash(op, args);
        let mut at = self.buckets[hash as usize & (self.buckets.len() - 1)];
        while at != NOWHERE {
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
        self.nodes.push(Node { op, sort, first_arg, arg_count, tree, size, depth, next: NOWHERE });
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
        self.buckets = vec![NOWHERE; self.buckets.len() * 4];
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

/// Mixes an operator and its arguments. Speed matters more than resistance to malice: who can
/// choose terms can as well choose hard ones.
fn hash(op: Op, args: &[Term]) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut mixer = Mixer(0);
    op.hash(&mut mixer);
    args.iter().for_each(|arg| mixer.write_u32(arg.0));
    mixer.finish()
}

/// A quick hash for terms as keys.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

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
    fn a_term_that_was_built_is_found_again() {
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
    fn an_operation_on_floats_counts_its_parts_once() {
        let mut pool = Pool::new();
        let (x, y) = (pool.var("x", Sort::BitVec(32)), pool.var("y", Sort::BitVec(32)));
        let sum = pool.float_add(x, y);
        assert_eq!(pool.size(sum) as usize, pool.graph_size(&[sum]));
        let product = pool.float_mul(sum, sum);
        assert!(pool.size(product) < 1000, "{}", pool.size(product));
        assert!(pool.is_deep(product));
    }

    #[test]
    fn sorts_that_do_not_fit_are_told_in_words() {
        let mut pool = Pool::new();
        let number = pool.int(1);
        let text = pool.string("a");
        let error = pool.apply(Op::Add, &[number, text]).expect_err("an error");
        assert_eq!(error.to_string(), "`+` takes numbers of one sort, not Int, String");
    }
}
