//! Follows a tape, also one that was edited and no longer fits.
//!
//! Replay goes by the tree and not by position. A span is matched with the recorded span in
//! its place; where the generator draws less in it than was recorded, the rest is passed
//! over, and where it draws more, the fallback supplies it. So an edit that changes how much
//! one part draws leaves its neighbors as they were: the misalignment ends with the span.
//! A number that no longer fits is moved to the nearest one that does.

use super::{Driver, Random, Request};
use crate::{Choice, Label, Tape, Token};

/// Where choices come from that the tape does not have.
#[derive(Debug)]
pub enum Fallback {
    /// Always the simplest: for shrinking, and for tapes given by hand.
    Simplest,
    /// Drawn: for mutation and search.
    Random(Box<Random>),
}

/// Supplies the choices of a tape.
#[derive(Debug)]
pub struct Replay {
    tokens: Vec<Token>,
    /// For each opening bracket the place of its closing one.
    closes: Vec<u32>,
    cursor: usize,
    open: Vec<Record>,
    /// The next span is another try at what a filter rejected.
    again: bool,
    fallback: Fallback,
    missed: usize,
}

/// What the tape has for an open span.
#[derive(Clone, Copy, Debug)]
enum Record {
    /// Tokens up to this one.
    Until(u32),
    /// No span of its own: its choices are those of the span around it.
    Around,
    /// Nothing: it is drawn anew.
    Nothing,
}

/// How many recorded spans to look past for one with the right label.
const LOOKAHEAD: usize = 8;

impl Replay {
    /// A driver that follows `tape`.
    #[must_use]
    pub fn new(tape: &Tape, fallback: Fallback) -> Replay {
        Replay::of(tape.clone(), fallback)
    }

    /// The same without a copy of the tape.
    #[must_use]
    pub fn of(tape: Tape, fallback: Fallback) -> Replay {
        let tokens = tape.into_tokens();
        let mut closes = vec![0; tokens.len()];
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Open(_) => open.push(at),
                Token::Close => {
                    if let Some(start) = open.pop() {
                        closes[start] = at as u32;
                    }
                }
                Token::Choice(_) => {}
            }
        }
        Replay { tokens, closes, cursor: 0, open: Vec::new(), again: false, fallback, missed: 0 }
    }

    /// How many choices the tape did not have.
    #[must_use]
    pub fn missed(&self) -> usize {
        self.missed
    }

    /// Gives back the random driver it fell back to.
    #[must_use]
    pub fn into_fallback(self) -> Fallback {
        self.fallback
    }

    /// The next recorded choice that belongs to the open span.
    fn next_choice(&mut self) -> Option<Choice> {
        let end = self.record_end();
        while self.cursor < end {
            let token = self.tokens[self.cursor];
            self.cursor += 1;
            if let Token::Choice(choice) = token {
                return Some(choice);
            }
        }
        None
    }

    /// Where the record of the innermost span ends.
    fn record_end(&self) -> usize {
        for record in self.open.iter().rev() {
            match record {
                Record::Until(end) => return *end as usize,
                Record::Nothing => return 0,
                Record::Around => {}
            }
        }
        self.tokens.len()
    }

    /// The recorded span to enter for a span of this label: the next one, or one with the
    /// same label a little further on.
    fn matching_span(&self, label: Label, end: usize) -> Option<usize> {
        let is_open = |at: usize| at < end && matches!(self.tokens[at], Token::Open(_));
        if !is_open(self.cursor) {
            return None;
        }
        let mut at = self.cursor;
        for _ in 0..LOOKAHEAD {
            if !is_open(at) {
                break;
            }
            if self.tokens[at] == Token::Open(label) {
                return Some(at);
            }
            at = self.closes[at] as usize + 1;
        }
        Some(self.cursor)
    }
}

impl Driver for Replay {
    fn choose(&mut self, request: &Request<'_>, so_far: &[Token]) -> i128 {
        let domain = &request.domain;
        match self.next_choice() {
            Some(choice) if domain.contains(choice.number) => choice.number,
            Some(choice) if choice.domain.kind == domain.kind => {
                choice.number.clamp(domain.min, domain.max)
            }
            _ => {
                self.missed += 1;
                match &mut self.fallback {
                    Fallback::Simplest => domain.origin,
                    Fallback::Random(random) => random.choose(request, so_far),
                }
            }
        }
    }

    fn open(&mut self, label: Label, so_far: &[Token]) {
        let record = if std::mem::take(&mut self.again) {
            Record::Nothing
        } else if let Some(at) = self.matching_span(label, self.record_end()) {
            self.cursor = at + 1;
            Record::Until(self.closes[at])
        } else {
            Record::Around
        };
        self.open.push(record);
        if let Fallback::Random(random) = &mut self.fallback {
            random.open(label, so_far);
        }
    }

    fn close(&mut self, so_far: &[Token]) {
        if let Some(Record::Until(end)) = self.open.pop() {
            self.cursor = end as usize + 1;
        }
        if let Fallback::Random(random) = &mut self.fallback {
            random.close(so_far);
        }
    }

    fn rewind(&mut self, kept: usize) {
        self.again = true;
        if let Fallback::Random(random) = &mut self.fallback {
            random.rewind(kept);
        }
    }

    fn can_retry(&self) -> bool {
        matches!(self.fallback, Fallback::Random(_))
    }
}
