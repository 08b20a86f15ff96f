//! The automaton whose words are the structural classes that have a member.
//!
//! # Construction
//! [`Structure`] is an automaton over the positions of the regex. It defines which positions may
//! follow each other and which parts have a label, but it ignores which strings are allowed.
//! The language is an automaton over characters that ignores how the regex is written. This
//! module runs both side by side: a state is a pair (position, state of the language), and an
//! edge exists for each part of the next position and each edge of the language that share a
//! character. A state is accepting if both halves are. States without a path to an accepting
//! state are removed ([`ClassAutomaton::trimmed`]), so **every path can be completed** and a walk
//! never runs into a dead end.
//!
//! An edge carries two things: the characters that it accepts, and at most one label. Edges
//! without a label are *silent*: they read a character but add nothing to the class. They come
//! from the repetitions after the first one (see [`super::Repeats::Few`]).
//!
//! # Example
//! `[ab]+` under `Repeats::Few`, restricted to strings that end in `b`. The structure has three
//! positions after the start (see `cover/structure.rs`):
//!
//! ```text
//! start --> 1: a = label 0, b = label 1             alone, accepting
//!   `-----> 2: a = label 2, b = label 3             first of several
//!             `--> 3: a or b, silent, loops          the others, accepting
//! ```
//!
//! Without the language there would be four classes: `0`, `1`, `2` and `3`. The only member of
//! class `0` is `a`, which does not end in `b`, so the product has no accepting state after
//! label 0 and trimming removes the edge. Three classes are left. The shortest member of class
//! `2` is `ab`: label 2 reads `a`, then one silent edge reads `b` to reach an accepting state.
//! The tests below check this example.
//!
//! # Listing classes
//! [`ClassAutomaton::classes`] drops the characters and contracts the silent edges, as one
//! removes epsilon edges from an automaton. The result is an ordinary automaton over
//! [`ClassSymbol`]s, and `language/words.rs` and `language/ranks.rs` list its words.
//!
//! # Finding a member
//! [`ClassAutomaton::member`] goes the other way, from a class to a shortest string. It is a
//! breadth-first search in layers: layer *n* contains the states reachable after the first *n*
//! symbols of the class. Within a layer the search follows silent edges, each of which costs
//! one character; then it follows the edges labeled with the next symbol into the next layer.
//! A state may be visited again in a later layer, because more of the class has been read by
//! then. The time is proportional to the length of the class times the number of edges.
//!
//! # Finding the class of a string
//! [`ClassAutomaton::class_of`] keeps one predecessor for each state and position of the
//! string. That is enough to reconstruct *one* class but not to decide whether it is the only
//! one: two paths with different labels may meet in the same state, and only one of them is
//! remembered. Whether the class is unique can only be checked once it is known, so
//! [`ClassAutomaton::has_other`] reads the string a second time and remembers, for each state,
//! how many symbols of the class a path has matched, or that it has deviated. A path that
//! deviated, or that matched only a prefix, is another class. Keeping all classes instead of a
//! second pass is not an option; there may be exponentially many.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::structure::{ClassSymbol, Label, Position, Structure};
use crate::language::{Nfa, Palette, TooComplex, mix};
use crate::symbols::{Symbol, Symbols};

/// The maximum number of edges that [`ClassAutomaton::walk`] chooses freely.
///
/// Arbitrary. A longer walk takes the shortest path to an accepting state, so its string is
/// still a member, but the end of the regex is not mixed any further.
const WALK_MAX: usize = 500;

/// An edge of the automaton: the part of the regex that it uses and the characters it accepts.
#[derive(Clone, Debug)]
struct ClassEdge {
    /// `None` for a silent edge.
    label: Option<(Label, ClassSymbol)>,
    chars: Arc<EdgeChars>,
    target: u32,
}

/// The characters that an edge accepts. Many edges share them.
#[derive(Debug)]
struct EdgeChars {
    symbols: Symbols,
    /// The characters to spell strings with.
    palette: Palette,
}

