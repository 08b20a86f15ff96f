//! Strings of bounded length, as rows of characters.
//!
//! A string is a fixed number of character slots and a length. Slots beyond the length are zero,
//! so equal strings are equal rows, and concatenation is a shift and an `or`: `ab` and `c` in
//! rows of three slots are `a b 0` and `c 0 0`; shifted by the length of the first, the second
//! is `0 0 c`, and the `or` of both is `a b c`.
//!
//! Membership in a regular expression runs its automaton along the row, with one literal for
//! each state and slot.
//!
//! Variables are searched among the printable characters of ASCII, so that models are readable.
//! That finds a solution in most cases and never proves that there is none. The character zero
//! marks an empty slot, so strings that contain it are not supported.

use super::sat::Lit;
use super::words::{Word, resize_signed};
use super::{Blaster, Gates};
use crate::answer::{Reason, ReasonKind};
use crate::evaluate::automaton::{Automaton, automaton};
use crate::op::Op;
use crate::range::Interval;
use crate::{Sort, Term, Value};

/// The bits of a character: 2^21 exceeds `char::MAX`.
const CHAR_BITS: usize = 21;

/// The number of slots of a string. Arbitrary: circuits grow with it. A longer string makes the
/// query unknown ([`ReasonKind::TooLarge`]).
const LENGTH_MAX: usize = 300;

/// The number of digits that `str.to_int` reads: 10^18 fits 62 bits. Longer strings are excluded
/// from the search, so a solution that needs one is not found.
const DIGITS_MAX: usize = 18;

/// A string as literals.
#[derive(Clone, Debug)]
pub(super) struct StringCircuit {
    /// One word per slot.
    chars: Vec<Word>,
    /// A non-negative number in two's complement.
    length: Word,
}

