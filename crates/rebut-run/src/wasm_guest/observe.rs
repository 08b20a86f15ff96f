//! Reports the values that a probe observes to the host.
//!
//! A probe calls the methods of a type and reports each result, part by part: numbers as their
//! bytes in memory, where the host finds the expressions that they are the values of; sequences,
//! tuples and variants as brackets around their parts. The method of [`Observed`] depends on the
//! type: one that is [`Observe`], one whose variant at least is known, one that can be iterated
//! over, or any other, of which nothing can be reported.

use std::any::type_name;
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use rebut_choice::host;

/// The codes of the parts of an observation, as the host defines them.
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

/// Returns whether the host observes this slot.
#[must_use]
pub fn is_wanted(slot: u32) -> bool {
    host::observes(slot)
}

/// Begins the observation of a slot: a value follows, or a panic.
pub fn begin(slot: u32) {
    host::observe(part::BEGIN | slot << 8, &[]);
}

fn observed<T>(parts: impl FnOnce()) {
    host::observe(part::TYPE, type_name::<T>().as_bytes());
    parts();
    host::observe(part::END, &[]);
}

fn enclosed(kind: u32, name: &str, parts: impl FnOnce()) {
    host::observe(kind, name.as_bytes());
    parts();
    host::observe(part::CLOSE, &[]);
}

/// A value whose parts can be reported.
pub trait Observe {
    /// Reports the parts.
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

/// A value that is reported and then dropped.
pub struct Observed<T>(Cell<Option<T>>);

impl<T> fmt::Debug for Observed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observed")
    }
}

impl<T> Observed<T> {
    /// Wraps a value.
    pub fn new(value: T) -> Observed<T> {
        Observed(Cell::new(Some(value)))
    }
}

/// The ways to report a value: imported all at once, because the type decides which is used.
pub mod how {
    pub use super::{Any, Iterated, Variant, Whole, WithError};
}

/// Values that can be reported as a whole.
pub trait Whole {
    /// Reports the value.
    fn observe(&self);
}

impl<T: Observe> Whole for &&&&Observed<T> {
    fn observe(&self) {
        if let Some(value) = self.0.take() {
            observed::<T>(|| value.observe());
        }
    }
}

/// Results with an error of which nothing can be reported.
pub trait WithError {
    /// Reports the result, without the content of an error.
    fn observe(&self);
}

impl<T: Observe, E> WithError for &&&Observed<Result<T, E>> {
    fn observe(&self) {
        let Some(value) = self.0.take() else { return };
        observed::<Result<T, E>>(|| match value {
            Ok(value) => enclosed(part::VARIANT, "Ok", || value.observe()),
            Err(_) => enclosed(part::VARIANT, "Err", || {}),
        });
    }
}

/// Values of which only the variant can be reported, because nothing is known of its content.
pub trait Variant {
    /// Reports the variant.
    fn observe(&self);
}

/// A value with a known variant.
pub trait Named {
    /// Returns the name of the variant.
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
            observed::<T>(|| enclosed(part::VARIANT, value.name(), || {}));
        }
    }
}

/// Values that are reported by iterating over them.
pub trait Iterated {
    /// Reports the items.
    fn observe(&self);
}

impl<T: Iterator> Iterated for &Observed<T>
where
    T::Item: Observe,
{
    fn observe(&self) {
        let Some(values) = self.0.take() else { return };
        observed::<T>(|| {
            enclosed(part::ITERATED, type_name::<T::Item>(), || {
                values.for_each(|value| value.observe());
            });
        });
    }
}

/// Values of which nothing can be reported.
pub trait Any {
    /// Reports that the value is opaque.
    fn observe(&self);
}

impl<T> Any for Observed<T> {
    fn observe(&self) {
        observed::<T>(|| host::observe(part::OPAQUE, &[]));
    }
}
