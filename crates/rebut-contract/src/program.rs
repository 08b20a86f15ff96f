//! Programs as values.
//!
//! A program is drawn before it runs: statements over an environment, in A-normal form. What a
//! statement needs that is not there is made by further statements before it. So the tape of a
//! program has one element for each statement, and what shrinks tapes shrinks programs.
//!
//! Drawing bodies of callbacks only when they are called would draw less; but then a body
//! would stand on the tape wherever it happened to be called first, and not move with the
//! statement that it belongs to.

mod draw;
mod names;
mod print;
pub(crate) mod run;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

use rebut_choice::Source;
use rebut_gen::{Code, Generate, Generator, ToCode};

use crate::blame::{self, EndOfProgram};
use crate::held::Value;
use crate::kind::Interface;
use crate::table::{CHANGES_OF_HUNDRED, Subject, Table};

/// A program that calls the code of `S`: a type with a contract, or a tuple of such.
///
/// It is run with [`run`](Program::run). A contract that the code under test breaks, and any
/// panic, is a failure of the property; a contract that the program itself breaks is not.
pub struct Program<S: ?Sized> {
    body: Body,
    subject: PhantomData<fn() -> PhantomData<S>>,
}

enum Body {
    Drawn(Rc<Drawn>),
    Written(Box<dyn Fn()>),
}

/// What was drawn.
pub(crate) struct Drawn {
    pub(crate) table: Rc<Table>,
    pub(crate) main: Block,
}

/// A place in the environment; each has a number of its own in the whole program.
pub(crate) type Slot = u32;

/// Statements, and what they give back.
#[derive(Default)]
pub(crate) struct Block {
    /// Where the parameters of a callback are put.
    pub(crate) given: Vec<Slot>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) result: Option<Argument>,
}

/// One call.
pub(crate) struct Statement {
    pub(crate) operation: usize,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) result: Option<Slot>,
    /// How often it was done, and how often not: for those who print it.
    pub(crate) done: Cell<u32>,
    pub(crate) skipped: Cell<u32>,
    /// Whether it was begun and has not ended: the one that fails.
    pub(crate) is_open: Cell<bool>,
}

/// What is passed.
pub(crate) enum Argument {
    /// A value; gone once it was used if it cannot be copied.
    Literal { kind: usize, value: RefCell<Option<Value>> },
    /// Something of the environment.
    Variable {
        slot: Slot,
        kind: usize,
        how: How,
        /// Whether there ever was something, and whether there was not: for those who print it.
        was_there: Cell<bool>,
        was_missing: Cell<bool>,
    },
    /// A new implementor of a trait, or a closure.
    Implementor(Rc<Implementor>),
}

/// What a variable has to become to be passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Nothing.
    AsIs,
    /// A number of another type: this kind.
    Number(usize),
    /// What is in the cell that it is a handle of.
    Lent,
    /// What is in the `Option` or `Result` that it is.
    Inside,
}

/// An implementor with its bodies, as it is written in the program.
pub(crate) struct Implementor {
    pub(crate) interface: Rc<Interface>,
    pub(crate) fuel: u32,
    /// For each method the body that overrides it.
    pub(crate) bodies: Vec<Option<Block>>,
    /// What it keeps of the environment around it, with kinds.
    pub(crate) captures: Vec<(Slot, usize)>,
    /// Whether a body was not run for want of fuel: for those who print it.
    pub(crate) ran_dry: Cell<bool>,
}

/// Programs of up to this many statements are drawn unless something else is asked for.
pub const STATEMENTS_MAX: usize = 10;

impl<S: Subject + ?Sized + 'static> Program<S> {
    /// Programs with settings of their own, for `#[from(..)]`.
    ///
    /// # Examples
    /// ```text
    /// #[rebut::test]
    /// fn stack(#[from(Program::any().max_size(30).changes(50))] program: Program<Stack>) {
    ///     program.run();
    /// }
    /// ```
    #[must_use]
    pub fn any() -> Programs<S> {
        Programs {
            max_size: STATEMENTS_MAX,
            changes_of_hundred: CHANGES_OF_HUNDRED,
            subject: PhantomData,
        }
    }
}

impl<S: ?Sized> Program<S> {
    /// A program as it is written in Rust: what a drawn one is printed as.
    #[must_use]
    pub fn new(body: impl Fn() + 'static) -> Program<S> {
        Program { body: Body::Written(Box::new(body)), subject: PhantomData }
    }

