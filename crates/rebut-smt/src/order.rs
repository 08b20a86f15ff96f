//! Comparisons of variables with each other and with constants.
//!
//! Sorting, search trees and merges ask little else: which of these inputs is less than which.
//! Such assertions are edges of a graph, `a <= b` and `a < b`, between bounds. The least
//! numbers that respect all edges are found by walking them until nothing moves (the longest
//! paths of difference constraints; Bellman 1958). If one of them is beyond its bound, there
//! are no others. Variables that must differ and do not are put in one order or the other.
//!
//! Assertions of other kinds are left out, which is right for a contradiction; a model is put
//! into all of them.

mod lemmas;

use std::collections::HashMap;

use crate::op::Op;
use crate::value::mask;
use crate::{Bits, Model, Pool, Term, Value};

pub(crate) use lemmas::abstracted;

/// How many orders of variables that differ are tried.
const TRIES_MAX: usize = 256;

/// What the order says of some assertions.
#[derive(Debug)]
pub(crate) enum Ordered {
    /// They cannot all be true.
    Contradiction,
    /// They are, with these values.
    Model(Model),
    /// Nothing.
    Unknown,
}

/// Looks at the comparisons among some assertions.
pub(crate) fn solve(pool: &Pool, assertions: &[Term]) -> Ordered {
    let mut graph = Graph::new(pool, assertions);
    for assertion in assertions {
        graph.add(*assertion);
    }
    if graph.edges.is_empty() && graph.different.is_empty() {
        return Ordered::Unknown;
    }
    let mut tries = TRIES_MAX;
    match graph.settle(&mut tries) {
        Settled::Numbers(numbers) => {
            let models = [Some(numbers), graph.simpler()].into_iter().flatten().rev();
            let mut models = models.map(|numbers| graph.model(&numbers));
            let fitting = models.find(|model| model.satisfies(pool, assertions));
            fitting.map_or(Ordered::Unknown, Ordered::Model)
        }
        Settled::Impossible => Ordered::Contradiction,
        Settled::Unclear => Ordered::Unknown,
    }
}

/// A variable as signed or unsigned, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Variable(Term, bool),
    Constant(i128),
}

/// `less + by <= more`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    less: usize,
    more: usize,
    by: i128,
}

#[derive(Debug)]
struct Graph<'a> {
    pool: &'a Pool,
    nodes: Vec<Node>,
    places: HashMap<Node, usize>,
    min: Vec<i128>,
    max: Vec<i128>,
    edges: Vec<Edge>,
    different: Vec<(usize, usize)>,
    /// Whether some comparison reads variables as signed; equations are read alike.
    is_signed: bool,
}

