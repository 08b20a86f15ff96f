//! The solvers that an exploration can use.

use rebut_smt::smtlib::Process;
use rebut_smt::{Answer, Pool, Solver, Statistics, Term};

/// A solver that finds draws which take a path.
///
/// [`Solver`], the embedded solver, is the default; if an external solver is configured, it
/// receives the queries that the embedded one gives up on. A [`Process`] answers every query
/// alone. A model is checked by the run that follows; an `unsat` is trusted.
pub trait PathSolver {
    /// Looks for values for which all of these conditions are true.
    fn solve(&mut self, pool: &mut Pool, question: &[Term]) -> Answer;

    /// Returns the statistics of the work so far.
    fn statistics(&self) -> Statistics;
}

impl PathSolver for Solver {
    fn solve(&mut self, pool: &mut Pool, question: &[Term]) -> Answer {
        self.check_assuming(pool, question)
    }

    fn statistics(&self) -> Statistics {
        Solver::statistics(self)
    }
}

impl PathSolver for Process {
    fn solve(&mut self, pool: &mut Pool, question: &[Term]) -> Answer {
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

    /// A test that fails for one number of a billion, which random inputs do not hit.
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
    fn a_missing_solver_makes_the_verdict_unknown() {
        let mut missing = Process::new("no-such-solver");
        let exploration = explore_with(&mut test(), &Budget::default(), &[], &mut missing);
        let Verdict::Unknown(limits) = &exploration.verdict else { panic!("{exploration:?}") };
        let [Limit::Solver(reason, 1)] = &limits[..] else { panic!("{limits:?}") };
        assert!(reason.contains("solver `no-such-solver` not found"), "{reason}");
    }

    #[test]
    fn a_broken_solver_proves_nothing() {
        for command in ["true", "echo hello"] {
            let mut broken = Process::new(command);
            let exploration = explore_with(&mut test(), &Budget::default(), &[], &mut broken);
            assert!(matches!(exploration.verdict, Verdict::Unknown(_)), "{exploration:?}");
        }
    }

    /// Answers every query with an empty model.
    struct Careless;

    impl PathSolver for Careless {
        fn solve(&mut self, _: &mut Pool, _: &[Term]) -> Answer {
            Answer::Sat(rebut_smt::Model::default())
        }

        fn statistics(&self) -> Statistics {
            Statistics::default()
        }
    }

    #[test]
    fn a_wrong_model_proves_nothing() {
        let exploration = explore_with(&mut test(), &Budget::default(), &[], &mut Careless);
        assert_eq!(exploration.verdict, Verdict::Unknown(vec![Limit::Diverged(1)]));
    }
}
