//! The tests that Rebut printed for failures: compiled and run, so that it can be said that they
//! fail as printed, and written to the folder `tests` of the package if that is asked for.
//!
//! A printed test uses the names that its property sees. So it is compiled beside the property:
//! `REBUT_PRINTED` names a folder, and the macro of the property takes the test from there. In
//! the folder `tests` it has to do with what the library shows; what is not enough for it does
//! not stay there.

mod build;
mod function;
mod header;

pub use build::formatted;
pub use function::function;
pub use header::{flatten, text_of};

use crate::words::{self, say};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::Workspace;
use rebut_report::Property;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The tests that were printed for one property.
#[derive(Clone, Debug)]
pub struct Printed {
    /// Where they stand.
    path: PathBuf,
    /// `krate::module::name`.
    property: String,
    /// The file of the property, as the compiler names it.
    file: PathBuf,
    line: usize,
    text: String,
    /// The names of the tests.
    names: Vec<String>,
    /// The flags with which cargo builds the target of the property, such as `-p demo --lib`; empty
    /// if they are not known.
    target: Vec<String>,
}

/// A test that failed, for which a test may have been printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Its name among the tests of its binary.
    pub test: String,
    /// The flags with which cargo builds its target; empty if they are not known.
    pub target: Vec<String>,
}

impl Failed {
    /// The test of a property; none if it is not one that cargo can run by its name.
    #[must_use]
    pub fn of(property: &Property) -> Option<Failed> {
        let target = property.selection().unwrap_or_default();
        let target = target.into_iter().map(str::to_owned).collect();
        Some(Failed { test: property.test_name()?.to_owned(), target })
    }

    /// Whether this was printed for it.
    fn has(&self, printed: &Printed) -> bool {
        let is_open = self.target.is_empty() || printed.target.is_empty();
        self.test == printed.test_name() && (is_open || self.target == printed.target)
    }
}

/// What came of a printed test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It fails.
    Fails,
    /// It does not end.
    Hangs,
    /// It passes.
    Passes,
    /// It does not compile, and why.
    NotBuilt(String),
    /// It was not among the tests.
    Missing,
}

impl Printed {
    /// Reads what was printed for a property; none if the text is not such a file.
    fn read(path: &Path) -> Option<Printed> {
        let printed = Printed::of(fs::read_to_string(path).ok()?)?;
        Some(Printed { path: path.to_owned(), ..printed })
    }

    /// Tests whose first lines say of which property they are: `// krate::name (src/lib.rs:3)`,
    /// and `// cargo test -p krate --lib`.
    #[must_use]
    pub fn of(text: String) -> Option<Printed> {
        let first = text.lines().next()?.strip_prefix("// ")?;
        let (property, place) = first.split_once(" (")?;
        let (file, line) = place.strip_suffix(')')?.rsplit_once(':')?;
        let names = text.lines().filter_map(|line| line.strip_prefix("fn "));
        let names = names.filter_map(|line| Some(line.split_once('(')?.0.to_owned())).collect();
        let target = text.lines().nth(1).and_then(|line| line.strip_prefix("// cargo test "));
        let target = target.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        Some(Printed {
            path: PathBuf::new(),
            property: property.to_owned(),
            file: PathBuf::from(file),
            line: line.parse().ok()?,
            names,
            target,
            text,
        })
    }

    /// The name of the package, if it is known.
    fn package(&self) -> Option<&str> {
        match self.target.as_slice() {
            [flag, package, ..] if flag == "-p" => Some(package),
            _ => None,
        }
    }

    /// What the property is called among the tests of its binary.
    fn test_name(&self) -> &str {
        self.property.split_once("::").map_or(&self.property, |(_, name)| name)
    }

    /// The name without the modules around it.
    fn short_name(&self) -> &str {
        self.property.rsplit("::").next().unwrap_or(&self.property)
    }

    /// The names of the tests when they are compiled beside the property.
    fn names_beside(&self) -> Vec<String> {
        let module = self.test_name().rsplit_once("::").map_or("", |(module, _)| module);
        let before = if module.is_empty() { String::new() } else { format!("{module}::") };
        let inside = format!("{before}__rebut_printed_{}", self.short_name());
        self.names.iter().map(|name| format!("{inside}::{name}")).collect()
    }
}

