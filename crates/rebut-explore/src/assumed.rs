//! What a verdict rests on that was not proved.

use rebut_concolic::Exploration;

/// An assumption: a word for programs, and the end of a sentence that has "assuming" before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assumption {
    pub(crate) word: String,
    pub(crate) what: String,
}

/// All that was assumed.
pub(crate) fn all(exploration: &Exploration, sees_all_calls: bool) -> Vec<Assumption> {
    let proved = exploration.assumed.iter().map(|test| Assumption {
        word: format!("summary {test}"),
        what: format!("the summary `{test}`"),
    });
    proved.chain(of(exploration.assumes_hashes, exploration.pruned, sees_all_calls)).collect()
}

fn of(assumes_hashes: bool, pruned: usize, sees_all_calls: bool) -> Vec<Assumption> {
    let mut assumed = Vec::new();
    let mut assume = |word: &str, what: String| {
        assumed.push(Assumption { word: word.to_owned(), what });
    };
    if assumes_hashes {
        assume("hashes", "that nothing depends on hash values".to_owned());
    }
    if pruned > 0 {
        let fail = if pruned == 1 { "path fails" } else { "paths fail" };
        let what = format!(
            "that friendly mocks behave ({pruned} {fail} only because of an answer of a friendly mock)"
        );
        assume("friendly mocks", what);
    }
    if !sees_all_calls {
        let what = "that it uses no files, environment variables or network, which Rebut cannot \
                    detect without the standard library sources";
        assume("calls", what.to_owned());
    }
    assumed
}

/// The assumptions as the end of a sentence; nothing if there are none.
pub(crate) fn clause(assumed: &[Assumption]) -> String {
    let parts: Vec<&str> = assumed.iter().map(|assumption| assumption.what.as_str()).collect();
    if parts.is_empty() { String::new() } else { format!(", assuming {}", parts.join(" and ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_assumed_is_said() {
        assert_eq!(clause(&of(false, 0, true)), "");
        let words = |assumed: &[Assumption]| -> Vec<String> {
            assumed.iter().map(|assumption| assumption.word.clone()).collect()
        };
        let all = of(true, 2, false);
        assert_eq!(words(&all), ["hashes", "friendly mocks", "calls"]);
        assert_eq!(
            clause(&all),
            ", assuming that nothing depends on hash values and that friendly mocks behave (2 paths \
             fail only because of an answer of a friendly mock) and that it uses no files, \
             environment variables or network, which Rebut cannot detect without the standard \
             library sources"
        );
    }
}
