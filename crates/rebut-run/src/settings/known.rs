//! The table of all settings: the name of each in `rebut.toml` and in the attribute, its
//! environment variable, its values and its meaning. A test generates the table in
//! `docs/guide/settings.md` from it.

use std::path::Path;
use std::time::Duration;

use super::toml;
use super::{EventLevel, Isolation, SearchMode, Settings, Verbosity};
use crate::events::RUN;
use crate::folder::TARGET_DIR;
use crate::strings;
use crate::verdict::FoundBy;

/// A setting.
#[derive(Debug)]
pub(super) struct Known {
    /// The name in `rebut.toml` and in the attribute; `None` if there is only an environment
    /// variable.
    pub(super) key: Option<&'static str>,
    pub(super) variable: &'static str,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a test compares the table in docs/ with it")
    )]
    pub(super) default: &'static str,
    /// The accepted values, with an example.
    pub(super) takes: &'static str,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a test compares the table in docs/ with it")
    )]
    pub(super) meaning: &'static str,
    /// Sets the value. Returns `None` if it is invalid.
    pub(super) set: fn(&mut Settings, &Given) -> Option<()>,
}

/// A value from a file or an environment variable.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// A value in a file, where strings and numbers differ.
    Typed(toml::Value),
    /// A value in an environment variable, which is always a string.
    Word(String),
}

const COUNT: &str = "a whole number such as `1000`";
const FLAG: &str = "`true` or `false`";

