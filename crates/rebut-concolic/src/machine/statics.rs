//! The statics of a module that live across the cases of a native process.
//!
//! A run starts with the memory of a new instance. A native process runs one case after the other,
//! and a static or thread-local value that a case changed is found changed by the next one. (There
//! is one thread here, so a thread-local value is a static.) After each run, the statics are
//! compared with what they were before. Those of the standard library and of Rebut are left out:
//! the allocator, the count of panics, the output, the keys of hash tables and the log of cases are
//! state too, but made so that no case notices it.
//!
//! # Values that are set once
//!
//! A table in a `LazyLock` is changed by the first case that needs it, and harmless. To distinguish
//! it from state, cases run after each other in one instance of the plain module. It is *set once* if
//! the cases of every sequence leave the same value and end as they do alone, and if no byte of the
//! value depends on a draw. The
//! value is the static with the blocks of the heap that it refers to, whose addresses do not count.
//! A counter, a cache and the first input that was seen all fail this.
//!
//! # Where the statics are
//!
//! The linker keeps its symbols (`--emit-relocs`): the name, address and size of each static. A
//! module without them has none that is known here.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use wasmparser::{
    ConstExpr, DataKind, ExternalKind, KnownCustom, Linking, Name, Operator, Parser, Payload,
    SymbolInfo,
};

use crate::doubt::plain_name;

/// A static of the code under test or of its dependencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Static {
    pub(crate) name: String,
    range: Range<usize>,
    /// Its bytes when the module starts.
    initial: Vec<u8>,
}

/// The statics of a module, and what is needed to follow their pointers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statics {
    all: Vec<Static>,
    /// The first address of the heap.
    heap: u64,
    /// The number of bytes of a pointer.
    word: usize,
}

/// The value of a static: its bytes and those of the heap that it refers to, without addresses.
pub(crate) type StaticValue = Vec<u8>;

/// The largest value that is compared, in bytes. Arbitrary: a table of Unicode fits. A larger value
/// counts as one that changes.
const VALUE_MAX: usize = 1 << 20;

/// The crates whose statics do not count: those of the toolchain and of Rebut.
const OWN: [&str; 14] = [
    "std",
    "core",
    "alloc",
    "__rustc",
    "compiler_builtins",
    "dlmalloc",
    "hashbrown",
    "rebut",
    "rebut_choice",
    "rebut_contract",
    "rebut_gen",
    "rebut_protocol",
    "rebut_run",
    "rebut_search",
];

impl Statics {
    /// Reads the statics of a module. Without symbols, or with ones that cannot be read, there are
    /// none.
    pub(crate) fn read(wasm: &[u8]) -> Statics {
        Reader::default().read(wasm).unwrap_or_default()
    }

