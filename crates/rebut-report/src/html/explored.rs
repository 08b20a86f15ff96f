//! Writes the paths through an explored property, and the lines that they reach.
//!
//! The tree of decisions is written as nested lists. If one side of a decision ends a path, it
//! takes one line, and the list continues with the other side. So only real forks are nested, and a
//! loop of 100 rounds is one list and not 100 levels. The lists open and close without a script. A
//! picture of the tree comes first; its path ends are links to the lists.
//!
//! Example: `if a { panic!() }` followed by `if b { .. } else { .. }` has three paths and no fork.
//! It is a list of three items:
//!
//! ```text
//! 1. a yes: fails
//! 2. b yes: passes
//! 3. passes
//! ```
//!
//! Invariant: events may contain any graph, even cycles. Each decision is visited once, and the
//! depth of nesting is limited. A notice replaces omitted parts.

use std::collections::{BTreeMap, BTreeSet};

use crate::lines::PathKind;
use crate::markup::Markup;
use crate::model::{BranchTarget, CodeLine, Decision, Explored, ExploredPath, FileLines, Property};
use crate::words;

use super::property::{copyable, write_values};

/// The maximum depth of nested forks.
///
/// Arbitrary; it limits recursion. Deeper forks are replaced by a notice.
const DEPTH_MAX: usize = 32;
/// Forks up to this depth are initially open. Arbitrary.
const OPEN_MAX: usize = 2;
/// The maximum number of path ends in the picture.
///
/// Arbitrary. With more there is no picture, only a note with their number.
const DRAWN_MAX: usize = 400;
/// The maximum number of lines of a file. Arbitrary; a notice gives the number of further lines.
const LINES_MAX: usize = 3000;

pub(super) fn write(page: &mut Markup, property: &Property, explored: &Explored, nth: usize) {
    page.raw("<section class=\"explored\">\n<h3>Paths</h3>\n");
    write_summary(page, explored);
    let tree = PathTree::new(property, explored, nth);
    tree.draw(page);
    tree.write(page);
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

/// The numbers of paths below a decision.
#[derive(Clone, Copy, Debug, Default)]
struct PathCounts {
    paths: u64,
    failed: u64,
    open: u64,
}

impl PathCounts {
    fn plus(self, other: PathCounts) -> PathCounts {
        PathCounts {
            paths: self.paths + other.paths,
            failed: self.failed + other.failed,
            open: self.open + other.open,
        }
    }
}

/// The tree of decisions and paths.
struct PathTree<'a> {
    property: &'a Property,
    explored: &'a Explored,
    /// The index of the property, which makes the ids of HTML elements unique.
    nth: usize,
    /// The numbers of paths below each decision that is reachable from the root.
    counts: BTreeMap<usize, PathCounts>,
    /// The reachable decisions, each before those that it leads to.
    order: Vec<usize>,
}

