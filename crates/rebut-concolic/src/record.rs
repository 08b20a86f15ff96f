//! Builds the expressions of a run and records its path: the [`Hooks`] of symbolic exploration.
//!
//! # Shadows and terms
//!
//! A shadow is the index of a term in the [`Pool`] plus 1; 0 means that the value is plain. The
//! pool outlives runs, so equal expressions of different runs have equal shadows, and the path tree
//! can compare conditions by identity. Before a term is used, the draws that the path has fixed to
//! one value are replaced in it (`fixed_draws`). A term that becomes a constant gets shadow 0
//! again.
//!
//! # Memory
//!
//! The memory of the module holds the values of this run. Next to it, [`Memory`] has a [`Cell`] for
//! each symbolic byte: the shadow of an expression, and which of its bytes this is. A load whose
//! bytes are consecutive bytes of one expression extracts them from it; any other load concatenates
//! single bytes, symbolic and plain.
//!
//! Instrumented code must not call a hook for each plain access. It looks at taint instead: one
//! byte in the shadow memory for each granule of 8 bytes. This is a `u32` drawn as `d0` and stored
//! at address 12:
//!
//! ```text
//! address   8    9   10   11   12   13   14   15
//! cells     .    .    .    .  d0:0 d0:1 d0:2 d0:3
//! taint    [                 1                 ]   granule 1 = addresses 8..16
//! ```
//!
//! A plain store to address 8 finds the granule tainted and calls the hook, which clears four cells
//! that were already clear; the granule stays tainted because bytes 12..16 are symbolic. A plain
//! store to address 12 clears the last cells of the granule, and only then the taint. Clearing is
//! lazy in one way: the flag `ANY_TAINT`, which guards copies and fills, stays set until the run
//! ends, since clearing it would take a search through all cells.
//!
//! # Addresses
//!
//! If the path allows few addresses, a load from a symbolic address or a store to one is a choice
//! among them, a *window* (`window`). Otherwise the address is concretized: the path gets the
//! condition that the address has the value of this run, and exploration tries other addresses one
//! by one.
//!
//! # Losses
//!
//! A [`Loss`] says that the recorder approximated. The run itself is still right, but the
//! exploration does not cover all behavior. It proves nothing then: the verdict is `Unknown` unless
//! a path fails.
//!
//! - [`Loss::TooLarge`]: a term over [`TERM_SIZE_MAX`] was replaced by its value. Branches on it are
//!   not recorded, so their other sides are never tried.
//! - [`Loss::Float`]: the same, for a float instruction without an exact term.
//!
//! After one of these two, an input that takes the recorded decisions may take another path, because
//! decisions are missing among them. So steps after it predict nothing (`Trace::exact_steps`).
//!
//! - [`Loss::TooLong`]: after [`STEPS_MAX`] decisions the rest of the path is not recorded.
//! - [`Loss::Length`] (recorded by `machine`): longer collections were not explored. Laws and
//!   coverage up to this length are still proved.

mod address_bounds;
mod fixed_draws;
mod float;
mod integer;
mod intrinsic;
mod memory;
mod open_values;
mod window;

use std::collections::BTreeSet;
use std::sync::Arc;

use rebut_smt::{Pool, Term};

use crate::doubt::Doubt;
use crate::draw_id::DrawId;
use crate::hooks::{Halt, Hooks, Operand, Shadow, Site};
use crate::instrument::{ANY_TAINT, GRANULE_SHIFT, Layout};
use crate::op::{self, Type};
use crate::slice::{Slices, VariableCache};
use crate::trace::{DecisionKind, Input, Loss, Step};
use address_bounds::AddressBounds;
use fixed_draws::FixedDraws;
pub(crate) use intrinsic::CHARACTER_WIDTH;
use memory::{Cell, Memory};
use open_values::OpenValues;
pub(crate) use open_values::{OpenCondition, OpenPart};
use window::StoreTargets;

/// The largest number of different parts of a term. Larger terms are replaced by their value in
/// this run ([`Loss::TooLarge`]), so the exploration ends as `Unknown`. Arbitrary: the solver takes
/// seconds for a query of this size, and gives up on some at its own limits.
pub(crate) const TERM_SIZE_MAX: u32 = 20_000;

/// The largest number of decisions recorded of one run. The rest of the run is not recorded
/// ([`Loss::TooLong`]), so the exploration ends as `Unknown`. Arbitrary.
const STEPS_MAX: usize = 20_000;

