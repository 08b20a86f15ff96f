//! What changed from one report to another.

use std::collections::BTreeMap;

use crate::model::{Property, Report};
use crate::words;

/// A property in two reports.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    pub(crate) name: &'a str,
    pub(crate) before: Option<&'a Property>,
    pub(crate) after: Option<&'a Property>,
    pub(crate) kind: Kind,
    /// What else is different, in words.
    pub(crate) details: Vec<String>,
}

/// In which way a property changed; what needs a look comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Broken,
    Changed,
    Fixed,
    Gone,
    New,
    Same,
}

impl Kind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Broken => "broken",
            Kind::Changed => "changed",
            Kind::Fixed => "fixed",
            Kind::Gone => "gone",
            Kind::New => "new",
            Kind::Same => "same",
        }
    }
}

/// Compares properties of the same path in the same target; if one ran several times, its last run.
pub(crate) fn compare<'a>(before: &'a Report, after: &'a Report) -> Vec<Change<'a>> {
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
    let change = |([name, ..], (before, after)): ([&'a str; 3], _)| {
        let details = match (before, after) {
            (Some(before), Some(after)) => details(before, after),
            _ => Vec::new(),
        };
        Change { name, before, after, kind: kind(before, after, &details), details }
    };
    let mut changes: Vec<Change<'_>> = pairs.into_iter().map(change).collect();
    changes.sort_by_key(|change| change.kind);
    changes
}

fn kind(before: Option<&Property>, after: Option<&Property>, details: &[String]) -> Kind {
    match (before, after) {
        (None, _) => Kind::New,
        (_, None) => Kind::Gone,
        (Some(before), Some(after)) => match (before.is_success(), after.is_success()) {
            (true, false) => Kind::Broken,
            (false, true) => Kind::Fixed,
            _ if before.verdict() != after.verdict() || !details.is_empty() => Kind::Changed,
            _ => Kind::Same,
        },
    }
}

fn details(before: &Property, after: &Property) -> Vec<String> {
    let mut details = Vec::new();
    let origins = |property: &Property| -> Vec<String> {
        property.failures.iter().map(|told| told.origin.clone()).collect()
    };
    let (old, new) = (origins(before), origins(after));
    for told in after.failures.iter().filter(|told| !old.contains(&told.origin)) {
        details.push(format!("new failure: {}", words::what_broke_in_short(told)));
    }
    for told in before.failures.iter().filter(|told| !new.contains(&told.origin)) {
        details.push(format!("failure gone: {}", words::what_broke_in_short(told)));
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

/// Labels whose share changed by more than chance explains: four standard deviations.
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
        let together = (was + is) as f64 / (n + m);
        let deviation = (together * (1.0 - together) * (1.0 / n + 1.0 / m)).max(0.0).sqrt();
        if (was as f64 / n - is as f64 / m).abs() > 4.0 * deviation {
            let (was, is) = (words::percent(was, n as u64), words::percent(is, m as u64));
            details.push(format!("label {name}: {was} → {is}"));
        }
    }
}
