//! Atoms: the small conditions that assumptions are made of.
//!
//! There are comparisons of parameters with numbers and with each other, checks that sums and
//! products do not overflow, and conditions of branches of the code under test. An atom is Rust
//! code together with a term that means the same, so the solver decides in which regions it is
//! true. Code that might overflow, or mean something else for the types of its parameters, is not
//! generated.

use crate::explore::paths::ExploredPaths;
use crate::explore::sequences::Sequence;
use crate::plan::{Parameter, Plan};
use crate::read::value::{LiteralValue, ParameterType, integer_range};
use proc_macro2::{TokenStream, TokenTree};
use rebut_concolic::{Draw, DrawId};
use rebut_smt::{Op, Pool, Term};
use std::collections::BTreeSet;

/// A condition on parameters.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    /// Its Rust code.
    pub(crate) text: String,
    /// The Rust code of its negation.
    pub(crate) negated: String,
    pub(crate) term: Term,
    /// Reading cost; the lowest is tried first.
    pub(crate) cost: u32,
}

/// The terms of parameters, and the conditions on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParameterTerms<'p> {
    /// The variable of each parameter that is one choice.
    pub(crate) variables: &'p [Option<Term>],
    /// The variables of each parameter that is a string or list.
    pub(crate) sequences: &'p [Option<Sequence>],
    pub(crate) conditions: &'p [PathCondition],
}

/// A condition of a path, with its variables.
#[derive(Clone, Debug)]
pub(crate) struct PathCondition {
    condition: Term,
    variables: Vec<Term>,
}

/// Returns the conditions of all paths, each once.
pub(crate) fn path_conditions(paths: &ExploredPaths) -> Vec<PathCondition> {
    let all: BTreeSet<Term> =
        paths.all.iter().flat_map(|path| path.conditions.iter().copied()).collect();
    let with_variables =
        |condition| PathCondition { condition, variables: paths.pool.variables(&[condition]) };
    all.into_iter().map(with_variables).collect()
}

/// Compare the lengths of strings and lists with 1 to this number. A condition about another length
/// is missed. Arbitrary.
const SIZES_MAX: usize = 4;
/// Look for at most this many characters in a string. Those of the original text come first; a
/// condition about a later one is missed. Arbitrary.
const CHARACTERS_MAX: usize = 8;
/// Smaller numbers are written as literals. Arbitrary; 255 reads well.
const LITERAL_MAX: u128 = 256;
/// Numbers this close to the type's bounds are written as `T::MAX - n`. Arbitrary.
const DISTANCE_MAX: u128 = 1_000;
/// Compare a parameter with at most this many numbers of conditions, the smallest first. A
/// condition about a later one is missed. Arbitrary.
const NUMBERS_MAX: usize = 16;
/// The longest code of a branch condition that counts as readable. Arbitrary; it fits on a line.
const TEXT_MAX: usize = 60;

/// Returns the variable of each parameter that is one choice, in the width of its type.
pub(crate) fn variables(plan: &Plan, paths: &mut ExploredPaths) -> Vec<Option<Term>> {
    let explored = plan.explored();
    let mut variable = |parameter: &Parameter| {
        // The parameters of one choice are drawn first, so each has the same draw on every path.
        let position = explored.iter().position(|other| other.name() == parameter.name())?;
        let draw = DrawId::new(position);
        let width = match parameter.ty.as_ref()? {
            ParameterType::Int { bits, .. } | ParameterType::Float(bits) => *bits,
            ParameterType::Bool => 1,
            ParameterType::Char => 21,
            _ => return None,
        };
        // Without any condition on it, its draw may have any width.
        let drawn = paths.all.iter().find_map(|path| path.draw(draw));
        let pool = &mut paths.pool;
        let drawn = drawn.unwrap_or_else(|| draw.variable(pool, width));
        Some(match parameter.ty {
            // A draw from a smaller range is narrower than the type. So is one of a size, if the
            // module has short ones.
            Some(ParameterType::Int { bits, is_signed, .. }) if pool.width(drawn) < bits => {
                let by = bits - pool.width(drawn);
                if is_signed { pool.sign_extend(by, drawn) } else { pool.zero_extend(by, drawn) }
            }
            _ => drawn,
        })
    };
    let scalar = |parameter: &Parameter| match parameter.is_scalar() {
        true => variable(parameter),
        false => None,
    };
    plan.parameters.iter().map(scalar).collect()
}