/// An edge by its source state and its index among the edges of that state.
type EdgeId = (usize, usize);

/// The automaton of structural classes; see the module documentation.
///
/// Invariant: an accepting state is reachable from every state.
#[derive(Clone, Debug)]
pub(super) struct ClassAutomaton {
    starts: Vec<u32>,
    accepting: Vec<bool>,
    edges: Vec<Vec<ClassEdge>>,
}

/// A string together with its structural class.
#[derive(Clone, Debug)]
pub(super) struct ClassMember {
    pub(super) class: Vec<ClassSymbol>,
    pub(super) symbols: Vec<Symbol>,
}

impl ClassAutomaton {
    pub(super) fn new(
        structure: &Structure,
        language: &Nfa,
        states_max: usize,
    ) -> Result<ClassAutomaton, TooComplex> {
        let mut product: StateNumbers<(u32, u32)> = StateNumbers::default();
        let starts: Vec<u32> = language.starts.iter().map(|&at| product.number((0, at))).collect();
        let (mut accepting, mut edges) = (Vec::new(), Vec::new());
        let mut edges_into: HashMap<(u32, u32), Vec<ClassEdge>> = HashMap::new();
        while let Some((position, state)) = product.queue.pop_front() {
            let here = &structure.positions[position as usize];
            accepting.push(here.accepting && language.accepting[state as usize]);
            let mut from_here = Vec::new();
            for &next in &here.next {
                let into_next = edges_into.entry((next, state)).or_insert_with(|| {
                    let position = &structure.positions[next as usize];
                    edges_into_position(position, &language.edges[state as usize])
                });
                from_here.extend(into_next.iter().map(|edge| {
                    let target = product.number((next, edge.target));
                    ClassEdge { target, ..edge.clone() }
                }));
            }
            edges.push(from_here);
            if product.numbers.len() > states_max {
                return Err(TooComplex::new(states_max));
            }
        }
        Ok(ClassAutomaton::trimmed(&starts, &accepting, edges))
    }

    /// Removes the states from which no accepting state is reachable.
    fn trimmed(starts: &[u32], accepting: &[bool], edges: Vec<Vec<ClassEdge>>) -> ClassAutomaton {
        let distances = distances_to_end(accepting, &edges);
        let mut numbers = vec![None; edges.len()];
        let mut count = 0;
        for (state, distance) in distances.iter().enumerate() {
            if distance.is_some() {
                numbers[state] = Some(count);
                count += 1;
            }
        }
        let starts = starts.iter().filter_map(|&start| numbers[start as usize]).collect();
        let mut trimmed = ClassAutomaton { starts, accepting: Vec::new(), edges: Vec::new() };
        for (state, edges) in edges.into_iter().enumerate() {
            if numbers[state].is_some() {
                let kept = edges.into_iter().filter_map(|edge| {
                    numbers[edge.target as usize].map(|target| ClassEdge { target, ..edge })
                });
                trimmed.edges.push(kept.collect());
                trimmed.accepting.push(accepting[state]);
            }
        }
        trimmed
    }

    /// Returns the automaton over class symbols whose words are the classes.
    pub(super) fn classes(&self) -> Nfa {
        let mut states: StateNumbers<u32> = StateNumbers::default();
        let starts = self.starts.iter().map(|&start| states.number(start)).collect();
        let mut nfa = Nfa { starts, ..Nfa::default() };
        while let Some(state) = states.queue.pop_front() {
            let closure = self.silent_closure(state);
            nfa.accepting.push(closure.iter().any(|&at| self.accepting[at as usize]));
            let mut targets: HashMap<u32, Vec<(ClassSymbol, ClassSymbol)>> = HashMap::new();
            for edge in closure.iter().flat_map(|&at| &self.edges[at as usize]) {
                if let Some((_, symbol)) = edge.label {
                    targets.entry(edge.target).or_default().push((symbol, symbol));
                }
            }
            let mut edges: Vec<(u32, Symbols)> = targets
                .into_iter()
                .map(|(target, symbols)| (target, Symbols::new(symbols)))
                .collect();
            edges.sort_unstable_by_key(|(target, _)| *target);
            let edges = edges.into_iter().map(|(at, symbols)| (symbols, states.number(at)));
            nfa.edges.push(edges.collect());
        }
        nfa.trimmed()
    }

