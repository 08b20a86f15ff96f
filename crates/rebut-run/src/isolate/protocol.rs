//! The messages between a child and its parent.
//!
//! Requests and replies are lines of fields separated by tabs, in which tabs and line ends are
//! escaped. Replies share the child's standard output with the output of the code under test, so
//! each begins with an unpredictable mark.
//!
//! While a case runs, the child sends each token of its tape, with its domain, before the case
//! sees it. When the child dies, the parent has the tape up to that point and can shrink it.

use std::ops::Range;
use std::sync::Mutex;

use rebut_choice::{Choice, ChoiceKind, Domain, Role, SpanShape, Tape, Token};
use rebut_gen::code::{TypeNote, TypeNoteKind};
use rebut_search::{Direction, Objective};

use crate::calls::CallCount;
use crate::case_log::{ContractViolation, Cover, ObjectiveValue, ShownValue};
use crate::execute::Input;
use crate::outcome::{Failure, FailureKind, Location, Outcome};
use crate::strings::{integer, number, push, split, split_once};
use crate::threads::lock;

/// A request of the parent.
#[cfg_attr(test, derive(Debug, PartialEq))]
pub(super) enum Request {
    Run {
        input: Input,
        reporting: bool,
    },
    Example {
        nth: usize,
        reporting: bool,
    },
    /// Run these random cases until one fails.
    RunUntilFailure {
        seed: u64,
        cases: Range<u64>,
    },
    /// Enumerate at most this many cases until one fails.
    Enumerate {
        cases_max: u64,
    },
}

/// A reply of the child.
#[cfg_attr(test, derive(Clone, Debug, PartialEq))]
pub(super) enum Reply {
    /// The child is ready for requests.
    Ready,
    /// A case begins. The number is that of the case among those of the request.
    Begin(u64),
    Token(Token),
    /// The tokens from this index on are discarded.
    Rewind(usize),
    Value(ShownValue),
    /// The code of the value with this index has changed.
    Changed(usize, String),
    TypeNote(TypeNote),
    Note(String),
    Violation(ContractViolation),
    StyledMessage(String),
    /// The generator of the parameter with this number panicked.
    FailedGenerator(usize),
    Backtrace(String),
    Panic {
        message: String,
        location: Option<Location>,
    },
    /// A panic on a thread that the case started.
    ThreadPanic {
        message: String,
        location: Option<Location>,
    },
    Label(String),
    Cover(Cover),
    Objective(ObjectiveValue),
    /// The search restarts.
    Reset,
    /// The bits of the checks that the case reached.
    Reached(u64),
    /// This many programs ran. The calls of each operation follow.
    Programs(u64),
    Calls(CallCount),
    Done(Outcome),
    /// None of the requested cases failed.
    NoFailure,
}

impl Request {
    #[inline(never)]
    pub(super) fn encode(&self) -> String {
        match self {
            Request::Run { input: Input::Tape(tape), reporting } => {
                line(&["tape", flag(*reporting), &tape.to_text()])
            }
            Request::Run { input: Input::Edited(tape, draw), reporting } => {
                line(&["edited", flag(*reporting), &draw.to_string(), &tape.to_text()])
            }
            Request::Run { input: Input::Case { seed, case }, reporting } => {
                line(&["case", flag(*reporting), &seed.to_string(), &case.to_string()])
            }
            Request::Example { nth, reporting } => {
                line(&["example", flag(*reporting), &nth.to_string()])
            }
            Request::Enumerate { cases_max } => line(&["enumerate", &cases_max.to_string()]),
            Request::RunUntilFailure { seed, cases } => {
                let (start, end) = (cases.start.to_string(), cases.end.to_string());
                line(&["run-until-failure", &seed.to_string(), &start, &end])
            }
        }
    }

