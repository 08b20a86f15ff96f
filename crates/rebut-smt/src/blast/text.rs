//! Texts of bounded length, as rows of characters.
//!
//! A text is as many characters as it can have at most, and its length; what is beyond the
//! length is zero, so that equal texts are equal rows and joining is a shift and an `or`.
//! Variables are looked for among printable characters of ASCII, which people can read. That is
//! only a part of all texts: enough to find a solution in most cases, never enough to prove that
//! there is none. The character zero itself is not known here.
//!
//! Membership in a regular expression runs its automaton along the row, one literal for each
//! state and place.

use super::sat::Lit;
use super::words::{Word, resize_signed};
use super::{Blaster, Gates};
use crate::answer::{Reason, Why};
use crate::evaluate::automaton::{Automaton, automaton};
use crate::op::Op;
use crate::range::Interval;
use crate::{Sort, Term, Value};

/// Bits of a character.
const CHAR: usize = 21;

/// Texts that may get longer than this are given up.
const LENGTH_MAX: usize = 300;

/// Texts that are read as numbers have at most so many digits.
const DIGITS_MAX: usize = 18;

#[derive(Clone, Debug)]
pub(super) struct Text {
    chars: Vec<Word>,
    /// As a number that is not negative, with a sign.
    length: Word,
}

