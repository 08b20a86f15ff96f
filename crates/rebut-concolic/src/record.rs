//! Builds the expressions of a run, and its path: the [`Hooks`] of symbolic exploration.

mod float;
mod memory;
mod settled;
mod term;
mod windows;

use std::sync::Arc;

use rebut_smt::{Pool, Sort, Term, Value};

use crate::hooks::{Halt, Hooks, Operand, Shadow, Site};
use crate::instrument::{ANY_TAINT, GRANULE_SHIFT, Layout};
use crate::op::{self, Type};
use crate::slice::{Slices, Variables};
use crate::trace::{Input, Kind, Loss, Step};
use memory::{Cell, Memory};
use settled::Settled;
use windows::Windows;

/// A term that would be larger than this if it was written out is taken as its value. Hashes
/// and ciphers get there quickly, ordinary arithmetic hardly ever.
const SIZE_MAX: u32 = 20_000;

/// A symbolic address with at most so many possible values is a choice among them.
const WINDOW_MAX: u128 = 256;

/// Decisions recorded of one run.
const STEPS_MAX: usize = 20_000;

/// The symbolic side of a run. Terms and what is remembered of them outlive it.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) pool: Pool,
    pub(crate) variables: Variables,
    pub(crate) steps: Vec<Step>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) losses: Vec<Loss>,
    slices: Slices,
    settled: Settled,
    memory: Memory,
    windows: Windows,
    is_recording: bool,
    layout: Arc<Layout>,
}

impl Recorder {
    pub(crate) fn new(layout: Arc<Layout>) -> Recorder {
        Recorder {
            pool: Pool::new(),
            variables: Variables::default(),
            steps: Vec::new(),
            inputs: Vec::new(),
            losses: Vec::new(),
            slices: Slices::default(),
            settled: Settled::default(),
            memory: Memory::default(),
            windows: Windows::default(),
            is_recording: true,
            layout,
        }
    }

    /// The terms of the bytes that are symbolic, by address.
    #[cfg(test)]
    pub(crate) fn symbolic_bytes(&mut self) -> Vec<(u32, Term)> {
        let cells: Vec<(u32, Cell)> = self.memory.cells().collect();
        cells.into_iter().map(|(address, _)| (address, self.byte(address, &[]))).collect()
    }

    /// Forgets the last run.
    pub(crate) fn begin(&mut self) {
        self.steps.clear();
        self.inputs.clear();
        self.losses.clear();
        self.slices.clear();
        self.settled.clear();
        self.memory.clear();
        self.is_recording = true;
    }

    /// Whether the run is still that of the code under test.
    pub(crate) fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// What is drawn next, in a range of which the bounds may be symbolic, and its shadow.
    pub(crate) fn draw(&mut self, number: i128, bounds: [Bound; 2], width: u32) -> Shadow {
        if !self.is_recording {
            return 0;
        }
        let [min, max] = bounds;
        let is_fixed = min.shadow == 0 && max.shadow == 0;
        let (bits, is_signed) =
            if is_fixed { encoding(min.number, max.number) } else { (width, true) };
        let name = format!("d{}", self.inputs.len());
        let variable = self.pool.var(&name, Sort::BitVec(bits));
        self.inputs.push(Input { variable, is_signed, number });
        if is_fixed && min.number == max.number {
            return 0;
        }
        let value = if is_signed {
            self.pool.sign_extend(width - bits, variable)
        } else {
            self.pool.zero_extend(width - bits, variable)
        };
        let (least, greatest) = (self.bound(min, width), self.bound(max, width));
        let conditions = [self.pool.bv_sle(least, value), self.pool.bv_sle(value, greatest)];
        for (condition, bound) in conditions.into_iter().zip([min, max]) {
            // What the width of the variable says already needs no condition.
            let is_said = bound.shadow == 0 && is_edge(bound.number, bits, is_signed);
            if !is_said {
                self.push(0, condition, Kind::Given);
            }
        }
        shadow_of(value)
    }

