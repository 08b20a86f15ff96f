//! Properties and fuzzers: a property as the target of a fuzzer, and the files of a fuzzer as cases
//! of a test.

use std::path::{Path, PathBuf};

use rebut_choice::{AnyDriver, ByteDriver};

use crate::claim::Claim;
use crate::execute::{self, Body};
use crate::folder;
use crate::outcome::{Failure, Outcome, PropertyResult};
use crate::panics;
use crate::sorted_indices::sorted_indices;
use crate::{Case, Check};

/// Runs a property once, with choices from the bytes of a fuzzer: cargo-fuzz, AFL or honggfuzz.
///
/// Any bytes are a case, and zeros follow the last one, so a short input is a simple case. Returns
/// whether the case counts: `false` means that the property rejected it with `assume!` or a filter.
///
/// Write the property as a function that takes a [`Case`]. Then a test runs it too, with
/// [`check`](crate::check()), and replays what the fuzzer found.
///
/// # Panics
/// If the property fails. The message is the report, with the shrunk values and the replay string.
/// The fuzzer keeps the input.
///
/// # Examples
/// The file `fuzz/fuzz_targets/trim.rs` of cargo-fuzz:
/// ```
/// # macro_rules! fuzz_target { (|$data:ident: &[u8]| $body:block) => {
/// #     fn main() { let $data: &[u8] = b"\x05 a b "; $body; }
/// # } }
/// # mod demo {
/// pub fn trim_is_idempotent(case: &mut rebut::Case) {
///     let text = case.draw_as("text", rebut::strings());
///     assert_eq!(text.trim().trim(), text.trim());
/// }
/// # }
///
/// // At the top of a real target: `#![no_main]` and `use libfuzzer_sys::fuzz_target;`.
/// fuzz_target!(|data: &[u8]| {
///     rebut::fuzz(data, demo::trim_is_idempotent);
/// });
/// ```
#[track_caller]
pub fn fuzz<A: PropertyResult>(data: &[u8], property: impl Fn(&mut Case) -> A) -> bool {
    // The report names the target.
    let check = Check::new("fuzz target");
    fuzz_body(data, &|case: &mut Case| property(case).into_failure(), &check)
}

#[inline(never)]
#[track_caller]
fn fuzz_body(data: &[u8], body: &Body<'_>, check: &Check) -> bool {
    let driver = AnyDriver::Other(Box::new(ByteDriver::new(data)));
    let execution = execute::execute_once(body, driver, false, None);
    let failure = match execution.outcome {
        Outcome::Passed => return true,
        Outcome::Rejected(_) | Outcome::TooLarge => return false,
        Outcome::Failed(failure) => Some(failure),
        Outcome::Misuse(_) | Outcome::Internal(_) => None,
    };
    let replay = execution.tape.to_replay_string();
    let report = check.clone().replay(&replay).run_body(body, Claim::ForAll);
    match failure {
        Some(failure) if report.verdict.is_success() => panic!(
            "the property fails, and passes when the same case runs again\n  {}\n  replay: {replay}",
            described(&failure)
        ),
        _ => panic!("{report}"),
    }
}

/// Runs a closure on every file of a directory, such as the corpus of a fuzzer.
///
/// It runs all files, in the order of their names, and then fails with a list of those that failed.
/// Directories are not searched further. A relative path starts at the directory of the package, as
/// in every test. The closure can reject a file with `assume!`.
///
/// For targets that take a type with `Arbitrary`, convert the bytes as cargo-fuzz does:
/// `T::arbitrary_take_rest(Unstructured::new(data))`.
///
/// # Panics
/// If the closure fails for a file, or if the directory cannot be read or has no files.
///
/// # Examples
/// ```
/// # let directory = std::env::temp_dir().join(format!("rebut-corpus-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// # std::fs::write(directory.join("seed"), b"1,2,3")?;
/// # let parse = |data: &[u8]| data.split(|&byte| byte == b',').count();
/// # let corpus = directory.as_path(); // In a test: "fuzz/corpus/parse".
/// rebut::replay_corpus(corpus, |data| {
///     parse(data);
/// });
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[track_caller]
pub fn replay_corpus<A: PropertyResult>(
    directory: impl AsRef<Path>,
    property: impl Fn(&[u8]) -> A,
) {
    if let Err(message) =
        replay_files(directory.as_ref(), &|data: &[u8]| property(data).into_failure())
    {
        panic!("{message}");
    }
}