    #[inline(never)]
    pub(super) fn decode(text: &str) -> Option<Request> {
        let mut fields = Fields::new(text);
        Some(match fields.next()? {
            "tape" => {
                let reporting = fields.flag()?;
                let input = Input::Tape(Tape::from_text(&fields.text()?).ok()?);
                Request::Run { input, reporting }
            }
            "edited" => {
                let reporting = fields.flag()?;
                let draw = fields.number()?;
                let input = Input::Edited(Tape::from_text(&fields.text()?).ok()?, draw);
                Request::Run { input, reporting }
            }
            "case" => {
                let reporting = fields.flag()?;
                let input = Input::Case { seed: fields.number()?, case: fields.number()? };
                Request::Run { input, reporting }
            }
            "example" => {
                let reporting = fields.flag()?;
                Request::Example { nth: fields.index()?, reporting }
            }
            "enumerate" => Request::Enumerate { cases_max: fields.number()? },
            "run-until-failure" => {
                let seed = fields.number()?;
                Request::RunUntilFailure { seed, cases: fields.number()?..fields.number()? }
            }
            _ => return None,
        })
    }
}

const TYPE_NOTES: [(TypeNoteKind, &str); 4] = [
    (TypeNoteKind::Named, "named"),
    (TypeNoteKind::OutOfScope, "out-of-scope"),
    (TypeNoteKind::PrivateFields, "private-fields"),
    (TypeNoteKind::OnlyDebug, "only-debug"),
];

fn type_note_word(kind: TypeNoteKind) -> &'static str {
    TYPE_NOTES.iter().find(|(known, _)| *known == kind).map_or("", |(_, word)| word)
}

fn decode_type_note(word: &str) -> Option<TypeNoteKind> {
    TYPE_NOTES.iter().find(|(_, known)| *known == word).map(|(kind, _)| *kind)
}

impl Reply {
    #[inline(never)]
    pub(super) fn encode(&self) -> String {
        match self {
            Reply::Ready => line(&["ready"]),
            Reply::Begin(case) => line(&["begin", &case.to_string()]),
            Reply::Token(token) => line(&["token", &encode_token(token)]),
            Reply::Rewind(kept) => line(&["rewind", &kept.to_string()]),
            Reply::Value(value) => line(&["value", &value.name, &value.type_name, &value.code]),
            Reply::Changed(nth, code) => line(&["changed", &nth.to_string(), code]),
            Reply::TypeNote(TypeNote { kind, type_name, module, visible_in }) => {
                line(&["type-note", type_note_word(*kind), type_name, module, visible_in])
            }
            Reply::Note(text) => line(&["note", text]),
            Reply::Violation(violation) => encode_violation(violation),
            Reply::StyledMessage(message) => line(&["styled-message", message]),
            Reply::FailedGenerator(number) => line(&["failed-generator", &number.to_string()]),
            Reply::Backtrace(text) => line(&["backtrace", text]),
            Reply::Panic { message, location } => {
                let [file, at, column] = encode_location(location.as_ref());
                line(&["panic", message, &file, &at, &column])
            }
            Reply::ThreadPanic { message, location } => {
                let [file, at, column] = encode_location(location.as_ref());
                line(&["thread-panic", message, &file, &at, &column])
            }
            Reply::Label(text) => line(&["label", text]),
            Reply::Cover(cover) => {
                let at_least = cover.at_least.to_bits().to_string();
                line(&["cover", cover.label, &at_least, flag(cover.met)])
            }
            Reply::Objective(ObjectiveValue { objective, value, needed }) => {
                let is_maximum = objective.direction == Direction::Maximize;
                let needed = needed.map_or(String::new(), |needed| needed.to_bits().to_string());
                let value = value.to_bits().to_string();
                line(&["objective", &objective.label, flag(is_maximum), &value, &needed])
            }
            Reply::Reset => line(&["reset"]),
            Reply::Programs(count) => line(&["programs", &count.to_string()]),
            Reply::Calls(CallCount { operation, attempts, completed, obstacle }) => {
                let (attempts, completed) = (attempts.to_string(), completed.to_string());
                let obstacle = obstacle.as_deref().unwrap_or_default();
                line(&["calls", operation, &attempts, &completed, obstacle])
            }
            Reply::Reached(bits) => line(&["reached", &bits.to_string()]),
            Reply::Done(outcome) => encode_outcome(outcome),
            Reply::NoFailure => line(&["no-failure"]),
        }
    }

