//! Writes plots as SVG.
//!
//! A plot has at most as many dots as it has room for, however many cases there are, so that pages
//! stay small and browsers fast.

use std::collections::BTreeSet;

use crate::markup::Markup;
use crate::words;

/// The data of a plot of one objective.
#[derive(Debug, Default)]
pub(super) struct Dots {
    /// The cases: number, value and kind.
    pub(super) points: Vec<(f64, f64, DotKind)>,
    /// The best value so far, by case.
    pub(super) best: Vec<(f64, f64)>,
    /// The temperature of the search, by case.
    pub(super) temperature: Vec<(f64, f64)>,
    /// The target value.
    pub(super) needed: Option<f64>,
    /// The number of infinite values, which are not plotted.
    pub(super) infinite: u64,
}

/// Whether the search accepted a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DotKind {
    Accepted,
    Rejected,
    /// The case does not belong to the search.
    Other,
}

// The layout, in the units of the view box.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 724.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 220.0;
/// The top of the strip that shows the temperature.
const STRIP_TOP: f64 = 262.0;
const STRIP_BOTTOM: f64 = 302.0;
/// The size of the squares that get at most one dot: about the size of a dot.
const CELL: f64 = 3.0;

/// Plots values and temperature over cases.
pub(super) fn write(page: &mut Markup, dots: &Dots) {
    let xs = dots.points.iter().map(|point| point.0).chain(dots.best.iter().map(|point| point.0));
    let values =
        dots.points.iter().map(|point| point.1).chain(dots.best.iter().map(|point| point.1));
    let (Some(x), Some(y)) = (Scale::new(xs, LEFT, RIGHT), Scale::fitting(values, BOTTOM, TOP))
    else {
        page.raw("<p class=\"meta\">No case reported a finite value.</p>\n");
        return;
    };
    let has_strip = dots.temperature.iter().any(|point| point.1 > 0.0);
    legend(page, dots, has_strip, &y);
    page.raw("<svg class=\"plot\" viewBox=\"0 0 760 ").at(if has_strip { 326.0 } else { 246.0 });
    page.raw("\" role=\"img\" aria-label=\"Values reported over cases; the best was ");
    page.attribute(dots.best.last().map(|best| words::value(best.1)).unwrap_or_default())
        .raw("\">\n");
    rows(page, &y);
    columns(page, &x, if has_strip { STRIP_BOTTOM } else { BOTTOM });
    for (kind, begin) in [
        (DotKind::Rejected, "<path class=\"rejected\" d=\""),
        (DotKind::Other, "<path class=\"other\" d=\""),
        (DotKind::Accepted, "<path class=\"accepted\" d=\""),
    ] {
        page.raw(begin);
        let of_kind = dots.points.iter().filter(|point| point.2 == kind);
        for (column, row) in cells(of_kind.map(|point| (x.at(point.0), y.at(point.1)))) {
            page.raw("M").at(column).raw(" ").at(row).raw("h0");
        }
        page.raw("\"/>\n");
    }
    needed(page, dots, &y);
    best(page, dots, &x, &y);
    if has_strip {
        strip(page, dots, &x);
    }
    page.raw("</svg>\n");
    if dots.infinite > 0 {
        page.raw("<p class=\"meta\">").text(words::count(dots.infinite));
        page.raw(" values are infinite and not plotted.</p>\n");
    }
}

fn legend(page: &mut Markup, dots: &Dots, has_strip: bool, y: &Scale) {
    let has = |kind: DotKind| dots.points.iter().any(|point| point.2 == kind);
    page.raw("<p class=\"legend\"><span class=\"k best\">best</span>");
    if has(DotKind::Accepted) {
        page.raw("<span class=\"k accepted\">accepted</span>");
    }
    if has(DotKind::Rejected) {
        page.raw("<span class=\"k rejected\">not accepted</span>");
    }
    if has(DotKind::Other) {
        page.raw("<span class=\"k other\">other cases</span>");
    }
    if has_strip {
        page.raw("<span class=\"k warm\">temperature</span>");
    }
    if y.is_log {
        page.raw("<span>logarithmic scale</span>");
    }
    page.raw("</p>\n");
}

/// Writes the horizontal grid lines with their values.
fn rows(page: &mut Markup, y: &Scale) {
    for tick in y.ticks() {
        let at = y.at(tick);
        page.raw("<path class=\"grid\" d=\"M").at(LEFT).raw(" ").at(at).raw("H").at(RIGHT);
        page.raw("\"/><text class=\"y\" x=\"")
            .at(LEFT - 6.0)
            .raw("\" y=\"")
            .at(at + 4.0)
            .raw("\">");
        page.text(words::value(tick)).raw("</text>\n");
    }
}

