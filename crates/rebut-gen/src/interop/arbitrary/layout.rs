//! Draws the bytes that an implementation of `Arbitrary` reads.
//!
//! An `Unstructured` is a plain slice, so the calls that read it cannot be observed. But the number of bytes
//! that are left after a run is known, and a run can be repeated on other bytes. That shows the
//! structure. The bytes after those already drawn are zeros, which almost every implementation
//! reads as the end: no element, the first variant. Then one byte is changed, and the number of
//! bytes read shows what it means:
//!
//! - Nothing changes: the byte is part of a number. A run of such bytes is drawn as words.
//! - Odd values read more: it is a `bool` that announces a value. If the same byte occurs again
//!   behind that value, and again, it is a list (`arbitrary_iter`), which is drawn as a sequence.
//! - Other values read more or less: it selects a variant.
//! - Bytes that are not UTF-8 read less: a string starts here.
//!
//! Lengths of strings are read from the end of the data. With more than 256 and at most 65,537
//! bytes left, a length is two bytes, and small ones mean themselves. So the data always has
//! [`PADDING`] zeros between the bytes for the front and those for the lengths.
//!
//! A wrong guess costs simplicity and never a value: every byte that is read can take any value
//! that matters. If the zeros do not end a value, the rest is drawn as a plain list of bytes.
//!
//! The road not taken: to draw a list of bytes in all cases. A deletion then moves all later bytes,
//! and numbers are not recognized as such. `tests/arbitrary.rs` has the measurement.

use std::collections::HashMap;
use std::rc::Rc;

use rebut_choice::{Domain, Label, Request, Role, Source, Stop};

use crate::Generator;
use crate::sequences::draw_sequence;
use crate::size::SIZE_MAX;
use crate::strings::strings;

/// Runs the implementation. Returns whether it succeeded, and the number of bytes left.
pub(super) type Read<'a> = &'a dyn Fn(&[u8]) -> (bool, usize);

/// The zeros behind the bytes that are drawn. More than [`PROBE_LENGTH`], and more than the 256
/// bytes below which lengths are encoded in another way.
const PADDING: usize = 2048;
/// The length for which a string is distinguished from what follows it. Arbitrary: more than
/// custom elements are likely to have in bytes.
const PROBE_LENGTH: u16 = 1024;
/// The maximum number of bytes before the padding, so that a length has two bytes.
const FRONT_MAX: usize = 60_000;

/// A value that a `bool`, a variant or an optional part announces.
const PART: Label = Label::recursive("arbitrary part");

/// Draws the data for one value.
pub(super) fn draw(source: &mut Source, read: Read<'_>, plans: &mut Plans) -> Vec<u8> {
    let reader = Reader { read, front: Vec::new(), lengths: Vec::new() };
    let mut layout = Layout { reader, plans, front: Vec::new(), lengths: Vec::new(), depth: 0 };
    if layout.draw_part(source, Tail::default()) {
        return with_lengths(layout.front, &layout.lengths);
    }
    // The implementation reads everything there is.
    let is_single = true;
    let rest = draw_sequence(source, (0, SIZE_MAX), is_single, |source| {
        source.integer(0, i128::from(u8::MAX)) as u8
    });
    layout.front.extend(rest);
    layout.front
}

/// The plans of earlier values of a type. They depend on the type alone.
pub(super) type Plans = HashMap<(Vec<u8>, Vec<u16>), Option<Rc<Plan>>>;

/// The number of plans to remember. Arbitrary: types without recursion have a few, and a plan that
/// was forgotten is made again.
const PLANS_MAX: usize = 4096;

struct Layout<'a> {
    reader: Reader<'a>,
    plans: &'a mut Plans,
    /// The bytes at the beginning that were drawn.
    front: Vec<u8>,
    /// The lengths that were drawn.
    lengths: Vec<u16>,
    /// The number of lists around the current position.
    depth: usize,
}

/// Runs the implementation to find out what it reads next. The data is what was drawn, in its
/// simplest form: all numbers are zero, all parts before the current one are absent. So a run costs
/// little, and there are few different plans.
struct Reader<'a> {
    read: Read<'a>,
    /// The bytes at the beginning.
    front: Vec<u8>,
    /// The lengths, which are read from the end.
    lengths: Vec<u16>,
}

