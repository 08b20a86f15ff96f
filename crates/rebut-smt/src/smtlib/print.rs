//! Prints terms in SMT-LIB syntax.
//!
//! A term that is used more than once, or that nests too deep, gets a `define-fun` of its own. So
//! the text is as small as the graph, and no parser runs out of stack.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::op::Op;
use crate::pool::TermMap;
use crate::{Bits, Pool, Rational, Sort, Table, TableRun, Term, Value};

/// The nesting depth of printed terms. Arbitrary: small enough for any parser. A deeper term gets
/// a definition.
const DEPTH_MAX: u32 = 24;

/// Prints a script that declares the variables, asserts the terms and calls `check-sat`.
///
/// # Examples
/// ```
/// use rebut_smt::{Pool, Sort, smtlib};
///
/// let mut pool = Pool::new();
/// let (x, three) = (pool.var("x", Sort::Int), pool.int(-3));
/// let claim = pool.lt(x, three);
/// assert_eq!(
///     smtlib::print_script(&pool, &[claim]),
///     "(set-logic ALL)\n\
///      (declare-const x Int)\n\
///      (assert (< x (- 3)))\n\
///      (check-sat)\n"
/// );
/// ```
pub fn print_script(pool: &Pool, assertions: &[Term]) -> String {
    let mut printer = Printer::default();
    let mut script = String::from("(set-logic ALL)\n");
    script.push_str(&printer.assert(pool, assertions));
    script.push_str("(check-sat)\n");
    script
}

/// Prints a single term without definitions, for messages. Shared parts are repeated.
pub fn print_term(pool: &Pool, term: Term) -> String {
    let mut names = UniqueNames::default();
    let mut texts: TermMap<String> = TermMap::default();
    for part in pool.reachable(&[term]) {
        let text = compose(pool, part, &mut names, &texts);
        texts.insert(part, text);
    }
    texts.remove(&term).unwrap_or_default()
}

/// Prints assertions, and remembers what it declared and defined.
#[derive(Debug, Default)]
pub(super) struct Printer {
    names: UniqueNames,
    /// The names of the terms that are declared or defined.
    defined: TermMap<String>,
    /// The terms of `defined`, in order.
    log: Vec<Term>,
}

impl Printer {
    /// Prints commands that assert terms, with the missing declarations and definitions.
    pub(super) fn assert(&mut self, pool: &Pool, assertions: &[Term]) -> String {
        let mut script = String::new();
        let order = pool.reachable(assertions);
        let mut uses: TermMap<u32> = TermMap::default();
        for term in &order {
            // A lookup repeats its index.
            let times = if pool.op(*term) == Op::Select { 2 } else { 1 };
            for arg in pool.args(*term) {
                *uses.entry(*arg).or_default() += times;
            }
        }
        let mut texts: TermMap<String> = TermMap::default();
        let mut depths: TermMap<u32> = TermMap::default();
        for term in order {
            if let Some(name) = self.defined.get(&term) {
                texts.insert(term, name.clone());
                continue;
            }
            let is_new_variable = matches!(pool.op(term), Op::Var(_));
            let text = compose(pool, term, &mut self.names, &texts);
            if is_new_variable {
                let _ = writeln!(script, "(declare-const {text} {})", pool.sort(term));
                self.define(term, text.clone());
                texts.insert(term, text);
                continue;
            }
            let args = pool.args(term);
            let depth = args.iter().map(|arg| depths.get(arg).map_or(1, |depth| depth + 1)).max();
            let depth = depth.unwrap_or(0);
            let is_shared = uses.get(&term).is_some_and(|count| *count > 1);
            if !args.is_empty() && (is_shared || depth >= DEPTH_MAX) {
                let name = self.names.definition(term);
                let _ = writeln!(script, "(define-fun {name} () {} {text})", pool.sort(term));
                self.define(term, name.clone());
                texts.insert(term, name);
            } else {
                depths.insert(term, depth);
                texts.insert(term, text);
            }
        }
        for assertion in assertions {
            let text = texts.get(assertion).map_or("true", |text| text);
            let _ = writeln!(script, "(assert {text})");
        }
        script
    }

    fn define(&mut self, term: Term, name: String) {
        self.defined.insert(term, name);
        self.log.push(term);
    }

    /// Returns a mark for [`forget`](Printer::forget).
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Forgets the declarations and definitions since the mark.
    pub(super) fn forget(&mut self, mark: usize) {
        for term in self.log.split_off(mark.min(self.log.len())) {
            self.names.given.remove(&term);
            if let Some(name) = self.defined.remove(&term) {
                self.names.taken.remove(&name);
            }
        }
    }

    /// Returns the printed name of a variable, if it was declared.
    pub(super) fn name(&self, variable: Term) -> Option<&str> {
        self.defined.get(&variable).map(String::as_str)
    }
}

/// Assigns unique names to variables and definitions.
#[derive(Debug, Default)]
struct UniqueNames {
    taken: HashSet<String>,
    given: TermMap<String>,
}

impl UniqueNames {
    fn variable(&mut self, pool: &Pool, variable: Term) -> String {
        if let Some(name) = self.given.get(&variable) {
            return name.clone();
        }
        let wanted = pool.name(variable).unwrap_or_default();
        let clean: String = wanted.chars().map(|c| if is_quotable(c) { c } else { '_' }).collect();
        let mut name = quoted(&clean);
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = quoted(&format!("{clean}!{number}"));
        }
        self.given.insert(variable, name.clone());
        name
    }

    fn definition(&mut self, term: Term) -> String {
        let mut name = format!("t!{}", term.index());
        while !self.taken.insert(name.clone()) {
            name.push('!');
        }
        name
    }
}

