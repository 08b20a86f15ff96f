//! `cargo xtask mutations`: damages every file that Rebut reads in 10,000 ways.
//!
//! The tests are those in the modules `mutations`, next to each parser, which try 200 ways in an
//! ordinary run (`crates/rebut-testkit/src/mutations.rs`). A panic, a hang or a deleted file fails
//! one of them. They append lines to a table, which this prints.

use std::process::Command;

/// The number of mutations of each file.
const COUNT: &str = "10000";

/// The packages with such tests.
const PACKAGES: [&str; 4] = ["rebut-choice", "rebut-run", "rebut-report", "rebut-spec"];

pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    if let Some(other) = arguments.first() {
        return Err(format!("`cargo xtask mutations` takes no arguments, found `{other}`"));
    }
    let table = crate::target().join("mutations.txt");
    // Lines are appended, and an earlier run may have left some.
    if table.exists() {
        std::fs::remove_file(&table).map_err(|error| format!("{}: {error}", table.display()))?;
    }
    let mut command = Command::new("cargo");
    command.args(["test", "--lib", "--tests"]).current_dir(crate::root());
    for package in PACKAGES {
        command.args(["-p", package]);
    }
    command.arg("mutations");
    command.env(rebut_testkit::mutations::COUNT_VARIABLE, COUNT);
    command.env(rebut_testkit::mutations::TABLE_VARIABLE, &table);
    let result = crate::run(&mut command);
    print!("{}", aligned(&std::fs::read_to_string(&table).unwrap_or_default()));
    result
}

/// The table with columns of equal width, sorted by its first column.
fn aligned(table: &str) -> String {
    let mut rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    rows.sort();
    let width = rows.iter().filter_map(|row| row.first()).map(|name| name.len()).max();
    let width = width.unwrap_or_default();
    let line = |row: &Vec<&str>| {
        let (name, rest) = row.split_first().unwrap_or((&"", &[]));
        format!("{name:width$}  {}\n", rest.join("  "))
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_aligned() {
        let table = "tape\t9 mutations\t1 accepted\n.case\tgrowth\t2.01\n";
        assert_eq!(aligned(table), ".case  growth  2.01\ntape   9 mutations  1 accepted\n");
        assert_eq!(aligned(""), "");
    }
}
