//! Programs as generated values.
//!
//! A program is generated before it runs: statements over an environment, in A-normal form. If a
//! statement needs a value that does not exist yet, further statements before it construct the
//! value. So the tape of a program has one element for each statement, and the passes that shrink
//! tapes also shrink programs.
//!
//! The road not taken: generating the body of a callback when it is first called. That would take
//! fewer choices, but the body would be on the tape where the first call happened, and would not
//! move with the statement that it belongs to.

mod callee;
mod draw;
mod expression;
mod print;
pub(crate) mod run;
#[cfg(test)]
mod testing;
mod variable_names;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

use rebut_choice::{Source, Stop, Tape, internal_assert};
use rebut_gen::code::Noted;
use rebut_gen::{Code, Generate, Generator, ToCode};

use crate::blame::{self, EndOfProgram};
use crate::call_argument::Value;
use crate::table::{CHANGES_OF_HUNDRED, Contracted, Table};
use crate::type_info::Interface;

/// A generated program that calls the code of `S`, as a parameter of a test.
///
/// `S` is a type with a contract, `dyn Trait` for a trait with one, or a tuple of such types. The
/// test calls [`run`](Program::run). If the code under test violates a contract or panics, the test
/// fails. If the program itself violates a contract, the run ends without a failure. Programs shrink
/// to fewer statements with simpler arguments.
///
/// # Examples
/// ```test_harness
/// #[derive(Debug, Default)]
/// pub struct Counter {
///     count: u8,
/// }
///
/// #[rebut::contract]
/// impl Counter {
///     pub fn new() -> Counter {
///         Counter::default()
///     }
///
///     #[requires(self.count < 3)]
///     #[ensures(self.count == old(self.count) + 1)]
///     pub fn increment(&mut self) {
///         self.count += 1;
///     }
/// }
///
/// #[rebut::test]
/// fn counter_keeps_its_contract(program: rebut::Program<Counter>) {
///     program.run();
/// }
/// ```
pub struct Program<S: ?Sized> {
    body: Body,
    subject: PhantomData<fn() -> PhantomData<S>>,
}

enum Body {
    Generated(Rc<GeneratedProgram>),
    Handwritten(Box<dyn Fn()>),
}

/// A generated program and its table.
pub(crate) struct GeneratedProgram {
    pub(crate) table: Rc<Table>,
    pub(crate) main: Block,
}

/// A variable of the environment. Its number is unique in the program.
pub(crate) type Slot = u32;

/// Statements and their result.
#[derive(Default)]
pub(crate) struct Block {
    /// The slots of the parameters of a callback.
    pub(crate) given: Vec<Slot>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) result: Option<Argument>,
}

/// One call.
pub(crate) struct Statement {
    pub(crate) operation: usize,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) result: Option<Slot>,
    /// How often the statement ran, for printing.
    pub(crate) done: Cell<u32>,
    /// How often the statement returned what it promises, for printing. A constructor may return
    /// nothing.
    pub(crate) returned: Cell<u32>,
    /// How often the statement was skipped, for printing.
    pub(crate) skipped: Cell<u32>,
    /// Whether the statement began and has not ended. It is the one that fails.
    pub(crate) is_open: Cell<bool>,
}

/// An argument of a call.
pub(crate) enum Argument {
    /// A value. If it cannot be cloned, it is gone after its first use.
    Literal {
        type_index: usize,
        value: RefCell<Option<Value>>,
        /// The choices for the value, to generate it again. `None` if a clone shares nothing with
        /// the value.
        tape: Option<Tape>,
        /// The code of a value that is gone, for printing.
        code: RefCell<Option<Noted>>,
    },
    /// A variable of the environment.
    Variable {
        slot: Slot,
        type_index: usize,
        conversion: Conversion,
        /// Whether the variable ever had a value, for printing.
        was_there: Cell<bool>,
        /// Whether the variable ever had no value, for printing.
        was_missing: Cell<bool>,
        /// The value after a conversion, as code, if it was the same each time, for printing.
        code: RefCell<Option<Noted>>,
    },
    /// A new implementor of a trait, or a closure.
    Implementor(Rc<Implementor>),
    /// A new `Vec` or `Option` of arguments.
    Elements { type_index: usize, elements: Vec<Argument> },
}

/// The conversion of a variable to an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversion {
    /// No conversion.
    AsIs,
    /// Conversion to the integer type with this index.
    ToInteger(usize),
    /// Borrowing the contents of the cell that the variable is a handle to.
    OpenCell,
    /// Taking the contents of an `Option` or a `Result`.
    Unwrap,
}

/// An implementor and its bodies, as written in the program.
pub(crate) struct Implementor {
    pub(crate) interface: Rc<Interface>,
    pub(crate) fuel: u32,
    /// For each method, the body that overrides it.
    pub(crate) bodies: Vec<Option<Block>>,
    /// The variables that it keeps from the environment around it, with their types.
    pub(crate) captures: Vec<(Slot, usize)>,
    /// Whether a body did not run because there was no fuel left, for printing.
    pub(crate) ran_dry: Cell<bool>,
}

