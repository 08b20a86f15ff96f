//! Writes the head of the report: what was run, and the table of properties and verdicts.

use std::collections::BTreeSet;

use crate::markup::Markup;
use crate::model::{Property, Report};
use crate::words::{self, Tone};

pub(super) fn write(page: &mut Markup, report: &Report) {
    page.raw("<header>\n<h1>").text(report.title()).raw("</h1>\n");
    page.raw("<p class=\"totals\">").text(report.totals().to_string()).raw("</p>\n");
    write_runs(page, report);
    write_notices(page, report);
    page.raw("</header>\n<main>\n");
    write_table(page, report);
}

/// Writes when and how the runs were started, and their size.
fn write_runs(page: &mut Markup, report: &Report) {
    let runs = report.shown_runs();
    let starts = || runs.iter().map(|run| run.start.as_str()).filter(|start| !start.is_empty());
    page.raw("<p class=\"meta\">");
    if let (Some(first), Some(last)) = (starts().min(), starts().max()) {
        moment(page, first);
        if report.has_groups() {
            page.raw(" to ");
            moment(page, last);
        }
        page.raw(" · ");
    }
    let total: f64 = report.properties.iter().filter_map(|one| Some(one.end.as_ref()?.ms)).sum();
    page.text(words::time(total));
    let binaries: BTreeSet<&str> = runs.iter().map(|run| run.program.as_str()).collect();
    page.raw(" in ").text(words::counted(binaries.len() as u64, "test binary", "test binaries"));
    let rebut = report.runs.iter().map(|run| run.rebut.as_str()).find(|rebut| !rebut.is_empty());
    if let Some(rebut) = rebut {
        page.raw(" · Rebut ").text(rebut);
    }
    page.raw("</p>\n");
    // Several groups have several commands, and none of them applies to all properties.
    if report.has_groups() {
        return;
    }
    let command = report.runs.iter().find_map(|run| run.command.as_ref());
    let commit = report.runs.iter().find_map(|run| run.commit.as_ref());
    let group = runs.first().map(|run| run.group.as_str()).filter(|group| !group.is_empty());
    page.raw("<p class=\"meta\">");
    match (command, group) {
        (Some(command), _) => page.raw("<code>").text(command).raw("</code>"),
        (None, Some(group)) => page.raw("run <code>").text(group).raw("</code>"),
        (None, None) => page,
    };
    if let Some(commit) = commit {
        let short = commit.get(..12).unwrap_or(commit);
        page.raw(" · commit <code title=\"").attribute(commit).raw("\">").text(short);
        page.raw("</code>");
    }
    page.raw("</p>\n");
}

fn moment(page: &mut Markup, start: &str) {
    page.raw("<time datetime=\"").attribute(start).raw("\">");
    page.text(words::moment(start)).raw("</time>");
}

fn write_notices(page: &mut Markup, report: &Report) {
    if report.is_newer() {
        page.raw("<p class=\"notice\">A newer version of Rebut wrote these events; this report omits what is new in them.</p>\n");
    }
    if report.unreadable > 0 {
        page.raw("<p class=\"notice\">");
        page.text(words::counted(report.unreadable as u64, "line", "lines"));
        page.raw(" of the events cannot be read. The first: <code>");
        page.text(report.first_unreadable.as_deref().unwrap_or_default()).raw("</code></p>\n");
    }
}

fn write_table(page: &mut Markup, report: &Report) {
    page.raw("<section id=\"properties\" aria-labelledby=\"properties-title\">\n<h2 id=\"properties-title\">Properties</h2>\n");
    if report.properties.is_empty() {
        page.raw("<p>No property has left a result. Run <code>cargo test</code> or <code>cargo rebut test</code>.</p>\n</section>\n");
        return;
    }
    page.raw("<div class=\"scroll\"><table class=\"overview\">\n<thead><tr><th scope=\"col\">Verdict</th><th scope=\"col\">Property</th><th scope=\"col\" class=\"n\">Cases</th><th scope=\"col\" class=\"n\">Rejected</th><th scope=\"col\" class=\"n\">Time</th></tr></thead>\n<tbody>\n");
    for nth in report.most_urgent_first() {
        write_row(page, report, nth);
    }
    page.raw("</tbody>\n</table></div>\n</section>\n");
}

fn write_row(page: &mut Markup, report: &Report, nth: usize) {
    let property = &report.properties[nth];
    page.raw("<tr><td>");
    pill(page, property);
    page.raw("</td><td><a href=\"#p").number(nth).raw("\">").text(&property.name).raw("</a>");
    page.raw(" <span class=\"place\">").text(&property.location);
    if report.has_packages() {
        page.raw(" · ").text(&property.package);
    }
    page.raw("</span>");
    if let Some(line) = summary(property) {
        page.raw("<br><span class=\"why\">").text(line).raw("</span>");
    }
    page.raw("</td><td class=\"n\">").text(words::count(property.cases()));
    page.raw("</td><td class=\"n\">").text(words::count(property.rejections()));
    page.raw("</td><td class=\"n\">");
    if let Some(end) = &property.end {
        page.text(words::time(end.ms));
    }
    page.raw("</td></tr>\n");
}

/// Writes the verdict as a word with a color and a sign.
pub(super) fn pill(page: &mut Markup, property: &Property) {
    page.raw(match words::tone(property) {
        Tone::Good => "<span class=\"pill good\">✓ ",
        Tone::Bad => "<span class=\"pill bad\">✗ ",
        Tone::Doubtful => "<span class=\"pill doubt\">! ",
    });
    page.text(words::verdict(property.code())).raw("</span>");
}

/// Returns the most important fact in one line: the first failure, the reason of the verdict, or
/// the best values.
fn summary(property: &Property) -> Option<String> {
    if let Some(input) = property.failures.first() {
        let more = property.failures.len() - 1;
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        return Some(format!("{}{more}", words::summarize_failure(input)));
    }
    if let Some(reason) = property.end.as_ref().and_then(|end| end.reason.as_ref()) {
        return Some(crate::markup::cut(reason, 200).0.to_owned());
    }
    let best = |objective: &crate::model::Objective| {
        let which = if objective.is_maximum { "highest" } else { "lowest" };
        Some(format!("{which} {} {}", objective.name(), words::value(objective.value?)))
    };
    let all: Vec<String> = property.objectives.iter().filter_map(best).collect();
    (!all.is_empty()).then(|| all.join(", "))
}
