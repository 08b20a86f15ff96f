//! A routing tree for radios with directional antennas, as costly or as cheap as it gets.
//!
//! Forty nodes send what they measure to node 0, along a tree. Each link of the tree has an
//! antenna direction at both ends, one of six, and by these and by the distance a share of its
//! packets is lost and sent again. The fewer hops and the fewer losses, the less energy: the
//! metric is the product of both.
//!
//! An input has a weight and two directions for every pair of nodes, 2,340 numbers; the tree is
//! the minimum spanning tree by weight. No single number matters much, so random inputs are all
//! about the same. A search changes a few at a time and keeps what helps.
//!
//! The deployment of the paper (Löscher and Sagonas 2017, section 6.2) is not public; here
//! positions and delivery rates come from a formula with some noise, the same on every machine.

use std::sync::OnceLock;

use rebut::choice::Rng;
use rebut::{Generator, integers, vecs};

/// How many nodes there are; node 0 is the root.
pub const NODES: usize = 40;

/// How many pairs of nodes there are.
pub const LINKS: usize = NODES * (NODES - 1) / 2;

const DIRECTIONS: usize = 6;

/// What is drawn for a link: its weight, and the directions at the end with the smaller and at
/// the end with the larger number.
pub type Link = (u16, u8, u8);

/// All links, in the order of [`pairs`].
pub fn networks() -> impl Generator<Value = Vec<Link>> {
    let directions = || integers::<u8>().in_range(0..=5);
    vecs((integers::<u16>().in_range(1..=10_000), directions(), directions())).size(LINKS)
}

/// The pairs of nodes, in lexicographic order.
pub fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..NODES).flat_map(|i| (i + 1..NODES).map(move |j| (i, j)))
}

/// What a tree costs: the mean share of lost packets times the hops of all nodes together.
#[must_use]
pub fn metric(network: &[Link]) -> f64 {
    let tree = spanning_tree(network);
    let delivered: f64 = tree.iter().map(|branch| branch.delivery).sum();
    (1.0 - delivered / tree.len() as f64) * f64::from(total_hops(&tree))
}

/// A link of the tree.
#[derive(Clone, Copy, Debug)]
struct Branch {
    ends: (usize, usize),
    delivery: f64,
}

/// The minimum spanning tree by weight, ties by the order of links (Kruskal 1956).
fn spanning_tree(network: &[Link]) -> Vec<Branch> {
    let deployment = Deployment::get();
    let mut order: Vec<u32> = (0..network.len().min(LINKS) as u32).collect();
    order.sort_unstable_by_key(|&nth| (network[nth as usize].0, nth));
    let mut group: Vec<usize> = (0..NODES).collect();
    let mut tree = Vec::with_capacity(NODES - 1);
    for nth in order {
        let (i, j) = deployment.pairs[nth as usize];
        let (from, to) = (find(&mut group, i), find(&mut group, j));
        if from != to {
            group[from] = to;
            let (_, di, dj) = network[nth as usize];
            let delivery = deployment.delivery(nth as usize, usize::from(di), usize::from(dj));
            tree.push(Branch { ends: (i, j), delivery });
            if tree.len() == NODES - 1 {
                break;
            }
        }
    }
    tree
}

/// The group of a node; the paths to it get shorter on the way.
fn find(group: &mut [usize], mut node: usize) -> usize {
    while group[node] != node {
        group[node] = group[group[node]];
        node = group[node];
    }
    node
}

/// The hops from each node to the root, added up.
fn total_hops(tree: &[Branch]) -> u32 {
    let mut neighbors = vec![Vec::new(); NODES];
    for &Branch { ends: (i, j), .. } in tree {
        neighbors[i].push(j);
        neighbors[j].push(i);
    }
    let mut total = 0;
    let mut open = vec![(0, NODES, 0)];
    while let Some((node, parent, hops)) = open.pop() {
        total += hops;
        let next = neighbors[node].iter().filter(|&&next| next != parent);
        open.extend(next.map(|&next| (next, node, hops + 1)));
    }
    total
}

