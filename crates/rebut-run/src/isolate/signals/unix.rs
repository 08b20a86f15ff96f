//! Signals, exits and limits of systems that have the interface of Unix.

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Once, OnceLock};
use std::time::Duration;

use crate::isolate::sys::{
    SA_ONSTACK, SA_SIGINFO, SIG_DFL, SIG_IGN, SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGHUP, SIGILL,
    SIGPROF, SIGSEGV, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    sigaction, siginfo_t,
};

use super::{inherited_number, worker_state};
use crate::isolate::run_state::{Fate, NAME_MAX, RunState};
use crate::isolate::{restart, stall, sys};
use crate::strings;

/// The signals of a fault, which the thread that causes it receives.
const FAULTS: usize = 6;
/// All signals that are handled: those of faults, and others that end a process by default.
/// SIGINT and SIGQUIT come from a keyboard.
const SIGNALS: [c_int; 16] = [
    SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2,
    SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGSYS,
];

/// The earlier handlers, in the order of [`SIGNALS`]; null before they are known. The actions are
/// never freed or changed.
static BEFORE: [AtomicPtr<sigaction>; SIGNALS.len()] =
    [const { AtomicPtr::new(ptr::null_mut()) }; SIGNALS.len()];
/// The handler of the Rust runtime, which detects overflows of the stack; 0 if there is none.
static RUNTIME: AtomicUsize = AtomicUsize::new(0);
static INSTALLED: AtomicBool = AtomicBool::new(false);
/// The process that installed the handlers.
static PROCESS: AtomicI32 = AtomicI32::new(0);

/// Installs the handlers on the first call. Returns whether they are in place.
pub(crate) fn install() -> bool {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if cfg!(miri) || !record_handlers() {
            return;
        }
        // SAFETY: has no preconditions.
        PROCESS.store(unsafe { sys::getpid() }, Ordering::Relaxed);
        restart::prepare();
        INSTALLED.store(true, Ordering::Release);
        for (at, signal) in SIGNALS.into_iter().enumerate() {
            // A signal that is ignored kills nothing, and another program may rely on that.
            if at < FAULTS || handler_before(at) == SIG_DFL {
                install_handler(signal);
            }
        }
        // SAFETY: `on_exit` is a plain function that lives as long as the process.
        unsafe { sys::atexit(on_exit) };
        #[cfg(all(
            target_os = "linux",
            target_env = "gnu",
            any(target_arch = "x86_64", target_arch = "aarch64")
        ))]
        // SAFETY: as above.
        unsafe {
            sys::at_quick_exit(on_exit)
        };
    });
    INSTALLED.load(Ordering::Acquire)
}

/// Whether this process was forked by one that runs cases.
static IS_FORKED: AtomicBool = AtomicBool::new(false);

/// From now on, notices in a new process that it was forked.
pub(crate) fn notice_forks() {
    extern "C" fn on_fork() {
        IS_FORKED.store(true, Ordering::Relaxed);
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if !cfg!(miri) {
            // SAFETY: the function may be called in a new process, and lives as long as that.
            // Without memory for it, forks are not noticed.
            let _ = unsafe { sys::pthread_atfork(None, None, Some(on_fork)) };
        }
    });
}

/// Ends a process that a case forked. It is called after each case, so that asking the system
/// for the number of the process would be slow.
#[inline]
pub(crate) fn leave_if_forked() {
    if IS_FORKED.load(Ordering::Relaxed) {
        leave()
    }
}

#[cold]
fn leave() -> ! {
    restart::write_error(FORKED_RETURNED);
    end_process(101)
}

const FORKED_RETURNED: &[u8] =
    b"error: a process that a case forked returned from the case, or panicked in it
: end that process with `_exit`, or let it execute another program\n";

/// Puts our handlers for faults in front again, if the code under test has replaced them.
pub(in crate::isolate) fn keep_installed() {
    if !INSTALLED.load(Ordering::Acquire) {
        return;
    }
    for (at, signal) in SIGNALS.into_iter().enumerate().take(FAULTS) {
        if let Some(now) = installed(signal)
            && now.sa_sigaction != our_handler()
        {
            BEFORE[at].store(Box::into_raw(Box::new(now)), Ordering::Release);
            install_handler(signal);
        }
    }
}

