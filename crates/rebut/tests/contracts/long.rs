//! Long programs at the default settings.

use rebut::report::Verdict;
use rebut::{Check, Program};

/// A log that keeps 24 lines. Bug: the line that replaces the oldest one is not counted.
#[derive(Debug)]
pub struct Log {
    lines: Vec<u8>,
    written: usize,
    expected: usize,
}

#[rebut::contract]
impl Log {
    pub fn start() -> Log {
        Log { lines: Vec::new(), written: 0, expected: 0 }
    }

    pub fn write(&mut self, line: u8) {
        self.expected += 1;
        if self.lines.len() == 24 {
            self.lines.remove(0);
        } else {
            self.written += 1;
        }
        self.lines.push(line);
    }

    #[requires(!self.lines.is_empty())]
    #[ensures(result == self.lines[self.lines.len() - 1])]
    pub fn last(&self) -> u8 {
        self.lines[self.lines.len() - 1]
    }

    pub fn check(&self) {
        assert_eq!(self.written, self.expected, "each line is counted");
    }
}

#[test]
fn a_bug_that_needs_27_calls_is_found_at_the_default_settings() {
    for seed in 1..=5 {
        let report = Check::new("log")
            .seed(seed)
            // In a debug build, the time is over after fewer programs on a slow machine. The claim
            // is about programs, so this is the number that a run of the slowest machine has.
            .cases(1000)
            .run(|case| case.draw_as("program", rebut::any::<Program<Log>>()).run());
        let Verdict::Failed(failures) = &report.verdict else { panic!("seed {seed}: {report}") };
        let code = &failures[0].values[0].code;
        assert_eq!(code.matches(".write(").count(), 25, "seed {seed}: {code}");
        assert_eq!(code.matches(".check()").count(), 1, "seed {seed}: {code}");
    }
}

#[test]
fn programs_that_never_fail_run_for_more_cases_unless_cases_is_set() {
    let run = |check: Check| {
        let report = check.seed(1).run(|case| {
            case.draw_as("program", Program::<Log>::any().max_size(3)).run();
        });
        let Verdict::Passed { cases } = report.verdict else { panic!("{report}") };
        (cases, report)
    };
    let (cases, report) = run(Check::new("by default"));
    assert!((1000..=50_000).contains(&cases), "{cases}");
    // What ended the run is in the report.
    let is_time_up = report.statistics.is_time_up;
    assert_eq!(is_time_up, cases < 50_000);
    assert_eq!(is_time_up, report.to_string().contains(" in one second, seed 1)"), "{report}");
    assert_eq!(run(Check::new("exactly").cases(1000)).0, 1000);
}
