//! Parses a page into the blocks that are tested.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The directory of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("a folder")
}

/// The documents at the root of the repository that are tested like the guide.
const ROOT_PAGES: [&str; 3] = ["README.md", "CONTRIBUTING.md", "SECURITY.md"];

/// README.md, the other documents at the root, and the guide.
pub(crate) fn all_pages() -> Vec<Page> {
    let entries = std::fs::read_dir(root().join("docs/guide")).expect("the guide");
    let names = entries.map(|entry| entry.expect("a file").file_name());
    let names = names.map(|name| format!("docs/guide/{}", name.to_string_lossy()));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.sort();
    names.splice(0..0, ROOT_PAGES.map(str::to_owned));
    names.iter().map(|name| Page::read(name)).collect()
}

/// The pages to run: all of them, or those that `DOCUMENTS` names, separated by commas.
pub(crate) fn selected() -> Vec<Page> {
    let Ok(wanted) = std::env::var("DOCUMENTS") else { return all_pages() };
    let wanted: Vec<&str> = wanted.split(',').collect();
    let pages: Vec<Page> =
        all_pages().into_iter().filter(|page| wanted.contains(&page.name.as_str())).collect();
    assert_eq!(pages.len(), wanted.len(), "`DOCUMENTS` names a page that does not exist");
    pages
}

/// A document.
#[derive(Debug)]
pub(crate) struct Page {
    /// Its path in the repository.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
    /// Problems with its fences.
    broken: Vec<String>,
}

/// The text between two fences.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The line of the first fence, from 1.
    pub(crate) line: usize,
    pub(crate) language: String,
    /// The comment in the line before it, such as `<!-- story: shorten -->`.
    pub(crate) mark: Option<(String, String)>,
    /// Its position in the page.
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn read(name: &str) -> Page {
        let text = std::fs::read_to_string(root().join(name));
        Page::new(name, &text.unwrap_or_else(|why| panic!("{name}: {why}")))
    }

    pub(crate) fn new(name: &str, text: &str) -> Page {
        let mut page = Page {
            name: name.to_owned(),
            text: text.to_owned(),
            blocks: Vec::new(),
            broken: Vec::new(),
        };
        page.take_apart();
        page
    }

    fn take_apart(&mut self) {
        let text = self.text.clone();
        let mut at = 0;
        let mut before = "";
        let mut lines = text.split_inclusive('\n').zip(1..);
        while let Some((line, number)) = lines.next() {
            at += line.len();
            let Some(language) = line.strip_prefix("```") else {
                if line.trim_start().starts_with("```") {
                    self.broken.push(format!("{}:{number}: {NOT_SEEN}", self.name));
                    return;
                }
                before = line;
                continue;
            };
            let begin = at;
            loop {
                let Some((line, _)) = lines.next() else {
                    self.broken.push(format!("{}:{number}: the block has no end", self.name));
                    return;
                };
                at += line.len();
                if line.starts_with("```") {
                    let range = begin..at - line.len();
                    self.add(number, language.trim_end(), before, range);
                    // A block that follows immediately, such as the models of a program, belongs to
                    // it.
                    before = if is_mark(before) { before } else { "" };
                    break;
                }
            }
        }
    }

    fn add(&mut self, line: usize, language: &str, before: &str, range: Range<usize>) {
        let mark = mark(before);
        let text = self.text[range.clone()].to_owned();
        self.blocks.push(Block { line, language: language.to_owned(), mark, range, text });
    }

    /// Whether the page is a tutorial, which is followed from top to bottom.
    pub(crate) fn is_followed(&self) -> bool {
        let mut commands = self.blocks.iter().filter(|block| block.is_console());
        commands.next().is_some_and(|block| block.text.starts_with("$ cargo new "))
    }

    /// Names and code of its stories.
    pub(crate) fn stories(&self) -> impl Iterator<Item = (&str, &str)> {
        self.blocks.iter().filter_map(|block| Some((block.marked("story")?, block.text.as_str())))
    }

    /// All problems, including untested blocks without a reason.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let complaint = |block: &Block| {
            let why = block.complaint(&self.name)?;
            Some(format!("{}:{}: {why}", self.name, block.line))
        };
        let blocks = self.blocks.iter().filter_map(complaint);
        self.broken.iter().cloned().chain(blocks).collect()
    }

    /// The page with other text in its blocks of commands.
    pub(crate) fn with_consoles<E>(
        &self,
        mut print: impl FnMut(&Block) -> Result<String, E>,
    ) -> Result<String, E> {
        let mut updated = String::new();
        let mut from = 0;
        for block in &self.blocks {
            let text = print(block)?;
            updated += &self.text[from..block.range.start];
            updated += &text;
            from = block.range.end;
        }
        Ok(updated + &self.text[from..])
    }

    /// The first difference between the page and the expected text.
    pub(crate) fn difference(&self, updated: &str) -> String {
        let mut lines = self.text.lines().zip(updated.lines()).zip(1..);
        let differing = lines.find(|((shown, printed), _)| shown != printed);
        let name = &self.name;
        let Some(((shown, printed), line)) = differing else {
            return format!("{name} is shorter or longer than it should be:\n{updated}");
        };
        let following: Vec<&str> = updated.lines().skip(line).take(20).collect();
        format!(
            "{name}:{line} says\n  {shown}\nwhere it should say\n  {printed}\n\
             and then\n  {}\nUPDATE_EXPECT=1 writes that",
            following.join("\n  ")
        )
    }
}