/// Writes the vertical grid lines with the numbers of cases.
fn columns(page: &mut Markup, x: &Scale, bottom: f64) {
    for tick in x.ticks() {
        let at = x.at(tick);
        page.raw("<path class=\"grid\" d=\"M").at(at).raw(" ").at(TOP).raw("V").at(bottom);
        page.raw("\"/><text class=\"x\" x=\"").at(at).raw("\" y=\"").at(bottom + 16.0).raw("\">");
        page.text(words::count(tick.max(0.0) as u64)).raw("</text>\n");
    }
    page.raw("<text class=\"x\" x=\"").at(WIDTH - 14.0).raw("\" y=\"").at(bottom + 16.0);
    page.raw("\">case</text>\n");
}

fn needed(page: &mut Markup, dots: &Dots, y: &Scale) {
    let Some(needed) = dots.needed.filter(|needed| y.contains(*needed)) else { return };
    let at = y.at(needed);
    page.raw("<path class=\"needed\" d=\"M").at(LEFT).raw(" ").at(at).raw("H").at(RIGHT);
    page.raw("\"/><text class=\"y\" x=\"")
        .at(RIGHT)
        .raw("\" y=\"")
        .at(at - 4.0)
        .raw("\">needed</text>\n");
}

/// Plots the best value so far, as a step function.
fn best(page: &mut Markup, dots: &Dots, x: &Scale, y: &Scale) {
    let (Some(first), Some(last)) = (dots.best.first(), dots.best.last()) else { return };
    page.raw("<path class=\"best\" d=\"M").at(x.at(first.0)).raw(" ").at(y.at(first.1));
    let mut level = first.1;
    for &(case, value) in &dots.best {
        if value != level {
            page.raw("H").at(x.at(case)).raw("V").at(y.at(value));
            level = value;
        }
    }
    page.raw("H").at(x.at(last.0).max(RIGHT)).raw("\"/>\n");
}

/// Plots the temperature below the plot, averaged over cases in the same column.
fn strip(page: &mut Markup, dots: &Dots, x: &Scale) {
    let warmest = dots.temperature.iter().map(|point| point.1).fold(0.0, f64::max);
    let height =
        |value: f64| STRIP_BOTTOM - (STRIP_BOTTOM - STRIP_TOP) * (value / warmest).clamp(0.0, 1.0);
    page.raw("<text class=\"y\" x=\"").at(LEFT - 6.0).raw("\" y=\"").at(STRIP_TOP + 8.0).raw("\">");
    page.text(words::value(warmest)).raw("</text><text class=\"y\" x=\"").at(LEFT - 6.0);
    page.raw("\" y=\"").at(STRIP_BOTTOM + 4.0).raw("\">0</text>\n<path class=\"warm\" d=\"");
    let mut column: Option<(i64, f64, f64)> = None;
    let mut points = Vec::new();
    for &(case, value) in &dots.temperature {
        let here = (x.at(case) / CELL) as i64;
        match &mut column {
            Some((at, sum, count)) if *at == here => {
                *sum += value;
                *count += 1.0;
            }
            _ => {
                points.extend(column.map(|(at, sum, count)| (at as f64 * CELL, sum / count)));
                column = Some((here, value, 1.0));
            }
        }
    }
    points.extend(column.map(|(at, sum, count)| (at as f64 * CELL, sum / count)));
    for (nth, &(at, value)) in points.iter().enumerate() {
        page.raw(if nth == 0 { "M" } else { "L" }).at(at.max(LEFT)).raw(" ").at(height(value));
    }
    page.raw("\"/>\n");
}

/// Removes dots that would cover others.
fn cells(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut taken = BTreeSet::new();
    let mut dots = Vec::new();
    for (column, row) in points {
        if taken.insert(((column / CELL) as i64, (row / CELL) as i64)) {
            dots.push((column, row));
        }
    }
    dots
}

/// Plots the cases of a Pareto front by two objectives.
pub(super) fn write_front(page: &mut Markup, points: &[(f64, f64)], names: [&str; 2]) {
    let finite = || points.iter().filter(|point| point.0.is_finite() && point.1.is_finite());
    let x = Scale::new(finite().map(|point| point.0), LEFT, RIGHT);
    let y = Scale::new(finite().map(|point| point.1), BOTTOM, TOP);
    let (Some(x), Some(y)) = (x, y) else { return };
    page.raw("<svg class=\"plot\" viewBox=\"0 0 760 262\" role=\"img\" aria-label=\"The front: ");
    page.attribute(names[1]).raw(" over ").attribute(names[0]).raw("\">\n");
    rows(page, &y);
    for tick in x.ticks() {
        let at = x.at(tick);
        page.raw("<path class=\"grid\" d=\"M").at(at).raw(" ").at(TOP).raw("V").at(BOTTOM);
        page.raw("\"/><text class=\"x\" x=\"").at(at).raw("\" y=\"").at(BOTTOM + 16.0).raw("\">");
        page.text(words::value(tick)).raw("</text>\n");
    }
    page.raw("<text class=\"x\" x=\"")
        .at(f64::midpoint(LEFT, RIGHT))
        .raw("\" y=\"")
        .at(BOTTOM + 36.0);
    page.raw("\">").text(crate::markup::cut(names[0], 60).0).raw("</text>\n<text class=\"y\" x=\"");
    page.at(LEFT + 4.0).raw("\" y=\"").at(TOP + 10.0).raw("\" style=\"text-anchor:start\">");
    page.text(crate::markup::cut(names[1], 60).0).raw("</text>\n<path class=\"front\" d=\"");
    for point in finite() {
        page.raw("M").at(x.at(point.0)).raw(" ").at(y.at(point.1)).raw("h0");
    }
    page.raw("\"/>\n</svg>\n");
}