    #[inline(never)]
    pub(super) fn decode(text: &str) -> Option<Reply> {
        let mut fields = Fields::new(text);
        Some(match fields.next()? {
            "ready" => Reply::Ready,
            "begin" => Reply::Begin(fields.number()?),
            "token" => Reply::Token(decode_token(&fields.text()?)?),
            "rewind" => Reply::Rewind(fields.index()?),
            "value" => Reply::Value(ShownValue {
                name: fields.text()?,
                type_name: fields.text()?,
                code: fields.text()?,
            }),
            "changed" => Reply::Changed(fields.index()?, fields.text()?),
            "type-note" => Reply::TypeNote(TypeNote {
                kind: decode_type_note(&fields.text()?)?,
                type_name: fields.text()?,
                module: fields.text()?,
                visible_in: fields.text()?,
            }),
            "note" => Reply::Note(fields.text()?),
            "violation" => Reply::Violation(decode_violation(&mut fields)?),
            "styled-message" => Reply::StyledMessage(fields.text()?),
            "failed-generator" => Reply::FailedGenerator(fields.index()?),
            "backtrace" => Reply::Backtrace(fields.text()?),
            "panic" => {
                let message = fields.text()?;
                Reply::Panic { message, location: fields.location()? }
            }
            "thread-panic" => {
                let message = fields.text()?;
                Reply::ThreadPanic { message, location: fields.location()? }
            }
            "label" => Reply::Label(fields.text()?),
            "cover" => Reply::Cover(Cover {
                label: interned(&fields.text()?),
                at_least: f64::from_bits(fields.number()?),
                met: fields.flag()?,
            }),
            "objective" => {
                let label = fields.text()?;
                let direction =
                    if fields.flag()? { Direction::Maximize } else { Direction::Minimize };
                let value = f64::from_bits(fields.number()?);
                let needed = match fields.next()? {
                    "" => None,
                    bits => Some(f64::from_bits(number(bits)?)),
                };
                Reply::Objective(ObjectiveValue {
                    objective: Objective { label, direction },
                    value,
                    needed,
                })
            }
            "reset" => Reply::Reset,
            "programs" => Reply::Programs(fields.number()?),
            "calls" => Reply::Calls(CallCount {
                operation: interned(&fields.text()?),
                attempts: fields.number()?,
                completed: fields.number()?,
                obstacle: Some(fields.text()?).filter(|text| !text.is_empty()).map(Into::into),
            }),
            "reached" => Reply::Reached(fields.number()?),
            "done" => Reply::Done(decode_outcome(&mut fields)?),
            "no-failure" => Reply::NoFailure,
            _ => return None,
        })
    }
}

fn encode_outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => line(&["done", "passed"]),
        Outcome::Rejected(why) => line(&["done", "rejected", why]),
        Outcome::TooLarge => line(&["done", "too-large"]),
        Outcome::Misuse(what) => line(&["done", "misuse", what]),
        Outcome::Internal(what) => line(&["done", "internal", what]),
        Outcome::Failed(failure) => {
            let [file, at, column] = encode_location(failure.location.as_ref());
            let kind = failure.kind.name();
            line(&["done", "failed", kind, &failure.message, &file, &at, &column])
        }
    }
}

#[inline(never)]
fn decode_outcome(fields: &mut Fields<'_>) -> Option<Outcome> {
    Some(match fields.next()? {
        "passed" => Outcome::Passed,
        "rejected" => Outcome::Rejected(fields.text()?.into()),
        "too-large" => Outcome::TooLarge,
        "misuse" => Outcome::Misuse(fields.text()?),
        "internal" => Outcome::Internal(fields.text()?),
        "failed" => Outcome::Failed(Failure {
            kind: FailureKind::from_name(fields.next()?)?,
            message: fields.text()?,
            location: fields.location()?,
        }),
        _ => return None,
    })
}

