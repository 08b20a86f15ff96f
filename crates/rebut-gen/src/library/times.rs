//! Durations and points in time, to the nanosecond.
//!
//! Both are two choices: the seconds, and the nanoseconds, whose range depends on the seconds only
//! at a bound. The seconds of a point in time count from the Unix epoch.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rebut_choice::{Label, Source};

use crate::misuse::crossed;
use crate::{Code, Generate, Generator, ToCode};

/// Nanoseconds in a second.
pub(crate) const SECOND: i128 = 1_000_000_000;

/// Draws a number of nanoseconds as two choices, seconds and nanoseconds.
pub(crate) fn draw_nanos(source: &mut Source, label: Label, min: i128, max: i128) -> i128 {
    let (seconds, nanos) = draw_parts(source, label, min, max);
    seconds * SECOND + nanos
}

/// Draws seconds and nanoseconds, together from `min` to `max` nanoseconds. The range of the
/// nanoseconds depends on the seconds only if a bound is not a whole second, so that exploration
/// does not fork otherwise.
fn draw_parts(source: &mut Source, label: Label, min: i128, max: i128) -> (i128, i128) {
    let (first, after_first) = (min.div_euclid(SECOND), min.rem_euclid(SECOND));
    let (last, after_last) = (max.div_euclid(SECOND), max.rem_euclid(SECOND));
    source.span(label, |source| {
        let seconds = source.integer(first, last);
        let low = if after_first > 0 && seconds == first { after_first } else { 0 };
        let is_cut = after_last < SECOND - 1 && seconds == last;
        let high = if is_cut { after_last } else { SECOND - 1 };
        (seconds, source.integer(low, high))
    })
}

fn duration_of(nanos: i128) -> Duration {
    let (seconds, nanos) = (nanos.div_euclid(SECOND), nanos.rem_euclid(SECOND));
    Duration::new(seconds as u64, nanos as u32)
}

fn nanos_of(duration: Duration) -> i128 {
    i128::from(duration.as_secs()) * SECOND + i128::from(duration.subsec_nanos())
}

/// Generates durations. Shrinks toward zero.
///
/// Without bounds, it generates durations up to [`Duration::MAX`].
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use rebut::{durations, find};
///
/// let timeouts = durations().max_value(Duration::from_secs(30));
/// let found = find(timeouts, |timeout| timeout.as_secs() >= 3);
/// assert_eq!(found, Some(Duration::from_secs(3)));
/// ```
#[must_use]
pub fn durations() -> Durations {
    Durations { min: Duration::ZERO, max: Duration::MAX }
}

/// The generator that [`durations`] returns.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use rebut::generators::Durations;
/// use rebut::{durations, simplest};
///
/// fn timeouts() -> Durations {
///     durations().min_value(Duration::from_millis(1))
/// }
/// assert_eq!(simplest(&timeouts()), Duration::from_millis(1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Durations {
    min: Duration,
    max: Duration,
}

impl Durations {
    /// Sets the shortest duration.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    /// use rebut::{durations, simplest};
    ///
    /// let minute = Duration::from_secs(60);
    /// assert_eq!(simplest(&durations().min_value(minute)), minute);
    /// ```
    #[must_use]
    pub fn min_value(mut self, min_value: Duration) -> Self {
        self.min = min_value;
        self
    }

    /// Sets the longest duration.
    ///
    /// # Examples
    /// ```
    /// use std::time::Duration;
    /// use rebut::{durations, sample};
    ///
    /// let minute = Duration::from_secs(60);
    /// assert!(sample(&durations().max_value(minute), 1) <= minute);
    /// ```
    #[must_use]
    pub fn max_value(mut self, max_value: Duration) -> Self {
        self.max = max_value;
        self
    }
}

impl Generator for Durations {
    type Value = Duration;

    fn draw(&self, source: &mut Source) -> Duration {
        if self.min > self.max {
            crossed("durations()", &self.min, &self.max);
        }
        let (min, max) = (nanos_of(self.min), nanos_of(self.max));
        let (seconds, nanos) = draw_parts(source, Label::group("Duration"), min, max);
        Duration::new(seconds as u64, nanos as u32)
    }
}

impl Generate for Duration {
    #[inline]
    fn generate(source: &mut Source) -> Duration {
        durations().draw(source)
    }
}

impl ToCode for Duration {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let (seconds, nanos) = (self.as_secs(), self.subsec_nanos());
        code.push("std::time::Duration::");
        match (seconds, nanos) {
            (0, _) => code.format(format_args!("from_nanos({nanos})")),
            (_, 0) => code.format(format_args!("from_secs({seconds})")),
            _ => code.format(format_args!("new({seconds}, {nanos})")),
        }
    }
}

