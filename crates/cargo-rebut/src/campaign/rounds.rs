//! The rounds of a campaign after the first: each runs one property in a process of its own.

use super::interrupt::{self, ProcessGroup};
use super::live::LiveDisplay;
use super::{TestPrograms, for_each_line, milliseconds};
use crate::words;
use rebut_cli::color;
use rebut_cli::runs::TARGET_DIR;
use rebut_native::TestProgram;
use rebut_protocol::settings;
use rebut_protocol::verdicts::VerdictCode;
use rebut_report::{Property, Report};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The properties that get more time, and the state of their rounds.
#[derive(Debug)]
pub(super) struct Rounds<'p> {
    group: String,
    /// The target directory of cargo.
    target: PathBuf,
    /// The maximum number of cases of a property.
    cases_max: Option<u64>,
    /// Whether failures are printed in color.
    is_colored: bool,
    state: Mutex<Vec<Candidate<'p>>>,
    changed: Condvar,
}

/// A property that neither failed nor is proved.
#[derive(Clone, Debug)]
struct Candidate<'p> {
    name: String,
    test: String,
    path: PathBuf,
    program: &'p TestProgram,
    cases: u64,
    /// Cases per second.
    rate: f64,
    time_spent: Duration,
    rounds: u64,
    is_running: bool,
    is_done: bool,
}

/// The minimum duration of a round. Arbitrary: a search and the start of a process need some time.
/// Only the last round is shorter, if less time is left.
const ROUND_MIN: Duration = Duration::from_secs(1);
/// The maximum duration of a round. Arbitrary: other properties wait meanwhile. A property that
/// needs more time gets another round.
const ROUND_MAX: Duration = Duration::from_secs(60);
/// No round starts with less time than this left. Arbitrary: a round includes the start of a
/// process.
const REMAINDER_MIN: Duration = Duration::from_millis(200);
/// The minimum number of cases of a round, for properties that are slow or whose rate is unknown.
/// Arbitrary: the time budget ends such a round earlier.
const CASES_MIN: u64 = 10;

/// Whether more time can change the verdict.
fn is_undecided(verdict: Option<VerdictCode>) -> bool {
    matches!(verdict, Some(VerdictCode::Passed | VerdictCode::NotFound | VerdictCode::NotPanicked))
}