/// Encodes a location as file, line and column; all empty if there is none.
fn encode_location(location: Option<&Location>) -> [String; 3] {
    match location {
        Some(location) => {
            [location.file.clone(), location.line.to_string(), location.column.to_string()]
        }
        None => [String::new(), String::new(), String::new()],
    }
}

const KINDS: [(ChoiceKind, char); 6] = [
    (ChoiceKind::Boolean, 'b'),
    (ChoiceKind::Integer, 'i'),
    (ChoiceKind::Char, 'c'),
    (ChoiceKind::Float32, 'e'),
    (ChoiceKind::Float64, 'f'),
    (ChoiceKind::Opaque, 'o'),
];

const ROLES: [(Role, char); 7] = [
    (Role::Value, 'v'),
    (Role::Alternative, 'a'),
    (Role::Length, 'l'),
    (Role::Presence, 'p'),
    (Role::Index, 'x'),
    (Role::Steps, 's'),
    (Role::Trail, 't'),
];

fn letter<T: PartialEq>(table: &[(T, char)], item: &T) -> char {
    table.iter().find(|(known, _)| known == item).map_or('?', |(_, letter)| *letter)
}

fn item<T: Copy>(table: &[(T, char)], letter: char) -> Option<T> {
    table.iter().find(|(_, known)| *known == letter).map(|(item, _)| *item)
}

fn encode_token(token: &Token) -> String {
    match token {
        Token::Open(label) => {
            let shape = match label.shape() {
                SpanShape::Group => 'g',
                SpanShape::Sequence => 's',
                SpanShape::Recursive => 'r',
            };
            format!("({shape}{:x}", label.id())
        }
        Token::Close => ")".to_owned(),
        Token::Choice(Choice { number, domain }) => {
            let (kind, role) = (letter(&KINDS, &domain.kind), letter(&ROLES, &domain.role));
            format!("{kind}{role},{number},{},{},{}", domain.min, domain.max, domain.origin)
        }
    }
}

#[inline(never)]
fn decode_token(text: &str) -> Option<Token> {
    if text == ")" {
        return Some(Token::Close);
    }
    if text.starts_with('(') {
        // A tape writes labels in the same way, and only a tape can parse one.
        return Tape::from_text(text).ok()?.tokens().first().copied();
    }
    let mut letters = text.chars();
    let kind = item(&KINDS, letters.next()?)?;
    let role = item(&ROLES, letters.next()?)?;
    let numbers = split(letters.as_str().strip_prefix(',')?, ",");
    let [number, min, max, origin] = numbers[..] else { return None };
    let [number, min, max, origin] = [number, min, max, origin].map(|number| integer(number, 10));
    let (number, min, max, origin) = (number?, min?, max?, origin?);
    Some(Token::Choice(Choice { number, domain: Domain { min, max, origin, kind, role } }))
}

/// Interns the label of a `cover!` or the path of an operation. Both are literals in the source, so there are few of them.
fn interned(label: &str) -> &'static str {
    static LABELS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut labels = lock(&LABELS);
    if let Some(known) = labels.iter().find(|known| **known == label) {
        return known;
    }
    let label: &'static str = Box::leak(label.into());
    labels.push(label);
    label
}

fn flag(flag: bool) -> &'static str {
    if flag { "1" } else { "0" }
}

fn line(fields: &[&str]) -> String {
    let mut line = String::new();
    for (n, field) in fields.iter().enumerate() {
        if n > 0 {
            push(&mut line, '\t');
        }
        for c in field.chars() {
            match c {
                '\\' => line.push_str("\\\\"),
                '\t' => line.push_str("\\t"),
                '\n' => line.push_str("\\n"),
                '\r' => line.push_str("\\r"),
                _ => push(&mut line, c),
            }
        }
    }
    line
}

