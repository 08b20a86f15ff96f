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
use rebut_protocol::wasm::ObservationPart;

/// Returns whether the host observes this slot.
#[must_use]
pub fn is_wanted(slot: u32) -> bool {
    host::observes(slot)
}

/// Begins the observation of a slot: a value follows, or a panic.
pub fn begin(slot: u32) {
    host::observe(ObservationPart::Begin, slot, &[]);
}

fn observed<T>(parts: impl FnOnce()) {
    host::observe(ObservationPart::Type, 0, type_name::<T>().as_bytes());
    parts();
    host::observe(ObservationPart::End, 0, &[]);
}

fn enclosed(part: ObservationPart, name: &str, parts: impl FnOnce()) {
    host::observe(part, 0, name.as_bytes());
    parts();
    host::observe(ObservationPart::Close, 0, &[]);
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
                host::observe(ObservationPart::$kind, 0, &self.to_le_bytes());
            }
        }
    )*};
}

numbers!(Unsigned: u8 u16 u32 u64 u128 usize);
numbers!(Signed: i8 i16 i32 i64 i128 isize);
numbers!(Float: f32 f64);

impl Observe for bool {
    fn observe(&self) {
        host::observe(ObservationPart::Boolean, 0, &[u8::from(*self)]);
    }
}

impl Observe for char {
    fn observe(&self) {
        host::observe(ObservationPart::Character, 0, &u32::from(*self).to_le_bytes());
    }
}

impl Observe for str {
    fn observe(&self) {
        enclosed(ObservationPart::Text, "", || self.bytes().for_each(|byte| byte.observe()));
    }
}

impl Observe for String {
    fn observe(&self) {
        self.as_str().observe();
    }
}

impl<T: Observe> Observe for [T] {
    fn observe(&self) {
        enclosed(ObservationPart::Sequence, "", || self.iter().for_each(Observe::observe));
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
        enclosed(ObservationPart::Sequence, "", || self.iter().for_each(Observe::observe));
    }
}

impl<T: Observe> Observe for BTreeSet<T> {
    fn observe(&self) {
        enclosed(ObservationPart::Sequence, "", || self.iter().for_each(Observe::observe));
    }
}

impl<K: Observe, V: Observe> Observe for BTreeMap<K, V> {
    fn observe(&self) {
        enclosed(ObservationPart::Sequence, "", || self.iter().for_each(|entry| entry.observe()));
    }
}

impl<T: Observe> Observe for Option<T> {
    fn observe(&self) {
        match self {
            Some(value) => enclosed(ObservationPart::Variant, "Some", || value.observe()),
            None => enclosed(ObservationPart::Variant, "None", || {}),
        }
    }
}

impl<T: Observe, E: Observe> Observe for Result<T, E> {
    fn observe(&self) {
        match self {
            Ok(value) => enclosed(ObservationPart::Variant, "Ok", || value.observe()),
            Err(error) => enclosed(ObservationPart::Variant, "Err", || error.observe()),
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
        enclosed(ObservationPart::Variant, name, || {});
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
                enclosed(ObservationPart::Tuple, "", || { $($part.observe();)* });
            }
        }
    )*};
}

impl Observe for () {
    fn observe(&self) {
        enclosed(ObservationPart::Tuple, "", || {});
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
            Ok(value) => enclosed(ObservationPart::Variant, "Ok", || value.observe()),
            Err(_) => enclosed(ObservationPart::Variant, "Err", || {}),
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
            observed::<T>(|| enclosed(ObservationPart::Variant, value.name(), || {}));
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
            enclosed(ObservationPart::Iterated, type_name::<T::Item>(), || {
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
        observed::<T>(|| host::observe(ObservationPart::Opaque, 0, &[]));
    }
}
