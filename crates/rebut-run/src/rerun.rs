//! The command that runs a property again, and the identity of the property in replay strings.
//!
//! A user pastes the command into the same shell. It must build the same target with the same
//! features, profile and triple, and run this property only. A part that is not known is left
//! out, because a wrong one is worse than none.

mod features;
mod processes;
mod unit;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rebut_protocol::hash::fnv1a;
use rebut_protocol::test_path::TestPath;

use crate::folder;
use crate::property::{CargoTarget, Test};
use crate::strings;
use processes::Ancestor;
use unit::{Features, Unit};

/// A running property, as far as commands are concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    /// The path of the property.
    pub(crate) path: &'a str,
    /// The file of the property, as the compiler names it.
    pub(crate) file: &'a str,
    /// The name of its package; empty if unknown.
    pub(crate) package: &'a str,
    /// The directory of the package's manifest.
    pub(crate) manifest_dir: &'a str,
    /// The kind and the name of its target, such as `test round-trip`; empty if unknown. It is
    /// part of the identity, so it is the same wherever the binary runs.
    pub(crate) target: &'a str,
    /// The target as cargo knows it, for commands; without its name or empty if that is unknown.
    pub(crate) known_target: &'a str,
}

impl Origin<'_> {
    /// Returns a short hash of the property. It is part of replay strings, so that no other test
    /// takes them. It does not depend on lines, which change while a failure is being fixed.
    pub(crate) fn identity(&self) -> String {
        let path = match self.path.split_once('@') {
            Some((test, _location)) => test,
            // A check outside of a test is named after its location.
            None if self.path.contains("::") => self.path,
            None => self.path.rsplit_once(':').map_or(self.path, |(file, _line)| file),
        };
        let mut hash = fnv1a(format!("{}\n{}\n{path}", self.package, self.target).as_bytes());
        let mut identity = String::new();
        for _ in 0..IDENTITY_LENGTH {
            let digit = u32::try_from(hash % 36).unwrap_or_default();
            identity.extend(char::from_digit(digit, 36));
            hash /= 36;
        }
        identity
    }
}

/// The number of characters of an identity. Four of them distinguish more than a million tests.
const IDENTITY_LENGTH: usize = 4;

/// Returns a replay string with the identity of its property.
pub(crate) fn with_identity(word: &str, identity: &str) -> String {
    if identity.is_empty() { word.to_owned() } else { format!("{word}.{identity}") }
}

/// Returns why this property does not run a replay string: it has the identity of another one.
pub(crate) fn foreign_word(word: &str, origin: &Origin<'_>) -> Option<String> {
    let (bare, given) = word.rsplit_once('.').filter(|(bare, _)| bare.contains('.'))?;
    (given != origin.identity()).then(|| {
        format!(
            "the string in REBUT_REPLAY belongs to another test, so `{}` does not run; to replay \
             it here, set REBUT_REPLAY={bare}",
            TestPath::new(origin.path).harness_name()
        )
    })
}

/// Returns the target of the running binary, such as `test round-trip`; empty if unknown.
pub(crate) fn running_target(package: &str) -> String {
    build(package).unit.target()
}

/// Returns the target of a test, such as `test round-trip`, as cargo knows it. Without cargo's
/// record of the build, an uncertain name is left out; empty if cargo did not build the target.
pub(crate) fn target(target: &CargoTarget, path: &str, file: &str) -> String {
    match target.package {
        "" => String::new(),
        package => known_target(&build(package).unit, target, path, file),
    }
}

/// Returns the target of a test. Its file may be anywhere, and `_` in the name of its crate may be
/// `-` in that of the target, so a record is better than both.
fn known_target(unit: &Unit, target: &CargoTarget, path: &str, file: &str) -> String {
    let is_recorded = !unit.kind.is_empty()
        && strings::replaced(&unit.name, "-", "_") == TestPath::new(path).crate_name();
    if is_recorded { unit.target() } else { target.certain_name(path, file) }
}

/// Returns the flags with which `cargo test` builds the target of a test alone, such as `-p demo
/// --lib`; empty if cargo did not build it.
pub(crate) fn selection(test: &Test) -> String {
    let target = self::target(&test.target, test.path, test.file);
    let flag = target_flag(&target).unwrap_or_default();
    if flag.is_empty() { flag } else { format!("-p {} {flag}", test.target.package) }
}

