//! Combines the settings of a test: defaults, `rebut.toml`, the attribute, and environment
//! variables. Later ones override earlier ones.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rebut_protocol::near_miss;
use rebut_protocol::settings::{self, Setting};
use rebut_protocol::test_path::TestPath;
use rebut_protocol::variables::{CHILD, EVENTS_DIR, INPUTS_MAX, PREFIX, REPLAYS, RESTART};

use super::Settings;
use super::apply::{RawValue, apply};
use super::toml::{self, Document, Position, Table};
use crate::folder;
use crate::sorted_indices::sorted_indices;
use crate::strings;

/// An invalid setting, with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SettingsError(String);

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SettingsError {}

/// Settings, with warnings about them.
pub(crate) type LoadedSettings = (Settings, Vec<String>);

impl Settings {
    /// Loads the settings of a test, and returns them with warnings. `configure` applies the
    /// attribute.
    #[inline(never)]
    pub(crate) fn load(
        manifest_dir: &str,
        test: &str,
        configure: &dyn Fn(&mut Settings),
    ) -> Result<LoadedSettings, SettingsError> {
        let mut variables = Variables::new();
        for (name, value) in std::env::vars_os() {
            if let Ok(name) = name.into_string()
                && (name.starts_with(PREFIX) || name == "CI")
            {
                variables.push((name, value.to_string_lossy().into_owned()));
            }
        }
        load(&folder::current_manifest_dir(manifest_dir), test, configure, &variables)
    }
}

type Variables = Vec<(String, String)>;

#[inline(never)]
fn load(
    manifest_dir: &Path,
    test: &str,
    configure: &dyn Fn(&mut Settings),
    variables: &Variables,
) -> Result<(Settings, Vec<String>), SettingsError> {
    let mut settings = Settings::default();
    let file = File::find(manifest_dir)?;
    let profile = profile_of(file.as_ref(), variables)?;
    if let Some(file) = &file {
        file.apply(&mut settings, profile.as_deref(), test)?;
    }
    configure(&mut settings);
    let warnings = apply_variables(&mut settings, variables)?;
    Ok((settings, warnings))
}

/// Returns the requested profile, or `ci` if it exists and the `CI` variable is set.
#[inline(never)]
fn profile_of(file: Option<&File>, variables: &Variables) -> Result<Option<String>, SettingsError> {
    let profiles: Vec<&str> = file.map_or(Vec::new(), File::profiles);
    let value_of = |wanted: &str| {
        let found = variables.iter().find(|(name, _)| name == wanted);
        found.map_or("", |(_, value)| value.as_str())
    };
    let name = value_of(settings::PROFILE.variable);
    if !name.is_empty() {
        if profiles.contains(&name) {
            return Ok(Some(name.to_owned()));
        }
        let known = match (file, profiles.is_empty()) {
            (None, _) => "no `rebut.toml` was found".to_owned(),
            (Some(file), true) => format!("{} has no profiles", folder::shown(&file.path)),
            (Some(file), false) => {
                format!(
                    "{} has `{}`",
                    folder::shown(&file.path),
                    strings::joined(&profiles, "`, `")
                )
            }
        };
        let hint = did_you_mean(name, &profiles);
        return Err(SettingsError(format!(
            "{}={name}: unknown profile{hint}; {known}",
            settings::PROFILE.variable
        )));
    }
    let is_ci = !matches!(value_of("CI"), "" | "false" | "0");
    Ok((is_ci && profiles.contains(&"ci")).then(|| "ci".to_owned()))
}

