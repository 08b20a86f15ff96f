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
            if self.layout.panics.contains(&function) {
                // Nothing is recorded from here on.
                kept = Kept::Quick;
            }
            if self.kept[place as usize] >= kept || self.is_idle(function) {
                continue;
            }
            self.kept[place as usize] = kept;
            for (operator, _) in &self.codes[place as usize].operators {
                match operator {
                    Operator::Call { function_index } | Operator::RefFunc { function_index } => {
                        waiting.push((*function_index, kept));
                    }
                    Operator::I32Const { value } => {
                        let methods = self.image.methods(*value as u32);
                        waiting.extend(methods.into_iter().map(|method| (method, Kept::Quick)));
                        if let Some(closure) = self.closure(*value as u32) {
                            waiting.push((closure, kept));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn is_idle(&self, function: u32) -> bool {
        let is_idle = |name: &String| IDLE.iter().any(|idle| name.contains(idle));
        self.names.get(&function).is_some_and(is_idle) && !self.asked_for.contains(&function)
    }

    /// The closure at a place of the table: a number may be a pointer to a function.
    fn closure(&self, index: u32) -> Option<u32> {
        let function = self.image.function(index)?;
        let name = self.names.get(&function)?;
        (name.contains("call_once") || name.contains("closure")).then_some(function)
    }

    /// The functions that a test's entry point names.
    fn named_by(&self, function: u32) -> Vec<u32> {
        let Some(place) = function.checked_sub(self.layout.imports) else { return Vec::new() };
        let operators = self.codes[place as usize].operators.iter();
        let numbers = operators.filter_map(|(operator, _)| match operator {
            Operator::I32Const { value } => Some(*value as u32),
            _ => None,
        });
        numbers.filter_map(|number| self.image.function(number)).collect()
    }
}

/// Parts of Rebut that a test crate links and an explored test does not call: other ways to
/// supply choices, and to show them.
const IDLE: [&str; 6] = [
    "rebut_choice6driver6random",
    "rebut_choice..driver..random",
    "rebut_choice6driver6replay",
    "rebut_choice..driver..replay",
    "rebut_choice6driver10exhaustive",
    "5guest11show_values",
];

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
