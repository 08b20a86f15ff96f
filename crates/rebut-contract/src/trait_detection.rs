//! Detects which traits a type implements, in generated code.
//!
//! Each question has two traits with the same method. Method lookup prefers the implementation with
//! the fewest dereferences, as in `rebut_gen::Shown`, so `(&&Probe::<T>::new()).drawer()` uses
//! [`IsDrawn`] if `T` has a generator and [`IsNotDrawn`] otherwise.
//!
//! # Examples
//! ```
//! use rebut_contract::trait_detection::*;
//!
//! struct Plain;
//!
//! assert!((&&Probe::<u8>::new()).drawer().is_some());
//! assert!((&&Probe::<Plain>::new()).drawer().is_none());
//! ```

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rebut_choice::Source;
use rebut_gen::Generate;

use crate::call_argument::{CallArgument, Object, Value};
use crate::table::{Contracted, Table};
use crate::type_info::{CellAccess, ContentsAccess, ElementsAccess, IntegerConversion, TypeInfo};

/// The traits of this module without their names, for generated code: types of the user with these
/// names stay visible there.
pub mod methods {
    pub use super::{
        HasContents as _, HasElements as _, HasNoContents as _, HasNoElements as _, IsCell as _,
        IsCloned as _, IsContracted as _, IsCopied as _, IsDrawn as _, IsFrozen as _,
        IsHandle as _, IsIterator as _, IsLent as _, IsNoCell as _, IsNoHandle as _,
        IsNoIterator as _, IsNoSubject as _, IsNotCloned as _, IsNotCopied as _, IsNotDrawn as _,
        IsNotFrozen as _, IsNotLent as _,
    };
}

/// A value that represents a type.
pub struct Probe<T: ?Sized>(PhantomData<fn() -> PhantomData<T>>);

impl<T: ?Sized> Probe<T> {
    /// Creates a probe for `T`.
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

/// Detects types with a generator.
pub trait IsDrawn {
    /// Returns the function that generates a value.
    fn drawer(&self) -> Option<fn(&mut Source) -> Value>;
}

impl<T: Generate + 'static> IsDrawn for &Probe<T> {
    fn drawer(&self) -> Option<fn(&mut Source) -> Value> {
        Some(|source| Box::new(T::generate(source)))
    }
}

/// Applies to types without a generator.
pub trait IsNotDrawn {
    /// Returns `None`.
    fn drawer(&self) -> Option<fn(&mut Source) -> Value>;
}

impl<T> IsNotDrawn for Probe<T> {
    fn drawer(&self) -> Option<fn(&mut Source) -> Value> {
        None
    }
}

/// Detects types that are `Clone`.
pub trait IsCloned {
    /// Returns the function that clones a value.
    fn cloner(&self) -> Option<fn(&dyn Any) -> Option<Value>>;
}

impl<T: Clone + 'static> IsCloned for &Probe<T> {
    fn cloner(&self) -> Option<fn(&dyn Any) -> Option<Value>> {
        Some(|value| Some(Box::new(value.downcast_ref::<T>()?.clone())))
    }
}

/// Applies to types that are not `Clone`.
pub trait IsNotCloned {
    /// Returns `None`.
    fn cloner(&self) -> Option<fn(&dyn Any) -> Option<Value>>;
}

impl<T> IsNotCloned for Probe<T> {
    fn cloner(&self) -> Option<fn(&dyn Any) -> Option<Value>> {
        None
    }
}

/// Detects types that are `Copy`.
pub trait IsCopied {
    /// Returns `true`.
    fn is_copy(&self) -> bool;
}

impl<T: Copy> IsCopied for &Probe<T> {
    fn is_copy(&self) -> bool {
        true
    }
}

/// Applies to types that are not `Copy`.
pub trait IsNotCopied {
    /// Returns `false`.
    fn is_copy(&self) -> bool;
}

impl<T> IsNotCopied for Probe<T> {
    fn is_copy(&self) -> bool {
        false
    }
}

/// Detects types whose values do not change behind a shared reference.
pub trait IsFrozen {
    /// Returns `true`.
    fn is_frozen(&self) -> bool;
}

/// The types of the standard library whose values change behind a shared reference, although they
/// are `RefUnwindSafe`: the beginnings of their names.
const SYNCHRONIZED: [&str; 3] = ["::atomic::Atomic", "::sync::", "Mutex<"];

impl<T: std::panic::RefUnwindSafe> IsFrozen for &Probe<T> {
    fn is_frozen(&self) -> bool {
        let name = std::any::type_name::<T>();
        // `Arc` is in `alloc::sync`, and changes nothing.
        let name = name.replace("alloc::sync::", "");
        !SYNCHRONIZED.iter().any(|part| name.contains(part))
    }
}

/// Applies to types with a cell, and to trait objects, which may have one.
pub trait IsNotFrozen {
    /// Returns `false`.
    fn is_frozen(&self) -> bool;
}

impl<T> IsNotFrozen for Probe<T> {
    fn is_frozen(&self) -> bool {
        false
    }
}

