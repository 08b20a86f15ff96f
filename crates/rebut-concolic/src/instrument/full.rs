//! The full version of a function: every value has a shadow.
//!
//! Values stay where they were, on the operand stack and in locals. The shadow of the value at
//! depth `d` of the stack is in a local of its own, the *slot* of `d`; so is the shadow of each
//! original local. A value that is known to be plain when the code is written (a constant, or
//! anything computed from constants alone) has no shadow and costs no code: `plain` tracks this for
//! the stack, `symbolic` for locals.
//!
//! # One instruction
//!
//! The instruction itself is copied. Around it, the writer saves the operands in scratch locals,
//! and calls the hook only if a shadow among them is not zero. This is `i32.add` with slots `a` and
//! `b`:
//!
//! ```text
//! local.set $y  local.tee $x  local.get $y     ;; operands, saved and still on the stack
//! i32.add
//! local.get $a  local.get $b  i32.or           ;; is an operand symbolic?
//! if (result i32)
//!   i32.const 0x6A                             ;; the opcode
//!   local.get $a  (bits of $x)
//!   local.get $b  (bits of $y)
//!   call $binary                               ;; the hook returns the shadow of the sum
//! else
//!   i32.const 0
//! end
//! local.set $a
//! ```
//!
//! If `b` is plain, its shadow is written as `i32.const 0` and drops out of the test. If both are
//! plain, only `i32.add` is left. Instructions that decide something (`if`, `br_if`, `br_table`,
//! division, truncation) call their hook *before* they run, because they may leave the block or
//! trap. Instructions that only take plain values (globals, `memory.grow`, addresses of bulk
//! operations, the index of an indirect call, arguments of the host) concretize their operands: the
//! hook adds a condition that the operand has the value of this run.
//!
//! # Branches
//!
//! A branch leaves values on the stack for its target, usually at another depth. So each label has
//! locals for the shadows of the values that it expects. Before a branch, the shadows are saved in
//! them; at the target they are restored into the slots of the new depth. The body is wrapped in
//! one more block, so that a branch to the function's own label arrives where result shadows are
//! passed to the caller.
//!
//! # The fixed point
//!
//! Whether a local can be symbolic depends on all of its assignments, also on those that come later
//! in a loop:
//!
//! ```text
//! loop
//!   local.get $n       ;; first pass: $n is plain, no code for its shadow
//!   ..
//!   call $f            ;; its result may be symbolic
//!   local.set $n       ;; .. so $n may be symbolic
//!   br 0
//! end
//! ```
//!
//! [`write`] starts with the parameters, writes the body, and notes each local that is assigned a
//! value that may be symbolic. If there is a new one, it writes the body again. The set only grows,
//! so this ends after at most one pass per local; two passes are usual.

use wasm_encoder::{BlockType, ValType};
use wasmparser::{FuncValidator, Operator, ValidatorResources};

use super::module::{Code, Mapper};
use super::quick::{BulkTypes, DeadCode, access, bulk_types};
use super::writer::Writer;
use super::{ANY_TAINT, Layout, ModuleError, intrinsic};
use crate::hooks::Hook;
use crate::op::{self, Access, OpTypes, Type};

/// Writes the full version of a function. `validator` starts a validation of the function; it
/// provides the height and the types of the operand stack before each instruction.
pub(super) fn write<'m>(
    layout: &'m Layout,
    code: &Code<'_>,
    mut validator: impl FnMut() -> Result<FuncValidator<ValidatorResources>, ModuleError>,
) -> Result<Writer<'m>, ModuleError> {
    let params = layout.signature(code.function).params.len();
    let mut symbolic: Vec<bool> = (0..code.locals as usize).map(|local| local < params).collect();
    loop {
        let mut full = FullWriter::new(layout, code, symbolic.clone());
        full.begin();
        let mut mapper = Mapper { layout };
        let mut dead = DeadCode::default();
        let mut validator = validator()?;
        for (operator, offset) in &code.operators {
            full.types.clear();
            let height = validator.operand_stack_height();
            for depth in 0..height.min(3) {
                let ty = validator.get_operand_type(depth as usize).flatten();
                full.types.push(ty.and_then(Type::of));
            }
            if !dead.skips(operator) {
                let bytes = mapper.encode(operator)?;
                full.site = *offset as u32;
                full.height = height;
                full.instruction(operator, &bytes)?;
            }
            validator.op(*offset, operator)?;
            if dead == DeadCode::default() {
                full.plain.resize(validator.operand_stack_height() as usize, true);
            }
        }
        if full.symbolic == symbolic {
            return Ok(full.writer);
        }
        symbolic = full.symbolic;
    }
}