impl Blaster<'_> {
    pub(super) fn string(&mut self, term: Term) -> Result<StringCircuit, Reason> {
        let string = match (self.pool.op(term), self.pool.args(term)) {
            (Op::Const(_), _) => self.constant_string(term)?,
            (Op::Var(_), _) => self.input_string(),
            (Op::Ite, [condition, a, b]) => {
                let (condition, a, b) =
                    (self.lit(*condition), self.string_circuit(*a), self.string_circuit(*b));
                self.choose_string(condition, &a, &b)
            }
            (Op::StrConcat, args) => {
                let mut joined = StringCircuit { chars: Vec::new(), length: vec![Lit::FALSE] };
                for arg in args {
                    let next = self.string_circuit(*arg);
                    joined = self.join(&joined, &next);
                }
                joined
            }
            (Op::StrAt, [a, from]) => {
                let (a, from) = (self.string_circuit(*a), self.word(*from));
                self.part(&a, &from, &Gates::constant(2, 1))
            }
            (Op::StrSubstr, [a, from, length]) => {
                let (a, from, length) =
                    (self.string_circuit(*a), self.word(*from), self.word(*length));
                self.part(&a, &from, &length)
            }
            (Op::StrReplace, [a, b, c]) => {
                let (a, b, c) =
                    (self.string_circuit(*a), self.string_circuit(*b), self.string_circuit(*c));
                self.replaced(&a, &b, &c)
            }
            _ => return Err(Reason::about(ReasonKind::Unsupported(Sort::String), term)),
        };
        match string.chars.len() <= LENGTH_MAX {
            true => Ok(string),
            false => Err(Reason::about(ReasonKind::TooLarge, term)),
        }
    }

    pub(super) fn string_circuit(&self, term: Term) -> StringCircuit {
        let empty = || StringCircuit { chars: Vec::new(), length: vec![Lit::FALSE] };
        self.strings.get(&term).cloned().unwrap_or_else(empty)
    }

    fn constant_string(&self, term: Term) -> Result<StringCircuit, Reason> {
        let text = self.pool.value(term).and_then(Value::as_str).unwrap_or_default();
        if text.contains('\0') {
            return Err(Reason::about(ReasonKind::Unsupported(Sort::String), term));
        }
        let chars: Vec<Word> =
            text.chars().map(|c| Gates::constant(CHAR_BITS, u32::from(c).into())).collect();
        let length = length_word(chars.len(), chars.len());
        Ok(StringCircuit { chars, length })
    }

    fn input_string(&mut self) -> StringCircuit {
        /// The bits of an ASCII character.
        const ASCII_BITS: usize = 7;
        let max = self.length_max;
        let mut length = self.inputs(length_word(max, 0).len() - 1);
        length.push(Lit::FALSE);
        let above = self.gates.ult(&length_word(max, max), &length);
        self.gates.sat.clause(&[!above]);
        let mut chars = Vec::new();
        for slot in 0..max {
            let code = self.inputs(ASCII_BITS);
            let (low, high) =
                (Gates::constant(ASCII_BITS, 0x20), Gates::constant(ASCII_BITS, 0x7e));
            let (under, over) = (self.gates.ult(&code, &low), self.gates.ult(&high, &code));
            let used = self.is_before(slot, &length);
            self.gates.sat.clause(&[!used, !under]);
            self.gates.sat.clause(&[!used, !over]);
            let mut char: Word = code.iter().map(|lit| self.gates.and(*lit, used)).collect();
            char.resize(CHAR_BITS, Lit::FALSE);
            chars.push(char);
        }
        StringCircuit { chars, length }
    }

    pub(super) fn string_value(&self, term: Term) -> Value {
        let text = self.string_circuit(term);
        let number = |word: &[Lit]| {
            let set = |(n, lit): (usize, &Lit)| usize::from(self.gates.sat.value(*lit)) << n;
            word.iter().enumerate().map(set).sum::<usize>()
        };
        let chars = text.chars[..number(&text.length).min(text.chars.len())].iter();
        let read = |char: &Word| char::from_u32(number(char) as u32).unwrap_or(' ');
        Value::from(&*chars.map(read).collect::<String>())
    }

    /// Whether a slot is within the length.
    fn is_before(&mut self, slot: usize, length: &[Lit]) -> Lit {
        let slot = Gates::constant(length.len().max(12), slot as u128);
        let length = resize_signed(length, slot.len());
        self.gates.ult(&slot, &length)
    }

    fn choose_string(
        &mut self,
        condition: Lit,
        a: &StringCircuit,
        b: &StringCircuit,
    ) -> StringCircuit {
        let count = a.chars.len().max(b.chars.len());
        let chars = (0..count)
            .map(|n| self.gates.choose_word(condition, &char_at(a, n), &char_at(b, n)))
            .collect();
        let (x, y) = same_width(&a.length, &b.length);
        StringCircuit { chars, length: self.gates.choose_word(condition, &x, &y) }
    }

    fn join(&mut self, a: &StringCircuit, b: &StringCircuit) -> StringCircuit {
        let count = a.chars.len() + b.chars.len();
        let moved = self.moved(b, &a.length, count, false);
        let chars =
            (0..count).map(|n| self.gates.map2(&char_at(a, n), &moved[n], Gates::or)).collect();
        let width = length_word(count, 0).len();
        let (x, y) = (resize_signed(&a.length, width), resize_signed(&b.length, width));
        StringCircuit { chars, length: self.gates.add(&x, &y, Lit::FALSE) }
    }

    /// Shifts a row to the front or to the back by a non-negative number, with one stage per bit
    /// of the number. Characters that are shifted out are dropped.
    fn moved(
        &mut self,
        text: &StringCircuit,
        by: &[Lit],
        count: usize,
        to_front: bool,
    ) -> Vec<Word> {
        let mut chars: Vec<Word> =
            (0..count.max(text.chars.len())).map(|n| char_at(text, n)).collect();
        for (stage, bit) in by.iter().enumerate() {
            let slots = 1usize.checked_shl(stage as u32).unwrap_or(usize::MAX);
            let from = |n: usize| match to_front {
                true => n.checked_add(slots),
                false => n.checked_sub(slots),
            };
            let blank = vec![Lit::FALSE; CHAR_BITS];
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

    /// Returns `count` characters starting at `from`, as defined for `str.substr`.
    fn part(&mut self, text: &StringCircuit, from: &[Lit], count: &[Lit]) -> StringCircuit {
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

    /// Keeps the first `length` characters and clears the other slots.
    fn cut(&mut self, chars: &[Word], length: Word) -> StringCircuit {
        let chars = chars
            .iter()
            .enumerate()
            .map(|(slot, char)| {
                let used = self.is_before(slot, &length);
                char.iter().map(|lit| self.gates.and(*lit, used)).collect()
            })
            .collect();
        StringCircuit { chars, length }
    }

    /// Whether `part` occurs in `text` at a slot. An empty part also occurs at the end.
    fn matches_at(&mut self, text: &StringCircuit, part: &StringCircuit, slot: usize) -> Lit {
        let mut all = Vec::new();
        for (n, char) in part.chars.iter().enumerate() {
            let used = self.is_before(n, &part.length);
            let same = self.gates.eq(&char_at(text, slot + n), char);
            all.push(self.gates.or(!used, same));
        }
        let beyond = self.is_before(slot, &text.length);
        let at_end = Gates::constant(text.length.len().max(12), slot as u128);
        let (length, slot) = same_width(&text.length, &at_end);
        let at_end = self.gates.eq(&length, &slot);
        all.push(self.gates.or(beyond, at_end));
        self.gates.all(&all)
    }

    pub(super) fn string_relation(
        &mut self,
        op: Op,
        a: Term,
        b: Term,
        term: Term,
    ) -> Result<Lit, Reason> {
        if op == Op::InRe {
            let text = self.string_circuit(a);
            return self.member(&text, b, term);
        }
        let (a, b) = (self.string_circuit(a), self.string_circuit(b));
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
                let tail = StringCircuit { chars: moved, length: a.length.clone() };
                let same = self.gates.eq(&row(&tail, count), &row(&a, count));
                self.gates.and(!negative, same)
            }
            Op::StrContains => {
                let found: Vec<Lit> =
                    (0..=a.chars.len()).map(|slot| self.matches_at(&a, &b, slot)).collect();
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
            _ => return Err(Reason::about(ReasonKind::Unsupported(Sort::String), term)),
        })
    }

    /// Returns the word and the bounds of an `Int` that is computed from strings, such as a
    /// length. `None` for other operators.
    pub(super) fn string_number(&mut self, term: Term) -> Option<(Word, Interval)> {
        let args = self.pool.args(term);
        let text = self.string_circuit(*args.first()?);
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
                let (part, from) = (self.string_circuit(*part), self.word(*from));
                Some((self.index_of(&text, &part, &from), Interval { min: -1, max: count }))
            }
            (Op::StrToInt, _) => {
                Some((self.digits(&text), Interval { min: -1, max: 10i128.pow(18) }))
            }
            _ => None,
        }
    }

    /// Returns the first slot at or after `from` where `part` occurs, or -1.
    fn index_of(&mut self, text: &StringCircuit, part: &StringCircuit, from: &[Lit]) -> Word {
        let width = from.len().max(length_word(text.chars.len(), 0).len()) + 1;
        let from = resize_signed(from, width);
        let mut found = vec![Lit::TRUE; width];
        for slot in (0..=text.chars.len()).rev() {
            let here = Gates::constant(width, slot as u128);
            let is_early = self.gates.slt(&here, &from);
            let matches = self.matches_at(text, part, slot);
            let counts = self.gates.and(matches, !is_early);
            found = self.gates.choose_word(counts, &here, &found);
        }
        let negative = from.last().copied().unwrap_or(Lit::FALSE);
        found.iter().map(|lit| self.gates.or(*lit, negative)).collect()
    }

    /// Reads decimal digits as a number; -1 if the string is empty or contains anything else.
    /// Excludes strings of more than [`DIGITS_MAX`] characters.
    fn digits(&mut self, text: &StringCircuit) -> Word {
        /// The bits of the greatest number of `DIGITS_MAX` digits, and two to spare.
        const WIDTH: usize = 62;
        let too_long = self.is_before(DIGITS_MAX, &text.length);
        self.gates.sat.clause(&[!too_long]);
        let mut number = vec![Lit::FALSE; WIDTH];
        let mut are_digits = vec![self.is_before(0, &text.length)];
        let ten = Gates::constant(WIDTH, 10);
        for (slot, char) in text.chars.iter().enumerate().take(DIGITS_MAX) {
            let used = self.is_before(slot, &text.length);
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

    fn replaced(
        &mut self,
        text: &StringCircuit,
        part: &StringCircuit,
        other: &StringCircuit,
    ) -> StringCircuit {
        let slot = self.index_of(text, part, &[Lit::FALSE]);
        let none = slot.last().copied().unwrap_or(Lit::TRUE);
        let before = self.part(text, &[Lit::FALSE], &slot);
        let width = slot.len().max(part.length.len()) + 1;
        let (x, y) = (resize_signed(&slot, width), resize_signed(&part.length, width));
        let after = self.gates.add(&x, &y, Lit::FALSE);
        let after = self.part(text, &after, &text.length.clone());
        let joined = self.join(&before, other);
        let joined = self.join(&joined, &after);
        self.choose_string(none, text, &joined)
    }

    fn is_between(&mut self, char: &[Lit], low: char, high: char) -> Lit {
        let constant = |c: char| Gates::constant(CHAR_BITS, u32::from(c).into());
        let under = self.gates.ult(char, &constant(low));
        let over = self.gates.ult(&constant(high), char);
        self.gates.and(!under, !over)
    }

    /// Runs the automaton of a regular expression along the row. The string matches if the
    /// automaton accepts at the slot where the string ends.
    fn member(&mut self, text: &StringCircuit, regex: Term, term: Term) -> Result<Lit, Reason> {
        let Some(automaton) = automaton(self.pool, regex) else {
            return Err(Reason::about(ReasonKind::Unsupported(Sort::RegLan), term));
        };
        let states = automaton.accepting.len();
        let mut at: Vec<Lit> = (0..states).map(|state| Lit::constant(state == 0)).collect();
        let mut ways = Vec::new();
        for slot in 0..=text.chars.len() {
            let accepting: Vec<Lit> = (0..states)
                .filter(|state| automaton.accepting[*state])
                .map(|state| at[state])
                .collect();
            let accepts = self.gates.any(&accepting);
            let width = text.length.len().max(12);
            let here = Gates::constant(width, slot as u128);
            let ends = self.gates.eq(&resize_signed(&text.length, width), &here);
            ways.push(self.gates.and(accepts, ends));
            if let Some(char) = text.chars.get(slot) {
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
            // Classes with the same target share one gate.
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

/// Encodes a length with the bits that `max` needs, and a sign.
fn length_word(max: usize, length: usize) -> Word {
    Gates::constant(Interval { min: 0, max: max as i128 }.width() as usize, length as u128)
}

fn char_at(text: &StringCircuit, slot: usize) -> Word {
    text.chars.get(slot).cloned().unwrap_or_else(|| vec![Lit::FALSE; CHAR_BITS])
}

fn same_width(a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len().max(b.len());
    (resize_signed(a, width), resize_signed(b, width))
}

/// Concatenates the literals of all characters. Empty slots are zero and characters are not, so
/// two equal rows have equal lengths.
fn row(text: &StringCircuit, count: usize) -> Word {
    (0..count).flat_map(|n| char_at(text, n)).collect()
}
