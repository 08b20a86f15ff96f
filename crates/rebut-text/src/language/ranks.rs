//! Words by their rank.
//!
//! The words of a length are numbered in ascending order, and can be told from their number
//! without those before them. Going through the numbers in strides that share no factor with
//! how many there are meets each word once, in constant memory, and with the golden ratio as
//! the stride any few that follow each other lie far apart.
//!
//! Where there are more words than fit in 62 bits, the first symbols are picked at random and
//! the rest is told from its number; distinct numbers still give distinct words, and nobody
//! will see the end of them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::TooComplex;
use super::readable::mix;
use super::state_sets::{Edge, SetId, StateSets};
use crate::symbols::{Symbol, Symbols};

/// Counts above this are not told apart.
const COUNT_MAX: u128 = 1 << 96;

/// From here on, words are not told from their number alone.
const MANY: u128 = 1 << 62;

/// Behind a symbol that is picked at random there are at least so many words.
const ENOUGH: u128 = 1 << 32;

/// The words of a deterministic automaton by length and number.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    sets: StateSets,
    /// For a set and a length, the words of that length that begin there.
    tables: HashMap<(SetId, usize), Arc<Table>, BuildHasherDefault<Mixer>>,
}

/// The words of a length that begin at a set, by what they begin with.
#[derive(Debug)]
struct Table {
    count: u128,
    branches: Vec<Branch>,
}

#[derive(Debug)]
struct Branch {
    symbols: Symbols,
    target: SetId,
    /// How many words each of the symbols begins.
    behind: u128,
    /// How many words there are up to this branch and with it.
    up_to: u128,
}

/// The words of one length, of which some were listed.
#[derive(Clone, Debug)]
pub(crate) struct Stratum {
    pub(crate) length: usize,
    listed: u64,
    salt: u64,
    /// The last stride, and for how many words it is one.
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

    /// The next word of a stratum, in the order of its strides.
    pub(crate) fn next(&mut self, stratum: &mut Stratum) -> Option<Vec<Symbol>> {
        let count = self.table(StateSets::START, stratum.length).count;
        let listed_max = if count < MANY { count } else { ENOUGH };
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
        while left > 0 && table.count >= MANY {
            left -= 1;
            let chance = mix(stratum.salt ^ mix(left as u64, 0), number);
            let branch = table.at_random(chance);
            word.extend(branch.symbols.nth((chance >> 20) % branch.symbols.len()));
            table = self.table(branch.target, left);
        }
        let mut rank = u128::from(stratum.strided(number, table.count));
        while left > 0 {
            left -= 1;
            let at = table.branches.partition_point(|branch| branch.up_to <= rank);
            let Some(branch) = table.branches.get(at) else { break };
            // Here there are fewer than 2^62 words, so these are small numbers.
            let before = if at == 0 { 0 } else { table.branches[at - 1].up_to };
            let (within, behind) = ((rank - before) as u64, branch.behind as u64);
            word.extend(branch.symbols.nth(within / behind));
            rank = u128::from(within % behind);
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

    /// A table from those of its targets, or the targets that have none.
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
            let behind = table.count;
            count = (count + behind * u128::from(symbols.len())).min(COUNT_MAX);
            let (symbols, target) = (symbols.clone(), *target);
            branches.push(Branch { symbols, target, behind, up_to: count });
        }
        if missing.is_empty() { Ok(Table { count, branches }) } else { Err(missing) }
    }
}

impl Table {
    /// One of the branches with enough words behind each symbol. There is one if there are
    /// many words, since there are not even 2^21 symbols.
    fn at_random(&self, chance: u64) -> &Branch {
        let enough = self.branches.iter().filter(|branch| branch.behind >= ENOUGH);
        let count = enough.clone().count().max(1) as u64;
        enough.clone().nth((chance % count) as usize).unwrap_or(&self.branches[0])
    }
}

/// Hashes small numbers: one round of mixing for each.
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
    /// The place at which the walk in strides is after so many steps, among so many words.
    fn strided(&mut self, number: u64, count: u128) -> u64 {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        if count < 2 {
            return 0;
        }
        if self.stride.0 != count {
            self.stride = (count, stride(count));
        }
        let stride = u128::from(self.stride.1);
        let place = u128::from(number % count) * stride + u128::from(self.salt % count);
        u64::try_from(place % u128::from(count)).unwrap_or(0)
    }
}

/// A number near the golden part of `count` that shares no factor with it.
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
