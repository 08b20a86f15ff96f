//! Defines every setting: its names, its values, its default and its meaning.
//!
//! A setting can be written in `rebut.toml`, in the attribute of a test, and in an environment
//! variable. Three crates read this table. `rebut-run` parses files and variables, and adds the
//! function that applies a value. `rebut-macros` parses attributes. The commands set variables for
//! the tests that they start. The tables in `docs/guide/settings.md` and in the documentation of
//! `#[rebut::test]` are printed from this one, and tests compare them.
//!
//! To add a setting, add a constant here, a field to
//! `rebut_run::Settings`, and a row to `rebut-run/src/settings/apply.rs`.

/// A setting.
///
/// # Examples
/// ```
/// use rebut_protocol::settings::{self, Values};
///
/// assert_eq!(settings::DEADLINE.key, Some("deadline"));
/// assert_eq!(settings::DEADLINE.values, Values::Time);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The name in `rebut.toml` and in the attribute; `None` if there is only a variable.
    pub key: Option<&'static str>,
    /// The environment variable.
    pub variable: &'static str,
    /// The field of `rebut_run::Settings`; empty if there is none.
    pub field: &'static str,
    /// The form of its values.
    pub values: Values,
    /// Whether the value can also be `none`.
    pub is_optional: bool,
    /// The claims to which it applies.
    pub claims: Claims,
    /// The default, as written in `rebut.toml`.
    pub default: &'static str,
    /// A value, as written in an attribute.
    pub example: &'static str,
    /// The accepted values, for error messages.
    pub takes: &'static str,
    /// The meaning, in Markdown.
    pub meaning: &'static str,
}

/// The form of a value.
///
/// # Examples
/// ```
/// use rebut_protocol::settings::{self, Values};
///
/// let Values::Words { words, .. } = settings::ISOLATE.values else { panic!("an enum") };
/// assert_eq!(words, ["auto", "always", "never"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// A whole number.
    Count,
    /// `true` or `false`.
    Flag,
    /// A number with a unit of time; see [`seconds`].
    Time,
    /// A number with a unit of memory; see [`bytes`].
    Size,
    /// One of some words.
    Words {
        /// The enum of `rebut-run`. Its variants are the words, capitalized.
        type_name: &'static str,
        /// The words.
        words: &'static [&'static str],
    },
    /// A string.
    Text,
}

/// The claims to which a setting applies.
///
/// # Examples
/// ```
/// use rebut_protocol::settings::{self, Claims};
/// assert_eq!(settings::STEPS.claims, Claims::OfSearches);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claims {
    /// `test`, `exists` and `not_exists`.
    All,
    /// `test` only.
    OfTests,
    /// `exists` and `not_exists` only.
    OfSearches,
}

const COUNT: &str = "a whole number such as `1000`";
const FLAG: &str = "`true` or `false`";
const TIME: &str = "a time such as `\"500ms\"`, `\"2s\"` or `\"1min\"`";

/// The parts that most settings share.
const BASE: Setting = Setting {
    key: None,
    variable: "",
    field: "",
    values: Values::Text,
    is_optional: false,
    claims: Claims::All,
    default: "none",
    example: "",
    takes: "",
    meaning: "",
};