    fn bound(&mut self, bound: Bound, width: u32) -> Term {
        match self.term_of(bound.shadow) {
            Some(term) => term,
            None => self.pool.bits(width, bound.number as u128),
        }
    }

    /// Puts a symbolic value into the memory.
    pub(crate) fn write(&mut self, address: u32, shadow: Shadow, bytes: u32, taint: &mut [u8]) {
        for byte in 0..bytes {
            self.memory.set(address.wrapping_add(byte), Cell { shadow, byte: byte as u8 });
        }
        if shadow != 0 {
            self.taint(address, bytes, taint);
        }
    }

    /// The shadow of a number in the memory.
    pub(crate) fn read(&mut self, address: u32, bytes: u32, memory: &[u8]) -> Shadow {
        if !self.memory.any(address, bytes) {
            return 0;
        }
        let term = self.bytes(address, bytes, memory);
        self.keep(Some(term))
    }

    /// A number in the memory, if it is symbolic.
    pub(crate) fn observed(&mut self, address: u32, bytes: u32, memory: &[u8]) -> Option<Term> {
        self.memory.any(address, bytes).then(|| self.bytes(address, bytes, memory))
    }

    fn taint(&self, address: u32, length: u32, taint: &mut [u8]) {
        if length == 0 {
            return;
        }
        // A module that is only run once more has no shadow.
        let Some(any) = taint.get_mut(ANY_TAINT as usize) else { return };
        *any = 1;
        let first = (self.layout.taint_base + (address >> GRANULE_SHIFT)) as usize;
        let last = (self.layout.taint_base + ((address + (length - 1)) >> GRANULE_SHIFT)) as usize;
        if let Some(range) = taint.get_mut(first..=last) {
            range.fill(1);
        }
    }

    /// Clears the taint of granules that hold no symbol any more.
    fn untaint(&self, address: u32, length: u32, taint: &mut [u8]) {
        if length == 0 {
            return;
        }
        let granules = (address >> GRANULE_SHIFT)..=((address + (length - 1)) >> GRANULE_SHIFT);
        for granule in granules {
            if !self.memory.any(granule << GRANULE_SHIFT, 1 << GRANULE_SHIFT)
                && let Some(byte) = taint.get_mut((self.layout.taint_base + granule) as usize)
            {
                *byte = 0;
            }
        }
    }

    fn term_of(&mut self, shadow: Shadow) -> Option<Term> {
        let term = self.pool.at((shadow as usize).checked_sub(1)?)?;
        Some(self.settled.apply(&mut self.pool, &mut self.variables, term))
    }

    fn operand(&mut self, operand: Operand, width: u32) -> Term {
        match self.term_of(operand.shadow) {
            Some(term) => term,
            None => self.pool.bits(width, u128::from(operand.bits)),
        }
    }

    /// The shadow of a term: none if it is a constant, or too large.
    fn keep(&mut self, term: Option<Term>) -> Shadow {
        let Some(term) = term else { return 0 };
        if self.pool.value(term).is_some() {
            return 0;
        }
        if self.pool.size(term) > SIZE_MAX {
            self.lose(Loss::TooLarge);
            return 0;
        }
        shadow_of(term)
    }