impl Blaster<'_> {
    pub(super) fn text(&mut self, term: Term) -> Result<Text, Reason> {
        let text = match (self.pool.op(term), self.pool.args(term)) {
            (Op::Const(_), _) => self.constant_text(term)?,
            (Op::Var(_), _) => self.input_text(),
            (Op::Ite, [condition, a, b]) => {
                let (condition, a, b) = (self.lit(*condition), self.text_of(*a), self.text_of(*b));
                self.choose_text(condition, &a, &b)
            }
            (Op::StrConcat, args) => {
                let mut joined = Text { chars: Vec::new(), length: vec![Lit::FALSE] };
                for arg in args {
                    let next = self.text_of(*arg);
                    joined = self.join(&joined, &next);
                }
                joined
            }
            (Op::StrAt, [a, from]) => {
                let (a, from) = (self.text_of(*a), self.word(*from));
                self.part(&a, &from, &Gates::constant(2, 1))
            }
            (Op::StrSubstr, [a, from, length]) => {
                let (a, from, length) = (self.text_of(*a), self.word(*from), self.word(*length));
                self.part(&a, &from, &length)
            }
            (Op::StrReplace, [a, b, c]) => {
                let (a, b, c) = (self.text_of(*a), self.text_of(*b), self.text_of(*c));
                self.replaced(&a, &b, &c)
            }
            _ => return Err(Reason::about(Why::Unsupported(Sort::String), term)),
        };
        match text.chars.len() <= LENGTH_MAX {
            true => Ok(text),
            false => Err(Reason::about(Why::TooLarge, term)),
        }
    }

    pub(super) fn text_of(&self, term: Term) -> Text {
        let empty = || Text { chars: Vec::new(), length: vec![Lit::FALSE] };
        self.texts.get(&term).cloned().unwrap_or_else(empty)
    }

    fn constant_text(&self, term: Term) -> Result<Text, Reason> {
        let text = self.pool.value(term).and_then(Value::as_str).unwrap_or_default();
        if text.contains('\0') {
            return Err(Reason::about(Why::Unsupported(Sort::String), term));
        }
        let chars: Vec<Word> =
            text.chars().map(|c| Gates::constant(CHAR, u32::from(c).into())).collect();
        let length = length_word(chars.len(), chars.len());
        Ok(Text { chars, length })
    }

    fn input_text(&mut self) -> Text {
        const PRINTABLE: usize = 7;
        let max = self.length_max;
        let mut length = self.inputs(length_word(max, 0).len() - 1);
        length.push(Lit::FALSE);
        let above = self.gates.ult(&length_word(max, max), &length);
        self.gates.sat.clause(&[!above]);
        let mut chars = Vec::new();
        for place in 0..max {
            let drawn = self.inputs(PRINTABLE);
            let (low, high) = (Gates::constant(PRINTABLE, 0x20), Gates::constant(PRINTABLE, 0x7e));
            let (under, over) = (self.gates.ult(&drawn, &low), self.gates.ult(&high, &drawn));
            let used = self.is_before(place, &length);
            self.gates.sat.clause(&[!used, !under]);
            self.gates.sat.clause(&[!used, !over]);
            let mut char: Word = drawn.iter().map(|lit| self.gates.and(*lit, used)).collect();
            char.resize(CHAR, Lit::FALSE);
            chars.push(char);
        }
        Text { chars, length }
    }

    pub(super) fn text_value(&self, term: Term) -> Value {
        let text = self.text_of(term);
        let number = |word: &[Lit]| {
            let set = |(n, lit): (usize, &Lit)| usize::from(self.gates.sat.value(*lit)) << n;
            word.iter().enumerate().map(set).sum::<usize>()
        };
        let chars = text.chars[..number(&text.length).min(text.chars.len())].iter();
        let read = |char: &Word| char::from_u32(number(char) as u32).unwrap_or(' ');
        Value::from(&*chars.map(read).collect::<String>())
    }

    /// Whether a place is within a length.
    fn is_before(&mut self, place: usize, length: &[Lit]) -> Lit {
        let place = Gates::constant(length.len().max(12), place as u128);
        let length = resize_signed(length, place.len());
        self.gates.ult(&place, &length)
    }

    fn choose_text(&mut self, condition: Lit, a: &Text, b: &Text) -> Text {
        let count = a.chars.len().max(b.chars.len());
        let chars = (0..count)
            .map(|n| self.gates.choose_word(condition, &char_at(a, n), &char_at(b, n)))
            .collect();
        let (x, y) = same_width(&a.length, &b.length);
        Text { chars, length: self.gates.choose_word(condition, &x, &y) }
    }

    fn join(&mut self, a: &Text, b: &Text) -> Text {
        let count = a.chars.len() + b.chars.len();
        let moved = self.moved(b, &a.length, count, false);
        let chars =
            (0..count).map(|n| self.gates.map2(&char_at(a, n), &moved[n], Gates::or)).collect();
        let width = length_word(count, 0).len();
        let (x, y) = (resize_signed(&a.length, width), resize_signed(&b.length, width));
        Text { chars, length: self.gates.add(&x, &y, Lit::FALSE) }
    }

    /// The row shifted to the front or to the back by a number that is not negative, one stage
    /// for each of its bits. What is shifted out is lost.
    fn moved(&mut self, text: &Text, by: &[Lit], count: usize, to_front: bool) -> Vec<Word> {
        let mut chars: Vec<Word> =
            (0..count.max(text.chars.len())).map(|n| char_at(text, n)).collect();
        for (stage, bit) in by.iter().enumerate() {
            let places = 1usize.checked_shl(stage as u32).unwrap_or(usize::MAX);
            let from = |n: usize| match to_front {
                true => n.checked_add(places),
                false => n.checked_sub(places),
            };
            let blank = vec![Lit::FALSE; CHAR];
            let shifted: Vec<Word> = (0..chars.len())
                .map(|n| from(n).and_then(|n| chars.get(n)).unwrap_or(&blank).clone())
                .collect();
            chars = (0..chars.len())
                .map(|n| self.gates.choose_word(*bit, &shifted[n], &chars[n]))
                .collect();
        }
        chars.truncate(count);
        chars
    }

    /// So many characters from a place on, as `str.substr` has it.
    fn part(&mut self, text: &Text, from: &[Lit], count: &[Lit]) -> Text {
        let width = text.length.len().max(from.len()).max(count.len()) + 1;
        let [length, from, count] =
            [&text.length, from, count].map(|word| resize_signed(word, width));
        let zero = vec![Lit::FALSE; width];
        let starts_before = self.gates.slt(&from, &zero);
        let starts_within = self.gates.slt(&from, &length);
        let takes_some = self.gates.slt(&zero, &count);
        let is_some = self.gates.all(&[!starts_before, starts_within, takes_some]);
        let rest = self.gates.sub(&length, &from);
        let is_less = self.gates.slt(&count, &rest);
        let taken = self.gates.choose_word(is_less, &count, &rest);
        let taken = self.gates.choose_word(is_some, &taken, &zero);
        let taken = resize_signed(&taken, text.length.len());
        let moved = self.moved(text, &from[..text.length.len()], text.chars.len(), true);
        self.cut(&moved, taken)
    }

    /// The first characters, and blanks after them.
    fn cut(&mut self, chars: &[Word], length: Word) -> Text {
        let chars = chars
            .iter()
            .enumerate()
            .map(|(place, char)| {
                let used = self.is_before(place, &length);
                char.iter().map(|lit| self.gates.and(*lit, used)).collect()
            })
            .collect();
        Text { chars, length }
    }

    /// Whether `part` stands in `text` at a place.
    fn matches_at(&mut self, text: &Text, part: &Text, place: usize) -> Lit {
        let mut all = Vec::new();
        for (n, char) in part.chars.iter().enumerate() {
            let used = self.is_before(n, &part.length);
            let same = self.gates.eq(&char_at(text, place + n), char);
            all.push(self.gates.or(!used, same));
        }
        let beyond = self.is_before(place, &text.length);
        let at_end = Gates::constant(text.length.len().max(12), place as u128);
        let (length, place) = same_width(&text.length, &at_end);
        let at_end = self.gates.eq(&length, &place);
        all.push(self.gates.or(beyond, at_end));
        self.gates.all(&all)
    }

    pub(super) fn text_relation(
        &mut self,
        op: Op,
        a: Term,
        b: Term,
        term: Term,
    ) -> Result<Lit, Reason> {
        if op == Op::InRe {
            let text = self.text_of(a);
            return self.member(&text, b, term);
        }
        let (a, b) = (self.text_of(a), self.text_of(b));
        let count = a.chars.len().max(b.chars.len());
        Ok(match op {
            Op::Eq => {
                let (x, y) = (row(&a, count), row(&b, count));
                self.gates.eq(&x, &y)
            }
            Op::StrPrefixOf => self.matches_at(&b, &a, 0),
            Op::StrSuffixOf => {
                let (x, y) = same_width(&a.length, &b.length);
                let gap = self.gates.sub(&y, &x);
                let negative = gap.last().copied().unwrap_or(Lit::FALSE);
                let moved = self.moved(&b, &gap, b.chars.len(), true);
                let tail = Text { chars: moved, length: a.length.clone() };
                let same = self.gates.eq(&row(&tail, count), &row(&a, count));
                self.gates.and(!negative, same)
            }
            Op::StrContains => {
                let found: Vec<Lit> =
                    (0..=a.chars.len()).map(|place| self.matches_at(&a, &b, place)).collect();
                self.gates.any(&found)
            }
            Op::StrLt => {
                let mut less = Lit::FALSE;
                for n in (0..count).rev() {
                    let (x, y) = (char_at(&a, n), char_at(&b, n));
                    let (same, here) = (self.gates.eq(&x, &y), self.gates.ult(&x, &y));
                    less = self.gates.choose(same, less, here);
                }
                less
            }
            _ => return Err(Reason::about(Why::Unsupported(Sort::String), term)),
        })
    }

    /// Numbers that are read off texts; none if the operator is another.
    pub(super) fn text_number(&mut self, term: Term) -> Option<(Word, Interval)> {
        let args = self.pool.args(term);
        let text = self.text_of(*args.first()?);
        let count = text.chars.len() as i128;
        match (self.pool.op(term), args) {
            (Op::StrLen, _) => Some((text.length, Interval { min: 0, max: count })),
            (Op::StrToCode, _) => {
                let one = Gates::constant(text.length.len(), 1);
                let is_one = match text.length.len() {
                    1 => Lit::FALSE,
                    _ => self.gates.eq(&text.length, &one),
                };
                let mut code = char_at(&text, 0);
                code.push(Lit::FALSE);
                let none = vec![Lit::TRUE; code.len()];
                let word = self.gates.choose_word(is_one, &code, &none);
                Some((word, Interval { min: -1, max: 0x10_ffff }))
            }
            (Op::StrIndexOf, [_, part, from]) => {
                let (part, from) = (self.text_of(*part), self.word(*from));
                Some((self.index_of(&text, &part, &from), Interval { min: -1, max: count }))
            }
            (Op::StrToInt, _) => {
                Some((self.digits(&text), Interval { min: -1, max: 10i128.pow(18) }))
            }
            _ => None,
        }
    }

    /// The first place from `from` on where `part` stands; -1 if there is none.
    fn index_of(&mut self, text: &Text, part: &Text, from: &[Lit]) -> Word {
        let width = from.len().max(length_word(text.chars.len(), 0).len()) + 1;
        let from = resize_signed(from, width);
        let mut found = vec![Lit::TRUE; width];
        for place in (0..=text.chars.len()).rev() {
            let here = Gates::constant(width, place as u128);
            let is_early = self.gates.slt(&here, &from);
            let matches = self.matches_at(text, part, place);
            let counts = self.gates.and(matches, !is_early);
            found = self.gates.choose_word(counts, &here, &found);
        }
        let negative = from.last().copied().unwrap_or(Lit::FALSE);
        found.iter().map(|lit| self.gates.or(*lit, negative)).collect()
    }

    /// What the digits say; -1 if there is anything else. Texts of more digits than fit are not
    /// looked at.
    fn digits(&mut self, text: &Text) -> Word {
        const WIDTH: usize = 62;
        let too_long = self.is_before(DIGITS_MAX, &text.length);
        self.gates.sat.clause(&[!too_long]);
        let mut number = vec![Lit::FALSE; WIDTH];
        let mut are_digits = vec![self.is_before(0, &text.length)];
        let ten = Gates::constant(WIDTH, 10);
        for (place, char) in text.chars.iter().enumerate().take(DIGITS_MAX) {
            let used = self.is_before(place, &text.length);
            let is_digit = self.is_between(char, '0', '9');
            are_digits.push(self.gates.or(!used, is_digit));
            let mut digit = char[..4].to_vec();
            digit.resize(WIDTH, Lit::FALSE);
            let longer = self.gates.mul(&number, &ten);
            let longer = self.gates.add(&longer, &digit, Lit::FALSE);
            number = self.gates.choose_word(used, &longer, &number);
        }
        let are_digits = self.gates.all(&are_digits);
        number.push(Lit::FALSE);
        let none = vec![Lit::TRUE; number.len()];
        self.gates.choose_word(are_digits, &number, &none)
    }

    fn replaced(&mut self, text: &Text, part: &Text, other: &Text) -> Text {
        let place = self.index_of(text, part, &[Lit::FALSE]);
        let none = place.last().copied().unwrap_or(Lit::TRUE);
        let before = self.part(text, &[Lit::FALSE], &place);
        let width = place.len().max(part.length.len()) + 1;
        let (x, y) = (resize_signed(&place, width), resize_signed(&part.length, width));
        let after = self.gates.add(&x, &y, Lit::FALSE);
        let after = self.part(text, &after, &text.length.clone());
        let joined = self.join(&before, other);
        let joined = self.join(&joined, &after);
        self.choose_text(none, text, &joined)
    }

    fn is_between(&mut self, char: &[Lit], low: char, high: char) -> Lit {
        let constant = |c: char| Gates::constant(CHAR, u32::from(c).into());
        let under = self.gates.ult(char, &constant(low));
        let over = self.gates.ult(&constant(high), char);
        self.gates.and(!under, !over)
    }

    /// Runs the automaton along the row.
    fn member(&mut self, text: &Text, regex: Term, term: Term) -> Result<Lit, Reason> {
        let Some(automaton) = automaton(self.pool, regex) else {
            return Err(Reason::about(Why::Unsupported(Sort::RegLan), term));
        };
        let states = automaton.accepting.len();
        let mut at: Vec<Lit> = (0..states).map(|state| Lit::constant(state == 0)).collect();
        let mut ways = Vec::new();
        for place in 0..=text.chars.len() {
            let accepting: Vec<Lit> = (0..states)
                .filter(|state| automaton.accepting[*state])
                .map(|state| at[state])
                .collect();
            let accepts = self.gates.any(&accepting);
            let width = text.length.len().max(12);
            let here = Gates::constant(width, place as u128);
            let ends = self.gates.eq(&resize_signed(&text.length, width), &here);
            ways.push(self.gates.and(accepts, ends));
            if let Some(char) = text.chars.get(place) {
                at = self.step(&automaton, &at, char);
            }
        }
        Ok(self.gates.any(&ways))
    }

    fn step(&mut self, automaton: &Automaton, at: &[Lit], char: &[Lit]) -> Vec<Lit> {
        let classes: Vec<Lit> = automaton
            .classes
            .iter()
            .map(|(low, high)| self.is_between(char, *low, *high))
            .collect();
        let mut next: Vec<Vec<Lit>> = vec![Vec::new(); at.len()];
        for (state, here) in at.iter().enumerate().filter(|(_, here)| **here != Lit::FALSE) {
            // One gate for all classes that lead to the same state.
            let mut by_target: std::collections::BTreeMap<usize, Vec<Lit>> = Default::default();
            for (class, target) in automaton.next[state].iter().enumerate() {
                by_target.entry(*target).or_default().push(classes[class]);
            }
            for (target, classes) in by_target {
                let class = self.gates.any(&classes);
                next[target].push(self.gates.and(*here, class));
            }
        }
        next.iter().map(|ways| self.gates.any(ways)).collect()
    }
}

/// A length in as many bits as the greatest length needs, and a sign.
fn length_word(max: usize, length: usize) -> Word {
    Gates::constant(Interval { min: 0, max: max as i128 }.width() as usize, length as u128)
}

fn char_at(text: &Text, place: usize) -> Word {
    text.chars.get(place).cloned().unwrap_or_else(|| vec![Lit::FALSE; CHAR])
}

fn same_width(a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len().max(b.len());
    (resize_signed(a, width), resize_signed(b, width))
}

/// All literals of the characters. Blanks are zero and characters are not, so the length need
/// not be compared.
fn row(text: &Text, count: usize) -> Word {
    (0..count).flat_map(|n| char_at(text, n)).collect()
}