/// The bytes that the implementation reads if zeros follow the data.
#[derive(Clone, Copy)]
struct Reading {
    /// The number of bytes, with those of the lengths.
    consumed: usize,
    /// The number of bytes at the beginning.
    front: usize,
    /// The number of lengths that are not drawn yet.
    pending: usize,
    is_ok: bool,
}

/// The bytes that are read behind a part and do not belong to it.
#[derive(Clone, Copy, Default)]
struct Tail {
    front: usize,
    pending: usize,
    /// Whether an error ends the reading behind the part.
    is_failing: bool,
}

/// The steps that draw a part.
pub(super) struct Plan {
    steps: Vec<Step>,
    /// Whether the steps are the whole part. The rest depends on a length.
    is_whole: bool,
}

enum Step {
    Text,
    Length,
    Words(Vec<Word>),
    /// A list: each element has a `1` before it, and a `0` ends the list.
    List(Tail),
    Optional(Tail),
    Variant(Tail),
}

#[derive(Clone, Copy)]
struct Word {
    width: usize,
    /// The simplest number. It is 1 if the implementation refuses 0.
    origin: i128,
    /// Whether numbers from the middle on are probably negative.
    is_signed: bool,
}

/// The effect of the values of a byte on what is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Nothing,
    /// Odd values have one effect, even values none.
    Flag,
    Variant,
}

impl Layout<'_> {
    /// Draws until only the tail is left. Returns whether the end was found.
    fn draw_part(&mut self, source: &mut Source, tail: Tail) -> bool {
        loop {
            let Some(plan) = self.plan(tail) else { return false };
            if !self.draw_plan(source, &plan) {
                return false;
            }
            if plan.is_whole {
                return true;
            }
        }
    }

    fn plan(&mut self, tail: Tail) -> Option<Rc<Plan>> {
        let key = (self.reader.front.clone(), self.reader.lengths.clone());
        if let Some(plan) = self.plans.get(&key) {
            return plan.clone();
        }
        let plan = self.reader.plan(tail).map(Rc::new);
        if self.plans.len() >= PLANS_MAX {
            self.plans.clear();
        }
        self.plans.insert(key, plan.clone());
        plan
    }

    fn draw_plan(&mut self, source: &mut Source, plan: &Plan) -> bool {
        plan.steps.iter().all(|step| self.draw_step(source, step))
    }

    fn draw_step(&mut self, source: &mut Source, step: &Step) -> bool {
        if self.front.len() > FRONT_MAX {
            Stop::TooLarge.raise();
        }
        match step {
            Step::Text => {
                let text = strings().draw(source);
                self.lengths.push(u16::try_from(text.len()).unwrap_or(u16::MAX));
                self.front.extend(text.bytes());
                self.reader.lengths.push(0);
                true
            }
            Step::Length => {
                let length = source.integer(0, i128::from(u8::MAX)) as u16;
                self.lengths.push(length);
                self.reader.lengths.push(length);
                true
            }
            Step::Words(words) => {
                self.draw_words(source, words);
                self.reader.skip(words);
                true
            }
            // The type may be recursive, so the driver decides whether it goes deeper.
            Step::List(tail) if self.depth > 0 => source.span(PART, |source| {
                let is_present = source.presence(1, 3);
                self.draw_list(source, *tail, is_present)
            }),
            Step::List(tail) => self.draw_list(source, *tail, true),
            Step::Optional(tail) | Step::Variant(tail) => source.span(PART, |source| {
                let is_present = source.presence(1, 3);
                let is_ended = if is_present {
                    let is_variant = matches!(step, Step::Variant(_));
                    let byte = if is_variant { draw_variant(source) } else { 1 };
                    self.draw_behind(byte, |own| own.draw_part(source, *tail))
                } else {
                    self.front.push(0);
                    true
                };
                self.reader.front.push(0);
                is_ended
            }),
        }
    }

    /// Calls `draw` behind a byte, and removes the part from the data of the reader.
    fn draw_behind(&mut self, byte: u8, draw: impl FnOnce(&mut Self) -> bool) -> bool {
        let (front, lengths) = (self.reader.front.len(), self.reader.lengths.len());
        self.front.push(byte);
        self.reader.front.push(byte);
        let is_ended = draw(self);
        self.reader.front.truncate(front);
        self.reader.lengths.truncate(lengths);
        is_ended
    }

    /// Draws a list. `tail` is what follows its elements, with the byte that ends it.
    fn draw_list(&mut self, source: &mut Source, tail: Tail, is_present: bool) -> bool {
        let is_ended = !is_present || self.draw_elements(source, tail);
        if is_ended {
            self.front.push(0);
            self.reader.front.push(0);
        }
        is_ended
    }

    fn draw_elements(&mut self, source: &mut Source, tail: Tail) -> bool {
        source.open(Label::SEQUENCE);
        self.depth += 1;
        let mut plan = None;
        let is_ended = (0..source.length(0, SIZE_MAX)).all(|_| {
            self.draw_behind(1, |own| {
                // For the reader, each element is the first, so all have the same plan.
                let Some(plan) = plan.get_or_insert_with(|| own.plan(tail)) else { return false };
                if plan.is_single() {
                    return own.draw_plan(source, plan);
                }
                source.span(Label::ELEMENT, |source| {
                    own.draw_plan(source, plan) && (plan.is_whole || own.draw_part(source, tail))
                })
            })
        });
        self.depth -= 1;
        source.close();
        is_ended
    }

    /// Draws words, the last one first: of a number that takes several words, the last is the most
    /// significant, and the shrinker lowers earlier choices first.
    fn draw_words(&mut self, source: &mut Source, words: &[Word]) {
        let start = self.front.len();
        for word in words.iter().rev() {
            let bytes = draw_word(source, *word).to_le_bytes();
            self.front.splice(start..start, bytes.into_iter().take(word.width));
        }
    }
}