    /// Returns the statics that differ from what they were at the start, by their numbers. A static
    /// with a symbolic byte differs on another path or for another input.
    pub(crate) fn changed(
        &self,
        memory: &[u8],
        has_symbol: &dyn Fn(Range<usize>) -> bool,
    ) -> Vec<usize> {
        let is_changed = |one: &Static| {
            memory.get(one.range.clone()) != Some(&one.initial[..]) || has_symbol(one.range.clone())
        };
        (0..).zip(&self.all).filter(|(_, one)| is_changed(one)).map(|(nth, _)| nth).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn name(&self, nth: usize) -> &str {
        self.all.get(nth).map_or("", |one| &one.name)
    }

    /// Returns the value of a static; `None` if it is too large to be compared.
    pub(crate) fn value(&self, nth: usize, memory: &[u8]) -> Option<StaticValue> {
        let mut value = Vec::new();
        for range in self.parts(nth, memory)? {
            let bytes = memory.get(range)?;
            for chunk in bytes.chunks(self.word) {
                let number = number(chunk);
                match chunk.len() == self.word && self.is_in_heap(number, memory) {
                    true => value.extend(std::iter::repeat_n(0xAA, self.word)),
                    false => value.extend(chunk),
                }
            }
        }
        Some(value)
    }

    /// Returns the ranges of the memory that a static consists of, or refers to.
    pub(crate) fn parts(&self, nth: usize, memory: &[u8]) -> Option<Vec<Range<usize>>> {
        let mut open = VecDeque::from([self.all.get(nth)?.range.clone()]);
        let (mut parts, mut seen, mut size) = (Vec::new(), HashSet::new(), 0);
        while let Some(range) = open.pop_front() {
            size += range.len();
            if size > VALUE_MAX {
                return None;
            }
            for chunk in memory.get(range.clone())?.chunks_exact(self.word) {
                let at = number(chunk);
                if self.is_in_heap(at, memory)
                    && seen.insert(at)
                    && let Some(block) = self.block(at as usize, memory)
                {
                    open.push_back(block);
                }
            }
            parts.push(range);
        }
        Some(parts)
    }

    fn is_in_heap(&self, address: u64, memory: &[u8]) -> bool {
        address >= self.heap && address < memory.len() as u64
    }

    /// Returns the block of the allocator that begins at an address. In front of it is its size,
    /// and the block after it is marked as following one that is in use (`dlmalloc`).
    fn block(&self, at: usize, memory: &[u8]) -> Option<Range<usize>> {
        let head = |at: usize| Some(number(memory.get(at.checked_sub(self.word)?..at)?));
        let size = (head(at)? & !7) as usize;
        let is_block = at.is_multiple_of(2 * self.word) && size >= 4 * self.word;
        let next = head(at.checked_add(size)?)?;
        (is_block && next & 1 == 1).then(|| at..at + size - self.word)
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Whether a static counts: it belongs to no crate of the toolchain or of Rebut.
fn is_foreign(name: &str) -> bool {
    let name = name.trim_start_matches(['<', '&', '(', '[']);
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    // Rebut's macros write statics into the code of users, which count cases.
    let is_written_by_macro = name.contains("::__REBUT_") || name.contains("::__rebut_");
    name[end..].starts_with("::") && !OWN.contains(&&name[..end]) && !is_written_by_macro
}

/// The path of a static as a user wrote it: a thread-local value is in functions that the standard
/// library's macro writes.
fn written_name(name: &str) -> &str {
    let end = ["::{{closure}}", "::{closure#", "::{{constant}}", "::{constant#", "::__RUST_STD"];
    let ends = end.iter().filter_map(|end| name.find(end));
    &name[..ends.min().unwrap_or(name.len())]
}

/// Collects the facts in the sections of a module.
#[derive(Debug, Default)]
struct Reader {
    /// The initial values of globals.
    globals: Vec<Option<u64>>,
    heap_global: Option<u32>,
    is_wide: bool,
    /// The segments that no code can change.
    constant: HashSet<u32>,
    /// The address and the bytes of each segment.
    segments: Vec<Option<(usize, Vec<u8>)>>,
    /// The name, segment, offset and size of each symbol.
    symbols: Vec<(String, u32, usize, usize)>,
}

impl Reader {
    fn read(mut self, wasm: &[u8]) -> Option<Statics> {
        for payload in Parser::new(0).parse_all(wasm) {
            self.payload(payload.ok()?)?;
        }
        let heap = self.globals.get(self.heap_global? as usize).copied().flatten()?;
        let mut all: HashMap<usize, Static> = HashMap::new();
        for (name, segment, offset, size) in &self.symbols {
            let name = plain_name(name);
            let Some((base, bytes)) = self.segments.get(*segment as usize).and_then(Option::as_ref)
            else {
                continue;
            };
            let Some(initial) = bytes.get(*offset..offset + size) else { continue };
            if *size > 0 && !self.constant.contains(segment) && is_foreign(&name) {
                let range = base + offset..base + offset + size;
                let name = written_name(&name).to_owned();
                all.insert(range.start, Static { name, range, initial: initial.to_vec() });
            }
        }
        let mut all: Vec<Static> = all.into_values().collect();
        all.sort_by_key(|one| one.range.start);
        Some(Statics { all, heap, word: if self.is_wide { 8 } else { 4 } })
    }

    fn payload(&mut self, payload: Payload<'_>) -> Option<()> {
        match payload {
            Payload::MemorySection(section) => {
                self.is_wide = section.into_iter().flatten().any(|memory| memory.memory64);
            }
            Payload::GlobalSection(section) => {
                for global in section {
                    self.globals.push(constant(&global.ok()?.init_expr));
                }
            }
            Payload::ExportSection(section) => {
                let mut exports = section.into_iter().flatten();
                let heap = exports.find(|export| {
                    export.kind == ExternalKind::Global && export.name == "__heap_base"
                });
                self.heap_global = heap.map(|export| export.index);
            }
            Payload::DataSection(section) => {
                for data in section {
                    let data = data.ok()?;
                    self.segments.push(match &data.kind {
                        DataKind::Active { offset_expr, .. } => {
                            constant(offset_expr).map(|base| (base as usize, data.data.to_vec()))
                        }
                        DataKind::Passive => None,
                    });
                }
            }
            Payload::CustomSection(section) => self.custom_section(section.as_known()),
            _ => {}
        }
        Some(())
    }
}

impl Reader {
    /// Reads symbols and the names of segments, as far as they can be read.
    fn custom_section(&mut self, section: KnownCustom<'_>) {
        match section {
            KnownCustom::Linking(linking) => {
                for subsection in linking.subsections().flatten() {
                    if let Linking::SymbolTable(symbols) = subsection {
                        self.symbols.extend(symbols.into_iter().flatten().filter_map(variable));
                    }
                }
            }
            KnownCustom::Name(names) => {
                for subsection in names.into_iter().flatten() {
                    if let Name::Data(segments) = subsection {
                        let named = segments.into_iter().flatten();
                        let constant = named.filter(|segment| segment.name.starts_with(".rodata"));
                        self.constant.extend(constant.map(|segment| segment.index));
                    }
                }
            }
            _ => {}
        }
    }
}

fn variable(symbol: SymbolInfo<'_>) -> Option<(String, u32, usize, usize)> {
    match symbol {
        SymbolInfo::Data { name, symbol: Some(data), .. } => {
            Some((name.to_owned(), data.index, data.offset as usize, data.size as usize))
        }
        _ => None,
    }
}

fn constant(expression: &ConstExpr<'_>) -> Option<u64> {
    match expression.get_operators_reader().read().ok()? {
        Operator::I32Const { value } => Some(u64::from(value as u32)),
        Operator::I64Const { value } => Some(value as u64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statics_of_the_toolchain_and_of_rebut_do_not_count() {
        for (name, counts) in [
            ("shop::cart::COUNT", true),
            ("shop::LOCAL::{{closure}}::__RUST_STD_INTERNAL_VAL", true),
            ("std::sys::alloc::wasm::DLMALLOC", false),
            ("<std::hash::random::RandomState>::new::KEYS", false),
            ("rebut_run::wasm_guest::LOG", false),
            ("rebutter::COUNT", true),
            ("shop::tests::adds::__REBUT_SITES", false),
            ("environ", false),
        ] {
            assert_eq!(is_foreign(name), counts, "{name}");
        }
    }

    #[test]
    fn thread_local_values_have_the_name_that_was_written() {
        for name in [
            "shop::LOCAL::{{closure}}::__RUST_STD_INTERNAL_VAL",
            "shop::LOCAL::{closure#0}::__RUST_STD_INTERNAL_VAL",
            "shop::LOCAL::{constant#0}::{closure#1}::VAL",
            "shop::LOCAL",
        ] {
            assert_eq!(written_name(name), "shop::LOCAL");
        }
    }

    /// A heap at 64 with a block of 16 bytes at 72, and a static at 8 that refers to it.
    fn memory(content: u8) -> Vec<u8> {
        let mut memory = vec![0; 128];
        memory[8] = 72;
        memory[68] = 16 | 3;
        memory[84] = 8 | 1;
        memory[72] = content;
        memory
    }

    fn statics() -> Statics {
        let one = Static { name: String::new(), range: 8..16, initial: vec![0; 8] };
        Statics { all: vec![one], heap: 64, word: 4 }
    }

    #[test]
    fn the_value_of_a_static_contains_what_it_refers_to() {
        let statics = statics();
        assert_eq!(statics.parts(0, &memory(7)), Some(vec![8..16, 72..84]));
        assert_ne!(statics.value(0, &memory(7)), statics.value(0, &memory(8)));
        let mut elsewhere = memory(7);
        elsewhere.copy_within(64..96, 80);
        elsewhere[8] = 88;
        assert_eq!(statics.value(0, &elsewhere), statics.value(0, &memory(7)));
    }

    #[test]
    fn a_static_is_changed_if_it_differs_from_its_first_bytes() {
        let statics = statics();
        assert_eq!(statics.changed(&memory(7), &|_| false), [0]);
        assert_eq!(statics.changed(&[0; 128], &|_| false), [0; 0]);
        assert_eq!(statics.changed(&[0; 128], &|range| range.contains(&9)), [0]);
    }
}
