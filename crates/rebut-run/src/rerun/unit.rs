//! Cargo's record of the running binary.
//!
//! The features of a build are known to the compiler alone, and a function such as `check` does
//! not even see the target it is built into. But cargo keeps a record of each unit that it
//! builds, in a directory whose name ends with the hash in the name of the binary:
//! `<profile>/.fingerprint/<package>-<hash>/test-lib-demo.json`, or with a directory for each
//! unit, `<profile>/build/<package>/<hash>/fingerprint/`.
//!
//! An alternative is the command line of the process that started the binary. Not every system
//! shows it, it hides aliases, and the features of a member can come from another member. The
//! format of the record is not stable either. A part that is missing stays unknown.

use std::fs;
use std::path::{Path, PathBuf};

use crate::folder;
use crate::strings;

/// A unit of a build: one target of a package, with its features and its profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The kind of the target, as in a flag of `cargo test`, and its name; empty if unknown.
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    /// The features, if they are known.
    pub(crate) features: Option<Features>,
    /// The directory of the profile, such as `debug`; empty if unknown.
    pub(crate) profile: String,
    /// The triple in the path of the binary.
    pub(crate) triple: Option<String>,
}

/// The features of a package in a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features {
    pub(crate) active: Vec<String>,
    /// All features that the manifest declares.
    pub(crate) declared: Vec<String>,
}

impl Unit {
    /// Finds the unit of a binary of a package.
    #[inline(never)]
    pub(crate) fn of_binary(binary: &Path, package: &str) -> Unit {
        find(binary, package).unwrap_or_default()
    }

    /// Sets the profile and the triple from the directory that the profile is built into.
    pub(crate) fn set_profile(&mut self, profile_directory: &Path) {
        let name = profile_directory.file_name().and_then(|name| name.to_str());
        self.profile = name.unwrap_or_default().to_owned();
        self.triple = folder::triple_of(profile_directory).map(str::to_owned);
    }

    /// Returns the name of the target in events, such as `test round-trip` or `lib`.
    pub(crate) fn target(&self) -> String {
        match self.kind {
            "lib" => "lib".to_owned(),
            kind => format!("{kind} {}", self.name).trim().to_owned(),
        }
    }
}

fn find(binary: &Path, package: &str) -> Option<Unit> {
    let directory = binary.parent()?;
    let stem = binary.file_stem()?.to_str()?;
    let mut unit = Unit::default();
    if directory.file_name()? == "out" {
        let unit_directory = directory.parent()?;
        read_record(&unit_directory.join("fingerprint"), &mut unit);
        // `<profile>/build/<package>/<hash>`
        unit.set_profile(unit_directory.ancestors().nth(3)?);
        return Some(unit);
    }
    let is_inside = directory.file_name()? == "deps" || directory.file_name()? == "examples";
    let profile = if is_inside { directory.parent()? } else { directory };
    let records = profile.join(".fingerprint");
    // Programs can be anywhere.
    if !is_inside && !records.is_dir() && !folder::is_profile(profile) {
        return None;
    }
    if let Some(hash) = hash_of(stem) {
        read_record(&records.join(format!("{package}-{hash}")), &mut unit);
    } else {
        unit.kind = if is_inside { "example" } else { "bin" };
        unit.name = stem.to_owned();
        if let Some(record) = record_of_copy(binary, &records, package, &unit) {
            read_record(&record, &mut unit);
        }
    }
    unit.set_profile(profile);
    Some(unit)
}

/// Returns whether a binary has the name of its target. `cargo run` starts such a binary, and a
/// test harness is never one.
pub(crate) fn is_program(binary: &Path) -> bool {
    binary.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| hash_of(stem).is_none())
}

/// Returns the hash at the end of the name of a binary.
fn hash_of(stem: &str) -> Option<&str> {
    let (_, hash) = stem.rsplit_once('-')?;
    (hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(hash)
}

/// Returns the record of a program that `cargo run` starts. Its name has no hash: it is a link to
/// one of the binaries of its target, or a copy of one.
fn record_of_copy(binary: &Path, records: &Path, package: &str, unit: &Unit) -> Option<PathBuf> {
    let file = format!("{}-{}.json", unit.kind, unit.name);
    let inside = if unit.kind == "example" { "examples" } else { "deps" };
    let extension = binary.extension().map(|extension| extension.to_string_lossy());
    let extension = extension.map_or(String::new(), |extension| format!(".{extension}"));
    let mut found = Vec::new();
    for entry in fs::read_dir(records).ok()? {
        let Ok(entry) = entry else { continue };
        let name = entry.file_name();
        let Some((of, hash)) = name.to_str().and_then(|name| name.rsplit_once('-')) else {
            continue;
        };
        if of != package || !entry.path().join(&file).is_file() {
            continue;
        }
        let crate_name = strings::replaced(&unit.name, "-", "_");
        let original =
            records.with_file_name(inside).join(format!("{crate_name}-{hash}{extension}"));
        if is_same_file(&original, binary) {
            return Some(entry.path());
        }
        found.push(entry.path());
    }
    if found.len() == 1 { found.pop() } else { None }
}

#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |path: &Path| fs::metadata(path).ok().map(|file| (file.dev(), file.ino()));
    identity(one).is_some_and(|one| Some(one) == identity(other))
}

