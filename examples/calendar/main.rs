//! A calendar that reads times out of the names of events: `cargo run --example calendar`.
//!
//! `calendar.json` is the specification of the service as it is, `outline.rebut` says what
//! this test wants of it: times that follow the specification in different ways, and flights
//! to different time zones. The same inputs are printed by
//! `cargo rebut generate examples/calendar/outline.rebut`.

#![expect(clippy::print_stdout, reason = "the story is what it prints")]

use rebut_examples::inputs;

/// Minutes after midnight that a name ends with.
///
/// The mistake: PM is only seen after a space, and the specification does not ask for one.
fn time_in(name: &str) -> Option<u32> {
    let time = name.strip_prefix("meeting ")?;
    let (hours, rest) = time.split_once(':')?;
    let hours: u32 = hours.parse().ok()?;
    let (minutes, half) = rest.split_at_checked(2)?;
    let minutes: u32 = minutes.parse().ok()?;
    let hours = match half {
        " AM" if hours == 12 => 0,
        " PM" if hours < 12 => hours + 12,
        _ => hours,
    };
    Some(hours * 60 + minutes)
}

/// What the clock on the wall says: 12 hours start at 12.
fn expected(time: &str) -> Option<u32> {
    let (hours, rest) = time.split_once(':')?;
    let hours: u32 = hours.parse().ok()?;
    let minutes: u32 = rest.get(..2)?.parse().ok()?;
    let hours = match rest.get(2..)?.trim() {
        "AM" => hours % 12,
        "PM" => hours % 12 + 12,
        _ => hours,
    };
    Some(hours * 60 + minutes)
}

fn main() {
    let inputs = inputs(
        include_str!("outline.rebut"),
        &[("calendar.json", include_str!("calendar.json"))],
        "testSanity",
    );
    let mut shown = 0;
    for (at, input) in inputs.iter().enumerate() {
        let (suffix, place) = (input["suffix"].as_str().unwrap_or_default(), &input["loc"]);
        let found = time_in(&format!("meeting {suffix}"));
        if found != expected(suffix) && shown < 3 {
            shown += 1;
            println!(
                "input {} of {}: `meeting {suffix}` in {place} is at minute {found:?}",
                at + 1,
                inputs.len()
            );
        }
    }
}