/// A `block`, `loop` or `if`, or the function itself. The vectors are locals with shadows.
#[derive(Debug)]
struct Label {
    is_loop: bool,
    /// The height of the stack below its parameters.
    base: u32,
    /// Its parameters as they were at its beginning, for the `else`.
    params: Vec<u32>,
    /// The values that a branch brings: parameters of a loop, results of anything else.
    expected: Vec<u32>,
    /// Its results; the same as `expected` unless it is a loop.
    results: Vec<u32>,
}

#[derive(Debug)]
struct FullWriter<'m> {
    writer: Writer<'m>,
    function: u32,
    site: u32,
    /// The height of the stack before the current instruction.
    height: u32,
    /// The types of the topmost three values, the top first.
    types: Vec<Option<Type>>,
    /// The local with the shadow of each original local.
    locals: Vec<u32>,
    /// Whether each original local may ever be symbolic.
    symbolic: Vec<bool>,
    /// The local with the shadow of each depth of the stack.
    slots: Vec<u32>,
    /// Whether the value at each depth is known to be plain; its slot is meaningless then.
    plain: Vec<bool>,
    labels: Vec<Label>,
}

impl<'m> FullWriter<'m> {
    fn new(layout: &'m Layout, code: &Code<'_>, symbolic: Vec<bool>) -> FullWriter<'m> {
        let mut writer = Writer::new(layout, code.locals);
        let locals = (0..code.locals).map(|_| writer.local(ValType::I32)).collect();
        let results = layout.signature(code.function).results.len();
        let results: Vec<u32> = (0..results).map(|_| writer.local(ValType::I32)).collect();
        let label = Label {
            is_loop: false,
            base: 0,
            params: Vec::new(),
            expected: results.clone(),
            results,
        };
        FullWriter {
            writer,
            function: code.function,
            site: 0,
            height: 0,
            types: Vec::new(),
            locals,
            symbolic,
            slots: Vec::new(),
            plain: Vec::new(),
            labels: vec![label],
        }
    }

    /// Writes the entry of the function.
    fn begin(&mut self) {
        let layout = self.writer.layout;
        let params = layout.signature(self.function).params.len();
        if params > 0 {
            self.receive_arguments(params);
            intrinsic::write(&mut self.writer, self.function, &self.locals[..params]);
        }
        // The target of branches to the function's own label.
        let results = layout.results_block(self.function);
        self.writer.out().block(results);
    }

    /// Copies the shadows of the arguments to locals and clears the argument flag.
    fn receive_arguments(&mut self, params: usize) {
        let layout = self.writer.layout;
        let mut out = self.writer.out();
        out.global_get(layout.any_argument()).if_(BlockType::Empty);
        out.i32_const(0).global_set(layout.any_argument());
        for (n, local) in self.locals.iter().take(params).enumerate() {
            out.global_get(layout.argument(n as u32)).local_set(*local);
        }
        out.end();
    }

    /// The local with the shadow at a depth of the stack.
    fn slot(&mut self, depth: u32) -> u32 {
        while self.slots.len() <= depth as usize {
            let local = self.writer.local(ValType::I32);
            self.slots.push(local);
        }
        self.slots[depth as usize]
    }

    fn is_plain(&self, depth: u32) -> bool {
        self.plain.get(depth as usize).copied().unwrap_or(false)
    }

    fn set_plain(&mut self, depth: u32, is_plain: bool) {
        if self.plain.len() <= depth as usize {
            self.plain.resize(depth as usize + 1, false);
        }
        self.plain[depth as usize] = is_plain;
    }

    /// Pushes the shadow of the value at a depth.
    fn push_shadow(&mut self, depth: u32) {
        if self.is_plain(depth) {
            self.writer.out().i32_const(0);
        } else {
            let slot = self.slot(depth);
            self.writer.out().local_get(slot);
        }
    }

    /// Pops a shadow into the slot of a depth.
    fn pop_shadow(&mut self, depth: u32) {
        let slot = self.slot(depth);
        self.writer.out().local_set(slot);
        self.set_plain(depth, false);
    }

    /// Pushes a number that is not zero if any of these values is symbolic. If all are plain,
    /// pushes nothing and returns `false`.
    fn push_any_shadow(&mut self, depths: impl IntoIterator<Item = u32>) -> bool {
        let mut is_first = true;
        for depth in depths {
            if self.is_plain(depth) {
                continue;
            }
            self.push_shadow(depth);
            if !is_first {
                self.writer.out().i32_or();
            }
            is_first = false;
        }
        !is_first
    }

    fn push_site(&mut self) {
        let site = self.site;
        self.writer.out().i32_const(site as i32);
    }

    fn instruction(&mut self, operator: &Operator<'_>, bytes: &[u8]) -> Result<(), ModuleError> {
        let top = self.height.wrapping_sub(1);
        match operator {
            Operator::Block { blockty } => self.block(*blockty, bytes, false),
            Operator::Loop { blockty } => self.block(*blockty, bytes, true),
            Operator::If { blockty } => {
                self.branch(top);
                self.height -= 1;
                self.block(*blockty, bytes, false);
            }
            Operator::Else => self.else_branch(bytes),
            Operator::End => self.end(bytes),
            Operator::Br { relative_depth } => {
                self.save_branch_values(*relative_depth, self.height);
                self.writer.raw(bytes);
            }
            Operator::BrIf { relative_depth } => {
                self.branch(top);
                self.save_branch_values(*relative_depth, top);
                self.writer.raw(bytes);
            }
            Operator::BrTable { targets } => {
                self.switch(top);
                for target in targets.targets() {
                    self.save_branch_values(target?, top);
                }
                self.save_branch_values(targets.default(), top);
                self.writer.raw(bytes);
            }
            Operator::Return => {
                self.save_branch_values(self.labels.len() as u32 - 1, self.height);
                self.pass_results();
                self.writer.raw(bytes);
            }
            Operator::Call { function_index } => self.call(*function_index, bytes),
            Operator::CallIndirect { type_index, table_index } => {
                self.concretize(top, 0, self.writer.layout.table_index(*table_index));
                let signature = &self.writer.layout.types[*type_index as usize];
                let (params, results) = (signature.params.len(), signature.results.len());
                let base = top - params as u32;
                self.pass_arguments(base, params as u32);
                self.writer.raw(bytes);
                self.receive_results(base, results as u32);
            }
            Operator::LocalGet { local_index } => self.local_get(*local_index, bytes),
            Operator::LocalSet { local_index } | Operator::LocalTee { local_index } => {
                self.local_set(*local_index, top);
                self.writer.raw(bytes);
            }
            Operator::GlobalSet { .. } => {
                if let Some(ty) = self.types.first().copied().flatten() {
                    self.concretize(top, 0, ty);
                }
                self.writer.raw(bytes);
            }
            Operator::MemoryGrow { .. } => {
                self.concretize(top, 0, self.writer.layout.address());
                self.writer.raw(bytes);
                self.set_plain(top, true);
            }
            Operator::MemoryCopy { .. } | Operator::MemoryFill { .. } => {
                self.bulk(operator, bytes);
            }
            Operator::MemoryInit { .. } => {
                self.set_plain(top - 1, true);
                self.bulk(operator, bytes);
            }
            Operator::Select | Operator::TypedSelect { .. } => self.select(bytes),
            _ => match access(operator, bytes) {
                Some((access, offset, true)) => self.load(access, offset, bytes),
                Some((access, offset, false)) => self.store(access, offset, bytes),
                None => self.numeric(bytes),
            },
        }
        Ok(())
    }

    /// Writes a numeric instruction; any other instruction pushes a plain value or none.
    fn numeric(&mut self, bytes: &[u8]) {
        match opcode(bytes).and_then(|opcode| Some((opcode, op::op_types(opcode)?))) {
            Some((opcode, types)) if types.is_binary => self.binary(opcode, types, bytes),
            Some((opcode, types)) => self.unary(opcode, types, bytes),
            None => {
                self.writer.raw(bytes);
                // Constants and sizes are pushed at this height.
                self.set_plain(self.height, true);
            }
        }
    }

    fn unary(&mut self, opcode: u32, types: OpTypes, bytes: &[u8]) {
        let at = self.height - 1;
        if self.is_plain(at) {
            return self.writer.raw(bytes);
        }
        let operand = self.writer.temporary(types.operand, 0);
        self.writer.out().local_tee(operand);
        if op::is_trapping_truncation(opcode) {
            self.push_shadow(at);
            self.writer.out().if_(BlockType::Empty);
            self.push_site();
            self.writer.out().i32_const(opcode as i32);
            self.push_shadow(at);
            self.writer.bits(types.operand, operand);
            self.writer.out().i32_const(0).i64_const(0);
            self.writer.call(Hook::Guard);
            self.writer.out().end();
        }
        self.writer.raw(bytes);
        self.push_shadow(at);
        self.writer.out().if_(BlockType::Empty).i32_const(opcode as i32);
        self.push_shadow(at);
        self.writer.bits(types.operand, operand);
        self.writer.call(Hook::Unary);
        self.pop_shadow(at);
        self.writer.out().end();
    }

    fn binary(&mut self, opcode: u32, types: OpTypes, bytes: &[u8]) {
        let (a, b) = (self.height - 2, self.height - 1);
        if self.is_plain(a) && self.is_plain(b) {
            return self.writer.raw(bytes);
        }
        let [x, y] = [0, 1].map(|n| self.writer.temporary(types.operand, n));
        self.writer.out().local_set(y).local_tee(x);
        if matches!(opcode, 0x6D..=0x70 | 0x7F..=0x82) {
            self.push_any_shadow([a, b]);
            self.writer.out().if_(BlockType::Empty);
            self.push_site();
            self.operands(opcode, types.operand, [(a, x), (b, y)]);
            self.writer.call(Hook::Guard);
            self.writer.out().end();
        }
        self.writer.out().local_get(y);
        self.writer.raw(bytes);
        self.push_any_shadow([a, b]);
        self.writer.out().if_(BlockType::Result(ValType::I32));
        self.operands(opcode, types.operand, [(a, x), (b, y)]);
        self.writer.call(Hook::Binary);
        self.writer.out().else_().i32_const(0).end();
        self.pop_shadow(a);
    }

    fn operands(&mut self, opcode: u32, ty: Type, operands: [(u32, u32); 2]) {
        self.writer.out().i32_const(opcode as i32);
        for (depth, local) in operands {
            self.push_shadow(depth);
            self.writer.bits(ty, local);
        }
    }

    fn select(&mut self, bytes: &[u8]) {
        let [a, b, condition] = [3, 2, 1].map(|n| self.height - n);
        let ty = self.types.get(1).copied().flatten();
        let Some(ty) = ty.filter(|_| ![a, b, condition].iter().all(|at| self.is_plain(*at))) else {
            return self.writer.raw(bytes);
        };
        let [x, y] = [0, 1].map(|n| self.writer.temporary(ty, n));
        let chosen = self.writer.temporary(Type::I32, 2);
        self.writer.out().local_set(chosen).local_set(y).local_tee(x);
        self.writer.out().local_get(y).local_get(chosen);
        self.writer.raw(bytes);
        self.push_any_shadow([a, b, condition]);
        self.writer.out().if_(BlockType::Result(ValType::I32)).i32_const(ty.to_code());
        self.push_shadow(condition);
        self.writer.out().local_get(chosen);
        for (depth, local) in [(a, x), (b, y)] {
            self.push_shadow(depth);
            self.writer.bits(ty, local);
        }
        self.writer.call(Hook::Select);
        self.writer.out().else_().i32_const(0).end();
        self.pop_shadow(a);
    }

    /// Writes the decision of the condition on top of the stack.
    fn branch(&mut self, at: u32) {
        self.decide(at, Hook::Branch);
    }

    fn switch(&mut self, at: u32) {
        self.decide(at, Hook::Switch);
    }

    fn decide(&mut self, at: u32, hook: Hook) {
        if self.is_plain(at) {
            return;
        }
        let condition = self.writer.temporary(Type::I32, 0);
        self.writer.out().local_tee(condition);
        self.push_shadow(at);
        self.writer.out().if_(BlockType::Empty);
        self.push_site();
        self.push_shadow(at);
        self.writer.out().local_get(condition);
        self.writer.call(hook);
        self.writer.out().end();
    }

    /// Makes the value on top of the stack plain.
    fn concretize(&mut self, at: u32, temporary: u32, ty: Type) {
        if self.is_plain(at) {
            return;
        }
        let value = self.writer.temporary(ty, temporary);
        self.writer.out().local_tee(value);
        self.concretize_local(at, value, ty);
    }

    /// Makes a value plain that is also in a local.
    fn concretize_local(&mut self, at: u32, value: u32, ty: Type) {
        if self.is_plain(at) {
            return;
        }
        self.push_shadow(at);
        self.writer.out().if_(BlockType::Empty);
        self.push_site();
        self.push_shadow(at);
        self.writer.bits(ty, value);
        self.writer.call(Hook::Concretize);
        self.writer.out().end();
        self.set_plain(at, true);
    }

    fn local_get(&mut self, local: u32, bytes: &[u8]) {
        self.writer.raw(bytes);
        if self.symbolic[local as usize] {
            let shadow = self.locals[local as usize];
            self.writer.out().local_get(shadow);
            self.pop_shadow(self.height);
        } else {
            self.set_plain(self.height, true);
        }
    }

    fn local_set(&mut self, local: u32, from: u32) {
        let place = local as usize;
        if !self.is_plain(from) {
            self.symbolic[place] = true;
        }
        if self.symbolic[place] {
            self.push_shadow(from);
            let shadow = self.locals[place];
            self.writer.out().local_set(shadow);
        }
    }

    fn load(&mut self, access: Access, offset: u64, bytes: &[u8]) {
        let at = self.height - 1;
        let address = self.writer.temporary(self.writer.layout.address(), 0);
        let opcode = i32::from(bytes[0]);
        debug_assert!(access.bytes <= 8, "the taint of an access is in two granules");
        self.writer.out().local_tee(address);
        self.writer.raw(bytes);
        self.writer.taint(address, offset);
        if self.push_any_shadow([at]) {
            self.writer.out().i32_or();
        }
        self.writer.out().if_(BlockType::Result(ValType::I32));
        self.push_site();
        self.writer.out().i32_const(opcode);
        self.writer.accessed(address);
        self.push_shadow(at);
        self.writer.out().i32_const(offset as i32);
        self.writer.call(Hook::Load);
        self.writer.out().else_().i32_const(0).end();
        self.pop_shadow(at);
    }

    fn store(&mut self, access: Access, offset: u64, bytes: &[u8]) {
        let (at, from) = (self.height - 2, self.height - 1);
        let address = self.writer.temporary(self.writer.layout.address(), 0);
        let value = self.writer.temporary(access.ty, 1);
        let opcode = i32::from(bytes[0]);
        self.writer.out().local_set(value).local_tee(address).local_get(value);
        // A store with a larger offset traps.
        if u32::try_from(offset).is_ok() && self.push_any_shadow([at]) {
            self.writer.out().if_(BlockType::Empty).i32_const(opcode);
            // It may trap too, so its address may have more than 32 bits.
            self.writer.bits(self.writer.layout.address(), address);
            self.push_shadow(at);
            self.writer.out().i32_const(offset as i32);
            self.writer.call(Hook::Target);
            self.writer.out().end();
        }
        self.writer.raw(bytes);
        self.writer.taint(address, offset);
        if self.push_any_shadow([at, from]) {
            self.writer.out().i32_or();
        }
        self.writer.out().if_(BlockType::Empty);
        self.push_site();
        self.writer.out().i32_const(opcode);
        self.writer.accessed(address);
        self.push_shadow(at);
        self.writer.out().i32_const(offset as i32);
        self.push_shadow(from);
        self.writer.bits(access.ty, value);
        self.writer.call(Hook::Store);
        self.writer.out().end();
    }

    /// Writes an instruction that changes a range of the memory.
    fn bulk(&mut self, operator: &Operator<'_>, bytes: &[u8]) {
        let base = self.height - 3;
        let is_copy = matches!(operator, Operator::MemoryCopy { .. });
        let BulkTypes { to, from, length } = bulk_types(operator, self.writer.layout.address());
        let [to_local, from_local, length_local] =
            [(to, 0), (from, 1), (length, 2)].map(|(ty, n)| self.writer.temporary(ty, n));
        self.writer.out().local_set(length_local).local_set(from_local).local_tee(to_local);
        self.writer.out().local_get(from_local).local_get(length_local);
        self.concretize_local(base, to_local, to);
        if is_copy {
            self.concretize_local(base + 1, from_local, from);
        }
        self.concretize_local(base + 2, length_local, length);
        self.writer.raw(bytes);
        self.writer.flag(ANY_TAINT);
        self.writer.out().if_(BlockType::Empty);
        self.writer.number(to, to_local);
        if !is_copy {
            self.push_shadow(base + 1);
        }
        self.writer.number(from, from_local);
        self.writer.number(length, length_local);
        self.writer.call(if is_copy { Hook::Copy } else { Hook::Fill });
        self.writer.out().end();
    }

    fn call(&mut self, function: u32, bytes: &[u8]) {
        let layout = self.writer.layout;
        let signature = layout.signature(function);
        let (params, results) = (signature.params.len() as u32, signature.results.len() as u32);
        let base = self.height - params;
        if let Some(opcode) = layout.extremes.get(&function)
            && let Some(types) = op::op_types(*opcode)
        {
            // The call computes the value, like an instruction. The function sees no symbols.
            return self.binary(*opcode, types, bytes);
        }
        if function >= layout.imports {
            self.pass_arguments(base, params);
            self.writer.raw(bytes);
            return self.receive_results(base, results);
        }
        if layout.draw == Some(function) {
            (base..base + 3).for_each(|depth| self.push_shadow(depth));
            self.writer.call(Hook::Arguments);
            self.writer.raw(bytes);
            self.writer.call(Hook::Answer);
            return self.pop_shadow(base);
        }
        // A call that always ends the run must not make exploration try all of its arguments.
        if !layout.unprovided.contains(&function) {
            self.concretize_arguments(base, &signature.params.clone());
        }
        self.writer.raw(bytes);
        (base..base + results).for_each(|depth| self.set_plain(depth, true));
    }

    /// Makes the arguments of a host function plain.
    fn concretize_arguments(&mut self, base: u32, params: &[Option<Type>]) {
        let depths = base..base + params.len() as u32;
        if depths.clone().all(|depth| self.is_plain(depth)) {
            return;
        }
        // Hooks use the scratch locals from 0; a call must keep all of its arguments at once.
        let locals: Vec<Option<(u32, Type)>> = (10..)
            .zip(params)
            .map(|(n, ty)| ty.map(|ty| (self.writer.temporary(ty, n), ty)))
            .collect();
        if locals.iter().any(Option::is_none) {
            return;
        }
        for (local, _) in locals.iter().rev().flatten() {
            self.writer.out().local_set(*local);
        }
        for (depth, (local, ty)) in depths.zip(locals.into_iter().flatten()) {
            self.concretize_local(depth, local, ty);
            self.writer.out().local_get(local);
        }
    }

    fn pass_arguments(&mut self, base: u32, params: u32) {
        let layout = self.writer.layout;
        if !self.push_any_shadow(base..base + params) {
            return;
        }
        self.writer.out().if_(BlockType::Empty);
        for n in 0..params {
            self.push_shadow(base + n);
            self.writer.out().global_set(layout.argument(n));
        }
        self.writer.out().i32_const(1).global_set(layout.any_argument()).end();
    }

    fn receive_results(&mut self, base: u32, results: u32) {
        let layout = self.writer.layout;
        for n in 0..results {
            let slot = self.slot(base + n);
            self.writer.out().global_get(layout.result(n)).local_tee(slot);
            self.writer.out().if_(BlockType::Empty).i32_const(0);
            self.writer.out().global_set(layout.result(n)).end();
            self.set_plain(base + n, false);
        }
    }

    /// Passes the shadows of the results to the caller.
    fn pass_results(&mut self) {
        let layout = self.writer.layout;
        let results = self.labels.first().map(|label| label.results.clone()).unwrap_or_default();
        for (n, local) in results.into_iter().enumerate() {
            self.writer.out().local_get(local).global_set(layout.result(n as u32));
        }
    }

    fn block(&mut self, ty: wasmparser::BlockType, bytes: &[u8], is_loop: bool) {
        let layout = self.writer.layout;
        let (params, results) = match ty {
            wasmparser::BlockType::Empty => (0, 0),
            wasmparser::BlockType::Type(_) => (0, 1),
            wasmparser::BlockType::FuncType(index) => {
                let signature = &layout.types[index as usize];
                (signature.params.len() as u32, signature.results.len() as u32)
            }
        };
        let base = self.height - params;
        let fresh = |writer: &mut Writer<'_>, count: u32| -> Vec<u32> {
            (0..count).map(|_| writer.local(ValType::I32)).collect()
        };
        let started = fresh(&mut self.writer, params);
        let ended = fresh(&mut self.writer, results);
        self.save_shadows(base, &started);
        // An `if` without an `else` returns its parameters.
        self.save_shadows(base, &ended[..ended.len().min(started.len())]);
        self.writer.raw(bytes);
        if is_loop {
            self.writer.count();
            self.restore_shadows(base, &started);
        }
        let expected = if is_loop { started.clone() } else { ended.clone() };
        self.labels.push(Label { is_loop, base, params: started, expected, results: ended });
    }

    /// Copies the shadows of values on the stack, from depth `base`, to locals.
    fn save_shadows(&mut self, base: u32, locals: &[u32]) {
        for (depth, local) in (base..).zip(locals) {
            self.push_shadow(depth);
            self.writer.out().local_set(*local);
        }
    }

    /// Copies shadows from locals to the slots from depth `base`.
    fn restore_shadows(&mut self, base: u32, locals: &[u32]) {
        for (depth, local) in (base..).zip(locals) {
            self.writer.out().local_get(*local);
            self.pop_shadow(depth);
        }
    }

    /// Saves the shadows of the values that a branch takes along.
    fn save_branch_values(&mut self, depth: u32, height: u32) {
        let Some(place) = self.labels.len().checked_sub(1 + depth as usize) else { return };
        let expected = self.labels[place].expected.clone();
        self.save_shadows(height - expected.len() as u32, &expected);
    }

    fn else_branch(&mut self, bytes: &[u8]) {
        let Some(label) = self.labels.pop() else { return };
        if self.is_reached(&label) {
            self.save_shadows(label.base, &label.results);
        }
        self.writer.raw(bytes);
        self.restore_shadows(label.base, &label.params);
        self.labels.push(label);
    }

    fn end(&mut self, bytes: &[u8]) {
        let Some(label) = self.labels.pop() else { return };
        if self.is_reached(&label) {
            self.save_shadows(label.base, &label.results);
        }
        if self.labels.is_empty() {
            self.writer.out().end();
            self.labels.push(label);
            self.pass_results();
            return self.writer.raw(bytes);
        }
        debug_assert!(!label.is_loop || label.expected == label.params, "loops expect parameters");
        self.writer.raw(bytes);
        self.restore_shadows(label.base, &label.results);
    }

    /// Whether the end of a block is reached from above, and not only by branches.
    fn is_reached(&self, label: &Label) -> bool {
        self.height as usize >= label.base as usize + label.results.len()
    }
}

