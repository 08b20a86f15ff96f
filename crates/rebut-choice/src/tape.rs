//! The recorded choices of one case and the spans over them.
//!
//! A tape is a sequence of tokens: choices, and brackets around the choices of each span. To edit
//! the tree is therefore to splice the sequence. To delete a span is to drop its tokens; to hoist
//! one is to replace its parent's tokens with its own. Nothing else needs an update, because
//! replay reads only numbers and brackets and records everything else again.

mod secrets;
mod sequences;

pub use sequences::Sequence;

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::ops::Range;

use crate::{Choice, ChoiceKind, Domain, Label, Role, SpanShape, internal_assert};

/// An entry of a [`Tape`].
///
/// # Examples
/// ```
/// use rebut_choice::{Tape, Token};
/// let tape = Tape::from_text("(g1 i5 )").unwrap();
/// let [Token::Open(_), Token::Choice(choice), Token::Close] = tape.tokens() else { panic!() };
/// assert_eq!(choice.number, 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// The start of a span.
    Open(Label),
    /// The end of the innermost open span.
    Close,
    /// A choice.
    Choice(Choice),
}

/// A test case: the choices that were made and the spans they were made in.
///
/// # Examples
/// A tape replays to the same value, also after an edit:
/// ```
/// use rebut_choice::{Source, Tape};
/// let pair = |tape: &Tape| {
///     let mut source = Source::replay(tape);
///     (source.integer(0, 99), source.integer(0, 99))
/// };
/// assert_eq!(pair(&Tape::from_text("i7 i8").unwrap()), (7, 8));
/// assert_eq!(pair(&Tape::from_text("i7").unwrap()), (7, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tape {
    tokens: Vec<Token>,
}

/// A span of a tape, as returned by [`Tape::spans`].
///
/// # Examples
/// ```
/// use rebut_choice::Tape;
/// let tape = Tape::from_text("(g1 i5 (g2 i6 ) )").unwrap();
/// let spans = tape.spans();
/// assert_eq!(spans[1].tokens, 2..5);
/// assert_eq!(spans[1].parent, Some(0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The label of the span.
    pub label: Label,
    /// The range of its tokens, including both brackets.
    pub tokens: Range<usize>,
    /// The index of the enclosing span in the list of spans.
    pub parent: Option<usize>,
    /// The number of enclosing spans.
    pub depth: usize,
    /// The number of choices in it, at any depth.
    pub choices: usize,
}

impl Tape {
    /// Creates a tape from tokens. Adds missing closing brackets and drops unmatched ones.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Label, Tape, Token};
    /// let tape = Tape::new(vec![Token::Close, Token::Open(Label::ARGUMENT)]);
    /// assert_eq!(tape.tokens(), [Token::Open(Label::ARGUMENT), Token::Close]);
    /// ```
    #[must_use]
    pub fn new(tokens: Vec<Token>) -> Tape {
        let mut tape = Tape { tokens };
        tape.balance();
        tape
    }

    fn balance(&mut self) {
        let mut depth = 0usize;
        self.tokens.retain(|token| match token {
            Token::Open(_) => {
                depth += 1;
                true
            }
            Token::Close => {
                let matched = depth > 0;
                depth = depth.saturating_sub(1);
                matched
            }
            Token::Choice(_) => true,
        });
        self.tokens.extend(std::iter::repeat_n(Token::Close, depth));
    }

    /// Returns the tokens in order.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// assert_eq!(Tape::from_text("(g1 i5 )").unwrap().tokens().len(), 3);
    /// ```
    #[must_use]
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Returns the tokens for editing, without a copy.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// let mut tokens = Tape::from_text("i1 i2 i3").unwrap().into_tokens();
    /// tokens.remove(1);
    /// assert_eq!(Tape::new(tokens).to_text(), "i1 i3");
    /// ```
    #[must_use]
    pub fn into_tokens(self) -> Vec<Token> {
        self.tokens
    }