/// Maps values to coordinates.
#[derive(Debug)]
struct Scale {
    least: f64,
    most: f64,
    from: f64,
    to: f64,
    is_log: bool,
}

// When a scale is logarithmic; see `Scale::fitting`. Both are arbitrary.
const UNEVEN_MIN: f64 = 50.0;
const LARGE_MIN: f64 = 1000.0;

impl Scale {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Option<Scale> {
        let mut range: Option<(f64, f64)> = None;
        for value in values.filter(|value| value.is_finite()) {
            let (least, most) = range.unwrap_or((value, value));
            range = Some((least.min(value), most.max(value)));
        }
        let (least, most) = range?;
        // A single value needs room around it; a range must not overflow.
        let (least, most) = (least.max(-1e300), most.min(1e300));
        let room = if least < most { 0.0 } else { (least.abs() * 0.1).max(1.0) };
        Some(Scale { least: least - room, most: most + room, from, to, is_log: false })
    }

    /// Creates a scale that is logarithmic if outliers would squeeze the other values.
    ///
    /// That is the case if the range is more than `UNEVEN_MIN` times the range of the middle 80 %
    /// of the values, and some value is beyond `LARGE_MIN`.
    fn fitting(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Option<Scale> {
        let mut sorted: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let mut scale = Scale::new(sorted.iter().copied(), from, to)?;
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
        let middle = (at(0.9) - at(0.1)).max(f64::MIN_POSITIVE);
        let is_uneven = (scale.most - scale.least) / middle > UNEVEN_MIN;
        let largest = scale.least.abs().max(scale.most.abs());
        scale.is_log = is_uneven && largest > LARGE_MIN;
        Some(scale)
    }

    fn at(&self, value: f64) -> f64 {
        let (least, most) = (self.bent(self.least), self.bent(self.most));
        let share = (self.bent(value) - least) / (most - least);
        self.from + (self.to - self.from) * share.clamp(0.0, 1.0)
    }

    /// Applies the logarithm, on both sides of zero and almost linear near it.
    fn bent(&self, value: f64) -> f64 {
        if self.is_log { value.signum() * (1.0 + value.abs()).log10() } else { value }
    }

    fn contains(&self, value: f64) -> bool {
        (self.least..=self.most).contains(&value)
    }

    /// Returns some round values in the range.
    fn ticks(&self) -> Vec<f64> {
        if self.is_log {
            return self.powers();
        }
        let range = self.most - self.least;
        let power = 10f64.powf((range / 5.0).log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|by| by * power).into_iter().find(|step| range / step <= 6.0);
        let step = step.unwrap_or(range).max(f64::MIN_POSITIVE);
        let first = (self.least / step).ceil();
        let ticks = (0..8).map(|nth| (first + f64::from(nth)) * step);
        ticks
            .filter(|tick| self.contains(*tick))
            .map(|tick| if tick == 0.0 { 0.0 } else { tick })
            .collect()
    }

    /// Returns zero and some powers of ten in the range.
    fn powers(&self) -> Vec<f64> {
        let digits = self.least.abs().max(self.most.abs()).log10().ceil().max(1.0) as i32;
        let stride = digits / 5 + 1;
        let exponents = (0..=digits).filter(|digit| digit % stride == 0);
        let powers = exponents.flat_map(|digit| [10f64.powi(digit), -(10f64.powi(digit))]);
        std::iter::once(0.0).chain(powers).filter(|tick| self.contains(*tick)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let ticks = |values: &[f64]| {
            let scale = Scale::fitting(values.iter().copied(), 0.0, 100.0).expect("a scale");
            scale.ticks().into_iter().map(words::value).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(ticks(&[0.0, 100.0]), "0 20 40 60 80 100");
        assert_eq!(ticks(&[-0.3, 0.4]), "-0.2 0 0.2 0.4");
        assert_eq!(ticks(&[5.0]), "4 4.5 5 5.5 6");
        assert!(!ticks(&[f64::MAX, f64::MIN]).is_empty());
        let mut uneven = vec![1.0; 100];
        uneven.push(1e6);
        assert_eq!(ticks(&uneven), "1 100 10000 1000000");
    }

    #[test]
    fn cells_reduce_100000_points_to_few_dots() {
        let points = (0..100_000).map(|n| (f64::from(n % 680), f64::from(n * 7919 % 210)));
        let dots = cells(points);
        assert!(dots.len() < 17_000, "{}", dots.len());
    }
}
