//! The code that needs the interface of the operating system.
//!
//! The handlers are installed once, in front of the existing ones, and only if nothing but the
//! Rust runtime has installed any: a JIT or a sanitizer uses these signals for its own purposes,
//! and its traps would look like crashes. Without handlers a crash ends the process as usual, and
//! the [journal](super::journal) reports it in the next run.

#![cfg_attr(
    unix,
    expect(unsafe_code, reason = "signal handlers and limits exist in the C library only")
)]

use super::supervisor::Shared;

#[cfg(unix)]
pub(super) use unix::{forbid_core_dumps, limit_memory, lower_priority, name_of, thread_id};

#[cfg(unix)]
pub(crate) use unix::{end_process, install};

#[cfg(not(unix))]
pub(super) use elsewhere::{forbid_core_dumps, limit_memory, lower_priority, thread_id};

#[cfg(not(unix))]
pub(crate) use elsewhere::{end_process, install};

use std::cell::Cell;

thread_local! {
    /// The state of the worker that runs on this thread; null for all other threads.
    static WORKER: Cell<*const Shared> = const { Cell::new(std::ptr::null()) };
}

/// Marks this thread as a worker while it lives. Handlers record what kills the thread in its
/// state.
#[derive(Debug)]
pub(super) struct WorkerMark<'a> {
    before: *const Shared,
    _shared: &'a Shared,
}

/// Marks this thread as a worker.
pub(super) fn mark(shared: &Shared) -> WorkerMark<'_> {
    let before = WORKER.replace(shared);
    WorkerMark { before, _shared: shared }
}

impl Drop for WorkerMark<'_> {
    fn drop(&mut self) {
        WORKER.set(self.before);
    }
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{InheritedNumber, inherited_number};

#[cfg(not(target_os = "linux"))]
pub(crate) use not_linux::{InheritedNumber, inherited_number};

/// A number that threads inherit from the thread that started them: the real-time signals that
/// they block. Nothing sends these signals to a test, except a test of signals, which uses the
/// first ones.
#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::c_int;
    use std::mem::MaybeUninit;
    use std::ptr;

    use crate::isolate::sys::{self, sigset_t};

    /// Blocked if the thread has a number.
    const MARK: c_int = 64;
    /// Not blocked if the thread has a number: it distinguishes one from a thread that blocks all
    /// signals.
    const NO_MARK: c_int = 55;
    /// The lowest of eight signals, which are the bits of the number.
    const FIRST_BIT: c_int = 56;

    /// Gives this thread a number until it is dropped. Threads that it starts in the meantime keep
    /// the number.
    pub(crate) struct InheritedNumber {
        before: sigset_t,
    }

    impl std::fmt::Debug for InheritedNumber {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("InheritedNumber")
        }
    }

    impl InheritedNumber {
        pub(crate) fn set(number: u8) -> InheritedNumber {
            let before = blocked();
            let mut after = blocked();
            let mut set = |signal: c_int, is_blocked: bool| {
                // SAFETY: the set is initialized, and the signals exist on Linux.
                unsafe {
                    match is_blocked {
                        true => sys::sigaddset(&mut after, signal),
                        false => sys::sigdelset(&mut after, signal),
                    }
                };
            };
            set(MARK, true);
            set(NO_MARK, false);
            for bit in 0..8 {
                set(FIRST_BIT + bit, number >> bit & 1 == 1);
            }
            block(&after);
            InheritedNumber { before }
        }
    }

    impl Drop for InheritedNumber {
        fn drop(&mut self) {
            block(&self.before);
        }
    }

    /// Returns the number of this thread, if it has one.
    pub(crate) fn inherited_number() -> Option<u8> {
        let blocked = blocked();
        // SAFETY: the set is initialized, and the signals exist on Linux.
        let is_blocked = |signal: c_int| unsafe { sys::sigismember(&blocked, signal) == 1 };
        let has_number = is_blocked(MARK) && !is_blocked(NO_MARK);
        has_number.then(|| {
            (0..8).fold(0, |number, bit| number | u8::from(is_blocked(FIRST_BIT + bit)) << bit)
        })
    }

    /// Returns the signals that this thread blocks.
    fn blocked() -> sigset_t {
        let mut set = MaybeUninit::<sigset_t>::zeroed();
        // SAFETY: all zeroes is a valid set, and the call replaces it. It cannot fail without a
        // new set.
        unsafe {
            sys::pthread_sigmask(sys::SIG_SETMASK, ptr::null(), set.as_mut_ptr());
            set.assume_init()
        }
    }

    fn block(set: &sigset_t) {
        // SAFETY: the set is initialized.
        unsafe { sys::pthread_sigmask(sys::SIG_SETMASK, set, ptr::null_mut()) };
    }
}