/// The default maximum number of statements. A program has no more of its own; those that construct
/// arguments come on top. The random driver draws lengths of all orders of magnitude, so most programs
/// are short, one in four has tens of statements, and a few reach the maximum. Arbitrary:
/// the planted bugs of everyday code in `bench programs` need up to 23 operations on one object, next to
/// calls that do nothing.
pub const STATEMENTS_MAX: usize = 100;

impl<S: Contracted + ?Sized + 'static> Program<S> {
    /// Returns the generator of programs, to change its settings in `#[from(..)]`.
    ///
    /// # Examples
    /// ```test_harness
    /// use rebut::Program;
    ///
    /// #[rebut::contract]
    /// fn half(n: u8) -> u8 {
    ///     n / 2
    /// }
    ///
    /// #[rebut::test]
    /// fn half_never_panics(#[from(Program::any().max_size(3))] program: Program<half>) {
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

    /// Returns the public functions of `S` that no program calls, each with the reason.
    ///
    /// # Examples
    /// ```
    /// use rebut::Program;
    ///
    /// pub struct Timer;
    ///
    /// #[rebut::contract]
    /// impl Timer {
    ///     pub fn new() -> Timer {
    ///         Timer
    ///     }
    ///
    ///     pub async fn wait(&self) {}
    /// }
    ///
    /// assert_eq!(Program::<Timer>::left_out(), ["Timer::wait: it is async"]);
    /// ```
    #[must_use]
    pub fn left_out() -> Vec<String> {
        let all = Table::for_subject::<S>().left_out();
        all.iter().map(|one| format!("{}: {}", one.path, one.reason)).collect()
    }
}

impl<S: ?Sized> Program<S> {
    /// Creates a program from a closure. Reports print generated programs this way.
    ///
    /// # Examples
    /// ```
    /// use rebut::Program;
    ///
    /// #[rebut::contract]
    /// #[requires(n > 0)]
    /// fn divide_by(n: u8) -> u8 {
    ///     100 / n
    /// }
    ///
    /// Program::<divide_by>::new(|| {
    ///     divide_by(7);
    /// })
    /// .run();
    /// ```
    #[must_use]
    pub fn new(body: impl Fn() + 'static) -> Program<S> {
        Program { body: Body::Handwritten(Box::new(body)), subject: PhantomData }
    }

    /// Runs the program.
    ///
    /// # Panics
    /// If the code under test violates a contract or panics.
    ///
    /// # Examples
    /// ```should_panic
    /// use rebut::{Program, any, sample};
    ///
    /// #[rebut::contract]
    /// #[ensures(result < n)]
    /// fn half(n: u8) -> u8 {
    ///     n / 2
    /// }
    ///
    /// // `half(0)` violates its postcondition.
    /// (0..100).for_each(|seed| sample(&any::<Program<half>>(), seed).run());
    /// ```
    pub fn run(&self) {
        crate::model::begin();
        let call = blame::enter_program();
        let behaviors = crate::sendable::begin();
        let ended = catch_unwind(AssertUnwindSafe(|| match &self.body {
            Body::Handwritten(body) => body(),
            Body::Generated(generated) => run::main(generated),
        }));
        let open_calls = call.open_calls();
        drop(call);
        internal_assert!(open_calls == 0, "{open_calls} calls have not ended with their program");
        if let Body::Generated(generated) = &self.body {
            generated.table.report_counts();
        }
        match ended {
            Ok(()) => {}
            // A void program hides failures, but not why Rebut stops the case.
            Err(payload) if payload.is::<Stop>() => resume_unwind(payload),
            Err(payload) if payload.is::<EndOfProgram>() || behaviors.is_void() => self.ended(),
            Err(payload) => resume_unwind(payload),
        }
    }

    /// Handles a program that violated a contract itself. That is not a failure of a generated
    /// program, but a handwritten one is wrong.
    fn ended(&self) {
        let why = blame::ended_by().unwrap_or_default();
        if let Body::Handwritten(_) = self.body {
            rebut_choice::fail_case(&format!("the program itself is at fault: {why}"));
        }
    }

    /// Returns the number of generated statements, including those in callbacks.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Program, any, simplest};
    ///
    /// #[rebut::contract]
    /// fn half(n: u8) -> u8 {
    ///     n / 2
    /// }
    ///
    /// assert_eq!(simplest(&any::<Program<half>>()).size(), 0);
    /// ```
    #[must_use]
    pub fn size(&self) -> usize {
        match &self.body {
            Body::Generated(generated) => size_of_block(&generated.main),
            Body::Handwritten(_) => 0,
        }
    }

