//! Reads code as the user wrote it.
//!
//! Tokens have no comments and spaces. So this module reads the code between two tokens from their
//! file. It uses the code only if it has the same tokens, which is not the case inside a
//! `macro_rules!`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use proc_macro2::{Group, Span, TokenStream};

use crate::lexer;

/// Returns the tokens as written, or as they print if the source is not available.
pub(crate) fn text(tokens: &TokenStream) -> String {
    exact(tokens).unwrap_or_else(|| tokens.to_string())
}

/// Like [`text`], for a type or a pattern.
pub(crate) fn type_text(tokens: &TokenStream) -> String {
    exact(tokens).unwrap_or_else(|| tidy(&tokens.to_string()))
}

/// Returns the code between the braces of a block.
pub(crate) fn inside(group: &Group) -> String {
    let written = group.span().source_text().filter(|_| proc_macro::is_available());
    let inside = written.as_deref().and_then(|text| text.strip_prefix('{')?.strip_suffix('}'));
    match inside {
        Some(inside) if has_tokens(inside, &group.stream()) => inside.to_owned(),
        _ => text(&group.stream()),
    }
}

fn exact(tokens: &TokenStream) -> Option<String> {
    let mut trees = tokens.clone().into_iter();
    let first = trees.next()?;
    let last = trees.last().unwrap_or_else(|| first.clone());
    between(first.span(), last.span()).filter(|text| has_tokens(text, tokens))
}

/// Returns the file of a token, if it is on this machine.
pub(crate) fn file_of(span: Span) -> Option<PathBuf> {
    if !proc_macro::is_available() {
        return None;
    }
    span.unwrap().local_file()
}

/// Returns the contents of the file of a token, and the offset of the token.
pub(crate) fn position(span: Span) -> Option<(Rc<str>, usize)> {
    let file = read(&file_of(span)?)?;
    let start = span.unwrap().start();
    let at = offset(&file, start.line(), start.column())?;
    Some((file, at))
}

fn between(first: Span, last: Span) -> Option<String> {
    let file = read(&file_of(first)?)?;
    let (start, end) = (first.unwrap().start(), last.unwrap().end());
    let from = offset(&file, start.line(), start.column())?;
    let to = offset(&file, end.line(), end.column())?;
    file.get(from..to).map(str::to_owned)
}

/// Returns the byte offset of a line and column, both counted from 1.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let within = text[start..].char_indices().nth(column.checked_sub(1)?);
    Some(within.map_or(text.len(), |(within, _)| start + within))
}

fn has_tokens(text: &str, tokens: &TokenStream) -> bool {
    let printed = tokens.to_string();
    let squeeze = |text: &str| {
        let pieces = lexer::pieces(text);
        pieces.iter().map(|piece| piece.text).filter(|text| *text != ",").collect::<String>()
    };
    // Doc comments in a body are attributes as tokens. Comparing them is not worth the effort.
    printed.contains("doc =") || squeeze(text) == squeeze(&printed)
}

/// Removes the spaces between printed tokens where that cannot change the meaning of a type or a
/// pattern.
fn tidy(printed: &str) -> String {
    if printed.contains(['"', '{']) {
        return printed.to_owned();
    }
    // The compiler breaks long lines between any two tokens.
    let words: Vec<&str> = printed.split_whitespace().collect();
    let mut text = words.join(" ").replace(" :: ", "::").replace(" < ", "<").replace(" >", ">");
    for (spaced, tight) in [("& ", "&"), (" ,", ","), (" ;", ";"), ("( ", "("), (" )", ")")] {
        text = text.replace(spaced, tight);
    }
    text.replace("-> ", "->").replace("->", "-> ").replace("- >", "->")
}

/// Returns the contents of a file, cached until it changes, because every test in a file reads it.
pub(crate) fn read(path: &Path) -> Option<Rc<str>> {
    thread_local! {
        static FILES: RefCell<HashMap<PathBuf, (SystemTime, Rc<str>)>> = RefCell::default();
    }
    let changed = fs::metadata(path).and_then(|metadata| metadata.modified()).ok()?;
    FILES.with_borrow_mut(|files| {
        if let Some((seen, text)) = files.get(path)
            && *seen == changed
        {
            return Some(Rc::clone(text));
        }
        let text: Rc<str> = fs::read_to_string(path).ok()?.into();
        files.insert(path.to_owned(), (changed, Rc::clone(&text)));
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_types_without_stray_spaces() {
        let tokens: TokenStream =
            "& [ Vec < ( u8 , Option < a :: B > ) > ]".parse().expect("tokens");
        assert_eq!(type_text(&tokens), "&[Vec<(u8, Option<a::B>)>]");
        let broken = "Result < u8, std\n:: ops ::\n    Bound < & 'a\nu8 > >";
        assert_eq!(tidy(broken), "Result<u8, std::ops::Bound<&'a u8>>");
    }

    #[test]
    fn counts_columns_in_characters() {
        let file = "é = 1;\nüü x";
        assert_eq!(offset(file, 1, 5).map(|at| &file[at..at + 1]), Some("1"));
        assert_eq!(offset(file, 2, 4).map(|at| &file[at..]), Some("x"));
        assert_eq!(offset(file, 2, 5), Some(file.len()));
    }
}
