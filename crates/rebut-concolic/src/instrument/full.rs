//! The version of a function in which every value has a shadow.
//!
//! Values stay where they were: on the operand stack and in locals. The shadow of the value at
//! depth `d` of the stack is in a local of its own, as is that of each original local. What is
//! known to be plain when the code is written (constants, and what is computed from them alone)
//! has no shadow, and no code.
//!
//! A branch can leave values on the stack for its target, at another depth than where they are.
//! So each label has locals for the shadows of the values it expects: whoever branches fills
//! them, and the target takes them up.

use wasm_encoder::{BlockType, ValType};
use wasmparser::{FuncValidator, Operator, ValidatorResources};

use super::module::{Code, Mapper};
use super::quick::{Dead, access};
use super::writer::Writer;
use super::{ANY_TAINT, Layout, Unfit};
use crate::hooks::Hook;
use crate::op::{self, Access, Shape, Type};

/// Writes the full version of a function.
pub(super) fn write<'m>(
    layout: &'m Layout,
    code: &Code<'_>,
    mut validator: impl FnMut() -> Result<FuncValidator<ValidatorResources>, Unfit>,
) -> Result<Writer<'m>, Unfit> {
    // Which locals ever hold a symbol is found out by writing until nothing changes.
    let params = layout.signature(code.function).params.len();
    let mut symbolic: Vec<bool> = (0..code.locals as usize).map(|local| local < params).collect();
    loop {
        let mut full = Full::new(layout, code, symbolic.clone());
        full.begin();
        let mut mapper = Mapper { layout };
        let mut dead = Dead::default();
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
            if dead == Dead::default() {
                full.known.resize(validator.operand_stack_height() as usize, true);
            }
        }
        if full.symbolic == symbolic {
            return Ok(full.writer);
        }
        symbolic = full.symbolic;
    }
}

/// A block, a loop, an `if`, or the function itself.
#[derive(Debug)]
struct Label {
    is_loop: bool,
    /// The height of the stack below its parameters.
    base: u32,
    /// The shadows of its parameters when it began, for an `else`.
    params: Vec<u32>,
    /// The shadows of what branches bring.
    expected: Vec<u32>,
    /// The shadows of what is there at its end; the same unless it is a loop.
    results: Vec<u32>,
}

#[derive(Debug)]
struct Full<'m> {
    writer: Writer<'m>,
    function: u32,
    site: u32,
    /// The height of the stack before the instruction.
    height: u32,
    /// The types of what is on top of it, the topmost first.
    types: Vec<Option<Type>>,
    /// The shadow of each original local.
    locals: Vec<u32>,
    /// Which of these may ever be symbolic.
    symbolic: Vec<bool>,
    /// The shadow of each depth of the stack.
    slots: Vec<u32>,
    /// Which of these are known to be plain.
    known: Vec<bool>,
    labels: Vec<Label>,
}

