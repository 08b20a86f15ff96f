//! How paths end, judged from panics and the sources that they come from.

use crate::package::notes::Panic;
use crate::plan::Plan;
use std::collections::HashMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use syn::spanned::Spanned as _;
use syn::{ImplItem, Item, TraitItem};

/// How a path ends, as the author of the test would see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum PathEnd {
    /// The test passes.
    Passes,
    /// An assertion of the test fails.
    Assertion,
    /// The code under test rejects the input: with its own panic, or one that it documents.
    Refuses,
    /// A bug of the code under test: an overflow, an index, a division, an `unwrap`.
    Mistake,
    /// Undecided: exploration gave up, or the native run ends differently.
    Unknown,
}

/// The files that panics come from, read on first use.
#[derive(Debug, Default)]
pub(crate) struct PanicSources {
    files: HashMap<String, SourceFile>,
}

#[derive(Debug, Default)]
struct SourceFile {
    lines: Vec<String>,
    /// The lines of functions that document when they panic.
    documented: Vec<RangeInclusive<usize>>,
}

impl PanicSources {
    /// Returns the end of a path with this panic. The test is in `file` of the workspace `root`;
    /// `text` is the text of the file.
    pub(crate) fn end_of(
        &mut self,
        root: &Path,
        file: &Path,
        text: &str,
        plan: &Plan,
        panic: &Panic,
    ) -> PathEnd {
        let own = Path::new(&panic.file) == file || root.join(file) == Path::new(&panic.file);
        if panic.file.is_empty() || (own && plan.unit_test.has_line(text, panic.line)) {
            return PathEnd::Assertion;
        }
        let source = self
            .files
            .entry(panic.file.clone())
            .or_insert_with(|| SourceFile::read(&root.join(&panic.file)));
        let line = source.lines.get(panic.line.wrapping_sub(1)).map_or("", |line| line.trim());
        if source.documented.iter().any(|lines| lines.contains(&panic.line)) {
            PathEnd::Refuses
        } else if is_mistake(&panic.message) || line.starts_with("debug_assert") {
            PathEnd::Mistake
        } else {
            PathEnd::Refuses
        }
    }
}

/// Whether a message is one of those with which the standard library reports a bug. It has no
/// other mark.
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
    let message = message.trim_start();
    BEGINNINGS.iter().any(|begin| message.starts_with(begin))
}

impl SourceFile {
    fn read(path: &Path) -> SourceFile {
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut documented = DocumentedPanics::default();
        if let Ok(file) = syn::parse_file(&text) {
            documented.add_items(&file.items);
        }
        SourceFile {
            lines: text.lines().map(str::to_owned).collect(),
            documented: documented.lines,
        }
    }
}

/// Finds functions whose documentation has a section on panics.
#[derive(Default)]
struct DocumentedPanics {
    lines: Vec<RangeInclusive<usize>>,
}

impl DocumentedPanics {
    fn add_items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Fn(function) => self.add_function(&function.attrs, &function.block),
                Item::Mod(module) => {
                    module.content.iter().for_each(|(_, items)| self.add_items(items));
                }
                Item::Impl(block) => block.items.iter().for_each(|item| {
                    if let ImplItem::Fn(function) = item {
                        self.add_function(&function.attrs, &function.block);
                    }
                }),
                Item::Trait(block) => block.items.iter().for_each(|item| {
                    if let TraitItem::Fn(function) = item
                        && let Some(block) = &function.default
                    {
                        self.add_function(&function.attrs, block);
                    }
                }),
                _ => {}
            }
        }
    }

    fn add_function(&mut self, attributes: &[syn::Attribute], block: &syn::Block) {
        let has_section = attributes.iter().any(|attribute| match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                    text.value().trim().trim_start_matches('#').trim() == "Panics"
                }
                _ => false,
            },
            _ => false,
        });
        if has_section {
            let span = block.span();
            self.lines.push(span.start().line..=span.end().line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_differ_from_rejections() {
        assert!(is_mistake("attempt to divide by zero"));
        assert!(is_mistake("index out of bounds: the len is 1 but the index is 1"));
        assert!(is_mistake("called `Option::unwrap()` on a `None` value"));
        assert!(!is_mistake("the capacity must not be negative"));
        assert!(!is_mistake("assertion failed: amount > 0"));
    }
}
