//! The ways to follow a regex within a language.
//!
//! The structure of the regex and the automaton of the language run side by side; what is left
//! after trimming are the ways that end in a string of both. Without the edges that have no
//! label it is an automaton over labels, whose words are exactly the structural classes that
//! have a member.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::structure::{Kind, Label, Place, Structure};
use crate::language::{Nfa, Palette, TooComplex, mix};
use crate::symbols::{Symbol, Symbols};

/// A walk that is longer goes to the nearest end.
const WALK_MAX: usize = 500;

/// A step from a state: which part it goes by, which characters are allowed.
#[derive(Clone, Debug)]
pub(super) struct Way {
    label: Option<(Label, Kind)>,
    chars: Arc<Chars>,
    target: u32,
}

/// The characters that a step allows. Many steps share them.
#[derive(Debug)]
struct Chars {
    symbols: Symbols,
    palette: Palette,
}

/// The ways, state by state; every state is on the way to an end.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    starts: Vec<u32>,
    accepting: Vec<bool>,
    ways: Vec<Vec<Way>>,
}

/// A string with its class.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) class: Vec<Kind>,
    pub(super) symbols: Vec<Symbol>,
}

impl Ways {
    pub(super) fn new(
        structure: &Structure,
        language: &Nfa,
        states_max: usize,
    ) -> Result<Ways, TooComplex> {
        let mut product = Product::default();
        let starts: Vec<u32> = language.starts.iter().map(|&at| product.state((0, at))).collect();
        let (mut accepting, mut ways) = (Vec::new(), Vec::new());
        let mut into: HashMap<(u32, u32), Vec<Way>> = HashMap::new();
        while let Some((place, state)) = product.queue.pop_front() {
            let here = &structure.places[place as usize];
            accepting.push(here.accepting && language.accepting[state as usize]);
            let mut from_here = Vec::new();
            for &next in &here.next {
                let steps = into.entry((next, state)).or_insert_with(|| {
                    steps_into(&structure.places[next as usize], &language.edges[state as usize])
                });
                from_here.extend(steps.iter().map(|step| {
                    let target = product.state((next, step.target));
                    Way { target, ..step.clone() }
                }));
            }
            ways.push(from_here);
            if product.numbers.len() > states_max {
                return Err(TooComplex::new(states_max));
            }
        }
        Ok(Ways::trimmed(&starts, &accepting, ways))
    }

    fn trimmed(starts: &[u32], accepting: &[bool], ways: Vec<Vec<Way>>) -> Ways {
        let left = steps_left(accepting, &ways);
        let mut numbers = vec![None; ways.len()];
        let mut count = 0;
        for (state, left) in left.iter().enumerate() {
            if left.is_some() {
                numbers[state] = Some(count);
                count += 1;
            }
        }
        let mut trimmed = Ways { starts: Vec::new(), accepting: Vec::new(), ways: Vec::new() };
        trimmed.starts = starts.iter().filter_map(|&start| numbers[start as usize]).collect();
        for (state, ways) in ways.into_iter().enumerate() {
            if numbers[state].is_some() {
                let kept = ways.into_iter().filter_map(|way| {
                    numbers[way.target as usize].map(|target| Way { target, ..way })
                });
                trimmed.ways.push(kept.collect());
                trimmed.accepting.push(accepting[state]);
            }
        }
        trimmed
    }

    /// The automaton whose words are the classes.
    pub(super) fn classes(&self) -> Nfa {
        let mut product: Numbering<u32> = Numbering::default();
        let starts = self.starts.iter().map(|&start| product.state(start)).collect();
        let mut nfa = Nfa { starts, ..Nfa::default() };
        while let Some(state) = product.queue.pop_front() {
            let silent = self.silently(state);
            nfa.accepting.push(silent.iter().any(|&at| self.accepting[at as usize]));
            let mut targets: HashMap<u32, Vec<(Kind, Kind)>> = HashMap::new();
            for way in silent.iter().flat_map(|&at| &self.ways[at as usize]) {
                if let Some((_, kind)) = way.label {
                    targets.entry(way.target).or_default().push((kind, kind));
                }
            }
            let mut edges: Vec<(u32, Symbols)> = targets
                .into_iter()
                .map(|(target, labels)| (target, Symbols::new(labels)))
                .collect();
            edges.sort_unstable_by_key(|(target, _)| *target);
            let edges = edges.into_iter().map(|(at, symbols)| (symbols, product.state(at)));
            nfa.edges.push(edges.collect());
        }
        nfa.trimmed()
    }

