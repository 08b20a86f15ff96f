//! The part of the C library that [`signals`](super::signals) needs, under the names of the crate
//! `libc`.
//!
//! Building that crate takes a tenth of the time of Rebut, for twenty declarations. Where these
//! are the same on all common platforms, this module declares them, and a test compares each with
//! that crate. On all other platforms Rebut uses the crate.

#![expect(non_camel_case_types, reason = "the names are those of the C library")]
#![expect(unsafe_code, reason = "functions of the C library are declared here")]

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};

/// The action for a signal.
#[repr(C)]
pub(super) struct sigaction {
    pub(super) sa_sigaction: usize,
    pub(super) sa_mask: sigset_t,
    pub(super) sa_flags: c_int,
    pub(super) sa_restorer: Option<extern "C" fn()>,
}

/// A set of signals.
#[repr(C)]
pub(super) struct sigset_t {
    __val: [u64; 16],
}

/// Information about a signal: only its first fields, so it is never created here.
#[repr(C)]
pub(super) struct siginfo_t {
    pub(super) si_signo: c_int,
    pub(super) si_errno: c_int,
    pub(super) si_code: c_int,
    padding: c_int,
    sender: c_int,
}

impl siginfo_t {
    /// Returns the process that sent the signal.
    ///
    /// # Safety
    /// The signal was sent: it has a sender.
    pub(super) unsafe fn si_pid(&self) -> c_int {
        self.sender
    }
}

pub(super) type clockid_t = c_int;
pub(super) type pthread_key_t = c_uint;

/// A stack for signal handlers.
#[repr(C)]
pub(super) struct stack_t {
    pub(super) ss_sp: *mut c_void,
    pub(super) ss_flags: c_int,
    pub(super) ss_size: usize,
}

/// A time.
#[repr(C)]
pub(super) struct timespec {
    pub(super) tv_sec: i64,
    pub(super) tv_nsec: c_long,
}

#[cfg(any(target_env = "gnu", target_env = "uclibc"))]
pub(super) type __rlimit_resource_t = c_uint;
#[cfg(not(any(target_env = "gnu", target_env = "uclibc")))]
pub(super) type __rlimit_resource_t = c_int;
pub(super) type rlim_t = u64;

/// A limit of the process.
#[repr(C)]
pub(super) struct rlimit {
    pub(super) rlim_cur: rlim_t,
    pub(super) rlim_max: rlim_t,
}

unsafe extern "C" {
    pub(super) fn sigaction(
        signal: c_int,
        action: *const sigaction,
        before: *mut sigaction,
    ) -> c_int;
    pub(super) fn sigemptyset(set: *mut sigset_t) -> c_int;
    pub(super) fn sigaddset(set: *mut sigset_t, signal: c_int) -> c_int;
    pub(super) fn sigdelset(set: *mut sigset_t, signal: c_int) -> c_int;
    pub(super) fn sigismember(set: *const sigset_t, signal: c_int) -> c_int;
    pub(super) fn pthread_sigmask(how: c_int, set: *const sigset_t, before: *mut sigset_t)
    -> c_int;
    pub(super) fn raise(signal: c_int) -> c_int;
    pub(super) fn nanosleep(time: *const timespec, left: *mut timespec) -> c_int;
    pub(super) fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int;
    pub(super) fn atexit(function: extern "C" fn()) -> c_int;
    #[cfg(not(target_env = "gnu"))]
    pub(super) fn _exit(code: c_int) -> !;
    #[cfg(target_env = "gnu")]
    pub(super) fn syscall(number: c_long, ...) -> c_long;
    pub(super) fn pthread_atfork(
        prepare: Option<unsafe extern "C" fn()>,
        parent: Option<unsafe extern "C" fn()>,
        child: Option<unsafe extern "C" fn()>,
    ) -> c_int;
    pub(super) fn pthread_key_create(
        key: *mut pthread_key_t,
        destructor: Option<extern "C" fn(*mut c_void)>,
    ) -> c_int;
    pub(super) fn pthread_setspecific(key: pthread_key_t, value: *const c_void) -> c_int;
    pub(super) fn sigaltstack(stack: *const stack_t, before: *mut stack_t) -> c_int;
    pub(super) fn getpid() -> c_int;
    pub(super) fn gettid() -> c_int;
    pub(super) fn chdir(path: *const c_char) -> c_int;
    #[cfg(target_env = "gnu")]
    pub(super) fn at_quick_exit(function: extern "C" fn()) -> c_int;
    #[cfg(target_env = "gnu")]
    pub(super) fn access(path: *const c_char, mode: c_int) -> c_int;
    #[cfg(target_env = "gnu")]
    pub(super) fn getenv(name: *const c_char) -> *const c_char;
    #[cfg(target_env = "gnu")]
    pub(super) fn execvpe(
        file: *const c_char,
        arguments: *const *const c_char,
        environment: *const *const c_char,
    ) -> c_int;
    #[cfg(not(target_env = "gnu"))]
    pub(super) fn execve(
        path: *const c_char,
        arguments: *const *const c_char,
        environment: *const *const c_char,
    ) -> c_int;
    pub(super) fn write(file: c_int, bytes: *const c_void, count: usize) -> isize;
    pub(super) fn mmap(
        address: *mut c_void,
        length: usize,
        protection: c_int,
        flags: c_int,
        file: c_int,
        offset: i64,
    ) -> *mut c_void;
    pub(super) fn munmap(address: *mut c_void, length: usize) -> c_int;
    pub(super) fn setpriority(which: c_uint, who: c_uint, priority: c_int) -> c_int;
    pub(super) fn getrlimit(resource: __rlimit_resource_t, limit: *mut rlimit) -> c_int;
    pub(super) fn setrlimit(resource: __rlimit_resource_t, limit: *const rlimit) -> c_int;
    pub(super) fn sysconf(name: c_int) -> c_long;
}