/// Whether a character may occur between bars. Some solvers reject others, so they are replaced.
fn is_quotable(c: char) -> bool {
    (' '..='~').contains(&c) && c != '|' && c != '\\'
}

fn quoted(name: &str) -> String {
    const RESERVED: [&str; 13] = [
        "!", "_", "as", "let", "exists", "forall", "match", "par", "true", "false", "not", "and",
        "or",
    ];
    let is_symbol = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if begins_well && name.chars().all(is_symbol) && !is_reserved(name) && !RESERVED.contains(&name)
    {
        return name.to_owned();
    }
    // The name of an operator keeps its meaning even between bars.
    if is_reserved(name) || RESERVED.contains(&name) || name.is_empty() {
        return format!("|{name}!|");
    }
    format!("|{name}|")
}

/// Whether a theory may define this name.
fn is_reserved(name: &str) -> bool {
    ["bv", "str.", "re.", "fp.", "to_", "set.", "seq.", "int.", "is_"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
        || ["ite", "distinct", "div", "mod", "abs", "concat", "extract", "xor", "select", "store"]
            .contains(&name)
        || ["int2bv", "nat2bv", "iand", "emptyset", "const", "Int", "Real", "Bool", "String"]
            .contains(&name)
}

fn compose(pool: &Pool, term: Term, names: &mut UniqueNames, texts: &TermMap<String>) -> String {
    let op = pool.op(term);
    let args: Vec<&str> =
        pool.args(term).iter().map(|arg| texts.get(arg).map_or("", String::as_str)).collect();
    match (op, &args[..]) {
        (Op::Var(_), _) => names.variable(pool, term),
        (Op::Const(_), _) => pool.value(term).map(print_value).unwrap_or_default(),
        (Op::IntDiv | Op::IntMod | Op::RealDiv, [a, b]) => division(pool, term, a, b),
        (Op::Select, [index, _]) => match pool.value(pool.args(term)[1]) {
            Some(Value::Table(table)) => print_lookup(index, table),
            _ => String::new(),
        },
        (Op::Distinct | Op::Add | Op::StrConcat, [only]) => match op {
            Op::Distinct => "true".to_owned(),
            _ => (*only).to_owned(),
        },
        (Op::And, []) => "true".to_owned(),
        (Op::Or, []) => "false".to_owned(),
        (Op::StrConcat, []) => "\"\"".to_owned(),
        (Op::And | Op::Or | Op::ReConcat | Op::ReUnion | Op::ReInter, [only]) => (*only).to_owned(),
        (_, []) => op.to_string(),
        _ => format!("({op} {})", args.join(" ")),
    }
}

/// Prints a division. SMT-LIB leaves division by zero open, so the printed term contains our
/// result for it, unless the divisor is a nonzero constant.
fn division(pool: &Pool, term: Term, a: &str, b: &str) -> String {
    let op = pool.op(term);
    let plain = format!("({op} {a} {b})");
    let divisor = pool.args(term).get(1).and_then(|divisor| pool.number(*divisor));
    if divisor.is_some_and(|divisor| divisor != Rational::ZERO) {
        return plain;
    }
    let (zero, result) = match op {
        Op::IntDiv => ("0", "0"),
        Op::IntMod => ("0", a),
        _ => ("0.0", "0.0"),
    };
    format!("(ite (= {b} {zero}) {result} {plain})")
}

/// Prints the lookup in a table as a binary search for the run of the index. All solvers have
/// `ite`; constant arrays are an extension, and large ones are slow to read.
fn print_lookup(index: &str, table: &Table) -> String {
    fn search(index: &str, table: &Table, runs: &[TableRun]) -> String {
        let bits = |width, number| print_value(&Value::Bits(Bits::new(width, number)));
        match runs {
            [] => String::new(),
            [only] => bits(table.value_width(), only.value),
            _ => {
                let (below, above) = runs.split_at(runs.len() / 2);
                let middle = bits(table.index_width(), above[0].first.into());
                let [below, above] = [below, above].map(|half| search(index, table, half));
                format!("(ite (bvult {index} {middle}) {below} {above})")
            }
        }
    }
    search(index, table, &table.runs().collect::<Vec<_>>())
}

/// Prints a value in SMT-LIB syntax.
pub fn print_value(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Bits(bits) if bits.width() % 4 == 0 => {
            format!("#x{:0digits$x}", bits.unsigned(), digits = (bits.width() / 4) as usize)
        }
        Value::Bits(bits) => {
            format!("#b{:0digits$b}", bits.unsigned(), digits = bits.width() as usize)
        }
        Value::Int(number) => signed(*number < 0, number.unsigned_abs().to_string()),
        Value::Real(number) => {
            let above = format!("{}.0", number.numerator().unsigned_abs());
            let text = match number.denominator() {
                1 => above,
                below => format!("(/ {above} {below}.0)"),
            };
            signed(number.numerator() < 0, text)
        }
        Value::String(text) => print_string(text),
        // Only lookups use a table, and they print its values.
        Value::Table(table) => format!("table!{}", table.runs().len()),
    }
}

fn signed(is_negative: bool, text: String) -> String {
    if is_negative { format!("(- {text})") } else { text }
}

fn print_string(text: &str) -> String {
    let mut written = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => written.push_str("\"\""),
            '\\' => written.push_str("\\u{5c}"),
            ' '..='~' => written.push(character),
            other => {
                let _ = write!(written, "\\u{{{:x}}}", u32::from(other));
            }
        }
    }
    written.push('"');
    written
}

/// Whether `get-value` works for a variable of this sort.
pub(super) fn has_value(sort: Sort) -> bool {
    !matches!(sort, Sort::RegLan | Sort::Table { .. })
}
