//! Which functions seem to be called from a test.
//!
//! A test crate has its harness and much of the standard library in it, and compiling all of it
//! twice takes longer than exploring it. So only what a test calls directly is kept, with what
//! is in the tables of methods that it names. It need not be exact: whatever is called and was
//! left out asks to be put in.

use std::collections::HashMap;

use wasmparser::{DataKind, ElementItems, ElementKind, ExternalKind, Operator, Payload};

use super::module::Code;
use super::{Kept, Layout, Needs, Unfit};

/// What is kept of each function, beginning with an export and with what is known to be needed.
pub(super) fn kept(
    layout: &Layout,
    codes: &[Code<'_>],
    payloads: &[Payload<'_>],
    names: &HashMap<u32, String>,
    root: &str,
    needs: &Needs,
) -> Result<Vec<Kept>, Unfit> {
    let image = Image::read(payloads)?;
    let (asked_for, kept) = (Vec::new(), vec![Kept::Not; codes.len()]);
    let mut reach = Reach { layout, codes, names, image, asked_for, kept };
    let mut waiting = Vec::new();
    for payload in payloads {
        match payload {
            Payload::ExportSection(section) => {
                for export in section.clone() {
                    let export = export?;
                    if export.kind == ExternalKind::Func && export.name == root {
                        waiting.push((export.index, Kept::Full));
                    }
                }
            }
            Payload::StartSection { func, .. } => waiting.push((*func, Kept::Full)),
            _ => {}
        }
    }
    for (export, _) in waiting.clone() {
        waiting.extend(reach.named_by(export).into_iter().map(|function| (function, Kept::Full)));
    }
    if waiting.is_empty() {
        return Err(Unfit::new(format!("the module exports no function `{root}`")));
    }
    waiting.extend(needs.full.iter().map(|function| (*function, Kept::Full)));
    waiting.extend(needs.quick.iter().map(|function| (*function, Kept::Quick)));
    reach.asked_for = waiting.iter().map(|(function, _)| *function).collect();
    reach.follow(waiting);
    Ok(reach.kept)
}

struct Reach<'a> {
    layout: &'a Layout,
    codes: &'a [Code<'a>],
    names: &'a HashMap<u32, String>,
    image: Image,
    /// What is kept in any case.
    asked_for: Vec<u32>,
    kept: Vec<Kept>,
}

impl Reach<'_> {
    fn follow(&mut self, mut waiting: Vec<(u32, Kept)>) {
        while let Some((function, mut kept)) = waiting.pop() {
            let Some(place) = function.checked_sub(self.layout.imports) else { continue };
            // Nothing is recorded from here on, or there is nothing to record.
            if self.layout.panics.contains(&function) || self.is_aloof(function) {
                kept = Kept::Quick;
            }
            if self.kept[place as usize] >= kept || self.is_idle(function) {
                continue;
            }
            self.kept[place as usize] = kept;
            for (operator, _) in &self.codes[place as usize].operators {
                if let Operator::Call { function_index } | Operator::RefFunc { function_index } =
                    operator
                {
                    waiting.push((*function_index, kept));
                }
            }
            for pointer in self.pointers(function) {
                self.follow_pointer(pointer, kept, &mut waiting);
            }
        }
    }

    /// Closures are called, as a rule, and so is what a constant points to, such as how to make
    /// a variable of a thread. Other functions and methods are often those that print what a
    /// panic has to say.
    fn follow_pointer(&self, pointer: u32, kept: Kept, waiting: &mut Vec<(u32, Kept)>) {
        let closures = [Some(pointer), self.image.word(pointer)].into_iter().flatten();
        let closures = closures.filter_map(|pointer| self.closure(pointer));
        waiting.extend(closures.map(|closure| (closure, kept)));
        let others = self.image.methods(pointer).into_iter().chain(self.image.function(pointer));
        waiting.extend(others.map(|other| (other, Kept::Quick)));
    }

    /// Whether a function has nothing to do with symbols, as far as is known.
    fn is_aloof(&self, function: u32) -> bool {
        let names = |function: &u32| self.names.get(function).is_some_and(|n| n.contains(ALOOF));
        names(&function) && !self.asked_for.iter().any(names)
    }

    fn is_idle(&self, function: u32) -> bool {
        let is_idle = |name: &String| IDLE.iter().any(|idle| name.contains(idle));
        self.names.get(&function).is_some_and(is_idle) && !self.asked_for.contains(&function)
    }

    /// The closure at a place of the table.
    fn closure(&self, index: u32) -> Option<u32> {
        let function = self.image.function(index)?;
        let name = self.names.get(&function)?;
        (name.contains("call_once") || name.contains("closure")).then_some(function)
    }

    /// The functions that a test's entry point names.
    fn named_by(&self, function: u32) -> Vec<u32> {
        let pointers = self.pointers(function).into_iter();
        pointers.filter_map(|pointer| self.image.function(pointer)).collect()
    }

    /// The numbers in a function that may be pointers. A linker fills in addresses in as many
    /// bytes as the largest would take, so that other numbers are shorter.
    fn pointers(&self, function: u32) -> Vec<u32> {
        let Some(place) = function.checked_sub(self.layout.imports) else { return Vec::new() };
        let operators = self.codes[place as usize].operators.windows(2);
        let pointer = |pair: &[(Operator<'_>, usize)]| match pair {
            [(Operator::I32Const { value }, start), (_, end)] if end - start == POINTER => {
                Some(*value as u32)
            }
            _ => None,
        };
        operators.filter_map(pointer).collect()
    }
}