/// Returns the action for a signal.
fn installed(signal: c_int) -> Option<sigaction> {
    // SAFETY: all zeroes is a valid `sigaction`, which the call replaces if it succeeds.
    unsafe {
        let mut action: sigaction = std::mem::zeroed();
        (sigaction(signal, ptr::null(), &mut action) == 0).then_some(action)
    }
}

/// Records the installed handlers. Returns whether that was possible.
fn record_handlers() -> bool {
    for (at, signal) in SIGNALS.into_iter().enumerate() {
        let Some(action) = installed(signal) else { return false };
        BEFORE[at].store(Box::into_raw(Box::new(action)), Ordering::Release);
    }
    // The runtime has one handler for both signals.
    if handler_before(0) == handler_before(1) {
        RUNTIME.store(handler_before(0), Ordering::Relaxed);
    }
    true
}

/// Returns the address of an earlier handler, or one of the numbers that stand for none.
fn handler_before(at: usize) -> usize {
    action_before(at).map_or(SIG_DFL, |action| action.sa_sigaction)
}

fn action_before(at: usize) -> Option<&'static sigaction> {
    // SAFETY: the pointer is null, or from a box that is never freed or changed.
    unsafe { BEFORE[at].load(Ordering::Acquire).as_ref() }
}

fn install_handler(signal: c_int) {
    // SAFETY: all zeroes is a valid `sigaction`; the handler has the signature that
    // SA_SIGINFO requires and does only what is safe in a handler.
    unsafe {
        let mut action: sigaction = std::mem::zeroed();
        action.sa_sigaction = our_handler();
        action.sa_flags = SA_ONSTACK | SA_SIGINFO;
        // A signal that arrives in the handler waits. The blocked signals that are a lineage do
        // not change, so that the handler can read them.
        sys::sigemptyset(&mut action.sa_mask);
        for signal in SIGNALS {
            sys::sigaddset(&mut action.sa_mask, signal);
        }
        sigaction(signal, &action, ptr::null_mut());
    }
}

fn our_handler() -> usize {
    on_signal as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize
}

/// Returns the run whose case this thread belongs to, if it is watched.
fn state_of_this_thread() -> Option<&'static RunState> {
    RunState::watched(match worker_state() {
        Some(state) => state.number(),
        None => inherited_number()?,
    })
}

/// Returns whether this process installed the handlers, and was not forked from that one.
fn is_our_process() -> bool {
    // SAFETY: has no preconditions.
    INSTALLED.load(Ordering::Acquire) && PROCESS.load(Ordering::Relaxed) == unsafe { sys::getpid() }
}

/// Parks a thread of a case forever. On any other thread, passes the signal to the earlier
/// handler.
extern "C" fn on_signal(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let Some(at) = SIGNALS.iter().position(|&known| known == signal) else { return };
    if !is_our_process() {
        return pass_on(at, info);
    }
    // Another program wants this process to end.
    if at >= FAULTS && !is_from_this_process(info) {
        return pass_on(at, info);
    }
    // The system gives a signal that was sent to the process to any of its threads.
    if is_for_any_thread(info) && is_from_this_process(info) && RunState::suspect_all(signal) {
        return;
    }
    let Some(state) = state_of_this_thread() else {
        if !is_foreign(at) {
            say_orphan_ends(&[b" aborted the process: ", known_name(signal).as_bytes()]);
        }
        return pass_on(at, info);
    };
    if is_foreign(at) && is_handled_elsewhere(at, state.running_word(), info, context) {
        return;
    }
    state.record(Fate::Crashed(signal), worker_state().is_some());
    stall::stay()
}

/// Returns whether a signal was sent by this process, and not by another one or the kernel.
fn is_from_this_process(info: *mut siginfo_t) -> bool {
    // SAFETY: the kernel passes `info`. It has a sender if the code is that of a signal that
    // was sent.
    !info.is_null()
        && was_sent(info)
        && unsafe { (*info).si_pid() } == PROCESS.load(Ordering::Relaxed)
}