const NOT_SEEN: &str = "a fence that is not at the beginning of its line is not seen by tests";

fn is_mark(line: &str) -> bool {
    line.starts_with("<!-- ")
}

/// Both sides of `<!-- story: shorten -->`.
fn mark(line: &str) -> Option<(String, String)> {
    let inside = line.trim_end().strip_prefix("<!-- ")?.strip_suffix("-->")?;
    let (key, value) = inside.split_once(':')?;
    Some((key.to_owned(), value.trim().to_owned()))
}

impl Block {
    pub(crate) fn is_console(&self) -> bool {
        self.language == "console" && self.mark.is_none()
    }

    /// The argument of a comment with this keyword.
    pub(crate) fn marked(&self, sort: &str) -> Option<&str> {
        self.mark.as_ref().filter(|(key, _)| key == sort).map(|(_, value)| value.as_str())
    }

    /// Commands, each with its shown output.
    pub(crate) fn exchanges(&self) -> Vec<(&str, &str)> {
        let parts = self.text.strip_prefix("$ ").unwrap_or_default().split("\n$ ");
        parts
            .map(|part| part.trim_end().split_once('\n').unwrap_or((part.trim_end(), "")))
            .collect()
    }

    /// The first line that a file does not have. Indentation does not count.
    fn line_missing_in(&self, code: &str) -> Option<&str> {
        let known: HashSet<&str> = code.lines().map(str::trim).collect();
        self.text.lines().map(str::trim).find(|line| !known.contains(line))
    }

    fn complaint(&self, page: &str) -> Option<String> {
        match self.mark.as_ref().map(|(key, value)| (key.as_str(), value.as_str())) {
            Some(("untested", "")) => Some("`untested` wants a reason".to_owned()),
            Some(("story", _)) if self.language != "rust" => Some("a story is Rust".to_owned()),
            Some(("untested" | "story" | "file", _)) => None,
            Some(("part of", file)) => match std::fs::read_to_string(root().join(file)) {
                Err(_) => Some(format!("there is no {file}")),
                Ok(code) => {
                    self.line_missing_in(&code).map(|line| format!("{file} lacks `{line}`"))
                }
            },
            Some(("tested by", file)) => match std::fs::read_to_string(root().join(file)) {
                Err(_) => Some(format!("there is no {file}")),
                Ok(code) if !code.contains(page) => Some(format!("{file} does not name {page}")),
                Ok(_) => None,
            },
            Some((other, _)) => Some(format!("`{other}` is no comment that tests know")),
            None if self.language != "console" => {
                let language =
                    if self.language.is_empty() { "no language" } else { &self.language };
                Some(format!("a block of {language} {ADVICE}"))
            }
            None if !self.text.starts_with("$ ") => {
                Some("a block of console begins with `$ ` and a command".to_owned())
            }
            None => None,
        }
    }
}

const ADVICE: &str = "is not tested; put `<!-- story: .. -->` or another comment before it \
                      (see tests/documents/main.rs)";
