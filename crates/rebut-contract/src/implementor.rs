//! Implementors of traits and closures with generated bodies.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use crate::blame;
use crate::call_argument::{CallArgument, Value};
use crate::program::run::{self, Frame};
use crate::program::{Implementor, Slot};
use crate::table::Table;
use crate::type_info::Interface;

/// The behavior of a generated implementor. The code that `#[rebut::contract]` generates for a trait
/// contains one.
pub struct Behavior {
    pub(crate) table: Rc<Table>,
    pub(crate) written: Rc<Implementor>,
    /// The number of times that bodies may still run. Without a limit, a body that calls its caller
    /// would recur forever.
    pub(crate) fuel: Cell<u32>,
    pub(crate) captured: Vec<(Slot, Value)>,
}

/// A trait object that programs can implement. `#[rebut::contract]` on a trait implements this.
#[diagnostic::on_unimplemented(
    message = "generated programs cannot implement `{Self}`",
    label = "no contract",
    note = "add `#[rebut::contract]` to the trait (`#[rebut::contract(send)]` if its objects are `Send`), or `#[program(skip)]` to the function that takes it"
)]
pub trait Implementable {
    /// The type that implements the trait with a given behavior.
    type Implementor;

    /// Creates an implementor with the behavior.
    fn implement(behavior: Behavior) -> Self::Implementor;

    /// Describes the methods to implement.
    fn interface(
        table: &mut Table,
        make: fn(Behavior) -> Value,
        around: (&'static str, &'static str),
    ) -> Interface;
}

impl Behavior {
    /// Returns whether to run the generated body of this method now, and uses fuel if so. Otherwise
    /// the default applies.
    #[inline]
    #[must_use]
    pub fn begins(&self, method: usize) -> bool {
        let fuel = self.fuel.get();
        if fuel == 0 && self.written.ran_dry.get() {
            return false;
        }
        if self.written.bodies.get(method).is_none_or(Option::is_none) {
            return false;
        }
        self.fuel.set(fuel.saturating_sub(1));
        if fuel == 0 {
            self.written.ran_dry.set(true);
        }
        fuel > 0
    }

    /// Runs the body of a method and returns its result, or `None` if there is no value.
    pub fn run<R: 'static>(&self, method: usize, given: Vec<CallArgument<'_>>) -> Option<R> {
        let value = self.run_any(method, given)?;
        value.downcast().ok().map(|value| *value)
    }

    fn run_any(&self, method: usize, given: Vec<CallArgument<'_>>) -> Option<Value> {
        let body = self.written.bodies.get(method)?.as_ref()?;
        let mut frame = Frame::default();
        for (slot, value) in &self.captured {
            frame.put(*slot, CallArgument::Owned(run::clone_value(&self.table, &**value)?));
        }
        for (slot, argument) in body.given.iter().zip(given) {
            frame.put(*slot, argument);
        }
        run::block(&self.table, body, &mut frame)
    }

    /// Returns the simplest value, for a method without a default whose body does not run. Ends the
    /// program if the type has no generator.
    pub fn simplest<R: 'static>(&self, method: usize) -> R {
        let nothing: Box<dyn Any> = Box::new(());
        if let Ok(nothing) = nothing.downcast::<R>() {
            return *nothing;
        }
        let method = self.written.interface.methods.get(method);
        let result = method.and_then(|method| method.result);
        let simplest = result.and_then(|type_index| self.table.simplest(type_index));
        match simplest.and_then(|value| value.downcast().ok()) {
            Some(value) => *value,
            None => blame::end_program("a callback has no value to return".to_owned()),
        }
    }
}

impl fmt::Debug for Behavior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a generated {:?}", self.written.interface)
    }
}
