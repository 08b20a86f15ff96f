//! Kills test processes at random moments. The next run must know every failure that was found.
//!
//! The property writes down each failing input before it fails. So the harness knows whether the
//! killed run had found the failure. The next run has a seed that does not find it.

use std::fmt::Write as _;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use super::SECONDS_MAX;
use super::printed::reports;
use super::process::{Ended, Session};
use super::project::{Lane, Project, build_directory, cargo, set_environment};
use super::random::Random;

/// The module with the properties.
pub(crate) const MODULE: &str = "kills";

/// One input in 1024 fails, and the distribution is as if it were random.
pub(crate) const CODE: &str = r#"use super::*;

fn is_rare(n: u32) -> bool {
    if std::env::var_os("FAULTS_SLOW").is_some() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    n > 100 && n.wrapping_mul(0x9E37_79B1) >> 22 == 5
}

#[rebut::test]
fn fails_early(n: u32, list: Vec<u16>) {
    if is_rare(n) {
        note(n);
        panic!("a rare input");
    }
}

#[rebut::test]
fn crashes_early(n: u32, list: Vec<u16>) {
    if is_rare(n) {
        note(n);
        std::process::abort();
    }
}
"#;

/// A run that is killed: a row of the table.
#[derive(Debug)]
pub(crate) struct KilledRun {
    pub(crate) name: &'static str,
    pub(crate) test: &'static str,
    /// A part of the report of the next run.
    pub(crate) cause: &'static str,
    pub(crate) is_campaign: bool,
}

pub(crate) const KILLED: [KilledRun; 3] = [
    KilledRun {
        name: "a run that shrinks",
        test: "fails_early",
        cause: "a rare input",
        is_campaign: false,
    },
    KilledRun {
        name: "a run that recovers from a crash",
        test: "crashes_early",
        cause: "SIGABRT",
        is_campaign: false,
    },
    KilledRun { name: "a campaign", test: "fails_early", cause: "a rare input", is_campaign: true },
];

impl KilledRun {
    /// Whether a run fails and reports the failure.
    pub(crate) fn is_reported(&self, run: &Ended) -> bool {
        let output = format!("{}\n{}", run.stdout, run.stderr);
        let reports = reports(&output, MODULE, &[self.test]);
        run.code != Some(0) && reports.iter().any(|report| report.contains(self.cause))
    }
}

/// How many cases each run has. A seed then finds the failure with a probability of about a tenth.
const CASES: &str = "100";
/// How many seeds that find a failure are used. Arbitrary.
const FINDERS: usize = 4;
/// How many seeds are tried before the harness gives up. Arbitrary.
const SEEDS_MAX: u64 = 1000;

/// Kills within this time after the first failing input meet the moment at which it is saved.
/// Measured: failures were lost up to 8 ms after they were found, up to 40 ms on a busy machine.
pub(crate) const SAVING: Duration = Duration::from_millis(10);

/// The results of a row.
#[derive(Debug, Default)]
pub(crate) struct KillCounts {
    kills: usize,
    /// Runs that ended before their kill.
    ended: usize,
    /// Killed runs that had found the failure.
    found: usize,
    /// The moments of kills after which something is wrong.
    lost: Vec<String>,
    hangs: Vec<String>,
    stray: Vec<String>,
    left: Vec<String>,
}