/// The symbolic state of a run. The pool, the variables of terms and the bounds of addresses are
/// kept from run to run.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) pool: Pool,
    pub(crate) variables: VariableCache,
    pub(crate) steps: Vec<Step>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) losses: Vec<Loss>,
    /// The number of steps before the first value that lost its expression, if there is one.
    exact_steps: Option<usize>,
    /// The largest size of a term.
    pub(crate) term_size_max: u32,
    pub(crate) doubts: BTreeSet<Doubt>,
    /// The conditions of the path in which open values occur.
    pub(crate) open_conditions: Vec<OpenCondition>,
    open_values: OpenValues,
    slices: Slices,
    fixed_draws: FixedDraws,
    memory: Memory,
    address_bounds: AddressBounds,
    /// The targets of the store that comes next, if its address is symbolic.
    store_targets: Option<StoreTargets>,
    is_recording: bool,
    layout: Arc<Layout>,
}

impl Recorder {
    pub(crate) fn new(layout: Arc<Layout>) -> Recorder {
        Recorder {
            pool: Pool::new(),
            variables: VariableCache::default(),
            steps: Vec::new(),
            inputs: Vec::new(),
            losses: Vec::new(),
            exact_steps: None,
            term_size_max: TERM_SIZE_MAX,
            doubts: BTreeSet::new(),
            open_conditions: Vec::new(),
            open_values: OpenValues::default(),
            slices: Slices::default(),
            fixed_draws: FixedDraws::default(),
            memory: Memory::default(),
            address_bounds: AddressBounds::default(),
            store_targets: None,
            is_recording: true,
            layout,
        }
    }

    /// The terms of all symbolic bytes, by address.
    #[cfg(test)]
    pub(crate) fn symbolic_bytes(&mut self) -> Vec<(u32, Term)> {
        let cells: Vec<(u32, Cell)> = self.memory.cells().collect();
        let terms = cells.into_iter().map(|(address, _)| {
            let byte = self.byte(address, &[]);
            (address, self.closed(byte))
        });
        terms.collect()
    }

    /// Starts a new run.
    pub(crate) fn begin(&mut self) {
        self.steps.clear();
        self.inputs.clear();
        self.losses.clear();
        self.exact_steps = None;
        self.doubts.clear();
        if self.layout.is_memory64 != (usize::BITS == 64) {
            self.doubts.insert(Doubt::Width);
        }
        self.open_conditions.clear();
        self.slices.clear();
        self.fixed_draws.clear();
        self.memory.clear();
        self.store_targets = None;
        self.is_recording = true;
    }

    /// Whether decisions are recorded: no panic has begun, and the path is not too long.
    pub(crate) fn is_recording(&self) -> bool {
        self.is_recording
    }

