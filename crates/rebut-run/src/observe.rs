//! What a probe tells of the values it sees, to whoever explores it.
//!
//! A probe calls the methods of a type and tells what each of them gives, part by part: numbers as
//! their bytes in the memory, where the host finds the expressions they are the values of;
//! sequences, tuples and variants as brackets around their parts. Which method of
//! [`Observed`] is called depends on the type: one that is [`Observe`], one of which at least is
//! known whether it holds something, one that is iterated over, or any other, of which nothing can
//! be told.

use std::any::type_name;
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use rebut_choice::host;

/// The parts of an observation, as the host knows them.
mod part {
    pub(super) const BEGIN: u32 = 0;
    pub(super) const UNSIGNED: u32 = 1;
    pub(super) const SIGNED: u32 = 2;
    pub(super) const BOOLEAN: u32 = 3;
    pub(super) const CHARACTER: u32 = 4;
    pub(super) const FLOAT: u32 = 5;
    pub(super) const SEQUENCE: u32 = 6;
    pub(super) const TEXT: u32 = 7;
    pub(super) const TUPLE: u32 = 8;
    pub(super) const VARIANT: u32 = 9;
    pub(super) const CLOSE: u32 = 10;
    pub(super) const OPAQUE: u32 = 11;
    pub(super) const TYPE: u32 = 12;
    pub(super) const ITERATED: u32 = 13;
    pub(super) const END: u32 = 14;
}

/// Whether anybody wants to know what is in a slot.
#[must_use]
pub fn is_wanted(slot: u32) -> bool {
    host::observes(slot)
}

/// A value follows, or the panic that is in its place.
pub fn begin(slot: u32) {
    host::observe(part::BEGIN | slot << 8, &[]);
}

fn told<T>(tell: impl FnOnce()) {
    host::observe(part::TYPE, type_name::<T>().as_bytes());
    tell();
    host::observe(part::END, &[]);
}

fn enclosed(kind: u32, name: &str, parts: impl FnOnce()) {
    host::observe(kind, name.as_bytes());
    parts();
    host::observe(part::CLOSE, &[]);
}

/// A value whose parts can be told.
pub trait Observe {
    /// Tells them.
    fn observe(&self);
}

macro_rules! numbers {
    ($kind:ident: $($type:ty)*) => {$(
        impl Observe for $type {
            fn observe(&self) {
                host::observe(part::$kind, &self.to_le_bytes());
            }
        }
    )*};
}

numbers!(UNSIGNED: u8 u16 u32 u64 u128 usize);
numbers!(SIGNED: i8 i16 i32 i64 i128 isize);
numbers!(FLOAT: f32 f64);

impl Observe for bool {
    fn observe(&self) {
        host::observe(part::BOOLEAN, &[u8::from(*self)]);
    }
}

impl Observe for char {
    fn observe(&self) {
        host::observe(part::CHARACTER, &u32::from(*self).to_le_bytes());
    }
}

impl Observe for str {
    fn observe(&self) {
        enclosed(part::TEXT, "", || self.bytes().for_each(|byte| byte.observe()));
    }
}

impl Observe for String {
    fn observe(&self) {
        self.as_str().observe();
    }
}

impl<T: Observe> Observe for [T] {
    fn observe(&self) {
        enclosed(part::SEQUENCE, "", || self.iter().for_each(Observe::observe));
    }
}

impl<T: Observe> Observe for Vec<T> {
    fn observe(&self) {
        self.as_slice().observe();
    }
}

impl<T: Observe, const N: usize> Observe for [T; N] {
    fn observe(&self) {
        self.as_slice().observe();
    }
}

impl<T: Observe> Observe for VecDeque<T> {
    fn observe(&self) {
        enclosed(part::SEQUENCE, "", || self.iter().for_each(Observe::observe));
    }
}

impl<T: Observe> Observe for BTreeSet<T> {
    fn observe(&self) {
        enclosed(part::SEQUENCE, "", || self.iter().for_each(Observe::observe));
    }
}

impl<K: Observe, V: Observe> Observe for BTreeMap<K, V> {
    fn observe(&self) {
        enclosed(part::SEQUENCE, "", || self.iter().for_each(|entry| entry.observe()));
    }
}

impl<T: Observe> Observe for Option<T> {
    fn observe(&self) {
        match self {
            Some(value) => enclosed(part::VARIANT, "Some", || value.observe()),
            None => enclosed(part::VARIANT, "None", || {}),
        }
    }
}