/// Returns whether a signal was sent to the process and not to a thread.
#[cfg(target_os = "linux")]
fn is_for_any_thread(info: *mut siginfo_t) -> bool {
    // From sigaction(2).
    const SI_USER: c_int = 0;
    // From sigaction(2).
    const SI_QUEUE: c_int = -1;
    // SAFETY: the kernel passes `info`.
    !info.is_null() && [SI_USER, SI_QUEUE].contains(unsafe { &(*info).si_code })
}

/// Returns whether a signal was sent to the process and not to a thread. That is unknown here.
#[cfg(not(target_os = "linux"))]
fn is_for_any_thread(_info: *mut siginfo_t) -> bool {
    false
}

/// Returns whether a signal was sent. For such a signal, Linux has a code of 0 or less, the
/// BSDs 0x10001 and up; faults are in between.
fn was_sent(info: *mut siginfo_t) -> bool {
    // SAFETY: the kernel passes `info`.
    info.is_null() || !(1..0x1_0000).contains(unsafe { &(*info).si_code })
}

/// Returns whether the earlier handler is neither that of the runtime nor a number that stands
/// for none.
fn is_foreign(at: usize) -> bool {
    let handler = handler_before(at);
    handler != SIG_DFL && handler != SIG_IGN && handler != RUNTIME.load(Ordering::Relaxed)
}

/// Calls the earlier handler. Returns whether it handled the signal, so that the thread can
/// continue.
fn is_handled_elsewhere(
    at: usize,
    case: Option<u64>,
    info: *mut siginfo_t,
    context: *mut c_void,
) -> bool {
    let signal = SIGNALS[at];
    let Some(earlier) = action_before(at) else { return false };
    // It calls the handler that was there before it, which is ours; or it restores that and
    // returns, again and again.
    let (is_called, known_case, repeated) = ELSEWHERE.get();
    let repeated = if case == known_case { repeated + 1 } else { 0 };
    if is_called || repeated > REPEATED_MAX {
        return false;
    }
    ELSEWHERE.set((true, case, repeated));
    // SAFETY: the earlier handler was installed for this signal with these flags, so the kernel
    // would call it in the same way, on the same stack.
    let is_handled = unsafe {
        let address = earlier.sa_sigaction;
        if earlier.sa_flags & SA_SIGINFO != 0 {
            let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                std::mem::transmute(address);
            handler(signal, info, context);
        } else {
            let handler: extern "C" fn(c_int) = std::mem::transmute(address);
            handler(signal);
        }
        installed(signal).is_some_and(|now| now.sa_sigaction == our_handler())
    };
    ELSEWHERE.set((false, case, repeated));
    is_handled
}

thread_local! {
    /// Whether this thread is in an earlier handler, the case, and how often an earlier handler
    /// has returned in it.
    static ELSEWHERE: Cell<(bool, Option<u64>, u32)> = const { Cell::new((false, None, 0)) };
}

/// An earlier handler that has returned more often than that in one case does not help. Arbitrary: it takes
/// a tenth of a second, and few cases have more traps of a JIT.
const REPEATED_MAX: u32 = 100_000;

/// Restores the earlier handler and passes the signal to it. A fault happens again when this
/// returns; a signal that was sent has to be sent again.
fn pass_on(at: usize, info: *mut siginfo_t) {
    let signal = SIGNALS[at];
    // SAFETY: the pointer is to an action that is never freed; both functions may be called in
    // a handler.
    unsafe {
        sigaction(signal, BEFORE[at].load(Ordering::Acquire), ptr::null_mut());
        if was_sent(info) || signal == SIGTRAP {
            sys::raise(signal);
        }
    }
}

/// Handles a case that called `exit`: the process must not end before the supervisor has
/// reported that.
extern "C" fn on_exit() {
    if !is_our_process() {
        return;
    }
    if let Some(state) = state_of_this_thread() {
        state.record(Fate::Exited, worker_state().is_some());
        stall::stay()
    }
    if say_orphan_ends(&[b" exited the process"]) {
        // The test of this thread has ended, so nothing can report the exit.
        end_process(101)
    }
    restart::clean_up();
}

