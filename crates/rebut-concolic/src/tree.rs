//! The tree of all paths that runs have taken, with what is known of those they have not.
//!
//! A node is a decision; its two sides are where its condition holds and where it does not. A
//! decision among several alternatives is a chain of nodes, one for each alternative that was
//! seen. The tree is complete when every side of every node leads on, ends in a leaf, or is
//! proved to be impossible.

use std::collections::HashMap;

use rebut_smt::{Pool, Term};

use crate::hooks::Site;
use crate::trace::{Kind, Step};

/// A node, by its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The place.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A decision.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where it is in the code.
    pub site: Site,
    /// What is decided.
    pub condition: Term,
    /// What kind of decision it is.
    pub kind: Kind,
    /// How many choices were drawn before it.
    pub drawn: usize,
    /// The decision before, and which side of it leads here.
    pub parent: Option<(NodeId, bool)>,
    /// How many decisions are before it.
    pub depth: u32,
    sides: [Side; 2],
}

impl Node {
    /// What is known of the side where the condition holds, or does not.
    #[must_use]
    pub fn side(&self, holds: bool) -> &Side {
        &self.sides[usize::from(holds)]
    }
}

/// What is known of one side of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// Nothing yet.
    Open,
    /// It leads to this decision.
    Node(NodeId),
    /// The run with this number ended there.
    Leaf(usize),
    /// No input leads there, and that is proved.
    Infeasible,
    /// The solver does not know; why.
    Unknown(String),
    /// An input that should lead there went another way.
    Diverged,
}

/// The paths.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The run that made no decision at all, if there is one.
    root: Option<usize>,
}

/// A side that no run has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frontier {
    pub(crate) node: NodeId,
    pub(crate) holds: bool,
}

/// What a run added to the tree.
#[derive(Debug, Default)]
pub(crate) struct Inserted {
    /// Sides that are open because of it.
    pub(crate) open: Vec<Frontier>,
    /// Whether it took a path that no other had taken.
    pub(crate) is_new: bool,
    /// Whether it contradicts the tree: the code does not depend on its draws alone.
    pub(crate) is_contradiction: bool,
    /// Which sides of which sites it took.
    pub(crate) covered: Vec<(Site, bool)>,
}

impl Tree {
    /// The decisions; the first is the root.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A decision.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Whether nothing is left to explore; why not, otherwise.
    pub(crate) fn is_complete(&self) -> bool {
        let is_closed =
            |side: &Side| matches!(side, Side::Node(_) | Side::Leaf(_) | Side::Infeasible);
        self.nodes.iter().all(|node| node.sides.iter().all(is_closed))
    }

    pub(crate) fn set(&mut self, frontier: Frontier, side: Side) {
        self.nodes[frontier.node.index()].sides[usize::from(frontier.holds)] = side;
    }

    /// The conditions on the way to a node, as they have to hold.
    pub(crate) fn conditions(&self, pool: &mut Pool, id: NodeId) -> Vec<Term> {
        let mut conditions = Vec::new();
        let mut at = self.node(id).parent;
        while let Some((parent, holds)) = at {
            let node = self.node(parent);
            // What cannot be otherwise says nothing.
            if *node.side(!holds) != Side::Infeasible || node.kind == Kind::Given {
                let condition = if holds { node.condition } else { pool.not(node.condition) };
                conditions.push(condition);
            }
            at = node.parent;
        }
        conditions.reverse();
        conditions
    }

    /// The conditions of each path, as they have to hold, by its run.
    pub(crate) fn paths(&self, pool: &mut Pool) -> HashMap<usize, Vec<Term>> {
        let mut paths: HashMap<usize, Vec<Term>> = HashMap::new();
        paths.extend(self.root.map(|run| (run, Vec::new())));
        for (place, node) in self.nodes.iter().enumerate() {
            for holds in [false, true] {
                let Side::Leaf(run) = node.side(holds) else { continue };
                let mut conditions = self.conditions(pool, NodeId(place as u32));
                conditions.push(if holds { node.condition } else { pool.not(node.condition) });
                paths.insert(*run, conditions);
            }
        }
        paths
    }

    /// Adds the path of a run.
    pub(crate) fn insert(&mut self, pool: &mut Pool, steps: &[Step], run: usize) -> Inserted {
        let mut inserted = Inserted::default();
        // Where the next decision belongs.
        let mut at: Option<Frontier> = None;
        for step in steps {
            loop {
                let known = match at {
                    None => (!self.nodes.is_empty()).then_some(NodeId(0)),
                    Some(at) => match self.node(at.node).side(at.holds) {
                        Side::Node(id) => Some(*id),
                        Side::Leaf(_) => {
                            inserted.is_contradiction = true;
                            return inserted;
                        }
                        _ => None,
                    },
                };
                let Some(id) = known else {
                    at = Some(self.grow(at, step, &mut inserted));
                    break;
                };
                let node = self.node(id);
                if node.site != step.site || node.kind != step.kind {
                    inserted.is_contradiction = true;
                    return inserted;
                }
                let holds = node.condition == step.condition;
                inserted.covered.push((node.site, holds));
                at = Some(Frontier { node: id, holds });
                if holds || node.kind != Kind::Alternative {
                    if !holds && pool.not(node.condition) != step.condition {
                        inserted.is_contradiction = true;
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
                Side::Node(_) => inserted.is_contradiction = true,
                _ => {
                    inserted.is_new = true;
                    self.set(at, Side::Leaf(run));
                }
            },
        }
        inserted
    }

    /// A new node; the side that the run takes.
    fn grow(&mut self, at: Option<Frontier>, step: &Step, inserted: &mut Inserted) -> Frontier {
        let id = NodeId(self.nodes.len() as u32);
        if let Some(at) = at {
            self.set(at, Side::Node(id));
        }
        let depth = at.map_or(0, |at| self.node(at.node).depth + 1);
        let is_given = step.kind == Kind::Given;
        let other = if is_given { Side::Infeasible } else { Side::Open };
        self.nodes.push(Node {
            site: step.site,
            condition: step.condition,
            kind: step.kind,
            drawn: step.drawn,
            parent: at.map(|at| (at.node, at.holds)),
            depth,
            sides: [other, Side::Open],
        });
        if !is_given {
            inserted.open.push(Frontier { node: id, holds: false });
        }
        inserted.covered.push((step.site, true));
        Frontier { node: id, holds: true }
    }
}
