//! Comparisons of variables with each other and with constants.
//!
//! Sorting, search trees and merges need little else: which input is less than which. Such
//! assertions are edges of a graph: `a < b` is an edge with weight 1, `a <= b` one with weight 0.
//! Each node has the bounds of its type. The least numbers that respect all edges are the longest
//! paths (difference constraints; Bellman 1958): start every node at its minimum and raise the
//! end of each violated edge until nothing changes. If a number exceeds its maximum, there is no
//! solution.
//!
//! For example, unsigned `3 <= a`, `a < b`, `b < c` and `c <= 5` settle at 3, 4 and 5. With
//! `b != 4` as well, `b` must be on one side of 4. Below, it would have to exceed `a >= 3`; above,
//! `c` would have to exceed 5. Both fail, so the assertions contradict each other. In general,
//! two nodes that must differ and do not are ordered one way, then the other.
//!
//! Invariant: assertions of other kinds are left out. A contradiction of the rest is one of all;
//! a model counts only if it satisfies all of them.

mod abstraction;

use std::collections::HashMap;

use crate::op::Op;
use crate::value::mask;
use crate::{Bits, Model, Pool, Term, Value};

pub(crate) use abstraction::abstract_order;

/// The number of ways to order nodes that must differ, over one query. Arbitrary. The search is
/// exponential in the number of disequalities; at the limit the answer is
/// [`OrderAnswer::Unknown`], and the bit-blaster decides.
const TRIES_MAX: usize = 256;

/// The answer of the order layer.
#[derive(Debug)]
pub(crate) enum OrderAnswer {
    /// These assertions, some of all, contradict each other.
    Contradiction(Vec<Term>),
    /// These values satisfy all assertions.
    Model(Model),
    /// Neither was found.
    Unknown,
}

/// Solves the comparisons among some assertions.
pub(crate) fn solve(pool: &Pool, assertions: &[Term]) -> OrderAnswer {
    let mut graph = Graph::new(pool, assertions);
    for assertion in assertions {
        graph.add(*assertion);
    }
    if graph.edges.is_empty() && graph.disequalities.is_empty() {
        return OrderAnswer::Unknown;
    }
    let mut tries = TRIES_MAX;
    match graph.solve(&mut tries) {
        GraphSolution::Numbers(numbers) => {
            let models = [Some(numbers), graph.near_zero()].into_iter().flatten().rev();
            let mut models = models.map(|numbers| graph.model(&numbers));
            let fitting = models.find(|model| model.satisfies(pool, assertions));
            fitting.map_or(OrderAnswer::Unknown, OrderAnswer::Model)
        }
        GraphSolution::Impossible(mut core) => {
            core.sort_unstable();
            core.dedup();
            OrderAnswer::Contradiction(core)
        }
        GraphSolution::OutOfTries => OrderAnswer::Unknown,
    }
}

/// A constant, or a variable with its reading: `true` is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Variable(Term, bool),
    Constant(i128),
}

/// `less + by <= more`, because of an assertion.
#[derive(Clone, Copy, Debug)]
struct Edge {
    less: usize,
    more: usize,
    by: i128,
    assertion: Term,
}

/// Nodes that must differ, because of an assertion.
#[derive(Clone, Copy, Debug)]
struct Disequality {
    nodes: (usize, usize),
    assertion: Term,
}

/// The comparisons as difference constraints. `min` and `max` are the bounds of each node.
#[derive(Debug)]
struct Graph<'a> {
    pool: &'a Pool,
    nodes: Vec<Node>,
    indices: HashMap<Node, usize>,
    min: Vec<i128>,
    max: Vec<i128>,
    edges: Vec<Edge>,
    disequalities: Vec<Disequality>,
    /// Whether some comparison is signed. Equations have no reading of their own, so they take
    /// this one.
    is_signed: bool,
}

/// The result of solving a graph.
enum GraphSolution {
    /// One number per node.
    Numbers(Vec<i128>),
    /// The assertions that contradict each other.
    Impossible(Vec<Term>),
    OutOfTries,
}

