//! Types as specifications of the input language.
//!
//! A type says which inputs are legal in its own way. Written as a program of the input
//! language, it can be refined by hand, and `cargo rebut generate` finds inputs of which any
//! two are different as asked. Nothing is found here: this is text.

use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;

/// A type that can be written as a specification. Usually derived.
///
/// # Examples
/// A type of one's own whose values are texts of a form:
/// ```
/// use rebut::{Specify, specification};
///
/// struct Hour(u8);
/// impl Specify for Hour {
///     fn declare(name: &str, text: &mut String) {
///         text.push_str(&format!("(declare {name} ?(Integer 0 23))\n"));
///     }
/// }
/// assert!(specification::<Vec<Hour>>("hours").contains("(Integer 0 23)"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a specification",
    label = "there is no blank of the input language for this type",
    note = "if the type is yours, add `#[derive(rebut::Specify)]` to it, or implement `rebut::Specify`"
)]
pub trait Specify {
    /// Adds the statements that declare a blank with this name.
    fn declare(name: &str, text: &mut String);
}

/// The specification of a type, as a program of the input language whose one blank has this
/// name. Write it to a file, for `cargo rebut generate` to read; put what types cannot say
/// into another file, which imports it.
///
/// # Examples
/// ```
/// use rebut::specification;
/// assert_eq!(specification::<Option<u8>>("age"), "\
/// (declare age--some ?(Integer 0 255))
/// (declare age ?(Option age--some))
/// (generate age 10 (output age))
/// ");
/// ```
#[must_use]
pub fn specification<T: Specify>(name: &str) -> String {
    let mut text = String::new();
    T::declare(name, &mut text);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "(generate {name} 10 (output {name}))");
    text
}

/// A blank whose type has a name.
fn declare_as(name: &str, kind: &str, text: &mut String) {
    let _ = writeln!(text, "(declare {name} ?{kind})");
}

/// For the code that macros make: the name of a part.
#[doc(hidden)]
#[must_use]
pub fn specified_part(name: &str, part: &str) -> String {
    format!("{name}--{part}")
}

/// For the code that macros make: an object whose parts are declared already.
#[doc(hidden)]
pub fn specified_object(name: &str, parts: &[&str], text: &mut String) {
    declare_as(name, "Object", text);
    let _ = write!(text, "(specify {name}");
    for part in parts {
        let _ = write!(text, "\n  (with {part} ?{})", specified_part(name, part));
    }
    text.push_str(")\n");
}

/// For the code that macros make: one of these names.
#[doc(hidden)]
pub fn specified_enum(name: &str, names: &[&str], text: &mut String) {
    let mut kind = "(Enum".to_owned();
    for one in names {
        kind.push(' ');
        kind.push_str(one);
    }
    kind.push(')');
    declare_as(name, &kind, text);
}

/// For the code that macros make: what holds for a blank.
#[doc(hidden)]
pub fn specified_assertion(name: &str, assertion: &str, text: &mut String) {
    let _ = writeln!(text, "(specify {name} {assertion})");
}

/// For the code that macros make: a text of the input language.
#[doc(hidden)]
#[must_use]
pub fn specified_text(written: &str) -> String {
    format!("\"{}\"", written.replace('\\', "\\\\").replace('"', "\\\""))
}

macro_rules! named {
    ($($type:ty, $kind:literal;)*) => {$(
        impl Specify for $type {
            fn declare(name: &str, text: &mut String) {
                declare_as(name, $kind, text);
            }
        }
    )*};
}
named! {
    bool, "Boolean";
    i32, "Integer";
    i64, "Long";
    f32, "Real";
    f64, "Real";
    String, "String";
    Box<str>, "String";
    Rc<str>, "String";
    Arc<str>, "String";
}

macro_rules! bounded {
    ($($type:ident)*) => {$(
        impl Specify for $type {
            fn declare(name: &str, text: &mut String) {
                declare_as(name, &format!("(Integer {} {})", $type::MIN, $type::MAX), text);
            }
        }
    )*};
}
bounded!(i8 i16 isize u8 u16 u32 u64 usize);

impl Specify for char {
    fn declare(name: &str, text: &mut String) {
        declare_as(name, "String", text);
        specified_assertion(name, "(has-length 1)", text);
    }
}

impl<T: Specify> Specify for Option<T> {
    fn declare(name: &str, text: &mut String) {
        let inner = specified_part(name, "some");
        T::declare(&inner, text);
        declare_as(name, &format!("(Option {inner})"), text);
    }
}

impl<T: Specify> Specify for Vec<T> {
    fn declare(name: &str, text: &mut String) {
        let item = specified_part(name, "item");
        T::declare(&item, text);
        declare_as(name, &format!("(List {item})"), text);
    }
}

impl<T: Specify, const N: usize> Specify for [T; N] {
    fn declare(name: &str, text: &mut String) {
        let item = specified_part(name, "item");
        T::declare(&item, text);
        declare_as(name, &format!("(List {item} {N} {N})"), text);
    }
}

macro_rules! pointer {
    ($($type:ident)*) => {$(
        impl<T: Specify> Specify for $type<T> {
            fn declare(name: &str, text: &mut String) {
                T::declare(name, text);
            }
        }
    )*};
}
pointer!(Box Rc Arc);
