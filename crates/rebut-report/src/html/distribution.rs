//! Writes the distribution of cases: labels, `cover!` targets, outcomes, sizes.

use std::collections::{BTreeMap, BTreeSet};

use crate::markup::Markup;
use crate::model::Property;
use crate::words;

/// The maximum number of rows or columns of a table. Arbitrary; bars get a note with the number of
/// further rows.
const ROWS_MAX: usize = 40;

pub(super) fn write(page: &mut Markup, property: &Property) {
    let labels = property.labels();
    let end = property.end.as_ref();
    let covers = end.map(|end| end.covers.as_slice()).unwrap_or_default();
    let rejected = end.map(|end| end.rejected.as_slice()).unwrap_or_default();
    let has_any = !labels.is_empty()
        || !covers.is_empty()
        || !rejected.is_empty()
        || !property.outcomes.is_empty();
    if !has_any {
        return;
    }
    page.raw("<div class=\"columns\">\n");
    if !labels.is_empty() {
        page.raw("<section><h3>Labels</h3>\n");
        bars(page, "label", &labels, property.cases());
        page.raw("</section>\n");
    }
    if !covers.is_empty() {
        write_covers(page, property);
    }
    if !rejected.is_empty() {
        page.raw("<section><h3>Rejected by</h3>\n");
        let rows: Vec<_> = rejected.iter().map(|one| (one.why.clone(), one.cases)).collect();
        bars(page, "assumption", &rows, property.cases() + property.rejections());
        page.raw("</section>\n");
    }
    if !property.sizes.is_empty() {
        page.raw("<section><h3>Choices per case</h3>\n");
        let rows = binned(&property.sizes);
        bars(page, "choices", &rows, property.sizes.values().sum());
        page.raw("</section>\n");
    }
    if !property.outcomes.is_empty() {
        write_outcomes(page, &property.outcomes);
    }
    page.raw("</div>\n");
}

/// Writes a table with a bar for each name.
fn bars(page: &mut Markup, head: &'static str, rows: &[(String, u64)], of: u64) {
    let most = rows.iter().map(|(_, cases)| *cases).max().unwrap_or(1).max(1);
    page.raw("<table class=\"bars\">\n<thead><tr><th scope=\"col\">").raw(head);
    page.raw("</th><th scope=\"col\" class=\"n\">cases</th><th scope=\"col\" class=\"n\">share</th><th></th></tr></thead>\n<tbody>\n");
    for (name, cases) in rows.iter().take(ROWS_MAX) {
        page.raw("<tr><th scope=\"row\">").text(name).raw("</th><td class=\"n\">");
        page.text(words::count(*cases))
            .raw("</td><td class=\"n\">")
            .text(words::percent(*cases, of));
        page.raw("</td><td class=\"bar\">");
        if *cases > 0 {
            let share = 100.0 * *cases as f64 / most as f64;
            page.raw("<i style=\"width:").at(share).raw("%\"></i>");
        }
        page.raw("</td></tr>\n");
    }
    page.raw("</tbody></table>\n");
    if rows.len() > ROWS_MAX {
        page.raw("<p class=\"meta\">and ").number(rows.len() - ROWS_MAX).raw(" more</p>\n");
    }
}

fn write_covers(page: &mut Markup, property: &Property) {
    page.raw("<section><h3>Coverage</h3>\n<table class=\"bars\">\n");
    for cover in property.end.iter().flat_map(|end| &end.covers).take(ROWS_MAX) {
        let share = 100.0 * cover.met as f64 / cover.of.max(1) as f64;
        page.raw("<tr><th scope=\"row\">").text(&cover.label).raw("</th><td class=\"n\">");
        page.text(words::percent(cover.met, cover.of)).raw("</td><td class=\"n\">required ");
        page.text(words::value(cover.at_least)).raw("%</td><td class=\"bar\"><i style=\"width:");
        page.at(share.clamp(0.0, 100.0)).raw("%\"></i><b style=\"left:");
        page.at(cover.at_least.clamp(0.0, 100.0)).raw("%\"></b></td></tr>\n");
    }
    page.raw("</table></section>\n");
}

