//! A driver that answers generators from documents, one document per parameter.
//!
//! A stack contains the values that no generator has requested yet. A length takes a list or a
//! string and pushes its elements; a struct, which announces the names of its parts, takes an
//! object; a number or a character takes its value. Some questions no document can answer, such
//! as which of several generators is meant, or which index of a list. Such a choice stays open,
//! and [`OpenChoices`] goes through the possibilities from one attempt to the next.
//!
//! A document that does not fit ends the case at once, with the reason.

use std::cell::RefCell;
use std::rc::Rc;

use rebut_choice::{ChoiceKind, Domain, Driver, Label, Request, Role, Stop, Token, float, text};

use super::json::Json;
use super::names::same_name;
use crate::strings;

/// A value that no generator has requested yet.
#[derive(Clone, Debug)]
enum PendingValue {
    Value(Json),
    Char(char),
    /// A field that the object does not have.
    Absent(String),
}

impl PendingValue {
    fn show(&self) -> String {
        match self {
            PendingValue::Value(value) => format!("{} (`{}`)", value.kind(), short(&value.show())),
            PendingValue::Char(c) => format!("the character {c:?}"),
            PendingValue::Absent(name) => format!("nothing: the field `{name}` is absent"),
        }
    }
}

/// Supplies the choices that generate the values of documents.
#[derive(Debug)]
pub(super) struct DocumentDriver {
    /// The documents of the parameters, the last first.
    arguments: Vec<Json>,
    stack: Vec<PendingValue>,
    /// The answers that a generator found for a whole string, the last first.
    supplied: Vec<i128>,
    /// The number of open spans in the parameter; `None` outside of one.
    depth: Option<usize>,
    open_choices: Rc<RefCell<OpenChoices>>,
}

/// The open choices, and the answer of each in this attempt.
#[derive(Debug, Default)]
pub(super) struct OpenChoices {
    answers: Vec<(i128, i128)>,
    next: usize,
}

impl OpenChoices {
    /// Returns the answer of the next open choice.
    fn take(&mut self, domain: &Domain) -> i128 {
        if self.next == self.answers.len() {
            self.answers.push((domain.min, domain.max));
        }
        self.next += 1;
        self.answers[self.next - 1].0
    }

    /// Advances to the next attempt. Returns false if there is none.
    pub(super) fn advance(&mut self) -> bool {
        // Choices that this attempt did not reach did not make it fail.
        self.answers.truncate(self.next);
        self.next = 0;
        while let Some((at, last)) = self.answers.pop() {
            if at < last {
                self.answers.push((at + 1, last));
                return true;
            }
        }
        false
    }
}

/// The maximum number of possibilities of an open choice. Arbitrary: enough for the characters of
/// an alphabet. A choice with more is refused with the reason.
const POSSIBILITIES_MAX: u128 = 1024;

const ARRAY: Label = Label::group("array");
const WIDE: Label = Label::group("u128");

impl DocumentDriver {
    pub(super) fn new(
        mut arguments: Vec<Json>,
        open_choices: Rc<RefCell<OpenChoices>>,
    ) -> DocumentDriver {
        arguments.reverse();
        DocumentDriver {
            arguments,
            stack: Vec::new(),
            supplied: Vec::new(),
            depth: None,
            open_choices,
        }
    }

    fn take(&mut self) -> PendingValue {
        match self.stack.pop() {
            Some(pending) => pending,
            None => refuse("the type has parts that the value lacks".to_owned()),
        }
    }

    fn put_back(&mut self, pending: PendingValue) {
        self.stack.push(pending);
    }

    fn put_back_all(&mut self, values: impl DoubleEndedIterator<Item = Json>) {
        for value in values.rev() {
            self.stack.push(PendingValue::Value(value));
        }
    }

    fn length(&mut self, domain: &Domain) -> i128 {
        let count = match self.take() {
            PendingValue::Value(Json::List(list)) => {
                let count = list.len();
                self.put_back_all(list.into_iter());
                count
            }
            PendingValue::Value(Json::Text(text)) => {
                let before = self.stack.len();
                for c in text.chars().rev() {
                    self.stack.push(PendingValue::Char(c));
                }
                self.stack.len() - before
            }
            PendingValue::Value(Json::Object(fields)) => {
                let count = fields.len();
                for (name, value) in fields.into_iter().rev() {
                    self.stack.push(PendingValue::Value(value));
                    self.stack.push(PendingValue::Value(Json::Text(name)));
                }
                count
            }
            other => wrong_type(&other, "a string or a list"),
        };
        in_domain(count as i128, domain, "sizes")
    }

    fn presence(&mut self) -> i128 {
        match self.take() {
            PendingValue::Absent(_) | PendingValue::Value(Json::Null) => 0,
            other => {
                self.put_back(other);
                1
            }
        }
    }

