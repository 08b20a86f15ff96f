//! Reads a module, assigns the new indices and writes the sections; the bodies of functions come
//! from `full`, `quick` and `plain`.
//!
//! [`instrument`] works in three steps: parse and validate ([`Parsed::read`]), decide where
//! everything goes ([`Layout`], drawn in [`super`]), and write section by section. Copied sections
//! go through [`Mapper`], which adds the number of hooks to each index of a function that the
//! module defines.
//!
//! Debug information and names are dropped: offsets in the new module mean nothing to a user. Hooks
//! receive the offset of an instruction in the *original* module, its [`Site`](crate::hooks::Site),
//! so line tables are read there.
//!
//! # Example
//!
//! A module imports `draw` and defines `f(x) = x + 1`: `I = 1`, `N = 2`, and with 20 hooks, `f`
//! moves from index 1 to index 21 and its full version gets index 22. A call of `f` with a symbolic
//! argument runs as follows. The caller sets argument shadow 0 and the argument flag. Function 21
//! sees the flag and calls function 22 with the same arguments. That reads the shadow and clears
//! the flag, calls the hook for `i32.add`, and leaves the shadow of the sum in result shadow 0. The
//! caller reads it and clears it.

use rebut_protocol::wasm;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, Encode, EntityType, ExportKind, ExportSection, Function,
    FunctionSection, GlobalSection, GlobalType, ImportSection, MemorySection, MemoryType, Module,
    TypeSection, ValType,
};
use wasmparser::{
    ElementItems, ElementKind, ElementSectionReader, FuncToValidate, FuncValidator,
    FuncValidatorAllocations, FunctionBody, Operator, Parser, Payload, TypeRef, ValidPayload,
    Validator, ValidatorResources, WasmFeatures,
};

use super::writer::Writer;
use super::{
    CalledFunctions, FUNCTION_FLAGS, FunctionVersions, GRANULE_SHIFT, Layout, ModuleError, Plan,
    Signature, UnsupportedCall, full, hash, intrinsic, plain, quick,
};
use crate::doubt::doubt_of_call;
use crate::hooks::{self, Hook};
use crate::op::{self, Type};

/// The name under which the instrumented module exports its shadow memory.
pub(crate) const SHADOW: &str = "rebut-shadow";
pub(crate) const FUEL: &str = "rebut-fuel";

pub(crate) const ANY_ARGUMENT: &str = "rebut-any-argument";

/// The name under which the shadow of an argument is exported.
pub(crate) fn argument(n: u32) -> String {
    format!("rebut-argument-{n}")
}

/// The name under which the shadow of a result is exported.
pub(crate) fn result(n: u32) -> String {
    format!("rebut-result-{n}")
}

/// The largest memory of a module, in bytes: 256 MiB. Arbitrary. The shadow memory is reserved for
/// this size from the start (32 MiB of addresses, untouched pages cost nothing). At the limit,
/// `memory.grow` fails as it does on a full machine, so the test runs out of memory.
pub(crate) const MEMORY_MAX: u64 = 1 << 28;
/// The size of a page of WebAssembly, in bytes.
const PAGE: u64 = 1 << 16;

/// An instrumented module.
#[derive(Debug)]
pub(crate) struct Instrumented {
    /// The module.
    pub(crate) bytes: Vec<u8>,
    pub(crate) layout: Layout,
    /// The names of the functions, as far as the module contains them.
    pub(crate) names: HashMap<u32, String>,
}

/// A function of the original module, decoded.
#[derive(Debug)]
pub(super) struct Code<'a> {
    /// Its index in the module.
    pub(super) function: u32,
    /// The number of locals, parameters included.
    pub(super) locals: u32,
    pub(super) operators: Vec<(Operator<'a>, usize)>,
    /// Whether it can meet a symbol other than through its arguments.
    pub(super) can_meet_symbol: bool,
    body: FunctionBody<'a>,
}

impl Code<'_> {
    /// The offsets of its instructions in the original module.
    pub(super) fn range(&self) -> std::ops::Range<u32> {
        let start = self.operators.first().map_or(0, |(_, offset)| *offset as u32);
        start..(self.body.range().end as u32).max(start)
    }
}

