//! What the code of a verdict means and what to do about it: `cargo rebut explain`.

/// The explanation of a code.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Code {
    /// `R001` and so on.
    pub code: &'static str,
    /// What it says, in a few words.
    pub title: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What to do.
    pub advice: &'static str,
}

/// The explanation of a code, in whatever case it is written.
#[must_use]
pub fn explain(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|known| known.code.eq_ignore_ascii_case(code))
}

/// All codes, in the order in which they are explained.
#[must_use]
pub fn codes() -> &'static [Code] {
    CODES
}

const CODES: &[Code] = &[
    Code {
        code: "proved",
        title: "the property holds for all inputs",
        meaning: "There are so few inputs that every one of them was tried, and none refutes the property. That is a proof, as far as the property depends on nothing but its inputs.",
        advice: "Nothing. If there should be more inputs than were tried, draw from a wider range.",
    },
    Code {
        code: "passed",
        title: "no case refuted the property",
        meaning: "As many cases as were asked for met the assumptions, and none of them failed. That is no proof.",
        advice: "Look at the labels and sizes in the report: are these the inputs that you had in mind? More `cases` or a `time_budget` look further; `maximize` and `minimize` say where to look.",
    },
    Code {
        code: "exists",
        title: "an input as it was sought exists",
        meaning: "`#[rebut::exists]` claims that there is an input for which the function returns true. One was found; the report shows the simplest that shrinking came to.",
        advice: "Nothing. It is kept in `.rebut/` and tried first in the next run.",
    },
    Code {
        code: "R001",
        title: "the property fails",
        meaning: "There is an input for which the property does not hold: it panicked, returned false or an error, crashed, hung or ended the process. What is shown is the simplest input that shrinking came to; parts that are marked can be anything and it still fails.",
        advice: "Run the replay command: it runs this one case, under a debugger if you like. If the code is wrong, mend it; the failure is kept in `.rebut/` and tried first from now on. If the input should not be allowed, say so with bounds or `assume!`. To keep it as an ordinary test, take the `#[example(..)]` or the emitted test file that the report names.",
    },
    Code {
        code: "R002",
        title: "the property is flaky",
        meaning: "It failed, and with the same choices it also passes. So it depends on something that is not drawn: time, threads, the order of a hash map, an address, a file, what an earlier case left behind.",
        advice: "Find what is not drawn and draw it, or set it anew in each case. The rate in the report says how often it fails with this input; the replay command runs it again.",
    },
    Code {
        code: "R003",
        title: "the property tests nothing",
        meaning: "No case met the assumptions (or all grew too large), so the property was never run to its end. It would pass whatever the code does.",
        advice: "Weaken the assumption, or draw inputs that meet it: bounds, `#[from(..)]`, `map`, `flat_map`. If cases grow too large, set `max_size`.",
    },
    Code {
        code: "R004",
        title: "the property rejects too much",
        meaning: "So many cases were rejected by assumptions that the number of cases that was asked for could not be reached. What is left is seldom what you want to test.",
        advice: "Draw inputs that meet the assumption instead of rejecting the others: bounds, `map`, `flat_map`. If rejecting is cheap and meant, raise `rejections_max`.",
    },
    Code {
        code: "R005",
        title: "the property is too slow",
        meaning: "The time budget ended before enough cases were run to say anything.",
        advice: "Give it more `time_budget`, or make a case cheaper: smaller inputs (`max_size`), set-up outside of the property, `opt-level` in the test profile.",
    },
    Code {
        code: "R006",
        title: "Rebut was called in a way it does not accept",
        meaning: "A setting, a bound or a call inside of the property is wrong. The report says which value of which argument, and what is accepted. It says nothing about your code.",
        advice: "Write what the report says. docs/guide/settings.md has all settings.",
    },
    Code {
        code: "R007",
        title: "the property does not cover what it says",
        meaning: "A `cover!` says that some percentage of the cases should meet a condition, and fewer did, by more than chance explains.",
        advice: "Draw inputs that meet the condition more often (bounds, weights, `#[from(..)]`), or lower the percentage.",
    },
    Code {
        code: "R008",
        title: "no such input was found",
        meaning: "`#[rebut::exists]` claims that there is an input for which the function returns true, and none was found. If the report says that all inputs were tried, there is none; else it may only be rare.",
        advice: "Say how near a case comes (`rebut::maximize`), give it more `steps`, or draw inputs that are nearer: bounds, `#[from(..)]`.",
    },
    Code {
        code: "R999",
        title: "internal error of Rebut",
        meaning: "Rebut found itself in a state that should not be possible. This says nothing about your code.",
        advice: "Please report it, with the message, the property and the seed.",
    },
    Code {
        code: "unfinished",
        title: "the property did not end",
        meaning: "Its events begin and have no end: the process is still running, or was killed.",
        advice: "If it was killed, run the test again: it looks for the case at which the process died and reports it.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes in the source of `Verdict::code`.
    fn known() -> Vec<&'static str> {
        let source = include_str!("../../rebut-run/src/verdict.rs");
        let (_, rest) = source.split_once("pub fn code(&self)").expect("the function");
        let (body, _) = rest.split_once("\n    }\n").expect("its end");
        body.lines().filter_map(|line| line.split('"').nth(1)).collect()
    }

    #[test]
    fn every_code_of_a_verdict_is_explained() {
        let known = known();
        assert!(known.len() >= 12, "{known:?}");
        for code in known {
            let explained = explain(code).unwrap_or_else(|| panic!("{code} is not explained"));
            assert!(crate::words::verdict(code) != "unknown", "{code} has no word");
            assert!(!explained.meaning.is_empty() && !explained.advice.is_empty());
        }
    }

    #[test]
    fn codes_are_found_in_whatever_case() {
        assert_eq!(explain("r001").map(|code| code.code), Some("R001"));
        assert!(explain("R01").is_none());
    }
}
