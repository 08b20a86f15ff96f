//! Which targets of a package are built, and which are skipped.

use rebut_build::{Built, Features, Module, Problem, Request, Target};

use crate::support::{self, module};

/// Builds a crate of `testdata/`; `None` if there is no toolchain.
fn built(name: &str, request: Request) -> Option<Result<Built, Problem>> {
    support::toolchain().map(|toolchain| support::build(&toolchain, name, request))
}

fn packages(names: &[&str]) -> Request {
    Request { packages: names.iter().map(|&name| name.to_owned()).collect(), ..Request::default() }
}

fn test(name: &str) -> Target {
    Target::Test(name.to_owned())
}

/// The names of the tests, without the suffixes that make them unique.
fn entries(module: &Module) -> Vec<&str> {
    let mut names: Vec<&str> = module
        .entries
        .iter()
        .filter_map(|entry| entry.strip_prefix("rebut_test_")?.rsplit_once('_'))
        .map(|(name, _)| name)
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn modules_and_files_with_tests_are_built() {
    let Some(built) = built("plain", Request::default()) else { return };
    let built = built.expect("it builds");
    assert!(built.skipped.is_empty(), "{built:?}");
    assert_eq!(built.modules.len(), 2, "a file that does not name Rebut is not built: {built:?}");
    assert_eq!(entries(module(&built, &Target::Lib)), ["the_larger_is_one_of_them"]);
    assert_eq!(entries(module(&built, &test("outside"))), ["is_itself", "is_itself"]);
    assert!(built.modules.iter().all(|module| module.foreign.is_empty()), "{built:?}");
}

#[test]
fn features_select_tests() {
    let features = Features { names: vec!["extra".to_owned()], ..Features::default() };
    let Some(built) = built("plain", Request { features, ..Request::default() }) else { return };
    let built = built.expect("it builds");
    let expected = ["the_larger_is_not_smaller", "the_larger_is_one_of_them"];
    assert_eq!(entries(module(&built, &Target::Lib)), expected);
}

#[test]
fn a_blocked_dev_dependency_skips_only_the_targets_that_use_it() {
    let Some(built) = built("workspace", Request::default()) else { return };
    let built = built.expect("it builds");
    let lib = module(&built, &Target::Lib);
    assert_eq!(entries(lib), ["twice_is_even"]);
    assert_eq!(entries(module(&built, &test("free"))), ["twice_is_not_less"]);
    assert!(lib.without.contains(&"blocked".to_owned()), "{:?}", lib.without);
    let skipped: Vec<String> = built.skipped.iter().map(ToString::to_string).collect();
    assert_eq!(
        skipped,
        [
            "app --test bound cannot be explored: it uses `blocked`, which cannot be built for \
             WebAssembly: only features of other targets are supported",
            "app --test chain cannot be explored: it uses `chained`, which cannot be built for \
             WebAssembly: it depends on `blocked`: only features of other targets are supported",
        ]
    );
}

#[test]
fn a_library_with_a_blocked_dependency_is_skipped_with_the_reason() {
    let Some(built) = built("needs", Request::default()) else { return };
    let built = built.expect("cargo runs");
    assert!(built.modules.is_empty(), "{built:?}");
    let [skipped] = built.skipped.as_slice() else { panic!("{built:?}") };
    assert_eq!(skipped.failed_dependency.as_deref(), Some("blocked"));
    assert_eq!(
        skipped.to_string(),
        "needs --lib cannot be explored: it needs `blocked`, which cannot be built for \
         WebAssembly: only features of other targets are supported"
    );
}

#[test]
fn functions_in_c_are_listed_as_foreign() {
    let Some(built) = built("c-linking", Request::default()) else { return };
    let built = built.expect("it builds");
    let module = module(&built, &Target::Lib);
    let foreign: Vec<&str> = module.foreign.iter().map(|foreign| foreign.name.as_str()).collect();
    assert_eq!(foreign, ["magnitude_in_c"]);
}

#[test]
fn a_library_in_c_that_is_linked_by_name_is_named() {
    let Some(built) = built("c-library", Request::default()) else { return };
    let built = built.expect("cargo runs");
    let [skipped] = built.skipped.as_slice() else { panic!("{built:?}") };
    assert_eq!(
        skipped.to_string(),
        "c-library --lib cannot be explored: it cannot be built for WebAssembly: it needs the \
         library `someone_elses`, which is not Rust"
    );
}

#[test]
fn tests_with_clocks_and_threads_are_built() {
    for name in ["clock", "threads"] {
        let Some(built) = built(name, Request::default()) else { return };
        let built = built.expect("it builds");
        assert_eq!(module(&built, &Target::Lib).entries.len(), 3, "{built:?}");
    }
}

#[test]
fn a_manifest_of_a_member_selects_that_package() {
    let Some(toolchain) = support::toolchain() else { return };
    let folder = support::copied("workspace");
    let manifest = Some(folder.join("base/Cargo.toml"));
    let request = Request { manifest, ..Request::default() };
    let problem = rebut_build::build(&toolchain, &request, &mut |_| ()).expect_err("no tests");
    assert_eq!(
        problem.to_string(),
        "no package here depends on `rebut`; add it to `[dev-dependencies]`"
    );
}

#[test]
fn an_unknown_package_is_reported_with_the_available_ones() {
    let Some(built) = built("workspace", packages(&["ap"])) else { return };
    let problem = built.expect_err("there is none");
    assert!(problem.is_request());
    assert_eq!(
        problem.to_string(),
        "no package named `ap` here; available: app, base, blocked, chained, root, scripted"
    );
}

#[test]
fn a_package_without_rebut_is_reported_with_the_line_to_add() {
    let Some(built) = built("workspace", packages(&["base"])) else { return };
    let problem = built.expect_err("it has no tests");
    assert_eq!(
        problem.to_string(),
        "the package `base` does not depend on `rebut`; add it to its `[dev-dependencies]`"
    );
}
