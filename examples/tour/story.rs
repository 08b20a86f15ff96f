//! Tells stories: a question, the code, commands with their output, and a conclusion.
//!
//! `cargo run --example tour` and `cargo xtask tour` share this file, so it depends on nothing but
//! the standard library. The code is read from the file that the command runs, and a command runs
//! as it is printed, so neither can differ from what the reader sees.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A story of the tour.
pub(crate) struct Story {
    /// Its number on the tour.
    pub(crate) number: usize,
    /// What the reader may ask.
    pub(crate) question: &'static str,
    /// The file with the code, from the root of the repository; empty if there is none to show.
    pub(crate) file: &'static str,
    /// How the items begin that are printed; all of the file if there are none.
    pub(crate) items: &'static [&'static str],
    /// The commands.
    pub(crate) steps: &'static [Step],
    /// Parts of the output that must be there, or the conclusion is wrong.
    pub(crate) finds: &'static [&'static str],
    /// What the reader learns.
    pub(crate) conclusion: &'static str,
}

/// A command of a story.
pub(crate) struct Step {
    /// The command line.
    pub(crate) line: &'static str,
    /// Runs it; returns what is printed of its output.
    pub(crate) run: fn(&Guide, &str) -> Result<String, String>,
}

/// A step that runs tests.
pub(crate) const fn test(line: &'static str) -> Step {
    Step { line, run: |guide, line| guide.output(line, |output| without_harness(&output.stdout)) }
}

/// What a command printed.
pub(crate) struct Output {
    /// The standard output.
    pub(crate) stdout: String,
    /// The standard error.
    pub(crate) stderr: String,
    /// How the command ended.
    pub(crate) status: ExitStatus,
}

/// Where and how stories are told.
pub(crate) struct Guide {
    root: PathBuf,
    rebut: Option<PathBuf>,
    is_colored: bool,
}

/// A command that takes longer is stopped. The longest builds Rebut for WebAssembly, which takes
/// half a minute on an idle machine; ten times as long is a machine that is stuck.
const COMMAND_TIME_MAX: Duration = Duration::from_secs(300);

/// How a command of the tour differs from one that the reader types.
pub(crate) const PREAMBLE: &str = "\
Every command runs exactly as printed. `REBUT_SEED=1` and `REBUT_DATABASE=false` are set, so that you
see the same each time, and so are `REBUT_RUN=tour` and `REBUT_EVENTS=summary`, for a report at the
end. Lines that cargo and the test harness add are omitted.";

/// The most lines of code that a story shows, blank ones not counted.
const CODE_LINES_MAX: usize = 10;

impl Guide {
    /// A guide through the repository at `root`. `cargo rebut` runs the program `rebut`.
    pub(crate) fn new(root: PathBuf, rebut: Option<PathBuf>) -> Guide {
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_colored = std::io::stdout().is_terminal() && !is_unwanted;
        Guide { root, rebut, is_colored }
    }

    /// Tells a story.
    ///
    /// # Errors
    /// If it turns out differently.
    pub(crate) fn tell(&self, story: &Story) -> Result<(), String> {
        let wrong = |why: String| format!("story {}: {why}", story.number);
        println!("\n{}", self.bold(&format!("{}. {}", story.number, story.question)));
        if !story.file.is_empty() {
            println!("\n  {}", self.dim(story.file));
            print!("{}", indented(&self.code(story).map_err(wrong)?));
        }
        let mut printed = String::new();
        for step in story.steps {
            println!("\n  {}", self.bold(&format!("$ {}", step.line)));
            let output = (step.run)(self, step.line).map_err(wrong)?;
            print!("{}", indented(&output));
            printed += &without_colors(&output);
        }
        if let Some(missing) = story.finds.iter().find(|part| !printed.contains(**part)) {
            return Err(wrong(format!("the output lacks `{missing}`")));
        }
        println!("\n  {} {}", self.bold("=>"), story.conclusion);
        Ok(())
    }

    /// The code that a story shows.
    ///
    /// # Errors
    /// If the file or an item is not there, or there is more to show than a reader wants to read.
    pub(crate) fn code(&self, story: &Story) -> Result<String, String> {
        let path = self.root.join(story.file);
        let text =
            std::fs::read_to_string(&path).map_err(|why| format!("{}: {why}", story.file))?;
        let code = match story.items {
            [] => without_comments(&text),
            items => items_of(&text, items)?,
        };
        let lines = code.lines().filter(|line| !line.is_empty()).count();
        match lines <= CODE_LINES_MAX {
            true => Ok(code),
            false => Err(format!("{lines} lines of code, at most {CODE_LINES_MAX} are read")),
        }
    }