    /// Returns the states reachable over silent edges, the state itself included.
    fn silent_closure(&self, state: u32) -> Vec<u32> {
        let mut reached = vec![state];
        if self.edges[state as usize].iter().all(|edge| edge.label.is_some()) {
            return reached;
        }
        let mut is_reached = vec![false; self.edges.len()];
        is_reached[state as usize] = true;
        let mut at = 0;
        while at < reached.len() {
            for edge in &self.edges[reached[at] as usize] {
                let is_new = edge.label.is_none()
                    && !std::mem::replace(&mut is_reached[edge.target as usize], true);
                if is_new {
                    reached.push(edge.target);
                }
            }
            at += 1;
        }
        reached
    }

    /// Returns a shortest string for each label, sorted by length.
    pub(super) fn shortest_by_label(&self, seed: u64) -> Vec<(Label, ClassMember)> {
        let arrivals = self.shortest_arrivals();
        let distances = self.distances_to_end();
        let mut best: HashMap<Label, (usize, usize, usize)> = HashMap::new();
        for (state, edges) in self.edges.iter().enumerate() {
            for (at, edge) in edges.iter().enumerate() {
                let ends = (arrivals[state].as_ref(), distances[edge.target as usize]);
                if let (Some((label, _)), (Some(arrival), Some(rest))) = (edge.label, ends) {
                    let candidate = (arrival.steps + 1 + rest, state, at);
                    let best = best.entry(label).or_insert(candidate);
                    *best = candidate.min(*best);
                }
            }
        }
        let mut goals: Vec<(usize, Label, usize, usize)> =
            best.into_iter().map(|(label, (size, state, at))| (size, label, state, at)).collect();
        goals.sort_unstable();
        let through = |&(_, label, state, at): &(usize, Label, usize, usize)| {
            let mut path = self.path_to(&arrivals, state);
            path.push((state, at));
            self.complete(&mut path, &distances);
            (label, self.spell(&path, seed))
        };
        goals.iter().map(through).collect()
    }

    /// Returns the string of a walk that `choose` directs.
    ///
    /// `choose` receives the current state, the labels of its outgoing edges, and whether the
    /// walk can go on without any of them: because the string may end here, or because a silent
    /// edge leads closer to an end. It returns the index of a label, or `None` for neither. The
    /// walk then ends here or takes the silent edge.
    pub(super) fn walk(
        &self,
        distances: &[Option<usize>],
        seed: u64,
        mut choose: impl FnMut(u32, &[Label], bool) -> Option<usize>,
    ) -> Option<ClassMember> {
        let mut states = self.starts.clone();
        let mut path = Vec::new();
        while path.len() < WALK_MAX {
            let (labeled, labels) = self.labeled_edges(&states);
            let is_end = states.iter().any(|&state| self.accepting[state as usize]);
            let silent =
                states.iter().find_map(|&state| self.silent_edge_toward_end(state, distances));
            let chosen = match labels.is_empty() {
                true => None,
                false => choose(*states.first()?, &labels, is_end || silent.is_some()),
            };
            let edge = chosen.and_then(|chosen| labeled.get(chosen).copied());
            let Some(edge) = edge.or(silent.filter(|_| !is_end)) else { break };
            path.push(edge);
            states = vec![self.edges[edge.0][edge.1].target];
        }
        self.complete(&mut path, distances);
        Some(self.spell(&path, seed))
    }