/// Every setting.
pub(super) const KNOWN: &[Known] = &[
    Known {
        key: Some("cases"),
        variable: "REBUT_CASES",
        default: "1000",
        takes: COUNT,
        meaning: "the number of cases to run",
        set: |settings, given| put(&mut settings.cases, given.count()),
    },
    Known {
        key: Some("steps"),
        variable: "REBUT_STEPS",
        default: "none",
        takes: "a whole number such as `20000`, or `\"none\"` to use `cases`",
        meaning: "the number of cases that `exists` and `not_exists` try",
        set: |settings, given| put(&mut settings.steps, given.or_none(Given::count)),
    },
    Known {
        key: Some("seed"),
        variable: "REBUT_SEED",
        default: "none",
        takes: "a whole number such as `42`, or `\"none\"` for a new one in each run",
        meaning: "the seed of the random cases",
        set: |settings, given| put(&mut settings.seed, given.or_none(Given::count)),
    },
    Known {
        key: Some("time_budget"),
        variable: "REBUT_TIME_BUDGET",
        default: "none",
        takes: "a time such as `\"500ms\"`, `\"2s\"` or `\"1min\"`, or `\"none\"`",
        meaning: "the time after which Rebut starts no new cases",
        set: |settings, given| put(&mut settings.time_budget, given.or_none(Given::time)),
    },
    Known {
        key: Some("deadline"),
        variable: "REBUT_DEADLINE",
        default: "\"10s\"",
        takes: "a time such as `\"500ms\"`, `\"2s\"` or `\"1min\"`",
        meaning: "the time after which a case counts as a hang, which is a failure",
        set: |settings, given| put(&mut settings.deadline, given.time()),
    },
    Known {
        key: Some("isolate"),
        variable: "REBUT_ISOLATE",
        default: "\"auto\"",
        takes: "`\"auto\"`, `\"always\"` or `\"never\"`",
        meaning: "when cases run in child processes: after a crash or a hang, always, or never",
        set: |settings, given| {
            settings.isolate = match given.word()? {
                "auto" => Isolation::Auto,
                "always" => Isolation::Always,
                "never" => Isolation::Never,
                _ => return None,
            };
            Some(())
        },
    },
    Known {
        key: Some("memory"),
        variable: "REBUT_MEMORY",
        default: "\"4GB\"",
        takes: "a size such as `\"512MB\"` or `\"2GB\"`",
        meaning: "the memory limit of a child process",
        set: |settings, given| put(&mut settings.memory_max, given.size()),
    },
    Known {
        key: Some("shrink_max"),
        variable: "REBUT_SHRINK_MAX",
        default: "20000",
        takes: COUNT,
        meaning: "the maximum number of executions to shrink one failure; 0 disables shrinking",
        set: |settings, given| put(&mut settings.shrink_max, given.count()),
    },
    Known {
        key: Some("failures"),
        variable: "REBUT_FAILURES",
        default: "5",
        takes: "a whole number, at least `1`",
        meaning: "the maximum number of distinct failures to find",
        set: |settings, given| {
            let count = usize::try_from(given.count()?).ok().filter(|&count| count > 0);
            put(&mut settings.failures_max, count)
        },
    },
    Known {
        key: Some("explain"),
        variable: "REBUT_EXPLAIN",
        default: "true",
        takes: FLAG,
        meaning: "whether to find out which parts of the minimal input matter",
        set: |settings, given| put(&mut settings.explain, given.flag()),
    },
    Known {
        key: Some("verbosity"),
        variable: "REBUT_VERBOSITY",
        default: "\"normal\"",
        takes: "`\"quiet\"`, `\"normal\"`, `\"verbose\"` or `\"trace\"`",
        meaning: "how much Rebut prints: only failures, also advice, also a summary of each run \
                  that passed, or also every case with its values and outcome",
        set: |settings, given| {
            settings.verbosity = match given.word()? {
                "quiet" => Verbosity::Quiet,
                "normal" => Verbosity::Normal,
                "verbose" => Verbosity::Verbose,
                "trace" => Verbosity::Trace,
                _ => return None,
            };
            Some(())
        },
    },
    Known {
        key: Some("database"),
        variable: "REBUT_DATABASE",
        default: "true",
        takes: FLAG,
        meaning: "whether to save failures in `.rebut/` and try them first in the next run",
        set: |settings, given| put(&mut settings.database, given.flag()),
    },
    Known {
        key: Some("rejections_max"),
        variable: "REBUT_REJECTIONS_MAX",
        default: "20",
        takes: COUNT,
        meaning: "the maximum number of rejected cases for each accepted case",
        set: |settings, given| put(&mut settings.rejections_max, given.count()),
    },
    Known {
        key: Some("search"),
        variable: "REBUT_SEARCH",
        default: "\"auto\"",
        takes: "`\"auto\"`, `\"off\"`, `\"climbing\"` or `\"annealing\"`",
        meaning: "the search strategy for properties that call `maximize` or `minimize`",
        set: |settings, given| {
            settings.search = match given.word()? {
                "auto" => SearchMode::Auto,
                "off" => SearchMode::Off,
                "climbing" => SearchMode::Climbing,
                "annealing" => SearchMode::Annealing,
                _ => return None,
            };
            Some(())
        },
    },
    Known {
        key: Some("events"),
        variable: "REBUT_EVENTS",
        default: "\"summary\"",
        takes: "`\"off\"`, `\"search\"`, `\"summary\"` or `\"all\"`",
        meaning: "which [events](events.md) Rebut writes to `target/rebut/`: none, those of \
                  properties that call `maximize` or `minimize`, those of all properties without \
                  their cases, or also every case",
        set: |settings, given| {
            settings.events = match given.word()? {
                "off" => EventLevel::Off,
                "search" => EventLevel::Search,
                "summary" => EventLevel::Summary,
                "all" => EventLevel::All,
                _ => return None,
            };
            Some(())
        },
    },
    Known {
        key: None,
        variable: RUN,
        default: "none",
        takes: "a name of your choice",
        meaning: "a name for this run, which becomes part of the directory name of its \
                  [events](events.md)",
        set: |_, given| given.word().map(|_| ()),
    },
    Known {
        key: None,
        variable: TARGET_DIR,
        default: "none",
        takes: "an absolute path",
        meaning: "the target directory, for test binaries that run elsewhere than where cargo put \
                  them; Rebut writes [events](events.md) and regression tests to `rebut/` in it",
        set: |_, given| given.word().filter(|path| Path::new(path).is_absolute()).map(|_| ()),
    },
    Known {
        key: None,
        variable: "REBUT_REPLAY",
        default: "none",
        takes: "a replay string from a report",
        meaning: "the only case to run",
        set: |settings, given| put(&mut settings.replay, Some(given.word().map(str::to_owned))),
    },
    Known {
        key: None,
        variable: FOUND_BY,
        default: "none",
        takes: "`exploration`",
        meaning: "how the case of `REBUT_REPLAY` was found, for the report; Rebut ignores an \
                  unknown value with a warning",
        set: |settings, given| match given.word()? {
            "exploration" => put(&mut settings.replay_from, Some(FoundBy::Exploration)),
            _ => None,
        },
    },
    Known {
        key: None,
        variable: PROFILE,
        default: "none",
        takes: "the name of a `[profile.NAME]` table in `rebut.toml`",
        meaning: "the profile, which overrides the settings at the top of the file; without one, \
                  Rebut uses `ci` if `CI` is set",
        set: |_, given| given.word().map(|_| ()),
    },
];