    /// The states that can be reached without a label.
    fn silently(&self, state: u32) -> Vec<u32> {
        let mut reached = vec![state];
        if self.ways[state as usize].iter().all(|way| way.label.is_some()) {
            return reached;
        }
        let mut is_reached = vec![false; self.ways.len()];
        is_reached[state as usize] = true;
        let mut at = 0;
        while at < reached.len() {
            for way in &self.ways[reached[at] as usize] {
                let is_new = way.label.is_none()
                    && !std::mem::replace(&mut is_reached[way.target as usize], true);
                if is_new {
                    reached.push(way.target);
                }
            }
            at += 1;
        }
        reached
    }

    /// For each label, a shortest string that goes by it, those with the shortest first.
    pub(super) fn shortest_by_label(&self, seed: u64) -> Vec<(Label, Found)> {
        let from_start = self.reached();
        let left = steps_left(&self.accepting, &self.ways);
        let mut best: HashMap<Label, (usize, usize, usize)> = HashMap::new();
        for (state, ways) in self.ways.iter().enumerate() {
            for (at, way) in ways.iter().enumerate() {
                let ends = (from_start[state].as_ref(), left[way.target as usize]);
                if let (Some((label, _)), (Some(reached), Some(left))) = (way.label, ends) {
                    let candidate = (reached.steps + 1 + left, state, at);
                    let best = best.entry(label).or_insert(candidate);
                    *best = candidate.min(*best);
                }
            }
        }
        let mut goals: Vec<(usize, Label, usize, usize)> =
            best.into_iter().map(|(label, (size, state, at))| (size, label, state, at)).collect();
        goals.sort_unstable();
        let through = |&(_, label, state, at): &(usize, Label, usize, usize)| {
            let mut path = self.path_to(&from_start, state);
            path.push((state, at));
            self.finish(&mut path, &left);
            (label, self.spell(&path, seed))
        };
        goals.iter().map(through).collect()
    }

    /// A string by a walk on which `choose` says where to go: given a state, the labels of the
    /// ways on, and whether the walk can do without any of them, it picks one, or none. A walk
    /// without a label goes to the nearest end.
    pub(super) fn walk(
        &self,
        left: &[Option<usize>],
        seed: u64,
        mut choose: impl FnMut(u32, &[Label], bool) -> Option<usize>,
    ) -> Option<Found> {
        let mut states = self.starts.clone();
        let mut path = Vec::new();
        while path.len() < WALK_MAX {
            let (at, labels) = self.labeled(&states);
            let is_end = states.iter().any(|&state| self.accepting[state as usize]);
            let silent = states.iter().find_map(|&state| self.silent_step(state, left));
            let chosen = match labels.is_empty() {
                true => None,
                false => choose(*states.first()?, &labels, is_end || silent.is_some()),
            };
            let step = chosen.and_then(|chosen| at.get(chosen).copied());
            let Some(step) = step.or(silent.filter(|_| !is_end)) else { break };
            path.push(step);
            states = vec![self.ways[step.0][step.1].target];
        }
        self.finish(&mut path, left);
        Some(self.spell(&path, seed))
    }

    /// The ways with a label from some states, and their labels.
    fn labeled(&self, states: &[u32]) -> (Vec<(usize, usize)>, Vec<Label>) {
        let ways = states.iter().flat_map(|&state| {
            let state = state as usize;
            let labeled = move |(at, way): (usize, &Way)| Some(((state, at), way.label?.0));
            self.ways[state].iter().enumerate().filter_map(labeled)
        });
        ways.unzip()
    }

    /// A step without a label that leads nearer to an end.
    fn silent_step(&self, state: u32, left: &[Option<usize>]) -> Option<(usize, usize)> {
        let state = state as usize;
        let is_nearer = |way: &Way| way.label.is_none() && left[way.target as usize] < left[state];
        self.ways[state].iter().position(is_nearer).map(|at| (state, at))
    }

    /// From each state, how many steps it takes at least to an end.
    pub(super) fn left(&self) -> Vec<Option<usize>> {
        steps_left(&self.accepting, &self.ways)
    }

    /// The string of no part, if it is one of the language.
    pub(super) fn without_labels(&self, seed: u64) -> Option<Found> {
        self.member(&[], seed)
    }

    /// A shortest way to each state.
    fn reached(&self) -> Vec<Option<Reached>> {
        let mut reached: Vec<Option<Reached>> = vec![None; self.ways.len()];
        let mut queue: VecDeque<u32> = VecDeque::new();
        for &start in &self.starts {
            reached[start as usize] = Some(Reached { steps: 0, by: None });
            queue.push_back(start);
        }
        while let Some(state) = queue.pop_front() {
            let state = state as usize;
            let steps = reached[state].as_ref().map_or(0, |reached| reached.steps) + 1;
            for (at, way) in self.ways[state].iter().enumerate() {
                let target = &mut reached[way.target as usize];
                if target.is_none() {
                    *target = Some(Reached { steps, by: Some((state, at)) });
                    queue.push_back(way.target);
                }
            }
        }
        reached
    }