    /// Returns the labeled edges of the given states, and their labels.
    fn labeled_edges(&self, states: &[u32]) -> (Vec<EdgeId>, Vec<Label>) {
        let edges = states.iter().flat_map(|&state| {
            let state = state as usize;
            let labeled = move |(at, edge): (usize, &ClassEdge)| Some(((state, at), edge.label?.0));
            self.edges[state].iter().enumerate().filter_map(labeled)
        });
        edges.unzip()
    }

    /// Returns a silent edge that leads closer to an accepting state.
    fn silent_edge_toward_end(&self, state: u32, distances: &[Option<usize>]) -> Option<EdgeId> {
        let state = state as usize;
        let is_closer = |edge: &ClassEdge| {
            edge.label.is_none() && distances[edge.target as usize] < distances[state]
        };
        self.edges[state].iter().position(is_closer).map(|at| (state, at))
    }

    /// Returns, for each state, the number of edges to the nearest accepting state.
    pub(super) fn distances_to_end(&self) -> Vec<Option<usize>> {
        distances_to_end(&self.accepting, &self.edges)
    }

    /// Returns a member of the class that has no labels, if there is one.
    pub(super) fn without_labels(&self, seed: u64) -> Option<ClassMember> {
        self.member(&[], seed)
    }

    /// Finds a shortest path from a start to each state.
    fn shortest_arrivals(&self) -> Vec<Option<Arrival>> {
        let mut arrivals: Vec<Option<Arrival>> = vec![None; self.edges.len()];
        let mut queue: VecDeque<u32> = VecDeque::new();
        for &start in &self.starts {
            arrivals[start as usize] = Some(Arrival { steps: 0, last_edge: None });
            queue.push_back(start);
        }
        while let Some(state) = queue.pop_front() {
            let state = state as usize;
            let steps = arrivals[state].as_ref().map_or(0, |arrival| arrival.steps) + 1;
            for (at, edge) in self.edges[state].iter().enumerate() {
                let target = &mut arrivals[edge.target as usize];
                if target.is_none() {
                    *target = Some(Arrival { steps, last_edge: Some((state, at)) });
                    queue.push_back(edge.target);
                }
            }
        }
        arrivals
    }

    fn path_to(&self, arrivals: &[Option<Arrival>], state: usize) -> Vec<EdgeId> {
        let (mut path, mut state) = (Vec::new(), state);
        while let Some(edge) = arrivals[state].as_ref().and_then(|arrival| arrival.last_edge) {
            path.push(edge);
            state = edge.0;
        }
        path.reverse();
        path
    }

    /// Extends a path to the nearest accepting state.
    fn complete(&self, path: &mut Vec<EdgeId>, distances: &[Option<usize>]) {
        while let Some(&(state, at)) = path.last() {
            let state = self.edges[state][at].target as usize;
            let Some(distance) = distances[state].filter(|&distance| distance > 0) else { return };
            let is_closer =
                |edge: &ClassEdge| distances[edge.target as usize] == Some(distance - 1);
            let Some(at) = self.edges[state].iter().position(is_closer) else { return };
            path.push((state, at));
        }
    }

    /// Picks a character for each edge of a path.
    ///
    /// The salt depends on the class so far, so members of different classes differ in their
    /// characters too, and classes with a common prefix have members with a common prefix.
    fn spell(&self, path: &[EdgeId], seed: u64) -> ClassMember {
        let mut member = ClassMember { class: Vec::new(), symbols: Vec::with_capacity(path.len()) };
        let mut salt = seed;
        for (index, &(state, at)) in path.iter().enumerate() {
            let edge = &self.edges[state][at];
            if let Some((_, symbol)) = edge.label {
                salt = mix(salt, u64::from(symbol));
                member.class.push(symbol);
            }
            member.symbols.push(edge.chars.palette.pick(index, salt));
        }
        member
    }

    /// Returns a shortest member of a class, or `None` if the class has no member.
    pub(super) fn member(&self, class: &[ClassSymbol], seed: u64) -> Option<ClassMember> {
        let mut search = MemberSearch::new(self);
        for (read, symbol) in class.iter().map(Some).chain([None]).enumerate() {
            if let Some(path) = search.layer(read, symbol.copied()) {
                return Some(self.spell(&path, seed));
            }
        }
        None
    }