/// The rows of the table, and the number of wrong kills.
#[derive(Debug)]
pub(crate) struct KillResults {
    rows: Vec<(&'static str, KillCounts)>,
}

/// The seeds of a test: some that find its failure, and one that does not.
pub(crate) struct Seeds {
    pub(crate) finders: Vec<u64>,
    pub(crate) other: u64,
}

/// A run and the moment of its kill.
struct Kill {
    row: usize,
    seed: u64,
    other: u64,
    /// Whether the moment counts from the first failing input on, and not from the start.
    is_after_failure: bool,
    moment: Duration,
    /// Whether all of its processes are killed, and not only that of the test.
    kills_all: bool,
}

/// Kills `count` runs, in turns of all kinds.
pub(crate) fn run(project: &Project, count: usize, seed: u64) -> Result<KillResults, String> {
    let lane = project.lanes().first().ok_or("there is no lane")?;
    let mut plans = Vec::new();
    for killed in &KILLED {
        let seeds = seeds(lane, killed)?;
        let durations = seeds.finders.iter().map(|seed| duration(lane, killed, *seed));
        let durations = durations.collect::<Result<Vec<Duration>, String>>()?;
        let shown: Vec<u128> = durations.iter().map(Duration::as_millis).collect();
        eprintln!("{:>12} {}: uninterrupted {shown:?} ms", "Kills", killed.name);
        plans.push((seeds, durations));
    }
    let mut random = Random::new(seed);
    let mut kills = Vec::new();
    for nth in 0..count {
        let row = nth % KILLED.len();
        let (seeds, durations) = &plans[row];
        let which = random.below(seeds.finders.len());
        // A third at any time, a third after the failure, a third while it is being saved.
        let (is_after_failure, limit) = match nth / KILLED.len() % 3 {
            0 => (false, durations[which]),
            1 => (true, durations[which]),
            _ => (true, SAVING),
        };
        let micros = usize::try_from(limit.as_micros()).unwrap_or(usize::MAX);
        kills.push(Kill {
            row,
            seed: seeds.finders[which],
            other: seeds.other,
            is_after_failure,
            moment: Duration::from_micros(random.below(micros.max(1)) as u64),
            kills_all: KILLED[row].is_campaign && random.below(2) == 0,
        });
    }
    let kills = Mutex::new(kills.into_iter());
    let rows = KILLED.iter().map(|killed| (killed.name, KillCounts::default())).collect();
    let results = Mutex::new(KillResults { rows });
    super::in_lanes(project.lanes(), &|lane| {
        let Some(kill) = super::locked(&kills).next() else { return Ok(false) };
        let outcome = try_kill(lane, &kill)?;
        outcome.count(&kill, &mut super::locked(&results).rows[kill.row].1);
        Ok(true)
    })?;
    results.into_inner().map_err(|error| error.to_string())
}

/// A plain run of the test binary, or a campaign.
pub(crate) fn command(lane: &Lane, killed: &KilledRun, seed: u64, is_campaign: bool) -> Command {
    let test = format!("{MODULE}::{}", killed.test);
    let mut command = if is_campaign {
        let mut command = cargo(&lane.home);
        command.args(["rebut", "test", "--time", "1s", "-p", &lane.name, "--lib", &test]);
        command
    } else {
        let mut command = Command::new(&lane.binary);
        command.args([&test, "--exact"]).current_dir(&lane.home);
        set_environment(&mut command);
        command
    };
    command
        .env("REBUT_SEED", seed.to_string())
        .env("REBUT_CASES", CASES)
        .env("FAULTS_NOTES", lane.notes_file())
        .env("TMPDIR", lane.temporary());
    command
}

pub(crate) fn seeds(lane: &Lane, killed: &KilledRun) -> Result<Seeds, String> {
    let (mut finders, mut other) = (Vec::new(), None);
    for seed in 1..=SEEDS_MAX {
        lane.reset()?;
        let mut command = command(lane, killed, seed, false);
        for name in ["REBUT_DATABASE", "REBUT_EXPLAIN"] {
            command.env(name, "false");
        }
        command.env("REBUT_SHRINK_MAX", "0");
        let ended = Session::start(&command, &lane.home)?.end(SECONDS_MAX);
        match ended.code {
            Some(0) => other = other.or(Some(seed)),
            _ if finders.len() < FINDERS => finders.push(seed),
            _ => {}
        }
        if let Some(other) = other.filter(|_| finders.len() == FINDERS) {
            return Ok(Seeds { finders, other });
        }
    }
    Err(format!("{SEEDS_MAX} seeds of `{}` have found {} failures", killed.test, finders.len()))
}

/// How long a run takes without a kill.
pub(crate) fn duration(lane: &Lane, killed: &KilledRun, seed: u64) -> Result<Duration, String> {
    lane.reset()?;
    let mut command = command(lane, killed, seed, killed.is_campaign);
    command.env("FAULTS_SLOW", "1");
    let ended = Session::start(&command, &lane.home)?.end(SECONDS_MAX);
    if ended.code == Some(0) || ended.is_late || lane.notes().is_empty() {
        let last = ended.stderr.lines().last().unwrap_or_default();
        return Err(format!("{} does not fail: {:?} {last}", killed.name, ended.code));
    }
    Ok(ended.time)
}

/// The result of a kill.
struct KillOutcome {
    has_ended: bool,
    has_found: bool,
    next: Ended,
    is_reported: bool,
    stray: Vec<String>,
    left: Vec<String>,
}

fn try_kill(lane: &Lane, kill: &Kill) -> Result<KillOutcome, String> {
    let killed = &KILLED[kill.row];
    lane.reset()?;
    let mut first = command(lane, killed, kill.seed, killed.is_campaign);
    first.env("FAULTS_SLOW", "1");
    let mut session = Session::start(&first, &lane.home)?;
    if kill.is_after_failure {
        session.wait_for(&lane.notes_file(), SECONDS_MAX);
        session.begin_again();
    }
    let has_ended = session.wait_until(kill.moment);
    match (killed.is_campaign, kill.kills_all) {
        (false, _) => session.kill_program(),
        (true, true) => session.kill_all(),
        (true, false) => session.kill_first_below(&build_directory()),
    }
    let has_found = !lane.notes().is_empty();
    let first = session.end(SECONDS_MAX);
    let mut stray = lane.saved(&[]).1;
    stray.retain(|path| !path.starts_with("tmp"));
    let next = command(lane, killed, kill.other, false);
    let next = Session::start(&next, &lane.home)?.end(SECONDS_MAX);
    stray.extend(lane.saved(&[]).1.into_iter().filter(|path| !path.starts_with("tmp")));
    stray.extend(lane.journals());
    let is_reported = killed.is_reported(&next);
    let mut left = next.left.clone();
    // A command that outlives the test may take its time.
    left.extend(first.left.iter().cloned());
    Ok(KillOutcome { has_ended, has_found, next, is_reported, stray, left })
}

impl KillOutcome {
    fn count(self, kill: &Kill, counts: &mut KillCounts) {
        let moment = format!(
            "seed {}, {} {} us after the {}",
            kill.seed,
            if kill.kills_all { "all processes" } else { "the test process" },
            kill.moment.as_micros(),
            if kill.is_after_failure { "failure" } else { "start" },
        );
        counts.kills += 1;
        counts.ended += usize::from(self.has_ended);
        counts.found += usize::from(self.has_found && !self.has_ended);
        if self.next.is_late {
            counts.hangs.push(moment.clone());
        } else if self.has_found && !self.is_reported {
            counts.lost.push(format!("{moment}: the next run ended with {:?}", self.next.code));
        }
        if !self.stray.is_empty() {
            counts.stray.push(format!("{moment}: {}", self.stray.join(", ")));
        }
        if !self.left.is_empty() {
            counts.left.push(format!("{moment}: {}", self.left.join("; ")));
        }
    }
}

impl KillCounts {
    fn complaints(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let kinds = [
            ("lost", &self.lost),
            ("hangs", &self.hangs),
            ("files", &self.stray),
            ("processes", &self.left),
        ];
        kinds.into_iter().flat_map(|(kind, all)| all.iter().map(move |one| (kind, one)))
    }
}

impl KillResults {
    pub(crate) fn kills(&self) -> usize {
        self.rows.iter().map(|(_, counts)| counts.kills).sum()
    }