#[inline(never)]
fn replay_files(
    directory: &Path,
    property: &dyn Fn(&[u8]) -> Option<String>,
) -> Result<(), String> {
    let files = files_in(directory)?;
    let mut failed: Vec<String> = Vec::new();
    for file in &files {
        let data = std::fs::read(file)
            .map_err(|error| format!("cannot read `{}`: {error}", folder::shown(file)))?;
        match panics::outcome_of(|| property(&data)) {
            Outcome::Passed | Outcome::Rejected(_) | Outcome::TooLarge => {}
            Outcome::Failed(failure) => {
                failed.push(format!("\n  {}: {}", folder::shown(file), described(&failure)));
            }
            Outcome::Misuse(what) | Outcome::Internal(what) => {
                return Err(format!("{what}\n  with the file `{}`", folder::shown(file)));
            }
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    let directory = folder::shown(directory);
    Err(format!(
        "{} of {} files in `{directory}` fail:{}",
        failed.len(),
        files.len(),
        failed.concat()
    ))
}

/// Returns the files of a directory, sorted by name.
fn files_in(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let shown = folder::shown(directory);
    let unreadable = |error: std::io::Error| {
        let from = std::env::current_dir().unwrap_or_default();
        format!(
            "cannot read the corpus `{shown}`: {error}\n  help: a relative path starts at `{}`; if \
             the corpus is not checked in, call `replay_corpus` only where it exists",
            folder::shown(&from)
        )
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(format!("the corpus `{shown}` has no files"));
    }
    let order = sorted_indices(files.len(), &|a, b| files[a].cmp(&files[b]));
    Ok(order.into_iter().map(|n| files[n].clone()).collect())
}

fn described(failure: &Failure) -> String {
    match &failure.location {
        Some(location) => format!("panicked at {location}: {}", failure.message),
        None => failure.message.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_gen::{integers, strings, vecs};

    fn message_of(run: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let payload = std::panic::catch_unwind(run).expect_err("it fails");
        panics::message_of(payload.as_ref())
    }

    fn small_sum(case: &mut Case) {
        let list = case.draw_as("list", vecs(integers::<u8>()));
        assert!(list.iter().map(|&byte| u32::from(byte)).sum::<u32>() < 300, "too much");
    }

    #[test]
    fn a_target_runs_the_property_on_bytes() {
        assert!(fuzz(b"", small_sum));
        assert!(fuzz(&[3, 1, 2, 3], small_sum));
        let message = message_of(|| assert!(fuzz(&[2, 255, 255], small_sum)));
        assert!(message.contains("too much") && message.contains("let list = vec!["), "{message}");
        assert!(message.contains("r1."), "{message}");
    }

    #[test]
    fn a_rejected_case_does_not_count() {
        let property = |case: &mut Case| {
            let text = case.draw(strings());
            crate::assume(!text.is_empty(), "the text is empty");
        };
        assert!(!fuzz(b"", property));
        assert!(fuzz(b"\x01ab", property));
    }

    #[test]
    fn a_failure_that_does_not_occur_again_is_a_failure() {
        let runs = std::cell::Cell::new(0);
        let property = |_: &mut Case| {
            runs.set(runs.get() + 1);
            assert!(runs.get() > 1, "only once");
        };
        let message = message_of(std::panic::AssertUnwindSafe(|| assert!(fuzz(b"", property))));
        assert!(message.contains("passes when the same case runs again"), "{message}");
        assert!(message.contains("only once"), "{message}");
    }

    struct TemporaryFolder(PathBuf);

    impl TemporaryFolder {
        fn new(name: &str, files: &[(&str, &[u8])]) -> TemporaryFolder {
            let path = std::env::temp_dir().join(format!("rebut-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a directory");
            for (name, content) in files {
                std::fs::write(path.join(name), content).expect("a file");
            }
            TemporaryFolder(path)
        }
    }

    impl Drop for TemporaryFolder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn all_files_of_a_corpus_run_and_failures_name_theirs() {
        let files: &[(&str, &[u8])] = &[("c", b"bad"), ("a", b""), ("b", b"good"), ("d", b"bad")];
        let folder = TemporaryFolder::new("corpus", files);
        let seen = std::cell::RefCell::new(Vec::new());
        replay_corpus(&folder.0, |data| seen.borrow_mut().push(data.to_vec()));
        assert_eq!(seen.into_inner(), [&b""[..], b"good", b"bad", b"bad"]);
        let message = message_of(|| {
            replay_corpus(&folder.0, |data| {
                crate::assume(!data.is_empty(), "the file is empty");
                assert_ne!(data, b"bad", "no");
            });
        });
        assert!(message.starts_with("2 of 4 files in `"), "{message}");
        assert_eq!(message.lines().filter(|line| line.contains(": panicked at ")).count(), 2);
        assert!(message.contains(&folder.0.join("d").display().to_string()), "{message}");
    }

    #[test]
    fn a_corpus_without_files_is_an_error() {
        let folder = TemporaryFolder::new("empty-corpus", &[]);
        let message = message_of(|| replay_corpus(&folder.0, |_| ()));
        assert!(message.contains("has no files"), "{message}");
        let message = message_of(|| replay_corpus(folder.0.join("missing"), |_| ()));
        assert!(message.starts_with("cannot read the corpus `"), "{message}");
        assert!(message.contains("a relative path starts at `"), "{message}");
    }
}
