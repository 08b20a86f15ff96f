//! The memory and the descriptors of processes over time, and whether they are flat.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::faults::process::Session;

/// Memory may grow by a fifth and 16 MB from the second quarter to the last one. Measured: in a minute,
/// no process grows by more than 1 MB. A leak of 100 bytes per case is above the limit after some
/// 200,000 cases, and a property has that many in seconds.
const MEMORY_GROWTH: f64 = 1.2;
const MEMORY_MORE_KB: u64 = 16 << 10;
/// Descriptors may grow by this number. Measured: the medians of a process differ by at most two. A
/// leak of one per round of a campaign is above the limit after nine rounds.
const DESCRIPTORS_MORE: u64 = 8;
/// A process with fewer samples is not judged: a quarter would have fewer than four.
const SAMPLES_MIN: usize = 16;

/// The memory and the descriptors of a process at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) memory_kb: u64,
    pub(super) descriptors: u64,
}

/// Medians of the second and the last quarter of a process. The first quarter warms up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quarters {
    pub(super) second: Sample,
    pub(super) last: Sample,
}

impl Quarters {
    /// The quarters of these samples, if they are enough to judge.
    pub(super) fn of(samples: &[Sample]) -> Option<Quarters> {
        if samples.len() < SAMPLES_MIN {
            return None;
        }
        let quarter = samples.len() / 4;
        let medians = |samples: &[Sample]| Sample {
            memory_kb: median(samples.iter().map(|sample| sample.memory_kb)),
            descriptors: median(samples.iter().map(|sample| sample.descriptors)),
        };
        Some(Quarters {
            second: medians(&samples[quarter..2 * quarter]),
            last: medians(&samples[samples.len() - quarter..]),
        })
    }

    /// Returns the name of the part that grows.
    pub(super) fn growth(&self) -> Option<&'static str> {
        let Quarters { second, last } = self;
        let memory_max = (second.memory_kb as f64 * MEMORY_GROWTH) as u64 + MEMORY_MORE_KB;
        if last.memory_kb > memory_max {
            Some("memory")
        } else if last.descriptors > second.descriptors + DESCRIPTORS_MORE {
            Some("descriptors")
        } else {
            None
        }
    }
}

impl fmt::Display for Quarters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Quarters { second, last } = self;
        write!(
            f,
            "{} to {} MB, {} to {} descriptors",
            second.memory_kb >> 10,
            last.memory_kb >> 10,
            second.descriptors,
            last.descriptors
        )
    }
}

fn median(values: impl Iterator<Item = u64>) -> u64 {
    let mut values: Vec<u64> = values.collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

/// The processes of a session, as they were seen.
#[derive(Debug, Default)]
pub(super) struct Processes {
    /// By start and id, which together are unique.
    seen: BTreeMap<(u64, u32), SeenProcess>,
}

/// A process and its samples.
#[derive(Debug, Default)]
pub(super) struct SeenProcess {
    pub(super) program: PathBuf,
    pub(super) samples: Vec<Sample>,
}

impl Processes {
    /// Takes a sample of every process with one of these programs. Cargo and the compiler are not
    /// measured.
    pub(super) fn sample(&mut self, session: &Session<'_>, is_measured: &dyn Fn(&Path) -> bool) {
        for member in session.members() {
            // A process may have ended since.
            let Some((program, sample)) = sample(member.id) else { continue };
            if !is_measured(&program) {
                continue;
            }
            let seen = self.seen.entry((member.start, member.id)).or_default();
            seen.program = program;
            seen.samples.push(sample);
        }
    }

    /// The processes, those with the most samples first.
    pub(super) fn longest(&self) -> Vec<&SeenProcess> {
        let mut all: Vec<&SeenProcess> = self.seen.values().collect();
        all.sort_by_key(|process| std::cmp::Reverse(process.samples.len()));
        all
    }
}

fn sample(id: u32) -> Option<(PathBuf, Sample)> {
    let program = fs::read_link(format!("/proc/{id}/exe")).ok()?;
    let memory_kb = resident_kb(&fs::read_to_string(format!("/proc/{id}/status")).ok()?)?;
    let descriptors = fs::read_dir(format!("/proc/{id}/fd")).ok()?.count() as u64;
    Some((program, Sample { memory_kb, descriptors }))
}

/// The resident memory in `/proc/ID/status`.
fn resident_kb(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(sample: impl Fn(u64) -> Sample) -> Vec<Sample> {
        (0..100).map(sample).collect()
    }

    fn growth(samples: &[Sample]) -> Option<&'static str> {
        Quarters::of(samples).expect("enough samples").growth()
    }

    #[test]
    fn steady_processes_are_flat() {
        let flat = series(|nth| Sample { memory_kb: 50_000 + nth % 7 * 1000, descriptors: 9 });
        assert_eq!(growth(&flat), None);
    }

    #[test]
    fn leaks_are_found() {
        let memory = series(|nth| Sample { memory_kb: 50_000 + nth * 700, descriptors: 9 });
        assert_eq!(growth(&memory), Some("memory"));
        let descriptors = series(|nth| Sample { memory_kb: 50_000, descriptors: 9 + nth / 5 });
        assert_eq!(growth(&descriptors), Some("descriptors"));
    }

    #[test]
    fn first_quarters_may_grow() {
        let warm =
            series(|nth| Sample { memory_kb: nth.min(25) * 10_000, descriptors: nth.min(25) });
        assert_eq!(growth(&warm), None);
    }

    #[test]
    fn short_peaks_are_not_leaks() {
        let peak = series(|nth| Sample {
            memory_kb: if nth > 95 { 900_000 } else { 50_000 },
            descriptors: 9,
        });
        assert_eq!(growth(&peak), None);
    }

    #[test]
    fn short_series_are_not_judged() {
        assert_eq!(Quarters::of(&vec![Sample::default(); SAMPLES_MIN - 1]), None);
        assert!(Quarters::of(&vec![Sample::default(); SAMPLES_MIN]).is_some());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn processes_have_memory_and_descriptors() {
        let (_, sample) = sample(std::process::id()).expect("this process runs");
        assert!(sample.memory_kb > 100 && sample.descriptors >= 3, "{sample:?}");
        assert!(super::sample(u32::MAX).is_none());
    }

    #[test]
    fn resident_memory_is_read_from_the_status() {
        let status = "Name:\tx\nVmHWM:\t    9000 kB\nVmRSS:\t    8124 kB\nThreads:\t1\n";
        assert_eq!(resident_kb(status), Some(8124));
        assert_eq!(resident_kb("Name:\tx\n"), None);
    }
}
