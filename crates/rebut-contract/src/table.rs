//! The table of operations that programs call.

use std::any::{Any, TypeId};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use rebut_run::CallCount;

use rebut_choice::{AnyDriver, Label, Source, internal_error};

use crate::call_argument::{CallArgument, Value};
use crate::template::Template;
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
    note = "add `#[rebut::contract]` to the `impl` block with the functions of the type, or to the trait; a block `impl Trait for Type` adds no functions to call"
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
    /// The constructor returned, but without an object.
    ReturnedNothing,
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
    /// Whether the parameter is `&str`, `&[T]` or the like, and the program has the owned value.
    pub is_unsized: bool,
    /// The conversion of the value to the type of the parameter, if they differ by more than a
    /// reference.
    pub view: Option<View>,
}

/// The conversion of a value in the program to a parameter of another type, such as `Option<String>`
/// to `Option<&str>`.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The conversion as code, with `{}` for the value: `{}.as_deref()`.
    pub written: &'static str,
    /// Returns the converted value as code, if that is shorter than the conversion: `Some("a")`.
    pub literal: Option<fn(&dyn Any) -> String>,
}

impl Parameter {
    /// Returns a parameter of this type, passed by value.
    #[must_use]
    pub fn value(type_index: usize) -> Parameter {
        Parameter { type_index, mode: Mode::Value, is_object: false, is_unsized: false, view: None }
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

/// The methods that take `self`, of traits in the prelude which any type can have without being an
/// iterator.
const METHODS_BY_VALUE: &[&str] = &["into", "try_into", "into_iter", "max", "min", "clamp"];
/// The methods of iterators that take `self`.
const METHODS_OF_ITERATORS: &[&str] = &[
    "chain",
    "cloned",
    "cmp",
    "collect",
    "copied",
    "count",
    "cycle",
    "enumerate",
    "eq",
    "filter",
    "filter_map",
    "find_map",
    "flat_map",
    "flatten",
    "fold",
    "for_each",
    "fuse",
    "ge",
    "gt",
    "inspect",
    "is_partitioned",
    "is_sorted",
    "last",
    "le",
    "lt",
    "map",
    "map_while",
    "max_by",
    "max_by_key",
    "min_by",
    "min_by_key",
    "ne",
    "partial_cmp",
    "partition",
    "peekable",
    "product",
    "reduce",
    "rev",
    "scan",
    "skip",
    "skip_while",
    "step_by",
    "sum",
    "take",
    "take_while",
    "unzip",
    "zip",
];
/// The methods of such traits that take `&self`.
const METHODS_BY_REFERENCE: &[&str] = &[
    "as_ref",
    "clone",
    "cmp",
    "eq",
    "ge",
    "gt",
    "le",
    "lt",
    "ne",
    "partial_cmp",
    "to_owned",
    "to_string",
];

/// A function that programs can call.
#[derive(Debug)]
pub struct Operation {
    /// The path of the function, such as `BoundedStack::push`.
    pub path: &'static str,
    /// The path in printed programs, such as `Stack::<u8>::push`.
    pub printed_path: &'static str,
    /// The module of the impl block. Empty if the type may be of another crate.
    pub module: &'static str,
    /// The path of a function that makes the same call with the checks of the contract, if
    /// `printed_path` is one without them: the function of a type of another crate. Empty if
    /// `printed_path` has all checks.
    pub checked_path: &'static str,
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
    /// Whether the compiler does not warn if the result is not used.
    pub is_ignorable: bool,
    /// Whether `after` collects the elements of an iterator.
    pub is_collected: bool,
    /// The preconditions as code.
    pub requires: &'static [Template],
    /// The preconditions for reports: "`BoundedStack::push` requires `self.capacity() >= 1`".
    pub clauses: &'static [&'static str],
    /// Whether a call has a clause that can fail: a postcondition, an invariant, a clause of a callback.
    pub can_fail: bool,
    /// The corresponding call on the model, if there is a model.
    pub model: Option<ModelCall>,
    /// Makes the call.
    pub call: Thunk,
    /// The number of attempts, and how often each precondition was false.
    pub counts: CallCounts,
}

impl Operation {
    /// Returns the numbers of the parameters of which the call on the model gets copies.
    pub(crate) fn copied(&self) -> &'static [usize] {
        self.model.map_or(&[], |model| model.copied)
    }

