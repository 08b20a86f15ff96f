//! Explored tests: built for WebAssembly, with a host that makes each choice.
//!
//! The macro exports an entry point for each test. The host calls it once to get the description
//! of the test, and then once for each case, in a new instance. To see the values of a case, it
//! calls the entry point once more with the same choices. Nothing that surrounds a case elsewhere
//! exists here: no other cases, no files, no threads, no clock; and a panic ends the instance.
//! This module counts and logs nothing either, because each condition on a choice would be one
//! more path to explore.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub mod observe;

use std::fmt;

use crate::Test;

/// Whether tests are built for exploration.
pub(crate) const IS_EXPLORED: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Formats the error that a property returned.
pub(crate) fn error_message(error: &impl fmt::Debug) -> String {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    rebut_choice::host::failing();
    format!("{error:?}")
}

/// Ends an explored case because the input matches.
pub(crate) fn witness_found() {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    rebut_choice::host::found();
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use guest::{enter, stand_in};

/// Executes the command of the host for a test.
pub(crate) fn run(test: &Test) {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    guest::run(test);
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    let _ = test;
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod guest {
    use std::cell::Cell;
    use std::panic::{self, PanicHookInfo};

    use rebut_choice::{AnyDriver, Label, Source, host};
    use rebut_protocol::wasm::{EntryCommand, EntryFlags};

    use crate::case_log::{self, CaseEvent};
    use crate::escapes;
    use crate::panics::message_of;
    use crate::{Case, Claim, Test};

    /// The command of the host, and the flags from the macro.
    #[derive(Clone, Copy)]
    struct Entry {
        command: EntryCommand,
        flags: EntryFlags,
    }

    thread_local! {
        static ENTRY: Cell<Option<Entry>> = const { Cell::new(None) };
    }

    /// Implements the function that `#[rebut::test]` exports: describes the test or runs it once.
    /// `flags` are the [`EntryFlags`] that the macro knows.
    pub fn enter(command: u32, flags: u32, test: fn()) {
        let Some(command) = EntryCommand::from_wire(command) else {
            panic!("`cargo rebut explore` is newer than the library `rebut`")
        };
        ENTRY.set(Some(Entry { command, flags: EntryFlags(flags) }));
        test();
    }

    /// Generates a value that replaces the result of a function.
    pub fn stand_in<T>(draw: impl FnOnce(&mut Source) -> T) -> T {
        Source::new(AnyDriver::Host).span(Label::SUMMARY, draw)
    }

    /// Executes the command of the host for a test.
    pub(super) fn run(test: &Test) {
        let Some(entry) = ENTRY.take() else {
            panic!("tests that are built for this target run only under `cargo rebut explore`")
        };
        match entry.command {
            EntryCommand::Describe => {
                host::describe(test.path, test.file, test.line, all_flags(entry.flags, test));
            }
            EntryCommand::Run => run_once(test, Box::new(report_panic)),
            EntryCommand::Show => show_values(test),
        }
    }

    /// Runs a case and reports the values that it generates. This is a separate function so that
    /// an exploration, which never calls it, does not have to compile it.
    #[inline(never)]
    fn show_values(test: &Test) {
        case_log::begin(true);
        case_log::listen(Box::new(send_to_host));
        run_once(
            test,
            Box::new(|info| {
                case_log::show_again();
                report_panic(info);
            }),
        );
        case_log::end(None);
    }

    /// Adds the flags that the macro leaves to the description of the test.
    fn all_flags(flags: EntryFlags, test: &Test) -> EntryFlags {
        flags
            .with(EntryFlags::EXISTS, test.claim == Claim::Exists)
            .with(EntryFlags::NOT_EXISTS, test.claim == Claim::NotExists)
            .with(EntryFlags::SPECIFICATION, test.inputs.is_some())
    }

    type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

    fn run_once(test: &Test, hook: Hook) {
        panic::set_hook(hook);
        let mut case = Case::new(Source::new(AnyDriver::Host));
        if let Some(message) = (test.run)(&mut case) {
            host::failing();
            host::panicked(&escapes::plain(&message), "", 0, 0);
            std::process::abort()
        }
    }

    fn send_to_host(event: CaseEvent<'_>) {
        match event {
            CaseEvent::Value(value) => host::shown(&value.name, &value.type_name, &value.code),
            CaseEvent::Changed { nth, code } => host::changed(nth, code),
            CaseEvent::Note(_)
            | CaseEvent::Violation(_)
            | CaseEvent::StyledMessage(_)
            | CaseEvent::FailedGenerator(_)
            | CaseEvent::Backtrace(_)
            | CaseEvent::TypeNote(_)
            | CaseEvent::Stopped(_)
            | CaseEvent::Panic { .. } => {}
        }
    }

    fn report_panic(info: &PanicHookInfo<'_>) {
        let message = message_of(info.payload());
        let (file, line, column) = info
            .location()
            .map_or(("", 0, 0), |location| (location.file(), location.line(), location.column()));
        host::panicked(&message, file, line, column);
    }
}
