//! `cargo xtask compat`: uses Rebut as existing projects do, and reports what works.
//!
//! The pages in `compat/rows` list the settings that were tried: test runners, other test crates,
//! lints, layouts of projects, types, limits of the system. A row is a section of a page with shell
//! commands and parts of their output. The commands run in a copy of a project in
//! `compat/projects`, in `target/compat`, without a network. All projects share one target
//! directory, so that a crate is built once for all rows.
//!
//! `compat/results.md` is the table of the last whole run.

mod page;
mod session;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use self::page::Row;
use self::session::Session;
pub(crate) use self::session::{clean_environment, cpu_time_of_children};
use crate::clock::shown;
use crate::{cargo, root, run as run_command, target};

/// `cargo xtask compat [--check] [--slice] [ROW..]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let rows = page::rows(&root().join("compat/rows"))?;
    let selected: Vec<&Row> = rows.iter().filter(|row| options.selects(row)).collect();
    if selected.is_empty() {
        return Err(format!("no row is selected by `{}`", arguments.join(" ")));
    }
    prepare()?;
    run_command(&mut cargo(&["build", "--quiet", "-p", "cargo-rebut"]))?;
    let session = Session::new(work(), target());
    let before = cpu_time_of_children();
    let results: Vec<RowResult<'_>> = selected.iter().map(|row| tried(&session, row)).collect();
    let cpu_time = cpu_time_of_children().saturating_sub(before);
    let broken = results.iter().filter(|result| result.complaint.is_some()).count();
    eprintln!(
        "{:>12} {} of {} rows work [{} of CPU time]",
        if broken == 0 { "Finished" } else { "Failed" },
        results.len() - broken,
        results.len(),
        shown(cpu_time)
    );
    if options.is_whole() {
        let table = table(&results, cpu_time);
        let path = root().join("compat/results.md");
        fs::write(&path, table).map_err(|error| format!("cannot write {path:?}: {error}"))?;
    }
    if broken > 0 && options.checks { Err(format!("{broken} rows do not work")) } else { Ok(()) }
}

/// Runs the rows that are part of `cargo xtask test`.
pub(crate) fn run_slice() -> Result<(), String> {
    run(&["--slice", "--check"])
}

/// Copies the projects, and fetches the crates that they use.
pub(crate) fn fetch() -> Result<(), String> {
    prepare()?;
    for project in ["abort", "peers", "plain", "shrinking"] {
        let manifest = work().join(project).join("Cargo.toml");
        let manifest = manifest.to_string_lossy().into_owned();
        run_command(&mut cargo(&["fetch", "--locked", "--quiet", "--manifest-path", &manifest]))?;
    }
    Ok(())
}

/// The arguments of the command.
#[derive(Debug, Default)]
struct Options {
    /// Whether a row that does not work is an error.
    checks: bool,
    /// Whether only the rows for `cargo xtask test` run.
    is_slice: bool,
    /// Numbers of rows and words of their titles; all rows if there are none.
    names: Vec<String>,
}

impl Options {
    fn parse(arguments: &[&str]) -> Result<Options, String> {
        let mut options = Options::default();
        for argument in arguments {
            match *argument {
                "--check" => options.checks = true,
                "--slice" => options.is_slice = true,
                flag if flag.starts_with('-') => {
                    return Err(format!(
                        "`compat` takes `--check`, `--slice`, and numbers or words of rows, not `{flag}`"
                    ));
                }
                name => options.names.push(name.to_lowercase()),
            }
        }
        Ok(options)
    }

    fn selects(&self, row: &Row) -> bool {
        let title = row.title.to_lowercase();
        let is_named = |name: &String| *name == row.id || *name == row.area || title.contains(name);
        (!self.is_slice || row.is_in_slice)
            && (self.names.is_empty() || self.names.iter().any(is_named))
    }

    fn is_whole(&self) -> bool {
        !self.is_slice && self.names.is_empty()
    }
}

/// A row that has run.
struct RowResult<'a> {
    row: &'a Row,
    complaint: Option<String>,
}