    /// Iterates over the choices in order, without the spans.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// let tape = Tape::from_text("(g1 i5 ) i6").unwrap();
    /// assert!(tape.choices().map(|choice| choice.number).eq([5, 6]));
    /// ```
    pub fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.tokens.iter().filter_map(|token| match token {
            Token::Choice(choice) => Some(choice),
            _ => None,
        })
    }

    /// Returns the choice at an index of the tokens, or `None` if there is a bracket or nothing.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// let tape = Tape::from_text("(g1 i5 )").unwrap();
    /// assert_eq!(tape.choice(1).unwrap().number, 5);
    /// assert!(tape.choice(0).is_none() && tape.choice(9).is_none());
    /// ```
    #[must_use]
    pub fn choice(&self, at: usize) -> Option<&Choice> {
        match self.tokens.get(at) {
            Some(Token::Choice(choice)) => Some(choice),
            _ => None,
        }
    }

    /// Returns the number of choices.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// assert_eq!(Tape::from_text("(g1 i5 ) i6").unwrap().len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.choices().count()
    }

    /// Returns whether the tape has no choices.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// assert!(Tape::default().is_empty());
    /// assert!(Tape::from_text("(g1 )").unwrap().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.choices().next().is_none()
    }

    /// Returns whether every choice is the simplest of its domain.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::from_text("i0 i3").unwrap());
    /// source.integer(-9, 9);
    /// assert!(source.tape().is_simplest());
    /// source.integer(-9, 9);
    /// assert!(!source.tape().is_simplest());
    /// ```
    #[must_use]
    pub fn is_simplest(&self) -> bool {
        self.choices().all(Choice::is_simplest)
    }

    /// Compares two tapes by simplicity, in shortlex order.
    ///
    /// The tape with fewer choices is simpler. If both have the same number of choices, the first
    /// choice that differs decides by its [rank](Domain::rank).
    ///
    /// The steps of [trails](crate::Source::trail) do not count as choices: each of them makes the
    /// value simpler. They decide last. Of two trails with the same beginning, the one with a step
    /// is simpler than the one that ends, and an earlier step is simpler than a later one.
    ///
    /// # Examples
    /// ```
    /// use std::cmp::Ordering;
    ///
    /// use rebut_choice::{Source, Tape};
    /// let numbers = |text: &str| {
    ///     let tape = Tape::from_text(text).unwrap();
    ///     let mut source = Source::replay(&tape);
    ///     for _ in 0..tape.len() {
    ///         source.integer(0, 99);
    ///     }
    ///     source.into_tape()
    /// };
    /// assert_eq!(numbers("i50").compare(&numbers("i1 i1")), Ordering::Less);
    /// assert_eq!(numbers("i2 i0").compare(&numbers("i1 i9")), Ordering::Greater);
    /// ```
    #[must_use]
    pub fn compare(&self, other: &Tape) -> Ordering {
        let is_step = |choice: &&Choice| choice.domain.role == Role::Trail;
        let count = |tape: &Tape| tape.choices().filter(|choice| !is_step(choice)).count();
        count(self).cmp(&count(other)).then_with(|| {
            let keys = |tape: &Tape| {
                let ranks = tape.choices().filter(|choice| !is_step(choice)).map(Choice::rank);
                let steps = tape.choices().filter(is_step).map(|step| match step.number {
                    0 => u128::MAX,
                    number => number as u128,
                });
                ranks.chain(steps).collect::<Vec<_>>()
            };
            keys(self).cmp(&keys(other))
        })
    }

    /// Returns all spans in the order of their first tokens, so that outer spans precede inner
    /// ones.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// let tape = Tape::from_text("(g1 i5 (g2 i6 ) )").unwrap();
    /// let choices: Vec<usize> = tape.spans().iter().map(|span| span.choices).collect();
    /// assert_eq!(choices, [2, 1]);
    /// ```
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut choices = 0;
        for (at, token) in self.tokens.iter().enumerate() {
            match token {
                Token::Open(label) => {
                    let parent = open.last().copied();
                    open.push(spans.len());
                    spans.push(Span {
                        label: *label,
                        tokens: at..at,
                        parent,
                        depth: open.len() - 1,
                        choices,
                    });
                }
                Token::Close => {
                    if let Some(index) = open.pop() {
                        let span = &mut spans[index];
                        span.tokens.end = at + 1;
                        span.choices = choices - span.choices;
                    }
                }
                Token::Choice(_) => choices += 1,
            }
        }
        spans
    }

    /// Returns a copy of the tape with the tokens in `range` replaced by `tokens`.
    ///
    /// # Panics
    /// Ends the run with an internal error if the range is out of bounds.
    ///
    /// # Examples
    /// Putting an inner span in place of the outer one:
    /// ```
    /// use rebut_choice::Tape;
    /// let tape = Tape::from_text("(g1 i5 (g1 i6 ) )").unwrap();
    /// let inner = &tape.tokens()[2..5];
    /// assert_eq!(tape.spliced(0..6, inner).to_text(), "(g1 i6 )");
    /// ```
    #[must_use]
    pub fn spliced(&self, range: Range<usize>, tokens: &[Token]) -> Tape {
        internal_assert!(
            range.start <= range.end && range.end <= self.tokens.len(),
            "tokens {range:?} of a tape with {} tokens",
            self.tokens.len()
        );
        let mut result = Vec::with_capacity(self.tokens.len() - range.len() + tokens.len());
        result.extend_from_slice(&self.tokens[..range.start]);
        result.extend_from_slice(tokens);
        result.extend_from_slice(&self.tokens[range.end..]);
        Tape { tokens: result }
    }

    /// Returns the direct children of the span with the tokens `span`, including both brackets.
    ///
    /// Each child is a single choice or a whole span, as a range of tokens. The first child of a
    /// sequence is its length.
    ///
    /// # Panics
    /// Ends the run with an internal error if the tape does not have these tokens.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// let tape = Tape::from_text("(s1 i2 (g2 i7 i8 ) i9 )").unwrap();
    /// assert_eq!(tape.children(&(0..8)), [1..2, 2..6, 6..7]);
    /// ```
    #[must_use]
    pub fn children(&self, span: &Range<usize>) -> Vec<Range<usize>> {
        internal_assert!(
            span.end <= self.tokens.len(),
            "a span with the tokens {span:?} on a tape with {} tokens",
            self.tokens.len()
        );
        let mut children = Vec::new();
        let mut depth = 0;
        let mut start = span.start + 1;
        for at in span.start + 1..span.end.saturating_sub(1) {
            match self.tokens[at] {
                Token::Open(_) => {
                    if depth == 0 {
                        start = at;
                    }
                    depth += 1;
                }
                Token::Close => {
                    depth -= 1;
                    if depth == 0 {
                        children.push(start..at + 1);
                    }
                }
                Token::Choice(_) if depth == 0 => children.push(at..at + 1),
                Token::Choice(_) => {}
            }
        }
        children
    }

    /// Writes the tape as one line that [`Tape::from_text`] parses.
    ///
    /// Each number follows a letter for its kind, and each opening bracket comes before the shape
    /// and the id of its label. Numbers in a span with the label [`Label::SECRET`] are masked.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let mut source = Source::replay(&Tape::default());
    /// source.integer(3, 9);
    /// let tape = source.into_tape();
    /// assert_eq!(tape.to_text(), "i3");
    /// assert_eq!(Tape::from_text("i3").unwrap().to_text(), "i3");
    /// ```
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for token in secrets::masked(&self.tokens).iter() {
            if !text.is_empty() {
                text.push(' ');
            }
            // Writing to a string cannot fail.
            let _ = match token {
                Token::Open(label) => {
                    write!(text, "({}{:x}", shape_letter(label.shape()), label.id())
                }
                Token::Close => write!(text, ")"),
                Token::Choice(choice) => {
                    write!(text, "{}{}", kind_letter(choice.domain.kind), choice.number)
                }
            };
        }
        text
    }

    /// Parses the output of [`Tape::to_text`].
    ///
    /// Brackets may be missing, and any number is allowed: replay moves numbers into the domains
    /// it meets.
    ///
    /// # Errors
    /// Returns an error that names the first word that is not a token.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let tape = Tape::from_text("i7 b1").unwrap();
    /// let mut source = Source::replay(&tape);
    /// assert_eq!((source.integer(0, 9), source.boolean()), (7, true));
    /// assert!(Tape::from_text("seven").is_err());
    /// ```
    pub fn from_text(text: &str) -> Result<Tape, TapeError> {
        let tokens: Result<Vec<Token>, TapeError> =
            text.split_ascii_whitespace().map(parse_token).collect();
        let tape = Tape::new(tokens?);
        Ok(Tape { tokens: secrets::masked(&tape.tokens).into_owned() })
    }

    /// Packs the numbers into a short word that fits on a command line.
    ///
    /// The word leaves out the spans: replaying the numbers with the same code records the same
    /// spans again. The word of a tape with a secret is masked.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// let tape = Tape::from_text("(g1 i1 ) i2").unwrap();
    /// let word = tape.to_replay_string();
    /// assert!(word.starts_with("r1."));
    /// assert_eq!(Tape::from_replay_string(&word).unwrap().to_text(), "i1 i2");
    /// ```
    #[must_use]
    pub fn to_replay_string(&self) -> String {
        let mut bytes = Vec::new();
        for choice in self.choices() {
            push_varint(&mut bytes, zigzag_encode(choice.number));
        }
        if secrets::exist_in(&self.tokens) {
            secrets::mask_bytes(&mut bytes);
            return format!("{MASKED_PREFIX}{}", to_base64(&bytes));
        }
        format!("{REPLAY_PREFIX}{}", to_base64(&bytes))
    }

    /// Returns a digest of the choices: their numbers and domains in order, without the spans.
    ///
    /// Code that makes the same choices has the same digest on every target. So a run can be compared
    /// with one on another target without a copy of its tape.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::{Source, Tape};
    /// let digest = |max| {
    ///     let mut source = Source::replay(&Tape::default());
    ///     source.integer(0, max);
    ///     source.into_tape().digest()
    /// };
    /// assert_eq!(digest(9), digest(9));
    /// assert_ne!(digest(9), digest(10));
    /// ```
    #[must_use]
    pub fn digest(&self) -> u64 {
        // FNV-1a, as in `rebut_protocol::hash`, of all numbers.
        let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
        let mut add = |bytes: &[u8]| {
            for byte in bytes {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
            }
        };
        for Choice { number, domain } in self.choices() {
            for part in [*number, domain.min, domain.max, domain.origin] {
                add(&part.to_le_bytes());
            }
            add(&[kind_letter(domain.kind) as u8, domain.role as u8]);
        }
        hash
    }

    /// Parses the output of [`Tape::to_replay_string`]. A test adds a dot and its identity to the
    /// strings that it prints; this part is ignored.
    ///
    /// # Errors
    /// Returns an error that describes what is wrong with the word.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Tape;
    /// assert!(Tape::from_replay_string("r1.AgQ").is_ok());
    /// assert_eq!(Tape::from_replay_string("r1.AgQ"), Tape::from_replay_string("r1.AgQ.x3f9"));
    /// assert!(Tape::from_replay_string("r9.AgQ").is_err());
    /// ```
    pub fn from_replay_string(word: &str) -> Result<Tape, TapeError> {
        let word = word.trim();
        let masked = word.strip_prefix(MASKED_PREFIX);
        let packed = masked.or_else(|| word.strip_prefix(REPLAY_PREFIX)).ok_or_else(|| {
            TapeError(format!(
                "expected a replay string that begins with `{REPLAY_PREFIX}` or `{MASKED_PREFIX}`"
            ))
        })?;
        let (packed, identity) = packed.split_once('.').unwrap_or((packed, "0"));
        if identity.is_empty() || !identity.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let found = format!("found `{identity}`");
            return Err(TapeError(format!(
                "expected the identity of a test after the dot, {found}"
            )));
        }
        let mut bytes = from_base64(packed)?;
        if masked.is_some() {
            secrets::mask_bytes(&mut bytes);
        }
        let mut bytes = bytes.as_slice();
        let mut tokens = Vec::new();
        while !bytes.is_empty() {
            let number = zigzag_decode(take_varint(&mut bytes)?);
            tokens.push(Token::Choice(recorded(number, ChoiceKind::Integer)));
        }
        Ok(Tape { tokens })
    }
}

