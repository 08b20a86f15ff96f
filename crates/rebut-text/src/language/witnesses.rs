//! Finds one string of each length.
//!
//! A walk through the automaton finds a string of a given length: at each step it takes an edge
//! from which the remaining length can still be met (`language/accepted_lengths.rs`). A long walk
//! visits some state twice. The characters in between can be repeated (the pumping lemma), so the
//! string also serves all lengths that differ by a multiple of this cycle. Such a string is
//! stored as three pieces and a number of repetitions: a hundred thousand lengths cost no more
//! than writing them.
//!
//! Example: for `x[a-z]*` the state after `x` repeats at every step. The walk for length 96 keeps
//! its longest cycle, of 48 symbols; it serves the lengths 144, 192 and so on. The walk for length
//! 97 serves 145, 193 and so on. After 48 walks, every length is served.

use std::fmt;
use std::sync::Arc;

use super::accepted_lengths::AcceptedLengths;
use super::nfa::Nfa;
use super::readable::Palette;
use crate::order;
use crate::symbols::Symbol;

/// One string of each length of a language; see [`crate::Language::lengths`].
#[derive(Clone, Debug)]
pub struct Lengths {
    nfa: Arc<Nfa>,
    reach: AcceptedLengths,
    /// The palettes of the edges of each state; `None` until they are needed.
    palettes: Vec<Option<Box<[Palette]>>>,
    next: Option<usize>,
    /// The strings with a cycle found so far.
    pumps: Vec<Pump>,
}

/// A string whose cycle can be repeated.
#[derive(Clone, Debug)]
struct Pump {
    cycle_len: usize,
    /// The length of the string with one repetition of the cycle.
    len: usize,
    pieces: Arc<Pieces>,
}

/// The length from which strings are searched for a cycle.
///
/// Arbitrary; twice `CYCLE_MAX`. Each shorter string costs a walk of its own.
const PUMP_MIN: usize = 96;

/// The maximum length of a cycle.
///
/// Arbitrary. A longer cycle makes long strings more varied, but a cycle of n symbols serves only
/// one in n lengths. If the walk has no cycle this short, each length costs a walk of its own.
const CYCLE_MAX: usize = 48;

/// The maximum number of strings with a cycle to keep.
///
/// `CYCLE_MAX` strings serve all lengths if their cycles have this length; the factor 4 for cycles
/// of mixed lengths is arbitrary. Above it, each unserved length costs a walk of its own.
const PUMPS_MAX: usize = 4 * CYCLE_MAX;

impl Lengths {
    pub(crate) fn new(nfa: Arc<Nfa>) -> Lengths {
        let mut reach = AcceptedLengths::new(nfa.clone());
        let next = reach.next_length(0);
        let palettes = vec![None; nfa.len()];
        Lengths { nfa, reach, palettes, next, pumps: Vec::new() }
    }

    fn witness(&mut self, length: usize) -> Witness {
        let fits =
            |pump: &&Pump| pump.len <= length && (length - pump.len).is_multiple_of(pump.cycle_len);
        if let Some(pump) = self.pumps.iter().find(fits) {
            let times = 1 + (length - pump.len) / pump.cycle_len;
            return Witness { pieces: pump.pieces.clone(), times, len: length };
        }
        let (symbols, states) = self.walk(length);
        let cycle = if length < PUMP_MIN { None } else { cycle(&states) };
        let Some((from, to)) = cycle.filter(|_| self.pumps.len() < PUMPS_MAX) else {
            let pieces = Pieces::new(&symbols, length, length);
            return Witness { pieces: Arc::new(pieces), times: 1, len: length };
        };
        let pieces = Arc::new(Pieces::new(&symbols, from, to));
        self.pumps.push(Pump { cycle_len: to - from, len: length, pieces: pieces.clone() });
        Witness { pieces, times: 1, len: length }
    }