/// Instruments a module. `unsupported` names the functions that cannot run here.
pub(crate) fn instrument(
    wasm: &[u8],
    plan: &Plan,
    unsupported: Option<UnsupportedCall>,
) -> Result<Instrumented, ModuleError> {
    Ok(prepare(wasm, plan, unsupported)?.write()?.0)
}

/// A module that was read, except for the bodies of its functions.
pub(crate) struct Prepared<'a> {
    wasm: &'a [u8],
    plan: &'a Plan,
    parsed: Parsed<'a>,
    layout: Layout,
}

/// The parts of a layout that only the bodies of functions show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BodyFacts {
    hashers: Vec<u32>,
    hasher_users: Vec<u32>,
    branch_tables: HashMap<u32, Vec<u32>>,
}

/// Reads all of a module that decides how it is instrumented.
pub(crate) fn prepare<'a>(
    wasm: &'a [u8],
    plan: &'a Plan,
    unsupported: Option<UnsupportedCall>,
) -> Result<Prepared<'a>, ModuleError> {
    let parsed = Parsed::read(wasm)?;
    let mut layout = parsed.layout()?;
    let is_panic = |(_, name): &(&u32, &String)| name.contains("9panicking9panic_fmt");
    layout.panics = parsed.names.iter().filter(is_panic).map(|(function, _)| *function).collect();
    if let Some(unsupported) = unsupported {
        let named = parsed.names.iter();
        layout.unsupported = named.filter_map(|(f, name)| Some((*f, unsupported(name)?))).collect();
    }
    let named = parsed.names.iter();
    layout.doubtful = named.filter_map(|(f, name)| Some((*f, doubt_of_call(name)?))).collect();
    layout.extremes = extremes(&layout, &parsed.names);
    layout.intrinsics = intrinsic::intrinsics(&layout, &parsed.names);
    layout.versions = versions(plan, layout.imports, parsed.functions.len());
    let mut rank = 0;
    for versions in &layout.versions {
        layout.full_ranks.push(rank);
        rank += u32::from(*versions == FunctionVersions::QuickAndFull);
    }
    Ok(Prepared { wasm, plan, parsed, layout })
}

impl Prepared<'_> {
    /// Reads the bodies and writes the instrumented module.
    pub(crate) fn write(self) -> Result<(Instrumented, BodyFacts), ModuleError> {
        let Prepared { plan, parsed, mut layout, .. } = self;
        let mut codes = parsed.codes(&layout)?;
        if let Plan::Called(CalledFunctions { replaced, .. }) = plan {
            replace(&mut codes, replaced);
        }
        let mut facts = BodyFacts::default();
        if replaces_hashes(plan) {
            (facts.hashers, facts.hasher_users) = hash::hashers(&layout, &codes, &parsed.names);
        }
        for code in &codes {
            if let Some(branch_tables) = branch_tables(code)? {
                facts.branch_tables.extend(branch_tables);
            }
        }
        facts.clone().complete(&mut layout);
        let bytes = parsed.write(&layout, &codes)?;
        Ok((Instrumented { bytes, layout, names: parsed.names }, facts))
    }

    /// Returns the layout and the names, if the bodies were read and written before.
    pub(crate) fn complete(self, facts: BodyFacts) -> (Layout, HashMap<u32, String>) {
        let Prepared { parsed, mut layout, .. } = self;
        facts.complete(&mut layout);
        (layout, parsed.names)
    }
}

/// All that the instrumented module is made of.
impl Hash for Prepared<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.wasm.hash(state);
        self.plan.hash(state);
        let Layout { unsupported, doubtful, extremes, intrinsics, .. } = &self.layout;
        unsupported.keys().collect::<BTreeSet<_>>().hash(state);
        doubtful.keys().collect::<BTreeSet<_>>().hash(state);
        extremes.keys().collect::<BTreeSet<_>>().hash(state);
        intrinsics.keys().collect::<BTreeSet<_>>().hash(state);
    }
}

impl BodyFacts {
    fn complete(self, layout: &mut Layout) {
        layout.hashers = self.hashers;
        layout.hasher_users = self.hasher_users;
        layout.branch_tables = self.branch_tables;
    }