/// An error of [`Tape::from_text`] or [`Tape::from_replay_string`].
///
/// # Examples
/// ```
/// use rebut_choice::Tape;
/// let error = Tape::from_text("i1 seven").unwrap_err();
/// assert_eq!(error.to_string(), "invalid token `seven` in the tape");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TapeError(String);

impl std::fmt::Display for TapeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TapeError {}

const REPLAY_PREFIX: &str = "r1.";
/// The prefix of a replay string whose bytes are masked, because the case has a secret.
const MASKED_PREFIX: &str = "s1.";

fn shape_letter(shape: SpanShape) -> char {
    match shape {
        SpanShape::Group => 'g',
        SpanShape::Sequence => 's',
        SpanShape::Recursive => 'r',
    }
}

fn kind_letter(kind: ChoiceKind) -> char {
    match kind {
        ChoiceKind::Boolean => 'b',
        ChoiceKind::Integer => 'i',
        ChoiceKind::Char => 'c',
        ChoiceKind::Float32 => 'e',
        ChoiceKind::Float64 => 'f',
        ChoiceKind::Opaque => 'o',
    }
}

/// Creates a choice whose domain is unknown because the string does not contain it.
fn recorded(number: i128, kind: ChoiceKind) -> Choice {
    Choice {
        number,
        domain: Domain { min: number, max: number, origin: number, kind, role: Role::Value },
    }
}