impl Reader<'_> {
    /// Decides what to draw. Returns `None` if zeros never end the value.
    fn plan(&mut self, tail: Tail) -> Option<Plan> {
        let (front, lengths) = (self.front.len(), self.lengths.len());
        let mut plan = Plan { steps: Vec::new(), is_whole: true };
        let mut reading = self.reading(&[])?;
        loop {
            // An error inside of the part hides the tail.
            let is_hidden = !reading.is_ok && !tail.is_failing;
            let end = reading.front.saturating_sub(if is_hidden { 0 } else { tail.front });
            if self.front.len() >= end && reading.pending <= tail.pending {
                break;
            }
            let step = self.step(&reading, end, tail);
            match &step {
                Step::Text | Step::Length => {
                    self.lengths.push(0);
                    reading.pending -= 1;
                }
                Step::Words(words) => {
                    self.skip(words);
                    if words.iter().any(|word| word.origin != 0) {
                        reading = self.reading(&[])?;
                    }
                }
                Step::List(_) | Step::Optional(_) | Step::Variant(_) => self.front.push(0),
            }
            plan.is_whole = !matches!(step, Step::Length);
            plan.steps.push(step);
            if !plan.is_whole {
                break;
            }
        }
        self.front.truncate(front);
        self.lengths.truncate(lengths);
        Some(plan)
    }

    /// Adds the simplest words.
    fn skip(&mut self, words: &[Word]) {
        for word in words {
            self.front.extend(word.origin.to_le_bytes().into_iter().take(word.width));
        }
    }

    /// Decides what the next bytes are.
    fn step(&self, reading: &Reading, end: usize, tail: Tail) -> Step {
        let at = self.front.len();
        let has_length = reading.pending > tail.pending;
        if has_length && self.is_text(at) {
            return Step::Text;
        }
        if at >= end {
            return Step::Length;
        }
        // An error ends the reading behind the number that caused it.
        let failing = if reading.is_ok { 0 } else { self.failing_width(reading, end) };
        let end = end - failing;
        let mut stop = self.data_until(at, end, reading);
        if has_length {
            stop = (at..stop).find(|&at| self.is_text(at)).unwrap_or(stop);
        }
        let effect =
            if stop < end { self.effect(stop..stop + 1, reading) } else { Effect::Nothing };
        if stop == at && at < end {
            let behind = |skipped: usize| Tail {
                front: reading.front.saturating_sub(at + skipped),
                pending: reading.pending,
                is_failing: !reading.is_ok,
            };
            return match effect {
                Effect::Flag if self.is_list(reading) => Step::List(behind(0)),
                Effect::Flag => Step::Optional(behind(1)),
                _ => Step::Variant(behind(1)),
            };
        }
        // Derived implementations select a variant by the most significant byte of a `u32`.
        let low = if effect == Effect::Variant && stop - at >= 3 { 3 } else { 0 };
        let mut words: Vec<Word> =
            widths(stop - at - low).map(|width| Word::new(width, 0)).collect();
        if low > 0 {
            words.push(Word { is_signed: false, ..Word::new(low, 0) });
        } else if stop == end && failing > 0 {
            words.push(Word::new(failing, 1));
        }
        Step::Words(words)
    }

    /// Returns the first byte in a range that has an effect, or the end of the range.
    fn data_until(&self, start: usize, end: usize, reading: &Reading) -> usize {
        let (mut start, mut size) = (start, end - start);
        while size > 0 {
            if self.effect(start..start + size, reading) == Effect::Nothing {
                start += size;
                size = size.min(end - start);
            } else if size == 1 {
                break;
            } else {
                size = size.div_ceil(2);
            }
        }
        start
    }

    /// Returns what the values of bytes change, if all of them have the same value.
    fn effect(&self, range: std::ops::Range<usize>, reading: &Reading) -> Effect {
        let base = reading.consumed;
        let with = |byte: u8| {
            let changes: Vec<_> = range.clone().map(|at| (at, byte)).collect();
            self.read(&changes, &[]).1
        };
        let odd = with(1);
        match [with(2), with(0x80), with(0xFF)] {
            others if odd == base && others == [base; 3] => Effect::Nothing,
            others if odd != base && others == [base, base, odd] => Effect::Flag,
            _ => Effect::Variant,
        }
    }

    /// Returns whether a string starts at this byte: bytes that are not UTF-8 shorten it, and a
    /// character of two bytes does not. The second test excludes a byte that removes the string.
    fn is_text(&self, at: usize) -> bool {
        let read = |changes: &[(usize, u8)]| self.read(changes, &[PROBE_LENGTH]).1;
        let whole = read(&[]);
        read(&[(at, 0xFF)]) + usize::from(PROBE_LENGTH) / 2 < whole
            && read(&[(at, 0xC3), (at + 1, 0xA9)]) == whole
    }

    /// Returns whether the flag at the current position is the first of a list: the value behind
    /// it ends with a flag of the same effect, which is followed by one more.
    fn is_list(&self, reading: &Reading) -> bool {
        let element = |first: u8, at: usize| {
            // A zero is there already.
            [(at, 1), (at + 1, first)].into_iter().take(if first == 0 { 1 } else { 2 })
        };
        let with = |first: u8, count: usize, size: usize| {
            let at = |n: usize| self.front.len() + n * size;
            let changes: Vec<_> = (0..count).flat_map(|n| element(first, at(n))).collect();
            self.reading(&changes)
        };
        // Zero is not a value of some elements, such as `NonZeroU8`. One is.
        let (first, one) = match with(0, 1, 0) {
            Some(one) if one.is_ok == reading.is_ok => (0, Some(one)),
            Some(_) => (1, with(1, 1, 0)),
            None => return false,
        };
        let Some(one) = one.filter(|one| one.is_ok == reading.is_ok) else { return false };
        let size = one.front.saturating_sub(reading.front);
        let pending = one.pending.saturating_sub(reading.pending);
        size > 0
            && size < PADDING / 4
            && [2, 3].into_iter().all(|count| {
                with(first, count, size).is_some_and(|several| {
                    several.front == reading.front + count * size
                        && several.pending == reading.pending + count * pending
                })
            })
    }

    /// Returns the width of the number that must not be zero, which is the last one before `end`.
    fn failing_width(&self, reading: &Reading, end: usize) -> usize {
        let heals = |width: &usize| {
            let (is_ok, consumed) = self.read(&[(end - width, 1)], &[]);
            is_ok || consumed > reading.consumed
        };
        let room = end - self.front.len();
        [8, 4, 2, 1].into_iter().filter(|width| *width <= room).find(heals).unwrap_or(0)
    }

    /// Returns what is read with some bytes changed, or `None` if nothing is left.
    fn reading(&self, changes: &[(usize, u8)]) -> Option<Reading> {
        let (is_ok, consumed) = self.read(changes, &[]);
        if consumed >= self.front.len() + PADDING {
            return None;
        }
        // Only a length that is read has an effect.
        let mut pending = 0;
        let mut lengths = vec![PROBE_LENGTH];
        while self.read(changes, &lengths).1 != consumed && pending < PADDING {
            pending += 1;
            lengths.insert(0, 0);
        }
        let front = consumed.saturating_sub(2 * (self.lengths.len() + pending));
        Some(Reading { consumed, front, pending, is_ok })
    }

    /// Runs the implementation. Returns whether it succeeded, and the number of bytes read.
    fn read(&self, changes: &[(usize, u8)], lengths: &[u16]) -> (bool, usize) {
        let data = self.data(changes, lengths);
        let (is_ok, left) = (self.read)(&data);
        (is_ok, data.len() - left)
    }

    /// Returns the data with zeros and the lengths.
    fn data(&self, changes: &[(usize, u8)], lengths: &[u16]) -> Vec<u8> {
        let mut front = self.front.clone();
        for &(at, byte) in changes {
            front.resize(front.len().max(at + 1), 0);
            front[at] = byte;
        }
        front.resize(front.len().max(self.front.len()), 0);
        with_lengths(front, &[&self.lengths, lengths].concat())
    }
}

