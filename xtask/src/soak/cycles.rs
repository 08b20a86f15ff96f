//! Runs with faulty files that are killed, or not, each followed by a run without faults. That must
//! report the failure if the first one had found it.
//!
//! A failure without a file may be gone for two reasons only. A run that ends says that the failure
//! was not saved: *warned*. Or a run is killed after the disk had refused its journal, so that the
//! failure was nowhere until it was saved: *refused*. The faulty files log what they refuse.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::faults::kills::{self, KILLED, KilledRun, SAVING, Seeds};
use crate::faults::process::{Ended, Session};
use crate::faults::project::{Lane, build_directory};
use crate::faults::random::Random;
use crate::faults::{SECONDS_MAX, in_lanes, locked};

/// How many of 1000 calls are slow. Arbitrary: a run makes some dozens of them, up to 50 ms each.
pub(super) const SLOW: usize = 200;
/// How many of 1000 calls find a full disk: none, some, or all. Arbitrary.
const FULL: [usize; 4] = [0, 20, 100, 1000];
/// The disk gets full after fewer calls than this. Beginning a journal takes seven, and saving a
/// failure for the first time as many.
const FREE_MAX: usize = 24;
/// How many of 1000 calls to sync a file fail, where the disk is full at times. Arbitrary.
const SYNC: usize = 50;
/// While files are slow, a failure is being saved for longer: a slow call takes up to 50 ms, which
/// is 5 times [`SAVING`], and saving has half a dozen calls.
const SLOW_SAVING: u32 = 10;
/// The words of the warning about a failure that could not be saved.
const UNSAVED: &str = "was not saved";

/// The library that makes files faulty.
#[derive(Debug)]
pub(super) struct FaultyFiles {
    pub(super) library: PathBuf,
}

/// How faulty the files of a run are, in calls of 1000.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaultRates {
    pub(super) seed: usize,
    pub(super) slow: usize,
    pub(super) full: usize,
    pub(super) sync: usize,
    /// The number of calls before the disk gets full.
    pub(super) free: usize,
}

impl FaultyFiles {
    /// Loads the library into a command and all that it starts.
    pub(super) fn load_into(&self, command: &mut Command, rates: FaultRates, log: &Path) {
        command
            .env("LD_PRELOAD", &self.library)
            .env("SOAK_FAULTS_SEED", rates.seed.to_string())
            .env("SOAK_SLOW", rates.slow.to_string())
            .env("SOAK_FULL", rates.full.to_string())
            .env("SOAK_SYNC", rates.sync.to_string())
            .env("SOAK_FREE", rates.free.to_string())
            .env("SOAK_LOG", log);
    }
}

/// A run with faults, its kill, and the run after it.
#[derive(Clone, Debug)]
struct Cycle {
    nth: usize,
    row: usize,
    seed: u64,
    other: u64,
    rates: FaultRates,
    kill: Option<Kill>,
}

/// The moment of a kill.
#[derive(Clone, Copy, Debug)]
struct Kill {
    /// Whether the moment counts from the first failing input on, and not from the start.
    is_after_failure: bool,
    moment: Duration,
    /// Whether all of its processes are killed, and not only that of the test.
    kills_all: bool,
}

/// The seeds of a row, and how long a run takes with each finder.
pub(super) struct Plan {
    seeds: Seeds,
    durations: Vec<Duration>,
}

impl Plan {
    /// The plans of all rows.
    pub(super) fn all(lane: &Lane) -> Result<Vec<Plan>, String> {
        let plan = |killed: &KilledRun| {
            let seeds = kills::seeds(lane, killed)?;
            let durations = seeds.finders.iter().map(|seed| kills::duration(lane, killed, *seed));
            let durations = durations.collect::<Result<_, String>>()?;
            Ok(Plan { seeds, durations })
        };
        KILLED.iter().map(plan).collect()
    }
}