#[cfg(not(target_os = "linux"))]
mod not_linux {
    #[derive(Debug)]
    pub(crate) struct InheritedNumber;

    impl InheritedNumber {
        pub(crate) fn set(_number: u8) -> InheritedNumber {
            InheritedNumber
        }
    }

    pub(crate) fn inherited_number() -> Option<u8> {
        None
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::{c_int, c_void};
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::Once;
    use std::sync::atomic::{AtomicBool, Ordering};

    use crate::isolate::sys::{
        SA_ONSTACK, SA_SIGINFO, SIG_DFL, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP,
        sigaction, siginfo_t,
    };

    use super::WORKER;
    use crate::isolate::supervisor::Fate;
    use crate::isolate::sys;
    use crate::strings;

    const SIGNALS: [c_int; 6] = [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP];

    /// The earlier handlers, in the order of [`SIGNALS`]. Written once, before the handlers that
    /// read it are installed.
    static mut BEFORE: [MaybeUninit<sigaction>; SIGNALS.len()] =
        [const { MaybeUninit::uninit() }; SIGNALS.len()];
    static INSTALLED: AtomicBool = AtomicBool::new(false);

    /// Installs the handlers on the first call. Returns whether they are in place.
    pub(crate) fn install() -> bool {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            if !cfg!(miri) && record_handlers() {
                INSTALLED.store(true, Ordering::Release);
                SIGNALS.into_iter().for_each(install_handler);
                // SAFETY: `on_exit` is a plain function that lives as long as the process.
                unsafe { sys::atexit(on_exit) };
            }
        });
        INSTALLED.load(Ordering::Acquire)
    }

    /// Records the installed handlers. Returns whether they are only those of the Rust runtime:
    /// one handler for SIGSEGV and SIGBUS, none for the rest.
    fn record_handlers() -> bool {
        let mut handlers = [SIG_DFL; SIGNALS.len()];
        for (at, signal) in SIGNALS.into_iter().enumerate() {
            // SAFETY: called once and before any handler of ours can run, so no other code
            // accesses `BEFORE`; `sigaction` fills the given memory if it succeeds.
            unsafe {
                let earlier = (&raw mut BEFORE[at]).cast::<sigaction>();
                if sigaction(signal, ptr::null(), earlier) != 0 {
                    return false;
                }
                handlers[at] = (*earlier).sa_sigaction;
            }
        }
        handlers[0] == handlers[1] && handlers[2..].iter().all(|&handler| handler == SIG_DFL)
    }

    fn install_handler(signal: c_int) {
        // SAFETY: all zeroes is a valid `sigaction`; the handler has the signature that
        // SA_SIGINFO requires and does only what is safe in a handler.
        unsafe {
            let mut action: sigaction = std::mem::zeroed();
            action.sa_sigaction =
                on_signal as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
            action.sa_flags = SA_ONSTACK | SA_SIGINFO;
            sys::sigfillset(&mut action.sa_mask);
            sigaction(signal, &action, ptr::null_mut());
        }
    }

    /// Parks a worker forever. On any other thread, passes the signal to the earlier handler.
    extern "C" fn on_signal(signal: c_int, info: *mut siginfo_t, _context: *mut c_void) {
        let worker = WORKER.get();
        if worker.is_null() {
            pass_on(signal, info);
            return;
        }
        // SAFETY: the pointer is set only while the worker's state is borrowed, and this thread
        // never leaves the handler.
        unsafe { (*worker).record(Fate::Crashed(signal)) };
        park()
    }

    /// Restores the earlier handler and passes the signal to it. A fault happens again when this
    /// returns; a signal that was sent has to be sent again.
    fn pass_on(signal: c_int, info: *mut siginfo_t) {
        let Some(at) = SIGNALS.iter().position(|&known| known == signal) else { return };
        // SAFETY: `BEFORE` was filled before this handler was installed and is not written again;
        // the kernel passes `info`; both functions may be called in a handler.
        unsafe {
            sigaction(signal, (&raw const BEFORE[at]).cast::<sigaction>(), ptr::null_mut());
            // For a signal that was sent, Linux has 0 or less, the BSDs 0x10001 and up; faults
            // are in between.
            let was_sent = info.is_null() || !(1..0x1_0000).contains(&(*info).si_code);
            if was_sent || signal == SIGTRAP {
                sys::raise(signal);
            }
        }
    }

    /// Handles a case that called `exit`: the process must not end before the supervisor has
    /// reported that.
    extern "C" fn on_exit() {
        let worker = WORKER.try_with(std::cell::Cell::get).unwrap_or(ptr::null());
        if !worker.is_null() {
            // SAFETY: as in `on_signal`.
            unsafe { (*worker).record(Fate::Exited) };
            park()
        }
    }

    fn park() -> ! {
        loop {
            // SAFETY: has no preconditions and may be called in a handler.
            unsafe { sys::pause() };
        }
    }

    /// Ends the process at once, whatever its other threads are doing. After a
    /// [`LossCause::Exit`](crate::isolate::LossCause::Exit) nothing else can.
    pub(crate) fn end_process(code: i32) -> ! {
        // SAFETY: has no preconditions.
        unsafe { sys::_exit(code) }
    }

    /// Returns the id of this thread, where [`lower_priority`] needs it.
    pub(in crate::isolate) fn thread_id() -> i32 {
        #[cfg(target_os = "linux")]
        // SAFETY: has no preconditions.
        return unsafe { sys::gettid() };
        #[cfg(not(target_os = "linux"))]
        0
    }

    /// Gives a worker that spins forever only idle CPU time. It is not parked, because it may
    /// hold a lock that it will release later.
    pub(in crate::isolate) fn lower_priority(thread: i32) {
        #[cfg(target_os = "linux")]
        // SAFETY: has no preconditions. The thread is never joined, so its id is not reused.
        unsafe {
            sys::setpriority(sys::PRIO_PROCESS, thread.unsigned_abs(), 19);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = thread;
    }

    /// Limits the memory of this process to `bytes` more than it has now.
    pub(in crate::isolate) fn limit_memory(bytes: u64) {
        let limit = process_size().saturating_add(bytes);
        set_limit(sys::RLIMIT_AS, limit);
    }

    fn process_size() -> u64 {
        let pages = std::fs::read_to_string("/proc/self/statm")
            .ok()
            .and_then(|text| strings::number(strings::split_once(&text, " ")?.0));
        // SAFETY: has no preconditions.
        let page_size = unsafe { sys::sysconf(sys::_SC_PAGESIZE) };
        pages.unwrap_or(0).saturating_mul(u64::try_from(page_size).unwrap_or(4096))
    }

    /// Disables core dumps, because a child crashes a thousand times while its failure is shrunk.
    /// The limit is 1 and not 0, because Linux ignores 0 if dumps are piped to a program.
    pub(in crate::isolate) fn forbid_core_dumps() {
        set_limit(sys::RLIMIT_CORE, 1);
    }

    #[cfg(all(target_os = "linux", any(target_env = "gnu", target_env = "uclibc")))]
    type Resource = sys::__rlimit_resource_t;
    #[cfg(not(all(target_os = "linux", any(target_env = "gnu", target_env = "uclibc"))))]
    type Resource = c_int;

    /// Lowers a limit as far as allowed. Leaves a limit that cannot be set.
    fn set_limit(resource: Resource, value: u64) {
        // SAFETY: all zeroes is a valid `rlimit`, and both calls get a valid pointer to it.
        unsafe {
            let mut limit: sys::rlimit = std::mem::zeroed();
            if sys::getrlimit(resource, &mut limit) == 0 {
                let value = sys::rlim_t::try_from(value).unwrap_or(sys::RLIM_INFINITY);
                limit.rlim_cur = value.min(limit.rlim_max);
                sys::setrlimit(resource, &limit);
            }
        }
    }

    /// Returns the name of a signal, such as `SIGSEGV`.
    pub(in crate::isolate) fn name_of(signal: i32) -> String {
        let name = match signal {
            SIGSEGV => "SIGSEGV",
            SIGBUS => "SIGBUS",
            SIGABRT => "SIGABRT",
            SIGILL => "SIGILL",
            SIGFPE => "SIGFPE",
            SIGTRAP => "SIGTRAP",
            sys::SIGKILL => "SIGKILL",
            sys::SIGTERM => "SIGTERM",
            sys::SIGINT => "SIGINT",
            sys::SIGPIPE => "SIGPIPE",
            sys::SIGALRM => "SIGALRM",
            sys::SIGSYS => "SIGSYS",
            sys::SIGXCPU => "SIGXCPU",
            sys::SIGXFSZ => "SIGXFSZ",
            sys::SIGUSR1 => "SIGUSR1",
            sys::SIGUSR2 => "SIGUSR2",
            sys::SIGHUP => "SIGHUP",
            sys::SIGQUIT => "SIGQUIT",
            _ => return format!("signal {signal}"),
        };
        name.to_owned()
    }
}

#[cfg(not(unix))]
mod elsewhere {
    pub(crate) fn install() -> bool {
        false
    }

    pub(crate) fn end_process(code: i32) -> ! {
        std::process::exit(code)
    }

    pub(in crate::isolate) fn thread_id() -> i32 {
        0
    }

    pub(in crate::isolate) fn lower_priority(_thread: i32) {}

    pub(in crate::isolate) fn limit_memory(_bytes: u64) {}

    pub(in crate::isolate) fn forbid_core_dumps() {}
}
