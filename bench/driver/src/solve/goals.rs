//! What we hold the input language to.

use super::figure::{Figures, QUERIES};
use crate::goals::Verdict;
use crate::options::Bench;

/// The best solver takes this many times our CPU time.
const SPEED_MIN: f64 = 100.0;

/// So many models are made in at most this many milliseconds.
const LARGE: (u64, f64) = (100_000, 2000.0);

/// The cost of a model may grow by this factor with ten times the models: caches end.
const GROWTH_MAX: f64 = 2.0;

/// A cover has this part of the inputs of not-equal.
const TENTH: usize = 10;

/// There are at least so many programs that couple variables.
const PROGRAMS_MIN: usize = 15;

struct Goal {
    is_met: bool,
    text: String,
}

/// Compares the figures with all goals.
pub(super) fn check(figures: &Figures) -> Verdict {
    let mut goals: Vec<Goal> = QUERIES.iter().map(|(query, _)| faster(figures, query)).collect();
    goals.extend(QUERIES.iter().map(|(query, _)| large(figures, query)));
    goals.extend([answered(figures), coupled(figures)]);
    goals.extend([colon(figures, "A", 5), colon(figures, "B", 30), coverage(figures)]);
    let met = goals.iter().filter(|goal| goal.is_met).count();
    let figure = format!("{met} of {} goals met", goals.len());
    let mut verdict = Verdict::new(Bench::Solve, met == goals.len(), figure);
    let word = |goal: &Goal| if goal.is_met { "met" } else { "missed" };
    verdict.details = goals.iter().map(|goal| format!("{}: {}", word(goal), goal.text)).collect();
    verdict
}

fn missing(what: &str) -> Goal {
    Goal { is_met: false, text: format!("{what} was not measured") }
}

fn faster(figures: &Figures, query: &str) -> Goal {
    let (Some(ours), Some((best, by))) = (figures.ours_ms(query), figures.best_ms(query)) else {
        return missing(&format!("a solver on {query}"));
    };
    let ratio = best / ours;
    Goal {
        is_met: ratio >= SPEED_MIN,
        text: format!(
            "{query}: {ours:.2} ms, the best solver ({by}) {best:.0} ms, {ratio:.0} times, at \
             least {SPEED_MIN:.0}"
        ),
    }
}

fn large(figures: &Figures, query: &str) -> Goal {
    let Some((small, large)) = figures.larger(query) else { return missing(query) };
    if large.models < LARGE.0 {
        // As many characters as the square of the number of strings.
        let per_character = |ms: f64, models: u64| 2e6 * ms / (models * models) as f64;
        let costs =
            (per_character(small.ms(), small.models), per_character(large.ms(), large.models));
        return Goal {
            is_met: large.ms() <= LARGE.1 && costs.1 <= costs.0 * GROWTH_MAX,
            text: format!(
                "{query}: {} strings in {:.0} ms, at most {:.0}; {:.1} and {:.1} ns a character \
                 for {} and {} strings ({} would have 5,000,000,000 characters)",
                large.models,
                large.ms(),
                LARGE.1,
                costs.0,
                costs.1,
                small.models,
                large.models,
                LARGE.0
            ),
        };
    }
    let per_model = |ms: f64, models: u64| 1e6 * ms / models as f64;
    let costs = (per_model(small.ms(), small.models), per_model(large.ms(), large.models));
    Goal {
        is_met: large.ms() <= LARGE.1 && costs.1 <= costs.0 * GROWTH_MAX,
        text: format!(
            "{query}: {} models in {:.0} ms, at most {:.0}; {:.0} and {:.0} ns a model for {} and \
             {} models, at most {GROWTH_MAX:.0} times as much",
            large.models,
            large.ms(),
            LARGE.1,
            costs.0,
            costs.1,
            small.models,
            large.models
        ),
    }
}

fn answered(figures: &Figures) -> Goal {
    let ours = figures.coupled.iter().filter(|coupled| coupled.solver == "embedded");
    let (all, answered) = ours.fold((0, 0), |(all, answered), coupled| {
        (all + 1, answered + usize::from(coupled.is_answered))
    });
    Goal {
        is_met: all >= PROGRAMS_MIN && answered == all,
        text: format!(
            "coupled: {answered} of {all} programs answered without another solver, at least \
             {PROGRAMS_MIN} and all"
        ),
    }
}

/// Total CPU milliseconds of a solver on the programs that couple variables.
pub(super) fn coupled_ms(figures: &Figures, solver: &str) -> Option<f64> {
    let of = figures.coupled.iter().filter(|coupled| coupled.solver == solver);
    of.map(|coupled| coupled.cpu_ns as f64 / 1e6).reduce(|left, right| left + right)
}

fn coupled(figures: &Figures) -> Goal {
    let (Some(ours), Some(z3)) = (coupled_ms(figures, "embedded"), coupled_ms(figures, "z3"))
    else {
        return missing("z3 on the coupled programs");
    };
    Goal {
        is_met: ours <= z3,
        text: format!("coupled: {ours:.0} ms in all, no more than z3's {z3:.0} ms"),
    }
}

fn colon(figures: &Figures, bug: &str, most: u64) -> Goal {
    let covering = figures.colon.iter().filter(|colon| colon.outline == "covering");
    let places = covering.map(|colon| if bug == "A" { colon.a } else { colon.b });
    let places: Vec<Option<u64>> = places.collect();
    let latest = places.iter().copied().collect::<Option<Vec<_>>>();
    let latest = latest.and_then(|places| places.into_iter().max());
    let found =
        latest.map_or("not always found".to_owned(), |at| format!("found at {at} or before"));
    Goal {
        is_met: latest.is_some_and(|latest| latest <= most),
        text: format!("colon path, bug {bug}: {found} under {} seeds, within {most}", places.len()),
    }
}

/// Of a validator and a pattern: the inputs of not-equal, how many of them it needed for what
/// it reached, and how many inputs of the cover reach as much.
pub(super) fn tenth(
    figures: &Figures,
    validator: &str,
    pattern: &str,
) -> Option<[Option<usize>; 3]> {
    let different = figures.coverage(validator, &format!("{pattern}-different"))?;
    let cover = figures.coverage(validator, &format!("{pattern}-cover"))?;
    let reached = different.reached();
    Some([Some(different.taken.len()), different.needed(reached), cover.needed(reached)])
}

fn coverage(figures: &Figures) -> Goal {
    let mut all = 0;
    let (mut met, mut met_strictly) = (0, 0);
    for validator in figures.validators() {
        for pattern in ["black", "white"] {
            let Some([inputs, needed, cover]) = tenth(figures, validator, pattern) else {
                continue;
            };
            let within = |most: Option<usize>| {
                cover.zip(most).is_some_and(|(cover, most)| cover * TENTH <= most)
            };
            all += 1;
            met += usize::from(within(inputs));
            met_strictly += usize::from(within(needed));
        }
    }
    Goal {
        is_met: all > 0 && 2 * met >= all,
        text: format!(
            "validators: on {met} of {all} a cover reaches what not-equal reaches with a tenth of \
             its inputs, on {met_strictly} with a tenth of those until it got there; at least half"
        ),
    }
}
