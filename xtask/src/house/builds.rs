//! Crates outside of the workspace that a build may compile.

use super::House;
use super::lock::{Features, build_of};

/// Crates that every test of a user compiles. Each costs every user build time.
const USERS_BUILD: &[(&str, &str)] = &[
    ("proc-macro2", "the macros are functions on its tokens"),
    ("quote", "the macros write code"),
    ("syn", "the macros parse items"),
    ("unicode-ident", "`proc-macro2` and `syn` need it"),
    ("libc", "systems for which `rebut-run/src/isolate/sys.rs` has no declarations"),
];

/// Crates for which users must enable a feature of `rebut`.
const USERS_FEATURES: &[&str] = &[
    "arbitrary",
    "arrayvec",
    "bigdecimal",
    "bitflags",
    "bstr",
    "bytes",
    "camino",
    "chrono",
    "compact_str",
    "either",
    "enumset",
    "geo-types",
    "hashbrown",
    "heapless",
    "http",
    "indexmap",
    "ipnet",
    "jiff",
    "nalgebra",
    "ndarray",
    "num-bigint",
    "num-complex",
    "num-rational",
    "ordered-float",
    "proptest",
    "quickcheck",
    "rand_core",
    "regex-syntax",
    "rust_decimal",
    "secrecy",
    "semver",
    "serde_json",
    "smallvec",
    "time",
    "url",
    "uuid",
];

/// The beginnings of names of crates that `cargo-rebut` must not compile, with the reason.
const NOT_IN_COMMAND: &[(&str, &str)] = &[
    ("wasmtime", "it is in the second binary, so that the command installs quickly"),
    ("cranelift", "it is in the second binary, so that the command installs quickly"),
    ("regalloc", "a part of the compiler of wasmtime"),
    ("wasmparser", "only exploration reads WebAssembly"),
    ("wasm-encoder", "only exploration writes WebAssembly"),
    ("hyper", "no HTTP"),
    ("reqwest", "no HTTP"),
    ("ureq", "no HTTP"),
    ("curl", "no HTTP"),
    ("tokio", "no HTTP"),
];

pub(super) fn complaints(house: &House<'_>) -> Vec<String> {
    let mut complaints = Vec::new();
    let users = build_of(house, "rebut", Features::Default);
    for (name, way) in &users {
        let is_allowed = USERS_BUILD.iter().any(|(allowed, _)| allowed == name);
        if !house.is_member(name) && !is_allowed {
            complaints.push(format!(
                "every test of a user would compile `{name}` ({way}); if that is wanted, add it to \
                 `USERS_BUILD` in xtask/src/house/builds.rs"
            ));
        }
    }
    for (name, _) in USERS_BUILD {
        if !users.contains_key(*name) {
            complaints
                .push(format!("no user's test compiles `{name}`; remove it from `USERS_BUILD`"));
        }
    }
    complaints.extend(feature_complaints(house, users.keys()));
    for (name, way) in build_of(house, "cargo-rebut", Features::All) {
        if let Some((_, reason)) = NOT_IN_COMMAND.iter().find(|(start, _)| name.starts_with(start))
        {
            complaints.push(format!("`cargo-rebut` compiles `{name}` ({way}): {reason}"));
        }
    }
    complaints
}

/// The optional dependencies of the crates that users build.
fn feature_complaints<'a>(
    house: &House<'_>,
    built: impl Iterator<Item = &'a String>,
) -> Vec<String> {
    let mut complaints = Vec::new();
    for package in built.filter_map(|name| house.package(name)) {
        let optional = package.dependencies().iter().filter(|one| one["optional"] == true);
        for name in optional.filter_map(|dependency| dependency["name"].as_str()) {
            if !house.is_member(name) && !USERS_FEATURES.contains(&name) {
                complaints.push(format!(
                    "`{}` has a feature with the crate `{name}`; if that is wanted, add it to \
                     `USERS_FEATURES` in xtask/src/house/builds.rs",
                    package.name()
                ));
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Inputs;
    use super::super::tests::workspace;

    /// The workspace with one more dependency, which `Cargo.lock` has too.
    fn with_dependency(package: &str, dependency: &str) -> Inputs {
        let old = format!("name = \"{package}\"\nversion = \"0.1.0\"\ndependencies = [\n");
        let new = format!("{old} \"{dependency}\",\n");
        let inputs = workspace().below(&["Cargo.lock"]).with_edit("Cargo.lock", &old, &new);
        inputs.with_dependency(package, json!({ "name": dependency, "kind": null }))
    }

    #[test]
    fn canary_in_the_build_of_users_fails() {
        let complaints = with_dependency("rebut-run", "serde_json").complaints("builds");
        let expected = "every test of a user would compile `serde_json` \
                        (rebut -> rebut-run -> serde_json)";
        assert!(
            complaints.iter().any(|complaint| complaint.starts_with(expected)),
            "{complaints:?}"
        );
    }

    #[test]
    fn canary_with_wasmtime_in_the_command_fails() {
        let complaints = with_dependency("rebut-native", "rebut-concolic").complaints("builds");
        let expected = "`cargo-rebut` compiles `wasmtime` \
                        (cargo-rebut -> rebut-native -> rebut-concolic -> wasmtime)";
        assert!(
            complaints.iter().any(|complaint| complaint.starts_with(expected)),
            "{complaints:?}"
        );
    }

    #[test]
    fn canary_with_a_new_feature_fails() {
        let dependency = json!({ "name": "regex-lite", "kind": null, "optional": true });
        let inputs = workspace().below(&["Cargo.lock"]).with_dependency("rebut-gen", dependency);
        let complaints = inputs.complaints("builds");
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].contains("a feature with the crate `regex-lite`"), "{complaints:?}");
    }
}
