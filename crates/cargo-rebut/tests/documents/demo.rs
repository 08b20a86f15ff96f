//! The crate with the stories of all pages.

use crate::elision;
use crate::page::{Block, Page, root};
use crate::shell::{self, Shell, write};
use std::fs::File;
use std::path::PathBuf;
use std::time::SystemTime;

/// A crate with a file for each story, and its test binary.
#[derive(Debug)]
pub(crate) struct Demo {
    shell: Shell,
    binary: PathBuf,
    stories: Vec<String>,
    /// A test needs the directory alone, because commands use the latest run.
    _turn: File,
}

const MANIFEST: &str = "\
[package]
name = \"demo\"
version = \"0.0.0\"
edition = \"2024\"
publish = false

[dev-dependencies]
rebut = { path = \"REBUT\", features = [\"arbitrary\", \"proptest\", \"quickcheck\", \"rand_010\", \"regex\"] }
# With the features that `rebut` uses, so that nothing else has to be built.
arbitrary = { version = \"1\", features = [\"derive\"] }
fake = { version = \"5\", default-features = false }
proptest = { version = \"1\", default-features = false, features = [\"std\"] }
quickcheck = { version = \"1\", default-features = false }
rand = { version = \"0.10\", default-features = false, features = [\"alloc\"] }

[workspace]
";

impl Demo {
    /// Builds the stories of pages, or returns the error.
    pub(crate) fn build(name: &str, pages: &[Page]) -> Result<Demo, String> {
        let shell = Shell::new(name);
        // Cargo creates `target` itself, and marks it as a cache.
        std::fs::create_dir_all(shell.target.parent().expect("a folder")).expect("a folder");
        let turn = File::create(shell.target.with_file_name("turn")).expect("a file");
        turn.lock().expect("a lock");
        let _ = std::fs::remove_dir_all(shell.home.join(".rebut"));
        let rebut = root().join("crates/rebut").display().to_string();
        write(&shell.home.join("Cargo.toml"), &MANIFEST.replace("REBUT", &rebut));
        // With the versions of this workspace, cargo needs no network.
        let locked = std::fs::read_to_string(root().join("Cargo.lock")).expect("the lock file");
        if !shell.home.join("Cargo.lock").exists() {
            write(&shell.home.join("Cargo.lock"), &locked);
        }
        let stories = write_stories(&shell, pages)?;
        let binary = build(&shell)?;
        Ok(Demo { shell, binary, stories, _turn: turn })
    }

    /// The page with the current output of its commands.
    pub(crate) fn updated(&self, page: &Page) -> Result<String, String> {
        let files: Vec<(&str, &Block)> =
            page.blocks.iter().filter_map(|block| Some((block.marked("file")?, block))).collect();
        for (name, block) in &files {
            write(&self.shell.home.join(name), &block.text);
        }
        let updated = page.with_consoles(|block| self.console(page, block));
        let silent = self.run_silent_stories(page);
        for (name, _) in files {
            let _ = std::fs::remove_file(self.shell.home.join(name));
        }
        silent?;
        updated
    }

    /// Whether the page shows the output of its commands.
    pub(crate) fn check(&self, page: &Page) -> Result<(), String> {
        let updated = self.updated(page)?;
        if updated == page.text { Ok(()) } else { Err(page.difference(&updated)) }
    }

    fn console(&self, page: &Page, block: &Block) -> Result<String, String> {
        if !block.is_console() {
            return Ok(block.text.clone());
        }
        let mut text = String::new();
        for (command, shown) in block.exchanges() {
            let printed = if shown.is_empty() {
                self.passes(command).map(|()| String::new())
            } else {
                self.run(command, shown)
            };
            let printed = printed.map_err(|why| format!("{}:{}: {why}", page.name, block.line))?;
            text += &format!("$ {command}\n");
            if !printed.is_empty() {
                text += &format!("{}\n", elision::applied(shown, &printed));
            }
        }
        Ok(text)
    }

    /// The output of a command. A command that cannot run on this machine keeps its shown output.
    fn run(&self, command: &str, shown: &str) -> Result<String, String> {
        let (variables, words) = shell::parts(command);
        let texts: Vec<&str> = words.iter().map(String::as_str).collect();
        let printed = match texts.as_slice() {
            ["cat", path] => self.shell.read(path)?,
            ["tail", "-qn", "1", ..] => shell::last_lines(words[3..].iter()),
            ["cargo", "test", ..] => shell::reports(&self.test(&variables, &words[2..]).1),
            ["cargo", "rebut", ..] => match self.shell.rebut(&variables, &words[2..]) {
                Some(output) => shell::asked_for(&output),
                None => return Ok(shown.to_owned()),
            },
            _ => return Err(format!("`{command}` is no command that tests can run")),
        };
        Ok(self.shell.shown(&printed))
    }

    /// Runs a command without shown output: tests must pass, and other commands do not run.
    fn passes(&self, command: &str) -> Result<(), String> {
        let (variables, words) = shell::parts(command);
        if !matches!(words.as_slice(), [cargo, test, ..] if cargo == "cargo" && test == "test") {
            return Ok(());
        }
        match self.test(&variables, &words[2..]) {
            (true, _) => Ok(()),
            (false, said) => Err(format!("`{command}` fails:\n{said}")),
        }
    }

    /// Runs tests. Returns whether they pass, and their output. The name of a story selects only
    /// that story, because readers do not have the others.
    fn test(&self, variables: &[(&str, &str)], words: &[String]) -> (bool, String) {
        for (_, group) in variables.iter().filter(|(name, _)| *name == "REBUT_RUN") {
            self.shell.forget_runs(group);
        }
        let mut test = self.shell.command(&self.binary);
        test.arg("--test-threads=1");
        for word in words.iter().filter(|word| *word != "--") {
            let is_story = self.stories.contains(word);
            test.arg(if is_story { format!("{word}::") } else { word.clone() });
        }
        let output = test.envs(variables.iter().copied()).output().expect("the tests can be run");
        let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        (output.status.success(), text.concat())
    }

    /// Checks that a story passes if the page shows no command for it.
    fn run_silent_stories(&self, page: &Page) -> Result<(), String> {
        let consoles = page.blocks.iter().filter(|block| block.is_console());
        let commands: Vec<&str> =
            consoles.flat_map(Block::exchanges).map(|(command, _)| command).collect();
        for (name, _) in page.stories() {
            let is_named = |command: &&str| command.split([' ', ':']).any(|word| word == name);
            if commands.iter().any(is_named) {
                continue;
            }
            let (passes, said) = self.test(&[("REBUT_SEED", "1")], &[name.to_owned()]);
            if !passes {
                return Err(format!("the story `{name}` of {} fails:\n{said}", page.name));
            }
        }
        Ok(())
    }
}

/// Writes a file for each story, and the file that declares them as modules.
fn write_stories(shell: &Shell, pages: &[Page]) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = Vec::new();
    let mut modules = String::new();
    for (name, code) in pages.iter().flat_map(Page::stories) {
        if names.iter().any(|known| known == name) {
            return Err(format!("there are two stories with the name `{name}`"));
        }
        names.push(name.to_owned());
        write(&shell.home.join("src").join(format!("{name}.rs")), code);
        modules += &format!("#[cfg(test)]\nmod {name};\n");
    }
    write(&shell.home.join("src/lib.rs"), &modules);
    Ok(names)
}

fn build(shell: &Shell) -> Result<PathBuf, String> {
    // Crates with the same name share a binary in the shared `target`, and cargo compares only the
    // times of files. Without this, it would run the binary that another of these tests built.
    let library = File::options().append(true).open(shell.home.join("src/lib.rs"));
    let touched = library.and_then(|library| library.set_modified(SystemTime::now()));
    touched.map_err(|error| format!("src/lib.rs: {error}"))?;
    let mut cargo = shell.cargo();
    cargo.args(["test", "--no-run", "--lib", "--message-format=json-diagnostic-rendered-ansi"]);
    let output = cargo.output().expect("cargo");
    let messages = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("stories cannot be built:\n{said}\n{messages}"));
    }
    let executable = messages.lines().rev().find_map(|line| line.split_once("\"executable\":\""));
    let (_, rest) = executable.expect("a message with the binary");
    Ok(PathBuf::from(rest.split('"').next().expect("the end of a string")))
}