    pub(crate) fn lose(&mut self, loss: Loss) {
        if self.is_recording && !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    /// A condition that holds in this run.
    fn push(&mut self, site: Site, condition: Term, kind: Kind) {
        if !self.is_recording || self.pool.value(condition).is_some() {
            return;
        }
        if self.steps.len() >= STEPS_MAX {
            self.lose(Loss::TooLong);
            self.is_recording = false;
            return;
        }
        let drawn = self.inputs.len();
        self.steps.push(Step { site, condition, kind, drawn });
        let variables = self.variables.of(&self.pool, condition);
        self.slices.add(&variables, condition);
        self.settled.learn(&mut self.pool, &variables, condition);
    }

    /// A number in the memory, built of its bytes.
    fn bytes(&mut self, address: u32, length: u32, memory: &[u8]) -> Term {
        let first = self.memory.get(address);
        if let Some(whole) = self.term_of(first.shadow) {
            let is_next = |n: u32| {
                let cell = self.memory.get(address.wrapping_add(n));
                cell.shadow == first.shadow && u32::from(cell.byte) == u32::from(first.byte) + n
            };
            if (1..length).all(is_next) {
                let low = u32::from(first.byte) * 8;
                return self.pool.extract(low + length * 8 - 1, low, whole);
            }
        }
        let mut term = self.byte(address, memory);
        for n in 1..length {
            let byte = self.byte(address.wrapping_add(n), memory);
            term = self.pool.concat(byte, term);
        }
        term
    }

    fn byte(&mut self, address: u32, memory: &[u8]) -> Term {
        let cell = self.memory.get(address);
        match self.term_of(cell.shadow) {
            Some(whole) => {
                let low = u32::from(cell.byte) * 8;
                self.pool.extract(low + 7, low, whole)
            }
            None => {
                let byte = memory.get(address as usize).copied().unwrap_or(0);
                self.pool.bits(8, u128::from(byte))
            }
        }
    }

    /// The places a symbolic address can name, if they are few.
    fn window(&mut self, address: Term, offset: u32, length: u32, size: usize) -> Option<Vec<u32>> {
        let variables = self.variables.of(&self.pool, address);
        let relevant = self.slices.relevant(&variables);
        let bounds = self.windows.bounds(&self.pool, relevant, address)?;
        if bounds.max - bounds.min >= 16 * WINDOW_MAX {
            return None;
        }
        let places: Vec<u32> =
            bounds.numbers().take(WINDOW_MAX as usize + 1).map(|n| n as u32).collect();
        let is_inside =
            |place: &u32| u64::from(*place) + u64::from(offset) + u64::from(length) <= size as u64;
        (places.len() as u128 <= WINDOW_MAX && places.iter().all(is_inside)).then_some(places)
    }

    /// What a load from a symbolic address gives: a choice among the places it can name.
    fn chosen(
        &mut self,
        address: Term,
        places: &[u32],
        offset: u32,
        length: u32,
        memory: &[u8],
    ) -> Term {
        let mut places = places.iter().rev();
        let last = places.next().copied().unwrap_or(0);
        let mut term = self.bytes(last.wrapping_add(offset), length, memory);
        for place in places {
            let here = self.bytes(place.wrapping_add(offset), length, memory);
            let number = self.pool.bits(32, u128::from(*place));
            let is_here = self.pool.eq(address, number);
            term = self.pool.ite(is_here, here, term);
        }
        term
    }
}

/// A bound of a domain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) shadow: Shadow,
    pub(crate) number: i128,
}

fn shadow_of(term: Term) -> Shadow {
    term.index() as u32 + 1
}

/// How few bits hold all numbers of a range, and whether they are read as signed.
fn encoding(min: i128, max: i128) -> (u32, bool) {
    if min >= 0 {
        return ((128 - max.leading_zeros()).max(1), false);
    }
    let bits = |number: i128| 129 - (number ^ (number >> 127)).leading_zeros();
    (bits(min).max(bits(max)).min(128), true)
}

/// Whether a variable of so many bits cannot be beyond this bound anyway.
fn is_edge(bound: i128, bits: u32, is_signed: bool) -> bool {
    match (is_signed, bits) {
        (true, 128) => bound == i128::MIN || bound == i128::MAX,
        (true, bits) => bound == -(1 << (bits - 1)) || bound == (1 << (bits - 1)) - 1,
        (false, 127..) => bound == 0 || bound == i128::MAX,
        (false, bits) => bound == 0 || bound == (1 << bits) - 1,
    }
}

