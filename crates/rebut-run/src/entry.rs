//! The entry points of a property: [`run_test`] for `#[rebut::test]`, [`run_check`] for
//! [`check`](crate::check()).
//!
//! Each describes the property to a [`Session`], runs it in the way that its code allows, and
//! reports the result to the test harness.

use std::path::Path;
use std::sync::{Arc, Once};

use rebut_choice::Constants;

use crate::claim::Claim;
use crate::database::{Database, FileDatabase, note_overflow_checks};
use crate::doc_test::{self, DocTest};
use crate::events::PropertyInfo;
use crate::execute::Body;
use crate::folder;
use crate::isolate::{self, LossCause, ProcessRole, Target, restart};
use crate::outcome::Location;
use crate::print;
use crate::property::Test;
use crate::regression_test;
use crate::replays;
use crate::rerun::{self, Origin};
use crate::session::{PropertySetup, Session};
use crate::settings::{Isolation, LoadedSettings, Settings, SettingsError, Verbosity};
use crate::verdict::{Report, Verdict};
use crate::wasm_guest;

/// Runs a test. Fails it as a test harness expects if the property fails.
pub fn run_test(test: &Test) {
    if wasm_guest::IS_EXPLORED {
        return wasm_guest::run(test);
    }
    match isolate::role_for(test.path) {
        ProcessRole::StandBy => return,
        ProcessRole::Serve => isolate::serve_test(test),
        ProcessRole::Run | ProcessRole::RunInside => {}
    }
    restart::note_harness();
    if let Some(kept) = restart::kept(&test.key()) {
        return print::kept_report(&kept);
    }
    if let Some((settings, report)) = report_of_test(test) {
        conclude(&report, &settings);
    }
}

/// Runs a test and returns its report, or `None` if it is asked to replay a case of another one.
#[doc(hidden)]
#[inline(never)]
pub fn report_of_test(test: &Test) -> Option<(Settings, Report)> {
    let Test { path, file, line, column, target, .. } = *test;
    note_overflow_checks(target.checks_overflows);
    let location = Location { file: file.to_owned(), line, column };
    let manifest_dir = target.running_manifest_dir();
    let mut settings = Settings::load(&manifest_dir, path, &test.configure);
    if isolate::role_for(path) == ProcessRole::RunInside
        && let Ok((settings, _)) = &mut settings
    {
        settings.isolate = Isolation::Never;
    }
    let target_name = target.name(path, file);
    let known_target = rerun::target(&target, path, file);
    let origin = Origin {
        path,
        file,
        package: target.package,
        manifest_dir: &manifest_dir,
        target: &target_name,
        known_target: &known_target,
    };
    if belongs_to_another(&settings, &origin) {
        return None;
    }
    let place = location.line_of_file();
    let info = PropertyInfo {
        path,
        location: &place,
        package: target.package.to_owned(),
        target: known_target.clone(),
        manifest_dir: manifest_dir.clone(),
    };
    if let Some(lines) = replays::requested() {
        if let Ok((settings, _)) = settings {
            replays::run(test, &lines, settings, &info);
        }
        return None;
    }
    let prepared = Session::prepare(PropertySetup {
        info,
        location,
        claim: test.claim,
        command: Some(rerun::command(&origin)),
        identity: origin.identity(),
        database: file_database(&manifest_dir, &settings),
        settings,
        key: &test.key(),
        journal_dir: Some(&manifest_dir),
        test: Some(test),
        shows_progress: true,
    });
    let mut session = match prepared {
        Ok(session) => session,
        Err(refused) => return Some((refused.settings, refused.report)),
    };
    let settings = session.settings().clone();
    session.run_test(test);
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
    let lost = session.lost();
    let report = session.end();
    if let Some(cause) = lost {
        restart::keep(&test.key(), &print::to_keep(&report));
        if cause == LossCause::Exit {
            // The next process prints the report, but not the warnings of a success.
            if report.verdict.is_success() && settings.verbosity > Verbosity::Quiet {
                report.warnings.iter().for_each(|warning| print::warning(warning));
            }
            restart::try_now(restart::Reason::Exit);
            end_after_exit(&report);
        }
    }
    Some((settings, report))
}

/// Ends a program that exits because of a case.
fn end_after_exit(report: &Report) -> ! {
    // Only what is written now is read.
    print::uncaptured_report(report);
    let next = match report.saved.is_empty() {
        true => "set `isolate = \"always\"`",
        false => "run it again: the failure is saved, and its test will use a child process",
    };
    print::uncaptured(&format!(
        "note: this program ends here, and tests that have not finished are not reported\nhelp: {next}"
    ));
    isolate::end_process(101)
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
        ProcessRole::Serve => isolate::serve_here(body, &[], Constants::default(), None),
        ProcessRole::Run | ProcessRole::RunInside => {}
    }
    restart::note_harness();
    if let Some(kept) = restart::kept(&path) {
        return print::kept_report(&kept);
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
        known_target: &info.target,
    };
    let mut settings = Settings::load(&manifest_dir, &path, configure);
    if isolate::role_for(&path) == ProcessRole::RunInside
        && let Ok((settings, _)) = &mut settings
    {
        settings.isolate = Isolation::Never;
    }
    if belongs_to_another(&settings, &origin) {
        // The filter of a replay command takes other documentation tests too, and rustdoc expects
        // this one to fail.
        if doc_test.is_some_and(DocTest::should_panic) {
            print::silent_failure();
        }
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
        journal_dir: has_package(&manifest_dir).then_some(&manifest_dir),
        test: None,
        shows_progress: true,
    });
    let mut session = match prepared {
        Ok(session) => session,
        Err(refused) => return conclude(&refused.report, &refused.settings),
    };
    let settings = session.settings().clone();
    let root = folder::workspace_root(&manifest_dir, &location.file);
    let key = path.clone();
    let end = move |report: &Report, cause: LossCause| {
        if restart::is_possible() {
            restart::keep(&key, &print::to_keep(report));
            let reason = match cause {
                LossCause::Exit => restart::Reason::Exit,
                _ => restart::Reason::Lost,
            };
            restart::try_now(reason);
        }
        print::uncaptured_report(report);
    };
    let target = Target::check(&path);
    session.run_on_this_thread(body, Constants::default(), target, root.clone(), end);
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
    (settings.database && has_package(manifest_dir))
        .then(|| Arc::new(FileDatabase::new(manifest_dir)) as Arc<dyn Database>)
}

/// Returns whether there is a package at the directory of the manifest. A program that was started
/// by its path can be in any directory.
fn has_package(manifest_dir: &str) -> bool {
    manifest_dir != HERE || Path::new("Cargo.toml").is_file()
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
        return print::end_of_test(report);
    }
    let has_witness = matches!(report.verdict, Verdict::Exists(_));
    if settings.replay.is_some() && report.verdict.witness().is_none() {
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
    print::end_of_test(report);
}
