//! Who answers the questions of an exploration.

use rebut_smt::smtlib::Process;
use rebut_smt::{Answer, Pool, Solver, Statistics, Term};

/// Answers which draws take a path.
///
/// [`Solver`] is who answers by default; with an external solver set, that is asked what the
/// embedded one gives up. A [`Process`] alone is asked everything. Values are checked by the
/// run that follows; that there are none is believed.
pub trait Ask {
    /// Whether all of these can be true at once.
    fn ask(&mut self, pool: &mut Pool, question: &[Term]) -> Answer;

    /// What was done so far.
    fn statistics(&self) -> Statistics;
}

impl Ask for Solver {
    fn ask(&mut self, pool: &mut Pool, question: &[Term]) -> Answer {
        self.check_assuming(pool, question)
    }

    fn statistics(&self) -> Statistics {
        Solver::statistics(self)
    }
}

impl Ask for Process {
    fn ask(&mut self, pool: &mut Pool, question: &[Term]) -> Answer {
        self.check(pool, question)
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wasm_encoder::{
        BlockType, CodeSection, EntityType, ExportKind, ExportSection, Function, FunctionSection,
        ImportSection, MemorySection, MemoryType, Module, TypeSection, ValType,
    };

    use super::*;
    use crate::{Budget, Limit, Machine, Outcome, Verdict, explore, explore_with};

    /// A test that fails if it draws one number of a billion, which random inputs do not meet.
    fn test() -> Machine {
        let mut types = TypeSection::new();
        let (long, short) = (ValType::I64, ValType::I32);
        types.ty().function([long, long, long, short], [long]);
        types.ty().function([short], []);
        let mut imports = ImportSection::new();
        imports.import("rebut", "draw", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(1);
        let mut memories = MemorySection::new();
        let memory = MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        };
        memories.memory(memory);
        let mut exports = ExportSection::new();
        exports.export("rebut_test_it", ExportKind::Func, 1);
        exports.export("memory", ExportKind::Memory, 0);
        let mut body = Function::new([]);
        let mut code = body.instructions();
        code.i64_const(0).i64_const(999_999_999).i64_const(0).i32_const(1).call(0);
        code.i64_const(123_456_789).i64_eq().if_(BlockType::Empty).unreachable().end().end();
        let mut codes = CodeSection::new();
        codes.function(&body);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions);
        module.section(&memories).section(&exports).section(&codes);
        let wasm: Arc<[u8]> = module.finish().into();
        Machine::new(wasm, "rebut_test_it", |_| None).expect("the module is one")
    }

    #[test]
    fn the_embedded_solver_finds_the_other_side() {
        let exploration = explore(&mut test(), &Budget::default(), &[]);
        let Verdict::Fails(leaves) = &exploration.verdict else { panic!("{exploration:?}") };
        let leaf = &exploration.leaves[leaves[0]];
        assert!(matches!(leaf.outcome, Outcome::Failed(_)));
        let numbers: Vec<i128> = leaf.tape.choices().map(|choice| choice.number).collect();
        assert_eq!(numbers, [123_456_789]);
    }

    #[test]
    fn with_a_missing_solver_nothing_is_said_of_all_inputs() {
        let mut missing = Process::new("no-such-solver");
        let exploration = explore_with(&mut test(), &Budget::default(), &[], &mut missing);
        let Verdict::Unknown(limits) = &exploration.verdict else { panic!("{exploration:?}") };
        let [Limit::Solver(reason, 1)] = &limits[..] else { panic!("{limits:?}") };
        assert!(reason.contains("the solver `no-such-solver` was not found"), "{reason}");
    }

    #[test]
    fn a_solver_that_ends_or_talks_nonsense_proves_nothing() {
        for command in ["true", "echo hello"] {
            let mut broken = Process::new(command);
            let exploration = explore_with(&mut test(), &Budget::default(), &[], &mut broken);
            assert!(matches!(exploration.verdict, Verdict::Unknown(_)), "{exploration:?}");
        }
    }

    /// Says that whatever is asked is so, with no values for it.
    struct Careless;

    impl Ask for Careless {
        fn ask(&mut self, _: &mut Pool, _: &[Term]) -> Answer {
            Answer::Sat(rebut_smt::Model::default())
        }

        fn statistics(&self) -> Statistics {
            Statistics::default()
        }
    }

    #[test]
    fn values_that_lead_elsewhere_prove_nothing() {
        let exploration = explore_with(&mut test(), &Budget::default(), &[], &mut Careless);
        assert_eq!(exploration.verdict, Verdict::Unknown(vec![Limit::Diverged(1)]));
    }
}
