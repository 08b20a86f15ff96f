//! One string for each length.
//!
//! A string is found by walking the automaton with the number of symbols that are left in mind.
//! In a longer one the walk comes through some state twice; what it reads in between can be
//! read once more, and so the string serves for all lengths that differ by a multiple of it
//! (the pumping lemma, put to use). Such a string is kept as three pieces and a number, and a
//! hundred thousand lengths cost no more than their spelling out.

use std::fmt;
use std::sync::Arc;

use super::accepted_lengths::AcceptedLengths;
use super::nfa::Nfa;
use super::readable::Palette;
use crate::order;
use crate::symbols::Symbol;

/// One string for each length of a language; see [`crate::Language::lengths`].
#[derive(Clone, Debug)]
pub struct Lengths {
    nfa: Arc<Nfa>,
    reach: AcceptedLengths,
    /// The palettes of the edges of each state, as far as they were needed.
    palettes: Vec<Option<Box<[Palette]>>>,
    next: Option<usize>,
    /// What can be repeated, by how many symbols it has and by the rest that the length leaves.
    pumps: Vec<Pump>,
}

#[derive(Clone, Debug)]
struct Pump {
    cycle_len: usize,
    len: usize,
    pieces: Arc<Pieces>,
}

/// From this length on, pieces are looked for.
const PUMP_MIN: usize = 96;

/// At most so many symbols are repeated.
const CYCLE_MAX: usize = 48;

/// At most so many strings are kept to be repeated.
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

    /// The symbols of a string of a length there is, and the states on the way.
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

/// The longest way from a state back to itself that is not too long to be repeated.
fn cycle(states: &[u32]) -> Option<(usize, usize)> {
    (1..=CYCLE_MAX.min(states.len() - 1)).rev().find_map(|len| {
        let from = (0..states.len() - len).find(|&from| states[from] == states[from + len])?;
        Some((from, from + len))
    })
}

/// The pieces of a string whose middle can be repeated.
#[derive(Clone, Debug)]
struct Pieces {
    head: String,
    cycle: String,
    /// The middle many times over, so that long strings are copied in large parts.
    block: String,
    block_times: usize,
    tail: String,
}

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

/// A string that is spelled out when it is displayed (`to_string`) or written.
///
/// # Example
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
    /// How many characters it has.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a string of length zero is a witness too")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Appends it to a text. Into a text that is used again and again this is as quick as
    /// copying.
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
