//! Graphs and their algorithms.

use petgraph::algo::{
    bellman_ford, connected_components, dijkstra, floyd_warshall, greedy_feedback_arc_set, has_path_connecting,
    is_cyclic_directed, kosaraju_scc, min_spanning_tree, tarjan_scc, toposort,
};
use petgraph::data::FromElements;
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::graph6::{FromGraph6, ToGraph6};
use petgraph::prelude::*;
use petgraph::unionfind::UnionFind;
use petgraph::visit::EdgeRef;
use rebut::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// A list of edges between up to eight nodes.
#[derive(Debug, Clone, rebut::Generate)]
struct Edges {
    #[generate(1..=8)]
    nodes: u32,
    #[generate(vecs((0..nodes, 0..nodes, rebut::any::<u8>())).max_size(20))]
    edges: Vec<(u32, u32, u8)>,
}

impl Edges {
    fn directed(&self) -> DiGraph<(), u32> {
        let mut graph = DiGraph::new();
        for _ in 0..self.nodes {
            graph.add_node(());
        }
        for &(from, to, weight) in &self.edges {
            graph.add_edge(NodeIndex::new(from as usize), NodeIndex::new(to as usize), weight.into());
        }
        graph
    }

    fn undirected(&self) -> UnGraph<(), u32> {
        self.directed().into_edge_type()
    }
}

// expect: passed
#[rebut::test]
fn sorting_fails_exactly_for_cycles(edges: Edges) {
    let graph = edges.directed();
    match toposort(&graph, None) {
        Ok(order) => {
            let place: HashMap<_, _> = order.iter().enumerate().map(|(nth, node)| (*node, nth)).collect();
            assert!(graph.edge_references().all(|edge| place[&edge.source()] < place[&edge.target()]));
        }
        Err(_) => assert!(is_cyclic_directed(&graph)),
    }
}

// expect: passed
#[rebut::test]
fn shortest_paths_agree(edges: &Edges) -> Result<(), String> {
    let graph = edges.directed();
    let all = floyd_warshall(&graph, |edge| *edge.weight()).map_err(|_| "negative cycle".to_string())?;
    for start in graph.node_indices() {
        let from_start = dijkstra(&graph, start, None, |edge| *edge.weight());
        for end in graph.node_indices() {
            let expected = all.get(&(start, end)).copied().filter(|cost| *cost < u32::MAX);
            if from_start.get(&end).copied() != expected {
                return Err(format!("{start:?} to {end:?}: {expected:?}"));
            }
        }
    }
    Ok(())
}

// expect: passed
#[rebut::test]
fn components_agree(edges: Edges) {
    let graph = edges.directed();
    let sets = |components: Vec<Vec<NodeIndex>>| -> BTreeSet<BTreeSet<NodeIndex>> {
        components.into_iter().map(|component| component.into_iter().collect()).collect()
    };
    assert_eq!(sets(tarjan_scc(&graph)), sets(kosaraju_scc(&graph)));
}

// A tree has one edge less than nodes, but only if the graph is connected.
// expect: failed
#[rebut::test]
fn spanning_trees_have_one_edge_less_than_nodes(edges: Edges, title: Option<String>) {
    let graph = edges.undirected();
    let tree = UnGraph::<(), u32>::from_elements(min_spanning_tree(&graph));
    assert_eq!(tree.edge_count() + 1, graph.node_count(), "{title:?}");
}

// Removing a node gives its index to the last one.
// expect: failed
#[rebut::test]
fn indices_stay_valid(names: Vec<char>, gone: u8) -> bool {
    let mut graph = DiGraph::<char, ()>::new();
    let indices: Vec<NodeIndex> = names.iter().map(|name| graph.add_node(*name)).collect();
    let gone = usize::from(gone);
    if gone >= indices.len() {
        return true;
    }
    graph.remove_node(indices[gone]);
    (0..names.len()).filter(|nth| *nth != gone).all(|nth| graph.node_weight(indices[nth]) == Some(&names[nth]))
}

// expect: passed
#[rebut::test]
fn indices_of_stable_graphs_stay_valid(names: Vec<char>, gone: u8) -> bool {
    let mut graph = StableDiGraph::<char, ()>::new();
    let indices: Vec<NodeIndex> = names.iter().map(|name| graph.add_node(*name)).collect();
    let gone = usize::from(gone);
    if gone >= indices.len() {
        return true;
    }
    graph.remove_node(indices[gone]);
    (0..names.len()).filter(|nth| *nth != gone).all(|nth| graph.node_weight(indices[nth]) == Some(&names[nth]))
}

