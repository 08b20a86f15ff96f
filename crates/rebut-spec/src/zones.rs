//! Locations: the cities of the IANA time zone database.
//!
//! Two locations are in the same time zone if their clocks agreed at all times from 1970 to
//! January 2025, whatever their names. The list is ordered so that a short prefix is spread over
//! the day: first one location for each offset, then another time zone for each offset, and so
//! on. Further locations in a time zone that is already listed come last.

use jiff::Timestamp;
use jiff::tz::{self, TimeZone};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

/// A location.
#[derive(Debug)]
pub struct Location {
    /// The IANA name: `Europe/Amsterdam`.
    pub name: String,
    /// A hash of the clock's history. Locations with the same number are in the same time zone.
    pub clock: u64,
    /// Seconds east of Greenwich in January 2025.
    pub offset_seconds: i32,
}

/// All locations. A value of sort `Location` is an index into this list.
#[must_use]
pub fn locations() -> &'static [Location] {
    static LOCATIONS: OnceLock<Vec<Location>> = OnceLock::new();
    LOCATIONS.get_or_init(load)
}

/// The time zone of a location, as the index of the first location in it.
#[must_use]
pub(crate) fn class(location: i128) -> Option<i128> {
    static CLASSES: OnceLock<Vec<i128>> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| {
        let mut first: HashMap<u64, i128> = HashMap::new();
        let numbered = locations().iter().zip(0_i128..);
        numbered.map(|(location, at)| *first.entry(location.clock).or_insert(at)).collect()
    });
    classes.get(usize::try_from(location).ok()?).copied()
}

/// The index of the location with an IANA name, in any case.
#[must_use]
pub(crate) fn find(name: &str) -> Option<usize> {
    locations().iter().position(|location| location.name.eq_ignore_ascii_case(name))
}

fn load() -> Vec<Location> {
    let database = tz::TimeZoneDatabase::bundled();
    let names = database.available().map(|name| name.to_string());
    let likely = names.filter(|name| name.contains('/') && !is_no_location(name));
    let locations = likely.filter_map(|name| {
        let zone = database.get(&name).ok()?;
        let offset_seconds = zone.to_offset(january()).seconds();
        Some(Location { name, clock: clock(&zone), offset_seconds })
    });
    spread(locations.collect())
}

/// Whether a name is not a location: `Etc/GMT+3`, or an old name kept for compatibility.
fn is_no_location(name: &str) -> bool {
    let old = ["Etc/", "US/", "Canada/", "Brazil/", "Chile/", "Mexico/", "SystemV/"];
    old.iter().any(|prefix| name.starts_with(prefix))
}

/// The start of 2025. Later changes of the clocks are only predictions.
fn january() -> Timestamp {
    Timestamp::from_second(1_735_689_600).unwrap_or_default()
}

/// Hashes the offsets of a time zone since 1970.
fn clock(zone: &TimeZone) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    zone.to_offset(Timestamp::UNIX_EPOCH).seconds().hash(&mut hasher);
    let until = january();
    for transition in zone.following(Timestamp::UNIX_EPOCH).take_while(|t| t.timestamp() <= until) {
        transition.timestamp().as_second().hash(&mut hasher);
        transition.offset().seconds().hash(&mut hasher);
    }
    hasher.finish()
}

/// Orders the list as the module comment describes.
fn spread(mut locations: Vec<Location>) -> Vec<Location> {
    // Of locations with the same clock, the shorter name is usually the better known one.
    locations.sort_unstable_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
    let offsets: BTreeSet<i32> = locations.iter().map(|location| location.offset_seconds).collect();
    let mut rows: HashMap<i32, usize> = HashMap::new();
    let mut clocks: HashSet<u64> = HashSet::new();
    let mut ranked: Vec<((bool, usize, usize), Location)> = Vec::new();
    for location in locations {
        let first = clocks.insert(location.clock);
        let row = rows.entry(location.offset_seconds).or_default();
        *row += usize::from(first);
        let column = offsets.range(..location.offset_seconds).count();
        // Steps of 8 through the offsets, so that neighbors in the list are far apart.
        let order = column * 8 % offsets.len() * offsets.len() + column;
        ranked.push(((!first, *row, order), location));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, location)| location).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locations_of_the_paper_are_listed() {
        for name in ["America/New_York", "America/Vancouver", "Asia/Tokyo"] {
            assert!(find(name).is_some(), "{name}");
        }
        let zones = (0..locations().len() as i128).filter(|at| class(*at) == Some(*at)).count();
        assert!((250..400).contains(&zones), "{zones}");
    }

    #[test]
    fn the_first_locations_have_different_offsets() {
        let mut offsets: Vec<i32> =
            locations().iter().take(20).map(|location| location.offset_seconds).collect();
        offsets.sort_unstable();
        offsets.dedup();
        assert_eq!(offsets.len(), 20);
    }
}