    /// Returns the symbols of a string of a length that occurs, and the states along the walk.
    fn walk(&mut self, length: usize) -> (Vec<Symbol>, Vec<u32>) {
        let (mut symbols, mut states) = (Vec::with_capacity(length), Vec::with_capacity(length));
        let starts = self.nfa.starts.clone();
        let start = starts.into_iter().find(|&start| self.reach.contains(start, length));
        let Some(mut state) = start else { return (symbols, states) };
        states.push(state);
        for left in (0..length).rev() {
            let nfa = self.nfa.clone();
            let edges = &nfa.edges[state as usize];
            let edge = (0..edges.len()).find(|&edge| self.reach.contains(edges[edge].1, left));
            let Some(edge) = edge else { break };
            let palettes = self.palettes[state as usize].get_or_insert_with(|| {
                edges.iter().map(|(symbols, _)| Palette::new(symbols)).collect()
            });
            symbols.push(palettes[edge].pick(symbols.len(), 0));
            state = edges[edge].1;
            states.push(state);
        }
        (symbols, states)
    }
}

impl Iterator for Lengths {
    type Item = Witness;

    fn next(&mut self) -> Option<Witness> {
        let length = self.next?;
        self.next = self.reach.next_length(length + 1);
        Some(self.witness(length))
    }
}

/// Finds the longest cycle of at most `CYCLE_MAX` states, as the indices of its two ends.
fn cycle(states: &[u32]) -> Option<(usize, usize)> {
    (1..=CYCLE_MAX.min(states.len() - 1)).rev().find_map(|len| {
        let from = (0..states.len() - len).find(|&from| states[from] == states[from + len])?;
        Some((from, from + len))
    })
}

/// The pieces of a string. The middle one can be repeated.
#[derive(Clone, Debug)]
struct Pieces {
    head: String,
    cycle: String,
    /// The cycle repeated `block_times` times, so that long strings are copied in large pieces.
    block: String,
    block_times: usize,
    tail: String,
}

/// The approximate size of a block.
///
/// Arbitrary; large enough that the copying dominates. It costs this much memory for each kept
/// string.
const BLOCK_BYTES: usize = 1 << 14;

impl Pieces {
    fn new(symbols: &[Symbol], from: usize, to: usize) -> Pieces {
        let text = |symbols: &[Symbol]| symbols.iter().copied().map(order::char_of).collect();
        let cycle: String = text(&symbols[from..to]);
        let block_times = BLOCK_BYTES.checked_div(cycle.len()).unwrap_or(0);
        let block = cycle.repeat(block_times);
        Pieces {
            head: text(&symbols[..from]),
            cycle,
            block,
            block_times,
            tail: text(&symbols[to..]),
        }
    }
}

/// A string that is built only when it is displayed (`to_string`) or written.
///
/// # Examples
/// ```
/// use rebut_text::Regex;
/// let long = Regex::parse("[a-z]*")?.language().lengths()?.nth(100_000);
/// assert_eq!(long.map(|witness| (witness.len(), witness.to_string().len())), Some((100_000, 100_000)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Witness {
    pieces: Arc<Pieces>,
    times: usize,
    len: usize,
}

impl Witness {
    /// Returns the number of characters.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a string of length zero is a witness too")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Appends the string to `text`. If `text` is reused, this is as fast as copying.
    pub fn write_to(&self, text: &mut String) {
        let pieces = &*self.pieces;
        text.reserve(pieces.head.len() + pieces.cycle.len() * self.times + pieces.tail.len());
        self.for_each_piece(|piece| text.push_str(piece));
    }

    fn for_each_piece(&self, mut each: impl FnMut(&str)) {
        let pieces = &*self.pieces;
        each(&pieces.head);
        if let (Some(blocks), false) =
            (self.times.checked_div(pieces.block_times), pieces.cycle.is_empty())
        {
            (0..blocks).for_each(|_| each(&pieces.block));
            let rest = self.times % pieces.block_times;
            each(&pieces.block[..rest * pieces.cycle.len()]);
        }
        each(&pieces.tail);
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut result = Ok(());
        self.for_each_piece(|piece| {
            if result.is_ok() {
                result = f.write_str(piece);
            }
        });
        result
    }
}

impl From<Witness> for String {
    fn from(witness: Witness) -> String {
        let mut text = String::new();
        witness.write_to(&mut text);
        text
    }
}
