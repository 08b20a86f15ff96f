//! The assumptions of a verdict: facts that it depends on and that were not proved.

use rebut_concolic::Exploration;

/// An assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assumption {
    /// Its name in JSON and events.
    pub(crate) name: String,
    /// Its words after "assuming".
    pub(crate) words: String,
}

/// Lists the assumptions of an exploration.
pub(crate) fn list(exploration: &Exploration, sees_all_calls: bool) -> Vec<Assumption> {
    let summaries = exploration.assumed.iter().map(|test| Assumption {
        name: format!("summary {test}"),
        words: format!("the summary `{test}`"),
    });
    let general = general(exploration.assumes_hashes, exploration.pruned, sees_all_calls);
    summaries.chain(general).collect()
}

fn general(assumes_hashes: bool, pruned: usize, sees_all_calls: bool) -> Vec<Assumption> {
    let mut assumptions = Vec::new();
    let mut assume = |name: &str, words: String| {
        assumptions.push(Assumption { name: name.to_owned(), words });
    };
    if assumes_hashes {
        assume("hashes", "that nothing depends on hash values".to_owned());
    }
    if pruned > 0 {
        let fail = if pruned == 1 { "path fails" } else { "paths fail" };
        let words = format!(
            "that friendly mocks behave ({pruned} {fail} only because of an answer of a friendly mock)"
        );
        assume("friendly mocks", words);
    }
    if !sees_all_calls {
        let words = "that it uses no files, environment variables or network, which Rebut cannot \
                     detect without the standard library sources";
        assume("calls", words.to_owned());
    }
    assumptions
}

/// Returns the assumptions as the end of a sentence; empty if there are none.
pub(crate) fn clause(assumptions: &[Assumption]) -> String {
    let all: Vec<&str> = assumptions.iter().map(|one| one.words.as_str()).collect();
    if all.is_empty() { String::new() } else { format!(", assuming {}", all.join(" and ")) }
}

/// Returns the names of assumptions.
pub(crate) fn names(assumptions: &[Assumption]) -> Vec<String> {
    assumptions.iter().map(|assumption| assumption.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_end_the_sentence_of_a_verdict() {
        assert_eq!(clause(&general(false, 0, true)), "");
        let all = general(true, 2, false);
        assert_eq!(names(&all), ["hashes", "friendly mocks", "calls"]);
        assert_eq!(
            clause(&all),
            ", assuming that nothing depends on hash values and that friendly mocks behave (2 paths \
             fail only because of an answer of a friendly mock) and that it uses no files, \
             environment variables or network, which Rebut cannot detect without the standard \
             library sources"
        );
    }
}
