//! Each difference from the native program is recorded where a run meets it, and not by a property
//! that comes near it.
//!
//! The properties are in `testdata/doubts`. A property whose name begins with the word for a
//! difference must record that doubt and no other; all others record none and are proved.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rebut_build::{ConditionalCode, Module, Request, Toolchain};
use rebut_concolic::{
    Budget, Doubt, Exploration, LineTable, Machine, Scout, UnderTest, Verdict, explore,
};
use rebut_explore::conditional;

/// Copies the package, with the path of `rebut` in its manifest.
fn package() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("doubts");
    let rebut = here.join("../rebut").canonicalize().expect("rebut");
    copy(&here.join("testdata/doubts"), &folder, &rebut.display().to_string());
    // With the versions of this workspace, cargo needs no network.
    fs::copy(here.join("../../Cargo.lock"), folder.join("Cargo.lock")).expect("a file");
    folder
}

fn copy(from: &Path, to: &Path, rebut: &str) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to, rebut);
            continue;
        }
        let text = fs::read_to_string(&from).expect("text").replace("REBUT", rebut);
        if fs::read_to_string(&to).is_ok_and(|old| old == text) {
            continue;
        }
        fs::write(&to, text).expect("a file");
    }
}

/// Builds the package; `None` if there is no compiler for WebAssembly.
fn module() -> Option<(Module, ConditionalCode)> {
    let toolchain = match Toolchain::find(&mut |_| ()) {
        Ok(toolchain) => toolchain,
        Err(problem) if problem.is_toolchain() => {
            rebut_testkit::missing("a compiler for WebAssembly", &problem.to_string());
            return None;
        }
        Err(problem) => panic!("{problem}"),
    };
    let request = Request {
        manifest: Some(package().join("Cargo.toml")),
        target_folder: Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("explore")),
        ..Request::default()
    };
    let built = rebut_build::build(&toolchain, &request, &mut |_| ()).expect("it builds");
    assert!(built.skipped.is_empty(), "{:?}", built.skipped);
    let module = built.modules.into_iter().next().expect("a module");
    Some((module, ConditionalCode::new(&toolchain)))
}

/// The words for the differences, as names of properties begin with them.
const WORDS: &[&str] = &["nan", "zero", "math", "target", "state", "conditional"];

fn word(doubt: &Doubt) -> &'static str {
    match doubt {
        Doubt::NanBits => "nan",
        Doubt::ZeroSign => "zero",
        Doubt::Math(_) => "math",
        Doubt::Target(_) => "target",
        Doubt::State(_) => "state",
        Doubt::Conditional(_) => "conditional",
        _ => "another",
    }
}

/// What is wrong with the doubts of a property.
fn fault(name: &str, exploration: &Exploration) -> Option<String> {
    let expected: Vec<&str> =
        WORDS.iter().copied().filter(|word| name.starts_with(&format!("{word}_"))).collect();
    let mut found: Vec<&str> = exploration.doubts.iter().map(word).collect();
    found.dedup();
    let Exploration { verdict, doubts, .. } = exploration;
    let is_proved = *verdict == Verdict::Holds || !expected.is_empty();
    (found != expected || !is_proved).then(|| format!("{name}: {doubts:?} {verdict:?}"))
}

#[test]
fn doubts_are_recorded_exactly_where_a_difference_matters() {
    let Some((module, mut conditional_code)) = module() else { return };
    let wasm: Arc<[u8]> = fs::read(&module.path).expect("the module").into();
    let under_test = UnderTest { root: module.built_in.clone(), ..UnderTest::default() };
    let lines = LineTable::read(&wasm, under_test).expect("a line table");
    let scout = Scout::new(Arc::clone(&wasm), rebut_build::unsupported_call);
    let scout = Arc::new(scout.expect("a module"));
    let mut faults = Vec::new();
    for entry in &module.entries {
        let name = rebut_protocol::wasm::test_of_export(entry).expect("a name");
        let mut machine = Machine::with_scout(Arc::clone(&scout), entry).expect("a machine");
        let mut exploration = explore(&mut machine, &Budget::default(), &[]);
        let code = &mut conditional_code;
        let description = scout.describe(entry).expect("a description");
        let location = (module.built_in.join(&description.file), description.line);
        let differences = conditional::doubts(code, &scout, &lines, entry, location, &exploration);
        exploration.doubts.extend(differences);
        faults.extend(fault(name, &exploration));
    }
    assert!(module.entries.len() > 20, "{:?}", module.entries);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