    /// Runs a command line; returns what `pick` takes from its output.
    ///
    /// # Errors
    /// If the command does not get far enough to print any of that.
    pub(crate) fn output(
        &self,
        line: &str,
        pick: impl FnOnce(&Output) -> String,
    ) -> Result<String, String> {
        let output = finish(&mut self.command(line))?;
        let picked = pick(&output);
        match picked.trim().is_empty() {
            false => Ok(picked),
            true => Err(format!(
                "`{line}` ended with {} and printed\n{}{}",
                output.status, output.stdout, output.stderr
            )),
        }
    }

    /// The command of a line such as `REBUT_SEARCH=off cargo test sort`.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut words = line.split_whitespace().peekable();
        let mut variables = Vec::new();
        while let Some(variable) = words.next_if(|word| word.contains('=')) {
            variables.extend(variable.split_once('='));
        }
        let rest: Vec<&str> = words.collect();
        let mut command = match (rest.as_slice(), &self.rebut) {
            (["cargo", "rebut", ..], Some(rebut)) => Command::new(rebut),
            (["cargo", ..], _) => {
                Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            }
            _ => Command::new(rest.first().unwrap_or(&"true")),
        };
        // What the reader has set for other crates, or the CI, would change the story.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("REBUT_") {
                command.env_remove(name);
            }
        }
        command.env_remove("CI").env_remove("RUST_BACKTRACE");
        command.env("REBUT_SEED", "1").env("REBUT_DATABASE", "false");
        command.env("REBUT_RUN", "tour").env("REBUT_EVENTS", "summary");
        command.env("CARGO_TERM_COLOR", if self.is_colored { "always" } else { "never" });
        command.envs(variables).args(&rest[1.min(rest.len())..]).current_dir(&self.root);
        command
    }

    /// Text that stands out on a terminal.
    pub(crate) fn bold(&self, text: &str) -> String {
        self.styled("1", text)
    }

    fn dim(&self, text: &str) -> String {
        self.styled("2", text)
    }

    fn styled(&self, style: &str, text: &str) -> String {
        match self.is_colored {
            true => format!("\x1b[{style}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

/// The arguments that every tour takes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// The only story to tell.
    story: Option<usize>,
    /// Whether to print the questions only.
    pub(crate) is_list: bool,
}

impl Arguments {
    /// Reads the arguments of a tour of some stories. What `is_flag` accepts is a flag of that
    /// tour alone.
    pub(crate) fn parse(
        words: &[String],
        stories: &[Story],
        mut is_flag: impl FnMut(&str) -> bool,
    ) -> Result<Arguments, String> {
        let mut arguments = Arguments::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            match word {
                "--list" => arguments.is_list = true,
                "--story" => arguments.story = Some(story_number(words.next(), stories)?),
                flag if is_flag(flag) => {}
                other => {
                    return Err(format!("unknown argument `{other}`; see `--list`, `--story N`"));
                }
            }
        }
        Ok(arguments)
    }

    /// The stories that are wanted.
    pub(crate) fn wanted<'a>(&self, stories: &'a [Story]) -> impl Iterator<Item = &'a Story> {
        let only = self.story;
        stories.iter().filter(move |story| only.is_none_or(|number| story.number == number))
    }
}

fn story_number(word: Option<&str>, stories: &[Story]) -> Result<usize, String> {
    let number = word.and_then(|word| word.parse().ok());
    let is_known = |number: &usize| stories.iter().any(|story| story.number == *number);
    number.filter(is_known).ok_or_else(|| {
        let numbers: Vec<String> = stories.iter().map(|story| story.number.to_string()).collect();
        format!("`--story` expects one of {}", numbers.join(", "))
    })
}

/// Prints the questions.
pub(crate) fn list(stories: &[Story]) {
    for story in stories {
        println!("{:2}  {}", story.number, story.question);
    }
}

/// The last line of a tour.
pub(crate) fn summary(told: usize, time: Duration) -> String {
    let stories = if told == 1 { "story" } else { "stories" };
    format!("{told} {stories} in {:.1} s.", time.as_secs_f64())
}

/// Runs a command to its end.
fn finish(command: &mut Command) -> Result<Output, String> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let failed = |why: std::io::Error| format!("cannot run `{shown}`: {why}");
    let mut child = command.spawn().map_err(failed)?;
    let (stdout, stderr) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let status = wait(&mut child).map_err(failed)?.ok_or_else(|| {
        format!("`{shown}` did not end within {} seconds", COMMAND_TIME_MAX.as_secs())
    })?;
    let text = |reader: JoinHandle<String>| reader.join().unwrap_or_default();
    Ok(Output { stdout: text(stdout), stderr: text(stderr), status })
}

/// Reads all of a stream while the command runs, so that no pipe fills up.
fn reader(stream: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // An end that comes early shows in what is missing.
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits for a process; none if it took too long.
fn wait(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    while begun.elapsed() < COMMAND_TIME_MAX {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(10));
    }
    child.kill()?;
    Ok(None)
}