    /// All that is wrong: the row, the kind, the details.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        for (name, counts) in &self.rows {
            let all = counts.complaints();
            complaints.extend(all.map(|(kind, what)| format!("{name}: {kind}: {what}")));
        }
        complaints
    }

    pub(crate) fn table(&self) -> String {
        let mut table = String::from(
            "| killed | kills | after the end | failure was found | lost | hangs | files | processes |\n\
             |---|---|---|---|---|---|---|---|\n",
        );
        for (name, counts) in &self.rows {
            let _ = writeln!(
                table,
                "| {name} | {} | {} | {} | {} | {} | {} | {} |",
                counts.kills,
                counts.ended,
                counts.found,
                counts.lost.len(),
                counts.hangs.len(),
                counts.stray.len(),
                counts.left.len()
            );
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(change: impl FnOnce(&mut KillOutcome)) -> KillResults {
        let mut outcome = KillOutcome {
            has_ended: false,
            has_found: true,
            next: Ended { code: Some(101), ..Ended::default() },
            is_reported: true,
            stray: Vec::new(),
            left: Vec::new(),
        };
        change(&mut outcome);
        let kill = Kill {
            row: 0,
            seed: 7,
            other: 8,
            is_after_failure: false,
            moment: Duration::from_millis(3),
            kills_all: false,
        };
        let mut counts = KillCounts::default();
        outcome.count(&kill, &mut counts);
        KillResults { rows: vec![("a run", counts)] }
    }

    #[test]
    fn failures_are_lost_if_they_were_found_and_are_not_reported() {
        assert!(counted(|_| ()).complaints().is_empty());
        let lost = counted(|outcome| outcome.is_reported = false);
        assert_eq!(
            lost.complaints(),
            [
                "a run: lost: seed 7, the test process 3000 us after the start: the next run ended with Some(101)"
            ]
        );
        let unknown = counted(|outcome| {
            outcome.is_reported = false;
            outcome.has_found = false;
        });
        assert!(unknown.complaints().is_empty(), "the killed run had not found it");
    }

    #[test]
    fn remains_of_kills_are_complaints() {
        assert_eq!(counted(|outcome| outcome.next.is_late = true).complaints().len(), 1);
        assert_eq!(counted(|outcome| outcome.stray.push("a.new".into())).complaints().len(), 1);
        assert_eq!(counted(|outcome| outcome.left.push("7 S".into())).complaints().len(), 1);
        assert!(counted(|_| ()).table().contains("| a run | 1 | 0 | 1 | 0 | 0 | 0 | 0 |"));
    }
}
