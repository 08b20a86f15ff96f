//! Compares two reports.

use std::collections::BTreeMap;

use crate::model::{Property, Report};
use crate::words;

/// A property in two reports, and how it changed.
#[derive(Debug)]
pub(crate) struct ComparedProperty<'a> {
    pub(crate) name: &'a str,
    pub(crate) before: Option<&'a Property>,
    pub(crate) after: Option<&'a Property>,
    pub(crate) change: Change,
    /// Other differences, as sentences.
    pub(crate) details: Vec<String>,
}

/// How a property changed. The most urgent change comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    Broken,
    Changed,
    Fixed,
    Gone,
    New,
    Same,
}

impl Change {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Change::Broken => "broken",
            Change::Changed => "changed",
            Change::Fixed => "fixed",
            Change::Gone => "gone",
            Change::New => "new",
            Change::Same => "same",
        }
    }
}

/// Compares the properties with the same path and target. Of several runs, the last one counts.
pub(crate) fn compare<'a>(before: &'a Report, after: &'a Report) -> Vec<ComparedProperty<'a>> {
    type Pairs<'a> = BTreeMap<[&'a str; 3], (Option<&'a Property>, Option<&'a Property>)>;
    let mut pairs = Pairs::new();
    let key = |property: &'a Property| {
        [property.name.as_str(), property.package.as_str(), property.target.as_str()]
    };
    for property in &before.properties {
        pairs.entry(key(property)).or_default().0 = Some(property);
    }
    for property in &after.properties {
        pairs.entry(key(property)).or_default().1 = Some(property);
    }
    let compare_one = |([name, ..], (before, after)): ([&'a str; 3], _)| {
        let details = match (before, after) {
            (Some(before), Some(after)) => details(before, after),
            _ => Vec::new(),
        };
        ComparedProperty { name, before, after, change: change(before, after, &details), details }
    };
    let mut compared: Vec<ComparedProperty<'_>> = pairs.into_iter().map(compare_one).collect();
    compared.sort_by_key(|property| property.change);
    compared
}

fn change(before: Option<&Property>, after: Option<&Property>, details: &[String]) -> Change {
    match (before, after) {
        (None, _) => Change::New,
        (_, None) => Change::Gone,
        (Some(before), Some(after)) => match (before.is_success(), after.is_success()) {
            (true, false) => Change::Broken,
            (false, true) => Change::Fixed,
            _ if before.verdict() != after.verdict() || !details.is_empty() => Change::Changed,
            _ => Change::Same,
        },
    }
}

fn details(before: &Property, after: &Property) -> Vec<String> {
    let mut details = Vec::new();
    let origins = |property: &Property| -> Vec<String> {
        property.failures.iter().map(|input| input.origin.clone()).collect()
    };
    let (old, new) = (origins(before), origins(after));
    for input in after.failures.iter().filter(|input| !old.contains(&input.origin)) {
        details.push(format!("new failure: {}", words::summarize_failure(input)));
    }
    for input in before.failures.iter().filter(|input| !new.contains(&input.origin)) {
        details.push(format!("failure gone: {}", words::summarize_failure(input)));
    }
    for objective in &after.objectives {
        let same = before.objectives.iter().find(|one| one.label == objective.label);
        if let (Some(was), Some(is)) = (same.and_then(|one| one.value), objective.value)
            && was != is
        {
            let name = objective.name();
            details.push(format!("best {name}: {} → {}", words::value(was), words::value(is)));
        }
    }
    shifted_labels(before, after, &mut details);
    details
}

/// The difference between two shares that is reported, in standard deviations.
///
/// Four of them are exceeded by chance about once in 16,000 labels (two-sided normal tail). Smaller
/// differences are not reported.
const DEVIATIONS_MIN: f64 = 4.0;

/// Reports the labels whose share changed by more than chance explains: a two-proportion z-test.
fn shifted_labels(before: &Property, after: &Property, details: &mut Vec<String>) {
    let (n, m) = (before.cases() as f64, after.cases() as f64);
    if n < 1.0 || m < 1.0 {
        return;
    }
    let (old, new) = (before.labels(), after.labels());
    let of = |labels: &[(String, u64)], name: &str| {
        labels.iter().find(|(label, _)| label == name).map_or(0, |(_, cases)| *cases)
    };
    let names = old.iter().chain(new.iter().filter(|(label, _)| of(&old, label) == 0));
    for (name, _) in names {
        let (was, is) = (of(&old, name), of(&new, name));
        let pooled = (was + is) as f64 / (n + m);
        let deviation = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).max(0.0).sqrt();
        if (was as f64 / n - is as f64 / m).abs() > DEVIATIONS_MIN * deviation {
            let (was, is) = (words::percent(was, n as u64), words::percent(is, m as u64));
            details.push(format!("label {name}: {was} → {is}"));
        }
    }
}