fn tried<'a>(session: &Session, row: &'a Row) -> RowResult<'a> {
    let complaint = session.try_row(row).err();
    let verb = if complaint.is_none() { "Works" } else { "Broken" };
    eprintln!("{verb:>12} {} {}: {}", row.area, row.id, row.title);
    if let Some(complaint) = &complaint {
        eprintln!("{complaint}");
    }
    RowResult { row, complaint }
}

/// Where the projects are copied to.
fn work() -> PathBuf {
    target().join("compat").join("work")
}

/// Copies the projects, so that nothing that a row writes ends up in the repository.
fn prepare() -> Result<(), String> {
    let (from, to) = (root().join("compat/projects"), work());
    let _ = fs::remove_dir_all(&to);
    copy(&from, &to).map_err(|error| format!("cannot copy {from:?}: {error}"))
}

/// Copies a directory. Manifests name this checkout as `REBUT`.
pub(crate) fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            let text = fs::read_to_string(&path)?;
            fs::write(to, text.replace("REBUT", &root().to_string_lossy()))?;
        } else {
            fs::copy(&path, to)?;
        }
    }
    Ok(())
}

fn table(results: &[RowResult<'_>], cpu_time: Duration) -> String {
    let works = results.iter().filter(|result| result.complaint.is_none()).count();
    let impossible = results.iter().filter(|result| result.row.is_impossible).count();
    let mut table = format!(
        "# Compatibility\n\n{}. {works} of {} rows work as their pages say, in {} of CPU time; \
         {impossible} of them say that something is impossible, and what to write instead. \
         `cargo xtask compat` writes this table.\n\n| # | area | try | result |\n|---|---|---|---|\n",
        commit("compat/results.md"),
        results.len(),
        shown(cpu_time),
    );
    for RowResult { row, complaint } in results {
        let result = match complaint {
            None if row.is_impossible => "impossible, with a message",
            None => "works",
            Some(complaint) => complaint.lines().next().unwrap_or("does not work"),
        };
        let title = row.title.replace('|', "\\|");
        let result = result.replace('|', "\\|");
        table.push_str(&format!("| {} | {} | {title} | {result} |\n", row.id, row.area));
    }
    table
}

/// The compiler, the commit and the date. Changes of the file with the results do not count.
pub(crate) fn commit(results: &str) -> String {
    let output = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(root()).output();
        let output = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        output.unwrap_or_default()
    };
    let excluded = format!(":(exclude,top){results}");
    let status = ["status", "--porcelain", "--", ":/", &excluded];
    let changed = if output("git", &status).is_empty() { "" } else { " with uncommitted changes" };
    let (hash, date) =
        (output("git", &["rev-parse", "--short", "HEAD"]), output("date", &["-u", "+%Y-%m-%d"]));
    format!("{}, commit {hash}{changed}, {date}", output("rustc", &["--version"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn rows_have_unique_numbers_and_existing_projects() {
        let rows = page::rows(&root().join("compat/rows")).expect("the pages can be read");
        let ids: HashSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids.len(), rows.len(), "two rows have one number");
        assert!(rows.iter().any(|row| row.is_in_slice));
        for row in &rows {
            let project = root().join("compat/projects").join(&row.project);
            assert!(project.is_dir(), "row {} names the project `{}`", row.id, row.project);
        }
    }

    #[test]
    fn options_select_rows_by_number_area_and_word() {
        let row = |id: &str, is_in_slice| Row {
            id: id.to_owned(),
            area: "types".to_owned(),
            title: "Vec<&str> is generated".to_owned(),
            is_in_slice,
            ..Row::default()
        };
        let selects =
            |words: &[&str], row: &Row| Options::parse(words).expect("options").selects(row);
        assert!(selects(&[], &row("105", false)));
        assert!(selects(&["105"], &row("105", false)) && !selects(&["10"], &row("105", false)));
        assert!(selects(&["types"], &row("105", false)) && selects(&["vec<"], &row("105", false)));
        assert!(
            !selects(&["--slice"], &row("105", false)) && selects(&["--slice"], &row("1", true))
        );
        assert!(Options::parse(&["--chekc"]).is_err());
    }
}
