//! Finds out, in generated code, what a type can do: the method nearest by auto-reference wins,
//! as in `rebut_gen::Shown`. Write `(&&Probe::<T>::new()).drawer()`.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rebut_choice::Source;
use rebut_gen::Generate;

use crate::held::{Held, Object, Value};
use crate::kind::{Cell, Inside, Kind, Number};
use crate::table::{Subject, Table};

/// Stands for a type.
pub struct Probe<T: ?Sized>(PhantomData<fn() -> PhantomData<T>>);

impl<T: ?Sized> Probe<T> {
    /// Stands for `T`.
    #[must_use]
    pub fn new() -> Probe<T> {
        Probe(PhantomData)
    }
}

impl<T: ?Sized> Default for Probe<T> {
    fn default() -> Probe<T> {
        Probe::new()
    }
}

impl<T: ?Sized> fmt::Debug for Probe<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Probe")
    }
}

/// A type that can be drawn.
pub trait IsDrawn {
    /// How.
    fn drawer(&self) -> Option<fn(&mut Source) -> Value>;
}

impl<T: Generate + 'static> IsDrawn for &Probe<T> {
    fn drawer(&self) -> Option<fn(&mut Source) -> Value> {
        Some(|source| Box::new(T::generate(source)))
    }
}

/// A type that cannot.
pub trait IsNotDrawn {
    /// Not at all.
    fn drawer(&self) -> Option<fn(&mut Source) -> Value>;
}

impl<T> IsNotDrawn for Probe<T> {
    fn drawer(&self) -> Option<fn(&mut Source) -> Value> {
        None
    }
}

/// A type that can be cloned.
pub trait IsCloned {
    /// How.
    fn cloner(&self) -> Option<fn(&dyn Any) -> Option<Value>>;
}

impl<T: Clone + 'static> IsCloned for &Probe<T> {
    fn cloner(&self) -> Option<fn(&dyn Any) -> Option<Value>> {
        Some(|value| Some(Box::new(value.downcast_ref::<T>()?.clone())))
    }
}

/// A type that cannot.
pub trait IsNotCloned {
    /// Not at all.
    fn cloner(&self) -> Option<fn(&dyn Any) -> Option<Value>>;
}

impl<T> IsNotCloned for Probe<T> {
    fn cloner(&self) -> Option<fn(&dyn Any) -> Option<Value>> {
        None
    }
}

/// A type that is copied without a word.
pub trait IsCopied {
    /// Yes.
    fn is_copy(&self) -> bool;
}

impl<T: Copy> IsCopied for &Probe<T> {
    fn is_copy(&self) -> bool {
        true
    }
}

/// A type that is not.
pub trait IsNotCopied {
    /// No.
    fn is_copy(&self) -> bool;
}

impl<T> IsNotCopied for Probe<T> {
    fn is_copy(&self) -> bool {
        false
    }
}

/// A type with operations of its own.
pub trait IsSubject {
    /// Registers them.
    fn register(&self, table: &mut Table);
}

impl<T: Subject + ?Sized> IsSubject for &Probe<T> {
    fn register(&self, table: &mut Table) {
        T::register(table);
    }
}

/// A type without.
pub trait IsNoSubject {
    /// Does nothing.
    fn register(&self, table: &mut Table);
}

impl<T: ?Sized> IsNoSubject for Probe<T> {
    fn register(&self, _table: &mut Table) {}
}

/// A shared cell of something.
pub trait IsCell {
    /// How to lend what is in it.
    fn cell(&self) -> Option<Cell>;
    /// Registers the operations of what is in it.
    fn register_inside(&self, table: &mut Table);
}

