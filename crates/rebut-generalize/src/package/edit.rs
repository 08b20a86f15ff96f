//! Edits of a string, and the range that each of them has in the result.

use std::ops::Range;

/// A range of a string, in bytes.
pub(crate) type TextRange = Range<usize>;

/// Whether two ranges share a byte.
pub(crate) fn overlaps(a: &TextRange, b: &TextRange) -> bool {
    a.start < b.end && b.start < a.end
}

/// Replaces a range of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) range: TextRange,
    pub(crate) text: String,
}

impl Edit {
    pub(crate) fn new(range: TextRange, text: impl Into<String>) -> Edit {
        Edit { range, text: text.into() }
    }

    /// Returns the edit with as many lines as it replaces, so that later lines keep their numbers.
    pub(crate) fn with_lines(mut self, text: &str) -> Edit {
        let count = |text: &str| text.matches('\n').count();
        let missing = count(&text[self.range.clone()]).saturating_sub(count(&self.text));
        self.text.push_str(&"\n".repeat(missing));
        self
    }
}

/// Applies edits. Returns the new text, and the range of each edit in it, in the order of the
/// edits. Of edits that overlap, only the first is applied.
pub(crate) fn splice(text: &str, edits: &[Edit]) -> (String, Vec<TextRange>) {
    let mut order: Vec<usize> = (0..edits.len()).collect();
    // An insertion comes before a replacement at the same position; otherwise it would be lost.
    order.sort_by_key(|nth| (edits[*nth].range.start, edits[*nth].range.end));
    let (mut spliced, mut at) = (String::new(), 0);
    let mut ranges = vec![0..0; edits.len()];
    for nth in order {
        let Edit { range, text: new } = &edits[nth];
        if range.start < at {
            continue;
        }
        spliced.push_str(&text[at..range.start]);
        ranges[nth] = spliced.len()..spliced.len() + new.len();
        spliced.push_str(new);
        at = range.end;
    }
    spliced.push_str(&text[at..]);
    (spliced, ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_have_their_ranges_in_the_new_text() {
        let edits = [Edit::new(4..5, "two"), Edit::new(0..1, "one"), Edit::new(2..2, "!")];
        let (text, ranges) = splice("1 + 2", &edits);
        assert_eq!(text, "one !+ two");
        assert_eq!(ranges, [7..10, 0..3, 4..5]);
        let edits = [Edit::new(0..2, ""), Edit::new(0..0, "+")];
        assert_eq!(splice("1 2", &edits).0, "+2", "an insertion is not lost");
    }
}
