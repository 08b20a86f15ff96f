//! Which of its checks a property reached.
//!
//! A property whose assertion is in a branch that no input takes passes, and tests nothing.
//! `#[rebut::test]` therefore marks the sites where the body checks something (`claims.rs` in
//! `rebut-macros`). A mark sets a bit for the running case; the runner counts the cases with at
//! least one bit, and remembers which bits were ever set.
//!
//! A mark on the thread of the case sets the bit in thread-local memory, so that two tests that
//! share a body, as rows do, do not see each other. A mark on another thread does not know its
//! case. It sets the bit in the static for good and counts itself there, and a case during which
//! the count changed takes those bits. So such a mark may count for too many cases, and never for
//! too few.
//!
//! An explored test has no marks: each would be one more instruction on its path.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::strings;
use crate::verdict::{Statistics, Verdict};
use crate::wasm_guest::IS_EXPLORED;

/// The marks of a property that were reached on other threads than that of its case. Generated
/// code has one for each property.
#[derive(Debug)]
pub struct ReachedSites {
    bits: AtomicU64,
    count: AtomicU64,
}

/// The marks of a property, as `#[rebut::test]` describes them.
#[derive(Clone, Copy, Debug)]
pub struct ClaimSites {
    /// The static that the marks name.
    pub reached: &'static ReachedSites,
    /// The line of each mark and the number of its kind.
    pub sites: &'static [(u32, u8)],
    /// Whether a run that reaches no mark fails.
    pub is_required: bool,
}

thread_local! {
    /// The address of the static whose marks count for the case of this thread, and their bits.
    static RUNNING: Cell<(usize, u64)> = const { Cell::new((0, 0)) };
}

impl ReachedSites {
    /// Creates the static of a property.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "only a static has one")]
    pub const fn new() -> ReachedSites {
        ReachedSites { bits: AtomicU64::new(0), count: AtomicU64::new(0) }
    }

    /// Marks a site as reached.
    #[inline]
    pub fn reach(&'static self, site: u32) {
        if IS_EXPLORED {
            return;
        }
        let bit = 1 << (site & 63);
        // The memory of a thread that is ending may be gone.
        let is_here = RUNNING.try_with(|running| {
            let (owner, bits) = running.get();
            let is_here = owner == self.address();
            if is_here {
                running.set((owner, bits | bit));
            }
            is_here
        });
        if is_here != Ok(true) {
            self.reach_elsewhere(bit);
        }
    }

    #[cold]
    fn reach_elsewhere(&self, bit: u64) {
        self.bits.fetch_or(bit, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}

/// A case whose marks are collected.
pub(crate) struct ReachedByCase {
    sites: Option<ClaimSites>,
    outer: (usize, u64),
    count: u64,
}

impl ReachedByCase {
    /// Begins a case on this thread. It may run inside of a case of another property.
    pub(crate) fn begin(sites: Option<ClaimSites>) -> ReachedByCase {
        let Some(sites) = sites.filter(|_| !IS_EXPLORED) else {
            return ReachedByCase { sites: None, outer: (0, 0), count: 0 };
        };
        let outer = RUNNING.replace((sites.reached.address(), 0));
        let count = sites.reached.count.load(Ordering::Relaxed);
        ReachedByCase { sites: Some(sites), outer, count }
    }

    /// Ends the case and returns the bits of the marks that it reached.
    pub(crate) fn end(self) -> u64 {
        let Some(ClaimSites { reached, .. }) = self.sites else { return 0 };
        let (_, mut bits) = RUNNING.replace(self.outer);
        if reached.count.load(Ordering::Relaxed) != self.count {
            bits |= reached.bits.load(Ordering::Relaxed);
        }
        bits
    }
}

/// How often the cases of a run checked something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClaimCounts {
    sites: ClaimSites,
    /// The number of cases that reached a mark.
    pub(crate) cases: u64,
    /// The bits of the marks that were ever reached.
    reached: u64,
}

/// How a site checks something. The numbers are those of `SiteKind` in `rebut-macros`; one between them
/// is a call that may check something.
const ASSERTION: u8 = 0;
const CHECK: u8 = 1;
const RESULT: u8 = 2;
/// A condition that is a check if the function behind it does not return. It is not a reason to
/// fail a test, or to say that something was checked.
const CONDITION: u8 = 4;

/// A run with fewer cases does not show that an assertion is never reached. With this many, one
/// that a case reaches with probability 1 % is missed once in 20,000 runs. The default number of
/// cases.
const CASES_MIN: u64 = 1000;
/// While no case has checked anything, run up to this many times as many cases. An assertion that
/// two cases in 1000 reach would otherwise fail one run in seven. `cover!` uses the same factor.
const MORE: u64 = 10;
/// Warn if fewer than one case in this many checks something. A product decision.
const RARE: u64 = 100;

impl ClaimCounts {
    pub(crate) fn new(sites: ClaimSites) -> ClaimCounts {
        ClaimCounts { sites, cases: 0, reached: 0 }
    }

