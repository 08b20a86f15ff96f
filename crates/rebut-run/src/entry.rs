//! The entry points of a property: [`run_test`] for `#[rebut::test]`, [`run_check`] for
//! [`check`](crate::check()).
//!
//! Each describes the property to a [`Session`], runs it in the way that its code allows, and
//! reports the result to the test harness.

use std::sync::Arc;

use rebut_choice::Constants;

use rebut_protocol::test_path::TestPath;

use crate::claim::Claim;
use crate::database::{Database, FileDatabase};
use crate::events::PropertyInfo;
use crate::execute::Body;
use crate::folder;
use crate::isolate::{self, ProcessRole, Target};
use crate::outcome::Location;
use crate::print;
use crate::property::Test;
use crate::regression_test;
use crate::session::{PropertySetup, Session};
use crate::settings::{LoadedSettings, Settings, SettingsError, Verbosity};
use crate::verdict::Report;
use crate::wasm_guest;

/// Runs a test. Fails it as a test harness expects if the property fails.
pub fn run_test(test: &Test) {
    if wasm_guest::IS_EXPLORED {
        return wasm_guest::run(test);
    }
    match isolate::role_for(test.path) {
        ProcessRole::StandBy => return,
        ProcessRole::Serve => isolate::serve_test(test),
        ProcessRole::Run => {}
    }
    let (settings, report) = report_of_test(test);
    conclude(&report, &settings);
}

/// Runs a test and returns its report.
#[inline(never)]
fn report_of_test(test: &Test) -> (Settings, Report) {
    let Test { path, file, line, column, target, .. } = *test;
    let location = Location { file: file.to_owned(), line, column };
    let manifest_dir = target.running_manifest_dir();
    let settings = Settings::load(&manifest_dir, path, &test.configure);
    let prepared = Session::prepare(PropertySetup {
        info: PropertyInfo {
            path,
            location: &location.line_of_file(),
            package: target.package.to_owned(),
            target: target.name(path, file),
            manifest_dir: manifest_dir.clone(),
        },
        location,
        claim: test.claim,
        command: Some(cargo_command(path, &target.selection(path, file))),
        database: file_database(&manifest_dir, &settings),
        settings,
        key: &test.key(),
        test: Some(test),
        shows_progress: true,
    });
    let mut session = match prepared {
        Ok(session) => session,
        Err(refused) => return (refused.settings, refused.report),
    };
    let settings = session.settings().clone();
    let exits = session.run_test(test, &manifest_dir);
    let root = folder::workspace_root(target.manifest_dir, file);
    let report = session.report_mut();
    match regression_test::write(test, report.verdict.counterexamples()) {
        Ok(Some(path)) => {
            let path = folder::display_path(&path, root.as_deref());
            let counterexamples = report.verdict.counterexamples().iter();
            for emitted in counterexamples.filter(|one| regression_test::can_be_emitted(test, one))
            {
                report.emitted.insert(emitted.tape.to_replay_string(), path.clone());
            }
        }
        Ok(None) => {}
        Err(warning) => report.warnings.push(warning),
    }
    session.note_saved(root.as_deref());
    let report = session.end();
    if exits {
        // The process is exiting. Only what is written now is read.
        print::uncaptured_report(&report);
        isolate::end_process(101);
    }
    (settings, report)
}

/// Runs a property that cannot move to another thread.
#[inline(never)]
pub(crate) fn run_check(body: &Body<'_>, location: &Location, configure: &dyn Fn(&mut Settings)) {
    let thread = std::thread::current();
    let place = location.line_of_file();
    let path = match thread.name() {
        Some(name) if name != "main" => format!("{name}@{place}"),
        _ => place.clone(),
    };
    match isolate::role_for(&path) {
        ProcessRole::StandBy => return,
        ProcessRole::Serve => isolate::serve_here(body, &[], Constants::default()),
        ProcessRole::Run => {}
    }
    let info = PropertyInfo::of_running_process(&path, &place);
    let manifest_dir = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| ".".to_owned());
    let command = if path.contains('@') {
        // The target of the test is unknown here, but cargo sets the package.
        let package = info.package.as_str();
        let selection = if package.is_empty() { String::new() } else { format!("-p {package}") };
        Some(cargo_command(&path, &selection))
    } else {
        // This is not a test but a program. Rerun it by its path.
        std::env::args().next()
    };
    let settings = Settings::load(&manifest_dir, &path, configure);
    let prepared = Session::prepare(PropertySetup {
        info,
        location: location.clone(),
        claim: Claim::ForAll,
        command,
        database: file_database(&manifest_dir, &settings),
        settings,
        key: &path,
        test: None,
        shows_progress: true,
    });
    let mut session = match prepared {
        Ok(session) => session,
        Err(refused) => return conclude(&refused.report, &refused.settings),
    };
    let settings = session.settings().clone();
    let root = folder::workspace_root(&manifest_dir, &location.file);
    session.run_on_this_thread(body, Target::check(&path), root.clone());
    session.note_saved(root.as_deref());
    conclude(&session.end(), &settings);
}

/// Returns the database of a crate, unless the settings switch it off.
fn file_database(
    manifest_dir: &str,
    settings: &Result<LoadedSettings, SettingsError>,
) -> Option<Arc<dyn Database>> {
    let (settings, _) = settings.as_ref().ok()?;
    settings.database.then(|| Arc::new(FileDatabase::new(manifest_dir)) as Arc<dyn Database>)
}

/// Returns the command that runs a test again. `selection` contains the flags that make cargo
/// build only the test's target.
fn cargo_command(path: &str, selection: &str) -> String {
    let space = if selection.is_empty() { "" } else { " " };
    format!("cargo test {selection}{space}{} -- --exact", TestPath::new(path).harness_name())
}

/// Prints warnings and the report, and fails the test if the property failed.
fn conclude(report: &Report, settings: &Settings) {
    if settings.verbosity > Verbosity::Quiet {
        for warning in &report.warnings {
            print::warning(warning);
        }
    }
    if !report.verdict.is_success() {
        print::failure(report);
    }
    let has_witness = report.verdict.witness().is_some();
    if settings.replay.is_some() && !has_witness {
        print::uncaptured(&format!(
            "{}: replayed: the case passes{}",
            report.property,
            report.summary()
        ));
    } else if settings.verbosity >= Verbosity::Verbose
        // Here the matching input or the best score is the result.
        || (settings.verbosity == Verbosity::Normal
            && (has_witness || !report.statistics.best_cases.is_empty()))
    {
        print::report(report);
    }
}
