//! The tree of all paths that runs have taken, and what is known of the others.
//!
//! A node is a decision. Its two sides are the inputs for which its condition is true and those for
//! which it is false. A decision among several alternatives is a chain of nodes, one for each
//! alternative that a run took. The tree is complete when every side of every node leads to another
//! node, ends in a leaf, or is proved to be infeasible.

use std::collections::HashMap;

use rebut_smt::{Pool, Term};

use crate::hooks::Site;
use crate::trace::{DecisionKind, Step};

/// The index of a node in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Returns the index as a number.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A decision.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its location in the code.
    pub site: Site,
    /// The condition; true on the side that the first run took.
    pub condition: Term,
    /// The kind of decision.
    pub kind: DecisionKind,
    /// The number of draws before it.
    pub drawn: usize,
    /// The previous decision, and the side of it that leads here.
    pub parent: Option<(NodeId, bool)>,
    /// The number of decisions before it.
    pub depth: u32,
    /// Whether every input that takes the decisions before it gets here. Not so if a value on the
    /// way lost its expression.
    pub(crate) is_exact: bool,
    sides: [Side; 2],
}

impl Node {
    /// Returns the state of the side where the condition is true, or false.
    #[must_use]
    pub fn side(&self, holds: bool) -> &Side {
        &self.sides[usize::from(holds)]
    }

    /// Returns the condition of a side.
    fn condition_of(&self, pool: &mut Pool, holds: bool) -> Term {
        if holds { self.condition } else { pool.not(self.condition) }
    }

    /// Whether the condition of a side does not follow from those before it. It follows if the
    /// other side is infeasible. The domain of a draw does not: its other side is never tried.
    fn is_needed(&self, holds: bool) -> bool {
        *self.side(!holds) != Side::Infeasible || self.kind == DecisionKind::Domain
    }
}

/// The state of one side of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// Not taken yet.
    Open,
    /// It leads to this decision.
    Node(NodeId),
    /// The run with this number ended here.
    Leaf(usize),
    /// The solver proved that no input leads here.
    Infeasible,
    /// The solver could not decide, for this reason.
    Unknown(String),
    /// An input that should lead here took another path.
    Diverged,
}

/// The tree of paths.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The run without any decision, if there is one.
    root: Option<usize>,
}

/// A side of a node that no run has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frontier {
    pub(crate) node: NodeId,
    pub(crate) holds: bool,
}

/// The changes that a run made to the tree.
#[derive(Debug, Default)]
pub(crate) struct Inserted {
    /// Sides that it opened.
    pub(crate) open: Vec<Frontier>,
    /// Whether no earlier run took the same path.
    pub(crate) is_new: bool,
    /// Whether it contradicts the tree.
    pub(crate) contradiction: Option<Contradiction>,
    /// The sites of its decisions, with the sides that it took.
    pub(crate) covered: Vec<(Site, bool)>,
}

/// A run that differs from an earlier one after the same decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contradiction {
    /// A value on the way lost its expression, so a decision before it was not recorded.
    Expected,
    /// The code depends on something other than its draws.
    Divergence,
}

impl Contradiction {
    fn after(is_exact: bool) -> Option<Contradiction> {
        Some(if is_exact { Contradiction::Divergence } else { Contradiction::Expected })
    }
}