    fn path_to(&self, reached: &[Option<Reached>], state: usize) -> Vec<(usize, usize)> {
        let (mut path, mut state) = (Vec::new(), state);
        while let Some((before, at)) = reached[state].as_ref().and_then(|reached| reached.by) {
            path.push((before, at));
            state = before;
        }
        path.reverse();
        path
    }

    /// Goes on to the nearest end.
    fn finish(&self, path: &mut Vec<(usize, usize)>, left: &[Option<usize>]) {
        while let Some(&(state, at)) = path.last() {
            let state = self.ways[state][at].target as usize;
            let Some(steps) = left[state].filter(|&steps| steps > 0) else { return };
            let is_nearer = |way: &Way| left[way.target as usize] == Some(steps - 1);
            let Some(at) = self.ways[state].iter().position(is_nearer) else { return };
            path.push((state, at));
        }
    }

    /// Characters vary with what came before them, so that like beginnings stay alike.
    fn spell(&self, path: &[(usize, usize)], seed: u64) -> Found {
        let mut found = Found { class: Vec::new(), symbols: Vec::with_capacity(path.len()) };
        let mut salt = seed;
        for (place, &(state, at)) in path.iter().enumerate() {
            let way = &self.ways[state][at];
            if let Some((_, kind)) = way.label {
                salt = mix(salt, u64::from(kind));
                found.class.push(kind);
            }
            found.symbols.push(way.chars.palette.pick(place, salt));
        }
        found
    }

    /// A shortest string of a class.
    pub(super) fn member(&self, class: &[Kind], seed: u64) -> Option<Found> {
        let mut search = Search::new(self);
        for (read, kind) in class.iter().map(Some).chain([None]).enumerate() {
            if let Some(path) = search.layer(read, kind.copied()) {
                return Some(self.spell(&path, seed));
            }
        }
        None
    }

    /// The class of a string, and whether it belongs to others as well; none if it is not
    /// accepted.
    pub(super) fn class_of(&self, text: &[Symbol]) -> Option<(Vec<Kind>, bool)> {
        let mut layers: Vec<HashMap<u32, (u32, Option<Kind>)>> = Vec::new();
        let mut layer: HashMap<u32, (u32, Option<Kind>)> =
            self.starts.iter().map(|&start| (start, (start, None))).collect();
        for symbol in text {
            let mut next: HashMap<u32, (u32, Option<Kind>)> = HashMap::new();
            for &state in layer.keys() {
                for way in self.ways_on(state, *symbol) {
                    let by = (state, way.label.map(|(_, kind)| kind));
                    let best = next.entry(way.target).or_insert(by);
                    *best = by.min(*best);
                }
            }
            layers.push(std::mem::replace(&mut layer, next));
        }
        let mut state = *layer.keys().filter(|&&at| self.accepting[at as usize]).min()?;
        layers.push(layer);
        let mut class = Vec::new();
        for layer in layers.iter().skip(1).rev() {
            let (before, kind) = layer.get(&state)?;
            class.extend(kind);
            state = *before;
        }
        class.reverse();
        let is_ambiguous = self.has_other(text, &class);
        Some((class, is_ambiguous))
    }

    fn ways_on(&self, state: u32, symbol: Symbol) -> impl Iterator<Item = &Way> {
        self.ways[state as usize].iter().filter(move |way| way.chars.symbols.contains(symbol))
    }

    /// Whether a string belongs to another class. What was read is followed by how much of
    /// the class was met, or by nothing if something else was.
    fn has_other(&self, text: &[Symbol], class: &[Kind]) -> bool {
        let mut layer: Vec<(u32, Option<usize>)> =
            self.starts.iter().map(|&start| (start, Some(0))).collect();
        for symbol in text {
            let mut next = Vec::new();
            for &(state, met) in &layer {
                for way in self.ways_on(state, *symbol) {
                    let met = match (met, way.label) {
                        (met, None) => met,
                        (Some(met), Some((_, kind))) if class.get(met) == Some(&kind) => {
                            Some(met + 1)
                        }
                        _ => None,
                    };
                    next.push((way.target, met));
                }
            }
            next.sort_unstable();
            next.dedup();
            layer = next;
        }
        let is_other = |met: &Option<usize>| *met != Some(class.len());
        layer.iter().any(|(state, met)| self.accepting[*state as usize] && is_other(met))
    }
}