impl Cycle {
    /// The cycle with this number, which depends on the seed of the soak only.
    fn new(nth: usize, seed: u64, plans: &[Plan]) -> Cycle {
        let mut random = Random::new(seed.wrapping_add((nth as u64) << 32));
        let row = nth % KILLED.len();
        let Plan { seeds, durations } = &plans[row];
        let which = random.below(seeds.finders.len());
        let full = FULL[random.below(FULL.len())];
        let rates = FaultRates {
            seed: random.below(usize::MAX),
            slow: SLOW,
            full,
            sync: if full > 0 { SYNC } else { 0 },
            free: random.below(FREE_MAX),
        };
        let kill = (random.below(4) > 0).then(|| {
            let (is_after_failure, limit) = match random.below(3) {
                0 => (false, durations[which]),
                1 => (true, durations[which]),
                _ => (true, SAVING * SLOW_SAVING),
            };
            let micros = usize::try_from(limit.as_micros()).unwrap_or(usize::MAX);
            Kill {
                is_after_failure,
                moment: Duration::from_micros(random.below(micros.max(1)) as u64),
                kills_all: KILLED[row].is_campaign && random.below(2) == 0,
            }
        });
        let (seed, other) = (seeds.finders[which], seeds.other);
        Cycle { nth, row, seed, other, rates, kill }
    }

    fn shown(&self) -> String {
        let kill = match self.kill {
            None => "no kill".to_owned(),
            Some(kill) => format!(
                "{} killed {} us after the {}",
                if kill.kills_all { "all" } else { "test" },
                kill.moment.as_micros(),
                if kill.is_after_failure { "failure" } else { "start" },
            ),
        };
        let FaultRates { full, free, .. } = self.rates;
        format!("cycle {}, seed {}, full {full} after {free}, {kill}", self.nth, self.seed)
    }
}

/// The result of a cycle.
#[derive(Debug)]
struct CycleOutcome {
    is_killed: bool,
    has_found: bool,
    /// Whether the faulty run reports the failure. A run that was killed does not have to.
    is_reported_at_once: bool,
    /// Whether the next run reports it.
    is_reported: bool,
    /// Whether the faulty run has left a file of the failure.
    is_saved: bool,
    is_warned: bool,
    is_journal_refused: bool,
    is_late: bool,
    refusals: usize,
    stray: Vec<String>,
    left: Vec<String>,
    next_code: Option<i32>,
    /// The lines of the next run that say what was wrong.
    next_says: String,
}

/// Runs cycles in all lanes until the deadline. One that has begun ends.
pub(super) fn run(
    lanes: &[Lane],
    plans: &[Plan],
    files: &FaultyFiles,
    seed: u64,
    deadline: Instant,
) -> Result<CycleResults, String> {
    let next = Mutex::new(0..);
    let rows = KILLED.iter().map(|killed| (killed.name, CycleCounts::default())).collect();
    let results = Mutex::new(CycleResults { rows });
    in_lanes(lanes, &|lane| {
        let nth = locked(&next).next().filter(|_| Instant::now() < deadline);
        let Some(nth) = nth else { return Ok(false) };
        let cycle = Cycle::new(nth, seed, plans);
        let outcome = try_cycle(lane, &cycle, files, true)?;
        let complaints = outcome.complaints();
        for (kind, what) in &complaints {
            eprintln!("{:>12} {kind}: {}: {what}", "Wrong", cycle.shown());
        }
        if !complaints.is_empty() {
            keep_evidence(lane, &cycle);
        }
        locked(&results).rows[cycle.row].1.add(&cycle, &outcome);
        Ok(true)
    })?;
    results.into_inner().map_err(|error| error.to_string())
}

/// Whether a failure that is deleted between the two runs is found as lost.
pub(super) fn is_canary_found(
    lane: &Lane,
    plans: &[Plan],
    files: &FaultyFiles,
) -> Result<bool, String> {
    let seeds = &plans[0].seeds;
    let rates = FaultRates { seed: 0, slow: 0, full: 0, sync: 0, free: 0 };
    let (seed, other) = (seeds.finders[0], seeds.other);
    let cycle = |nth| Cycle { nth, row: 0, seed, other, rates, kill: None };
    let right = try_cycle(lane, &cycle(0), files, true)?;
    let lost = try_cycle(lane, &cycle(1), files, false)?;
    let kinds = |outcome: &CycleOutcome| -> Vec<&str> {
        outcome.complaints().into_iter().map(|(kind, _)| kind).collect()
    };
    Ok(kinds(&right).is_empty() && kinds(&lost) == ["lost"])
}

/// Where the faulty files log what they refuse.
fn log_of(lane: &Lane) -> PathBuf {
    lane.home.join("refused")
}

