//! Radio nodes that wake up at the worst moments.
//!
//! Nodes of a sensor network sleep most of the time, because listening costs as much energy as
//! sending. Each wakes up once in a period, at its own offset, and listens for one slot. Who
//! wants to send calls until the receiver wakes up. If two call the same node at once, or if a
//! third nearby calls someone else, nothing is understood and both call for another period.
//! This is how X-MAC and ContikiMAC work, without what does not matter here.
//!
//! Every node sends readings to the sink, over a path with as few hops as possible. The
//! claim is that no radio is on for more than [`DUTY_MAX`] of the time. What breaks it takes a
//! topology in which one node forwards the readings of many, and offsets by which it always
//! calls in vain: each is easy to have by chance, both are not.

use std::collections::VecDeque;

use rebut::{Generator, ToCode, integers, maximize, vecs};

/// How many nodes there are; node 0 is the sink.
pub const NODES: usize = 20;

/// How many slots a period has.
pub const PERIOD: u32 = 24;

/// How many periods are simulated.
pub const PERIODS: u32 = 40;

/// Every so many periods each node has a reading to send.
const READING: u32 = 25;

/// The claim: no radio is on for more than this share of the time.
pub const DUTY_MAX: f64 = 0.7;

/// A deployment: who hears whom, and when each node wakes up.
#[derive(Clone, Debug, PartialEq, Eq, ToCode)]
pub struct Deployment {
    /// Pairs of nodes that hear each other.
    pub links: Vec<(u8, u8)>,
    /// The slot of the period in which each node wakes up.
    pub offsets: Vec<u8>,
}

/// Any deployment.
pub fn deployments() -> impl Generator<Value = Deployment> {
    let node = || integers::<u8>().max_value(NODES as u8 - 1);
    let links = vecs((node(), node())).max_size(40);
    let offsets = vecs(integers::<u8>().max_value(PERIOD as u8 - 1)).size(NODES);
    (links, offsets).map(|(links, offsets)| Deployment { links, offsets })
}

/// The claim, and what the search aims at.
#[must_use]
pub fn radios_are_mostly_off(deployment: &Deployment) -> bool {
    let duty = worst_duty(deployment);
    maximize(duty);
    duty <= DUTY_MAX
}

/// The share of the time for which the radio of the busiest node was on, the sink apart.
#[must_use]
pub fn worst_duty(deployment: &Deployment) -> f64 {
    let mut network = Network::new(deployment);
    for slot in 0..PERIOD * PERIODS {
        network.step(slot);
    }
    let most = network.nodes.iter().skip(1).map(|node| node.slots_on).max();
    f64::from(most.unwrap_or_default()) / f64::from(PERIOD * PERIODS)
}

struct Network {
    nodes: Vec<Node>,
}

struct Node {
    neighbors: Vec<usize>,
    /// The next node on the way to the sink, if there is a way.
    parent: Option<usize>,
    offset: u32,
    /// Readings to be sent.
    waiting: u32,
    /// In which slot it may call again.
    calls_from: u32,
    collisions: u32,
    /// For how many slots the radio was on.
    slots_on: u32,
}

impl Network {
    fn new(deployment: &Deployment) -> Network {
        let neighbors = neighbors(&deployment.links);
        let parents = parents(&neighbors);
        let offsets = deployment.offsets.iter().copied().chain(std::iter::repeat(0));
        let nodes = neighbors.into_iter().zip(parents).zip(offsets);
        let nodes = nodes.map(|((neighbors, parent), offset)| Node {
            neighbors,
            parent,
            offset: u32::from(offset) % PERIOD,
            waiting: 0,
            calls_from: 0,
            collisions: 0,
            slots_on: 0,
        });
        Network { nodes: nodes.collect() }
    }