/// Returns the command that runs a test again, or all checks of a program.
#[inline(never)]
pub(crate) fn command(origin: &Origin<'_>) -> String {
    let build = build(origin.package);
    let is_test = origin.path.contains("::") || origin.path.contains('@');
    let arguments: Vec<String> = std::env::args().collect();
    let is_built_by_cargo = !origin.package.is_empty();
    if !is_test && (!is_built_by_cargo || build.unit.kind.is_empty()) {
        // A program that was started by its path.
        return shell_words(&arguments);
    }
    let is_nextest = build.is_nextest();
    let is_bench = arguments.iter().any(|one| one == "--bench");
    let cargo = match () {
        () if build.is_program && !is_test => "cargo run",
        () if is_nextest => "cargo nextest run",
        () if is_bench => "cargo bench",
        () => "cargo test",
    };
    let mut words = vec![cargo.to_owned()];
    if is_built_by_cargo {
        let selection = Selection::of(build, origin, is_nextest, is_bench);
        words.push(format!("-p {}", selection.package));
        words.extend(target_flag(origin.known_target));
        words.extend(selection.flags);
    }
    if is_test {
        words.push(quoted(TestPath::new(origin.path).harness_name()));
        words.push("-- --exact".to_owned());
        // Only a run with such a flag starts an ignored test.
        if arguments.iter().any(|one| one == "--ignored" || one == "--include-ignored") {
            words.push("--include-ignored".to_owned());
        }
    } else {
        let own = |one: &String| one != "--bench" && one != "--nocapture";
        let rest: Vec<String> = arguments.into_iter().skip(1).filter(own).collect();
        if !rest.is_empty() {
            words.push(format!("-- {}", shell_words(&rest)));
        }
    }
    strings::joined(&words, " ")
}

/// Returns the command that runs a documentation test again. `filter` is a part of its name.
#[inline(never)]
pub(crate) fn doc_command(origin: &Origin<'_>, filter: &str) -> String {
    let mut words = vec!["cargo test".to_owned()];
    let selection = Selection::of(build(origin.package), origin, false, false);
    if !origin.package.is_empty() {
        words.push(format!("-p {}", selection.package));
    }
    words.push("--doc".to_owned());
    words.extend(selection.flags);
    words.push(quoted(filter));
    strings::joined(&words, " ")
}

/// The parts of a command that all properties of a package share.
#[derive(Clone, Debug)]
struct Selection {
    /// The name of the package, as the key.
    of_package: String,
    package: String,
    flags: Vec<String>,
}

impl Selection {
    /// Reads the manifest and the lock file, once per process: a binary belongs to one package.
    fn of(build: &Build, origin: &Origin<'_>, is_nextest: bool, is_bench: bool) -> Selection {
        static FIRST: OnceLock<Selection> = OnceLock::new();
        let read = || Selection {
            of_package: origin.package.to_owned(),
            package: package_spec(origin),
            flags: build.flags(origin, is_nextest, is_bench),
        };
        let first = FIRST.get_or_init(read);
        if first.of_package == origin.package { first.clone() } else { read() }
    }
}

/// The build of the running binary, and the processes that started it.
#[derive(Debug)]
struct Build {
    unit: Unit,
    /// Whether `cargo run` starts the binary: its name has no hash.
    is_program: bool,
    ancestors: Vec<Ancestor>,
}

/// Returns the build of the running binary, which belongs to this package.
fn build(package: &str) -> &'static Build {
    static BUILD: OnceLock<Build> = OnceLock::new();
    BUILD.get_or_init(|| {
        let binary = std::env::current_exe().unwrap_or_default();
        // Cargo may also have started a program that started this binary, for another package.
        let is_by_cargo = std::env::var("CARGO_PKG_NAME").is_ok_and(|name| name == package);
        let ancestors = if is_by_cargo { processes::ancestors() } else { Vec::new() };
        let mut unit = Unit::of_binary(&binary, package);
        // A documentation test is built in a temporary directory.
        if unit.kind.is_empty()
            && let Some(rustdoc) = ancestors.iter().find(|one| one.program == "rustdoc")
        {
            unit = unit_of_doc_tests(&rustdoc.arguments);
        }
        Build { is_program: unit::is_program(&binary), unit, ancestors }
    })
}

/// Returns the build of documentation tests, from the command line of rustdoc.
fn unit_of_doc_tests(arguments: &[String]) -> Unit {
    let mut unit = Unit::default();
    let mut features = Features::default();
    for pair in arguments.windows(2) {
        let (flag, value) = (pair[0].as_str(), pair[1].as_str());
        let feature = value.strip_prefix("feature=\"").and_then(|name| name.strip_suffix('"'));
        if flag == "--cfg" {
            features.active.extend(feature.map(str::to_owned));
        } else if let Some(list) = value.strip_prefix("cfg(feature, values(") {
            let names = strings::split(list, "\"").into_iter().skip(1).step_by(2);
            features.declared.extend(names.map(str::to_owned));
        } else if flag == "-L"
            && let Some(profile) =
                value.strip_prefix("dependency=").and_then(|deps| Path::new(deps).parent())
            && unit.profile.is_empty()
        {
            unit.set_profile(profile);
        }
    }
    unit.features = Some(features);
    unit
}

