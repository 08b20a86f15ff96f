//! Times as people read them.

use std::time::Duration;

/// `18m 02s`, `4.2s`.
pub(crate) fn shown(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1}s", time.as_secs_f64()),
        seconds => format!("{}m {:02}s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_minutes_once_there_are_some() {
        assert_eq!(shown(Duration::from_millis(4_210)), "4.2s");
        assert_eq!(shown(Duration::from_secs(18 * 60 + 2)), "18m 02s");
        assert_eq!(shown(Duration::from_secs(3_661)), "61m 01s");
    }
}
