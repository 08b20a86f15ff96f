//! An external solver in a child process.
//!
//! The process lives across queries. The session remembers what it asserted, by levels (`push`),
//! so a query that starts like the last one sends only what is new. For example, after a query
//! `[a]`, the query `[a, b]` sends a `push` and `b`. After it, the query `[b, c]` pops both levels
//! and sends `b` and `c`. The input language asks for one more difference at a time, so its loop
//! is incremental without extra code.
//!
//! Invariant: whatever a process does, the answer is a value. If the process is missing, late or
//! gone, sends nonsense or `unknown`, or its values do not fit, the answer is
//! [`Answer::Unknown`] with a message. After a failure the process is killed, and the next query
//! starts a new one.
//!
//! Separate threads write and read, so a process that does not read, or writes without end,
//! blocks no caller. Only the process itself is killed, not its children.

mod pipe;

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::print::{Printer, has_value};
use super::sexpr::{Sexpr, SexprKind, parse};
use super::value::read_value;
use crate::answer::{Reason, ReasonKind};
use crate::{Answer, Model, Pool, Term, Value};
use pipe::{Failure, Pipe};

/// An external solver that reads SMT-LIB 2 from its standard input.
///
/// # Examples
/// ```
/// use rebut_smt::smtlib::Process;
/// use rebut_smt::{Answer, Pool, Sort};
///
/// let mut pool = Pool::new();
/// let (x, y) = (pool.var("x", Sort::String), pool.string("ab"));
/// let claim = pool.str_contains(x, y);
/// let mut solver = Process::new("no-such-solver --in");
/// let Answer::Unknown(reason) = solver.check(&pool, &[claim]) else { panic!("it is missing") };
/// assert_eq!(
///     reason.to_string(),
///     "solver `no-such-solver` not found; install it, or specify another one",
/// );
/// ```
#[derive(Debug)]
pub struct Process {
    program: String,
    args: Vec<String>,
    time_max: Duration,
    session: Option<Session>,
}

/// A running process, and the assertions that it has.
#[derive(Debug)]
struct Session {
    pipe: Pipe,
    printer: Printer,
    levels: Vec<Level>,
    /// The id of the pool of its terms.
    pool: u64,
}

/// The assertions of one `push`.
#[derive(Debug)]
struct Level {
    assertions: Vec<Term>,
    /// The printer's mark before this level.
    mark: usize,
}

impl Process {
    /// Creates a solver from a command line, split at whitespace outside of quotes. `z3` and
    /// `cvc5` without arguments get the options that they need.
    pub fn new(command_line: &str) -> Process {
        let mut words = split_words(command_line).into_iter();
        let program = words.next().unwrap_or_default();
        let args: Vec<String> = words.collect();
        let options = match (stem(&program), args.is_empty()) {
            ("z3", true) => vec!["-in"],
            ("cvc5", true) => vec!["--incremental", "--produce-models", "--strings-exp"],
            _ => return Process::with_args(&program, args),
        };
        Process::with_args(&program, options.into_iter().map(str::to_owned).collect())
    }

    /// Finds an installed solver: the first of `bitwuzla`, `z3` and `cvc5` in the search path. Most
    /// queries are about bit-vectors, and this is their order in the competitions on these
    /// (SMT-COMP, division `QF_Bitvec`).
    pub fn installed() -> Option<Process> {
        Process::installed_in(&std::env::var_os("PATH")?)
    }

    fn installed_in(path: &OsStr) -> Option<Process> {
        let is_in_path = |program: &&str| {
            let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
            std::env::split_paths(path).any(|directory| directory.join(&file).is_file())
        };
        ["bitwuzla", "z3", "cvc5"].into_iter().find(is_in_path).map(Process::new)
    }

    /// Creates a solver from a program and its arguments. The time limit of a query is ten seconds.
    pub fn with_args(program: &str, args: Vec<String>) -> Process {
        let time_max = Duration::from_secs(10);
        Process { program: program.to_owned(), args, time_max, session: None }
    }