    /// Runs the program.
    ///
    /// # Panics
    /// If the code under test breaks a contract or panics.
    pub fn run(&self) {
        crate::model::begin();
        let call = blame::enter_program();
        let sent = crate::sent::begin();
        let ended = catch_unwind(AssertUnwindSafe(|| match &self.body {
            Body::Written(body) => body(),
            Body::Drawn(drawn) => run::main(drawn),
        }));
        drop(call);
        if let Body::Drawn(drawn) = &self.body {
            drawn.table.tell();
        }
        match ended {
            Ok(()) => {}
            Err(payload) if payload.is::<EndOfProgram>() || sent.is_void() => self.ended(),
            Err(payload) => resume_unwind(payload),
        }
    }

    /// The program broke a contract itself. One that was drawn proves nothing then; one that
    /// was written by someone is wrong.
    fn ended(&self) {
        let why = blame::ended_by().unwrap_or_default();
        if let Body::Written(_) = self.body {
            panic!("the program itself is at fault: {why}");
        }
    }

    /// How many statements were drawn, those in callbacks included.
    #[must_use]
    pub fn size(&self) -> usize {
        match &self.body {
            Body::Drawn(drawn) => size_of_block(&drawn.main),
            Body::Written(_) => 0,
        }
    }

    /// The statements as Rust, as far as they were done: run the program first.
    #[must_use]
    pub fn written(&self) -> String {
        match &self.body {
            Body::Drawn(drawn) => print::statements(drawn, 0),
            Body::Written(_) => "/* a program that was given */".to_owned(),
        }
    }

    /// An ordinary test with this name that does what the program did.
    #[must_use]
    pub fn to_test(&self, name: &str) -> String {
        match &self.body {
            Body::Drawn(drawn) => {
                format!("#[test]\nfn {name}() {{\n{}}}\n", print::statements(drawn, 1))
            }
            Body::Written(_) => String::new(),
        }
    }
}

fn size_of_block(block: &Block) -> usize {
    let of_argument = |argument: &Argument| match argument {
        Argument::Implementor(implementor) => {
            implementor.bodies.iter().flatten().map(size_of_block).sum()
        }
        _ => 0,
    };
    let of_statement =
        |statement: &Statement| 1 + statement.arguments.iter().map(of_argument).sum::<usize>();
    block.statements.iter().map(of_statement).sum()
}

/// See [`Program::any`].
pub struct Programs<S: ?Sized> {
    max_size: usize,
    changes_of_hundred: u32,
    subject: PhantomData<fn() -> PhantomData<S>>,
}

impl<S: ?Sized> Programs<S> {
    /// At most so many statements, and as many again for what these need.
    #[must_use]
    pub fn max_size(mut self, max_size: usize) -> Self {
        self.max_size = max_size;
        self
    }

    /// How many of a hundred statements call something that changes its receiver.
    #[must_use]
    pub fn changes(mut self, of_hundred: u32) -> Self {
        self.changes_of_hundred = of_hundred;
        self
    }
}

impl<S: Subject + ?Sized + 'static> Generator for Programs<S> {
    type Value = Program<S>;

    fn draw(&self, source: &mut Source) -> Program<S> {
        let table = Table::of::<S>();
        let main = if self.changes_of_hundred == CHANGES_OF_HUNDRED {
            draw::main(&table, &table.weights, self.max_size, source)
        } else {
            draw::main(&table, &table.weights_for(self.changes_of_hundred), self.max_size, source)
        };
        Program { body: Body::Drawn(Rc::new(Drawn { table, main })), subject: PhantomData }
    }
}

impl<S: Subject + ?Sized + 'static> Generate for Program<S> {
    fn generate(source: &mut Source) -> Program<S> {
        Program::any().draw(source)
    }
}

/// Written as Rust, once it has run.
impl<S: ?Sized> ToCode for Program<S> {
    fn to_code(&self, code: &mut Code) {
        match &self.body {
            Body::Written(_) => code.push("rebut::Program::new(/* a program that was given */)"),
            Body::Drawn(drawn) => {
                let drawn = Rc::clone(drawn);
                code.later(move || {
                    format!("rebut::Program::new(|| {{\n{}    }})", print::statements(&drawn, 2))
                });
            }
        }
    }
}

impl<S: ?Sized> fmt::Debug for Program<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written())
    }
}

impl<S: ?Sized> fmt::Debug for Programs<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "programs of at most {} statements", self.max_size)
    }
}