fn try_cycle(
    lane: &Lane,
    cycle: &Cycle,
    files: &FaultyFiles,
    keeps_files: bool,
) -> Result<CycleOutcome, String> {
    let killed = &KILLED[cycle.row];
    lane.reset()?;
    let log = log_of(lane);
    let _ = fs::remove_file(&log);
    let mut first = kills::command(lane, killed, cycle.seed, killed.is_campaign);
    first.env("FAULTS_SLOW", "1");
    files.load_into(&mut first, cycle.rates, &log);
    let mut session = Session::start(&first, &lane.home)?;
    let mut is_killed = false;
    if let Some(kill) = cycle.kill {
        if kill.is_after_failure {
            session.wait_for(&lane.notes_file(), SECONDS_MAX);
            session.begin_again();
        }
        is_killed = !session.wait_until(kill.moment);
        match (killed.is_campaign, kill.kills_all) {
            _ if !is_killed => {}
            (false, _) => session.kill_program(),
            (true, true) => session.kill_all(),
            (true, false) => session.kill_first_below(&build_directory()),
        }
    }
    let first = session.end(SECONDS_MAX);
    // The rest of a campaign may find it too, after its test process was killed.
    let has_found = !lane.notes().is_empty();
    let (saved, mut stray) = lane.saved(&[killed.test]);
    if !is_killed {
        stray.extend(lane.unfinished());
    }
    if !keeps_files {
        let removed = fs::remove_dir_all(lane.home.join(".rebut"));
        removed.map_err(|error| format!("cannot remove .rebut: {error}"))?;
    }
    save_output(lane, "first");
    let next = kills::command(lane, killed, cycle.other, false);
    let next = Session::start(&next, &lane.home)?.end(SECONDS_MAX);
    save_output(lane, "next");
    stray.extend(lane.saved(&[]).1);
    stray.extend(lane.journals());
    stray.retain(|path| !path.starts_with("tmp"));
    stray.extend(damaged_ignore(&lane.home));
    let refused = fs::read_to_string(&log).unwrap_or_default();
    Ok(CycleOutcome {
        is_killed,
        has_found,
        is_reported_at_once: killed.is_reported(&first),
        is_reported: killed.is_reported(&next),
        is_saved: saved > 0,
        is_warned: is_warned(&first),
        is_journal_refused: refused.lines().any(|line| is_of_journal(line, killed.test)),
        is_late: first.is_late || next.is_late,
        refusals: refused.lines().count(),
        stray,
        next_code: next.code,
        next_says: said(&next),
        left: first.left.into_iter().chain(next.left).collect(),
    })
}

/// The lines about errors in the output of a run, as one line. A table of a soak that ended long ago
/// is all that is left of it.
fn said(run: &Ended) -> String {
    // Arbitrary: room for a report without its values.
    const LENGTH_MAX: usize = 600;
    let lines = run.stdout.lines().chain(run.stderr.lines()).map(str::trim);
    let words = ["error", "warning", "panicked", "note:", "killed"];
    let wrong = lines.filter(|line| words.iter().any(|word| line.contains(word)));
    wrong.collect::<Vec<_>>().join(" / ").chars().take(LENGTH_MAX).collect()
}

/// Whether a run says that a failure could not be saved.
fn is_warned(run: &Ended) -> bool {
    run.stderr.lines().chain(run.stdout.lines()).any(|line| line.contains(UNSAVED))
}

