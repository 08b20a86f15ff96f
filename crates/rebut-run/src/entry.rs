//! The entry points of a property: [`run_test`] for `#[rebut::test]`, [`run_check`] for
//! [`check`](crate::check()).
//!
//! Each describes the property to a [`Session`], runs it in the way that its code allows, and
//! reports the result to the test harness.

use std::path::Path;
use std::sync::{Arc, Once};

use rebut_choice::Constants;

use crate::claim::Claim;
use crate::database::{Database, FileDatabase};
use crate::doc_test;
use crate::events::PropertyInfo;
use crate::execute::Body;
use crate::folder;
use crate::isolate::{self, ProcessRole, Target};
use crate::outcome::Location;
use crate::print;
use crate::property::Test;
use crate::regression_test;
use crate::rerun::{self, Origin};
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
    if let Some((settings, report)) = report_of_test(test) {
        conclude(&report, &settings);
    }
}

/// Runs a test and returns its report, or `None` if it is asked to replay a case of another one.
#[inline(never)]
fn report_of_test(test: &Test) -> Option<(Settings, Report)> {
    let Test { path, file, line, column, target, .. } = *test;
    let location = Location { file: file.to_owned(), line, column };
    let manifest_dir = target.running_manifest_dir();
    let settings = Settings::load(&manifest_dir, path, &test.configure);
    let target_name = target.name(path, file);
    let origin = Origin {
        path,
        file,
        package: target.package,
        manifest_dir: &manifest_dir,
        target: &target_name,
    };
    if belongs_to_another(&settings, &origin) {
        return None;
    }
    let prepared = Session::prepare(PropertySetup {
        info: PropertyInfo {
            path,
            location: &location.line_of_file(),
            package: target.package.to_owned(),
            target: target_name.clone(),
            manifest_dir: manifest_dir.clone(),
        },
        location,
        claim: test.claim,
        command: Some(rerun::command(&origin)),
        identity: origin.identity(),
        database: file_database(&manifest_dir, &settings),
        settings,
        key: &test.key(),
        test: Some(test),
        shows_progress: true,
    });
    let mut session = match prepared {
        Ok(session) => session,
        Err(refused) => return Some((refused.settings, refused.report)),
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
        let next = match report.saved.is_empty() {
            true => "set `isolate = \"always\"`",
            false => {
                "run the tests again: the failure is saved, and its test will use a child process"
            }
        };
        print::uncaptured(&format!(
            "note: this test process ends here, and tests that have not finished are not reported\nhelp: {next}"
        ));
        isolate::end_process(101);
    }
    Some((settings, report))
}

/// Runs a property that cannot move to another thread. `closure` is the name of its type.
#[inline(never)]
pub(crate) fn run_check(
    body: &Body<'_>,
    mut location: Location,
    closure: &str,
    configure: &dyn Fn(&mut Settings),
) {
    let doc_test = doc_test::running(closure, &location);
    if let Some(doc_test) = doc_test {
        location = doc_test.call(&location);
    }
    let thread = std::thread::current();
    let place = location.line_of_file();
    let path = match thread.name() {
        Some(name) if name != "main" && doc_test.is_none() => format!("{name}@{place}"),
        _ => place.clone(),
    };
    match isolate::role_for(&path) {
        ProcessRole::StandBy => return,
        ProcessRole::Serve => isolate::serve_here(body, &[], Constants::default()),
        ProcessRole::Run => {}
    }
    let info = PropertyInfo::of_running_process(&path, &place);
    let manifest_dir = match info.manifest_dir.as_str() {
        "" => HERE.to_owned(),
        given => given.to_owned(),
    };
    let block = doc_test.map(|test| format!("{}#{}", test.file, test.number));
    let origin = Origin {
        path: block.as_deref().unwrap_or(&path),
        file: &location.file,
        package: &info.package,
        manifest_dir: &manifest_dir,
        target: if doc_test.is_some() { "doc" } else { &info.target },
    };
    let settings = Settings::load(&manifest_dir, &path, configure);
    if belongs_to_another(&settings, &origin) {
        return;
    }
    let command = match doc_test {
        Some(test) => rerun::doc_command(&origin, test.filter()),
        None => rerun::command(&origin),
    };
    let identity = origin.identity();
    let prepared = Session::prepare(PropertySetup {
        info,
        location: location.clone(),
        claim: Claim::ForAll,
        command: Some(command),
        identity,
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
    session.run_on_this_thread(body, Constants::default(), Target::check(&path), root.clone());
    session.note_saved(root.as_deref());
    conclude(&session.end(), &settings);
}

/// The directory of the manifest if cargo did not start the process.
const HERE: &str = ".";

/// Returns the database of a crate, unless the settings switch it off.
fn file_database(
    manifest_dir: &str,
    settings: &Result<LoadedSettings, SettingsError>,
) -> Option<Arc<dyn Database>> {
    let (settings, _) = settings.as_ref().ok()?;
    // A program that was started by its path can be in any directory.
    let has_package = manifest_dir != HERE || Path::new("Cargo.toml").is_file();
    (settings.database && has_package)
        .then(|| Arc::new(FileDatabase::new(manifest_dir)) as Arc<dyn Database>)
}

/// Returns whether the settings ask for a case of another property. Then this one does not run: a
/// user who pastes a command wants to see that one case.
fn belongs_to_another(
    settings: &Result<LoadedSettings, SettingsError>,
    origin: &Origin<'_>,
) -> bool {
    let Ok((Settings { replay: Some(word), .. }, _)) = settings else { return false };
    let reason = rerun::foreign_word(word, origin);
    if let Some(reason) = &reason {
        // One line is enough for all tests of this process.
        static PRINTED: Once = Once::new();
        PRINTED.call_once(|| print::warning(reason));
    }
    reason.is_some()
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
