//! The paths through an explored property, and the lines that they reach.
//!
//! Decisions are written as a walk: where one side ends at once, it is told in a line and the walk
//! goes on with the other, so that only real forks are nested. All of it can be opened and closed
//! without a script; a picture of the tree in front leads to each path.
//!
//! Invariant: events may say anything. A decision is visited once, and forks are nested only so
//! deep; what is not shown is counted.

use std::collections::{BTreeMap, BTreeSet};

use crate::markup::Markup;
use crate::model::{CodeLine, Decision, Explored, FileLines, PathOf, Property, Way};
use crate::words;

use super::property::{copyable, write_values};

/// Forks are nested so deep.
const DEPTH_MAX: usize = 32;
/// Forks are open so deep.
const OPEN_MAX: usize = 2;
/// So many ends of paths are drawn.
const DRAWN_MAX: usize = 400;
/// So many lines of a file are shown.
const LINES_MAX: usize = 3000;

pub(super) fn write(page: &mut Markup, property: &Property, explored: &Explored, nth: usize) {
    page.raw("<section class=\"explored\">\n<h3>Paths</h3>\n");
    write_summary(page, explored);
    let walk = Walk::new(property, explored, nth);
    walk.draw(page);
    walk.write(page);
    write_files(page, explored);
    page.raw("</section>\n");
}

fn write_summary(page: &mut Markup, explored: &Explored) {
    page.raw("<p class=\"meta\">");
    page.text(words::counted(explored.paths_all, "path", "paths")).raw(", ");
    page.text(words::counted(explored.decisions_all, "decision", "decisions")).raw(", ");
    page.text(words::counted(explored.runs, "run", "runs"));
    if explored.assumes.iter().any(|what| what == "hashes") {
        page.raw("; it is assumed that nothing depends on the values of hashes");
    }
    page.raw("</p>\n");
    if !explored.limits.is_empty() {
        page.raw("<p class=\"notice\">There may be other paths: ");
        page.text(explored.limits.join("; ")).raw("</p>\n");
    }
    if explored.left_out > 0 {
        page.raw("<p class=\"notice\">").text(words::count(explored.left_out));
        page.raw(" decisions and paths are left out.</p>\n");
    }
}

/// How many paths there are below something.
#[derive(Clone, Copy, Debug, Default)]
struct Below {
    paths: u64,
    failed: u64,
    open: u64,
}

impl Below {
    fn and(self, other: Below) -> Below {
        Below {
            paths: self.paths + other.paths,
            failed: self.failed + other.failed,
            open: self.open + other.open,
        }
    }
}

struct Walk<'a> {
    property: &'a Property,
    explored: &'a Explored,
    /// The number of the property, which makes names unique.
    nth: usize,
    /// What is below each decision that the root leads to.
    below: BTreeMap<usize, Below>,
    /// Those, each before what it leads to.
    order: Vec<usize>,
}

