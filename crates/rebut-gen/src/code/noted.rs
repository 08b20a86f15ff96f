//! Notes about types in code that is printed after the run.
//!
//! The code of a parameter is printed with its notes, and these decide whether the code can be kept.
//! Answers of mocks and arguments of programs become strings while the test runs. Their notes are
//! kept with them, and collected when the report resolves the code.

use std::cell::RefCell;

use super::{TypeNote, TypeNoteKind};

thread_local! {
    /// The notes of the code that is being printed, if they are collected.
    static COLLECTED: RefCell<Option<Vec<TypeNote>>> = const { RefCell::new(None) };
}

/// Adds notes to those that are being collected. Messages are printed without a collector, because
/// they need not compile.
pub(super) fn emit(notes: &[TypeNote]) {
    if notes.is_empty() {
        return;
    }
    COLLECTED.with_borrow_mut(|collected| {
        let Some(collected) = collected else { return };
        for note in notes {
            if !collected.contains(note) {
                collected.push(note.clone());
            }
        }
    });
}

/// Notes that code names a type of a module, which the property may know by another name.
#[doc(hidden)]
pub fn note_name(type_name: &str, module: &str) {
    emit(&[TypeNote {
        kind: TypeNoteKind::Named,
        type_name: type_name.to_owned(),
        module: module.to_owned(),
        visible_in: String::new(),
    }]);
}

/// Collects the notes about the types in the code that `print` returns.
#[doc(hidden)]
pub fn collect_notes<T>(print: impl FnOnce() -> T) -> (T, Vec<TypeNote>) {
    struct Collector(Option<Vec<TypeNote>>);
    impl Drop for Collector {
        fn drop(&mut self) {
            COLLECTED.set(self.0.take());
        }
    }
    let outer = Collector(COLLECTED.replace(Some(Vec::new())));
    let printed = print();
    let notes = COLLECTED.take().unwrap_or_default();
    drop(outer);
    (printed, notes)
}

/// Code that was printed before it is needed, with the notes about its types.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted<T = String> {
    code: T,
    notes: Vec<TypeNote>,
}

impl<T> Noted<T> {
    /// Prints code now.
    pub fn of(print: impl FnOnce() -> T) -> Noted<T> {
        let (code, notes) = collect_notes(print);
        Noted { code, notes }
    }

    /// Returns the code as a part of other code.
    pub fn code(&self) -> &T {
        emit(&self.notes);
        &self.code
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, ShowDebug as _, Shown};

    #[derive(Debug)]
    struct Plain;

    #[test]
    fn notes_are_collected_where_the_code_is_used() {
        let show = || (&&Shown(&Plain)).show();
        assert_eq!(show(), "Plain");
        let printed = Noted::of(show);
        let (code, notes) = collect_notes(|| format!("f({}, {})", printed.code(), Code::of(&1)));
        assert_eq!(code, "f(Plain, 1)");
        assert!(matches!(&*notes, [note] if note.type_name.ends_with("Plain")), "{notes:?}");
        assert_eq!(collect_notes(|| ()).1, []);
    }
}
