use humantime::{
    format_duration, format_rfc3339, format_rfc3339_millis, format_rfc3339_nanos, format_rfc3339_seconds,
    parse_duration, parse_rfc3339, parse_rfc3339_weak, DurationError,
};
use rebut::prelude::*;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const UNITS: [&str; 12] = ["ns", "us", "ms", "s", "sec", "m", "h", "d", "w", "M", "y", "years"];

#[derive(Debug, Clone, PartialEq, Generate)]
struct Item {
    number: u64,
    #[generate(UNITS)]
    unit: &'static str,
}

// expect: passed
#[rebut::test]
fn durations_round_trip(duration: Duration) {
    assert_eq!(parse_duration(&format_duration(duration).to_string()), Ok(duration));
}

// A full second of nanoseconds is not carried over before the sum overflows.
// expect: failed: overflow in Duration::new
#[rebut::test]
fn parsing_items_never_panics(#[from(one_of!(just(u64::MAX), rebut::any()))] seconds: u64, #[from([1, 999_999_999, 1_000_000_000, 1_000_000_001])] nanos: u64, spaces: bool) {
    let text = if spaces { format!("{}s {}ns", seconds, nanos) } else { format!("{}s{}ns", seconds, nanos) };
    let _ = parse_duration(&text);
}

// expect: failed: NumberOverflow
#[rebut::test]
fn items_add_up(items: Vec<Item>) -> Result<(), DurationError> {
    rebut::assume!(!items.is_empty());
    let text: Vec<String> = items.iter().map(|item| format!("{}{}", item.number, item.unit)).collect();
    let mut sum = Duration::default();
    for each in &text {
        sum += parse_duration(each)?;
    }
    assert_eq!(parse_duration(&text.join(" "))?, sum);
    Ok(())
}

// expect: rarely checked
#[rebut::test]
fn parsed_durations_are_not_zero(text: String) {
    if let Ok(duration) = parse_duration(&text) {
        assert!(duration > Duration::default() || text.starts_with('0'));
    }
}

// Times before 1970 have no text.
// expect: failed: all times should be after the epoch
#[rebut::test]
fn times_have_text(time: SystemTime) {
    assert!(format_rfc3339(time).to_string().ends_with('Z'));
}

// expect: passed
#[rebut::test]
fn times_round_trip(#[from(0..253_402_300_800u64)] seconds: u64, #[from(0..1_000_000_000u32)] nanos: u32) {
    let time = UNIX_EPOCH + Duration::new(seconds, nanos);
    assert_eq!(parse_rfc3339(&format_rfc3339_nanos(time).to_string()), Ok(time));
}

// Seconds of a minute can be 60.
// expect: failed
#[rebut::test]
fn valid_times_are_canonical(#[from(1970..=2100u32)] year: u32, #[from(1..=12u8)] month: u8, (hour, minute, second): (u8, u8, u8), letter: Option<bool>) {
    let separator = if letter == Some(true) { 'T' } else { ' ' };
    let text = format!("{:04}-{:02}-01{}{:02}:{:02}:{:02}", year, month, separator, hour % 24, minute % 60, second % 61);
    let time = parse_rfc3339_weak(&text).unwrap();
    assert_eq!(format_rfc3339_seconds(time).to_string().replace('T', " ").replace('Z', ""), text.replace('T', " "));
}

// expect: failed
#[rebut::test]
fn milliseconds_are_rounded(#[from(0..4_000_000_000u64)] seconds: u64, #[from(0..1_000_000_000u32)] nanos: u32) -> bool {
    let time = UNIX_EPOCH + Duration::new(seconds, nanos);
    let parsed = parse_rfc3339(&format_rfc3339_millis(time).to_string()).unwrap();
    let error = if parsed > time { parsed.duration_since(time) } else { time.duration_since(parsed) };
    error.unwrap() <= Duration::from_micros(500)
}

// expect: proved: 24
#[rebut::test]
fn every_hour_has_text(#[from(0..24u64)] hour: u64) {
    let time = UNIX_EPOCH + Duration::from_secs(hour * 3600);
    assert_eq!(format_rfc3339(time).to_string(), format!("1970-01-01T{:02}:00:00Z", hour));
}

// expect: passed
#[rebut::test]
fn parsing_never_panics(text: &str, weak: bool) {
    let _ = if weak { parse_rfc3339_weak(text) } else { parse_rfc3339(text) };
    let _ = parse_duration(text);
}

// Units are written in their own way: a week is seven days.
// expect: failed
#[rebut::test(spec = "corpus/durations.rebut")]
fn formatting_keeps_the_text(text: String) {
    let Ok(duration) = parse_duration(&text) else { return };
    assert_eq!(format_duration(duration).to_string(), text);
}

/// A stopwatch that prints what it shows.
#[derive(Debug, Default)]
pub struct Stopwatch {
    total: Duration,
    laps: Vec<Duration>,
}

#[rebut::contract]
#[invariant(self.laps.iter().all(|lap| *lap <= self.total))]
impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch::default()
    }

    #[requires(lap < Duration::from_secs(1 << 40), "a lap ends")]
    #[ensures(self.total >= old(self.total))]
    pub fn lap(&mut self, lap: Duration) {
        self.total += lap;
        self.laps.push(lap);
    }

    /// The text has one space between units.
    #[ensures(result.split(' ').count() <= 3, "at most three units are shown")]
    pub fn show(&self) -> String {
        format_duration(self.total).to_string()
    }

    #[requires(index < self.laps.len())]
    #[ensures(parse_duration(&result).ok() == Some(self.laps[index]))]
    pub fn show_lap(&self, index: usize) -> String {
        format_duration(self.laps[index]).to_string()
    }
}

// expect: failed: at most three units are shown
#[rebut::test]
fn stopwatches_keep_their_contract(program: rebut::Program<Stopwatch>) {
    program.run();
}