fn opcode(bytes: &[u8]) -> Option<u32> {
    match *bytes {
        [0xFC, prefixed, ..] => Some(op::PREFIXED + u32::from(prefixed)),
        [opcode, ..] => Some(u32::from(opcode)),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::BlockType;

    use crate::hooks::Hook;
    use crate::instrument::module::tests::hooks_of_full;

    #[test]
    fn constants_need_no_hooks() {
        let hooks = hooks_of_full(|body| {
            body.instructions().i32_const(6).i32_const(7).i32_mul().end();
        });
        assert_eq!(hooks, []);
    }

    #[test]
    fn divisions_call_a_hook_before_they_may_trap() {
        let hooks = hooks_of_full(|body| {
            body.instructions().i32_const(6).local_get(0).i32_div_u().end();
        });
        assert_eq!(hooks, [Hook::Guard, Hook::Binary]);
    }

    #[test]
    fn a_local_is_symbolic_from_the_start_of_a_loop_that_assigns_it_later() {
        let hooks = |source: u32| {
            hooks_of_full(|body| {
                let mut code = body.instructions();
                code.loop_(BlockType::Empty).local_get(1).i32_popcnt().drop();
                code.local_get(source).local_set(1).local_get(1).br_if(0).end();
                code.local_get(1).end();
            })
        };
        // Local 0 is a parameter; local 1 assigned to itself stays a constant.
        assert_eq!(hooks(0), [Hook::Exhausted, Hook::Unary, Hook::Branch]);
        assert_eq!(hooks(1), [Hook::Exhausted]);
    }
}
