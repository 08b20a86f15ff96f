//! The table of changes since another run.

use crate::compare::{Change, ComparedProperty, compare};
use crate::markup::Markup;
use crate::model::{Property, Report};
use crate::words;

pub(super) fn write(page: &mut Markup, before: &Report, after: &Report) {
    let changes = compare(before, after);
    let same = changes.iter().filter(|compared| compared.change == Change::Same).count();
    page.raw("<section id=\"comparison\"><h2>Since ");
    let run = before.runs.first();
    page.text(run.map_or("the other run".to_owned(), |run| words::moment(&run.start)))
        .raw("</h2>\n");
    if same < changes.len() {
        page.raw("<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Change</th><th scope=\"col\">Property</th><th scope=\"col\">Before</th><th scope=\"col\">Now</th><th scope=\"col\" class=\"n\">Cases</th><th scope=\"col\" class=\"n\">Time</th></tr></thead>\n<tbody>\n");
        for compared in changes.iter().filter(|compared| compared.change != Change::Same) {
            write_row(page, compared);
        }
        page.raw("</tbody>\n</table></div>\n");
    }
    page.raw("<p class=\"meta\">").text(words::counted(
        same as u64,
        "property is",
        "properties are",
    ));
    page.raw(" as before.</p>\n</section>\n");
}

fn write_row(page: &mut Markup, compared: &ComparedProperty<'_>) {
    page.raw(match compared.change {
        Change::Broken => "<tr><td><span class=\"pill bad\">✗ ",
        Change::Fixed => "<tr><td><span class=\"pill good\">✓ ",
        _ => "<tr><td><span class=\"pill doubt\">",
    });
    page.raw(compared.change.word()).raw("</span></td><td>").text(compared.name);
    for detail in &compared.details {
        page.raw("<br><span class=\"why\">").text(detail).raw("</span>");
    }
    page.raw("</td><td>");
    verdict(page, compared.before);
    page.raw("</td><td>");
    verdict(page, compared.after);
    let of = |property: Option<&Property>| property.map(|one| words::count(one.cases()));
    page.raw("</td><td class=\"n\">");
    from_to(page, of(compared.before), of(compared.after));
    let of = |property: Option<&Property>| Some(words::time(property?.end.as_ref()?.ms));
    page.raw("</td><td class=\"n\">");
    from_to(page, of(compared.before), of(compared.after));
    page.raw("</td></tr>\n");
}

fn verdict(page: &mut Markup, property: Option<&Property>) {
    match property {
        Some(property) => super::overview::pill(page, property),
        None => {
            page.raw("–");
        }
    }
}

fn from_to(page: &mut Markup, before: Option<String>, after: Option<String>) {
    if before == after {
        page.text(after.unwrap_or_default());
        return;
    }
    page.text(before.as_deref().unwrap_or("–")).raw(" → ");
    page.text(after.as_deref().unwrap_or("–"));
}