    /// Sets the time limit of one query. The default is ten seconds, which is arbitrary; a late
    /// answer is [`Answer::Unknown`].
    #[must_use]
    pub fn time_max(mut self, time_max: Duration) -> Process {
        self.time_max = time_max;
        self
    }

    /// Sets the time limit of one query.
    pub fn set_time_max(&mut self, time_max: Duration) {
        self.time_max = time_max;
    }

    /// Kills the process. The next query starts a new one.
    pub fn stop(&mut self) {
        self.session = None;
    }

    /// Returns the program.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Checks whether all assertions can be true at once.
    pub fn check(&mut self, pool: &Pool, assertions: &[Term]) -> Answer {
        let deadline = Instant::now() + self.time_max;
        match self.query(pool, assertions, deadline) {
            Ok(answer) => answer,
            Err(failure) => {
                let why = self.describe(failure);
                self.session = None;
                Answer::Unknown(Reason::new(why))
            }
        }
    }

    fn query(
        &mut self,
        pool: &Pool,
        assertions: &[Term],
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let session = match self.session.take() {
            Some(session) => session,
            None => Session::start(&self.program, &self.args)?,
        };
        let session = self.session.insert(session);
        session.set_assertions(pool, assertions);
        session.pipe.send("(check-sat)\n".to_owned());
        let verdict = session.reply(deadline)?;
        match verdict.atom() {
            Some("sat") => {}
            Some("unsat") => return Ok(Answer::Unsat),
            Some("unknown") => return Ok(Answer::Unknown(session.why_unknown(deadline))),
            _ => return Err(Failure::NotAnAnswer(display(&verdict))),
        }
        let model = session.model(pool, assertions, deadline)?;
        if model.satisfies(pool, assertions) {
            return Ok(Answer::Sat(model));
        }
        Ok(Answer::Unknown(Reason::new(ReasonKind::WrongModel)))
    }

    fn describe(&self, failure: Failure) -> ReasonKind {
        let program = &self.program;
        ReasonKind::External(match failure {
            Failure::Missing => {
                format!("solver `{program}` not found; install it, or specify another one")
            }
            Failure::NotStarted(error) => format!("the solver `{program}` did not start: {error}"),
            Failure::Late => return ReasonKind::Time(self.time_max),
            Failure::Ended(words) if words.is_empty() => {
                format!("the solver `{program}` ended without an answer")
            }
            Failure::Ended(words) => {
                format!("the solver `{program}` ended without an answer; its output: {words}")
            }
            Failure::NotAnAnswer(words) => {
                format!("the solver `{program}` returned an invalid answer: {words}")
            }
            Failure::Value(name, words) => {
                format!(
                    "the solver `{program}` returned an unsupported value for `{name}`: {words}"
                )
            }
        })
    }
}

impl Session {
    fn start(program: &str, args: &[String]) -> Result<Session, Failure> {
        let pipe = Pipe::open(program, args)?;
        pipe.send(
            "(set-option :print-success false)\n(set-option :produce-models true)\n\
             (set-logic ALL)\n"
                .to_owned(),
        );
        Ok(Session { pipe, printer: Printer::default(), levels: Vec::new(), pool: 0 })
    }

    /// Makes the process have exactly these assertions: pops the levels that differ, and pushes
    /// the missing assertions as one level.
    fn set_assertions(&mut self, pool: &Pool, assertions: &[Term]) {
        let mut kept = 0;
        let mut shared = 0;
        let is_same_pool = std::mem::replace(&mut self.pool, pool.id()) == pool.id();
        for level in self.levels.iter().filter(|_| is_same_pool) {
            match assertions[shared..].strip_prefix(&level.assertions[..]) {
                Some(_) => shared += level.assertions.len(),
                None => break,
            }
            kept += 1;
        }
        let mut script = String::new();
        if let Some(first) = self.levels.get(kept) {
            self.printer.forget(first.mark);
            let _ = writeln!(script, "(pop {})", self.levels.len() - kept);
            self.levels.truncate(kept);
        }
        let missing = &assertions[shared..];
        if !missing.is_empty() {
            let mark = self.printer.mark();
            let _ = writeln!(script, "(push 1)\n{}", self.printer.assert(pool, missing));
            self.levels.push(Level { assertions: missing.to_vec(), mark });
        }
        self.pipe.send(script);
    }