impl<'a> Walk<'a> {
    fn new(property: &'a Property, explored: &'a Explored, nth: usize) -> Walk<'a> {
        let (mut order, mut waiting, mut seen) = (Vec::new(), vec![0], BTreeSet::from([0]));
        while let Some(number) = waiting.pop() {
            let Some(decision) = explored.decisions.get(&number) else { continue };
            order.push(number);
            for next in [&decision.no, &decision.yes].into_iter().filter_map(|way| way.decision) {
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        let mut walk = Walk { property, explored, nth, below: BTreeMap::new(), order };
        for number in walk.order.clone().into_iter().rev() {
            let Some(decision) = explored.decisions.get(&number) else { continue };
            let below = walk.below(&decision.yes).and(walk.below(&decision.no));
            walk.below.insert(number, below);
        }
        walk
    }

    fn below(&self, way: &Way) -> Below {
        if let Some(decision) = way.decision {
            return self.below.get(&decision).copied().unwrap_or_default();
        }
        match self.path(way) {
            Some((_, path)) => {
                Below { paths: 1, failed: u64::from(path.kind == "failed"), open: 0 }
            }
            None => Below { open: u64::from(way.open.is_some()), ..Below::default() },
        }
    }

    fn path(&self, way: &Way) -> Option<(usize, &'a PathOf)> {
        let number = way.path?;
        Some((number, self.explored.paths.get(&number)?))
    }

    /// The tree; paths alone if no decision was written.
    fn write(&self, page: &mut Markup) {
        page.raw("<div class=\"walks\">\n");
        if self.order.is_empty() {
            page.raw("<ol class=\"walk\">\n");
            for (number, path) in &self.explored.paths {
                page.raw("<li>");
                self.write_path(page, *number, path);
                page.raw("</li>\n");
            }
            page.raw("</ol>\n");
        } else {
            let mut seen = BTreeSet::new();
            let root = Way { decision: Some(0), ..Way::default() };
            self.write_walk(page, &root, 0, &mut seen);
        }
        page.raw("</div>\n");
    }

    /// Decisions one after the other, until the walk forks or ends.
    fn write_walk(&self, page: &mut Markup, way: &Way, depth: usize, seen: &mut BTreeSet<usize>) {
        page.raw("<ol class=\"walk\">\n");
        let mut way = way;
        while let Some(number) = way.decision {
            let decision = self.explored.decisions.get(&number).filter(|_| seen.insert(number));
            let Some(decision) = decision else {
                page.raw("<li class=\"cut\">the rest is not shown</li>\n");
                page.raw("</ol>\n");
                return;
            };
            way = match self.write_decision(page, decision, depth, seen) {
                Some(next) => next,
                None => {
                    page.raw("</ol>\n");
                    return;
                }
            };
        }
        page.raw("<li>");
        self.write_end(page, way);
        page.raw("</li>\n</ol>\n");
    }

    /// A decision; where the walk goes on.
    fn write_decision<'w>(
        &self,
        page: &mut Markup,
        decision: &'w Decision,
        depth: usize,
        seen: &mut BTreeSet<usize>,
    ) -> Option<&'w Way> {
        let Decision { yes, no, .. } = decision;
        if yes.impossible || no.impossible {
            page.raw("<li class=\"forced\">");
            write_condition(page, decision);
            page.raw(if no.impossible { " <b>always</b>" } else { " <b>never</b>" });
            page.raw("</li>\n");
            return Some(if yes.impossible { no } else { yes });
        }
        for (side, word, other) in [(yes, "yes", no), (no, "no", yes)] {
            if side.decision.is_none() {
                page.raw("<li>");
                write_condition(page, decision);
                page.raw(" <b>").raw(word).raw("</b> ");
                self.write_end(page, side);
                page.raw("</li>\n");
                return Some(other);
            }
        }
        page.raw("<li><details").raw(if depth < OPEN_MAX { " open" } else { "" });
        page.raw("><summary>");
        write_condition(page, decision);
        write_below(page, self.below(yes).and(self.below(no)));
        page.raw("</summary>\n");
        for (word, side) in [("yes", yes), ("no", no)] {
            page.raw("<div class=\"side\"><b>").raw(word).raw("</b>");
            write_below(page, self.below(side));
            if depth < DEPTH_MAX {
                self.write_walk(page, side, depth + 1, seen);
            } else {
                page.raw(" <span class=\"cut\">too deep to be shown</span>");
            }
            page.raw("</div>\n");
        }
        page.raw("</details></li>\n");
        None
    }

    /// What is not a decision.
    fn write_end(&self, page: &mut Markup, way: &Way) {
        if let Some((number, path)) = self.path(way) {
            self.write_path(page, number, path);
        } else if let Some(why) = &way.open {
            page.raw("<span class=\"pill doubt\">? not explored</span> <span class=\"why\">");
            page.text(why).raw("</span>");
        } else if way.impossible {
            page.raw("<span class=\"why\">no input goes here</span>");
        } else {
            page.raw("<span class=\"cut\">left out</span>");
        }
    }

    fn write_path(&self, page: &mut Markup, number: usize, path: &PathOf) {
        page.raw("<details class=\"path\" id=\"p").number(self.nth).raw("w").number(number);
        page.raw("\"><summary>");
        page.raw(match path.kind.as_str() {
            "passed" | "found" => "<span class=\"pill good\">✓ ",
            "failed" => "<span class=\"pill bad\">✗ ",
            _ => "<span class=\"pill doubt\">! ",
        });
        page.text(kind_word(&path.kind)).raw("</span> <span class=\"why\">");
        if path.kind == "passed" {
            page.text(short_input(path));
        } else {
            page.text(&path.outcome);
        }
        page.raw("</span></summary>\n");
        write_values(page, &path.values, None);
        if let Some(word) = &path.replay {
            page.raw("<dl><dt>replay</dt><dd>");
            match words::replay(self.property, word) {
                Some(command) => copyable(page, &command),
                None => {
                    page.raw("<code>").text(word).raw("</code>");
                }
            }
            page.raw("</dd></dl>\n");
        }
        page.raw("</details>");
    }
}

fn write_condition(page: &mut Markup, decision: &Decision) {
    page.raw("<code class=\"condition\" title=\"").attribute(&decision.source).raw("\">");
    page.text(&decision.condition).raw("</code>");
    if let Some(place) = &decision.place {
        page.raw(" <span class=\"place\">").text(&place.file).raw(":");
        page.number(place.line).raw("</span>");
    }
}