/// Parts of Rebut that a test crate links and an explored test does not call: other ways to
/// supply choices, and how values are printed.
const IDLE: [&str; 12] = [
    "rebut_choice6driver6random",
    "rebut_choice..driver..random",
    "rebut_choice6driver6replay",
    "rebut_choice..driver..replay",
    "rebut_choice6driver10exhaustive",
    "rebut_choice..driver..exhaustive",
    "5rebut9__private5mined",
    "rebut_gen4code",
    "rebut_gen..code",
    "9rebut_run5words",
    "9rebut_run4case17without_lifetimes",
    "12rebut_choice4text",
];

/// The allocator: sizes are plain numbers, as a rule.
const ALOOF: &str = "8dlmalloc";

/// How many bytes an instruction has that pushes a pointer.
const POINTER: usize = 6;

/// The memory and the table as they are at the start.
struct Image {
    segments: Vec<(u32, Vec<u8>)>,
    table: Vec<Option<u32>>,
}

impl Image {
    fn read(payloads: &[Payload<'_>]) -> Result<Image, Unfit> {
        let mut image = Image { segments: Vec::new(), table: Vec::new() };
        for payload in payloads {
            match payload {
                Payload::DataSection(section) => {
                    for data in section.clone() {
                        let data = data?;
                        if let DataKind::Active { offset_expr, .. } = &data.kind
                            && let Some(offset) = constant(offset_expr)
                        {
                            image.segments.push((offset, data.data.to_vec()));
                        }
                    }
                }
                Payload::ElementSection(section) => {
                    for element in section.clone() {
                        let element = element?;
                        if let ElementKind::Active { offset_expr, .. } = &element.kind
                            && let Some(offset) = constant(offset_expr)
                            && let ElementItems::Functions(items) = element.items
                        {
                            image.table.resize(image.table.len().max(offset as usize), None);
                            for function in items {
                                image.table.push(Some(function?));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(image)
    }

    fn word(&self, address: u32) -> Option<u32> {
        let (start, bytes) = self.segments.iter().find(|(start, bytes)| {
            address.checked_sub(*start).is_some_and(|at| (at as usize) < bytes.len())
        })?;
        let at = (address - start) as usize;
        let word = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(word))
    }

    fn function(&self, index: u32) -> Option<u32> {
        self.table.get(index as usize).copied().flatten()
    }

    /// The functions in the table of methods at an address, if it looks like one: how to drop
    /// a value, its size, its alignment, and methods.
    fn methods(&self, address: u32) -> Vec<u32> {
        let mut methods = Vec::new();
        if !address.is_multiple_of(4) || self.segments.is_empty() {
            return methods;
        }
        let [Some(drop), Some(size), Some(align)] =
            [0, 4, 8].map(|offset| address.checked_add(offset).and_then(|at| self.word(at)))
        else {
            return methods;
        };
        if !align.is_power_of_two() || align > 64 || !size.is_multiple_of(align) || size > 1 << 20 {
            return methods;
        }
        if drop != 0 {
            let Some(drop) = self.function(drop) else { return methods };
            methods.push(drop);
        }
        for n in 3..16 {
            match self.word(address + 4 * n).and_then(|index| self.function(index)) {
                Some(method) => methods.push(method),
                None => break,
            }
        }
        methods
    }
}

fn constant(expression: &wasmparser::ConstExpr<'_>) -> Option<u32> {
    match expression.get_operators_reader().read().ok()? {
        Operator::I32Const { value } => Some(value as u32),
        _ => None,
    }
}