impl<'a> PathTree<'a> {
    fn new(property: &'a Property, explored: &'a Explored, nth: usize) -> PathTree<'a> {
        let (mut order, mut waiting, mut seen) = (Vec::new(), vec![0], BTreeSet::from([0]));
        while let Some(number) = waiting.pop() {
            let Some(decision) = explored.decisions.get(&number) else { continue };
            order.push(number);
            for next in
                [&decision.no, &decision.yes].into_iter().filter_map(|target| target.decision)
            {
                if seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        let mut tree = PathTree { property, explored, nth, counts: BTreeMap::new(), order };
        for number in tree.order.clone().into_iter().rev() {
            let Some(decision) = explored.decisions.get(&number) else { continue };
            let counts = tree.counts(&decision.yes).plus(tree.counts(&decision.no));
            tree.counts.insert(number, counts);
        }
        tree
    }

    fn counts(&self, target: &BranchTarget) -> PathCounts {
        if let Some(decision) = target.decision {
            return self.counts.get(&decision).copied().unwrap_or_default();
        }
        match self.path(target) {
            Some((_, path)) => {
                PathCounts { paths: 1, failed: u64::from(path.kind == PathKind::Failed), open: 0 }
            }
            None => PathCounts { open: u64::from(target.open.is_some()), ..PathCounts::default() },
        }
    }

    fn path(&self, target: &BranchTarget) -> Option<(usize, &'a ExploredPath)> {
        let number = target.path?;
        Some((number, self.explored.paths.get(&number)?))
    }

    /// Writes the tree as lists, or only the paths if no decision was written.
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
            let root = BranchTarget { decision: Some(0), ..BranchTarget::default() };
            self.write_branch(page, &root, 0, &mut seen);
        }
        page.raw("</div>\n");
    }

    /// Writes a list of decisions, up to a fork or the end of a path.
    fn write_branch(
        &self,
        page: &mut Markup,
        target: &BranchTarget,
        depth: usize,
        seen: &mut BTreeSet<usize>,
    ) {
        page.raw("<ol class=\"walk\">\n");
        let mut target = target;
        while let Some(number) = target.decision {
            let decision = self.explored.decisions.get(&number).filter(|_| seen.insert(number));
            let Some(decision) = decision else {
                page.raw("<li class=\"cut\">the rest is not shown</li>\n");
                page.raw("</ol>\n");
                return;
            };
            target = match self.write_decision(page, decision, depth, seen) {
                Some(next) => next,
                None => {
                    page.raw("</ol>\n");
                    return;
                }
            };
        }
        page.raw("<li>");
        self.write_end(page, target);
        page.raw("</li>\n</ol>\n");
    }

    /// Writes a decision. Returns the side with which the list continues, or `None` after a fork.
    fn write_decision<'w>(
        &self,
        page: &mut Markup,
        decision: &'w Decision,
        depth: usize,
        seen: &mut BTreeSet<usize>,
    ) -> Option<&'w BranchTarget> {
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
        write_counts(page, self.counts(yes).plus(self.counts(no)));
        page.raw("</summary>\n");
        for (word, side) in [("yes", yes), ("no", no)] {
            page.raw("<div class=\"side\"><b>").raw(word).raw("</b>");
            write_counts(page, self.counts(side));
            if depth < DEPTH_MAX {
                self.write_branch(page, side, depth + 1, seen);
            } else {
                page.raw(" <span class=\"cut\">too deep to be shown</span>");
            }
            page.raw("</div>\n");
        }
        page.raw("</details></li>\n");
        None
    }

    /// Writes the end of a path, or why the side has none.
    fn write_end(&self, page: &mut Markup, target: &BranchTarget) {
        if let Some((number, path)) = self.path(target) {
            self.write_path(page, number, path);
        } else if let Some(why) = &target.open {
            page.raw("<span class=\"pill doubt\">? not explored</span> <span class=\"why\">");
            page.text(why).raw("</span>");
        } else if target.impossible {
            page.raw("<span class=\"why\">no input goes here</span>");
        } else {
            page.raw("<span class=\"cut\">left out</span>");
        }
    }

    fn write_path(&self, page: &mut Markup, number: usize, path: &ExploredPath) {
        page.raw("<details class=\"path\" id=\"p").number(self.nth).raw("w").number(number);
        page.raw("\"><summary>");
        page.raw(match path.kind {
            PathKind::Passed | PathKind::Found => "<span class=\"pill good\">✓ ",
            PathKind::Failed => "<span class=\"pill bad\">✗ ",
            _ => "<span class=\"pill doubt\">! ",
        });
        page.text(kind_word(path.kind)).raw("</span> <span class=\"why\">");
        if path.kind == PathKind::Passed {
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

fn write_counts(page: &mut Markup, counts: PathCounts) {
    page.raw(" <span class=\"meta\">").text(words::counted(counts.paths, "path", "paths"));
    if counts.failed > 0 {
        page.raw(", <span class=\"fails\">").text(words::count(counts.failed));
        page.raw(if counts.failed == 1 { " fails</span>" } else { " fail</span>" });
    }
    if counts.open > 0 {
        page.raw(", ").text(words::count(counts.open)).raw(" not explored");
    }
    page.raw("</span>");
}

fn kind_word(kind: PathKind) -> &'static str {
    match kind {
        PathKind::Passed => "passes",
        PathKind::Failed => "fails",
        PathKind::Rejected => "rejected",
        PathKind::Found => "found",
        PathKind::Exhausted => "takes too long",
        PathKind::Unsupported => "unsupported",
        PathKind::Misuse => "misuse",
        PathKind::InternalError => "internal-error",
        PathKind::Unknown => "unknown",
    }
}

/// The maximum number of characters of an input in one line. Arbitrary; the rest is cut.
const INPUT_MAX: usize = 100;

/// Formats an input in one line.
fn short_input(path: &ExploredPath) -> String {
    let values = path.values.iter().map(|value| format!("{} = {}", value.name, value.code));
    let text = values.collect::<Vec<_>>().join(", ").replace('\n', " ");
    let (shown, is_cut) = crate::markup::cut(&text, INPUT_MAX);
    format!("{shown}{}", if is_cut { " …" } else { "" })
}

/// The position of a decision or path end in the picture.
#[derive(Clone, Copy, Debug)]
struct TreePoint {
    column: usize,
    row: f64,
}

/// The height of a row of the picture, in pixels.
const ROW: f64 = 14.0;
/// The maximum width of the picture, in pixels. Columns of deep trees are narrower.
const WIDTH_MAX: f64 = 700.0;

impl PathTree<'_> {
    /// Draws the tree. Each path end is a link to its entry in the lists.
    fn draw(&self, page: &mut Markup) {
        let mut columns: BTreeMap<usize, usize> = BTreeMap::from([(0, 0)]);
        let mut ends: Vec<(usize, bool, usize)> = Vec::new();
        for number in &self.order {
            let Some(decision) = self.explored.decisions.get(number) else { continue };
            let column = columns.get(number).copied().unwrap_or(0);
            let is_fork = !decision.yes.impossible && !decision.no.impossible;
            for (is_yes, target) in [(true, &decision.yes), (false, &decision.no)] {
                if let Some(next) = target.decision {
                    columns.entry(next).or_insert(column + usize::from(is_fork));
                } else if !target.impossible {
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
        let points = self.points(&columns);
        let depth = ends.iter().map(|(_, _, column)| *column).max().unwrap_or(1);
        let step = (WIDTH_MAX / depth as f64).min(60.0);
        let height = ends.len() as f64 * ROW + ROW;
        let width = depth as f64 * step + 24.0;
        page.raw("<div class=\"zoomable\"><svg class=\"plot paths\" role=\"img\" aria-label=\"the tree of paths\" width=\"");
        page.at(width).raw("\" height=\"").at(height).raw("\" viewBox=\"0 0 ").at(width).raw(" ");
        page.at(height).raw("\">\n");
        self.draw_links(page, &points, &columns, step);
        page.raw("</svg></div>\n");
    }

    /// Computes the positions: path ends take one row each, from the top, and a decision is in the
    /// middle between its two sides.
    fn points(
        &self,
        columns: &BTreeMap<usize, usize>,
    ) -> BTreeMap<(usize, Option<bool>), TreePoint> {
        let mut points = BTreeMap::new();
        let mut row = 0.0;
        // Visit the sides depth first, without recursion: the tree may be deep.
        let mut waiting = vec![(0, 0)];
        let mut seen = BTreeSet::from([0]);
        while let Some((number, side)) = waiting.pop() {
            let Some(decision) = self.explored.decisions.get(&number) else { continue };
            let column = columns.get(&number).copied().unwrap_or(0);
            if side < 2 {
                waiting.push((number, side + 1));
                let (is_yes, target) =
                    if side == 0 { (true, &decision.yes) } else { (false, &decision.no) };
                if let Some(next) = target.decision {
                    if seen.insert(next) {
                        waiting.push((next, 0));
                    }
                } else if !target.impossible {
                    row += 1.0;
                    points.insert((number, Some(is_yes)), TreePoint { column: column + 1, row });
                }
                continue;
            }
            let rows = [(true, &decision.yes), (false, &decision.no)].map(|(is_yes, target)| {
                let key = target.decision.map_or((number, Some(is_yes)), |next| (next, None));
                points.get(&key).map(|point: &TreePoint| point.row)
            });
            let rows: Vec<f64> = rows.into_iter().flatten().collect();
            let middle = rows.iter().sum::<f64>() / rows.len().max(1) as f64;
            points.insert((number, None), TreePoint { column, row: middle });
        }
        points
    }

    fn draw_links(
        &self,
        page: &mut Markup,
        points: &BTreeMap<(usize, Option<bool>), TreePoint>,
        columns: &BTreeMap<usize, usize>,
        step: f64,
    ) {
        let x = |column: usize| 8.0 + column as f64 * step;
        let mut dots: Vec<(f64, f64, &BranchTarget)> = Vec::new();
        page.raw("<path class=\"links\" d=\"");
        for number in &self.order {
            let Some(decision) = self.explored.decisions.get(number) else { continue };
            let Some(here) = points.get(&(*number, None)) else { continue };
            let column = columns.get(number).copied().unwrap_or(0);
            for (is_yes, target) in [(true, &decision.yes), (false, &decision.no)] {
                let key = target.decision.map_or((*number, Some(is_yes)), |next| (next, None));
                let Some(there) = points.get(&key) else { continue };
                page.raw("M").at(x(column)).raw(" ").at(here.row * ROW).raw("V");
                page.at(there.row * ROW).raw("H").at(x(there.column));
                if target.decision.is_none() {
                    dots.push((x(there.column), there.row * ROW, target));
                }
            }
        }
        page.raw("\"/>\n");
        for (x, y, target) in dots {
            let path = self.path(target);
            if let Some((number, _)) = path {
                page.raw("<a href=\"#p").number(self.nth).raw("w").number(number).raw("\">");
            }
            page.raw("<circle class=\"").raw(match path.map(|(_, path)| path.kind) {
                Some(PathKind::Passed | PathKind::Found) => "end passes",
                Some(PathKind::Failed) => "end fails",
                Some(_) => "end else",
                None => "end unknown",
            });
            page.raw("\" cx=\"").at(x).raw("\" cy=\"").at(y).raw("\" r=\"4.5\"><title>");
            match path {
                Some((_, path)) => {
                    page.text(kind_word(path.kind)).raw(": ").text(short_input(path));
                }
                None => {
                    page.text(target.open.as_deref().unwrap_or("left out"));
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
        // Do not repeat the reason of the previous line.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(number: usize) -> BranchTarget {
        BranchTarget { decision: Some(number), ..BranchTarget::default() }
    }

    fn path(number: usize) -> BranchTarget {
        BranchTarget { path: Some(number), ..BranchTarget::default() }
    }

    /// Writes the lists of decisions, given by their sides.
    fn lists(decisions: Vec<(BranchTarget, BranchTarget)>) -> String {
        let decisions = decisions.into_iter().enumerate();
        let decisions =
            decisions.map(|(nth, (yes, no))| (nth, Decision { yes, no, ..Decision::default() }));
        let paths = (0..4).map(|number| (number, ExploredPath::default()));
        let explored = Explored {
            decisions: decisions.collect(),
            paths: paths.collect(),
            ..Explored::default()
        };
        let mut page = Markup::html();
        PathTree::new(&Property::default(), &explored, 0).write(&mut page);
        page.finish()
    }

    #[test]
    fn sides_that_end_a_path_are_not_nested() {
        let html = lists(vec![(path(0), decision(1)), (path(1), path(2))]);
        assert_eq!(html.matches("<li>").count(), 3, "{html}");
        assert_eq!(html.matches("<ol").count(), 1, "{html}");
    }

    #[test]
    fn forks_are_nested() {
        let ends = |first| (path(first), path(first + 1));
        let html = lists(vec![(decision(1), decision(2)), ends(0), ends(2)]);
        assert_eq!(html.matches("<ol").count(), 3, "{html}");
        assert!(html.contains("4 paths"), "{html}");
    }
}
