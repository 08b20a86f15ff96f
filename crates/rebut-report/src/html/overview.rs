//! What was run, and the table of properties and verdicts.

use crate::markup::Markup;
use crate::model::{Property, Report};
use crate::words::{self, Tone};

pub(super) fn write(page: &mut Markup, report: &Report) {
    page.raw("<header>\n<h1>").text(report.title()).raw("</h1>\n");
    write_runs(page, report);
    write_notices(page, report);
    page.raw("</header>\n<main>\n");
    write_table(page, report);
}

fn write_runs(page: &mut Markup, report: &Report) {
    let Some(first) = report.runs.first() else { return };
    page.raw("<p class=\"meta\">");
    if !first.start.is_empty() {
        page.raw("<time datetime=\"").attribute(&first.start).raw("\">");
        page.text(words::moment(&first.start)).raw("</time> · ");
    }
    let total: f64 = report.properties.iter().filter_map(|one| Some(one.end.as_ref()?.ms)).sum();
    let cases: u64 = report.properties.iter().map(Property::cases).sum();
    page.text(words::counted(cases, "case", "cases")).raw(" in ").text(words::time(total));
    page.raw(" · ").text(words::counted(report.runs.len() as u64, "test binary", "test binaries"));
    if !first.group.is_empty() {
        page.raw(" · run <code>").text(&first.group).raw("</code>");
    }
    if !first.rebut.is_empty() {
        page.raw(" · Rebut ").text(&first.rebut);
    }
    page.raw("</p>\n");
}

fn write_notices(page: &mut Markup, report: &Report) {
    if report.is_newer() {
        page.raw("<p class=\"notice\">These events were written by a newer version of Rebut; what is new in them is not shown.</p>\n");
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
        page.raw("<p>No property wrote events. Run tests with <code>REBUT_EVENTS=all cargo test</code>, or with <code>cargo rebut test</code>.</p>\n</section>\n");
        return;
    }
    page.raw("<div class=\"scroll\"><table class=\"overview\">\n<thead><tr><th scope=\"col\">Verdict</th><th scope=\"col\">Property</th><th scope=\"col\" class=\"n\">Cases</th><th scope=\"col\" class=\"n\">Rejected</th><th scope=\"col\" class=\"n\">Time</th></tr></thead>\n<tbody>\n");
    for nth in report.by_need() {
        write_row(page, &report.properties[nth], nth);
    }
    page.raw("</tbody>\n</table></div>\n</section>\n");
}

fn write_row(page: &mut Markup, property: &Property, nth: usize) {
    page.raw("<tr><td>");
    pill(page, property);
    page.raw("</td><td><a href=\"#p").number(nth).raw("\">").text(&property.name).raw("</a>");
    page.raw(" <span class=\"place\">").text(&property.place).raw("</span>");
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

/// The verdict as a word with a color and a sign.
pub(super) fn pill(page: &mut Markup, property: &Property) {
    page.raw(match words::tone(property) {
        Tone::Good => "<span class=\"pill good\">✓ ",
        Tone::Bad => "<span class=\"pill bad\">✗ ",
        Tone::Doubtful => "<span class=\"pill doubt\">! ",
    });
    page.text(words::verdict(property.verdict())).raw("</span>");
}

/// What to know at a glance: the first failure, or how near it came.
fn summary(property: &Property) -> Option<String> {
    if let Some(told) = property.failures.first() {
        let more = property.failures.len() - 1;
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        return Some(format!("{}{more}", words::what_broke_in_short(told)));
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
