//! The table of operations that programs call.

use std::any::TypeId;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rebut_choice::{AnyDriver, Label, Source};

use crate::held::{Held, Value};
use crate::kind::Kind;

/// Marks types that a [`Program`](crate::Program) can call.
///
/// `#[rebut::contract]` implements it for the type of an impl block, for `dyn Trait` of a trait, and
/// for a type with the name of a function. Tuples of such types are subjects too.
///
/// # Examples
/// ```
/// use rebut::{Program, Subject, any, sample};
///
/// #[rebut::contract]
/// fn half(n: u8) -> u8 {
///     n / 2
/// }
///
/// #[rebut::contract]
/// fn double(n: u8) -> u8 {
///     n.wrapping_mul(2)
/// }
///
/// fn run_one<S: Subject + 'static>() {
///     sample(&any::<Program<S>>(), 1).run();
/// }
/// run_one::<half>();
/// run_one::<(half, double)>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no contract, so programs cannot call it",
    label = "no contract",
    note = "add `#[rebut::contract]` to the `impl` block of the type, or to the trait"
)]
pub trait Subject {
    /// Adds the operations of the type to a table. Generated code calls it.
    fn register(table: &mut Table);
}

/// The outcome of a call.
#[derive(Debug)]
pub enum Called {
    /// The call returned, with a value if there is one to keep.
    Returned(Option<Value>),
    /// The precondition with this number was false, so there was no call.
    Skipped(usize),
    /// The arguments do not have the types of the parameters.
    Unfit,
}

/// A function that calls an operation with its arguments, the receiver first.
pub type Thunk = for<'a> fn(&mut [Held<'a>]) -> Called;

/// The way to pass an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By value.
    Value,
    /// By shared reference.
    Ref,
    /// By exclusive reference.
    Mut,
}

/// One parameter of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The number of the type, as [`Table::kind`] returns it.
    pub kind: usize,
    /// The way to pass the argument.
    pub mode: Mode,
    /// Whether to pass a reference to the trait object, and not the pointer that the program has.
    pub is_object: bool,
}

impl Parameter {
    /// Returns a parameter of this type, passed by value.
    #[must_use]
    pub fn value(kind: usize) -> Parameter {
        Parameter { kind, mode: Mode::Value, is_object: false }
    }
}

/// The effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The operation constructs a value of the type.
    Makes,
    /// The operation changes state.
    Changes,
    /// The operation only returns information.
    Tells,
}

/// A function that programs can call.
#[derive(Debug)]
pub struct Operation {
    /// The path of the function, such as `BoundedStack::push`.
    pub path: &'static str,
    /// The name of the function without its type.
    pub name: &'static str,
    /// Whether the first parameter is `self`.
    pub is_method: bool,
    /// The effect of a call.
    pub effect: Effect,
    /// The parameters, the receiver first.
    pub parameters: Vec<Parameter>,
    /// The number of the result type, if programs can keep the result.
    pub result: Option<usize>,
    /// The code after the call, such as `.cloned()`.
    pub after: &'static str,
    /// The preconditions as code, with `{0}`, `{1}` for the arguments.
    pub requires: &'static [&'static str],
    /// The preconditions for reports: "`BoundedStack::push` requires `self.capacity() >= 1`".
    pub clauses: &'static [&'static str],
    /// The corresponding call on the model, if there is a model.
    pub model: Option<OfModel>,
    /// Makes the call.
    pub call: Thunk,
    /// The number of attempts, and how often each precondition was false.
    pub tries: Tries,
}

impl Operation {
    /// Returns the receiver of a method.
    #[must_use]
    pub fn receiver(&self) -> Option<&Parameter> {
        self.parameters.first().filter(|_| self.is_method)
    }
}

/// The call on the model that corresponds to a call on the object.
///
/// Calls and relations are code with `{0}`, `{1}` for the arguments and `{model}` for the model.
#[derive(Clone, Copy, Debug)]
pub struct OfModel {
    /// The type of the model.
    pub type_name: &'static str,
    /// The call. Empty if there is none.
    pub call: &'static str,
    /// Whether both must return the same.
    pub is_compared: bool,
    /// The conditions that must be true after the call.
    pub relations: &'static [&'static str],
}

