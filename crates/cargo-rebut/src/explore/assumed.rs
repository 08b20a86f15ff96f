//! What a verdict rests on that was not proved.

use rebut_concolic::Exploration;

/// An assumption: a word for programs, and the end of a sentence that begins "assuming that".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assumption {
    pub(crate) word: &'static str,
    pub(crate) that: String,
}

/// All that was assumed.
pub(crate) fn all(exploration: &Exploration, sees_all_calls: bool) -> Vec<Assumption> {
    of(exploration.assumes_hashes, exploration.pruned, sees_all_calls)
}

fn of(assumes_hashes: bool, pruned: usize, sees_all_calls: bool) -> Vec<Assumption> {
    let mut assumed = Vec::new();
    let mut assume = |word, that: String| assumed.push(Assumption { word, that });
    if assumes_hashes {
        assume("hashes", "nothing depends on the values of hashes".to_owned());
    }
    if pruned > 0 {
        let fail = if pruned == 1 { "path fails" } else { "paths fail" };
        let that = format!(
            "friendly mocks behave ({pruned} {fail} only because of what a friendly mock answers)"
        );
        assume("friendly mocks", that);
    }
    if !sees_all_calls {
        let that = "it uses no files, no variables of the environment and no network, which \
                    cannot be seen without the sources of the standard library";
        assume("calls", that.to_owned());
    }
    assumed
}

/// The assumptions as the end of a sentence; nothing if there are none.
pub(crate) fn clause(assumed: &[Assumption]) -> String {
    let parts: Vec<&str> = assumed.iter().map(|assumption| assumption.that.as_str()).collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(", assuming that {}", parts.join(", and that "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_assumed_is_said() {
        assert_eq!(clause(&of(false, 0, true)), "");
        let words = |assumed: &[Assumption]| -> Vec<&str> {
            assumed.iter().map(|assumption| assumption.word).collect()
        };
        let all = of(true, 2, false);
        assert_eq!(words(&all), ["hashes", "friendly mocks", "calls"]);
        assert_eq!(
            clause(&all),
            ", assuming that nothing depends on the values of hashes, and that friendly mocks \
             behave (2 paths fail only because of what a friendly mock answers), and that it uses \
             no files, no variables of the environment and no network, which cannot be seen \
             without the sources of the standard library"
        );
    }
}