/// The tests that were printed for tests that failed since some time.
fn since(home: &Path, failed: &[Failed], since: SystemTime) -> Vec<Printed> {
    let entries = fs::read_dir(home.join("tests")).into_iter().flatten().flatten();
    let is_new = |path: &PathBuf| {
        let changed = fs::metadata(path).and_then(|metadata| metadata.modified());
        changed.is_ok_and(|changed| changed >= since)
    };
    let mut found: Vec<Printed> = entries
        .map(|entry| entry.path())
        .filter(is_new)
        .filter_map(|path| Printed::read(&path))
        .filter(|printed| failed.iter().any(|failed| failed.has(printed)))
        .collect();
    found.sort_by(|a, b| (&a.property, &a.target).cmp(&(&b.property, &b.target)));
    found
}

/// Compiles and runs the tests that were printed for tests that failed since `begun`, and reports
/// the results; with `emit`, writes them to `tests/`. `arguments` are those of `cargo test`.
///
/// # Errors
/// If cargo cannot be started, or a file cannot be written.
pub fn check(
    failed: &[Failed],
    begun: SystemTime,
    arguments: &[String],
    workspace: &Workspace,
    emit: bool,
) -> Result<(), Failure> {
    let home = workspace.home();
    let all = since(&home, failed, begun);
    for (printed, outcomes) in all.iter().zip(outcomes(&home, &all, arguments)?) {
        for outcome in outcomes {
            say(&words::printed(&printed.property, &outcome, &printed.path));
        }
        if emit {
            say(&emitted(printed)?);
        }
    }
    if emit && all.is_empty() {
        say(words::NOTHING_TO_EMIT);
    }
    Ok(())
}

/// What comes of each, compiled together; one by one if one of them does not compile.
fn outcomes(
    home: &Path,
    all: &[Printed],
    arguments: &[String],
) -> Result<Vec<Vec<Outcome>>, Failure> {
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let folder = home.join("printed").join(std::process::id().to_string());
    let outcomes = match beside(&folder.join("all"), all, arguments)? {
        Ok(outcomes) => outcomes,
        Err(why) if all.len() == 1 => vec![vec![Outcome::NotBuilt(why)]],
        Err(_) => {
            let mut outcomes = Vec::new();
            for (nth, printed) in all.iter().enumerate() {
                let alone = std::slice::from_ref(printed);
                outcomes.push(match beside(&folder.join(nth.to_string()), alone, arguments)? {
                    Ok(mut of_one) => of_one.pop().unwrap_or_default(),
                    Err(why) => vec![Outcome::NotBuilt(why)],
                });
            }
            outcomes
        }
    };
    let _ = fs::remove_dir_all(folder);
    Ok(outcomes)
}

/// Compiles tests beside their properties and runs them. An error is why they do not compile.
fn beside(
    folder: &Path,
    all: &[Printed],
    arguments: &[String],
) -> Result<Result<Vec<Vec<Outcome>>, String>, Failure> {
    let failed = |error| Failure::new(Exit::File, words::file_failed(folder, "write", error));
    fs::create_dir_all(folder).map_err(failed)?;
    for (nth, printed) in all.iter().enumerate() {
        fs::write(folder.join(format!("{nth}.rs")), &printed.text).map_err(failed)?;
    }
    let built = build::tests(arguments, Some(folder), None)?;
    Ok(built.map(|binaries| {
        let run = |printed: &Printed| {
            let names = printed.names_beside();
            names.iter().map(|name| build::run(&binaries, &printed.target, name)).collect()
        };
        all.iter().map(run).collect()
    }))
}

/// Writes a printed test to the folder `tests` of its package, if it fails there too; what came
/// of it.
fn emitted(printed: &Printed) -> Result<String, Failure> {
    let is_bad = |_, outcome: &Outcome| !matches!(outcome, Outcome::Fails | Outcome::Hangs);
    let stem = format!("rebut_{}", printed.short_name());
    Ok(match write_checked(printed, None, &stem, &is_bad)? {
        Written::New(path) => words::emitted(&path),
        Written::Before(path) => words::emitted_before(&path),
        Written::Not(why) => words::not_emitted(&printed.property, &why, &printed.path),
    })
}