impl<'m> Full<'m> {
    fn new(layout: &'m Layout, code: &Code<'_>, symbolic: Vec<bool>) -> Full<'m> {
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
        Full {
            writer,
            function: code.function,
            site: 0,
            height: 0,
            types: Vec::new(),
            locals,
            symbolic,
            slots: Vec::new(),
            known: Vec::new(),
            labels: vec![label],
        }
    }

    /// Opens the body.
    fn begin(&mut self) {
        let layout = self.writer.layout;
        let params = layout.signature(self.function).params.len();
        if params > 0 {
            self.take_arguments(params);
        }
        // Whoever branches to the function's own label comes to the end of this block.
        let results = layout.results_block(self.function);
        self.writer.out().block(results);
    }

    /// Takes up the shadows of the arguments.
    fn take_arguments(&mut self, params: usize) {
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

    fn is_known(&self, depth: u32) -> bool {
        self.known.get(depth as usize).copied().unwrap_or(false)
    }

    fn set_known(&mut self, depth: u32, is_known: bool) {
        if self.known.len() <= depth as usize {
            self.known.resize(depth as usize + 1, false);
        }
        self.known[depth as usize] = is_known;
    }

    /// Pushes the shadow at a depth.
    fn get(&mut self, depth: u32) {
        if self.is_known(depth) {
            self.writer.out().i32_const(0);
        } else {
            let slot = self.slot(depth);
            self.writer.out().local_get(slot);
        }
    }

    /// Pops a shadow as that of a depth.
    fn set(&mut self, depth: u32) {
        let slot = self.slot(depth);
        self.writer.out().local_set(slot);
        self.set_known(depth, false);
    }

    /// Pushes what is not zero if any of these is symbolic; false if none can be, and nothing
    /// is pushed.
    fn any(&mut self, depths: impl IntoIterator<Item = u32>) -> bool {
        let mut is_first = true;
        for depth in depths {
            if self.is_known(depth) {
                continue;
            }
            self.get(depth);
            if !is_first {
                self.writer.out().i32_or();
            }
            is_first = false;
        }
        !is_first
    }

    fn site(&mut self) {
        let site = self.site;
        self.writer.out().i32_const(site as i32);
    }

    fn instruction(&mut self, operator: &Operator<'_>, bytes: &[u8]) -> Result<(), Unfit> {
        let top = self.height.wrapping_sub(1);
        match operator {
            Operator::Block { blockty } => self.block(*blockty, bytes, false),
            Operator::Loop { blockty } => self.block(*blockty, bytes, true),
            Operator::If { blockty } => {
                self.branch(top);
                self.height -= 1;
                self.block(*blockty, bytes, false);
            }
            Operator::Else => self.otherwise(bytes),
            Operator::End => self.end(bytes),
            Operator::Br { relative_depth } => {
                self.leave(*relative_depth, self.height);
                self.writer.raw(bytes);
            }
            Operator::BrIf { relative_depth } => {
                self.branch(top);
                self.leave(*relative_depth, top);
                self.writer.raw(bytes);
            }
            Operator::BrTable { targets } => {
                self.switch(top);
                for target in targets.targets() {
                    self.leave(target?, top);
                }
                self.leave(targets.default(), top);
                self.writer.raw(bytes);
            }
            Operator::Return => {
                self.leave(self.labels.len() as u32 - 1, self.height);
                self.give_results();
                self.writer.raw(bytes);
            }
            Operator::Call { function_index } => self.call(*function_index, bytes),
            Operator::CallIndirect { type_index, .. } => {
                self.concretize(top, 0, Type::I32);
                let signature = &self.writer.layout.types[*type_index as usize];
                let (params, results) = (signature.params.len(), signature.results.len());
                let base = top - params as u32;
                self.give_arguments(base, params as u32);
                self.writer.raw(bytes);
                self.take_results(base, results as u32);
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
                self.concretize(top, 0, Type::I32);
                self.writer.raw(bytes);
                self.set_known(top, true);
            }
            Operator::MemoryCopy { .. } => self.bulk(bytes, Hook::Copy),
            Operator::MemoryFill { .. } | Operator::MemoryInit { .. } => {
                let is_init = matches!(operator, Operator::MemoryInit { .. });
                if is_init {
                    self.set_known(top - 1, true);
                }
                self.bulk(bytes, Hook::Fill);
            }
            Operator::Select | Operator::TypedSelect { .. } => self.select(bytes),
            _ => match access(operator, bytes) {
                Some((access, offset, true)) => self.load(access, offset, bytes),
                Some((access, offset, false)) => self.store(access, offset, bytes),
                None => self.other(bytes),
            },
        }
        Ok(())
    }

    /// Numeric instructions; all else gives only plain values.
    fn other(&mut self, bytes: &[u8]) {
        match opcode(bytes).and_then(|opcode| Some((opcode, op::shape(opcode)?))) {
            Some((opcode, shape)) if shape.is_binary => self.binary(opcode, shape, bytes),
            Some((opcode, shape)) => self.unary(opcode, shape, bytes),
            None => {
                self.writer.raw(bytes);
                // Constants and the like are pushed at this height.
                self.set_known(self.height, true);
            }
        }
    }

    fn unary(&mut self, opcode: u32, shape: Shape, bytes: &[u8]) {
        let at = self.height - 1;
        if self.is_known(at) {
            return self.writer.raw(bytes);
        }
        let operand = self.writer.temporary(shape.operand, 0);
        self.writer.out().local_tee(operand);
        if op::is_trapping_truncation(opcode) {
            self.get(at);
            self.writer.out().if_(BlockType::Empty);
            self.site();
            self.writer.out().i32_const(opcode as i32);
            self.get(at);
            self.writer.bits(shape.operand, operand);
            self.writer.out().i32_const(0).i64_const(0);
            self.writer.call(Hook::Guard);
            self.writer.out().end();
        }
        self.writer.raw(bytes);
        self.get(at);
        self.writer.out().if_(BlockType::Empty).i32_const(opcode as i32);
        self.get(at);
        self.writer.bits(shape.operand, operand);
        self.writer.call(Hook::Unary);
        self.set(at);
        self.writer.out().end();
    }

    fn binary(&mut self, opcode: u32, shape: Shape, bytes: &[u8]) {
        let (a, b) = (self.height - 2, self.height - 1);
        if self.is_known(a) && self.is_known(b) {
            return self.writer.raw(bytes);
        }
        let [x, y] = [0, 1].map(|n| self.writer.temporary(shape.operand, n));
        self.writer.out().local_set(y).local_tee(x);
        if matches!(opcode, 0x6D..=0x70 | 0x7F..=0x82) {
            self.any([a, b]);
            self.writer.out().if_(BlockType::Empty);
            self.site();
            self.operands(opcode, shape.operand, [(a, x), (b, y)]);
            self.writer.call(Hook::Guard);
            self.writer.out().end();
        }
        self.writer.out().local_get(y);
        self.writer.raw(bytes);
        self.any([a, b]);
        self.writer.out().if_(BlockType::Result(ValType::I32));
        self.operands(opcode, shape.operand, [(a, x), (b, y)]);
        self.writer.call(Hook::Binary);
        self.writer.out().else_().i32_const(0).end();
        self.set(a);
    }

    fn operands(&mut self, opcode: u32, ty: Type, operands: [(u32, u32); 2]) {
        self.writer.out().i32_const(opcode as i32);
        for (depth, local) in operands {
            self.get(depth);
            self.writer.bits(ty, local);
        }
    }

    fn select(&mut self, bytes: &[u8]) {
        let [a, b, condition] = [3, 2, 1].map(|n| self.height - n);
        let ty = self.types.get(1).copied().flatten();
        let Some(ty) = ty.filter(|_| ![a, b, condition].iter().all(|at| self.is_known(*at))) else {
            return self.writer.raw(bytes);
        };
        let [x, y] = [0, 1].map(|n| self.writer.temporary(ty, n));
        let chosen = self.writer.temporary(Type::I32, 2);
        self.writer.out().local_set(chosen).local_set(y).local_tee(x);
        self.writer.out().local_get(y).local_get(chosen);
        self.writer.raw(bytes);
        self.any([a, b, condition]);
        self.writer.out().if_(BlockType::Result(ValType::I32)).i32_const(type_code(ty));
        self.get(condition);
        self.writer.out().local_get(chosen);
        for (depth, local) in [(a, x), (b, y)] {
            self.get(depth);
            self.writer.bits(ty, local);
        }
        self.writer.call(Hook::Select);
        self.writer.out().else_().i32_const(0).end();
        self.set(a);
    }

    /// A condition on top of the stack decides.
    fn branch(&mut self, at: u32) {
        self.decide(at, Hook::Branch);
    }

    fn switch(&mut self, at: u32) {
        self.decide(at, Hook::Switch);
    }

    fn decide(&mut self, at: u32, hook: Hook) {
        if self.is_known(at) {
            return;
        }
        let condition = self.writer.temporary(Type::I32, 0);
        self.writer.out().local_tee(condition);
        self.get(at);
        self.writer.out().if_(BlockType::Empty);
        self.site();
        self.get(at);
        self.writer.out().local_get(condition);
        self.writer.call(hook);
        self.writer.out().end();
    }

    /// What is on top of the stack is a plain value from here on.
    fn concretize(&mut self, at: u32, temporary: u32, ty: Type) {
        if self.is_known(at) {
            return;
        }
        let value = self.writer.temporary(ty, temporary);
        self.writer.out().local_tee(value);
        self.concretize_local(at, value, ty);
    }

    /// As [`Full::concretize`] for a value that a local holds as well.
    fn concretize_local(&mut self, at: u32, value: u32, ty: Type) {
        if self.is_known(at) {
            return;
        }
        self.get(at);
        self.writer.out().if_(BlockType::Empty);
        self.site();
        self.get(at);
        self.writer.bits(ty, value);
        self.writer.call(Hook::Concretize);
        self.writer.out().end();
        self.set_known(at, true);
    }

    fn local_get(&mut self, local: u32, bytes: &[u8]) {
        self.writer.raw(bytes);
        if self.symbolic[local as usize] {
            let shadow = self.locals[local as usize];
            self.writer.out().local_get(shadow);
            self.set(self.height);
        } else {
            self.set_known(self.height, true);
        }
    }

    fn local_set(&mut self, local: u32, from: u32) {
        let place = local as usize;
        if !self.is_known(from) {
            self.symbolic[place] = true;
        }
        if self.symbolic[place] {
            self.get(from);
            let shadow = self.locals[place];
            self.writer.out().local_set(shadow);
        }
    }

    fn load(&mut self, access: Access, offset: u64, bytes: &[u8]) {
        let at = self.height - 1;
        let address = self.writer.temporary(Type::I32, 0);
        let opcode = i32::from(bytes[0]);
        debug_assert!(access.bytes <= 8, "the taint of an access is in two granules");
        self.writer.out().local_tee(address);
        self.writer.raw(bytes);
        self.writer.taint(address, offset);
        if self.any([at]) {
            self.writer.out().i32_or();
        }
        self.writer.out().if_(BlockType::Result(ValType::I32));
        self.site();
        self.writer.out().i32_const(opcode).local_get(address);
        self.get(at);
        self.writer.out().i32_const(offset as i32);
        self.writer.call(Hook::Load);
        self.writer.out().else_().i32_const(0).end();
        self.set(at);
    }

    fn store(&mut self, access: Access, offset: u64, bytes: &[u8]) {
        let (at, from) = (self.height - 2, self.height - 1);
        let address = self.writer.temporary(Type::I32, 0);
        let value = self.writer.temporary(access.ty, 1);
        let opcode = i32::from(bytes[0]);
        self.writer.out().local_set(value).local_tee(address).local_get(value);
        self.writer.raw(bytes);
        self.writer.taint(address, offset);
        if self.any([at, from]) {
            self.writer.out().i32_or();
        }
        self.writer.out().if_(BlockType::Empty);
        self.site();
        self.writer.out().i32_const(opcode).local_get(address);
        self.get(at);
        self.writer.out().i32_const(offset as i32);
        self.get(from);
        self.writer.bits(access.ty, value);
        self.writer.call(Hook::Store);
        self.writer.out().end();
    }

    /// An instruction that writes a range of the memory.
    fn bulk(&mut self, bytes: &[u8], hook: Hook) {
        let base = self.height - 3;
        let [to, from, length] = [0, 1, 2].map(|n| self.writer.temporary(Type::I32, n));
        self.writer.out().local_set(length).local_set(from).local_tee(to);
        self.writer.out().local_get(from).local_get(length);
        self.concretize_local(base, to, Type::I32);
        if hook == Hook::Copy {
            self.concretize_local(base + 1, from, Type::I32);
        }
        self.concretize_local(base + 2, length, Type::I32);
        self.writer.raw(bytes);
        self.writer.flag(ANY_TAINT);
        self.writer.out().if_(BlockType::Empty).local_get(to);
        match hook {
            Hook::Copy => drop(self.writer.out().local_get(from)),
            _ => {
                self.get(base + 1);
                self.writer.out().local_get(from);
            }
        }
        self.writer.out().local_get(length);
        self.writer.call(hook);
        self.writer.out().end();
    }

    fn call(&mut self, function: u32, bytes: &[u8]) {
        let layout = self.writer.layout;
        let signature = layout.signature(function);
        let (params, results) = (signature.params.len() as u32, signature.results.len() as u32);
        let base = self.height - params;
        if function >= layout.imports {
            self.give_arguments(base, params);
            self.writer.raw(bytes);
            return self.take_results(base, results);
        }
        if layout.draw == Some(function) {
            (base..base + 3).for_each(|depth| self.get(depth));
            self.writer.call(Hook::Arguments);
            self.writer.raw(bytes);
            self.writer.call(Hook::Answer);
            return self.set(base);
        }
        // What ends the run whatever it is called with is no reason to try all arguments.
        if !layout.foreign.contains(&function) {
            self.concretize_arguments(base, &signature.params.clone());
        }
        self.writer.raw(bytes);
        (base..base + results).for_each(|depth| self.set_known(depth, true));
    }

    /// A function of the host takes plain values.
    fn concretize_arguments(&mut self, base: u32, params: &[Option<Type>]) {
        let depths = base..base + params.len() as u32;
        if depths.clone().all(|depth| self.is_known(depth)) {
            return;
        }
        // The temporaries that hooks use are numbered from 0.
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

    fn give_arguments(&mut self, base: u32, params: u32) {
        let layout = self.writer.layout;
        if !self.any(base..base + params) {
            return;
        }
        self.writer.out().if_(BlockType::Empty);
        for n in 0..params {
            self.get(base + n);
            self.writer.out().global_set(layout.argument(n));
        }
        self.writer.out().i32_const(1).global_set(layout.any_argument()).end();
    }

    fn take_results(&mut self, base: u32, results: u32) {
        let layout = self.writer.layout;
        for n in 0..results {
            let slot = self.slot(base + n);
            self.writer.out().global_get(layout.result(n)).local_tee(slot);
            self.writer.out().if_(BlockType::Empty).i32_const(0);
            self.writer.out().global_set(layout.result(n)).end();
            self.set_known(base + n, false);
        }
    }

    /// Leaves the shadows of the results to the caller.
    fn give_results(&mut self) {
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
        self.keep(base, &started);
        // An `if` without an `else` gives its parameters.
        self.keep(base, &ended[..ended.len().min(started.len())]);
        self.writer.raw(bytes);
        if is_loop {
            self.writer.count();
            self.take(base, &started);
        }
        let expected = if is_loop { started.clone() } else { ended.clone() };
        self.labels.push(Label { is_loop, base, params: started, expected, results: ended });
    }

    /// Copies shadows from the stack to locals.
    fn keep(&mut self, base: u32, locals: &[u32]) {
        for (depth, local) in (base..).zip(locals) {
            self.get(depth);
            self.writer.out().local_set(*local);
        }
    }

    /// Copies shadows from locals to the stack.
    fn take(&mut self, base: u32, locals: &[u32]) {
        for (depth, local) in (base..).zip(locals) {
            self.writer.out().local_get(*local);
            self.set(depth);
        }
    }

    /// A branch to a label takes the values on top of the stack with it.
    fn leave(&mut self, depth: u32, height: u32) {
        let Some(place) = self.labels.len().checked_sub(1 + depth as usize) else { return };
        let expected = self.labels[place].expected.clone();
        self.keep(height - expected.len() as u32, &expected);
    }

    fn otherwise(&mut self, bytes: &[u8]) {
        let Some(label) = self.labels.pop() else { return };
        if self.is_reached(&label) {
            self.keep(label.base, &label.results);
        }
        self.writer.raw(bytes);
        self.take(label.base, &label.params);
        self.labels.push(label);
    }

    fn end(&mut self, bytes: &[u8]) {
        let Some(label) = self.labels.pop() else { return };
        if self.is_reached(&label) {
            self.keep(label.base, &label.results);
        }
        if self.labels.is_empty() {
            self.writer.out().end();
            self.labels.push(label);
            self.give_results();
            return self.writer.raw(bytes);
        }
        debug_assert!(!label.is_loop || label.expected == label.params, "loops expect parameters");
        self.writer.raw(bytes);
        self.take(label.base, &label.results);
    }

    /// Whether the end of a block is reached from above it, and not only by branches.
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

/// Types as hooks are told them.
fn type_code(ty: Type) -> i32 {
    match ty {
        Type::I32 => 0,
        Type::I64 => 1,
        Type::F32 => 2,
        Type::F64 => 3,
    }
}