impl<'a> Graph<'a> {
    fn new(pool: &'a Pool, assertions: &[Term]) -> Graph<'a> {
        let is_signed = assertions.iter().any(|term| {
            let inner = if pool.op(*term) == Op::Not { pool.args(*term)[0] } else { *term };
            pool.op(inner) == Op::BvSlt
        });
        Graph {
            pool,
            nodes: Vec::new(),
            indices: HashMap::new(),
            min: Vec::new(),
            max: Vec::new(),
            edges: Vec::new(),
            disequalities: Vec::new(),
            is_signed,
        }
    }

    fn add(&mut self, assertion: Term) {
        let (term, holds) = match self.pool.op(assertion) {
            Op::Not => (self.pool.args(assertion)[0], false),
            _ => (assertion, true),
        };
        let op = self.pool.op(term);
        let is_signed = match op {
            Op::BvUlt => false,
            Op::BvSlt => true,
            Op::Eq => self.is_signed,
            _ => return,
        };
        let &[a, b] = self.pool.args(term) else { return };
        let (Some(a), Some(b)) = (self.node(a, is_signed), self.node(b, is_signed)) else { return };
        match (op, holds) {
            (Op::Eq, true) => {
                self.edges.push(Edge { less: a, more: b, by: 0, assertion });
                self.edges.push(Edge { less: b, more: a, by: 0, assertion });
            }
            (Op::Eq, false) => self.disequalities.push(Disequality { nodes: (a, b), assertion }),
            (_, true) => self.edges.push(Edge { less: a, more: b, by: 1, assertion }),
            (_, false) => self.edges.push(Edge { less: b, more: a, by: 0, assertion }),
        }
    }

    /// Returns the node of one side of a comparison: a constant, a variable, or an extended
    /// variable. `None` for other terms.
    fn node(&mut self, term: Term, is_signed: bool) -> Option<usize> {
        if let Some(value) = self.pool.value(term) {
            let bits = value.as_bits()?;
            let number =
                if is_signed { bits.signed() } else { i128::try_from(bits.unsigned()).ok()? };
            return has_room(number, number)
                .then(|| self.index_of(Node::Constant(number), number, number));
        }
        let (variable, is_signed) = match self.pool.op(term) {
            Op::Var(_) => (term, is_signed),
            Op::SignExtend(_) if is_signed => (self.pool.args(term)[0], true),
            // A number with zeros on top is not negative in either reading.
            Op::Concat if self.pool.bits_of(self.pool.args(term)[0]) == Some(0) => {
                (self.pool.args(term)[1], false)
            }
            _ => return None,
        };
        let width = match self.pool.op(variable) {
            Op::Var(_) => self.pool.sort(variable).width()?,
            _ => return None,
        };
        let (min, max) = match (is_signed, width) {
            (true, width) => {
                let max = mask(width - 1) as i128;
                (-max - 1, max)
            }
            (false, 0..=126) => (0, mask(width) as i128),
            _ => return None,
        };
        has_room(min, max).then(|| self.index_of(Node::Variable(variable, is_signed), min, max))
    }

    fn index_of(&mut self, node: Node, min: i128, max: i128) -> usize {
        let next = self.nodes.len();
        let index = *self.indices.entry(node).or_insert(next);
        if index == next {
            self.nodes.push(node);
            self.min.push(min);
            self.max.push(max);
        }
        index
    }

    /// Raises numbers until they respect the edges. Fails with the assertions that raise a number
    /// over its maximum.
    fn least(&self, mut numbers: Vec<i128>) -> Result<Vec<i128>, Vec<Term>> {
        let mut raised_by = vec![None; self.nodes.len()];
        loop {
            let mut is_stable = true;
            for (index, edge) in self.edges.iter().enumerate() {
                let needed = numbers[edge.less] + edge.by;
                if numbers[edge.more] < needed {
                    raised_by[edge.more] = Some(index);
                    if needed > self.max[edge.more] {
                        return Err(self.assertions_on_the_way(edge.more, &raised_by));
                    }
                    numbers[edge.more] = needed;
                    is_stable = false;
                }
            }
            if is_stable {
                return Ok(numbers);
            }
        }
    }

    /// Returns the assertions of the edges that lead to a node, back to one that has no edge or
    /// was there before.
    fn assertions_on_the_way(&self, to: usize, raised_by: &[Option<usize>]) -> Vec<Term> {
        let mut assertions = Vec::new();
        let mut is_seen = vec![false; self.nodes.len()];
        let mut at = to;
        while let Some(edge) = raised_by[at].filter(|_| !is_seen[at]) {
            is_seen[at] = true;
            assertions.push(self.edges[edge].assertion);
            at = self.edges[edge].less;
        }
        assertions
    }

    /// Lowers numbers until they respect the edges; `None` if one falls below its minimum.
    fn greatest(&self, mut numbers: Vec<i128>) -> Option<Vec<i128>> {
        loop {
            let mut is_stable = true;
            for edge in &self.edges {
                let allowed = numbers[edge.more] - edge.by;
                if numbers[edge.less] > allowed {
                    if allowed < self.min[edge.less] {
                        return None;
                    }
                    numbers[edge.less] = allowed;
                    is_stable = false;
                }
            }
            if is_stable {
                return Some(numbers);
            }
        }
    }

    /// Finds the least numbers that respect the edges and the disequalities. Edges that it adds
    /// to separate nodes stay in the graph if they are part of the solution.
    fn solve(&mut self, tries: &mut usize) -> GraphSolution {
        if let Some(core) = self.cycle() {
            return GraphSolution::Impossible(core);
        }
        let numbers = match self.least(self.min.clone()) {
            Ok(numbers) => numbers,
            Err(core) => return GraphSolution::Impossible(core),
        };
        let is_violated = |one: &&Disequality| numbers[one.nodes.0] == numbers[one.nodes.1];
        let Some(&Disequality { nodes: (a, b), assertion }) =
            self.disequalities.iter().find(is_violated)
        else {
            return GraphSolution::Numbers(numbers);
        };
        if a == b {
            return GraphSolution::Impossible(vec![assertion]);
        }
        let (mut is_out_of_tries, mut cores) = (false, vec![assertion]);
        for (less, more) in [(a, b), (b, a)] {
            if *tries == 0 {
                return GraphSolution::OutOfTries;
            }
            *tries -= 1;
            self.edges.push(Edge { less, more, by: 1, assertion });
            match self.solve(tries) {
                GraphSolution::Numbers(numbers) => return GraphSolution::Numbers(numbers),
                GraphSolution::OutOfTries => is_out_of_tries = true,
                GraphSolution::Impossible(core) => cores.extend(core),
            }
            self.edges.pop();
        }
        if is_out_of_tries { GraphSolution::OutOfTries } else { GraphSolution::Impossible(cores) }
    }

    /// Returns the assertions by which a node would have to be less than itself. Raising the
    /// numbers one by one would notice that too, but only at the maximum.
    fn cycle(&self) -> Option<Vec<Term>> {
        let mut lengths = vec![0i128; self.nodes.len()];
        let mut raised_by = vec![None; self.nodes.len()];
        let mut last = None;
        for _ in 0..=self.nodes.len() {
            last = None;
            for (index, edge) in self.edges.iter().enumerate() {
                let needed = lengths[edge.less] + edge.by;
                if lengths[edge.more] < needed {
                    lengths[edge.more] = needed;
                    raised_by[edge.more] = Some(index);
                    last = Some(edge.more);
                }
            }
            last?;
        }
        // After this many steps back, the walk is on the cycle.
        let mut at = last?;
        for _ in 0..self.nodes.len() {
            at = self.edges[raised_by[at]?].less;
        }
        Some(self.assertions_on_the_way(at, &raised_by))
    }

    /// Finds a solution near zero, which is easier to read than the least one.
    fn near_zero(&self) -> Option<Vec<i128>> {
        let start = || -> Vec<i128> {
            self.min.iter().zip(&self.max).map(|(min, max)| 0.clamp(*min, *max)).collect()
        };
        self.least(start()).ok().or_else(|| self.greatest(start()))
    }

    fn model(&self, numbers: &[i128]) -> Model {
        let values = self.nodes.iter().zip(numbers).filter_map(|(node, number)| match node {
            Node::Variable(term, _) => {
                let bits = Bits::new(self.pool.width(*term), *number as u128);
                Some((*term, Value::Bits(bits)))
            }
            Node::Constant(_) => None,
        });
        Model::new(values)
    }
}

/// Whether the weights of edges can be added to these bounds without overflow.
fn has_room(min: i128, max: i128) -> bool {
    min > i128::MIN / 2 && max < i128::MAX / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;
    use crate::blast::{Blast, BlastResult};
    use crate::pool::TermMap;

    fn variables(pool: &mut Pool) -> [Term; 3] {
        ["a", "b", "c"].map(|name| pool.var(name, Sort::BitVec(8)))
    }

    #[test]
    fn a_cycle_is_a_contradiction() {
        let mut pool = Pool::new();
        let [a, b, c] = variables(&mut pool);
        let less = [pool.bv_slt(a, b), pool.bv_sle(b, c), pool.bv_sle(c, a)];
        assert!(matches!(solve(&pool, &less), OrderAnswer::Contradiction(_)));
        assert!(matches!(solve(&pool, &less[..2]), OrderAnswer::Model(_)));
    }

    #[test]
    fn a_contradiction_names_the_assertions_that_it_needs() {
        let mut pool = Pool::new();
        let [a, b, c] = variables(&mut pool);
        let (three, five) = (pool.bits(8, 3), pool.bits(8, 5));
        let cycle = [pool.bv_slt(a, b), pool.bv_slt(b, a)];
        let others = [pool.bv_slt(a, c), pool.bv_slt(b, c)];
        let bounds = [pool.bv_slt(five, a), pool.bv_slt(b, three), pool.bv_slt(a, b)];
        for core in [&cycle[..], &bounds] {
            let all = [&others, core].concat();
            let OrderAnswer::Contradiction(found) = solve(&pool, &all) else { panic!("{core:?}") };
            let mut core = core.to_vec();
            core.sort_unstable();
            assert_eq!(found, core);
        }
    }

    /// A core alone is contradictory, and part of the query.
    #[rebut::test(cases = 300)]
    fn cores_are_contradictory(edges: Vec<(u8, u8, u8)>) {
        let mut pool = Pool::new();
        let [a, b, c] = variables(&mut pool);
        let (two, three) = (pool.bits(8, 2), pool.bits(8, 3));
        let nodes = [a, b, c, two, three];
        let node = |n: u8| nodes[usize::from(n) % nodes.len()];
        let claims = edges.into_iter().map(|(left, right, how)| match how % 4 {
            0 => pool.bv_ult(node(left), node(right)),
            1 => pool.bv_ule(node(left), node(right)),
            2 => pool.eq(node(left), node(right)),
            _ => pool.ne(node(left), node(right)),
        });
        let claims: Vec<Term> = claims.collect();
        if let OrderAnswer::Contradiction(core) = solve(&pool, &claims) {
            assert!(core.iter().all(|term| claims.contains(term)), "{core:?}");
            assert!(matches!(solve(&pool, &core), OrderAnswer::Contradiction(_)), "{core:?}");
            let blast = Blast {
                pool: &pool,
                conflicts_max: 10_000,
                seed: None,
                bounds: &TermMap::default(),
                denominator: 1,
                length_max: 0,
            };
            assert!(matches!(blast.solve(&core).0, BlastResult::Unsat), "{core:?}");
        }
    }

    #[test]
    fn too_many_numbers_between_bounds_are_a_contradiction() {
        let mut pool = Pool::new();
        let [a, b, c] = variables(&mut pool);
        let (three, five) = (pool.bits(8, 3), pool.bits(8, 5));
        let mut all =
            vec![pool.bv_ule(three, a), pool.bv_ult(a, b), pool.bv_ult(b, c), pool.bv_ule(c, five)];
        assert!(matches!(solve(&pool, &all), OrderAnswer::Model(_)));
        all.push(pool.ne(b, a));
        assert!(matches!(solve(&pool, &all), OrderAnswer::Model(_)));
        let four = pool.bits(8, 4);
        all.push(pool.ne(b, four));
        assert!(matches!(solve(&pool, &all), OrderAnswer::Contradiction(_)));
    }

    #[test]
    fn variables_that_must_differ_are_separated() {
        let mut pool = Pool::new();
        let [a, b, c] = variables(&mut pool);
        let one = pool.bits(8, 1);
        let all = [
            pool.bv_ule(a, one),
            pool.bv_ule(b, one),
            pool.ne(a, b),
            pool.ne(b, c),
            pool.bv_ule(c, one),
        ];
        assert!(matches!(solve(&pool, &all), OrderAnswer::Model(_)));
        let also = pool.ne(a, c);
        let all = [&all[..], &[also]].concat();
        assert!(matches!(solve(&pool, &all), OrderAnswer::Contradiction(_)));
    }

    #[test]
    fn models_are_near_zero_if_possible() {
        let mut pool = Pool::new();
        let [a, b, _] = variables(&mut pool);
        let minus_five = pool.bits(8, 0xFB);
        let claims = [pool.bv_slt(a, b), pool.bv_slt(b, minus_five)];
        let OrderAnswer::Model(model) = solve(&pool, &claims) else { panic!("there is one") };
        let value = |term| model.get(term).and_then(Value::as_bits).map(Bits::signed);
        assert_eq!((value(a), value(b)), (Some(-7), Some(-6)));
    }

    /// Rewriting usually decides these first. Without it, nothing must overflow here.
    #[test]
    fn numbers_near_the_limits_of_i128_are_not_handled() {
        let mut pool = Pool::without_rewrites();
        let a = pool.var("a", Sort::BitVec(64));
        let wide = pool.sign_extend(64, a);
        for number in [i128::MAX, i128::MIN] {
            let constant = pool.bits(128, number as u128);
            for claim in [pool.bv_slt(constant, wide), pool.bv_slt(wide, constant)] {
                assert!(matches!(solve(&pool, &[claim]), OrderAnswer::Unknown));
            }
        }
    }
}
