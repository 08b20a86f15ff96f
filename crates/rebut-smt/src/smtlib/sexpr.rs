//! S-expressions in the syntax of SMT-LIB.

/// A parsed expression, and the byte offset of its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sexpr {
    pub(super) at: usize,
    pub(super) kind: SexprKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SexprKind {
    /// A symbol, number or keyword, without bars.
    Atom(String),
    /// A string literal. Escapes of characters are still in it.
    Text(String),
    List(Vec<Sexpr>),
}

/// A syntax error, and its byte offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Malformed {
    pub(super) at: usize,
    pub(super) what: &'static str,
}

/// The nesting depth of lists. Arbitrary: readers recurse, so it bounds their stack. A deeper list
/// is a syntax error.
pub(super) const DEPTH_MAX: usize = 256;

impl Sexpr {
    pub(super) fn atom(&self) -> Option<&str> {
        match &self.kind {
            SexprKind::Atom(atom) => Some(atom),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Sexpr]> {
        match &self.kind {
            SexprKind::List(items) => Some(items),
            _ => None,
        }
    }
}

/// Parses all expressions of `text`.
pub(super) fn parse(text: &str) -> Result<Vec<Sexpr>, Malformed> {
    let mut open: Vec<(usize, Vec<Sexpr>)> = Vec::new();
    let mut done = Vec::new();
    let mut scanner = Scanner { text, at: 0 };
    while let Some((at, token)) = scanner.next()? {
        let kind = match token {
            Token::Open if open.len() >= DEPTH_MAX => {
                return Err(Malformed { at, what: "this nests too deep" });
            }
            Token::Open => {
                open.push((at, Vec::new()));
                continue;
            }
            Token::Close => match open.pop() {
                Some((begin, items)) => {
                    let list = Sexpr { at: begin, kind: SexprKind::List(items) };
                    open.last_mut().map_or(&mut done, |(_, items)| items).push(list);
                    continue;
                }
                None => return Err(Malformed { at, what: "this `)` closes nothing" }),
            },
            Token::Atom(atom) => SexprKind::Atom(atom),
            Token::Text(text) => SexprKind::Text(text),
        };
        open.last_mut().map_or(&mut done, |(_, items)| items).push(Sexpr { at, kind });
    }
    match open.pop() {
        Some((at, _)) => Err(Malformed { at, what: "this `(` is never closed" }),
        None => Ok(done),
    }
}

enum Token {
    Open,
    Close,
    Atom(String),
    Text(String),
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn next(&mut self) -> Result<Option<(usize, Token)>, Malformed> {
        self.skip_blanks();
        let at = self.at;
        let rest = &self.text[at..];
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let token = match first {
            '(' | ')' => {
                self.at += 1;
                if first == '(' { Token::Open } else { Token::Close }
            }
            '"' => Token::Text(self.string_literal()?),
            '|' => {
                let Some(length) = rest[1..].find('|') else {
                    return Err(Malformed { at, what: "this `|` is never closed" });
                };
                self.at += length + 2;
                Token::Atom(rest[1..=length].to_owned())
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "()\"|;".contains(c);
                let length = rest.find(ends).unwrap_or(rest.len());
                self.at += length;
                Token::Atom(rest[..length].to_owned())
            }
        };
        Ok(Some((at, token)))
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            if !self.text[self.at..].starts_with(';') {
                return;
            }
            let rest = &self.text[self.at..];
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Scans a string literal. A quote inside of it is doubled.
    fn string_literal(&mut self) -> Result<String, Malformed> {
        let begin = self.at;
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let Some(length) = rest.find('"') else {
                return Err(Malformed { at: begin, what: "this `\"` is never closed" });
            };
            text.push_str(&rest[..length]);
            self.at += length + 1;
            if !self.text[self.at..].starts_with('"') {
                return Ok(text);
            }
            text.push('"');
            self.at += 1;
        }
    }
}

/// Detects the end of an expression in a stream of bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Boundary {
    depth: usize,
    state: State,
}

/// The token that a byte is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Blank,
    Atom,
    Text,
    Bars,
    Comment,
}

impl Boundary {
    /// Whether an expression ends at this byte. A top-level atom ends at the whitespace after it.
    pub(super) fn ends_at(&mut self, byte: u8) -> bool {
        match (self.state, byte) {
            (State::Text, b'"') | (State::Bars, b'|') => self.state = State::Atom,
            (State::Text | State::Bars, _) => {}
            (State::Comment, b'\n') => self.state = State::Blank,
            (State::Comment, _) => {}
            (_, b'"') => self.state = State::Text,
            (_, b'|') => self.state = State::Bars,
            (_, b';') => self.state = State::Comment,
            (_, b'(') => {
                self.depth += 1;
                self.state = State::Blank;
            }
            (_, b')') => {
                self.depth = self.depth.saturating_sub(1);
                self.state = State::Blank;
                return self.depth == 0;
            }
            (State::Atom, byte) if byte.is_ascii_whitespace() => {
                self.state = State::Blank;
                return self.depth == 0;
            }
            (State::Blank, byte) if byte.is_ascii_whitespace() => {}
            _ => self.state = State::Atom,
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits a stream into expressions.
    fn split(stream: &str) -> Vec<&str> {
        let mut boundary = Boundary::default();
        let mut start = 0;
        let mut parts = Vec::new();
        for (at, byte) in stream.bytes().enumerate() {
            if boundary.ends_at(byte) {
                parts.push(stream[start..=at].trim());
                start = at + 1;
            }
        }
        parts
    }

    #[test]
    fn boundaries_ignore_parentheses_in_strings_symbols_and_comments() {
        assert_eq!(split("sat\n((x 3))\nunsat"), ["sat", "((x 3))"]);
        assert_eq!(split("(a \")\" |)| b) "), ["(a \")\" |)| b)"]);
        assert_eq!(split("(a ; )\n b)"), ["(a ; )\n b)"]);
    }

    #[test]
    fn doubled_quotes_and_bars_are_read() {
        let items = parse("(\"a\"\"b\" |c d| e)").expect("one list");
        let Some([string, symbol, atom]) = items[0].list() else { panic!("three items") };
        assert_eq!(string.kind, SexprKind::Text("a\"b".to_owned()));
        assert_eq!((symbol.atom(), atom.atom()), (Some("c d"), Some("e")));
        assert_eq!(atom.at, 14);
    }
}
