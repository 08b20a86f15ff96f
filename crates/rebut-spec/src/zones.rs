//! Places on earth, told apart by their IANA time zones.
//!
//! Two places are in the same time zone if their clocks have agreed at all times since 1970,
//! whatever their names. The list is ordered so that a short prefix of it is spread over the
//! day: first a place for each offset, then another time zone for each offset, and so on;
//! further places in a time zone that was there come last.

use jiff::Timestamp;
use jiff::tz::{self, TimeZone};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

/// A place.
#[derive(Debug)]
pub struct Place {
    /// The IANA name: `Europe/Amsterdam`.
    pub name: String,
    /// Places with the same number have the same clock.
    pub clock: u64,
    /// Seconds east of Greenwich in January 2025.
    pub offset_seconds: i32,
}

/// All places. A Location is a number in this list.
#[must_use]
pub fn places() -> &'static [Place] {
    static PLACES: OnceLock<Vec<Place>> = OnceLock::new();
    PLACES.get_or_init(load)
}

/// The time zone of a place: the number of the first place in it.
#[must_use]
pub(crate) fn class(place: i128) -> Option<i128> {
    static CLASSES: OnceLock<Vec<i128>> = OnceLock::new();
    let classes = CLASSES.get_or_init(|| {
        let mut first: HashMap<u64, i128> = HashMap::new();
        let numbered = places().iter().zip(0_i128..);
        numbered.map(|(place, at)| *first.entry(place.clock).or_insert(at)).collect()
    });
    classes.get(usize::try_from(place).ok()?).copied()
}

/// The place with an IANA name.
#[must_use]
pub(crate) fn find(name: &str) -> Option<usize> {
    places().iter().position(|place| place.name.eq_ignore_ascii_case(name))
}

fn load() -> Vec<Place> {
    let database = tz::TimeZoneDatabase::bundled();
    let names = database.available().map(|name| name.to_string());
    let likely = names.filter(|name| name.contains('/') && !unlikely(name));
    let places = likely.filter_map(|name| {
        let zone = database.get(&name).ok()?;
        let offset_seconds = zone.to_offset(january()).seconds();
        Some(Place { name, clock: clock(&zone), offset_seconds })
    });
    spread(places.collect())
}

/// Names that are no places: `Etc/GMT+3`, and old names kept for compatibility.
fn unlikely(name: &str) -> bool {
    let old = ["Etc/", "US/", "Canada/", "Brazil/", "Chile/", "Mexico/", "SystemV/"];
    old.iter().any(|prefix| name.starts_with(prefix))
}

fn january() -> Timestamp {
    Timestamp::from_second(1_735_689_600).unwrap_or_default()
}

/// A number that two zones share if their clocks agree since 1970.
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

fn spread(mut places: Vec<Place>) -> Vec<Place> {
    // Of places with the same clock the shorter name is the better known, by and large.
    places.sort_unstable_by(|a, b| (a.name.len(), &a.name).cmp(&(b.name.len(), &b.name)));
    let offsets: BTreeSet<i32> = places.iter().map(|place| place.offset_seconds).collect();
    let mut rows: HashMap<i32, usize> = HashMap::new();
    let mut clocks: HashSet<u64> = HashSet::new();
    let mut ranked: Vec<((bool, usize, usize), Place)> = Vec::new();
    for place in places {
        let first = clocks.insert(place.clock);
        let row = rows.entry(place.offset_seconds).or_default();
        *row += usize::from(first);
        let column = offsets.range(..place.offset_seconds).count();
        // Steps through the offsets: neighbors in the list are far apart on earth.
        let order = column * 8 % offsets.len() * offsets.len() + column;
        ranked.push(((!first, *row, order), place));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_places_of_the_paper() {
        for name in ["America/New_York", "America/Vancouver", "Asia/Tokyo"] {
            assert!(find(name).is_some(), "{name}");
        }
        let zones = (0..places().len() as i128).filter(|at| class(*at) == Some(*at)).count();
        assert!((250..400).contains(&zones), "{zones}");
    }

    #[test]
    fn the_first_places_have_different_offsets() {
        let mut offsets: Vec<i32> =
            places().iter().take(20).map(|place| place.offset_seconds).collect();
        offsets.sort_unstable();
        offsets.dedup();
        assert_eq!(offsets.len(), 20);
    }
}