#[inline(never)]
fn apply_variables(
    into: &mut Settings,
    variables: &Variables,
) -> Result<Vec<String>, SettingsError> {
    let mut warnings = Vec::new();
    for n in sorted_indices(variables.len(), &|a, b| variables[a].cmp(&variables[b])) {
        let (name, value) = &variables[n];
        if !name.starts_with(PREFIX) {
            continue;
        }
        match settings::ALL.iter().find(|setting| setting.variable == name) {
            Some(_) if value.is_empty() => {}
            Some(setting) => {
                let takes = without_quotes(setting.takes);
                let wrong = || format!("{name}={value}: expected {takes}");
                match apply(setting, into, &RawValue::Word(value.clone())) {
                    Some(()) => {}
                    None if name == settings::FOUND_BY.variable => {
                        warnings.push(format!("{}; ignored", wrong()))
                    }
                    None => return Err(SettingsError(wrong())),
                }
            }
            None if name == INPUTS_MAX => into.inputs_max = value.parse().unwrap_or(0),
            // Rebut uses these variables for the processes that it starts.
            None if name.starts_with(CHILD)
                || name.starts_with(RESTART)
                || matches!(name.as_str(), EVENTS_DIR | REPLAYS) => {}
            None => {
                let hint = did_you_mean(name, &names(&|setting| Some(setting.variable)));
                if !hint.is_empty() {
                    warnings.push(format!("unknown variable `{name}`{hint}"));
                }
            }
        }
    }
    Ok(warnings)
}

/// Returns the accepted values of a setting for environment variables, where strings have no
/// quotes.
fn without_quotes(takes: &str) -> String {
    strings::replaced(takes, "\"", "")
}

/// A `rebut.toml`.
#[derive(Debug)]
struct File {
    path: PathBuf,
    document: Document,
}

/// The maximum size of a file.
const LENGTH_MAX: u64 = 1 << 20;

impl File {
    /// Finds the first file between the crate and the root of its workspace.
    fn find(manifest_dir: &Path) -> Result<Option<File>, SettingsError> {
        for folder in manifest_dir.ancestors() {
            let path = folder.join("rebut.toml");
            match folder::read(&path, LENGTH_MAX) {
                Ok(text) => return File::parse(path, &text).map(Some),
                Err(error) if is_absent(&error) => {}
                Err(error) => {
                    let path = folder::shown(&path);
                    return Err(SettingsError(format!("cannot read {path}: {error}")));
                }
            }
            if is_root(folder) {
                break;
            }
        }
        Ok(None)
    }

    fn parse(path: PathBuf, text: &str) -> Result<File, SettingsError> {
        match toml::parse(text) {
            Ok(document) => Ok(File { path, document }),
            Err(wrong) => Err(error_at(&path, wrong.at, &wrong.message)),
        }
    }

    fn profiles(&self) -> Vec<&str> {
        let mut profiles = Vec::new();
        for table in &self.document.tables {
            if let [kind, name] = table.name.as_slice()
                && kind == "profile"
            {
                profiles.push(name.as_str());
            }
        }
        profiles
    }

    /// Applies the settings of the file to a test. Checks all tables, so that the first run
    /// reveals every error, not only those in tables that apply to it.
    #[inline(never)]
    fn apply(
        &self,
        settings: &mut Settings,
        profile: Option<&str>,
        test: &str,
    ) -> Result<(), SettingsError> {
        let mut chosen = [Vec::new(), Vec::new(), Vec::new()];
        for table in &self.document.tables {
            self.set_all(&mut Settings::default(), table)?;
            match table.name.as_slice() {
                [] => chosen[0].push(table),
                [kind, name] if kind == "profile" => {
                    if Some(name.as_str()) == profile {
                        chosen[1].push(table);
                    }
                }
                [kind, pattern] if kind == "test" => {
                    if matches_test(pattern, test) {
                        chosen[2].push(table);
                    }
                }
                _ => return Err(self.unknown_table(table)),
            }
        }
        for tables in &chosen {
            for table in tables {
                self.set_all(settings, table)?;
            }
        }
        Ok(())
    }

    fn unknown_table(&self, table: &Table) -> SettingsError {
        let message = format!(
            "unknown table `[{}]`; expected `[profile.NAME]` or `[test.\"PATH\"]`",
            strings::joined(&table.name, ".")
        );
        error_at(&self.path, table.at, &message)
    }

    fn set_all(&self, into: &mut Settings, table: &Table) -> Result<(), SettingsError> {
        for entry in &table.entries {
            let found = settings::ALL.iter().find(|setting| setting.key == Some(&entry.key));
            let Some(setting) = found else {
                return Err(error_at(&self.path, entry.key_at, &unknown_key(&entry.key)));
            };
            apply(setting, into, &RawValue::Typed(entry.value.clone())).ok_or_else(|| {
                let takes = setting.takes;
                let message =
                    format!("`{}` cannot be {}; expected {takes}", entry.key, entry.value);
                error_at(&self.path, entry.value_at, &message)
            })?;
        }
        Ok(())
    }
}

