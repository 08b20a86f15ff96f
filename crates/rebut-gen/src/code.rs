//! Values as Rust code that can be pasted.
//!
//! An expression names what is not in the prelude by its full path and leaves types to
//! inference, so it compiles wherever the type is known: as an argument, a field or the right
//! side of a `let` with a type.

mod collections;
mod later;
mod scalars;

pub use later::{forget, resolve};

use std::fmt::{self, Write as _};

/// A value that can be written as an expression of Rust that makes it.
///
/// Derived together with [`Generate`](crate::Generate); where it is missing, a value is shown
/// by its `Debug` form.
///
/// # Example
/// ```
/// use rebut_gen::{Code, ToCode};
///
/// struct Metres(f64);
/// impl ToCode for Metres {
///     fn to_code(&self, code: &mut Code) {
///         code.call("Metres", &[&self.0]);
///     }
/// }
/// assert_eq!(Code::of(&Metres(1.0)), "Metres(1.0)");
/// ```
pub trait ToCode {
    /// Writes the expression.
    fn to_code(&self, code: &mut Code);
}

/// Where code is written to.
#[derive(Debug, Default)]
pub struct Code {
    text: String,
}

impl Code {
    /// The expression that makes `value`.
    #[must_use]
    pub fn of(value: &(impl ToCode + ?Sized)) -> String {
        let mut code = Code::default();
        value.to_code(&mut code);
        code.into_text()
    }

    /// What was written.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    /// Adds text as it is.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds formatted text.
    pub fn format(&mut self, arguments: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(arguments);
    }

    /// Adds values with commas between them.
    pub fn list<'a>(&mut self, values: impl IntoIterator<Item = &'a dyn ToCode>) {
        for (n, value) in values.into_iter().enumerate() {
            if n > 0 {
                self.push(", ");
            }
            value.to_code(self);
        }
    }

    /// Adds a call: `function(a, b)`.
    pub fn call(&mut self, function: &str, arguments: &[&dyn ToCode]) {
        self.push(function);
        self.push("(");
        self.list(arguments.iter().copied());
        self.push(")");
    }
}

/// The wrapper through which generated code shows a value of which it does not know what the
/// type can do: `(&&&Shown(&value)).show()` takes [`ToCode`] if there is one, else `Debug`,
/// else says that there is neither (the method nearest by auto-reference wins). `write` adds the
/// same to code.
#[derive(Debug)]
pub struct Shown<'a, T: ?Sized>(pub &'a T);

/// See [`Shown`].
pub trait ShowCode {
    /// Writes the value as code.
    fn write(&self, code: &mut Code);

    /// The value as code.
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

/// See [`Shown`].
pub trait ShowDebug {
    /// Writes the value as `Debug` prints it.
    fn write(&self, code: &mut Code);

    /// The value as `Debug` prints it.
    fn show(&self) -> String;
}

impl<T: fmt::Debug + ?Sized> ShowDebug for &Shown<'_, T> {
    fn write(&self, code: &mut Code) {
        code.format(format_args!("{:?}", self.0));
    }

    fn show(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// See [`Shown`].
pub trait ShowNothing {
    /// Writes a comment.
    fn write(&self, code: &mut Code);

    /// A comment.
    fn show(&self) -> String;
}

impl<T: ?Sized> ShowNothing for Shown<'_, T> {
    fn write(&self, code: &mut Code) {
        code.push(&self.show());
    }

    fn show(&self) -> String {
        format!("/* a {}, which has neither ToCode nor Debug */", std::any::type_name::<T>())
    }
}
