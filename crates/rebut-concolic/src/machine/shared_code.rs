//! Compiled code that several machines of one module share.
//!
//! Tests of a module mostly call the same functions, and compiling these takes longer than many
//! explorations. So several machines are created with the functions that any of their tests calls,
//! and a function that one of them needs later is added for all. This does not change what a
//! machine finds: a function that exists and is not called makes no difference.

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::Engine;

use super::compiled::{Compiled, Quality, engine};
use crate::instrument::{CalledFunctions, ModuleError, Plan};
use crate::scout::Scout;

/// The code of several machines.
pub(super) struct SharedCode {
    engine: Engine,
    newest: Mutex<NewestCode>,
}

/// The newest code, and the functions in it.
struct NewestCode {
    called: CalledFunctions,
    compiled: Arc<Compiled>,
}

impl SharedCode {
    pub(super) fn new(
        scout: &Scout,
        called: CalledFunctions,
        quality: Quality,
    ) -> Result<SharedCode, ModuleError> {
        let engine = engine(quality)?;
        let compiled = Arc::new(compile(&engine, scout, &called)?);
        Ok(SharedCode { engine, newest: Mutex::new(NewestCode { called, compiled }) })
    }

    /// Returns the newest code.
    pub(super) fn compiled(&self) -> Arc<Compiled> {
        let newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&newest.compiled)
    }

    /// Returns code with at least these functions. A machine with summaries or with real hashes
    /// gets code of its own.
    pub(super) fn with(
        &self,
        scout: &Scout,
        called: &mut CalledFunctions,
    ) -> Result<Arc<Compiled>, ModuleError> {
        if called.keeps_hashes || !called.replaced.is_empty() {
            return Ok(Arc::new(compile(&self.engine, scout, called)?));
        }
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if !newest.called.includes(called) {
            let mut all = newest.called.clone();
            all.extend(called);
            let compiled = Arc::new(compile(&self.engine, scout, &all)?);
            *newest = NewestCode { called: all, compiled };
        }
        *called = newest.called.clone();
        Ok(Arc::clone(&newest.compiled))
    }
}

fn compile(
    engine: &Engine,
    scout: &Scout,
    called: &CalledFunctions,
) -> Result<Compiled, ModuleError> {
    let plan = Plan::Called(called.clone());
    Compiled::new(engine, &scout.wasm, &plan, Some(scout.unsupported), scout.cache.as_deref())
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::Machine;
    use super::*;
    use crate::explore::{Budget, Exploration, explore};
    use wasm_encoder::{
        BlockType, CodeSection, EntityType, ExportKind, ExportSection, Function, FunctionSection,
        ImportSection, MemorySection, MemoryType, Module, TypeSection, ValType,
    };

    /// Two tests. Each draws a number, passes it to a function that compares it, and fails for some
    /// numbers. The second calls one more function for a number that random inputs do not hit.
    pub(crate) fn module(memory64: bool) -> Arc<[u8]> {
        let mut types = TypeSection::new();
        types
            .ty()
            .function([ValType::I64, ValType::I64, ValType::I64, ValType::I32], [ValType::I64]);
        types.ty().function([ValType::I32], []);
        types.ty().function([ValType::I64, ValType::I64], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("rebut", "draw", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(1).function(1).function(2).function(2);
        let mut memories = MemorySection::new();
        let (minimum, maximum, page_size_log2) = (1, None, None);
        memories.memory(MemoryType { minimum, maximum, memory64, shared: false, page_size_log2 });
        let mut exports = ExportSection::new();
        exports.export("rebut_test_a", ExportKind::Func, 1);
        exports.export("rebut_test_b", ExportKind::Func, 2);
        exports.export("memory", ExportKind::Memory, 0);
        let mut bodies = [(); 4].map(|()| Function::new([(1, ValType::I64)]));
        let [a, b, is_equal, is_less] = &mut bodies;
        let draw = |body: &mut Function| {
            let mut code = body.instructions();
            code.i64_const(0).i64_const(999_999_999).i64_const(0).i32_const(1).call(0);
            code.local_set(1);
        };
        draw(a);
        let mut code = a.instructions();
        code.local_get(1).i64_const(123_456_789).call(3);
        code.if_(BlockType::Empty).unreachable().end().end();
        draw(b);
        let mut code = b.instructions();
        code.local_get(1).i64_const(555_555_555).call(3).if_(BlockType::Empty);
        code.local_get(1).i64_const(600_000_000).call(4).if_(BlockType::Empty);
        code.unreachable().end().end().end();
        is_equal.instructions().local_get(0).local_get(1).i64_eq().end();
        is_less.instructions().local_get(0).local_get(1).i64_lt_u().end();
        let mut codes = CodeSection::new();
        for body in &bodies {
            codes.function(body);
        }
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions);
        module.section(&memories).section(&exports).section(&codes);
        module.finish().into()
    }

    pub(crate) const TESTS: [&str; 2] = ["rebut_test_a", "rebut_test_b"];

    fn summary(exploration: &Exploration) -> String {
        let leaves = exploration.leaves.iter();
        let leaves: Vec<_> = leaves.map(|leaf| (&leaf.tape, &leaf.outcome)).collect();
        format!("{:?} {:?} {leaves:?}", exploration.verdict, exploration.runs)
    }

    #[test]
    fn sharing_code_does_not_change_the_result() {
        for (memory64, quality) in [(false, Quality::Fine), (true, Quality::Draft)] {
            let scout = Arc::new(Scout::new(module(memory64), |_| None).expect("a module"));
            let several = Machine::for_tests(&scout, &TESTS, quality).expect("machines");
            for (test, mut shared) in TESTS.iter().zip(several) {
                let mut alone = Machine::with_scout(Arc::clone(&scout), test).expect("a machine");
                let [shared, alone] = [&mut shared, &mut alone]
                    .map(|machine| summary(&explore(machine, &Budget::default(), &[])));
                assert_eq!(shared, alone, "{test} {quality:?}");
                assert!(shared.starts_with("Fails"), "{shared}");
            }
        }
    }

    #[test]
    fn a_missing_function_is_added_for_all_machines() {
        let scout = Arc::new(Scout::new(module(true), |_| None).expect("a module"));
        let mut several = Machine::for_tests(&scout, &TESTS, Quality::Draft).expect("machines");
        let functions = several[0].called.full.len();
        let _ = explore(&mut several[1], &Budget::default(), &[]);
        assert_eq!(several[1].called.full.len(), functions + 1);
        let newest = several[0].shared_code.newest.lock().expect("the code");
        assert!(newest.called.includes(&several[1].called));
        assert!(!several[0].called.includes(&newest.called));
    }
}
