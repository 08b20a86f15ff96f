//! Follows a tape, even if it was edited and no longer fits.
//!
//! Replay aligns by the tree, not by position. It matches each span with the recorded span at the
//! same position. If the generator draws less in a span than was recorded, replay skips the rest;
//! if it draws more, the fallback supplies the missing choices. An edit that changes how much one
//! part draws therefore does not affect its neighbors: the misalignment ends with the span.
//! Replay moves a number that no longer fits to the nearest one that does.

use super::{Driver, Random, Request};
use crate::{Choice, Label, Tape, Token, internal_assert, internal_error};

/// The source of choices that are missing on the tape.
///
/// # Examples
/// ```
/// use rebut_choice::{AnyDriver, Fallback, Random, Replay, Source, Tape};
/// let tape = Tape::from_text("i7").unwrap();
/// let fallback = Fallback::Random(Box::new(Random::new(1)));
/// let mut source = Source::new(AnyDriver::Replay(Box::new(Replay::new(&tape, fallback))));
/// assert_eq!(source.integer(0, 9), 7);
/// assert!((0..=9).contains(&source.integer(0, 9)));
/// ```
#[derive(Debug)]
pub enum Fallback {
    /// The simplest choices, for shrinking and for tapes written by hand.
    Simplest,
    /// Random choices, for mutation and search.
    Random(Box<Random>),
}

/// Supplies the choices of a tape.
///
/// # Examples
/// ```
/// use rebut_choice::{AnyDriver, Fallback, Replay, Source, Tape};
/// let tape = Tape::from_text("i7 i8").unwrap();
/// let replay = Replay::new(&tape, Fallback::Simplest);
/// let mut source = Source::new(AnyDriver::Replay(Box::new(replay)));
/// assert_eq!((source.integer(0, 9), source.integer(0, 9)), (7, 8));
/// ```
#[derive(Debug)]
pub struct Replay {
    tokens: Vec<Token>,
    /// For each opening bracket, the index of its closing bracket.
    closes: Vec<u32>,
    cursor: usize,
    open: Vec<Record>,
    /// Whether the next span is another attempt after a filter rejected one.
    is_retry: bool,
    fallback: Fallback,
    missed: usize,
}

/// The recorded choices for an open span.
#[derive(Clone, Copy, Debug)]
enum Record {
    /// The tokens up to this index.
    Until(u32),
    /// The tape has no such span: its choices come from the enclosing span.
    Around,
    /// None: the fallback supplies all of its choices.
    Nothing,
}

/// Looks at this many recorded spans to find one with the right label. If none has it, replay enters
/// the next span anyway. Arbitrary: 1, 4 and 16 change nothing in `bench shrink`.
const LOOKAHEAD: usize = 8;

impl Replay {
    /// Creates a driver that follows a copy of `tape`.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Fallback, Replay, Tape};
    /// let replay = Replay::new(&Tape::from_text("i7").unwrap(), Fallback::Simplest);
    /// assert_eq!(replay.missed(), 0);
    /// ```
    #[must_use]
    pub fn new(tape: &Tape, fallback: Fallback) -> Replay {
        Replay::from_owned(tape.clone(), fallback)
    }

    /// Like [`Replay::new`], but takes the tape instead of copying it.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Fallback, Replay, Source, Tape};
    /// let replay = Replay::from_owned(Tape::from_text("i7").unwrap(), Fallback::Simplest);
    /// assert_eq!(Source::new(AnyDriver::Replay(Box::new(replay))).integer(0, 9), 7);
    /// ```
    #[must_use]
    pub fn from_owned(tape: Tape, fallback: Fallback) -> Replay {
        let tokens = tape.into_tokens();
        let mut closes = vec![0; tokens.len()];
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Open(_) => open.push(at),
                Token::Close => match open.pop() {
                    Some(start) => closes[start] = at as u32,
                    None => internal_error!("token {at} of a tape closes a span that is not open"),
                },
                Token::Choice(_) => {}
            }
        }
        // Without its closing bracket, a span would end before it begins.
        internal_assert!(open.is_empty(), "a tape does not close the spans at {open:?}");
        Replay { tokens, closes, cursor: 0, open: Vec::new(), is_retry: false, fallback, missed: 0 }
    }

    /// Returns the number of choices that came from the fallback.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{AnyDriver, Fallback, Replay, Source, Tape};
    /// let replay = Replay::from_owned(Tape::default(), Fallback::Simplest);
    /// let mut source = Source::new(AnyDriver::Replay(Box::new(replay)));
    /// source.boolean();
    /// let AnyDriver::Replay(replay) = source.into_driver() else { panic!() };
    /// assert_eq!(replay.missed(), 1);
    /// ```
    #[must_use]
    pub fn missed(&self) -> usize {
        self.missed
    }

    /// Returns the fallback, for example to use its random driver again.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Fallback, Random, Replay, Tape};
    /// let fallback = Fallback::Random(Box::new(Random::new(1)));
    /// let replay = Replay::from_owned(Tape::default(), fallback);
    /// assert!(matches!(replay.into_fallback(), Fallback::Random(_)));
    /// ```
    #[must_use]
    pub fn into_fallback(self) -> Fallback {
        self.fallback
    }

    /// Returns the next recorded choice of the open span.
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

    /// Returns the index where the record of the innermost span ends.
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

    /// Returns the recorded span to enter for a span with this label: the next one, or one with
    /// the same label a little further on.
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
        let record = if std::mem::take(&mut self.is_retry) {
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
        self.is_retry = true;
        if let Fallback::Random(random) = &mut self.fallback {
            random.rewind(kept);
        }
    }

    fn can_retry(&self) -> bool {
        matches!(self.fallback, Fallback::Random(_))
    }
}
