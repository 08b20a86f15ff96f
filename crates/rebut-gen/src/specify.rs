//! Writing types as specifications in the input language.
//!
//! A specification that is derived from a type can be refined by hand. `cargo rebut generate` then
//! finds valid, different inputs. This module only writes the specification.

use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;

/// Writes a type as a specification in the input language.
///
/// Usually derived: `#[derive(rebut::Specify)]`. [`specification`] returns the whole specification.
///
/// # Examples
/// ```
/// use rebut::{Specify, specification};
///
/// struct Hour(u8);
///
/// impl Specify for Hour {
///     fn declare(name: &str, text: &mut String) {
///         text.push_str(&format!("(declare {name} ?(Integer 0 23))\n"));
///     }
/// }
/// assert!(specification::<Vec<Hour>>("hours").contains("(Integer 0 23)"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as a specification",
    label = "the input language has no blank for this type",
    note = "if the type is yours, add `#[derive(rebut::Specify)]` to it, or implement `rebut::Specify`"
)]
pub trait Specify {
    /// Appends the statements that declare a blank with this name.
    ///
    /// # Examples
    /// ```
    /// use rebut::Specify;
    ///
    /// let mut text = String::new();
    /// u8::declare("age", &mut text);
    /// assert_eq!(text, "(declare age ?(Integer 0 255))\n");
    /// ```
    fn declare(name: &str, text: &mut String);
}

/// Returns the specification of a type, with one blank of the given name.
///
/// Write it to a file for `cargo rebut generate`. Put further conditions into another file that
/// imports this one.
///
/// # Examples
/// ```
/// use rebut::specification;
///
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

/// Declares a blank of a type of the input language.
fn declare_as(name: &str, kind: &str, text: &mut String) {
    let _ = writeln!(text, "(declare {name} ?{kind})");
}

/// Returns the name of the blank for a part. For generated code.
#[doc(hidden)]
#[must_use]
pub fn specified_part(name: &str, part: &str) -> String {
    format!("{name}--{part}")
}

/// Declares an object whose parts are already declared. For generated code.
#[doc(hidden)]
pub fn specified_object(name: &str, parts: &[&str], text: &mut String) {
    declare_as(name, "Object", text);
    let _ = write!(text, "(specify {name}");
    for part in parts {
        let _ = write!(text, "\n  (with {part} ?{})", specified_part(name, part));
    }
    text.push_str(")\n");
}

/// Declares an enum with these names. For generated code.
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

/// Appends an assertion about a blank. For generated code.
#[doc(hidden)]
pub fn specified_assertion(name: &str, assertion: &str, text: &mut String) {
    let _ = writeln!(text, "(specify {name} {assertion})");
}

/// Returns a string literal of the input language. For generated code.
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
