//! A solver in a process of its own.
//!
//! The process is kept between questions. What it was told is remembered by levels (`push`), so
//! a question that begins like the last one costs only what is new: the loop of the input
//! language, which adds one difference at a time, is incremental by itself.
//!
//! Whatever a process does, the answer is a value: one that is missing, that does not answer in
//! time, that ends, that says nonsense or `unknown`, or whose values do not fit, gives
//! [`Answer::Unknown`] with the reason in words. After trouble the process is ended, and the
//! next question starts a new one. One thread writes and one reads, so that a process that does
//! not listen or does not stop talking blocks nobody. Only the process itself is ended, not
//! those that it may have started.

mod pipe;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::print::{Printer, has_value};
use super::sexpr::{Kind, Sexpr, parse};
use super::value::read_value;
use crate::answer::{Reason, ReasonKind};
use crate::{Answer, Model, Pool, Term, Value};
use pipe::{Pipe, Trouble};

/// Any solver that reads SMT-LIB 2 from its standard input.
///
/// # Example
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
///     "the solver `no-such-solver` was not found; install it, or name another one",
/// );
/// ```
#[derive(Debug)]
pub struct Process {
    program: String,
    args: Vec<String>,
    time_max: Duration,
    session: Option<Session>,
}

/// A process that runs, and what it was told.
#[derive(Debug)]
struct Session {
    pipe: Pipe,
    printer: Printer,
    levels: Vec<Level>,
    /// The pool of the terms it was told of.
    pool: u64,
}

#[derive(Debug)]
struct Level {
    assertions: Vec<Term>,
    /// How much was declared before this level.
    mark: usize,
}

impl Process {
    /// A solver by its command line, split at blanks; quotes hold words together. `z3` and
    /// `cvc5` alone get the options they need.
    pub fn new(command_line: &str) -> Process {
        let mut words = split_words(command_line).into_iter();
        let program = words.next().unwrap_or_default();
        let args: Vec<String> = words.collect();
        let known = match (stem(&program), args.is_empty()) {
            ("z3", true) => vec!["-in"],
            ("cvc5", true) => vec!["--incremental", "--produce-models", "--strings-exp"],
            _ => return Process::with_args(&program, args),
        };
        Process::with_args(&program, known.into_iter().map(str::to_owned).collect())
    }

    /// A solver by its program and arguments.
    pub fn with_args(program: &str, args: Vec<String>) -> Process {
        let time_max = Duration::from_secs(10);
        Process { program: program.to_owned(), args, time_max, session: None }
    }

    /// How long the answer to one question may take: ten seconds unless told.
    #[must_use]
    pub fn time_max(mut self, time_max: Duration) -> Process {
        self.time_max = time_max;
        self
    }

    /// Changes how long an answer may take.
    pub fn set_time_max(&mut self, time_max: Duration) {
        self.time_max = time_max;
    }

    /// Ends the process. The next question starts a new one.
    pub fn stop(&mut self) {
        self.session = None;
    }

    /// The program that is run.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Whether all of these can be true at once.
    pub fn check(&mut self, pool: &Pool, assertions: &[Term]) -> Answer {
        let deadline = Instant::now() + self.time_max;
        match self.ask(pool, assertions, deadline) {
            Ok(answer) => answer,
            Err(trouble) => {
                let why = self.in_words(trouble);
                self.session = None;
                Answer::Unknown(Reason::new(why))
            }
        }
    }

    fn ask(
        &mut self,
        pool: &Pool,
        assertions: &[Term],
        deadline: Instant,
    ) -> Result<Answer, Trouble> {
        let session = match self.session.take() {
            Some(session) => session,
            None => Session::start(&self.program, &self.args)?,
        };
        let session = self.session.insert(session);
        session.tell(pool, assertions);
        session.pipe.send("(check-sat)\n".to_owned());
        let verdict = session.reply(deadline)?;
        match verdict.atom() {
            Some("sat") => {}
            Some("unsat") => return Ok(Answer::Unsat),
            Some("unknown") => return Ok(Answer::Unknown(session.why_unknown(deadline))),
            _ => return Err(Trouble::Nonsense(shown(&verdict))),
        }
        let model = session.model(pool, assertions, deadline)?;
        if model.satisfies(pool, assertions) {
            return Ok(Answer::Sat(model));
        }
        Ok(Answer::Unknown(Reason::new(ReasonKind::WrongModel)))
    }