    fn number(&mut self, domain: &Domain) -> i128 {
        match self.take() {
            PendingValue::Value(Json::Number(written)) => match whole(&written) {
                Some(number) => in_domain(number, domain, "numbers"),
                None => wrong_type(&PendingValue::Value(Json::Number(written)), "a whole number"),
            },
            PendingValue::Char(c) => {
                // A set of characters is a list whose order only its generator knows.
                if domain.size() > POSSIBILITIES_MAX {
                    refuse(format!("the generator has too many characters to search for {c:?}"));
                }
                self.open_choices.borrow_mut().take(domain)
            }
            other => wrong_type(&other, "a number"),
        }
    }

    fn float(&mut self, domain: &Domain) -> i128 {
        let number = match self.take() {
            PendingValue::Value(Json::Number(written)) => {
                written.parse::<f64>().unwrap_or(f64::NAN)
            }
            other => wrong_type(&other, "a number"),
        };
        let number = match domain.kind {
            ChoiceKind::Float32 => float::number_of_f32(number as f32),
            _ => float::number_of_f64(number),
        };
        in_domain(number, domain, "numbers")
    }

    fn character(&mut self, domain: &Domain) -> i128 {
        let pending = self.take();
        let c = match &pending {
            PendingValue::Char(c) => Some(*c),
            PendingValue::Value(Json::Text(text)) => {
                let mut chars = text.chars();
                chars.next().filter(|_| chars.next().is_none())
            }
            _ => None,
        };
        match c.map(text::number_of) {
            Some(number) if domain.contains(number) => number,
            Some(_) => refuse(format!("the generator never generates {}", pending.show())),
            None => wrong_type(&pending, "a single character"),
        }
    }

    fn boolean(&mut self) -> i128 {
        match self.take() {
            PendingValue::Value(Json::Bool(value)) => i128::from(value),
            other => wrong_type(&other, "a boolean"),
        }
    }

    /// Returns the variant of an enum: from a string with its name, or from an object that names
    /// it.
    fn variant(&mut self, names: &[&str]) -> i128 {
        let pending = self.take();
        let index_of = |name: &str| names.iter().position(|known| same_name(known, name));
        let found = match &pending {
            PendingValue::Value(Json::Text(name)) => index_of(name).map(|at| (at, None)),
            PendingValue::Value(Json::Object(fields)) => match fields.as_slice() {
                [(name, value)] if index_of(name).is_some() => {
                    index_of(name).map(|at| (at, Some(value.clone())))
                }
                fields => tagged(fields, &index_of),
            },
            _ => None,
        };
        match found {
            Some((at, rest)) => {
                self.stack.extend(rest.map(PendingValue::Value));
                at as i128
            }
            None => {
                let expected = format!("one of `{}`", strings::joined(names, "`, `"));
                wrong_type(&pending, &expected)
            }
        }
    }

    /// Tries one of several generators after the other. The value stays on the stack.
    fn alternative(&mut self, domain: &Domain) -> i128 {
        if domain.size() > POSSIBILITIES_MAX {
            refuse("the generator has too many alternatives to try".to_owned());
        }
        self.open_choices.borrow_mut().take(domain)
    }

    /// Tries one of several values after the other. Consumes the value, whatever it is.
    fn index(&mut self, domain: &Domain) -> i128 {
        self.take();
        self.alternative(domain)
    }
}

/// Finds the variant of an object that has its name in one of the usual fields.
fn tagged(
    fields: &[(String, Json)],
    index_of: &dyn Fn(&str) -> Option<usize>,
) -> Option<(usize, Option<Json>)> {
    let is_tag = |name: &str| ["type", "kind", "tag"].contains(&name);
    let (name, tag) = fields.iter().find(|(name, _)| is_tag(name))?;
    let at = index_of(tag.as_text()?)?;
    let mut rest = Vec::new();
    for field in fields {
        if field.0 != *name {
            rest.push(field.clone());
        }
    }
    let is_unit = rest.is_empty();
    Some((at, (!is_unit).then_some(Json::Object(rest))))
}

impl Driver for DocumentDriver {
    fn choose(&mut self, request: &Request<'_>, _so_far: &[Token]) -> i128 {
        let domain = &request.domain;
        if let Some(number) = self.supplied.pop() {
            return number;
        }
        match (domain.role, domain.kind) {
            (Role::Length, _) => self.length(domain),
            (Role::Presence, _) => self.presence(),
            (Role::Alternative, _) if request.names.is_empty() => self.alternative(domain),
            (Role::Alternative, _) => self.variant(request.names),
            (Role::Index, _) => self.index(domain),
            (Role::Steps | Role::Trail, _) => 0,
            (Role::Value, ChoiceKind::Integer) => self.number(domain),
            (Role::Value, ChoiceKind::Char) => self.character(domain),
            (Role::Value, ChoiceKind::Boolean) => self.boolean(),
            (Role::Value, ChoiceKind::Float32 | ChoiceKind::Float64) => self.float(domain),
            (Role::Value, ChoiceKind::Opaque) => {
                refuse("another crate generates this value, and Rebut cannot choose it".to_owned())
            }
        }
    }