/// Detects types that are iterators.
pub trait IsIterator {
    /// Returns `true`.
    fn is_iterator(&self) -> bool;
}

impl<T: Iterator> IsIterator for &Probe<T> {
    fn is_iterator(&self) -> bool {
        true
    }
}

/// Applies to types that are not iterators.
pub trait IsNoIterator {
    /// Returns `false`.
    fn is_iterator(&self) -> bool;
}

impl<T> IsNoIterator for Probe<T> {
    fn is_iterator(&self) -> bool {
        false
    }
}

/// Detects types with a contract.
pub trait IsContracted {
    /// Registers the operations of the type.
    fn register(&self, table: &mut Table);
}

impl<T: Contracted + ?Sized> IsContracted for &Probe<T> {
    fn register(&self, table: &mut Table) {
        T::register(table);
    }
}

/// Applies to types without a contract.
pub trait IsNoSubject {
    /// Does nothing.
    fn register(&self, table: &mut Table);
}

impl<T: ?Sized> IsNoSubject for Probe<T> {
    fn register(&self, _table: &mut Table) {}
}

/// Detects handles to a value with a contract, such as `Rc<RefCell<T>>`.
pub trait IsCell {
    /// Returns how to borrow the contents.
    fn cell(&self) -> Option<CellAccess>;
    /// Registers the operations of the contents.
    fn register_contents(&self, table: &mut Table);
}

/// Implements [`IsCell`] for handles: how to borrow the contents, and the code that does it.
macro_rules! cells {
    ($($pointer:ident $(<$lock:ident>)?, $handle:ident => $lent:expr, $lent_mut:expr, $opened:expr;)+) => {
        $(impl<T: Contracted + 'static> IsCell for &Probe<cells!(@ty $pointer $($lock)?)> {
            fn cell(&self) -> Option<CellAccess> {
                Some(CellAccess {
                    contents: TypeId::of::<T>,
                    lend: |value, to_change, use_it| {
                        let Some($handle) = value.downcast_ref::<cells!(@ty $pointer $($lock)?)>()
                        else {
                            return false;
                        };
                        if to_change {
                            let Some(mut inside) = $lent_mut else { return false };
                            use_it(CallArgument::Mut(inside.by_mut()));
                        } else {
                            let Some(inside) = $lent else { return false };
                            use_it(CallArgument::Ref(&*inside));
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

            fn register_contents(&self, table: &mut Table) {
                T::register(table);
            }
        })+
    };
    (@ty $pointer:ident) => { $pointer<T> };
    (@ty $pointer:ident $lock:ident) => { $pointer<$lock<T>> };
}

/// Mutable access to the contents of a guard.
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

/// The mutable access to a handle that only allows shared access.
fn never<T>(_: &T) -> Option<&'static mut T> {
    None
}

// If a lock is taken, wait for it, as the printed program would. If this thread has the lock, the
// program waits forever, and the deadline of the test reports it.
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

/// Applies to all other types.
pub trait IsNoCell {
    /// Returns `None`.
    fn cell(&self) -> Option<CellAccess>;
    /// Does nothing.
    fn register_contents(&self, table: &mut Table);
}

impl<T> IsNoCell for Probe<T> {
    fn cell(&self) -> Option<CellAccess> {
        None
    }

    fn register_contents(&self, _table: &mut Table) {}
}

/// Detects handles to a shared value: `Rc` and `Arc`.
pub trait IsHandle {
    /// Returns `true`.
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

/// Applies to all other types.
pub trait IsNoHandle {
    /// Returns `false`.
    fn is_handle(&self) -> bool;
}

impl<T> IsNoHandle for Probe<T> {
    fn is_handle(&self) -> bool {
        false
    }
}

/// Detects `Option` and `Result`.
pub trait HasContents {
    /// Returns how to access the contents.
    fn contents(&self) -> Option<ContentsAccess>;
}

impl<T: 'static> HasContents for &Probe<Option<T>> {
    fn contents(&self) -> Option<ContentsAccess> {
        Some(ContentsAccess {
            id: TypeId::of::<T>,
            take: |value| Some(Box::new((*value.downcast::<Option<T>>().ok()?)?)),
            lend: |value| Some(value.downcast_ref::<Option<T>>()?.as_ref()?),
            lend_mut: |value| Some(value.downcast_mut::<Option<T>>()?.as_mut()?),
            opened: "",
        })
    }
}

impl<T: 'static, E: 'static> HasContents for &Probe<Result<T, E>> {
    fn contents(&self) -> Option<ContentsAccess> {
        Some(ContentsAccess {
            id: TypeId::of::<T>,
            take: |value| Some(Box::new((*value.downcast::<Result<T, E>>().ok()?).ok()?)),
            lend: |value| Some(value.downcast_ref::<Result<T, E>>()?.as_ref().ok()?),
            lend_mut: |value| Some(value.downcast_mut::<Result<T, E>>()?.as_mut().ok()?),
            opened: ".ok()",
        })
    }
}

/// Applies to all other types.
pub trait HasNoContents {
    /// Returns `None`.
    fn contents(&self) -> Option<ContentsAccess>;
}

impl<T> HasNoContents for Probe<T> {
    fn contents(&self) -> Option<ContentsAccess> {
        None
    }
}

/// Detects `Vec` and `Option`, which programs make from elements.
pub trait HasElements {
    /// Returns how to make a value from its elements.
    fn elements(&self) -> Option<ElementsAccess>;
}

/// Moves elements out of their boxes.
fn unboxed<T: 'static>(values: Vec<Value>) -> Option<Vec<T>> {
    values.into_iter().map(|value| value.downcast::<T>().ok().map(|value| *value)).collect()
}

impl<T: 'static> HasElements for &Probe<Vec<T>> {
    fn elements(&self) -> Option<ElementsAccess> {
        Some(ElementsAccess {
            id: TypeId::of::<T>,
            make: |values| Some(Box::new(unboxed::<T>(values)?)),
            is_optional: false,
        })
    }
}

impl<T: 'static> HasElements for &Probe<Option<T>> {
    fn elements(&self) -> Option<ElementsAccess> {
        Some(ElementsAccess {
            id: TypeId::of::<T>,
            make: |values| Some(Box::new(unboxed::<T>(values)?.pop())),
            is_optional: true,
        })
    }
}

