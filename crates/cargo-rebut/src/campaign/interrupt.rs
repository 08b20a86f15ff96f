//! Ctrl-C and SIGTERM: a campaign ends its processes, and still reports what was found.
//!
//! Each process that a campaign starts leads a group of its own. Cargo starts test programs, and
//! these start children; a signal to the group reaches all of them. A second signal ends the
//! command at once. Other systems than unix end all processes of a console themselves.

use rebut_cli::exit::Exit;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The signal that ended the campaign, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// The process groups that are running.
static GROUPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn groups() -> MutexGuard<'static, Vec<u32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the exit code of a campaign that a signal has ended.
pub(super) fn exit() -> Option<Exit> {
    match SIGNAL.load(Ordering::Acquire) {
        0 => None,
        #[cfg(unix)]
        signal_hook::consts::SIGTERM => Some(Exit::Terminated),
        _ => Some(Exit::Interrupted),
    }
}

/// A process with all that it starts.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    pub(super) child: Child,
}

impl ProcessGroup {
    /// Starts a command, unless a signal has ended the campaign.
    pub(super) fn spawn(command: &mut Command) -> io::Result<ProcessGroup> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // A signal that arrives now waits until the process is known.
        let mut groups = groups();
        if exit().is_some() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let child = command.spawn()?;
        groups.push(child.id());
        Ok(ProcessGroup { child })
    }

    /// Waits for its end.
    pub(super) fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait()
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        let id = self.child.id();
        groups().retain(|known| *known != id);
    }
}

/// Handles signals from here on. Without handlers, a signal ends the command at once, as before.
pub(super) fn handle() {
    #[cfg(unix)]
    unix::handle();
}

#[cfg(unix)]
mod unix {
    use super::{Ordering, SIGNAL, groups};
    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::thread;
    use std::time::Duration;

    /// A process that has not ended so long after a signal is killed. Arbitrary: a test may handle
    /// the signal, and someone waits.
    const PATIENCE: Duration = Duration::from_secs(2);

    pub(super) fn handle() {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        thread::spawn(move || {
            for signal in signals.forever() {
                let is_first = SIGNAL.swap(signal, Ordering::AcqRel) == 0;
                if !is_first {
                    end_all(Signal::KILL);
                    std::process::exit(128 + signal);
                }
                end_all(if signal == SIGINT { Signal::INT } else { Signal::TERM });
                thread::spawn(|| {
                    thread::sleep(PATIENCE);
                    end_all(Signal::KILL);
                });
            }
        });
    }

    fn end_all(signal: Signal) {
        for group in groups().iter() {
            let group = i32::try_from(*group).ok().and_then(Pid::from_raw);
            // It may have ended just now, which is fine too.
            group.map(|group| kill_process_group(group, signal).ok());
        }
    }
}
