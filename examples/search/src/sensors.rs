//! How far is the farthest sensor from the sink?
//!
//! Sensors pass messages from neighbor to neighbor until they reach the sink, vertex 1. The
//! claim is that no sensor is ever [`HOPS_MAX`] hops away. A graph that breaks it is a long
//! thread without short cuts, and random graphs are nothing like that: they are far too small
//! or far too dense. But each graph has a longest path, and each hop more is a step toward
//! the goal, so it is enough to say [`maximize`] of it.
//!
//! The graphs of [`graphs`] have 42 vertices. The other three generators draw graphs of 2 to 42
//! vertices; they differ only in how they are written. The second paper builds neighbors from
//! the generator itself, and for two of the three it cannot; neighbors that are built from
//! the choices of a run do not care.

use std::collections::VecDeque;

use rebut::choice::Rng;
use rebut::{Generator, integers, maximize, vecs};

/// How many vertices a graph has at most.
pub const VERTICES: u8 = 42;

/// The claim: a path to the sink is shorter than this.
pub const HOPS_MAX: u32 = 21;

const SINK: u8 = 1;

/// Two vertices, the smaller one first.
pub type Edge = (u8, u8);

/// The claim, and what the search aims at.
#[must_use]
pub fn paths_are_short(graph: &[Edge]) -> bool {
    let hops = longest_path(graph);
    maximize(hops);
    hops < HOPS_MAX
}

/// The largest distance from the sink of the vertices that can be reached from it.
#[must_use]
pub fn longest_path(graph: &[Edge]) -> u32 {
    let mut neighbors = vec![Vec::new(); usize::from(VERTICES) + 1];
    for &(a, b) in graph {
        neighbors[usize::from(a)].push(b);
        neighbors[usize::from(b)].push(a);
    }
    let mut hops = vec![None; neighbors.len()];
    hops[usize::from(SINK)] = Some(0);
    let mut queue = VecDeque::from([(SINK, 0)]);
    let mut longest = 0;
    while let Some((vertex, distance)) = queue.pop_front() {
        longest = distance;
        for &next in &neighbors[usize::from(vertex)] {
            if hops[usize::from(next)].is_none() {
                hops[usize::from(next)] = Some(distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
    }
    longest
}

/// Graphs of so many vertices: the paper's `graph(N)`.
pub fn graphs(vertices: u8) -> impl Generator<Value = Vec<Edge>> {
    vecs(edges(vertices)).map(tidy)
}

/// Graphs of 2 to 42 vertices: the paper's `graph()`. The edges are tidied outside of the draw
/// that depends on the number of vertices.
pub fn graphs_of_any_size() -> impl Generator<Value = Vec<Edge>> {
    sizes().flat_map(|vertices| vecs(edges(vertices))).map(tidy)
}

/// The paper's `graph_no_caching()`: the edges are tidied inside of the dependent draw.
pub fn graphs_no_caching() -> impl Generator<Value = Vec<Edge>> {
    sizes().flat_map(|vertices| vecs(edges(vertices)).map(tidy))
}

/// The paper's `graph_no_matching()`: the number of edges is drawn first, then that many.
pub fn graphs_no_matching() -> impl Generator<Value = Vec<Edge>> {
    let lengths = integers::<usize>().max_value(usize::from(VERTICES));
    let both = (sizes(), lengths);
    both.flat_map(|(vertices, length)| vecs(edges(vertices)).size(length)).map(tidy)
}

fn sizes() -> impl Generator<Value = u8> {
    integers::<u8>().in_range(2..=VERTICES)
}

/// Two vertices, drawn until the first is the smaller.
pub fn edges(vertices: u8) -> impl Generator<Value = Edge> {
    let vertex = || integers::<u8>().in_range(1..=vertices);
    (vertex(), vertex()).filter(|(a, b)| a < b)
}

fn tidy(mut graph: Vec<Edge>) -> Vec<Edge> {
    graph.sort_unstable();
    graph.dedup();
    graph
}

/// A graph near another of [`graphs`], as a person would write it: figure 2 of the first paper.
/// The number of edges changes by at most 5 %, and some edges are exchanged. As in the paper,
/// the temperature is not used.
#[must_use]
pub fn next_graph(graph: &[Edge], _temperature: f64, rng: &mut Rng) -> Vec<Edge> {
    let size = graph.len();
    let new_size = near(size, rng);
    let exchanged = near(size / 10, rng);
    let mut next = graph.to_vec();
    for _ in 0..exchanged + size.saturating_sub(new_size) {
        if !next.is_empty() {
            next.swap_remove(rng.below(next.len() as u64) as usize);
        }
    }
    for _ in 0..exchanged + new_size.saturating_sub(size) {
        next.push(random_edge(rng));
    }
    tidy(next)
}

/// A number that differs by at most 5 % and one.
fn near(number: usize, rng: &mut Rng) -> usize {
    let (number, offset) = (number as i128, number as i128 / 20 + 1);
    rng.between(number - offset, number + offset).max(0) as usize
}

fn random_edge(rng: &mut Rng) -> Edge {
    loop {
        let mut vertex = || 1 + rng.below(u64::from(VERTICES)) as u8;
        let (a, b) = (vertex(), vertex());
        if a < b {
            return (a, b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_cuts_and_vertices_out_of_reach_do_not_count() {
        assert_eq!(longest_path(&[]), 0);
        assert_eq!(longest_path(&[(2, 3), (3, 4)]), 0);
        assert_eq!(longest_path(&[(1, 2), (2, 3), (3, 4)]), 3);
        assert_eq!(longest_path(&[(1, 2), (2, 3), (3, 4), (1, 4)]), 2);
        let thread: Vec<Edge> = (1..VERTICES).map(|a| (a, a + 1)).collect();
        assert_eq!(longest_path(&thread), 41);
    }

    #[test]
    fn a_neighbor_is_a_graph_of_about_the_same_size() {
        let mut rng = Rng::new(1);
        let mut graph: Vec<Edge> = (1..VERTICES).map(|a| (a, a + 1)).collect();
        for _ in 0..200 {
            let next = next_graph(&graph, 1.0, &mut rng);
            assert!(next.len().abs_diff(graph.len()) <= 12, "{graph:?} {next:?}");
            assert!(next.iter().all(|&(a, b)| 1 <= a && a < b && b <= VERTICES));
            assert!(next.is_sorted());
            graph = next;
        }
    }
}
