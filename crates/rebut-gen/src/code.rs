//! Printing values as Rust code.
//!
//! An expression uses full paths for everything outside of the prelude, and leaves types to
//! inference. It compiles wherever the type is known: as an argument, a field, or the right side of
//! a `let` with a type.
//!
//! # Examples
//! ```
//! use rebut::Code;
//!
//! let time = std::time::Duration::from_secs(5);
//! assert_eq!(Code::of(&Some(time)), "Some(std::time::Duration::from_secs(5))");
//! ```

pub(crate) mod collections;
mod constants;
mod debug;
mod later;
mod noted;
mod scalars;

pub(crate) use constants::is_constant;
pub use debug::{CUT, drop_safely, is_printing_debug};
pub use later::{forget, resolve};
pub use noted::{Noted, collect_notes, note_name};

use std::fmt::{self, Write as _};

/// Prints a value as a Rust expression that constructs it.
///
/// `#[derive(Generate)]` includes it. Reports print a value without it by its `Debug`
/// implementation.
///
/// # Examples
/// ```
/// use rebut::{Code, ToCode};
///
/// struct Meters(f64);
///
/// impl ToCode for Meters {
///     fn to_code(&self, code: &mut Code) {
///         code.call("Meters", &[&self.0]);
///     }
/// }
/// assert_eq!(Code::of(&Meters(1.0)), "Meters(1.0)");
/// ```
pub trait ToCode {
    /// Writes the expression.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Code, ToCode};
    ///
    /// let mut code = Code::default();
    /// Some('x').to_code(&mut code);
    /// assert_eq!(code.into_text(), "Some('x')");
    /// ```
    fn to_code(&self, code: &mut Code);
}

/// A buffer for Rust code.
///
/// # Examples
/// ```
/// use rebut::Code;
///
/// let mut code = Code::default();
/// code.call("Point::new", &[&1, &-2.5]);
/// assert_eq!(code.into_text(), "Point::new(1, -2.5)");
/// ```
#[derive(Debug, Default)]
pub struct Code {
    text: String,
    types: Vec<TypeNote>,
    /// The range of the last [operand](Code::operand).
    operand: Option<(usize, usize)>,
}

/// A type in some code, with what decides whether the code compiles somewhere else.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeNote {
    /// The kind of the note.
    pub kind: TypeNoteKind,
    /// The name of the type.
    pub type_name: String,
    /// The path of a module; see [`TypeNoteKind`].
    pub module: String,
    /// The path of the module inside of which the type is visible; empty if it is everywhere.
    pub visible_in: String,
}

/// A fact about a type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeNoteKind {
    /// The code names the type, which is in the module.
    Named,
    /// The name of the type may be unknown at the property.
    OutOfScope,
    /// The fields are private to the module and all modules in it.
    PrivateFields,
    /// The value is printed by `Debug`, which need not be code.
    OnlyDebug,
}

impl Code {
    /// Returns the expression that constructs `value`.
    ///
    /// # Examples
    /// ```
    /// use rebut::Code;
    ///
    /// assert_eq!(Code::of(&vec![Some(1), None]), "vec![Some(1), None]");
    /// assert_eq!(Code::of(&f64::NAN), "f64::NAN");
    /// ```
    #[must_use]
    pub fn of(value: &(impl ToCode + ?Sized)) -> String {
        let mut code = Code::default();
        value.to_code(&mut code);
        noted::emit(&code.types);
        code.into_text()
    }

    /// Returns the code as a string.
    ///
    /// # Examples
    /// ```
    /// use rebut::Code;
    ///
    /// assert_eq!(Code::default().into_text(), "");
    /// ```
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    /// Notes that a type has private fields. `levels` is the number of outer modules of `module`
    /// that can name them too.
    #[doc(hidden)]
    #[inline(never)]
    pub fn note_private_fields(&mut self, type_name: &str, module: &str, levels: usize) {
        let mut parts: Vec<&str> = module.split("::").collect();
        parts.truncate(parts.len().saturating_sub(levels).max(1));
        self.note(TypeNoteKind::PrivateFields, type_name, &parts.join("::"), "");
    }

    /// Notes that the code names a type of a module. `levels` is the number of outer modules of
    /// `module` in which the type is visible too; `None` if it is visible everywhere.
    #[doc(hidden)]
    #[inline(never)]
    pub fn note_type(&mut self, type_name: &str, module: &str, levels: Option<usize>) {
        let mut parts: Vec<&str> = module.split("::").collect();
        let visible_in = levels.map_or(String::new(), |levels| {
            parts.truncate(parts.len().saturating_sub(levels).max(1));
            parts.join("::")
        });
        self.note(TypeNoteKind::Named, type_name, module, &visible_in);
    }

