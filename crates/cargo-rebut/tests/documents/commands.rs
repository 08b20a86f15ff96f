//! Checks that the commands in documents exist, with all their options.

use crate::page::{Page, all_pages};
use crate::shell::Shell;
use std::collections::BTreeMap;

/// All `cargo rebut ..` in a document: in backticks, in blocks, in tables.
fn mentioned(text: &str) -> Vec<Vec<&str>> {
    let ends = |letter: char| "`\n|#>()".contains(letter);
    let rests = text.split("cargo rebut ").skip(1);
    let commands = rests.map(|rest| rest.split(ends).next().unwrap_or_default());
    commands.map(|command| command.split_whitespace().collect()).collect()
}

/// The output of `--help` of each command, read once.
struct Helps {
    shell: Shell,
    known: BTreeMap<String, String>,
}

impl Helps {
    fn new() -> Helps {
        let shell = Shell::new("helps");
        std::fs::create_dir_all(&shell.home).expect("a folder");
        Helps { shell, known: BTreeMap::new() }
    }

    /// The help of a subcommand, or of the program for an empty name; empty if there is none.
    fn help(&mut self, subcommand: &str) -> String {
        if let Some(known) = self.known.get(subcommand) {
            return known.clone();
        }
        let words = [subcommand, "--help"].map(str::to_owned);
        let words = if subcommand.is_empty() { &words[1..] } else { &words };
        let output = self.shell.rebut(&[], words).expect("help needs no compiler");
        let printed = if output.status.success() { output.stdout } else { Vec::new() };
        let help = String::from_utf8_lossy(&printed).into_owned();
        self.known.insert(subcommand.to_owned(), help.clone());
        help
    }

    fn subcommands(&mut self) -> Vec<String> {
        let help = self.help("");
        let (_, rest) = help.split_once("Commands:\n").expect("a list of commands");
        let lines = rest.lines().take_while(|line| line.starts_with("  "));
        lines.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
    }

    /// The problem with a command.
    fn complaint(&mut self, words: &[&str]) -> Option<String> {
        let is_name = |word: &&&str| word.chars().all(|letter| letter.is_ascii_lowercase());
        let subcommand = words.first().filter(is_name)?;
        // `help` is the only command without its own help.
        let help = if *subcommand == "help" { self.help("") } else { self.help(subcommand) };
        if help.is_empty() {
            return Some(format!("`cargo rebut {subcommand}` is no command"));
        }
        let known: Vec<&str> = help.split([' ', '\n', ',', '=', '[', ']', '<', '`']).collect();
        let own = words.iter().take_while(|word| **word != "--");
        let options = own.map(|word| word.trim_matches(['[', ']', ',', '.', ';', ':']));
        let mut options = options.filter(|word| word.starts_with('-'));
        let unknown = options.find(|option| !known.contains(option))?;
        Some(format!("`cargo rebut {subcommand}` has no option `{unknown}`"))
    }
}

#[test]
fn commands_and_options_exist() {
    let mut helps = Helps::new();
    let mut complaints = Vec::new();
    for page in all_pages() {
        for words in mentioned(&page.text) {
            complaints.extend(
                helps.complaint(&words).map(|why| format!("{}: {why}: {words:?}", page.name)),
            );
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_command_has_a_line_in_the_guide() {
    let page = Page::read("docs/guide/commands.md");
    for subcommand in Helps::new().subcommands() {
        let line = format!("| `cargo rebut {subcommand}");
        assert!(page.text.contains(&line), "{} has no row {line}", page.name);
    }
}

#[test]
fn commands_that_do_not_exist_are_reported() {
    let mut helps = Helps::new();
    let text = "`cargo rebut explore --runs 5 -p x -- --nonsense`, `cargo rebut explore --rums 5`, \
                `cargo rebut exploer`, `cargo rebut`, `cargo rebut NAME`";
    let told: Vec<String> =
        mentioned(text).iter().filter_map(|words| helps.complaint(words)).collect();
    assert_eq!(
        told,
        ["`cargo rebut explore` has no option `--rums`", "`cargo rebut exploer` is no command"]
    );
}

#[test]
fn every_code_has_a_row_in_the_guide() {
    let shell = Shell::new("helps");
    std::fs::create_dir_all(&shell.home).expect("a folder");
    let words = ["explain", "--format", "json"].map(str::to_owned);
    let output = shell.rebut(&[], &words).expect("codes need no compiler");
    let codes: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let page = Page::read("docs/guide/codes.md");
    let codes = codes.as_array().expect("a list");
    assert!(codes.len() >= 12);
    for code in codes {
        let [code, title] = ["code", "title"].map(|key| code[key].as_str().expect("a text"));
        let row = format!("\n| `{code}` | {title} | ");
        assert!(page.text.contains(&row), "{} has no row:{row}", page.name);
    }
}
