//! `cargo rebut man`: manual pages, generated from the arguments.

use crate::cli::{self, CARGO_REBUT, Man as Arguments, Shape};
use crate::words;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::{pretty, to_stdout, write_whole};
use rebut_cli::status::path_on_one_line;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let pages = pages();
    let Some(folder) = &arguments.folder else {
        let first = pages.into_iter().next().map(|(_, page)| page);
        return to_stdout(&first.unwrap_or_default()).map(|()| Exit::Success);
    };
    let written = write(folder, &pages)?;
    let text = match arguments.format {
        Shape::Json => pretty(&json!({"files": written})),
        Shape::Text => written.iter().map(|path| format!("{}\n", path_on_one_line(path))).collect(),
    };
    to_stdout(&text)?;
    Ok(Exit::Success)
}

fn write(folder: &Path, pages: &[(String, String)]) -> Result<Vec<PathBuf>, Failure> {
    let failed = |path: &Path, error: std::io::Error| {
        Failure::new(Exit::File, words::file_failed(path, "write", error))
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let write_one = |(name, page): &(String, String)| {
        let path = folder.join(name);
        write_whole(&path, page).map_err(|error| failed(&path, error))?;
        Ok(path)
    };
    pages.iter().map(write_one).collect()
}

/// All pages with their file names: one for the program, one for each subcommand, and one that
/// redirects `man rebut` to the first.
fn pages() -> Vec<(String, String)> {
    let mut all = cli::command(CARGO_REBUT);
    all.build();
    // `help` repeats the other pages.
    let commands = all.get_subcommands().filter(|command| command.get_name() != "help");
    let commands: Vec<Command> = commands.cloned().collect();
    let mut pages = vec![("cargo-rebut.1".to_owned(), page(all, CARGO_REBUT))];
    for command in commands {
        let name = command.get_name().to_owned();
        pages
            .push((format!("cargo-rebut-{name}.1"), page(command, &format!("cargo rebut {name}"))));
    }
    pages.push(("rebut.1".to_owned(), ".so man1/cargo-rebut.1\n".to_owned()));
    pages
}

/// The page of one command. Examples and exit codes have their own sections, line by line.
fn page(command: Command, title: &str) -> String {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let has_commands = command.has_subcommands();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let name = title.replace(' ', "-");
    let source = format!("cargo-rebut {}", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command).title(&name).source(source).manual("Rebut");
    let mut bytes = Vec::new();
    // Writing to memory cannot fail.
    let _ = man.render_title(&mut bytes);
    let mut head = Roff::new();
    head.control("SH", ["NAME"]).text([roman(format!("{name} - {about}"))]);
    let _ = head.to_writer(&mut bytes);
    let _ = man.render_synopsis_section(&mut bytes);
    let _ = man.render_description_section(&mut bytes);
    let _ = man.render_options_section(&mut bytes);
    if has_commands {
        let _ = man.render_subcommands_section(&mut bytes);
    }
    let _ = sections(&help).to_writer(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The text below the options in `--help`.
fn sections(help: &str) -> Roff {
    let mut roff = Roff::new();
    for line in help.lines() {
        match line {
            "Examples:" => {
                roff.control("SH", ["EXAMPLES"]).control("nf", []);
            }
            "Exit codes:" => {
                roff.control("fi", []).control("SH", ["EXIT STATUS"]).control("nf", []);
            }
            line => {
                let command = line.strip_prefix("  cargo rebut");
                let text = if command.is_some() { bold(line) } else { roman(line) };
                roff.text([text]);
            }
        }
    }
    roff.control("fi", []);
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_page_for_every_command() {
        let pages = pages();
        let (first, others) = pages.split_first().expect("pages");
        for command in cli::command(CARGO_REBUT).get_subcommands() {
            let name = command.get_name();
            assert!(first.1.contains(&format!("rebut\\-{name}")), "{name}: {}", first.1);
            let page = others.iter().find(|(file, _)| *file == format!("cargo-rebut-{name}.1"));
            let page = &page.unwrap_or_else(|| panic!("no page of {name}")).1;
            for section in ["NAME", "SYNOPSIS", "OPTIONS", "EXAMPLES", "EXIT STATUS"] {
                let quoted = format!(".SH \"{section}\"");
                let is_there = page.contains(&format!(".SH {section}\n")) || page.contains(&quoted);
                assert!(is_there, "{name} has no {section}: {page}");
            }
        }
    }
}