    /// Counts a case that was not rejected.
    pub(crate) fn count(&mut self, reached: u64) {
        self.cases += u64::from(reached & !self.conditions() != 0);
        self.reached |= reached;
    }

    /// Returns the bits of the conditions that may be checks.
    fn conditions(&self) -> u64 {
        let mut bits = 0;
        for (nth, (_, kind)) in self.sites.sites.iter().enumerate() {
            if *kind == CONDITION {
                bits |= 1 << (nth & 63);
            }
        }
        bits
    }

    /// Returns the sites that are checks, or calls that may be.
    fn listed(&self) -> Vec<(usize, (u32, u8))> {
        let mut listed = Vec::new();
        for (nth, site) in self.sites.sites.iter().enumerate() {
            if site.1 != CONDITION {
                listed.push((nth, *site));
            }
        }
        listed
    }

    /// Returns whether it is certain that the marks are checks, and not calls that may be.
    fn has_checks(&self) -> bool {
        self.sites.sites.iter().any(|(_, kind)| [ASSERTION, CHECK, RESULT].contains(kind))
    }

    fn is_idle(&self) -> bool {
        // A thread may have outlived its case.
        self.cases == 0 && self.reached == 0 && self.sites.reached.bits.load(Ordering::Relaxed) == 0
    }

    fn never_reached(&self) -> Vec<(u32, u8)> {
        let reached = self.reached | self.sites.reached.bits.load(Ordering::Relaxed);
        let mut never: Vec<(u32, u8)> = Vec::new();
        for (nth, site) in self.listed() {
            if reached & (1 << (nth & 63)) == 0 {
                never.push(site);
            }
        }
        never
    }

