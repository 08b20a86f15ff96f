//! Applies settings: for each row of the table in `rebut_protocol::settings`, the function that
//! sets a value. A test generates the table in `docs/guide/settings.md`.

use std::path::Path;
use std::time::Duration;

use rebut_protocol::settings::{self, Setting};

use super::toml;
use super::{EventLevel, Isolation, SearchMode, Settings, Verbosity};
use crate::strings;
use crate::verdict::FoundBy;

/// A value from a file or an environment variable.
#[derive(Clone, Debug)]
pub(super) enum RawValue {
    /// A value in a file, where strings and numbers differ.
    Typed(toml::Value),
    /// A value in an environment variable, which is always a string.
    Word(String),
}

/// Sets a value. Returns `None` if it is invalid.
type Apply = fn(&mut Settings, &RawValue) -> Option<()>;

/// How each setting is applied.
const APPLY: &[(&Setting, Apply)] = &[
    (&settings::CASES, |settings, value| put(&mut settings.cases, value.or_none(RawValue::count))),
    (&settings::STEPS, |settings, value| put(&mut settings.steps, value.or_none(RawValue::count))),
    (&settings::SEED, |settings, value| put(&mut settings.seed, value.or_none(RawValue::count))),
    (&settings::TIME_BUDGET, |settings, value| {
        put(&mut settings.time_budget, value.or_none(RawValue::time))
    }),
    (&settings::DEADLINE, |settings, value| put(&mut settings.deadline, value.time())),
    (&settings::ISOLATE, |settings, value| {
        settings.isolate = match value.word()? {
            "auto" => Isolation::Auto,
            "always" => Isolation::Always,
            "never" => Isolation::Never,
            _ => return None,
        };
        Some(())
    }),
    (&settings::MEMORY, |settings, value| put(&mut settings.memory_max, value.size())),
    (&settings::SHRINK_MAX, |settings, value| put(&mut settings.shrink_max, value.count())),
    (&settings::FAILURES, |settings, value| {
        let count = usize::try_from(value.count()?).ok().filter(|&count| count > 0);
        put(&mut settings.failures_max, count)
    }),
    (&settings::EXPLAIN, |settings, value| put(&mut settings.explain, value.flag())),
    (&settings::VERBOSITY, |settings, value| {
        settings.verbosity = match value.word()? {
            "quiet" => Verbosity::Quiet,
            "normal" => Verbosity::Normal,
            "verbose" => Verbosity::Verbose,
            "trace" => Verbosity::Trace,
            _ => return None,
        };
        Some(())
    }),
    (&settings::DATABASE, |settings, value| put(&mut settings.database, value.flag())),
    (&settings::REJECTIONS_MAX, |settings, value| put(&mut settings.rejections_max, value.count())),
    (&settings::SEARCH, |settings, value| {
        settings.search = match value.word()? {
            "auto" => SearchMode::Auto,
            "off" => SearchMode::Off,
            "climbing" => SearchMode::Climbing,
            "annealing" => SearchMode::Annealing,
            _ => return None,
        };
        Some(())
    }),
    (&settings::EVENTS, |settings, value| {
        settings.events = match value.word()? {
            "off" => EventLevel::Off,
            "search" => EventLevel::Search,
            "summary" => EventLevel::Summary,
            "all" => EventLevel::All,
            _ => return None,
        };
        Some(())
    }),
    // The event file and the directories read these two, and `load.rs` the profile.
    (&settings::RUN, |_, value| value.word().map(|_| ())),
    (&settings::TARGET_DIR, |_, value| {
        value.word().filter(|path| Path::new(path).is_absolute()).map(|_| ())
    }),
    (&settings::REPLAY, |settings, value| {
        put(&mut settings.replay, Some(value.word().map(str::to_owned)))
    }),
    (&settings::FOUND_BY, |settings, value| match value.word()? {
        "exploration" => put(&mut settings.replay_from, Some(FoundBy::Exploration)),
        _ => None,
    }),
    (&settings::PROFILE, |_, value| value.word().map(|_| ())),
];