    fn open(&mut self, label: Label, _so_far: &[Token]) {
        match &mut self.depth {
            Some(depth) => *depth += 1,
            None if label == Label::ARGUMENT => {
                self.depth = Some(0);
                self.stack.clear();
                self.stack.extend(self.arguments.pop().map(PendingValue::Value));
            }
            None => {}
        }
        if label == ARRAY
            && let Some(PendingValue::Value(Json::List(list))) = self.stack.last().cloned()
        {
            self.stack.pop();
            self.put_back_all(list.into_iter());
        }
        if label == WIDE
            && let Some(PendingValue::Value(Json::Number(written))) = self.stack.last()
            && let Ok(number) = written.parse::<u128>()
        {
            self.stack.pop();
            let halves = [number >> 64, number & u128::from(u64::MAX)];
            self.put_back_all(halves.map(|half| Json::Number(half.to_string())).into_iter());
        }
    }

    fn close(&mut self, _so_far: &[Token]) {
        match &mut self.depth {
            Some(0) => {
                self.depth = None;
                if let Some(left) = self.stack.last() {
                    refuse(format!("the value has parts that the type lacks: {}", left.show()));
                }
            }
            Some(depth) => *depth -= 1,
            None => {}
        }
    }

    fn announce_fields(&mut self, parts: &[&str]) {
        // A struct around a single value is written as that value.
        if parts == ["0"] {
            return;
        }
        match self.take() {
            PendingValue::Value(Json::Object(fields)) => {
                for (name, _) in &fields {
                    if !parts.iter().any(|part| same_name(part, name)) {
                        let has = strings::joined(parts, "`, `");
                        refuse(format!("the type has no field `{name}`; it has `{has}`"));
                    }
                }
                for part in parts.iter().rev() {
                    let field = fields.iter().find(|(name, _)| same_name(part, name));
                    self.stack.push(match field {
                        Some((_, value)) => PendingValue::Value(value.clone()),
                        None => PendingValue::Absent((*part).to_owned()),
                    });
                }
            }
            PendingValue::Value(Json::List(list)) if list.len() == parts.len() => {
                self.put_back_all(list.into_iter());
            }
            other => {
                let expected = match parts[0] {
                    "0" => format!("a list of {} elements", parts.len()),
                    _ => format!("an object with `{}`", strings::joined(parts, "`, `")),
                };
                wrong_type(&other, &expected)
            }
        }
    }

    fn expected_text(&mut self) -> Option<String> {
        match self.stack.pop() {
            Some(PendingValue::Value(Json::Text(text))) => Some(text),
            other => {
                self.stack.extend(other);
                None
            }
        }
    }

    fn expected_char(&mut self) -> Option<char> {
        if !self.supplied.is_empty() {
            return None;
        }
        match self.stack.pop() {
            Some(PendingValue::Char(c)) => Some(c),
            other => {
                self.stack.extend(other);
                None
            }
        }
    }

    fn supply(&mut self, mut numbers: Vec<i128>) {
        numbers.reverse();
        self.supplied = numbers;
    }

    fn can_retry(&self) -> bool {
        false
    }

    fn accepts_next_key(&self) -> bool {
        false
    }
}

/// Parses a whole number, even if it is written with an exponent or a fraction of zeros.
fn whole(written: &str) -> Option<i128> {
    if let Ok(number) = written.parse::<i128>() {
        return Some(number);
    }
    // An `f64` represents all whole numbers up to this one.
    const EXACT_MAX: f64 = (1u64 << 53) as f64;
    let number = written.parse::<f64>().ok()?;
    (number.trunc() == number && number.abs() <= EXACT_MAX).then_some(number as i128)
}

fn in_domain(number: i128, domain: &Domain, what: &str) -> i128 {
    if domain.contains(number) {
        return number;
    }
    match domain.kind {
        ChoiceKind::Float32 | ChoiceKind::Float64 => {
            refuse(format!("the generator never generates it (its {what} exclude it)"))
        }
        _ => refuse(format!("the generator's {what} are from {} to {}", domain.min, domain.max)),
    }
}

fn wrong_type(pending: &PendingValue, expected: &str) -> ! {
    refuse(format!("the type needs {expected}, found {}", pending.show()))
}

fn refuse(why: String) -> ! {
    Stop::Rejected(why.into()).raise()
}

/// Truncates a document to a readable length.
pub(super) fn short(text: &str) -> String {
    // About two lines of a report. A product decision.
    const LENGTH_MAX: usize = 120;
    match text.char_indices().nth(LENGTH_MAX) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}..", &text[..end]),
    }
}
