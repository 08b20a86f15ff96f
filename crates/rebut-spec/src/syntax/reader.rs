//! Reads s-expressions, and continues after each error.
//!
//! `(..)` and `[..]` are lists. `;` starts a comment that ends with the line, `#;` skips the next
//! item, and `#| .. |#` is a comment that nests. `?` before a name or a list makes it a blank,
//! `'` makes it data.

use super::datum::{Datum, DatumKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::number::Real;

/// The depth of nested lists. Arbitrary; small enough that a recursive function does not exhaust
/// the stack. Deeper lists are an error, and the rest of the file is skipped.
const DEPTH_MAX: usize = 200;

/// Reads all items of a file. A syntax error is reported and becomes [`DatumKind::Broken`].
#[must_use]
pub fn read(file: u32, text: &str) -> (Vec<Datum>, Vec<Diagnostic>) {
    let mut reader = Reader { file, text, at: 0, depth: 0, diagnostics: Vec::new() };
    let mut items = Vec::new();
    loop {
        reader.skip_blanks();
        match reader.peek() {
            None => return (items, reader.diagnostics),
            Some(close @ (')' | ']')) => reader.stray(close),
            Some(_) => items.extend(reader.item()),
        }
    }
}

struct Reader<'a> {
    file: u32,
    text: &'a str,
    at: usize,
    depth: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn error(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.diagnostics.push(Diagnostic::error(span, message).help(help));
    }

    fn stray(&mut self, close: char) {
        let start = self.at;
        self.at += 1;
        let span = self.span_from(start);
        self.error(
            span,
            format!("`{close}` closes nothing"),
            "remove it, or open a list before it",
        );
    }

    fn skip_blanks(&mut self) {
        loop {
            let trimmed = self.rest().trim_start();
            self.at = self.text.len() - trimmed.len();
            if self.rest().starts_with(';') {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if self.rest().starts_with("#|") {
                self.skip_block_comment();
            } else if self.rest().starts_with("#;") && self.depth < DEPTH_MAX {
                self.at += 2;
                self.depth += 1;
                let _left_out = self.item();
                self.depth -= 1;
            } else {
                return;
            }
        }
    }

    fn skip_block_comment(&mut self) {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            if self.rest().starts_with("#|") {
                depth += 1;
                self.at += 2;
            } else if self.rest().starts_with("|#") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return;
                }
            } else if self.take().is_none() {
                let span = Span::new(self.file, start, start + 2);
                return self.error(span, "this comment never ends", "close it with `|#`");
            }
        }
    }

    /// Reads the next item. Returns `None` at the end of a list or of the file.
    fn item(&mut self) -> Option<Datum> {
        self.skip_blanks();
        let start = self.at;
        let kind = match self.peek()? {
            ')' | ']' => return None,
            '(' | '[' => self.list(),
            '"' => self.string().map_or(DatumKind::Broken, |text| DatumKind::Str(text.into())),
            '#' if self.rest().starts_with("#rx\"") || self.rest().starts_with("#px\"") => {
                self.at += 3;
                self.string().map_or(DatumKind::Broken, |text| DatumKind::Regex(text.into()))
            }
            '\'' => {
                self.at += 1;
                self.prefixed(start, "'", |datum| DatumKind::Quote(datum.into()))
            }
            '?' if self.starts_blank() => {
                self.at += 1;
                self.prefixed(start, "?", |datum| DatumKind::Blank(datum.into()))
            }
            _ => self.atom(),
        };
        Some(Datum { span: self.span_from(start), kind })
    }

    fn starts_blank(&self) -> bool {
        let next = self.rest()[1..].chars().next();
        next.is_some_and(|c| c == '(' || c == '[' || !is_delimiter(c))
    }

    fn prefixed(&mut self, start: usize, prefix: &str, wrap: fn(Datum) -> DatumKind) -> DatumKind {
        if self.depth >= DEPTH_MAX {
            self.at = self.text.len();
            return self.too_deep(start);
        }
        self.depth += 1;
        let inner = self.item();
        self.depth -= 1;
        match inner {
            Some(datum) => wrap(datum),
            None => {
                let span = Span::new(self.file, start, start + 1);
                self.error(
                    span,
                    format!("nothing follows `{prefix}`"),
                    "write a name or a list after it",
                );
                DatumKind::Broken
            }
        }
    }

    fn too_deep(&mut self, start: usize) -> DatumKind {
        let span = Span::new(self.file, start, start + 1);
        let message = format!("lists are nested more than {DEPTH_MAX} deep");
        self.error(span, message, "give the inner parts names with `define`");
        DatumKind::Broken
    }

    fn list(&mut self) -> DatumKind {
        let start = self.at;
        if self.depth >= DEPTH_MAX {
            self.at = self.text.len();
            return self.too_deep(start);
        }
        let open = self.take();
        let wanted = if open == Some('[') { ']' } else { ')' };
        self.depth += 1;
        let mut items = Vec::new();
        while let Some(item) = self.item() {
            items.push(item);
        }
        self.depth -= 1;
        self.close(start, wanted);
        DatumKind::List(items.into())
    }

    fn close(&mut self, start: usize, wanted: char) {
        let at = self.at;
        match self.take() {
            Some(close) if close == wanted => {}
            Some(close) => {
                let span = self.span_from(at);
                let message = format!("this list ends with `{close}` and not with `{wanted}`");
                self.error(span, message, &format!("write `{wanted}`"));
            }
            None => {
                let span = Span::new(self.file, start, start + 1);
                self.error(span, "this list never ends", &format!("close it with `{wanted}`"));
            }
        }
    }

    /// Reads a string from its opening quote on.
    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let at = self.at;
            match self.take() {
                Some('"') => return Some(text),
                Some('\\') => self.escape(at, &mut text),
                Some(other) => text.push(other),
                None => {
                    let end = start + 1;
                    let span = Span::new(self.file, start, end);
                    self.error(span, "this string never ends", "close it with `\"`");
                    // Most likely, the closing quote is missing on this line; read on after it.
                    self.at = self.text[end..].find('\n').map_or(self.text.len(), |n| end + n);
                    return None;
                }
            }
        }
    }

    fn escape(&mut self, start: usize, text: &mut String) {
        match self.take() {
            Some('"') => text.push('"'),
            Some('\\') => text.push('\\'),
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('u') => self.unicode_escape(start, text),
            Some(other) => text.extend(['\\', other]),
            None => {}
        }
    }

    fn unicode_escape(&mut self, start: usize, text: &mut String) {
        let braced = self.rest().starts_with('{');
        let digits: String = self.rest()[usize::from(braced)..]
            .chars()
            .take_while(char::is_ascii_hexdigit)
            .take(6)
            .collect();
        let digits = if braced { digits } else { digits.chars().take(4).collect() };
        self.at += digits.len() + usize::from(braced);
        let closed = !braced || self.rest().starts_with('}');
        self.at += usize::from(braced && closed);
        let number = u32::from_str_radix(&digits, 16).ok();
        match number.and_then(char::from_u32).filter(|_| closed) {
            Some(character) => text.push(character),
            None => {
                let span = self.span_from(start);
                self.error(
                    span,
                    "this is not a character",
                    "write it as `\\u00e4` or `\\u{1f600}`",
                );
            }
        }
    }

    fn atom(&mut self) -> DatumKind {
        let start = self.at;
        let length = self.rest().find(is_delimiter).unwrap_or(self.rest().len());
        // Take at least one character, even if it is a delimiter that starts nothing.
        let length = length.max(self.peek().map_or(0, char::len_utf8));
        self.at += length;
        let word = &self.text[start..self.at];
        match word {
            "#t" | "#true" | "true" => DatumKind::Bool(true),
            "#f" | "#false" | "false" => DatumKind::Bool(false),
            _ => self.number_or_symbol(start, word.to_owned()),
        }
    }

    fn number_or_symbol(&mut self, start: usize, word: String) -> DatumKind {
        let digits = word.strip_prefix(['-', '+']).unwrap_or(&word);
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return match word.parse() {
                Ok(number) => DatumKind::Int(number),
                Err(_) => self.number_too_large(start),
            };
        }
        let looks_like_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        match Real::parse(&word).filter(|_| looks_like_number) {
            Some(number) => DatumKind::Real(number),
            None if word.starts_with('#') => {
                let span = self.span_from(start);
                self.error(span, format!("unknown word `{word}`"), "expected #t, #f or #rx\"..\"");
                DatumKind::Broken
            }
            None => DatumKind::Symbol(word.into()),
        }
    }

    fn number_too_large(&mut self, start: usize) -> DatumKind {
        let span = self.span_from(start);
        self.error(span, "this number is too large", "numbers have at most 38 digits");
        DatumKind::Broken
    }
}