fn write_below(page: &mut Markup, below: Below) {
    page.raw(" <span class=\"meta\">").text(words::counted(below.paths, "path", "paths"));
    if below.failed > 0 {
        page.raw(", <span class=\"fails\">").text(words::count(below.failed));
        page.raw(if below.failed == 1 { " fails</span>" } else { " fail</span>" });
    }
    if below.open > 0 {
        page.raw(", ").text(words::count(below.open)).raw(" not explored");
    }
    page.raw("</span>");
}

fn kind_word(kind: &str) -> &str {
    match kind {
        "passed" => "passes",
        "failed" => "fails",
        "exhausted" => "takes too long",
        other => other,
    }
}

/// The input in a line.
fn short_input(path: &PathOf) -> String {
    let values = path.values.iter().map(|value| format!("{} = {}", value.name, value.code));
    let text = values.collect::<Vec<_>>().join(", ").replace('\n', " ");
    let (shown, is_cut) = crate::markup::cut(&text, 100);
    format!("{shown}{}", if is_cut { " …" } else { "" })
}

/// Where something of the tree is in the picture.
#[derive(Clone, Copy, Debug)]
struct Spot {
    column: usize,
    row: f64,
}

const ROW: f64 = 14.0;
const WIDTH_MAX: f64 = 700.0;

impl Walk<'_> {
    /// The tree as a picture: paths end at the right, each a link to what is known of it.
    fn draw(&self, page: &mut Markup) {
        let mut columns: BTreeMap<usize, usize> = BTreeMap::from([(0, 0)]);
        let mut ends: Vec<(usize, bool, usize)> = Vec::new();
        for number in &self.order {
            let Some(decision) = self.explored.decisions.get(number) else { continue };
            let column = columns.get(number).copied().unwrap_or(0);
            let is_fork = !decision.yes.impossible && !decision.no.impossible;
            for (is_yes, way) in [(true, &decision.yes), (false, &decision.no)] {
                if let Some(next) = way.decision {
                    columns.entry(next).or_insert(column + usize::from(is_fork));
                } else if !way.impossible {
                    ends.push((*number, is_yes, column + 1));
                }
            }
        }
        if ends.len() < 2 {
            return;
        }
        if ends.len() > DRAWN_MAX {
            page.raw("<p class=\"meta\">The tree has ").text(words::count(ends.len() as u64));
            page.raw(" ends, too many to show as a picture.</p>\n");
            return;
        }
        let spots = self.spots(&columns);
        let depth = ends.iter().map(|(_, _, column)| *column).max().unwrap_or(1);
        let step = (WIDTH_MAX / depth as f64).min(60.0);
        let height = ends.len() as f64 * ROW + ROW;
        let width = depth as f64 * step + 24.0;
        page.raw("<div class=\"zoomable\"><svg class=\"plot paths\" role=\"img\" aria-label=\"the tree of paths\" width=\"");
        page.at(width).raw("\" height=\"").at(height).raw("\" viewBox=\"0 0 ").at(width).raw(" ");
        page.at(height).raw("\">\n");
        self.draw_links(page, &spots, &columns, step);
        page.raw("</svg></div>\n");
    }

    /// The rows of decisions and ends: ends from the top, a decision in the middle of its sides.
    fn spots(&self, columns: &BTreeMap<usize, usize>) -> BTreeMap<(usize, Option<bool>), Spot> {
        let mut spots = BTreeMap::new();
        let mut row = 0.0;
        // A walk in which each side is done before the next, without recursion.
        let mut waiting = vec![(0, 0)];
        let mut seen = BTreeSet::from([0]);
        while let Some((number, side)) = waiting.pop() {
            let Some(decision) = self.explored.decisions.get(&number) else { continue };
            let column = columns.get(&number).copied().unwrap_or(0);
            if side < 2 {
                waiting.push((number, side + 1));
                let (is_yes, way) =
                    if side == 0 { (true, &decision.yes) } else { (false, &decision.no) };
                if let Some(next) = way.decision {
                    if seen.insert(next) {
                        waiting.push((next, 0));
                    }
                } else if !way.impossible {
                    row += 1.0;
                    spots.insert((number, Some(is_yes)), Spot { column: column + 1, row });
                }
                continue;
            }
            let rows = [(true, &decision.yes), (false, &decision.no)].map(|(is_yes, way)| {
                let key = way.decision.map_or((number, Some(is_yes)), |next| (next, None));
                spots.get(&key).map(|spot: &Spot| spot.row)
            });
            let rows: Vec<f64> = rows.into_iter().flatten().collect();
            let middle = rows.iter().sum::<f64>() / rows.len().max(1) as f64;
            spots.insert((number, None), Spot { column, row: middle });
        }
        spots
    }

    fn draw_links(
        &self,
        page: &mut Markup,
        spots: &BTreeMap<(usize, Option<bool>), Spot>,
        columns: &BTreeMap<usize, usize>,
        step: f64,
    ) {
        let x = |column: usize| 8.0 + column as f64 * step;
        let mut dots: Vec<(f64, f64, &Way)> = Vec::new();
        page.raw("<path class=\"links\" d=\"");
        for number in &self.order {
            let Some(decision) = self.explored.decisions.get(number) else { continue };
            let Some(here) = spots.get(&(*number, None)) else { continue };
            let column = columns.get(number).copied().unwrap_or(0);
            for (is_yes, way) in [(true, &decision.yes), (false, &decision.no)] {
                let key = way.decision.map_or((*number, Some(is_yes)), |next| (next, None));
                let Some(there) = spots.get(&key) else { continue };
                page.raw("M").at(x(column)).raw(" ").at(here.row * ROW).raw("V");
                page.at(there.row * ROW).raw("H").at(x(there.column));
                if way.decision.is_none() {
                    dots.push((x(there.column), there.row * ROW, way));
                }
            }
        }
        page.raw("\"/>\n");
        for (x, y, way) in dots {
            let path = self.path(way);
            if let Some((number, _)) = path {
                page.raw("<a href=\"#p").number(self.nth).raw("w").number(number).raw("\">");
            }
            page.raw("<circle class=\"").raw(match path.map(|(_, path)| path.kind.as_str()) {
                Some("passed" | "found") => "end passes",
                Some("failed") => "end fails",
                Some(_) => "end else",
                None => "end unknown",
            });
            page.raw("\" cx=\"").at(x).raw("\" cy=\"").at(y).raw("\" r=\"4.5\"><title>");
            match path {
                Some((_, path)) => {
                    page.text(kind_word(&path.kind)).raw(": ").text(short_input(path));
                }
                None => {
                    page.text(way.open.as_deref().unwrap_or("left out"));
                }
            }
            page.raw("</title></circle>");
            page.raw(if path.is_some() { "</a>\n" } else { "\n" });
        }
    }
}