macro_rules! settings {
    ($($(#[$about:meta])* $name:ident = $setting:expr;)*) => {
        $($(#[$about])* pub const $name: Setting = $setting;)*

        /// Every setting, in the order of the documentation.
        ///
        /// # Examples
        /// ```
        /// use rebut_protocol::settings;
        /// assert!(settings::ALL.iter().any(|setting| setting.key == Some("seed")));
        /// ```
        pub const ALL: &[&Setting] = &[$(&$name),*];
    };
}

settings! {
    /// `cases`.
    CASES = Setting {
        key: Some("cases"),
        variable: "REBUT_CASES",
        field: "cases",
        values: Values::Count,
        is_optional: true,
        claims: Claims::OfTests,
        default: "none",
        example: "200",
        takes: COUNT,
        meaning: "The number of cases to run. `none` means 1,000. Tests with generated programs then run more: for a second, up to 50,000.",
    };
    /// `steps`.
    STEPS = Setting {
        key: Some("steps"),
        variable: "REBUT_STEPS",
        field: "steps",
        values: Values::Count,
        is_optional: true,
        claims: Claims::OfSearches,
        example: "20_000",
        takes: "a whole number such as `20000`, or `\"none\"` to use `cases`",
        meaning: "The number of cases that `exists` and `not_exists` try.",
        ..BASE
    };
    /// `seed`.
    SEED = Setting {
        key: Some("seed"),
        variable: "REBUT_SEED",
        field: "seed",
        values: Values::Count,
        is_optional: true,
        example: "7",
        takes: "a whole number such as `42`, or `\"none\"` for a new one in each run",
        meaning: "The seed of the random choices; a new one for each run if there is none.",
        ..BASE
    };
    /// `time_budget`.
    TIME_BUDGET = Setting {
        key: Some("time_budget"),
        variable: "REBUT_TIME_BUDGET",
        field: "time_budget",
        values: Values::Time,
        is_optional: true,
        example: "\"2s\"",
        takes: "a time such as `\"500ms\"`, `\"2s\"` or `\"1min\"`, or `\"none\"`",
        meaning: "The time after which Rebut starts no new cases.",
        ..BASE
    };
    /// `deadline`.
    DEADLINE = Setting {
        key: Some("deadline"),
        variable: "REBUT_DEADLINE",
        field: "deadline",
        values: Values::Time,
        default: "\"10s\"",
        example: "\"500ms\"",
        takes: TIME,
        meaning: "The time limit of one case. A case that takes longer hangs, which is a failure.",
        ..BASE
    };
    /// `isolate`.
    ISOLATE = Setting {
        key: Some("isolate"),
        variable: "REBUT_ISOLATE",
        field: "isolate",
        values: Values::Words { type_name: "Isolation", words: &["auto", "always", "never"] },
        default: "\"auto\"",
        example: "always",
        takes: "`\"auto\"`, `\"always\"` or `\"never\"`",
        meaning: "Which cases run in child processes: with `auto` those after a crash or a hang, \
                  with `always` all, with `never` none.",
        ..BASE
    };
    /// `memory`.
    MEMORY = Setting {
        key: Some("memory"),
        variable: "REBUT_MEMORY",
        field: "memory_max",
        values: Values::Size,
        default: "\"4GB\"",
        example: "\"512MB\"",
        takes: "a size such as `\"512MB\"` or `\"2GB\"`",
        meaning: "The memory limit of a child process.",
        ..BASE
    };
    /// `shrink_max`.
    SHRINK_MAX = Setting {
        key: Some("shrink_max"),
        variable: "REBUT_SHRINK_MAX",
        field: "shrink_max",
        values: Values::Count,
        default: "20000",
        example: "1000",
        takes: COUNT,
        meaning: "The maximum number of executions to shrink one failure. 0 turns shrinking off. Shrinking also stops after a minute.",
        ..BASE
    };
    /// `failures`.
    FAILURES = Setting {
        key: Some("failures"),
        variable: "REBUT_FAILURES",
        field: "failures_max",
        values: Values::Count,
        default: "5",
        example: "1",
        takes: "a whole number, at least `1`",
        meaning: "The maximum number of distinct failures to find.",
        ..BASE
    };
    /// `explain`.
    EXPLAIN = Setting {
        key: Some("explain"),
        variable: "REBUT_EXPLAIN",
        field: "explain",
        values: Values::Flag,
        default: "true",
        example: "false",
        takes: FLAG,
        meaning: "Whether to find out which parts of the minimal input matter.",
        ..BASE
    };
    /// `verbosity`.
    VERBOSITY = Setting {
        key: Some("verbosity"),
        variable: "REBUT_VERBOSITY",
        field: "verbosity",
        values: Values::Words {
            type_name: "Verbosity",
            words: &["quiet", "normal", "verbose", "trace"],
        },
        default: "\"normal\"",
        example: "verbose",
        takes: "`\"quiet\"`, `\"normal\"`, `\"verbose\"` or `\"trace\"`",
        meaning: "How much Rebut prints: `quiet` failures, `normal` also advice, `verbose` also a \
                  summary of each run that passed, `trace` also every case with its values and \
                  outcome.",
        ..BASE
    };
    /// `database`.
    DATABASE = Setting {
        key: Some("database"),
        variable: "REBUT_DATABASE",
        field: "database",
        values: Values::Flag,
        default: "true",
        example: "false",
        takes: FLAG,
        meaning: "Whether to save failures in `.rebut/` and try them first in the next run.",
        ..BASE
    };
    /// `rejections_max`.
    REJECTIONS_MAX = Setting {
        key: Some("rejections_max"),
        variable: "REBUT_REJECTIONS_MAX",
        field: "rejections_max",
        values: Values::Count,
        default: "20",
        example: "100",
        takes: COUNT,
        meaning: "The maximum number of rejected cases for each accepted case.",
        ..BASE
    };
    /// `search`.
    SEARCH = Setting {
        key: Some("search"),
        variable: "REBUT_SEARCH",
        field: "search",
        values: Values::Words {
            type_name: "SearchMode",
            words: &["auto", "off", "climbing", "annealing"],
        },
        default: "\"auto\"",
        example: "climbing",
        takes: "`\"auto\"`, `\"off\"`, `\"climbing\"` or `\"annealing\"`",
        meaning: "The strategy for properties that call `maximize` or `minimize`. In an \
                  attribute, also a path to a function that takes the number of steps and returns \
                  a strategy.",
        ..BASE
    };
    /// `events`.
    EVENTS = Setting {
        key: Some("events"),
        variable: "REBUT_EVENTS",
        field: "events",
        values: Values::Words {
            type_name: "EventLevel",
            words: &["off", "search", "summary", "all"],
        },
        default: "\"summary\"",
        example: "all",
        takes: "`\"off\"`, `\"search\"`, `\"summary\"` or `\"all\"`",
        meaning: "Which events Rebut writes to `target/rebut/`: `off` none, `search` those of \
                  properties that call `maximize` or `minimize`, `summary` those of all \
                  properties without their cases, `all` also every case.",
        ..BASE
    };
    /// `REBUT_RUN`.
    RUN = Setting {
        variable: "REBUT_RUN",
        takes: "a name of your choice",
        meaning: "A name for this run, which becomes part of the directory name of its events.",
        ..BASE
    };
    /// `REBUT_TARGET_DIR`.
    TARGET_DIR = Setting {
        variable: "REBUT_TARGET_DIR",
        takes: "an absolute path",
        meaning: "The target directory, for test binaries that run elsewhere than where cargo \
                  put them. Rebut writes events and regression tests to `rebut/` in it.",
        ..BASE
    };
    /// `REBUT_REPLAY`.
    REPLAY = Setting {
        variable: "REBUT_REPLAY",
        field: "replay",
        takes: "a replay string from a report",
        meaning: "The only case to run.",
        ..BASE
    };
    /// `REBUT_FOUND_BY`. A command that is newer than the library may use unknown words, which
    /// must not prevent a replay.
    FOUND_BY = Setting {
        variable: "REBUT_FOUND_BY",
        field: "replay_from",
        takes: "`exploration`",
        meaning: "How the case of `REBUT_REPLAY` was found, for the report. Rebut ignores an \
                  unknown value with a warning.",
        ..BASE
    };
    /// `REBUT_PROFILE`.
    PROFILE = Setting {
        variable: "REBUT_PROFILE",
        takes: "the name of a `[profile.NAME]` table in `rebut.toml`",
        meaning: "The profile, which overrides the settings at the top of the file. Without one, \
                  Rebut uses `ci` if `CI` is set.",
        ..BASE
    };
}

/// Parses a time: a number and one of the units `us`, `ms`, `s`, `min` and `h`. Returns seconds.
///
/// # Examples
/// ```
/// use rebut_protocol::settings::seconds;
/// assert_eq!(seconds("1.5 min"), Some(90.0));
/// assert_eq!(seconds("5"), None);
/// ```
#[must_use]
pub fn seconds(text: &str) -> Option<f64> {
    quantity(text, &[("us", 1e-6), ("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("h", 3600.0)])
}

/// Parses a size: a number and one of the units `KB`, `MB` and `GB`, which are powers of 1,024.
/// Returns bytes.
///
/// # Examples
/// ```
/// use rebut_protocol::settings::bytes;
/// assert_eq!(bytes("1.5GB"), Some(3 << 29));
/// ```
#[must_use]
pub fn bytes(text: &str) -> Option<u64> {
    let bytes = quantity(text, &[("KB", 1024.0), ("MB", 1048576.0), ("GB", 1073741824.0)])?;
    // More than any machine has, and still exact as an integer.
    (1.0..1e18).contains(&bytes).then_some(bytes as u64)
}

/// Parses a number with one of the units.
fn quantity(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| c != '.' && !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(end);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(seconds("500ms"), Some(0.5));
        for wrong in ["5", "s", "5 years", "-1s", "1..5s", ""] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
        assert_eq!(bytes("512MB"), Some(512 << 20));
        for wrong in ["512", "0KB", "9999999999999999GB", "MB"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_are_unique_and_match() {
        for (n, setting) in ALL.iter().enumerate() {
            let earlier = &ALL[..n];
            assert!(earlier.iter().all(|one| one.variable != setting.variable));
            if let Some(key) = setting.key {
                assert!(earlier.iter().all(|one| one.key != setting.key), "{key}");
                let variable = format!("{}{}", crate::variables::PREFIX, key.to_ascii_uppercase());
                assert_eq!(setting.variable, variable);
                assert!(!setting.field.is_empty() && !setting.example.is_empty(), "{key}");
            }
        }
    }

    #[test]
    fn messages_list_every_word() {
        for setting in ALL {
            if let Values::Words { words, .. } = setting.values {
                let mentioned: Vec<String> = words.iter().map(|w| format!("`\"{w}\"`")).collect();
                assert!(mentioned.iter().all(|word| setting.takes.contains(word)));
                assert!(words.contains(&setting.default.trim_matches('"')));
                assert!(words.contains(&setting.example));
            }
            assert!(setting.meaning.ends_with('.') && !setting.takes.is_empty());
        }
    }
}