/// Handles by which programs come to what is shared: how they lend it, and how that is written.
macro_rules! cells {
    ($($pointer:ident $(<$lock:ident>)?, $handle:ident => $lent:expr, $lent_mut:expr, $opened:expr;)+) => {
        $(impl<T: Subject + 'static> IsCell for &Probe<cells!(@ty $pointer $($lock)?)> {
            fn cell(&self) -> Option<Cell> {
                Some(Cell {
                    inside: TypeId::of::<T>,
                    lend: |value, to_change, use_it| {
                        let Some($handle) = value.downcast_ref::<cells!(@ty $pointer $($lock)?)>()
                        else {
                            return false;
                        };
                        if to_change {
                            let Some(mut inside) = $lent_mut else { return false };
                            use_it(Held::Mut(inside.by_mut()));
                        } else {
                            let Some(inside) = $lent else { return false };
                            use_it(Held::Ref(&*inside));
                        }
                        true
                    },
                    address: |value| {
                        let handle = value.downcast_ref::<cells!(@ty $pointer $($lock)?)>();
                        handle.map_or(0, |handle| $pointer::as_ptr(handle).addr())
                    },
                    opened: $opened,
                })
            }

            fn register_inside(&self, table: &mut Table) {
                T::register(table);
            }
        })+
    };
    (@ty $pointer:ident) => { $pointer<T> };
    (@ty $pointer:ident $lock:ident) => { $pointer<$lock<T>> };
}

/// What a guard lends.
trait ByMut {
    type Inside;
    fn by_mut(&mut self) -> &mut Self::Inside;
}

impl<G: std::ops::DerefMut<Target: Sized>> ByMut for G {
    type Inside = G::Target;
    fn by_mut(&mut self) -> &mut G::Target {
        self
    }
}

/// What cannot be lent to be changed.
fn never<T>(_: &T) -> Option<&'static mut T> {
    None
}

// A lock that is held already is waited for, as the printed program would wait: if it is this
// thread that holds it, that is for ever, and the deadline says so.
cells! {
    Rc<RefCell>, cell => cell.try_borrow().ok(), cell.try_borrow_mut().ok(),
        (".borrow()", Some(".borrow_mut()"));
    Arc<Mutex>, mutex => Some(unpoisoned(mutex.lock())), Some(unpoisoned(mutex.lock())),
        (".lock().unwrap()", Some(".lock().unwrap()"));
    Arc<RwLock>, lock => Some(unpoisoned(lock.read())), Some(unpoisoned(lock.write())),
        (".read().unwrap()", Some(".write().unwrap()"));
    Rc, shared => Some(&**shared), never(&**shared), ("", None);
    Arc, shared => Some(&**shared), never(&**shared), ("", None);
}

fn unpoisoned<G>(locked: Result<G, PoisonError<G>>) -> G {
    locked.unwrap_or_else(PoisonError::into_inner)
}

/// Anything else.
pub trait IsNoCell {
    /// Not at all.
    fn cell(&self) -> Option<Cell>;
    /// Does nothing.
    fn register_inside(&self, table: &mut Table);
}

impl<T> IsNoCell for Probe<T> {
    fn cell(&self) -> Option<Cell> {
        None
    }

    fn register_inside(&self, _table: &mut Table) {}
}

/// A handle to something that is shared.
pub trait IsHandle {
    /// Yes.
    fn is_handle(&self) -> bool;
}

impl<T: ?Sized> IsHandle for &Probe<Rc<T>> {
    fn is_handle(&self) -> bool {
        true
    }
}

impl<T: ?Sized> IsHandle for &Probe<Arc<T>> {
    fn is_handle(&self) -> bool {
        true
    }
}

/// Anything else.
pub trait IsNoHandle {
    /// No.
    fn is_handle(&self) -> bool;
}

impl<T> IsNoHandle for Probe<T> {
    fn is_handle(&self) -> bool {
        false
    }
}

/// An `Option` or a `Result`.
pub trait HasInside {
    /// How to come to what is in it.
    fn inside(&self) -> Option<Inside>;
}