    /// Returns a class of a string and whether the string belongs to other classes too, or
    /// `None` if the string is not accepted.
    pub(super) fn class_of(&self, text: &[Symbol]) -> Option<(Vec<ClassSymbol>, bool)> {
        // For each state, the predecessor and the symbol of the edge. The least one is kept, so
        // that the result does not depend on the order of the map.
        type Layer = HashMap<u32, (u32, Option<ClassSymbol>)>;
        let mut layers: Vec<Layer> = Vec::new();
        let mut layer: Layer = self.starts.iter().map(|&start| (start, (start, None))).collect();
        for symbol in text {
            let mut next: Layer = HashMap::new();
            for &state in layer.keys() {
                for edge in self.edges_on(state, *symbol) {
                    let before = (state, edge.label.map(|(_, symbol)| symbol));
                    let best = next.entry(edge.target).or_insert(before);
                    *best = before.min(*best);
                }
            }
            layers.push(std::mem::replace(&mut layer, next));
        }
        let mut state = *layer.keys().filter(|&&at| self.accepting[at as usize]).min()?;
        layers.push(layer);
        let mut class = Vec::new();
        for layer in layers.iter().skip(1).rev() {
            let (before, symbol) = layer.get(&state)?;
            class.extend(symbol);
            state = *before;
        }
        class.reverse();
        let is_ambiguous = self.has_other(text, &class);
        Some((class, is_ambiguous))
    }

    fn edges_on(&self, state: u32, symbol: Symbol) -> impl Iterator<Item = &ClassEdge> {
        self.edges[state as usize].iter().filter(move |edge| edge.chars.symbols.contains(symbol))
    }

    /// Returns whether a string belongs to a class other than the given one.
    ///
    /// Each path is summarized by its state and the number of symbols of `class` that it has
    /// matched, or `None` once it has deviated from `class`.
    fn has_other(&self, text: &[Symbol], class: &[ClassSymbol]) -> bool {
        let mut layer: Vec<(u32, Option<usize>)> =
            self.starts.iter().map(|&start| (start, Some(0))).collect();
        for symbol in text {
            let mut next = Vec::new();
            for &(state, matched) in &layer {
                for edge in self.edges_on(state, *symbol) {
                    let matched = match (matched, edge.label) {
                        (matched, None) => matched,
                        (Some(matched), Some((_, symbol)))
                            if class.get(matched) == Some(&symbol) =>
                        {
                            Some(matched + 1)
                        }
                        _ => None,
                    };
                    next.push((edge.target, matched));
                }
            }
            next.sort_unstable();
            next.dedup();
            layer = next;
        }
        let is_other = |matched: &Option<usize>| *matched != Some(class.len());
        layer.iter().any(|(state, matched)| self.accepting[*state as usize] && is_other(matched))
    }
}

/// How a state is reached on a shortest path from a start.
#[derive(Clone, Debug)]
struct Arrival {
    steps: usize,
    /// `None` for a start.
    last_edge: Option<EdgeId>,
}

/// Returns the edges into a position along the edges of one state of the language. Their
/// targets are states of the language, not of the product.
fn edges_into_position(position: &Position, language_edges: &[(Symbols, u32)]) -> Vec<ClassEdge> {
    let mut edges = Vec::new();
    for part in &position.parts {
        for (symbols, target) in language_edges {
            let both = part.symbols.intersection(symbols);
            if !both.is_empty() {
                let own = both.intersection(&part.own);
                let palette = Palette::new(if own.is_empty() { &both } else { &own });
                let chars = Arc::new(EdgeChars { symbols: both, palette });
                edges.push(ClassEdge { label: part.label, chars, target: *target });
            }
        }
    }
    edges
}

