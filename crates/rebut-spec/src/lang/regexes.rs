//! Regular expressions: from strings, with named ones substituted, and built from others.

use super::interpret::Interpreter;
use super::item::Item;
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::ir::Pattern;
use std::sync::Arc;

impl Interpreter<'_> {
    /// Converts an item to a regular expression; a string is parsed as one.
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
                        format!("expected a regular expression, found {}", other.kind()),
                        "write #rx\"[a-z]+\" or (re-union r1 r2)",
                    );
                    None
                }
            },
        }
    }

    /// Parses a regular expression. `$name` is replaced by a declared one. `literal` is true if the
    /// span is that of the literal in the file, so that errors can point into it.
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
                // Positions can be mapped to the file only if the literal has no escapes.
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

    /// Replaces `$name` by declared regular expressions. In a character class, `$` is literal.
    fn interpolate(&mut self, text: &str, span: Span) -> Option<String> {
        let mut full = String::with_capacity(text.len());
        let mut classes = ClassTracker::default();
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            rest = &rest[next.len_utf8()..];
            let is_outside = classes.is_outside();
            classes.read(next);
            if next != '$' || !is_outside {
                full.push(next);
                continue;
            }
            let word: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
                .collect();
            if word.is_empty() || word.starts_with('-') {
                full.push(next);
                continue;
            }
            let name = self.longest_name(&word, span)?;
            rest = &rest[name.len()..];
            let item = self.world.names.get(&*name).cloned()?;
            let pattern = self.pattern(&item, span)?;
            full.push_str(&pattern.as_part());
        }
        Some(full)
    }

    /// Returns the longest declared name that a word starts with.
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
        self.error(span, format!("unknown regular expression `{word}`"), &help);
        None
    }

    /// Parses a pattern that was composed of other patterns.
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

/// Tracks whether the next character of a regular expression is escaped or in a character class.
#[derive(Clone, Copy, Debug, Default)]
struct ClassTracker {
    is_escaped: bool,
    depth: usize,
    /// Whether the last character was `[` or `[^`, after which `]` is literal.
    is_first: bool,
}

impl ClassTracker {
    fn is_outside(self) -> bool {
        self.depth == 0 && !self.is_escaped
    }

    fn read(&mut self, next: char) {
        if std::mem::take(&mut self.is_escaped) {
            self.is_first = false;
            return;
        }
        let was_first = std::mem::take(&mut self.is_first);
        match next {
            '\\' => self.is_escaped = true,
            '[' => {
                self.depth += 1;
                self.is_first = true;
            }
            '^' if was_first => self.is_first = true,
            ']' if was_first => {}
            ']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Program, generate, output};

    #[test]
    fn a_dollar_in_a_class_or_after_a_backslash_is_literal() {
        let text = r#"
            (declare w #rx"[a-c]")
            (declare s #rx"[]$_][$w]$w\\$_[^]$a-z]$")
            (declare t ?s)
            (generate g 2 (constrain-solutions t not-equal))
        "#;
        let program = Program::parse("dollars.rebut", text);
        assert_eq!(program.diagnostics, []);
        let environment = &program.environments[0];
        let outcome = generate(environment, &Options::default()).expect("models");
        for model in &outcome.models {
            let json = output::json(environment, model);
            let text: Vec<char> = json["t"].as_str().expect("a text").chars().collect();
            assert!("]$_".contains(text[0]) && "$w".contains(text[1]), "{text:?}");
            assert!("abc".contains(text[2]) && text[3..5] == ['$', '_'], "{text:?}");
        }
    }
}