    /// Returns the operation that declares a generated object: `let mut both = Both { n: 2 };`. As a
    /// literal among arguments, the object would be gone after one call.
    fn declaration(type_index: usize, name: &'static str) -> Operation {
        Operation {
            path: "",
            printed_path: "",
            module: "",
            checked_path: "",
            name,
            is_method: false,
            effect: Effect::Constructs,
            parameters: vec![Parameter::value(type_index)],
            result: Some(type_index),
            after: "",
            is_ignorable: false,
            is_collected: false,
            requires: &[],
            clauses: &[],
            can_fail: false,
            model: None,
            call: |held| match held {
                [CallArgument::Owned(_)] => match std::mem::take(&mut held[0]) {
                    CallArgument::Owned(object) => CallOutcome::Returned(Some(object)),
                    _ => CallOutcome::WrongTypes,
                },
                _ => CallOutcome::WrongTypes,
            },
            counts: CallCounts::new(0),
        }
    }

    /// Returns whether the statement declares a generated object, and calls nothing.
    pub(crate) fn is_declaration(&self) -> bool {
        self.path.is_empty()
    }

    /// Returns whether the call returns an `Option` or a `Result` of the object.
    pub(crate) fn returns_contents(&self) -> bool {
        self.after == ".unwrap()"
    }

    /// Returns whether `object.name(..)` may call another method than the operation. The compiler
    /// tries each method that takes the object itself before those that borrow it, and each that
    /// borrows it before those that borrow it mutably. Traits of the prelude have such methods.
    pub(crate) fn needs_path(&self, table: &Table) -> bool {
        let Some(receiver) = self.receiver() else { return false };
        let is_one_of = |names: &[&str]| names.contains(&self.name);
        let is_iterator = table.type_at(receiver.type_index).is_iterator;
        let is_by_value =
            is_one_of(METHODS_BY_VALUE) || (is_iterator && is_one_of(METHODS_OF_ITERATORS));
        match receiver.mode {
            Mode::Value => false,
            Mode::Ref => is_by_value,
            Mode::Mut => is_by_value || is_one_of(METHODS_BY_REFERENCE),
        }
    }

    /// Returns the receiver of a method.
    #[must_use]
    pub fn receiver(&self) -> Option<&Parameter> {
        self.parameters.first().filter(|_| self.is_method)
    }
}

/// The call on the model that corresponds to a call on the object.
#[derive(Clone, Copy, Debug)]
pub struct ModelCall {
    /// The type of the model.
    pub type_name: &'static str,
    /// The call. Empty if there is none.
    pub call: Template,
    /// The parameters of which the call gets copies of its own, by their numbers. The thunk gets
    /// these arguments after its own. [`CallArgument::Nothing`] stands for the same reference.
    pub copied: &'static [usize],
    /// Whether both must return the same.
    pub is_compared: bool,
    /// The conditions that must be true after the call.
    pub relations: &'static [Template],
}

/// The number of attempts to call an operation, and of skipped calls.
#[derive(Debug, Default)]
pub struct CallCounts {
    pub(crate) attempts: Cell<u64>,
    pub(crate) completed: Cell<u64>,
    pub(crate) skipped: Vec<Cell<u64>>,
}

impl CallCounts {
    /// Creates the counters for an operation with this number of preconditions.
    #[must_use]
    pub fn new(clauses: usize) -> CallCounts {
        CallCounts {
            attempts: Cell::new(0),
            completed: Cell::new(0),
            skipped: vec![Cell::new(0); clauses],
        }
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

/// The role of a function that the macro leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A function without `self` that returns an object.
    Constructor,
    /// A method of a trait.
    OfTrait,
    /// Another function.
    Other,
}

/// A function that no program calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The path of the function, such as `BoundedStack::push`.
    pub path: &'static str,
    /// The reason, and what to write: "it is async", "no value of type `Key` can be made".
    pub reason: String,
    /// Whether the function returns an object.
    pub is_constructor: bool,
}

/// All operations and types of a program.
#[derive(Debug, Default)]
pub struct Table {
    /// The functions that programs cannot call.
    left_out: Vec<LeftOut>,
    /// Those of them that tests report.
    reported: Vec<CallCount>,
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
    /// For each operation, why no program can call it, if none can.
    obstacles: Vec<Option<Arc<str>>>,
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

/// A statement that only constructs an object is rarer than one that reads, by this factor. The first
/// object is constructed where it is needed. Each further one takes calls from the others, so that no
/// object has a long history. In `bench programs`, the planted bugs of everyday code are found in 105 of
/// 120 runs with 4 and in 101 with 1, after a median of 343 and 688 programs of the text buffer. Other
/// values were not measured.
const CONSTRUCTORS_RARER: u32 = 4;

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

    /// Records a function that programs cannot call, and why. Tests report it, unless it is a method of
    /// a trait, which programs also implement.
    pub fn leave_out(&mut self, path: &'static str, reason: &str, role: Role) {
        let is_constructor = role == Role::Constructor;
        self.left_out.push(LeftOut { path, reason: reason.to_owned(), is_constructor });
        if role != Role::OfTrait {
            let obstacle = Some(Arc::from(reason));
            self.reported.push(CallCount { operation: path, attempts: 0, completed: 0, obstacle });
        }
    }

