//! How paths end: in a way that the test should expect, or by a mistake of the code under test.

use super::plan::Plan;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use syn::spanned::Spanned as _;
use syn::{ImplItem, Item, TraitItem};

/// What the end of a path says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum End {
    /// The test passes.
    Passes,
    /// The test says something else than what happens.
    Assertion,
    /// The code under test refuses the input: it says so, or its documentation does.
    Refuses,
    /// A mistake of the code under test: an overflow, an index, a division, an `unwrap`.
    Mistake,
    /// It is not known: given up, or another end natively.
    Unknown,
}

impl End {
    /// For programs.
    pub(super) fn word(self) -> &'static str {
        match self {
            End::Passes => "passes",
            End::Assertion => "assertion",
            End::Refuses => "refuses",
            End::Mistake => "mistake",
            End::Unknown => "unknown",
        }
    }
}

/// A panic, as the program told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Panic {
    pub(super) message: String,
    pub(super) file: String,
    pub(super) line: usize,
}

/// The sources that panics come from.
#[derive(Debug, Default)]
pub(super) struct Sources {
    files: HashMap<String, Source>,
}

#[derive(Debug, Default)]
struct Source {
    lines: Vec<String>,
    /// The lines of functions that say when they panic.
    documented: Vec<std::ops::RangeInclusive<usize>>,
}

impl Sources {
    /// What a panic says, of a test in `file` (with `text`) of the workspace `root`.
    pub(super) fn end(
        &mut self,
        root: &Path,
        file: &Path,
        text: &str,
        plan: &Plan,
        panic: &Panic,
    ) -> End {
        let own = Path::new(&panic.file) == file || root.join(file) == Path::new(&panic.file);
        if panic.file.is_empty() || (own && plan.subject.has_line(text, panic.line)) {
            return End::Assertion;
        }
        let source = self
            .files
            .entry(panic.file.clone())
            .or_insert_with(|| Source::read(&root.join(&panic.file)));
        let line = source.lines.get(panic.line.wrapping_sub(1)).map_or("", |line| line.trim());
        if source.documented.iter().any(|lines| lines.contains(&panic.line)) {
            End::Refuses
        } else if is_mistake(&panic.message) || line.starts_with("debug_assert") {
            End::Mistake
        } else {
            End::Refuses
        }
    }
}

/// What the standard library says of mistakes.
fn is_mistake(message: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "attempt to ",
        "index out of bounds",
        "range start index",
        "range end index",
        "slice index starts at",
        "byte index",
        "start byte index",
        "end byte index",
        "begin <= end",
        "called `Option::unwrap()`",
        "called `Result::unwrap",
        "internal error: entered unreachable code",
        "not implemented",
        "not yet implemented",
        "already borrowed",
        "already mutably borrowed",
        "RefCell already",
        "source slice length",
        "copy_from_slice",
        "insertion index",
        "removal index",
        "swap_remove index",
        "`at` split index",
        "mid > len",
        "chunk size must be non-zero",
        "unreachable",
        "memory access out of bounds",
        "stack overflow",
        "unsafe precondition",
        "assertion failed: self.is_char_boundary",
        "assertion failed: mid <= self.len()",
    ];
    let said = message.trim_start();
    BEGINNINGS.iter().any(|begin| said.starts_with(begin))
}

impl Source {
    fn read(path: &Path) -> Source {
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut documented = Documented::default();
        if let Ok(file) = syn::parse_file(&text) {
            documented.take_all(&file.items);
        }
        Source { lines: text.lines().map(str::to_owned).collect(), documented: documented.lines }
    }
}

/// Finds functions whose documentation has a section on panics.
#[derive(Default)]
struct Documented {
    lines: Vec<std::ops::RangeInclusive<usize>>,
}

impl Documented {
    fn take_all(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Fn(function) => self.take(&function.attrs, &function.block),
                Item::Mod(module) => {
                    module.content.iter().for_each(|(_, items)| self.take_all(items));
                }
                Item::Impl(block) => block.items.iter().for_each(|item| {
                    if let ImplItem::Fn(function) = item {
                        self.take(&function.attrs, &function.block);
                    }
                }),
                Item::Trait(block) => block.items.iter().for_each(|item| {
                    if let TraitItem::Fn(function) = item
                        && let Some(block) = &function.default
                    {
                        self.take(&function.attrs, block);
                    }
                }),
                _ => {}
            }
        }
    }

    fn take(&mut self, attributes: &[syn::Attribute], block: &syn::Block) {
        let says = attributes.iter().any(|attribute| match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                    text.value().trim().trim_start_matches('#').trim() == "Panics"
                }
                _ => false,
            },
            _ => false,
        });
        if says {
            let span = block.span();
            self.lines.push(span.start().line..=span.end().line);
        }
    }
}

/// The panics of tests in what a program printed, by the names of the tests.
pub(super) fn panics(stderr: &str) -> HashMap<String, Panic> {
    let mut found = HashMap::new();
    let mut lines = stderr.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((_, rest)) = line.split_once("thread '") else { continue };
        let Some((name, rest)) = rest.split_once('\'') else { continue };
        let Some((_, place)) = rest.split_once("panicked at ") else { continue };
        let mut parts = place.trim_end_matches(':').rsplitn(3, ':');
        let (_, line_number, file) = (parts.next(), parts.next(), parts.next());
        let mut message = Vec::new();
        while let Some(next) = lines.peek() {
            if next.starts_with("note: run with") || next.starts_with("thread '") || next.is_empty()
            {
                break;
            }
            message.extend(lines.next());
        }
        let panic = Panic {
            message: message.join("\n"),
            file: file.unwrap_or_default().to_owned(),
            line: line_number.and_then(|line| line.parse().ok()).unwrap_or(0),
        };
        found.entry(name.to_owned()).or_insert(panic);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_read_with_their_places() {
        let stderr = "
thread 'tests::a' (12) panicked at src/lib.rs:10:5:
attempt to add with overflow
note: run with `RUST_BACKTRACE=1`

thread 'tests::b' panicked at src/a.rs:3:1:
assertion `left == right` failed
  left: 1
 right: 2
";
        let found = panics(stderr);
        let overflow = Panic {
            message: "attempt to add with overflow".to_owned(),
            file: "src/lib.rs".to_owned(),
            line: 10,
        };
        assert_eq!(found["tests::a"], overflow);
        assert_eq!(found["tests::b"].message.lines().count(), 3);
    }

    #[test]
    fn mistakes_are_told_from_refusals() {
        assert!(is_mistake("attempt to divide by zero"));
        assert!(is_mistake("index out of bounds: the len is 1 but the index is 1"));
        assert!(is_mistake("called `Option::unwrap()` on a `None` value"));
        assert!(!is_mistake("the capacity must not be negative"));
        assert!(!is_mistake("assertion failed: amount > 0"));
    }
}