    fn note(&mut self, kind: TypeNoteKind, type_name: &str, module: &str, visible_in: &str) {
        let (type_name, module) = (type_name.to_owned(), module.to_owned());
        let note = TypeNote { kind, type_name, module, visible_in: visible_in.to_owned() };
        if !self.types.contains(&note) {
            self.types.push(note);
        }
    }

    /// Ends a field of a derived type: an [operand](Code::operand) needs no parentheses there.
    #[doc(hidden)]
    #[inline(never)]
    pub fn end_field(&mut self) {
        if let Some((start, end)) = self.operand
            && end == self.text.len()
            && self.text[..start].ends_with(['(', ' '])
        {
            self.open_operand(start);
        }
    }

    /// Returns the code of a value as an element of a list, and does not append it.
    fn text_of(&mut self, value: &dyn ToCode) -> String {
        let begin = self.text.len();
        value.to_code(self);
        self.open_operand(begin);
        self.operand = None;
        self.text.split_off(begin)
    }

    /// Returns what was noted about types, and forgets it.
    #[doc(hidden)]
    pub fn take_types(&mut self) -> Vec<TypeNote> {
        std::mem::take(&mut self.types)
    }

    /// Returns the code as the right side of a `let` or as an element of a list, where an
    /// [operand](Code::operand) needs no parentheses.
    #[doc(hidden)]
    #[must_use]
    pub fn into_element(mut self) -> String {
        self.open_operand(0);
        self.text
    }

    /// Appends an expression with an operator, in parentheses. They are omitted where the compiler
    /// would warn about them.
    pub(crate) fn operand(&mut self, write: impl FnOnce(&mut Code)) {
        let start = self.text.len();
        self.push("(");
        write(self);
        self.push(")");
        self.operand = Some((start, self.text.len()));
    }

    /// Removes the parentheses, if all code from `start` is one operand.
    fn open_operand(&mut self, start: usize) {
        if self.operand == Some((start, self.text.len())) {
            self.text.pop();
            self.text.remove(start);
        }
    }

    /// Appends a string.
    ///
    /// # Examples
    /// ```
    /// use rebut::Code;
    ///
    /// let mut code = Code::default();
    /// code.push("Vec::");
    /// code.push("new()");
    /// assert_eq!(code.into_text(), "Vec::new()");
    /// ```
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends a formatted string.
    ///
    /// # Examples
    /// ```
    /// use rebut::Code;
    ///
    /// let mut code = Code::default();
    /// code.format(format_args!("{:#x}", 255));
    /// assert_eq!(code.into_text(), "0xff");
    /// ```
    pub fn format(&mut self, arguments: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(arguments);
    }

    /// Appends values, separated by commas.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Code, ToCode};
    ///
    /// let mut code = Code::default();
    /// code.list([&1 as &dyn ToCode, &'x']);
    /// assert_eq!(code.into_text(), "1, 'x'");
    /// ```
    pub fn list<'a>(&mut self, values: impl IntoIterator<Item = &'a dyn ToCode>) {
        for (n, value) in values.into_iter().enumerate() {
            if n > 0 {
                self.push(", ");
            }
            let start = self.text.len();
            value.to_code(self);
            self.open_operand(start);
        }
    }

    /// Appends a call: `function(a, b)`.
    ///
    /// # Examples
    /// ```
    /// use rebut::Code;
    ///
    /// let mut code = Code::default();
    /// code.call("i32::max", &[&1, &2]);
    /// assert_eq!(code.into_text(), "i32::max(1, 2)");
    /// ```
    pub fn call(&mut self, function: &str, arguments: &[&dyn ToCode]) {
        self.push(function);
        self.push("(");
        self.list(arguments.iter().copied());
        self.push(")");
    }
}

/// A wrapper that prints a value of any type. Generated code uses it.
///
/// `(&&&Shown(&value)).show()` uses [`ToCode`] if the type implements it, otherwise `Debug`, and
/// otherwise a comment: method lookup prefers the implementation with the fewest dereferences.
/// `write` appends the same to a [`Code`].
///
/// # Examples
/// ```
/// use rebut::__private::{ShowCode as _, ShowDebug as _, ShowNothing as _, Shown};
///
/// #[derive(Debug)]
/// struct OnlyDebug(u8);
///
/// assert_eq!((&&&Shown(&"a".to_string())).show(), "\"a\".to_string()");
/// assert_eq!((&&&Shown(&OnlyDebug(1))).show(), "OnlyDebug(1)");
/// ```
#[derive(Debug)]
pub struct Shown<'a, T: ?Sized>(pub &'a T);

