//! The flags by which cargo selects packages, targets, features and a profile.
//!
//! They have cargo's names and are passed to `cargo test` unchanged.

use clap::Args;
use rebut_cli::arguments::Features;
use rebut_cli::runs::WorkspaceLocation;
use std::path::PathBuf;

/// Which tests to build, and how.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Selection {
    /// Package to test
    #[arg(short, long, value_name = "SPEC", help_heading = "Package selection")]
    package: Vec<String>,
    /// Test all packages in the workspace
    #[arg(long, help_heading = "Package selection")]
    workspace: bool,
    /// Exclude packages from the test
    #[arg(long, value_name = "SPEC", requires = "workspace", help_heading = "Package selection")]
    exclude: Vec<String>,
    /// Test only this package's library
    #[arg(long, help_heading = "Target selection")]
    lib: bool,
    /// Test all binaries
    #[arg(long, help_heading = "Target selection")]
    bins: bool,
    /// Test only the specified binary
    #[arg(long, value_name = "NAME", help_heading = "Target selection")]
    bin: Vec<String>,
    /// Test all examples
    #[arg(long, help_heading = "Target selection")]
    examples: bool,
    /// Test only the specified example
    #[arg(long, value_name = "NAME", help_heading = "Target selection")]
    example: Vec<String>,
    /// Test all targets that have `test = true` set
    #[arg(long, help_heading = "Target selection")]
    tests: bool,
    /// Test only the specified test target
    #[arg(long = "test", value_name = "NAME", help_heading = "Target selection")]
    test_targets: Vec<String>,
    /// Test all targets
    #[arg(long, help_heading = "Target selection")]
    all_targets: bool,
    #[command(flatten, next_help_heading = "Feature selection")]
    features: Features,
    /// Build in release mode, with optimizations
    #[arg(short, long, conflicts_with = "profile", help_heading = "Compilation options")]
    release: bool,
    /// Build with the specified profile
    #[arg(long, value_name = "PROFILE-NAME", help_heading = "Compilation options")]
    profile: Option<String>,
    /// Build for the target triple
    #[arg(long, value_name = "TRIPLE", help_heading = "Compilation options")]
    target: Option<String>,
    #[command(flatten)]
    location: LocationFlags,
    /// Assert that `Cargo.lock` will remain unchanged
    #[arg(long, help_heading = "Manifest options")]
    locked: bool,
    /// Run without accessing the network
    #[arg(long, help_heading = "Manifest options")]
    offline: bool,
    /// Equivalent to specifying both --locked and --offline
    #[arg(long, help_heading = "Manifest options")]
    frozen: bool,
}

/// The workspace whose runs are shown.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LocationFlags {
    /// Directory for all generated artifacts
    #[arg(long, value_name = "DIRECTORY", help_heading = "Compilation options")]
    target_dir: Option<PathBuf>,
    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH", help_heading = "Manifest options")]
    manifest_path: Option<PathBuf>,
}

impl LocationFlags {
    pub(crate) fn location(&self) -> WorkspaceLocation {
        WorkspaceLocation {
            manifest: self.manifest_path.clone(),
            target_dir: self.target_dir.clone(),
        }
    }
}

impl Selection {
    /// Whether the user named packages or targets.
    pub(crate) fn names_targets(&self) -> bool {
        let lists =
            [&self.package, &self.bin, &self.example, &self.test_targets].map(|list| list.len());
        let flags =
            [self.workspace, self.lib, self.bins, self.examples, self.tests, self.all_targets];
        lists.iter().any(|&length| length > 0) || flags.contains(&true)
    }

    /// The workspace that contains the tests.
    pub(crate) fn location(&self) -> WorkspaceLocation {
        self.location.location()
    }

    /// Whether the user chose features, a profile or a triple.
    pub(crate) fn names_build(&self) -> bool {
        let Features { names, all_features, no_default_features } = &self.features;
        let flags = [self.release, *all_features, *no_default_features, !names.is_empty()];
        flags.contains(&true) || self.profile.is_some() || self.target.is_some()
    }

    /// The flags for `cargo test`.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut all = Vec::new();
        let mut flag = |is_set: bool, name: &str| {
            if is_set {
                all.push(format!("--{name}"));
            }
        };
        flag(self.workspace, "workspace");
        flag(self.lib, "lib");
        flag(self.bins, "bins");
        flag(self.examples, "examples");
        flag(self.tests, "tests");
        flag(self.all_targets, "all-targets");
        flag(self.features.all_features, "all-features");
        flag(self.features.no_default_features, "no-default-features");
        flag(self.release, "release");
        flag(self.locked, "locked");
        flag(self.offline, "offline");
        flag(self.frozen, "frozen");
        let mut values = |name: &str, values: &[String]| {
            for value in values {
                all.push(format!("--{name}={value}"));
            }
        };
        values("package", &self.package);
        values("exclude", &self.exclude);
        values("bin", &self.bin);
        values("example", &self.example);
        values("test", &self.test_targets);
        values("features", &self.features.names);
        values("profile", self.profile.as_slice());
        values("target", self.target.as_slice());
        let path =
            |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        values("target-dir", path(&self.location.target_dir).as_slice());
        values("manifest-path", path(&self.location.manifest_path).as_slice());
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        selection: Selection,
    }

    #[test]
    fn flags_reach_cargo_as_they_were_typed() {
        let check = |typed: &str, expected: &str| {
            let words = ["x"].into_iter().chain(typed.split_whitespace());
            let command = Command::try_parse_from(words).expect("flags of cargo");
            assert_eq!(command.selection.arguments().join(" "), expected);
        };
        check("", "");
        check("-p a -p b", "--package=a --package=b");
        check("-r --lib -F x,y", "--lib --release --features=x --features=y");
        check("--profile ci --test it --locked", "--locked --test=it --profile=ci");
        check("--workspace --exclude a", "--workspace --exclude=a");
        check("--manifest-path a/Cargo.toml", "--manifest-path=a/Cargo.toml");
    }

    #[test]
    fn packages_and_targets_are_told_from_other_flags() {
        let names = |typed: &str| {
            let words = ["x"].into_iter().chain(typed.split_whitespace());
            Command::try_parse_from(words).expect("flags of cargo").selection.names_targets()
        };
        for named in ["-p a", "--workspace", "--lib", "--test it", "--all-targets", "--bin a"] {
            assert!(names(named), "{named}");
        }
        for other in ["", "-r", "-F x", "--target-dir t", "--offline"] {
            assert!(!names(other), "{other}");
        }
    }

    #[test]
    fn contradictions_are_refused() {
        for wrong in ["--release --profile ci", "--exclude a", "--package"] {
            let words = ["x"].into_iter().chain(wrong.split_whitespace());
            assert!(Command::try_parse_from(words).is_err(), "{wrong}");
        }
    }
}