impl Build {
    /// Returns the nearest process that is cargo or one of its commands.
    fn cargo(&self) -> Option<&Ancestor> {
        self.ancestors.iter().find(|one| one.program.starts_with("cargo"))
    }

    /// Returns whether nextest started the binary. A test of nextest may have started cargo,
    /// which passes the variable on.
    fn is_nextest(&self) -> bool {
        std::env::var("NEXTEST").is_ok_and(|value| value == "1")
            && self.cargo().is_none_or(|cargo| cargo.program == "cargo-nextest")
    }

    /// Returns the flags with which cargo builds the same binary again.
    fn flags(&self, origin: &Origin<'_>, is_nextest: bool, is_bench: bool) -> Vec<String> {
        let Unit { features, profile, triple, .. } = &self.unit;
        let manifest = folder::current_manifest_dir(origin.manifest_dir).join("Cargo.toml");
        let mut flags = Vec::new();
        if let Some(features) = features {
            let text = folder::read(&manifest, FILE_MAX).unwrap_or_default();
            flags.extend(features::flags(features, &text));
        }
        match profile.as_str() {
            "" | "debug" => {}
            "release" if is_bench => {}
            "release" => flags.push("--release".to_owned()),
            other if is_nextest => flags.push(format!("--cargo-profile {}", quoted(other))),
            other => flags.push(format!("--profile {}", quoted(other))),
        }
        if let Some(triple) = triple {
            flags.push(format!("--target {}", quoted(triple)));
        }
        let root = folder::workspace_root(origin.manifest_dir, origin.file);
        let root = root.as_deref().or(manifest.parent());
        if let (Some(root), Some(directory)) = (root, self.user_directory())
            && !directory.starts_with(root)
            && manifest.is_file()
        {
            let manifest = manifest.to_string_lossy();
            let short = folder::without_home(&manifest);
            // A shell replaces `~` only outside of quotes.
            let path = if quoted(&short) == short { short } else { quoted(&manifest) };
            flags.push(format!("--manifest-path {path}"));
        }
        flags
    }

    /// Returns the directory in which the user started the test or the program. Cargo runs tests
    /// in the directory of their package, and programs in the user's directory.
    fn user_directory(&self) -> Option<PathBuf> {
        let directory = if self.is_program && !self.unit.kind.is_empty() {
            std::env::current_dir().ok()?
        } else {
            match self.cargo() {
                Some(cargo) => cargo.directory.clone(),
                None => std::env::current_dir().ok()?,
            }
        };
        directory.is_absolute().then_some(directory)
    }
}

/// The maximum size of a manifest or lock file to read, in bytes. A lock file of a thousand
/// packages has 300 KB.
const FILE_MAX: u64 = 8 << 20;

/// Returns the flag that selects a target for cargo, such as `--test round-trip`, or all targets
/// of its kind if it has no name.
fn target_flag(target: &str) -> Option<String> {
    match target {
        "" => None,
        "test" => Some("--tests".to_owned()),
        "bench" => Some("--benches".to_owned()),
        target => Some(format!("--{target}")),
    }
}

/// Returns the name of the package, with its version or its URL if the name alone is ambiguous:
/// a dependency may have the name of a member.
fn package_spec(origin: &Origin<'_>) -> String {
    let package = origin.package;
    let manifest_dir = folder::current_manifest_dir(origin.manifest_dir);
    let root = folder::workspace_root(origin.manifest_dir, origin.file);
    let root = root.unwrap_or_else(|| manifest_dir.clone());
    let lock = folder::read(&root.join("Cargo.lock"), FILE_MAX).unwrap_or_default();
    let locked = locked_versions(&lock, package);
    let local: Vec<&str> = locked.iter().filter(|one| one.1).map(|one| one.0).collect();
    let [version] = local.as_slice() else { return package.to_owned() };
    match locked.iter().filter(|one| one.0 == *version).count() {
        _ if locked.len() < 2 => package.to_owned(),
        1 => format!("{package}@{version}"),
        _ => quoted(&format!("path+file://{}#{package}@{version}", manifest_dir.to_string_lossy())),
    }
}

