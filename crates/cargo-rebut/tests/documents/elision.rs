//! Lines `...` in shown output, which stand for any number of omitted lines.

/// The output for a page: the shown lines if they match the printed ones, otherwise all printed
/// lines.
pub(crate) fn applied(shown: &str, printed: &str) -> String {
    if fits(shown, printed) { shown.to_owned() } else { printed.to_owned() }
}

/// Whether the printed lines match the shown ones, with any lines in place of each `...`.
fn fits(shown: &str, printed: &str) -> bool {
    let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
    let parts: Vec<&[&str]> = lines.split(|line| line.trim() == "...").collect();
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let [first, middle @ .., last] = parts.as_slice() else { return shown == printed.join("\n") };
    let Some(mut rest) = printed.strip_prefix(*first) else { return false };
    for part in middle {
        match end_of(part, rest) {
            Some(end) => rest = &rest[end..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The index after the first occurrence of some lines.
fn end_of(part: &[&str], lines: &[&str]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    let at = lines.windows(part.len()).position(|window| window == part)?;
    Some(at + part.len())
}

#[test]
fn an_ellipsis_matches_any_lines() {
    let printed = "a\nb\nc\nd\ne";
    for shown in ["a\n...\ne", "...\nc\n...", "a\n...\nc\n  ...\nd\ne", "...", "a\nb\n...\nc\nd\ne"]
    {
        assert_eq!(applied(shown, printed), shown);
    }
}

#[test]
fn shown_lines_must_be_printed() {
    let printed = "a\nb\nc\nd\ne";
    let wrong =
        ["a\nc\n...", "...\nd", "a\n...\nx\n...\ne", "...\nd\n...\nc\n...", "a\nb", "..\ne"];
    for shown in wrong {
        assert_eq!(applied(shown, printed), printed, "{shown:?}");
    }
}