/// The number of attempts to call an operation, and of skipped calls.
#[derive(Debug, Default)]
pub struct Tries {
    pub(crate) all: Cell<u64>,
    pub(crate) skipped: Vec<Cell<u64>>,
}

impl Tries {
    /// Creates the counters for an operation with this number of preconditions.
    #[must_use]
    pub fn of(clauses: usize) -> Tries {
        Tries { all: Cell::new(0), skipped: vec![Cell::new(0); clauses] }
    }

    /// Reports to the running case how often each precondition was true, and resets the counters.
    fn tell(&self, clauses: &[&'static str]) {
        let mut tries = self.all.replace(0);
        for (clause, skipped) in clauses.iter().zip(&self.skipped) {
            let done = tries.saturating_sub(skipped.replace(0));
            rebut_run::tally(clause, tries, done);
            tries = done;
        }
    }
}

/// All operations and types of a program.
#[derive(Debug, Default)]
pub struct Table {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) operations: Vec<Operation>,
    subjects: Vec<TypeId>,
    pub(crate) weights: Vec<u32>,
    /// For each type, the label of its arguments.
    pub(crate) labels: Vec<Label>,
    /// For each type, the operations that return a value of it.
    pub(crate) makers: Vec<Makers>,
    /// For each type, the operations that return a value of it and take none.
    pub(crate) first_makers: Vec<Makers>,
    /// For each type, its simplest value, computed on first use.
    simplest: Vec<OnceCell<Option<Value>>>,
}

/// The operations that return a value of a type.
#[derive(Debug)]
pub(crate) struct Makers {
    /// The weights of all operations: 1 for those that return the type, 0 for the others.
    pub(crate) weights: Vec<u32>,
    /// Whether there is any such operation.
    pub(crate) is_any: bool,
}

/// The default percentage of statements that change state. The value is that of Klein, Flatt and
/// Findler (2010).
pub const CHANGES_OF_HUNDRED: u32 = 80;

