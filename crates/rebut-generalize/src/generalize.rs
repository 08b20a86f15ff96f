//! The steps from plans to the text of a file.

use crate::decide::drafts::{self, Decision};
use crate::decide::path_end::PanicSources;
use crate::decide::{mocks, native_runs};
use crate::explore::link::{self, MergeRule};
use crate::explore::paths::{self, ExploredPaths};
use crate::explore::{build_variants, learn_types, variants};
use crate::package::edited_package::EditedPackage;
use crate::plan::Plan;
use crate::reasons::WhyKept;
use crate::write::verify;
use rebut_build::Toolchain;
use rebut_cli::arguments::Generalize;
use rebut_cli::exit::Failure;
use rebut_concolic::Budget;
use rebut_explore::pool;

/// The conflicts of one query. Paths near that of the original values matter most, and are found
/// with few. A harder query is undecided. Arbitrary.
const CONFLICTS_MAX: u64 = 2_000;
/// The conflicts of all queries of an exploration, which then ends. Arbitrary.
const CONFLICTS_TOTAL_MAX: u64 = 50_000;
/// The terms in all queries of an exploration, which then ends. Arbitrary.
const TERMS_MAX: u64 = 400_000;

/// The results for the plans of a file: by plan, `None` if there are none.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) paths: Vec<Option<ExploredPaths>>,
    pub(crate) decisions: Vec<Option<Decision>>,
}

/// Generalizes the open plans. Returns the best results, and the text of the file with them.
pub(crate) fn generalize_plans(
    arguments: &Generalize,
    toolchain: &Toolchain,
    package: &EditedPackage,
    plans: &mut [Plan],
) -> Result<(Attempt, String), Failure> {
    let budget = Budget {
        runs: arguments.runs,
        // Failing paths are of interest too.
        runs_after_failure: arguments.runs,
        length: arguments.length,
        conflicts: CONFLICTS_MAX,
        conflicts_total: CONFLICTS_TOTAL_MAX,
        terms: TERMS_MAX,
        ..Budget::default()
    };
    let generalizer = Generalizer { toolchain, package, budget };
    learn_types::learn_types(package, plans)?;
    let only_seeds = Budget { runs: 0, ..generalizer.budget.clone() };
    let mut own_paths = generalizer.explore(plans, &only_seeds)?;
    let unmerged = plans.to_vec();
    generalizer.merge_parameters(plans, &mut own_paths, MergeRule::RequiredByPath);
    let mut best = generalizer.attempt(plans)?;
    generalizer.try_merging_same_values(unmerged, plans, &mut own_paths, &mut best)?;
    mocks::try_mocks(&generalizer, plans, &mut best)?;
    let text = verify::verified_text(package, plans, &mut best.decisions)?;
    Ok((best, text))
}

/// Explores and decides on the plans of a file.
#[derive(Debug)]
pub(crate) struct Generalizer<'a> {
    toolchain: &'a Toolchain,
    pub(crate) package: &'a EditedPackage,
    budget: Budget,
}

impl Generalizer<'_> {
    /// Explores the open plans. Those that cannot be explored are closed.
    fn explore(
        &self,
        plans: &mut [Plan],
        budget: &Budget,
    ) -> Result<Vec<Option<ExploredPaths>>, Failure> {
        let Generalizer { toolchain, package, .. } = self;
        let edits_of = |plan: &Plan, _: usize| variants::property_edits(package, plan);
        let mut paths: Vec<Option<ExploredPaths>> = plans.iter().map(|_| None).collect();
        if build_variants::build_or_drop_parameters(package, plans, &edits_of)?.is_none() {
            return Ok(paths);
        }
        plans.iter_mut().for_each(Plan::check_mocks);
        let (text, _) = build_variants::edited(package, plans, &edits_of);
        match package.module(toolchain, &text)? {
            Ok(module) => {
                let explored = paths::explore_all(&module, &package.file(), plans, budget);
                for (nth, explored) in explored.into_iter().enumerate() {
                    match explored {
                        Some(Ok(found)) => paths[nth] = Some(found),
                        Some(Err(why)) => plans[nth].give_up(why),
                        None => {}
                    }
                }
            }
            Err(why) => plans.iter_mut().for_each(|plan| plan.give_up(why.clone())),
        }
        Ok(paths)
    }

    fn merge_parameters(
        &self,
        plans: &mut [Plan],
        own_paths: &mut [Option<ExploredPaths>],
        rule: MergeRule,
    ) {
        for (plan, paths) in plans.iter_mut().zip(own_paths) {
            if let Some(paths) = paths {
                link::merge_parameters(plan, paths, self.budget.solver(), rule);
            }
        }
    }

    /// Tries the plans that are not general with one parameter for all equal values. Equal values
    /// need not be one value, so this comes after the merge that the path requires.
    fn try_merging_same_values(
        &self,
        unmerged: Vec<Plan>,
        plans: &mut [Plan],
        own_paths: &mut [Option<ExploredPaths>],
        best: &mut Attempt,
    ) -> Result<(), Failure> {
        let mut merged = unmerged;
        for (nth, plan) in merged.iter_mut().enumerate() {
            let is_general = best.decisions[nth].as_ref().is_some_and(Decision::is_general);
            if !is_general {
                let (plan, paths) = (std::slice::from_mut(plan), &mut own_paths[nth..=nth]);
                self.merge_parameters(plan, paths, MergeRule::SameValue);
            }
            if is_general || plan.parameters.len() == plans[nth].parameters.len() {
                plan.give_up(WhyKept::HasResult);
            }
        }
        let attempt = self.attempt(&mut merged)?;
        let all = attempt.paths.into_iter().zip(attempt.decisions).zip(merged);
        for (nth, ((paths, decision), plan)) in all.enumerate() {
            if decision.as_ref().is_some_and(Decision::is_general) {
                (plans[nth], best.paths[nth], best.decisions[nth]) = (plan, paths, decision);
            }
        }
        Ok(())
    }

    /// Explores the open plans, decides on them, and verifies the drafts.
    pub(crate) fn attempt(&self, plans: &mut [Plan]) -> Result<Attempt, Failure> {
        let mut paths = self.explore(plans, &self.budget)?;
        if paths.iter().all(Option::is_none) {
            let decisions = plans.iter().map(|_| None).collect();
            return Ok(Attempt { paths, decisions });
        }
        let mut sources = PanicSources::default();
        let natives = native_runs::run_paths(self.package, plans, &paths, &mut sources)?;
        let all = plans.iter().zip(paths.iter_mut()).zip(&natives);
        let mut decisions = pool::map(all, |((plan, paths), natives)| {
            let decide = |paths| drafts::decide(self.package, plan, paths, natives, &self.budget);
            paths.as_mut().map(decide)
        });
        native_runs::confirm_findings(self.package, plans, &mut decisions)?;
        verify::verified_text(self.package, plans, &mut decisions)?;
        Ok(Attempt { paths, decisions })
    }
}