/// Where the nodes are and what share of packets each link delivers.
struct Deployment {
    pairs: Vec<(usize, usize)>,
    deliveries: Vec<f64>,
}

impl Deployment {
    fn get() -> &'static Deployment {
        static DEPLOYMENT: OnceLock<Deployment> = OnceLock::new();
        DEPLOYMENT.get_or_init(Deployment::new)
    }

    fn new() -> Deployment {
        let mut noise = SplitMix(42);
        let places: Vec<(f64, f64)> = (0..NODES).map(|_| (noise.unit(), noise.unit())).collect();
        let pairs: Vec<(usize, usize)> = pairs().collect();
        let mut deliveries = Vec::with_capacity(LINKS * DIRECTIONS * DIRECTIONS);
        for &(i, j) in &pairs {
            for di in 0..DIRECTIONS {
                for dj in 0..DIRECTIONS {
                    deliveries.push(delivery(places[i], places[j], (di, dj), noise.unit()));
                }
            }
        }
        Deployment { pairs, deliveries }
    }

    fn delivery(&self, link: usize, di: usize, dj: usize) -> f64 {
        self.deliveries[(link * DIRECTIONS + di) * DIRECTIONS + dj]
    }
}

/// Near nodes that look at each other deliver most.
fn delivery((xi, yi): (f64, f64), (xj, yj): (f64, f64), directions: (usize, usize), u: f64) -> f64 {
    use std::f64::consts::{FRAC_PI_3, PI};
    let distance = (xj - xi).hypot(yj - yi);
    let angle = (yj - yi).atan2(xj - xi);
    let gain = |angle: f64, direction: usize| {
        0.2 + 0.8 * (1.0 + (angle - direction as f64 * FRAC_PI_3).cos()) / 2.0
    };
    let gains = gain(angle, directions.0) * gain(angle + PI, directions.1);
    let share = (-(distance / 0.5).powi(2)).exp() * gains + 0.1 * (u - 0.5);
    share.clamp(0.0, 1.0)
}

/// Steele, Lea and Flood 2014.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A network near another, as a person would write it: the second paper exchanges the weights
/// of some links and draws the directions of some anew. How many, scales with the temperature.
#[must_use]
pub fn next_network(network: &[Link], temperature: f64, rng: &mut Rng) -> Vec<Link> {
    let mut next = network.to_vec();
    if next.is_empty() {
        return next;
    }
    let most = 1 + (0.1 * temperature * next.len() as f64) as u64;
    let place = |rng: &mut Rng| rng.below(network.len() as u64) as usize;
    for _ in 0..=rng.below(most) {
        let (a, b) = (place(rng), place(rng));
        (next[a].0, next[b].0) = (next[b].0, next[a].0);
    }
    for _ in 0..=rng.below(most) {
        let nth = place(rng);
        next[nth].1 = rng.below(DIRECTIONS as u64) as u8;
        next[nth].2 = rng.below(DIRECTIONS as u64) as u8;
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lightest_links_make_the_tree() {
        // A star: the first 39 links are those of the root.
        let star: Vec<Link> = (0..LINKS as u16).map(|nth| (1 + nth, 0, 0)).collect();
        assert_eq!(total_hops(&spanning_tree(&star)), 39);
        // A thread: the links between successive numbers are the lightest.
        let thread = |(i, j)| (if j == i + 1 { 1 } else { 2 }, 0, 0);
        let thread: Vec<Link> = pairs().map(thread).collect();
        assert_eq!(total_hops(&spanning_tree(&thread)), 39 * 40 / 2);
    }

    #[test]
    fn the_deployment_is_the_same_everywhere() {
        let deployment = Deployment::get();
        assert_eq!(deployment.deliveries.len(), LINKS * 36);
        assert!(deployment.deliveries.iter().all(|share| (0.0..=1.0).contains(share)));
        // The first numbers of splitmix64 from 42, as published with it.
        let mut noise = SplitMix(42);
        assert_eq!(noise.next(), 13_679_457_532_755_275_413);
        assert_eq!(noise.next(), 2_949_826_092_126_892_291);
    }
}
