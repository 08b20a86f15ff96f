//! Edits of a text, with where each of them ends up.

use super::subject::Part;

/// Another text for a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) part: Part,
    pub(super) text: String,
}

impl Edit {
    /// The same with as many lines as it replaces.
    pub(super) fn with_lines(mut self, text: &str) -> Edit {
        let count = |text: &str| text.matches('\n').count();
        let missing = count(&text[self.part.clone()]).saturating_sub(count(&self.text));
        self.text.push_str(&"\n".repeat(missing));
        self
    }

    pub(super) fn new(part: Part, text: impl Into<String>) -> Edit {
        Edit { part, text: text.into() }
    }
}

/// The text with all edits, and the parts of it that they became, in the order of the edits.
/// Edits do not overlap; of those that do, the first counts.
pub(super) fn splice(text: &str, edits: &[Edit]) -> (String, Vec<Part>) {
    let mut order: Vec<usize> = (0..edits.len()).collect();
    // What is inserted stands before what is replaced at the same place.
    order.sort_by_key(|nth| (edits[*nth].part.start, edits[*nth].part.end));
    let (mut all, mut at) = (String::new(), 0);
    let mut parts = vec![0..0; edits.len()];
    for nth in order {
        let Edit { part, text: new } = &edits[nth];
        if part.start < at {
            continue;
        }
        all.push_str(&text[at..part.start]);
        parts[nth] = all.len()..all.len() + new.len();
        all.push_str(new);
        at = part.end;
    }
    all.push_str(&text[at..]);
    (all, parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_know_where_they_end_up() {
        let edits = [Edit::new(4..5, "two"), Edit::new(0..1, "one"), Edit::new(2..2, "!")];
        let (text, parts) = splice("1 + 2", &edits);
        assert_eq!(text, "one !+ two");
        assert_eq!(parts, [7..10, 0..3, 4..5]);
        let edits = [Edit::new(0..2, ""), Edit::new(0..0, "+")];
        assert_eq!(splice("1 2", &edits).0, "+2", "an insertion is not lost");
    }
}