macro_rules! constants {
    ($($name:ident: $type:ty = $value:expr;)*) => {
        $(pub(super) const $name: $type = $value;)*

        #[cfg(test)]
        #[test]
        fn constants_are_those_of_libc() {
            $(assert_eq!($name as i128, libc::$name as i128, stringify!($name));)*
        }
    };
}

constants! {
    SIGHUP: c_int = 1;
    SIGINT: c_int = 2;
    SIGQUIT: c_int = 3;
    SIGILL: c_int = 4;
    SIGTRAP: c_int = 5;
    SIGABRT: c_int = 6;
    SIGBUS: c_int = 7;
    SIGFPE: c_int = 8;
    SIGKILL: c_int = 9;
    SIGUSR1: c_int = 10;
    SIGSEGV: c_int = 11;
    SIGUSR2: c_int = 12;
    SIGPIPE: c_int = 13;
    SIGALRM: c_int = 14;
    SIGTERM: c_int = 15;
    SIGVTALRM: c_int = 26;
    SIGPROF: c_int = 27;
    SIGXCPU: c_int = 24;
    SIGXFSZ: c_int = 25;
    SIGSYS: c_int = 31;
    SIG_SETMASK: c_int = 2;
    SA_SIGINFO: c_int = 4;
    SA_ONSTACK: c_int = 0x0800_0000;
    SS_DISABLE: c_int = 2;
    _SC_PAGESIZE: c_int = 30;
    SIG_DFL: usize = 0;
    SIG_IGN: usize = 1;
    CLOCK_PROCESS_CPUTIME_ID: c_int = 2;
    PROT_READ: c_int = 1;
    PROT_WRITE: c_int = 2;
    MAP_SHARED: c_int = 1;
    MAP_PRIVATE: c_int = 2;
    MAP_FIXED: c_int = 0x10;
    MAP_ANONYMOUS: c_int = 0x20;
    PRIO_PROCESS: c_uint = 0;
    RLIMIT_CORE: __rlimit_resource_t = 4;
    RLIMIT_NOFILE: __rlimit_resource_t = 7;
    RLIMIT_AS: __rlimit_resource_t = 9;
    RLIM_INFINITY: rlim_t = rlim_t::MAX;
}

pub(super) const MAP_FAILED: *mut c_void = std::ptr::without_provenance_mut(usize::MAX);

/// The number of the call that ends a process (`unistd_64.h`).
#[cfg(all(target_env = "gnu", target_arch = "x86_64"))]
#[expect(non_upper_case_globals, reason = "the name is that of the crate `libc`")]
pub(super) const SYS_exit_group: c_long = 231;
/// The number of the call that executes a program (`unistd_64.h`).
#[cfg(all(target_env = "gnu", target_arch = "x86_64"))]
#[expect(non_upper_case_globals, reason = "the name is that of the crate `libc`")]
pub(super) const SYS_execve: c_long = 59;
/// The number of the call that executes a program (`asm-generic/unistd.h`).
#[cfg(all(target_env = "gnu", target_arch = "aarch64"))]
#[expect(non_upper_case_globals, reason = "the name is that of the crate `libc`")]
pub(super) const SYS_execve: c_long = 221;
/// The number of the call that ends a process (`asm-generic/unistd.h`).
#[cfg(all(target_env = "gnu", target_arch = "aarch64"))]
#[expect(non_upper_case_globals, reason = "the name is that of the crate `libc`")]
pub(super) const SYS_exit_group: c_long = 94;

#[cfg(test)]
mod tests {
    use std::mem::{align_of, offset_of, size_of};

    #[test]
    fn layouts_are_those_of_libc() {
        macro_rules! check {
            ($name:ident { $($field:ident)* }) => {
                assert_eq!(size_of::<super::$name>(), size_of::<libc::$name>());
                assert_eq!(align_of::<super::$name>(), align_of::<libc::$name>());
                $(assert_eq!(
                    offset_of!(super::$name, $field),
                    offset_of!(libc::$name, $field),
                    stringify!($name::$field)
                );)*
            };
        }
        check!(sigaction { sa_sigaction sa_mask sa_flags sa_restorer });
        check!(sigset_t {});
        check!(rlimit { rlim_cur rlim_max });
        check!(timespec { tv_sec tv_nsec });
        check!(stack_t { ss_sp ss_flags ss_size });
        assert_eq!(size_of::<super::pthread_key_t>(), size_of::<libc::pthread_key_t>());
        assert_eq!(super::MAP_FAILED, libc::MAP_FAILED);
        #[cfg(target_env = "gnu")]
        {
            assert_eq!(super::SYS_exit_group, libc::SYS_exit_group);
            assert_eq!(super::SYS_execve, libc::SYS_execve);
        }
        assert_eq!(offset_of!(super::siginfo_t, si_code), offset_of!(libc::siginfo_t, si_code));
    }
}
