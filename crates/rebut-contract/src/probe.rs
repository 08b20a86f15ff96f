//! Finds out, in generated code, what a type can do: the method nearest by auto-reference wins,
//! as in `rebut_gen::Shown`. Write `(&&Probe::<T>::new()).drawer()`.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use rebut_choice::Source;
use rebut_gen::Generate;

use crate::held::{Held, Value};
use crate::kind::{Cell, Kind, Number};
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
    /// Whether it is a handle to something shared.
    fn is_handle(&self) -> bool;
}

impl<T: Subject + 'static> IsCell for &Probe<Rc<RefCell<T>>> {
    fn cell(&self) -> Option<Cell> {
        Some(Cell {
            inside: TypeId::of::<T>,
            lend: |value, to_change, use_it| {
                let Some(cell) = value.downcast_ref::<Rc<RefCell<T>>>() else { return false };
                if to_change {
                    let Ok(mut inside) = cell.try_borrow_mut() else { return false };
                    use_it(Held::Mut(&mut *inside));
                } else {
                    let Ok(inside) = cell.try_borrow() else { return false };
                    use_it(Held::Ref(&*inside));
                }
                true
            },
            address: |value| {
                let cell = value.downcast_ref::<Rc<RefCell<T>>>();
                cell.map_or(0, |cell| Rc::as_ptr(cell).addr())
            },
        })
    }

    fn register_inside(&self, table: &mut Table) {
        T::register(table);
    }

    fn is_handle(&self) -> bool {
        true
    }
}

/// Anything else.
pub trait IsNoCell {
    /// Not at all.
    fn cell(&self) -> Option<Cell>;
    /// Does nothing.
    fn register_inside(&self, table: &mut Table);
    /// No.
    fn is_handle(&self) -> bool;
}

impl<T> IsNoCell for Probe<T> {
    fn cell(&self) -> Option<Cell> {
        None
    }

    fn register_inside(&self, _table: &mut Table) {}

    fn is_handle(&self) -> bool {
        false
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
    }
}
