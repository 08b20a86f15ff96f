//! What programs know about a type.

use std::any::{Any, TypeId};
use std::fmt;
use std::rc::Rc;

use rebut_choice::Source;

use crate::held::{Held, Value};
use crate::implementor::Behavior;
use crate::table::Parameter;

/// A type whose values a program can hold.
#[derive(Clone)]
pub struct Kind {
    /// The type.
    pub id: TypeId,
    /// Its name as written.
    pub name: &'static str,
    /// Draws a value, if the type has a generator.
    pub draw: Option<fn(&mut Source) -> Value>,
    /// Copies a value, if the type is `Clone`.
    pub clone: Option<fn(&dyn Any) -> Option<Value>>,
    /// Whether it is copied without a word.
    pub is_copy: bool,
    /// Whether it is a handle to something that is shared, as `Rc` is: callbacks may keep one.
    pub is_handle: bool,
    /// The value as code.
    pub code: fn(&dyn Any) -> String,
    /// If it is a whole number: as one, and back.
    pub number: Option<Number>,
    /// If programs can implement it: a trait object or a closure.
    pub interface: Option<Rc<Interface>>,
    /// If it is a handle to a cell: how to lend what is in the cell.
    pub cell: Option<Cell>,
    /// If it is a pointer to a trait object: the type of that.
    pub object: Option<TypeId>,
    /// If it is an `Option` or a `Result`: how to come to what is in it.
    pub inside: Option<Inside>,
    /// Whether it is an object with its model: see [`Modeled`](crate::model::Modeled).
    pub is_modeled: bool,
    /// Whether it was said what programs can implement.
    pub(crate) is_described: bool,
}

/// Takes or lends what is in an `Option` or a `Result`, if it is there.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    /// The type of what is in it.
    pub id: fn() -> TypeId,
    /// Takes it.
    pub take: fn(Value) -> Option<Value>,
    /// Lends it to be read.
    pub lend: fn(&dyn Any) -> Option<&dyn Any>,
    /// Lends it to be changed.
    pub lend_mut: fn(&mut dyn Any) -> Option<&mut dyn Any>,
    /// What makes an `Option` of it in code.
    pub opened: &'static str,
}

/// Reads and makes whole numbers of one type.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The number.
    pub read: fn(&dyn Any) -> Option<i128>,
    /// The value, if the number fits.
    pub make: fn(i128) -> Option<Value>,
}

/// Lends what is in a shared cell.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// The type of what is in it.
    pub inside: fn() -> TypeId,
    /// Lends it; false if it is in use already.
    pub lend: Lend,
    /// What identifies the cell among all.
    pub address: fn(&dyn Any) -> usize,
    /// What stands behind a handle in code to lend what is in the cell: to be read, and to be
    /// changed if that is possible.
    pub opened: (&'static str, Option<&'static str>),
}

/// Lends what is in a cell, to be changed or only to be read.
pub type Lend = fn(&dyn Any, bool, &mut dyn FnMut(Held<'_>)) -> bool;

/// Something that programs can implement: a trait, or a closure with one method.
pub struct Interface {
    /// The trait; empty for closures.
    pub name: &'static str,
    /// Its methods.
    pub methods: Vec<Signature>,
    /// Makes a value that behaves as it is told.
    pub make: fn(Behavior) -> Value,
    /// Whether it has to be `Send`, so that it can keep no handles.
    pub is_sent: bool,
    /// What it has to derive in code: `Debug`, or nothing.
    pub derives: &'static str,
    /// What stands around an expression of the implementor's type in code: `Box::new(`, `)`.
    pub around: (&'static str, &'static str),
}

/// A method that programs can implement.
#[derive(Debug)]
pub struct Signature {
    /// `fn after_push(&mut self, s: &mut Stack, item: u8)`, or `move |s: &mut Stack|`.
    pub written: &'static str,
    /// The names of its parameters.
    pub names: &'static [&'static str],
    /// What the body is given.
    pub parameters: Vec<Parameter>,
    /// What the body gives back; none for `()`.
    pub result: Option<usize>,
    /// Whether there is a default body, which is what an implementor has that does not
    /// override it.
    pub has_default: bool,
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Debug for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "dyn {}", self.name)
    }
}