    fn in_words(&self, trouble: Trouble) -> ReasonKind {
        let program = &self.program;
        ReasonKind::External(match trouble {
            Trouble::Missing => {
                format!("the solver `{program}` was not found; install it, or name another one")
            }
            Trouble::NotStarted(error) => format!("the solver `{program}` did not start: {error}"),
            Trouble::Late => return ReasonKind::Time(self.time_max),
            Trouble::Ended(words) if words.is_empty() => {
                format!("the solver `{program}` ended without an answer")
            }
            Trouble::Ended(words) => {
                format!("the solver `{program}` ended without an answer; it said: {words}")
            }
            Trouble::Nonsense(words) => {
                format!("the solver `{program}` said what is no answer: {words}")
            }
            Trouble::Value(name, words) => {
                format!("the solver `{program}` gave `{name}` a value that cannot be held: {words}")
            }
        })
    }
}

impl Session {
    fn start(program: &str, args: &[String]) -> Result<Session, Trouble> {
        let pipe = Pipe::open(program, args)?;
        pipe.send(
            "(set-option :print-success false)\n(set-option :produce-models true)\n\
             (set-logic ALL)\n"
                .to_owned(),
        );
        Ok(Session { pipe, printer: Printer::default(), levels: Vec::new(), pool: 0 })
    }

    /// Makes the process hold just these assertions: takes back the levels that differ, and
    /// adds what is missing as one more.
    fn tell(&mut self, pool: &Pool, assertions: &[Term]) {
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

    /// The next expression that the process says, but for "success".
    fn reply(&mut self, deadline: Instant) -> Result<Sexpr, Trouble> {
        loop {
            let text = self.pipe.receive(deadline)?;
            let parsed = parse(&text).ok().and_then(|mut all| all.pop());
            let Some(sexpr) = parsed else { return Err(Trouble::Nonsense(shorten(&text))) };
            if let Some([error, message]) = sexpr.list()
                && error.atom() == Some("error")
            {
                return Err(Trouble::Nonsense(shown(message)));
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
            Some([_, reason]) => shown(reason),
            _ => "no reason".to_owned(),
        };
        Reason::new(ReasonKind::SaidUnknown(words))
    }

    fn model(
        &mut self,
        pool: &Pool,
        assertions: &[Term],
        deadline: Instant,
    ) -> Result<Model, Trouble> {
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
        let pairs = pairs.ok_or_else(|| Trouble::Nonsense(shown(&reply)))?;
        let mut model = Model::default();
        for ((variable, name), pair) in variables.into_iter().zip(names).zip(pairs) {
            let Some([_, written]) = pair.list() else {
                return Err(Trouble::Nonsense(shown(pair)));
            };
            let value: Option<Value> = read_value(written, pool.sort(variable));
            let value = value.ok_or_else(|| Trouble::Value(name, shown(written)))?;
            model.set(variable, value);
        }
        Ok(model)
    }
}

/// The name of a program without folders and extension.
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

/// An expression for a message.
fn shown(sexpr: &Sexpr) -> String {
    fn write(sexpr: &Sexpr, out: &mut String) {
        match &sexpr.kind {
            Kind::Atom(atom) => out.push_str(atom),
            Kind::Text(text) => {
                let _ = write!(out, "{text:?}");
            }
            Kind::List(items) => {
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
    const LENGTH_MAX: usize = 200;
    let text = text.trim();
    match text.char_indices().nth(LENGTH_MAX) {
        Some((end, _)) => format!("{}..", &text[..end]),
        None => text.to_owned(),
    }
}