#[cfg(not(unix))]
fn is_same_file(_: &Path, _: &Path) -> bool {
    false
}

/// The starts of the names of records, and the kinds of their targets.
const KINDS: [(&str, &str); 7] = [
    ("test-integration-test-", "test"),
    ("test-lib-", "lib"),
    ("test-bin-", "bin"),
    ("test-example-", "example"),
    ("test-bench-", "bench"),
    ("bin-", "bin"),
    ("example-", "example"),
];

/// The maximum size of a record in bytes. A record lists the dependencies of its unit. Arbitrary.
const RECORD_MAX: u64 = 4 << 20;

/// Reads the record in a directory.
fn read_record(directory: &Path, unit: &mut Unit) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries {
        let Ok(entry) = entry else { continue };
        let name = entry.file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".json")) else {
            continue;
        };
        for (start, kind) in KINDS {
            if let Some(name) = name.strip_prefix(start) {
                (unit.kind, unit.name) = (kind, name.to_owned());
                let text = folder::read(&entry.path(), RECORD_MAX).unwrap_or_default();
                unit.features = features_in(&text);
                return;
            }
        }
    }
}

/// Returns the features in a record: `"features":"[\"default\", \"std\"]"`.
fn features_in(record: &str) -> Option<Features> {
    let list = |key: &str| {
        let (_, rest) = strings::split_once(record, &format!("\"{key}\":\"["))?;
        let (list, _) = strings::split_once(rest, "]\"")?;
        let parts = strings::split(list, "\\\"");
        // Every second part is a name.
        Some(parts.iter().skip(1).step_by(2).map(|&name| name.to_owned()).collect())
    };
    Some(Features { active: list("features")?, declared: list("declared_features")? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;

    const HASH: &str = "bd66ce9635bf6004";
    const RECORD: &str =
        r#"{"rustc":7,"features":"[\"default\", \"std\"]","declared_features":"[\"std\"]"}"#;

    /// Returns the unit of a binary, if these records exist.
    fn unit(binary: &str, records: &[&str]) -> Unit {
        let home = Scratch::new();
        for record in records {
            let path = home.path().join(record);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(path, RECORD).expect("a file");
        }
        Unit::of_binary(&home.path().join(binary), "my-demo")
    }

    #[cfg(unix)]
    #[test]
    fn records_show_the_target_and_the_features() {
        let of = |kind: &str| format!("t/release/.fingerprint/my-demo-{HASH}/{kind}.json");
        for (binary, record, target) in [
            (format!("deps/my_demo-{HASH}"), of("test-lib-my_demo"), "lib"),
            (
                format!("deps/round_trip-{HASH}"),
                of("test-integration-test-round-trip"),
                "test round-trip",
            ),
            (format!("deps/tool-{HASH}"), of("test-bin-tool"), "bin tool"),
            (format!("deps/speed-{HASH}"), of("test-bench-speed"), "bench speed"),
            (format!("examples/show-{HASH}"), of("test-example-show"), "example show"),
            ("tool".to_owned(), of("bin-tool"), "bin tool"),
            ("examples/show".to_owned(), of("example-show"), "example show"),
            (
                format!("build/my-demo/{HASH}/out/my_demo-{HASH}"),
                format!("t/release/build/my-demo/{HASH}/fingerprint/test-lib-my_demo.json"),
                "lib",
            ),
        ] {
            let unit = unit(&format!("t/release/{binary}"), &[&record]);
            assert_eq!(unit.target(), target, "{binary}");
            assert_eq!(unit.profile, "release", "{binary}");
            assert_eq!(unit.triple, None);
            let features = unit.features.expect("features");
            assert_eq!(features.active, ["default", "std"]);
            assert_eq!(features.declared, ["std"]);
        }
    }

    #[cfg(unix)]
    #[test]
    fn parts_without_a_record_are_unknown() {
        let unknown = unit(&format!("t/debug/deps/a-{HASH}"), &[]);
        assert_eq!((unknown.target().as_str(), unknown.features), ("", None));
        assert_eq!(unknown.profile, "debug");
        // Two builds of a program: nothing shows which one was copied.
        let twice = ["1", "2"].map(|n| format!("t/debug/.fingerprint/my-demo-{n}/bin-tool.json"));
        let twice = unit("t/debug/tool", &twice.each_ref().map(String::as_str));
        assert_eq!((twice.target().as_str(), twice.features), ("bin tool", None));
        let elsewhere = unit("bin/tool", &[]);
        assert_eq!((elsewhere.kind, elsewhere.profile.as_str()), ("", ""));
        let other = format!("t/debug/.fingerprint/other-{HASH}/test-lib-other.json");
        assert_eq!(unit(&format!("t/debug/deps/a-{HASH}"), &[&other]).kind, "");
    }

    #[test]
    fn this_binary_has_a_record() {
        let binary = std::env::current_exe().expect("a binary");
        let unit = Unit::of_binary(&binary, env!("CARGO_PKG_NAME"));
        assert_eq!(unit.target(), "lib");
        assert!(unit.features.is_some());
    }
}