/// Sets a value. Returns `None` if it is invalid.
#[inline(never)]
pub(super) fn apply(setting: &Setting, settings: &mut Settings, value: &RawValue) -> Option<()> {
    let (_, apply) = APPLY.iter().find(|(row, _)| row.variable == setting.variable)?;
    apply(settings, value)
}

fn put<T>(place: &mut T, value: Option<T>) -> Option<()> {
    *place = value?;
    Some(())
}

impl RawValue {
    fn word(&self) -> Option<&str> {
        match self {
            RawValue::Typed(toml::Value::Text(text)) | RawValue::Word(text) => Some(text.trim()),
            RawValue::Typed(_) => None,
        }
    }

    fn count(&self) -> Option<u64> {
        match self {
            RawValue::Typed(toml::Value::Integer(number)) => u64::try_from(*number).ok(),
            RawValue::Word(word) => strings::number(&strings::replaced(word.trim(), "_", "")),
            RawValue::Typed(_) => None,
        }
    }

    fn flag(&self) -> Option<bool> {
        match self {
            RawValue::Typed(toml::Value::Boolean(truth)) => Some(*truth),
            RawValue::Word(word) => match word.trim() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            },
            RawValue::Typed(_) => None,
        }
    }

    fn or_none<T>(&self, read: impl Fn(&RawValue) -> Option<T>) -> Option<Option<T>> {
        if self.word() == Some("none") { Some(None) } else { read(self).map(Some) }
    }

    fn time(&self) -> Option<Duration> {
        let seconds = settings::seconds(self.word()?)?;
        Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero())
    }

    fn size(&self) -> Option<u64> {
        settings::bytes(self.word()?)
    }
}

/// Returns the table for `docs/guide/settings.md`.
#[cfg(test)]
pub(super) fn markdown() -> String {
    let mut table = "| `rebut.toml` and attribute | variable | default | takes | meaning |\n\
                     |---|---|---|---|---|\n"
        .to_owned();
    for setting in settings::ALL {
        let key = setting.key.map_or(String::new(), |key| format!("`{key}`"));
        let Setting { variable, default, takes, meaning, .. } = setting;
        table += &format!("| {key} | `{variable}` | `{default}` | {takes} | {meaning} |\n");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_protocol::settings::Values;

    fn word(text: &str) -> RawValue {
        RawValue::Word(text.to_owned())
    }

    #[test]
    fn every_setting_can_be_applied() {
        let rows: Vec<&str> = APPLY.iter().map(|(setting, _)| setting.variable).collect();
        let all: Vec<&str> = settings::ALL.iter().map(|setting| setting.variable).collect();
        assert_eq!(rows, all);
    }

    #[test]
    fn times_are_positive_and_fit() {
        assert_eq!(word("500ms").time(), Some(Duration::from_millis(500)));
        for wrong in ["0s", "99999999999999999999h"] {
            assert_eq!(word(wrong).time(), None, "{wrong}");
        }
    }

    #[test]
    fn the_defaults_of_the_table_are_those_of_the_code() {
        for setting in settings::ALL.iter().filter(|setting| setting.key.is_some()) {
            let mut changed = Settings::default();
            let value = word(setting.default.trim_matches('"'));
            assert_eq!(apply(setting, &mut changed, &value), Some(()), "{}", setting.variable);
            assert_eq!(changed, Settings::default(), "{}", setting.variable);
        }
    }

    #[test]
    fn words_of_the_table_are_variants() {
        for setting in settings::ALL {
            let Values::Words { words, .. } = setting.values else { continue };
            let mut results = Vec::new();
            for text in words {
                let mut changed = Settings::default();
                assert_eq!(apply(setting, &mut changed, &word(text)), Some(()), "{text}");
                results.push(changed);
            }
            // Each word sets another value.
            for (n, result) in results.iter().enumerate() {
                assert!(!results[..n].contains(result), "{}", words[n]);
            }
            assert_eq!(apply(setting, &mut Settings::default(), &word("other")), None);
        }
    }

    #[test]
    fn the_documentation_has_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/settings.md");
        let documented = std::fs::read_to_string(path).expect("docs/guide/settings.md");
        let table = markdown();
        assert!(documented.contains(&table), "docs/guide/settings.md should have:\n{table}");
    }
}
