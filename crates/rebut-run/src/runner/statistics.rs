//! Counts cases and judges the counts.

use std::time::Duration;

use super::Plan;
use crate::Settings;
use crate::calls;
use crate::case_log::CaseLog;
use crate::claims;
use crate::settings::CASES;
use crate::sorted_indices::sorted_indices;
use crate::strings;
use crate::verdict::{CaseCount, CoverCount, Statistics, Verdict};

pub(super) fn count_valid(statistics: &mut Statistics, log: Option<CaseLog>, reached: u64) {
    statistics.valid += 1;
    if let Some(claims) = &mut statistics.claims {
        claims.count(reached);
    }
    let Some(log) = log else { return };
    statistics.calls.add(log.calls.programs, log.calls.operations);
    for operation in log.operations {
        match statistics.operations.iter_mut().find(|known| known.name == operation.name) {
            Some(known) => {
                known.attempts += operation.attempts;
                known.successes += operation.successes;
            }
            None => statistics.operations.push(operation),
        }
    }
    for label in log.labels {
        count_case(&mut statistics.labels, &label);
    }
    for cover in log.covers {
        let hits = u64::from(cover.met);
        match statistics.covers.iter_mut().find(|known| known.name == cover.label) {
            Some(known) => {
                known.hits += hits;
                known.cases += 1;
            }
            None => statistics.covers.push(CoverCount {
                name: cover.label.to_owned(),
                required_percent: cover.at_least,
                hits,
                cases: 1,
            }),
        }
    }
}

pub(super) fn count_rejected(statistics: &mut Statistics, why: &str) {
    count_case(&mut statistics.rejected, why);
}

/// Adds a case to the count with this name.
pub(crate) fn count_case(counts: &mut Vec<CaseCount>, name: &str) {
    match counts.iter_mut().find(|known| known.name == name) {
        Some(known) => known.cases += 1,
        None => counts.push(CaseCount { name: name.to_owned(), cases: 1 }),
    }
}

/// Returns the counts, the highest first.
pub(crate) fn most_first(counts: &[CaseCount]) -> Vec<&CaseCount> {
    let order = sorted_indices(counts.len(), &|a, b| counts[b].cases.cmp(&counts[a].cases));
    let mut sorted = Vec::new();
    for n in order {
        sorted.push(&counts[n]);
    }
    sorted
}

/// Returns the verdict of a run without failures.
pub(super) fn judge(statistics: &Statistics, inputs: Option<u64>, plan: &Plan) -> Verdict {
    if statistics.valid == 0 {
        return Verdict::Vacuous(vacuous_reason(statistics));
    }
    if let Some(verdict) = missed_covers(statistics, inputs) {
        return verdict;
    }
    // A replayed case is not the whole property.
    if plan.settings.replay.is_none() {
        let is_complete = inputs.is_some() || !plan.draws;
        let verdict = claims::vacuous(statistics, is_complete);
        if let Some(verdict) = verdict.or_else(|| calls::vacuous(statistics, is_complete)) {
            return verdict;
        }
    }
    if let Some(inputs) = inputs {
        return Verdict::Proved { inputs };
    }
    too_many_rejected(statistics, &plan.settings)
        .unwrap_or(Verdict::Passed { cases: statistics.valid })
}

fn vacuous_reason(statistics: &Statistics) -> String {
    let tried = statistics.rejections();
    match most_first(&statistics.rejected).first() {
        Some(CaseCount { name, .. }) if tried == 1 => {
            format!("the input was rejected by `{name}`")
        }
        Some(CaseCount { name, cases }) => {
            format!("all {tried} inputs were rejected, {cases} by `{name}`")
        }
        None if tried > 0 => format!("all {} grew too large", strings::counted(tried, "input")),
        None => "no cases were run".to_owned(),
    }
}

/// Returns a verdict if a `cover!` is certainly not met.
fn missed_covers(statistics: &Statistics, inputs: Option<u64>) -> Option<Verdict> {
    let mut complaints = Vec::new();
    for CoverCount { name, required_percent, hits, cases } in &statistics.covers {
        let share = 100.0 * *hits as f64 / *cases as f64;
        let of = strings::counted(*cases, "case");
        if *hits == 0 {
            complaints.push(format!("`{name}` was never true in {of}"));
        } else if inputs.is_none() && upper_bound(*hits, *cases) < required_percent / 100.0 {
            complaints.push(format!(
                "`{name}` was true in {share:.1}% of {of}; at least {required_percent}% required"
            ));
        }
    }
    (!complaints.is_empty()).then(|| Verdict::NotCovered(strings::joined(&complaints, "\n")))
}

