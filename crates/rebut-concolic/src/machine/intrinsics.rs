//! The hooks of functions whose results have terms of their own (see `instrument::intrinsic`).

use rebut_smt::Table;
use wasmtime::{Caller, Extern, Linker, Memory, Val};

use super::State;
use super::imports::{narrow, operand, with_shadow};
use crate::hooks::{self, Operand};
use crate::instrument::{FUEL, Intrinsic, export_name};
use crate::record::CHARACTER_WIDTH;

type Host<'a> = Caller<'a, State>;

/// The result of a hook if it has no term: the function runs as any other.
const NO_TERM: i32 = -1;

/// The size of three characters, in bytes.
const MAPPED_BYTES: usize = 12;

/// Defines the hooks.
pub(super) fn hooks(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let module = hooks::MODULE;
    linker.func_wrap(module, "character", |mut c: Host<'_>, f: i32, at: i32, s: i32, v: i32| {
        character(&mut c, f as u32, at as u32, narrow(s, v)).unwrap_or(NO_TERM)
    })?;
    linker.func_wrap(
        module,
        "product",
        |mut c: Host<'_>,
         at: i32,
         s: i32,
         v: i64,
         t: i32,
         w: i64,
         u: i32,
         x: i64,
         r: i32,
         y: i64| {
            let halves = [operand(s, v), operand(t, w), operand(u, x), operand(r, y)];
            product(&mut c, at as u32, halves).unwrap_or(NO_TERM)
        },
    )?;
    Ok(())
}

/// Records the result of a function of a character.
fn character(
    caller: &mut Host<'_>,
    function: u32,
    address: u32,
    character: Operand,
) -> Option<i32> {
    let tables = tables(caller, function, address)?;
    Some(with_shadow(caller, |state, taint| match &tables[..] {
        [property] => state.recorder.character_property(character, property) as i32,
        _ => {
            state.recorder.character_mapping(character, &tables, address, taint);
            0
        }
    }))
}

/// Returns the tables of a function, which are computed once.
fn tables(caller: &mut Host<'_>, function: u32, address: u32) -> Option<Vec<Table>> {
    let layout = std::sync::Arc::clone(&caller.data().layout);
    let known = layout.character_tables.lock().ok()?.get(&function).cloned();
    if let Some(known) = known {
        return known;
    }
    let tables = with_fuel(caller, |caller| match layout.intrinsics.get(&function) {
        Some(Intrinsic::CharacterProperty) => property(caller, function).map(|table| vec![table]),
        Some(Intrinsic::CharacterMapping) => mapping(caller, function, address),
        _ => None,
    });
    layout.character_tables.lock().ok()?.insert(function, tables.clone());
    tables
}

/// Calls a function; the rounds of loops in it do not count.
fn with_fuel<T>(caller: &mut Host<'_>, act: impl FnOnce(&mut Host<'_>) -> T) -> T {
    let fuel = caller.get_export(FUEL).and_then(Extern::into_global);
    let before = fuel.map(|fuel| fuel.get(&mut *caller));
    let refill = |caller: &mut Host<'_>, value: Option<Val>| {
        if let (Some(fuel), Some(value)) = (fuel, value) {
            // Fuel is a mutable number, so it can be set to one.
            let _ = fuel.set(&mut *caller, value);
        }
    };
    refill(caller, Some(Val::I64(i64::MAX)));
    let result = act(caller);
    refill(caller, before);
    result
}

/// Calls a property for each character.
fn property(caller: &mut Host<'_>, function: u32) -> Option<Table> {
    let function = caller.get_export(&export_name(function))?.into_func()?;
    let function = function.typed::<u32, u32>(&*caller).ok()?;
    let mut runs = Runs::default();
    for character in '\0'..=char::MAX {
        let value = function.call(&mut *caller, character.into()).ok()?;
        runs.add(character, value.into());
    }
    let most = runs.0.iter().map(|run| run.1).max()?;
    let width = (u128::BITS - most.leading_zeros()).clamp(1, 32);
    Table::of_runs(CHARACTER_WIDTH, width, runs.0)
}

/// Calls a mapping for each character. The results are written to the address of the actual one,
/// which is put back afterward.
fn mapping(caller: &mut Host<'_>, function: u32, address: u32) -> Option<Vec<Table>> {
    let memory = caller.data().memory?;
    let function = caller.get_export(&export_name(function))?.into_func()?;
    let short = function.typed::<(u32, u32), ()>(&*caller).ok();
    let long = function.typed::<(u64, u32), ()>(&*caller).ok();
    let actual = mapped(memory, caller, address)?;
    let mut all: [Runs; 3] = Default::default();
    for character in '\0'..=char::MAX {
        let number = u32::from(character);
        match (&short, &long) {
            (Some(short), _) => short.call(&mut *caller, (address, number)).ok()?,
            (_, Some(long)) => long.call(&mut *caller, (address.into(), number)).ok()?,
            _ => return None,
        }
        let result = mapped(memory, caller, address)?;
        for (n, (runs, bytes)) in all.iter_mut().zip(result.as_chunks::<4>().0).enumerate() {
            let value = u32::from_le_bytes(*bytes);
            let value = if n == 0 { value.wrapping_sub(number) } else { value };
            runs.add(character, value.into());
        }
    }
    memory.write(&mut *caller, address as usize, &actual).ok()?;
    all.into_iter().map(|runs| Table::of_runs(CHARACTER_WIDTH, CHARACTER_WIDTH, runs.0)).collect()
}

/// Reads the three characters at an address.
fn mapped(memory: Memory, caller: &Host<'_>, address: u32) -> Option<[u8; MAPPED_BYTES]> {
    let mut bytes = [0; MAPPED_BYTES];
    memory.read(caller, address as usize, &mut bytes).ok()?;
    Some(bytes)
}

/// The first character and the value of each run of equal values. Other numbers
/// have the value of the character before.
#[derive(Debug, Default)]
struct Runs(Vec<(u32, u128)>);

impl Runs {
    fn add(&mut self, character: char, value: u128) {
        if self.0.last().is_none_or(|last| last.1 != value) {
            self.0.push((character.into(), value));
        }
    }
}

/// Records a product, if the memory has it.
fn product(caller: &mut Host<'_>, address: u32, halves: [Operand; 4]) -> Option<i32> {
    let memory = caller.data().memory?;
    let mut bytes = [0; 16];
    memory.read(&*caller, address as usize, &mut bytes).ok()?;
    let number = |low: Operand, high: Operand| u128::from(high.bits) << 64 | u128::from(low.bits);
    let [a, b, c, d] = halves;
    if u128::from_le_bytes(bytes) != number(a, b).wrapping_mul(number(c, d)) {
        return None;
    }
    with_shadow(caller, |state, taint| state.recorder.product(halves, address, taint));
    Some(0)
}