    /// One slot: who calls, who listens, what is understood.
    fn step(&mut self, slot: u32) {
        if slot.is_multiple_of(PERIOD * READING) {
            for node in self.nodes.iter_mut().filter(|node| node.parent.is_some()) {
                node.waiting += 1;
            }
        }
        let calls: Vec<bool> = self.nodes.iter().map(|node| node.calls(slot)).collect();
        let mut heard = Vec::new();
        for (nth, node) in self.nodes.iter_mut().enumerate() {
            let wakes = slot % PERIOD == node.offset;
            node.slots_on += u32::from(calls[nth] || wakes);
            if wakes && !calls[nth] {
                heard.push(nth);
            }
        }
        for receiver in heard {
            self.receive(receiver, slot, &calls);
        }
    }

    /// A node that woke up hears those nearby who call.
    fn receive(&mut self, receiver: usize, slot: u32, calls: &[bool]) {
        let near = &self.nodes[receiver].neighbors;
        let callers: Vec<usize> = near.iter().copied().filter(|&nth| calls[nth]).collect();
        let is_alone = callers.len() == 1;
        for caller in callers {
            let sender = &mut self.nodes[caller];
            if sender.parent != Some(receiver) {
                continue;
            }
            if is_alone {
                sender.waiting -= 1;
                sender.collisions = 0;
                self.nodes[receiver].waiting += u32::from(receiver != 0);
            } else {
                sender.collisions += 1;
                sender.calls_from = slot + 1 + PERIOD * back_off(caller, sender.collisions);
            }
        }
    }
}

/// For how many periods a node is silent after a collision: another number for each node, and
/// each time, so that two do not meet for ever.
fn back_off(node: usize, collisions: u32) -> u32 {
    1 + (node as u32 * 7 + collisions * (node as u32 + 3)) % 5
}

impl Node {
    fn calls(&self, slot: u32) -> bool {
        self.waiting > 0 && self.parent.is_some() && slot >= self.calls_from
    }
}

fn neighbors(links: &[(u8, u8)]) -> Vec<Vec<usize>> {
    let mut neighbors = vec![Vec::new(); NODES];
    for &(a, b) in links {
        let (a, b) = (usize::from(a), usize::from(b));
        if a != b && a < NODES && b < NODES && !neighbors[a].contains(&b) {
            neighbors[a].push(b);
            neighbors[b].push(a);
        }
    }
    neighbors
}

/// For each node the neighbor by which it is nearest to the sink.
fn parents(neighbors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let mut parents = vec![None; NODES];
    let mut queue = VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for &next in &neighbors[node] {
            if next != 0 && parents[next].is_none() {
                parents[next] = Some(node);
                queue.push_back(next);
            }
        }
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deployment(links: &[(u8, u8)], offsets: &[u8]) -> Deployment {
        Deployment { links: links.to_vec(), offsets: offsets.to_vec() }
    }

    #[test]
    fn nodes_without_a_way_to_the_sink_only_wake_up() {
        let lonely = worst_duty(&deployment(&[(3, 4)], &[]));
        assert_eq!(lonely, f64::from(PERIODS) / f64::from(PERIOD * PERIODS));
    }

    #[test]
    fn caller_of_a_sleeping_node_calls_for_a_whole_period() {
        let on = |offsets: &[u8]| worst_duty(&deployment(&[(0, 1)], offsets)) * 960.0;
        // It wakes up 40 times by itself, and calls for two readings.
        assert_eq!(on(&[0, 5]).round(), 40.0 + 2.0);
        assert_eq!(on(&[23, 5]).round(), 40.0 + 2.0 * 23.0);
    }

    #[test]
    fn colliding_callers_retry_until_the_node_understands() {
        let mut network = Network::new(&deployment(&[(0, 1), (0, 2)], &[7; NODES]));
        network.step(0);
        assert_eq!(network.nodes.iter().map(|node| node.waiting).sum::<u32>(), 2);
        for slot in 1..PERIOD * (READING - 1) {
            network.step(slot);
        }
        assert!(network.nodes[1].collisions == 0 && network.nodes[2].collisions == 0);
        assert_eq!(network.nodes.iter().map(|node| node.waiting).sum::<u32>(), 0);
    }
}