#[derive(Clone, Debug)]
struct Reached {
    steps: usize,
    by: Option<(usize, usize)>,
}

/// The steps into a place along the edges of a state of the language, whose targets they have.
fn steps_into(place: &Place, edges: &[(Symbols, u32)]) -> Vec<Way> {
    let mut steps = Vec::new();
    for part in &place.parts {
        for (symbols, target) in edges {
            let both = part.symbols.intersection(symbols);
            if !both.is_empty() {
                let own = both.intersection(&part.own);
                let palette = Palette::new(if own.is_empty() { &both } else { &own });
                let chars = Arc::new(Chars { symbols: both, palette });
                steps.push(Way { label: part.label, chars, target: *target });
            }
        }
    }
    steps
}

/// From each state, how many steps it takes at least to an end.
fn steps_left(accepting: &[bool], ways: &[Vec<Way>]) -> Vec<Option<usize>> {
    let mut sources: Vec<Vec<u32>> = vec![Vec::new(); ways.len()];
    for (state, ways) in (0_u32..).zip(ways) {
        for way in ways {
            sources[way.target as usize].push(state);
        }
    }
    let mut left: Vec<Option<usize>> = accepting.iter().map(|ends| ends.then_some(0)).collect();
    let mut queue: VecDeque<usize> = (0..ways.len()).filter(|&at| accepting[at]).collect();
    while let Some(state) = queue.pop_front() {
        for &source in &sources[state] {
            if left[source as usize].is_none() {
                left[source as usize] = left[state].map(|steps| steps + 1);
                queue.push_back(source as usize);
            }
        }
    }
    left
}

/// Numbers things in the order in which they are met.
#[derive(Debug)]
struct Numbering<T> {
    numbers: HashMap<T, u32>,
    queue: VecDeque<T>,
}

type Product = Numbering<(u32, u32)>;

impl<T> Default for Numbering<T> {
    fn default() -> Numbering<T> {
        Numbering { numbers: HashMap::new(), queue: VecDeque::new() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Numbering<T> {
    fn state(&mut self, thing: T) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(thing).or_insert_with(|| {
            self.queue.push_back(thing);
            next
        })
    }
}

/// The search for a member of a class: breadth first, part by part.
struct Search<'a> {
    ways: &'a Ways,
    nodes: Vec<Node>,
    /// Where the nodes of the current layer begin.
    layer: usize,
    /// In which layer a state was met last; layers count from one.
    met: Vec<usize>,
    /// The same for the layer behind.
    met_next: Vec<usize>,
}

struct Node {
    state: u32,
    before: Option<(usize, usize)>,
}

impl<'a> Search<'a> {
    fn new(ways: &'a Ways) -> Search<'a> {
        let node = |&state: &u32| Node { state, before: None };
        let nodes = ways.starts.iter().map(node).collect();
        let met = vec![0; ways.ways.len()];
        Search { ways, nodes, layer: 0, met_next: met.clone(), met }
    }

    /// Takes the steps without a label, then those of the kind. Without a kind, looks for an
    /// end.
    fn layer(&mut self, read: usize, kind: Option<Kind>) -> Option<Vec<(usize, usize)>> {
        let ways = self.ways;
        let mut next: Vec<Node> = Vec::new();
        let mut at = self.layer;
        while at < self.nodes.len() {
            let state = self.nodes[at].state;
            if kind.is_none() && ways.accepting[state as usize] {
                return Some(self.path(at));
            }
            for (edge, way) in ways.ways[state as usize].iter().enumerate() {
                let node = Node { state: way.target, before: Some((at, edge)) };
                match way.label {
                    None if self.is_new(way.target, read + 1) => self.nodes.push(node),
                    Some((_, other))
                        if kind == Some(other) && self.is_new_in_next(way.target, read + 1) =>
                    {
                        next.push(node);
                    }
                    _ => {}
                }
            }
            at += 1;
        }
        self.layer = self.nodes.len();
        self.nodes.append(&mut next);
        None
    }

    fn is_new(&mut self, state: u32, layer: usize) -> bool {
        std::mem::replace(&mut self.met[state as usize], layer) != layer
    }

    fn is_new_in_next(&mut self, state: u32, layer: usize) -> bool {
        std::mem::replace(&mut self.met_next[state as usize], layer) != layer
    }

    fn path(&self, node: usize) -> Vec<(usize, usize)> {
        let (mut path, mut node) = (Vec::new(), node);
        while let Some((before, edge)) = self.nodes[node].before {
            path.push((self.nodes[before].state as usize, edge));
            node = before;
        }
        path.reverse();
        path
    }
}
