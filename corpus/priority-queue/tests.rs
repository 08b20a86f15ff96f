//! Queues of items with priorities that can change.

use priority_queue::{DoublePriorityQueue, PriorityQueue};
use rebut::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

// expect: passed
#[rebut::test]
fn pops_by_priority(items: HashMap<String, i32>) {
    let mut queue: PriorityQueue<String, i32> = items.clone().into_iter().collect();
    let mut last = None;
    let mut popped = HashMap::new();
    while let Some((item, priority)) = queue.pop() {
        assert!(last.is_none_or(|last| priority <= last));
        last = Some(priority);
        popped.insert(item, priority);
    }
    assert_eq!(popped, items);
}

// Equal priorities have no order.
// expect: failed
#[rebut::test]
fn equal_priorities_are_first_in_first_out(#[from(vecs(rebut::any::<u8>()).unique())] items: Vec<u8>, priority: Option<char>) {
    let mut queue = PriorityQueue::new();
    for &item in &items {
        queue.push(item, priority);
    }
    assert_eq!(queue.into_sorted_vec(), items);
}

// expect: passed
#[rebut::test]
fn double_queue_pops_both_ends(items: BTreeMap<u16, u8>) -> Result<(), String> {
    let mut queue: DoublePriorityQueue<u16, u8> = items.iter().map(|(item, priority)| (*item, *priority)).collect();
    let mut priorities: Vec<u8> = items.values().copied().collect();
    priorities.sort();
    let mut from_front = true;
    while !priorities.is_empty() {
        let (expected, popped) = if from_front {
            (priorities.remove(0), queue.pop_min())
        } else {
            (priorities.pop().unwrap(), queue.pop_max())
        };
        let (item, priority) = popped.ok_or("the queue is too short")?;
        if priority != expected {
            return Err(format!("item {item} has {priority}, not {expected}"));
        }
        from_front = !from_front;
    }
    Ok(())
}

// `push` returns the old priority; the new one wins even if it is lower.
// expect: failed
#[rebut::test]
fn pushing_again_never_lowers_a_priority(item: (u8, bool), low: i8, high: i8, others: Vec<(u8, bool)>) {
    let mut queue = PriorityQueue::new();
    for other in others {
        queue.push(other, 0);
    }
    queue.push(item, high);
    queue.push(item, low);
    assert!(*queue.get_priority(&item).unwrap() >= high);
}

// expect: passed
#[rebut::test]
fn push_increase_is_the_maximum(item: &str, priorities: Vec<u32>) {
    let mut queue = PriorityQueue::new();
    for &priority in &priorities {
        queue.push_increase(item, priority);
    }
    assert_eq!(queue.peek().map(|(_, priority)| *priority), priorities.into_iter().max());
}

#[derive(Debug, Clone, Hash, PartialEq, Eq, rebut::Generate)]
enum Job {
    Idle,
    Mail { to: String, attempts: u8 },
    Batch(Vec<u16>),
}

// An item can be in a queue only once.
// expect: failed
#[rebut::test]
fn length_is_the_number_of_pushes(jobs: Vec<(Job, Reverse<u8>)>) -> bool {
    let queue: PriorityQueue<Job, Reverse<u8>> = jobs.iter().cloned().collect();
    queue.len() == jobs.len()
}

// expect: passed
#[rebut::test]
fn change_of_priority_moves_an_item(items: BTreeMap<u8, u16>, victim: u8, priority: u16) {
    let mut queue: PriorityQueue<u8, u16> = items.into_iter().collect();
    let known = queue.change_priority(&victim, priority).is_some();
    assert_eq!(known, queue.get_priority(&victim) == Some(&priority) && queue.contains(&victim) && known);
    let best = queue.iter().map(|(_, priority)| *priority).max();
    assert_eq!(queue.peek().map(|(_, priority)| *priority), best);
}

// A predicate that changes the priority and returns false keeps the item.
// expect: passed
#[rebut::test]
fn pop_if_keeps_items_that_are_refused(items: BTreeMap<char, u8>, refuse: bool, to: u8) {
    let mut queue: PriorityQueue<char, u8> = items.clone().into_iter().collect();
    let popped = queue.pop_if(|_, priority| {
        *priority = to;
        !refuse
    });
    assert_eq!(queue.len(), items.len() - usize::from(popped.is_some()));
    assert_eq!(popped.is_some(), !refuse && !items.is_empty());
}

// A float has no order, so people wrap bits. That is wrong for negative numbers.
// expect: failed
#[rebut::test]
fn bits_of_floats_are_priorities(left: f32, right: f32) {
    rebut::assume!(left < right, "numbers have an order");
    let mut queue = PriorityQueue::new();
    queue.push("left", left.to_bits());
    queue.push("right", right.to_bits());
    assert_eq!(queue.pop().unwrap().0, "right");
}

/// A queue with a model: a map from items to priorities.
pub struct Machine {
    queue: DoublePriorityQueue<u8, u8>,
    model: BTreeMap<u8, u8>,
}

#[rebut::contract]
#[invariant(self.queue.len() == self.model.len())]
#[invariant(self.queue.peek_max().map(|(_, p)| *p) == self.model.values().max().copied(), "the maximum is right")]
#[invariant(self.queue.peek_min().map(|(_, p)| *p) == self.model.values().min().copied(), "the minimum is right")]
impl Machine {
    pub fn start() -> Machine {
        Machine { queue: DoublePriorityQueue::new(), model: BTreeMap::new() }
    }

    #[ensures(result == old(self.model.get(&item).copied()))]
    pub fn push(&mut self, item: u8, priority: u8) -> Option<u8> {
        self.model.insert(item, priority);
        self.queue.push(item, priority)
    }

    pub fn remove(&mut self, item: u8) -> bool {
        let known = self.model.remove(&item).is_some();
        assert_eq!(self.queue.remove(&item).is_some(), known);
        known
    }

    pub fn raise(&mut self, item: u8, by: u8) {
        if let Some(priority) = self.model.get_mut(&item) {
            *priority = priority.saturating_add(by);
        }
        self.queue.change_priority_by(&item, |priority| *priority = priority.saturating_add(by));
    }

    #[requires(!self.model.is_empty())]
    pub fn pop_max(&mut self) -> u8 {
        let (item, _) = self.queue.pop_max().unwrap();
        self.model.remove(&item);
        item
    }

    pub fn retain(&mut self, keep: fn(u8, u8) -> bool) {
        self.queue.retain(|item, priority| keep(*item, *priority));
        self.model.retain(|item, priority| keep(*item, *priority));
    }
}

// expect: passed
#[rebut::test]
fn double_queue_agrees_with_a_map(#[from(rebut::Program::any().max_size(20))] program: rebut::Program<Machine>) {
    program.run();
}
