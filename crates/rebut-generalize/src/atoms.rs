//! What can be said of parameters: comparisons with numbers and with each other, sums and
//! products that do not overflow, and what branches of the code under test ask.
//!
//! Each is a condition in Rust together with a term that means the same, so that the solver can
//! tell on which paths it holds. A condition whose text might overflow, or mean something else
//! for the types of its parameters, is not made.

use super::paths::Paths;
use super::plan::Plan;
use super::sequences::Sequence;
use super::value::{Type, Value};
use rebut_concolic::Draw;
use rebut_smt::{Op, Pool, Sort, Term};
use std::collections::BTreeSet;

/// A condition on parameters.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    /// In Rust.
    pub(super) text: String,
    /// The opposite.
    pub(super) negated: String,
    pub(super) term: Term,
    /// The less, the better it reads.
    pub(super) cost: u32,
}

/// What terms there are for parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'p> {
    pub(super) variables: &'p [Option<Term>],
    pub(super) sequences: &'p [Option<Sequence>],
    pub(super) asks: &'p [Asks],
}

/// A condition of paths, and what it is about.
#[derive(Clone, Debug)]
pub(super) struct Asks {
    condition: Term,
    variables: Vec<Term>,
}

/// What paths ask; each condition once.
pub(super) fn asks(paths: &Paths) -> Vec<Asks> {
    let all: BTreeSet<Term> =
        paths.all.iter().flat_map(|path| path.conditions.iter().copied()).collect();
    let about = |condition| Asks { condition, variables: paths.pool.variables(&[condition]) };
    all.into_iter().map(about).collect()
}

/// Texts are compared with these lengths.
const SIZES_MAX: usize = 4;
/// At most so many characters are looked for in a text.
const CHARACTERS_MAX: usize = 8;
/// Numbers that are less read best as they are.
const FAR: u128 = 256;
/// Numbers are written by how far they are from the least or the most, if that is no more.
const NEAR: u128 = 1_000;
/// At most so many numbers are compared with.
const NUMBERS_MAX: usize = 16;

/// The variable of each parameter that is one choice, by its place in the plan.
pub(super) fn variables(plan: &Plan, paths: &mut Paths) -> Vec<Option<Term>> {
    let conditions: Vec<Term> =
        paths.all.iter().flat_map(|path| path.conditions.iter().copied()).collect();
    let known = paths.pool.variables(&conditions);
    let explored = plan.explored();
    let variable = |parameter: &super::plan::Parameter| {
        let place = explored.iter().position(|other| other.name() == parameter.name())?;
        let name = format!("d{place}");
        let found = known.iter().find(|known| paths.pool.name(**known) == Some(&name));
        if let Some(found) = found {
            return Some((name, paths.pool.width(*found)));
        }
        let width = match parameter.of.as_ref()? {
            Type::Int { bits, .. } | Type::Float(bits) => *bits,
            Type::Bool => 1,
            Type::Char => 21,
            _ => return None,
        };
        Some((name, width))
    };
    let named: Vec<Option<(String, u32)>> = plan
        .parameters
        .iter()
        .map(|parameter| Some(parameter).filter(|one| one.is_scalar()).and_then(variable))
        .collect();
    let pool = &mut paths.pool;
    let mut variables = Vec::new();
    for (named, parameter) in named.into_iter().zip(&plan.parameters) {
        variables.push(named.map(|(name, width)| {
            let drawn = pool.var(&name, Sort::BitVec(width));
            match parameter.of {
                // What is drawn from fewer numbers is narrower than its type.
                Some(Type::Int { bits, .. }) if width < bits => {
                    pool.zero_extend(bits - width, drawn)
                }
                _ => drawn,
            }
        }));
    }
    variables
}

/// All conditions on these parameters, those that read best first.
pub(super) fn atoms(plan: &Plan, paths: &mut Paths, known: Known<'_>, free: &[usize]) -> Vec<Atom> {
    let Known { variables, sequences, asks } = known;
    let (atoms, seen) = (Vec::new(), BTreeSet::new());
    let mut maker = Maker { plan, variables, sequences, asks, atoms, seen };
    for nth in free {
        maker.alone(paths, *nth);
    }
    for (place, a) in free.iter().enumerate() {
        for b in &free[place + 1..] {
            maker.pair(paths, *a, *b);
        }
    }
    maker.asked(paths, free);
    for nth in free {
        maker.texts(paths, *nth, free);
    }
    let mut atoms = maker.atoms;
    atoms.sort_by_key(|atom| atom.cost);
    atoms
}

