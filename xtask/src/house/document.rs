//! Parts of ARCHITECTURE.md and CONTRIBUTING.md that checks compare with the code.

/// The document that most checks read.
pub(super) const ARCHITECTURE: &str = "ARCHITECTURE.md";

/// A line that starts with `Invariant:`, below the paragraph of a crate or directory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Invariant<'a> {
    /// Its line in the document, from 1.
    pub(super) line: usize,
    /// `crates/rebut-run` of **`crates/rebut-run`** at the start of a paragraph.
    pub(super) area: &'a str,
    pub(super) claim: &'a str,
}

/// All invariants of a document.
pub(super) fn invariants(text: &str) -> Vec<Invariant<'_>> {
    let mut invariants = Vec::new();
    let mut area = "";
    for (index, line) in text.lines().enumerate() {
        if line.starts_with('#') {
            area = "";
        }
        if let Some(named) = area_of(line) {
            area = named;
        }
        if let Some(claim) = line.strip_prefix("Invariant: ") {
            invariants.push(Invariant { line: index + 1, area, claim });
        }
    }
    invariants
}

/// The crate or directory that a paragraph describes: **`crates/rebut`** at its start.
pub(super) fn area_of(line: &str) -> Option<&str> {
    let (area, _) = line.strip_prefix("**`")?.split_once("`**")?;
    Some(area.trim_end_matches('/'))
}

/// The lines below a heading, up to the next heading of the same or a higher level.
pub(super) fn section<'a>(text: &'a str, heading: &str) -> Vec<&'a str> {
    let level = |line: &str| line.len() - line.trim_start_matches('#').len();
    let is_end = |line: &&str| (1..=level(heading)).contains(&level(line));
    let mut lines = text.lines().skip_while(|line| *line != heading);
    lines.next();
    lines.take_while(|line| !is_end(line)).collect()
}

/// The lines of the first fenced block.
pub(super) fn block<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let is_fence = |line: &&&str| line.starts_with("```");
    let inside = lines.iter().skip_while(|line| !is_fence(line)).skip(1);
    inside.take_while(|line| !is_fence(line)).copied().collect()
}

/// The rows of the tables in these lines, without their headers.
pub(super) fn rows<'a>(lines: &[&'a str]) -> Vec<Vec<&'a str>> {
    let cells = |line: &&'a str| -> Option<Vec<&'a str>> {
        let inside = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        Some(inside.split('|').map(str::trim).collect())
    };
    let is_rule = |line: &str| line.starts_with("|---");
    let mut rows = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let is_header = lines.get(index + 1).is_some_and(|next| is_rule(next));
        if !is_header && !is_rule(line) {
            rows.extend(cells(line));
        }
    }
    rows
}

/// The contents of `..` in a line.
pub(super) fn code_spans(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::{Invariant, block, code_spans, invariants, rows, section};

    #[test]
    fn invariants_belong_to_the_paragraph_before_them() {
        let text = "Invariant: a\n**`crates/b`** is.\nInvariant: c\n\n**`d/`** is.\nInvariant: e\n\
                    # F\nInvariant: g";
        let found = invariants(text);
        let invariant = |line, area, claim| Invariant { line, area, claim };
        let expected = [
            invariant(1, "", "a"),
            invariant(3, "crates/b", "c"),
            invariant(6, "d", "e"),
            invariant(8, "", "g"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn sections_end_at_a_heading_of_the_same_level() {
        let text = "# A\na\n## B\nb\n### C\nc\n## D\nd";
        assert_eq!(section(text, "## B"), ["b", "### C", "c"]);
        assert_eq!(section(text, "# A"), ["a", "## B", "b", "### C", "c", "## D", "d"]);
        assert!(section(text, "## E").is_empty());
    }

    #[test]
    fn rows_leave_out_the_header() {
        let lines = ["| a | b |", "|---|---|", "| c | `d` |", "", "e"];
        assert_eq!(rows(&lines), [["c", "`d`"]]);
    }

    #[test]
    fn blocks_and_spans_have_no_delimiters() {
        assert_eq!(block(&["a", "```text", "b", "```", "c"]), ["b"]);
        assert_eq!(code_spans("a `b` c `d`"), ["b", "d"]);
    }
}