/// Adds zeros and the lengths.
fn with_lengths(front: Vec<u8>, lengths: &[u16]) -> Vec<u8> {
    let mut data = front;
    data.extend_from_slice(&[0; PADDING]);
    for length in lengths.iter().rev() {
        data.extend_from_slice(&length.to_be_bytes());
    }
    data
}

impl Word {
    fn new(width: usize, origin: i128) -> Word {
        Word { width, origin, is_signed: width > 1 }
    }
}

impl Plan {
    /// Returns whether the part is exactly one choice.
    fn is_single(&self) -> bool {
        self.is_whole
            && matches!(&self.steps[..], [Step::Words(words)]
                if matches!(words[..], [Word { width: 1, .. }]))
    }
}

/// Draws a byte that selects another variant than the first. All are equally likely.
fn draw_variant(source: &mut Source) -> u8 {
    let domain = Domain::integers(1, i128::from(u8::MAX)).with_role(Role::Index);
    source.choose(&Request::plain(domain)) as u8
}

/// Draws a word. Whether it is signed is unknown. So a choice decides on which side of zero it
/// is, and a negative number is only simpler than a large one. Words that select a variant need
/// uniform numbers, which the third alternative requests.
fn draw_word(source: &mut Source, Word { width, origin, is_signed }: Word) -> i128 {
    let bits = 8 * width as u32;
    let numbers = |max: i128| Domain { origin: origin.min(max), ..Domain::integers(0, max) };
    let choose = |source: &mut Source, domain: Domain| source.choose(&Request::plain(domain));
    if !is_signed {
        return choose(source, numbers((1 << bits) - 1));
    }
    let half = (1 << (bits - 1)) - 1;
    let weights: &[u32] = if width == 4 { &[4, 1, 1] } else { &[4, 1] };
    match source.alternative(weights.len(), weights, weights.len()) {
        0 => choose(source, numbers(half)),
        1 => {
            // As an unsigned number, so that the first alternative takes the nearest one.
            let max = (1 << bits) - 1;
            choose(source, Domain { min: half + 1, max, origin: max, ..numbers(max) })
        }
        _ => choose(source, numbers((1 << bits) - 1).with_role(Role::Index)),
    }
}

/// Splits a run of bytes into words. A run of several numbers is one word if it is short: its last
/// number is the most significant part, so all of them shrink to zero.
fn widths(size: usize) -> impl Iterator<Item = usize> {
    // The width of the widest common numbers.
    const WIDTH_MAX: usize = 8;
    let width = if size > WIDTH_MAX && size.is_multiple_of(4) && !size.is_multiple_of(WIDTH_MAX) {
        4
    } else {
        WIDTH_MAX
    };
    let rest = Some(size % width).filter(|&rest| rest > 0);
    std::iter::repeat_n(width, size / width).chain(rest)
}