enum Settled {
    Numbers(Vec<i128>),
    Impossible,
    Unclear,
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
            places: HashMap::new(),
            min: Vec::new(),
            max: Vec::new(),
            edges: Vec::new(),
            different: Vec::new(),
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
                self.edges.push(Edge { less: a, more: b, by: 0 });
                self.edges.push(Edge { less: b, more: a, by: 0 });
            }
            (Op::Eq, false) => self.different.push((a, b)),
            (_, true) => self.edges.push(Edge { less: a, more: b, by: 1 }),
            (_, false) => self.edges.push(Edge { less: b, more: a, by: 0 }),
        }
    }

    /// The node of a side of a comparison, if it is simple enough.
    fn node(&mut self, term: Term, is_signed: bool) -> Option<usize> {
        if let Some(value) = self.pool.value(term) {
            let bits = value.as_bits()?;
            let number =
                if is_signed { bits.signed() } else { i128::try_from(bits.unsigned()).ok()? };
            return has_room(number, number)
                .then(|| self.place(Node::Constant(number), number, number));
        }
        let (variable, is_signed) = match self.pool.op(term) {
            Op::Var(_) => (term, is_signed),
            Op::SignExtend(_) if is_signed => (self.pool.args(term)[0], true),
            // A number with zeros on top is not negative, however it is read.
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
        has_room(min, max).then(|| self.place(Node::Variable(variable, is_signed), min, max))
    }

    fn place(&mut self, node: Node, min: i128, max: i128) -> usize {
        let next = self.nodes.len();
        let place = *self.places.entry(node).or_insert(next);
        if place == next {
            self.nodes.push(node);
            self.min.push(min);
            self.max.push(max);
        }
        place
    }

    /// The least numbers from these on that respect the edges; none if one is too great.
    fn least(&self, mut numbers: Vec<i128>) -> Option<Vec<i128>> {
        loop {
            let mut is_settled = true;
            for edge in &self.edges {
                let needed = numbers[edge.less] + edge.by;
                if numbers[edge.more] < needed {
                    if needed > self.max[edge.more] {
                        return None;
                    }
                    numbers[edge.more] = needed;
                    is_settled = false;
                }
            }
            if is_settled {
                return Some(numbers);
            }
        }
    }

    /// The greatest numbers up to these that respect the edges; none if one is too small.
    fn greatest(&self, mut numbers: Vec<i128>) -> Option<Vec<i128>> {
        loop {
            let mut is_settled = true;
            for edge in &self.edges {
                let allowed = numbers[edge.more] - edge.by;
                if numbers[edge.less] > allowed {
                    if allowed < self.min[edge.less] {
                        return None;
                    }
                    numbers[edge.less] = allowed;
                    is_settled = false;
                }
            }
            if is_settled {
                return Some(numbers);
            }
        }
    }

    /// The least numbers of all, with those apart that must differ.
    fn settle(&mut self, tries: &mut usize) -> Settled {
        if self.has_cycle() {
            return Settled::Impossible;
        }
        let Some(numbers) = self.least(self.min.clone()) else { return Settled::Impossible };
        let same = |(a, b): &&(usize, usize)| numbers[*a] == numbers[*b];
        let Some(&(a, b)) = self.different.iter().find(same) else {
            return Settled::Numbers(numbers);
        };
        if a == b {
            return Settled::Impossible;
        }
        let mut is_unclear = false;
        for (less, more) in [(a, b), (b, a)] {
            if *tries == 0 {
                return Settled::Unclear;
            }
            *tries -= 1;
            self.edges.push(Edge { less, more, by: 1 });
            match self.settle(tries) {
                // The edge stays: it is part of the solution.
                Settled::Numbers(numbers) => return Settled::Numbers(numbers),
                Settled::Unclear => is_unclear = true,
                Settled::Impossible => {}
            }
            self.edges.pop();
        }
        if is_unclear { Settled::Unclear } else { Settled::Impossible }
    }

    /// Whether something would have to be less than itself, which counting up to the bounds
    /// would find out as well, but late.
    fn has_cycle(&self) -> bool {
        let mut lengths = vec![0i128; self.nodes.len()];
        for _ in 0..=self.nodes.len() {
            let mut is_settled = true;
            for edge in &self.edges {
                let needed = lengths[edge.less] + edge.by;
                if lengths[edge.more] < needed {
                    lengths[edge.more] = needed;
                    is_settled = false;
                }
            }
            if is_settled {
                return false;
            }
        }
        true
    }

    /// Numbers near zero, with the edges that were settled on.
    fn simpler(&self) -> Option<Vec<i128>> {
        let near_zero = || -> Vec<i128> {
            self.min.iter().zip(&self.max).map(|(min, max)| 0.clamp(*min, *max)).collect()
        };
        self.least(near_zero()).or_else(|| self.greatest(near_zero()))
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

/// Whether there is room for what is added on the way.
fn has_room(min: i128, max: i128) -> bool {
    min > i128::MIN / 2 && max < i128::MAX / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    fn variables(pool: &mut Pool) -> [Term; 3] {
        ["a", "b", "c"].map(|name| pool.var(name, Sort::BitVec(8)))
    }

    #[test]
    fn a_cycle_is_a_contradiction() {
        let mut pool = Pool::new();
        let [a, b, c] = variables(&mut pool);
        let less = [pool.bv_slt(a, b), pool.bv_sle(b, c), pool.bv_sle(c, a)];
        assert!(matches!(solve(&pool, &less), Ordered::Contradiction));
        assert!(matches!(solve(&pool, &less[..2]), Ordered::Model(_)));
    }

    #[test]
    fn what_does_not_fit_between_bounds_is_a_contradiction() {
        let mut pool = Pool::new();
        let [a, b, c] = variables(&mut pool);
        let (three, five) = (pool.bits(8, 3), pool.bits(8, 5));
        let mut all =
            vec![pool.bv_ule(three, a), pool.bv_ult(a, b), pool.bv_ult(b, c), pool.bv_ule(c, five)];
        assert!(matches!(solve(&pool, &all), Ordered::Model(_)));
        all.push(pool.ne(b, a));
        assert!(matches!(solve(&pool, &all), Ordered::Model(_)));
        let four = pool.bits(8, 4);
        all.push(pool.ne(b, four));
        assert!(matches!(solve(&pool, &all), Ordered::Contradiction));
    }

    #[test]
    fn variables_that_differ_are_put_apart() {
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
        assert!(matches!(solve(&pool, &all), Ordered::Model(_)));
        let also = pool.ne(a, c);
        let all = [&all[..], &[also]].concat();
        assert!(matches!(solve(&pool, &all), Ordered::Contradiction));
    }

    #[test]
    fn numbers_are_near_zero_where_they_can_be() {
        let mut pool = Pool::new();
        let [a, b, _] = variables(&mut pool);
        let minus_five = pool.bits(8, 0xFB);
        let claims = [pool.bv_slt(a, b), pool.bv_slt(b, minus_five)];
        let Ordered::Model(model) = solve(&pool, &claims) else { panic!("there is one") };
        let value = |term| model.get(term).and_then(Value::as_bits).map(Bits::signed);
        assert_eq!((value(a), value(b)), (Some(-7), Some(-6)));
    }

    /// Rewriting decides this before it gets here; without it, nothing may overflow.
    #[test]
    fn numbers_at_the_edge_of_128_bits_are_left_to_others() {
        let mut pool = Pool::without_rewrites();
        let a = pool.var("a", Sort::BitVec(64));
        let wide = pool.sign_extend(64, a);
        for number in [i128::MAX, i128::MIN] {
            let constant = pool.bits(128, number as u128);
            for claim in [pool.bv_slt(constant, wide), pool.bv_slt(wide, constant)] {
                assert!(matches!(solve(&pool, &[claim]), Ordered::Unknown));
            }
        }
    }
}