impl Table {
    /// Returns whether `S` is already registered, and marks it as registered.
    pub fn knows<S: ?Sized + 'static>(&mut self) -> bool {
        let id = TypeId::of::<S>();
        let is_known = self.subjects.contains(&id);
        if !is_known {
            self.subjects.push(id);
        }
        is_known
    }

    /// Returns the number of a registered type.
    #[must_use]
    pub fn find(&self, id: TypeId) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.id == id)
    }

    /// Adds a type and returns its number.
    pub fn kind(&mut self, kind: Kind) -> usize {
        self.kinds.push(kind);
        self.kinds.len() - 1
    }

    /// Returns whether the interface of a type is still to be described, and marks it as described.
    pub fn is_to_describe(&mut self, number: usize) -> bool {
        self.kinds
            .get_mut(number)
            .is_some_and(|kind| !std::mem::replace(&mut kind.is_described, true))
    }

    /// Returns the type with this number, to add to its description.
    pub fn kind_mut(&mut self, number: usize) -> Option<&mut Kind> {
        self.kinds.get_mut(number)
    }

    /// Adds an operation.
    pub fn operation(&mut self, operation: Operation) {
        self.operations.push(operation);
    }

    /// Returns the table of a subject, which each thread builds once.
    pub(crate) fn of<S: Subject + ?Sized + 'static>() -> Rc<Table> {
        thread_local! {
            static TABLES: RefCell<HashMap<TypeId, Rc<Table>>> = RefCell::default();
        }
        let id = TypeId::of::<S>();
        if let Some(table) = TABLES.with_borrow(|tables| tables.get(&id).cloned()) {
            return table;
        }
        let mut table = Table::default();
        S::register(&mut table);
        table.finish();
        let table = Rc::new(table);
        TABLES.with_borrow_mut(|tables| tables.insert(id, Rc::clone(&table)));
        table
    }

    fn finish(&mut self) {
        self.forget_objects_nobody_has();
        let makers = |kind: usize, first: bool| -> Makers {
            let gives = |operation: &Operation| {
                let needs = operation.parameters.iter().any(|parameter| parameter.kind == kind);
                operation.result.is_some_and(|result| self.is_or_has(result, kind))
                    && !(first && needs)
            };
            let weights = self.operations.iter().map(|operation| u32::from(gives(operation)));
            Makers { weights: weights.collect(), is_any: self.operations.iter().any(gives) }
        };
        let all = (0..self.kinds.len()).map(|kind| makers(kind, false)).collect();
        let first = (0..self.kinds.len()).map(|kind| makers(kind, true)).collect();
        (self.makers, self.first_makers) = (all, first);
        self.labels = self.kinds.iter().map(|kind| Label::recursive(kind.name)).collect();
        self.simplest.resize_with(self.kinds.len(), OnceCell::new);
        self.weights = self.weights_for(CHANGES_OF_HUNDRED);
    }

    /// Returns the simplest value of a type, if it has a generator.
    pub(crate) fn simplest(&self, kind: usize) -> Option<Value> {
        let draw = self.kinds.get(kind)?.draw?;
        let draw = || draw(&mut Source::new(AnyDriver::Simplest));
        match self.kinds[kind].clone {
            Some(clone) => clone(&**self.simplest[kind].get_or_init(|| Some(draw())).as_ref()?),
            None => Some(draw()),
        }
    }

    /// Returns whether a type is the wanted one, or an `Option` or a `Result` of it.
    pub(crate) fn is_or_has(&self, kind: usize, wanted: usize) -> bool {
        kind == wanted
            || self.kinds[kind].inside.is_some_and(|inside| (inside.id)() == self.kinds[wanted].id)
    }

    /// Removes the methods of trait objects that the code under test never returns or passes. The
    /// only implementations of such a trait would be generated ones, which need no testing.
    fn forget_objects_nobody_has(&mut self) {
        let mut handed: Vec<TypeId> = Vec::new();
        let results = self.operations.iter().filter_map(|operation| operation.result);
        let interfaces = self.kinds.iter().filter_map(|kind| kind.interface.as_ref());
        let given = interfaces
            .flat_map(|interface| &interface.methods)
            .flat_map(|method| &method.parameters)
            .map(|parameter| parameter.kind);
        for kind in results.chain(given) {
            handed.extend(self.kinds[kind].object);
        }
        let kinds = &self.kinds;
        self.operations.retain(|operation| match operation.receiver() {
            Some(receiver) if receiver.is_object => {
                kinds[receiver.kind].object.is_some_and(|object| handed.contains(&object))
            }
            _ => true,
        });
    }

    /// Reports to the running case how often preconditions were true.
    pub(crate) fn tell(&self) {
        for operation in &self.operations {
            if operation.tries.all.get() > 0 {
                operation.tries.tell(operation.clauses);
            }
        }
    }

    /// Returns the weights of all operations for a percentage of calls that change state.
    pub(crate) fn weights_for(&self, changes_of_hundred: u32) -> Vec<u32> {
        let is_change = |operation: &&Operation| operation.effect == Effect::Changes;
        let changes = self.operations.iter().filter(is_change).count() as u32;
        let others = self.operations.len() as u32 - changes;
        let share = changes_of_hundred.min(100);
        let weigh = |operation: &Operation| match operation.effect {
            // Cross-multiplied, so that the weights are integers.
            Effect::Changes => share * others.max(1),
            _ => (100 - share) * changes.max(1),
        };
        self.operations.iter().map(weigh).collect()
    }
}

macro_rules! tuples {
    ($($name:ident)+) => {
        impl<$($name: Subject,)+ Last: Subject + ?Sized> Subject for ($($name,)+ Last) {
            fn register(table: &mut Table) {
                $($name::register(table);)+
                Last::register(table);
            }
        }
    };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