fn error_at(path: &Path, at: Position, message: &str) -> SettingsError {
    SettingsError(format!("{}:{at}: {message}", folder::shown(path)))
}

fn unknown_key(key: &str) -> String {
    let variable = variable_of(key);
    if settings::ALL.iter().any(|one| one.key.is_none() && one.variable == variable) {
        return format!(
            "`{key}` can only be set with the environment variable `{}`",
            variable_of(key)
        );
    }
    let all = names(&|setting| setting.key);
    let hint = did_you_mean(key, &all);
    format!("unknown setting `{key}`{hint}; expected one of `{}`", strings::joined(&all, "`, `"))
}

/// Returns one of the names of each setting, if it has that name.
fn names(name: &dyn Fn(&'static Setting) -> Option<&'static str>) -> Vec<&'static str> {
    let mut names = Vec::new();
    for setting in settings::ALL {
        names.extend(name(setting));
    }
    names
}

fn variable_of(key: &str) -> String {
    format!("{PREFIX}{}", key.to_ascii_uppercase())
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns whether nothing above this directory belongs to the workspace.
fn is_root(folder: &Path) -> bool {
    if folder.join("Cargo.lock").exists() || folder.join(".git").exists() {
        return true;
    }
    let manifest = folder::read(&folder.join("Cargo.toml"), LENGTH_MAX).unwrap_or_default();
    strings::lines(&manifest).iter().any(|line| line.trim_start().starts_with("[workspace"))
}

/// Returns whether a pattern matches the path of a test, with or without the name of the crate.
/// `*` matches any string.
fn matches_test(pattern: &str, test: &str) -> bool {
    matches(pattern, test) || matches(pattern, TestPath::new(test).in_crate())
}

fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = strings::split_once(pattern, "*") else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = strings::split(rest, "*");
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = strings::find(text, part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}

/// Returns a hint with the nearest name, or an empty string if none is near enough.
fn did_you_mean(word: &str, names: &[&str]) -> String {
    let name = near_miss::nearest(word, names);
    name.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use crate::folder::scratch::Scratch;
    use crate::{Isolation, Verbosity};

    /// Creates a workspace with one crate and this file at its root.
    fn workspace(text: &str) -> Scratch {
        let home = Scratch::new();
        fs::write(home.path().join("Cargo.toml"), "[workspace]\n").expect("a file");
        fs::write(home.path().join("rebut.toml"), text).expect("a file");
        fs::create_dir_all(home.path().join("crates/one")).expect("a folder");
        home
    }

    fn load_with(
        home: &Scratch,
        variables: &[(&str, &str)],
    ) -> Result<(Settings, Vec<String>), SettingsError> {
        let variables =
            variables.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        load(&home.path().join("crates/one"), "one::module::holds", &|_| (), &variables)
    }

    fn check(text: &str, variables: &[(&str, &str)], expected: impl FnOnce(&mut Settings)) {
        let mut settings = Settings::default();
        expected(&mut settings);
        let loaded = load_with(&workspace(text), variables).map(|(settings, _)| settings);
        assert_eq!(loaded, Ok(settings), "{text}");
    }

    fn check_error(text: &str, variables: &[(&str, &str)], expected: &str) {
        let home = workspace(text);
        let error = load_with(&home, variables).expect_err("a wrong setting").to_string();
        assert_eq!(error.replace(home.text(), "").replace('\\', "/"), expected);
    }

    #[test]
    fn later_sources_override_earlier_ones() {
        let text = "cases = 1\ndeadline = \"1s\"\nseed = 1\nshrink_max = 1\n\
                    [test.\"one::module::*\"]\nshrink_max = 3\n\
                    [profile.quick]\nseed = 2\nshrink_max = 2\n[profile.ci]\ncases = 9\n";
        check(text, &[("REBUT_PROFILE", "quick"), ("CI", "true")], |settings| {
            settings.cases = Some(1);
            settings.deadline = Duration::from_secs(1);
            settings.seed = Some(2);
            settings.shrink_max = 3;
        });
        let home = workspace("cases = 1\nfailures = 2\nexplain = false\n");
        let variables = [("REBUT_FAILURES".to_owned(), "4".to_owned())].into();
        let configure = |settings: &mut Settings| {
            settings.cases = Some(3);
            settings.failures_max = 3;
        };
        let (settings, warnings) =
            load(home.path(), "one::holds", &configure, &variables).expect("valid");
        assert_eq!((settings.cases, settings.failures_max, settings.explain), (Some(3), 4, false));
        assert!(warnings.is_empty());
    }

    #[test]
    fn every_variable_sets_its_setting() {
        let variables = [
            ("REBUT_CASES", "1_5"),
            ("REBUT_SEED", "7"),
            ("REBUT_STEPS", "16"),
            ("REBUT_TIME_BUDGET", "2s"),
            ("REBUT_DEADLINE", "100ms"),
            ("REBUT_ISOLATE", "never"),
            ("REBUT_MEMORY", "1GB"),
            ("REBUT_SHRINK_MAX", "3"),
            ("REBUT_FAILURES", "1"),
            ("REBUT_EXPLAIN", "0"),
            ("REBUT_VERBOSITY", "trace"),
            ("REBUT_DATABASE", "false"),
            ("REBUT_REPLAY", "r1.AA"),
            ("REBUT_FOUND_BY", "exploration"),
            ("REBUT_REJECTIONS_MAX", "8"),
            ("REBUT_SEARCH", "climbing"),
            ("REBUT_EVENTS", "all"),
            (INPUTS_MAX, "300"),
        ];
        check("", &variables, |settings| {
            *settings = Settings {
                cases: Some(15),
                steps: Some(16),
                seed: Some(7),
                time_budget: Some(Duration::from_secs(2)),
                deadline: Duration::from_millis(100),
                isolate: Isolation::Never,
                memory_max: 1 << 30,
                shrink_max: 3,
                failures_max: 1,
                explain: false,
                verbosity: Verbosity::Trace,
                database: false,
                replay: Some("r1.AA".into()),
                replay_from: crate::verdict::FoundBy::Exploration,
                rejections_max: 8,
                inputs_max: 300,
                search: crate::SearchMode::Climbing,
                events: crate::EventLevel::All,
            };
        });
    }

    #[test]
    fn unknown_values_of_found_by_are_warnings() {
        let (settings, warnings) =
            load_with(&workspace(""), &[("REBUT_FOUND_BY", "magic")]).expect("only a warning");
        assert_eq!(settings, Settings::default());
        assert_eq!(warnings, ["REBUT_FOUND_BY=magic: expected `exploration`; ignored"]);
    }

    #[test]
    fn ci_selects_its_profile() {
        let text = "[profile.ci]\ncases = 9\n";
        check(text, &[("CI", "1")], |settings| settings.cases = Some(9));
        check(text, &[("CI", "false")], |_| ());
        check(text, &[], |_| ());
        check("", &[("CI", "1")], |_| ());
    }

    #[test]
    fn the_nearest_file_up_to_the_workspace_is_read() {
        let home = workspace("cases = 1");
        fs::write(home.path().join("crates/one/rebut.toml"), "cases = 2").expect("a file");
        assert_eq!(load_with(&home, &[]).expect("valid").0.cases, Some(2));
        fs::remove_file(home.path().join("crates/one/rebut.toml")).expect("a file");
        fs::write(home.path().join("crates/Cargo.lock"), "").expect("a file");
        assert_eq!(load_with(&home, &[]).expect("valid").0, Settings::default());
    }

    #[test]
    fn invalid_settings_are_errors_with_a_position() {
        check_error(
            "\ncase = 5",
            &[],
            "/rebut.toml:2:1: unknown setting `case` (did you mean `cases`?); expected one of \
             `cases`, `steps`, `seed`, `time_budget`, `deadline`, `isolate`, `memory`, `shrink_max`, \
             `failures`, `explain`, `verbosity`, `database`, `rejections_max`, `search`, `events`",
        );
        check_error(
            "cases = -5",
            &[],
            "/rebut.toml:1:9: `cases` cannot be -5; expected a whole number such as `1000`",
        );
        check_error(
            "[profile.x]\ndeadline = 5",
            &[],
            "/rebut.toml:2:12: `deadline` cannot be 5; expected a time such as `\"500ms\"`, \
             `\"2s\"` or `\"1min\"`",
        );
        check_error(
            "[profiles.x]",
            &[],
            "/rebut.toml:1:1: unknown table `[profiles.x]`; expected `[profile.NAME]` or \
             `[test.\"PATH\"]`",
        );
        check_error(
            "replay = \"r1.AA\"",
            &[],
            "/rebut.toml:1:1: `replay` can only be set with the environment variable `REBUT_REPLAY`",
        );
        check_error(
            "",
            &[("REBUT_CASES", "many")],
            "REBUT_CASES=many: expected a whole number such as `1000`",
        );
        check_error(
            "",
            &[("REBUT_ISOLATE", "sometimes")],
            "REBUT_ISOLATE=sometimes: expected `auto`, `always` or `never`",
        );
        check_error(
            "[profile.quick]",
            &[("REBUT_PROFILE", "quik")],
            "REBUT_PROFILE=quik: unknown profile (did you mean `quick`?); /rebut.toml has `quick`",
        );
    }

    #[test]
    fn unreadable_settings_files_are_errors() {
        let home = workspace("");
        let path = home.path().join("rebut.toml");
        fs::write(&path, [0xFF, 0xFE]).expect("a file");
        let error = load_with(&home, &[]).expect_err("not UTF-8").to_string();
        assert!(error.contains("not valid UTF-8"), "{error}");
        fs::remove_file(&path).expect("a file");
        fs::create_dir(&path).expect("a folder");
        let error = load_with(&home, &[]).expect_err("a folder").to_string();
        assert!(error.contains("not a regular file"), "{error}");
    }

    #[test]
    fn warns_about_a_misspelled_variable() {
        let home = workspace("");
        let variables = [("REBUT_CASE", "5"), ("REBUT_CHILD_X", "1"), ("REBUT_HOME_PAGE", "x")];
        let (_, warnings) = load_with(&home, &variables).expect("valid");
        let expected = "unknown variable `REBUT_CASE` (did you mean `REBUT_CASES`?)";
        assert_eq!(warnings, [expected]);
    }

    #[test]
    fn patterns_match_paths_with_and_without_the_crate() {
        for pattern in ["one::a::b", "a::b", "one::*", "*", "*::b", "o*a*b", "a::*"] {
            assert!(matches_test(pattern, "one::a::b"), "{pattern}");
        }
        for pattern in ["one", "b", "one::a", "*::c", "a::b*b", ""] {
            assert!(!matches_test(pattern, "one::a::b"), "{pattern}");
        }
    }
}

#[cfg(test)]
mod mutations {
    use super::*;
    use crate::folder::scratch::Scratch;
    use rebut_testkit::mutations::{Clock, for_each, growth};

    const FILE: &str = "# settings\ncases = 100\ndeadline = \"10s\"\nsearch = \"auto\"\nexplain = \
        false\n\n[profile.ci]\ncases = 10_000\nseed = 0x1F\n\n[test.\"one::module::*\"]\nshrink_max = \
        3\nisolate = 'never'\n";

    #[test]
    fn settings_files_are_read_or_refused() {
        let home = Scratch::new();
        std::fs::write(home.path().join("Cargo.toml"), "[workspace]\n").expect("a file");
        let path = home.path().join("rebut.toml");
        let variables = vec![("CI".to_owned(), "true".to_owned())];
        for_each("rebut.toml", &[FILE.as_bytes()], &mut |text| {
            std::fs::write(&path, text).expect("a file");
            let loaded = load(home.path(), "one::module::holds", &|_| (), &variables);
            assert!(path.is_file());
            if let Err(error) = &loaded {
                assert!(error.to_string().contains("rebut.toml"), "{error}");
            }
            loaded.is_ok()
        });
        let table = |n: usize| format!("[test.\"one::t{n}\"]\ncases = {n}\n");
        let make = |bytes: usize| (0..bytes / 32).map(table).collect::<String>().into_bytes();
        growth("rebut.toml", Clock::Thread, 1 << 18, &make, &mut |text| {
            toml::parse(std::str::from_utf8(text).expect("UTF-8")).expect("valid syntax");
        });
    }
}