/// Generates points in time. Shrinks toward the Unix epoch.
///
/// Without bounds, it generates the years 1601 to 9999, which every platform can represent.
///
/// # Examples
/// ```
/// use std::time::UNIX_EPOCH;
/// use rebut::{sample, simplest, system_times};
///
/// assert_eq!(simplest(&system_times()), UNIX_EPOCH);
/// assert!(sample(&system_times().min_value(UNIX_EPOCH), 1) >= UNIX_EPOCH);
/// ```
#[must_use]
pub fn system_times() -> SystemTimes {
    SystemTimes { min: YEAR_1601 * SECOND, max: YEAR_10000 * SECOND - 1 }
}

/// The default bounds, in seconds since 1970. Every platform can represent the times between them;
/// Windows counts from 1601.
const YEAR_1601: i128 = -11_644_473_600;
const YEAR_10000: i128 = 253_402_300_800;

/// The generator that [`system_times`] returns.
///
/// # Examples
/// ```
/// use std::time::UNIX_EPOCH;
/// use rebut::generators::SystemTimes;
/// use rebut::{simplest, system_times};
///
/// fn timestamps() -> SystemTimes {
///     system_times().min_value(UNIX_EPOCH)
/// }
/// assert_eq!(simplest(&timestamps()), UNIX_EPOCH);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SystemTimes {
    /// Nanoseconds since the Unix epoch.
    min: i128,
    max: i128,
}

impl SystemTimes {
    /// Sets the earliest time.
    ///
    /// # Examples
    /// ```
    /// use std::time::{Duration, UNIX_EPOCH};
    /// use rebut::{simplest, system_times};
    ///
    /// let start = UNIX_EPOCH + Duration::from_secs(7);
    /// assert_eq!(simplest(&system_times().min_value(start)), start);
    /// ```
    #[must_use]
    pub fn min_value(mut self, min_value: SystemTime) -> Self {
        self.min = since_epoch(min_value);
        self
    }

    /// Sets the latest time.
    ///
    /// # Examples
    /// ```
    /// use std::time::{Duration, UNIX_EPOCH};
    /// use rebut::{simplest, system_times};
    ///
    /// let end = UNIX_EPOCH - Duration::from_secs(7);
    /// assert_eq!(simplest(&system_times().max_value(end)), end);
    /// ```
    #[must_use]
    pub fn max_value(mut self, max_value: SystemTime) -> Self {
        self.max = since_epoch(max_value);
        self
    }
}

fn since_epoch(time: SystemTime) -> i128 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => nanos_of(after),
        Err(before) => -nanos_of(before.duration()),
    }
}

impl Generator for SystemTimes {
    type Value = SystemTime;

    fn draw(&self, source: &mut Source) -> SystemTime {
        if self.min > self.max {
            crossed("system_times()", &self.min, &self.max);
        }
        let nanos = draw_nanos(source, Label::group("SystemTime"), self.min, self.max);
        let time = if nanos < 0 {
            UNIX_EPOCH.checked_sub(duration_of(-nanos))
        } else {
            UNIX_EPOCH.checked_add(duration_of(nanos))
        };
        time.unwrap_or(UNIX_EPOCH)
    }
}

impl Generate for SystemTime {
    #[inline]
    fn generate(source: &mut Source) -> SystemTime {
        system_times().draw(source)
    }
}

impl ToCode for SystemTime {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        let nanos = since_epoch(*self);
        if nanos == 0 {
            return code.push("std::time::UNIX_EPOCH");
        }
        code.operand(|code| {
            code.push("std::time::UNIX_EPOCH ");
            code.push(if nanos < 0 { "- " } else { "+ " });
            duration_of(nanos.abs()).to_code(code);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::{drawn, misuse_of, replays};

    #[test]
    fn bounds_hold_to_the_nanosecond() {
        let (min, max) = (Duration::new(1, 999_999_990), Duration::new(3, 5));
        let all = drawn(&durations().min_value(min).max_value(max), 300);
        assert!(all.iter().all(|duration| (min..=max).contains(duration)));
        let (min, max) = (UNIX_EPOCH - Duration::new(2, 5), UNIX_EPOCH + Duration::new(0, 3));
        let all = drawn(&system_times().min_value(min).max_value(max), 300);
        assert!(all.iter().all(|time| (min..=max).contains(time)));
        replays(&any::<(Duration, SystemTime)>());
    }

    #[test]
    fn crossed_bounds_are_refused() {
        let text = misuse_of(&durations().min_value(Duration::MAX).max_value(Duration::ZERO));
        assert!(text.contains("the maximum is 0ns"), "{text}");
    }

    #[test]
    fn times_are_written_as_seconds_and_nanoseconds() {
        assert_eq!(Code::of(&Duration::from_nanos(5)), "std::time::Duration::from_nanos(5)");
        assert_eq!(Code::of(&Duration::from_secs(5)), "std::time::Duration::from_secs(5)");
        assert_eq!(Code::of(&Duration::new(5, 6)), "std::time::Duration::new(5, 6)");
        assert_eq!(
            Code::of(&(UNIX_EPOCH - Duration::from_secs(1))),
            "(std::time::UNIX_EPOCH - std::time::Duration::from_secs(1))"
        );
    }
}
