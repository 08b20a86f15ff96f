//! Judges verdicts: compares them with what is true of the properties.

use std::collections::BTreeMap;

use super::engine::TimedVerdict;
use super::property::Property;
use super::verdict::{Verdict, kind_of};

/// How good a verdict is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grade {
    /// It is decided, and rightly.
    Right,
    /// It is not decided.
    Open,
    /// There was no verdict in time.
    Missing,
    /// It is decided, and wrongly.
    Wrong,
}

/// Compares a verdict with the truth.
pub(super) fn grade(property: &Property, verdict: &Verdict) -> Grade {
    match (verdict, property.fails()) {
        (Verdict::Missing, _) => Grade::Missing,
        (Verdict::Held(_) | Verdict::Unknown(_), _) => Grade::Open,
        (Verdict::Proved, false) | (Verdict::Failed, true) => Grade::Right,
        (Verdict::Proved, true) | (Verdict::Failed, false) | (Verdict::Vacuous, _) => Grade::Wrong,
    }
}

/// The counts of a class or a crate.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// The verdicts on properties that fail, and on those that hold.
    false_ones: BTreeMap<Grade, usize>,
    true_ones: BTreeMap<Grade, usize>,
    /// Sentences about each wrong verdict.
    pub(super) wrong: Vec<String>,
    /// How often there was each reason for no decision.
    pub(super) reasons: BTreeMap<String, usize>,
    /// Properties that should be proved and are not, with the reason.
    pub(super) unproved: Vec<(String, String)>,
    /// The CPU seconds of each verdict.
    pub(super) seconds: Vec<f64>,
}

impl Tally {
    /// Counts a verdict.
    pub(super) fn add(&mut self, property: &Property, found: Option<&TimedVerdict>) {
        let missing = TimedVerdict { verdict: Verdict::Missing, seconds: 0.0 };
        let TimedVerdict { verdict, seconds } = found.unwrap_or(&missing);
        let grade = grade(property, verdict);
        let counts = if property.fails() { &mut self.false_ones } else { &mut self.true_ones };
        *counts.entry(grade).or_default() += 1;
        if found.is_some() {
            self.seconds.push(*seconds);
        }
        let path = property.path();
        if grade == Grade::Wrong {
            self.wrong.push(format!("`{path}` gets the verdict {verdict:?}, which is wrong"));
        }
        let reason = match verdict {
            Verdict::Missing => "no verdict in time".to_owned(),
            _ => verdict.reasons().first().map(|reason| kind_of(reason)).unwrap_or_default(),
        };
        if grade != Grade::Right && property.has_proof() {
            self.unproved.push((path, reason.clone()));
        }
        if matches!(grade, Grade::Open | Grade::Missing) {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }

    /// The CPU seconds of all verdicts.
    pub(super) fn cpu_seconds(&self) -> f64 {
        self.seconds.iter().fold(0.0, |sum, seconds| sum + seconds)
    }

    /// How many verdicts on properties that fail have this grade.
    pub(super) fn false_ones(&self, grade: Grade) -> usize {
        self.false_ones.get(&grade).copied().unwrap_or(0)
    }

    /// How many verdicts on properties that hold have this grade.
    pub(super) fn true_ones(&self, grade: Grade) -> usize {
        self.true_ones.get(&grade).copied().unwrap_or(0)
    }

    /// How many verdicts have this grade.
    pub(super) fn count(&self, grade: Grade) -> usize {
        self.false_ones(grade) + self.true_ones(grade)
    }

    /// How many properties there are.
    pub(super) fn count_all(&self) -> usize {
        self.false_ones.values().chain(self.true_ones.values()).sum()
    }

    /// The sum of two tallies.
    pub(super) fn and(mut self, other: &Tally) -> Tally {
        let add = |to: &mut BTreeMap<Grade, usize>, from: &BTreeMap<Grade, usize>| {
            from.iter().for_each(|(grade, count)| *to.entry(*grade).or_default() += count);
        };
        add(&mut self.false_ones, &other.false_ones);
        add(&mut self.true_ones, &other.true_ones);
        self.wrong.extend(other.wrong.iter().cloned());
        self.unproved.extend(other.unproved.iter().cloned());
        self.seconds.extend(&other.seconds);
        for (reason, count) in &other.reasons {
            *self.reasons.entry(reason.clone()).or_default() += count;
        }
        self
    }
}

/// Adds the opposite of what is true of a property, and returns whether the tally notices it.
pub(super) fn finds_canary(property: &Property) -> bool {
    let verdict = if property.fails() { Verdict::Proved } else { Verdict::Failed };
    let mut tally = Tally::default();
    tally.add(property, Some(&TimedVerdict { verdict, seconds: 0.0 }));
    tally.count(Grade::Wrong) == 1 && tally.wrong.len() == 1
}

/// Properties in an order that depends on a seed only, to take the first of them.
pub(super) fn shuffled(properties: Vec<&Property>, seed: u64) -> Vec<&Property> {
    let mut properties = properties;
    // FNV-1a, with the seed as its start.
    let hash = |property: &&Property| {
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        property.path().bytes().fold(seed ^ 0xCBF2_9CE4_8422_2325, step)
    };
    properties.sort_by_key(hash);
    properties
}

#[cfg(test)]
mod tests {
    use super::super::property::Truth;
    use super::*;

    fn property(name: &str, fails: bool) -> Property {
        let (effort, cases) = ("easy".to_owned(), vec!["0".to_owned()]);
        let fails = fails.then_some(Truth::Fails { effort, cases });
        let holds = Truth::Holds { may_stay_open: false, why: "so".to_owned() };
        Property {
            file: "width".to_owned(),
            name: name.to_owned(),
            truth: fails.unwrap_or(holds),
            draws: Vec::new(),
        }
    }

    #[test]
    fn canaries_are_found() {
        assert!(finds_canary(&property("one", true)));
        assert!(finds_canary(&property("one", false)));
    }

    #[test]
    fn verdicts_are_compared_with_the_truth() {
        let (fails, holds) = (property("one", true), property("one", false));
        assert_eq!(grade(&fails, &Verdict::Failed), Grade::Right);
        assert_eq!(grade(&holds, &Verdict::Proved), Grade::Right);
        assert_eq!(grade(&fails, &Verdict::Held(Vec::new())), Grade::Open);
        assert_eq!(grade(&holds, &Verdict::Vacuous), Grade::Wrong);
        let mut tally = Tally::default();
        tally.add(&holds, None);
        let reasons = vec!["the limit of 3 runs".to_owned()];
        tally.add(&fails, Some(&TimedVerdict { verdict: Verdict::Unknown(reasons), seconds: 1.0 }));
        assert_eq!(
            (tally.count_all(), tally.count(Grade::Missing), tally.count(Grade::Open)),
            (2, 1, 1)
        );
        assert_eq!(tally.unproved.len(), 1);
        assert_eq!(tally.reasons.get("the limit of N runs"), Some(&1));
    }

    #[test]
    fn seeds_choose_an_order() {
        let all: Vec<Property> = (0..9).map(|n| property(&format!("p{n}"), true)).collect();
        let order = |seed| -> Vec<String> {
            shuffled(all.iter().collect(), seed).iter().map(|one| one.name.clone()).collect()
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
    }
}