    /// Records a draw and returns its shadow. The variable is as narrow as fixed bounds allow.
    /// Bounds that the width does not imply become conditions of the path.
    pub(crate) fn draw(&mut self, number: i128, bounds: [Bound; 2], width: u32) -> Shadow {
        if !self.is_recording {
            return 0;
        }
        let [min, max] = bounds;
        let is_fixed = min.shadow == 0 && max.shadow == 0;
        let (bits, is_signed) =
            if is_fixed { narrowest_encoding(min.number, max.number) } else { (width, true) };
        let variable = DrawId::new(self.inputs.len()).variable(&mut self.pool, bits);
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
            let is_implied_by_width =
                bound.shadow == 0 && is_width_limit(bound.number, bits, is_signed);
            if !is_implied_by_width {
                self.push_step(0, condition, DecisionKind::Domain);
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

    /// Records that a value, symbolic or plain, is now in the memory.
    pub(crate) fn write(&mut self, address: u32, shadow: Shadow, bytes: u32, taint: &mut [u8]) {
        for byte in 0..bytes {
            self.memory.set(address.wrapping_add(byte), Cell { shadow, byte: byte as u8 });
        }
        if shadow != 0 {
            self.taint(address, bytes, taint);
        }
    }

    /// Whether any of these bytes is symbolic.
    pub(crate) fn has_symbol(&self, address: u32, length: u32) -> bool {
        self.memory.has_symbol(address, length)
    }

    /// Returns the shadow of a number in the memory.
    pub(crate) fn read(&mut self, address: u32, bytes: u32, memory: &[u8]) -> Shadow {
        if !self.memory.has_symbol(address, bytes) {
            return 0;
        }
        let term = self.bytes(address, bytes, memory);
        self.shadow_or_zero(Some(term))
    }

    /// Returns the term of a number in the memory, if it is symbolic.
    pub(crate) fn observed(&mut self, address: u32, bytes: u32, memory: &[u8]) -> Option<Term> {
        let is_symbolic = self.memory.has_symbol(address, bytes);
        is_symbolic.then(|| {
            let term = self.bytes(address, bytes, memory);
            self.closed(term)
        })
    }

    fn taint(&self, address: u32, length: u32, taint: &mut [u8]) {
        if length == 0 {
            return;
        }
        // A module that only replays a path has no shadow memory.
        let Some(any) = taint.get_mut(ANY_TAINT as usize) else { return };
        *any = 1;
        let first = (self.layout.taint_base + (address >> GRANULE_SHIFT)) as usize;
        let last = (self.layout.taint_base + ((address + (length - 1)) >> GRANULE_SHIFT)) as usize;
        if let Some(range) = taint.get_mut(first..=last) {
            range.fill(1);
        }
    }

    /// Clears the taint of granules that contain no symbol anymore.
    fn untaint(&self, address: u32, length: u32, taint: &mut [u8]) {
        if length == 0 {
            return;
        }
        let granules = (address >> GRANULE_SHIFT)..=((address + (length - 1)) >> GRANULE_SHIFT);
        for granule in granules {
            if !self.memory.has_symbol(granule << GRANULE_SHIFT, 1 << GRANULE_SHIFT)
                && let Some(byte) = taint.get_mut((self.layout.taint_base + granule) as usize)
            {
                *byte = 0;
            }
        }
    }

    fn term_of(&mut self, shadow: Shadow) -> Option<Term> {
        let term = self.raw_term(shadow)?;
        Some(self.fixed_draws.apply(&mut self.pool, &mut self.variables, term))
    }

    /// Returns the term of an operand whose bits are used.
    fn bits_of_operand(&mut self, operand: Operand, width: u32) -> Term {
        let term = self.operand(operand, width);
        self.bits_of(operand.shadow, term)
    }

    /// Returns the variable that stands for the bits of a value if they are open. `term` is the
    /// term of the shadow, with fixed draws replaced.
    fn bits_of(&mut self, shadow: Shadow, term: Term) -> Term {
        if self.pool.value(term).is_some() {
            return term;
        }
        let Some(whole) = self.raw_term(shadow) else { return term };
        self.open_values.bits(&mut self.pool, whole).unwrap_or(term)
    }

    /// Returns the term of an operand of a float instruction. Only the sign of a zero counts there.
    fn float_operand(&mut self, opcode: u32, operand: Operand, width: u32) -> Term {
        let term = self.operand(operand, width);
        match self.raw_term(operand.shadow) {
            Some(whole)
                if op::shows_sign_of_zero(opcode) && self.open_values.is_open_zero(whole) =>
            {
                self.bits_of(operand.shadow, term)
            }
            _ => term,
        }
    }

    /// Returns a term without variables that stand for open values.
    pub(crate) fn closed(&mut self, term: Term) -> Term {
        if self.open_values.is_empty() {
            return term;
        }
        let variables = self.variables.of_term(&self.pool, term);
        match self.open_values.has_any(&variables) {
            true => self.open_values.closed(&mut self.pool, term),
            false => term,
        }
    }

    /// Returns a condition that holds if the result of an open condition depends on open bits;
    /// `None` if it never does.
    pub(crate) fn ambiguity(&mut self, condition: Term, part: OpenPart) -> Option<Term> {
        self.open_values.ambiguity(&mut self.pool, condition, part)
    }

    /// Returns the term of a shadow as it was recorded.
    fn raw_term(&self, shadow: Shadow) -> Option<Term> {
        self.pool.at((shadow as usize).checked_sub(1)?)
    }

    fn operand(&mut self, operand: Operand, width: u32) -> Term {
        match self.term_of(operand.shadow) {
            Some(term) => term,
            None => self.pool.bits(width, u128::from(operand.bits)),
        }
    }

    /// Returns the term of an operand that is moved as a whole. If it is open, it stays so.
    fn moved(&mut self, operand: Operand, width: u32) -> Term {
        let term = self.operand(operand, width);
        self.note_same(operand.shadow, term);
        term
    }

    /// Notes that the term of a shadow with fixed draws replaced is open where it was.
    fn note_same(&mut self, shadow: Shadow, term: Term) {
        if let Some(whole) = self.raw_term(shadow)
            && whole != term
        {
            self.open_values.note_choice(&mut self.pool, &[whole], term);
        }
    }

    /// Returns the shadow of a term; 0 if it is a constant, too large, or `None`.
    fn shadow_or_zero(&mut self, term: Option<Term>) -> Shadow {
        let Some(term) = term else { return 0 };
        let term = self.whole(term);
        if self.pool.value(term).is_some() {
            return 0;
        }
        let size_max = self.term_size_max;
        if self.pool.size(term) > size_max && self.pool.count_shared_parts_once(term) > size_max {
            self.record_loss(Loss::TooLarge);
            return 0;
        }
        shadow_of(term)
    }

    pub(crate) fn record_loss(&mut self, loss: Loss) {
        if !self.is_recording {
            return;
        }
        if loss.is_value() {
            self.exact_steps.get_or_insert(self.steps.len());
        }
        if !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    /// Returns the number of steps that predict the path of other inputs: those before any value
    /// lost its expression. Later decisions may depend on such a value without showing it.
    pub(crate) fn exact_steps(&self) -> usize {
        self.exact_steps.unwrap_or(usize::MAX)
    }

    pub(crate) fn record_doubt(&mut self, doubt: Doubt) {
        if self.is_recording {
            self.doubts.insert(doubt);
        }
    }

    /// Returns a condition of the path without open values. Notes it if there are any.
    fn note_if_open(&mut self, condition: Term) -> Term {
        let closed = self.closed(condition);
        if closed == condition {
            return condition;
        }
        let steps = self.steps.len();
        self.open_conditions.push(OpenCondition { condition, steps });
        self.fixed_draws.apply(&mut self.pool, &mut self.variables, closed)
    }

    /// Records a condition that is true in this run.
    fn push_step(&mut self, site: Site, condition: Term, kind: DecisionKind) {
        if !self.is_recording || self.pool.value(condition).is_some() {
            return;
        }
        let condition = self.note_if_open(condition);
        if !self.is_recording || self.pool.value(condition).is_some() {
            return;
        }
        if self.steps.len() >= STEPS_MAX {
            self.record_loss(Loss::TooLong);
            self.is_recording = false;
            return;
        }
        let drawn = self.inputs.len();
        self.steps.push(Step { site, condition, kind, drawn });
        let variables = self.variables.of_term(&self.pool, condition);
        self.slices.add(&variables, condition);
        self.fixed_draws.learn(&mut self.pool, &variables, condition);
    }

    /// Returns the term of a number in the memory. Takes it from one expression if it can.
    fn bytes(&mut self, address: u32, length: u32, memory: &[u8]) -> Term {
        let first = self.memory.get(address);
        if let Some(whole) = self.term_of(first.shadow) {
            let is_next = |n: u32| {
                let cell = self.memory.get(address.wrapping_add(n));
                cell.shadow == first.shadow && u32::from(cell.byte) == u32::from(first.byte) + n
            };
            if (1..length).all(is_next) {
                let low = u32::from(first.byte) * 8;
                let is_part = length * 8 < self.pool.width(whole);
                if is_part {
                    let whole = self.bits_of(first.shadow, whole);
                    return self.pool.extract(low + length * 8 - 1, low, whole);
                }
                self.note_same(first.shadow, whole);
                return whole;
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
                let whole = self.bits_of(cell.shadow, whole);
                self.pool.extract(low + 7, low, whole)
            }
            None => {
                let byte = memory.get(address as usize).copied().unwrap_or(0);
                self.pool.bits(8, u128::from(byte))
            }
        }
    }
}

/// A bound of the domain of a draw, which may be symbolic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) shadow: Shadow,
    pub(crate) number: i128,
}

fn shadow_of(term: Term) -> Shadow {
    term.index() as u32 + 1
}

/// Returns the smallest width that holds all numbers of a range, and whether they are read as
/// signed.
fn narrowest_encoding(min: i128, max: i128) -> (u32, bool) {
    if min >= 0 {
        return ((128 - max.leading_zeros()).max(1), false);
    }
    let bits = |number: i128| 129 - (number ^ (number >> 127)).leading_zeros();
    (bits(min).max(bits(max)).min(128), true)
}

/// Whether no variable of this width can exceed the bound.
fn is_width_limit(bound: i128, bits: u32, is_signed: bool) -> bool {
    match (is_signed, bits) {
        (true, 128) => bound == i128::MIN || bound == i128::MAX,
        (true, bits) => bound == -(1 << (bits - 1)) || bound == (1 << (bits - 1)) - 1,
        (false, 127..) => bound == 0 || bound == i128::MAX,
        (false, bits) => bound == 0 || bound == (1 << bits) - 1,
    }
}

impl Hooks for Recorder {
    fn unary(&mut self, opcode: u32, operand: Operand) -> Shadow {
        let Some(types) = op::op_types(opcode) else { return 0 };
        let width = types.operand.width();
        let a = match op::uses_bits(opcode) {
            true => self.bits_of_operand(operand, width),
            false => self.float_operand(opcode, operand, width),
        };
        let term = integer::unary(&mut self.pool, opcode, a);
        match (term, self.raw_term(operand.shadow)) {
            (None, _) => self.record_loss(Loss::Float(opcode)),
            (Some(term), Some(a)) if types.result.is_float() => {
                self.open_values.note_unary(&mut self.pool, opcode, a, term);
            }
            _ => {}
        }
        self.shadow_or_zero(term)
    }

    fn binary(&mut self, opcode: u32, a: Operand, b: Operand) -> Shadow {
        let Some(types) = op::op_types(opcode) else { return 0 };
        let width = types.operand.width();
        let raw = [a, b].map(|operand| self.raw_term(operand.shadow));
        let (a, b) = match op::uses_bits(opcode) {
            true => (self.bits_of_operand(a, width), self.bits_of_operand(b, width)),
            // The sign of the second operand is used, also if it is a NaN.
            false if op::is_copysign(opcode) => {
                (self.operand(a, width), self.bits_of_operand(b, width))
            }
            false => (self.float_operand(opcode, a, width), self.float_operand(opcode, b, width)),
        };
        let term = integer::binary(&mut self.pool, opcode, a, b);
        match term {
            None => self.record_loss(Loss::Float(opcode)),
            Some(term) if types.result.is_float() => {
                let operands = [raw[0].unwrap_or(a), raw[1].unwrap_or(b)];
                self.open_values.note_binary(&mut self.pool, opcode, operands, term);
            }
            Some(_) => {}
        }
        self.shadow_or_zero(term)
    }

    fn guard(&mut self, site: Site, opcode: u32, a: Operand, b: Operand) {
        let Some(types) = op::op_types(opcode) else { return };
        let width = types.operand.width();
        let (is_trapping, traps) = if types.is_binary {
            let mask = u64::MAX >> (64 - width);
            let is_signed = matches!(opcode, 0x6D | 0x7F);
            let overflows = is_signed && a.bits == 1 << (width - 1) && b.bits == mask;
            let is_trapping = b.bits == 0 || overflows;
            let (a, b) = (self.bits_of_operand(a, width), self.bits_of_operand(b, width));
            (is_trapping, integer::traps(&mut self.pool, opcode, a, b))
        } else {
            let is_trapping = float::is_trapping(opcode, a.bits);
            let a = self.operand(a, width);
            (is_trapping, float::traps(&mut self.pool, opcode, a))
        };
        let condition = if is_trapping { traps } else { self.pool.not(traps) };
        self.push_step(site, condition, DecisionKind::Branch);
    }

    fn select(&mut self, ty: Type, condition: Operand, a: Operand, b: Operand) -> Shadow {
        if condition.shadow == 0 {
            return if condition.bits == 0 { b.shadow } else { a.shadow };
        }
        let width = ty.width();
        let raw = [a, b].map(|operand| self.raw_term(operand.shadow));
        let (a, b) = (self.operand(a, width), self.operand(b, width));
        let condition = self.bits_of_operand(condition, 32);
        let zero = self.pool.bits(32, 0);
        let holds = self.pool.ne(condition, zero);
        let term = self.pool.ite(holds, a, b);
        let chosen: Vec<Term> = raw.into_iter().flatten().collect();
        self.open_values.note_choice(&mut self.pool, &chosen, term);
        self.shadow_or_zero(Some(term))
    }

    fn branch(&mut self, site: Site, condition: Operand) -> Result<(), Halt> {
        let term = self.bits_of_operand(condition, 32);
        let zero = self.pool.bits(32, 0);
        let is_zero = self.pool.eq(term, zero);
        let condition = if condition.bits == 0 { is_zero } else { self.pool.not(is_zero) };
        self.push_step(site, condition, DecisionKind::Branch);
        Ok(())
    }

    fn switch(&mut self, site: Site, index: Operand) -> Result<(), Halt> {
        let term = self.bits_of_operand(index, 32);
        let layout = Arc::clone(&self.layout);
        let Some((default, targets)) =
            layout.branch_tables.get(&site).and_then(|all| all.split_last())
        else {
            return Ok(());
        };
        let target = targets.get(index.bits as usize).unwrap_or(default);
        let mut alternatives = Vec::new();
        for (n, other) in targets.iter().enumerate() {
            if other == target {
                let number = self.pool.bits(32, n as u128);
                alternatives.push(self.pool.eq(term, number));
            }
        }
        if target == default {
            let count = self.pool.bits(32, targets.len() as u128);
            alternatives.push(self.pool.bv_ule(count, term));
        }
        let condition = self.pool.any(&alternatives);
        self.push_step(site, condition, DecisionKind::Alternative);
        Ok(())
    }

    fn concretize(&mut self, site: Site, value: Operand) -> Result<(), Halt> {
        let Some(term) = self.term_of(value.shadow) else { return Ok(()) };
        let term = self.bits_of(value.shadow, term);
        let number = self.pool.bits(self.pool.width(term), u128::from(value.bits));
        let condition = self.pool.eq(term, number);
        self.push_step(site, condition, DecisionKind::Alternative);
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
        let start = (address.bits as u32).wrapping_add(offset);
        let loaded = match self.term_of(address.shadow) {
            Some(term) if self.is_recording => {
                let term = self.closed_address(term, address.bits);
                let loaded = self.load_from_window(term, offset, access.bytes, memory);
                if loaded.is_none() {
                    self.concretize(site, address)?;
                }
                loaded
            }
            _ => None,
        };
        let raw = match loaded {
            Some(term) => term,
            None if !self.memory.has_symbol(start, access.bytes) => return Ok(0),
            None => self.bytes(start, access.bytes, memory),
        };
        let by = access.ty.width() - access.bytes * 8;
        let term = match (by, access.is_signed) {
            (0, _) => raw,
            (by, true) => self.pool.sign_extend(by, raw),
            (by, false) => self.pool.zero_extend(by, raw),
        };
        Ok(self.shadow_or_zero(Some(term)))
    }

    fn target(&mut self, opcode: u32, address: Operand, offset: u32, memory: &[u8]) {
        self.store_targets = None;
        let (Some(access), Some(term)) = (op::store(opcode), self.term_of(address.shadow)) else {
            return;
        };
        if self.is_recording {
            let term = self.closed_address(term, address.bits);
            self.store_targets = self.store_targets(term, offset, access.bytes, memory);
        }
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
        if let Some(targets) = self.store_targets.take() {
            let part = access.bytes * 8;
            let value = match part < access.ty.width() {
                true => self.bits_of_operand(value, access.ty.width()),
                false => self.moved(value, part),
            };
            self.store_to_targets(targets, offset, value, access.bytes, taint);
            return Ok(());
        }
        if address.shadow != 0 {
            self.concretize(site, address)?;
        }
        let start = (address.bits as u32).wrapping_add(offset);
        self.write(start, value.shadow, access.bytes, taint);
        if value.shadow == 0 {
            self.untaint(start, access.bytes, taint);
        }
        Ok(())
    }

    fn copy(&mut self, to: u32, from: u32, length: u32, taint: &mut [u8]) {
        if length == 0 {
            return;
        }
        self.memory.copy(to, from, length);
        self.untaint(to, length, taint);
        if self.memory.has_symbol(to, length) {
            // Taint granule by granule: a plain granule that is tainted costs a hook call at each
            // access.
            for granule in (to >> GRANULE_SHIFT)..=((to + (length - 1)) >> GRANULE_SHIFT) {
                if self.memory.has_symbol(granule << GRANULE_SHIFT, 1 << GRANULE_SHIFT) {
                    self.taint(granule << GRANULE_SHIFT, 1, taint);
                }
            }
        }
    }

    fn fill(&mut self, to: u32, byte: Operand, length: u32, taint: &mut [u8]) {
        match byte.shadow {
            0 => {
                self.memory.make_plain(to, length);
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
        self.is_recording && self.memory.has_symbol(address, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Operand = Operand { shadow: 0, bits: 0 };

    /// A recorder with the taint of address 0 at 16, and a shadow memory.
    fn recorder() -> (Recorder, Vec<u8>) {
        let layout = Layout { taint_base: 16, ..Layout::default() };
        (Recorder::new(Arc::new(layout)), vec![0; 64])
    }

    fn draw(recorder: &mut Recorder, max: i128, width: u32) -> Shadow {
        let bound = |number| Bound { shadow: 0, number };
        recorder.draw(0, [bound(0), bound(max)], width)
    }

    #[test]
    fn wide_draws_need_no_shadow_memory() {
        let mut recorder = Recorder::new(Arc::default());
        let shadow = draw(&mut recorder, 1 << 100, 128);
        assert_ne!(shadow, 0);
        recorder.write(64, shadow, 16, &mut []);
        assert!(recorder.is_symbolic(64, 16));
    }

    #[test]
    fn taint_is_cleared_with_the_last_symbol_of_a_granule() {
        let (mut recorder, mut taint) = recorder();
        let shadow = draw(&mut recorder, u32::MAX.into(), 64);
        let (at, value) = (Operand { shadow: 0, bits: 12 }, Operand { shadow, bits: 0 });
        let i64_store32 = 0x3E;
        recorder.store(0, i64_store32, at, 0, value, &mut taint).expect("nothing halts");
        assert_eq!(taint[16..19], [0, 1, 0]);
        recorder.fill(8, PLAIN, 4, &mut taint);
        assert_eq!(taint[17], 1, "the symbol at 12 is in the same granule");
        recorder.fill(12, PLAIN, 4, &mut taint);
        assert_eq!(taint[17], 0);
        assert_eq!(taint[ANY_TAINT as usize], 1, "it stays until the run ends");
    }

    #[test]
    fn a_symbolic_address_is_a_window_or_a_decision() {
        for width in [32, 64] {
            let (mut recorder, _) = recorder();
            let memory = [7; 2000];
            let i32_load8_u = 0x2D;
            let few = Operand { shadow: draw(&mut recorder, 3, width), bits: 2 };
            let loaded = recorder.load(1, i32_load8_u, few, 100, &memory).expect("nothing halts");
            assert_eq!((loaded, recorder.steps.len()), (0, 0), "all four bytes are the same");
            let memory: Vec<u8> = (0..20_000).map(|n| n as u8).collect();
            let loaded = recorder.load(1, i32_load8_u, few, 100, &memory).expect("nothing halts");
            assert_ne!(loaded, 0);
            assert_eq!(recorder.steps.len(), 0);
            let many = Operand { shadow: draw(&mut recorder, 9999, width), bits: 2 };
            let loaded = recorder.load(1, i32_load8_u, many, 100, &memory).expect("nothing halts");
            assert_eq!(loaded, 0);
            let kinds: Vec<DecisionKind> = recorder.steps.iter().map(|step| step.kind).collect();
            assert_eq!(kinds, [DecisionKind::Domain, DecisionKind::Alternative]);
        }
    }

    /// Cut to 32 bits, all of these addresses would be inside of the memory.
    #[test]
    fn an_address_beyond_32_bits_is_not_in_a_window() {
        let (mut recorder, _) = recorder();
        let memory: Vec<u8> = (0..2000).map(|n| n as u8).collect();
        let high_or_low = draw(&mut recorder, 1, 64);
        let term = recorder.term_of(high_or_low).expect("a symbol");
        let shift = recorder.pool.bits(64, 32);
        let address = recorder.pool.bv_shl(term, shift);
        let address = Operand { shadow: shadow_of(address), bits: 0 };
        let loaded = recorder.load(1, 0x2D, address, 100, &memory).expect("nothing halts");
        assert_eq!(loaded, 0);
        assert_eq!(recorder.steps.len(), 1, "the address is a decision");
    }

    #[test]
    fn only_runs_with_another_width_than_this_machine_doubt_it() {
        for is_memory64 in [false, true] {
            let layout = Layout { is_memory64, ..Layout::default() };
            let mut recorder = Recorder::new(Arc::new(layout));
            recorder.begin();
            let is_native = is_memory64 == cfg!(target_pointer_width = "64");
            assert_eq!(recorder.doubts.contains(&Doubt::Width), !is_native);
        }
    }
}
