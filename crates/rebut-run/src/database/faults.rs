//! Faults that tests inject into the steps of saving a file. Other builds have none.

/// Fails, or ends the process, if a test wants this step to.
#[cfg(not(test))]
#[inline]
pub(crate) fn at(_step: &str) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(crate) use injected::{KILL_AT, at, clear, fail_at};

#[cfg(test)]
mod injected {
    use std::cell::Cell;
    use std::io;

    /// The variable with the step at which the process ends.
    pub(crate) const KILL_AT: &str = "REBUT_RUN_KILL_AT";

    thread_local! {
        static FAILING: Cell<Option<(&'static str, io::ErrorKind)>> = const { Cell::new(None) };
    }

    pub(crate) fn at(step: &str) -> io::Result<()> {
        if std::env::var(KILL_AT).is_ok_and(|killed_at| killed_at == step) {
            std::process::abort();
        }
        match FAILING.get() {
            Some((failing, kind)) if failing == step => Err(kind.into()),
            _ => Ok(()),
        }
    }

    /// Lets a step fail on this thread until [`clear`].
    pub(crate) fn fail_at(step: &'static str, kind: io::ErrorKind) {
        FAILING.set(Some((step, kind)));
    }

    pub(crate) fn clear() {
        FAILING.set(None);
    }
}