/// Writes tests of explored paths to the folder `tests` of the package, if they do there what
/// is expected of each; what came of it.
pub fn emit_paths(root: &Path, printed: &Printed, expected: &[Outcome]) -> Result<String, Failure> {
    let is_bad = |nth: usize, outcome: &Outcome| expected.get(nth) != Some(outcome);
    let stem = format!("rebut_{}_paths", printed.short_name());
    Ok(match write_checked(printed, Some(root), &stem, &is_bad)? {
        Written::New(path) => words::emitted_paths(&path, expected.len()),
        Written::Before(path) => words::emitted_before(&path),
        Written::Not(why) => words::nothing_to_keep(&printed.property, &why),
    })
}

/// Where tests are now; if nowhere, why.
enum Written {
    New(PathBuf),
    Before(PathBuf),
    Not(String),
}

/// Writes tests to the folder `tests` of their package, unless they do not compile there or one
/// of them does what is bad.
fn write_checked(
    printed: &Printed,
    root: Option<&Path>,
    stem: &str,
    is_bad: &dyn Fn(usize, &Outcome) -> bool,
) -> Result<Written, Failure> {
    let found = match header::home_of(printed, root)? {
        Ok(found) => found,
        Err(why) => return Ok(Written::Not(why)),
    };
    let header::Home { package, name, header } = found;
    let what = if root.is_some() { "paths" } else { "a failure" };
    let head = words::head_of_emitted(what, &printed.property);
    let text = format!("{head}{header}\n{}", printed.text);
    let text = build::formatted(&text).unwrap_or(text);
    let folder = package.join("tests");
    let (path, is_there) = free(&folder, stem, &text);
    if is_there {
        return Ok(Written::Before(path));
    }
    let failed = |error| Failure::new(Exit::File, words::file_failed(&path, "write", error));
    let had_folder = folder.is_dir();
    fs::create_dir_all(&folder).map_err(failed)?;
    fs::write(&path, &text).map_err(failed)?;
    let target = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let arguments = ["-p".to_owned(), name, "--test".to_owned(), target];
    let bad = match build::tests(&arguments, None, root)? {
        Err(why) => Some(Outcome::NotBuilt(why)),
        Ok(binaries) => {
            let outcomes = printed.names.iter().map(|name| build::run(&binaries, &[], name));
            let mut bad = outcomes.enumerate().filter(|(nth, outcome)| is_bad(*nth, outcome));
            bad.next().map(|(_, outcome)| outcome)
        }
    };
    let Some(bad) = bad else { return Ok(Written::New(path)) };
    // What we wrote, and nothing else.
    let _ = fs::remove_file(&path);
    if !had_folder {
        let _ = fs::remove_dir(&folder);
    }
    Ok(Written::Not(format!("there it {}", words::outcome(&bad))))
}

/// A path at which there is nothing yet, or this text already.
fn free(folder: &Path, stem: &str, text: &str) -> (PathBuf, bool) {
    let mut nth = 1;
    loop {
        let number = if nth == 1 { String::new() } else { format!("_{nth}") };
        let path = folder.join(format!("{stem}{number}.rs"));
        match fs::read_to_string(&path) {
            Ok(there) if there == text => return (path, true),
            _ if !path.exists() => return (path, false),
            _ => nth += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_beside_a_property_are_in_a_module_of_their_own() {
        let printed = Printed {
            path: PathBuf::new(),
            property: "krate::lists::tests::sorts".to_owned(),
            file: PathBuf::new(),
            line: 1,
            text: String::new(),
            target: Vec::new(),
            names: vec!["sorts_regression".to_owned()],
        };
        assert_eq!(printed.test_name(), "lists::tests::sorts");
        assert_eq!(
            printed.names_beside(),
            ["lists::tests::__rebut_printed_sorts::sorts_regression"]
        );
    }

    #[test]
    fn a_printed_test_is_of_the_target_that_it_names() {
        let of = |target: &str| {
            let text = format!("// it::sorts (a/tests/it.rs:3)\n{target}// panic: x\n#[test]\n");
            Printed::of(text).expect("a printed test")
        };
        let failed = |target: &str| Failed {
            test: "sorts".to_owned(),
            target: target.split_whitespace().map(str::to_owned).collect(),
        };
        let printed = of("// cargo test -p a --test it\n");
        assert_eq!(printed.package(), Some("a"));
        assert!(failed("-p a --test it").has(&printed) && failed("").has(&printed));
        assert!(!failed("-p b --test it").has(&printed), "another package");
        assert!(failed("-p b --test it").has(&of("")), "an old one says nothing");
    }
}