/// The number that a variable with this value stands for.
pub(crate) fn number(value: &Value, is_signed: bool) -> Option<i128> {
    let bits = value.as_bits()?;
    Some(if is_signed { bits.signed() } else { bits.unsigned() as i128 })
}

impl Hooks for Recorder {
    fn unary(&mut self, opcode: u32, operand: Operand) -> Shadow {
        let Some(shape) = op::shape(opcode) else { return 0 };
        let a = self.operand(operand, shape.operand.width());
        let term = term::unary(&mut self.pool, opcode, a);
        if term.is_none() {
            self.lose(Loss::Float(opcode));
        }
        self.keep(term)
    }

    fn binary(&mut self, opcode: u32, a: Operand, b: Operand) -> Shadow {
        let Some(shape) = op::shape(opcode) else { return 0 };
        let width = shape.operand.width();
        let (a, b) = (self.operand(a, width), self.operand(b, width));
        let term = term::binary(&mut self.pool, opcode, a, b);
        if term.is_none() {
            self.lose(Loss::Float(opcode));
        }
        self.keep(term)
    }

    fn guard(&mut self, site: Site, opcode: u32, a: Operand, b: Operand) {
        let Some(shape) = op::shape(opcode) else { return };
        let width = shape.operand.width();
        let (is_trapping, traps) = if shape.is_binary {
            let mask = u64::MAX >> (64 - width);
            let is_signed = matches!(opcode, 0x6D | 0x7F);
            let overflows = is_signed && a.bits == 1 << (width - 1) && b.bits == mask;
            let is_trapping = b.bits == 0 || overflows;
            let (a, b) = (self.operand(a, width), self.operand(b, width));
            (is_trapping, term::traps(&mut self.pool, opcode, a, b))
        } else {
            let is_trapping = float::is_trapping(opcode, a.bits);
            let a = self.operand(a, width);
            (is_trapping, float::traps(&mut self.pool, opcode, a))
        };
        let condition = if is_trapping { traps } else { self.pool.not(traps) };
        self.push(site, condition, Kind::Branch);
    }

    fn select(&mut self, ty: Type, condition: Operand, a: Operand, b: Operand) -> Shadow {
        if condition.shadow == 0 {
            return if condition.bits == 0 { b.shadow } else { a.shadow };
        }
        let width = ty.width();
        let (a, b) = (self.operand(a, width), self.operand(b, width));
        let condition = self.operand(condition, 32);
        let zero = self.pool.bits(32, 0);
        let holds = self.pool.ne(condition, zero);
        let term = self.pool.ite(holds, a, b);
        self.keep(Some(term))
    }

    fn branch(&mut self, site: Site, condition: Operand) -> Result<(), Halt> {
        let term = self.operand(condition, 32);
        let zero = self.pool.bits(32, 0);
        let is_zero = self.pool.eq(term, zero);
        let condition = if condition.bits == 0 { is_zero } else { self.pool.not(is_zero) };
        self.push(site, condition, Kind::Branch);
        Ok(())
    }

    fn switch(&mut self, site: Site, index: Operand) -> Result<(), Halt> {
        let term = self.operand(index, 32);
        let layout = Arc::clone(&self.layout);
        let Some((default, targets)) = layout.switches.get(&site).and_then(|all| all.split_last())
        else {
            return Ok(());
        };
        let target = targets.get(index.bits as usize).unwrap_or(default);
        let mut ways = Vec::new();
        for (n, other) in targets.iter().enumerate() {
            if other == target {
                let number = self.pool.bits(32, n as u128);
                ways.push(self.pool.eq(term, number));
            }
        }
        if target == default {
            let count = self.pool.bits(32, targets.len() as u128);
            ways.push(self.pool.bv_ule(count, term));
        }
        let condition = self.pool.any(&ways);
        self.push(site, condition, Kind::Alternative);
        Ok(())
    }