fn unescape(field: &str) -> Option<String> {
    let mut text = String::with_capacity(field.len());
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        let character = match c {
            '\\' => match chars.next()? {
                '\\' => '\\',
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            _ => c,
        };
        push(&mut text, character);
    }
    Some(text)
}

fn encode_violation(violation: &ContractViolation) -> String {
    let ContractViolation { message, function, clause, condition, party, .. } = violation;
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    let (at_fault, object) = (optional(&violation.at_fault), optional(&violation.object));
    let first = ["violation", message, function, clause, condition, party, &at_fault, &object];
    let mut fields: Vec<&str> = first.to_vec();
    for call in &violation.calls {
        fields.push(call);
    }
    line(&fields)
}

/// Parses the fields of a violation. An empty field is an absent one, and the calls come last.
fn decode_violation(fields: &mut Fields<'_>) -> Option<ContractViolation> {
    let mut violation = ContractViolation {
        message: fields.text()?,
        function: fields.text()?,
        clause: fields.text()?,
        condition: fields.text()?,
        party: fields.text()?,
        at_fault: Some(fields.text()?).filter(|text| !text.is_empty()),
        object: Some(fields.text()?).filter(|text| !text.is_empty()),
        calls: Vec::new(),
    };
    while fields.rest.is_some() {
        violation.calls.push(fields.text()?);
    }
    Some(violation)
}

struct Fields<'a> {
    rest: Option<&'a str>,
}

impl<'a> Fields<'a> {
    fn new(text: &'a str) -> Fields<'a> {
        Fields { rest: Some(text) }
    }

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest?;
        let split = split_once(rest, "\t");
        self.rest = split.map(|(_, after)| after);
        Some(split.map_or(rest, |(next, _)| next))
    }

    fn text(&mut self) -> Option<String> {
        unescape(self.next()?)
    }

    fn number(&mut self) -> Option<u64> {
        number(self.next()?)
    }

    fn index(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn flag(&mut self) -> Option<bool> {
        match self.next()? {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        }
    }

    /// Parses a location. Returns `None` if the fields are invalid, and `Some(None)` if they are
    /// empty.
    fn location(&mut self) -> Option<Option<Location>> {
        let (file, line, column) = (self.text()?, self.next()?, self.next()?);
        if file.is_empty() {
            return Some(None);
        }
        let position = |text: &str| u32::try_from(number(text)?).ok();
        Some(Some(Location { file, line: position(line)?, column: position(column)? }))
    }
}

#[cfg(test)]
mod tests {
    use rebut_choice::{Label, Source};

    use super::*;

    #[test]
    fn requests_round_trip() {
        let tape = Tape::from_text("(s1f i3 b1 ) c97").expect("a valid tape");
        let requests = [
            Request::Run { input: Input::Tape(tape), reporting: true },
            Request::Run { input: Input::Tape(Tape::default()), reporting: false },
            Request::Run { input: Input::Edited(Tape::default(), 7), reporting: false },
            Request::Run { input: Input::Case { seed: u64::MAX, case: 5 }, reporting: false },
            Request::RunUntilFailure { seed: 9, cases: 3..1000 },
            Request::Example { nth: 2, reporting: true },
            Request::Enumerate { cases_max: 4000 },
        ];
        for request in requests {
            assert_eq!(Request::decode(&request.encode()), Some(request));
        }
    }

