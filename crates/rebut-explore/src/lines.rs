//! The lines that an exploration reached, and in words why not the others.

use rebut_concolic::{Coverage, Line, Proof, SourceLocation, Unreached};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How many lines of a file were reached, of how many.
pub(crate) fn reached(lines: &BTreeMap<u32, Line>) -> (usize, usize) {
    let reached = lines.values().filter(|line| line.unreached.is_none()).count();
    (reached, lines.len())
}

/// Why code was not reached.
pub(crate) fn why(unreached: &Unreached, proof: Proof, file: &str) -> String {
    let at = |place: &Option<SourceLocation>| match place {
        Some(place) if place.line == 0 => String::new(),
        Some(place) if place.file == file => format!(" in line {}", place.line),
        Some(place) => format!(" at {}:{}", place.file, place.line),
        None => String::new(),
    };
    let detail = match unreached {
        Unreached::NotCalled => "the function is not called".to_owned(),
        Unreached::Open(place, why) => {
            return format!("the decision{} may go the other way: {why}", at(place));
        }
        Unreached::Impossible(place) => format!("the decision{} goes one way only", at(place)),
        Unreached::Fixed(place) => {
            format!("the condition{} does not depend on the input", at(place))
        }
        Unreached::NoReturn(place) => format!("the call{} does not return", at(place)),
    };
    match proof {
        Proof::All => format!("no input gets here: {detail}"),
        Proof::UpTo(length) => {
            format!("no input with at most {length} elements gets here: {detail}")
        }
        Proof::None => format!("on the paths explored, {detail}"),
    }
}

/// Lines that follow each other for the same reason, as one.
pub(crate) fn unreached(
    lines: &BTreeMap<u32, Line>,
    proof: Proof,
    file: &str,
) -> Vec<(u32, u32, String)> {
    let mut stretches: Vec<(u32, u32, String)> = Vec::new();
    let mut is_open = false;
    for (number, line) in lines {
        let Some(unreached) = &line.unreached else {
            is_open = false;
            continue;
        };
        let why = why(unreached, proof, file);
        match stretches.last_mut() {
            Some((_, last, known)) if is_open && *known == why => *last = *number,
            _ => stretches.push((*number, *number, why)),
        }
        is_open = true;
    }
    stretches
}

/// A section for people.
pub(crate) fn text(coverage: &Coverage) -> String {
    let mut text = String::from("\n  lines of the code under test:\n");
    for (file, lines) in &coverage.files {
        let (reached, all) = reached(lines);
        let _ = writeln!(text, "    {file}: {reached} of {all} reached");
        for (first, last, why) in unreached(lines, coverage.proof, file) {
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
    fn lines_with_one_reason_are_told_together() {
        let place = SourceLocation {
            file: "src/a.rs".to_owned(),
            line: 2,
            column: 1,
            function: String::new(),
            is_under_test: true,
        };
        let impossible = || line(Some(Unreached::Impossible(Some(place.clone()))));
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
