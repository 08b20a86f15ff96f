//! Writes the course of a search: the reported values, the best inputs and the Pareto front.

use crate::markup::Markup;
use crate::model::{Objective, Property};
use crate::words;

use super::plot::{self, DotKind, Dots};
use super::property::{copyable, write_values};

/// The maximum number of rows for a Pareto front. Arbitrary; a note gives the number of further
/// cases.
const FRONT_ROWS_MAX: usize = 50;

/// The maximum number of plotted objectives. Arbitrary; a note gives the number of further ones.
const PLOTS_MAX: usize = 12;

/// The maximum length of the command that replays the best input. Arbitrary; a longer command is
/// omitted.
const COMMAND_MAX: usize = 1000;

pub(super) fn write(page: &mut Markup, property: &Property) {
    if property.objectives.is_empty() {
        return;
    }
    page.raw("<section class=\"search\">\n<h3>Search</h3>\n");
    for (nth, objective) in property.objectives.iter().enumerate().take(PLOTS_MAX) {
        write_objective(page, property, objective, nth);
    }
    if property.objectives.len() > PLOTS_MAX {
        page.raw("<p class=\"meta\">and ").number(property.objectives.len() - PLOTS_MAX);
        page.raw(" more objectives</p>\n");
    }
    write_front(page, property);
    page.raw("</section>\n");
}

fn write_objective(page: &mut Markup, property: &Property, objective: &Objective, nth: usize) {
    page.raw("<h4>").raw(if objective.is_maximum { "Highest " } else { "Lowest " });
    page.text(objective.name());
    if let Some(value) = objective.value {
        page.raw(": <b>").text(words::value(value)).raw("</b>");
    }
    if let Some(needed) = objective.needed {
        page.raw(" (target ").text(words::value(needed)).raw(")");
    }
    page.raw("</h4>\n");
    plot::write(page, &dots(property, objective, nth));
    if !objective.values.is_empty() {
        page.raw("<h5>Best input</h5>\n");
        write_values(page, &objective.values, None);
    }
    if let Some(command) = objective.replay.as_ref().and_then(|word| words::replay(property, word))
        && command.len() <= COMMAND_MAX
    {
        page.raw("<p>");
        copyable(page, &command);
        page.raw("</p>\n");
    }
    if objective.not_numbers > 0 {
        page.raw("<p class=\"meta\">").text(words::count(objective.not_numbers));
        page.raw(" cases reported NaN and were not used.</p>\n");
    }
}

/// Collects the data of the plot of one objective.
fn dots(property: &Property, objective: &Objective, nth: usize) -> Dots {
    let mut dots = Dots { needed: objective.needed, ..Dots::default() };
    for step in &property.steps {
        let x = step.case as f64;
        let value = step.values.get(nth).copied().unwrap_or(f64::NAN);
        let kind = match step.turn {
            None => DotKind::Other,
            Some((_, _, true)) => DotKind::Accepted,
            Some((_, _, false)) => DotKind::Rejected,
        };
        if value.is_finite() {
            dots.points.push((x, value, kind));
        } else if !value.is_nan() {
            dots.infinite += 1;
        }
        if let Some(&best) = step.best.get(nth).filter(|best| best.is_finite()) {
            dots.best.push((x, best));
        }
        if let Some((_, temperature, _)) = step.turn
            && temperature.is_finite()
        {
            dots.temperature.push((x, temperature));
        }
    }
    dots
}

fn write_front(page: &mut Markup, property: &Property) {
    let front = &property.front;
    if front.len() < 2 {
        return;
    }
    page.raw("<h4>Pareto front (").number(front.len()).raw(" cases)</h4>\n");
    if let [first, second] = property.objectives.as_slice() {
        let points: Vec<(f64, f64)> =
            front.iter().map(|case| (case.values[0], case.values[1])).collect();
        plot::write_front(page, &points, [first.name(), second.name()]);
    }
    page.raw("<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\" class=\"n\">Case</th>");
    for objective in &property.objectives {
        page.raw("<th scope=\"col\" class=\"n\">").text(objective.name()).raw("</th>");
    }
    let has_replay = front.iter().any(|case| case.replay.is_some());
    page.raw(if has_replay {
        "<th scope=\"col\">Replay</th></tr></thead>\n<tbody>\n"
    } else {
        "</tr></thead>\n<tbody>\n"
    });
    for case in front.iter().take(FRONT_ROWS_MAX) {
        page.raw("<tr><td class=\"n\">").text(words::count(case.case)).raw("</td>");
        for &value in &case.values {
            page.raw("<td class=\"n\">").text(words::value(value)).raw("</td>");
        }
        if has_replay {
            page.raw("<td><code>");
            page.text(crate::markup::cut(case.replay.as_deref().unwrap_or_default(), 60).0);
            page.raw("</code></td>");
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table></div>\n");
    if front.len() > FRONT_ROWS_MAX {
        page.raw("<p class=\"meta\">and ").number(front.len() - FRONT_ROWS_MAX).raw(" more</p>\n");
    }
}