/// Returns whether more cases are needed to decide about a `cover!`, or about a property that has
/// not checked anything.
pub(super) fn is_undecided(statistics: &Statistics, settings: &Settings) -> bool {
    // Run at most this many times as many cases. A product decision: a test takes longer, but not
    // without limit. At the limit the `cover!` counts as met.
    const MORE: u64 = 10;
    if claims::is_undecided(statistics, settings.cases_or_default()) {
        return true;
    }
    if statistics.covers.is_empty()
        || statistics.valid >= settings.cases_or_default().saturating_mul(MORE)
    {
        return false;
    }
    statistics.covers.iter().any(|cover| {
        let required = cover.required_percent / 100.0;
        let share = cover.hits as f64 / cover.cases as f64;
        required > 0.0 && share < required && upper_bound(cover.hits, cover.cases) >= required
    })
}

/// Returns the upper bound of the Wilson score interval, with a chance of error of one in a
/// million.
fn upper_bound(met: u64, total: u64) -> f64 {
    // The quantile of the normal distribution for one in a million.
    const Z: f64 = 4.75;
    let (met, total) = (met as f64, total as f64);
    let share = met / total;
    let spread = Z * (share * (1.0 - share) / total + Z * Z / (4.0 * total * total)).sqrt();
    (share + Z * Z / (2.0 * total) + spread) / (1.0 + Z * Z / total)
}

/// Returns whether the memory for references is used up after enough cases. The run then ends as if
/// its time were over. After fewer cases, their rejection is the reason of its verdict.
pub(super) fn has_used_all_memory(statistics: &Statistics, settings: &Settings) -> bool {
    statistics.valid >= settings.cases_or_default().min(CASES)
        && statistics.rejected.iter().any(|count| count.name == rebut_gen::REFERENCES_FULL)
}

/// Returns a verdict if the property rejects too many cases for the rest to be worth running.
pub(super) fn too_many_rejected(statistics: &Statistics, settings: &Settings) -> Option<Verdict> {
    // Rejections count as if this many cases had passed, so that a few rejections at the start do
    // not end a run. Arbitrary.
    const PATIENCE: u64 = 100;
    if statistics.rejected.is_empty() && statistics.too_large == 0 {
        return None;
    }
    // A product decision: such inputs are slow. The first one is the simplest, and a generator of
    // random sizes has a small one among the others.
    const TOO_LARGE_MAX: u64 = 20;
    let is_always_too_large = statistics.valid == 0 && statistics.rejected.is_empty();
    if is_always_too_large && statistics.too_large >= TOO_LARGE_MAX {
        return Some(Verdict::Vacuous(vacuous_reason(statistics)));
    }
    let rejections = statistics.rejections();
    let allowed = settings.rejections_max.saturating_mul(statistics.valid + PATIENCE);
    if rejections <= allowed {
        return None;
    }
    if statistics.valid == 0 {
        return Some(Verdict::Vacuous(vacuous_reason(statistics)));
    }
    let mut reasons = Vec::new();
    for CaseCount { name, cases } in most_first(&statistics.rejected) {
        reasons.push(format!("{cases} by `{name}`"));
    }
    Some(Verdict::TooManyRejected(format!(
        "only {} of {} inputs met the assumptions; rejected: {}",
        statistics.valid,
        statistics.valid + rejections,
        strings::joined(&reasons, ", ")
    )))
}

/// Returns a verdict if the time budget ended after only a few cases.
pub(super) fn too_slow(statistics: &Statistics, budget: Duration) -> Option<Verdict> {
    // Fewer cases show too little about the property. A product decision.
    const ENOUGH: u64 = 10;
    (statistics.valid < ENOUGH).then(|| {
        Verdict::TooSlow(format!(
            "ran only {} in its time budget of {budget:?}",
            strings::counted(statistics.valid, "case")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_ends_when_all_inputs_are_too_large() {
        let settings = Settings::default();
        let mut statistics = Statistics { too_large: 19, ..Statistics::default() };
        assert!(too_many_rejected(&statistics, &settings).is_none());
        statistics.too_large = 20;
        let verdict = too_many_rejected(&statistics, &settings);
        assert!(
            matches!(verdict, Some(Verdict::Vacuous(why)) if why == "all 20 inputs grew too large")
        );
        statistics.valid = 1;
        assert!(too_many_rejected(&statistics, &settings).is_none());
    }

    #[test]
    fn a_run_ends_when_the_memory_for_references_is_used_up() {
        let mut statistics = Statistics { valid: 1000, ..Statistics::default() };
        let settings = Settings { cases: Some(5000), ..Settings::default() };
        assert!(!has_used_all_memory(&statistics, &settings));
        count_rejected(&mut statistics, rebut_gen::REFERENCES_FULL);
        assert!(has_used_all_memory(&statistics, &settings));
        statistics.valid = 999;
        assert!(!has_used_all_memory(&statistics, &settings));
    }
}
