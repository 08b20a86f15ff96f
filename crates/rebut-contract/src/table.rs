//! The table of operations that programs call.

use std::any::TypeId;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rebut_choice::{AnyDriver, Label, Source, internal_error};

use crate::call_argument::{CallArgument, Value};
use crate::type_info::{ContentsAccess, TypeInfo};

/// Marks types that a [`Program`](crate::Program) can call.
///
/// `#[rebut::contract]` implements it for the type of an impl block, for `dyn Trait` of a trait, and
/// for a type with the name of a function. Tuples of such types are subjects too.
///
/// # Examples
/// ```
/// use rebut::{Program, Contracted, any, sample};
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
/// fn run_one<S: Contracted + 'static>() {
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
pub trait Contracted {
    /// Adds the operations of the type to a table. Generated code calls it.
    fn register(table: &mut Table);
}

/// The outcome of a call.
#[derive(Debug)]
pub enum CallOutcome {
    /// The call returned, with a value if there is one to keep.
    Returned(Option<Value>),
    /// The precondition with this number was false, so there was no call.
    Skipped(usize),
    /// The arguments do not have the types of the parameters. The table is wrong.
    WrongTypes,
}

/// A function that calls an operation with its arguments, the receiver first.
pub type Thunk = for<'a> fn(&mut [CallArgument<'a>]) -> CallOutcome;

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
    /// The index of the type, as [`Table::add_type`] returns it.
    pub type_index: usize,
    /// The way to pass the argument.
    pub mode: Mode,
    /// Whether to pass a reference to the trait object, and not the pointer that the program has.
    pub is_object: bool,
}

impl Parameter {
    /// Returns a parameter of this type, passed by value.
    #[must_use]
    pub fn value(type_index: usize) -> Parameter {
        Parameter { type_index, mode: Mode::Value, is_object: false }
    }
}

/// The effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The operation constructs a value of the type.
    Constructs,
    /// The operation changes state.
    Mutates,
    /// The operation only returns a value.
    Reads,
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
    /// The index of the result type, if programs can keep the result.
    pub result: Option<usize>,
    /// The code after the call, such as `.cloned()`.
    pub after: &'static str,
    /// The preconditions as code, with `{0}`, `{1}` for the arguments.
    pub requires: &'static [&'static str],
    /// The preconditions for reports: "`BoundedStack::push` requires `self.capacity() >= 1`".
    pub clauses: &'static [&'static str],
    /// The corresponding call on the model, if there is a model.
    pub model: Option<ModelCall>,
    /// Makes the call.
    pub call: Thunk,
    /// The number of attempts, and how often each precondition was false.
    pub counts: CallCounts,
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
pub struct ModelCall {
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
pub struct CallCounts {
    pub(crate) attempts: Cell<u64>,
    pub(crate) skipped: Vec<Cell<u64>>,
}

impl CallCounts {
    /// Creates the counters for an operation with this number of preconditions.
    #[must_use]
    pub fn new(clauses: usize) -> CallCounts {
        CallCounts { attempts: Cell::new(0), skipped: vec![Cell::new(0); clauses] }
    }

    /// Reports to the running case how often each precondition was true, and resets the counters.
    fn report(&self, clauses: &[&'static str]) {
        let mut reached = self.attempts.replace(0);
        for (clause, skipped) in clauses.iter().zip(&self.skipped) {
            // A clause is evaluated only if all clauses before it were true.
            let passed = reached.saturating_sub(skipped.replace(0));
            rebut_run::count_operation(clause, reached, passed);
            reached = passed;
        }
    }
}

/// All operations and types of a program.
#[derive(Debug, Default)]
pub struct Table {
    pub(crate) types: Vec<TypeInfo>,
    pub(crate) operations: Vec<Operation>,
    subjects: Vec<TypeId>,
    /// For each operation, its weight at the default percentage of changes.
    pub(crate) weights: Vec<u32>,
    /// For each type, the label of its arguments.
    labels: Vec<Label>,
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
/// Findler (2010). In `bench programs` (see `program/draw.rs`), 40 finds the bugs once in 14.3, 122.7
/// and 256.4 programs instead of 10.6, 25.4 and 70.7, and 90 in 11.1, 20.0 and 66.9.
pub const CHANGES_OF_HUNDRED: u32 = 80;

impl Table {
    /// Marks `S` as registered and returns whether it already was.
    pub fn mark_registered<S: ?Sized + 'static>(&mut self) -> bool {
        let id = TypeId::of::<S>();
        let was_registered = self.subjects.contains(&id);
        if !was_registered {
            self.subjects.push(id);
        }
        was_registered
    }

    /// Returns the index of a registered type.
    #[must_use]
    pub fn find_type(&self, id: TypeId) -> Option<usize> {
        self.types.iter().position(|info| info.id == id)
    }

    /// Adds a type and returns its index.
    pub fn add_type(&mut self, info: TypeInfo) -> usize {
        self.types.push(info);
        self.types.len() - 1
    }

    /// Marks the interface of a type as described and returns whether it was still missing.
    ///
    /// The mark is set before the description is complete. A trait whose methods take the same trait
    /// would otherwise be described forever.
    pub fn mark_described(&mut self, type_index: usize) -> bool {
        self.types
            .get_mut(type_index)
            .is_some_and(|info| !std::mem::replace(&mut info.is_described, true))
    }