    #[test]
    fn replies_round_trip() {
        let location = Location { file: "src/a b.rs".into(), line: 3, column: 4 };
        let message = "left\tright\r\n\\end".to_owned();
        let failure = Failure {
            kind: FailureKind::Panic,
            message: message.clone(),
            location: Some(location.clone()),
        };
        let without = Failure { kind: FailureKind::WrongResult, location: None, ..failure.clone() };
        let replies = [
            Reply::Ready,
            Reply::Begin(7),
            Reply::Rewind(12),
            Reply::Value(ShownValue {
                name: "x".into(),
                type_name: String::new(),
                code: "\"\\n\"".into(),
            }),
            Reply::Note(message.clone()),
            Reply::TypeNote(TypeNote {
                kind: TypeNoteKind::PrivateFields,
                type_name: "A".into(),
                module: "b::c".into(),
                visible_in: String::new(),
            }),
            Reply::Backtrace(message.clone()),
            Reply::StyledMessage("\x1b[31mred\x1b[0m".into()),
            Reply::FailedGenerator(2),
            Reply::Violation(ContractViolation {
                message: message.clone(),
                function: "Stack::push".into(),
                clause: "requires".into(),
                condition: "n > 0".into(),
                party: "code".into(),
                at_fault: Some("Stack::push_n".into()),
                object: None,
                calls: vec!["the program".into(), "Stack::push_n".into()],
            }),
            Reply::Violation(ContractViolation::default()),
            Reply::Panic { message: message.clone(), location: Some(location) },
            Reply::Panic { message: String::new(), location: None },
            Reply::ThreadPanic { message: "on a thread".into(), location: None },
            Reply::Label("big".into()),
            Reply::Reached(1 << 63),
            Reply::Programs(2),
            Reply::Calls(CallCount {
                operation: "Stack::pop",
                attempts: 3,
                completed: 1,
                obstacle: Some("no\tvalue".into()),
            }),
            Reply::Cover(Cover { label: "empty", at_least: 0.1, met: true }),
            Reply::Objective(ObjectiveValue {
                objective: Objective { label: "a\tb".into(), direction: Direction::Minimize },
                value: f64::NEG_INFINITY,
                needed: Some(-0.1),
            }),
            Reply::Objective(ObjectiveValue {
                objective: Objective { label: String::new(), direction: Direction::Maximize },
                value: 1e300,
                needed: None,
            }),
            Reply::Reset,
            Reply::Done(Outcome::Passed),
            Reply::Done(Outcome::Rejected("not even".into())),
            Reply::Done(Outcome::TooLarge),
            Reply::Done(Outcome::Failed(failure)),
            Reply::Done(Outcome::Failed(without)),
            Reply::Done(Outcome::Misuse(message.clone())),
            Reply::Done(Outcome::Internal(message)),
            Reply::NoFailure,
        ];
        for reply in replies {
            let line = reply.encode();
            assert!(!line.contains(['\n', '\r']));
            assert_eq!(Reply::decode(&line), Some(reply));
        }
    }

    #[test]
    fn tokens_keep_their_domains() {
        let mut source = Source::replay(&Tape::from_text("i7 c98 f-5").expect("a valid tape"));
        source.span(Label::recursive("tree"), |source| source.integer(-3, 9));
        source.span(Label::SEQUENCE, |source| source.length(0, 5));
        source.character('a', 'z');
        source.float64(f64::NEG_INFINITY, f64::NAN);
        source.presence(1, 1);
        source.index(4);
        source.alternative(3, &[], 1);
        source.integer(i128::MIN, i128::MAX);
        for token in source.into_tape().into_tokens() {
            let reply = Reply::Token(token);
            assert_eq!(Reply::decode(&reply.encode()), Some(reply));
        }
    }

    #[test]
    fn invalid_messages_are_refused() {
        for text in [
            "",
            "hello",
            "tape",
            "tape\t1",
            "tape\t2\ti1",
            "case\t0\tx\t1",
            "run-until-failure\t1\t2",
        ] {
            assert_eq!(Request::decode(text), None, "{text:?}");
        }
        for text in ["", "token\tz", "token\tiv,1,2", "done\tfailed\tfun\tx\t\t\t", "note\t\\q"] {
            assert_eq!(Reply::decode(text), None, "{text:?}");
        }
    }
}
