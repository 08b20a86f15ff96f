//! The crates of the workspace use each other only as ARCHITECTURE.md lists and shows it.
//!
//! The table below "Direct arrows" is the list of allowed dependencies, and it is complete: a new
//! dependency fails until it has an entry, and an entry without a dependency fails too. The picture
//! above the table is not complete. It must name every crate, its arrows must be in the table, and
//! no arrow of the table may point to a higher layer of the picture.

use std::collections::{BTreeMap, BTreeSet};

use super::House;
use super::document::{ARCHITECTURE, block, code_spans, rows, section};

const PICTURE: &str = "## Crates";
const TABLE: &str = "### Direct arrows";

/// Crates that the picture leaves out, with the reason.
const NOT_IN_PICTURE: &[(&str, &str)] = &[("rebut-testkit", "only tests of this workspace use it")];

/// Pairs of crates: the first uses the second.
type Arrows = BTreeSet<(String, String)>;

/// Why a crate uses another.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Use {
    Normal,
    Tests,
}

impl Use {
    fn column(self) -> &'static str {
        match self {
            Use::Normal => "uses",
            Use::Tests => "its tests use",
        }
    }
}

pub(super) fn complaints(house: &House<'_>) -> Vec<String> {
    let text = house.text(ARCHITECTURE);
    let table = rows(&section(text, TABLE));
    let picture = Picture::parse(&block(&section(text, PICTURE)), house);
    let mut complaints = row_complaints(house, &table);
    for (usage, cell) in [(Use::Normal, 1), (Use::Tests, 2)] {
        complaints.extend(compare(&arrows_of(house, usage), &listed(&table, cell), usage));
    }
    for (from, to) in arrows_of_build_scripts(house) {
        complaints.push(format!(
            "the build script of `{from}` uses `{to}`; no crate of this workspace is for build \
             scripts"
        ));
    }
    complaints.extend(picture.complaints(house, &arrows_of(house, Use::Normal)));
    complaints
}

/// Every package has one row, and every row is a package.
fn row_complaints(house: &House<'_>, table: &[Vec<&str>]) -> Vec<String> {
    let mut complaints = Vec::new();
    let count = |name: &str| table.iter().filter(|row| code_spans(row[0]) == [name]).count();
    for package in house.packages {
        let name = package.name();
        match count(name) {
            0 => complaints.push(format!(
                "`{name}` has no row in the table \"{}\" of {ARCHITECTURE}",
                title(TABLE)
            )),
            1 => {}
            _ => complaints.push(format!("`{name}` has two rows in \"{}\"", title(TABLE))),
        }
    }
    for name in table.iter().flat_map(|row| code_spans(row[0])) {
        if !house.is_member(name) {
            complaints.push(format!(
                "the row `{name}` of \"{}\" in {ARCHITECTURE} is not a package of the workspace",
                title(TABLE)
            ));
        }
    }
    complaints
}

fn title(heading: &str) -> &str {
    heading.trim_start_matches(['#', ' '])
}

/// The dependencies between packages of the workspace.
fn arrows_of(house: &House<'_>, usage: Use) -> Arrows {
    dependencies(house, |kind| match usage {
        Use::Normal => kind.is_none(),
        Use::Tests => kind == Some("dev"),
    })
}

fn arrows_of_build_scripts(house: &House<'_>) -> Arrows {
    dependencies(house, |kind| kind == Some("build"))
}

fn dependencies(house: &House<'_>, is_wanted: impl Fn(Option<&str>) -> bool) -> Arrows {
    let mut arrows = Arrows::new();
    for package in house.packages {
        for dependency in package.dependencies() {
            let name = dependency["name"].as_str().unwrap_or_default();
            if house.is_member(name) && is_wanted(dependency["kind"].as_str()) {
                arrows.insert((package.name().to_owned(), name.to_owned()));
            }
        }
    }
    arrows
}

/// The arrows in a column of the table.
fn listed(table: &[Vec<&str>], cell: usize) -> Arrows {
    let mut arrows = Arrows::new();
    for row in table {
        for from in code_spans(row[0]) {
            for to in row.get(cell).into_iter().flat_map(|cell| code_spans(cell)) {
                arrows.insert((from.to_owned(), to.to_owned()));
            }
        }
    }
    arrows
}