    /// Returns the functions that no program calls: those that the macro left out, and those with a
    /// parameter that has no value.
    #[must_use]
    pub fn left_out(&self) -> Vec<LeftOut> {
        let mut all = self.left_out.clone();
        for operation in self.operations.iter().filter(|operation| !operation.is_declaration()) {
            let mut parameters = operation.parameters.iter();
            let Some(missing) = parameters.find(|parameter| !self.can_make(parameter.type_index))
            else {
                continue;
            };
            let name = self.type_at(missing.type_index).name;
            let reason = format!(
                "no value of type `{name}` can be made: implement `Generate` for it, or add a \
                 function that returns one to a contract"
            );
            let path = operation.path;
            all.push(LeftOut { path, reason, is_constructor: false });
        }
        all
    }

    /// Returns whether there is a way to make a value of a type: from other values that can be
    /// made.
    fn can_make(&self, wanted: usize) -> bool {
        // Each round makes the results of calls whose arguments were made in the rounds before it.
        let mut made: Vec<bool> = (0..self.types.len())
            .map(|nth| self.types[nth].draw.is_some() || self.types[nth].interface.is_some())
            .collect();
        for _ in 0..self.types.len() {
            for nth in 0..self.types.len() {
                let info = &self.types[nth];
                let is_composed = info.elements.is_some_and(|elements| {
                    let element = self.find_type((elements.id)());
                    elements.is_optional || element.is_some_and(|element| made[element])
                });
                let is_result = |operation: &Operation| {
                    let result = operation.result.is_some_and(|it| self.is_or_contains(it, nth));
                    result && operation.parameters.iter().all(|one| made[one.type_index])
                };
                made[nth] |= is_composed || self.operations.iter().any(is_result);
            }
        }
        // A shared object gives access to its contents. A callback may receive an object.
        let wanted_info = self.type_at(wanted);
        made[wanted]
            || wanted_info.object.is_some()
            || self.types.iter().any(|info| {
                let is_handle = info.cell.is_some_and(|cell| (cell.contents)() == wanted_info.id);
                let methods = info.interface.iter().flat_map(|interface| &interface.methods);
                let mut given = methods.flat_map(|method| &method.parameters);
                is_handle || given.any(|parameter| parameter.type_index == wanted)
            })
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
        self.leave_out_uncopied();
        self.declare_objects();
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
        self.obstacles = self.find_obstacles();
    }

    /// Returns, for each operation, the type of an argument that no program can have.
    fn find_obstacles(&self) -> Vec<Option<Arc<str>>> {
        let mut obtainable: Vec<bool> =
            self.types.iter().map(|info| info.draw.is_some() || info.interface.is_some()).collect();
        // Callbacks receive the arguments of their methods.
        for interface in self.types.iter().filter_map(|info| info.interface.as_ref()) {
            for parameter in interface.methods.iter().flat_map(|method| &method.parameters) {
                obtainable[parameter.type_index] = true;
            }
        }
        // Each round finds the results of operations whose arguments are known. There are no more
        // rounds than types.
        for _ in 0..self.types.len() {
            for operation in &self.operations {
                let mut parameters = operation.parameters.iter();
                if parameters.all(|parameter| obtainable[parameter.type_index])
                    && let Some(result) = operation.result
                {
                    for (wanted, is_obtainable) in obtainable.iter_mut().enumerate() {
                        *is_obtainable |= self.is_or_contains(result, wanted);
                    }
                }
            }
        }
        let missing = |operation: &Operation| {
            let mut parameters = operation.parameters.iter().enumerate();
            let (nth, parameter) =
                parameters.find(|(_, parameter)| !obtainable[parameter.type_index])?;
            let name = self.type_at(parameter.type_index).name;
            let missing = || format!("no value of type `{name}` can be generated or constructed");
            if nth > 0 || !operation.is_method {
                return Some(Arc::from(missing()));
            }
            let makes = |maker: &&Operation| {
                let result = maker.result;
                let is_maker =
                    result.is_some_and(|it| self.is_or_contains(it, parameter.type_index));
                is_maker
                    && !maker.parameters.iter().any(|one| one.type_index == parameter.type_index)
            };
            // A constructor that programs cannot call, because of its arguments or for another reason.
            let maker = self.operations.iter().find(makes).map(|maker| {
                let unobtainable = |one: &&Parameter| !obtainable[one.type_index];
                let argument = maker.parameters.iter().find(unobtainable);
                let argument = argument.map_or("", |one| self.type_at(one.type_index).name);
                format!(
                    "there is no receiver, because `{}` needs a `{argument}`, and no value of this \
                     type can be generated or constructed",
                    maker.path
                )
            });
            let own = operation.path.rsplit_once("::").map_or("", |(own, _)| own);
            let is_own = |left_out: &&LeftOut| {
                left_out.is_constructor
                    && left_out.path.rsplit_once("::").is_some_and(|one| one.0 == own)
            };
            let left_out = || {
                let left_out = self.left_out.iter().find(is_own)?;
                let LeftOut { path, reason, .. } = left_out;
                Some(format!(
                    "there is no receiver, because programs cannot call `{path}`: {reason}"
                ))
            };
            let what = maker.or_else(left_out).unwrap_or_else(|| {
                format!(
                    "there is no receiver, because nothing returns `{name}`: add a constructor to \
                     the block, or implement `Generate` for the type"
                )
            });
            Some(Arc::from(what))
        };
        self.operations.iter().map(missing).collect()
    }