/// Returns, for each state, the number of edges to the nearest accepting state.
fn distances_to_end(accepting: &[bool], edges: &[Vec<ClassEdge>]) -> Vec<Option<usize>> {
    let mut sources: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
    for (state, edges) in (0_u32..).zip(edges) {
        for edge in edges {
            sources[edge.target as usize].push(state);
        }
    }
    let mut distances: Vec<Option<usize>> =
        accepting.iter().map(|accepts| accepts.then_some(0)).collect();
    let mut queue: VecDeque<usize> = (0..edges.len()).filter(|&at| accepting[at]).collect();
    while let Some(state) = queue.pop_front() {
        for &source in &sources[state] {
            if distances[source as usize].is_none() {
                distances[source as usize] = distances[state].map(|distance| distance + 1);
                queue.push_back(source as usize);
            }
        }
    }
    distances
}

/// Numbers states in the order in which they are discovered, and queues them.
#[derive(Debug)]
struct StateNumbers<T> {
    numbers: HashMap<T, u32>,
    queue: VecDeque<T>,
}

impl<T> Default for StateNumbers<T> {
    fn default() -> StateNumbers<T> {
        StateNumbers { numbers: HashMap::new(), queue: VecDeque::new() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> StateNumbers<T> {
    fn number(&mut self, state: T) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(state).or_insert_with(|| {
            self.queue.push_back(state);
            next
        })
    }
}

/// The search for a shortest member of a class; see the module documentation.
struct MemberSearch<'a> {
    automaton: &'a ClassAutomaton,
    nodes: Vec<SearchNode>,
    /// The index of the first node of the current layer.
    layer_start: usize,
    /// The last layer in which each state was reached over a silent edge; layers count from 1.
    reached_silently: Vec<usize>,
    /// The last layer from which each state was reached over a labeled edge.
    reached_by_label: Vec<usize>,
}

struct SearchNode {
    state: u32,
    /// The previous node and the index of the edge out of its state.
    before: Option<(usize, usize)>,
}

impl<'a> MemberSearch<'a> {
    fn new(automaton: &'a ClassAutomaton) -> MemberSearch<'a> {
        let node = |&state: &u32| SearchNode { state, before: None };
        let nodes = automaton.starts.iter().map(node).collect();
        let unreached = vec![0; automaton.edges.len()];
        MemberSearch {
            automaton,
            nodes,
            layer_start: 0,
            reached_silently: unreached.clone(),
            reached_by_label: unreached,
        }
    }

    /// Searches one layer: follows the silent edges, then the edges with the given symbol into
    /// the next layer. Without a symbol this is the last layer; returns the path to its first
    /// accepting state.
    fn layer(&mut self, read: usize, symbol: Option<ClassSymbol>) -> Option<Vec<EdgeId>> {
        let automaton = self.automaton;
        let mut next: Vec<SearchNode> = Vec::new();
        let mut at = self.layer_start;
        while at < self.nodes.len() {
            let state = self.nodes[at].state;
            if symbol.is_none() && automaton.accepting[state as usize] {
                return Some(self.path(at));
            }
            for (index, edge) in automaton.edges[state as usize].iter().enumerate() {
                let node = SearchNode { state: edge.target, before: Some((at, index)) };
                let target = edge.target as usize;
                match edge.label {
                    None if is_first(&mut self.reached_silently[target], read + 1) => {
                        self.nodes.push(node);
                    }
                    Some((_, other))
                        if symbol == Some(other)
                            && is_first(&mut self.reached_by_label[target], read + 1) =>
                    {
                        next.push(node);
                    }
                    _ => {}
                }
            }
            at += 1;
        }
        self.layer_start = self.nodes.len();
        self.nodes.append(&mut next);
        None
    }

    fn path(&self, node: usize) -> Vec<EdgeId> {
        let (mut path, mut node) = (Vec::new(), node);
        while let Some((before, edge)) = self.nodes[node].before {
            path.push((self.nodes[before].state as usize, edge));
            node = before;
        }
        path.reverse();
        path
    }
}

/// Records that a state was reached in a layer. Returns whether this is the first time.
fn is_first(reached: &mut usize, layer: usize) -> bool {
    std::mem::replace(reached, layer) != layer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, StateSets, WordWalk};
    use crate::order;
    use crate::{Regex, Repeats};

