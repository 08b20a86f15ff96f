//! References inside of other types, such as `Vec<&str>`.
//!
//! The lifetime of such a reference is any lifetime, so its value is never freed. A parameter that
//! is a reference itself borrows a local variable of its case instead.
//!
//! The road not taken: values that are freed when their case ends. They need a second trait with a
//! lifetime, which every derived and every other type would have to implement too. The price is
//! small: 100,000 cases of a `Vec<&str>` keep 84 MB, of which 52 MB are text. Equal values are not
//! shared, because that would save only one byte of text in twenty.

use std::ffi::{CStr, OsStr};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rebut_choice::Source;

use crate::code::is_constant;
use crate::{Code, Generate, ToCode};

/// The bytes that are never freed, in this process.
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// The maximum of [`KEPT`]. It is a quarter of the default memory limit of a child process, and
/// enough for a million cases of a `Vec<&str>`.
const KEPT_MAX: usize = 1 << 30;

/// Bytes that an allocator uses for each allocation, on average.
const ALLOCATION_BYTES: usize = 16;

/// Bytes on the heap for each choice of a value that owns memory. It is an estimate: most choices
/// become a number of at most eight bytes.
const CHOICE_BYTES: usize = 8;

/// Why a case is rejected that would exceed the maximum.
#[doc(hidden)]
pub const REFERENCES_FULL: &str = "references in generated values use 1 GiB, which is never freed; \
     generate owned values, such as `String` for `&str`";

/// Counts a value that is about to be leaked. Rejects the case if too much was leaked before.
fn keep(source: &mut Source, bytes: usize) {
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        // Exploration would fork at the comparison. It frees everything after each case.
        return;
    }
    let kept = KEPT.load(Ordering::Relaxed);
    let bytes = if bytes > 0 { bytes.saturating_add(ALLOCATION_BYTES) } else { 0 };
    if kept.saturating_add(bytes) > KEPT_MAX {
        source.reject(REFERENCES_FULL);
    }
    KEPT.store(kept + bytes, Ordering::Relaxed);
}

/// Generates a value that will be leaked. `E` is the type of its elements, or its own type.
pub(super) fn kept<T: Generate, E>(source: &mut Source, size: impl FnOnce(&T) -> usize) -> T {
    let before = source.len();
    let value = T::generate(source);
    let choices = if std::mem::needs_drop::<E>() { source.len() - before } else { 0 };
    keep(source, size(&value).saturating_add(choices.saturating_mul(CHOICE_BYTES)));
    value
}

/// Leaks a value that a generator with bounds generated for a reference.
#[doc(hidden)]
pub fn lend<'a, T: ?Sized>(source: &mut Source, value: Box<T>) -> &'a mut T {
    keep(source, size_of_val(&*value));
    Box::leak(value)
}

impl<'a, T: Generate + 'a> Generate for &'a mut T {
    fn generate(source: &mut Source) -> &'a mut T {
        Box::leak(Box::new(kept::<T, T>(source, |_| size_of::<T>())))
    }

    fn is_single() -> bool {
        T::is_single()
    }

    fn has_values() -> bool {
        T::has_values()
    }
}

impl<'a, T: Generate + 'a> Generate for &'a T {
    fn generate(source: &mut Source) -> &'a T {
        <&mut T>::generate(source)
    }

    fn is_single() -> bool {
        T::is_single()
    }

    fn has_values() -> bool {
        T::has_values()
    }
}

/// Implements references to a type without a size, by leaking its boxed form.
macro_rules! unsized_reference {
    ($($type:ty, $element:ty $(, <$parameter:ident>)?;)*) => {$(
        impl<'a $(, $parameter: Generate + 'a)?> Generate for &'a mut $type {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                // The boxed form has no unused capacity.
                Box::leak(kept::<Box<$type>, $element>(source, |value| size_of_val(&**value)))
            }
        }

        impl<'a $(, $parameter: Generate + 'a)?> Generate for &'a $type {
            #[inline]
            fn generate(source: &mut Source) -> Self {
                <&mut $type>::generate(source)
            }
        }
    )*};
}
unsized_reference! {
    [T], T, <T>;
    str, u8;
    Path, u8;
    OsStr, u8;
    CStr, u8;
}

/// The value of `&1` is a constant and lives forever. Other values only live as long as the
/// expression, unless they are leaked.
impl<T: ToCode> ToCode for &T {
    fn to_code(&self, code: &mut Code) {
        write(code, &Code::of(*self));
    }
}

impl<T: ToCode> ToCode for &[T] {
    fn to_code(&self, code: &mut Code) {
        let list = Code::of(*self);
        if is_constant(&list) {
            // The type of `&[1]` would be that of an array where nothing demands a slice.
            code.format(format_args!("&{list}[..]"));
        } else {
            code.format(format_args!("&*vec!{list}.leak()"));
        }
    }
}

impl<T: ToCode> ToCode for &mut T {
    fn to_code(&self, code: &mut Code) {
        code.push("Box::leak(");
        code.call("Box::new", &[&**self]);
        code.push(")");
    }
}

impl<T: ToCode> ToCode for &mut [T] {
    fn to_code(&self, code: &mut Code) {
        code.push("vec!");
        (**self).to_code(code);
        code.push(".leak()");
    }
}

impl ToCode for &mut str {
    #[inline]
    fn to_code(&self, code: &mut Code) {
        (**self).to_code(code);
        code.push(".to_string().leak()");
    }
}

/// Separate, so that it is compiled once and not for each type.
fn write(code: &mut Code, value: &str) {
    if is_constant(value) {
        code.format(format_args!("&{value}"));
    } else {
        code.format(format_args!("&*Box::leak(Box::new({value}))"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use crate::testing::replays;
    use std::collections::HashMap;

    #[test]
    fn references_are_drawn_inside_of_other_types() {
        replays(&any::<(Vec<&str>, Option<&[u8]>, Box<&String>)>());
        replays(&any::<HashMap<&str, Vec<&[u8]>>>());
        replays(&any::<(&mut Vec<u8>, &mut [u8], &mut str, &&u8)>());
        replays(&any::<(&Path, &OsStr, &CStr, &'static str)>());
    }

    #[test]
    fn references_to_constants_are_literals_and_others_are_leaked() {
        assert_eq!(Code::of(&&1), "&1");
        assert_eq!(Code::of(&vec!["a"]), "vec![\"a\"]");
        assert_eq!(Code::of(&&[1u8, 2][..]), "&[1, 2][..]");
        assert_eq!(Code::of(&&vec![1]), "&*Box::leak(Box::new(vec![1]))");
        assert_eq!(Code::of(&&["a".to_string()][..]), "&*vec![\"a\".to_string()].leak()");
        assert_eq!(Code::of(&&mut 1), "Box::leak(Box::new(1))");
        assert_eq!(Code::of(&&mut [1u8][..]), "vec![1].leak()");
    }

    #[test]
    fn kept_memory_is_counted() {
        let before = KEPT.load(Ordering::Relaxed);
        let text: &str = crate::testing::from_tape(&any(), "(s1 i2 c104 c105 )");
        assert!(text.len() == 2 && KEPT.load(Ordering::Relaxed) >= before + 2);
    }
}
