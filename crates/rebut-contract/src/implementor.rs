//! Implementors of traits, and closures, whose bodies were drawn.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use crate::blame;
use crate::held::{Held, Value};
use crate::kind::Interface;
use crate::program::run::{self, Frame};
use crate::program::{Implementor, Slot};
use crate::table::Table;

/// What a synthesized implementor does when it is called. The code that `#[rebut::contract]`
/// writes for a trait holds one.
pub struct Behavior {
    pub(crate) table: Rc<Table>,
    pub(crate) written: Rc<Implementor>,
    /// How often bodies may still run: they may call what calls them.
    pub(crate) fuel: Cell<u32>,
    pub(crate) captured: Vec<(Slot, Value)>,
}

/// A trait object that programs can implement. `#[rebut::contract]` before a trait writes it.
#[diagnostic::on_unimplemented(
    message = "generated programs cannot implement `{Self}`",
    label = "no contract",
    note = "write `#[rebut::contract]` before the trait (`#[rebut::contract(send)]` for objects that are `Send`), or `#[program(skip)]` before the function that takes it"
)]
pub trait Implementable {
    /// The type that does as it is told.
    type Implementor;

    /// An implementor that behaves like this.
    fn implement(behavior: Behavior) -> Self::Implementor;

    /// What there is to implement.
    fn interface(
        table: &mut Table,
        make: fn(Behavior) -> Value,
        around: (&'static str, &'static str),
    ) -> Interface;
}

impl Behavior {
    /// Whether the body of this method is to be run now. If not, the default is.
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

    /// Runs the body of a method; what it gives back, if that is there.
    pub fn run<R: 'static>(&self, method: usize, given: Vec<Held<'_>>) -> Option<R> {
        let value = self.run_any(method, given)?;
        value.downcast().ok().map(|value| *value)
    }

    fn run_any(&self, method: usize, given: Vec<Held<'_>>) -> Option<Value> {
        let body = self.written.bodies.get(method)?.as_ref()?;
        let mut frame = Frame::default();
        for (slot, value) in &self.captured {
            frame.put(*slot, Held::Owned(run::copied(&self.table, &**value)?));
        }
        for (slot, held) in body.given.iter().zip(given) {
            frame.put(*slot, held);
        }
        run::block(&self.table, body, &mut frame)
    }

    /// What a method gives back whose body is not run and has no default: the simplest value.
    /// A type without a generator has none, and the program cannot go on.
    pub fn simplest<R: 'static>(&self, method: usize) -> R {
        let nothing: Box<dyn Any> = Box::new(());
        if let Ok(nothing) = nothing.downcast::<R>() {
            return *nothing;
        }
        let kind = self.written.interface.methods.get(method).and_then(|method| method.result);
        let drawn = kind.and_then(|kind| self.table.simplest(kind));
        match drawn.and_then(|value| value.downcast().ok()) {
            Some(value) => *value,
            None => blame::end_program("a callback had nothing to give back".to_owned()),
        }
    }
}

impl fmt::Debug for Behavior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a generated {:?}", self.written.interface)
    }
}