fn parse_token(word: &str) -> Result<Token, TapeError> {
    let wrong = || TapeError(format!("invalid token `{word}` in the tape"));
    if word == ")" {
        return Ok(Token::Close);
    }
    let (letter, rest) = word.split_at_checked(1).ok_or_else(wrong)?;
    if letter == "(" {
        let (shape, name) = rest.split_at_checked(1).ok_or_else(wrong)?;
        let shape = match shape {
            "g" => SpanShape::Group,
            "s" => SpanShape::Sequence,
            "r" => SpanShape::Recursive,
            _ => return Err(wrong()),
        };
        let name = u32::from_str_radix(name, 16).ok().ok_or_else(wrong)?;
        return Ok(Token::Open(Label::from_id(name, shape)));
    }
    let kind = match letter {
        "b" => ChoiceKind::Boolean,
        "i" => ChoiceKind::Integer,
        "c" => ChoiceKind::Char,
        "e" => ChoiceKind::Float32,
        "f" => ChoiceKind::Float64,
        "o" => ChoiceKind::Opaque,
        _ => return Err(wrong()),
    };
    let number = rest.parse().ok().ok_or_else(wrong)?;
    Ok(Token::Choice(recorded(number, kind)))
}

fn zigzag_encode(number: i128) -> u128 {
    ((number << 1) ^ (number >> 127)) as u128
}