/// Applies to all other types.
pub trait HasNoElements {
    /// Returns `None`.
    fn elements(&self) -> Option<ElementsAccess>;
}

impl<T> HasNoElements for Probe<T> {
    fn elements(&self) -> Option<ElementsAccess> {
        None
    }
}

/// A reference that a callback received.
pub struct Lend<R>(std::cell::Cell<Option<R>>);

impl<R> Lend<R> {
    /// Keeps the reference until `call_argument` takes it.
    pub fn new(reference: R) -> Lend<R> {
        Lend(std::cell::Cell::new(Some(reference)))
    }
}

impl<R> fmt::Debug for Lend<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lend")
    }
}

/// A trait object whose methods programs can call. `#[rebut::contract]` on a trait implements this.
pub trait Lendable {
    /// Borrows the object mutably.
    fn lend_mut(&mut self) -> Box<dyn Object + '_>;
    /// Borrows the object.
    fn lend_ref(&self) -> Box<dyn Object + '_>;
}

/// Detects references to a trait object whose methods programs can call.
pub trait IsLent<'a> {
    /// Returns the reference as an argument.
    fn call_argument(&self) -> CallArgument<'a>;
}

impl<'a, T: Lendable + ?Sized> IsLent<'a> for &Lend<&'a mut T> {
    fn call_argument(&self) -> CallArgument<'a> {
        self.0
            .take()
            .map_or(CallArgument::Nothing, |object| CallArgument::Object(object.lend_mut()))
    }
}

impl<'a, T: Lendable + ?Sized> IsLent<'a> for &Lend<&'a T> {
    fn call_argument(&self) -> CallArgument<'a> {
        self.0
            .take()
            .map_or(CallArgument::Nothing, |object| CallArgument::Object(object.lend_ref()))
    }
}

/// Applies to all other references.
pub trait IsNotLent {
    /// Returns [`CallArgument::Nothing`].
    fn call_argument(&self) -> CallArgument<'static>;
}

impl<R> IsNotLent for Lend<R> {
    fn call_argument(&self) -> CallArgument<'static> {
        CallArgument::Nothing
    }
}

/// Returns the conversion of `T` to and from integers, if `T` is a built-in integer of at most 64
/// bits.
#[must_use]
pub fn integer_conversion<T: 'static>() -> Option<IntegerConversion> {
    macro_rules! numbers {
        ($($name:ident)+) => {
            $(if TypeId::of::<T>() == TypeId::of::<$name>() {
                return Some(IntegerConversion {
                    read: |value| i128::try_from(*value.downcast_ref::<$name>()?).ok(),
                    make: |number| Some(Box::new($name::try_from(number).ok()?)),
                });
            })+
        };
    }
    numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
    None
}

/// Returns whether `T` is a string, or a list or an option of strings and built-in types: common types,
/// whose values a program need not generate again.
fn is_text_or_list<T: 'static>() -> bool {
    macro_rules! any {
        ($($element:ty)+) => {
            [$(
                TypeId::of::<Vec<$element>>(),
                TypeId::of::<Option<$element>>(),
                TypeId::of::<Option<Vec<$element>>>(),
            )+]
            .contains(&TypeId::of::<T>())
        };
    }
    TypeId::of::<T>() == TypeId::of::<String>()
        || any!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 bool char String)
}

/// Returns the description of `T` without the traits that only probes detect.
#[must_use]
pub fn plain<T: 'static>(name: &'static str, code: fn(&dyn Any) -> String) -> TypeInfo {
    TypeInfo {
        id: TypeId::of::<T>(),
        name,
        draw: None,
        clone: None,
        is_copy: false,
        is_text_or_list: is_text_or_list::<T>(),
        is_frozen: false,
        is_iterator: false,
        is_handle: false,
        code,
        integer: integer_conversion::<T>(),
        interface: None,
        cell: None,
        object: None,
        contents: None,
        elements: None,
        is_modeled: false,
        is_described: false,
    }
}
