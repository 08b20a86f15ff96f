//! Nondeterministic automata.

use crate::symbols::{Symbol, Symbols};

/// An automaton whose edges are labeled with sets of symbols. Several edges of a state may
/// accept the same symbol. There are no epsilon edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nfa {
    pub(crate) starts: Vec<u32>,
    pub(crate) accepting: Vec<bool>,
    pub(crate) edges: Vec<Vec<(Symbols, u32)>>,
}

impl Nfa {
    /// Returns the number of states.
    pub(crate) fn len(&self) -> usize {
        self.accepting.len()
    }

    /// Returns the automaton that accepts exactly the given strings.
    pub(crate) fn trie(texts: &[Vec<Symbol>]) -> Nfa {
        let mut nfa = Nfa { starts: vec![0], accepting: vec![false], edges: vec![Vec::new()] };
        let mut children: std::collections::HashMap<(u32, Symbol), u32> =
            std::collections::HashMap::new();
        for text in texts {
            let mut state = 0;
            for &symbol in text {
                let new = u32::try_from(nfa.len()).unwrap_or(u32::MAX);
                let child = *children.entry((state, symbol)).or_insert(new);
                if child == new {
                    nfa.accepting.push(false);
                    nfa.edges.push(Vec::new());
                    nfa.edges[state as usize].push((Symbols::one(symbol), new));
                }
                state = child;
            }
            nfa.accepting[state as usize] = true;
        }
        nfa
    }

    /// Returns an automaton of the same language that has only the states on a path from a start
    /// to an accepting state, in breadth-first order.
    pub(crate) fn trimmed(&self) -> Nfa {
        let useful = self.co_reachable();
        let mut numbers: Vec<Option<u32>> = vec![None; self.len()];
        let mut reached: Vec<u32> = Vec::new();
        let mut number = |state: u32, reached: &mut Vec<u32>| {
            let entry = &mut numbers[state as usize];
            *entry.get_or_insert_with(|| {
                reached.push(state);
                u32::try_from(reached.len() - 1).unwrap_or(u32::MAX)
            })
        };
        let mut trimmed = Nfa::default();
        for &start in self.starts.iter().filter(|&&start| useful[start as usize]) {
            let start = number(start, &mut reached);
            trimmed.starts.push(start);
        }
        let mut at = 0;
        while at < reached.len() {
            let state = reached[at] as usize;
            let mut edges = Vec::new();
            for (symbols, target) in &self.edges[state] {
                if useful[*target as usize] && !symbols.is_empty() {
                    edges.push((symbols.clone(), number(*target, &mut reached)));
                }
            }
            trimmed.accepting.push(self.accepting[state]);
            trimmed.edges.push(edges);
            at += 1;
        }
        trimmed.starts.sort_unstable();
        trimmed.starts.dedup();
        trimmed
    }

    /// Returns, for each state, whether an accepting state is reachable from it.
    fn co_reachable(&self) -> Vec<bool> {
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for (state, edges) in self.edges.iter().enumerate() {
            for (symbols, target) in edges {
                if !symbols.is_empty() {
                    sources[*target as usize].push(u32::try_from(state).unwrap_or(u32::MAX));
                }
            }
        }
        let mut useful = self.accepting.clone();
        let mut queue: Vec<u32> =
            (0_u32..).zip(&useful).filter(|(_, useful)| **useful).map(|(state, _)| state).collect();
        while let Some(state) = queue.pop() {
            for &source in &sources[state as usize] {
                if !std::mem::replace(&mut useful[source as usize], true) {
                    queue.push(source);
                }
            }
        }
        useful
    }

    /// Returns whether the automaton has no cycle. A trimmed automaton is acyclic if and only
    /// if it accepts finitely many strings.
    pub(crate) fn is_acyclic(&self) -> bool {
        self.topological().is_some()
    }

    /// Returns the states in an order in which every edge goes forward, or `None` if there is a
    /// cycle.
    pub(crate) fn topological(&self) -> Option<Vec<u32>> {
        let mut incoming = vec![0_usize; self.len()];
        for (_, target) in self.edges.iter().flatten() {
            incoming[*target as usize] += 1;
        }
        let mut order: Vec<u32> =
            (0_u32..).zip(&incoming).filter(|(_, count)| **count == 0).map(|(at, _)| at).collect();
        let mut at = 0;
        while at < order.len() {
            for (_, target) in &self.edges[order[at] as usize] {
                incoming[*target as usize] -= 1;
                if incoming[*target as usize] == 0 {
                    order.push(*target);
                }
            }
            at += 1;
        }
        (order.len() == self.len()).then_some(order)
    }

    /// Returns the length of the longest string, or `None` if the language is empty or infinite.
    pub(crate) fn longest(&self) -> Option<usize> {
        let order = self.topological()?;
        let mut longest = vec![0_usize; self.len()];
        for &state in order.iter().rev() {
            let targets = self.edges[state as usize].iter();
            let length = targets.map(|(_, target)| longest[*target as usize] + 1).max();
            longest[state as usize] = length.unwrap_or(0);
        }
        self.starts.iter().map(|&start| longest[start as usize]).max()
    }

    /// Returns the positions of a string at which a match can end that starts at one of the
    /// positions `from`.
    pub(crate) fn match_ends(&self, text: &[Symbol], from: &[bool]) -> Vec<bool> {
        let mut to = vec![false; from.len()];
        let mut current = vec![false; self.len()];
        for at in 0..from.len() {
            if from[at] {
                for &start in &self.starts {
                    current[start as usize] = true;
                }
            }
            to[at] = current.iter().zip(&self.accepting).any(|(is, accepts)| *is && *accepts);
            let Some(&symbol) = text.get(at) else { break };
            let mut next = vec![false; self.len()];
            for state in (0..self.len()).filter(|&state| current[state]) {
                for (symbols, target) in &self.edges[state] {
                    next[*target as usize] |= symbols.contains(symbol);
                }
            }
            current = next;
        }
        to
    }
}
