//! Loads from and stores to symbolic addresses.
//!
//! A symbolic address that the path limits to few locations is a *window*. A load from it becomes
//! one term, and a store to it changes the terms of all locations, so neither opens a path per
//! location.
//!
//! # Loads
//!
//! The plain locations of a window are a function of the address alone: a constant table. Its index
//! is the part of the address that varies. For an element of an array of `u32`s, that is the index
//! of the element again:
//!
//! ```text
//! address    base + (i << 2)
//! offset from the base, without the bits that are always 0:    i
//! term       select(i, [load(base), load(base + 4), ..])
//! ```
//!
//! Indices that no address of the window has are never looked up, so any value will do for them.
//! Symbolic locations come before the table: `ite(address == location, term, table)`.
//!
//! # Stores
//!
//! A location that may be written to has the term `ite(address == location, value, old)` afterward.
//! That makes all locations of the window symbolic: which of them has the value depends on the
//! input.
//!
//! # Addresses of 64 bits
//!
//! An address is compared in its own width. It is known to fit into 32 bits only when it is known
//! to be inside of the memory. Before a store it is not: a store that will trap is prepared, too.

use rebut_smt::{Op, Pool, Table, Term};

use super::Recorder;

/// The largest number of locations of a window for loads. With more possible locations, the address
/// is concretized and each location becomes a path of its own. Arbitrary: it covers a table that is
/// indexed by 12 bits, and costs less than a millisecond.
const PLACES_MAX: usize = 4096;

/// The largest number of symbolic locations of a window for loads. Each of them is a decision in
/// the term. Arbitrary; 256 covers an array that is indexed by a byte.
const SYMBOLIC_MAX: usize = 256;

/// The largest number of locations of a window for stores. Each of them becomes symbolic.
/// Arbitrary; 256 covers an array that is indexed by a byte.
const TARGETS_MAX: usize = 256;

/// The largest distance between the addresses of a window, for each of its locations. A wider range
/// is concretized without listing its addresses. Arbitrary: room for elements of 16 bytes.
const SPAN_MAX: u128 = 16;

/// The locations that a store may write to, and their terms before it.
#[derive(Debug)]
pub(super) struct StoreTargets {
    address: Term,
    old: Vec<(u32, Term)>,
}

impl Recorder {
    /// Returns the addresses that a symbolic address can have, if they are at most `places` and all
    /// inside the memory.
    fn window(
        &mut self,
        address: Term,
        offset: u32,
        length: u32,
        size: usize,
        places: usize,
    ) -> Option<Vec<u32>> {
        let variables = self.variables.of_term(&self.pool, address);
        let relevant = self.slices.relevant(&variables);
        let bounds = self.address_bounds.bounds(&self.pool, relevant, address)?;
        if bounds.max - bounds.min >= SPAN_MAX * places as u128 {
            return None;
        }
        let rest = u128::from(offset) + u128::from(length);
        // All addresses inside the memory fit into 32 bits.
        let inside = |n: u128| if n + rest <= size as u128 { u32::try_from(n).ok() } else { None };
        let addresses = bounds.numbers().take(places + 1).map(inside);
        let addresses: Vec<u32> = addresses.collect::<Option<_>>()?;
        (addresses.len() <= places).then_some(addresses)
    }

    /// Returns an address without open values. Notes it if there are any.
    pub(super) fn closed_address(&mut self, address: Term, bits: u64) -> Term {
        let closed = self.closed(address);
        if closed != address {
            let number = self.pool.bits(self.pool.width(address), u128::from(bits));
            let is_here = self.pool.eq(address, number);
            self.note_if_open(is_here);
        }
        closed
    }