/// The maximum number of bars for sizes, if their range is small. Arbitrary.
const BINS_MAX: u64 = 16;

/// Groups sizes into ranges: of the same width if the sizes are close together, otherwise each
/// range twice as wide as the one before.
fn binned(sizes: &BTreeMap<u64, u64>) -> Vec<(String, u64)> {
    // Beyond this size the bounds of a range could overflow. No case is that large, but a line of
    // events may claim it.
    const SIZE_MAX: u64 = u64::MAX / 4;
    let mut limited: BTreeMap<u64, u64> = BTreeMap::new();
    for (&size, &cases) in sizes {
        let count = limited.entry(size.min(SIZE_MAX)).or_default();
        *count = count.saturating_add(cases);
    }
    let sizes = &limited;
    let (Some((&least, _)), Some((&most, _))) = (sizes.first_key_value(), sizes.last_key_value())
    else {
        return Vec::new();
    };
    let is_wide = most - least >= 4 * BINS_MAX;
    let width = ((most - least) / BINS_MAX + 1).max(1);
    let bin = |size: u64| -> (u64, u64) {
        if is_wide {
            let power = (size + 1).ilog2();
            ((1 << power) - 1, (1u64 << power).saturating_mul(2) - 2)
        } else {
            let first = least + (size - least) / width * width;
            (first, (first + width - 1).min(most))
        }
    };
    let mut bins: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    // Insert empty ranges too, so that gaps are visible.
    let mut next = least;
    while next <= most && bins.len() < 64 {
        let range = bin(next);
        bins.insert(range, 0);
        next = range.1 + 1;
    }
    for (&size, &cases) in sizes {
        let count = bins.entry(bin(size)).or_default();
        *count = count.saturating_add(cases);
    }
    let name = |(from, to): (u64, u64)| {
        if from == to {
            words::count(from)
        } else {
            format!("{}–{}", words::count(from), words::count(to))
        }
    };
    bins.into_iter().map(|(range, cases)| (name(range), cases)).collect()
}

/// Writes a table with a row for each source of cases and a column for each outcome.
fn write_outcomes(page: &mut Markup, outcomes: &BTreeMap<String, BTreeMap<String, u64>>) {
    let columns: BTreeSet<&String> = outcomes.values().flat_map(BTreeMap::keys).collect();
    let columns: Vec<&String> = columns.into_iter().take(ROWS_MAX).collect();
    page.raw("<section><h3>Outcomes</h3>\n<table>\n<thead><tr><th scope=\"col\">by</th>");
    for column in &columns {
        page.raw("<th scope=\"col\" class=\"n\">").text(column).raw("</th>");
    }
    page.raw("</tr></thead>\n<tbody>\n");
    for (by, counts) in outcomes.iter().take(ROWS_MAX) {
        page.raw("<tr><th scope=\"row\">").text(by).raw("</th>");
        for column in &columns {
            page.raw("<td class=\"n\">");
            if let Some(cases) = counts.get(*column) {
                page.text(words::count(*cases));
            }
            page.raw("</td>");
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table></section>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(sizes: &[(u64, u64)]) -> Vec<(String, u64)> {
        binned(&sizes.iter().copied().collect())
    }

    #[test]
    fn sizes_are_grouped_into_ranges() {
        assert_eq!(rows(&[]), []);
        let row = |name: &str, cases: u64| (name.to_owned(), cases);
        assert_eq!(rows(&[(2, 5), (4, 1)]), [row("2", 5), row("3", 0), row("4", 1)]);
        let wide = rows(&[(0, 1), (1, 1), (2, 1), (3, 1), (1000, 1), (u64::MAX, 1)]);
        assert_eq!(wide[..3], [row("0", 1), row("1–2", 2), row("3–6", 1)]);
        assert_eq!(wide.iter().map(|row| row.1).sum::<u64>(), 6);
        assert!(wide.len() <= 64, "{wide:?}");
    }

    #[test]
    fn sizes_that_no_case_can_have_share_the_last_range() {
        let rows = rows(&[(u64::MAX - 1, u64::MAX), (u64::MAX, 1)]);
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!(rows[0].1, u64::MAX);
    }
}