/// The file without comments that start a line, and without blank lines around the rest.
fn without_comments(text: &str) -> String {
    let is_comment = |line: &&str| line.starts_with("//!") || line.starts_with(';');
    let lines: Vec<&str> = text.lines().filter(|line| !is_comment(line)).collect();
    format!("{}\n", lines.join("\n").trim_matches('\n'))
}

/// The items that begin as said, each with its attributes, a blank line between them, and no deeper
/// than they need be.
fn items_of(text: &str, items: &[&str]) -> Result<String, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut code = Vec::new();
    for item in items {
        let found = lines.iter().position(|line| line.trim_start().starts_with(item));
        let at = found.ok_or_else(|| format!("no line begins with `{item}`"))?;
        let depth = lines[at].len() - lines[at].trim_start().len();
        let is_attribute = |line: &&&str| line.trim_start().starts_with("#[");
        let first = at - lines[..at].iter().rev().take_while(is_attribute).count();
        let is_end = |line: &&str| line.len() == depth + 1 && line.ends_with('}');
        let length = lines[at..].iter().position(is_end).unwrap_or(0);
        let of_item = lines[first..=at + length].iter();
        let of_item: Vec<&str> = of_item.map(|line| line.get(depth..).unwrap_or("")).collect();
        code.push(format!("{}\n", of_item.join("\n")));
    }
    Ok(code.join("\n"))
}

/// What tests print, without the frame that the test harness puts around it.
fn without_harness(printed: &str) -> String {
    let frame = ["running ", "---- ", "failures:", "successes:", "test result: "];
    let is_listed = |line: &str| {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':');
        line.strip_prefix("    ").is_some_and(|name| name.chars().all(is_part))
    };
    let mut text = String::new();
    for line in printed.lines() {
        let is_frame = frame.iter().any(|start| line.starts_with(start)) || is_listed(line);
        let is_second_blank = line.is_empty() && (text.is_empty() || text.ends_with("\n\n"));
        if !is_frame && !is_second_blank {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// The text without the escape sequences that color it.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').map_or("", |(_, rest)| rest))
}

/// The text, deeper by four columns and without blank lines at its end.
fn indented(text: &str) -> String {
    let deeper = |line: &str| match line.is_empty() {
        true => "\n".to_owned(),
        false => format!("    {line}\n"),
    };
    text.trim_end().lines().map(deeper).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
//! A file.

/// A function.
#[must_use]
fn one() -> u8 {
    1
}

mod inner {
    #[test]
    fn two() {
        assert_eq!(one(), 1);
    }
}
";

    #[test]
    fn items_are_printed_with_their_attributes() {
        let code = items_of(SOURCE, &["fn one", "fn two"]).expect("both are there");
        let one = "#[must_use]\nfn one() -> u8 {\n    1\n}\n";
        assert_eq!(code, format!("{one}\n#[test]\nfn two() {{\n    assert_eq!(one(), 1);\n}}\n"));
        assert_eq!(
            items_of(SOURCE, &["fn three"]),
            Err("no line begins with `fn three`".to_owned())
        );
    }

    #[test]
    fn files_are_printed_without_their_header() {
        assert_eq!(without_comments("; a\n\n(declare x 1)\n"), "(declare x 1)\n");
        assert!(without_comments(SOURCE).starts_with("/// A function."));
    }

    #[test]
    fn output_of_tests_is_printed_without_the_harness() {
        let printed = "\nrunning 1 test\ntest a::b ... FAILED\n\nfailures:\n\n---- a::b stdout ----\n\
                       error: x\n\n    let a = 1;\n\n\nfailures:\n    a::b\n\n\
                       test result: FAILED. 0 passed\n\n";
        let shown = "test a::b ... FAILED\n\nerror: x\n\n    let a = 1;\n\n";
        assert_eq!(without_harness(printed), shown);
    }

    #[test]
    fn colors_are_left_out_of_comparisons() {
        assert_eq!(without_colors("\x1b[1;91merror\x1b[0m: x"), "error: x");
        assert_eq!(without_colors("plain"), "plain");
    }

    #[test]
    fn commands_take_variables_from_their_line() {
        let guide = Guide { root: ".".into(), rebut: Some("rebut".into()), is_colored: false };
        let command = guide.command("REBUT_SEED=2 cargo rebut explore");
        assert_eq!(command.get_program(), "rebut");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["rebut", "explore"]);
        let seed = command.get_envs().find(|(name, _)| *name == "REBUT_SEED");
        assert_eq!(seed.and_then(|(_, value)| value), Some("2".as_ref()));
    }

    #[test]
    fn unknown_arguments_and_stories_are_rejected() {
        let parse = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            Arguments::parse(&words, &[], |word| word == "--open")
        };
        assert_eq!(parse(&["--open"]), Ok(Arguments::default()));
        assert!(parse(&["--opne"]).is_err_and(|why| why.contains("`--opne`")));
        assert!(parse(&["--story", "1"]).is_err());
        assert!(parse(&["--story"]).is_err());
    }
}