fn compare(arrows: &Arrows, listed: &Arrows, usage: Use) -> Vec<String> {
    let (title, column) = (title(TABLE), usage.column());
    let new = arrows.difference(listed).map(|(from, to)| {
        format!(
            "`{from}` has a new arrow to `{to}`; if it is wanted, add `{to}` to the row `{from}`, \
             column \"{column}\", of \"{title}\" in {ARCHITECTURE}"
        )
    });
    let old = listed.difference(arrows).map(|(from, to)| {
        format!(
            "`{from}` has no arrow to `{to}` (column \"{column}\"); remove it from \"{title}\" in \
             {ARCHITECTURE}"
        )
    });
    new.chain(old).collect()
}

/// The picture of the crates.
#[derive(Debug, Default)]
struct Picture {
    /// The layer of each crate, counted from the top.
    layers: BTreeMap<String, usize>,
    /// The names of the layers, from the top.
    names: Vec<String>,
    /// The horizontal arrows. Vertical ones are for people.
    arrows: Arrows,
}

impl Picture {
    fn parse(lines: &[&str], house: &House<'_>) -> Picture {
        let mut picture = Picture::default();
        for line in lines {
            if let Some(name) = layer_name(line) {
                picture.names.push(name.to_owned());
            }
            let words: Vec<&str> =
                line.split_whitespace().map(|word| word.trim_end_matches(',')).collect();
            for word in words.iter().filter(|word| house.is_member(word)) {
                let layer = picture.names.len().saturating_sub(1);
                picture.layers.entry((*word).to_owned()).or_insert(layer);
            }
            picture.arrows.extend(arrows_of_line(&words, house));
        }
        picture
    }

    fn complaints(&self, house: &House<'_>, arrows: &Arrows) -> Vec<String> {
        let mut complaints = Vec::new();
        for name in house.packages.iter().map(|package| package.name()) {
            let is_crate = name.starts_with("rebut") || name.starts_with("cargo-");
            let is_example = name.contains("example");
            let is_left_out = NOT_IN_PICTURE.iter().any(|(left_out, _)| *left_out == name);
            if is_crate && !is_example && !is_left_out && !self.layers.contains_key(name) {
                complaints.push(format!("the picture of {ARCHITECTURE} does not have `{name}`"));
            }
        }
        for (from, to) in self.arrows.difference(arrows) {
            complaints.push(format!(
                "the picture of {ARCHITECTURE} has an arrow from `{from}` to `{to}`, but there is \
                 no such dependency"
            ));
        }
        for (from, to) in arrows {
            if let (Some(&above), Some(&below)) = (self.layers.get(from), self.layers.get(to))
                && above > below
            {
                complaints.push(format!(
                    "`{from}` ({}) uses `{to}` ({}), which is in a higher layer of the picture of \
                     {ARCHITECTURE}",
                    self.names[above], self.names[below]
                ));
            }
        }
        complaints
    }
}

/// `ENGINES` of a line that begins with it.
fn layer_name(line: &str) -> Option<&str> {
    let name = line.split("  ").next()?;
    let is_name = name.starts_with(|char: char| char.is_ascii_uppercase())
        && !name.contains(|char: char| char.is_ascii_lowercase());
    is_name.then_some(name)
}