    /// Returns the term of a load from a symbolic address without open values, if it has a window.
    pub(super) fn load_from_window(
        &mut self,
        address: Term,
        offset: u32,
        length: u32,
        memory: &[u8],
    ) -> Option<Term> {
        let addresses = self.window(address, offset, length, memory.len(), PLACES_MAX)?;
        let mut plain = Vec::new();
        let mut symbolic = Vec::new();
        for one in addresses {
            let place = one.wrapping_add(offset);
            if self.memory.has_symbol(place, length) {
                symbolic.push((one, self.bytes(place, length, memory)));
            } else {
                plain.push((one, number(memory, place, length)));
            }
        }
        if symbolic.len() > SYMBOLIC_MAX {
            return None;
        }
        let mut term = match table(&mut self.pool, address, &plain, length * 8) {
            Some(term) => term,
            // Only symbolic locations are left; the last one needs no condition.
            None if plain.is_empty() => symbolic.pop()?.1,
            None => return None,
        };
        for (one, here) in symbolic.into_iter().rev() {
            term = self.chosen(address, one, here, term);
        }
        Some(term)
    }

    /// Prepares a store to a symbolic address without open values, while the memory has its old
    /// values. `None` if it has no window.
    pub(super) fn store_targets(
        &mut self,
        address: Term,
        offset: u32,
        length: u32,
        memory: &[u8],
    ) -> Option<StoreTargets> {
        let addresses = self.window(address, offset, length, memory.len(), TARGETS_MAX)?;
        let overlap = addresses.windows(2).any(|pair| pair[1] - pair[0] < length);
        if overlap {
            return None;
        }
        let old = addresses.into_iter();
        let old = old.map(|one| (one, self.bytes(one.wrapping_add(offset), length, memory)));
        Some(StoreTargets { address, old: old.collect() })
    }

    /// Records a store to all locations that it may write to.
    pub(super) fn store_to_targets(
        &mut self,
        targets: StoreTargets,
        offset: u32,
        value: Term,
        length: u32,
        taint: &mut [u8],
    ) {
        let value = self.pool.extract(length * 8 - 1, 0, value);
        for (one, old) in targets.old {
            let new = self.chosen(targets.address, one, value, old);
            let shadow = self.shadow_or_zero(Some(new));
            let place = one.wrapping_add(offset);
            self.write(place, shadow, length, taint);
            if shadow == 0 {
                self.untaint(place, length, taint);
            }
        }
    }

    /// Writes the extension of the lowest bits of a number as the number, if the path leaves it no
    /// others. An index that a window has cut out of an address becomes the same term again as in
    /// the rest of the code.
    pub(super) fn whole(&mut self, term: Term) -> Term {
        let (Op::Concat, [high, low]) = (self.pool.op(term), self.pool.args(term)) else {
            return term;
        };
        let Op::Extract { high: top, low: 0 } = self.pool.op(*low) else { return term };
        let is_zero = self.pool.value(*high).and_then(|value| value.as_bits());
        let number = self.pool.args(*low)[0];
        let is_extended = is_zero.is_some_and(|bits| bits.unsigned() == 0);
        if !is_extended
            || self.pool.width(number) != self.pool.width(term)
            || top >= INDEX_WIDTH_MAX
        {
            return term;
        }
        let variables = self.variables.of_term(&self.pool, number);
        let relevant = self.slices.relevant(&variables);
        let bounds = self.address_bounds.bounds(&self.pool, relevant, number);
        if bounds.is_some_and(|bounds| bounds.max >> (top + 1) == 0) { number } else { term }
    }

    /// Returns the term of one value if the address is a certain location, and of another if not.
    fn chosen(&mut self, address: Term, place: u32, here: Term, elsewhere: Term) -> Term {
        let place = self.pool.bits(self.pool.width(address), u128::from(place));
        let is_here = self.pool.eq(address, place);
        let term = self.pool.ite(is_here, here, elsewhere);
        self.open_values.note_choice(&mut self.pool, &[here, elsewhere], term);
        term
    }
}