impl<T: 'static> HasInside for &Probe<Option<T>> {
    fn inside(&self) -> Option<Inside> {
        Some(Inside {
            id: TypeId::of::<T>,
            take: |value| Some(Box::new((*value.downcast::<Option<T>>().ok()?)?)),
            lend: |value| Some(value.downcast_ref::<Option<T>>()?.as_ref()?),
            lend_mut: |value| Some(value.downcast_mut::<Option<T>>()?.as_mut()?),
            opened: "",
        })
    }
}

impl<T: 'static, E: 'static> HasInside for &Probe<Result<T, E>> {
    fn inside(&self) -> Option<Inside> {
        Some(Inside {
            id: TypeId::of::<T>,
            take: |value| Some(Box::new((*value.downcast::<Result<T, E>>().ok()?).ok()?)),
            lend: |value| Some(value.downcast_ref::<Result<T, E>>()?.as_ref().ok()?),
            lend_mut: |value| Some(value.downcast_mut::<Result<T, E>>()?.as_mut().ok()?),
            opened: ".ok()",
        })
    }
}

/// Anything else.
pub trait HasNoInside {
    /// Not at all.
    fn inside(&self) -> Option<Inside>;
}

impl<T> HasNoInside for Probe<T> {
    fn inside(&self) -> Option<Inside> {
        None
    }
}

/// A reference that was given to a callback.
pub struct Lend<R>(std::cell::Cell<Option<R>>);

impl<R> Lend<R> {
    /// Holds it until it is asked for.
    pub fn new(reference: R) -> Lend<R> {
        Lend(std::cell::Cell::new(Some(reference)))
    }
}

impl<R> fmt::Debug for Lend<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lend")
    }
}

/// A trait object whose methods programs can call. `#[rebut::contract]` before a trait writes
/// it.
pub trait Lendable {
    /// Lends it to be changed.
    fn lend_mut(&mut self) -> Box<dyn Object + '_>;
    /// Lends it to be read.
    fn lend_ref(&self) -> Box<dyn Object + '_>;
}

/// A reference to a trait object whose methods programs can call.
pub trait IsLent<'a> {
    /// As an argument.
    fn held(&self) -> Held<'a>;
}

impl<'a, T: Lendable + ?Sized> IsLent<'a> for &Lend<&'a mut T> {
    fn held(&self) -> Held<'a> {
        self.0.take().map_or(Held::Nothing, |object| Held::Object(object.lend_mut()))
    }
}

impl<'a, T: Lendable + ?Sized> IsLent<'a> for &Lend<&'a T> {
    fn held(&self) -> Held<'a> {
        self.0.take().map_or(Held::Nothing, |object| Held::Object(object.lend_ref()))
    }
}

/// Any other reference.
pub trait IsNotLent {
    /// Nothing.
    fn held(&self) -> Held<'static>;
}

impl<R> IsNotLent for Lend<R> {
    fn held(&self) -> Held<'static> {
        Held::Nothing
    }
}

/// How to read and make whole numbers of the type `T`, if it is one of those of the language.
#[must_use]
pub fn number<T: 'static>() -> Option<Number> {
    macro_rules! numbers {
        ($($name:ident)+) => {
            $(if TypeId::of::<T>() == TypeId::of::<$name>() {
                return Some(Number {
                    read: |value| i128::try_from(*value.downcast_ref::<$name>()?).ok(),
                    make: |number| Some(Box::new($name::try_from(number).ok()?)),
                });
            })+
        };
    }
    numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
    None
}

/// The kind of `T`, of which nothing is known yet but its name and code.
#[must_use]
pub fn plain<T: 'static>(name: &'static str, code: fn(&dyn Any) -> String) -> Kind {
    Kind {
        id: TypeId::of::<T>(),
        name,
        draw: None,
        clone: None,
        is_copy: false,
        is_handle: false,
        code,
        number: number::<T>(),
        interface: None,
        cell: None,
        object: None,
        inside: None,
        is_modeled: false,
        is_described: false,
    }
}