// A path with negative weights can be longer than its first edge.
// expect: failed: attempt to
#[rebut::test]
fn weights_can_be_any_number(weights: Vec<i8>, scale: bool) {
    let mut graph = DiGraph::<(), i8>::new();
    let mut last = graph.add_node(());
    for &weight in &weights {
        let next = graph.add_node(());
        graph.add_edge(last, next, if scale { weight / 2 } else { weight });
        last = next;
    }
    let costs = dijkstra(&graph, NodeIndex::new(0), None, |edge| *edge.weight());
    assert_eq!(costs.len(), weights.len() + 1);
}

// expect: passed
#[rebut::test]
fn bellman_ford_never_panics(edges: Edges, offset: f32) {
    let graph = edges.directed().map(|_, _| (), |_, weight| *weight as f32 + offset);
    if let Ok(paths) = bellman_ford(&graph, NodeIndex::new(0)) {
        assert_eq!(paths.distances.len(), graph.node_count());
    }
}

// expect: proved: 512
#[rebut::test]
fn small_graphs_round_trip_through_graph6(bits: [bool; 6], other: (bool, bool), more: bool) {
    let mut graph = UnGraph::<(), ()>::default();
    let nodes: Vec<NodeIndex> = (0..if more { 5 } else { 4 }).map(|_| graph.add_node(())).collect();
    let pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];
    for (bit, (from, to)) in bits.into_iter().chain([other.0 != other.1]).zip(pairs) {
        if bit {
            graph.add_edge(nodes[from], nodes[to], ());
        }
    }
    let text = graph.graph6_string();
    let back: UnGraph<(), ()> = UnGraph::from_graph6_string(text);
    assert_eq!(back.node_count(), graph.node_count());
    assert_eq!(back.edge_count(), graph.edge_count());
}

// Not every text is a graph.
// expect: failed
#[rebut::test]
fn reading_graph6_never_panics(text: String, _strict: bool) {
    let _: UnGraph<(), ()> = UnGraph::from_graph6_string(text);
}

// expect: passed
#[rebut::test]
fn without_feedback_arcs_there_is_no_cycle(edges: Edges) {
    let mut graph: StableDiGraph<(), u32> = edges.directed().into();
    let arcs: Vec<_> = greedy_feedback_arc_set(&graph).map(|edge| edge.id()).collect();
    for arc in arcs {
        graph.remove_edge(arc);
    }
    assert!(!is_cyclic_directed(&graph));
}

/// A network of cables and what it should know about it.
pub struct Network {
    sets: UnionFind<u8>,
    graph: UnGraph<(), ()>,
}

#[rebut::contract]
#[invariant(self.graph.node_count() == 6)]
impl Network {
    pub fn new() -> Network {
        let mut graph = UnGraph::default();
        for _ in 0..6 {
            graph.add_node(());
        }
        Network { sets: UnionFind::new(6), graph }
    }

    #[requires(from < 6 && to < 6)]
    #[ensures(self.is_connected(from, to))]
    pub fn connect(&mut self, from: u8, to: u8) -> bool {
        self.graph.add_edge(NodeIndex::new(from.into()), NodeIndex::new(to.into()), ());
        self.sets.union(from, to)
    }

    #[requires(from < 6 && to < 6)]
    #[ensures(result == has_path_connecting(&self.graph, NodeIndex::new(from.into()), NodeIndex::new(to.into()), None))]
    pub fn is_connected(&self, from: u8, to: u8) -> bool {
        self.sets.equiv(from, to)
    }

    /// Cuts a cable. The sets do not know of it.
    #[ensures(self.groups() >= old(self.groups()), "a cut makes no group larger")]
    pub fn cut(&mut self, from: u8, to: u8) -> bool {
        let edge = self.graph.find_edge(NodeIndex::new(from.into()), NodeIndex::new(to.into()));
        edge.and_then(|edge| self.graph.remove_edge(edge)).is_some()
    }

    pub fn groups(&self) -> usize {
        connected_components(&self.graph)
    }
}

// expect: failed: `Network::is_connected` ensures
#[rebut::test]
fn network_knows_what_is_connected(program: rebut::Program<Network>) {
    program.run();
}

/// What a road costs, which somebody else knows.
#[rebut::mock]
pub trait Tolls {
    #[pure]
    fn toll(&self, from: usize, to: usize) -> u16;
}

// Tolls differ by direction.
// expect: failed
#[rebut::test]
fn return_costs_as_much(edges: Edges, tolls: MockTolls) {
    let graph = edges.undirected();
    let cost = |from: usize, to: usize| {
        let start = NodeIndex::new(from);
        let costs = dijkstra(&graph, start, None, |edge| {
            u32::from(tolls.toll(edge.source().index(), edge.target().index()))
        });
        costs.get(&NodeIndex::new(to)).copied()
    };
    let last = edges.nodes as usize - 1;
    assert_eq!(cost(0, last), cost(last, 0));
}