/// Returns the versions of the packages with this name in a lock file, each with whether it is in
/// a local directory, as members are.
fn locked_versions<'a>(lock: &'a str, package: &str) -> Vec<(&'a str, bool)> {
    let name = format!("name = \"{package}\"");
    let mut found = Vec::new();
    for entry in strings::split(lock, "[[package]]\n") {
        let lines = strings::lines(entry);
        let value = |key: &str| {
            let line = lines.iter().find_map(|line| line.strip_prefix(key))?;
            line.strip_prefix(" = \"")?.strip_suffix('"')
        };
        if lines.first() == Some(&name.as_str())
            && let Some(version) = value("version")
        {
            found.push((version, value("source").is_none()));
        }
    }
    found
}

/// Returns words as a user types them in a shell.
fn shell_words(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    strings::joined(&words, " ")
}

/// Returns a word in quotes, unless a shell does not change it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:@%+=,".contains(c);
    let is_plain =
        |(nth, c): (usize, char)| is_plain(c) || (nth > 0 && c == '#') || (nth == 0 && c == '~');
    match !word.is_empty() && word.chars().enumerate().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", strings::replaced(word, "'", "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;
    use std::fs;

    fn origin<'a>(path: &'a str, package: &'a str, target: &'a str) -> Origin<'a> {
        Origin {
            path,
            file: "src/lib.rs",
            package,
            manifest_dir: "/nowhere",
            target,
            known_target: target,
        }
    }

    #[test]
    fn identities_depend_on_the_package_the_target_and_the_path() {
        let all = [
            origin("demo::a", "demo", "lib"),
            origin("demo::b", "demo", "lib"),
            origin("demo::a", "other", "lib"),
            origin("demo::a", "demo", "bin demo"),
            origin("a@src/lib.rs:3", "demo", "lib"),
            origin("src/main.rs:3", "demo", "bin demo"),
        ];
        let identities: std::collections::HashSet<String> =
            all.iter().map(Origin::identity).collect();
        assert_eq!(identities.len(), all.len());
        assert!(identities.iter().all(|one| one.len() == IDENTITY_LENGTH));
        // Users have strings with this identity.
        assert_eq!(all[0].identity(), "jld4");
    }

    #[test]
    fn identities_do_not_depend_on_lines() {
        for (one, other) in
            [("a@src/lib.rs:3", "a@src/lib.rs:9"), ("src/main.rs:3", "src/main.rs:30")]
        {
            let identity = |path| origin(path, "demo", "lib").identity();
            assert_eq!(identity(one), identity(other));
        }
    }

    #[test]
    fn only_strings_of_other_tests_are_foreign() {
        let own = origin("demo::tests::a", "demo", "lib");
        let word = with_identity("r1.AgQ", &own.identity());
        assert_eq!(foreign_word(&word, &own), None);
        assert_eq!(foreign_word("r1.AgQ", &own), None);
        assert_eq!(foreign_word("nonsense", &own), None);
        let foreign = foreign_word(&word, &origin("demo::b", "demo", "lib")).expect("foreign");
        assert!(foreign.contains("`b` does not run"), "{foreign}");
        assert!(foreign.ends_with("REBUT_REPLAY=r1.AgQ"), "{foreign}");
    }

    fn flags(unit: Unit, is_nextest: bool, is_bench: bool) -> String {
        let build = Build { unit, is_program: false, ancestors: Vec::new() };
        build.flags(&origin("demo::a", "demo", "lib"), is_nextest, is_bench).join(" ")
    }

    #[test]
    fn flags_select_the_same_build() {
        let unit = |profile: &str| Unit { profile: profile.to_owned(), ..Unit::default() };
        assert_eq!(flags(Unit::default(), false, false), "");
        assert_eq!(flags(unit("debug"), false, false), "");
        assert_eq!(flags(unit("release"), false, false), "--release");
        assert_eq!(flags(unit("release"), false, true), "", "the profile of `cargo bench`");
        assert_eq!(flags(unit("ci"), false, false), "--profile ci");
        assert_eq!(flags(unit("ci"), true, false), "--cargo-profile ci");
        let features = Features { active: vec!["extra".to_owned()], ..Features::default() };
        let triple = Some("x86_64-unknown-linux-gnu".to_owned());
        let all = Unit { features: Some(features), triple, ..unit("release") };
        assert_eq!(
            flags(all, false, false),
            "--features extra --release --target x86_64-unknown-linux-gnu"
        );
    }

    #[test]
    fn manifests_are_named_outside_of_their_workspace_only() {
        let home = Scratch::new();
        let member = home.path().join("crates/demo");
        fs::create_dir_all(member.join("src")).expect("a directory");
        fs::write(member.join("Cargo.toml"), "").expect("a file");
        fs::write(member.join("src/lib.rs"), "").expect("a file");
        let manifest_dir = member.to_str().expect("UTF-8");
        let file = "crates/demo/src/lib.rs";
        let origin = Origin { file, manifest_dir, ..origin("demo::a", "demo", "lib") };
        let flags = |directory: &Path| {
            let cargo = |directory: &Path| Ancestor {
                program: "cargo".to_owned(),
                directory: directory.to_owned(),
                arguments: Vec::new(),
            };
            let runner = Ancestor { program: "qemu".to_owned(), ..cargo(&member) };
            let ancestors = vec![runner, cargo(directory)];
            let build = Build { unit: Unit::default(), is_program: false, ancestors };
            build.flags(&origin, false, false).join(" ")
        };
        assert_eq!(flags(home.path()), "");
        assert_eq!(flags(&member.join("src")), "");
        let expected = format!("--manifest-path {manifest_dir}/Cargo.toml");
        assert_eq!(flags(Path::new("/")), expected);
    }

    #[test]
    fn records_of_cargo_are_better_than_names_of_files() {
        let unit = |kind: &'static str, name: &str| Unit {
            kind,
            name: name.to_owned(),
            ..Unit::default()
        };
        let target = |unit: &Unit, binary: Option<&'static str>, path: &str, file: &[&str]| {
            let temporary = binary.is_none().then_some("/t");
            let target = CargoTarget::new(Some("demo"), Some("/w/demo"), binary, temporary);
            known_target(unit, &target, path, &file.join(std::path::MAIN_SEPARATOR_STR))
        };
        let odd = ["demo", "tests", "deep", "odd.rs"];
        let of = |unit: &Unit| target(unit, None, "odd_name::b", &odd);
        assert_eq!(of(&unit("test", "odd-name")), "test odd-name");
        assert_eq!(of(&unit("bench", "odd_name")), "bench odd_name");
        assert_eq!(of(&unit("test", "other")), "test", "the record of another unit");
        assert_eq!(target_flag(&of(&Unit::default())).as_deref(), Some("--tests"));
        // Any file can be an example.
        let chat = |unit: &Unit| target(unit, Some("chat"), "chat::b", &["demo", "chat.rs"]);
        assert_eq!(chat(&unit("example", "chat")), "example chat");
        assert_eq!(chat(&Unit::default()), "bin chat");
    }

    #[test]
    fn documentation_tests_have_the_build_of_rustdoc() {
        let command = "rustdoc --test src/lib.rs -L dependency=/w/target/ci/deps --cfg \
            feature=\"extra\" --check-cfg cfg(docsrs,test)";
        let mut arguments: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let declared = r#"cfg(feature, values("default", "extra"))"#;
        arguments.extend(["--check-cfg", declared].map(str::to_owned));
        let unit = unit_of_doc_tests(&arguments);
        assert_eq!(
            flags(unit, false, false),
            "--no-default-features --features extra --profile ci"
        );
    }

    #[test]
    fn packages_with_one_name_are_told_apart() {
        let lock = "version = 4\n\n[[package]]\nname = \"syn\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"syn\"\nversion = \"2.0.1\"\nsource = \"registry\"\n";
        assert_eq!(locked_versions(lock, "syn"), [("0.1.0", true), ("2.0.1", false)]);
        assert!(locked_versions(lock, "sy").is_empty());
        let home = Scratch::new();
        let spec = |lock: &str| {
            fs::write(home.path().join("Cargo.lock"), lock).expect("a file");
            let file = "src/none.rs";
            package_spec(&Origin {
                file,
                manifest_dir: home.text(),
                ..origin("a::b", "syn", "lib")
            })
        };
        assert_eq!(spec(lock), "syn@0.1.0");
        assert_eq!(spec(""), "syn");
        assert_eq!(
            spec(&lock.replace("\"syn\"\nversion = \"2", "\"other\"\nversion = \"2")),
            "syn"
        );
        let same = spec(&lock.replace("2.0.1", "0.1.0"));
        assert_eq!(same, quoted(&format!("path+file://{}#syn@0.1.0", home.text())));
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        for plain in ["a", "tests::r#match", "--flag=x", "~/demo/Cargo.toml", "a/b-c.rs:3"] {
            assert_eq!(quoted(plain), plain);
        }
        for (word, expected) in [
            ("", "''"),
            ("a b", "'a b'"),
            ("$(rm)", "'$(rm)'"),
            ("it's", r"'it'\''s'"),
            ("#a", "'#a'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
