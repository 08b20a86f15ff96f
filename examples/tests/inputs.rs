//! The inputs of `calendar/`, in a test: `cargo rebut generate calendar/outline.rebut` has
//! prepared them, and nothing here knows the input language.

/// Hours and minutes of `9:05`, `9:05AM` or `9:05 AM`.
fn time_of(text: &str) -> Option<(u32, u32)> {
    let (hours, rest) = text.split_once(':')?;
    let (minutes, half) = rest.split_at_checked(2)?;
    let (hours, minutes) = (hours.parse().ok()?, minutes.parse().ok()?);
    match half.trim() {
        "" => Some((hours, minutes)),
        "AM" => Some((hours % 12, minutes)),
        "PM" => Some((hours % 12 + 12, minutes)),
        _ => None,
    }
}

#[rebut::test(spec = "calendar/outline.rebut", inputs = 100)]
fn every_time_that_is_specified_is_read(#[blank("suffix")] time: &str, loc: &str) {
    let read = time_of(time);
    assert!(matches!(read, Some((0..24, 0..60))) || time.is_empty(), "{read:?} in {loc}");
}
