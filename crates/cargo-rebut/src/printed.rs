//! The tests that Rebut printed for failures: compiled and run, so that it can be said that they
//! fail as printed, and written to the folder `tests` of the package if that is asked for.
//!
//! A printed test uses the names that its property sees. So it is compiled beside the property:
//! `REBUT_PRINTED` names a folder, and the macro of the property takes the test from there. In
//! the folder `tests` it has to do with what the library shows; what is not enough for it does
//! not stay there.

mod build;
mod header;

use crate::exit::{Exit, Failure};
use crate::runs;
use crate::words::{self, say};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The tests that were printed for one property.
#[derive(Clone, Debug)]
pub(crate) struct Printed {
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
}

/// What came of a printed test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Fails,
    /// It did not end.
    Hangs,
    Passes,
    /// It does not compile, and why.
    NotBuilt(String),
    /// It was not among the tests.
    Missing,
}

impl Printed {
    /// Reads what was printed for a property; none if the text is not such a file.
    fn read(path: &Path) -> Option<Printed> {
        let text = fs::read_to_string(path).ok()?;
        let first = text.lines().next()?.strip_prefix("// ")?;
        let (property, place) = first.split_once(" (")?;
        let (file, line) = place.strip_suffix(')')?.rsplit_once(':')?;
        let names = text.lines().filter_map(|line| line.strip_prefix("fn "));
        let names = names.filter_map(|line| Some(line.split_once('(')?.0.to_owned())).collect();
        Some(Printed {
            path: path.to_owned(),
            property: property.to_owned(),
            file: PathBuf::from(file),
            line: line.parse().ok()?,
            names,
            text,
        })
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

/// The tests that were printed for properties of these names since some time.
fn since(home: &Path, names: &[String], since: SystemTime) -> Vec<Printed> {
    let entries = fs::read_dir(home.join("tests")).into_iter().flatten().flatten();
    let is_new = |path: &PathBuf| {
        let changed = fs::metadata(path).and_then(|metadata| metadata.modified());
        changed.is_ok_and(|changed| changed >= since)
    };
    let mut found: Vec<Printed> = entries
        .map(|entry| entry.path())
        .filter(is_new)
        .filter_map(|path| Printed::read(&path))
        .filter(|printed| names.iter().any(|name| name == printed.test_name()))
        .collect();
    found.sort_by(|a, b| a.property.cmp(&b.property));
    found
}

/// Compiles and runs what was printed for these tests since `begun`, and says what came of it;
/// with `emit`, writes it to the folder `tests`. `arguments` are those of `cargo test`.
pub(crate) fn check(
    tests: &[String],
    begun: SystemTime,
    arguments: &[String],
    emit: bool,
) -> Result<(), Failure> {
    let home = runs::home()?;
    let all = since(&home, tests, begun);
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
    let failed = |error| Failure::new(Exit::File, words::file_failed(folder, "written", error));
    fs::create_dir_all(folder).map_err(failed)?;
    for (nth, printed) in all.iter().enumerate() {
        fs::write(folder.join(format!("{nth}.rs")), &printed.text).map_err(failed)?;
    }
    let built = build::tests(arguments, Some(folder))?;
    Ok(built.map(|binaries| {
        let names = all.iter().map(Printed::names_beside);
        names.map(|names| names.iter().map(|name| build::run(&binaries, name)).collect()).collect()
    }))
}

/// Writes a printed test to the folder `tests` of its package, if it fails there too; what came
/// of it.
fn emitted(printed: &Printed) -> Result<String, Failure> {
    let found = match header::home_of(printed)? {
        Ok(found) => found,
        Err(why) => return Ok(words::not_emitted(&printed.property, &why, &printed.path)),
    };
    let header::Home { package, name, header } = found;
    let text = format!("{}{header}\n{}", words::head_of_emitted(&printed.property), printed.text);
    let text = build::formatted(&text).unwrap_or(text);
    let folder = package.join("tests");
    let (path, is_there) = free(&folder, &format!("rebut_{}", printed.short_name()), &text);
    if is_there {
        return Ok(words::emitted_before(&path));
    }
    let failed = |error| Failure::new(Exit::File, words::file_failed(&path, "written", error));
    let had_folder = folder.is_dir();
    fs::create_dir_all(&folder).map_err(failed)?;
    fs::write(&path, &text).map_err(failed)?;
    let target = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let arguments = ["-p".to_owned(), name, "--test".to_owned(), target];
    let outcome = match build::tests(&arguments, None)? {
        Err(why) => Outcome::NotBuilt(why),
        Ok(binaries) => {
            let outcomes = printed.names.iter().map(|name| build::run(&binaries, name));
            let is_bad = |outcome: &Outcome| !matches!(outcome, Outcome::Fails | Outcome::Hangs);
            outcomes.into_iter().find(is_bad).unwrap_or(Outcome::Fails)
        }
    };
    if outcome == Outcome::Fails {
        return Ok(words::emitted(&path));
    }
    // What we wrote, and nothing else.
    let _ = fs::remove_file(&path);
    if !had_folder {
        let _ = fs::remove_dir(&folder);
    }
    let why = words::outcome(&outcome);
    Ok(words::not_emitted(&printed.property, &why, &printed.path))
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
            names: vec!["sorts_regression".to_owned()],
        };
        assert_eq!(printed.test_name(), "lists::tests::sorts");
        assert_eq!(
            printed.names_beside(),
            ["lists::tests::__rebut_printed_sorts::sorts_regression"]
        );
    }
}