struct Maker<'p> {
    plan: &'p Plan,
    variables: &'p [Option<Term>],
    sequences: &'p [Option<Sequence>],
    asks: &'p [Asks],
    atoms: Vec<Atom>,
    seen: BTreeSet<String>,
}

impl Maker<'_> {
    fn push(&mut self, pool: &Pool, text: String, negated: String, term: Term, cost: u32) {
        let is_open = pool.value(term).is_none();
        if is_open && self.seen.insert(text.clone()) && !self.seen.contains(&negated) {
            self.atoms.push(Atom { text, negated, term, cost });
        }
    }

    fn of(&self, nth: usize) -> Option<&Type> {
        self.plan.parameters[nth].of.as_ref()
    }

    fn name(&self, nth: usize) -> String {
        self.plan.parameters[nth].name().to_owned()
    }

    /// Comparisons of one parameter.
    fn alone(&mut self, paths: &mut Paths, nth: usize) {
        let (Some(variable), Some(of)) = (self.variables[nth], self.of(nth).cloned()) else {
            return;
        };
        let name = self.name(nth);
        match of {
            Type::Bool => {
                let pool = &mut paths.pool;
                let one = pool.bits(1, 1);
                let is_set = pool.eq(variable, one);
                self.push(pool, name.clone(), format!("!{name}"), is_set, 1);
            }
            Type::Int { is_signed, bits, name: type_name } => {
                for (number, text, cost) in numbers(paths, self.plan, self.asks, nth, variable) {
                    let range = range(is_signed, bits);
                    if !range.contains(&number) {
                        continue;
                    }
                    let (below, above) =
                        (range.end().abs_diff(number), number.abs_diff(*range.start()));
                    let text = match (below, above) {
                        _ if number.unsigned_abs() < FAR => text,
                        // It is wider natively, or wider than choices are.
                        _ if type_name.ends_with("size") || type_name == "u128" => text,
                        (0, _) => format!("{type_name}::MAX"),
                        (_, 0) => format!("{type_name}::MIN"),
                        (1..=NEAR, _) => format!("{type_name}::MAX - {below}"),
                        (_, 1..=NEAR) => format!("{type_name}::MIN + {above}"),
                        _ => text,
                    };
                    self.compare(&mut paths.pool, &name, variable, is_signed, number, &text, cost);
                }
            }
            _ => {}
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a parameter and a number, with what is known")]
    fn compare(
        &mut self,
        pool: &mut Pool,
        name: &str,
        variable: Term,
        is_signed: bool,
        number: i128,
        text: &str,
        cost: u32,
    ) {
        let width = pool.width(variable);
        let constant = pool.bits(width, number as u128 & (u128::MAX >> (128 - width)));
        let is_less = less(pool, is_signed, variable, constant);
        let is_more = less(pool, is_signed, constant, variable);
        let is_it = pool.eq(variable, constant);
        let least = pool.not(is_less);
        if number == 0 && !is_signed {
            let (more, none) = (format!("{name} > 0"), format!("{name} == 0"));
            return self.push(pool, more, none, is_more, 1);
        }
        let write = |sign: &str| format!("{name} {sign} {text}");
        self.push(pool, write(">="), write("<"), least, cost + 2);
        self.push(pool, write(">"), write("<="), is_more, cost + 2);
        self.push(pool, write("=="), write("!="), is_it, cost + 3);
    }

    /// Comparisons of two parameters, and whether they can be added and so on.
    fn pair(&mut self, paths: &mut Paths, a: usize, b: usize) {
        let (Some(x), Some(y)) = (self.variables[a], self.variables[b]) else { return };
        if self.of(a) != self.of(b) {
            return;
        }
        let (one, other) = (self.name(a), self.name(b));
        let pool = &mut paths.pool;
        let is_same = pool.eq(x, y);
        let write = |sign: &str| format!("{one} {sign} {other}");
        let Some(of) = self.of(a).cloned() else { return };
        if !matches!(of, Type::Float(_)) {
            self.push(pool, write("=="), write("!="), is_same, 2);
        }
        let Type::Int { is_signed, bits, name } = of else { return };
        let is_less = less(pool, is_signed, x, y);
        let is_more = less(pool, is_signed, y, x);
        self.push(pool, write("<"), write(">="), is_less, 3);
        self.push(pool, write(">"), write("<="), is_more, 3);
        // A `usize` is wider natively.
        if name.ends_with("size") {
            return;
        }
        for (first, second, sign) in [(a, b, "add"), (a, b, "mul"), (a, b, "sub"), (b, a, "sub")] {
            let (Some(x), Some(y)) = (self.variables[first], self.variables[second]) else {
                continue;
            };
            let fits = match bits {
                // There are no terms of more bits.
                128 if sign == "mul" => continue,
                128 => fits_widest(pool, sign, is_signed, x, y),
                _ => fits(pool, sign, is_signed, bits, x, y),
            };
            let checked = format!("{}.checked_{sign}({})", self.name(first), self.name(second));
            let (some, none) = (format!("{checked}.is_some()"), format!("{checked}.is_none()"));
            self.push(pool, some, none, fits, 6);
        }
    }

    /// What branches ask of one or two numbers, if it can be written as it is.
    fn asked(&mut self, paths: &mut Paths, free: &[usize]) {
        let draws: Vec<Draw> = self
            .plan
            .explored()
            .iter()
            .filter(|parameter| parameter.is_scalar())
            .map(|parameter| Draw {
                name: parameter.name().to_owned(),
                kind: match parameter.of {
                    Some(Type::Bool) => rebut_choice::ChoiceKind::Boolean,
                    Some(Type::Char) => rebut_choice::ChoiceKind::Char,
                    _ => rebut_choice::ChoiceKind::Integer,
                },
                is_signed: matches!(parameter.of, Some(Type::Int { is_signed: true, .. })),
            })
            .collect();
        for Asks { condition, variables } in self.asks {
            let condition = *condition;
            let [asked] = variables.as_slice() else { continue };
            let is_free = free.iter().any(|nth| self.variables[*nth] == Some(*asked));
            if !is_free || !is_plain(&paths.pool, condition) {
                continue;
            }
            let pool = &mut paths.pool;
            let opposite = pool.not(condition);
            let text = rebut_concolic::condition(pool, condition, &draws);
            let negated = rebut_concolic::condition(pool, opposite, &draws);
            if is_readable(&text) && is_readable(&negated) {
                self.push(pool, text, negated, condition, 5);
            }
        }
    }

    /// How long a text or list is, what is in it, and whether it is the same as another.
    fn texts(&mut self, paths: &mut Paths, nth: usize, free: &[usize]) {
        let Some(sequence) = self.sequences[nth].as_ref() else { return };
        let name = self.name(nth);
        let pool = &mut paths.pool;
        let more = sequence.is_longer(pool, 0);
        let is_empty = pool.not(more);
        let text = format!("{name}.is_empty()");
        self.push(pool, text.clone(), format!("!{text}"), is_empty, 2);
        let is_text = matches!(self.of(nth), Some(Type::Text));
        let length = if is_text { "chars().count()" } else { "len()" };
        for size in 1..=SIZES_MAX {
            let is_more = sequence.is_longer(pool, size);
            let write = |sign: &str| format!("{name}.{length} {sign} {size}");
            self.push(pool, write(">"), write("<="), is_more, 4);
        }
        for other in free.iter().filter(|other| **other > nth) {
            let Some(known) = self.sequences[*other].as_ref() else { continue };
            if self.of(*other) == self.of(nth) {
                let is_same = sequence.is_same(pool, known);
                let write = |sign: &str| format!("{name} {sign} {}", self.name(*other));
                self.push(pool, write("=="), write("!="), is_same, 2);
            }
        }
        if is_text {
            self.characters(paths, nth);
        }
    }

    /// Which characters are in a text.
    fn characters(&mut self, paths: &mut Paths, nth: usize) {
        let Some(sequence) = self.sequences[nth].as_ref() else { return };
        let name = self.name(nth);
        let characters = asked_characters(paths, self.plan, self.asks, nth);
        let pool = &mut paths.pool;
        let digits = format!("{name}.chars().all(|c| c.is_ascii_digit())");
        let only = sequence.has_only_digits(pool);
        self.push(pool, digits.clone(), format!("!{digits}"), only, 5);
        for character in characters {
            let (begins, has) =
                (sequence.has_at(pool, 0, character), sequence.has(pool, character));
            for (term, verb) in [(begins, "starts_with"), (has, "contains")] {
                let text = format!("{name}.{verb}({character:?})");
                self.push(pool, text.clone(), format!("!{text}"), term, 3);
            }
        }
    }
}

/// The characters that conditions speak of, and that are in the text of the test.
fn asked_characters(paths: &Paths, plan: &Plan, asks: &[Asks], nth: usize) -> Vec<char> {
    let Value::Text(own) = &plan.parameters[nth].site.value else { return Vec::new() };
    let conditions: Vec<Term> = asks.iter().map(|asks| asks.condition).collect();
    let mut asked = BTreeSet::new();
    for term in paths.pool.reachable(&conditions) {
        let number = paths.pool.value(term).and_then(rebut_smt::Value::as_bits);
        let character =
            number.and_then(|bits| char::from_u32(u32::try_from(bits.unsigned()).ok()?));
        asked.extend(character.filter(|c| c.is_ascii_graphic() || *c == ' '));
    }
    let (own, others): (Vec<char>, Vec<char>) = asked.into_iter().partition(|c| own.contains(*c));
    own.into_iter().chain(others).take(CHARACTERS_MAX).collect()
}

/// The numbers that a parameter may be compared with: how each is written, and how well it reads.
fn numbers(
    paths: &Paths,
    plan: &Plan,
    asks: &[Asks],
    nth: usize,
    variable: Term,
) -> Vec<(i128, String, u32)> {
    let mut found: Vec<(i128, u32)> = vec![(0, 0)];
    if let Value::Int(own) = plan.parameters[nth].site.value {
        found.push((own, 1));
    }
    let Some(Type::Int { is_signed, bits, name }) = &plan.parameters[nth].of else {
        return Vec::new();
    };
    let drawn = paths.pool.variables(&[variable]);
    let is_about = |asks: &&Asks| drawn.iter().any(|drawn| asks.variables.contains(drawn));
    let terms: Vec<Term> = asks.iter().filter(is_about).map(|asks| asks.condition).collect();
    let mut asked: Vec<i128> = Vec::new();
    for term in paths.pool.reachable(&terms) {
        let Some(value) = paths.pool.value(term).and_then(rebut_smt::Value::as_bits) else {
            continue;
        };
        let number = if *is_signed { value.signed() } else { value.unsigned() as i128 };
        if !asked.contains(&number) {
            asked.push(number);
        }
    }
    asked.sort_by_key(|number| number.unsigned_abs());
    for number in asked.into_iter().take(NUMBERS_MAX) {
        found.extend([(number, 1), (number.saturating_add(1), 2), (number.saturating_sub(1), 3)]);
    }
    if !name.ends_with("size") && name != "u128" {
        let range = range(*is_signed, *bits);
        found.extend([(*range.end(), 2), (*range.start(), 3)]);
    }
    let mut seen = BTreeSet::new();
    found.retain(|(number, _)| seen.insert(*number));
    found.into_iter().map(|(number, cost)| (number, number.to_string(), cost)).collect()
}

/// The numbers of a type that are choices: half of those of `u128`, and all of the others.
pub(super) fn range(is_signed: bool, bits: u32) -> std::ops::RangeInclusive<i128> {
    match is_signed {
        true => i128::MIN >> (128 - bits)..=i128::MAX >> (128 - bits),
        false => 0..=i128::MAX >> 127_u32.saturating_sub(bits),
    }
}

fn less(pool: &mut Pool, is_signed: bool, a: Term, b: Term) -> Term {
    if is_signed { pool.bv_slt(a, b) } else { pool.bv_ult(a, b) }
}

/// Whether a result is one of the type.
fn fits(pool: &mut Pool, sign: &str, is_signed: bool, bits: u32, a: Term, b: Term) -> Term {
    let more = if sign == "mul" { bits } else { 1 };
    let [a, b] = [a, b].map(|side| widened(pool, is_signed, more, side));
    let result = match sign {
        "add" => pool.bv_add(a, b),
        "sub" => pool.bv_sub(a, b),
        _ => pool.bv_mul(a, b),
    };
    let narrow = pool.extract(bits - 1, 0, result);
    let again = widened(pool, is_signed, more, narrow);
    pool.eq(result, again)
}

/// The same for sums and differences of 128 bits: signs say it, or that a number is less than what
/// it is made of.
fn fits_widest(pool: &mut Pool, sign: &str, is_signed: bool, a: Term, b: Term) -> Term {
    let result = if sign == "add" { pool.bv_add(a, b) } else { pool.bv_sub(a, b) };
    let is_over = match (is_signed, sign) {
        (false, "add") => pool.bv_ult(result, a),
        (false, _) => pool.bv_ult(a, b),
        (true, _) => {
            let other = if sign == "add" { result } else { a };
            let (one, two) = (pool.bv_xor(a, result), pool.bv_xor(b, other));
            let both = pool.bv_and(one, two);
            let zero = pool.bits(128, 0);
            pool.bv_slt(both, zero)
        }
    };
    pool.not(is_over)
}

pub(super) fn widened(pool: &mut Pool, is_signed: bool, by: u32, term: Term) -> Term {
    if is_signed { pool.sign_extend(by, term) } else { pool.zero_extend(by, term) }
}

/// Whether a condition only divides, takes remainders and compares: what cannot overflow and
/// means the same in every width.
fn is_plain(pool: &Pool, condition: Term) -> bool {
    pool.reachable(&[condition]).into_iter().all(|term| match pool.op(term) {
        Op::Var(_) | Op::Const(_) | Op::Not | Op::Eq | Op::BvUlt | Op::BvSlt => true,
        Op::BvUrem | Op::BvSrem | Op::BvUdiv | Op::BvSdiv => {
            pool.args(term).get(1).is_some_and(|divisor| pool.value(*divisor).is_some())
        }
        Op::SignExtend(_) => true,
        Op::Concat => pool.args(term).first().is_some_and(|high| {
            let bits = pool.value(*high).and_then(rebut_smt::Value::as_bits);
            bits.is_some_and(|bits| bits.unsigned() == 0)
        }),
        _ => false,
    })
}

/// Whether a text is one that a person would write.
fn is_readable(text: &str) -> bool {
    text.len() <= 60 && !["…", " as ", "0x", "if ", "d0", "d1"].iter().any(|bad| text.contains(bad))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_types() {
        assert_eq!(range(true, 8), -128..=127);
        assert_eq!(range(false, 8), 0..=255);
        assert_eq!(range(false, 64), 0..=i128::from(u64::MAX));
        assert_eq!(range(true, 128), i128::MIN..=i128::MAX);
        assert_eq!(range(false, 128), 0..=i128::MAX);
    }

    #[test]
    fn sums_and_differences_of_128_bits_fit_if_they_do_not_overflow() {
        let mut pool = Pool::new();
        let mut fits = |sign: &str, is_signed: bool, a: u128, b: u128| {
            let [a, b] = [a, b].map(|number| pool.bits(128, number));
            let fits = fits_widest(&mut pool, sign, is_signed, a, b);
            pool.value(fits) == Some(&rebut_smt::Value::Bool(true))
        };
        let numbers = [0, 1, 7, i128::MAX as u128, i128::MIN as u128, u128::MAX, u128::MAX - 7];
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            assert_eq!(fits("add", false, a, b), a.checked_add(b).is_some(), "{a} + {b}");
            assert_eq!(fits("sub", false, a, b), a.checked_sub(b).is_some(), "{a} - {b}");
            let (x, y) = (a as i128, b as i128);
            assert_eq!(fits("add", true, a, b), x.checked_add(y).is_some(), "{x} + {y}");
            assert_eq!(fits("sub", true, a, b), x.checked_sub(y).is_some(), "{x} - {y}");
        }
    }
}
