//! The file format of the best cases of a test.
//!
//! ```text
//! rebut front 1
//! test my_crate::module::latency
//! reached length 19, cost 7
//! tape (s1f i2 i1 i2 ) c120
//! ```
//!
//! The parser skips lines that it does not understand: a lost line only costs the next search
//! some cases.

use rebut_choice::Tape;

use super::text::escape;
use crate::strings;
use crate::verdict::{ParetoCase, ParetoValue};

const TITLE: &str = "rebut front 1";

/// Returns the content of the file of a front.
#[inline(never)]
pub(super) fn write(test: &str, front: &[ParetoCase]) -> String {
    let mut text = format!("{TITLE}\ntest {}\n", escape(test, ""));
    for case in front {
        let mut values = Vec::new();
        for ParetoValue { label, value } in &case.values {
            let label = if label.is_empty() { "utility" } else { label };
            values.push(format!("{} {}", escape(label, ""), strings::float(*value)));
        }
        let (values, tape) = (strings::joined(&values, ", "), case.tape.to_text());
        text.push_str(&format!("reached {values}\ntape {tape}\n"));
    }
    text
}

/// Returns the tapes of a file that belongs to this test.
#[inline(never)]
pub(super) fn read(test: &str, text: &str) -> Vec<Tape> {
    let lines = strings::lines(text);
    let title = format!("test {}", escape(test, ""));
    let mut tapes = Vec::new();
    if lines.first() != Some(&TITLE) || lines.get(1) != Some(&title.as_str()) {
        return tapes;
    }
    for line in lines {
        if let Some(("tape", tape)) = strings::split_once(line, " ")
            && let Ok(tape) = Tape::from_text(tape)
        {
            tapes.push(tape);
        }
    }
    tapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_lines_are_skipped() {
        let text = "rebut front 1\ntest a::b\nreached x 1\ntape i1\nmood good\ntape }{\ntape b1\n";
        let texts: Vec<String> = read("a::b", text).iter().map(Tape::to_text).collect();
        assert_eq!(texts, ["i1", "b1"]);
        assert!(read("a::c", text).is_empty());
        assert!(read("a::b", "rebut front 2\ntest a::b\ntape i1\n").is_empty());
        assert!(read("a::b", "").is_empty());
    }
}