    fn automaton(pattern: &str, language: &Language) -> ClassAutomaton {
        let regex = Regex::parse(pattern).expect("a pattern");
        let structure = Structure::new(&regex, Repeats::Few, false, 1000).expect("small");
        let language = language.automaton().expect("small");
        ClassAutomaton::new(&structure, &language, 1000).expect("small")
    }

    fn classes(automaton: &ClassAutomaton) -> Vec<Vec<ClassSymbol>> {
        let mut walk = WordWalk::new(StateSets::new(Arc::new(automaton.classes()), 1000));
        std::iter::from_fn(|| walk.next().map(<[ClassSymbol]>::to_vec)).collect()
    }

    fn member(automaton: &ClassAutomaton, class: &[ClassSymbol]) -> Option<String> {
        let member = automaton.member(class, 0)?;
        Some(member.symbols.into_iter().map(order::char_of).collect())
    }

    fn class_of(automaton: &ClassAutomaton, text: &str) -> Option<(Vec<ClassSymbol>, bool)> {
        automaton.class_of(&order::symbols_in(text))
    }

    #[test]
    fn classes_without_a_member_in_the_language_are_trimmed() {
        let all = automaton("[ab]+", &Language::all());
        assert_eq!(classes(&all), [[0], [1], [2], [3]]);
        let ends_in_b = automaton("[ab]+", &Language::ending_with("b"));
        assert_eq!(classes(&ends_in_b), [[1], [2], [3]]);
    }

    #[test]
    fn shortest_member_uses_silent_edges_to_reach_the_end() {
        let ends_in_b = automaton("[ab]+", &Language::ending_with("b"));
        assert_eq!(member(&ends_in_b, &[0]), None);
        assert_eq!(member(&ends_in_b, &[1]).as_deref(), Some("b"));
        assert_eq!(member(&ends_in_b, &[2]).as_deref(), Some("ab"));
        assert_eq!(member(&ends_in_b, &[2, 1]), None);
    }

    #[test]
    fn silent_edges_are_taken_between_two_labels() {
        let long = Language::starting_with("aaa");
        let automaton = automaton("a+b", &long);
        let class = class_of(&automaton, "aaab").map(|(class, _)| class).expect("a member");
        assert_eq!(class.len(), 2);
        assert_eq!(member(&automaton, &class).as_deref(), Some("aaab"));
        assert_eq!(member(&automaton, &class[..1]), None);
    }

    #[test]
    fn paths_that_meet_again_are_still_two_classes() {
        let automaton = automaton("(a|[ab])c", &Language::all());
        let (class, is_ambiguous) = class_of(&automaton, "ac").expect("a member");
        assert!(is_ambiguous);
        assert_eq!(class.len(), 2);
        let (_, is_ambiguous) = class_of(&automaton, "bc").expect("a member");
        assert!(!is_ambiguous);
        assert_eq!(class_of(&automaton, "c"), None);
    }

    #[test]
    fn member_of_a_class_is_classified_as_that_class() {
        let automaton = automaton("[ab]+(c|[de]*)f?", &Language::all());
        for class in classes(&automaton) {
            let text = member(&automaton, &class).expect("a member");
            assert_eq!(class_of(&automaton, &text), Some((class, false)), "{text}");
        }
    }

    #[test]
    fn every_label_has_a_shortest_member_that_uses_it() {
        let automaton = automaton("x?[ab]+", &Language::all());
        let shortest = automaton.shortest_by_label(0);
        assert!(shortest.is_sorted_by_key(|(_, member)| member.symbols.len()));
        assert_eq!(shortest.len(), 5);
        for (label, member) in shortest {
            // Under `Repeats::Few` a class symbol is a label.
            assert!(member.class.contains(&label), "{label} {member:?}");
        }
    }
}
