//! Finds words by their rank, and visits all ranks in an order in which neighbors differ.
//!
//! The words of a length are ranked in ascending order. Tables of counts lead from a rank to its
//! word without the words before it. Visiting the ranks in strides that are coprime to the number
//! of words visits each word once, in constant memory. A stride near the golden ratio keeps any
//! few consecutive words far apart.
//!
//! Example: `[ab]{3}` has 8 words. The golden ratio suggests a stride of 4; the next number that
//! is coprime to 8 is 5. From rank 0 the order is 0, 5, 2, 7, 4, 1, 6, 3: `aaa`, `bab`, `aba`,
//! `bbb`, `baa`, `aab`, `bba`, `abb`. The seed shifts the first rank.
//!
//! With 2^62 words or more, the first symbols of a word are picked by a hash of its number and the
//! rest by rank. Distinct numbers still give distinct words, because at most 2^32 of them are
//! listed and every remainder has at least 2^32 words.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::TooComplex;
use super::readable::mix;
use super::state_sets::{Edge, SetId, StateSets};
use crate::symbols::{Symbol, Symbols};

/// Larger counts are stored as this value.
///
/// Any value well above `RANKED_MAX` would do. Products stay below 2^128, because there are fewer
/// than 2^21 symbols.
const COUNT_MAX: u128 = 1 << 96;

/// From this count on, the first symbols of a word are picked by a hash of its number.
///
/// It keeps ranks and strides within 64 bits, with room to spare.
const RANKED_MAX: u128 = 1 << 62;

/// The minimum number of words that follow each symbol picked by hash, and the maximum number of
/// words listed of a length with `RANKED_MAX` words or more.
///
/// The latter must not exceed the former, or words would repeat. The value is arbitrary, more than
/// any caller lists. After this many words, the length counts as finished.
const LISTED_MAX: u128 = 1 << 32;

/// The words of a deterministic automaton by length and rank.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    sets: StateSets,
    /// For a set and a length, the words of that length that start there.
    tables: HashMap<(SetId, usize), Arc<Table>, BuildHasherDefault<Mixer>>,
}

/// The words of a length that start at a set, grouped by their first symbols.
#[derive(Debug)]
struct Table {
    count: u128,
    branches: Vec<Branch>,
}

#[derive(Debug)]
struct Branch {
    symbols: Symbols,
    target: SetId,
    /// The number of words that start with each of the symbols.
    words_per_symbol: u128,
    /// The number of words in this branch and those before it.
    up_to: u128,
}

/// The words of one length, and how many of them have been listed.
#[derive(Clone, Debug)]
pub(crate) struct Stratum {
    pub(crate) length: usize,
    listed: u64,
    salt: u64,
    /// The last stride, preceded by the number of words that it belongs to.
    stride: (u64, u64),
}

impl Ranks {
    pub(crate) fn new(mut sets: StateSets) -> Result<Ranks, TooComplex> {
        sets.complete()?;
        Ok(Ranks { sets, tables: HashMap::default() })
    }

    pub(crate) fn next_length(&mut self, length: usize) -> Option<usize> {
        self.sets.next_length(length)
    }

    pub(crate) fn stratum(length: usize, seed: u64) -> Stratum {
        Stratum { length, listed: 0, salt: mix(seed, length as u64), stride: (0, 0) }
    }

    /// Returns the next word of a stratum, in strides.
    pub(crate) fn next(&mut self, stratum: &mut Stratum) -> Option<Vec<Symbol>> {
        let count = self.table(StateSets::START, stratum.length).count;
        let listed_max = if count < RANKED_MAX { count } else { LISTED_MAX };
        if u128::from(stratum.listed) >= listed_max {
            return None;
        }
        stratum.listed += 1;
        Some(self.word(stratum.listed - 1, stratum))
    }

    fn word(&mut self, number: u64, stratum: &mut Stratum) -> Vec<Symbol> {
        let mut word = Vec::with_capacity(stratum.length);
        let mut left = stratum.length;
        let mut table = self.table(StateSets::START, left);
        while left > 0 && table.count >= RANKED_MAX {
            left -= 1;
            let hash = mix(stratum.salt ^ mix(left as u64, 0), number);
            let branch = table.pick(hash);
            word.extend(branch.symbols.nth((hash >> 20) % branch.symbols.len()));
            table = self.table(branch.target, left);
        }
        let mut rank = u128::from(stratum.strided(number, table.count));
        while left > 0 {
            left -= 1;
            let at = table.branches.partition_point(|branch| branch.up_to <= rank);
            let Some(branch) = table.branches.get(at) else { break };
            // There are fewer than 2^62 words here, so these numbers fit.
            let before = if at == 0 { 0 } else { table.branches[at - 1].up_to };
            let (within, per_symbol) = ((rank - before) as u64, branch.words_per_symbol as u64);
            word.extend(branch.symbols.nth(within / per_symbol));
            rank = u128::from(within % per_symbol);
            table = self.table(branch.target, left);
        }
        word
    }