impl<'p> Rounds<'p> {
    pub(super) fn new(
        report: &Report,
        programs: &'p TestPrograms,
        group: &str,
        target: &Path,
        cases_max: Option<u64>,
        is_colored: bool,
    ) -> Rounds<'p> {
        let candidate = |property: &Property| {
            let path = PathBuf::from(&report.runs.get(property.run)?.program);
            let program = programs.get(&path)?;
            let cases = property.cases();
            let needs_more_time =
                is_undecided(property.code()) && cases_max.is_none_or(|max| cases < max);
            let test = property.test_name()?.to_owned();
            needs_more_time.then(|| Candidate {
                name: property.name.clone(),
                test,
                path,
                program,
                cases,
                rate: rate(cases, property.end.as_ref().map_or(0.0, |end| end.ms / 1e3)),
                time_spent: Duration::ZERO,
                rounds: 0,
                is_running: false,
                is_done: false,
            })
        };
        let mut candidates: Vec<Candidate<'p>> =
            report.properties.iter().filter_map(candidate).collect();
        candidates.dedup_by(|a, b| a.path == b.path && a.test == b.test);
        Rounds {
            group: group.to_owned(),
            target: target.to_owned(),
            cases_max,
            is_colored,
            state: Mutex::new(candidates),
            changed: Condvar::new(),
        }
    }

    /// Runs rounds on all cores until the time is up or every property is decided. Returns whether
    /// there were any rounds.
    pub(super) fn run(&self, deadline: Instant, jobs: Option<usize>, live: &LiveDisplay) -> bool {
        // Events that follow belong to one round of a property.
        live.catch_up();
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let workers = jobs.unwrap_or_else(cores);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| self.work(deadline, workers, live));
            }
        });
        self.lock().iter().any(|candidate| candidate.rounds > 0)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Candidate<'p>>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, deadline: Instant, workers: usize, live: &LiveDisplay) {
        while let Some((nth, candidate, time)) = self.next(deadline, workers) {
            let begun = Instant::now();
            let result = self.run_round(&candidate, time);
            let progress = live.progress(&candidate.name, &candidate.path);
            let verdict = progress.verdict;
            let is_still_sought =
                matches!(verdict, Some(VerdictCode::NotFound | VerdictCode::NotPanicked));
            let is_full = self.cases_max.is_some_and(|max| progress.cases() >= max);
            let made_no_case = progress.cases() <= candidate.cases;
            match result {
                // It was ended, and its result does not count.
                _ if interrupt::exit().is_some() => return self.changed.notify_all(),
                // A property with `exists` or `#[should_panic]` has not found its input yet.
                Ok(result) if result.is_success || (is_still_sought && !progress.is_running) => {}
                Ok(result) => {
                    result.lines.iter().for_each(|line| live.print(line));
                    if progress.is_running {
                        live.print(&words::test::did_not_end(&candidate.name));
                    }
                }
                Err(error) => live.print(&words::test::not_started(&candidate.path, error)),
            }
            let mut state = self.lock();
            let entry = &mut state[nth];
            entry.is_running = false;
            entry.rounds += 1;
            entry.time_spent += begun.elapsed();
            entry.rate = rate(
                progress.cases().saturating_sub(candidate.cases),
                begun.elapsed().as_secs_f64(),
            );
            entry.cases = progress.cases();
            entry.is_done =
                progress.is_running || !is_undecided(verdict) || is_full || made_no_case;
            drop(state);
            self.changed.notify_all();
        }
    }

    /// The property that had the least time so far, and how long it may run. Waits while all
    /// undecided properties are running.
    fn next(&self, deadline: Instant, workers: usize) -> Option<(usize, Candidate<'p>, Duration)> {
        let mut state = self.lock();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left < REMAINDER_MIN || interrupt::exit().is_some() {
                return None;
            }
            let open = state.iter().filter(|candidate| !candidate.is_done).count();
            if open == 0 {
                return None;
            }
            let waiting = state.iter().enumerate();
            let waiting = waiting.filter(|(_, one)| !one.is_done && !one.is_running);
            if let Some((nth, _)) = waiting.min_by_key(|(_, one)| one.time_spent) {
                state[nth].is_running = true;
                let time = round_time(left, workers, open);
                return Some((nth, state[nth].clone(), time));
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Runs one property again, in its own process.
    fn run_round(&self, candidate: &Candidate<'_>, time: Duration) -> std::io::Result<RoundResult> {
        let arguments = ["--exact", &candidate.test, "--include-ignored", "--nocapture", "--quiet"];
        let mut command = candidate.program.command(&arguments);
        command.env(settings::EVENTS.variable, "summary");
        command.env(settings::RUN.variable, &self.group);
        command.env(TARGET_DIR, &self.target);
        command.env(settings::TIME_BUDGET.variable, milliseconds(time));
        // The number of cases decides how large values grow, and whether all inputs are tried.
        let possible = ((candidate.rate * time.as_secs_f64()) as u64).max(CASES_MIN);
        let left = self.cases_max.map_or(u64::MAX, |max| max.saturating_sub(candidate.cases));
        command.env(settings::CASES.variable, possible.min(left).to_string());
        if let Some(seed) =
            std::env::var(settings::SEED.variable).ok().and_then(|seed| seed.parse::<u64>().ok())
        {
            command
                .env(settings::SEED.variable, seed.wrapping_add(candidate.rounds + 1).to_string());
        }
        color::pass_on(&mut command, self.is_colored);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = ProcessGroup::spawn(&mut command)?;
        let mut result = RoundResult::default();
        if let Some(stderr) = process.child.stderr.take() {
            for_each_line(stderr, &mut |line| result.lines.push(line.to_owned()));
        }
        result.is_success = process.wait()?.success();
        Ok(result)
    }
}

/// The result of a round.
#[derive(Debug, Default)]
struct RoundResult {
    is_success: bool,
    /// The standard error of the test.
    lines: Vec<String>,
}

/// Cases per second.
fn rate(cases: u64, seconds: f64) -> f64 {
    cases as f64 / seconds.max(1e-3)
}

/// The duration of the next round: about two rounds for each undecided property fit into the rest
/// of the time.
fn round_time(left: Duration, workers: usize, open: usize) -> Duration {
    let workers = workers.min(open).max(1);
    let fair = left.mul_f64(workers as f64 / (2.0 * open.max(1) as f64));
    fair.clamp(ROUND_MIN, ROUND_MAX).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_times_share_the_rest_of_the_time() {
        let seconds = Duration::from_secs;
        assert_eq!(round_time(seconds(30), 4, 1), seconds(15));
        assert_eq!(round_time(seconds(30), 4, 4), seconds(15));
        assert_eq!(round_time(seconds(30), 4, 60), seconds(1));
        assert_eq!(round_time(seconds(30), 2, 10), seconds(3));
        assert_eq!(round_time(Duration::from_millis(300), 2, 10), Duration::from_millis(300));
        assert_eq!(round_time(seconds(3600), 2, 1), seconds(60));
    }

    #[test]
    fn only_undecided_properties_get_more_time() {
        let line = |id: u64, name: &str, verdict: &str, cases: u64| {
            format!(
                "{{\"event\":\"begin\",\"id\":{id},\"property\":\"a::{name}\"}}\n{{\"event\":\"end\",\"id\":{id},\"verdict\":\"{verdict}\",\"success\":true,\"cases\":{cases}}}\n"
            )
        };
        let text = format!(
            "{{\"event\":\"run\",\"program\":\"/t/a-1\"}}\n{}{}{}{}{}",
            line(0, "passed", "passed", 10),
            line(1, "proved", "proved", 10),
            line(2, "fails", "R001", 10),
            line(3, "exists", "R008", 10),
            line(4, "full", "passed", 100),
        );
        let report = Report::read([text.as_str()]);
        let path = Path::new("/t/a-1");
        let program = TestProgram::new(path, Path::new("/a"), "a");
        let programs = TestPrograms::from([(path.to_owned(), program)]);
        let names = |programs: &TestPrograms, max| {
            let rounds = Rounds::new(&report, programs, "g", Path::new("/t"), max, false);
            rounds.lock().iter().map(|one| one.test.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&programs, Some(100)), ["passed", "exists"]);
        assert_eq!(names(&programs, None), ["passed", "exists", "full"]);
        assert!(names(&TestPrograms::new(), None).is_empty());
    }

    #[test]
    fn the_property_with_the_least_time_is_next_and_runs_only_once() {
        let program = TestProgram::new(Path::new("/t/a-1"), Path::new("/a"), "a");
        let candidate = |name: &str, seconds| Candidate {
            name: name.to_owned(),
            test: name.to_owned(),
            path: PathBuf::new(),
            program: &program,
            cases: 0,
            rate: 0.0,
            time_spent: Duration::from_secs(seconds),
            rounds: 0,
            is_running: false,
            is_done: false,
        };
        let rounds = Rounds {
            group: String::new(),
            target: PathBuf::new(),
            cases_max: None,
            is_colored: false,
            state: Mutex::new(vec![candidate("a", 3), candidate("b", 1)]),
            changed: Condvar::new(),
        };
        let soon = Instant::now() + Duration::from_secs(60);
        let name = |deadline| rounds.next(deadline, 2).map(|(_, candidate, _)| candidate.name);
        assert_eq!(name(soon).as_deref(), Some("b"));
        assert_eq!(name(soon).as_deref(), Some("a"));
        let now = Instant::now() + Duration::from_millis(300);
        assert_eq!(name(now), None, "both run, and the time is up");
    }
}