    /// Returns the lines of assertions that no case reached.
    pub(crate) fn idle_assertions(&self) -> Vec<u32> {
        let mut lines = Vec::new();
        for (line, kind) in self.never_reached() {
            if kind == ASSERTION && !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    /// Returns what the marks stand for, as a subject: "the assertion".
    fn subject(&self) -> &'static str {
        let listed = self.listed();
        let all = |wanted: u8| listed.iter().all(|(_, (_, kind))| *kind == wanted);
        let has_one = listed.len() == 1;
        match has_one {
            true if all(ASSERTION) => "the assertion",
            true if all(CHECK) => "the check",
            true if all(RESULT) => "the result",
            true => "the call",
            false if all(ASSERTION) => "an assertion",
            false => "a check",
        }
    }

    /// Returns the lines of the report about what was checked.
    pub(crate) fn summary(&self, valid: u64) -> Vec<String> {
        // A product decision: the report is about the property, not about its lines.
        // The number of sites to list. A product decision: the first ones say enough.
        const SHOWN_MAX: usize = 3;
        if valid == 0 || self.listed().is_empty() {
            return Vec::new();
        }
        let subject = self.subject();
        let verb = if subject == "the result" { "was computed" } else { "ran" };
        let of = match valid {
            _ if self.cases != valid => format!("{} of {valid} cases", self.cases),
            1 => "the only case".to_owned(),
            _ => "every case".to_owned(),
        };
        let mut lines = vec![format!("{subject} {verb} in {of}")];
        let idle = self.idle_assertions();
        // Otherwise the first line says the same.
        if self.listed().len() > 1 {
            for line in idle.iter().take(SHOWN_MAX) {
                lines.push(format!("the assertion in line {line} never ran"));
            }
            if idle.len() > SHOWN_MAX {
                let more = (idle.len() - SHOWN_MAX) as u64;
                lines.push(format!("{} never ran", strings::counted(more, "more assertion")));
            }
        }
        lines
    }

    /// Describes the sites that no case reached.
    fn idle_sites(&self) -> String {
        // The number of sites to list. A product decision: the first ones say enough.
        const SHOWN_MAX: usize = 3;
        let mut places = Vec::new();
        for (line, kind) in self.never_reached() {
            let what = match kind {
                ASSERTION => "the assertion",
                CHECK => "the check",
                RESULT => "the result",
                _ => "the call",
            };
            let place = format!("{what} in line {line}");
            // A macro may write several assertions for one line.
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let more = places.len().saturating_sub(SHOWN_MAX);
        if more > 0 {
            places.truncate(SHOWN_MAX);
            places.push(format!("{more} more"));
        }
        strings::joined(&places, ", ")
    }
}

/// The advice for a property that rarely or never checks anything.
pub(crate) const ADVICE: &str = "generate inputs that get there (`#[from(..)]`, bounds, a specification), or say which inputs the test is about: `rebut::assume!(..)`";

/// Returns whether more cases are needed to decide whether a property checks anything.
pub(crate) fn is_undecided(statistics: &Statistics, cases: u64) -> bool {
    let Some(claims) = &statistics.claims else { return false };
    claims.sites.is_required
        && claims.has_checks()
        && claims.is_idle()
        && statistics.valid < cases.saturating_mul(MORE)
}

/// Returns the verdict of a run in which no case checked anything. `is_complete` is true if no
/// other case can be run.
pub(crate) fn vacuous(statistics: &Statistics, is_complete: bool) -> Option<Verdict> {
    let claims = statistics.claims.as_ref()?;
    let is_certain = is_complete || statistics.valid >= CASES_MIN;
    let may_fail = claims.sites.is_required && claims.has_checks();
    if !may_fail || !claims.is_idle() || !is_certain {
        return None;
    }
    Some(Verdict::Vacuous(format!(
        "{} passed; never reached: {}",
        strings::counted(statistics.valid, "case"),
        claims.idle_sites()
    )))
}

/// Returns a warning if a test that passed checked almost nothing.
pub(crate) fn warning(property: &str, statistics: &Statistics) -> Option<String> {
    let claims = statistics.claims.as_ref()?;
    let valid = statistics.valid;
    let has_sites = !claims.listed().is_empty();
    if valid == 0 || !has_sites || claims.cases.saturating_mul(RARE) >= valid {
        return None;
    }
    // Other threads have no count.
    if claims.cases == 0 && claims.sites.reached.bits.load(Ordering::Relaxed) != 0 {
        return None;
    }
    let subject = claims.subject();
    let verb = if subject == "the result" { "was computed" } else { "ran" };
    let places = match claims.idle_sites() {
        places if places.is_empty() || claims.listed().len() == 1 => String::new(),
        places => format!("; never reached: {places}"),
    };
    Some(format!(
        "`{property}`: {subject} {verb} in only {} of {}{places}\nhelp: {ADVICE}",
        claims.cases,
        strings::counted(valid, "case"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_in_one_line_are_listed_once() {
        static REACHED: ReachedSites = ReachedSites::new();
        let claims = |sites: &'static [(u32, u8)]| {
            ClaimCounts::new(ClaimSites { reached: &REACHED, sites, is_required: true })
        };
        let twice = claims(&[(154, ASSERTION), (154, ASSERTION), (154, CHECK)]);
        assert_eq!(twice.idle_sites(), "the assertion in line 154, the check in line 154");
        assert_eq!(twice.summary(9)[1..], ["the assertion in line 154 never ran"]);
        let many = claims(&[
            (1, ASSERTION),
            (1, ASSERTION),
            (2, ASSERTION),
            (3, ASSERTION),
            (3, ASSERTION),
            (4, ASSERTION),
        ]);
        assert_eq!(
            many.idle_sites(),
            "the assertion in line 1, the assertion in line 2, the assertion in line 3, 1 more"
        );
        assert_eq!(many.summary(9).last().map(String::as_str), Some("1 more assertion never ran"));
    }
}
