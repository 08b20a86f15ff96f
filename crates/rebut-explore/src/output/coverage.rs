//! The reached lines in words, and why others were not reached.

use rebut_concolic::{Coverage, Line, Proof, SourceLocation, Unreached};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Returns the number of reached lines of a file, and of all its lines.
pub(crate) fn reached(lines: &BTreeMap<u32, Line>) -> (usize, usize) {
    let reached = lines.values().filter(|line| line.unreached.is_none()).count();
    (reached, lines.len())
}

/// Returns why a line was not reached, as a sentence.
pub(crate) fn reason(unreached: &Unreached, proof: Proof, file: &str) -> String {
    let at = |location: &Option<SourceLocation>| match location {
        Some(location) if location.line == 0 => String::new(),
        Some(location) if location.file == file => format!(" in line {}", location.line),
        Some(location) => format!(" at {}:{}", location.file, location.line),
        None => String::new(),
    };
    let detail = match unreached {
        Unreached::NotCalled => "the function is not called".to_owned(),
        Unreached::Open(location, why) => {
            return format!("the decision{} may go the other way: {why}", at(location));
        }
        Unreached::Impossible(location) => {
            format!("the decision{} goes one way only", at(location))
        }
        Unreached::Fixed(location) => {
            format!("the condition{} does not depend on the input", at(location))
        }
        Unreached::NoReturn(location) => format!("the call{} does not return", at(location)),
    };
    match proof {
        Proof::All => format!("no input gets here: {detail}"),
        Proof::UpTo(length) => {
            format!("no input with at most {length} elements gets here: {detail}")
        }
        Proof::None => format!("on the paths explored, {detail}"),
    }
}

/// Returns ranges of lines that were not reached for the same reason.
fn unreached_ranges(
    lines: &BTreeMap<u32, Line>,
    proof: Proof,
    file: &str,
) -> Vec<(u32, u32, String)> {
    let mut ranges: Vec<(u32, u32, String)> = Vec::new();
    let mut continues = false;
    for (number, line) in lines {
        let Some(unreached) = &line.unreached else {
            continues = false;
            continue;
        };
        let reason = reason(unreached, proof, file);
        match ranges.last_mut() {
            Some((_, last, known)) if continues && *known == reason => *last = *number,
            _ => ranges.push((*number, *number, reason)),
        }
        continues = true;
    }
    ranges
}

/// Returns the section of the text output.
pub(crate) fn text(coverage: &Coverage) -> String {
    let mut text = String::from("\n  lines of the code under test:\n");
    for (file, lines) in &coverage.files {
        let (reached, all) = reached(lines);
        let _ = writeln!(text, "    {file}: {reached} of {all} reached");
        for (first, last, why) in unreached_ranges(lines, coverage.proof, file) {
            let which = if first == last { format!("{first}") } else { format!("{first}-{last}") };
            let _ = writeln!(text, "      {which}: {why}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(unreached: Option<Unreached>) -> Line {
        Line { unreached, ..Line::default() }
    }

    #[test]
    fn neighboring_lines_with_one_reason_are_joined() {
        let location = SourceLocation {
            file: "src/a.rs".to_owned(),
            line: 2,
            column: 1,
            function: String::new(),
            is_under_test: true,
        };
        let impossible = || line(Some(Unreached::Impossible(Some(location.clone()))));
        let lines = BTreeMap::from([
            (1, line(None)),
            (3, impossible()),
            (5, impossible()),
            (6, line(None)),
            (7, impossible()),
            (9, line(Some(Unreached::NotCalled))),
        ]);
        let files = BTreeMap::from([("src/a.rs".to_owned(), lines)]);
        let expected = "\n  lines of the code under test:\n    src/a.rs: 2 of 6 reached\n      \
            3-5: no input gets here: the decision in line 2 goes one way only\n      \
            7: no input gets here: the decision in line 2 goes one way only\n      \
            9: no input gets here: the function is not called\n";
        assert_eq!(text(&Coverage { files, proof: Proof::All }), expected);
    }
}
