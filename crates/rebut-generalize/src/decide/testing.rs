//! Hand-made paths, for the tests of this module.

use crate::decide::path_end::PathEnd;
use crate::explore::paths::{BranchSides, ExploredPath, ExploredPaths};
use crate::plan::Plan;
use crate::read::source_index::SourceIndex;
use crate::read::unit_test::unit_tests;
use crate::read::value::ParameterType;
use rebut_concolic::DrawId;
use rebut_smt::{Pool, Term};

/// A test with paths whose conditions are written by hand.
pub(super) struct HandMade {
    pub(super) plan: Plan,
    pub(super) paths: ExploredPaths,
    pub(super) ends: Vec<PathEnd>,
}

impl HandMade {
    /// Reads the only test of a file. `types` are the types of its literals. The first path that is
    /// added must be that of the original values.
    pub(super) fn new(text: &str, types: &[&str]) -> HandMade {
        let mut index = SourceIndex::default();
        index.add(text, None);
        let mut tests = unit_tests(text, &index).expect("it parses");
        let mut plan = Plan::new(tests.remove(0));
        assert_eq!(plan.parameters.len(), types.len());
        for (parameter, name) in plan.parameters.iter_mut().zip(types) {
            parameter.ty = ParameterType::parse(name);
        }
        let choices = |ty: &ParameterType, nth: usize| plan.parameters[nth].site.value.choices(ty);
        let numbers = plan.explored().into_iter().map(|one| {
            let nth = plan.parameters.iter().position(|other| other.name() == one.name());
            one.ty.as_ref().zip(nth).and_then(|(ty, nth)| choices(ty, nth)).expect("choices")
        });
        let own_numbers = numbers.flatten().collect();
        let paths = ExploredPaths {
            all: Vec::new(),
            own: 0,
            own_numbers,
            is_complete: true,
            has_bounded_answers: false,
            pool: Pool::new(),
            runs: 0,
            branch_sides: BranchSides { before: 0, after: 0 },
        };
        HandMade { plan, paths, ends: Vec::new() }
    }

    /// Adds a path. `numbers` are the choices of an input, and `widths` the widths of its draws.
    /// Returns its index.
    pub(super) fn path(
        &mut self,
        end: PathEnd,
        numbers: &[i128],
        widths: &[u32],
        conditions: impl FnOnce(&mut Pool, &[Term]) -> Vec<Term>,
    ) -> usize {
        let pool = &mut self.paths.pool;
        let variable = |(nth, width): (usize, &u32)| DrawId::new(nth).variable(pool, *width);
        let draws: Vec<Term> = widths.iter().enumerate().map(variable).collect();
        let conditions = conditions(pool, &draws);
        let path = ExploredPath::from_conditions(pool, conditions, &draws, numbers);
        assert!(path.model.satisfies(pool, &path.conditions), "the input takes the path");
        self.paths.all.push(path);
        self.ends.push(end);
        self.paths.all.len() - 1
    }
}

/// Returns the condition that `a` is less than `b`, both unsigned.
pub(super) fn less(pool: &mut Pool, a: Term, b: Term) -> Term {
    pool.bv_ult(a, b)
}

/// Returns the condition that a number is at least `min`, unsigned.
pub(super) fn at_least(pool: &mut Pool, number: Term, min: i128) -> Term {
    let min = pool.bits_of_i128(pool.width(number), min);
    let is_less = pool.bv_ult(number, min);
    pool.not(is_less)
}
