//! The expectations of a cell, and the exceptions.
//!
//! Without an exception, both runs must fail in the deadly test, name the cause, and let the
//! neighbors finish. No exception allows a run that passes as if nothing had happened.

use super::Cell;
use super::Runner;

/// The expectations of a cell.
#[derive(Debug, Default)]
pub(super) struct Expectation {
    /// The first run may end without a word; the next one must say what happened.
    pub(super) may_die_first: bool,
    /// Each run may end without a word.
    pub(super) may_die: bool,
    /// The deadly test may pass if the output contains one of the causes.
    pub(super) may_pass_with_warning: bool,
    /// The deadly test may pass, because no output of it can be seen.
    pub(super) may_pass: bool,
    /// The failure may be called flaky, and the minimal input is unknown then.
    pub(super) may_be_flaky: bool,
    /// The minimal input is unknown.
    pub(super) has_no_input: bool,
    /// Words of reports, with ` .. ` between parts. One of them names the cause.
    pub(super) causes: Vec<&'static str>,
}

/// An exception, for all cells that it names.
struct Exception {
    /// The names of deaths; all if there are none.
    deaths: &'static [&'static str],
    /// The names of sites; all if there are none.
    sites: &'static [&'static str],
    /// The runners; all if there are none.
    runners: &'static [Runner],
    allows: Allowance,
    /// Why Rebut cannot do better, or need not.
    #[cfg_attr(not(test), expect(dead_code, reason = "it is for people"))]
    reason: &'static str,
}

enum Allowance {
    /// See [`Expectation::may_die_first`].
    DieFirst,
    /// See [`Expectation::may_die`].
    Die,
    /// See [`Expectation::may_pass_with_warning`].
    PassWithWarning,
    /// See [`Expectation::may_pass`].
    Pass,
    /// See [`Expectation::may_be_flaky`].
    Flaky,
    /// See [`Expectation::has_no_input`].
    NoInput,
    /// Other names of the cause.
    Causes(&'static [&'static str]),
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        deaths: &["SIGKILL"],
        sites: &[],
        runners: &[],
        allows: Allowance::DieFirst,
        reason: "the process ends at once, and no code of it runs anymore",
    },
    Exception {
        deaths: &["SIGPIPE"],
        sites: &[],
        runners: &[],
        allows: Allowance::DieFirst,
        reason: "the case restores the default action, so the process ends at once",
    },
    Exception {
        deaths: &["payload"],
        sites: &["detached thread"],
        runners: &[],
        allows: Allowance::Flaky,
        reason: "on a busy machine the thread drops its payload when its case has ended, and its \
                 death ends a later case; a report that says so is right",
    },
    Exception {
        deaths: &["panic"],
        sites: &["detached thread"],
        runners: &[],
        allows: Allowance::PassWithWarning,
        reason: "the test does not join the thread, so that its panic does not fail the test",
    },
    Exception {
        deaths: &["panic"],
        sites: &["detached thread"],
        runners: &[Runner::Nextest],
        allows: Allowance::Pass,
        reason: "nextest shows no output of a test that passes",
    },
    Exception {
        deaths: &[],
        sites: &["panic hook"],
        runners: &[],
        allows: Allowance::Causes(&["calls the hook"]),
        reason: "the panic that calls the hook is the failure; the hook may not be called again",
    },
    Exception {
        deaths: &[],
        sites: &["Debug in report"],
        runners: &[],
        allows: Allowance::Causes(&["touchy is large"]),
        reason: "the assertion is the failure; only its report meets the death",
    },
    Exception {
        deaths: &["overflow"],
        sites: &["handler before", "handler in body"],
        runners: &[],
        allows: Allowance::Causes(&["aborted the process .. SIGSEGV"]),
        reason: "only the handler of the runtime recognizes an overflow",
    },
    Exception {
        deaths: &[],
        sites: &["thread-local destructor"],
        runners: &[],
        allows: Allowance::NoInput,
        reason: "the destructor runs when all cases have ended, once for all of them",
    },
    Exception {
        deaths: &["SIGKILL", "SIGPIPE"],
        sites: &["thread-local destructor"],
        runners: &[],
        allows: Allowance::Die,
        reason: "a later run that has forgotten the first one runs the cases in its own process",
    },
    Exception {
        deaths: &["SIGKILL", "SIGPIPE"],
        sites: &["thread-local destructor"],
        runners: &[],
        allows: Allowance::Causes(&["an earlier run was killed"]),
        reason: "no case kills the process, so that the next run cannot repeat it",
    },
    Exception {
        deaths: &["SIGKILL", "SIGPIPE"],
        sites: &["thread-local destructor"],
        runners: &[],
        allows: Allowance::PassWithWarning,
        reason: "a child process, in which the next run tries all cases, ends without destructors",
    },
    Exception {
        deaths: &["SIGKILL", "SIGPIPE"],
        sites: &["thread-local destructor"],
        runners: &[Runner::Nextest],
        allows: Allowance::Pass,
        reason: "nextest shows no output of a test that passes",
    },
    Exception {
        deaths: &["overflow", "allocation"],
        sites: &["thread-local destructor"],
        runners: &[],
        allows: Allowance::Causes(&["aborted the process .. SIG"]),
        reason: "the case is not repeated in a child process, whose output has the cause",
    },
    Exception {
        deaths: &["exit(0)", "exit(1)", "_exit(0)"],
        sites: &["thread-local destructor"],
        runners: &[],
        allows: Allowance::Causes(&["exited the process"]),
        reason: "the case is not repeated in a child process, which has an exit code",
    },
    Exception {
        deaths: &["memory limit"],
        sites: &["thread-local destructor"],
        runners: &[],
        allows: Allowance::Pass,
        reason: "a child process ends without destructors of thread-local values",
    },
    Exception {
        deaths: &["panic", "payload"],
        sites: &["static"],
        runners: &[],
        allows: Allowance::Causes(&["previously been poisoned"]),
        reason: "the standard library poisons a static whose initializer has panicked",
    },
];