    fn table(&mut self, set: SetId, length: usize) -> Arc<Table> {
        if let Some(table) = self.tables.get(&(set, length)) {
            return table.clone();
        }
        let mut open = vec![(set, length)];
        while let Some(&(set, length)) = open.last() {
            match self.new_table(set, length) {
                Ok(table) => {
                    self.tables.insert((set, length), Arc::new(table));
                    open.pop();
                }
                Err(missing) => open.extend(missing),
            }
        }
        self.tables[&(set, length)].clone()
    }

    /// Builds a table from those of its targets. Fails with the targets that have no table yet.
    fn new_table(&mut self, set: SetId, length: usize) -> Result<Table, Vec<(SetId, usize)>> {
        let Some(left) = length.checked_sub(1) else {
            let count = u128::from(self.sets.is_accepting(set));
            return Ok(Table { count, branches: Vec::new() });
        };
        let (mut count, mut branches, mut missing) = (0_u128, Vec::new(), Vec::new());
        for Edge { symbols, target } in self.sets.edges(set).iter() {
            if !self.sets.can_end_in(*target, left) {
                continue;
            }
            let Some(table) = self.tables.get(&(*target, left)) else {
                missing.push((*target, left));
                continue;
            };
            let words_per_symbol = table.count;
            count = (count + words_per_symbol * u128::from(symbols.len())).min(COUNT_MAX);
            let (symbols, target) = (symbols.clone(), *target);
            branches.push(Branch { symbols, target, words_per_symbol, up_to: count });
        }
        if missing.is_empty() { Ok(Table { count, branches }) } else { Err(missing) }
    }
}

impl Table {
    /// Returns a branch whose symbols are each followed by at least `LISTED_MAX` words. There is
    /// one if the table has `RANKED_MAX` words, since there are fewer than 2^21 symbols.
    fn pick(&self, hash: u64) -> &Branch {
        let enough = self.branches.iter().filter(|branch| branch.words_per_symbol >= LISTED_MAX);
        let count = enough.clone().count().max(1) as u64;
        enough.clone().nth((hash % count) as usize).unwrap_or(&self.branches[0])
    }
}

/// A hasher for small numbers, with one round of mixing for each.
#[derive(Clone, Copy, Debug, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0, u64::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = mix(self.0, u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.0 = mix(self.0, number as u64);
    }
}

impl Stratum {
    /// Returns the rank that is visited as the `number`th, counting from zero, among `count` words.
    fn strided(&mut self, number: u64, count: u128) -> u64 {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        if count < 2 {
            return 0;
        }
        if self.stride.0 != count {
            self.stride = (count, stride(count));
        }
        let stride = u128::from(self.stride.1);
        let rank = u128::from(number % count) * stride + u128::from(self.salt % count);
        u64::try_from(rank % u128::from(count)).unwrap_or(0)
    }
}

/// Returns the first number coprime to `count` from the golden section of `count` on.
fn stride(count: u64) -> u64 {
    let golden = (count as f64 * 0.618_033_988_749_895) as u64;
    let mut stride = golden.clamp(1, count - 1);
    while gcd(stride, count) != 1 {
        stride = if stride + 1 < count { stride + 1 } else { 1 };
    }
    stride
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Regex, order};

    fn ranks(pattern: &str) -> Ranks {
        let language = Regex::parse(pattern).expect("a pattern").language();
        Ranks::new(StateSets::new(language.automaton().expect("small"), 1000)).expect("small")
    }

    #[test]
    fn strides_visit_every_rank_once_and_far_apart() {
        assert_eq!(stride(8), 5);
        let mut stratum = Stratum { length: 3, listed: 0, salt: 0, stride: (0, 0) };
        let visited: Vec<u64> = (0..8).map(|number| stratum.strided(number, 8)).collect();
        assert_eq!(visited, [0, 5, 2, 7, 4, 1, 6, 3]);
    }

    #[test]
    fn words_are_found_by_rank() {
        let mut ranks = ranks("[ab]{3}");
        let mut stratum = Stratum { length: 3, listed: 0, salt: 0, stride: (0, 0) };
        let words: Vec<String> = std::iter::from_fn(|| ranks.next(&mut stratum))
            .map(|word| word.into_iter().map(order::char_of).collect())
            .collect();
        assert_eq!(words, ["aaa", "bab", "aba", "bbb", "baa", "aab", "bba", "abb"]);
    }

    #[test]
    fn stride_is_coprime_to_every_small_count() {
        for count in 2..2000 {
            let stride = stride(count);
            assert!(stride < count && gcd(stride, count) == 1, "{stride} {count}");
        }
    }
}