    /// Returns the simplest value of a type, if it has a generator. Each is a new object, as in the
    /// printed program.
    pub(crate) fn simplest(&self, type_index: usize) -> Option<Value> {
        let draw = self.types.get(type_index)?.draw?;
        let draw = || draw(&mut Source::new(AnyDriver::Simplest));
        let info = self.type_at(type_index);
        match info.clone.filter(|_| info.is_deep()) {
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

    /// Leaves out the calls whose argument no program can pass to the object and to its model.
    fn leave_out_uncopied(&mut self) {
        let operations = std::mem::take(&mut self.operations);
        for operation in operations {
            let mut copied = operation.copied().iter().map(|nth| operation.parameters[*nth]);
            let without = copied.find(|parameter| {
                let info = self.type_at(parameter.type_index);
                let is_made =
                    info.draw.is_some() || info.interface.is_some() || info.elements.is_some();
                !is_made && !info.has_copies(parameter)
            });
            match without {
                None => self.operations.push(operation),
                Some(parameter) => {
                    let name = self.type_at(parameter.type_index).name;
                    let reason = format!(
                        "the object and its model need a value of type `{name}` each, and a \
                         program can only pass the same one to both"
                    );
                    let returns_object =
                        operation.result.is_some_and(|nth| self.type_at(nth).object.is_some());
                    let role = match operation.receiver() {
                        None if returns_object => Role::Constructor,
                        _ => Role::Other,
                    };
                    self.leave_out(operation.path, &reason, role);
                }
            }
        }
    }

    /// Adds a declaration for each type of objects that are generated. An object is what a method
    /// borrows.
    fn declare_objects(&mut self) {
        for type_index in 0..self.types.len() {
            let info = self.type_at(type_index);
            let is_object = |operation: &Operation| {
                operation.receiver().is_some_and(|receiver| {
                    receiver.type_index == type_index && receiver.mode != Mode::Value
                })
            };
            let is_declared = info.draw.is_some()
                && !info.is_modeled
                && info.interface.is_none()
                && self.operations.iter().any(is_object);
            if is_declared {
                self.operations.push(Operation::declaration(type_index, info.name));
            }
        }
    }

    /// Returns whether generated objects of a type are declared.
    pub(crate) fn has_declaration(&self, type_index: usize) -> bool {
        self.operations
            .iter()
            .rev()
            .take_while(|operation| operation.is_declaration())
            .any(|operation| operation.result == Some(type_index))
    }

    /// Reports to the running case how often operations were called and preconditions were true.
    pub(crate) fn report_counts(&self) {
        let has_model = |operation: &Operation| operation.model.is_some();
        if self.operations.iter().any(|operation| operation.can_fail || has_model(operation)) {
            let is_compared = |one: &Operation| has_model(one) && one.counts.completed.get() > 0;
            let is_checked = crate::blame::has_checked() || self.operations.iter().any(is_compared);
            rebut_run::count_operation(rebut_run::CLAUSES, 1, u64::from(is_checked));
        }
        let operations = self.operations.iter().zip(&self.obstacles);
        let calls = operations.filter(|(operation, _)| !operation.is_declaration()).map(
            |(operation, obstacle)| CallCount {
                operation: operation.path,
                attempts: operation.counts.attempts.get(),
                completed: operation.counts.completed.replace(0),
                obstacle: obstacle.clone(),
            },
        );
        rebut_run::count_calls(calls.chain(self.reported.iter().cloned()).collect());
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
            Effect::Mutates => CONSTRUCTORS_RARER * share * others.max(1),
            Effect::Reads => CONSTRUCTORS_RARER * (100 - share) * changes.max(1),
            Effect::Constructs => (100 - share) * changes.max(1),
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
