//! The `Debug` form of a value, whatever its implementation does.
//!
//! A report shows values after the property has failed. An implementation of `Debug` that panics
//! must not replace that failure by its own, and one that writes without end must not fill the
//! memory.

use std::cell::Cell;
use std::fmt::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use rebut_choice::Stop;

/// The maximum length in bytes. A product decision: readers look at less, and a report with ten
/// such values can still be opened.
const LENGTH_MAX: usize = 64 << 10;

/// The end of a `Debug` form that was cut.
pub const CUT: &str = " /* and more */";

thread_local! {
    static IS_PRINTING: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether this thread prints a value. A panic is then part of what is printed, and no
/// failure.
#[must_use]
pub fn is_printing_debug() -> bool {
    IS_PRINTING.try_with(Cell::get).unwrap_or(false)
}

/// Returns the `Debug` form of a value. Cuts a long one, and describes a panic of the
/// implementation.
pub(crate) fn debug_text(value: &dyn fmt::Debug) -> String {
    let mut text = BoundedText { text: String::new(), is_cut: false };
    let was_printing = IS_PRINTING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(|| write!(text, "{value:?}")));
    IS_PRINTING.set(was_printing);
    match result {
        Err(payload) if payload.is::<Stop>() => resume_unwind(payload),
        Err(payload) => {
            let message = payload_text(payload.as_ref());
            drop_safely(payload);
            text.text.push_str(&format!(" /* its `Debug` implementation panicked: {message} */"));
        }
        Ok(_) if text.is_cut => text.text.push_str(CUT),
        Ok(Err(_)) => text.text.push_str(" /* its `Debug` implementation returned an error */"),
        Ok(Ok(())) => {}
    }
    // In a report, the lines must not look like its own.
    text.text.trim_start().replace('\n', "\n        ")
}

fn payload_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = match (payload.downcast_ref::<&'static str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text.as_str(),
        _ => "a value that is not a string",
    };
    // The comment must end where it should.
    text.chars().take(200).collect::<String>().replace("*/", "* /").replace(['\n', '\r'], " ")
}

/// Drops the payload of a panic, whose destructor may panic too.
#[doc(hidden)]
pub fn drop_safely(payload: Box<dyn std::any::Any + Send>) {
    let was_printing = IS_PRINTING.replace(true);
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        // Its destructor may panic in turn, without end.
        std::mem::forget(second);
    }
    IS_PRINTING.set(was_printing);
}

struct BoundedText {
    text: String,
    is_cut: bool,
}

impl fmt::Write for BoundedText {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let left = LENGTH_MAX - self.text.len();
        if part.len() <= left && !self.is_cut {
            self.text.push_str(part);
            return Ok(());
        }
        if !self.is_cut {
            let end = (0..=left).rev().find(|&end| part.is_char_boundary(end)).unwrap_or(0);
            self.text.push_str(&part[..end]);
            self.is_cut = true;
        }
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct With(fn(&mut fmt::Formatter<'_>) -> fmt::Result);

    impl fmt::Debug for With {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }

    #[test]
    fn values_are_printed_by_debug() {
        assert_eq!(debug_text(&Some("x")), "Some(\"x\")");
    }

    #[test]
    fn panics_are_part_of_the_text() {
        let panics = With(|f| {
            f.write_str("Half(")?;
            panic!("no */ more\nthan half")
        });
        let expected = "Half( /* its `Debug` implementation panicked: no * / more than half */";
        assert_eq!(debug_text(&panics), expected);
        assert!(!is_printing_debug());
        let fails = With(|_| Err(fmt::Error));
        assert_eq!(debug_text(&fails), "/* its `Debug` implementation returned an error */");
    }

    #[test]
    fn lines_are_indented() {
        let two = With(|f| f.write_str("a\n    let n = 7;"));
        assert_eq!(debug_text(&two), "a\n            let n = 7;");
    }

    #[test]
    fn long_texts_are_cut() {
        let endless = With(|f| {
            loop {
                f.write_str("größe ")?;
            }
        });
        let text = debug_text(&endless);
        assert!(text.ends_with(CUT), "{}", &text[text.len() - 40..]);
        assert!(text.len() <= LENGTH_MAX + 20);
        // An implementation may ignore the error.
        let stubborn = With(|f| {
            for _ in 0..1_000_000 {
                let _ = f.write_str("0123456789");
            }
            Ok(())
        });
        assert!(debug_text(&stubborn).len() <= LENGTH_MAX + 20);
    }

    #[test]
    fn payloads_whose_destructor_panics_are_dropped() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                std::panic::panic_any(Bomb)
            }
        }
        drop_safely(Box::new(Bomb));
        assert!(!is_printing_debug());
    }
}
