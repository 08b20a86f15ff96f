//! Packages that are built with other contents than the user's.

use std::fs;

use rebut_build::{CompilerError, NativePackage, Overlay, Request, Target, TestFile};

use crate::support;

const FILE: &str = "base/src/lib.rs";

/// A file with one property.
fn property(body: &str) -> String {
    format!(
        "#[cfg(test)]\nmod tests {{\n    #[rebut::test]\n    fn overlaid(x: u8) {{\n        \
         {body}\n    }}\n}}\n"
    )
}

/// A request for the package `base`, which does not depend on Rebut, with this text in `FILE`.
fn request(text: String) -> Request {
    let folder = support::copied("workspace");
    let overlay = Overlay { files: [(folder.join(FILE), text)].into(), adds_rebut: true };
    let target_folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("native");
    Request {
        manifest: Some(folder.join("Cargo.toml")),
        packages: vec!["base".to_owned()],
        target_folder: Some(target_folder),
        overlay,
        ..Request::default()
    }
}

#[test]
fn a_package_without_rebut_is_built_with_an_overlay() {
    let Some(toolchain) = support::toolchain() else { return };
    let before = fs::read_to_string(support::copied("workspace").join(FILE)).expect("a file");
    let request = request(property("let _ = x;"));
    let built = support::build(&toolchain, "workspace", request).expect("it builds");
    let module = support::module(&built, &Target::Lib);
    assert!(module.entries[0].contains("overlaid"), "{module:?}");
    let after = fs::read_to_string(support::copied("workspace").join(FILE)).expect("a file");
    assert_eq!(before, after, "the user's file stays as it is");
}

#[test]
fn a_package_and_its_overlay_do_not_share_artifacts() {
    let Some(toolchain) = support::toolchain() else { return };
    let file = support::copied("plain").join("src/lib.rs");
    let entries = |overlay: Overlay| {
        let targets = vec![Target::Lib];
        let request = Request { targets, overlay, ..Request::default() };
        let built = support::build(&toolchain, "plain", request).expect("it builds");
        support::module(&built, &Target::Lib).entries.clone()
    };
    let overlay = || {
        // The package calls Rebut `properties`.
        let attribute = "#[properties::test(crate = ::properties)]";
        let text = property("let _ = x;").replace("#[rebut::test]", attribute);
        let files = [(file.clone(), text)].into();
        Overlay { files, adds_rebut: true }
    };
    let overlaid = entries(overlay());
    assert!(overlaid.iter().all(|entry| entry.contains("overlaid")), "{overlaid:?}");
    // The user's package is built later, so cargo would take the overlay for up to date.
    let own = entries(Overlay::default());
    assert!(own.iter().all(|entry| !entry.contains("overlaid")), "{own:?}");
    assert_eq!(entries(overlay()), overlaid);
    assert_eq!(entries(Overlay::default()), own);
}

#[test]
fn an_overlay_is_built_and_run_natively() {
    let passes = |text: String| {
        let native = NativePackage::prepare(&request(text)).expect("a shadow");
        let tests = native.build(&mut |_| ()).expect("cargo runs");
        let program = tests.programs.get(&Target::Lib).ok_or(tests.errors)?;
        let output = native.command(program).output().expect("it runs");
        Ok::<bool, Vec<CompilerError>>(output.status.success())
    };
    assert_eq!(passes(property("assert!(x <= 255);")), Ok(true));
    assert_eq!(passes(property("assert!(x < 255);")), Ok(false));
    let errors = passes(property("let y: &str = x;")).expect_err("it does not compile");
    assert_eq!(errors[0].message, "mismatched types");
    let span = &errors[0].spans[0];
    assert_eq!((span.file.to_str(), span.line, span.column), (Some(FILE), 5, 23));
    assert_eq!(&property("let y: &str = x;")[span.start..span.end], "x");
}

#[test]
fn the_package_and_target_of_a_file_are_found() {
    let folder = support::copied("workspace");
    let found = TestFile::find(&folder.join(FILE), &Request::default()).expect("a package");
    assert_eq!((found.package.as_str(), &found.target), ("base", &Target::Lib));
    assert_eq!(found.file.to_str(), Some("src/lib.rs"));
    assert_eq!((found.rebut, found.library.as_deref()), (None, Some("base")));
    let other = TestFile::find(&folder.join("base/other.rs"), &Request::default());
    assert_eq!(other.map(|file| file.target), Ok(Target::Lib), "a new file");
}