/// Prints a value that implements [`ToCode`]; see [`Shown`].
///
/// # Examples
/// ```
/// use rebut::__private::{ShowCode, Shown};
///
/// assert_eq!((&&&Shown(&'x')).show(), "'x'");
/// ```
pub trait ShowCode {
    /// Appends the value as Rust code.
    ///
    /// # Examples
    /// ```
    /// use rebut::Code;
    /// use rebut::__private::{ShowCode, Shown};
    ///
    /// let mut code = Code::default();
    /// (&&&Shown(&1)).write(&mut code);
    /// assert_eq!(code.into_text(), "1");
    /// ```
    fn write(&self, code: &mut Code);

    /// Returns the value as Rust code.
    ///
    /// # Examples
    /// ```
    /// use rebut::__private::{ShowCode, Shown};
    ///
    /// assert_eq!((&&&Shown(&Some(1))).show(), "Some(1)");
    /// ```
    fn show(&self) -> String;
}

impl<T: ToCode + ?Sized> ShowCode for &&Shown<'_, T> {
    fn write(&self, code: &mut Code) {
        self.0.to_code(code);
    }

    fn show(&self) -> String {
        Code::of(self.0)
    }
}

/// Prints a value that implements `Debug`; see [`Shown`].
///
/// # Examples
/// ```
/// use rebut::__private::{ShowDebug, Shown};
///
/// assert_eq!((&&Shown(&'x')).show(), "'x'");
/// ```
pub trait ShowDebug {
    /// Appends the `Debug` form of the value.
    ///
    /// # Examples
    /// ```
    /// use rebut::Code;
    /// use rebut::__private::{ShowDebug, Shown};
    ///
    /// let mut code = Code::default();
    /// (&&Shown("a")).write(&mut code);
    /// assert_eq!(code.into_text(), "\"a\"");
    /// ```
    fn write(&self, code: &mut Code);

    /// Returns the `Debug` form of the value.
    ///
    /// # Examples
    /// ```
    /// use rebut::__private::{ShowDebug, Shown};
    ///
    /// assert_eq!((&&Shown(&std::cmp::Ordering::Less)).show(), "Less");
    /// ```
    fn show(&self) -> String;
}

impl<T: fmt::Debug + ?Sized> ShowDebug for &Shown<'_, T> {
    fn write(&self, code: &mut Code) {
        code.note(TypeNoteKind::OnlyDebug, std::any::type_name::<T>(), "", "");
        code.push(&debug::debug_text(&self.0));
    }

    fn show(&self) -> String {
        noted::emit(&[TypeNote {
            kind: TypeNoteKind::OnlyDebug,
            type_name: std::any::type_name::<T>().to_owned(),
            module: String::new(),
            visible_in: String::new(),
        }]);
        debug::debug_text(&self.0)
    }
}

/// Prints a comment for a value of any type; see [`Shown`].
///
/// # Examples
/// ```
/// use rebut::__private::{ShowNothing, Shown};
///
/// assert_eq!(Shown(&1u8).show(), "/* a u8, which has neither ToCode nor Debug */");
/// ```
pub trait ShowNothing {
    /// Appends a comment with the name of the type.
    ///
    /// # Examples
    /// ```
    /// use rebut::Code;
    /// use rebut::__private::{ShowNothing, Shown};
    ///
    /// let mut code = Code::default();
    /// Shown(&1u8).write(&mut code);
    /// assert!(code.into_text().starts_with("/* a u8"));
    /// ```
    fn write(&self, code: &mut Code);

    /// Returns a comment with the name of the type.
    ///
    /// # Examples
    /// ```
    /// use rebut::__private::{ShowNothing, Shown};
    ///
    /// assert!(Shown("text").show().starts_with("/* a str"));
    /// ```
    fn show(&self) -> String;
}

impl<T: ?Sized> ShowNothing for Shown<'_, T> {
    fn write(&self, code: &mut Code) {
        code.push(&self.show());
    }

    fn show(&self) -> String {
        format!("{OPEN_UNSHOWN}{}{CLOSE_UNSHOWN}", std::any::type_name::<T>())
    }
}

const OPEN_UNSHOWN: &str = "/* a ";
const CLOSE_UNSHOWN: &str = ", which has neither ToCode nor Debug */";

/// Returns the name of the type, if a [`Shown`] value was printed as a comment.
#[doc(hidden)]
#[must_use]
pub fn unshown_type(text: &str) -> Option<&str> {
    text.strip_prefix(OPEN_UNSHOWN)?.strip_suffix(CLOSE_UNSHOWN)
}
