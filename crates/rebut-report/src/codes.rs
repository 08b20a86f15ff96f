//! Explains each result code: `cargo rebut explain`.

/// The explanation of a code.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Code {
    /// `R001` and so on.
    pub code: &'static str,
    /// A short description.
    pub title: &'static str,
    /// The meaning, in a few sentences.
    pub meaning: &'static str,
    /// Advice for the user.
    pub advice: &'static str,
}

/// Returns the explanation of a code, in upper or lower case.
#[must_use]
pub fn explain(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|known| known.code.eq_ignore_ascii_case(code))
}

/// Returns the explanations of all codes.
#[must_use]
pub fn codes() -> &'static [Code] {
    CODES
}

const CODES: &[Code] = &[
    Code {
        code: "proved",
        title: "the test passes for all inputs",
        meaning: "Rebut ran the test with every possible input, or explored every path, and no input failed. This is a proof, as long as the result depends on nothing but the inputs.",
        advice: "Nothing to do. If the test should have more inputs, widen its generators.",
    },
    Code {
        code: "passed",
        title: "no case failed",
        meaning: "The requested number of cases ran, and none of them failed. This is not a proof.",
        advice: "Check the labels and sizes in the report: are these the inputs that you had in mind? More `cases` or a larger `time_budget` test more inputs; `maximize` and `minimize` direct the search. To repeat the run, set `REBUT_SEED` to its seed.",
    },
    Code {
        code: "exists",
        title: "a matching input was found",
        meaning: "`#[rebut::exists]` requires an input for which the function returns true. Rebut found one; the report shows the smallest one that it found.",
        advice: "Nothing to do. Rebut saves the input in `.rebut/` and tries it first in the next run.",
    },
    Code {
        code: "panicked",
        title: "the test panicked, as expected",
        meaning: "The test has `#[should_panic]`, and Rebut found an input for which it fails with the expected message. The report shows the smallest one that it found.",
        advice: "Nothing to do.",
    },
    Code {
        code: "R001",
        title: "the test failed",
        meaning: "The test fails for the input in the report: it panicked, returned false or an error, crashed, hung or ended the process. This is the smallest failing input that Rebut found. Where a part of it is marked, every other value that Rebut tried there fails too.",
        advice: "Run the replay command: it runs this one case, under a debugger if you like. If the code is wrong, fix it; Rebut saves the failure in `.rebut/` and tries it first in the next run. If the input should not be allowed, exclude it with bounds or `assume!`. To keep the input as a regression test, copy the `#[example(..)]` line, or the test file that the report names.",
    },
    Code {
        code: "R002",
        title: "the test is flaky",
        meaning: "The test failed, but it also passes with the same input. It depends on something other than its inputs: time, threads, the order of a hash map, an address, a file, or state that an earlier case left behind.",
        advice: "Generate that value too, or reset it at the start of the test. The report prints how often the input fails; the replay command runs it again.",
    },
    Code {
        code: "R003",
        title: "the test tested nothing",
        meaning: "Every input was rejected by an assumption (or grew too large), so the test never ran to its end; or no case reached an assertion or another check, because all of them are in branches that no input took. Such a test would pass whatever the code does.",
        advice: "Weaken the assumption, or generate inputs that satisfy it: bounds, `#[from(..)]`, `map`, `flat_map`. If inputs grow too large, set `max_size`. If no check was reached, the report names the lines: generate inputs that get there, such as text that parses (`#[from(\"[0-9]{1,4}\")]`, a value that you write and read again, a specification), and check the other branch too.",
    },
    Code {
        code: "R004",
        title: "the test rejects too many inputs",
        meaning: "Assumptions rejected so many inputs that the test did not reach the requested number of cases. The inputs that are left are rarely those that you want to test.",
        advice: "Generate inputs that satisfy the assumption instead of rejecting the others: bounds, `map`, `flat_map`. If rejecting is cheap and intended, raise `rejections_max`.",
    },
    Code {
        code: "R005",
        title: "the test is too slow",
        meaning: "The time budget ended before the test ran enough cases to mean anything.",
        advice: "Raise `time_budget`, or make a case faster: smaller inputs (`max_size`), setup outside of the test, `opt-level` in the test profile.",
    },
    Code {
        code: "R006",
        title: "the test uses Rebut incorrectly",
        meaning: "A setting, a bound or a call in the test is invalid. The report prints the argument, its value and what is expected. This says nothing about your code.",
        advice: "Change what the report names. docs/guide/settings.md lists all settings.",
    },
    Code {
        code: "R007",
        title: "the test does not reach its `cover!` target",
        meaning: "A `cover!` requires that a condition is true in some percentage of the cases. It was true in fewer, by more than chance explains.",
        advice: "Generate inputs that satisfy the condition more often (bounds, weights, `#[from(..)]`), or lower the percentage.",
    },
    Code {
        code: "R008",
        title: "no matching input was found",
        meaning: "`#[rebut::exists]` requires an input for which the function returns true, and Rebut found none. If the report says that this is proved, there is none; otherwise it may only be rare.",
        advice: "Add `rebut::maximize(..)` as a score, raise `steps`, or narrow the generators: bounds, `#[from(..)]`.",
    },
    Code {
        code: "R009",
        title: "the test did not panic",
        meaning: "The test has `#[should_panic]`, and it failed for no input. If the report says that this is proved, there is none; otherwise it may only be rare.",
        advice: "Remove `#[should_panic]`, raise `cases`, or narrow the generators: bounds, `#[from(..)]`.",
    },
    Code {
        code: "R999",
        title: "internal error in Rebut",
        meaning: "Rebut reached a state that should be impossible. This says nothing about your code.",
        advice: "Please report it, with the message, the test and the seed.",
    },
    Code {
        code: "unknown",
        title: "exploration found no failure, but did not finish",
        meaning: "`cargo rebut explore` found no failure, but it did not explore every path; the report says why.",
        advice: "Raise the limit that the report names, or simplify the test. docs/guide/explore.md lists what cannot be explored.",
    },
    Code {
        code: "unfinished",
        title: "the test did not finish",
        meaning: "The events of the test have a start but no end: its process is still running, or was killed.",
        advice: "If it was killed, run the test again: Rebut looks for the case that killed the process and reports it.",
    },
];

#[cfg(test)]
mod tests {
    use rebut_protocol::verdicts::VerdictCode;

    use super::*;

    #[test]
    fn every_verdict_code_is_explained() {
        for &code in VerdictCode::ALL {
            let explained = explain(code.as_str());
            let explained = explained.unwrap_or_else(|| panic!("{code:?} is not explained"));
            let is_plain = matches!(
                code,
                VerdictCode::Proved
                    | VerdictCode::Passed
                    | VerdictCode::Exists
                    | VerdictCode::Panicked
                    | VerdictCode::Failed
            );
            let has_words = crate::words::complaint(Some(code)).is_some();
            assert!(is_plain || has_words, "{code:?} has no words");
            assert!(!explained.meaning.is_empty() && !explained.advice.is_empty());
        }
    }

    #[test]
    fn explain_ignores_case() {
        assert_eq!(explain("r001").map(|code| code.code), Some("R001"));
        assert!(explain("R01").is_none());
    }
}