/// Returns a number in plain memory.
fn number(memory: &[u8], place: u32, length: u32) -> u128 {
    let bytes = memory.iter().skip(place as usize).take(length as usize);
    bytes.rev().fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// Returns the term of a number that depends on the address alone. `None` without locations, or if
/// the part of the address that varies is too wide.
fn table(pool: &mut Pool, address: Term, places: &[(u32, u128)], width: u32) -> Option<Term> {
    let (first, last) = (places.first()?.0, places.last()?.0);
    let base = base(pool, address, first, last);
    let distances = places.iter().map(|(place, _)| place - base);
    let shift = distances.clone().fold(0, |all, distance| all | distance).trailing_zeros();
    let shift = shift.min(31);
    let needed = 32 - ((last - base) >> shift).leading_zeros();
    let address_width = pool.width(address);
    let start = pool.bits(address_width, base.into());
    let distance = pool.bv_sub(address, start);
    let index = index(pool, distance, shift, needed.max(1));
    let runs = distances.zip(places).map(|(distance, (_, value))| (distance >> shift, *value));
    // The first location may be above the base.
    let runs = std::iter::once((0, places.first()?.1)).chain(runs.filter(|run| run.0 > 0));
    let mut runs: Vec<(u32, u128)> = runs.collect();
    continue_line(&mut runs, pool.width(index), width);
    let table = Table::of_runs(pool.width(index), width, runs)?;
    Some(pool.select(index, table))
}

/// Continues values that are on a line to the last index. Nothing is read there, but a table that
/// is a line everywhere is not needed.
fn continue_line(runs: &mut Vec<(u32, u128)>, index_width: u32, width: u32) {
    let [(0, start), (1, second), ..] = runs[..] else { return };
    let step = second.wrapping_sub(start);
    let value =
        |n: u32| start.wrapping_add(step.wrapping_mul(n.into())) & (u128::MAX >> (128 - width));
    let is_line = (0..).zip(runs.iter()).all(|(n, run)| *run == (n, value(n)));
    if is_line && index_width <= INDEX_WIDTH_MAX {
        let count = runs.len() as u32;
        runs.extend((count..1 << index_width).map(|n| (n, value(n))));
    }
}

/// Returns the address from which the locations are counted. It is the constant that the code adds,
/// if that is near: then the distance from it is what the code added.
fn base(pool: &Pool, address: Term, first: u32, last: u32) -> u32 {
    let added = match (pool.op(address), pool.args(address)) {
        (Op::BvAdd, [_, constant]) => pool.value(*constant).and_then(|value| value.as_bits()),
        _ => None,
    };
    let added = added.and_then(|bits| u32::try_from(bits.unsigned()).ok());
    let is_near =
        |base: &u32| *base <= first && u128::from(last - base) < SPAN_MAX * PLACES_MAX as u128;
    added.filter(is_near).unwrap_or(first)
}

/// Returns the part of a distance that varies, of at least `needed` bits.
fn index(pool: &mut Pool, distance: Term, shift: u32, needed: u32) -> Term {
    let width = pool.width(distance);
    let mut whole = pool.extract(width - 1, shift, distance);
    // An index that was extended is taken without its extension.
    while let (Op::Concat, [high, low]) = (pool.op(whole), pool.args(whole)) {
        let is_zero = pool.value(*high).and_then(|value| value.as_bits());
        let low = *low;
        if is_zero.is_none_or(|bits| bits.unsigned() != 0) || pool.width(low) < needed {
            break;
        }
        whole = low;
    }
    match pool.width(whole) {
        width if width <= INDEX_WIDTH_MAX => whole,
        _ => pool.extract(needed - 1, 0, whole),
    }
}

/// The width up to which an index is used with the bits that the window does not need. Arbitrary:
/// such a table has at most 4096 entries, and merges with others.
const INDEX_WIDTH_MAX: u32 = 12;

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rebut_smt::{Bits, Model, Value};

    use super::*;
    use crate::hooks::{Hooks, Operand, Shadow};
    use crate::instrument::Layout;
    use crate::record::Bound;

    const I32_LOAD: u32 = 0x28;
    const I32_LOAD8_U: u32 = 0x2D;
    const I32_STORE: u32 = 0x36;

    /// The widths of addresses.
    const WIDTHS: [u32; 2] = [32, 64];

    /// A recorder, and the shadow and the term of an index below `count` that is drawn as 2.
    fn recorder(count: i128, width: u32) -> (Recorder, Shadow, Term) {
        let mut recorder = Recorder::new(Arc::new(Layout { taint_base: 16, ..Layout::default() }));
        let bounds = [0, count - 1].map(|number| Bound { shadow: 0, number });
        let shadow = recorder.draw(2, bounds, width);
        let variable = recorder.inputs[0].variable;
        (recorder, shadow, variable)
    }

    fn evaluate(recorder: &Recorder, variable: Term, index: u128, term: Term) -> Option<u128> {
        let width = recorder.pool.width(variable);
        let model = Model::new([(variable, Value::Bits(Bits::new(width, index)))]);
        model.evaluate(&recorder.pool, term).ok()?.as_bits().map(Bits::unsigned)
    }

    /// Returns the shadow of `index * scale`.
    fn scaled(recorder: &mut Recorder, index: Shadow, width: u32, scale: u64) -> Operand {
        let factor = Operand { shadow: 0, bits: scale };
        let multiply = if width == 64 { 0x7E } else { 0x6C };
        let shadow = recorder.binary(multiply, Operand { shadow: index, bits: 2 }, factor);
        Operand { shadow, bits: 2 * scale }
    }

    #[test]
    fn an_element_of_an_array_is_an_entry_of_a_table_by_its_index() {
        let cases = [(4, I32_LOAD), (1, I32_LOAD8_U), (12, I32_LOAD)];
        let cases = WIDTHS.into_iter().flat_map(|width| cases.map(|case| (width, case)));
        for (width, (scale, opcode)) in cases {
            let (mut recorder, index, variable) = recorder(5, width);
            let memory: Vec<u8> = (0..400).map(|n| (n * n / 7) as u8).collect();
            let address = scaled(&mut recorder, index, width, scale);
            let loaded = recorder.load(1, opcode, address, 100, &memory).expect("nothing halts");
            let term = recorder.pool.at(loaded as usize - 1).expect("a term");
            for n in 0..5 {
                let place = 100 + n as usize * scale as usize;
                let word =
                    u32::from_le_bytes(memory[place..place + 4].try_into().expect("4 bytes"));
                let expected = if opcode == I32_LOAD { word } else { word & 0xff };
                assert_eq!(evaluate(&recorder, variable, n, term), Some(expected.into()));
            }
            assert!(recorder.pool.graph_size(&[term]) < 12, "it does not grow with the array");
        }
    }

    #[test]
    fn a_store_to_a_symbolic_address_keeps_the_other_elements() {
        for width in WIDTHS {
            let (mut recorder, index, variable) = recorder(5, width);
            let mut memory: Vec<u8> = (0..400).map(|n| n as u8).collect();
            let mut taint = vec![0; 100];
            let address = scaled(&mut recorder, index, width, 4);
            let value = Operand { shadow: 0, bits: 0xAABB_CCDD };
            recorder.target(I32_STORE, address, 100, &memory);
            recorder.store(1, I32_STORE, address, 100, value, &mut taint).expect("nothing halts");
            assert_eq!(recorder.steps.len(), 1, "only the domain of the draw");
            memory[108..112].copy_from_slice(&0xAABB_CCDD_u32.to_le_bytes());
            for (element, place) in (100_u8..120).step_by(4).enumerate() {
                let at = Operand { shadow: 0, bits: place.into() };
                let loaded = recorder.load(1, I32_LOAD, at, 0, &memory).expect("nothing halts");
                let term = recorder.pool.at(loaded as usize - 1).expect("a term");
                let old = u32::from_le_bytes([place, place + 1, place + 2, place + 3]);
                for n in 0..5 {
                    let expected = if n == element as u128 { 0xAABB_CCDD } else { old };
                    assert_eq!(evaluate(&recorder, variable, n, term), Some(expected.into()));
                }
            }
        }
    }

    /// Cut to 32 bits, all of these addresses would be inside of the memory.
    #[test]
    fn a_store_beyond_32_bits_has_no_window() {
        for (shift, has_window) in [(2, true), (32, false)] {
            let (mut recorder, index, _) = recorder(2, 64);
            let by = Operand { shadow: 0, bits: shift };
            let i64_shl = 0x86;
            let shadow = recorder.binary(i64_shl, Operand { shadow: index, bits: 1 }, by);
            let address = Operand { shadow, bits: 1 << shift };
            recorder.target(I32_STORE, address, 100, &[0; 400]);
            assert_eq!(recorder.store_targets.is_some(), has_window, "{shift}");
        }
    }

    /// The bits of the quotient are open if it is a NaN: after it was stored to an element of an
    /// array and loaded again, too.
    #[test]
    fn an_open_value_stays_open_in_a_window() {
        let (f64_load, f64_store, f64_div, i64_reinterpret) = (0x2B, 0x39, 0xA3, 0xBD);
        for (width, is_open) in [(32, true), (64, true), (64, false)] {
            let (mut recorder, index, _) = recorder(5, width);
            let any = [0, i128::from(i64::MAX)].map(|number| Bound { shadow: 0, number });
            let drawn = Operand { shadow: recorder.draw(0, any, 64), bits: 0 };
            let stored = match is_open {
                true => recorder.binary(f64_div, drawn, drawn),
                false => drawn.shadow,
            };
            let (mut memory, mut taint) = (vec![0; 400], vec![0; 100]);
            let address = scaled(&mut recorder, index, width, 8);
            let value = Operand { shadow: stored, bits: 0 };
            recorder.target(f64_store, address, 96, &memory);
            recorder.store(1, f64_store, address, 96, value, &mut taint).expect("nothing halts");
            memory.truncate(200);
            let loaded = recorder.load(1, f64_load, address, 96, &memory).expect("nothing halts");
            let bits = recorder.unary(i64_reinterpret, Operand { shadow: loaded, bits: 0 });
            let (i64_eqz, zero) = (0x50, Operand { shadow: bits, bits: 0 });
            let is_zero = recorder.unary(i64_eqz, zero);
            recorder.branch(1, Operand { shadow: is_zero, bits: 1 }).expect("nothing halts");
            assert_eq!(!recorder.open_conditions.is_empty(), is_open, "{width}");
        }
    }

    /// The address comes from the bits of a value that may be an open NaN.
    #[test]
    fn an_open_address_of_a_store_is_noted() {
        let (f64_div, i64_reinterpret, i64_and) = (0xA3, 0xBD, 0x83);
        let (mut recorder, ..) = recorder(5, 64);
        let any = [0, i128::from(i64::MAX)].map(|number| Bound { shadow: 0, number });
        let drawn = Operand { shadow: recorder.draw(0, any, 64), bits: 0 };
        let quotient = Operand { shadow: recorder.binary(f64_div, drawn, drawn), bits: 0 };
        let bits = Operand { shadow: recorder.unary(i64_reinterpret, quotient), bits: 0 };
        let mask = Operand { shadow: 0, bits: 8 };
        let address = Operand { shadow: recorder.binary(i64_and, bits, mask), bits: 0 };
        recorder.target(I32_STORE, address, 100, &[0; 400]);
        assert!(recorder.store_targets.is_some());
        assert_eq!(recorder.open_conditions.len(), 1);
    }

    #[test]
    fn overlapping_places_of_a_store_are_decisions() {
        let (mut recorder, index, _) = recorder(5, 32);
        let memory = [0; 400];
        let address = Operand { shadow: index, bits: 2 };
        let value = Operand { shadow: 0, bits: 1 };
        recorder.target(I32_STORE, address, 100, &memory);
        recorder.store(1, I32_STORE, address, 100, value, &mut [0; 100]).expect("nothing halts");
        assert_eq!(recorder.steps.len(), 2, "the domain of the draw, and the address");
    }
}