fn zigzag_decode(code: u128) -> i128 {
    (code >> 1) as i128 ^ -((code & 1) as i128)
}

fn push_varint(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_varint(bytes: &mut &[u8]) -> Result<u128, TapeError> {
    let mut number = 0;
    for shift in (0..128).step_by(7) {
        let Some((&byte, rest)) = bytes.split_first() else { break };
        *bytes = rest;
        number |= u128::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(TapeError("the replay string is truncated; copy all of it".into()))
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0u32, |group, &b| group << 8 | u32::from(b))
            << (8 * (3 - chunk.len()));
        for i in 0..=chunk.len() {
            text.push(char::from(BASE64[(group >> (18 - 6 * i)) as usize & 63]));
        }
    }
    text
}

fn from_base64(text: &str) -> Result<Vec<u8>, TapeError> {
    let mut bytes = Vec::new();
    for chunk in text.as_bytes().chunks(4) {
        let mut group = 0u32;
        for &letter in chunk {
            let digit = BASE64.iter().position(|&l| l == letter).ok_or_else(|| {
                TapeError(format!(
                    "invalid character `{}` in the replay string",
                    char::from(letter)
                ))
            })?;
            group = group << 6 | digit as u32;
        }
        group <<= 6 * (4 - chunk.len());
        bytes.extend_from_slice(&group.to_be_bytes()[1..chunk.len()]);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tape(text: &str) -> Tape {
        Tape::from_text(text).expect("a valid tape")
    }

    #[test]
    fn text_round_trips() {
        let text = "(s1f i3 i-5 (gab b1 ) ) c97 f-12 e0 o7";
        assert_eq!(tape(text).to_text(), text);
        assert_eq!(tape("(g1 i1 ) ) (g2").to_text(), "(g1 i1 ) (g2 )");
        assert!(Tape::from_text("i3 hello").is_err());
        assert!(Tape::from_text("(z1").is_err());
        assert!(Tape::from_text("é").is_err());
    }

    #[test]
    fn replay_strings_round_trip() {
        let numbers = [0, 1, -1, 300, i128::MAX, i128::MIN];
        for count in 0..numbers.len() {
            let tokens = numbers[..=count]
                .iter()
                .map(|&n| Token::Choice(recorded(n, ChoiceKind::Integer)))
                .collect();
            let tape = Tape::new(tokens);
            assert_eq!(Tape::from_replay_string(&tape.to_replay_string()), Ok(tape));
        }
        assert!(Tape::from_replay_string("r1.????").is_err());
        assert!(Tape::from_replay_string("hello").is_err());
        assert!(Tape::from_replay_string("r1._w").is_err());
        for wrong in ["r1.AgQ.", "r1.AgQ.a.b", "r1.AgQ. "] {
            assert!(Tape::from_replay_string(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn longer_trails_are_simpler() {
        let recorded = |numbers: &str| {
            let mut source = crate::Source::replay(&tape(numbers));
            source.seed();
            source.trail(&mut |step| step < 9);
            source.integer(0, 9);
            source.into_tape()
        };
        // From the simplest to the least simple.
        let ordered = [
            "i0 i0 i5",
            "i7 i1 i1 i0 i4",
            "i7 i1 i0 i4",
            "i7 i2 i9 i0 i4",
            "i7 i2 i0 i4",
            "i7 i0 i4",
            "i7 i1 i1 i1 i0 i5",
        ];
        let ordered = ordered.map(recorded);
        assert!(ordered.is_sorted_by(|a, b| a.compare(b).is_lt()), "{ordered:?}");
        assert!(recorded("i7 i0 i4").compare(&recorded("i8 i0 i4")).is_eq(), "no seed is simpler");
    }

    #[test]
    fn spans_and_children_have_the_ranges_of_their_tokens() {
        let tape = tape("(s1 i2 (g2 i7 i8 ) i9 )");
        let spans = tape.spans();
        assert_eq!(spans.len(), 2);
        assert_eq!((spans[0].tokens.clone(), spans[0].choices), (0..8, 4));
        assert_eq!((spans[1].tokens.clone(), spans[1].parent), (2..6, Some(0)));
        assert_eq!(tape.children(&spans[0].tokens), [1..2, 2..6, 6..7]);
    }
}

#[cfg(test)]
mod mutations {
    use super::*;
    use rebut_testkit::mutations::{Clock, for_each, growth};

    /// A tape of about this many bytes of text.
    fn long(bytes: usize) -> Tape {
        Tape::from_text(&"(s1f i-7 i300 ) c120 ".repeat(bytes / 21)).expect("a valid tape")
    }

    #[test]
    fn replay_strings_are_read_or_refused() {
        let words = [long(40).to_replay_string(), long(400).to_replay_string() + ".x3f9"];
        let samples: Vec<&[u8]> = words.iter().map(String::as_bytes).collect();
        for_each("replay string", &samples, &mut |word| {
            let word = String::from_utf8_lossy(word);
            let Ok(tape) = Tape::from_replay_string(&word) else { return false };
            let again = Tape::from_replay_string(&tape.to_replay_string()).expect("our own");
            assert_eq!(again.tokens().len(), tape.tokens().len());
            true
        });
        let make = |bytes: usize| long(bytes).to_replay_string().into_bytes();
        growth("replay string", Clock::Thread, 1 << 19, &make, &mut |word| {
            let word = std::str::from_utf8(word).expect("UTF-8");
            Tape::from_replay_string(word).expect("our own");
        });
    }

    #[test]
    fn texts_of_tapes_are_read_or_refused() {
        let texts = [long(60).to_text(), "(s1f (e2q i1 b0 ) f3 ) c120 i-9".to_owned()];
        let samples: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
        for_each("tape", &samples, &mut |text| {
            let Ok(tape) = Tape::from_text(&String::from_utf8_lossy(text)) else { return false };
            assert_eq!(Tape::from_text(&tape.to_text()).as_ref(), Ok(&tape));
            true
        });
        let make = |bytes: usize| long(bytes).to_text().into_bytes();
        growth("tape", Clock::Thread, 1 << 19, &make, &mut |text| {
            Tape::from_text(std::str::from_utf8(text).expect("UTF-8")).expect("our own");
        });
    }
}
