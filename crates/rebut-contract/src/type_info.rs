//! The operations of a type that programs need, as function pointers.

use std::any::{Any, TypeId};
use std::fmt;
use std::rc::Rc;

use rebut_choice::{Source, Tape, internal_assert};

use crate::call_argument::{CallArgument, Value};
use crate::implementor::Behavior;
use crate::table::{Mode, Parameter};
use crate::template::Template;

/// A type whose values a program can contain: what can be done with a value whose type only the
/// table knows.
#[derive(Clone)]
pub struct TypeInfo {
    /// The identity of the type.
    pub id: TypeId,
    /// The name of the type, as written.
    pub name: &'static str,
    /// Generates a value, if the type has a generator.
    pub draw: Option<fn(&mut Source) -> Value>,
    /// Clones a value, if the type is `Clone`.
    pub clone: Option<fn(&dyn Any) -> Option<Value>>,
    /// Whether the type is `Copy`.
    pub is_copy: bool,
    /// Whether the type is a string or a list of the standard library, whose clones share nothing.
    pub is_text_or_list: bool,
    /// Whether a value does not change behind a shared reference, as far as the compiler knows.
    pub is_frozen: bool,
    /// Whether the type is an iterator.
    pub is_iterator: bool,
    /// Whether the type is a handle to a shared value, such as `Rc`. Callbacks can keep a handle.
    pub is_handle: bool,
    /// Returns a value as code.
    pub code: fn(&dyn Any) -> String,
    /// Converts to and from integers, if the type is one.
    pub integer: Option<IntegerConversion>,
    /// The methods to implement, if the type is a pointer to a trait object or a closure.
    pub interface: Option<Rc<Interface>>,
    /// Opens the cell, if the type is a handle to one.
    pub cell: Option<CellAccess>,
    /// The type of the trait object, if the type is a pointer to one.
    pub object: Option<TypeId>,
    /// Accesses the contents, if the type is an `Option` or a `Result`.
    pub contents: Option<ContentsAccess>,
    /// Makes a value from its elements, if the type is a `Vec` or an `Option`.
    pub elements: Option<ElementsAccess>,
    /// Whether values are pairs of an object and its model; see
    /// [`Modeled`](crate::model::Modeled).
    pub is_modeled: bool,
    /// Whether `interface` is already described, or being described.
    pub(crate) is_described: bool,
}

/// Access to the contents of an `Option` or a `Result`.
#[derive(Clone, Copy, Debug)]
pub struct ContentsAccess {
    /// Returns the type of the contents.
    pub id: fn() -> TypeId,
    /// Moves the contents out.
    pub take: fn(Value) -> Option<Value>,
    /// Borrows the contents.
    pub lend: fn(&dyn Any) -> Option<&dyn Any>,
    /// Borrows the contents mutably.
    pub lend_mut: fn(&mut dyn Any) -> Option<&mut dyn Any>,
    /// The code that converts a value to an `Option`.
    pub opened: &'static str,
}

/// A `Vec` or an `Option` as a list of elements.
///
/// A generator of `Vec<Key>` knows no key of the program. So programs also make lists of elements,
/// each of which is an argument like any other: a variable, the result of a call, a closure.
#[derive(Clone, Copy, Debug)]
pub struct ElementsAccess {
    /// Returns the type of an element.
    pub id: fn() -> TypeId,
    /// Makes a value of the elements.
    pub make: fn(Vec<Value>) -> Option<Value>,
    /// Whether there is at most one element: an `Option`.
    pub is_optional: bool,
}

/// Conversion of one integer type.
#[derive(Clone, Copy, Debug)]
pub struct IntegerConversion {
    /// Returns a value as an integer.
    pub read: fn(&dyn Any) -> Option<i128>,
    /// Returns the value for an integer, if it fits.
    pub make: fn(i128) -> Option<Value>,
}

/// Access to the contents of a shared cell.
#[derive(Clone, Copy, Debug)]
pub struct CellAccess {
    /// Returns the type of the contents.
    pub contents: fn() -> TypeId,
    /// Borrows the contents for a closure. Returns false if they are already borrowed.
    pub lend: BorrowCell,
    /// Returns the address of the cell, which identifies it.
    pub address: fn(&dyn Any) -> usize,
    /// The code after a handle that borrows the contents, and the code that borrows them mutably,
    /// if possible.
    pub opened: (&'static str, Option<&'static str>),
}

/// Borrows the contents of a cell for a closure, mutably if the flag is set.
pub type BorrowCell = fn(&dyn Any, bool, &mut dyn FnMut(CallArgument<'_>)) -> bool;

/// A trait that programs can implement, or a closure, which has one method.
pub struct Interface {
    /// The name of the trait. Empty for a closure.
    pub name: &'static str,
    /// The methods to implement.
    pub methods: Vec<Signature>,
    /// Creates a value with a behavior.
    pub make: fn(Behavior) -> Value,
    /// Whether the implementor must be `Send`. It then cannot keep handles.
    pub is_send: bool,
    /// The trait that the implementor must derive: `Debug`, or empty.
    pub derives: &'static str,
    /// The attribute of a printed implementor that adds the checks of the trait: `rebut::contract`.
    /// Empty for a closure.
    pub attribute: &'static str,
    /// The code before and after an expression of the implementor's type: `Box::new(` and `)`.
    pub around: (&'static str, &'static str),
}

/// A method that programs can implement.
#[derive(Debug)]
pub struct Signature {
    /// The code before the body: `fn after_push(&mut self, s: &mut Stack, item: u8)`, or
    /// `move |s: &mut Stack|`. The arguments are the names of the parameters.
    pub written: Template,
    /// The names of the parameters.
    pub names: &'static [&'static str],
    /// The parameters that the body receives.
    pub parameters: Vec<Parameter>,
    /// The number of the result type. `None` for `()`.
    pub result: Option<usize>,
    /// The method with the default body, if the trait has one. An implementor that does not
    /// override the method uses it.
    pub default: Option<&'static str>,
}

impl TypeInfo {
    /// Returns whether a program can pass a value of this type to an object and to its model, so that
    /// neither call sees what the other did to it.
    pub(crate) fn has_copies(&self, parameter: &Parameter) -> bool {
        let is_shared = parameter.mode == Mode::Ref && parameter.view.is_none();
        let is_viewed = parameter.mode == Mode::Mut && parameter.view.is_some();
        self.is_frozen && !is_viewed && (is_shared || self.clone.is_some())
    }

    /// Returns whether a clone surely shares nothing with the value. A clone of an `Rc<Cell<u8>>`
    /// does, and so does that of a type with such a field.
    pub(crate) fn is_deep(&self) -> bool {
        self.is_copy || self.is_text_or_list
    }

    /// Generates a value again from its choices, so that it shares nothing with the first one.
    /// Returns `None` if the value draws later, too: a tape does not contain these choices.
    pub(crate) fn redrawn(&self, tape: Option<&Tape>) -> Option<Value> {
        let mut source = Source::replay(tape?);
        let value = (self.draw?)(&mut source);
        (!source.has_clones()).then_some(value)
    }

    /// Clones a value of this type, if the type is `Clone`.
    pub(crate) fn cloned(&self, value: &dyn Any) -> Option<Value> {
        let cloned = (self.clone?)(value);
        internal_assert!(cloned.is_some(), "a value of type `{}` has another type", self.name);
        cloned
    }
}

impl fmt::Debug for TypeInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Debug for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "dyn {}", self.name)
    }
}