/// `a -> b, c` and `b <-- a`. A dashed arrow is not a dependency.
fn arrows_of_line(words: &[&str], house: &House<'_>) -> Arrows {
    let mut arrows = Arrows::new();
    let mut groups: Vec<Vec<&str>> = vec![Vec::new()];
    let mut is_to_the_right = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let shaft = word.trim_start_matches('`');
        let is_dashed = index > 0 && words[index - 1] == "-";
        let is_right = shaft.len() > 1 && shaft.trim_start_matches('-') == ">" && !is_dashed;
        let is_left = shaft.len() > 1 && shaft.trim_end_matches('-') == "<";
        if is_right || is_left {
            is_to_the_right.push(is_right);
            groups.push(Vec::new());
        } else if house.is_member(word)
            && let Some(group) = groups.last_mut()
        {
            group.push(word);
        } else if let Some(group) = groups.last_mut() {
            group.clear();
        }
    }
    for (pair, is_right) in groups.windows(2).zip(is_to_the_right) {
        let (from, to) = if is_right { (&pair[0], &pair[1]) } else { (&pair[1], &pair[0]) };
        for from in from {
            arrows.extend(to.iter().map(|to| ((*from).to_owned(), (*to).to_owned())));
        }
    }
    arrows
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Inputs;
    use super::super::tests::{files, workspace};

    /// Three crates with a picture and a table.
    fn house(table: &str) -> Inputs {
        let text = format!(
            "## Crates\n```text\nTOP     rebut-a -> rebut-b\nBOTTOM  rebut-c <-- rebut-b\n\
             ```\n### Direct arrows\n| crate | uses | its tests use |\n|---|---|---|\n{table}\n"
        );
        files(&[("ARCHITECTURE.md", &text)])
            .with_package("rebut-a", &["rebut-b", "rebut-c", "serde"])
            .with_package("rebut-b", &["rebut-c"])
            .with_package("rebut-c", &[])
    }

    const TABLE: &str =
        "| `rebut-a` | `rebut-b`, `rebut-c` | |\n| `rebut-b` | `rebut-c` | |\n| `rebut-c` | | |";

    #[test]
    fn complete_table_passes() {
        assert_eq!(house(TABLE).complaints("arrows"), [""; 0]);
    }

    #[test]
    fn new_arrow_names_both_crates_and_the_table() {
        let dependency = json!({ "name": "rebut-a", "kind": "dev" });
        let inputs = house(TABLE).with_dependency("rebut-c", dependency);
        let expected = "`rebut-c` has a new arrow to `rebut-a`; if it is wanted, add `rebut-a` to \
                        the row `rebut-c`, column \"its tests use\", of \"Direct arrows\" in \
                        ARCHITECTURE.md";
        assert_eq!(inputs.complaints("arrows"), [expected]);
    }

    #[test]
    fn rows_without_an_arrow_or_a_package_fail() {
        let table = format!("{TABLE}\n| `rebut-d` | | |").replace("| `rebut-c` | |\n", "| | |\n");
        let complaints = house(&table).complaints("arrows");
        assert_eq!(complaints.len(), 2, "{complaints:?}");
        assert!(complaints[0].contains("row `rebut-d`"), "{complaints:?}");
        assert!(complaints[1].contains("`rebut-b` has a new arrow to `rebut-c`"), "{complaints:?}");
        let table = TABLE.replace("| `rebut-c` | | |", "| `rebut-c` | `rebut-b` | |");
        let complaints = house(&table).complaints("arrows");
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].contains("`rebut-c` has no arrow to `rebut-b`"), "{complaints:?}");
    }

    #[test]
    fn arrows_to_a_higher_layer_fail() {
        let dependency = json!({ "name": "rebut-a", "kind": null });
        let table = TABLE.replace("| `rebut-c` | | |", "| `rebut-c` | `rebut-a` | |");
        let complaints = house(&table).with_dependency("rebut-c", dependency).complaints("arrows");
        let expected = "`rebut-c` (BOTTOM) uses `rebut-a` (TOP), which is in a higher layer";
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].starts_with(expected), "{complaints:?}");
    }

    #[test]
    fn build_scripts_use_no_crate_of_the_workspace() {
        let dependency = json!({ "name": "rebut-c", "kind": "build" });
        let complaints = house(TABLE).with_dependency("rebut-a", dependency).complaints("arrows");
        assert_eq!(complaints.len(), 1, "{complaints:?}");
    }

    #[test]
    fn canary_with_a_new_arrow_fails() {
        let dependency = json!({ "name": "rebut-smt", "kind": null });
        let inputs = workspace().below(&["ARCHITECTURE.md"]);
        let complaints = inputs.with_dependency("rebut-choice", dependency).complaints("arrows");
        assert!(!complaints.is_empty());
        assert!(
            complaints.iter().all(|complaint| complaint.contains("`rebut-choice`")),
            "{complaints:?}"
        );
    }
}