fn put<T>(place: &mut T, value: Option<T>) -> Option<()> {
    *place = value?;
    Some(())
}

/// The environment variable that describes how a replayed case was found. A command that is newer
/// than this crate may use unknown values, which must not prevent a replay.
pub(super) const FOUND_BY: &str = "REBUT_FOUND_BY";

/// The environment variable with the name of the profile.
pub(super) const PROFILE: &str = "REBUT_PROFILE";

impl Given {
    fn word(&self) -> Option<&str> {
        match self {
            Given::Typed(toml::Value::Text(text)) | Given::Word(text) => Some(text.trim()),
            Given::Typed(_) => None,
        }
    }

    fn count(&self) -> Option<u64> {
        match self {
            Given::Typed(toml::Value::Integer(number)) => u64::try_from(*number).ok(),
            Given::Word(word) => strings::number(&strings::replaced(word.trim(), "_", "")),
            Given::Typed(_) => None,
        }
    }

    fn flag(&self) -> Option<bool> {
        match self {
            Given::Typed(toml::Value::Boolean(truth)) => Some(*truth),
            Given::Word(word) => match word.trim() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            },
            Given::Typed(_) => None,
        }
    }

    fn or_none<T>(&self, read: impl Fn(&Given) -> Option<T>) -> Option<Option<T>> {
        if self.word() == Some("none") { Some(None) } else { read(self).map(Some) }
    }

    fn time(&self) -> Option<Duration> {
        let units = [("us", 1e-6), ("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("h", 3600.0)];
        let seconds = quantity(self.word()?, &units)?;
        Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero())
    }

    fn size(&self) -> Option<u64> {
        let units = [("KB", 1024.0), ("MB", 1024.0 * 1024.0), ("GB", 1024.0 * 1024.0 * 1024.0)];
        let bytes = quantity(self.word()?, &units)?;
        (1.0..1e18).contains(&bytes).then_some(bytes as u64)
    }
}

/// Parses a number with one of the units.
fn quantity(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let end = text.find(|c: char| c != '.' && !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(end);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    Some(number.parse::<f64>().ok()? * factor)
}

/// Returns the table for `docs/guide/settings.md`.
#[cfg(test)]
pub(super) fn markdown() -> String {
    let mut table = "| `rebut.toml` and attribute | variable | default | takes | meaning |\n\
                     |---|---|---|---|---|\n"
        .to_owned();
    for known in KNOWN {
        let key = known.key.map_or(String::new(), |key| format!("`{key}`"));
        let Known { variable, default, takes, meaning, .. } = known;
        table += &format!("| {key} | `{variable}` | `{default}` | {takes} | {meaning} |\n");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Given {
        Given::Word(text.to_owned())
    }

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(word("500ms").time(), Some(Duration::from_millis(500)));
        assert_eq!(word("1.5 min").time(), Some(Duration::from_secs(90)));
        for wrong in ["5", "s", "5 years", "0s", "-1s", "1..5s", "", "99999999999999999999h"] {
            assert_eq!(word(wrong).time(), None, "{wrong}");
        }
        assert_eq!(word("512MB").size(), Some(512 << 20));
        assert_eq!(word("1.5GB").size(), Some(3 << 29));
        assert_eq!(word("9999999999999999GB").size(), None);
    }

    #[test]
    fn the_defaults_of_the_table_are_those_of_the_code() {
        for known in KNOWN.iter().filter(|known| known.key.is_some()) {
            let mut settings = Settings::default();
            let given = word(known.default.trim_matches('"'));
            assert_eq!((known.set)(&mut settings, &given), Some(()), "{}", known.variable);
            assert_eq!(settings, Settings::default(), "{}", known.variable);
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