    /// Encodes the facts. Each list begins with its length.
    pub(crate) fn to_words(&self) -> Vec<u32> {
        let mut words = Vec::new();
        let mut add = |list: &[u32]| {
            words.push(list.len() as u32);
            words.extend(list);
        };
        add(&self.hashers);
        add(&self.hasher_users);
        for (site, targets) in &self.branch_tables {
            add(&[*site]);
            add(targets);
        }
        words
    }

    /// Decodes facts; `None` if these are none.
    pub(crate) fn from_words(mut words: &[u32]) -> Option<BodyFacts> {
        let mut list = || {
            let (length, rest) = words.split_first()?;
            let (list, rest) = rest.split_at_checked(*length as usize)?;
            words = rest;
            Some(list)
        };
        let (hashers, hasher_users) = (list()?.to_vec(), list()?.to_vec());
        let mut branch_tables = HashMap::new();
        while let Some(site) = list() {
            branch_tables.insert(*site.first()?, list()?.to_vec());
        }
        words.is_empty().then_some(BodyFacts { hashers, hasher_users, branch_tables })
    }
}

/// The functions that return the lesser or greater of two floats, with their opcodes. A crate may
/// define a function of C, so the type is checked too.
fn extremes(layout: &Layout, names: &HashMap<u32, String>) -> HashMap<u32, u32> {
    let own = names.iter().filter(|(function, _)| **function >= layout.imports);
    let extremes = own.filter_map(|(function, name)| {
        let opcode = op::extreme(name)?;
        let ty = Some(op::op_types(opcode)?.operand);
        let signature = layout.signature(*function);
        let is_expected = signature.params == [ty; 2] && signature.results == [ty];
        is_expected.then_some((*function, opcode))
    });
    extremes.collect()
}

/// Redirects direct calls of some functions to others.
fn replace(codes: &mut [Code<'_>], replaced: &BTreeMap<u32, u32>) {
    for code in codes {
        for (operator, _) in &mut code.operators {
            if let Operator::Call { function_index } = operator
                && let Some(other) = replaced.get(function_index)
            {
                *function_index = *other;
            }
        }
    }
}

/// The versions of each function to write.
fn versions(plan: &Plan, imports: u32, functions: usize) -> Vec<FunctionVersions> {
    match plan {
        #[cfg(test)]
        Plan::All => vec![FunctionVersions::QuickAndFull; functions],
        Plan::Plain => vec![FunctionVersions::Plain; functions],
        Plan::Called(called) => {
            let mut all = vec![FunctionVersions::None; functions];
            let versions = [
                (&called.quick, FunctionVersions::Quick),
                (&called.full, FunctionVersions::QuickAndFull),
            ];
            for (set, version) in versions {
                for function in set {
                    all[(function - imports) as usize] = version;
                }
            }
            all
        }
    }
}

fn replaces_hashes(plan: &Plan) -> bool {
    match plan {
        #[cfg(test)]
        Plan::All => false,
        Plan::Plain => true,
        Plan::Called(called) => !called.keeps_hashes,
    }
}

/// The functions in the table when the module starts.
fn table(section: &ElementSectionReader<'_>) -> Result<Vec<Option<u32>>, ModuleError> {
    let mut table = Vec::new();
    for element in section.clone() {
        let element = element?;
        if let ElementKind::Active { offset_expr, .. } = &element.kind
            && let Some(start) = table_offset(&offset_expr.get_operators_reader().read()?)
            && let ElementItems::Functions(items) = element.items
        {
            table.resize(table.len().max(start), None);
            for function in items {
                table.push(Some(function?));
            }
        }
    }
    Ok(table)
}

/// The index in the table at which a segment begins; `None` if it is not a constant.
fn table_offset(operator: &Operator<'_>) -> Option<usize> {
    match operator {
        Operator::I32Const { value } => Some(*value as u32 as usize),
        Operator::I64Const { value } => usize::try_from(*value).ok(),
        _ => None,
    }
}

/// The targets of each `br_table` in a function, the default last; `None` if there is none.
fn branch_tables(code: &Code<'_>) -> Result<Option<HashMap<u32, Vec<u32>>>, ModuleError> {
    let mut found = HashMap::new();
    for (operator, offset) in &code.operators {
        if let Operator::BrTable { targets } = operator {
            let mut all = targets.targets().collect::<Result<Vec<u32>, _>>()?;
            all.push(targets.default());
            found.insert(*offset as u32, all);
        }
    }
    Ok((!found.is_empty()).then_some(found))
}

/// Encodes instructions with the new indices of functions.
#[derive(Debug)]
pub(super) struct Mapper<'m> {
    pub(super) layout: &'m Layout,
}

