//! Follows a tutorial from top to bottom, in a crate that it creates.

use std::path::PathBuf;

use crate::elision;
use crate::page::{Block, Page, root};
use crate::shell::{self, Shell, write};

/// The page with the current output of its commands.
pub(crate) fn updated(page: &Page) -> Result<String, String> {
    let folder = outside();
    let mut shell = Shell { home: folder.clone(), ..Shell::new("followed") };
    let updated = page.with_consoles(|block| follow(&mut shell, block));
    let _ = std::fs::remove_dir_all(folder);
    updated.map_err(|(line, why)| format!("{}:{line}: {why}", page.name))
}

/// An empty directory outside of all workspaces, like that of a reader.
fn outside() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("rebut-followed-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder
}

fn follow(shell: &mut Shell, block: &Block) -> Result<String, (usize, String)> {
    if let Some(name) = block.marked("file") {
        write(&shell.home.join(name), &block.text);
    }
    if !block.is_console() {
        return Ok(block.text.clone());
    }
    let mut text = String::new();
    for (command, shown) in block.exchanges() {
        let printed = run(shell, command, shown).map_err(|why| (block.line, why))?;
        text += &format!("$ {command}\n");
        if !shown.is_empty() && !printed.is_empty() {
            text += &format!("{}\n", elision::applied(shown, &printed));
        }
    }
    Ok(text)
}

/// The output of a command. A command without shown output must succeed.
fn run(shell: &mut Shell, command: &str, shown: &str) -> Result<String, String> {
    let (variables, words) = shell::parts(command);
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    let (passes, printed) = match texts.as_slice() {
        ["cat", path] => (true, shell.read(path)?),
        ["cd", name] => {
            shell.home.push(name);
            return Ok(String::new());
        }
        ["cargo", "rebut", ..] => match shell.rebut(&variables, &words[2..]) {
            Some(output) => (output.status.success(), shell::asked_for(&output)),
            None => return Ok(shown.to_owned()),
        },
        ["cargo", sort, ..] => {
            let mut cargo = shell.cargo();
            cargo.args(with_this_checkout(&words[1..])).envs(variables);
            if *sort == "test" && !words.iter().any(|word| word == "--") {
                cargo.arg("--");
            }
            if *sort == "test" {
                cargo.arg("--test-threads=1");
            }
            let output = cargo.output().expect("cargo");
            let printed = shell::asked_for(&output);
            let shown = if *sort == "test" { shell::reports(&printed) } else { printed };
            (output.status.success(), shown)
        }
        _ => return Err(format!("`{command}` is no command that tests can run")),
    };
    if let ["cargo", "new", name, ..] = texts.as_slice() {
        // With the versions of this workspace, cargo needs no network.
        let locked = std::fs::read_to_string(root().join("Cargo.lock")).expect("the lock file");
        write(&shell.home.join(name).join("Cargo.lock"), &locked);
    }
    if !passes && shown.is_empty() {
        return Err(format!("`{command}` fails:\n{printed}"));
    }
    Ok(shell.shown(&printed))
}

/// Arguments of cargo in which `--git ADDRESS` is replaced by the path of the library here.
fn with_this_checkout(words: &[String]) -> Vec<String> {
    let Some(at) = words.iter().position(|word| word == "--git") else { return words.to_vec() };
    let library = root().join("crates/rebut").display().to_string();
    let mut replaced = words.to_vec();
    replaced.splice(at..at + 2, ["--path".to_owned(), library]);
    replaced
}
