//! Code that is only known after the test ran.
//!
//! The arguments of a test are printed before it runs, but the answers of a generated function are
//! drawn when it is called. So printing writes a marker, and the report [resolves](resolve) it after
//! the run. Private-use characters frame the marker. A printed string literal never contains them,
//! because it escapes them.

use std::cell::RefCell;
use std::rc::Rc;

use super::Code;

const OPEN: char = '\u{E000}';
const CLOSE: char = '\u{E001}';

type Render = Rc<dyn Fn() -> String>;

thread_local! {
    static RENDERS: RefCell<Vec<Render>> = const { RefCell::new(Vec::new()) };
}

impl Code {
    /// Appends code that `render` returns after the test ran.
    ///
    /// Use it for values that change while the test runs, such as a mock that records its calls.
    ///
    /// # Examples
    /// ```
    /// use std::{cell::Cell, rc::Rc};
    /// use rebut::Code;
    /// # use rebut::__private::code::resolve;
    ///
    /// let calls = Rc::new(Cell::new(0));
    /// let seen = Rc::clone(&calls);
    /// let mut written = Code::default();
    /// written.later(move || format!("Mock::called({})", seen.get()));
    /// let text = written.into_text();
    /// calls.set(3);
    /// // The report resolves the text.
    /// assert_eq!(resolve(&text), "Mock::called(3)");
    /// ```
    pub fn later(&mut self, render: impl Fn() -> String + 'static) {
        let id = RENDERS.with_borrow_mut(|renders| {
            renders.push(Rc::new(render));
            renders.len() - 1
        });
        self.format(format_args!("{OPEN}{id}{CLOSE}"));
    }
}

/// Replaces every marker in a string with the code that its function returns now.
#[doc(hidden)]
#[must_use]
pub fn resolve(text: &str) -> String {
    let mut resolved = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OPEN) {
        resolved.push_str(before);
        let Some((id, behind)) = after.split_once(CLOSE) else { break };
        resolved.push_str(&rendered(id));
        rest = behind;
    }
    resolved.push_str(rest);
    resolved
}

/// Returns the code for a marker, with the markers in it resolved too.
fn rendered(id: &str) -> String {
    let id = id.parse().unwrap_or(usize::MAX);
    let render = RENDERS.with_borrow(|renders| renders.get(id).map(Rc::clone));
    match render {
        Some(render) => resolve(&render()),
        None => "/* a value of an earlier case */".to_owned(),
    }
}

/// Removes all markers. Call it once a case and everything printed about it are finished.
#[doc(hidden)]
pub fn forget() {
    // Drop the functions outside of the borrow: their destructors may run any code.
    drop(RENDERS.take());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_resolve_inside_of_markers_and_are_forgotten() {
        forget();
        let mut code = Code::default();
        code.push("f(");
        code.later(|| {
            let mut inner = Code::default();
            inner.later(|| "1".into());
            inner.push(" + 2");
            inner.into_text()
        });
        code.push(")");
        let text = code.into_text();
        assert_eq!(resolve(&text), "f(1 + 2)");
        assert_eq!(resolve("nothing here"), "nothing here");
        forget();
        assert_eq!(resolve(&text), "f(/* a value of an earlier case */)");
    }

    #[test]
    fn text_that_looks_like_a_marker_is_not_one() {
        let text = Code::of("\u{E000}0\u{E001}");
        assert_eq!(resolve(&text), text);
    }
}
