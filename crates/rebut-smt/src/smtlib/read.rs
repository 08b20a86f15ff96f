//! Reads scripts as terms.

mod apply;

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use super::sexpr::{Malformed, Sexpr, SexprKind, parse};
use super::value::{read_bits, read_string};
use crate::op::SortError;
use crate::{Pool, Rational, Sort, Term, Value};

/// The queries of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// One query per `check-sat`, in order.
    pub queries: Vec<Query>,
    /// All declared variables.
    pub variables: Vec<Term>,
}

/// The query of one `check-sat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The assertions at this point.
    pub assertions: Vec<Term>,
    /// The expected answer, from `(set-info :status ..)`.
    pub status: Option<Status>,
}

/// The expected answer of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The assertions have a model.
    Sat,
    /// The assertions have no model.
    Unsat,
}

/// An error in a script, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    message: String,
    line: usize,
    column: usize,
}

impl ReadError {
    fn new(text: &str, fault: Fault) -> ReadError {
        let before = text.get(..fault.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        ReadError { message: fault.message, line, column }
    }

    /// Returns the line, starting at 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the column in characters, starting at 1.
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads a script.
///
/// # Errors
/// If the script is malformed or contains something that is not supported. Reports the first error.
///
/// # Examples
/// ```
/// use rebut_smt::{Answer, Pool, Solver, smtlib};
///
/// let mut pool = Pool::new();
/// let script = smtlib::read_script(
///     &mut pool,
///     "(declare-const x (_ BitVec 8)) (assert (= (bvmul x #x03) #x2a)) (check-sat)",
/// )?;
/// let answer = Solver::new().check_assuming(&mut pool, &script.queries[0].assertions);
/// assert!(matches!(answer, Answer::Sat(_)));
/// # Ok::<(), smtlib::ReadError>(())
/// ```
pub fn read_script(pool: &mut Pool, text: &str) -> Result<Script, ReadError> {
    let commands = parse(text).map_err(|malformed| ReadError::new(text, malformed.into()))?;
    let mut reader = Reader::new(pool);
    for command in &commands {
        reader.command(command).map_err(|fault| ReadError::new(text, fault))?;
    }
    Ok(reader.script)
}

/// An error, and its byte offset.
#[derive(Debug)]
struct Fault {
    at: usize,
    message: String,
}

impl Fault {
    fn new(sexpr: &Sexpr, message: impl Into<String>) -> Fault {
        Fault { at: sexpr.at, message: message.into() }
    }

    fn sorts(sexpr: &Sexpr, error: &SortError) -> Fault {
        Fault::new(sexpr, error.to_string())
    }
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Fault {
        Fault { at: malformed.at, message: malformed.what.to_owned() }
    }
}

/// The nesting depth of terms, with definitions expanded. Arbitrary: the reader recurses, so it
/// bounds its stack. A deeper term is an error.
const DEPTH_MAX: usize = 300;

/// Executes the commands of a script.
struct Reader<'a> {
    pool: &'a mut Pool,
    script: Script,
    /// Variables and definitions by name.
    names: HashMap<String, Definition>,
    /// Names bound by `let` and as parameters, innermost last.
    bound: Vec<(String, Term)>,
    assertions: Vec<Term>,
    levels: Vec<usize>,
    status: Option<Status>,
    /// The nesting depth of the current term, definitions included.
    depth: usize,
    /// The number of calls of definitions so far.
    calls: usize,
}

fn status(value: &Sexpr) -> Option<Status> {
    match value.atom()? {
        "sat" => Some(Status::Sat),
        "unsat" => Some(Status::Unsat),
        _ => None,
    }
}

/// The meaning of a name.
#[derive(Clone)]
enum Definition {
    Term(Term),
    Function(Rc<Function>),
    Sort(Sort),
}

/// A definition with parameters. Its body is read again for each call.
struct Function {
    parameters: Vec<(String, Sort)>,
    result: Sort,
    body: Sexpr,
}

impl<'a> Reader<'a> {
    fn new(pool: &'a mut Pool) -> Reader<'a> {
        Reader {
            pool,
            script: Script::default(),
            names: HashMap::new(),
            bound: Vec::new(),
            assertions: Vec::new(),
            levels: Vec::new(),
            status: None,
            depth: 0,
            calls: 0,
        }
    }

    fn command(&mut self, sexpr: &Sexpr) -> Result<(), Fault> {
        let items = sexpr.list().unwrap_or_default();
        let name = items.first().and_then(Sexpr::atom);
        match (name, &items[1.min(items.len())..]) {
            (Some("set-info"), [key, value]) if key.atom() == Some(":status") => {
                self.status = status(value);
                Ok(())
            }
            (
                Some(
                    "set-info" | "set-logic" | "set-option" | "get-model" | "get-value" | "exit"
                    | "get-info" | "echo",
                ),
                _,
            ) => Ok(()),
            (Some("declare-const"), [name, sort]) => self.declare(name, sort),
            (Some("declare-fun"), [name, parameters, sort]) => match parameters.list() {
                Some([]) => self.declare(name, sort),
                _ => {
                    Err(Fault::new(parameters, "only functions without parameters can be declared"))
                }
            },
            (Some("define-sort"), [name, parameters, sort]) if parameters.list() == Some(&[]) => {
                let sort = self.sort(sort)?;
                self.name(name, Definition::Sort(sort))
            }
            (Some("define-const"), [name, sort, body]) => self.define(name, &[], sort, body),
            (Some("define-fun"), [name, parameters, sort, body]) => match parameters.list() {
                Some(parameters) => self.define(name, parameters, sort, body),
                None => Err(Fault::new(parameters, "a list of parameters is `((x Int) ..)`")),
            },
            (Some("assert"), [assertion]) => self.assert(assertion),
            (Some("check-sat"), []) => {
                let (assertions, status) = (self.assertions.clone(), self.status.take());
                self.script.queries.push(Query { assertions, status });
                Ok(())
            }
            (Some("push"), count) => {
                let count = self.count(sexpr, count)?;
                self.levels.extend(std::iter::repeat_n(self.assertions.len(), count));
                Ok(())
            }
            (Some("pop"), count) => self.pop(sexpr, count),
            (Some("reset"), []) => {
                self.names.clear();
                self.assertions.clear();
                self.levels.clear();
                Ok(())
            }
            (Some(name), _) => Err(Fault::new(
                sexpr,
                format!("unknown command `{name}`, or unsupported arguments"),
            )),
            (None, _) => Err(Fault::new(sexpr, "a command is a list that begins with its name")),
        }
    }

    fn assert(&mut self, assertion: &Sexpr) -> Result<(), Fault> {
        let term = self.term(assertion)?;
        match self.pool.sort(term) {
            Sort::Bool => self.assertions.push(term),
            sort => {
                let message = format!("expected an assertion of sort Bool, found {sort}");
                return Err(Fault::new(assertion, message));
            }
        }
        Ok(())
    }

    fn pop(&mut self, sexpr: &Sexpr, count: &[Sexpr]) -> Result<(), Fault> {
        for _ in 0..self.count(sexpr, count)? {
            let Some(length) = self.levels.pop() else {
                return Err(Fault::new(sexpr, "this `pop` has no `push`"));
            };
            self.assertions.truncate(length);
        }
        Ok(())
    }

    fn count(&self, sexpr: &Sexpr, args: &[Sexpr]) -> Result<usize, Fault> {
        /// Arbitrary: it bounds memory. A larger count is an error.
        const LEVELS_MAX: usize = 10_000;
        match args {
            [] => Ok(1),
            [count] => count
                .atom()
                .and_then(|atom| atom.parse().ok())
                .filter(|count| *count <= LEVELS_MAX)
                .ok_or_else(|| Fault::new(count, "expected a number of levels")),
            _ => Err(Fault::new(sexpr, "expected one number")),
        }
    }

    fn declare(&mut self, name: &Sexpr, sort: &Sexpr) -> Result<(), Fault> {
        let sort = self.sort(sort)?;
        let Some(text) = name.atom() else { return Err(Fault::new(name, "a name is a symbol")) };
        let variable = self.pool.var(text, sort);
        self.script.variables.push(variable);
        self.name(name, Definition::Term(variable))
    }

    fn name(&mut self, name: &Sexpr, definition: Definition) -> Result<(), Fault> {
        let Some(text) = name.atom() else { return Err(Fault::new(name, "a name is a symbol")) };
        self.names.insert(text.to_owned(), definition);
        Ok(())
    }

    fn define(
        &mut self,
        name: &Sexpr,
        parameters: &[Sexpr],
        sort: &Sexpr,
        body: &Sexpr,
    ) -> Result<(), Fault> {
        let result = self.sort(sort)?;
        let mut typed = Vec::new();
        for parameter in parameters {
            let Some([name, sort]) = parameter.list() else {
                return Err(Fault::new(parameter, "a parameter is `(name Sort)`"));
            };
            let Some(name) = name.atom() else {
                return Err(Fault::new(name, "a name is a symbol"));
            };
            typed.push((name.to_owned(), self.sort(sort)?));
        }
        if !typed.is_empty() {
            let function = Function { parameters: typed, result, body: body.clone() };
            return self.name(name, Definition::Function(Rc::new(function)));
        }
        let term = self.term(body)?;
        let term = self.coerced(term, result);
        if self.pool.sort(term) != result {
            let found = self.pool.sort(term);
            return Err(Fault::new(body, format!("this is of sort {found}, not {result}")));
        }
        self.name(name, Definition::Term(term))
    }

    fn sort(&self, sexpr: &Sexpr) -> Result<Sort, Fault> {
        if let Some([underscore, name, width]) = sexpr.list()
            && underscore.atom() == Some("_")
            && name.atom() == Some("BitVec")
        {
            let width = width.atom().and_then(|width| width.parse().ok());
            return match width {
                Some(width @ 1..=Sort::WIDTH_MAX) => Ok(Sort::BitVec(width)),
                _ => Err(Fault::new(sexpr, "bit-vectors have 1 to 128 bits here")),
            };
        }
        match sexpr.atom() {
            Some("Bool") => Ok(Sort::Bool),
            Some("Int") => Ok(Sort::Int),
            Some("Real") => Ok(Sort::Real),
            Some("String") => Ok(Sort::String),
            Some("RegLan") => Ok(Sort::RegLan),
            Some(name) => match self.names.get(name) {
                Some(Definition::Sort(sort)) => Ok(*sort),
                _ => Err(Fault::new(sexpr, format!("unknown sort `{name}`"))),
            },
            None => Err(Fault::new(sexpr, "unknown sort")),
        }
    }

    fn term(&mut self, sexpr: &Sexpr) -> Result<Term, Fault> {
        if self.depth >= DEPTH_MAX {
            return Err(Fault::new(sexpr, "this nests too deep"));
        }
        self.depth += 1;
        let term = self.term_within(sexpr);
        self.depth -= 1;
        term
    }

    fn term_within(&mut self, sexpr: &Sexpr) -> Result<Term, Fault> {
        if let Some(bits) = read_bits(sexpr) {
            return Ok(self.pool.constant(Value::Bits(bits)));
        }
        match &sexpr.kind {
            SexprKind::Text(text) => match read_string(text) {
                Some(text) => Ok(self.pool.string(&text)),
                None => Err(Fault::new(
                    sexpr,
                    "this string contains a surrogate, which is not a character",
                )),
            },
            SexprKind::Atom(atom) => self.symbol(sexpr, atom),
            SexprKind::List(items) => match &items[..] {
                [keyword, bindings, body] if keyword.atom() == Some("let") => {
                    self.let_in(bindings, body)
                }
                [keyword, body, ..] if keyword.atom() == Some("!") => self.term(body),
                [head, args @ ..] => self.application(sexpr, head, args),
                [] => Err(Fault::new(sexpr, "a term is missing between `(` and `)`")),
            },
        }
    }

    fn symbol(&mut self, sexpr: &Sexpr, atom: &str) -> Result<Term, Fault> {
        if let Some((_, term)) = self.bound.iter().rev().find(|(name, _)| name == atom) {
            return Ok(*term);
        }
        if let Some(Definition::Term(term)) = self.names.get(atom) {
            return Ok(*term);
        }
        if atom.starts_with(|c: char| c.is_ascii_digit()) {
            let number = super::value::read_number(sexpr);
            return match number {
                Some(number) if atom.contains('.') => Ok(self.pool.real(number)),
                Some(number) => Ok(self.pool.int(number.numerator())),
                None => {
                    Err(Fault::new(sexpr, "this number is invalid, or needs more than 128 bits"))
                }
            };
        }
        match atom {
            "true" | "false" => Ok(self.pool.bool(atom == "true")),
            "re.none" | "re.nostr" => Ok(self.pool.re_none()),
            "re.all" => Ok(self.pool.re_all()),
            "re.allchar" => Ok(self.pool.re_allchar()),
            _ => Err(Fault::new(sexpr, format!("`{atom}` is not declared"))),
        }
    }

    /// Reads `let`. The bindings see the outer names, not each other.
    fn let_in(&mut self, bindings: &Sexpr, body: &Sexpr) -> Result<Term, Fault> {
        let mut new = Vec::new();
        for binding in bindings.list().unwrap_or_default() {
            let Some([name, value]) = binding.list() else {
                return Err(Fault::new(binding, "a binding is `(name term)`"));
            };
            let Some(name) = name.atom() else {
                return Err(Fault::new(name, "a name is a symbol"));
            };
            new.push((name.to_owned(), self.term(value)?));
        }
        let outside = self.bound.len();
        self.bound.extend(new);
        let term = self.term(body);
        self.bound.truncate(outside);
        term
    }

    /// Converts an integer constant to a real where a real is expected.
    fn coerced(&mut self, term: Term, wanted: Sort) -> Term {
        match (self.pool.value(term), wanted) {
            (Some(Value::Int(number)), Sort::Real) => {
                let number = Rational::whole(*number);
                self.pool.real(number)
            }
            _ => term,
        }
    }
}