fn is_delimiter(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '"' | ';' | '\'')
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use std::fmt::Write;

    #[expect(clippy::needless_pass_by_value, reason = "reads better at the calls")]
    fn check(text: &str, expected: Expect) {
        let (items, diagnostics) = read(0, text);
        let mut shown = String::new();
        for item in items {
            let _ = writeln!(shown, "{item}");
        }
        for diagnostic in diagnostics {
            let Span { start, end, .. } = diagnostic.span;
            let _ = writeln!(shown, "{start}..{end}: {diagnostic}");
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn names_may_start_with_digits() {
        check(
            "(declare 12hr -1.5 12 1/3 ≠)",
            expect![[r#"
            (declare 12hr -1.5 12 1/3 ≠)
        "#]],
        );
    }

    #[test]
    fn escapes_of_regular_expressions_are_kept() {
        check(
            r#""[0-5]\d(\s)?" #rx"\\.""#,
            expect![[r#"
            "[0-5]\\d(\\s)?"
            #rx"\\."
        "#]],
        );
    }

    #[test]
    fn question_marks_and_quotes_are_prefixes() {
        check(
            "?Integer ?(Option Date) '(root (cat music)) (re-? x) ?",
            expect![[r#"
            ?Integer
            ?(Option Date)
            '(root (cat music))
            (re-? x)
            ?
        "#]],
        );
    }

    #[test]
    fn comments_are_skipped() {
        check(
            "; a\n(b #;(c d) e) #| f #| g |# |# h",
            expect![[r#"
            (b e)
            h
        "#]],
        );
    }

    #[test]
    fn every_error_is_reported() {
        check(
            "(a ] b) \"x\\u{zz}\" ) (c (d",
            expect![[r#"
            (a)
            b
            "xzz}"
            (c (d))
            3..4: this list ends with `]` and not with `)` (write `)`)
            6..7: `)` closes nothing (remove it, or open a list before it)
            10..13: this is not a character (write it as `\u00e4` or `\u{1f600}`)
            18..19: `)` closes nothing (remove it, or open a list before it)
            23..24: this list never ends (close it with `)`)
            20..21: this list never ends (close it with `)`)
        "#]],
        );
    }

    #[test]
    fn an_unclosed_string_ends_with_its_line() {
        check(
            "(a \"b\n(c)",
            expect![[r#"
            (a <broken> (c))
            3..4: this string never ends (close it with `"`)
            0..1: this list never ends (close it with `)`)
        "#]],
        );
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let (_, diagnostics) = read(0, &"(".repeat(100_000));
        assert!(diagnostics[0].message.contains("nested more than 200 deep"));
        let (_, diagnostics) = read(0, &"'".repeat(100_000));
        assert!(diagnostics[0].message.contains("nested more than 200 deep"));
    }
}