/// Whether a refused call takes the journal of a test away: of the file itself, or of the directory
/// that it is in.
fn is_of_journal(refused: &str, test: &str) -> bool {
    let Some((_, path)) = refused.split_once(' ') else { return false };
    let path = Path::new(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_directory = [".rebut", "running", ".gitignore"].contains(&&*name);
    let is_in_running = path.parent().is_some_and(|parent| parent.ends_with("running"));
    is_directory || (is_in_running && name.contains(test))
}

/// A file for version control that was not written completely, and that nothing repairs.
fn damaged_ignore(home: &Path) -> Option<String> {
    let path = home.join(".rebut/running/.gitignore");
    let text = fs::read_to_string(&path).ok()?;
    (!text.starts_with('*')).then(|| format!(".rebut/running/.gitignore has {text:?}"))
}

/// Keeps the output of a run until the next cycle of the lane.
fn save_output(lane: &Lane, run: &str) {
    for name in ["stdout", "stderr"] {
        // It only helps to understand a complaint.
        let _ = fs::copy(lane.home.join(name), lane.home.join(format!("{run}-{name}")));
    }
}

/// Copies what a wrong cycle has left.
fn keep_evidence(lane: &Lane, cycle: &Cycle) {
    let directory = super::directory().join("wrong").join(cycle.nth.to_string());
    let _ = fs::create_dir_all(&directory);
    for name in ["first-stdout", "first-stderr", "next-stdout", "next-stderr", "refused", "notes"] {
        // It only helps to understand a complaint.
        let _ = fs::copy(lane.home.join(name), directory.join(name));
    }
}

impl CycleOutcome {
    /// Whether a failure was found that the next run does not report.
    fn is_gone(&self) -> bool {
        self.has_found && !self.is_reported && !self.is_late
    }

    fn is_excused(&self) -> bool {
        !self.is_saved && (self.is_warned || (self.is_killed && self.is_journal_refused))
    }

    /// The kind and the details of all that is wrong.
    fn complaints(&self) -> Vec<(&'static str, String)> {
        let mut complaints = Vec::new();
        if self.is_late {
            complaints.push(("hangs", "a run did not end".to_owned()));
        }
        if self.has_found && !self.is_killed && !self.is_late && !self.is_reported_at_once {
            complaints.push(("silent", "the faulty run does not report the failure".to_owned()));
        }
        if self.is_gone() && !self.is_excused() {
            let what = format!(
                "the next run ended with {:?}; {} calls refused; it says: {}",
                self.next_code, self.refusals, self.next_says
            );
            complaints.push(("lost", what));
        }
        if !self.stray.is_empty() {
            complaints.push(("files", self.stray.join(", ")));
        }
        if !self.left.is_empty() {
            complaints.push(("processes", self.left.join("; ")));
        }
        complaints
    }
}

/// The results of a row.
#[derive(Debug, Default)]
struct CycleCounts {
    cycles: usize,
    kills: usize,
    refusals: usize,
    found: usize,
    reported: usize,
    warned: usize,
    refused: usize,
    complaints: Vec<(&'static str, String)>,
}

impl CycleCounts {
    fn add(&mut self, cycle: &Cycle, outcome: &CycleOutcome) {
        self.cycles += 1;
        self.kills += usize::from(outcome.is_killed);
        self.refusals += outcome.refusals;
        self.found += usize::from(outcome.has_found);
        self.reported += usize::from(outcome.has_found && outcome.is_reported);
        if outcome.is_gone() && outcome.is_excused() {
            let count = if outcome.is_warned { &mut self.warned } else { &mut self.refused };
            *count += 1;
        }
        let complaints = outcome.complaints().into_iter();
        self.complaints
            .extend(complaints.map(|(kind, what)| (kind, format!("{}: {what}", cycle.shown()))));
    }

    fn count(&self, kinds: &[&str]) -> usize {
        self.complaints.iter().filter(|(kind, _)| kinds.contains(kind)).count()
    }
}

/// The results of all rows.
#[derive(Debug)]
pub(super) struct CycleResults {
    rows: Vec<(&'static str, CycleCounts)>,
}

impl CycleResults {
    pub(super) fn cycles(&self) -> usize {
        self.rows.iter().map(|(_, counts)| counts.cycles).sum()
    }

    /// All that is wrong: the row, the kind, the details.
    pub(super) fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        for (name, counts) in &self.rows {
            let all = counts.complaints.iter();
            complaints.extend(all.map(|(kind, what)| format!("{name}: {kind}: {what}")));
        }
        complaints
    }

    pub(super) fn table(&self) -> String {
        let mut table = String::from(
            "| run | cycles | kills | refused calls | found | reported again | warned | refused | lost | hangs | files | processes |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        for (name, counts) in &self.rows {
            let _ = writeln!(
                table,
                "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                counts.cycles,
                counts.kills,
                counts.refusals,
                counts.found,
                counts.reported,
                counts.warned,
                counts.refused,
                counts.count(&["lost", "silent"]),
                counts.count(&["hangs"]),
                counts.count(&["files"]),
                counts.count(&["processes"])
            );
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plans() -> Vec<Plan> {
        let plan = || Plan {
            seeds: Seeds { finders: vec![1, 2], other: 3 },
            durations: vec![Duration::from_millis(700); 2],
        };
        KILLED.iter().map(|_| plan()).collect()
    }

    fn outcome(change: impl FnOnce(&mut CycleOutcome)) -> CycleOutcome {
        let mut outcome = CycleOutcome {
            is_killed: true,
            has_found: true,
            is_reported_at_once: false,
            is_reported: true,
            is_saved: false,
            is_warned: false,
            is_journal_refused: false,
            is_late: false,
            refusals: 1,
            stray: Vec::new(),
            left: Vec::new(),
            next_code: Some(101),
            next_says: String::new(),
        };
        change(&mut outcome);
        outcome
    }

    fn kinds(change: impl FnOnce(&mut CycleOutcome)) -> Vec<&'static str> {
        outcome(change).complaints().into_iter().map(|(kind, _)| kind).collect()
    }

    #[test]
    fn cycles_depend_on_their_number_and_the_seed_only() {
        let plans = plans();
        let shown = |seed: u64| -> Vec<String> {
            (0..50).map(|nth| Cycle::new(nth, seed, &plans).shown()).collect()
        };
        assert_eq!(shown(1), shown(1));
        assert_ne!(shown(1), shown(2));
        let cycles = || (0..100).map(|nth| Cycle::new(nth, 1, &plans));
        assert!(FULL.iter().all(|full| cycles().any(|cycle| cycle.rates.full == *full)));
        assert!(cycles().any(|cycle| cycle.kill.is_none()));
    }

    #[test]
    fn failures_are_lost_without_a_warning_or_a_refused_journal() {
        assert_eq!(kinds(|_| ()), Vec::<&str>::new());
        assert_eq!(kinds(|outcome| outcome.is_reported = false), ["lost"]);
        let excused = |excuse: fn(&mut CycleOutcome)| {
            kinds(|outcome| {
                outcome.is_reported = false;
                excuse(outcome);
            })
        };
        assert!(excused(|outcome| outcome.is_warned = true).is_empty());
        assert!(excused(|outcome| outcome.is_journal_refused = true).is_empty());
        assert!(excused(|outcome| outcome.has_found = false).is_empty());
        let saved = excused(|outcome| {
            outcome.is_journal_refused = true;
            outcome.is_saved = true;
        });
        assert_eq!(saved, ["lost"], "it had a file");
        let ended = excused(|outcome| {
            outcome.is_killed = false;
            outcome.is_reported_at_once = true;
            outcome.is_journal_refused = true;
        });
        assert_eq!(ended, ["lost"], "a run that ends can warn");
    }

    #[test]
    fn runs_that_end_report_their_failure() {
        assert_eq!(kinds(|outcome| outcome.is_killed = false), ["silent"]);
        assert_eq!(kinds(|outcome| outcome.is_late = true), ["hangs"]);
        assert_eq!(kinds(|outcome| outcome.stray.push("a.new".into())), ["files"]);
        assert_eq!(kinds(|outcome| outcome.left.push("7 S".into())), ["processes"]);
    }

    #[test]
    fn cycles_are_counted_by_what_became_of_the_failure() {
        let cycle = Cycle::new(0, 1, &plans());
        let mut counts = CycleCounts::default();
        counts.add(&cycle, &outcome(|_| ()));
        counts.add(&cycle, &outcome(|outcome| outcome.has_found = false));
        counts.add(&cycle, &outcome(|outcome| outcome.is_reported = false));
        let gone = |excuse: fn(&mut CycleOutcome)| {
            outcome(|outcome| {
                outcome.is_reported = false;
                excuse(outcome);
            })
        };
        counts.add(&cycle, &gone(|outcome| outcome.is_warned = true));
        counts.add(&cycle, &gone(|outcome| outcome.is_journal_refused = true));
        let results = CycleResults { rows: vec![("a run", counts)] };
        assert!(
            results.table().contains("| a run | 5 | 5 | 5 | 4 | 1 | 1 | 1 | 1 | 0 | 0 | 0 |"),
            "{}",
            results.table()
        );
        assert_eq!((results.cycles(), results.complaints().len()), (5, 1));
    }

    #[test]
    fn journals_are_refused_with_their_file_or_directory() {
        let is_of = |line: &str| is_of_journal(line, "fails_early");
        assert!(is_of("mkdir /a/.rebut"));
        assert!(is_of("mkdir /a/.rebut/running"));
        assert!(is_of("create /a/.rebut/running/.gitignore"));
        assert!(is_of("write /a/.rebut/running/lane0__kills__fails_early-7-0"));
        assert!(!is_of("create /a/.rebut/running/7-0.new"));
        assert!(!is_of("rename /a/.rebut/failures/lane0__kills__fails_early/1.case"));
    }
}