    /// Receives the next reply, skipping `success` and `unsupported`.
    fn reply(&mut self, deadline: Instant) -> Result<Sexpr, Failure> {
        loop {
            let text = self.pipe.receive(deadline)?;
            let parsed = parse(&text).ok().and_then(|mut all| all.pop());
            let Some(sexpr) = parsed else { return Err(Failure::NotAnAnswer(shorten(&text))) };
            if let Some([error, message]) = sexpr.list()
                && error.atom() == Some("error")
            {
                return Err(Failure::NotAnAnswer(display(message)));
            }
            if !matches!(sexpr.atom(), Some("success" | "unsupported")) {
                return Ok(sexpr);
            }
        }
    }

    fn why_unknown(&mut self, deadline: Instant) -> Reason {
        self.pipe.send("(get-info :reason-unknown)\n".to_owned());
        let reply = self.reply(deadline).ok();
        let words = match reply.as_ref().and_then(Sexpr::list) {
            Some([_, reason]) => display(reason),
            _ => "no reason".to_owned(),
        };
        Reason::new(ReasonKind::SaidUnknown(words))
    }

    fn model(
        &mut self,
        pool: &Pool,
        assertions: &[Term],
        deadline: Instant,
    ) -> Result<Model, Failure> {
        let mut variables = pool.variables(assertions);
        variables.retain(|variable| has_value(pool.sort(*variable)));
        if variables.is_empty() {
            return Ok(Model::default());
        }
        let name = |variable: &Term| self.printer.name(*variable).unwrap_or_default().to_owned();
        let names: Vec<String> = variables.iter().map(name).collect();
        self.pipe.send(format!("(get-value ({}))\n", names.join(" ")));
        let reply = self.reply(deadline)?;
        let pairs = reply.list().filter(|pairs| pairs.len() == variables.len());
        let pairs = pairs.ok_or_else(|| Failure::NotAnAnswer(display(&reply)))?;
        let mut model = Model::default();
        for ((variable, name), pair) in variables.into_iter().zip(names).zip(pairs) {
            let Some([_, written]) = pair.list() else {
                return Err(Failure::NotAnAnswer(display(pair)));
            };
            let value: Option<Value> = read_value(written, pool.sort(variable));
            let value = value.ok_or_else(|| Failure::Value(name, display(written)))?;
            model.set(variable, value);
        }
        Ok(model)
    }
}

/// Returns the name of a program without directories and extension.
fn stem(program: &str) -> &str {
    let path = std::path::Path::new(program);
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
}

fn split_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match quote {
            Some(open) if character == open => quote = None,
            None if character == '"' || character == '\'' => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            None if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// Formats an expression for a message.
fn display(sexpr: &Sexpr) -> String {
    fn write(sexpr: &Sexpr, out: &mut String) {
        match &sexpr.kind {
            SexprKind::Atom(atom) => out.push_str(atom),
            SexprKind::Text(text) => {
                let _ = write!(out, "{text:?}");
            }
            SexprKind::List(items) => {
                out.push('(');
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        out.push(' ');
                    }
                    write(item, out);
                }
                out.push(')');
            }
        }
    }
    let mut out = String::new();
    write(sexpr, &mut out);
    shorten(&out)
}

fn shorten(text: &str) -> String {
    /// The number of characters of a quoted reply. Arbitrary; the rest is cut off.
    const LENGTH_MAX: usize = 200;
    let text = text.trim();
    match text.char_indices().nth(LENGTH_MAX) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}
