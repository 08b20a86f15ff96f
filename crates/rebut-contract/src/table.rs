//! The operations that programs are made of.

use std::any::TypeId;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rebut_choice::{Drive, Label, Source};

use crate::held::{Held, Value};
use crate::kind::Kind;

/// Something programs can be drawn about. `#[rebut::contract]` implements it for the type of an
/// impl block and for the object type of a trait.
#[diagnostic::on_unimplemented(
    message = "programs know nothing of `{Self}`",
    label = "no contract",
    note = "write `#[rebut::contract]` before the `impl` block of the type, or before the trait"
)]
pub trait Subject {
    /// Adds its operations.
    fn register(table: &mut Table);
}

/// What a call came to.
#[derive(Debug)]
pub enum Called {
    /// It returned.
    Returned(Option<Value>),
    /// The pre-condition with this number was false, so nothing was called.
    Skipped(usize),
    /// The arguments are not of the types that were said.
    Unfit,
}

/// Calls an operation with its arguments, the receiver first.
pub type Thunk = for<'a> fn(&mut [Held<'a>]) -> Called;

/// How an argument is passed.
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
    /// The type: a number that [`Table::kind`] gave.
    pub kind: usize,
    /// How it is passed.
    pub mode: Mode,
    /// Whether a trait object is lent, and not the pointer to it that programs hold.
    pub is_object: bool,
}

impl Parameter {
    /// A value of this type.
    #[must_use]
    pub fn value(kind: usize) -> Parameter {
        Parameter { kind, mode: Mode::Value, is_object: false }
    }
}

/// What an operation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It makes a value of the type.
    Makes,
    /// It changes something.
    Changes,
    /// It only tells something.
    Tells,
}

/// A function that programs can call.
#[derive(Debug)]
pub struct Operation {
    /// `BoundedStack::push`.
    pub path: &'static str,
    /// The name alone.
    pub name: &'static str,
    /// Whether the first parameter is `self`.
    pub is_method: bool,
    /// What it is for.
    pub effect: Effect,
    /// Its parameters, the receiver first.
    pub parameters: Vec<Parameter>,
    /// The type of what it gives back, if programs can hold it.
    pub result: Option<usize>,
    /// What stands behind the call in code: `.cloned()`.
    pub after: &'static str,
    /// The pre-conditions as code, in which `{0}`, `{1}` stand for the arguments.
    pub requires: &'static [&'static str],
    /// The same for reports: "`BoundedStack::push` requires `self.capacity() >= 1`".
    pub clauses: &'static [&'static str],
    /// What the model does meanwhile, if there is one.
    pub model: Option<OfModel>,
    /// Calls it.
    pub call: Thunk,
    /// How often it was tried, and how often each pre-condition was false.
    pub tries: Tries,
}

impl Operation {
    /// What it is called on.
    #[must_use]
    pub fn receiver(&self) -> Option<&Parameter> {
        self.parameters.first().filter(|_| self.is_method)
    }
}

/// What is done with the model of an object while something is done with the object.
///
/// All of it is code in which `{0}`, `{1}` stand for the arguments and `{model}` for the model.
#[derive(Clone, Copy, Debug)]
pub struct OfModel {
    /// The type of the model.
    pub type_name: &'static str,
    /// What is called; empty if nothing is.
    pub call: &'static str,
    /// Whether both have to give back the same.
    pub is_compared: bool,
    /// What holds afterward.
    pub relations: &'static [&'static str],
}

/// How often an operation was tried and skipped.
#[derive(Debug, Default)]
pub struct Tries {
    pub(crate) all: Cell<u64>,
    pub(crate) skipped: Vec<Cell<u64>>,
}

impl Tries {
    /// For an operation with so many pre-conditions.
    #[must_use]
    pub fn of(clauses: usize) -> Tries {
        Tries { all: Cell::new(0), skipped: vec![Cell::new(0); clauses] }
    }

    /// Tells the running case how often each pre-condition was true, and begins anew.
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
    /// For each type the label of the arguments that are of it.
    pub(crate) labels: Vec<Label>,
    /// For each type the operations that give one.
    pub(crate) makers: Vec<Makers>,
    /// For each type those of them that need no value of it.
    pub(crate) first_makers: Vec<Makers>,
    /// For each type its simplest value, once it was needed.
    simplest: Vec<OnceCell<Option<Value>>>,
}

/// Operations that give a value of some type.
#[derive(Debug)]
pub(crate) struct Makers {
    /// Weights of all operations: nothing but these is drawn.
    pub(crate) weights: Vec<u32>,
    /// Whether there are any.
    pub(crate) is_any: bool,
}

/// Of a hundred statements, so many change something if the table does not say otherwise: the
/// figure of the paper.
pub const CHANGES_OF_HUNDRED: u32 = 80;

impl Table {
    /// Whether `S` is registered already; it is from now on.
    pub fn knows<S: ?Sized + 'static>(&mut self) -> bool {
        let id = TypeId::of::<S>();
        let is_known = self.subjects.contains(&id);
        if !is_known {
            self.subjects.push(id);
        }
        is_known
    }

    /// The number of a type that is known already.
    #[must_use]
    pub fn find(&self, id: TypeId) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.id == id)
    }

    /// Adds a type; its number.
    pub fn kind(&mut self, kind: Kind) -> usize {
        self.kinds.push(kind);
        self.kinds.len() - 1
    }

    /// Whether it is still to be said what programs can implement for this type; it is being
    /// said from now on.
    pub fn is_to_describe(&mut self, number: usize) -> bool {
        self.kinds
            .get_mut(number)
            .is_some_and(|kind| !std::mem::replace(&mut kind.is_described, true))
    }

    /// The type with this number, to say more about it.
    pub fn kind_mut(&mut self, number: usize) -> Option<&mut Kind> {
        self.kinds.get_mut(number)
    }

    /// Adds an operation.
    pub fn operation(&mut self, operation: Operation) {
        self.operations.push(operation);
    }

    /// The table of a subject, made once for each thread.
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

    /// The simplest value of a type, if it has a generator.
    pub(crate) fn simplest(&self, kind: usize) -> Option<Value> {
        let draw = self.kinds.get(kind)?.draw?;
        let draw = || draw(&mut Source::new(Drive::Simplest));
        match self.kinds[kind].clone {
            Some(clone) => clone(&**self.simplest[kind].get_or_init(|| Some(draw())).as_ref()?),
            None => Some(draw()),
        }
    }

    /// Whether a type is another, or an `Option` or a `Result` of it.
    pub(crate) fn is_or_has(&self, kind: usize, wanted: usize) -> bool {
        kind == wanted
            || self.kinds[kind].inside.is_some_and(|inside| (inside.id)() == self.kinds[wanted].id)
    }

    /// Methods of trait objects are called only where the code under test hands such objects
    /// out: programs need not call what they wrote themselves.
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

    /// Tells the running case how often pre-conditions were true.
    pub(crate) fn tell(&self) {
        for operation in &self.operations {
            if operation.tries.all.get() > 0 {
                operation.tries.tell(operation.clauses);
            }
        }
    }

    /// Weights of all operations, such that so many of a hundred change something.
    pub(crate) fn weights_for(&self, changes_of_hundred: u32) -> Vec<u32> {
        let is_change = |operation: &&Operation| operation.effect == Effect::Changes;
        let changes = self.operations.iter().filter(is_change).count() as u32;
        let others = self.operations.len() as u32 - changes;
        let share = changes_of_hundred.min(100);
        let weigh = |operation: &Operation| match operation.effect {
            // Cross-multiplied, so that the weights stay whole numbers.
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