/// If the run of this thread has ended, says that it ends the process, and notes in the journals
/// of the others that it was not their case. Returns whether it has. It may be called in a
/// signal handler.
fn say_orphan_ends(how: &[&[u8]]) -> bool {
    let Some(number) = inherited_number() else { return false };
    let mut name = [0; NAME_MAX];
    let name = RunState::name_of(number, &mut name);
    let parts: [&[u8]; 3] = [b"error: a thread that outlived its test `", name, b"`"];
    parts.into_iter().chain(how.iter().copied()).for_each(restart::write_error);
    restart::write_error(b"\n");
    RunState::absolve_all();
    true
}

#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod immediate_exit;

/// Replaces the process, also on a thread of a case. Returns if that fails. It may be called in
/// a signal handler.
///
/// # Safety
/// The arguments are those of execve(2).
pub(in crate::isolate) unsafe fn execute(
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) {
    #[cfg(all(
        target_os = "linux",
        target_env = "gnu",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    // SAFETY: as for this function.
    unsafe {
        immediate_exit::execute(path, arguments, environment)
    };
    #[cfg(not(all(
        target_os = "linux",
        target_env = "gnu",
        any(target_arch = "x86_64", target_arch = "aarch64")
    )))]
    // SAFETY: as for this function.
    unsafe {
        sys::execve(path, arguments, environment)
    };
}

/// Ends the process at once, whatever its other threads are doing. After a
/// [`LossCause::Exit`](crate::isolate::LossCause::Exit) nothing else can.
pub(crate) fn end_process(code: i32) -> ! {
    #[cfg(all(
        target_os = "linux",
        target_env = "gnu",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    immediate_exit::end_process(code);
    #[cfg(not(all(
        target_os = "linux",
        target_env = "gnu",
        any(target_arch = "x86_64", target_arch = "aarch64")
    )))]
    // SAFETY: has no preconditions.
    unsafe {
        sys::_exit(code)
    }
}

/// A function that a thread calls at its end.
struct AtEnd {
    rounds: u32,
    run: Box<dyn FnOnce()>,
}

/// The system destroys the values of a thread in at least four rounds (POSIX). Other values go
/// in the first one, and those that their destructors create in the second.
const ROUNDS: u32 = 2;

/// Calls a function on this thread when all its thread-local values are destroyed. Unlike a
/// destructor of such a value, it is not called if one of them exits the process: `exit` calls
/// the other destructors first.
pub(super) fn call_at_end(run: Box<dyn FnOnce()>) {
    static KEY: OnceLock<Option<sys::pthread_key_t>> = OnceLock::new();
    let key = *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the key is written to `key`, and the destructor has the right signature.
        let created = unsafe { sys::pthread_key_create(&mut key, Some(on_end)) } == 0;
        created.then_some(key)
    });
    extern "C" fn on_end(value: *mut c_void) {
        // SAFETY: the value is from `keep`, and the system passes it once.
        let mut at_end = unsafe { Box::from_raw(value.cast::<AtEnd>()) };
        at_end.rounds -= 1;
        match KEY.get() {
            Some(Some(key)) if at_end.rounds > 0 => keep(*key, at_end),
            _ => {
                drop_handler_stack();
                (at_end.run)();
            }
        }
    }
    fn keep(key: sys::pthread_key_t, at_end: Box<AtEnd>) {
        let value = Box::into_raw(at_end);
        // SAFETY: the key exists. Its destructor gets the value, unless this fails.
        unsafe {
            if sys::pthread_setspecific(key, value.cast()) != 0 {
                (Box::from_raw(value).run)();
            }
        }
    }
    let at_end = Box::new(AtEnd { rounds: ROUNDS, run });
    match key {
        Some(key) => keep(key, at_end),
        // There are too many keys. Then destructors are not watched.
        None => (at_end.run)(),
    }
}

thread_local! {
    /// The stack of this thread for handlers, if it is ours.
    static HANDLER_STACK: Cell<*mut c_void> = const { Cell::new(ptr::null_mut()) };
}

