//! Regular expressions: from texts, with named ones put in, and built of others.

use super::interpret::Interpreter;
use super::item::Item;
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::ir::Pattern;
use std::sync::Arc;

impl Interpreter<'_> {
    /// An item as a regular expression; a text is read as one.
    pub(crate) fn pattern(&mut self, item: &Item, span: Span) -> Option<Arc<Pattern>> {
        match item {
            Item::Poison => None,
            Item::Pattern(pattern) => Some(pattern.clone()),
            Item::Symbol(name) => Pattern::parse(&regex_syntax::escape(name)).ok().map(Arc::new),
            other => match other.known_str() {
                Some(text) => self.pattern_from_text(text, span, false),
                None => {
                    self.error(
                        span,
                        format!("this is {}, and no regular expression", other.kind()),
                        "write #rx\"[a-z]+\" or (re-union r1 r2)",
                    );
                    None
                }
            },
        }
    }

    /// Reads a regular expression. `$name` stands for one that was declared.
    pub(crate) fn pattern_from_text(
        &mut self,
        text: &str,
        span: Span,
        literal: bool,
    ) -> Option<Arc<Pattern>> {
        let full = self.interpolate(text, span)?;
        match Pattern::parse(&full) {
            Ok(pattern) => Some(Arc::new(pattern)),
            Err(error) => {
                // Where the pattern stands in the file as it is, the place within it is known.
                let plain = literal && full == text && !text.contains('\\');
                let quotes = (span.end - span.start) as usize
                    - text.len().min((span.end - span.start) as usize);
                let span = match quotes {
                    // `#rx".."`, or `".."` in JSON.
                    5 | 2 if plain => {
                        let start = span.start as usize + quotes - 1;
                        let end = error.range.1.max(error.range.0 + 1).min(text.len() + 1);
                        Span::new(span.file, start + error.range.0.min(text.len()), start + end)
                    }
                    _ => span,
                };
                let message = format!("this regular expression is wrong: {}", error.message);
                let help = error
                    .help
                    .or_else(|| (full != text || !literal).then(|| format!("it reads {full}")));
                self.report(Diagnostic::error(span, message).maybe_help(help));
                None
            }
        }
    }

    fn interpolate(&mut self, text: &str, span: Span) -> Option<String> {
        let mut full = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let escaped = rest[..at].chars().rev().take_while(|c| *c == '\\').count() % 2 == 1;
            full.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let word: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
                .collect();
            if escaped || word.is_empty() || word.starts_with('-') {
                full.push('$');
                continue;
            }
            let name = self.longest_name(&word, span)?;
            rest = &rest[name.len()..];
            let item = self.world.names.get(&*name).cloned()?;
            let pattern = self.pattern(&item, span)?;
            full.push_str(&pattern.as_part());
        }
        full.push_str(rest);
        Some(full)
    }

    /// The longest declared name that a word starts with.
    fn longest_name(&mut self, word: &str, span: Span) -> Option<Arc<str>> {
        let known = || self.world.names.keys().filter(|name| word.starts_with(&***name));
        if let Some(name) = known().max_by_key(|name| name.len()) {
            return Some(name.clone());
        }
        let names: Vec<Arc<str>> = self.world.declared.clone();
        let help = match nearest(word, names.iter().map(|name| &**name)) {
            Some(near) => format!("did you mean `${near}`?"),
            None => "declare it first, or write `\\$` for the character".to_owned(),
        };
        self.error(span, format!("there is no regular expression `{word}` to put in"), &help);
        None
    }

    /// A pattern made of the text of others.
    pub(crate) fn pattern_of_parts(&mut self, source: &str, span: Span) -> Item {
        match Pattern::parse(source) {
            Ok(pattern) => Item::Pattern(Arc::new(pattern)),
            Err(error) => self.error(
                span,
                format!("this regular expression is wrong: {}", error.message),
                &format!("it reads {source}"),
            ),
        }
    }
}