    /// Returns the executed statements as Rust code. Run the program first.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Program, any, find};
    ///
    /// #[rebut::contract]
    /// fn half(n: u8) -> u8 {
    ///     n / 2
    /// }
    ///
    /// let program = find(any::<Program<half>>(), |program| program.size() == 1).unwrap();
    /// program.run();
    /// assert_eq!(program.written().trim(), "half(0);");
    /// ```
    #[must_use]
    pub fn written(&self) -> String {
        match &self.body {
            Body::Generated(generated) => print::statements(generated, 0),
            Body::Handwritten(_) => "/* a program that was given */".to_owned(),
        }
    }

    /// Returns an ordinary test with this name that makes the same calls. Run the program first.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Program, any, find};
    ///
    /// #[rebut::contract]
    /// fn half(n: u8) -> u8 {
    ///     n / 2
    /// }
    ///
    /// let program = find(any::<Program<half>>(), |program| program.size() == 1).unwrap();
    /// program.run();
    /// assert_eq!(program.to_test("works"), "#[test]\nfn works() {\n    half(0);\n}\n");
    /// ```
    #[must_use]
    pub fn to_test(&self, name: &str) -> String {
        match &self.body {
            Body::Generated(generated) => {
                format!("#[test]\nfn {name}() {{\n{}}}\n", print::statements(generated, 1))
            }
            Body::Handwritten(_) => String::new(),
        }
    }
}

fn size_of_block(block: &Block) -> usize {
    let of_statement =
        |statement: &Statement| 1 + statement.arguments.iter().map(size_of_argument).sum::<usize>();
    block.statements.iter().map(of_statement).sum()
}

fn size_of_argument(argument: &Argument) -> usize {
    match argument {
        Argument::Implementor(implementor) => {
            implementor.bodies.iter().flatten().map(size_of_block).sum()
        }
        Argument::Elements { elements, .. } => elements.iter().map(size_of_argument).sum(),
        Argument::Literal { .. } | Argument::Variable { .. } => 0,
    }
}

/// The generator that [`Program::any`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Programs;
/// use rebut::{Program, sample};
///
/// #[rebut::contract]
/// fn half(n: u8) -> u8 {
///     n / 2
/// }
///
/// fn short_programs() -> Programs<half> {
///     Program::any().max_size(2)
/// }
/// assert!(sample(&short_programs(), 1).size() <= 2);
/// ```
pub struct Programs<S: ?Sized> {
    max_size: usize,
    changes_of_hundred: u32,
    subject: PhantomData<fn() -> PhantomData<S>>,
}

impl<S: ?Sized> Programs<S> {
    /// Sets the maximum number of statements. The default is 100.
    ///
    /// Most programs are much shorter. Up to as many further statements construct arguments.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Program, sample};
    ///
    /// #[rebut::contract]
    /// fn half(n: u8) -> u8 {
    ///     n / 2
    /// }
    ///
    /// assert_eq!(sample(&Program::<half>::any().max_size(0), 1).size(), 0);
    /// ```
    #[must_use]
    pub fn max_size(mut self, max_size: usize) -> Self {
        self.max_size = max_size;
        self
    }

    /// Sets the percentage of calls that change state, such as `&mut self` methods. The default is
    /// 80.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Program, sample};
    ///
    /// #[derive(Debug, Default)]
    /// pub struct Counter(u8);
    ///
    /// #[rebut::contract]
    /// impl Counter {
    ///     pub fn new() -> Counter {
    ///         Counter::default()
    ///     }
    ///
    ///     pub fn increment(&mut self) {
    ///         self.0 = self.0.wrapping_add(1);
    ///     }
    ///
    ///     pub fn get(&self) -> u8 {
    ///         self.0
    ///     }
    /// }
    ///
    /// sample(&Program::<Counter>::any().changes(50), 1).run();
    /// ```
    #[must_use]
    pub fn changes(mut self, of_hundred: u32) -> Self {
        self.changes_of_hundred = of_hundred;
        self
    }
}

impl<S: Contracted + ?Sized + 'static> Generator for Programs<S> {
    type Value = Program<S>;

    fn draw(&self, source: &mut Source) -> Program<S> {
        let table = Table::for_subject::<S>();
        let main = if self.changes_of_hundred == CHANGES_OF_HUNDRED {
            draw::main(&table, &table.weights, self.max_size, source)
        } else {
            draw::main(&table, &table.weights_for(self.changes_of_hundred), self.max_size, source)
        };
        Program {
            body: Body::Generated(Rc::new(GeneratedProgram { table, main })),
            subject: PhantomData,
        }
    }
}

impl<S: Contracted + ?Sized + 'static> Generate for Program<S> {
    fn generate(source: &mut Source) -> Program<S> {
        Program::any().draw(source)
    }
}

/// Prints the program as Rust code, after it ran.
impl<S: ?Sized> ToCode for Program<S> {
    fn to_code(&self, code: &mut Code) {
        match &self.body {
            Body::Handwritten(_) => {
                code.push("rebut::Program::new(/* a program that was given */)")
            }
            Body::Generated(generated) => {
                let generated = Rc::clone(generated);
                code.later(move || {
                    let statements = print::statements(&generated, 2);
                    format!("rebut::Program::new(|| {{\n{statements}    }})")
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