    fn concretize(&mut self, site: Site, value: Operand) -> Result<(), Halt> {
        let Some(term) = self.term_of(value.shadow) else { return Ok(()) };
        let number = self.pool.bits(self.pool.width(term), u128::from(value.bits));
        let condition = self.pool.eq(term, number);
        self.push(site, condition, Kind::Alternative);
        Ok(())
    }

    fn load(
        &mut self,
        site: Site,
        opcode: u32,
        address: Operand,
        offset: u32,
        memory: &[u8],
    ) -> Result<Shadow, Halt> {
        let Some(access) = op::load(opcode) else { return Ok(0) };
        let place = (address.bits as u32).wrapping_add(offset);
        let window = match self.term_of(address.shadow) {
            Some(term) if self.is_recording => {
                match self.window(term, offset, access.bytes, memory.len()) {
                    Some(places) => Some((term, places)),
                    None => {
                        self.concretize(site, address)?;
                        None
                    }
                }
            }
            _ => None,
        };
        let raw = match window {
            Some((term, places)) => self.chosen(term, &places, offset, access.bytes, memory),
            None if !self.memory.any(place, access.bytes) => return Ok(0),
            None => self.bytes(place, access.bytes, memory),
        };
        let by = access.ty.width() - access.bytes * 8;
        let term = match (by, access.is_signed) {
            (0, _) => raw,
            (by, true) => self.pool.sign_extend(by, raw),
            (by, false) => self.pool.zero_extend(by, raw),
        };
        Ok(self.keep(Some(term)))
    }

    fn store(
        &mut self,
        site: Site,
        opcode: u32,
        address: Operand,
        offset: u32,
        value: Operand,
        taint: &mut [u8],
    ) -> Result<(), Halt> {
        let Some(access) = op::store(opcode) else { return Ok(()) };
        if address.shadow != 0 {
            self.concretize(site, address)?;
        }
        let place = (address.bits as u32).wrapping_add(offset);
        self.write(place, value.shadow, access.bytes, taint);
        if value.shadow == 0 {
            self.untaint(place, access.bytes, taint);
        }
        Ok(())
    }

    fn copy(&mut self, to: u32, from: u32, length: u32, taint: &mut [u8]) {
        if length == 0 {
            return;
        }
        self.memory.copy(to, from, length);
        self.untaint(to, length, taint);
        if self.memory.any(to, length) {
            // A little more than needed: granules at which nothing is symbolic cost a look.
            for granule in (to >> GRANULE_SHIFT)..=((to + (length - 1)) >> GRANULE_SHIFT) {
                if self.memory.any(granule << GRANULE_SHIFT, 1 << GRANULE_SHIFT) {
                    self.taint(granule << GRANULE_SHIFT, 1, taint);
                }
            }
        }
    }

    fn fill(&mut self, to: u32, byte: Operand, length: u32, taint: &mut [u8]) {
        match byte.shadow {
            0 => {
                self.memory.forget(to, length);
                self.untaint(to, length, taint);
            }
            shadow => {
                for n in 0..length {
                    self.memory.set(to.wrapping_add(n), Cell { shadow, byte: 0 });
                }
                self.taint(to, length, taint);
            }
        }
    }

    fn panicking(&mut self) {
        self.is_recording = false;
    }

    fn is_symbolic(&self, address: u32, length: u32) -> bool {
        self.is_recording && self.memory.any(address, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_number_is_drawn_where_there_is_no_shadow_memory() {
        let mut recorder = Recorder::new(Arc::default());
        let bound = |number| Bound { shadow: 0, number };
        let shadow = recorder.draw(1 << 64, [bound(0), bound(1 << 100)], 128);
        assert_ne!(shadow, 0);
        recorder.write(64, shadow, 16, &mut []);
        assert!(recorder.is_symbolic(64, 16));
    }
}