impl<T: Observe, E: Observe> Observe for Result<T, E> {
    fn observe(&self) {
        match self {
            Ok(value) => enclosed(part::VARIANT, "Ok", || value.observe()),
            Err(error) => enclosed(part::VARIANT, "Err", || error.observe()),
        }
    }
}

impl Observe for Ordering {
    fn observe(&self) {
        let name = match self {
            Ordering::Less => "Less",
            Ordering::Equal => "Equal",
            Ordering::Greater => "Greater",
        };
        enclosed(part::VARIANT, name, || {});
    }
}

macro_rules! pointers {
    ($($type:ty)*) => {$(
        impl<T: Observe + ?Sized> Observe for $type {
            fn observe(&self) {
                T::observe(self);
            }
        }
    )*};
}

pointers!(&T &mut T Box<T> Rc<T> Arc<T>);

macro_rules! tuples {
    ($(($($part:ident)*))*) => {$(
        impl<$($part: Observe),*> Observe for ($($part,)*) {
            #[expect(non_snake_case, reason = "types and values have the same names")]
            fn observe(&self) {
                let ($($part,)*) = self;
                enclosed(part::TUPLE, "", || { $($part.observe();)* });
            }
        }
    )*};
}

impl Observe for () {
    fn observe(&self) {
        enclosed(part::TUPLE, "", || {});
    }
}

tuples!((A)(A B)(A B C)(A B C D));

/// A value that is told and then dropped.
pub struct Observed<T>(Cell<Option<T>>);

impl<T> fmt::Debug for Observed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observed")
    }
}

impl<T> Observed<T> {
    /// A value.
    pub fn new(value: T) -> Observed<T> {
        Observed(Cell::new(Some(value)))
    }
}

/// The ways to tell of a value: imported all at once, because which is used depends on its type.
pub mod how {
    pub use super::{Any, Iterated, Variant, Whole, WithError};
}

/// Values that can be told as they are.
pub trait Whole {
    /// Tells it.
    fn observe(&self);
}

impl<T: Observe> Whole for &&&&Observed<T> {
    fn observe(&self) {
        if let Some(value) = self.0.take() {
            told::<T>(|| value.observe());
        }
    }
}

/// Results with an error of which nothing can be told.
pub trait WithError {
    /// Tells it, and of the error that it is one.
    fn observe(&self);
}

impl<T: Observe, E> WithError for &&&Observed<Result<T, E>> {
    fn observe(&self) {
        let Some(value) = self.0.take() else { return };
        told::<Result<T, E>>(|| match value {
            Ok(value) => enclosed(part::VARIANT, "Ok", || value.observe()),
            Err(_) => enclosed(part::VARIANT, "Err", || {}),
        });
    }
}

/// Values of which only is told whether they hold something, because nothing is known of that.
pub trait Variant {
    /// Tells that.
    fn observe(&self);
}

/// The name of the variant that a value is.
pub trait Named {
    /// The name.
    fn name(&self) -> &'static str;
}

impl<T> Named for Option<T> {
    fn name(&self) -> &'static str {
        if self.is_some() { "Some" } else { "None" }
    }
}

impl<T, E> Named for Result<T, E> {
    fn name(&self) -> &'static str {
        if self.is_ok() { "Ok" } else { "Err" }
    }
}

impl<T: Named> Variant for &&Observed<T> {
    fn observe(&self) {
        if let Some(value) = self.0.take() {
            told::<T>(|| enclosed(part::VARIANT, value.name(), || {}));
        }
    }
}

/// Values that are told by what they run through.
pub trait Iterated {
    /// Tells it.
    fn observe(&self);
}

impl<T: Iterator> Iterated for &Observed<T>
where
    T::Item: Observe,
{
    fn observe(&self) {
        let Some(values) = self.0.take() else { return };
        told::<T>(|| {
            enclosed(part::ITERATED, type_name::<T::Item>(), || {
                values.for_each(|value| value.observe());
            });
        });
    }
}

/// Values of which nothing can be told.
pub trait Any {
    /// Says that.
    fn observe(&self);
}

impl<T> Any for Observed<T> {
    fn observe(&self) {
        told::<T>(|| host::observe(part::OPAQUE, &[]));
    }
}