impl Expectation {
    /// The expectations of this cell.
    pub(super) fn of(cell: &Cell) -> Expectation {
        let mut expectation =
            Expectation { causes: cell.death.causes.to_vec(), ..Expectation::default() };
        for exception in EXCEPTIONS.iter().filter(|exception| exception.concerns(cell)) {
            match exception.allows {
                Allowance::DieFirst => expectation.may_die_first = true,
                Allowance::Die => expectation.may_die = true,
                Allowance::PassWithWarning => expectation.may_pass_with_warning = true,
                Allowance::Pass => expectation.may_pass = true,
                Allowance::Flaky => {
                    expectation.may_be_flaky = true;
                    expectation.has_no_input = true;
                }
                Allowance::NoInput => expectation.has_no_input = true,
                Allowance::Causes(causes) => expectation.causes.extend(causes),
            }
        }
        expectation
    }
}

impl Exception {
    fn concerns(&self, cell: &Cell) -> bool {
        (self.deaths.is_empty() || self.deaths.contains(&cell.death.name))
            && (self.sites.is_empty() || self.sites.contains(&cell.site.name))
            && (self.runners.is_empty() || self.runners.contains(&cell.runner))
    }
}

#[cfg(test)]
mod tests {
    use super::super::deaths::DEATHS;
    use super::super::sites::SITES;
    use super::*;

    #[test]
    fn exceptions_name_deaths_and_sites_that_exist() {
        for exception in EXCEPTIONS {
            for name in exception.deaths {
                assert!(DEATHS.iter().any(|death| death.name == *name), "{name}");
            }
            for name in exception.sites {
                assert!(SITES.iter().any(|site| site.name == *name), "{name}");
            }
            assert!(!exception.reason.is_empty());
        }
    }

    #[test]
    fn expectations_are_strict_without_an_exception() {
        let cell = |death: &str, site: &str| Cell {
            death: DEATHS.iter().find(|one| one.name == death).expect("a death"),
            site: SITES.iter().find(|one| one.name == site).expect("a site"),
            runner: Runner::CargoTest,
        };
        let strict = Expectation::of(&cell("abort", "body"));
        assert!(!strict.may_die_first && !strict.may_pass_with_warning);
        assert_eq!(strict.causes, ["aborted the process .. SIGABRT"]);
        assert!(Expectation::of(&cell("SIGKILL", "check")).may_die_first);
        let quiet = Expectation::of(&cell("panic", "detached thread"));
        assert!(quiet.may_pass_with_warning && !quiet.may_pass);
        let late = Expectation::of(&cell("payload", "detached thread"));
        assert!(late.may_be_flaky && !late.may_pass && !strict.may_be_flaky);
        let hook = Expectation::of(&cell("abort", "panic hook"));
        assert_eq!(hook.causes.len(), 2);
    }
}