impl Reencode for Mapper<'_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, func: u32) -> Result<u32, reencode::Error<Self::Error>> {
        Ok(self.layout.function(func))
    }
}

impl Mapper<'_> {
    pub(super) fn encode(&mut self, operator: &Operator<'_>) -> Result<Vec<u8>, ModuleError> {
        let mut bytes = Vec::new();
        self.instruction(operator.clone())?.encode(&mut bytes);
        Ok(bytes)
    }
}

/// A module that was read and validated.
pub(super) struct Parsed<'a> {
    pub(super) payloads: Vec<Payload<'a>>,
    functions: Vec<(FuncToValidate<ValidatorResources>, FunctionBody<'a>)>,
    pub(super) names: HashMap<u32, String>,
}

impl<'a> Parsed<'a> {
    pub(super) fn read(wasm: &'a [u8]) -> Result<Parsed<'a>, ModuleError> {
        let features = WasmFeatures::default() | WasmFeatures::MULTI_MEMORY;
        let mut validator = Validator::new_with_features(features);
        let mut parsed =
            Parsed { payloads: Vec::new(), functions: Vec::new(), names: HashMap::new() };
        for payload in Parser::new(0).parse_all(wasm) {
            let payload = payload?;
            if let ValidPayload::Func(function, body) = validator.payload(&payload)? {
                parsed.functions.push((function, body));
            }
            if let Payload::CustomSection(section) = &payload
                && let wasmparser::KnownCustom::Name(names) = section.as_known()
            {
                parsed.read_names(names);
            }
            parsed.payloads.push(payload);
        }
        Ok(parsed)
    }

    /// Reads the names of functions. A name that cannot be read is skipped: only messages and the
    /// detection of panics and hashers need them.
    fn read_names(&mut self, names: wasmparser::NameSectionReader<'a>) {
        for subsection in names.into_iter().flatten() {
            if let wasmparser::Name::Function(map) = subsection {
                let all = map.into_iter().flatten();
                self.names.extend(all.map(|naming| (naming.index, naming.name.to_owned())));
            }
        }
    }

    pub(super) fn layout(&self) -> Result<Layout, ModuleError> {
        let mut layout = Layout::default();
        let mut memories = 0;
        for payload in &self.payloads {
            match payload {
                Payload::TypeSection(section) => {
                    for group in section.clone() {
                        for ty in group?.into_types() {
                            layout.types.push(signature(&ty)?);
                        }
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.clone().into_imports() {
                        let import = import?;
                        match import.ty {
                            TypeRef::Func(ty) => {
                                if import.module == wasm::IMPORT_MODULE && import.name == "draw" {
                                    layout.draw = Some(layout.imports);
                                }
                                if import.module != wasm::IMPORT_MODULE {
                                    layout.unprovided.push(layout.imports);
                                }
                                layout.functions.push(ty);
                                layout.imports += 1;
                            }
                            TypeRef::Global(_) => layout.globals += 1,
                            TypeRef::Memory(memory) => {
                                memories += 1;
                                layout.is_memory64 |= memory.memory64;
                            }
                            TypeRef::Table(table) => layout.are_tables64.push(table.table64),
                            _ => {}
                        }
                    }
                }
                Payload::FunctionSection(section) => {
                    for ty in section.clone() {
                        layout.functions.push(ty?);
                    }
                }
                Payload::ElementSection(section) => {
                    layout.table = table(section)?;
                }
                Payload::GlobalSection(section) => layout.globals += section.count(),
                Payload::MemorySection(section) => {
                    memories += section.count();
                    for memory in section.clone() {
                        layout.is_memory64 |= memory?.memory64;
                    }
                }
                Payload::TableSection(section) => {
                    for table in section.clone() {
                        layout.are_tables64.push(table?.ty.table64);
                    }
                }
                _ => {}
            }
        }
        if memories > 1 {
            return Err(ModuleError::new("the module has more than one memory"));
        }
        let most = |count: fn(&Signature) -> usize| {
            layout.types.iter().map(count).max().unwrap_or(0) as u32
        };
        layout.params_max = most(|signature| signature.params.len());
        layout.results_max = most(|signature| signature.results.len());
        layout.taint_base = (FUNCTION_FLAGS + layout.functions.len() as u32).next_multiple_of(16);
        Ok(layout)
    }

    pub(super) fn codes(&self, layout: &Layout) -> Result<Vec<Code<'a>>, ModuleError> {
        let mut codes = Vec::with_capacity(self.functions.len());
        for (function, (_, body)) in (layout.imports..).zip(&self.functions) {
            let mut locals = layout.signature(function).params.len() as u32;
            for local in body.get_locals_reader()? {
                locals += local?.0;
            }
            let mut operators = Vec::new();
            for operator in body.get_operators_reader()?.into_iter_with_offsets() {
                let (operator, offset) = operator?;
                operators.push((operator, offset));
            }
            let can_meet_symbol =
                operators.iter().any(|(operator, _)| can_produce_symbol(layout, operator));
            codes.push(Code { function, locals, operators, can_meet_symbol, body: body.clone() });
        }
        Ok(codes)
    }

    fn write(&self, layout: &Layout, codes: &[Code<'_>]) -> Result<Vec<u8>, ModuleError> {
        let mut module = Module::new();
        let mut mapper = Mapper { layout };
        self.write_types(layout, &mut module, &mut mapper)?;
        self.write_imports(layout, &mut module, &mut mapper)?;
        self.write_functions(layout, &mut module)?;
        for payload in &self.payloads {
            if let Payload::TableSection(section) = payload {
                let mut tables = wasm_encoder::TableSection::new();
                mapper.parse_table_section(&mut tables, section.clone())?;
                module.section(&tables);
            }
        }
        self.write_memories(layout, &mut module, &mut mapper)?;
        self.write_globals(layout, &mut module, &mut mapper)?;
        self.write_exports(layout, &mut module, &mut mapper)?;
        for payload in &self.payloads {
            match payload {
                Payload::StartSection { func, .. } => {
                    let function_index = layout.function(*func);
                    module.section(&wasm_encoder::StartSection { function_index });
                }
                Payload::ElementSection(section) => {
                    let mut elements = wasm_encoder::ElementSection::new();
                    mapper.parse_element_section(&mut elements, section.clone())?;
                    module.section(&elements);
                }
                Payload::DataCountSection { count, .. } => {
                    module.section(&wasm_encoder::DataCountSection { count: *count });
                }
                _ => {}
            }
        }
        self.write_code(layout, codes, &mut module)?;
        for payload in &self.payloads {
            if let Payload::DataSection(section) = payload {
                let mut data = wasm_encoder::DataSection::new();
                mapper.parse_data_section(&mut data, section.clone())?;
                module.section(&data);
            }
        }
        Ok(module.finish())
    }

    fn write_types(
        &self,
        layout: &Layout,
        module: &mut Module,
        mapper: &mut Mapper<'_>,
    ) -> Result<(), ModuleError> {
        let mut types = TypeSection::new();
        for payload in &self.payloads {
            if let Payload::TypeSection(section) = payload {
                mapper.parse_type_section(&mut types, section.clone())?;
            }
        }
        for payload in &self.payloads {
            let Payload::TypeSection(section) = payload else { continue };
            for group in section.clone() {
                for ty in group?.into_types() {
                    let results = ty.unwrap_func().results().to_vec();
                    let results = mapper.val_types(results)?;
                    types.ty().function([], results);
                }
            }
        }
        debug_assert_eq!(types.len() as usize, 2 * layout.types.len(), "each type twice");
        for hook in Hook::ALL {
            let (params, has_result) = hook.signature();
            let val_type = |letter| if letter == b'l' { ValType::I64 } else { ValType::I32 };
            let params: Vec<ValType> = params.bytes().map(val_type).collect();
            types.ty().function(params, has_result.then_some(ValType::I32));
        }
        module.section(&types);
        Ok(())
    }

    fn write_imports(
        &self,
        layout: &Layout,
        module: &mut Module,
        mapper: &mut Mapper<'_>,
    ) -> Result<(), ModuleError> {
        let mut imports = ImportSection::new();
        for payload in &self.payloads {
            if let Payload::ImportSection(section) = payload {
                mapper.parse_import_section(&mut imports, section.clone())?;
            }
        }
        let first = 2 * layout.types.len() as u32;
        for (ty, hook) in (first..).zip(Hook::ALL) {
            imports.import(hooks::MODULE, hook.name(), EntityType::Function(ty));
        }
        module.section(&imports);
        Ok(())
    }

    fn write_functions(&self, layout: &Layout, module: &mut Module) -> Result<(), ModuleError> {
        let mut functions = FunctionSection::new();
        let own = &layout.functions[layout.imports as usize..];
        for ty in own {
            functions.function(*ty);
        }
        let versions = own
            .iter()
            .zip(&layout.versions)
            .filter(|(_, versions)| **versions == FunctionVersions::QuickAndFull);
        for (ty, _) in versions {
            functions.function(*ty);
        }
        module.section(&functions);
        Ok(())
    }

    fn write_memories(
        &self,
        layout: &Layout,
        module: &mut Module,
        mapper: &mut Mapper<'_>,
    ) -> Result<(), ModuleError> {
        let mut memories = MemorySection::new();
        for payload in &self.payloads {
            if let Payload::MemorySection(section) = payload {
                for memory in section.clone() {
                    let memory = mapper.memory_type(memory?)?;
                    let most = memory.maximum.unwrap_or(u64::MAX).min(MEMORY_MAX / PAGE);
                    if memory.minimum > most {
                        return Err(ModuleError::new("the module needs too much memory"));
                    }
                    memories.memory(MemoryType { maximum: Some(most), ..memory });
                }
            }
        }
        if memories.is_empty() {
            memories.memory(plain_memory(0, 0));
        }
        let size = u64::from(layout.taint_base) + (MEMORY_MAX >> GRANULE_SHIFT) + 2;
        let pages = size.div_ceil(PAGE);
        memories.memory(plain_memory(pages, pages));
        module.section(&memories);
        Ok(())
    }

    fn write_globals(
        &self,
        layout: &Layout,
        module: &mut Module,
        mapper: &mut Mapper<'_>,
    ) -> Result<(), ModuleError> {
        let mut globals = GlobalSection::new();
        for payload in &self.payloads {
            if let Payload::GlobalSection(section) = payload {
                mapper.parse_global_section(&mut globals, section.clone())?;
            }
        }
        let variable = |val_type| GlobalType { val_type, mutable: true, shared: false };
        globals.global(variable(ValType::I64), &ConstExpr::i64_const(0));
        for _ in 0..1 + layout.params_max + layout.results_max {
            globals.global(variable(ValType::I32), &ConstExpr::i32_const(0));
        }
        module.section(&globals);
        Ok(())
    }

    fn write_exports(
        &self,
        layout: &Layout,
        module: &mut Module,
        mapper: &mut Mapper<'_>,
    ) -> Result<(), ModuleError> {
        let mut exports = ExportSection::new();
        for payload in &self.payloads {
            let Payload::ExportSection(section) = payload else { continue };
            for export in section.clone() {
                let export = export?;
                mapper.parse_export(&mut exports, export)?;
            }
        }
        exports.export(SHADOW, ExportKind::Memory, 1);
        exports.export(FUEL, ExportKind::Global, layout.fuel());
        exports.export(ANY_ARGUMENT, ExportKind::Global, layout.any_argument());
        for function in layout.intrinsics.keys() {
            let name = intrinsic::export_name(*function);
            exports.export(&name, ExportKind::Func, layout.function(*function));
        }
        for n in 0..layout.params_max {
            exports.export(&argument(n), ExportKind::Global, layout.argument(n));
        }
        for n in 0..layout.results_max {
            exports.export(&result(n), ExportKind::Global, layout.result(n));
        }
        module.section(&exports);
        Ok(())
    }

    fn write_code(
        &self,
        layout: &Layout,
        codes: &[Code<'_>],
        module: &mut Module,
    ) -> Result<(), ModuleError> {
        let mut section = CodeSection::new();
        for (code, versions) in codes.iter().zip(&layout.versions) {
            if layout.hashers.contains(&code.function) {
                section.function(&constant_hash(layout));
                continue;
            }
            match versions {
                FunctionVersions::None => section.function(&stub(layout, code.function)),
                FunctionVersions::Plain => {
                    section.function(&function(code, plain::write(layout, code)?)?)
                }
                FunctionVersions::Quick | FunctionVersions::QuickAndFull => {
                    section.function(&function(code, quick::write(layout, code)?)?)
                }
            };
        }
        let full = codes.iter().zip(&self.functions).zip(&layout.versions);
        for ((code, (resources, body)), versions) in full {
            if *versions == FunctionVersions::QuickAndFull {
                let writer = full::write(layout, code, || validator(resources, body))?;
                section.function(&function(code, writer)?);
            }
        }
        module.section(&section);
        Ok(())
    }
}

/// The body of a hasher: it clears the argument flag, reports that a key was hashed, and returns 0
/// for every key.
fn constant_hash(layout: &Layout) -> Function {
    let mut hash = Function::new([]);
    let mut out = hash.instructions();
    out.i32_const(0).global_set(layout.any_argument());
    out.call(layout.hook(Hook::Hashing)).i64_const(0).end();
    hash
}

/// The body of a function that seems not to be called.
fn stub(layout: &Layout, function: u32) -> Function {
    let mut stub = Function::new([]);
    let mut out = stub.instructions();
    out.i32_const(function as i32).i32_const(1);
    out.call(layout.hook(Hook::Missing)).unreachable().end();
    stub
}

/// A validator that has read the locals of a function.
fn validator(
    function: &FuncToValidate<ValidatorResources>,
    body: &FunctionBody<'_>,
) -> Result<FuncValidator<ValidatorResources>, ModuleError> {
    let copy = FuncToValidate {
        resources: function.resources.clone(),
        index: function.index,
        ty: function.ty,
        features: function.features,
    };
    let mut validator = copy.into_validator(FuncValidatorAllocations::default());
    let mut reader = body.get_binary_reader();
    validator.read_locals(&mut reader)?;
    Ok(validator)
}

fn function(code: &Code<'_>, writer: Writer<'_>) -> Result<Function, ModuleError> {
    let mut locals: Vec<(u32, ValType)> = Vec::new();
    let mut mapper = Mapper { layout: writer.layout };
    for local in code.body.get_locals_reader()? {
        let (count, ty) = local?;
        locals.push((count, mapper.val_type(ty)?));
    }
    let (added, bytes) = writer.finish();
    for ty in added {
        match locals.last_mut() {
            Some((count, last)) if *last == ty => *count += 1,
            _ => locals.push((1, ty)),
        }
    }
    let mut function = Function::new(locals);
    function.raw(bytes);
    Ok(function)
}

fn signature(ty: &wasmparser::SubType) -> Result<Signature, ModuleError> {
    let wasmparser::CompositeInnerType::Func(ty) = &ty.composite_type.inner else {
        return Err(ModuleError::new("the module has types that are not those of functions"));
    };
    let types = |types: &[wasmparser::ValType]| types.iter().map(|ty| Type::of(*ty)).collect();
    Ok(Signature { params: types(ty.params()), results: types(ty.results()) })
}

/// Whether an instruction can produce a symbol without a symbolic operand: a draw, a load, or a
/// call with results.
fn can_produce_symbol(layout: &Layout, operator: &Operator<'_>) -> bool {
    match operator {
        Operator::Call { function_index } => {
            Some(*function_index) == layout.draw
                || (*function_index >= layout.imports
                    && !layout.signature(*function_index).results.is_empty())
        }
        Operator::CallIndirect { type_index, .. } => {
            !layout.types[*type_index as usize].results.is_empty()
        }
        _ => {
            let mut bytes = Vec::new();
            let mut mapper = Mapper { layout };
            match mapper.instruction(operator.clone()) {
                Ok(instruction) => instruction.encode(&mut bytes),
                Err(_) => return true,
            }
            bytes.first().is_some_and(|opcode| op::load(u32::from(*opcode)).is_some())
        }
    }
}

pub(super) fn plain_memory(minimum: u64, maximum: u64) -> MemoryType {
    MemoryType {
        minimum,
        maximum: Some(maximum),
        memory64: false,
        shared: false,
        page_size_log2: None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A module that imports `draw` and defines one function from `i32` to `i32` with one more
    /// local.
    fn module(write: impl FnOnce(&mut Function)) -> Vec<u8> {
        let (long, short) = (ValType::I64, ValType::I32);
        let mut types = TypeSection::new();
        types.ty().function([long, long, long, short], [long]);
        types.ty().function([short], [short]);
        let mut imports = ImportSection::new();
        imports.import("rebut", "draw", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(1);
        let mut body = Function::new([(1, short)]);
        write(&mut body);
        let mut codes = CodeSection::new();
        codes.function(&body);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&codes);
        module.finish()
    }

    /// The first function of an instrumented module: after the import and the hooks.
    const FIRST: u32 = 1 + Hook::ALL.len() as u32;

    /// The direct calls in each function, in order.
    fn calls(wasm: &[u8]) -> HashMap<u32, Vec<u32>> {
        let parsed = Parsed::read(wasm).expect("the module is valid");
        let callee = |operator: Operator<'_>| match operator {
            Operator::Call { function_index } => Some(function_index),
            _ => None,
        };
        let calls = (FIRST..).zip(&parsed.functions).map(|(function, (_, body))| {
            let operators = body.get_operators_reader().expect("the body is valid").into_iter();
            (function, operators.flatten().filter_map(callee).collect())
        });
        calls.collect()
    }

    /// The hooks that the full version of a function calls, in order.
    pub(in crate::instrument) fn hooks_of_full(write: impl FnOnce(&mut Function)) -> Vec<Hook> {
        let instrumented = instrument(&module(write), &Plan::All, None).expect("a module");
        let layout = &instrumented.layout;
        let hook = |index: &u32| Hook::ALL.into_iter().find(|hook| layout.hook(*hook) == *index);
        let calls = &calls(&instrumented.bytes)[&layout.full(1)];
        calls.iter().map(|index| hook(index).expect("only hooks are called")).collect()
    }

    fn add_one(body: &mut Function) {
        body.instructions().local_get(0).i32_const(1).i32_add().end();
    }

    #[test]
    fn functions_move_behind_the_hooks_and_full_versions_come_last() {
        let instrumented = instrument(&module(add_one), &Plan::All, None).expect("a module");
        let layout = &instrumented.layout;
        let (quick, full) = (FIRST, FIRST + 1);
        assert_eq!((layout.function(0), layout.function(1), layout.full(1)), (0, quick, full));
        let calls = calls(&instrumented.bytes);
        assert_eq!(calls[&quick], [full], "the quick version passes control");
        assert_eq!(calls[&full], [layout.hook(Hook::Binary)]);
    }

    #[test]
    fn a_function_that_is_not_called_is_a_stub() {
        let plan = Plan::Called(CalledFunctions::default());
        let instrumented = instrument(&module(add_one), &plan, None).expect("a module");
        let missing = instrumented.layout.hook(Hook::Missing);
        assert_eq!(calls(&instrumented.bytes), HashMap::from([(FIRST, vec![missing])]));
    }

    #[rebut::test]
    fn facts_about_bodies_are_encoded_completely(
        hashers: Vec<u32>,
        hasher_users: Vec<u32>,
        tables: Vec<(u32, Vec<u32>)>,
    ) {
        let branch_tables = tables.into_iter().collect();
        let facts = BodyFacts { hashers, hasher_users, branch_tables };
        let words = facts.to_words();
        assert_eq!(BodyFacts::from_words(&words).as_ref(), Some(&facts));
        if let Some((_, cut)) = words.split_last() {
            assert_ne!(BodyFacts::from_words(cut).as_ref(), Some(&facts));
        }
    }
}