/// Returns all atoms on these parameters, the most readable first.
pub(crate) fn atoms(
    plan: &Plan,
    paths: &mut ExploredPaths,
    terms: ParameterTerms<'_>,
    free: &[usize],
) -> Vec<Atom> {
    let ParameterTerms { variables, sequences, conditions } = terms;
    let (atoms, seen) = (Vec::new(), BTreeSet::new());
    let mut builder = AtomBuilder { plan, variables, sequences, conditions, atoms, seen };
    for nth in free {
        builder.add_comparisons(paths, *nth);
    }
    for (nth, a) in free.iter().enumerate() {
        for b in &free[nth + 1..] {
            builder.add_pair(paths, *a, *b);
        }
    }
    builder.add_branch_conditions(paths, free);
    for nth in free {
        builder.add_sequence(paths, *nth, free);
    }
    let mut atoms = builder.atoms;
    atoms.sort_by_key(|atom| atom.cost);
    atoms
}

struct AtomBuilder<'p> {
    plan: &'p Plan,
    variables: &'p [Option<Term>],
    sequences: &'p [Option<Sequence>],
    conditions: &'p [PathCondition],
    atoms: Vec<Atom>,
    seen: BTreeSet<String>,
}

impl AtomBuilder<'_> {
    fn push(&mut self, pool: &Pool, text: String, negated: String, term: Term, cost: u32) {
        let is_open = pool.value(term).is_none();
        if is_open && self.seen.insert(text.clone()) && !self.seen.contains(&negated) {
            self.atoms.push(Atom { text, negated, term, cost });
        }
    }

    fn ty(&self, nth: usize) -> Option<&ParameterType> {
        self.plan.parameters[nth].ty.as_ref()
    }

    fn name(&self, nth: usize) -> String {
        self.plan.parameters[nth].name().to_owned()
    }

    /// Adds comparisons of a parameter with numbers.
    fn add_comparisons(&mut self, paths: &mut ExploredPaths, nth: usize) {
        let (Some(variable), Some(ty)) = (self.variables[nth], self.ty(nth).cloned()) else {
            return;
        };
        let name = self.name(nth);
        match ty {
            ParameterType::Bool => {
                let pool = &mut paths.pool;
                let one = pool.bits(1, 1);
                let is_set = pool.eq(variable, one);
                self.push(pool, name.clone(), format!("!{name}"), is_set, 1);
            }
            ParameterType::Int { is_signed, bits, name: type_name } => {
                for (number, cost) in numbers(paths, self.plan, self.conditions, nth, variable) {
                    let text = number.to_string();
                    let range = integer_range(is_signed, bits);
                    if !range.contains(&number) {
                        continue;
                    }
                    let (below, above) =
                        (range.end().abs_diff(number), number.abs_diff(*range.start()));
                    let text = match (below, above) {
                        _ if number.unsigned_abs() < LITERAL_MAX => text,
                        // The type is not the same on every machine, or is wider than choices are.
                        _ if type_name.ends_with("size") || type_name == "u128" => text,
                        (0, _) => format!("{type_name}::MAX"),
                        (_, 0) => format!("{type_name}::MIN"),
                        (1..=DISTANCE_MAX, _) => format!("{type_name}::MAX - {below}"),
                        (_, 1..=DISTANCE_MAX) => format!("{type_name}::MIN + {above}"),
                        _ => text,
                    };
                    self.compare(&mut paths.pool, &name, variable, is_signed, number, &text, cost);
                }
            }
            _ => {}
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a parameter and a number, each with code and term"
    )]
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
        let constant = pool.bits_of_i128(width, number);
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

    /// Adds comparisons of two parameters, and checks that arithmetic does not overflow.
    fn add_pair(&mut self, paths: &mut ExploredPaths, a: usize, b: usize) {
        let (Some(x), Some(y)) = (self.variables[a], self.variables[b]) else { return };
        if self.ty(a) != self.ty(b) {
            return;
        }
        let (one, other) = (self.name(a), self.name(b));
        let pool = &mut paths.pool;
        let is_same = pool.eq(x, y);
        let write = |sign: &str| format!("{one} {sign} {other}");
        let Some(ty) = self.ty(a).cloned() else { return };
        if !matches!(ty, ParameterType::Float(_)) {
            self.push(pool, write("=="), write("!="), is_same, 2);
        }
        let ParameterType::Int { is_signed, bits, name } = ty else { return };
        let is_less = less(pool, is_signed, x, y);
        let is_more = less(pool, is_signed, y, x);
        self.push(pool, write("<"), write(">="), is_less, 3);
        self.push(pool, write(">"), write("<="), is_more, 3);
        // The native `usize` is wider.
        if name.ends_with("size") {
            return;
        }
        for (first, second, sign) in [(a, b, "add"), (a, b, "mul"), (a, b, "sub"), (b, a, "sub")] {
            let (Some(x), Some(y)) = (self.variables[first], self.variables[second]) else {
                continue;
            };
            let fits = match bits {
                // Terms have at most 128 bits, and a product would need 256.
                128 if sign == "mul" => continue,
                128 => fits_widest(pool, sign, is_signed, x, y),
                _ => fits(pool, sign, is_signed, bits, x, y),
            };
            let checked = format!("{}.checked_{sign}({})", self.name(first), self.name(second));
            let (some, none) = (format!("{checked}.is_some()"), format!("{checked}.is_none()"));
            self.push(pool, some, none, fits, 6);
        }
    }

    /// Adds conditions of branches about one number, if their code is readable.
    fn add_branch_conditions(&mut self, paths: &mut ExploredPaths, free: &[usize]) {
        let draws: Vec<Draw> = self
            .plan
            .explored()
            .iter()
            .filter(|parameter| parameter.is_scalar())
            .map(|parameter| Draw {
                name: parameter.name().to_owned(),
                kind: match parameter.ty {
                    Some(ParameterType::Bool) => rebut_choice::ChoiceKind::Boolean,
                    Some(ParameterType::Char) => rebut_choice::ChoiceKind::Char,
                    _ => rebut_choice::ChoiceKind::Integer,
                },
                is_signed: matches!(parameter.ty, Some(ParameterType::Int { is_signed: true, .. })),
            })
            .collect();
        for PathCondition { condition, variables } in self.conditions {
            let condition = *condition;
            let [variable] = variables.as_slice() else { continue };
            let is_free = free.iter().any(|nth| self.variables[*nth] == Some(*variable));
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

    /// Adds conditions on the length and contents of a string or list, and comparisons with others.
    fn add_sequence(&mut self, paths: &mut ExploredPaths, nth: usize, free: &[usize]) {
        let Some(sequence) = self.sequences[nth].as_ref() else { return };
        let name = self.name(nth);
        let pool = &mut paths.pool;
        let more = sequence.is_longer(pool, 0);
        let is_empty = pool.not(more);
        let text = format!("{name}.is_empty()");
        self.push(pool, text.clone(), format!("!{text}"), is_empty, 2);
        let is_text = matches!(self.ty(nth), Some(ParameterType::Text));
        let length = if is_text { "chars().count()" } else { "len()" };
        for size in 1..=SIZES_MAX {
            let is_more = sequence.is_longer(pool, size);
            let write = |sign: &str| format!("{name}.{length} {sign} {size}");
            self.push(pool, write(">"), write("<="), is_more, 4);
        }
        for other in free.iter().filter(|other| **other > nth) {
            let Some(known) = self.sequences[*other].as_ref() else { continue };
            if self.ty(*other) == self.ty(nth) {
                let is_same = sequence.is_equal(pool, known);
                let write = |sign: &str| format!("{name} {sign} {}", self.name(*other));
                self.push(pool, write("=="), write("!="), is_same, 2);
            }
        }
        if is_text {
            self.add_characters(paths, nth);
        }
    }

    /// Adds conditions on the characters of a string.
    fn add_characters(&mut self, paths: &mut ExploredPaths, nth: usize) {
        let Some(sequence) = self.sequences[nth].as_ref() else { return };
        let name = self.name(nth);
        let characters = characters_of_conditions(paths, self.plan, self.conditions, nth);
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

/// Returns the characters in conditions. Those of the original text come first.
fn characters_of_conditions(
    paths: &ExploredPaths,
    plan: &Plan,
    conditions: &[PathCondition],
    nth: usize,
) -> Vec<char> {
    let LiteralValue::Text(own) = &plan.parameters[nth].site.value else { return Vec::new() };
    let terms: Vec<Term> = conditions.iter().map(|condition| condition.condition).collect();
    let mut found = BTreeSet::new();
    for term in paths.pool.reachable(&terms) {
        let number = paths.pool.value(term).and_then(rebut_smt::Value::as_bits);
        let character =
            number.and_then(|bits| char::from_u32(u32::try_from(bits.unsigned()).ok()?));
        found.extend(character.filter(|c| c.is_ascii_graphic() || *c == ' '));
    }
    let (own, others): (Vec<char>, Vec<char>) = found.into_iter().partition(|c| own.contains(*c));
    own.into_iter().chain(others).take(CHARACTERS_MAX).collect()
}

/// Returns the numbers to compare a parameter with, each with its reading cost.
fn numbers(
    paths: &ExploredPaths,
    plan: &Plan,
    conditions: &[PathCondition],
    nth: usize,
    variable: Term,
) -> Vec<(i128, u32)> {
    let mut found: Vec<(i128, u32)> = vec![(0, 0)];
    if let LiteralValue::Int(own) = plan.parameters[nth].site.value {
        found.push((own, 1));
    }
    let Some(ParameterType::Int { is_signed, bits, name }) = &plan.parameters[nth].ty else {
        return Vec::new();
    };
    let drawn = paths.pool.variables(&[variable]);
    let is_about =
        |condition: &&PathCondition| drawn.iter().any(|drawn| condition.variables.contains(drawn));
    let terms: Vec<Term> =
        conditions.iter().filter(is_about).map(|condition| condition.condition).collect();
    let mut constants: Vec<i128> = Vec::new();
    for term in paths.pool.reachable(&terms) {
        let Some(value) = paths.pool.value(term).and_then(rebut_smt::Value::as_bits) else {
            continue;
        };
        let number = if *is_signed { value.signed() } else { value.unsigned() as i128 };
        if !constants.contains(&number) {
            constants.push(number);
        }
    }
    constants.sort_by_key(|number| number.unsigned_abs());
    for number in constants.into_iter().take(NUMBERS_MAX) {
        found.extend([(number, 1), (number.saturating_add(1), 2), (number.saturating_sub(1), 3)]);
    }
    if !name.ends_with("size") && name != "u128" {
        let range = integer_range(*is_signed, *bits);
        found.extend([(*range.end(), 2), (*range.start(), 3)]);
    }
    let mut seen = BTreeSet::new();
    found.retain(|(number, _)| seen.insert(*number));
    found
}

fn less(pool: &mut Pool, is_signed: bool, a: Term, b: Term) -> Term {
    if is_signed { pool.bv_slt(a, b) } else { pool.bv_ult(a, b) }
}

/// Returns the condition that a result does not overflow.
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

/// Returns the condition that a sum or difference of 128 bits does not overflow. There is no wider
/// term to compute it in. Signed overflow shows in the signs, unsigned overflow in the order.
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

pub(crate) fn widened(pool: &mut Pool, is_signed: bool, by: u32, term: Term) -> Term {
    if is_signed { pool.sign_extend(by, term) } else { pool.zero_extend(by, term) }
}

/// Whether a condition only compares, divides and takes remainders. These operations do not
/// overflow, and mean the same in every width.
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

/// Whether a condition is code that a person would write: short, and without casts, branches,
/// hexadecimal numbers and abbreviations.
fn is_readable(text: &str) -> bool {
    // An abbreviation (`…`) is not a token.
    let tokens = text.parse::<TokenStream>();
    text.len() <= TEXT_MAX && tokens.is_ok_and(|tokens| !has_unreadable_token(tokens))
}

fn has_unreadable_token(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "as" || name == "if",
        TokenTree::Literal(number) => number.to_string().starts_with("0x"),
        TokenTree::Group(group) => has_unreadable_token(group.stream()),
        TokenTree::Punct(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_128_bits_fit_if_they_do_not_overflow() {
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

    #[test]
    fn names_of_parameters_do_not_make_conditions_unreadable() {
        for text in ["field1 % 3 == 0", "record0 > 7", "notif == 1", "has_alias && b0x1 < 2"] {
            assert!(is_readable(text), "{text}");
        }
        let long = format!("{} == 1", "a".repeat(TEXT_MAX));
        let unreadable = ["(x as u32) < 3", "if c { 1 } else { 2 } == x", "x == 0x1000000", "…"];
        for text in unreadable.into_iter().chain([long.as_str()]) {
            assert!(!is_readable(text), "{text}");
        }
    }
}
