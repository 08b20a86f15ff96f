//! A text that is parsed, with more paths than anybody waits for.

use cost::parse_line;

// true: errors are values.
#[rebut::test]
fn parsing_a_line_never_panics(line: String) {
    let _ = parse_line(&line);
}