impl Tree {
    /// Returns the decisions; the first is the root.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns a decision.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Whether every side is closed, so that all paths are known.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let is_closed =
            |side: &Side| matches!(side, Side::Node(_) | Side::Leaf(_) | Side::Infeasible);
        self.nodes.iter().all(|node| node.sides.iter().all(is_closed))
    }

    pub(crate) fn set(&mut self, frontier: Frontier, side: Side) {
        self.nodes[frontier.node.index()].sides[usize::from(frontier.holds)] = side;
    }

    /// Returns the conditions on the way to a node, as they must be true, without implied ones.
    pub(crate) fn conditions(&self, pool: &mut Pool, id: NodeId) -> Vec<Term> {
        self.conditions_that(pool, id, Node::is_needed)
    }

    fn conditions_that(
        &self,
        pool: &mut Pool,
        id: NodeId,
        is_wanted: fn(&Node, bool) -> bool,
    ) -> Vec<Term> {
        let mut conditions = Vec::new();
        let mut at = self.node(id).parent;
        while let Some((parent, holds)) = at {
            let node = self.node(parent);
            if is_wanted(node, holds) {
                conditions.push(node.condition_of(pool, holds));
            }
            at = node.parent;
        }
        conditions.reverse();
        conditions
    }

    /// Returns the conditions of each path, as they must be true, by the number of its run (its
    /// index in [`Exploration::leaves`](crate::Exploration::leaves)). Conditions that follow from
    /// earlier ones are left out.
    pub fn paths(&self, pool: &mut Pool) -> HashMap<usize, Vec<Term>> {
        self.paths_that(pool, Node::is_needed)
    }

    /// Like [`Tree::paths`], with the conditions that follow from earlier ones.
    pub fn paths_with_implied(&self, pool: &mut Pool) -> HashMap<usize, Vec<Term>> {
        self.paths_that(pool, |_, _| true)
    }

    fn paths_that(
        &self,
        pool: &mut Pool,
        is_wanted: fn(&Node, bool) -> bool,
    ) -> HashMap<usize, Vec<Term>> {
        let mut paths: HashMap<usize, Vec<Term>> = HashMap::new();
        paths.extend(self.root.map(|run| (run, Vec::new())));
        for (place, node) in self.nodes.iter().enumerate() {
            for holds in [false, true] {
                let Side::Leaf(run) = node.side(holds) else { continue };
                let mut conditions = self.conditions_that(pool, NodeId(place as u32), is_wanted);
                conditions.push(node.condition_of(pool, holds));
                paths.insert(*run, conditions);
            }
        }
        paths
    }

    /// Adds the path of a run. `exact` is the number of its steps that predict other runs.
    pub(crate) fn insert(
        &mut self,
        pool: &mut Pool,
        steps: &[Step],
        exact: usize,
        run: usize,
    ) -> Inserted {
        let mut inserted = Inserted::default();
        // The side at which the next decision belongs.
        let mut at: Option<Frontier> = None;
        for (nth, step) in steps.iter().enumerate() {
            let is_exact = nth < exact;
            loop {
                let known = match at {
                    None => (!self.nodes.is_empty()).then_some(NodeId(0)),
                    Some(at) => match self.node(at.node).side(at.holds) {
                        Side::Node(id) => Some(*id),
                        Side::Leaf(_) => {
                            inserted.contradiction = Contradiction::after(is_exact);
                            return inserted;
                        }
                        _ => None,
                    },
                };
                let Some(id) = known else {
                    at = Some(self.grow(at, step, is_exact, &mut inserted));
                    break;
                };
                let node = self.node(id);
                let contradiction = Contradiction::after(is_exact && node.is_exact);
                if node.site != step.site || node.kind != step.kind {
                    inserted.contradiction = contradiction;
                    return inserted;
                }
                let holds = node.condition == step.condition;
                inserted.covered.push((node.site, holds));
                at = Some(Frontier { node: id, holds });
                if holds || node.kind != DecisionKind::Alternative {
                    if !holds && pool.not(node.condition) != step.condition {
                        inserted.contradiction = contradiction;
                        return inserted;
                    }
                    break;
                }
            }
        }
        match at {
            None => {
                inserted.is_new = self.root.is_none();
                self.root.get_or_insert(run);
            }
            Some(at) => match self.node(at.node).side(at.holds) {
                Side::Leaf(_) => {}
                Side::Node(id) => {
                    let is_exact = steps.len() <= exact && self.node(*id).is_exact;
                    inserted.contradiction = Contradiction::after(is_exact);
                }
                _ => {
                    inserted.is_new = true;
                    self.set(at, Side::Leaf(run));
                }
            },
        }
        inserted
    }

    /// Adds a node and returns the side that the run takes.
    fn grow(
        &mut self,
        at: Option<Frontier>,
        step: &Step,
        is_exact: bool,
        inserted: &mut Inserted,
    ) -> Frontier {
        let id = NodeId(self.nodes.len() as u32);
        if let Some(at) = at {
            self.set(at, Side::Node(id));
        }
        let depth = at.map_or(0, |at| self.node(at.node).depth + 1);
        let is_given = step.kind == DecisionKind::Domain;
        let other = if is_given { Side::Infeasible } else { Side::Open };
        self.nodes.push(Node {
            site: step.site,
            condition: step.condition,
            kind: step.kind,
            drawn: step.drawn,
            parent: at.map(|at| (at.node, at.holds)),
            depth,
            is_exact,
            sides: [other, Side::Open],
        });
        if !is_given {
            inserted.open.push(Frontier { node: id, holds: false });
        }
        inserted.covered.push((step.site, true));
        Frontier { node: id, holds: true }
    }
}