/// More than the system and our handlers need. As much as the runtime of a thread with many
/// registers reserves.
const HANDLER_STACK_SIZE: usize = 64 << 10;

/// Gives this thread a stack for handlers.
pub(super) fn use_handler_stack() {
    if cfg!(miri) {
        return;
    }
    let (access, flags) = (sys::PROT_READ | sys::PROT_WRITE, sys::MAP_PRIVATE | sys::MAP_ANONYMOUS);
    // SAFETY: the memory is new, and it stays until the thread does not use it anymore. All
    // zeroes is a valid `stack_t`.
    unsafe {
        let stack = sys::mmap(ptr::null_mut(), HANDLER_STACK_SIZE, access, flags, -1, 0);
        if stack == sys::MAP_FAILED {
            return;
        }
        let mut wanted: sys::stack_t = std::mem::zeroed();
        wanted.ss_sp = stack;
        wanted.ss_size = HANDLER_STACK_SIZE;
        sys::sigaltstack(&wanted, ptr::null_mut());
        HANDLER_STACK.set(stack);
    }
}

fn drop_handler_stack() {
    let stack = HANDLER_STACK.replace(ptr::null_mut());
    if stack.is_null() {
        return;
    }
    // SAFETY: as above; the thread is not in a handler. All zeroes is a valid `stack_t`.
    unsafe {
        let mut none: sys::stack_t = std::mem::zeroed();
        none.ss_flags = sys::SS_DISABLE;
        none.ss_size = HANDLER_STACK_SIZE;
        sys::sigaltstack(&none, ptr::null_mut());
        sys::munmap(stack, HANDLER_STACK_SIZE);
    }
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

/// Waits. It may be called in a signal handler.
pub(in crate::isolate) fn sleep(time: Duration) {
    // SAFETY: all zeroes is a valid time, and the call only reads it.
    unsafe {
        let mut wanted: sys::timespec = std::mem::zeroed();
        wanted.tv_sec = time.as_secs().cast_signed();
        wanted.tv_nsec = time.subsec_nanos().into();
        sys::nanosleep(&wanted, ptr::null_mut());
    }
}

/// Returns the processor time of this process. It may be called in a signal handler.
pub(in crate::isolate) fn work_of_process() -> Duration {
    time_of(sys::CLOCK_PROCESS_CPUTIME_ID)
}

/// Returns the processor time of a thread, where it is known. It may be called in a signal
/// handler.
pub(in crate::isolate) fn work_of_thread(thread: i32) -> Duration {
    // The clock of a thread (clock_getcpuclockid(3), and `CPUCLOCK_SCHED` in the kernel).
    #[cfg(target_os = "linux")]
    return time_of(!thread << 3 | 6);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = thread;
        Duration::ZERO
    }
}

fn time_of(clock: sys::clockid_t) -> Duration {
    // SAFETY: all zeroes is a valid time, which the call replaces.
    let time = unsafe {
        let mut time: sys::timespec = std::mem::zeroed();
        sys::clock_gettime(clock, &mut time);
        time
    };
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Lets this thread receive all signals. It may be called in a signal handler.
pub(in crate::isolate) fn unblock_all() {
    // SAFETY: all zeroes is a valid set, which the first call replaces.
    unsafe {
        let mut none: sys::sigset_t = std::mem::zeroed();
        sys::sigemptyset(&mut none);
        sys::pthread_sigmask(sys::SIG_SETMASK, &none, ptr::null_mut());
    }
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
    match known_name(signal) {
        "" => format!("signal {signal}"),
        name => name.to_owned(),
    }
}

fn known_name(signal: i32) -> &'static str {
    match signal {
        SIGSEGV => "SIGSEGV",
        SIGBUS => "SIGBUS",
        SIGABRT => "SIGABRT",
        SIGILL => "SIGILL",
        SIGFPE => "SIGFPE",
        SIGTRAP => "SIGTRAP",
        SIGVTALRM => "SIGVTALRM",
        SIGPROF => "SIGPROF",
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
        _ => "",
    }
}