    /// Returns the type with this index.
    pub(crate) fn type_at(&self, type_index: usize) -> &TypeInfo {
        let count = self.types.len();
        self.types
            .get(type_index)
            .unwrap_or_else(|| internal_error!("type {type_index} of a table with {count} types"))
    }

    /// Returns the label of the arguments of a type.
    pub(crate) fn label_at(&self, type_index: usize) -> Label {
        let label = self.labels.get(type_index).copied();
        label.unwrap_or_else(|| internal_error!("type {type_index} has no label"))
    }

    /// Returns the operation with this index.
    pub(crate) fn operation_at(&self, nth: usize) -> &Operation {
        let count = self.operations.len();
        self.operations.get(nth).unwrap_or_else(|| {
            internal_error!("operation {nth} of a table with {count} operations")
        })
    }

    /// Returns the type with this index, to add to its description.
    pub fn type_mut(&mut self, type_index: usize) -> Option<&mut TypeInfo> {
        self.types.get_mut(type_index)
    }

    /// Adds an operation.
    pub fn add_operation(&mut self, operation: Operation) {
        self.operations.push(operation);
    }

    /// Returns the table of a subject, which each thread builds once.
    pub(crate) fn for_subject<S: Contracted + ?Sized + 'static>() -> Rc<Table> {
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
        self.remove_unobtainable_objects();
        let makers = |made: usize, is_first: bool| -> Makers {
            let makes = |operation: &Operation| {
                let mut parameters = operation.parameters.iter();
                let needs_one = parameters.any(|parameter| parameter.type_index == made);
                operation.result.is_some_and(|result| self.is_or_contains(result, made))
                    && !(is_first && needs_one)
            };
            let weights = self.operations.iter().map(|operation| u32::from(makes(operation)));
            Makers { weights: weights.collect(), is_any: self.operations.iter().any(makes) }
        };
        let all = (0..self.types.len()).map(|made| makers(made, false)).collect();
        let first = (0..self.types.len()).map(|made| makers(made, true)).collect();
        (self.makers, self.first_makers) = (all, first);
        self.labels = self.types.iter().map(|info| Label::recursive(info.name)).collect();
        self.simplest.resize_with(self.types.len(), OnceCell::new);
        self.weights = self.weights_for(CHANGES_OF_HUNDRED);
    }

    /// Returns the simplest value of a type, if it has a generator.
    pub(crate) fn simplest(&self, type_index: usize) -> Option<Value> {
        let draw = self.types.get(type_index)?.draw?;
        let draw = || draw(&mut Source::new(AnyDriver::Simplest));
        match self.type_at(type_index).clone {
            Some(clone) => {
                clone(&**self.simplest[type_index].get_or_init(|| Some(draw())).as_ref()?)
            }
            None => Some(draw()),
        }
    }

    /// Returns whether a type is the wanted one, or an `Option` or a `Result` of it.
    pub(crate) fn is_or_contains(&self, type_index: usize, wanted: usize) -> bool {
        let contains = |contents: ContentsAccess| (contents.id)() == self.type_at(wanted).id;
        type_index == wanted || self.type_at(type_index).contents.is_some_and(contains)
    }

    /// Removes the methods of trait objects that the code under test never returns or passes. The
    /// only implementations of such a trait would be generated ones, which need no testing.
    fn remove_unobtainable_objects(&mut self) {
        let mut obtainable: Vec<TypeId> = Vec::new();
        let results = self.operations.iter().filter_map(|operation| operation.result);
        let interfaces = self.types.iter().filter_map(|info| info.interface.as_ref());
        let passed = interfaces
            .flat_map(|interface| &interface.methods)
            .flat_map(|method| &method.parameters)
            .map(|parameter| parameter.type_index);
        for type_index in results.chain(passed) {
            obtainable.extend(self.type_at(type_index).object);
        }
        let types = &self.types;
        self.operations.retain(|operation| match operation.receiver() {
            Some(receiver) if receiver.is_object => {
                types[receiver.type_index].object.is_some_and(|object| obtainable.contains(&object))
            }
            _ => true,
        });
    }

    /// Reports to the running case how often preconditions were true.
    pub(crate) fn report_counts(&self) {
        for operation in &self.operations {
            if operation.counts.attempts.get() > 0 {
                operation.counts.report(operation.clauses);
            }
        }
    }

    /// Returns the weights of all operations for a percentage of calls that change state.
    pub(crate) fn weights_for(&self, changes_of_hundred: u32) -> Vec<u32> {
        let mutates = |operation: &&Operation| operation.effect == Effect::Mutates;
        let changes = self.operations.iter().filter(mutates).count() as u32;
        let others = self.operations.len() as u32 - changes;
        let share = changes_of_hundred.min(100);
        let weigh = |operation: &Operation| match operation.effect {
            // Cross-multiplied, so that the weights are integers.
            Effect::Mutates => share * others.max(1),
            _ => (100 - share) * changes.max(1),
        };
        self.operations.iter().map(weigh).collect()
    }
}

macro_rules! tuples {
    ($($name:ident)+) => {
        impl<$($name: Contracted,)+ Last: Contracted + ?Sized> Contracted for ($($name,)+ Last) {
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