fn write_files(page: &mut Markup, explored: &Explored) {
    if explored.files.is_empty() {
        return;
    }
    page.raw("<h3>Lines reached</h3>\n");
    for file in &explored.files {
        write_file(page, file);
    }
}

fn write_file(page: &mut Markup, file: &FileLines) {
    let reached = file.lines.iter().filter(|line| line.reached).count();
    let is_all = reached == file.lines.len();
    page.raw("<details class=\"file\"").raw(if is_all { "" } else { " open" });
    page.raw("><summary><code>").text(&file.file).raw("</code> <span class=\"meta\">");
    page.text(words::count(reached as u64)).raw(" of ");
    page.text(words::counted(file.lines.len() as u64, "line", "lines")).raw(" reached");
    let (taken, sides) = file.lines.iter().fold((0_u64, 0_u64), |(taken, sides), line| {
        (taken.saturating_add(line.taken), sides.saturating_add(line.sides))
    });
    if sides > 0 {
        page.raw(", ").text(words::count(taken)).raw(" of ").text(words::count(sides));
        page.raw(" branch sides");
    }
    page.raw("</span></summary>\n<div class=\"scroll\"><table class=\"lines\"><tbody>\n");
    let mut before = None;
    for line in file.lines.iter().take(LINES_MAX) {
        // What was said of the line before need not be said again.
        write_line(page, line, line.why.as_ref().filter(|why| before != Some(*why)));
        before = line.why.as_ref();
    }
    page.raw("</tbody></table></div>\n");
    if file.lines.len() > LINES_MAX {
        page.raw("<p class=\"cut\">").text(words::count((file.lines.len() - LINES_MAX) as u64));
        page.raw(" more lines are not shown.</p>\n");
    }
    page.raw("</details>\n");
}

fn write_line(page: &mut Markup, line: &CodeLine, why: Option<&String>) {
    page.raw(if line.reached { "<tr class=\"hit\">" } else { "<tr class=\"miss\">" });
    page.raw("<td class=\"n\">").number(line.line).raw("</td><td>");
    page.raw(if line.reached { "✓" } else { "✗" });
    page.raw("</td><td><code>").text(&line.code).raw("</code>");
    if let Some(why) = why {
        page.raw("<div class=\"why\">").text(why).raw("</div>");
    }
    page.raw("</td><td class=\"n\">");
    if line.sides > 0 {
        page.number(line.taken).raw("/").number(line.sides);
    }
    page.raw("</td></tr>\n");
}
